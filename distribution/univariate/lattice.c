/* distribution/univariate/lattice.c - laws of waiting times rounded to whole numbers: discrete Laplace (Inusah &
   Kozubowski 2006), discrete Weibull (Nakagawa & Osaki 1975). */
#include "distribution/expression.h"

#include <agnesi/univariate_laws.h>

#define FIRST d->param[0]
#define SECOND d->param[1]
#define OPTS const agn_distribution_options *opts
#define MAKE(law, ...) \
    agni_distribution_make(out, &agni_law_##law, (const agn_tensor *[]){__VA_ARGS__}, opts)

/* ---- discrete Laplace: the difference of two geometric numbers, tanh(a / 2) exp(-a |k|) -------- */

OF_PARAMETERS(no_low_end) { return make_number(s, d, -(double)INFINITY); }
DRAW(laplace_draw)
{
    T keys = FN(key_split, key, 2), part[2];
    for (int i = 0; i < 2; i++) {
        T e = FN(exponential, FN(index_axis, keys, 0, i), d->batch.dtype, ndim, shape);
        part[i] = FN(floor, DIV(e, FN(stop_gradient, FIRST)));
    }
    return SUB(part[0], part[1]);
}
/* log tanh(a / 2) = log(1 - e^-a) - log(1 + e^-a), where tanh is next to 1, too */
static T laplace_log_top(agn_scope *s, T a)
{
    T far = GT(a, LIT(LOG_2)), part = FN(exp, NEG(a));
    T less = SEL(far, FN(log1p, NEG(SEL(far, part, LIT(0.5)))), FN(log, NEG(FN(expm1, NEG(a)))));
    return SUB(less, FN(log1p, part));
}
OF_X(laplace_log_prob)
{
    return SUB(laplace_log_top(s, FIRST), MUL(FIRST, FN(abs, FN(stop_gradient, x))));
}
/* log of the share to k, k below 0, or beyond -k - 1 */
static T laplace_log_tail(agn_scope *s, T a, T k) { return SUB(MUL(a, PLUS(k, 1)), FN(softplus, a)); }
static T laplace_share(agn_scope *s, const agn_distribution *d, T x, bool right, bool log)
{
    T k = FN(stop_gradient, x), at = right ? SUB(LIT(-1), k) : k, far = LT(at, LIT(0));
    T tail = laplace_log_tail(s, FIRST, SEL(far, at, LIT(-1)));
    T rest = FN(exp, laplace_log_tail(s, FIRST, SEL(far, LIT(-1), SUB(LIT(-1), at))));
    T share = log ? SEL(far, tail, FN(log1p, NEG(rest))) : SEL(far, FN(exp, tail), SUB(LIT(1), rest));
    return SEL(FN(isnan, x), x, share);
}
OF_X(laplace_cdf) { return laplace_share(s, d, x, false, false); }
OF_X(laplace_survival) { return laplace_share(s, d, x, true, false); }
OF_X(laplace_log_cdf) { return laplace_share(s, d, x, false, true); }
OF_X(laplace_log_survival) { return laplace_share(s, d, x, true, true); }
/* by the inverse of a tail, and its neighbours by the cdf */
OF_X(laplace_icdf)
{
    T p = x, rest = SUB(LIT(1), p), up = FN(softplus, FIRST);
    T left = LE(p, FN(exp, laplace_log_tail(s, FIRST, LIT(-1))));
    T low = PLUS(DIV(ADD(FN(log, p), up), FIRST), -1), high = DIV(ADD(FN(log, rest), up), NEG(FIRST));
    T k = FN(ceil, SEL(left, low, high)), less = PLUS(k, -1);
    k = SEL(GE(laplace_cdf(s, d, less), p), less, SEL(GE(laplace_cdf(s, d, k), p), k, PLUS(k, 1)));
    return FN(stop_gradient, k);
}
OF_PARAMETERS(laplace_middle) { return make_number(s, d, 0); }
OF_PARAMETERS(laplace_variance)
{
    return TIMES(FN(reciprocal, FN(square, FN(sinh, TIMES(FIRST, 0.5)))), 0.5);
}
OF_PARAMETERS(laplace_entropy)
{
    return SUB(DIV(FIRST, FN(sinh, FIRST)), laplace_log_top(s, FIRST));
}
static const agni_law agni_law_discrete_laplace = {
    .name = "discrete_laplace",
    .n = 1,
    .param = {"rate"},
    .domain = {AGNI_POSITIVE},
    .support = AGN_SUPPORT_COUNTS,
    .low = no_low_end,
    .draw = laplace_draw,
    .log_prob = laplace_log_prob,
    .cdf = laplace_cdf,
    .survival = laplace_survival,
    .log_cdf = laplace_log_cdf,
    .log_survival = laplace_log_survival,
    .icdf = laplace_icdf,
    .mean = laplace_middle,
    .variance = laplace_variance,
    .mode = laplace_middle,
    .entropy = laplace_entropy,
};
agn_status agn_distribution_discrete_laplace(agn_distribution **out, const agn_tensor *rate, OPTS)
{
    return MAKE(discrete_laplace, rate);
}

/* ---- discrete Weibull: more than k with probability q^((k + 1)^beta) -------------------------- */

/* k^beta log q */
static T weibull_log_beyond(agn_scope *s, const agn_distribution *d, T k)
{
    return MUL(FN(pow, k, SECOND), FN(log, FIRST));
}
/* of k to k + 1, the fall of the log times expm1(beta log(1 + 1 / k)) */
OF_X(weibull_log_prob)
{
    T k = FN(stop_gradient, x), zero = FN(eq, k, LIT(0)), some = SEL(zero, LIT(1), k);
    T from = weibull_log_beyond(s, d, some), by = FN(expm1, MUL(SECOND, FN(log1p, FN(reciprocal, some))));
    T later = ADD(from, FN(log, NEG(FN(expm1, MUL(from, by)))));
    return SEL(zero, FN(log1p, NEG(FIRST)), later);
}
OF_X(weibull_log_survival)
{
    return SEL(FN(isnan, x), x, weibull_log_beyond(s, d, PLUS(FN(stop_gradient, x), 1)));
}
OF_X(weibull_survival) { return FN(exp, weibull_log_survival(s, d, x)); }
OF_X(weibull_cdf) { return NEG(FN(expm1, weibull_log_survival(s, d, x))); }
DRAW(weibull_draw)
{
    T e = FN(exponential, key, d->batch.dtype, ndim, shape), q = FN(stop_gradient, FIRST);
    T power = FN(reciprocal, FN(stop_gradient, SECOND));
    return FN(floor, FN(pow, DIV(e, NEG(FN(log, q))), power));
}
/* Of a wide law neighbours differ by less than what is rounded of their logarithms: there it is the
   mode of Weibull's law, less its fraction. */
OF_PARAMETERS(weibull_mode)
{
    T b = FN(maximum, SECOND, LIT(1)), inverse = FN(reciprocal, b);
    T peak = FN(pow, DIV(SUB(LIT(1), inverse), NEG(FN(log, FIRST))), inverse);
    T wide = GT(MUL(peak, inverse), LIT(d->batch.dtype == AGN_F32 ? 1e2 : 1e5));
    return SEL(wide, FN(stop_gradient, FN(floor, peak)), agni_count_mode(s, d));
}
static const agni_law agni_law_discrete_weibull = {
    .name = "discrete_weibull",
    .n = 2,
    .param = {"probs", "concentration"},
    .domain = {AGNI_INSIDE_UNIT, AGNI_POSITIVE},
    .support = AGN_SUPPORT_COUNTS,
    .draw = weibull_draw,
    .log_prob = weibull_log_prob,
    .cdf = weibull_cdf,
    .survival = weibull_survival,
    .log_survival = weibull_log_survival,
    .mean = agni_density_mean,
    .variance = agni_density_variance,
    .mode = weibull_mode,
    .entropy = agni_density_entropy,
};
agn_status agn_distribution_discrete_weibull(agn_distribution **out, const agn_tensor *probs,
                                             const agn_tensor *concentration, OPTS)
{
    return MAKE(discrete_weibull, probs, concentration);
}
