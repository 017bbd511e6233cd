/* Distributions: published values, samples, derivatives in every mode, errors. */
#include "tests/laws.h"

#include "config.h"
#ifdef HAVE_GSL
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#endif

static agn_tensor *real(double v)
{
    return scalar_of(AGN_F64, v);
}
static agn_distribution *normal(double loc, double scale)
{
    agn_tensor *a = real(loc), *b = real(scale);
    agn_distribution *d = NULL;
    must(agn_distribution_normal(&d, a, b, NULL));
    agn_release(a);
    agn_release(b);
    return d;
}
static agn_tensor *key_of(uint64_t seed)
{
    agn_generator *g;
    agn_tensor *key;
    must(agn_generator_new(&g, seed));
    must(agn_key(&key, g));
    agn_generator_release(g);
    return key;
}
static double taken(agn_status st, agn_tensor *y)
{
    must(st);
    double v = peek(y, 0);
    agn_release(y);
    return v;
}
static double log_prob(const agn_distribution *d, double at)
{
    agn_tensor *x = real(at), *y = NULL;
    agn_status st = agn_distribution_log_prob(&y, d, x);
    agn_release(x);
    return taken(st, y);
}
static double cdf(const agn_distribution *d, double at)
{
    agn_tensor *x = real(at), *y = NULL;
    agn_status st = agn_distribution_cdf(&y, d, x);
    agn_release(x);
    return taken(st, y);
}
static double relative(double have, double want)
{
    return fabs(have - want) / fabs(want);
}

/* ---- values ------------------------------------------------------------------------- */

static void test_values(void)
{
    agn_distribution *d = normal(0, 1), *e = normal(2.385, 0.317);
    near(log_prob(d, 0), -0.91893853320467274178, 1e-16, "log density at 0");
    near(log_prob(d, 40), -800.91893853320467274, 1e-16, "at 40, where the density is 0");
    near(log_prob(d, 1e160), -(double)INFINITY, 0, "at 1e160");
    near(log_prob(d, 1e100), -5e199, 1e-15, "at 1e100");
    near(log_prob(d, (double)INFINITY), -(double)INFINITY, 0, "at inf");
    ok(isnan(log_prob(d, NAN)), "at NaN");
    /* Abramowitz & Stegun 1964, tables 26.1 and 26.2 */
    near(cdf(d, 1), 0.841344746068543, 1e-15, "probability up to 1");
    near(cdf(d, 1.96), 0.975002104851780, 1e-15, "up to 1.96");
    near(log10(cdf(d, -10)), -23.11805, 1e-6, "up to -10");
    near(log10(cdf(d, -37)), -299.24217, 5e-7, "up to -37");
    ok(cdf(d, (double)INFINITY) == 1 && cdf(d, -(double)INFINITY) == 0, "at the ends");
    agn_tensor *y = NULL;
    agn_status st = agn_distribution_entropy(&y, d);
    near(taken(st, y), 1.4189385332046727418, 1e-16, "entropy");
    st = agn_distribution_mean(&y, e);
    near(taken(st, y), 2.385, 0, "mean");
    st = agn_distribution_variance(&y, e);
    near(taken(st, y), 0.317 * 0.317, 1e-16, "variance");
    st = agn_distribution_kl(&y, e, d);
    near(taken(st, y), log(1 / 0.317) + (0.317 * 0.317 + 2.385 * 2.385) / 2 - 0.5, 1e-15,
         "divergence");
    st = agn_distribution_kl(&y, e, e);
    ok(taken(st, y) == 0, "of a law from itself");
    agn_distribution *close = normal(2.385, 0.317 * (1 + 0x1p-30)), *thin = normal(0, 1e-200);
    st = agn_distribution_kl(&y, close, e);
    ok(relative(taken(st, y), 0x1p-60) < 1e-6, "of one close by");
    st = agn_distribution_kl(&y, thin, d);
    near(taken(st, y), 200 * log(10) - 0.5, 1e-15, "of one very thin");
#ifdef HAVE_GSL
    double worst = 0;
    for (int i = 0; i < 2000; i++) {
        double x = rnd_in(-9, 14), z = (x - 2.385) / 0.317;
        if (fabs(z) < 36)
            worst = fmax(worst, relative(exp(log_prob(e, x)),
                                         gsl_ran_gaussian_pdf(x - 2.385, 0.317)) /
                                    (1 + z * z));
        if (z > -36)
            worst = fmax(worst, relative(cdf(e, x), gsl_cdf_gaussian_P(x - 2.385, 0.317)) /
                                    (1 + z * z));
    }
    ok(worst < 8 * 0x1p-52, "2000 densities and probabilities as GSL has them (%.1f eps)",
       worst * 0x1p52);
#else
    skip("no GSL");
#endif
    agn_distribution_release(d);
    agn_distribution_release(e);
    agn_distribution_release(close);
    agn_distribution_release(thin);
}

