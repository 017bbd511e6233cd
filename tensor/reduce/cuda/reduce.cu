/* tensor/reduce/cuda/reduce.cu - sum, argmax, cumsum. The order of every sum follows from the shape
   alone: the same bits in every run and on every device. */
#include "tensor/cuda/cuda.h"
#include <cuda_runtime.h>
#include <thrust/complex.h>

namespace {

enum { THREADS = 256 };

/* ---- sum ------------------------------------------------------------------------------------ */

/* Axes of one fate: kept or summed, neighbours merged. */
struct axes {
    int n;
    int64_t size, shape[AGN_MAX_RANK], stride[AGN_MAX_RANK];
};
struct fold {
    axes kept, gone;
    int64_t chunk, parts; /* the summed elements are cut into parts of chunk */
};

void add_axis(axes *a, int64_t size, int64_t stride)
{
    a->size *= size;
    if (size == 1)
        return;
    if (a->n && a->stride[a->n - 1] == stride * size) {
        a->shape[a->n - 1] *= size;
        a->stride[a->n - 1] = stride;
    } else {
        a->shape[a->n] = size;
        a->stride[a->n++] = stride;
    }
}

__device__ __forceinline__ int64_t offset(const axes &a, int64_t i)
{
    if (a.n == 1)
        return i * a.stride[0];
    int64_t at = 0;
    for (int d = a.n - 1; d >= 0; d--) {
        int64_t q = i / a.shape[d];
        at += (i - q * a.shape[d]) * a.stride[d];
        i = q;
    }
    return at;
}

/* one thread per sum: neighbouring threads read neighbouring elements */
template <class T>
__global__ void __launch_bounds__(THREADS)
    sum_by_thread(const __grid_constant__ fold f, const T *x, T *y)
{
    AGNI_CU_EACH (i, f.kept.size * f.parts) {
        int64_t part = i / f.kept.size, lo = part * f.chunk, hi = lo + f.chunk;
        const T *from = x + offset(f.kept, i - part * f.kept.size);
        hi = hi < f.gone.size ? hi : f.gone.size;
        T a[4] = {T(0), T(0), T(0), T(0)};
        int64_t r = lo;
        for (; r + 4 <= hi; r += 4) {
#pragma unroll
            for (int j = 0; j < 4; j++)
                a[j] += from[offset(f.gone, r + j)];
        }
        for (; r < hi; r++)
            a[0] += from[offset(f.gone, r)];
        y[i] = (a[0] + a[1]) + (a[2] + a[3]);
    }
}

/* one block per sum: its threads read along the summed axis, then fold in a tree */
template <class T>
__global__ void __launch_bounds__(THREADS)
    sum_by_block(const __grid_constant__ fold f, const T *x, T *y)
{
    extern __shared__ __align__(16) unsigned char room[];
    T *part_sum = (T *)room;
    for (int64_t i = blockIdx.x; i < f.kept.size * f.parts; i += gridDim.x) {
        int64_t part = i / f.kept.size, lo = part * f.chunk, hi = lo + f.chunk;
        const T *from = x + offset(f.kept, i - part * f.kept.size);
        hi = hi < f.gone.size ? hi : f.gone.size;
        T a = T(0), b = T(0);
        for (int64_t r = lo + threadIdx.x; r < hi; r += 2 * blockDim.x) {
            a += from[offset(f.gone, r)];
            if (r + blockDim.x < hi)
                b += from[offset(f.gone, r + blockDim.x)];
        }
        part_sum[threadIdx.x] = a + b;
        for (unsigned w = blockDim.x / 2; w > 0; w /= 2) {
            __syncthreads();
            if (threadIdx.x < w)
                part_sum[threadIdx.x] += part_sum[threadIdx.x + w];
        }
        if (threadIdx.x == 0)
            y[i] = part_sum[0];
        __syncthreads();
    }
}

template <class T> void start_sum(const fold &f, bool by_block, const T *x, T *y, cudaStream_t s)
{
    int64_t n = f.kept.size * f.parts;
    if (!by_block) {
        sum_by_thread<T><<<agni_cu_blocks(n, THREADS), THREADS, 0, s>>>(f, x, y);
        return;
    }
    int threads = 32;
    while (threads < THREADS && threads < f.chunk)
        threads *= 2;
    sum_by_block<T><<<agni_cu_blocks(n, 1), threads, threads * sizeof(T), s>>>(f, x, y);
}

/* how a sum is cut: enough parts to fill a device, none too short; from the sizes alone */
bool cut(fold *f)
{
    int64_t outs = f->kept.size, len = f->gone.size;
    int k = f->kept.n, g = f->gone.n;
    int64_t ks = k ? f->kept.stride[k - 1] : INT64_MAX, gs = g ? f->gone.stride[g - 1] : 1;
    ks = ks < 0 ? -ks : ks;
    gs = gs < 0 ? -gs : gs;
    bool by_block = g && (gs < ks || outs < 256) && len >= 32;
    int64_t shortest = by_block ? 8192 : 128, wanted = by_block ? 1024 : 65536;
    f->parts = outs < wanted ? wanted / outs : 1;
    int64_t most = len / shortest + 1;
    f->parts = f->parts < most ? f->parts : most;
    f->parts = f->parts < 1024 ? f->parts : 1024;
    f->chunk = (len + f->parts - 1) / f->parts;
    return by_block;
}

template <class T> agn_status run_sum(const agn_kernel_call *c)
{
    const agn_array *x = c->in, *y = c->out;
    fold f = {};
    f.kept.size = f.gone.size = 1;
    bool gone[AGN_MAX_RANK] = {false};
    for (int k = 1; k < c->n_int; k++)
        gone[c->ints[k] + x->ndim] = true;
    for (int d = 0; d < x->ndim; d++)
        add_axis(gone[d] ? &f.gone : &f.kept, x->shape[d], x->stride[d]);
    if (f.kept.size == 0)
        return AGN_OK;
    cudaStream_t s = (cudaStream_t)c->stream;
    bool by_block = cut(&f);
    void *held = NULL;
    agn_status st = AGN_OK;
    int was = agni_cu_enter(c->device);
    if (f.parts > 1)
        st = agni_cu_scratch(c, (size_t)(f.kept.size * f.parts) * sizeof(T), &held);
    if (!st)
        start_sum<T>(f, by_block, (const T *)x->data, f.parts > 1 ? (T *)held : (T *)y->data, s);
    if (!st && f.parts > 1) { /* [parts, kept] -> [kept] */
        fold g = {};
        g.kept.size = g.gone.size = 1;
        add_axis(&g.kept, f.kept.size, 1);
        add_axis(&g.gone, f.parts, f.kept.size);
        g.parts = 1;
        g.chunk = f.parts;
        start_sum<T>(g, f.kept.size < 4096, (const T *)held, (T *)y->data, s);
    }
    if (!st)
        st = agni_cu_check_launch(c);
    agni_cu_scratch_free(c, held);
    agni_cu_leave(was);
    return st;
}

/* ---- lanes [outer, n, inner] ------------------------------------------------------------------ */

struct lanes {
    int64_t outer, n, inner;
};
lanes lanes_of(const agn_array *x, int axis)
{
    lanes l = {1, x->shape[axis], 1};
    for (int d = 0; d < axis; d++)
        l.outer *= x->shape[d];
    for (int d = axis + 1; d < x->ndim; d++)
        l.inner *= x->shape[d];
    return l;
}

/* ---- argmax: the first of equals, and the first NaN before all --------------------------------- */

template <class T> struct best {
    T v;
    int64_t i;
};
template <class T> __device__ __forceinline__ bool beats(const best<T> &b, const best<T> &a, bool least)
{
    bool na = a.v != a.v, nb = b.v != b.v;
    if (na || nb)
        return nb && (!na || b.i < a.i);
    if (b.v == a.v)
        return b.i < a.i;
    return least ? b.v < a.v : b.v > a.v;
}

template <class T>
__global__ void __launch_bounds__(THREADS)
    argmax_by_thread(lanes l, bool least, const T *x, int64_t *y)
{
    AGNI_CU_EACH (e, l.outer * l.inner) {
        int64_t o = e / l.inner;
        const T *v = x + o * l.n * l.inner + (e - o * l.inner);
        best<T> a = {v[0], 0};
        for (int64_t k = 1; k < l.n; k++) {
            best<T> b = {v[k * l.inner], k};
            if (beats(b, a, least))
                a = b;
        }
        y[e] = a.i;
    }
}

template <class T>
__global__ void __launch_bounds__(THREADS)
    argmax_by_block(lanes l, bool least, const T *x, int64_t *y)
{
    __shared__ best<T> room[THREADS];
    for (int64_t e = blockIdx.x; e < l.outer * l.inner; e += gridDim.x) {
        int64_t o = e / l.inner;
        const T *v = x + o * l.n * l.inner + (e - o * l.inner);
        int64_t first = threadIdx.x < l.n ? threadIdx.x : 0;
        best<T> a = {v[first * l.inner], first};
        for (int64_t k = first + THREADS; k < l.n; k += THREADS) {
            best<T> b = {v[k * l.inner], k};
            if (beats(b, a, least))
                a = b;
        }
        room[threadIdx.x] = a;
        for (unsigned w = THREADS / 2; w > 0; w /= 2) {
            __syncthreads();
            if (threadIdx.x < w && beats(room[threadIdx.x + w], room[threadIdx.x], least))
                room[threadIdx.x] = room[threadIdx.x + w];
        }
        if (threadIdx.x == 0)
            y[e] = room[0].i;
        __syncthreads();
    }
}

template <class T> agn_status run_argmax(const agn_kernel_call *c)
{
    const agn_array *x = c->in;
    lanes l = lanes_of(x, (int)c->ints[0] + x->ndim);
    bool least = c->ints[2] != 0;
    int64_t n = l.outer * l.inner;
    cudaStream_t s = (cudaStream_t)c->stream;
    if (n == 0)
        return AGN_OK;
    int was = agni_cu_enter(c->device);
    if (l.n >= THREADS && (l.inner == 1 || n < 4096))
        argmax_by_block<T><<<agni_cu_blocks(n, 1), THREADS, 0, s>>>(
            l, least, (const T *)x->data, (int64_t *)c->out[0].data);
    else
        argmax_by_thread<T><<<agni_cu_blocks(n, THREADS), THREADS, 0, s>>>(
            l, least, (const T *)x->data, (int64_t *)c->out[0].data);
    agn_status st = agni_cu_check_launch(c);
    agni_cu_leave(was);
    return st;
}

/* ---- cumsum --------------------------------------------------------------------------------------- */

template <class T>
__global__ void __launch_bounds__(THREADS)
    cumsum_by_thread(lanes l, bool back, const T *x, T *y)
{
    AGNI_CU_EACH (e, l.outer * l.inner) {
        int64_t o = e / l.inner, base = o * l.n * l.inner + (e - o * l.inner);
        T a = T(0);
        for (int64_t k = 0; k < l.n; k++) {
            int64_t at = base + (back ? l.n - 1 - k : k) * l.inner;
            a += x[at];
            y[at] = a;
        }
    }
}

/* tiles of THREADS elements: a scan in shared memory (Hillis & Steele 1986), then the sum of
   the tiles before */
template <class T>
__global__ void __launch_bounds__(THREADS)
    cumsum_by_block(lanes l, bool back, const T *x, T *y)
{
    __shared__ __align__(16) unsigned char space[2 * THREADS * sizeof(T)];
    T *room = (T *)space;
    for (int64_t e = blockIdx.x; e < l.outer * l.inner; e += gridDim.x) {
        int64_t o = e / l.inner, base = o * l.n * l.inner + (e - o * l.inner);
        T carry = T(0);
        for (int64_t k0 = 0; k0 < l.n; k0 += THREADS) {
            int64_t k = k0 + threadIdx.x, at = base + (back ? l.n - 1 - k : k) * l.inner;
            int from = 0;
            room[threadIdx.x] = k < l.n ? x[at] : T(0);
            for (unsigned w = 1; w < THREADS; w *= 2) {
                __syncthreads();
                T v = room[from * THREADS + threadIdx.x];
                if (threadIdx.x >= w)
                    v = room[from * THREADS + threadIdx.x - w] + v;
                from = !from;
                room[from * THREADS + threadIdx.x] = v;
            }
            __syncthreads();
            if (k < l.n)
                y[at] = carry + room[from * THREADS + threadIdx.x];
            carry += room[from * THREADS + THREADS - 1];
            __syncthreads();
        }
    }
}

template <class T> agn_status run_cumsum(const agn_kernel_call *c)
{
    const agn_array *x = c->in;
    lanes l = lanes_of(x, (int)c->ints[0] + x->ndim);
    bool back = c->ints[1] != 0;
    int64_t n = l.outer * l.inner;
    cudaStream_t s = (cudaStream_t)c->stream;
    if (n * l.n == 0)
        return AGN_OK;
    int was = agni_cu_enter(c->device);
    if (l.n >= THREADS && n < 4096)
        cumsum_by_block<T><<<agni_cu_blocks(n, 1), THREADS, 0, s>>>(l, back, (const T *)x->data,
                                                                    (T *)c->out[0].data);
    else
        cumsum_by_thread<T><<<agni_cu_blocks(n, THREADS), THREADS, 0, s>>>(
            l, back, (const T *)x->data, (T *)c->out[0].data);
    agn_status st = agni_cu_check_launch(c);
    agni_cu_leave(was);
    return st;
}

using c64 = thrust::complex<float>;
using c128 = thrust::complex<double>;

/* integers wrap around: unsigned */
const agn_kernel_entry table[] = {
    {"sum", AGN_I32, true, run_sum<uint32_t>},
    {"sum", AGN_I64, true, run_sum<uint64_t>},
    {"sum", AGN_F32, true, run_sum<float>},
    {"sum", AGN_F64, true, run_sum<double>},
    {"sum", AGN_C64, true, run_sum<c64>},
    {"sum", AGN_C128, true, run_sum<c128>},
    {"argmax", AGN_BOOL, false, run_argmax<uint8_t>},
    {"argmax", AGN_I32, false, run_argmax<int32_t>},
    {"argmax", AGN_I64, false, run_argmax<int64_t>},
    {"argmax", AGN_F32, false, run_argmax<float>},
    {"argmax", AGN_F64, false, run_argmax<double>},
    {"cumsum", AGN_I32, false, run_cumsum<uint32_t>},
    {"cumsum", AGN_I64, false, run_cumsum<uint64_t>},
    {"cumsum", AGN_F32, false, run_cumsum<float>},
    {"cumsum", AGN_F64, false, run_cumsum<double>},
    {"cumsum", AGN_C64, false, run_cumsum<c64>},
    {"cumsum", AGN_C128, false, run_cumsum<c128>},
};

} // namespace

extern "C" const agni_cu_table agni_cu_reductions = {table, (int)(sizeof table / sizeof *table)};
