/* tensor/elementwise/cuda/elementwise.cuh - kernels of every element-wise row for one dtype, made
   from tensor/rows/ops.def: included by one file per dtype, which sets
     T, TR, TC  types: its own, and the real and complex ones belonging to it
     SFX, DT    macros: name suffix and number; HAS_<class> 1 where the row's class covers
     it */
#include "tensor/cuda/cuda.h"
#include "tensor/elementwise/cuda/scalar.cuh"

#include <utility>

#ifndef AGNI_CU_PART
#define AGNI_CU_PART INT32_MAX /* elements of one launch; the emulator's tests take fewer */
#endif

namespace {

/* K elements that one instruction loads or stores, of at most 16 bytes */
template <int K, class E> struct alignas(K * sizeof(E)) pack {
    E e[K];
};
template <size_t bytes> struct word;
template <> struct word<1> { using type = unsigned char; };
template <> struct word<2> { using type = unsigned short; };
template <> struct word<4> { using type = unsigned; };
template <> struct word<8> { using type = uint2; };
template <> struct word<16> { using type = uint4; };

/* as a word: the loads of a struct are one for each member */
template <int K, class E> __device__ __forceinline__ pack<K, E> load(const void *p, uint32_t i)
{
    pack<K, E> x;
    auto w = ((const typename word<sizeof x>::type *)p)[i];
    memcpy((void *)&x, &w, sizeof x);
    return x;
}

/* operands without gaps, none of them broadcast: fewer than 2^31 elements */
template <int N> struct flat {
    void *p[N];
    int64_t at;
    uint32_t size;
};

/* operands of any strides, fewer than 2^31 elements. The last of the axes is divided by, the first
   is what is left: q = x / n is x mul 2^-(32 + shift), exactly for x < 2^31 (Granlund & Montgomery
   1994, theorem 4.2) */
template <int N> struct strided {
    void *p[N];
    int64_t at;
    uint32_t size;
    int32_t ndim;
    struct axis {
        uint32_t n, mul, shift;
    } axis[AGN_MAX_RANK];
    int64_t stride[AGN_MAX_RANK][N]; /* in elements */
};

template <class F, class S> struct row;
template <class F, class O, class... I> struct row<F, O(int64_t, I...)> {
    static constexpr int N = 1 + sizeof...(I);
    static constexpr size_t bytes(int k)
    {
        const size_t size[] = {sizeof(O), sizeof(I)...};
        return size[k];
    }
    static constexpr size_t widest()
    {
        size_t most = 0;
        for (int k = 0; k < N; k++)
            most = bytes(k) > most ? bytes(k) : most;
        return most;
    }
    static constexpr int K = (int)(16 / widest());

    template <size_t... k>
    static __device__ __forceinline__ void one(const strided<N> &w, const int64_t (&at)[N],
                                               std::index_sequence<k...>)
    {
        ((O *)w.p[0])[at[0]] = F::value(w.at, ((const I *)w.p[k + 1])[at[k + 1]]...);
    }
    template <size_t... k>
    static __device__ __forceinline__ void some(const flat<N> &w, uint32_t i,
                                                std::index_sequence<k...>)
    {
        some(w, i, load<K, I>(w.p[k + 1], i)...);
    }
    static __device__ __forceinline__ void some(const flat<N> &w, uint32_t i,
                                                const pack<K, I> &...x)
    {
        pack<K, O> y;
#pragma unroll
        for (int j = 0; j < K; j++)
            y.e[j] = F::value(w.at, x.e[j]...);
        ((pack<K, O> *)w.p[0])[i] = y;
    }
    template <size_t... k>
    static __device__ __forceinline__ void last(const flat<N> &w, uint32_t i,
                                                std::index_sequence<k...>)
    {
        ((O *)w.p[0])[i] = F::value(w.at, ((const I *)w.p[k + 1])[i]...);
    }
};

template <class F, class R>
__global__ void __launch_bounds__(256) ew(const __grid_constant__ strided<R::N> w)
{
    constexpr int N = R::N;
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < w.size;
         i += gridDim.x * blockDim.x) {
        int64_t at[N] = {};
        uint32_t rest = i;
#pragma unroll 1
        for (int d = w.ndim - 1; d > 0; d--) {
            uint32_t q = (uint32_t)((uint64_t)rest * w.axis[d].mul >> 32) >> w.axis[d].shift;
            uint32_t j = rest - q * w.axis[d].n;
#pragma unroll
            for (int k = 0; k < N; k++)
                at[k] += j * w.stride[d][k];
            rest = q;
        }
#pragma unroll
        for (int k = 0; k < N; k++)
            at[k] += rest * w.stride[0][k];
        R::one(w, at, std::make_index_sequence<N - 1>());
    }
}

