/* tensor/special/hypergeometric/struve.c - Struve's functions: their series in double-double
   (DLMF 11.2); H of large arguments by Y and the integral of a positive function (11.5.2), or its
   expansion (11.6.1). Derivatives in the argument part by part: differences of neighbours in the
   order cancel where the power is the larger part. */
#include "tensor/special/hypergeometric/values.h"

#include "tensor/cpu/special/constants.h"
#include "tensor/cpu/special/double_double.h"
#include "tensor/cpu/special/gauss_legendre.h"
#include "tensor/special/values.h"
#include <math.h>

/* (x/2)^p / Gamma(q) */
AGNI_FN double power_over_gamma(double x, double p, double q)
{
    double y = x / 2;
    if (x > 0 && q <= 150 && fabs(p * log(y)) > 300 && fabs(p * log(y)) < 1300) {
        double half = pow(y, p / 2); /* twice, for there may be no room for all of it */
        return half / tgamma(q) * half;
    }
    if (x > 0 && (q > 150 || fabs(p * log(y)) > 600))
        return exp(p * log(y) - lgamma(q)) * (q < 0 && fmod(floor(q), 2) != 0 ? -1 : 1);
    return pow(y, p) / tgamma(q);
}
/* (p) (p - 1) ... (p - n + 1), p = a + b */
AGNI_FN agni_pair falling_power(double a, double b, int n)
{
    agni_pair f = {1, 0};
    for (int i = 0; i < n; i++)
        f = agni_pair_mul(f, agni_two_sum(a, b - i));
    return f;
}
/* n-th derivative, term by term */
AGNI_FN double struve_series(double nu, double x, double side, int n, double *error)
{
    double first = power_over_gamma(x, nu + 1 - n, nu + 1.5) * ldexp(AGNI_2_SQRTPI, -n), most = 0;
    *error = (double)INFINITY;
    if (!isfinite(first))
        return n ? first * falling_power(nu, 1, n).hi : first;
    agni_pair q = agni_pair_times(agni_pair_mul(agni_pair_of(x), agni_pair_of(x)), side / 4);
    agni_pair term = {first, 0}, sum = {0, 0};
    for (int k = 0; k < 5000 && isfinite(sum.hi); k++) {
        agni_pair share = n ? agni_pair_mul(term, falling_power(nu, 2 * k + 1, n)) : term;
        sum = agni_pair_add(sum, share);
        most = fmax(most, fabs(share.hi));
        if (k > 0 && fabs(share.hi) < 1e-34 * most && k > n - nu)
            break;
        agni_pair down = agni_pair_times(agni_pair_add(agni_two_sum(nu, 1.5), agni_pair_of(k)),
                                         k + 1.5);
        term = agni_pair_div(agni_pair_mul(term, q), down);
    }
    *error = 1e-31 * most;
    return isnan(sum.hi) ? (double)INFINITY : sum.hi;
}
/* n-th derivative at 0, where the term of x^n alone is left: NaN where one of less is */
AGNI_FN double struve_at_zero(double nu, double side, int n)
{
    double v = 0, power = nu + 1;
    for (int k = 0; power <= n; k++, power += 2) {
        if (power < n && falling_power(power, 0, n).hi != 0)
            return (double)NAN;
        if (power == n) {
            v = pow(side, k) * ldexp(1.0, -n) / (tgamma(k + 1.5) * tgamma(k + nu + 1.5));
            for (int i = 2; i <= n; i++)
                v *= i;
        }
    }
    return v;
}
/* of H - Y, nu > -1/2, by Leibniz' rule of x^nu and the integral over t = s / x */
AGNI_FN double struve_rest(double nu, double x, int n)
{
    double sum = 0, power = nu - 0.5, end = 60 + 6 * fabs(nu) + 4 * n;
    for (double a = 0; a < end; a += 4)
        for (int k = 0; k < AGNI_GAUSS_NODES; k++) {
            double by, s = agni_gauss_place(k, a, a + 4, &by), t = s / x, part = 0, choose = 1,
                       down = 1;
            for (int j = 0; j <= n; j++) { /* (-s)^(n - j) times the j-th derivative of x^nu */
                part = part * -s;
                part += choose * down;
                choose *= (double)(n - j) / (j + 1);
                down *= nu - j;
            }
            sum += by * exp(power * log1p(t * t) - s) * part;
        }
    return ldexp(sum / x, -n) * power_over_gamma(x, nu - n, nu + 0.5) * AGNI_2_SQRTPI;
}
AGNI_FN double struve_rest_far(double nu, double x, int n)
{
    double term = power_over_gamma(x, nu - 1 - n, nu + 0.5) * ldexp(1 / sqrt(AGNI_PI), -n);
    double part = term * falling_power(nu, -1, n).hi, sum = part;
    for (int k = 0; k < 400; k++) {
        double next = -term * (k + 0.5) * (k + 0.5 - nu) * 4 / (x * x);
        if (k > n && fabs(next) > fabs(term))
            return fabs(part) < 1e-15 * fabs(sum) ? sum : (double)NAN;
        term = next;
        part = term * falling_power(nu, -2 * k - 3, n).hi;
        sum += part;
        if (k >= n && fabs(part) < 1e-17 * fabs(sum))
            return sum;
    }
    return (double)NAN;
}
/* n-th derivative by neighbours (DLMF 10.6.1, 10.29.1) */
AGNI_FN double bessel_curve(double nu, double x, int kind, int n)
{
    double sum = 0, choose = 1, side = kind == AGNI_BESSEL_I ? 1 : -1;
    for (int j = 0; j <= n; j++) {
        sum += choose * agni_bessel(nu - n + 2 * j, x, kind, 0, 0);
        choose *= side * (n - j) / (j + 1);
    }
    return ldexp(sum, -n);
}

AGNI_VALUE double agni_struve(double nu, double x, bool modified, int n)
{
    double side = 1, error;
    if (isnan(nu) || isnan(x) || nu < -35 || nu > 100 || (x < 0 && nu != floor(nu)))
        return (double)NAN;
    if (x < 0 && fmod(nu + n, 2) == 0)
        side = -1;
    x = fabs(x);
    if (nu + 1.5 <= 0 && nu + 0.5 == floor(nu + 0.5)) { /* by J and I of -nu */
        double turn = !modified && fmod(nu + 0.5, 2) != 0 ? -1 : 1;
        return turn * bessel_curve(-nu, x, modified ? AGNI_BESSEL_I : AGNI_BESSEL_J, n);
    }
    if (x == 0 && n > 0)
        return struve_at_zero(nu, modified ? 1 : -1, n);
    if (modified) { /* whose terms may leave the range before their sum does, where x is not small */
        double v = x > 800 ? (double)INFINITY : struve_series(nu, x, 1, n, &error);
        return isinf(v) && x > 1 && x <= 800 ? (double)NAN : side * v;
    }
    if (x < 60 || x < 2 * nu) {
        double v = struve_series(nu, x, -1, n, &error);
        if (isfinite(v) && (error <= 1e-14 * fabs(v) || (x > nu && error < 1e-14 / sqrt(1 + x))))
            return side * v;
        if (x < 20)
            return isinf(v) ? side * v : (double)NAN;
    }
    if (isinf(x)) {
        double end = nu - n;
        return n ? (double)NAN : end < 1 ? 0 : end == 1 ? 2 / AGNI_PI : (double)INFINITY * side;
    }
    double rest = nu > -0.49 ? struve_rest(nu, x, n) : nu == -0.5 ? 0 : struve_rest_far(nu, x, n);
    return side * (bessel_curve(nu, x, AGNI_BESSEL_Y, n) + rest);
}
