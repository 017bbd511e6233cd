/* distribution/univariate/counts.c - laws of whole numbers: Bernoulli, binomial, geometric,
   Poisson, negative binomial, beta-binomial, zero-inflated Poisson (Johnson, Kemp & Kotz 2005, 3 to
   6). */
#include "distribution/expression.h"

/* k copies of log p, 0 of them of log 0 */
static T times_log(agn_scope *s, T k, T p) { return FN(xlogy, k, p); }
static T times_log_rest(agn_scope *s, T k, T p) { return FN(xlog1py, k, NEG(p)); }
static T as_float(agn_scope *s, const agn_distribution *d, T k)
{
    return FN(cast, k, d->batch.dtype);
}
OF_PARAMETERS(first) { (void)s; return d->param[0]; }
#define FIRST d->param[0]
#define SECOND d->param[1]

/* ---- Bernoulli ---------------------------------------------------------------------- */

DRAW(bernoulli_draw) { return as_float(s, d, FN(random_bernoulli, key, FIRST, ndim, shape)); }
OF_X(bernoulli_log_prob)
{
    return ADD(times_log(s, x, FIRST), times_log_rest(s, SUB(LIT(1), x), FIRST));
}
/* at 1, and NaN: x itself */
OF_X(bernoulli_cdf) { return SEL(LT(x, LIT(1)), SUB(LIT(1), FIRST), x); }
OF_X(bernoulli_survival) { return SEL(LT(x, LIT(1)), FIRST, SUB(LIT(1), x)); }
OF_X(bernoulli_icdf) { return SEL(LE(x, SUB(LIT(1), FIRST)), LIT(0), LIT(1)); }
OF_PARAMETERS(bernoulli_variance) { return MUL(FIRST, SUB(LIT(1), FIRST)); }
OF_PARAMETERS(bernoulli_mode) { return SEL(GT(FIRST, LIT(0.5)), LIT(1), LIT(0)); }
OF_PARAMETERS(bernoulli_entropy)
{
    T rest = SUB(LIT(1), FIRST);
    return NEG(ADD(times_log(s, FIRST, FIRST), times_log_rest(s, rest, FIRST)));
}
static T bernoulli_kl(agn_scope *s, T p, T q)
{
    return ADD(FN(rel_entr, p, q), FN(rel_entr, SUB(LIT(1), p), SUB(LIT(1), q)));
}
OF_BOTH(agni_kl_bernoulli) { return bernoulli_kl(s, p->param[0], q->param[0]); }
const agni_law agni_law_bernoulli = {
    .name = "bernoulli", .n = 1, .param = {"probs"}, .domain = {AGNI_PROBABILITY},
    .support = AGN_SUPPORT_BOOLEAN, .draw = bernoulli_draw, .log_prob = bernoulli_log_prob,
    .cdf = bernoulli_cdf, .survival = bernoulli_survival, .icdf = bernoulli_icdf, .mean = first,
    .variance = bernoulli_variance, .mode = bernoulli_mode, .entropy = bernoulli_entropy,
};

/* ---- binomial ----------------------------------------------------------------------- */

