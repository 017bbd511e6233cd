/* tests/t-series-laws.c - laws of series, processes and fields: densities against joint normal ones and sums over all paths
   (tests/data/make-series-laws.py), samples, derivatives, what is refused. */
#include "tests/laws.h"

typedef const agn_tensor *T;
static agn_tensor *real(double v) { return scalar_of(AGN_F64, v); }
static agn_tensor *key_of(int64_t n) { return of_reals(AGN_I64, 1, (int64_t[]){2}, (double[]){(double)n, 29}); }

typedef struct array {
    int ndim;
    int64_t shape[2];
    double v[12];
} array;
enum { WALK, AR, CHAIN, HIDDEN, SPACE, PROCESS, LAWS };
static const struct series {
    const char *name;
    int n;            /* parameters that are tensors */
    int64_t steps;
    array p[6], x;
    double log_prob;
} laws[] = {
    {"gaussian_random_walk", 2, 5, {{0, {0}, {0.3}}, {0, {0}, {0.8}}}, {1, {5}, {0.7, -0.2, 1.1, 2.4, 1.9}}, -6.791474909452311},
    {"autoregressive", 3, 5, {{1, {2}, {0.6, -0.25}}, {1, {2}, {0.4, 0.9}}, {0, {0}, {0.7}}}, {1, {5}, {0.7, -0.2, 1.1, 2.4, 1.9}}, -8.490884272860313},
    {"markov_chain", 2, 5, {{1, {3}, {0.2, -0.4, 0.9}}, {2, {3, 3}, {1.0, 0.1, -0.5, 0.3, 0.8, 0.0, -1.0, 0.4, 0.6}}}, {1, {5}, {2, 0, 0, 1, 2}}, -6.27137434570416},
    {"hidden_markov", 4, 5, {{1, {3}, {0.2, -0.4, 0.9}}, {2, {3, 3}, {1.0, 0.1, -0.5, 0.3, 0.8, 0.0, -1.0, 0.4, 0.6}}, {1, {3}, {-1, 0.5, 2}}, {1, {3}, {0.6, 1.1, 0.9}}},
     {1, {5}, {0.7, -0.2, 1.1, 2.4, 1.9}}, -8.467399901723919},
    {"gaussian_state_space", 6, 4, {{1, {2}, {0.4, -0.3}}, {2, {2, 2}, {1.1, 7, 0.2, 0.8}}, {2, {2, 2}, {0.9, 0.3, -0.2, 0.7}}, {2, {2, 2}, {0.5, 7, 0.1, 0.4}},
     {2, {3, 2}, {1.0, 0.5, 0.0, 1.0, 0.3, -0.4}}, {2, {3, 3}, {0.6, 7, 7, 0.1, 0.7, 7, -0.2, 0.3, 0.5}}},
     {2, {4, 3}, {0.3, -0.1, 0.8, 1.2, 0.4, -0.6, -0.5, 0.9, 0.2, 0.7, -1.1, 0.1}}, -15.012423110079126},
    {"gaussian_process", 3, 0, {{1, {3}, {0.3, -1.2, 2.0}}, {2, {3, 3}, {2.0, 0.6, 0.1, 0.6, 1.5, 0.4, 0.1, 0.4, 1.0}}, {0, {0}, {0.1}}}, {1, {3}, {0.9, 0.1, -0.7}}, -8.409293083709855},
};
static agn_status make_with(agn_distribution **out, int law, int64_t n, T const *p, const agn_distribution_options *opts)
{
    agn_distribution *seen = NULL;
    agn_status st = AGN_OK;
    switch (law) {
    case WALK: return agn_distribution_gaussian_random_walk(out, n, p[0], p[1], opts);
    case AR: return agn_distribution_autoregressive(out, n, p[0], p[1], p[2], opts);
    case CHAIN: return agn_distribution_markov_chain(out, n, p[0], p[1], opts);
    case SPACE: return agn_distribution_gaussian_state_space(out, n, p[0], p[1], p[2], p[3], p[4], p[5], opts);
    case PROCESS: return agn_distribution_gaussian_process(out, p[0], p[1], p[2], opts);
    default:
        st = agn_distribution_normal(&seen, p[2], p[3], NULL);
        st = st ? st : agn_distribution_hidden_markov(out, n, p[0], p[1], seen, opts);
        agn_distribution_release(seen);
        return st;
    }
}
static agn_status make(agn_distribution **out, int law, T const *p) { return make_with(out, law, laws[law].steps, p, NULL); }
static agn_tensor *tensor_of(const array *a, int dtype) { return of_reals(dtype, a->ndim, (int64_t *)(uintptr_t)a->shape, a->v); }
static void tensors_of(agn_tensor *p[6], int law)
{
    for (int i = 0; i < 6; i++)
        p[i] = tensor_of(&laws[law].p[i], AGN_F64);
}
static void drop(agn_tensor *const *p, int n)
{
    for (int i = 0; i < n; i++)
        agn_release(p[i]);
}
static agn_distribution *made(int law)
{
    agn_tensor *p[6];
    agn_distribution *d = NULL;
    tensors_of(p, law);
    must(make(&d, law, (T const *)p));
    drop(p, 6);
    return d;
}
static double log_prob(const agn_distribution *d, T x)
{
    agn_tensor *y = NULL;
    must(agn_distribution_log_prob(&y, d, x));
    double v = peek(y, 0);
    agn_release(y);
    return v;
}

