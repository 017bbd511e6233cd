/* distribution/univariate/location_scale.c - laws of the real line by location and scale: normal,
   Laplace, Cauchy, Gumbel, logistic (Johnson, Kotz & Balakrishnan 1994, 13; 1995, 22 to 24; 1994,
   16). */
#include "distribution/expression.h"

enum { LOC, SCALE };
#define AT_LOC .n = 2, .param = {"loc", "scale"}, .domain = {AGNI_REAL, AGNI_POSITIVE}

OF_X(standardise) { return DIV(SUB(x, d->param[LOC]), d->param[SCALE]); }
/* the number that stands z scales from the location */
static T move_and_scale(agn_scope *s, const agn_distribution *d, T z)
{
    return ADD(d->param[LOC], MUL(d->param[SCALE], z));
}
OF_PARAMETERS(log_scale) { return FN(log, d->param[SCALE]); }
OF_PARAMETERS(loc_of) { (void)s; return d->param[LOC]; }
static T variance_of_unit(agn_scope *s, const agn_distribution *d, double unit)
{
    return TIMES(FN(square, d->param[SCALE]), unit);
}

/* ---- normal ------------------------------------------------------------------------- */

DRAW(normal_rsample) { return move_and_scale(s, d, FN(normal, key, d->batch.dtype, ndim, shape)); }
/* the square of z overflows only where the density has long been 0 */
OF_X(normal_log_prob)
{
    T half = TIMES(FN(square, standardise(s, d, x)), -0.5);
    return SUB(half, PLUS(log_scale(s, d), LOG_SQRT_2PI));
}
OF_X(normal_cdf) { return FN(ndtr, standardise(s, d, x)); }
OF_X(normal_survival) { return FN(ndtr, NEG(standardise(s, d, x))); }
OF_X(normal_log_cdf) { return FN(log_ndtr, standardise(s, d, x)); }
OF_X(normal_log_survival) { return FN(log_ndtr, NEG(standardise(s, d, x))); }
OF_X(normal_icdf) { return move_and_scale(s, d, FN(ndtri, x)); }
OF_PARAMETERS(normal_variance) { return FN(square, d->param[SCALE]); }
OF_PARAMETERS(normal_entropy) { return PLUS(log_scale(s, d), 0.5 + LOG_SQRT_2PI); }

/* With e = r - 1 for the ratio r of the scales: (r^2 - 1) / 2 - log r = e + e^2 / 2 - log(1 + e),
   which for r near 1 loses half as many digits. */
OF_BOTH(agni_kl_normal)
{
    T sp = p->param[SCALE], sq = q->param[SCALE];
    T e = DIV(SUB(sp, sq), sq);
    T log_r = SEL(LT(FN(abs, e), LIT(0.5)), FN(log1p, e), FN(log, DIV(sp, sq)));
    T spread = SUB(ADD(e, TIMES(FN(square, e), 0.5)), log_r);
    T shift = DIV(SUB(p->param[LOC], q->param[LOC]), sq);
    return ADD(spread, TIMES(FN(square, shift), 0.5));
}

const agni_law agni_law_normal = {
    .name = "normal", AT_LOC, .support = AGN_SUPPORT_REAL,
    .rsample = normal_rsample, .log_prob = normal_log_prob, .cdf = normal_cdf,
    .survival = normal_survival, .log_cdf = normal_log_cdf, .log_survival = normal_log_survival,
    .icdf = normal_icdf, .mean = loc_of, .variance = normal_variance, .mode = loc_of,
    .entropy = normal_entropy,
};

/* ---- Laplace ------------------------------------------------------------------------ */

DRAW(laplace_rsample)
{
    return FN(random_laplace, key, d->param[LOC], d->param[SCALE], ndim, shape);
}
OF_X(laplace_log_prob)
{
    return SUB(NEG(FN(abs, standardise(s, d, x))), PLUS(log_scale(s, d), LOG_2));
}
/* exp(-|z|) / 2, the probability beyond z on its side */
static T laplace_tail(agn_scope *s, T z) { return TIMES(FN(exp, NEG(FN(abs, z))), 0.5); }
OF_X(laplace_cdf)
{
    T z = standardise(s, d, x), tail = laplace_tail(s, z);
    return SEL(LT(z, LIT(0)), tail, SUB(LIT(1), tail));
}
OF_X(laplace_survival)
{
    T z = standardise(s, d, x), tail = laplace_tail(s, z);
    return SEL(GT(z, LIT(0)), tail, SUB(LIT(1), tail));
}
static T laplace_log_tail(agn_scope *s, T z)
{
    return SEL(LT(z, LIT(0)), PLUS(z, -LOG_2), FN(log1p, NEG(laplace_tail(s, z))));
}
OF_X(laplace_log_cdf) { return laplace_log_tail(s, standardise(s, d, x)); }
OF_X(laplace_log_survival) { return laplace_log_tail(s, NEG(standardise(s, d, x))); }
OF_X(laplace_icdf)
{
    T left = FN(log, TIMES(x, 2)), right = NEG(FN(log, TIMES(SUB(LIT(1), x), 2)));
    return move_and_scale(s, d, SEL(LT(x, LIT(0.5)), left, right));
}
OF_PARAMETERS(laplace_variance) { return variance_of_unit(s, d, 2); }
OF_PARAMETERS(laplace_entropy) { return PLUS(log_scale(s, d), 1 + LOG_2); }

