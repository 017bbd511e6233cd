/* linalg/cpu/syevd_batch.c - Hermitian eigenpairs of a batch by divide and conquer (stedc.h, else
   LAPACK's syevd and heevd); small matrices in the lanes of vectors. Row-major memory is LAPACK's
   transpose: of a Hermitian matrix the conjugate, whose vectors are conjugates in its rows. */
#include "linalg/cpu/lane_groups.h"
#include "linalg/cpu/lapack_calls.h"
#include "linalg/cpu/stedc.h"

#include <string.h>

enum { CONQUERED = 24 }; /* more rows than this: divide and conquer; LAPACK's begins there too */

typedef struct pairs_job {
    const agn_kernel_call *c;
    int dtype;
    int64_t n, bytes, wide; /* wide: bytes of a real number */
    int64_t copy;           /* bytes of a */
    int64_t work, rwork, iwork; /* counts of elements, real numbers, integers */
    bool upper, vectors, conquer; /* conquer: pairs by our own divide and conquer */
    const agni_vlanes *lanes;
    agni_lane_source source;
} pairs_job;

static int64_t in_lanes(const pairs_job *q, int64_t numbers)
{
    return agni_room_of(numbers * q->bytes * q->lanes->lanes);
}

static lapack_int run_syevd(const pairs_job *q, void *a, void *w, void *work, int64_t lwork,
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

static bool triangle_is_finite(const pairs_job *q, const char *a)
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
    const pairs_job *q = user;
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
    const pairs_job *q = user;
    int64_t n = q->n;
    char *v = a + in_lanes(q, n * n), *w = v + in_lanes(q, n * n);
    agni_lanes_read(q->lanes, &q->source, first, count, a);
    uint32_t redo = q->lanes->eigh(a, q->upper, n, q->vectors ? v : NULL, w);
    agni_lane_vectors x = {.w = w, .u = v, .m = n, .k = n};
    for (int64_t l = 0; l < count; l++)
        if (!(redo >> l & 1))
            agni_lanes_sort(
                q->dtype, &x, q->lanes->lanes, l,
                (char *)q->c->out[0].data + (first + l) * n * q->wide,
                q->vectors ? (char *)q->c->out[1].data + (first + l) * n * n * q->bytes : NULL,
                NULL);
    return redo;
}

static agn_status run_eigh(const agn_kernel_call *c, bool vectors)
{
    const agn_array *x = c->in;
    pairs_job q = {.c = c, .dtype = x->dtype, .n = x->shape[x->ndim - 1],
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
    if (q.lanes) {
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
