/* tensor/cpu/special-gamma.h - incomplete gamma and beta functions with their densities.
   Shared with device code. */
#ifndef AGNI_SPECIAL_GAMMA_H
#define AGNI_SPECIAL_GAMMA_H

#include "tensor/cpu/special-coef.h"
#include "tensor/cpu/special.h"

#define AGNI_2PI 6.28318530717958647693

/* log(r) - u, r = 1 + u: near 1 by s = u / (2 + u), log(r) = 2 (s + s^3/3 + ...) */
AGNI_FN double agni_log_less(double r, double u)
{
    if (!(u > -0.6 && u < 1.5))
        return log(r) - u;
    double s = u / (2 + u), q = s * s, term = q, sum = 0;
    for (int k = 3; term > 0x1p-60 * q; k += 2, term *= q)
        sum += term / k;
    return s * (2 * sum - u);
}

/* gamma(a) / (sqrt(2 pi / a) (a / e)^a): by Stirling's series (DLMF 5.11.1) for a >= 10 */
AGNI_FN double agni_gamma_star(double a)
{
    if (a < 10)
        return tgamma(a) * exp(a) * pow(a, 0.5 - a) / sqrt(AGNI_2PI);
    double q = 1 / (a * a);
    return exp((1.0 / 12 - q * (1.0 / 360 - q * (1.0 / 1260 - q * (1.0 / 1680 - q * (1.0 / 1188 -
               q * (691.0 / 360360 - q * (1.0 / 156))))))) / a);
}

/* gamma(a + 1): a + 1 is rounded, which gamma magnifies by its digamma function */
AGNI_FN double agni_gamma_next(double a)
{
    return a < 1 ? tgamma(a + 1) : a * tgamma(a);
}

/* x^a exp(-x) / gamma(a + 1), a and x > 0: factor by factor where none leaves its range, else
   with the large exponents cancelled (Loader 2000) */
AGNI_FN double agni_gamma_front(double a, double x)
{
    if (a < 160 && x < 705 && fabs(a * log(x)) < 705)
        return pow(x, a) * exp(-x) / agni_gamma_next(a);
    if (a < 10) /* x is extreme */
        return exp(a * log(x) - x) / agni_gamma_next(a);
    return exp(a * agni_log_less(x / a, (x - a) / a)) / (sqrt(AGNI_2PI * a) * agni_gamma_star(a));
}

/* P by its series, over the front: 1 + x / (a + 1) + x^2 / ((a + 1)(a + 2)) ... (8.11.4) */
AGNI_FN double agni_gamma_series(double a, double x)
{
    double term = 1, sum = 1;
    for (int k = 1; term > 0x1p-57 * sum && k < 100000; k++) {
        term *= x / (a + k);
        sum += term;
    }
    return sum;
}

/* Q by its continued fraction, over the front: a / (x + 1 - a - 1 (1 - a) / (x + 3 - a - ...))
   (8.9.2, contracted), forwards by Steed's method (Barnett et al. 1974) */
AGNI_FN double agni_gamma_fraction(double a, double x)
{
    double b = x + 1 - a, d = 1 / b, step = d, sum = d;
    for (int k = 1; fabs(step) > 0x1p-57 * fabs(sum) && k < 100000; k++) {
        double n = k * (a - k);
        b += 2;
        d = 1 / (b + n * d);
        step *= b * d - 1;
        sum += step;
    }
    return a * sum;
}

/* Q for small a and x, where P is near 1: 1 - x^a / gamma(1 + a) without cancellation, and the
   rest of the series of P (8.7.1) */
AGNI_FN double agni_gamma_small(double a, double x)
{
    const double c[] = AGNI_C_LGAMMA1P;
    double lg = 0, sum = 0, term = 1;
    if (a <= 0.5) {
        for (int k = (int)(sizeof c / sizeof *c) - 1; k >= 0; k--)
            lg = lg * a + c[k];
        lg *= a;
    } else {
        lg = agni_lgamma(1 + a);
    }
    for (int k = 1; fabs(term) > 0x1p-60 && k < 40; k++) {
        term *= -x / k;
        sum += term / (a + k);
    }
    double e = a * log(x) - lg;
    return -expm1(e) - exp(e) * a * sum;
}

/* P or Q for large a and x near a: Temme's uniform expansion (8.12) */
AGNI_FN double agni_gamma_uniform(double a, double x, bool upper)
{
    const double c[] = AGNI_C_TEMME;
    double u = (x - a) / a, half = -agni_log_less(x / a, u), eta = copysign(sqrt(2 * half), u);
    double sum = 0;
    for (int k = AGNI_TEMME_ROWS - 1; k >= 0; k--) {
        double row = 0;
        for (int j = AGNI_TEMME_TERMS - 1; j >= 0; j--)
            row = row * eta + c[k * AGNI_TEMME_TERMS + j];
        sum = sum / a + row;
    }
    double z = copysign(sqrt(a * half), u), rest = exp(-a * half) / sqrt(AGNI_2PI * a) * sum;
    return upper ? 0.5 * erfc(z) + rest : 0.5 * erfc(-z) - rest;
}

/* P (upper: Q) of a and x. Which of the two is small is known beforehand: it is computed, the
   other one follows. */
