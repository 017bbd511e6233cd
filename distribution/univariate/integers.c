/* distribution/univariate/integers.c - laws of whole numbers: Skellam (J. R. Stat. Soc. 109,
   1946), Zipf, beta negative binomial (Johnson, Kemp & Kotz 2005, 4, 6, 11). */
#include "distribution/expression.h"
#include "tensor/elementwise/partials.h"

#include <agnesi/univariate_laws.h>

#define FIRST d->param[0]
#define SECOND d->param[1]

/* ---- Skellam: the difference of two Poisson numbers ----------------------------------------- */

OF_PARAMETERS(no_low_end)
{
    return make_number(s, d, -(double)INFINITY);
}
DRAW(skellam_draw)
{
    T keys = FN(key_split, key, 2);
    T up = FN(random_poisson, FN(index_axis, keys, 0, 0), FIRST, AGN_I64, ndim, shape);
    T down = FN(random_poisson, FN(index_axis, keys, 0, 1), SECOND, AGN_I64, ndim, shape);
    return FN(cast, SUB(up, down), d->batch.dtype);
}
/* log(exp(-z) I_v(z)) for large v or small z, by the power series or Debye's (DLMF 10.25.2, 10.41.3)
   with h^2 = v^2 + z^2 and p = v / h; its n-th term is U_n(p) / v^n */
static T log_bessel_tail(agn_scope *s, T v, T z)
{
    static const double u[5][6] = {
        {3, -5},
        {81, -462, 385},
        {30375, -369603, 765765, -425425},
        {4465125, -94121676, 349922430, -446185740, 185910725},
        {1519035525, -49286948607, 284499769554, -614135872350, 566098157625, -188699385875}};
    static const double under[] = {24, 1152, 414720, 39813120, 6688604160};
    T h = FN(hypot, v, z), p = DIV(v, h), p2 = FN(square, p), r = FN(reciprocal, h), sum = LIT(0);
    for (int n = 4; n >= 0; n--) {
        T term = LIT(u[n][n + 1] / under[n]);
        for (int k = n; k >= 0; k--)
            term = PLUS(MUL(term, p2), u[n][k] / under[n]);
        sum = MUL(ADD(sum, term), r); /* p^n / v^n is h^-n */
    }
    T main = ADD(DIV(FN(square, v), ADD(h, z)), MUL(v, FN(log, DIV(z, ADD(v, h)))));
    T debye = PLUS(ADD(SUB(main, TIMES(FN(log, h), 0.5)), FN(log1p, sum)), -LOG_SQRT_2PI);
    T near = LT(z, LIT(0.01)), q = FN(square, TIMES(SEL(near, z, LIT(0)), 0.5)), v1 = PLUS(v, 1);
    T power = DIV(MUL(q, PLUS(DIV(q, TIMES(PLUS(v, 2), 2)), 1)), v1);
    T start = SUB(MUL(v, FN(log, TIMES(z, 0.5))), ADD(FN(lgamma, v1), z));
    return SEL(near, ADD(start, FN(log1p, power)), debye);
}
/* -(sqrt a - sqrt b)^2 + k/2 log(a / b) + log(exp(-z) I_k(z)), z = 2 sqrt(a b) */
OF_X(skellam_log_prob)
{
    T z = TIMES(MUL(FN(sqrt, FIRST), FN(sqrt, SECOND)), 2), order = FN(stop_gradient, FN(abs, x));
    T gap = FN(square, SUB(FN(sqrt, FIRST), FN(sqrt, SECOND))), i = FN(ive, order, z);
    double least = d->batch.dtype == AGN_F32 ? 1e-8 : 1e-60; /* its powers are numbers, too */
    T tiny = LT(i, LIT(least)), tail = log_bessel_tail(s, SEL(tiny, order, LIT(50)), z);
    T log_i = SEL(tiny, tail, FN(log, SEL(tiny, LIT(1), i)));
    T lean = TIMES(MUL(x, SUB(FN(log, FIRST), FN(log, SECOND))), 0.5);
    return ADD(SUB(lean, gap), log_i);
}
/* With S of the smaller rate m and L of the larger rate M, P(L - S >= k) = sum_i P(S = i) P(L >= k
   + i), or what is left to 1. The sum is over i about the largest term, i (i + k) = m M; where that
   is wide, every step-th term: the sum over all of them is the trapezoidal rule for the same
   integral (Trefethen & Weideman 2014), as is this one. */
