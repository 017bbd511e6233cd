/* traversal.c - activity analysis of a program, the values its rules see, and the derivatives in
   hand. */
#include "autograd/modes/zeros.h"
#include "core/memory/scope.h"

#include <string.h>

void agni_fail_no_rule(agn_scope *s, const agni_op *op, const char *mode)
{
    agn_scope_fail(s, agni_fail(AGN_EUNSUPPORTED, "%s: has no rule for %s", op->name, mode));
}

static bool is_nondifferentiable(const agni_op *op)
{
    return op->cls == AGNI_DISCRETE || op->cls == AGNI_RANDOM;
}

/* Values whose every path to a result ends in a nondifferentiable op are not active: their rules
   are never called. */
static void prune_nondifferentiable(agni_traversal *w, bool *used)
{
    const agni_prog *p = w->p;
    for (int o = 0; o < p->n_out; o++)
        used[p->out[o]] = true;
    for (int k = p->n_node - 1; k >= 0; k--) {
        const agni_pnode *q = &p->node[k];
        bool on = false;
        for (int o = 0; o < q->nout && !is_nondifferentiable(q->op); o++)
            on |= used[q->val + o] && w->active[q->val + o];
        for (int i = 0; on && i < q->nin; i++)
            used[p->arg[q->arg + i]] |= agni_is_diff_argument(q->op, i);
    }
    for (int v = 0; v < p->n_val; v++)
        w->active[v] &= used[v];
}

/* values that depend differentiably on an active input */
static void find_active(agni_traversal *w)
{
    const agni_prog *p = w->p;
    for (int k = 0; k < p->n_node; k++) {
        const agni_pnode *n0 = &p->node[k];
        bool on = false;
        for (int o = 0; o < n0->nout; o++)
            w->active[n0->val + o] = false;
        if (is_nondifferentiable(n0->op))
            continue;
        for (int i = 0; i < n0->nin; i++)
            on |= agni_is_diff_argument(n0->op, i) && w->active[p->arg[n0->arg + i]];
        for (int o = 0; on && o < n0->nout; o++)
            w->active[n0->val + o] = agni_is_differentiable(p->val[n0->val + o]);
    }
}

bool agni_traversal_open(agni_traversal *w, agn_scope *s, const agni_prog *p, uint64_t first,
                         const bool *want)
{
    *w = (agni_traversal){.p = p, .s = s};
    if (agn_scope_status(s))
        return false;
    size_t n = (size_t)(p->n_val ? p->n_val : 1);
    w->prim = agni_zalloc(n * sizeof *w->prim);
    w->active = agni_zalloc(2 * n); /* second half: is a result reached? */
    w->width = 1;
    for (int k = 0; k < p->n_node; k++) {
        w->width = p->node[k].nin > w->width ? p->node[k].nin : w->width;
        w->width = p->node[k].nout > w->width ? p->node[k].nout : w->width;
    }
    w->x = agni_zalloc((size_t)w->width * sizeof *w->x);
    w->in = agni_zalloc(2 * (size_t)w->width * sizeof *w->in);
    w->flag = agni_zalloc(2 * (size_t)w->width);
    if (!w->prim || !w->active || !w->x || !w->in || !w->flag) {
        agni_traversal_close(w);
        agn_scope_fail(s, agni_nomem("derivative", n * sizeof *w->prim));
        return false;
    }
    w->a = w->in + w->width;
    w->flag2 = w->flag + w->width;
    for (int i = 0; i < p->n_in; i++)
        w->active[i] = (!want || want[i]) && agni_is_differentiable(p->val[i]);
    find_active(w);
    if (!agni_find_roots(w)) {
        agni_traversal_close(w);
        return false;
    }
    if (w->rewritten)
        find_active(w);
    prune_nondifferentiable(w, w->active + n);
    for (int v = 0; v < p->n_val; v++)
        w->prim[v] = agni_detach(s, p->val[v], first);
    return !agn_scope_status(s);
}

