/* Laws of vectors: densities against recorded numbers and other formulas, samples by their moments, derivatives in
   every mode, divergences, shapes, what is refused. */
#include "tests/laws.h"

typedef const agn_tensor *T;
static agn_tensor *vector(int n, const double *v)
{
    return of_reals(AGN_F64, 1, (int64_t[]){n}, v);
}
static agn_tensor *matrix(int n, const double *v)
{
    return of_reals(AGN_F64, 2, (int64_t[]){n, n}, v);
}
static double taken(agn_status st, agn_tensor *y)
{
    must(st);
    double v = peek(y, 0);
    agn_release(y);
    return v;
}
static double log_prob(const agn_distribution *d, agn_tensor *x)
{
    agn_tensor *y = NULL;
    agn_status st = agn_distribution_log_prob(&y, d, x);
    agn_release(x);
    return taken(st, y);
}
static agn_tensor *key_of(int64_t n)
{
    return of_reals(AGN_I64, 1, (int64_t[]){2}, (double[]){(double)n, 11});
}
static const double conc[] = {2.3, 0.7, 4.1}, loc[] = {0.3, -1.2, 2.0};
static const double tril[] = {1.3, 0, 0, -0.4, 0.9, 0, 0.8, 0.25, 1.7}, logits[] = {0.4, -1.1, 2.0, 0.3};

static agn_distribution *dirichlet(void)
{
    agn_distribution *d;
    agn_tensor *a = vector(3, conc);
    must(agn_distribution_dirichlet(&d, a, NULL));
    agn_release(a);
    return d;
}
static agn_distribution *gauss(void)
{
    agn_distribution *d;
    agn_tensor *a = vector(3, loc), *b = matrix(3, tril);
    must(agn_distribution_multivariate_normal(&d, a, b, NULL));
    agn_release(a);
    agn_release(b);
    return d;
}
static agn_distribution *classes(void)
{
    agn_distribution *d;
    agn_tensor *a = vector(4, logits);
    must(agn_distribution_categorical(&d, a, NULL));
    agn_release(a);
    return d;
}

static void test_densities(void)
{
    agn_distribution *d = dirichlet(), *g = gauss(), *c = classes();
    agn_tensor *y = NULL;
    agn_status st;
    double x[] = {0.31, 0.09, 0.6};
    double unit = lgamma(2.3) + lgamma(0.7) + lgamma(4.1) - lgamma(7.1);
    near(log_prob(d, vector(3, x)), 1.3 * log(0.31) - 0.3 * log(0.09) + 3.1 * log(0.6) - unit, 1e-14, "Dirichlet density");
    near(log_prob(d, vector(3, (double[]){0.31, 0.09, 0.61})), -(double)INFINITY, 0, "off the simplex");
    near(log_prob(d, vector(3, (double[]){0.5, -0.1, 0.6})), -(double)INFINITY, 0, "below 0");
    ok(isnan(log_prob(d, vector(3, (double[]){0.5, (double)NAN, 0.6}))), "NaN");
    /* L z = x - loc by substitution */
    double r[] = {0.9 - 0.3, 0.1 + 1.2, -0.7 - 2.0}, z0 = r[0] / 1.3, z1 = (r[1] + 0.4 * z0) / 0.9,
           z2 = (r[2] - 0.8 * z0 - 0.25 * z1) / 1.7;
    double want = -0.5 * (z0 * z0 + z1 * z1 + z2 * z2) - log(1.3 * 0.9 * 1.7) - 3 * 0.91893853320467274178;
    near(log_prob(g, vector(3, (double[]){0.9, 0.1, -0.7})), want, 1e-14, "normal density");
    st = agn_distribution_entropy(&y, g);
    near(taken(st, y), log(1.3 * 0.9 * 1.7) + 3 * (0.5 + 0.91893853320467274178), 1e-14, "normal entropy");
    double sum = 0, h = 0, cdf = 0;
    for (int i = 0; i < 4; i++)
        sum += exp(logits[i]);
    for (int i = 0; i < 4; i++) {
        double p = exp(logits[i]) / sum;
        agn_tensor *k = scalar_of(AGN_I64, i);
        near(log_prob(c, agn_retain(k)), log(p), 1e-14, "probability of class %d", i);
        cdf += p;
        st = agn_distribution_cdf(&y, c, k);
        near(taken(st, y), cdf, 1e-15, "up to class %d", i);
        st = agn_distribution_survival(&y, c, k);
        near(taken(st, y), 1 - cdf, 1e-15, "beyond class %d", i);
        agn_release(k);
        h -= p * log(p);
    }
    st = agn_distribution_entropy(&y, c);
    near(taken(st, y), h, 1e-14, "entropy of classes");
    near(log_prob(c, scalar_of(AGN_F64, 4)), -(double)INFINITY, 0, "no class 4");
    near(log_prob(c, scalar_of(AGN_F64, -1)), -(double)INFINITY, 0, "no class -1");
    near(log_prob(c, scalar_of(AGN_F64, 0.5)), -(double)INFINITY, 0, "no class 0.5");
    ok(isnan(log_prob(c, scalar_of(AGN_F64, (double)NAN))), "class NaN");
    ok(agn_distribution_event_ndim(d) == 1 && agn_distribution_event_shape(d)[0] == 3 && agn_distribution_ndim(d) == 0 &&
           agn_distribution_support(d) == AGN_SUPPORT_SIMPLEX && agn_distribution_support(g) == AGN_SUPPORT_VECTOR &&
           agn_distribution_event_ndim(c) == 0 && agn_distribution_support(c) == AGN_SUPPORT_COUNTS_TO,
       "events and supports");
    st = agn_distribution_mode(&y, c);
    near(taken(st, y), 2, 0, "mode of classes");
    agn_distribution_release(d);
    agn_distribution_release(g);
    agn_distribution_release(c);
}

