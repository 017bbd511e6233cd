/* tests/t-compound-laws.c - mixtures, truncated, masked, inflated, expanded laws, point masses, exponential families, divergences
   of the program: values of mpmath (tests/data/make-series-laws.py) and of other laws, samples, derivatives, what is refused. */
#include "tests/laws.h"

typedef const agn_tensor *T;
static agn_tensor *real(double v) { return scalar_of(AGN_F64, v); }
static agn_tensor *vector(int n, const double *v) { return of_reals(AGN_F64, 1, (int64_t[]){n}, v); }
static agn_tensor *key_of(int64_t n) { return of_reals(AGN_I64, 1, (int64_t[]){2}, (double[]){(double)n, 23}); }
typedef agn_status at_x(agn_tensor **out, const agn_distribution *d, T x);
typedef agn_status of_law(agn_tensor **out, const agn_distribution *d);
static double value(at_x *f, const agn_distribution *d, double at)
{
    agn_tensor *x = real(at), *y = NULL;
    must(f(&y, d, x));
    double v = peek(y, 0);
    agn_release(x);
    agn_release(y);
    return v;
}
static double moment(of_law *f, const agn_distribution *d)
{
    agn_tensor *y = NULL;
    must(f(&y, d));
    double v = peek(y, 0);
    agn_release(y);
    return v;
}
#define LOGP(d, x) value(agn_distribution_log_prob, d, x)
#define CDF(d, x) value(agn_distribution_cdf, d, x)
#define SURVIVAL(d, x) value(agn_distribution_survival, d, x)

static const double logits[] = {0.2, -0.4, 0.9}, locs[] = {-1, 0.5, 2}, scales[] = {0.6, 1.1, 0.9};
static agn_distribution *law2(agn_status (*f)(agn_distribution **, T, T, const agn_distribution_options *), agn_tensor *a, agn_tensor *b)
{
    agn_distribution *d = NULL;
    must(f(&d, a, b, NULL));
    agn_release(a);
    agn_release(b);
    return d;
}
static agn_distribution *poisson(double rate)
{
    agn_distribution *d = NULL;
    agn_tensor *r = real(rate);
    must(agn_distribution_poisson(&d, r, NULL));
    agn_release(r);
    return d;
}
static agn_distribution *parts(void) { return law2(agn_distribution_normal, vector(3, locs), vector(3, scales)); }
static agn_distribution *mixture(void)
{
    agn_distribution *p = parts(), *d = NULL;
    agn_tensor *w = vector(3, logits);
    must(agn_distribution_mixture(&d, w, p, NULL));
    agn_release(w);
    agn_distribution_release(p);
    return d;
}
static agn_distribution *truncated(agn_distribution *base, double low, double high)
{
    agn_distribution *d = NULL;
    agn_tensor *a = real(low), *b = real(high);
    must(agn_distribution_truncated(&d, base, a, b, NULL));
    agn_release(a);
    agn_release(b);
    agn_distribution_release(base);
    return d;
}
static agn_distribution *gamma_law(void) { return law2(agn_distribution_gamma, real(2.6), real(1.7)); }

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static void samples_have_the_cdf(const agn_distribution *d, const char *name)
{
    enum { N = 20000 };
    static double v[N];
    agn_tensor *key = key_of(6), *x, *c;
    must(agn_distribution_sample(&x, d, key, 1, (int64_t[]){N}));
    must(agn_distribution_cdf(&c, d, x));
    for (int i = 0; i < N; i++)
        v[i] = peek(c, i);
    qsort(v, N, sizeof *v, ascending);
    double apart = 0;
    for (int i = 0; i < N; i++)
        apart = fmax(apart, fmax(fabs(v[i] - (double)i / N), fabs(v[i] - (double)(i + 1) / N)));
    ok(apart * sqrt(N) < 2.2, "%s: Kolmogorov-Smirnov distance %.2f / sqrt(n)", name, apart * sqrt(N));
    agn_release(x);
    agn_release(c);
    agn_release(key);
}

