/* tensor/reduce/cuda/reduce.cu - sum, argmax. The order of every sum follows from the shape
   alone: the same bits in every run and on every device. */
#include "tensor/reduce/cuda/fold.cuh"
#include "tensor/reduce/cuda/lanes.cuh"
#include <thrust/complex.h>

namespace {

enum { THREADS = 256 };

/* ---- sum ------------------------------------------------------------------------------------ */

template <class T> struct adding {
    typedef T in, acc, out;
    static __device__ __forceinline__ T start() { return T(0); }
    static __device__ __forceinline__ void add(T &a, const T &x) { a += x; }
    static __device__ __forceinline__ T join(const T &a, const T &b) { return a + b; }
    static __device__ __forceinline__ T finish(const T &a) { return a; }
};
template <class T> agn_status run_sum(const agn_kernel_call *c)
{
    return run_axes<adding<T>>(c);
}

/* ---- argmax: the first of equals, and the first NaN before all ------------------------------ */

template <class T> struct best {
    T v;
    int64_t i;
};
template <class T>
__device__ __forceinline__ bool beats(const best<T> &b, const best<T> &a, bool least)
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
};

} // namespace

extern "C" const agni_cu_table agni_cu_reductions = {table, (int)(sizeof table / sizeof *table)};
