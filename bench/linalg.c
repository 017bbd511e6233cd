/* bench/linalg.c - dense linear algebra: one matrix, and batches of small ones. Inputs as the ids
   `linalg/` of other libraries: G is quasi-random in [-1, 1], well = G / sqrt(n) + 2, spd = G G^H
   / n + 1, sym = (G + G^T) / 2. */
#include "linalg.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_OUT = 3 };
typedef enum check_of { SUM, SPECTRUM, EXTREMES, TRIANGLE, SIGNS } check_of;

typedef struct linalg_work {
    const char *what;
    matrix_kind kind;
    int64_t right; /* columns of a right-hand side: 0 none, -1 n */
    bool batched, single, other; /* other: in f32 of order 1000 and c128 of order 500 too */
    int64_t most;                /* largest order of a single matrix */
    int n_out;
    check_of check;
    agn_status (*run)(agn_tensor **y, const agn_tensor *const *x);
} linalg_work;

#define RUN(NAME, ...) \
    static agn_status run_##NAME(agn_tensor **y, const agn_tensor *const *x) \
    { \
        return agn_linalg_##__VA_ARGS__; \
    }
RUN(cholesky, cholesky(y, x[0], false))
RUN(solve, solve(y, x[0], x[1]))
RUN(inv, inv(y, x[0]))
RUN(slogdet, slogdet(y, y + 1, x[0]))
RUN(eigh, eigh(y, y + 1, x[0], false))
RUN(eig, eig(y, y + 1, x[0]))
RUN(svd, svd(y, y + 1, y + 2, x[0], false))
RUN(svdvals, svdvals(y, x[0]))
RUN(qr, qr(y, y + 1, x[0], false))
RUN(lstsq, lstsq(y, x[0], x[1]))
RUN(expm, matrix_exp(y, x[0]))
RUN(pinv, pinv(y, x[0], -1))
RUN(power, matrix_power(y, x[0], 13))
RUN(triangular, triangular_solve(y, x[0], x[1], false))
RUN(tridiagonal, solve_tridiagonal(y, x[0], x[1], x[2], x[3]))
RUN(band2, solve_banded(y, x[0], x[1], 2, 2))
RUN(band20, solve_banded(y, x[0], x[1], 20, 20))
RUN(toeplitz, solve_toeplitz(y, x[0], x[1], x[2]))
RUN(circulant, solve_circulant(y, x[0], x[1]))

static const linalg_work works[] = {
    {"cholesky", SPD, 0, true, true, true, 1000, 1, SUM, run_cholesky},
    {"solve", WELL, 1, true, false, false, 0, 1, SUM, run_solve},
    {"solve-rhs1", WELL, 1, false, true, true, 1000, 1, SUM, run_solve},
    {"solve-rhsn", WELL, -1, false, true, true, 1000, 1, SUM, run_solve},
    {"inv", WELL, 0, true, true, true, 1000, 1, SUM, run_inv},
    {"slogdet", WELL, 0, true, true, false, 1000, 2, SIGNS, run_slogdet},
    {"eigh", SYM, 0, true, true, false, 1000, 2, SPECTRUM, run_eigh},
    {"eig", PLAIN, 0, false, true, false, 500, 2, SPECTRUM, run_eig},
    {"svd", WELL, 0, true, false, false, 0, 3, EXTREMES, run_svd},
    {"svd", PLAIN, 0, false, true, false, 500, 3, EXTREMES, run_svd},
    {"svdvals", PLAIN, 0, true, true, false, 1000, 1, EXTREMES, run_svdvals},
    {"qr", PLAIN, 0, true, true, false, 1000, 2, TRIANGLE, run_qr},
};

/* frac((u u) 12345.678) in [-1, 1] for u of the golden ratio, each product rounded by itself */
static double mixed(int64_t i, int salt)
{
    double whole;
    volatile double step = (double)(i + 1 + 101 * salt) * 0.6180339887498949;
    volatile double u = modf(step, &whole);
    volatile double square = u * u;
    volatile double spread = square * 12345.678;
    return -1 + 2 * modf(spread, &whole);
}

