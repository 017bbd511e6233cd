/* tensor/special/owens_t.c - Owen's T(h, a): Gauss's rule of its integral for a <= 1, and for a > 1
   by T(h, a) = (Q(h) + Q(a h)) / 2 - Q(h) Q(a h) - T(a h, 1 / a), Q the upper tail (Owen, Ann.
   Math. Stat. 27, 1956). */
#include "tensor/special/values.h"

#include "tensor/cpu/special/constants.h"
#include <math.h>

/* 1 / (2 pi) times the integral over 0 to a <= 1 of exp(-h^2 (1 + t^2) / 2) / (1 + t^2), by the
   trapezoidal rule in u, t = a / (1 + e^-u) */
AGNI_FN double integral_below(double h, double a)
{
    double top = a, sum = 0;
    if (h * a > 9) /* nothing is left beyond */
        top = 9 / h;
    for (int n = -320; n <= 320; n++) {
        double u = n / 8.0, e = exp(-fabs(u)), d = e / ((1 + e) * (1 + e)),
               t = top * (u > 0 ? 1 / (1 + e) : e / (1 + e));
        sum += d * exp(-0.5 * h * h * t * t) / (1 + t * t);
    }
    double q = h * h;
    return exp(-0.5 * q) * (1 - 0.5 * fma(h, h, -q)) * sum * top / (8 * 2 * AGNI_PI);
}

/* upper tail of the normal law: erfc(g sqrt(1/2)) / 2 and what rounding of the argument took */
AGNI_FN double normal_tail(double g)
{
    double u = g * AGNI_SQRT1_2, low = fma(g, AGNI_SQRT1_2, -u) - 4.8336466567264567e-17 * g;
    return 0.5 * erfc(u) - (u < 30 ? exp(-u * u) * low * (AGNI_2_SQRTPI / 2) : 0);
}

AGNI_VALUE double agni_owens_t(double h, double a)
{
    double g = fabs(h), b = fabs(a), v;
    if (isnan(h) || isnan(a))
        return (double)NAN;
    if (isinf(g))
        return 0;
    if (b <= 1) {
        v = integral_below(g, b);
    } else {
        double p = normal_tail(g), f = g == 0 ? 0 : b * g, q = normal_tail(f);
        v = g == 0 ? atan(b) / (2 * AGNI_PI) : 0.5 * (p + q) - p * q - integral_below(f, 1 / b);
    }
    return copysign(1, a) * v;
}
