/* tensor/compose/quantile.c - quantiles as NumPy defines them: the rank (N - 1) q of the sorted
   lane, and five methods of interpolation between two ranks. */
#include "tensor/reduce/reduce.h"

#include <agnesi/ag.h>
#include <math.h>

static agn_status check_arguments(const char *op, const agn_tensor *x, const double *q, int32_t n_q,
                                  double most, int32_t method)
{
    if (agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: %s numbers %s have no order, real ones have", op,
                         agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    if (n_q < 1 || method < 0 || method > AGN_QUANTILE_NEAREST)
        return agni_fail(AGN_EARG, "%s: %d quantiles by method %d; methods are 0 to %d", op, n_q,
                         method, AGN_QUANTILE_NEAREST);
    for (int k = 0; k < n_q; k++)
        if (!(q[k] >= 0 && q[k] <= most))
            return agni_fail(AGN_EDOMAIN, "%s: quantile %d is %g, not in 0 to %g", op, k, q[k],
                             most);
    return AGN_OK;
}

/* a + t (b - a), from the nearer end; equal infinities have no distance, and 0 of an infinite one
   is none */
static const agn_tensor *interpolate_order(agn_scope *s, const agn_tensor *a, const agn_tensor *b,
                                           const agn_tensor *t)
{
    const agn_tensor *d = ag_sub(s, b, a), *one = ag_lit(s, 1);
    d = ag_where(s, ag_logical_and(s, ag_isnan(s, d), ag_eq(s, a, b)), ag_lit(s, 0), d);
    const agn_tensor *half = ag_lit(s, 0.5); /* there without the rounding of the distance */
    const agn_tensor *middle = ag_add(s, ag_mul(s, a, half), ag_mul(s, b, half));
    return ag_where(s, ag_eq(s, t, half), middle,
                    ag_where(s, ag_lt(s, t, half), ag_add(s, a, ag_mulz(s, d, t)),
                             ag_sub(s, b, ag_mul(s, d, ag_sub(s, one, t)))));
}

/* the place below h, and how far h is on the way to the next one */
static double lower_rank(int32_t method, double h, double *t)
{
    double floor_h = floor(h), r = h - floor_h;
    *t = method == AGN_QUANTILE_LINEAR ? r : method == AGN_QUANTILE_MIDPOINT && r > 0 ? 0.5 : 0;
    return method == AGN_QUANTILE_HIGHER    ? ceil(h)
           : method == AGN_QUANTILE_NEAREST ? nearbyint(h)
                                            : floor_h;
}

/* one place, or the mix of two, of v [.., window], which begins at place first of n */
static const agn_tensor *value_at_rank(agn_scope *s, const agn_tensor *v, int64_t first, int64_t n,
                                       int32_t method, double q)
{
    double t;
    int64_t k = (int64_t)lower_rank(method, (double)(n - 1) * q, &t);
    const agn_tensor *a = ag_index_axis(s, v, -1, k - first);
    return t == 0 ? a
                  : interpolate_order(s, a, ag_index_axis(s, v, -1, k + 1 - first), ag_lit(s, t));
}

/* sorts only the window of ranks that are needed; NaN in a lane makes its quantiles NaN */
static void compute_quantiles(agn_scope *s, const agn_tensor *z, const double *q, int32_t n_q,
                              int32_t method, const agn_tensor **y)
{
    int64_t n = z->shape[z->ndim - 1], lo = n, hi = 0;
    for (int k = 0; k < n_q; k++) {
        double t;
        int64_t at = (int64_t)lower_rank(method, (double)(n - 1) * q[k], &t),
                end = at + 1 + (t > 0);
        lo = at < lo ? at : lo;
        hi = end > hi ? end : hi;
    }
    int64_t at[4] = {-1, 0, lo, hi - lo};
    const agn_tensor *order = agni_apply_in(s, &agni_op_argsort_window,
                                            &(agni_attr){.ni = 4, .i = at}, 1, &z);
    const agn_tensor *v = agni_gather_last(s, z, order);
    const agn_tensor *bad = ag_isnan(s, ag_max(s, z, (int32_t[]){-1}, 1, false));
    for (int k = 0; k < n_q; k++)
        y[k] = ag_where(s, bad, ag_lit(s, (double)NAN), value_at_rank(s, v, lo, n, method, q[k]));
}

/* the same with a number of elements for each lane */
static void compute_nanquantiles(agn_scope *s, const agn_tensor *z, const double *q, int32_t n_q,
                                 int32_t method, const agn_tensor **y)
{
    const agn_tensor *v = ag_sort(s, z, -1, false), *one = ag_lit(s, 1), *zero = ag_lit(s, 0);
    const agn_tensor *many = ag_sum(s, ag_logical_not(s, ag_isnan(s, z)), (int32_t[]){-1}, 1, true);
    const agn_tensor *last = ag_cast(s, ag_maximum(s, ag_sub(s, many, one), zero), AGN_F64);
    for (int k = 0; k < n_q; k++) {
        const agn_tensor *h = ag_mul_c(s, last, q[k]), *low = ag_floor(s, h);
        const agn_tensor *t = ag_sub(s, h, low);
        if (method == AGN_QUANTILE_MIDPOINT)
            t = ag_mul_c(s, ag_cast(s, ag_gt(s, t, zero), AGN_F64), 0.5);
        else if (method != AGN_QUANTILE_LINEAR)
            t = ag_lit(s, 0);
        low = method == AGN_QUANTILE_HIGHER    ? ag_ceil(s, h)
              : method == AGN_QUANTILE_NEAREST ? ag_round(s, h)
                                               : low;
        const agn_tensor *high = ag_minimum(s, ag_add(s, low, one), last);
        const agn_tensor *a = agni_gather_last(s, v, ag_cast(s, low, AGN_I64));
        const agn_tensor *b = agni_gather_last(s, v, ag_cast(s, high, AGN_I64));
        y[k] = interpolate_order(s, a, b, a ? ag_cast(s, t, a->dtype) : NULL);
        y[k] = y[k] ? agni_reshape(s, y[k], z->ndim - 1, z->shape) : NULL;
    }
}

static agn_status apply_quantile(const char *op, agn_tensor **out, const agn_tensor *x,
                                 const double *q, int32_t n_q, double scale, const int32_t *axes,
                                 int32_t n, bool keep, int32_t method, bool skip, bool alone)
{
    int64_t a[AGNI_MAX_RANK], shape[AGNI_MAX_RANK];
    int count, nout;
    AGNI_NEED(op, out);
    AGNI_NEED(op, q);
    agn_status st = agni_normalise_axes(op, x, axes, n, a, &count);
    double few[8], *share = few;
    if (!st && n_q > AGNI_COUNT(few) &&
        !(share = agni_alloc((size_t)n_q * (sizeof *share + sizeof(agn_tensor *)))))
        return agni_nomem(op, (size_t)n_q * sizeof *share);
    for (int k = 0; !st && k < n_q; k++)
        share[k] = q[k] / scale;
    if (!st)
        st = check_arguments(op, x, q, n_q, scale, method);
    if (!st && agni_count_along(x, a, count) == 0)
        st = agni_fail(AGN_ESHAPE, "%s: %d axes of %s hold nothing to order", op, count,
                       AGNI_SHAPE(x));
    const agn_tensor *some[8], **y = share == few ? some : (const agn_tensor **)(share + n_q);
    if (!st) {
        agn_scope *s = agn_scope_open(NULL);
        const agn_tensor *z = agni_merge_axes_last(s, agni_widen(s, x), count, a, keep, &nout,
                                                   shape);
        if (z && skip)
            compute_nanquantiles(s, z, share, n_q, method, y);
        else if (z)
            compute_quantiles(s, z, share, n_q, method, y);
        for (int k = 0; z && k < n_q; k++)
            y[k] = y[k] ? agni_narrow_to(s, agni_reshape(s, y[k], nout, shape), x) : NULL;
        const agn_tensor *r = !z ? NULL : alone ? y[0] : ag_stack(s, y, n_q, 0);
        st = agni_return(op, s, out, r);
    }
    if (share != few)
        agni_free(share);
    return st;
}

agn_status agn_quantile(agn_tensor **out, const agn_tensor *x, const double *q, int32_t n_q,
                        const int32_t *axes, int32_t n, bool keep, int32_t method)
{
    return apply_quantile("quantile", out, x, q, n_q, 1, axes, n, keep, method, false, false);
}
agn_status agn_nanquantile(agn_tensor **out, const agn_tensor *x, const double *q, int32_t n_q,
                           const int32_t *axes, int32_t n, bool keep, int32_t method)
{
    return apply_quantile("nanquantile", out, x, q, n_q, 1, axes, n, keep, method, true, false);
}
agn_status agn_percentile(agn_tensor **out, const agn_tensor *x, const double *p, int32_t n_p,
                          const int32_t *axes, int32_t n, bool keep, int32_t method)
{
    return apply_quantile("percentile", out, x, p, n_p, 100, axes, n, keep, method, false, false);
}
agn_status agn_nanpercentile(agn_tensor **out, const agn_tensor *x, const double *p, int32_t n_p,
                             const int32_t *axes, int32_t n, bool keep, int32_t method)
{
    return apply_quantile("nanpercentile", out, x, p, n_p, 100, axes, n, keep, method, true, false);
}
agn_status agn_median(agn_tensor **out, const agn_tensor *x, const int32_t *axes, int32_t n,
                      bool keep)
{
    return apply_quantile("median", out, x, (double[]){0.5}, 1, 1, axes, n, keep,
                          AGN_QUANTILE_LINEAR, false, true);
}
agn_status agn_nanmedian(agn_tensor **out, const agn_tensor *x, const int32_t *axes, int32_t n,
                         bool keep)
{
    return apply_quantile("nanmedian", out, x, (double[]){0.5}, 1, 1, axes, n, keep,
                          AGN_QUANTILE_LINEAR, true, true);
}
