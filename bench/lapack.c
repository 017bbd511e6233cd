/* bench/lapack.c - what we add to LAPACK: the same real matrix given to each by us and directly, in
   turns. Direct calls keep their memory, and take a copy of the matrix as ours must. Aim: 1.05
   times the direct call and 1 us.

   lapack [NAME [TURNS [THREADS [f32]]]]

   A name stands for all that begin with it; one with a full stop at its end for itself. */
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

/* a matrix [m, n] by rows, its factor, a right-hand side, and the memory that direct calls keep */
typedef struct problem {
    bool f32;
    int m, n, lwork, *pivots, *factor_pivots;
    size_t bytes; /* of a number */
    const void *a, *b;
    void *x, *y, *z, *w, *work, *tau, *factor;
} problem;

/* ---- directly: memory by rows is the transpose of what LAPACK sees ---- */

static const int COL = LAPACK_COL_MAJOR;
#define CALL(NAME, ...) \
    (p->f32 ? LAPACKE_s##NAME##_work(COL, __VA_ARGS__) : LAPACKE_d##NAME##_work(COL, __VA_ARGS__))

static void copy(const problem *p, void *to, const void *from, int count)
{
    memcpy(to, from, (size_t)count * p->bytes);
}
static void take_copy(const problem *p)
{
    copy(p, p->x, p->a, p->m * p->n);
}
/* a by columns */
static void take_turned(const problem *p)
{
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < p->n; j++)
            if (p->f32)
                ((float *)p->x)[j * p->n + i] = ((const float *)p->a)[i * p->n + j];
            else
                ((double *)p->x)[j * p->n + i] = ((const double *)p->a)[i * p->n + j];
}

static int direct_cholesky(problem *p)
{
    take_copy(p);
    return CALL(potrf, 'U', p->n, p->x, p->n);
}
static int direct_cholesky_solve(problem *p)
{
    copy(p, p->y, p->b, p->n);
    return CALL(potrs, 'U', p->n, 1, p->factor, p->n, p->y, p->n);
}
static int direct_triangular_solve(problem *p)
{
    copy(p, p->y, p->b, p->n);
    return CALL(trtrs, 'U', 'T', 'N', p->n, 1, p->factor, p->n, p->y, p->n);
}
static int direct_lu(problem *p)
{
    take_copy(p);
    return CALL(getrf, p->n, p->n, p->x, p->n, p->pivots);
}
static int direct_lu_solve(problem *p)
{
    copy(p, p->y, p->b, p->n);
    return CALL(getrs, 'T', p->n, 1, p->factor, p->n, p->factor_pivots, p->y, p->n);
}
static int direct_solve(problem *p)
{
    int code = direct_lu(p);
    copy(p, p->y, p->b, p->n);
    return code ? code : CALL(getrs, 'T', p->n, 1, p->x, p->n, p->pivots, p->y, p->n);
}
static int direct_inv(problem *p)
{
    int code = direct_lu(p);
    return code ? code : CALL(getri, p->n, p->x, p->n, p->pivots, p->work, p->lwork);
}
static int direct_slogdet(problem *p)
{
    int code = direct_lu(p);
    volatile double sum = 0;
    for (int i = 0; i < p->n; i++)
        sum = sum + log(fabs(p->f32 ? (double)((float *)p->x)[i * (p->n + 1)]
                                    : ((double *)p->x)[i * (p->n + 1)]));
    return code;
}
static int direct_ldl(problem *p)
{
    take_copy(p);
    return CALL(sytrf, 'U', p->n, p->x, p->n, p->pivots, p->work, p->lwork);
}
static int direct_qr(problem *p)
{
    take_copy(p);
    int code = CALL(gelqf, p->n, p->m, p->x, p->n, p->tau, p->work, p->lwork);
    for (int j = 0; j < p->n; j++) {
        const size_t at = (size_t)(j * p->n + j) * p->bytes;
        copy(p, (char *)p->y + at, (char *)p->x + at, p->n - j);
    }
    return code ? code : CALL(orglq, p->n, p->m, p->n, p->x, p->n, p->tau, p->work, p->lwork);
}
static int run_eigh(problem *p, char job)
{
    take_copy(p);
    return CALL(syevd, job, 'U', p->n, p->x, p->n, p->w, p->work, p->lwork, p->pivots,
                10 * p->n + 10);
}
static int direct_eigh(problem *p)
{
    return run_eigh(p, 'V');
}
static int direct_eigvalsh(problem *p)
{
    return run_eigh(p, 'N');
}
static int run_svd(problem *p, char job)
{
    take_copy(p);
    return CALL(gesdd, job, p->n, p->n, p->x, p->n, p->w, p->y, p->n, p->z, p->n, p->work, p->lwork,
                p->pivots);
}
static int direct_svd(problem *p)
{
    return run_svd(p, 'S');
}
static int direct_svdvals(problem *p)
{
    return run_svd(p, 'N');
}
static int run_eig(problem *p, char job)
{
    take_turned(p);
    return CALL(geev, 'N', job, p->n, p->x, p->n, p->w, p->tau, NULL, 1, p->y, p->n, p->work,
                p->lwork);
}
static int direct_eig(problem *p)
{
    return run_eig(p, 'V');
}
static int direct_eigvals(problem *p)
{
    return run_eig(p, 'N');
}
static int direct_schur(problem *p)
{
    int found;
    take_turned(p);
    return CALL(gees, 'V', 'N', NULL, p->n, p->x, p->n, &found, p->w, p->tau, p->y, p->n, p->work,
                p->lwork, NULL);
}
static int direct_hessenberg(problem *p)
{
    take_turned(p);
    int code = CALL(gehrd, p->n, 1, p->n, p->x, p->n, p->tau, p->work, p->lwork);
    copy(p, p->y, p->x, p->n * p->n);
    return code ? code : CALL(orghr, p->n, 1, p->n, p->y, p->n, p->tau, p->work, p->lwork);
}
static int direct_lstsq(problem *p)
{
    take_copy(p);
    copy(p, p->y, p->b, p->m);
    return CALL(gels, 'T', p->n, p->m, 1, p->x, p->n, p->y, p->m, p->work, p->lwork);
}