static T skellam_share(agn_scope *s, const agn_distribution *d, T x, bool right)
{
    enum { SIDE = 80 };
    T first = LE(FIRST, SECOND), k = FN(stop_gradient, SEL(first, NEG(x), PLUS(x, 1)));
    T m = SEL(first, FIRST, SECOND), large = SEL(first, SECOND, FIRST), product = MUL(m, large);
    T root = FN(sqrt, ADD(FN(square, k), TIMES(product, 4)));
    T near = SEL(GT(k, LIT(0)), DIV(TIMES(product, 2), ADD(root, k)), TIMES(SUB(root, k), 0.5));
    T both = FN(minimum, near, ADD(near, k)),
      step = FN(floor, TIMES(FN(sqrt, FN(maximum_c, both, 0)), 0.25));
    step = FN(stop_gradient, FN(maximum_c, step, 1));
    T outer = FN(expand_dims, SEL(GE(k, SUB(large, m)), LIT(1), LIT(0)), -1); /* L - S >= k is the rarer one */
    T places = FN(arange, d->batch.dtype, -SIDE, SIDE + 1, 1);
    T middle = FN(stop_gradient, FN(floor, near)), wide = FN(expand_dims, step, -1);
    T i = ADD(FN(expand_dims, middle, -1), MUL(wide, places)), there = GE(i, LIT(0));
    T count = SEL(there, i, LIT(0)), rest = ADD(count, FN(expand_dims, k, -1)),
      some = GT(rest, LIT(0));
    T mass = FN(exp, agni_gamma_log_density(s, PLUS(count, 1), LIT(1), FN(expand_dims, m, -1)));
    T a = SEL(some, rest, LIT(1)), rate = FN(expand_dims, large, -1),
      is_outer = GT(outer, LIT(0.5));
    T tail = SEL(is_outer, SEL(some, FN(gammainc, a, rate), LIT(1)),
                 SEL(some, FN(gammaincc, a, rate), LIT(0)));
    T sum = FN(sum, SEL(there, MUL(MUL(mass, tail), wide), LIT(0)), (const int32_t[]){-1}, 1,
               false);
    /* the sum is the cdf where S is the first number and L - S >= k was summed, or neither */
    T summed_left = FN(eq, SEL(first, LIT(1), LIT(0)), SEL(GE(k, SUB(large, m)), LIT(1), LIT(0)));
    T other = SUB(LIT(1), sum),
      share = right ? SEL(summed_left, other, sum) : SEL(summed_left, sum, other);
    return SEL(FN(isnan, x), x, share);
}
OF_X(skellam_cdf)
{
    return skellam_share(s, d, x, false);
}
OF_X(skellam_survival)
{
    return skellam_share(s, d, x, true);
}
/* By halving within 40 deviations and 500 of the mean: a number beyond has a probability below all
   numbers, as its log is at most -t^2 / (2 (variance + t / 3)) (Bernstein). */
