/* linalg/cuda/block.cuh - dense factorisations by one block of threads for each matrix: what they
   share (Golub & Van Loan 2013). Matrices are row-major; threads take columns, so that neighbours
   read neighbours. */
#ifndef AGNI_LINALG_BLOCK_CUH
#define AGNI_LINALG_BLOCK_CUH

#include "tensor/cuda/cuda.h"
#include <cmath>
#include <cuda_runtime.h>
#include <thrust/complex.h>

namespace block {

using c64 = thrust::complex<float>;
using c128 = thrust::complex<double>;
enum { THREADS = 64 };

template <class T> struct real_of { using type = T; };
template <class R> struct real_of<thrust::complex<R>> { using type = R; };
template <class T> using real_t = typename real_of<T>::type;

__device__ __forceinline__ float conjugate(float x) { return x; }
__device__ __forceinline__ double conjugate(double x) { return x; }
template <class R>
__device__ __forceinline__ thrust::complex<R> conjugate(const thrust::complex<R> &x)
{
    return thrust::complex<R>(x.real(), -x.imag());
}
__device__ __forceinline__ float real_part(float x) { return x; }
__device__ __forceinline__ double real_part(double x) { return x; }
template <class R> __device__ __forceinline__ R real_part(const thrust::complex<R> &x)
{
    return x.real();
}
__device__ __forceinline__ float imaginary_part(float) { return 0; }
__device__ __forceinline__ double imaginary_part(double) { return 0; }
template <class R> __device__ __forceinline__ R imaginary_part(const thrust::complex<R> &x)
{
    return x.imag();
}
__device__ __forceinline__ float modulus(float x) { return fabsf(x); }
__device__ __forceinline__ double modulus(double x) { return fabs(x); }
__device__ __forceinline__ float modulus(const c64 &x) { return hypotf(x.real(), x.imag()); }
__device__ __forceinline__ double modulus(const c128 &x) { return hypot(x.real(), x.imag()); }
template <class T> __device__ __forceinline__ real_t<T> square(const T &x)
{
    real_t<T> a = real_part(x), b = imaginary_part(x);
    return a * a + b * b;
}
/* |re| + |im|, by which LAPACK chooses pivots */
template <class T> __device__ __forceinline__ double size_of(const T &x)
{
    return fabs((double)real_part(x)) + fabs((double)imaginary_part(x));
}
__device__ __forceinline__ float epsilon(float) { return 0x1p-23f; }
__device__ __forceinline__ double epsilon(double) { return 0x1p-52; }

/* the rows of an op whose kernel is run<T> of each of the four dtypes */
#define AGNI_CU_FOUR(op, run) \
    {op, AGN_F32, false, run<float>}, {op, AGN_F64, false, run<double>}, {op, AGN_C64, false, run<c64>}, \
    { \
        op, AGN_C128, false, run<c128> \
    }
#define AGNI_CU_FOR(i, n) for (int64_t i = threadIdx.x; i < (n); i += blockDim.x)
#define AGNI_CU_MATRICES(m, batch) for (int64_t m = blockIdx.x; m < (batch); m += gridDim.x)

/* the largest of v, and the least of its places: the same in every thread */
static __device__ double largest(double v, int64_t at, int64_t *where)
{
    __shared__ double value[THREADS];
    __shared__ int64_t place[THREADS];
    __syncthreads();
    value[threadIdx.x] = v;
    place[threadIdx.x] = at;
    __syncthreads();
    for (int h = THREADS / 2; h > 0; h /= 2) {
        if (threadIdx.x < (unsigned)h) {
            double w = value[threadIdx.x + h];
            int64_t p = place[threadIdx.x + h];
            if (w > value[threadIdx.x] || (w == value[threadIdx.x] && p < place[threadIdx.x])) {
                value[threadIdx.x] = w;
                place[threadIdx.x] = p;
            }
        }
        __syncthreads();
    }
    if (where)
        *where = place[0];
    return value[0];
}

/* the sum of v in a fixed order */
template <class R> static __device__ R total(R v)
{
    __shared__ R part[THREADS];
    __syncthreads();
    part[threadIdx.x] = v;
    __syncthreads();
    for (int h = THREADS / 2; h > 0; h /= 2) {
        if (threadIdx.x < (unsigned)h)
            part[threadIdx.x] += part[threadIdx.x + h];
        __syncthreads();
    }
    return part[0];
}

/* copies n numbers; is one of them not finite? */
template <class T> static __device__ bool copy_finite(T *to, const T *from, int64_t n)
{
    bool bad = false;
    AGNI_CU_FOR (i, n) {
        T x = from[i];
        bad = bad || !isfinite(real_part(x)) || !isfinite(imaginary_part(x));
        to[i] = x;
    }
    return __syncthreads_or(bad);
}

/* a failure of matrix m: NaN in what it gives, the least matrix in the fault word */
template <class T> static __device__ void spoil(T *y, int64_t n)
{
    AGNI_CU_FOR (i, n)
        y[i] = T((real_t<T>)NAN);
}
static __device__ void report(unsigned long long *fault, unsigned long long kind, int64_t m)
{
    if (threadIdx.x == 0)
        atomicMin_system(fault, kind << 56 | (unsigned long long)m);
}

static inline unsigned matrices(int64_t batch)
{
    return (unsigned)(batch < 4096 ? batch : 4096);
}

} // namespace block

#endif
