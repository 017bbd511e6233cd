/* bench/operator.c - differential operators on the network D-768-768-512-512-1 at 16 points, and
   the product of a Hessian with a vector. */
#include "bench.h"
#include "pinn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LAYERS = 5, PARAMS = 2 * LAYERS, POINTS = 16 };

typedef struct problem {
    agn_fn *call, *inner;
    agn_tensor *in[2 * MAX_OUT + 1], *out[MAX_OUT + 1];
    int n_in, n_out, n_param, n_layer;
} problem;

static agn_status network(void *user, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    const problem *p = user;
    out[0] = bench_network(s, in[p->n_param], in, p->n_layer);
    return AGN_OK;
}
/* the mean square of an operator's values */
static agn_status mean_square(void *user, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    const problem *p = user;
    const agn_tensor *y[2];
    out[0] = agn_fn_apply(s, y, 2, p->inner, in, agn_fn_n_in(p->inner))
                 ? NULL
                 : ag_mean_all(s, ag_square(s, y[0]));
    return AGN_OK;
}

static void run(void *user)
{
    problem *p = user;
    for (int i = 0; i < p->n_out; i++) {
        agn_release(p->out[i]);
        p->out[i] = NULL;
    }
    TRY(agn_fn_call(p->out, agn_fn_n_out(p->call), p->call, (const agn_tensor *const *)p->in,
                    agn_fn_n_in(p->call)));
}

/* sums over results first to last of x and x^2, or of x y */
static void sums(const problem *p, int first, int last, agn_tensor *const *with, double *sum,
                 double *square)
{
    *sum = *square = 0;
    for (int i = first; i < last; i++) {
        agn_tensor *y = bench_f64(p->out[i]), *z = with ? bench_f64(with[i]) : NULL;
        const double *v = agn_data(y), *w = with ? agn_data(z) : NULL;
        for (int64_t k = 0; k < agn_numel(y); k++) {
            *sum += w ? v[k] * w[k] : v[k];
            *square += v[k] * v[k];
        }
        agn_release(y);
        agn_release(z);
    }
}
static int check_values(void *user, double *value)
{
    sums(user, 0, 1, NULL, value, value + 1);
    return 2;
}
static int check_gradient(void *user, double *value)
{
    const problem *p = user;
    double unused;
    sums(p, 0, 1, NULL, value, &unused);
    sums(p, 1, p->n_out, NULL, &unused, value + 1);
    value[1] = sqrt(value[1]);
    return 2;
}
static int check_product(void *user, double *value)
{
    const problem *p = user;
    sums(p, 0, p->n_out, p->in + p->n_param + 1, value + 1, value);
    value[0] = sqrt(value[0]);
    return 2;
}

static void finish(problem *p, const char *id, int (*check)(void *, double *))
{
    bench_plan(p->call, agn_dtype_of(p->in[0]) == AGN_F32);
    bench_measure(id, &(bench_work){run, check, p, 0});
    bench_explained(p->call);
    for (int i = 0; i < p->n_out; i++)
        agn_release(p->out[i]);
    for (int i = 0; i < p->n_in; i++)
        agn_release(p->in[i]);
    agn_fn_release(p->call);
    agn_fn_release(p->inner);
}

typedef agn_status operator_of(agn_fn **out, const agn_fn *f, int32_t argnum);

static void run_operator(const char *id, operator_of *make, int64_t d, bool gradient,
                         agn_dtype dtype)
{
    const int64_t size[LAYERS + 1] = {d, 768, 768, 512, 512, 1}, points[2] = {POINTS, d};
    problem p = {.n_in = PARAMS + 1, .n_param = PARAMS, .n_layer = LAYERS};
    agn_fn *u = NULL, *loss = NULL, *g = NULL;
    int32_t argnums[PARAMS];
    if (!bench_asked(id))
        return;
    bench_parameters(p.in, LAYERS, size, dtype);
    p.in[PARAMS] = bench_grid(2, points, -1, 1, 1, dtype);
    TRY(agn_fn_new(&u, network, &p, NULL, p.n_in, 1));
    TRY(make(&p.inner, u, PARAMS));
    for (int i = 0; i < PARAMS; i++)
        argnums[i] = i;
    if (gradient) {
        TRY(agn_fn_new(&loss, mean_square, &p, NULL, p.n_in, 1));
        TRY(agn_fn_value_and_grad(&g, loss, argnums, PARAMS));
    }
    p.n_out = gradient ? 1 + PARAMS : 2;
    TRY(agn_fn_compile(&p.call, gradient ? g : p.inner, NULL));
    finish(&p, id, gradient ? check_gradient : check_values);
    agn_fn_release(g);
    agn_fn_release(loss);
    agn_fn_release(u);
}

/* the Hessian of a loss times grid(P, -1, 1, 77), cut into the shapes of the parameters */
static void run_hvp(const char *id)
{
    problem p = {.n_in = 0};
    pinn b;
    agn_fn *g = NULL;
    if (!bench_asked(id))
        return;
    pinn_open(&b, &pinn_burgers, 10, pinn_deep, 10000, AGN_F64);
    int64_t total = 0, at = 0;
    for (int i = 0; i < b.n_param; i++)
        total += agn_numel(b.in[i]);
    agn_tensor *w = bench_grid(1, &total, -1, 1, 77, AGN_F64);
    p.n_out = p.n_param = b.n_param;
    p.n_in = 2 * p.n_param + 1;
    for (int i = 0; i <= p.n_param; i++)
        p.in[i] = agn_retain(b.in[i]);
    for (int i = 0; i < p.n_param; i++) {
        agn_tensor *part = NULL;
        int64_t n = agn_numel(b.in[i]);
        TRY(agn_slice(&part, w, 1, &at, (const int64_t[]){at + n}, (const int64_t[]){1}));
        TRY(agn_reshape(&p.in[p.n_param + 1 + i], part, agn_ndim(b.in[i]), agn_shape(b.in[i])));
        at += n;
        agn_release(part);
    }
    agn_release(w);
    TRY(agn_fn_hvp(&g, b.loss, b.argnums, p.n_param));
    TRY(agn_fn_compile(&p.call, g, NULL));
    finish(&p, id, check_product);
    agn_fn_release(g);
    pinn_close(&b);
}

void bench_operator(void)
{
    for (int64_t d = 10; d <= 50; d += 40)
        for (int f32 = 0; f32 < 2; f32++)
            for (int grad = 0; grad < 2; grad++) {
                char id[64];
                snprintf(id, sizeof id, "operator/laplacian%s/d%lld/%s", grad ? "-grad" : "",
                         (long long)d, f32 ? "f32" : "f64");
                run_operator(id, agn_fn_laplacian, d, grad, f32 ? AGN_F32 : AGN_F64);
            }
    run_operator("operator/biharmonic/d5/f64", agn_fn_biharmonic, 5, false, AGN_F64);
    run_hvp("operator/hvp/burgers-n10000/f64");
}
