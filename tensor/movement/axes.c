/* tensor/movement/axes.c - special cases of reshape, permute and broadcast_to: merging, splitting,
   moving and adding axes, and common shapes. */
#include "tensor/dispatch/op_helpers.h"
#include <agnesi/ag.h>

#include <string.h>

/* reshape; messages of failures begin with op */
static agn_status reshape_as(const char *op, agn_tensor **out, const agn_tensor *x, int ndim,
                           const int64_t *shape)
{
    return agni_rename_error(op, agn_reshape(out, x, ndim, shape));
}

agn_status agn_ravel(agn_tensor **out, const agn_tensor *x)
{
    AGNI_NEED_ALL("ravel", out && x, out ? "x" : "out");
    return reshape_as("ravel", out, x, 1, &x->size);
}

agn_status agn_flatten(agn_tensor **out, const agn_tensor *x, int32_t first, int32_t last)
{
    AGNI_NEED_ALL("flatten", out && x, out ? "x" : "out");
    int a = 0, b = 0, k = 0;
    agn_status st = AGN_OK;
    if (x->ndim) {
        st = agni_axis("flatten", first, x->ndim, &a);
        st = st ? st : agni_axis("flatten", last, x->ndim, &b);
    } else if (first < -1 || first > 0 || last < -1 || last > 0) {
        st = agni_fail(AGN_EINDEX, "flatten: axes %d and %d are out of range for a number", first,
                       last);
    }
    if (!st && a > b)
        st = agni_fail(AGN_EARG, "flatten: axis %d is behind axis %d", a, b);
    if (st)
        return st;
    int64_t shape[AGNI_MAX_RANK], many = 1;
    for (int d = 0; d < a; d++)
        shape[k++] = x->shape[d];
    for (int d = a; d <= b && d < x->ndim; d++)
        many *= x->shape[d];
    shape[k++] = many;
    for (int d = b + 1; d < x->ndim; d++)
        shape[k++] = x->shape[d];
    return reshape_as("flatten", out, x, k, shape);
}

agn_status agn_unflatten(agn_tensor **out, const agn_tensor *x, int32_t axis, int32_t n,
                         const int64_t *sizes)
{
    AGNI_NEED_ALL("unflatten", out && x && (sizes || n < 1), !out ? "out" : x ? "sizes" : "x");
    int d, hole = -1;
    agn_status st = agni_axis("unflatten", axis, x->ndim, &d);
    if (st)
        return st;
    if (n < 1 || x->ndim - 1 + n > AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "unflatten: an axis of %s into %d of them", AGNI_SHAPE(x), n);
    int64_t shape[AGNI_MAX_RANK], known = 1, size = x->shape[d];
    memcpy(shape, x->shape, (size_t)d * sizeof *shape);
    memcpy(shape + d, sizes, (size_t)n * sizeof *shape);
    memcpy(shape + d + n, x->shape + d + 1, (size_t)(x->ndim - d - 1) * sizeof *shape);
    bool good = true;
    for (int k = 0; k < n && good; k++) {
        if (sizes[k] == -1 && hole < 0)
            hole = d + k;
        else
            good = sizes[k] >= 0 && agni_checked_mul(known, sizes[k], &known);
    }
    if (good && hole >= 0) {
        good = known > 0 && size % known == 0;
        shape[hole] = good ? size / known : 0;
    }
    if (!good || (hole < 0 && known != size))
        return agni_fail(AGN_ESHAPE, "unflatten: axis %d of %s does not divide into %s", d,
                         AGNI_SHAPE(x), agni_shape_text((char[96]){0}, 96, n, sizes));
    return reshape_as("unflatten", out, x, x->ndim - 1 + n, shape);
}

agn_status agn_reshape_like(agn_tensor **out, const agn_tensor *x, const agn_tensor *like)
{
    AGNI_NEED_ALL("reshape_like", out && x && like, !out ? "out" : x ? "like" : "x");
    return reshape_as("reshape_like", out, x, like->ndim, like->shape);
}

agn_status agn_broadcast_like(agn_tensor **out, const agn_tensor *x, const agn_tensor *like)
{
    AGNI_NEED_ALL("broadcast_like", out && x && like, !out ? "out" : x ? "like" : "x");
    return agni_rename_error("broadcast_like", agn_broadcast_to(out, x, like->ndim, like->shape));
}

/* NumPy puts the axes of a vector differently for each rank */
static agn_status extend_rank(const char *op, agn_tensor **out, const agn_tensor *x, int rank)
{
    if (!out || !x)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, out ? "x" : "out");
    int64_t shape[AGNI_MAX_RANK];
    int n = x->ndim;
    if (n >= rank)
        return reshape_as(op, out, x, n, x->shape);
    for (int d = 0; d < rank; d++)
        shape[d] = 1;
    /* NumPy: a vector [n] becomes [1, n] and [1, n, 1] */
    memcpy(shape + (n == 1 && rank > 1), x->shape, (size_t)n * sizeof *shape);
    return reshape_as(op, out, x, rank, shape);
}
agn_status agn_atleast_1d(agn_tensor **out, const agn_tensor *x)
{
    return extend_rank("atleast_1d", out, x, 1);
}
agn_status agn_atleast_2d(agn_tensor **out, const agn_tensor *x)
{
    return extend_rank("atleast_2d", out, x, 2);
}
agn_status agn_atleast_3d(agn_tensor **out, const agn_tensor *x)
{
    return extend_rank("atleast_3d", out, x, 3);
}

