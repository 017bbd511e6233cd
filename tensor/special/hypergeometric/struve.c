/* tensor/special/hypergeometric/struve.c - Struve's functions: their series in double-double
   (DLMF 11.2); H of large arguments by Y and the integral of a positive function (11.5.2), or its
   expansion (11.6.1). */
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
AGNI_FN double struve_series(double nu, double x, double side, double *error)
{
    double first = power_over_gamma(x, nu + 1, nu + 1.5) * AGNI_2_SQRTPI, most = fabs(first);
    agni_pair q = agni_pair_times(agni_pair_mul(agni_pair_of(x), agni_pair_of(x)), side / 4);
    agni_pair term = {first, 0}, sum = term;
    for (int k = 0; k < 5000 && isfinite(sum.hi); k++) {
        agni_pair down = agni_pair_times(agni_pair_add(agni_two_sum(nu, 1.5), agni_pair_of(k)),
                                         k + 1.5);
        term = agni_pair_div(agni_pair_mul(term, q), down);
        sum = agni_pair_add(sum, term);
        most = fmax(most, fabs(term.hi));
        if (fabs(term.hi) < 1e-34 * most && k > -nu)
            break;
    }
    *error = 1e-31 * most;
    return isnan(sum.hi) ? (double)INFINITY : sum.hi;
}
/* H - Y, nu > -1/2 */
AGNI_FN double struve_rest(double nu, double x)
{
    double sum = 0, power = nu - 0.5, end = 60 + 6 * fabs(nu);
    for (double a = 0; a < end; a += 4)
        for (int k = 0; k < 20; k++) {
            double node = k < 10 ? agni_gauss_node[k] : -agni_gauss_node[k - 10];
            double s = a + 2 + 2 * node, t = s / x;
            sum += 2 * agni_gauss_weight[k % 10] * exp(power * log1p(t * t) - s);
        }
    return sum / x * power_over_gamma(x, nu, nu + 0.5) * AGNI_2_SQRTPI;
}
AGNI_FN double struve_rest_far(double nu, double x)
{
    double term = power_over_gamma(x, nu - 1, nu + 0.5) / sqrt(AGNI_PI), sum = term;
    for (int k = 0; k < 400; k++) {
        double next = -term * (k + 0.5) * (k + 0.5 - nu) * 4 / (x * x);
        if (fabs(next) > fabs(term))
            return fabs(term) < 1e-15 * fabs(sum) ? sum : (double)NAN;
        sum += term = next;
        if (fabs(term) < 1e-17 * fabs(sum))
            return sum;
    }
    return (double)NAN;
}

AGNI_VALUE double agni_struve(double nu, double x, bool modified)
{
    double side = 1, error;
    if (isnan(nu) || isnan(x) || nu < -35 || nu > 100 || (x < 0 && nu != floor(nu)))
        return (double)NAN;
    if (x < 0 && fmod(nu, 2) == 0)
        side = -1;
    x = fabs(x);
    if (nu + 1.5 <= 0 && nu + 0.5 == floor(nu + 0.5)) { /* by J and I of -nu */
        double turn = !modified && fmod(nu + 0.5, 2) != 0 ? -1 : 1;
        return turn * agni_bessel(-nu, x, modified ? AGNI_BESSEL_I : AGNI_BESSEL_J, 0, 0);
    }
    if (modified)
        return side * (x > 800 ? (double)INFINITY : struve_series(nu, x, 1, &error));
    if (x < 60 || x < 2 * nu) {
        double v = struve_series(nu, x, -1, &error);
        if (isfinite(v) && (error <= 1e-14 * fabs(v) || (x > nu && error < 1e-14 / sqrt(1 + x))))
            return side * v;
        if (x < 20)
            return isinf(v) ? side * v : (double)NAN;
    }
    if (isinf(x))
        return nu < 1 ? 0 : nu == 1 ? 2 / AGNI_PI : (double)INFINITY * side;
    double rest = nu > -0.49 ? struve_rest(nu, x) : nu == -0.5 ? 0 : struve_rest_far(nu, x);
    return side * (agni_bessel(nu, x, AGNI_BESSEL_Y, 0, 0) + rest);
}
