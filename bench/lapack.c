/* bench/lapack.c - what we add to LAPACK: the same f64 matrix given to each by us and directly, in
   turns. Direct calls keep their memory, and take a copy of the matrix as ours must. Aim: 1.05
   times the direct call and 1 us.

   lapack [NAME [TURNS [THREADS]]] */
#include <agnesi/agnesi.h>
#include <agnesi/linalg.h>
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_ORDER = 1000, MOST_TURNS = 999, MOST_OUT = 3 };

static void need(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "lapack: %s: %s\n", what, agn_error_message());
    exit(1);
}

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

/* a matrix [m, n] by rows, a right-hand side, and the memory that direct calls keep */
typedef struct problem {
    int m, n, lwork, *pivots;
    const double *a, *b;
    double *x, *y, *z, *w, *work, *tau;
} problem;

/* ---- directly: memory by rows is the transpose of what LAPACK sees ---- */

static const int COL = LAPACK_COL_MAJOR;
static void take_copy(const problem *p, double *to)
{
    memcpy(to, p->a, (size_t)p->m * (size_t)p->n * sizeof *to);
}
static int direct_cholesky(problem *p)
{
    take_copy(p, p->x);
    return LAPACKE_dpotrf_work(COL, 'U', p->n, p->x, p->n);
}
static int direct_lu(problem *p)
{
    take_copy(p, p->x);
    return LAPACKE_dgetrf_work(COL, p->n, p->n, p->x, p->n, p->pivots);
}
static int direct_solve(problem *p)
{
    int code = direct_lu(p);
    memcpy(p->y, p->b, (size_t)p->n * sizeof *p->y);
    return code ? code : LAPACKE_dgetrs_work(COL, 'T', p->n, 1, p->x, p->n, p->pivots, p->y, p->n);
}
static int direct_inv(problem *p)
{
    int code = direct_lu(p);
    return code ? code : LAPACKE_dgetri_work(COL, p->n, p->x, p->n, p->pivots, p->work, p->lwork);
}
static int direct_qr(problem *p)
{
    take_copy(p, p->x);
    int code = LAPACKE_dgelqf_work(COL, p->n, p->m, p->x, p->n, p->tau, p->work, p->lwork);
    for (int j = 0; j < p->n; j++)
        memcpy(p->y + j * p->n + j, p->x + j * p->n + j, (size_t)(p->n - j) * sizeof *p->y);
    return code ? code
                : LAPACKE_dorglq_work(COL, p->n, p->m, p->n, p->x, p->n, p->tau, p->work, p->lwork);
}
static int direct_eigh(problem *p)
{
    take_copy(p, p->x);
    return LAPACKE_dsyevd_work(COL, 'V', 'U', p->n, p->x, p->n, p->w, p->work, p->lwork, p->pivots,
                               10 * p->n + 10);
}
static int direct_svd(problem *p)
{
    take_copy(p, p->x);
    return LAPACKE_dgesdd_work(COL, 'S', p->n, p->n, p->x, p->n, p->w, p->y, p->n, p->z, p->n,
                               p->work, p->lwork, p->pivots);
}
static int direct_eig(problem *p)
{
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < p->n; j++)
            p->x[j * p->n + i] = p->a[i * p->n + j];
    return LAPACKE_dgeev_work(COL, 'N', 'V', p->n, p->x, p->n, p->w, p->tau, NULL, 1, p->y, p->n,
                              p->work, p->lwork);
}
static int direct_lstsq(problem *p)
{
    take_copy(p, p->x);
    memcpy(p->y, p->b, (size_t)p->m * sizeof *p->y);
    return LAPACKE_dgels_work(COL, 'T', p->n, p->m, 1, p->x, p->n, p->y, p->m, p->work, p->lwork);
}

/* ---- by us ---- */

#define RUN(NAME, ...) \
    static agn_status our_##NAME(agn_tensor **y, const agn_tensor *a, const agn_tensor *b) \
    { \
        (void)b; \
        return agn_linalg_##__VA_ARGS__; \
    }
RUN(cholesky, cholesky(y, a, false))
RUN(lu, lu_factor(y, y + 1, a))
RUN(solve, solve(y, a, b))
RUN(inv, inv(y, a))
RUN(qr, qr(y, y + 1, a, false))
RUN(eigh, eigh(y, y + 1, a, false))
RUN(svd, svd(y, y + 1, y + 2, a, false))
RUN(eig, eig(y, y + 1, a))
RUN(lstsq, lstsq(y, a, b))

