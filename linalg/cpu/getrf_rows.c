/* linalg/cpu/getrf_rows.c - LU factorisation with row interchanges of matrices of any shape (getrf
   on a transposed copy), as users take it apart. */
#include "linalg/cpu/lapack_calls.h"

#include <string.h>

typedef struct rows_job {
    const agn_kernel_call *c;
    int dtype;
    int64_t m, n, bytes;
} rows_job;

enum { FACTOR_OVERFLOWS = 1 };

/* Do reciprocals of pivots overflow, by which getrf may multiply? */
static bool has_tiny_pivot(const rows_job *q, const char *a)
{
    int64_t k = q->m < q->n ? q->m : q->n;
    double least = q->dtype == AGN_F32 || q->dtype == AGN_C64 ? 0x1p-128 : 0x1p-1024;
    for (int64_t i = 0; i < k; i++) {
        double complex u = agni_number_get(q->dtype, a, i * (q->m + 1));
        if (u != 0 && fabs(creal(u)) < least && fabs(cimag(u)) < least)
            return true;
    }
    return false;
}

/* x / d where 1 / d may overflow */
static double complex divide_by_pivot(double complex x, double complex d)
{
    int e = 0;
    frexp(fmax(fabs(creal(d)), fabs(cimag(d))), &e);
    if (cimag(d) == 0)
        return agni_join_parts(creal(x) / creal(d), cimag(x) / creal(d));
    return agni_scale_parts(x / agni_scale_parts(d, -e), -e);
}

/* right-looking elimination with divisions, columns first */
static void eliminate_by_division(const rows_job *q, char *a, lapack_int *piv)
{
    int64_t m = q->m, n = q->n;
    for (int64_t k = 0; k < m && k < n; k++) {
        int64_t p = k;
        for (int64_t i = k + 1; i < m; i++)
            if (cabs(agni_number_get(q->dtype, a, k * m + i)) >
                cabs(agni_number_get(q->dtype, a, k * m + p)))
                p = i;
        piv[k] = (lapack_int)p + 1;
        for (int64_t j = 0; j < n && p != k; j++) {
            double complex u = agni_number_get(q->dtype, a, j * m + k);
            agni_number_set(q->dtype, a, j * m + k, agni_number_get(q->dtype, a, j * m + p));
            agni_number_set(q->dtype, a, j * m + p, u);
        }
        double complex pivot = agni_number_get(q->dtype, a, k * m + k);
        for (int64_t i = k + 1; i < m && pivot != 0; i++) {
            double complex l = divide_by_pivot(agni_number_get(q->dtype, a, k * m + i), pivot);
            agni_number_set(q->dtype, a, k * m + i, l);
            for (int64_t j = k + 1; j < n; j++)
                agni_number_set(q->dtype, a, j * m + i,
                                agni_number_get(q->dtype, a, j * m + i) -
                                    l * agni_number_get(q->dtype, a, j * m + k));
        }
    }
}

static int64_t factor_by_rows(void *user, int64_t i, char *room)
{
    const rows_job *q = user;
    int64_t m = q->m, n = q->n, k = m < n ? m : n;
    agni_lapack_matrix a = agni_matrix_at(q->c->in, q->c->in, i), t = {a.p, a.cs, a.rs};
    lapack_int *piv = (lapack_int *)(void *)(room + agni_room_of(m * n * q->bytes));
    int64_t *order = (int64_t *)q->c->out[1].data + i * m;
    if (!agni_matrix_copy_finite(room, t, n, m, q->dtype))
        return AGNI_NOT_FINITE;
    if (k && agni_factor_lu(q->dtype, m, n, room, piv) < 0)
        return AGNI_NO_ROOM;
    const agni_lapack_matrix factors = {room, 1, m};
    char *to = (char *)q->c->out[0].data + i * m * n * q->bytes;
    if (k && (has_tiny_pivot(q, room) ||
              !agni_matrix_copy_finite(to, factors, m, n, q->dtype))) {
        agni_matrix_copy(room, t, n, m, q->bytes);
        eliminate_by_division(q, room, piv);
        if (!agni_matrix_copy_finite(to, factors, m, n, q->dtype))
            return FACTOR_OVERFLOWS;
    }
    for (int64_t r = 0; r < m; r++)
        order[r] = r;
    for (int64_t r = 0; r < k; r++) {
        int64_t p = piv[r] - 1, was = order[r];
        order[r] = order[p];
        order[p] = was;
    }
    return 0;
}

agn_status agni_cpu_lu(const agn_kernel_call *c)
{
    const agn_array *x = c->in;
    rows_job q = {.c = c, .dtype = x->dtype, .m = x->shape[x->ndim - 2], .n = x->shape[x->ndim - 1],
                  .bytes = agni_dtypes[x->dtype].bytes};
    int64_t k = q.m < q.n ? q.m : q.n, batch = agni_batch_count(x, 2), at = 0;
    int64_t room = agni_room_of(q.m * q.n * q.bytes) +
                   agni_room_of(k * (int64_t)sizeof(lapack_int));
    int64_t code = q.m ? agni_each_with_room(batch, k, room, factor_by_rows, &q, &at) : 0;
    if (code == AGNI_NOT_FINITE)
        return agni_not_finite_in(c->op, q.dtype, agni_matrix_at(x, x, at), q.m, q.n, at);
    if (code == FACTOR_OVERFLOWS)
        return agni_fail(AGN_EDOMAIN, "%s: matrix %lld of %lld: an entry of its factors overflows",
                         c->op, (long long)at, (long long)batch);
    return code ? agni_lapack_failed(c, code, at, batch, room, "") : AGN_OK;
}
