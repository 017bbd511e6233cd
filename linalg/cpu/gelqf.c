/* linalg/cpu/gelqf.c - QR factorisation by reflectors. Row-major a is LAPACK's a^T = l q', so gelqf
   gives a = q'^T l^T with nothing transposed; the diagonal of r is real. */
#include "linalg/cpu/lane_groups.h"
#include "linalg/cpu/lapack_calls.h"

#include <string.h>

typedef struct qr_job {
    const agn_kernel_call *c;
    int dtype;
    int64_t m, n, k, columns, lead, bytes, work; /* columns of q; work in elements */
    const agni_vlanes *lanes;
    agni_lane_source source;
} qr_job;

static lapack_int run_gelqf(const qr_job *q, void *a, void *tau, void *work, int64_t lwork)
{
    lapack_int m = (lapack_int)q->n, n = (lapack_int)q->m, w = (lapack_int)lwork;
    const int col = LAPACK_COL_MAJOR;
    return AGNI_BY_FIELD(q->dtype, LAPACKE_sgelqf_work(col, m, n, a, m, tau, work, w),
                         LAPACKE_dgelqf_work(col, m, n, a, m, tau, work, w),
                         LAPACKE_cgelqf_work(col, m, n, a, m, tau, work, w),
                         LAPACKE_zgelqf_work(col, m, n, a, m, tau, work, w));
}

static lapack_int run_orglq(const qr_job *q, void *a, const void *tau, void *work, int64_t lwork)
{
    lapack_int m = (lapack_int)q->columns, n = (lapack_int)q->m, k = (lapack_int)q->k,
               lead = (lapack_int)q->lead, w = (lapack_int)lwork;
    const int col = LAPACK_COL_MAJOR;
    return AGNI_BY_FIELD(q->dtype, LAPACKE_sorglq_work(col, m, n, k, a, lead, tau, work, w),
                         LAPACKE_dorglq_work(col, m, n, k, a, lead, tau, work, w),
                         LAPACKE_cunglq_work(col, m, n, k, a, lead, tau, work, w),
                         LAPACKE_zunglq_work(col, m, n, k, a, lead, tau, work, w));
}

static int64_t factor_qr(void *user, int64_t i, char *room)
{
    const qr_job *q = user;
    int64_t row = q->n * q->bytes, rows = q->c->out[1].shape[q->c->out[1].ndim - 2];
    char *to = (char *)q->c->out[0].data + i * q->m * q->columns * q->bytes;
    char *r = (char *)q->c->out[1].data + i * rows * row;
    char *tau = room + agni_room_of(q->m * q->lead * q->bytes),
         *work = tau + agni_room_of(q->k * q->bytes);
    if (!agni_matrix_copy_finite(room, agni_matrix_at(q->c->in, q->c->in, i), q->m, q->n, q->dtype))
        return AGNI_NOT_FINITE;
    if (run_gelqf(q, room, tau, work, q->work))
        return AGNI_LAPACK_REFUSED;
    memset(r, 0, (size_t)(rows * row));
    for (int64_t j = 0; j < q->k; j++)
        memcpy(r + j * row + j * q->bytes, room + j * row + j * q->bytes,
               (size_t)(row - j * q->bytes));
    /* rows are as far apart as the wider of r and q wants them */
    for (int64_t j = q->lead > q->n ? q->m - 1 : 0; j > 0; j--)
        memmove(room + j * q->lead * q->bytes, room + j * row, (size_t)row);
    if (run_orglq(q, room, tau, work, q->work))
        return AGNI_LAPACK_REFUSED;
    for (int64_t j = 0; j < q->m; j++)
        memcpy(to + j * q->columns * q->bytes, room + j * q->lead * q->bytes,
               (size_t)(q->columns * q->bytes));
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
    q.lead = q.columns > q.n ? q.columns : q.n;
    int64_t batch = agni_batch_count(x, 2), at = 0;
    if (!q.k)
        for (int64_t i = 0; i < batch * q.m * q.columns; i++)
            agni_number_set(q.dtype, c->out[0].data, i,
                            i % (q.m * q.columns) / q.columns == i % q.columns);
    if (!batch || !q.k)
        return AGN_OK;
    double complex one = 0, two = 0;
    if (run_gelqf(&q, &one, &one, &one, -1) || run_orglq(&q, &two, &two, &two, -1))
        return agni_lapack_failed(c, AGNI_LAPACK_REFUSED, 0, batch, 0, "");
    int64_t w = agni_lapack_asked(q.dtype, &one), v = agni_lapack_asked(q.dtype, &two);
    q.work = w > v ? w : v;
    int64_t room = agni_room_of(q.m * q.lead * q.bytes) + agni_overread_room(q.dtype, q.lead) +
                   agni_room_of(q.k * q.bytes) + agni_room_of(q.work * q.bytes);
    int64_t code;
    if ((q.lanes = agni_lanes_for(q.dtype, q.m > q.n ? q.m : q.n, batch))) {
        q.source = agni_lanes_of(x, x, q.m, q.n);
        code = agni_each_in_lanes_or(q.lanes, batch, q.k,
                                     agni_room_of(q.m * q.n * q.bytes * q.lanes->lanes) +
                                         agni_room_of(q.m * q.columns * q.bytes * q.lanes->lanes),
                                     factor_qr_lanes, room, factor_qr, &q, &at);
    } else
        code = agni_each_with_room(batch, q.k, room, factor_qr, &q, &at);
    if (code == AGNI_NOT_FINITE)
        return agni_not_finite_in(c->op, q.dtype, agni_matrix_at(x, x, at), q.m, q.n, at);
    return code ? agni_lapack_failed(c, code, at, batch, room, "") : AGN_OK;
}
