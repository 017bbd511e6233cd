/* Approximations: integrals and posteriors that are known, derivatives of nested integrals in every mode, refusals. */
#include "tests/infer.h"

/* ---- nested Laplace ------------------------------------------------------------------------ */

/* A chain of N normal numbers, seen with normal errors: all of it is normal, so that Laplace's method is exact.
   x_1 ~ N(0, 1/(1 - a^2)) with x_i = a x_{i-1} + e_i; y_i = x_i + b n_i; theta = (atanh a, log b). */
enum { N = 6 };
static const double seen[N] = {0.4, -0.3, 1.1, 0.9, 0.2, -0.8};
static agn_status chain_joint(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    static const int64_t n = N, zero = 0, one = 1, two = 2, short_n = N - 1;
    T x = in[0], y = ag_from_host(s, AGN_F64, 1, &n, seen);
    T a = ag_tanh(s, ag_slice(s, in[1], 1, &zero, &one, NULL)), log_b = ag_slice(s, in[1], 1, &one, &two, NULL);
    T left = ag_slice(s, x, 1, &zero, &short_n, NULL), right = ag_slice(s, x, 1, &one, &n, NULL),
      first = ag_slice(s, x, 1, &zero, &one, NULL), rest = ag_sub_c(s, ag_square(s, a), 1);
    T steps = ag_sum_all(s, ag_square(s, ag_sub(s, right, ag_mul(s, a, left))));
    T errors = ag_mul(s, ag_sum_all(s, ag_square(s, ag_sub(s, y, x))), ag_exp(s, ag_mul_c(s, log_b, -2)));
    T start = ag_neg(s, ag_mul(s, rest, ag_square(s, first)));
    T sum = ag_add(s, ag_add(s, steps, errors), start);
    T logs = ag_sub(s, ag_mul_c(s, ag_log(s, ag_neg(s, rest)), 0.5), ag_mul_c(s, log_b, N));
    out[0] = ag_sum_all(s, ag_add_c(s, ag_sub(s, logs, ag_mul_c(s, sum, 0.5)), -2 * N * 0.9189385332046727));
    return agn_scope_status(s);
}
/* the same integral by the covariance of y */
static double exact(double u, double v)
{
    double a = tanh(u), b = exp(v), c[N][N], log_det = 0, square = 0, z[N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            c[i][j] = pow(a, abs(i - j)) / (1 - a * a) + (i == j ? b * b : 0);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = c[i][j];
            for (int k = 0; k < j; k++)
                sum -= c[i][k] * c[j][k];
            c[i][j] = i == j ? sqrt(sum) : sum / c[j][j];
        }
        z[i] = seen[i];
        for (int k = 0; k < i; k++)
            z[i] -= c[i][k] * z[k];
        z[i] /= c[i][i];
        square += z[i] * z[i];
        log_det += log(c[i][i]);
    }
    return -0.5 * square - log_det - N * 0.9189385332046727;
}
/* counts with a smooth log rate: not normal */
static agn_status counts_joint(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    static const int64_t n = N, zero = 0, one = 1, short_n = N - 1;
    T x = in[0], y = ag_from_host(s, AGN_F64, 1, &n, (const double[]){1, 0, 3, 4, 2, 1});
    T left = ag_slice(s, x, 1, &zero, &short_n, NULL), right = ag_slice(s, x, 1, &one, &n, NULL);
    T tau = ag_exp(s, in[1]);
    T prior = ag_mul(s,
                     ag_add(s, ag_sum_all(s, ag_square(s, ag_sub(s, right, left))),
                            ag_mul_c(s, ag_sum_all(s, ag_square(s, x)), 0.1)),
                     ag_mul_c(s, tau, -0.5));
    T like = ag_sum_all(s, ag_sub(s, ag_mul(s, y, x), ag_exp(s, x)));
    out[0] = ag_add(s, ag_add(s, prior, like), ag_mul_c(s, in[1], 0.5 * N));
    return agn_scope_status(s);
}
static agn_status only_value(void *user, agn_scope *s, const T *in, T *out)
{
    T y[2] = {NULL, NULL};
    agn_status st = agn_fn_apply(s, y, 2, user, in, 2);
    out[0] = y[0];
    return st ? st : agn_scope_status(s);
}
static agn_status saddle(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    out[0] = ag_sum_all(s, ag_mul_c(s, in[0], 1));
    return agn_scope_status(s);
}
static void test_nested(void)
{
    static const int64_t n = N, two = 2;
    agn_fn *f, *l, *value, *grad, *counts, *cl, *cv, *sl, *sf;
    must(agn_fn_new(&f, chain_joint, NULL, NULL, 2, 1));
    agn_status st = agn_fn_laplace(&l, f, NULL);
    if (st == AGN_EUNSUPPORTED) {
        skip("a build without SuiteSparse");
        agn_fn_release(f);
        return;
    }
    must(st);
    must(agn_fn_new(&value, only_value, l, NULL, 2, 1));
    must(agn_fn_grad(&grad, value, (const int32_t[]){1}, 1));
    double at[2] = {0.6, -0.4}, h = 1e-5;
    agn_tensor *x = random_of(AGN_F64, 1, &n, -1, 1), *theta = of_reals(AGN_F64, 1, &two, at), *y[2], *g;
    must(agn_fn_call(y, 2, l, AGN_ARGS(x, theta)));
    ok(fabs(peek(y[0], 0) - exact(0.6, -0.4)) < 1e-11, "a normal integral is exact: %.15g, %.15g", peek(y[0], 0),
       exact(0.6, -0.4));
    must(agn_fn_call(&g, 1, grad, AGN_ARGS(x, theta)));
    double du = (exact(0.6 + h, -0.4) - exact(0.6 - h, -0.4)) / (2 * h),
           dv = (exact(0.6, -0.4 + h) - exact(0.6, -0.4 - h)) / (2 * h);
    ok(fabs(peek(g, 0) - du) < 1e-8 && fabs(peek(g, 1) - dv) < 1e-8, "its gradient: %g %g, %g %g", peek(g, 0),
       peek(g, 1), du, dv);
    agn_release(y[0]);
    agn_release(y[1]);
    agn_release(g);
    agn_check_options o = {.size = sizeof o, .orders = 2};
    ok(!agn_check_grads(NULL, value, AGN_ARGS(x, theta), &o), "derivatives in every mode, to order 2: %s",
       agn_error_message());
    must(agn_fn_new(&counts, counts_joint, NULL, NULL, 2, 1));
    must(agn_fn_laplace(&cl, counts, NULL));
    must(agn_fn_new(&cv, only_value, cl, NULL, 2, 1));
    agn_tensor *log_tau = scalar_of(AGN_F64, 0.3);
    ok(!agn_check_grads(NULL, cv, AGN_ARGS(x, log_tau), &o), "of counts: %s", agn_error_message());
    must(agn_fn_call(y, 2, cl, AGN_ARGS(x, log_tau)));
    /* the mode is one: the gradient there is 0 */
    agn_fn *slope;
    must(agn_fn_grad(&slope, counts, NULL, 1));
    must(agn_fn_call(&g, 1, slope, AGN_ARGS(y[1], log_tau)));
    double worst = 0;
    for (int i = 0; i < N; i++)
        worst = fmax(worst, fabs(peek(g, i)));
    ok(worst < 1e-9, "at the mode the slope is %g", worst);
    agn_release(y[0]);
    agn_release(y[1]);
    agn_release(g);
    agn_tensor *u = untouched, *narrow = random_of(AGN_F32, 1, &n, 0, 1),
               *flat = random_of(AGN_F64, 2, (int64_t[]){2, 3}, 0, 1),
               *wild = of_reals(AGN_F64, 1, &n, (double[]){800, 0, 0, 0, 0, 0});
    agn_fn *none = NULL;
    must(agn_fn_new(&sf, saddle, NULL, NULL, 2, 1));
    must(agn_fn_laplace(&sl, sf, NULL));
    y[0] = untouched;
    ok(refused(agn_fn_call(y, 2, cl, AGN_ARGS(narrow, log_tau)), AGN_EDTYPE, "laplace", "f32", NULL, u) &&
           refused(agn_fn_call(y, 2, cl, AGN_ARGS(flat, log_tau)), AGN_ESHAPE, "laplace", "[2,3]", NULL, u) &&
           refused(agn_fn_call(y, 2, cl, AGN_ARGS(wild, log_tau)), AGN_EDOMAIN, "laplace", "not finite", NULL, u),
       "a call is refused");
    st = agn_fn_call(y, 2, sl, AGN_ARGS(x, log_tau));
    ok(st == AGN_ENOCONV || st == AGN_EDOMAIN, "a function without a maximum: %s", agn_error_message());
    ok(refused(agn_fn_laplace(NULL, f, NULL), AGN_ENULL, "fn_laplace", "out", "NULL", u) &&
           refused(agn_fn_laplace(&none, NULL, NULL), AGN_ENULL, "fn_laplace", "f is", "NULL", u) &&
           refused(agn_fn_laplace(&none, cl, NULL), AGN_EARG, "fn_laplace", "2 results", NULL, u) &&
           refused(agn_fn_laplace(&none, f, &(agn_laplace_options){.size = 3}), AGN_EARG, "fn_laplace", "3 bytes",
                   NULL, u) &&
           refused(agn_fn_laplace(&none, f,
                                  &(agn_laplace_options){.size = sizeof(agn_laplace_options), .max_steps = -1}),
                   AGN_EARG, "fn_laplace", "max_steps is -1", NULL, u) &&
           !none,
       "refused");
    agn_fn *const fns[] = {f, l, value, grad, counts, cl, cv, slope, sf, sl};
    agn_tensor *const xs[] = {x, theta, log_tau, narrow, flat, wild};
    for (int i = 0; i < COUNT(fns); i++)
        agn_fn_release(fns[i]);
    for (int i = 0; i < COUNT(xs); i++)
        agn_release(xs[i]);
}

