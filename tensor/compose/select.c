/* tensor/compose/select.c - selection by masks, by conditions and from the flattened array. */
#include "tensor/index/index.h"
#include <agnesi/ag.h>

/* ---- indices that may be out of range -------------------------------------------------------- */

static agn_status check_mode(const char *op, agn_range mode, int64_t size)
{
    if (mode < AGN_RANGE_CHECK || mode > AGN_RANGE_CLIP)
        return agni_fail(AGN_EARG, "%s: %d is no way to treat indices out of range, 0 to %d are",
                         op, (int)mode, AGN_RANGE_CLIP);
    if (mode != AGN_RANGE_CHECK && size == 0)
        return agni_fail(AGN_EINDEX, "%s: no index fits an axis of size %lld", op, (long long)size);
    return AGN_OK;
}

static const agn_tensor *resolve_range(agn_scope *s, const agn_tensor *idx, agn_range mode,
                                       int64_t size)
{
    if (mode == AGN_RANGE_CHECK)
        return idx;
    const agn_tensor *i = ag_cast(s, idx, AGN_I64);
    return mode == AGN_RANGE_WRAP
               ? ag_remainder(s, i, ag_lit(s, (double)size))
               : ag_minimum_c(s, ag_maximum_c(s, i, 0), (double)(size - 1));
}

static agn_status check_integers(const char *op, const agn_tensor *idx)
{
    if (agni_kind(idx->dtype) == AGNI_KIND_INT)
        return AGN_OK;
    return agni_fail(AGN_EDTYPE, "%s: the index is %s, an integer dtype is needed; shape %s", op,
                     agni_dtypes[idx->dtype].name, AGNI_SHAPE(idx));
}

agn_status agn_take(agn_tensor **out, const agn_tensor *x, const agn_tensor *idx, agn_range mode)
{
    AGNI_NEED_ALL("take", out && x && idx, !out ? "out" : x ? "idx" : "x");
    agn_status st = check_integers("take", idx);
    if (!st)
        st = check_mode("take", mode, idx->size ? x->size : 1);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_return(s, out, ag_gather(s, ag_ravel(s, x), resolve_range(s, idx, mode, x->size), 0));
    return agni_rename_error("take", agn_scope_close(s));
}

agn_status agn_choose(agn_tensor **out, const agn_tensor *idx, const agn_tensor *const *choices,
                      int32_t n, agn_range mode)
{
    AGNI_NEED_ALL("choose", out && idx && (choices || n < 1),
                  !out  ? "out"
                  : idx ? "choices"
                        : "idx");
    agn_status st = check_integers("choose", idx);
    if (!st)
        st = check_mode("choose", mode, 1);
    if (!st && n < 1)
        st = agni_fail(AGN_EARG, "choose: needs at least one choice, got %d", n);
    if (st)
        return st;
    agni_meta m = {.ndim = 0};
    for (int i = -1; i < n; i++) {
        const agn_tensor *x = i < 0 ? idx : choices[i];
        if (!x)
            return agni_fail(AGN_ENULL, "choose: choice %d of %d is NULL", i, n);
        if (!agni_broadcast_into(&m, x->ndim, x->shape))
            return agni_fail(AGN_ESHAPE, "choose: shapes do not broadcast: %s and %s",
                             AGNI_SHAPE(idx), AGNI_SHAPE(x));
    }
    const agn_tensor **t = agni_alloc((size_t)n * sizeof *t);
    if (!t)
        return agni_nomem("choose", (size_t)n * sizeof *t);
    agn_scope *s = agn_scope_open(NULL);
    for (int i = 0; i < n; i++)
        t[i] = ag_broadcast_to(s, choices[i], m.ndim, m.shape);
    const agn_tensor *i = ag_broadcast_to(s, resolve_range(s, idx, mode, n), m.ndim, m.shape);
    const agn_tensor *y = ag_take_along_axis(s, ag_stack(s, t, n, 0), ag_expand_dims(s, i, 0), 0);
    agn_scope_return(s, out, ag_squeeze(s, y, 0));
    agni_free(t);
    return agni_rename_error("choose", agn_scope_close(s));
}

