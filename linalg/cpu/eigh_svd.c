/* linalg/cpu/eigh_svd.c - Hermitian eigenpairs by divide and conquer (stedc.h, else LAPACK's syevd
   and heevd) and singular values (gesdd); small matrices of a batch by rotations in the lanes of
   vectors. Row-major memory is LAPACK's transpose: of a Hermitian matrix the conjugate, whose
   vectors are conjugates in its rows; of a = u s vh the factors vh^T and u^T, which are row-major
   vh and u. */
#include "linalg/cpu/lane_groups.h"
#include "linalg/cpu/lapack_calls.h"
#include "linalg/cpu/stedc.h"

#include <math.h>
#include <string.h>

enum { CONQUERED = 24 }; /* more rows than this: divide and conquer; LAPACK's begins there too */

typedef struct spectral_job {
    const agn_kernel_call *c;
    int dtype;
    int64_t m, n, k, bytes, wide; /* wide: bytes of a real number */
    int64_t copy,
        aside; /* bytes: of a, and of u and vh where they are not computed in the results */
    int64_t work, rwork, iwork; /* counts of elements, real numbers, integers */
    bool upper, vectors, full, conquer; /* conquer: pairs by our own divide and conquer */
    const agni_vlanes *lanes;
    agni_lane_source source;
} spectral_job;

/* ---- results of lanes: values in order, phases of their vectors ----------------------------- */

typedef struct lane_vectors {
    const void *w, *u, *v; /* values; vectors in rows of m and of n numbers, or NULL */
    int64_t m, n, k;
    bool descending;
} lane_vectors;

/* of lane l: values to `values`; vectors to columns of cols [m, k] and rows of rows [k, n] */
#define SORT_LANE(name, T) \
    static void name(const lane_vectors *x, int lanes, int64_t l, void *values, void *cols, \
                     void *rows) \
    { \
        const T *w = (const T *)x->w + l; \
        int order[AGNI_LANES_ORDER]; \
        for (int j = 0; j < x->k; j++) { \
            int i = j; \
            for (; i > 0 && (x->descending ? w[order[i - 1] * lanes] < w[j * lanes] \
                                           : w[order[i - 1] * lanes] > w[j * lanes]); \
                 i--) \
                order[i] = order[i - 1]; \
            order[i] = j; \
        } \
        for (int64_t j = 0; j < x->k; j++) { \
            T most = 0, *y = cols; \
            int64_t i = 0; \
            ((T *)values)[j] = w[order[j] * lanes]; \
            if (!cols) \
                continue; \
            const T *u = (const T *)x->u + order[j] * x->m * lanes + l; \
            for (i = 0; i < x->m; i++) \
                most = fabs(u[i * lanes]) > fabs(most) ? u[i * lanes] : most; \
            for (i = 0; !(fabs(u[i * lanes]) >= fabs(most) * AGNI_PHASE_NEAR);) \
                i++; \
            T sign = u[i * lanes] < 0 ? -1 : 1; \
            for (i = 0; i < x->m; i++) \
                y[i * x->k + j] = u[i * lanes] * sign; \
            for (i = 0; rows && i < x->n; i++) \
                ((T *)rows)[j * x->n + i] = ((const T *)x->v)[(order[j] * x->n + i) * lanes + l] * \
                                            sign; \
        } \
    }
SORT_LANE(sort_lane_f32, float)
SORT_LANE(sort_lane_f64, double)

static void sort_lane(int dtype, const lane_vectors *x, int lanes, int64_t l, void *values,
                      void *cols, void *rows)
{
    (dtype == AGN_F32 ? sort_lane_f32 : sort_lane_f64)(x, lanes, l, values, cols, rows);
}

static int64_t in_lanes(const spectral_job *q, int64_t numbers)
{
    return agni_room_of(numbers * q->bytes * q->lanes->lanes);
}

/* ---- eigenpairs ----------------------------------------------------------------------------- */

