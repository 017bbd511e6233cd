/* linearity.c - which values of a program depend on some inputs, and whether they do so linearly.

   A node is linear in what depends on the inputs if its tangent is the same wherever they are,
   and if it maps zeros to zero; its own rule says so, no list of names. Loops carry values
   besides their tangents, so dependence is followed into their bodies, to a fixed point over the
   steps. */
#include "autograd/modes/linearity.h"

#include <agnesi/ag.h>
#include <string.h>

typedef struct single_node {
    const agni_rule *r;
    const bool *dep; /* arguments that depend on the named ones */
} single_node;

/* in: the dependent arguments, the results, tangents of the dependent arguments */
static agn_status tangent_body(void *user, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    const single_node *q = user;
    const agni_rule *r = q->r;
    size_t room = (size_t)(2 * r->nin + 2 * r->nout);
    const agn_tensor **x = agni_zalloc(room * sizeof *x);
    if (!x)
        return agni_nomem("linear_transpose", room * sizeof *x);
    const agn_tensor **t = x + r->nin, **y = t + r->nin, **ty = y + r->nout;
    int n = 0;
    for (int i = 0; i < r->nin; i++)
        x[i] = q->dep[i] ? in[n++] : r->x[i];
    for (int o = 0; o < r->nout; o++)
        y[o] = in[n++];
    for (int i = 0; i < r->nin; i++)
        t[i] = q->dep[i] ? in[n++] : NULL;
    agni_rule here = {r->op, r->at, r->nin, r->nout, x, y};
    agni_node_jvp(s, &here, t, ty);
    for (int o = 0; o < r->nout && !agn_scope_status(s); o++)
        out[o] = ty[o] ? ty[o] : agni_zeros_like(s, r->y[o]);
    agni_free(x);
    return agn_scope_status(s);
}

static agn_status propagate_dependence(const agni_prog *p, bool *dep);

agn_status agni_dependence_through_loop(const agni_prog *p, int nc, bool *here, bool *dep)
{
    agn_status st = AGN_OK;
    for (bool more = true; !st && more;) {
        memset(dep, false, (size_t)p->n_val);
        memcpy(dep, here, (size_t)p->n_in);
        st = propagate_dependence(p, dep);
        more = false;
        for (int i = 0; i < nc; i++) {
            more |= dep[p->out[i]] && !here[i];
            here[i] |= dep[p->out[i]];
        }
    }
    return st;
}

/* Dependence of the results of a node with a body on inputs marked in here[nin], to dep[nout];
   the number of rounds of a while may depend, too. */
static agn_status propagate_through_body(const agni_pnode *n, const agni_prog *p, bool *here,
                                         bool *dep)
{
    agni_loop_shape loop = n->op->loop ? n->op->loop(n->at) : (agni_loop_shape){0, -1, 1};
    int nc = loop.n_carried;
    bool *in = agni_alloc((size_t)p->n_val + 1);
    agn_status st = in ? agni_dependence_through_loop(p, nc, here, in)
                       : agni_nomem("linear_transpose", (size_t)p->n_val);
    for (int o = 0; !st && o < n->nout; o++)
        dep[o] = o < nc ? here[o] || (loop.condition >= 0 && here[loop.condition])
                        : in[p->out[o]];
    agni_free(in);
    return st;
}

/* From the arguments of node k that are marked in dep[n_val] to its results. */
static agn_status propagate_through_node(const agni_prog *p, int k, bool *dep)
{
    const agni_pnode *n = &p->node[k];
    const agni_obj *body = n->at ? n->at->obj : NULL;
    const agni_prog *inner = NULL;
    bool any = false;
    for (int i = 0; i < n->nin; i++)
        any |= dep[p->arg[n->arg + i]];
    bool follow = any && body && body->type->programs &&
                  body->type->programs(body, 0, &inner) == 1 && inner && inner->n_in == n->nin &&
                  inner->n_out >= n->nout;
    if (!follow) {
        memset(dep + n->val, any, (size_t)n->nout);
        return AGN_OK;
    }
    bool *here = agni_alloc((size_t)n->nin + 1);
    if (!here)
        return agni_nomem("linear_transpose", (size_t)n->nin);
    for (int i = 0; i < n->nin; i++)
        here[i] = dep[p->arg[n->arg + i]];
    agn_status st = propagate_through_body(n, inner, here, dep + n->val);
    agni_free(here);
    return st;
}

/* From the inputs marked in dep[n_val] to all values that depend on them. */
static agn_status propagate_dependence(const agni_prog *p, bool *dep)
{
    agn_status st = AGN_OK;
    for (int k = 0; !st && k < p->n_node; k++)
        st = propagate_through_node(p, k, dep);
    return st;
}

/* Does the tangent read a dependent argument or the result? */
static agn_status is_tangent_constant(bool *yes, const agni_rule *r, const bool *dep)
{
    const agn_tensor **like = agni_alloc((size_t)(2 * r->nin + r->nout) * sizeof *like);
    agni_prog *p = NULL;
    uint64_t first;
    int n = 0, fixed;
    if (!like)
        return agni_nomem("linear_transpose", (size_t)r->nin * sizeof *like);
    for (int i = 0; i < r->nin; i++)
        if (dep[i])
            like[n++] = r->x[i];
    for (int o = 0; o < r->nout; o++)
        like[n++] = r->y[o];
    fixed = n;
    for (int i = 0; i < r->nin; i++)
        if (dep[i])
            like[n++] = r->x[i];
    single_node q = {r, dep};
    agn_status st = agni_trace_body(&p, &first, tangent_body, &q, n, like, r->nout, true);
    bool *moves = st ? NULL : agni_zalloc((size_t)p->n_val + 1);
    if (!st && !moves)
        st = agni_nomem("linear_transpose", (size_t)p->n_val);
    if (!st) {
        memset(moves, true, (size_t)fixed);
        st = propagate_dependence(p, moves);
    }
    *yes = true;
    for (int o = 0; !st && o < p->n_out; o++)
        *yes &= !moves[p->out[o]];
    agni_free(moves);
    agni_prog_release(p);
    agni_free(like);
    return st;
}

