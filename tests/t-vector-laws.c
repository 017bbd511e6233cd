/* tests/t-vector-laws.c - laws of vectors, matrices, directions and counts of classes: densities and entropies against recorded
   answers, samples by their moments and by the mean of the log density, derivatives in every mode, divergences against Monte
   Carlo, what is refused. */
#include "tests/laws.h"

typedef const agn_tensor *T;
#define NONE -12345
typedef struct array {
    int ndim;
    int64_t shape[3];
    double v[16];
} array;
typedef struct row {
    const char *law;
    array p[3], x;
    double log_prob, entropy;
} row;
static const row rows[] = {
#include "tests/data/vector-laws.inc"
};

/* each law: its parameters, whether they are whole numbers; a value that is refused for each, NONE: any is taken */
typedef struct law {
    const char *name;
    int n;
    const char *param[3];
    double bad[3];
    bool counts, path;
} law;
static const law laws[] = {
    {"multinomial", 2, {"total_count", "logits"}, {1.5, (double)NAN}, true, false},
    {"dirichlet_multinomial", 2, {"total_count", "concentration"}, {-1, 0}, true, false},
    {"hypergeometric", 3, {"population", "successes", "draws"}, {1.5, -1, 1e9}, true, false},
    {"multivariate_normal_covariance", 2, {"loc", "covariance"}, {(double)NAN, (double)NAN}, false, true},
    {"multivariate_normal_precision", 2, {"loc", "precision"}, {(double)NAN, (double)NAN}, false, true},
    {"low_rank_normal", 3, {"loc", "factor", "diagonal"}, {(double)NAN, (double)INFINITY, 0}, false, true},
    {"multivariate_student_t", 3, {"df", "loc", "scale_tril"}, {0, (double)NAN, (double)NAN}, false, true},
    {"von_mises", 2, {"loc", "concentration"}, {(double)NAN, 0}, false, false},
    {"von_mises_fisher", 2, {"mean_direction", "concentration"}, {(double)NAN, 0}, false, false},
    {"projected_normal", 1, {"loc"}, {(double)NAN}, false, true},
    {"power_spherical", 2, {"mean_direction", "concentration"}, {(double)NAN, 0}, false, true},
    {"plackett_luce", 1, {"logits"}, {(double)NAN}, false, false},
    {"relaxed_bernoulli", 2, {"logits", "temperature"}, {(double)NAN, 0}, false, true},
    {"relaxed_categorical", 2, {"logits", "temperature"}, {(double)NAN, 0}, false, true},
    {"matrix_normal", 3, {"loc", "row_tril", "column_tril"}, {(double)NAN, (double)NAN, (double)INFINITY}, false, true},
    {"wishart", 2, {"df", "scale_tril"}, {2, (double)NAN}, false, true},
    {"inverse_wishart", 2, {"df", "scale_tril"}, {2, (double)NAN}, false, true},
    {"lkj_cholesky", 2, {"n", "concentration"}, {0, 0}, false, true},
};
static agn_status make(agn_distribution **out, const char *name, T const *p, const agn_distribution_options *opts)
{
#define MADE1(law) if (!strcmp(name, #law)) return agn_distribution_##law(out, p[0], opts)
#define MADE2(law) if (!strcmp(name, #law)) return agn_distribution_##law(out, p[0], p[1], opts)
#define MADE3(law) if (!strcmp(name, #law)) return agn_distribution_##law(out, p[0], p[1], p[2], opts)
    MADE2(multinomial); MADE2(dirichlet_multinomial); MADE3(hypergeometric); MADE2(multivariate_normal_covariance);
    MADE2(multivariate_normal_precision); MADE3(low_rank_normal); MADE3(multivariate_student_t); MADE2(von_mises);
    MADE2(von_mises_fisher); MADE2(relaxed_bernoulli); MADE2(relaxed_categorical); MADE3(matrix_normal); MADE2(wishart);
    MADE2(inverse_wishart); MADE1(projected_normal); MADE2(power_spherical); MADE1(plackett_luce);
    if (!strcmp(name, "lkj_cholesky")) /* n is no tensor */
        return agn_distribution_lkj_cholesky(out, 4, p[1], opts);
    bail_out("no law %s", name);
    return AGN_EARG;
}
static agn_tensor *tensor_of(const array *a, int dtype)
{
    return of_reals(dtype, a->ndim, (int64_t *)(uintptr_t)a->shape, a->v);
}
static void tensors_of(agn_tensor *p[3], const row *r, int dtype)
{
    for (int i = 0; i < 3; i++)
        p[i] = tensor_of(&r->p[i], dtype);
}
static void drop(agn_tensor *const *p, int n)
{
    for (int i = 0; i < n; i++)
        agn_release(p[i]);
}
static agn_distribution *made(const row *r, int dtype)
{
    agn_tensor *p[3];
    agn_distribution *d = NULL;
    tensors_of(p, r, dtype);
    must(make(&d, r->law, (T const *)p, NULL));
    drop(p, 3);
    return d;
}
static const row *row_of(const char *name)
{
    if (!strcmp(name, "inverse_wishart")) { /* the last has moments */
        for (int i = COUNT(rows); i-- > 0;)
            if (!strcmp(rows[i].law, name))
                return &rows[i];
    }
    for (int i = 0; i < COUNT(rows); i++)
        if (!strcmp(rows[i].law, name))
            return &rows[i];
    bail_out("no row of %s", name);
    return NULL;
}
static double taken(agn_status st, agn_tensor *y)
{
    if (st == AGN_EUNSUPPORTED)
        return NONE;
    must(st);
    double v = peek(y, 0);
    agn_release(y);
    return v;
}
static agn_tensor *key_of(int64_t n)
{
    return of_reals(AGN_I64, 1, (int64_t[]){2}, (double[]){(double)n, 17});
}
static double log_prob(const agn_distribution *d, T x)
{
    agn_tensor *y = NULL;
    agn_status st = agn_distribution_log_prob(&y, d, x);
    return taken(st, y);
}

