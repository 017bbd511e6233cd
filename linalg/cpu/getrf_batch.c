/* linalg/cpu/getrf_batch.c - LU factors of a batch (getrf), each by what its entries show or
   guarded against growth (Golub & Van Loan, section 3.4); small ones in the lanes of vectors. */
#include "linalg/cpu/getrf_trsm.h"

#include <string.h>

static int64_t factor_lu_matrix(void *user, int64_t i)
{
    const agni_solve_job *q = user;
    int64_t n = q->n;
    int dtype = q->y->dtype;
    agni_lapack_matrix a = agni_matrix_at(q->c->in, q->y, i);
    char *lu = (char *)q->y->data + i * n * n * q->bytes;
    int32_t *piv = (int32_t *)q->c->out[1].data + i * 3 * n;
    if (!agni_matrix_copy_finite(lu, a, n, n, dtype))
        return AGNI_NOT_FINITE;
    int64_t below = 0, above = 0;
    agni_factor_kind kind = agni_recognise(dtype, lu, n, &below, &above);
    if (kind != AGNI_FACTOR_LU) {
        const int64_t code = agni_factor_recognised(kind, dtype, n, below, above, a, lu, piv);
        if (code != AGNI_USE_LU)
            return code;
        agni_matrix_copy(lu, a, n, n, q->bytes);
    }
    return agni_factor_guarded(dtype, lu, a, n, piv);
}

static uint32_t factor_lu_lanes(void *user, int64_t first, int64_t count, char *a)
{
    const agni_solve_job *q = user;
    const int64_t n = q->n, lanes = q->lanes->lanes;
    int32_t *piv = (int32_t *)(void *)(a + agni_lanes_room(q, n, n));
    memset(piv + n * lanes, 0, (size_t)(2 * n * lanes) * sizeof *piv);
    agni_lanes_read(q->lanes, &q->source, first, count, a);
    const uint32_t redo = q->lanes->lu(a, piv, n);
    agni_lanes_write(q->lanes, q->y->dtype, a, n * n, count,
                     (char *)q->y->data + first * n * n * q->bytes);
    agni_lanes_write(q->lanes, AGN_F32, piv, 3 * n, count, /* of the same size */
                     (int32_t *)q->c->out[1].data + first * 3 * n);
    return redo;
}

/* a failure becomes a code, and its matrix the identity */
static int64_t factor_lu_going_on(void *user, int64_t i)
{
    const agni_solve_job *q = user;
    int64_t n = q->n, code = factor_lu_matrix(user, i);
    if (!code || code == AGNI_NO_ROOM)
        return code;
    char *lu = (char *)q->y->data + i * n * n * q->bytes;
    int32_t *piv = (int32_t *)q->c->out[1].data + i * 3 * n;
    memset(lu, 0, (size_t)(n * n * q->bytes));
    memset(piv, 0, (size_t)(3 * n) * sizeof *piv);
    for (int64_t k = 0; k < n; k++) {
        agni_number_set(q->y->dtype, lu, k * (n + 1), 1);
        piv[k] = (int32_t)(k + 1);
    }
    code = code > 2 * n ? n : code > n ? code - n : code;
    ((int32_t *)q->c->out[2].data)[i] = code == AGNI_NOT_FINITE ? -1 : (int32_t)code;
    return 0;
}

/* factors of all matrices, by one(); codes as of agni_each_matrix, and what lanes needed */
static int64_t factor_all(agni_solve_job *q, agni_one_matrix *one, int64_t batch, int64_t *room,
                          int64_t *at)
{
    const agn_array *x = q->c->in;
    *room = 0;
    if (!q->n)
        return 0;
    if (!agni_choose_lanes(q, batch, x, x))
        return agni_each_matrix(batch, q->n, one, q, at);
    *room = agni_lanes_room(q, q->n, q->n) +
            agni_room_of(3 * q->n * AGNI_LANES_MOST * (int64_t)sizeof(int32_t));
    return agni_each_in_lanes(q->lanes, batch, q->n, *room, factor_lu_lanes, one, q, at);
}

agn_status agni_cpu_lu_info(const agn_kernel_call *c)
{
    const agn_array *y = c->out;
    agni_solve_job q = {
        .c = c, .y = y, .n = y->shape[y->ndim - 1], .bytes = agni_dtypes[y->dtype].bytes};
    int64_t batch = agni_batch_count(y, 2), at = 0, room;
    memset(c->out[2].data, 0, (size_t)batch * sizeof(int32_t));
    int64_t code = factor_all(&q, factor_lu_going_on, batch, &room, &at);
    return code ? agni_nomem(c->op, (size_t)(room ? room : q.n * q.n * q.bytes)) : AGN_OK;
}

agn_status agni_cpu_lu_factor(const agn_kernel_call *c)
{
    const agn_array *x = c->in, *y = c->out;
    agni_solve_job q = {
        .c = c, .y = y, .n = y->shape[y->ndim - 1], .bytes = agni_dtypes[y->dtype].bytes};
    int64_t batch = agni_batch_count(y, 2), at = 0, room,
            code = factor_all(&q, factor_lu_matrix, batch, &room, &at);
    if (code == AGNI_NO_ROOM && room)
        return agni_nomem("linalg_solve", (size_t)room);
    if (code == AGNI_NO_ROOM)
        return agni_fail(AGN_ENOMEM,
                         "linalg_solve: no thread with a stack for LAPACK's getrf of %lld "
                         "rows",
                         (long long)q.n);
    if (code == AGNI_NOT_FINITE)
        return agni_not_finite("linalg_solve", y->dtype, agni_matrix_at(x, y, at), q.n,
                               at, 0);
    if (code > 2 * q.n)
        return agni_fail(AGN_EDOMAIN,
                         "linalg_solve: matrix %lld of %lld: more than half of the digits are lost "
                         "in pivots that grow, along rows and columns",
                         (long long)at, (long long)batch);
    if (code > q.n)
        return agni_fail(AGN_EDOMAIN,
                         "linalg_solve: matrix %lld of %lld is singular to working precision: the "
                         "reciprocal of pivot %lld of %lld overflows, with rows and columns scaled",
                         (long long)at, (long long)batch, (long long)(code - q.n - 1),
                         (long long)q.n);
    if (code)
        return agni_fail(
            AGN_EDOMAIN,
            "linalg_solve: matrix %lld of %lld is singular: pivot %lld of %lld is 0",
            (long long)at, (long long)batch, (long long)code - 1, (long long)q.n);
    return AGN_OK;
}
