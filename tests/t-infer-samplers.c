/* Samplers beside NUTS, metrics, chains that are resumed, hosts that watch: posteriors that are known, refusals. */
#include "tests/infer.h"

/* a normal law of 100 numbers, all correlated by 0.9 of their neighbours: covariance 0.9^|i - j| */
enum { LONG = 100 };
static agn_status correlated_body(void *user, agn_scope *s, agn_model_trace *t)
{
    (void)user;
    static const int64_t n = LONG;
    const double r = 0.9, by = 1 / (1 - r * r);
    T x = agn_model_parameter(s, t, "x", law_of(s, agn_distribution_normal, number(s, 0), number(s, 1)), 1, &n);
    T a = ag_slice(s, x, 1, (const int64_t[]){0}, (const int64_t[]){LONG - 1}, NULL),
      b = ag_slice(s, x, 1, (const int64_t[]){1}, (const int64_t[]){LONG}, NULL);
    /* minus half x^T P x, less what the prior has already */
    agn_model_add(s, t, ag_mul_c(s, ag_square(s, ag_sub(s, b, ag_mul_c(s, a, r))), -0.5 * by));
    agn_model_add(s, t, ag_mul_c(s, ag_square(s, b), 0.5));
    return agn_scope_status(s);
}
/* Neal's funnel, non-centred */
static agn_status funnel_body(void *user, agn_scope *s, agn_model_trace *t)
{
    (void)user;
    static const int64_t nine = 9;
    T v = agn_model_parameter(s, t, "v", law_of(s, agn_distribution_normal, number(s, 0), number(s, 3)), 0, NULL);
    T z = agn_model_parameter(s, t, "z", law_of(s, agn_distribution_normal, number(s, 0), number(s, 1)), 1, &nine);
    agn_model_derived(s, t, "x", ag_mul(s, z, ag_exp(s, ag_mul_c(s, v, 0.5))));
    return agn_scope_status(s);
}
/* centred: the step that is right in its mouth is a hundred times too long in its neck */
static agn_status centred_body(void *user, agn_scope *s, agn_model_trace *t)
{
    (void)user;
    static const int64_t three = 3;
    T v = agn_model_parameter(s, t, "v", law_of(s, agn_distribution_normal, number(s, 0), number(s, 3)), 0, NULL);
    T by = ag_exp(s, ag_mul_c(s, v, 0.5));
    T x = agn_model_parameter(s, t, "x", law_of(s, agn_distribution_normal, number(s, 0), by), 1, &three);
    agn_model_derived(s, t, "z", ag_div(s, x, by));
    return agn_scope_status(s);
}
static agn_status nowhere_body(void *user, agn_scope *s, agn_model_trace *t)
{
    (void)user;
    T x = agn_model_parameter(s, t, "x", law_of(s, agn_distribution_normal, number(s, 0), number(s, 1)), 0, NULL);
    agn_model_add(s, t, ag_where(s, ag_lt(s, x, number(s, 1e9)), number(s, -(double)INFINITY), x));
    return agn_scope_status(s);
}

