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
};
agn_status agn_distribution_stable(agn_distribution **out, const agn_tensor *alpha,
                                   const agn_tensor *beta, const agn_tensor *loc,
                                   const agn_tensor *scale, const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_stable,
                                  (const agn_tensor *[]){alpha, beta, loc, scale}, opts);
}
