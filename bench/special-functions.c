/* bench/special-functions.c - the rows of special-functions.def with the calls of our functions. */
#include "bench/special-references.h"

#include <math.h>

/* the zeros of the indices, from 1, of x; NaN beyond the last one */
static agn_status take_zeros(agn_tensor **y, agn_tensor *all, const agn_tensor *x, agn_status st)
{
    static double index[256], from[2 * 100000], to[512];
    int64_t n = 0, most = 0;
    agn_tensor *wide = NULL, *whole = NULL;
    if (!st)
        st = agn_cast(&wide, x, AGN_F64);
    if (!st)
        st = agn_cast(&whole, all, AGN_C128);
    if (!st) {
        n = agn_numel(wide);
        most = agn_numel(whole);
        st = agn_to_host(index, wide, (size_t)n * sizeof *index);
    }
    if (!st)
        st = agn_to_host(from, whole, 2 * (size_t)most * sizeof *from);
    for (int64_t i = 0; !st && i < n; i++)
        for (int part = 0; part < 2; part++)
            to[2 * i + part] = index[i] >= 1 && index[i] <= (double)most && index[i] == floor(index[i])
                                   ? from[2 * ((int64_t)index[i] - 1) + part]
                                   : (double)NAN;
    if (!st)
        st = agn_from_host(y, AGN_C128, 1, &n, to);
    agn_release(wide);
    agn_release(whole);
    return st;
}

/* a call of each row */
#define X1(f) return agn_##f(y, x[0])
#define X2(f) return agn_##f(y, x[0], x[1])
#define X3(f) return agn_##f(y, x[0], x[1], x[2])
#define X4(f) return agn_##f(y, x[0], x[1], x[2], x[3])
#define WHOLE2(f) X2(f)
#define WHOLE3(f) X3(f)
#define K1(f) return agn_##f(y, x[0], (int32_t)k[0])
#define K2(f) return agn_##f(y, x[0], x[1], (int32_t)k[0])
#define JACOBI return agn_jacobi(y, x[0], (int32_t)k[0], 0.5, 1.25)
#define GEGENBAUER return agn_gegenbauer(y, x[0], (int32_t)k[0], 0.75)
#define LAGUERRE return agn_laguerre(y, x[0], (int32_t)k[0], 0.5)
#define DEGREES return agn_assoc_legendre(y, x[0], (int32_t)k[0], (int32_t)k[1])
#define HARMONIC return agn_sph_harm(y, x[0], x[1], (int32_t)k[0], (int32_t)k[1])
#define SPHEROIDAL(f) return agn_##f(y, x[0], (int32_t)k[1], (int32_t)k[0])
#define CYLINDER return agn_parabolic_w(y, x[0], (double)k[0])
#define SPHEROIDAL2(f) return agn_##f(y, x[0], x[1], (int32_t)k[1], (int32_t)k[0])
#define MODIFIED(f) \
    return agn_##f(y, x[0], 0.25 * pow(4, (double)(k[0] / 31)), (int32_t)(k[0] % 31))
#define MODIFIED_ODD(f) \
    return agn_##f(y, x[0], 0.25 * pow(4, (double)(k[0] / 31)), (int32_t)(k[0] % 31) + 1)
#define RADIAL(f) \
    return agn_##f(y, x[0], 0.5 * pow(4, (double)(k[0] / 21)), (int32_t)(k[1] % (k[0] % 21 + 1)), \
                   (int32_t)(k[0] % 21))
#define MOMENT return agn_besselpoly(y, x[0], 0.75 * (double)k[0], 0.5 * (double)k[1])
#define SAMPLES(f) return agn_##f(y, x[0], k[0])
#define KEPT_ZEROS(call) \
    static agn_tensor *all = NULL; \
    static int64_t of = -1; /* the attribute of those that are kept */ \
    agn_status st = AGN_OK; \
    if (of != k[0]) { \
        agn_release(all); \
        all = NULL; \
        st = call; \
        of = st ? -1 : k[0]; \
    } \
    return take_zeros(y, all, x[0], st)
