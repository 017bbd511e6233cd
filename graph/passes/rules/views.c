/* graph/passes/rules/views.c - algebraic simplification of views: reshape, broadcast, permute,
   slice. */
#include "graph/passes/rules/rules.h"

static bool has_shape(const agni_ir *ir, int32_t v, const agni_attr *at)
{
    const agn_tensor *t = value_tensor(ir, v);
    int n = at ? at->ni : 0;
    return t->ndim == n && (!n || !memcmp(t->shape, at->i, (size_t)n * sizeof *at->i));
}
int32_t agni_simplify_reshape(agni_ir *ir, const agni_op *op, const agni_attr *at,
                              const int32_t *arg)
{
    if (has_shape(ir, arg[0], at))
        return arg[0];
    const agni_pnode *n = agni_defined_by(ir, arg[0], op);
    if (n)
        return emit_reshape(ir, agni_node_arg(ir, n, 0), at ? at->ni : 0, at ? at->i : NULL);
    n = agni_defined_by(ir, arg[0], &agni_op_broadcast_to);
    /* one number stays one number */
    if (n && value_tensor(ir, agni_node_arg(ir, n, 0))->size == 1)
        return emit_broadcast(ir, emit_reshape(ir, agni_node_arg(ir, n, 0), 0, NULL),
                              at ? at->ni : 0, at ? at->i : NULL);
    return NONE;
}
int32_t agni_simplify_broadcast_to(agni_ir *ir, const agni_op *op, const agni_attr *at,
                                   const int32_t *arg)
{
    if (has_shape(ir, arg[0], at))
        return arg[0];
    const agni_pnode *n = agni_defined_by(ir, arg[0], op);
    return n ? emit_broadcast(ir, agni_node_arg(ir, n, 0), at ? at->ni : 0, at ? at->i : NULL)
             : NONE;
}
int32_t agni_simplify_permute(agni_ir *ir, const agni_op *op, const agni_attr *at,
                              const int32_t *arg)
{
    int n = at ? at->ni : 0;
    bool same = true;
    for (int k = 0; k < n; k++)
        same = same && at->i[k] == k - n;
    if (same)
        return arg[0];
    const agn_tensor *t = value_tensor(ir, arg[0]);
    /* axes of size 1 only: a reshape */
    int64_t shape[AGNI_MAX_RANK], last = -AGNI_MAX_RANK - 1;
    bool order = true;
    memcpy(shape, t->shape, (size_t)t->ndim * sizeof *shape);
    for (int k = 0; k < n; k++) {
        shape[t->ndim - n + k] = t->shape[t->ndim + at->i[k]];
        if (shape[t->ndim - n + k] != 1) {
            order = order && at->i[k] > last;
            last = at->i[k];
        }
    }
    if (order)
        return emit_reshape(ir, arg[0], t->ndim, shape);
    const agni_pnode *p = agni_defined_by(ir, arg[0], op);
    if (p) { /* axes beyond those that are named stay */
        int64_t both[AGNI_MAX_RANK];
        int m = p->at->ni, all = n > m ? n : m;
        for (int k = 0; k < all; k++) {
            int64_t a = k < all - n ? k - all : at->i[k - (all - n)];
            both[k] = a < -m ? a : p->at->i[m + a];
        }
        int32_t x = agni_node_arg(ir, p, 0);
        return agni_emit_node(ir, op, &(agni_attr){.ni = all, .i = both}, 1, &x);
    }
    p = agni_defined_by(ir, arg[0], &agni_op_broadcast_to);
    if (p && value_tensor(ir, agni_node_arg(ir, p, 0))->ndim <= t->ndim) {
        int32_t x = agni_node_arg(ir, p, 0);
        int64_t full[AGNI_MAX_RANK];
        int d = t->ndim - value_tensor(ir, x)->ndim;
        for (int k = 0; k < t->ndim; k++)
            full[k] = k < d ? 1 : value_tensor(ir, x)->shape[k - d];
        x = emit_reshape(ir, x, t->ndim, full);
        x = x < 0 ? x : agni_emit_node(ir, op, at, 1, &x);
        return emit_broadcast(ir, x, t->ndim, shape);
    }
    return NONE;
}