DRAW(binomial_draw)
{
    T n = FN(cast, FIRST, AGN_I64);
    return as_float(s, d, FN(random_binomial, key, n, SECOND, AGN_I64, ndim, shape));
}
/* the gamma density of shape k + 1 at the rate is the probability of k */
T agni_poisson_log_mass(agn_scope *s, T rate, T k)
{
    return agni_gamma_log_density(s, PLUS(k, 1), FN(ones_like, rate), rate);
}
/* Poisson numbers of means n p and n (1 - p) whose sum is n */
T agni_binomial_log_mass(agn_scope *s, T n, T p, T k)
{
    T both = ADD(agni_poisson_log_mass(s, MUL(n, p), k),
                 agni_poisson_log_mass(s, MUL(n, SUB(LIT(1), p)), SUB(n, k)));
    return SUB(both, agni_poisson_log_mass(s, n, n));
}
OF_X(binomial_log_prob) { return agni_binomial_log_mass(s, FIRST, SECOND, x); }
OF_X(binomial_cdf) { return FN(betainc, SUB(FIRST, x), PLUS(x, 1), SUB(LIT(1), SECOND)); }
OF_X(binomial_survival) { return FN(betainc, PLUS(x, 1), SUB(FIRST, x), SECOND); }
OF_PARAMETERS(binomial_mean) { return MUL(FIRST, SECOND); }
OF_PARAMETERS(binomial_variance) { return MUL(MUL(FIRST, SECOND), SUB(LIT(1), SECOND)); }
OF_PARAMETERS(binomial_mode)
{
    return FN(minimum, FN(floor, MUL(PLUS(FIRST, 1), SECOND)), FIRST);
}
/* that of failures, where they are fewer */
OF_PARAMETERS(binomial_entropy)
{
    T p = FN(minimum, SECOND, SUB(LIT(1), SECOND)), few[AGNI_PATH_PARAMS] = {FIRST, p};
    const agn_distribution *e = agni_distribution_with(s, d, few);
    T mean = MUL(FIRST, p);
    return e ? agni_count_entropy(s, e, mean, MUL(mean, SUB(LIT(1), p))) : NULL;
}
/* laws of the same number of trials */
OF_BOTH(agni_kl_binomial)
{
    T n = p->param[0], kl = MUL(n, bernoulli_kl(s, p->param[1], q->param[1]));
    T more = SEL(GT(n, q->param[0]), LIT((double)INFINITY), LIT((double)NAN));
    return SEL(FN(eq, n, q->param[0]), kl, more);
}
const agni_law agni_law_binomial = {
    .name = "binomial", .n = 2, .param = {"total_count", "probs"},
    .domain = {AGNI_COUNT, AGNI_PROBABILITY}, .support = AGN_SUPPORT_COUNTS_TO, .high = first,
    .draw = binomial_draw, .log_prob = binomial_log_prob, .cdf = binomial_cdf,
    .survival = binomial_survival, .mean = binomial_mean, .variance = binomial_variance,
    .mode = binomial_mode, .entropy = binomial_entropy,
};

/* ---- geometric: failures before the first success ----------------------------------- */

DRAW(geometric_draw)
{
    T e = FN(exponential, key, d->batch.dtype, ndim, shape);
    return FN(floor, DIV(e, NEG(FN(log1p, NEG(FIRST)))));
}
OF_X(geometric_log_prob) { return ADD(FN(log, FIRST), times_log_rest(s, x, FIRST)); }
OF_X(geometric_log_survival) { return times_log_rest(s, PLUS(x, 1), FIRST); }
OF_X(geometric_cdf) { return NEG(FN(expm1, geometric_log_survival(s, d, x))); }
OF_X(geometric_survival) { return FN(exp, geometric_log_survival(s, d, x)); }
OF_PARAMETERS(geometric_mean) { return DIV(SUB(LIT(1), FIRST), FIRST); }
OF_PARAMETERS(geometric_variance) { return DIV(DIV(SUB(LIT(1), FIRST), FIRST), FIRST); }
OF_PARAMETERS(zero) { (void)s; return make_number(s, d, 0); }
OF_PARAMETERS(geometric_entropy) { return DIV(bernoulli_entropy(s, d), FIRST); }
OF_BOTH(agni_kl_geometric)
{
    return DIV(bernoulli_kl(s, p->param[0], q->param[0]), p->param[0]);
}
const agni_law agni_law_geometric = {
    .name = "geometric", .n = 1, .param = {"probs"}, .domain = {AGNI_INSIDE_UNIT},
    .support = AGN_SUPPORT_COUNTS, .draw = geometric_draw, .log_prob = geometric_log_prob,
    .cdf = geometric_cdf, .survival = geometric_survival,
    .log_survival = geometric_log_survival, .mean = geometric_mean,
    .variance = geometric_variance, .mode = zero, .entropy = geometric_entropy,
};

/* ---- Poisson ------------------------------------------------------------------------ */