static void test_values(void)
{
    agn_distribution *d = mixture();
    near(LOGP(d, 0.7), -1.9200278541628708, 1e-15, "mixture at 0.7");
    near(LOGP(d, -9), -40.17811774954417, 1e-15, "at -9");
    near(LOGP(d, 30), -362.492167336321, 1e-15, "at 30");
    near(CDF(d, 0.7), 0.41018999666698736, 1e-15, "up to 0.7");
    ok(fabs(CDF(d, -9) / 4.4697951464907585e-19 - 1) < 1e-13, "up to -9");
    near(value(agn_distribution_log_cdf, d, -9), log(4.4697951464907585e-19), 1e-14, "its logarithm");
    ok(value(agn_distribution_log_cdf, d, -1e3) < -4e5 && value(agn_distribution_log_survival, d, 1e3) < -4e5 &&
           value(agn_distribution_log_cdf, d, -(double)INFINITY) == -(double)INFINITY && value(agn_distribution_log_cdf, d, (double)INFINITY) == 0,
       "where it is below all numbers, and at the ends");
    ok(isnan(LOGP(d, (double)NAN)) && LOGP(d, (double)INFINITY) == -(double)INFINITY, "NaN, infinity");
    samples_have_the_cdf(d, "mixture");
    double w[3], sum = 0, m = 0, v = 0;
    for (int i = 0; i < 3; i++)
        sum += w[i] = exp(logits[i]);
    for (int i = 0; i < 3; i++)
        m += w[i] / sum * locs[i];
    for (int i = 0; i < 3; i++)
        v += w[i] / sum * (scales[i] * scales[i] + (locs[i] - m) * (locs[i] - m));
    near(moment(agn_distribution_mean, d), m, 1e-15, "its mean");
    near(moment(agn_distribution_variance, d), v, 1e-14, "its variance");
    agn_distribution_release(d);

    d = truncated(gamma_law(), 0.5, 3);
    near(LOGP(d, 1.25), -0.5534304759832752, 1e-13, "truncated gamma");
    near(CDF(d, 1.25), 0.4385913967054637, 1e-13, "up to 1.25");
    near(SURVIVAL(d, 1.25), 1 - 0.4385913967054637, 1e-13, "beyond");
    ok(LOGP(d, 0.4) == -(double)INFINITY && LOGP(d, 3.1) == -(double)INFINITY && CDF(d, 0.4) == 0 && CDF(d, 3.1) == 1 && SURVIVAL(d, 3.1) == 0 &&
           SURVIVAL(d, 0.4) == 1 && isnan(LOGP(d, (double)NAN)), "outside of the ends");
    near(value(agn_distribution_icdf, d, 0.4385913967054637), 1.25, 1e-12, "quantile");
    samples_have_the_cdf(d, "truncated gamma");
    agn_distribution_release(d);
    d = truncated(gamma_law(), 9, 12);
    near(LOGP(d, 10), -1.0944103970001786, 1e-11, "in the right tail");
    near(CDF(d, 10), 0.79343105868105, 1e-11, "up to 10");
    agn_distribution_release(d);
    d = truncated(gamma_law(), 30, 1e4);
    near(LOGP(d, 31), -1.1481535850593036, 1e-12, "far in the right tail");
    near(CDF(d, 31), 0.8076695180044065, 1e-12, "up to 31");
    ok(isnan(value(agn_distribution_icdf, d, 0.5)), "no quantile there");
    agn_distribution_release(d);
    d = truncated(gamma_law(), 1e4, 2e4);
    ok(isnan(LOGP(d, 15000)), "a mass below all numbers: NaN");
    agn_distribution_release(d);
    d = truncated(poisson(3.9), 2, 7);
    near(LOGP(d, 4), -1.4779768527496375, 1e-14, "truncated Poisson");
    near(CDF(d, 4), 0.6420056088113995, 1e-14, "up to 4");
    double all = 0;
    for (int k = 0; k < 12; k++)
        all += exp(LOGP(d, k));
    near(all, 1, 1e-14, "its probabilities");
    ok(LOGP(d, 1) == -(double)INFINITY && LOGP(d, 2.5) == -(double)INFINITY && LOGP(d, 8) == -(double)INFINITY, "no others");
    agn_tensor *y = untouched, *key = key_of(1);
    ok(refused(agn_distribution_sample(&y, d, key, 0, NULL), AGN_EUNSUPPORTED, "distribution_sample", "truncated", NULL, y), "no numbers of it");
    agn_distribution_release(d);
    agn_release(key);

    /* an inflated Poisson law is the one of the table of laws */
    agn_distribution *p = poisson(3.9), *z = NULL, *same = law2(agn_distribution_zero_inflated_poisson, real(0.2), real(3.9));
    agn_tensor *gate = real(0.2);
    must(agn_distribution_zero_inflated(&z, gate, p, NULL));
    tally t = {0, 0};
    for (int k = -1; k < 9; k++) {
        double a = LOGP(z, k), b = LOGP(same, k);
        check(&t, a == b || fabs(a - b) < 1e-14, "%d: %g, %g", k, a, b);
        check(&t, fabs(CDF(z, k) - CDF(same, k)) < 1e-15 && fabs(SURVIVAL(z, k) - SURVIVAL(same, k)) < 1e-15, "cdf at %d", k);
    }
    check(&t, fabs(moment(agn_distribution_mean, z) - moment(agn_distribution_mean, same)) < 1e-15, "mean");
    check(&t, fabs(moment(agn_distribution_variance, z) - moment(agn_distribution_variance, same)) < 1e-14, "variance");
    key = key_of(9);
    agn_tensor *x;
    must(agn_distribution_sample(&x, z, key, 1, (int64_t[]){20000}));
    double mean = 0, none = 0;
    for (int i = 0; i < 20000; i++) {
        mean += peek(x, i) / 20000;
        none += peek(x, i) == 0;
    }
    check(&t, fabs(mean - 3.12) < 0.08 && fabs(none / 20000 - exp(LOGP(z, 0))) < 0.015, "numbers: mean %g, zeros %g", mean, none);
    tell(&t, "an inflated Poisson law");
    agn_release(x);
    agn_release(key);
    agn_release(gate);
    agn_distribution_release(z);
    agn_distribution_release(same);

    /* point mass */
    gate = real(1.5);
    must(agn_distribution_delta(&z, gate, NULL));
    ok(LOGP(z, 1.5) == 0 && LOGP(z, 1.4) == -(double)INFINITY && isnan(LOGP(z, (double)NAN)) && CDF(z, 1.4) == 0 && CDF(z, 1.5) == 1 &&
           SURVIVAL(z, 1.5) == 0 && SURVIVAL(z, 1) == 1 && value(agn_distribution_icdf, z, 0.3) == 1.5 && moment(agn_distribution_mean, z) == 1.5 &&
           moment(agn_distribution_variance, z) == 0 && moment(agn_distribution_entropy, z) == 0 && moment(agn_distribution_mode, z) == 1.5,
       "the law of 1.5");
    key = key_of(3);
    must(agn_distribution_rsample(&x, z, key, 1, (int64_t[]){2}));
    ok(peek(x, 0) == 1.5 && peek(x, 1) == 1.5, "its numbers");
    agn_release(x);
    agn_release(gate);
    agn_distribution_release(z);

    /* masks */
    gate = vector(3, (double[]){1, 0, 1});
    must(agn_distribution_masked(&z, p, gate, NULL));
    agn_tensor *at = vector(3, (double[]){2, 4, -1});
    must(agn_distribution_log_prob(&x, z, at));
    ok(fabs(peek(x, 0) - LOGP(p, 2)) < 1e-15 && peek(x, 1) == 0 && peek(x, 2) == -(double)INFINITY, "a mask");
    agn_release(x);
    must(agn_distribution_sample(&x, z, key, 1, (int64_t[]){4}));
    ok(has_shape(x, 2, (int64_t[]){4, 3}) && (peek(x, 0) != peek(x, 1) || peek(x, 1) != peek(x, 2)), "numbers for every place of it");
    agn_release(x);
    agn_release(at);
    agn_release(gate);
    agn_distribution_release(z);
    agn_distribution_release(p);
    agn_release(key);
}

