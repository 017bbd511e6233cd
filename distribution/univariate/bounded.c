/* distribution/univariate/bounded.c - laws of an interval: uniform, beta, Kumaraswamy, triangular,
   continuous Bernoulli (Loaiza-Ganem & Cunningham 2019), truncated normal. */
#include "distribution/expression.h"

/* ---- uniform ------------------------------------------------------------------------ */

enum { LOW, HIGH };
#define A d->param[LOW]
#define B d->param[HIGH]

OF_PARAMETERS(low_of) { (void)s; return A; }
OF_PARAMETERS(high_of) { (void)s; return B; }
DRAW(uniform_rsample) { return FN(random_uniform, key, A, B, ndim, shape); }
/* 0 x: what is no number stays none */
OF_X(uniform_log_prob) { return SUB(TIMES(x, 0), FN(log, SUB(B, A))); }
OF_X(uniform_cdf) { return DIV(SUB(x, A), SUB(B, A)); }
OF_X(uniform_survival) { return DIV(SUB(B, x), SUB(B, A)); }
OF_X(uniform_icdf) { return FN(lerp, A, B, x); }
OF_PARAMETERS(uniform_mean) { return ADD(TIMES(A, 0.5), TIMES(B, 0.5)); }
OF_PARAMETERS(uniform_variance) { return TIMES(FN(square, SUB(B, A)), 1.0 / 12); }
OF_PARAMETERS(uniform_entropy) { return FN(log, SUB(B, A)); }
/* infinite where p reaches beyond q */
OF_BOTH(agni_kl_uniform)
{
    T inside = FN(logical_and, LE(q->param[LOW], p->param[LOW]),
                  LE(p->param[HIGH], q->param[HIGH]));
    T kl = FN(log, DIV(SUB(q->param[HIGH], q->param[LOW]), SUB(p->param[HIGH], p->param[LOW])));
    return SEL(inside, kl, LIT((double)INFINITY));
}
/* -H(p) and the mean of ((x - loc) / scale)^2 / 2 under p */
static T square_of(agn_scope *s, T mean, T variance, const agn_distribution *q)
{
    T scale = q->param[1], z = DIV(SUB(mean, q->param[0]), scale);
    T half = TIMES(ADD(FN(square, z), DIV(DIV(variance, scale), scale)), 0.5);
    return ADD(PLUS(FN(log, scale), LOG_SQRT_2PI), half);
}
OF_BOTH(agni_kl_uniform_normal)
{
    return SUB(square_of(s, uniform_mean(s, p), uniform_variance(s, p), q), uniform_entropy(s, p));
}
OF_BOTH(agni_kl_laplace_normal)
{
    T scale = p->param[1], variance = TIMES(FN(square, scale), 2);
    return SUB(square_of(s, p->param[0], variance, q), PLUS(FN(log, scale), 1 + LOG_2));
}
const agni_law agni_law_uniform = {
    .name = "uniform", .n = 2, .param = {"low", "high"}, .domain = {AGNI_REAL, AGNI_REAL},
    .order = {{LOW, HIGH, true}}, .n_order = 1, .support = AGN_SUPPORT_INTERVAL, .low = low_of,
    .high = high_of, .rsample = uniform_rsample, .log_prob = uniform_log_prob,
    .cdf = uniform_cdf, .survival = uniform_survival, .icdf = uniform_icdf,
    .mean = uniform_mean, .variance = uniform_variance, .entropy = uniform_entropy,
};

/* ---- beta --------------------------------------------------------------------------- */

DRAW(beta_rsample) { return FN(random_beta, key, A, B, ndim, shape); }
OF_X(beta_log_prob)
{
    T inner = ADD(FN(xlogy, PLUS(A, -1), x), FN(xlog1py, PLUS(B, -1), NEG(x)));
    return SUB(inner, agni_log_beta(s, A, B));
}
OF_X(beta_cdf) { return FN(betainc, A, B, x); }
OF_X(beta_survival) { return FN(betaincc, A, B, x); }
OF_X(beta_icdf) { return FN(betaincinv, A, B, x); }
OF_PARAMETERS(beta_mean) { return DIV(A, ADD(A, B)); }
OF_PARAMETERS(beta_variance)
{
    T sum = ADD(A, B);
    return DIV(MUL(DIV(A, sum), DIV(B, sum)), PLUS(sum, 1));
}
/* inside where both are above 1, at an end where one is 1 or less; both: NaN, as there are two or
   all */
