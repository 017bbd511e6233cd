/* linalg/structured/cpu/gbsv.c - systems with a banded matrix (Golub & Van Loan 2013, 4.3): loops
   of our own, else gbsv, and gtsv where it is tridiagonal; pbsv and ptsv where it is
   positive definite, tbtrs where it is triangular. Rows of the argument are diagonals, row
   u + i - j holds entry [i, j] in column j. */
#include "tensor/cpu/level_dispatch.h" /* before complex.h, which takes the name I */

#include "linalg/cpu/lanes/lanes.h"
#include "linalg/cpu/lapack_calls.h"
#include "linalg/structured/bands.h"

#include <string.h>

const agni_vlanes *agni_band_lanes(int dtype)
{
    const agni_vlanes *all = agni_simd_kernels_get()->lanes;
    return dtype == AGN_F64    ? all + AGNI_SIMD_F64
           : dtype == AGN_F32  ? all + AGNI_SIMD_F32
           : dtype == AGN_C128 ? all[AGNI_SIMD_F64].complex_
                               : all[AGNI_SIMD_F32].complex_;
}

const agni_vlanes *agni_half_band_lanes(int dtype, int64_t n, int64_t w)
{
    const agni_vlanes *own = agni_band_lanes(dtype);
    return w <= n && w <= 4 * own->lanes ? own : NULL;
}

typedef struct band_job {
    const agn_kernel_call *c;
    int dtype;
    int64_t l, u, w, n, k, bytes, own_room;
    bool definite;
    const agni_vlanes *own; /* loops that need no copy of the matrix, or NULL */
} band_job;

/* the power of 2 that makes the largest part one of [1/2, 1) */
static int unit_scale(int dtype, const void *p, int64_t n)
{
    int e = 0;
    frexp(agni_largest_part(dtype, p, n), &e);
    return -e;
}
/* the same where reciprocals would overflow; else 0 */
static int choose_scale(int dtype, const void *p, int64_t n)
{
    const int e = unit_scale(dtype, p, n), far = dtype == AGN_F32 || dtype == AGN_C64 ? 60 : 500;
    return e > far || e < -far ? e : 0;
}

static void scale_all(int dtype, void *p, int64_t n, int e)
{
    for (int64_t i = 0; e && i < n; i++)
        agni_number_set(dtype, p, i, agni_scale_parts(agni_number_get(dtype, p, i), e));
}

static lapack_int run_gtsv(const band_job *q, char *band, char *x)
{
    const int col = LAPACK_COL_MAJOR;
    lapack_int n = (lapack_int)q->n, k = (lapack_int)q->k;
    void *du = band + q->bytes, *d = band + q->n * q->bytes, *dl = band + 2 * q->n * q->bytes,
         *b = x;
    return AGNI_BY_FIELD(q->dtype, LAPACKE_sgtsv_work(col, n, k, dl, d, du, b, n),
                         LAPACKE_dgtsv_work(col, n, k, dl, d, du, b, n),
                         LAPACKE_cgtsv_work(col, n, k, dl, d, du, b, n),
                         LAPACKE_zgtsv_work(col, n, k, dl, d, du, b, n));
}

/* wide: columns of l + w numbers, the first l are LAPACK's own */
static lapack_int run_gbsv(const band_job *q, char *wide, char *x, lapack_int *piv)
{
    const int col = LAPACK_COL_MAJOR;
    const int64_t high = q->l + q->w;
    lapack_int n = (lapack_int)q->n, l = (lapack_int)q->l, u = (lapack_int)q->u,
               k = (lapack_int)q->k, ld = (lapack_int)high;
    void *a = wide, *b = x;
    return AGNI_BY_FIELD(q->dtype, LAPACKE_sgbsv_work(col, n, l, u, k, a, ld, piv, b, n),
                         LAPACKE_dgbsv_work(col, n, l, u, k, a, ld, piv, b, n),
                         LAPACKE_cgbsv_work(col, n, l, u, k, a, ld, piv, b, n),
                         LAPACKE_zgbsv_work(col, n, l, u, k, a, ld, piv, b, n));
}

