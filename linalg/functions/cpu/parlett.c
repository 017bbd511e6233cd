/* linalg/functions/cpu/parlett.c - functions of matrices by Schur and Parlett (Davies & Higham
   2003): the Schur form is reordered so that near values stand together, blocks of those are Taylor
   series about their mean, and the other blocks follow from f(t) t = t f(t). In double complex
   throughout. */
#include "linalg/cpu/lapack_calls.h"

#include <string.h>

enum { DIVERGES = -4, SHARED_VALUE = -5 };

/* values nearer than this are of one block */
static const double NEAR = 0.1;

typedef struct parlett_job {
    const agn_kernel_call *c;
    int dtype;
    int64_t n, terms, bytes, work;
} parlett_job;

static void read_columns(const parlett_job *q, double complex *to, int k, int64_t i)
{
    int64_t n = q->n;
    agni_lapack_matrix a = agni_matrix_at(q->c->in + k, q->c->out, i);
    for (int64_t j = 0; j < n; j++)
        for (int64_t r = 0; r < n; r++)
            to[j * n + r] = agni_number_get(q->dtype, a.p + (r * a.rs + j * a.cs) * q->bytes, 0);
}
static void write_rows(const parlett_job *q, int k, int64_t i, const double complex *from)
{
    int64_t n = q->n;
    char *to = (char *)q->c->out[k].data + i * n * n * q->bytes;
    for (int64_t r = 0; r < n; r++)
        for (int64_t j = 0; j < n; j++)
            agni_number_set(q->dtype, to, r * n + j, from[j * n + r]);
}

/* ---- the ordered form ------------------------------------------------------------------------ */

/* block[i]: the number of the cluster of value i, members being linked by steps shorter than NEAR;
   how many there are */
static int64_t find_clusters(const double complex *t, int64_t n, int64_t *block)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++)
        block[i] = -1;
    for (int64_t i = 0; i < n; i++) {
        if (block[i] >= 0)
            continue;
        block[i] = count;
        bool grew = true;
        while (grew) {
            grew = false;
            for (int64_t a = 0; a < n; a++)
                for (int64_t b = 0; block[a] == count && b < n; b++)
                    if (block[b] < 0 && cabs(t[a * (n + 1)] - t[b * (n + 1)]) <= NEAR) {
                        block[b] = count;
                        grew = true;
                    }
        }
        count++;
    }
    return count;
}

static int64_t find_spectrum(void *user, int64_t i, char *room)
{
    const parlett_job *q = user;
    int64_t n = q->n, nn = n * n;
    double complex *t = (double complex *)(void *)room, *v = t + nn, *w = v + nn, *spare = w + n,
                   *work = spare + 2 * n;
    int64_t *block = (int64_t *)(void *)(work + q->work), *start = block + n;
    read_columns(q, t, 0, i);
    if (!agni_all_finite(AGN_C128, t, nn))
        return AGNI_NOT_FINITE;
    lapack_int code = agni_run_gees(AGN_C128, n, t, v, w, (char *)spare, work, q->work),
               N = (lapack_int)n;
    if (code)
        return code < 0 ? AGNI_LAPACK_REFUSED : code;
    int64_t count = find_clusters(t, n, block), to = 0;
    for (int64_t k = 0; k < count; k++) {
        start[k] = to;
        for (int64_t from = to; from < n; from++)
            if (block[from] == k) {
                if (LAPACKE_ztrexc_work(LAPACK_COL_MAJOR, 'V', N, t, N, v, N, (lapack_int)from + 1,
                                        (lapack_int)to + 1))
                    return AGNI_LAPACK_REFUSED;
                memmove(block + to + 1, block + to, (size_t)(from - to) * sizeof *block);
                block[to++] = k;
            }
    }
    for (int64_t k = 0; k < count; k++) {
        int64_t end = k + 1 < count ? start[k + 1] : n;
        double complex mean = 0;
        for (int64_t j = start[k]; j < end; j++)
            mean += t[j * (n + 1)] / (double)(end - start[k]);
        for (int64_t j = start[k]; j < end; j++)
            agni_number_set(q->dtype, q->c->out[2].data, i * n + j, mean);
    }
    for (int64_t j = 0; j < n; j++)
        memset(t + j * n + j + 1, 0, (size_t)(n - 1 - j) * sizeof *t);
    write_rows(q, 0, i, t);
    write_rows(q, 1, i, v);
    return 0;
}

