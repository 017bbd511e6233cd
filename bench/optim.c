/* bench/optim.c - training steps of the Burgers network as one plan, and by calling the pieces: an
   epoch of 20 steps of Adam with points drawn anew for each step, and a direction of L-BFGS; steps of
   first-order rules alone, of gradients that are given. */
#include "bench.h"
#include "pinn.h"

#include <stdio.h>

enum { STEPS = 20, PAIRS = 20, STATE = 4 };

typedef struct training {
    pinn p;
    int64_t n;
    agn_dtype dtype;
    agn_fn *drawn, *objective, *fast, *step, *epoch, *draw, *direction;
    agn_tensor *key, *keys, *state[STATE], *S, *Y, *last;
    agn_optim *o;
} training;

/* points in [-1, 1] x [0, 1] from a key */
static const agn_tensor *points(agn_scope *s, const agn_tensor *key, int64_t n,
                                agn_dtype dtype)
{
    const agn_tensor *u = ag_uniform(s, key, dtype, 2, (int64_t[]){n, 2});
    const double scale[] = {2, 1}, shift[] = {-1, 0};
    const int64_t two[] = {2};
    const agn_tensor *by = ag_cast(s, ag_from_host(s, AGN_F64, 1, two, scale), dtype),
                     *to = ag_cast(s, ag_from_host(s, AGN_F64, 1, two, shift), dtype);
    return ag_add(s, ag_mul(s, u, by), to);
}
static agn_status draw(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const training *t = user;
    out[0] = points(s, in[0], t->n, t->dtype);
    return agn_scope_status(s);
}
/* the loss of the network at points that it draws */
static agn_status drawn(void *user, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    const training *t = user;
    const agn_tensor *a[MAX_OUT + 1];
    for (int i = 0; i < t->p.n_param; i++)
        a[i] = in[i];
    a[t->p.n_param] = points(s, in[t->p.n_param], t->n, t->dtype);
    return agn_fn_apply(s, out, agn_fn_n_out(t->p.loss), t->p.loss, a, agn_fn_n_in(t->p.loss));
}

static agn_tensor *zeros(int ndim, const int64_t *shape, agn_dtype dtype)
{
    agn_tensor *y = NULL;
    TRY(agn_zeros(&y, dtype, ndim, shape));
    return y;
}

static void training_open(training *t, int64_t n, agn_dtype dtype)
{
    agn_generator *g = NULL;
    agn_fn *f = NULL;
    *t = (training){.n = n, .dtype = dtype};
    pinn_open(&t->p, &pinn_burgers, 10, pinn_deep, n, dtype);
    const agn_tensor *const *params = (const agn_tensor *const *)t->p.in;
    int32_t k = t->p.n_param;
    TRY(agn_fn_new(&t->drawn, drawn, t, NULL, k + 1, 1));
    TRY(agn_fn_value_and_grad(&t->objective, t->drawn, t->p.argnums, k));
    TRY(agn_fn_adam(&t->step, t->objective, params, k, NULL));
    TRY(agn_fn_scan(&f, t->step, STATE, 0, STEPS, false));
    TRY(agn_fn_compile(&t->epoch, f, NULL));
    agn_fn_release(f);
    TRY(agn_fn_value_and_grad(&f, t->p.loss, t->p.argnums, k));
    TRY(agn_fn_compile(&t->fast, f, NULL));
    agn_fn *l = NULL;
    TRY(agn_fn_lbfgs(&l, f, params, k));
    TRY(agn_fn_compile(&t->direction, l, NULL));
    agn_fn_release(l);
    agn_fn_release(f);
    TRY(agn_fn_new(&f, draw, t, NULL, 1, 1));
    TRY(agn_fn_compile(&t->draw, f, NULL));
    agn_fn_release(f);
    TRY(agn_generator_new(&g, 1));
    TRY(agn_key(&t->key, g));
    TRY(agn_key_split(&t->keys, t->key, STEPS));
    agn_generator_release(g);
    TRY(agn_optim_pack(&t->state[0], params, k));
    int64_t m = agn_numel(t->state[0]);
    t->state[1] = zeros(1, &m, dtype);
    t->state[2] = zeros(1, &m, dtype);
    t->state[3] = zeros(0, NULL, AGN_F64);
    t->S = bench_grid(2, (int64_t[]){PAIRS, m}, -1, 1, 3, dtype);
    TRY(agn_mul_c(&t->Y, t->S, 1.5));
    TRY(agn_optim_new(&t->o, AGN_OPTIM_ADAM, params, k, NULL));
}

