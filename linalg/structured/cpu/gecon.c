/* linalg/structured/cpu/gecon.c - estimates of reciprocal condition numbers from LU factors (gecon;
   Higham & Tisseur 2000). */
#include "linalg/cpu/lapack_calls.h"

typedef struct condition_job {
    const agn_kernel_call *c;
    int dtype;
    int64_t n, bytes;
} condition_job;

/* memory by rows is the transpose, whose norm by rows is that of a by columns */
static int64_t estimate_one(void *user, int64_t i, char *room)
{
    const condition_job *q = user;
    int64_t n = q->n, z = q->bytes;
    char *work = room + agni_room_of(n * n * z), *more = work + agni_room_of(4 * n * z);
    lapack_int *piv = (lapack_int *)(void *)(more + agni_room_of(2 * n * 8)), N = (lapack_int)n,
               code;
    const int col = LAPACK_COL_MAJOR;
    if (!agni_matrix_copy_finite(room, agni_matrix_at(q->c->in, q->c->in, i), n, n, q->dtype))
        return AGNI_NOT_FINITE;
    double most = 0, norm = 0, rcond = 0;
    float rcond32 = 0;
    int e = 0;
    for (int64_t k = 0; k < n * n; k++) {
        double complex v = agni_number_get(q->dtype, room, k);
        most = fmax(most, fmax(fabs(creal(v)), fabs(cimag(v))));
    }
    frexp(most, &e); /* a number does not change the condition: the largest is about 1 */
    for (int64_t k = 0; k < n * n; k++)
        agni_number_set(q->dtype, room, k,
                        agni_scale_parts(agni_number_get(q->dtype, room, k), -e));
    for (int64_t j = 0; j < n; j++) {
        double sum = 0;
        for (int64_t k = 0; k < n; k++)
            sum += cabs(agni_number_get(q->dtype, room, k * n + j));
        norm = fmax(norm, sum);
    }
    int64_t bad = agni_factor_lu(q->dtype, n, n, room, piv);
    if (bad < 0)
        return bad;
    if (!bad && agni_all_finite(q->dtype, room, n * n)) {
        code = AGNI_BY_FIELD(q->dtype,
                             LAPACKE_sgecon_work(col, 'I', N, (void *)room, N, (float)norm,
                                                 &rcond32, (void *)work, (void *)more),
                             LAPACKE_dgecon_work(col, 'I', N, (void *)room, N, norm, &rcond,
                                                 (void *)work, (void *)more),
                             LAPACKE_cgecon_work(col, 'I', N, (void *)room, N, (float)norm,
                                                 &rcond32, (void *)work, (void *)more),
                             LAPACKE_zgecon_work(col, 'I', N, (void *)room, N, norm, &rcond,
                                                 (void *)work, (void *)more));
        if (code < 0)
            return AGNI_LAPACK_REFUSED;
        if (q->dtype == AGN_F32 || q->dtype == AGN_C64)
            rcond = (double)rcond32;
    }
    agni_number_set(q->c->out->dtype, q->c->out->data, i, rcond);
    return 0;
}

agn_status agni_cpu_rcond(const agn_kernel_call *c)
{
    const agn_array *x = c->in;
    condition_job q = {.c = c,
                       .dtype = x->dtype,
                       .n = x->shape[x->ndim - 1],
                       .bytes = agni_dtypes[x->dtype].bytes};
    int64_t batch = agni_batch_count(x, 2), at = 0;
    if (!q.n) /* as LAPACK has it */
        for (int64_t i = 0; i < batch; i++)
            agni_number_set(c->out->dtype, c->out->data, i, 1);
    if (!batch || !q.n)
        return AGN_OK;
    int64_t room = agni_overread_room(q.dtype, q.n) + agni_room_of(q.n * q.n * q.bytes) +
                   agni_room_of(4 * q.n * q.bytes) + agni_room_of(2 * q.n * 8) +
                   agni_room_of(q.n * (int64_t)sizeof(lapack_int));
    int64_t code = agni_each_with_room(batch, q.n, room, estimate_one, &q, &at);
    if (code == AGNI_NOT_FINITE)
        return agni_not_finite(c->op, q.dtype, agni_matrix_at(x, x, at), q.n, at, 0);
    return code ? agni_lapack_failed(c, code, at, batch, room, "") : AGN_OK;
}
