/* tensor/index/cuda/gather.cu - gather; scatter_add, _put, _max, _min on [batch, outer, n, inner].

   Scatters sort the positions by destination, stably; one thread then runs over equal
   destinations in the order of the indices, without atomics: the bits are those of the CPU's loop.
   More than LONG equal ones are shared by several threads, in an order that the indices decide.
   An index out of range leaves a fault behind; gather gives NaN (integers 0), scatters skip. */
#include "tensor/cuda/cuda.h"
#include "tensor/cuda/device.h"
#include <cstring>
#include <cub/device/device_radix_sort.cuh>
#include <cuda_runtime.h>
#include <thrust/complex.h>

namespace {

enum { THREADS = 256 };

struct plan {
    int64_t batch, outer, n, inner, m; /* m picked per batch */
    const void *idx;
    int idx_dtype;
    unsigned long long *fault;
    int kind; /* of the fault */
};

plan measure_slices(const agn_kernel_call *c, int kind)
{
    const agn_array *x = c->in, *idx = c->in + 1;
    int axis = (int)c->ints[0] + x->ndim, b = (int)c->ints[1];
    plan p = {1, 1, x->shape[axis], 1, 1, idx->data, idx->dtype, agni_cu_fault_word(c->device),
              kind};
    for (int d = 0; d < axis; d++)
        *(d < b ? &p.batch : &p.outer) *= x->shape[d];
    for (int d = axis + 1; d < x->ndim; d++)
        p.inner *= x->shape[d];
    for (int d = b; d < idx->ndim; d++)
        p.m *= idx->shape[d];
    return p;
}

/* index number k, wrapped to [0, n); -1 and a fault where it is out of range */
__device__ inline int64_t read_index(const plan &p, int64_t k)
{
    int64_t i;
    switch (p.idx_dtype) {
    case AGN_U8: i = ((const uint8_t *)p.idx)[k]; break;
    case AGN_I8: i = ((const int8_t *)p.idx)[k]; break;
    case AGN_I16: i = ((const int16_t *)p.idx)[k]; break;
    case AGN_I32: i = ((const int32_t *)p.idx)[k]; break;
    default: i = ((const int64_t *)p.idx)[k];
    }
    if (i >= -p.n && i < p.n)
        return i < 0 ? i + p.n : i;
    atomicMin_system(p.fault, AGNI_CU_FAULT(p.kind, k));
    return -1;
}

/* ---- gather ------------------------------------------------------------------------------- */

template <class U>
__global__ void __launch_bounds__(THREADS) gather(plan p, const U *x, U *y, U none)
{
    int64_t row = p.m * p.inner;
    AGNI_CU_EACH (e, p.batch * p.outer * row) {
        int64_t slab = e / row, rest = e - slab * row, j = rest / p.inner, k = rest - j * p.inner;
        int64_t i = read_index(p, slab / p.outer * p.m + j);
        y[e] = i < 0 ? none : x[(slab * p.n + i) * p.inner + k];
    }
}

template <class U> void start_gather(const plan &p, const agn_kernel_call *c, U none)
{
    int64_t size = p.batch * p.outer * p.m * p.inner;
    gather<U><<<agni_cu_blocks(size, THREADS), THREADS, 0, (cudaStream_t)c->stream>>>(
        p, (const U *)c->in[0].data, (U *)c->out[0].data, none);
}

agn_status run_gather(const agn_kernel_call *c)
{
    plan p = measure_slices(c, AGNI_CU_GATHER);
    if (p.batch * p.outer * p.m * p.inner == 0)
        return AGN_OK;
    const double nan = (double)NAN;
    int was = agni_cu_enter(c->device);
    switch (c->in[0].dtype) {
    case AGN_F16: start_gather<uint16_t>(p, c, 0x7e00); break;
    case AGN_BF16: start_gather<uint16_t>(p, c, 0x7fc0); break;
    case AGN_F32: start_gather<float>(p, c, (float)nan); break;
    case AGN_F64: start_gather<double>(p, c, nan); break;
    case AGN_C64: start_gather<float2>(p, c, float2{(float)nan, (float)nan}); break;
    case AGN_C128: start_gather<double2>(p, c, double2{nan, nan}); break;
    default:
        switch (agni_cu_bytes(c->in[0].dtype)) {
        case 1: start_gather<uint8_t>(p, c, 0); break;
        case 2: start_gather<uint16_t>(p, c, 0); break;
        case 4: start_gather<uint32_t>(p, c, 0); break;
        default: start_gather<uint64_t>(p, c, 0);
        }
    }
    agn_status st = agni_cu_check_launch(c);
    agni_cu_leave(was);
    return st;
}

/* ---- scatters -------------------------------------------------------------------------------- */

/* key of a position: batch * n + destination; the largest where the index is out of range */
__global__ void __launch_bounds__(THREADS) keys_of(plan p, uint64_t *key, int64_t *place)
{
    AGNI_CU_EACH (k, p.batch * p.m) {
        int64_t i = read_index(p, k);
        key[k] = (uint64_t)(i < 0 ? p.batch * p.n : k / p.m * p.n + i);
        place[k] = k;
    }
}

enum { PUT, ADD, MOST, LEAST };
/* what is in a place after b has come; NaN stays */
template <int how, class U> __device__ __forceinline__ U met(const U &a, const U &b)
{
    if constexpr (how == ADD)
        return a + b;
    else if constexpr (how == MOST)
        return b > a || b != b ? b : a;
    else if constexpr (how == LEAST)
        return b < a || b != b ? b : a;
    else
        return b;
}

/* Equal keys are a run. Of a run of more than LONG the positions from one multiple of PIECE to the
   next are met by a thread of its own: piece[outer inner] for each multiple. */
enum { PIECE = 1024, LONG = 4 * PIECE };
__device__ inline bool is_long(const uint64_t *key, int64_t places, int64_t first)
{
    return first + LONG < places && key[first + LONG] == key[first];
}
/* the first position from lo on whose key is at least v, or hi; keys ascend */
__device__ inline int64_t find_key(const uint64_t *key, int64_t lo, int64_t hi, uint64_t v)
{
    while (lo < hi) {
        int64_t mid = lo + (hi - lo) / 2;
        if (key[mid] < v)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

template <class U, int how>
__global__ void __launch_bounds__(THREADS)
    walk_pieces(plan p, const uint64_t *key, const int64_t *place, const U *v, U *piece)
{
    int64_t places = p.batch * p.m, pieces = (places + PIECE - 1) / PIECE;
    AGNI_CU_EACH (e, pieces * p.outer * p.inner) {
        int64_t rest = e / p.inner, k = e - rest * p.inner, j = rest / p.outer,
                o = rest - j * p.outer, q = j * PIECE, end = q + PIECE;
        end = end < places ? end : places;
        uint64_t mine = key[q];
        if (j == 0 || mine == (uint64_t)(p.batch * p.n) || key[q - 1] != mine ||
            !is_long(key, places, find_key(key, 0, q, mine)))
            continue;
        int64_t b = (int64_t)mine / p.n, slab = b * p.outer + o;
        const U *from = v + slab * p.m * p.inner + k;
        U a = from[(place[q] - b * p.m) * p.inner];
        for (q++; q < end && key[q] == mine; q++)
            a = met<how>(a, from[(place[q] - b * p.m) * p.inner]);
        piece[e] = a;
    }
}

/* self: what is in the place takes part; piece: NULL where runs are not cut */
template <class U, int how>
__global__ void __launch_bounds__(THREADS)
    walk_runs(plan p, bool self, const uint64_t *key, const int64_t *place, const U *v,
              const U *piece, U *y)
{
    int64_t places = p.batch * p.m;
    AGNI_CU_EACH (e, places * p.outer * p.inner) {
        int64_t rest = e / p.inner, k = e - rest * p.inner, o = rest / places,
                q = rest - o * places;
        uint64_t mine = key[q];
        if (mine == (uint64_t)(p.batch * p.n) || (q > 0 && key[q - 1] == mine))
            continue;
        int64_t b = (int64_t)mine / p.n, i = (int64_t)mine - b * p.n, slab = b * p.outer + o;
        U *to = y + (slab * p.n + i) * p.inner + k;
        const U *from = v + slab * p.m * p.inner + k;
        U a = *to;
        if (!self) { /* as on the CPU: after all are put, which tells of zeros of both signs */
            int64_t last = find_key(key, q, places, mine + 1) - 1;
            a = from[(place[last] - b * p.m) * p.inner];
        }
        int64_t j = q / PIECE + 1, end = places;
        if (piece && is_long(key, places, q))
            end = j * PIECE;
        for (; q < end && key[q] == mine; q++)
            a = met<how>(a, from[(place[q] - b * p.m) * p.inner]);
        for (; end < places && j * PIECE < places && key[j * PIECE] == mine; j++)
            a = met<how>(a, piece[(j * p.outer + o) * p.inner + k]);
        *to = a;
    }
}

int count_bits(uint64_t n)
{
    int bits = 1;
    while (bits < 64 && n >> bits)
        bits++;
    return bits;
}

/* keys, positions, both sorted, of block bytes each, and room for the sort */
cudaError_t measure_sort(const plan &p, int *bits, size_t *block, size_t *room)
{
    int64_t n = p.batch * p.m;
    uint64_t *none = NULL;
    int64_t *no_place = NULL;
    *bits = count_bits((uint64_t)(p.batch * p.n));
    *block = ((size_t)n * 8 + 255) / 256 * 256;
    return cub::DeviceRadixSort::SortPairs(NULL, *room, none, none, no_place, no_place, n, 0,
                                           *bits);
}

/* bytes of what pieces give, if runs are cut: puts take the last */
size_t bytes_of_pieces(const plan &p, bool cut, size_t size)
{
    int64_t pieces = (p.batch * p.m + PIECE - 1) / PIECE;
    return cut && p.batch * p.m > LONG ? (size_t)(pieces * p.outer * p.inner) * size : 0;
}

agn_status sort_positions(const agn_kernel_call *c, const plan &p, size_t piece_bytes, void **held,
                          const uint64_t **key, const int64_t **place, void **piece)
{
    int64_t n = p.batch * p.m;
    size_t room = 0, block = 0;
    int bits = 0;
    cudaStream_t s = (cudaStream_t)c->stream;
    cudaError_t e = measure_sort(p, &bits, &block, &room);
    agn_status st = agni_cu_check(c->device, c->op, e);
    if (!st)
        st = agni_cu_scratch(c, (piece_bytes + 255) / 256 * 256 + 4 * block + room, held);
    if (st)
        return st;
    piece_bytes = (piece_bytes + 255) / 256 * 256;
    char *at = (char *)*held + piece_bytes;
    *piece = piece_bytes ? *held : NULL;
    uint64_t *k0 = (uint64_t *)at, *k1 = (uint64_t *)(at + block);
    int64_t *p0 = (int64_t *)(at + 2 * block), *p1 = (int64_t *)(at + 3 * block);
    keys_of<<<agni_cu_blocks(n, THREADS), THREADS, 0, s>>>(p, k0, p0);
    e = cub::DeviceRadixSort::SortPairs(at + 4 * block, room, k0, k1, p0, p1, n, 0, bits, s);
    *key = k1;
    *place = p1;
    return agni_cu_check(c->device, c->op, e);
}

template <class U, int how> agn_status run_scatter(const agn_kernel_call *c)
{
    static const int kinds[] = {AGNI_CU_SCATTER_PUT, AGNI_CU_SCATTER_ADD, AGNI_CU_SCATTER_MAX,
                                AGNI_CU_SCATTER_MIN};
    plan p = measure_slices(c, kinds[how]);
    bool self = c->n_int < 3 || c->ints[2];
    int64_t size = p.batch * p.outer * p.n * p.inner, work = p.batch * p.m * p.outer * p.inner;
    cudaStream_t s = (cudaStream_t)c->stream;
    const uint64_t *key;
    const int64_t *place;
    void *held = NULL, *piece = NULL;
    agn_status st = AGN_OK;
    int was = agni_cu_enter(c->device);
    if (size && c->out[0].data != c->in[0].data)
        st = agni_cu_check(c->device, c->op,
                           cudaMemcpyAsync(c->out[0].data, c->in[0].data,
                                           (size_t)size * sizeof(U), cudaMemcpyDeviceToDevice, s));
    if (!st && p.batch * p.m > 0)
        st = sort_positions(c, p, bytes_of_pieces(p, how != PUT, sizeof(U)), &held, &key, &place,
                            &piece);
    if (!st && work) {
        const U *v = (const U *)c->in[2].data;
        if (piece)
            walk_pieces<U, how><<<agni_cu_blocks(work / PIECE + 1, THREADS), THREADS, 0, s>>>(
                p, key, place, v, (U *)piece);
        walk_runs<U, how><<<agni_cu_blocks(work, THREADS), THREADS, 0, s>>>(
            p, self, key, place, v, (const U *)piece, (U *)c->out[0].data);
        st = agni_cu_check_launch(c);
    }
    agni_cu_scratch_free(c, held);
    agni_cu_leave(was);
    return st;
}

using c64 = thrust::complex<float>;
using c128 = thrust::complex<double>;

#define PUTS(dt, U) {"scatter_put", dt, false, run_scatter<U, PUT>}
#define EXTREMES(dt, U) \
    {"scatter_max", dt, false, run_scatter<U, MOST>}, \
    { \
        "scatter_min", dt, false, run_scatter<U, LEAST> \
    }
const agn_kernel_entry table[] = {
    {"gather", -1, false, run_gather},
    {"sparse_embedding", -1, false, run_gather},
    {"scatter_add", AGN_I32, false, run_scatter<uint32_t, ADD>},
    {"scatter_add", AGN_I64, false, run_scatter<uint64_t, ADD>},
    {"scatter_add", AGN_F32, false, run_scatter<float, ADD>},
    {"scatter_add", AGN_F64, false, run_scatter<double, ADD>},
    {"scatter_add", AGN_C64, false, run_scatter<c64, ADD>},
    {"scatter_add", AGN_C128, false, run_scatter<c128, ADD>},
    PUTS(AGN_BOOL, uint8_t),
    PUTS(AGN_U8, uint8_t),
    PUTS(AGN_I8, uint8_t),
    PUTS(AGN_I16, uint16_t),
    PUTS(AGN_F16, uint16_t),
    PUTS(AGN_BF16, uint16_t),
    PUTS(AGN_I32, uint32_t),
    PUTS(AGN_F32, uint32_t),
    PUTS(AGN_I64, uint64_t),
    PUTS(AGN_F64, uint64_t),
    PUTS(AGN_C64, uint64_t),
    PUTS(AGN_C128, double2),
    EXTREMES(AGN_I32, int32_t),
    EXTREMES(AGN_I64, int64_t),
    EXTREMES(AGN_F32, float),
    EXTREMES(AGN_F64, double),
};

} // namespace

extern "C" agn_status agni_cu_scatter_workspace(const agn_kernel_call *c, size_t *bytes)
{
    plan p = measure_slices(c, AGNI_CU_SCATTER_ADD);
    size_t room = 0, block = 0;
    int bits = 0;
    *bytes = 0;
    if (p.batch * p.m == 0)
        return AGN_OK;
    int was = agni_cu_enter(c->device);
    cudaError_t e = measure_sort(p, &bits, &block, &room);
    agni_cu_leave(was);
    size_t pieces = bytes_of_pieces(p, strcmp(c->op, "scatter_put") != 0,
                                    (size_t)agni_cu_bytes(c->out[0].dtype));
    if (!e)
        *bytes = (pieces + 255) / 256 * 256 + 4 * block + room;
    return agni_cu_check(c->device, c->op, e);
}

extern "C" const agni_cu_table agni_cu_indices = {table, (int)(sizeof table / sizeof *table)};
