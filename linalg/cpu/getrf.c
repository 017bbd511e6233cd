/* linalg/cpu/getrf.c - LU factorisation with partial pivoting of a matrix by columns (getrf). Large
   real ones are halved (Toledo 1997): the left columns, what they do to the right ones, the right
   columns; products are our own kernels'. */
#include "core/threads/stack.h"
#include "linalg/cpu/lapack_calls.h"
#include "tensor/matmul/gemm.h"

#include <string.h>

_Static_assert(sizeof(lapack_int) == sizeof(int32_t), "pivots are i32");

typedef struct lu_job {
    int dtype;
    int64_t m, n, bytes;
    lapack_int *piv;
    char *a;
    int64_t code;
} lu_job;

static int64_t run_getrf(int dtype, int64_t rows, int64_t cols, void *a, int64_t lead,
                         lapack_int *piv)
{
    const int col = LAPACK_COL_MAJOR;
    lapack_int m = (lapack_int)rows, n = (lapack_int)cols, ld = (lapack_int)lead;
    return AGNI_BY_FIELD(dtype, LAPACKE_sgetrf_work(col, m, n, a, ld, piv),
                         LAPACKE_dgetrf_work(col, m, n, a, ld, piv),
                         LAPACKE_cgetrf_work(col, m, n, a, ld, piv),
                         LAPACKE_zgetrf_work(col, m, n, a, ld, piv));
}

/* ---- halves: a column of the matrix is a row of memory ------------------------------- */

enum { FEW = 32, BLOCK = 16, LARGE = 160 };

static char *entry(const lu_job *q, int64_t row, int64_t column)
{
    return q->a + (column * q->m + row) * q->bytes;
}

/* interchanges of rows j .. j + count - 1 in so many columns */
static void swap_rows(const lu_job *q, int64_t j, int64_t count, int64_t column, int64_t columns)
{
    void *a = entry(q, 0, column);
    lapack_int n = (lapack_int)columns, ld = (lapack_int)q->m, first = (lapack_int)j + 1,
               last = (lapack_int)(j + count);
    if (q->dtype == AGN_F32)
        LAPACKE_slaswp_work(LAPACK_COL_MAJOR, n, a, ld, first, last, q->piv, 1);
    else
        LAPACKE_dlaswp_work(LAPACK_COL_MAJOR, n, a, ld, first, last, q->piv, 1);
}

static void negate(int dtype, void *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (dtype == AGN_F32)
            ((float *)x)[i] = -((float *)x)[i];
        else
            ((double *)x)[i] = -((double *)x)[i];
}

/* What `count` columns from j on, factored, do to `more` columns behind them: interchanges, rows of
   u by substitution, less l u below. By rows of memory x := x l^-T, block by block, each first less
   what the blocks before it say; less: -x. */
static int64_t update_columns(const lu_job *q, int64_t j, int64_t count, int64_t more)
{
    const int dtype = q->dtype;
    const int64_t z = q->bytes, m = q->m, below = m - j - count, next = j + count;
    const size_t held = (size_t)agni_room_of(more * count * z),
                 plus = agni_gemm_workspace(dtype, more, BLOCK, count),
                 times = below ? agni_gemm_workspace(dtype, more, below, count) : 0;
    char *less = agni_alloc_aligned(held + (plus > times ? plus : times)), *work = less + held;
    if (!less)
        return AGNI_NO_ROOM;
    swap_rows(q, j, count, next, more);
    for (int64_t i = 0; i < count; i += BLOCK) {
        const int64_t b = count - i < BLOCK ? count - i : BLOCK;
        void *x = entry(q, j + i, next);
        const void *l = entry(q, j + i, j + i);
        if (i)
            agni_gemm_add(dtype, more, b, i, (agni_gemm_operand){less, count, 1},
                          (agni_gemm_operand){entry(q, j + i, j), m, 1}, x, m, work);
        const int N = (int)more, B = (int)b, ld = (int)m;
        if (dtype == AGN_F32)
            cblas_strsm(CblasRowMajor, CblasRight, CblasUpper, CblasNoTrans, CblasUnit, N, B, 1, l,
                        ld, x, ld);
        else
            cblas_dtrsm(CblasRowMajor, CblasRight, CblasUpper, CblasNoTrans, CblasUnit, N, B, 1, l,
                        ld, x, ld);
        for (int64_t k = 0; k < more; k++) {
            char *to = less + (k * count + i) * z;
            memcpy(to, (char *)x + k * m * z, (size_t)(b * z));
            negate(dtype, to, b);
        }
    }
    if (below)
        agni_gemm_add(dtype, more, below, count, (agni_gemm_operand){less, count, 1},
                      (agni_gemm_operand){entry(q, next, j), m, 1}, entry(q, next, next), m, work);
    agni_free(less);
    return 0;
}

/* columns j .. j + count - 1 from row j on: 0, 1 + the first pivot that is 0, or AGNI_NO_ROOM */
static int64_t factor_columns(const lu_job *q, int64_t j, int64_t count)
{
    if (count <= FEW) {
        const int64_t code = run_getrf(q->dtype, q->m - j, count, entry(q, j, j), q->m, q->piv + j);
        for (int64_t k = j; k < j + count && k < q->m; k++)
            q->piv[k] += (lapack_int)j;
        return code > 0 ? code + j : code;
    }
    const int64_t left = (count / 2 + BLOCK - 1) / BLOCK * BLOCK, right = count - left;
    int64_t code = factor_columns(q, j, left), then;
    if (code < 0 || (then = update_columns(q, j, left, right)) < 0)
        return code < 0 ? code : then;
    then = factor_columns(q, j + left, right);
    if (then >= 0)
        swap_rows(q, j + left, right, j, left);
    return then < 0 || !code ? then : code;
}

static void run_lu(void *user)
{
    lu_job *q = user;
    const int64_t few = q->m < q->n ? q->m : q->n;
    if (few < LARGE || agni_kind(q->dtype) == AGNI_KIND_COMPLEX) {
        q->code = run_getrf(q->dtype, q->m, q->n, q->a, q->m, q->piv);
        return;
    }
    q->code = factor_columns(q, 0, few);
    if (q->code >= 0 && q->n > few && update_columns(q, 0, few, q->n - few))
        q->code = AGNI_NO_ROOM;
}

/* OpenBLAS's getrf with several threads keeps their queues on the stack, 3.2 MB at 64 of them: more
   than many threads have. */
int64_t agni_factor_lu(int dtype, int64_t m, int64_t n, void *a, lapack_int *piv)
{
    enum { SMALL = 64, DEEP = 4 << 20 };
    lu_job q = {dtype, m, n, agni_dtypes[dtype].bytes, piv, a, AGNI_NO_ROOM};
    if (m < SMALL && n < SMALL)
        run_lu(&q);
    else
        agni_on_deep_stack(DEEP, run_lu, &q);
    return q.code;
}
