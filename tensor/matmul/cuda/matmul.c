/* tensor/matmul/cuda/matmul.c - matmul by cuBLAS. Row-major C = A B is column-major C^T = B^T A^T:
   operands are swapped, and nothing is copied unless neither axis of a matrix is dense. The math
   mode is the default one: f32 is f32. */
#include "tensor/cuda/device.h"
#include "tensor/matmul/cuda/blas.h"

#include <stdio.h>

enum { MAX_DEVICES = 256 };
/* With the memory that cuBLAS works in: it would take its own from the pool, which a graph keeps as
   nodes that a loop's body must not have (cuBLAS, CUDA graphs support). */
typedef struct blas {
    cublasHandle_t handle;
    void *room;
    size_t bytes;
} blas;
static blas blases[MAX_DEVICES];

void agni_cu_int_matmul(const agn_kernel_call *c, const agni_cu_walk *w, const int64_t *size,
                        const int64_t *stride);

/* as much as cuBLAS takes by default (cublasSetWorkspace) */
static cublasStatus_t start_blas(blas *q, int32_t device)
{
    int major = 0, was = agni_cu_begin_lasting();
    cublasStatus_t e = cublasCreate(&q->handle);
    if (!e)
        e = cublasSetMathMode(q->handle, CUBLAS_DEFAULT_MATH);
    (void)cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    q->bytes = (size_t)(major >= 9 ? 32 : 4) << 20;
    if (!e && cudaMalloc(&q->room, q->bytes))
        e = CUBLAS_STATUS_ALLOC_FAILED;
    if (e && q->handle)
        (void)cublasDestroy(q->handle);
    if (e)
        *q = (blas){NULL, NULL, 0};
    agni_cu_end_lasting(was);
    return e;
}

cublasStatus_t agni_cu_blas(const agn_kernel_call *c, cublasHandle_t *h)
{
    blas *q = &blases[c->device];
    agni_cu_take_turn(c->device, AGNI_CU_BLAS);
    cublasStatus_t e = q->handle ? CUBLAS_STATUS_SUCCESS : start_blas(q, c->device);
    if (!e)
        e = cublasSetStream(q->handle, c->stream);
    if (!e) /* the stream was set: the handle has forgotten it */
        e = cublasSetWorkspace(q->handle, q->room, q->bytes);
    *h = q->handle;
    return e;
}

agn_status agni_cu_blas_done(const agn_kernel_call *c, cublasStatus_t e)
{
    char text[256];
    agni_cu_end_turn(c->device, AGNI_CU_BLAS);
    if (e == CUBLAS_STATUS_SUCCESS)
        return AGN_OK;
    agn_status st = agni_cu_check(c->device, c->op, cudaGetLastError());
    if (st)
        return st;
    snprintf(text, sizeof text, "%s: cuBLAS reports %s: %s", c->op, cublasGetStatusName(e),
             cublasGetStatusString(e));
    return agn_backend_fail(e == CUBLAS_STATUS_ALLOC_FAILED ? AGN_ENOMEM : AGN_EDEVICE, text);
}

bool agni_cu_blas_layout(int64_t rows, int64_t cols, int64_t rs, int64_t cs, agni_cu_side *s)
{
    if (cols == 1)
        cs = 1;
    if (rows == 1)
        rs = cs == 1 ? cols : 1;
    if (cs == 1 && rs >= (cols > 1 ? cols : 1)) {
        s->ld = rs;
        s->op = CUBLAS_OP_N;
        return true;
    }
    if (rs == 1 && cs >= (rows > 1 ? rows : 1)) {
        s->ld = cs;
        s->op = CUBLAS_OP_T;
        return true;
    }
    return false;
}

void agni_cu_batch(const agn_kernel_call *c, const agn_array *a, const agn_array *b,
                   agni_cu_walk *w)
{
    agn_array y = c->out[0], in[2] = {*a, *b};
    y.ndim -= 2;
    in[0].ndim -= 2;
    in[1].ndim -= 2;
    agni_cu_make_walk(w, &y, 2, in);
}

