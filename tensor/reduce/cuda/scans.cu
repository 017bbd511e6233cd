/* tensor/reduce/cuda/scans.cu - cumulative sums, extremes and log-sum-exp, linear recurrences. A
   lane is a thread's, or in tiles a block's (Hillis & Steele 1986) where there are few; longer ones
   are cut into parts, whose ends are scanned between two passes (Blelloch 1990), or by look-back in
   one where joining is exact (Merrill & Garland 2016). The parts follow from the shape alone: the
   same bits in every run and on every device. */
#include "tensor/reduce/cuda/lanes.cuh"
#include <cmath>
#include <cstring>
#include <cuda_runtime.h>
#include <thrust/complex.h>

namespace {

enum { THREADS = 256 };

using c64 = thrust::complex<float>;
using c128 = thrust::complex<double>;

/* ---- the scans: join(before, after) is associative ------------------------------------------ */

template <class T> struct running_sum {
    typedef T in, out, acc;
    static __device__ __forceinline__ T load(const T *x, int64_t at, int64_t) { return x[at]; }
    static __device__ __forceinline__ T join(const T &run, const T &v) { return run + v; }
    static __device__ __forceinline__ T value(const T &a) { return a; }
};

template <class T, bool least> struct running_extreme { /* the first of equals; the first NaN beats all */
    typedef T in;
    typedef int64_t out;
    struct acc {
        T v;
        int64_t at;
    };
    static __device__ __forceinline__ acc load(const T *x, int64_t at, int64_t k)
    {
        return {x[at], k};
    }
    static __device__ __forceinline__ acc join(const acc &a, const acc &b)
    {
        return a.v == a.v && (b.v != b.v || (least ? b.v < a.v : b.v > a.v)) ? b : a;
    }
    static __device__ __forceinline__ int64_t value(const acc &a) { return a.at; }
};

template <class T> struct running_log_sum { /* in f64, as on the CPU */
    typedef T in, out;
    typedef double acc;
    static __device__ __forceinline__ double load(const T *x, int64_t at, int64_t)
    {
        return (double)x[at];
    }
    static __device__ __forceinline__ double join(double run, double v)
    {
        double top = run > v ? run : v, d = run > v ? v - run : run - v;
        return v != v || run != run ? v + run
               : v == run           ? v + 0.69314718055994530942
                                    : top + log1p(exp(d));
    }
    static __device__ __forceinline__ T value(double a) { return (T)a; }
};

template <class S>
__global__ void __launch_bounds__(THREADS)
    scan_by_thread(lanes l, bool back, const typename S::in *x, typename S::out *y)
{
    AGNI_CU_EACH (e, l.count()) {
        int64_t base = l.begin(e), at = base + (back ? l.n - 1 : 0) * l.inner;
        typename S::acc a = S::load(x, at, 0);
        y[at] = S::value(a);
        for (int64_t k = 1; k < l.n; k++) {
            at = base + (back ? l.n - 1 - k : k) * l.inner;
            a = S::join(a, S::load(x, at, k));
            y[at] = S::value(a);
        }
    }
}

/* v of each of the first `count` threads joined with those before it; *end: the last */
template <class S>
__device__ inline typename S::acc scan_tile(typename S::acc v, int count, typename S::acc *end)
{
    typedef typename S::acc acc;
    __shared__ __align__(16) unsigned char space[2 * THREADS * sizeof(acc)];
    acc *room = (acc *)space;
    int from = 0;
    room[threadIdx.x] = v;
    for (int w = 1; w < THREADS; w *= 2) {
        __syncthreads();
        v = room[from * THREADS + threadIdx.x];
        if ((int)threadIdx.x >= w && (int)threadIdx.x < count)
            v = S::join(room[from * THREADS + threadIdx.x - w], v);
        from = !from;
        room[from * THREADS + threadIdx.x] = v;
    }
    __syncthreads();
    *end = room[from * THREADS + count - 1];
    __syncthreads(); /* the room is used again */
    return v;
}

/* places lo to hi of the lane that begins at base, by the threads of a block: values to y (NULL:
   none), after *carry if there is one, which becomes the end of all */
template <class S>
__device__ inline void scan_tiles(const lanes &l, bool back, int64_t base, int64_t lo, int64_t hi,
                                  const typename S::in *x, typename S::out *y,
                                  typename S::acc *carry, bool carried)
{
    typedef typename S::acc acc;
    acc before = carried ? *carry : acc(), end;
    for (int64_t k0 = lo; k0 < hi; k0 += THREADS, carried = true) {
        int64_t k = k0 + threadIdx.x, at = base + (back ? l.n - 1 - k : k) * l.inner;
        acc v = acc();
        if (k < hi)
            v = S::load(x, at, k);
        v = scan_tile<S>(v, hi - k0 < THREADS ? (int)(hi - k0) : THREADS, &end);
        if (k < hi && y)
            y[at] = S::value(carried ? S::join(before, v) : v);
        before = carried ? S::join(before, end) : end;
    }
    *carry = before;
}

template <class S>
__global__ void __launch_bounds__(THREADS)
    scan_by_block(lanes l, bool back, const typename S::in *x, typename S::out *y)
{
    for (int64_t e = blockIdx.x; e < l.count(); e += gridDim.x) {
        typename S::acc carry;
        scan_tiles<S>(l, back, l.begin(e), 0, l.n, x, y, &carry, false);
    }
}

/* part p of lane e: its end to ends[e parts + p], or with y its values, after the end before */
template <class S>
__global__ void __launch_bounds__(THREADS)
    scan_parts(lanes l, bool back, int64_t each, int64_t parts, const typename S::in *x,
               typename S::out *y, typename S::acc *ends)
{
    for (int64_t q = blockIdx.x; q < l.count() * parts; q += gridDim.x) {
        int64_t e = q / parts, p = q - e * parts, lo = p * each;
        int64_t hi = lo + each < l.n ? lo + each : l.n;
        typename S::acc carry = typename S::acc();
        if (y && p)
            carry = ends[q - 1];
        scan_tiles<S>(l, back, l.begin(e), lo, hi, x, y, &carry, y && p);
        if (!y && threadIdx.x == 0)
            ends[q] = carry;
    }
}
/* of each lane by a thread: the ends of parts become those of all before, too */
template <class S>
__global__ void __launch_bounds__(32)
    scan_ends(int64_t lanes, int64_t parts, typename S::acc *ends)
{
    AGNI_CU_EACH (e, lanes) {
        typename S::acc *end = ends + e * parts;
        for (int64_t p = 1; p < parts; p++)
            end[p] = S::join(end[p - 1], end[p]);
    }
}

/* PART: the least of a part; FEW: lanes that do not fill a device, a block each */
enum { PART = 16 * THREADS, FEW = 512, MOST_PARTS = 1024 };

template <class S>
agn_status start_parts(const agn_kernel_call *c, const lanes &l, bool back,
                       const typename S::in *x, typename S::out *y)
{
    typedef typename S::acc acc;
    cudaStream_t s = (cudaStream_t)c->stream;
    int64_t each = (l.n + MOST_PARTS - 1) / MOST_PARTS;
    each = each < PART ? PART : (each + THREADS - 1) / THREADS * THREADS;
    int64_t parts = (l.n + each - 1) / each, all = l.count() * parts;
    typename S::out *none = NULL;
    void *ends = NULL;
    agn_status st = agni_cu_scratch(c, (size_t)all * sizeof(acc), &ends);
    if (st)
        return st;
    unsigned blocks = agni_cu_blocks(all, 1);
    scan_parts<S><<<blocks, THREADS, 0, s>>>(l, back, each, parts, x, none, (acc *)ends);
    scan_ends<S><<<agni_cu_blocks(l.count(), 32), 32, 0, s>>>(l.count(), parts, (acc *)ends);
    scan_parts<S><<<blocks, THREADS, 0, s>>>(l, back, each, parts, x, y, (acc *)ends);
    agni_cu_scratch_free(c, ends);
    return AGN_OK;
}

/* ---- by look-back: a part publishes what it joins, then what all up to it do ------------------ */

#ifndef AGNI_CU_ALL_EVERY /* tests, where parts run one by one, leave some of the latter out */
#define AGNI_CU_ALL_EVERY 1
#endif

template <class S> struct is_exact { /* in any order */
    static const bool value = false;
};
template <> struct is_exact<running_sum<uint32_t>> {
    static const bool value = true;
};
template <> struct is_exact<running_sum<uint64_t>> {
    static const bool value = true;
};
template <class T, bool least> struct is_exact<running_extreme<T, least>> {
    static const bool value = true;
};

typedef unsigned long long word;
/* of a part; a link is its state and both values, in words */
enum { ITEMS = 8, LOOKED = ITEMS * THREADS, OWN = 1, ALL = 2, LINK = 5 };

template <class A> __device__ inline void publish(word *link, int state, const A &a)
{
    word w[2] = {0, 0};
    memcpy(w, &a, sizeof a);
    for (int i = 0; i < (int)(sizeof a + 7) / 8; i++)
        atomicExch(link + 2 * state - 1 + i, w[i]);
    __threadfence();
    atomicExch(link, (word)state);
}
template <class A> __device__ inline int await(word *link, A *a)
{
    word state = 0, w[2] = {0, 0};
    while (!state)
        state = atomicAdd(link, (word)0);
    __threadfence();
    for (int i = 0; i < (int)(sizeof *a + 7) / 8; i++)
        w[i] = atomicAdd(link + 2 * (int)state - 1 + i, (word)0);
    memcpy(a, w, sizeof *a);
    return (int)state;
}
/* what the parts before part q of its lane join to */
template <class S> __device__ inline typename S::acc look_back(word *links, int64_t q)
{
    typename S::acc run, a;
    int state = await(links + --q * LINK, &run);
    while (state != ALL) {
        state = await(links + --q * LINK, &a);
        run = S::join(a, run);
    }
    return run;
}

/* A block takes the next part when it begins, so that it waits for none that has not begun. */
template <class S>
__global__ void __launch_bounds__(THREADS)
    scan_by_look_back(lanes l, bool back, int64_t parts, const typename S::in *x,
                      typename S::out *y, word *ticket, word *links)
{
    typedef typename S::acc acc;
    __shared__ word taken;
    __shared__ __align__(16) unsigned char space[sizeof(acc)];
    if (threadIdx.x == 0)
        taken = atomicAdd(ticket, (word)1);
    __syncthreads();
    const int64_t q = (int64_t)taken, e = q / parts, p = q - e * parts, base = l.begin(e);
    const int64_t lo = p * LOOKED, hi = lo + LOOKED < l.n ? lo + LOOKED : l.n;
    acc v[ITEMS], own = acc(), end;
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const int64_t k0 = lo + i * THREADS, k = k0 + threadIdx.x;
        v[i] = acc();
        if (k0 >= hi)
            continue;
        if (k < hi)
            v[i] = S::load(x, base + (back ? l.n - 1 - k : k) * l.inner, k);
        v[i] = scan_tile<S>(v[i], hi - k0 < THREADS ? (int)(hi - k0) : THREADS, &end);
        v[i] = i ? S::join(own, v[i]) : v[i];
        own = i ? S::join(own, end) : end;
    }
    if (threadIdx.x == 0) {
        publish(links + q * LINK, p ? OWN : ALL, own);
        if (p) {
            *(acc *)space = look_back<S>(links, q);
            if (p % AGNI_CU_ALL_EVERY == 0)
                publish(links + q * LINK, ALL, S::join(*(acc *)space, own));
        }
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const int64_t k = lo + i * THREADS + threadIdx.x;
        if (k < hi)
            y[base + (back ? l.n - 1 - k : k) * l.inner] =
                S::value(p ? S::join(*(acc *)space, v[i]) : v[i]);
    }
}