OF_X(skellam_icdf)
{
    T middle = SUB(FIRST, SECOND), half = PLUS(TIMES(FN(sqrt, ADD(FIRST, SECOND)), 40), 500);
    T p = x, low = FN(floor, SUB(middle, half)), high = FN(ceil, ADD(middle, half));
    for (int k = d->batch.dtype == AGN_F32 ? 24 : 53; k > 0; k--) {
        T at = FN(floor, TIMES(ADD(low, high), 0.5)), less = LT(skellam_share(s, d, at, false), p);
        low = SEL(less, at, low);
        high = SEL(less, high, at);
    }
    return FN(stop_gradient, high);
}
OF_PARAMETERS(skellam_mean)
{
    return SUB(FIRST, SECOND);
}
OF_PARAMETERS(skellam_variance)
{
    return ADD(FIRST, SECOND);
}
/* the first of the most likely numbers: it is next to the mean */
OF_PARAMETERS(skellam_mode)
{
    T near = FN(floor, SUB(FIRST, SECOND)), mode = PLUS(near, -2), top = NULL;
    for (int k = -2; k <= 2; k++) {
        T at = PLUS(near, k), p = skellam_log_prob(s, d, at);
        mode = top ? SEL(GT(p, top), at, mode) : at;
        top = top ? FN(maximum, top, p) : p;
    }
    return FN(stop_gradient, ADD(mode, MUL(top, LIT(0))));
}
OF_PARAMETERS(skellam_entropy)
{
    T params[AGNI_PATH_PARAMS] = {FN(maximum, FIRST, SECOND), FN(minimum, FIRST, SECOND)};
    const agn_distribution *e = agni_distribution_with(s, d, params);
    return e ? agni_count_entropy(s, e, SUB(params[0], params[1]), ADD(FIRST, SECOND)) : NULL;
}
static const agni_law agni_law_skellam = {
    .name = "skellam",
    .n = 2,
    .param = {"rate1", "rate2"},
    .domain = {AGNI_POSITIVE, AGNI_POSITIVE},
    .support = AGN_SUPPORT_COUNTS,
    .low = no_low_end,
    .draw = skellam_draw,
    .log_prob = skellam_log_prob,
    .cdf = skellam_cdf,
    .survival = skellam_survival,
    .icdf = skellam_icdf,
    .mean = skellam_mean,
    .variance = skellam_variance,
    .mode = skellam_mode,
    .entropy = skellam_entropy,
};
agn_status agn_distribution_skellam(agn_distribution **out, const agn_tensor *rate1,
                                    const agn_tensor *rate2, const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_skellam, (const agn_tensor *[]){rate1, rate2},
                                  opts);
}

/* ---- Zipf: probabilities proportional to k^-s, k from 1 ------------------------------------- */

OF_PARAMETERS(one)
{
    return make_number(s, d, 1);
}
static T zeta_from(agn_scope *s, const agn_distribution *d, T from)
{
    return FN(zeta, FIRST, from);
}
/* log zeta, by the sum from 2 on, which is small where the power is large */
OF_PARAMETERS(log_zeta) { return FN(log1p, zeta_from(s, d, make_number(s, d, 2))); }
OF_X(zipf_log_prob)
{
    return NEG(ADD(MUL(FIRST, FN(log, x)), log_zeta(s, d)));
}
OF_X(zipf_survival)
{
    return DIV(zeta_from(s, d, PLUS(x, 1)), zeta_from(s, d, one(s, d)));
}
/* the least k whose survival is at most u, bit by bit; infinite where it is above 2^53 */
DRAW(zipf_draw)
{
    T u = open_uniform(s, d, key, ndim, shape), total = MUL(u, zeta_from(s, d, one(s, d)));
    T k = FN(zeros_like, u);
    int bits = d->batch.dtype == AGN_F32 ? 24 : 53;
    for (int b = bits - 1; b >= 0; b--) { /* k numbers from 1 on lie below the one sought */
        T more = PLUS(k, ldexp(1, b));
        k = SEL(GT(zeta_from(s, d, PLUS(more, 1)), total), more, k);
    }
    T lost = FN(eq, k, LIT(ldexp(1, bits) - 1));
    return SEL(lost, LIT((double)INFINITY), PLUS(k, 1));
}
static T zipf_moment(agn_scope *s, const agn_distribution *d, double order)
{
    T there = GT(FIRST, LIT(1 + order)), at = SEL(there, PLUS(FIRST, -order), LIT(2));
    T v = DIV(FN(zeta, at, one(s, d)), zeta_from(s, d, one(s, d)));
    return SEL(there, v, LIT((double)INFINITY));
}
OF_PARAMETERS(zipf_mean)
{
    return zipf_moment(s, d, 1);
}
OF_PARAMETERS(zipf_variance)
{
    T v = SUB(zipf_moment(s, d, 2), FN(square, zipf_moment(s, d, 1)));
    return SEL(GT(FIRST, LIT(3)), v, LIT((double)INFINITY));
}
/* log zeta - s zeta' / zeta */
OF_PARAMETERS(zipf_entropy)
{
    T zeta = zeta_from(s, d, one(s, d)), slope = agni_zeta_partial_in(s, FIRST, one(s, d), 1);
    return SUB(log_zeta(s, d), MUL(FIRST, DIV(slope, zeta)));
}
static const agni_law agni_law_zipf = {
    .name = "zipf",
    .n = 1,
    .param = {"power"},
    .domain = {AGNI_ABOVE_ONE},
    .support = AGN_SUPPORT_COUNTS,
    .low = one,
    .draw = zipf_draw,
    .log_prob = zipf_log_prob,
    .survival = zipf_survival,
    .mean = zipf_mean,
    .variance = zipf_variance,
    .mode = one,
    .entropy = zipf_entropy,
};
agn_status agn_distribution_zipf(agn_distribution **out, const agn_tensor *power,
                                 const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_zipf, (const agn_tensor *[]){power}, opts);
}

