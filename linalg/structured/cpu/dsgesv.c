/* linalg/structured/cpu/dsgesv.c - systems solved by factors of half the digits with iterative
   refinement (dsgesv, zcgesv; Langou et al. 2006); those of few digits by gesv. */
#include "linalg/cpu/lapack_calls.h"

#include <string.h>

enum { OVERFLOWS = -4 };

typedef struct mixed_job {
    const agn_kernel_call *c;
    int dtype;
    int64_t n, k, bytes;
} mixed_job;

static int64_t solve_mixed(void *user, int64_t i, char *room)
{
    const mixed_job *q = user;
    int64_t n = q->n, k = q->k, z = q->bytes, block = agni_room_of(n * k * z);
    char *rhs = room + agni_room_of(n * n * z), *sol = rhs + block, *work = sol + block,
         *half = work + block, *reals = half + agni_room_of(n * (n + k) * z);
    lapack_int *piv = (lapack_int *)(void *)(reals + agni_room_of(n * 8)), steps = 0,
               N = (lapack_int)n, K = (lapack_int)k;
    const int col = LAPACK_COL_MAJOR;
    agni_lapack_matrix a = agni_matrix_at(q->c->in, q->c->out, i),
                       b = agni_matrix_at(q->c->in + 1, q->c->out, i);
    if (!agni_matrix_copy_finite(room, (agni_lapack_matrix){a.p, a.cs, a.rs}, n, n, q->dtype))
        return AGNI_NOT_FINITE;
    agni_matrix_copy(rhs, (agni_lapack_matrix){b.p, b.cs, b.rs}, k, n, z);
    const double most = agni_largest_part(q->dtype, room, n * n);
    const bool known = agni_all_finite(q->dtype, rhs, n * k),
               wide = q->dtype == AGN_F64 || q->dtype == AGN_C128;
    void *A = room, *B = rhs, *X = wide ? sol : rhs, *w = work, *h = half, *r = reals;
    lapack_int code = AGNI_BY_FIELD(
        q->dtype, LAPACKE_sgesv_work(col, N, K, A, N, piv, B, N),
        LAPACKE_dsgesv_work(col, N, K, A, N, piv, B, N, X, N, w, h, &steps),
        LAPACKE_cgesv_work(col, N, K, A, N, piv, B, N),
        LAPACKE_zcgesv_work(col, N, K, A, N, piv, B, N, X, N, w, h, r, &steps));
    if (code)
        return code < 0 ? AGNI_LAPACK_REFUSED : code;
    if ((!wide || steps < 0) && agni_lu_has_grown(q->dtype, n, room, most)) {
        agni_matrix_copy(room, a, n, n, z);
        agni_matrix_copy(rhs, (agni_lapack_matrix){b.p, b.cs, b.rs}, k, n, z);
        X = rhs;
        int64_t failed = agni_solve_turned(q->dtype, n, k, room, piv, X);
        if (failed)
            return failed < 0 && failed != AGNI_NO_ROOM ? AGNI_LAPACK_REFUSED : failed;
    } else if (wide && known && !agni_all_finite(q->dtype, X, n * k)) { /* half the digits have less range, which no step notices */
        agni_matrix_copy(room, (agni_lapack_matrix){a.p, a.cs, a.rs}, n, n, z);
        X = rhs;
        code = q->dtype == AGN_F64 ? LAPACKE_dgesv_work(col, N, K, A, N, piv, X, N)
                                   : LAPACKE_zgesv_work(col, N, K, A, N, piv, X, N);
        if (code)
            return code < 0 ? AGNI_LAPACK_REFUSED : code;
        steps = OVERFLOWS;
    }
    if (known && !agni_all_finite(q->dtype, X, n * k))
        return OVERFLOWS;
    agni_matrix_copy((char *)q->c->out->data + i * n * k * z, (agni_lapack_matrix){X, 1, n}, n, k,
                     z);
    ((int32_t *)q->c->out[1].data)[i] = steps;
    return 0;
}

agn_status agni_cpu_mixed_solve(const agn_kernel_call *c)
{
    const agn_array *y = c->out;
    mixed_job q = {.c = c,
                   .dtype = y->dtype,
                   .n = y->shape[y->ndim - 2],
                   .k = y->shape[y->ndim - 1],
                   .bytes = agni_dtypes[y->dtype].bytes};
    int64_t batch = agni_batch_count(y, 2), at = 0, n = q.n, z = q.bytes;
    memset(c->out[1].data, 0, (size_t)batch * sizeof(int32_t));
    if (!batch || !n)
        return AGN_OK;
    int64_t room = agni_overread_room(q.dtype, n) + agni_room_of(n * n * z) +
                   3 * agni_room_of(n * q.k * z) + agni_room_of(n * (n + q.k) * z) +
                   agni_room_of(n * 8) + agni_room_of(n * (int64_t)sizeof(lapack_int));
    int64_t code = agni_each_with_room(batch, n, room, solve_mixed, &q, &at);
    if (code == AGNI_NOT_FINITE)
        return agni_refuse_not_finite(c, y, at);
    if (code == OVERFLOWS)
        return agni_fail(AGN_EDOMAIN,
                         "%s: matrix %lld of %lld: a factor or its reciprocal overflows", c->op,
                         (long long)at, (long long)batch);
    if (code > 0)
        return agni_fail(AGN_EDOMAIN, "%s: matrix %lld of %lld is singular: pivot %lld is 0", c->op,
                         (long long)at, (long long)batch, (long long)(code - 1));
    return code ? agni_lapack_failed(c, code, at, batch, room, "") : AGN_OK;
}
