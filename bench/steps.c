/* bench/steps.c - training steps as a reader of the manual writes them first: losses beyond a mean
   square, operators by name and by hand, energies, pairs of networks, Gauss-Newton matrices. */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAYERS = 4, PARAMS = 2 * LAYERS, POINTS = 4096, EDGE = 512, MOST = 16 };
enum { BRANCH = 3, FUNCTIONS = 64, SENSORS = 30, TRUNK = 40, OWN = 256 };
typedef const agn_tensor *T;

typedef struct step {
    agn_fn *inner, *call;
    agn_tensor *in[MOST], *out[MOST];
    int n_in, n_param;
} step;

static T mean_square(agn_scope *s, T r)
{
    return ag_mean_all(s, ag_square(s, r));
}

/* ---- networks -------------------------------------------------------------------------------- */

static agn_status tanh_network(void *user, agn_scope *s, T const *in, T *out)
{
    (void)user;
    out[0] = bench_network(s, in[PARAMS], in, LAYERS);
    return agn_scope_status(s);
}
static T residual_network(agn_scope *s, T const *in, bench_activation *f)
{
    T x = ag_add(s, ag_matmul(s, in[PARAMS], in[0]), in[1]);
    for (int i = 1; i < LAYERS - 1; i++)
        x = ag_add(s, x, f(s, ag_add(s, ag_matmul(s, x, in[2 * i]), in[2 * i + 1])));
    return ag_add(s, ag_matmul(s, x, in[PARAMS - 2]), in[PARAMS - 1]);
}
static T cubed_relu(agn_scope *s, T x)
{
    T y = ag_relu(s, x);
    return ag_mul(s, y, ag_square(s, y));
}
static T softplus(agn_scope *s, T x)
{
    return ag_softplus(s, x);
}
static agn_status relu_network(void *user, agn_scope *s, T const *in, T *out)
{
    (void)user;
    out[0] = residual_network(s, in, cubed_relu);
    return agn_scope_status(s);
}
static agn_status softplus_network(void *user, agn_scope *s, T const *in, T *out)
{
    (void)user;
    out[0] = residual_network(s, in, softplus);
    return agn_scope_status(s);
}
static agn_status trunk_network(void *user, agn_scope *s, T const *in, T *out)
{
    (void)user;
    out[0] = bench_network(s, in[2 * BRANCH], in, BRANCH);
    return agn_scope_status(s);
}

/* ---- losses ---------------------------------------------------------------------------------- */

