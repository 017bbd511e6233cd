/* tensor/cpu/special/gamma_slope.h - derivatives of the gamma distribution function in the
   concentration.

   With t = log y, F(a, t) = P(a, e^t) and h = dF/dt = exp(a t - e^t) / gamma(a), this is
   H_k = (d/da)^k F / h. Derivatives of h in a are h B_k(t - psi(a), -psi'(a), ...) with B_k the
   complete Bell polynomials, so

     H_k =  int_0^inf B_k at t - s, times h(t - s) / h(t) ds    F from below,
     H_k = -int_0^inf B_k at t + s, times h(t + s) / h(t) ds    1 - F from above.

   Below a = 1, where psi is near its pole, h is a / gamma(a + 1) times the rest: B_k is then S_k +
   (k / a) S_(k-1) of psi(a + 1) and its derivatives, and nothing cancels.
   For k = 1 the integrand has one sign if the side is chosen by that of t - psi(a). Where y <= 1
   the power series of F is differentiated instead. */
#ifndef AGNI_GAMMA_H
#define AGNI_GAMMA_H

#include "tensor/cpu/special/gauss_legendre.h"
#include "tensor/cpu/special/incomplete.h"
#include "tensor/cpu/special/special.h"

enum { AGNI_GAMMA_ORDERS = 8 };

/* B[0..k] of the complete Bell polynomials of x[1..k] */
AGNI_FN void agni_bell(const double *x, int k, double *B)
{
    B[0] = 1;
    for (int m = 1; m <= k; m++) {
        double choose = 1;
        B[m] = 0;
        for (int i = 0; i < m; i++) {
            B[m] += choose * B[m - 1 - i] * x[i + 1];
            choose *= (double)(m - 1 - i) / (i + 1);
        }
    }
}

/* y <= 1: F = y^a / gamma(a + 1) A(a), A = e^-y - sum_(n >= 1) (-y)^n / ((n - 1)! (a + n)) */
AGNI_FN double agni_gamma_slope_near(double a, double t, int k)
{
    double x[AGNI_GAMMA_ORDERS + 1], B[AGNI_GAMMA_ORDERS + 1], A[AGNI_GAMMA_ORDERS + 1] = {0};
    double y = exp(t), power = 1;
    x[1] = t - agni_digamma(a + 1);
    for (int i = 2; i <= k; i++)
        x[i] = -agni_polygamma(a + 1, i - 1);
    agni_bell(x, k, B);
    for (int n = 1; n < 24; n++) {
        double term;
        power *= n > 1 ? -y / (n - 1) : -y;
        term = power / (a + n);
        for (int m = 0; m <= k; m++) {
            A[m] -= term;
            term *= -(m + 1) / (a + n);
        }
    }
    A[0] += exp(-y);
    double sum = 0, choose = 1;
    for (int j = 0; j <= k; j++) {
        sum += choose * B[j] * A[k - j];
        choose *= (double)(k - j) / (j + 1);
    }
    return exp(y) / a * sum;
}

/* e^s - 1 - s */
AGNI_FN double agni_exp_beyond(double s)
{
    if (fabs(s) > 0.5)
        return expm1(s) - s;
    double sum = 1;
    for (int n = 16; n > 2; n--)
        sum = 1 + sum * s / n;
    return 0.5 * s * s * sum;
}

/* -log of h(t - s) / h(t); above: of h(t + s) / h(t) */
AGNI_FN double agni_gamma_fall(double a, double y, double s, bool above)
{
    return above ? (y - a) * s + y * agni_exp_beyond(s) : (a - y) * s + y * agni_exp_beyond(-s);
}

/* x[2..k] of the derivatives of log h, of a + 1 below 1 */
AGNI_FN void agni_gamma_cumulants(double a, int k, double *x)
{
    for (int i = 2; i <= k; i++)
        x[i] = -agni_polygamma(a < 1 ? a + 1 : a, i - 1);
}
AGNI_FN double agni_gamma_bell(double a, int k, const double *x)
{
    double B[AGNI_GAMMA_ORDERS + 1];
    agni_bell(x, k, B);
    return a < 1 ? B[k] + k * B[k - 1] / a : B[k];
}