static void test_chains(void)
{
    agn_model *m = model(known_body);
    agn_chain_options o = {.size = sizeof o, .draws = 4000, .seed = 3};
    agn_dict *d;
    must(agn_infer_mala(&d, m, &o));
    check_posterior(d, "Langevin steps");
    agn_tensor *accept = quantity(d, "sampler/accept"), *count = quantity(d, "sampler/leapfrogs");
    double mean = 0;
    for (int64_t i = 0; i < agn_numel(accept); i++)
        mean += peek(accept, i) / (double)agn_numel(accept);
    ok(fabs(mean - 0.574) < 0.1 && peek(count, 17) == 1, "one gradient each, acceptance %g", mean);
    agn_release(accept);
    agn_release(count);
    agn_dict_release(d);
    o.draws = 1000;
    must(agn_infer_slice(&d, m, &o));
    check_posterior(d, "slices along axes");
    agn_dict_release(d);
    agn_tensor *loc = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){1, -0.5}),
               *l = of_reals(AGN_F32, 2, (int64_t[]){2, 2}, (double[]){0.8, 99, 0.1, 0.7});
    must(agn_infer_elliptical_slice(&d, m, loc, l, &o));
    check_posterior(d, "slices along ellipses");
    o.resume = d;
    agn_dict *e, *f;
    must(agn_infer_elliptical_slice(&e, m, loc, l, &o));
    o.resume = NULL;
    o.draws = 2000;
    must(agn_infer_elliptical_slice(&f, m, loc, l, &o));
    agn_tensor *x = quantity(e, "sampler/point"), *y = quantity(f, "sampler/point");
    bool same = true;
    for (int64_t c = 0; c < 4; c++)
        for (int64_t i = 0; i < 2000; i++)
            same = same && peek(x, c * 2000 + i) == peek(y, c * 4000 + 2000 + i);
    ok(same, "an ellipse's chain that is resumed has the same bits");
    agn_release(x);
    agn_release(y);
    agn_dict_release(d);
    agn_dict_release(e);
    agn_dict_release(f);
    agn_release(loc);
    agn_release(l);
    agn_model_release(m);
}

static void test_metrics(void)
{
    static const int kind[] = {AGN_METRIC_DIAGONAL, AGN_METRIC_DENSE, AGN_METRIC_LOW_RANK};
    static const char *const name[] = {"diagonal", "dense", "low rank"};
    agn_model *m = model(correlated_body);
    double steps[3] = {0};
    for (int k = 0; k < 3; k++) {
        agn_nuts_options o = {.size = sizeof o, .draws = 400, .warmup = 600, .seed = 11, .metric = kind[k], .rank = 20};
        agn_dict *d, *e, *f;
        must(agn_infer_nuts(&d, m, &o));
        tally t = {0, 0};
        for (int i = 0; i < LONG; i += 9)
            check_known(&t, d, "x", i, 0, 1);
        /* neighbours are correlated by 0.9 */
        agn_tensor *x = quantity(d, "x"), *n = quantity(d, "sampler/leapfrogs");
        double both = 0, left = 0, right = 0;
        for (int64_t i = 0; i < 1600; i++) {
            double a = peek(x, i * LONG + 40), b = peek(x, i * LONG + 41);
            both += a * b;
            left += a * a;
            right += b * b;
            steps[k] += peek(n, i) / 1600;
        }
        check(&t, fabs(both / sqrt(left * right) - 0.9) < 0.03, "correlation %g", both / sqrt(left * right));
        tell(&t, "a normal law of 100 correlated numbers, %s metric: %.0f gradients each", name[k], steps[k]);
        agn_release(x);
        agn_release(n);
        o.draws = 30;
        must(agn_infer_nuts(&e, m, &o));
        o.resume = e;
        o.draws = 40;
        must(agn_infer_nuts(&f, m, &o));
        agn_tensor *y = quantity(f, "sampler/point");
        x = quantity(d, "sampler/point");
        bool same = true;
        for (int64_t c = 0; c < 4; c++)
            for (int64_t i = 0; i < 40 * LONG; i++)
                same = same && peek(y, c * 40 * LONG + i) == peek(x, (c * 400 + 30) * LONG + i);
        ok(same, "%s metric: 30 draws, then 40, are the first 70 bit by bit", name[k]);
        agn_release(x);
        agn_release(y);
        agn_dict_release(d);
        agn_dict_release(e);
        agn_dict_release(f);
    }
    ok(steps[1] < 0.7 * steps[0] && steps[2] < steps[0],
       "metrics that see correlations walk less: %.0f, %.0f, %.0f", steps[0], steps[1], steps[2]);
    agn_model_release(m);
    m = model(funnel_body);
    agn_dict *d;
    must(agn_infer_nuts(&d, m, &(agn_nuts_options){.size = sizeof(agn_nuts_options), .draws = 2000, .seed = 1}));
    tally t = {0, 0};
    check_known(&t, d, "v", 0, 0, 9);
    check_known(&t, d, "z", 3, 0, 1);
    agn_tensor *x = quantity(d, "sampler/divergent");
    int64_t divergent = 0;
    for (int64_t i = 0; i < agn_numel(x); i++)
        divergent += peek_int(x, i);
    check(&t, divergent == 0, "%d divergences", (int)divergent);
    tell(&t, "a funnel, non-centred");
    agn_release(x);
    agn_dict_release(d);
    agn_model_release(m);
}