/* d: chosen derivatives, then u: see the table at the end */
static bool take(const step *p, agn_scope *s, T const *in, T *d)
{
    return !agn_fn_apply(s, d, agn_fn_n_out(p->inner), p->inner, in, agn_fn_n_in(p->inner));
}
static T burgers(agn_scope *s, T const *d)
{
    return ag_sub(s, ag_add(s, d[2], ag_mul(s, d[0], d[1])), ag_mul_c(s, d[3], 0.003));
}
static agn_status log_loss(void *user, agn_scope *s, T const *in, T *out)
{
    T d[MOST], penalty = NULL;
    if (!take(user, s, in, d))
        return agn_scope_status(s);
    T edge = ag_sub(s, bench_network(s, in[PARAMS + 1], in, LAYERS), in[PARAMS + 2]);
    for (int i = 0; i < PARAMS; i += 2) {
        T w = ag_sum_all(s, ag_square(s, in[i]));
        penalty = penalty ? ag_add(s, penalty, w) : w;
    }
    out[0] = ag_add(s, ag_log(s, mean_square(s, burgers(s, d))),
                    ag_mul_c(s, mean_square(s, edge), 10));
    out[0] = ag_add(s, out[0], ag_mul_c(s, penalty, 1e-4));
    return agn_scope_status(s);
}
static agn_status poisson_by_operator(void *user, agn_scope *s, T const *in, T *out)
{
    T d[MOST];
    if (take(user, s, in, d))
        out[0] = mean_square(s, ag_add(s, d[0], ag_square(s, d[1])));
    return agn_scope_status(s);
}
static agn_status poisson_by_partials(void *user, agn_scope *s, T const *in, T *out)
{
    T d[MOST];
    if (take(user, s, in, d))
        out[0] = mean_square(s, ag_add(s, ag_add(s, d[1], d[2]), ag_square(s, d[0])));
    return agn_scope_status(s);
}
static agn_status third_order(void *user, agn_scope *s, T const *in, T *out)
{
    T d[MOST];
    if (!take(user, s, in, d))
        return agn_scope_status(s);
    T r = ag_add(s, ag_add(s, d[9], d[1]), ag_mul(s, d[0], d[8]));
    T q = ag_add(s, ag_sub(s, d[2], d[3]),
                 ag_add(s, ag_mul(s, d[5], d[6]), ag_sub(s, d[4], d[7])));
    out[0] = ag_add(s, mean_square(s, r), mean_square(s, q));
    return agn_scope_status(s);
}
static agn_status energy(void *user, agn_scope *s, T const *in, T *out)
{
    T d[MOST];
    if (!take(user, s, in, d))
        return agn_scope_status(s);
    T slope = ag_add(s, ag_square(s, d[1]), ag_square(s, d[2]));
    out[0] = ag_mean_all(s, ag_sub(s, ag_mul_c(s, slope, 0.5), d[0]));
    return agn_scope_status(s);
}
/* u(f, x) = branch(f) . trunk(x), on every pair of a function and a point */
static agn_status operator_network(void *user, agn_scope *s, T const *in, T *out)
{
    T d[MOST], trunk[2 * BRANCH + 1], u[3];
    const step *p = user;
    memcpy(trunk, in + 2 * BRANCH, 2 * BRANCH * sizeof *trunk);
    trunk[2 * BRANCH] = in[4 * BRANCH + 1];
    if (!take(p, s, trunk, d))
        return agn_scope_status(s);
    T b = bench_network(s, in[4 * BRANCH], in, BRANCH);
    for (int i = 0; i < 3; i++)
        u[i] = ag_matmul(s, b, ag_transpose(s, d[i]));
    T r = ag_sub(s, ag_sub(s, u[1], ag_mul_c(s, u[2], 0.01)),
                 ag_mul_c(s, ag_square(s, u[0]), 0.01));
    out[0] = mean_square(s, r);
    return agn_scope_status(s);
}

/* the same, each function on OWN points of its own */
static agn_status operator_on_own_points(void *user, agn_scope *s, T const *in, T *out)
{
    const int64_t flat[] = {FUNCTIONS * OWN, 2}, one[] = {FUNCTIONS, 1, TRUNK},
                  each[] = {FUNCTIONS, OWN, TRUNK};
    T d[MOST], trunk[2 * BRANCH + 1], u[3];
    const step *p = user;
    memcpy(trunk, in + 2 * BRANCH, 2 * BRANCH * sizeof *trunk);
    trunk[2 * BRANCH] = ag_reshape(s, in[4 * BRANCH + 1], 2, flat);
    if (agn_scope_status(s) || !take(p, s, trunk, d))
        return agn_scope_status(s);
    T b = ag_reshape(s, bench_network(s, in[4 * BRANCH], in, BRANCH), 3, one);
    for (int i = 0; i < 3; i++)
        u[i] = ag_sum(s, ag_mul(s, b, ag_reshape(s, d[i], 3, each)), (const int32_t[]){2}, 1, false);
    T r = ag_sub(s, ag_sub(s, u[1], ag_mul_c(s, u[2], 0.01)),
                 ag_mul_c(s, ag_square(s, u[0]), 0.01));
    out[0] = mean_square(s, r);
    return agn_scope_status(s);
}

/* ---- Gauss-Newton ---------------------------------------------------------------------------- */

