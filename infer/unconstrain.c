/* infer/unconstrain.c - from all reals to the support of a law (Stan Reference Manual, Constraint
   Transforms). */
#include "infer/infer.h"
#include <agnesi/ag.h>

typedef const agn_tensor *T;

static T negate_value(agn_scope *s, T x) { return ag_neg(s, x); }
/* log of the slope of the logistic function */
static T log_slope(agn_scope *s, T x)
{
    return negate_value(s, ag_add(s, ag_softplus(s, x), ag_softplus(s, negate_value(s, x))));
}

/* An interval whose ends may be infinite, entry by entry */
static T into_interval(agn_scope *s, const agn_distribution *d, T x, T *log_det)
{
    agn_tensor *ends[2] = {NULL, NULL};
    if (agn_scope_fail(s, agn_distribution_bounds(&ends[0], &ends[1], d)))
        return NULL;
    T low = agn_scope_adopt(s, AGN_OK, &ends[0]), high = agn_scope_adopt(s, AGN_OK, &ends[1]);
    T no_low = ag_isinf(s, low), no_high = ag_isinf(s, high), zero = ag_lit(s, 0);
    T a = ag_where(s, no_low, zero, low), b = ag_where(s, no_high, zero, high),
      width = ag_sub(s, b, a);
    T left = ag_add(s, a, ag_mul(s, width, ag_sigmoid(s, x)));
    T right = ag_sub(s, b, ag_mul(s, width, ag_sigmoid(s, negate_value(s, x))));
    T between = ag_where(s, ag_lt(s, x, zero), left, right), e = ag_exp(s, x);
    T above = ag_where(s, no_low, x, ag_add(s, a, e)),
      one_end = ag_where(s, no_low, ag_sub(s, b, e), between);
    *log_det = ag_where(s, no_high, ag_where(s, no_low, ag_zeros_like(s, x), x),
                        ag_where(s, no_low, x, ag_add(s, ag_log(s, width), log_slope(s, x))));
    return ag_where(s, no_high, above, one_end);
}

T agni_constrain(agn_scope *s, const agn_distribution *d, T x, T *log_det)
{
    switch (agn_distribution_support(d)) {
    case AGN_SUPPORT_POSITIVE:
    case AGN_SUPPORT_NONNEGATIVE:
        *log_det = x;
        return ag_exp(s, x);
    case AGN_SUPPORT_UNIT:
        *log_det = log_slope(s, x);
        return ag_sigmoid(s, x);
    case AGN_SUPPORT_INTERVAL:
        return into_interval(s, d, x, log_det);
    default:
        *log_det = NULL;
        return x;
    }
}

/* log (u / (1 - u)) of u = (y - a) / (b - a) from both ends */
static T from_interval(agn_scope *s, const agn_distribution *d, T y)
{
    agn_tensor *ends[2] = {NULL, NULL};
    if (agn_scope_fail(s, agn_distribution_bounds(&ends[0], &ends[1], d)))
        return NULL;
    T low = agn_scope_adopt(s, AGN_OK, &ends[0]), high = agn_scope_adopt(s, AGN_OK, &ends[1]);
    T no_low = ag_isinf(s, low), no_high = ag_isinf(s, high), zero = ag_lit(s, 0);
    T a = ag_where(s, no_low, zero, low), b = ag_where(s, no_high, zero, high);
    T above = ag_log(s, ag_abs(s, ag_sub(s, y, a))), below = ag_log(s, ag_abs(s, ag_sub(s, b, y)));
    return ag_where(s, no_high, ag_where(s, no_low, y, above),
                    ag_where(s, no_low, below, ag_sub(s, above, below)));
}
/* the inverse of agni_constrain */
T agni_unconstrain(agn_scope *s, const agn_distribution *d, T y)
{
    switch (agn_distribution_support(d)) {
    case AGN_SUPPORT_POSITIVE:
    case AGN_SUPPORT_NONNEGATIVE: return ag_log(s, y);
    case AGN_SUPPORT_UNIT: return ag_sub(s, ag_log(s, y), ag_log1p(s, negate_value(s, y)));
    case AGN_SUPPORT_INTERVAL: return from_interval(s, d, y);
    default: return y;
    }
}
