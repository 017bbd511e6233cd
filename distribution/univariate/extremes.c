/* distribution/univariate/extremes.c - laws of extremes and of skewed errors: Frechet, generalised
   extreme values, Moyal, asymmetric Laplace, Birnbaum-Saunders (Coles 2001, 3; Kotz, Kozubowski &
   Podgorski 2001, 3; Johnson, Kotz & Balakrishnan 1995, 22, 33), hyperbolic secant, arcsine. */
#include "distribution/expression.h"

#include <agnesi/univariate_laws.h>

#define FIRST d->param[0]
#define SECOND d->param[1]
#define THIRD d->param[2]
#define MAKE(law, ...) \
    agni_distribution_make(out, &agni_law_##law, (const agn_tensor *[]){__VA_ARGS__}, opts)
#define OPTS const agn_distribution_options *opts
#define INF LIT((double)INFINITY)
#define Z DIV(SUB(x, FIRST), SECOND)

OF_PARAMETERS(first) { (void)s; return FIRST; }
OF_PARAMETERS(second) { (void)s; return SECOND; }

/* ---- Frechet: scale e^(-1 / concentration) of an exponential number e ----------------------- */

OF_X(frechet_log_cdf) { return NEG(agni_quotient_power(s, d, FIRST, x, SECOND)); }
OF_X(frechet_log_prob)
{
    T log_r = agni_log_quotient(s, d, x, FIRST), unit = SUB(FN(log, SECOND), FN(log, FIRST));
    return ADD(SUB(unit, MUL(PLUS(SECOND, 1), log_r)), frechet_log_cdf(s, d, x));
}
OF_X(frechet_cdf) { return FN(exp, frechet_log_cdf(s, d, x)); }
OF_X(frechet_survival) { return NEG(FN(expm1, frechet_log_cdf(s, d, x))); }
static T frechet_at(agn_scope *s, const agn_distribution *d, T e)
{
    return MUL(FIRST, FN(pow, e, NEG(FN(reciprocal, SECOND))));
}
OF_X(frechet_icdf) { return frechet_at(s, d, NEG(FN(log, x))); }
DRAW(frechet_rsample)
{
    return frechet_at(s, d, FN(exponential, key, d->batch.dtype, ndim, shape));
}
/* Gamma(1 - r / concentration) */
static T frechet_moment(agn_scope *s, const agn_distribution *d, double r)
{
    T a = SEL(GT(SECOND, LIT(r)), SECOND, LIT(r + 1));
    return FN(exp, FN(lgamma, PLUS(TIMES(FN(reciprocal, a), -r), 1)));
}
OF_PARAMETERS(frechet_mean)
{
    return SEL(GT(SECOND, LIT(1)), MUL(FIRST, frechet_moment(s, d, 1)), INF);
}
/* E x^2 (1 - (E x)^2 / E x^2), the quotient by its logarithm */
OF_PARAMETERS(frechet_variance)
{
    T there = GT(SECOND, LIT(2)), q = NEG(FN(reciprocal, SEL(there, SECOND, LIT(3))));
    T part = NEG(FN(expm1, NEG(agni_log_gamma_bend(s, PLUS(q, 1), q))));
    T v = MUL(frechet_moment(s, d, 2), part);
    return SEL(there, MUL(FN(square, FIRST), v), INF);
}
OF_PARAMETERS(frechet_mode)
{
    T r = FN(reciprocal, SECOND);
    return MUL(FIRST, FN(exp, NEG(MUL(r, FN(log1p, r)))));
}
OF_PARAMETERS(frechet_entropy)
{
    T rest = ADD(TIMES(FN(reciprocal, SECOND), EULER), SUB(FN(log, FIRST), FN(log, SECOND)));
    return PLUS(rest, 1 + EULER);
}
static const agni_law agni_law_frechet = {
    .name = "frechet", .n = 2, .param = {"scale", "concentration"},
    .domain = {AGNI_POSITIVE, AGNI_POSITIVE}, .support = AGN_SUPPORT_POSITIVE,
    .rsample = frechet_rsample, .log_prob = frechet_log_prob, .cdf = frechet_cdf,
    .survival = frechet_survival, .log_cdf = frechet_log_cdf, .icdf = frechet_icdf,
    .mean = frechet_mean, .variance = frechet_variance, .mode = frechet_mode,
    .entropy = frechet_entropy,
};
agn_status agn_distribution_frechet(agn_distribution **out, const agn_tensor *scale,
                                    const agn_tensor *concentration, OPTS)
{
    return MAKE(frechet, scale, concentration);
}

/* ---- generalised extreme values: Gumbel, Frechet and the mirrored Weibull law in one -------- */

OF_PARAMETERS(gev_end) { return SUB(FIRST, DIV(SECOND, THIRD)); }
OF_PARAMETERS(gev_low) { return SEL(GT(THIRD, LIT(0)), gev_end(s, d), NEG(INF)); }
OF_PARAMETERS(gev_high) { return SEL(LT(THIRD, LIT(0)), gev_end(s, d), INF); }
/* the Gumbel number of x */
OF_X(gev_gumbel) { return agni_log_ratio(s, THIRD, Z); }
OF_X(gev_log_cdf) { return NEG(FN(exp, NEG(gev_gumbel(s, d, x)))); }
OF_X(gev_log_prob)
{
    T t = gev_gumbel(s, d, x);
    return SUB(NEG(ADD(FN(log, SECOND), MUL(PLUS(THIRD, 1), t))), FN(exp, NEG(t)));
}
OF_X(gev_cdf) { return FN(exp, gev_log_cdf(s, d, x)); }
OF_X(gev_survival) { return NEG(FN(expm1, gev_log_cdf(s, d, x))); }
static T gev_at(agn_scope *s, const agn_distribution *d, T e)
{
    return ADD(FIRST, MUL(SECOND, agni_exp_ratio(s, THIRD, NEG(FN(log, e)))));
}
OF_X(gev_icdf) { return gev_at(s, d, NEG(FN(log, x))); }
DRAW(gev_rsample) { return gev_at(s, d, FN(exponential, key, d->batch.dtype, ndim, shape)); }
/* (Gamma(1 - c) - 1) / c, by the series of Gamma(1 - c) about 0 */
OF_PARAMETERS(gev_mean)
{
    static const double series[] = {EULER,
                                    0.98905599532797256,
                                    0.90747907608088629,
                                    0.98172808683440018,
                                    0.98199506890314521,
                                    0.99314911462127620,
                                    0.99600176044243154};
    T there = LT(THIRD, LIT(1)), c = SEL(there, THIRD, LIT(0.5));
    T body = agni_over_argument(s, c, FN(expm1, FN(lgamma, SUB(LIT(1), c))), series);
    return SEL(there, ADD(FIRST, MUL(SECOND, body)), INF);
}
/* Gamma(1 - c)^2 expm1(l) / c^2 with l = log Gamma(1 - 2 c) - 2 log Gamma(1 - c) = sum of zeta(k)
   (2^k - 2) c^k / k, k from 2 */
OF_PARAMETERS(gev_variance)
{
    static const double zeta[] = {1.6449340668482264, 1.2020569031595943, 1.0823232337111382,
                                  1.0369277551433699, 1.0173430619844491, 1.0083492773819228,
                                  1.0040773561979443, 1.0020083928260822, 1.0009945751278181};
    T there = LT(THIRD, LIT(0.5)), c = SEL(there, THIRD, LIT(0.25));
    T near = LT(FN(abs, c), LIT(0.02));
    T one = FN(lgamma, SUB(LIT(1), c)), sum = LIT(0);
    for (int k = 10; k >= 2; k--)
        sum = PLUS(MUL(sum, c), zeta[k - 2] * (ldexp(1, k) - 2) / k);
    T far = SEL(near, LIT(0.1), c);
    T two = SUB(FN(lgamma, PLUS(TIMES(far, -2), 1)), TIMES(FN(lgamma, SUB(LIT(1), far)), 2));
    T c2 = FN(square, c), l = SEL(near, MUL(sum, c2), two);
    T by_series = MUL(sum, PLUS(TIMES(l, 0.5), 1)); /* expm1(l) / c^2: l is below 7e-4 */
    by_series = ADD(by_series, MUL(sum, TIMES(FN(square, l), 1.0 / 6)));
    by_series = ADD(by_series, MUL(sum, TIMES(MUL(FN(square, l), l), 1.0 / 24)));
    T direct = DIV(FN(expm1, l), FN(square, far));
    T v = MUL(FN(exp, TIMES(one, 2)), SEL(near, by_series, direct));
    return SEL(there, MUL(FN(square, SECOND), v), INF);
}
OF_PARAMETERS(gev_mode)
{
    T there = GT(THIRD, LIT(-1)), c = SEL(there, THIRD, LIT(0));
    T at = ADD(FIRST, MUL(SECOND, agni_exp_ratio(s, c, NEG(FN(log1p, c)))));
    return SEL(there, at, gev_end(s, d));
}
OF_PARAMETERS(gev_entropy)
{
    return PLUS(ADD(FN(log, SECOND), TIMES(THIRD, EULER)), 1 + EULER);
}
static const agni_law agni_law_generalized_extreme_value = {
    .name = "generalized_extreme_value", .n = 3, .param = {"loc", "scale", "concentration"},
    .domain = {AGNI_REAL, AGNI_POSITIVE, AGNI_REAL}, .support = AGN_SUPPORT_INTERVAL,
    .low = gev_low, .high = gev_high, .rsample = gev_rsample, .log_prob = gev_log_prob,
    .cdf = gev_cdf, .survival = gev_survival, .log_cdf = gev_log_cdf, .icdf = gev_icdf,
    .mean = gev_mean, .variance = gev_variance, .mode = gev_mode, .entropy = gev_entropy,
};
agn_status agn_distribution_generalized_extreme_value(agn_distribution **out,
                                                      const agn_tensor *loc,
                                                      const agn_tensor *scale,
                                                      const agn_tensor *concentration, OPTS)
{
    return MAKE(generalized_extreme_value, loc, scale, concentration);
}

/* ---- Moyal: exp(-z) is the square of a normal number ---------------------------------------- */

OF_X(moyal_root) { return FN(exp, TIMES(Z, -0.5)); }
OF_X(moyal_log_prob)
{
    T z = Z, half = TIMES(ADD(z, FN(exp, NEG(z))), 0.5);
    return NEG(ADD(half, PLUS(FN(log, SECOND), LOG_SQRT_2PI)));
}
OF_X(moyal_cdf) { return FN(erfc, TIMES(moyal_root(s, d, x), SQRT_HALF)); }
OF_X(moyal_survival) { return FN(erf, TIMES(moyal_root(s, d, x), SQRT_HALF)); }
OF_X(moyal_log_cdf)
{
    T r = moyal_root(s, d, x), left = GT(r, LIT(1));
    T far = PLUS(FN(log_ndtr, NEG(SEL(left, r, LIT(1)))), LOG_2);
    return SEL(left, far, FN(log1p, NEG(FN(erf, TIMES(SEL(left, LIT(1), r), SQRT_HALF)))));
}
OF_X(moyal_icdf)
{
    T left = LT(x, LIT(0.5)), near = FN(ndtri, TIMES(SEL(left, x, LIT(0.5)), 0.5));
    T far = TIMES(FN(erfinv, SUB(LIT(1), SEL(left, LIT(0.5), x))), 2 * SQRT_HALF);
    return SUB(FIRST, MUL(SECOND, TIMES(FN(log, SEL(left, NEG(near), far)), 2)));
}
DRAW(moyal_rsample)
{
    T n = FN(normal, key, d->batch.dtype, ndim, shape);
    return SUB(FIRST, MUL(SECOND, TIMES(FN(log, FN(abs, n)), 2)));
}
OF_PARAMETERS(moyal_mean) { return ADD(FIRST, TIMES(SECOND, EULER + LOG_2)); }
OF_PARAMETERS(moyal_variance) { return TIMES(FN(square, SECOND), PI * PI / 2); }
OF_PARAMETERS(moyal_entropy)
{
    return PLUS(FN(log, SECOND), 0.5 * (1 + EULER + LOG_2) + LOG_SQRT_2PI);
}
static const agni_law agni_law_moyal = {
    .name = "moyal", .n = 2, .param = {"loc", "scale"}, .domain = {AGNI_REAL, AGNI_POSITIVE},
    .support = AGN_SUPPORT_REAL, .rsample = moyal_rsample, .log_prob = moyal_log_prob,
    .cdf = moyal_cdf, .survival = moyal_survival, .log_cdf = moyal_log_cdf, .icdf = moyal_icdf,
    .mean = moyal_mean, .variance = moyal_variance, .mode = first, .entropy = moyal_entropy,
};
agn_status agn_distribution_moyal(agn_distribution **out, const agn_tensor *loc,
                                  const agn_tensor *scale, OPTS)
{
    return MAKE(moyal, loc, scale);
}

/* ---- asymmetric Laplace: the rates are k and 1 / k ------------------------------------------ */

/* log of 1 + k^2 */
OF_PARAMETERS(skew_unit) { return agni_log_one_plus_square(s, THIRD); }
OF_X(skew_laplace_log_prob)
{
    T z = Z, far = SEL(LT(z, LIT(0)), DIV(z, THIRD), NEG(MUL(z, THIRD)));
    return ADD(SUB(SUB(FN(log, THIRD), skew_unit(s, d)), FN(log, SECOND)), far);
}
/* log of the tail on the side of z */
OF_X(skew_laplace_tail)
{
    T z = Z, left = SUB(ADD(DIV(z, THIRD), TIMES(FN(log, THIRD), 2)), skew_unit(s, d));
    return SEL(LT(z, LIT(0)), left, NEG(ADD(MUL(z, THIRD), skew_unit(s, d))));
}
static T skew_laplace_share(agn_scope *s, const agn_distribution *d, T x, bool right, bool log)
{
    T tail = skew_laplace_tail(s, d, x), own = right ? GE(x, FIRST) : LT(x, FIRST);
    T share = FN(exp, tail);
    return log ? SEL(own, tail, FN(log1p, NEG(share))) : SEL(own, share, NEG(FN(expm1, tail)));
}
OF_X(skew_laplace_cdf) { return skew_laplace_share(s, d, x, false, false); }
OF_X(skew_laplace_survival) { return skew_laplace_share(s, d, x, true, false); }
OF_X(skew_laplace_log_cdf) { return skew_laplace_share(s, d, x, false, true); }
OF_X(skew_laplace_log_survival) { return skew_laplace_share(s, d, x, true, true); }
OF_X(skew_laplace_icdf)
{
    T unit = skew_unit(s, d), log_left = SUB(TIMES(FN(log, THIRD), 2), unit);
    T left = MUL(THIRD, SUB(FN(log, x), log_left));
    T right = NEG(DIV(ADD(FN(log1p, NEG(x)), unit), THIRD));
    return ADD(FIRST, MUL(SECOND, SEL(LT(FN(log, x), log_left), left, right)));
}
DRAW(skew_laplace_rsample)
{
    T keys = FN(key_split, key, 2);
    T a = FN(exponential, FN(index_axis, keys, 0, 0), d->batch.dtype, ndim, shape);
    T b = FN(exponential, FN(index_axis, keys, 0, 1), d->batch.dtype, ndim, shape);
    return ADD(FIRST, MUL(SECOND, SUB(DIV(a, THIRD), MUL(b, THIRD))));
}
OF_PARAMETERS(skew_laplace_mean)
{
    return ADD(FIRST, MUL(SECOND, SUB(FN(reciprocal, THIRD), THIRD)));
}
OF_PARAMETERS(skew_laplace_variance)
{
    return MUL(FN(square, SECOND), ADD(FN(square, THIRD), FN(square, FN(reciprocal, THIRD))));
}
OF_PARAMETERS(skew_laplace_entropy)
{
    return PLUS(ADD(FN(log, SECOND), SUB(skew_unit(s, d), FN(log, THIRD))), 1);
}
static const agni_law agni_law_asymmetric_laplace = {
    .name = "asymmetric_laplace", .n = 3, .param = {"loc", "scale", "asymmetry"},
    .domain = {AGNI_REAL, AGNI_POSITIVE, AGNI_POSITIVE}, .support = AGN_SUPPORT_REAL,
    .rsample = skew_laplace_rsample, .log_prob = skew_laplace_log_prob,
    .cdf = skew_laplace_cdf, .survival = skew_laplace_survival,
    .log_cdf = skew_laplace_log_cdf, .log_survival = skew_laplace_log_survival,
    .icdf = skew_laplace_icdf, .mean = skew_laplace_mean, .variance = skew_laplace_variance,
    .mode = first, .entropy = skew_laplace_entropy,
};
agn_status agn_distribution_asymmetric_laplace(agn_distribution **out, const agn_tensor *loc,
                                               const agn_tensor *scale,
                                               const agn_tensor *asymmetry, OPTS)
{
    return MAKE(asymmetric_laplace, loc, scale, asymmetry);
}

/* ---- Birnbaum and Saunders: 2 sinh(log(x / scale) / 2) / shape is normal -------------------- */

OF_X(fatigue_normal)
{
    return DIV(SUB(x, SECOND), MUL(FIRST, MUL(FN(sqrt, x), FN(sqrt, SECOND))));
}
OF_X(fatigue_log_prob)
{
    T r = FN(sqrt, DIV(x, SECOND)), n = fatigue_normal(s, d, x);
    T slope = SUB(FN(log, ADD(r, FN(reciprocal, r))), ADD(FN(log, FIRST), FN(log, x)));
    return PLUS(SUB(slope, TIMES(FN(square, n), 0.5)), -LOG_SQRT_2PI - LOG_2);
}
OF_X(fatigue_cdf) { return FN(ndtr, fatigue_normal(s, d, x)); }
OF_X(fatigue_survival) { return FN(ndtr, NEG(fatigue_normal(s, d, x))); }
OF_X(fatigue_log_cdf) { return FN(log_ndtr, fatigue_normal(s, d, x)); }
OF_X(fatigue_log_survival) { return FN(log_ndtr, NEG(fatigue_normal(s, d, x))); }
static T fatigue_at(agn_scope *s, const agn_distribution *d, T n)
{
    return MUL(SECOND, FN(exp, TIMES(FN(asinh, TIMES(MUL(FIRST, n), 0.5)), 2)));
}
OF_X(fatigue_icdf) { return fatigue_at(s, d, FN(ndtri, x)); }
DRAW(fatigue_rsample) { return fatigue_at(s, d, FN(normal, key, d->batch.dtype, ndim, shape)); }
OF_PARAMETERS(fatigue_mean)
{
    return MUL(SECOND, PLUS(TIMES(FN(square, FIRST), 0.5), 1));
}
OF_PARAMETERS(fatigue_variance)
{
    return MUL(FN(square, MUL(FIRST, SECOND)), PLUS(TIMES(FN(square, FIRST), 1.25), 1));
}
/* scale times the root r of r^3 + (1 + shape^2) r^2 + (3 shape^2 - 1) r - 1 in (0, 1) */
static T fatigue_cubic(agn_scope *s, T r, T a2)
{
    return PLUS(MUL(ADD(MUL(PLUS(ADD(r, a2), 1), r), PLUS(TIMES(a2, 3), -1)), r), -1);
}
OF_PARAMETERS(fatigue_mode)
{
    T a2 = FN(square, FIRST), r = FN(stop_gradient, FN(zeros_like, a2));
    for (int b = 1; b < 60; b++) {
        T more = PLUS(r, ldexp(1, -b));
        r = SEL(LT(fatigue_cubic(s, more, a2), LIT(0)), more, r);
    }
    r = FN(stop_gradient, PLUS(r, 0x1p-60));
    for (int i = 0; i < 3; i++) { /* Newton; the last steps carry derivatives */
        T slope = ADD(MUL(ADD(TIMES(r, 3), TIMES(PLUS(a2, 1), 2)), r), PLUS(TIMES(a2, 3), -1));
        r = SUB(r, DIV(fatigue_cubic(s, r, a2), slope));
    }
    return MUL(SECOND, r);
}
/* with n normal, log(2 pi e) / 2 + log(shape scale) - E log(1 + (shape n / 2)^2) / 2 */
OF_PARAMETERS(fatigue_entropy)
{
    T w, t = agni_half_line(s, d, &w), half = TIMES(FN(square, t), -0.5);
    T bend = agni_log_one_plus_square(s, MUL(TIMES(OVER(FIRST), 0.5), t));
    T f = agni_integrate(s, w, MUL(FN(exp, PLUS(half, -LOG_SQRT_2PI)), bend));
    return PLUS(SUB(ADD(FN(log, FIRST), FN(log, SECOND)), f), LOG_SQRT_2PI + 0.5);
}
static const agni_law agni_law_birnbaum_saunders = {
    .name = "birnbaum_saunders", .n = 2, .param = {"shape", "scale"},
    .domain = {AGNI_POSITIVE, AGNI_POSITIVE}, .support = AGN_SUPPORT_POSITIVE,
    .rsample = fatigue_rsample, .log_prob = fatigue_log_prob, .cdf = fatigue_cdf,
    .survival = fatigue_survival, .log_cdf = fatigue_log_cdf,
    .log_survival = fatigue_log_survival, .icdf = fatigue_icdf, .mean = fatigue_mean,
    .variance = fatigue_variance, .mode = fatigue_mode, .entropy = fatigue_entropy,
};
agn_status agn_distribution_birnbaum_saunders(agn_distribution **out, const agn_tensor *shape,
                                              const agn_tensor *scale, OPTS)
{
    return MAKE(birnbaum_saunders, shape, scale);
}

/* ---- hyperbolic secant, of variance scale^2 -------------------------------------------------- */

OF_X(secant_log_prob)
{
    T a = TIMES(FN(abs, Z), PI / 2);
    return NEG(ADD(ADD(a, FN(log1p, FN(exp, TIMES(a, -2)))), FN(log, SECOND)));
}
OF_X(secant_cdf) { return TIMES(FN(atan, FN(exp, TIMES(Z, PI / 2))), 2 / PI); }
OF_X(secant_survival) { return TIMES(FN(atan, FN(exp, TIMES(Z, -PI / 2))), 2 / PI); }
OF_X(secant_icdf)
{
    T left = LT(x, LIT(0.5)), tail = SEL(left, x, SUB(LIT(1), x));
    T far = TIMES(FN(log, FN(tan, TIMES(tail, PI / 2))), 2 / PI);
    return ADD(FIRST, MUL(SECOND, SEL(left, far, NEG(far))));
}
DRAW(secant_rsample) { return secant_icdf(s, d, open_uniform(s, d, key, ndim, shape)); }
OF_PARAMETERS(secant_variance) { return FN(square, SECOND); }
OF_PARAMETERS(secant_entropy) { return PLUS(FN(log, SECOND), 2 * LOG_2); }
static const agni_law agni_law_hyperbolic_secant = {
    .name = "hyperbolic_secant", .n = 2, .param = {"loc", "scale"},
    .domain = {AGNI_REAL, AGNI_POSITIVE}, .support = AGN_SUPPORT_REAL,
    .rsample = secant_rsample, .log_prob = secant_log_prob, .cdf = secant_cdf,
    .survival = secant_survival, .icdf = secant_icdf, .mean = first,
    .variance = secant_variance, .mode = first, .entropy = secant_entropy,
};
agn_status agn_distribution_hyperbolic_secant(agn_distribution **out, const agn_tensor *loc,
                                              const agn_tensor *scale, OPTS)
{
    return MAKE(hyperbolic_secant, loc, scale);
}

/* ---- arcsine: the shadow of a point on a circle ---------------------------------------------- */

OF_PARAMETERS(arcsine_width) { return SUB(SECOND, FIRST); }
OF_X(arcsine_log_prob)
{
    T both = ADD(FN(log, SUB(x, FIRST)), FN(log, SUB(SECOND, x)));
    return PLUS(TIMES(both, -0.5), -LOG_PI);
}
/* of a distance from an end: 2 / pi asin(sqrt(distance / width)), by atan2 */
static T arcsine_share(agn_scope *s, T near, T far)
{
    return TIMES(FN(atan2, FN(sqrt, near), FN(sqrt, far)), 2 / PI);
}
OF_X(arcsine_cdf) { return arcsine_share(s, SUB(x, FIRST), SUB(SECOND, x)); }
OF_X(arcsine_survival) { return arcsine_share(s, SUB(SECOND, x), SUB(x, FIRST)); }
OF_X(arcsine_icdf)
{
    T left = LT(x, LIT(0.5)), tail = SEL(left, x, SUB(LIT(1), x));
    T far = MUL(arcsine_width(s, d), FN(square, FN(sin, TIMES(tail, PI / 2))));
    return SEL(left, ADD(FIRST, far), SUB(SECOND, far));
}
DRAW(arcsine_rsample) { return arcsine_icdf(s, d, open_uniform(s, d, key, ndim, shape)); }
OF_PARAMETERS(arcsine_mean) { return ADD(FIRST, TIMES(arcsine_width(s, d), 0.5)); }
OF_PARAMETERS(arcsine_variance) { return TIMES(FN(square, arcsine_width(s, d)), 0.125); }
OF_PARAMETERS(arcsine_entropy)
{
    return PLUS(FN(log, arcsine_width(s, d)), LOG_PI - 2 * LOG_2);
}
static const agni_law agni_law_arcsine = {
    .name = "arcsine", .n = 2, .param = {"low", "high"}, .domain = {AGNI_REAL, AGNI_REAL},
    .order = {{0, 1, true}}, .n_order = 1, .support = AGN_SUPPORT_INTERVAL, .low = first,
    .high = second, .rsample = arcsine_rsample, .log_prob = arcsine_log_prob,
    .cdf = arcsine_cdf, .survival = arcsine_survival, .icdf = arcsine_icdf,
    .mean = arcsine_mean, .variance = arcsine_variance, .entropy = arcsine_entropy,
};
agn_status agn_distribution_arcsine(agn_distribution **out, const agn_tensor *low,
                                    const agn_tensor *high, OPTS)
{
    return MAKE(arcsine, low, high);
}
