/* bench/steps-networks.c - training steps of networks of several kinds, losses and batches: what a
   user of physics-informed networks, energies, inverse problems and scores writes first. */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef const agn_tensor *T;
enum { MOST = 24, MOST_AXES = 10, EDGE = 512, FEATURES = 16 };
typedef enum kind { PLAIN, RESIDUAL, GATED, FOURIER } kind;

struct problem;
typedef T loss_of(const struct problem *p, agn_scope *s, T const *d, T const *more);
typedef agn_status operator_of(agn_fn **out, const agn_fn *f, int32_t argnum);

typedef struct row {
    const char *id;
    kind kind;
    bench_activation *activation;
    int hidden, width, n_out, n_axis;
    int64_t points;
    loss_of *loss;
    operator_of *operator; /* or, if NULL: */
    int32_t n, alpha[2 * MOST_AXES * MOST_AXES];
    const char *more;   /* arguments behind the points: see fill_more */
    const char *dtypes; /* of f64 and f32 */
} row;

typedef struct problem {
    row r;
    agn_fn *derivatives, *call;
    agn_tensor *in[MOST], *out[MOST];
    int n_layer, n_param, n_in, n_train;
} problem;

/* ---- activations and networks --------------------------------------------------------------- */

static T silu(agn_scope *s, T x)
{
    return ag_mul(s, x, ag_sigmoid(s, x));
}
static T softplus(agn_scope *s, T x)
{
    return ag_softplus(s, x);
}
static T gelu(agn_scope *s, T x)
{
    return ag_gelu(s, x);
}
static T sigmoid(agn_scope *s, T x)
{
    return ag_sigmoid(s, x);
}

static T apply_layer(agn_scope *s, T h, T const *w)
{
    return ag_add(s, ag_matmul(s, h, w[0]), w[1]);
}

static T apply_network(const problem *p, agn_scope *s, T const *in, T x)
{
    T h = x, u = NULL, v = NULL;
    if (p->r.kind == PLAIN)
        return bench_network_of(s, x, in, p->n_layer, p->r.activation);
    if (p->r.kind == FOURIER) {
        T z = ag_matmul(s, x, in[p->n_param + 1]);
        h = ag_concat(s, (T[]){ag_sin(s, z), ag_cos(s, z)}, 2, 1);
        return bench_network_of(s, h, in, p->n_layer, p->r.activation);
    }
    if (p->r.kind == GATED) {
        u = p->r.activation(s, apply_layer(s, x, in + 2 * p->n_layer));
        v = p->r.activation(s, apply_layer(s, x, in + 2 * p->n_layer + 2));
    }
    for (int l = 0; l < p->n_layer - 1; l++) {
        T z = p->r.activation(s, apply_layer(s, h, in + 2 * l));
        if (p->r.kind == GATED)
            h = ag_add(s, ag_mul(s, ag_add_c(s, ag_neg(s, z), 1), u), ag_mul(s, z, v));
        else
            h = l ? ag_add(s, h, z) : z;
    }
    return apply_layer(s, h, in + 2 * p->n_layer - 2);
}

static agn_status network(void *user, agn_scope *s, T const *in, T *out)
{
    const problem *p = user;
    out[0] = apply_network(p, s, in, in[p->n_param]);
    return agn_scope_status(s);
}

/* ---- losses: d is u, then its derivatives in the order of the table ------------------------- */

static T mean_square(agn_scope *s, T r)
{
    return ag_mean_all(s, ag_square(s, r));
}
static T column(agn_scope *s, T x, int64_t j)
{
    return ag_index_axis(s, x, 1, j);
}
static T burgers_residual(agn_scope *s, T const *d)
{
    return ag_sub(s, ag_add(s, d[2], ag_mul(s, d[0], d[1])), ag_mul_c(s, d[3], 0.003));
}

