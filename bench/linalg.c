/* bench/linalg.c - dense linear algebra: one matrix, and batches of small ones. Inputs as the ids `linalg/` of
   other libraries: G is quasi-random in [-1, 1], well = G / sqrt(n) + 2, spd = G G^T / n + 1, sym = (G + G^T) / 2. */
#include "bench.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_OUT = 3 };
typedef enum shape_of { PLAIN, WELL, SPD, SYM } shape_of;

typedef struct linalg_work {
    const char *what;
    shape_of kind;
    int64_t right; /* columns of a right-hand side: 0 none, -1 n */
    bool batched, single;
    int64_t most; /* largest order of a single matrix */
    int n_out, n_check;
    agn_status (*run)(agn_tensor **y, const agn_tensor *const *x);
} linalg_work;

static agn_status run_cholesky(agn_tensor **y, const agn_tensor *const *x)
{
    return agn_linalg_cholesky(y, x[0], false);
}
static agn_status run_solve(agn_tensor **y, const agn_tensor *const *x)
{
    return agn_linalg_solve(y, x[0], x[1]);
}
static agn_status run_inv(agn_tensor **y, const agn_tensor *const *x)
{
    return agn_linalg_inv(y, x[0]);
}
static agn_status run_slogdet(agn_tensor **y, const agn_tensor *const *x)
{
    return agn_linalg_slogdet(y, y + 1, x[0]);
}
static agn_status run_eigh(agn_tensor **y, const agn_tensor *const *x)
{
    return agn_linalg_eigh(y, y + 1, x[0], false);
}
static agn_status run_svd(agn_tensor **y, const agn_tensor *const *x)
{
    return agn_linalg_svd(y, y + 1, y + 2, x[0], false);
}
static agn_status run_svdvals(agn_tensor **y, const agn_tensor *const *x)
{
    return agn_linalg_svdvals(y, x[0]);
}
static agn_status run_qr(agn_tensor **y, const agn_tensor *const *x)
{
    return agn_linalg_qr(y, y + 1, x[0], false);
}

static const linalg_work works[] = {
    {"cholesky", SPD, 0, true, true, 1000, 1, 0, run_cholesky},
    {"solve", WELL, 1, true, false, 0, 1, 0, run_solve},
    {"solve-rhs1", WELL, 1, false, true, 1000, 1, 0, run_solve},
    {"solve-rhsn", WELL, -1, false, true, 1000, 1, 0, run_solve},
    {"inv", WELL, 0, true, true, 1000, 1, 0, run_inv},
    {"slogdet", WELL, 0, true, true, 1000, 2, 1, run_slogdet},
    {"eigh", SYM, 0, true, true, 500, 2, 0, run_eigh},
    {"svd", WELL, 0, true, false, 0, 3, 1, run_svd},
    {"svd", PLAIN, 0, false, true, 500, 3, 1, run_svd},
    {"svdvals", PLAIN, 0, true, true, 500, 1, 0, run_svdvals},
    {"qr", PLAIN, 0, true, true, 1000, 2, 1, run_qr},
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

static agn_tensor *matrices(shape_of kind, int64_t batch, int64_t n, int64_t m, int salt)
{
    double *v = malloc((size_t)(batch * n * m) * sizeof *v), *g = malloc((size_t)(n * m) * sizeof *g);
    if (!v || !g)
        bench_die("memory");
    for (int64_t b = 0; b < batch; b++) {
        double *a = v + b * n * m;
        for (int64_t i = 0; i < n * m; i++)
            a[i] = g[i] = mixed(b * n * m + i, salt);
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n && kind != PLAIN; j++) {
                double sum = 0;
                for (int64_t k = 0; k < n && kind == SPD; k++)
                    sum += g[i * n + k] * g[j * n + k];
                a[i * n + j] = kind == SPD    ? sum / (double)n + (i == j)
                               : kind == WELL ? g[i * n + j] / sqrt((double)n) + 2 * (i == j)
                                              : (g[i * n + j] + g[j * n + i]) / 2;
            }
    }
    free(g);
    return batch == 1 ? bench_tensor_of(v, AGN_F64, 2, (const int64_t[]){n, m})
                      : bench_tensor_of(v, AGN_F64, 3, (const int64_t[]){batch, n, m});
}

typedef struct running {
    const linalg_work *w;
    agn_tensor *in[2];
} running;

static void call(void *user)
{
    const running *q = user;
    agn_tensor *y[MOST_OUT] = {NULL};
    TRY(q->w->run(y, (const agn_tensor *const *)q->in));
    for (int i = 0; i < q->w->n_out; i++)
        agn_release(y[i]);
}

static int check(void *user, double *value)
{
    const running *q = user;
    agn_tensor *y[MOST_OUT] = {NULL};
    TRY(q->w->run(y, (const agn_tensor *const *)q->in));
    bench_both(y[q->w->n_check], value);
    for (int i = 0; i < q->w->n_out; i++)
        agn_release(y[i]);
    return 1;
}

static void measure(const linalg_work *w, const char *id, int64_t batch, int64_t n)
{
    running q = {w, {NULL}};
    if (!bench_asked(id))
        return;
    q.in[0] = matrices(w->kind, batch, n, n, 0);
    if (w->right)
        q.in[1] = matrices(PLAIN, batch, n, w->right > 0 ? w->right : n, 5);
    bench_measure(id, &(bench_work){call, check, &q, 0});
    agn_release(q.in[0]);
    agn_release(q.in[1]);
}

void bench_linalg(void)
{
    static const int64_t single[] = {10, 100, 500, 1000}, batch[][2] = {{10000, 4}, {1000, 32}};
    for (size_t k = 0; k < sizeof works / sizeof *works; k++) {
        const linalg_work *w = works + k;
        char id[96];
        for (int s = 0; s < 4 && w->single; s++) {
            snprintf(id, sizeof id, "linalg/%s/%d/f64", w->what, (int)single[s]);
            if (single[s] <= w->most)
                measure(w, id, 1, single[s]);
        }
        for (int b = 0; b < 2 && w->batched; b++) {
            snprintf(id, sizeof id, "linalg/batched-%s/%dx%dx%d/f64", w->what, (int)batch[b][0],
                     (int)batch[b][1], (int)batch[b][1]);
            measure(w, id, batch[b][0], batch[b][1]);
        }
    }
}
