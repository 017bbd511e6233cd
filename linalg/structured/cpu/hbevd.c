/* linalg/structured/cpu/hbevd.c - eigenpairs of Hermitian bands by divide and conquer (sbevd, hbevd,
   stevd) and Cholesky's factor of a positive definite one (pbtrf; Golub & Van Loan 2013, 4.3.5). */
#include "linalg/cpu/lanes/lanes.h"
#include "linalg/cpu/lapack_calls.h"
#include "linalg/structured/bands.h"

#include <string.h>

typedef struct half_job {
    const agn_kernel_call *c;
    int dtype;
    int64_t n, w, d, bytes,
        wide;                   /* w rows, of which d + 1 lie in the matrix; wide: a real number */
    int64_t work, rwork, iwork; /* counts of numbers, real ones, integers */
    bool upper, vectors;
    const agni_vlanes *own; /* loops for a factor that need no copy of the matrix, or NULL */
} half_job;

/* the diagonals that lie in the matrix to columns of d + 1 numbers, 0 outside of it: are all finite? */
static bool read_band(const half_job *q, int64_t i, char *to)
{
    agni_lapack_matrix a = agni_matrix_at(q->c->in, q->c->in, i);
    const int64_t n = q->n, m = q->d + 1, z = q->bytes;
    a.p += (q->upper ? q->w - m : 0) * a.rs * z;
    agni_matrix_copy(to, (agni_lapack_matrix){a.p, a.cs, a.rs}, n, m, z);
    for (int64_t r = 0; r < m; r++) {
        const int64_t none = q->upper ? m - 1 - r
                                      : r; /* the first of an upper row, the last of a lower */
        for (int64_t j = 0; j < none; j++)
            memset(to + ((q->upper ? j : n - 1 - j) * m + r) * z, 0, (size_t)z);
    }
    return agni_all_finite(q->dtype, to, n * m);
}

static double number_of(const half_job *q, const char *band, int64_t r, int64_t j)
{
    return creal(agni_number_get(q->dtype, band, j * (q->d + 1) + r));
}

/* of a real matrix of at most 3 diagonals, to d [n] and e [n] */
static lapack_int run_stevd(const half_job *q, const char *band, void *values, void *z, void *work,
                            lapack_int *iwork, char *off)
{
    const int col = LAPACK_COL_MAJOR;
    const char job = q->vectors ? 'V' : 'N';
    lapack_int n = (lapack_int)q->n, lw = (lapack_int)q->work, li = (lapack_int)q->iwork;
    for (int64_t j = 0; j < n; j++) {
        const bool last = j + 1 == n || q->d == 0;
        agni_number_set(q->dtype, values, j, number_of(q, band, q->upper ? q->d : 0, j));
        agni_number_set(q->dtype, off, j,
                        last       ? 0
                        : q->upper ? number_of(q, band, 0, j + 1)
                                   : number_of(q, band, 1, j));
    }
    void *e = off;
    return q->dtype == AGN_F32
               ? LAPACKE_sstevd_work(col, job, n, values, e, z, n, work, lw, iwork, li)
               : LAPACKE_dstevd_work(col, job, n, values, e, z, n, work, lw, iwork, li);
}

static lapack_int run_hbevd(const half_job *q, char *band, void *values, void *z, void *work,
                            void *rwork, lapack_int *iwork)
{
    const int col = LAPACK_COL_MAJOR;
    const char job = q->vectors ? 'V' : 'N', side = q->upper ? 'U' : 'L';
    lapack_int n = (lapack_int)q->n, d = (lapack_int)q->d, m = d + 1, lw = (lapack_int)q->work,
               lr = (lapack_int)q->rwork, li = (lapack_int)q->iwork;
    void *a = band;
    return AGNI_BY_FIELD(
        q->dtype,
        LAPACKE_ssbevd_work(col, job, side, n, d, a, m, values, z, n, work, lw, iwork, li),
        LAPACKE_dsbevd_work(col, job, side, n, d, a, m, values, z, n, work, lw, iwork, li),
        LAPACKE_chbevd_work(col, job, side, n, d, a, m, values, z, n, work, lw, rwork, lr, iwork,
                            li),
        LAPACKE_zhbevd_work(col, job, side, n, d, a, m, values, z, n, work, lw, rwork, lr, iwork,
                            li));
}

