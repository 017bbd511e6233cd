/* linalg/structured/cpu/pstrf.c - Cholesky's factor with the largest diagonal first, the order of
   rows, and the rank of a semidefinite matrix (pstrf; Higham 2002, 10.3; Lucas 2004). */
#include "linalg/cpu/lapack_calls.h"

#include <string.h>

enum { INDEFINITE = 1 };

typedef struct order_job {
    const agn_kernel_call *c;
    int dtype;
    int64_t n, bytes;
    bool upper;
    double tol;
} order_job;

/* entry [i, j] of the Hermitian matrix whose triangle is read */
static double complex entry_of(const order_job *q, agni_lapack_matrix a, int64_t i, int64_t j)
{
    bool read = q->upper ? i <= j : i >= j;
    double complex v = agni_number_get(
        q->dtype, a.p + (read ? i * a.rs + j * a.cs : j * a.rs + i * a.cs) * q->bytes, 0);
    return i == j ? creal(v) : read ? v : conj(v);
}

/* Is what is left of a[order, order] - l l^H, l of r columns, within the bound? The entries of a
   semidefinite rest are at most as large as its diagonal. l columns first, of order n. */
static bool rest_is_small(const order_job *q, agni_lapack_matrix a, const int64_t *order,
                          const char *l, int64_t r, double bound)
{
    int64_t n = q->n;
    for (int64_t i = r; i < n; i++)
        for (int64_t j = r; j <= i; j++) {
            double complex v = entry_of(q, a, order[i], order[j]);
            for (int64_t k = 0; k < r; k++)
                v -= agni_number_get(q->dtype, l, k * n + i) *
                     conj(agni_number_get(q->dtype, l, k * n + j));
            if (!(cabs(v) <= bound))
                return false;
        }
    return true;
}

static int64_t order_rows(void *user, int64_t i, char *room)
{
    const order_job *q = user;
    int64_t n = q->n, z = q->bytes, *order = (int64_t *)q->c->out[1].data + i * n,
            *rank = (int64_t *)q->c->out[2].data + i;
    void *l = room, *work = room + agni_room_of(n * n * z);
    lapack_int *piv = (lapack_int *)(void *)((char *)work + agni_room_of(2 * n * 8)),
               N = (lapack_int)n, found = 0, code;
    agni_lapack_matrix a = agni_matrix_at(q->c->in, q->c->in, i);
    double most = 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = j; k < n; k++) { /* columns first, the lower triangle */
            double complex v = entry_of(q, a, k, j);
            if (!isfinite(creal(v)) || !isfinite(cimag(v)))
                return AGNI_NOT_FINITE;
            agni_number_set(q->dtype, l, j * n + k, v);
            most = k == j && creal(v) > most ? creal(v) : most;
        }
    double noise = (double)n * agni_eps_of(q->dtype) * most, tol = q->tol < 0 ? noise : q->tol;
    const int col = LAPACK_COL_MAJOR;
    code = AGNI_BY_FIELD(q->dtype,
                         LAPACKE_spstrf_work(col, 'L', N, l, N, piv, &found, (float)tol, work),
                         LAPACKE_dpstrf_work(col, 'L', N, l, N, piv, &found, tol, work),
                         LAPACKE_cpstrf_work(col, 'L', N, l, N, piv, &found, (float)tol, work),
                         LAPACKE_zpstrf_work(col, 'L', N, l, N, piv, &found, tol, work));
    if (code < 0)
        return AGNI_LAPACK_REFUSED;
    if (!(most > 0))
        for (int64_t j = 0; j < n; j++)
            piv[j] = (lapack_int)j + 1;
    *rank = most > 0 ? found : 0;
    for (int64_t j = 0; j < n; j++)
        order[j] = piv[j] - 1;
    if (!rest_is_small(q, a, order, l, *rank, tol + 8 * noise))
        return INDEFINITE;
    char *to = (char *)q->c->out[0].data + i * n * n * z;
    agni_matrix_copy(to, (agni_lapack_matrix){l, 1, n}, n, n, z);
    for (int64_t j = 0; j < n; j++) { /* nothing above the diagonal, nor beyond the rank */
        int64_t from = j + 1 < *rank ? j + 1 : *rank;
        memset(to + (j * n + from) * z, 0, (size_t)((n - from) * z));
    }
    return 0;
}

agn_status agni_cpu_cholesky_pivots(const agn_kernel_call *c)
{
    const agn_array *x = c->in;
    order_job q = {.c = c,
                   .dtype = x->dtype,
                   .n = x->shape[x->ndim - 1],
                   .bytes = agni_dtypes[x->dtype].bytes,
                   .upper = c->ints[0],
                   .tol = c->reals[0]};
    int64_t batch = agni_batch_count(x, 2), at = 0;
    memset(c->out[2].data, 0, (size_t)batch * sizeof(int64_t));
    if (!batch || !q.n)
        return AGN_OK;
    int64_t room = agni_overread_room(q.dtype, q.n) + agni_room_of(q.n * q.n * q.bytes) +
                   agni_room_of(2 * q.n * 8) + agni_room_of(q.n * (int64_t)sizeof(lapack_int));
    int64_t code = agni_each_with_room(batch, q.n, room, order_rows, &q, &at);
    if (code == AGNI_NOT_FINITE)
        return agni_not_finite(c->op, q.dtype, agni_matrix_at(x, x, at), q.n, at, q.upper ? 1 : -1);
    if (code == INDEFINITE)
        return agni_fail(
            AGN_EDOMAIN,
            "%s: matrix %lld of %lld is not positive semidefinite: what is left exceeds the bound",
            c->op, (long long)at, (long long)batch);
    return code ? agni_lapack_failed(c, code, at, batch, room, "") : AGN_OK;
}