static void test_answers(void)
{
    for (int i = 0; i < COUNT(rows); i++) {
        const row *r = &rows[i];
        agn_distribution *d = made(r, AGN_F64), *f = made(r, AGN_F32);
        agn_tensor *x = tensor_of(&r->x, AGN_F64), *x32 = tensor_of(&r->x, AGN_F32), *y = NULL;
        double lp = log_prob(d, x), gap = fabs(lp - r->log_prob) / (1 + fabs(r->log_prob));
        ok(gap < (strstr(r->law, "precision") ? 1e-13 : 4e-14), "%s, row %d: log density %.17g, not %.17g (%.1g)", r->law, i, lp, r->log_prob, gap);
        if (strcmp(r->law, "lkj_cholesky")) /* rounding takes the rows off the sphere */
            ok(fabs(log_prob(f, x32) - r->log_prob) < 2e-3 * (1 + fabs(r->log_prob)), "in f32: %g", log_prob(f, x32));
        agn_status st = agn_distribution_entropy(&y, d);
        double h = taken(st, y);
        if (r->entropy != NONE)
            ok(fabs(h - r->entropy) < 1e-11 * (1 + fabs(h)), "entropy %.17g, not %.17g", h, r->entropy);
        agn_release(x);
        agn_release(x32);
        agn_distribution_release(d);
        agn_distribution_release(f);
    }
}

