/* bench/autograd.c - derivatives of whole programs: chains, networks, loops, implicit functions. */
#include "task.h"

#include <math.h>

/* ---- checks ----------------------------------------------------------------------------- */

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
    task_run(id, &t, f, df);
    task_close(&t);
}

/* ---- networks ------------------------------------------------------------------------------- */

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
    TRY(agn_fn_vmap(&all, J, lanes, 7, NULL, 0));
    agn_fn_release(J);
    task_run(id, &t, f, all);
    task_close(&t);
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
    TRY(agn_fn_vmap(&all, g, lanes, 6, NULL, 0));
    agn_fn_release(g);
    task_run(id, &t, f, all);
    task_close(&t);
}

/* ---- loops ---------------------------------------------------------------------------------- */

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
    agn_fn_apply(s, y, 3, r->loop, a, 3);
    if (!agn_scope_status(s))
        out[0] = ag_mean_all(s, ag_square(s, y[2]));
    return AGN_OK;
}
static void run_lstm(const char *id, agn_dtype dtype)
{
    recurrent r = {200, 32, 64, 128, dtype, NULL, NULL};
    if (!task_asked(id))
        return;
    double a = 1 / sqrt((double)r.H);
    task t = {.in = {grid3(r.T, r.b, r.I, -1, 1, 1, dtype), grid2(r.I, 4 * r.H, -a, a, 2, dtype),
                     grid2(r.H, 4 * r.H, -a, a, 3, dtype), grid1(4 * r.H, -a, a, 4, dtype)},
              .check = value_and_norm};
    agn_fn *step = NULL, *f = NULL, *df = NULL;
    TRY(agn_fn_new(&step, cell, &r, NULL, 3, 3));
    TRY(agn_fn_scan(&r.loop, step, 2, 0, r.T, false));
    TRY(agn_fn_new(&f, recurrent_loss, &r, NULL, 4, 1));
    TRY(agn_fn_value_and_grad(&df, f, (int32_t[]){0, 1, 2, 3}, 4));
    task_run(id, &t, f, df);
    task_by_hand(id, &t, dtype == AGN_F32 ? by_hand_lstm_f32 : by_hand_lstm_f64,
                 &(recurrent_sizes){r.T, r.b, r.I, r.H}, dtype, 5,
                 (int64_t[]){1, r.T * r.b * r.I, r.I * 4 * r.H, r.H * 4 * r.H, 4 * r.H});
    task_close(&t);
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
    agn_fn_apply(s, y, 2, o->loop, in + 1, agn_fn_n_in(o->loop));
    if (!agn_scope_status(s))
        out[0] = ag_mul_c(s, ag_sum_all(s, y[1]), o->per);
    return AGN_OK;
}
/* few parameters: forward mode carries three tangents, reverse mode saves the steps */
static void run_orbit(const char *id, int64_t steps, int64_t batch, int mode)
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
    TRY(agn_fn_scan(&o.loop, step, 1, 0, steps, false));
    agn_jacobian_options by = {.size = sizeof by, .mode = mode, .values = true};
    TRY(agn_fn_new(&f, orbit_mean, &o, NULL, 2, 1));
    TRY(agn_fn_jacobian_with(&df, f, (int32_t[]){0}, 1, &by));
    task_run(id, &t, f, df);
    task_close(&t);
    agn_fn_release(o.loop);
    agn_fn_release(step);
}

/* ---- linear systems ------------------------------------------------------------------------- */

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
    task_run(id, &t, f, df);
    task_close(&t);
}

/* ---- a fixed point -------------------------------------------------------------------------- */

typedef struct fixed {
    agn_fn *loop, *root;
} fixed;

