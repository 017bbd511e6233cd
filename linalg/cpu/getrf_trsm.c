/* linalg/cpu/getrf_trsm.c - LU factorisation with partial pivoting (getrf), solves with its factors
   and with triangular matrices (trsm).

   LAPACK sees the transpose of a row-major matrix, a^T = p l u. Read as row-major again, the factor
   is a = l' u' p^T with l' = u^T lower triangular and u' = l^T upper triangular with a unit
   diagonal: right-hand sides stay row-major and nothing is transposed. */
#include "core/threads/stack.h"
#include "linalg/cpu/matrix_batch.h"

#include <cblas.h>
#include <complex.h>
#define lapack_complex_float float complex
#define lapack_complex_double double complex
#include <lapacke.h>
#include <math.h>
#include <string.h>

typedef enum CBLAS_UPLO uplo;
typedef enum CBLAS_TRANSPOSE trans;
typedef enum CBLAS_DIAG diag;

/* x := op(t)^-1 x for contiguous row-major x [n, k] */
static void solve_triangle(int dtype, uplo up, trans op, diag unit, int64_t n,
                           int64_t k, const void *t, int64_t lead, void *x)
{
    const float complex one32 = 1;
    const double complex one64 = 1;
    int N = (int)n, K = (int)k, T = (int)lead;
    const enum CBLAS_ORDER rows = CblasRowMajor;
    switch (dtype) {
    case AGN_F32:
        if (k == 1)
            cblas_strsv(rows, up, op, unit, N, t, T, x, 1);
        else
            cblas_strsm(rows, CblasLeft, up, op, unit, N, K, 1, t, T, x, K);
        break;
    case AGN_F64:
        if (k == 1)
            cblas_dtrsv(rows, up, op, unit, N, t, T, x, 1);
        else
            cblas_dtrsm(rows, CblasLeft, up, op, unit, N, K, 1, t, T, x, K);
        break;
    case AGN_C64:
        if (k == 1)
            cblas_ctrsv(rows, up, op, unit, N, t, T, x, 1);
        else
            cblas_ctrsm(rows, CblasLeft, up, op, unit, N, K, &one32, t, T, x, K);
        break;
    default:
        if (k == 1)
            cblas_ztrsv(rows, up, op, unit, N, t, T, x, 1);
        else
            cblas_ztrsm(rows, CblasLeft, up, op, unit, N, K, &one64, t, T, x, K);
    }
}

typedef struct solve_job {
    const agn_kernel_call *c;
    const agn_array *y;
    int64_t n, k, bytes;
    int64_t form;
    bool upper;
    char *room; /* workspace for a packed matrix, where BLAS does not take the strides */
} solve_job;

enum { NOT_FINITE = -1, NO_MEMORY = -2 };

/* ---- a triangle ------------------------------------------------------------------ */

static bool is_zero(const char *p, int64_t bytes)
{
    const float *f = (const float *)(const void *)p;
    const double *d = (const double *)(const void *)p;
    return bytes == 4 ? f[0] == 0 : bytes == 8 ? d[0] == 0 : d[0] == 0 && d[1] == 0;
}

static bool is_blas_layout(int64_t n, agni_lapack_matrix a)
{
    return (a.cs == 1 && a.rs >= n && a.rs <= INT32_MAX) ||
           (a.rs == 1 && a.cs >= n && a.cs <= INT32_MAX);
}

static int64_t solve_triangular_matrix(void *user, int64_t i)
{
    const solve_job *q = user;
    int dtype = q->y->dtype;
    char *x = (char *)q->y->data + i * q->n * q->k * q->bytes;
    agni_lapack_matrix a = agni_matrix_at(q->c->in, q->y, i);
    for (int64_t j = 0; j < q->n; j++) {
        const char *d = a.p + j * (a.rs + a.cs) * q->bytes;
        if (dtype == AGN_C64 ? is_zero(d, 4) && is_zero(d + 4, 4)
                             : is_zero(d, q->bytes))
            return j + 1;
    }
    agni_matrix_copy(x, agni_matrix_at(q->c->in + 1, q->y, i), q->n, q->k, q->bytes);
    if (q->room) {
        agni_matrix_copy(q->room, a, q->n, q->n, q->bytes);
        a = (agni_lapack_matrix){q->room, q->n, 1};
    }
    if (q->n == 1) /* strides of one element: any */
        a.rs = a.cs = 1;
    bool rows = a.cs == 1 && a.rs >= q->n;
    bool lower = rows != q->upper; /* of the memory as row-major */
    solve_triangle(dtype, lower ? CblasLower : CblasUpper,
                   rows ? CblasNoTrans : CblasTrans, CblasNonUnit, q->n, q->k, a.p,
                   rows ? a.rs : a.cs, x);
    return 0;
}

