/* Inference: models as functions, NUTS and HMC on posteriors that are known, the same draws for any number of
   threads, diagnostics, what is refused. */
#include "tests/laws.h"
#include <agnesi/infer.h>

typedef const agn_tensor *T;
typedef agn_status law2(agn_distribution **out, T a, T b, const agn_distribution_options *opts);
static const agn_distribution *law_of(agn_scope *s, law2 *law, T a, T b)
{
    agn_distribution *d = NULL;
    agn_status st = agn_scope_status(s);
    st = st ? st : law(&d, a, b, NULL);
    return agn_distribution_adopt(s, st, &d);
}
static T number(agn_scope *s, double v)
{
    return ag_full(s, AGN_F64, 0, NULL, v);
}

/* ---- models ------------------------------------------------------------------------------ */

/* independent laws of every support, whose moments are known */
static agn_status laws_body(void *user, agn_scope *s, agn_model_trace *t)
{
    (void)user;
    static const int64_t two = 2;
    T x = agn_model_parameter(s, t, "x", law_of(s, agn_distribution_normal, number(s, 1.5), number(s, 0.5)), 1, &two);
    agn_model_parameter(s, t, "g", law_of(s, agn_distribution_gamma, number(s, 3), number(s, 2)), 0, NULL);
    agn_model_parameter(s, t, "b", law_of(s, agn_distribution_beta, number(s, 2), number(s, 4)), 0, NULL);
    agn_model_parameter(s, t, "u", law_of(s, agn_distribution_uniform, number(s, -3), number(s, 5)), 0, NULL);
    agn_model_parameter(s, t, "p", law_of(s, agn_distribution_pareto, number(s, 2), number(s, 6)), 0, NULL);
    agn_model_derived(s, t, "sum", ag_sum_all(s, x));
    return agn_scope_status(s);
}
/* a correlated normal law: precision tridiagonal, 20 numbers, scales from 0.1 to 10 */
enum { WIDE = 20 };
static agn_status chain_body(void *user, agn_scope *s, agn_model_trace *t)
{
    (void)user;
    static const int64_t n = WIDE;
    double scale[WIDE];
    for (int i = 0; i < WIDE; i++)
        scale[i] = pow(10, 2.0 * i / (WIDE - 1) - 1);
    T by = ag_from_host(s, AGN_F64, 1, &n, scale);
    T x = agn_model_parameter(s, t, "x", law_of(s, agn_distribution_normal, number(s, 0), ag_mul_c(s, by, 1)), 0, NULL);
    T z = ag_div(s, x, by);
    T a = ag_slice(s, z, 1, (const int64_t[]){0}, (const int64_t[]){WIDE - 1}, NULL),
      b = ag_slice(s, z, 1, (const int64_t[]){1}, (const int64_t[]){WIDE}, NULL);
    agn_model_add(s, t, ag_mul_c(s, ag_mul(s, a, b), 0.45));
    return agn_scope_status(s);
}
/* rows of a normal mean: the posterior is normal with mean 1.6 and variance 1 / 5 */
static agn_status data_body(void *user, agn_scope *s, agn_model_trace *t)
{
    (void)user;
    static const int64_t n = 4;
    T y = ag_from_host(s, AGN_F64, 1, &n, (const double[]){1.2, 0.7, 2.9, 3.2});
    T mu = agn_model_parameter(s, t, "mu", law_of(s, agn_distribution_normal, number(s, 0), number(s, 1)), 0, NULL);
    agn_model_observe(s, t, law_of(s, agn_distribution_normal, mu, number(s, 1)), y);
    return agn_scope_status(s);
}
static agn_status nowhere_body(void *user, agn_scope *s, agn_model_trace *t)
{
    (void)user;
    T x = agn_model_parameter(s, t, "x", law_of(s, agn_distribution_normal, number(s, 0), number(s, 1)), 0, NULL);
    agn_model_add(s, t, ag_where(s, ag_lt(s, x, number(s, 1e9)), number(s, -(double)INFINITY), x));
    return agn_scope_status(s);
}
static agn_model *model(agn_model_body *body)
{
    agn_model *m;
    must(agn_model_new(&m, body, NULL, NULL));
    return m;
}
static agn_dict *run(const agn_model *m, agn_nuts_options o)
{
    agn_dict *d;
    o.size = sizeof o;
    must(agn_infer_nuts(&d, m, &o));
    return d;
}

