/* distribution/univariate/lengths.c - laws of lengths of normal vectors: Rayleigh, Maxwell, Rice
   (Johnson, Kotz & Balakrishnan 1994, 18). */
#include "distribution/expression.h"

#include <agnesi/univariate_laws.h>

#define FIRST d->param[0]
#define MAKE(law, ...) \
    agni_distribution_make(out, &agni_law_##law, (const agn_tensor *[]){__VA_ARGS__}, opts)
#define OPTS const agn_distribution_options *opts

OF_PARAMETERS(first)
{
    (void)s;
    return FIRST;
}

/* ---- Rayleigh and Maxwell: lengths of normal vectors of two and three numbers --------------- */

OF_X(half_square)
{
    return TIMES(FN(square, DIV(x, FIRST)), 0.5);
}

DRAW(rayleigh_rsample)
{
    T e = FN(exponential, key, d->batch.dtype, ndim, shape);
    return MUL(FIRST, FN(sqrt, TIMES(e, 2)));
}
OF_X(rayleigh_log_prob)
{
    T r = SUB(FN(log, x), TIMES(FN(log, FIRST), 2));
    return SUB(r, half_square(s, d, x));
}
OF_X(rayleigh_log_survival)
{
    return NEG(half_square(s, d, x));
}
OF_X(rayleigh_survival)
{
    return FN(exp, rayleigh_log_survival(s, d, x));
}
OF_X(rayleigh_cdf)
{
    return NEG(FN(expm1, rayleigh_log_survival(s, d, x)));
}
OF_X(rayleigh_icdf)
{
    return MUL(FIRST, FN(sqrt, TIMES(FN(log1p, NEG(x)), -2)));
}
OF_PARAMETERS(rayleigh_mean)
{
    return TIMES(FIRST, sqrt(PI / 2));
}
OF_PARAMETERS(rayleigh_variance)
{
    return TIMES(FN(square, FIRST), 2 - PI / 2);
}
OF_PARAMETERS(rayleigh_entropy)
{
    return PLUS(FN(log, FIRST), 1 + 0.5 * (EULER - LOG_2));
}
static const agni_law agni_law_rayleigh = {
    .name = "rayleigh",
    .n = 1,
    .param = {"scale"},
    .domain = {AGNI_POSITIVE},
    .support = AGN_SUPPORT_NONNEGATIVE,
    .rsample = rayleigh_rsample,
    .log_prob = rayleigh_log_prob,
    .cdf = rayleigh_cdf,
    .survival = rayleigh_survival,
    .log_survival = rayleigh_log_survival,
    .icdf = rayleigh_icdf,
    .mean = rayleigh_mean,
    .variance = rayleigh_variance,
    .mode = first,
    .entropy = rayleigh_entropy,
};
agn_status agn_distribution_rayleigh(agn_distribution **out, const agn_tensor *scale, OPTS)
{
    return MAKE(rayleigh, scale);
}

static T three_halves(agn_scope *s, const agn_distribution *d)
{
    return make_number(s, d, 1.5);
}
DRAW(maxwell_rsample)
{
    T keys = FN(key_split, key, 3), sum = NULL;
    for (int64_t k = 0; k < 3; k++) {
        T z = FN(normal, FN(index_axis, keys, 0, k), d->batch.dtype, ndim, shape);
        sum = sum ? ADD(sum, FN(square, z)) : FN(square, z);
    }
    return MUL(FIRST, FN(sqrt, sum));
}
OF_X(maxwell_log_prob)
{
    T r = SUB(FN(log, DIV(x, FIRST)), TIMES(half_square(s, d, x), 0.5));
    return PLUS(SUB(TIMES(r, 2), FN(log, FIRST)), 0.5 * (LOG_2 - LOG_PI));
}
OF_X(maxwell_cdf)
{
    return FN(gammainc, three_halves(s, d), half_square(s, d, x));
}
OF_X(maxwell_survival)
{
    return FN(gammaincc, three_halves(s, d), half_square(s, d, x));
}
OF_X(maxwell_icdf)
{
    return MUL(FIRST, FN(sqrt, TIMES(FN(gammaincinv, three_halves(s, d), x), 2)));
}
OF_PARAMETERS(maxwell_mean)
{
    return TIMES(FIRST, 2 * sqrt(2 / PI));
}
OF_PARAMETERS(maxwell_variance)
{
    return TIMES(FN(square, FIRST), 3 - 8 / PI);
}
OF_PARAMETERS(maxwell_mode)
{
    return TIMES(FIRST, sqrt(2));
}
OF_PARAMETERS(maxwell_entropy)
{
    return PLUS(FN(log, FIRST), LOG_SQRT_2PI + EULER - 0.5);
}
static const agni_law agni_law_maxwell = {
    .name = "maxwell",
    .n = 1,
    .param = {"scale"},
    .domain = {AGNI_POSITIVE},
    .support = AGN_SUPPORT_NONNEGATIVE,
    .rsample = maxwell_rsample,
    .log_prob = maxwell_log_prob,
    .cdf = maxwell_cdf,
    .survival = maxwell_survival,
    .icdf = maxwell_icdf,
    .mean = maxwell_mean,
    .variance = maxwell_variance,
    .mode = maxwell_mode,
    .entropy = maxwell_entropy,
};
agn_status agn_distribution_maxwell(agn_distribution **out, const agn_tensor *scale, OPTS)
{
    return MAKE(maxwell, scale);
}

/* ---- Rice: the length of a vector of two normal numbers about a point off the origin -------- */

#define SECOND d->param[1]

DRAW(rice_rsample)
{
    T keys = FN(key_split, key, 2);
    T u = FN(normal, FN(index_axis, keys, 0, 0), d->batch.dtype, ndim, shape);
    T v = FN(normal, FN(index_axis, keys, 0, 1), d->batch.dtype, ndim, shape);
    return FN(hypot, ADD(FIRST, MUL(SECOND, u)), MUL(SECOND, v));
}
OF_X(rice_log_prob)
{
    T z = DIV(x, SECOND), a = DIV(FIRST, SECOND), log_i = FN(log, FN(i0e, MUL(a, z)));
    T half = TIMES(FN(square, SUB(z, a)), 0.5);
    return ADD(SUB(SUB(FN(log, z), FN(log, SECOND)), half), log_i);
}
/* Log of the share beyond z, the integral of t exp(-(t - a)^2 / 2) I_0(a t) exp(-a t) over t > z, or of
   that below it, of z exp(-(t - z)^2 / 2) I_1(z t) exp(-z t) over t > a (Marcum 1950; DLMF 10.29.2). The
   one is asked for from a + 1 on, the other up to there. */
static T rice_log_part(agn_scope *s, const agn_distribution *d, T z, T a, bool right)
{
    T from = right ? z : a, of = right ? a : z, gap = SUB(from, of), w;
    T t = agni_half_line(s, d, &w), far = FN(stop_gradient, FN(relu, gap));
    T width = FN(reciprocal, PLUS(far, 1)), v = MUL(OVER(width), t);
    T fall = FN(exp, NEG(MUL(v, ADD(OVER(gap), TIMES(v, 0.5)))));
    T at = ADD(OVER(from), v), y = MUL(OVER(of), at);
    T k = right ? MUL(at, FN(i0e, y)) : MUL(OVER(of), FN(i1e, y));
    T f = MUL(width, agni_integrate(s, w, MUL(k, fall)));
    return SUB(FN(log, f), TIMES(FN(square, gap), 0.5));
}
static T rice_log_share(agn_scope *s, const agn_distribution *d, T x, bool right)
{
    T z = DIV(x, SECOND), a = DIV(FIRST, SECOND), edge = PLUS(a, 1), far = GT(z, edge);
    T below = rice_log_part(s, d, SEL(far, edge, z), a, false);
    T beyond = rice_log_part(s, d, SEL(far, z, edge), a, true);
    T rest = FN(log1p, NEG(FN(exp, right ? below : beyond)));
    return right ? SEL(far, beyond, rest) : SEL(far, rest, below);
}
OF_X(rice_log_cdf) { return rice_log_share(s, d, x, false); }
OF_X(rice_log_survival) { return rice_log_share(s, d, x, true); }
OF_X(rice_cdf) { return FN(exp, rice_log_cdf(s, d, x)); }
OF_X(rice_survival) { return FN(exp, rice_log_survival(s, d, x)); }
OF_PARAMETERS(rice_mean)
{
    T y = TIMES(FN(square, DIV(FIRST, SECOND)), 0.5), half = TIMES(y, 0.5);
    T sum = ADD(MUL(PLUS(y, 1), FN(i0e, half)), MUL(y, FN(i1e, half)));
    return TIMES(MUL(SECOND, sum), sqrt(PI / 2));
}
/* 2 + 2 y - mean^2, where y is large by the series of 1F1(-1/2, 1, -y) in 1 / y (DLMF 13.7.2) */
OF_PARAMETERS(rice_variance)
{
    static const double c[] = {-4115096976375.0 / 4194304, -202794141375.0 / 2097152,
                               -2768244255.0 / 262144,     -169413615.0 / 131072,
                               -5894595.0 / 32768,         -475155.0 / 16384,
                               -5685.0 / 1024,             -669.0 / 512,
                               -51.0 / 128,                -11.0 / 64,
                               -1.0 / 8,                   -1.0 / 4};
    T y = TIMES(FN(square, DIV(FIRST, SECOND)), 0.5), near = LT(y, LIT(40)), sum = LIT(0);
    T r = FN(reciprocal, SEL(near, LIT(40), y));
    for (int i = 0; i < 12; i++)
        sum = MUL(PLUS(sum, c[i]), r);
    T at = SEL(near, y, LIT(1)), half = TIMES(at, 0.5);
    T m = ADD(MUL(PLUS(at, 1), FN(i0e, half)), MUL(at, FN(i1e, half)));
    T small = SUB(PLUS(TIMES(at, 2), 2), TIMES(FN(square, m), PI / 2));
    return MUL(FN(square, SECOND), SEL(near, small, PLUS(sum, 1)));
}
/* the slope of the log density at z, 1 / z - z + a r, r = I_1(a z) / I_0(a z) */
static T rice_ratio(agn_scope *s, T y) { return DIV(FN(i1e, y), FN(i0e, y)); }
static T rice_slope(agn_scope *s, T a, T z)
{
    return ADD(SUB(FN(reciprocal, z), z), MUL(a, rice_ratio(s, MUL(a, z))));
}
/* of r: 1 - r / y - r^2, or its series where that cancels */
static T rice_ratio_slope(agn_scope *s, T y)
{
    T large = GT(y, LIT(1e3)), tiny = LT(y, LIT(1e-8));
    T at = SEL(FN(logical_or, large, tiny), LIT(1), y), r = rice_ratio(s, at);
    T q = FN(reciprocal, SEL(large, y, LIT(1e3)));
    T series = MUL(FN(square, q), PLUS(MUL(q, PLUS(MUL(q, PLUS(TIMES(q, 25.0 / 32), 0.375)), 0.25)), 0.5));
    T plain = SUB(SUB(LIT(1), DIV(r, at)), FN(square, r));
    return SEL(large, series, SEL(tiny, LIT(0.5), plain));
}
OF_PARAMETERS(rice_mode)
{
    T a = DIV(FIRST, SECOND), share = FN(stop_gradient, FN(zeros_like, a)), still = FN(stop_gradient, a);
    for (int b = 1; b < 54; b++) { /* from 1 to 1 + a */
        T more = PLUS(share, ldexp(1, -b)), at = PLUS(MUL(still, more), 1);
        share = SEL(GT(rice_slope(s, still, at), LIT(0)), more, share);
    }
    T z = PLUS(MUL(still, FN(stop_gradient, share)), 1);
    for (int i = 0; i < 3; i++) { /* Newton; the last steps carry derivatives */
        T bend = MUL(FN(square, a), rice_ratio_slope(s, MUL(a, z)));
        T fall = SUB(PLUS(FN(square, FN(reciprocal, z)), 1), bend);
        z = ADD(z, DIV(rice_slope(s, a, z), fall));
    }
    return MUL(SECOND, z);
}
static const agni_law agni_law_rice = {
    .name = "rice",
    .n = 2,
    .param = {"nu", "scale"},
    .domain = {AGNI_NONNEGATIVE, AGNI_POSITIVE},
    .support = AGN_SUPPORT_NONNEGATIVE,
    .rsample = rice_rsample,
    .log_prob = rice_log_prob,
    .cdf = rice_cdf,
    .survival = rice_survival,
    .log_cdf = rice_log_cdf,
    .log_survival = rice_log_survival,
    .mean = rice_mean,
    .variance = rice_variance,
    .mode = rice_mode,
    .entropy = agni_density_entropy,
};
agn_status agn_distribution_rice(agn_distribution **out, const agn_tensor *nu,
                                 const agn_tensor *scale, OPTS)
{
    return MAKE(rice, nu, scale);
}
