/* distribution/univariate/heavy.c - laws of the real line with a shape: Student, skew normal
   (Azzalini 1985), generalised normal (Subbotin 1923). */
#include "distribution/expression.h"

/* ---- Student ------------------------------------------------------------------------ */

enum { DF, LOC, SCALE };
#define V d->param[DF]

static T standardise(agn_scope *s, const agn_distribution *d, T x)
{
    return DIV(SUB(x, d->param[LOC]), d->param[SCALE]);
}
static T move_and_scale(agn_scope *s, const agn_distribution *d, T z)
{
    return ADD(d->param[LOC], MUL(d->param[SCALE], z));
}
OF_PARAMETERS(loc_of) { (void)s; return d->param[LOC]; }

/* a normal number over the root of a gamma number of mean 1; log gamma, as the number may
   underflow */
DRAW(student_rsample)
{
    T keys = FN(key_split, key, 2), half = TIMES(V, 0.5);
    T z = FN(normal, FN(index_axis, keys, 0, 0), d->batch.dtype, ndim, shape);
    T log_g = FN(random_log_gamma, FN(index_axis, keys, 0, 1), half, ndim, shape);
    return move_and_scale(s, d, MUL(z, FN(exp, TIMES(SUB(FN(log, half), log_g), 0.5))));
}
T agni_student_log_factor(agn_scope *s, T v)
{
    return SUB(agni_log_gamma_half_step(s, TIMES(v, 0.5)), TIMES(PLUS(FN(log, v), LOG_PI), 0.5));
}
OF_X(student_log_prob)
{
    T log_1z2 = agni_log_one_plus_square(s, DIV(standardise(s, d, x), FN(sqrt, V)));
    return SUB(agni_student_log_factor(s, V), ADD(FN(log, d->param[SCALE]), MUL(TIMES(PLUS(V, 1), 0.5), log_1z2)));
}
T agni_student_unit(agn_scope *s, T v)
{
    T a = TIMES(v, 0.5);
    return ADD(FN(log, a), agni_log_beta(s, a, FN(full_like, a, 0.5)));
}
T agni_student_far_log_tails(agn_scope *s, T v, T z)
{
    T log_w = SUB(FN(log, v), TIMES(FN(log, FN(abs, z)), 2));
    return SUB(TIMES(MUL(v, log_w), 0.5), agni_student_unit(s, v));
}
T agni_student_far_quantile(agn_scope *s, T v, T log_both)
{
    T log_w = TIMES(DIV(ADD(log_both, agni_student_unit(s, v)), v), 2);
    return MUL(FN(sqrt, v), FN(exp, TIMES(log_w, -0.5)));
}
/* (Abramowitz & Stegun 1964, 26.7.1); by the smaller one of z^2 / (v + z^2) and v / (v + z^2), whose
   complement would swallow it */
static T student_tail(agn_scope *s, const agn_distribution *d, T z)
{
    T half_v = TIMES(V, 0.5), half = make_number(s, d, 0.5), root = FN(sqrt, V);
    T far = GT(FN(abs, z), TIMES(root, AGNI_STUDENT_FAR)), y = SEL(far, LIT(1), z);
    T h = FN(hypot, root, y), inner = LE(FN(abs, y), root);
    T w = SEL(inner, FN(square, DIV(y, h)), LIT(0.5)),
      c = SEL(inner, LIT(0.5), FN(square, DIV(root, h)));
    T both = SEL(inner, FN(betaincc, half, half_v, w), FN(betainc, half_v, half, c));
    T tail = TIMES(both, 0.5);
    T log_far = agni_student_far_log_tails(s, V, SEL(far, z, LIT(1)));
    return SEL(far, TIMES(FN(exp, log_far), 0.5), tail);
}
OF_X(student_cdf)
{
    T z = standardise(s, d, x), tail = student_tail(s, d, z);
    return SEL(LT(z, LIT(0)), tail, SUB(LIT(1), tail));
}
OF_X(student_survival)
{
    T z = standardise(s, d, x), tail = student_tail(s, d, z);
    return SEL(GT(z, LIT(0)), tail, SUB(LIT(1), tail));
}
/* Of the beta numbers w = df / (df + t^2) and y = 1 - w, the smaller one by its quantile: w by both
   tails together, y by them or next to the median by what is between. The derivative at the median
   itself is NaN: y is a square there. */
