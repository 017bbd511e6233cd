/* distribution/univariate/modified_normal.c - the exponentially modified normal law: a normal and an
   exponential number added (Grushka 1972). */
#include "distribution/expression.h"
#include "tensor/elementwise/partials.h"

#include <agnesi/univariate_laws.h>

#define LOC d->param[0]
#define SCALE d->param[1]
#define RATE d->param[2]

/* z of x, and a, the rate where the scale is 1 */
static T z_of(agn_scope *s, const agn_distribution *d, T x) { return DIV(SUB(x, LOC), SCALE); }
OF_PARAMETERS(unit_rate) { return MUL(RATE, SCALE); }
static T log_phi(agn_scope *s, T z) { return PLUS(TIMES(FN(square, z), -0.5), -LOG_SQRT_2PI); }

DRAW(modified_rsample)
{
    T keys = FN(key_split, key, 2);
    T z = FN(normal, FN(index_axis, keys, 0, 0), d->batch.dtype, ndim, shape);
    T e = FN(exponential, FN(index_axis, keys, 0, 1), d->batch.dtype, ndim, shape);
    return ADD(LOC, ADD(MUL(SCALE, z), DIV(e, RATE)));
}
/* log of exp(a^2 / 2 - a z) Phi(z - a), the density over the rate, without its large parts */
static T log_mixed(agn_scope *s, T z, T a)
{
    T u = SUB(z, a), right = GT(u, LIT(0)), none = FN(zeros_like, u);
    T far = SUB(FN(log_ndtr, SEL(right, u, none)), MUL(a, SUB(z, TIMES(a, 0.5))));
    T tail = FN(log, FN(erfcx, TIMES(SEL(right, none, u), -SQRT_HALF)));
    T near = SUB(PLUS(tail, -LOG_2), TIMES(FN(square, z), 0.5));
    return SEL(right, far, near);
}
OF_X(modified_log_prob)
{
    return ADD(FN(log, RATE), log_mixed(s, z_of(s, d, x), unit_rate(s, d)));
}
/* log of what lies below z <= 0: the integral over u > 0 of (1 - exp(-a u)) phi(z - u) */
static T modified_log_left(agn_scope *s, const agn_distribution *d, T z, T a)
{
    T w, t = agni_half_line(s, d, &w), width = FN(reciprocal, SUB(LIT(1), FN(stop_gradient, z)));
    T u = MUL(OVER(width), t);
    T fall = FN(exp, MUL(u, SUB(OVER(z), TIMES(u, 0.5))));
    T f = agni_integrate(s, w, MUL(NEG(FN(expm1, NEG(MUL(OVER(a), u)))), fall));
    return ADD(log_phi(s, z), FN(log, MUL(width, f)));
}
/* What lies below z > 0: Phi(z) - Phi(z - a), by Gauss's rule where a is small, and Phi(z - a) (1 -
   exp(a^2 / 2 - a z)) */
