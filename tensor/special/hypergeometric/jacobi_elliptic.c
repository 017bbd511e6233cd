/* tensor/special/hypergeometric/jacobi_elliptic.c - Jacobi's elliptic functions by the
   arithmetic-geometric mean (DLMF 22.20(ii)); of negative parameters by Jacobi's transformation
   (22.17). The argument is taken modulo half a period, in double-double, so that rounding is not
   multiplied by the number of periods. */
#include "tensor/special/hypergeometric/values.h"

#include "tensor/cpu/special/constants.h"
#include "tensor/cpu/special/double_double.h"
#include <math.h>

AGNI_FN agni_pair root_of_pair(agni_pair a)
{
    double y = sqrt(a.hi);
    return y > 0 ? agni_two_sum(y, (fma(-y, y, a.hi) + a.lo) / (2 * y)) : agni_pair_of(0);
}
/* K of the complementary modulus g > 0 */
AGNI_FN agni_pair quarter_period(agni_pair g)
{
    agni_pair a = {1, 0}, quarter_turn = {AGNI_PI / 2, 6.123233995736766e-17};
    for (int k = 0; k < 40; k++) {
        bool last = fabs(a.hi - g.hi) < 1e-12 * a.hi;
        agni_pair mean = agni_pair_times(agni_pair_add(a, g), 0.5);
        g = root_of_pair(agni_pair_mul(a, g));
        a = mean;
        if (last)
            break;
    }
    return agni_pair_div(quarter_turn, a);
}
/* u less a whole number of halves of a period, 2 K each; *turns: that number */
AGNI_FN double reduce_argument(agni_pair u, agni_pair g, double *turns)
{
    agni_pair half = agni_pair_times(quarter_period(g), 2);
    *turns = nearbyint(u.hi / half.hi);
    agni_pair rest = agni_pair_add(u, agni_pair_times(half, -*turns));
    return rest.hi + rest.lo;
}
/* am, sn, cn, dn for 0 <= m <= 1, m1 = 1 - m; *quarter: K */
AGNI_FN void amplitude(double u, double m, double m1, double y[4], double *quarter)
{
    double a[40], b[40], c[40];
    int n = 0;
    if (m1 == 0) {
        y[1] = tanh(u), y[2] = y[3] = 1 / cosh(u), y[0] = 2 * atan(tanh(u / 2));
        *quarter = (double)INFINITY;
        return;
    }
    a[0] = 1, b[0] = sqrt(m1), c[0] = sqrt(m);
    while (n < 38 && fabs(c[n]) > 1e-17 * a[n]) {
        double mean = (a[n] + b[n]) / 2;
        c[n + 1] = c[n] * c[n] / (4 * mean);
        b[n + 1] = sqrt(a[n] * b[n]);
        a[++n] = mean;
    }
    *quarter = AGNI_PI / (2 * a[n]);
    double phi = ldexp(a[n] * u, n);
    for (int k = n; k > 0; k--) { /* asin(c / a sin phi), by its tangent: c may be next to a */
        double s = sin(phi), p = a[k] * cos(phi), q = b[k] * s;
        phi = (phi + atan2(c[k] * s, sqrt(p * p + q * q))) / 2;
    }
    y[0] = phi, y[1] = sin(phi), y[2] = cos(phi);
    y[3] = sqrt(y[2] * y[2] + m1 * y[1] * y[1]);
}

AGNI_VALUE double agni_jacobi_elliptic(double u, double m, int kind)
{
    double y[4], quarter, turns = 0;
    if (isnan(u) || isnan(m) || m > 1 || m < -1e15 || fabs(u) > 1e8)
        return (double)NAN;
    if (m >= 0) {
        double rest = m < 1 ? reduce_argument(agni_pair_of(u), root_of_pair(agni_pair_of(1 - m)),
                                              &turns)
                            : u;
        amplitude(rest, m, 1 - m, y, &quarter);
        bool odd = fmod(turns, 2) != 0;
        return kind == 0 ? turns * AGNI_PI + y[0] : odd && kind < 3 ? -y[kind] : y[kind];
    }
    agni_pair more = agni_two_sum(1, -m), r = root_of_pair(more), one = {1, 0};
    double m1 = more.hi, mu = -m / m1, z[4];
    double rest = reduce_argument(agni_pair_times(r, u), agni_pair_div(one, r), &turns);
    amplitude(rest, mu, 1 / m1, y, &quarter);
    z[1] = y[1] / (y[3] * r.hi), z[2] = y[2] / y[3], z[3] = 1 / y[3], z[0] = atan2(z[1], z[2]);
    bool odd = fmod(turns, 2) != 0;
    return kind == 0 ? turns * AGNI_PI + z[0] : odd && kind < 3 ? -z[kind] : z[kind];
}
