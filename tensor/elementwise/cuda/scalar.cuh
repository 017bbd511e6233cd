/* tensor/elementwise/cuda/scalar.cuh - the functions of ops.def for one element on a device, as
   tensor/elementwise/cpu/scalar.h has them on the host. Overloads by type replace suffixes; the
   same formulas and the same choices at NaN, 0 and ties. */
#ifndef AGNI_CUDA_SCALAR_CUH
#define AGNI_CUDA_SCALAR_CUH

#define AGNI_FN static __device__ __forceinline__
#include "tensor/cpu/special/bessel.h"
#include "tensor/cpu/special/normal.h"
#undef AGNI_FN
/* these are called: ten rows share their series and fractions; inlined, they took three quarters of
   the time to compile */
#pragma GCC diagnostic ignored "-Wattributes"
#define AGNI_FN static inline __device__ __attribute__((noinline))
#include "tensor/cpu/special/incomplete.h"
#include "tensor/cpu/special/incomplete_inverse.h"
#include <cstdint>
#include <thrust/complex.h>

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
LIBM(exp2) LIBM(expm1) LIBM(log2) LIBM(log10) LIBM(log1p) LIBM(erf) LIBM(erfc) LIBM(cbrt)
LIBM(floor) LIBM(ceil) LIBM(trunc)
#undef LIBM
#undef LIBMC

