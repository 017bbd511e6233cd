/* tensor/elementwise/cpu/scalar.h - the functions of ops.def for one element, by dtype suffix:
   b bool, i32, i64, f32, f64, c64, c128. Special functions are in special.h, and are compiled once,
   in special.c: no level has vectors for them. */
#ifndef AGNI_SCALAR_H
#define AGNI_SCALAR_H

#include "tensor/cpu/special/constants.h"
#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef float complex agni_c64;
typedef double complex agni_c128;

/* functions of <math.h> and <complex.h> under one naming */
#define LIBM(fn) \
    static inline float fn##_f32(float x) { return fn##f(x); } \
    static inline double fn##_f64(double x) { return fn(x); }
/* The C library's are off by up to 5 units of the last place: c64 goes through c128, and what is
   above 4 there through long double (doc/accuracy.rst). */
#define LIBMC(fn, wide) \
    LIBM(fn) \
    static inline agni_c64 fn##_c64(agni_c64 x) { return (agni_c64)c##fn(x); } \
    static inline agni_c128 fn##_c128(agni_c128 x) { return (agni_c128)wide(x); }
LIBMC(sqrt, csqrt) LIBMC(exp, cexp) LIBMC(log, clog) LIBMC(sin, csin) LIBMC(cos, ccos)
LIBMC(tan, ctanl) LIBMC(asin, casin) LIBMC(acos, cacos) LIBMC(atan, catanl) LIBMC(sinh, csinh)
LIBMC(cosh, ccosh) LIBMC(tanh, ctanhl) LIBMC(asinh, casinh) LIBMC(acosh, cacosh)
LIBMC(atanh, catanhl)
LIBM(exp2) LIBM(expm1) LIBM(log2) LIBM(log10) LIBM(log1p) LIBM(erf) LIBM(erfc) LIBM(cbrt)
LIBM(floor) LIBM(ceil) LIBM(trunc)
#undef LIBM
#undef LIBMC

static inline float abs_f32(float x) { return fabsf(x); }
static inline double abs_f64(double x) { return fabs(x); }
static inline float round_f32(float x) { return rintf(x); }
static inline double round_f64(double x) { return rint(x); }
/* in f32 through f64 */
#define SPECIAL(fn, params64, params32, args64, args32) \
    double agni_special_##fn params64; \
    static inline float fn##_f32 params32 { return (float)agni_special_##fn args32; } \
    static inline double fn##_f64 params64 { return agni_special_##fn args64; }
#define SPECIAL1(fn) SPECIAL(fn, (double x), (float x), (x), ((double)x))
#define SPECIALP(fn) \
    SPECIAL(fn, (double x, int64_t n), (float x, int64_t n), (x, n), ((double)x, n))
#define SPECIAL2(fn) \
    SPECIAL(fn, (double a, double b), (float a, float b), (a, b), ((double)a, (double)b))
#define SPECIAL3(fn) \
    SPECIAL(fn, (double a, double b, double w), (float a, float b, float w), (a, b, w), \
            ((double)a, (double)b, (double)w))
#include "tensor/cpu/special/special.def"
#undef SPECIAL
static inline float atan2_f32(float a, float b) { return atan2f(a, b); }
static inline double atan2_f64(double a, double b) { return atan2(a, b); }
/* Squares of f32 have room in f64. */
static inline float hypot_f32(float a, float b)
{
    double x = (double)a, y = (double)b, h = sqrt(x * x + y * y);
    return isinf(a) || isinf(b) ? INFINITY : (float)h;
}
/* the root of the sum of squares, scaled where they leave the range of normal numbers, and one
   step of Newton with the exact residual (Borges 2020), which loops turn into vectors */