static cublasStatus_t multiply_batches(const agn_kernel_call *c, cublasHandle_t h,
                                       const int64_t *size, const agni_cu_side *a,
                                       const agni_cu_side *b, const agni_cu_walk *w)
{
    static const struct {
        cudaDataType_t type;
        cublasComputeType_t compute;
    } kind[AGN_NDTYPES] = {
        [AGN_F32] = {CUDA_R_32F, CUBLAS_COMPUTE_32F},
        [AGN_F64] = {CUDA_R_64F, CUBLAS_COMPUTE_64F},
        [AGN_C64] = {CUDA_C_32F, CUBLAS_COMPUTE_32F},
        [AGN_C128] = {CUDA_C_64F, CUBLAS_COMPUTE_64F},
    };
    static const float one32[2] = {1, 0}, zero32[2] = {0, 0};
    static const double one64[2] = {1, 0}, zero64[2] = {0, 0};
    int dtype = c->out[0].dtype, last = w->ndim - 1;
    bool wide = dtype == AGN_F64 || dtype == AGN_C128;
    const void *one = wide ? (const void *)one64 : one32,
               *zero = wide ? (const void *)zero64 : zero32;
    int64_t m = size[0], n = size[1], k = size[2], bytes = agni_cu_bytes(dtype);
    cudaDataType_t t = kind[dtype].type;
    /* the last batch axis in one call, the others one after the other */
    for (int64_t i = 0, calls = w->size / w->shape[last]; i < calls; i++) {
        int64_t at[3] = {0, 0, 0}, rest = i;
        for (int d = last - 1; d >= 0; d--) {
            for (int j = 0; j < 3; j++)
                at[j] += rest % w->shape[d] * w->stride[d][j];
            rest /= w->shape[d];
        }
        cublasStatus_t e = cublasGemmStridedBatchedEx_64(
            h, b->op, a->op, n, m, k, one, b->p + at[2] * bytes, t, b->ld, w->stride[last][2],
            a->p + at[1] * bytes, t, a->ld, w->stride[last][1], zero,
            (char *)c->out[0].data + at[0] * bytes, t, n, w->stride[last][0], w->shape[last],
            kind[dtype].compute, CUBLAS_GEMM_DEFAULT);
        if (e)
            return e;
    }
    return CUBLAS_STATUS_SUCCESS;
}

static agn_status run_blas(const agn_kernel_call *c, const int64_t *size)
{
    agn_array x[2] = {c->in[0], c->in[1]};
    int64_t stride[2][AGN_MAX_RANK];
    const int64_t rows[2] = {size[0], size[2]}, cols[2] = {size[2], size[1]};
    void *held[2] = {NULL, NULL};
    agni_cu_side s[2];
    agn_status st = AGN_OK;
    for (int i = 0; i < 2 && !st; i++) {
        const int64_t *q = x[i].stride + x[i].ndim - 2;
        if (!agni_cu_blas_layout(rows[i], cols[i], q[0], q[1], &s[i])) {
            st = agni_cu_make_dense(c, &x[i], stride[i], &held[i]);
            s[i].ld = cols[i];
            s[i].op = CUBLAS_OP_N;
        }
        s[i].p = x[i].data;
    }
    if (!st) {
        agni_cu_walk w;
        cublasHandle_t h;
        agni_cu_batch(c, &x[0], &x[1], &w);
        cublasStatus_t e = agni_cu_blas(c, &h);
        if (!e)
            e = multiply_batches(c, h, size, &s[0], &s[1], &w);
        st = agni_cu_blas_done(c, e);
    }
    if (!st)
        st = agni_cu_check_launch(c);
    agni_cu_scratch_free(c, held[0]);
    agni_cu_scratch_free(c, held[1]);
    return st;
}

static agn_status run_ints(const agn_kernel_call *c, const int64_t *size)
{
    const agn_array *a = c->in, *b = c->in + 1, *y = c->out;
    const int64_t stride[6] = {y->stride[y->ndim - 2], y->stride[y->ndim - 1],
                               a->stride[a->ndim - 2], a->stride[a->ndim - 1],
                               b->stride[b->ndim - 2], b->stride[b->ndim - 1]};
    agni_cu_walk w;
    agni_cu_batch(c, a, b, &w);
    agni_cu_int_matmul(c, &w, size, stride);
    return agni_cu_check_launch(c);
}

static agn_status run_matmul(const agn_kernel_call *c)
{
    const agn_array *a = c->in, *y = c->out;
    const int64_t size[3] = {y->shape[y->ndim - 2], y->shape[y->ndim - 1], a->shape[a->ndim - 1]};
    if (agni_cu_size(y) == 0)
        return AGN_OK;
    bool ints = y->dtype == AGN_I32 || y->dtype == AGN_I64;
    int was = agni_cu_enter(c->device);
    agn_status st;
    if (size[2] == 0)
        st = agni_cu_check(c->device, c->op,
                           cudaMemsetAsync(y->data, 0,
                                           (size_t)(agni_cu_size(y) * agni_cu_bytes(y->dtype)),
                                           c->stream));
    else
        st = ints ? run_ints(c, size) : run_blas(c, size);
    agni_cu_leave(was);
    return st;
}

static const agn_kernel_entry table[] = {
    {"matmul", AGN_I32, true, run_matmul},  {"matmul", AGN_I64, true, run_matmul},
    {"matmul", AGN_F32, true, run_matmul},  {"matmul", AGN_F64, true, run_matmul},
    {"matmul", AGN_C64, true, run_matmul},  {"matmul", AGN_C128, true, run_matmul},
};
const agni_cu_table agni_cu_products = {table, (int)(sizeof table / sizeof *table)};
