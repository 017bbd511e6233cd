/* distribution/api.c - public functions of all distributions, by the expressions of their law. */
#include "distribution/distribution.h"
#include <agnesi/ag.h>

#include <math.h>
#include <string.h>

typedef const agn_tensor *T;

static agn_status check_not_null(const char *op, const void *out, const agn_distribution *d,
                                 const char *name, const void *x)
{
    if (!out || !d || !x)
        return agni_fail(AGN_ENULL, "distribution_%s: %s is NULL", op,
                         !out ? "out" : !d ? "d" : name);
    return agni_check_handle(op, &d->head);
}
static agn_status refuse_missing(const char *op, const agn_distribution *d)
{
    return agni_fail(AGN_EUNSUPPORTED, "distribution_%s: the %s law has no formula for it", op,
                     d->law->name);
}

/* ---- parameters and base ------------------------------------------------------------------- */

agn_status agn_distribution_parameter(agn_tensor **out, const agn_distribution *d, const char *name)
{
    agn_status st = check_not_null("parameter", out, d, "name", name);
    if (st)
        return st;
    for (int i = 0; i < d->law->n; i++)
        if (!strcmp(d->law->param[i], name)) {
            *out = agn_retain(d->param[i]);
            return AGN_OK;
        }
    return agni_fail(AGN_EARG,
                     "distribution_parameter: the %s law has no %s; its first parameter is %s",
                     d->law->name, name, d->law->n ? d->law->param[0] : "none");
}
const agn_distribution *agn_distribution_base(const agn_distribution *d)
{
    return d ? d->base : NULL;
}

/* ---- random numbers --------------------------------------------------------------------- */

static agn_status draw_sample(agn_tensor **out, const char *op, const agn_distribution *d,
                              const agn_tensor *key, int32_t ndim, const int64_t *shape,
                              bool constant)
{
    agn_status st = check_not_null(op, out, d, "key", key);
    if (st)
        return st;
    if (!shape && ndim > 0)
        return agni_fail(AGN_ENULL, "distribution_%s: shape is NULL; %d sizes are due", op, ndim);
    int own = d->batch.ndim + d->event.ndim;
    if (ndim < 0 || ndim > AGN_MAX_RANK - own)
        return agni_fail(
            AGN_ESHAPE,
            "distribution_%s: %d axes before the batch shape of %d; 0 to %d are possible", op, ndim,
            own, AGN_MAX_RANK - own);
    if (!constant && !d->law->rsample)
        return agni_fail(
            AGN_EUNSUPPORTED,
            "distribution_%s: the %s law has no path from its parameters to its numbers; "
            "distribution_sample draws them",
            op, d->law->name);
    if (!d->law->rsample && !d->law->draw)
        return refuse_missing(op, d);
    int64_t all[AGN_MAX_RANK];
    int n = 0;
    for (int i = 0; i < ndim; i++)
        all[n++] = shape[i];
    for (int i = 0; i < d->batch.ndim; i++)
        all[n++] = d->batch.shape[i];
    for (int i = 0; i < d->event.ndim; i++)
        all[n++] = d->event.shape[i];
    agn_scope *s = agn_scope_open(NULL);
    T y = d->law->rsample ? d->law->rsample(s, d, key, n, all) : d->law->draw(s, d, key, n, all);
    agn_scope_return(s, out, constant ? ag_stop_gradient(s, y) : y);
    return agn_scope_close(s);
}
agn_status agn_distribution_rsample(agn_tensor **out, const agn_distribution *d,
                                    const agn_tensor *key, int32_t ndim, const int64_t *shape)
{
    return draw_sample(out, "rsample", d, key, ndim, shape, false);
}
agn_status agn_distribution_sample(agn_tensor **out, const agn_distribution *d,
                                   const agn_tensor *key, int32_t ndim, const int64_t *shape)
{
    return draw_sample(out, "sample", d, key, ndim, shape, true);
}

/* ---- supports --------------------------------------------------------------------------- */

bool agni_support_is_discrete(agn_support support)
{
    return support == AGN_SUPPORT_BOOLEAN || support == AGN_SUPPORT_COUNTS ||
           support == AGN_SUPPORT_COUNTS_TO;
}
/* the ends of the support; NULL: none */
static T low_end(agn_scope *s, const agn_distribution *d)
{
    agn_support k = d->law->support;
    if (d->law->low)
        return d->law->low(s, d);
    bool none = k == AGN_SUPPORT_REAL || k == AGN_SUPPORT_NONE || d->event.ndim > 0;
    return none && k != AGN_SUPPORT_SIMPLEX ? NULL : ag_lit(s, 0);
}
static T high_end(agn_scope *s, const agn_distribution *d)
{
    agn_support k = d->law->support;
    if (d->law->high)
        return d->law->high(s, d);
    return k == AGN_SUPPORT_UNIT || k == AGN_SUPPORT_BOOLEAN ? ag_lit(s, 1) : NULL;
}