static void test_outside(void)
{
    static const struct {
        const char *law;
        array x;
    } out[] = {
        {"multinomial", {1, {4}, {2, 1, 7, 2}}}, {"multinomial", {1, {4}, {3, -1, 8, 1}}}, {"multinomial", {1, {4}, {2.5, 0.5, 7, 1}}},
        {"dirichlet_multinomial", {1, {3}, {5, 1, 6}}}, {"dirichlet_multinomial", {1, {3}, {5.5, 0, 5.5}}},
        {"hypergeometric", {0, {0}, {13}}}, {"hypergeometric", {0, {0}, {-1}}}, {"hypergeometric", {0, {0}, {2.5}}},
        {"von_mises", {0, {0}, {3.2}}}, {"von_mises", {0, {0}, {-3.2}}}, {"von_mises_fisher", {1, {3}, {0, 0.6, 0.7}}},
        {"projected_normal", {1, {3}, {0, 0.6, 0.7}}}, {"power_spherical", {1, {3}, {0, 0.6, 0.7}}},
        {"plackett_luce", {1, {4}, {0, 1, 1, 3}}}, {"plackett_luce", {1, {4}, {0, 1, 2, 4}}}, {"plackett_luce", {1, {4}, {0.5, 1, 2, 3}}},
        {"relaxed_bernoulli", {0, {0}, {1.5}}}, {"relaxed_categorical", {1, {4}, {0.5, 0.25, 0.25, 0.25}}},
        {"relaxed_categorical", {1, {4}, {0.5, -0.25, 0.5, 0.25}}},
        {"lkj_cholesky", {2, {4, 4}, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 1}}},
        {"lkj_cholesky", {2, {4, 4}, {1, 0, 0, 0, 0, 1, 0.1, 0, 0, 0, 1, 0, 0, 0, 0, 1}}},
        {"lkj_cholesky", {2, {4, 4}, {1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}},
    };
    for (int i = 0; i < COUNT(out); i++) {
        agn_distribution *d = made(row_of(out[i].law), AGN_F64);
        agn_tensor *x = tensor_of(&out[i].x, AGN_F64);
        near(log_prob(d, x), -(double)INFINITY, 0, "%s: outside, %d", out[i].law, i);
        agn_release(x);
        agn_distribution_release(d);
    }
    for (int k = 0; k < COUNT(laws); k++) {
        const row *r = row_of(laws[k].name);
        agn_distribution *d = made(r, AGN_F64);
        array a = r->x;
        for (int i = 0; i < 16; i++)
            a.v[i] = (double)NAN;
        agn_tensor *x = tensor_of(&a, AGN_F64), *y = untouched;
        if (strstr(r->law, "wishart")) {
            agn_status st = agn_distribution_log_prob(&y, d, x);
            ok(refused(st, AGN_EDOMAIN, "linalg_cholesky", "finite", NULL, y), "%s: no density at NaN", r->law);
        } else
            ok(isnan(log_prob(d, x)), "%s: NaN at NaN", r->law);
        agn_release(x);
        agn_distribution_release(d);
    }
}

/* shares of a hypergeometric law: sums of its probabilities, from either side */
static void test_hypergeometric(void)
{
    for (int i = 0; i < COUNT(rows); i++) {
        if (strcmp(rows[i].law, "hypergeometric") || rows[i].p[0].v[0] > 1000)
            continue;
        agn_distribution *d = made(&rows[i], AGN_F64);
        double sum = 0;
        for (int k = 0; k <= 20; k++) {
            agn_tensor *x = scalar_of(AGN_I64, k), *y = NULL;
            sum += exp(log_prob(d, x));
            agn_status st = agn_distribution_cdf(&y, d, x);
            double below = taken(st, y);
            st = agn_distribution_survival(&y, d, x);
            double above = taken(st, y);
            ok(fabs(below - sum) < 1e-13 && fabs(below + above - 1) < 1e-13, "up to %d: %g, %g, %g", k, below, sum, above);
            agn_release(x);
        }
        agn_tensor *y = NULL, *low, *high;
        must(agn_distribution_bounds(&low, &high, d));
        agn_status st = agn_distribution_mode(&y, d);
        double mode = taken(st, y), most = -1;
        for (int k = 0; k <= 20; k++) {
            agn_tensor *x = scalar_of(AGN_F64, k);
            most = fmax(most, log_prob(d, x) + 1000);
            agn_release(x);
        }
        y = scalar_of(AGN_F64, mode);
        ok(log_prob(d, y) + 1000 > most - 1e-9 && peek(low, 0) <= mode && mode <= peek(high, 0), "mode %g", mode);
        agn_release(y);
        agn_release(low);
        agn_release(high);
        agn_distribution_release(d);
    }
}

