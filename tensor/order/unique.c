/* tensor/order/unique.c - distinct elements, and coordinates of non-zeros. The size of the result
   depends on values, so these functions need them: while tracing they are AGN_ESYMBOLIC. NaN are
   equal. */
#include "tensor/reduce/reduce.h"
#include "tensor/dispatch/host_run.h"
#include "tensor/index/nonzero.h"

#include <agnesi/ag.h>
#include <string.h>

/* [m - 1] bools: does a slice along the leading axis differ from the one before? */
static const agn_tensor *find_changes(agn_scope *s, const agn_tensor *x)
{
    int64_t m = x->shape[0];
    const agn_tensor *a = agni_slice_axis(s, x, 0, 1, m - 1),
                     *b = agni_slice_axis(s, x, 0, 0, m - 1);
    const agn_tensor *other = ag_ne(s, a, b);
    if (agni_kind(x->dtype) > AGNI_KIND_INT)
        other = ag_logical_and(s, other, ag_logical_not(s, ag_logical_and(s, ag_isnan(s, a),
                                                                          ag_isnan(s, b))));
    if (x->ndim == 1)
        return other;
    int32_t rest[AGNI_MAX_RANK];
    for (int k = 1; k < x->ndim; k++)
        rest[k - 1] = k;
    return ag_any(s, other, rest, x->ndim - 1, false);
}

/* these bools on the host, after a first one that is true */
static const bool *read_changes(const char *op, agn_scope *s, const agn_tensor *x)
{
    const agn_tensor *first = agni_full(s, 1, AGN_BOOL, 1, (int64_t[]){1}), *b = NULL;
    if (x)
        b = ag_contiguous(s, ag_concat(s, (const agn_tensor *[]){first, find_changes(s, x)}, 2, 0));
    b = b ? agni_read_in(s, op, b) : NULL;
    return b ? b->data : NULL;
}

/* x as slices along a leading axis: its elements if no axis is given */
static const agn_tensor *view_as_slices(agn_scope *s, const agn_tensor *x, const int32_t *axis)
{
    if (!axis)
        return ag_reshape(s, x, 1, (int64_t[]){x->size});
    return agni_move_axis(s, x, *axis, 0);
}

/* the stable lexicographic order of slices */
static const agn_tensor *order_slices(agn_scope *s, const agn_tensor *x)
{
    int64_t many = x->shape[0] ? x->size / x->shape[0] : 0;
    const agn_tensor *order = ag_arange(s, AGN_I64, 0, (double)x->shape[0], 1);
    const agn_tensor *flat = ag_reshape(s, x, 2, (int64_t[]){x->shape[0], many});
    for (int64_t k = many - 1; flat && order && k >= 0; k--) {
        agn_scope *t = agn_scope_open(s);
        const agn_tensor *key = ag_gather(t, ag_index_axis(t, flat, 1, k), order, 0);
        agn_tensor *next = NULL;
        agn_scope_return(t, &next, ag_gather(t, order, ag_argsort(t, key, 0, false), 0));
        agn_status st = agn_scope_close(t);
        order = agn_scope_adopt(s, st, &next);
    }
    return order;
}

/* numbers of the host on the device of x */
static const agn_tensor *place_indices(agn_scope *s, const agn_tensor *x, int ndim,
                                       const int64_t *shape, const int64_t *v)
{
    return agni_beside(s, ag_from_host(s, AGN_I64, ndim, shape, v), x);
}

