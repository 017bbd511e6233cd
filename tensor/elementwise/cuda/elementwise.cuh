/* tensor/elementwise/cuda/elementwise.cuh - kernels of every element-wise row for one dtype, made
   from tensor/rows/ops.def: included by one file per dtype, which sets
     T, TR, TC  types: its own, and the real and complex ones belonging to it
     SFX, DT    macros: name suffix and number; HAS_<class> 1 where the row's class covers
     it */
#include "tensor/cuda/cuda.h"
#include "tensor/elementwise/cuda/scalar.cuh"

namespace {

template <int N, class F>
__global__ void __launch_bounds__(256) ew(const __grid_constant__ agni_cu_walk w)
{
    AGNI_CU_EACH (i, w.size) {
        int64_t at[N];
        agni_cu_place<N>(w, i, at);
        F::one(w, at);
    }
}

template <int N, class F> agn_status start(const agn_kernel_call *c)
{
    agni_cu_walk w;
    agni_cu_make_walk(&w, c->out, N - 1, c->in);
    w.at = c->n_int ? c->ints[0] : 0;
    if (w.size == 0)
        return AGN_OK;
    int was = agni_cu_enter(c->device);
    ew<N, F><<<agni_cu_blocks(w.size, 256), 256, 0, (cudaStream_t)c->stream>>>(w);
    agn_status st = agni_cu_check_launch(c);
    agni_cu_leave(was);
    return st;
}

#include "tensor/elementwise/cuda/row_words.cuh"
#define P w.at

#define AT(type, k) (((type *)w.p[k])[at[k]])
#define ROW1_1(name, O, fwd) \
    struct row_##name { \
        static __device__ __forceinline__ void one(const agni_cu_walk &w, const int64_t (&at)[2]) \
        { \
            T X = AT(T, 1); \
            AT(O, 0) = fwd; \
        } \
    };
#define ROW2_1(name, O, fwd) \
    struct row_##name { \
        static __device__ __forceinline__ void one(const agni_cu_walk &w, const int64_t (&at)[3]) \
        { \
            T A = AT(T, 1), B = AT(T, 2); \
            AT(O, 0) = fwd; \
        } \
    };
#define ROW3_1(name, O, fwd) \
    struct row_##name { \
        static __device__ __forceinline__ void one(const agni_cu_walk &w, const int64_t (&at)[4]) \
        { \
            T A = AT(T, 1), B = AT(T, 2), W = AT(T, 3); \
            AT(O, 0) = fwd; \
        } \
    };
#define ROW1_0(...)
#define ROW2_0(...)
#define ROW3_0(...)
#define HAS(c) CAT(HAS, c)

#define EW1(c, name, out, fwd, ...) CAT(ROW1, HAS(c))(name, OUT_##out, fwd)
#define EW1P EW1
#define EW1X EW1
#define EW2(c, name, out, fwd, ...) CAT(ROW2, HAS(c))(name, OUT_##out, fwd)
#define EW3(c, name, out, fwd, ...) CAT(ROW3, HAS(c))(name, OUT_##out, fwd)
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
    static __device__ __forceinline__ void one(const agni_cu_walk &w, const int64_t (&at)[4])
    {
        AT(T, 0) = AT(bool, 1) ? AT(T, 2) : AT(T, 3);
    }
};

#define TABLE1_1(name) {#name, DT, true, start<2, row_##name>},
#define TABLE2_1(name) {#name, DT, true, start<3, row_##name>},
#define TABLE3_1(name) {#name, DT, true, start<4, row_##name>},
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
    {"where", DT, true, start<4, row_where>},
};

} // namespace

extern "C" const agni_cu_table CAT(agni_cu, SFX) = {table, (int)(sizeof table / sizeof *table)};