OF_X(student_icdf)
{
    T half_v = TIMES(V, 0.5), half = make_number(s, d, 0.5), left = LT(x, LIT(0.5));
    T tail = SEL(left, x, SUB(LIT(1), x)), both = TIMES(tail, 2), rare = LT(tail, LIT(0.25));
    T outer = FN(stop_gradient, LT(both, FN(betainc, half_v, half, half)));
    T w = FN(betaincinv, half_v, half, SEL(outer, both, LIT(0.2)));
    T far_y = FN(betainccinv, half, half_v, SEL(rare, both, LIT(0.2)));
    T near_y = FN(betaincinv, half, half_v, SEL(rare, LIT(0.5), SUB(LIT(1), both)));
    T y = SEL(outer, LIT(0.5), SEL(rare, far_y, near_y));
    T odds = SEL(outer, DIV(SUB(LIT(1), w), w), DIV(y, SUB(LIT(1), y)));
    T far = agni_student_far_quantile(s, V, FN(log, both)), t = FN(sqrt, MUL(V, odds));
    t = SEL(GT(far, TIMES(FN(sqrt, V), AGNI_STUDENT_FAR)), far, t);
    return move_and_scale(s, d, SEL(left, NEG(t), t));
}
OF_PARAMETERS(student_mean)
{
    return SEL(GT(V, LIT(1)), d->param[LOC], LIT((double)NAN));
}
OF_PARAMETERS(student_variance)
{
    T v = DIV(MUL(FN(square, d->param[SCALE]), V), PLUS(V, -2));
    T heavy = SEL(GT(V, LIT(1)), LIT((double)INFINITY), LIT((double)NAN));
    return SEL(GT(V, LIT(2)), v, heavy);
}
OF_PARAMETERS(student_entropy)
{
    T half = TIMES(V, 0.5), more = PLUS(half, 0.5);
    T rest = SUB(TIMES(PLUS(FN(log, V), LOG_PI), 0.5), agni_log_gamma_half_step(s, half));
    rest = ADD(MUL(more, agni_digamma_step(s, half, 0.5)), rest);
    return ADD(rest, FN(log, d->param[SCALE]));
}
const agni_law agni_law_student_t = {
    .name = "student_t",
    .n = 3,
    .param = {"df", "loc", "scale"},
    .domain = {AGNI_POSITIVE, AGNI_REAL, AGNI_POSITIVE},
    .support = AGN_SUPPORT_REAL,
    .rsample = student_rsample,
    .log_prob = student_log_prob,
    .cdf = student_cdf,
    .survival = student_survival,
    .icdf = student_icdf,
    .mean = student_mean,
    .variance = student_variance,
    .mode = loc_of,
    .entropy = student_entropy,
};

enum { SKEW_LOC, SKEW_SCALE };
#define AT d->param[SKEW_LOC]
#define BY d->param[SKEW_SCALE]

/* ---- generalised normal, density proportional to exp(-|z|^power) -------------------- */

enum { POWER = 2 };
#define P d->param[POWER]

DRAW(subbotin_rsample)
{
    T keys = FN(key_split, key, 2);
    T log_g = FN(random_log_gamma, FN(index_axis, keys, 0, 0), FN(reciprocal, P), ndim, shape);
    T far = FN(exp, DIV(log_g, P));
    T left = LT(FN(uniform, FN(index_axis, keys, 0, 1), d->batch.dtype, ndim, shape), LIT(0.5));
    return ADD(AT, MUL(BY, SEL(left, NEG(far), far)));
}
static T distance_of(agn_scope *s, const agn_distribution *d, T x)
{
    return FN(abs, DIV(SUB(x, AT), BY));
}
OF_X(subbotin_log_prob)
{
    T unit = ADD(FN(lgamma, PLUS(FN(reciprocal, P), 1)), PLUS(FN(log, BY), LOG_2));
    return NEG(ADD(FN(pow, distance_of(s, d, x), P), unit));
}
static T subbotin_half(agn_scope *s, const agn_distribution *d, T x, T left)
{
    T r = FN(reciprocal, P), far = FN(pow, distance_of(s, d, x), P);
    T outer = TIMES(FN(gammaincc, r, far), 0.5), inner = TIMES(FN(gammainc, r, far), 0.5);
    return SEL(left, outer, PLUS(inner, 0.5));
}
OF_X(subbotin_cdf) { return subbotin_half(s, d, x, LT(x, AT)); }
OF_X(subbotin_survival) { return subbotin_half(s, d, x, GT(x, AT)); }
OF_PARAMETERS(subbotin_mean) { (void)s; return AT; }
OF_PARAMETERS(subbotin_variance)
{
    T r = FN(reciprocal, P);
    return MUL(FN(square, BY), FN(exp, SUB(FN(lgamma, TIMES(r, 3)), FN(lgamma, r))));
}
OF_PARAMETERS(subbotin_entropy)
{
    T r = FN(reciprocal, P), unit = ADD(FN(lgamma, PLUS(r, 1)), PLUS(FN(log, BY), LOG_2));
    return ADD(r, unit);
}
const agni_law agni_law_generalized_normal = {
    .name = "generalized_normal", .n = 3, .param = {"loc", "scale", "power"},
    .domain = {AGNI_REAL, AGNI_POSITIVE, AGNI_POSITIVE}, .support = AGN_SUPPORT_REAL,
    .rsample = subbotin_rsample, .log_prob = subbotin_log_prob, .cdf = subbotin_cdf,
    .survival = subbotin_survival, .mean = subbotin_mean, .variance = subbotin_variance,
    .mode = subbotin_mean, .entropy = subbotin_entropy,
};