/* steps that are halved where the energy asks for it */
static void test_halved_steps(void)
{
    agn_model *m = model(known_body);
    agn_nuts_options o = {.size = sizeof o, .draws = 4000, .seed = 5, .max_error = 0.02};
    agn_dict *d, *e;
    must(agn_infer_nuts(&d, m, &o));
    check_posterior(d, "halved steps");
    o.resume = d;
    o.draws = 50;
    must(agn_infer_nuts(&e, m, &o));
    agn_dict_release(d);
    o.resume = NULL;
    o.draws = 4050;
    must(agn_infer_nuts(&d, m, &o));
    agn_tensor *x = quantity(d, "sampler/point"), *y = quantity(e, "sampler/point");
    int64_t n = agn_model_dims(m);
    bool same = true;
    for (int64_t c = 0; c < 4; c++)
        for (int64_t i = 0; i < 50 * n; i++)
            same = same && peek(y, c * 50 * n + i) == peek(x, (c * 4050 + 4000) * n + i);
    ok(same, "halved steps: a chain that is resumed has the same bits");
    agn_release(x);
    agn_release(y);
    agn_dict_release(d);
    agn_dict_release(e);
    agn_model_release(m);
    m = model(centred_body);
    double least[2]; /* the least v, of 4 chains of 4000 draws: -3.6 deviations is to be expected */
    for (int k = 0; k < 2; k++) {
        o = (agn_nuts_options){.size = sizeof o, .draws = 4000, .seed = 7, .max_error = k ? 0.3 : 0};
        must(agn_infer_nuts(&d, m, &o));
        x = quantity(d, "v");
        least[k] = 0;
        for (int64_t i = 0; i < agn_numel(x); i++)
            least[k] = fmin(least[k], peek(x, i));
        agn_release(x);
        if (k) {
            tally t = {0, 0};
            check_known(&t, d, "v", 0, 0, 9);
            check_known(&t, d, "z", 2, 0, 1);
            tell(&t, "a funnel, centred, by halved steps");
        }
        agn_dict_release(d);
    }
    ok(least[1] < -8.5 && least[1] < least[0] - 1.5, "its neck is reached: %g; by steps of one size %g", least[1], least[0]);
    agn_model_release(m);
}

/* ---- Gibbs: a mixture whose allocations are whole numbers ------------------------------- */