/* what lies outside of the matrix is not read: row r before column u - r, and from n + u - r on */
#define FILL(T) \
    for (int64_t j0 = 0; j0 < n; j0 += COLUMNS) \
        for (int64_t r = 0; r < w; r++) { \
            const T *from = (const T *)(const void *)a.p + r * a.rs; \
            T *to = (T *)(void *)wide + l + r; \
            int64_t first = u - r > j0 ? u - r : j0, end = j0 + COLUMNS < n ? j0 + COLUMNS : n; \
            end = n + u - r < end ? n + u - r : end; \
            for (int64_t j = first; j < end; j++) \
                to[j * (l + w)] = from[j * a.cs]; \
        } \
    break
/* diagonals to columns with room above them, some columns at a time that stay in a cache */
static void fill_columns(const band_job *q, agni_lapack_matrix a, char *wide)
{
    enum { COLUMNS = 64 };
    const int64_t n = q->n, w = q->w, l = q->l, u = q->u;
    memset(wide, 0, (size_t)((l + w) * n * q->bytes));
    switch (q->bytes) {
    case 4:
        FILL(float);
    case 8:
        FILL(double);
    default:
        FILL(double complex);
    }
}

/* the same to rows, which gtsv takes */
static void fill_rows(const band_job *q, agni_lapack_matrix a, char *band)
{
    const int64_t n = q->n, w = q->w, z = q->bytes;
    agni_matrix_copy(band, a, w, n, z);
    for (int64_t r = 0; r < w; r++, band += n * z) {
        const int64_t from = q->u - r, to = n + q->u - r;
        if (from > 0)
            memset(band, 0, (size_t)((from < n ? from : n) * z));
        if (to < n)
            memset(band + (to > 0 ? to : 0) * z, 0, (size_t)((n - (to > 0 ? to : 0)) * z));
    }
}

/* the diagonals from row `first` on, of which there are m, to columns of m numbers; 0 outside of the
   matrix */
static void fill_triangle(const band_job *q, agni_lapack_matrix a, int64_t first, int64_t m,
                          char *to)
{
    const int64_t n = q->n, z = q->bytes;
    a.p += first * a.rs * z;
    agni_matrix_copy(to, (agni_lapack_matrix){a.p, a.cs, a.rs}, n, m, z);
    for (int64_t r = 0; r < m; r++)
        for (int64_t j = 0, d = first + r - q->u; j < n; j++)
            if (j + d < 0 || j + d >= n)
                memset(to + (j * m + r) * z, 0, (size_t)z);
}

/* of a triangle, which is its own factor */
static lapack_int run_tbtrs(const band_job *q, char *band, char *x)
{
    const int col = LAPACK_COL_MAJOR;
    const char side = q->u ? 'U' : 'L';
    lapack_int n = (lapack_int)q->n, w = (lapack_int)q->w, d = w - 1, k = (lapack_int)q->k;
    void *a = band, *b = x;
    return AGNI_BY_FIELD(q->dtype, LAPACKE_stbtrs_work(col, side, 'N', 'N', n, d, k, a, w, b, n),
                         LAPACKE_dtbtrs_work(col, side, 'N', 'N', n, d, k, a, w, b, n),
                         LAPACKE_ctbtrs_work(col, side, 'N', 'N', n, d, k, a, w, b, n),
                         LAPACKE_ztbtrs_work(col, side, 'N', 'N', n, d, k, a, w, b, n));
}

/* by Cholesky's method from the lower triangle, columns of l + 1 numbers; l d l^H of 3 diagonals,
   whose rows are given, d real */
static lapack_int run_pbsv(const band_job *q, char *band, char *x)
{
    const int col = LAPACK_COL_MAJOR;
    lapack_int n = (lapack_int)q->n, d = (lapack_int)q->l, k = (lapack_int)q->k;
    void *a = band, *e = band + q->n * q->bytes, *b = x;
    if (q->l == 1)
        return AGNI_BY_FIELD(q->dtype, LAPACKE_sptsv_work(col, n, k, a, e, b, n),
                             LAPACKE_dptsv_work(col, n, k, a, e, b, n),
                             LAPACKE_cptsv_work(col, n, k, a, e, b, n),
                             LAPACKE_zptsv_work(col, n, k, a, e, b, n));
    return AGNI_BY_FIELD(q->dtype, LAPACKE_spbsv_work(col, 'L', n, d, k, a, d + 1, b, n),
                         LAPACKE_dpbsv_work(col, 'L', n, d, k, a, d + 1, b, n),
                         LAPACKE_cpbsv_work(col, 'L', n, d, k, a, d + 1, b, n),
                         LAPACKE_zpbsv_work(col, 'L', n, d, k, a, d + 1, b, n));
}