OF_PARAMETERS(beta_mode)
{
    T one = LIT(1), inside = DIV(PLUS(A, -1), PLUS(ADD(A, B), -2));
    T at_end = SEL(GT(A, one), SEL(GT(B, one), inside, LIT(1)), LIT(0));
    T several = FN(logical_and, LE(A, one), LE(B, one));
    return SEL(several, LIT((double)NAN), at_end);
}
OF_PARAMETERS(beta_entropy)
{
    T sum = ADD(A, B);
    T rest = ADD(MUL(PLUS(A, -1), FN(digamma, A)), MUL(PLUS(B, -1), FN(digamma, B)));
    return ADD(SUB(agni_log_beta(s, A, B), rest), MUL(PLUS(sum, -2), FN(digamma, sum)));
}
OF_BOTH(agni_kl_beta)
{
    T a = p->param[LOW], b = p->param[HIGH], a2 = q->param[LOW], b2 = q->param[HIGH];
    T da = SUB(a, a2), db = SUB(b, b2);
    T rest = ADD(MUL(da, FN(digamma, a)), MUL(db, FN(digamma, b)));
    rest = SUB(rest, MUL(ADD(da, db), FN(digamma, ADD(a, b))));
    return ADD(SUB(agni_log_beta(s, a2, b2), agni_log_beta(s, a, b)), rest);
}
const agni_law agni_law_beta = {
    .name = "beta",
    .n = 2,
    .param = {"a", "b"},
    .domain = {AGNI_POSITIVE, AGNI_POSITIVE},
    .support = AGN_SUPPORT_UNIT,
    .rsample = beta_rsample,
    .log_prob = beta_log_prob,
    .cdf = beta_cdf,
    .survival = beta_survival,
    .icdf = beta_icdf,
    .mean = beta_mean,
    .variance = beta_variance,
    .mode = beta_mode,
    .entropy = beta_entropy,
};

/* ---- Kumaraswamy (1980) ------------------------------------------------------------- */

/* 1 - x^a to the last bit for x near 1, where log x is small */
OF_X(kumaraswamy_log_rest) { return FN(log, NEG(FN(expm1, MUL(A, FN(log, x))))); }
OF_X(kumaraswamy_log_survival)
{
    T near0 = FN(log1p, NEG(FN(pow, x, A)));
    return MUL(B, SEL(LT(FN(pow, x, A), LIT(0.5)), near0, kumaraswamy_log_rest(s, d, x)));
}
OF_X(kumaraswamy_log_prob)
{
    T rest = SEL(LT(FN(pow, x, A), LIT(0.5)), FN(log1p, NEG(FN(pow, x, A))),
                 kumaraswamy_log_rest(s, d, x));
    T last = SEL(FN(eq, B, LIT(1)), LIT(0), MUL(PLUS(B, -1), rest));
    return ADD(ADD(FN(log, A), FN(log, B)), ADD(FN(xlogy, PLUS(A, -1), x), last));
}
OF_X(kumaraswamy_cdf) { return NEG(FN(expm1, kumaraswamy_log_survival(s, d, x))); }
OF_X(kumaraswamy_survival) { return FN(exp, kumaraswamy_log_survival(s, d, x)); }
/* (1 - exp(log_sf / b))^(1 / a) */
static T kumaraswamy_place(agn_scope *s, const agn_distribution *d, T log_sf)
{
    return FN(pow, NEG(FN(expm1, DIV(log_sf, B))), FN(reciprocal, A));
}
OF_X(kumaraswamy_icdf) { return kumaraswamy_place(s, d, FN(log1p, NEG(x))); }
DRAW(kumaraswamy_rsample)
{
    return kumaraswamy_place(s, d, NEG(FN(exponential, key, d->batch.dtype, ndim, shape)));
}
/* b beta(1 + order / a, b) */
static T kumaraswamy_moment(agn_scope *s, const agn_distribution *d, double order)
{
    T more = PLUS(TIMES(FN(reciprocal, A), order), 1);
    return FN(exp, ADD(FN(log, B), agni_log_beta(s, more, B)));
}
OF_PARAMETERS(kumaraswamy_mean) { return kumaraswamy_moment(s, d, 1); }
OF_PARAMETERS(kumaraswamy_variance)
{
    return SUB(kumaraswamy_moment(s, d, 2), FN(square, kumaraswamy_moment(s, d, 1)));
}
OF_PARAMETERS(kumaraswamy_mode)
{
    T base = DIV(PLUS(A, -1), PLUS(MUL(A, B), -1));
    T several = FN(logical_and, LE(A, LIT(1)), LE(B, LIT(1)));
    T inside = FN(pow, SEL(GT(A, LIT(1)), base, LIT(1)), FN(reciprocal, A));
    T at_end = SEL(GT(A, LIT(1)), SEL(GT(B, LIT(1)), inside, LIT(1)), LIT(0));
    return SEL(several, LIT((double)NAN), at_end);
}
OF_PARAMETERS(kumaraswamy_entropy)
{
    T harmonic = PLUS(FN(digamma, PLUS(B, 1)), EULER);
    T rest = ADD(SUB(LIT(1), FN(reciprocal, B)), MUL(SUB(LIT(1), FN(reciprocal, A)), harmonic));
    return SUB(rest, ADD(FN(log, A), FN(log, B)));
}
const agni_law agni_law_kumaraswamy = {
    .name = "kumaraswamy", .n = 2, .param = {"a", "b"},
    .domain = {AGNI_POSITIVE, AGNI_POSITIVE}, .support = AGN_SUPPORT_UNIT,
    .rsample = kumaraswamy_rsample, .log_prob = kumaraswamy_log_prob, .cdf = kumaraswamy_cdf,
    .survival = kumaraswamy_survival, .log_survival = kumaraswamy_log_survival,
    .icdf = kumaraswamy_icdf, .mean = kumaraswamy_mean, .variance = kumaraswamy_variance,
    .mode = kumaraswamy_mode, .entropy = kumaraswamy_entropy,
};

