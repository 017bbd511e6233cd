/* linalg/cpu/potrf.c - Cholesky factorisation (potrf). The lower triangle of a row-major matrix is
   the upper one of what LAPACK sees, its transpose: a^T = u^H u, and l = u^T. Small matrices of a
   batch are factored in the lanes of vectors. */
#include "linalg/cpu/lane_groups.h"
#include "linalg/cpu/lapack_calls.h"
#include "tensor/matmul/gemm.h"

#include <string.h>

/* ---- small matrices: cheaper than a call of LAPACK -------------------------------- */

enum { SMALL = 12 };
#define FACTOR(name, T, R, CONJ, REAL, SQRT)                     \
    static int64_t name(T *p, int64_t n, int64_t rs, int64_t cs) \
    {                                                            \
        for (int64_t j = 0; j < n; j++) {                        \
            T *lj = p + j * rs;                                  \
            R d = REAL(lj[j * cs]);                              \
            for (int64_t k = 0; k < j; k++)                      \
                d -= REAL(lj[k * cs] * CONJ(lj[k * cs]));        \
            if (!(d > 0) || !isfinite(d))                        \
                return j + 1;                                    \
            d = SQRT(d);                                         \
            lj[j * cs] = d;                                      \
            for (int64_t i = j + 1; i < n; i++) {                \
                T *li = p + i * rs, x = li[j * cs];              \
                for (int64_t k = 0; k < j; k++)                  \
                    x -= li[k * cs] * CONJ(lj[k * cs]);          \
                li[j * cs] = x / d;                              \
            }                                                    \
        }                                                        \
        return 0;                                                \
    }
#define SAME(x) (x)
FACTOR(factor_f32, float, float, SAME, SAME, sqrtf)
FACTOR(factor_f64, double, double, SAME, SAME, sqrt)
FACTOR(factor_c64, float complex, float, conjf, crealf, sqrtf)
FACTOR(factor_c128, double complex, double, conj, creal, sqrt)

/* ---- large ones: columns of blocks, from which products of what lies beside them are taken by our
   own kernels (Golub & Van Loan 2013, 4.2.6). Panels are products with inverses of small triangles
   where such a triangle has a condition that costs no digits, else solved for ------------------ */

enum { PANEL = 32, WIDE = 128, WIDE_F32 = 256, MILD = 64 };

/* is |w|_1 |t|_1 small, of triangles [b, b], columns first, beside which is 0: w is the inverse of
   t? not where it is not a number. negate: to := -x */
#define BLOCKS(name, T) \
    static bool is_mild_##name(const void *inverse, const void *triangle, int64_t lead, int64_t b) \
    { \
        const T *w = inverse, *t = triangle; \
        double most[2] = {0, 0}; \
        for (int64_t j = 0; j < b; j++) { \
            double sum[2] = {0, 0}; \
            for (int64_t i = 0; i < b; i++) { \
                sum[0] += fabs((double)w[j * b + i]); \
                sum[1] += fabs((double)t[j * lead + i]); \
            } \
            for (int k = 0; k < 2; k++) \
                most[k] = sum[k] > most[k] || sum[k] != sum[k] ? sum[k] : most[k]; \
        } \
        return most[0] * most[1] <= MILD; \
    } \
    static void negate_##name(void *to, const void *x, int64_t n) \
    { \
        for (int64_t i = 0; i < n; i++) \
            ((T *)to)[i] = -((const T *)x)[i]; \
    }
BLOCKS(f32, float)
BLOCKS(f64, double)

static lapack_int factor_block(int dtype, char u, lapack_int n, void *a, lapack_int lead)
{
    return dtype == AGN_F32 ? LAPACKE_spotrf_work(LAPACK_COL_MAJOR, u, n, a, lead)
                            : LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, u, n, a, lead);
}

/* the panel x beside a factored block d: [r, b] times d^-T by rows, or d^-T times [b, r]; p: room
   for it */