/* sorted: else only consecutive equal slices are joined */
static agn_status find_distinct(const char *op, agn_tensor **values, agn_tensor **index,
                                agn_tensor **inverse, agn_tensor **counts, const agn_tensor *x,
                                const int32_t *axis, bool sorted)
{
    int32_t d = 0;
    AGNI_NEED(op, values);
    AGNI_NEED(op, x);
    agn_status st = axis ? agni_axis(op, *axis, x->ndim, &d) : AGN_OK;
    if (!st && agni_tensor_device(x) == AGN_CPU)
        st = agni_require_host(x, op);
    if (!st && sorted && agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        st = agni_fail(AGN_EDTYPE, "%s: %s numbers %s have no order, real ones have", op,
                       agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *z = view_as_slices(s, x, axis ? &d : NULL), *order = NULL;
    if (sorted && !axis && !index && !inverse && !x->node) { /* no permutation is needed */
        z = ag_sort(s, z, 0, false);
        sorted = false;
    }
    int64_t m = z ? z->shape[0] : 0, *from = NULL, count = 0;
    const agn_tensor *plain = z ? ag_stop_gradient(s, z) : NULL;
    if (plain && sorted)
        order = order_slices(s, plain);
    const bool *begins = NULL;
    if (m && plain)
        begins = read_changes(op, s, order ? ag_gather(s, plain, order, 0) : plain);
    if (!agn_scope_status(s) && !(from = agni_alloc((size_t)(4 * m + 4) * sizeof *from)))
        agn_scope_fail(s, agni_nomem(op, (size_t)(4 * m + 4) * sizeof *from));
    order = order ? ag_contiguous(s, agni_read_in(s, op, order)) : NULL;
    if (!agn_scope_status(s)) {
        int64_t *first = from, *many = from + m + 1, *back = many + m + 1;
        const int64_t *place = order ? order->data : NULL;
        for (int64_t k = 0; k < m; k++) {
            if (begins[k]) {
                first[count] = place ? place[k] : k;
                many[count++] = 0;
            }
            many[count - 1]++;
            back[place ? place[k] : k] = count - 1;
        }
        const agn_tensor *i = place_indices(s, x, 1, &count, first);
        const agn_tensor *v = ag_gather(s, z, i, 0);
        agn_scope_return(s, values, axis ? agni_move_axis(s, v, 0, d) : v);
        if (index)
            agn_scope_return(s, index, i);
        if (counts)
            agn_scope_return(s, counts, place_indices(s, x, 1, &count, many));
        if (inverse)
            agn_scope_return(s, inverse,
                             axis ? place_indices(s, x, 1, &m, back)
                                  : place_indices(s, x, x->ndim, x->shape, back));
    }
    agni_free(from);
    return agni_rename_error(op, agn_scope_close(s));
}

agn_status agn_unique(agn_tensor **values, agn_tensor **index, agn_tensor **inverse,
                      agn_tensor **counts, const agn_tensor *x)
{
    return find_distinct("unique", values, index, inverse, counts, x, NULL, true);
}
agn_status agn_unique_along(agn_tensor **values, agn_tensor **index, agn_tensor **inverse,
                            agn_tensor **counts, const agn_tensor *x, int32_t axis)
{
    return find_distinct("unique_along", values, index, inverse, counts, x, &axis, true);
}
agn_status agn_unique_consecutive(agn_tensor **values, agn_tensor **inverse, agn_tensor **counts,
                                  const agn_tensor *x)
{
    return find_distinct("unique_consecutive", values, NULL, inverse, counts, x, NULL, false);
}
agn_status agn_unique_consecutive_along(agn_tensor **values, agn_tensor **inverse,
                                        agn_tensor **counts, const agn_tensor *x, int32_t axis)
{
    return find_distinct("unique_consecutive_along", values, NULL, inverse, counts, x, &axis,
                         false);
}

/* ---- coordinates of non-zeros ---------------------------------------------------------------- */

/* coordinates [count, ndim], or [ndim, count] */
static agn_status nonzero_coordinates(const char *op, agn_tensor **out, const agn_tensor *x,
                                      bool by_axis)
{
    agn_status st = agni_tensor_device(x) == AGN_CPU ? agni_require_host(x, op) : AGN_OK;
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *p = ag_stop_gradient(s, x);
    p = x->dtype == AGN_BOOL ? p : ag_ne(s, p, ag_lit(s, 0));
    p = ag_contiguous(s, agni_read_in(s, op, p));
    agni_nonzero_pieces truths = {0};
    int64_t *v = NULL, *to[AGNI_MAX_RANK];
    if (p)
        agn_scope_fail(s, agni_nonzero_count(&truths, op, p->data, x->ndim, x->shape));
    int64_t count = truths.count;
    size_t bytes = (size_t)(count * x->ndim + 1) * sizeof *v;
    if (truths.before && !(v = agni_alloc(bytes)))
        agn_scope_fail(s, agni_nomem(op, bytes));
    for (int d = 0; v && d < x->ndim; d++)
        to[d] = v + d * (by_axis ? count : 1);
    if (v)
        agni_nonzero_write(&truths, to, by_axis ? 1 : x->ndim);
    agni_nonzero_free(&truths);
    int64_t shape[2] = {by_axis ? x->ndim : count, by_axis ? count : x->ndim};
    agn_scope_return(s, out, v ? place_indices(s, x, 2, shape, v) : NULL);
    agni_free(v);
    return agni_rename_error(op, agn_scope_close(s));
}

agn_status agn_argwhere(agn_tensor **out, const agn_tensor *x)
{
    AGNI_NEED("argwhere", out);
    AGNI_NEED("argwhere", x);
    return nonzero_coordinates("argwhere", out, x, false);
}

agn_status agn_nonzero(agn_tensor *out[], int32_t n_out, const agn_tensor *x)
{
    AGNI_NEED("nonzero", out);
    AGNI_NEED("nonzero", x);
    if (n_out != x->ndim || n_out == 0)
        return agni_fail(AGN_ESHAPE, "nonzero: %d results for x %s with %d axes", n_out,
                         AGNI_SHAPE(x), x->ndim);
    agn_tensor *all = NULL, *y[AGNI_MAX_RANK] = {NULL};
    agn_status st = nonzero_coordinates("nonzero", &all, x, true);
    for (int k = 0; !st && k < n_out; k++)
        st = agn_index_axis(&y[k], all, 0, k);
    for (int k = 0; k < n_out; k++)
        if (st)
            agn_release(y[k]);
        else
            out[k] = y[k];
    agn_release(all);
    return agni_rename_error("nonzero", st);
}