/* ---- triangular --------------------------------------------------------------------- */

enum { PEAK = 2 };
#define M d->param[PEAK]

OF_X(triangular_log_prob)
{
    T left = DIV(SUB(x, A), SUB(M, A)), right = DIV(SUB(B, x), SUB(B, M));
    T y = SEL(LT(x, M), left, SEL(GT(x, M), right, PLUS(TIMES(x, 0), 1)));
    return ADD(FN(log, y), SUB(LIT(LOG_2), FN(log, SUB(B, A))));
}
OF_X(triangular_left) { return DIV(DIV(FN(square, SUB(x, A)), SUB(B, A)), SUB(M, A)); }
OF_X(triangular_right) { return DIV(DIV(FN(square, SUB(B, x)), SUB(B, A)), SUB(B, M)); }
OF_X(triangular_cdf)
{
    return SEL(LT(x, M), triangular_left(s, d, x), SUB(LIT(1), triangular_right(s, d, x)));
}
OF_X(triangular_survival)
{
    return SEL(GT(x, M), triangular_right(s, d, x), SUB(LIT(1), triangular_left(s, d, x)));
}
OF_X(triangular_icdf)
{
    T width = SUB(B, A), share = DIV(SUB(M, A), width);
    T left = ADD(A, FN(sqrt, MUL(x, MUL(width, SUB(M, A)))));
    T right = SUB(B, FN(sqrt, MUL(SUB(LIT(1), x), MUL(width, SUB(B, M)))));
    return SEL(LT(x, share), left, right);
}
DRAW(triangular_rsample)
{
    return triangular_icdf(s, d, FN(uniform, key, d->batch.dtype, ndim, shape));
}
OF_PARAMETERS(triangular_mean) { return TIMES(ADD(ADD(A, B), M), 1.0 / 3); }
OF_PARAMETERS(triangular_variance)
{
    T u = SUB(M, A), v = SUB(B, M);
    return TIMES(ADD(ADD(FN(square, u), FN(square, v)), MUL(u, v)), 1.0 / 18);
}
OF_PARAMETERS(triangular_mode) { (void)s; return M; }
OF_PARAMETERS(triangular_entropy) { return PLUS(FN(log, SUB(B, A)), 0.5 - LOG_2); }
const agni_law agni_law_triangular = {
    .name = "triangular", .n = 3, .param = {"low", "high", "peak"},
    .domain = {AGNI_REAL, AGNI_REAL, AGNI_REAL},
    .order = {{LOW, PEAK, true}, {PEAK, HIGH, true}}, .n_order = 2,
    .support = AGN_SUPPORT_INTERVAL, .low = low_of, .high = high_of,
    .rsample = triangular_rsample, .log_prob = triangular_log_prob, .cdf = triangular_cdf,
    .survival = triangular_survival, .icdf = triangular_icdf, .mean = triangular_mean,
    .variance = triangular_variance, .mode = triangular_mode, .entropy = triangular_entropy,
};

