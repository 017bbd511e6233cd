/* distribution/univariate/gamma.c - laws made of the gamma function: gamma, inverse gamma,
   chi-squared, exponential, and the logarithms of gamma and beta functions that keep their accuracy
   where they are large (DiDonato & Morris 1992, 8; Loader 2000). */
#include "distribution/expression.h"

/* ---- large logarithms --------------------------------------------------------------- */

/* log gamma(a) - (a - 1/2) log a + a - log sqrt(2 pi) for a >= 8, to 2e-17 (Stirling's series) */
static T stirling_rest(agn_scope *s, T a)
{
    static const double c[] = {1.0 / 12,     -1.0 / 360,      1.0 / 1260, -1.0 / 1680,
                               1.0 / 1188,   -691.0 / 360360, 1.0 / 156,  -3617.0 / 122400,
                               43867.0 / 244188, -174611.0 / 125400};
    T r = FN(reciprocal, a), r2 = FN(square, r), sum = LIT(c[9]);
    for (int k = 8; k >= 0; k--)
        sum = PLUS(MUL(sum, r2), c[k]);
    return MUL(sum, r);
}
/* a where it is large, else a number for which nothing goes wrong */
static T at_least_8(agn_scope *s, T a)
{
    return SEL(LT(a, LIT(8)), LIT(8), a);
}

T agni_log_gamma_rest(agn_scope *s, T a)
{
    T b = at_least_8(s, a), large = PLUS(TIMES(FN(log, b), 0.5), LOG_SQRT_2PI);
    return SEL(LT(a, LIT(8)), FN(lgamma, a), ADD(large, stirling_rest(s, b)));
}
T agni_log_gamma_half_step(agn_scope *s, T a)
{
    T direct = SUB(FN(lgamma, PLUS(a, 0.5)), FN(lgamma, a));
    T b = at_least_8(s, a), h = PLUS(b, 0.5);
    /* b log(h / b) + log(h) / 2 ... = b log1p(1 / 2b) + log(b) / 2 - 1/2 */
    T rest = SUB(stirling_rest(s, h), stirling_rest(s, b));
    T large = ADD(PLUS(MUL(b, FN(log1p, DIV(LIT(0.5), b))), -0.5), TIMES(FN(log, b), 0.5));
    return SEL(LT(a, LIT(8)), direct, ADD(large, rest));
}

/* of log a - 1 / (2 a) - sum of B_2k / (2 k a^2k), term by term */
T agni_digamma_step(agn_scope *s, T a, double m)
{
    static const double c[] = {1.0 / 12,  -1.0 / 120,     1.0 / 252, -1.0 / 240,
                               1.0 / 132, -691.0 / 32760, 1.0 / 12};
    T direct = SUB(FN(digamma, PLUS(a, m)), FN(digamma, a)), b = at_least_8(s, a), h = PLUS(b, m);
    T r = FN(reciprocal, FN(square, b)), q = FN(reciprocal, FN(square, h)), near = LIT(c[6]),
      far = LIT(c[6]);
    for (int k = 5; k >= 0; k--) {
        near = PLUS(MUL(near, r), c[k]);
        far = PLUS(MUL(far, q), c[k]);
    }
    T large = ADD(FN(log1p, DIV(LIT(m), b)), TIMES(DIV(LIT(m), MUL(b, h)), 0.5));
    large = ADD(large, SUB(MUL(near, r), MUL(far, q)));
    return SEL(LT(a, LIT(8)), direct, large);
}

/* The product of 1 - (q / (a + j))^2 over j >= 0 is gamma(a)^2 / (gamma(a + q) gamma(a - q)):
   twelve factors, then Stirling's series at b = a + 12. Its y_n = (1 + e)^-n + (1 - e)^-n - 2,
   e = q / b, have the recurrence y_(n + 1) = (2 y_n - y_(n - 1) + 2 e^2) / (1 - e^2). Every part is
   of order q^2. */