static void test_samples(void)
{
    enum { N = 20000 };
    const int64_t n = N;
    for (int k = 0; k < COUNT(laws); k++) {
        const row *r = row_of(laws[k].name);
        agn_distribution *d = made(r, AGN_F64);
        agn_tensor *key = key_of(k), *x, *lp, *m = NULL, *v = NULL, *h = NULL, *y = untouched;
        must(agn_distribution_sample(&x, d, key, 1, &n));
        agn_status st = agn_distribution_rsample(&y, d, key, 1, &n);
        if (laws[k].path) {
            ok(!st && same_values(x, y), "%s: rsample draws the same numbers", r->law);
            agn_release(y);
        } else
            ok(refused(st, AGN_EUNSUPPORTED, "distribution_rsample", "no path", NULL, y), "%s: no path", r->law);
        int64_t size = agn_numel(x) / N;
        st = agn_distribution_mean(&m, d);
        agn_status st2 = st ? st : agn_distribution_variance(&v, d);
        tally t = {0, 0};
        /* angles have circular moments */
        for (int64_t i = 0; !st && !st2 && i < size && strcmp(r->law, "von_mises"); i++) {
            double mean = 0, square = 0, fourth = 0, s2 = peek(v, i);
            for (int j = 0; j < N; j++)
                mean += peek(x, j * size + i) / N;
            for (int j = 0; j < N; j++) {
                double e = peek(x, j * size + i) - mean;
                square += e * e / N;
                fourth += e * e * e * e / N;
            }
            check(&t, fabs(mean - peek(m, i)) < 4.5 * sqrt(square / N) + 1e-12, "%s: mean %d: %g, not %g", r->law, (int)i, mean, peek(m, i));
            if (isfinite(s2) && strcmp(r->law, "inverse_wishart") && strcmp(r->law, "multivariate_student_t"))
                check(&t, fabs(square - s2) < 5 * sqrt((fourth - square * square) / N) + 1e-12, "%s: variance %d: %g, not %g", r->law, (int)i, square, s2);
        }
        /* the mean of log p is minus the entropy; its own scatter is the scale. The mean of p(x) / q(x) at numbers of p is 1 for no
           wrong unit, so this sees the sampler and the unit together. */
        must(agn_distribution_log_prob(&lp, d, x));
        st = agn_distribution_entropy(&h, d);
        double mean = 0, square = 0;
        for (int j = 0; j < N; j++)
            mean += peek(lp, j) / N;
        for (int j = 0; j < N; j++)
            square += (peek(lp, j) - mean) * (peek(lp, j) - mean) / N;
        check(&t, isfinite(mean), "%s: densities of samples", r->law);
        if (!st) {
            check(&t, fabs(mean + peek(h, 0)) < 4.5 * sqrt(square / N) + 1e-9, "%s: entropy %g of the sample, %g", r->law, -mean, peek(h, 0));
            agn_release(h);
        }
        tell(&t, "%s: samples have its moments", r->law);
        agn_release(m);
        agn_release(v);
        agn_release(x);
        agn_release(lp);
        agn_release(key);
        agn_distribution_release(d);
    }
}

/* what has no entropy to see the sampler with: the score identity, E of the derivative of log p in a parameter is 0; and circular
   moments */
static agn_status score_body(void *user, agn_scope *s, T const *in, T *out)
{
    const row *r = user;
    agn_distribution *a = NULL;
    T p[3] = {tensor_of(&r->p[0], AGN_F64), NULL, NULL};
    agn_tensor *first = (agn_tensor *)(uintptr_t)p[0];
    bool relaxed = strstr(r->law, "relaxed") != NULL;
    p[relaxed ? 0 : 1] = relaxed ? in[0] : in[0];
    p[1] = relaxed ? in[1] : in[0];
    agn_status st = make(&a, r->law, p, NULL);
    const agn_distribution *d = agn_distribution_adopt(s, st, &a);
    agn_tensor *key = key_of(99);
    const int64_t n = 20000;
    T x = ag_distribution_sample(s, d, key, 1, &n);
    out[0] = ag_distribution_log_prob(s, d, x);
    agn_release(key);
    agn_release(first);
    return agn_scope_status(s);
}
static void test_scores(void)
{
    static const char *const names[] = {"relaxed_bernoulli", "relaxed_categorical", "lkj_cholesky", "dirichlet_multinomial"};
    for (int k = 0; k < COUNT(names); k++) {
        const row *r = row_of(names[k]);
        bool relaxed = k < 2;
        agn_tensor *in[4] = {tensor_of(&r->p[relaxed ? 0 : 1], AGN_F64), relaxed ? tensor_of(&r->p[1], AGN_F64) : NULL}, *y[2];
        agn_fn *f, *df;
        int n = relaxed ? 2 : 1;
        for (int which = 0; which < n; which++) {
            for (int i = 0; i < n; i++)
                must(agn_full_like(&in[n + i], in[i], i == which));
            must(agn_fn_new(&f, score_body, (void *)(uintptr_t)r, NULL, n, 1));
            must(agn_fn_jvp(&df, f));
            must(agn_fn_call(y, 2, df, (T const *)in, 2 * n));
            double mean = 0, square = 0;
            int64_t m = agn_numel(y[1]);
            for (int64_t j = 0; j < m; j++) {
                mean += peek(y[1], j) / (double)m;
                square += peek(y[1], j) * peek(y[1], j) / (double)m;
            }
            ok(fabs(mean) < 4.5 * sqrt(square / (double)m) + 1e-12 && square > 0, "%s: score %d has mean %g of %g", names[k], which, mean, sqrt(square));
            for (int i = 0; i < n; i++)
                agn_release(in[n + i]);
            agn_release(y[0]);
            agn_release(y[1]);
            agn_fn_release(f);
            agn_fn_release(df);
        }
        for (int i = 0; i < n; i++)
            agn_release(in[i]);
    }
    for (int i = 0; i < COUNT(rows); i++) {
        if (strcmp(rows[i].law, "von_mises"))
            continue;
        agn_distribution *d = made(&rows[i], AGN_F64);
        agn_tensor *key = key_of(5), *x, *m, *v;
        must(agn_distribution_sample(&x, d, key, 1, (int64_t[]){20000}));
        must(agn_distribution_mean(&m, d));
        must(agn_distribution_variance(&v, d));
        double c = 0, s = 0;
        for (int j = 0; j < 20000; j++) {
            c += cos(peek(x, j) - peek(m, 0)) / 20000;
            s += sin(peek(x, j) - peek(m, 0)) / 20000;
        }
        ok(fabs(1 - c - peek(v, 0)) < 0.02 * fmax(peek(v, 0), 0.2) && fabs(s) < 0.03, "circular moments: %g, not %g; %g", 1 - c, peek(v, 0), s);
        agn_release(x);
        agn_release(m);
        agn_release(v);
        agn_release(key);
        agn_distribution_release(d);
    }
}