/* ---- by us: the matrix, a right-hand side, a factor and the order of its rows ---- */

typedef enum argument { MATRIX, RIGHT, FACTOR, ORDER, MOST_IN } argument;
#define RUN(NAME, ...) \
    static agn_status our_##NAME(agn_tensor **y, agn_tensor *const *x) \
    { \
        return agn_linalg_##__VA_ARGS__; \
    }
RUN(cholesky, cholesky(y, x[MATRIX], false))
RUN(cholesky_solve, cholesky_solve(y, x[FACTOR], x[RIGHT], false))
RUN(triangular_solve, triangular_solve(y, x[FACTOR], x[RIGHT], false))
RUN(lu, lu_factor(y, y + 1, x[MATRIX]))
RUN(lu_solve, lu_solve(y, x[FACTOR], x[ORDER], x[RIGHT], AGN_FORM_PLAIN))
RUN(solve, solve(y, x[MATRIX], x[RIGHT]))
RUN(inv, inv(y, x[MATRIX]))
RUN(slogdet, slogdet(y, y + 1, x[MATRIX]))
RUN(ldl, ldl_factor(y, y + 1, y + 2, x[MATRIX], false, true))
RUN(qr, qr(y, y + 1, x[MATRIX], false))
RUN(eigh, eigh(y, y + 1, x[MATRIX], false))
RUN(eigvalsh, eigvalsh(y, x[MATRIX], false))
RUN(svd, svd(y, y + 1, y + 2, x[MATRIX], false))
RUN(svdvals, svdvals(y, x[MATRIX]))
RUN(eig, eig(y, y + 1, x[MATRIX]))
RUN(eigvals, eigvals(y, x[MATRIX]))
RUN(schur, schur(y, y + 1, x[MATRIX]))
RUN(hessenberg, hessenberg(y, y + 1, x[MATRIX]))
RUN(lstsq, lstsq(y, x[MATRIX], x[RIGHT]))

