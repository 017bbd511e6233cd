/* vjp.c - reverse mode: cotangents against the order of the program (Griewank & Walther 2008,
   3.2). */
#include "autograd/modes/zeros.h"
#include "autograd/modes/linearity.h"

#include <string.h>

static const agn_tensor *conjugate_partial(agn_scope *s, const agn_tensor *d)
{
    if (!d || d == &agni_one || d == &agni_minus_one || agni_kind(d->dtype) != AGNI_KIND_COMPLEX)
        return d;
    return agni_apply_in(s, &agni_op_conj, NULL, 1, &d);
}

static void vjp_elementwise(agn_scope *s, const agni_rule *r, const agn_tensor *g,
                            const bool *want, const agn_tensor **gx)
{
    for (int i = 0; i < r->nin; i++)
        if (want[i]) {
            const agn_tensor *d = conjugate_partial(s, r->op->partial(s, r, i));
            gx[i] = agni_unbroadcast(s, agni_mul_partial(s, g, d), r->x[i]);
        }
}

/* ---- an op with a jvp rule only: vjp = transpose of jvp -------------------------------------- */

typedef struct tangent_rule {
    const agni_rule *r;
    const bool *want;
    const agn_tensor **t; /* scratch: a tangent of each argument */
} tangent_rule;

/* tangents of the wanted arguments -> tangents of the results */
static agn_status tangent_body(void *user, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    const tangent_rule *q = user;
    const agni_rule *r = q->r;
    int n = 0;
    for (int i = 0; i < r->nin; i++)
        q->t[i] = q->want[i] ? in[n++] : NULL;
    r->op->jvp(s, r, q->t, out);
    for (int o = 0; o < r->nout; o++)
        if (!out[o])
            out[o] = agni_zeros_like(s, r->y[o]);
    return agn_scope_status(s);
}

/* Do the cotangents depend on the point at which the program was transposed? Then it is not
   linear. */
static bool depends_on_point(agn_scope *s, const agni_prog *p, uint64_t first, int n,
                             const agn_tensor *const *gx)
{
    bool depends = false;
    agni_prog *q = NULL;
    const agn_tensor **y = agni_alloc((size_t)(n + 1) * sizeof *y);
    int m = 0;
    for (int i = 0; y && i < n; i++)
        if (gx[i])
            y[m++] = gx[i];
    if (!y)
        agn_scope_fail(s, agni_nomem("transpose", (size_t)n * sizeof *y));
    else if (!agn_scope_fail(s, agni_prog_gather(&q, p->n_in, (const agn_tensor *const *)p->val, m,
                                                 y, first))) {
        for (int i = 0; i < q->n_arg; i++)
            depends |= q->arg[i] < p->n_in;
        for (int o = 0; o < m; o++)
            depends |= q->out[o] < p->n_in;
    }
    agni_prog_release(q);
    agni_free(y);
    return depends;
}

/* Traces a linear rule. A user's rule is checked, so it is traced on symbols, too; but loops and
   calls within it carry values besides their tangents, which their derivatives may read: then it
   is traced at zero, and not checked. */
static bool trace_linear(agn_scope *s, const agni_rule *r, agn_body *body, void *user, int n_in,
                         const agn_tensor *const *like, int n_out, agni_prog **p, uint64_t *first,
                         bool *checked)
{
    bool control = false;
    agn_status st = agni_trace_body(p, first, body, user, n_in, like, n_out, true);
    for (int k = 0; !st && r->op->foreign && k < (*p)->n_node; k++)
        control |= (*p)->node[k].op->cls == AGNI_CONTROL;
    *checked = r->op->foreign && !control;
    if (!control)
        return !agn_scope_fail(s, st);
    const agn_tensor **zero = agni_zalloc((size_t)(n_in + 1) * sizeof *zero);
    agni_prog_release(*p);
    *p = NULL;
    if (!zero)
        st = agni_nomem(r->op->name, (size_t)n_in * sizeof *zero);
    for (int i = 0; zero && i < n_in; i++)
        zero[i] = agni_zeros_like(s, like[i]);
    if (!st && !(st = agn_scope_status(s)))
        st = agni_trace_body(p, first, body, user, n_in, zero, n_out, false);
    agni_free(zero);
    return !agn_scope_fail(s, st);
}

static bool has_added_constant(agni_traversal *w)
{
    bool *all = agni_alloc((size_t)w->p->n_in + 1);
    agn_status st = all ? AGN_OK : agni_nomem("custom", (size_t)w->p->n_in);
    if (all) {
        memset(all, true, (size_t)w->p->n_in);
        st = agni_check_no_constant(w, all);
    }
    agni_free(all);
    if (st != AGN_EDOMAIN)
        agn_scope_fail(w->s, st);
    return st == AGN_EDOMAIN;
}

void agni_transpose_rule(agn_scope *s, const agni_rule *r, const char *mode, agn_body *body,
                         void *user, int n_in, const agn_tensor *const *like, int n_out,
                         const agn_tensor *const *g, const agn_tensor **gx)
{
    agni_prog *p = NULL;
    agni_traversal w = {.p = NULL};
    uint64_t first;
    bool checked;
    if (!agn_scope_status(s) &&
        trace_linear(s, r, body, user, n_in, like, n_out, &p, &first, &checked) &&
        agni_traversal_open(&w, s, p, first, NULL)) {
        agni_traverse_vjp(&w, g, gx);
        if (checked && !agn_scope_status(s) &&
            (depends_on_point(s, p, first, n_in, gx) || has_added_constant(&w)))
            agn_scope_fail(
                s, agni_fail(AGN_EUNSUPPORTED,
                             "%s: %s cannot be derived: the rule given is not linear in its "
                             "last %d arguments",
                             r->op->name, mode, n_in));
    }
    agni_traversal_close(&w);
    agni_prog_release(p);
}

