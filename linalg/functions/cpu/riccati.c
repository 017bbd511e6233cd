/* linalg/functions/cpu/riccati.c - stabilising solutions of Riccati's equations, in double
   complex: the stable deflating subspace of the extended pencil of a, b, q and r, by its
   generalised Schur form (Van Dooren 1981; Arnold & Laub 1984), with states scaled by powers of 2;
   then Newton's steps. No inverse of r is formed. */
#include "linalg/functions/cpu/riccati.h"

#include <string.h>

typedef struct riccati_job {
    const agn_kernel_call *c;
    int dtype;
    int64_t n, k, work;
    bool discrete;
} riccati_job;

typedef double complex number;

static lapack_logical is_left(const number *a, const number *b)
{
    return creal(*a * conj(*b)) < 0;
}
static lapack_logical is_inside(const number *a, const number *b)
{
    return cabs(*a) < cabs(*b);
}

/* columns of continuous h = [a, 0, b; -q, -a^H, 0; 0, b^H, r], j = [1, 0, 0; 0, 1, 0; 0, 0, 0], or
   of discrete h = [a, 0, b; -q, 1, 0; 0, 0, r], j = [1, 0, 0; 0, a^H, 0; 0, -b^H, 0] */
static void write_pencil(const agni_riccati_system *s, number *h, number *j)
{
    int64_t n = s->n, k = s->k, m = 2 * n + k;
    memset(h, 0, (size_t)(m * m) * sizeof *h);
    memset(j, 0, (size_t)(m * m) * sizeof *j);
    number *up = s->discrete ? j : h;
    double sign = s->discrete ? 1 : -1;
    for (int64_t c = 0; c < n; c++) {
        for (int64_t r = 0; r < n; r++) {
            h[c * m + r] = s->a[c * n + r];
            h[c * m + n + r] = -s->q[c * n + r];
            up[(n + c) * m + n + r] = sign * conj(s->a[r * n + c]);
        }
        for (int64_t r = 0; r < k; r++)
            up[(n + c) * m + 2 * n + r] = -sign * conj(s->b[r * n + c]);
        j[c * m + c] = 1;
        (s->discrete ? h : j)[(n + c) * m + n + c] = 1;
    }
    for (int64_t c = 0; c < k; c++) {
        memcpy(h + (2 * n + c) * m, s->b + c * n, (size_t)n * sizeof *h);
        memcpy(h + (2 * n + c) * m + 2 * n, s->r + c * k, (size_t)k * sizeof *h);
    }
}

/* Powers of 2 for states and inputs: rows and columns of |h| + |j| get like norms (Parlett &
   Reinsch 1969), and states and their multipliers opposite powers */
static int64_t scale_pencil(const agni_riccati_system *s, number *h, number *j, double *sums,
                            double *by)
{
    int64_t n = s->n, m = 2 * n + s->k;
    lapack_int low, high;
    for (int64_t i = 0; i < m * m; i++)
        sums[i] = i % (m + 1) ? cabs(h[i]) + cabs(j[i]) : 0;
    if (LAPACKE_dgebal_work(LAPACK_COL_MAJOR, 'S', (lapack_int)m, sums, (lapack_int)m, &low, &high,
                            by))
        return AGNI_LAPACK_REFUSED;
    for (int64_t i = 0; i < m; i++) {
        double power = i < n       ? round((log2(by[n + i]) - log2(by[i])) / 2)
                       : i < 2 * n ? -log2(by[i - n])
                                   : -log2(by[i]);
        by[i] = exp2(isfinite(power) ? power : 0);
    }
    for (int64_t c = 0; c < m; c++)
        for (int64_t r = 0; r < m; r++) {
            h[c * m + r] *= by[r] / by[c];
            j[c * m + r] *= by[r] / by[c];
        }
    return 0;
}