static void divide_panel(int dtype, bool upper, int64_t n, int64_t b, int64_t r, const char *d,
                         char *x, char *w, char *p, void *work)
{
    const int64_t z = agni_dtypes[dtype].bytes;
    const char u = upper ? 'L' : 'U'; /* of memory by columns */
    const lapack_int B = (lapack_int)b;
    void *triangle = w;
    memset(w, 0, (size_t)(b * b * z));
    for (int64_t k = 0; k < b; k++) {
        const int64_t from = upper ? k : 0, end = upper ? b : k + 1;
        memcpy(w + (k * b + from) * z, d + (k * n + from) * z, (size_t)((end - from) * z));
    }
    lapack_int code = dtype == AGN_F32
                          ? LAPACKE_strtri_work(LAPACK_COL_MAJOR, u, 'N', B, triangle, B)
                          : LAPACKE_dtrtri_work(LAPACK_COL_MAJOR, u, 'N', B, triangle, B);
    if (!code && (dtype == AGN_F32 ? is_mild_f32 : is_mild_f64)(w, d, n, b)) {
        const int64_t rows = upper ? b : r, cols = upper ? r : b;
        const agni_gemm_operand inverse = {w, 1, b}, panel = {p, cols, 1};
        agni_matrix_copy(p, (agni_lapack_matrix){x, n, 1}, rows, cols, z);
        agni_gemm(dtype, rows, cols, b, upper ? inverse : panel, upper ? panel : inverse, x, n,
                  work);
        return;
    }
    const enum CBLAS_SIDE side = upper ? CblasLeft : CblasRight;
    const enum CBLAS_UPLO half = upper ? CblasUpper : CblasLower;
    const int N = (int)n, rows = (int)(upper ? b : r), cols = (int)(upper ? r : b);
    const void *t = d;
    void *y = x;
    if (dtype == AGN_F32)
        cblas_strsm(CblasRowMajor, side, half, CblasTrans, CblasNonUnit, rows, cols, 1, t, N, y, N);
    else
        cblas_dtrsm(CblasRowMajor, side, half, CblasTrans, CblasNonUnit, rows, cols, 1, t, N, y, N);
}

/* 0, or the column at which a is not positive definite, from 1 */
static int64_t factor_columns(int dtype, bool upper, int64_t n, char *a, char *w, char *p,
                              void *work)
{
    const int64_t z = agni_dtypes[dtype].bytes;
    for (int64_t j = 0; j < n; j += PANEL) {
        const int64_t b = n - j < PANEL ? n - j : PANEL, r = n - j - b;
        char *d = a + j * (n + 1) * z, *beside = a + (upper ? j : j * n) * z;
        /* less what is beside it times what is beside the others: [j, b] by rows, or [b, j] */
        if (j) {
            const int64_t rows = upper ? j : b, cols = upper ? b : j;
            agni_matrix_copy(p, (agni_lapack_matrix){beside, n, 1}, rows, cols, z);
            (dtype == AGN_F32 ? negate_f32 : negate_f64)(p, p, rows * cols);
            const agni_gemm_operand less = {p, 1, upper ? b : j}, all = {beside, n, 1};
            agni_gemm_add(dtype, upper ? b : b + r, upper ? b + r : b, j, upper ? less : all,
                          upper ? all : less, d, n, work);
            for (int64_t i = 0; i < b; i++) /* the other triangle of d */
                memset(d + (i * n + (upper ? 0 : i + 1)) * z, 0,
                       (size_t)((upper ? i : b - 1 - i) * z));
        }
        const lapack_int code = factor_block(dtype, upper ? 'L' : 'U', (lapack_int)b, d,
                                             (lapack_int)n);
        if (code)
            return code < 0 ? code : code + j;
        if (r)
            divide_panel(dtype, upper, n, b, r, d, d + (upper ? b : b * n) * z, w, p, work);
    }
    return 0;
}

/* false: not done, without room */
static bool factor_by_blocks(int dtype, bool upper, int64_t n, void *a, int64_t *code)
{
    if (n < (dtype == AGN_F32 ? WIDE_F32 : WIDE) || n > INT32_MAX ||
        agni_kind(dtype) == AGNI_KIND_COMPLEX)
        return false;
    const int64_t z = agni_dtypes[dtype].bytes, square = agni_room_of(PANEL * PANEL * z),
                  panel = agni_room_of(PANEL * n * z);
    size_t most = 0;
    for (int64_t j = 0; j < n; j += PANEL) {
        const int64_t b = n - j < PANEL ? n - j : PANEL, r = n - j;
        const size_t plus = agni_gemm_workspace(dtype, upper ? b : r, upper ? r : b, j ? j : 1),
                     times = agni_gemm_workspace(dtype, upper ? b : r, upper ? r : b, b);
        most = plus > most ? plus : most;
        most = times > most ? times : most;
    }
    char *room = agni_alloc_aligned((size_t)(square + panel) + most);
    if (!room)
        return false;
    *code = factor_columns(dtype, upper, n, a, room, room + square, room + square + panel);
    agni_free(room);
    return true;
}