/* supports and their ends are those of the parts together */
static void test_supports(void)
{
    agn_distribution *u = law2(agn_distribution_uniform, vector(3, (double[]){-1, 0, 2}), vector(3, (double[]){0, 3, 2.5})), *m = NULL, *k = NULL,
                     *t = truncated(gamma_law(), 0.5, 3);
    agn_tensor *w = vector(3, logits), *one = real(1), *a, *b;
    must(agn_distribution_mixture(&m, w, u, NULL));
    must(agn_distribution_bounds(&a, &b, m));
    ok(agn_distribution_support(m) == AGN_SUPPORT_INTERVAL && agn_distribution_ndim(m) == 0 && peek(a, 0) == -1 && peek(b, 0) == 3, "of a mixture");
    ok(LOGP(m, -1.5) == -(double)INFINITY && CDF(m, -1.5) == 0 && CDF(m, 3.5) == 1 && SURVIVAL(m, 3.5) == 0, "outside of it");
    agn_release(a);
    agn_release(b);
    must(agn_distribution_masked(&k, u, one, NULL));
    must(agn_distribution_bounds(&a, &b, k));
    ok(agn_distribution_support(k) == AGN_SUPPORT_INTERVAL && peek(a, 2) == 2 && peek(b, 1) == 3, "of a masked law");
    agn_release(a);
    agn_release(b);
    must(agn_distribution_bounds(&a, &b, t));
    ok(agn_distribution_support(t) == AGN_SUPPORT_INTERVAL && peek(a, 0) == 0.5 && peek(b, 0) == 3, "of a truncated law");
    agn_release(a);
    agn_release(b);
    agn_release(w);
    agn_release(one);
    agn_distribution_release(u);
    agn_distribution_release(m);
    agn_distribution_release(k);
    agn_distribution_release(t);
}

