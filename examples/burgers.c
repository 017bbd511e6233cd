/*
 * burgers.c - the Burgers equation by a physics-informed network
 *
 *     u_t + u u_x = nu u_xx  for x in [-1,1], t in [0,1],
 *     u(0,x) = -sin(pi x),  u(t,+-1) = 0
 *
 * u(t,x) is a perceptron with tanh units and random weights w. The loss is the mean
 * square of the equation's residual at random points, plus EDGE_WEIGHT times the mean
 * square of u minus the given values at t = 0 and x = +-1. Nothing else enters, neither
 * the exact solution nor where its shock lies. The residual's derivatives are exact, by
 * Taylor jets; the gradient of the loss is the reverse of that whole computation.
 *
 * Some steps of Adam are followed by self-scaled BFGS with the full matrix. Every RENEW
 * evaluations the points are drawn anew from eight times as many candidates, with
 * probabilities in proportion to 1 + |r| / mean |r| (Wu et al. 2023): the points follow
 * the shock as the network finds it, and no set of points can be learnt by heart.
 */
#include <agnesi/agnesi.h>

#include "burgers_bfgs.h"
#include "burgers_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

enum {
    ADAM_STEPS = 200,
    RENEW = 250,
    ROUNDS = 15, /* of RENEW evaluations by BFGS */
    LONG_ROUNDS = 120,
    CANDIDATES = 8,   /* for each point */
    EDGE_POINTS = 200 /* half of them at t = 0, the others at x = +-1 */
};
static const double EDGE_WEIGHT = 40, RATE = 3e-3;

typedef struct {
    burgers_options options;
    int64_t n;                            /* number of parameters */
    agn_fn *derivatives;                  /* (w, z) -> u, u_t, u_x, u_xx */
    agn_fn *predict, *residual, *descent; /* compiled; descent: loss and gradient */
    agn_generator *random;
    agn_tensor *points;        /* of the residual: columns t and x */
    agn_tensor *edge, *values; /* where u is given, and u there */
    agn_tensor *grid;          /* where the report compares */
} problem;

/* The parameters lie in one vector: for each layer the matrix, then the bias. */
static int64_t layer_inputs(const burgers_options *o, int64_t layer)
{
    return layer ? o->width : 2;
}

static int64_t layer_outputs(const burgers_options *o, int64_t layer)
{
    return layer < o->depth ? o->width : 1;
}

static const agn_tensor *part(agn_scope *s, const agn_tensor *w, int64_t *at,
                              int64_t rows, int64_t columns)
{
    int64_t end = *at + rows * columns, shape[] = {rows, columns};
    const agn_tensor *v = ag_slice(s, w, 1, at, &end, NULL);
    *at = end;
    return ag_reshape(s, v, 2, shape);
}

/* (w, z) -> u, row by row */
static agn_status network(void *user, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    const burgers_options *o = &((problem *)user)->options;
    const agn_tensor *h = in[1];
    int64_t at = 0;
    for (int64_t layer = 0; layer <= o->depth; layer++) {
        int64_t rows = layer_inputs(o, layer), columns = layer_outputs(o, layer);
        const agn_tensor *matrix = part(s, in[0], &at, rows, columns);
        const agn_tensor *bias = part(s, in[0], &at, 1, columns);
        if (layer)
            h = ag_tanh(s, h);
        h = ag_add(s, ag_matmul(s, h, matrix), bias);
    }
    out[0] = h;
    return agn_scope_status(s);
}

/* (w, z) -> u_t + u u_x - nu u_xx */
static agn_status residual(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    const problem *p = user;
    const agn_tensor *d[4] = {NULL};
    agn_fn_apply(p->derivatives, s, d, in);
    const agn_tensor *u = d[0], *u_t = d[1], *u_x = d[2], *u_xx = d[3];
    const agn_tensor *transport = ag_add(s, u_t, ag_mul(s, u, u_x));
    out[0] = ag_sub(s, transport, ag_mul_c(s, u_xx, p->options.nu));
    return agn_scope_status(s);
}

