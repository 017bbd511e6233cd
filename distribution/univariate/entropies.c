/* distribution/univariate/entropies.c - integrals from 0 to infinity by the double exponential rule
   for functions that fall exponentially (Takahasi & Mori 1974), entropies of counts by sums over the
   whole numbers about the mean (Trefethen & Weideman 2014 on their steps). */
#include "distribution/expression.h"

/* t = exp(u - exp(-u)) from 4e-18 to 48: what changes at t = 1e-10 is met as well as what changes
   at 1 */
T agni_half_line(agn_scope *s, const agn_distribution *d, T *weight)
{
    const double step = 0.05;
    T u = TIMES(FN(arange, d->batch.dtype, -74, 80, 1), step), e = FN(exp, NEG(u));
    T t = FN(exp, SUB(u, e));
    *weight = TIMES(MUL(t, PLUS(e, 1)), step);
    return t;
}
T agni_integrate(agn_scope *s, T weight, T f)
{
    return FN(sum, MUL(weight, f), (const int32_t[]){-1}, 1, false);
}

/* Every h-th whole number is enough where the spread is 3 h and more: h times the sum differs from
   the sum over all by exp(-2 pi^2 9), as the probabilities fade at both ends of the support. The
   law is not skewed to the left. Where the variance is above 1e10 the law is normal. */
T agni_count_entropy(agn_scope *s, const agn_distribution *d, T mean, T variance)
{
    enum { LEFT = 64, RIGHT = 192 };
    const double most = 1e10;
    T params[AGNI_PATH_PARAMS];
    for (int i = 0; i < d->law->n; i++)
        params[i] = OVER(d->param[i]);
    const agn_distribution *e = agni_distribution_with(s, d, params);
    if (!e)
        return NULL;
    T broad = GT(variance, LIT(most)), spread = FN(sqrt, FN(minimum, variance, LIT(most)));
    T step = FN(maximum, FN(floor, TIMES(spread, 1.0 / 3)), LIT(1));
    step = OVER(FN(stop_gradient, step));
    T at = FN(stop_gradient, FN(floor, SEL(broad, LIT(0), mean)));
    T k = ADD(OVER(at), MUL(step, FN(arange, d->batch.dtype, -LEFT, RIGHT, 1)));
    T inside = FN(eq, k, k);
    if (d->law->support != AGN_SUPPORT_REAL) {
        T low = d->law->low ? OVER(d->law->low(s, d)) : LIT(0);
        inside = GE(k, low);
        k = FN(maximum, k, low);
    }
    if (d->law->high) {
        T high = OVER(FN(stop_gradient, d->law->high(s, d)));
        inside = FN(logical_and, inside, LE(k, high));
        k = FN(minimum, k, high);
    }
    T log_p = d->law->log_prob(s, e, k);
    T seen = FN(logical_and, inside, FN(logical_not, FN(isneginf, log_p))); /* NaN stays */
    T safe = SEL(seen, log_p, LIT(0));
    T all = NEG(MUL(step, SEL(seen, MUL(FN(exp, safe), safe), LIT(0))));
    T sum = FN(sum, all, (const int32_t[]){-1}, 1, false);
    T lost = GT(PLUS(at, 2.0 * RIGHT), LIT(d->batch.dtype == AGN_F32 ? 0x1p23 : 0x1p52));
    T flat = PLUS(TIMES(FN(log, SEL(broad, variance, LIT(1))), 0.5), 0.5 + LOG_SQRT_2PI);
    return SEL(broad, flat, SEL(lost, LIT((double)NAN), sum));
}