/* ---- order of axes -------------------------------------------------------------------------- */

agn_status agn_moveaxis(agn_tensor **out, const agn_tensor *x, const int32_t *from,
                        const int32_t *to, int32_t n)
{
    AGNI_NEED_ALL("moveaxis", out && x && ((from && to) || n < 1),
         !out ? "out" : !x ? "x" : from ? "to" : "from");
    int32_t order[AGNI_MAX_RANK];
    bool left[AGNI_MAX_RANK], given[AGNI_MAX_RANK] = {false};
    if (n < 0 || n > x->ndim)
        return agni_fail(AGN_ESHAPE, "moveaxis: %d axes are moved, %s has %d", n, AGNI_SHAPE(x),
                         x->ndim);
    for (int d = 0; d < x->ndim; d++)
        left[d] = true;
    for (int k = 0; k < n; k++) {
        int a, b;
        agn_status st = agni_axis("moveaxis", from[k], x->ndim, &a);
        st = st ? st : agni_axis("moveaxis", to[k], x->ndim, &b);
        if (st)
            return st;
        if (!left[a] || given[b])
            return agni_fail(AGN_EARG, "moveaxis: axis %d is named twice in %d axes",
                             left[a] ? b : a, x->ndim);
        left[a] = false;
        given[b] = true;
        order[b] = a;
    }
    for (int d = 0, k = 0; d < x->ndim; d++) {
        if (given[d])
            continue;
        while (!left[k])
            k++;
        order[d] = k++;
    }
    return agni_rename_error("moveaxis", agn_permute(out, x, order, x->ndim));
}

agn_status agn_swapaxes(agn_tensor **out, const agn_tensor *x, int32_t axis1, int32_t axis2)
{
    AGNI_NEED_ALL("swapaxes", out && x, out ? "x" : "out");
    int32_t order[AGNI_MAX_RANK];
    int a, b;
    agn_status st = agni_axis("swapaxes", axis1, x->ndim, &a);
    st = st ? st : agni_axis("swapaxes", axis2, x->ndim, &b);
    if (st)
        return st;
    for (int d = 0; d < x->ndim; d++)
        order[d] = d == a ? b : d == b ? a : d;
    return agni_rename_error("swapaxes", agn_permute(out, x, order, x->ndim));
}

/* ---- shapes that broadcast ------------------------------------------------------------------ */

static agn_status broadcast_shapes(const char *op, agni_meta *m, const agn_tensor *const *xs,
                                   int32_t n)
{
    m->ndim = 0;
    for (int i = 0; i < n; i++) {
        if (!xs[i])
            return agni_fail(AGN_ENULL, "%s: tensor %d of %d is NULL", op, i, n);
        if (!agni_broadcast_into(m, xs[i]->ndim, xs[i]->shape))
            return agni_fail(AGN_ESHAPE, "%s: shapes do not broadcast: %s and %s", op,
                             AGNI_SHAPE(xs[0]), AGNI_SHAPE(xs[i]));
    }
    return AGN_OK;
}

agn_status agn_broadcast_shape(int64_t *shape, int32_t *ndim, const agn_tensor *const *xs,
                               int32_t n)
{
    AGNI_NEED_ALL("broadcast_shape", shape && ndim && (xs || n < 1),
                  !shape ? "shape"
                  : ndim ? "xs"
                         : "ndim");
    agni_meta m;
    agn_status st = broadcast_shapes("broadcast_shape", &m, xs, n);
    if (st)
        return st;
    memcpy(shape, m.shape, (size_t)m.ndim * sizeof *shape);
    *ndim = m.ndim;
    return AGN_OK;
}

agn_status agn_broadcast_arrays(agn_tensor *out[], const agn_tensor *const *xs, int32_t n)
{
    AGNI_NEED_ALL("broadcast_arrays", (out && xs) || n < 1, out ? "xs" : "out");
    agni_meta m;
    agn_status st = broadcast_shapes("broadcast_arrays", &m, xs, n);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    for (int i = 0; i < n; i++)
        agn_scope_return(s, &out[i], ag_broadcast_to(s, xs[i], m.ndim, m.shape));
    return agni_rename_error("broadcast_arrays", agn_scope_close(s));
}

agn_status agn_shape_of(agn_tensor **out, const agn_tensor *x)
{
    AGNI_NEED_ALL("shape_of", out && x, out ? "x" : "out");
    return agni_rename_error("shape_of",
                             agn_from_host(out, AGN_I64, 1, &(int64_t){x->ndim}, x->shape));
}