/* (w, z, edge, values) -> loss */
static agn_status loss(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const agn_tensor *edge[] = {in[0], in[2]}, *r = NULL, *u = NULL;
    residual(user, s, in, &r);
    network(user, s, edge, &u);
    const agn_tensor *misfit = ag_mean_all(s, ag_square(s, ag_sub(s, u, in[3])));
    out[0] = ag_add(s, ag_mean_all(s, ag_square(s, r)),
                    ag_mul_c(s, misfit, EDGE_WEIGHT));
    return agn_scope_status(s);
}

/* A function from a body, compiled; with its gradient in w if asked. */
static agn_status compile(agn_fn **out, problem *p, agn_body *body, int32_t n_in,
                          bool gradient)
{
    agn_fn *f = NULL, *g = NULL;
    agn_status status = agn_fn_new(&f, body, p, NULL, n_in, 1);
    if (!status && gradient)
        status = agn_fn_value_and_grad(&g, f, NULL, 1);
    if (!status)
        status = agn_fn_compile(out, gradient ? g : f, NULL);
    agn_fn_release(g);
    agn_fn_release(f);
    return status;
}

static agn_status build_functions(problem *p)
{
    static const int32_t orders[] = {1, 0, 0, 1, 0, 2}; /* t, x, xx */
    agn_fn *u = NULL;
    agn_status status = agn_fn_new(&u, network, p, NULL, 2, 1);
    if (!status)
        status = agn_fn_partials(&p->derivatives, u, 1, 2, orders, 3);
    if (!status)
        status = compile(&p->predict, p, network, 2, false);
    if (!status)
        status = compile(&p->residual, p, residual, 2, false);
    if (!status)
        status = compile(&p->descent, p, loss, 4, true);
    agn_fn_release(u);
    return status;
}

/* n points, uniform in [0,1] x [-1,1]. */
static const agn_tensor *draw(agn_scope *s, const problem *p, int64_t n)
{
    int64_t shape[] = {n, 1};
    const agn_tensor *t = ag_uniform(s, ag_key(s, p->random), AGN_F64, 2, shape);
    const agn_tensor *x = ag_uniform(s, ag_key(s, p->random), AGN_F64, 2, shape);
    const agn_tensor *z[] = {t, ag_sub_c(s, ag_mul_c(s, x, 2), 1)};
    return ag_concat(s, z, 2, 1);
}

/* New points of the residual. With e exponential and v the odds, the places of the n
 * smallest e / v are a sample without replacement (Efraimidis and Spirakis 2006). */
static agn_status renew_points(problem *p, const double *w)
{
    int64_t n = p->options.points, many = CANDIDATES * n, from = 0;
    agn_tensor *points = NULL, *params = NULL;
    agn_status status = agn_from_host(&params, AGN_F64, 1, &p->n, w);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *in[] = {agn_scope_adopt(s, status, params), draw(s, p, many)};
    const agn_tensor *r = NULL;
    agn_fn_apply(p->residual, s, &r, in);
    r = ag_reshape(s, ag_abs(s, r), 1, &many);
    const agn_tensor *odds = ag_add_c(s, ag_div(s, r, ag_mean_all(s, r)), 1);
    const agn_tensor *e = ag_uniform(s, ag_key(s, p->random), AGN_F64, 1, &many);
    e = ag_neg(s, ag_log1p(s, ag_neg(s, e)));
    const agn_tensor *order = ag_argsort(s, ag_div(s, e, odds), 0, false);
    order = ag_slice(s, order, 1, &from, &n, NULL);
    agn_scope_return(s, &points, ag_gather(s, in[1], order, 0));
    status = agn_scope_close(s);
    if (status)
        return status;
    agn_release(p->points);
    p->points = points;
    return AGN_OK;
}

