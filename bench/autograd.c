/* bench/autograd.c - derivatives of whole programs: mixtures, adjustment of bundles, networks,
   loops, implicit functions. */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_IN = 8, MOST_OUT = 8 };

/* A compiled function, its arguments, and what its results are checked by. */
typedef struct task {
    agn_fn *step;
    agn_tensor *in[MOST_IN], *out[MOST_OUT];
    int n_in, n_out;
    int (*check)(const struct task *t, double *value);
} task;

static void task_call(void *user)
{
    task *t = user;
    for (int i = 0; i < t->n_out; i++) {
        agn_release(t->out[i]);
        t->out[i] = NULL;
    }
    TRY(agn_fn_call(t->step, t->out, (const agn_tensor *const *)t->in));
}

static int task_check(void *user, double *value)
{
    task *t = user;
    return t->check(t, value);
}

static agn_tensor *grid1(int64_t n, double lo, double hi, int salt, agn_dtype dtype)
{
    return bench_grid(1, &n, lo, hi, salt, dtype);
}
static agn_tensor *grid2(int64_t m, int64_t n, double lo, double hi, int salt, agn_dtype dtype)
{
    return bench_grid(2, (int64_t[]){m, n}, lo, hi, salt, dtype);
}
static agn_tensor *grid3(int64_t k, int64_t m, int64_t n, double lo, double hi, int salt,
                         agn_dtype dtype)
{
    return bench_grid(3, (int64_t[]){k, m, n}, lo, hi, salt, dtype);
}

/* measures the derivative df of f, and lets go of everything */
static void run_task(const char *id, task *t, agn_fn *f, agn_fn *df)
{
    TRY(agn_fn_compile(&t->step, df, NULL));
    t->n_in = agn_fn_n_in(df);
    t->n_out = agn_fn_n_out(df);
    bench_measure(id, &(bench_work){task_call, task_check, t, 0});
    bench_explained(t->step);
    for (int i = 0; i < t->n_in; i++)
        agn_release(t->in[i]);
    for (int i = 0; i < t->n_out; i++)
        agn_release(t->out[i]);
    agn_fn_release(t->step);
    agn_fn_release(df);
    agn_fn_release(f);
}

/* ---- checks ----------------------------------------------------------------------------- */

static double square_sum(const agn_tensor *x)
{
    agn_tensor *y = bench_f64(x);
    const double *v = agn_data(y);
    double sum = 0;
    for (int64_t i = 0; i < agn_numel(y); i++)
        sum += v[i] * v[i];
    agn_release(y);
    return sum;
}
static double element(const agn_tensor *x, int64_t i)
{
    agn_tensor *y = bench_f64(x);
    double v = ((const double *)agn_data(y))[i];
    agn_release(y);
    return v;
}

/* the first result and the norm of the others */
static int value_and_norm(const task *t, double *value)
{
    double sum = 0;
    for (int i = 1; i < t->n_out; i++)
        sum += square_sum(t->out[i]);
    value[0] = element(t->out[0], 0);
    value[1] = sqrt(sum);
    return 2;
}
static int each_square_sum(const task *t, double *value)
{
    for (int i = 0; i < t->n_out; i++)
        value[i] = square_sum(t->out[i]);
    return t->n_out;
}
static int sum_and_element(const task *t, double *value)
{
    value[0] = square_sum(t->out[0]);
    value[1] = element(t->out[0], 1000);
    return 2;
}
static int value_and_three(const task *t, double *value)
{
    value[0] = element(t->out[0], 0);
    for (int k = 0; k < 3; k++)
        value[1 + k] = element(t->out[1], k);
    return 4;
}
/* all norms together, and that of the first sample's first gradient */
static int norms(const task *t, double *value)
{
    double sum = 0, first = 0;
    for (int i = 0; i < t->n_out; i++)
        sum += square_sum(t->out[i]);
    agn_tensor *x = NULL;
    TRY(agn_index_axis(&x, t->out[0], 0, 0));
    first = square_sum(x);
    agn_release(x);
    value[0] = sqrt(sum);
    value[1] = sqrt(first);
    return 2;
}

/* ---- a chain of small ops ----------------------------------------------------------------- */