static void test_expanded(void)
{
    agn_distribution *p = parts(), *d = NULL, *m = mixture(), *i = NULL;
    agn_tensor *key = key_of(4), *x, *y, *z;
    must(agn_distribution_expanded(&d, p, 2, (int64_t[]){4, 3}));
    must(agn_distribution_sample(&x, d, key, 1, (int64_t[]){2}));
    must(agn_distribution_log_prob(&y, d, x));
    must(agn_distribution_log_prob(&z, p, x));
    bool apart = true;
    for (int a = 0; a < 24; a++)
        for (int b = 0; b < a; b++)
            apart = apart && peek(x, a) != peek(x, b);
    ok(has_shape(x, 3, (int64_t[]){2, 4, 3}) && same_values(y, z) && apart && !strcmp(agn_distribution_name(d), "normal"), "a larger batch: independent numbers");
    agn_release(x);
    agn_release(y);
    agn_release(z);
    agn_distribution_release(d);
    must(agn_distribution_expanded(&d, m, 1, (int64_t[]){5}));
    must(agn_distribution_sample(&x, d, key, 1, (int64_t[]){3}));
    must(agn_distribution_log_prob(&y, d, x));
    ok(has_shape(x, 2, (int64_t[]){3, 5}) && has_shape(y, 2, (int64_t[]){3, 5}) && peek(x, 0) != peek(x, 1) && agn_distribution_base(d) &&
           agn_distribution_ndim(agn_distribution_base(d)) == 2, "of a mixture");
    agn_release(x);
    agn_release(y);
    agn_distribution_release(d);
    must(agn_distribution_independent(&i, p, 1));
    must(agn_distribution_expanded(&d, i, 1, (int64_t[]){2}));
    must(agn_distribution_sample(&x, d, key, 0, NULL));
    must(agn_distribution_log_prob(&y, d, x));
    must(agn_distribution_log_prob(&z, i, x));
    ok(has_shape(x, 2, (int64_t[]){2, 3}) && same_values(y, z) && peek(x, 0) != peek(x, 3), "of independent axes");
    agn_release(x);
    agn_release(y);
    agn_release(z);
    agn_distribution_release(d);
    agn_tensor *out = untouched;
    d = (agn_distribution *)(uintptr_t)0xd15;
    ok(refused(agn_distribution_expanded(NULL, p, 1, (int64_t[]){3}), AGN_ENULL, "distribution_expanded", "out", NULL, out) &&
           refused(agn_distribution_expanded(&d, NULL, 1, (int64_t[]){3}), AGN_ENULL, "distribution_expanded", "d is", NULL, out) &&
           refused(agn_distribution_expanded(&d, p, 1, NULL), AGN_ENULL, "distribution_expanded", "shape", NULL, out) &&
           refused(agn_distribution_expanded(&d, p, 1, (int64_t[]){4}), AGN_ESHAPE, "distribution_expanded", "[3]", "[4]", out) &&
           refused(agn_distribution_expanded(&d, p, 0, NULL), AGN_ESHAPE, "distribution_expanded", "ndim is 0", NULL, out) &&
           refused(agn_distribution_expanded(&d, p, 2, (int64_t[]){-2, 3}), AGN_ESHAPE, "distribution_expanded", "-2", NULL, out),
       "what is refused");
    agn_distribution_release(p);
    agn_distribution_release(m);
    agn_distribution_release(i);
    agn_release(key);
}

