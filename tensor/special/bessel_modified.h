/* tensor/special/bessel_modified.h - modified Bessel functions of real order, for bessel.c. K by the
   trapezoidal rule of its integral (DLMF 10.32.9), which gives its derivatives in the order as well;
   I from K by the Wronskian (10.28.2) with the continued fraction of the ratio of neighbours, or its
   power series. */
#ifndef AGNI_BESSEL_MODIFIED_H
#define AGNI_BESSEL_MODIFIED_H

#include "tensor/special/values.h"

#include "tensor/cpu/special/constants.h"
#include "tensor/cpu/special/double_double.h"
#include <math.h>

/* ---- K: integral over t > 0 of t^k exp(-x cosh t) cosh(nu t) -------------------------------- */

/* the integrand over its value at the peak but for powers: of even k the hyperbolic cosine, of odd
   k the sine */
AGNI_FN double k_term(double nu, double x, int k, int n, double t, double peak)
{
    double d = t - peak, y = t - d / 2, root = exp(y / 2), /* beyond 600 e^y may leave the range */
           rise = y > 600 ? x * root * root : 2 * x * sinh(y),
           e = exp(nu * d - rise * sinh(d / 2)), p = 1;
    if (e == 0)
        return 0;
    for (int j = 0; j < k; j++)
        p *= t;
    if (n > 0) {
        double s = sinh(t / 2);
        for (int j = 0; j < n; j++)
            p *= 2 * s * s;
    }
    double fold = k & 1 ? -expm1(-2 * nu * t) : 1 + exp(-2 * nu * t);
    return 0.5 * p * e * fold;
}
/* nu t - x (cosh t - 1) at its peak sinh t = nu / x: in two parts, for it may be far larger than
   what is left of it */
AGNI_FN agni_pair k_top(double nu, double x)
{
    if (nu / x > 1e30) { /* t = log(2 nu / x), which may be beyond the range */
        agni_pair t = agni_pair_add(agni_pair_log(agni_pair_of(2 * nu)),
                                    agni_pair_times(agni_pair_log(agni_pair_of(x)), -1));
        return agni_pair_add(agni_pair_times(t, nu), agni_pair_of(-nu));
    }
    agni_pair a = agni_pair_of(nu), b = agni_pair_of(x),
              square = agni_pair_add(agni_pair_mul(a, a), agni_pair_mul(b, b));
    double w = sqrt(square.hi);
    agni_pair root = agni_two_sum(
        w, agni_pair_add(square, agni_pair_mul(agni_pair_of(w), agni_pair_of(-w))).hi / (2 * w));
    agni_pair t = agni_pair_log(agni_pair_div(agni_pair_add(a, root), b));
    return agni_pair_add(agni_pair_mul(a, t), agni_pair_add(b, agni_pair_times(root, -1)));
}

/* exp(x) times the k-th derivative of K_nu(x) in nu, nu >= 0, as value * exp(*lift); the n-th
   derivative of that in x, but for (-1)^n */
AGNI_FN double bessel_k_core(double nu, double x, int k, int n_slope, double *lift)
{
    double peak = nu / x < 1e300 ? asinh(nu / x) : log(2 * nu) - log(x);
    double h = fmin(0.125, 0.4 / sqrt(sqrt(nu * nu + x * x)));
    double first = floor(peak / h), sum = 0;
    for (double n = first; n >= 0; n--) {
        double v = k_term(nu, x, k, n_slope, n * h, peak);
        sum += n == 0 ? v / 2 : v;
        if (v < 1e-19 * sum && n < first - 3)
            break;
    }
    for (double n = first + 1; n < first + 1e6; n++) {
        double v = k_term(nu, x, k, n_slope, n * h, peak);
        sum += v;
        if (v <= 1e-19 * sum && n > first + 3)
            break;
    }
    if (!(x * x < 1e300)) { /* no room for squares */
        double s = sinh(peak / 2);
        *lift = nu * peak - 2 * x * s * s;
        return sum * h;
    }
    agni_pair top = nu == 0 ? agni_pair_of(0) : k_top(nu, x);
    *lift = top.hi;
    return sum * h * (1 + top.lo);
}

/* v e^e, e^e perhaps beyond the range */
AGNI_FN double times_exp(double v, agni_pair e)
{
    double half = exp(e.hi / 2);
    return v * (1 + e.lo) * half * half;
}
AGNI_FN double bessel_k(double nu, double x, int k, int n, bool scaled)
{
    double side = (nu < 0 && (k & 1)) != (n & 1) ? -1 : 1, lift;
    nu = fabs(nu);
    if (x == 0)
        return k & 1 && nu == 0 ? 0 : side * (double)INFINITY;
    if (isinf(x))
        return 0;
    double v = side * bessel_k_core(nu, x, k, n, &lift);
    return times_exp(v, agni_two_sum(lift, scaled ? 0 : -x));
}

/* ---- I -------------------------------------------------------------------------------------- */

/* log of (x / 2)^nu / Gamma(nu + 1), nu at least 100: nu log(e x / (2 nu)) of a quotient in two
   parts, since nu and the exponential magnify what rounding takes from it, less log(2 pi nu) / 2
   and Stirling's series */