/* ---- continuous Bernoulli: density proportional to exp(t x), t = logit(p) ----------- */

OF_PARAMETERS(tilt) { return FN(logit, d->param[0]); }

/* With u = t / 2: log(sinh(u) / u) and its derivative, by their series about 0, where the quotients
   cancel (Abramowitz & Stegun 1964, 4.5.65 and 4.5.67) */
static T even_series(agn_scope *s, T u2, const double *c, int n)
{
    T sum = LIT(c[n - 1]);
    for (int k = n - 2; k >= 0; k--)
        sum = PLUS(MUL(sum, u2), c[k]);
    return sum;
}
static T log_sinhc(agn_scope *s, T u)
{
    static const double c[] = {1.0 / 6,       -1.0 / 180,   1.0 / 2835,
                               -1.0 / 37800,  1.0 / 467775, -691.0 / 3831077250.0,
                               2.0 / 127702575.0};
    T u2 = FN(square, u), far = FN(abs, u), near = LT(far, LIT(0.2));
    T direct = SUB(ADD(PLUS(far, -LOG_2), FN(log1p, NEG(FN(exp, TIMES(far, -2))))), FN(log, far));
    return SEL(near, MUL(u2, even_series(s, u2, c, 7)), direct);
}
/* coth u - 1 / u */
static T langevin_function(agn_scope *s, T u)
{
    static const double c[] = {1.0 / 3,       -1.0 / 45,     2.0 / 945,
                               -1.0 / 4725,   2.0 / 93555,   -1382.0 / 638512875.0,
                               4.0 / 18243225.0};
    T u2 = FN(square, u), near = LT(FN(abs, u), LIT(0.2));
    T direct = SUB(FN(reciprocal, FN(tanh, u)), FN(reciprocal, u));
    return SEL(near, MUL(u, even_series(s, u2, c, 7)), direct);
}
/* 1 / u^2 - 1 / sinh(u)^2, the derivative of the former */
static T langevin_slope(agn_scope *s, T u)
{
    static const double c[] = {1.0 / 3,       -1.0 / 15,     2.0 / 189,
                               -1.0 / 675,    2.0 / 10395,   -1382.0 * 11 / 638512875.0,
                               4.0 * 13 / 18243225.0};
    T u2 = FN(square, u), near = LT(FN(abs, u), LIT(0.2));
    T direct = SUB(FN(reciprocal, u2), FN(reciprocal, FN(square, FN(sinh, u))));
    return SEL(near, even_series(s, u2, c, 7), direct);
}
/* t (x - 1/2) - log(sinh(t / 2) / (t / 2)) */
OF_X(continuous_bernoulli_log_prob)
{
    T t = tilt(s, d);
    return SUB(MUL(t, PLUS(x, -0.5)), log_sinhc(s, TIMES(t, 0.5)));
}
/* expm1(t x) / expm1(t) for t < 0, its reflection for t > 0, which does not overflow; x where t is
   0 */