agn_status agni_cpu_spectrum(const agn_kernel_call *c)
{
    const agn_array *y = c->out;
    parlett_job q = {.c = c,
                     .dtype = y->dtype,
                     .n = y->shape[y->ndim - 1],
                     .bytes = agni_dtypes[y->dtype].bytes};
    int64_t batch = agni_batch_count(y, 2), at = 0;
    if (!batch || !q.n)
        return AGN_OK;
    if ((q.work = agni_ask_gees(AGN_C128, q.n)) < 0)
        return agni_lapack_failed(c, AGNI_LAPACK_REFUSED, 0, batch, 0, "");
    int64_t room = (2 * q.n * q.n + 3 * q.n + q.work) * 16 + 2 * q.n * 8;
    int64_t code = agni_each_with_room(batch, q.n, room, find_spectrum, &q, &at);
    return agni_end_batch(c, y, code, at, batch, room, "eigenvalues");
}

/* ---- f of the form -------------------------------------------------------------------------- */

static double size_of(const double complex *a, int64_t lead, int64_t m, int64_t n)
{
    double most = 0;
    for (int64_t j = 0; j < n; j++) {
        double sum = 0;
        for (int64_t i = 0; i < m; i++)
            sum += cabs(a[j * lead + i]);
        most = sum > most || sum != sum ? sum : most;
    }
    return most;
}

/* The sum of c_k (t - centre)^k over a block of order m whose first entry is t, in f. What is left
   behind the last term is taken to be as large as the larger of the last two: it must be rounding,
   or the powers must have ended. */
static int64_t sum_series(const double complex *t, double complex *f, int64_t n, int64_t m,
                          double complex centre, const double complex *c, int64_t terms,
                          double complex *room)
{
    double complex *d = room, *power = d + m * m, *next = power + m * m;
    double last = 0, before = 0, eps = 0x1p-52;
    for (int64_t j = 0; j < m; j++)
        for (int64_t i = 0; i < m; i++) {
            d[j * m + i] = i > j ? 0 : t[j * n + i] - (i == j ? centre : 0);
            power[j * m + i] = d[j * m + i];
            f[j * n + i] = i == j ? c[0] : 0;
        }
    double total = cabs(c[0]);
    for (int64_t k = 1; k < terms; k++) {
        double length = size_of(power, m, m, m);
        if (length == 0)
            return 0;
        before = last;
        last = cabs(c[k]) * length;
        total = fmax(total, last);
        for (int64_t j = 0; j < m; j++)
            for (int64_t i = 0; i <= j; i++)
                f[j * n + i] += c[k] * power[j * m + i];
        if (k >= m && last <= eps * total && before <= eps * total)
            return 0;
        agni_multiply_columns(AGN_C128, CblasNoTrans, CblasNoTrans, m, m, m, power, d, next);
        memcpy(power, next, (size_t)(m * m) * sizeof *power);
    }
    double least = (double)terms * eps * total;
    return terms == 1 && m == 1 ? 0 : last <= least && before <= least ? 0 : DIVERGES;
}

static void subtract_product(const double complex *a, const double complex *b, double complex *c,
                             int64_t n, int64_t m, int64_t k, int64_t cols, double sign)
{
    const double complex by = sign, one = 1;
    cblas_zgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, (int)m, (int)cols, (int)k, &by, a,
                (int)n, b, (int)n, &one, c, (int)n);
}