static void test_samples(void)
{
    enum { N = 40000 };
    const int64_t n = N;
    agn_distribution *all[] = {dirichlet(), gauss()}, *c = classes();
    agn_tensor *key = key_of(4), *x, *y, *m, *v, *h;
    for (int k = 0; k < 2; k++) {
        must(agn_distribution_sample(&x, all[k], key, 1, &n));
        must(agn_distribution_rsample(&y, all[k], key, 1, &n));
        must(agn_distribution_mean(&m, all[k]));
        must(agn_distribution_variance(&v, all[k]));
        ok(has_shape(x, 2, (int64_t[]){N, 3}) && same_values(x, y) && has_shape(m, 1, (int64_t[]){3}), "shapes");
        for (int i = 0; i < 3; i++) {
            double mean = 0, square = 0;
            for (int j = 0; j < N; j++)
                mean += peek(x, 3 * j + i) / N;
            for (int j = 0; j < N; j++)
                square += pow(peek(x, 3 * j + i) - mean, 2) / N;
            ok(fabs(mean - peek(m, i)) < 4.5 * sqrt(peek(v, i) / N), "mean %d: %g, not %g", i, mean, peek(m, i));
            ok(fabs(square / peek(v, i) - 1) < 0.06, "variance %d: %g, not %g", i, square, peek(v, i));
        }
        agn_release(y);
        must(agn_distribution_log_prob(&y, all[k], x));
        must(agn_distribution_entropy(&h, all[k]));
        double mean = 0;
        for (int j = 0; j < N; j++)
            mean -= peek(y, j) / N;
        ok(fabs(mean - peek(h, 0)) < 0.03, "entropy: %g of the sample, %g", mean, peek(h, 0));
        agn_release(x);
        agn_release(y);
        agn_release(m);
        agn_release(v);
        agn_release(h);
    }
    must(agn_distribution_sample(&x, all[1], key, 1, &n));
    double cov = 0;
    for (int j = 0; j < N; j++)
        cov += (peek(x, 3 * j) - loc[0]) * (peek(x, 3 * j + 1) - loc[1]) / N;
    ok(fabs(cov + 0.52) < 0.04, "covariance %g, not -0.52", cov);
    agn_release(x);
    must(agn_distribution_sample(&x, c, key, 1, &n));
    double count[4] = {0}, chi2 = 0, sum = 0;
    for (int j = 0; j < N; j++)
        count[(int)peek(x, j)]++;
    for (int i = 0; i < 4; i++)
        sum += exp(logits[i]);
    for (int i = 0; i < 4; i++)
        chi2 += pow(count[i] - N * exp(logits[i]) / sum, 2) / (N * exp(logits[i]) / sum);
    ok(chi2 < 21.1, "chi-squared %.1f of 4 classes", chi2); /* probability 1e-4 */
    agn_release(x);
    x = untouched;
    ok(refused(agn_distribution_rsample(&x, c, key, 0, NULL), AGN_EUNSUPPORTED, "distribution_rsample", "categorical", "no path", x),
       "classes have no path");
    agn_release(key);
    agn_distribution_release(all[0]);
    agn_distribution_release(all[1]);
    agn_distribution_release(c);
}

