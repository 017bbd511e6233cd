/* distribution/univariate/positive.c - laws of one side: log-normal, Weibull, Pareto, generalised
   Pareto, half laws. */
#include "distribution/expression.h"

/* log(x / by), and its power exp(k log), where the quotient is no normal number too */
static T is_extreme(agn_scope *s, const agn_distribution *d, T q)
{
    double end = d->batch.dtype == AGN_F32 ? 0x1p120 : 0x1p1000;
    return FN(logical_or, LT(q, LIT(1 / end)), GT(q, LIT(end)));
}
T agni_log_quotient(agn_scope *s, const agn_distribution *d, T x, T by)
{
    T q = DIV(x, by), far = is_extreme(s, d, q);
    return SEL(far, SUB(FN(log, x), FN(log, by)), FN(log, SEL(far, LIT(1), q)));
}
T agni_quotient_power(agn_scope *s, const agn_distribution *d, T x, T by, T k)
{
    T q = DIV(x, by), far = FN(logical_and, is_extreme(s, d, q), GT(x, LIT(0)));
    T apart = MUL(k, SUB(FN(log, SEL(far, x, by)), FN(log, by)));
    return SEL(far, FN(exp, apart), FN(pow, SEL(far, LIT(1), q), k));
}

/* ---- log-normal --------------------------------------------------------------------- */

enum { LOC, SCALE };
#define MU d->param[LOC]
#define SIGMA d->param[SCALE]

DRAW(log_normal_rsample) { return FN(random_log_normal, key, MU, SIGMA, ndim, shape); }
OF_X(log_standardise) { return DIV(SUB(FN(log, x), MU), SIGMA); }
OF_X(log_normal_log_prob)
{
    T half = TIMES(FN(square, log_standardise(s, d, x)), -0.5);
    return SUB(half, ADD(FN(log, x), PLUS(FN(log, SIGMA), LOG_SQRT_2PI)));
}
OF_X(log_normal_cdf) { return FN(ndtr, log_standardise(s, d, x)); }
OF_X(log_normal_survival) { return FN(ndtr, NEG(log_standardise(s, d, x))); }
OF_X(log_normal_log_cdf) { return FN(log_ndtr, log_standardise(s, d, x)); }
OF_X(log_normal_log_survival) { return FN(log_ndtr, NEG(log_standardise(s, d, x))); }
OF_X(log_normal_icdf) { return FN(exp, ADD(MU, MUL(SIGMA, FN(ndtri, x)))); }
OF_PARAMETERS(log_normal_mean) { return FN(exp, ADD(MU, TIMES(FN(square, SIGMA), 0.5))); }
OF_PARAMETERS(log_normal_variance)
{
    T v = FN(square, SIGMA);
    return MUL(FN(expm1, v), FN(exp, ADD(TIMES(MU, 2), v)));
}
OF_PARAMETERS(log_normal_mode) { return FN(exp, SUB(MU, FN(square, SIGMA))); }
OF_PARAMETERS(log_normal_entropy) { return ADD(MU, PLUS(FN(log, SIGMA), 0.5 + LOG_SQRT_2PI)); }
const agni_law agni_law_log_normal = {
    .name = "log_normal", .n = 2, .param = {"loc", "scale"},
    .domain = {AGNI_REAL, AGNI_POSITIVE}, .support = AGN_SUPPORT_POSITIVE,
    .rsample = log_normal_rsample, .log_prob = log_normal_log_prob, .cdf = log_normal_cdf,
    .survival = log_normal_survival, .log_cdf = log_normal_log_cdf,
    .log_survival = log_normal_log_survival, .icdf = log_normal_icdf, .mean = log_normal_mean,
    .variance = log_normal_variance, .mode = log_normal_mode, .entropy = log_normal_entropy,
};

/* ---- Weibull ------------------------------------------------------------------------ */

enum { W_SCALE, W_SHAPE };
#define L d->param[W_SCALE]
#define K d->param[W_SHAPE]