T agni_log_gamma_bend(agn_scope *s, T a, T q)
{
    static const double c[] = {1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188,
                               -691.0 / 360360};
    T b = PLUS(a, 12), e = DIV(q, b), e2 = FN(square, e), factors = LIT(0);
    for (int j = 0; j < 12; j++)
        factors = ADD(factors, FN(log1p, NEG(FN(square, DIV(q, PLUS(a, j))))));
    T g = FN(reciprocal, PLUS(NEG(e2), 1)), step = TIMES(e2, 2), last = LIT(0), y = MUL(step, g);
    T power = FN(reciprocal, b), b2 = FN(square, power);
    T sum = ADD(MUL(PLUS(b, -0.5), FN(log1p, NEG(e2))), TIMES(MUL(q, FN(atanh, e)), 2));
    for (int k = 0; k < 6; k++) {
        sum = ADD(sum, TIMES(MUL(power, y), c[k]));
        power = MUL(power, b2);
        for (int i = 0; i < 2; i++) {
            T next = MUL(ADD(SUB(TIMES(y, 2), last), step), g);
            last = y, y = next;
        }
    }
    return SUB(sum, factors);
}

T agni_log_beta(agn_scope *s, T a, T b)
{
    T first = LE(a, b), lo = SEL(first, a, b), hi = SEL(first, b, a);
    T direct = SUB(ADD(FN(lgamma, a), FN(lgamma, b)), FN(lgamma, ADD(a, b)));
    /* log gamma(hi) - log gamma(lo + hi) = w - (lo + hi - 1/2) log1p(lo / hi) - lo (log hi - 1) */
    T far = at_least_8(s, hi), sum = ADD(lo, far);
    T w = SUB(stirling_rest(s, far), stirling_rest(s, sum));
    T one = SUB(SUB(w, MUL(PLUS(sum, -0.5), FN(log1p, DIV(lo, far)))),
                MUL(lo, PLUS(FN(log, far), -1)));
    one = ADD(FN(lgamma, lo), one);
    T near = at_least_8(s, lo), c = DIV(near, far), all = ADD(near, far);
    T both = ADD(PLUS(TIMES(FN(log, far), -0.5), LOG_SQRT_2PI),
                 SUB(ADD(stirling_rest(s, near), stirling_rest(s, far)), stirling_rest(s, all)));
    both = SUB(ADD(both, MUL(PLUS(near, -0.5), FN(log, DIV(c, PLUS(c, 1))))),
               MUL(far, FN(log1p, c)));
    return SEL(LT(hi, LIT(8)), direct, SEL(LT(lo, LIT(8)), one, both));
}

/* With e = (t - a) / a, t = rate x, Stirling's a log a meets the a log x of the density as log1p(e) - e.
   Of t below 1, log t - log a: t / a may underflow; t - a is not a e, whose slopes in a cancel only where e is
   small. */
T agni_gamma_log_density(agn_scope *s, T a, T rate, T x)
{
    T t = MUL(rate, x);
    T direct = SUB(SUB(FN(xlogy, PLUS(a, -1), t), t), FN(lgamma, a));
    T b = at_least_8(s, a), log_b = FN(log, b), over = SUB(t, b), e = DIV(over, b);
    T low = LT(t, LIT(1));
    T far = SUB(FN(log, SEL(low, t, DIV(t, b))), SEL(low, log_b, LIT(0)));
    T log_r = SEL(LT(FN(abs, e), LIT(0.5)), FN(log1p, e), far);
    T large = SUB(SUB(MUL(PLUS(b, -1), log_r), over),
                  ADD(PLUS(TIMES(log_b, 0.5), LOG_SQRT_2PI), stirling_rest(s, b)));
    return ADD(SEL(LT(a, LIT(8)), direct, large), FN(log, rate));
}

/* a + log gamma(a) + (1 - a) digamma(a); for large a, with digamma(a) = log a - 1 / (2 a) - rho / a,
   log(2 pi e a) / 2 - 1 / (2 a) + (a - 1) rho / a + what Stirling's series adds */
