/* Laws of classes and of parts: ordered classes by cut points, the Poisson binomial law, hurdles, the
   wrapped Cauchy law. Densities, shares and moments against mpmath, samples by chi-squared and
   Kolmogorov-Smirnov, derivatives in every mode, divergence by the trapezoidal rule, what is refused. */
#include "tests/laws.h"

typedef const agn_tensor *T;
#define NONE -12345
#define L(...) {__VA_ARGS__}
typedef struct row {
    const char *law;
    double p[4];
    int np;
    double q[4];
    int nq;
    double x, want[5];
} row;
static const row points[] = {
#define POINT(law, p, np, q, nq, x, ...) {#law, p, np, q, nq, x, {__VA_ARGS__}},
#define MOMENT(...)
#include "tests/data/laws-of-classes.inc"
#undef POINT
#undef MOMENT
}, moments[] = {
#define POINT(...)
#define MOMENT(law, p, np, q, nq, ...) {#law, p, np, q, nq, 0, {__VA_ARGS__}},
#include "tests/data/laws-of-classes.inc"
};
static bool is(const row *r, const char *name) { return !strncmp(r->law, name, strlen(name)); }
static bool is_discrete(const row *r) { return !is(r, "wrapped") && !is(r, "hurdle_gamma"); }

/* q of a hurdle is the rate, or the shape with the rate 1.25; else the second parameter */
static agn_status make(agn_distribution **out, const char *name, T p, T q)
{
    if (!strcmp(name, "ordered_logistic"))
        return agn_distribution_ordered_logistic(out, p, q, NULL);
    if (!strcmp(name, "ordered_probit"))
        return agn_distribution_ordered_probit(out, p, q, NULL);
    if (!strcmp(name, "poisson_binomial"))
        return agn_distribution_poisson_binomial(out, p, NULL);
    if (!strcmp(name, "wrapped_cauchy"))
        return agn_distribution_wrapped_cauchy(out, p, q, NULL);
    agn_distribution *base = NULL;
    agn_tensor *rate = scalar_of(agn_dtype_of(q), 1.25);
    agn_status st = strstr(name, "gamma") ? agn_distribution_gamma(&base, q, rate, NULL)
                                          : agn_distribution_poisson(&base, q, NULL);
    agn_release(rate);
    st = st ? st : agn_distribution_hurdle(out, p, base, NULL);
    agn_distribution_release(base);
    return st;
}
/* a number of each, but for the cut points and the probabilities */
static agn_tensor *first_of(const row *r, int dtype)
{
    bool vector = is(r, "poisson_binomial");
    return of_reals(dtype, vector, (int64_t[]){r->np}, (double *)(uintptr_t)r->p);
}
static agn_tensor *second_of(const row *r, int dtype)
{
    bool vector = is(r, "ordered");
    return of_reals(dtype, vector, (int64_t[]){r->nq}, (double *)(uintptr_t)r->q);
}
static agn_distribution *made(const row *r, int dtype)
{
    agn_tensor *p = first_of(r, dtype), *q = second_of(r, dtype);
    agn_distribution *d = NULL;
    must(make(&d, r->law, p, q));
    agn_release(p);
    agn_release(q);
    return d;
}
typedef agn_status at_x(agn_tensor **out, const agn_distribution *d, const agn_tensor *x);
typedef agn_status of_parameters(agn_tensor **out, const agn_distribution *d);
static double taken(agn_status st, agn_tensor *y)
{
    if (st == AGN_EUNSUPPORTED)
        return NONE;
    must(st);
    double v = peek(y, 0);
    agn_release(y);
    return v;
}
static double value_at(at_x *f, const agn_distribution *d, int dtype, double at)
{
    agn_tensor *x = scalar_of(dtype, at), *y = NULL;
    agn_status st = f(&y, d, x);
    agn_release(x);
    return taken(st, y);
}
static double moment(of_parameters *f, const agn_distribution *d)
{
    agn_tensor *y = NULL;
    agn_status st = f(&y, d);
    return taken(st, y);
}

