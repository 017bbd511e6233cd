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
    double sign = side < 0 && first & 1 ? -1 : 1,
           v = finish_jet(&s, &sum, 1e-30, q.at.hi + first, x, nu + 1 + 2 * first, error);
    *error /= tgamma(first + 1.5);
    return v * sign / tgamma(first + 1.5);
}
/* of H - Y, nu > -1/2 */
AGNI_FN double bound_remainder(double nu, double x, int k, double *error)
{
    const int order[3] = {k, 0, 0};
    agni_jet_shape s = agni_jet_shape_of(order);
    agni_jet f;
    double sum[AGNI_JET_ORDER + 1] = {0}, power = nu - 0.5, end = 60 + 6 * fabs(nu);
    for (double a = 0; a < end; a += 4)
        for (int n = 0; n < 20; n++) {
            double node = n < 10 ? agni_gauss_node[n] : -agni_gauss_node[n - 10],
                   u = a + 2 + 2 * node, t = u / x;
            double l = log1p(t * t), w = 2 * agni_gauss_weight[n % 10] * exp(power * l - u);
            for (int j = 0; j <= k; j++) {
                sum[j] += w;
                w *= l / (j + 1);
            }
        }
    for (int j = 0; j <= k; j++) {
        f.v[j] = agni_pair_of(sum[j] * AGNI_2_SQRTPI / x);
        f.bound[j] = f.v[j].hi;
    }
    return finish_jet(&s, &f, 1e-15, nu + 0.5, x, nu, error);
}
AGNI_FN double rest_far(double nu, double x, int k, double *error)
{
    const int order[3] = {k, 0, 0};
    agni_jet_shape s = agni_jet_shape_of(order);
    agni_jet term, sum;
    double before = (double)INFINITY;
    agni_jet_constant(&s, &term, agni_pair_of(sqrt(1 / AGNI_PI)));
    sum = term;
    for (int m = 0; m < 400; m++) {
        agni_jet_line by = agni_jet_line_of(agni_two_sum(nu, -0.5 - m), 1, 0, 0);
        agni_jet_times(&s, &term, &by);
        agni_jet_scale(&s, &term, agni_pair_div(agni_pair_of((m + 0.5) * 4), agni_pair_of(x * x)));
        if (m > k && term.bound[k] > before)
            return (double)NAN;
        agni_jet_add(&s, &sum, &term);
        before = term.bound[k];
        if (m > k && before < 1e-17 * sum.bound[k])
            return finish_jet(&s, &sum, 1e-16, nu + 0.5, x, nu - 1, error);
    }
    return (double)NAN;
}

AGNI_VALUE double agni_struve_slope(double nu, double x, bool modified, int k)
{
    double error, more;
    if (!(nu >= -35 && nu <= 100) || !(x >= 0) || x > (modified ? 700 : 1e4))
        return (double)NAN;
    if (x == 0)
        return nu > -1 ? 0 : (double)NAN;
    if (modified || x < 60 || x < 2 * nu) {
        double v = sum_series(nu, x, modified ? 1 : -1, k, &error);
        if (error <= 1e-12 * fabs(v) || (!modified && x > nu && error < 1e-14 / sqrt(1 + x)))
            return v;
        if (modified || x < 20)
            return (double)NAN;
    }
    double v = nu > -0.49 ? bound_remainder(nu, x, k, &error) : rest_far(nu, x, k, &error),
           y = agni_bessel_order(nu, x, AGNI_BESSEL_Y, k);
    more = 1e-13 * (fabs(y) + sqrt(1 / (1 + x)));
    return error <= 1e-12 * fabs(v + y) || error < more ? v + y : (double)NAN;
}