AGNI_FN double agni_gamma_ratio(double a, double x, bool upper)
{
    if (!(a >= 0 && x >= 0) || (a == 0 && x == 0) || (isinf(a) && isinf(x)))
        return (double)NAN;
    if (x == 0 || isinf(a))
        return upper;
    if (a == 0 || isinf(x))
        return !upper;
    if (a > 1000 && fabs(x - a) < 0.2 * a)
        return agni_gamma_uniform(a, x, upper);
    bool have_upper = true;
    double y;
    if (x <= 1.1 && a < 1.1 && upper) {
        y = agni_gamma_small(a, x);
    } else if (x > 1.1 && x > a) {
        y = agni_gamma_front(a, x) * agni_gamma_fraction(a, x);
    } else {
        y = agni_gamma_front(a, x) * agni_gamma_series(a, x);
        have_upper = false;
    }
    return have_upper == upper ? y : 1 - y;
}
AGNI_FN double agni_gammainc(double a, double x)
{
    return agni_gamma_ratio(a, x, false);
}
AGNI_FN double agni_gammaincc(double a, double x)
{
    return agni_gamma_ratio(a, x, true);
}

/* x^(a - 1) exp(-x) / gamma(a) */
AGNI_FN double agni_gamma_d(double a, double x)
{
    if (!(a >= 0 && x >= 0))
        return (double)NAN;
    if (x == 0)
        return a < 1 ? (a == 0 ? 0 : (double)INFINITY) : a == 1;
    return a == 0 || isinf(x) || isinf(a) ? 0 : agni_gamma_front(a, x) * (a / x);
}

/* (x n / a)^a, the roundings made good that a would magnify; lost: of x and n, relative */
AGNI_FN double agni_beta_power(double x, double n, double a, double lost)
{
    double t = x * n, r = t / a;
    return pow(r, a) * exp(a * (lost + (fma(x, n, -t) + fma(-r, a, t)) / t));
}

/* x^a y^b / beta(a, b), x + y = 1 but for the rounding of the larger one, which is made good:
   factor by factor, or with gamma functions by Stirling's formula, or with the large exponents
   cancelled (Loader 2000) */
AGNI_FN double agni_beta_front(double a, double b, double x, double y)
{
    double n = a + b, high = a > b ? a : b, low = a > b ? b : a, more = (low - (n - high)) / n;
    double more_x = x > y ? ((1 - x) - y) / x : 0, more_y = x > y ? 0 : ((1 - y) - x) / y;
    if (n < 150 && fabs(a * log(x)) < 705 && fabs(b * log(y)) < 705) {
        double lost = a * more_x + b * more_y + n * more * log(n + 0.1); /* digamma(n), about */
        return pow(x, a) * pow(y, b) * exp(lost) * (tgamma(n) / tgamma(a) / tgamma(b));
    }
    if (a < 1e-3 || b < 1e-3) { /* 1/gamma of the smaller one s is about s */
        double e = x > y ? a * log1p(-y) + b * log(y) : a * log(x) + b * log1p(-x);
        return a / (1 + a / b) * exp(e);
    }
    double rx = x * (n / a), ry = y * (n / b), power;
    if (fabs(a * log(rx)) < 705 && fabs(b * log(ry)) < 705) {
        power = agni_beta_power(x, n, a, more_x + more) * agni_beta_power(y, n, b, more_y + more);
    } else {
        double d = x > y ? fma(-y, a, fma(-y, b, b)) : fma(x, b, fma(x, a, -a)); /* n x - a */
        power = exp(a * agni_log_less(rx, d / a) + b * agni_log_less(ry, -d / b));
    }
    return sqrt(a / AGNI_2PI * (b / n)) * power *
           (agni_gamma_star(n) / (agni_gamma_star(a) * agni_gamma_star(b)));
}

/* I_x(a, b) for x below its mean: the front times a continued fraction (8.17.22), by Steed's
   method */
AGNI_FN double agni_beta_fraction(double a, double b, double x, double y)
{
    double d = 1, step = 1, sum = 1;
    for (int k = 1; fabs(step) > 0x1p-57 * fabs(sum) && k < 100000; k++) {
        double m = k / 2, n = k % 2 ? -(a + m) * (a + b + m) / ((a + 2 * m) * (a + 2 * m + 1)) * x
                                    : m * (b - m) / ((a + 2 * m - 1) * (a + 2 * m)) * x;
        d = 1 / (1 + n * d);
        step *= d - 1;
        sum += step;
    }
    return agni_beta_front(a, b, x, y) / a * sum;
}

/* the same by a series of positive terms (8.17.8), slow for x near 1 */
AGNI_FN double agni_beta_series(double a, double b, double x)
{
    double term = 1, sum = 1;
    for (int k = 0; term > 0x1p-57 * sum * (1 - x) && k < 100000; k++) {
        term *= (a + b + k) / (a + 1 + k) * x;
        sum += term;
    }
    return agni_beta_front(a, b, x, 1 - x) / a * sum;
}

AGNI_FN double agni_betainc(double a, double b, double x)
{
    if (!(a >= 0 && b >= 0 && x >= 0 && x <= 1) || (a == 0 && b == 0) || (isinf(a) && isinf(b)))
        return (double)NAN;
    if (x == 0 || x == 1)
        return x;
    if (a == 0 || b == 0 || isinf(a) || isinf(b))
        return a == 0 || isinf(b);
    if (x < (a + 1) / (a + b + 2))
        return agni_beta_fraction(a, b, x, 1 - x);
    double y = 1 - agni_beta_fraction(b, a, 1 - x, x);
    return y < 0.1 && x < 0.999 ? agni_beta_series(a, b, x) : y; /* small b: y has cancelled */
}

/* x^(a - 1) (1 - x)^(b - 1) / beta(a, b) */
AGNI_FN double agni_beta_d(double a, double b, double x)
{
    if (!(a > 0 && b > 0 && x >= 0 && x <= 1))
        return (double)NAN;
    if (x == 0 || x == 1) {
        double p = x == 0 ? a : b, q = x == 0 ? b : a; /* at 0 the limit is q x^(p - 1) */
        return p < 1 ? (double)INFINITY : p == 1 ? q : 0;
    }
    return agni_beta_front(a, b, x, 1 - x) / x / (1 - x);
}

#endif
