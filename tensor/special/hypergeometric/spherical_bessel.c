/* tensor/special/hypergeometric/spherical_bessel.c - spherical Bessel functions of whole order
   (DLMF 10.47): the power series below the turning point, the finite sum of k (10.49.12), else
   those of half a whole order. */
#include "tensor/special/hypergeometric/values.h"

#include "tensor/cpu/special/constants.h"
#include "tensor/special/values.h"
#include <math.h>

/* x^n / (2 n + 1)!! sum of (side x^2 / 2)^k / (k! (2 n + 3) (2 n + 5) ...) */
AGNI_FN double small_argument(double x, int64_t n, double side)
{
    double first = 1, term = 1, sum = 1, q = side * x * x / 2;
    for (int64_t k = 1; k <= n; k++)
        first *= x / (2 * (double)k + 1);
    for (int k = 1; k < 200; k++) {
        term *= q / (k * (2 * ((double)n + k) + 1));
        sum += term;
        if (fabs(term) < 1e-18 * fabs(sum))
            break;
    }
    return first * sum;
}
AGNI_FN double decaying(double x, int64_t n)
{
    double term = 1, sum = 1;
    for (int64_t k = 1; k <= n; k++) {
        term *= ((double)n + (double)k) * ((double)n - (double)k + 1) / (2 * (double)k * x);
        sum += term;
    }
    return AGNI_PI / 2 * exp(-x / 2) * (sum / x) * exp(-x / 2);
}

AGNI_VALUE double agni_spherical_bessel(double x, int kind, int64_t n)
{
    double side = 1, a = fabs(x), v = (double)n + 0.5;
    if (isnan(x) || (kind == 3 && x < 0))
        return (double)NAN;
    if (x < 0 && ((n & 1) != (kind == 1)))
        side = -1;
    switch (kind) {
    case 0:
    case 2:
        if (a * a < 2 * (double)n + 3)
            return side * small_argument(a, n, kind == 0 ? -1 : 1);
        if (isinf(a))
            return kind == 0 ? 0 : side * a;
        if (kind == 0)
            return side * sqrt(AGNI_PI / (2 * a)) * agni_bessel(v, a, AGNI_BESSEL_J, 0, 0);
        return side *
               (sqrt(AGNI_PI / (2 * a)) * agni_bessel(v, a, AGNI_BESSEL_IE, 0, 0) * exp(a / 2)) *
               exp(a / 2);
    case 1:
        if (a == 0)
            return side * -(double)INFINITY;
        return isinf(a) ? 0
                        : side * sqrt(AGNI_PI / (2 * a)) * agni_bessel(v, a, AGNI_BESSEL_Y, 0, 0);
    default:
        return a == 0 ? (double)INFINITY : isinf(a) ? 0 : decaying(a, n);
    }
}
