/* linalg/functions/cpu/pinv_hermitian.c - Moore-Penrose inverses of Hermitian matrices by their
   eigenvalues (heevd; Golub & Van Loan 2013, 5.5.2 and 8.3). */
#include "linalg/cpu/lapack_calls.h"

#include <string.h>

typedef struct hermitian_job {
    const agn_kernel_call *c;
    int dtype;
    int64_t n, bytes, work, reals, ints;
    double rcond;
} hermitian_job;

static lapack_int run_heevd(const hermitian_job *q, void *a, void *w, void *work, int64_t lwork,
                            void *rwork, int64_t lrwork, lapack_int *iwork, int64_t liwork)
{
    lapack_int n = (lapack_int)q->n, lw = (lapack_int)lwork, lr = (lapack_int)lrwork,
               li = (lapack_int)liwork;
    const int col = LAPACK_COL_MAJOR;
    return AGNI_BY_FIELD(
        q->dtype, LAPACKE_ssyevd_work(col, 'V', 'U', n, a, n, w, work, lw, iwork, li),
        LAPACKE_dsyevd_work(col, 'V', 'U', n, a, n, w, work, lw, iwork, li),
        LAPACKE_cheevd_work(col, 'V', 'U', n, a, n, w, work, lw, rwork, lr, iwork, li),
        LAPACKE_zheevd_work(col, 'V', 'U', n, a, n, w, work, lw, rwork, lr, iwork, li));
}

/* columns first v of a^T = v diag(w) v^H: rows of y are sums over large values of v_k / w_k times
   conj(v_k), transposed */
static int64_t invert_hermitian(void *user, int64_t i, char *room)
{
    const hermitian_job *q = user;
    int64_t n = q->n, z = q->bytes;
    int real = q->dtype == AGN_C64 ? AGN_F32 : q->dtype == AGN_C128 ? AGN_F64 : q->dtype;
    char *v = room, *u = v + agni_room_of(n * n * z), *w = u + agni_room_of(n * n * z),
         *work = w + agni_room_of(n * 8), *rwork = work + agni_room_of(q->work * z),
         *iwork = rwork + agni_room_of(q->reals * 8);
    if (!agni_matrix_copy_finite(v, agni_matrix_at(q->c->in, q->c->in, i), n, n, q->dtype))
        return AGNI_NOT_FINITE;
    lapack_int code = run_heevd(q, v, w, work, q->work, rwork, q->reals,
                                (lapack_int *)(void *)iwork, q->ints);
    if (code)
        return code < 0 ? AGNI_LAPACK_REFUSED : code;
    double top = fmax(fabs(creal(agni_number_get(real, w, 0))),
                      fabs(creal(agni_number_get(real, w, n - 1))));
    for (int64_t k = 0; k < n; k++) {
        double x = creal(agni_number_get(real, w, k));
        bool kept = fabs(x) > q->rcond * top && x != 0;
        for (int64_t j = k * n; j < (k + 1) * n; j++)
            agni_number_set(q->dtype, u, j, kept ? agni_number_get(q->dtype, v, j) / x : 0);
        if (!kept) /* 0 times what may be infinite */
            memset(v + k * n * z, 0, (size_t)(n * z));
    }
    agni_multiply_columns(q->dtype, CblasNoTrans,
                          real == q->dtype ? CblasTrans : CblasConjTrans, n, n, n, u, v,
                          (char *)q->c->out->data + i * n * n * z);
    return 0;
}

agn_status agni_cpu_pinv_hermitian(const agn_kernel_call *c)
{
    const agn_array *x = c->in;
    hermitian_job q = {.c = c,
                       .dtype = x->dtype,
                       .n = x->shape[x->ndim - 1],
                       .bytes = agni_dtypes[x->dtype].bytes};
    q.rcond = c->reals[0] < 0 ? (double)q.n * agni_eps_of(q.dtype) : c->reals[0];
    double complex asked = 0, none = 0;
    double reals[2] = {0};
    lapack_int ints = 0;
    int64_t batch = agni_batch_count(x, 2), at = 0;
    if (!batch || !q.n)
        return AGN_OK;
    if (run_heevd(&q, &none, &none, &asked, -1, reals, -1, &ints, -1))
        return agni_lapack_failed(c, AGNI_LAPACK_REFUSED, 0, batch, 0, "");
    q.work = agni_lapack_asked(q.dtype, &asked);
    q.ints = ints;
    q.reals = agni_kind(q.dtype) != AGNI_KIND_COMPLEX
                   ? 1
                   : agni_lapack_asked(q.dtype == AGN_C64 ? AGN_F32 : AGN_F64, reals);
    int64_t room = agni_overread_room(q.dtype, q.n) + 2 * agni_room_of(q.n * q.n * q.bytes) +
                   agni_room_of(q.n * 8) + agni_room_of(q.work * q.bytes) +
                   agni_room_of(q.reals * 8) + agni_room_of(ints * (int64_t)sizeof(lapack_int));
    int64_t code = agni_each_with_room(batch, q.n, room, invert_hermitian, &q, &at);
    return agni_end_batch(c, x, code, at, batch, room, "eigenvalues");
}