DEV float abs(float x) { return ::fabsf(x); }
DEV double abs(double x) { return ::fabs(x); }
DEV float round(float x) { return ::rintf(x); }
DEV double round(double x) { return ::rint(x); }
#define SPECIAL1(fn) \
    DEV float fn(float x) { return (float)agni_##fn((double)x); } \
    DEV double fn(double x) { return agni_##fn(x); }
#define SPECIALP(fn) \
    DEV float fn(float x, int64_t n) { return (float)agni_##fn((double)x, n); } \
    DEV double fn(double x, int64_t n) { return agni_##fn(x, n); }
#define SPECIAL2(fn) \
    DEV float fn(float a, float b) { return (float)agni_##fn((double)a, (double)b); } \
    DEV double fn(double a, double b) { return agni_##fn(a, b); }
#define SPECIAL3(fn) \
    DEV float fn(float a, float b, float w) \
    { \
        return (float)agni_##fn((double)a, (double)b, (double)w); \
    } \
    DEV double fn(double a, double b, double w) { return agni_##fn(a, b, w); }
SPECIAL1(lgamma) SPECIAL1(digamma) SPECIAL1(logit) SPECIAL1(entr) SPECIAL1(erfinv)
SPECIAL1(ndtr) SPECIAL1(ndtri) SPECIAL1(log_ndtr)
SPECIALP(polygamma) SPECIALP(sinc) SPECIALP(erfcx) SPECIALP(bessel_i) SPECIALP(bessel_ie)
SPECIAL2(xlogy) SPECIAL2(xlog1py) SPECIAL2(rel_entr) SPECIAL2(logaddexp) SPECIAL2(logaddexp2)
SPECIAL2(zeta) SPECIAL2(gammainc) SPECIAL2(gammaincc) SPECIAL2(gamma_d)
SPECIAL2(gammaincinv) SPECIAL2(gammainccinv)
SPECIAL3(betainc) SPECIAL3(betaincc) SPECIAL3(beta_d) SPECIAL3(betaincinv) SPECIAL3(betainccinv)
#undef SPECIAL1
#undef SPECIALP
#undef SPECIAL2
#undef SPECIAL3
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
DEV bool isfinite(float x) { return ::isfinite(x); }
DEV bool isfinite(double x) { return ::isfinite(x); }
DEV bool isinf(float x) { return ::isinf(x); }
DEV bool isinf(double x) { return ::isinf(x); }
template <class R> DEV bool isinf(const thrust::complex<R> &x)
{
    return ::isinf(x.real()) || ::isinf(x.imag());
}
template <class R> DEV bool isreal(const thrust::complex<R> &x) { return x.imag() == 0; }
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
    DEV T floor(T a) { return a; } \
    DEV T ceil(T a) { return a; } \
    DEV T round(T a) { return a; } \
    DEV T trunc(T a) { return a; } \
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
    } \
    DEV bool isinf(T) { return false; } \
    DEV bool isposinf(T) { return false; } \
    DEV bool isneginf(T) { return false; } \
    DEV bool isfinite(T) { return true; } \
    DEV bool isreal(T) { return true; } \
    DEV bool signbit(T x) { return x < 0; } \
    DEV T fmax(T a, T b) { return a >= b ? a : b; } \
    DEV T fmin(T a, T b) { return a <= b ? a : b; } \
    DEV T fmod(T a, T b) { return b == 0 || b == -1 ? 0 : (T)(a % b); } \
    DEV T bitwise_not(T a) { return (T)~a; } \
    DEV T bitwise_and(T a, T b) { return (T)(a & b); } \
    DEV T bitwise_or(T a, T b) { return (T)(a | b); } \
    DEV T bitwise_xor(T a, T b) { return (T)(a ^ b); } \
    DEV bool shifts(T b) { return (U)b < 8 * sizeof(T); } \
    DEV T left_shift(T a, T b) { return shifts(b) ? (T)((U)a << b) : 0; } \
    DEV T right_shift(T a, T b) \
    { \
        U bits = a < 0 ? ~(U)a : (U)a, r = shifts(b) ? bits >> b : 0; \
        return (T)(a < 0 ? ~r : r); \
    } \
    DEV T logical_right_shift(T a, T b) { return shifts(b) ? (T)((U)a >> b) : 0; } \
    DEV T popcount(T a) { return (T)__popcll((U)abs(a)); } \
    DEV T gcd(T a, T b) \
    { \
        U u = (U)abs(a), v = (U)abs(b); \
        while (v) { \
            U r = u % v; \
            u = v, v = r; \
        } \
        return (T)u; \
    } \
    DEV T lcm(T a, T b) \
    { \
        U g = (U)gcd(a, b); \
        return g ? abs((T)((U)abs(a) / g * (U)abs(b))) : 0; \
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
    } \
    DEV bool isposinf(T x) { return x == (T)INFINITY; } \
    DEV bool isneginf(T x) { return x == -(T)INFINITY; } \
    DEV bool isreal(T) { return true; } \
    DEV bool signbit(T x) { return ::signbit(x); } \
    DEV T fmax(T a, T b) { return a >= b || b != b ? a : b; } \
    DEV T fmin(T a, T b) { return a <= b || b != b ? a : b; } \
    DEV T fmod(T a, T b) { return ::fmod##F(a, b); } \
    DEV T copysign(T a, T b) { return ::copysign##F(a, b); } \
    DEV T nextafter(T a, T b) { return ::nextafter##F(a, b); } \
    DEV T ldexp(T a, T b) \
    { \
        return b != b ? b : ::ldexp##F(a, (int)(b < -5000 ? -5000 : b > 5000 ? 5000 : b)); \
    } \
    DEV T exponent(T x) \
    { \
        int e = 0; \
        if (::isfinite(x)) \
            ::frexp##F(x, &e); \
        return (T)e; \
    } \
    DEV T lerp(T a, T b, T w) \
    { \
        return w < (T)0.5 ? a + w * (b - a) : b - (1 - w) * (b - a); \
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
    DEV T mulz(const T &a, const T &b) { return a == T(0) || b == T(0) ? T(0) : a * b; } \
    DEV T lerp(const T &a, const T &b, const T &w) \
    { \
        return w.real() < 0.5f ? a + w * (b - a) : b - (T(1) - w) * (b - a); \
    }
COMPLEXES(c64)
COMPLEXES(c128)
#undef COMPLEXES

DEV bool add(bool a, bool b) { return a || b; }
DEV bool mul(bool a, bool b) { return a && b; }
DEV bool fmax(bool a, bool b) { return a || b; }
DEV bool fmin(bool a, bool b) { return a && b; }
DEV bool bitwise_not(bool a) { return !a; }
DEV bool bitwise_and(bool a, bool b) { return a && b; }
DEV bool bitwise_or(bool a, bool b) { return a || b; }
DEV bool bitwise_xor(bool a, bool b) { return a != b; }

/* the first of equals wins; NaN wins */
template <class T> DEV bool first_max(T a, T b) { return a >= b || a != a; }
template <class T> DEV T maximum(T a, T b) { return first_max(a, b) ? a : b; }
template <class T> DEV bool first_min(T a, T b) { return a <= b || a != a; }
template <class T> DEV T minimum(T a, T b) { return first_min(a, b) ? a : b; }

} // namespace dev

#endif