DRAW(poisson_draw)
{
    return as_float(s, d, FN(random_poisson, key, FIRST, AGN_I64, ndim, shape));
}
OF_X(poisson_log_prob) { return agni_poisson_log_mass(s, FIRST, x); }
OF_X(poisson_cdf) { return FN(gammaincc, PLUS(x, 1), FIRST); }
OF_X(poisson_survival) { return FN(gammainc, PLUS(x, 1), FIRST); }
OF_PARAMETERS(poisson_mode) { return FN(floor, FIRST); }
OF_PARAMETERS(poisson_entropy) { return agni_count_entropy(s, d, FIRST, FIRST); }
/* r (log r - 1) - r' ... as r' - r - r log(r' / r) */
OF_BOTH(agni_kl_poisson)
{
    T r = p->param[0], r2 = q->param[0], e = DIV(SUB(r2, r), r);
    T log_r = SEL(LT(FN(abs, e), LIT(0.5)), FN(log1p, e), FN(log, DIV(r2, r)));
    return MUL(r, SUB(e, log_r));
}
const agni_law agni_law_poisson = {
    .name = "poisson", .n = 1, .param = {"rate"}, .domain = {AGNI_POSITIVE},
    .support = AGN_SUPPORT_COUNTS, .draw = poisson_draw, .log_prob = poisson_log_prob,
    .cdf = poisson_cdf, .survival = poisson_survival, .mean = first, .variance = first,
    .mode = poisson_mode, .entropy = poisson_entropy,
};

/* ---- negative binomial: successes before total_count failures ----------------------- */

/* a Poisson number whose rate is gamma */
DRAW(negative_binomial_draw)
{
    T keys = FN(key_split, key, 2), odds = DIV(SECOND, SUB(LIT(1), SECOND));
    T g = FN(random_gamma, FN(index_axis, keys, 0, 0), FIRST, ndim, shape);
    T rate = FN(stop_gradient, MUL(g, odds));
    return as_float(s, d,
                    FN(random_poisson, FN(index_axis, keys, 0, 1), rate, AGN_I64, ndim, shape));
}
/* log of gamma(k + r) / (gamma(r) k!) = -log(k + r) - log beta(r, k + 1) */
OF_X(negative_binomial_log_prob)
{
    T choose = NEG(ADD(FN(log, ADD(x, FIRST)), agni_log_beta(s, FIRST, PLUS(x, 1))));
    return ADD(choose, ADD(times_log_rest(s, FIRST, SECOND), times_log(s, x, SECOND)));
}
OF_X(negative_binomial_cdf) { return FN(betainc, FIRST, PLUS(x, 1), SUB(LIT(1), SECOND)); }
OF_X(negative_binomial_survival) { return FN(betainc, PLUS(x, 1), FIRST, SECOND); }
OF_PARAMETERS(negative_binomial_mean) { return DIV(MUL(FIRST, SECOND), SUB(LIT(1), SECOND)); }
OF_PARAMETERS(negative_binomial_variance)
{
    return DIV(negative_binomial_mean(s, d), SUB(LIT(1), SECOND));
}
OF_PARAMETERS(negative_binomial_mode)
{
    T less = FN(relu, PLUS(FIRST, -1));
    return FN(floor, DIV(MUL(less, SECOND), SUB(LIT(1), SECOND)));
}
/* Where 0 is of no weight, a sum. Else r log(1 + o) + r o log(1 + 1 / o), o = p / (1 - p), less E log
   of the coefficient, by Malmsten's integral of log gamma and the generating function G (Cheraghchi
   2019): int (1 - G(e^-t)) (e^-t - e^-(r + 1)t) / (1 - e^-t) dt / t for r + 1, and E log(1 + X / r),
   the integral of (1 - G(e^-t)) e^-rt / t: 1 - G has a limit c for large t, of which c (1 - e^-t)
   e^-rt / t gives c log(1 + 1 / r). */