static T helmholtz(const problem *p, agn_scope *s, T const *d, T const *more)
{
    (void)p, (void)more;
    return mean_square(s, ag_add_c(s, ag_add(s, d[0], ag_mul_c(s, d[1], 16)), -1));
}
static T burgers(const problem *p, agn_scope *s, T const *d, T const *more)
{
    (void)p, (void)more;
    return mean_square(s, burgers_residual(s, d));
}
static T allen_cahn(const problem *p, agn_scope *s, T const *d, T const *more)
{
    (void)p, (void)more;
    T u3 = ag_mul(s, d[0], ag_square(s, d[0]));
    T r = ag_sub(s, d[1], ag_mul_c(s, d[2], 1e-4));
    return mean_square(s, ag_add(s, r, ag_mul_c(s, ag_sub(s, u3, d[0]), 5)));
}
static T wave(const problem *p, agn_scope *s, T const *d, T const *more)
{
    (void)p, (void)more;
    return mean_square(s, ag_sub(s, d[1], d[2]));
}
static T heat(const problem *p, agn_scope *s, T const *d, T const *more)
{
    (void)p, (void)more;
    return mean_square(s, ag_sub(s, d[1], ag_mul_c(s, d[2], 0.1)));
}
static T plate(const problem *p, agn_scope *s, T const *d, T const *more)
{
    (void)p, (void)more;
    return mean_square(s, ag_add_c(s, d[0], -1));
}
/* Hamilton, Jacobi, Bellman: the second derivatives, then the first ones */
static T bellman(const problem *p, agn_scope *s, T const *d, T const *more)
{
    (void)more;
    T lap = d[1], square = ag_square(s, d[1 + p->r.n_axis]);
    for (int i = 1; i < p->r.n_axis; i++) {
        lap = ag_add(s, lap, d[1 + i]);
        square = ag_add(s, square, ag_square(s, d[1 + p->r.n_axis + i]));
    }
    return mean_square(s, ag_sub(s, ag_add(s, lap, d[0]), square));
}
static T reaction(const problem *p, agn_scope *s, T const *d, T const *more)
{
    (void)p, (void)more;
    T u = column(s, d[0], 0), v = column(s, d[0], 1), uvv = ag_mul(s, u, ag_square(s, v));
    T r = ag_sub(s, column(s, d[1], 0), ag_mul_c(s, column(s, d[2], 0), 0.02));
    T q = ag_sub(s, column(s, d[1], 1), ag_mul_c(s, column(s, d[2], 1), 0.01));
    r = ag_sub(s, ag_add(s, r, uvv), ag_mul_c(s, ag_add_c(s, ag_neg(s, u), 1), 0.04));
    q = ag_add(s, ag_sub(s, q, uvv), ag_mul_c(s, v, 0.1));
    return ag_add(s, mean_square(s, r), mean_square(s, q));
}
/* the viscosity is learned from measured values: more is it, their points, they */
static T inverse(const problem *p, agn_scope *s, T const *d, T const *more)
{
    T const *in = more - p->n_param - 1; /* the network is applied twice */
    T r = ag_sub(s, ag_add(s, d[2], ag_mul(s, d[0], d[1])), ag_mul(s, d[3], more[0]));
    T miss = ag_sub(s, apply_network(p, s, in, more[1]), more[2]);
    return ag_add(s, mean_square(s, r), ag_mul_c(s, mean_square(s, miss), 10));
}
/* more: values at the points themselves */
static T two_means(const problem *p, agn_scope *s, T const *d, T const *more)
{
    (void)p;
    T r = mean_square(s, burgers_residual(s, d));
    return ag_add(s, r, ag_mul_c(s, mean_square(s, ag_sub(s, d[0], more[0])), 10));
}
static T rayleigh(const problem *p, agn_scope *s, T const *d, T const *more)
{
    (void)p, (void)more;
    T slope = ag_add(s, ag_square(s, d[1]), ag_square(s, d[2]));
    return ag_div(s, ag_mean_all(s, slope), mean_square(s, d[0]));
}
static T pseudo_huber(const problem *p, agn_scope *s, T const *d, T const *more)
{
    (void)p, (void)more;
    T r = ag_square(s, burgers_residual(s, d));
    return ag_mean_all(s, ag_add_c(s, ag_sqrt(s, ag_add_c(s, r, 1)), -1));
}
/* more: a trained weight for each point */
static T self_adaptive(const problem *p, agn_scope *s, T const *d, T const *more)
{
    (void)p;
    T r = ag_square(s, burgers_residual(s, d));
    return ag_mean_all(s, ag_mul(s, ag_softplus(s, more[0]), r));
}
/* d: u, u_x, u_t, u_xx, u_xt, u_xxx */
static T gradient_enhanced(const problem *p, agn_scope *s, T const *d, T const *more)
{
    (void)p, (void)more;
    T q = ag_add(s, d[4], ag_add(s, ag_square(s, d[1]), ag_mul(s, d[0], d[3])));
    q = ag_sub(s, q, ag_mul_c(s, d[5], 0.003));
    T r = mean_square(s, burgers_residual(s, d));
    return ag_add(s, r, ag_mul_c(s, mean_square(s, q), 0.01));
}
/* more: points of the boundary, values there */
static T ritz(const problem *p, agn_scope *s, T const *d, T const *more)
{
    T const *in = more - p->n_param - 1;
    T slope = ag_add(s, ag_square(s, d[1]), ag_square(s, d[2]));
    T miss = ag_sub(s, apply_network(p, s, in, more[0]), more[1]);
    T e = ag_mean_all(s, ag_sub(s, ag_mul_c(s, slope, 0.5), d[0]));
    return ag_add(s, e, ag_mul_c(s, mean_square(s, miss), 100));
}
static T schrodinger(const problem *p, agn_scope *s, T const *d, T const *more)
{
    (void)p, (void)more;
    T size = ag_sum(s, ag_square(s, d[0]), (const int32_t[]){1}, 1, true);
    T r = ag_mul_c(s, d[2], 0.5), c = ag_mul(s, size, d[0]);
    T re = ag_add(s, column(s, r, 0), column(s, c, 0));
    T im = ag_add(s, column(s, r, 1), column(s, c, 1));
    re = ag_sub(s, re, column(s, d[1], 1));
    im = ag_add(s, im, column(s, d[1], 0));
    return ag_add(s, mean_square(s, re), mean_square(s, im));
}
static T elasticity(const problem *p, agn_scope *s, T const *d, T const *more)
{
    (void)p, (void)more;
    T xx = column(s, d[1], 0), yy = column(s, d[2], 1);
    T xy = ag_mul_c(s, ag_add(s, column(s, d[1], 1), column(s, d[2], 0)), 0.5);
    T trace = ag_square(s, ag_add(s, xx, yy));
    T e = ag_add(s, ag_square(s, xx),
                 ag_add(s, ag_square(s, yy), ag_mul_c(s, ag_square(s, xy), 2)));
    e = ag_add(s, ag_mul_c(s, trace, 0.6), ag_mul_c(s, e, 0.4));
    return ag_mean_all(s, ag_sub(s, e, column(s, d[0], 1)));
}
static T poisson(const problem *p, agn_scope *s, T const *d, T const *more)
{
    (void)p, (void)more;
    return mean_square(s, ag_add(s, d[0], ag_square(s, d[1])));
}
static T score(const problem *p, agn_scope *s, T const *d, T const *more)
{
    (void)p, (void)more;
    T square = ag_sum(s, ag_square(s, d[1]), (const int32_t[]){1}, 1, false);
    return ag_mean_all(s, ag_add(s, d[0], ag_mul_c(s, square, 0.5)));
}
static T eikonal(const problem *p, agn_scope *s, T const *d, T const *more)
{
    (void)p, (void)more;
    T slope = ag_add(s, ag_square(s, d[1]), ag_square(s, d[2]));
    return mean_square(s, ag_add_c(s, ag_sqrt(s, slope), -1));
}
/* more: values, slopes in x and in y */
static T sobolev(const problem *p, agn_scope *s, T const *d, T const *more)
{
    (void)p;
    T sum = mean_square(s, ag_sub(s, d[0], more[0]));
    sum = ag_add(s, sum, mean_square(s, ag_sub(s, d[1], more[1])));
    return ag_add(s, sum, mean_square(s, ag_sub(s, d[2], more[2])));
}