static T digamma_rest(agn_scope *s, T a)
{
    static const double c[] = {1.0 / 12,  -1.0 / 120,     1.0 / 252, -1.0 / 240,
                               1.0 / 132, -691.0 / 32760, 1.0 / 12, -3617.0 / 8160};
    T r = FN(square, FN(reciprocal, a)), sum = LIT(c[7]);
    for (int k = 6; k >= 0; k--)
        sum = PLUS(MUL(sum, r), c[k]);
    return MUL(sum, r);
}
T agni_gamma_unit_entropy(agn_scope *s, T a)
{
    T low = LT(a, LIT(8)), near = SEL(low, a, LIT(1)), b = at_least_8(s, a);
    T direct = ADD(near, ADD(FN(lgamma, near), MUL(SUB(LIT(1), near), FN(digamma, near))));
    T flat = SUB(PLUS(TIMES(FN(log, b), 0.5), LOG_SQRT_2PI + 0.5), DIV(LIT(0.5), b));
    T large = ADD(ADD(flat, stirling_rest(s, b)), MUL(PLUS(b, -1), digamma_rest(s, b)));
    return SEL(low, direct, large);
}
/* R(a2) - R(a) - gap R'(a) of R = stirling_rest, a2 = a + gap. A power r^m of r = 1 / a leaves gap^2 r^2
   r2 b_(m + 1) of such a difference, r2 = 1 / a2, b_2 = 1, b_(m + 1) = r2 b_m + m r^(m - 1): all terms
   are positive, and none is of first order. */
static T stirling_bend(agn_scope *s, T a, T a2, T gap)
{
    static const double c[] = {1.0 / 12,     -1.0 / 360, 1.0 / 1260,      -1.0 / 1680, 1.0 / 1188,
                               -691.0 / 360360, 1.0 / 156, -3617.0 / 122400};
    T r = FN(reciprocal, a), r2 = FN(reciprocal, a2), power = r, b = LIT(1), sum = LIT(c[0]);
    for (int m = 2; m < 16; m++) {
        b = ADD(MUL(r2, b), TIMES(power, m));
        power = MUL(power, r);
        if (m % 2)
            sum = ADD(sum, TIMES(b, c[m / 2]));
    }
    return MUL(MUL(MUL(MUL(gap, r), MUL(gap, r2)), r), sum);
}
/* log(1 + e) by one logarithm, of 1 / (1 + e) = 1 + back where 1 + e is small */
static T log_of_ratio(agn_scope *s, T e, T back)
{
    T less = LT(e, LIT(-0.5)), l = FN(log1p, SEL(less, back, e));
    return SEL(less, NEG(l), l);
}
/* e - l with l = log(1 + e), by its series where that is small */
static T log_bend(agn_scope *s, T e, T l)
{
    T near = LT(FN(abs, e), LIT(1e-3)), w = SEL(near, NEG(e), LIT(0)), sum = LIT(1.0 / 6);
    for (int k = 5; k >= 2; k--)
        sum = PLUS(MUL(sum, w), 1.0 / k);
    return SEL(near, MUL(sum, FN(square, w)), SUB(e, l));
}
/* What the recurrences of log gamma and digamma leave of the divergence below where a and a2 become a
   + 8 and a2 + 8: the sum over j < 8 of e - log(1 + e), e = (a2 - a) / (a + j). The logarithms are one
   of a product, 1 + E = up / down. `apart` is up - down, `slope` down times the sum of 1 / (a + j),
   `pairs` what apart has beyond slope gap: each of terms of one sign. Above 1e25 logarithms are nothing
   beside a2. */