static T tilted_share(agn_scope *s, T t, T x)
{
    T flat = LT(FN(abs, t), LIT(1e-3)), left = LT(t, LIT(0));
    T safe = SEL(flat, LIT(1), t);
    T down = DIV(FN(expm1, MUL(safe, x)), FN(expm1, safe));
    /* exp(t (x - 1)) (1 - exp(-t x)) / (1 - exp(-t)) */
    T up = MUL(FN(exp, MUL(safe, PLUS(x, -1))),
               DIV(FN(expm1, NEG(MUL(safe, x))), FN(expm1, NEG(safe))));
    /* to t^5: 1 + t (x - 1) / 2 + t^2 (x - 1)(2 x - 1) / 12 + t^3 x (x - 1)^2 / 24 + ... */
    T y = PLUS(x, -1), xy = MUL(x, y);
    T four = TIMES(MUL(MUL(y, PLUS(TIMES(x, 2), -1)), PLUS(MUL(PLUS(TIMES(x, 3), -3), x), -1)),
                   1.0 / 720);
    T three = TIMES(MUL(xy, y), 1.0 / 24), two = TIMES(MUL(y, PLUS(TIMES(x, 2), -1)), 1.0 / 12);
    T series = ADD(two, MUL(t, ADD(three, MUL(t, four))));
    series = PLUS(MUL(t, ADD(TIMES(y, 0.5), MUL(t, series))), 1);
    return SEL(flat, MUL(x, series), SEL(left, down, up));
}
OF_X(continuous_bernoulli_cdf) { return tilted_share(s, tilt(s, d), x); }
OF_X(continuous_bernoulli_survival) { return tilted_share(s, NEG(tilt(s, d)), SUB(LIT(1), x)); }
/* log1p(p expm1(t)) / t, by exp(-t) where t > 0; about t = 0: p + t p (1 - p) / 2 + ... */
OF_X(continuous_bernoulli_icdf)
{
    T t = tilt(s, d), flat = LT(FN(abs, t), LIT(1e-3)), safe = SEL(flat, LIT(1), t), p = x;
    T down = DIV(FN(log1p, MUL(p, FN(expm1, safe))), safe);
    T up = PLUS(DIV(FN(log1p, MUL(SUB(LIT(1), p), FN(expm1, NEG(safe)))), safe), 1);
    T q = SUB(LIT(1), p), pq = MUL(p, q), skew = SUB(LIT(1), TIMES(p, 2));
    T three = TIMES(MUL(pq, PLUS(TIMES(pq, -6), 1)), 1.0 / 24);
    T four = TIMES(MUL(MUL(pq, skew), PLUS(TIMES(pq, -12), 1)), 1.0 / 120);
    T series = ADD(TIMES(MUL(pq, skew), 1.0 / 6), MUL(t, ADD(three, MUL(t, four))));
    series = ADD(TIMES(pq, 0.5), MUL(t, series));
    return SEL(flat, ADD(p, MUL(t, series)), SEL(LT(t, LIT(0)), down, up));
}
DRAW(continuous_bernoulli_rsample)
{
    return continuous_bernoulli_icdf(s, d, FN(uniform, key, d->batch.dtype, ndim, shape));
}
OF_PARAMETERS(continuous_bernoulli_mean)
{
    return PLUS(TIMES(langevin_function(s, TIMES(tilt(s, d), 0.5)), 0.5), 0.5);
}
OF_PARAMETERS(continuous_bernoulli_variance)
{
    return TIMES(langevin_slope(s, TIMES(tilt(s, d), 0.5)), 0.25);
}
OF_PARAMETERS(continuous_bernoulli_mode)
{
    T t = tilt(s, d);
    return SEL(LT(t, LIT(0)), LIT(0), SEL(GT(t, LIT(0)), LIT(1), LIT((double)NAN)));
}
/* -(t (mean - 1/2) - log(sinh(u) / u)) */
OF_PARAMETERS(continuous_bernoulli_entropy)
{
    T u = TIMES(tilt(s, d), 0.5);
    return SUB(log_sinhc(s, u), MUL(u, langevin_function(s, u)));
}
OF_BOTH(agni_kl_continuous_bernoulli)
{
    T u = TIMES(tilt(s, p), 0.5), v = TIMES(tilt(s, q), 0.5);
    return ADD(SUB(log_sinhc(s, v), log_sinhc(s, u)), MUL(SUB(u, v), langevin_function(s, u)));
}
const agni_law agni_law_continuous_bernoulli = {
    .name = "continuous_bernoulli", .n = 1, .param = {"probs"}, .domain = {AGNI_INSIDE_UNIT},
    .support = AGN_SUPPORT_UNIT, .rsample = continuous_bernoulli_rsample,
    .log_prob = continuous_bernoulli_log_prob, .cdf = continuous_bernoulli_cdf,
    .survival = continuous_bernoulli_survival, .icdf = continuous_bernoulli_icdf,
    .mean = continuous_bernoulli_mean, .variance = continuous_bernoulli_variance,
    .mode = continuous_bernoulli_mode, .entropy = continuous_bernoulli_entropy,
};

/* ---- truncated normal --------------------------------------------------------------- */

enum { T_LOC, T_SCALE, T_LOW, T_HIGH };

