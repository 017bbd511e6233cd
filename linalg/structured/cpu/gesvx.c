/* linalg/structured/cpu/gesvx.c - systems solved with equilibration, iterative refinement and error
   bounds (gesvx; Arioli, Demmel & Duff 1989), and systems solved as the zeros and the symmetry of
   their matrix allow. */
#include "linalg/cpu/lapack_calls.h"

#include <agnesi/linalg.h>
#include <string.h>

enum { FAILED = -4 };

typedef struct solve_job {
    const agn_kernel_call *c;
    int dtype, real;
    int64_t n, k, bytes, work;
} solve_job;

static bool copy_columns(const solve_job *q, char *to, int which, int64_t i, int64_t cols)
{
    agni_lapack_matrix a = agni_matrix_at(q->c->in + which, q->c->out, i);
    return agni_matrix_copy_finite(to, (agni_lapack_matrix){a.p, a.cs, a.rs}, cols, q->n, q->dtype);
}
static void give_rows(const solve_job *q, int64_t i, const char *x)
{
    int64_t n = q->n, k = q->k, z = q->bytes;
    agni_matrix_copy((char *)q->c->out->data + i * n * k * z, (agni_lapack_matrix){x, 1, n}, n, k,
                     z);
}
/* codes above 0: 1 + a pivot */
static agn_status report_failure(const solve_job *q, int64_t code, int64_t at, int64_t batch,
                                 int64_t room)
{
    if (code == AGNI_NOT_FINITE)
        return agni_refuse_not_finite(q->c, q->c->out, at);
    if (code == FAILED)
        return agni_fail(AGN_EDOMAIN,
                         "%s: matrix %lld of %lld: a factor or its reciprocal overflows", q->c->op,
                         (long long)at, (long long)batch);
    if (code > 0)
        return agni_fail(AGN_EDOMAIN, "%s: matrix %lld of %lld is singular: pivot %lld is 0",
                         q->c->op, (long long)at, (long long)batch, (long long)(code - 1));
    return code ? agni_lapack_failed(q->c, code, at, batch, room, "") : AGN_OK;
}

/* ---- refined solutions ---------------------------------------------------------------- */

static int64_t refine_one(void *user, int64_t i, char *room)
{
    const solve_job *q = user;
    int64_t n = q->n, k = q->k, z = q->bytes, square = agni_room_of(n * n * z),
            block = agni_room_of(n * k * z);
    char *af = room + square, *b = af + square, *x = b + block, *work = x + block,
         *reals = work + agni_room_of(4 * n * z), *r = reals + agni_room_of(4 * n * 8),
         *col = r + agni_room_of(n * 8), *ferr = col + agni_room_of(n * 8),
         *berr = ferr + agni_room_of(k * 8);
    lapack_int *piv = (lapack_int *)(void *)(berr + agni_room_of(k * 8)), *ints = piv + n,
               N = (lapack_int)n, K = (lapack_int)k;
    const int cm = LAPACK_COL_MAJOR;
    char equed = 'N';
    double rcond = 0;
    float rcond32 = 0;
    bool good = copy_columns(q, room, 0, i, n);
    good = copy_columns(q, b, 1, i, k) && good;
    if (!good)
        return AGNI_NOT_FINITE;
    void *a = room, *f = af, *p = b, *y = x, *w = work, *s = r, *t = col, *fe = ferr, *be = berr,
         *rw = reals;
    lapack_int code = AGNI_BY_FIELD(q->dtype,
                                    LAPACKE_sgesvx_work(cm, 'E', 'N', N, K, a, N, f, N, piv, &equed,
                                                        s, t, p, N, y, N, &rcond32, fe, be, w,
                                                        ints),
                                    LAPACKE_dgesvx_work(cm, 'E', 'N', N, K, a, N, f, N, piv, &equed,
                                                        s, t, p, N, y, N, &rcond, fe, be, w, ints),
                                    LAPACKE_cgesvx_work(cm, 'E', 'N', N, K, a, N, f, N, piv, &equed,
                                                        s, t, p, N, y, N, &rcond32, fe, be, w, rw),
                                    LAPACKE_zgesvx_work(cm, 'E', 'N', N, K, a, N, f, N, piv, &equed,
                                                        s, t, p, N, y, N, &rcond, fe, be, w, rw));
    if (code < 0)
        return AGNI_LAPACK_REFUSED;
    if (code > 0 && code <= n)
        return code;
    give_rows(q, i, x);
    bool single = q->real == AGN_F32;
    agni_number_set(q->real, q->c->out[1].data, i, single ? (double)rcond32 : rcond);
    int64_t each = agni_dtypes[q->real].bytes;
    memcpy((char *)q->c->out[2].data + i * k * each, ferr, (size_t)(k * each));
    memcpy((char *)q->c->out[3].data + i * k * each, berr, (size_t)(k * each));
    return agni_all_finite(q->dtype, x, n * k) ? 0 : FAILED;
}

