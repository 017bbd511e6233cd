/* autograd/vjp.c - cotangents, from the last result to the first. */
#include "autograd/sweep.h"

enum { MANY = 32 };

static const agn_tensor *conjugate(agn_scope *s, const agn_tensor *d)
{
    if (!d || d == &agni_one || d == &agni_minus_one || agni_kind(d->dtype) != AGNI_KIND_COMPLEX)
        return d;
    return agni_ap(s, &agni_op_conj, NULL, 1, &d);
}

static void vjp_elementwise(agn_scope *s, const agni_rule *r, const agn_tensor *g,
                            const bool *want, const agn_tensor **gx)
{
    for (int i = 0; i < r->nin; i++)
        if (want[i]) {
            const agn_tensor *d = conjugate(s, r->op->partial(s, r, i));
            gx[i] = agni_unbroadcast(s, agni_times(s, g, d, r->op->bounded), r->x[i]);
        }
}

/* ---- a rule that gives tangents only: reverse mode is its transpose ----------------------- */

typedef struct linear {
    const agni_rule *r;
    const bool *want;
} linear;

/* tangents of the wanted arguments -> tangents of the results */
static agn_status body_jvp(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    const linear *q = user;
    const agni_rule *r = q->r;
    const agn_tensor *t[MANY];
    int n = 0;
    for (int i = 0; i < r->nin; i++)
        t[i] = q->want[i] ? in[n++] : NULL;
    r->op->jvp(s, r, t, out);
    for (int o = 0; o < r->nout; o++)
        if (!out[o])
            out[o] = agni_zeros_like(s, r->y[o]);
    return agn_scope_status(s);
}

bool agni_trace_linear(agn_scope *s, agni_prog **p, uint64_t *first, const agni_op *op,
                       agn_body *body, void *user, int n, const agn_tensor *const *like, int nout)
{
    const agn_tensor *zero[MANY];
    bool ours = op->cpu != NULL;
    for (int i = 0; i < n && !ours; i++)
        zero[i] = agni_zeros_like(s, like[i]);
    return !agn_scope_status(s) &&
           !agn_scope_fail(s, agni_trace_body(p, first, body, user, n, ours ? like : zero, nout,
                                              ours));
}

void agni_vjp_from_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                       const bool *want, const agn_tensor **gx)
{
    const agn_tensor *like[MANY], *got[MANY] = {NULL};
    int n = 0;
    for (int i = 0; i < r->nin; i++)
        if (want[i])
            like[n++] = r->x[i];
    agni_prog *p = NULL;
    uint64_t first;
    linear q = {r, want};
    if (!agni_trace_linear(s, &p, &first, r->op, body_jvp, &q, n, like, r->nout))
        return;
    agni_walk w;
    if (agni_walk_open(&w, s, p, first, NULL)) {
        agni_sweep_vjp(&w, g, got);
        agni_walk_close(&w);
    }
    agni_prog_release(p);
    n = 0;
    for (int i = 0; i < r->nin; i++)
        if (want[i])
            gx[i] = got[n++];
}

void agni_node_vjp(agn_scope *s, const agni_rule *r, const agn_tensor *const *g, const bool *want,
                   const agn_tensor **gx)
{
    const agni_op *op = r->op;
    for (int i = 0; i < r->nin; i++)
        gx[i] = NULL;
    if (agn_scope_status(s))
        return;
    if (op->vjp)
        op->vjp(s, r, g, want, gx);
    else if (op->cls == AGNI_EW)
        vjp_elementwise(s, r, g[0], want, gx);
    else if (op->transpose) {
        for (int i = 0; i < r->nin && !agn_scope_status(s); i++)
            if (want[i])
                gx[i] = op->transpose(s, r, i, g[0]);
    } else if (op->jvp)
        agni_vjp_from_jvp(s, r, g, want, gx);
    else if (op->cls != AGNI_DISCRETE && op->cls != AGNI_RANDOM)
        agni_no_rule(s, op, "reverse mode");
}

void agni_sweep_vjp(agni_walk *w, const agn_tensor *const *g, const agn_tensor **gx)
{
    const agni_prog *p = w->p;
    agn_scope *s = w->s;
    const agn_tensor **cot = agni_zalloc((size_t)(p->n_val + 1) * sizeof *cot);
    if (!cot) {
        agn_scope_fail(s, agni_nomem("vjp", (size_t)p->n_val * sizeof *cot));
        return;
    }
    for (int o = 0; o < p->n_out; o++)
        if (g[o] && w->active[p->out[o]])
            cot[p->out[o]] = agni_plus(s, cot[p->out[o]], g[o]);
    for (int k = p->n_node - 1; k >= 0 && !agn_scope_status(s); k--) {
        const agni_pnode *n = &p->node[k];
        bool any = false;
        for (int o = 0; o < n->nout; o++)
            any |= cot[n->val + o] != NULL;
        if (!any)
            continue;
        agni_rule r = agni_walk_rule(w, k);
        for (int i = 0; i < n->nin; i++)
            w->flag[i] = agni_diff(n->op, i) && w->active[p->arg[n->arg + i]];
        agni_node_vjp(s, &r, cot + n->val, w->flag, w->a);
        for (int i = 0; i < n->nin; i++)
            if (w->flag[i] && w->a[i]) {
                int v = p->arg[n->arg + i];
                cot[v] = agni_plus(s, cot[v], w->a[i]);
            }
    }
    for (int i = 0; i < p->n_in; i++)
        gx[i] = cot[i];
    agni_free(cot);
}