static void test_densities(void)
{
    for (int law = 0; law < LAWS; law++) {
        agn_distribution *d = made(law);
        agn_tensor *x = tensor_of(&laws[law].x, AGN_F64);
        near(log_prob(d, x), laws[law].log_prob, 1e-13, "%s", laws[law].name);
        agn_release(x);
        array bad = laws[law].x;
        bad.v[1] = (double)NAN;
        x = tensor_of(&bad, AGN_F64);
        ok(isnan(log_prob(d, x)), "%s at NaN", laws[law].name);
        agn_release(x);
        if (law == CHAIN)
            for (int i = 0; i < 3; i++) {
                bad = laws[law].x;
                bad.v[1 + i] = i == 0 ? 3 : i == 1 ? -1 : 0.5;
                x = tensor_of(&bad, AGN_F64);
                ok(log_prob(d, x) == -(double)INFINITY, "no state %g", bad.v[1 + i]);
                agn_release(x);
            }
        ok(agn_distribution_event_ndim(d) == laws[law].x.ndim && agn_distribution_event_shape(d)[0] == laws[law].x.shape[0], "its event");
        agn_distribution_release(d);
    }
    /* the probabilities of all chains of 5 steps add up to 1 */
    agn_distribution *d = made(CHAIN);
    double sum = 0, v[5];
    for (int code = 0; code < 243; code++) {
        for (int i = 0, c = code; i < 5; i++, c /= 3)
            v[i] = c % 3;
        agn_tensor *x = of_reals(AGN_F64, 1, (int64_t[]){5}, v);
        sum += exp(log_prob(d, x));
        agn_release(x);
    }
    near(sum, 1, 1e-13, "all chains");
    agn_distribution_release(d);
}

static void test_moments(void)
{
    agn_distribution *d = made(WALK), *e = NULL;
    agn_tensor *m, *v, *h, *kl, *a = real(0.1), *b = real(1.1), *key = key_of(1), *mc;
    must(agn_distribution_mean(&m, d));
    must(agn_distribution_variance(&v, d));
    must(agn_distribution_entropy(&h, d));
    must(agn_distribution_gaussian_random_walk(&e, 5, a, b, NULL));
    must(agn_distribution_kl(&kl, d, e));
    must(agn_distribution_kl_monte_carlo(&mc, d, e, key, 40000));
    ok(fabs(peek(m, 4) - 1.5) < 1e-15 && fabs(peek(v, 4) - 5 * 0.64) < 1e-14 && fabs(peek(h, 0) - 5 * (1.4189385332046727 + log(0.8))) < 1e-14,
       "moments of a walk");
    ok(peek(kl, 0) > 0 && fabs(peek(kl, 0) - peek(mc, 0)) < 0.03, "divergence %g, Monte Carlo %g", peek(kl, 0), peek(mc, 0));
    agn_release(m);
    agn_release(v);
    agn_release(h);
    agn_release(kl);
    agn_release(mc);
    agn_release(a);
    agn_release(b);
    agn_release(key);
    agn_distribution_release(d);
    agn_distribution_release(e);
}

