/* tensor/special/parameters/struve_slope.c - derivatives of Struve's functions in their order: the
   series (DLMF 11.2) with terms that are power series in the order; of large arguments Y and what
   is left, by the integral of a positive function (11.5.2) or its expansion (11.6.1). */
#include "tensor/special/parameters/jet.h"
#include "tensor/special/parameters/values.h"

#include "tensor/cpu/special/constants.h"
#include "tensor/cpu/special/gauss_legendre.h"
#include "tensor/special/values.h"

/* f times coefficients of exp(L d) / gamma(z + d), and times (x/2)^power; what they lose is added
   to *error */
AGNI_FN double finish_jet(const agni_jet_shape *s, agni_jet *f, double lost, double z, double x,
                         double power, double *error)
{
    int k = s->size - 1;
    double c[AGNI_JET_ORDER + 1], L = log(x / 2), scale = agni_gamma_jet(z, -1, L, k, c), sum = 0,
                                  factorial = 1;
    double lead = scale == 0 && fabs(power * L) < 600 ? pow(x / 2, power) : exp(power * L + scale);
    *error = 0;
    for (int j = 0; j <= k; j++) {
        double term = c[k - j] * f->v[j].hi;
        sum += term;
        *error += lost * f->bound[j] * fabs(c[k - j]) + 2e-16 * fabs(term);
    }
    for (int j = 2; j <= k; j++)
        factorial *= j;
    *error *= factorial * lead;
    return sum * factorial * lead;
}
AGNI_FN double sum_series(double nu, double x, double side, int k, double *error)
{
    const int order[3] = {k, 0, 0};
    agni_jet_shape s = agni_jet_shape_of(order);
    agni_jet_line q = agni_jet_line_of(agni_two_sum(nu, 1.5), 1, 0, 0);
    int first = q.at.hi < 1 ? (int)ceil(1 - q.at.hi) : 0;
    /* of one sign: from the largest term, about which the derivatives of the others nearly cancel;
       of larger x its parts leave the range */
    int largest = side > 0 && x <= 60 ? (int)(0.5 * (hypot(nu, x) - nu) - 1) : 0;
    first = largest > first ? largest : first;
    agni_pair w = agni_pair_times(agni_pair_mul(agni_pair_of(x), agni_pair_of(x)), side / 4);
    agni_jet term, sum;
    agni_jet_constant(&s, &term, agni_pair_of(1));
    sum = term;
    for (int m = first; m > 0; m--) {
        agni_jet_line by = agni_jet_line_plus(q, m - 1);
        agni_jet_times(&s, &term, &by);
        agni_jet_scale(&s, &term, agni_pair_div(agni_pair_of(m + 0.5), w));
        agni_jet_add(&s, &sum, &term);
    }
    agni_jet_constant(&s, &term, agni_pair_of(1));
    for (int m = first; m < first + 5000 && isfinite(sum.bound[k]); m++) {
        agni_jet_line over = agni_jet_line_plus(q, m);
        agni_jet_over(&s, &term, &over);
        agni_jet_scale(&s, &term, agni_pair_div(w, agni_pair_of(m + 1.5)));
        agni_jet_add(&s, &sum, &term);
        if (term.bound[k] < 1e-34 * sum.bound[k] && m > first + k + 4)
            break;
    }
    double sign = side < 0 && first & 1 ? -1 : 1;
    agni_jet_scale(&s, &sum, agni_pair_of(1 / tgamma(first + 1.5))); /* first: both may be large */
    return sign * finish_jet(&s, &sum, 1e-30, q.at.hi + first, x, nu + 1 + 2 * first, error);
}
/* of H - Y, nu > -1/2; n-th derivative in x by Leibniz' rule of x^nu and the integral over t = u / x
 */