static lapack_int run_syevd(const spectral_job *q, void *a, void *w, void *work, int64_t lwork,
                            void *rwork, int64_t lrwork, lapack_int *iwork, int64_t liwork)
{
    char job = q->vectors ? 'V' : 'N', uplo = q->upper ? 'L' : 'U';
    lapack_int n = (lapack_int)q->n, lw = (lapack_int)lwork, lr = (lapack_int)lrwork,
               li = (lapack_int)liwork;
    const int col = LAPACK_COL_MAJOR;
    return AGNI_BY_FIELD(
        q->dtype, LAPACKE_ssyevd_work(col, job, uplo, n, a, n, w, work, lw, iwork, li),
        LAPACKE_dsyevd_work(col, job, uplo, n, a, n, w, work, lw, iwork, li),
        LAPACKE_cheevd_work(col, job, uplo, n, a, n, w, work, lw, rwork, lr, iwork, li),
        LAPACKE_zheevd_work(col, job, uplo, n, a, n, w, work, lw, rwork, lr, iwork, li));
}

static bool triangle_is_finite(const spectral_job *q, const char *a)
{
    bool good = true;
    for (int64_t i = 0; i < q->n; i++) {
        int64_t from = q->upper ? i : 0, len = q->upper ? q->n - i : i + 1;
        good = good && agni_all_finite(q->dtype, a + (i * q->n + from) * q->bytes, len);
    }
    return good;
}

/* rows of a to columns of v, conjugated */
static void turn_rows(int dtype, const char *a, char *v, int64_t n)
{
    enum { BLOCK = 8 };
    if (agni_kind(dtype) != AGNI_KIND_COMPLEX) {
        agni_matrix_copy(v, (agni_lapack_matrix){a, 1, n}, n, n, agni_dtypes[dtype].bytes);
        return;
    }
    for (int64_t i0 = 0; i0 < n; i0 += BLOCK)
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = i0; i < n && i < i0 + BLOCK; i++)
                agni_number_set(dtype, v, i * n + j, conj(agni_number_get(dtype, a, j * n + i)));
}

static int64_t factor_eigh(void *user, int64_t i, char *room)
{
    const spectral_job *q = user;
    char *values = (char *)q->c->out[0].data + i * q->n * q->wide;
    char *vectors = q->vectors ? (char *)q->c->out[1].data + i * q->n * q->n * q->bytes : NULL;
    char *a = room, *work = room + q->copy, *rwork = work + agni_room_of(q->work * q->bytes),
         *iwork = rwork + agni_room_of(q->rwork * q->wide);
    const agni_lapack_matrix from = agni_matrix_at(q->c->in, q->c->in, i);
    agni_matrix_copy(a, from, q->n, q->n, q->bytes);
    if (!triangle_is_finite(q, a))
        return AGNI_NOT_FINITE;
    char *rows = q->conquer ? agni_syevd(q->dtype, !q->upper, q->n, a, values, work) : NULL;
    if (q->conquer && !rows)
        agni_matrix_copy(a, from, q->n, q->n, q->bytes);
    int64_t code = rows ? 0
                        : run_syevd(q, a, values, work, q->work, rwork, q->rwork,
                                    (lapack_int *)(void *)iwork, q->iwork);
    if (code)
        return code < 0 ? AGNI_LAPACK_REFUSED : code;
    if (vectors) {
        rows = rows ? rows : a;
        agni_fix_row_phases(q->dtype, rows, q->n, q->n);
        turn_rows(q->dtype, rows, vectors, q->n);
    }
    return 0;
}

static uint32_t factor_eigh_lanes(void *user, int64_t first, int64_t count, char *a)
{
    const spectral_job *q = user;
    int64_t n = q->n;
    char *v = a + in_lanes(q, n * n), *w = v + in_lanes(q, n * n);
    agni_lanes_read(q->lanes, &q->source, first, count, a);
    uint32_t redo = q->lanes->eigh(a, q->upper, n, q->vectors ? v : NULL, w);
    lane_vectors x = {.w = w, .u = v, .m = n, .k = n};
    for (int64_t l = 0; l < count; l++)
        if (!(redo >> l & 1))
            sort_lane(q->dtype, &x, q->lanes->lanes, l,
                      (char *)q->c->out[0].data + (first + l) * n * q->wide,
                      q->vectors ? (char *)q->c->out[1].data + (first + l) * n * n * q->bytes
                                 : NULL,
                      NULL);
    return redo;
}

