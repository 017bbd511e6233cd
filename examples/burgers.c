/*
 * burgers.c - the Burgers equation by a physics-informed network
 *
 *     u_t + u u_x = nu u_xx  for x in [-1,1], t in [0,1],
 *     u(0,x) = -sin(pi x),  u(t,+-1) = 0
 *
 * u(t,x) = -sin(pi x) + t (N(t, cos pi x, sin pi x) - N(t, cos pi x, -sin pi x)) with a
 * perceptron N of tanh units and random weights w, so that u begins as it should, repeats with
 * period 2 and is odd, as the equation and its start are, hence 0 at x = +-1. A point tells of its
 * mirror image, too, and no unit learns the same thing twice. The loss is the mean square of the
 * equation's residual at random points. Nothing else enters, neither the exact
 * solution nor where its shock lies. The residual's derivatives are exact, by Taylor jets;
 * the gradient of the loss is the reverse of that whole computation.
 *
 * Some steps of Adam are followed by the self-scaled Broyden method with the full matrix,
 * on new points every RENEW evaluations: they follow residual and slope, hence the shock as
 * the network finds it, and no set of points can be learnt by heart. The matrix is kept: the
 * loss changes little. The first EARLY evaluations, far from the solution, do with half of the
 * points. A long training takes three times as many: between fewer the network is free, and its
 * error stays where it is while the loss falls.
 */
#include <agnesi/agnesi.h>

#include "burgers_data.h"
#include "burgers_report.h"

#include <math.h>
#include <stdio.h>

#define PI 3.14159265358979323846

enum { ADAM_STEPS = 200, RENEW = 250, EARLY = 4500, ROUNDS = 41, LONG_ROUNDS = 240,
       LONG_POINTS = 3 };
static const double RATE = 3e-3;

typedef struct {
    burgers_options options;
    int32_t n;                              /* number of weights: matrices and biases */
    agn_fn *derivatives;                    /* (w, z) -> u, u_t, u_x, u_xx */
    agn_fn *predict, *importance, *descent; /* compiled; descent: loss and gradient */
    agn_tensor *points;                     /* of the residual */
    agn_generator *random;
    burgers_report *report;
} problem;

/* N at rows of (t, cos pi x, sin pi x) */
static const agn_tensor *perceptron(const problem *p, agn_scope *s, const agn_tensor *const *w,
                                    const agn_tensor *z)
{
    for (int32_t i = 0; i < p->n; i += 2) {
        const agn_tensor *h = i ? ag_tanh(s, z) : z;
        z = ag_add(s, ag_matmul(s, h, w[i]), w[i + 1]);
    }
    return z;
}

/* u at the points z = (t, x), row by row */
static const agn_tensor *solution(const problem *p, agn_scope *s, const agn_tensor *const *w,
                                  const agn_tensor *z)
{
    static const int64_t first[] = {0, 0}, middle[] = {AGN_END, 1}, second[] = {0, 1},
                         end[] = {AGN_END, 2};
    const agn_tensor *t = ag_slice(s, z, 2, first, middle, NULL);
    const agn_tensor *x = ag_mul_c(s, ag_slice(s, z, 2, second, end, NULL), PI);
    const agn_tensor *cosine = ag_cos(s, x), *sine = ag_sin(s, x);
    const agn_tensor *here = ag_concat(s, AGN_ARGS(t, cosine, sine), 1);
    const agn_tensor *there = ag_concat(s, AGN_ARGS(t, cosine, ag_neg(s, sine)), 1);
    const agn_tensor *odd = ag_sub(s, perceptron(p, s, w, here), perceptron(p, s, w, there));
    return ag_sub(s, ag_mul(s, t, odd), sine);
}

/* (w, z) -> u */
static agn_status network(void *user, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    const problem *p = user;
    out[0] = solution(p, s, in, in[p->n]);
    return agn_scope_status(s);
}

/* (w, z) -> u_t + u u_x - nu u_xx */
static agn_status residual(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    const problem *p = user;
    const agn_tensor *d[4] = {NULL};
    agn_fn_apply(s, d, 4, p->derivatives, in, agn_fn_n_in(p->derivatives));
    const agn_tensor *u = d[0], *u_t = d[1], *u_x = d[2], *u_xx = d[3];
    const agn_tensor *transport = ag_add(s, u_t, ag_mul(s, u, u_x));
    out[0] = ag_sub(s, transport, ag_mul_c(s, u_xx, p->options.nu));
    return agn_scope_status(s);
}

/* (w, z) -> how much a point at z would tell: |r| and |u_x|, each over its mean. By the
 * residual alone a thin shock gets too few points for what lies between them to be held. */
static agn_status importance(void *user, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    const problem *p = user;
    const agn_tensor *d[4] = {NULL}, *r = NULL;
    agn_fn_apply(s, d, 4, p->derivatives, in, agn_fn_n_in(p->derivatives));
    residual(user, s, in, &r);
    const agn_tensor *size = ag_abs(s, r), *slope = ag_abs(s, d[2]);
    out[0] = ag_add(s, ag_div(s, size, ag_mean_all(s, size)),
                    ag_div(s, slope, ag_mean_all(s, slope)));
    return agn_scope_status(s);
}