/* slice(repeat x) = repeat slice(x), of unslice where what is padded does not repeat */
static int32_t slice_before_broadcast(agni_ir *ir, const agni_op *op, const agni_attr *at,
                                      const agn_tensor *t, int32_t v)
{
    const agn_tensor *x = value_tensor(ir, v);
    int64_t shape[AGNI_MAX_RANK], own[3 * AGNI_MAX_RANK];
    int n = at->ni / 3, m = 0;
    memcpy(shape, t->shape, (size_t)t->ndim * sizeof *shape);
    for (int k = 0; k < n; k++) {
        const int64_t *a = at->i + 3 * k, size = t->shape[t->ndim - n + k];
        const int d = x->ndim - n + k;
        const bool repeats = d < 0 || x->shape[d] != size;
        if (a[2] == 0 || (repeats && op == &agni_op_unslice &&
                          !(a[0] == 0 && a[1] == 1 && a[2] == size)))
            return NONE;
        shape[t->ndim - n + k] = a[2];
        if (d < 0)
            continue;
        own[m++] = repeats ? 0 : a[0];
        own[m++] = repeats ? 1 : a[1];
        own[m++] = repeats ? 1 : a[2];
    }
    v = m ? agni_emit_node(ir, op, &(agni_attr){.ni = m, .i = own}, 1, &v) : v;
    return v < 0 ? v : emit_broadcast(ir, v, t->ndim, shape);
}

int32_t agni_simplify_slice(agni_ir *ir, const agni_op *op, const agni_attr *at, const int32_t *arg)
{
    const agn_tensor *t = value_tensor(ir, arg[0]);
    int n = at ? at->ni / 3 : 0;
    bool whole = true;
    for (int k = 0; k < n; k++)
        whole = whole && at->i[3 * k] == 0 && at->i[3 * k + 1] == 1 &&
                at->i[3 * k + 2] == t->shape[t->ndim - n + k];
    if (whole)
        return arg[0];
    int32_t each = op == &agni_op_slice ? agni_slice_elementwise_of_concat(ir, at, arg[0]) : NONE;
    if (each >= 0)
        return each;
    /* slice(unslice(x)) of the same places: x */
    const agni_pnode *p = op == &agni_op_slice ? agni_defined_by(ir, arg[0], &agni_op_unslice)
                                               : NULL;
    if (p && p->at && p->at->ni == 3 * n) {
        int32_t x = agni_node_arg(ir, p, 0);
        bool same = true;
        for (int k = 0; k < n; k++)
            same = same && p->at->i[3 * k] == at->i[3 * k] &&
                   p->at->i[3 * k + 1] == at->i[3 * k + 1] &&
                   value_tensor(ir, x)->shape[t->ndim - n + k] == at->i[3 * k + 2];
        if (same)
            return x;
    }
    /* within one operand of a concat */
    p = op == &agni_op_slice ? agni_defined_by(ir, arg[0], &agni_op_concat) : NULL;
    if (p && -p->at->i[0] <= n) {
        int c = n + (int)p->at->i[0];
        int64_t lo = at->i[3 * c], hi = lo + at->i[3 * c + 1] * (at->i[3 * c + 2] - 1), from = 0;
        for (int i = 0; at->i[3 * c + 1] > 0 && at->i[3 * c + 2] > 0 && i < p->nin; i++) {
            int32_t x = agni_node_arg(ir, p, i);
            int64_t size = value_tensor(ir, x)->shape[value_tensor(ir, x)->ndim + p->at->i[0]];
            if (lo >= from && hi < from + size) {
                int64_t a[3 * AGNI_MAX_RANK];
                memcpy(a, at->i, (size_t)(3 * n) * sizeof *a);
                a[3 * c] -= from;
                return agni_emit_node(ir, op, &(agni_attr){.ni = 3 * n, .i = a}, 1, &x);
            }
            from += size;
        }
    }
    p = at ? agni_defined_by(ir, arg[0], &agni_op_broadcast_to) : NULL;
    if (p)
        return slice_before_broadcast(ir, op, at, t, agni_node_arg(ir, p, 0));
    return NONE;
}