/* x = u2 u1^-1 of a basis u of the stable subspace */
static int64_t find_subspace(const agni_riccati_system *s, char *room, int64_t lwork)
{
    int64_t n = s->n, k = s->k, m = 2 * n + k, mm = m * m;
    number *h = (number *)(void *)room, *j = h + mm, *v = j + mm, *u = v + 4 * n * n,
           *tau = u + n * n, *alpha = tau + k, *beta = alpha + 2 * n, *work = beta + 2 * n;
    double *by = (double *)(work + lwork), *reals = by + m;
    lapack_int *flags = (lapack_int *)(void *)(reals + 8 * 2 * n), first = 0, M = (lapack_int)m,
               N = (lapack_int)n, K = (lapack_int)k, W = (lapack_int)lwork;
    const int col = LAPACK_COL_MAJOR;
    write_pencil(s, h, j);
    int64_t failed = scale_pencil(s, h, j, (double *)v, by);
    if (failed)
        return failed;
    lapack_int code = 0;
    number *inputs = h + 2 * n * m;
    if (k) { /* rows that do not see the inputs: of the complement of their columns */
        code = LAPACKE_zgeqrf_work(col, M, K, inputs, M, tau, work, W);
        code = code
                   ? code
                   : LAPACKE_zunmqr_work(col, 'L', 'C', M, 2 * N, K, inputs, M, tau, h, M, work, W);
        code = code
                   ? code
                   : LAPACKE_zunmqr_work(col, 'L', 'C', M, 2 * N, K, inputs, M, tau, j, M, work, W);
    }
    number unused;
    code = code ? code
                : LAPACKE_zgges_work(col, 'N', 'V', 'S', s->discrete ? is_inside : is_left, 2 * N,
                                     h + k, M, j + k, M, &first, alpha, beta, &unused, 1, v, 2 * N,
                                     work, W, reals, flags);
    if (code < 0)
        return AGNI_LAPACK_REFUSED;
    if (code || first != N)
        return AGNI_NO_SOLUTION;
    for (int64_t c = 0; c < n; c++) /* u1^T x^T = u2^T */
        for (int64_t r = 0; r < n; r++) {
            u[r * n + c] = v[c * 2 * n + r];
            s->x[r * n + c] = v[c * 2 * n + n + r];
        }
    code = LAPACKE_zgesv_work(col, N, N, u, N, flags, s->x, N);
    if (code)
        return code < 0 ? AGNI_LAPACK_REFUSED : AGNI_NO_SOLUTION;
    for (int64_t c = 0; c < n; c++) /* scaled back, Hermitian */
        for (int64_t r = 0; r <= c; r++) {
            number x = (s->x[c * n + r] + conj(s->x[r * n + c])) / 2 * by[c] * by[r];
            s->x[c * n + r] = conj(x);
            s->x[r * n + c] = x;
        }
    return 0;
}

static int64_t subspace_room(const riccati_job *q)
{
    int64_t n = q->n, m = 2 * n + q->k, sums = m * m / 2 + 1,
            vectors = 5 * n * n > sums ? 5 * n * n : sums;
    return agni_room_of((2 * m * m + vectors + q->k + 4 * n + q->work) * 16 + (m + 16 * n) * 8 +
                        2 * n * (int64_t)sizeof(lapack_int)) +
           agni_overread_room(AGN_C128, m);
}