/* -log r + r exp(-a) + a - 1 with the ratio r of the scales and a the distance over that of q,
   a in r: exp(-a / r) r (Gil, Alajaji & Linder 2013) */
OF_BOTH(agni_kl_laplace)
{
    T bp = p->param[SCALE], bq = q->param[SCALE], r = DIV(bp, bq);
    T far = FN(abs, SUB(p->param[LOC], q->param[LOC]));
    T e = DIV(SUB(bp, bq), bq);
    T log_r = SEL(LT(FN(abs, e), LIT(0.5)), FN(log1p, e), FN(log, r));
    return ADD(SUB(e, log_r), ADD(DIV(far, bq), MUL(r, FN(expm1, NEG(DIV(far, bp))))));
}
const agni_law agni_law_laplace = {
    .name = "laplace", AT_LOC, .support = AGN_SUPPORT_REAL,
    .rsample = laplace_rsample, .log_prob = laplace_log_prob, .cdf = laplace_cdf,
    .survival = laplace_survival, .log_cdf = laplace_log_cdf,
    .log_survival = laplace_log_survival, .icdf = laplace_icdf, .mean = loc_of,
    .variance = laplace_variance, .mode = loc_of, .entropy = laplace_entropy,
};

/* ---- Cauchy ------------------------------------------------------------------------- */

DRAW(cauchy_rsample)
{
    return FN(random_cauchy, key, d->param[LOC], d->param[SCALE], ndim, shape);
}
/* log1p of z^2, beyond 1 of 1 / z^2 and what it lacks: no square overflows where the density has
   not vanished */
T agni_log_one_plus_square(agn_scope *s, T z)
{
    T size = FN(abs, z), small = LT(size, LIT(1)), far = SEL(small, LIT(1), size);
    T near = SEL(small, size, FN(reciprocal, far));
    return ADD(FN(log1p, FN(square, near)), TIMES(FN(log, far), 2));
}
OF_X(cauchy_log_prob)
{
    T size = FN(log, FN(hypot, d->param[SCALE], SUB(x, d->param[LOC])));
    return SUB(PLUS(log_scale(s, d), -LOG_PI), TIMES(size, 2));
}
/* the angle of (-z, 1) over pi: no difference of near numbers in either tail */
OF_X(cauchy_cdf)
{
    return TIMES(FN(atan2, make_number(s, d, 1), NEG(standardise(s, d, x))), 1 / PI);
}
OF_X(cauchy_survival)
{
    return TIMES(FN(atan2, make_number(s, d, 1), standardise(s, d, x)), 1 / PI);
}
/* -cot(pi p) about the tails, tan(pi (p - 1/2)) about the middle */
OF_X(cauchy_icdf)
{
    T near = FN(tan, TIMES(PLUS(x, -0.5), PI));
    T left = NEG(FN(reciprocal, FN(tan, TIMES(x, PI))));
    T right = FN(reciprocal, FN(tan, TIMES(SUB(LIT(1), x), PI)));
    return move_and_scale(s, d, SEL(LT(x, LIT(0.25)), left, SEL(GT(x, LIT(0.75)), right, near)));
}
OF_PARAMETERS(cauchy_none) { (void)s; return make_number(s, d, (double)NAN); }
OF_PARAMETERS(cauchy_entropy) { return PLUS(log_scale(s, d), 2 * LOG_2 + LOG_PI); }
/* log(((sp + sq)^2 + far^2) / (4 sp sq)) (Chyzak & Nielsen 2019) = log1p(((sp - sq)^2 + far^2) / (4
   sp sq)) */
