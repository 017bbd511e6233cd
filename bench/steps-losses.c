/* bench/steps-losses.c - the losses of training steps and their table: what a user of
   physics-informed networks, energies, inverse problems and scores writes first. */
#include "steps.h"

typedef const agn_tensor *T;

/* ---- activations ----------------------------------------------------------------------------- */

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

static T mish(agn_scope *s, T x)
{
    return ag_mul(s, x, ag_tanh(s, ag_softplus(s, x)));
}
static T gauss(agn_scope *s, T x)
{
    return ag_exp(s, ag_neg(s, ag_square(s, x)));
}
static T cubed_relu(agn_scope *s, T x)
{
    T y = ag_relu(s, x);
    return ag_mul(s, y, ag_square(s, y));
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

static T helmholtz(const bench_step *p, agn_scope *s, T const *d, T const *more)
{
    (void)p, (void)more;
    return mean_square(s, ag_add_c(s, ag_add(s, d[0], ag_mul_c(s, d[1], 16)), -1));
}
static T burgers(const bench_step *p, agn_scope *s, T const *d, T const *more)
{
    (void)p, (void)more;
    return mean_square(s, burgers_residual(s, d));
}
static T allen_cahn(const bench_step *p, agn_scope *s, T const *d, T const *more)
{
    (void)p, (void)more;
    T u3 = ag_mul(s, d[0], ag_square(s, d[0]));
    T r = ag_sub(s, d[1], ag_mul_c(s, d[2], 1e-4));
    return mean_square(s, ag_add(s, r, ag_mul_c(s, ag_sub(s, u3, d[0]), 5)));
}
static T wave(const bench_step *p, agn_scope *s, T const *d, T const *more)
{
    (void)p, (void)more;
    return mean_square(s, ag_sub(s, d[1], d[2]));
}
static T heat(const bench_step *p, agn_scope *s, T const *d, T const *more)
{
    (void)p, (void)more;
    return mean_square(s, ag_sub(s, d[1], ag_mul_c(s, d[2], 0.1)));
}
static T plate(const bench_step *p, agn_scope *s, T const *d, T const *more)
{
    (void)p, (void)more;
    return mean_square(s, ag_add_c(s, d[0], -1));
}
/* Hamilton, Jacobi, Bellman: the second derivatives, then the first ones */
static T bellman(const bench_step *p, agn_scope *s, T const *d, T const *more)
{
    (void)more;
    T lap = d[1], square = ag_square(s, d[1 + p->r.n_axis]);
    for (int i = 1; i < p->r.n_axis; i++) {
        lap = ag_add(s, lap, d[1 + i]);
        square = ag_add(s, square, ag_square(s, d[1 + p->r.n_axis + i]));
    }
    return mean_square(s, ag_sub(s, ag_add(s, lap, d[0]), square));
}
static T reaction(const bench_step *p, agn_scope *s, T const *d, T const *more)
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
static T inverse(const bench_step *p, agn_scope *s, T const *d, T const *more)
{
    T const *in = more - p->n_param - 1; /* the network is applied twice */
    T r = ag_sub(s, ag_add(s, d[2], ag_mul(s, d[0], d[1])), ag_mul(s, d[3], more[0]));
    T miss = ag_sub(s, p->r.kind->apply(p, s, in, more[1]), more[2]);
    return ag_add(s, mean_square(s, r), ag_mul_c(s, mean_square(s, miss), 10));
}
/* more: values at the points themselves */
static T two_means(const bench_step *p, agn_scope *s, T const *d, T const *more)
{
    (void)p;
    T r = mean_square(s, burgers_residual(s, d));
    return ag_add(s, r, ag_mul_c(s, mean_square(s, ag_sub(s, d[0], more[0])), 10));
}
static T rayleigh(const bench_step *p, agn_scope *s, T const *d, T const *more)
{
    (void)p, (void)more;
    T slope = ag_add(s, ag_square(s, d[1]), ag_square(s, d[2]));
    return ag_div(s, ag_mean_all(s, slope), mean_square(s, d[0]));
}
static T pseudo_huber(const bench_step *p, agn_scope *s, T const *d, T const *more)
{
    (void)p, (void)more;
    T r = ag_square(s, burgers_residual(s, d));
    return ag_mean_all(s, ag_add_c(s, ag_sqrt(s, ag_add_c(s, r, 1)), -1));
}
/* more: a trained weight for each point */
static T self_adaptive(const bench_step *p, agn_scope *s, T const *d, T const *more)
{
    (void)p;
    T r = ag_square(s, burgers_residual(s, d));
    return ag_mean_all(s, ag_mul(s, ag_softplus(s, more[0]), r));
}
/* d: u, u_x, u_t, u_xx, u_xt, u_xxx */
static T gradient_enhanced(const bench_step *p, agn_scope *s, T const *d, T const *more)
{
    (void)p, (void)more;
    T q = ag_add(s, d[4], ag_add(s, ag_square(s, d[1]), ag_mul(s, d[0], d[3])));
    q = ag_sub(s, q, ag_mul_c(s, d[5], 0.003));
    T r = mean_square(s, burgers_residual(s, d));
    return ag_add(s, r, ag_mul_c(s, mean_square(s, q), 0.01));
}
/* more: points of the boundary, values there */
static T ritz(const bench_step *p, agn_scope *s, T const *d, T const *more)
{
    T const *in = more - p->n_param - 1;
    T slope = ag_add(s, ag_square(s, d[1]), ag_square(s, d[2]));
    T miss = ag_sub(s, p->r.kind->apply(p, s, in, more[0]), more[1]);
    T e = ag_mean_all(s, ag_sub(s, ag_mul_c(s, slope, 0.5), d[0]));
    return ag_add(s, e, ag_mul_c(s, mean_square(s, miss), 100));
}
static T schrodinger(const bench_step *p, agn_scope *s, T const *d, T const *more)
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
static T elasticity(const bench_step *p, agn_scope *s, T const *d, T const *more)
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
static T poisson(const bench_step *p, agn_scope *s, T const *d, T const *more)
{
    (void)p, (void)more;
    return mean_square(s, ag_add(s, d[0], ag_square(s, d[1])));
}
static T score(const bench_step *p, agn_scope *s, T const *d, T const *more)
{
    (void)p, (void)more;
    T square = ag_sum(s, ag_square(s, d[1]), (const int32_t[]){1}, 1, false);
    return ag_mean_all(s, ag_add(s, d[0], ag_mul_c(s, square, 0.5)));
}
static T eikonal(const bench_step *p, agn_scope *s, T const *d, T const *more)
{
    (void)p, (void)more;
    T slope = ag_add(s, ag_square(s, d[1]), ag_square(s, d[2]));
    return mean_square(s, ag_add_c(s, ag_sqrt(s, slope), -1));
}
/* more: values, slopes in x and in y */
static T sobolev(const bench_step *p, agn_scope *s, T const *d, T const *more)
{
    (void)p;
    T sum = mean_square(s, ag_sub(s, d[0], more[0]));
    sum = ag_add(s, sum, mean_square(s, ag_sub(s, d[1], more[1])));
    return ag_add(s, sum, mean_square(s, ag_sub(s, d[2], more[2])));
}

static T energy(const bench_step *p, agn_scope *s, T const *d, T const *more)
{
    (void)p, (void)more;
    T slope = ag_add(s, ag_square(s, d[1]), ag_square(s, d[2]));
    return ag_mean_all(s, ag_sub(s, ag_mul_c(s, slope, 0.5), d[0]));
}
static T flow(const bench_step *p, agn_scope *s, T const *d, T const *more)
{
    (void)p, (void)more;
    return ag_add(s, mean_square(s, d[0]), mean_square(s, d[1]));
}

/* ---- the table: hidden layers, width, outputs, axes, points --------------------------------- */

/* clang-format off */
const bench_step_row bench_step_rows[] = {
    {"step/siren-helmholtz", &bench_step_plain, ag_sin, 3, 64, 1, 2, 4096, helmholtz, agn_fn_laplacian, 0, {0}, "", "f64 f32"},
    {"step/gated-burgers", &bench_step_gated, ag_tanh, 3, 40, 1, 2, 4096, burgers, NULL, 3, {1, 0, 0, 1, 2, 0}, "", "f64 f32"},
    {"step/residual-allen-cahn", &bench_step_residual, ag_tanh, 4, 32, 1, 2, 1000, allen_cahn, NULL, 2, {0, 1, 2, 0}, "", "f64"},
    {"step/fourier-wave", &bench_step_fourier, ag_tanh, 3, 32, 1, 2, 10000, wave, NULL, 2, {0, 2, 2, 0}, "B", "f64 f32"},
    {"step/gelu-heat", &bench_step_plain, gelu, 4, 32, 1, 2, 4096, heat, NULL, 2, {0, 1, 2, 0}, "", "f64 f32"},
    {"step/silu-plate", &bench_step_plain, silu, 3, 32, 1, 2, 1024, plate, agn_fn_biharmonic, 0, {0}, "", "f64"},
    {"step/bellman-d10", &bench_step_plain, ag_tanh, 3, 64, 1, 10, 512, bellman, NULL, 20, {0}, "", "f64"},
    {"step/reaction", &bench_step_plain, ag_tanh, 4, 30, 2, 2, 4096, reaction, NULL, 2, {0, 1, 2, 0}, "", "f64 f32"},
    {"step/inverse", &bench_step_plain, ag_tanh, 4, 30, 1, 2, 4096, inverse, NULL, 3, {1, 0, 0, 1, 2, 0}, "cxu", "f64"},
    {"step/two-means", &bench_step_plain, ag_tanh, 4, 30, 1, 2, 4096, two_means, NULL, 3, {1, 0, 0, 1, 2, 0}, "v", "f64 f32"},
    {"step/rayleigh", &bench_step_plain, ag_tanh, 3, 40, 1, 2, 4096, rayleigh, NULL, 2, {1, 0, 0, 1}, "", "f64"},
    {"step/pseudo-huber", &bench_step_plain, ag_tanh, 4, 30, 1, 2, 4096, pseudo_huber, NULL, 3, {1, 0, 0, 1, 2, 0}, "", "f32"},
    {"step/self-adaptive", &bench_step_plain, ag_tanh, 4, 30, 1, 2, 4096, self_adaptive, NULL, 3, {1, 0, 0, 1, 2, 0}, "w", "f64"},
    {"step/gradient-enhanced", &bench_step_plain, ag_tanh, 3, 30, 1, 2, 4096, gradient_enhanced, NULL, 5, {1, 0, 0, 1, 2, 0, 1, 1, 3, 0}, "", "f64"},
    {"step/ritz-n100", &bench_step_plain, softplus, 3, 20, 1, 2, 100, ritz, NULL, 2, {1, 0, 0, 1}, "xu", "f64"},
    {"step/sigmoid-n100000", &bench_step_plain, sigmoid, 3, 24, 1, 2, 100000, allen_cahn, NULL, 2, {0, 1, 2, 0}, "", "f32"},
    {"step/schrodinger", &bench_step_plain, ag_tanh, 4, 50, 2, 2, 5000, schrodinger, NULL, 2, {0, 1, 2, 0}, "", "f64"},
    {"step/elasticity", &bench_step_residual, ag_tanh, 3, 40, 2, 2, 4096, elasticity, NULL, 2, {1, 0, 0, 1}, "", "f64"},
    {"step/silu-poisson3", &bench_step_plain, silu, 3, 48, 1, 3, 4096, poisson, agn_fn_laplacian, 0, {0}, "", "f32"},
    {"step/score-d8", &bench_step_plain, softplus, 3, 64, 8, 8, 2048, score, agn_fn_divergence, 0, {0}, "", "f32"},
    {"step/eikonal", &bench_step_plain, softplus, 4, 40, 1, 2, 4096, eikonal, NULL, 2, {1, 0, 0, 1}, "", "f64 f32"},
    {"step/sobolev", &bench_step_plain, ag_tanh, 3, 40, 1, 2, 4096, sobolev, NULL, 2, {1, 0, 0, 1}, "vvv", "f64"},
    /* written later, of other kinds, and tuned for by nobody before they were measured */
    {"step/plain-relu-energy", &bench_step_plain, cubed_relu, 3, 32, 1, 2, 4096, energy, NULL, 2, {1, 0, 0, 1}, "", "f64"},
    {"step/residual-energy", &bench_step_residual, softplus, 3, 40, 1, 2, 4096, energy, NULL, 2, {1, 0, 0, 1}, "", "f64"},
    {"step/normalised-energy", &bench_step_normalised, ag_tanh, 2, 32, 1, 2, 4096, energy, NULL, 2, {1, 0, 0, 1}, "", "f64"},
    {"step/normalised-poisson", &bench_step_normalised, ag_tanh, 2, 32, 1, 2, 4096, poisson, agn_fn_laplacian, 0, {0}, "", "f64"},
    {"step/silu-poisson10", &bench_step_plain, silu, 2, 64, 1, 10, 1024, poisson, agn_fn_laplacian, 0, {0}, "", "f64"},
    {"step/mish-poisson", &bench_step_plain, mish, 3, 24, 1, 2, 4096, poisson, agn_fn_laplacian, 0, {0}, "", "f64"},
    {"step/gauss-poisson", &bench_step_plain, gauss, 2, 50, 1, 2, 10000, poisson, agn_fn_laplacian, 0, {0}, "", "f64"},
    {"step/distance-poisson3", &bench_step_distance, ag_tanh, 2, 40, 1, 3, 4096, poisson, agn_fn_laplacian, 0, {0}, "", "f64"},
    {"step/skip-poisson", &bench_step_skip, ag_tanh, 2, 32, 1, 2, 4096, poisson, agn_fn_laplacian, 0, {0}, "", "f64"},
    {"step/bounded-poisson", &bench_step_bounded, ag_tanh, 2, 40, 1, 2, 4096, poisson, agn_fn_laplacian, 0, {0}, "", "f64"},
    {"step/silu-divergence2", &bench_step_plain, silu, 2, 40, 2, 2, 4096, flow, agn_fn_divergence, 0, {0}, "", "f64"},
    {"step/tanh-divergence3", &bench_step_plain, ag_tanh, 3, 40, 3, 3, 4096, flow, agn_fn_divergence, 0, {0}, "", "f64"},
};
/* clang-format on */
const size_t bench_n_step_rows = sizeof bench_step_rows / sizeof *bench_step_rows;