/* below the support, above it; infinite x is on the one side or the other, NaN on none. Where the
   end is open, it is outside. */
static T is_below(agn_scope *s, const agn_distribution *d, T x)
{
    T end = low_end(s, d);
    if (!end)
        return ag_isneginf(s, x);
    T below = d->law->support == AGN_SUPPORT_POSITIVE ? ag_le(s, x, end) : ag_lt(s, x, end);
    bool any_end = d->law->support == AGN_SUPPORT_NONE || d->law->low; /* it may be infinite */
    return any_end ? ag_logical_or(s, below, ag_isneginf(s, x)) : below;
}
static T is_above(agn_scope *s, const agn_distribution *d, T x)
{
    T end = high_end(s, d), inf = ag_isposinf(s, x);
    return end ? ag_logical_or(s, inf, ag_gt(s, x, end)) : inf;
}

agn_status agn_distribution_bounds(agn_tensor **low, agn_tensor **high, const agn_distribution *d)
{
    if (!low || !high || !d)
        return agni_fail(AGN_ENULL, "distribution_bounds: %s is NULL",
                         !low ? "low" : !high ? "high" : "d");
    agn_scope *s = agn_scope_open(NULL);
    T a = low_end(s, d), b = high_end(s, d), *ends[] = {&a, &b};
    agn_tensor *bounds[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        T end = *ends[i] ? *ends[i] : ag_lit(s, i ? (double)INFINITY : -(double)INFINITY);
        end = ag_cast(s, end, d->batch.dtype);
        agn_scope_return(s, &bounds[i], ag_broadcast_to(s, end, d->batch.ndim, d->batch.shape));
    }
    agn_status st = agn_scope_close(s);
    if (!st) {
        *low = bounds[0];
        *high = bounds[1];
    }
    return st;
}

/* ---- functions of x ---------------------------------------------------------------------- */

/* NaN and what lies between the ends go through the formula of the law. */
static T log_prob_of(agn_scope *s, const agn_distribution *d, T x)
{
    T y = d->law->log_prob(s, d, x);
    if (d->event.ndim || d->law->support == AGN_SUPPORT_NONE)
        return y;
    bool whole_line = d->law->support == AGN_SUPPORT_REAL && !d->law->low && !d->law->high;
    T outside = whole_line ? ag_isinf(s, x)
                           : ag_logical_or(s, is_below(s, d, x), is_above(s, d, x));
    if (agni_support_is_discrete(d->law->support)) {
        T broken = ag_gt(s, ag_abs(s, ag_sub(s, x, ag_floor(s, x))), ag_lit(s, 0));
        outside = ag_logical_or(s, outside, broken);
    }
    return ag_where(s, outside, ag_lit(s, -(double)INFINITY), y);
}
static T prob_of(agn_scope *s, const agn_distribution *d, T x)
{
    return ag_exp(s, log_prob_of(s, d, x));
}

/* The cdf (right false) or the survival function between the ends, by the formula that the law has;
   NULL where it has none of both. */
static T raw_share(agn_scope *s, const agn_distribution *d, T x, bool right)
{
    agni_of_x *own = right ? d->law->survival : d->law->cdf,
              *other = right ? d->law->cdf : d->law->survival;
    if (own)
        return own(s, d, x);
    return other ? ag_sub(s, ag_lit(s, 1), other(s, d, x)) : NULL;
}
/* Its logarithm: by the share where that is small, else by the other one if that is. NaN where the
   share is below all normal numbers, as too few of its digits are known. */