/* ---- posteriors ----------------------------------------------------------------------------- */

/* a normal law with correlation 0.8 and scales 2, 0.5 about (1, -1) */
static agn_status tilted_body(void *user, agn_scope *s, agn_model_trace *t)
{
    (void)user;
    T a = agn_model_parameter(s, t, "a", law_of(s, agn_distribution_normal, number(s, 1), number(s, 2)), 0, NULL);
    T mean = ag_add_c(s, ag_mul_c(s, ag_add_c(s, a, -1), 0.2), -1);
    agn_model_parameter(s, t, "b", law_of(s, agn_distribution_normal, mean, number(s, 0.3)), 0, NULL);
    return agn_scope_status(s);
}
static agn_status one_body(void *user, agn_scope *s, agn_model_trace *t)
{
    (void)user;
    agn_model_parameter(s, t, "a", law_of(s, agn_distribution_normal, number(s, 3), number(s, 0.5)), 0, NULL);
    return agn_scope_status(s);
}
static agn_status nowhere_body(void *user, agn_scope *s, agn_model_trace *t)
{
    (void)user;
    T x = agn_model_parameter(s, t, "x", law_of(s, agn_distribution_normal, number(s, 0), number(s, 1)), 0, NULL);
    agn_model_add(s, t, ag_where(s, ag_lt(s, x, number(s, 1e9)), number(s, -(double)INFINITY), x));
    return agn_scope_status(s);
}
static agn_status rising_body(void *user, agn_scope *s, agn_model_trace *t)
{
    (void)user;
    T x = agn_model_parameter(s, t, "x", law_of(s, agn_distribution_normal, number(s, 0), number(s, 1)), 0, NULL);
    agn_model_add(s, t, ag_mul_c(s, ag_square(s, x), 0.5));
    return agn_scope_status(s);
}
static bool near_tilted(const agn_tensor *loc, const agn_tensor *l, double tol)
{
    return fabs(peek(loc, 0) - 1) < 2 * tol && fabs(peek(loc, 1) + 1) < tol && fabs(peek(l, 0) - 2) < 2 * tol &&
           peek(l, 1) == 0 && fabs(peek(l, 2) - 0.4) < tol && fabs(peek(l, 3) - 0.3) < tol;
}
static void test_laws(void)
{
    agn_model *m = model(tilted_body), *known = model(known_body), *nowhere = model(nowhere_body),
              *rising = model(rising_body);
    agn_tensor *loc = untouched, *l = untouched, *start = of_reals(AGN_F32, 1, (int64_t[]){2}, (double[]){-4, 9}),
               *u = untouched;
    double evidence = 0, elbo = 0;
    must(agn_infer_laplace(&loc, &l, &evidence, m, start));
    ok(near_tilted(loc, l, 1e-10) && fabs(evidence) < 1e-10, "mode and curvature of a normal law; its integral: %g",
       evidence);
    agn_release(loc);
    agn_release(l);
    must(agn_infer_laplace(&loc, &l, &evidence, known, NULL));
    /* in log rate: mode log(8/12), variance 1/8 */
    ok(fabs(peek(loc, 0) - 1.6) < 1e-10 && fabs(peek(loc, 1) - log(8.0 / 12)) < 1e-10 &&
           fabs(peek(l, 0) - sqrt(0.2)) < 1e-10 && fabs(peek(l, 3) - sqrt(0.125)) < 1e-10 &&
           fabs(evidence - known_evidence()) < 0.02,
       "of a posterior: %g, %g", evidence, known_evidence());
    agn_dict *d;
    must(agn_infer_importance(
        &d, known, loc, l,
        &(agn_importance_options){.size = sizeof(agn_importance_options), .draws = 20000, .seed = 3}));
    ok(fabs(only(d, "sampler/log_evidence") - known_evidence()) < 0.01 && only(d, "sampler/pareto_k") < 0.7,
       "weighed draws give the integral: %g, %g", only(d, "sampler/log_evidence"), known_evidence());
    agn_tensor *w = quantity(d, "sampler/log_weight"), *x = quantity(d, "rate");
    double mean = 0, total = 0;
    for (int64_t i = 0; i < 20000; i++) {
        mean += exp(peek(w, i)) * peek(x, i);
        total += exp(peek(w, i));
    }
    ok(fabs(total - 1) < 1e-12 && fabs(mean - 8.0 / 12) < 0.01, "and the mean: %g", mean);
    agn_release(w);
    agn_release(x);
    agn_dict_release(d);
    must(agn_infer_importance(
        &d, known, loc, l,
        &(agn_importance_options){
            .size = sizeof(agn_importance_options), .draws = 20000, .resample = 10000, .seed = 3}));
    double variance;
    moments(d, "rate", 0, &mean, &variance);
    ok(fabs(mean - 8.0 / 12) < 0.015 && fabs(variance * 18 - 1) < 0.1, "drawn again: %g, %g", mean, variance);
    agn_dict_release(d);
    d = NULL;
    agn_tensor *bad = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 0, 0, 0});
    agn_importance_options io = {.size = sizeof io, .draws = -1};
    ok(refused(agn_infer_importance(&d, known, loc, l, &io), AGN_EARG, "infer_importance", "-1 draws", NULL, u) &&
           refused(agn_infer_importance(NULL, known, loc, l, NULL), AGN_ENULL, "infer_importance", "out", "NULL",
                   u) &&
           refused(agn_infer_importance(&d, known, NULL, l, NULL), AGN_ENULL, "infer_importance", "loc", "NULL",
                   u) &&
           refused(agn_infer_importance(&d, known, l, l, NULL), AGN_ESHAPE, "infer_importance", "loc", NULL, u) &&
           refused(agn_infer_importance(&d, known, loc, bad, NULL), AGN_EDOMAIN, "infer_importance", "entry 1",
                   NULL, u) &&
           refused(agn_infer_importance(&d, known, loc, l, &(agn_importance_options){.size = 1}), AGN_EARG,
                   "infer_importance", "1 bytes", NULL, u) &&
           !d,
       "importance: refused");
    agn_release(bad);
    agn_release(loc);
    agn_release(l);
    loc = l = untouched;
    agn_tensor *number_like = scalar_of(AGN_F64, 1);
    ok(refused(agn_infer_laplace(NULL, &l, NULL, m, NULL), AGN_ENULL, "infer_laplace", "mode", "NULL", u) &&
           refused(agn_infer_laplace(&loc, &l, NULL, m, number_like), AGN_ESHAPE, "infer_laplace", "start", NULL,
                   loc) &&
           refused(agn_infer_laplace(&loc, &l, NULL, nowhere, NULL), AGN_EDOMAIN, "infer_laplace", "not finite",
                   NULL, loc) &&
           refused(agn_infer_laplace(&loc, &l, NULL, rising, NULL), AGN_EDOMAIN, "infer_laplace", "maximum", NULL,
                   loc),
       "Laplace: refused");
    agn_release(number_like);

    agn_advi_options o = {.size = sizeof o, .full_rank = true, .seed = 1, .steps = 4000};
    must(agn_infer_advi(&loc, &l, &elbo, m, &o));
    ok(near_tilted(loc, l, 0.04) && fabs(elbo) < 0.02, "a normal law by its bound: %g; %g %g, %g %g %g", elbo,
       peek(loc, 0), peek(loc, 1), peek(l, 0), peek(l, 2), peek(l, 3));
    agn_release(loc);
    agn_release(l);
    o.full_rank = false;
    must(agn_infer_advi(&loc, &l, &elbo, m, &o));
    /* the variances of independent numbers are one over the diagonal of the precision */
    double cut = sqrt(1 - 0.64);
    ok(fabs(peek(loc, 0) - 1) < 0.1 && fabs(peek(l, 0) - 2 * cut) < 0.06 && fabs(peek(l, 3) - 0.3) < 0.02 &&
           peek(l, 2) == 0 && fabs(elbo - log(cut)) < 0.05,
       "independent numbers: %g %g, bound %g, not %g", peek(l, 0), peek(l, 3), elbo, log(cut));
    agn_release(loc);
    agn_release(l);
    loc = l = untouched;
    ok(refused(agn_infer_advi(NULL, &l, NULL, m, NULL), AGN_ENULL, "infer_advi", "loc", "NULL", u) &&
           refused(agn_infer_advi(&loc, &l, NULL, m, &(agn_advi_options){.size = 1}), AGN_EARG, "infer_advi",
                   "1 bytes", NULL, loc) &&
           refused(agn_infer_advi(&loc, &l, NULL, m, &(agn_advi_options){.size = sizeof o, .draws = -1}), AGN_EARG,
                   "infer_advi", "-1 draws", NULL, loc) &&
           refused(agn_infer_advi(&loc, &l, NULL, nowhere, NULL), AGN_EDOMAIN, "infer_advi", "step 0", NULL, loc),
       "variational: refused");
    agn_release(start);

    agn_flow_options fo = {.size = sizeof fo, .steps = 1500, .draws = 4000, .layers = 4, .hidden = 16, .seed = 2};
    must(agn_infer_flow(&d, m, &fo));
    ok(only(d, "sampler/elbo") > -0.03 && only(d, "sampler/elbo") < 0.02 && only(d, "sampler/pareto_k") < 0.7 &&
           fabs(only(d, "sampler/log_evidence")) < 0.03, "a flow: bound %g, integral %g", only(d, "sampler/elbo"),
       only(d, "sampler/log_evidence"));
    moments(d, "a", 0, &mean, &variance);
    ok(fabs(mean - 1) < 0.15 && fabs(variance - 4) < 0.6, "its draws: %g, %g", mean, variance);
    agn_dict_release(d);
    agn_model *one = model(one_body);
    fo.steps = 800;
    fo.rate = 0.05;
    must(agn_infer_flow(&d, one, &fo));
    moments(d, "a", 0, &mean, &variance);
    ok(fabs(mean - 3) < 0.05 && fabs(variance - 0.25) < 0.04, "of one number: %g, %g", mean, variance);
    agn_dict_release(d);
    agn_model_release(one);
    d = NULL;
    ok(refused(agn_infer_flow(NULL, m, NULL), AGN_ENULL, "infer_flow", "out", "NULL", u) &&
           refused(agn_infer_flow(&d, m, &(agn_flow_options){.size = 1}), AGN_EARG, "infer_flow", "1 bytes", NULL,
                   u) &&
           refused(agn_infer_flow(&d, m, &(agn_flow_options){.size = sizeof fo, .hidden = -2}), AGN_EARG,
                   "infer_flow", "-2 units", NULL, u) &&
           refused(agn_infer_flow(&d, nowhere, &fo), AGN_EDOMAIN, "infer_flow", "step 0", NULL, u) && !d,
       "a flow: refused");

    agn_pathfinder_options p = {.size = sizeof p, .draws = 4000, .seed = 4};
    must(agn_infer_pathfinder(&d, m, &p));
    tally t = {0, 0};
    moments(d, "a", 0, &mean, &variance);
    check(&t, fabs(mean - 1) < 0.15 && fabs(variance - 4) < 0.6, "a: %g, %g", mean, variance);
    moments(d, "b", 0, &mean, &variance);
    check(&t, fabs(mean + 1) < 0.05 && fabs(variance - 0.25) < 0.04, "b: %g, %g", mean, variance);
    agn_tensor *bounds = quantity(d, "sampler/elbo"), *from = quantity(d, "sampler/start");
    for (int i = 0; i < 4; i++)
        check(&t, peek(bounds, i) > -1 && peek(bounds, i) < 0.3, "bound %g", peek(bounds, i));
    tell(&t, "paths to a normal law");
    agn_dict *e;
    must(agn_infer_nuts(
        &e, m, &(agn_nuts_options){.size = sizeof(agn_nuts_options), .start = from, .warmup = 100, .seed = 1}));
    t = (tally){0, 0};
    check_known(&t, e, "a", 0, 1, 4);
    tell(&t, "chains start at their ends");
    agn_dict_release(e);
    agn_release(bounds);
    agn_release(from);
    must(agn_infer_pathfinder(&e, m, &p));
    ok(same_points(d, e), "the same seed, the same draws");
    agn_dict_release(d);
    agn_dict_release(e);
    must(agn_infer_pathfinder(&d, known, &p));
    moments(d, "rate", 0, &mean, &variance);
    ok(fabs(mean - 8.0 / 12) < 0.03 && fabs(variance * 18 - 1) < 0.25, "paths to a posterior: %g, %g", mean, variance);
    agn_dict_release(d);
    d = NULL;
    ok(refused(agn_infer_pathfinder(NULL, m, NULL), AGN_ENULL, "infer_pathfinder", "out", "NULL", u) &&
           refused(agn_infer_pathfinder(&d, m, &(agn_pathfinder_options){.size = 1}), AGN_EARG, "infer_pathfinder",
                   "1 bytes", NULL, u) &&
           refused(agn_infer_pathfinder(&d, m, &(agn_pathfinder_options){.size = sizeof p, .history = 90}),
                   AGN_EARG, "infer_pathfinder", "90 pairs", NULL, u) &&
           refused(agn_infer_pathfinder(&d, nowhere, NULL), AGN_EDOMAIN, "infer_pathfinder", "none of", NULL, u) &&
           !d,
       "paths: refused");
    agn_model_release(m);
    agn_model_release(known);
    agn_model_release(nowhere);
    agn_model_release(rising);
}

