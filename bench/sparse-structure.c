/* bench/sparse-structure.c - sums, transposes, conversions and other moves of sparse matrices. What
   is known of a pattern is kept with it: ids that end in -cold make the pattern anew in each
   call, which is part of what they cost. */
#include "matrices.h"

#include <agnesi/sparse_layout.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct moves {
    agn_tensor *a, *b, *y;
    agn_tensor *wide; /* the same with integers of 64 bits */
    bool cold;
} moves;

/* a, or the same on a pattern of which nothing is known */
static agn_tensor *matrix(const moves *p)
{
    agn_tensor *a = NULL;
    if (!p->cold)
        return agn_retain(p->a);
    TRY(agn_sparse_with_index(&a, p->wide, AGN_I32));
    return a;
}

static void add(moves *p, agn_tensor *a)
{
    TRY(agn_add(&p->y, a, p->b));
}
static void transpose(moves *p, agn_tensor *a)
{
    agn_tensor *t = NULL;
    TRY(agn_transpose(&t, a));
    TRY(agn_sparse_to_csr(&p->y, t));
    agn_release(t);
}
static void softmax(moves *p, agn_tensor *a)
{
    TRY(agn_sparse_softmax(&p->y, a, -1));
}
static void sum0(moves *p, agn_tensor *a)
{
    TRY(agn_sum(&p->y, a, (int32_t[]){0}, 1, false));
}
static void sum1(moves *p, agn_tensor *a)
{
    TRY(agn_sum(&p->y, a, (int32_t[]){1}, 1, false));
}

static int entries_check(void *user, double *value)
{
    return bench_entries(((moves *)user)->y, value);
}
static int softmax_check(void *user, double *value)
{
    agn_tensor *v = NULL, *w = NULL;
    TRY(agn_sparse_values(&v, ((moves *)user)->y));
    w = bench_f64(v);
    const double *x = agn_data(w);
    value[0] = value[1] = 0;
    for (int64_t e = 0; e < agn_numel(w); e++) {
        value[0] += x[e] * x[e];
        value[1] += x[e];
    }
    agn_release(v);
    agn_release(w);
    return 2;
}
static int sum_check(void *user, double *value)
{
    agn_tensor *v = NULL;
    TRY(agn_sparse_values(&v, ((moves *)user)->y));
    bench_amount(v, value);
    agn_release(v);
    return 1;
}

static const struct {
    const char *id;
    void (*call)(moves *p, agn_tensor *a);
    int (*check)(void *user, double *value);
    agn_dtype dtype;
} rows[] = {{"sparse/add-transposed/powerlaw-100k/f64", add, entries_check, AGN_F64},
            {"sparse/transpose/powerlaw-100k/f64", transpose, entries_check, AGN_F64},
            {"sparse/row-softmax/powerlaw-100k/f32", softmax, softmax_check, AGN_F32},
            {"sparse/sum-axis0/powerlaw-100k/f64", sum0, sum_check, AGN_F64},
            {"sparse/sum-axis1/powerlaw-100k/f64", sum1, sum_check, AGN_F64}};
enum { ROWS = sizeof rows / sizeof *rows };

typedef struct row_call {
    moves m;
    void (*call)(moves *p, agn_tensor *a);
} row_call;
static void call_row(void *user)
{
    row_call *r = user;
    agn_release(r->m.y);
    r->m.y = NULL;
    agn_tensor *a = matrix(&r->m);
    r->call(&r->m, a);
    agn_release(a);
}

static void run(int k, bool cold)
{
    char id[96];
    snprintf(id, sizeof id, "%s%s", rows[k].id, cold ? "-cold" : "");
    if (!bench_asked(id))
        return;
    row_call r = {.m = {.cold = cold, .a = bench_powerlaw(rows[k].dtype)}, .call = rows[k].call};
    TRY(agn_sparse_with_index(&r.m.wide, r.m.a, AGN_I64));
    if (rows[k].call == add) {
        transpose(&r.m, r.m.a);
        r.m.b = r.m.y;
        r.m.y = NULL;
    }
    bench_measure(id, &(bench_work){call_row, rows[k].check, &r, 0});
    agn_tensor *all[] = {r.m.a, r.m.b, r.m.y, r.m.wide};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        agn_release(all[i]);
}

/* ---- from coordinates -------------------------------------------------------------------- */

enum { SIDE = 100000, COORDINATES = 5000000 };

typedef struct coordinates {
    agn_tensor *at, *v, *y;
} coordinates;

static void compress(void *user)
{
    coordinates *p = user;
    agn_tensor *a = NULL;
    agn_release(p->y);
    p->y = NULL;
    TRY(agn_sparse_coo_unchecked(&a, 2, (int64_t[]){SIDE, SIDE}, p->at, p->v, false));
    TRY(agn_sparse_to_csr(&p->y, a));
    agn_release(a);
}
static int compress_check(void *user, double *value)
{
    return bench_entries(((coordinates *)user)->y, value);
}

static void run_coordinates(const char *id)
{
    if (!bench_asked(id))
        return;
    double *u = bench_mix_of(COORDINATES, 0, 1, 0), *w = bench_mix_of(COORDINATES, 0, 1, 1);
    int64_t *at = malloc(2 * COORDINATES * sizeof *at);
    if (!at)
        bench_die("memory");
    for (int64_t e = 0; e < COORDINATES; e++) {
        at[e] = (int64_t)(u[e] * SIDE);
        at[COORDINATES + e] = (at[e] * 31 + (int64_t)(w[e] * 50)) % SIDE;
    }
    coordinates p = {.v = bench_mix(1, (int64_t[]){COORDINATES}, -1, 1, 2, AGN_F64)};
    TRY(agn_from_host(&p.at, AGN_I64, 2, (int64_t[]){2, COORDINATES}, at));
    bench_measure(id, &(bench_work){compress, compress_check, &p, 0});
    free(u);
    free(w);
    free(at);
    agn_release(p.at);
    agn_release(p.v);
    agn_release(p.y);
}

void bench_sparse_structure(void)
{
    for (int k = 0; k < ROWS; k++) {
        run(k, false);
        run(k, true);
    }
    run_coordinates("sparse/coo-to-csr/5M/f64");
}