enum { MIXTURE, TRUNCATED, INFLATED, MASKED, LAWS };
static const char *const names[] = {"mixture", "truncated", "zero_inflated", "masked"};
/* in: x, then three parameters */
static agn_status make(agn_distribution **out, int law, T const *in)
{
    agn_distribution *base = NULL;
    agn_status st = law == INFLATED ? agn_distribution_poisson(&base, in[2], NULL) : agn_distribution_normal(&base, in[1], in[2], NULL);
    st = st ? st : law == MIXTURE ? agn_distribution_mixture(out, in[0], base, NULL)
                   : law == TRUNCATED ? agn_distribution_truncated(out, base, in[0], in[3], NULL)
                   : law == INFLATED ? agn_distribution_zero_inflated(out, in[0], base, NULL)
                                     : agn_distribution_masked(out, base, in[3], NULL);
    agn_distribution_release(base);
    return st;
}
typedef struct probe {
    int law, kind;
} probe;
static agn_status probe_body(void *user, agn_scope *s, T const *in, T *out)
{
    const probe *p = user;
    agn_distribution *made = NULL;
    agn_status st = make(&made, p->law, in + 1);
    const agn_distribution *d = agn_distribution_adopt(s, st, &made);
    agn_tensor *key = key_of(31);
    out[0] = p->kind == 0 ? ag_distribution_log_prob(s, d, in[0])
             : p->kind == 1 ? ag_distribution_cdf(s, d, in[0])
                            : ag_distribution_rsample(s, d, key, 1, (const int64_t[]){2});
    agn_release(key);
    return agn_scope_status(s);
}
static void inputs(int law, agn_tensor *in[5])
{
    in[0] = law == INFLATED ? scalar_of(AGN_I64, 2) : real(0.8);
    in[1] = law == MIXTURE ? vector(3, logits) : real(law == TRUNCATED ? -0.4 : 0.2);
    in[2] = law == MIXTURE ? vector(3, locs) : real(0.5);
    in[3] = law == MIXTURE ? vector(3, scales) : real(1.3);
    in[4] = law == MASKED ? scalar_of(AGN_I64, 1) : real(2.5);
}
static void test_derivatives(void)
{
    for (int law = 0; law < LAWS; law++)
        for (int kind = 0; kind < 3; kind++) {
            probe p = {law, kind};
            if ((kind == 1 && law == MASKED) || (kind == 2 && law == INFLATED))
                continue;
            agn_tensor *in[5];
            inputs(law, in);
            agn_fn *f;
            must(agn_fn_new(&f, probe_body, &p, NULL, 5, 1));
            agn_check_options o = {.size = sizeof o, .orders = 3, .tolerance = 3e-6, .step = 2e-3};
            if (kind == 2) /* the sampler itself picks another part as the parameters move: its path does not */
                o.modes = law == MIXTURE ? AGN_CHECK_TAYLOR : AGN_CHECK_FORWARD | AGN_CHECK_REVERSE | AGN_CHECK_TAYLOR | AGN_CHECK_PLAN;
            agn_status st = agn_check_grads(NULL, f, (T const *)in, 5, &o);
            ok(!st, "%s, %d: three derivatives: %s", names[law], kind, st ? agn_error_message() : "");
            agn_fn_release(f);
            for (int i = 0; i < 5; i++)
                agn_release(in[i]);
        }
}
/* along the path of a mixture the cdf stays what it is, so E[x^2] has the derivative of its formula */
static agn_status square_body(void *user, agn_scope *s, T const *in, T *out)
{
    agn_distribution *made = NULL;
    agn_status st = make(&made, MIXTURE, in);
    const agn_distribution *d = agn_distribution_adopt(s, st, &made);
    agn_tensor *key = key_of(12);
    out[0] = user ? ag_add(s, ag_square(s, ag_distribution_mean(s, d)), ag_distribution_variance(s, d))
                  : ag_mean_all(s, ag_square(s, ag_distribution_rsample(s, d, key, 1, (const int64_t[]){20000})));
    agn_release(key);
    return agn_scope_status(s);
}
static void test_path(void)
{
    agn_tensor *in[] = {vector(3, logits), vector(3, locs), vector(3, scales)}, *got[2][3];
    for (int way = 0; way < 2; way++) {
        agn_fn *f, *df;
        must(agn_fn_new(&f, square_body, way ? in : NULL, NULL, 3, 1));
        must(agn_fn_grad(&df, f, (const int32_t[]){0, 1, 2}, 3));
        must(agn_fn_call(got[way], 3, df, (T const *)in, 3));
        agn_fn_release(f);
        agn_fn_release(df);
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            ok(fabs(peek(got[0][i], j) - peek(got[1][i], j)) < 0.12, "E[x^2] in parameter %d[%d]: %g by paths, %g", i, j, peek(got[0][i], j), peek(got[1][i], j));
        agn_release(in[i]);
        agn_release(got[0][i]);
        agn_release(got[1][i]);
    }
}

/* ---- exponential families: gamma with eta = (a - 1, -b), A = log gamma(eta_1 + 1) - (eta_1 + 1) log(-eta_2) ---- */

