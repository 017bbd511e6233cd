/* linalg/structured/cpu/pbtrf_tangent.c - tangents of Cholesky's method for bands (pbtrf), column
   by column, and cotangents, backwards (Smith 1995; Murray 2016). */
#include "linalg/cpu/lapack_calls.h"
#include "linalg/structured/bands.h"

#include <string.h>

#define AS_IT_IS(x) (x)

/* entry [j + d, j] at j w + d; 0 beyond the matrix. In place: da becomes dl */
#define FORWARD(name, T, CONJ, REAL) \
    static void name(int64_t n, int64_t w, const void *factor, void *numbers) \
    { \
        const T *l = factor; \
        T *x = numbers; \
        for (int64_t j = 0; j < n; j++) { \
            T *y = x + j * w; \
            const T *lj = l + j * w; \
            for (int64_t m = 1; m < w && m <= j; m++) { \
                const T *a = l + (j - m) * w + m, *b = x + (j - m) * w + m; \
                const T p = CONJ(a[0]), q = CONJ(b[0]); \
                for (int64_t d = 0; d < w - m; d++) \
                    y[d] -= b[d] * p + a[d] * q; \
            } \
            y[0] = REAL(y[0]) / (2 * REAL(lj[0])); \
            for (int64_t d = 1; d < w; d++) \
                y[d] = (y[d] - lj[d] * y[0]) / REAL(lj[0]); \
        } \
    }
/* the transpose of each step, from the last to the first: a cotangent of l becomes one of a */
#define BACKWARD(name, T, CONJ, REAL) \
    static void name(int64_t n, int64_t w, const void *factor, void *numbers) \
    { \
        const T *l = factor; \
        T *x = numbers; \
        for (int64_t j = n - 1; j >= 0; j--) { \
            T *y = x + j * w; \
            const T *lj = l + j * w; \
            for (int64_t d = 1; d < w; d++) { \
                y[d] /= REAL(lj[0]); \
                y[0] -= CONJ(lj[d]) * y[d]; \
            } \
            y[0] = REAL(y[0]) / (2 * REAL(lj[0])); \
            for (int64_t m = 1; m < w && m <= j; m++) { \
                const T *a = l + (j - m) * w + m; \
                T *b = x + (j - m) * w + m, sum = 0; \
                for (int64_t d = 0; d < w - m; d++) { \
                    sum += a[d] * CONJ(y[d]); \
                    b[d] -= y[d] * a[0]; \
                } \
                b[0] -= sum; \
            } \
        } \
    }
#define BOTH(t, T, CONJ, REAL) \
    FORWARD(forward_##t, T, CONJ, REAL) \
    BACKWARD(backward_##t, T, CONJ, REAL)
BOTH(f32, float, AS_IT_IS, AS_IT_IS)
BOTH(f64, double, AS_IT_IS, AS_IT_IS)
BOTH(c64, float complex, conjf, crealf)
BOTH(c128, double complex, conj, creal)

typedef struct tangent_job {
    const agn_kernel_call *c;
    const agn_array *y;
    int dtype;
    bool upper;
    int64_t w, n, bytes;
    void (*run)(int64_t n, int64_t w, const void *l, void *x);
} tangent_job;

/* place of entry [j + d, j] of the lower band in the memory of one that may be the upper one, whose
   entry is the conjugate */
static int64_t place_of(const tangent_job *q, int64_t j, int64_t d, int64_t rs, int64_t cs)
{
    return q->upper ? (q->w - 1 - d) * rs + (j + d) * cs : d * rs + j * cs;
}

static void read_columns(const tangent_job *q, agni_lapack_matrix a, char *to)
{
    const int64_t z = q->bytes;
    memset(to, 0, (size_t)(q->n * q->w * z));
    for (int64_t d = 0; d < q->w && d < q->n; d++) {
        const char *from = a.p + place_of(q, 0, d, a.rs, a.cs) * z;
        for (int64_t j = 0; j < q->n - d; j++)
            memcpy(to + (j * q->w + d) * z, from + j * a.cs * z, (size_t)z);
    }
    if (q->upper && agni_kind(q->dtype) == AGNI_KIND_COMPLEX)
        for (int64_t i = 0; i < q->n * q->w; i++)
            agni_number_set(q->dtype, to, i, conj(agni_number_get(q->dtype, to, i)));
}

static int64_t run_tangent(void *user, int64_t i, char *room)
{
    const tangent_job *q = user;
    const int64_t z = q->bytes, size = q->n * q->w;
    char *x = room + agni_room_of(size * z), *out = (char *)q->y->data + i * size * z;
    read_columns(q, agni_matrix_at(q->c->in, q->y, i), room);
    read_columns(q, agni_matrix_at(q->c->in + 1, q->y, i), x);
    q->run(q->n, q->w, room, x);
    memset(out, 0, (size_t)(size * z));
    for (int64_t d = 0; d < q->w && d < q->n; d++)
        for (int64_t j = 0; j < q->n - d; j++) {
            double complex v = agni_number_get(q->dtype, x, j * q->w + d);
            agni_number_set(q->dtype, out, place_of(q, j, d, q->n, 1), q->upper ? conj(v) : v);
        }
    return 0;
}

agn_status agni_cpu_band_tangent(const agn_kernel_call *c)
{
    static void (*const runs[][4])(int64_t, int64_t, const void *, void *) = {
        {forward_f32, forward_f64, forward_c64, forward_c128},
        {backward_f32, backward_f64, backward_c64, backward_c128}};
    const agn_array *y = c->out;
    tangent_job q = {.c = c,
                     .y = y,
                     .dtype = y->dtype,
                     .upper = c->ints[0],
                     .w = y->shape[y->ndim - 2],
                     .n = y->shape[y->ndim - 1],
                     .bytes = agni_dtypes[y->dtype].bytes};
    q.run = runs[c->ints[1]][AGNI_BY_FIELD(y->dtype, 0, 1, 2, 3)];
    int64_t batch = agni_batch_count(y, 2), at = 0;
    if (!batch || !q.n)
        return AGN_OK;
    const int64_t room = 2 * agni_room_of(q.n * q.w * q.bytes),
                  order = (int64_t)cbrt((double)q.n * (double)(q.w * q.w + 1));
    return agni_each_with_room(batch, order, room, run_tangent, &q, &at)
               ? agni_nomem(c->op, (size_t)room)
               : AGN_OK;
}