/* in: x, W, b; out: tanh(W x + b) */
static agn_status nearer(void *user, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    (void)user;
    out[0] = ag_tanh(s, ag_add(s, ag_matmul(s, in[1], in[0]), in[2]));
    return AGN_OK;
}
static agn_status residual(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    nearer(user, s, in, out);
    out[0] = ag_sub(s, in[0], out[0]);
    return AGN_OK;
}
static agn_status always(void *user, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    (void)user, (void)in;
    out[0] = ag_full(s, AGN_BOOL, 0, NULL, 1);
    return AGN_OK;
}
static agn_status iterated(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    const agn_tensor *y[2] = {NULL};
    agn_fn_apply(s, y, 2, ((const fixed *)user)->loop, in,
                 agn_fn_n_in(((const fixed *)user)->loop));
    out[0] = y[0];
    return AGN_OK;
}
/* in: W, b, 0 */
static agn_status fixed_square(void *user, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    const agn_tensor *x = NULL;
    agn_fn_apply(s, &x, 1, ((const fixed *)user)->root, AGN_ARGS(in[2], in[0], in[1]));
    out[0] = agn_scope_status(s) ? NULL : ag_sum_all(s, ag_square(s, x));
    return AGN_OK;
}
/* rtol of the cotangent's equation by products; 0: by its matrix and LU */
static void run_fixed(const char *id, int64_t n, int64_t steps, double rtol)
{
    if (!bench_asked(id))
        return;
    double a = 1.2 / sqrt((double)n);
    task t = {.in = {grid2(n, n, -a, a, 1, AGN_F64), grid1(n, -0.5, 0.5, 2, AGN_F64),
                     grid1(n, 0, 0, 3, AGN_F64)},
              .check = value_and_norm};
    fixed q = {NULL, NULL};
    agn_fn *step = NULL, *going = NULL, *zero = NULL, *solver = NULL, *f = NULL, *df = NULL;
    agn_while_options opts = {.size = sizeof opts, .max_steps = steps};
    TRY(agn_fn_new(&step, nearer, NULL, NULL, 3, 1));
    TRY(agn_fn_new(&going, always, NULL, NULL, 3, 1));
    TRY(agn_fn_while(&q.loop, going, step, &opts));
    TRY(agn_fn_new(&zero, residual, NULL, NULL, 3, 1));
    TRY(agn_fn_new(&solver, iterated, &q, NULL, 3, 1));
    agn_krylov_options by = {.size = sizeof by, .rtol = rtol};
    TRY(rtol > 0 ? agn_fn_krylov_root(&q.root, zero, 1, solver, &by)
                 : agn_fn_root(&q.root, zero, 1, solver, NULL, NULL));
    TRY(agn_fn_new(&f, fixed_square, &q, NULL, 3, 1));
    TRY(agn_fn_value_and_grad(&df, f, (int32_t[]){0, 1}, 2));
    task_run(id, &t, f, df);
    task_close(&t);
    agn_fn *const all[] = {step, going, q.loop, zero, solver, q.root};
    for (int i = 0; i < 6; i++)
        agn_fn_release(all[i]);
}

void bench_autograd(void)
{
    run_chain();
    run_jacobian("jacobian/mlp/b64-64-128-128-32/f64", AGN_F64);
    run_jacobian("jacobian/mlp/b64-64-128-128-32/f32", AGN_F32);
    run_per_sample("autograd/per-sample-grad/784-128-10-b256/f32", AGN_F32);
    run_lstm("autograd/lstm-grad/t200-b32-i64-h128/f64", AGN_F64);
    run_lstm("autograd/lstm-grad/t200-b32-i64-h128/f32", AGN_F32);
    run_orbit("autograd/ode-rk4-lorenz/s1000-b1/f64", 1000, 1, AGN_JACOBIAN_FORWARD);
    run_orbit("autograd/ode-rk4-lorenz/s1000-b1024/f64", 1000, 1024, AGN_JACOBIAN_REVERSE);
    run_solve("autograd/solve-grad/n512/f64", 512);
    run_fixed("autograd/implicit-fixpoint/n256/f64", 256, 60, 1e-13);
    run_fixed("autograd/implicit-fixpoint/n256/f64-lu", 256, 60, 0);
}
