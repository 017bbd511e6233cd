/* bench/direct.c - what we add to CHOLMOD, UMFPACK, KLU and SuiteSparseQR: the same matrix,
   settings and right-hand side given to each by us and directly, in turns. Direct calls keep their
   memory where they can. Aim: 1.05 times the direct call and 1 us.

     direct [GRID [TURNS [THREADS [LIBRARY]]]]    grids of GRID x GRID points; 0: of 3, 32 and 300

   factor     analysis and numbers of a pattern that nobody has seen
   refactor   numbers for other values
   solve      one right-hand side */
#include "matrices.h"

#include <agnesi/sparse_direct.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/SuiteSparseQR_C.h>
#include <suitesparse/klu.h>
#include <suitesparse/umfpack.h>
#include <time.h>

void bench_die(const char *what)
{
    fprintf(stderr, "direct: %s: %s\n", what, agn_error_message());
    exit(1);
}
static void need(bool good, const char *what)
{
    if (!good)
        bench_die(what);
}

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

/* ---- directly ------------------------------------------------------------------------------- */

enum { VALUES = 8 };

/* a symmetric matrix, so that rows and columns are one */
typedef struct given {
    int64_t n, nnz, *begin, *index;
    double *v[VALUES], *b, *x;
} given;

typedef struct direct {
    const given *m;
    cholmod_common cm;
    cholmod_sparse a;
    cholmod_factor *l;
    cholmod_dense b, *x, *y, *e;
    void *symbolic, *numeric;
    double control[UMFPACK_CONTROL];
    int64_t *wi;
    double *w;
    klu_l_common km;
    klu_l_symbolic *ks;
    klu_l_numeric *kn;
    SuiteSparseQR_C_factorization *qr;
} direct;

static void matrix_of(direct *d, const given *m, int stype)
{
    d->m = m;
    cholmod_l_start(&d->cm);
    d->a = (cholmod_sparse){.nrow = (size_t)m->n, .ncol = (size_t)m->n, .nzmax = (size_t)m->nnz,
                            .p = m->begin, .i = m->index, .x = m->v[0], .stype = stype,
                            .itype = CHOLMOD_LONG, .xtype = CHOLMOD_REAL, .dtype = CHOLMOD_DOUBLE,
                            .sorted = 1, .packed = 1};
    d->b = (cholmod_dense){.nrow = (size_t)m->n,
                           .ncol = 1,
                           .nzmax = (size_t)m->n,
                           .d = (size_t)m->n,
                           .x = m->b,
                           .xtype = CHOLMOD_REAL,
                           .dtype = CHOLMOD_DOUBLE};
}

static void cholmod_first(direct *d, const given *m)
{
    matrix_of(d, m, 1);
    d->cm.final_ll = 1;
    d->cm.nmethods = 1;
    d->cm.method[0].ordering = CHOLMOD_AMD;
    d->cm.postorder = 1;
    d->l = cholmod_l_analyze(&d->a, &d->cm);
    need(d->l && cholmod_l_factorize(&d->a, d->l, &d->cm), "cholmod_l_factorize");
}
static void cholmod_again(direct *d, const double *v)
{
    d->a.x = (void *)(uintptr_t)v;
    need(cholmod_l_factorize(&d->a, d->l, &d->cm), "cholmod_l_factorize");
}
static void cholmod_once(direct *d)
{
    need(cholmod_l_solve2(CHOLMOD_A, d->l, &d->b, NULL, &d->x, NULL, &d->y, &d->e, &d->cm),
         "cholmod_l_solve2");
}
static double cholmod_last(direct *d)
{
    double x = d->x ? ((double *)d->x->x)[d->m->n / 2] : 0;
    cholmod_l_free_factor(&d->l, &d->cm);
    cholmod_l_free_dense(&d->x, &d->cm);
    cholmod_l_free_dense(&d->y, &d->cm);
    cholmod_l_free_dense(&d->e, &d->cm);
    cholmod_l_finish(&d->cm);
    return x;
}