/* (w, points) -> loss */
static agn_status loss(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const agn_tensor *r = NULL;
    residual(user, s, in, &r);
    out[0] = ag_mean_all(s, ag_square(s, r));
    return agn_scope_status(s);
}

static agn_status build_functions(problem *p)
{
    static const int32_t orders[] = {1, 0, 0, 1, 0, 2}; /* t, x, xx */
    int32_t w[BURGERS_MOST_WEIGHTS];
    for (int32_t i = 0; i < p->n; i++)
        w[i] = i;
    agn_fn *u = NULL, *r = NULL, *f = NULL, *df = NULL;
    agn_status st = agn_fn_new(&u, network, p, NULL, p->n + 1, 1);
    st = st ? st : agn_fn_partials(&p->derivatives, u, p->n, orders, 3, 2);
    st = st ? st : agn_fn_new(&r, importance, p, NULL, p->n + 1, 1);
    st = st ? st : agn_fn_new(&f, loss, p, NULL, p->n + 1, 1);
    st = st ? st : agn_fn_value_and_grad(&df, f, w, p->n);
    st = st ? st : agn_fn_compile(&p->predict, u, NULL);
    st = st ? st : agn_fn_compile(&p->importance, r, NULL);
    st = st ? st : agn_fn_compile(&p->descent, df, NULL);
    agn_fn_release(df);
    agn_fn_release(f);
    agn_fn_release(r);
    agn_fn_release(u);
    return st;
}

/* Steps on new points until the minimiser has made so many evaluations, or finds none
 * that goes down. Adam's rate falls tenfold; the other methods have no rate. */
static agn_status descend(problem *p, agn_optim *o, int64_t before, int64_t until)
{
    int32_t reason = AGN_OPTIM_RUNNING;
    agn_optim_info now = {.size = sizeof now};
    int64_t points = before + until < EARLY ? p->options.points / 2 : p->options.points;
    agn_status st = burgers_points(&p->points, points, p->random, p->importance, o);
    while (!st && reason == AGN_OPTIM_RUNNING && now.evaluations < until) {
        double rate = RATE * pow(0.1, fmin(1, (double)now.evaluations / ADAM_STEPS));
        st = agn_optim_rate_set(o, rate);
        st = st ? st : agn_optim_step(NULL, &reason, o, p->descent, AGN_ARGS(p->points));
        st = st ? st : agn_optim_describe(&now, o);
        int64_t done = before + now.evaluations;
        st = st ? st : burgers_report_step(p->report, o, done, now.value);
    }
    return st;
}

static agn_status train(problem *p, int rounds)
{
    agn_tensor *w[BURGERS_MOST_WEIGHTS] = {NULL};
    const agn_tensor *const *start = (const agn_tensor *const *)w;
    agn_optim *adam = NULL, *bfgs = NULL;
    burgers_report_begin(p->report, p->predict);
    agn_status st = burgers_weights(w, &p->options, p->random);
    st = st ? st : agn_optim_new(&adam, AGN_OPTIM_ADAM, start, p->n, NULL);
    st = st ? st : descend(p, adam, 0, ADAM_STEPS);
    burgers_release(w, p->n);
    st = st ? st : agn_optim_params(w, agn_optim_n_params(adam), adam);
    st = st ? st : agn_optim_new(&bfgs, AGN_OPTIM_SSBROYDEN, start, p->n, NULL);
    for (int round = 1; !st && round <= rounds; round++)
        st = descend(p, bfgs, ADAM_STEPS, (int64_t)round * RENEW);
    st = st ? st : burgers_report_end(p->report, bfgs);
    burgers_release(w, p->n);
    agn_optim_release(bfgs);
    agn_optim_release(adam);
    return st;
}

static void release(problem *p)
{
    agn_fn *functions[] = {p->derivatives, p->predict, p->importance, p->descent};
    for (int i = 0; i < 4; i++)
        agn_fn_release(functions[i]);
    burgers_release(&p->points, 1);
    agn_generator_release(p->random);
    burgers_report_free(p->report);
}

int main(int argc, char **argv)
{
    problem p = {.options = {.seed = 1,
                             .nu = 0.01 / PI,
                             .width = 30,
                             .depth = 3,
                             .points = 2000,
                             .out = "burgers.png"}};
    int status = burgers_options_parse(&p.options, argc, argv);
    if (status >= 0)
        return status;

    int rounds = p.options.go_on ? LONG_ROUNDS : ROUNDS;
    p.options.points *= p.options.go_on ? LONG_POINTS : 1;
    p.n = 2 * ((int32_t)p.options.depth + 1);
    agn_status st = burgers_report_new(&p.report, &p.options, ADAM_STEPS + rounds * RENEW,
                                       ADAM_STEPS);
    st = st ? st : agn_threads_set((int32_t)p.options.threads);
    st = st ? st : agn_generator_new(&p.random, (uint64_t)p.options.seed);
    st = st ? st : build_functions(&p);
    st = st ? st : train(&p, rounds);
    const char *why = agn_error_message();
    if (st)
        fprintf(stderr, "\nburgers: %s\n", *why ? why : agn_status_name(st));
    bool done = !st && p.report->drawn;
    release(&p);
    return done ? 0 : 1;
}
