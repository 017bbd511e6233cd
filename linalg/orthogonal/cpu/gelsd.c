/* linalg/orthogonal/cpu/gelsd.c - least squares in four ways: QR (geqrt, or gels), QR with
   interchanges and a complete orthogonal factorisation (gelsy), singular values by divide and
   conquer (gelsd) and by QR (gelss) (Golub & Van Loan 2013, 5.5). */
#include "linalg/cpu/lane_groups.h"
#include "linalg/cpu/lapack_calls.h"

#include <agnesi/linalg.h>
#include <string.h>

enum { DEPENDENT = -4 };
enum { NARROW = 32 }; /* up to here blocks cost more than they save */

typedef struct lstsq_job {
    const agn_kernel_call *c;
    int dtype, real;
    agn_lstsq_driver driver;
    int64_t m, n, k, tall, least, bytes, work, reals, ints;
    int64_t values; /* bytes of singular values, or of triangles of blocks */
    double rcond;
    const agni_vlanes *lanes;
    agni_lane_source source, right;
} lstsq_job;

/* a [m, n], b [max(m, n), k], both columns first; s: least reals; reals: work of complex matrices;
   ints: pivots or work */
static lapack_int run_lstsq(const lstsq_job *q, void *a, void *b, void *s, lapack_int *rank,
                            void *work, int64_t lwork, void *reals, lapack_int *ints)
{
    const int col = LAPACK_COL_MAJOR, t = q->dtype;
    lapack_int m = (lapack_int)q->m, n = (lapack_int)q->n, k = (lapack_int)q->k,
               lb = (lapack_int)q->tall, lw = (lapack_int)lwork;
    const double rc = q->rcond;
    const float rf = (float)q->rcond;
    switch (q->driver) {
    case AGN_LSTSQ_GELS:
        *rank = (lapack_int)q->least;
        return AGNI_BY_FIELD(t, LAPACKE_sgels_work(col, 'N', m, n, k, a, m, b, lb, work, lw),
                             LAPACKE_dgels_work(col, 'N', m, n, k, a, m, b, lb, work, lw),
                             LAPACKE_cgels_work(col, 'N', m, n, k, a, m, b, lb, work, lw),
                             LAPACKE_zgels_work(col, 'N', m, n, k, a, m, b, lb, work, lw));
    case AGN_LSTSQ_GELSY:
        return AGNI_BY_FIELD(
            t, LAPACKE_sgelsy_work(col, m, n, k, a, m, b, lb, ints, rf, rank, work, lw),
            LAPACKE_dgelsy_work(col, m, n, k, a, m, b, lb, ints, rc, rank, work, lw),
            LAPACKE_cgelsy_work(col, m, n, k, a, m, b, lb, ints, rf, rank, work, lw, reals),
            LAPACKE_zgelsy_work(col, m, n, k, a, m, b, lb, ints, rc, rank, work, lw, reals));
    case AGN_LSTSQ_GELSD:
        return AGNI_BY_FIELD(
            t, LAPACKE_sgelsd_work(col, m, n, k, a, m, b, lb, s, rf, rank, work, lw, ints),
            LAPACKE_dgelsd_work(col, m, n, k, a, m, b, lb, s, rc, rank, work, lw, ints),
            LAPACKE_cgelsd_work(col, m, n, k, a, m, b, lb, s, rf, rank, work, lw, reals, ints),
            LAPACKE_zgelsd_work(col, m, n, k, a, m, b, lb, s, rc, rank, work, lw, reals, ints));
    default:
        return AGNI_BY_FIELD(
            t, LAPACKE_sgelss_work(col, m, n, k, a, m, b, lb, s, rf, rank, work, lw),
            LAPACKE_dgelss_work(col, m, n, k, a, m, b, lb, s, rc, rank, work, lw),
            LAPACKE_cgelss_work(col, m, n, k, a, m, b, lb, s, rf, rank, work, lw, reals),
            LAPACKE_zgelss_work(col, m, n, k, a, m, b, lb, s, rc, rank, work, lw, reals));
    }
}

