/* tensor/special/waves/plane_zeros.c - zeros of erf and of Fresnel's integrals in the first
   quadrant (DLMF 7.13): Newton's steps from their expansions. */
#include "tensor/special/special.h"

#include "tensor/cpu/special/constants.h"
#include "tensor/special/integrals/complex_parts.h"

#include <agnesi/create.h>
#include <agnesi/integrals.h>
#include <math.h>

enum { MOST_ZEROS = 100000, NEWTON = 8 };

/* exp(z^2) and w(i z): erf z = 1 - w / e */
static void find_parts(z_t z, z_t *e, z_t *w)
{
    double x = creal(z), y = cimag(z), part[2], size = exp((x - y) * (x + y)), turn = 2 * x * y;
    agni_faddeeva(-y, x, 0, part);
    *w = agni_complex_parts(part[0], part[1]);
    *e = agni_complex_parts(size * cos(turn), size * sin(turn));
}
static z_t step_error(z_t z, int kind)
{
    z_t e, w;
    (void)kind;
    find_parts(z, &e, &w);
    return (e - w) / AGNI_2_SQRTPI;
}
/* C + i S = (1 + i) / 2 erf(a), C - i S = (1 - i) / 2 erf(b), a and b = sqrt(pi) / 2 (1 -+ i) z */
static z_t step_fresnel(z_t z, int kind)
{
    double root = 0.5 * sqrt(AGNI_PI);
    z_t e[2], w[2], up = agni_complex_parts(0.5, 0.5), down = agni_complex_parts(0.5, -0.5);
    find_parts(root * agni_complex_parts(1, -1) * z, &e[0], &w[0]);
    find_parts(root * agni_complex_parts(1, 1) * z, &e[1], &w[1]);
    z_t a = up * (1 - w[0] / e[0]), b = down * (1 - w[1] / e[1]);
    /* the slopes cos and sin(pi z^2 / 2) by exp(i pi z^2 / 2) = 1 / e[0] = e[1] */
    return kind ? (a - b) / (e[1] - 1 / e[1]) : (a + b) / (e[1] + 1 / e[1]);
}
static z_t begin_error(int32_t k, int kind)
{
    double root = sqrt((k - 0.125) * AGNI_PI), shift = log(root * sqrt(2 * AGNI_PI)) / (4 * root);
    (void)kind;
    return agni_complex_parts(root - shift, root + shift);
}
static z_t begin_fresnel(int32_t k, int kind)
{
    double root = sqrt(kind ? 4.0 * k : 4.0 * k - 1), high = log(AGNI_PI * root) / AGNI_PI;
    return agni_complex_parts(root - high / (AGNI_PI * root * root * root), high / root);
}
static agn_status find_zeros(agn_tensor **out, const char *name, int32_t n, int kind,
                             z_t begin(int32_t, int), z_t step(z_t, int))
{
    if (n < 1 || n > MOST_ZEROS)
        return agni_fail(AGN_EARG, "%s: n = %d is not in 1 to %d", name, (int)n, MOST_ZEROS);
    z_t *zeros = agni_alloc((size_t)n * sizeof *zeros);
    if (!zeros)
        return agni_nomem(name, (size_t)n * sizeof *zeros);
    for (int32_t k = 0; k < n; k++) {
        zeros[k] = begin(k + 1, kind);
        for (int i = 0; i < NEWTON; i++) {
            z_t by = step(zeros[k], kind);
            zeros[k] -= by;
            if (cabs(by) < 1e-10 * cabs(zeros[k])) /* the next would be of 1e-20 */
                break;
        }
    }
    int64_t shape = n;
    agn_status st = agn_from_host(out, AGN_C128, 1, &shape, zeros);
    agni_free(zeros);
    return st;
}
agn_status agn_erf_zeros(agn_tensor **out, int32_t n)
{
    AGNI_NEED("erf_zeros", out);
    return find_zeros(out, "erf_zeros", n, 0, begin_error, step_error);
}
agn_status agn_fresnel_zeros(agn_tensor **out, int32_t kind, int32_t n)
{
    AGNI_NEED("fresnel_zeros", out);
    if (kind < 0 || kind > 1)
        return agni_fail(AGN_EARG, "fresnel_zeros: kind = %d is not in 0 to 1", (int)kind);
    return find_zeros(out, "fresnel_zeros", n, kind, begin_fresnel, step_fresnel);
}
