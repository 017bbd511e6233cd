/* linalg/orthogonal/cpu/geqp3.c - the order of columns in which the rest is longest at every step
   (geqp3; Golub & Van Loan 2013, 5.4.2; Quintana-Orti, Sun & Bischof 1998). */
#include "linalg/cpu/lapack_calls.h"

#include <string.h>

typedef struct pivot_job {
    const agn_kernel_call *c;
    int dtype;
    int64_t m, n, bytes, work;
} pivot_job;

static lapack_int run_geqp3(const pivot_job *q, void *a, lapack_int *piv, void *tau, void *work,
                            int64_t lwork, void *rwork)
{
    const int col = LAPACK_COL_MAJOR;
    lapack_int m = (lapack_int)q->m, n = (lapack_int)q->n, ld = m > 0 ? m : 1,
               lw = (lapack_int)lwork;
    return AGNI_BY_FIELD(q->dtype, LAPACKE_sgeqp3_work(col, m, n, a, ld, piv, tau, work, lw),
                         LAPACKE_dgeqp3_work(col, m, n, a, ld, piv, tau, work, lw),
                         LAPACKE_cgeqp3_work(col, m, n, a, ld, piv, tau, work, lw, rwork),
                         LAPACKE_zgeqp3_work(col, m, n, a, ld, piv, tau, work, lw, rwork));
}

static int64_t order_columns(void *user, int64_t i, char *room)
{
    const pivot_job *q = user;
    int64_t m = q->m, n = q->n, z = q->bytes;
    char *tau = room + agni_room_of(m * n * z), *work = tau + agni_room_of(n * z),
         *rwork = work + agni_room_of(q->work * z);
    lapack_int *piv = (lapack_int *)(void *)(rwork + agni_room_of(2 * n * 8));
    agni_lapack_matrix a = agni_matrix_at(q->c->in, q->c->in, i);
    if (!agni_matrix_copy_finite(room, (agni_lapack_matrix){a.p, a.cs, a.rs}, n, m, q->dtype))
        return AGNI_NOT_FINITE;
    memset(piv, 0, (size_t)n * sizeof *piv);
    if (run_geqp3(q, room, piv, tau, work, q->work, rwork))
        return AGNI_LAPACK_REFUSED;
    int64_t *order = (int64_t *)q->c->out->data + i * n;
    for (int64_t j = 0; j < n; j++)
        order[j] = piv[j] - 1;
    return 0;
}

agn_status agni_cpu_qr_pivots(const agn_kernel_call *c)
{
    const agn_array *x = c->in;
    pivot_job q = {.c = c,
                   .dtype = x->dtype,
                   .m = x->shape[x->ndim - 2],
                   .n = x->shape[x->ndim - 1],
                   .bytes = agni_dtypes[x->dtype].bytes};
    int64_t batch = agni_batch_count(x, 2), at = 0, *order = c->out->data;
    if (!q.m) /* nothing to compare */
        for (int64_t i = 0; i < batch * q.n; i++)
            order[i] = i % q.n;
    if (!batch || !q.n || !q.m)
        return AGN_OK;
    double complex asked = 0, none = 0;
    lapack_int piv = 0;
    if (run_geqp3(&q, &none, &piv, &none, &asked, -1, &none))
        return agni_lapack_failed(c, AGNI_LAPACK_REFUSED, 0, batch, 0, "");
    q.work = agni_lapack_asked(q.dtype, &asked);
    int64_t room = agni_overread_room(q.dtype, q.m > q.n ? q.m : q.n) +
                   agni_room_of(q.m * q.n * q.bytes) + agni_room_of(q.n * q.bytes) +
                   agni_room_of(q.work * q.bytes) + agni_room_of(2 * q.n * 8) +
                   agni_room_of(q.n * (int64_t)sizeof(lapack_int));
    int64_t code = agni_each_with_room(batch, q.m < q.n ? q.m : q.n, room, order_columns, &q, &at);
    return agni_end_batch(c, x, code, at, batch, room, "");
}
