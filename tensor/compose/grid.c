/* tensor/compose/grid.c - Cartesian products of vectors: meshgrid, combinations, Vandermonde. */
#include "tensor/dispatch/op_helpers.h"
#include <agnesi/ag.h>

#include <string.h>

/* numbers and vectors; the shape of all of them crossed */
static agn_status infer_product_shape(const char *op, const agn_tensor *const *xs, int32_t n,
                                      int64_t *shape)
{
    if (n < 1 || n > AGNI_MAX_RANK)
        return agni_fail(AGN_EARG, "%s: %d vectors, not 1 to %d", op, n, AGN_MAX_RANK);
    if (!xs)
        return agni_fail(AGN_ENULL, "%s: xs is NULL", op);
    for (int i = 0; i < n; i++) {
        if (!xs[i])
            return agni_fail(AGN_ENULL, "%s: vector %d of %d is NULL", op, i, n);
        if (xs[i]->ndim > 1)
            return agni_fail(AGN_ESHAPE, "%s: vector %d is %s, one axis at most is needed", op, i,
                             AGNI_SHAPE(xs[i]));
        shape[i] = xs[i]->size;
    }
    return AGN_OK;
}

/* x as axis i of n */
static const agn_tensor *view_as_axis(agn_scope *s, const agn_tensor *x, int i, int n)
{
    int64_t shape[AGNI_MAX_RANK];
    for (int d = 0; d < n; d++)
        shape[d] = d == i ? x->size : 1;
    return ag_reshape(s, x, n, shape);
}

agn_status agn_meshgrid(agn_tensor **out, int32_t n_out, const agn_tensor *const *xs, bool xy)
{
    int64_t shape[AGNI_MAX_RANK];
    AGNI_NEED_ALL("meshgrid", out || n_out < 1, "out");
    agn_status st = infer_product_shape("meshgrid", xs, n_out, shape);
    if (st)
        return st;
    xy = xy && n_out > 1;
    agn_scope *s = agn_scope_open(NULL);
    for (int i = 0; i < n_out; i++) {
        const agn_tensor *y = ag_broadcast_to(s, view_as_axis(s, xs[i], i, n_out), n_out, shape);
        agn_scope_return(s, &out[i], xy ? ag_swapaxes(s, y, 0, 1) : y);
    }
    return agni_rename_error("meshgrid", agn_scope_close(s));
}

agn_status agn_ix_grid(agn_tensor **out, int32_t n_out, const agn_tensor *const *xs)
{
    int64_t shape[AGNI_MAX_RANK];
    AGNI_NEED_ALL("ix_grid", out || n_out < 1, "out");
    agn_status st = infer_product_shape("ix_grid", xs, n_out, shape);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    for (int i = 0; i < n_out && !agn_scope_status(s); i++) {
        const agn_tensor *x = xs[i];
        if (x->dtype == AGN_BOOL) { /* the places of its true elements */
            const agn_tensor *all = ag_arange(s, AGN_I64, 0, (double)x->size, 1);
            x = ag_extract(s, all, x);
        }
        agn_scope_return(s, &out[i], x ? view_as_axis(s, x, i, n_out) : NULL);
    }
    return agni_rename_error("ix_grid", agn_scope_close(s));
}

agn_status agn_cartesian_prod(agn_tensor **out, const agn_tensor *const *xs, int32_t n)
{
    int64_t shape[AGNI_MAX_RANK];
    AGNI_NEED_ALL("cartesian_prod", out, "out");
    agn_status st = infer_product_shape("cartesian_prod", xs, n, shape);
    if (st)
        return st;
    if (n == 1)
        return agni_rename_error("cartesian_prod", agn_ravel(out, xs[0]));
    const agn_tensor *t[AGNI_MAX_RANK];
    agn_scope *s = agn_scope_open(NULL);
    for (int i = 0; i < n; i++)
        t[i] = ag_ravel(s, ag_broadcast_to(s, view_as_axis(s, xs[i], i, n), n, shape));
    return agni_return("cartesian_prod", s, out, ag_stack(s, t, n, 1));
}

/* the number of r-subsets of n things, with repeats or without; false where beyond 2^63 */
static bool count_subsets(int64_t n, int64_t r, bool repeats, int64_t *count)
{
    int64_t top = repeats && n ? n + r - 1 : n;
    *count = r <= top;
    for (int64_t i = 1; i <= r && *count; i++) {
        int64_t p;
        if (!agni_checked_mul(*count, top - r + i, &p))
            return false;
        *count = p / i; /* a product of i numbers in a row */
    }
    return true;
}

agn_status agn_combinations(agn_tensor **out, const agn_tensor *x, int32_t r, bool repeats)
{
    AGNI_NEED_ALL("combinations", out && x, out ? "x" : "out");
    if (x->ndim != 1)
        return agni_fail(AGN_ESHAPE, "combinations: shape is %s, one axis is needed, not %d",
                         AGNI_SHAPE(x), x->ndim);
    if (r < 1)
        return agni_fail(AGN_EARG, "combinations: %d of %lld elements", r, (long long)x->size);
    int64_t shape[2] = {0, r}, size = x->size;
    agn_tensor *i = NULL;
    if (!count_subsets(size, r, repeats, shape))
        return agni_fail(AGN_ENOMEM, "combinations: %d of %lld elements are too many", r,
                         (long long)size);
    agn_scope *s = agn_scope_open(NULL);
    agn_status st = agni_tensor_make(&i, "combinations", AGN_I64, 2, shape, AGN_CPU);
    for (int64_t k = 0; !st && k < shape[0]; k++) {
        int64_t *row = (int64_t *)i->data + k * r, last = r - 1;
        if (k == 0) {
            for (int64_t j = 0; j < r; j++)
                row[j] = repeats ? 0 : j;
            continue;
        }
        memcpy(row, row - r, (size_t)r * sizeof *row);
        while (row[last] == (repeats ? size - 1 : size - r + last))
            last--;
        row[last]++;
        for (int64_t j = last + 1; j < r; j++)
            row[j] = row[j - 1] + !repeats;
    }
    agn_scope_return(s, out, ag_gather(s, x, agni_adopt_constant(s, st, i), 0));
    return agni_rename_error("combinations", agn_scope_close(s));
}

/* powers by multiplication, so that derivatives are right at 0 */
agn_status agn_vander(agn_tensor **out, const agn_tensor *x, int32_t n, bool increasing)
{
    AGNI_NEED_ALL("vander", out && x, out ? "x" : "out");
    if (x->ndim != 1)
        return agni_fail(AGN_ESHAPE, "vander: shape is %s, one axis is needed, not %d",
                         AGNI_SHAPE(x), x->ndim);
    if (n < 0)
        return agni_fail(AGN_EARG, "vander: %d columns for %s", n, AGNI_SHAPE(x));
    if (n == 0)
        return agni_rename_error("vander", agn_zeros(out, x->dtype, 2, (int64_t[]){x->size, 0}));
    const agn_tensor **t = agni_alloc((size_t)n * sizeof *t);
    if (!t)
        return agni_nomem("vander", (size_t)n * sizeof *t);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *p = agni_full(s, 1, x->dtype, 1, x->shape);
    for (int k = 0; k < n && !agn_scope_status(s); k++) {
        p = k == 0 ? p : k == 1 ? x : ag_mul(s, p, x);
        t[increasing ? k : n - 1 - k] = p;
    }
    agn_scope_return(s, out, agn_scope_status(s) ? NULL : ag_stack(s, t, n, 1));
    agni_free(t);
    return agni_rename_error("vander", agn_scope_close(s));
}
