/* linalg/functions/cpu/riccati.c - stabilising solutions of Riccati's equations, in double complex: the continuous one by the
   stable subspace of its Hamiltonian matrix (Laub 1979), the discrete one by doubling (Chu, Fan, Lin & Wang 2004). */
#include "linalg/cpu/lapack_calls.h"

#include <cblas.h>
#include <string.h>

enum { NO_SOLUTION = 1 };

typedef struct riccati_job {
    const agn_kernel_call *c;
    int dtype;
    int64_t n, work;
    bool discrete;
} riccati_job;

typedef double complex number;

/* c = op(a) op(b) */
static void multiply_square(enum CBLAS_TRANSPOSE ta, enum CBLAS_TRANSPOSE tb, int64_t n, const number *a, const number *b,
                            number *c)
{
    const number one = 1, none = 0;
    int N = (int)n;
    cblas_zgemm(CblasColMajor, ta, tb, N, N, N, &one, a, N, b, N, &none, c, N);
}
static double largest_entry(const number *a, int64_t n)
{
    double most = 0;
    for (int64_t i = 0; i < n; i++) {
        double v = cabs(a[i]);
        most = v > most || v != v ? v : most;
    }
    return most;
}

static lapack_logical is_stable(const double complex *w)
{
    return creal(*w) < 0;
}

/* x = u2 u1^-1 of the vectors of h = [a, -g; -q, -a^H] whose values lie on the left */
static int64_t solve_continuous(const riccati_job *q, const number *a, const number *g, const number *b, number *x,
                                number *room)
{
    int64_t n = q->n, m = 2 * n;
    number *h = room, *v = h + m * m, *u = v + m * m, *w = u + n * n, *rwork = w + m, *work = rwork + m;
    lapack_int *piv = (lapack_int *)(void *)(work + q->work), *flags = piv + n, first = 0, M = (lapack_int)m, N = (lapack_int)n;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            h[j * m + i] = a[j * n + i];
            h[(j + n) * m + i] = -g[j * n + i];
            h[j * m + i + n] = -b[j * n + i];
            h[(j + n) * m + i + n] = -conj(a[i * n + j]);
        }
    double norm = largest_entry(h, m * m);
    const int col = LAPACK_COL_MAJOR;
    lapack_int code = LAPACKE_zgees_work(col, 'V', 'S', is_stable, M, h, M, &first, w, v, M, work, (lapack_int)q->work,
                                         (double *)rwork, flags);
    if (code < 0)
        return AGNI_LAPACK_REFUSED;
    if (code || first != N)
        return NO_SOLUTION;
    for (int64_t i = 0; i < m; i++)
        if (fabs(creal(w[i])) <= 8 * (double)m * agni_eps_of(q->dtype) * norm)
            return NO_SOLUTION;
    /* u1^T x^T = u2^T */
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            u[i * n + j] = v[j * m + i];
            x[i * n + j] = v[j * m + i + n];
        }
    code = LAPACKE_zgesv_work(col, N, N, u, N, piv, x, N);
    if (code < 0)
        return AGNI_LAPACK_REFUSED;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < j; i++) { /* x^T here */
            number t = x[j * n + i];
            x[j * n + i] = x[i * n + j];
            x[i * n + j] = t;
        }
    return code ? NO_SOLUTION : 0;
}