/* directions: means of samples, densities that add to 1 on the circle by the trapezoidal rule; rankings: all of them add to 1, and
   come as often as they should */
static void test_directions(void)
{
    static const char *const names[] = {"projected_normal", "power_spherical"};
    enum { N = 20000, TURN = 20000 };
    for (int k = 0; k < COUNT(names); k++)
        for (int i = 0; i < COUNT(rows); i++) {
            if (strcmp(rows[i].law, names[k]))
                continue;
            agn_distribution *d = made(&rows[i], AGN_F64);
            agn_tensor *key = key_of(i), *x, *m, *y, *f;
            must(agn_distribution_sample(&x, d, key, 1, (int64_t[]){N}));
            must(agn_distribution_mean(&m, d));
            int64_t size = agn_numel(m);
            tally t = {0, 0};
            for (int64_t c = 0; c < size; c++) {
                double mean = 0, square = 0;
                for (int j = 0; j < N; j++)
                    mean += peek(x, j * size + c) / N, square += pow(peek(x, j * size + c), 2) / N;
                check(&t, fabs(mean - peek(m, c)) < 4.5 * sqrt((square - mean * mean) / N), "mean %d: %g, not %g", (int)c, mean, peek(m, c));
            }
            if (size == 2) {
                static double v[2 * TURN];
                for (int j = 0; j < TURN; j++)
                    v[2 * j] = cos(6.28318530717958647692 * j / TURN), v[2 * j + 1] = sin(6.28318530717958647692 * j / TURN);
                y = of_reals(AGN_F64, 2, (int64_t[]){TURN, 2}, v);
                must(agn_distribution_prob(&f, d, y));
                double sum = 0;
                for (int j = 0; j < TURN; j++)
                    sum += peek(f, j) * 6.28318530717958647692 / TURN;
                check(&t, fabs(sum - 1) < (k ? 2e-5 : 1e-12), "all directions: %.17g", sum); /* a corner at -m */
                agn_release(y);
                agn_release(f);
            }
            tell(&t, "%s, row %d: means and the whole", names[k], i);
            agn_release(x);
            agn_release(m);
            agn_release(key);
            agn_distribution_release(d);
        }
}
/* of a mean direction its length is nothing */
static void test_lengths(void)
{
    static agn_status (*const make[])(agn_distribution **, T, T, const agn_distribution_options *) = {
        agn_distribution_von_mises_fisher, agn_distribution_power_spherical};
    static const double far[] = {1e-320, 1e-160, 1e160, 1e307};
    for (int k = 0; k < COUNT(make); k++)
        for (int i = 0; i < COUNT(far); i++) {
            double v[2][3] = {{0.6, 0, 0.8}, {0.75 * far[i], 0, far[i]}}, p[2];
            agn_tensor *x = of_reals(AGN_F64, 1, (int64_t[]){3}, v[0]), *two = scalar_of(AGN_F64, 2);
            for (int j = 0; j < 2; j++) {
                agn_tensor *m = of_reals(AGN_F64, 1, (int64_t[]){3}, v[j]);
                agn_distribution *d;
                must(make[k](&d, m, two, NULL));
                p[j] = log_prob(d, x);
                agn_release(m), agn_distribution_release(d);
            }
            ok(fabs(p[1] - p[0]) < 1e-3 * (far[i] < 1e-300) + 1e-14, "law %d, length %g: %.17g, not %.17g", k, far[i], p[1], p[0]);
            agn_release(x), agn_release(two);
        }
}
static void test_rankings(void)
{
    enum { N = 20000 };
    agn_distribution *d = made(row_of("plackett_luce"), AGN_F64);
    agn_tensor *key = key_of(4), *x, *mode;
    must(agn_distribution_sample(&x, d, key, 1, (int64_t[]){N}));
    must(agn_distribution_mode(&mode, d));
    double all = 0, chi2 = 0, most = -INFINITY, top = log_prob(d, mode);
    for (int code = 0; code < 256; code++) {
        double v[] = {code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6 & 3};
        agn_tensor *y = of_reals(AGN_F64, 1, (int64_t[]){4}, v);
        double lp = log_prob(d, y), p = exp(lp);
        int seen = 0;
        for (int j = 0; j < N; j++)
            seen += peek(x, 4 * j) == v[0] && peek(x, 4 * j + 1) == v[1] && peek(x, 4 * j + 2) == v[2] && peek(x, 4 * j + 3) == v[3];
        all += p;
        most = fmax(most, lp);
        if (p > 0)
            chi2 += (seen - p * N) * (seen - p * N) / (p * N);
        else
            ok(seen == 0, "no ranking: %d", code);
        agn_release(y);
    }
    ok(fabs(all - 1) < 1e-14 && chi2 < 58, "rankings: %.17g in all, chi-squared %g of 24", all, chi2); /* 58: 4e-5 */
    ok(top == most, "the likeliest ranking");
    agn_release(x);
    agn_release(mode);
    agn_release(key);
    agn_distribution_release(d);
}

