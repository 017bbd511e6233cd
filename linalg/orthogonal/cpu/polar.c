/* linalg/orthogonal/cpu/polar.c - polar factors by singular values (gesdd; Higham 2008, 8.1).
   Memory by rows is the transpose: a^T = u s v gives the orthonormal factor's u v and the Hermitian
   one's u s u^H, by rows again. */
#include "linalg/cpu/stedc.h"

#include <string.h>

typedef struct polar_job {
    const agn_kernel_call *c;
    int dtype, real;
    int64_t m, n, bytes, work, rwork;
} polar_job;

static int64_t find_polar(void *user, int64_t i, char *room)
{
    const polar_job *q = user;
    int64_t m = q->m, n = q->n, z = q->bytes;
    char *u = room + agni_room_of(m * n * z), *v = u + agni_room_of(n * n * z),
         *s = v + agni_room_of(m * n * z), *work = s + agni_room_of(n * 8),
         *rwork = work + agni_room_of(q->work * z), *iwork = rwork + agni_room_of(q->rwork * 8);
    if (!agni_matrix_copy_finite(room, agni_matrix_at(q->c->in, q->c->in, i), m, n, q->dtype))
        return AGNI_NOT_FINITE;
    lapack_int code = agni_run_gesdd(q->dtype, 'S', n, m, room, s, u, v, work, q->work, rwork,
                                     (lapack_int *)(void *)iwork);
    if (code)
        return code < 0 ? AGNI_LAPACK_REFUSED : code;
    agni_multiply_columns(q->dtype, CblasNoTrans, CblasNoTrans, n, m, n, u, v,
                          (char *)q->c->out[0].data + i * m * n * z);
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = 0; k < n; k++)
            agni_number_set(q->dtype, v, j * n + k,
                            agni_number_get(q->dtype, u, j * n + k) *
                                creal(agni_number_get(q->real, s, j)));
    char *h = (char *)q->c->out[1].data + i * n * n * z;
    agni_multiply_columns(q->dtype, CblasNoTrans, CblasConjTrans, n, n, n, v, u, h);
    for (int64_t j = 0; j < n; j++) /* Hermitian to the last bit */
        for (int64_t k = 0; k <= j; k++) {
            double complex x = agni_number_get(q->dtype, h, j * n + k),
                           y = conj(agni_number_get(q->dtype, h, k * n + j));
            agni_number_set(q->dtype, h, j * n + k, (x + y) / 2);
            agni_number_set(q->dtype, h, k * n + j, conj(x + y) / 2);
        }
    return 0;
}

agn_status agni_cpu_polar(const agn_kernel_call *c)
{
    const agn_array *x = c->in;
    polar_job q = {.c = c,
                   .dtype = x->dtype,
                   .m = x->shape[x->ndim - 2],
                   .n = x->shape[x->ndim - 1],
                   .bytes = agni_dtypes[x->dtype].bytes};
    q.real = q.dtype == AGN_F32 || q.dtype == AGN_C64 ? AGN_F32 : AGN_F64;
    int64_t batch = agni_batch_count(x, 2), at = 0;
    if (!batch || !q.n)
        return AGN_OK;
    double complex asked = 0, none = 0;
    lapack_int integers = 0;
    if (agni_run_gesdd(q.dtype, 'S', q.n, q.m, &none, &none, &none, &none, &asked, -1, &none,
                       &integers))
        return agni_lapack_failed(c, AGNI_LAPACK_REFUSED, 0, batch, 0, "");
    q.work = agni_lapack_asked(q.dtype, &asked);
    q.rwork = agni_gesdd_reals(q.dtype, q.n, q.m);
    int64_t room = agni_overread_room(q.dtype, q.m) + 2 * agni_room_of(q.m * q.n * q.bytes) +
                   agni_room_of(q.n * q.n * q.bytes) + agni_room_of(q.n * 8) +
                   agni_room_of(q.work * q.bytes) + agni_room_of(q.rwork * 8) +
                   agni_room_of(8 * q.n * (int64_t)sizeof(lapack_int));
    int64_t code = agni_each_with_room(batch, q.n, room, find_polar, &q, &at);
    return agni_end_batch(c, x, code, at, batch, room, "singular values");
}