template <class F, class R>
__global__ void __launch_bounds__(256) ew_flat(const __grid_constant__ flat<R::N> w)
{
    const uint32_t first = blockIdx.x * blockDim.x + threadIdx.x, n = w.size / R::K;
    for (uint32_t i = first; i < n; i += gridDim.x * blockDim.x)
        R::some(w, i, std::make_index_sequence<R::N - 1>());
    if (first < w.size - n * R::K)
        R::last(w, n * R::K + first, std::make_index_sequence<R::N - 1>());
}

/* every operand a row of neighbours, where packs may be read */
inline bool is_flat(const agni_cu_walk *w, int n)
{
    bool flat = w->ndim == 1;
    for (int k = 0; flat && k < n; k++)
        flat = w->stride[0][k] == 1 && (uintptr_t)w->p[k] % 16 == 0;
    return flat;
}

/* Not for rows with functions in them: K copies of one would fill the registers, and arithmetic
   hides the loads. */
template <class F, class R> bool start_flat(const agn_kernel_call *c, const agni_cu_walk *w)
{
    if constexpr (F::is_short()) {
        if (!is_flat(w, R::N))
            return false;
        flat<R::N> f;
        f.at = w->at;
        f.size = (uint32_t)w->size;
        for (int k = 0; k < R::N; k++)
            f.p[k] = w->p[k];
        unsigned blocks = agni_cu_blocks((w->size + R::K - 1) / R::K, 256);
        ew_flat<F, R><<<blocks, 256, 0, (cudaStream_t)c->stream>>>(f);
        return true;
    }
    return false;
}

template <class F, class R> void start_strided(const agn_kernel_call *c, const agni_cu_walk *w)
{
    strided<R::N> f;
    f.at = w->at;
    f.size = (uint32_t)w->size;
    f.ndim = w->ndim;
    for (int k = 0; k < R::N; k++)
        f.p[k] = w->p[k];
    for (int d = 0; d < w->ndim; d++) {
        uint32_t n = (uint32_t)w->shape[d], bits = 1; /* n > 1 where there is a second axis */
        while (bits < 31 && n > 1u << bits)
            bits++;
        f.axis[d] = {n, (uint32_t)((((uint64_t)1 << (31 + bits)) + n - 1) / n), bits - 1};
        for (int k = 0; k < R::N; k++)
            f.stride[d][k] = w->stride[d][k];
    }
    ew<F, R><<<agni_cu_blocks(w->size, 256), 256, 0, (cudaStream_t)c->stream>>>(f);
}

/* parts that 32-bit indices count, one after the other */
template <class F, class R> void start_parts(const agn_kernel_call *c, const agni_cu_walk *w)
{
    if (w->size <= AGNI_CU_PART) {
        if (!start_flat<F, R>(c, w))
            start_strided<F, R>(c, w);
        return;
    }
    int d = 0; /* the longest axis */
    for (int e = 1; e < w->ndim; e++)
        d = w->shape[e] > w->shape[d] ? e : d;
    int64_t n = w->shape[d], half = n / 2 / 64 * 64;
    half = half ? half : n / 2;
    agni_cu_walk part = *w;
    part.size = w->size / n * half;
    part.shape[d] = half;
    start_parts<F, R>(c, &part);
    part.size = w->size - part.size;
    part.shape[d] = n - half;
    for (int k = 0; k < R::N; k++)
        part.p[k] = (char *)w->p[k] + half * w->stride[d][k] * (int64_t)R::bytes(k);
    start_parts<F, R>(c, &part);
}