static void test_model(void)
{
    agn_model *m = model(laws_body);
    ok(agn_model_dims(m) == 6 && agn_model_count(m) == 6 && !strcmp(agn_model_name(m, 0), "x") &&
           !strcmp(agn_model_name(m, 5), "sum") && !agn_model_name(m, 6) && !agn_model_name(m, -1),
       "numbers and names of a model");
    agn_fn *f, *v;
    must(agn_model_log_density(&f, m));
    must(agn_model_values(&v, m));
    double q[] = {0.3, -0.2, 0.4, -0.7, 0.9, -0.4}, e = exp(0.4), b = 1 / (1 + exp(0.7)), u = 1 / (1 + exp(-0.9));
    agn_tensor *x = of_reals(AGN_F64, 1, (int64_t[]){6}, q), *y[6], *z;
    must(agn_fn_call(y, 6, v, (T const *)&x, 1));
    ok(peek(y[0], 1) == -0.2 && fabs(peek(y[1], 0) - e) < 1e-15 && fabs(peek(y[2], 0) - b) < 1e-15 &&
           fabs(peek(y[3], 0) - (8 * u - 3)) < 1e-14 && fabs(peek(y[4], 0) - 2 - exp(-0.4)) < 1e-15 &&
           fabs(peek(y[5], 0) - 0.1) < 1e-15,
       "values of parameters");
    double want = 0, p = 2 + exp(-0.4);
    for (int i = 0; i < 2; i++)
        want += -0.5 * pow((q[i] - 1.5) / 0.5, 2) - log(0.5) - 0.9189385332046727;
    want += 3 * log(2) - log(2) + 2 * log(e) - 2 * e + 0.4;
    want += log(20) + log(b) + 3 * log1p(-b) + log(b * (1 - b));
    want += -log(8) + log(8 * u * (1 - u)) + log(6) + 6 * log(2) - 7 * log(p) - 0.4;
    must(agn_fn_call(&z, 1, f, (T const *)&x, 1));
    ok(fabs(peek(z, 0) - want) < 1e-13, "log density %.15g, %.15g", peek(z, 0), want);
    agn_check_options o = {.size = sizeof o, .orders = 2};
    ok(!agn_check_grads(NULL, f, (T const *)&x, 1, &o), "its derivatives in every mode: %s", agn_error_message());
    for (int i = 0; i < 6; i++)
        agn_release(y[i]);
    agn_release(x);
    agn_release(z);
    agn_fn_release(f);
    agn_fn_release(v);
    agn_model *again = agn_model_retain(m);
    agn_model_release(m);
    is_int(agn_model_dims(again), 6, "a second reference");
    agn_model_release(again);
}

/* ---- samplers ---------------------------------------------------------------------------------- */