static agn_status gamma_normaliser(void *user, agn_scope *s, T const *in, T *out)
{
    (void)user;
    T a = ag_add_c(s, in[0], 1);
    out[0] = ag_sub(s, ag_lgamma(s, a), ag_mul(s, a, ag_log(s, ag_neg(s, in[1]))));
    return agn_scope_status(s);
}
static agn_status family_body(void *user, agn_scope *s, T const *in, T *out)
{
    T q[] = {ag_add_c(s, in[0], 0.3), ag_mul_c(s, in[1], 1.2)};
    out[0] = ag_add(s, ag_exponential_family_entropy(s, user, in, 2, NULL), ag_exponential_family_kl(s, user, in, q, 2));
    return agn_scope_status(s);
}
static void test_family(void)
{
    agn_fn *a, *f;
    must(agn_fn_new(&a, gamma_normaliser, NULL, NULL, 2, 1));
    agn_tensor *p[] = {vector(2, (double[]){1.6, 0.3}), vector(2, (double[]){-1.7, -0.8})}, *q[] = {vector(2, (double[]){2.1, 0.9}), vector(2, (double[]){-1.1, -2})};
    agn_tensor *h = NULL, *kl = NULL, *want_h, *want_kl, *one = real(1), *y = untouched, *shifted;
    must(agn_exponential_family_entropy(&h, a, (T const *)p, 2, NULL));
    must(agn_exponential_family_kl(&kl, a, (T const *)p, (T const *)q, 2));
    agn_distribution *d[2];
    for (int i = 0; i < 2; i++) {
        agn_tensor *const *e = i ? q : p, *shape, *rate;
        must(agn_add(&shape, e[0], one));
        must(agn_neg(&rate, e[1]));
        d[i] = law2(agn_distribution_gamma, shape, rate);
    }
    must(agn_distribution_entropy(&want_h, d[0]));
    must(agn_distribution_kl(&want_kl, d[0], d[1]));
    for (int i = 0; i < 2; i++)
        ok(fabs(peek(h, i) - peek(want_h, i)) < 1e-14 && fabs(peek(kl, i) - peek(want_kl, i)) < 1e-14, "gamma: entropy %g, divergence %g", peek(h, i), peek(kl, i));
    must(agn_exponential_family_entropy(&shifted, a, (T const *)p, 2, one));
    ok(fabs(peek(shifted, 0) - peek(h, 0) + 1) < 1e-15, "a carrier");
    agn_release(shifted);
    must(agn_fn_new(&f, family_body, a, NULL, 2, 1));
    agn_check_options o = {.size = sizeof o, .orders = 3, .tolerance = 1e-6};
    ok(!agn_check_grads(NULL, f, (T const *)p, 2, &o), "three derivatives: %s", agn_error_message());
    agn_fn_release(f);
    ok(refused(agn_exponential_family_entropy(NULL, a, (T const *)p, 2, NULL), AGN_ENULL, "exponential_family_entropy", "out", NULL, y) &&
           refused(agn_exponential_family_entropy(&y, NULL, (T const *)p, 2, NULL), AGN_ENULL, "exponential_family_entropy", "log_normaliser", NULL, y) &&
           refused(agn_exponential_family_entropy(&y, a, NULL, 2, NULL), AGN_ENULL, "exponential_family_entropy", "eta", NULL, y) &&
           refused(agn_exponential_family_entropy(&y, a, (T[]){p[0], NULL}, 2, NULL), AGN_ENULL, "exponential_family_entropy", "eta[1]", NULL, y) &&
           refused(agn_exponential_family_entropy(&y, a, (T const *)p, 0, NULL), AGN_EARG, "exponential_family_entropy", "n is 0", NULL, y) &&
           refused(agn_exponential_family_entropy(&y, a, (T const *)p, 1, NULL), AGN_EARG, "exponential_family_entropy", "2 arguments", NULL, y) &&
           refused(agn_exponential_family_kl(&y, a, (T const *)p, NULL, 2), AGN_ENULL, "exponential_family_kl", "q", NULL, y) &&
           refused(agn_exponential_family_kl(&y, a, (T const *)p, (T const *)q, 17), AGN_EARG, "exponential_family_kl", "17", NULL, y) &&
           refused(agn_exponential_family_kl(NULL, a, (T const *)p, (T const *)q, 2), AGN_ENULL, "exponential_family_kl", "out", NULL, y),
       "what is refused");
    agn_release(h);
    agn_release(kl);
    agn_release(want_h);
    agn_release(want_kl);
    agn_release(one);
    agn_fn_release(a);
    for (int i = 0; i < 2; i++) {
        agn_release(p[i]);
        agn_release(q[i]);
        agn_distribution_release(d[i]);
    }
}

/* ---- divergences of the program ------------------------------------------------------------------------------ */

