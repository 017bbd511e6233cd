/* tensor/special/integrals/function_zeros.c - zeros of Airy's functions (DLMF 9.9) and of Kelvin's of
   order 0 (10.69), and of their derivatives: signs at steps below the least distance of zeros, then
   bisection and Newton's steps between bounds. */
#include "tensor/special/integrals/values.h"
#include "tensor/special/special.h"

#include "tensor/cpu/special/constants.h"
#include <agnesi/create.h>
#include <agnesi/integrals.h>
#include <math.h>

typedef double counted(double x, int kind);

/* Ai, Ai', Bi, Bi' of -x */
static double airy_back(double x, int kind)
{
    return agni_airy(-x, kind);
}
/* ber, bei, ker, kei and from kind 4 on their derivatives: (f_1 +- g_1) / sqrt 2 (10.63.3) */
static double kelvin_at(double x, int kind)
{
    if (kind < 4)
        return agni_kelvin(x, kind, 0);
    double same = agni_kelvin(x, kind - 4, 1), other = agni_kelvin(x, (kind - 4) ^ 1, 1);
    return AGNI_SQRT1_2 * (kind & 1 ? same - other : same + other);
}
/* the zero in low to high, where signs differ: Illinois' rule of false position */
static double zero_between(counted *f, int kind, double low, double high)
{
    double at_low = f(low, kind), at_high = f(high, kind);
    for (int k = 0; k < 200; k++) {
        double x = (low * at_high - high * at_low) / (at_high - at_low);
        if (!(x > low && x < high) || k % 8 == 7)
            x = 0.5 * (low + high);
        double y = f(x, kind);
        if (y == 0 || high - low <= 4e-16 * high)
            return x;
        if ((y > 0) == (at_low > 0)) {
            if (k % 8 != 7)
                at_high *= 0.5;
            low = x, at_low = y;
        } else {
            if (k % 8 != 7)
                at_low *= 0.5;
            high = x, at_high = y;
        }
    }
    return 0.5 * (low + high);
}
/* the first n beyond start; steps are a part of what gap (x) says their distance is */
static agn_status find_zeros(agn_tensor **out, const char *name, counted *f, int kind, int32_t n,
                             double start, bool airy)
{
    double *zeros = agni_alloc((size_t)n * sizeof *zeros);
    if (!zeros)
        return agni_nomem(name, (size_t)n * sizeof *zeros);
    double x = start, last = f(x, kind);
    for (int32_t k = 0; k < n;) {
        double next = x + (airy ? 1 / sqrt(4 + x) : 1), y = f(next, kind);
        if ((y > 0) != (last > 0)) {
            double zero = zero_between(f, kind, x, next);
            zeros[k++] = airy ? -zero : zero;
        }
        x = next, last = y;
    }
    int64_t shape = n;
    agn_status st = agn_from_host(out, AGN_F64, 1, &shape, zeros);
    agni_free(zeros);
    return st;
}
agn_status agn_airy_zeros(agn_tensor **out, int32_t kind, int32_t n)
{
    AGNI_NEED("airy_zeros", out);
    if (kind < 0 || kind > 3)
        return agni_fail(AGN_EARG, "airy_zeros: kind = %d is not in 0 to 3", (int)kind);
    if (n < 1 || n > 100000)
        return agni_fail(AGN_EARG, "airy_zeros: n = %d is not in 1 to 100000", (int)n);
    return find_zeros(out, "airy_zeros", airy_back, kind, n, 0.1, true);
}
agn_status agn_kelvin_zeros(agn_tensor **out, int32_t kind, int32_t n)
{
    AGNI_NEED("kelvin_zeros", out);
    if (kind < 0 || kind > 7)
        return agni_fail(AGN_EARG, "kelvin_zeros: kind = %d is not in 0 to 7", (int)kind);
    if (n < 1 || n > 150)
        return agni_fail(AGN_EARG, "kelvin_zeros: n = %d is not in 1 to 150", (int)n);
    return find_zeros(out, "kelvin_zeros", kelvin_at, kind, n, 0.25, false);
}
