/* tensor/compose/nan_reductions.c - reductions and cumulative ops that ignore NaN. */

#include "tensor/reduce/reduce.h"

#include <agnesi/ag.h>
#include <math.h>

static bool may_have_nan(const agn_tensor *x)
{
    return agni_kind(x->dtype) > AGNI_KIND_INT;
}

/* v where x is NaN */
static const agn_tensor *replace_nan(agn_scope *s, const agn_tensor *x, double v)
{
    return x && may_have_nan(x) ? ag_where(s, ag_isnan(s, x), ag_lit(s, v), x) : x;
}

/* how many are numbers, as numbers of the wide real dtype z has */
static const agn_tensor *count_numbers(agn_scope *s, const agn_tensor *z, const int32_t *axes,
                                       int32_t n, bool keep)
{
    const agn_tensor *good = z ? ag_logical_not(s, ag_isnan(s, z)) : NULL;
    return good ? ag_cast(s, ag_sum(s, good, axes, n, keep), agni_dtypes[z->dtype].real) : NULL;
}

/* a reduction with its neutral element in the place of NaN */
typedef const agn_tensor *reduction_fn(agn_scope *s, const agn_tensor *x, const int32_t *axes,
                                       int32_t n, bool keep);
static agn_status reduce_without_nan(const char *op, agn_tensor **out, const agn_tensor *x,
                                     const int32_t *axes, int32_t n, bool keep, reduction_fn *f,
                                     double neutral)
{
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    agn_scope *s = agn_scope_open(NULL);
    return agni_return(op, s, out, f(s, replace_nan(s, x, neutral), axes, n, keep));
}
agn_status agn_nansum(agn_tensor **out, const agn_tensor *x, const int32_t *axes, int32_t n,
                      bool keep)
{
    return reduce_without_nan("nansum", out, x, axes, n, keep, ag_sum, 0);
}
agn_status agn_nanprod(agn_tensor **out, const agn_tensor *x, const int32_t *axes, int32_t n,
                       bool keep)
{
    return reduce_without_nan("nanprod", out, x, axes, n, keep, ag_prod, 1);
}

agn_status agn_nanmean(agn_tensor **out, const agn_tensor *x, const int32_t *axes, int32_t n,
                       bool keep)
{
    AGNI_NEED("nanmean", out);
    AGNI_NEED("nanmean", x);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *z = agni_widen(s, x);
    const agn_tensor *y = ag_div(s, ag_sum(s, replace_nan(s, z, 0), axes, n, keep),
                                 count_numbers(s, z, axes, n, keep));
    return agni_return("nanmean", s, out, agni_narrow_to(s, y, x));
}

/* of NaN alone it is NaN: the sum that is left of such a lane */
static agn_status nan_extreme(const char *op, agn_tensor **out, const agn_tensor *x,
                              const int32_t *axes, int32_t n, bool keep, bool least)
{
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *z = replace_nan(s, x, least ? (double)INFINITY : -(double)INFINITY);
    const agn_tensor *y = least ? ag_min(s, z, axes, n, keep) : ag_max(s, z, axes, n, keep);
    if (y && may_have_nan(x))
        y = ag_where(s, ag_all(s, ag_isnan(s, x), axes, n, keep), ag_lit(s, (double)NAN), y);
    return agni_return(op, s, out, y);
}
agn_status agn_nanmax(agn_tensor **out, const agn_tensor *x, const int32_t *axes, int32_t n,
                      bool keep)
{
    return nan_extreme("nanmax", out, x, axes, n, keep, false);
}
agn_status agn_nanmin(agn_tensor **out, const agn_tensor *x, const int32_t *axes, int32_t n,
                      bool keep)
{
    return nan_extreme("nanmin", out, x, axes, n, keep, true);
}

/* the first place of the extreme among numbers; a lane of NaN has none: -1 */
static agn_status arg_nan_extreme(const char *op, agn_tensor **out, const agn_tensor *x,
                                  int32_t axis, bool keep, bool least)
{
    int d;
    AGNI_NEED(op, out);
    agn_status st = agni_normalise_axis(op, x, axis, &d);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    if (!may_have_nan(x)) /* complex numbers are refused there */
        return agni_return(op, s, out, (least ? ag_argmin : ag_argmax)(s, x, axis, keep));
    const agn_tensor *best = (least ? ag_nanmin : ag_nanmax)(s, x, &axis, 1, true);
    const agn_tensor *hit = ag_eq(s, x, best);
    const agn_tensor *y = ag_where(s, ag_any(s, hit, &axis, 1, keep),
                                   ag_argmax(s, hit, axis, keep), ag_lit(s, -1));
    return agni_return(op, s, out, y);
}
agn_status agn_nanargmax(agn_tensor **out, const agn_tensor *x, int32_t axis, bool keep)
{
    return arg_nan_extreme("nanargmax", out, x, axis, keep, false);
}
agn_status agn_nanargmin(agn_tensor **out, const agn_tensor *x, int32_t axis, bool keep)
{
    return arg_nan_extreme("nanargmin", out, x, axis, keep, true);
}

static const agn_tensor *nan_variance(agn_scope *s, const agn_tensor *x, const int32_t *axes,
                                      int32_t n, double correction, bool keep)
{
    const agn_tensor *z = agni_widen(s, x);
    const agn_tensor *mean = ag_div(s, ag_sum(s, replace_nan(s, z, 0), axes, n, true),
                                    count_numbers(s, z, axes, n, true));
    const agn_tensor *d = agni_squared_modulus(s, ag_sub(s, z, mean));
    d = ag_where(s, ag_isnan(s, z), ag_lit(s, 0), d);
    const agn_tensor *many = ag_sub_c(s, count_numbers(s, z, axes, n, keep), correction);
    return ag_div(s, ag_sum(s, d, axes, n, keep), ag_maximum_c(s, many, 0));
}

agn_status agn_nanvar(agn_tensor **out, const agn_tensor *x, const int32_t *axes, int32_t n,
                      double correction, bool keep)
{
    AGNI_NEED("nanvar", out);
    AGNI_NEED("nanvar", x);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = nan_variance(s, x, axes, n, correction, keep);
    return agni_return("nanvar", s, out, agni_narrow_to(s, y, x));
}
agn_status agn_nanstd(agn_tensor **out, const agn_tensor *x, const int32_t *axes, int32_t n,
                      double correction, bool keep)
{
    AGNI_NEED("nanstd", out);
    AGNI_NEED("nanstd", x);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_sqrt(s, nan_variance(s, x, axes, n, correction, keep));
    return agni_return("nanstd", s, out, agni_narrow_to(s, y, x));
}

agn_status agn_nancumsum(agn_tensor **out, const agn_tensor *x, int32_t axis)
{
    AGNI_NEED("nancumsum", out);
    AGNI_NEED("nancumsum", x);
    agn_scope *s = agn_scope_open(NULL);
    return agni_return("nancumsum", s, out, ag_cumsum(s, replace_nan(s, x, 0), axis));
}
agn_status agn_nancumprod(agn_tensor **out, const agn_tensor *x, int32_t axis)
{
    AGNI_NEED("nancumprod", out);
    AGNI_NEED("nancumprod", x);
    agn_scope *s = agn_scope_open(NULL);
    return agni_return("nancumprod", s, out, ag_cumprod(s, replace_nan(s, x, 1), axis, 0));
}