static agn_status loss(void *user, agn_scope *s, T const *in, T *out)
{
    const problem *p = user;
    T d[MOST];
    if (!agn_fn_apply(s, d, agn_fn_n_out(p->derivatives), p->derivatives, in,
                      agn_fn_n_in(p->derivatives)))
        out[0] = p->r.loss(p, s, d, in + p->n_param + 1);
    return agn_scope_status(s);
}

/* ---- the table: hidden layers, width, outputs, axes, points --------------------------------- */

/* clang-format off */
static const row rows[] = {
    {"step/siren-helmholtz", PLAIN, ag_sin, 3, 64, 1, 2, 4096, helmholtz, agn_fn_laplacian, 0, {0}, "", "f64 f32"},
    {"step/gated-burgers", GATED, ag_tanh, 3, 40, 1, 2, 4096, burgers, NULL, 3, {1, 0, 0, 1, 2, 0}, "", "f64 f32"},
    {"step/residual-allen-cahn", RESIDUAL, ag_tanh, 4, 32, 1, 2, 1000, allen_cahn, NULL, 2, {0, 1, 2, 0}, "", "f64"},
    {"step/fourier-wave", FOURIER, ag_tanh, 3, 32, 1, 2, 10000, wave, NULL, 2, {0, 2, 2, 0}, "B", "f64 f32"},
    {"step/gelu-heat", PLAIN, gelu, 4, 32, 1, 2, 4096, heat, NULL, 2, {0, 1, 2, 0}, "", "f64 f32"},
    {"step/silu-plate", PLAIN, silu, 3, 32, 1, 2, 1024, plate, agn_fn_biharmonic, 0, {0}, "", "f64"},
    {"step/bellman-d10", PLAIN, ag_tanh, 3, 64, 1, 10, 512, bellman, NULL, 20, {0}, "", "f64"},
    {"step/reaction", PLAIN, ag_tanh, 4, 30, 2, 2, 4096, reaction, NULL, 2, {0, 1, 2, 0}, "", "f64 f32"},
    {"step/inverse", PLAIN, ag_tanh, 4, 30, 1, 2, 4096, inverse, NULL, 3, {1, 0, 0, 1, 2, 0}, "cxu", "f64"},
    {"step/two-means", PLAIN, ag_tanh, 4, 30, 1, 2, 4096, two_means, NULL, 3, {1, 0, 0, 1, 2, 0}, "v", "f64 f32"},
    {"step/rayleigh", PLAIN, ag_tanh, 3, 40, 1, 2, 4096, rayleigh, NULL, 2, {1, 0, 0, 1}, "", "f64"},
    {"step/pseudo-huber", PLAIN, ag_tanh, 4, 30, 1, 2, 4096, pseudo_huber, NULL, 3, {1, 0, 0, 1, 2, 0}, "", "f32"},
    {"step/self-adaptive", PLAIN, ag_tanh, 4, 30, 1, 2, 4096, self_adaptive, NULL, 3, {1, 0, 0, 1, 2, 0}, "w", "f64"},
    {"step/gradient-enhanced", PLAIN, ag_tanh, 3, 30, 1, 2, 4096, gradient_enhanced, NULL, 5, {1, 0, 0, 1, 2, 0, 1, 1, 3, 0}, "", "f64"},
    {"step/ritz-n100", PLAIN, softplus, 3, 20, 1, 2, 100, ritz, NULL, 2, {1, 0, 0, 1}, "xu", "f64"},
    {"step/sigmoid-n100000", PLAIN, sigmoid, 3, 24, 1, 2, 100000, allen_cahn, NULL, 2, {0, 1, 2, 0}, "", "f32"},
    {"step/schrodinger", PLAIN, ag_tanh, 4, 50, 2, 2, 5000, schrodinger, NULL, 2, {0, 1, 2, 0}, "", "f64"},
    {"step/elasticity", RESIDUAL, ag_tanh, 3, 40, 2, 2, 4096, elasticity, NULL, 2, {1, 0, 0, 1}, "", "f64"},
    {"step/silu-poisson3", PLAIN, silu, 3, 48, 1, 3, 4096, poisson, agn_fn_laplacian, 0, {0}, "", "f32"},
    {"step/score-d8", PLAIN, softplus, 3, 64, 8, 8, 2048, score, agn_fn_divergence, 0, {0}, "", "f32"},
    {"step/eikonal", PLAIN, softplus, 4, 40, 1, 2, 4096, eikonal, NULL, 2, {1, 0, 0, 1}, "", "f64 f32"},
    {"step/sobolev", PLAIN, ag_tanh, 3, 40, 1, 2, 4096, sobolev, NULL, 2, {1, 0, 0, 1}, "vvv", "f64"},
};
/* clang-format on */

