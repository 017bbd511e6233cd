/* distribution/univariate/waiting.c - laws of waiting times: Levy, inverse Gaussian, Gompertz
   (Johnson, Kotz & Balakrishnan 1994, 15, 18; 1995, 22). */
#include "distribution/expression.h"
#include "tensor/dispatch/op.h"

#include <agnesi/univariate_laws.h>

#define FIRST d->param[0]
#define SECOND d->param[1]
#define MAKE(law, ...) \
    agni_distribution_make(out, &agni_law_##law, (const agn_tensor *[]){__VA_ARGS__}, opts)
#define OPTS const agn_distribution_options *opts

OF_PARAMETERS(infinite)
{
    return make_number(s, d, (double)INFINITY);
}
OF_PARAMETERS(first)
{
    (void)s;
    return FIRST;
}

/* ---- Levy: the reciprocal of the square of a normal number ---------------------------------- */

static T levy_root(agn_scope *s, const agn_distribution *d, T x)
{
    return FN(sqrt, DIV(SECOND, SUB(x, FIRST)));
}
DRAW(levy_rsample)
{
    return ADD(FIRST, DIV(SECOND, FN(square, FN(normal, key, d->batch.dtype, ndim, shape))));
}
OF_X(levy_log_prob)
{
    T y = SUB(x, FIRST), r = FN(log, DIV(SECOND, y));
    return SUB(PLUS(TIMES(r, 0.5), -LOG_SQRT_2PI), ADD(FN(log, y), TIMES(DIV(SECOND, y), 0.5)));
}
OF_X(levy_cdf)
{
    return FN(erfc, TIMES(levy_root(s, d, x), SQRT_HALF));
}
OF_X(levy_survival)
{
    return FN(erf, TIMES(levy_root(s, d, x), SQRT_HALF));
}
OF_X(levy_log_cdf)
{
    T r = levy_root(s, d, x), left = GT(r, LIT(1));
    T far = PLUS(FN(log_ndtr, NEG(SEL(left, r, LIT(1)))), LOG_2);
    return SEL(left, far, FN(log1p, NEG(FN(erf, TIMES(r, SQRT_HALF)))));
}
OF_X(levy_icdf)
{
    return ADD(FIRST, DIV(SECOND, FN(square, FN(ndtri, TIMES(x, 0.5)))));
}
OF_PARAMETERS(levy_mode)
{
    return ADD(FIRST, TIMES(SECOND, 1.0 / 3));
}
OF_PARAMETERS(levy_entropy)
{
    return PLUS(FN(log, SECOND), 0.5 * (1 + 3 * EULER + 4 * LOG_2 + LOG_PI));
}
static const agni_law agni_law_levy = {
    .name = "levy",
    .n = 2,
    .param = {"loc", "scale"},
    .domain = {AGNI_REAL, AGNI_POSITIVE},
    .support = AGN_SUPPORT_POSITIVE,
    .low = first,
    .rsample = levy_rsample,
    .log_prob = levy_log_prob,
    .cdf = levy_cdf,
    .survival = levy_survival,
    .log_cdf = levy_log_cdf,
    .icdf = levy_icdf,
    .mean = infinite,
    .variance = infinite,
    .mode = levy_mode,
    .entropy = levy_entropy,
};
agn_status agn_distribution_levy(agn_distribution **out, const agn_tensor *loc,
                                 const agn_tensor *scale, OPTS)
{
    return MAKE(levy, loc, scale);
}

/* ---- inverse Gaussian: when a Brownian motion with drift first reaches a level -------------- */

/* the root of the chi-squared number, the smaller one with probability mean / (mean + x)
   (Michael, Schucany & Haas 1976); without the difference that cancels */
DRAW(inverse_gaussian_draw)
{
    T keys = FN(key_split, key, 2);
    T z2 = FN(square, FN(normal, FN(index_axis, keys, 0, 0), d->batch.dtype, ndim, shape));
    T u = FN(uniform, FN(index_axis, keys, 0, 1), d->batch.dtype, ndim, shape);
    T r = TIMES(DIV(MUL(z2, FIRST), SECOND), 0.5);
    T small = DIV(FIRST, ADD(PLUS(r, 1), FN(sqrt, MUL(r, PLUS(r, 2)))));
    return SEL(LE(u, DIV(FIRST, ADD(FIRST, small))), small, DIV(FN(square, FIRST), small));
}
DRAW(inverse_gaussian_rsample)
{
    return agni_implicit_path(s, d, inverse_gaussian_draw(s, d, key, ndim, shape));
}
OF_X(inverse_gaussian_log_prob)
{
    T e = DIV(SUB(x, FIRST), FIRST), l = SUB(FN(log, SECOND), TIMES(FN(log, x), 3));
    T inner = TIMES(DIV(MUL(SECOND, FN(square, e)), x), 0.5);
    return SUB(PLUS(TIMES(l, 0.5), -LOG_SQRT_2PI), inner);
}
static T erfcx_slope(agn_scope *s, T z, int64_t order)
{
    return agni_apply_in(s, &agni_op_erfcx, &(agni_attr){.ni = 1, .i = &order}, 1, &z);
}
/* erfcx(c - h) - erfcx(c + h), near and far, by the odd terms of Taylor's series, which are of one
   sign, where h is small beside 1 + c */
static T erfcx_fall(agn_scope *s, T near, T far, T c, T h)
{
    T close = LT(h, TIMES(PLUS(c, 1), 0.01)), at = SEL(close, c, LIT(1)), w = SEL(close, h, LIT(0));
    T w2 = FN(square, w), sum = TIMES(erfcx_slope(s, at, 7), 1.0 / 42);
    sum = TIMES(ADD(erfcx_slope(s, at, 5), MUL(w2, sum)), 1.0 / 20);
    sum = TIMES(ADD(erfcx_slope(s, at, 3), MUL(w2, sum)), 1.0 / 6);
    T series = TIMES(MUL(w, ADD(erfcx_slope(s, at, 1), MUL(w2, sum))), -2);
    return SEL(close, series, SUB(near, far));
}
/* with a = sqrt(shape / x) (x / mean - 1) and b of the sum: exp(-a^2 / 2) / 2 times erfcx(|a|) +
   erfcx(b) to the left of the mean, of a / sqrt 2 and b / sqrt 2, the difference to its right */
static T inverse_gaussian_tail(agn_scope *s, const agn_distribution *d, T x, bool right)
{
    T root = FN(sqrt, DIV(SECOND, x)), a = MUL(root, DIV(SUB(x, FIRST), FIRST));
    T b = MUL(root, DIV(ADD(x, FIRST), FIRST));
    T near = FN(erfcx, TIMES(FN(abs, a), SQRT_HALF)), far = FN(erfcx, TIMES(b, SQRT_HALF));
    T half = TIMES(FN(exp, TIMES(FN(square, a), -0.5)), 0.5);
    if (!right)
        return MUL(half, ADD(near, far));
    T c = TIMES(MUL(root, DIV(x, FIRST)), SQRT_HALF), h = TIMES(root, SQRT_HALF);
    return MUL(half, erfcx_fall(s, near, far, c, h));
}
static T inverse_gaussian_share(agn_scope *s, const agn_distribution *d, T x, bool right)
{
    T own = inverse_gaussian_tail(s, d, x, right), rest = inverse_gaussian_tail(s, d, x, !right);
    return SEL(right ? GT(x, FIRST) : LE(x, FIRST), own, SUB(LIT(1), rest));
}
OF_X(inverse_gaussian_cdf)
{
    return inverse_gaussian_share(s, d, x, false);
}
OF_X(inverse_gaussian_survival)
{
    return inverse_gaussian_share(s, d, x, true);
}
OF_PARAMETERS(inverse_gaussian_variance)
{
    return MUL(FN(square, FIRST), DIV(FIRST, SECOND));
}
OF_PARAMETERS(inverse_gaussian_mode)
{
    T r = TIMES(DIV(FIRST, SECOND), 1.5);
    return DIV(FIRST, ADD(FN(hypot, LIT(1), r), r));
}
/* log(2 pi e mean^3 / shape) / 2 - 3/2 exp(c) E_1(c), c = 2 shape / mean: the product is the integral
   of exp(-t) / (t + c) */
OF_PARAMETERS(inverse_gaussian_entropy)
{
    T w, t = agni_half_line(s, d, &w), c = TIMES(DIV(SECOND, FIRST), 2);
    T f = agni_integrate(s, w, DIV(FN(exp, NEG(t)), ADD(t, OVER(c))));
    T wide = TIMES(SUB(TIMES(FN(log, FIRST), 3), FN(log, SECOND)), 0.5);
    return SUB(PLUS(wide, LOG_SQRT_2PI + 0.5), TIMES(f, 1.5));
}
static const agni_law agni_law_inverse_gaussian = {
    .name = "inverse_gaussian",
    .n = 2,
    .param = {"mean", "shape"},
    .domain = {AGNI_POSITIVE, AGNI_POSITIVE},
    .support = AGN_SUPPORT_POSITIVE,
    .rsample = inverse_gaussian_rsample,
    .log_prob = inverse_gaussian_log_prob,
    .cdf = inverse_gaussian_cdf,
    .survival = inverse_gaussian_survival,
    .mean = first,
    .variance = inverse_gaussian_variance,
    .mode = inverse_gaussian_mode,
    .entropy = inverse_gaussian_entropy,
};
agn_status agn_distribution_inverse_gaussian(agn_distribution **out, const agn_tensor *mean,
                                             const agn_tensor *shape, OPTS)
{
    return MAKE(inverse_gaussian, mean, shape);
}

/* ---- Gompertz: a hazard that grows exponentially -------------------------------------------- */

DRAW(gompertz_rsample)
{
    T e = FN(exponential, key, d->batch.dtype, ndim, shape);
    return DIV(FN(log1p, DIV(e, FIRST)), SECOND);
}
OF_X(gompertz_log_survival)
{
    return NEG(MUL(FIRST, FN(expm1, MUL(SECOND, x))));
}
OF_X(gompertz_log_prob)
{
    T unit = ADD(FN(log, FIRST), FN(log, SECOND));
    return ADD(ADD(unit, MUL(SECOND, x)), gompertz_log_survival(s, d, x));
}
OF_X(gompertz_cdf)
{
    return NEG(FN(expm1, gompertz_log_survival(s, d, x)));
}
OF_X(gompertz_survival)
{
    return FN(exp, gompertz_log_survival(s, d, x));
}
OF_X(gompertz_icdf)
{
    return DIV(FN(log1p, DIV(NEG(FN(log1p, NEG(x))), FIRST)), SECOND);
}
OF_PARAMETERS(gompertz_mean)
{
    return DIV(MUL(FN(exp, FIRST), FN(expn, FIRST, 1)), SECOND);
}
OF_PARAMETERS(gompertz_mode)
{
    return DIV(FN(relu, NEG(FN(log, FIRST))), SECOND);
}
/* 1 - log(concentration rate) - E[rate x] */
OF_PARAMETERS(gompertz_entropy)
{
    T unit = ADD(FN(log, FIRST), FN(log, SECOND));
    return SUB(LIT(1), ADD(unit, MUL(SECOND, gompertz_mean(s, d))));
}
static const agni_law agni_law_gompertz = {
    .name = "gompertz",
    .n = 2,
    .param = {"concentration", "rate"},
    .domain = {AGNI_POSITIVE, AGNI_POSITIVE},
    .support = AGN_SUPPORT_NONNEGATIVE,
    .rsample = gompertz_rsample,
    .log_prob = gompertz_log_prob,
    .cdf = gompertz_cdf,
    .survival = gompertz_survival,
    .log_survival = gompertz_log_survival,
    .icdf = gompertz_icdf,
    .mean = gompertz_mean,
    .variance = agni_density_variance,
    .mode = gompertz_mode,
    .entropy = gompertz_entropy,
};
agn_status agn_distribution_gompertz(agn_distribution **out, const agn_tensor *concentration,
                                     const agn_tensor *rate, OPTS)
{
    return MAKE(gompertz, concentration, rate);
}