/* the residual at one point; then the rows of its gradients at all of them */
static agn_status residual_at(void *user, agn_scope *s, T const *in, T *out)
{
    T d[MOST], one[PARAMS + 1];
    memcpy(one, in, sizeof one);
    one[PARAMS] = ag_reshape(s, in[PARAMS], 2, (const int64_t[]){1, 2});
    if (!agn_scope_status(s) && take(user, s, one, d))
        out[0] = ag_reshape(s, burgers(s, d), 0, NULL);
    return agn_scope_status(s);
}
static T jacobian(const step *p, agn_scope *s, T const *in)
{
    T row[PARAMS];
    if (!take(p, s, in, row))
        return NULL;
    for (int i = 0; i < PARAMS; i++)
        row[i] = ag_reshape(s, row[i], 2, (const int64_t[]){POINTS, -1});
    return ag_concat(s, row, PARAMS, 1);
}
static agn_status jacobian_alone(void *user, agn_scope *s, T const *in, T *out)
{
    out[0] = jacobian(user, s, in);
    return agn_scope_status(s);
}
static agn_status gauss_newton(void *user, agn_scope *s, T const *in, T *out)
{
    T j = jacobian(user, s, in);
    out[0] = j ? ag_matmul(s, ag_transpose(s, j), j) : NULL;
    return agn_scope_status(s);
}

/* ---- running them ---------------------------------------------------------------------------- */

static void call_step(void *user)
{
    step *p = user;
    for (int i = 0; i < MOST; i++) {
        agn_release(p->out[i]);
        p->out[i] = NULL;
    }
    TRY(agn_fn_call(p->out, agn_fn_n_out(p->call), p->call, (T const *)p->in, p->n_in));
}
static int check_step(void *user, double *value)
{
    const step *p = user;
    int n = agn_fn_n_out(p->call);
    value[0] = value[1] = 0;
    for (int i = 0; i < n; i++) {
        agn_tensor *y = bench_f64(p->out[i]);
        const double *v = agn_data(y);
        for (int64_t k = 0; k < agn_numel(y); k++)
            value[i > 0 || n == 1] += i || n == 1 ? v[k] * v[k] : v[k];
        agn_release(y);
    }
    value[1] = sqrt(value[1]);
    return 2;
}

static void measure_step(const char *id, step *p, agn_body *body, bool gradient)
{
    agn_fn *f = NULL, *g = NULL;
    int32_t argnums[MOST];
    for (int i = 0; i < p->n_param; i++)
        argnums[i] = i;
    TRY(agn_fn_new(&f, body, p, NULL, p->n_in, 1));
    if (gradient)
        TRY(agn_fn_value_and_grad(&g, f, argnums, p->n_param));
    TRY(agn_fn_compile(&p->call, gradient ? g : f, NULL));
    bench_plan(p->call, agn_dtype_of(p->in[0]) == AGN_F32);
    bench_measure(id, &(bench_work){call_step, check_step, p, 0});
    bench_explained(p->call);
    for (int i = 0; i < MOST; i++) {
        agn_release(p->out[i]);
        agn_release(p->in[i]);
    }
    agn_fn_release(p->call);
    agn_fn_release(p->inner);
    agn_fn_release(g);
    agn_fn_release(f);
}

static void fill_inputs(step *p, int64_t width, agn_dtype dtype)
{
    const int64_t size[LAYERS + 1] = {2, width, width, width, 1};
    bench_parameters(p->in, LAYERS, size, dtype);
    p->in[PARAMS] = bench_points(POINTS, dtype);
    p->n_param = PARAMS;
}

/* derivatives of u by order in x and t; none: the Laplacian */
static const struct {
    const char *id;
    agn_body *network, *loss;
    int32_t n, alpha[18];
} cases[] = {
    {"step/log-mean", tanh_network, log_loss, 3, {1, 0, 0, 1, 2, 0}},
    {"step/poisson-operator", tanh_network, poisson_by_operator, 0, {0}},
    {"step/poisson-partials", tanh_network, poisson_by_partials, 2, {2, 0, 0, 2}},
    {"step/third-order",
     tanh_network,
     third_order,
     9,
     {3, 0, 2, 1, 1, 2, 0, 3, 2, 0, 1, 1, 0, 2, 1, 0, 0, 1}},
    {"step/relu-energy", relu_network, energy, 2, {1, 0, 0, 1}},
    {"step/softplus-energy", softplus_network, energy, 2, {1, 0, 0, 1}},
};