static int64_t find_pairs(void *user, int64_t i, char *room)
{
    const half_job *q = user;
    const int64_t n = q->n, z = q->bytes;
    char *band = room, *vectors = band + agni_room_of((q->d + 1) * n * z),
         *off = vectors + agni_room_of(q->vectors ? n * n * z : z),
         *work = off + agni_room_of(n * z), *rwork = work + agni_room_of(q->work * z),
         *iwork = rwork + agni_room_of(q->rwork * q->wide),
         *values = (char *)q->c->out[0].data + i * n * q->wide;
    if (!read_band(q, i, band))
        return AGNI_NOT_FINITE;
    lapack_int *integers = (lapack_int *)(void *)iwork;
    int64_t code = q->wide == z && q->d < 2
                       ? run_stevd(q, band, values, vectors, work, integers, off)
                       : run_hbevd(q, band, values, vectors, work, rwork, integers);
    if (code)
        return code < 0 ? AGNI_LAPACK_REFUSED : code;
    if (q->vectors) {
        agni_fix_row_phases(q->dtype, vectors, n, n);
        agni_matrix_copy((char *)q->c->out[1].data + i * n * n * z,
                         (agni_lapack_matrix){vectors, 1, n}, n, n, z);
    }
    return 0;
}

static half_job job_of(const agn_kernel_call *c)
{
    const agn_array *x = c->in;
    half_job q = {.c = c,
                  .dtype = x->dtype,
                  .n = x->shape[x->ndim - 1],
                  .w = x->shape[x->ndim - 2],
                  .bytes = agni_dtypes[x->dtype].bytes,
                  .upper = c->ints[0]};
    q.d = q.w < q.n ? q.w - 1 : q.n - 1;
    q.wide = agni_kind(q.dtype) == AGNI_KIND_COMPLEX ? q.bytes / 2 : q.bytes;
    return q;
}

/* the first entry of a matrix that is not finite, by its place in the matrix */
static agn_status refuse_entry(const half_job *q, int64_t at)
{
    agni_lapack_matrix a = agni_matrix_at(q->c->in, q->c->in, at);
    for (int64_t j = 0; j < q->n; j++)
        for (int64_t r = 0; r < q->w; r++) {
            const int64_t i = j + r - (q->upper ? q->w - 1 : 0);
            const char *p = a.p + (r * a.rs + j * a.cs) * q->bytes;
            if (i >= 0 && i < q->n && !agni_all_finite(q->dtype, p, 1))
                return agni_fail(AGN_EDOMAIN, "%s: matrix %lld: entry [%lld,%lld] is not finite",
                                 q->c->op, (long long)at, (long long)i, (long long)j);
        }
    return AGN_OK;
}

static agn_status run_pairs(const agn_kernel_call *c, bool vectors)
{
    half_job q = job_of(c);
    q.vectors = vectors;
    int64_t n = q.n, batch = agni_batch_count(c->in, 2), at = 0, most = 1 + 5 * n + 2 * n * n;
    if (!batch || !n)
        return AGN_OK;
    if (vectors && most > INT32_MAX)
        return agni_fail(
            AGN_EUNSUPPORTED,
            "%s: vectors of order %lld need %lld numbers of work, beyond the 32-bit sizes of LAPACK",
            c->op, (long long)n, (long long)most);
    q.work = vectors ? most : 2 * n;
    q.rwork = q.wide == q.bytes ? 0 : vectors ? most : n;
    q.iwork = vectors ? 3 + 5 * n : 1;
    int64_t room = agni_overread_room(q.dtype, n) + agni_room_of((q.d + 1) * n * q.bytes) +
                   agni_room_of(vectors ? n * n * q.bytes : q.bytes) + agni_room_of(n * q.bytes) +
                   agni_room_of(q.work * q.bytes) + agni_room_of(q.rwork * q.wide) +
                   agni_room_of(q.iwork * (int64_t)sizeof(lapack_int));
    int64_t code = agni_each_with_room(batch, n, room, find_pairs, &q, &at);
    if (code == AGNI_NOT_FINITE)
        return refuse_entry(&q, at);
    return code ? agni_lapack_failed(c, code, at, batch, room, "eigenvalues") : AGN_OK;
}

agn_status agni_cpu_eigh_banded(const agn_kernel_call *c)
{
    return run_pairs(c, true);
}
agn_status agni_cpu_eigvalsh_banded(const agn_kernel_call *c)
{
    return run_pairs(c, false);
}