static solve_job job_of(const agn_kernel_call *c)
{
    const agn_array *y = c->out;
    return (solve_job){.c = c,
                       .dtype = y->dtype,
                       .real = y->dtype == AGN_C64    ? AGN_F32
                               : y->dtype == AGN_C128 ? AGN_F64
                                                      : y->dtype,
                       .n = y->shape[y->ndim - 2],
                       .k = y->shape[y->ndim - 1],
                       .bytes = agni_dtypes[y->dtype].bytes};
}

agn_status agni_cpu_refined_solve(const agn_kernel_call *c)
{
    solve_job q = job_of(c);
    int64_t batch = agni_batch_count(c->out, 2), at = 0, each = agni_dtypes[q.real].bytes;
    if (!q.n) {
        for (int64_t i = 0; i < batch; i++)
            agni_number_set(q.real, c->out[1].data, i, 1);
        memset(c->out[2].data, 0, (size_t)(batch * q.k * each));
        memset(c->out[3].data, 0, (size_t)(batch * q.k * each));
    }
    if (!batch || !q.n)
        return AGN_OK;
    int64_t room = agni_overread_room(q.dtype, q.n) + 2 * agni_room_of(q.n * q.n * q.bytes) +
                   2 * agni_room_of(q.n * q.k * q.bytes) + agni_room_of(4 * q.n * q.bytes) +
                   agni_room_of(4 * q.n * 8) + 2 * agni_room_of(q.n * 8) +
                   2 * agni_room_of(q.k * 8) + agni_room_of(2 * q.n * (int64_t)sizeof(lapack_int));
    int64_t code = agni_each_with_room(batch, q.n, room, refine_one, &q, &at);
    return report_failure(&q, code, at, batch, room);
}

/* ---- by looking ------------------------------------------------------------------------- */

typedef struct shape_of {
    int64_t below, above; /* diagonals that hold something */
    bool symmetric, hermitian, positive; /* positive: the diagonal is */
    double most;
} shape_of;

static shape_of look_at_shape(int dtype, const char *a, int64_t n)
{
    shape_of g = {0, 0, true, true, true, 0};
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            double complex v = agni_number_get(dtype, a, j * n + i);
            if (v == 0 && i != j)
                continue; /* its partner is looked at */
            double complex w = agni_number_get(dtype, a, i * n + j);
            g.below = i - j > g.below ? i - j : g.below;
            g.above = j - i > g.above ? j - i : g.above;
            g.symmetric = g.symmetric && v == w;
            g.hermitian = g.hermitian && v == conj(w);
            g.positive = g.positive && (i != j || (cimag(v) == 0 && creal(v) > 0));
            g.most = fmax(g.most, fmax(fabs(creal(v)), fabs(cimag(v))));
        }
    return g;
}

static void triangular_solve(const solve_job *q, bool upper, const void *a, void *x)
{
    enum CBLAS_UPLO uplo = upper ? CblasUpper : CblasLower;
    const enum CBLAS_ORDER col = CblasColMajor;
    int n = (int)q->n, k = (int)q->k;
    const float complex one32 = 1;
    const double complex one64 = 1;
    if (q->dtype == AGN_F32)
        cblas_strsm(col, CblasLeft, uplo, CblasNoTrans, CblasNonUnit, n, k, 1, a, n, x, n);
    else if (q->dtype == AGN_F64)
        cblas_dtrsm(col, CblasLeft, uplo, CblasNoTrans, CblasNonUnit, n, k, 1, a, n, x, n);
    else if (q->dtype == AGN_C64)
        cblas_ctrsm(col, CblasLeft, uplo, CblasNoTrans, CblasNonUnit, n, k, &one32, a, n, x, n);
    else
        cblas_ztrsm(col, CblasLeft, uplo, CblasNoTrans, CblasNonUnit, n, k, &one64, a, n, x, n);
}

static int64_t solve_diagonal(const solve_job *q, const char *a, char *x)
{
    for (int64_t i = 0; i < q->n; i++) {
        double complex d = agni_number_get(q->dtype, a, i * (q->n + 1));
        if (d == 0)
            return 1 + i;
        for (int64_t j = 0; j < q->k; j++)
            agni_number_set(q->dtype, x, j * q->n + i,
                            agni_number_get(q->dtype, x, j * q->n + i) / d);
    }
    return 0;
}

static int64_t solve_triangle(const solve_job *q, bool upper, const char *a, char *x)
{
    for (int64_t i = 0; i < q->n; i++)
        if (agni_number_get(q->dtype, a, i * (q->n + 1)) == 0)
            return 1 + i;
    triangular_solve(q, upper, a, x);
    return 0;
}