template <class S>
agn_status start_look_back(const agn_kernel_call *c, const lanes &l, bool back,
                           const typename S::in *x, typename S::out *y)
{
    cudaStream_t s = (cudaStream_t)c->stream;
    const int64_t parts = (l.n + LOOKED - 1) / LOOKED, all = l.count() * parts;
    const size_t bytes = (size_t)(all * LINK + 1) * sizeof(word);
    void *room = NULL;
    agn_status st = agni_cu_scratch(c, bytes, &room);
    if (!st)
        st = agni_cu_check(c->device, c->op, cudaMemsetAsync(room, 0, bytes, s));
    if (!st)
        scan_by_look_back<S><<<(unsigned)all, THREADS, 0, s>>>(l, back, parts, x, y, (word *)room,
                                                              (word *)room + 1);
    agni_cu_scratch_free(c, room);
    return st;
}

template <class S>
agn_status start_long(const agn_kernel_call *c, const lanes &l, bool back, const typename S::in *x,
                      typename S::out *y)
{
    if constexpr (is_exact<S>::value)
        if ((l.n + LOOKED - 1) / LOOKED <= INT32_MAX / l.count()) /* blocks of a grid */
            return start_look_back<S>(c, l, back, x, y);
    return start_parts<S>(c, l, back, x, y);
}