agn_status agni_cpu_triangular_solve(const agn_kernel_call *c)
{
    const agn_array *a = c->in, *y = c->out;
    solve_job q = {.c = c, .y = y, .bytes = agni_dtypes[y->dtype].bytes, .upper = c->ints[0]};
    q.n = y->shape[y->ndim - 2];
    q.k = y->shape[y->ndim - 1];
    int64_t batch = agni_batch_count(y, 2), at = 0;
    if (batch * q.n * q.k == 0)
        return AGN_OK;
    agni_lapack_matrix first = agni_matrix_at(a, y, 0);
    if (q.n > 1 && !is_blas_layout(q.n, first) &&
        !(q.room = agni_alloc((size_t)(q.n * q.n * q.bytes))))
        return agni_nomem(c->op, (size_t)(q.n * q.n * q.bytes));
    /* one workspace serves one thread: a large order keeps agni_each_matrix serial */
    int64_t code = agni_each_matrix(batch, q.room ? INT32_MAX : q.n, solve_triangular_matrix, &q,
                                    &at);
    agni_free(q.room);
    if (code)
        return agni_fail(
            AGN_EDOMAIN,
            "%s: matrix %lld of %lld is singular: entry [%lld,%lld] of the diagonal is 0",
            c->op, (long long)at, (long long)batch, (long long)code - 1,
            (long long)code - 1);
    return AGN_OK;
}

/* ---- LU -------------------------------------------------------------------------- */

typedef struct lu_job {
    int dtype;
    lapack_int n, *piv;
    void *a;
    int64_t code;
} lu_job;

static void run_lu(void *user)
{
    lu_job *q = user;
    lapack_int N = q->n;
    switch (q->dtype) {
    case AGN_F32:
        q->code = LAPACKE_sgetrf_work(LAPACK_COL_MAJOR, N, N, q->a, N, q->piv);
        break;
    case AGN_F64:
        q->code = LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, N, N, q->a, N, q->piv);
        break;
    case AGN_C64:
        q->code = LAPACKE_cgetrf_work(LAPACK_COL_MAJOR, N, N, q->a, N, q->piv);
        break;
    default:
        q->code = LAPACKE_zgetrf_work(LAPACK_COL_MAJOR, N, N, q->a, N, q->piv);
    }
}

/* OpenBLAS's getrf with several threads keeps their queues on the stack, 3.2 MB at 64 of them: more
   than many threads have. */
static int64_t factor_lu(int dtype, int64_t n, void *a, lapack_int *piv)
{
    enum { SMALL = 64, DEEP = 4 << 20 };
    lu_job q = {dtype, (lapack_int)n, piv, a, NO_MEMORY};
    if (n < SMALL)
        run_lu(&q);
    else
        agni_on_deep_stack(DEEP, run_lu, &q);
    return q.code;
}
_Static_assert(sizeof(lapack_int) == sizeof(int32_t), "pivots are i32");

static bool reciprocal_overflows(int dtype, const char *p)
{
    const float *f = (const float *)(const void *)p;
    const double *d = (const double *)(const void *)p;
    switch (dtype) {
    case AGN_F32:
        return fabsf(f[0]) < 0x1p-128f;
    case AGN_F64:
        return fabs(d[0]) < 0x1p-1024;
    case AGN_C64:
        return fabsf(f[0]) < 0x1p-128f && fabsf(f[1]) < 0x1p-128f;
    default:
        return fabs(d[0]) < 0x1p-1024 && fabs(d[1]) < 0x1p-1024;
    }
}

static int64_t factor_lu_matrix(void *user, int64_t i)
{
    const solve_job *q = user;
    char *lu = (char *)q->y->data + i * q->n * q->n * q->bytes;
    if (!agni_matrix_copy_finite(lu, agni_matrix_at(q->c->in, q->y, i), q->n, q->n,
                                 q->y->dtype))
        return NOT_FINITE;
    int64_t code = factor_lu(q->y->dtype, q->n, lu, (lapack_int *)q->c->out[1].data + i * q->n);
    /* BLAS multiplies by reciprocals of pivots: where one overflows, answers would be NaN */
    for (int64_t k = 0; !code && k < q->n; k++)
        if (reciprocal_overflows(q->y->dtype, lu + k * (q->n + 1) * q->bytes))
            code = q->n + 1 + k;
    return code;
}

agn_status agni_cpu_lu_factor(const agn_kernel_call *c)
{
    const agn_array *x = c->in, *y = c->out;
    solve_job q = {
        .c = c, .y = y, .n = y->shape[y->ndim - 1], .bytes = agni_dtypes[y->dtype].bytes};
    int64_t batch = agni_batch_count(y, 2), at = 0;
    int64_t code = q.n ? agni_each_matrix(batch, q.n, factor_lu_matrix, &q, &at) : 0;
    if (code == NO_MEMORY)
        return agni_fail(AGN_ENOMEM, "linalg_solve: no thread with a stack for LAPACK's getrf of %lld "
                                     "rows", (long long)q.n);
    if (code == NOT_FINITE)
        return agni_not_finite("linalg_solve", y->dtype, agni_matrix_at(x, y, at), q.n,
                               at, 0);
    if (code > q.n)
        return agni_fail(AGN_EDOMAIN,
                         "linalg_solve: matrix %lld of %lld is badly scaled: the reciprocal of pivot "
                         "%lld of %lld overflows; multiply a and b by a power of 2",
                         (long long)at, (long long)batch, (long long)(code - q.n - 1),
                         (long long)q.n);
    if (code)
        return agni_fail(
            AGN_EDOMAIN,
            "linalg_solve: matrix %lld of %lld is singular: pivot %lld of %lld is 0",
            (long long)at, (long long)batch, (long long)code - 1, (long long)q.n);
    return AGN_OK;
}