static T raw_log_share(agn_scope *s, const agn_distribution *d, T x, bool right)
{
    agni_of_x *own = right ? d->law->log_survival : d->law->log_cdf;
    if (own)
        return own(s, d, x);
    T share = raw_share(s, d, x, right), rest = raw_share(s, d, x, !right);
    T small = ag_lt(s, share, ag_lit(s, 0.5));
    T lost = ag_lt(s, share, ag_lit(s, d->batch.dtype == AGN_F32 ? 0x1p-126 : 0x1p-1022));
    T log_small = ag_where(s, lost, ag_lit(s, (double)NAN), ag_log(s, share));
    T other = ag_where(s, ag_gt(s, rest, ag_lit(s, 0.75)), ag_lit(s, (double)NAN), rest);
    return ag_where(s, small, log_small, ag_log1p(s, ag_neg(s, other)));
}
static T share_of(agn_scope *s, const agn_distribution *d, T x, bool right, bool log)
{
    if (agni_support_is_discrete(d->law->support))
        x = ag_floor(s, x);
    T y = log ? raw_log_share(s, d, x, right) : raw_share(s, d, x, right);
    T none = ag_lit(s, log ? -(double)INFINITY : 0), all = ag_lit(s, log ? 0 : 1);
    T end = high_end(s, d), above = is_above(s, d, x);
    if (end) /* at the end itself all numbers are below */
        above = ag_logical_or(s, above, ag_eq(s, x, end));
    y = ag_where(s, is_below(s, d, x), right ? all : none, y);
    return ag_where(s, above, right ? none : all, y);
}
static T cdf_of(agn_scope *s, const agn_distribution *d, T x)
{
    return share_of(s, d, x, false, false);
}
static T log_cdf_of(agn_scope *s, const agn_distribution *d, T x)
{
    return share_of(s, d, x, false, true);
}
static T survival_of(agn_scope *s, const agn_distribution *d, T x)
{
    return share_of(s, d, x, true, false);
}
static T log_survival_of(agn_scope *s, const agn_distribution *d, T x)
{
    return share_of(s, d, x, true, true);
}

/* The least whole number from the low end on whose cdf is at least p, bit by bit; NaN above 2^53
   (2^24 of f32). */
static T count_quantile(agn_scope *s, const agn_distribution *d, T p)
{
    T low = low_end(s, d), k = ag_mul_c(s, p, 0);
    int bits = d->batch.dtype == AGN_F32 ? 24 : 53;
    for (int b = bits - 1; b >= 0; b--) { /* so many numbers lie below the one sought */
        T more = ag_add_c(s, k, ldexp(1, b)), at = ag_add(s, low, ag_add_c(s, more, -1));
        k = ag_where(s, ag_lt(s, cdf_of(s, d, at), p), more, k);
    }
    T lost = ag_eq(s, k, ag_lit(s, ldexp(1, bits) - 1));
    return ag_stop_gradient(s, ag_where(s, lost, ag_lit(s, (double)NAN), ag_add(s, low, k)));
}

static bool has_cdf(const agni_law *law)
{
    return law->cdf || law->survival;
}
/* A law has a quantile by its formula, of counts, or by the cdf of one real number. */
static agni_of_x *find_quantile(const agn_distribution *d)
{
    const agni_law *law = d->law;
    bool real = law->rsample && law->log_prob && has_cdf(law) && !d->event.ndim;
    return law->icdf ? law->icdf
           : agni_support_is_discrete(law->support) && has_cdf(law) ? count_quantile
           : real ? agni_quantile
                  : NULL;
}

bool agni_has_quantile(const agn_distribution *d)
{
    return find_quantile(d);
}

/* NaN for what is no probability */
static T icdf_of(agn_scope *s, const agn_distribution *d, T p)
{
    T in = ag_logical_and(s, ag_ge(s, p, ag_lit(s, 0)), ag_le(s, p, ag_lit(s, 1)));
    T a = low_end(s, d), b = high_end(s, d),
      x = find_quantile(d)(s, d, p);
    x = ag_where(s, ag_eq(s, p, ag_lit(s, 0)), a ? a : ag_lit(s, -(double)INFINITY), x);
    x = ag_where(s, ag_eq(s, p, ag_lit(s, 1)), b ? b : ag_lit(s, (double)INFINITY), x);
    return ag_where(s, in, x, ag_lit(s, (double)NAN));
}

static agn_status apply_at_x(agn_tensor **out, const char *op, const agn_distribution *d,
                             agni_of_x *f, const agn_tensor *x)
{
    if (agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "distribution_%s: x is %s; the %s distribution is real", op,
                         agni_dtypes[x->dtype].name, d->law->name);
    int event = d->event.ndim;
    for (int i = 0; i < event; i++)
        if (x->ndim < event || x->shape[x->ndim - event + i] != d->event.shape[i])
            return agni_fail(AGN_ESHAPE, "distribution_%s: x %s does not end in the event shape %s",
                             op, AGNI_SHAPE(x), AGNI_SHAPE(&d->event));
    agni_meta m = d->batch;
    if (!agni_broadcast_into(&m, x->ndim - event, x->shape))
        return agni_fail(AGN_ESHAPE,
                         "distribution_%s: x %s and the batch shape %s do not broadcast", op,
                         AGNI_SHAPE(x), AGNI_SHAPE(&d->batch));
    agn_scope *s = agn_scope_open(NULL);
    if (agni_kind(x->dtype) <= AGNI_KIND_INT)
        x = ag_cast(s, x, d->batch.dtype);
    agn_scope_return(s, out, ag_broadcast_to(s, f(s, d, x), m.ndim, m.shape));
    return agn_scope_close(s);
}