static void umfpack_again(direct *d, const double *v)
{
    if (d->numeric)
        umfpack_dl_free_numeric(&d->numeric);
    need(!umfpack_dl_numeric(d->m->begin, d->m->index, v, d->symbolic, &d->numeric, d->control,
                             NULL),
         "umfpack_dl_numeric");
}
static void umfpack_first(direct *d, const given *m)
{
    d->m = m;
    umfpack_dl_defaults(d->control);
    d->control[UMFPACK_IRSTEP] = 0;
    d->control[UMFPACK_ORDERING] = UMFPACK_ORDERING_AMD;
    need(!umfpack_dl_symbolic(m->n, m->n, m->begin, m->index, m->v[0], &d->symbolic, d->control,
                              NULL),
         "umfpack_dl_symbolic");
    umfpack_again(d, m->v[0]);
    d->wi = malloc((size_t)m->n * sizeof *d->wi);
    d->w = malloc((size_t)m->n * 5 * sizeof *d->w);
    need(d->wi && d->w, "memory");
}
static void umfpack_once(direct *d)
{
    need(!umfpack_dl_wsolve(UMFPACK_Aat, d->m->begin, d->m->index, d->m->v[0], d->m->x, d->m->b,
                            d->numeric, d->control, NULL, d->wi, d->w),
         "umfpack_dl_wsolve");
}
static double umfpack_last(direct *d)
{
    umfpack_dl_free_numeric(&d->numeric);
    umfpack_dl_free_symbolic(&d->symbolic);
    free(d->wi);
    free(d->w);
    return d->m->x[d->m->n / 2];
}

static void klu_again(direct *d, const double *v)
{
    if (d->kn)
        klu_l_free_numeric(&d->kn, &d->km);
    d->kn = klu_l_factor(d->m->begin, d->m->index, (double *)(uintptr_t)v, d->ks, &d->km);
    need(d->kn != NULL, "klu_l_factor");
}
static void klu_first(direct *d, const given *m)
{
    d->m = m;
    klu_l_defaults(&d->km);
    d->ks = klu_l_analyze(m->n, m->begin, m->index, &d->km);
    need(d->ks != NULL, "klu_l_analyze");
    klu_again(d, m->v[0]);
}
static void klu_once(direct *d)
{
    memcpy(d->m->x, d->m->b, (size_t)d->m->n * sizeof *d->m->x);
    need(klu_l_tsolve(d->ks, d->kn, d->m->n, 1, d->m->x, &d->km), "klu_l_tsolve");
}
static double klu_last(direct *d)
{
    klu_l_free_numeric(&d->kn, &d->km);
    klu_l_free_symbolic(&d->ks, &d->km);
    return d->m->x[d->m->n / 2];
}

static void qr_again(direct *d, const double *v)
{
    if (d->qr)
        SuiteSparseQR_C_free(&d->qr, &d->cm);
    d->a.x = (void *)(uintptr_t)v;
    d->qr = SuiteSparseQR_C_factorize(SPQR_ORDERING_DEFAULT, SPQR_DEFAULT_TOL, &d->a, &d->cm);
    need(d->qr != NULL, "SuiteSparseQR_C_factorize");
}
static void qr_first(direct *d, const given *m)
{
    matrix_of(d, m, 0);
    qr_again(d, m->v[0]);
}
static void qr_once(direct *d)
{
    cholmod_l_free_dense(&d->x, &d->cm);
    cholmod_dense *y = SuiteSparseQR_C_qmult(SPQR_QTX, d->qr, &d->b, &d->cm);
    d->x = y ? SuiteSparseQR_C_solve(SPQR_RETX_EQUALS_B, d->qr, y, &d->cm) : NULL;
    cholmod_l_free_dense(&y, &d->cm);
    need(d->x != NULL, "SuiteSparseQR_C_solve");
}
static double qr_last(direct *d)
{
    double x = d->x ? ((double *)d->x->x)[d->m->n / 2] : 0;
    SuiteSparseQR_C_free(&d->qr, &d->cm);
    cholmod_l_free_dense(&d->x, &d->cm);
    cholmod_l_finish(&d->cm);
    return x;
}

