/* linalg/cuda/factor.c - Cholesky by cuSOLVER, triangular solves by cuBLAS (Golub & Van Loan 2013,
   4.2, 3.1). The lower triangle of a row-major matrix is the upper one of what the libraries see,
   its transpose. */
#include "linalg/cuda/kernels.h"
#include "linalg/cuda/solver.h"
#include "linalg/linalg.h"
#include "tensor/matmul/cuda/blas.h"

static agn_status run_cholesky(const agn_kernel_call *c)
{
    const agn_array *y = c->out;
    int64_t n = y->shape[y->ndim - 1], size = agni_cu_size(y), batch = n ? size / (n * n) : 0;
    bool upper = c->ints[0];
    if (size == 0)
        return AGN_OK;
    agni_cu_walk w;
    agni_cu_make_walk(&w, y, 1, c->in);
    void *info = NULL;
    int was = agni_cu_enter(c->device);
    agn_status st = agni_cu_scratch(c, (size_t)batch * sizeof(int), &info);
    if (!st) {
        agni_cu_triangle(&w, y->dtype, n, n, upper, 1, c->stream);
        st = agni_cu_potrf(c, &(agni_cu_matrices){y->dtype, n, n, batch, y->data, info}, upper);
    }
    if (!st) {
        agni_cu_not_definite(info, y->data, y->dtype, n, batch, agni_cu_fault_word(c->device),
                             c->stream);
        st = agni_cu_check_launch(c);
    }
    agni_cu_scratch_free(c, info);
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
                                     cublasOperation_t op, cublasDiagType_t diag, int64_t n,
                                     int64_t k, const void *t, int64_t ld, void *x)
{
    static const float one32[2] = {1, 0};
    static const double one64[2] = {1, 0};
    const cublasSideMode_t side = CUBLAS_SIDE_RIGHT;
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
    bool upper = c->ints[0] & AGNI_TRIANGLE_UPPER, unit = c->ints[0] & AGNI_TRIANGLE_UNIT;
    const cublasDiagType_t diag = unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
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
            if (!unit)
                agni_cu_zero_diagonal(a, y->dtype, n, step, i, agni_cu_fault_word(c->device),
                                      c->stream);
            e = solve_triangle(h, y->dtype, fill, s.op, diag, n, k, a, s.ld,
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
