/* linalg/cpu/gelqf.c - QR factorisation by blocks of reflectors (geqrt). The matrix is turned to
   columns first: gelqf of what a row-major one is to LAPACK takes 1.3 to 2.5 times as long. The
   diagonal of r is real. */
#include "linalg/cpu/lane_groups.h"
#include "linalg/cpu/lapack_calls.h"

#include <string.h>

typedef struct qr_job {
    const agn_kernel_call *c;
    int dtype;
    int64_t m, n, k, columns, bytes; /* columns of q */
    const agni_vlanes *lanes;
    agni_lane_source source;
} qr_job;

/* a few columns: blocks cost more than they save. q [m, columns] from a, which keeps r */
static lapack_int factor_narrow(const qr_job *q, char *a, char *v, void *tau, void *work)
{
    const int col = LAPACK_COL_MAJOR;
    const int64_t most = q->columns > q->n ? q->columns : q->n;
    lapack_int m = (lapack_int)q->m, n = (lapack_int)q->n, c = (lapack_int)q->columns,
               k = (lapack_int)q->k, w = (lapack_int)most;
    lapack_int code = AGNI_BY_FIELD(q->dtype,
                                    LAPACKE_sgeqrf_work(col, m, n, (void *)a, m, tau, work, w),
                                    LAPACKE_dgeqrf_work(col, m, n, (void *)a, m, tau, work, w),
                                    LAPACKE_cgeqrf_work(col, m, n, (void *)a, m, tau, work, w),
                                    LAPACKE_zgeqrf_work(col, m, n, (void *)a, m, tau, work, w));
    memcpy(v, a, (size_t)(q->m * q->k * q->bytes));
    return code ? code
                : AGNI_BY_FIELD(q->dtype,
                                LAPACKE_sorgqr_work(col, m, c, k, (void *)v, m, tau, work, w),
                                LAPACKE_dorgqr_work(col, m, c, k, (void *)v, m, tau, work, w),
                                LAPACKE_cungqr_work(col, m, c, k, (void *)v, m, tau, work, w),
                                LAPACKE_zungqr_work(col, m, c, k, (void *)v, m, tau, work, w));
}

static int64_t factor_qr(void *user, int64_t i, char *room)
{
    enum { NARROW = 24, SMALL = 72 }; /* columns; columns and rows */
    const qr_job *q = user;
    const int64_t z = q->bytes, m = q->m, n = q->n, k = q->k, block = agni_qr_block(k),
                  rows = q->c->out[1].shape[q->c->out[1].ndim - 2];
    char *to = (char *)q->c->out[0].data + i * m * q->columns * z,
         *r = (char *)q->c->out[1].data + i * rows * n * z;
    char *v = room + agni_room_of(m * n * z), *t = v + agni_room_of(m * q->columns * z),
         *work = t + agni_room_of(block * k * z);
    agni_lapack_matrix a = agni_matrix_at(q->c->in, q->c->in, i);
    if (!agni_matrix_copy_finite(room, (agni_lapack_matrix){a.p, a.cs, a.rs}, n, m, q->dtype))
        return AGNI_NOT_FINITE;
    const int64_t most = n > q->columns ? n : q->columns;
    if (most <= NARROW || (most <= SMALL && m <= SMALL)
            ? factor_narrow(q, room, v, t, work)
            : agni_factor_qr(q->dtype, m, n, room, t, work) ||
                  agni_form_q(q->dtype, m, q->columns, k, room, t, v, work))
        return AGNI_LAPACK_REFUSED;
    agni_matrix_copy(to, (agni_lapack_matrix){v, 1, m}, m, q->columns, z);
    agni_matrix_copy(r, (agni_lapack_matrix){room, 1, m}, k, n, z);
    for (int64_t j = 1; j < k; j++)
        memset(r + j * n * z, 0, (size_t)(j * z));
    memset(r + k * n * z, 0, (size_t)((rows - k) * n * z));
    return 0;
}

static uint32_t factor_qr_lanes(void *user, int64_t first, int64_t count, char *a)
{
    const qr_job *q = user;
    const agn_array *out = q->c->out;
    int64_t rows = out[1].shape[out[1].ndim - 2];
    char *to = a + agni_room_of(q->m * q->n * q->bytes * q->lanes->lanes);
    agni_lanes_read(q->lanes, &q->source, first, count, a);
    uint32_t redo = q->lanes->qr(a, q->m, q->n, to, q->columns);
    agni_lanes_write(q->lanes, q->dtype, to, q->m * q->columns, count,
                     (char *)out[0].data + first * q->m * q->columns * q->bytes);
    agni_lanes_write(q->lanes, q->dtype, a, rows * q->n, count,
                     (char *)out[1].data + first * rows * q->n * q->bytes);
    return redo;
}

agn_status agni_cpu_qr(const agn_kernel_call *c)
{
    const agn_array *x = c->in;
    qr_job q = {.c = c, .dtype = x->dtype, .m = x->shape[x->ndim - 2], .n = x->shape[x->ndim - 1],
                .bytes = agni_dtypes[x->dtype].bytes};
    q.k = q.m < q.n ? q.m : q.n;
    q.columns = c->ints[0] ? q.m : q.k;
    int64_t batch = agni_batch_count(x, 2), at = 0;
    if (!q.k)
        for (int64_t i = 0; i < batch * q.m * q.columns; i++)
            agni_number_set(q.dtype, c->out[0].data, i,
                            i % (q.m * q.columns) / q.columns == i % q.columns);
    if (!batch || !q.k)
        return AGN_OK;
    int64_t most = q.columns > q.n ? q.columns : q.n, block = agni_qr_block(q.k);
    int64_t room = agni_room_of(q.m * q.n * q.bytes) + agni_room_of(q.m * q.columns * q.bytes) +
                   agni_room_of(block * q.k * q.bytes) + agni_room_of(block * most * q.bytes) +
                   agni_overread_room(q.dtype, q.m > most ? q.m : most);
    int64_t code;
    if ((q.lanes = agni_lanes_for(q.dtype, q.m > q.n ? q.m : q.n, batch))) {
        q.source = agni_lanes_of(x, x, q.m, q.n);
        code = agni_each_in_lanes_or(q.lanes, batch, q.k,
                                     agni_room_of(q.m * q.n * q.bytes * q.lanes->lanes) +
                                         agni_room_of(q.m * q.columns * q.bytes * q.lanes->lanes),
                                     factor_qr_lanes, room, factor_qr, &q, &at);
    } else
        code = agni_each_with_room(batch, q.k, room, factor_qr, &q, &at);
    return agni_end_batch(c, x, code, at, batch, room, "");
}