T agni_negative_binomial_entropy(agn_scope *s, const agn_distribution *d, T odds, double half)
{
    T all = MUL(FIRST, FN(log1p, odds)), w, t = agni_half_line(s, d, &w);
    T skewed = LT(all, LIT(37)), r = SEL(skewed, FIRST, LIT(1)), o = SEL(skewed, odds, LIT(1));
    T rest = NEG(FN(expm1, NEG(t))), log_g = NEG(MUL(OVER(r), FN(log1p, MUL(OVER(o), rest))));
    T gap = NEG(FN(expm1, log_g)), rt = MUL(OVER(r), t);
    T limit = NEG(FN(expm1, NEG(MUL(r, FN(log1p, o)))));
    T pair = MUL(FN(exp, NEG(t)), NEG(FN(expm1, NEG(rt))));
    T less = MUL(SUB(gap, MUL(OVER(limit), rest)), FN(exp, NEG(rt)));
    T f = SUB(DIV(MUL(gap, pair), MUL(rest, t)), DIV(less, t));
    T known = ADD(FN(log1p, o), MUL(o, FN(log1p, FN(reciprocal, o))));
    T far = MUL(limit, FN(log1p, FN(reciprocal, r)));
    T by_integral = ADD(SUB(MUL(r, known), agni_integrate(s, w, f)), far);
    T params[AGNI_PATH_PARAMS] = {SEL(skewed, LIT(100), FIRST), SEL(skewed, LIT(half), SECOND)};
    const agn_distribution *e = agni_distribution_with(s, d, params);
    T mean = MUL(params[0], SEL(skewed, LIT(1), odds));
    T variance = MUL(mean, PLUS(SEL(skewed, LIT(1), odds), 1));
    return e ? SEL(skewed, by_integral, agni_count_entropy(s, e, mean, variance)) : NULL;
}
OF_PARAMETERS(negative_binomial_entropy)
{
    return agni_negative_binomial_entropy(s, d, DIV(SECOND, SUB(LIT(1), SECOND)), 0.5);
}
const agni_law agni_law_negative_binomial = {
    .name = "negative_binomial", .n = 2, .param = {"total_count", "probs"},
    .domain = {AGNI_POSITIVE, AGNI_INSIDE_UNIT}, .support = AGN_SUPPORT_COUNTS,
    .draw = negative_binomial_draw, .log_prob = negative_binomial_log_prob,
    .cdf = negative_binomial_cdf, .survival = negative_binomial_survival,
    .mean = negative_binomial_mean, .variance = negative_binomial_variance,
    .mode = negative_binomial_mode, .entropy = negative_binomial_entropy,
};

/* ---- beta-binomial ------------------------------------------------------------------ */

enum { N, A, B };
DRAW(beta_binomial_draw)
{
    T keys = FN(key_split, key, 2), n = FN(cast, d->param[N], AGN_I64);
    T p = FN(random_beta, FN(index_axis, keys, 0, 0), d->param[A], d->param[B], ndim, shape);
    return as_float(s, d, FN(random_binomial, FN(index_axis, keys, 0, 1), n, FN(stop_gradient, p),
                             AGN_I64, ndim, shape));
}
/* log of n over k, -log(n + 1) - log beta(n - k + 1, k + 1) */
T agni_log_choose(agn_scope *s, T n, T k)
{
    T rest = PLUS(SUB(n, k), 1);
    return NEG(ADD(FN(log1p, n), agni_log_beta(s, rest, PLUS(k, 1))));
}
OF_X(beta_binomial_log_prob)
{
    T a = d->param[A], b = d->param[B];
    T part = SUB(agni_log_beta(s, ADD(x, a), ADD(SUB(d->param[N], x), b)), agni_log_beta(s, a, b));
    return ADD(agni_log_choose(s, d->param[N], x), part);
}
/* P(X < Y) of beta numbers with shapes (a, b) of the wider and (c, e) of the narrower one, as an
   integral over the logit of the narrower one: trapezoidal rule after t = middle + width sinh(u)
   (Takahasi & Mori 1974) */
