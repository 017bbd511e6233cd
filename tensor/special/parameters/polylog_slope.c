/* tensor/special/parameters/polylog_slope.c - the polylogarithm and its derivatives in s: moments
   of logarithms under its series, under Bose's and Fermi's integral (DLMF 25.12.11) by the
   trapezoidal rule in the logarithm of the variable, by parts for s below 1/2 and x < 0; next to x
   = 1 the series in log x (25.12.12) with derivatives of zeta by its functional equation
   (25.4.1). */
#include "tensor/special/parameters/jet.h"
#include "tensor/special/parameters/values.h"

#include "tensor/cpu/special/zeta_slope.h"

/* n derivatives in x */
AGNI_FN double by_series(double s, double x, int k, int n)
{
    double sum = 0, size = 0, power = 1;
    for (int j = 2; j <= n; j++)
        power *= j;
    for (int m = n > 1 ? n : 1; m < 4000; m++) { /* m (m - 1) ... (m - n + 1) x^(m - n) */
        if (m > n)
            power *= x * (n ? m / (double)(m - n) : 1);
        double l = log((double)m), term = power * pow(m, -s);
        for (int j = 0; j < k; j++)
            term *= -l;
        sum += term;
        size += fabs(term);
        if (fabs(term) < 1e-18 * fabs(sum) && m > 2 * (k + n - s) && m > 2)
            break;
    }
    return 4e-16 * size <= 1e-12 * fabs(sum) ? sum : (double)NAN;
}
/* n-th derivative of 1 / (e^u + 1), times (-1)^n; *size: of the terms of that polynomial */
AGNI_FN double fermi_slope(double u, int n, double *size)
{
    double f = 1 / (1 + exp(u)), c[16] = {1}, sum = 0, most = 0;
    for (int m = 0; m < n; m++) /* f' = -f (1 - f) */
        for (int k = m + 1; k >= 0; k--)
            c[k] = (k <= m ? (k + 1) * c[k] : 0) - (k > 0 ? k * c[k - 1] : 0);
    for (int k = n; k >= 0; k--)
        sum = sum * f + c[k], most = most * f + fabs(c[k]);
    *size = most * f;
    return sum * f;
}
/* s + n > 0; n > 0 for x < 0 alone, where mu is log(-x), else 0. Li_s(x) - x has the same
   derivatives, and is the smaller one where |x| < 2^s. */