static agn_status make_data(problem *p, const burgers_report *report)
{
    double edge[EDGE_POINTS][2], values[EDGE_POINTS];
    const int half = EDGE_POINTS / 2;
    for (int i = 0; i < half; i++) {
        double x = -1 + 2.0 * i / (half - 1), t = (double)(i / 2) / (half / 2 - 1);
        edge[i][0] = 0;
        edge[i][1] = x;
        values[i] = -sin(PI * x);
        edge[half + i][0] = t;
        edge[half + i][1] = i % 2 ? 1 : -1;
        values[half + i] = 0;
    }
    static double grid[BURGERS_NT * BURGERS_NX][2];
    for (int i = 0; i < BURGERS_NT * BURGERS_NX; i++) {
        grid[i][0] = report->t[i / BURGERS_NX];
        grid[i][1] = report->x[i % BURGERS_NX];
    }
    const int64_t pairs[] = {EDGE_POINTS, 2}, column[] = {EDGE_POINTS, 1};
    const int64_t everywhere[] = {BURGERS_NT * BURGERS_NX, 2};
    agn_status status = agn_from_host(&p->edge, AGN_F64, 2, pairs, edge);
    if (!status)
        status = agn_from_host(&p->values, AGN_F64, 2, column, values);
    if (!status)
        status = agn_from_host(&p->grid, AGN_F64, 2, everywhere, grid);
    return status;
}

/* Random weights, normal with variance 2 / (inputs + outputs), without biases (Glorot
 * and Bengio 2010). */
static agn_status make_weights(problem *p, double **w)
{
    const burgers_options *o = &p->options;
    agn_tensor *numbers = NULL;
    p->n = 0;
    for (int64_t layer = 0; layer <= o->depth; layer++)
        p->n += (layer_inputs(o, layer) + 1) * layer_outputs(o, layer);
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_return(s, &numbers,
                     ag_normal(s, ag_key(s, p->random), AGN_F64, 1, &p->n));
    agn_status status = agn_scope_close(s);
    *w = malloc((size_t)p->n * sizeof **w);
    if (!status)
        status = *w ? agn_to_host(*w, numbers, (size_t)p->n * sizeof **w) : AGN_ENOMEM;
    double *v = *w;
    for (int64_t layer = 0; !status && layer <= o->depth; layer++) {
        int64_t rows = layer_inputs(o, layer), columns = layer_outputs(o, layer);
        double size = sqrt(2.0 / (double)(rows + columns));
        for (int64_t i = 0; i < rows * columns; i++)
            *v++ *= size;
        for (int64_t i = 0; i < columns; i++)
            *v++ = 0;
    }
    agn_release(numbers);
    return status;
}

static bool objective(void *user, const double *w, double *value, double *gradient)
{
    problem *p = user;
    agn_tensor *params = NULL, *out[2] = {NULL};
    agn_status status = agn_from_host(&params, AGN_F64, 1, &p->n, w);
    const agn_tensor *in[] = {params, p->points, p->edge, p->values};
    if (!status)
        status = agn_fn_call(p->descent, out, in);
    if (!status)
        status = agn_item_f64(value, out[0]);
    if (!status)
        status = agn_to_host(gradient, out[1], (size_t)p->n * sizeof(double));
    agn_release(out[0]);
    agn_release(out[1]);
    agn_release(params);
    return status == AGN_OK;
}

static bool predict(void *user, const double *w, double *u)
{
    problem *p = user;
    agn_tensor *params = NULL, *out = NULL;
    agn_status status = agn_from_host(&params, AGN_F64, 1, &p->n, w);
    const agn_tensor *in[] = {params, p->grid};
    if (!status)
        status = agn_fn_call(p->predict, &out, in);
    if (!status)
        status = agn_to_host(u, out, BURGERS_NT * BURGERS_NX * sizeof(double));
    agn_release(out);
    agn_release(params);
    return status == AGN_OK;
}

