/* tensor/elementwise/cuda/fused_chain.cu - fused element-wise chains of plans: one launch runs
   straight-line code on registers for each element (tensor/rows/fused_chain.h), so that values
   between the rows never reach memory. */
#include "tensor/cuda/cuda.h"
#include "tensor/elementwise/cuda/scalar.cuh"
#include "tensor/value/coalesce.h"
#include "tensor/rows/fused_chain.h"

#include <cstring>

#define HAS_R 1
#define HAS_C 1
#define HAS_Z 0
#define HAS_I 0
#define HAS_BI 0
#define HAS_Q 1
#define HAS_N 1
#define HAS_BN 1
#define HAS_BQ 1
#define HAS_B 0
#define HAS(c) CAT(HAS, c)
#define P ((int64_t)0)
#include "tensor/elementwise/cuda/row_words.cuh"

namespace {

enum { OPERANDS = AGNI_CHAIN_INPUTS + AGNI_CHAIN_OUTPUTS };

/* passed by value; operands first, then results */
struct chain {
    int64_t size, shape[AGNI_CHAIN_RANK], stride[AGNI_CHAIN_RANK][OPERANDS]; /* in elements */
    void *p[OPERANDS];
    double number[AGNI_CHAIN_NUMBERS];
    agni_chain_word word[AGNI_CHAIN_WORDS];
    int32_t ndim, n_in, n_word;
    bool truth[OPERANDS]; /* of dtype bool */
};

template <int row> struct fused_row {
#define ONE_OF(name) row == AGNI_EW_##name ||
    static constexpr bool is = AGNI_CHAIN_ROWS(ONE_OF) false;
#undef ONE_OF
};

template <class T> __device__ __forceinline__ T apply_row(int row, T A, T B, T W)
{
    const T X = A;
    switch (row) {
#define EW1(c, name, out, fwd, ...) \
    case AGNI_EW_##name: \
        if constexpr (HAS(c) && fused_row<AGNI_EW_##name>::is) \
            return (T)(fwd); \
        break;
#include "tensor/rows/ops_alike.h"
#include "tensor/rows/ops.def"
#include "tensor/rows/ops_end.h"
    case AGNI_EW_where: return A != (T)0 ? B : W;
    }
    return X;
}

template <class T> __global__ void __launch_bounds__(256) run_chain(const __grid_constant__ chain w)
{
    AGNI_CU_EACH (i, w.size) {
        int64_t at[AGNI_CHAIN_RANK], rest = i;
        T r[AGNI_CHAIN_REGISTERS];
        for (int d = w.ndim - 1; d >= 0; d--) {
            at[d] = rest % w.shape[d];
            rest /= w.shape[d];
        }
        for (int q = 0; q < w.n_word; q++) {
            agni_chain_word v = w.word[q];
            if (v.op == AGNI_CHAIN_LOAD || v.op == AGNI_CHAIN_STORE) {
                int k = v.op == AGNI_CHAIN_LOAD ? v.a : w.n_in + v.dst;
                int64_t off = 0;
                for (int d = 0; d < w.ndim; d++)
                    off += at[d] * w.stride[d][k];
                if (v.op == AGNI_CHAIN_LOAD)
                    r[v.dst] = w.truth[k] ? (T)((bool *)w.p[k])[off] : ((T *)w.p[k])[off];
                else if (w.truth[k])
                    ((bool *)w.p[k])[off] = r[v.a] != (T)0;
                else
                    ((T *)w.p[k])[off] = r[v.a];
            } else if (v.op == AGNI_CHAIN_NUMBER) {
                r[v.dst] = (T)w.number[v.a];
            } else if (v.op == AGNI_CHAIN_MOVE) {
                r[v.dst] = r[v.a];
            } else {
                r[v.dst] = apply_row<T>(v.op, r[v.a], r[v.b], r[v.c]);
            }
        }
    }
}

void set_operand(chain *w, int k, const agn_array *x, int ndim)
{
    w->p[k] = x->data;
    w->truth[k] = x->dtype == AGN_BOOL;
    agni_cu_broadcast_strides(&w->stride[0][k], OPERANDS, x, ndim);
}

template <class T> agn_status start(const agn_kernel_call *c)
{
    chain w;
    const agn_array *y = c->out;
    memset(&w, 0, sizeof w);
    w.size = 1;
    for (int d = 0; d < y->ndim; d++)
        w.size *= w.shape[d] = y->shape[d];
    if (w.size == 0)
        return AGN_OK;
    w.n_in = c->n_in;
    w.n_word = c->n_int;
    for (int k = 0; k < c->n_in; k++)
        set_operand(&w, k, c->in + k, y->ndim);
    for (int k = 0; k < c->n_out; k++)
        set_operand(&w, c->n_in + k, c->out + k, y->ndim);
    for (int k = 0; k < c->n_real; k++)
        w.number[k] = c->reals[k];
    for (int k = 0; k < c->n_int; k++)
        w.word[k] = agni_chain_unpack(c->ints[k]);
    w.ndim = agni_ew_coalesce(y->ndim, w.shape, w.stride[0], OPERANDS, c->n_in + c->n_out);
    int was = agni_cu_enter(c->device);
    run_chain<T><<<agni_cu_blocks(w.size, 256), 256, 0, (cudaStream_t)c->stream>>>(w);
    agn_status st = agni_cu_check_launch(c);
    agni_cu_leave(was);
    return st;
}

const agn_kernel_entry table[] = {
    {"fused_elementwise", AGN_F32, true, start<float>},
    {"fused_elementwise", AGN_F64, true, start<double>},
};

} // namespace

extern "C" const agni_cu_table agni_cu_chains = {table, (int)(sizeof table / sizeof *table)};