/* ---- shapes and dtypes ----------------------------------------------------------------- */

static void test_shapes(void)
{
    agn_tensor *loc = random_of(AGN_F32, 2, (int64_t[]){3, 1}, -1, 1),
               *scale = random_of(AGN_F32, 1, (int64_t[]){4}, 0.5, 2), *key = key_of(1), *x, *y;
    agn_distribution *d;
    for (int layout = 0; layout < N_LAYOUTS; layout++) {
        agn_tensor *a = laid_out(loc, layout);
        must(agn_distribution_normal(&d, a, scale, NULL));
        ok(agn_distribution_ndim(d) == 2 && agn_distribution_shape(d)[0] == 3 &&
               agn_distribution_shape(d)[1] == 4 && agn_distribution_dtype(d) == AGN_F32,
           "batch shape and dtype, loc %s", layout_names[layout]);
        must(agn_distribution_sample(&x, d, key, 2, (int64_t[]){5, 2}));
        ok(has_shape(x, 4, (int64_t[]){5, 2, 3, 4}) && agn_dtype_of(x) == AGN_F32, "of samples");
        must(agn_distribution_log_prob(&y, d, x));
        double worst = 0;
        for (int64_t i = 0; i < agn_numel(y); i++) {
            double m = peek(loc, i / 4 % 3), s = peek(scale, i % 4), z = (peek(x, i) - m) / s;
            worst = fmax(worst, fabs(peek(y, i) + z * z / 2 + log(s) + 0.9189385332046727));
        }
        ok(has_shape(y, 4, (int64_t[]){5, 2, 3, 4}) && worst < 1e-5, "of log densities");
        agn_release(x);
        agn_release(y);
        must(agn_distribution_mean(&x, d));
        must(agn_distribution_entropy(&y, d));
        ok(has_shape(x, 2, (int64_t[]){3, 4}) && has_shape(y, 2, (int64_t[]){3, 4}),
           "of mean and entropy");
        agn_release(x);
        agn_release(y);
        agn_distribution_release(d);
        agn_release(a);
    }
    agn_release(loc);
    agn_release(scale);
    loc = random_of(AGN_F64, 2, (int64_t[]){0, 3}, 0, 1);
    scale = real(1);
    must(agn_distribution_normal(&d, loc, scale, NULL));
    must(agn_distribution_rsample(&x, d, key, 1, (int64_t[]){2}));
    ok(has_shape(x, 3, (int64_t[]){2, 0, 3}), "an empty batch");
    agn_release(x);
    agn_distribution_release(d);
    agn_release(loc);
    agn_release(scale);
    must(agn_lit(&loc, 1));
    scale = scalar_of(AGN_F32, 2);
    must(agn_distribution_normal(&d, loc, scale, NULL));
    is_int(agn_distribution_dtype(d), AGN_F32, "a literal follows the other parameter");
    agn_distribution_release(d);
    agn_release(scale);
    scale = scalar_of(AGN_I32, 2);
    must(agn_distribution_normal(&d, scale, scale, NULL));
    is_int(agn_distribution_dtype(d), AGN_F64, "integers become f64");
    agn_distribution *again = agn_distribution_retain(d);
    agn_distribution_release(d);
    is_int(agn_distribution_ndim(again), 0, "a second reference");
    agn_distribution_release(again);
    agn_release(loc);
    agn_release(scale);
    agn_release(key);
}

