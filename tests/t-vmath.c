/* Accuracy of the vector math at every level that this CPU runs, against long
 * double. */
#include "tensor/cpu/level_dispatch.h"
#include "tests/tap.h"
#include "tests/ulps.h"

static int count; /* arguments per function */

#define ROOT_HALF 0.707106781186547524400844362104849039L
#define ROOT_HALF_LOW 0.284e-37L
#define TWO_OVER_ROOT_PI 1.12837916709551257389615890312154517L

static long double ref_sigmoid(long double x)
{
    return x < 0 ? expl(x) / (1 + expl(x)) : 1 / (1 + expl(-x));
}

static long double ref_softplus(long double x)
{
    return (x <= 0 ? 0 : x) + log1pl(expl(-fabsl(x)));
}

/* The rounding of x/sqrt 2 matters to erfc as x^2 times itself: one Newton step. */
static long double ref_gelu(long double x)
{
    const long double a = fabsl(x), z = a * ROOT_HALF;
    const long double dz = fmal(a, ROOT_HALF, -z) + a * ROOT_HALF_LOW;
    const long double e = erfcl(z) - TWO_OVER_ROOT_PI * expl(-z * z) * dz;
    if (isinf(x))
        return x > 0 ? x : -0.0L;
    return x < 0 ? x * e / 2 : x * (1 - e / 2);
}

static long double ref_rsqrt(long double x)
{
    return 1 / sqrtl(x);
}
static long double ref_recip(long double x)
{
    return 1 / x;
}
static long double ref_square(long double x)
{
    return x * x;
}
static long double ref_neg(long double x)
{
    return -x;
}
static long double ref_relu(long double x)
{
    return x < 0 ? 0 : x;
}
static long double ref_sign(long double x)
{
    return x == 0 ? 0 : x != x ? x : copysignl(1, x);
}
static long double ref_step(long double x)
{
    return x != x ? x : x > 0;
}
static long double ref_copy(long double x)
{
    return x;
}

/* Ranges are of f64, three per function; f32's are cut to where f32 has values. */
static const struct {
    const char *name;
    int id;
    double ulp;
    long double (*ref)(long double);
    double range[3];
} cases[] = {
    {"exp", AGNI_VM_exp, 2, expl, {1, 100, 750}},
    {"expm1", AGNI_VM_expm1, 2, expm1l, {1, 45, 720}},
    {"log", AGNI_VM_log, 2, logl, {1.5, 4, 1e6}},
    {"log1p", AGNI_VM_log1p, 2, log1pl, {0.7, 2, 1e6}},
    {"tanh", AGNI_VM_tanh, 2, tanhl, {0.6, 3, 22}},
    {"sigmoid", AGNI_VM_sigmoid, 4, ref_sigmoid, {3, 40, 750}},
    {"softplus", AGNI_VM_softplus, 4, ref_softplus, {3, 40, 750}},
    {"sin", AGNI_VM_sin, 2, sinl, {1, 10, 2e6}},
    {"cos", AGNI_VM_cos, 2, cosl, {1, 10, 2e6}},
    {"tan", AGNI_VM_tan, 4, tanl, {1, 10, 2e6}},
    {"erf", AGNI_VM_erf, 4, erfl, {0.7, 2, 7}},
    {"erfc", AGNI_VM_erfc, 4, erfcl, {0.9, 4, 28}},
    {"gelu", AGNI_VM_gelu, 4, ref_gelu, {1, 5, 40}},
    {"sqrt", AGNI_VM_sqrt, 0.501, sqrtl, {1, 10, 1e9}},
    {"rsqrt", AGNI_VM_rsqrt, 2, ref_rsqrt, {1, 10, 1e9}},
    {"recip", AGNI_VM_recip, 0.501, ref_recip, {1, 10, 1e9}},
    {"neg", AGNI_VM_neg, 0, ref_neg, {1, 10, 1e9}},
    {"abs", AGNI_VM_abs, 0, fabsl, {1, 10, 1e9}},
    {"square", AGNI_VM_square, 0.501, ref_square, {1, 10, 1e9}},
    {"relu", AGNI_VM_relu, 0, ref_relu, {1, 10, 1e9}},
    {"sign", AGNI_VM_sign, 0, ref_sign, {1, 10, 1e9}},
    {"step", AGNI_VM_step, 0, ref_step, {1, 10, 1e9}},
    {"floor", AGNI_VM_floor, 0, floorl, {2, 1e3, 1e16}},
    {"ceil", AGNI_VM_ceil, 0, ceill, {2, 1e3, 1e16}},
    {"trunc", AGNI_VM_trunc, 0, truncl, {2, 1e3, 1e16}},
    {"rint", AGNI_VM_rint, 0, rintl, {2, 1e3, 1e16}},
    {"copy", AGNI_VM_copy, 0, ref_copy, {2, 1e3, 1e16}},
};
enum { CASES = sizeof cases / sizeof cases[0] };
_Static_assert((int)CASES == (int)AGNI_VMAP_COUNT, "every map has a row");