static agn_status run_eigh(const agn_kernel_call *c, bool vectors)
{
    const agn_array *x = c->in;
    spectral_job q = {.c = c, .dtype = x->dtype, .n = x->shape[x->ndim - 1],
                      .bytes = agni_dtypes[x->dtype].bytes, .upper = c->ints[0],
                      .vectors = vectors};
    q.wide = agni_kind(q.dtype) == AGNI_KIND_COMPLEX ? q.bytes / 2 : q.bytes;
    int64_t batch = agni_batch_count(x, 2), at = 0;
    if (!batch || !q.n)
        return AGN_OK;
    double complex asked = 0;
    double rasked = 0;
    lapack_int iasked = 0;
    if (run_syevd(&q, &asked, &rasked, &asked, -1, &rasked, -1, &iasked, -1))
        return agni_lapack_failed(c, AGNI_LAPACK_REFUSED, 0, batch, 0, "");
    q.work = agni_lapack_asked(q.dtype, &asked);
    q.rwork = q.wide == q.bytes ? 0 : agni_lapack_asked(q.wide == 4 ? AGN_F32 : AGN_F64, &rasked);
    q.iwork = iasked;
    q.copy = agni_room_of(q.n * q.n * q.bytes);
    int64_t room = agni_overread_room(q.dtype, q.n) + agni_room_of(q.work * q.bytes) +
                   agni_room_of(q.rwork * q.wide) +
                   agni_room_of(q.iwork * (int64_t)sizeof(lapack_int));
    if ((q.conquer = vectors && q.n > CONQUERED)) {
        const int64_t own = agni_syevd_room(q.dtype, q.n);
        room = own > room ? own : room;
    }
    room += q.copy;
    int64_t code;
    q.lanes = agni_lanes_for(q.dtype, q.n, batch);
    if (q.lanes && q.lanes->eigh) {
        q.source = agni_lanes_of(x, x, q.n, q.n);
        code = agni_each_in_lanes_or(q.lanes, batch, q.n,
                                     2 * in_lanes(&q, q.n * q.n) + in_lanes(&q, q.n),
                                     factor_eigh_lanes, room, factor_eigh, &q, &at);
    } else
        code = agni_each_with_room(batch, q.n, room, factor_eigh, &q, &at);
    if (code == AGNI_NOT_FINITE)
        return agni_not_finite(c->op, q.dtype, agni_matrix_at(x, x, at), q.n, at,
                               q.upper ? 1 : -1);
    return code ? agni_lapack_failed(c, code, at, batch, room, "eigenvalues") : AGN_OK;
}

agn_status agni_cpu_eigh(const agn_kernel_call *c)
{
    return run_eigh(c, true);
}
agn_status agni_cpu_eigvalsh(const agn_kernel_call *c)
{
    return run_eigh(c, false);
}

/* ---- singular values ------------------------------------------------------------- */

static lapack_int run_gesdd(const spectral_job *q, void *a, void *s, void *vh, void *u, void *work,
                            int64_t lwork, void *rwork, lapack_int *iwork)
{
    char job = !q->vectors ? 'N' : q->full ? 'A' : 'S';
    lapack_int m = (lapack_int)q->n, n = (lapack_int)q->m, lw = (lapack_int)lwork,
               lu = m, lv = (lapack_int)(q->full ? q->m : q->k);
    const int col = LAPACK_COL_MAJOR;
    lu = lu > 1 ? lu : 1;
    lv = lv > 1 ? lv : 1;
    return AGNI_BY_FIELD(
        q->dtype, LAPACKE_sgesdd_work(col, job, m, n, a, lu, s, vh, lu, u, lv, work, lw, iwork),
        LAPACKE_dgesdd_work(col, job, m, n, a, lu, s, vh, lu, u, lv, work, lw, iwork),
        LAPACKE_cgesdd_work(col, job, m, n, a, lu, s, vh, lu, u, lv, work, lw, rwork, iwork),
        LAPACKE_zgesdd_work(col, job, m, n, a, lu, s, vh, lu, u, lv, work, lw, rwork, iwork));
}

/* x [rows, cols] of columns first to rows first, or to its conjugate transpose */
static void copy_turned(int dtype, const char *x, int64_t rows, int64_t cols, bool adjoint, char *y)
{
    const int64_t bytes = agni_dtypes[dtype].bytes;
    if (adjoint)
        memcpy(y, x, (size_t)(rows * cols * bytes));
    else
        agni_matrix_copy(y, (agni_lapack_matrix){x, 1, rows}, rows, cols, bytes);
    for (int64_t k = 0; adjoint && agni_kind(dtype) == AGNI_KIND_COMPLEX && k < rows * cols; k++)
        agni_number_set(dtype, y, k, conj(agni_number_get(dtype, y, k)));
}

