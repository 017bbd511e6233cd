/* sparse/products/cuda/entries.cu - products over a pattern, in the order of its rows: the same
   bits every time. */
#include "sparse/products/cuda/kernels.h"
#include <cuda_runtime.h>
#include <thrust/complex.h>

namespace {

using c64 = thrust::complex<float>;
using c128 = thrust::complex<double>;

/* one thread per element of the result, neighbours along its row */
template <class T>
__global__ void __launch_bounds__(256)
    spmm(const __grid_constant__ agni_cu_walk w, agni_cu_lines a, int64_t n)
{
    int64_t each = a.rows * n;
    AGNI_CU_EACH (i, w.size * each) {
        int64_t b = i / each, r = (i - b * each) / n, j = i - b * each - r * n, at[3];
        agni_cu_place<3>(w, b, at);
        const T *v = (const T *)w.p[1] + at[1], *x = (const T *)w.p[2] + at[2] + j;
        T sum = T(0);
        for (int64_t e = a.indptr[r]; e < a.indptr[r + 1]; e++)
            sum += v[a.from ? a.from[e] : e] * x[a.index[e] * n];
        ((T *)w.p[0])[at[0] + r * n + j] = sum;
    }
}

/* one thread per entry */
template <class T>
__global__ void __launch_bounds__(256)
    sddmm(const __grid_constant__ agni_cu_walk w, agni_cu_lines a, int64_t n)
{
    AGNI_CU_EACH (i, w.size * a.nnz) {
        int64_t b = i / a.nnz, e = i - b * a.nnz, at[3];
        agni_cu_place<3>(w, b, at);
        const T *u = (const T *)w.p[1] + at[1] + a.row[e] * n;
        const T *v = (const T *)w.p[2] + at[2] + a.index[e] * n;
        T sum = T(0);
        for (int64_t j = 0; j < n; j++)
            sum += u[j] * v[j];
        ((T *)w.p[0])[at[0] + e] = sum;
    }
}

template <class T>
__global__ void __launch_bounds__(256)
    entries(const __grid_constant__ agni_cu_walk w, agni_cu_lines a, bool to_dense)
{
    AGNI_CU_EACH (i, w.size * a.nnz) {
        int64_t b = i / a.nnz, e = i - b * a.nnz, place = a.row[e] * a.cols + a.index[e], at[2];
        agni_cu_place<2>(w, b, at);
        T *y = (T *)w.p[0] + at[0];
        const T *x = (const T *)w.p[1] + at[1];
        if (to_dense)
            y[place] = x[e];
        else
            y[e] = x[place];
    }
}

template <class U>
__global__ void __launch_bounds__(256) permuted(U *to, const U *v, const int64_t *from, int64_t nnz)
{
    AGNI_CU_EACH (e, nnz)
        to[e] = v[from[e]];
}

template <class T>
void start_spmm(const agni_cu_walk &w, const agni_cu_lines &a, int64_t n, cudaStream_t s)
{
    spmm<T><<<agni_cu_blocks(w.size * a.rows * n, 256), 256, 0, s>>>(w, a, n);
}
template <class T>
void start_sddmm(const agni_cu_walk &w, const agni_cu_lines &a, int64_t n, cudaStream_t s)
{
    sddmm<T><<<agni_cu_blocks(w.size * a.nnz, 256), 256, 0, s>>>(w, a, n);
}

} // namespace

#define BY_DTYPE(call) \
    switch (dtype) { \
    case AGN_F32: call(float); break; \
    case AGN_F64: call(double); break; \
    case AGN_C64: call(c64); break; \
    default: call(c128); \
    }

extern "C" void agni_cu_spmm(const agni_cu_walk *w, const agni_cu_lines *a, int dtype, int64_t n,
                             cudaStream_t s)
{
#define START(T) start_spmm<T>(*w, *a, n, s)
    BY_DTYPE(START)
#undef START
}

extern "C" void agni_cu_sddmm(const agni_cu_walk *w, const agni_cu_lines *a, int dtype, int64_t n,
                              cudaStream_t s)
{
#define START(T) start_sddmm<T>(*w, *a, n, s)
    BY_DTYPE(START)
#undef START
}

extern "C" void agni_cu_entries(const agni_cu_walk *w, const agni_cu_lines *a, int dtype,
                                bool to_dense, cudaStream_t s)
{
    unsigned blocks = agni_cu_blocks(w->size * a->nnz, 256);
#define START(T) entries<T><<<blocks, 256, 0, s>>>(*w, *a, to_dense)
    BY_DTYPE(START)
#undef START
}

extern "C" void agni_cu_permuted(void *to, const void *v, const int64_t *from, int64_t nnz,
                                 int dtype, cudaStream_t s)
{
    unsigned blocks = agni_cu_blocks(nnz, 256);
    switch (agni_cu_bytes(dtype)) {
    case 4: permuted<<<blocks, 256, 0, s>>>((uint32_t *)to, (const uint32_t *)v, from, nnz); break;
    case 8: permuted<<<blocks, 256, 0, s>>>((uint64_t *)to, (const uint64_t *)v, from, nnz); break;
    default: permuted<<<blocks, 256, 0, s>>>((double2 *)to, (const double2 *)v, from, nnz);
    }
}