static T beta_less(agn_scope *s, T a, T b, T c, T e)
{
    enum { SIDE = 100 };
    T places = TIMES(FN(arange, AGN_F64, -SIDE, SIDE + 1, 1), 0.05);
    T spread = ADD(FN(reciprocal, c), FN(reciprocal, e)),
      width = FN(stop_gradient, ADD(FN(sqrt, spread), spread));
    T middle = FN(stop_gradient, SUB(FN(log, ADD(a, c)), FN(log, ADD(b, e))));
    T t = ADD(OVER(middle), MUL(OVER(width), FN(sinh, places)));
    T log_y = NEG(FN(softplus, NEG(t))), log_rest = NEG(FN(softplus, t));
    T log_f = SUB(ADD(MUL(OVER(c), log_y), MUL(OVER(e), log_rest)), OVER(agni_log_beta(s, c, e)));
    T f = MUL(FN(exp, log_f), MUL(OVER(width), TIMES(FN(cosh, places), 0.05)));
    T share = FN(betainc, OVER(a), OVER(b), FN(exp, log_y));
    return FN(sum, MUL(f, share), (const int32_t[]){-1}, 1, false);
}
/* P(p < Y) of beta numbers of shapes (a, b) and (c, e), or of p > Y. The smaller of both is
   integrated, in f64: of shapes of 1e6 logarithms of f32 lose a tenth of the density. */
T agni_beta_less(agn_scope *s, const agn_distribution *d, const T *p, const T *y, bool less_asked)
{
    T a = FN(cast, p[0], AGN_F64), b = FN(cast, p[1], AGN_F64), c = FN(cast, y[0], AGN_F64),
      e = FN(cast, y[1], AGN_F64);
    T swap = LT(MUL(a, e), MUL(c, b)); /* p < Y is the likelier one */
    T xa = SEL(swap, c, a), xb = SEL(swap, e, b), ya = SEL(swap, a, c), yb = SEL(swap, b, e);
    T narrow = LE(ADD(FN(reciprocal, ya), FN(reciprocal, yb)),
                  ADD(FN(reciprocal, xa), FN(reciprocal, xb)));
    /* 1 - Y < 1 - X is the same */
    T less = beta_less(s, SEL(narrow, xa, yb), SEL(narrow, xb, ya), SEL(narrow, ya, xb),
                       SEL(narrow, yb, xa));
    T other = SUB(LIT(1), less);
    T asked = less_asked ? SEL(swap, other, less) : SEL(swap, less, other);
    return FN(cast, asked, d->batch.dtype);
}
/* With p of the beta law and Y the (k + 1)-th of n uniform numbers, P(X <= k) = P(p < Y) (Johnson,
   Kemp & Kotz 2005, 3.3). */
static T beta_binomial_share(agn_scope *s, const agn_distribution *d, T x, bool right)
{
    T n = d->param[N], k = FN(stop_gradient, x), inside = LT(k, n);
    T y[] = {SEL(inside, PLUS(k, 1), LIT(1)), SEL(inside, SUB(n, k), LIT(1))};
    return SEL(FN(isnan, x), x, agni_beta_less(s, d, (T[]){d->param[A], d->param[B]}, y, !right));
}
OF_X(beta_binomial_cdf) { return beta_binomial_share(s, d, x, false); }
OF_X(beta_binomial_survival) { return beta_binomial_share(s, d, x, true); }
OF_PARAMETERS(beta_binomial_mean)
{
    return DIV(MUL(d->param[N], d->param[A]), ADD(d->param[A], d->param[B]));
}
OF_PARAMETERS(beta_binomial_variance)
{
    T a = d->param[A], b = d->param[B], sum = ADD(a, b);
    T one = MUL(d->param[N], MUL(DIV(a, sum), DIV(b, sum)));
    return MUL(one, DIV(ADD(sum, d->param[N]), PLUS(sum, 1)));
}
/* P(k + 1) / P(k) >= 1 where k (a + b - 2) <= n (a - 1) - (b - 1); at an end where that is flat or
   turns */