static double first_of(agn_status st, agn_tensor *y, int64_t at)
{
    must(st);
    double v = peek(y, at);
    agn_release(y);
    return v;
}
/* mean and variance within six standard errors, R-hat below 1.01 */
static void check_moments(tally *t, const agn_dict *d, const char *name, int64_t at, double mean, double variance)
{
    agn_tensor *x, *y = NULL;
    must(agn_dict_get(&x, d, name));
    int64_t chains = agn_shape(x)[0], draws = agn_shape(x)[1], each = agn_numel(x) / chains / draws;
    double sum = 0, square = 0, n = (double)(chains * draws);
    for (int64_t i = 0; i < chains * draws; i++)
        sum += peek(x, i * each + at) / n;
    for (int64_t i = 0; i < chains * draws; i++)
        square += pow(peek(x, i * each + at) - sum, 2) / n;
    agn_status st = agn_infer_ess_bulk(&y, x);
    double ess = first_of(st, y, at);
    st = agn_infer_rhat(&y, x);
    double rhat = first_of(st, y, at);
    st = agn_infer_ess_tail(&y, x);
    double tail = first_of(st, y, at);
    check(t, ess > 300 && rhat < 1.01 && tail > 200, "%s[%d]: ess %.0f, tail %.0f, R-hat %g", name, (int)at, ess, tail, rhat);
    check(t, fabs(sum - mean) < 5 * sqrt(variance / ess), "%s[%d]: mean %g, not %g", name, (int)at, sum, mean);
    check(t, fabs(square / variance - 1) < 12 / sqrt(ess), "%s[%d]: variance %g, not %g", name, (int)at, square, variance);
    agn_release(x);
}
static void check_laws(const agn_dict *d, const char *what)
{
    tally t = {0, 0};
    check_moments(&t, d, "x", 0, 1.5, 0.25);
    check_moments(&t, d, "x", 1, 1.5, 0.25);
    check_moments(&t, d, "g", 0, 1.5, 0.75);
    check_moments(&t, d, "b", 0, 1.0 / 3, 8.0 / 36 / 7);
    check_moments(&t, d, "u", 0, 1, 64.0 / 12);
    check_moments(&t, d, "p", 0, 2.4, 4.0 * 6 / 25 / 4);
    check_moments(&t, d, "sum", 0, 3, 0.5);
    tell(&t, "%s: moments of known laws", what);
}
static bool same_draws(const agn_dict *a, const agn_dict *b)
{
    agn_tensor *x, *y;
    must(agn_dict_get(&x, a, "sampler/point"));
    must(agn_dict_get(&y, b, "sampler/point"));
    bool same = same_values(x, y);
    agn_release(x);
    agn_release(y);
    return same;
}
static void test_samplers(void)
{
    agn_model *m = model(laws_body);
    agn_nuts_options o = {.draws = 2000, .seed = 5};
    agn_dict *d = run(m, o), *e;
    check_laws(d, "NUTS");
    agn_tensor *x;
    must(agn_dict_get(&x, d, "sampler/accept"));
    double accept = 0;
    for (int64_t i = 0; i < agn_numel(x); i++)
        accept += peek(x, i) / (double)agn_numel(x);
    ok(fabs(accept - 0.8) < 0.12 && has_shape(x, 2, (int64_t[]){4, 2000}), "acceptance %g", accept);
    agn_release(x);
    must(agn_dict_get(&x, d, "sampler/energy"));
    agn_tensor *bfmi = NULL;
    must(agn_infer_bfmi(&bfmi, x));
    ok(has_shape(bfmi, 1, (int64_t[]){4}) && peek(bfmi, 0) > 0.5 && peek(bfmi, 3) < 2.5, "energy is moved: %g", peek(bfmi, 0));
    agn_release(bfmi);
    agn_release(x);
    int32_t threads = agn_threads();
    must(agn_threads_set(1));
    e = run(m, o);
    ok(same_draws(d, e), "one thread, the same draws");
    agn_dict_release(e);
    must(agn_threads_set(3));
    e = run(m, o);
    ok(same_draws(d, e), "three threads, the same draws");
    agn_dict_release(e);
    must(agn_threads_set(threads));
    o.seed = 6;
    e = run(m, o);
    ok(!same_draws(d, e), "another seed, other draws");
    agn_dict_release(e);
    agn_dict_release(d);
    /* 8 steps are near a period of a normal number: then chains stay where they are */
    d = run(m, (agn_nuts_options){.draws = 2000, .seed = 7, .steps = 3});
    check_laws(d, "HMC of 3 steps");
    agn_dict_release(d);
    agn_model_release(m);

    m = model(data_body);
    d = run(m, (agn_nuts_options){.draws = 2000, .seed = 8});
    tally t = {0, 0};
    check_moments(&t, d, "mu", 0, 1.6, 0.2);
    tell(&t, "a normal mean given data");
    agn_dict_release(d);
    agn_model_release(m);

    /* variances from the inverse of the precision matrix, by elimination */
    m = model(chain_body);
    d = run(m, (agn_nuts_options){.draws = 2000, .seed = 9});
    t = (tally){0, 0};
    double left[WIDE], right[WIDE];
    for (int i = 0; i < WIDE; i++)
        left[i] = 1 - (i ? 0.2025 / left[i - 1] : 0);
    for (int i = WIDE; i-- > 0;)
        right[i] = 1 - (i < WIDE - 1 ? 0.2025 / right[i + 1] : 0);
    for (int i = 0; i < WIDE; i++) {
        double scale = pow(10, 2.0 * i / (WIDE - 1) - 1);
        check_moments(&t, d, "x", i, 0, scale * scale / (left[i] + right[i] - 1));
    }
    tell(&t, "twenty correlated numbers of scales from 0.1 to 10");
    char small[40], *text = room_for(1 << 16);
    size_t need = 0;
    must(agn_infer_summary(small, sizeof small, &need, d));
    must(agn_infer_summary(text, 1 << 16, NULL, d));
    ok(strlen(small) == 39 && strlen(text) + 1 == need && strstr(text, "x[19]") && strstr(text, "of 8000 transitions") &&
           !strstr(text, "sampler/"),
       "a table of them");
    free(text);
    agn_dict_release(d);
    agn_model_release(m);
}

