/* tensor/special/hypergeometric/bessel_zeros.c - positive zeros of Bessel functions and of their
   derivatives: signs at steps below the least distance of zeros (Sturm; DLMF 10.21(i)), then
   Newton's steps between bounds. */
#include "tensor/special/special.h"

#include <agnesi/create.h>
#include <agnesi/hypergeometric.h>
#include <math.h>

enum { MOST_ZEROS = 100000 };

/* the function of kind 0 to 3, J, Y, J', Y', at x, and its slope, by neighbours and Bessel's
   equation */
static double value_at(double nu, double x, int kind, double *slope)
{
    int which = kind & 1 ? AGNI_BESSEL_Y : AGNI_BESSEL_J;
    double y = agni_bessel(nu, x, which, 0, 0),
           d = nu / x * y - agni_bessel(nu + 1, x, which, 0, 0);
    if (kind < 2) {
        *slope = d;
        return y;
    }
    *slope = -d / x - (1 - nu / x * (nu / x)) * y;
    return d;
}
/* the zero in low to high, where signs differ */
static double zero_between(double nu, int kind, double low, double high, double at_low)
{
    double x = 0.5 * (low + high), slope;
    for (int k = 0; k < 80; k++) {
        double f = value_at(nu, x, kind, &slope), next = x - f / slope;
        if (f == 0)
            return x;
        if ((f > 0) == (at_low > 0))
            low = x;
        else
            high = x;
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        if (fabs(next - x) <= 1e-16 * x)
            return next;
        x = next;
    }
    return x;
}

agn_status agn_bessel_zeros(agn_tensor **out, double nu, int32_t kind, int32_t n)
{
    AGNI_NEED("bessel_zeros", out);
    if (!(nu >= 0 && nu <= 400))
        return agni_fail(AGN_EARG, "bessel_zeros: nu = %g is not in 0 to 400", nu);
    if (kind < 0 || kind > 3)
        return agni_fail(AGN_EARG, "bessel_zeros: kind = %d is not in 0 to 3", (int)kind);
    if (n < 1 || n > MOST_ZEROS)
        return agni_fail(AGN_EARG, "bessel_zeros: n = %d is not in 1 to %d", (int)n, MOST_ZEROS);
    double *zeros = agni_alloc((size_t)n * sizeof *zeros);
    if (!zeros)
        return agni_fail(AGN_ENOMEM, "bessel_zeros: no memory");
    /* the first zeros of J, Y and their derivatives are above nu; 0, a zero of J_0', is none of
       them */
    double x = fmax(nu, kind == 2 && nu == 0 ? 0.1 : 1e-3), slope,
           last = value_at(nu, x, kind, &slope);
    for (int32_t k = 0; k < n;) {
        double next = x + 0.5, f = value_at(nu, next, kind, &slope);
        if ((f > 0) != (last > 0))
            zeros[k++] = zero_between(nu, kind, x, next, last);
        x = next, last = f;
    }
    int64_t shape = n;
    agn_status st = agn_from_host(out, AGN_F64, 1, &shape, zeros);
    agni_free(zeros);
    return st;
}