AGNI_FN double by_integral(double s, double x, double mu, int n, int k)
{
    double p = s + n, reach = fmax(mu, 0), psi = agni_digamma(p);
    double h = fmin(0.2, 0.5 / sqrt(1 + p)) / (1 + 0.5 * reach), from = -55 / p - 3,
           to = log(100 + 4 * p + reach);
    double sum[AGNI_JET_ORDER + 1] = {0}, size[AGNI_JET_ORDER + 1] = {0}, g[AGNI_JET_ORDER + 1],
                                most = 0;
    if (x > 0)
        from = fmin(from, log(-log(x)) - 55 / p);
    bool less = n == 0 && k > 0 && (x > 0 || mu < p * AGNI_LN2);
    int steps = (int)((to - from) / h) + 1;
    for (int i = 0; i <= steps; i++) {
        double v = from + i * h, t = exp(v);
        double f = n       ? -fermi_slope(t - mu, n, &most)
                   : x > 0 ? x / (expm1(t) + (1 - x))
                           : -1 / (exp(t - mu) + 1);
        if (less)
            f *= x > 0 ? x * exp(-t) : -exp(mu - t);
        most = exp(p * v) * (n ? most : fabs(f));
        f *= exp(p * v);
        for (int j = 0; j <= k; j++) {
            sum[j] += f;
            size[j] += most;
            f *= (v - psi) / (j + 1);
            most *= fabs(v - psi) / (j + 1);
        }
    }
    double log_scale = agni_gamma_jet(p, -1, psi, k, g);
    double y = agni_jet_last(sum, g, k);
    for (int j = 0; j <= k; j++)
        g[j] = fabs(g[j]);
    if (n && !(2e-16 * agni_jet_last(size, g, k) <= 1e-12 * fabs(y)))
        return (double)NAN;
    return y * h * exp(log_scale);
}
/* k-th derivative of zeta at s, -1/2 < s < 1, by Euler's and Maclaurin's sum (25.2.9) */
AGNI_FN double zeta_near_zero(double s, int k)
{
    const double x = 12, L = log(x);
    double sum = 0, c[AGNI_ZETA_ORDERS + 1] = {0}, power = x / (s - 1), fall = 1 / x;
    for (int n = 1; n < x; n++) {
        double l = log((double)n), term = exp(-s * l);
        for (int i = 0; i < k; i++)
            term *= -l;
        sum += term;
    }
    for (int m = 0; m <= k; m++) {
        c[m] = power;
        power /= 1 - s;
    }
    c[0] += 0.5;
    double tail = agni_zeta_leibniz(c, k, L);
    for (int m = 0; m <= k; m++)
        c[m] = m == 0 ? s : m == 1 ? 1 : 0;
    for (int j = 0; j < AGNI_ZETA_TERMS; j++) {
        tail += agni_zeta_bernoulli[j] * fall * agni_zeta_leibniz(c, k, L);
        agni_zeta_raise(c, k, s + 2 * j + 1);
        agni_zeta_raise(c, k, s + 2 * j + 2);
        fall /= x * x;
    }
    return sum + exp(-s * L) * tail;
}
/* coefficients of zeta(s + d), s <= -1/2 */
AGNI_FN void zeta_series(double s, int k, double *c)
{
    double g[AGNI_JET_ORDER + 1], z[AGNI_JET_ORDER + 1], w[AGNI_JET_ORDER + 1],
        L = log(2 * AGNI_PI), factorial = 1;
    double scale = agni_gamma_jet(1 - s, 1, -L, k, g), half = rint(s / 2), off = s - 2 * half;
    double wave[2] = {sin(AGNI_PI / 2 * off), sin(AGNI_PI / 2 * (1 - fabs(off)))}; /* sine, cosine */
    double base = 2 * exp((s - 1) * L + scale);
    for (int j = 0; j <= k; j++) {
        double side = j & 1 ? -1 : 1, sine = wave[j & 1]; /* sin(pi (s + j) / 2) */
        if (((j & 2) != 0) != (fmod(half, 2) != 0))
            sine = -sine;
        factorial *= j ? j : 1;
        g[j] *= side;
        z[j] = side * agni_zeta_partial(1 - s, 1, j) / factorial;
        w[j] = sine * pow(AGNI_PI / 2, j) / factorial;
    }
    for (int j = 0; j <= k; j++) {
        double sum = 0;
        for (int a = 0; a <= j; a++)
            for (int b = 0; a + b <= j; b++)
                sum += g[a] * z[b] * w[j - a - b];
        c[j] = base * sum;
    }
}
/* s <= 1/2, 19/20 < x < 1 */
AGNI_FN double next_to_one(double s, double x, int k)
{
    double mu = log(x), sum = 0, power = 1, g[AGNI_JET_ORDER + 1], c[AGNI_JET_ORDER + 1],
           factorial = 1;
    double scale = agni_gamma_jet(1 - s, 1, -log(-mu), k, g);
    for (int j = 2; j <= k; j++)
        factorial *= j;
    for (int n = 0; n < 40; n++) {
        if (s - n > -0.5) { /* there a pole and a root of the other formula meet */
            sum += power * zeta_near_zero(s - n, k);
        } else {
            zeta_series(s - n, k, c);
            sum += power * c[k] * factorial;
        }
        power *= mu / (n + 1);
    }
    return (k & 1 ? -1 : 1) * g[k] * factorial * exp(scale + (s - 1) * log(-mu)) + sum;
}

AGNI_FN double polylog_slope(double s, double x, int k)
{
    if (x == 1)
        return s > 1 ? agni_zeta_partial(s, 1, k) : (double)NAN;
    if (fabs(x) <= 0.5 || (x > 0 && x <= 0.95 && s <= 0.5))
        return by_series(s, x, k, 0);
    if (s > 0.5)
        return by_integral(s, x, x < 0 ? log(-x) : 0, 0, k);
    if (x > 0)
        return next_to_one(s, x, k);
    return s > -8 ? by_integral(s, x, log(-x), (int)ceil(1 - s), k) : (double)NAN;
}

AGNI_VALUE double agni_polylog_slope(double s, double x, int k, int n)
{
    if (isnan(s) || isnan(x) || fabs(s) > 100 || x > 1 || x < -1e300 || k > AGNI_ZETA_ORDERS)
        return (double)NAN;
    if (fabs(x) <= 0.5)
        return by_series(s, x, k, n);
    /* x^-n times the sum of Stirling's numbers of the first kind and Li_(s-j): x (x - 1) ... (x - n
       + 1) */
    double stirling[AGNI_ZETA_ORDERS + 1] = {1}, sum = 0, size = 0;
    for (int m = 0; m < n; m++)
        for (int j = m + 1; j >= 0; j--)
            stirling[j] = (j ? stirling[j - 1] : 0) - (j <= m ? m * stirling[j] : 0);
    for (int j = n > 0; j <= n; j++) {
        double term = stirling[j] * polylog_slope(s - j, x, k);
        sum += term;
        size += fabs(term);
    }
    return n == 0 || 1e-15 * size <= 1e-12 * fabs(sum) ? sum / pow(x, n) : (double)NAN;
}

/* -Li_(order+1)(-e^x) */
AGNI_VALUE double agni_fermi_dirac(double order, double x, int k)
{
    double s = order + 1;
    if (isnan(s) || isnan(x) || fabs(s) > 100 || x > 1000 || k > AGNI_ZETA_ORDERS)
        return (double)NAN;
    if (x < -0.7)
        return -by_series(s, -exp(x), k, 0);
    return s > 0.5  ? -by_integral(s, -1, x, 0, k)
           : s > -8 ? -by_integral(s, -1, x, (int)ceil(1 - s), k)
                    : (double)NAN;
}