/* ---- diagnostics -------------------------------------------------------------------------------- */

static void test_diagnostics(void)
{
    enum { M = 4, N = 2000 };
    double *v = room_for(M * N * 3 * sizeof *v);
    double state[M] = {0};
    for (int c = 0; c < M; c++)
        for (int i = 0; i < N; i++) {
            double a = 0, b = 0;
            for (int k = 0; k < 12; k++) {
                a += rnd_in(-0.5, 0.5);
                b += rnd_in(-0.5, 0.5);
            }
            state[c] = 0.8 * state[c] + 0.6 * b;
            double *at = v + (c * N + i) * 3;
            at[0] = a;             /* independent */
            at[1] = state[c];      /* an effective size of n (1 - 0.8) / (1 + 0.8) */
            at[2] = a + (c == 2);  /* one chain apart */
        }
    agn_tensor *x = of_reals(AGN_F64, 3, (int64_t[]){M, N, 3}, v), *y = NULL;
    must(agn_infer_rhat(&y, x));
    ok(has_shape(y, 1, (int64_t[]){3}) && peek(y, 0) < 1.005 && peek(y, 1) < 1.02 && peek(y, 2) > 1.05, "R-hat %g %g %g", peek(y, 0),
       peek(y, 1), peek(y, 2));
    agn_release(y);
    must(agn_infer_ess_bulk(&y, x));
    ok(fabs(peek(y, 0) / (M * N) - 1) < 0.15 && fabs(peek(y, 1) / (M * N / 9.0) - 1) < 0.25 && peek(y, 2) < 100,
       "effective sizes %.0f %.0f %.0f", peek(y, 0), peek(y, 1), peek(y, 2));
    agn_release(y);
    must(agn_infer_ess_tail(&y, x));
    ok(peek(y, 0) > 0.7 * M * N && peek(y, 1) < 0.5 * M * N, "in the tails %.0f %.0f", peek(y, 0), peek(y, 1));
    agn_release(y);
    must(agn_infer_mcse(&y, x));
    ok(fabs(peek(y, 0) * sqrt(M * N) - 1) < 0.1 && fabs(peek(y, 1) / sqrt(9.0 / (M * N)) - 1) < 0.2, "standard errors %g %g",
       peek(y, 0), peek(y, 1));
    agn_release(y);
    agn_release(x);
    for (int i = 0; i < M * N * 3; i++)
        v[i] = i % 3 == 0 ? 1 : i % 3 == 1 && i > 9000 ? (double)NAN : v[i];
    x = of_reals(AGN_F64, 3, (int64_t[]){M, N, 3}, v);
    must(agn_infer_rhat(&y, x));
    ok(isnan(peek(y, 0)) && isnan(peek(y, 1)) && isfinite(peek(y, 2)), "draws that do not move, or are no numbers");
    agn_release(y);
    agn_release(x);
    free(v);
}

/* ---- refused --------------------------------------------------------------------------------------- */