/* The mean over samples of the derivative of log p in each parameter is 0, entry by entry: this sees every part of the sampler. */
static agn_status score_body(void *user, agn_scope *s, T const *in, T *out)
{
    int law = *(const int *)user;
    agn_distribution *a = NULL;
    agn_status st = make(&a, law, in);
    const agn_distribution *d = agn_distribution_adopt(s, st, &a);
    agn_tensor *key = key_of(41);
    T x = ag_distribution_sample(s, d, key, 1, (const int64_t[]){4000});
    agn_release(key);
    out[0] = ag_distribution_log_prob(s, d, x);
    return agn_scope_status(s);
}
static void test_samples(void)
{
    for (int law = 0; law < LAWS; law++) {
        agn_tensor *in[12];
        tally t = {0, 0};
        int n = laws[law].n;
        tensors_of(in, law);
        for (int i = n; i < 6; i++)
            agn_release(in[i]);
        agn_fn *f, *df;
        must(agn_fn_new(&f, score_body, &law, NULL, n, 1));
        must(agn_fn_jvp(&df, f));
        for (int i = 0; i < n; i++) {
            const array *a = &laws[law].p[i];
            int64_t size = 1;
            for (int k = 0; k < a->ndim; k++)
                size *= a->shape[k];
            for (int64_t j = 0; j < size; j++) {
                agn_tensor *y[2];
                for (int k = 0; k < n; k++) {
                    array unit = laws[law].p[k];
                    memset(unit.v, 0, sizeof unit.v);
                    unit.v[j] = k == i;
                    in[n + k] = tensor_of(&unit, AGN_F64);
                }
                must(agn_fn_call(y, 2, df, (T const *)in, 2 * n));
                double mean = 0, square = 0;
                for (int k = 0; k < 4000; k++) {
                    mean += peek(y[1], k) / 4000;
                    square += peek(y[1], k) * peek(y[1], k) / 4000;
                }
                check(&t, isfinite(mean) && fabs(mean) < 4.5 * sqrt(square / 4000) + 1e-12, "parameter %d[%d]: score %g of %g", i, (int)j, mean, sqrt(square));
                drop(in + n, n);
                agn_release(y[0]);
                agn_release(y[1]);
            }
        }
        tell(&t, "%s: scores of samples have the mean 0", laws[law].name);
        agn_fn_release(f);
        agn_fn_release(df);
        drop(in, n);
    }
}

typedef struct probe {
    int law;
    bool path;
} probe;
static agn_status probe_body(void *user, agn_scope *s, T const *in, T *out)
{
    const probe *p = user;
    agn_distribution *a = NULL;
    agn_status st = make(&a, p->law, in + 1);
    const agn_distribution *d = agn_distribution_adopt(s, st, &a);
    agn_tensor *key = key_of(3);
    out[0] = p->path ? ag_distribution_rsample(s, d, key, 1, (const int64_t[]){2}) : ag_distribution_log_prob(s, d, in[0]);
    agn_release(key);
    return agn_scope_status(s);
}
static void test_derivatives(void)
{
    for (int law = 0; law < LAWS; law++)
        for (int way = 0; way < 2; way++) {
            probe p = {law, way};
            if (way && (law == CHAIN || law == HIDDEN)) {
                agn_distribution *d = made(law);
                agn_tensor *y = untouched, *key = key_of(1);
                ok(refused(agn_distribution_rsample(&y, d, key, 0, NULL), AGN_EUNSUPPORTED, "distribution_rsample", laws[law].name, NULL, y), "no path");
                agn_release(key);
                agn_distribution_release(d);
                continue;
            }
            agn_tensor *in[7];
            in[0] = tensor_of(&laws[law].x, law == CHAIN ? AGN_I64 : AGN_F64);
            tensors_of(in + 1, law);
            agn_fn *f;
            must(agn_fn_new(&f, probe_body, &p, NULL, 1 + laws[law].n, 1));
            agn_check_options o = {.size = sizeof o, .orders = 2, .tolerance = 2e-6, .step = 1e-3};
            if (way)
                o.modes = AGN_CHECK_FORWARD | AGN_CHECK_REVERSE | AGN_CHECK_TAYLOR | AGN_CHECK_PLAN;
            agn_status st = agn_check_grads(NULL, f, (T const *)in, 1 + laws[law].n, &o);
            ok(!st, "%s%s: two derivatives: %s", laws[law].name, way ? ", path" : "", st ? agn_error_message() : "");
            agn_fn_release(f);
            drop(in, 7);
        }
}