/* 0, or the column at which the matrix is not positive definite, from 1 */
static int64_t factor_triangle(int dtype, bool upper, int64_t n, void *p)
{
    lapack_int N = (lapack_int)n;
    int64_t rs = upper ? 1 : n, cs = upper ? n : 1;
    char u = upper ? 'L' : 'U';
    int64_t code = 0;
    if (factor_by_blocks(dtype, upper, n, p, &code))
        return code;
    switch (dtype) {
    case AGN_F32:
        return n <= SMALL ? factor_f32(p, n, rs, cs)
                          : LAPACKE_spotrf_work(LAPACK_COL_MAJOR, u, N, p, N);
    case AGN_F64:
        return n <= SMALL ? factor_f64(p, n, rs, cs)
                          : LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, u, N, p, N);
    case AGN_C64:
        return n <= SMALL ? factor_c64(p, n, rs, cs)
                          : LAPACKE_cpotrf_work(LAPACK_COL_MAJOR, u, N, p, N);
    default:
        return n <= SMALL ? factor_c128(p, n, rs, cs)
                          : LAPACKE_zpotrf_work(LAPACK_COL_MAJOR, u, N, p, N);
    }
}

/* ---- all ------------------------------------------------------------------------- */

typedef struct cholesky_job {
    const agn_array *x, *y;
    int64_t n, bytes;
    bool upper;
    int32_t *info; /* where a failure is told, or NULL */
    const agni_vlanes *lanes;
    agni_lane_source source;
} cholesky_job;

enum { NOT_FINITE = -1, NO_ROOM = -2 };

/* the triangle that is not read becomes 0 */
static void clear_other_triangle(const cholesky_job *q, char *y)
{
    for (int64_t i = 0; i < q->n; i++)
        memset(y + (i * q->n + (q->upper ? 0 : i + 1)) * q->bytes, 0,
               (size_t)((q->upper ? i : q->n - 1 - i) * q->bytes));
}

/* copies the triangle; false if it holds a NaN or an infinity */
static bool copy_triangle(const cholesky_job *q, agni_lapack_matrix a, char *y)
{
    bool good = true;
    for (int64_t i = 0; i < q->n; i++) {
        int64_t from = q->upper ? i : 0, len = q->upper ? q->n - i : i + 1;
        char *to = y + (i * q->n + from) * q->bytes;
        agni_lapack_matrix line = {a.p + (i * a.rs + from * a.cs) * q->bytes, 0, a.cs};
        agni_matrix_copy(to, line, 1, len, q->bytes);
        good = good && agni_all_finite(q->y->dtype, to, len);
    }
    return good;
}

/* 0, or 1 + the first entry of the diagonal that is not finite */
static int64_t find_bad_diagonal(const cholesky_job *q, const char *y)
{
    for (int64_t i = 0; i < q->n; i++) {
        double complex v = agni_number_get(q->y->dtype, y, i * (q->n + 1));
        if (!isfinite(creal(v)) || !isfinite(cimag(v)))
            return i + 1;
    }
    return 0;
}

static int64_t factor_cholesky_matrix(void *user, int64_t i)
{
    const cholesky_job *q = user;
    char *y = (char *)q->y->data + i * q->n * q->n * q->bytes;
    const agni_lapack_matrix a = agni_matrix_at(q->x, q->y, i);
    agni_matrix_copy(y, a, q->n, q->n, q->bytes); /* one copy is cheaper than many */
    clear_other_triangle(q, y);
    if (find_bad_diagonal(q, y))
        return NOT_FINITE;
    int64_t code = factor_triangle(q->y->dtype, q->upper, q->n, y);
    /* entries of a row of l are squared on the diagonal, which tells of them all */
    code = code ? code : find_bad_diagonal(q, y);
    return !code || copy_triangle(q, a, y) ? code : NOT_FINITE;
}

static uint32_t factor_cholesky_lanes(void *user, int64_t first, int64_t count, char *a)
{
    const cholesky_job *q = user;
    int64_t n = q->n, each = q->lanes->lanes * q->bytes;
    agni_lanes_read(q->lanes, &q->source, first, count, a);
    uint32_t redo = q->lanes->cholesky(a, n, q->upper ? 1 : n, q->upper ? n : 1);
    for (int64_t i = 0; i < n; i++)
        memset(a + (i * n + (q->upper ? 0 : i + 1)) * each, 0,
               (size_t)((q->upper ? i : n - 1 - i) * each));
    agni_lanes_write(q->lanes, q->y->dtype, a, n * n, count,
                     (char *)q->y->data + first * n * n * q->bytes);
    return redo;
}