/* clang-format off */
static const double specials[] = {
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, HUGE_VAL, -HUGE_VAL, (double)NAN, 0.65, -0.65,
    709.78, 709.79, 710.0, -708.4, -744.5, -745.2, -746.0, 88.72, 88.73, -87.34, -103.3,
    -104.0, 19.0, 19.07, 20.0, 9.0, 9.02, 10.0, 26.5, 27.0, 27.3, -37.5, -38.4, -39.0,
    1647000.0, 1647099.4, 803.0, 804.2, 3.141592653589793, 1.5707963267948966,
    0.7853981633974483, 6381956970095103.0 * 0x1p797, 1e22, 1e300, 0x1p52, 0x1p53,
    -0x1p52, 0x1p23, 0x1p24, 4503599627370497.5, 8388607.5, 2.5, -2.5, 3.5, 0x1p-1074,
    -0x1p-1074, 0x1p-1022, 0x1p-149, -0x1p-149, 0x1p-126, 0x1p-60, -0x1p-60,
    0x1.fffffffffffffp1023, 0x1.fffffep127, -0x1.fffffffffffffp1023, -0x1.fffffep127,
    -0.9999999999999999,
};
/* clang-format on */
enum { SPECIALS = sizeof specials / sizeof specials[0] };

/* A quarter any bits at all, the rest over the ranges, and the special values in front;
 * one of 16 next to a multiple of pi/2, where sin, cos and tan are hardest. */
static double argument(int i, const double *range, bool f32)
{
    const double u = (double)(next() >> 11) * 0x1p-52 - 1;
    const uint64_t bits = next();
    const uint32_t half = (uint32_t)(bits >> 32);
    double d;
    float f;
    if (i < SPECIALS)
        return f32 ? (double)(float)specials[i] : specials[i];
    if (i % 16 == 15)
        d = (double)(bits % 1000000) * 1.57079632679489661923;
    else if (i % 4)
        d = u * range[i % 4 - 1];
    else if (f32)
        return memcpy(&f, &half, sizeof f), (double)f;
    else
        return memcpy(&d, &bits, sizeof d), d;
    return f32 ? (double)(float)d : d;
}

/* Emulated computers know some logarithms to no more than 50 bits: the worst for one of them lie next
   to the root of 2. */
static bool no_reference(int c)
{
    const volatile long double near_root = 1.4140625L; /* not for the compiler to work out */
    const bool poor = fabsl(logl(near_root) - 0.34646676734620858091846218843L) > 0x1p-60L;
    return poor && (cases[c].ref == logl || cases[c].ref == log1pl || cases[c].ref == ref_softplus);
}

