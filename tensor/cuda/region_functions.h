/* tensor/cuda/region_functions.h - what the text of a region may call (graph/launch): the same
   choices at NaN, 0 and ties as tensor/cpu/vmath has them. It is compiled at run time, hence a
   string, and includes nothing. */
#ifndef AGNI_CUDA_REGION_FUNCTIONS_H
#define AGNI_CUDA_REGION_FUNCTIONS_H

#define AGNI_TEXT(...) #__VA_ARGS__

/* gcc and clang take more than the 4095 characters that ISO C promises */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverlength-strings"
static const char agni_cu_region_functions[] =
/* ---- one number ---- */
AGNI_TEXT(
    static __device__ inline float t_tanh(float x) { return tanhf(x); }
    static __device__ inline double t_tanh(double x) { return tanh(x); }
    static __device__ inline float t_erf(float x) { return erff(x); }
    static __device__ inline double t_erf(double x) { return erf(x); }
    static __device__ inline float t_exp(float x) { return expf(x); }
    static __device__ inline double t_exp(double x) { return exp(x); }
    static __device__ inline float t_sin(float x) { return sinf(x); }
    static __device__ inline double t_sin(double x) { return sin(x); }
    static __device__ inline float t_cos(float x) { return cosf(x); }
    static __device__ inline double t_cos(double x) { return cos(x); }
    static __device__ inline float t_tan(float x) { return tanf(x); }
    static __device__ inline double t_tan(double x) { return tan(x); }
    static __device__ inline float t_expm1(float x) { return expm1f(x); }
    static __device__ inline double t_expm1(double x) { return expm1(x); }
    static __device__ inline float t_log(float x) { return logf(x); }
    static __device__ inline double t_log(double x) { return log(x); }
    static __device__ inline float t_log1p(float x) { return log1pf(x); }
    static __device__ inline double t_log1p(double x) { return log1p(x); }
    static __device__ inline float t_erfc(float x) { return erfcf(x); }
    static __device__ inline double t_erfc(double x) { return erfc(x); }
    static __device__ inline float t_sqrt(float x) { return sqrtf(x); }
    static __device__ inline double t_sqrt(double x) { return sqrt(x); }
    static __device__ inline float t_abs(float x) { return fabsf(x); }
    static __device__ inline double t_abs(double x) { return fabs(x); }
    static __device__ inline float t_floor(float x) { return floorf(x); }
    static __device__ inline double t_floor(double x) { return floor(x); }
    static __device__ inline float t_ceil(float x) { return ceilf(x); }
    static __device__ inline double t_ceil(double x) { return ceil(x); }
    static __device__ inline float t_trunc(float x) { return truncf(x); }
    static __device__ inline double t_trunc(double x) { return trunc(x); }
    static __device__ inline float t_rint(float x) { return rintf(x); }
    static __device__ inline double t_rint(double x) { return rint(x); }
)
AGNI_TEXT(
    template <class T> static __device__ inline T t_neg(T x) { return -x; }
    template <class T> static __device__ inline T t_copy(T x) { return x; }
    template <class T> static __device__ inline T t_square(T x) { return x * x; }
    template <class T> static __device__ inline T t_recip(T x) { return (T)1 / x; }
    template <class T> static __device__ inline T t_rsqrt(T x) { return (T)1 / t_sqrt(x); }
    template <class T> static __device__ inline T t_relu(T x) { return x < 0 ? (T)0 : x; }
    template <class T> static __device__ inline T t_step(T x) { return x > 0 ? (T)1 : (T)0; }
    template <class T> static __device__ inline T t_sign(T x)
    { return x != x ? x : (T)((x > 0) - (x < 0)); }
    template <class T> static __device__ inline T t_sigmoid(T x)
    {
        T e = t_exp(x < 0 ? x : -x);
        return (x < 0 ? e : (T)1) / (1 + e);
    }
    template <class T> static __device__ inline T t_softplus(T x)
    {
        return (x > 0 ? x : (T)0) + t_log1p(t_exp(-t_abs(x))) + (x != x ? x : (T)0);
    }
    template <class T> static __device__ inline T t_mulz(T a, T b)
    { return a == 0 || b == 0 ? (T)0 : a * b; }
    template <class T> static __device__ inline T t_gelu(T x)
    {
        return t_mulz((T)0.5 * x, t_erfc((T)-0.70710678118654752440 * x));
    }
)
/* ---- several ---- */
AGNI_TEXT(
    template <class T> static __device__ inline T t_add(T a, T b) { return a + b; }
    template <class T> static __device__ inline T t_sub(T a, T b) { return a - b; }
    template <class T> static __device__ inline T t_mul(T a, T b) { return a * b; }
    template <class T> static __device__ inline T t_div(T a, T b) { return a / b; }
    template <class T> static __device__ inline T t_max(T a, T b)
    { return a >= b || a != a ? a : b; }
    template <class T> static __device__ inline T t_min(T a, T b)
    { return a <= b || a != a ? a : b; }
    template <class T> static __device__ inline T t_lt(T a, T b) { return (T)(a < b); }
    template <class T> static __device__ inline T t_le(T a, T b) { return (T)(a <= b); }
    template <class T> static __device__ inline T t_eq(T a, T b) { return (T)(a == b); }
    template <class T> static __device__ inline T t_ne(T a, T b) { return (T)(a != b); }
    template <class T> static __device__ inline T t_gt(T a, T b) { return (T)(a > b); }
    template <class T> static __device__ inline T t_ge(T a, T b) { return (T)(a >= b); }
    template <class T> static __device__ inline T t_isnan(T a) { return (T)(a != a); }
    template <class T> static __device__ inline T t_logical_not(T a) { return (T)(a == 0); }
    template <class T> static __device__ inline T t_logical_and(T a, T b)
    { return (T)(a != 0 && b != 0); }
    template <class T> static __device__ inline T t_logical_or(T a, T b)
    { return (T)(a != 0 || b != 0); }
    static __device__ inline float t_pow(float a, float b) { return powf(a, b); }
    static __device__ inline double t_pow(double a, double b) { return pow(a, b); }
    template <class T> static __device__ inline T t_where(T a, T b, T c) { return a != 0 ? b : c; }
    template <class T> static __device__ inline T t_fma(T a, T b, T c) { return a * b + c; }
    template <class T> static __device__ inline T t_fnma(T a, T b, T c) { return c - a * b; }
    template <class T> static __device__ inline T t_fmaz(T a, T b, T c) { return c + t_mulz(a, b); }
    static __device__ inline float t_add_product(float s, float a, float b)
    { return fmaf(a, b, s); }
    static __device__ inline double t_add_product(double s, double a, double b)
    { return fma(a, b, s); }
    static __device__ inline long long t_least(long long a, long long b) { return a < b ? a : b; }
)
/* ---- products of rows: four rows j, or one, of column u % C ---- */
AGNI_TEXT(
    template <class T, int L, int K, int J, int C>
    static __device__ inline void t_product(T *y, const T *x, const T *w, long long ldk,
                                             long long ldj, int u)
    {
        const int c = u % C, j = u / C * 4;
        T s[4] = {0, 0, 0, 0};
        for (int k = 0; k < K; k++) {
            const T v = x[(k * C + c) * L];
            for (int d = 0; d < 4; d++)
                if (j + d < J)
                    s[d] = t_add_product(s[d], w[k * ldk + (j + d) * ldj], v);
        }
        for (int d = 0; d < 4; d++)
            if (j + d < J)
                y[((j + d) * C + c) * L] = s[d];
    }
    template <class T, int L, int I, int K, int J>
    static __device__ inline void t_batched_product(T *y, const T *a, const T *b, int u)
    {
        const int m = u / (I * J), i = u / J % I, j = u % J;
        T s = 0;
        for (int k = 0; k < K; k++)
            s = t_add_product(s, a[((m * I + i) * K + k) * L], b[((m * K + k) * J + j) * L]);
        y[u * L] = s;
    }
)
/* ---- sums over lanes, those before n: the order is the same in every run ---- */
AGNI_TEXT(
    template <class T> static __device__ inline T t_warp_sum(T v)
    {
        for (int d = 16; d > 0; d /= 2)
            v += __shfl_xor_sync(0xffffffffu, v, d);
        return v;
    }
    template <int L, class T>
    static __device__ inline void t_add_row_sum(T *sum, T v, int lane, int n)
    {
        const unsigned group = 0xffffffffu >> (32 - L) << threadIdx.x % 32 / L * L;
        v = lane < n ? v : (T)0;
        for (int d = L / 2; d > 0; d /= 2)
            v += __shfl_xor_sync(group, v, d);
        if (lane == 0)
            *sum += v;
    }
    template <class T> static __device__ inline void t_add_block_sum(T *sum, T v, int n, T *part)
    {
        v = t_warp_sum((int)threadIdx.x < n ? v : (T)0);
        if (threadIdx.x % 32 == 0)
            part[threadIdx.x / 32] = v;
        __syncthreads();
        if (threadIdx.x == 0) {
            T s = 0;
            for (int k = 0; k < (int)blockDim.x / 32; k++)
                s += part[k];
            *sum += s;
        }
        __syncthreads();
    }
    static __device__ unsigned t_arrived;
    static __device__ inline bool t_is_last_block()
    {
        __shared__ bool last;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) {
            last = atomicAdd(&t_arrived, 1u) == gridDim.x - 1;
            __threadfence();
            if (last)
                t_arrived = 0;
        }
        __syncthreads();
        return last;
    }
    static __device__ unsigned t_turn;
    static __device__ inline void t_await_blocks()
    {
        __syncthreads();
        if (threadIdx.x == 0) {
            const unsigned turn = atomicAdd(&t_turn, 0u);
            __threadfence();
            if (atomicAdd(&t_arrived, 1u) == gridDim.x - 1) {
                t_arrived = 0;
                __threadfence();
                atomicAdd(&t_turn, 1u);
            } else {
                while (atomicAdd(&t_turn, 0u) == turn)
                    __nanosleep(100);
            }
            __threadfence();
        }
        __syncthreads();
    }
    static __device__ inline int t_turn_of_block(int first)
    {
        const int n = gridDim.x;
        const int at = (int)blockIdx.x - first % n;
        return at < 0 ? at + n : at;
    }
    template <class T, int L, int K, int J>
    static __device__ inline void t_outer_product(T *sum, const T *x, const T *g, int lane, int n)
    {
        for (int i = threadIdx.x; i < K * J; i += blockDim.x) {
            const T *p = x + i / J * L;
            const T *q = g + i % J * L;
            T s = 0;
            for (int k = 0; k < L; k++) {
                const int t = (k + lane) % L;
                s = t < n ? t_add_product(s, p[t], q[t]) : s;
            }
            sum[i] += s;
        }
    }
    template <class T>
    static __device__ inline T t_total(const T *sums, int blocks, long long pitch, int k)
    {
        T s[4] = {0, 0, 0, 0};
        int b = 0;
        for (; b + 4 <= blocks; b += 4)
            for (int d = 0; d < 4; d++)
                s[d] += sums[(b + d) * pitch + k];
        for (; b < blocks; b++)
            s[0] += sums[b * pitch + k];
        return (s[0] + s[1]) + (s[2] + s[3]);
    }
);
#pragma GCC diagnostic pop

#endif