/* ---- logarithmic: probabilities proportional to p^k / k ------------------------------------- */

/* -log(1 - p) - p = p^2 / 2 + p^3 / 3 + ... */
static T log_excess(agn_scope *s, T p)
{
    T near = LT(p, LIT(0.02)), w = SEL(near, p, LIT(0)), sum = LIT(1.0 / 10);
    for (int k = 9; k >= 2; k--)
        sum = PLUS(MUL(sum, w), 1.0 / k);
    return SEL(near, MUL(sum, FN(square, w)), SUB(NEG(FN(log1p, NEG(p))), p));
}
OF_PARAMETERS(logarithmic_unit)
{
    return NEG(FN(log1p, NEG(FIRST)));
}
OF_X(logarithmic_log_prob)
{
    return SUB(FN(xlogy, x, FIRST), ADD(FN(log, x), FN(log, logarithmic_unit(s, d))));
}
/* (Kemp 1981) */
DRAW(logarithmic_draw)
{
    T keys = FN(key_split, key, 2);
    T u = open_uniform(s, d, FN(index_axis, keys, 0, 0), ndim, shape);
    T v = open_uniform(s, d, FN(index_axis, keys, 0, 1), ndim, shape);
    T q = NEG(FN(expm1, NEG(MUL(logarithmic_unit(s, d), u))));
    return PLUS(FN(floor, DIV(FN(log, v), FN(log, q))), 1);
}
OF_PARAMETERS(logarithmic_mean)
{
    return DIV(FIRST, MUL(SUB(LIT(1), FIRST), logarithmic_unit(s, d)));
}
OF_PARAMETERS(logarithmic_variance)
{
    T rest = MUL(SUB(LIT(1), FIRST), logarithmic_unit(s, d));
    return DIV(MUL(FIRST, log_excess(s, FIRST)), FN(square, rest));
}
/* p^(k + 1) / unit times the integral of v^k / (1 - p v) over v to 1, v = exp(-t / (k + 1)) */
OF_X(logarithmic_log_survival)
{
    T w, t = agni_half_line(s, d, &w), k = PLUS(x, 1), log_p = FN(log, FIRST);
    T rest = NEG(FN(expm1, SUB(OVER(log_p), DIV(t, OVER(k)))));
    T f = agni_integrate(s, w, DIV(FN(exp, NEG(t)), rest));
    return ADD(MUL(k, log_p), FN(log, DIV(f, MUL(k, logarithmic_unit(s, d)))));
}
OF_X(logarithmic_survival) { return FN(exp, logarithmic_log_survival(s, d, x)); }
/* log unit - mean log p + E log k; log k is the integral of (exp(-t) - exp(-k t)) / t */
OF_PARAMETERS(logarithmic_entropy)
{
    T w, t = agni_half_line(s, d, &w), e = FN(exp, NEG(t)), unit = logarithmic_unit(s, d);
    T fall = SUB(MUL(e, OVER(log_excess(s, FIRST))), log_excess(s, MUL(OVER(FIRST), e)));
    T log_k = DIV(agni_integrate(s, w, DIV(fall, t)), unit); /* e^-t less the generating function */
    /* log(unit / p) - (mean - 1) log p, neither of them by a difference of near numbers */
    T gap = log_excess(s, FIRST), less = FN(log1p, DIV(gap, FIRST));
    T above = DIV(SUB(MUL(FIRST, unit), gap), MUL(SUB(LIT(1), FIRST), unit));
    return ADD(SUB(less, MUL(above, FN(log, FIRST))), log_k);
}
static const agni_law agni_law_logarithmic = {
    .name = "logarithmic",
    .n = 1,
    .param = {"probs"},
    .domain = {AGNI_INSIDE_UNIT},
    .support = AGN_SUPPORT_COUNTS,
    .low = one,
    .draw = logarithmic_draw,
    .log_prob = logarithmic_log_prob,
    .survival = logarithmic_survival,
    .log_survival = logarithmic_log_survival,
    .mean = logarithmic_mean,
    .variance = logarithmic_variance,
    .mode = one,
    .entropy = logarithmic_entropy,
};
agn_status agn_distribution_logarithmic(agn_distribution **out, const agn_tensor *probs,
                                        const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_logarithmic, (const agn_tensor *[]){probs}, opts);
}

