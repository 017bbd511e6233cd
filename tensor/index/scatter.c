/* tensor/index/scatter.c - writing slices by index: overwriting, reducing, filling. Compositions of
   gather, the scatters and the grammar of indices. */
#include "tensor/index/gather.h"
#include "tensor/index/index.h"
#include <agnesi/ag.h>

#include <string.h>

#define NEED_XIV(op) \
    AGNI_NEED_ALL(op, out &&x &&idx &&v, !out ? "out" : !x ? "x" : !idx ? "idx" : "v")

/* arguments of a scatter: axis and batch in at */
typedef struct scatter_call {
    const agn_tensor *x, *idx, *v;
    int64_t at[3];
} scatter_call;

static const agn_tensor *apply_scatter(agn_scope *s, const agni_op *op, const scatter_call *p,
                                 const agn_tensor *x, const agn_tensor *v)
{
    int n = op == &agni_op_scatter_max || op == &agni_op_scatter_min ? 3 : 2;
    return x && v ? agni_apply_in(s, op, &(agni_attr){.ni = n, .i = p->at}, 3,
                                  (const agn_tensor *[]){x, p->idx, v})
                  : NULL;
}

/* ---- reductions --------------------------------------------------------------------------- */

static const agn_tensor *slice_axis(agn_scope *s, const agn_tensor *x, int axis, int64_t from,
                                    int64_t to)
{
    int64_t start[AGNI_MAX_RANK], stop[AGNI_MAX_RANK];
    for (int d = 0; d < axis; d++) {
        start[d] = AGN_BEGIN;
        stop[d] = AGN_END;
    }
    start[axis] = from;
    stop[axis] = to;
    return ag_slice(s, x, axis + 1, start, stop, NULL);
}

/* Segmented scan by doubling: values are sorted by index, then multiplied over runs of 1, 2, 4, ...
   equal indices. Only products, so that derivatives of any order are right where values are zero.
   The last value of each run, which is written last, holds the product of all. */
static const agn_tensor *scatter_product(agn_scope *s, const scatter_call *p, bool self)
{
    int b = (int)p->at[1], inner = p->x->ndim - b - 1,
        dtype = agn_promote(p->x->dtype, p->v->dtype);
    int64_t n = p->x->shape[b], m = p->idx->shape[b];
    const agn_tensor *i = ag_cast(s, p->idx, AGN_I64);
    const agn_tensor *wrapped = ag_where(s, ag_lt(s, i, ag_lit(s, 0)), ag_add_c(s, i, (double)n),
                                         i);
    /* an index below -n stays out of range */
    wrapped = ag_where(s, ag_lt(s, wrapped, ag_lit(s, 0)), ag_lit(s, -0x1p62), wrapped);
    const agn_tensor *order = agni_apply_in(
        s, &agni_op_argsort, &(agni_attr){.ni = 2, .i = (int64_t[]){-1, 0}}, 1, &wrapped);
    if (agn_scope_status(s))
        return NULL;
    scatter_call q = *p;
    q.idx = agni_apply_in(s, &agni_op_gather, &(agni_attr){.ni = 2, .i = (int64_t[]){-1, b}}, 2,
                          (const agn_tensor *[]){wrapped, order});
    const agn_tensor *v = agni_apply_in(s, &agni_op_gather,
                                        &(agni_attr){.ni = 2, .i = (int64_t[]){-1 - inner, b}}, 2,
                                        (const agn_tensor *[]){ag_cast(s, p->v, dtype), order});
    for (int64_t k = 1; k < m && !agn_scope_status(s); k *= 2) {
        const agn_tensor *same = ag_eq(s, slice_axis(s, q.idx, b, k, m),
                                       slice_axis(s, q.idx, b, 0, m - k));
        for (int d = 0; d < inner; d++)
            same = ag_expand_dims(s, same, -1);
        const agn_tensor *here = slice_axis(s, v, b, k, m), *before = slice_axis(s, v, b, 0, m - k);
        const agn_tensor *parts[2] = {slice_axis(s, v, b, 0, k),
                                      ag_where(s, same, ag_mul(s, before, here), here)};
        v = ag_concat(s, parts, 2, b);
    }
    const agn_tensor *x = ag_cast(s, p->x, dtype);
    if (!self)
        return apply_scatter(s, &agni_op_scatter_put, &q, x, v);
    const agn_tensor *ones = x ? agni_full(s, 1, dtype, x->ndim, x->shape) : NULL;
    return ag_mul(s, x, apply_scatter(s, &agni_op_scatter_put, &q, ones, v));
}