/* y > 1, delta = t - psi(a), of a + 1 below 1: Gauss-Legendre on panels that grow, up to where the
   integrand is e^-40 of h(t) or less */
AGNI_FN double agni_gamma_slope_far(double a, double y, double delta, int k)
{
    enum { PANELS = 5 };
    double x[AGNI_GAMMA_ORDERS + 1], end = 9 / sqrt(y) + 1e-3, sum = 0;
    bool above = (a < 1 ? delta + 1 / a : delta) > 0;
    agni_gamma_cumulants(a, k, x);
    for (int step = 0; step < 200; step++) { /* convex: Newton comes from the right */
        double fall = agni_gamma_fall(a, y, end, above);
        if (fall < 40) {
            end *= 1.5;
            continue;
        }
        if (fall < 70)
            break;
        double by = above ? (y - a) + y * expm1(end) : (a - y) - y * expm1(-end);
        end -= (fall - 50) / by;
    }
    for (int p = 0; p < PANELS; p++) {
        double lo = end * p * p / (PANELS * PANELS);
        double hi = end * (p + 1) * (p + 1) / (PANELS * PANELS);
        for (int i = 0; i < AGNI_GAUSS_NODES; i++) {
            double w, s = agni_gauss_place(i, lo, hi, &w);
            x[1] = above ? delta + s : delta - s;
            sum += w * agni_gamma_bell(a, k, x) * exp(-agni_gamma_fall(a, y, s, above));
        }
    }
    return above ? -sum : sum;
}

/* a > 0, 1 <= k <= AGNI_GAMMA_ORDERS. Beyond a = 1e20 the first derivative of the normal limit. */
AGNI_FN double agni_gamma_slope(double a, double t, int k)
{
    if (!(a > 0 && a < (double)INFINITY) || t != t)
        return (double)NAN;
    if (a > 1e20)
        return k == 1 ? -0.5 * (1 / a + exp(-t)) : (double)NAN;
    return t <= 0 ? agni_gamma_slope_near(a, t, k)
                  : agni_gamma_slope_far(a, exp(t), t - agni_digamma(a < 1 ? a + 1 : a), k);
}

/* log(x) - psi(a), of a + 1 below 1: for large a by the relative distance of x from a, of which
   psi(a) - log(a) is a part */
AGNI_FN double agni_log_less_digamma(double a, double x)
{
    if (a < 20)
        return log(x) - agni_digamma(a < 1 ? a + 1 : a);
    double u = (x - a) / a, r = 1 / a, q = r * r;
    double less = 0.5 * r +
                  q * (1.0 / 12 - q * (1.0 / 120 - q * (1.0 / 252 - q * (1.0 / 240 - q / 132))));
    return (fabs(u) < 0.5 ? log1p(u) : log(x) - log(a)) + less;
}

/* derivative of order k in a of P(a, x): H_k h */
AGNI_FN double agni_gamma_partial(double a, double x, int k)
{
    if (!(a > 0 && a < (double)INFINITY && x >= 0))
        return (double)NAN;
    double h = x == 0 || isinf(x) ? 0 : a * agni_gamma_front(a, x);
    if (h == 0)
        return 0;
    if (a > 1e20)
        return k == 1 ? -0.5 * h * (1 / a + 1 / x) : (double)NAN;
    return h * (x <= 1 ? agni_gamma_slope_near(a, log(x), k)
                       : agni_gamma_slope_far(a, x, agni_log_less_digamma(a, x), k));
}

/* derivative of order k in a of the density: B_k times it, infinite at the ends where it is not
   0 */
AGNI_FN double agni_gamma_d_partial(double a, double x, int k)
{
    double d = agni_gamma_d(a, x), c[AGNI_GAMMA_ORDERS + 1];
    if (!(a > 0 && a < (double)INFINITY) || d != d)
        return (double)NAN;
    if (d == 0)
        return 0;
    if (x == 0)
        return k % 2 ? -(double)INFINITY : (double)INFINITY;
    c[1] = agni_log_less_digamma(a, x);
    agni_gamma_cumulants(a, k, c);
    return d * agni_gamma_bell(a, k, c);
}

#endif