template <class S> agn_status start_scan(const agn_kernel_call *c, bool back)
{
    lanes l = lanes_of(c->in, (int)c->ints[0] + c->in[0].ndim);
    cudaStream_t s = (cudaStream_t)c->stream;
    const typename S::in *x = (const typename S::in *)c->in[0].data;
    typename S::out *y = (typename S::out *)c->out[0].data;
    agn_status st = AGN_OK;
    if (l.count() * l.n == 0)
        return AGN_OK;
    int was = agni_cu_enter(c->device);
    if (l.n >= 2 * PART && l.count() < FEW)
        st = start_long<S>(c, l, back, x, y);
    else if (l.n >= THREADS && l.count() < 4096)
        scan_by_block<S><<<agni_cu_blocks(l.count(), 1), THREADS, 0, s>>>(l, back, x, y);
    else
        scan_by_thread<S><<<agni_cu_blocks(l.count(), THREADS), THREADS, 0, s>>>(l, back, x, y);
    if (!st)
        st = agni_cu_check_launch(c);
    agni_cu_leave(was);
    return st;
}

template <class T> agn_status run_cumsum(const agn_kernel_call *c)
{
    return start_scan<running_sum<T>>(c, c->ints[1] != 0);
}
template <class T> agn_status run_argcummax(const agn_kernel_call *c)
{
    return c->ints[1] ? start_scan<running_extreme<T, true>>(c, false)
                      : start_scan<running_extreme<T, false>>(c, false);
}
template <class T> agn_status run_logcumsumexp(const agn_kernel_call *c)
{
    return start_scan<running_log_sum<T>>(c, c->ints[1] != 0);
}