static void test_answers(void)
{
    static at_x *const f[] = {agn_distribution_log_prob, agn_distribution_cdf, agn_distribution_survival,
                              agn_distribution_log_cdf, agn_distribution_log_survival};
    static const char *const names[] = {"log_prob", "cdf", "survival", "log_cdf", "log_survival"};
    for (int i = 0; i < COUNT(points); i++) {
        const row *r = &points[i];
        /* probabilities that f32 has not */
        bool beyond = (is(r, "wrapped") && r->q[0] > 0.999) || (is(r, "poisson_b") && r->p[0] < 1e-9);
        agn_distribution *d = made(r, AGN_F64), *e = beyond ? NULL : made(r, AGN_F32);
        tally t = {0, 0};
        for (int j = 0; j < 5; j++) {
            double have = value_at(f[j], d, AGN_F64, r->x), want = r->want[j];
            double scale = fabs(want) + (j == 0);
            double off = have == want ? 0 : fabs(have - want) / scale;
            bool tiny = (j == 1 || j == 2) && fabs(want) < 1e-305 && fabs(have) < 1e-305;
            /* logarithms of probabilities below all numbers, where there is no formula for them */
            bool lost = j > 2 && isnan(have) && isfinite(want) && want < -708;
            check(&t, tiny || lost || off < 4e-13, "%s at %g: %.17g, not %.17g", names[j], r->x, have, want);
            if (beyond)
                continue;
            have = value_at(f[j], e, AGN_F32, r->x);
            check(&t, !isfinite(want) || isnan(have) || fabs(have - want) < 2e-4 * (scale + 1e-2),
                  "%s at %g in f32: %g, not %g", names[j], r->x, have, want);
        }
        tell(&t, "%s at %g", r->law, r->x);
        agn_distribution_release(d);
        agn_distribution_release(e);
    }
    static of_parameters *const g[] = {agn_distribution_mean, agn_distribution_variance,
                                       agn_distribution_mode, agn_distribution_entropy};
    for (int i = 0; i < COUNT(moments); i++) {
        const row *r = &moments[i];
        agn_distribution *d = made(r, AGN_F64);
        tally t = {0, 0};
        for (int j = 0; j < 4; j++) {
            double have = moment(g[j], d), want = r->want[j];
            bool close = fabs(have - want) <= 1e-12 * fabs(want) + 1e-300;
            check(&t, close, "moment %d: %.17g, not %.17g", j, have, want);
        }
        tell(&t, "%s, row %d: mean, variance, mode, entropy", r->law, i);
        agn_distribution_release(d);
    }
}