/* ---- running them --------------------------------------------------------------------------- */

static void call_step(void *user)
{
    problem *p = user;
    for (int i = 0; i < MOST; i++) {
        agn_release(p->out[i]);
        p->out[i] = NULL;
    }
    TRY(agn_fn_call(p->out, agn_fn_n_out(p->call), p->call, (T const *)p->in, p->n_in));
}
static int check_step(void *user, double *value)
{
    const problem *p = user;
    value[0] = value[1] = 0;
    for (int i = 0; i < agn_fn_n_out(p->call); i++) {
        agn_tensor *y = bench_f64(p->out[i]);
        const double *v = agn_data(y);
        for (int64_t k = 0; k < agn_numel(y); k++)
            value[i > 0] += i ? v[k] * v[k] : v[k];
        agn_release(y);
    }
    value[1] = sqrt(value[1]);
    return 2;
}

/* B: frequencies; c: a trained number; w: trained, x: points elsewhere, u: values there, v:
   values */
static void fill_more(problem *p, agn_dtype dtype)
{
    const int64_t at[2] = {p->r.points, 1}, there[2] = {EDGE, 1},
                  frequencies[2] = {p->r.n_axis, FEATURES};
    for (const char *c = p->r.more; *c; c++) {
        agn_tensor **x = &p->in[p->n_in];
        int salt = 50 + p->n_in - p->n_param;
        if (*c == 'B')
            *x = bench_grid(2, frequencies, -3, 3, salt, dtype);
        else if (*c == 'c')
            *x = bench_grid(0, NULL, 0, 0.01, salt, dtype);
        else if (*c == 'x')
            *x = bench_points(EDGE, dtype);
        else
            *x = bench_grid(2, *c == 'u' ? there : at, -1, 1, salt, dtype);
        p->n_in++;
    }
    p->n_train = p->n_param + (*p->r.more == 'c' || *p->r.more == 'w');
}

