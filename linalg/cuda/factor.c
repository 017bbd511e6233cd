/* linalg/cuda/factor.c - Cholesky by cuSOLVER (the 64-bit interface for one matrix, the batched
   one for many), triangular solves by cuBLAS. The lower triangle of a row-major matrix is the
   upper one of what the libraries see, its transpose. */
#include "linalg/cuda/kernels.h"
#include "tensor/matmul/cuda/blas.h"

#include <cusolverDn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_DEVICES = 256 };
static struct {
    cusolverDnHandle_t handle;
    cusolverDnParams_t params;
} solvers[MAX_DEVICES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static agn_status solver_status(const agn_kernel_call *c, cusolverStatus_t e)
{
    if (e == CUSOLVER_STATUS_SUCCESS)
        return AGN_OK;
    char text[128];
    agn_status st = agni_cu_check(c->device, c->op, cudaGetLastError());
    if (st)
        return st;
    snprintf(text, sizeof text, "%s: cuSOLVER reports error %d", c->op, (int)e);
    return agn_backend_fail(e == CUSOLVER_STATUS_ALLOC_FAILED ? AGN_ENOMEM : AGN_EDEVICE, text);
}

/* with lock held */
static cusolverStatus_t prepare_solver(const agn_kernel_call *c)
{
    cusolverStatus_t e = CUSOLVER_STATUS_SUCCESS;
    if (!solvers[c->device].handle)
        e = cusolverDnCreate(&solvers[c->device].handle);
    if (!e && !solvers[c->device].params)
        e = cusolverDnCreateParams(&solvers[c->device].params);
    return e ? e : cusolverDnSetStream(solvers[c->device].handle, c->stream);
}

/* ---- Cholesky ------------------------------------------------------------------------------- */

static cusolverStatus_t factor_many(const agn_kernel_call *c, cublasFillMode_t fill, int n,
                                    void *const *p, int *info, int batch)
{
    cusolverDnHandle_t h = solvers[c->device].handle;
    void **a = (void **)(uintptr_t)p;
    switch (c->out[0].dtype) {
    case AGN_F32:
        return cusolverDnSpotrfBatched(h, fill, n, (float **)a, n, info, batch);
    case AGN_F64:
        return cusolverDnDpotrfBatched(h, fill, n, (double **)a, n, info, batch);
    case AGN_C64:
        return cusolverDnCpotrfBatched(h, fill, n, (cuComplex **)a, n, info, batch);
    default:
        return cusolverDnZpotrfBatched(h, fill, n, (cuDoubleComplex **)a, n, info, batch);
    }
}

static cudaDataType_t cuda_dtype(int dtype)
{
    return dtype == AGN_F32 ? CUDA_R_32F : dtype == AGN_F64 ? CUDA_R_64F
           : dtype == AGN_C64 ? CUDA_C_32F : CUDA_C_64F;
}

static agn_status factor_one(const agn_kernel_call *c, cublasFillMode_t fill, int64_t n, void *a,
                             int *info)
{
    cudaDataType_t t = cuda_dtype(c->out[0].dtype);
    cusolverDnHandle_t h = solvers[c->device].handle;
    cusolverDnParams_t q = solvers[c->device].params;
    size_t on_device = 0, on_host = 0;
    void *room = NULL, *host = NULL;
    agn_status st = solver_status(
        c, cusolverDnXpotrf_bufferSize(h, q, fill, n, t, a, n, t, &on_device, &on_host));
    if (!st)
        st = agni_cu_scratch(c, on_device, &room);
    if (!st && on_host && !(host = malloc(on_host)))
        st = agn_backend_fail(AGN_ENOMEM, "linalg_cholesky: no memory for the work of cuSOLVER");
    if (!st)
        st = solver_status(
            c, cusolverDnXpotrf(h, q, fill, n, t, a, n, t, room, on_device, host, on_host, info));
    agni_cu_scratch_free(c, room);
    if (host) /* which queued work may still read */
        (void)cudaStreamSynchronize(c->stream);
    free(host);
    return st;
}

static agn_status run_cholesky(const agn_kernel_call *c)
{
    const agn_array *y = c->out;
    int64_t n = y->shape[y->ndim - 1], size = agni_cu_size(y), batch = n ? size / (n * n) : 0;
    int64_t bytes = agni_cu_bytes(y->dtype);
    bool upper = c->ints[0], many = batch > 1 && batch <= INT32_MAX;
    if (size == 0)
        return AGN_OK;
    cublasFillMode_t fill = upper ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
    agni_cu_walk w;
    agni_cu_make_walk(&w, y, 1, c->in);
    void *info = NULL, *p = NULL;
    int was = agni_cu_enter(c->device);
    agn_status st = agni_cu_scratch(c, (size_t)batch * sizeof(int), &info);
    if (!st && many)
        st = agni_cu_scratch(c, (size_t)batch * sizeof(void *), &p);
    if (!st) {
        agni_cu_triangle(&w, y->dtype, n, n, upper, 1, c->stream);
        if (many)
            agni_cu_addresses(p, y->data, n * n * bytes, batch, c->stream);
        pthread_mutex_lock(&lock);
        st = solver_status(c, prepare_solver(c));
        if (!st && many)
            st = solver_status(c, factor_many(c, fill, (int)n, p, info, (int)batch));
        for (int64_t i = 0; !many && i < batch && !st; i++)
            st = factor_one(c, fill, n, (char *)y->data + i * n * n * bytes, (int *)info + i);
        pthread_mutex_unlock(&lock);
    }
    if (!st) {
        agni_cu_not_definite(info, y->data, y->dtype, n, batch, agni_cu_fault_word(c->device),
                             c->stream);
        st = agni_cu_check_launch(c);
    }
    agni_cu_scratch_free(c, info);
    agni_cu_scratch_free(c, p);
    agni_cu_leave(was);
    return st;
}

static agn_status run_triangle(const agn_kernel_call *c)
{
    const agn_array *y = c->out;
    agni_cu_walk w;
    agni_cu_make_walk(&w, y, 1, c->in);
    if (w.size == 0)
        return AGN_OK;
    int was = agni_cu_enter(c->device);
    agni_cu_triangle(&w, y->dtype, y->shape[y->ndim - 2], y->shape[y->ndim - 1], c->ints[0],
                     c->reals[0], c->stream);
    agn_status st = agni_cu_check_launch(c);
    agni_cu_leave(was);
    return st;
}

/* ---- t x = b, row-major: x^T t^T = b^T by columns ------------------------------------------- */

static cublasStatus_t solve_triangle(cublasHandle_t h, int dtype, cublasFillMode_t fill,
                                     cublasOperation_t op, int64_t n, int64_t k, const void *t,
                                     int64_t ld, void *x)
{
    static const float one32[2] = {1, 0};
    static const double one64[2] = {1, 0};
    const cublasSideMode_t side = CUBLAS_SIDE_RIGHT;
    const cublasDiagType_t diag = CUBLAS_DIAG_NON_UNIT;
    switch (dtype) {
    case AGN_F32:
        return cublasStrsm_64(h, side, fill, op, diag, k, n, one32, t, ld, x, k);
    case AGN_F64:
        return cublasDtrsm_64(h, side, fill, op, diag, k, n, one64, t, ld, x, k);
    case AGN_C64:
        return cublasCtrsm_64(h, side, fill, op, diag, k, n, (const cuComplex *)one32, t, ld, x, k);
    default:
        return cublasZtrsm_64(h, side, fill, op, diag, k, n, (const cuDoubleComplex *)one64, t, ld,
                              x, k);
    }
}

static agn_status run_triangular_solve(const agn_kernel_call *c)
{
    const agn_array *y = c->out;
    agn_array t = c->in[0];
    int64_t n = y->shape[y->ndim - 2], k = y->shape[y->ndim - 1], stride[AGN_MAX_RANK];
    int64_t bytes = agni_cu_bytes(y->dtype);
    bool upper = c->ints[0];
    void *held = NULL;
    agni_cu_side s;
    if (agni_cu_size(y) == 0)
        return AGN_OK;
    int was = agni_cu_enter(c->device);
    agn_status st = AGN_OK;
    if (!agni_cu_blas_layout(n, n, t.stride[t.ndim - 2], t.stride[t.ndim - 1], &s)) {
        st = agni_cu_make_dense(c, &t, stride, &held);
        s = (agni_cu_side){NULL, n, CUBLAS_OP_N};
    }
    agni_cu_walk w;
    agni_cu_make_walk(&w, y, 1, c->in + 1);
    if (!st)
        agni_cu_convert(&w, y->dtype, y->dtype, c->stream); /* b becomes x in place */
    agni_cu_batch(c, &t, &t, &w);
    /* memory read by columns is t^T for N and t for T */
    bool lower = (s.op == CUBLAS_OP_N) == upper;
    cublasFillMode_t fill = lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
    int64_t step = t.stride[t.ndim - 2] + t.stride[t.ndim - 1];
    cublasHandle_t h;
    if (!st) {
        cublasStatus_t e = agni_cu_blas(c, &h);
        for (int64_t i = 0; i < w.size && !e; i++) {
            int64_t at[2] = {0, 0}, rest = i;
            for (int d = w.ndim - 1; d >= 0; d--) {
                for (int j = 0; j < 2; j++)
                    at[j] += rest % w.shape[d] * w.stride[d][j];
                rest /= w.shape[d];
            }
            const char *a = (const char *)t.data + at[1] * bytes;
            agni_cu_zero_diagonal(a, y->dtype, n, step, i, agni_cu_fault_word(c->device),
                                  c->stream);
            e = solve_triangle(h, y->dtype, fill, s.op, n, k, a, s.ld,
                               (char *)y->data + at[0] * bytes);
        }
        st = agni_cu_blas_done(c, e);
    }
    if (!st)
        st = agni_cu_check_launch(c);
    agni_cu_scratch_free(c, held);
    agni_cu_leave(was);
    return st;
}

#define ALL(op, run) \
    {op, AGN_F32, true, run}, {op, AGN_F64, true, run}, {op, AGN_C64, true, run}, \
    { \
        op, AGN_C128, true, run \
    }
static const agn_kernel_entry table[] = {
    ALL("linalg_cholesky", run_cholesky),
    ALL("linalg_triangle", run_triangle),
    ALL("linalg_triangular_solve", run_triangular_solve),
};
const agni_cu_table agni_cu_factors = {table, (int)(sizeof table / sizeof *table)};