static const struct {
    const char *name;
    int method;
    void (*first)(direct *d, const given *m);
    void (*again)(direct *d, const double *v);
    void (*once)(direct *d);
    double (*last)(direct *d);
} libraries[] = {
    {"cholmod", AGN_SPARSE_CHOLESKY, cholmod_first, cholmod_again, cholmod_once, cholmod_last},
    {"umfpack", AGN_SPARSE_LU, umfpack_first, umfpack_again, umfpack_once, umfpack_last},
    {"klu", AGN_SPARSE_KLU, klu_first, klu_again, klu_once, klu_last},
    {"spqr", AGN_SPARSE_QR, qr_first, qr_again, qr_once, qr_last}};
enum { LIBRARIES = sizeof libraries / sizeof *libraries };

/* ---- by us, and in turns -------------------------------------------------------------------- */

enum { FACTOR, REFACTOR, SOLVE, PHASES, MOST_TURNS = 999 };
static const char *const phases[] = {"factor", "refactor", "solve"};

typedef struct figures {
    int n;
    double us[PHASES][2][MOST_TURNS]; /* directly, by us */
} figures;

/* the time of one call of each kind; the values of a turn are new to us */
static double direct_turn(figures *f, int library, const given *m, int repeats, int turn)
{
    direct d = {.m = m};
    double t0 = now_us();
    libraries[library].first(&d, m);
    double t1 = now_us();
    for (int k = 0; k < repeats; k++)
        libraries[library].again(&d, m->v[(k + 1) % VALUES]);
    double t2 = now_us();
    libraries[library].again(&d, m->v[0]);
    libraries[library].once(&d);
    double t3 = now_us();
    for (int k = 0; k < repeats; k++)
        libraries[library].once(&d);
    double t4 = now_us();
    f->us[FACTOR][0][turn] = t1 - t0;
    f->us[REFACTOR][0][turn] = (t2 - t1) / repeats;
    f->us[SOLVE][0][turn] = (t4 - t3) / repeats;
    return libraries[library].last(&d);
}

