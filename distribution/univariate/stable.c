/* distribution/univariate/stable.c - Johnson's S_U (Biometrika 36, 1949); stable laws (Nolan 2020),
   whose numbers are those of Chambers, Mallows & Stuck (JASA 71, 1976); their densities stand in
   stable_density.c. */
#include "distribution/univariate/stable.h"

#include <agnesi/univariate_laws.h>

/* ---- Johnson's S_U: gamma + delta asinh(z) is normal ---------------------------------------- */

enum { GAMMA, DELTA, LOC, SCALE };
#define P(name) d->param[name]

static T johnson_z(agn_scope *s, const agn_distribution *d, T x)
{
    return DIV(SUB(x, P(LOC)), P(SCALE));
}
static T johnson_normal(agn_scope *s, const agn_distribution *d, T x)
{
    return ADD(P(GAMMA), MUL(P(DELTA), FN(asinh, johnson_z(s, d, x))));
}
static T johnson_back(agn_scope *s, const agn_distribution *d, T n)
{
    return ADD(P(LOC), MUL(P(SCALE), FN(sinh, DIV(SUB(n, P(GAMMA)), P(DELTA)))));
}
DRAW(johnson_rsample)
{
    return johnson_back(s, d, FN(normal, key, d->batch.dtype, ndim, shape));
}
OF_X(johnson_log_prob)
{
    T z = johnson_z(s, d, x), n = johnson_normal(s, d, x);
    T root = TIMES(agni_log_one_plus_square(s, z), 0.5);
    T unit = PLUS(SUB(FN(log, P(DELTA)), FN(log, P(SCALE))), -LOG_SQRT_2PI);
    return SUB(unit, ADD(root, TIMES(FN(square, n), 0.5)));
}
OF_X(johnson_cdf)
{
    return FN(ndtr, johnson_normal(s, d, x));
}
OF_X(johnson_survival)
{
    return FN(ndtr, NEG(johnson_normal(s, d, x)));
}
OF_X(johnson_log_cdf)
{
    return FN(log_ndtr, johnson_normal(s, d, x));
}
OF_X(johnson_log_survival)
{
    return FN(log_ndtr, NEG(johnson_normal(s, d, x)));
}
OF_X(johnson_icdf)
{
    return johnson_back(s, d, FN(ndtri, x));
}
OF_PARAMETERS(johnson_mean)
{
    T e = FN(exp, TIMES(FN(reciprocal, FN(square, P(DELTA))), 0.5));
    return SUB(P(LOC), MUL(P(SCALE), MUL(e, FN(sinh, DIV(P(GAMMA), P(DELTA))))));
}
OF_PARAMETERS(johnson_variance)
{
    T r = FN(reciprocal, FN(square, P(DELTA))), c = FN(cosh, TIMES(DIV(P(GAMMA), P(DELTA)), 2));
    T v = MUL(FN(expm1, r), PLUS(MUL(FN(exp, r), c), 1));
    return TIMES(MUL(FN(square, P(SCALE)), v), 0.5);
}
/* scale sinh(y) + loc, delta (gamma + delta y) + tanh y = 0 with y between 0 and -gamma / delta */
OF_PARAMETERS(johnson_mode)
{
    T g = P(GAMMA), b = P(DELTA), end = FN(stop_gradient, NEG(DIV(g, b)));
    T from = FN(minimum, end, LIT(0)), width = FN(abs, end);
    for (int k = 1; k < 60; k++) {
        T y = ADD(from, TIMES(width, ldexp(1, -k)));
        T below = LT(ADD(MUL(b, ADD(g, MUL(b, y))), FN(tanh, y)), LIT(0));
        from = SEL(below, y, from);
    }
    T y = FN(stop_gradient, from);
    for (int i = 0; i < 3; i++) { /* Newton; the last steps carry derivatives */
        T h = FN(tanh, y), slope = PLUS(SUB(FN(square, b), FN(square, h)), 1);
        y = SUB(y, DIV(ADD(MUL(b, ADD(g, MUL(b, y))), h), slope));
    }
    return ADD(P(LOC), MUL(P(SCALE), FN(sinh, y)));
}
/* log(scale sqrt(2 pi e) / delta) + E log cosh((n - gamma) / delta) with n normal. log cosh is
   analytic as far as delta pi / 2: the trapezoidal rule where that is wide, else what log cosh lacks to the
   magnitude, from 0 on. */