static T modified_right(agn_scope *s, T z, T a)
{
    static const double node[] = {0.033765242898423986094, 0.16939530676686774317,
                                  0.38069040695840154568, 0.61930959304159845432,
                                  0.83060469323313225683, 0.96623475710157601391},
                        weight[] = {0.08566224618958517252, 0.18038078652406930378,
                                    0.23395696728634552369};
    T small = LT(a, LIT(0.5)), near = SEL(small, a, LIT(0.25)), gap = NULL;
    for (int i = 0; i < 6; i++) {
        T phi = FN(exp, log_phi(s, SUB(z, TIMES(near, node[i]))));
        gap = gap ? ADD(gap, TIMES(phi, weight[i < 3 ? i : 5 - i])) : TIMES(phi, weight[i]);
    }
    T rest = NEG(FN(expm1, MUL(near, SUB(TIMES(near, 0.5), z))));
    T sum = ADD(MUL(near, gap), MUL(FN(ndtr, SUB(z, near)), rest));
    T large = SUB(FN(ndtr, z), FN(exp, log_mixed(s, z, SEL(small, LIT(1), a))));
    return SEL(small, sum, large);
}
static T modified_share(agn_scope *s, const agn_distribution *d, T x, bool log)
{
    T z = z_of(s, d, x), a = unit_rate(s, d), above = GT(z, LIT(0));
    T left = modified_log_left(s, d, SEL(above, LIT(0), z), a);
    T zr = SEL(above, z, LIT(1)), right = modified_right(s, zr, a);
    if (!log)
        return SEL(above, right, FN(exp, left));
    T rest = ADD(FN(ndtr, NEG(zr)), FN(exp, log_mixed(s, zr, a)));
    T small = LT(right, LIT(0.5));
    T log_right = SEL(small, FN(log, right), FN(log1p, NEG(SEL(small, LIT(0), rest))));
    return SEL(above, log_right, left);
}
OF_X(modified_cdf) { return modified_share(s, d, x, false); }
OF_X(modified_log_cdf) { return modified_share(s, d, x, true); }
OF_X(modified_survival)
{
    T z = z_of(s, d, x);
    return ADD(FN(ndtr, NEG(z)), FN(exp, log_mixed(s, z, unit_rate(s, d))));
}
OF_X(modified_log_survival)
{
    T z = z_of(s, d, x), share = modified_share(s, d, x, false), small = LT(share, LIT(0.5));
    T tail = FN(logaddexp, FN(log_ndtr, NEG(z)), log_mixed(s, z, unit_rate(s, d)));
    return SEL(small, FN(log1p, NEG(SEL(small, share, LIT(0)))), tail);
}
OF_PARAMETERS(modified_mean) { return ADD(LOC, FN(reciprocal, RATE)); }
OF_PARAMETERS(modified_variance)
{
    return ADD(FN(square, SCALE), FN(square, FN(reciprocal, RATE)));
}
/* phi / Phi at z - a is a, at one z in (0, 40); its slope there is -a z */
OF_PARAMETERS(modified_mode)
{
    T a = unit_rate(s, d), z = FN(stop_gradient, FN(zeros_like, a));
    for (int b = -5; b < 50; b++) {
        T more = PLUS(z, ldexp(1, -b));
        z = FN(stop_gradient, SEL(GT(agni_inverse_mills(s, SUB(more, a)), a), more, z));
    }
    z = FN(maximum, z, FN(stop_gradient, DIV(LIT(0.5), PLUS(a, 1))));
    for (int i = 0; i < 3; i++) /* Newton; the last steps carry derivatives */
        z = ADD(z, DIV(PLUS(DIV(agni_inverse_mills(s, SUB(z, a)), a), -1), z));
    return ADD(LOC, MUL(SCALE, z));
}
/* log of the scale less the integral of f log f to the right of z = 0, over some 1 + 1 / a, and to its
   left, over some 1 */
OF_PARAMETERS(modified_entropy)
{
    T w, t = agni_half_line(s, d, &w), a = unit_rate(s, d), sum = FN(log, SCALE);
    for (int side = -1; side <= 1; side += 2) {
        T width = PLUS(FN(stop_gradient, FN(reciprocal, a)), 1);
        width = side < 0 ? FN(ones_like, width) : width;
        T z = TIMES(MUL(OVER(width), t), side), log_f = ADD(OVER(FN(log, a)), log_mixed(s, z, OVER(a)));
        T f = FN(exp, log_f), some = GT(f, LIT(0));
        T part = SEL(some, MUL(f, SEL(some, log_f, LIT(0))), LIT(0));
        sum = SUB(sum, MUL(width, agni_integrate(s, w, part)));
    }
    return sum;
}
static const agni_law agni_law_exponentially_modified_normal = {
    .name = "exponentially_modified_normal",
    .n = 3,
    .param = {"loc", "scale", "rate"},
    .domain = {AGNI_REAL, AGNI_POSITIVE, AGNI_POSITIVE},
    .support = AGN_SUPPORT_REAL,
    .rsample = modified_rsample,
    .log_prob = modified_log_prob,
    .cdf = modified_cdf,
    .survival = modified_survival,
    .log_cdf = modified_log_cdf,
    .log_survival = modified_log_survival,
    .mean = modified_mean,
    .variance = modified_variance,
    .mode = modified_mode,
    .entropy = modified_entropy,
};
agn_status agn_distribution_exponentially_modified_normal(agn_distribution **out,
    const agn_tensor *loc, const agn_tensor *scale, const agn_tensor *rate,
    const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_exponentially_modified_normal,
                                  (const agn_tensor *[]){loc, scale, rate}, opts);
}