static T logistic_normal(agn_scope *s, void *user, const agn_distribution *p, const agn_distribution *q)
{
    agn_tensor *a = NULL, *b = NULL;
    agn_status st = agn_distribution_parameter(&a, p, "loc");
    T x = agn_scope_adopt(s, st, &a);
    st = agn_scope_status(s);
    st = st ? st : agn_distribution_parameter(&b, q, "scale");
    T y = agn_scope_adopt(s, st, &b);
    return ag_mul_c(s, ag_add(s, x, y), *(const double *)user);
}
static void test_register(void)
{
    agn_distribution *p = law2(agn_distribution_logistic, real(0.3), real(1)), *q = law2(agn_distribution_normal, vector(2, locs), vector(2, scales));
    agn_tensor *y = untouched;
    double two = 2, three = 3;
    ok(refused(agn_distribution_kl(&y, p, q), AGN_EUNSUPPORTED, "distribution_kl", "logistic", "normal", y), "no formula");
    must(agn_distribution_register_kl("logistic", "normal", logistic_normal, &two));
    must(agn_distribution_kl(&y, p, q));
    ok(has_shape(y, 1, (int64_t[]){2}) && fabs(peek(y, 1) - 2 * (0.3 + 1.1)) < 1e-15, "one of the program");
    agn_release(y);
    must(agn_distribution_register_kl("logistic", "normal", logistic_normal, &three));
    must(agn_distribution_kl(&y, p, q));
    ok(fabs(peek(y, 0) - 3 * 0.9) < 1e-15, "replaced");
    agn_release(y);
    must(agn_distribution_register_kl("normal", "normal", logistic_normal, &two));
    must(agn_distribution_kl(&y, q, q));
    ok(fabs(peek(y, 0) - 2 * (-1 + 0.6)) < 1e-15, "before one that is there");
    agn_release(y);
    must(agn_distribution_register_kl("normal", "normal", NULL, NULL));
    must(agn_distribution_register_kl("logistic", "normal", NULL, NULL));
    must(agn_distribution_register_kl("logistic", "normal", NULL, NULL));
    must(agn_distribution_kl(&y, q, q));
    ok(peek(y, 0) == 0, "taken back");
    agn_release(y);
    y = untouched;
    ok(refused(agn_distribution_kl(&y, p, q), AGN_EUNSUPPORTED, "distribution_kl", "logistic", NULL, y) &&
           refused(agn_distribution_register_kl(NULL, "normal", logistic_normal, NULL), AGN_ENULL, "distribution_register_kl", "p is", NULL, y) &&
           refused(agn_distribution_register_kl("normal", NULL, logistic_normal, NULL), AGN_ENULL, "distribution_register_kl", "q is", NULL, y) &&
           refused(agn_distribution_register_kl("", "normal", logistic_normal, NULL), AGN_EARG, "distribution_register_kl", "47", NULL, y), "what is refused");
    char name[32];
    agn_status st = AGN_OK;
    int n = 0;
    for (; n < 300 && !st; n++) {
        snprintf(name, sizeof name, "law%d", n);
        st = agn_distribution_register_kl(name, "normal", logistic_normal, NULL);
    }
    ok(n == 257 && refused(st, AGN_EARG, "distribution_register_kl", "256", NULL, y), "256 pairs");
    for (int i = 0; i < n; i++) {
        snprintf(name, sizeof name, "law%d", i);
        must(agn_distribution_register_kl(name, "normal", NULL, NULL));
    }
    ok(refused(agn_distribution_parameter(&y, p, "rate"), AGN_EARG, "distribution_parameter", "logistic", "rate", y) &&
           refused(agn_distribution_parameter(NULL, p, "loc"), AGN_ENULL, "distribution_parameter", "out", NULL, y) &&
           refused(agn_distribution_parameter(&y, NULL, "loc"), AGN_ENULL, "distribution_parameter", "d is", NULL, y) &&
           refused(agn_distribution_parameter(&y, p, NULL), AGN_ENULL, "distribution_parameter", "name", NULL, y) &&
           !agn_distribution_base(p) && !agn_distribution_base(NULL), "parameters and bases");
    agn_distribution_release(p);
    agn_distribution_release(q);
}