AGNI_FN agni_pair log_lead(double nu, double x)
{
    const agni_pair half_e = {1.3591409142295225, 7.228234458646251e-17};
    double v = 1 / (nu * nu);
    agni_pair share = agni_pair_div(agni_pair_times(half_e, x), agni_pair_of(nu));
    double rest = -0.5 * log(2 * AGNI_PI * nu) - (1.0 / 12 - v * (1.0 / 360 - v / 1260)) / nu;
    return agni_pair_add(agni_pair_times(agni_pair_log(share), nu), agni_pair_of(rest));
}
/* (x / 2)^nu, also of the smallest x */
AGNI_FN double half_power(double x, double nu)
{
    return x < 1e-300 ? pow(x, nu) * exp2(-nu) : pow(x / 2, nu);
}
/* exp(-x) I_nu(x) = value exp(*lift), nu > -1 */
AGNI_FN double bessel_i_series(double nu, double x, double *lift)
{
    double q = x * x / 4, term = 1, sum = 1;
    for (int k = 1; k < 500 && term > 1e-18 * sum; k++)
        sum += term *= q / (k * (nu + k));
    *lift = -x;
    if (nu < 100)
        return sum * half_power(x, nu) / tgamma(nu + 1);
    agni_pair lead = agni_pair_add(log_lead(nu, x), agni_pair_of(-x));
    *lift = lead.hi;
    return sum * (1 + lead.lo);
}

AGNI_FN double bessel_ie(double nu, double x, double *lift)
{
    *lift = 0;
    if (x == 0)
        return nu == 0 ? 1 : 0;
    if (isinf(x))
        return 0;
    if (x * x < 4 * (nu + 1) || x < 2)
        return bessel_i_series(nu, x, lift);
    if (x > 40 && x > nu * nu) {
        double sum = 1, term = 1, m = 4 * nu * nu;
        for (int k = 1; k < 80; k++) {
            double next = -term * (m - (2.0 * k - 1) * (2.0 * k - 1)) / (8.0 * k * x);
            if (fabs(next) > fabs(term))
                break;
            sum += term = next;
            if (fabs(term) < 1e-18)
                break;
        }
        return sum / sqrt(2 * AGNI_PI * x);
    }
    /* I_(nu+1) / I_nu backwards, from the bounds' mean far above */
    int depth = 30 + (int)(9 * sqrt(x + nu));
    double v = nu + depth, r = x / (v + 0.5 + sqrt((v + 1.5) * (v + 1.5) + x * x));
    for (int k = depth; k >= 1; k--)
        r = 1 / (2 * (nu + k) / x + r);
    double l0, l1, k0 = bessel_k_core(nu, x, 0, 0, &l0), k1 = bessel_k_core(nu + 1, x, 0, 0, &l1);
    *lift = -l1;
    return 1 / (x * (k1 + r * k0 * exp(l0 - l1)));
}

/* sin(pi v), cos(pi v), exact at halves */
AGNI_FN double sin_pi(double v)
{
    double r = v - 2 * floor(v / 2), s;
    if (r >= 1)
        return -sin_pi(r - 1);
    s = r > 0.5 ? 1 - r : r;
    return sin(AGNI_PI * s);
}
AGNI_FN double cos_pi(double v)
{
    return sin_pi(v - 2 * floor(v / 2) + 0.5);
}

/* I_-n = (x / 2)^-n Gamma(n) sin(pi n) / pi times the sum of (x / 2)^2k / (k! (1 - n)_k), x > 0,
   in two parts, for its terms cancel next to roots; NaN where too many digits do, or there are too
   many */
AGNI_FN double bessel_i_below(double n, double x, bool scaled)
{
    agni_pair h = agni_pair_of(x / 2), q = agni_pair_mul(h, h), term = {1, 0}, sum = {1, 0};
    double most = 1;
    bool done = false;
    for (int k = 1; k < 2000 && !done; k++) {
        term = agni_pair_div(agni_pair_mul(term, q), agni_pair_times(agni_two_sum(k, -n), k));
        sum = agni_pair_add(sum, term);
        most = fmax(most, fabs(term.hi));
        done = k > n && k > x && fabs(term.hi) < 1e-33 * most;
    }
    if (!done || !(most * 1e-30 < 1e-15 * fabs(sum.hi)))
        return (double)NAN;
    double v = sum.hi * sin_pi(n) / AGNI_PI, less = scaled ? x : 0;
    if (n < 100)
        return v * exp(-less) * tgamma(n) * half_power(x, -n);
    agni_pair lead = log_lead(n, x);
    double half = exp(-(lead.hi + less) / 2);
    return v * (1 - lead.lo) / n * half * half;
}
AGNI_FN double bessel_i(double nu, double x, bool scaled)
{
    bool whole = nu == floor(nu);
    double a = fabs(x), side = 1;
    if (x < 0 && !whole)
        return (double)NAN;
    if (x < 0 && fmod(nu, 2) != 0)
        side = -1;
    if (isinf(a))
        return scaled ? 0 : side * a;
    double lift, v = bessel_ie(fabs(nu), a, &lift), up = scaled ? 0 : a;
    if (nu < 0 && !whole) {
        double top, s = sin_pi(-nu), k = 0;
        if (a == 0)
            return s > 0 ? (double)INFINITY : -(double)INFINITY;
        if (a < 2)
            return bessel_i_below(-nu, a, scaled);
        k = bessel_k_core(-nu, a, 0, 0, &top);
        top -= 2 * a; /* the larger of the exponents is taken out */
        double least = 0.02 * v;
        if (top > lift) {
            least *= exp(lift - top);
            v = v * exp(lift - top) + 2 / AGNI_PI * s * k;
            lift = top;
        } else {
            v += 2 / AGNI_PI * s * k * exp(top - lift);
        }
        double below = fabs(v) < least ? bessel_i_below(-nu, a, scaled) : (double)NAN;
        if (!isnan(below))
            return below;
    }
    return times_exp(side * v, agni_two_sum(lift, up));
}

#endif