static T recurrence_divergence(agn_scope *s, T a, T a2, T gap)
{
    const double large = 1e25;
    T x = FN(minimum, a, LIT(large)), y = FN(minimum, a2, LIT(large)), few = SUB(y, x);
    T up = y, down = x, apart = few, slope = LIT(1), pairs = LIT(0);
    for (int j = 1; j < 8; j++) {
        T xj = PLUS(x, j), yj = PLUS(y, j);
        pairs = ADD(MUL(pairs, xj), MUL(apart, few));
        slope = ADD(MUL(slope, xj), down);
        apart = ADD(MUL(apart, yj), MUL(down, few));
        up = MUL(up, yj);
        down = MUL(down, xj);
    }
    T under = FN(reciprocal, down), all = MUL(apart, under);
    T l = log_of_ratio(s, FN(minimum, all, LIT(1e300)), NEG(DIV(apart, up)));
    T near = LT(FN(abs, all), LIT(0.5)), sum = MUL(FN(maximum, gap, few), MUL(slope, under));
    return SEL(near, SUB(log_bend(s, all, l), MUL(pairs, under)), SUB(sum, l));
}
/* log gamma(a2) - log gamma(a) - (a2 - a) digamma(a) >= 0 */
static T log_gamma_divergence(agn_scope *s, T a, T a2)
{
    T low = FN(logical_or, LT(a, LIT(8)), LT(a2, LIT(8))), gap = SUB(a2, a);
    T below = recurrence_divergence(s, SEL(low, a, LIT(1)), SEL(low, a2, LIT(1)),
                                    SEL(low, gap, LIT(0)));
    T shift = SEL(low, LIT(8), LIT(0)), b = ADD(a, shift), b2 = ADD(a2, shift), e = DIV(gap, b);
    T l = log_of_ratio(s, e, DIV(NEG(gap), b2)), bend = log_bend(s, e, l);
    /* b ((1 + e) log(1 + e) - e) */
    T small = LT(FN(abs, e), LIT(1e-3)), w = SEL(small, NEG(e), LIT(0)), sum = LIT(1.0 / 30);
    for (int k = 5; k >= 2; k--)
        sum = PLUS(MUL(sum, w), 1.0 / (k * (k - 1)));
    T bulk = SEL(small, MUL(b, MUL(sum, FN(square, w))), SUB(MUL(b2, l), gap));
    T rest = stirling_bend(s, b, b2, gap);
    return ADD(ADD(ADD(bulk, TIMES(bend, 0.5)), rest), SEL(low, below, LIT(0)));
}

/* ---- gamma -------------------------------------------------------------------------- */

enum { CONCENTRATION, RATE };
#define A d->param[CONCENTRATION]
#define B d->param[RATE]

DRAW(gamma_rsample) { return DIV(FN(random_gamma, key, A, ndim, shape), B); }
OF_X(gamma_log_prob) { return agni_gamma_log_density(s, A, B, x); }
OF_X(gamma_cdf) { return FN(gammainc, A, MUL(x, B)); }
OF_X(gamma_survival) { return FN(gammaincc, A, MUL(x, B)); }
OF_X(gamma_icdf) { return DIV(FN(gammaincinv, A, x), B); }
OF_PARAMETERS(gamma_mean) { return DIV(A, B); }
OF_PARAMETERS(gamma_variance) { return DIV(DIV(A, B), B); }
OF_PARAMETERS(gamma_mode) { return DIV(FN(relu, PLUS(A, -1)), B); }
OF_PARAMETERS(gamma_entropy)
{
    return SUB(agni_gamma_unit_entropy(s, A), FN(log, B));
}
/* (a - a') psi(a) - log gamma(a) + log gamma(a') + a' log(b / b') + a (b' - b) / b (Penny 2001) */
OF_BOTH(agni_kl_gamma)
{
    T a = p->param[CONCENTRATION], b = p->param[RATE], a2 = q->param[CONCENTRATION],
      b2 = q->param[RATE], e = DIV(SUB(b2, b), b);
    T log_r = log_of_ratio(s, e, DIV(SUB(b, b2), b2));
    /* of near rates a e and a' log(b' / b) agree in their first digits, which cancel by hand */
    T near = SUB(MUL(a, log_bend(s, e, log_r)), MUL(SUB(a2, a), log_r));
    T rates = SEL(LT(FN(abs, e), LIT(1e-3)), near, SUB(MUL(a, e), MUL(a2, log_r)));
    return ADD(log_gamma_divergence(s, a, a2), rates);
}
const agni_law agni_law_gamma = {
    .name = "gamma", .n = 2, .param = {"concentration", "rate"},
    .domain = {AGNI_POSITIVE, AGNI_POSITIVE}, .support = AGN_SUPPORT_NONNEGATIVE,
    .rsample = gamma_rsample, .log_prob = gamma_log_prob, .cdf = gamma_cdf,
    .survival = gamma_survival, .icdf = gamma_icdf, .mean = gamma_mean, .variance = gamma_variance,
    .mode = gamma_mode, .entropy = gamma_entropy,
};