/* Kingma and Ba 2015, the rate falling tenfold; scratch holds 3 n numbers. */
static bool adam(problem *p, double *w, double *scratch, burgers_report *report)
{
    double *g = scratch, *m = g + p->n, *v = m + p->n, value;
    memset(m, 0, 2 * (size_t)p->n * sizeof(double));
    for (int k = 1; k <= ADAM_STEPS; k++) {
        if (!objective(p, w, &value, g))
            return false;
        double rate = RATE * pow(0.1, (double)k / ADAM_STEPS);
        for (int64_t i = 0; i < p->n; i++) {
            m[i] = 0.9 * m[i] + 0.1 * g[i];
            v[i] = 0.999 * v[i] + 0.001 * g[i] * g[i];
            double mean = m[i] / (1 - pow(0.9, k)), square = v[i] / (1 - pow(0.999, k));
            w[i] -= rate * mean / (sqrt(square) + 1e-8);
        }
        if (!burgers_report_step(report, w, k, value))
            return false;
    }
    return true;
}

/* Continues from b->x; new points at the start of every round. */
static bool descend(problem *p, bfgs *b, int rounds, burgers_report *report)
{
    for (int round = 1; round <= rounds; round++) {
        bfgs_status status = renew_points(p, b->x) ? BFGS_STOPPED : bfgs_start(b, b->x);
        while (status == BFGS_OK && b->evaluations < (long)round * RENEW) {
            status = bfgs_step(b);
            if (status == BFGS_OK &&
                !burgers_report_step(report, b->x, ADAM_STEPS + b->evaluations,
                                     b->value))
                return false;
        }
        if (status == BFGS_STOPPED)
            return false;
    }
    return true;
}

static bool train(problem *p, burgers_report *report, int rounds)
{
    double *w = NULL, *scratch = NULL;
    bfgs *b = NULL;
    bool done = make_data(p, report) == AGN_OK && make_weights(p, &w) == AGN_OK &&
                build_functions(p) == AGN_OK;
    if (done) {
        scratch = malloc(3 * (size_t)p->n * sizeof *scratch);
        b = bfgs_new((size_t)p->n, objective, p);
        done = scratch && b;
    }
    burgers_report_begin(report);
    if (done && renew_points(p, w) == AGN_OK && adam(p, w, scratch, report)) {
        memcpy(b->x, w, (size_t)p->n * sizeof *w);
        done = descend(p, b, rounds, report) && burgers_report_end(report, b->x);
    } else {
        done = false;
    }
    bfgs_free(b);
    free(scratch);
    free(w);
    return done;
}

static void release(problem *p)
{
    agn_fn *functions[] = {p->derivatives, p->predict, p->residual, p->descent};
    agn_tensor *tensors[] = {p->points, p->edge, p->values, p->grid};
    for (int i = 0; i < 4; i++) {
        agn_fn_release(functions[i]);
        agn_release(tensors[i]);
    }
    agn_generator_release(p->random);
}

int main(int argc, char **argv)
{
    problem p = {.options = {.seed = 1,
                             .nu = 0.01 / PI,
                             .width = 20,
                             .depth = 4,
                             .points = 2500,
                             .out = "burgers.png"}};
    int status = burgers_options_parse(&p.options, argc, argv);
    if (status >= 0)
        return status;

    int rounds = p.options.go_on ? LONG_ROUNDS : ROUNDS;
    burgers_report *report = burgers_report_new(&p.options, ADAM_STEPS + rounds * RENEW,
                                                ADAM_STEPS, predict, &p);
    bool done = report && agn_threads_set((int32_t)p.options.threads) == AGN_OK &&
                agn_generator_new(&p.random, (uint64_t)p.options.seed) == AGN_OK &&
                train(&p, report, rounds);
    if (!done) {
        const char *why = agn_error_message();
        fprintf(stderr, "\nburgers: %s\n", *why ? why : "out of memory");
    }
    burgers_report_free(report);
    release(&p);
    return !done;
}
