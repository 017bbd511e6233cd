/* distribution/univariate/sizes.c - laws of sizes and incomes: Lomax, log-logistic, Burr XII,
   Dagum (Kleiber & Kotz 2003, 3, 6), Nakagami. */
#include "distribution/expression.h"

#include <agnesi/univariate_laws.h>

#define FIRST d->param[0]
#define SECOND d->param[1]
#define THIRD d->param[2]
#define MAKE(law, ...) \
    agni_distribution_make(out, &agni_law_##law, (const agn_tensor *[]){__VA_ARGS__}, opts)
#define OPTS const agn_distribution_options *opts
#define INF LIT((double)INFINITY)

OF_PARAMETERS(zero) { return make_number(s, d, 0); }
static T exponential_numbers(agn_scope *s, const agn_distribution *d, T key, int ndim,
                             const int64_t *shape)
{
    return FN(exponential, key, d->batch.dtype, ndim, shape);
}

/* ---- Lomax: Pareto's law from 0 ------------------------------------------------------------- */

OF_X(lomax_log_survival) { return NEG(MUL(FIRST, FN(log1p, DIV(x, SECOND)))); }
OF_X(lomax_log_prob)
{
    T unit = SUB(FN(log, FIRST), FN(log, SECOND));
    return SUB(unit, MUL(PLUS(FIRST, 1), FN(log1p, DIV(x, SECOND))));
}
OF_X(lomax_cdf) { return NEG(FN(expm1, lomax_log_survival(s, d, x))); }
OF_X(lomax_survival) { return FN(exp, lomax_log_survival(s, d, x)); }
static T lomax_beyond(agn_scope *s, const agn_distribution *d, T e)
{
    return MUL(SECOND, FN(expm1, DIV(e, FIRST)));
}
OF_X(lomax_icdf) { return lomax_beyond(s, d, NEG(FN(log1p, NEG(x)))); }
DRAW(lomax_rsample)
{
    return lomax_beyond(s, d, exponential_numbers(s, d, key, ndim, shape));
}
OF_PARAMETERS(lomax_mean) { return SEL(GT(FIRST, LIT(1)), DIV(SECOND, PLUS(FIRST, -1)), INF); }
OF_PARAMETERS(lomax_variance)
{
    T v = DIV(MUL(FN(square, DIV(SECOND, PLUS(FIRST, -1))), FIRST), PLUS(FIRST, -2));
    return SEL(GT(FIRST, LIT(2)), v, INF);
}
OF_PARAMETERS(lomax_entropy)
{
    return PLUS(ADD(SUB(FN(log, SECOND), FN(log, FIRST)), FN(reciprocal, FIRST)), 1);
}
static const agni_law agni_law_lomax = {
    .name = "lomax", .n = 2, .param = {"concentration", "scale"},
    .domain = {AGNI_POSITIVE, AGNI_POSITIVE}, .support = AGN_SUPPORT_NONNEGATIVE,
    .rsample = lomax_rsample, .log_prob = lomax_log_prob, .cdf = lomax_cdf,
    .survival = lomax_survival, .log_survival = lomax_log_survival, .icdf = lomax_icdf,
    .mean = lomax_mean, .variance = lomax_variance, .mode = zero, .entropy = lomax_entropy,
};
agn_status agn_distribution_lomax(agn_distribution **out, const agn_tensor *concentration,
                                  const agn_tensor *scale, OPTS)
{
    return MAKE(lomax, concentration, scale);
}

/* ---- log-logistic: scale exp(z / c), z logistic --------------------------------------------- */

/* c log(x / scale), for this law and the two of Burr */
static T log_size(agn_scope *s, const agn_distribution *d, T x, T scale, T c)
{
    return MUL(c, agni_log_quotient(s, d, x, scale));
}
OF_X(fisk_z) { return log_size(s, d, x, FIRST, SECOND); }
OF_X(fisk_log_cdf) { return NEG(FN(softplus, NEG(fisk_z(s, d, x)))); }
OF_X(fisk_log_survival) { return NEG(FN(softplus, fisk_z(s, d, x))); }
OF_X(fisk_log_prob)
{
    T both = ADD(fisk_log_cdf(s, d, x), fisk_log_survival(s, d, x));
    return ADD(SUB(FN(log, SECOND), FN(log, x)), both);
}
OF_X(fisk_cdf) { return FN(sigmoid, fisk_z(s, d, x)); }
OF_X(fisk_survival) { return FN(sigmoid, NEG(fisk_z(s, d, x))); }
OF_X(fisk_icdf)
{
    T z = SUB(FN(log, x), FN(log1p, NEG(x)));
    return MUL(FIRST, FN(exp, DIV(z, SECOND)));
}
DRAW(fisk_rsample) { return fisk_icdf(s, d, open_uniform(s, d, key, ndim, shape)); }
OF_PARAMETERS(fisk_mean)
{
    T there = GT(SECOND, LIT(1)), b = DIV(LIT(PI), SEL(there, SECOND, LIT(2)));
    return SEL(there, MUL(FIRST, DIV(b, FN(sin, b))), INF);
}
/* b / sin b times (sin b - b cos b) / (sin b cos b), b = pi / c */
OF_PARAMETERS(fisk_variance)
{
    static const double c[] = {1.0 / 3, -1.0 / 30, 1.0 / 840, -1.0 / 45360, 1.0 / 3991680};
    T there = GT(SECOND, LIT(2)), b = DIV(LIT(PI), SEL(there, SECOND, LIT(3))), b2 = FN(square, b);
    T sine = FN(sin, b), cosine = FN(cos, b), sum = LIT(c[4]);
    for (int k = 3; k >= 0; k--)
        sum = PLUS(MUL(sum, b2), c[k]);
    T gap = SEL(LT(b, LIT(0.2)), MUL(MUL(sum, b2), b), SUB(sine, MUL(b, cosine)));
    T v = DIV(MUL(DIV(b, sine), gap), MUL(sine, cosine));
    return SEL(there, MUL(FN(square, FIRST), v), INF);
}
OF_PARAMETERS(fisk_mode)
{
    T there = GT(SECOND, LIT(1)), c = SEL(there, SECOND, LIT(2));
    T at = FN(pow, DIV(PLUS(c, -1), PLUS(c, 1)), FN(reciprocal, c));
    return SEL(there, MUL(FIRST, at), LIT(0));
}
OF_PARAMETERS(fisk_entropy) { return PLUS(SUB(FN(log, FIRST), FN(log, SECOND)), 2); }
static const agni_law agni_law_log_logistic = {
    .name = "log_logistic", .n = 2, .param = {"scale", "concentration"},
    .domain = {AGNI_POSITIVE, AGNI_POSITIVE}, .support = AGN_SUPPORT_POSITIVE,
    .rsample = fisk_rsample, .log_prob = fisk_log_prob, .cdf = fisk_cdf,
    .survival = fisk_survival, .log_cdf = fisk_log_cdf, .log_survival = fisk_log_survival,
    .icdf = fisk_icdf, .mean = fisk_mean, .variance = fisk_variance, .mode = fisk_mode,
    .entropy = fisk_entropy,
};
agn_status agn_distribution_log_logistic(agn_distribution **out, const agn_tensor *scale,
                                         const agn_tensor *concentration, OPTS)
{
    return MAKE(log_logistic, scale, concentration);
}

/* ---- Burr XII and Dagum (Burr III), the law of the reciprocal ------------------------------- */

/* With z = c log(x / scale): -log of the tail of both laws is k softplus(z), of z and of -z. The
   sign is 1 for Burr's and -1 for Dagum's. */
static T burr_z(agn_scope *s, const agn_distribution *d, T x, double sign)
{
    return TIMES(log_size(s, d, x, THIRD, FIRST), sign);
}
static T burr_log_tail(agn_scope *s, const agn_distribution *d, T x, double sign)
{
    return NEG(MUL(SECOND, FN(softplus, burr_z(s, d, x, sign))));
}
static T burr_density(agn_scope *s, const agn_distribution *d, T x, double sign)
{
    T unit = SUB(ADD(FN(log, FIRST), FN(log, SECOND)), FN(log, x));
    T slope = FN(softplus, NEG(burr_z(s, d, x, sign)));
    return ADD(SUB(unit, slope), burr_log_tail(s, d, x, sign));
}
/* where -log of the tail is e */
static T burr_at(agn_scope *s, const agn_distribution *d, T e, double sign)
{
    T power = TIMES(FN(reciprocal, FIRST), sign);
    return MUL(THIRD, FN(pow, FN(expm1, DIV(e, SECOND)), power));
}
/* E x^r = scale^r k B(k - r / c, 1 + r / c), r counted down for Dagum's */
static T burr_moment(agn_scope *s, const agn_distribution *d, double r)
{
    T q = TIMES(FN(reciprocal, FIRST), r), rest = SUB(SECOND, q), more = PLUS(q, 1);
    T there = FN(logical_and, GT(rest, LIT(0)), GT(more, LIT(0)));
    T log_b = agni_log_beta(s, SEL(there, rest, LIT(1)), SEL(there, more, LIT(1)));
    return SEL(there, FN(exp, ADD(FN(log, SECOND), log_b)), INF);
}
/* E x^2 (1 - (E x)^2 / E x^2), the quotient by its logarithm */
static T burr_variance_of(agn_scope *s, const agn_distribution *d, double sign)
{
    T two = burr_moment(s, d, 2 * sign), there = FN(isfinite, two), one = LIT(1);
    T q = TIMES(FN(reciprocal, SEL(there, FIRST, LIT(4))), sign), k = SEL(there, SECOND, one);
    T bend = ADD(agni_log_gamma_bend(s, SUB(k, q), q), agni_log_gamma_bend(s, PLUS(q, 1), q));
    T v = MUL(SEL(there, two, one), NEG(FN(expm1, NEG(bend))));
    return SEL(there, MUL(FN(square, THIRD), v), INF);
}
/* 1 + 1 / k - log k + log(scale / c) + (1 - sign / c) (gamma + psi(k)) */
static T burr_entropy_of(agn_scope *s, const agn_distribution *d, double sign)
{
    T lean = MUL(PLUS(TIMES(FN(reciprocal, FIRST), -sign), 1), PLUS(FN(digamma, SECOND), EULER));
    T unit = SUB(FN(log, THIRD), ADD(FN(log, FIRST), FN(log, SECOND)));
    return PLUS(ADD(ADD(unit, FN(reciprocal, SECOND)), lean), 1);
}

OF_X(burr_log_prob) { return burr_density(s, d, x, 1); }
OF_X(burr_log_survival) { return burr_log_tail(s, d, x, 1); }
OF_X(burr_survival) { return FN(exp, burr_log_tail(s, d, x, 1)); }
OF_X(burr_cdf) { return NEG(FN(expm1, burr_log_tail(s, d, x, 1))); }
OF_X(burr_icdf) { return burr_at(s, d, NEG(FN(log1p, NEG(x))), 1); }
DRAW(burr_rsample)
{
    return burr_at(s, d, exponential_numbers(s, d, key, ndim, shape), 1);
}
OF_PARAMETERS(burr_mean) { return MUL(THIRD, burr_moment(s, d, 1)); }
OF_PARAMETERS(burr_variance) { return burr_variance_of(s, d, 1); }
OF_PARAMETERS(burr_mode)
{
    T there = GT(FIRST, LIT(1)), c = SEL(there, FIRST, LIT(2));
    T at = FN(pow, DIV(PLUS(c, -1), PLUS(MUL(c, SECOND), 1)), FN(reciprocal, c));
    return SEL(there, MUL(THIRD, at), LIT(0));
}
OF_PARAMETERS(burr_entropy) { return burr_entropy_of(s, d, 1); }
#define OF_BURR .n = 3, .param = {"power", "concentration", "scale"}, \
    .domain = {AGNI_POSITIVE, AGNI_POSITIVE, AGNI_POSITIVE}, .support = AGN_SUPPORT_POSITIVE
static const agni_law agni_law_burr = {
    .name = "burr", OF_BURR, .rsample = burr_rsample, .log_prob = burr_log_prob,
    .cdf = burr_cdf, .survival = burr_survival, .log_survival = burr_log_survival,
    .icdf = burr_icdf, .mean = burr_mean, .variance = burr_variance, .mode = burr_mode,
    .entropy = burr_entropy,
};
agn_status agn_distribution_burr(agn_distribution **out, const agn_tensor *power,
                                 const agn_tensor *concentration, const agn_tensor *scale, OPTS)
{
    return MAKE(burr, power, concentration, scale);
}

OF_X(dagum_log_prob) { return burr_density(s, d, x, -1); }
OF_X(dagum_log_cdf) { return burr_log_tail(s, d, x, -1); }
OF_X(dagum_cdf) { return FN(exp, burr_log_tail(s, d, x, -1)); }
OF_X(dagum_survival) { return NEG(FN(expm1, burr_log_tail(s, d, x, -1))); }
OF_X(dagum_icdf) { return burr_at(s, d, NEG(FN(log, x)), -1); }
DRAW(dagum_rsample)
{
    return burr_at(s, d, exponential_numbers(s, d, key, ndim, shape), -1);
}
OF_PARAMETERS(dagum_mean) { return MUL(THIRD, burr_moment(s, d, -1)); }
OF_PARAMETERS(dagum_variance) { return burr_variance_of(s, d, -1); }
OF_PARAMETERS(dagum_mode)
{
    T top = PLUS(MUL(FIRST, SECOND), -1), there = GT(top, LIT(0));
    T at = FN(pow, DIV(SEL(there, top, LIT(1)), PLUS(FIRST, 1)), FN(reciprocal, FIRST));
    return SEL(there, MUL(THIRD, at), LIT(0));
}
OF_PARAMETERS(dagum_entropy) { return burr_entropy_of(s, d, -1); }
static const agni_law agni_law_dagum = {
    .name = "dagum", OF_BURR, .rsample = dagum_rsample, .log_prob = dagum_log_prob,
    .cdf = dagum_cdf, .survival = dagum_survival, .log_cdf = dagum_log_cdf, .icdf = dagum_icdf,
    .mean = dagum_mean, .variance = dagum_variance, .mode = dagum_mode, .entropy = dagum_entropy,
};
agn_status agn_distribution_dagum(agn_distribution **out, const agn_tensor *power,
                                  const agn_tensor *concentration, const agn_tensor *scale, OPTS)
{
    return MAKE(dagum, power, concentration, scale);
}

/* ---- Nakagami: the root of a gamma number --------------------------------------------------- */

#define RATE DIV(FIRST, SECOND)
static const double small = 1e-100; /* its square is nothing beside 1, or below all numbers */

/* x sqrt(rate): the root of a gamma number of rate 1; log of its cdf where it is small */
OF_X(nakagami_root) { return MUL(x, FN(sqrt, RATE)); }
static T nakagami_log_small(agn_scope *s, const agn_distribution *d, T z)
{
    return SUB(TIMES(MUL(FIRST, FN(log, z)), 2), FN(lgamma, PLUS(FIRST, 1)));
}
OF_X(nakagami_log_prob)
{
    T z = nakagami_root(s, d, x), tiny = LT(z, LIT(small)), y = SEL(tiny, LIT(1), z);
    T near = ADD(nakagami_log_small(s, d, SEL(tiny, z, LIT(1))), FN(log, FIRST));
    T far = ADD(agni_gamma_log_density(s, FIRST, LIT(1), FN(square, y)), TIMES(FN(log, y), 2));
    return PLUS(SUB(SEL(tiny, near, far), FN(log, x)), LOG_2);
}
static T nakagami_share(agn_scope *s, const agn_distribution *d, T x, bool right)
{
    T z = nakagami_root(s, d, x), tiny = LT(z, LIT(small));
    T t = FN(square, SEL(tiny, LIT(1), z)), l = nakagami_log_small(s, d, SEL(tiny, z, LIT(1)));
    T near = right ? NEG(FN(expm1, l)) : FN(exp, l);
    return SEL(tiny, near, right ? FN(gammaincc, FIRST, t) : FN(gammainc, FIRST, t));
}
OF_X(nakagami_cdf) { return nakagami_share(s, d, x, false); }
OF_X(nakagami_survival) { return nakagami_share(s, d, x, true); }
OF_X(nakagami_icdf)
{
    T log_z = DIV(ADD(FN(log, x), FN(lgamma, PLUS(FIRST, 1))), TIMES(FIRST, 2));
    T tiny = LT(log_z, LIT(log(small))), p = SEL(tiny, LIT(0.5), x);
    T z = SEL(tiny, FN(exp, log_z), FN(sqrt, FN(gammaincinv, FIRST, p)));
    return DIV(z, FN(sqrt, RATE));
}
DRAW(nakagami_rsample) { return FN(sqrt, DIV(FN(random_gamma, key, FIRST, ndim, shape), RATE)); }
OF_PARAMETERS(nakagami_mean)
{
    return DIV(FN(exp, agni_log_gamma_half_step(s, FIRST)), FN(sqrt, RATE));
}
/* 1 - Gamma(m + 1/2)^2 / (Gamma(m) Gamma(m + 1)) */
OF_PARAMETERS(nakagami_variance)
{
    T bend = agni_log_gamma_bend(s, PLUS(FIRST, 0.5), LIT(0.5));
    return MUL(SECOND, NEG(FN(expm1, NEG(bend))));
}
OF_PARAMETERS(nakagami_mode)
{
    return FN(sqrt, MUL(SECOND, FN(relu, PLUS(TIMES(FN(reciprocal, FIRST), -0.5), 1))));
}
/* of the root of a gamma number g: that of g less log 2 and E log(g) / 2 */
OF_PARAMETERS(nakagami_entropy)
{
    T root = TIMES(ADD(FN(digamma, FIRST), FN(log, RATE)), 0.5);
    return PLUS(SUB(agni_gamma_unit_entropy(s, FIRST), root), -LOG_2);
}
static const agni_law agni_law_nakagami = {
    .name = "nakagami", .n = 2, .param = {"concentration", "spread"},
    .domain = {AGNI_POSITIVE, AGNI_POSITIVE}, .support = AGN_SUPPORT_POSITIVE,
    .rsample = nakagami_rsample, .log_prob = nakagami_log_prob, .cdf = nakagami_cdf,
    .survival = nakagami_survival, .icdf = nakagami_icdf, .mean = nakagami_mean,
    .variance = nakagami_variance, .mode = nakagami_mode, .entropy = nakagami_entropy,
};
agn_status agn_distribution_nakagami(agn_distribution **out, const agn_tensor *concentration,
                                     const agn_tensor *spread, OPTS)
{
    return MAKE(nakagami, concentration, spread);
}
