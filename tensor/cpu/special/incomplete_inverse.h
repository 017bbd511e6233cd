/* tensor/cpu/special/incomplete_inverse.h - inverses of the incomplete gamma and beta functions.
   With t = log x, or the logit of x, the density in t is log-concave, so log P and log Q are
   concave in t: Newton's method lands on the far side of the root at most once, and then comes
   monotonously, from wherever it starts (Prekopa 1973). The smaller one of both tails is solved
   for. Shared with device code. */
#ifndef AGNI_SPECIAL_INVERSE_H
#define AGNI_SPECIAL_INVERSE_H

#include "tensor/cpu/special/incomplete.h"
#include "tensor/cpu/special/normal.h"

AGNI_FN double agni_betaincc(double a, double b, double x)
{
    if (!(a > 0 && b > 0 && x > 0 && x < 1) || isinf(a) || isinf(b)) /* also NaN */
        return 1 - agni_betainc(a, b, x);
    return agni_beta_ratio(b, a, 1 - x, x);
}

/* log(y / p) */
AGNI_FN double log_of_ratio(double y, double p, double log_p)
{
    return fabs(y - p) < 0.25 * p ? log1p((y - p) / p) : log(y) - log_p;
}

/* a place to start from: (p gamma(a + 1))^(1 / a), below the root of P, where a is small, else by
   the cube root of a normal quantile (Wilson & Hilferty 1931) */
AGNI_FN double agni_gamma_guess(double a, double p, bool upper)
{
    double c = 1 / (9 * a), z = agni_ndtri(p), root = 1 - c + (upper ? -z : z) * sqrt(c);
    if (a >= 1 && root > 0.3)
        return a * root * root * root;
    double x = exp((log(upper ? 1 - p : p) + agni_lgamma(a + 1)) / a),
           far = -log(p) - agni_lgamma(a);
    if (upper && x > 0.5)
        x = far > x ? far : x;
    return x;
}

/* the step in log x where P has underflowed: it is x^a exp(-x) / gamma(a + 1) M(1, a + 1, x), M
   about 1 / (1 - x / (a + 1)) */
AGNI_FN double lower_step(double a, double x, double log_p)
{
    double rest = 1 - x / (a + 1);
    rest = rest > 0.01 ? rest : 0.01;
    return (a * log(x) - x - agni_lgamma(a + 1) - log(rest) - log_p) / (a * rest);
}

/* P (upper: Q) = p <= 1/2, a > 0 */
AGNI_FN double agni_gamma_root(double a, double p, bool upper)
{
    double x = agni_gamma_guess(a, p, upper), log_p = log(p);
    for (int k = 0; k < 60; k++) {
        if (x < 1e-300) /* P is x^a / gamma(a + 1), of which x is the guess */
            return upper ? exp((log1p(-p) + agni_lgamma(a + 1)) / a)
                         : exp((log_p + agni_lgamma(a + 1)) / a);
        double y = agni_gamma_ratio(a, x, upper), h = a * agni_gamma_front(a, x), step;
        if (y > 0 && h > 0)
            step = log_of_ratio(y, p, log_p) * (y / h);
        else if (upper)
            step = (a * log(x) - x - agni_lgamma(a) - log(x) - log_p) / x;
        else
            step = lower_step(a, x, log_p);
        step = upper ? -step : step;
        x *= exp(step > 700 ? -700 : step < -1.5 ? 1.5 : -step);
        if (fabs(step) < 1e-15)
            break;
    }
    return x;
}

AGNI_FN double agni_gamma_inverse(double a, double p, bool upper)
{
    if (!(a > 0 && a < (double)INFINITY && p >= 0 && p <= 1))
        return (double)NAN;
    if (p == 0 || p == 1)
        return (p == 0) == upper ? (double)INFINITY : 0;
    return p <= 0.5 ? agni_gamma_root(a, p, upper) : agni_gamma_root(a, 1 - p, !upper);
}
AGNI_FN double agni_gammaincinv(double a, double p)
{
    return agni_gamma_inverse(a, p, false);
}
AGNI_FN double agni_gammainccinv(double a, double q)
{
    return agni_gamma_inverse(a, q, true);
}

/* x of I_x(a, b) = p <= 1/2; upper: of 1 - I */
AGNI_FN double agni_beta_root(double a, double b, double p, bool upper)
{
    enum { FAR = 705 };
    double z = log(a) - log(b), log_p = log(p), log_beta = agni_lgamma(a) - agni_lgamma_step(b, a),
           x = 0, y = 1;
    for (int k = 0, last = 0; k < 100 && last < 2; k++) {
        if (!last) { /* the last step is one of x itself: z has lost what log x has before its point */
            x = z < 0 ? exp(z) / (1 + exp(z)) : 1 / (1 + exp(-z));
            y = z > 0 ? exp(-z) / (1 + exp(-z)) : 1 / (1 + exp(z));
        }
        double f = upper ? agni_beta_ratio(b, a, y, x) : agni_beta_ratio(a, b, x, y);
        double h = agni_beta_front(a, b, x, y, 0), step;
        if (f > 0 && h > 0)
            step = log_of_ratio(f, p, log_p) * (f / h);
        else /* far out, where the tail is about h over the slope of log h */
            step = (a * log(x) + b * log(y) - log(upper ? b : a) - log_beta - log_p) /
                   fabs(a * y - b * x);
        step = upper ? -step : step;
        if (last || fabs(step) < 1e-7) {
            last++;
            double by = x * y * step;
            if (x <= 0.5)
                x -= by, y = 1 - x;
            else
                y += by, x = 1 - y;
        } else {
            bool low = z == -FAR && step > 0, high = z == FAR && step < 0;
            if (low || high) { /* the root is beyond: I is x^a / (a beta(a, b)), or 1 - I that of y and b */
                double end = low ? a : b, part = low == upper ? log1p(-p) : log_p;
                double least = exp((part + log(end) + log_beta) / end);
                return low ? least : 1 - least;
            }
            z -= step;
            z = z < -FAR ? -FAR : z > FAR ? FAR : z;
        }
    }
    return x;
}

AGNI_FN double agni_beta_inverse(double a, double b, double p, bool upper)
{
    if (!(a > 0 && b > 0 && a < (double)INFINITY && b < (double)INFINITY && p >= 0 && p <= 1))
        return (double)NAN;
    if (p == 0 || p == 1)
        return (p == 0) == upper;
    return p <= 0.5 ? agni_beta_root(a, b, p, upper) : agni_beta_root(a, b, 1 - p, !upper);
}
AGNI_FN double agni_betaincinv(double a, double b, double p)
{
    return agni_beta_inverse(a, b, p, false);
}
AGNI_FN double agni_betainccinv(double a, double b, double q)
{
    return agni_beta_inverse(a, b, q, true);
}

#endif