/* ---- field ------------------------------------------------------------------------------------------ */

static agn_status field_body(void *user, agn_scope *s, T const *in, T *out)
{
    T q = ag_sparse_from_dense(s, ag_add(s, user, ag_mul(s, in[2], user)));
    out[0] = ag_gaussian_markov_field_log_prob(s, in[0], in[1], q);
    return agn_scope_status(s);
}
static void test_field(void)
{
    double q[36] = {0}, v[] = {0.3, -0.5, 1.0, 0.2, -0.9, 0.4};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            q[6 * i + j] = i == j ? 2.5 : abs(i - j) == 1 ? -1 : 0;
    agn_tensor *dense = of_reals(AGN_F64, 2, (int64_t[]){6, 6}, q), *x = of_reals(AGN_F64, 1, (int64_t[]){6}, v), *loc, *p, *y = NULL, *zero = real(0),
               *three = of_reals(AGN_F64, 1, (int64_t[]){3}, v);
    must(agn_full(&loc, AGN_F64, 1, (int64_t[]){6}, 0.1));
    must(agn_sparse_from_dense(&p, dense));
    agn_status st = agn_gaussian_markov_field_log_prob(&y, x, loc, p);
    if (st == AGN_EUNSUPPORTED) {
        skip("a build without SuiteSparse");
    } else {
        must(st);
        near(peek(y, 0), -7.147879139831794, 1e-14, "a field");
        agn_release(y);
        agn_tensor *in[] = {x, loc, zero};
        agn_fn *f;
        must(agn_fn_new(&f, field_body, dense, NULL, 3, 1));
        agn_check_options o = {.size = sizeof o, .orders = 2, .tolerance = 1e-6, .modes = AGN_CHECK_FORWARD | AGN_CHECK_REVERSE};
        st = agn_check_grads(NULL, f, (T const *)in, 3, &o);
        ok(!st, "its derivatives in x, loc and the precision: %s", st ? agn_error_message() : "");
        agn_fn_release(f);
    }
    y = untouched;
    const char *op = "gaussian_markov_field_log_prob";
    ok(refused(agn_gaussian_markov_field_log_prob(NULL, x, loc, p), AGN_ENULL, op, "out", NULL, y) &&
           refused(agn_gaussian_markov_field_log_prob(&y, NULL, loc, p), AGN_ENULL, op, "x is", NULL, y) &&
           refused(agn_gaussian_markov_field_log_prob(&y, x, NULL, p), AGN_ENULL, op, "loc", NULL, y) &&
           refused(agn_gaussian_markov_field_log_prob(&y, x, loc, NULL), AGN_ENULL, op, "precision", NULL, y) &&
           refused(agn_gaussian_markov_field_log_prob(&y, three, loc, p), AGN_ESHAPE, op, "[3]", "[6,6]", y), "what is refused");
    agn_release(dense);
    agn_release(x);
    agn_release(loc);
    agn_release(p);
    agn_release(zero);
    agn_release(three);
}

