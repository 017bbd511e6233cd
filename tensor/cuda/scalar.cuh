/* tensor/cuda/scalar.cuh - the functions of ops.def for one element on a device: the third
   reading of the table, beside tensor/cpu/scalar.h. Overloads by type take the place of
   suffixes; the same formulas and the same choices at NaN, 0 and ties. */
#ifndef AGNI_CUDA_SCALAR_CUH
#define AGNI_CUDA_SCALAR_CUH

#define AGNI_FN static __device__ __forceinline__
#include "tensor/cpu/special.h"
#include <cstdint>
#include <thrust/complex.h>

#define AGNI_LN2 0.69314718055994530942
#define AGNI_LN10 2.30258509299404568402
#define AGNI_2_SQRTPI 1.12837916709551257390
#define AGNI_SQRT1_2 0.70710678118654752440
#define AGNI_1_SQRT2PI 0.39894228040143267794

namespace dev {

using c64 = thrust::complex<float>;
using c128 = thrust::complex<double>;
#define DEV __device__ __forceinline__

#define LIBM(fn) \
    DEV float fn(float x) { return ::fn##f(x); } \
    DEV double fn(double x) { return ::fn(x); }
#define LIBMC(fn) \
    LIBM(fn) \
    DEV c64 fn(const c64 &x) { return thrust::fn(x); } \
    DEV c128 fn(const c128 &x) { return thrust::fn(x); }
LIBMC(sqrt) LIBMC(exp) LIBMC(log) LIBMC(sin) LIBMC(cos) LIBMC(tan) LIBMC(asin) LIBMC(acos)
LIBMC(atan) LIBMC(sinh) LIBMC(cosh) LIBMC(tanh) LIBMC(asinh) LIBMC(acosh) LIBMC(atanh)
LIBM(exp2) LIBM(expm1) LIBM(log2) LIBM(log10) LIBM(log1p) LIBM(erf) LIBM(erfc)
LIBM(floor) LIBM(ceil) LIBM(trunc)
#undef LIBM
#undef LIBMC

DEV float abs(float x) { return ::fabsf(x); }
DEV double abs(double x) { return ::fabs(x); }
DEV float round(float x) { return ::rintf(x); }
DEV double round(double x) { return ::rint(x); }
DEV float lgamma(float x) { return (float)agni_lgamma((double)x); }
DEV double lgamma(double x) { return agni_lgamma(x); }
DEV float digamma(float x) { return (float)agni_digamma((double)x); }
DEV double digamma(double x) { return agni_digamma(x); }
DEV float polygamma(float x, int64_t n) { return (float)agni_polygamma((double)x, n); }
DEV double polygamma(double x, int64_t n) { return agni_polygamma(x, n); }
DEV float atan2(float a, float b) { return ::atan2f(a, b); }
DEV double atan2(double a, double b) { return ::atan2(a, b); }
DEV float hypot(float a, float b) { return ::hypotf(a, b); }
DEV double hypot(double a, double b) { return ::hypot(a, b); }
DEV float pow(float a, float b) { return ::powf(a, b); }
DEV double pow(double a, double b) { return ::pow(a, b); }
DEV c64 pow(const c64 &a, const c64 &b) { return thrust::pow(a, b); }
DEV c128 pow(const c128 &a, const c128 &b) { return thrust::pow(a, b); }
DEV c64 complex(float a, float b) { return c64(a, b); }
DEV c128 complex(double a, double b) { return c128(a, b); }
DEV float real(const c64 &x) { return x.real(); }
DEV double real(const c128 &x) { return x.real(); }
DEV float imag(const c64 &x) { return x.imag(); }
DEV double imag(const c128 &x) { return x.imag(); }
DEV c64 conj(const c64 &x) { return c64(x.real(), -x.imag()); }
DEV c128 conj(const c128 &x) { return c128(x.real(), -x.imag()); }

template <class T> DEV bool isnan(const T &x) { return x != x; }
DEV bool isfinite(int32_t) { return true; }
DEV bool isfinite(int64_t) { return true; }
DEV bool isfinite(float x) { return ::isfinite(x); }
DEV bool isfinite(double x) { return ::isfinite(x); }
template <class R> DEV bool isfinite(const thrust::complex<R> &x)
{
    return ::isfinite(x.real()) && ::isfinite(x.imag());
}

/* integers wrap around: by unsigned arithmetic */
#define INTS(T, U) \
    DEV T add(T a, T b) { return (T)((U)a + (U)b); } \
    DEV T sub(T a, T b) { return (T)((U)a - (U)b); } \
    DEV T mul(T a, T b) { return (T)((U)a * (U)b); } \
    DEV T neg(T a) { return (T)(0 - (U)a); } \
    DEV T abs(T a) { return a < 0 ? neg(a) : a; } \
    DEV T sign(T a) { return (T)((a > 0) - (a < 0)); } \
    DEV T floor_divide(T a, T b) \
    { \
        if (b == 0) \
            return 0; \
        if (b == -1) \
            return neg(a); \
        T q = (T)(a / b); \
        return (T)(q - (a % b != 0 && (a < 0) != (b < 0))); \
    } \
    DEV T remainder(T a, T b) \
    { \
        if (b == 0 || b == -1) \
            return 0; \
        T r = (T)(a % b); \
        return (T)(r != 0 && (r < 0) != (b < 0) ? r + b : r); \
    } \
    DEV T pow(T a, T b) \
    { \
        if (b < 0) \
            return a == 1 ? 1 : a == -1 ? (b % 2 ? -1 : 1) : 0; \
        T r = 1; \
        for (; b; b /= 2, a = mul(a, a)) \
            if (b % 2) \
                r = mul(r, a); \
        return r; \
    }
INTS(int32_t, uint32_t)
INTS(int64_t, uint64_t)
#undef INTS

#define REALS(T, F) \
    DEV T add(T a, T b) { return a + b; } \
    DEV T sub(T a, T b) { return a - b; } \
    DEV T mul(T a, T b) { return a * b; } \
    DEV T neg(T a) { return -a; } \
    DEV T sign(T a) { return a != a ? a : (T)((a > 0) - (a < 0)); } \
    DEV T mulz(T a, T b) { return a == 0 || b == 0 ? 0 : a * b; } \
    DEV T sigmoid(T x) \
    { \
        T e = exp(x < 0 ? x : -x); \
        return (x < 0 ? e : 1) / (1 + e); \
    } \
    DEV T softplus(T x) { return (x > 0 ? x : 0) + log1p(exp(-abs(x))) + (x != x ? x : 0); } \
    DEV T atan2_d(T a, T b) \
    { \
        T h = hypot(a, b); \
        return h == 0 ? 0 : (a / h) / h; \
    } \
    DEV T div_z(T a, T b) { return b == 0 ? 0 : a / b; } \
    DEV T reciprocal_z(T a, T b) { return a == 0 ? 0 : b / a / a; } \
    DEV T remainder(T a, T b) \
    { \
        T r = ::fmod##F(a, b); \
        return r == 0 ? ::copysign##F((T)0, b) : (r < 0) != (b < 0) ? r + b : r; \
    }
REALS(float, f)
REALS(double, )
#undef REALS

/* of the exact quotient, as remainder is: a / b may round up to a whole number */
DEV double floor_divide(double a, double b)
{
    double r = ::fmod(a, b), q = (a - r) / b;
    if (b == 0 || q != q)
        return a / b;
    q = ::rint(q) - (r != 0 && (r < 0) != (b < 0));
    return q == 0 ? ::copysign(0.0, a / b) : q;
}
DEV float floor_divide(float a, float b) { return (float)floor_divide((double)a, (double)b); }

#define COMPLEXES(T) \
    DEV T add(const T &a, const T &b) { return a + b; } \
    DEV T sub(const T &a, const T &b) { return a - b; } \
    DEV T mul(const T &a, const T &b) { return a * b; } \
    DEV T neg(const T &a) { return -a; } \
    DEV T mulz(const T &a, const T &b) { return a == T(0) || b == T(0) ? T(0) : a * b; }
COMPLEXES(c64)
COMPLEXES(c128)
#undef COMPLEXES

DEV bool add(bool a, bool b) { return a || b; }
DEV bool mul(bool a, bool b) { return a && b; }

/* the first of equals wins; NaN wins */
template <class T> DEV bool first_max(T a, T b) { return a >= b || a != a; }
template <class T> DEV T maximum(T a, T b) { return first_max(a, b) ? a : b; }
template <class T> DEV bool first_min(T a, T b) { return a <= b || a != a; }
template <class T> DEV T minimum(T a, T b) { return first_min(a, b) ? a : b; }

} // namespace dev

#endif
