/* linalg/cpu/gesdd_batch.c - singular values of a batch by divide and conquer (stedc.h, else
   LAPACK's gesdd); small matrices in the lanes of vectors. Row-major memory is
   LAPACK's transpose: of a = u s vh the factors vh^T and u^T, which are row-major vh and u. */
#include "linalg/cpu/lane_groups.h"
#include "linalg/cpu/lapack_calls.h"
#include "linalg/cpu/stedc.h"

#include <string.h>

enum { CONQUERED = 24 }; /* more rows than this: divide and conquer; LAPACK's begins there too */

typedef struct svd_job {
    const agn_kernel_call *c;
    int dtype;
    int64_t m, n, k, bytes, wide; /* wide: bytes of a real number */
    int64_t copy,
        aside; /* bytes: of a, and of u and vh where they are not computed in the results */
    int64_t work, rwork, iwork; /* counts of elements, real numbers, integers */
    bool vectors, full, conquer; /* conquer: by our own divide and conquer */
    const agni_vlanes *lanes;
    agni_lane_source source;
} svd_job;

static int64_t in_lanes(const svd_job *q, int64_t numbers)
{
    return agni_room_of(numbers * q->bytes * q->lanes->lanes);
}

static lapack_int run_gesdd(const svd_job *q, void *a, void *s, void *vh, void *u, void *work,
                            int64_t lwork, void *rwork, lapack_int *iwork)
{
    const char job = !q->vectors ? 'N' : q->full ? 'A' : 'S';
    return agni_run_gesdd(q->dtype, job, q->n, q->m, a, s, vh, u, work, lwork, rwork, iwork);
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
static bool conquer_svd(const svd_job *q, agni_lapack_matrix from, char *room, void *s, char *to_u,
                        char *to_vh)
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
    const svd_job *q = user;
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
    const svd_job *q = user;
    const agn_array *out = q->c->out;
    int64_t k = q->k, most = q->m > q->n ? q->m : q->n;
    char *v = a + in_lanes(q, most * k), *w = v + in_lanes(q, k * k);
    agni_lanes_read(q->lanes, &q->source, first, count, a);
    uint32_t redo = q->lanes->svd(a, most, k, q->vectors ? v : NULL, w);
    bool wide = q->m < q->n;
    agni_lane_vectors x = {w, wide ? v : a, wide ? a : v, q->m, q->n, k, true, wide};
    for (int64_t i = first; i < first + count; i++)
        if (!(redo >> (i - first) & 1))
            agni_lanes_sort(q->dtype, &x, q->lanes->lanes, i - first,
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
    svd_job q = {.c = c, .dtype = x->dtype, .m = x->shape[x->ndim - 2],
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
    q.rwork = agni_gesdd_reals(q.dtype, q.n, q.m);
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
    if (q.lanes) {
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
    return agni_end_batch(c, x, code, at, batch, room, "singular values");
}

agn_status agni_cpu_svd(const agn_kernel_call *c)
{
    return run_svd(c, true);
}
agn_status agni_cpu_svdvals(const agn_kernel_call *c)
{
    return run_svd(c, false);
}