/* how a matrix is laid out for LAPACK, and by which routine it is solved */
typedef enum band_kind { GENERAL, THREE, TRIANGLE, DEFINITE, DEFINITE_ROWS } band_kind;
static band_kind kind_of(const band_job *q)
{
    if (q->definite)
        return q->l == 1 ? DEFINITE_ROWS : DEFINITE;
    return !q->l || !q->u ? TRIANGLE : q->l == 1 && q->u == 1 ? THREE : GENERAL;
}

/* of complex numbers one after the other, 0 behind them */
static void keep_real_parts(int dtype, char *p, int64_t n)
{
    for (int64_t j = 0; dtype == AGN_C128 && j < 2 * n; j++)
        ((double *)(void *)p)[j] = j < n ? ((double *)(void *)p)[2 * j] : 0;
    for (int64_t j = 0; dtype == AGN_C64 && j < 2 * n; j++)
        ((float *)(void *)p)[j] = j < n ? ((float *)(void *)p)[2 * j] : 0;
}

static void fill_band(const band_job *q, band_kind kind, agni_lapack_matrix a, char *band)
{
    switch (kind) {
    case GENERAL:
        fill_columns(q, a, band);
        break;
    case THREE:
        fill_rows(q, a, band);
        break;
    case TRIANGLE:
        fill_triangle(q, a, 0, q->w, band);
        break;
    case DEFINITE:
        fill_triangle(q, a, q->u, q->l + 1, band);
        break;
    case DEFINITE_ROWS:
        a.p += q->u * a.rs * q->bytes;
        agni_matrix_copy(band, a, 2, q->n, q->bytes);
        memset(band + (2 * q->n - 1) * q->bytes, 0, (size_t)q->bytes);
        keep_real_parts(q->dtype, band, q->n);
    }
}

/* by LAPACK, which names what is wrong */
static int64_t solve_by_lapack(const band_job *q, int64_t i, char *room)
{
    const agn_array *y = q->c->out;
    const int64_t z = q->bytes, n = q->n;
    const band_kind kind = kind_of(q);
    const int64_t held = n * (kind == GENERAL ? q->l + q->w
                              : kind == THREE || kind == TRIANGLE
                                  ? q->w
                                  : q->l + 1); /* numbers of the matrix */
    char *band = room, *x = band + agni_room_of(held * z);
    lapack_int *piv = (lapack_int *)(void *)(x + agni_room_of(n * q->k * z));
    agni_lapack_matrix a = agni_matrix_at(q->c->in, y, i), b = agni_matrix_at(q->c->in + 1, y, i);
    fill_band(q, kind, a, band);
    if (!agni_all_finite(q->dtype, band, held))
        return AGNI_NOT_FINITE;
    const int e = choose_scale(q->dtype, band, held);
    scale_all(q->dtype, band, held, e);
    agni_matrix_copy(x, (agni_lapack_matrix){b.p, b.cs, b.rs}, q->k, n, z);
    /* sides of extreme size would lose digits or overflow on the way */
    const int f = !agni_all_finite(q->dtype, x, n * q->k) ? 0
                  : e                                     ? unit_scale(q->dtype, x, n * q->k)
                                                          : choose_scale(q->dtype, x, n * q->k);
    scale_all(q->dtype, x, n * q->k, f);
    lapack_int code = kind == GENERAL    ? run_gbsv(q, band, x, piv)
                      : kind == THREE    ? run_gtsv(q, band, x)
                      : kind == TRIANGLE ? run_tbtrs(q, band, x)
                                         : run_pbsv(q, band, x);
    if (code)
        return code < 0 ? AGNI_LAPACK_REFUSED : code;
    scale_all(q->dtype, x, n * q->k, e - f);
    agni_matrix_copy((char *)y->data + i * n * q->k * z, (agni_lapack_matrix){x, 1, n}, n, q->k, z);
    return 0;
}