AGNI_FN double bound_remainder(double nu, double x, int k, int n, double *error)
{
    const int order[3] = {k, 0, 0};
    agni_jet_shape s = agni_jet_shape_of(order);
    agni_jet f;
    double sum[AGNI_JET_ORDER + 1] = {0}, size[AGNI_JET_ORDER + 1] = {0}, power = nu - 0.5,
           end = 60 + 6 * fabs(nu) + 4 * n;
    for (double a = 0; a < end; a += 4)
        for (int i = 0; i < AGNI_GAUSS_NODES; i++) {
            double w, u = agni_gauss_place(i, a, a + 4, &w), t = u / x, l = log1p(t * t),
                      choose = 1;
            w *= exp(power * l - u);
            double down[AGNI_JET_ORDER + 1] = {1}, part[AGNI_JET_ORDER + 1] = {0};
            for (int m = 0; m <= n; m++) { /* down: (nu + d) ... (nu - m + 1 + d) */
                for (int j = k; j >= 0; j--) {
                    part[j] = part[j] * -u + choose * down[j];
                    down[j] = down[j] * (nu - m) + (j ? down[j - 1] : 0);
                }
                choose *= (double)(n - m) / (m + 1);
            }
            for (int e = 0; e <= k; e++) {
                for (int j = e; j <= k; j++) {
                    sum[j] += w * part[j - e];
                    size[j] += fabs(w * part[j - e]);
                }
                w *= l / (e + 1);
            }
        }
    for (int j = 0; j <= k; j++) {
        f.v[j] = agni_pair_of(sum[j] * AGNI_2_SQRTPI / x);
        f.bound[j] = size[j] * AGNI_2_SQRTPI / x;
    }
    return finish_jet(&s, &f, 1e-15, nu + 0.5, x, nu - n, error);
}
AGNI_FN double rest_far(double nu, double x, int k, int n, double *error)
{
    const int order[3] = {k, 0, 0};
    agni_jet_shape s = agni_jet_shape_of(order);
    agni_jet term, sum;
    double before = (double)INFINITY;
    agni_jet_constant(&s, &term, agni_pair_of(sqrt(1 / AGNI_PI)));
    agni_jet_constant(&s, &sum, agni_pair_of(0));
    for (int m = 0; m < 400; m++) {
        agni_jet share = term;
        for (int i = 0; i < n; i++) {
            agni_jet_line down = agni_jet_line_of(agni_two_sum(nu, -1 - 2 * m - i), 1, 0, 0);
            agni_jet_times(&s, &share, &down);
        }
        if (m > k + n && share.bound[k] > before)
            return (double)NAN;
        agni_jet_add(&s, &sum, &share);
        before = share.bound[k];
        if (m > k + n && before < 1e-17 * sum.bound[k])
            return finish_jet(&s, &sum, 1e-16, nu + 0.5, x, nu - 1 - n, error);
        agni_jet_line by = agni_jet_line_of(agni_two_sum(nu, -0.5 - m), 1, 0, 0);
        agni_jet_times(&s, &term, &by);
        agni_jet_scale(&s, &term, agni_pair_div(agni_pair_of((m + 0.5) * 4), agni_pair_of(x * x)));
    }
    return (double)NAN;
}
/* of H of large x, by Y, whose neighbours do not cancel, and the rest */
AGNI_FN double slope_far(double nu, double x, int k, int n)
{
    double error, y = 0, choose = 1,
                  v = nu > -0.49 ? bound_remainder(nu, x, k, n, &error)
                                 : rest_far(nu, x, k, n, &error);
    for (int j = 0; j <= n; j++) {
        y += choose * agni_bessel_order(nu - n + 2 * j, x, AGNI_BESSEL_Y, k);
        choose *= -(double)(n - j) / (j + 1);
    }
    y = ldexp(y, -n);
    v = ldexp(v, -n), error = ldexp(error, -n);
    double most = 1e-13 * (fabs(y) + sqrt(1 / (1 + x)));
    return error <= 1e-12 * fabs(v + y) || error < most ? v + y : (double)NAN;
}
/* of L of large x, from which I differs by less than rounding (DLMF 11.2.6); NaN: it does not */
AGNI_FN double modified_far(double nu, double x, int k)
{
    double L = log(x / 2), v = agni_bessel_order(fabs(nu), x, AGNI_BESSEL_I, k);
    double rest = exp((nu - 1) * L - lgamma(nu + 0.5)) * pow(fabs(L) + fabs(nu) + 1, k);
    return x > 60 && x > 2 * fabs(nu) && rest < 1e-17 * fabs(v) ? (nu < 0 && k & 1 ? -v : v)
                                                               : (double)NAN;
}
AGNI_FN double slope_in_order(double nu, double x, bool modified, int k)
{
    double error;
    if (!(nu >= -35 - AGNI_JET_ORDER && nu <= 100 + AGNI_JET_ORDER) || !(x >= 0) ||
        x > (modified ? 700 : 1e4))
        return (double)NAN;
    if (x == 0)
        return nu > -1 ? 0 : (double)NAN;
    double far = modified ? modified_far(nu, x, k) : (double)NAN;
    if (!isnan(far))
        return far;
    if (modified || x < 60 || x < 2 * nu) {
        double v = sum_series(nu, x, modified ? 1 : -1, k, &error);
        if (error <= 1e-12 * fabs(v) || (!modified && x > nu && error < 1e-14 / sqrt(1 + x)))
            return v;
        if (modified || x < 20)
            return (double)NAN;
    }
    return slope_far(nu, x, k, 0);
}
/* k-th derivative in nu, n-th in x, of (x/2)^nu / (sqrt(pi) Gamma(nu + 3/2)) */
AGNI_FN double power_slope(double nu, double x, int k, int n)
{
    double c[AGNI_JET_ORDER + 1], L = log(x / 2), scale = agni_gamma_jet(nu + 1.5, -1, L, k, c);
    for (int i = 0; i < n; i++) /* times (nu - i + d) / x */
        for (int j = k; j >= 0; j--)
            c[j] = (c[j] * (nu - i) + (j ? c[j - 1] : 0)) / x;
    double v = c[k] * exp(nu * L + scale) / sqrt(AGNI_PI);
    for (int j = 2; j <= k; j++)
        v *= j;
    return v;
}
/* by neighbours in the order (DLMF 11.4.27, 11.4.28), those of n steps */
AGNI_VALUE double agni_struve_slope(double nu, double x, bool modified, int k, int n)
{
    if (!(nu >= -35 && nu <= 100) || k + n > AGNI_JET_ORDER || (n && x == 0))
        return (double)NAN;
    if (n && !modified && x >= 60 && x >= 2 * nu && x <= 1e4)
        return slope_far(nu, x, k, n);
    double sum = 0, choose = 1, side = modified ? 1 : -1;
    for (int j = 0; j <= n; j++) { /* ((down + side up) / 2)^n */
        sum += choose * slope_in_order(nu - n + 2 * j, x, modified, k);
        choose *= side * (n - j) / (j + 1);
    }
    sum = ldexp(sum, -n);
    for (int m = 0; m < n; m++) { /* powers that the step n - m leaves, (n - 1 - m)-th derivative */
        choose = 1;
        for (int j = 0; j <= m; j++) {
            sum += ldexp(choose, -m - 1) * power_slope(nu - m + 2 * j, x, k, n - 1 - m);
            choose *= side * (m - j) / (j + 1);
        }
    }
    return sum;
}
