/* linalg/cpu/potrf.c - Cholesky factorisation (potrf). The lower triangle of a row-major matrix is
   the upper one of what LAPACK sees, its transpose: a^T = u^H u, and l = u^T. Small matrices of a
   batch are factored in the lanes of vectors. */
#include "linalg/cpu/lane_groups.h"
#include "linalg/cpu/lapack_calls.h"

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

/* ---- large ones: panels by products with inverses of small triangles, which take a third of the
   time of trsm, where such a triangle has a condition that costs no digits -------------------- */

enum { PANEL = 32, WIDE = 128, MILD = 64 };

/* |w|_1 |t|_1 of triangles [b, b], columns first: w is the inverse of t; false where it is not mild
   or not a number */
#define BLOCKS(name, T, CALL, POTRF, TRTRI) \
    static bool is_mild_##name(const T *w, const T *t, int64_t lead, int64_t b) \
    { \
        double most[2] = {0, 0}; \
        for (int64_t j = 0; j < b; j++) { \
            double sum[2] = {0, 0}; \
            for (int64_t i = 0; i < b; i++) \
                if (w[j * b + i] != 0) { \
                    sum[0] += fabs((double)w[j * b + i]); \
                    sum[1] += fabs((double)t[j * lead + i]); \
                } \
            for (int k = 0; k < 2; k++) \
                most[k] = sum[k] > most[k] ? sum[k] : most[k]; \
        } \
        return most[0] * most[1] <= MILD; \
    } \
    /* the upper triangle of a^T = u^H u, columns first, or the lower one of l l^H; w: [b, b], p: a \
       panel */ \
    static int64_t name(T *a, bool lower, int64_t n, T *w, T *p) \
    { \
        const enum CBLAS_UPLO side = lower ? CblasLower : CblasUpper; \
        const char u = lower ? 'L' : 'U'; \
        for (int64_t j = 0; j < n; j += PANEL) { \
            const int64_t b = n - j < PANEL ? n - j : PANEL, r = n - j - b; \
            const int N = (int)n, B = (int)b, R = (int)r; \
            T *d = a + j * (n + 1), *o = lower ? d + b : d + b * n; \
            const int64_t code = POTRF(LAPACK_COL_MAJOR, u, B, d, N); \
            if (code) \
                return code < 0 ? code : code + j; \
            if (!r) \
                break; \
            memset(w, 0, (size_t)(b * b) * sizeof *w); \
            for (int64_t k = 0; k < b; k++) \
                for (int64_t i = lower ? k : 0; i < (lower ? b : k + 1); i++) \
                    w[k * b + i] = d[k * n + i]; \
            if (TRTRI(LAPACK_COL_MAJOR, u, 'N', B, w, B) == 0 && is_mild_##name(w, d, n, b)) { \
                for (int64_t k = 0; k < (lower ? b : r); k++) \
                    memcpy(p + k * (lower ? r : b), o + k * n, \
                           (size_t)(lower ? r : b) * sizeof *p); \
                if (lower) \
                    cblas_##CALL##gemm(CblasColMajor, CblasNoTrans, CblasTrans, R, B, B, 1, p, R, \
                                       w, B, 0, o, N); \
                else \
                    cblas_##CALL##gemm(CblasColMajor, CblasTrans, CblasNoTrans, B, R, B, 1, w, B, \
                                       p, B, 0, o, N); \
            } else \
                cblas_##CALL##trsm(CblasColMajor, lower ? CblasRight : CblasLeft, side, \
                                   CblasTrans, CblasNonUnit, lower ? R : B, lower ? B : R, 1, d, \
                                   N, o, N); \
            cblas_##CALL##syrk(CblasColMajor, side, lower ? CblasNoTrans : CblasTrans, R, B, -1, \
                               o, N, 1, d + b * (n + 1), N); \
        } \
        return 0; \
    }
BLOCKS(blocks_f32, float, s, LAPACKE_spotrf_work, LAPACKE_strtri_work)
BLOCKS(blocks_f64, double, d, LAPACKE_dpotrf_work, LAPACKE_dtrtri_work)

/* false: not done, without room */
static bool factor_by_blocks(int dtype, bool lower, int64_t n, void *a, int64_t *code)
{
    const int64_t z = agni_dtypes[dtype].bytes;
    char *room = n < WIDE || n > INT32_MAX || agni_kind(dtype) == AGNI_KIND_COMPLEX
                     ? NULL
                     : agni_alloc((size_t)((n + PANEL) * PANEL * z));
    if (!room)
        return false;
    void *w = room, *p = room + PANEL * PANEL * z;
    *code = dtype == AGN_F32 ? blocks_f32(a, lower, n, w, p) : blocks_f64(a, lower, n, w, p);
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