static int64_t solve_band(const solve_job *q, shape_of g, const char *a, char *x, char *room,
                          lapack_int *piv)
{
    const int col = LAPACK_COL_MAJOR;
    int64_t n = q->n, l = g.below, u = g.above, high = 2 * l + u + 1;
    memset(room, 0, (size_t)(high * n * q->bytes));
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j > u ? j - u : 0; i < n && i <= j + l; i++)
            memcpy(room + (j * high + l + u + i - j) * q->bytes, a + (j * n + i) * q->bytes,
                   (size_t)q->bytes);
    lapack_int N = (lapack_int)n, L = (lapack_int)l, U = (lapack_int)u, K = (lapack_int)q->k,
               ld = (lapack_int)high;
    void *band = room, *b = x;
    lapack_int code = AGNI_BY_FIELD(q->dtype,
                                    LAPACKE_sgbsv_work(col, N, L, U, K, band, ld, piv, b, N),
                                    LAPACKE_dgbsv_work(col, N, L, U, K, band, ld, piv, b, N),
                                    LAPACKE_cgbsv_work(col, N, L, U, K, band, ld, piv, b, N),
                                    LAPACKE_zgbsv_work(col, N, L, U, K, band, ld, piv, b, N));
    return code < 0 ? AGNI_LAPACK_REFUSED : code;
}

/* f is overwritten; 0, or more where it is not positive definite */
static int64_t solve_positive(const solve_job *q, char *f, char *x)
{
    const int col = LAPACK_COL_MAJOR;
    lapack_int n = (lapack_int)q->n, k = (lapack_int)q->k;
    void *a = f, *b = x;
    lapack_int code = AGNI_BY_FIELD(
        q->dtype, LAPACKE_spotrf_work(col, 'L', n, a, n), LAPACKE_dpotrf_work(col, 'L', n, a, n),
        LAPACKE_cpotrf_work(col, 'L', n, a, n), LAPACKE_zpotrf_work(col, 'L', n, a, n));
    if (!code)
        code = AGNI_BY_FIELD(q->dtype, LAPACKE_spotrs_work(col, 'L', n, k, a, n, b, n),
                             LAPACKE_dpotrs_work(col, 'L', n, k, a, n, b, n),
                             LAPACKE_cpotrs_work(col, 'L', n, k, a, n, b, n),
                             LAPACKE_zpotrs_work(col, 'L', n, k, a, n, b, n));
    return code < 0 ? AGNI_LAPACK_REFUSED : code;
}

static lapack_int run_indefinite(const solve_job *q, bool hermitian, void *a, lapack_int *piv,
                                 void *b, void *work, int64_t lwork)
{
    const int col = LAPACK_COL_MAJOR;
    lapack_int n = (lapack_int)q->n, k = (lapack_int)q->k, lw = (lapack_int)lwork;
    if (hermitian && q->dtype == AGN_C64)
        return LAPACKE_chesv_work(col, 'L', n, k, a, n, piv, b, n, work, lw);
    if (hermitian && q->dtype == AGN_C128)
        return LAPACKE_zhesv_work(col, 'L', n, k, a, n, piv, b, n, work, lw);
    return AGNI_BY_FIELD(q->dtype, LAPACKE_ssysv_work(col, 'L', n, k, a, n, piv, b, n, work, lw),
                         LAPACKE_dsysv_work(col, 'L', n, k, a, n, piv, b, n, work, lw),
                         LAPACKE_csysv_work(col, 'L', n, k, a, n, piv, b, n, work, lw),
                         LAPACKE_zsysv_work(col, 'L', n, k, a, n, piv, b, n, work, lw));
}

/* a [n, n] stays, f is a copy of it */
static int64_t solve_general(const solve_job *q, const char *given, char *f, lapack_int *piv,
                             char *x)
{
    const int col = LAPACK_COL_MAJOR;
    lapack_int n = (lapack_int)q->n, k = (lapack_int)q->k;
    void *a = f, *b = x;
    int64_t code = agni_factor_lu(q->dtype, n, n, f, piv);
    const double most = agni_largest_part(q->dtype, given, q->n * q->n);
    if (!code && agni_lu_has_grown(q->dtype, n, f, most)) {
        agni_matrix_copy(f, (agni_lapack_matrix){given, 1, n}, n, n, q->bytes);
        return agni_solve_turned(q->dtype, n, k, f, piv, x);
    }
    if (!code)
        code = AGNI_BY_FIELD(q->dtype, LAPACKE_sgetrs_work(col, 'N', n, k, a, n, piv, b, n),
                             LAPACKE_dgetrs_work(col, 'N', n, k, a, n, piv, b, n),
                             LAPACKE_cgetrs_work(col, 'N', n, k, a, n, piv, b, n),
                             LAPACKE_zgetrs_work(col, 'N', n, k, a, n, piv, b, n));
    return code;
}