/* a failure becomes a code, and its matrix the identity */
static int64_t factor_going_on(void *user, int64_t i)
{
    const cholesky_job *q = user;
    int64_t code = factor_cholesky_matrix(user, i), n = q->n;
    if (!code)
        return 0;
    char *y = (char *)q->y->data + i * n * n * q->bytes;
    memset(y, 0, (size_t)(n * n * q->bytes));
    for (int64_t k = 0; k < n; k++, y += (n + 1) * q->bytes)
        if (q->y->dtype == AGN_F32 || q->y->dtype == AGN_C64)
            *(float *)(void *)y = 1;
        else
            *(double *)(void *)y = 1;
    q->info[i] = code == NOT_FINITE ? -1 : (int32_t)code;
    return 0;
}

static int64_t factor_all(cholesky_job *q, int64_t batch, int64_t *at)
{
    agni_one_matrix *one = q->info ? factor_going_on : factor_cholesky_matrix;
    q->lanes = agni_lanes_for(q->y->dtype, q->n, batch);
    if (!q->lanes)
        return agni_each_matrix(batch, q->n, one, q, at);
    q->source = agni_lanes_of(q->x, q->y, q->n, q->n);
    return agni_each_in_lanes(q->lanes, batch, q->n, q->n * q->n * q->bytes * q->lanes->lanes,
                              factor_cholesky_lanes, one, q, at);
}

agn_status agni_cpu_cholesky_info(const agn_kernel_call *c)
{
    const agn_array *x = c->in, *y = c->out;
    int64_t n = y->shape[y->ndim - 1], batch = agni_batch_count(y, 2), at = 0;
    cholesky_job q = {.x = x,
                      .y = y,
                      .n = n,
                      .bytes = agni_dtypes[y->dtype].bytes,
                      .upper = c->ints[0],
                      .info = c->out[1].data};
    memset(q.info, 0, (size_t)batch * sizeof *q.info);
    if (n && factor_all(&q, batch, &at))
        return agni_nomem(c->op, (size_t)(n * n * q.bytes * AGNI_LANES_MOST));
    return AGN_OK;
}

agn_status agni_cpu_cholesky(const agn_kernel_call *c)
{
    const agn_array *x = c->in, *y = c->out;
    int64_t n = y->shape[y->ndim - 1], at = 0;
    cholesky_job q = {
        .x = x, .y = y, .n = n, .bytes = agni_dtypes[y->dtype].bytes, .upper = c->ints[0]};
    int64_t batch = agni_batch_count(y, 2);
    int64_t code = n ? factor_all(&q, batch, &at) : 0;
    if (code == NO_ROOM)
        return agni_nomem(c->op, (size_t)(n * n * q.bytes * q.lanes->lanes));
    if (code == NOT_FINITE)
        return agni_not_finite(c->op, y->dtype, agni_matrix_at(x, y, at), n, at,
                               q.upper ? 1 : -1);
    if (code)
        return agni_fail(
            AGN_EDOMAIN,
            "%s: matrix %lld of %lld is not positive definite: column %lld of %lld",
            c->op, (long long)at, (long long)batch, (long long)code - 1, (long long)n);
    return AGN_OK;
}

/* ---- a triangle ------------------------------------------------------------------ */

static void scale_element(int dtype, void *p, double d)
{
    switch (dtype) {
    case AGN_F32:
        *(float *)p *= (float)d;
        break;
    case AGN_F64:
        *(double *)p *= d;
        break;
    case AGN_C64:
        ((float *)p)[0] *= (float)d;
        ((float *)p)[1] *= (float)d;
        break;
    default:
        ((double *)p)[0] *= d;
        ((double *)p)[1] *= d;
    }
}

agn_status agni_cpu_triangle(const agn_kernel_call *c)
{
    const agn_array *x = c->in, *y = c->out;
    int64_t rows = y->shape[y->ndim - 2], cols = y->shape[y->ndim - 1];
    int64_t bytes = agni_dtypes[y->dtype].bytes, batch = agni_batch_count(y, 2);
    bool upper = c->ints[0];
    for (int64_t b = 0; b < batch && cols; b++) {
        agni_lapack_matrix a = agni_matrix_at(x, y, b);
        char *row = (char *)y->data + b * rows * cols * bytes;
        for (int64_t i = 0; i < rows; i++, row += cols * bytes) {
            int64_t from = upper ? (i < cols ? i : cols) : 0;
            int64_t to = upper ? cols : i < cols ? i + 1 : cols;
            memset(row, 0, (size_t)(from * bytes));
            if (to > from)
                agni_matrix_copy(
                    row + from * bytes,
                    (agni_lapack_matrix){a.p + (i * a.rs + from * a.cs) * bytes, 0, a.cs}, 1,
                    to - from, bytes);
            memset(row + to * bytes, 0, (size_t)((cols - to) * bytes));
            if (i < cols && c->reals[0] != 1)
                scale_element(y->dtype, row + i * bytes, c->reals[0]);
        }
    }
    return AGN_OK;
}