/* ---- inverse gamma: 1 / x is gamma with this scale as its rate ---------------------- */

DRAW(inverse_gamma_rsample)
{
    return MUL(B, FN(exp, NEG(FN(random_log_gamma, key, A, ndim, shape))));
}
OF_X(inverse_gamma_log_prob)
{
    return SUB(agni_gamma_log_density(s, A, B, FN(reciprocal, x)), TIMES(FN(log, x), 2));
}
OF_X(inverse_gamma_cdf) { return FN(gammaincc, A, DIV(B, x)); }
OF_X(inverse_gamma_survival) { return FN(gammainc, A, DIV(B, x)); }
OF_X(inverse_gamma_icdf) { return DIV(B, FN(gammainccinv, A, x)); }
OF_PARAMETERS(inverse_gamma_mean)
{
    return SEL(GT(A, LIT(1)), DIV(B, PLUS(A, -1)), LIT((double)INFINITY));
}
OF_PARAMETERS(inverse_gamma_variance)
{
    T v = DIV(FN(square, DIV(B, PLUS(A, -1))), PLUS(A, -2));
    return SEL(GT(A, LIT(2)), v, LIT((double)INFINITY));
}
OF_PARAMETERS(inverse_gamma_mode) { return DIV(B, PLUS(A, 1)); }
OF_PARAMETERS(inverse_gamma_entropy)
{
    T rest = TIMES(FN(digamma, A), -2);
    return ADD(ADD(agni_gamma_unit_entropy(s, A), FN(log, B)), rest);
}
const agni_law agni_law_inverse_gamma = {
    .name = "inverse_gamma",
    .n = 2,
    .param = {"concentration", "scale"},
    .domain = {AGNI_POSITIVE, AGNI_POSITIVE},
    .support = AGN_SUPPORT_POSITIVE,
    .rsample = inverse_gamma_rsample,
    .log_prob = inverse_gamma_log_prob,
    .cdf = inverse_gamma_cdf,
    .survival = inverse_gamma_survival,
    .icdf = inverse_gamma_icdf,
    .mean = inverse_gamma_mean,
    .variance = inverse_gamma_variance,
    .mode = inverse_gamma_mode,
    .entropy = inverse_gamma_entropy,
};

/* ---- chi-squared: gamma of shape df / 2 and rate 1/2 -------------------------------- */

static T half_df(agn_scope *s, const agn_distribution *d) { return TIMES(d->param[0], 0.5); }
DRAW(chi2_rsample) { return TIMES(FN(random_gamma, key, half_df(s, d), ndim, shape), 2); }
OF_X(chi2_log_prob) { return agni_gamma_log_density(s, half_df(s, d), make_number(s, d, 0.5), x); }
OF_X(chi2_cdf) { return FN(gammainc, half_df(s, d), TIMES(x, 0.5)); }
OF_X(chi2_survival) { return FN(gammaincc, half_df(s, d), TIMES(x, 0.5)); }
OF_X(chi2_icdf) { return TIMES(FN(gammaincinv, half_df(s, d), x), 2); }
OF_PARAMETERS(chi2_mean) { (void)s; return d->param[0]; }
OF_PARAMETERS(chi2_variance) { return TIMES(d->param[0], 2); }
OF_PARAMETERS(chi2_mode) { return FN(relu, PLUS(d->param[0], -2)); }
OF_PARAMETERS(chi2_entropy)
{
    return PLUS(agni_gamma_unit_entropy(s, half_df(s, d)), LOG_2);
}
OF_BOTH(agni_kl_chi2)
{
    return log_gamma_divergence(s, half_df(s, p), half_df(s, q));
}
const agni_law agni_law_chi2 = {
    .name = "chi2",
    .n = 1,
    .param = {"df"},
    .domain = {AGNI_POSITIVE},
    .support = AGN_SUPPORT_NONNEGATIVE,
    .rsample = chi2_rsample,
    .log_prob = chi2_log_prob,
    .cdf = chi2_cdf,
    .survival = chi2_survival,
    .icdf = chi2_icdf,
    .mean = chi2_mean,
    .variance = chi2_variance,
    .mode = chi2_mode,
    .entropy = chi2_entropy,
};