static int64_t find_function(void *user, int64_t at, char *room)
{
    const parlett_job *q = user;
    int64_t n = q->n, nn = n * n, count = 0, k = q->terms;
    double complex *t = (double complex *)(void *)room, *f = t + nn, *spare = f + nn,
                   *centre = spare + 3 * nn, *c = centre + n;
    int64_t *start = (int64_t *)(void *)(c + n * k);
    read_columns(q, t, 0, at);
    agni_lapack_matrix series = agni_matrix_at(q->c->in + 2, q->c->out, at);
    const char *means = agni_vector_at(q->c->in + 1, q->c->out, at);
    int64_t stride = q->c->in[1].stride[q->c->in[1].ndim - 1];
    for (int64_t i = 0; i < n; i++) {
        centre[i] = agni_number_get(q->dtype, means + i * stride * q->bytes, 0);
        for (int64_t j = 0; j < k; j++)
            c[i * k + j] = agni_number_get(
                q->dtype, series.p + (i * series.rs + j * series.cs) * q->bytes, 0);
        if (!i || centre[i] != centre[i - 1])
            start[count++] = i;
    }
    start[count] = n;
    memset(f, 0, (size_t)nn * sizeof *f);
    const lapack_int N = (lapack_int)n;
    for (int64_t j = 0; j < count; j++) {
        int64_t b = start[j], m = start[j + 1] - b;
        int64_t code = sum_series(t + b * (n + 1), f + b * (n + 1), n, m, centre[b], c + b * k, k,
                                  spare);
        if (code)
            return code;
        for (int64_t i = j - 1; i >= 0; i--) { /* t_ii x - x t_jj = what the others give */
            int64_t a = start[i], l = start[i + 1] - a;
            double complex *x = f + b * n + a;
            subtract_product(f + a * (n + 1), t + b * n + a, x, n, l, l, m, 1);
            subtract_product(t + b * n + a, f + b * (n + 1), x, n, l, m, m, -1);
            for (int64_t h = i + 1; h < j; h++) {
                int64_t g = start[h], w = start[h + 1] - g;
                subtract_product(f + g * n + a, t + b * n + g, x, n, l, w, m, 1);
                subtract_product(t + g * n + a, f + b * n + g, x, n, l, w, m, -1);
            }
            double scale = 1;
            lapack_int bad = LAPACKE_ztrsyl_work(LAPACK_COL_MAJOR, 'N', 'N', -1, (lapack_int)l,
                                                 (lapack_int)m, t + a * (n + 1), N, t + b * (n + 1),
                                                 N, x, N, &scale);
            if (bad)
                return bad < 0 ? AGNI_LAPACK_REFUSED : SHARED_VALUE;
            for (int64_t s = 0; scale != 1 && s < l * m; s++)
                x[s / l * n + s % l] /= scale;
        }
    }
    write_rows(q, 0, at, f);
    return 0;
}

agn_status agni_cpu_parlett(const agn_kernel_call *c)
{
    const agn_array *y = c->out;
    parlett_job q = {.c = c,
                     .dtype = y->dtype,
                     .n = y->shape[y->ndim - 1],
                     .bytes = agni_dtypes[y->dtype].bytes,
                     .terms = c->in[2].shape[c->in[2].ndim - 1]};
    int64_t batch = agni_batch_count(y, 2), at = 0;
    if (!batch || !q.n)
        return AGN_OK;
    int64_t room = (5 * q.n * q.n + q.n + q.n * q.terms) * 16 + (q.n + 1) * 8;
    int64_t code = agni_each_with_room(batch, q.n, room, find_function, &q, &at);
    if (code == DIVERGES)
        return agni_fail(
            AGN_ENOCONV,
            "%s: matrix %lld of %lld: the Taylor series of the function about a cluster of eigenvalues does not "
            "converge in %lld terms: a singularity is near",
            c->op, (long long)at, (long long)batch, (long long)q.terms);
    if (code == SHARED_VALUE)
        return agni_fail(AGN_ENOCONV,
                         "%s: matrix %lld of %lld: blocks share an eigenvalue up to rounding",
                         c->op, (long long)at, (long long)batch);
    return code ? agni_lapack_failed(c, code, at, batch, room, "") : AGN_OK;
}