/* ---- y_k = a_k y_(k-1) + b_k ---------------------------------------------------------------- */

template <class T>
__global__ void __launch_bounds__(THREADS)
    recurrence_by_thread(lanes l, bool back, const T *a, const T *b, T *y)
{
    AGNI_CU_EACH (e, l.count()) {
        int64_t base = l.begin(e), at = base + (back ? l.n - 1 : 0) * l.inner;
        T v = b[at];
        y[at] = v;
        for (int64_t k = 1; k < l.n; k++) {
            at = base + (back ? l.n - 1 - k : k) * l.inner;
            v = a[at] * v + b[at];
            y[at] = v;
        }
    }
}

/* A stretch of a lane takes y before it to factor * y + rest. */
template <class W> struct stretch {
    W factor, rest;
};
template <class W>
__device__ __forceinline__ stretch<W> join(const stretch<W> &p, const stretch<W> &q)
{
    return {p.factor * q.factor, q.factor * p.rest + q.rest};
}
__device__ __forceinline__ double size_of(double v) { return fabs(v); }
__device__ __forceinline__ double size_of(const c128 &v)
{
    return fmax(fabs(v.real()), fabs(v.imag()));
}
/* Factors leave the range of numbers where the products with y do not, and growth is undone by a
   rest of the other sign. Such tiles are computed one by one; integers wrap and are exact. */
template <class W> __device__ __forceinline__ bool is_safe(const stretch<W> &p)
{
    double f = size_of(p.factor);
    return f == 0 || (f >= 0x1p-400 && f <= 4) || (f > 4 && f <= 0x1p400 && p.rest == W(0));
}
__device__ __forceinline__ bool is_safe(const stretch<uint64_t> &)
{
    return true;
}