static void training_close(training *t)
{
    agn_fn *f[] = {t->drawn, t->objective, t->fast,     t->step,
                   t->epoch, t->draw,      t->direction};
    agn_tensor *x[] = {t->key,      t->keys, t->state[0], t->state[1], t->state[2],
                       t->state[3], t->S,    t->Y,        t->last};
    for (size_t i = 0; i < sizeof f / sizeof *f; i++)
        agn_fn_release(f[i]);
    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        agn_release(x[i]);
    agn_optim_release(t->o);
    pinn_close(&t->p);
}

/* ---- calls ---------------------------------------------------------------------------------- */

static void keep(training *t, agn_tensor *y)
{
    agn_release(t->last);
    t->last = y;
}

static void call_epoch(void *user)
{
    training *t = user;
    agn_tensor *y[STATE + 1];
    const agn_tensor *in[] = {t->state[0], t->state[1], t->state[2], t->state[3],
                              t->keys};
    TRY(agn_fn_call(y, STATE + 1, t->epoch, in, 5));
    for (int i = 0; i < STATE; i++)
        agn_release(y[i]);
    keep(t, y[STATE]);
}
/* the same by hand: draw, evaluate by a plan, step of the optimiser */
static void call_pieces(void *user)
{
    training *t = user;
    agn_tensor *value = NULL;
    double v = 0;
    for (int64_t k = 0; k < STEPS; k++) {
        agn_tensor *key = NULL, *x = NULL;
        TRY(agn_index_axis(&key, t->keys, 0, k));
        TRY(agn_fn_call(&x, 1, t->draw, AGN_ARGS(key)));
        TRY(agn_optim_step(&v, NULL, t->o, t->fast, (const agn_tensor *[]){x}, 1));
        agn_release(key);
        agn_release(x);
    }
    TRY(agn_full(&value, AGN_F64, 0, NULL, v));
    keep(t, value);
}
static void call_direction(void *user)
{
    training *t = user;
    agn_tensor *y[3];
    const agn_tensor *in[] = {t->state[0], t->S, t->Y, t->p.in[t->p.n_param]};
    TRY(agn_fn_call(y, 3, t->direction, in, 4));
    agn_release(y[0]);
    agn_release(y[1]);
    keep(t, y[2]);
}
static int check(void *user, double *value)
{
    const training *t = user;
    return bench_both(t->last, value);
}

static void run(int64_t n, agn_dtype dtype, const char *name)
{
    static const struct {
        const char *what;
        void (*call)(void *user);
    } works[] = {{"adam-epoch", call_epoch},
                 {"adam-epoch/pieces", call_pieces},
                 {"lbfgs-direction", call_direction}};
    for (size_t k = 0; k < sizeof works / sizeof *works; k++) {
        char id[80];
        training t;
        snprintf(id, sizeof id, "optim/%s/burgers/n%d/%s", works[k].what, (int)n, name);
        if (!bench_asked(id))
            continue;
        training_open(&t, n, dtype);
        bench_measure(id, &(bench_work){works[k].call, check, &t, 0});
        training_close(&t);
    }
}

/* ---- steps of rules alone --------------------------------------------------------------------- */

