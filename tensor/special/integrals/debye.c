/* tensor/special/integrals/debye.c - Debye functions n / x^n times the integral of t^n / (e^t - 1)
   from 0 to x: the series in Bernoulli's numbers next to 0 (Abramowitz and Stegun 27.1.1), beyond
   it Gauss' rule on panels, and the differential equation for derivatives. */
#include "tensor/special/integrals/values.h"

#include "tensor/cpu/special/gauss_legendre.h"
#include "tensor/cpu/special/special.h"

enum { MOST_SLOPES = 12 };

/* 1 + ... + n sum of B_2j x^2j / ((2 j + n) (2 j)!), k-th derivative; |x| <= 4 */
AGNI_FN double debye_series(double x, int n, int k)
{
    double sum = k == 0   ? 1 - n * x / (2.0 * (n + 1))
                 : k == 1 ? -n / (2.0 * (n + 1))
                          : 0,
           q = 1 / (4 * AGNI_PI * AGNI_PI), part = -2;
    for (int j = 1; j < 60; j++) { /* B_2j / (2j)! = (-1)^(j+1) 2 zeta(2j) / (2 pi)^2j */
        part *= -q;
        double term = n * part * agni_zeta(2 * j, 1) / (2 * j + n);
        if (2 * j < k)
            continue;
        for (int m = 0; m < k; m++)
            term *= 2 * j - m;
        sum += term * pow(x, 2 * j - k);
    }
    return sum;
}
/* x > 4 */
AGNI_FN double debye_value(double x, int n)
{
    double end = fmin(x, 60 + 10 * n), sum = 0, w = end / ceil(end / 2);
    for (double a = 0; a < end - w / 2; a += w)
        for (int i = 0; i < AGNI_GAUSS_NODES; i++) {
            double by, t = agni_gauss_place(i, a, a + w, &by);
            sum += by * pow(t / x, n) / expm1(t);
        }
    return sum * n;
}
/* k-th derivative of 1 / (e^x - 1), a polynomial in it: f' = -f (1 + f) */
AGNI_FN double bose_slope(double x, int k)
{
    double f = 1 / expm1(x), c[MOST_SLOPES + 2] = {1}, sum = 0;
    for (int m = 0; m < k; m++)
        for (int j = m + 1; j >= 0; j--)
            c[j] = -((j <= m ? (j + 1) * c[j] : 0) + (j > 0 ? j * c[j - 1] : 0));
    for (int j = k; j >= 0; j--)
        sum = sum * f + c[j];
    return sum * f;
}
/* x > 4 */
AGNI_FN double debye_far(double x, int n, int k)
{
    if (isinf(x))
        return 0;
    double d = debye_value(x, n); /* x D^(j+1) = n (x f)^(j) - (n + j) D^(j), f = 1 / (e^x - 1) */
    for (int j = 0; j < k; j++)
        d = (n * (x * bose_slope(x, j) + (j ? j * bose_slope(x, j - 1) : 0)) - (n + j) * d) / x;
    return d;
}
AGNI_VALUE double agni_debye(double x, int n, int k)
{
    if (isnan(x) || x < -600 || k > MOST_SLOPES)
        return (double)NAN;
    if (fabs(x) <= 4)
        return debye_series(x, n, k);
    if (x > 0)
        return debye_far(x, n, k);
    double v = debye_far(-x, n, k); /* D(-x) = D(x) + n x / (n + 1) */
    return (k & 1 ? -v : v) + (k == 0 ? -n * x / (n + 1.0) : k == 1 ? -n / (n + 1.0) : 0);
}