/* x with a number at every destination */
static const agn_tensor *clear_positions(agn_scope *s, const scatter_call *p, const agn_tensor *x,
                                         double value)
{
    return apply_scatter(s, &agni_op_scatter_put, p, x,
                   agni_full(s, value, x->dtype, p->v->ndim, p->v->shape));
}

static const agn_tensor *apply_reduction(agn_scope *s, scatter_call *p, agn_reduction how,
                                         bool self)
{
    const agn_tensor *x = p->x, *v = p->v, *sum, *many;
    p->at[2] = self;
    switch (how) {
    case AGN_REDUCE_PROD:
        return scatter_product(s, p, self);
    case AGN_REDUCE_AMAX:
        return apply_scatter(s, &agni_op_scatter_max, p, x, v);
    case AGN_REDUCE_AMIN:
        return apply_scatter(s, &agni_op_scatter_min, p, x, v);
    default:
        sum = apply_scatter(s, &agni_op_scatter_add, p, self ? x : clear_positions(s, p, x, 0), v);
        if (how == AGN_REDUCE_SUM)
            return sum;
        many = agni_full(s, 1, AGN_F64, x->ndim, x->shape);
        many = self || !many ? many : clear_positions(s, p, many, 0);
        many = apply_scatter(s, &agni_op_scatter_add, p, many,
                       agni_full(s, 1, AGN_F64, v->ndim, v->shape));
        if (sum && agni_kind(sum->dtype) >= AGNI_KIND_FLOAT)
            many = ag_cast(s, many, agni_dtypes[sum->dtype].real);
        return ag_div(s, sum, many);
    }
}

