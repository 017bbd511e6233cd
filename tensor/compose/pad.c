/* tensor/compose/pad.c - padding: constant, edge, reflect, symmetric, wrap, linear ramp,
   statistics. */
#include "tensor/dispatch/op_helpers.h"
#include <agnesi/ag.h>

#include <math.h>
#include <string.h>

/* the size of each axis with its margins */
static agn_status check_margins(const agn_tensor *x, int32_t n, const int64_t *lo,
                                const int64_t *hi, int64_t *full)
{
    if (n != x->ndim)
        return agni_fail(AGN_ESHAPE, "pad: %d axes are given, %s has %d", n, AGNI_SHAPE(x),
                         x->ndim);
    for (int d = 0; d < n; d++)
        if (lo[d] < 0 || hi[d] < 0 || !agni_checked_add(x->shape[d], lo[d], &full[d]) ||
            !agni_checked_add(full[d], hi[d], &full[d]))
            return agni_fail(AGN_ESHAPE, "pad: %lld and %lld elements around axis %d",
                             (long long)lo[d], (long long)hi[d], d);
    return AGN_OK;
}

agn_status agn_pad(agn_tensor **out, const agn_tensor *x, int32_t n, const int64_t *lo,
                   const int64_t *hi, double value)
{
    AGNI_NEED_ALL("pad", x && out, x ? "out" : "x");
    AGNI_NEED_ALL("pad", (lo && hi) || !n, "lo or hi");
    int64_t full[AGNI_MAX_RANK], a[3 * AGNI_MAX_RANK];
    agn_status st = check_margins(x, n, lo, hi, full);
    if (st)
        return st;
    bool zero = value == 0 && !signbit(value);
    for (int d = 0; d < n; d++) {
        a[3 * d] = x->shape[d] ? lo[d] : 0;
        a[3 * d + 1] = 1;
        a[3 * d + 2] = zero ? full[d] : x->shape[d];
    }
    agni_attr at = {.ni = 3 * n, .i = a};
    if (zero)
        return agni_rename_error("pad", agni_apply_public(out, &agni_op_unslice, &at, 1, &x));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *margin = agni_full(s, value, x->dtype, n, full);
    if (margin)
        agn_scope_return(
            s, out,
            agni_apply_in(s, &agni_op_slice_put, &at, 2, (const agn_tensor *[]){margin, x}));
    return agni_rename_error("pad", agn_scope_close(s));
}

/* ---- margins that repeat elements: an index for each axis ------------------------------------ */

/* the index in [0, n) of element i of the axis extended to all integers */
static int64_t edge_index(int64_t i, int64_t n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}
static int64_t wrap_index(int64_t i, int64_t n)
{
    return (i % n + n) % n;
}
/* period 2 n: each end twice */
static int64_t symmetric_index(int64_t i, int64_t n)
{
    i = wrap_index(i, 2 * n);
    return i < n ? i : 2 * n - 1 - i;
}
/* period 2 n - 2: each end once */
static int64_t reflect_index(int64_t i, int64_t n)
{
    if (n == 1)
        return 0;
    i = wrap_index(i, 2 * n - 2);
    return i < n ? i : 2 * n - 2 - i;
}
static int64_t (*const lines[])(int64_t, int64_t) = {edge_index, reflect_index, symmetric_index,
                                                     wrap_index};

static const agn_tensor *pad_by_gather(agn_scope *s, const agn_tensor *x, int d, int64_t lo,
                                       int64_t full, agn_pad_kind kind)
{
    agn_tensor *i = NULL;
    int64_t n = x->shape[d];
    if (agn_scope_status(s))
        return NULL;
    agn_status st = agni_tensor_make(&i, "pad", AGN_I64, 1, &full, AGN_CPU);
    for (int64_t k = 0; !st && k < full; k++)
        ((int64_t *)i->data)[k] = lines[kind](k - lo, n);
    return ag_gather(s, x, agni_adopt_constant(s, st, i), d);
}

/* ---- margins computed of an axis ------------------------------------------------------------- */