/* x ~ N(0.6 y, 0.64), y ~ N(0.6 x, 0.64): a normal law with correlation 0.6 */
static agn_status given_other(void *user, agn_scope *s, const T *in, T *out)
{
    T other = in[*(const int *)user];
    T z = ag_normal(s, in[0], AGN_F64, 0, NULL);
    out[0] = ag_add(s, ag_mul_c(s, other, 0.6), ag_mul_c(s, z, 0.8));
    return agn_scope_status(s);
}
static agn_status coin(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    T u = ag_uniform(s, in[0], AGN_F64, 0, NULL);
    out[0] = ag_cast(s, ag_lt(s, u, ag_sigmoid(s, in[1])), AGN_I64);
    return agn_scope_status(s);
}
static agn_status wrong_kind(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    out[0] = ag_cast(s, in[1], AGN_F32);
    return agn_scope_status(s);
}
static void test_gibbs(void)
{
    static int first = 1, second = 2;
    agn_fn *f[4];
    must(agn_fn_new(&f[0], given_other, &second, NULL, 4, 1));
    must(agn_fn_new(&f[1], given_other, &first, NULL, 4, 1));
    must(agn_fn_new(&f[2], coin, NULL, NULL, 4, 1));
    must(agn_fn_new(&f[3], wrong_kind, NULL, NULL, 2, 1));
    agn_tensor *zero = scalar_of(AGN_F64, 0), *none = scalar_of(AGN_I64, 0);
    agn_gibbs_block b[3] = {{"x", zero, f[0]}, {"y", zero, f[1]}, {"k", none, f[2]}};
    agn_chain_options o = {.size = sizeof o, .draws = 3000, .warmup = 50, .seed = 9};
    agn_dict *d = NULL, *e = NULL;
    must(agn_infer_gibbs(&d, b, 3, &o));
    tally t = {0, 0};
    check_known(&t, d, "x", 0, 0, 1);
    check_known(&t, d, "y", 0, 0, 1);
    agn_tensor *x = quantity(d, "x"), *y = quantity(d, "y"), *k = quantity(d, "k");
    double both = 0, ones = 0;
    for (int64_t i = 0; i < 12000; i++) {
        both += peek(x, i) * peek(y, i) / 12000;
        ones += (double)peek_int(k, i) / 12000;
    }
    check(&t, fabs(both - 0.6) < 0.06, "covariance %g", both);
    check(&t, fabs(ones - 0.5) < 0.03 && agn_dtype_of(k) == AGN_I64 && has_shape(k, 2, (int64_t[]){4, 3000}),
          "ones %g", ones);
    tell(&t, "two numbers and a coin given each other");
    agn_release(x);
    agn_release(y);
    agn_release(k);
    int32_t threads = agn_threads();
    must(agn_threads_set(1));
    o.draws = 100;
    must(agn_infer_gibbs(&e, b, 3, &o));
    agn_dict_release(d);
    must(agn_threads_set(3));
    must(agn_infer_gibbs(&d, b, 3, &o));
    must(agn_threads_set(threads));
    x = quantity(d, "x");
    y = quantity(e, "x");
    ok(same_values(x, y), "the same draws for any number of threads");
    agn_release(x);
    agn_release(y);
    agn_dict_release(e);
    agn_dict_release(d);
    d = NULL;
    agn_tensor *u = untouched;
    ok(refused(agn_infer_gibbs(NULL, b, 3, &o), AGN_ENULL, "infer_gibbs", "out", "NULL", u) &&
           refused(agn_infer_gibbs(&d, NULL, 3, &o), AGN_ENULL, "infer_gibbs", "blocks", "NULL", u) &&
           refused(agn_infer_gibbs(&d, b, 0, &o), AGN_EARG, "infer_gibbs", "0 blocks", NULL, u) &&
           refused(agn_infer_gibbs(&d, b, 2, &o), AGN_EARG, "infer_gibbs", "4 arguments", NULL, u) &&
           refused(agn_infer_gibbs(&d, b, 3, &(agn_chain_options){.size = 3}), AGN_EARG, "infer_gibbs", "3 bytes",
                   NULL, u) &&
           refused(agn_infer_gibbs(&d, b, 3, &(agn_chain_options){.size = sizeof o, .start = zero}), AGN_EARG,
                   "infer_gibbs", "start", NULL, u) &&
           refused(agn_infer_gibbs(&d, (agn_gibbs_block[]){{"x", zero, f[3]}}, 1, &o), AGN_EDTYPE, "fn_call_into",
                   "f32", NULL, u) &&
           refused(agn_infer_gibbs(&d, (agn_gibbs_block[]){{NULL, zero, f[3]}}, 1, &o), AGN_ENULL, "infer_gibbs",
                   "name", "NULL", u),
       "Gibbs: refused");
    b[1].name = "x";
    ok(refused(agn_infer_gibbs(&d, b, 3, &o), AGN_EARG, "infer_gibbs", "two blocks", NULL, u) && !d,
       "one name for two");
    for (int i = 0; i < 4; i++)
        agn_fn_release(f[i]);
    agn_release(zero);
    agn_release(none);
}

/* ---- particles -------------------------------------------------------------------------- */