/* tiles of one lane; W holds the products: f64 for floats */
template <class T, class W>
__global__ void __launch_bounds__(THREADS)
    recurrence_by_block(lanes l, bool back, const T *a, const T *b, T *y)
{
    __shared__ __align__(16) unsigned char space[2 * THREADS * sizeof(stretch<W>)];
    __shared__ __align__(16) unsigned char carried[sizeof(W)];
    stretch<W> *room = (stretch<W> *)space;
    W &carry = *(W *)carried;
    for (int64_t e = blockIdx.x; e < l.count(); e += gridDim.x) {
        int64_t base = l.begin(e);
        for (int64_t k0 = 0; k0 < l.n; k0 += THREADS) {
            int64_t k = k0 + threadIdx.x, at = base + (back ? l.n - 1 - k : k) * l.inner;
            int last = l.n - k0 < THREADS ? (int)(l.n - k0) - 1 : THREADS - 1, from = 0;
            stretch<W> v = {W(1), W(0)};
            if (k < l.n)
                v = {k ? W(a[at]) : W(0), W(b[at])};
            bool safe = is_safe(v);
            room[threadIdx.x] = v;
            for (int w = 1; w < THREADS; w *= 2) {
                __syncthreads();
                v = room[from * THREADS + threadIdx.x];
                if ((int)threadIdx.x >= w)
                    v = join(room[from * THREADS + threadIdx.x - w], v);
                safe = safe && is_safe(v);
                from = !from;
                room[from * THREADS + threadIdx.x] = v;
            }
            if (__syncthreads_and(safe)) {
                W now = k0 ? v.factor * carry + v.rest : v.rest;
                if (k < l.n)
                    y[at] = T(now);
                __syncthreads();
                if ((int)threadIdx.x == last)
                    carry = now;
            } else if (threadIdx.x == 0) {
                T now = k0 ? T(carry) : T(0);
                for (int64_t j = k0; j < l.n && j < k0 + THREADS; j++) {
                    int64_t to = base + (back ? l.n - 1 - j : j) * l.inner;
                    now = j ? a[to] * now + b[to] : b[to];
                    y[to] = now;
                }
                carry = W(now);
            }
            __syncthreads();
        }
    }
}

template <class T, class W> agn_status run_recurrence(const agn_kernel_call *c)
{
    lanes l = lanes_of(c->in, (int)c->ints[0] + c->in[0].ndim);
    bool back = c->ints[1] != 0;
    cudaStream_t s = (cudaStream_t)c->stream;
    const T *a = (const T *)c->in[0].data, *b = (const T *)c->in[1].data;
    T *y = (T *)c->out[0].data;
    if (l.count() * l.n == 0)
        return AGN_OK;
    int was = agni_cu_enter(c->device);
    if (l.n >= THREADS && l.count() < 1024)
        recurrence_by_block<T, W>
            <<<agni_cu_blocks(l.count(), 1), THREADS, 0, s>>>(l, back, a, b, y);
    else
        recurrence_by_thread<T>
            <<<agni_cu_blocks(l.count(), THREADS), THREADS, 0, s>>>(l, back, a, b, y);
    agn_status st = agni_cu_check_launch(c);
    agni_cu_leave(was);
    return st;
}

/* integers wrap around: unsigned */
const agn_kernel_entry table[] = {
    {"cumsum", AGN_I32, false, run_cumsum<uint32_t>},
    {"cumsum", AGN_I64, false, run_cumsum<uint64_t>},
    {"cumsum", AGN_F32, false, run_cumsum<float>},
    {"cumsum", AGN_F64, false, run_cumsum<double>},
    {"cumsum", AGN_C64, false, run_cumsum<c64>},
    {"cumsum", AGN_C128, false, run_cumsum<c128>},
    {"argcummax", AGN_BOOL, false, run_argcummax<uint8_t>},
    {"argcummax", AGN_I32, false, run_argcummax<int32_t>},
    {"argcummax", AGN_I64, false, run_argcummax<int64_t>},
    {"argcummax", AGN_F32, false, run_argcummax<float>},
    {"argcummax", AGN_F64, false, run_argcummax<double>},
    {"logcumsumexp", AGN_F32, false, run_logcumsumexp<float>},
    {"logcumsumexp", AGN_F64, false, run_logcumsumexp<double>},
    {"recurrence", AGN_I32, false, run_recurrence<uint32_t, uint64_t>},
    {"recurrence", AGN_I64, false, run_recurrence<uint64_t, uint64_t>},
    {"recurrence", AGN_F32, false, run_recurrence<float, double>},
    {"recurrence", AGN_F64, false, run_recurrence<double, double>},
    {"recurrence", AGN_C64, false, run_recurrence<c64, c128>},
    {"recurrence", AGN_C128, false, run_recurrence<c128, c128>},
};

} // namespace

extern "C" const agni_cu_table agni_cu_scans = {table, (int)(sizeof table / sizeof *table)};