/* ---- samples --------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void test_samples(void)
{
    enum { N = 100000 };
    static double v[N];
    static const int64_t n = N;
    agn_distribution *d = normal(2.385, 0.317);
    agn_tensor *key = key_of(42), *other = key_of(43), *x, *y, *z;
    must(agn_distribution_sample(&x, d, key, 1, &n));
    must(agn_distribution_rsample(&y, d, key, 1, &n));
    must(agn_distribution_sample(&z, d, other, 1, &n));
    ok(same_values(x, y), "sample and rsample draw the same numbers");
    ok(!same_values(x, z), "another key, other numbers");
    double mean = 0, square = 0, apart = 0;
    for (int i = 0; i < N; i++) {
        v[i] = peek(x, i);
        mean += v[i] / N;
        square += (v[i] - 2.385) * (v[i] - 2.385) / N;
    }
    qsort(v, N, sizeof *v, ascending);
    for (int i = 0; i < N; i++) {
        double p = cdf(d, v[i]);
        apart = fmax(apart, fmax(fabs(p - (double)i / N), fabs(p - (double)(i + 1) / N)));
    }
    /* 1.95: Kolmogorov's distribution at probability 0.999 */
    ok(apart * sqrt(N) < 1.95, "Kolmogorov-Smirnov distance %.2f / sqrt(n)", apart * sqrt(N));
    ok(fabs(mean - 2.385) < 4 * 0.317 / sqrt(N), "mean");
    ok(fabs(square / (0.317 * 0.317) - 1) < 4 * sqrt(2.0 / N), "variance");
    agn_release(x);
    agn_release(y);
    agn_release(z);
    agn_release(key);
    agn_release(other);
    agn_distribution_release(d);
}

/* ---- derivatives ---------------------------------------------------------------------------------- */

#define LOC 0.4
#define SCALE 1.7
#define AT 2.3
#define Z ((AT - LOC) / SCALE)

enum { IN_X, IN_LOC, IN_SCALE };
typedef struct curve {
    const char *name;
    int what, in;
    double at, d[4]; /* value and three derivatives */
} curve;
enum { LOG_PROB, CDF, RSAMPLE, ENTROPY, KL_P, KL_Q, VARIANCE };

static agn_tensor *shared_key;

static agn_status along(void *user, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    const curve *c = user;
    const agn_tensor *x = c->in == IN_X ? in[0] : ag_lit(s, AT),
                     *loc = c->in == IN_LOC ? in[0] : ag_full(s, AGN_F64, 0, NULL, LOC),
                     *scale = c->in == IN_SCALE ? in[0] : ag_full(s, AGN_F64, 0, NULL, SCALE);
    agn_distribution *made = NULL, *unit = NULL;
    agn_status st = agn_scope_status(s);
    st = st ? st : agn_distribution_normal(&made, loc, scale, NULL);
    const agn_distribution *d = agn_distribution_adopt(s, st, &made);
    const agn_tensor *zero = ag_full(s, AGN_F64, 0, NULL, 0), *one = ag_full(s, AGN_F64, 0, NULL, 1);
    st = agn_scope_status(s);
    st = st ? st : agn_distribution_normal(&unit, zero, one, NULL);
    const agn_distribution *u = agn_distribution_adopt(s, st, &unit);
    out[0] = c->what == LOG_PROB  ? ag_distribution_log_prob(s, d, x)
             : c->what == CDF     ? ag_distribution_cdf(s, d, x)
             : c->what == RSAMPLE ? ag_distribution_rsample(s, d, shared_key, 0, NULL)
             : c->what == ENTROPY ? ag_distribution_entropy(s, d)
             : c->what == KL_P    ? ag_distribution_kl(s, d, u)
             : c->what == KL_Q    ? ag_distribution_kl(s, u, d)
                                  : ag_distribution_variance(s, d);
    return agn_scope_status(s);
}

