/* linalg/cuda/triangle.cu - copies of triangles; reports of failed factorisations. */
#include "linalg/cuda/kernels.h"
#include <cmath>
#include <cuda_runtime.h>
#include <thrust/complex.h>

namespace {

using c64 = thrust::complex<float>;
using c128 = thrust::complex<double>;

template <class T>
__global__ void __launch_bounds__(256)
    triangle(const __grid_constant__ agni_cu_walk w, int64_t rows, int64_t cols, bool upper, T d)
{
    AGNI_CU_EACH (i, w.size) {
        int64_t at[2], c = i % cols, r = i / cols % rows;
        agni_cu_place<2>(w, i, at);
        T v = ((const T *)w.p[1])[at[1]];
        bool in = upper ? c >= r : c <= r;
        ((T *)w.p[0])[at[0]] = !in ? T(0) : c == r ? v * d : v;
    }
}

__global__ void addresses(void **p, char *base, int64_t bytes, int64_t n)
{
    AGNI_CU_EACH (i, n)
        p[i] = base + i * bytes;
}

__global__ void widen(int64_t *to, const int *from, int64_t n)
{
    AGNI_CU_EACH (i, n)
        to[i] = from[i];
}

template <class R>
__global__ void __launch_bounds__(256)
    not_definite(const int *info, R *y, int64_t reals, int64_t batch, unsigned long long *fault)
{
    AGNI_CU_EACH (i, batch * reals) {
        int64_t m = i / reals;
        if (info[m] == 0)
            continue;
        y[i] = (R)NAN;
        if (i == m * reals)
            atomicMin_system(fault, AGNI_CU_FAULT(AGNI_CU_CHOLESKY, m));
    }
}

template <class T>
__global__ void __launch_bounds__(256)
    zero_diagonal(const T *a, int64_t n, int64_t step, int64_t matrix, unsigned long long *fault)
{
    AGNI_CU_EACH (i, n)
        if (a[i * step] == T(0))
            atomicMin_system(fault, AGNI_CU_FAULT(AGNI_CU_TRIANGULAR, matrix));
}

template <class T>
void start_triangle(const agni_cu_walk &w, int64_t rows, int64_t cols, bool upper, double d,
                    cudaStream_t s)
{
    triangle<T><<<agni_cu_blocks(w.size, 256), 256, 0, s>>>(w, rows, cols, upper, T(d));
}
template <class T>
void start_diagonal(const void *a, int64_t n, int64_t step, int64_t m, unsigned long long *fault,
                    cudaStream_t s)
{
    zero_diagonal<T><<<agni_cu_blocks(n, 256), 256, 0, s>>>((const T *)a, n, step, m, fault);
}

} // namespace

extern "C" void agni_cu_triangle(const agni_cu_walk *w, int dtype, int64_t rows, int64_t cols,
                                 bool upper, double d, cudaStream_t s)
{
    switch (dtype) {
    case AGN_F32: start_triangle<float>(*w, rows, cols, upper, d, s); break;
    case AGN_F64: start_triangle<double>(*w, rows, cols, upper, d, s); break;
    case AGN_C64: start_triangle<c64>(*w, rows, cols, upper, d, s); break;
    default: start_triangle<c128>(*w, rows, cols, upper, d, s);
    }
}

extern "C" void agni_cu_addresses(void **p, void *base, int64_t bytes, int64_t n, cudaStream_t s)
{
    addresses<<<agni_cu_blocks(n, 256), 256, 0, s>>>(p, (char *)base, bytes, n);
}

extern "C" void agni_cu_widen(int64_t *to, const int *from, int64_t n, cudaStream_t s)
{
    widen<<<agni_cu_blocks(n, 256), 256, 0, s>>>(to, from, n);
}

extern "C" void agni_cu_not_definite(const int *info, void *y, int dtype, int64_t n, int64_t batch,
                                     unsigned long long *fault, cudaStream_t s)
{
    bool single = dtype == AGN_F32 || dtype == AGN_C64;
    int64_t reals = n * n * (dtype >= AGN_C64 ? 2 : 1);
    unsigned blocks = agni_cu_blocks(batch * reals, 256);
    if (single)
        not_definite<float><<<blocks, 256, 0, s>>>(info, (float *)y, reals, batch, fault);
    else
        not_definite<double><<<blocks, 256, 0, s>>>(info, (double *)y, reals, batch, fault);
}

extern "C" void agni_cu_zero_diagonal(const void *a, int dtype, int64_t n, int64_t step,
                                      int64_t matrix, unsigned long long *fault, cudaStream_t s)
{
    switch (dtype) {
    case AGN_F32: start_diagonal<float>(a, n, step, matrix, fault, s); break;
    case AGN_F64: start_diagonal<double>(a, n, step, matrix, fault, s); break;
    case AGN_C64: start_diagonal<c64>(a, n, step, matrix, fault, s); break;
    default: start_diagonal<c128>(a, n, step, matrix, fault, s);
    }
}