/* The loops of lanes multiply by the zeros beyond the band: where a solution is not finite, inf and
   NaN would come into rows that have nothing to do with them, and LAPACK solves it again. */
static int64_t solve_one(void *user, int64_t i, char *room)
{
    const band_job *q = user;
    const int64_t held = q->n * q->k, z = q->bytes;
    if (!q->own)
        return solve_by_lapack(q, i, room);
    char *x = (char *)q->c->out->data + i * held * z, *side = room + agni_room_of(q->own_room * z);
    const agni_lapack_matrix a = agni_matrix_at(q->c->in, q->c->out, i),
                             b = agni_matrix_at(q->c->in + 1, q->c->out, i);
    agni_matrix_copy(side, b, q->n, q->k, z);
    if (choose_scale(q->dtype, side, held))
        return solve_by_lapack(q, i, room);
    const bool done =
        q->definite ? q->own->solve_half_band(a.p + q->u * a.rs * z, a.rs, a.cs, q->l + 1, q->n,
                                              side, x, q->k, room)
        : q->k == 1 && (!q->l || !q->u)
            ? q->own->solve_band_triangle(a.p, a.rs, a.cs, q->u > 0, q->w, q->n, side, x, room)
            : q->own->solve_band(a.p, a.rs, a.cs, q->l, q->u, q->n, q->k, side, x, room);
    return done && agni_all_finite(q->dtype, x, held) ? 0 : solve_by_lapack(q, i, room);
}

/* the loops for a job, with the numbers of room that they need, or NULL */
static const agni_vlanes *choose_loops(const band_job *q, int64_t *room)
{
    const agni_vlanes *own = agni_band_lanes(q->dtype);
    *room = 0;
    if (q->definite && kind_of(q) == DEFINITE_ROWS)
        return NULL; /* ptsv is as fast */
    if (q->definite) {
        own = agni_half_band_lanes(q->dtype, q->n, q->l + 1);
        *room = own ? own->half_band_room(q->n, q->l + 1, true) : 0;
    } else if (q->k == 1 && (!q->l || !q->u))
        *room = own->triangle_room();
    else if (own->band_room && q->u)
        *room = own->band_room(q->n, q->w);
    return *room ? own : NULL;
}

agn_status agni_cpu_banded_solve(const agn_kernel_call *c)
{
    const agn_array *y = c->out;
    band_job q = {.c = c,
                  .dtype = y->dtype,
                  .l = c->ints[0],
                  .definite = c->ints[1],
                  .w = c->in->shape[c->in->ndim - 2],
                  .n = y->shape[y->ndim - 2],
                  .k = y->shape[y->ndim - 1],
                  .bytes = agni_dtypes[y->dtype].bytes};
    q.u = q.w - 1 - q.l;
    int64_t batch = agni_batch_count(y, 2), at = 0;
    if (!batch || !q.n || !q.k)
        return AGN_OK;
    int64_t room = agni_room_of((q.l + q.w) * q.n * q.bytes) + agni_room_of(q.n * q.k * q.bytes) +
                   agni_room_of(q.n * (int64_t)sizeof(lapack_int));
    q.own = choose_loops(&q, &q.own_room);
    const int64_t own = agni_room_of(q.own_room * q.bytes) + agni_room_of(q.n * q.k * q.bytes);
    room = own > room ? own : room;
    int64_t order = (int64_t)cbrt((double)q.n * (double)(q.w * q.w + 1));
    int64_t code = agni_each_with_room(batch, order, room, solve_one, &q, &at);
    if (code == AGNI_NOT_FINITE)
        return agni_fail(AGN_EDOMAIN, "%s: matrix %lld of %lld is not finite", c->op, (long long)at,
                         (long long)batch);
    if (code > 0 && q.definite)
        return agni_fail(
            AGN_EDOMAIN, "%s: matrix %lld of %lld is not positive definite: column %lld of %lld",
            c->op, (long long)at, (long long)batch, (long long)code - 1, (long long)q.n);
    if (code > 0)
        return agni_fail(AGN_EDOMAIN, "%s: matrix %lld of %lld is singular: pivot %lld is 0", c->op,
                         (long long)at, (long long)batch, (long long)code - 1);
    return code ? agni_lapack_failed(c, code, at, batch, room, "") : AGN_OK;
}