/* ---- conditions ------------------------------------------------------------------------------ */

static agn_status select_by_conditions(const char *op, agn_tensor **out,
                                       const agn_tensor *const *cases, int32_t n,
                                       const agn_tensor *otherwise, bool last_wins)
{
    const char *missing = !out ? "out" : !otherwise ? "otherwise" : cases || n < 1 ? NULL : "cases";
    if (missing)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, missing);
    if (n < 2 || n % 2)
        return agni_fail(AGN_EARG, "%s: %d tensors are no pairs of condition and value", op, n);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = otherwise;
    for (int k = 0; k < n; k += 2) {
        int i = last_wins ? k : n - 2 - k;
        y = ag_where(s, cases[i], cases[i + 1], y);
    }
    return agni_return(op, s, out, y);
}

agn_status agn_select(agn_tensor **out, const agn_tensor *const *cases, int32_t n,
                      const agn_tensor *otherwise)
{
    return select_by_conditions("select", out, cases, n, otherwise, false);
}
agn_status agn_piecewise(agn_tensor **out, const agn_tensor *const *cases, int32_t n,
                         const agn_tensor *otherwise)
{
    return select_by_conditions("piecewise", out, cases, n, otherwise, true);
}

/* ---- masks ----------------------------------------------------------------------------------- */

/* a mask is bool and broadcasts to x */
static agn_status check_mask(const char *op, const agn_tensor *mask, const agn_tensor *x)
{
    if (mask->dtype != AGN_BOOL)
        return agni_fail(AGN_EDTYPE, "%s: the mask is %s, bool is needed; shape %s", op,
                         agni_dtypes[mask->dtype].name, AGNI_SHAPE(mask));
    agni_meta m = {.ndim = 0};
    bool good = mask->ndim <= x->ndim && agni_broadcast_into(&m, mask->ndim, mask->shape) &&
                agni_broadcast_into(&m, x->ndim, x->shape);
    for (int d = 0; good && d < x->ndim; d++)
        good = m.shape[d] == x->shape[d];
    return good ? AGN_OK : agni_fail(AGN_ESHAPE, "%s: the mask %s does not broadcast to %s", op,
                                     AGNI_SHAPE(mask), AGNI_SHAPE(x));
}

agn_status agn_masked_fill(agn_tensor **out, const agn_tensor *x, const agn_tensor *mask,
                           const agn_tensor *v)
{
    AGNI_NEED_ALL("masked_fill", out && x && mask && v,
                  !out   ? "out"
                  : !x   ? "x"
                  : mask ? "v"
                         : "mask");
    agn_status st = check_mask("masked_fill", mask, x);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *same = ag_broadcast_to(s, ag_cast(s, v, x->dtype), x->ndim, x->shape);
    return agni_return("masked_fill", s, out, ag_where(s, mask, same, x));
}

/* The k-th true element gets the k-th value: the cumulative count of the mask is the index. */
/* the count that gather met as an index out of range */
static agn_status fail_too_few(const agn_tensor *mask, const agn_tensor *x, const agn_tensor *v)
{
    int64_t count = 0;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *all = ag_broadcast_to(s, mask, x->ndim, x->shape);
    const agn_tensor *n = ag_count_nonzero(s, all, NULL, 0, false);
    if (n)
        agn_scope_fail(s, agn_item_i64(&count, n));
    agn_status st = agn_scope_close(s);
    return st ? st
              : agni_fail(AGN_EINDEX,
                          "masked_scatter: the mask takes %lld elements, v, %s, has %lld",
                          (long long)count, AGNI_SHAPE(v), (long long)v->size);
}