/* Is a number of the diagonal rounding of the largest one, or of the line of numbers that it ends:
   of its column in r, in l of its row? a [least, least], by columns with r above or l below */
static bool is_dependent(const lstsq_job *q, const char *a, int64_t lead, bool lower)
{
    double most = 0, low = (double)INFINITY;
    const double rounding = (double)q->tall * agni_eps_of(q->dtype);
    for (int64_t i = 0; i < q->least; i++) {
        double d = cabs(agni_number_get(q->dtype, a, i * (lead + 1))), line = d;
        for (int64_t j = 0; j < i; j++)
            line = fmax(line, cabs(agni_number_get(q->dtype, a,
                                                   lower ? i + j * lead : j + i * lead)));
        if (!(d > rounding * line))
            return true;
        most = fmax(most, d);
        low = fmin(low, d);
    }
    return !(low > rounding * most);
}

/* are all numbers far from the ends of the range? */
static bool is_ordinary(int dtype, const char *p, int64_t n)
{
    const double most = agni_largest_part(dtype, p, n);
    int e = 0, far = dtype == AGN_F32 || dtype == AGN_C64 ? 60 : 500;
    frexp(most, &e);
    return most == 0 || (e < far && e > -far);
}

static void conjugate_all(int dtype, char *p, int64_t n)
{
    for (int64_t i = 0; i < n && agni_kind(dtype) == AGNI_KIND_COMPLEX; i++)
        agni_number_set(dtype, p, i, conj(agni_number_get(dtype, p, i)));
}

/* u x = y or u^H x = y in place, u [least, least] in a [m, ..] */
static void divide_by_triangle(const lstsq_job *q, bool adjoint, int64_t m, const void *a, void *y)
{
    const int N = (int)q->least, K = (int)q->k, M = (int)m, L = (int)q->tall;
    const enum CBLAS_TRANSPOSE t = adjoint ? CblasConjTrans : CblasNoTrans;
    const float complex one32 = 1;
    const double complex one64 = 1;
    if (q->dtype == AGN_F32)
        cblas_strsm(CblasColMajor, CblasLeft, CblasUpper, t, CblasNonUnit, N, K, 1, a, M, y, L);
    else if (q->dtype == AGN_F64)
        cblas_dtrsm(CblasColMajor, CblasLeft, CblasUpper, t, CblasNonUnit, N, K, 1, a, M, y, L);
    else if (q->dtype == AGN_C64)
        cblas_ctrsm(CblasColMajor, CblasLeft, CblasUpper, t, CblasNonUnit, N, K, &one32, a, M, y,
                    L);
    else
        cblas_ztrsm(CblasColMajor, CblasLeft, CblasUpper, t, CblasNonUnit, N, K, &one64, a, M, y,
                    L);
}

/* gels by blocks that keep their triangles: a tall [tall, least] columns first, a itself or a^H; b
   [tall, k], 0 below its m rows. */
static int64_t solve_by_blocks(const lstsq_job *q, char *a, char *b, char *t, char *work)
{
    const bool wide = q->m < q->n;
    if (agni_factor_qr(q->dtype, q->tall, q->least, a, t, work))
        return AGNI_LAPACK_REFUSED;
    if (is_dependent(q, a, q->tall, false))
        return DEPENDENT;
    if (!q->k)
        return 0;
    if (wide)
        divide_by_triangle(q, true, q->tall, a, b);
    if (agni_apply_q(q->dtype, !wide, q->tall, q->k, q->least, a, t, b, work))
        return AGNI_LAPACK_REFUSED;
    if (!wide)
        divide_by_triangle(q, false, q->tall, a, b);
    return 0;
}