static agn_status chain(void *user, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    const agn_tensor *x = in[0];
    (void)user;
    for (int i = 0; i < 50; i++)
        x = ag_mul(s, ag_sin(s, x), in[1]);
    out[0] = ag_sum_all(s, x);
    return AGN_OK;
}
static void run_chain(void)
{
    const char *id = "staged/grad100/f64";
    if (!bench_asked(id))
        return;
    task t = {.in = {grid1(4, 0.5, 1, 3, AGN_F64), grid1(4, 1, 1.1, 4, AGN_F64)},
              .check = value_and_norm};
    agn_fn *f = NULL, *df = NULL;
    TRY(agn_fn_new(&f, chain, NULL, NULL, 2, 1));
    TRY(agn_fn_value_and_grad(&df, f, NULL, 1));
    run_task(id, &t, f, df);
}

/* ---- ADBench: a mixture of Gaussians --------------------------------------------------------- */

typedef struct mixture {
    int64_t d, K, n;
    agn_tensor *place, *below; /* of the entries of l in a lower triangle; 1 below the diagonal */
    double constant;
} mixture;

static agn_status mixture_body(void *user, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    const mixture *m = user;
    const agn_tensor *alpha = in[0], *mu = in[1], *icf = in[2], *x = in[3];
    int64_t d = m->d, K = m->K, from[] = {0, 0}, to[] = {K, d}, step[] = {1, 1};
    const agn_tensor *q = ag_slice(s, icf, 2, from, to, step);
    from[1] = d;
    to[1] = d * (d + 1) / 2;
    const agn_tensor *l = ag_slice(s, icf, 2, from, to, step);
    const agn_tensor *lower =
        ag_reshape(s, ag_gather(s, l, m->place, 1), 3, (int64_t[]){K, d, d});
    const agn_tensor *e = ag_exp(s, q);
    const agn_tensor *Q = ag_add(s, ag_mul(s, lower, m->below),
                                 ag_mul(s, ag_eye(s, AGN_F64, d, d, 0), ag_expand_dims(s, e, 2)));
    const agn_tensor *rows = ag_reshape(s, Q, 2, (int64_t[]){K * d, d});
    const agn_tensor *Qx = ag_reshape(s, ag_matmul(s, x, ag_transpose(s, rows)), 3,
                                      (int64_t[]){m->n, K, d});
    const agn_tensor *Qmu = ag_squeeze(s, ag_matmul(s, Q, ag_expand_dims(s, mu, 2)), 2);
    const agn_tensor *z = ag_square(s, ag_sub(s, Qx, Qmu));
    const agn_tensor *inner =
        ag_sub(s, ag_add(s, alpha, ag_sum(s, q, (int32_t[]){1}, 1, false)),
               ag_mul_c(s, ag_sum(s, z, (int32_t[]){2}, 1, false), 0.5));
    const agn_tensor *fit = ag_sum_all(s, ag_logsumexp(s, inner, (int32_t[]){1}, 1, false));
    const agn_tensor *weights = ag_logsumexp(s, alpha, (int32_t[]){0}, 1, false);
    const agn_tensor *wishart =
        ag_mul_c(s, ag_add(s, ag_sum_all(s, ag_square(s, e)), ag_sum_all(s, ag_square(s, l))), 0.5);
    out[0] = ag_add_c(s, ag_add(s, ag_sub(s, fit, ag_mul_c(s, weights, (double)m->n)), wishart),
                      m->constant);
    return AGN_OK;
}

static void run_mixture(int64_t d, int64_t K, int64_t n)
{
    char id[64];
    snprintf(id, sizeof id, "adbench/gmm/d%lld-k%lld-n%lld/f64", (long long)d, (long long)K,
             (long long)n);
    if (!bench_asked(id))
        return;
    const double pi = acos(-1);
    mixture m = {.d = d, .K = K, .n = n};
    int64_t *place = calloc((size_t)(d * d), sizeof *place);
    double *below = calloc((size_t)(d * d), sizeof *below);
    if (!place || !below)
        bench_die("memory");
    for (int64_t i = 0, k = 0; i < d; i++)
        for (int64_t j = i + 1; j < d; j++) {
            place[j * d + i] = k++;
            below[j * d + i] = 1;
        }
    TRY(agn_from_host(&m.place, AGN_I64, 1, (int64_t[]){d * d}, place));
    TRY(agn_from_host(&m.below, AGN_F64, 2, (int64_t[]){d, d}, below));
    free(place);
    free(below);
    double C = -0.5 * (double)((d + 1) * d) * log(2) - 0.25 * (double)(d * (d - 1)) * log(pi);
    for (int64_t j = 1; j <= d; j++)
        C -= lgamma(0.5 * (double)(d + 1) + 0.5 * (double)(1 - j));
    m.constant = -0.5 * (double)(n * d) * log(2 * pi) - (double)K * C;
    task t = {.in = {grid1(K, -1, 1, 1, AGN_F64), grid2(K, d, -1, 1, 2, AGN_F64),
                     grid2(K, d * (d + 1) / 2, -0.5, 0.5, 3, AGN_F64),
                     grid2(n, d, -1, 1, 4, AGN_F64)},
              .check = value_and_norm};
    agn_fn *f = NULL, *df = NULL;
    TRY(agn_fn_new(&f, mixture_body, &m, NULL, 4, 1));
    TRY(agn_fn_value_and_grad(&df, f, (int32_t[]){0, 1, 2}, 3));
    run_task(id, &t, f, df);
    agn_release(m.place);
    agn_release(m.below);
}