/* forward mode once: f'(x) */
static agn_status forward(void *user, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    const agn_tensor *arg[] = {in[0], ag_full(s, AGN_F64, 0, NULL, 1)}, *y[2] = {NULL, NULL};
    agn_fn_apply(s, y, 2, user, arg, 2);
    out[0] = y[1];
    return agn_scope_status(s);
}
static void drop_fn(void *f)
{
    agn_fn_release(f);
}

static void test_derivatives(void)
{
    double phi = exp(-Z * Z / 2) / sqrt(2 * acos(-1.0)) / SCALE, e;
    shared_key = key_of(7);
    agn_distribution *unit = normal(0, 1);
    agn_tensor *drawn;
    must(agn_distribution_rsample(&drawn, unit, shared_key, 0, NULL));
    e = peek(drawn, 0);
    agn_release(drawn);
    agn_distribution_release(unit);
    const double S = SCALE;
    const curve curves[] = {
        {"log_prob in x", LOG_PROB, IN_X, AT,
         {-Z * Z / 2 - log(S) - 0.9189385332046727, -Z / S, -1 / S / S, 0}},
        {"log_prob in loc", LOG_PROB, IN_LOC, LOC,
         {-Z * Z / 2 - log(S) - 0.9189385332046727, Z / S, -1 / S / S, 0}},
        {"log_prob in scale", LOG_PROB, IN_SCALE, S,
         {-Z * Z / 2 - log(S) - 0.9189385332046727, (Z * Z - 1) / S, (1 - 3 * Z * Z) / S / S,
          (12 * Z * Z - 2) / S / S / S}},
        {"cdf in x", CDF, IN_X, AT,
         {erfc(-Z / sqrt(2)) / 2, phi, -Z * phi / S, (Z * Z - 1) * phi / S / S}},
        {"cdf in loc", CDF, IN_LOC, LOC,
         {erfc(-Z / sqrt(2)) / 2, -phi, -Z * phi / S, -(Z * Z - 1) * phi / S / S}},
        {"rsample in loc", RSAMPLE, IN_LOC, LOC, {LOC + S * e, 1, 0, 0}},
        {"rsample in scale", RSAMPLE, IN_SCALE, S, {LOC + S * e, e, 0, 0}},
        {"entropy in scale", ENTROPY, IN_SCALE, S,
         {1.4189385332046727 + log(S), 1 / S, -1 / S / S, 2 / S / S / S}},
        {"variance in scale", VARIANCE, IN_SCALE, S, {S * S, 2 * S, 2, 0}},
        {"kl of p in loc", KL_P, IN_LOC, LOC,
         {-log(S) + (S * S + LOC * LOC) / 2 - 0.5, LOC, 1, 0}},
        {"kl of p in scale", KL_P, IN_SCALE, S,
         {-log(S) + (S * S + LOC * LOC) / 2 - 0.5, S - 1 / S, 1 + 1 / S / S, -2 / S / S / S}},
        {"kl of q in scale", KL_Q, IN_SCALE, S,
         {log(S) + (1 + LOC * LOC) / 2 / S / S - 0.5, 1 / S - (1 + LOC * LOC) / S / S / S,
          -1 / S / S + 3 * (1 + LOC * LOC) / S / S / S / S,
          2 / S / S / S - 12 * (1 + LOC * LOC) / S / S / S / S / S}},
    };
    for (int k = 0; k < COUNT(curves); k++) {
        const curve *c = &curves[k];
        agn_tensor *x = real(c->at), *one = real(1), *zero = real(0), *y[4];
        agn_tensor *lanes = of_reals(AGN_F64, 1, (int64_t[]){3},
                                     (double[]){c->at + 0.1, c->at, c->at - 0.1});
        agn_fn *f, *reverse, *fwd, *jet;
        must(agn_fn_new(&f, along, (void *)(uintptr_t)c, NULL, 1, 1));
        must(agn_fn_jet(&jet, f, 3));
        must(agn_fn_call(y, 4, jet, AGN_ARGS(x, one, zero, zero)));
        double factorial = 1;
        tally t = {0, 0};
        reverse = agn_fn_retain(f);
        fwd = agn_fn_retain(f);
        for (int n = 0; n < 4; n++) {
            double want = c->d[n], tol = 1e-13 * (1 + fabs(want));
            factorial *= n ? n : 1;
            check(&t, fabs(peek(y[n], 0) * factorial - want) < tol, "jet %d: %g, not %g", n,
                  peek(y[n], 0) * factorial, want);
            agn_release(y[n]);
            agn_tensor *r = NULL;
            must(agn_fn_call(&r, 1, reverse, (const agn_tensor *const *)&x, 1));
            check(&t, fabs(peek(r, 0) - want) < tol, "reverse %d: %g, not %g", n, peek(r, 0), want);
            agn_release(r);
            must(agn_fn_call(&r, 1, fwd, (const agn_tensor *const *)&x, 1));
            check(&t, fabs(peek(r, 0) - want) < tol, "forward %d: %g, not %g", n, peek(r, 0), want);
            agn_release(r);
            agn_fn *v, *fast, *next;
            if (c->what != RSAMPLE) { /* there lanes draw other numbers */
                must(agn_fn_vmap(&v, reverse, NULL, 0, NULL, 0));
                must(agn_fn_call(&r, 1, v, (const agn_tensor *const *)&lanes, 1));
                check(&t, fabs(peek(r, 1) - want) < tol, "vmap %d: %g, not %g", n, peek(r, 1),
                      want);
                agn_release(r);
                agn_fn_release(v);
            }
            must(agn_fn_compile(&fast, reverse, NULL));
            must(agn_fn_call(&r, 1, fast, (const agn_tensor *const *)&x, 1));
            check(&t, fabs(peek(r, 0) - want) < tol, "compiled %d: %g, not %g", n, peek(r, 0), want);
            agn_release(r);
            agn_fn_release(fast);
            must(agn_fn_grad(&next, reverse, NULL, 1));
            agn_fn_release(reverse);
            reverse = next;
            must(agn_fn_jvp(&v, fwd));
            agn_fn_release(fwd);
            must(agn_fn_new(&fwd, forward, v, drop_fn, 1, 1));
        }
        tell(&t, "%s: value and three derivatives, forward, reverse, jet, vmap, compiled", c->name);
        agn_fn_release(f);
        agn_fn_release(reverse);
        agn_fn_release(fwd);
        agn_fn_release(jet);
        agn_release(x);
        agn_release(one);
        agn_release(zero);
        agn_release(lanes);
    }
    agn_release(shared_key);
}