static void test_smc(void)
{
    agn_model *m = model(known_body);
    agn_dict *d = NULL;
    must(agn_infer_smc(&d, m, &(agn_smc_options){.size = sizeof(agn_smc_options), .particles = 4000, .seed = 2}));
    double mean, variance, got = only(d, "sampler/log_evidence");
    tally t = {0, 0};
    moments(d, "mu", 0, &mean, &variance);
    check(&t, fabs(mean - 1.6) < 0.05 && fabs(variance / 0.2 - 1) < 0.15, "mu: %g, %g", mean, variance);
    moments(d, "rate", 0, &mean, &variance);
    check(&t, fabs(mean - 8.0 / 12) < 0.025 && fabs(variance * 144 / 8 - 1) < 0.15, "rate: %g, %g", mean, variance);
    check(&t, fabs(got - known_evidence()) < 0.15, "log evidence %g, %g", got, known_evidence());
    agn_tensor *x = quantity(d, "sampler/temperature");
    check(&t, peek(x, agn_numel(x) - 1) == 1 && peek(x, 0) < 1, "temperatures from %g", peek(x, 0));
    agn_release(x);
    tell(&t, "particles: a posterior and an evidence that are known");
    agn_dict *e;
    must(agn_infer_smc(&e, m, &(agn_smc_options){.size = sizeof(agn_smc_options), .particles = 4000, .seed = 2}));
    ok(same_points(d, e), "the same seed, the same particles");
    agn_dict_release(d);
    agn_dict_release(e);
    d = NULL;
    agn_tensor *u = untouched;
#define SMC(field, value, fact) \
    refused(agn_infer_smc(&d, m, &(agn_smc_options){.size = sizeof(agn_smc_options), .field = value}), AGN_EARG, \
            "infer_smc", fact, NULL, u)
    ok(SMC(particles, 3, "3 particles") && SMC(ess, 2, "ess is 2") && SMC(max_moves, -1, "max_moves is -1") &&
           refused(agn_infer_smc(&d, m, &(agn_smc_options){.size = 1}), AGN_EARG, "infer_smc", "1 bytes", NULL,
                   u) &&
           refused(agn_infer_smc(NULL, m, NULL), AGN_ENULL, "infer_smc", "out", "NULL", u) &&
           refused(agn_infer_smc(&d, NULL, NULL), AGN_ENULL, "infer_smc", "m is", "NULL", u) && !d,
       "particles: refused");
    agn_model_release(m);
    m = model(nowhere_body);
    ok(refused(agn_infer_smc(&d, m, NULL), AGN_EDOMAIN, "infer_smc", "none of", NULL, u) && !d,
       "a density that is 0 everywhere");
    agn_model_release(m);
}

/* ---- hosts ------------------------------------------------------------------------------ */