/* ---- ADBench: bundle adjustment --------------------------------------------------------------- */

static const agn_tensor *part(agn_scope *s, const agn_tensor *x, int64_t from, int64_t to)
{
    return ag_slice(s, x, 1, &from, &to, (int64_t[]){1});
}
static const agn_tensor *dot(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    return ag_sum(s, ag_mul(s, a, b), (int32_t[]){0}, 1, true);
}
/* v: camera 11, point 3, weight 1; the image of the point beside its feature */
static agn_status residual(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    const agn_tensor *v = in[0], *rot = part(s, v, 0, 3);
    (void)user;
    const agn_tensor *angle = ag_sqrt(s, dot(s, rot, rot)), *k = ag_div(s, rot, angle);
    const agn_tensor *Y = ag_sub(s, part(s, v, 11, 14), part(s, v, 3, 6));
    const agn_tensor *cosine = ag_cos(s, angle);
    const agn_tensor *side = ag_mul(s, ag_cross(s, k, Y, -1), ag_sin(s, angle));
    const agn_tensor *along =
        ag_mul(s, dot(s, k, Y), ag_sub(s, ag_lit(s, 1), cosine));
    const agn_tensor *R =
        ag_add(s, ag_add(s, ag_mul(s, Y, cosine), side), ag_mul(s, k, along));
    const agn_tensor *q = ag_div(s, part(s, R, 0, 2), part(s, R, 2, 3)), *r2 = dot(s, q, q);
    const agn_tensor *lens =
        ag_add(s, ag_add_c(s, ag_mul(s, part(s, v, 9, 10), r2), 1),
               ag_mul(s, part(s, v, 10, 11), ag_square(s, r2)));
    const agn_tensor *image = ag_add(s, ag_mul(s, ag_mul(s, q, lens), part(s, v, 6, 7)),
                                     part(s, v, 7, 9));
    out[0] = ag_mul(s, part(s, v, 14, 15), ag_sub(s, image, in[1]));
    return AGN_OK;
}

typedef struct bundle {
    agn_fn *residuals, *jacobians; /* of all observations */
    agn_tensor *camera, *point;    /* of each observation */
} bundle;

static agn_status bundle_body(void *user, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    const bundle *b = user;
    const agn_tensor *w = ag_expand_dims(s, in[2], 1);
    const agn_tensor *v = ag_concat(s,
                                    (const agn_tensor *[]){ag_gather(s, in[0], b->camera, 0),
                                                           ag_gather(s, in[1], b->point, 0), w},
                                    3, 1);
    const agn_tensor *a[] = {v, in[3]};
    agn_fn_apply(b->residuals, s, out, a);
    agn_fn_apply(b->jacobians, s, out + 1, a);
    out[2] = ag_mul_c(s, in[2], -2);
    return AGN_OK;
}

