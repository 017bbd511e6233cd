/* jvp.c - forward mode: tangents in the order of the program (Griewank & Walther 2008, 3.1). */
#include "autograd/modes/zeros.h"

enum { MANY = 32 };

/* the tangent of a result has its shape and dtype */
static const agn_tensor *fit_to_result(agn_scope *s, const agn_tensor *t, const agn_tensor *y)
{
    if (!t)
        return NULL;
    if (t->dtype != y->dtype)
        t = agni_cast(s, t, y->dtype);
    return t ? agni_broadcast(s, t, y->ndim, y->shape) : NULL;
}

static void jvp_elementwise(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                            const agn_tensor **ty)
{
    const agn_tensor *sum = NULL;
    for (int i = 0; i < r->nin; i++)
        if (t[i])
            sum = agni_add_present(s, sum, agni_mul_partial(s, t[i], r->op->partial(s, r, i)));
    ty[0] = fit_to_result(s, sum, r->y[0]);
}

/* jointly linear: op(t), with t_i = 0 where there is no tangent and x_i where the argument is not
   differentiable */
static void jvp_linear(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                       const agn_tensor **ty)
{
    const agn_tensor *local[MANY], **a = local;
    if (r->nin > MANY && !(a = agni_alloc((size_t)r->nin * sizeof *a))) {
        agn_scope_fail(s, agni_nomem(r->op->name, (size_t)r->nin * sizeof *a));
        return;
    }
    for (int i = 0; i < r->nin; i++)
        a[i] = t[i]                              ? t[i]
               : agni_is_diff_argument(r->op, i) ? agni_zeros_like(s, r->x[i])
                                                 : r->x[i];
    agni_apply_many_in(s, r->op, r->at, r->nin, a, r->nout, ty);
    if (a != local)
        agni_free(a);
}

static void jvp_multilinear(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                            const agn_tensor **ty)
{
    const agn_tensor *a[MANY], *sum = NULL;
    for (int i = 0; i < r->nin; i++) {
        if (!t[i])
            continue;
        for (int k = 0; k < r->nin; k++)
            a[k] = k == i ? t[i] : r->x[k];
        sum = agni_add_present(s, sum, agni_apply_in(s, r->op, r->at, r->nin, a));
    }
    ty[0] = sum;
}

void agni_node_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                   const agn_tensor **ty)
{
    const agni_op *op = r->op;
    bool any = false;
    for (int o = 0; o < r->nout; o++)
        ty[o] = NULL;
    for (int i = 0; i < r->nin; i++)
        any |= t[i] != NULL;
    if (!any || agn_scope_status(s))
        return;
    if (op->jvp)
        op->jvp(s, r, t, ty);
    else if (op->cls == AGNI_EW)
        jvp_elementwise(s, r, t, ty);
    else if (op->cls == AGNI_LINEAR)
        jvp_linear(s, r, t, ty);
    else if (op->cls == AGNI_MULTI)
        jvp_multilinear(s, r, t, ty);
    else if (op->vjp)
        agni_jvp_from_vjp(s, r, t, ty);
    else if (op->cls != AGNI_DISCRETE && op->cls != AGNI_RANDOM)
        agni_fail_no_rule(s, op, "forward mode");
}

/* ---- an op with a vjp rule only: jvp = transpose of vjp -------------------------------------- */

typedef struct transposed_twice {
    const agni_rule *r;
    const bool *want;
    const agn_tensor **gx;
} transposed_twice;

/* g -> cotangents of the arguments that have a tangent */
static agn_status cotangent_body(void *user, agn_scope *s, const agn_tensor *const *g,
                                 const agn_tensor **out)
{
    const transposed_twice *q = user;
    const agni_rule *r = q->r;
    int n = 0;
    for (int i = 0; i < r->nin; i++)
        q->gx[i] = NULL;
    r->op->vjp(s, r, g, q->want, q->gx);
    for (int i = 0; i < r->nin; i++)
        if (q->want[i])
            out[n++] = q->gx[i] ? q->gx[i] : agni_zeros_like(s, r->x[i]);
    return agn_scope_status(s);
}

void agni_jvp_from_vjp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                       const agn_tensor **ty)
{
    const agn_tensor **gx = agni_zalloc(2 * (size_t)r->nin * sizeof *gx), **dir = gx + r->nin;
    bool *want = agni_zalloc((size_t)r->nin + 1);
    int n = 0;
    if (!gx || !want) {
        agn_scope_fail(s, agni_nomem(r->op->name, 2 * (size_t)r->nin * sizeof *gx));
    } else {
        for (int i = 0; i < r->nin; i++)
            if ((want[i] = t[i] != NULL))
                dir[n++] = t[i];
        transposed_twice q = {r, want, gx};
        agni_transpose_rule(s, r, "forward mode", cotangent_body, &q, r->nout, r->y, n, dir, ty);
    }
    agni_free(gx);
    agni_free(want);
}