enum { LOG_PROB, ENTROPY, RSAMPLE, KINDS };
typedef struct probe {
    const row *r;
    int kind;
    bool counts;
} probe;
static agn_status probe_body(void *user, agn_scope *s, T const *in, T *out)
{
    const probe *c = user;
    agn_distribution *a = NULL;
    agn_status st = make(&a, c->r->law, in + 1, NULL);
    const agn_distribution *d = agn_distribution_adopt(s, st, &a);
    agn_tensor *key = key_of(3);
    out[0] = c->kind == LOG_PROB  ? ag_distribution_log_prob(s, d, in[0])
             : c->kind == ENTROPY ? ag_distribution_entropy(s, d)
                                  : ag_distribution_rsample(s, d, key, 1, (const int64_t[]){2});
    agn_release(key);
    return agn_scope_status(s);
}
static void test_derivatives(void)
{
    static const char *const off[] = {"von_mises_fisher", "relaxed_categorical", "lkj_cholesky", "projected_normal", "power_spherical", "plackett_luce", NULL}; /* x leaves its space */
    for (int k = 0; k < COUNT(laws); k++)
        for (int kind = 0; kind < KINDS; kind++) {
            const row *r = row_of(laws[k].name);
            probe c = {r, kind, laws[k].counts};
            agn_tensor *in[4], *y = NULL;
            bool counts = laws[k].counts, tied = false;
            in[0] = tensor_of(&r->x, counts ? AGN_I64 : AGN_F64);
            for (int i = 0; i < 3; i++) {
                bool whole = !strcmp(r->law, "hypergeometric") || (counts && i == 0);
                in[1 + i] = tensor_of(&r->p[i], whole || i >= laws[k].n ? AGN_I64 : AGN_F64);
            }
            for (int i = 0; off[i]; i++)
                tied = tied || !strcmp(off[i], r->law);
            agn_fn *f;
            must(agn_fn_new(&f, probe_body, &c, NULL, 4, 1));
            agn_status st = agn_fn_call(&y, 1, f, (T const *)in, 4);
            if (st == AGN_EUNSUPPORTED) {
                agn_fn_release(f);
                drop(in, 4);
                continue;
            }
            must(st);
            agn_release(y);
            agn_check_options o = {.size = sizeof o, .orders = 2, .tolerance = 2e-6, .step = 1e-3};
            bool gammas = strstr(" multivariate_student_t wishart inverse_wishart lkj_cholesky power_spherical ", r->law) && kind == RSAMPLE;
            if ((tied && kind == LOG_PROB) || gammas)
                o.modes = AGN_CHECK_TAYLOR | AGN_CHECK_PLAN;
            else if (kind == RSAMPLE)
                o.modes = AGN_CHECK_FORWARD | AGN_CHECK_REVERSE | AGN_CHECK_TAYLOR | AGN_CHECK_PLAN;
            else if (!strcmp(r->law, "hypergeometric") || (!strcmp(r->law, "multinomial") && kind == ENTROPY)) /* need values */
                o.modes = AGN_CHECK_FORWARD | AGN_CHECK_REVERSE | AGN_CHECK_TAYLOR;
            st = agn_check_grads(NULL, f, (T const *)in, 4, &o);
            ok(!st, "%s, %d: derivatives: %s", r->law, kind, st ? agn_error_message() : "");
            agn_fn_release(f);
            drop(in, 4);
        }
}

