/* tensor/special/lambert_w.c - Lambert's W on the branches 0 and -1: Newton's method for u = 1 + W
   on (u - 1) e^u + 1 = 1 + e x next to the branch point, whose right-hand side is formed with the
   rest of 1 / e; Halley's on W e^W = x, and Newton's on W + log|W| = log|x|, elsewhere (Corless et
   al., Adv. Comput. Math. 5, 1996). */
#include "tensor/special/values.h"

#include <math.h>

AGNI_TABLE const double e_high = 0.36787944117144233, e_low = -1.2428753672788363e-17,
                        e_one = 2.718281828459045235;

/* u of sum over k > 1 of u^k (k - 1) / k! = d, of the sign given; d below 1/4 */
AGNI_FN double near_branch(double d, double sign)
{
    double p = sign * sqrt(2 * d), u = p * (1 - p / 3 + 11 * p * p / 72);
    for (int n = 0; n < 8; n++) {
        double f = 0, term = u / 2 * u;
        for (int k = 2; k < 40; k++) {
            f += term;
            term *= u * k / ((double)(k - 1) * (k + 1));
        }
        double step = (f - d) / (u * exp(u));
        u -= step;
        if (fabs(step) < 1e-17 * fabs(u))
            break;
    }
    return u;
}

AGNI_VALUE double agni_lambert_w(double x, int branch, bool one)
{
    double gap = (x + e_high) + e_low, w;
    if (isnan(x) || gap < -1e-17 || (branch && x >= 0 && x != 0))
        return (double)NAN;
    if (branch && x == 0)
        return -(double)INFINITY;
    if (isinf(x))
        return x;
    if (gap <= 0)
        return one ? 0 : -1;
    double d = e_one * gap;
    if (d < 0.25) {
        double u = near_branch(d, branch ? -1 : 1);
        return one ? u : u - 1;
    }
    if (branch || x > 3) {
        double L = log(fabs(x)), t = log(fabs(L));
        w = branch ? (x > -0.25 ? L - t : -2) : L - t;
        if (branch && !(w < -1.01))
            w = -1.5;
        for (int n = 0; n < 40; n++) { /* w + log|w| = L */
            double f = w + log(fabs(w)) - L, step = f / (1 + 1 / w);
            w -= step;
            if (branch ? w > -1 : w < 0.1)
                w = branch ? -1.01 : 0.1;
            if (fabs(step) < 4e-16 * fabs(w))
                break;
        }
    } else {
        w = x < 1 ? x * (1 - x / (1 + fabs(x))) : log1p(x) * 0.8;
        if (x < -0.2)
            w = sqrt(2 * d) - 1;
        for (int n = 0; n < 40; n++) {
            double e = exp(w), f = w * e - x, step = f / (e * (w + 1) - (w + 2) * f / (2 * w + 2));
            w -= step;
            if (fabs(step) < 4e-16 * fabs(w))
                break;
        }
    }
    return one ? 1 + w : w;
}