template <class F> agn_status start(const agn_kernel_call *c)
{
    using R = row<F, decltype(F::value)>;
    agni_cu_walk w;
    agni_cu_make_walk(&w, c->out, R::N - 1, c->in);
    w.at = c->n_int ? c->ints[0] : 0;
    if (w.size == 0)
        return AGN_OK;
    int was = agni_cu_enter(c->device);
    start_parts<F, R>(c, &w);
    agn_status st = agni_cu_check_launch(c);
    agni_cu_leave(was);
    return st;
}

constexpr bool begins_with(const char *s, const char *start)
{
    while (*start && *s == *start)
        s++, start++;
    return !*start;
}

/* Does an expression of ops.def call none but functions of a few instructions? */
constexpr bool is_short_text(const char *s)
{
    const char *few[] = {"abs,",  "copysign,", "maximum,",     "minimum,",    "fmax,",
                         "fmin,", "square,",   "bitwise_and,", "bitwise_or,", "bitwise_xor,"};
    for (; *s; s++)
        if (begins_with(s, "FN(")) {
            bool found = false;
            for (const char *f : few)
                found = found || begins_with(s + 3, f);
            if (!found)
                return false;
        }
    return true;
}

#include "tensor/elementwise/cuda/row_words.cuh"

#define ROW_1(name, O, fwd, text, ...) \
    struct row_##name { \
        static constexpr bool is_short() { return is_short_text(text); } \
        static __device__ __forceinline__ O value(int64_t P, __VA_ARGS__) \
        { \
            (void)P; \
            return fwd; \
        } \
    };
#define ROW1_1(name, O, fwd, text) ROW_1(name, O, fwd, text, T X)
#define ROW2_1(name, O, fwd, text) ROW_1(name, O, fwd, text, T A, T B)
#define ROW3_1(name, O, fwd, text) ROW_1(name, O, fwd, text, T A, T B, T W)
#define ROW1_0(...)
#define ROW2_0(...)
#define ROW3_0(...)
#define HAS(c) CAT(HAS, c)

#define EW1(c, name, out, fwd, ...) CAT(ROW1, HAS(c))(name, OUT_##out, fwd, #fwd)
#define EW1P EW1
#define EW1X EW1
#define EW2(c, name, out, fwd, ...) CAT(ROW2, HAS(c))(name, OUT_##out, fwd, #fwd)
#define EW3(c, name, out, fwd, ...) CAT(ROW3, HAS(c))(name, OUT_##out, fwd, #fwd)
#define INNER2 EW2
#define INNER3 EW3
#define LIN1 EW1
#define LIN2 EW2
#define DISC1 EW1
#define DISC1X EW1
#define DISC2 EW2
#define DISC2X EW2
#define INNERD1 EW1
#define INNERD2 EW2
#include "tensor/rows/ops.def"
#include "tensor/rows/ops_end.h"

struct row_where {
    static constexpr bool is_short() { return true; }
    static __device__ __forceinline__ T value(int64_t, bool c, T a, T b) { return c ? a : b; }
};

#define TABLE_1(name) {#name, DT, true, start<row_##name>},
#define TABLE1_1 TABLE_1
#define TABLE2_1 TABLE_1
#define TABLE3_1 TABLE_1
#define TABLE1_0(name)
#define TABLE2_0(name)
#define TABLE3_0(name)
const agn_kernel_entry table[] = {
#define EW1(c, name, ...) CAT(TABLE1, HAS(c))(name)
#define EW1P EW1
#define EW1X EW1
#define EW2(c, name, ...) CAT(TABLE2, HAS(c))(name)
#define EW3(c, name, ...) CAT(TABLE3, HAS(c))(name)
#define INNER2 EW2
#define INNER3 EW3
#define LIN1 EW1
#define LIN2 EW2
#define DISC1 EW1
#define DISC1X EW1
#define DISC2 EW2
#define DISC2X EW2
#define INNERD1 EW1
#define INNERD2 EW2
#include "tensor/rows/ops.def"
#include "tensor/rows/ops_end.h"
    {"where", DT, true, start<row_where>},
};

} // namespace

extern "C" const agni_cu_table CAT(agni_cu, SFX) = {table, (int)(sizeof table / sizeof *table)};