typedef struct update {
    agn_optim *o;
    agn_fn *objective, *plan;
    agn_tensor *x, *g, *state[2][6], *last; /* to and fro between two places */
    int n_state, now;
} update;

/* the value is 0, the gradient that which is given */
static agn_status given(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)user;
    out[0] = ag_full(s, agn_dtype_of(in[0]), 0, NULL, 0);
    out[1] = in[1];
    return agn_scope_status(s);
}

static void update_open(update *u, int32_t kind, int64_t n, agn_dtype dtype)
{
    agn_fn *f = NULL;
    *u = (update){.n_state = 2 + agn_optim_slots(kind, NULL)};
    u->x = bench_grid(1, &n, -1, 1, 1, dtype);
    u->g = bench_grid(1, &n, 0.5, 1.5, 2, dtype);
    TRY(agn_fn_new(&u->objective, given, NULL, NULL, 2, 2));
    TRY(agn_optim_new(&u->o, kind, AGN_ARGS(u->x), NULL));
    TRY(agn_fn_optim(&f, kind, u->objective, AGN_ARGS(u->x), NULL));
    TRY(agn_fn_compile(&u->plan, f, NULL));
    agn_fn_release(f);
    for (int place = 0; place < 2; place++)
        for (int i = 0; i < u->n_state; i++) {
            bool count = i == u->n_state - 1;
            u->state[place][i] = zeros(count ? 0 : 1, count ? NULL : &n, count ? AGN_F64 : dtype);
        }
    TRY(agn_copy_into(u->state[0][0], u->x));
    u->last = zeros(0, NULL, dtype);
}
static void update_close(update *u)
{
    for (int place = 0; place < 2; place++)
        for (int i = 0; i < u->n_state; i++)
            agn_release(u->state[place][i]);
    agn_release(u->x), agn_release(u->g), agn_release(u->last);
    agn_fn_release(u->objective), agn_fn_release(u->plan);
    agn_optim_release(u->o);
}

static void call_update(void *user)
{
    update *u = user;
    TRY(agn_optim_step(NULL, NULL, u->o, u->objective, (const agn_tensor *[]){u->g}, 1));
}
static void call_planned_update(void *user)
{
    update *u = user;
    const agn_tensor *in[8];
    agn_tensor *out[8];
    for (int i = 0; i < u->n_state; i++) {
        in[i] = u->state[u->now][i];
        out[i] = u->state[!u->now][i];
    }
    in[u->n_state] = u->g;
    out[u->n_state] = u->last;
    TRY(agn_fn_call_into(out, u->n_state + 1, u->plan, in, u->n_state + 1));
    u->now = !u->now;
}
static int check_update(void *user, double *value)
{
    const update *u = user;
    return bench_both(u->last, value);
}

static void run_rule(int32_t kind, const char *rule, int64_t n, agn_dtype dtype, const char *name)
{
    static const struct {
        const char *what;
        void (*call)(void *user);
    } works[] = {{"step", call_update}, {"step/planned", call_planned_update}};
    for (size_t k = 0; k < sizeof works / sizeof *works; k++) {
        char id[80];
        update u;
        snprintf(id, sizeof id, "optim/%s/%s/n%d/%s", works[k].what, rule, (int)n, name);
        if (!bench_asked(id))
            continue;
        update_open(&u, kind, n, dtype);
        bench_measure(id, &(bench_work){works[k].call, check_update, &u, 0});
        update_close(&u);
    }
}

void bench_optim(void)
{
    for (int64_t n = 10000; n <= 1000000; n *= 100) {
        run_rule(AGN_OPTIM_ADAM, "adam", n, AGN_F64, "f64");
        run_rule(AGN_OPTIM_ADAM, "adam", n, AGN_F32, "f32");
        run_rule(AGN_OPTIM_MOMENTUM, "momentum", n, AGN_F32, "f32");
    }
    run(100, AGN_F64, "f64");
    run(1000, AGN_F64, "f64");
    run(1000, AGN_F32, "f32");
}