enum { NO_PARAMETER, TWICE, COUNTS, NULL_NAME, NULL_DATA, NULL_TERM, NULL_VALUE, NULL_PRIOR, BAD_SIZE, BAD_NDIM, FAULTS };
static agn_status faulty(void *user, agn_scope *s, agn_model_trace *t)
{
    const agn_distribution *unit = law_of(s, agn_distribution_normal, number(s, 0), number(s, 1));
    int64_t odd = -1;
    T x = NULL;
    int fault = *(int *)user;
    if (fault != NO_PARAMETER)
        x = agn_model_parameter(s, t, "x", unit, 0, NULL);
    switch (fault) {
    case TWICE: agn_model_parameter(s, t, "x", unit, 0, NULL); break;
    case COUNTS: agn_model_parameter(s, t, "k", law_of(s, agn_distribution_binomial, number(s, 3), number(s, 0.5)), 0, NULL); break;
    case NULL_NAME: agn_model_parameter(s, t, NULL, unit, 0, NULL); break;
    case NULL_DATA: agn_model_observe(s, t, unit, NULL); break;
    case NULL_TERM: agn_model_add(s, t, NULL); break;
    case NULL_VALUE: agn_model_derived(s, t, "y", NULL); break;
    case NULL_PRIOR: agn_model_parameter(s, t, "z", NULL, 0, NULL); break;
    case BAD_SIZE: agn_model_parameter(s, t, "z", unit, 1, &odd); break;
    case BAD_NDIM: agn_model_parameter(s, t, "z", unit, -1, NULL); break;
    default: (void)x;
    }
    return agn_scope_status(s);
}
static int runs;
static agn_status changing(void *user, agn_scope *s, agn_model_trace *t)
{
    (void)user;
    const agn_distribution *unit = law_of(s, agn_distribution_normal, number(s, 0), number(s, 1));
    agn_model_parameter(s, t, runs++ ? "b" : "a", unit, 0, NULL);
    return agn_scope_status(s);
}
static agn_status changing_derived(void *user, agn_scope *s, agn_model_trace *t)
{
    (void)user;
    const agn_distribution *unit = law_of(s, agn_distribution_normal, number(s, 0), number(s, 1));
    T a = agn_model_parameter(s, t, "a", unit, 0, NULL);
    agn_model_derived(s, t, runs++ ? "c" : "b", a);
    return agn_scope_status(s);
}