/* from the edge to 0, which is reached at the end: t = 1/(m + 1), ..., of the edge x[at] */
static const agn_tensor *linear_ramp(agn_scope *s, const agn_tensor *x, int d, int64_t m,
                                     bool front)
{
    const agn_tensor *e = ag_index_axis(s, x, d, front ? 0 : -1), *t;
    t = ag_arange(s, AGN_F64, front ? 0 : (double)(m - 1), front ? (double)m : -1, front ? 1 : -1);
    t = ag_div_c(s, t, (double)m);
    t = t ? agni_adopt_constant(s, AGN_OK, agni_tensor_ref(t)) : NULL;
    for (int k = d + 1; k < x->ndim; k++)
        t = ag_expand_dims(s, t, -1);
    e = ag_expand_dims(s, e, d);
    bool whole = agni_kind(x->dtype) <= AGNI_KIND_INT;
    const agn_tensor *y = ag_mul(s, ag_cast(s, e, whole ? AGN_F64 : x->dtype),
                                 whole ? t : ag_cast(s, t, agni_dtypes[x->dtype].real));
    return ag_cast(s, whole ? ag_floor(s, y) : y, x->dtype);
}

/* one slice for a whole margin */
static const agn_tensor *margin_statistic(agn_scope *s, const agn_tensor *x, int d,
                                          agn_pad_kind kind)
{
    int32_t axis = d;
    if (kind == AGN_PAD_MAXIMUM)
        return ag_max(s, x, &axis, 1, true);
    if (kind == AGN_PAD_MINIMUM)
        return ag_min(s, x, &axis, 1, true);
    const agn_tensor *y = kind == AGN_PAD_MEDIAN ? ag_median(s, x, &axis, 1, true)
                                                 : ag_mean(s, x, &axis, 1, true);
    if (agni_kind(x->dtype) <= AGNI_KIND_INT)
        y = ag_round(s, y);
    return ag_cast(s, y, x->dtype);
}

static const agn_tensor *make_margin(agn_scope *s, const agn_tensor *x, int d, int64_t m,
                                     bool front, agn_pad_kind kind)
{
    if (kind == AGN_PAD_LINEAR_RAMP)
        return linear_ramp(s, x, d, m, front);
    int64_t shape[AGNI_MAX_RANK];
    memcpy(shape, x->shape, (size_t)x->ndim * sizeof *shape);
    shape[d] = m;
    return ag_broadcast_to(s, margin_statistic(s, x, d, kind), x->ndim, shape);
}

agn_status agn_pad_with(agn_tensor **out, const agn_tensor *x, int32_t n, const int64_t *lo,
                        const int64_t *hi, agn_pad_kind kind)
{
    AGNI_NEED_ALL("pad_with", x && out, x ? "out" : "x");
    AGNI_NEED_ALL("pad_with", (lo && hi) || !n, "lo or hi");
    int64_t full[AGNI_MAX_RANK];
    agn_status st = agni_rename_error("pad_with", check_margins(x, n, lo, hi, full));
    if (st)
        return st;
    if (kind < AGN_PAD_EDGE || kind > AGN_PAD_EMPTY)
        return agni_fail(AGN_EARG, "pad_with: %d is no kind of margin, 0 to %d are", (int)kind,
                         AGN_PAD_EMPTY);
    if (kind == AGN_PAD_EMPTY)
        return agni_rename_error("pad_with", agn_pad(out, x, n, lo, hi, 0));
    for (int d = 0; d < n; d++)
        if (x->shape[d] == 0 && full[d])
            return agni_fail(AGN_ESHAPE, "pad_with: axis %d of %s holds nothing to pad with", d,
                             AGNI_SHAPE(x));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = x;
    for (int d = 0; d < n && !agn_scope_status(s); d++) {
        if (full[d] == x->shape[d])
            continue;
        if (kind <= AGN_PAD_WRAP) {
            y = pad_by_gather(s, y, d, lo[d], full[d], kind);
            continue;
        }
        const agn_tensor *part[3];
        int k = 0;
        if (lo[d])
            part[k++] = make_margin(s, y, d, lo[d], true, kind);
        part[k++] = y;
        if (hi[d])
            part[k++] = make_margin(s, y, d, hi[d], false, kind);
        y = ag_concat(s, part, k, d);
    }
    return agni_return("pad_with", s, out, y);
}
