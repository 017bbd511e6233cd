/* bench/sparse-solvers.c - direct solves on a 300 x 300 grid. What a factor is remembered by is
   new in each call that is to make one: the pattern, or the values. */
#include "matrices.h"

#include <agnesi/sparse_direct.h>

enum { GRID = 300, VALUES = 8 };

typedef struct solving {
    agn_tensor *a, *b, *x;
    agn_tensor *values[VALUES]; /* equal to 1e-12 */
    agn_sparse_factor *f;
    agn_sparse_solver how;
    agn_fn *gradient;
    agn_tensor *fresh, *out[3];
    double value;
    int64_t calls;
} solving;

/* the same matrix on a pattern of which nothing is known */
static void renew(solving *p)
{
    agn_release(p->fresh);
    p->fresh = NULL;
    TRY(agn_sparse_with_index(&p->fresh, p->a, AGN_I64));
}

static void take_value(solving *p, agn_sparse_factor *f)
{
    agn_tensor *d = NULL;
    TRY(agn_sparse_factor_logdet(&d, f));
    TRY(agn_item_f64(&p->value, d));
    agn_release(d);
}
static void factor_call(void *user)
{
    solving *p = user;
    agn_sparse_factor *f = NULL;
    renew(p);
    TRY(agn_sparse_factor_new(&f, p->fresh, &p->how));
    take_value(p, f);
    agn_sparse_factor_release(f);
}
static void refactor_call(void *user)
{
    solving *p = user;
    agn_sparse_factor *f = NULL;
    TRY(agn_sparse_factor_refactor(&f, p->f, p->values[p->calls++ % VALUES]));
    take_value(p, f);
    agn_sparse_factor_release(f);
}
static int value_check(void *user, double *value)
{
    value[0] = ((solving *)user)->value;
    return 1;
}

static void solve_call(void *user)
{
    solving *p = user;
    agn_release(p->x);
    p->x = NULL;
    TRY(agn_sparse_factor_solve(&p->x, p->f, p->b, false));
}
static void lstsq_call(void *user)
{
    solving *p = user;
    renew(p);
    agn_release(p->x);
    p->x = NULL;
    TRY(agn_sparse_lstsq(&p->x, p->fresh, p->b, NULL));
}
static int amount_check(void *user, double *value)
{
    return bench_amount(((solving *)user)->x, value);
}

static agn_status sines(void *user, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    const solving *p = user;
    const agn_tensor *a = ag_sparse_with_values(s, p->fresh, in[0]);
    out[0] = ag_sum_all(s, ag_sin(s, ag_sparse_solve_with(s, a, in[1], &p->how)));
    return agn_scope_status(s);
}
static void gradient_call(void *user)
{
    solving *p = user;
    renew(p);
    for (int k = 0; k < 3; k++) {
        agn_release(p->out[k]);
        p->out[k] = NULL;
    }
    TRY(agn_fn_call(p->out, agn_fn_n_out(p->gradient), p->gradient, AGN_ARGS(p->values[0], p->b)));
}
static int gradient_check(void *user, double *value)
{
    solving *p = user;
    TRY(agn_item_f64(value, p->out[0]));
    bench_amount(p->out[1], value + 1);
    bench_amount(p->out[2], value + 2);
    return 3;
}

static void prepare(solving *p, int method)
{
    agn_tensor *v = NULL;
    agn_fn *f = NULL;
    p->how = (agn_sparse_solver){.size = sizeof p->how, .method = method};
    p->a = bench_laplacian(GRID, AGN_F64);
    p->b = bench_mix(1, (int64_t[]){GRID * GRID}, -1, 1, 5, AGN_F64);
    TRY(agn_sparse_values(&v, p->a));
    for (int k = 0; k < VALUES; k++)
        TRY(agn_mul_c(&p->values[k], v, 1 + 1e-16 * (2 << k)));
    agn_release(v);
    TRY(agn_sparse_factor_new(&p->f, p->a, &p->how));
    TRY(agn_fn_new(&f, sines, p, NULL, 2, 1));
    TRY(agn_fn_value_and_grad(&p->gradient, f, (int32_t[]){0, 1}, 2));
    agn_fn_release(f);
}
static void finish(solving *p)
{
    agn_sparse_factor_release(p->f);
    agn_fn_release(p->gradient);
    agn_tensor *all[] = {p->a, p->b, p->x, p->fresh, p->out[0], p->out[1], p->out[2]};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        agn_release(all[k]);
    for (int k = 0; k < VALUES; k++)
        agn_release(p->values[k]);
}

void bench_sparse_solvers(void)
{
    static const struct {
        const char *id;
        int method;
        void (*call)(void *user);
        int (*check)(void *user, double *value);
    } works[] = {
        {"sparse/spd-analyze-factor/grid-300x300/f64", AGN_SPARSE_CHOLESKY, factor_call,
         value_check},
        {"sparse/spd-refactor/grid-300x300/f64", AGN_SPARSE_CHOLESKY, refactor_call,
         value_check},
        {"sparse/spd-solve/grid-300x300/f64", AGN_SPARSE_CHOLESKY, solve_call,
         amount_check},
        {"sparse/lu-factor/grid-300x300/f64", AGN_SPARSE_LU, factor_call, value_check},
        {"sparse/lu-solve/grid-300x300/f64", AGN_SPARSE_LU, solve_call, amount_check},
        {"sparse/grad-solve/grid-300x300/f64", AGN_SPARSE_CHOLESKY, gradient_call,
         gradient_check}};
    for (size_t k = 0; k < sizeof works / sizeof *works; k++) {
        if (!bench_asked(works[k].id))
            continue;
        solving p = {0};
        prepare(&p, works[k].method);
        bench_measure(works[k].id, &(bench_work){works[k].call, works[k].check, &p, 0});
        finish(&p);
    }
    if (bench_asked("sparse/lstsq/differences-100x100/f64")) {
        solving p = {.a = bench_differences(100)};
        p.b = bench_mix(1, (int64_t[]){29800}, -1, 1, 5, AGN_F64);
        bench_measure("sparse/lstsq/differences-100x100/f64",
                      &(bench_work){lstsq_call, amount_check, &p, 0});
        agn_release(p.a);
        agn_release(p.b);
        agn_release(p.x);
        agn_release(p.fresh);
    }
}