static double *array_of(int64_t n)
{
    double *v = malloc((size_t)n * sizeof *v);
    if (!v)
        bench_die("memory");
    return v;
}

/* g g^H / n + 1, parts of complex numbers beside each other */
static void make_positive(double *a, const double *g, int64_t n, int parts)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            const double *x = g + i * n * parts, *y = g + j * n * parts;
            double sum[2] = {0};
            for (int64_t k = 0; k < n * parts; k++)
                sum[0] += x[k] * y[k];
            for (int64_t k = 0; parts == 2 && k < 2 * n; k += 2)
                sum[1] += x[k + 1] * y[k] - x[k] * y[k + 1];
            for (int p = 0; p < parts; p++)
                a[(i * n + j) * parts + p] = sum[p] / (double)n + (i == j && !p);
        }
}

static void make_matrix(double *a, matrix_kind kind, int64_t at, int64_t n, int64_t m, int parts,
                        int salt)
{
    double *g = array_of(n * m * parts);
    for (int64_t i = 0; i < n * m * parts; i++)
        a[i] = g[i] = mixed(at + i / parts, salt + (int)(i % parts));
    for (int64_t i = 0; i < n * m && kind > PLAIN && kind != SPD && kind != SYM; i++)
        for (int p = 0; p < parts; p++)
            a[i * parts + p] = kind == LOWER && i % m > i / m ? 0
                               : kind == THIN                 ? g[i * parts + p] / sqrt((double)n)
                                                              : g[i * parts + p] / sqrt((double)n) +
                                                    2 * (i % m == i / m && !p);
    if (kind == SPD)
        make_positive(a, g, n, parts);
    for (int64_t i = 0; i < n && kind == SYM; i++)
        for (int64_t j = 0; j < n; j++)
            a[i * n + j] = (g[i * n + j] + g[j * n + i]) / 2;
    free(g);
}

agn_tensor *bench_matrices(matrix_kind kind, agn_dtype dtype, int64_t batch, int64_t n, int64_t m,
                           int salt)
{
    const int parts = dtype == AGN_C128 ? 2 : 1;
    const int64_t shape[] = {batch, n, m};
    double *v = array_of(batch * n * m * parts);
    for (int64_t b = 0; b < batch; b++)
        make_matrix(v + b * n * m * parts, kind, b * n * m, n, m, parts, salt);
    if (parts == 1)
        return bench_tensor_of(v, dtype, batch == 1 ? 2 : 3, batch == 1 ? shape + 1 : shape);
    agn_tensor *x = NULL;
    TRY(agn_from_host(&x, AGN_C128, batch == 1 ? 2 : 3, batch == 1 ? shape + 1 : shape, v));
    free(v);
    return x;
}

agn_tensor *bench_mixed(int64_t n, double lo, double hi, int salt)
{
    double *v = array_of(n);
    for (int64_t i = 0; i < n; i++)
        v[i] = lo + (hi - lo) * (mixed(i, salt) + 1) / 2;
    return bench_tensor_of(v, AGN_F64, 1, &n);
}

typedef struct running {
    const linalg_work *w;
    agn_tensor *in[4];
} running;

static void call(void *user)
{
    const running *q = user;
    agn_tensor *y[MOST_OUT] = {NULL};
    TRY(q->w->run(y, (const agn_tensor *const *)q->in));
    for (int i = 0; i < q->w->n_out; i++)
        agn_release(y[i]);
}

double bench_sum_abs(const agn_tensor *x)
{
    agn_tensor *a = NULL, *y = NULL;
    TRY(agn_abs(&a, x));
    y = bench_f64(a);
    const double *v = agn_data(y);
    double sum = 0;
    for (int64_t i = 0; i < agn_numel(y); i++)
        sum += v[i];
    agn_release(y);
    agn_release(a);
    return sum;
}

