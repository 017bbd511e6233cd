/* linalg/functions/cpu/pinv.c - pseudoinverses (Golub & Van Loan 2013, 5.5.2). */
#include "linalg/cpu/getrf_trsm.h"
#include "linalg/cpu/stedc.h"

#include <cblas.h>
#include <string.h>

typedef struct pinv_job {
    const agn_kernel_call *c;
    int dtype;
    int64_t m, n, bytes, work;
    double rcond;
} pinv_job;

/* a = u s vh: y[j, i] = sum over values above rcond s_0 of conj(vh[k, j]) conj(u[i, k]) / s_k */
static int64_t invert_pseudo(void *user, int64_t i, char *room)
{
    const pinv_job *q = user;
    int64_t m = q->m, n = q->n, k = m < n ? m : n;
    bool z = agni_kind(q->dtype) == AGNI_KIND_COMPLEX;
    int real = q->dtype == AGN_C64 ? AGN_F32 : q->dtype == AGN_C128 ? AGN_F64 : q->dtype;
    char *a = room, *u = a + agni_room_of(m * n * q->bytes),
         *vh = u + agni_room_of(m * k * q->bytes), *s = vh + agni_room_of(k * n * q->bytes),
         *work = s + agni_room_of(k * 8), *iwork = work + agni_room_of(q->work * q->bytes),
         *rwork = iwork + agni_room_of(8 * k * (int64_t)sizeof(lapack_int));
    if (!agni_matrix_copy_finite(a, agni_matrix_at(q->c->in, q->c->in, i), m, n, q->dtype))
        return AGNI_NOT_FINITE;
    lapack_int code = agni_run_gesdd(q->dtype, 'S', n, m, a, s, vh, u, work, q->work, rwork,
                                     (lapack_int *)(void *)iwork);
    if (code)
        return code < 0 ? AGNI_LAPACK_REFUSED : code;
    double top = creal(agni_number_get(real, s, 0));
    int64_t rank = 0;
    for (; rank < k; rank++) {
        double v = creal(agni_number_get(real, s, rank));
        if (!(v > q->rcond * top) || v == 0)
            break;
        for (int64_t j = 0; j < n; j++)
            agni_number_set(q->dtype, vh, rank * n + j,
                            agni_number_get(q->dtype, vh, rank * n + j) / v);
    }
    char *y = (char *)q->c->out->data + i * m * n * q->bytes;
    int N = (int)n, M = (int)m, R = (int)rank, K = (int)k;
    const float complex one32 = 1, none32 = 0;
    const double complex one64 = 1, none64 = 0;
    const enum CBLAS_TRANSPOSE t = z ? CblasConjTrans : CblasTrans;
    if (!rank)
        memset(y, 0, (size_t)(m * n * q->bytes));
    else if (q->dtype == AGN_F32)
        cblas_sgemm(CblasRowMajor, t, t, N, M, R, 1, (float *)(void *)vh, N, (float *)(void *)u, K,
                    0, (float *)(void *)y, M);
    else if (q->dtype == AGN_F64)
        cblas_dgemm(CblasRowMajor, t, t, N, M, R, 1, (double *)(void *)vh, N, (double *)(void *)u,
                    K, 0, (double *)(void *)y, M);
    else if (q->dtype == AGN_C64)
        cblas_cgemm(CblasRowMajor, t, t, N, M, R, &one32, vh, N, u, K, &none32, y, M);
    else
        cblas_zgemm(CblasRowMajor, t, t, N, M, R, &one64, vh, N, u, K, &none64, y, M);
    return 0;
}

agn_status agni_cpu_pinv(const agn_kernel_call *c)
{
    const agn_array *x = c->in;
    pinv_job q = {.c = c, .dtype = x->dtype, .m = x->shape[x->ndim - 2],
                    .n = x->shape[x->ndim - 1], .bytes = agni_dtypes[x->dtype].bytes};
    int64_t k = q.m < q.n ? q.m : q.n, most = q.m + q.n - k, batch = agni_batch_count(x, 2), at = 0;
    q.rcond = c->reals[0] < 0 ? (double)most * agni_eps_of(q.dtype) : c->reals[0];
    if (c->ints[0])
        return agni_cpu_pinv_hermitian(c);
    if (!batch || !k)
        return AGN_OK;
    double complex asked = 0, none = 0;
    lapack_int integers = 0;
    if (agni_run_gesdd(q.dtype, 'S', q.n, q.m, &none, &none, &none, &none, &asked, -1, &none,
                       &integers))
        return agni_lapack_failed(c, AGNI_LAPACK_REFUSED, 0, batch, 0, "");
    q.work = agni_lapack_asked(q.dtype, &asked);
    int64_t room = agni_overread_room(q.dtype, q.m > q.n ? q.m : q.n) +
                   agni_room_of(q.m * q.n * q.bytes) + agni_room_of(q.m * k * q.bytes) +
                   agni_room_of(k * q.n * q.bytes) + agni_room_of(k * 8) +
                   agni_room_of(q.work * q.bytes) +
                   agni_room_of(8 * k * (int64_t)sizeof(lapack_int)) +
                   agni_room_of(agni_gesdd_reals(q.dtype, q.m, q.n) * 8);
    int64_t code = agni_each_with_room(batch, k, room, invert_pseudo, &q, &at);
    return agni_end_batch(c, x, code, at, batch, room, "singular values");
}
