/* linalg/cuda/large_kernels.cuh - kernels around the calls of cuSOLVER: sizes of entries, copies,
   failures (Anderson et al., LAPACK Users' Guide 1999). A matrix that is not finite is replaced by
   1 before and becomes NaN after, for what cuSOLVER does with one is not said. What is read by
   columns is the transpose of what is written by rows. */
#ifndef AGNI_LINALG_LARGE_KERNELS_CUH
#define AGNI_LINALG_LARGE_KERNELS_CUH

#include "linalg/cuda/large.cuh"
#include "linalg/cuda/solver.h"

#include <cstring>

namespace {

using namespace block;

enum { TILE = 32, TILE_ROWS = 8 };
enum { WHOLE, LOWER, UPPER, SCALED = 4, CONJUGATE = 8 };
typedef unsigned long long bits;

template <class T> int dtype_of();
template <> int dtype_of<float>() { return AGN_F32; }
template <> int dtype_of<double>() { return AGN_F64; }
template <> int dtype_of<c64>() { return AGN_C64; }
template <> int dtype_of<c128>() { return AGN_C128; }

inline __device__ bits bits_of(double v)
{
    bits b;
    memcpy(&b, &v, sizeof b);
    return b;
}
inline __device__ double number_of(bits b)
{
    double v;
    memcpy(&v, &b, sizeof v);
    return v;
}

inline __device__ bool in_part(int part, int64_t i, int64_t j)
{
    return part == WHOLE || (part == LOWER ? j <= i : j >= i);
}

/* ---- sizes of entries ----------------------------------------------------------------------- */

/* most[m]: the largest part of an entry of matrix m, as the bits of a double; infinite for NaN */
template <class T>
__global__ void __launch_bounds__(THREADS)
    measure(const T *x, int64_t rows, int64_t cols, int part, int64_t batch, bits *most)
{
    for (int64_t m = blockIdx.y; m < batch; m += gridDim.y) {
        double own = 0;
        for (int64_t e = (int64_t)blockIdx.x * THREADS + threadIdx.x; e < rows * cols;
             e += (int64_t)gridDim.x * THREADS) {
            if (!in_part(part, e / cols, e % cols))
                continue;
            T z = x[m * rows * cols + e];
            double re = fabs((double)real_part(z)), im = fabs((double)imaginary_part(z));
            own = re <= own ? own : re == re ? re : (double)INFINITY;
            own = im <= own ? own : im == im ? im : (double)INFINITY;
        }
        own = largest(own, 0, NULL);
        if (threadIdx.x == 0)
            atomicMax(most + m, bits_of(own));
    }
}
inline __device__ bool is_wild(bits most)
{
    return !isfinite(number_of(most));
}
/* the power of two that brings the largest entry next to 1 */
template <class T> inline __device__ real_t<T> unit_from(bits most)
{
    double v = number_of(most);
    int e = 0, narrow = sizeof(real_t<T>) == 4 ? 100 : 1000;
    if (v > 0)
        (void)frexp(v, &e);
    return (real_t<T>)ldexp(1.0, e > narrow ? -narrow : e < -narrow ? narrow : -e);
}

/* ---- copies --------------------------------------------------------------------------------- */

/* to [cols, rows] = from [rows, cols], transposed; matrices of either are a step apart. form:
   SCALED, CONJUGATE; matrices that are not finite become 1. most: NULL, nothing is asked */
template <class T>
__global__ void __launch_bounds__(TILE *TILE_ROWS)
    transpose(const T *from, int64_t from_step, T *to, int64_t to_step, int64_t rows, int64_t cols,
              int form, int64_t batch, const bits *most)
{
    __shared__ T tile[TILE][TILE + 1];
    int64_t across = (cols + TILE - 1) / TILE, tiles = across * ((rows + TILE - 1) / TILE);
    int x = threadIdx.x % TILE, y = threadIdx.x / TILE;
    for (int64_t t = blockIdx.x; t < tiles * batch; t += gridDim.x) {
        int64_t m = t / tiles, r = t % tiles / across * TILE, k = t % tiles % across * TILE;
        const T *a = from + m * from_step;
        T *b = to + m * to_step;
        bool wild = most && is_wild(most[m]);
        real_t<T> unit = form & SCALED && !wild ? unit_from<T>(most[m]) : real_t<T>(1);
        for (int i = y; i < TILE; i += TILE_ROWS)
            if (r + i < rows && k + x < cols)
                tile[i][x] = a[(r + i) * cols + k + x];
        __syncthreads();
        for (int i = y; i < TILE; i += TILE_ROWS)
            if (k + i < cols && r + x < rows) {
                T v = tile[x][i];
                v = wild ? T(r + x == k + i) : form & CONJUGATE ? conjugate(v) : v;
                b[(k + i) * rows + r + x] = v * unit;
            }
        __syncthreads();
    }
}
/* y = x [rows, cols], or a triangle of it with a real diagonal and the rest 0 */
template <class T>
__global__ void __launch_bounds__(256)
    load_part(const T *x, T *y, int64_t rows, int64_t cols, int form, int64_t batch,
              const bits *most)
{
    int part = form & 3;
    AGNI_CU_EACH (e, batch * rows * cols) {
        int64_t m = e / (rows * cols), i = e / cols % rows, j = e % cols;
        T v = !in_part(part, i, j) ? T(0) : part && i == j ? T(real_part(x[e])) : x[e];
        v = is_wild(most[m]) ? T(i == j) : v;
        y[e] = form & SCALED && !is_wild(most[m]) ? v * unit_from<T>(most[m]) : v;
    }
}
/* values of matrix m, which was scaled by its unit */
template <class T>
__global__ void __launch_bounds__(256)
    unscale(real_t<T> *w, int64_t n, int64_t batch, const bits *most)
{
    AGNI_CU_EACH (i, batch * n)
        w[i] = w[i] / (is_wild(most[i / n]) ? real_t<T>(1) : unit_from<T>(most[i / n]));
}

/* ---- failures ------------------------------------------------------------------------------- */

/* NaN in the n numbers of each matrix that failed; info: NULL, or codes of cuSOLVER, whose fault
   is kind. fault: NULL where another result of it tells */
template <class T>
__global__ void __launch_bounds__(256)
    spoil_failed(T *y, int64_t n, int64_t batch, const bits *most, const int *info, bits kind,
                 bits *fault)
{
    AGNI_CU_EACH (i, batch * n) {
        int64_t m = i / n;
        bool wild = is_wild(most[m]);
        if (!wild && !(info && info[m]))
            continue;
        y[i] = T((real_t<T>)NAN);
        if (fault && i == m * n)
            atomicMin_system(fault, AGNI_CU_FAULT(wild ? (bits)AGNI_CU_NOT_FINITE : kind, m));
    }
}

/* ---- memory and launches -------------------------------------------------------------------- */

/* one allocation, cut into arrays */
struct room {
    char *p;
    size_t size;
    template <class E> void cut(E *&at, int64_t n)
    {
        at = (E *)(p + size); /* with p NULL: how much there will be */
        size += ((size_t)n * sizeof(E) + 255) / 256 * 256;
    }
};
template <class F> agn_status take_room(const agn_kernel_call *c, room &r, F layout)
{
    void *p = NULL;
    r = {NULL, 0};
    layout();
    agn_status st = agni_cu_scratch(c, r.size, &p);
    r = {(char *)p, 0};
    layout();
    return st;
}

struct stage {
    const agn_kernel_call *c;
    cudaStream_t s;
    bits *fault;
};
stage stage_of(const agn_kernel_call *c)
{
    return {c, (cudaStream_t)c->stream, agni_cu_fault_word(c->device)};
}

template <class T>
agn_status start_measure(const stage &q, const T *x, int64_t rows, int64_t cols, int part,
                         int64_t batch, bits *most)
{
    int64_t blocks = (rows * cols + 8 * THREADS - 1) / (8 * THREADS);
    dim3 grid((unsigned)(blocks < 1024 ? blocks : 1024), (unsigned)(batch < 4096 ? batch : 4096));
    agn_status st = agni_cu_check(q.c->device, q.c->op,
                                  cudaMemsetAsync(most, 0, (size_t)batch * sizeof *most, q.s));
    if (!st)
        measure<T><<<grid, THREADS, 0, q.s>>>(x, rows, cols, part, batch, most);
    return st;
}
template <class T>
void start_load(const stage &q, const T *x, T *y, int64_t rows, int64_t cols, int form,
                int64_t batch, const bits *most)
{
    load_part<T><<<agni_cu_blocks(batch * rows * cols, 256), 256, 0, q.s>>>(x, y, rows, cols, form,
                                                                            batch, most);
}
template <class T>
void start_transpose(const stage &q, const T *from, int64_t from_step, T *to, int64_t to_step,
                     int64_t rows, int64_t cols, int form, int64_t batch, const bits *most)
{
    int64_t tiles = (rows + TILE - 1) / TILE * ((cols + TILE - 1) / TILE) * batch;
    transpose<T><<<(unsigned)(tiles < 65536 ? tiles : 65536), TILE * TILE_ROWS, 0, q.s>>>(
        from, from_step, to, to_step, rows, cols, form, batch, most);
}
template <class T>
void start_spoil(const stage &q, T *y, int64_t n, int64_t batch, const bits *most, const int *info,
                 bits kind, bool tell)
{
    if (y && n)
        spoil_failed<T><<<agni_cu_blocks(batch * n, 256), 256, 0, q.s>>>(
            y, n, batch, most, info, kind, tell ? q.fault : NULL);
}

} // namespace

#endif