/* a, or the transpose of a wide one, by columns: a = u s v^H, a^T = conj(v) s u^T */
static bool conquer_svd(const spectral_job *q, agni_lapack_matrix from, char *room, void *s,
                        char *to_u, char *to_vh)
{
    void *u = NULL, *v = NULL;
    const bool tall = q->m > q->n;
    const int64_t most = tall ? q->m : q->n;
    if (tall)
        agni_matrix_copy(room, (agni_lapack_matrix){from.p, from.cs, from.rs}, q->n, q->m,
                         q->bytes);
    if (!agni_gesdd(q->dtype, most, q->k, room, s, &u, &v, room + q->copy))
        return false;
    if (tall) {
        copy_turned(q->dtype, u, most, q->k, false, to_u);
        copy_turned(q->dtype, v, q->k, q->k, true, to_vh);
    } else { /* rows of a are the columns of a^T = u' s v'^H: a = conj(v') s u'^T */
        copy_turned(q->dtype, v, q->k, q->k, false, to_u);
        for (int64_t k = 0; q->wide != q->bytes && k < q->k * q->k; k++)
            agni_number_set(q->dtype, to_u, k, conj(agni_number_get(q->dtype, to_u, k)));
        memcpy(to_vh, u, (size_t)(most * q->k * q->bytes));
    }
    agni_fix_phases(q->dtype, to_u, q->m, q->k, q->k, to_vh, q->n);
    return true;
}

static int64_t factor_svd(void *user, int64_t i, char *room)
{
    const spectral_job *q = user;
    const agn_array *out = q->c->out;
    int64_t mu = q->full ? q->m : q->k, nv = q->full ? q->n : q->k;
    char *s = (char *)out[q->vectors ? 1 : 0].data + i * q->k * q->wide;
    int64_t bytes_u = q->m * mu * q->bytes, bytes_vh = q->n * nv * q->bytes;
    char *to_u = q->vectors ? (char *)out[0].data + i * bytes_u : room, *u = to_u;
    char *to_vh = q->vectors ? (char *)out[2].data + i * bytes_vh : room, *vh = to_vh;
    char *work = room + q->copy;
    if (q->aside) {
        u = work;
        vh = u + agni_room_of(bytes_u);
        work += q->aside;
    }
    char *rwork = work + agni_room_of(q->work * q->bytes),
         *iwork = rwork + agni_room_of(q->rwork * q->wide);
    const agni_lapack_matrix from = agni_matrix_at(q->c->in, q->c->in, i);
    if (!agni_matrix_copy_finite(room, from, q->m, q->n, q->dtype))
        return AGNI_NOT_FINITE;
    if (q->conquer && conquer_svd(q, from, room, s, to_u, to_vh))
        return 0;
    if (q->conquer)
        agni_matrix_copy(room, from, q->m, q->n, q->bytes);
    int64_t code = run_gesdd(q, room, s, vh, u, work, q->work, rwork, (lapack_int *)(void *)iwork);
    if (code)
        return code < 0 ? AGNI_LAPACK_REFUSED : code;
    if (q->aside) {
        memcpy(to_u, u, (size_t)bytes_u);
        memcpy(to_vh, vh, (size_t)bytes_vh);
    }
    if (q->vectors)
        agni_fix_phases(q->dtype, to_u, q->m, q->k, mu, to_vh, q->n);
    return 0;
}

/* rows of a are the columns of x, or its rows if they are fewer */
static uint32_t factor_svd_lanes(void *user, int64_t first, int64_t count, char *a)
{
    const spectral_job *q = user;
    const agn_array *out = q->c->out;
    int64_t k = q->k, most = q->m > q->n ? q->m : q->n;
    char *v = a + in_lanes(q, most * k), *w = v + in_lanes(q, k * k);
    agni_lanes_read(q->lanes, &q->source, first, count, a);
    uint32_t redo = q->lanes->svd(a, most, k, q->vectors ? v : NULL, w);
    bool wide = q->m < q->n;
    lane_vectors x = {w, wide ? v : a, wide ? a : v, q->m, q->n, k, true};
    for (int64_t i = first; i < first + count; i++)
        if (!(redo >> (i - first) & 1))
            sort_lane(q->dtype, &x, q->lanes->lanes, i - first,
                      (char *)out[q->vectors ? 1 : 0].data + i * k * q->wide,
                      q->vectors ? (char *)out[0].data + i * q->m * k * q->bytes : NULL,
                      q->vectors ? (char *)out[2].data + i * q->n * k * q->bytes : NULL);
    return redo;
}