static agn_status check_reduction(const char *op, agn_reduction how, const agn_tensor *x)
{
    if (how < AGN_REDUCE_SUM || how > AGN_REDUCE_AMIN)
        return agni_fail(AGN_EARG, "%s: %d is no reduction, 0 to %d are", op, (int)how,
                         AGN_REDUCE_AMIN);
    if (how >= AGN_REDUCE_AMAX && agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: %s numbers %s have no order, real ones have", op,
                         agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    return AGN_OK;
}

/* ---- along an axis, lane by lane --------------------------------------------------------- */

/* the axis last; idx and v broadcast along the others */
static bool broadcast_lanes(agn_scope *s, const char *op, scatter_call *p, const agn_tensor *x,
                         const agn_tensor *idx, const agn_tensor *v, int d)
{
    int64_t shape[AGNI_MAX_RANK];
    if (idx->ndim != x->ndim) {
        agn_scope_fail(s, agni_fail(AGN_ESHAPE, "%s: ranks differ: x is %s, idx %s", op,
                                    AGNI_SHAPE(x), AGNI_SHAPE(idx)));
        return false;
    }
    memcpy(shape, x->shape, (size_t)x->ndim * sizeof *shape);
    shape[d] = idx->shape[d];
    p->x = agni_move_axis(s, x, d, -1);
    p->idx = agni_move_axis(s, ag_broadcast_to(s, idx, x->ndim, shape), d, -1);
    p->v = agni_move_axis(s, ag_broadcast_to(s, v, x->ndim, shape), d, -1);
    p->at[0] = -1;
    p->at[1] = x->ndim - 1;
    return !agn_scope_status(s);
}

agn_status agn_put_along_axis(agn_tensor **out, const agn_tensor *x, const agn_tensor *idx,
                              const agn_tensor *v, int32_t axis)
{
    NEED_XIV("put_along_axis");
    int d;
    scatter_call p;
    agn_status st = agni_axis("put_along_axis", axis, x->ndim, &d);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    if (broadcast_lanes(s, "put_along_axis", &p, x, idx, ag_cast(s, v, x->dtype), d))
        agn_scope_return(
            s, out, agni_move_axis(s, apply_scatter(s, &agni_op_scatter_put, &p, p.x, p.v), -1, d));
    return agni_rename_error("put_along_axis", agn_scope_close(s));
}

agn_status agn_scatter_reduce(agn_tensor **out, const agn_tensor *x, const agn_tensor *idx,
                              const agn_tensor *v, int32_t axis, agn_reduction how, bool self)
{
    NEED_XIV("scatter_reduce");
    int d;
    scatter_call p;
    agn_status st = check_reduction("scatter_reduce", how, x);
    if (!st)
        st = agni_axis("scatter_reduce", axis, x->ndim, &d);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    if (broadcast_lanes(s, "scatter_reduce", &p, x, idx, v, d))
        agn_scope_return(s, out, agni_move_axis(s, apply_reduction(s, &p, how, self), -1, d));
    return agni_rename_error("scatter_reduce", agn_scope_close(s));
}

/* ---- whole slices --------------------------------------------------------------------------- */

agn_status agn_scatter_put(agn_tensor **out, const agn_tensor *x, const agn_tensor *idx,
                           const agn_tensor *v, int32_t axis)
{
    NEED_XIV("scatter_put");
    int d;
    agn_status st = agni_axis("scatter_put", axis, x->ndim, &d);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    scatter_call p = {x, idx, v, {d - x->ndim, 0}};
    agn_scope_return(s, out,
                     apply_scatter(s, &agni_op_scatter_put, &p, x, ag_cast(s, v, x->dtype)));
    return agni_rename_error("scatter_put", agn_scope_close(s));
}

agn_status agn_index_reduce(agn_tensor **out, const agn_tensor *x, const agn_tensor *idx,
                            const agn_tensor *v, int32_t axis, agn_reduction how, bool self)
{
    NEED_XIV("index_reduce");
    int d;
    agn_status st = check_reduction("index_reduce", how, x);
    if (!st)
        st = agni_axis("index_reduce", axis, x->ndim, &d);
    if (!st && (idx->ndim != 1 || v->ndim != x->ndim))
        st = agni_fail(AGN_ESHAPE,
                       "index_reduce: x is %s, v %s, the index %s, not a row of numbers",
                       AGNI_SHAPE(x), AGNI_SHAPE(v), AGNI_SHAPE(idx));
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    scatter_call p = {agni_move_axis(s, x, d, 0), idx, agni_move_axis(s, v, d, 0), {-x->ndim, 0}};
    if (p.x && p.v) {
        /* products move values and index first: their shapes and range are checked before */
        const agn_tensor *fits = how == AGN_REDUCE_PROD
                                     ? apply_scatter(s, &agni_op_scatter_put, &p, p.x, p.v)
                                     : p.x;
        agn_scope_return(s, out,
                         fits ? agni_move_axis(s, apply_reduction(s, &p, how, self), 0, d) : NULL);
    }
    return agni_rename_error("index_reduce", agn_scope_close(s));
}

agn_status agn_index_fill(agn_tensor **out, const agn_tensor *x, const agn_tensor *idx,
                          int32_t axis, const agn_tensor *v)
{
    NEED_XIV("index_fill");
    agn_ix ix[AGNI_MAX_RANK];
    int d;
    agn_status st = agni_axis("index_fill", axis, x->ndim, &d);
    if (st)
        return st;
    for (int k = 0; k < d; k++)
        ix[k] = agn_ix_all();
    ix[d] = agn_ix_array(idx);
    agn_scope *s = agn_scope_open(NULL);
    return agni_return("index_fill", s, out,
                       agni_index_write(s, "index_fill", x, ix, d + 1, v, AGNI_PUT));
}

agn_status agn_select_scatter(agn_tensor **out, const agn_tensor *x, const agn_tensor *v,
                              int32_t axis, int64_t index)
{
    AGNI_NEED_ALL("select_scatter", out && x && v, !out ? "out" : x ? "v" : "x");
    agn_ix ix[AGNI_MAX_RANK];
    int d;
    agn_status st = agni_axis("select_scatter", axis, x->ndim, &d);
    if (st)
        return st;
    for (int k = 0; k < d; k++)
        ix[k] = agn_ix_all();
    ix[d] = agn_ix_int(index);
    agn_scope *s = agn_scope_open(NULL);
    return agni_return("select_scatter", s, out,
                       agni_index_write(s, "select_scatter", x, ix, d + 1, v, AGNI_PUT));
}

agn_status agn_slice_scatter(agn_tensor **out, const agn_tensor *x, const agn_tensor *v, int32_t n,
                             const int64_t *start, const int64_t *stop, const int64_t *step)
{
    AGNI_NEED_ALL("slice_scatter", out && x && v, !out ? "out" : x ? "v" : "x");
    AGNI_NEED_ALL("slice_scatter", (start && stop) || n < 1, start ? "stop" : "start");
    agn_ix ix[AGNI_MAX_RANK];
    if (n < 0 || n > x->ndim)
        return agni_fail(AGN_ESHAPE, "slice_scatter: %d axes are sliced, %s has %d", n,
                         AGNI_SHAPE(x), x->ndim);
    for (int k = 0; k < n; k++)
        ix[k] = agn_ix_slice(start[k], stop[k], step ? step[k] : 1);
    agn_scope *s = agn_scope_open(NULL);
    return agni_return("slice_scatter", s, out,
                       agni_index_write(s, "slice_scatter", x, ix, n, v, AGNI_PUT));
}

/* ---- tuples of coordinates along the last axis ----------------------------------------------- */

/* the columns of idx as arrays of an index; returns their number */
static int split_columns(agn_scope *s, const char *op, int ndim, const agn_tensor *idx, agn_ix *ix)
{
    int k = idx->ndim ? (int)idx->shape[idx->ndim - 1] : 0;
    if (idx->ndim < 1 || idx->shape[idx->ndim - 1] < 1 || idx->shape[idx->ndim - 1] > ndim) {
        agn_scope_fail(s, agni_fail(AGN_ESHAPE,
                                    "%s: the last axis of the index %s names no coordinates of %d "
                                    "axes",
                                    op, AGNI_SHAPE(idx), ndim));
        return -1;
    }
    for (int d = 0; d < k; d++)
        ix[d] = agn_ix_array(ag_index_axis(s, idx, -1, d));
    return agn_scope_status(s) ? -1 : k;
}

agn_status agn_gather_nd(agn_tensor **out, const agn_tensor *x, const agn_tensor *idx)
{
    AGNI_NEED_ALL("gather_nd", out && x && idx, !out ? "out" : x ? "idx" : "x");
    agn_ix ix[AGNI_MAX_RANK];
    agn_scope *s = agn_scope_open(NULL);
    int k = split_columns(s, "gather_nd", x->ndim, idx, ix);
    return agni_return("gather_nd", s, out,
                       k > 0 ? agni_index_read(s, "gather_nd", x, ix, k) : NULL);
}

agn_status agn_scatter_nd_add(agn_tensor **out, const agn_tensor *x, const agn_tensor *idx,
                              const agn_tensor *v)
{
    NEED_XIV("scatter_nd_add");
    agn_ix ix[AGNI_MAX_RANK];
    agn_scope *s = agn_scope_open(NULL);
    int k = split_columns(s, "scatter_nd_add", x->ndim, idx, ix);
    return agni_return("scatter_nd_add", s, out,
                       k > 0 ? agni_index_write(s, "scatter_nd_add", x, ix, k, v, AGNI_ADD) : NULL);
}

agn_status agn_scatter_nd(agn_tensor **out, const agn_tensor *idx, const agn_tensor *v,
                          int32_t ndim, const int64_t *shape)
{
    AGNI_NEED_ALL("scatter_nd", out && idx && v, !out ? "out" : idx ? "v" : "idx");
    int64_t size;
    agn_status st = agni_shape_check("scatter_nd", ndim, shape, &size);
    if (st)
        return st;
    agn_ix ix[AGNI_MAX_RANK];
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *zero = agni_full(s, 0, v->dtype, ndim, shape);
    int k = zero ? split_columns(s, "scatter_nd", ndim, idx, ix) : -1;
    return agni_return("scatter_nd", s, out,
                       k > 0 ? agni_index_write(s, "scatter_nd", zero, ix, k, v, AGNI_ADD) : NULL);
}