OF_BOTH(agni_kl_cauchy)
{
    T sp = p->param[SCALE], sq = q->param[SCALE], far = SUB(p->param[LOC], q->param[LOC]);
    T gap = ADD(FN(square, SUB(sp, sq)), FN(square, far));
    return FN(log1p, DIV(DIV(gap, TIMES(sp, 4)), sq));
}
const agni_law agni_law_cauchy = {
    .name = "cauchy", AT_LOC, .support = AGN_SUPPORT_REAL,
    .rsample = cauchy_rsample, .log_prob = cauchy_log_prob, .cdf = cauchy_cdf,
    .survival = cauchy_survival, .icdf = cauchy_icdf, .mean = cauchy_none,
    .variance = cauchy_none, .mode = loc_of, .entropy = cauchy_entropy,
};

/* ---- Gumbel, of the largest --------------------------------------------------------- */

DRAW(gumbel_rsample)
{
    return FN(random_gumbel, key, d->param[LOC], d->param[SCALE], ndim, shape);
}
OF_X(gumbel_log_prob)
{
    T z = standardise(s, d, x);
    return SUB(NEG(ADD(z, FN(exp, NEG(z)))), log_scale(s, d));
}
OF_X(gumbel_log_cdf) { return NEG(FN(exp, NEG(standardise(s, d, x)))); }
OF_X(gumbel_cdf) { return FN(exp, gumbel_log_cdf(s, d, x)); }
OF_X(gumbel_survival) { return NEG(FN(expm1, gumbel_log_cdf(s, d, x))); }
OF_X(gumbel_icdf) { return move_and_scale(s, d, NEG(FN(log, NEG(FN(log, x))))); }
OF_PARAMETERS(gumbel_mean) { return ADD(d->param[LOC], TIMES(d->param[SCALE], EULER)); }
OF_PARAMETERS(gumbel_variance) { return variance_of_unit(s, d, PI * PI / 6); }
OF_PARAMETERS(gumbel_entropy) { return PLUS(log_scale(s, d), 1 + EULER); }
/* With z' = a + r z: log(sq / sp) + euler (r - 1) + a + exp(-a) gamma(1 + r) - 1 (Bauckhage
   2013) */
OF_BOTH(agni_kl_gumbel)
{
    T sp = p->param[SCALE], sq = q->param[SCALE], r = DIV(sp, sq);
    T a = DIV(SUB(p->param[LOC], q->param[LOC]), sq), e = DIV(SUB(sp, sq), sq);
    T more = FN(expm1, SUB(FN(lgamma, PLUS(r, 1)), a));
    return ADD(ADD(NEG(FN(log, r)), TIMES(e, EULER)), ADD(a, more));
}
const agni_law agni_law_gumbel = {
    .name = "gumbel", AT_LOC, .support = AGN_SUPPORT_REAL,
    .rsample = gumbel_rsample, .log_prob = gumbel_log_prob, .cdf = gumbel_cdf,
    .survival = gumbel_survival, .log_cdf = gumbel_log_cdf, .icdf = gumbel_icdf,
    .mean = gumbel_mean, .variance = gumbel_variance, .mode = loc_of, .entropy = gumbel_entropy,
};

/* ---- logistic ----------------------------------------------------------------------- */

DRAW(logistic_rsample)
{
    return move_and_scale(s, d, FN(logit, open_uniform(s, d, key, ndim, shape)));
}
/* z + 2 softplus(-z), as a sum of positive numbers */
OF_X(logistic_log_prob)
{
    T z = standardise(s, d, x);
    return NEG(ADD(ADD(FN(softplus, z), FN(softplus, NEG(z))), log_scale(s, d)));
}
OF_X(logistic_cdf) { return FN(sigmoid, standardise(s, d, x)); }
OF_X(logistic_survival) { return FN(sigmoid, NEG(standardise(s, d, x))); }
OF_X(logistic_log_cdf) { return NEG(FN(softplus, NEG(standardise(s, d, x)))); }
OF_X(logistic_log_survival) { return NEG(FN(softplus, standardise(s, d, x))); }
OF_X(logistic_icdf) { return move_and_scale(s, d, FN(logit, x)); }
OF_PARAMETERS(logistic_variance) { return variance_of_unit(s, d, PI * PI / 3); }
OF_PARAMETERS(logistic_entropy) { return PLUS(log_scale(s, d), 2); }
const agni_law agni_law_logistic = {
    .name = "logistic", AT_LOC, .support = AGN_SUPPORT_REAL,
    .rsample = logistic_rsample, .log_prob = logistic_log_prob, .cdf = logistic_cdf,
    .survival = logistic_survival, .log_cdf = logistic_log_cdf,
    .log_survival = logistic_log_survival, .icdf = logistic_icdf, .mean = loc_of,
    .variance = logistic_variance, .mode = loc_of, .entropy = logistic_entropy,
};
