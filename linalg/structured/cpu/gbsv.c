/* linalg/structured/cpu/gbsv.c - systems with a banded matrix (gbsv; gtsv where it is tridiagonal; Golub & Van Loan 2013,
   4.3). Rows of the argument are diagonals, row u + i - j holds entry [i, j] in column j. */
#include "linalg/cpu/lapack_calls.h"

#include <string.h>

typedef struct band_job {
    const agn_kernel_call *c;
    int dtype;
    int64_t l, u, w, n, k, bytes;
} band_job;

static double largest_part(int dtype, const void *p, int64_t n)
{
    double most = 0;
    for (int64_t i = 0; i < n; i++) {
        double complex v = agni_number_get(dtype, p, i);
        most = fmax(most, fmax(fabs(creal(v)), fabs(cimag(v))));
    }
    return most;
}

/* the power of 2 by which all are multiplied where reciprocals would overflow; else 0 */
static int choose_scale(int dtype, const void *p, int64_t n)
{
    double most = largest_part(dtype, p, n);
    int e = 0, far = dtype == AGN_F32 || dtype == AGN_C64 ? 60 : 500;
    if (most > 0)
        frexp(most, &e);
    return e > far || e < -far ? -e : 0;
}

static void scale_all(int dtype, void *p, int64_t n, int e)
{
    for (int64_t i = 0; e && i < n; i++)
        agni_number_set(dtype, p, i, agni_scale_parts(agni_number_get(dtype, p, i), e));
}

static lapack_int run_gtsv(const band_job *q, char *band, char *x)
{
    const int col = LAPACK_COL_MAJOR;
    lapack_int n = (lapack_int)q->n, k = (lapack_int)q->k;
    void *du = band + q->bytes, *d = band + q->n * q->bytes, *dl = band + 2 * q->n * q->bytes, *b = x;
    return AGNI_BY_FIELD(q->dtype, LAPACKE_sgtsv_work(col, n, k, dl, d, du, b, n),
                         LAPACKE_dgtsv_work(col, n, k, dl, d, du, b, n),
                         LAPACKE_cgtsv_work(col, n, k, dl, d, du, b, n),
                         LAPACKE_zgtsv_work(col, n, k, dl, d, du, b, n));
}

/* band: columns of w numbers; wide: columns of l + w, the first l are LAPACK's own */
static lapack_int run_gbsv(const band_job *q, const char *band, char *wide, char *x, lapack_int *piv)
{
    const int col = LAPACK_COL_MAJOR;
    int64_t high = q->l + q->w;
    for (int64_t j = 0; j < q->n; j++) {
        memset(wide + j * high * q->bytes, 0, (size_t)(q->l * q->bytes));
        memcpy(wide + (j * high + q->l) * q->bytes, band + j * q->w * q->bytes, (size_t)(q->w * q->bytes));
    }
    lapack_int n = (lapack_int)q->n, l = (lapack_int)q->l, u = (lapack_int)q->u, k = (lapack_int)q->k,
               ld = (lapack_int)high;
    void *a = wide, *b = x;
    return AGNI_BY_FIELD(q->dtype, LAPACKE_sgbsv_work(col, n, l, u, k, a, ld, piv, b, n),
                         LAPACKE_dgbsv_work(col, n, l, u, k, a, ld, piv, b, n),
                         LAPACKE_cgbsv_work(col, n, l, u, k, a, ld, piv, b, n),
                         LAPACKE_zgbsv_work(col, n, l, u, k, a, ld, piv, b, n));
}

static int64_t solve_one(void *user, int64_t i, char *room)
{
    const band_job *q = user;
    const agn_array *y = q->c->out;
    int64_t z = q->bytes, n = q->n, w = q->w;
    bool three = q->l == 1 && q->u == 1;
    char *band = room, *x = band + agni_room_of(w * n * z), *wide = x + agni_room_of(n * q->k * z);
    lapack_int *piv = (lapack_int *)(void *)(wide + agni_room_of((q->l + w) * n * z));
    agni_lapack_matrix a = agni_matrix_at(q->c->in, y, i), b = agni_matrix_at(q->c->in + 1, y, i);
    int64_t rs = three ? n : 1, cs = three ? 1 : w; /* of the copy */
    agni_matrix_copy(band, three ? a : (agni_lapack_matrix){a.p, a.cs, a.rs}, three ? w : n, three ? n : w, z);
    for (int64_t r = 0; r < w; r++) { /* what lies outside of the matrix: before column u - r, from n + u - r on */
        int64_t from = q->u - r, to = n + q->u - r;
        for (int64_t j = 0; j < n; j++)
            if (j < from || j >= to)
                memset(band + (r * rs + j * cs) * z, 0, (size_t)z);
    }
    if (!agni_all_finite(q->dtype, band, w * n))
        return AGNI_NOT_FINITE;
    int e = choose_scale(q->dtype, band, w * n);
    scale_all(q->dtype, band, w * n, e);
    agni_matrix_copy(x, (agni_lapack_matrix){b.p, b.cs, b.rs}, q->k, n, z);
    lapack_int code = three ? run_gtsv(q, band, x) : run_gbsv(q, band, wide, x, piv);
    if (code)
        return code < 0 ? AGNI_LAPACK_REFUSED : code;
    scale_all(q->dtype, x, n * q->k, e);
    agni_matrix_copy((char *)y->data + i * n * q->k * z, (agni_lapack_matrix){x, 1, n}, n, q->k, z);
    return 0;
}

agn_status agni_cpu_banded_solve(const agn_kernel_call *c)
{
    const agn_array *y = c->out;
    band_job q = {.c = c, .dtype = y->dtype, .l = c->ints[0], .w = c->in->shape[c->in->ndim - 2],
                  .n = y->shape[y->ndim - 2], .k = y->shape[y->ndim - 1], .bytes = agni_dtypes[y->dtype].bytes};
    q.u = q.w - 1 - q.l;
    int64_t batch = agni_batch_count(y, 2), at = 0;
    if (!batch || !q.n || !q.k)
        return AGN_OK;
    int64_t room = agni_room_of(q.w * q.n * q.bytes) + agni_room_of(q.n * q.k * q.bytes) +
                   agni_room_of((q.l + q.w) * q.n * q.bytes) + agni_room_of(q.n * (int64_t)sizeof(lapack_int));
    int64_t order = (int64_t)cbrt((double)q.n * (double)(q.w * q.w + 1));
    int64_t code = agni_each_with_room(batch, order, room, solve_one, &q, &at);
    if (code == AGNI_NOT_FINITE)
        return agni_fail(AGN_EDOMAIN, "%s: matrix %lld of %lld is not finite", c->op, (long long)at, (long long)batch);
    if (code > 0)
        return agni_fail(AGN_EDOMAIN, "%s: matrix %lld of %lld is singular: pivot %lld is 0", c->op, (long long)at,
                         (long long)batch, (long long)code - 1);
    return code ? agni_lapack_failed(c, code, at, batch, room, "") : AGN_OK;
}