static void swap_rows(char *x, int64_t bytes, int64_t i, int64_t j)
{
    char *a = x + i * bytes, *b = x + j * bytes, t[256];
    for (int64_t m; bytes > 0 && i != j; bytes -= m, a += m, b += m) {
        m = bytes < (int64_t)sizeof t ? bytes : (int64_t)sizeof t;
        memcpy(t, a, (size_t)m);
        memcpy(a, b, (size_t)m);
        memcpy(b, t, (size_t)m);
    }
}

static void conjugate_elements(int dtype, void *p, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (dtype == AGN_C64)
            ((float *)p)[2 * i + 1] = -((float *)p)[2 * i + 1];
        else
            ((double *)p)[2 * i + 1] = -((double *)p)[2 * i + 1];
}

static int64_t solve_lu_matrix(void *user, int64_t i)
{
    const solve_job *q = user;
    int64_t n = q->n, k = q->k, row = k * q->bytes;
    int dtype = q->y->dtype;
    bool complex_ = agni_kind(dtype) == AGNI_KIND_COMPLEX;
    bool transposed = q->form & AGNI_FORM_TRANSPOSED,
         con = complex_ && q->form & AGNI_FORM_CONJUGATE;
    agni_lapack_matrix lu = agni_matrix_at(q->c->in, q->y, i);
    const int32_t *piv = (const int32_t *)(const void *)agni_vector_at(q->c->in + 1,
                                                                       q->y, i);
    int64_t step = q->c->in[1].stride[q->c->in[1].ndim - 1];
    char *x = (char *)q->y->data + i * n * row;
    for (int64_t r = 0; r < n; r++) /* pivots given by a user must not index out of bounds */
        if (piv[r * step] < 1 || piv[r * step] > n)
            return r + 1;
    agni_matrix_copy(x, agni_matrix_at(q->c->in + 3, q->y, i), n, k, q->bytes);
    if (q->room) {
        agni_matrix_copy(q->room, lu, n, n, q->bytes);
        lu = (agni_lapack_matrix){q->room, n, 1};
    }
    if (transposed) {
        trans op = con ? CblasConjTrans : CblasTrans;
        for (int64_t r = 0; r < n; r++)
            swap_rows(x, row, r, piv[r * step] - 1);
        solve_triangle(dtype, CblasUpper, op, CblasUnit, n, k, lu.p, lu.rs, x);
        solve_triangle(dtype, CblasLower, op, CblasNonUnit, n, k, lu.p, lu.rs, x);
        return 0;
    }
    if (con)
        conjugate_elements(dtype, x, n * k);
    solve_triangle(dtype, CblasLower, CblasNoTrans, CblasNonUnit, n, k, lu.p, lu.rs, x);
    solve_triangle(dtype, CblasUpper, CblasNoTrans, CblasUnit, n, k, lu.p, lu.rs, x);
    for (int64_t r = n - 1; r >= 0; r--)
        swap_rows(x, row, r, piv[r * step] - 1);
    if (con)
        conjugate_elements(dtype, x, n * k);
    return 0;
}

agn_status agni_cpu_lu_solve(const agn_kernel_call *c)
{
    const agn_array *lu = c->in, *y = c->out;
    solve_job q = {.c = c, .y = y, .bytes = agni_dtypes[y->dtype].bytes, .form = c->ints[0]};
    q.n = y->shape[y->ndim - 2];
    q.k = y->shape[y->ndim - 1];
    int64_t batch = agni_batch_count(y, 2), at = 0;
    if (batch * q.n * q.k == 0)
        return AGN_OK;
    agni_lapack_matrix first = agni_matrix_at(lu, y, 0);
    if (!(first.cs == 1 && is_blas_layout(q.n, first)) &&
        !(q.room = agni_alloc((size_t)(q.n * q.n * q.bytes))))
        return agni_nomem(c->op, (size_t)(q.n * q.n * q.bytes));
    int64_t code = agni_each_matrix(batch, q.room ? INT32_MAX : q.n, solve_lu_matrix, &q, &at);
    agni_free(q.room);
    if (code)
        return agni_fail(AGN_EARG,
                         "%s: pivot %lld of matrix %lld is no row of order %lld", c->op,
                         (long long)code - 1, (long long)at, (long long)q.n);
    return AGN_OK;
}