static agn_status two_samples(void *user, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    agn_distribution *made = NULL;
    agn_status st = agn_distribution_normal(&made, in[0], in[1], NULL);
    const agn_distribution *d = agn_distribution_adopt(s, st, &made);
    const agn_tensor *x = ag_distribution_sample(s, d, user, 0, NULL),
                     *y = ag_distribution_rsample(s, d, user, 0, NULL);
    out[0] = ag_add(s, ag_mul_c(s, x, 1000), y);
    return agn_scope_status(s);
}

static void test_sample_gradient(void)
{
    agn_tensor *key = key_of(5), *in[] = {real(1), real(2)}, *g[2], *lanes[2], *y;
    agn_fn *f, *df, *v;
    must(agn_fn_new(&f, two_samples, key, NULL, 2, 1));
    must(agn_fn_grad(&df, f, (const int32_t[]){0, 1}, 2));
    must(agn_fn_call(g, 2, df, (const agn_tensor *const *)in, 2));
    ok(peek(g[0], 0) == 1, "a sample carries no gradient, an rsample does");
    lanes[0] = of_reals(AGN_F64, 1, (int64_t[]){4}, (double[]){0, 0, 0, 0});
    lanes[1] = of_reals(AGN_F64, 1, (int64_t[]){4}, (double[]){1, 1, 1, 1});
    must(agn_fn_vmap(&v, f, NULL, 0, NULL, 0));
    must(agn_fn_call(&y, 1, v, (const agn_tensor *const *)lanes, 2));
    ok(has_shape(y, 1, (int64_t[]){4}), "samples in lanes");
    agn_release(y);
    for (int i = 0; i < 2; i++) {
        agn_release(in[i]);
        agn_release(g[i]);
        agn_release(lanes[i]);
    }
    agn_fn_release(f);
    agn_fn_release(df);
    agn_fn_release(v);
    agn_release(key);
}