static void test_refused(void)
{
    static const struct {
        agn_status want;
        const char *op, *a, *b;
    } say[FAULTS] = {
        {AGN_EARG, "model_new", "no parameter", NULL},
        {AGN_EARG, "model", "x", "two"},
        {AGN_EUNSUPPORTED, "model_parameter", "k", "binomial"},
        {AGN_ENULL, "model_parameter", "name", "NULL"},
        {AGN_ENULL, "model_observe", "data", "NULL"},
        {AGN_ENULL, "model_add", "log_prob", "NULL"},
        {AGN_ENULL, "model_derived", "value", "NULL"},
        {AGN_ENULL, "model_parameter", "prior", "NULL"},
        {AGN_ESHAPE, "model_parameter", "z", "-1"},
        {AGN_ESHAPE, "model_parameter", "z", "-1 axes"},
    };
    agn_model *m = NULL;
    for (int i = 0; i < FAULTS; i++)
        ok(refused(agn_model_new(&m, faulty, &i, NULL), say[i].want, say[i].op, say[i].a, say[i].b, untouched) && !m, "fault %d", i);
    agn_tensor *y = untouched, *x = scalar_of(AGN_F64, 0), *z;
    agn_fn *f = NULL, *g = NULL;
    agn_dict *d = NULL;
    ok(refused(agn_model_new(NULL, faulty, NULL, NULL), AGN_ENULL, "model_new", "out", "NULL", y) &&
           refused(agn_model_new(&m, NULL, NULL, NULL), AGN_ENULL, "model_new", "body", "NULL", y), "model_new: NULL");
    m = model(laws_body);
    ok(refused(agn_model_log_density(NULL, m), AGN_ENULL, "model_log_density", "out", "NULL", y) &&
           refused(agn_model_log_density(&f, NULL), AGN_ENULL, "model_log_density", "m is", "NULL", y) &&
           refused(agn_model_values(NULL, m), AGN_ENULL, "model_values", "out", "NULL", y) &&
           refused(agn_model_values(&f, NULL), AGN_ENULL, "model_values", "m is", "NULL", y), "functions: NULL");
    must(agn_model_log_density(&f, m));
    must(agn_model_values(&g, m));
    agn_tensor *six[6] = {untouched};
    ok(refused(agn_fn_call(&y, 1, f, (T const *)&x, 1), AGN_ESHAPE, "model", "[]", "[6]", y) &&
           refused(agn_fn_call(six, 6, g, (T const *)&x, 1), AGN_ESHAPE, "model", "[]", "[6]", six[0]), "points of another shape");
    agn_fn_release(f);
    agn_fn_release(g);
    ok(agn_model_dims(NULL) == -1 && agn_model_count(NULL) == -1 && !agn_model_name(NULL, 0) && !agn_model_retain(NULL),
       "accessors take NULL");
    agn_model_release(NULL);
#define OPTION(field, value, fact) \
    ok(refused(agn_infer_nuts(&d, m, &(agn_nuts_options){.size = sizeof(agn_nuts_options), .field = value}), AGN_EARG, \
               "infer_nuts", fact, NULL, y) && !d, #field " " #value)
    OPTION(warmup, 5, "warmup is 5");
    OPTION(draws, -1, "draws is -1");
    OPTION(chains, 257, "257 chains");
    OPTION(target_accept, 1.5, "1.5");
    OPTION(max_depth, 21, "max_depth is 21");
    OPTION(steps, -1, "steps is -1");
    OPTION(max_error, -0.5, "max_error is -0.5");
    OPTION(max_error, (double)NAN, "max_error is nan");
    ok(refused(agn_infer_nuts(&d, m, &(agn_nuts_options){.size = sizeof(agn_nuts_options), .steps = 3, .max_error = 0.5}),
               AGN_EARG, "infer_nuts", "max_error is 0.5", "steps is 3", y) && !d, "halved steps of plain Hamiltonian Monte Carlo");
    ok(refused(agn_infer_nuts(&d, m, &(agn_nuts_options){.size = 1}), AGN_EARG, "infer_nuts", "1 bytes", NULL, y) &&
           refused(agn_infer_nuts(NULL, m, NULL), AGN_ENULL, "infer_nuts", "out", "NULL", y) &&
           refused(agn_infer_nuts(&d, NULL, NULL), AGN_ENULL, "infer_nuts", "m is", "NULL", y) && !d, "options, NULL");
    agn_model_release(m);
    m = model(nowhere_body);
    ok(refused(agn_infer_nuts(&d, m, NULL), AGN_EDOMAIN, "infer_nuts", "chain 0", "no start", y) && !d, "a density that is 0 everywhere");
    agn_model_release(m);
    runs = 0;
    m = model(changing);
    ok(refused(agn_infer_nuts(&d, m, NULL), AGN_EARG, "model_parameter", "b is not", NULL, y) && !d, "another parameter");
    agn_model_release(m);
    runs = 0;
    m = model(changing_derived);
    ok(refused(agn_infer_nuts(&d, m, NULL), AGN_EARG, "model_derived", "c is not", NULL, y) && !d, "another quantity");
    agn_model_release(m);
    z = random_of(AGN_F64, 2, (int64_t[]){2, 3}, 0, 1);
    agn_tensor *w = scalar_of(AGN_C128, 1), *cube = random_of(AGN_F64, 3, (int64_t[]){2, 5, 2}, 0, 1);
#define DIAGNOSTIC(name) \
    ok(refused(agn_infer_##name(NULL, z), AGN_ENULL, "infer_" #name, "out", "NULL", y) && \
       refused(agn_infer_##name(&y, NULL), AGN_ENULL, "infer_" #name, "x is", "NULL", y) && \
       refused(agn_infer_##name(&y, z), AGN_ESHAPE, "infer_" #name, "4 draws", NULL, y) && \
       refused(agn_infer_##name(&y, w), AGN_EDTYPE, "infer_" #name, "c128", NULL, y), #name ": refused")
    DIAGNOSTIC(rhat);
    DIAGNOSTIC(ess_bulk);
    DIAGNOSTIC(ess_tail);
    DIAGNOSTIC(mcse);
    DIAGNOSTIC(bfmi);
    ok(refused(agn_infer_bfmi(&y, cube), AGN_ESHAPE, "infer_bfmi", "3 axes", NULL, y), "bfmi of more axes");
    char text[8];
    ok(refused(agn_infer_summary(text, 8, NULL, NULL), AGN_ENULL, "infer_summary", "d is", "NULL", y), "summary: NULL");
    must(agn_dict_new(&d));
    ok(refused(agn_infer_summary(NULL, 8, NULL, d), AGN_ENULL, "infer_summary", "buf", "NULL", y), "summary: no room");
    agn_dict_release(d);
    agn_release(x);
    agn_release(z);
    agn_release(w);
    agn_release(cube);
}

int main(void)
{
    test_model();
    test_samplers();
    test_diagnostics();
    test_refused();
    return done();
}