/* ---- exponential -------------------------------------------------------------------- */

#define LAMBDA d->param[0]
DRAW(exponential_rsample)
{
    return DIV(FN(exponential, key, d->batch.dtype, ndim, shape), LAMBDA);
}
OF_X(exponential_log_prob) { return SUB(FN(log, LAMBDA), MUL(LAMBDA, x)); }
OF_X(exponential_log_survival) { return NEG(MUL(LAMBDA, x)); }
OF_X(exponential_cdf) { return NEG(FN(expm1, NEG(MUL(LAMBDA, x)))); }
OF_X(exponential_survival) { return FN(exp, NEG(MUL(LAMBDA, x))); }
OF_X(exponential_icdf) { return DIV(NEG(FN(log1p, NEG(x))), LAMBDA); }
OF_PARAMETERS(exponential_mean) { return FN(reciprocal, LAMBDA); }
OF_PARAMETERS(exponential_variance) { return FN(square, FN(reciprocal, LAMBDA)); }
OF_PARAMETERS(exponential_mode) { (void)s; return make_number(s, d, 0); }
OF_PARAMETERS(exponential_entropy) { return SUB(LIT(1), FN(log, LAMBDA)); }
/* e - log(1 + e) with e = q / p - 1 */
OF_BOTH(agni_kl_exponential)
{
    T e = DIV(SUB(q->param[0], p->param[0]), p->param[0]);
    T log_r = SEL(LT(FN(abs, e), LIT(0.5)), FN(log1p, e),
                  FN(log, DIV(q->param[0], p->param[0])));
    return SUB(e, log_r);
}
/* a gamma law of shape 1 */
OF_BOTH(agni_kl_exponential_gamma)
{
    T b = p->param[0], a2 = q->param[CONCENTRATION], b2 = q->param[RATE];
    T shape = ADD(MUL(SUB(a2, LIT(1)), LIT(EULER)), FN(lgamma, a2));
    return ADD(shape, SUB(DIV(SUB(b2, b), b), MUL(a2, FN(log, DIV(b2, b)))));
}
OF_BOTH(agni_kl_gamma_exponential)
{
    T a = p->param[CONCENTRATION], b = p->param[RATE], b2 = q->param[0];
    T shape = SUB(MUL(PLUS(a, -1), FN(digamma, a)), FN(lgamma, a));
    return ADD(shape, SUB(MUL(a, DIV(SUB(b2, b), b)), FN(log, DIV(b2, b))));
}
/* -H(p) and the mean of ((x - loc) / scale)^2 / 2 */
OF_BOTH(agni_kl_exponential_normal)
{
    T m = FN(reciprocal, p->param[0]), scale = q->param[1];
    T z = DIV(SUB(m, q->param[0]), scale), v = DIV(m, scale);
    T square = TIMES(ADD(FN(square, z), FN(square, v)), 0.5);
    return ADD(PLUS(FN(log, MUL(p->param[0], scale)), LOG_SQRT_2PI - 1), square);
}
const agni_law agni_law_exponential = {
    .name = "exponential", .n = 1, .param = {"rate"}, .domain = {AGNI_POSITIVE},
    .support = AGN_SUPPORT_NONNEGATIVE, .rsample = exponential_rsample,
    .log_prob = exponential_log_prob, .cdf = exponential_cdf,
    .survival = exponential_survival, .log_survival = exponential_log_survival,
    .icdf = exponential_icdf, .mean = exponential_mean, .variance = exponential_variance,
    .mode = exponential_mode, .entropy = exponential_entropy,
};
