/* bench/steps-networks.c - training steps of networks of several kinds, losses and batches
   (steps-losses.c): the networks, their arguments, the runs. */
#include "steps.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef const agn_tensor *T;
enum { EDGE = 512, FEATURES = 16 };

/* ---- networks -------------------------------------------------------------------------------- */

static T apply_layer(agn_scope *s, T h, T const *w)
{
    return ag_add(s, ag_matmul(s, h, w[0]), w[1]);
}

static T apply_plain(const bench_step *p, agn_scope *s, T const *in, T x)
{
    return bench_network_of(s, x, in, p->n_layer, p->r.activation);
}
static T apply_residual(const bench_step *p, agn_scope *s, T const *in, T x)
{
    T h = x;
    for (int l = 0; l < p->n_layer - 1; l++) {
        T z = p->r.activation(s, apply_layer(s, h, in + 2 * l));
        h = l ? ag_add(s, h, z) : z;
    }
    return apply_layer(s, h, in + 2 * p->n_layer - 2);
}
static T apply_gated(const bench_step *p, agn_scope *s, T const *in, T x)
{
    T h = x, u = p->r.activation(s, apply_layer(s, x, in + 2 * p->n_layer)),
      v = p->r.activation(s, apply_layer(s, x, in + 2 * p->n_layer + 2));
    for (int l = 0; l < p->n_layer - 1; l++) {
        T z = p->r.activation(s, apply_layer(s, h, in + 2 * l));
        h = ag_add(s, ag_mul(s, ag_add_c(s, ag_neg(s, z), 1), u), ag_mul(s, z, v));
    }
    return apply_layer(s, h, in + 2 * p->n_layer - 2);
}
static T apply_fourier(const bench_step *p, agn_scope *s, T const *in, T x)
{
    T z = ag_matmul(s, x, in[p->n_param + 1]);
    return apply_plain(p, s, in, ag_concat(s, (T[]){ag_sin(s, z), ag_cos(s, z)}, 2, 1));
}
/* each row of a layer less its mean, over its deviation */
static T apply_normalised(const bench_step *p, agn_scope *s, T const *in, T x)
{
    const int32_t last[] = {1};
    T h = x;
    for (int l = 0; l < p->n_layer - 1; l++) {
        h = apply_layer(s, h, in + 2 * l);
        T d = ag_sub(s, h, ag_mean(s, h, last, 1, true));
        T variance = ag_mean(s, ag_square(s, d), last, 1, true);
        h = p->r.activation(s, ag_div(s, d, ag_sqrt(s, ag_add_c(s, variance, 1e-3))));
    }
    return apply_layer(s, h, in + 2 * p->n_layer - 2);
}
/* the distance from the origin, made smooth, beside the axes */
static T apply_distance(const bench_step *p, agn_scope *s, T const *in, T x)
{
    T r = ag_sum(s, ag_square(s, x), (const int32_t[]){1}, 1, true);
    r = ag_sqrt(s, ag_add_c(s, r, 0.01));
    return apply_plain(p, s, in, ag_concat(s, (T[]){x, r}, 2, 1));
}
/* each layer sees the points again */
static T apply_skip(const bench_step *p, agn_scope *s, T const *in, T x)
{
    T h = x;
    for (int l = 0; l < p->n_layer - 1; l++) {
        T z = p->r.activation(s, apply_layer(s, h, in + 2 * l));
        h = ag_concat(s, (T[]){z, x}, 2, 1);
    }
    return apply_layer(s, h, in + 2 * p->n_layer - 2);
}
/* 0 where an axis is 1 or -1 */
static T apply_bounded(const bench_step *p, agn_scope *s, T const *in, T x)
{
    T room = ag_add_c(s, ag_neg(s, ag_square(s, x)), 1);
    T bubble = ag_mul(s, ag_index_axis(s, room, 1, 0), ag_index_axis(s, room, 1, 1));
    return ag_mul(s, apply_plain(p, s, in, x), ag_expand_dims(s, bubble, 1));
}

const bench_step_kind bench_step_plain = {.apply = apply_plain};
const bench_step_kind bench_step_residual = {.apply = apply_residual};
const bench_step_kind bench_step_gated = {.apply = apply_gated, .gates = true};
const bench_step_kind bench_step_fourier = {.apply = apply_fourier, .features = 2 * FEATURES};
const bench_step_kind bench_step_normalised = {.apply = apply_normalised};
const bench_step_kind bench_step_distance = {.apply = apply_distance, .beside = 1};
const bench_step_kind bench_step_skip = {.apply = apply_skip, .again = 2};
const bench_step_kind bench_step_bounded = {.apply = apply_bounded};