enum { DIRICHLET, GAUSS, CLASSES };
typedef struct probe {
    int law;
    bool kl;
} probe;
static agn_status make_of(agn_distribution **out, int law, T const *in)
{
    return law == DIRICHLET ? agn_distribution_dirichlet(out, in[0], NULL)
           : law == GAUSS   ? agn_distribution_multivariate_normal(out, in[0], in[1], NULL)
                            : agn_distribution_categorical(out, in[0], NULL);
}
static agn_status probe_body(void *user, agn_scope *s, T const *in, T *out)
{
    const probe *p = user;
    agn_distribution *a = NULL, *b = NULL;
    agn_status st = make_of(&a, p->law, in + 1);
    const agn_distribution *d = agn_distribution_adopt(s, st, &a);
    if (!p->kl) {
        out[0] = ag_distribution_log_prob(s, d, in[0]);
        return agn_scope_status(s);
    }
    st = agn_scope_status(s);
    T shifted[] = {ag_add_c(s, in[1], 0.2), ag_mul_c(s, in[2], 1.2)};
    st = st ? st : make_of(&b, p->law, shifted);
    const agn_distribution *q = agn_distribution_adopt(s, st, &b);
    out[0] = ag_add(s, ag_distribution_kl(s, d, q), ag_distribution_entropy(s, d));
    return agn_scope_status(s);
}
static void test_derivatives(void)
{
    for (int law = 0; law < 3; law++)
        for (int kl = 0; kl < 2; kl++) {
            probe p = {law, kl};
            agn_tensor *in[3] = {law == CLASSES ? scalar_of(AGN_I64, 2) : vector(3, (double[]){0.31, 0.09, 0.6}),
                                 law == DIRICHLET ? vector(3, conc) : law == GAUSS ? vector(3, loc) : vector(4, logits),
                                 matrix(3, tril)};
            agn_fn *f;
            must(agn_fn_new(&f, probe_body, &p, NULL, 3, 1));
            agn_check_options o = {.size = sizeof o, .orders = 2, .tolerance = 3e-7};
            if (law == DIRICHLET && !kl) { /* differences leave the simplex */
                agn_release(in[0]);
                in[0] = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){0.31, 0.09, 0.6});
                o.modes = AGN_CHECK_TAYLOR | AGN_CHECK_PLAN;
            }
            ok(!agn_check_grads(NULL, f, (T const *)in, 3, &o), "law %d, %s: %s", law, kl ? "divergence" : "density",
               agn_error_message());
            agn_fn_release(f);
            for (int i = 0; i < 3; i++)
                agn_release(in[i]);
        }
}

/* divergences against the mean of log p - log q over a sample */
static void test_kl(void)
{
    agn_tensor *key = key_of(9), *two[3] = {vector(3, (double[]){1.9, 1.1, 3.0}), vector(3, (double[]){0.1, -1, 2.2}),
                                            vector(4, (double[]){0, 0.2, 1, -0.5})},
               *l = matrix(3, (double[]){1.5, 9, 9, 0.2, 1.1, 9, 0.3, 0, 1.4});
    agn_distribution *p[] = {dirichlet(), gauss(), classes()}, *q[3];
    must(agn_distribution_dirichlet(&q[0], two[0], NULL));
    must(agn_distribution_multivariate_normal(&q[1], two[1], l, NULL));
    must(agn_distribution_categorical(&q[2], two[2], NULL));
    for (int i = 0; i < 3; i++) {
        agn_tensor *a, *b, *same;
        must(agn_distribution_kl(&a, p[i], q[i]));
        must(agn_distribution_kl(&same, p[i], p[i]));
        must(agn_distribution_kl_monte_carlo(&b, p[i], q[i], key, 40000));
        ok(peek(a, 0) > 0 && fabs(peek(a, 0) - peek(b, 0)) < 0.03 * (1 + peek(a, 0)) && fabs(peek(same, 0)) < 1e-14,
           "%s: divergence %g, Monte Carlo %g", agn_distribution_name(p[i]), peek(a, 0), peek(b, 0));
        agn_release(a);
        agn_release(b);
        agn_release(same);
        agn_release(two[i]);
        agn_distribution_release(p[i]);
        agn_distribution_release(q[i]);
    }
    agn_release(l);
    agn_release(key);
}