OF_PARAMETERS(truncated_low) { (void)s; return d->param[T_LOW]; }
OF_PARAMETERS(truncated_high) { (void)s; return d->param[T_HIGH]; }
DRAW(truncated_rsample)
{
    return FN(random_truncated_normal, key, d->param[T_LOC], d->param[T_SCALE], d->param[T_LOW],
              d->param[T_HIGH], ndim, shape);
}
static T truncated_z(agn_scope *s, const agn_distribution *d, T x)
{
    return DIV(SUB(x, d->param[T_LOC]), d->param[T_SCALE]);
}
/* log of the normal probability between a and b, by the tail that both are in */
static T log_mass(agn_scope *s, T a, T b)
{
    T right = GT(a, LIT(0));
    T lo = FN(log_ndtr, SEL(right, NEG(b), a)), hi = FN(log_ndtr, SEL(right, NEG(a), b));
    return ADD(hi, FN(log, NEG(FN(expm1, SUB(lo, hi)))));
}
static T truncated_mass(agn_scope *s, const agn_distribution *d)
{
    return log_mass(s, truncated_z(s, d, d->param[T_LOW]), truncated_z(s, d, d->param[T_HIGH]));
}
OF_X(truncated_log_prob)
{
    T half = TIMES(FN(square, truncated_z(s, d, x)), -0.5);
    T unit = ADD(PLUS(FN(log, d->param[T_SCALE]), LOG_SQRT_2PI), truncated_mass(s, d));
    return SUB(half, unit);
}
OF_X(log_share_below)
{
    T part = log_mass(s, truncated_z(s, d, d->param[T_LOW]), truncated_z(s, d, x));
    return SUB(part, truncated_mass(s, d));
}
OF_X(log_share_above)
{
    T part = log_mass(s, truncated_z(s, d, x), truncated_z(s, d, d->param[T_HIGH]));
    return SUB(part, truncated_mass(s, d));
}
/* log of a share by that of the rest, where that is the smaller */
static T log_of_rest(agn_scope *s, T log_share, T log_rest)
{
    return SEL(LT(log_share, LIT(-LOG_2)), log_share, FN(log1p, NEG(FN(exp, log_rest))));
}
OF_X(truncated_log_cdf)
{
    return log_of_rest(s, log_share_below(s, d, x), log_share_above(s, d, x));
}
OF_X(truncated_log_survival)
{
    return log_of_rest(s, log_share_above(s, d, x), log_share_below(s, d, x));
}
OF_X(truncated_cdf) { return FN(exp, truncated_log_cdf(s, d, x)); }
OF_X(truncated_survival) { return FN(exp, truncated_log_survival(s, d, x)); }
/* the normal density at an end over the probability of the interval; 0 at an infinite end, with
   its products */
static T truncated_edge(agn_scope *s, const agn_distribution *d, int end, bool times_z)
{
    T z = truncated_z(s, d, d->param[end]), open = FN(isinf, d->param[end]);
    T log_phi = PLUS(TIMES(FN(square, z), -0.5), -LOG_SQRT_2PI);
    T h = FN(exp, SUB(log_phi, truncated_mass(s, d)));
    return SEL(open, LIT(0), times_z ? MUL(z, h) : h);
}
static T truncated_shift(agn_scope *s, const agn_distribution *d)
{
    return SUB(truncated_edge(s, d, T_LOW, false), truncated_edge(s, d, T_HIGH, false));
}
static T truncated_lean(agn_scope *s, const agn_distribution *d)
{
    return SUB(truncated_edge(s, d, T_LOW, true), truncated_edge(s, d, T_HIGH, true));
}
OF_PARAMETERS(truncated_mean)
{
    return ADD(d->param[T_LOC], MUL(d->param[T_SCALE], truncated_shift(s, d)));
}
OF_PARAMETERS(truncated_variance)
{
    T v = SUB(PLUS(truncated_lean(s, d), 1), FN(square, truncated_shift(s, d)));
    return MUL(FN(square, d->param[T_SCALE]), v);
}
OF_PARAMETERS(truncated_mode)
{
    return FN(minimum, FN(maximum, d->param[T_LOC], d->param[T_LOW]), d->param[T_HIGH]);
}
OF_PARAMETERS(truncated_entropy)
{
    T unit = ADD(PLUS(FN(log, d->param[T_SCALE]), LOG_SQRT_2PI + 0.5), truncated_mass(s, d));
    return ADD(unit, TIMES(truncated_lean(s, d), 0.5));
}
const agni_law agni_law_truncated_normal = {
    .name = "truncated_normal", .n = 4, .param = {"loc", "scale", "low", "high"},
    .domain = {AGNI_REAL, AGNI_POSITIVE, AGNI_ANY, AGNI_ANY},
    .order = {{T_LOW, T_HIGH, true}}, .n_order = 1, .support = AGN_SUPPORT_INTERVAL,
    .low = truncated_low, .high = truncated_high, .rsample = truncated_rsample,
    .log_prob = truncated_log_prob, .cdf = truncated_cdf, .survival = truncated_survival,
    .log_cdf = truncated_log_cdf, .log_survival = truncated_log_survival,
    .mean = truncated_mean, .variance = truncated_variance, .mode = truncated_mode,
    .entropy = truncated_entropy,
};