static int asked, told;
static double last_told;
static bool stop_soon(void *user)
{
    return ++asked > *(int *)user;
}
static void be_told(void *user, const char *what, double done)
{
    (void)user;
    if (!strcmp(what, "sampling")) {
        told++;
        last_told = done;
    }
}
static void test_hosts(void)
{
    agn_model *m = model(known_body);
    agn_dict *d = NULL;
    agn_nuts_options o = {.size = sizeof o, .draws = 50, .warmup = 50};
    int never = 1 << 30, soon = 300;
    int32_t threads = agn_threads();
    must(agn_threads_set(1));
    agn_hooks h = {.size = sizeof h, .user = &never, .interrupt = stop_soon, .progress = be_told};
    must(agn_hooks_set(&h));
    must(agn_infer_nuts(&d, m, &o));
    ok(told > 20 && last_told == 1, "progress is told %d times", told);
    agn_dict_release(d);
    d = NULL;
    h.user = &soon;
    asked = 0;
    must(agn_hooks_set(&h));
    agn_tensor *u = untouched;
    agn_status st = agn_infer_nuts(&d, m, &o);
    ok(st == AGN_ECANCELLED && !d, "interrupted: %s", agn_error_message());
    asked = 0;
    st = agn_infer_slice(&d, m, &(agn_chain_options){.size = sizeof(agn_chain_options)});
    ok(st == AGN_ECANCELLED && !d, "slices are interrupted");
    asked = 0;
    soon = 20;
    st = agn_infer_smc(&d, m, NULL);
    ok(st == AGN_ECANCELLED && !d, "particles are interrupted");
    must(agn_hooks_set(NULL));
    must(agn_threads_set(threads));
    /* starts */
    agn_tensor *start = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){1, 0}), *odd = scalar_of(AGN_F64, 0),
               *far = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){0, 1e300});
    o = (agn_nuts_options){.size = sizeof o, .draws = 20, .warmup = 20, .start = start};
    must(agn_infer_nuts(&d, m, &o));
    agn_dict *e = NULL;
    o.start = odd;
    ok(refused(agn_infer_nuts(&e, m, &o), AGN_ESHAPE, "infer_nuts", "start is", NULL, u), "a start of another shape");
    o.start = far;
    ok(refused(agn_infer_nuts(&e, m, &o), AGN_EDOMAIN, "infer_nuts", "where chain 0 starts", NULL, u),
       "a start without a density");
    o = (agn_nuts_options){.size = sizeof o, .draws = 20, .resume = d, .metric = AGN_METRIC_DENSE};
    ok(refused(agn_infer_nuts(&e, m, &o), AGN_ESHAPE, "infer_nuts", "state to resume", NULL, u),
       "another metric is not resumed");
    agn_dict *empty;
    must(agn_dict_new(&empty));
    o = (agn_nuts_options){.size = sizeof o, .resume = empty};
    ok(refused(agn_infer_nuts(&e, m, &o), AGN_EARG, "infer_nuts", "resume", NULL, u), "nothing to resume");
    o = (agn_nuts_options){.size = sizeof o, .metric = 7};
    ok(refused(agn_infer_nuts(&e, m, &o), AGN_EARG, "infer_nuts", "metric 7", NULL, u), "no such metric");
    o = (agn_nuts_options){.size = sizeof o, .rank = -1};
    ok(refused(agn_infer_nuts(&e, m, &o), AGN_EARG, "infer_nuts", "rank is -1", NULL, u) && !e, "no such rank");
    agn_dict_release(empty);
    agn_dict_release(d);
    d = NULL;
    agn_chain_options c = {.size = 5};
    agn_tensor *low = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 0, 0, -1});
    ok(refused(agn_infer_mala(&d, m, &c), AGN_EARG, "infer_mala", "5 bytes", NULL, u) &&
           refused(agn_infer_mala(NULL, m, NULL), AGN_ENULL, "infer_mala", "out", "NULL", u) &&
           refused(agn_infer_mala(&d, NULL, NULL), AGN_ENULL, "infer_mala", "m is", "NULL", u) &&
           refused(agn_infer_slice(&d, m, &c), AGN_EARG, "infer_slice", "5 bytes", NULL, u) &&
           refused(agn_infer_slice(NULL, m, NULL), AGN_ENULL, "infer_slice", "out", "NULL", u) &&
           refused(agn_infer_elliptical_slice(NULL, m, start, low, NULL), AGN_ENULL, "infer_elliptical_slice",
                   "out", "NULL", u) &&
           refused(agn_infer_elliptical_slice(&d, m, NULL, low, NULL), AGN_ENULL, "infer_elliptical_slice", "loc",
                   "NULL", u) &&
           refused(agn_infer_elliptical_slice(&d, m, start, start, NULL), AGN_ESHAPE, "infer_elliptical_slice",
                   "scale_tril", NULL, u) &&
           refused(agn_infer_elliptical_slice(&d, m, start, low, NULL), AGN_EDOMAIN, "infer_elliptical_slice",
                   "entry 1", NULL, u) &&
           !d,
       "chains: refused");
    agn_release(start);
    agn_release(odd);
    agn_release(far);
    agn_release(low);
    agn_model_release(m);
}

int main(void)
{
    test_chains();
    test_metrics();
    test_halved_steps();
    test_gibbs();
    test_smc();
    test_hosts();
    return done();
}