/* ---- Cholesky's factor ------------------------------------------------------------------------ */

/* all numbers times 2^e */
static void scale_all(int dtype, void *p, int64_t n, int e)
{
    for (int64_t i = 0; e && i < n; i++)
        agni_number_set(dtype, p, i, agni_scale_parts(agni_number_get(dtype, p, i), e));
}

/* in the lanes of vectors, or false. Column j of the lower triangle begins with entry [j, j]; of an
   upper one row j is its adjoint. */
static bool factor_in_lanes(const half_job *q, int64_t i, char *room)
{
    if (!q->own)
        return false;
    const int64_t n = q->n, w = q->w, z = q->bytes;
    const agni_lapack_matrix a = agni_matrix_at(q->c->in, q->c->in, i);
    char *out = (char *)q->c->out[0].data + i * w * n * z;
    const bool done =
        q->upper ? q->own->factor_half_band(a.p + (w - 1) * a.rs * z, a.cs - a.rs, a.cs, true, w, n,
                                            out + (w - 1) * n * z, 1 - n, room)
                 : q->own->factor_half_band(a.p, a.rs, a.cs, false, w, n, out, n, room);
    for (int64_t k = 1; done && k < w; k++) /* outside of the matrix */
        memset(out + (q->upper ? (w - 1 - k) * n : k * n + n - k) * z, 0, (size_t)(k * z));
    return done;
}

static int64_t factor_band(void *user, int64_t i, char *room)
{
    const half_job *q = user;
    if (factor_in_lanes(q, i, room))
        return 0;
    const int col = LAPACK_COL_MAJOR, far = q->wide == 4 ? 60 : 500;
    const char side = q->upper ? 'U' : 'L';
    const int64_t n = q->n, m = q->d + 1, z = q->bytes, skip = q->w - m;
    lapack_int order = (lapack_int)n, d = (lapack_int)q->d;
    void *a = room;
    if (!read_band(q, i, room))
        return AGNI_NOT_FINITE;
    int e = 0;
    frexp(agni_largest_part(q->dtype, a, n * m), &e);
    e = e > far || e < -far ? e / 2 : 0; /* of the factor */
    scale_all(q->dtype, a, n * m, -2 * e);
    int64_t code = AGNI_BY_FIELD(q->dtype, LAPACKE_spbtrf_work(col, side, order, d, a, d + 1),
                                 LAPACKE_dpbtrf_work(col, side, order, d, a, d + 1),
                                 LAPACKE_cpbtrf_work(col, side, order, d, a, d + 1),
                                 LAPACKE_zpbtrf_work(col, side, order, d, a, d + 1));
    if (code)
        return code < 0 ? AGNI_LAPACK_REFUSED : code;
    scale_all(q->dtype, a, n * m, e);
    char *out = (char *)q->c->out[0].data + i * q->w * n * z;
    memset(out, 0, (size_t)(q->w * n * z));
    agni_matrix_copy(out + (q->upper ? skip * n * z : 0), (agni_lapack_matrix){room, 1, m}, m, n,
                     z);
    return 0;
}

agn_status agni_cpu_cholesky_banded(const agn_kernel_call *c)
{
    half_job q = job_of(c);
    int64_t n = q.n, batch = agni_batch_count(c->in, 2), at = 0;
    if (!batch || !n)
        return AGN_OK;
    int64_t room = agni_overread_room(q.dtype, q.w) + agni_room_of((q.d + 1) * n * q.bytes);
    q.own = agni_half_band_lanes(q.dtype, n, q.w);
    const int64_t own = q.own ? agni_room_of(q.own->half_band_room(n, q.w, false) * q.bytes) : 0;
    room = own > room ? own : room;
    int64_t order = (int64_t)cbrt((double)n * (double)(q.w * q.w + 1));
    int64_t code = agni_each_with_room(batch, order, room, factor_band, &q, &at);
    if (code == AGNI_NOT_FINITE)
        return refuse_entry(&q, at);
    if (code > 0)
        return agni_fail(AGN_EDOMAIN,
                         "%s: matrix %lld of %lld is not positive definite: column %lld of %lld",
                         c->op, (long long)at, (long long)batch, (long long)code - 1, (long long)n);
    return code ? agni_lapack_failed(c, code, at, batch, room, "") : AGN_OK;
}