static void run_case(size_t i, const char *id, agn_dtype dtype)
{
    step p = {.n_in = PARAMS + 1};
    agn_fn *u = NULL;
    fill_inputs(&p, 30, dtype);
    if (cases[i].loss == log_loss) {
        p.n_in = PARAMS + 3;
        p.in[PARAMS + 1] = bench_points(EDGE, dtype);
        p.in[PARAMS + 2] = bench_grid(2, (const int64_t[]){EDGE, 1}, -1, 1, 5, dtype);
    }
    TRY(agn_fn_new(&u, cases[i].network, NULL, NULL, PARAMS + 1, 1));
    if (cases[i].n)
        TRY(agn_fn_partials(&p.inner, u, PARAMS, cases[i].alpha, cases[i].n, 2));
    else
        TRY(agn_fn_laplacian(&p.inner, u, PARAMS));
    measure_step(id, &p, cases[i].loss, true);
    agn_fn_release(u);
}

static void run_operator_network(const char *id, agn_body *body, int64_t points, agn_dtype dtype)
{
    const int64_t branch[BRANCH + 1] = {SENSORS, TRUNK, TRUNK, TRUNK},
                  trunk[BRANCH + 1] = {2, TRUNK, TRUNK, TRUNK};
    step p = {.n_in = 4 * BRANCH + 2, .n_param = 4 * BRANCH};
    agn_fn *u = NULL;
    bench_parameters(p.in, BRANCH, branch, dtype);
    bench_parameters(p.in + 2 * BRANCH, BRANCH, trunk, dtype);
    p.in[4 * BRANCH] = bench_grid(2, (const int64_t[]){FUNCTIONS, SENSORS}, -1, 1, 3, dtype);
    p.in[4 * BRANCH + 1] = bench_points(points, dtype);
    TRY(agn_fn_new(&u, trunk_network, NULL, NULL, 2 * BRANCH + 1, 1));
    TRY(agn_fn_partials(&p.inner, u, 2 * BRANCH, (const int32_t[]){0, 1, 2, 0}, 2, 2));
    measure_step(id, &p, body, true);
    agn_fn_release(u);
}

static void run_gauss_newton(const char *id, agn_body *body, agn_dtype dtype)
{
    step p = {.n_in = PARAMS + 1}, point = {.n_in = PARAMS + 1};
    agn_fn *u = NULL, *r = NULL, *g = NULL;
    int32_t argnums[PARAMS], axes[PARAMS + 1] = {0};
    fill_inputs(&p, 20, dtype);
    for (int i = 0; i < PARAMS; i++) {
        argnums[i] = i;
        axes[i] = AGN_UNBATCHED;
    }
    TRY(agn_fn_new(&u, tanh_network, NULL, NULL, PARAMS + 1, 1));
    TRY(agn_fn_partials(&point.inner, u, PARAMS, (const int32_t[]){1, 0, 0, 1, 2, 0}, 3, 2));
    TRY(agn_fn_new(&r, residual_at, &point, NULL, PARAMS + 1, 1));
    TRY(agn_fn_grad(&g, r, argnums, PARAMS));
    TRY(agn_fn_vmap(&p.inner, g, axes, PARAMS + 1, NULL, 0));
    measure_step(id, &p, body, false);
    agn_fn_release(point.inner);
    agn_fn_release(u);
    agn_fn_release(r);
    agn_fn_release(g);
}

/* id with a dtype, and whether it is asked for */
static bool is_asked(char *full, size_t room, const char *id, agn_dtype dtype)
{
    snprintf(full, room, "%s/%s", id, agn_dtype_name(dtype));
    return bench_asked(full);
}

void bench_steps(void)
{
    char id[64];
    for (int k = 0; k < 2; k++) {
        agn_dtype dtype = k ? AGN_F32 : AGN_F64;
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
            if (is_asked(id, sizeof id, cases[i].id, dtype))
                run_case(i, id, dtype);
        if (is_asked(id, sizeof id, "step/operator-network", dtype))
            run_operator_network(id, operator_network, POINTS / 4, dtype);
        if (is_asked(id, sizeof id, "step/operator-own-points", dtype))
            run_operator_network(id, operator_on_own_points, FUNCTIONS * OWN, dtype);
        if (is_asked(id, sizeof id, "step/jacobian", dtype))
            run_gauss_newton(id, jacobian_alone, dtype);
        if (is_asked(id, sizeof id, "step/gauss-newton", dtype))
            run_gauss_newton(id, gauss_newton, dtype);
    }
}
