/* linalg/structured/cpu/cholesky_update.c - the factor of l l^H + x x^H by rotations (Golub & Van
   Loan 2013, 6.5.4) and of l l^H - x x^H by mixed hyperbolic ones (Bojanczyk, Brent, Van Dooren &
   de Hoog 1987). */
#include "linalg/cpu/lapack_calls.h"

#include <string.h>

typedef struct update_job {
    const agn_kernel_call *c;
    int dtype;
    int64_t n, k, bytes;
    bool upper, down;
} update_job;

/* columns of real numbers: parts of complex ones are turned alike */
#define TURN(T)                                                          \
    static void turn_##T(T *l, T *x, int64_t n, T c, T s)                \
    {                                                                    \
        for (int64_t i = 0; i < n; i++) {                                \
            T a = l[i], b = x[i];                                        \
            l[i] = c * a + s * b;                                        \
            x[i] = c * b - s * a;                                        \
        }                                                                \
    }                                                                    \
    static void turn_down_##T(T *l, T *x, int64_t n, T c, T s)           \
    {                                                                    \
        for (int64_t i = 0; i < n; i++) {                                \
            T a = (l[i] - s * x[i]) / c;                                 \
            x[i] = c * x[i] - s * a;                                     \
            l[i] = a;                                                    \
        }                                                                \
    }
TURN(float)
TURN(double)

/* l: columns of a lower triangle with a real diagonal, x: a column. 0, or 1 + the column where it
   is not definite */
static int64_t update_by_column(const update_job *q, char *l, char *x)
{
    int64_t n = q->n, z = q->bytes;
    bool pair = agni_kind(q->dtype) == AGNI_KIND_COMPLEX,
         f32 = q->dtype == AGN_F32 || q->dtype == AGN_C64;
    for (int64_t j = 0; j < n; j++) {
        char *col = l + (j * n + j) * z, *rest = x + j * z;
        double d = creal(agni_number_get(q->dtype, col, 0)),
               size = cabs(agni_number_get(q->dtype, rest, 0)), r;
        double complex phase = size == 0 ? 1 : conj(agni_number_get(q->dtype, rest, 0)) / size;
        for (int64_t i = 0; i < n - j && phase != 1; i++)
            agni_number_set(q->dtype, rest, i, agni_number_get(q->dtype, rest, i) * phase);
        if (q->down && !(fabs(d) > size))
            return 1 + j;
        r = q->down ? sqrt((fabs(d) - size) * (fabs(d) + size)) : hypot(d, size);
        int64_t len = (n - j - 1) * (pair ? 2 : 1);
        void *a = col + z, *b = rest + z;
        if (r > 0 && q->down && f32)
            turn_down_float(a, b, len, (float)(r / d), (float)(size / d));
        else if (r > 0 && q->down)
            turn_down_double(a, b, len, r / d, size / d);
        else if (r > 0 && f32)
            turn_float(a, b, len, (float)(d / r), (float)(size / r));
        else if (r > 0)
            turn_double(a, b, len, d / r, size / r);
        agni_number_set(q->dtype, col, 0, r);
    }
    return 0;
}

static int64_t update_one(void *user, int64_t i, char *room)
{
    const update_job *q = user;
    const agn_array *y = q->c->out;
    int64_t n = q->n, z = q->bytes;
    char *x = room + agni_room_of(n * n * z);
    agni_lapack_matrix l = agni_matrix_at(q->c->in, y, i), v = agni_matrix_at(q->c->in + 1, y, i);
    /* columns of l, or of u^H: rows of u conjugated */
    agni_matrix_copy(room, q->upper ? l : (agni_lapack_matrix){l.p, l.cs, l.rs}, n, n, z);
    agni_matrix_copy(x, (agni_lapack_matrix){v.p, v.cs, v.rs}, q->k, n, z);
    bool good = agni_all_finite(q->dtype, x, n * q->k);
    for (int64_t j = 0; j < n; j++) {
        memset(room + j * n * z, 0, (size_t)(j * z));
        good = good && agni_all_finite(q->dtype, room + (j * n + j) * z, n - j);
        for (int64_t r = j; r < n && q->upper && agni_kind(q->dtype) == AGNI_KIND_COMPLEX; r++)
            agni_number_set(q->dtype, room, j * n + r,
                            conj(agni_number_get(q->dtype, room, j * n + r)));
    }
    if (!good)
        return AGNI_NOT_FINITE;
    for (int64_t c = 0; c < q->k; c++) {
        int64_t code = update_by_column(q, room, x + c * n * z);
        if (code)
            return code;
    }
    for (int64_t j = 0; j < n * n && q->upper && agni_kind(q->dtype) == AGNI_KIND_COMPLEX; j++)
        agni_number_set(q->dtype, room, j, conj(agni_number_get(q->dtype, room, j)));
    agni_matrix_copy((char *)y->data + i * n * n * z,
                     (agni_lapack_matrix){room, q->upper ? n : 1, q->upper ? 1 : n}, n, n, z);
    return 0;
}

agn_status agni_cpu_cholesky_update(const agn_kernel_call *c)
{
    const agn_array *y = c->out, *x = c->in + 1;
    update_job q = {.c = c,
                    .dtype = y->dtype,
                    .n = y->shape[y->ndim - 1],
                    .k = x->shape[x->ndim - 1],
                    .bytes = agni_dtypes[y->dtype].bytes,
                    .upper = c->ints[0],
                    .down = c->ints[1]};
    int64_t batch = agni_batch_count(y, 2), at = 0;
    if (!batch || !q.n)
        return AGN_OK;
    int64_t room = agni_room_of(q.n * q.n * q.bytes) + agni_room_of(q.n * q.k * q.bytes);
    int64_t order = (int64_t)cbrt((double)q.n * (double)q.n * (double)(q.k + 1));
    int64_t code = agni_each_with_room(batch, order, room, update_one, &q, &at);
    if (code == AGNI_NOT_FINITE)
        return agni_fail(AGN_EDOMAIN, "%s: matrix %lld of %lld is not finite", c->op, (long long)at,
                         (long long)batch);
    if (code > 0)
        return agni_fail(AGN_EDOMAIN,
                         "%s: matrix %lld of %lld is not positive definite: column %lld", c->op,
                         (long long)at, (long long)batch, (long long)code - 1);
    return code ? agni_lapack_failed(c, code, at, batch, room, "") : AGN_OK;
}