static void run_bundle(int64_t n, int64_t m, int64_t p)
{
    char id[64];
    snprintf(id, sizeof id, "adbench/ba/c%lld-p%lld-o%lld/f64", (long long)n, (long long)m,
             (long long)p);
    if (!bench_asked(id))
        return;
    int64_t *of = calloc((size_t)p, sizeof *of);
    if (!of)
        bench_die("memory");
    bundle b = {NULL, NULL, NULL, NULL};
    for (int64_t o = 0; o < p; o++)
        of[o] = o % n;
    TRY(agn_from_host(&b.camera, AGN_I64, 1, &p, of));
    for (int64_t o = 0; o < p; o++)
        of[o] = 7919 * o % m;
    TRY(agn_from_host(&b.point, AGN_I64, 1, &p, of));
    free(of);
    agn_tensor *piece[5] = {grid2(n, 3, 0.1, 0.5, 1, AGN_F64), grid2(n, 3, -0.5, 0.5, 2, AGN_F64),
                            grid2(n, 1, 0.9, 1.1, 3, AGN_F64), grid2(n, 2, -0.1, 0.1, 4, AGN_F64),
                            grid2(n, 2, -0.1, 0.1, 5, AGN_F64)};
    agn_tensor *place[2] = {grid2(m, 2, -1, 1, 6, AGN_F64), grid2(m, 1, 3, 5, 7, AGN_F64)};
    task t = {.in = {NULL, NULL, grid1(p, 0.5, 1, 8, AGN_F64), grid2(p, 2, -1, 1, 9, AGN_F64)},
              .check = each_square_sum};
    TRY(agn_concat(&t.in[0], (const agn_tensor *const *)piece, 5, 1));
    TRY(agn_concat(&t.in[1], (const agn_tensor *const *)place, 2, 1));
    for (int i = 0; i < 5; i++)
        agn_release(piece[i]);
    agn_release(place[0]);
    agn_release(place[1]);
    agn_fn *r = NULL, *J = NULL, *f = NULL;
    TRY(agn_fn_new(&r, residual, NULL, NULL, 2, 1));
    TRY(agn_fn_jacobian(&J, r, 0));
    TRY(agn_fn_vmap(&b.residuals, r, NULL, NULL));
    TRY(agn_fn_vmap(&b.jacobians, J, NULL, NULL));
    TRY(agn_fn_new(&f, bundle_body, &b, NULL, 4, 3));
    run_task(id, &t, NULL, f);
    agn_fn_release(r);
    agn_fn_release(J);
    agn_fn_release(b.residuals);
    agn_fn_release(b.jacobians);
    agn_release(b.camera);
    agn_release(b.point);
}

/* ---- networks ----------------------------------------------------------------------------------- */

static agn_status three_layers(void *user, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    (void)user;
    out[0] = bench_network(s, in[0], in + 1, 3);
    return AGN_OK;
}
static void run_jacobian(const char *id, agn_dtype dtype)
{
    static const int64_t size[] = {64, 128, 128, 32};
    static const int32_t lanes[] = {0, AGN_UNBATCHED, AGN_UNBATCHED, AGN_UNBATCHED,
                                    AGN_UNBATCHED, AGN_UNBATCHED, AGN_UNBATCHED};
    if (!bench_asked(id))
        return;
    task t = {.in = {grid2(64, 64, -1, 1, 1, dtype)}, .check = sum_and_element};
    bench_parameters(t.in + 1, 3, size, dtype);
    agn_fn *f = NULL, *J = NULL, *all = NULL;
    TRY(agn_fn_new(&f, three_layers, NULL, NULL, 7, 1));
    TRY(agn_fn_jacobian(&J, f, 0));
    TRY(agn_fn_vmap(&all, J, lanes, NULL));
    agn_fn_release(J);
    run_task(id, &t, f, all);
}

/* in: x, weights and biases, the class */
static agn_status sample_loss(void *user, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    (void)user;
    const agn_tensor *y = ag_nn_log_softmax(s, bench_network(s, in[0], in + 1, 2), 0);
    out[0] = ag_neg(s, ag_gather(s, y, in[5], 0));
    return AGN_OK;
}
static void run_per_sample(const char *id, agn_dtype dtype)
{
    enum { BATCH = 256 };
    static const int64_t size[] = {784, 128, 10};
    static const int32_t lanes[] = {0, AGN_UNBATCHED, AGN_UNBATCHED, AGN_UNBATCHED,
                                    AGN_UNBATCHED, 0};
    if (!bench_asked(id))
        return;
    task t = {.in = {grid2(BATCH, 784, 0, 1, 1, dtype)}, .check = norms};
    int64_t label[BATCH];
    for (int b = 0; b < BATCH; b++)
        label[b] = b % 10;
    bench_parameters(t.in + 1, 2, size, dtype);
    TRY(agn_from_host(&t.in[5], AGN_I64, 1, (int64_t[]){BATCH}, label));
    agn_fn *f = NULL, *g = NULL, *all = NULL;
    TRY(agn_fn_new(&f, sample_loss, NULL, NULL, 6, 1));
    TRY(agn_fn_grad(&g, f, (int32_t[]){1, 2, 3, 4}, 4));
    TRY(agn_fn_vmap(&all, g, lanes, NULL));
    agn_fn_release(g);
    run_task(id, &t, f, all);
}

/* ---- loops ------------------------------------------------------------------------------------------ */