DRAW(weibull_rsample)
{
    T e = FN(exponential, key, d->batch.dtype, ndim, shape);
    return MUL(L, FN(pow, e, FN(reciprocal, K)));
}
OF_X(weibull_log_survival) { return NEG(agni_quotient_power(s, d, x, L, K)); }
OF_X(weibull_log_prob)
{
    T z = DIV(x, L), unit = SUB(FN(log, K), FN(log, L)), zero = LE(x, LIT(0));
    T slope = MUL(PLUS(K, -1), agni_log_quotient(s, d, SEL(zero, L, x), L));
    slope = SEL(zero, FN(xlogy, PLUS(K, -1), z), slope); /* K of 1 at 0 */
    return SUB(ADD(unit, slope), agni_quotient_power(s, d, x, L, K));
}
OF_X(weibull_cdf) { return NEG(FN(expm1, weibull_log_survival(s, d, x))); }
OF_X(weibull_survival) { return FN(exp, weibull_log_survival(s, d, x)); }
OF_X(weibull_icdf)
{
    return MUL(L, FN(pow, NEG(FN(log1p, NEG(x))), FN(reciprocal, K)));
}
static T weibull_moment(agn_scope *s, const agn_distribution *d, double order)
{
    return FN(exp, FN(lgamma, PLUS(TIMES(FN(reciprocal, K), order), 1)));
}
OF_PARAMETERS(weibull_mean) { return MUL(L, weibull_moment(s, d, 1)); }
/* E x^2 (1 - (E x)^2 / E x^2), the quotient by its logarithm */
OF_PARAMETERS(weibull_variance)
{
    T q = FN(reciprocal, K), bend = agni_log_gamma_bend(s, PLUS(q, 1), q);
    return MUL(FN(square, L), MUL(weibull_moment(s, d, 2), NEG(FN(expm1, NEG(bend)))));
}
OF_PARAMETERS(weibull_mode)
{
    T base = SEL(GT(K, LIT(1)), DIV(PLUS(K, -1), K), LIT(1));
    T at = MUL(L, FN(pow, base, FN(reciprocal, K)));
    return SEL(GT(K, LIT(1)), at, LIT(0));
}
OF_PARAMETERS(weibull_entropy)
{
    T rest = TIMES(SUB(LIT(1), FN(reciprocal, K)), EULER);
    return PLUS(ADD(rest, SUB(FN(log, L), FN(log, K))), 1);
}
/* (Bauckhage 2013) */
OF_BOTH(agni_kl_weibull)
{
    T l1 = p->param[W_SCALE], k1 = p->param[W_SHAPE], l2 = q->param[W_SCALE],
      k2 = q->param[W_SHAPE], r = DIV(k2, k1), log_l = FN(log, DIV(l1, l2));
    T more = FN(expm1, ADD(MUL(k2, log_l), FN(lgamma, PLUS(r, 1))));
    T rest = SUB(TIMES(PLUS(r, -1), EULER), ADD(FN(log, r), MUL(k2, log_l)));
    return ADD(rest, more);
}
const agni_law agni_law_weibull = {
    .name = "weibull", .n = 2, .param = {"scale", "concentration"},
    .domain = {AGNI_POSITIVE, AGNI_POSITIVE}, .support = AGN_SUPPORT_NONNEGATIVE,
    .rsample = weibull_rsample, .log_prob = weibull_log_prob, .cdf = weibull_cdf,
    .survival = weibull_survival, .log_survival = weibull_log_survival, .icdf = weibull_icdf,
    .mean = weibull_mean, .variance = weibull_variance, .mode = weibull_mode,
    .entropy = weibull_entropy,
};

/* ---- Pareto ------------------------------------------------------------------------- */

enum { P_SCALE, ALPHA };
#define M d->param[P_SCALE]
#define A d->param[ALPHA]

DRAW(pareto_rsample)
{
    T e = FN(exponential, key, d->batch.dtype, ndim, shape);
    return MUL(M, FN(exp, DIV(e, A)));
}
OF_PARAMETERS(pareto_low) { (void)s; return M; }
OF_X(pareto_log_survival) { return NEG(MUL(A, agni_log_quotient(s, d, x, M))); }
OF_X(pareto_log_prob)
{
    T log_r = agni_log_quotient(s, d, x, M);
    return SUB(SUB(FN(log, A), FN(log, M)), MUL(PLUS(A, 1), log_r));
}
OF_X(pareto_cdf) { return NEG(FN(expm1, pareto_log_survival(s, d, x))); }
OF_X(pareto_survival) { return FN(exp, pareto_log_survival(s, d, x)); }
OF_X(pareto_icdf) { return MUL(M, FN(exp, DIV(NEG(FN(log1p, NEG(x))), A))); }
OF_PARAMETERS(pareto_mean)
{
    return SEL(GT(A, LIT(1)), DIV(MUL(A, M), PLUS(A, -1)), LIT((double)INFINITY));
}
OF_PARAMETERS(pareto_variance)
{
    T v = DIV(MUL(FN(square, DIV(M, PLUS(A, -1))), A), PLUS(A, -2));
    return SEL(GT(A, LIT(2)), v, LIT((double)INFINITY));
}
OF_PARAMETERS(pareto_entropy)
{
    return PLUS(ADD(SUB(FN(log, M), FN(log, A)), FN(reciprocal, A)), 1);
}
/* infinite where q has no density at all that p reaches */
OF_BOTH(agni_kl_pareto)
{
    T m1 = p->param[P_SCALE], a1 = p->param[ALPHA], m2 = q->param[P_SCALE], a2 = q->param[ALPHA];
    T e = DIV(SUB(a2, a1), a1);
    T log_r = SEL(LT(FN(abs, e), LIT(0.5)), FN(log1p, e), FN(log, DIV(a2, a1)));
    T kl = ADD(MUL(a2, FN(log, DIV(m1, m2))), SUB(e, log_r));
    return SEL(LT(m1, m2), LIT((double)INFINITY), kl);
}
const agni_law agni_law_pareto = {
    .name = "pareto", .n = 2, .param = {"scale", "alpha"},
    .domain = {AGNI_POSITIVE, AGNI_POSITIVE}, .support = AGN_SUPPORT_INTERVAL,
    .low = pareto_low, .rsample = pareto_rsample, .log_prob = pareto_log_prob,
    .cdf = pareto_cdf, .survival = pareto_survival, .log_survival = pareto_log_survival,
    .icdf = pareto_icdf, .mean = pareto_mean, .variance = pareto_variance, .mode = pareto_low,
    .entropy = pareto_entropy,
};