static agn_status apply_density(agn_tensor **out, const char *op, const agn_distribution *d,
                                agni_of_x *f, const agn_tensor *x)
{
    agn_status st = check_not_null(op, out, d, "x", x);
    if (st)
        return st;
    return d->law->log_prob ? apply_at_x(out, op, d, f, x) : refuse_missing(op, d);
}
agn_status agn_distribution_log_prob(agn_tensor **out, const agn_distribution *d,
                                     const agn_tensor *x)
{
    return apply_density(out, "log_prob", d, log_prob_of, x);
}
agn_status agn_distribution_prob(agn_tensor **out, const agn_distribution *d, const agn_tensor *x)
{
    return apply_density(out, "prob", d, prob_of, x);
}
static agn_status apply_share(agn_tensor **out, const char *op, const agn_distribution *d,
                              agni_of_x *f, const agn_tensor *x)
{
    agn_status st = check_not_null(op, out, d, "x", x);
    if (st)
        return st;
    return has_cdf(d->law) ? apply_at_x(out, op, d, f, x) : refuse_missing(op, d);
}
agn_status agn_distribution_cdf(agn_tensor **out, const agn_distribution *d, const agn_tensor *x)
{
    return apply_share(out, "cdf", d, cdf_of, x);
}
agn_status agn_distribution_log_cdf(agn_tensor **out, const agn_distribution *d,
                                    const agn_tensor *x)
{
    return apply_share(out, "log_cdf", d, log_cdf_of, x);
}
agn_status agn_distribution_survival(agn_tensor **out, const agn_distribution *d,
                                     const agn_tensor *x)
{
    return apply_share(out, "survival", d, survival_of, x);
}
agn_status agn_distribution_log_survival(agn_tensor **out, const agn_distribution *d,
                                         const agn_tensor *x)
{
    return apply_share(out, "log_survival", d, log_survival_of, x);
}
agn_status agn_distribution_icdf(agn_tensor **out, const agn_distribution *d, const agn_tensor *p)
{
    agn_status st = check_not_null("icdf", out, d, "p", p);
    if (st)
        return st;
    return agni_has_quantile(d) ? apply_at_x(out, "icdf", d, icdf_of, p)
                                : refuse_missing("icdf", d);
}

/* ---- functions of the parameters ------------------------------------------------------------ */

static agn_status apply_to_parameters(agn_tensor **out, const char *op, const agn_distribution *d,
                                      agni_of_parameters *f, bool of_event)
{
    if (!f)
        return refuse_missing(op, d);
    int64_t shape[AGN_MAX_RANK];
    int n = 0;
    for (int i = 0; i < d->batch.ndim; i++)
        shape[n++] = d->batch.shape[i];
    for (int i = 0; of_event && i < d->event.ndim; i++)
        shape[n++] = d->event.shape[i];
    agn_scope *s = agn_scope_open(NULL);
    T y = ag_cast(s, f(s, d), d->batch.dtype);
    agn_scope_return(s, out, ag_broadcast_to(s, y, n, shape));
    return agn_scope_close(s);
}
agn_status agn_distribution_mean(agn_tensor **out, const agn_distribution *d)
{
    agn_status st = check_not_null("mean", out, d, NULL, d);
    return st ? st : apply_to_parameters(out, "mean", d, d->law->mean, true);
}
agn_status agn_distribution_variance(agn_tensor **out, const agn_distribution *d)
{
    agn_status st = check_not_null("variance", out, d, NULL, d);
    return st ? st : apply_to_parameters(out, "variance", d, d->law->variance, true);
}
agn_status agn_distribution_mode(agn_tensor **out, const agn_distribution *d)
{
    agn_status st = check_not_null("mode", out, d, NULL, d);
    return st ? st : apply_to_parameters(out, "mode", d, d->law->mode, true);
}
agn_status agn_distribution_entropy(agn_tensor **out, const agn_distribution *d)
{
    agn_status st = check_not_null("entropy", out, d, NULL, d);
    return st ? st : apply_to_parameters(out, "entropy", d, d->law->entropy, false);
}