typedef struct recurrent {
    int64_t T, b, I, H;
    agn_dtype dtype;
    agn_fn *loop;
    const agn_tensor *Wh; /* that the steps of this call share */
} recurrent;

static const agn_tensor *gate(agn_scope *s, const agn_tensor *z, int64_t k, int64_t b, int64_t H)
{
    return ag_slice(s, z, 2, (int64_t[]){0, k * H}, (int64_t[]){b, (k + 1) * H},
                    (int64_t[]){1, 1});
}
/* in: h, c, what the input adds to the gates; out: h, c, h */
static agn_status cell(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const recurrent *r = user;
    const agn_tensor *z = ag_add(s, in[2], ag_matmul(s, in[0], r->Wh));
    const agn_tensor *i = ag_sigmoid(s, gate(s, z, 0, r->b, r->H));
    const agn_tensor *f = ag_sigmoid(s, gate(s, z, 1, r->b, r->H));
    const agn_tensor *g = ag_tanh(s, gate(s, z, 2, r->b, r->H));
    const agn_tensor *o = ag_sigmoid(s, gate(s, z, 3, r->b, r->H));
    out[1] = ag_add(s, ag_mul(s, f, in[1]), ag_mul(s, i, g));
    out[0] = ag_mul(s, o, ag_tanh(s, out[1]));
    out[2] = out[0];
    return AGN_OK;
}
/* in: X, Wx, Wh, bias */
static agn_status recurrent_loss(void *user, agn_scope *s, const agn_tensor *const *in,
                                 const agn_tensor **out)
{
    recurrent *r = user;
    const agn_tensor *zero = ag_full(s, r->dtype, 2, (int64_t[]){r->b, r->H}, 0);
    const agn_tensor *x = ag_add(s, ag_matmul(s, in[0], in[1]), in[3]);
    const agn_tensor *a[] = {zero, zero, x}, *y[3];
    r->Wh = in[2];
    agn_fn_apply(r->loop, s, y, a);
    if (!agn_scope_status(s))
        out[0] = ag_mean_all(s, ag_square(s, y[2]));
    return AGN_OK;
}
static void run_lstm(const char *id, agn_dtype dtype)
{
    recurrent r = {200, 32, 64, 128, dtype, NULL, NULL};
    if (!bench_asked(id))
        return;
    double a = 1 / sqrt((double)r.H);
    task t = {.in = {grid3(r.T, r.b, r.I, -1, 1, 1, dtype), grid2(r.I, 4 * r.H, -a, a, 2, dtype),
                     grid2(r.H, 4 * r.H, -a, a, 3, dtype), grid1(4 * r.H, -a, a, 4, dtype)},
              .check = value_and_norm};
    agn_fn *step = NULL, *f = NULL, *df = NULL;
    TRY(agn_fn_new(&step, cell, &r, NULL, 3, 3));
    TRY(agn_fn_scan(&r.loop, step, 2, r.T, false));
    TRY(agn_fn_new(&f, recurrent_loss, &r, NULL, 4, 1));
    TRY(agn_fn_value_and_grad(&df, f, (int32_t[]){0, 1, 2, 3}, 4));
    run_task(id, &t, f, df);
    agn_fn_release(r.loop);
    agn_fn_release(step);
}