OF_PARAMETERS(johnson_entropy)
{
    const double step = 0.125;
    T g = P(GAMMA), b = P(DELTA), w, t = agni_half_line(s, d, &w);
    T narrow = LT(b, LIT(0.5)), wide = SEL(narrow, LIT(1), b), thin = SEL(narrow, b, LIT(0.5));
    T n = TIMES(FN(arange, d->batch.dtype, -80, 81, 1), step);
    T u = FN(abs, DIV(SUB(n, OVER(g)), OVER(wide)));
    T cosh_log = ADD(u, PLUS(FN(log1p, FN(exp, TIMES(u, -2))), -LOG_2));
    T mass = TIMES(FN(exp, PLUS(TIMES(FN(square, n), -0.5), -LOG_SQRT_2PI)), step);
    T by_steps = agni_integrate(s, mass, cosh_log);
    T y = MUL(OVER(thin), t), e = FN(log1p, FN(exp, TIMES(t, -2)));
    T left = FN(exp, PLUS(TIMES(FN(square, SUB(OVER(g), y)), -0.5), -LOG_SQRT_2PI));
    T right = FN(exp, PLUS(TIMES(FN(square, ADD(OVER(g), y)), -0.5), -LOG_SQRT_2PI));
    T more = MUL(thin, agni_integrate(s, w, MUL(ADD(left, right), e)));
    T size = FN(exp, PLUS(TIMES(FN(square, g), -0.5), -LOG_SQRT_2PI)); /* E |n - gamma| */
    size = ADD(TIMES(size, 2), MUL(g, FN(erf, TIMES(g, SQRT_HALF))));
    T by_size = PLUS(ADD(DIV(size, thin), more), -LOG_2);
    T unit = PLUS(SUB(FN(log, P(SCALE)), FN(log, b)), LOG_SQRT_2PI + 0.5);
    return ADD(unit, SEL(narrow, by_size, by_steps));
}
static const agni_law agni_law_johnson_su = {
    .name = "johnson_su",
    .n = 4,
    .param = {"gamma", "delta", "loc", "scale"},
    .domain = {AGNI_REAL, AGNI_POSITIVE, AGNI_REAL, AGNI_POSITIVE},
    .support = AGN_SUPPORT_REAL,
    .rsample = johnson_rsample,
    .log_prob = johnson_log_prob,
    .cdf = johnson_cdf,
    .survival = johnson_survival,
    .log_cdf = johnson_log_cdf,
    .log_survival = johnson_log_survival,
    .icdf = johnson_icdf,
    .mean = johnson_mean,
    .variance = johnson_variance,
    .mode = johnson_mode,
    .entropy = johnson_entropy,
};
agn_status agn_distribution_johnson_su(agn_distribution **out, const agn_tensor *gamma,
                                       const agn_tensor *delta, const agn_tensor *loc,
                                       const agn_tensor *scale,
                                       const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_johnson_su,
                                  (const agn_tensor *[]){gamma, delta, loc, scale}, opts);
}

/* ---- stable ---------------------------------------------------------------------- */

enum { ALPHA, BETA };

