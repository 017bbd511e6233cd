/* tensor/special/parameters/gamma_jet.c - Taylor coefficients of the gamma function and its
   reciprocal: exponential of the series of log gamma, whose coefficients are Hurwitz zeta functions
   (DLMF 5.7.3, 25.11.12), at an argument that the recurrence has moved to 1 or above (5.5.1). */
#include "tensor/special/parameters/jet.h"

#include "tensor/cpu/special/special.h"

/* exp of sum of l[k] d^k, k >= 1: n e_n = sum k l_k e_(n-k) */
AGNI_FN void exp_series(const double *l, int n, double *e)
{
    e[0] = 1;
    for (int m = 1; m <= n; m++) {
        double sum = 0;
        for (int k = 1; k <= m; k++)
            sum += k * l[k] * e[m - k];
        e[m] = sum / m;
    }
}

AGNI_VALUE double agni_gamma_jet(double z, int sign, double L, int n, double *c)
{
    double l[AGNI_JET_ORDER + 1], log_scale = 0;
    int up = z < 1 ? (int)ceil(1 - z) : 0;
    double top = z + up;
    for (int k = 1; k <= n; k++)
        l[k] = k == 1 ? L + sign * agni_digamma(top)
                      : sign * (k & 1 ? -1 : 1) * agni_zeta(k, top) / k;
    exp_series(l, n, c);
    if (top > 140)
        log_scale = sign * agni_lgamma(top);
    double scale = top > 140 ? 1 : sign > 0 ? tgamma(top) : 1 / tgamma(top);
    for (int k = 0; k <= n; k++)
        c[k] *= scale;
    for (int j = up - 1; j >= 0; j--) {
        double at = z + j;
        if (sign < 0)
            for (int k = n; k >= 0; k--)
                c[k] = c[k] * at + (k ? c[k - 1] : 0);
        else
            for (int k = 0; k <= n; k++)
                c[k] = (c[k] - (k ? c[k - 1] : 0)) / at;
    }
    return log_scale;
}