/* outside, NaN, sums, quantiles */
static void test_ends(void)
{
    for (int i = 0; i < COUNT(moments); i++) {
        const row *r = &moments[i];
        agn_distribution *d = made(r, AGN_F64);
        tally t = {0, 0};
        double inf = (double)INFINITY;
        static const double out[] = {-1e30, -3.5, -1};
        for (int k = 0; k < COUNT(out) - is(r, "wrapped"); k++) {
            check(&t, value_at(agn_distribution_log_prob, d, AGN_F64, out[k]) == -inf, "at %g", out[k]);
            check(&t, value_at(agn_distribution_cdf, d, AGN_F64, out[k]) == 0, "below %g", out[k]);
            check(&t, value_at(agn_distribution_survival, d, AGN_F64, out[k]) == 1, "beyond %g", out[k]);
        }
        check(&t, value_at(agn_distribution_cdf, d, AGN_F64, 1e30) == 1, "below 1e30");
        check(&t, isnan(value_at(agn_distribution_log_prob, d, AGN_F64, (double)NAN)), "density at NaN");
        check(&t, isnan(value_at(agn_distribution_cdf, d, AGN_F64, (double)NAN)), "cdf at NaN");
        check(&t, isnan(value_at(agn_distribution_survival, d, AGN_F64, (double)NAN)), "survival at NaN");
        if (is_discrete(r)) {
            double sum = 0;
            check(&t, value_at(agn_distribution_log_prob, d, AGN_F64, 0.5) == -inf, "between counts");
            for (int k = 0; k < 60; k++) {
                double p = value_at(agn_distribution_prob, d, AGN_F64, k);
                sum += p;
                double c = value_at(agn_distribution_cdf, d, AGN_F64, k);
                check(&t, fabs(c - sum) < 1e-14, "sum up to %d: %.17g, cdf %.17g", k, sum, c);
                check(&t, fabs(1 - c - value_at(agn_distribution_survival, d, AGN_F64, k)) < 1e-15, "shares at %d", k);
            }
            for (double p = 0x1p-20; p < 1; p = p < 0.5 ? 2 * p : (1 + p) / 2) {
                if (1 - p < 0x1p-20)
                    break;
                double k = value_at(agn_distribution_icdf, d, AGN_F64, p);
                check(&t, value_at(agn_distribution_cdf, d, AGN_F64, k) >= p &&
                              !(value_at(agn_distribution_cdf, d, AGN_F64, k - 1) >= p), "quantile %g: %g", p, k);
            }
        } else if (is(r, "wrapped"))
            for (double p = 0x1p-10; p < 1; p += 0x1p-4) {
                double x = value_at(agn_distribution_icdf, d, AGN_F64, p);
                double step = value_at(agn_distribution_prob, d, AGN_F64, x) * fabs(x) * 0x1p-50;
                double c = value_at(agn_distribution_cdf, d, AGN_F64, x);
                check(&t, fabs(c - p) < 1e-14 + step, "quantile %g: %g, %.17g", p, x, c);
            }
        else
            check(&t, value_at(agn_distribution_icdf, d, AGN_F64, 0.7) == NONE, "no quantile");
        tell(&t, "%s, row %d: ends, NaN, sums, quantiles", r->law, i);
        agn_distribution_release(d);
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static agn_tensor *key_of(int64_t a)
{
    agn_tensor *key;
    must(agn_from_host(&key, AGN_I64, 1, (int64_t[]){2}, (int64_t[]){a, 71}));
    return key;
}
static void test_samples(void)
{
    enum { N = 20000 };
    static double v[N];
    for (int i = 0; i < COUNT(moments); i++) {
        const row *r = &moments[i];
        agn_distribution *d = made(r, AGN_F64);
        agn_tensor *key = key_of(i), *x = NULL, *c = NULL, *path = untouched;
        must(agn_distribution_sample(&x, d, key, 1, (int64_t[]){N}));
        must(agn_distribution_cdf(&c, d, x));
        double mean = 0, atom = is(r, "hurdle_gamma") ? r->p[0] : 0, apart = 0, chi2 = 0, rest = 1;
        for (int k = 0; k < N; k++)
            mean += (v[k] = peek(x, k)) / N;
        double m = moment(agn_distribution_mean, d), s2 = moment(agn_distribution_variance, d);
        ok(is(r, "wrapped") || fabs(mean - m) <= 4.5 * sqrt(s2 / N) + 1e-11, "%s: mean of numbers %g, not %g", r->law, mean, m);
        if (is_discrete(r)) {
            int cells = 0, left = N;
            for (int k = 0; k < 60; k++) {
                double p = value_at(agn_distribution_prob, d, AGN_F64, k), seen = 0;
                for (int j = 0; j < N; j++)
                    seen += v[j] == k;
                if (p * N < 10)
                    continue;
                chi2 += (seen - p * N) * (seen - p * N) / (p * N);
                rest -= p, left -= (int)seen, cells++;
            }
            if (rest * N > 10)
                chi2 += (left - rest * N) * (left - rest * N) / (rest * N), cells++;
            double df = fmax(cells - 1, 1), z = cbrt(chi2 / df) - (1 - 2 / (9 * df));
            ok(z < 3.72 * sqrt(2 / (9 * df)), "%s: chi-squared %.1f of %d cells", r->law, chi2, cells);
        } else {
            int n = 0;
            for (int k = 0; k < N; k++)
                if (!atom || v[k] > 0)
                    v[n++] = (peek(c, k) - atom) / (1 - atom);
            ok(fabs(n - N * (1 - atom)) <= 4.5 * sqrt(N * atom * (1 - atom)), "%s: %d of %d above 0", r->law, n, N);
            qsort(v, (size_t)n, sizeof *v, ascending);
            for (int k = 0; k < n; k++)
                apart = fmax(apart, fmax(fabs(v[k] - (double)k / n), fabs(v[k] - (double)(k + 1) / n)));
            ok(apart * sqrt(n) < 2.2, "%s: Kolmogorov-Smirnov distance %.2f / sqrt(n)", r->law, apart * sqrt(n));
        }
        agn_status st = agn_distribution_rsample(&path, d, key, 1, (int64_t[]){N});
        if (is(r, "wrapped")) {
            ok(!st && same_values(path, x), "%s: rsample draws the same numbers", r->law);
            agn_release(path);
        } else
            ok(refused(st, AGN_EUNSUPPORTED, "distribution_rsample", "no path", NULL, path), "%s: no path", r->law);
        agn_release(key);
        agn_release(x);
        agn_release(c);
        agn_distribution_release(d);
    }
}

enum { LOG_PROB, CDF, LOG_SURVIVAL, RSAMPLE, MEAN, VARIANCE, ENTROPY, KL, KINDS };
typedef struct probe {
    const char *law;
    int kind;
    T key;
} probe;
static agn_status probe_body(void *user, agn_scope *s, T const *in, T *out)
{
    const probe *c = user;
    agn_distribution *own = NULL, *fixed = NULL;
    agn_status st = make(&own, c->law, in[1], in[2]);
    const agn_distribution *d = agn_distribution_adopt(s, st, &own);
    switch (c->kind) {
    case LOG_PROB: out[0] = ag_distribution_log_prob(s, d, in[0]); break;
    case CDF: out[0] = ag_distribution_cdf(s, d, in[0]); break;
    case LOG_SURVIVAL: out[0] = ag_distribution_log_survival(s, d, in[0]); break;
    case RSAMPLE: out[0] = ag_distribution_rsample(s, d, c->key, 1, (const int64_t[]){3}); break;
    case MEAN: out[0] = ag_distribution_mean(s, d); break;
    case VARIANCE: out[0] = ag_distribution_variance(s, d); break;
    case ENTROPY: out[0] = ag_distribution_entropy(s, d); break;
    default:
        st = agn_scope_status(s);
        st = st ? st : make(&fixed, c->law, ag_full(s, AGN_F64, 0, NULL, 1.3), ag_full(s, AGN_F64, 0, NULL, 0.4));
        out[0] = ag_distribution_kl(s, d, agn_distribution_adopt(s, st, &fixed));
    }
    return agn_scope_status(s);
}
static void test_derivatives(void)
{
    static const char *const kinds[] = {"log_prob", "cdf", "log_survival", "rsample", "mean", "variance", "entropy", "kl"};
    agn_tensor *key = key_of(9);
    for (int i = 0; i < COUNT(moments); i++) {
        const row *r = &moments[i];
        if (i && !strcmp(r->law, moments[i - 1].law)) /* the first row of each law is a mild one */
            continue;
        tally t = {0, 0};
        for (int kind = 0; kind < (is(r, "wrapped") ? KINDS : KL); kind++)
            for (int place = 0; place < 3; place++) { /* first class, inner class; above 0, last one */
                static const double at[] = {0, 1, 4}, between[] = {-1.2, 0.7, 2.1};
                probe c = {r->law, kind, key};
                bool counted = is_discrete(r);
                double x = counted ? at[place] : is(r, "hurdle") ? fabs(between[place]) : between[place];
                agn_tensor *in[] = {scalar_of(counted ? AGN_I64 : AGN_F64, x), first_of(r, AGN_F64),
                                    second_of(r, AGN_F64)}, *y = NULL;
                agn_fn *f;
                must(agn_fn_new(&f, probe_body, &c, NULL, 3, 1));
                agn_status st = agn_fn_call(&y, 1, f, (T const *)in, 3);
                if (!st)
                    agn_release(y);
                /* beyond the last class there is nothing */
                if (!st && !(kind == LOG_SURVIVAL && place == 2 && !is(r, "hurdle"))) {
                    agn_check_options o = {.size = sizeof o, .orders = 2, .tolerance = 2e-7, .step = 2e-3,
                                           .modes = AGN_CHECK_FORWARD | AGN_CHECK_REVERSE | AGN_CHECK_TAYLOR |
                                                    AGN_CHECK_PLAN | (kind == RSAMPLE ? 0u : AGN_CHECK_LANES)};
                    agn_check_result q = {.size = sizeof q};
                    st = agn_check_grads(&q, f, (T const *)in, 3, &o);
                    check(&t, !st, "%s at %g: %s", kinds[kind], x, agn_error_message());
                } else
                    check(&t, !st || st == AGN_EUNSUPPORTED, "%s: %s", kinds[kind], agn_error_message());
                agn_fn_release(f);
                for (int k = 0; k < 3; k++)
                    agn_release(in[k]);
            }
        tell(&t, "%s: two derivatives", r->law);
    }
    agn_release(key);
}

/* the trapezoidal rule over a turn */
static void test_divergence(void)
{
    agn_tensor *a = scalar_of(AGN_F64, 0.4), *b = scalar_of(AGN_F64, 0.6), *c = scalar_of(AGN_F64, -2.5);
    agn_distribution *p = NULL, *q = NULL;
    must(agn_distribution_wrapped_cauchy(&p, a, b, NULL));
    must(agn_distribution_wrapped_cauchy(&q, c, a, NULL));
    enum { N = 400 };
    double sum = 0, turn = 6.283185307179586;
    for (int k = 0; k < N; k++) {
        double x = turn * k / N - turn / 2, lp = value_at(agn_distribution_log_prob, p, AGN_F64, x);
        sum += turn / N * exp(lp) * (lp - value_at(agn_distribution_log_prob, q, AGN_F64, x));
    }
    agn_tensor *y = NULL;
    agn_status st = agn_distribution_kl(&y, p, q);
    double kl = taken(st, y);
    ok(fabs(kl - sum) < 1e-13, "divergence %.17g, by quadrature %.17g", kl, sum);
    st = agn_distribution_kl(&y, p, p);
    ok(taken(st, y) == 0, "none from itself");
    agn_distribution_release(p);
    agn_distribution_release(q);
    agn_release(a);
    agn_release(b);
    agn_release(c);
}

static void test_refused(void)
{
    agn_tensor *one = scalar_of(AGN_F64, 0.4), *two = scalar_of(AGN_F64, 2), *nan_ = scalar_of(AGN_F64, (double)NAN);
    agn_tensor *z = scalar_of(AGN_C128, 1), *cuts = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){-1, 0, 2});
    agn_tensor *fall = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){0, 1, 3, 2});
    agn_tensor *equal = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){1, 1});
    agn_tensor *nothing = of_reals(AGN_F64, 1, (int64_t[]){0}, NULL);
    agn_tensor *zz = of_reals(AGN_C128, 1, (int64_t[]){2}, (double[]){0, 1});
    agn_tensor *probs = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){0.5, 1});
    agn_tensor *many = random_of(AGN_F64, 1, (int64_t[]){5000}, 0.1, 0.9);
    agn_tensor *seven = random_of(AGN_F64, 1, (int64_t[]){7}, 0.1, 0.9), *pairs = random_of(AGN_F64, 1, (int64_t[]){2}, 0.1, 0.9);
    agn_distribution *d = NULL, *normal = NULL, *poisson = NULL, *skellam = NULL, *batch = NULL, *wide = NULL;
    agn_distribution_options odd = {.size = 3};
    must(agn_distribution_normal(&normal, one, two, NULL));
    must(agn_distribution_poisson(&poisson, two, NULL));
    must(agn_distribution_poisson(&wide, seven, NULL));
    must(agn_distribution_skellam(&skellam, two, two, NULL));