/* ---- expectation and maximisation: two normal laws of unit variance, weights by a logit --------- */

static agn_status joint_body(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    T means = in[0], logit = in[1], y = ag_reshape(s, in[2], 2, (const int64_t[]){agn_numel(in[2]), 1});
    T log_p = ag_stack(s, (T[]){ag_neg(s, ag_softplus(s, ag_neg(s, logit))), ag_neg(s, ag_softplus(s, logit))}, 2, 0);
    T square = ag_square(s, ag_sub(s, y, means));
    out[0] = ag_add_c(s, ag_sub(s, log_p, ag_mul_c(s, square, 0.5)), -0.9189385332046727);
    return agn_scope_status(s);
}
static agn_status maximise_body(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    static const int32_t rows = 0;
    T r = in[0], y = ag_reshape(s, in[1], 2, (const int64_t[]){agn_numel(in[1]), 1}), n = ag_sum(s, r, &rows, 1, false);
    out[0] = ag_div(s, ag_sum(s, ag_mul(s, r, y), &rows, 1, false), n);
    static const int64_t zero = 0, one = 1, two = 2;
    T a = ag_sum_all(s, ag_slice(s, n, 1, &zero, &one, NULL)), b = ag_sum_all(s, ag_slice(s, n, 1, &one, &two, NULL));
    out[1] = ag_log(s, ag_div(s, a, b));
    return agn_scope_status(s);
}
static agn_status vector_body(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    out[0] = in[0];
    return agn_scope_status(s);
}
static void test_em(void)
{
    enum { M = 400 };
    static const int64_t m = M;
    double v[M];
    for (int i = 0; i < M; i++) {
        double z = 0;
        for (int k = 0; k < 12; k++)
            z += rnd_in(-0.5, 0.5);
        v[i] = z + (i % 4 ? 2.5 : -1.5);
    }
    agn_fn *f, *by, *odd;
    must(agn_fn_new(&f, joint_body, NULL, NULL, 3, 1));
    must(agn_fn_new(&by, maximise_body, NULL, NULL, 2, 2));
    must(agn_fn_new(&odd, vector_body, NULL, NULL, 3, 1));
    agn_tensor *y = of_reals(AGN_F64, 1, &m, v), *means = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){-0.5, 0.5}),
               *logit = scalar_of(AGN_F64, 0), *a[2], *b[2];
    double first = 0, second = 0;
    int64_t steps = 0;
    must(agn_infer_em(a, 2, &first, &steps, f, by, AGN_ARGS(means, logit, y), NULL));
    must(agn_infer_em(b, 2, &second, NULL, f, NULL, AGN_ARGS(means, logit, y), NULL));
    ok(steps > 3 && steps < 500 && fabs(peek(a[0], 0) + 1.5) < 0.3 && fabs(peek(a[0], 1) - 2.5) < 0.2 &&
           fabs(peek(a[1], 0) + log(3)) < 0.4,
       "two laws are told apart in %d steps: %g %g, logit %g", (int)steps, peek(a[0], 0), peek(a[0], 1),
       peek(a[1], 0));
    ok(fabs(first - second) < 1e-6 * fabs(first) && fabs(peek(a[0], 0) - peek(b[0], 0)) < 1e-3,
       "maximised by formula or by L-BFGS: %.9g, %.9g", first, second);
    agn_release(a[0]);
    agn_release(a[1]);
    agn_release(b[0]);
    agn_release(b[1]);
    a[0] = a[1] = untouched;
    v[3] = (double)NAN;
    agn_tensor *bad = of_reals(AGN_F64, 1, &m, v), *u = untouched;
    ok(refused(agn_infer_em(a, 2, NULL, NULL, f, by, AGN_ARGS(means, logit, bad), NULL), AGN_EDOMAIN, "infer_em",
               "after 0 steps", NULL, a[0]) &&
           refused(agn_infer_em(NULL, 2, NULL, NULL, f, by, AGN_ARGS(means, logit, y), NULL), AGN_ENULL, "infer_em",
                   "out", "NULL", u) &&
           refused(agn_infer_em(a, 0, NULL, NULL, f, by, AGN_ARGS(means, logit, y), NULL), AGN_EARG, "infer_em",
                   "0 parameters", NULL, u) &&
           refused(agn_infer_em(a, 2, NULL, NULL, by, NULL, AGN_ARGS(means, logit, y), NULL), AGN_EARG, "infer_em",
                   "log_joint", NULL, u) &&
           refused(agn_infer_em(a, 1, NULL, NULL, f, by, AGN_ARGS(means, logit, y), NULL), AGN_EARG, "infer_em",
                   "maximise", NULL, u) &&
           refused(agn_infer_em(a, 2, NULL, NULL, odd, NULL, AGN_ARGS(means, logit, y), NULL), AGN_ESHAPE,
                   "infer_em", "log_joint", NULL, u) &&
           refused(agn_infer_em(a, 2, NULL, NULL, f, by, AGN_ARGS(means, logit, y), &(agn_em_options){.size = 1}),
                   AGN_EARG, "infer_em", "1 bytes", NULL, u),
       "refused");
    agn_release(bad);
    agn_release(y);
    agn_release(means);
    agn_release(logit);
    agn_fn_release(f);
    agn_fn_release(by);
    agn_fn_release(odd);
}

int main(void)
{
    test_nested();
    test_laws();
    test_em();
    return done();
}