/* the last node that reads each value (liveness); n_node for results */
static int32_t *find_last_uses(const agni_prog *p)
{
    int32_t *last = agni_zalloc((size_t)(p->n_val + 1) * sizeof *last);
    for (int k = 0; last && k < p->n_node; k++)
        for (int i = 0; i < p->node[k].nin; i++)
            last[p->arg[p->node[k].arg + i]] = k;
    for (int o = 0; last && o < p->n_out; o++)
        last[p->out[o]] = p->n_node;
    return last;
}

static bool is_any_active(const agni_traversal *w, const agni_pnode *n)
{
    bool any = false;
    for (int v = n->val; v < n->val + n->nout; v++)
        any |= w->active[v];
    return any;
}

/* values behind which some partial derivative may be singular: masks matter there */
static bool *find_singular_ahead(agni_traversal *w)
{
    const agni_prog *p = w->p;
    bool *ahead = agni_zalloc((size_t)p->n_val + 1);
    for (int o = 0; ahead && o < p->n_out; o++)
        ahead[p->out[o]] |= w->inner; /* outside, perhaps */
    for (int k = p->n_node - 1; ahead && k >= 0; k--) {
        const agni_pnode *n = &p->node[k];
        bool on = false, active = false;
        for (int v = n->val; v < n->val + n->nout; v++) {
            on |= w->active[v] && ahead[v];
            active |= w->active[v];
        }
        on |= active && agni_is_singular_node(w, k);
        for (int i = 0; on && i < n->nin; i++)
            ahead[p->arg[n->arg + i]] |= agni_is_diff_argument(n->op, i);
    }
    return ahead;
}

static void push_node(agn_scope *s, agni_traversal *w, int k, const bool *ahead, agni_adjoints *t,
                      bool own)
{
    const agni_pnode *n = &w->p->node[k];
    const int32_t *arg = w->p->arg + n->arg;
    bool keep = false;
    for (int i = 0; !own && i < n->nin; i++)
        agni_adjoint_share(t, arg[i], s);
    agni_rule r = agni_traversal_rule(w, k);
    for (int i = 0; i < n->nin; i++)
        w->in[i] = agni_is_diff_argument(n->op, i) ? t->x[arg[i]] : (agni_masked){0};
    for (int v = n->val; v < n->val + n->nout; v++)
        keep |= ahead[v];
    agni_masked_jvp(s, &r, w->in, keep, w->a);
    for (int o = 0; o < n->nout; o++)
        if (w->active[n->val + o] && !agn_scope_status(s))
            agni_adjoint_set(t, n->val + o, w->a[o], own);
}

void agni_traverse_jvp(agni_traversal *w, const agn_tensor *const *t, const agn_tensor **ty)
{
    const agni_prog *p = w->p;
    agn_scope *s = w->s;
    agni_adjoints tan;
    if (!agni_adjoints_open(&tan, s, p->n_val))
        return;
    int32_t *last = find_last_uses(p);
    bool *ahead = find_singular_ahead(w);
    if (!last || !ahead)
        agn_scope_fail(s, agni_nomem("jvp", (size_t)p->n_val * sizeof *last));
    for (int i = 0; i < p->n_in && ahead; i++)
        if (w->active[i])
            tan.x[i] = agni_seed_masked(w, t[i], ahead[i]);
    for (int k = 0; k < p->n_node && !agn_scope_status(s); k++) {
        const agni_pnode *n = &p->node[k];
        if (!is_any_active(w, n))
            continue;
        bool own = agni_is_large(p, n);
        agn_scope *here = own ? agn_scope_open(s) : s;
        push_node(here, w, k, ahead, &tan, own);
        if (own)
            agn_scope_fail(s, agn_scope_close(here));
        for (int i = 0; i < n->nin; i++)
            if (last[p->arg[n->arg + i]] == k)
                agni_adjoint_set(&tan, p->arg[n->arg + i], (agni_masked){0}, false);
    }
    for (int i = 0; i < p->n_out; i++)
        ty[i] = agni_result_masked(w, agni_adjoint_share(&tan, p->out[i], s));
    agni_adjoints_close(&tan, p->n_val);
    agni_free(last);
    agni_free(ahead);
}