DRAW(stable_rsample)
{
    T keys = FN(key_split, key, 2), a = P(ALPHA), b = P(BETA);
    T v = TIMES(PLUS(open_uniform(s, d, FN(index_axis, keys, 0, 0), ndim, shape), -0.5), PI);
    T e = FN(exponential, FN(index_axis, keys, 0, 1), d->batch.dtype, ndim, shape);
    T one = FN(eq, a, LIT(1)), safe = SEL(one, LIT(1.5), a);
    T bend = MUL(b, FN(tan, TIMES(safe, PI / 2))), turn = ADD(MUL(safe, v), FN(atan, bend));
    T lift = FN(log, FN(hypot, LIT(1), bend)), rest = FN(cos, SUB(v, turn));
    T log_size = ADD(SUB(lift, FN(log, FN(cos, v))), MUL(SUB(LIT(1), safe), FN(log, DIV(rest, e))));
    T body = MUL(FN(sin, turn), FN(exp, DIV(log_size, safe)));
    T half = PLUS(MUL(b, v), PI / 2);
    T shift = FN(log, DIV(MUL(TIMES(e, PI / 2), FN(cos, v)), half));
    T at_one = TIMES(SUB(MUL(half, FN(tan, v)), MUL(b, shift)), 2 / PI);
    /* the scale moves the law of alpha 1 (Nolan 2020, 1.3) */
    T move = SEL(one, TIMES(MUL(MUL(b, P(SCALE)), FN(log, P(SCALE))), 2 / PI), LIT(0));
    return ADD(ADD(P(LOC), MUL(P(SCALE), SEL(one, at_one, body))), move);
}
OF_PARAMETERS(stable_mean)
{
    return SEL(GT(P(ALPHA), LIT(1)), P(LOC), LIT((double)NAN));
}
OF_PARAMETERS(stable_variance)
{
    T normal = TIMES(FN(square, P(SCALE)), 2);
    return SEL(FN(eq, P(ALPHA), LIT(2)), normal, LIT((double)INFINITY));
}
/* Of alpha < 1 and |beta| = 1 all lies on one side of loc: by nodes from there on, of the standard law; the
   nearer alpha comes to 1, the steeper its begin. The derivative in beta is not that of such laws alone:
   infinite, not 0. */
OF_PARAMETERS(zero_of) { return FN(zeros_like, P(LOC)); }
static const agni_law agni_law_positive_stable = {
    .name = "stable",
    .n = 4,
    .param = {"alpha", "beta", "loc", "scale"},
    .domain = {AGNI_UP_TO_TWO, AGNI_SIGNED_UNIT, AGNI_REAL, AGNI_POSITIVE},
    .support = AGN_SUPPORT_INTERVAL,
    .low = zero_of,
    .rsample = stable_rsample,
    .log_prob = agni_stable_log_prob,
    .cdf = agni_stable_cdf,
    .survival = agni_stable_survival,
};
static const agn_distribution *make_of(agn_scope *s, const agni_law *law, T const *params,
                                       const agn_distribution_options *o)
{
    agn_distribution *y = NULL;
    if (agn_scope_status(s))
        return NULL;
    return agn_distribution_adopt(s, agni_distribution_make(&y, law, params, o), &y);
}
OF_PARAMETERS(stable_entropy)
{
    const agn_distribution_options o = {.size = sizeof o, .unchecked = true};
    T size = FN(abs, P(BETA)), one = FN(logical_and, FN(eq, size, LIT(1)), LE(P(ALPHA), LIT(0.9)));
    T alpha = SEL(one, P(ALPHA), LIT(0.5)), unit = FN(ones_like, alpha);
    T rest[] = {P(ALPHA), SEL(one, LIT(0), P(BETA)), P(LOC), P(SCALE)};
    const agn_distribution *other = agni_distribution_with(s, d, rest),
                           *above = make_of(s, &agni_law_positive_stable,
                                            (T[]){alpha, unit, FN(zeros_like, alpha), unit}, &o);
    if (!other || !above)
        return NULL;
    T edge = FN(sqrt, SEL(one, PLUS(NEG(size), 1), LIT(1)));
    T here = ADD(ADD(agni_density_entropy(s, above), FN(log, P(SCALE))), edge);
    return SEL(one, here, agni_density_entropy(s, other));
}
static const agni_law agni_law_stable = {
    .name = "stable",
    .n = 4,
    .param = {"alpha", "beta", "loc", "scale"},
    .domain = {AGNI_UP_TO_TWO, AGNI_SIGNED_UNIT, AGNI_REAL, AGNI_POSITIVE},
    .support = AGN_SUPPORT_REAL,
    .rsample = stable_rsample,
    .log_prob = agni_stable_log_prob,
    .cdf = agni_stable_cdf,
    .survival = agni_stable_survival,
    .mean = stable_mean,
    .variance = stable_variance,
    .mode = agni_density_mode,
    .entropy = stable_entropy,
};
agn_status agn_distribution_stable(agn_distribution **out, const agn_tensor *alpha,
                                   const agn_tensor *beta, const agn_tensor *loc,
                                   const agn_tensor *scale, const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_stable,
                                  (const agn_tensor *[]){alpha, beta, loc, scale}, opts);
}