typedef enum kind_of { GENERAL, POSITIVE, SYMMETRIC, TALL } kind_of;
static const struct {
    const char *name;
    kind_of kind;
    int most, n_out;
    int (*directly)(problem *p);
    agn_status (*run)(agn_tensor **y, agn_tensor *const *x);
} works[] = {
    {"cholesky", POSITIVE, 1000, 1, direct_cholesky, our_cholesky},
    {"cholesky_solve", POSITIVE, 1000, 1, direct_cholesky_solve, our_cholesky_solve},
    {"triangular_solve", POSITIVE, 1000, 1, direct_triangular_solve, our_triangular_solve},
    {"lu", GENERAL, 1000, 2, direct_lu, our_lu},
    {"lu_solve", GENERAL, 1000, 1, direct_lu_solve, our_lu_solve},
    {"solve", GENERAL, 1000, 1, direct_solve, our_solve},
    {"inv", GENERAL, 1000, 1, direct_inv, our_inv},
    {"slogdet", GENERAL, 1000, 2, direct_slogdet, our_slogdet},
    {"ldl", SYMMETRIC, 1000, 3, direct_ldl, our_ldl},
    {"qr", GENERAL, 1000, 2, direct_qr, our_qr},
    {"eigh", SYMMETRIC, 500, 2, direct_eigh, our_eigh},
    {"eigvalsh", SYMMETRIC, 500, 1, direct_eigvalsh, our_eigvalsh},
    {"svd", GENERAL, 500, 3, direct_svd, our_svd},
    {"svdvals", GENERAL, 500, 1, direct_svdvals, our_svdvals},
    {"eig", GENERAL, 500, 2, direct_eig, our_eig},
    {"eigvals", GENERAL, 500, 1, direct_eigvals, our_eigvals},
    {"schur", GENERAL, 200, 2, direct_schur, our_schur},
    {"hessenberg", GENERAL, 500, 2, direct_hessenberg, our_hessenberg},
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

static void fill(const problem *p, void *to, kind_of kind, int m, int n)
{
    double *a = malloc((size_t)(m * n) * sizeof *a);
    need(a != NULL, "memory");
    for (int i = 0; i < m * n; i++)
        a[i] = next_number();
    for (int i = 0; i < n && (kind == POSITIVE || kind == SYMMETRIC); i++)
        for (int j = 0; j <= i; j++)
            a[j * n + i] = a[i * n + j] += i == j && kind == POSITIVE ? n : 0;
    for (int i = 0; i < m * n; i++)
        if (p->f32)
            ((float *)to)[i] = (float)a[i];
        else
            ((double *)to)[i] = a[i];
    free(a);
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

/* factors for those that begin with one */
static void prepare(problem *p, kind_of kind, agn_tensor **x)
{
    if (kind == TALL || kind == SYMMETRIC)
        return;
    need(!(kind == POSITIVE ? direct_cholesky(p) : direct_lu(p)), "a factor");
    copy(p, p->factor, p->x, p->n * p->n);
    memcpy(p->factor_pivots, p->pivots, (size_t)p->n * sizeof *p->pivots);
    need(!(kind == POSITIVE ? agn_linalg_cholesky(x + FACTOR, x[MATRIX], false)
                            : agn_linalg_lu_factor(x + FACTOR, x + ORDER, x[MATRIX])),
         "a factor");
}

static void compare(int k, int n, int turns, problem *p)
{
    static double direct[MOST_TURNS], ours[MOST_TURNS];
    p->n = n;
    p->m = works[k].kind == TALL ? 2 * n : n;
    void *a = malloc((size_t)(p->m * n) * p->bytes), *b = malloc((size_t)p->m * p->bytes);
    need(a && b, "memory");
    fill(p, a, works[k].kind, p->m, n);
    fill(p, b, GENERAL, p->m, 1);
    p->a = a;
    p->b = b;
    agn_tensor *x[MOST_IN] = {NULL}, *y[MOST_OUT] = {NULL};
    const agn_dtype dtype = p->f32 ? AGN_F32 : AGN_F64;
    need(!agn_from_host(x + MATRIX, dtype, 2, (int64_t[]){p->m, n}, a) &&
             !agn_from_host(x + RIGHT, dtype, 1, (int64_t[]){p->m}, b),
         "agn_from_host");
    prepare(p, works[k].kind, x);
    need(!works[k].directly(p), works[k].name);
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
                need(!works[k].run(y, x), works[k].name);
                for (int i = 0; i < works[k].n_out; i++)
                    agn_release(y[i]);
            }
            (by_us ? ours : direct)[t] = (now_us() - start) / repeats;
        }
    double d = median(direct, turns), o = median(ours, turns), allowed = 1.05 * d + 1;
    printf("%-16s %5d %12.2f %12.2f %8.3f %10.2f  %s\n", works[k].name, n, d, o, o / d, o - d,
           o <= allowed ? "" : "above 5 % + 1 us");
    fflush(stdout);
    for (int i = 0; i < MOST_IN; i++)
        agn_release(x[i]);
    free(a);
    free(b);
}

static bool is_wanted(const char *name, const char *wanted)
{
    const size_t n = strlen(wanted);
    return n && wanted[n - 1] == '.' ? strlen(name) == n - 1 && !strncmp(name, wanted, n - 1)
                                     : !strncmp(name, wanted, n);
}

int main(int argc, char **argv)
{
    static const int orders[] = {4, 8, 16, 32, 64, 100, 200, 500, 1000};
    const char *wanted = argc > 1 ? argv[1] : "";
    int turns = argc > 2 ? atoi(argv[2]) : 15;
    need(turns > 0 && turns <= MOST_TURNS, "turns");
    need(!agn_threads_set(argc > 3 ? atoi(argv[3]) : 1), "threads");
    const size_t square = (size_t)MOST_ORDER * MOST_ORDER;
    problem p = {.f32 = argc > 4 && !strcmp(argv[4], "f32"),
                 .lwork = (int)(4 * square),
                 .pivots = calloc(20 * MOST_ORDER, sizeof(int)),
                 .factor_pivots = calloc(MOST_ORDER, sizeof(int))};
    p.bytes = p.f32 ? sizeof(float) : sizeof(double);
    void **room[] = {&p.x, &p.y, &p.z, &p.w, &p.tau, &p.work, &p.factor};
    need(p.pivots && p.factor_pivots, "memory");
    for (size_t k = 0; k < sizeof room / sizeof *room; k++)
        need((*room[k] = calloc(4 * square, sizeof(double))) != NULL, "memory");
    printf("%-16s %5s %12s %12s %8s %10s\n", p.f32 ? "f32" : "f64", "n", "LAPACK us", "agnesi us",
           "ratio", "more us");
    for (size_t k = 0; k < sizeof works / sizeof *works; k++)
        for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
            if (is_wanted(works[k].name, wanted) && orders[i] <= works[k].most)
                compare((int)k, orders[i], turns, &p);
    for (size_t k = 0; k < sizeof room / sizeof *room; k++)
        free(*room[k]);
    free(p.pivots);
    free(p.factor_pivots);
    return 0;
}