static inline double hypot_f64(double a, double b)
{
#ifdef __FP_FAST_FMA
    double x = fabs(a), y = fabs(b), big = x > y ? x : y;
    double scale = big > 0x1p511 ? 0x1p-600 : big < 0x1p-400 ? 0x1p600 : 1;
    double back = big > 0x1p511 ? 0x1p600 : big < 0x1p-400 ? 0x1p-600 : 1;
    double u = big * scale, v = (x > y ? y : x) * scale, uu = u * u, vv = v * v;
    double h = sqrt(uu + vv), hh = h * h;
    double rest = uu - hh + vv + (fma(u, u, -uu) + fma(v, v, -vv) - fma(h, h, -hh));
    double root = (h > 0 ? h + rest / (2 * h) : h) * back;
    return isinf(a) || isinf(b) ? (double)INFINITY : root;
#else
    return hypot(a, b);
#endif
}
static inline agni_c64 complex_f32(float a, float b) /* CMPLXF, where there is none */
{
    union {
        float part[2];
        agni_c64 z;
    } u = {{a, b}};
    return u.z;
}
static inline agni_c128 complex_f64(double a, double b)
{
    union {
        double part[2];
        agni_c128 z;
    } u = {{a, b}};
    return u.z;
}
static inline float real_c64(agni_c64 x) { return crealf(x); }
static inline double real_c128(agni_c128 x) { return creal(x); }
static inline float imag_c64(agni_c64 x) { return cimagf(x); }
static inline double imag_c128(agni_c128 x) { return cimag(x); }
static inline agni_c64 conj_c64(agni_c64 x) { return conjf(x); }
static inline agni_c128 conj_c128(agni_c128 x) { return conj(x); }
static inline float pow_f32(float a, float b) { return powf(a, b); }
static inline double pow_f64(double a, double b) { return pow(a, b); }
/* exp(b log a) is off by as many units as the exponent is large: it needs more bits */
static inline agni_c64 pow_c64(agni_c64 a, agni_c64 b) { return (agni_c64)cpow(a, b); }
static inline agni_c128 pow_c128(agni_c128 a, agni_c128 b) { return (agni_c128)cpowl(a, b); }
static inline bool isnan_f32(float x) { return x != x; }
static inline bool isnan_f64(double x) { return x != x; }
static inline bool isfinite_f32(float x) { return isfinite(x); }
static inline bool isfinite_f64(double x) { return isfinite(x); }
static inline bool isinf_f32(float x) { return isinf(x); }
static inline bool isinf_f64(double x) { return isinf(x); }
static inline bool isinf_c64(agni_c64 x) { return isinf(crealf(x)) || isinf(cimagf(x)); }
static inline bool isinf_c128(agni_c128 x) { return isinf(creal(x)) || isinf(cimag(x)); }
static inline bool isreal_c64(agni_c64 x) { return cimagf(x) == 0; }
static inline bool isreal_c128(agni_c128 x) { return cimag(x) == 0; }
static inline bool isnan_c64(agni_c64 x) { return x != x; }
static inline bool isnan_c128(agni_c128 x) { return x != x; }
static inline bool isfinite_c64(agni_c64 x) { return isfinite(crealf(x)) && isfinite(cimagf(x)); }
static inline bool isfinite_c128(agni_c128 x) { return isfinite(creal(x)) && isfinite(cimag(x)); }
/* integers wrap around: by unsigned arithmetic */
#define INTS(T, U, s) \
    static inline T add_##s(T a, T b) { return (T)((U)a + (U)b); } \
    static inline T sub_##s(T a, T b) { return (T)((U)a - (U)b); } \
    static inline T mul_##s(T a, T b) { return (T)((U)a * (U)b); } \
    static inline T neg_##s(T a) { return (T)(0 - (U)a); } \
    static inline T abs_##s(T a) { return a < 0 ? neg_##s(a) : a; } \
    static inline T sign_##s(T a) { return (T)((a > 0) - (a < 0)); } \
    static inline T floor_##s(T a) { return a; } \
    static inline T ceil_##s(T a) { return a; } \
    static inline T round_##s(T a) { return a; } \
    static inline T trunc_##s(T a) { return a; } \
    static inline T floor_divide_##s(T a, T b) \
    { \
        if (b == 0) \
            return 0; \
        if (b == -1) \
            return neg_##s(a); \
        T q = (T)(a / b); \
        return (T)(q - (a % b != 0 && (a < 0) != (b < 0))); \
    } \
    static inline T remainder_##s(T a, T b) \
    { \
        if (b == 0 || b == -1) \
            return 0; \
        T r = (T)(a % b); \
        return (T)(r != 0 && (r < 0) != (b < 0) ? r + b : r); \
    } \
    static inline T pow_##s(T a, T b) \
    { \
        if (b < 0) /* truncated reciprocal; 0 to a negative power is 0 */ \
            return a == 1 ? 1 : a == -1 ? (b % 2 ? -1 : 1) : 0; \
        T r = 1; \
        for (; b; b /= 2, a = mul_##s(a, a)) \
            if (b % 2) \
                r = mul_##s(r, a); \
        return r; \
    } \
    static inline bool isnan_##s(T x) { (void)x; return false; } \
    static inline bool isinf_##s(T x) { (void)x; return false; } \
    static inline bool isposinf_##s(T x) { (void)x; return false; } \
    static inline bool isneginf_##s(T x) { (void)x; return false; } \
    static inline bool isfinite_##s(T x) { (void)x; return true; } \
    static inline bool isreal_##s(T x) { (void)x; return true; } \
    static inline bool signbit_##s(T x) { return x < 0; } \
    static inline T fmax_##s(T a, T b) { return a >= b ? a : b; } \
    static inline T fmin_##s(T a, T b) { return a <= b ? a : b; } \
    static inline T fmod_##s(T a, T b) { return b == 0 || b == -1 ? 0 : (T)(a % b); } \
    static inline T bitwise_not_##s(T a) { return (T)~a; } \
    static inline T bitwise_and_##s(T a, T b) { return (T)(a & b); } \
    static inline T bitwise_or_##s(T a, T b) { return (T)(a | b); } \
    static inline T bitwise_xor_##s(T a, T b) { return (T)(a ^ b); } \
    static inline bool shifts_##s(T b) /* a valid shift count */ \
    { \
        return (U)b < 8 * sizeof(T); \
    } \
    static inline T left_shift_##s(T a, T b) { return shifts_##s(b) ? (T)((U)a << b) : 0; } \
    static inline T right_shift_##s(T a, T b) \
    { /* of negative numbers: the complement, whose sign bit is clear */ \
        U bits = a < 0 ? ~(U)a : (U)a, r = shifts_##s(b) ? bits >> b : 0; \
        return (T)(a < 0 ? ~r : r); \
    } \
    static inline T logical_right_shift_##s(T a, T b) \
    { \
        return shifts_##s(b) ? (T)((U)a >> b) : 0; \
    } \
    static inline T popcount_##s(T a) \
    { \
        T n = 0; \
        for (U v = (U)abs_##s(a); v; v &= v - 1) \
            n++; \
        return n; \
    } \
    static inline T gcd_##s(T a, T b) \
    { \
        U u = (U)abs_##s(a), v = (U)abs_##s(b); \
        while (v) { \
            U r = u % v; \
            u = v, v = r; \
        } \
        return (T)u; \
    } \
    static inline T lcm_##s(T a, T b) \
    { \
        U g = (U)gcd_##s(a, b); \
        return g ? abs_##s((T)((U)abs_##s(a) / g * (U)abs_##s(b))) : 0; \
    }
INTS(int32_t, uint32_t, i32)
INTS(int64_t, uint64_t, i64)
#undef INTS

#define REALS(T, s, F) \
    static inline T add_##s(T a, T b) { return a + b; } \
    static inline T sub_##s(T a, T b) { return a - b; } \
    static inline T mul_##s(T a, T b) { return a * b; } \
    static inline T neg_##s(T a) { return -a; } \
    static inline T sign_##s(T a) { return a != a ? a : (T)((a > 0) - (a < 0)); } \
    static inline T mulz_##s(T a, T b) { return a == 0 || b == 0 ? 0 : a * b; } \
    static inline T sigmoid_##s(T x) \
    { /* exp of a non-positive number only */ \
        T e = exp_##s(x < 0 ? x : -x); \
        return (x < 0 ? e : 1) / (1 + e); \
    } \
    static inline T softplus_##s(T x) \
    { \
        return (x > 0 ? x : 0) + log1p_##s(exp_##s(-abs_##s(x))) + (x != x ? x : 0); \
    } \
    static inline T atan2_d_##s(T a, T b) \
    { \
        T h = hypot_##s(a, b); \
        return h == 0 ? 0 : (a / h) / h; \
    } \
    static inline T div_z_##s(T a, T b) { return b == 0 ? 0 : a / b; } \
    static inline T reciprocal_z_##s(T a, T b) { return a == 0 ? 0 : b / a / a; } \
    static inline T remainder_##s(T a, T b) \
    { \
        T r = fmod##F(a, b); \
        return r == 0 ? copysign##F(0, b) : (r < 0) != (b < 0) ? r + b : r; \
    } \
    static inline bool isposinf_##s(T x) { return x == (T)INFINITY; } \
    static inline bool isneginf_##s(T x) { return x == -(T)INFINITY; } \
    static inline bool isreal_##s(T x) { (void)x; return true; } \
    static inline bool signbit_##s(T x) { return signbit(x); } \
    static inline T fmax_##s(T a, T b) { return a >= b || b != b ? a : b; } \
    static inline T fmin_##s(T a, T b) { return a <= b || b != b ? a : b; } \
    static inline T fmod_##s(T a, T b) { return fmod##F(a, b); } \
    static inline T copysign_##s(T a, T b) { return copysign##F(a, b); } \
    static inline T nextafter_##s(T a, T b) { return nextafter##F(a, b); } \
    static inline T ldexp_##s(T a, T b) \
    { /* beyond 5000 every number is 0 or infinite */ \
        return b != b ? b : ldexp##F(a, (int)(b < -5000 ? -5000 : b > 5000 ? 5000 : b)); \
    } \
    static inline T exponent_##s(T x) \
    { \
        int e = 0; \
        if (isfinite(x)) \
            frexp##F(x, &e); \
        return (T)e; \
    } \
    static inline T lerp_##s(T a, T b, T w) \
    { /* exact at both ends */ \
        return w < (T)0.5 ? a + w * (b - a) : b - (1 - w) * (b - a); \
    }

REALS(float, f32, f)
REALS(double, f64, )
#undef REALS

/* of the exact quotient, as remainder is: a / b may round up to a whole number */
static inline double floor_divide_f64(double a, double b)
{
    double r = fmod(a, b), q = (a - r) / b;
    if (b == 0 || q != q)
        return a / b;
    q = rint(q) - (r != 0 && (r < 0) != (b < 0));
    return q == 0 ? copysign(0, a / b) : q;
}
static inline float floor_divide_f32(float a, float b)
{
    return (float)floor_divide_f64((double)a, (double)b);
}

#define COMPLEXES(T, s, R) \
    static inline T add_##s(T a, T b) { return a + b; } \
    static inline T sub_##s(T a, T b) { return a - b; } \
    static inline T mul_##s(T a, T b) { return a * b; } \
    static inline T neg_##s(T a) { return -a; } \
    static inline T mulz_##s(T a, T b) { return a == (R)0 || b == (R)0 ? (R)0 : a * b; } \
    static inline T lerp_##s(T a, T b, T w) \
    { \
        return creal(w) < 0.5 ? a + w * (b - a) : b - ((R)1 - w) * (b - a); \
    }
COMPLEXES(agni_c64, c64, float)
COMPLEXES(agni_c128, c128, double)
#undef COMPLEXES

static inline bool add_b(bool a, bool b) { return a || b; }
static inline bool mul_b(bool a, bool b) { return a && b; }
static inline bool fmax_b(bool a, bool b) { return a || b; }
static inline bool fmin_b(bool a, bool b) { return a && b; }
static inline bool bitwise_not_b(bool a) { return !a; }
static inline bool bitwise_and_b(bool a, bool b) { return a && b; }
static inline bool bitwise_or_b(bool a, bool b) { return a || b; }
static inline bool bitwise_xor_b(bool a, bool b) { return a != b; }

/* the first of equals wins; NaN wins */
#define ORDERED(T, s) \
    static inline bool first_max_##s(T a, T b) { return a >= b || a != a; } \
    static inline T maximum_##s(T a, T b) { return first_max_##s(a, b) ? a : b; } \
    static inline bool first_min_##s(T a, T b) { return a <= b || a != a; } \
    static inline T minimum_##s(T a, T b) { return first_min_##s(a, b) ? a : b; }
ORDERED(bool, b)
ORDERED(int32_t, i32)
ORDERED(int64_t, i64)
ORDERED(float, f32)
ORDERED(double, f64)
#undef ORDERED

/* names of a row and of a class in ops.def; the types above do not need the macros */
#undef complex
#undef I

#endif
