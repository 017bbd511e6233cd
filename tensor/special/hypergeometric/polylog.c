/* tensor/special/hypergeometric/polylog.c - polylogarithm of real order: the series, for s > 0
   Bose's and Fermi's integral (DLMF 25.12.11) by the trapezoidal rule in the logarithm of the
   variable, for s <= 1/2 next to 1 the series in log x (25.12.12), left of -1/2 the integral by
   parts. */
#include "tensor/special/hypergeometric/values.h"

#include "tensor/cpu/special/constants.h"
#include <math.h>

/* Riemann's zeta for s > 1 by Euler's and Maclaurin's sum (DLMF 25.2.9) */
AGNI_FN double zeta_above_one(double s)
{
    static const double bernoulli[] = {1.0 / 12,           -1.0 / 720,     1.0 / 30240,
                                       -1.0 / 1209600,     1.0 / 47900160, -691.0 / 1307674368000.0,
                                       1.0 / 74724249600.0};
    enum { N = 12 };
    double sum = 0, p = s, n2 = 1;
    for (int k = N - 1; k >= 1; k--)
        sum += pow(k, -s);
    double lead = pow(N, -s), tail = lead / 2 + lead * N / (s - 1), term = lead * s / N;
    for (int j = 0; j < 7; j++) {
        tail += bernoulli[j] * term * n2;
        p = s + 2 * j + 1;
        n2 *= p * (p + 1) / (N * (double)N);
    }
    return sum + tail;
}
/* of -t (25.4.1), above -1/2 as above 1 */
AGNI_FN double zeta_below(double t)
{
    if (t < 0.5)
        return zeta_above_one(-t);
    double half = rint(t / 2), s = sin(AGNI_PI / 2 * (t - 2 * half)); /* as far from its roots as t */
    if (fmod(half, 2) != 0)
        s = -s;
    return -2 * pow(2 * AGNI_PI, -t - 1) * s * tgamma(t + 1) * zeta_above_one(t + 1);
}
/* NaN where signs alternate, s is below 0, and too many digits cancel */
AGNI_FN double polylog_series(double s, double x)
{
    double sum = 0, power = 1, error = 0;
    for (int k = 1; k < 4000; k++) {
        power *= x;
        double term = power * pow(k, -s);
        sum += term;
        error += (k + 2) * 0x1p-54 * fabs(term);
        if (fabs(term) < 1e-18 * fabs(sum) && k > -2 * s)
            break;
    }
    return x > 0 || error < 1e-13 * fabs(sum) ? sum : (double)NAN;
}
/* n-th derivative of 1 / (e^u + 1) times (-1)^n, as sum of (-1)^k k! S(n + 1, k + 1) f^(k + 1) */
AGNI_FN double fermi_slope(double u, int n)
{
    double f = 1 / (1 + exp(u)), c[16] = {1};
    for (int m = 0; m < n; m++) /* f' = -f (1 - f) */
        for (int k = m + 1; k >= 0; k--)
            c[k] = (k <= m ? (k + 1) * c[k] : 0) - (k > 0 ? k * c[k - 1] : 0);
    double sum = 0;
    for (int k = n; k >= 0; k--)
        sum = sum * f + c[k];
    return sum * f;
}
/* s + n > 0; n-th derivatives for x < 0 alone */
AGNI_FN double polylog_integral(double s, double x, int n)
{
    double p = s + n, reach = x < 0 ? fmax(log(-x), 0) : 0, mu = x < 0 ? log(-x) : 0;
    double h = fmin(0.2, 0.5 / sqrt(1 + p)) / (1 + 0.5 * reach), sum = 0;
    double from = -45 / p - 3 , to = log(60 + 4 * p + reach + 40);
    if (x > 0)
        from = fmin(from, log(-log(x) + 1e-300) - 45 / p);
    int steps = (int)((to - from) / h) + 1;
    for (int k = 0; k <= steps; k++) {
        double v = from + k * h, t = exp(v), f;
        if (n)
            f = -fermi_slope(t - mu, n);
        else if (x > 0) /* e^t - x without cancellation */
            f = x / (expm1(t) + (1 - x));
        else
            f = -1 / (exp(t - mu) + 1);
        sum += exp(p * v) * f;
    }
    return sum * h / tgamma(p);
}
/* s <= 1/2, 1/2 < x < 1 */
AGNI_FN double polylog_near_one(double s, double x)
{
    double mu = log(x), sum = 0, power = 1;
    for (int k = 0; k < 60; k++) {
        double term = power * zeta_below(k - s);
        sum += term;
        power *= mu / (k + 1);
    }
    return tgamma(1 - s) * pow(-mu, s - 1) + sum;
}

AGNI_VALUE double agni_polylog(double s, double x)
{
    if (isnan(s) || isnan(x) || fabs(s) > 100 || x > 1 || x < -1e300)
        return (double)NAN;
    if (x == 0)
        return 0;
    if (x == 1)
        return s > 1 ? zeta_above_one(s) : (double)INFINITY;
    double near = fabs(x) <= 0.5 ? polylog_series(s, x) : (double)NAN;
    if (!isnan(near))
        return near;
    if (x == -1 && s <= 0.5) /* -eta(s) */
        return expm1((1 - s) * AGNI_LN2) * zeta_below(-s);
    if (s > 0.5)
        return polylog_integral(s, x, 0);
    if (x > 0)
        return polylog_near_one(s, x);
    return s > -8 ? polylog_integral(s, x, (int)ceil(1 - s)) : (double)NAN;
}