static int check(void *user, double *value)
{
    const running *q = user;
    agn_tensor *y[MOST_OUT] = {NULL}, *m = NULL, *v = NULL;
    const check_of how = q->w->check;
    int count = 2;
    TRY(q->w->run(y, (const agn_tensor *const *)q->in));
    value[0] = bench_sum_abs(y[how == TRIANGLE || (how == EXTREMES && q->w->n_out == 3)]);
    if (how == TRIANGLE) {
        TRY(agn_diagonal(&m, y[1], 0, -2, -1));
        value[1] = bench_sum_abs(m);
    } else if (how == SIGNS) {
        for (int i = 0; i < 2; i++) {
            agn_tensor *s = NULL;
            TRY(agn_sum_all(&s, y[i]));
            TRY(agn_item_f64(value + i, s));
            agn_release(s);
        }
    } else if (how == SUM)
        count = 1;
    else {
        TRY(agn_abs(&m, y[how == EXTREMES && q->w->n_out == 3]));
        v = bench_f64(m);
        const double *p = agn_data(v);
        value[1] = value[2] = p[0];
        for (int64_t i = 1; i < agn_numel(v); i++) {
            value[1] = fmax(value[1], p[i]);
            value[2] = fmin(value[2], p[i]);
        }
        count = how == EXTREMES && agn_ndim(v) == 1 ? 3 : 2;
    }
    agn_release(v);
    agn_release(m);
    for (int i = 0; i < q->w->n_out; i++)
        agn_release(y[i]);
    return count;
}

static void measure(const linalg_work *w, const char *id, agn_dtype dtype, int64_t batch, int64_t n)
{
    running q = {w, {NULL}};
    if (!bench_asked(id))
        return;
    q.in[0] = bench_matrices(dtype == AGN_C128 && w->kind == SYM ? SPD : w->kind, dtype, batch, n,
                             n, 0);
    if (w->right)
        q.in[1] = bench_matrices(PLAIN, dtype, batch, n, w->right > 0 ? w->right : n, 5);
    bench_measure(id, &(bench_work){call, check, &q, 0});
    agn_release(q.in[0]);
    agn_release(q.in[1]);
}

/* one work with arguments of its own, which it takes */
static void measure_with(const char *id,
                         agn_status (*run)(agn_tensor **, const agn_tensor *const *), check_of how,
                         int n_out, agn_tensor *a, agn_tensor *b, agn_tensor *c, agn_tensor *d)
{
    linalg_work w = {.what = id, .n_out = n_out, .check = how, .run = run};
    running q = {&w, {a, b, c, d}};
    bench_measure(id, &(bench_work){call, check, &q, 0});
    for (int i = 0; i < 4; i++)
        agn_release(q.in[i]);
}

static void bench_shapes(void)
{
    static const agn_dtype f64 = AGN_F64;
#define ASK(id, ...) \
    if (bench_asked(id)) \
    measure_with(id, __VA_ARGS__)
    ASK("linalg/qr/2000x200/f64", run_qr, TRIANGLE, 2, bench_matrices(PLAIN, f64, 1, 2000, 200, 0),
        NULL, NULL, NULL);
    ASK("linalg/lstsq/2000x200/f64", run_lstsq, SUM, 1, bench_matrices(PLAIN, f64, 1, 2000, 200, 0),
        bench_matrices(PLAIN, f64, 1, 2000, 1, 5), NULL, NULL);
    ASK("linalg/expm/10/f64", run_expm, SUM, 1, bench_matrices(THIN, f64, 1, 10, 10, 0), NULL, NULL,
        NULL);
    ASK("linalg/expm/200/f64", run_expm, SUM, 1, bench_matrices(THIN, f64, 1, 200, 200, 0), NULL,
        NULL, NULL);
    ASK("linalg/pinv/1000x200/f64", run_pinv, SUM, 1, bench_matrices(PLAIN, f64, 1, 1000, 200, 0),
        NULL, NULL, NULL);
    ASK("linalg/matrix-power13/500/f64", run_power, SUM, 1,
        bench_matrices(THIN, f64, 1, 500, 500, 0), NULL, NULL, NULL);
    ASK("linalg/triangular-solve-rhs1/1000/f64", run_triangular, SUM, 1,
        bench_matrices(LOWER, f64, 1, 1000, 1000, 0), bench_matrices(PLAIN, f64, 1, 1000, 1, 5),
        NULL, NULL);
    ASK("linalg/triangular-solve-rhsn/1000/f64", run_triangular, SUM, 1,
        bench_matrices(LOWER, f64, 1, 1000, 1000, 0), bench_matrices(PLAIN, f64, 1, 1000, 1000, 5),
        NULL, NULL);
}