bool agni_is_nonzero(agn_scope *s, const agn_tensor *y)
{
    int64_t v = 0;
    if (!y->st || !agni_is_differentiable(y))
        return false;
    const agn_tensor *any = ag_any(s, ag_gt(s, ag_abs(s, y), ag_lit(s, 0)), NULL, 0,
                                   false);
    return any && !agn_scope_fail(s, agn_item_i64(&v, any)) && v;
}

/* With zeros for what depends on the named arguments, is there a result other than zero among those
   that do? NaN (0 times infinity) is none; without values there is no telling. */
static bool has_added_constant(agn_scope *s, const agni_rule *r, const bool *dep, const bool *out)
{
    const agn_tensor **x = agni_alloc((size_t)(r->nin + r->nout) * sizeof *x),
                     **y = x + r->nin;
    agn_scope *t = agn_scope_open(s);
    bool found = false;
    if (!x)
        agn_scope_fail(t, agni_nomem("linear_transpose", (size_t)r->nin * sizeof *x));
    for (int i = 0; x && i < r->nin; i++)
        x[i] = dep[i] ? agni_zeros_like(t, r->x[i]) : r->x[i];
    bool ran = x && !agn_scope_status(t) &&
               agni_apply_many_in(t, r->op, r->at, r->nin, x, r->nout, y);
    for (int o = 0; ran && o < r->nout && !found; o++)
        found = out[o] && agni_is_nonzero(t, y[o]);
    agni_free(x);
    agn_scope_fail(s, agn_scope_close(t));
    return found;
}

/* dep, out: which arguments and results depend on the named arguments */
static agn_status check_op_linear(const agni_rule *r, int k, const bool *dep)
{
    const agni_op *op = r->op;
    int n = 0;
    bool linear = op->cls != AGNI_DISCRETE && op->cls != AGNI_RANDOM;
    for (int i = 0; i < r->nin; i++) {
        n += dep[i];
        linear &= !dep[i] || agni_is_diff_argument(op, i);
    }
    agn_status st = AGN_OK;
    if (linear && op->cls == AGNI_MULTI)
        linear = n == 1;
    else if (linear && op->cls != AGNI_LINEAR)
        st = is_tangent_constant(&linear, r, dep);
    if (!st && !linear)
        st = agni_fail(
            AGN_EDOMAIN,
            "linear_transpose: %s, op %d of the function, is not linear in the "
            "argument %s that depends on the named ones",
            op->name, k, AGNI_SHAPE(r->x[0]));
    return st;
}

/* open, if it is not NULL: what is added has no value yet */
static agn_status check_no_offset(agn_scope *s, const agni_rule *r, int k, const bool *dep,
                                  const bool *out, bool *open)
{
    const agni_op *op = r->op;
    int others = 0;
    bool known = true;
    for (int i = 0; i < r->nin; i++) {
        others += !dep[i] && agni_is_diff_argument(op, i);
        known &= dep[i] || r->x[i]->st;
    }
    if (open && others && op->cls != AGNI_MULTI)
        *open |= !known;
    if (others && op->cls != AGNI_MULTI && has_added_constant(s, r, dep, out))
        return agni_fail(
            AGN_EDOMAIN,
            "linear_transpose: %s, op %d of the function, adds a constant: the "
            "result %s is not zero at zero",
            op->name, k, AGNI_SHAPE(r->y[0]));
    return agn_scope_status(s);
}

static agn_status check_linearity(agni_traversal *w, const bool *named, bool ops, bool *open)
{
    const agni_prog *p = w->p;
    bool *dep = agni_zalloc((size_t)(p->n_val + w->width + 1)), *here = dep + p->n_val;
    agn_status st = dep ? AGN_OK : agni_nomem("linear_transpose", (size_t)p->n_val);
    for (int i = 0; dep && i < p->n_in; i++)
        dep[i] = named[i];
    for (int k = 0; !st && k < p->n_node; k++) {
        const agni_pnode *n = &p->node[k];
        bool any = false;
        for (int i = 0; i < n->nin; i++)
            any |= here[i] = dep[p->arg[n->arg + i]];
        if (!any)
            continue;
        agni_rule r = agni_traversal_rule(w, k);
        st = propagate_through_node(p, k, dep);
        if (!st && ops)
            st = check_op_linear(&r, k, here);
        if (!st)
            st = check_no_offset(w->s, &r, k, here, dep + n->val, open);
    }
    for (int o = 0; !st && o < p->n_out; o++) {
        const agn_tensor *y = w->prim[p->out[o]];
        if (open)
            *open |= !dep[p->out[o]] && !y->st;
        if (!dep[p->out[o]] && agni_is_nonzero(w->s, y))
            st = agni_fail(
                AGN_EDOMAIN,
                "linear_transpose: result %d, %s, is a constant other than zero", o,
                AGNI_SHAPE(y));
    }
    agni_free(dep);
    return st;
}

agn_status agni_check_linear(agni_traversal *w, const bool *named, bool *open)
{
    return check_linearity(w, named, true, open);
}
agn_status agni_check_no_constant(agni_traversal *w, const bool *named)
{
    return check_linearity(w, named, false, NULL);
}
