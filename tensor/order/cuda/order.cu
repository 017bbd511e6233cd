/* tensor/order/cuda/order.cu - sort, argsort, searchsorted. Keys are unsigned numbers in the order
   of the values (tensor/order/sort.c): NaN last in either direction, -0 and 0 equal, the order
   stable. Short lanes are sorted by a block each (Batcher 1968), others together: by key, then
   stably by lane. */
#include "tensor/cuda/cuda.h"
#include "tensor/cuda/device.h"
#include <cub/device/device_radix_sort.cuh>
#include <cuda_runtime.h>

namespace {

enum { THREADS = 256, SHORT = 1024 };

/* [outer, n, inner] */
struct lines {
    int64_t outer, n, inner, first, count; /* a window of the order */
    __host__ __device__ int64_t total() const { return outer * inner; }
    __device__ __forceinline__ int64_t place(int64_t lane, int64_t k, int64_t length) const
    {
        int64_t o = lane / inner;
        return (o * length + k) * inner + (lane - o * inner);
    }
};
lines lines_of(const agn_kernel_call *c)
{
    const agn_array *x = c->in;
    int axis = (int)c->ints[0] + x->ndim;
    lines l = {1, x->shape[axis], 1, 0, 0};
    for (int d = 0; d < axis; d++)
        l.outer *= x->shape[d];
    for (int d = axis + 1; d < x->ndim; d++)
        l.inner *= x->shape[d];
    l.first = c->n_int == 4 ? c->ints[2] : 0;
    l.count = c->n_int == 4 ? c->ints[3] : l.n;
    return l;
}

/* ---- keys ----------------------------------------------------------------------------------- */

template <class T> struct key_of;
template <> struct key_of<uint8_t> {
    typedef uint32_t type;
    static __device__ __forceinline__ type map(uint8_t x, bool down) { return down ? 255u - x : x; }
};
template <> struct key_of<int32_t> {
    typedef uint32_t type;
    static __device__ __forceinline__ type map(int32_t x, bool down)
    {
        type k = (type)x ^ 0x80000000u;
        return down ? ~k : k;
    }
};
template <> struct key_of<int64_t> {
    typedef uint64_t type;
    static __device__ __forceinline__ type map(int64_t x, bool down)
    {
        type k = (type)x ^ 0x8000000000000000u;
        return down ? ~k : k;
    }
};
template <class T, class U> struct float_key {
    typedef U type;
    static __device__ __forceinline__ U map(T x, bool down)
    {
        const U top = (U)1 << (8 * sizeof(U) - 1);
        if (x != x)
            return ~(U)0;
        if (x == 0)
            x = 0; /* of either sign */
        U u;
        memcpy(&u, &x, sizeof u);
        u = u & top ? ~u : u | top;
        return down ? ~u : u;
    }
};
template <> struct key_of<float> : float_key<float, uint32_t> {
};
template <> struct key_of<double> : float_key<double, uint64_t> {
};

/* element r of the order of a lane is element k of it */
template <class T, bool values>
__device__ __forceinline__ void store_key(const lines &l, const T *x, void *y, int64_t lane,
                                          int64_t r, int64_t k)
{
    if (r < l.first || r >= l.first + l.count)
        return;
    int64_t to = l.place(lane, r - l.first, l.count);
    if (values)
        ((T *)y)[to] = x[l.place(lane, k, l.n)];
    else
        ((int64_t *)y)[to] = k;
}

/* ---- a lane in shared memory: a bitonic network of width 2^m -------------------------------- */

template <class T, bool values>
__global__ void __launch_bounds__(SHORT / 2)
    sort_by_block(lines l, bool down, int width, const T *x, void *y)
{
    typedef typename key_of<T>::type U;
    __shared__ U key[SHORT];
    __shared__ int at[SHORT];
    for (int64_t lane = blockIdx.x; lane < l.total(); lane += gridDim.x) {
        for (int k = (int)threadIdx.x; k < width; k += (int)blockDim.x) {
            key[k] = k < l.n ? key_of<T>::map(x[l.place(lane, k, l.n)], down) : ~(U)0;
            at[k] = k; /* those beyond the lane come last among equals */
        }
        for (int size = 2; size <= width; size *= 2)
            for (int step = size / 2; step > 0; step /= 2) {
                __syncthreads();
                for (int p = (int)threadIdx.x; p < width / 2; p += (int)blockDim.x) {
                    int i = 2 * p - (p & (step - 1)), j = i + step;
                    bool up = (i & size) == 0;
                    U a = key[i], b = key[j];
                    int ia = at[i], ib = at[j];
                    if ((a > b || (a == b && ia > ib)) == up) {
                        key[i] = b, key[j] = a;
                        at[i] = ib, at[j] = ia;
                    }
                }
            }
        __syncthreads();
        for (int r = (int)threadIdx.x; r < l.n; r += (int)blockDim.x)
            store_key<T, values>(l, x, y, lane, r, at[r]);
        __syncthreads();
    }
}

/* ---- all lanes by radix --------------------------------------------------------------------- */

template <class T>
__global__ void __launch_bounds__(THREADS)
    make_keys(lines l, bool down, const T *x, typename key_of<T>::type *key, int64_t *place)
{
    AGNI_CU_EACH (e, l.total() * l.n) {
        int64_t lane = e / l.n;
        key[e] = key_of<T>::map(x[l.place(lane, e - lane * l.n, l.n)], down);
        place[e] = e;
    }
}
__global__ void __launch_bounds__(THREADS)
    lanes_of_places(int64_t n, int64_t size, const int64_t *place, uint64_t *lane)
{
    AGNI_CU_EACH (e, size)
        lane[e] = (uint64_t)(place[e] / n);
}
template <class T, bool values>
__global__ void __launch_bounds__(THREADS)
    store_order(lines l, const int64_t *place, const T *x, void *y)
{
    AGNI_CU_EACH (e, l.total() * l.n) {
        int64_t lane = e / l.n;
        store_key<T, values>(l, x, y, lane, e - lane * l.n, place[e] - lane * l.n);
    }
}

/* Keys and places, both sorted, of block bytes each, and room for the sort. */
struct radix {
    int bits, lane_bits;
    size_t block, room;
};
template <class T> cudaError_t measure_radix(const lines &l, radix *r)
{
    typedef typename key_of<T>::type U;
    int64_t size = l.total() * l.n, lanes = l.total();
    size_t more = 0;
    *r = {sizeof(T) == 1 ? 8 : (int)(8 * sizeof(U)), 1, ((size_t)size * 8 + 255) / 256 * 256, 0};
    while (r->lane_bits < 63 && lanes >> r->lane_bits)
        r->lane_bits++;
    U *no_key = NULL;
    uint64_t *no_lane = NULL;
    int64_t *none = NULL;
    cudaError_t e = cub::DeviceRadixSort::SortPairs(NULL, r->room, no_key, no_key, none, none, size,
                                                    0, r->bits);
    if (!e && lanes > 1)
        e = cub::DeviceRadixSort::SortPairs(NULL, more, no_lane, no_lane, none, none, size, 0,
                                            r->lane_bits);
    r->room = r->room > more ? r->room : more;
    return e;
}

template <class T, bool values>
agn_status sort_by_radix(const agn_kernel_call *c, const lines &l, bool down)
{
    typedef typename key_of<T>::type U;
    int64_t size = l.total() * l.n, lanes = l.total();
    cudaStream_t s = (cudaStream_t)c->stream;
    void *held = NULL;
    radix r;
    cudaError_t e = measure_radix<T>(l, &r);
    agn_status st = agni_cu_check(c->device, c->op, e);
    size_t block = r.block, room = r.room;
    int bits = r.bits, lane_bits = r.lane_bits;
    if (!st)
        st = agni_cu_scratch(c, 4 * block + room, &held);
    if (st)
        return st;
    char *at = (char *)held;
    void *k0 = at, *k1 = at + block;
    int64_t *p0 = (int64_t *)(at + 2 * block), *p1 = (int64_t *)(at + 3 * block);
    unsigned blocks = agni_cu_blocks(size, THREADS);
    make_keys<T><<<blocks, THREADS, 0, s>>>(l, down, (const T *)c->in[0].data, (U *)k0, p0);
    e = cub::DeviceRadixSort::SortPairs(at + 4 * block, room, (U *)k0, (U *)k1, p0, p1, size, 0,
                                        bits, s);
    if (!e && lanes > 1) {
        lanes_of_places<<<blocks, THREADS, 0, s>>>(l.n, size, p1, (uint64_t *)k0);
        e = cub::DeviceRadixSort::SortPairs(at + 4 * block, room, (uint64_t *)k0, (uint64_t *)k1,
                                            p1, p0, size, 0, lane_bits, s);
        p1 = p0;
    }
    if (!e)
        store_order<T, values>
            <<<blocks, THREADS, 0, s>>>(l, p1, (const T *)c->in[0].data, c->out[0].data);
    st = agni_cu_check(c->device, c->op, e);
    agni_cu_scratch_free(c, held);
    return st;
}

template <class T, bool values> agn_status run_sort(const agn_kernel_call *c)
{
    lines l = lines_of(c);
    bool down = c->ints[1] != 0;
    agn_status st = AGN_OK;
    if (l.total() * l.count == 0)
        return AGN_OK;
    int was = agni_cu_enter(c->device);
    if (l.n <= SHORT) {
        int width = 2, threads = 32;
        while (width < l.n)
            width *= 2;
        while (threads < width / 2)
            threads *= 2;
        sort_by_block<T, values>
            <<<agni_cu_blocks(l.total(), 1), threads, 0, (cudaStream_t)c->stream>>>(
                l, down, width, (const T *)c->in[0].data, c->out[0].data);
    } else {
        st = sort_by_radix<T, values>(c, l, down);
    }
    if (!st)
        st = agni_cu_check_launch(c);
    agni_cu_leave(was);
    return st;
}

template <class T> cudaError_t sort_workspace(const lines &l, size_t *bytes)
{
    radix r;
    cudaError_t e = measure_radix<T>(l, &r);
    *bytes = e ? 0 : 4 * r.block + r.room;
    return e;
}

/* ---- searchsorted: rows [b.., n], values [b.., any..] --------------------------------------- */

template <class T>
__global__ void __launch_bounds__(THREADS)
    search(int64_t rows, int64_t n, int64_t m, bool right, const T *sorted, const T *v, int64_t *y)
{
    AGNI_CU_EACH (e, rows * m) {
        const T *row = sorted + e / m * n;
        T x = v[e];
        const T *base = row; /* the steps of tensor/order/searchsorted.c: the same place in any row */
        for (int64_t left = n; left > 0; left -= (left + 1) / 2) {
            int64_t half = (left + 1) / 2;
            T b = base[half - 1];
            base += (right ? b <= x || x != x : b < x || (x != x && b == b)) ? half : 0;
        }
        y[e] = base - row;
    }
}

template <class T> agn_status run_search(const agn_kernel_call *c)
{
    const agn_array *a = c->in, *v = c->in + 1;
    int64_t rows = 1, m = 1, n = a->shape[a->ndim - 1];
    for (int d = 0; d < v->ndim; d++)
        *(d < a->ndim - 1 ? &rows : &m) *= v->shape[d];
    if (rows * m == 0)
        return AGN_OK;
    int was = agni_cu_enter(c->device);
    search<T><<<agni_cu_blocks(rows * m, THREADS), THREADS, 0, (cudaStream_t)c->stream>>>(
        rows, n, m, c->ints[0] != 0, (const T *)a->data, (const T *)v->data,
        (int64_t *)c->out[0].data);
    agn_status st = agni_cu_check_launch(c);
    agni_cu_leave(was);
    return st;
}

#define OF(dt, T) \
    {"sort", dt, false, run_sort<T, true>}, {"argsort", dt, false, run_sort<T, false>}, \
        {"argsort_window", dt, false, run_sort<T, false>}, \
    { \
        "searchsorted", dt, false, run_search<T> \
    }
const agn_kernel_entry table[] = {
    OF(AGN_BOOL, uint8_t), OF(AGN_I32, int32_t), OF(AGN_I64, int64_t),
    OF(AGN_F32, float),    OF(AGN_F64, double),
};

} // namespace

extern "C" agn_status agni_cu_sort_workspace(const agn_kernel_call *c, size_t *bytes)
{
    lines l = lines_of(c);
    cudaError_t e = cudaSuccess;
    *bytes = 0;
    if (l.total() * l.count == 0 || l.n <= SHORT)
        return AGN_OK;
    int was = agni_cu_enter(c->device);
    switch (c->in[0].dtype) {
    case AGN_BOOL: e = sort_workspace<uint8_t>(l, bytes); break;
    case AGN_I32: e = sort_workspace<int32_t>(l, bytes); break;
    case AGN_I64: e = sort_workspace<int64_t>(l, bytes); break;
    case AGN_F32: e = sort_workspace<float>(l, bytes); break;
    case AGN_F64: e = sort_workspace<double>(l, bytes); break;
    default: break;
    }
    agni_cu_leave(was);
    return agni_cu_check(c->device, c->op, e);
}

extern "C" const agni_cu_table agni_cu_order = {table, (int)(sizeof table / sizeof *table)};
