/* tensor/cpu/special/gamma_slope.h - derivatives of the gamma distribution function in the concentration.

   With t = log y, F(a, t) = P(a, e^t) and h = dF/dt = exp(a t - e^t) / gamma(a), this is
   H_k = (d/da)^k F / h. Derivatives of h in a are h B_k(t - psi(a), -psi'(a), ...) with B_k the
   complete Bell polynomials, so

     H_k =  int_0^inf B_k at t - s, times h(t - s) / h(t) ds    F from below,
     H_k = -int_0^inf B_k at t + s, times h(t + s) / h(t) ds    1 - F from above.

   For k = 1 the integrand has one sign if the side is chosen by that of t - psi(a). Where y <= 1
   the power series of F is differentiated instead. */
#ifndef AGNI_GAMMA_H
#define AGNI_GAMMA_H

#include "tensor/cpu/special/special.h"

enum { AGNI_GAMMA_ORDERS = 6 };

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

/* y > 1: Gauss-Legendre on panels that grow, up to where the integrand is e^-40 of h(t) or less */
AGNI_FN double agni_gamma_slope_far(double a, double t, int k)
{
    const double node[] = {0.076526521133497334, 0.22778585114164508, 0.37370608871541956,
                           0.51086700195082710,  0.63605368072651503, 0.74633190646015079,
                           0.83911697182221882,  0.91223442825132591, 0.96397192727791379,
                           0.99312859918509492};
    const double weight[] = {0.15275338713072585,  0.14917298647260375,  0.14209610931838205,
                             0.13168863844917663,  0.11819453196151842,  0.10193011981724044,
                             0.083276741576704749, 0.062672048334109064, 0.040601429800386941,
                             0.017614007139152118};
    enum { PANELS = 5 };
    double x[AGNI_GAMMA_ORDERS + 1], B[AGNI_GAMMA_ORDERS + 1], y = exp(t);
    double delta = t - agni_digamma(a), end = 9 / sqrt(y) + 1e-3, sum = 0;
    bool above = delta > 0;
    for (int i = 2; i <= k; i++)
        x[i] = -agni_polygamma(a, i - 1);
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
        for (int i = 0; i < 20; i++) {
            double u = i < 10 ? -node[i] : node[i - 10], w = weight[i % 10] * 0.5 * (hi - lo);
            double s = 0.5 * (lo + hi) + 0.5 * (hi - lo) * u;
            x[1] = above ? delta + s : delta - s;
            agni_bell(x, k, B);
            sum += w * B[k] * exp(-agni_gamma_fall(a, y, s, above));
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
    return t <= 0 ? agni_gamma_slope_near(a, t, k) : agni_gamma_slope_far(a, t, k);
}

#endif
