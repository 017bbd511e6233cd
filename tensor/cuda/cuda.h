/* tensor/cuda/cuda.h - interface shared by the parts of the CUDA module, in C and in CUDA C++.

   Library calls are plain C; .cu files hold kernels and their launches. The module sees the
   library through <agnesi/backend.h> alone. */
#ifndef AGNI_CUDA_H
#define AGNI_CUDA_H

#include <agnesi/backend.h>
#include <agnesi/tensor.h>
#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- arrays ---------------------------------------------------------------------------- */

/* bytes of an element, also in the .cu files */
static inline int64_t agni_cu_bytes(int dtype)
{
    static const int8_t bytes[AGN_NDTYPES] = {1, 1, 1, 2, 4, 8, 2, 2, 4, 8, 8, 16};
    return bytes[dtype];
}
static inline int64_t agni_cu_size(const agn_array *x)
{
    int64_t n = 1;
    for (int d = 0; d < x->ndim; d++)
        n *= x->shape[d];
    return n;
}

/* One loop over the elements of operand 0, to which the others broadcast. Axes of size 1 are
   dropped and neighbours that every operand walks as one are merged. Passed by value. */
enum { AGNI_CU_OPERANDS = 4 };
typedef struct agni_cu_walk {
    int64_t size;
    int64_t at; /* integer attribute of the row */
    int32_t ndim;
    void *p[AGNI_CU_OPERANDS];
    int64_t shape[AGN_MAX_RANK];
    int64_t stride[AGN_MAX_RANK][AGNI_CU_OPERANDS]; /* in elements */
} agni_cu_walk;
/* The strides of x, broadcast to ndim axes: that of axis d at stride[d pitch]. */
void agni_cu_broadcast_strides(int64_t *stride, int pitch, const agn_array *x, int ndim);
void agni_cu_make_walk(agni_cu_walk *w, const agn_array *out, int n_in, const agn_array *in);

/* ---- devices ----------------------------------------------------------------------------- */

/* Makes the device of a call current; returns the one that was, for agni_cu_leave. */
int agni_cu_enter(int32_t device);
void agni_cu_leave(int was);
/* Reports error e of op; records an error after which the device is lost. */
agn_status agni_cu_check(int32_t device, const char *op, cudaError_t e);
/* After the launch of a kernel: errors of the launch; with AGNESI_SYNC=1 of the execution, too. */
agn_status agni_cu_check_launch(const agn_kernel_call *c);
/* Memory of the stream's pool, for one call. */
agn_status agni_cu_scratch(const agn_kernel_call *c, size_t bytes, void **p);
void agni_cu_scratch_free(const agn_kernel_call *c, void *p);
/* Dense copy of an operand where its strides do not suit a library: x->data and x->stride are
   replaced; *held is freed with agni_cu_scratch_free. stride has room for its axes. */
agn_status agni_cu_make_dense(const agn_kernel_call *c, agn_array *x, int64_t *stride, void **held);

/* Faults of the data found by kernels. The word of a device is the smallest of AGNI_CU_FAULT(kind,
   entry) so far: the same one in every run. */
enum {
    AGNI_CU_GATHER,
    AGNI_CU_SCATTER_ADD,
    AGNI_CU_SCATTER_PUT,
    AGNI_CU_SCATTER_MAX,
    AGNI_CU_SCATTER_MIN,
    AGNI_CU_CHOLESKY,
    AGNI_CU_TRIANGULAR,
    AGNI_CU_NOT_FINITE,
    AGNI_CU_SINGULAR,
    AGNI_CU_NO_CONVERGENCE,
    AGNI_CU_PARAMETER,
    AGNI_CU_WEIGHTS,
    AGNI_CU_TIE,
    AGNI_CU_FAULTS
};
#define AGNI_CU_FAULT(kind, entry) ((unsigned long long)(kind) << 56 | (unsigned long long)(entry))
unsigned long long *agni_cu_fault_word(int32_t device);

/* ---- kernels shared by files ---------------------------------------------------------------- */

/* copies with conversion, any strides: operand 1 to operand 0 */
void agni_cu_convert(const agni_cu_walk *w, int to, int from, cudaStream_t stream);

/* ---- tables --------------------------------------------------------------------------------- */

typedef struct agni_cu_table {
    const agn_kernel_entry *k;
    int n;
} agni_cu_table;
extern const agni_cu_table agni_cu_bool, agni_cu_i32, agni_cu_i64, agni_cu_f32, agni_cu_f64,
    agni_cu_c64, agni_cu_c128, agni_cu_moves, agni_cu_reductions, agni_cu_indices, agni_cu_random,
    agni_cu_products, agni_cu_factors, agni_cu_transforms, agni_cu_sparse, agni_cu_chains,
    agni_cu_folds, agni_cu_softmax, agni_cu_scans, agni_cu_order, agni_cu_special, agni_cu_lu,
    agni_cu_spectral, agni_cu_samplers, agni_cu_convolutions, agni_cu_filters, agni_cu_messages,
    agni_cu_attention, agni_cu_integrals, agni_cu_loops;

#ifdef __cplusplus
}
#endif

#ifdef __CUDACC__
/* Threads for n elements: enough to fill any device, each then takes several. */
static inline unsigned agni_cu_blocks(int64_t n, int threads)
{
    int64_t b = (n + threads - 1) / threads;
    return (unsigned)(b < 1 ? 1 : b > 8192 ? 8192 : b);
}
#define AGNI_CU_EACH(i, n) \
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < (n); \
         i += (int64_t)gridDim.x * blockDim.x)

/* The offset of element i in each of N operands. */
template <int N>
static __device__ __forceinline__ void agni_cu_place(const agni_cu_walk &w, int64_t i,
                                                     int64_t (&at)[N])
{
    if (w.ndim == 1) {
#pragma unroll
        for (int k = 0; k < N; k++)
            at[k] = i * w.stride[0][k];
        return;
    }
#pragma unroll
    for (int k = 0; k < N; k++)
        at[k] = 0;
    if (w.size <= INT32_MAX) { /* 32-bit division takes a quarter of the time */
        uint32_t rest = (uint32_t)i;
        for (int d = w.ndim - 1; d >= 0; d--) {
            uint32_t n = (uint32_t)w.shape[d], q = rest / n;
            int64_t j = rest - q * n;
#pragma unroll
            for (int k = 0; k < N; k++)
                at[k] += j * w.stride[d][k];
            rest = q;
        }
    } else {
        for (int d = w.ndim - 1; d >= 0; d--) {
            int64_t q = i / w.shape[d], j = i - q * w.shape[d];
#pragma unroll
            for (int k = 0; k < N; k++)
                at[k] += j * w.stride[d][k];
            i = q;
        }
    }
}
#endif

#endif