static void test_refused(void)
{
    for (int law = 0; law < LAWS; law++) {
        agn_distribution *const nothing = (agn_distribution *)(uintptr_t)0xd15, *d = nothing;
        agn_tensor *p[6], *z = scalar_of(AGN_C128, 1);
        char op[64];
        tally t = {0, 0};
        snprintf(op, sizeof op, "distribution_%s", laws[law].name);
        tensors_of(p, law);
        T const *in = (T const *)p;
        agn_distribution_options odd = {.size = 3};
        check(&t, refused(make(NULL, law, in), AGN_ENULL, op, "out", NULL, untouched), "out NULL");
        if (law != PROCESS) {
            check(&t, refused(make_with(&d, law, 0, in, NULL), AGN_EARG, op, "n is 0", NULL, untouched), "no steps");
            check(&t, refused(make_with(&d, law, laws[law].steps, in, &odd), AGN_EARG, op, "3 bytes", NULL, untouched), "options");
        }
        for (int i = 0; i < (law == HIDDEN ? 2 : laws[law].n); i++) {
            agn_tensor *good = p[i];
            array bad = laws[law].p[i];
            p[i] = NULL;
            check(&t, refused(make(&d, law, in), AGN_ENULL, op, "NULL", NULL, untouched), "parameter %d NULL: %s", i, agn_error_message());
            bad.v[0] = (double)NAN;
            p[i] = tensor_of(&bad, AGN_F64);
            check(&t, refused(make(&d, law, in), AGN_EDOMAIN, op, NULL, NULL, untouched), "parameter %d NaN: %s", i, agn_error_message());
            agn_release(p[i]);
            p[i] = z;
            agn_status st = make(&d, law, in);
            check(&t, refused(st, st == AGN_ESHAPE ? AGN_ESHAPE : AGN_EDTYPE, op, NULL, NULL, untouched), "parameter %d complex: %s", i, agn_error_message());
            if (bad.ndim) {
                p[i] = random_of(AGN_F64, bad.ndim, (int64_t[]){bad.ndim == 2 ? 3 : 7, 7}, 1, 2);
                check(&t, refused(make(&d, law, in), AGN_ESHAPE, op, "7", NULL, untouched), "parameter %d of another shape: %s", i, agn_error_message());
                agn_release(p[i]);
            }
            p[i] = good;
        }
        check(&t, d == nothing, "nothing is written");
        tell(&t, "%s: what is refused", laws[law].name);
        agn_release(z);
        drop(p, 6);
    }
    agn_distribution *d = (agn_distribution *)(uintptr_t)0xd15, *four = NULL;
    agn_tensor *p[6], *loc = random_of(AGN_F64, 1, (int64_t[]){4}, 0, 1), *one = real(1), *minus = real(-1), *y = untouched;
    tensors_of(p, HIDDEN);
    must(agn_distribution_normal(&four, loc, one, NULL));
    ok(refused(agn_distribution_hidden_markov(&d, 5, p[0], p[1], four, NULL), AGN_ESHAPE, "distribution_hidden_markov", "[4]", NULL, y) &&
           refused(agn_distribution_hidden_markov(&d, 5, p[0], p[1], NULL, NULL), AGN_ENULL, "distribution_hidden_markov", "emission", NULL, y),
       "emissions of other states");
    drop(p, 6);
    tensors_of(p, PROCESS);
    ok(refused(agn_distribution_gaussian_process(&d, p[0], p[1], minus, NULL), AGN_EDOMAIN, "distribution_gaussian_process", "noise is -1", NULL, y), "noise");
    drop(p, 6);
    agn_release(loc);
    agn_release(one);
    agn_release(minus);
    agn_distribution_release(four);
}

static void test_memory(void)
{
    agn_tensor *key = key_of(2);
    for (int law = 0; law < LAWS; law++) {
        agn_tensor *p[6], *x = tensor_of(&laws[law].x, AGN_F64), *y;
        tensors_of(p, law);
        int64_t before, after;
        tally t = {0, 0};
        agn_memory_live(NULL, &before, NULL);
        agn_distribution *const nothing = (agn_distribution *)(uintptr_t)0xd15, *d = nothing;
        for (int call = 0; call < 3; call++) {
            y = untouched;
            for (int n = 0;; n += n < 60 ? 1 : 41) {
                agn_memory_fail_after(n);
                agn_status st = call == 0   ? make(&d, law, (T const *)p)
                                : call == 1 ? agn_distribution_log_prob(&y, d, x)
                                            : agn_distribution_sample(&y, d, key, 0, NULL);
                agn_memory_fail_after(-1);
                if (!st)
                    break;
                check(&t, st == AGN_ENOMEM && y == untouched && (call || d == nothing), "call %d, allocation %d: %s", call, n, agn_error_message());
            }
            if (call)
                agn_release(y);
        }
        agn_distribution_release(d);
        agn_memory_live(NULL, &after, NULL);
        check(&t, before == after, "%d lost", (int)(after - before));
        tell(&t, "%s: allocations failed in turn", laws[law].name);
        drop(p, 6);
        agn_release(x);
    }
    agn_release(key);
}

int main(void)
{
    test_densities();
    test_moments();
    test_samples();
    test_derivatives();
    test_field();
    test_refused();
    test_memory();
    return done();
}