#define ZEROS(f, most) KEPT_ZEROS(agn_##f(&all, (int32_t)k[0], most))
#define ZEROS_ERF(f, most) KEPT_ZEROS(agn_##f(&all, most))
#define ZEROS_BESSEL(f, most) \
    KEPT_ZEROS(agn_##f(&all, 0.5 * (double)(k[0] / 4), (int32_t)(k[0] % 4), most))
#define PLANE(f) \
    agn_tensor *z = NULL; \
    agn_status st = agn_complex(&z, x[0], x[1]); \
    if (!st) \
        st = agn_##f(y, z); \
    agn_release(z); \
    return st
#define BRANCH(f) \
    agn_tensor *z = NULL; \
    agn_status st = agn_complex(&z, x[0], x[1]); \
    if (!st) \
        st = agn_##f(y, z, (int32_t)k[0]); \
    agn_release(z); \
    return st
#define FAR ROW
#define ROW(name, n, box, low, high, joints, stated, unit, call) \
    static agn_status run_##name(agn_tensor **y, agn_tensor *const *x, const int64_t *k) \
    { \
        (void)k; \
        call; \
    }
#include "bench/special-functions.def"
#undef FAR
#undef ROW
#undef WHOLE2
#undef WHOLE3
#undef X1
#undef X2
#undef X3
#undef X4
#undef K1
#undef K2
#undef JACOBI
#undef GEGENBAUER
#undef LAGUERRE
#undef DEGREES
#undef HARMONIC
#undef SPHEROIDAL
#undef CYLINDER
#undef SPHEROIDAL2
#undef MODIFIED
#undef MODIFIED_ODD
#undef RADIAL
#undef MOMENT
#undef SAMPLES
#undef KEPT_ZEROS
#undef ZEROS
#undef ZEROS_ERF
#undef ZEROS_BESSEL
#undef PLANE
#undef BRANCH

/* whether the first argument is whole, and the second of harmonics at most the first */
#define X1(f) 0
#define X2(f) 0
#define X3(f) 0
#define X4(f) 0
#define WHOLE2(f) 1
#define WHOLE3(f) 1
#define K1(f) 0
#define K2(f) 0
#define JACOBI 0
#define GEGENBAUER 0
#define LAGUERRE 0
#define DEGREES 0
#define HARMONIC 0
#define SPHEROIDAL(f) 0
#define CYLINDER 0
#define SPHEROIDAL2(f) 0
#define MODIFIED(f) 0
#define MODIFIED_ODD(f) 0
#define RADIAL(f) 0
#define MOMENT 0
#define SAMPLES(f) 0
#define ZEROS(f, most) 1
#define ZEROS_ERF(f, most) 1
#define ZEROS_BESSEL(f, most) 1
#define PLANE(f) 0
#define BRANCH(f) 0

#define BOX1(...) {{__VA_ARGS__}}
#define BOX2(a, b, c, d) {{a, b}, {c, d}}
#define BOX3(a, b, c, d, e, f) {{a, b}, {c, d}, {e, f}}
#define BOX4(a, b, c, d, e, f, g, h) {{a, b}, {c, d}, {e, f}, {g, h}}
#define NONE {0, 0}
#define AL(n) {n, 0}
#define AL2(l, m) {l, m}
#define AT(...) {__VA_ARGS__}
#define ROW(name, n, box, low, high, joints, stated, unit, call) \
    {#name, n, box, low, high, joints, stated, unit, value_##name, run_##name, call, true},
#define FAR(name, n, box, low, high, joints, stated, unit, call) \
    {#name, n, box, low, high, joints, stated, unit, value_##name, run_##name, call, false},
const special special_functions[] = {
#include "bench/special-functions.def"
};
const int n_special = sizeof special_functions / sizeof *special_functions;
