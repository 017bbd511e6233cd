/* tensor/special/integrals/gamma_inverse.c - the reciprocal of the gamma function with its
   derivatives, by its Taylor coefficients; the inverse of digamma on the half-line (Minka,
   Estimating a Dirichlet distribution, C) and Wright's omega (Corless and Jeffrey 2002), by
   Newton's and Halley's iterations. */
#include "tensor/special/integrals/values.h"

#include "tensor/cpu/special/special.h"
#include "tensor/special/parameters/jet.h"

AGNI_VALUE double agni_rgamma(double x, int k)
{
    double c[AGNI_JET_ORDER + 1];
    if (!(x > -170) || k > AGNI_JET_ORDER)
        return isnan(x) || x <= -170 ? (double)NAN : 0;
    if (k == 0 && x <= 0 && x == floor(x))
        return 0;
    if (k == 0)
        return x > 171 ? exp(-agni_lgamma(x)) : 1 / tgamma(x);
    if (x > 1e6)
        return 0;
    double scale = agni_gamma_jet(x, -1, 0, k, c), v = c[k];
    for (int j = 2; j <= k; j++)
        v *= j;
    return v * exp(scale);
}

AGNI_VALUE double agni_digammainv(double y)
{
    if (isnan(y) || isinf(y))
        return y > 0 ? y : y < 0 ? 0 : (double)NAN;
    if (y > 40) /* e^y + 1/2 and less than its last digit */
        return exp(y);
    double x = y >= -2.22 ? exp(y) + 0.5 : -1 / (y + 0.57721566490153286);
    for (int k = 0; k < 40; k++) {
        double step = (agni_digamma(x) - y) / agni_polygamma(x, 1), next = x - step;
        if (!(next > 0))
            next = x / 2;
        if (fabs(next - x) <= 1e-16 * x)
            break;
        x = next;
    }
    return x;
}

AGNI_VALUE double agni_wright_omega(double x)
{
    if (isnan(x) || x == (double)INFINITY)
        return x;
    if (x < -37) /* y is below the last digit of 1 */
        return exp(x);
    if (x < -1) { /* Newton's steps of y = e^x e^-y: the logarithm of a small y would have lost digits */
        double e = exp(x), y = e / (1 + e);
        for (int k = 0; k < 6; k++)
            y -= (y - e * exp(-y)) / (1 + y);
        return y;
    }
    double y = x > 1 ? x - log(x) : (1 + x) / 2 + 0.1;
    for (int k = 0; k < 60; k++) { /* of y + log y - x, Halley's step in log y: keeps y above 0 */
        double rest = x > 1 ? (x - y) - log(y) : x - y - log(y), step = rest / (1 + y);
        y *= exp(step);
        if (fabs(step) < 1e-16)
            break;
        if (fabs(step) < 1e-9) { /* quadratic: one more would be rounding */
            rest = (x - y) - log(y);
            y *= 1 + rest / (1 + y);
            break;
        }
    }
    return y;
}