static void test_refused(void)
{
    agn_distribution *const nothing = (agn_distribution *)(uintptr_t)0xd15, *d = nothing, *p = parts(), *count = poisson(2), *g = NULL;
    agn_tensor *w = vector(3, logits), *four = vector(4, (double[]){1, 2, 3, 4}), *one = real(1), *two = real(2), *nan = real((double)NAN), *z = scalar_of(AGN_C128, 1),
               *y = untouched, *bad = vector(3, (double[]){0, (double)NAN, 1});
    agn_distribution_options odd = {.size = 3};
    must(agn_distribution_independent(&g, p, 1));
#define SAYS(st, want, op, a, b) ok(refused(st, want, "distribution_" op, a, b, y) && d == nothing, #st)
    SAYS(agn_distribution_mixture(NULL, w, p, NULL), AGN_ENULL, "mixture", "out", NULL);
    SAYS(agn_distribution_mixture(&d, NULL, p, NULL), AGN_ENULL, "mixture", "logits", NULL);
    SAYS(agn_distribution_mixture(&d, w, NULL, NULL), AGN_ENULL, "mixture", "parts", NULL);
    SAYS(agn_distribution_mixture(&d, four, p, NULL), AGN_ESHAPE, "mixture", "[4]", "[3]");
    SAYS(agn_distribution_mixture(&d, w, count, NULL), AGN_ESHAPE, "mixture", "[3]", "[]");
    SAYS(agn_distribution_mixture(&d, bad, p, NULL), AGN_EDOMAIN, "mixture", "logits[1]", NULL);
    SAYS(agn_distribution_mixture(&d, w, p, &odd), AGN_EARG, "mixture", "3 bytes", NULL);
    SAYS(agn_distribution_truncated(NULL, p, one, two, NULL), AGN_ENULL, "truncated", "out", NULL);
    SAYS(agn_distribution_truncated(&d, NULL, one, two, NULL), AGN_ENULL, "truncated", "base", NULL);
    SAYS(agn_distribution_truncated(&d, p, NULL, two, NULL), AGN_ENULL, "truncated", "low", NULL);
    SAYS(agn_distribution_truncated(&d, p, one, NULL, NULL), AGN_ENULL, "truncated", "high", NULL);
    SAYS(agn_distribution_truncated(&d, p, two, one, NULL), AGN_EDOMAIN, "truncated", "low", "high");
    SAYS(agn_distribution_truncated(&d, p, nan, one, NULL), AGN_EDOMAIN, "truncated", "low", "nan");
    SAYS(agn_distribution_truncated(&d, p, z, one, NULL), AGN_EDTYPE, "truncated", "c128", NULL);
    SAYS(agn_distribution_truncated(&d, p, one, four, NULL), AGN_ESHAPE, "truncated", "[4]", "[3]");
    SAYS(agn_distribution_truncated(&d, g, one, two, NULL), AGN_EUNSUPPORTED, "truncated", "independent", NULL);
    SAYS(agn_distribution_truncated(&d, p, one, two, &odd), AGN_EARG, "truncated", "3 bytes", NULL);
    SAYS(agn_distribution_masked(NULL, p, one, NULL), AGN_ENULL, "masked", "out", NULL);
    SAYS(agn_distribution_masked(&d, NULL, one, NULL), AGN_ENULL, "masked", "base", NULL);
    SAYS(agn_distribution_masked(&d, p, NULL, NULL), AGN_ENULL, "masked", "mask", NULL);
    SAYS(agn_distribution_masked(&d, p, four, NULL), AGN_ESHAPE, "masked", "[4]", "[3]");
    SAYS(agn_distribution_masked(&d, p, nan, NULL), AGN_EDOMAIN, "masked", "nan", NULL);
    SAYS(agn_distribution_masked(&d, p, z, NULL), AGN_EDTYPE, "masked", "c128", NULL);
    SAYS(agn_distribution_masked(&d, p, one, &odd), AGN_EARG, "masked", "3 bytes", NULL);
    SAYS(agn_distribution_zero_inflated(NULL, one, count, NULL), AGN_ENULL, "zero_inflated", "out", NULL);
    SAYS(agn_distribution_zero_inflated(&d, NULL, count, NULL), AGN_ENULL, "zero_inflated", "gate", NULL);
    SAYS(agn_distribution_zero_inflated(&d, one, NULL, NULL), AGN_ENULL, "zero_inflated", "base", NULL);
    SAYS(agn_distribution_zero_inflated(&d, two, count, NULL), AGN_EDOMAIN, "zero_inflated", "gate", "0 to 1");
    SAYS(agn_distribution_zero_inflated(&d, z, count, NULL), AGN_EDTYPE, "zero_inflated", "c128", NULL);
    SAYS(agn_distribution_zero_inflated(&d, one, p, NULL), AGN_EUNSUPPORTED, "zero_inflated", "normal", NULL);
    SAYS(agn_distribution_zero_inflated(&d, one, count, &odd), AGN_EARG, "zero_inflated", "3 bytes", NULL);
    SAYS(agn_distribution_delta(NULL, one, NULL), AGN_ENULL, "delta", "out", NULL);
    SAYS(agn_distribution_delta(&d, NULL, NULL), AGN_ENULL, "delta", "value", NULL);
    SAYS(agn_distribution_delta(&d, nan, NULL), AGN_EDOMAIN, "delta", "nan", NULL);
    SAYS(agn_distribution_delta(&d, z, NULL), AGN_EDTYPE, "delta", "c128", NULL);
    SAYS(agn_distribution_delta(&d, one, &odd), AGN_EARG, "delta", "3 bytes", NULL);
    agn_release(w);
    agn_release(four);
    agn_release(one);
    agn_release(two);
    agn_release(nan);
    agn_release(z);
    agn_release(bad);
    agn_distribution_release(p);
    agn_distribution_release(g);
    agn_distribution_release(count);
}

static void test_memory(void)
{
    agn_tensor *key = key_of(2);
    for (int law = 0; law < LAWS; law++) {
        agn_tensor *in[5], *y;
        inputs(law, in);
        int64_t before, after;
        tally t = {0, 0};
        agn_memory_live(NULL, &before, NULL);
        agn_distribution *const nothing = (agn_distribution *)(uintptr_t)0xd15, *d = nothing;
        for (int call = 0; call < 3; call++) {
            y = untouched;
            for (int n = 0;; n += n < 90 ? 1 : 29) {
                agn_memory_fail_after(n);
                agn_status st = call == 0   ? make(&d, law, (T const *)in + 1)
                                : call == 1 ? agn_distribution_log_prob(&y, d, in[0])
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
        tell(&t, "%s: allocations failed in turn", names[law]);
        for (int i = 0; i < 5; i++)
            agn_release(in[i]);
    }
    agn_release(key);
}

int main(void)
{
    test_values();
    test_supports();
    test_expanded();
    test_derivatives();
    test_path();
    test_family();
    test_register();
    test_refused();
    test_memory();
    return done();
}
