/* linalg/structured/cpu/sytrf.c - a[perm, perm] = l d l^H or l d l^T of indefinite matrices, by
   bounded Bunch and Kaufman pivoting (sytrf_rk, hetrf_rk; Ashcraft, Grimes & Lewis 1998). */
#include "linalg/cpu/lapack_calls.h"

#include <string.h>

typedef struct ldl_job {
    const agn_kernel_call *c;
    int dtype;
    int64_t n, bytes, work;
    bool upper, hermitian;
} ldl_job;

static lapack_int run_sytrf(const ldl_job *q, void *a, void *e, lapack_int *piv, void *work,
                            int64_t lwork)
{
    const int col = LAPACK_COL_MAJOR;
    lapack_int n = (lapack_int)q->n, lw = (lapack_int)lwork;
    if (q->hermitian && q->dtype == AGN_C64)
        return LAPACKE_chetrf_rk_work(col, 'L', n, a, n, e, piv, work, lw);
    if (q->hermitian && q->dtype == AGN_C128)
        return LAPACKE_zhetrf_rk_work(col, 'L', n, a, n, e, piv, work, lw);
    return AGNI_BY_FIELD(q->dtype, LAPACKE_ssytrf_rk_work(col, 'L', n, a, n, e, piv, work, lw),
                         LAPACKE_dsytrf_rk_work(col, 'L', n, a, n, e, piv, work, lw),
                         LAPACKE_csytrf_rk_work(col, 'L', n, a, n, e, piv, work, lw),
                         LAPACKE_zsytrf_rk_work(col, 'L', n, a, n, e, piv, work, lw));
}

static int64_t factor_one(void *user, int64_t i, char *room)
{
    const ldl_job *q = user;
    const bool complex_ = agni_kind(q->dtype) == AGNI_KIND_COMPLEX;
    int64_t n = q->n, z = q->bytes, dt = q->dtype;
    char *e = room + agni_room_of(n * n * z), *work = e + agni_room_of(n * z);
    lapack_int *piv = (lapack_int *)(void *)(work + agni_room_of(q->work * z));
    agni_lapack_matrix a = agni_matrix_at(q->c->in, q->c->in, i);
    agni_matrix_copy(room, q->upper ? a : (agni_lapack_matrix){a.p, a.cs, a.rs}, n, n, z);
    for (int64_t j = 0; j < n; j++) {
        memset(room + j * n * z, 0, (size_t)(j * z));
        for (int64_t r = j; q->hermitian && complex_ && r < n; r++) {
            double complex v = agni_number_get((int)dt, room, j * n + r);
            agni_number_set((int)dt, room, j * n + r,
                            r == j ? creal(v) : q->upper ? conj(v) : v);
        }
    }
    if (!agni_all_finite((int)dt, room, n * n))
        return AGNI_NOT_FINITE;
    if (run_sytrf(q, room, e, piv, work, q->work) < 0)
        return AGNI_LAPACK_REFUSED; /* above 0: d is singular, and a factor all the same */
    char *l = (char *)q->c->out[0].data + i * n * n * z,
         *d = (char *)q->c->out[1].data + i * n * n * z;
    int64_t *perm = (int64_t *)q->c->out[2].data + i * n;
    memset(d, 0, (size_t)(n * n * z));
    for (int64_t k = 0; k < n; k++)
        perm[k] = k;
    bool good = agni_all_finite((int)dt, e, n);
    for (int64_t k = 0; k < n; k++) {
        int64_t p = (piv[k] < 0 ? -(int64_t)piv[k] : piv[k]) - 1, was = perm[k];
        perm[k] = perm[p];
        perm[p] = was;
        double complex off = k + 1 < n ? agni_number_get((int)dt, e, k) : 0,
                       main = agni_number_get((int)dt, room, k * (n + 1));
        good = good && isfinite(creal(main)) && isfinite(cimag(main));
        agni_number_set((int)dt, d, k * (n + 1), main);
        if (off != 0) {
            agni_number_set((int)dt, d, (k + 1) * n + k, off);
            agni_number_set((int)dt, d, k * n + k + 1, q->hermitian ? conj(off) : off);
        }
        agni_number_set((int)dt, room, k * (n + 1), 1);
    }
    agni_matrix_copy(l, (agni_lapack_matrix){room, 1, n}, n, n, z);
    return good && agni_all_finite((int)dt, l, n * n) ? 0 : 1;
}

agn_status agni_cpu_ldl(const agn_kernel_call *c)
{
    const agn_array *x = c->in;
    ldl_job q = {.c = c,
                 .dtype = x->dtype,
                 .n = x->shape[x->ndim - 1],
                 .bytes = agni_dtypes[x->dtype].bytes,
                 .upper = c->ints[0],
                 .hermitian = c->ints[1]};
    int64_t batch = agni_batch_count(x, 2), at = 0;
    if (!batch || !q.n)
        return AGN_OK;
    double complex asked = 0, none = 0;
    lapack_int piv = 0;
    if (run_sytrf(&q, &none, &none, &piv, &asked, -1))
        return agni_lapack_failed(c, AGNI_LAPACK_REFUSED, 0, batch, 0, "");
    q.work = agni_lapack_asked(q.dtype, &asked);
    int64_t room = agni_overread_room(q.dtype, q.n) + agni_room_of(q.n * q.n * q.bytes) +
                   agni_room_of(q.n * q.bytes) + agni_room_of(q.work * q.bytes) +
                   agni_room_of(q.n * (int64_t)sizeof(lapack_int));
    int64_t code = agni_each_with_room(batch, q.n, room, factor_one, &q, &at);
    if (code == AGNI_NOT_FINITE)
        return agni_not_finite(c->op, q.dtype, agni_matrix_at(x, x, at), q.n, at, q.upper ? 1 : -1);
    if (code > 0)
        return agni_fail(AGN_EDOMAIN, "%s: matrix %lld of %lld: an entry of its factors overflows",
                         c->op, (long long)at, (long long)batch);
    return code ? agni_lapack_failed(c, code, at, batch, room, "") : AGN_OK;
}