static double our_turn(figures *f, int library, const agn_tensor *a, agn_tensor *const *values,
                       const agn_tensor *b, int64_t n, int repeats, int turn)
{
    const agn_sparse_solver how = {.size = sizeof how, .method = libraries[library].method};
    agn_tensor *fresh = NULL, *x = NULL;
    agn_sparse_factor *q = NULL, *next = NULL;
    TRY(agn_sparse_with_index(&fresh, a, AGN_I32)); /* of i64 a new pattern either way */
    agn_tensor *wide = NULL;
    TRY(agn_sparse_with_index(&wide, fresh, AGN_I64));
    double t0 = now_us();
    TRY(agn_sparse_factor_new(&q, wide, &how));
    double t1 = now_us();
    for (int k = 0; k < repeats; k++) {
        TRY(agn_sparse_factor_refactor(&next, q, values[(k + 1) % VALUES]));
        agn_sparse_factor_release(q);
        q = next;
    }
    double t2 = now_us();
    TRY(agn_sparse_factor_refactor(&next, q, values[0]));
    TRY(agn_sparse_factor_solve(&x, next, b, false));
    double t3 = now_us();
    for (int k = 0; k < repeats; k++) {
        agn_release(x);
        x = NULL;
        TRY(agn_sparse_factor_solve(&x, next, b, false));
    }
    double t4 = now_us();
    f->us[FACTOR][1][turn] = t1 - t0;
    f->us[REFACTOR][1][turn] = (t2 - t1) / repeats;
    f->us[SOLVE][1][turn] = (t4 - t3) / repeats;
    double middle = ((const double *)agn_data(x))[n / 2];
    agn_sparse_factor_release(q);
    agn_sparse_factor_release(next);
    agn_release(x);
    agn_release(wide);
    agn_release(fresh);
    return middle;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void grid(int64_t side, int turns, const char *wanted)
{
    static figures f;
    agn_tensor *narrow = bench_laplacian(side, AGN_F64), *a = NULL, *p = NULL, *i = NULL, *v = NULL;
    TRY(agn_sparse_with_index(&a, narrow, AGN_I64));
    TRY(agn_sparse_indptr(&p, a));
    TRY(agn_sparse_indices(&i, a));
    TRY(agn_sparse_values(&v, a));
    int64_t n = side * side;
    agn_tensor *b = bench_mix(1, &n, -1, 1, 5, AGN_F64), *values[VALUES];
    given m = {.n = n, .nnz = agn_sparse_nnz(a), .begin = (int64_t *)(uintptr_t)agn_data(p),
               .index = (int64_t *)(uintptr_t)agn_data(i), .b = (double *)(uintptr_t)agn_data(b),
               .x = calloc((size_t)n, sizeof *m.x)};
    need(m.x != NULL, "memory");
    for (int k = 0; k < VALUES; k++) {
        TRY(agn_mul_c(&values[k], v, 1 + 1e-15 * k));
        m.v[k] = (double *)(uintptr_t)agn_data(values[k]);
    }
    int repeats = n > 10000 ? 1 : n > 100 ? 20 : 400;
    for (int library = 0; library < LIBRARIES; library++) {
        if (wanted && strcmp(wanted, libraries[library].name))
            continue;
        for (int turn = -1; turn < turns; turn++) { /* the first one warms up */
            int t = turn < 0 ? 0 : turn;
            double x = t % 2 ? 0 : direct_turn(&f, library, &m, repeats, t);
            double y = our_turn(&f, library, a, values, b, n, repeats, t);
            x = t % 2 ? direct_turn(&f, library, &m, repeats, t) : x;
            need(y - x <= 1e-12 && x - y <= 1e-12, "another answer");
        }
        for (int phase = 0; phase < PHASES; phase++) {
            for (int who = 0; who < 2; who++)
                qsort(f.us[phase][who], (size_t)turns, sizeof(double), ascending);
            double *x = f.us[phase][0], *y = f.us[phase][1];
            double mx = x[turns / 2], my = y[turns / 2];
            printf("| %s | %lld | %s | %.4g (%.4g) | %.4g (%.4g) | %.3f | %+.2f |\n",
                   libraries[library].name, (long long)n, phases[phase], mx, x[0], my, y[0],
                   my / mx, my - 1.05 * mx);
        }
        fflush(stdout);
    }
    agn_tensor *all[] = {narrow, a, p, i, v, b};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        agn_release(all[k]);
    for (int k = 0; k < VALUES; k++)
        agn_release(values[k]);
    free(m.x);
}

int main(int argc, char **argv)
{
    int64_t side = argc > 1 ? atoll(argv[1]) : 0;
    int turns = argc > 2 ? atoi(argv[2]) : 9;
    TRY(agn_threads_set(argc > 3 ? atoi(argv[3]) : 1));
    const char *wanted = argc > 4 ? argv[4] : NULL;
    need(turns > 0 && turns <= MOST_TURNS, "turns");
    printf("us: median (least); over: ours - 1.05 direct, where 1 is the aim\n");
    printf(
        "| library | n | phase | direct | ours | ratio | over |\n|---|---|---|---|---|---|---|\n");
    for (int k = 0; k < 3; k++)
        if (!side)
            grid((const int64_t[]){3, 32, 300}[k], turns, wanted);
    if (side)
        grid(side, turns, wanted);
    return 0;
}