#define SAYS(call, code, op, a, b) ok(refused(call, code, op, a, b, untouched) && !d, #call)
#define CUT(f)                                                                                     \
    SAYS(agn_distribution_##f(NULL, one, cuts, NULL), AGN_ENULL, "distribution_" #f, "out", NULL);                 \
    SAYS(agn_distribution_##f(&d, NULL, cuts, NULL), AGN_ENULL, "distribution_" #f, "predictor", NULL);            \
    SAYS(agn_distribution_##f(&d, one, NULL, NULL), AGN_ENULL, "distribution_" #f, "cutpoints", NULL);             \
    SAYS(agn_distribution_##f(&d, z, cuts, NULL), AGN_EDTYPE, "distribution_" #f, "c128", NULL);                   \
    SAYS(agn_distribution_##f(&d, one, zz, NULL), AGN_EDTYPE, "distribution_" #f, "c128", NULL);                   \
    SAYS(agn_distribution_##f(&d, one, two, NULL), AGN_ESHAPE, "distribution_" #f, "cutpoints", NULL);             \
    SAYS(agn_distribution_##f(&d, one, nothing, NULL), AGN_ESHAPE, "distribution_" #f, "one cut point", NULL);     \
    SAYS(agn_distribution_##f(&d, seven, fall, NULL), AGN_ESHAPE, "distribution_" #f, "[7]", NULL);                \
    SAYS(agn_distribution_##f(&d, nan_, cuts, NULL), AGN_EDOMAIN, "distribution_" #f, "predictor", NULL);          \
    SAYS(agn_distribution_##f(&d, one, fall, NULL), AGN_EDOMAIN, "distribution_" #f, "3 before 2", "rise");        \
    SAYS(agn_distribution_##f(&d, one, equal, NULL), AGN_EDOMAIN, "distribution_" #f, "1 before 1", "rise");       \
    SAYS(agn_distribution_##f(&d, one, cuts, &odd), AGN_EARG, "distribution_" #f, "3 bytes", NULL)
    CUT(ordered_logistic);
    CUT(ordered_probit);
    SAYS(agn_distribution_poisson_binomial(NULL, pairs, NULL), AGN_ENULL, "distribution_poisson_binomial", "out", NULL);
    SAYS(agn_distribution_poisson_binomial(&d, NULL, NULL), AGN_ENULL, "distribution_poisson_binomial", "probs", NULL);
    SAYS(agn_distribution_poisson_binomial(&d, zz, NULL), AGN_EDTYPE, "distribution_poisson_binomial", "c128", NULL);
    SAYS(agn_distribution_poisson_binomial(&d, nothing, NULL), AGN_ESHAPE, "distribution_poisson_binomial", "1 to 4096", NULL);
    SAYS(agn_distribution_poisson_binomial(&d, many, NULL), AGN_ESHAPE, "distribution_poisson_binomial", "5000", "4096");
    SAYS(agn_distribution_poisson_binomial(&d, probs, NULL), AGN_EDOMAIN, "distribution_poisson_binomial", "probs[1]", NULL);
    SAYS(agn_distribution_poisson_binomial(&d, pairs, &odd), AGN_EARG, "distribution_poisson_binomial", "3 bytes", NULL);
    SAYS(agn_distribution_wrapped_cauchy(NULL, one, one, NULL), AGN_ENULL, "distribution_wrapped_cauchy", "out", NULL);
    SAYS(agn_distribution_wrapped_cauchy(&d, NULL, one, NULL), AGN_ENULL, "distribution_wrapped_cauchy", "loc", NULL);
    SAYS(agn_distribution_wrapped_cauchy(&d, one, NULL, NULL), AGN_ENULL, "distribution_wrapped_cauchy", "concentration", NULL);
    SAYS(agn_distribution_wrapped_cauchy(&d, z, one, NULL), AGN_EDTYPE, "distribution_wrapped_cauchy", "c128", NULL);
    SAYS(agn_distribution_wrapped_cauchy(&d, seven, pairs, NULL), AGN_ESHAPE, "distribution_wrapped_cauchy", "[7]", "[2]");
    SAYS(agn_distribution_wrapped_cauchy(&d, nan_, one, NULL), AGN_EDOMAIN, "distribution_wrapped_cauchy", "loc", NULL);
    SAYS(agn_distribution_wrapped_cauchy(&d, one, two, NULL), AGN_EDOMAIN, "distribution_wrapped_cauchy", "concentration", NULL);
    SAYS(agn_distribution_wrapped_cauchy(&d, one, one, &odd), AGN_EARG, "distribution_wrapped_cauchy", "3 bytes", NULL);
    SAYS(agn_distribution_hurdle(NULL, one, poisson, NULL), AGN_ENULL, "distribution_hurdle", "out", NULL);
    SAYS(agn_distribution_hurdle(&d, NULL, poisson, NULL), AGN_ENULL, "distribution_hurdle", "gate", NULL);
    SAYS(agn_distribution_hurdle(&d, one, NULL, NULL), AGN_ENULL, "distribution_hurdle", "base", NULL);
    SAYS(agn_distribution_hurdle(&d, two, poisson, NULL), AGN_EDOMAIN, "distribution_hurdle", "gate", "0 to 1");
    SAYS(agn_distribution_hurdle(&d, z, poisson, NULL), AGN_EDTYPE, "distribution_hurdle", "c128", NULL);
    SAYS(agn_distribution_hurdle(&d, pairs, wide, NULL), AGN_ESHAPE, "distribution_hurdle", "[2]", "[7]");
    SAYS(agn_distribution_hurdle(&d, one, normal, NULL), AGN_EUNSUPPORTED, "distribution_hurdle", "normal", NULL);
    SAYS(agn_distribution_hurdle(&d, one, skellam, NULL), AGN_EUNSUPPORTED, "distribution_hurdle", "skellam", NULL);
    SAYS(agn_distribution_hurdle(&d, one, poisson, &odd), AGN_EARG, "distribution_hurdle", "3 bytes", NULL);
    /* batches: [7] predictors, [2, 1] rows of three cut points; none at all */
    agn_tensor *rows = of_reals(AGN_F32, 3, (int64_t[]){2, 1, 3}, (double[]){-1, 0, 2, -3, 1, 1.5}), *x = NULL, *y = NULL, *key = key_of(3);
    must(agn_distribution_ordered_probit(&batch, seven, rows, NULL));
    must(agn_distribution_sample(&x, batch, key, 1, (int64_t[]){5}));
    must(agn_distribution_log_prob(&y, batch, x));
    ok(has_shape(x, 3, (int64_t[]){5, 2, 7}) && has_shape(y, 3, (int64_t[]){5, 2, 7}), "shapes of a batch");
    agn_release(y);
    must(agn_distribution_entropy(&y, batch));
    double seen = peek(y, 9);
    agn_tensor *own = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){-3, 1, 1.5}), *eta = scalar_of(AGN_F64, peek(seven, 2));
    must(agn_distribution_ordered_probit(&d, eta, own, NULL));
    ok(has_shape(y, 2, (int64_t[]){2, 7}) && fabs(moment(agn_distribution_entropy, d) - seen) < 1e-6, "entropies of a batch");
    agn_distribution_release(d);
    agn_distribution_release(batch);
    agn_release(x);
    agn_release(y);
    agn_tensor *empty = of_reals(AGN_F64, 1, (int64_t[]){0}, NULL);
    must(agn_distribution_ordered_logistic(&batch, empty, cuts, NULL));
    must(agn_distribution_sample(&x, batch, key, 1, (int64_t[]){5}));
    must(agn_distribution_log_prob(&y, batch, x));
    ok(has_shape(y, 2, (int64_t[]){5, 0}), "an empty batch");
    agn_distribution_release(batch);
    agn_tensor *const all[] = {one, two, nan_, z, cuts, fall, equal, nothing, zz, probs, many, seven, pairs, rows, x, y, key, own, eta, empty};
    for (int i = 0; i < COUNT(all); i++)
        agn_release(all[i]);
    agn_distribution_release(normal);
    agn_distribution_release(poisson);
    agn_distribution_release(wide);
    agn_distribution_release(skellam);
}

int main(void)
{
    test_answers();
    test_ends();
    test_samples();
    test_derivatives();
    test_divergence();
    test_refused();
    return done();
}