static void test_refused(void)
{
    agn_distribution *const nothing = (agn_distribution *)(uintptr_t)0xd15, *d = nothing, *g = gauss(), *wide;
    agn_tensor *three = vector(3, conc), *four = vector(4, logits), *one = scalar_of(AGN_F64, 1), *y = untouched,
               *l = matrix(3, tril), *bad = vector(3, (double[]){1, -1, 2}), *nan = vector(3, (double[]){1, 2, (double)NAN}),
               *z = scalar_of(AGN_C128, 1);
#define SAYS(st, want, op, a, b) ok(refused(st, want, op, a, b, y) && d == nothing, #st)
    SAYS(agn_distribution_dirichlet(NULL, three, NULL), AGN_ENULL, "distribution_dirichlet", "out", "NULL");
    SAYS(agn_distribution_dirichlet(&d, NULL, NULL), AGN_ENULL, "distribution_dirichlet", "concentration", "NULL");
    SAYS(agn_distribution_dirichlet(&d, one, NULL), AGN_ESHAPE, "distribution_dirichlet", "concentration is []", "1 axes");
    SAYS(agn_distribution_dirichlet(&d, bad, NULL), AGN_EDOMAIN, "distribution_dirichlet", "concentration[1] is -1", "positive");
    SAYS(agn_distribution_dirichlet(&d, z, NULL), AGN_EDTYPE, "distribution_dirichlet", "c128", NULL);
    SAYS(agn_distribution_multivariate_normal(NULL, three, l, NULL), AGN_ENULL, "distribution_multivariate_normal", "out", NULL);
    SAYS(agn_distribution_multivariate_normal(&d, three, NULL, NULL), AGN_ENULL, "distribution_multivariate_normal", "scale_tril", NULL);
    SAYS(agn_distribution_multivariate_normal(&d, four, l, NULL), AGN_ESHAPE, "distribution_multivariate_normal", "[4]", "[3,3]");
    SAYS(agn_distribution_multivariate_normal(&d, three, three, NULL), AGN_ESHAPE, "distribution_multivariate_normal", "scale_tril is [3]", "2 axes");
    SAYS(agn_distribution_multivariate_normal(&d, nan, l, NULL), AGN_EDOMAIN, "distribution_multivariate_normal", "loc[2]", "nan");
    SAYS(agn_distribution_categorical(NULL, four, NULL), AGN_ENULL, "distribution_categorical", "out", NULL);
    SAYS(agn_distribution_categorical(&d, nan, NULL), AGN_EDOMAIN, "distribution_categorical", "logits[2]", "nan");
    SAYS(agn_distribution_categorical(&d, one, NULL), AGN_ESHAPE, "distribution_categorical", "logits is []", NULL);
    SAYS(agn_distribution_log_prob(&y, g, four), AGN_ESHAPE, "distribution_log_prob", "x [4]", "[3]");
    SAYS(agn_distribution_log_prob(&y, g, one), AGN_ESHAPE, "distribution_log_prob", "x []", "[3]");
    SAYS(agn_distribution_cdf(&y, g, three), AGN_EUNSUPPORTED, "distribution_cdf", "multivariate_normal", NULL);
    agn_tensor *turned = matrix(3, (double[]){1, 0, 0, 0, -1, 0, 0, 0, 1});
    must(agn_distribution_multivariate_normal(&wide, three, turned, NULL));
    ok(isnan(log_prob(wide, vector(3, loc))), "a negative number on the diagonal");
    agn_distribution_release(wide);
    agn_release(turned);
    agn_tensor *batch = random_of(AGN_F32, 3, (int64_t[]){2, 5, 3}, 0.5, 2), *key = key_of(1), *x, *lp;
    must(agn_distribution_dirichlet(&wide, batch, NULL));
    must(agn_distribution_sample(&x, wide, key, 1, (int64_t[]){4}));
    must(agn_distribution_log_prob(&lp, wide, x));
    ok(agn_distribution_ndim(wide) == 2 && has_shape(x, 4, (int64_t[]){4, 2, 5, 3}) && agn_dtype_of(x) == AGN_F32 &&
           has_shape(lp, 3, (int64_t[]){4, 2, 5}) && isfinite(peek(lp, 7)), "a batch of f32");
    agn_release(x);
    agn_release(lp);
    agn_distribution_release(wide);
    agn_release(batch);
    agn_release(key);
    agn_release(three);
    agn_release(four);
    agn_release(one);
    agn_release(l);
    agn_release(bad);
    agn_release(nan);
    agn_release(z);
    agn_distribution_release(g);
}