void agni_vjp_from_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                       const bool *want, const agn_tensor **gx)
{
    const agn_tensor **t = agni_zalloc(3 * (size_t)r->nin * sizeof *t);
    const agn_tensor **like = t + r->nin, **got = t + 2 * r->nin;
    if (!t) {
        agn_scope_fail(s, agni_nomem(r->op->name, 3 * (size_t)r->nin * sizeof *t));
        return;
    }
    int n = 0;
    for (int i = 0; i < r->nin; i++)
        if (want[i])
            like[n++] = r->x[i];
    tangent_rule q = {r, want, t};
    agni_transpose_rule(s, r, "reverse mode", tangent_body, &q, n, like, r->nout, g, got);
    n = 0;
    for (int i = 0; i < r->nin; i++)
        if (want[i])
            gx[i] = got[n++];
    agni_free(t);
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
        agni_fail_no_rule(s, op, "reverse mode");
}

/* Rules see dense cotangents. Sparse ones (of gathered rows) reach only the leaves that are
   differentiated by; watched leaves in between pass them on. */
static void densify_cotangents(agn_scope *s, agni_traversal *w, const agni_pnode *n,
                               agni_adjoints *c, bool own)
{
    for (int v = n->val; v < n->val + n->nout && n->op != &agni_op_watch; v++)
        if (c->x[v].v && c->x[v].v->layout != AGN_DENSE) {
            agni_masked x = c->x[v];
            x.v = agni_add_present(s, agni_zeros_like(s, w->prim[v]), x.v);
            agni_adjoint_set(c, v, x, own);
        }
}

static void pull_node(agn_scope *s, agni_traversal *w, int k, const bool *behind, agni_adjoints *c,
                      bool own)
{
    const agni_prog *p = w->p;
    const agni_pnode *n = &p->node[k];
    densify_cotangents(s, w, n, c, own);
    for (int o = n->val; !own && o < n->val + n->nout; o++)
        agni_adjoint_share(c, o, s);
    if (agn_scope_status(s))
        return;
    agni_rule r = agni_traversal_rule(w, k);
    for (int i = 0; i < n->nin; i++) {
        w->flag[i] = agni_is_diff_argument(n->op, i) && w->active[p->arg[n->arg + i]];
        w->flag2[i] = behind[p->arg[n->arg + i]];
    }
    agni_masked_vjp(s, &r, c->x + n->val, w->flag, w->flag2, w->a);
    for (int i = 0; i < n->nin; i++)
        if (w->flag[i] && w->a[i].v) {
            int v = p->arg[n->arg + i];
            agni_adjoint_set(c, v, agni_add_masked(s, c->x[v], w->a[i], behind[v]), own);
        }
    for (int o = n->val; own && o < n->val + n->nout; o++)
        agni_adjoint_set(c, o, (agni_masked){0}, false);
}

/* values made with some partial derivative that may be singular: masks matter there */
static bool *find_singular_behind(agni_traversal *w)
{
    const agni_prog *p = w->p;
    bool *behind = agni_zalloc((size_t)p->n_val + 1);
    for (int i = 0; behind && i < p->n_in; i++)
        behind[i] = w->inner; /* outside, perhaps */
    for (int k = 0; behind && k < p->n_node; k++) {
        const agni_pnode *n = &p->node[k];
        bool on = agni_is_singular_node(w, k);
        for (int i = 0; i < n->nin; i++)
            on |= w->active[p->arg[n->arg + i]] && behind[p->arg[n->arg + i]];
        for (int v = n->val; v < n->val + n->nout; v++)
            behind[v] = on && w->active[v];
    }
    return behind;
}

void agni_traverse_vjp(agni_traversal *w, const agn_tensor *const *g, const agn_tensor **gx)
{
    const agni_prog *p = w->p;
    agn_scope *s = w->s;
    agni_adjoints c;
    if (!agni_adjoints_open(&c, s, p->n_val))
        return;
    bool *behind = find_singular_behind(w);
    if (!behind)
        agn_scope_fail(s, agni_nomem("vjp", (size_t)p->n_val));
    for (int o = 0; behind && o < p->n_out; o++) {
        int v = p->out[o];
        if (g[o] && w->active[v])
            c.x[v] = agni_add_masked(s, c.x[v], agni_seed_masked(w, g[o], behind[v]), behind[v]);
    }
    for (int k = p->n_node - 1; k >= 0 && !agn_scope_status(s); k--) {
        const agni_pnode *n = &p->node[k];
        bool any = false;
        for (int o = 0; o < n->nout; o++)
            any |= c.x[n->val + o].v != NULL;
        if (any && agni_is_large(p, n)) {
            agn_scope *own = agn_scope_open(s);
            pull_node(own, w, k, behind, &c, true);
            agn_scope_fail(s, agn_scope_close(own));
        } else if (any) {
            pull_node(s, w, k, behind, &c, false);
        }
    }
    for (int i = 0; i < p->n_in; i++)
        gx[i] = agni_result_masked(w, agni_adjoint_share(&c, i, s));
    agni_adjoints_close(&c, p->n_val);
    agni_free(behind);
}