static void fill_parameters(problem *p, agn_dtype dtype)
{
    int64_t size[8] = {p->r.kind == FOURIER ? 2 * FEATURES : p->r.n_axis};
    for (int i = 1; i <= p->r.hidden; i++)
        size[i] = p->r.width;
    size[p->r.hidden + 1] = p->r.n_out;
    p->n_layer = p->r.hidden + 1;
    p->n_param = 2 * p->n_layer;
    bench_parameters(p->in, p->n_layer, size, dtype);
    for (int k = 0; p->r.kind == GATED && k < 2; k++) { /* the two gates */
        double a = sqrt(6.0 / (double)(size[0] + size[1]));
        p->in[p->n_param] = bench_grid(2, size, -a, a, 40 + 2 * k, dtype);
        p->in[p->n_param + 1] = bench_grid(1, size + 1, -0.1, 0.1, 41 + 2 * k, dtype);
        p->n_param += 2;
    }
    p->in[p->n_param] = p->r.n_axis == 2
                            ? bench_points(p->r.points, dtype)
                            : bench_grid(2, (int64_t[]){p->r.points, p->r.n_axis}, -1, 1, 1, dtype);
    p->n_in = p->n_param + 1;
}

static void run_problem(const row *r, const char *id, agn_dtype dtype)
{
    problem p = {.r = *r};
    agn_fn *u = NULL, *f = NULL, *g = NULL;
    int32_t argnums[MOST];
    fill_parameters(&p, dtype);
    fill_more(&p, dtype);
    if (p.r.n_axis == MOST_AXES) /* all second, then all first derivatives */
        for (int k = 0; k < p.r.n; k++)
            p.r.alpha[k * p.r.n_axis + k % p.r.n_axis] = k < p.r.n_axis ? 2 : 1;
    for (int i = 0; i < p.n_train; i++)
        argnums[i] = i < p.n_param ? i : p.n_param + 1;
    TRY(agn_fn_new(&u, network, &p, NULL, p.n_param + 1 + (p.r.kind == FOURIER), 1));
    if (p.r.operator)
        TRY(p.r.operator(&p.derivatives, u, p.n_param));
    else
        TRY(agn_fn_partials(&p.derivatives, u, p.n_param, p.r.alpha, p.r.n, p.r.n_axis));
    TRY(agn_fn_new(&f, loss, &p, NULL, p.n_in, 1));
    TRY(agn_fn_value_and_grad(&g, f, argnums, p.n_train));
    TRY(agn_fn_compile(&p.call, g, NULL));
    bench_plan(p.call, dtype == AGN_F32);
    bench_measure(id, &(bench_work){call_step, check_step, &p, 0});
    bench_explained(p.call);
    for (int i = 0; i < MOST; i++) {
        agn_release(p.out[i]);
        agn_release(p.in[i]);
    }
    agn_fn_release(p.call);
    agn_fn_release(p.derivatives);
    agn_fn_release(u);
    agn_fn_release(f);
    agn_fn_release(g);
}

void bench_steps_networks(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int f32 = 0; f32 < 2; f32++) {
            char id[64];
            const char *dtype = f32 ? "f32" : "f64";
            snprintf(id, sizeof id, "%s/%s", rows[i].id, dtype);
            if (strstr(rows[i].dtypes, dtype) && bench_asked(id))
                run_problem(&rows[i], id, f32 ? AGN_F32 : AGN_F64);
        }
}
