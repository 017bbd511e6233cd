/* tensor/reduce/cuda/fold.cuh - reductions over any axes in one launch, or in two where few long
   sums are cut into parts. The order of every fold follows from the shape alone: the same bits in
   every run and on every device.

   A fold is a struct with the types in, acc and out and

     acc start()   of nothing             acc join(acc, acc)   of two neighbours
     void add(acc &, in)   one more       out finish(acc)      the result            */
#ifndef AGNI_CUDA_FOLD_CUH
#define AGNI_CUDA_FOLD_CUH

#include "tensor/cuda/cuda.h"
#include <cuda_runtime.h>

namespace {

enum { FOLD_THREADS = 256 };

/* Axes of one fate: kept or folded, neighbours merged. */
struct axes {
    int n;
    int64_t size, shape[AGN_MAX_RANK], stride[AGN_MAX_RANK];
};
struct fold {
    axes kept, gone;
    int64_t chunk, parts; /* the folded elements are cut into parts of chunk */
};

inline void add_axis(axes *a, int64_t size, int64_t stride)
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

/* Of two launches the first leaves what is not finished, the second folds that. */
template <class F> struct joined {
    typedef typename F::acc in, acc;
    typedef typename F::out out;
    static __device__ __forceinline__ acc start() { return F::start(); }
    static __device__ __forceinline__ void add(acc &a, const acc &b) { a = F::join(a, b); }
    static __device__ __forceinline__ acc join(const acc &a, const acc &b) { return F::join(a, b); }
    static __device__ __forceinline__ out finish(const acc &a) { return F::finish(a); }
};
template <class F> struct unfinished {
    typedef typename F::in in;
    typedef typename F::acc acc, out;
    static __device__ __forceinline__ acc start() { return F::start(); }
    static __device__ __forceinline__ void add(acc &a, const in &b) { F::add(a, b); }
    static __device__ __forceinline__ acc join(const acc &a, const acc &b) { return F::join(a, b); }
    static __device__ __forceinline__ out finish(const acc &a) { return a; }
};

/* one thread per result: neighbouring threads read neighbouring elements */
template <class F>
__global__ void __launch_bounds__(FOLD_THREADS)
    fold_by_thread(const __grid_constant__ fold f, const typename F::in *x, typename F::out *y)
{
    AGNI_CU_EACH (i, f.kept.size * f.parts) {
        int64_t part = i / f.kept.size, lo = part * f.chunk, hi = lo + f.chunk;
        const typename F::in *from = x + offset(f.kept, i - part * f.kept.size);
        hi = hi < f.gone.size ? hi : f.gone.size;
        typename F::acc a[4] = {F::start(), F::start(), F::start(), F::start()};
        int64_t r = lo;
        for (; r + 4 <= hi; r += 4) {
#pragma unroll
            for (int j = 0; j < 4; j++)
                F::add(a[j], from[offset(f.gone, r + j)]);
        }
        for (; r < hi; r++)
            F::add(a[0], from[offset(f.gone, r)]);
        y[i] = F::finish(F::join(F::join(a[0], a[1]), F::join(a[2], a[3])));
    }
}

/* one block per result: its threads read along the folded axis, then join in a tree */
template <class F>
__global__ void __launch_bounds__(FOLD_THREADS)
    fold_by_block(const __grid_constant__ fold f, const typename F::in *x, typename F::out *y)
{
    extern __shared__ __align__(16) unsigned char room[];
    typename F::acc *left = (typename F::acc *)room;
    for (int64_t i = blockIdx.x; i < f.kept.size * f.parts; i += gridDim.x) {
        int64_t part = i / f.kept.size, lo = part * f.chunk, hi = lo + f.chunk;
        const typename F::in *from = x + offset(f.kept, i - part * f.kept.size);
        hi = hi < f.gone.size ? hi : f.gone.size;
        typename F::acc a = F::start(), b = F::start();
        for (int64_t r = lo + threadIdx.x; r < hi; r += 2 * blockDim.x) {
            F::add(a, from[offset(f.gone, r)]);
            if (r + blockDim.x < hi)
                F::add(b, from[offset(f.gone, r + blockDim.x)]);
        }
        left[threadIdx.x] = F::join(a, b);
        for (unsigned w = blockDim.x / 2; w > 0; w /= 2) {
            __syncthreads();
            if (threadIdx.x < w)
                left[threadIdx.x] = F::join(left[threadIdx.x], left[threadIdx.x + w]);
        }
        if (threadIdx.x == 0)
            y[i] = F::finish(left[0]);
        __syncthreads();
    }
}

template <class F>
void start_fold(const fold &f, bool by_block, const void *x, void *y, cudaStream_t s)
{
    typedef typename F::in in;
    typedef typename F::out out;
    int64_t n = f.kept.size * f.parts;
    if (!by_block) {
        fold_by_thread<F>
            <<<agni_cu_blocks(n, FOLD_THREADS), FOLD_THREADS, 0, s>>>(f, (const in *)x, (out *)y);
        return;
    }
    int threads = 32;
    while (threads < FOLD_THREADS && threads < f.chunk)
        threads *= 2;
    fold_by_block<F><<<agni_cu_blocks(n, 1), threads, threads * sizeof(typename F::acc), s>>>(
        f, (const in *)x, (out *)y);
}

/* how a fold is cut: enough parts to fill a device, none too short; from the sizes alone */
inline bool cut(fold *f)
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

/* the axes (negative) at axis[n] are folded */
template <class F> agn_status run_fold(const agn_kernel_call *c, int n, const int64_t *axis)
{
    const agn_array *x = c->in, *y = c->out;
    fold f = {};
    f.kept.size = f.gone.size = 1;
    bool gone[AGN_MAX_RANK] = {false};
    for (int k = 0; k < n; k++)
        gone[axis[k] + x->ndim] = true;
    for (int d = 0; d < x->ndim; d++)
        add_axis(gone[d] ? &f.gone : &f.kept, x->shape[d], x->stride[d]);
    if (f.kept.size == 0)
        return AGN_OK;
    cudaStream_t s = (cudaStream_t)c->stream;
    bool by_block = cut(&f);
    void *held = NULL;
    agn_status st = AGN_OK;
    int was = agni_cu_enter(c->device);
    if (f.parts == 1) {
        start_fold<F>(f, by_block, x->data, y->data, s);
    } else {
        st = agni_cu_scratch(c, (size_t)(f.kept.size * f.parts) * sizeof(typename F::acc), &held);
        if (!st) {
            start_fold<unfinished<F>>(f, by_block, x->data, held, s);
            fold g = {}; /* [parts, kept] -> [kept] */
            g.kept.size = g.gone.size = 1;
            add_axis(&g.kept, f.kept.size, 1);
            add_axis(&g.gone, f.parts, f.kept.size);
            g.parts = 1;
            g.chunk = f.parts;
            start_fold<joined<F>>(g, f.kept.size < 4096, held, y->data, s);
        }
    }
    if (!st)
        st = agni_cu_check_launch(c);
    agni_cu_scratch_free(c, held);
    agni_cu_leave(was);
    return st;
}
/* attributes: whether axes stay as 1, then the axes */
template <class F> agn_status run_axes(const agn_kernel_call *c)
{
    return run_fold<F>(c, c->n_int - 1, c->ints + 1);
}

} // namespace

#endif