bool agni_traversal_replay_from(agni_traversal *w, agn_scope *s, const agni_prog *p,
                                const agn_tensor *const *x, const agn_tensor *const *given,
                                const bool *want)
{
    const agn_tensor *none;
    if (!agni_traversal_open(w, s, p, UINT64_MAX, want))
        return false;
    const agn_tensor **out = p->n_out ? agni_alloc((size_t)p->n_out * sizeof *out) : &none;
    if (!out) {
        agn_scope_fail(s, agni_nomem("derivative", (size_t)p->n_out * sizeof *out));
        return false;
    }
    agni_prog_replay_from(p, s, x, given, out, w->prim);
    if (out != &none)
        agni_free(out);
    return !agn_scope_status(s);
}
bool agni_traversal_replay(agni_traversal *w, agn_scope *s, const agni_prog *p,
                           const agn_tensor *const *x, const bool *want)
{
    return agni_traversal_replay_from(w, s, p, x, NULL, want);
}

void agni_traversal_close(agni_traversal *w)
{
    agni_forget_roots(w);
    agni_free(w->prim);
    agni_free(w->active);
    agni_free(w->x);
    agni_free(w->in);
    agni_free(w->flag);
    *w = (agni_traversal){.p = NULL};
}

/* ---- derivatives in hand ------------------------------------------------------------------- */

bool agni_adjoints_open(agni_adjoints *h, agn_scope *s, int n)
{
    size_t room = (size_t)n + 1;
    h->x = agni_zalloc(room * (sizeof *h->x + sizeof *h->own));
    h->own = h->x ? (bool *)(h->x + room) : NULL;
    if (!h->x)
        agn_scope_fail(s, agni_nomem("derivative", room * sizeof *h->x));
    return h->x != NULL;
}

static void release_masked(agni_masked x)
{
    agn_release((agn_tensor *)(uintptr_t)x.v);
    agn_release((agn_tensor *)(uintptr_t)x.m);
}

void agni_adjoint_set(agni_adjoints *h, int v, agni_masked x, bool own)
{
    agni_masked old = h->x[v];
    if (x.v && x.v == old.v && x.m == old.m) {
        h->x[v] = x;
        return;
    }
    own = own && x.v;
    if (own) {
        agn_retain(x.v);
        if (x.m)
            agn_retain(x.m);
    }
    if (h->own[v])
        release_masked(old);
    h->x[v] = x;
    h->own[v] = own;
}

agni_masked agni_adjoint_share(agni_adjoints *h, int v, agn_scope *s)
{
    agni_masked *x = &h->x[v];
    if (h->own[v]) {
        agn_status a = agni_scope_adopt(s, (agni_obj *)(uintptr_t)x->v);
        agn_status b = x->m ? agni_scope_adopt(s, (agni_obj *)(uintptr_t)x->m) : AGN_OK;
        if (a || b)
            *x = (agni_masked){0};
    }
    h->own[v] = false;
    return *x;
}

void agni_adjoints_close(agni_adjoints *h, int n)
{
    for (int v = 0; v < n; v++)
        if (h->own[v])
            release_masked(h->x[v]);
    agni_free(h->x);
}

bool agni_is_large(const agni_prog *p, const agni_pnode *n)
{
    enum { LARGE = 1 << 16 };
    int64_t bytes = 0;
    for (int o = 0; o < n->nout; o++)
        bytes += agni_tensor_bytes(p->val[n->val + o]);
    for (int i = 0; i < n->nin; i++)
        bytes += agni_tensor_bytes(p->val[p->arg[n->arg + i]]);
    return bytes >= LARGE || n->op->cls == AGNI_CONTROL;
}

agni_rule agni_traversal_rule(agni_traversal *w, int k)
{
    const agni_pnode *n = &w->p->node[k];
    for (int i = 0; i < n->nin; i++)
        w->x[i] = w->prim[w->p->arg[n->arg + i]];
    return (agni_rule){n->op, n->at, n->nin, n->nout, w->x, w->prim + n->val};
}