/* ---- generalised Pareto ------------------------------------------------------------- */

enum { G_LOC, G_SCALE, G_SHAPE };
#define G_AT d->param[G_LOC]
#define G_BY d->param[G_SCALE]
#define C d->param[G_SHAPE]

/* f(u) / u with f(u) ~ u + c2 u^2 + c3 u^3 + ... near 0, where its terms to u^7 are good to
   2e-17 */
T agni_over_argument(agn_scope *s, T u, T f, const double *c)
{
    T near = LT(FN(abs, u), LIT(0.004)), sum = LIT(c[6]);
    for (int k = 5; k >= 0; k--)
        sum = PLUS(MUL(sum, u), c[k]);
    return SEL(near, sum, DIV(f, u));
}
/* log(1 + c z) / c, and (exp(c g) - 1) / c */
T agni_log_ratio(agn_scope *s, T c, T z)
{
    static const double series[] = {1, -1.0 / 2, 1.0 / 3, -1.0 / 4, 1.0 / 5, -1.0 / 6, 1.0 / 7};
    T u = MUL(c, z);
    return MUL(z, agni_over_argument(s, u, FN(log1p, u), series));
}
T agni_exp_ratio(agn_scope *s, T c, T g)
{
    static const double series[] = {1,         1.0 / 2,   1.0 / 6,   1.0 / 24,
                                    1.0 / 120, 1.0 / 720, 1.0 / 5040};
    T u = MUL(c, g);
    return MUL(g, agni_over_argument(s, u, FN(expm1, u), series));
}
OF_PARAMETERS(gp_low) { (void)s; return G_AT; }
OF_PARAMETERS(gp_high)
{
    return SEL(LT(C, LIT(0)), SUB(G_AT, DIV(G_BY, C)), LIT((double)INFINITY));
}
DRAW(gp_rsample)
{
    T e = FN(exponential, key, d->batch.dtype, ndim, shape);
    return ADD(G_AT, MUL(G_BY, agni_exp_ratio(s, C, e)));
}
OF_X(gp_log_survival) { return NEG(agni_log_ratio(s, C, DIV(SUB(x, G_AT), G_BY))); }
OF_X(gp_log_prob) { return SUB(MUL(PLUS(C, 1), gp_log_survival(s, d, x)), FN(log, G_BY)); }
OF_X(gp_cdf) { return NEG(FN(expm1, gp_log_survival(s, d, x))); }
OF_X(gp_survival) { return FN(exp, gp_log_survival(s, d, x)); }
OF_X(gp_icdf) { return ADD(G_AT, MUL(G_BY, agni_exp_ratio(s, C, NEG(FN(log1p, NEG(x)))))); }
OF_PARAMETERS(gp_mean)
{
    T m = ADD(G_AT, DIV(G_BY, SUB(LIT(1), C)));
    return SEL(LT(C, LIT(1)), m, LIT((double)INFINITY));
}
OF_PARAMETERS(gp_variance)
{
    T v = DIV(FN(square, DIV(G_BY, SUB(LIT(1), C))), SUB(LIT(1), TIMES(C, 2)));
    return SEL(LT(C, LIT(0.5)), v, LIT((double)INFINITY));
}
OF_PARAMETERS(gp_entropy) { return PLUS(ADD(FN(log, G_BY), C), 1); }
/* where the density falls, its lower end; below -1 it rises to the upper one */
OF_PARAMETERS(gp_mode) { return SEL(GE(C, LIT(-1)), G_AT, gp_high(s, d)); }
const agni_law agni_law_generalized_pareto = {
    .name = "generalized_pareto", .n = 3, .param = {"loc", "scale", "concentration"},
    .domain = {AGNI_REAL, AGNI_POSITIVE, AGNI_REAL}, .support = AGN_SUPPORT_INTERVAL,
    .low = gp_low, .high = gp_high, .rsample = gp_rsample, .log_prob = gp_log_prob,
    .cdf = gp_cdf, .survival = gp_survival, .log_survival = gp_log_survival, .icdf = gp_icdf,
    .mean = gp_mean, .variance = gp_variance, .mode = gp_mode, .entropy = gp_entropy,
};