/* diagonals are in [-1, 1] below and above, and their number more on the diagonal */
static agn_tensor *band(int64_t n, int64_t each)
{
    double *v = array_of((2 * each + 1) * n);
    for (int64_t k = 0; k < (2 * each + 1) * n; k++)
        v[k] = mixed(k, 0) + (k / n == each ? (double)(2 * each + 1) : 0);
    return bench_tensor_of(v, AGN_F64, 2, (const int64_t[]){2 * each + 1, n});
}

static agn_tensor *falling(int64_t n, int salt)
{
    double *v = array_of(n);
    for (int64_t k = 0; k < n; k++)
        v[k] = k ? mixed(k, salt) / (double)(k * k) : 4;
    return bench_tensor_of(v, AGN_F64, 1, &n);
}

static void bench_structured(void)
{
    static const int64_t orders[] = {10, 100, 1000, 100000};
    for (int k = 0; k < 4; k++) {
        const int64_t n = orders[k];
        char id[96];
#define STRUCTURED(what, ...) \
    snprintf(id, sizeof id, "linalg/structured/" what "/%lld/f64", (long long)n); \
    ASK(id, __VA_ARGS__)
        STRUCTURED("tridiagonal", run_tridiagonal, SUM, 1, bench_mixed(n - 1, -1, 1, 1),
                   bench_mixed(n, 3, 4, 2), bench_mixed(n - 1, -1, 1, 3), bench_mixed(n, -1, 1, 5));
        STRUCTURED("banded2", run_band2, SUM, 1, band(n, 2), bench_mixed(n, -1, 1, 5), NULL, NULL);
        if (n > 10) {
            STRUCTURED("banded20", run_band20, SUM, 1, band(n, 20), bench_mixed(n, -1, 1, 5), NULL,
                       NULL);
        }
        STRUCTURED("circulant", run_circulant, SUM, 1, falling(n, 1), bench_mixed(n, -1, 1, 5),
                   NULL, NULL);
        if (n <= 1000) {
            STRUCTURED("toeplitz", run_toeplitz, SUM, 1, falling(n, 1), falling(n, 2),
                       bench_mixed(n, -1, 1, 5), NULL);
        }
    }
}

void bench_linalg(void)
{
    static const int64_t single[] = {10, 100, 500, 1000}, batch[][2] = {{10000, 4}, {1000, 32}};
    char id[96];
    for (size_t k = 0; k < sizeof works / sizeof *works; k++) {
        const linalg_work *w = works + k;
        for (int s = 0; s < 4 && w->single; s++) {
            snprintf(id, sizeof id, "linalg/%s/%d/f64", w->what, (int)single[s]);
            if (single[s] <= w->most)
                measure(w, id, AGN_F64, 1, single[s]);
        }
        if (w->other) {
            snprintf(id, sizeof id, "linalg/%s/1000/f32", w->what);
            measure(w, id, AGN_F32, 1, 1000);
            snprintf(id, sizeof id, "linalg/%s/500/c128", w->what);
            measure(w, id, AGN_C128, 1, 500);
        }
        for (int b = 0; b < 2 && w->batched; b++) {
            snprintf(id, sizeof id, "linalg/batched-%s/%dx%dx%d/f64", w->what, (int)batch[b][0],
                     (int)batch[b][1], (int)batch[b][1]);
            measure(w, id, AGN_F64, batch[b][0], batch[b][1]);
        }
    }
    bench_shapes();
    bench_structured();
    bench_linalg_gradients();
}