agn_status agn_masked_scatter(agn_tensor **out, const agn_tensor *x, const agn_tensor *mask,
                              const agn_tensor *v)
{
    AGNI_NEED_ALL("masked_scatter", out && x && mask && v,
                  !out   ? "out"
                  : !x   ? "x"
                  : mask ? "v"
                         : "mask");
    agn_status st = check_mask("masked_scatter", mask, x);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *all = ag_broadcast_to(s, mask, x->ndim, x->shape);
    const agn_tensor *flat = ag_ravel(s, all), *values = ag_ravel(s, ag_cast(s, v, x->dtype));
    /* what no element takes; it is met where the mask is false, and nowhere else */
    const agn_tensor *none = agni_full(s, 0, x->dtype, 1, &(int64_t){1});
    values = ag_concat(s, (const agn_tensor *[]){none, values}, 2, 0);
    const agn_tensor *i = ag_where(s, flat, ag_cumsum(s, flat, 0), ag_lit(s, 0));
    const agn_tensor *put = ag_reshape(s, ag_gather(s, values, i, 0), x->ndim, x->shape);
    agn_scope_return(s, out, ag_where(s, all, put, x));
    st = agni_rename_error("masked_scatter", agn_scope_close(s));
    return st == AGN_EINDEX && mask->st ? fail_too_few(mask, x, v) : st;
}

agn_status agn_compress(agn_tensor **out, const agn_tensor *x, const agn_tensor *cond, int32_t axis)
{
    AGNI_NEED_ALL("compress", out && x && cond, !out ? "out" : x ? "cond" : "x");
    int d;
    agn_status st = agni_axis("compress", axis, x->ndim, &d);
    if (!st && (cond->dtype != AGN_BOOL || cond->ndim != 1 || cond->shape[0] > x->shape[d]))
        st = agni_fail(cond->dtype != AGN_BOOL ? AGN_EDTYPE : AGN_ESHAPE,
                       "compress: the condition is %s %s, a row of at most %lld bools is needed",
                       agni_dtypes[cond->dtype].name, AGNI_SHAPE(cond), (long long)x->shape[d]);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    agn_ix ix[AGNI_MAX_RANK];
    int64_t none = 0, more = x->shape[d] - cond->shape[0];
    for (int k = 0; k < d; k++)
        ix[k] = agn_ix_all();
    ix[d] = agn_ix_array(ag_pad(s, cond, 1, &none, &more, 0));
    return agni_return("compress", s, out,
                       !agn_scope_status(s) ? agni_index_read(s, "compress", x, ix, d + 1) : NULL);
}

agn_status agn_extract(agn_tensor **out, const agn_tensor *x, const agn_tensor *cond)
{
    AGNI_NEED_ALL("extract", out && x && cond, !out ? "out" : x ? "cond" : "x");
    if (cond->dtype != AGN_BOOL)
        return agni_fail(AGN_EDTYPE, "extract: the condition is %s, bool is needed; shape %s",
                         agni_dtypes[cond->dtype].name, AGNI_SHAPE(cond));
    if (cond->size != x->size)
        return agni_fail(AGN_ESHAPE, "extract: sizes differ: x is %s, the condition %s",
                         AGNI_SHAPE(x), AGNI_SHAPE(cond));
    agn_scope *s = agn_scope_open(NULL);
    agn_ix ix = agn_ix_array(ag_ravel(s, cond));
    agn_scope_return(s, out, ag_index(s, ag_ravel(s, x), &ix, 1));
    return agni_rename_error("extract", agn_scope_close(s));
}

/* ---- labels ---------------------------------------------------------------------------------- */

agn_status agn_shard_index(agn_tensor **out, const agn_tensor *x, int64_t size, int64_t shards,
                           int64_t shard, int64_t ignore)
{
    AGNI_NEED_ALL("shard_index", out && x, out ? "x" : "out");
    agn_status st = check_integers("shard_index", x);
    if (st)
        return st;
    if (size < 1 || shards < 1 || shard < 0 || shard >= shards)
        return agni_fail(AGN_EARG, "shard_index: shard %lld of %lld for %lld labels",
                         (long long)shard, (long long)shards, (long long)size);
    int64_t each = size / shards + (size % shards != 0);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *n = ag_lit(s, (double)each), *mine = ag_lit(s, (double)shard);
    const agn_tensor *here = ag_eq(s, ag_floor_divide(s, x, n), mine);
    agn_scope_return(s, out, ag_where(s, here, ag_remainder(s, x, n), ag_lit(s, (double)ignore)));
    return agni_rename_error("shard_index", agn_scope_close(s));
}
