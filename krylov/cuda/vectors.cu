/* krylov/cuda/vectors.cu - combinations of vectors and their inner products in one pass (Saad 2003,
   6): sums in f64 in a fixed tree, whose parts follow from the length alone. Complex numbers are
   pairs. */
#include "krylov/cuda/kernels.h"
#include "krylov/vector_step.h"

#include <cuda_runtime.h>

namespace {

enum { THREADS = 256, LEAST = 2048, MOST_PARTS = 1024 };

/* a real number, or a complex one */
template <class R, int parts> struct number {
    R v[parts];
    __device__ double re() const { return (double)v[0]; }
    __device__ double im() const { return (double)v[parts - 1]; }
};
template <class R> __device__ number<R, 1> times(const number<R, 1> &a, const number<R, 1> &x)
{
    return {{a.v[0] * x.v[0]}};
}
template <class R> __device__ number<R, 2> times(const number<R, 2> &a, const number<R, 2> &x)
{
    return {{a.v[0] * x.v[0] - a.v[1] * x.v[1], a.v[0] * x.v[1] + a.v[1] * x.v[0]}};
}

struct sums {
    double re, im;
};
/* of two parts; NaN stays the largest */
__device__ __forceinline__ sums join(const sums &a, const sums &b, bool most)
{
    if (!most)
        return {a.re + b.re, a.im + b.im};
    return {a.re != a.re || a.re > b.re ? a.re : b.re, 0};
}
/* s of all threads, in thread 0 */
__device__ inline sums join_all(sums s, bool most)
{
    __shared__ sums part[THREADS];
    part[threadIdx.x] = s;
    __syncthreads();
    for (unsigned h = THREADS / 2; h > 0; h /= 2) {
        if (threadIdx.x < h)
            part[threadIdx.x] = join(part[threadIdx.x], part[threadIdx.x + h], most);
        __syncthreads();
    }
    return part[0];
}

/* conj(x) y */
template <class R> __device__ sums product(const number<R, 1> &x, const number<R, 1> &y)
{
    return {x.re() * y.re(), 0};
}
template <class R> __device__ sums product(const number<R, 2> &x, const number<R, 2> &y)
{
    return {x.re() * y.re() + x.im() * y.im(), x.re() * y.im() - x.im() * y.re()};
}

/* a block for each part */
template <class R, int parts>
__global__ void __launch_bounds__(THREADS)
    step(const number<R, parts> *x, number<R, parts> *y, int64_t n, int64_t each,
         number<R, parts> a, number<R, parts> b, int what, sums *to)
{
    int64_t lo = blockIdx.x * each, hi = lo + each < n ? lo + each : n;
    bool keep = b.re() != 0 || b.im() != 0;
    sums s = {0, 0};
    for (int64_t i = lo + threadIdx.x; i < hi; i += THREADS) {
        number<R, parts> u = {}, v;
        if (!(what & AGNI_VECTOR_ZERO))
            u = x[i];
        if (what & AGNI_VECTOR_MOST) {
            s = join(s, join({fabs(u.re()), 0}, {fabs(u.im()), 0}, true), true);
            continue;
        }
        if (what & AGNI_VECTOR_MIX) {
            u = times(a, u);
            if (keep) {
                v = times(b, y[i]);
                for (int k = 0; k < parts; k++)
                    u.v[k] += v.v[k];
            }
        }
        if (what & (AGNI_VECTOR_MIX | AGNI_VECTOR_ZERO))
            y[i] = u;
        if (what & AGNI_VECTOR_SUM) {
            v = what & AGNI_VECTOR_MIX ? u : y[i];
            s = join(s, product(u, v), false);
        }
    }
    if (!to)
        return;
    s = join_all(s, what & AGNI_VECTOR_MOST);
    if (threadIdx.x == 0)
        to[blockIdx.x] = s;
}

__global__ void __launch_bounds__(THREADS)
    finish(const sums *parts, int64_t n, bool most, sums *to)
{
    sums s = {0, 0};
    for (int64_t i = threadIdx.x; i < n; i += THREADS)
        s = join(s, parts[i], most);
    s = join_all(s, most);
    if (threadIdx.x == 0)
        *to = s;
}

template <class R, int parts> agn_status run_step(const agn_kernel_call *c)
{
    typedef number<R, parts> T;
    int64_t n = c->in[0].shape[0], each = (n + MOST_PARTS - 1) / MOST_PARTS;
    int what = (int)c->ints[0];
    bool told = what & (AGNI_VECTOR_SUM | AGNI_VECTOR_MOST);
    if (!n)
        return AGN_OK;
    each = each < LEAST ? LEAST : each;
    unsigned blocks = (unsigned)((n + each - 1) / each);
    cudaStream_t s = (cudaStream_t)c->stream;
    void *room = NULL;
    int was = agni_cu_enter(c->device);
    agn_status st = told && blocks > 1 ? agni_cu_scratch(c, blocks * sizeof(sums), &room) : AGN_OK;
    if (!st) {
        sums *to = (sums *)c->out[0].data, *at = room ? (sums *)room : to;
        T a, b;
        for (int k = 0; k < parts; k++) {
            a.v[k] = (R)c->reals[k];
            b.v[k] = (R)c->reals[2 + k];
        }
        step<R, parts><<<blocks, THREADS, 0, s>>>((const T *)c->in[0].data, (T *)c->in[1].data, n,
                                                  each, a, b, what, told ? at : NULL);
        if (room)
            finish<<<1, THREADS, 0, s>>>((const sums *)room, blocks, what & AGNI_VECTOR_MOST, to);
        st = agni_cu_check_launch(c);
    }
    agni_cu_scratch_free(c, room);
    agni_cu_leave(was);
    return st;
}

const agn_kernel_entry table[] = {
    {AGNI_VECTOR_STEP, AGN_F32, false, run_step<float, 1>},
    {AGNI_VECTOR_STEP, AGN_F64, false, run_step<double, 1>},
    {AGNI_VECTOR_STEP, AGN_C64, false, run_step<float, 2>},
    {AGNI_VECTOR_STEP, AGN_C128, false, run_step<double, 2>},
};

} // namespace

extern "C" const agni_cu_table agni_cu_vectors = {table, (int)(sizeof table / sizeof *table)};
