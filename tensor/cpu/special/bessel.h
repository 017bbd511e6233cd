/* tensor/cpu/special/bessel.h - functions of an order n that are each other's derivatives:
   modified Bessel functions I, and derivatives of sin(pi x) / (pi x). Shared with device code. */
#ifndef AGNI_SPECIAL_BESSEL_H
#define AGNI_SPECIAL_BESSEL_H

#include "tensor/cpu/special/special.h"

/* I_n(x), 0 <= x < 20: the power series, whose terms are positive (DLMF 10.25.2) */
AGNI_FN double agni_bessel_i_near(double x, int64_t n)
{
    double h = x / 2, t = h * h, term = 1, sum = 1;
    for (int64_t k = 1; k <= n; k++)
        term *= h / (double)k;
    double first = term;
    term = 1;
    for (int k = 1; term > 0x1p-56 * sum; k++) {
        term *= t / ((double)k * (double)(k + n));
        sum += term;
    }
    return first * sum;
}

/* sqrt(2 pi x) exp(-x) I_n(x), x >= 20, n = 0 or n^2 <= x: the asymptotic series (10.40.1), whose
   smallest term is about exp(-2 x) */
AGNI_FN double agni_bessel_i_far(double x, int64_t n)
{
    double term = 1, sum = 1, m = 4 * (double)n * (double)n;
    for (int k = 1; fabs(term) > 0x1p-56 && k < 60; k++) {
        double odd = 2 * k - 1;
        term *= (odd * odd - m) / (8 * k * x);
        sum += term;
    }
    return sum;
}

/* I_n(x) / I_0(x), x >= 20: ratios of neighbours, backwards from an order far enough
   (Gautschi 1967) */
AGNI_FN double agni_bessel_i_ratio(double x, int64_t n)
{
    double r = 0, product = 1;
    for (int64_t k = n + (int64_t)(9 * sqrt(x)) + 20; k > 0; k--) {
        r = 1 / (2 * (double)k / x + r);
        if (k <= n)
            product *= r;
    }
    return product;
}

/* exp(-|x|) I_n(x) where scaled, else I_n(x) */
AGNI_FN double agni_bessel_any(double x, int64_t n, bool scaled)
{
    double a = fabs(x), y;
    if (a != a)
        return x;
    if (a < 20) {
        y = agni_bessel_i_near(a, n);
        y *= scaled ? exp(-a) : 1;
    } else if (isinf(a)) {
        y = scaled ? 0 : a;
    } else {
        bool direct = (double)n * (double)n <= a;
        double root = sqrt(2 * AGNI_PI) * sqrt(a), e = scaled ? 1 : exp(a / 2);
        y = direct ? agni_bessel_i_far(a, n)
                   : agni_bessel_i_far(a, 0) * agni_bessel_i_ratio(a, n);
        y = y / root * e * e; /* exp(a) may be infinite where y is not */
    }
    return x < 0 && n % 2 ? -y : y;
}
AGNI_FN double agni_bessel_i(double x, int64_t n)
{
    return agni_bessel_any(x, n, false);
}
AGNI_FN double agni_bessel_ie(double x, int64_t n)
{
    return agni_bessel_any(x, n, true);
}

/* sin(pi x + k pi / 2): exact reduction */
AGNI_FN double agni_sin_pi(double x, int64_t k)
{
    if (!isfinite(x))
        return x - x;
    double r = x - 2 * rint(x / 2); /* in [-1, 1] */
    double q = rint(2 * r), f = AGNI_PI * (r - q / 2);
    int64_t turn = ((int64_t)q + k) & 3;
    double y = turn & 1 ? cos(f) : sin(f);
    return turn & 2 ? -y : y;
}

/* pi^n s_n(z), z = pi x, where z s_n + n s_(n-1) = sin(z + n pi/2): forwards for |z| > n,
   backwards from an order far enough otherwise, where s_(n-1) loses nothing */
AGNI_FN double agni_sinc(double x, int64_t n)
{
    double z = AGNI_PI * x, s = 0, scale = 1;
    if (isinf(x))
        return 0;
    for (int64_t k = 0; k < n; k++)
        scale *= AGNI_PI;
    if (fabs(z) > (double)n) {
        for (int64_t k = 0; k <= n; k++)
            s = (agni_sin_pi(x, k) - (double)k * s) / z;
    } else {
        for (int64_t k = n + 30 + (int64_t)(9 * sqrt((double)n)); k > n; k--)
            s = (agni_sin_pi(x, k) - z * s) / (double)k;
    }
    return scale * s;
}

#endif