/* ---- errors ---------------------------------------------------------------------------------------------- */

static agn_distribution *const nothing = (agn_distribution *)(uintptr_t)0xd15;

static void test_errors(void)
{
    agn_distribution *d = nothing, *good = normal(0, 1), *wide;
    agn_tensor *one = real(1), *out = untouched, *z = scalar_of(AGN_C128, 1),
               *three = random_of(AGN_F64, 1, (int64_t[]){3}, 1, 2),
               *four = random_of(AGN_F64, 1, (int64_t[]){4}, 1, 2),
               *half = scalar_of(AGN_F16, 1), *key = key_of(3);
#define NORMAL(st, want, a, b) \
    ok(refused(st, want, "distribution_normal", a, b, untouched) && d == nothing, #st)
    NORMAL(agn_distribution_normal(NULL, one, one, NULL), AGN_ENULL, "out", "NULL");
    NORMAL(agn_distribution_normal(&d, NULL, one, NULL), AGN_ENULL, "loc", "NULL");
    NORMAL(agn_distribution_normal(&d, one, NULL, NULL), AGN_ENULL, "scale", "NULL");
    NORMAL(agn_distribution_normal(&d, z, one, NULL), AGN_EDTYPE, "loc is c128", "f64");
    NORMAL(agn_distribution_normal(&d, one, half, NULL), AGN_EDTYPE, "scale is f16", "f64");
    NORMAL(agn_distribution_normal(&d, three, four, NULL), AGN_ESHAPE, "[3]", "[4]");
    agn_distribution_options opts = {.size = 1};
    NORMAL(agn_distribution_normal(&d, one, one, &opts), AGN_EARG, "1 bytes", "has");
    static const double bad[] = {0, -1, -0.0, (double)NAN, (double)INFINITY};
    static const char *const text[] = {"is 0", "is -1", "is -0", "nan", "inf"};
    opts = (agn_distribution_options){.size = sizeof opts, .unchecked = true};
    for (int i = 0; i < COUNT(bad); i++) {
        double v[6] = {1, 1, 1, 1, 1, 1};
        v[5] = bad[i];
        agn_tensor *scale = of_reals(AGN_F64, 2, (int64_t[]){2, 3}, v);
        NORMAL(agn_distribution_normal(&d, one, scale, NULL), AGN_EDOMAIN, "scale[1,2]", text[i]);
        must(agn_distribution_normal(&wide, one, scale, &opts));
        agn_distribution_release(wide);
        if (!isfinite(bad[i]))
            NORMAL(agn_distribution_normal(&d, scale, one, NULL), AGN_EDOMAIN, "loc[1,2]", text[i]);
        agn_release(scale);
    }
#define SAYS(st, want, op, a, b) ok(refused(st, want, op, a, b, out), #st)
    SAYS(agn_distribution_rsample(NULL, good, key, 0, NULL), AGN_ENULL, "distribution_rsample",
         "out", "NULL");
    SAYS(agn_distribution_rsample(&out, NULL, key, 0, NULL), AGN_ENULL, "distribution_rsample",
         "d is", "NULL");
    SAYS(agn_distribution_sample(&out, good, NULL, 0, NULL), AGN_ENULL, "distribution_sample", "key",
         "NULL");
    SAYS(agn_distribution_sample(&out, good, key, 2, NULL), AGN_ENULL, "distribution_sample", "shape",
         "2");
    SAYS(agn_distribution_sample(&out, good, key, -1, NULL), AGN_ESHAPE, "distribution_sample", "-1",
         "32");
    int64_t shape[40] = {-1};
    SAYS(agn_distribution_sample(&out, good, key, 33, shape), AGN_ESHAPE, "distribution_sample", "33",
         "32");
    SAYS(agn_distribution_sample(&out, good, key, 1, shape), AGN_ESHAPE, "normal", "-1", NULL);
    shape[0] = shape[1] = (int64_t)1 << 31;
    SAYS(agn_distribution_sample(&out, good, key, 2, shape), AGN_ENOMEM, "normal", NULL, NULL);
    SAYS(agn_distribution_sample(&out, good, one, 0, NULL), AGN_EDTYPE, "normal", "f64", "i64");
    agn_tensor *short_key = scalar_of(AGN_I64, 1);
    SAYS(agn_distribution_rsample(&out, good, short_key, 0, NULL), AGN_ESHAPE, "normal", "[]", "[2]");
    agn_release(short_key);
    SAYS(agn_distribution_log_prob(NULL, good, one), AGN_ENULL, "distribution_log_prob", "out", NULL);
    SAYS(agn_distribution_log_prob(&out, NULL, one), AGN_ENULL, "distribution_log_prob", "d", NULL);
    SAYS(agn_distribution_log_prob(&out, good, NULL), AGN_ENULL, "distribution_log_prob", "x", NULL);
    SAYS(agn_distribution_log_prob(&out, good, z), AGN_EDTYPE, "distribution_log_prob", "c128",
         "normal");
    SAYS(agn_distribution_cdf(NULL, good, one), AGN_ENULL, "distribution_cdf", "out", NULL);
    SAYS(agn_distribution_cdf(&out, NULL, one), AGN_ENULL, "distribution_cdf", "d", NULL);
    SAYS(agn_distribution_cdf(&out, good, NULL), AGN_ENULL, "distribution_cdf", "x", NULL);
    SAYS(agn_distribution_cdf(&out, good, z), AGN_EDTYPE, "distribution_cdf", "c128", NULL);
    SAYS(agn_distribution_mean(NULL, good), AGN_ENULL, "distribution_mean", "out", NULL);
    SAYS(agn_distribution_mean(&out, NULL), AGN_ENULL, "distribution_mean", "d", NULL);
    SAYS(agn_distribution_variance(NULL, good), AGN_ENULL, "distribution_variance", "out", NULL);
    SAYS(agn_distribution_variance(&out, NULL), AGN_ENULL, "distribution_variance", "d", NULL);
    SAYS(agn_distribution_entropy(NULL, good), AGN_ENULL, "distribution_entropy", "out", NULL);
    SAYS(agn_distribution_entropy(&out, NULL), AGN_ENULL, "distribution_entropy", "d", NULL);
    SAYS(agn_distribution_kl(NULL, good, good), AGN_ENULL, "distribution_kl", "out", NULL);
    SAYS(agn_distribution_kl(&out, NULL, good), AGN_ENULL, "distribution_kl", "p", NULL);
    SAYS(agn_distribution_kl(&out, good, NULL), AGN_ENULL, "distribution_kl", "q", NULL);
    must(agn_distribution_normal(&wide, three, one, NULL));
    SAYS(agn_distribution_log_prob(&out, wide, four), AGN_ESHAPE, "distribution_log_prob", "[4]",
         "[3]");
    SAYS(agn_distribution_cdf(&out, wide, four), AGN_ESHAPE, "distribution_cdf", "[4]", "[3]");
    agn_distribution *other;
    must(agn_distribution_normal(&other, four, one, NULL));
    SAYS(agn_distribution_kl(&out, wide, other), AGN_ESHAPE, "distribution_kl", "[3]", "[4]");
    ok(agn_distribution_ndim(NULL) == -1 && !agn_distribution_shape(NULL) &&
           agn_distribution_dtype(NULL) == -1 && !agn_distribution_retain(NULL),
       "accessors take NULL");
    agn_distribution_release(NULL);

    agn_scope *s = agn_scope_open(NULL);
    ok(!agn_distribution_adopt(s, AGN_OK, &(agn_distribution *){NULL}), "NULL is not adopted");
    ok(refused(agn_scope_close(s), AGN_ENULL, "distribution_adopt", "d", "NULL", out), "and reported");
    s = agn_scope_open(NULL);
    ok(!agn_distribution_adopt(s, agn_distribution_normal(&d, NULL, one, NULL),
                               &(agn_distribution *){NULL}),
       "a failure makes the scope fail");
    ok(!agn_distribution_adopt(s, AGN_OK, &(agn_distribution *){agn_distribution_retain(good)}),
       "a failed scope adopts nothing");
    is_int(agn_scope_close(s), AGN_ENULL, "the first failure");
    agn_distribution_release(good);
    agn_distribution_release(wide);
    agn_distribution_release(other);
    agn_release(one);
    agn_release(z);
    agn_release(three);
    agn_release(four);
    agn_release(half);
    agn_release(key);
}

/* every allocation fails once */
static void test_memory(void)
{
    agn_tensor *loc = random_of(AGN_F64, 1, (int64_t[]){3}, 0, 1), *scale = scalar_of(AGN_F32, 2),
               *key = key_of(9);
    int64_t before, after, count = 0;
    tally t = {0, 0};
    agn_memory_live(NULL, &before, NULL);
    agn_distribution *d = nothing;
    for (int call = 0; call < 9; call++) {
        agn_tensor *y = untouched;
        for (int n = 0;; n++) {
            agn_memory_fail_after(n);
            agn_status st = call == 0   ? agn_distribution_normal(&d, loc, scale, NULL)
                            : call == 1 ? agn_distribution_sample(&y, d, key, 0, NULL)
                            : call == 2 ? agn_distribution_rsample(&y, d, key, 0, NULL)
                            : call == 3 ? agn_distribution_log_prob(&y, d, scale)
                            : call == 4 ? agn_distribution_cdf(&y, d, scale)
                            : call == 5 ? agn_distribution_mean(&y, d)
                            : call == 6 ? agn_distribution_variance(&y, d)
                            : call == 7 ? agn_distribution_entropy(&y, d)
                                        : agn_distribution_kl(&y, d, d);
            agn_memory_fail_after(-1);
            if (!st)
                break;
            count++;
            check(&t, st == AGN_ENOMEM && y == untouched && (call || d == nothing),
                  "call %d, allocation %d", call, n);
        }
        if (call)
            agn_release(y);
    }
    agn_distribution_release(d);
    agn_memory_live(NULL, &after, NULL);
    tell(&t, "%d allocations failed in turn", (int)count);
    is_int(after, before, "nothing is lost");
    agn_release(loc);
    agn_release(scale);
    agn_release(key);
}

int main(void)
{
    test_values();
    test_shapes();
    test_samples();
    test_derivatives();
    test_sample_gradient();
    test_errors();
    test_memory();
    return done();
}