static int64_t solve_by_looking(void *user, int64_t i, char *room)
{
    const solve_job *q = user;
    int64_t n = q->n, k = q->k, z = q->bytes, square = agni_room_of(n * n * z);
    char *f = room + square, *x = f + square, *work = x + agni_room_of(n * k * z);
    lapack_int *piv = (lapack_int *)(void *)(work + agni_room_of(q->work * z));
    agni_lapack_matrix rhs = agni_matrix_at(q->c->in + 1, q->c->out, i);
    if (!copy_columns(q, room, 0, i, n))
        return AGNI_NOT_FINITE;
    agni_matrix_copy(x, (agni_lapack_matrix){rhs.p, rhs.cs, rhs.rs}, k, n, z);
    bool known = agni_all_finite(q->dtype, x, n * k);
    shape_of g = look_at_shape(q->dtype, room, n);
    int e = 0, far = q->real == AGN_F32 ? 60 : 500;
    if (g.most > 0)
        frexp(g.most, &e);
    e = e > far || e < -far ? e : 0; /* near the ends of the range: a 2^-e (2^e x) = b */
    for (int64_t j = 0; e && j < n * n; j++)
        agni_number_set(q->dtype, room, j,
                        agni_scale_parts(agni_number_get(q->dtype, room, j), -e));
    agn_matrix_kind kind = AGN_MATRIX_GENERAL;
    int64_t code = 1;
    if (!g.below && !g.above) {
        kind = AGN_MATRIX_DIAGONAL;
        code = solve_diagonal(q, room, x);
    } else if (!g.below || !g.above) {
        kind = g.below ? AGN_MATRIX_LOWER : AGN_MATRIX_UPPER;
        code = solve_triangle(q, !g.below, room, x);
    } else if (4 * (2 * g.below + g.above + 1) <= n) {
        kind = g.below == 1 && g.above == 1 ? AGN_MATRIX_TRIDIAGONAL : AGN_MATRIX_BANDED;
        code = solve_band(q, g, room, x, f, piv);
    } else if (g.hermitian && g.positive) {
        kind = AGN_MATRIX_POSITIVE;
        memcpy(f, room, (size_t)(n * n * z));
        code = solve_positive(q, f, x);
    }
    bool tried = kind != AGN_MATRIX_GENERAL && kind != AGN_MATRIX_POSITIVE;
    if (!tried && code > 0 && (g.hermitian || g.symmetric)) {
        kind = g.hermitian ? AGN_MATRIX_HERMITIAN : AGN_MATRIX_SYMMETRIC;
        memcpy(f, room, (size_t)(n * n * z));
        code = run_indefinite(q, g.hermitian, f, piv, x, work, q->work);
        code = code < 0 ? AGNI_LAPACK_REFUSED : code;
    } else if (!tried && code > 0) {
        memcpy(f, room, (size_t)(n * n * z));
        code = solve_general(q, room, f, piv, x);
    }
    if (code)
        return code;
    for (int64_t j = 0; e && j < n * k; j++)
        agni_number_set(q->dtype, x, j, agni_scale_parts(agni_number_get(q->dtype, x, j), -e));
    if (known && !agni_all_finite(q->dtype, x, n * k))
        return FAILED;
    give_rows(q, i, x);
    ((int32_t *)q->c->out[1].data)[i] = kind;
    return 0;
}

agn_status agni_cpu_any_solve(const agn_kernel_call *c)
{
    solve_job q = job_of(c);
    int64_t batch = agni_batch_count(c->out, 2), at = 0;
    for (int64_t i = 0; !q.n && i < batch; i++)
        ((int32_t *)c->out[1].data)[i] = AGN_MATRIX_DIAGONAL;
    if (!batch || !q.n)
        return AGN_OK;
    double complex none[2] = {0}, first = 0, second = 0;
    lapack_int piv = 0;
    if (run_indefinite(&q, false, none, &piv, none, &first, -1) ||
        run_indefinite(&q, true, none, &piv, none, &second, -1))
        return agni_lapack_failed(c, AGNI_LAPACK_REFUSED, 0, batch, 0, "");
    int64_t s = agni_lapack_asked(q.dtype, &first), h = agni_lapack_asked(q.dtype, &second);
    q.work = s > h ? s : h;
    int64_t room = agni_overread_room(q.dtype, q.n) + 2 * agni_room_of(q.n * q.n * q.bytes) +
                   agni_room_of(q.n * q.k * q.bytes) + agni_room_of(q.work * q.bytes) +
                   agni_room_of(q.n * (int64_t)sizeof(lapack_int));
    int64_t code = agni_each_with_room(batch, q.n, room, solve_by_looking, &q, &at);
    return report_failure(&q, code, at, batch, room);
}