static int64_t solve_one(void *user, int64_t i, char *room)
{
    const lstsq_job *q = user;
    int64_t m = q->m, n = q->n, k = q->k, z = q->bytes;
    const agn_array *y = q->c->out;
    char *b = room + agni_room_of(m * n * z), *rows = b + agni_room_of(q->tall * k * z),
         *s = rows + agni_room_of(m * k * z),
         *reals = s + agni_room_of(q->values),
         *ints = reals + agni_room_of(q->reals * 8),
         *work = ints + agni_room_of(q->ints * (int64_t)sizeof(lapack_int));
    agni_lapack_matrix a = agni_matrix_at(q->c->in, y, i), rhs = agni_matrix_at(q->c->in + 1, y, i);
    bool good = agni_matrix_copy_finite(room, (agni_lapack_matrix){a.p, a.cs, a.rs}, n, m,
                                        q->dtype);
    good = agni_matrix_copy_finite(rows, (agni_lapack_matrix){rhs.p, rhs.cs, rhs.rs}, k, m,
                                   q->dtype) &&
           good;
    if (!good)
        return AGNI_NOT_FINITE;
    memset(b, 0, (size_t)(q->tall * k * z));
    for (int64_t j = 0; j < k; j++)
        memcpy(b + j * q->tall * z, rows + j * m * z, (size_t)(m * z));
    int64_t *found = (int64_t *)q->c->out[1].data + i;
    const bool blocks = q->least > NARROW && is_ordinary(q->dtype, room, m * n) &&
                        is_ordinary(q->dtype, rows, m * k);
    /* gels does nothing where there is no right-hand side: dependent columns are refused then too */
    if (q->driver == AGN_LSTSQ_GELS && (blocks || !k)) {
        if (m < n) { /* a^H instead, as rows are */
            agni_matrix_copy(room, a, m, n, z);
            conjugate_all(q->dtype, room, m * n);
        }
        int64_t failed = solve_by_blocks(q, room, b, s, work);
        if (failed)
            return failed;
        agni_matrix_copy((char *)y->data + i * n * k * z, (agni_lapack_matrix){b, 1, q->tall}, n, k,
                         z);
        *found = q->least;
        return 0;
    }
    memset(ints, 0, (size_t)(q->ints * (int64_t)sizeof(lapack_int)));
    lapack_int rank = 0, code = run_lstsq(q, room, b, s, &rank, work, q->work, reals,
                                          (lapack_int *)(void *)ints);
    if (code)
        return code < 0 ? AGNI_LAPACK_REFUSED : q->driver == AGN_LSTSQ_GELS ? DEPENDENT : code;
    if (q->driver == AGN_LSTSQ_GELS && is_dependent(q, room, m, m < n))
        return DEPENDENT;
    agni_matrix_copy((char *)y->data + i * n * k * z, (agni_lapack_matrix){b, 1, q->tall}, n, k, z);
    *found = rank;
    int64_t each = agni_dtypes[q->real].bytes;
    if (q->driver >= AGN_LSTSQ_GELSD)
        memcpy((char *)q->c->out[2].data + i * q->least * each, s, (size_t)(q->least * each));
    return 0;
}

/* full rank, a group in lanes: a, or a^T where it is wide */
static uint32_t solve_lanes(void *user, int64_t first, int64_t count, char *room)
{
    const lstsq_job *q = user;
    char *b = room + agni_room_of(q->tall * q->least * q->bytes * q->lanes->lanes);
    agni_lanes_read(q->lanes, &q->source, first, count, room);
    agni_lanes_read(q->lanes, &q->right, first, count, b);
    uint32_t redo = q->lanes->lstsq(room, q->tall, q->least, q->m < q->n, b, q->k);
    agni_lanes_write(q->lanes, q->dtype, b, q->n * q->k, count,
                     (char *)q->c->out[0].data + first * q->n * q->k * q->bytes);
    for (int64_t i = first; i < first + count; i++)
        ((int64_t *)q->c->out[1].data)[i] = q->least;
    return redo;
}