static void set_identity(int dtype, const agn_array *x)
{
    int64_t n = x->shape[x->ndim - 1], batch = agni_batch_count(x, 2);
    memset(x->data, 0, (size_t)(batch * n * n * agni_dtypes[dtype].bytes));
    for (int64_t b = 0; b < batch; b++)
        for (int64_t i = 0; i < n; i++)
            agni_number_set(dtype, x->data, (b * n + i) * n + i, 1);
}

static agn_status run_svd(const agn_kernel_call *c, bool vectors)
{
    const agn_array *x = c->in;
    spectral_job q = {.c = c, .dtype = x->dtype, .m = x->shape[x->ndim - 2],
                      .n = x->shape[x->ndim - 1], .bytes = agni_dtypes[x->dtype].bytes,
                      .vectors = vectors, .full = vectors && c->ints[0]};
    q.wide = agni_kind(q.dtype) == AGNI_KIND_COMPLEX ? q.bytes / 2 : q.bytes;
    q.k = q.m < q.n ? q.m : q.n;
    int64_t most = q.m > q.n ? q.m : q.n, batch = agni_batch_count(x, 2), at = 0;
    if (!q.k && q.full) { /* of nothing every basis is one */
        set_identity(q.dtype, c->out);
        set_identity(q.dtype, c->out + 2);
    }
    if (!batch || !q.k)
        return AGN_OK;
    double complex asked = 0, none = 0;
    lapack_int integers = 0;
    if (run_gesdd(&q, &none, &none, &none, &none, &asked, -1, &none, &integers))
        return agni_lapack_failed(c, AGNI_LAPACK_REFUSED, 0, batch, 0, "");
    q.work = agni_lapack_asked(q.dtype, &asked);
    int64_t a = 5 * q.k + 7, b = 2 * most + 2 * q.k + 1; /* the bound that zgesdd states */
    q.rwork = q.wide == q.bytes ? 0 : q.k * (a > b ? a : b);
    q.iwork = 8 * q.k;
    q.copy = agni_room_of(q.m * q.n * q.bytes);
    q.aside = !vectors || q.wide == q.bytes
                  ? 0
                  : agni_room_of(q.m * (q.full ? q.m : q.k) * q.bytes) +
                        agni_room_of(q.n * (q.full ? q.n : q.k) * q.bytes);
    int64_t room = q.aside + agni_overread_room(q.dtype, most) + agni_room_of(q.work * q.bytes) +
                   agni_room_of(q.rwork * q.wide) +
                   agni_room_of(q.iwork * (int64_t)sizeof(lapack_int));
    /* far from square LAPACK begins with QR */
    if ((q.conquer = vectors && q.k > CONQUERED && most < 3 * q.k / 2 &&
                     (!q.full || q.m == q.n))) {
        const int64_t own = agni_gesdd_room(q.dtype, most, q.k);
        room = own > room ? own : room;
    }
    room += q.copy;
    int64_t code;
    q.lanes = q.full && q.m != q.n ? NULL : agni_lanes_for(q.dtype, most, batch);
    if (q.lanes && q.lanes->svd) {
        q.source = agni_lanes_of(x, x, q.m, q.n);
        if (q.m >= q.n) {
            int64_t rs = q.source.rs;
            q.source.rows = q.n;
            q.source.cols = q.m;
            q.source.rs = q.source.cs;
            q.source.cs = rs;
        }
        code = agni_each_in_lanes_or(q.lanes, batch, q.k,
                                     in_lanes(&q, most * q.k) + in_lanes(&q, q.k * q.k) +
                                         in_lanes(&q, q.k),
                                     factor_svd_lanes, room, factor_svd, &q, &at);
    } else
        code = agni_each_with_room(batch, q.k, room, factor_svd, &q, &at);
    if (code == AGNI_NOT_FINITE)
        return agni_not_finite_in(c->op, q.dtype, agni_matrix_at(x, x, at), q.m, q.n, at);
    return code ? agni_lapack_failed(c, code, at, batch, room, "singular values") : AGN_OK;
}

agn_status agni_cpu_svd(const agn_kernel_call *c)
{
    return run_svd(c, true);
}
agn_status agni_cpu_svdvals(const agn_kernel_call *c)
{
    return run_svd(c, false);
}
