/* tensor/cpu/scalar.h - the functions of ops.def for one element, by dtype suffix:
   b bool, i32, i64, f32, f64, c64, c128. Those without a closed form call special.h. */
#ifndef AGNI_SCALAR_H
#define AGNI_SCALAR_H

#include "tensor/cpu/special.h"
#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define AGNI_LN2 0.69314718055994530942
#define AGNI_LN10 2.30258509299404568402
#define AGNI_2_SQRTPI 1.12837916709551257390
#define AGNI_SQRT1_2 0.70710678118654752440
#define AGNI_1_SQRT2PI 0.39894228040143267794

typedef float complex agni_c64;
typedef double complex agni_c128;

/* functions of <math.h> and <complex.h> under one naming */
#define LIBM(fn) \
    static inline float fn##_f32(float x) { return fn##f(x); } \
    static inline double fn##_f64(double x) { return fn(x); }
#define LIBMC(fn) \
    LIBM(fn) \
    static inline agni_c64 fn##_c64(agni_c64 x) { return c##fn##f(x); } \
    static inline agni_c128 fn##_c128(agni_c128 x) { return c##fn(x); }
LIBMC(sqrt) LIBMC(exp) LIBMC(log) LIBMC(sin) LIBMC(cos) LIBMC(tan) LIBMC(asin) LIBMC(acos)
LIBMC(atan) LIBMC(sinh) LIBMC(cosh) LIBMC(tanh) LIBMC(asinh) LIBMC(acosh) LIBMC(atanh)
LIBM(exp2) LIBM(expm1) LIBM(log2) LIBM(log10) LIBM(log1p) LIBM(erf) LIBM(erfc)
LIBM(floor) LIBM(ceil) LIBM(trunc)
#undef LIBM
#undef LIBMC

static inline float abs_f32(float x) { return fabsf(x); }
static inline double abs_f64(double x) { return fabs(x); }
static inline float round_f32(float x) { return rintf(x); }
static inline double round_f64(double x) { return rint(x); }
static inline float lgamma_f32(float x) { return (float)agni_lgamma((double)x); }
static inline double lgamma_f64(double x) { return agni_lgamma(x); }
static inline float digamma_f32(float x) { return (float)agni_digamma((double)x); }
static inline double digamma_f64(double x) { return agni_digamma(x); }
static inline float polygamma_f32(float x, int64_t n) { return (float)agni_polygamma((double)x, n); }
static inline double polygamma_f64(double x, int64_t n) { return agni_polygamma(x, n); }
static inline float atan2_f32(float a, float b) { return atan2f(a, b); }
static inline double atan2_f64(double a, double b) { return atan2(a, b); }
static inline float hypot_f32(float a, float b) { return hypotf(a, b); }
static inline double hypot_f64(double a, double b) { return hypot(a, b); }
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
static inline agni_c64 pow_c64(agni_c64 a, agni_c64 b) { return cpowf(a, b); }
static inline agni_c128 pow_c128(agni_c128 a, agni_c128 b) { return cpow(a, b); }
static inline bool isnan_f32(float x) { return x != x; }
static inline bool isnan_f64(double x) { return x != x; }
static inline bool isfinite_f32(float x) { return isfinite(x); }
static inline bool isfinite_f64(double x) { return isfinite(x); }
static inline bool isnan_c64(agni_c64 x) { return x != x; }
static inline bool isnan_c128(agni_c128 x) { return x != x; }
static inline bool isfinite_c64(agni_c64 x) { return isfinite(crealf(x)) && isfinite(cimagf(x)); }
static inline bool isfinite_c128(agni_c128 x) { return isfinite(creal(x)) && isfinite(cimag(x)); }
static inline bool isnan_i32(int32_t x) { (void)x; return false; }
static inline bool isnan_i64(int64_t x) { (void)x; return false; }
static inline bool isfinite_i32(int32_t x) { (void)x; return true; }
static inline bool isfinite_i64(int64_t x) { (void)x; return true; }

/* integers wrap around: by unsigned arithmetic */
#define INTS(T, U, s) \
    static inline T add_##s(T a, T b) { return (T)((U)a + (U)b); } \
    static inline T sub_##s(T a, T b) { return (T)((U)a - (U)b); } \
    static inline T mul_##s(T a, T b) { return (T)((U)a * (U)b); } \
    static inline T neg_##s(T a) { return (T)(0 - (U)a); } \
    static inline T abs_##s(T a) { return a < 0 ? neg_##s(a) : a; } \
    static inline T sign_##s(T a) { return (T)((a > 0) - (a < 0)); } \
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
    static inline T mulz_##s(T a, T b) { return a == (R)0 || b == (R)0 ? (R)0 : a * b; }
COMPLEXES(agni_c64, c64, float)
COMPLEXES(agni_c128, c128, double)
#undef COMPLEXES

static inline bool add_b(bool a, bool b) { return a || b; }
static inline bool mul_b(bool a, bool b) { return a && b; }

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

/* a row is called so; the types above have names of their own */
#undef complex

#endif
