/* tensor/special/hypergeometric/jacobi_elliptic.c - Jacobi's elliptic functions by the
   arithmetic-geometric mean (DLMF 22.20(ii)); of negative parameters by Jacobi's transformation
   (22.17). */
#include "tensor/special/hypergeometric/values.h"

#include "tensor/cpu/special/constants.h"
#include <math.h>

/* am, sn, cn, dn for 0 <= m <= 1, m1 = 1 - m; *quarter: K */
AGNI_FN void amplitude(double u, double m, double m1, double y[4], double *quarter)
{
    double a[40], c[40];
    int n = 0;
    if (m1 == 0) {
        y[1] = tanh(u), y[2] = y[3] = 1 / cosh(u), y[0] = 2 * atan(tanh(u / 2));
        *quarter = (double)INFINITY;
        return;
    }
    double b = sqrt(m1);
    a[0] = 1, c[0] = sqrt(m);
    while (n < 38 && fabs(c[n]) > 1e-17 * a[n]) {
        double mean = (a[n] + b) / 2;
        c[n + 1] = c[n] * c[n] / (4 * mean);
        b = sqrt(a[n] * b);
        a[++n] = mean;
    }
    *quarter = AGNI_PI / (2 * a[n]);
    double phi = ldexp(a[n] * u, n);
    for (int k = n; k > 0; k--)
        phi = (phi + asin(c[k] / a[k] * sin(phi))) / 2;
    y[0] = phi, y[1] = sin(phi), y[2] = cos(phi);
    y[3] = sqrt(y[2] * y[2] + m1 * y[1] * y[1]);
}

AGNI_VALUE double agni_jacobi_elliptic(double u, double m, int kind)
{
    double y[4], quarter;
    if (isnan(u) || isnan(m) || m > 1 || m < -1e15 || fabs(u) > 1e8)
        return (double)NAN;
    if (m >= 0) {
        amplitude(u, m, 1 - m, y, &quarter);
        return y[kind];
    }
    double m1 = 1 - m, r = sqrt(m1), mu = -m / m1, z[4];
    amplitude(u * r, mu, 1 / m1, y, &quarter);
    z[1] = y[1] / (y[3] * r), z[2] = y[2] / y[3], z[3] = 1 / y[3];
    if (kind)
        return z[kind];
    if (fabs(u * r) < quarter)
        return atan2(z[1], z[2]);
    amplitude(quarter - fabs(u * r), mu, 1 / m1, y, &quarter);
    return copysign(AGNI_PI / 2 - y[0], u);
}