/* w = (1 + g h)^-1: a' = a w a, g' = g + a w g a^H, h' = h + a^H h w a, until h stays */
static int64_t solve_discrete(const riccati_job *q, number *a, number *g, const number *b, number *h, number *room)
{
    enum { MOST = 60 };
    int64_t n = q->n, nn = n * n;
    number *w = room, *wa = w + nn, *wg = wa + nn, *t = wg + nn, *u = t + nn;
    lapack_int N = (lapack_int)n, *piv = (lapack_int *)(void *)(u + nn);
    memcpy(h, b, (size_t)nn * sizeof *h);
    for (int step = 0; step < MOST; step++) {
        multiply_square(CblasNoTrans, CblasNoTrans, n, g, h, w);
        for (int64_t i = 0; i < n; i++)
            w[i * (n + 1)] += 1;
        memcpy(wa, a, (size_t)nn * sizeof *a);
        memcpy(wg, g, (size_t)nn * sizeof *g);
        if (!isfinite(largest_entry(w, nn)))
            return NO_SOLUTION;
        lapack_int code = LAPACKE_zgetrf_work(LAPACK_COL_MAJOR, N, N, w, N, piv);
        if (code)
            return code < 0 ? AGNI_LAPACK_REFUSED : NO_SOLUTION;
        LAPACKE_zgetrs_work(LAPACK_COL_MAJOR, 'N', N, N, w, N, piv, wa, N);
        LAPACKE_zgetrs_work(LAPACK_COL_MAJOR, 'N', N, N, w, N, piv, wg, N);
        multiply_square(CblasNoTrans, CblasNoTrans, n, h, wa, t); /* h w a */
        multiply_square(CblasConjTrans, CblasNoTrans, n, a, t, u);
        double change = largest_entry(u, nn);
        for (int64_t i = 0; i < nn; i++)
            h[i] += u[i];
        double size = largest_entry(h, nn);
        multiply_square(CblasNoTrans, CblasNoTrans, n, a, wg, t);
        multiply_square(CblasNoTrans, CblasConjTrans, n, t, a, u);
        for (int64_t i = 0; i < nn; i++)
            g[i] += u[i];
        multiply_square(CblasNoTrans, CblasNoTrans, n, a, wa, t);
        memcpy(a, t, (size_t)nn * sizeof *a);
        if (!isfinite(size))
            return NO_SOLUTION;
        if (change <= 0x1p-53 * size) /* the powers of the closed loop vanish, or it was no stable one */
            return largest_entry(a, nn) < 0x1p-20 ? 0 : NO_SOLUTION;
    }
    return NO_SOLUTION;
}

static int64_t solve_riccati(void *user, int64_t i, char *room)
{
    const riccati_job *q = user;
    int64_t n = q->n, nn = n * n;
    number *in[3] = {(number *)(void *)room, NULL, NULL}, *x;
    in[1] = in[0] + nn;
    in[2] = in[1] + nn;
    x = in[2] + nn;
    char *to = (char *)q->c->out->data + i * nn * agni_dtypes[q->dtype].bytes;
    for (int k = 0; k < 3; k++) {
        if (!agni_matrix_copy_finite(to, agni_matrix_at(q->c->in + k, q->c->out, i), n, n, q->dtype))
            return AGNI_NOT_FINITE;
        for (int64_t j = 0; j < nn; j++)
            in[k][j % n * n + j / n] = agni_number_get(q->dtype, to, j);
    }
    int64_t code = q->discrete ? solve_discrete(q, in[0], in[1], in[2], x, x + nn)
                               : solve_continuous(q, in[0], in[1], in[2], x, x + nn);
    for (int64_t j = 0; j < nn && !code; j++) /* Hermitian */
        agni_number_set(q->dtype, to, j, (x[j % n * n + j / n] + conj(x[j / n * n + j % n])) / 2);
    return code;
}

agn_status agni_cpu_riccati(const agn_kernel_call *c)
{
    const agn_array *y = c->out;
    riccati_job q = {.c = c, .dtype = y->dtype, .n = y->shape[y->ndim - 1], .discrete = c->ints[0]};
    int64_t batch = agni_batch_count(y, 2), at = 0, m = 2 * q.n;
    if (!batch || !q.n)
        return AGN_OK;
    number none = 0, asked = 0;
    lapack_int first = 0;
    if (LAPACKE_zgees_work(LAPACK_COL_MAJOR, 'V', 'S', is_stable, (lapack_int)m, &none, (lapack_int)m, &first, &none, &none,
                           (lapack_int)m, &asked, -1, (double *)&none, &first))
        return agni_lapack_failed(c, AGNI_LAPACK_REFUSED, 0, batch, 0, "");
    q.work = agni_lapack_asked(AGN_C128, &asked);
    int64_t room = agni_overread_room(q.dtype, m) +
                   (4 * q.n * q.n + 2 * m * m + q.n * q.n + 2 * m + q.work) * 16 +
                   3 * q.n * (int64_t)sizeof(lapack_int);
    int64_t code = agni_each_with_room(batch, m, room, solve_riccati, &q, &at);
    if (code == AGNI_NOT_FINITE)
        return agni_fail(AGN_EDOMAIN, "%s: matrix %lld of %lld is not finite", c->op, (long long)at, (long long)batch);
    if (code == NO_SOLUTION)
        return agni_fail(AGN_EDOMAIN,
                         "%s: matrix %lld of %lld has no stabilising solution up to rounding: it is not stabilisable, or "
                         "the closed loop has a value on the boundary",
                         c->op, (long long)at, (long long)batch);
    return code ? agni_lapack_failed(c, code, at, batch, room, "eigenvalues") : AGN_OK;
}