/* ---- half laws: the magnitude of a law about 0 -------------------------------------- */

#define S d->param[0]
OF_PARAMETERS(zero) { (void)s; return make_number(s, d, 0); }

DRAW(half_normal_rsample)
{
    return MUL(S, FN(abs, FN(normal, key, d->batch.dtype, ndim, shape)));
}
OF_X(half_normal_log_prob)
{
    T half = TIMES(FN(square, DIV(x, S)), -0.5);
    return SUB(half, PLUS(FN(log, S), LOG_SQRT_2PI - LOG_2));
}
OF_X(half_normal_cdf) { return FN(erf, TIMES(DIV(x, S), SQRT_HALF)); }
OF_X(half_normal_survival) { return FN(erfc, TIMES(DIV(x, S), SQRT_HALF)); }
OF_X(half_normal_log_survival)
{
    T z = DIV(x, S), near = FN(log1p, NEG(FN(erf, TIMES(z, SQRT_HALF))));
    return SEL(LT(z, LIT(0.5)), near, PLUS(FN(log_ndtr, NEG(z)), LOG_2));
}
OF_X(half_normal_icdf)
{
    T left = TIMES(FN(erfinv, x), 2 * SQRT_HALF),
      right = NEG(FN(ndtri, TIMES(SUB(LIT(1), x), 0.5)));
    return MUL(S, SEL(LT(x, LIT(0.5)), left, right));
}
OF_PARAMETERS(half_normal_mean) { return TIMES(S, sqrt(2 / PI)); }
OF_PARAMETERS(half_normal_variance) { return TIMES(FN(square, S), 1 - 2 / PI); }
OF_PARAMETERS(half_normal_entropy) { return PLUS(FN(log, S), 0.5 + LOG_SQRT_2PI - LOG_2); }
/* that of normal laws of one location */
OF_BOTH(agni_kl_half_normal)
{
    T sp = p->param[0], sq = q->param[0], e = DIV(SUB(sp, sq), sq);
    T log_r = SEL(LT(FN(abs, e), LIT(0.5)), FN(log1p, e), FN(log, DIV(sp, sq)));
    return SUB(ADD(e, TIMES(FN(square, e), 0.5)), log_r);
}
const agni_law agni_law_half_normal = {
    .name = "half_normal", .n = 1, .param = {"scale"}, .domain = {AGNI_POSITIVE},
    .support = AGN_SUPPORT_NONNEGATIVE, .rsample = half_normal_rsample,
    .log_prob = half_normal_log_prob, .cdf = half_normal_cdf,
    .survival = half_normal_survival, .log_survival = half_normal_log_survival,
    .icdf = half_normal_icdf, .mean = half_normal_mean, .variance = half_normal_variance,
    .mode = zero, .entropy = half_normal_entropy,
};

DRAW(half_cauchy_rsample)
{
    return MUL(S, FN(tan, TIMES(open_uniform(s, d, key, ndim, shape), PI / 2)));
}
/* by hypot, whose square would overflow */
OF_X(half_cauchy_log_prob)
{
    return SUB(PLUS(FN(log, S), LOG_2 - LOG_PI), TIMES(FN(log, FN(hypot, S, x)), 2));
}
OF_X(half_cauchy_cdf) { return TIMES(FN(atan2, x, S), 2 / PI); }
OF_X(half_cauchy_survival) { return TIMES(FN(atan2, S, x), 2 / PI); }
OF_X(half_cauchy_icdf)
{
    T left = FN(tan, TIMES(x, PI / 2)),
      right = FN(reciprocal, FN(tan, TIMES(SUB(LIT(1), x), PI / 2)));
    return MUL(S, SEL(LT(x, LIT(0.5)), left, right));
}
OF_PARAMETERS(infinite) { (void)s; return make_number(s, d, (double)INFINITY); }
OF_PARAMETERS(half_cauchy_entropy) { return PLUS(FN(log, S), LOG_2 + LOG_PI); }
const agni_law agni_law_half_cauchy = {
    .name = "half_cauchy", .n = 1, .param = {"scale"}, .domain = {AGNI_POSITIVE},
    .support = AGN_SUPPORT_NONNEGATIVE, .rsample = half_cauchy_rsample,
    .log_prob = half_cauchy_log_prob, .cdf = half_cauchy_cdf,
    .survival = half_cauchy_survival, .icdf = half_cauchy_icdf, .mean = infinite,
    .variance = infinite, .mode = zero, .entropy = half_cauchy_entropy,
};
