/* tensor/order/topk.c - selection by rank: topk, kthvalue, partition, mode, lexsort;
   compositions over windows of argsort. */
#include "tensor/reduce/reduce.h"

#include <agnesi/ag.h>

/* a window of the order along the axis d: indices and values */
static agn_status select_order_window(const char *op, agn_tensor **values, agn_tensor **indices,
                                      const agn_tensor *x, int d, bool descending, int64_t first,
                                      int64_t count, bool keep)
{
    int64_t at[4] = {d - x->ndim, descending, first, count};
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *i = agni_apply_in(s, &agni_op_argsort_window, &(agni_attr){.ni = 4, .i = at},
                                        1, &x);
    const agn_tensor *v = ag_take_along_axis(s, x, i, d);
    if (!keep) {
        i = ag_squeeze(s, i, d);
        v = ag_squeeze(s, v, d);
    }
    if (values)
        agn_scope_return(s, values, v);
    if (indices)
        agn_scope_return(s, indices, i);
    return agni_rename_error(op, agn_scope_close(s));
}

agn_status agn_topk(agn_tensor **values, agn_tensor **indices, const agn_tensor *x, int64_t k,
                    int32_t axis, bool largest)
{
    int d;
    AGNI_NEED("topk", values);
    AGNI_NEED("topk", indices);
    agn_status st = agni_normalise_axis("topk", x, axis, &d);
    if (st)
        return st;
    if (k < 0 || k > x->shape[d])
        return agni_fail(AGN_EARG, "topk: %lld of the %lld elements along axis %d of %s",
                         (long long)k, (long long)x->shape[d], d, AGNI_SHAPE(x));
    return select_order_window("topk", values, indices, x, d, largest, 0, k, true);
}

agn_status agn_kthvalue(agn_tensor **values, agn_tensor **indices, const agn_tensor *x,
                        int64_t k, int32_t axis, bool keep)
{
    int d;
    AGNI_NEED("kthvalue", values);
    AGNI_NEED("kthvalue", indices);
    agn_status st = agni_normalise_axis("kthvalue", x, axis, &d);
    if (st)
        return st;
    if (k < 1 || k > x->shape[d])
        return agni_fail(AGN_EARG, "kthvalue: element %lld of %lld along axis %d of %s",
                         (long long)k, (long long)x->shape[d], d, AGNI_SHAPE(x));
    return select_order_window("kthvalue", values, indices, x, d, false, k - 1, 1, keep);
}

/* a sorted lane is a partition at every index */
static agn_status check_position(const char *op, const agn_tensor *x, int64_t kth, int32_t axis)
{
    int d;
    agn_status st = agni_normalise_axis(op, x, axis, &d);
    if (st)
        return st;
    int64_t n = x->shape[d];
    return kth >= -n && kth < n ? AGN_OK
                                : agni_fail(AGN_EINDEX, "%s: place %lld is not in an axis of %lld",
                                            op, (long long)kth, (long long)n);
}
agn_status agn_partition(agn_tensor **out, const agn_tensor *x, int64_t kth, int32_t axis)
{
    AGNI_NEED("partition", out);
    agn_status st = check_position("partition", x, kth, axis);
    return st ? st : agni_rename_error("partition", agn_sort(out, x, axis, false));
}
agn_status agn_argpartition(agn_tensor **out, const agn_tensor *x, int64_t kth, int32_t axis)
{
    AGNI_NEED("argpartition", out);
    agn_status st = check_position("argpartition", x, kth, axis);
    return st ? st : agni_rename_error("argpartition", agn_argsort(out, x, axis, false));
}

/* the first longest run of equal elements of the sorted lane */
agn_status agn_mode(agn_tensor **values, agn_tensor **indices, const agn_tensor *x, int32_t axis,
                    bool keep)
{
    int d;
    AGNI_NEED("mode", values);
    AGNI_NEED("mode", indices);
    agn_status st = agni_normalise_axis("mode", x, axis, &d);
    if (st)
        return st;
    int64_t n = x->shape[d];
    if (n == 0)
        return agni_fail(AGN_ESHAPE, "mode: axis %d of %s is empty: nothing is frequent", d,
                         AGNI_SHAPE(x));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *z = agni_move_axis(s, x, d, -1), *order = ag_argsort(s, z, -1, false);
    const agn_tensor *v = agni_gather_last(s, z, order);
    agn_tensor *counted = NULL;
    st = agn_arange(&counted, AGN_I64, 0, (double)n, 1);
    const agn_tensor *place = agni_adopt_constant(s, st, counted);
    if (v) {
        int last = v->ndim - 1;
        const agn_tensor *alike = ag_eq(s, agni_slice_axis(s, v, last, 1, n - 1),
                                        agni_slice_axis(s, v, last, 0, n - 1));
        const agn_tensor *first = agni_slice_axis(s, ag_ne(s, order, order), last, 0, 1);
        alike = ag_concat(s, (const agn_tensor *[]){first, alike}, 2, -1);
        agn_tensor *start = NULL;
        const agn_tensor *at = ag_where(s, alike, ag_lit(s, 0), place);
        if (at && !agn_scope_status(s)) {
            st = agn_cummax(&start, NULL, at, -1);
            at = agn_scope_adopt(s, st, &start);
        }
        const agn_tensor *best = ag_argmax(s, ag_sub(s, place, at), -1, true);
        const agn_tensor *i = agni_gather_last(s, order, agni_gather_last(s, at, best));
        const agn_tensor *y = agni_move_axis(s, agni_gather_last(s, z, i), -1, d);
        i = agni_move_axis(s, i, -1, d);
        agn_scope_return(s, values, keep ? y : ag_squeeze(s, y, d));
        agn_scope_return(s, indices, keep ? i : ag_squeeze(s, i, d));
    }
    return agni_rename_error("mode", agn_scope_close(s));
}

/* stable sorts from the least key to the most significant one */
agn_status agn_lexsort(agn_tensor **out, const agn_tensor *const *keys, int32_t n, int32_t axis)
{
    int d;
    AGNI_NEED("lexsort", out);
    AGNI_NEED("lexsort", keys);
    if (n < 1)
        return agni_fail(AGN_EARG, "lexsort: %d keys, at least %d is needed", n, 1);
    for (int k = 0; k < n; k++) {
        if (!keys[k])
            return agni_fail(AGN_ENULL, "lexsort: key %d of %d is NULL", k, n);
        if (!agni_same_shape(keys[0], keys[k]))
            return agni_fail(AGN_ESHAPE, "lexsort: key 0 is %s, key %d is %s", AGNI_SHAPE(keys[0]),
                             k, AGNI_SHAPE(keys[k]));
    }
    agn_status st = agni_normalise_axis("lexsort", keys[0], axis, &d);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *order = ag_argsort(s, keys[0], d, false);
    for (int k = 1; k < n; k++) {
        const agn_tensor *next = ag_argsort(s, ag_take_along_axis(s, keys[k], order, d), d, false);
        order = ag_take_along_axis(s, order, next, d);
    }
    return agni_return("lexsort", s, out, order);
}