OF_PARAMETERS(beta_binomial_mode)
{
    T n = d->param[N], a = d->param[A], b = d->param[B], bend = PLUS(ADD(a, b), -2);
    T round = GT(bend, LIT(0)), at = DIV(MUL(PLUS(n, 1), PLUS(a, -1)), SEL(round, bend, LIT(1)));
    T inner = FN(minimum, FN(maximum, FN(floor, at), LIT(0)), n);
    return SEL(round, inner, SEL(GT(a, b), n, LIT(0)));
}
const agni_law agni_law_beta_binomial = {
    .name = "beta_binomial",
    .n = 3,
    .param = {"total_count", "a", "b"},
    .domain = {AGNI_COUNT, AGNI_POSITIVE, AGNI_POSITIVE},
    .support = AGN_SUPPORT_COUNTS_TO,
    .high = first,
    .draw = beta_binomial_draw,
    .log_prob = beta_binomial_log_prob,
    .cdf = beta_binomial_cdf,
    .survival = beta_binomial_survival,
    .mean = beta_binomial_mean,
    .variance = beta_binomial_variance,
    .mode = beta_binomial_mode,
    .entropy = agni_density_entropy,
};

/* ---- zero-inflated Poisson: 0 with probability gate, else Poisson ------------------- */

DRAW(zero_inflated_draw)
{
    T keys = FN(key_split, key, 2);
    T closed = FN(random_bernoulli, FN(index_axis, keys, 0, 0), FIRST, ndim, shape);
    T k = FN(random_poisson, FN(index_axis, keys, 0, 1), SECOND, AGN_I64, ndim, shape);
    return SEL(closed, make_number(s, d, 0), as_float(s, d, k));
}
OF_X(zero_inflated_log_prob)
{
    T open = ADD(FN(log1p, NEG(FIRST)), agni_poisson_log_mass(s, SECOND, x));
    T at_zero = FN(logaddexp, FN(log, FIRST), SUB(FN(log1p, NEG(FIRST)), SECOND));
    return SEL(FN(eq, x, LIT(0)), at_zero, open);
}
OF_X(zero_inflated_survival)
{
    return MUL(SUB(LIT(1), FIRST), FN(gammainc, PLUS(x, 1), SECOND));
}
OF_X(zero_inflated_cdf)
{
    return ADD(FIRST, MUL(SUB(LIT(1), FIRST), FN(gammaincc, PLUS(x, 1), SECOND)));
}
OF_PARAMETERS(zero_inflated_mean) { return MUL(SUB(LIT(1), FIRST), SECOND); }
OF_PARAMETERS(zero_inflated_variance)
{
    return MUL(zero_inflated_mean(s, d), PLUS(MUL(FIRST, SECOND), 1));
}
OF_PARAMETERS(zero_inflated_mode)
{
    T top = FN(floor, SECOND), lower = GE(zero_inflated_log_prob(s, d, LIT(0)),
                                          zero_inflated_log_prob(s, d, FN(maximum, top, LIT(1))));
    return SEL(FN(logical_or, lower, LT(SECOND, LIT(1))), LIT(0), top);
}
/* that of the Poisson law, with another probability of 0 */
OF_PARAMETERS(zero_inflated_entropy)
{
    agn_distribution_options unchecked = {.size = sizeof unchecked, .unchecked = true};
    const agn_distribution *e = FN(distribution_poisson, SECOND, &unchecked);
    T none = FN(exp, NEG(SECOND)), open = SUB(LIT(1), FIRST);
    T some = NEG(FN(expm1, NEG(SECOND))), zero = ADD(FIRST, MUL(open, none));
    T h = SUB(FN(distribution_entropy, e), MUL(SECOND, none));
    T rest = ADD(FN(xlogy, zero, zero), FN(xlog1py, MUL(open, some), NEG(FIRST)));
    return SUB(MUL(open, h), rest);
}
const agni_law agni_law_zero_inflated_poisson = {
    .name = "zero_inflated_poisson", .n = 2, .param = {"gate", "rate"},
    .domain = {AGNI_PROBABILITY, AGNI_POSITIVE}, .support = AGN_SUPPORT_COUNTS,
    .draw = zero_inflated_draw, .log_prob = zero_inflated_log_prob, .cdf = zero_inflated_cdf,
    .survival = zero_inflated_survival, .mean = zero_inflated_mean,
    .variance = zero_inflated_variance, .mode = zero_inflated_mode,
    .entropy = zero_inflated_entropy,
};