static agn_status network(void *user, agn_scope *s, T const *in, T *out)
{
    const bench_step *p = user;
    out[0] = p->r.kind->apply(p, s, in, in[p->n_param]);
    return agn_scope_status(s);
}

static agn_status loss(void *user, agn_scope *s, T const *in, T *out)
{
    const bench_step *p = user;
    T d[BENCH_STEP_ARGS];
    if (!agn_fn_apply(s, d, agn_fn_n_out(p->derivatives), p->derivatives, in,
                      agn_fn_n_in(p->derivatives)))
        out[0] = p->r.loss(p, s, d, in + p->n_param + 1);
    return agn_scope_status(s);
}

/* ---- running them --------------------------------------------------------------------------- */

static void call_step(void *user)
{
    bench_step *p = user;
    for (int i = 0; i < BENCH_STEP_ARGS; i++) {
        agn_release(p->out[i]);
        p->out[i] = NULL;
    }
    TRY(agn_fn_call(p->out, agn_fn_n_out(p->call), p->call, (T const *)p->in, p->n_in));
}
static int check_step(void *user, double *value)
{
    const bench_step *p = user;
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
static void fill_more(bench_step *p, agn_dtype dtype)
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

/* a matrix [inputs, outputs] and a bias, their salts from the given one on */
static void fill_layer(bench_step *p, int64_t inputs, int64_t outputs, int salt, agn_dtype dtype)
{
    const int64_t size[2] = {inputs, outputs};
    double a = sqrt(6.0 / (double)(inputs + outputs));
    p->in[p->n_param++] = bench_grid(2, size, -a, a, salt, dtype);
    p->in[p->n_param++] = bench_grid(1, size + 1, -0.1, 0.1, salt + 1, dtype);
}
static void fill_parameters(bench_step *p, agn_dtype dtype)
{
    const bench_step_kind *kind = p->r.kind;
    int first = (kind->features ? kind->features : p->r.n_axis) + kind->beside;
    p->n_layer = p->r.hidden + 1;
    for (int l = 0; l < p->n_layer; l++)
        fill_layer(p, l ? p->r.width + kind->again : first,
                   l < p->r.hidden ? p->r.width : p->r.n_out, 10 + 2 * l, dtype);
    for (int k = 0; kind->gates && k < 2; k++)
        fill_layer(p, p->r.n_axis, p->r.width, 40 + 2 * k, dtype);
    p->in[p->n_param] = p->r.n_axis == 2
                            ? bench_points(p->r.points, dtype)
                            : bench_grid(2, (int64_t[]){p->r.points, p->r.n_axis}, -1, 1, 1, dtype);
    p->n_in = p->n_param + 1;
}

static void run_problem(const bench_step_row *r, const char *id, agn_dtype dtype)
{
    bench_step p = {.r = *r};
    agn_fn *u = NULL, *f = NULL, *g = NULL;
    int32_t argnums[BENCH_STEP_ARGS];
    fill_parameters(&p, dtype);
    fill_more(&p, dtype);
    if (p.r.n_axis == BENCH_STEP_AXES) /* all second, then all first derivatives */
        for (int k = 0; k < p.r.n; k++)
            p.r.alpha[k * p.r.n_axis + k % p.r.n_axis] = k < p.r.n_axis ? 2 : 1;
    for (int i = 0; i < p.n_train; i++)
        argnums[i] = i < p.n_param ? i : p.n_param + 1;
    TRY(agn_fn_new(&u, network, &p, NULL, p.n_param + 1 + (p.r.kind->features > 0), 1));
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
    for (int i = 0; i < BENCH_STEP_ARGS; i++) {
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
    for (size_t i = 0; i < bench_n_step_rows; i++)
        for (int f32 = 0; f32 < 2; f32++) {
            char id[64];
            const char *dtype = f32 ? "f32" : "f64";
            snprintf(id, sizeof id, "%s/%s", bench_step_rows[i].id, dtype);
            if (strstr(bench_step_rows[i].dtypes, dtype) && bench_asked(id))
                run_problem(&bench_step_rows[i], id, f32 ? AGN_F32 : AGN_F64);
        }
}