typedef struct orbit {
    agn_fn *loop;
    double per;
    const agn_tensor *p[3]; /* that the steps of this call share */
} orbit;
/* y: three rows; p: s, r, q */
static const agn_tensor *lorenz(agn_scope *s, const agn_tensor *y, const agn_tensor *const *p)
{
    const agn_tensor *a = ag_index_axis(s, y, 0, 0), *b = ag_index_axis(s, y, 0, 1),
                     *c = ag_index_axis(s, y, 0, 2);
    const agn_tensor *d[] = {
        ag_mul(s, p[0], ag_sub(s, b, a)), ag_sub(s, ag_mul(s, a, ag_sub(s, p[1], c)), b),
        ag_sub(s, ag_mul(s, a, b), ag_mul(s, p[2], c))};
    return ag_stack(s, d, 3, 0);
}
static const agn_tensor *ahead(agn_scope *s, const agn_tensor *y, const agn_tensor *k, double dt)
{
    return ag_add(s, y, ag_mul_c(s, k, dt));
}
/* in: y; out: y, sum of the third row */
static agn_status runge_kutta(void *user, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    const double dt = 0.01;
    const agn_tensor *y = in[0], *const *p = ((orbit *)user)->p;
    const agn_tensor *k1 = lorenz(s, y, p), *k2 = lorenz(s, ahead(s, y, k1, dt / 2), p);
    const agn_tensor *k3 = lorenz(s, ahead(s, y, k2, dt / 2), p);
    const agn_tensor *k4 = lorenz(s, ahead(s, y, k3, dt), p);
    const agn_tensor *k =
        ag_add(s, ag_add(s, k1, ag_mul_c(s, ag_add(s, k2, k3), 2)), k4);
    out[0] = ahead(s, y, k, dt / 6);
    out[1] = ag_sum_all(s, ag_index_axis(s, out[0], 0, 2));
    return AGN_OK;
}
/* in: p, y */
static agn_status orbit_mean(void *user, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    orbit *o = user;
    const agn_tensor *y[2];
    for (int i = 0; i < 3; i++)
        o->p[i] = ag_index_axis(s, in[0], 0, i);
    agn_fn_apply(o->loop, s, y, in + 1);
    if (!agn_scope_status(s))
        out[0] = ag_mul_c(s, ag_sum_all(s, y[1]), o->per);
    return AGN_OK;
}
static void run_orbit(const char *id, int64_t steps, int64_t batch)
{
    if (!bench_asked(id))
        return;
    const double p[] = {10, 28, 8.0 / 3};
    agn_tensor *row[3];
    task t = {.check = value_and_three};
    for (int k = 0; k < 3; k++)
        row[k] = grid1(batch, 0.9, 1.1, k + 1, AGN_F64);
    TRY(agn_from_host(&t.in[0], AGN_F64, 1, (int64_t[]){3}, p));
    TRY(agn_stack(&t.in[1], (const agn_tensor *const *)row, 3, 0));
    for (int k = 0; k < 3; k++)
        agn_release(row[k]);
    orbit o = {NULL, 1 / (double)(steps * batch), {NULL, NULL, NULL}};
    agn_fn *step = NULL, *f = NULL, *df = NULL;
    TRY(agn_fn_new(&step, runge_kutta, &o, NULL, 1, 2));
    TRY(agn_fn_scan(&o.loop, step, 1, steps, false));
    TRY(agn_fn_new(&f, orbit_mean, &o, NULL, 2, 1));
    TRY(agn_fn_value_and_grad(&df, f, NULL, 1));
    run_task(id, &t, f, df);
    agn_fn_release(o.loop);
    agn_fn_release(step);
}

/* ---- linear systems --------------------------------------------------------------------------------- */

/* in: A, b */
static agn_status solved(void *user, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    (void)user;
    out[0] = ag_sum_all(s, ag_square(s, ag_linalg_solve(s, in[0], in[1])));
    return AGN_OK;
}
static void run_solve(const char *id, int64_t n)
{
    if (!bench_asked(id))
        return;
    task t = {.in = {NULL, grid1(n, -1, 1, 2, AGN_F64)}, .check = value_and_norm};
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *a = grid2(n, n, -1, 1, 1, AGN_F64);
    agn_scope_return(s, &t.in[0],
                     ag_add(s, ag_div_c(s, a, sqrt((double)n)),
                            ag_mul_c(s, ag_eye(s, AGN_F64, n, n, 0), 3)));
    TRY(agn_scope_close(s));
    agn_release(a);
    agn_fn *f = NULL, *df = NULL;
    TRY(agn_fn_new(&f, solved, NULL, NULL, 2, 1));
    TRY(agn_fn_value_and_grad(&df, f, (int32_t[]){0, 1}, 2));
    run_task(id, &t, f, df);
}

void bench_autograd(void)
{
    run_chain();
    run_mixture(10, 25, 1000);
    run_mixture(64, 100, 1000);
    run_bundle(49, 7776, 31843);
    run_jacobian("jacobian/mlp/b64-64-128-128-32/f64", AGN_F64);
    run_jacobian("jacobian/mlp/b64-64-128-128-32/f32", AGN_F32);
    run_per_sample("autograd/per-sample-grad/784-128-10-b256/f32", AGN_F32);
    run_lstm("autograd/lstm-grad/t200-b32-i64-h128/f64", AGN_F64);
    run_lstm("autograd/lstm-grad/t200-b32-i64-h128/f32", AGN_F32);
    run_orbit("autograd/ode-rk4-lorenz/s1000-b1/f64", 1000, 1);
    run_orbit("autograd/ode-rk4-lorenz/s1000-b1024/f64", 1000, 1024);
    run_solve("autograd/solve-grad/n512/f64", 512);
}