typedef enum kind_of { GENERAL, POSITIVE, SYMMETRIC, TALL } kind_of;
static const struct {
    const char *name;
    kind_of kind;
    int most, n_out;
    int (*directly)(problem *p);
    agn_status (*run)(agn_tensor **y, const agn_tensor *a, const agn_tensor *b);
} works[] = {
    {"cholesky", POSITIVE, 1000, 1, direct_cholesky, our_cholesky},
    {"lu", GENERAL, 1000, 2, direct_lu, our_lu},
    {"solve", GENERAL, 1000, 1, direct_solve, our_solve},
    {"inv", GENERAL, 1000, 1, direct_inv, our_inv},
    {"qr", GENERAL, 1000, 2, direct_qr, our_qr},
    {"eigh", SYMMETRIC, 500, 2, direct_eigh, our_eigh},
    {"svd", GENERAL, 500, 3, direct_svd, our_svd},
    {"eig", GENERAL, 500, 2, direct_eig, our_eig},
    {"lstsq", TALL, 500, 1, direct_lstsq, our_lstsq},
};

/* ---- in turns ---- */

static double next_number(void)
{
    static uint64_t state = 88172645463325252;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) * 0x1p-52 - 1;
}

static void fill(double *a, kind_of kind, int m, int n)
{
    for (int i = 0; i < m * n; i++)
        a[i] = next_number();
    for (int i = 0; i < n && (kind == POSITIVE || kind == SYMMETRIC); i++)
        for (int j = 0; j <= i; j++)
            a[j * n + i] = a[i * n + j] += i == j && kind == POSITIVE ? n : 0;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static double median(double *x, int n)
{
    qsort(x, (size_t)n, sizeof *x, ascending);
    return x[n / 2];
}

static void compare(int k, int n, int turns, problem *p)
{
    static double direct[MOST_TURNS], ours[MOST_TURNS];
    p->n = n;
    p->m = works[k].kind == TALL ? 2 * n : n;
    double *a = malloc((size_t)(p->m * n) * sizeof *a), *b = malloc((size_t)p->m * sizeof *b);
    need(a && b, "memory");
    fill(a, works[k].kind, p->m, n);
    fill(b, GENERAL, p->m, 1);
    p->a = a;
    p->b = b;
    agn_tensor *A = NULL, *B = NULL, *y[MOST_OUT] = {NULL};
    need(!agn_from_host(&A, AGN_F64, 2, (int64_t[]){p->m, n}, a) &&
             !agn_from_host(&B, AGN_F64, 1, (int64_t[]){p->m}, b),
         "agn_from_host");
    double start = now_us();
    need(!works[k].directly(p), works[k].name);
    double once = now_us() - start;
    int repeats = once < 2000 ? (int)(2000 / once) + 1 : 1;
    turns = once > 20000 ? turns / 3 + 1 : turns;
    for (int t = 0; t < turns; t++)
        for (int side = 0; side < 2; side++) {
            bool by_us = side ^ (t & 1);
            start = now_us();
            for (int r = 0; r < repeats; r++) {
                if (!by_us) {
                    need(!works[k].directly(p), works[k].name);
                    continue;
                }
                need(!works[k].run(y, A, B), works[k].name);
                for (int i = 0; i < works[k].n_out; i++)
                    agn_release(y[i]);
            }
            (by_us ? ours : direct)[t] = (now_us() - start) / repeats;
        }
    double d = median(direct, turns), o = median(ours, turns), allowed = 1.05 * d + 1;
    printf("%-9s %5d %12.2f %12.2f %8.3f %10.2f  %s\n", works[k].name, n, d, o, o / d, o - d,
           o <= allowed ? "" : "above 5 % + 1 us");
    fflush(stdout);
    agn_release(A);
    agn_release(B);
    free(a);
    free(b);
}

int main(int argc, char **argv)
{
    static const int orders[] = {4, 8, 16, 32, 64, 100, 200, 500, 1000};
    const char *wanted = argc > 1 ? argv[1] : "";
    int turns = argc > 2 ? atoi(argv[2]) : 15;
    need(turns > 0 && turns <= MOST_TURNS, "turns");
    need(!agn_threads_set(argc > 3 ? atoi(argv[3]) : 1), "threads");
    const size_t square = (size_t)MOST_ORDER * MOST_ORDER;
    problem p = {.lwork = (int)(4 * square), .pivots = calloc(20 * MOST_ORDER, sizeof(int))};
    double **room[] = {&p.x, &p.y, &p.z, &p.w, &p.tau, &p.work};
    need(p.pivots != NULL, "memory");
    for (size_t k = 0; k < sizeof room / sizeof *room; k++)
        need((*room[k] = calloc(4 * square, sizeof(double))) != NULL, "memory");
    printf("%-9s %5s %12s %12s %8s %10s\n", "", "n", "LAPACK us", "agnesi us", "ratio", "more us");
    for (size_t k = 0; k < sizeof works / sizeof *works; k++)
        for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
            if (!strncmp(works[k].name, wanted, strlen(wanted)) && orders[i] <= works[k].most)
                compare((int)k, orders[i], turns, &p);
    for (size_t k = 0; k < sizeof room / sizeof *room; k++)
        free(*room[k]);
    free(p.pivots);
    return 0;
}