/* ---- beta negative binomial: negative binomial of a beta probability ------------------------ */

enum { R, A, B };
DRAW(beta_negative_draw)
{
    T keys = FN(key_split, key, 4), last = FN(index_axis, keys, 0, 3);
    T up = FN(random_log_gamma, FN(index_axis, keys, 0, 0), d->param[B], ndim, shape);
    T low = FN(random_log_gamma, FN(index_axis, keys, 0, 1), d->param[A], ndim, shape);
    T g = FN(random_gamma, FN(index_axis, keys, 0, 2), d->param[R], ndim, shape);
    T rate = FN(stop_gradient, MUL(g, FN(exp, SUB(up, low))));
    return FN(cast, FN(random_poisson, last, rate, AGN_I64, ndim, shape), d->batch.dtype);
}
/* -log(k + r) - log beta(r, k + 1) + log beta(r + a, k + b) - log beta(a, b) */
OF_X(beta_negative_log_prob)
{
    T r = d->param[R], a = d->param[A], b = d->param[B];
    T choose = NEG(ADD(FN(log, ADD(x, r)), agni_log_beta(s, r, PLUS(x, 1))));
    T part = SUB(agni_log_beta(s, ADD(r, a), ADD(x, b)), agni_log_beta(s, a, b));
    return ADD(choose, part);
}
/* With p of the beta law the negative binomial cdf is that of a beta number Y of shapes r and k + 1
   at p. */
static T beta_negative_share(agn_scope *s, const agn_distribution *d, T x, bool right)
{
    T y[] = {d->param[R], PLUS(FN(stop_gradient, x), 1)}, p[] = {d->param[A], d->param[B]};
    return SEL(FN(isnan, x), x, agni_beta_less(s, d, p, y, right));
}
OF_X(beta_negative_cdf) { return beta_negative_share(s, d, x, false); }
OF_X(beta_negative_survival) { return beta_negative_share(s, d, x, true); }
OF_PARAMETERS(beta_negative_mean)
{
    T a = d->param[A], v = DIV(MUL(d->param[R], d->param[B]), PLUS(a, -1));
    return SEL(GT(a, LIT(1)), v, LIT((double)INFINITY));
}
OF_PARAMETERS(beta_negative_variance)
{
    T r = d->param[R], a = d->param[A], b = d->param[B], less = PLUS(a, -1);
    T v = DIV(MUL(MUL(r, ADD(r, less)), MUL(b, ADD(b, less))), MUL(PLUS(a, -2), FN(square, less)));
    return SEL(GT(a, LIT(2)), v, LIT((double)INFINITY));
}
/* P(k + 1) >= P(k) where k (a + 1) <= r b - r - a - b */
OF_PARAMETERS(beta_negative_mode)
{
    T up = MUL(FN(relu, PLUS(d->param[R], -1)), FN(relu, PLUS(d->param[B], -1)));
    return FN(floor, DIV(up, PLUS(d->param[A], 1)));
}
static const agni_law agni_law_beta_negative_binomial = {
    .name = "beta_negative_binomial",
    .n = 3,
    .param = {"total_count", "a", "b"},
    .domain = {AGNI_POSITIVE, AGNI_POSITIVE, AGNI_POSITIVE},
    .support = AGN_SUPPORT_COUNTS,
    .draw = beta_negative_draw,
    .log_prob = beta_negative_log_prob,
    .cdf = beta_negative_cdf,
    .survival = beta_negative_survival,
    .mean = beta_negative_mean,
    .variance = beta_negative_variance,
    .mode = beta_negative_mode,
    .entropy = agni_density_entropy,
};
agn_status agn_distribution_beta_negative_binomial(agn_distribution **out,
                                                   const agn_tensor *total_count,
                                                   const agn_tensor *a, const agn_tensor *b,
                                                   const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_beta_negative_binomial,
                                  (const agn_tensor *[]){total_count, a, b}, opts);
}