static void check(int c, int real, double *x, long double *want, void *xs, void *ys)
{
    const bool f32 = real == AGNI_SIMD_F32;
    const agni_simd_kernels *vk;
    bool usable;
    if (!f32 && no_reference(c)) {
        skip("%s f64: logl of this computer is no reference", cases[c].name);
        return;
    }
    for (int i = 0; i < count; i++) {
        x[i] = argument(i, cases[c].range, f32);
        want[i] = cases[c].ref((long double)x[i]);
        if (f32)
            ((float *)xs)[i] = (float)x[i];
        else
            ((double *)xs)[i] = x[i];
    }
    for (int l = 0; (vk = agni_simd_kernels_level(l, &usable)); l++) {
        if (!usable || !tap_level(vk->name))
            continue;
        double worst = 0, at = 0, got = 0;
        vk->real[real].map[cases[c].id](ys, xs, count);
        for (int i = 0; i < count; i++) {
            const double y = f32 ? (double)((float *)ys)[i] : ((double *)ys)[i];
            const double e = ulps(want[i], y, f32);
            if (e > worst)
                worst = e, at = x[i], got = y;
        }
        ok(worst <= cases[c].ulp, "%s %s %s: %.3f ulp", vk->name, cases[c].name,
           f32 ? "f32" : "f64", worst);
        if (!(worst <= cases[c].ulp))
            diag("at %a: %a", at, got);
    }
}

/* An element's bits depend neither on its neighbours nor on length, place or
 * aliasing. */
static void check_places(const agni_simd_kernels *vk, int real)
{
    const size_t size = real == AGNI_SIMD_F32 ? 4 : 8;
    static const double range[3] = {0.7, 5, 30};
    char x[600 * 8], all[600 * 8], part[600 * 8];
    int bad = 0;
    for (int i = 0; i < 600; i++) {
        const double d = argument(i < 200 ? i : SPECIALS + i, range, size == 4);
        const float f = (float)d;
        memcpy(x + (size_t)i * size, size == 4 ? (const void *)&f : &d, size);
    }
    for (int m = 0; m < AGNI_VMAP_COUNT; m++) {
        vk->real[real].map[m](all, x, 600);
        for (int n = 1; n <= 150; n++) {
            const size_t from = (size_t)((n * 37) % 450) * size, len = (size_t)n * size;
            memcpy(part + size, x + from, len);
            vk->real[real].map[m](part + size, part + size, n);
            bad += memcmp(part + size, all + from, len) != 0;
        }
    }
    ok(bad == 0, "%s %s: %d of %d pieces differ", vk->name, size == 4 ? "f32" : "f64",
       bad, 150 * AGNI_VMAP_COUNT);
}

static void check_sincos(const agni_simd_kernels *vk, const double *x)
{
    static double s[1003], c[1003], sa[1003], ca[1003];
    vk->real[AGNI_SIMD_F64].sincos(s, c, x, 1003);
    vk->real[AGNI_SIMD_F64].map[AGNI_VM_sin](sa, x, 1003);
    vk->real[AGNI_SIMD_F64].map[AGNI_VM_cos](ca, x, 1003);
    ok(!memcmp(s, sa, sizeof s) && !memcmp(c, ca, sizeof c), "%s sincos", vk->name);
}

int main(void)
{
    count = tap_scale(1 << 20);
    const size_t n = (size_t)count;
    double *x = malloc(n * sizeof *x);
    long double *want = malloc(n * sizeof *want);
    void *xs = malloc(n * sizeof(double)), *ys = malloc(n * sizeof(double));
    const agni_simd_kernels *vk;
    bool usable;
    for (int c = 0; c < CASES; c++) {
        check(c, AGNI_SIMD_F32, x, want, xs, ys);
        check(c, AGNI_SIMD_F64, x, want, xs, ys);
    }
    for (int l = 0; (vk = agni_simd_kernels_level(l, &usable)); l++) {
        if (!usable || !tap_level(vk->name))
            continue;
        for (int real = 0; real < AGNI_SIMD_REALS; real++)
            check_places(vk, real);
        check_sincos(vk, xs);
    }
    free(x), free(want), free(xs), free(ys);
    return done();
}