/* ---- laws made of laws ------------------------------------------------------------------- */

static agn_status wrapped_body(void *user, agn_scope *s, T const *in, T *out)
{
    agn_distribution *a = NULL, *b = NULL;
    agn_transform *e = NULL;
    agn_status st = agn_distribution_normal(&a, in[1], in[2], NULL);
    const agn_distribution *normal = agn_distribution_adopt(s, st, &a);
    st = agn_scope_status(s);
    st = st ? st : agn_transform_exp(&e);
    const agn_transform *map = agn_transform_adopt(s, st, &e);
    st = agn_scope_status(s);
    st = st ? st : agn_distribution_transformed(&b, normal, map);
    const agn_distribution *image = agn_distribution_adopt(s, st, &b);
    out[0] = user ? ag_distribution_rsample(s, image, user, 1, (const int64_t[]){3}) : ag_distribution_log_prob(s, image, in[0]);
    return agn_scope_status(s);
}
static void test_wrappers(void)
{
    agn_tensor *l = random_of(AGN_F64, 2, (int64_t[]){2, 3}, -1, 1), *one = scalar_of(AGN_F64, 0.7), *y = NULL, *z = NULL, *x,
               *key = key_of(2), *half = scalar_of(AGN_F64, 0.4);
    agn_distribution *n, *w, *v, *coins, *made = NULL, *const nothing = NULL;
    agn_transform *e, *stick, *up;
    must(agn_distribution_normal(&n, l, one, NULL));
    must(agn_distribution_bernoulli(&coins, half, NULL));
    must(agn_transform_exp(&e));
    must(agn_transform_abs(&up));
    must(agn_transform_stick_breaking(&stick));
    must(agn_distribution_independent(&w, n, 1));
    must(agn_distribution_sample(&x, w, key, 1, (int64_t[]){4}));
    must(agn_distribution_log_prob(&y, w, x));
    must(agn_distribution_log_prob(&z, n, x));
    double gap = 0;
    for (int i = 0; i < 8; i++)
        gap = fmax(gap, fabs(peek(y, i) - peek(z, 3 * i) - peek(z, 3 * i + 1) - peek(z, 3 * i + 2)));
    ok(gap < 1e-14 && has_shape(x, 3, (int64_t[]){4, 2, 3}) && has_shape(y, 2, (int64_t[]){4, 2}) &&
           agn_distribution_ndim(w) == 1 && agn_distribution_event_shape(w)[0] == 3, "independent axes");
    agn_release(y);
    agn_release(z);
    must(agn_distribution_entropy(&y, w));
    must(agn_distribution_mean(&z, w));
    ok(fabs(peek(y, 1) - 3 * (1.4189385332046727 + log(0.7))) < 1e-14 && same_values(z, l), "their entropy and mean");
    agn_release(x);
    agn_release(y);
    agn_release(z);
    agn_distribution_release(w);
    /* the image of a normal law under exp is log-normal */
    must(agn_distribution_transformed(&w, n, e));
    must(agn_distribution_log_normal(&v, l, one, NULL));
    must(agn_distribution_rsample(&x, w, key, 1, (int64_t[]){5}));
    must(agn_distribution_log_prob(&y, w, x));
    must(agn_distribution_log_prob(&z, v, x));
    for (int i = 0; i < 30; i++)
        gap = fmax(gap, fabs(peek(y, i) - peek(z, i)));
    ok(gap < 1e-13 && has_shape(y, 3, (int64_t[]){5, 2, 3}), "the exponential of a normal law: off by %g", gap);
    near(log_prob(w, vector(3, (double[]){-1, -2, -3})), -(double)INFINITY, 0, "what is no image");
    ok(isnan(log_prob(w, vector(3, (double[]){(double)NAN, 1, 1}))), "NaN");
    agn_release(x);
    agn_release(y);
    agn_release(z);
    agn_distribution_release(v);
    agn_distribution_release(w);
    /* a map of vectors makes events of the last axis; the density of a logistic normal, by hand */
    must(agn_distribution_transformed(&w, n, stick));
    must(agn_distribution_sample(&x, w, key, 0, NULL));
    must(agn_distribution_log_prob(&y, w, x));
    agn_tensor *q, *p, *d;
    must(agn_transform_inverse(&q, stick, x));
    must(agn_distribution_log_prob(&p, n, q));
    must(agn_transform_log_det_jacobian(&d, stick, q));
    ok(has_shape(x, 2, (int64_t[]){2, 4}) && has_shape(y, 1, (int64_t[]){2}) &&
           fabs(peek(y, 1) - (peek(p, 3) + peek(p, 4) + peek(p, 5) - peek(d, 1))) < 1e-13, "a law of a simplex");
    agn_release(q);
    agn_release(p);
    agn_release(d);
    agn_release(x);
    agn_release(y);
    for (int path = 0; path < 2; path++) {
        agn_tensor *in[] = {scalar_of(AGN_F64, 1.4), scalar_of(AGN_F64, 0.3), scalar_of(AGN_F64, 0.8)};
        agn_fn *f;
        must(agn_fn_new(&f, wrapped_body, path ? key : NULL, NULL, 3, 1));
        agn_check_options o = {.size = sizeof o, .orders = 2,
                               .modes = path ? AGN_CHECK_FORWARD | AGN_CHECK_REVERSE | AGN_CHECK_TAYLOR | AGN_CHECK_PLAN : 0u};
        ok(!agn_check_grads(NULL, f, (T const *)in, 3, &o), "derivatives of an image: %s", agn_error_message());
        agn_fn_release(f);
        for (int i = 0; i < 3; i++)
            agn_release(in[i]);
    }
    y = untouched;
#define WRAPS(st, want, op, a, b) ok(refused(st, want, op, a, b, y) && made == nothing, #st)
    WRAPS(agn_distribution_independent(NULL, n, 1), AGN_ENULL, "distribution_independent", "out", "NULL");
    WRAPS(agn_distribution_independent(&made, NULL, 1), AGN_ENULL, "distribution_independent", "base", "NULL");
    WRAPS(agn_distribution_independent(&made, n, 3), AGN_EARG, "distribution_independent", "rank is 3", "0 to 2");
    WRAPS(agn_distribution_independent(&made, n, -1), AGN_EARG, "distribution_independent", "rank is -1", NULL);
    WRAPS(agn_distribution_transformed(NULL, n, e), AGN_ENULL, "distribution_transformed", "out", "NULL");
    WRAPS(agn_distribution_transformed(&made, NULL, e), AGN_ENULL, "distribution_transformed", "base", "NULL");
    WRAPS(agn_distribution_transformed(&made, n, NULL), AGN_ENULL, "distribution_transformed", "map", "NULL");
    WRAPS(agn_distribution_transformed(&made, coins, e), AGN_EUNSUPPORTED, "distribution_transformed", "bernoulli", NULL);
    WRAPS(agn_distribution_transformed(&made, n, up), AGN_EUNSUPPORTED, "distribution_transformed", "abs", NULL);
    agn_distribution *point;
    must(agn_distribution_normal(&point, one, one, NULL));
    WRAPS(agn_distribution_transformed(&made, point, stick), AGN_ESHAPE, "distribution_transformed", "[]", "stick_breaking");
    must(agn_distribution_independent(&v, coins, 0));
    must(agn_distribution_sample(&x, v, key, 1, (int64_t[]){3}));
    ok(has_shape(x, 1, (int64_t[]){3}), "independent counts are drawn");
    agn_release(x);
    agn_distribution_release(v);
    agn_distribution_release(point);
    agn_distribution_release(w);
    agn_distribution_release(n);
    agn_distribution_release(coins);
    agn_transform_release(e);
    agn_transform_release(up);
    agn_transform_release(stick);
    agn_release(l);
    agn_release(one);
    agn_release(half);
    agn_release(key);
}

int main(void)
{
    test_densities();
    test_samples();
    test_derivatives();
    test_kl();
    test_refused();
    test_wrappers();
    return done();
}