static int64_t solve_riccati(void *user, int64_t i, char *room)
{
    const riccati_job *q = user;
    int64_t n = q->n, k = q->k, rows[4] = {n, n, n, k}, cols[4] = {n, k, n, k};
    number *in[4] = {(number *)(void *)room, NULL, NULL, NULL};
    for (int p = 0; p < 3; p++)
        in[p + 1] = in[p] + rows[p] * cols[p];
    number *x = in[3] + k * k;
    int64_t most = n > k ? n : k;
    char *copy = (char *)(x + n * n), *rest = copy + most * most * 16;
    for (int p = 0; p < 4; p++) {
        if (!agni_matrix_copy_finite(copy, agni_matrix_at(q->c->in + p, q->c->out, i), rows[p],
                                     cols[p], q->dtype))
            return AGNI_NOT_FINITE;
        for (int64_t j = 0; j < rows[p] * cols[p]; j++)
            in[p][j % cols[p] * rows[p] + j / cols[p]] = agni_number_get(q->dtype, copy, j);
    }
    /* the numbers count as they are given: those of f32 are exact in double */
    agni_riccati_system s = {n, k, q->discrete, 0x1p-52, in[0], in[1], in[2], in[3], x};
    if (!q->discrete && !agni_riccati_weight_is_regular(&s, rest))
        return AGNI_SINGULAR_WEIGHT;
    int64_t code = find_subspace(&s, rest, q->work);
    code = code ? code : agni_refine_riccati(&s, rest, q->work);
    char *to = (char *)q->c->out->data + i * n * n * agni_dtypes[q->dtype].bytes;
    for (int64_t j = 0; j < n * n && !code; j++)
        agni_number_set(q->dtype, to, j, x[j % n * n + j / n]);
    return code;
}

agn_status agni_cpu_riccati(const agn_kernel_call *c)
{
    const agn_array *y = c->out, *b = c->in + 1;
    riccati_job q = {.c = c,
                     .dtype = y->dtype,
                     .n = y->shape[y->ndim - 1],
                     .k = b->shape[b->ndim - 1],
                     .discrete = c->ints[0]};
    int64_t batch = agni_batch_count(y, 2), at = 0, m = 2 * q.n, k = q.k, most = q.n > k ? q.n : k;
    if (!batch || !q.n)
        return AGN_OK;
    number none = 0, asked = 0;
    lapack_int first = 0, M = (lapack_int)m, all = (lapack_int)(m + k), K = (lapack_int)k;
    const int col = LAPACK_COL_MAJOR;
    if (LAPACKE_zgges_work(col, 'N', 'V', 'S', is_left, M, &none, all, &none, all, &first, &none,
                           &none, &none, 1, &none, M, &asked, -1, (double *)&none, &first))
        return agni_lapack_failed(c, AGNI_LAPACK_REFUSED, 0, batch, 0, "");
    q.work = agni_lapack_asked(AGN_C128, &asked);
    for (int query = 0; query < 2 && k; query++) {
        if (query ? LAPACKE_zunmqr_work(col, 'L', 'C', all, M, K, &none, all, &none, &none, all,
                                        &asked, -1)
                  : LAPACKE_zgeqrf_work(col, all, K, &none, all, &none, &asked, -1))
            return agni_lapack_failed(c, AGNI_LAPACK_REFUSED, 0, batch, 0, "");
        int64_t more = agni_lapack_asked(AGN_C128, &asked);
        q.work = more > q.work ? more : q.work;
    }
    int64_t one = subspace_room(&q), two = agni_refine_riccati_room(q.n, k, q.work);
    int64_t room = (3 * q.n * q.n + q.n * k + k * k + most * most) * 16 + (one > two ? one : two);
    int64_t code = agni_each_with_room(batch, m, room, solve_riccati, &q, &at);
    if (code == AGNI_NOT_FINITE)
        return agni_fail(AGN_EDOMAIN, "%s: matrix %lld of %lld is not finite", c->op, (long long)at,
                         (long long)batch);
    if (code == AGNI_SINGULAR_WEIGHT)
        return agni_fail(AGN_EDOMAIN, "%s: matrix %lld of %lld: %s is singular up to rounding",
                         c->op, (long long)at, (long long)batch, q.discrete ? "r + b^H x b" : "r");
    if (code == AGNI_NO_SOLUTION)
        return agni_fail(
            AGN_EDOMAIN,
            "%s: matrix %lld of %lld has no stabilising solution up to rounding: it is not stabilisable, or "
            "the closed loop has a value on the boundary",
            c->op, (long long)at, (long long)batch);
    return code ? agni_lapack_failed(c, code, at, batch, room, "eigenvalues") : AGN_OK;
}
