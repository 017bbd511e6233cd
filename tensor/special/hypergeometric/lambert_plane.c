/* tensor/special/hypergeometric/lambert_plane.c - Lambert's W on any branch of the complex plane:
   Halley's iteration from the expansion at infinity, of the branches that meet at -1/e from that
   at the branch point (Corless et al., Adv. Comput. Math. 5, 1996). */
#include "tensor/special/hypergeometric/values.h"

#include "tensor/cpu/special/constants.h"
#include <math.h>
#ifndef AGNI_DEVICE
#include <complex.h>
typedef double complex z_t;
#endif

AGNI_FN z_t plane_of(double x, double y)
{
    double part[2] = {x, y};
    return *(z_t *)part;
}
/* W e^W - z = 0, by w + log w = log z + 2 pi i k where W is not small */
AGNI_FN z_t polish(z_t z, z_t w, int64_t k, bool by_log)
{
    z_t target = by_log ? clog(z) + plane_of(0, 2 * AGNI_PI * (double)k) : 0;
    for (int n = 0; n < 60; n++) {
        z_t step;
        if (by_log) {
            z_t f = w + clog(w) - target;
            step = f * w / (1 + w);
        } else {
            z_t e = cexp(w), f = w * e - z, d = e * (w + 1);
            step = f / (d - (w + 2) * f / (2 * w + 2));
        }
        w -= step;
        if (cabs(step) < 2e-16 * cabs(w))
            break;
    }
    return w;
}

/* w + log w is not log z + 2 pi i k, which it is off the real axis (Corless et al. 4.19) */
AGNI_FN bool on_other_sheet(z_t z, z_t w, int64_t k)
{
    if (!(fabs(cimag(w)) > 1e-8 * cabs(w)) || cabs(w) < 1e-290 || cabs(z) < 1e-290)
        return isnan(creal(w)) || isnan(cimag(w));
    double turns = cimag(w + clog(w) - clog(z)) / (2 * AGNI_PI);
    return fabs(turns - (double)k) > 0.25;
}

AGNI_VALUE void agni_lambert_plane(double x, double y, int64_t branch, double w[2])
{
    z_t z = plane_of(x, y), r;
    w[0] = w[1] = (double)NAN;
    if (!isfinite(x) || !isfinite(y))
        return;
    if (x == 0 && y == 0) {
        w[0] = branch ? -(double)INFINITY : 0, w[1] = 0;
        return;
    }
    const double e_one = 2.718281828459045235;
    z_t gap = (z + 0.36787944117144233) - 1.2428753672788363e-17, d = e_one * gap;
    bool meets = branch == 0 || (branch == -1 && y >= 0) || (branch == 1 && y < 0);
    if (cabs(d) < 0.3 && meets && !(branch == 1 && y == 0)) {
        z_t p = csqrt(2 * d) * (branch ? -1 : 1), u = p * (1 - p / 3 + 11 * p * p / 72);
        for (int n = 0; n < 30; n++) { /* u = 1 + W: sum over k > 1 of u^k (k - 1) / k! = d */
            z_t f = 0, term = u / 2 * u;
            for (int k = 2; k < 45; k++) {
                f += term;
                term *= u * k / ((double)(k - 1) * (k + 1));
            }
            if (cabs(u) == 0)
                break;
            z_t step = (f - d) / (u * cexp(u));
            u -= step;
            if (cabs(step) < 1e-17 + 2e-17 * cabs(u))
                break;
        }
        r = u - 1;
    } else if (branch == 0 && cabs(z) < 3) {
        z_t start = x > -0.2 && cabs(z) < 1 ? z / (1 + z) : csqrt(2 * d) - 1;
        r = polish(z, cabs(z) < 0.3 ? z * (1 - z) : start, 0, false);
        if (on_other_sheet(z, r, 0))
            r = polish(z, start, 0, true);
        if (on_other_sheet(z, r, 0)) {
            z_t l1 = clog(z), l2 = clog(l1);
            r = polish(z, l1 - l2 + l2 / l1, 0, true);
        }
    } else {
        z_t l1 = clog(z) + plane_of(0, 2 * AGNI_PI * (double)branch), l2 = clog(l1);
        z_t start = l1 - l2 + l2 / l1;
        if (branch == -1 && y >= 0 && x < 0 && cabs(z) < 0.4) { /* next to the real branch */
            z_t m = clog(-z);
            start = m - clog(-m);
        } else if (branch == 1 && y < 0 && x < 0 && cabs(z) < 0.4) {
            z_t m = clog(-z);
            start = m - clog(-m);
        }
        r = polish(z, start, branch, true);
        /* the sheet of log w is the one for which log w + w = log z + 2 pi i k: where it is
           not, by W e^W = z */
        if (cabs(r + clog(r) - l1) > 1e-9 * cabs(l1))
            r = polish(z, start, branch, false);
    }
    z_t back = r + (cabs(r) > 1e-300 ? clog(r / z) : 0);
    double rest = fmod(fabs(cimag(back)), 2 * AGNI_PI);
    rest = fmin(rest, 2 * AGNI_PI - rest);
    if (cabs(r) > 1e-290 && cabs(z) > 1e-290 &&
        (fabs(creal(back)) > 1e-11 * (1 + cabs(r)) || rest > 1e-11 * (1 + cabs(r)) ||
         on_other_sheet(z, r, branch)))
        return;
    w[0] = creal(r), w[1] = cimag(r);
}