/* where a formula is, it is what Monte Carlo says; of a law from itself 0 */
static void test_kl(void)
{
    static const char *const with[] = {"multinomial", "multivariate_normal_covariance", "von_mises", "von_mises_fisher", "wishart", "inverse_wishart"};
    for (int k = 0; k < COUNT(with); k++) {
        row other = *row_of(with[k]);
        bool mvn = !strncmp(with[k], "multivariate", 12);
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 16; j++)
                if (!(!strcmp(with[k], "multinomial") && i == 0))
                    other.p[i].v[j] *= mvn && i == 1 ? 1.3 : i == 1 ? 1.15 : 1.2;
        if (!strcmp(with[k], "von_mises_fisher"))
            other.p[0].v[1] += 0.2;
        agn_distribution *p = made(row_of(with[k]), AGN_F64), *q = made(&other, AGN_F64);
        agn_tensor *key = key_of(8), *a, *b, *same;
        must(agn_distribution_kl(&a, p, q));
        must(agn_distribution_kl(&same, p, p));
        must(agn_distribution_kl_monte_carlo(&b, p, q, key, 40000));
        ok(peek(a, 0) > 0 && fabs(peek(a, 0) - peek(b, 0)) < 0.04 * (peek(a, 0) + 0.1) && fabs(peek(same, 0)) < 1e-12, "%s: divergence %g, Monte Carlo %g, itself %g",
           with[k], peek(a, 0), peek(b, 0), peek(same, 0));
        agn_release(a);
        agn_release(b);
        agn_release(same);
        agn_release(key);
        agn_distribution_release(p);
        agn_distribution_release(q);
    }
}

