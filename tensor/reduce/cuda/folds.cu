/* tensor/reduce/cuda/folds.cu - folds besides the sum, one launch each: extremes, log-sum-exp,
   compensated sums, sums of squares about the mean. */
#include "tensor/reduce/cuda/fold.cuh"
#include <cmath>
#include <limits>
#include <thrust/complex.h>

namespace {

/* ---- max, min: NaN stays -------------------------------------------------------------------- */

template <class T, bool least> struct extreme {
    typedef T in, acc, out;
    typedef std::numeric_limits<T> limits;
    static constexpr T most = limits::has_infinity ? limits::infinity() : limits::max();
    static constexpr T fewest = limits::has_infinity ? (T)-limits::infinity() : limits::lowest();
    static __device__ __forceinline__ T start()
    {
        return least ? most : fewest;
    }
    static __device__ __forceinline__ void add(T &a, const T &x)
    {
        if ((least ? x < a : x > a) || x != x)
            a = a != a ? a : x;
    }
    static __device__ __forceinline__ T join(const T &a, const T &b)
    {
        T r = a;
        add(r, b);
        return r;
    }
    static __device__ __forceinline__ T finish(const T &a) { return a; }
};

/* ---- log-sum-exp, online (Milakov & Gimelshein 2018) ---------------------------------------- */

template <class T> struct scaled { /* sum times exp(top) */
    T top, sum;
};
template <class T> struct log_sum_exp {
    typedef T in, out;
    typedef scaled<T> acc;
    static __device__ __forceinline__ acc start() { return {-(T)INFINITY, 0}; }
    static __device__ __forceinline__ void add(acc &a, const T &x)
    {
        if (x > a.top) {
            a.sum = a.sum == 0 ? T(1) : a.sum * exp(a.top - x) + 1;
            a.top = x;
        } else if (x == a.top) {
            a.sum += x == -(T)INFINITY ? 0 : 1;
        } else if (x != x) {
            a.top = x;
        } else if (a.top == a.top) {
            a.sum += exp(x - a.top);
        }
    }
    static __device__ __forceinline__ acc join(const acc &a, const acc &b)
    {
        if (a.top == b.top)
            return {a.top, a.sum + b.sum};
        const acc &hi = a.top > b.top || a.top != a.top ? a : b, &lo = &hi == &a ? b : a;
        return {hi.top, lo.sum == 0 ? hi.sum : hi.sum + lo.sum * exp(lo.top - hi.top)};
    }
    static __device__ __forceinline__ T finish(const acc &a)
    {
        return a.top - a.top == 0 ? a.top + log(a.sum) : a.top;
    }
};

/* ---- compensated sums (tensor/reduce/compensated_sum.c) ------------------------------------- */

struct twofold {
    double sum, rest;
};
__device__ __forceinline__ void add_exactly(twofold &y, double x, double rest)
{
    double s = y.sum + x, z = s - y.sum;
    y.rest += ((y.sum - (s - z)) + (x - z)) + rest;
    y.sum = s;
}
__device__ __forceinline__ double round_twofold(const twofold &y)
{
    double s = y.sum + y.rest;
    return s - s == 0 ? s : y.sum;
}
template <class T> struct compensated {
    typedef T in, out;
    typedef twofold acc;
    static __device__ __forceinline__ acc start() { return {0, 0}; }
    static __device__ __forceinline__ void add(acc &a, const T &x) { add_exactly(a, (double)x, 0); }
    static __device__ __forceinline__ acc join(const acc &a, const acc &b)
    {
        acc r = a;
        add_exactly(r, b.sum, b.rest);
        return r;
    }
    static __device__ __forceinline__ T finish(const acc &a) { return (T)round_twofold(a); }
};
template <class T> struct compensated<thrust::complex<T>> {
    typedef thrust::complex<T> in, out;
    struct acc {
        twofold re, im;
    };
    static __device__ __forceinline__ acc start() { return {{0, 0}, {0, 0}}; }
    static __device__ __forceinline__ void add(acc &a, const in &x)
    {
        add_exactly(a.re, (double)x.real(), 0);
        add_exactly(a.im, (double)x.imag(), 0);
    }
    static __device__ __forceinline__ acc join(const acc &a, const acc &b)
    {
        acc r = a;
        add_exactly(r.re, b.re.sum, b.re.rest);
        add_exactly(r.im, b.im.sum, b.im.rest);
        return r;
    }
    static __device__ __forceinline__ out finish(const acc &a)
    {
        return out((T)round_twofold(a.re), (T)round_twofold(a.im));
    }
};

agn_status run_last(const agn_kernel_call *c)
{
    const int64_t last = -1;
    switch (c->in[0].dtype) {
    case AGN_F32: return run_fold<compensated<float>>(c, 1, &last);
    case AGN_F64: return run_fold<compensated<double>>(c, 1, &last);
    case AGN_C64: return run_fold<compensated<thrust::complex<float>>>(c, 1, &last);
    default: return run_fold<compensated<thrust::complex<double>>>(c, 1, &last);
    }
}

/* ---- squares about the mean (Welford 1962; Chan, Golub & LeVeque 1983) ---------------------- */

template <class T> struct deviation {
    typedef T in, out;
    struct acc {
        double n, mean, squares;
    };
    static __device__ __forceinline__ acc start() { return {0, 0, 0}; }
    static __device__ __forceinline__ void add(acc &a, const T &x)
    {
        double d = (double)x - a.mean;
        a.n += 1;
        a.mean += d / a.n;
        a.squares += d * ((double)x - a.mean);
    }
    static __device__ __forceinline__ acc join(const acc &a, const acc &b)
    {
        if (b.n == 0)
            return a;
        if (a.n == 0)
            return b;
        double n = a.n + b.n, d = b.mean - a.mean;
        return {n, a.mean + d * (b.n / n), a.squares + b.squares + d * d * (a.n * (b.n / n))};
    }
    static __device__ __forceinline__ T finish(const acc &a) { return (T)a.squares; }
};
template <class T> agn_status run_deviation(const agn_kernel_call *c)
{
    return run_fold<deviation<T>>(c, 1, c->ints);
}

#define EXTREMES(dt, T) \
    {"max", dt, true, run_axes<extreme<T, false>>}, \
        {"amax", dt, true, run_axes<extreme<T, false>>}, \
        {"min", dt, true, run_axes<extreme<T, true>>}, \
    { \
        "amin", dt, true, run_axes<extreme<T, true>> \
    }
const agn_kernel_entry table[] = {
    EXTREMES(AGN_BOOL, uint8_t), EXTREMES(AGN_I32, int32_t), EXTREMES(AGN_I64, int64_t),
    EXTREMES(AGN_F32, float), EXTREMES(AGN_F64, double),
    {"logsumexp", AGN_F32, true, run_axes<log_sum_exp<float>>},
    {"logsumexp", AGN_F64, true, run_axes<log_sum_exp<double>>},
    {"sum_compensated", AGN_F32, true, run_last},
    {"sum_compensated", AGN_F64, true, run_last},
    {"sum_compensated", AGN_C64, true, run_last},
    {"sum_compensated", AGN_C128, true, run_last},
    {"squared_deviation", AGN_F32, true, run_deviation<float>},
    {"squared_deviation", AGN_F64, true, run_deviation<double>},
};

} // namespace

extern "C" const agni_cu_table agni_cu_folds = {table, (int)(sizeof table / sizeof *table)};
