/* tensor/cpu/special/normal.h - the error function's relatives: erfcx with its derivatives, the
   normal distribution function, its logarithm and its inverse. Shared with device code. */
#ifndef AGNI_SPECIAL_NORMAL_H
#define AGNI_SPECIAL_NORMAL_H

#include "tensor/cpu/special/ppnd16.h"
#include "tensor/cpu/special/portable_exp.h"
#include "tensor/cpu/special/coef.h"
#include "tensor/cpu/special/special.h"

/* exp(c x^2) for c = 1 and -1/2 without the rounding of x^2, which exp would magnify: the square
   of x to 1/16 is exact (Cody 1969) */
AGNI_FN double agni_exp_square(double c, double x)
{
    double a = fabs(x);
    if (!(a < 64)) /* over- or underflows, or is NaN */
        return exp(c * a * a);
    double head = floor(16 * a) / 16;
    return exp(c * head * head) * exp(c * (a - head) * (a + head));
}

/* exp(z^2) erfc(z), z >= 0: a polynomial, then the asymptotic series (DLMF 7.12.1) */
AGNI_FN double agni_erfcx_above(double z)
{
    const double c[] = AGNI_C_ERFCX;
    if (z > 28) {
        double q = 0.5 / (z * z);
        return AGNI_2_SQRTPI / 2 / z * 
               (1 - q * (1 - 3 * q * (1 - 5 * q * (1 - 7 * q * (1 - 9 * q * (1 - 11 * q))))));
    }
    double t = (z - 3.75) / (z + 3.75), sum = 0;
    for (int k = (int)(sizeof c / sizeof *c) - 1; k >= 0; k--)
        sum = sum * t + c[k];
    return sum / (1 + 2 * z);
}

/* d^n/dx^n of exp(x^2) erfc(x) = (-1)^n 2^n n! exp(x^2) i^n erfc(x) (DLMF 7.18). Its recurrence
   d_n = 2 x d_(n-1) + 2 (n-1) d_(n-2), d_(-1) = -2/sqrt(pi) in effect, is stable forwards for
   x <= 0; for x > 0 the d are its minimal solution, and the ratios of neighbours follow
   backwards from far enough (Gautschi 1967). */
AGNI_FN double agni_erfcx(double x, int64_t n)
{
    if (x != x)
        return x;
    double d0 = x < 0 ? 2 * agni_exp_square(1, x) - agni_erfcx_above(-x) : agni_erfcx_above(x);
    if (n == 0)
        return d0;
    double root = sqrt((double)n);
    if (x < 0 || 2.9 * root * x < 3) {
        double d1 = 2 * x * d0 - AGNI_2_SQRTPI;
        for (int64_t k = 2; k <= n; k++) {
            double d2 = 2 * x * d1 + 2 * (double)(k - 1) * d0;
            d0 = d1, d1 = d2;
        }
        return d1;
    }
    double far = root + 13.5 / x, r = 0, product = AGNI_2_SQRTPI;
    for (int64_t k = (int64_t)(far * far) + 5; k >= 0; k--) {
        r = 0.5 / ((double)(k + 1) * r + x); /* y_k / y_(k-1), d_k = (-2)^k k! y_k */
        if (k <= n)
            product *= k ? -2 * (double)k * r : r;
    }
    return product;
}

AGNI_FN double agni_ndtr(double x)
{
    return x > -1 ? 0.5 * erfc(-AGNI_SQRT1_2 * x)
                  : 0.5 * agni_erfcx(-AGNI_SQRT1_2 * x, 0) * agni_exp_square(-0.5, x);
}
AGNI_FN double agni_log_ndtr(double x)
{
    return x > 0    ? log1p(-agni_ndtr(-x))
           : x > -1 ? log(agni_ndtr(x))
                    : log(0.5 * agni_erfcx(-AGNI_SQRT1_2 * x, 0)) - 0.5 * x * x;
}

/* Quantile of the normal distribution at p = 0.5 + q, tail the smaller of p and 1 - p: PPND16
   of Wichura 1988 (AS 241), relative error about 1e-16. */
AGNI_FN double agni_quantile(double q, double tail)
{
    const double a[] = {AGNI_AS241_A}, b[] = {AGNI_AS241_B}, c[] = {AGNI_AS241_C},
                 d[] = {AGNI_AS241_D}, e[] = {AGNI_AS241_E}, f[] = {AGNI_AS241_F};
    double r, num = 0, den = 0;
    const double *n, *m;
    if (fabs(q) <= 0.425) {
        r = 0.180625 - q * q;
        n = a, m = b;
    } else {
        r = sqrt(-(tail < 0x1p-1022 ? log(tail) : agni_plain_log(tail)));
        bool near = r <= 5;
        r -= near ? 1.6 : 5;
        n = near ? c : e, m = near ? d : f;
    }
    for (int k = 7; k >= 0; k--) {
        num = num * r + n[k];
        den = den * r + m[k];
    }
    double z = num / den;
    return fabs(q) <= 0.425 ? q * z : q < 0 ? -z : z;
}
AGNI_FN double agni_normal_quantile(double p)
{
    return agni_quantile(p - 0.5, p < 0.5 ? p : 1 - p);
}
AGNI_FN double agni_ndtri(double p)
{
    return p > 0 && p < 1 ? agni_normal_quantile(p)
           : p == 0       ? -(double)INFINITY
           : p == 1       ? (double)INFINITY
                          : (double)NAN;
}
AGNI_FN double agni_erfinv(double x)
{
    double a = fabs(x);
    return a < 1    ? AGNI_SQRT1_2 * agni_quantile(0.5 * x, 0.5 * (1 - a))
           : a == 1 ? copysign((double)INFINITY, x)
                    : (double)NAN;
}

/* The normal number of the middle of a cell [u, u + 2 half): exact on both sides, so that the
   tails are alike and 1 is never reached. */
AGNI_FN double agni_normal_at(double u, double half)
{
    return u < 0.5 ? agni_normal_quantile(u + half) : -agni_normal_quantile(1 - u - half);
}

#endif
