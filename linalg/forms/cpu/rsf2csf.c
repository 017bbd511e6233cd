/* linalg/forms/cpu/rsf2csf.c - complex Schur's form from the real one: each block of order 2
   becomes triangular by a unitary matrix of order 2 (Golub & Van Loan 2013, 7.4.1). In double
   complex. */
#include "linalg/cpu/lapack_calls.h"

#include <string.h>

typedef double complex number;
enum { NOT_TRIANGULAR = 1 };

typedef struct complex_job {
    const agn_kernel_call *c;
    int64_t n;
} complex_job;

/* x := x u in columns j and j + 1 of its first rows, u = [p, -conj(q); q, conj(p)] */
static void turn_columns(number *x, int64_t n, int64_t rows, int64_t j, number p, number q)
{
    for (int64_t i = 0; i < rows; i++) {
        number *a = x + i * n + j, left = a[0], right = a[1];
        a[0] = left * p + right * q;
        a[1] = right * conj(p) - left * conj(q);
    }
}
/* x := u^H x in rows i and i + 1, from a column on */
static void turn_rows(number *x, int64_t n, int64_t from, int64_t i, number p, number q)
{
    for (int64_t j = from; j < n; j++) {
        number *a = x + i * n + j, *b = a + n, up = *a, low = *b;
        *a = conj(p) * up + conj(q) * low;
        *b = p * low - q * up;
    }
}

static int64_t make_complex(void *user, int64_t i, char *room)
{
    const complex_job *w = user;
    int64_t n = w->n, nn = n * n;
    number *t = (number *)(void *)room, *z = t + nn, *to[2] = {t, z};
    for (int k = 0; k < 2; k++) {
        const agn_array *x = w->c->in + k;
        agni_lapack_matrix a = agni_matrix_at(x, w->c->out, i);
        for (int64_t j = 0; j < nn; j++) {
            number v = agni_number_get(
                x->dtype, a.p + (j / n * a.rs + j % n * a.cs) * agni_dtypes[x->dtype].bytes, 0);
            if (!isfinite(creal(v)) || !isfinite(cimag(v)))
                return AGNI_NOT_FINITE;
            to[k][j] = v;
        }
    }
    for (int64_t j = 0; j < n; j++)
        for (int64_t r = j + 1; r < n; r++)
            if (t[r * n + j] != 0 && (r > j + 1 || (r + 1 < n && t[(r + 1) * n + r] != 0)))
                return NOT_TRIANGULAR;
    for (int64_t j = 0; j + 1 < n; j++) {
        number a = t[j * n + j], b = t[j * n + j + 1], c = t[(j + 1) * n + j],
               d = t[(j + 1) * n + j + 1];
        if (c == 0)
            continue;
        double most = fmax(fmax(cabs(a), cabs(d)), fmax(cabs(b), cabs(c)));
        int e; /* squares would leave the range: numbers near 1 instead */
        frexp(most, &e);
        a = agni_scale_parts(a, -e), b = agni_scale_parts(b, -e), c = agni_scale_parts(c, -e),
        d = agni_scale_parts(d, -e);
        number half = (a - d) / 2, root = csqrt(half * half + b * c), p = half + root, q = c;
        if (cabs(half - root) > cabs(p)) /* the vector (value - d, c), without cancellation */
            p = half - root;
        double size = hypot(cabs(p), cabs(q));
        p /= size;
        q /= size;
        turn_columns(t, n, j + 2, j, p, q);
        turn_rows(t, n, j, j, p, q);
        turn_columns(z, n, n, j, p, q);
        t[(j + 1) * n + j] = 0;
    }
    for (int k = 0; k < 2; k++)
        for (int64_t j = 0; j < nn; j++)
            agni_number_set(w->c->out->dtype, w->c->out[k].data, i * nn + j, to[k][j]);
    return 0;
}

agn_status agni_cpu_schur_complex(const agn_kernel_call *c)
{
    const agn_array *y = c->out;
    complex_job q = {.c = c, .n = y->shape[y->ndim - 1]};
    int64_t batch = agni_batch_count(y, 2), at = 0, room = 2 * q.n * q.n * (int64_t)sizeof(number);
    int64_t code = batch && q.n ? agni_each_with_room(batch, q.n, room, make_complex, &q, &at) : 0;
    if (code == AGNI_NOT_FINITE)
        return agni_refuse_not_finite(c, y, at);
    if (code == NOT_TRIANGULAR)
        return agni_fail(AGN_EDOMAIN, "%s: matrix %lld of %lld: t is not quasi-triangular", c->op,
                         (long long)at, (long long)batch);
    return code ? agni_lapack_failed(c, code, at, batch, room, "") : AGN_OK;
}