agn_status agni_cpu_dense_lstsq(const agn_kernel_call *c)
{
    const agn_array *y = c->out, *a = c->in;
    lstsq_job q = {.c = c,
                   .dtype = y->dtype,
                   .real = y->dtype == AGN_C64    ? AGN_F32
                           : y->dtype == AGN_C128 ? AGN_F64
                                                  : y->dtype,
                   .driver = (agn_lstsq_driver)c->ints[0],
                   .m = a->shape[a->ndim - 2],
                   .n = a->shape[a->ndim - 1],
                   .k = y->shape[y->ndim - 1],
                   .bytes = agni_dtypes[y->dtype].bytes,
                   .rcond = c->reals[0]};
    q.tall = q.m > q.n ? q.m : q.n;
    q.least = q.m < q.n ? q.m : q.n;
    int64_t batch = agni_batch_count(y, 2), at = 0, *rank = c->out[1].data;
    if (q.rcond < 0)
        q.rcond = (double)q.tall * agni_eps_of(q.dtype);
    if (!q.least) { /* nothing to fit, or nothing to fit with */
        memset(y->data, 0, (size_t)(batch * q.n * q.k * q.bytes));
        memset(rank, 0, (size_t)(batch * 8));
    }
    if (!batch || !q.least)
        return AGN_OK;
    double complex none[2] = {0}, asked = 0;
    double reals[2] = {0};
    lapack_int ints = 0, r = 0;
    if (run_lstsq(&q, none, none, none, &r, &asked, -1, reals, &ints))
        return agni_lapack_failed(c, AGNI_LAPACK_REFUSED, 0, batch, 0, "");
    q.work = agni_lapack_asked(q.dtype, &asked);
    q.ints = q.driver == AGN_LSTSQ_GELSD ? ints : q.n;
    q.reals = q.driver == AGN_LSTSQ_GELSD && q.real != q.dtype
                  ? (int64_t)creal(agni_number_get(q.real, reals, 0)) + 1
                  : 5 * q.tall;
    const int64_t block = agni_qr_block(q.least), wide = q.k > q.least ? q.k : q.least;
    q.values = q.driver == AGN_LSTSQ_GELS ? block * q.least * q.bytes : q.least * 8;
    q.work = q.work > block * wide ? q.work : block * wide;
    int64_t room = agni_overread_room(q.dtype, q.tall) + agni_room_of(q.m * q.n * q.bytes) +
                   agni_room_of(q.tall * q.k * q.bytes) + agni_room_of(q.m * q.k * q.bytes) +
                   agni_room_of(q.values) + agni_room_of(q.reals * 8) +
                   agni_room_of(q.ints * (int64_t)sizeof(lapack_int)) +
                   agni_room_of(q.work * q.bytes);
    q.lanes = q.driver == AGN_LSTSQ_GELS && q.k ? agni_lanes_for(q.dtype, q.tall, batch) : NULL;
    int64_t code;
    if (q.lanes && q.lanes->lstsq) {
        q.source = agni_lanes_of(a, y, q.m, q.n);
        q.right = agni_lanes_of(c->in + 1, y, q.m, q.k);
        if (q.m < q.n) { /* a^T */
            const int64_t rs = q.source.rs;
            q.source.rows = q.n;
            q.source.cols = q.m;
            q.source.rs = q.source.cs;
            q.source.cs = rs;
        }
        code = agni_each_in_lanes_or(q.lanes, batch, q.tall,
                                     agni_room_of(q.tall * q.least * q.bytes * q.lanes->lanes) +
                                         agni_room_of(q.tall * q.k * q.bytes * q.lanes->lanes),
                                     solve_lanes, room, solve_one, &q, &at);
    } else
        code = agni_each_with_room(batch, q.tall, room, solve_one, &q, &at);
    if (code == AGNI_NOT_FINITE)
        return agni_refuse_not_finite(c, y, at);
    if (code == DEPENDENT)
        return agni_fail(AGN_EDOMAIN,
                         "%s: matrix %lld of %lld: rows or columns are dependent up to rounding",
                         c->op, (long long)at, (long long)batch);
    return code ? agni_lapack_failed(c, code, at, batch, room, "singular values") : AGN_OK;
}