static void test_refused(void)
{
    for (int k = 0; k < COUNT(laws); k++) {
        const law *l = &laws[k];
        const row *r = row_of(l->name);
        tally t = {0, 0};
        char op[80];
        snprintf(op, sizeof op, "distribution_%s", l->name);
        bool lkj = !strcmp(l->name, "lkj_cholesky");
        agn_tensor *p[3], *z = scalar_of(AGN_C128, 1);
        agn_distribution *const nothing = (agn_distribution *)(uintptr_t)0xd15, *d = nothing;
        tensors_of(p, r, AGN_F64);
        T const *in = (T const *)p;
        check(&t, refused(make(NULL, l->name, in, NULL), AGN_ENULL, op, "out", NULL, untouched), "out NULL");
        agn_distribution_options odd = {.size = 3};
        check(&t, refused(make(&d, l->name, in, &odd), AGN_EARG, op, "3 bytes", NULL, untouched) && d == nothing, "options");
        for (int i = lkj ? 1 : 0; i < l->n; i++) {
            agn_tensor *good = p[i], *odd_shape = random_of(AGN_F64, 2, (int64_t[]){5, 7}, 1, 2);
            p[i] = NULL;
            check(&t, refused(make(&d, l->name, in, NULL), AGN_ENULL, op, l->param[i], "NULL", untouched), "NULL");
            array wide = {r->p[i].ndim + 1, {2, r->p[i].shape[0], r->p[i].shape[1]}, {0}};
            int64_t size = 1;
            for (int a = 0; a < r->p[i].ndim; a++)
                size *= r->p[i].shape[a];
            double v[32];
            for (int64_t j = 0; j < 2 * size; j++)
                v[j] = j == 2 * size - 1 ? l->bad[i] : r->p[i].v[j % size];
            p[i] = of_reals(AGN_F64, wide.ndim, wide.shape, v);
            check(&t, refused(make(&d, l->name, in, NULL), AGN_EDOMAIN, op, NULL, NULL, untouched) && d == nothing, "%s: %s of a bad value: %s", l->name, l->param[i], agn_error_message());
            agn_release(p[i]);
            p[i] = z;
            check(&t, refused(make(&d, l->name, in, NULL), AGN_EDTYPE, op, "c128", NULL, untouched) ||
                          refused(make(&d, l->name, in, NULL), AGN_ESHAPE, op, "[]", NULL, untouched), "complex: %s", agn_error_message());
            p[i] = odd_shape;
            if (r->p[i].ndim)
                check(&t, make(&d, l->name, in, NULL) == AGN_ESHAPE || !strncmp(l->name, "multinomial", 5) || strstr(l->name, "relaxed") ||
                              strstr(l->name, "fisher") || strstr(l->name, "dirichlet") || strstr("projected_normal power_spherical plackett_luce", l->name), "shape of %s: %s", l->param[i], agn_error_message());
            p[i] = good;
            agn_release(odd_shape);
            if (d != nothing)
                agn_distribution_release(d);
            d = nothing;
        }
        if (lkj)
            check(&t, refused(agn_distribution_lkj_cholesky(&d, 0, p[1], NULL), AGN_EARG, op, "n is 0", "46340", untouched), "no rows");
        tell(&t, "%s: what is refused", l->name);
        agn_release(z);
        drop(p, 3);
    }
    agn_distribution *d = (agn_distribution *)(uintptr_t)0xd15;
    agn_tensor *one = of_reals(AGN_F64, 1, (int64_t[]){1}, (double[]){1}), *k = scalar_of(AGN_F64, 1), *two = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){1, 2}),
               *three = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){1, 2, 3}), *y = untouched;
    ok(refused(agn_distribution_von_mises_fisher(&d, one, k, NULL), AGN_ESHAPE, "distribution_von_mises_fisher", "[1]", "two", y), "directions of a line");
    agn_tensor *flat = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 1, 1, 1});
    ok(refused(agn_distribution_multivariate_normal_covariance(&d, two, flat, NULL), AGN_EDOMAIN, "distribution_multivariate_normal_covariance", NULL, NULL, y), "a singular covariance");
    ok(refused(agn_distribution_multivariate_normal_precision(&d, two, two, NULL), AGN_ESHAPE, "distribution_multivariate_normal_precision", "[2]", NULL, y), "no matrix");
    must(agn_distribution_multinomial(&d, two, three, NULL));
    ok(agn_distribution_ndim(d) == 1 && agn_distribution_event_shape(d)[0] == 3, "batches of counts");
    agn_distribution_release(d);
    agn_release(one);
    agn_release(two);
    agn_release(three);
    agn_release(flat);
    agn_release(k);
}

/* batches, empty ones, and each allocation failing in turn */
static void test_memory(void)
{
    agn_tensor *key = key_of(2);
    for (int k = 0; k < COUNT(laws); k++) {
        const row *r = row_of(laws[k].name);
        agn_tensor *p[3], *x = tensor_of(&r->x, AGN_F64), *y;
        tensors_of(p, r, AGN_F64);
        int64_t before, after;
        tally t = {0, 0};
        agn_memory_live(NULL, &before, NULL);
        agn_distribution *const nothing = (agn_distribution *)(uintptr_t)0xd15, *d = nothing;
        for (int call = 0; call < 3; call++)
            for (int n = 0;; n += n < 60 ? 1 : 37) {
                y = untouched;
                agn_memory_fail_after(n);
                agn_status st = call == 0   ? make(&d, r->law, (T const *)p, NULL)
                                : call == 1 ? agn_distribution_log_prob(&y, d, x)
                                            : agn_distribution_sample(&y, d, key, 0, NULL);
                agn_memory_fail_after(-1);
                if (!st) {
                    if (call)
                        agn_release(y);
                    break;
                }
                check(&t, st == AGN_ENOMEM && y == untouched && (call || d == nothing), "call %d, allocation %d: %s", call, n, agn_error_message());
            }
        agn_distribution_release(d);
        agn_memory_live(NULL, &after, NULL);
        check(&t, after == before, "%d blocks are left", (int)(after - before));
        tell(&t, "%s: allocations failed in turn", r->law);
        drop(p, 3);
        agn_release(x);
    }
    agn_release(key);
}

int main(void)
{
    test_answers();
    test_outside();
    test_hypergeometric();
    test_samples();
    test_scores();
    test_directions();
    test_lengths();
    test_rankings();
    test_derivatives();
    test_kl();
    test_refused();
    test_memory();
    return done();
}
