/* Laws of probability: densities, probabilities and moments of every law against recorded answers, samples by
   Kolmogorov-Smirnov and chi-squared, derivatives in every mode, score identities, divergences by quadrature,
   parameters that are refused. */
#include "tests/laws.h"

typedef const agn_tensor *T;
typedef struct law {
    const char *name;
    int n;
    const char *param[4];
    double at[4], bad[4]; /* parameters, and for each one that is refused */
    double lo, hi;        /* where derivatives are tested, off kinks */
    bool discrete;
} law;

/* every law */
static const law laws[] = {
#define IN(...) {__VA_ARGS__}
    {"normal", 2, IN("loc", "scale"), IN(0.4, 1.7), IN((double)NAN, 0), -2, 3, false},
    {"laplace", 2, IN("loc", "scale"), IN(0.4, 1.7), IN((double)INFINITY, -1), 0.6, 3, false},
    {"cauchy", 2, IN("loc", "scale"), IN(0.4, 1.7), IN((double)NAN, 0), -1, 1.8, false},
    {"gumbel", 2, IN("loc", "scale"), IN(0.4, 1.7), IN((double)NAN, (double)INFINITY), -2, 3,
     false},
    {"logistic", 2, IN("loc", "scale"), IN(0.4, 1.7), IN((double)NAN, 0), -2, 3, false},
    {"student_t", 3, IN("df", "loc", "scale"), IN(3.7, 0.4, 1.7), IN(0, (double)NAN, -1), 0.7, 2.1,
     false},
    {"skew_normal", 3, IN("loc", "scale", "alpha"), IN(0.4, 1.7, 2.1),
     IN((double)NAN, 0, (double)INFINITY), -1, 3, false},
    {"generalized_normal", 3, IN("loc", "scale", "power"), IN(0.4, 1.7, 2.6), IN((double)NAN, 0, 0),
     0.6, 3, false},
    {"log_normal", 2, IN("loc", "scale"), IN(0.4, 1.1), IN((double)NAN, 0), 0.4, 3, false},
    {"exponential", 1, IN("rate"), IN(1.7), IN(0), 0.2, 3, false},
    {"gamma", 2, IN("concentration", "rate"), IN(2.6, 1.7), IN(0, -1), 0.4, 3, false},
    {"inverse_gamma", 2, IN("concentration", "scale"), IN(4.6, 1.7), IN(0, (double)NAN), 0.4, 3,
     false},
    {"chi2", 1, IN("df"), IN(5.3), IN(0), 0.6, 6, false},
    {"weibull", 2, IN("scale", "concentration"), IN(1.4, 2.2), IN(0, -2), 0.4, 2, false},
    {"pareto", 2, IN("scale", "alpha"), IN(0.7, 3.1), IN(0, 0), 0.9, 3, false},
    {"generalized_pareto", 3, IN("loc", "scale", "concentration"), IN(0.1, 1.7, 0.3),
     IN((double)NAN, 0, (double)INFINITY), 0.5, 3, false},
    {"half_normal", 1, IN("scale"), IN(1.7), IN(0), 0.4, 3, false},
    {"half_cauchy", 1, IN("scale"), IN(1.7), IN(0), 0.4, 1.6, false},
    {"uniform", 2, IN("low", "high"), IN(-0.6, 3.4), IN(4, -1), 0, 3, false},
    {"beta", 2, IN("a", "b"), IN(2.3, 3.4), IN(0, -1), 0.1, 0.9, false},
    {"kumaraswamy", 2, IN("a", "b"), IN(2.3, 3.4), IN(0, -1), 0.1, 0.7, false},
    {"triangular", 3, IN("low", "high", "peak"), IN(-1, 3, 0.4), IN(1, 0, 3), 0.6, 2.8, false},
    {"continuous_bernoulli", 1, IN("probs"), IN(0.23), IN(1), 0.1, 0.9, false},
    {"truncated_normal", 4, IN("loc", "scale", "low", "high"), IN(0.4, 1.7, -1, 2.8),
     IN((double)NAN, 0, 3, -1), -0.8, 2.5, false},
    {"bernoulli", 1, IN("probs"), IN(0.3), IN(1.5), 0, 1, true},
    {"binomial", 2, IN("total_count", "probs"), IN(12, 0.3), IN(1.5, -0.1), 0, 12, true},
    {"geometric", 1, IN("probs"), IN(0.3), IN(0), 0, 12, true},
    {"poisson", 1, IN("rate"), IN(3.9), IN(0), 0, 12, true},
    {"negative_binomial", 2, IN("total_count", "probs"), IN(3.3, 0.4), IN(0, 1), 0, 12, true},
    {"beta_binomial", 3, IN("total_count", "a", "b"), IN(12, 2.3, 1.4), IN(-1, 0, 0), 0, 12, true},
    {"zero_inflated_poisson", 2, IN("gate", "rate"), IN(0.2, 3.9), IN(2, 0), 0, 12, true},
    {"levy", 2, IN("loc", "scale"), IN(0.1, 1.7), IN((double)NAN, 0), 0.5, 3, false},
    {"rayleigh", 1, IN("scale"), IN(1.7), IN(0), 0.4, 3, false},
    {"maxwell", 1, IN("scale"), IN(1.7), IN(-1), 0.4, 3, false},
    {"inverse_gaussian", 2, IN("mean", "shape"), IN(1.4, 2.2), IN(0, -2), 0.4, 1.3, false},
    {"gompertz", 2, IN("concentration", "rate"), IN(0.7, 1.3), IN(0, (double)INFINITY), 0.4, 2,
     false},
    {"fisher_snedecor", 2, IN("df1", "df2"), IN(3.3, 25.7), IN(0, -1), 0.4, 3, false},
    {"half_student_t", 2, IN("df", "scale"), IN(5.3, 1.7), IN(0, 0), 0.4, 1.6, false},
    {"johnson_su", 4, IN("gamma", "delta", "loc", "scale"), IN(0.4, 1.7, -0.3, 2.1),
     IN((double)NAN, 0, (double)INFINITY, -1), -1, 1.5, false},
    {"stable", 4, IN("alpha", "beta", "loc", "scale"), IN(1.6, 0.4, -0.3, 1.7),
     IN(2.5, 1.5, (double)NAN, 0), -1, 3, false},
    {"lomax", 2, IN("concentration", "scale"), IN(5.1, 1.7), IN(0, -1), 0.4, 3, false},
    {"log_logistic", 2, IN("scale", "concentration"), IN(1.4, 5.2), IN(0, -1), 0.4, 1.3, false},
    {"burr", 3, IN("power", "concentration", "scale"), IN(3.1, 2.7, 1.6), IN(0, -1, 0), 0.4, 1.3,
     false},
    {"dagum", 3, IN("power", "concentration", "scale"), IN(6.1, 0.7, 1.6), IN(0, -1, 0), 0.4, 1.3,
     false},
    {"nakagami", 2, IN("concentration", "spread"), IN(2.3, 1.7), IN(0, -1), 0.4, 2, false},
    {"frechet", 2, IN("scale", "concentration"), IN(1.4, 6.2), IN(0, -1), 0.9, 3, false},
    {"generalized_extreme_value", 3, IN("loc", "scale", "concentration"), IN(0.4, 1.7, 0.13),
     IN((double)NAN, 0, (double)INFINITY), -1, 3, false},
    {"moyal", 2, IN("loc", "scale"), IN(0.4, 1.7), IN((double)NAN, 0), -2, 2, false},
    {"asymmetric_laplace", 3, IN("loc", "scale", "asymmetry"), IN(0.4, 1.7, 1.4),
     IN((double)NAN, 0, -1), 0.6, 3, false},
    {"birnbaum_saunders", 2, IN("shape", "scale"), IN(0.6, 1.7), IN(0, -1), 0.4, 1.5, false},
    {"hyperbolic_secant", 2, IN("loc", "scale"), IN(0.4, 1.7), IN((double)INFINITY, 0), 0.6, 3,
     false},
    {"arcsine", 2, IN("low", "high"), IN(-0.6, 3.4), IN(4, -1), 0, 2.2, false},
    {"exponentially_modified_normal", 3, IN("loc", "scale", "rate"), IN(0.4, 1.7, 0.8),
     IN((double)NAN, 0, -1), -2, 3, false},
    {"rice", 2, IN("nu", "scale"), IN(1.9, 1.3), IN(-1, 0), 0.4, 3, false},
    {"noncentral_chi2", 2, IN("df", "nc"), IN(3.7, 2.4), IN(0, -1), 0.4, 3, false},
    {"noncentral_f", 3, IN("df1", "df2", "nc"), IN(3.7, 25.7, 2.4), IN(0, -1, -1), 0.4, 3, false},
    {"noncentral_t", 2, IN("df", "nc"), IN(9.7, 0.8), IN(0, (double)NAN), -1, 2, false},
    {"noncentral_beta", 3, IN("a", "b", "nc"), IN(2.3, 3.4, 2.4), IN(0, -1, -1), 0.1, 0.9, false},
    {"conway_maxwell_poisson", 2, IN("rate", "nu"), IN(3.9, 1.4), IN(0, -1), 0, 12, true},
    {"generalized_poisson", 2, IN("rate", "dispersion"), IN(2.9, 0.3), IN(0, 1), 0, 12, true},
    {"discrete_laplace", 1, IN("rate"), IN(0.7), IN(0), 0, 12, true},
    {"discrete_weibull", 2, IN("probs", "concentration"), IN(0.7, 1.2), IN(1, 0), 0, 12, true},
    {"logarithmic", 1, IN("probs"), IN(0.7), IN(1), 1, 12, true},
    {"skellam", 2, IN("rate1", "rate2"), IN(3.9, 1.3), IN(0, -1), 0, 12, true},
    {"zipf", 1, IN("power"), IN(3.6), IN(1), 1, 12, true},
    {"beta_negative_binomial", 3, IN("total_count", "a", "b"), IN(3.3, 7.3, 1.4), IN(0, 0, -1), 0,
     12, true},
    {"bernoulli_logits", 1, IN("logits"), IN(0.4), IN((double)NAN), 0, 1, true},
    {"binomial_logits", 2, IN("total_count", "logits"), IN(12, -0.7), IN(1.5, (double)INFINITY), 0,
     12, true},
    {"geometric_logits", 1, IN("logits"), IN(-0.7), IN((double)NAN), 0, 12, true},
    {"negative_binomial_logits", 2, IN("total_count", "logits"), IN(3.3, -0.4), IN(0, (double)NAN),
     0, 12, true},
};
static agn_status make(agn_distribution **out, const char *name, const agn_tensor *const *p,
                       const agn_distribution_options *opts)
{
#define MADE1(law) if (!strcmp(name, #law)) return agn_distribution_##law(out, p[0], opts)
#define MADE2(law) if (!strcmp(name, #law)) return agn_distribution_##law(out, p[0], p[1], opts)
#define MADE3(law) if (!strcmp(name, #law)) return agn_distribution_##law(out, p[0], p[1], p[2], opts)
    MADE2(normal); MADE2(laplace); MADE2(cauchy); MADE2(gumbel); MADE2(logistic); MADE3(student_t);
    MADE3(skew_normal); MADE3(generalized_normal); MADE2(log_normal); MADE1(exponential); MADE2(gamma);
    MADE2(inverse_gamma); MADE1(chi2); MADE2(weibull); MADE2(pareto); MADE3(generalized_pareto);
    MADE1(half_normal); MADE1(half_cauchy); MADE2(uniform); MADE2(beta); MADE2(kumaraswamy);
    MADE3(triangular); MADE1(continuous_bernoulli); MADE1(bernoulli); MADE2(binomial); MADE1(geometric);
    MADE1(poisson); MADE2(negative_binomial); MADE3(beta_binomial); MADE2(zero_inflated_poisson);
    MADE2(levy); MADE1(rayleigh); MADE1(maxwell); MADE2(inverse_gaussian); MADE2(gompertz);
    MADE2(lomax); MADE2(log_logistic); MADE3(burr); MADE3(dagum); MADE2(nakagami); MADE2(frechet);
    MADE3(generalized_extreme_value);
    MADE2(moyal);
    MADE3(asymmetric_laplace);
    MADE2(birnbaum_saunders);
    MADE2(hyperbolic_secant);
    MADE2(arcsine);
    MADE3(exponentially_modified_normal);
    MADE2(rice);
    MADE2(noncentral_chi2);
    MADE3(noncentral_f);
    MADE2(noncentral_t);
    MADE3(noncentral_beta);
    MADE2(conway_maxwell_poisson);
    MADE2(generalized_poisson);
    MADE1(discrete_laplace);
    MADE2(discrete_weibull);
    MADE1(logarithmic);
    MADE2(fisher_snedecor);
    MADE2(half_student_t);
    MADE2(skellam);
    MADE1(zipf);
    MADE3(beta_negative_binomial); MADE1(bernoulli_logits); MADE2(binomial_logits);
    MADE1(geometric_logits); MADE2(negative_binomial_logits);
    if (!strcmp(name, "johnson_su"))
        return agn_distribution_johnson_su(out, p[0], p[1], p[2], p[3], opts);
    if (!strcmp(name, "stable"))
        return agn_distribution_stable(out, p[0], p[1], p[2], p[3], opts);
    if (!strcmp(name, "truncated_normal"))
        return agn_distribution_truncated_normal(out, p[0], p[1], p[2], p[3], opts);
    bail_out("no law %s", name);
    return AGN_EARG;
}
static const law *find_law(const char *name)
{
    for (int i = 0; i < COUNT(laws); i++)
        if (!strcmp(laws[i].name, name))
            return &laws[i];
    bail_out("no law %s", name);
    return NULL;
}
static agn_distribution *of_numbers(const char *name, int dtype, const double *v)
{
    agn_tensor *p[4] = {NULL};
    for (int i = 0; i < 4; i++)
        p[i] = scalar_of(dtype, v[i]);
    agn_distribution *d = NULL;
    must(make(&d, name, (const agn_tensor *const *)p, NULL));
    for (int i = 0; i < 4; i++)
        agn_release(p[i]);
    return d;
}
typedef agn_status at_x(agn_tensor **out, const agn_distribution *d, const agn_tensor *x);
static double value_at(at_x *f, const agn_distribution *d, double at)
{
    agn_tensor *x = scalar_of(AGN_F64, at), *y = NULL;
    agn_status st = f(&y, d, x);
    agn_release(x);
    if (st == AGN_EUNSUPPORTED)
        return -12345; /* no formula */
    must(st);
    double v = peek(y, 0);
    agn_release(y);
    return v;
}
static void values_at(at_x *f, const agn_distribution *d, int64_t n, const double *at, double *v)
{
    agn_tensor *x = of_reals(AGN_F64, 1, &n, at), *y = NULL;
    must(f(&y, d, x));
    for (int64_t i = 0; i < n; i++)
        v[i] = peek(y, i);
    agn_release(x);
    agn_release(y);
}
typedef agn_status of_parameters(agn_tensor **out, const agn_distribution *d);
static double moment(of_parameters *f, const agn_distribution *d)
{
    agn_tensor *y = NULL;
    agn_status st = f(&y, d);
    if (st == AGN_EUNSUPPORTED)
        return -12345;
    must(st);
    double v = peek(y, 0);
    agn_release(y);
    return v;
}
static agn_tensor *key_of(int64_t a, int64_t b)
{
    agn_tensor *key;
    int64_t v[] = {a, b};
    must(agn_from_host(&key, AGN_I64, 1, (int64_t[]){2}, v));
    return key;
}

/* ---- recorded answers ---------------------------------------------------------------- */

#define NONE -12345
static const struct point {
    const char *law;
    double p[4], x, want[5];
} points[] = {
#define POINT(law, a, b, c, d, x, ...) {#law, {a, b, c, d}, x, {__VA_ARGS__}},
#define MOMENT(...)
#define QUANTILE(...)
#include "tests/data/laws-of-probability.inc"
#include "tests/data/stable.inc"
#include "tests/data/univariate-laws.inc"
#undef POINT
#undef MOMENT
}, moments[] = {
#define POINT(...)
#define MOMENT(law, a, b, c, d, ...) {#law, {a, b, c, d}, 0, {__VA_ARGS__}},
#include "tests/data/laws-of-probability.inc"
#include "tests/data/univariate-laws.inc"
#undef MOMENT
#undef QUANTILE
}, quantiles[] = {
#define MOMENT(...)
#define QUANTILE(law, a, b, c, d, p, x) {#law, {a, b, c, d}, p, {x}},
#include "tests/data/univariate-laws.inc"
};

static void test_answers(void)
{
    static at_x *const f[] = {agn_distribution_log_prob, agn_distribution_cdf, agn_distribution_survival,
                              agn_distribution_log_cdf, agn_distribution_log_survival};
    static const char *const names[] = {"log_prob", "cdf", "survival", "log_cdf", "log_survival"};
    for (int k = 0; k < COUNT(laws); k++) {
        tally t = {0, 0};
        double worst = 0;
        for (int i = 0; i < COUNT(points); i++) {
            const struct point *q = &points[i];
            if (strcmp(q->law, laws[k].name))
                continue;
            agn_distribution *d = of_numbers(q->law, AGN_F64, q->p);
            /* what a rounding of x or of a parameter does to a logarithm is |x p'/p| eps */
            double step = 1e-6 * fmax(fabs(q->x), 1e-3);
            for (int j = 0; j < 5; j++) {
                double have = value_at(f[j], d, q->x), want = q->want[j];
                if (want == NONE) {
                    check(&t, have == NONE || isfinite(have), "%s at %g", names[j], q->x);
                    continue;
                }
                double slope = 0;
                if (!laws[k].discrete && isfinite(want) && want != 0) {
                    double up = value_at(f[j], d, q->x + step), down = value_at(f[j], d, q->x - step);
                    slope = fabs((up - down) / (2 * step) * q->x);
                    slope = isfinite(slope) ? slope : 0;
                }
                double scale = fabs(want) + slope + (j == 0 ? 1 : 0);
                double eps = want == have ? 0 : fabs(have - want) / (scale * 0x1p-52);
                bool tiny = (j == 1 || j == 2) && fabs(want) < 1e-305 && fabs(have) < 1e-305;
                /* logarithms of probabilities below all numbers, where there is no formula for them */
                bool lost = j > 2 && isnan(have) && isfinite(want) && want < -708;
                if (tiny || lost)
                    continue;
                worst = fmax(worst, eps);
                check(&t, eps < 2000, "%s(%g, %g, %g, %g) %s at %.17g: %.17g, not %.17g (%.0f eps)", q->law,
                      q->p[0], q->p[1], q->p[2], q->p[3], names[j], q->x, have, want, eps);
            }
            agn_distribution_release(d);
        }
        tell(&t, "%s: densities and probabilities (%.0f eps)", laws[k].name, worst);
    }
    tally t = {0, 0};
    for (int i = 0; i < COUNT(moments); i++) {
        const struct point *q = &moments[i];
        agn_distribution *d = of_numbers(q->law, AGN_F64, q->p);
        static of_parameters *const g[] = {agn_distribution_mean, agn_distribution_variance,
                                           agn_distribution_entropy};
        for (int j = 0; j < 3; j++) {
            double have = moment(g[j], d), want = q->want[j];
            if (want != NONE) /* else below, by quadrature */
                check(&t, tap_close(have, want, 2e-9), "%s moment %d: %.17g, not %.17g", q->law, j, have,
                      want);
        }
        agn_distribution_release(d);
    }
    tell(&t, "means, variances and entropies as SciPy has them");
}

/* what laws without formulas answer by their density */
static void test_expectations(void)
{
    static const struct {
        const char *law;
        double p[4];
        of_parameters *f;
        double x, want;
    } rows[] = {
#define ITS_ENTROPY agn_distribution_entropy, 0
#define ITS_VARIANCE agn_distribution_variance, 0
#define ITS_MEAN agn_distribution_mean, 0
#define ITS_MODE agn_distribution_mode, 0
#define ITS_CDF(k) NULL, k
#define EXPECT(law, a, b, c, d, what, want) {#law, {a, b, c, d}, what, want},
#include "tests/data/expectations.inc"
    };
    double worst = 0;
    tally t = {0, 0};
    for (int i = 0; i < COUNT(rows); i++) {
        agn_distribution *d = of_numbers(rows[i].law, AGN_F64, rows[i].p);
        double want = rows[i].want, size = fabs(want);
        double have = rows[i].f ? moment(rows[i].f, d) : value_at(agn_distribution_cdf, d, rows[i].x);
        if (rows[i].f == agn_distribution_entropy || size == 0)
            size = fmax(size, 1);
        double off = fabs(have - want) / size;
        worst = fmax(worst, off);
        check(&t, off < 1e-10, "%s(%g, %g, %g, %g), at %g: %.17g, not %.17g", rows[i].law, rows[i].p[0], rows[i].p[1],
              rows[i].p[2], rows[i].p[3], rows[i].x, have, want);
        agn_distribution_release(d);
    }
    tell(&t, "entropies, moments, modes and sums by the density (%.2g)", worst);
    tally single = {0, 0};
    int lost = 0;
    for (int i = 0; i < COUNT(rows); i++) {
        if (rows[i].f != agn_distribution_entropy)
            continue;
        agn_distribution *d = of_numbers(rows[i].law, AGN_F32, rows[i].p);
        double have = moment(rows[i].f, d), want = rows[i].want;
        lost += isnan(have); /* quantiles of stable laws, masses that do not add up */
        check(&single, isnan(have) || fabs(have - want) < 1e-4 * fmax(fabs(want), 1), "%s(%g, %g, %g, %g): %.9g, not %.9g", rows[i].law,
              rows[i].p[0], rows[i].p[1], rows[i].p[2], rows[i].p[3], have, want);
        agn_distribution_release(d);
    }
    check(&single, lost <= 4, "%d are NaN", lost);
    tell(&single, "entropies of f32, but for %d", lost);
    /* a hundredth of the entropy of small degrees of freedom lies below the numbers of f32 */
    agn_distribution *low = of_numbers("noncentral_chi2", AGN_F32, (double[4]){0.041426431387662888, 18.902847290039062});
    double have = moment(agn_distribution_entropy, low), truth = 3.5345872623077748;
    ok(isnan(have) || fabs(have - truth) < 1e-5, "an entropy in f32: %g, not %g", have, truth);
    agn_distribution_release(low);
}

/* of counts up to millions: the cdf in f32, modes whose neighbours differ by 1e-16 and less (mpmath) */
static void test_wide_counts(void)
{
    static const struct {
        const char *law;
        double p[4], x, want;
    } rows[] = {{"beta_negative_binomial", {1e6, 2, 3}, 1e6, 0.312500562492714},
                {"beta_negative_binomial", {1e3, 2, 3}, 100, 0.0029474919186514509},
                {"discrete_weibull", {1 - 1e-15, 2}, NONE, 22369621},
                {"discrete_weibull", {1 - 1e-12, 1.3}, NONE, 550697961},
                {"discrete_weibull", {1 - 1e-12, 2}, NONE, 707114}};
    for (int i = 0; i < COUNT(rows); i++) {
        bool mode = rows[i].x == NONE;
        agn_distribution *d = of_numbers(rows[i].law, mode ? AGN_F64 : AGN_F32, rows[i].p);
        double have = mode ? moment(agn_distribution_mode, d) : value_at(agn_distribution_cdf, d, rows[i].x);
        ok(fabs(have / rows[i].want - 1) < (mode ? 1e-15 : 1e-6), "%s of %.17g, %g: %.17g, not %.17g", rows[i].law, rows[i].p[0],
           rows[i].p[1], have, rows[i].want);
        agn_distribution_release(d);
    }
}

static void test_quantiles(void)
{
    tally t = {0, 0};
    for (int i = 0; i < COUNT(quantiles); i++) {
        const struct point *q = &quantiles[i];
        agn_distribution *d = of_numbers(q->law, AGN_F64, q->p);
        double have = value_at(agn_distribution_icdf, d, q->x), want = q->want[0];
        double gap = fabs(have - want);
        bool near = gap <= 1e-10 * fabs(want) || (fabs(want) < 1 && gap < 1e-13);
        check(&t, have == want || (near && strcmp(q->law, "student_t") == 0),
              "%s(%g, %g, %g) icdf(%g) = %.17g, not %.17g", q->law, q->p[0], q->p[1], q->p[2], q->x,
              have, want);
        agn_distribution_release(d);
    }
    tell(&t, "quantiles of counts and of Student's law as SciPy has them");
    tally tails = {0, 0};
    static const double df[] = {0.03, 0.4, 2, 3e4, 1e9};
    for (int i = 0; i < COUNT(df); i++) {
        agn_distribution *d = of_numbers("student_t", AGN_F64, (const double[]){df[i], 0, 1.7, 0});
        for (double p = df[i] < 0.1 ? 1e-7 : 1e-12; p < 0.49;
             p *= 3) { /* else x is above all numbers */
            double x = value_at(agn_distribution_icdf, d, p),
                   back = value_at(agn_distribution_cdf, d, x);
            check(&tails, fabs(back - p) < 1e-12 * p, "df %g: cdf(icdf(%g)) = %.17g", df[i], p,
                  back);
            x = value_at(agn_distribution_icdf, d, 1 - p);
            back = value_at(agn_distribution_survival, d, x);
            check(&tails, fabs(back - p) < 1e-12 * p + 0x1p-52, "df %g: beyond icdf(1 - %g): %.17g",
                  df[i], p, back);
        }
        agn_distribution_release(d);
    }
    tell(&tails, "quantiles of Student's law with few degrees of freedom and with many");
    static const double rate[] = {1e17};
    agn_distribution *d = of_numbers("poisson", AGN_F64, (const double[]){rate[0], 0, 0, 0});
    ok(isnan(value_at(agn_distribution_icdf, d, 0.5)), "a quantile above 2^53 is NaN");
    agn_distribution_release(d);
}

/* E cos(t X) and E sin(t X) of stable numbers, of known characteristic function */
static void test_stable(void)
{
    static const double at[][4] = {
        {2, 0, 0.4, 1.7}, {1.3, 0.6, 0, 1}, {0.7, -0.4, 0.2, 0.8}, {1, 0, 0, 1}, {1, 0.5, 0.3, 1.9}};
    const double pi = 3.14159265358979323846;
    enum { MANY = 40000 };
    const int64_t n = MANY;
    for (int k = 0; k < COUNT(at); k++) {
        agn_distribution *d = of_numbers("stable", AGN_F64, at[k]);
        agn_tensor *key = key_of(31, k), *x;
        must(agn_distribution_sample(&x, d, key, 1, &n));
        double a = at[k][0], b = at[k][1], c = at[k][3], worst = 0;
        for (double t = 0.3; t < 2; t += 0.8) {
            double re = 0, im = 0, w = pow(c * t, a), turn;
            for (int i = 0; i < MANY; i++)
                re += cos(t * peek(x, i)) / MANY, im += sin(t * peek(x, i)) / MANY;
            turn = a == 1 ? -w * b * 2 / pi * log(t) : w * b * tan(pi * a / 2);
            turn += at[k][2] * t;
            re -= exp(-w) * cos(turn);
            im -= exp(-w) * sin(turn);
            worst = fmax(worst, fmax(fabs(re), fabs(im)));
        }
        ok(worst < 4.5 / sqrt(MANY), "stable(%g, %g): characteristic function, off by %.2g", a, b,
           worst);
        agn_release(x);
        agn_release(key);
        agn_distribution_release(d);
    }
    agn_distribution *d = of_numbers("stable", AGN_F64, at[0]);
    ok(moment(agn_distribution_mean, d) == 0.4 &&
           fabs(moment(agn_distribution_variance, d) - 2 * 1.7 * 1.7) < 1e-14 &&
           fabs(value_at(agn_distribution_log_prob, d, 1) + 1.8272822430589266) < 1e-13,
       "stable: moments and a density of alpha 2");
    agn_distribution_release(d);
    /* closed forms: Levy's law at both signs, the normal law, far out */
    tally t = {0, 0};
    for (double x = 1e-3; x < 1e9; x *= 7) {
        agn_distribution *levy = of_numbers("stable", AGN_F64, (const double[]){0.5, 1, 0, 1});
        agn_distribution *mirror = of_numbers("stable", AGN_F64, (const double[]){0.5, -1, 0, 1});
        agn_distribution *exact = of_numbers("levy", AGN_F64, (const double[]){0, 1, 0, 0});
        double want = value_at(agn_distribution_log_prob, exact, x);
        double share = value_at(agn_distribution_survival, exact, x);
        check(&t, fabs(value_at(agn_distribution_log_prob, levy, x) - want) < 1e-12 * (1 + fabs(want)), "Levy at %g", x);
        check(&t, fabs(value_at(agn_distribution_survival, levy, x) - share) < 1e-12 * share, "Levy beyond %g", x);
        check(&t, fabs(value_at(agn_distribution_cdf, mirror, -x) - share) < 1e-12 * share, "Levy before %g", -x);
        check(&t, value_at(agn_distribution_log_prob, mirror, x) == -(double)INFINITY &&
                      value_at(agn_distribution_cdf, mirror, x) == 1, "nothing at %g", x);
        agn_distribution_release(levy);
        agn_distribution_release(mirror);
        agn_distribution_release(exact);
    }
    tell(&t, "stable: Levy's law");
    /* Levy's by its formula, the others by quadrature of Zolotarev's integral for the density */
    static const double entropy[][5] = {{0.5, 1, 0, 1, 3.32448280139689}, {0.5, -1, 3, 2, 4.01762998195684},
                                        {0.2, 1, 0, 1, 5.71487521856880}, {0.3, -1, 0, 1, 4.44092074222168},
                                        {0.8, 1, 1e6, 1, 2.62521614218158}, {0.9, -1, 0, 1, 2.48649566731055}};
    for (int k = 0; k < COUNT(entropy); k++) {
        agn_distribution *one = of_numbers("stable", AGN_F64, entropy[k]);
        double have = moment(agn_distribution_entropy, one);
        check(&t, fabs(have - entropy[k][4]) < 1e-11, "entropy %d: %.15g, not %.15g",
              k, have, entropy[k][4]);
        agn_distribution_release(one);
    }
    tell(&t, "stable: entropies of laws of one side");
    static const double bad[][4] = {{2.5, 0, 0, 1}, {0, 0, 0, 1}, {1.5, 1.5, 0, 1}, {1.5, 0, 0, 0}};
    for (int k = 0; k < COUNT(bad); k++) {
        agn_tensor *p[4];
        for (int i = 0; i < 4; i++)
            p[i] = scalar_of(AGN_F64, bad[k][i]);
        agn_distribution *none = NULL;
        agn_status st = agn_distribution_stable(&none, p[0], p[1], p[2], p[3], NULL);
        ok(st == AGN_EDOMAIN && !none, "stable: refused (%s)", agn_error_message());
        for (int i = 0; i < 4; i++)
            agn_release(p[i]);
    }
}

/* ---- ends, NaN, quantiles ---------------------------------------------------------------- */

static void test_ends(void)
{
    for (int k = 0; k < COUNT(laws); k++) {
        const law *l = &laws[k];
        tally t = {0, 0};
        agn_distribution *d = of_numbers(l->name, AGN_F64, l->at);
        agn_tensor *low, *high;
        must(agn_distribution_bounds(&low, &high, d));
        double a = peek(low, 0), b = peek(high, 0);
        agn_release(low);
        agn_release(high);
        bool has_cdf = value_at(agn_distribution_cdf, d, l->lo) != NONE;
        static const double out[] = {0.5, 1, 1e30, (double)INFINITY};
        for (int i = 0; i < COUNT(out); i++)
            for (int side = -1; side <= 1; side += 2) {
                double end = side < 0 ? a : b, x = end + side * out[i];
                if (isinf(end) && i > 0) /* there is one place beyond */
                    continue;
                check(&t, value_at(agn_distribution_log_prob, d, x) == -(double)INFINITY, "log_prob at %g", x);
                check(&t, value_at(agn_distribution_prob, d, x) == 0, "prob at %g", x);
                if (!has_cdf)
                    continue;
                check(&t, value_at(agn_distribution_cdf, d, x) == (side > 0), "cdf at %g", x);
                check(&t, value_at(agn_distribution_survival, d, x) == (side < 0), "survival at %g", x);
                check(&t, value_at(agn_distribution_log_cdf, d, x) == (side > 0 ? 0 : -(double)INFINITY),
                      "log_cdf at %g", x);
                check(&t, value_at(agn_distribution_log_survival, d, x) == (side < 0 ? 0 : -(double)INFINITY),
                      "log_survival at %g", x);
            }
        check(&t, isnan(value_at(agn_distribution_log_prob, d, (double)NAN)), "log_prob at NaN");
        if (has_cdf)
            check(&t, isnan(value_at(agn_distribution_cdf, d, (double)NAN)), "cdf at NaN");
        if (l->discrete) {
            check(&t, value_at(agn_distribution_log_prob, d, 0.5) == -(double)INFINITY, "between counts");
            check(&t, !has_cdf || value_at(agn_distribution_cdf, d, 0.5) == value_at(agn_distribution_cdf, d, 0),
                  "cdf between counts");
        }
        bool has_icdf = value_at(agn_distribution_icdf, d, 0.5) != NONE;
        if (has_icdf) {
            check(&t, value_at(agn_distribution_icdf, d, 0) == a, "icdf(0)");
            check(&t, value_at(agn_distribution_icdf, d, 1) == b, "icdf(1)");
            check(&t, isnan(value_at(agn_distribution_icdf, d, -0.1)), "icdf(-0.1)");
            check(&t, isnan(value_at(agn_distribution_icdf, d, 1.1)), "icdf(1.1)");
            check(&t, isnan(value_at(agn_distribution_icdf, d, (double)NAN)), "icdf(NaN)");
            double p[64], x[64], c[64], density[64];
            int n = 0;
            for (double at = 0x1p-30; 1 - at >= 0x1p-30; at = at < 0.5 ? 2 * at : (1 + at) / 2)
                p[n++] = at;
            values_at(agn_distribution_icdf, d, n, p, x);
            values_at(agn_distribution_cdf, d, n, x, c);
            values_at(agn_distribution_prob, d, n, x, density);
            for (int i = 0; i < n; i++) {
                double step = density[i] * fabs(x[i]) * 0x1p-51; /* of x rounded */
                check(&t, l->discrete ? c[i] >= p[i]
                                      : fabs(c[i] - p[i]) < 1e-13 * fmin(1, p[i] * 0x1p12 + 1e-2) + step,
                      "cdf(icdf(%g)) = %.17g", p[i], c[i]);
            }
        }
        tell(&t, "%s: ends of the support, NaN, quantiles", l->name);
        agn_distribution_release(d);
    }
}

/* ---- samples ------------------------------------------------------------------------------ */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum { N_MOST = 20000 };
static int N = N_MOST;
/* an integral takes some 500 places for each number of a stable law, sums 2048 numbers */
static void choose_count(const law *l)
{
    N = strstr("stable conway_maxwell_poisson generalized_poisson", l->name) ? 800 : N_MOST;
}
static void test_samples(void)
{
    static double v[N_MOST];
    for (int k = 0; k < COUNT(laws); k++) {
        const law *l = &laws[k];
        choose_count(l);
        const int64_t n = N;
        agn_distribution *d = of_numbers(l->name, AGN_F64, l->at);
        agn_tensor *key = key_of(20261123, k), *x, *c = NULL;
        must(agn_distribution_sample(&x, d, key, 1, &n));
        double mean = 0, square = 0;
        for (int i = 0; i < N; i++) {
            v[i] = peek(x, i);
            mean += v[i] / N;
        }
        for (int i = 0; i < N; i++)
            square += (v[i] - mean) * (v[i] - mean) / (N - 1);
        double m = moment(agn_distribution_mean, d), s2 = moment(agn_distribution_variance, d);
        ok(!isfinite(s2) || s2 == NONE || fabs(mean - m) < 4.5 * sqrt(s2 / N),
           "%s: mean of %d numbers %g, not %g", l->name, N, mean, m);
        qsort(v, (size_t)N, sizeof *v, ascending);
        agn_status st = l->discrete ? AGN_OK : agn_distribution_cdf(&c, d, x);
        if (l->discrete) { /* chi-squared over the probabilities */
            double chi2 = 0, rest = 1;
            int cells = 0;
            int64_t left = N;
            for (int j = -60; j < 60; j++) {
                double p = exp(value_at(agn_distribution_log_prob, d, j));
                int64_t seen = 0;
                for (int i = 0; i < N; i++)
                    seen += v[i] == j;
                if (p * N < 10)
                    continue;
                double gap = (double)seen - p * N;
                chi2 += gap * gap / (p * N);
                rest -= p;
                left -= seen;
                cells++;
            }
            if (rest * N > 10) {
                chi2 += ((double)left - rest * N) * ((double)left - rest * N) / (rest * N);
                cells++;
            }
            /* Wilson and Hilferty's cube root at probability 1e-4 */
            double df = fmax(cells - 1, 1), z = cbrt(chi2 / df) - (1 - 2 / (9 * df));
            ok(z < 3.72 * sqrt(2 / (9 * df)) && (v[0] >= 0 || strstr("skellam discrete_laplace", l->name)),
               "%s: chi-squared %.1f of %d cells", l->name, chi2, cells);
        } else if (!st) {
            double apart = 0;
            for (int i = 0; i < N; i++)
                v[i] = peek(c, i);
            qsort(v, (size_t)N, sizeof *v, ascending);
            for (int i = 0; i < N; i++)
                apart = fmax(apart, fmax(fabs(v[i] - (double)i / N), fabs(v[i] - (double)(i + 1) / N)));
            ok(apart * sqrt(N) < 2.2, "%s: Kolmogorov-Smirnov distance %.2f / sqrt(n)", l->name,
               apart * sqrt(N)); /* probability 1.3e-4 */
        } else
            ok(fabs(square / s2 - 1) < 0.1, "%s: variance of %d numbers %g, not %g", l->name, N, square, s2);
        agn_release(c);
        agn_tensor *r = untouched;
        st = agn_distribution_rsample(&r, d, key, 1, &n);
        if (l->discrete)
            ok(refused(st, AGN_EUNSUPPORTED, "distribution_rsample", l->name, "no path", r), "%s: no path", l->name);
        else
            ok(!st && same_values(r, x), "%s: rsample draws the same numbers", l->name);
        if (!st)
            agn_release(r);
        agn_release(x);
        agn_release(key);
        agn_distribution_release(d);
    }
}

/* ---- derivatives ------------------------------------------------------------------------------ */

enum { LOG_PROB, CDF, ICDF, RSAMPLE, MEAN, VARIANCE, ENTROPY, KL, KINDS, SURVIVAL = KINDS };
static const char *const kinds[] = {"log_prob", "cdf", "icdf", "rsample", "mean", "variance", "entropy", "kl", "survival"};
typedef struct probe {
    const law *law;
    int kind;
    const agn_tensor *key;
} probe;

static agn_status probe_body(void *user, agn_scope *s, const agn_tensor *const *in, T *out)
{
    const probe *c = user;
    agn_distribution *made = NULL;
    agn_status st = make(&made, c->law->name, in + 1, NULL);
    const agn_distribution *d = agn_distribution_adopt(s, st, &made);
    switch (c->kind) {
    case LOG_PROB: out[0] = ag_distribution_log_prob(s, d, in[0]); break;
    case CDF: out[0] = ag_distribution_cdf(s, d, in[0]); break;
    case SURVIVAL: out[0] = ag_distribution_survival(s, d, in[0]); break;
    case ICDF: out[0] = ag_distribution_icdf(s, d, ag_distribution_cdf(s, d, in[0])); break;
    case RSAMPLE: out[0] = ag_distribution_rsample(s, d, c->key, 1, (const int64_t[]){3}); break;
    case MEAN: out[0] = ag_distribution_mean(s, d); break;
    case VARIANCE: out[0] = ag_distribution_variance(s, d); break;
    case ENTROPY: out[0] = ag_distribution_entropy(s, d); break;
    default: {
        T other[4];
        for (int i = 0; i < 4; i++)
            other[i] = ag_full(s, AGN_F64, 0, NULL, c->law->at[i]);
        agn_distribution *fixed = NULL;
        st = agn_scope_status(s);
        st = st ? st : make(&fixed, c->law->name, other, NULL);
        out[0] = ag_distribution_kl(s, d, agn_distribution_adopt(s, st, &fixed));
    }
    }
    return agn_scope_status(s);
}

static void test_derivatives(void)
{
    agn_tensor *key = key_of(5, 9);
    for (int k = 0; k < COUNT(laws); k++) {
        const law *l = &laws[k];
        char done[200] = "";
        tally t = {0, 0};
        for (int kind = 0; kind < KINDS; kind++) {
            probe c = {l, kind, key};
            agn_tensor *in[5] = {NULL}, *y = NULL;
            double x = l->lo + 0.37 * (l->hi - l->lo);
            in[0] = scalar_of(l->discrete ? AGN_I64 : AGN_F64, x);
            for (int i = 0; i < l->n; i++) {
                bool whole = l->discrete && l->at[i] == floor(l->at[i]);
                double other = whole || kind != KL ? 1 : strcmp(l->name, "uniform") ? 1.02 : 0.98;
                in[1 + i] = scalar_of(whole ? AGN_I64 : AGN_F64, l->at[i] * other);
            }
            agn_fn *f;
            must(agn_fn_new(&f, probe_body, &c, NULL, 1 + l->n, 1));
            agn_status st = agn_fn_call(&y, 1, f, (const agn_tensor *const *)in, 1 + l->n);
            bool none = !st && !isfinite(peek(y, 0)); /* moments of the Cauchy laws */
            if (!st)
                agn_release(y);
            if (none)
                check(&t, strstr(" cauchy half_cauchy levy stable ", l->name) != NULL, "%s is not finite",
                      kinds[kind]);
            else if (!st) {
                agn_check_options o = {.size = sizeof o, .orders = 2, .tolerance = kind == RSAMPLE ? 2e-6 : 2e-7,
                                       .modes = AGN_CHECK_FORWARD | AGN_CHECK_REVERSE | AGN_CHECK_TAYLOR |
                                                AGN_CHECK_PLAN | (kind == RSAMPLE ? 0u : AGN_CHECK_LANES)};
                o.step = 2e-3;
                /* the path of a gamma number keeps its quantile, that of the sampler for one key does not */
                if (kind == RSAMPLE &&
                    strstr(" student_t half_student_t fisher_snedecor generalized_normal "
                           "gamma inverse_gamma chi2 beta inverse_gaussian nakagami "
                           "noncentral_chi2 noncentral_f noncentral_t noncentral_beta ",
                           l->name))
                    o.modes = AGN_CHECK_TAYLOR | AGN_CHECK_PLAN;
                agn_check_result r = {.size = sizeof r};
                st = agn_check_grads(&r, f, (const agn_tensor *const *)in, 1 + l->n, &o);
                check(&t, !st, "%s: %s", kinds[kind], agn_error_message());
                snprintf(done + strlen(done), sizeof done - strlen(done), " %s", kinds[kind]);
            } else
                check(&t, st == AGN_EUNSUPPORTED, "%s: %s", kinds[kind], agn_error_message());
            agn_fn_release(f);
            for (int i = 0; i < 5; i++)
                agn_release(in[i]);
        }
        tell(&t, "%s: two derivatives of%s", l->name, done);
    }
    agn_release(key);
}

/* laws of tables: where the table does not hold the law, derivatives are NaN as the value is; logarithms of
   subnormal shares are NaN, too; and a second derivative in both parameters, by mpmath */
static void test_tables(void)
{
    probe c = {find_law("conway_maxwell_poisson"), LOG_PROB, NULL};
    agn_tensor *x[3] = {scalar_of(AGN_F64, 2), scalar_of(AGN_F64, 0.99), scalar_of(AGN_F64, 0.001)}, *y[4];
    agn_fn *f, *g;
    must(agn_fn_new(&f, probe_body, &c, NULL, 3, 1));
    must(agn_fn_grad(&g, f, (const int32_t[]){1, 2}, 2));
    must(agn_fn_call(y, 1, f, (const agn_tensor *const *)x, 3));
    must(agn_fn_call(y + 1, 2, g, (const agn_tensor *const *)x, 3));
    ok(isnan(peek(y[0], 0)) && isnan(peek(y[1], 0)) && isnan(peek(y[2], 0)),
       "a table that lacks some: %g and %g, %g", peek(y[0], 0), peek(y[1], 0), peek(y[2], 0));
    for (int i = 0; i < 3; i++)
        agn_release(x[i]), agn_release(y[i]);
    agn_fn_release(f), agn_fn_release(g);

    agn_distribution *d;
    x[0] = scalar_of(AGN_F64, 30), x[1] = scalar_of(AGN_F64, 30.109680607573893), x[2] = scalar_of(AGN_F64, 10.807120057042457);
    must(agn_distribution_conway_maxwell_poisson(&d, x[1], x[2], NULL));
    must(agn_distribution_log_survival(&y[0], d, x[0]));
    double v = peek(y[0], 0);
    ok(isnan(v) || fabs(v / -741.855443057734 - 1) < 1e-13, "log of a subnormal share: %.17g", v);
    for (int i = 0; i < 3; i++)
        agn_release(x[i]);
    agn_release(y[0]), agn_distribution_release(d);

    x[0] = scalar_of(AGN_F64, 739), x[1] = scalar_of(AGN_F64, 0.008689884556278595), x[2] = scalar_of(AGN_F64, 0.7613895828630738);
    must(agn_distribution_generalized_poisson(&d, x[1], x[2], NULL));
    must(agn_distribution_log_survival(&y[0], d, x[0]));
    v = peek(y[0], 0);
    ok(isnan(v) || fabs(v / -37.1156825402953 - 1) < 1e-13, "log of a share that is not known: %.17g", v);
    for (int i = 0; i < 3; i++)
        agn_release(x[i]);
    agn_release(y[0]), agn_distribution_release(d);

    x[0] = scalar_of(AGN_F64, 2), x[1] = scalar_of(AGN_F64, 3), x[2] = scalar_of(AGN_F64, 4000);
    must(agn_distribution_noncentral_beta(&d, x[0], x[1], x[2], NULL));
    must(agn_distribution_mean(&y[0], d));
    ok(fabs(peek(y[0], 0) - 0.99850299550449775) < 1e-14, "a deviation of 45 numbers: %.17g", peek(y[0], 0));
    for (int i = 0; i < 3; i++)
        agn_release(x[i]);
    agn_release(y[0]), agn_distribution_release(d);

    c.law = find_law("generalized_poisson");
    x[0] = scalar_of(AGN_F64, 101272), x[1] = scalar_of(AGN_F64, 1.1904735108886601e-08), x[2] = scalar_of(AGN_F64, 0.976569038352072);
    must(agn_fn_new(&f, probe_body, &c, NULL, 3, 1));
    must(agn_fn_hessian_with(&g, f, (const int32_t[]){1, 2}, 2, NULL));
    must(agn_fn_call(y, 4, g, (const agn_tensor *const *)x, 3));
    for (int i = 1; i < 3; i++)
        ok(fabs(peek(y[i], 0) / -1.04855160521884 - 1) < 1e-13, "generalized_poisson: both ways: %.17g", peek(y[i], 0));
    for (int i = 0; i < 4; i++)
        agn_release(y[i]);
    for (int i = 0; i < 3; i++)
        agn_release(x[i]);
    agn_fn_release(f), agn_fn_release(g);
}

/* values, and two derivatives in an argument (x, then the parameters), of formulas that once cancelled, by
   mpmath at 60 digits; conditioned to what a rounding of an argument does */
static void test_far_answers(void)
{
    static const struct {
        const char *law;
        int kind;
        double p[3], x;
        int k;
        double want[4]; /* value and derivatives; by how much parts that cancel are larger, 0: none do */
    } far[] = {
        {"inverse_gaussian", SURVIVAL, {1.0, 0.0001}, 100000.0, 1, {1.34684530222246889e-8, 1.56554533692917692e-7, 1.3871029571940728e-6}},
        {"inverse_gaussian", SURVIVAL, {1.0, 0.0001}, 100000.0, 2, {1.34684530222246889e-8, -0.000715423669185853542, 38.2540441968605688}},
        {"inverse_gaussian", SURVIVAL, {1.0, 0.0001}, 100000.0, 0, {1.34684530222246889e-8, -8.50121667743323345e-13, 5.52579083990654111e-17}},
        {"inverse_gaussian", SURVIVAL, {1.0, 2e-06}, 10000000.0, 1, {7.11390472869524999e-13, 1.54884624162025064e-11, 2.93020099450802222e-10}},
        {"inverse_gaussian", SURVIVAL, {1.0, 2e-06}, 10000000.0, 2, {7.11390472869524999e-13, -3.69426763013804196e-6, 19.2373196067897923}},
        {"inverse_gaussian", SURVIVAL, {1.0, 2e-06}, 10000000.0, 0, {7.11390472869524999e-13, -8.09992715592642286e-19, 9.31491622931530492e-25}},
        {"inverse_gaussian", SURVIVAL, {0.03, 1e-07}, 20.0, 1, {0.0000531484782611214327, 0.000106927927389367215, -0.00698940041944620727}},
        {"inverse_gaussian", SURVIVAL, {0.03, 1e-07}, 20.0, 2, {0.0000531484782611214327, 249.704087536519899, -1405764772.58589482}},
        {"inverse_gaussian", SURVIVAL, {0.03, 1e-07}, 20.0, 0, {0.0000531484782611214327, -1.40891232876665026e-6, 1.05746697388538431e-7}},
        {"inverse_gaussian", SURVIVAL, {2.0, 0.05}, 500.0, 1, {0.0000410957334102131999, 0.000158651475788324073, 0.000398980142130706458}},
        {"inverse_gaussian", SURVIVAL, {2.0, 0.05}, 500.0, 2, {0.0000410957334102131999, -0.00275183244072503572, 0.185941469350100318}},
        {"inverse_gaussian", SURVIVAL, {2.0, 0.05}, 500.0, 0, {0.0000410957334102131999, -3.59422659080792705e-7, 3.32462365423142457e-9}},
        {"inverse_gaussian", SURVIVAL, {1.5, 0.3}, 151.0, 1, {8.04662457048498335e-8, 1.16443908196190116e-6, 0.0000146289638626643977}},
        {"inverse_gaussian", SURVIVAL, {1.5, 0.3}, 151.0, 2, {8.04662457048498335e-8, -2.75041152023518963e-6, 0.0000942783883151676969}},
        {"inverse_gaussian", SURVIVAL, {1.5, 0.3}, 151.0, 0, {8.04662457048498335e-8, -6.10288189981652236e-9, 4.67443299177137168e-10}},
        {"inverse_gaussian", SURVIVAL, {1.5, 0.3}, 149.0, 1, {9.36571235178069404e-8, 1.33852871866703702e-6, 0.0000165772346945900661}},
        {"inverse_gaussian", SURVIVAL, {1.5, 0.3}, 149.0, 2, {9.36571235178069404e-8, -3.1592978341045658e-6, 0.00010687984045203731}},
        {"inverse_gaussian", SURVIVAL, {1.5, 0.3}, 149.0, 0, {9.36571235178069404e-8, -7.11411897831668338e-9, 5.45845179780833147e-10}},
        {"inverse_gaussian", SURVIVAL, {1.0, 30.0}, 5.0, 1, {1.89329213896107884e-23, 2.31052910286012159e-21, 2.7455044604329748e-19}},
        {"inverse_gaussian", SURVIVAL, {1.0, 30.0}, 5.0, 2, {1.89329213896107884e-23, -3.05950533819346064e-23, 4.94503836252963013e-23}},
        {"inverse_gaussian", SURVIVAL, {1.0, 30.0}, 5.0, 0, {1.89329213896107884e-23, -2.78535500280416679e-22, 4.09447185412212518e-21}},
        {"inverse_gaussian", SURVIVAL, {1e-09, 1e-17}, 3.0, 1, {1.35711612579551461e-17, 4.32046309967501527e-7, 12504.4315122591178}},
        {"inverse_gaussian", SURVIVAL, {1e-09, 1e-17}, 3.0, 2, {1.35711612579551461e-17, -20.9237574286917383, 3.23072666318371814e+19}},
        {"inverse_gaussian", SURVIVAL, {1e-09, 1e-17}, 3.0, 0, {1.35711612579551461e-17, -7.42695785601947188e-17, 4.08482682081070934e-16}},
        {"burr", VARIANCE, {100000000.0, 2.7, 1.0}, 1, 1, {2.09214605620334576e-16, -4.18429203284348968e-24, 1.25528758598408684e-31}},
        {"burr", VARIANCE, {30000.0, 0.001, 1.0}, 1, 1, {0.00127399732379677286, -9.08951980209499924e-8, 9.724213820166251e-12}},
        {"burr", VARIANCE, {500.0, 1000000000.0, 1.0}, 1, 1, {6.02480110867937164e-6, -2.30376893965471738e-8, 1.32044785217900115e-10}},
        {"burr", VARIANCE, {3.1, 2.7, 1.0}, 1, 1, {0.0941807942704584929, -0.0456425745487496809, 0.0380362316800700432}},
        {"burr", VARIANCE, {0.7, 40.0, 1.0}, 1, 1, {0.000107059318531399045, 0.000932177119247136756, 0.00569364621487445979}},
        {"dagum", VARIANCE, {100000000.0, 0.7, 1.0}, 1, 1, {4.47898312565153746e-16, -8.95796615341178081e-24, 2.68738981665614717e-31}},
        {"dagum", VARIANCE, {2000.0, 10000000.0, 1.0}, 1, 1, {4.1846291893952217e-7, -4.22109389463772002e-10, 6.3866575912264471e-13}},
        {"dagum", VARIANCE, {10000.0, 0.001, 1.0}, 1, 1, {0.00688708222767993111, -1.13741283466918615e-6, 2.80637950663281605e-10}},
        {"dagum", VARIANCE, {2.2, 5.0, 1.0}, 1, 1, {34.1093297975252151, -229.042702907580758, 2450.15612706092064}},
        {"nakagami", VARIANCE, {1500.0, 1.0}, 1, 1, {0.000166652775463445586, -1.11092587964250203e-7, 1.48111098769723721e-10}},
        {"nakagami", VARIANCE, {20000.0, 1.0}, 1, 1, {0.0000124999218740234528, -6.24992187353518677e-10, 6.2498828095703888e-14}},
        {"nakagami", VARIANCE, {100000000.0, 1.0}, 1, 1, {2.49999999687499999e-9, -2.49999999374999998e-17, 4.99999998124999991e-25}},
        {"nakagami", VARIANCE, {3.5, 1.0}, 1, 1, {0.0687162187079952924, -0.0188191683256087378, 0.0102707504454550878}},
        {"nakagami", VARIANCE, {0.02, 1.0}, 1, 1, {0.940481389802495204, -2.81841266314379834, 14.9755818432541168}},
        {"weibull", VARIANCE, {1.0, 100000000.0}, 1, 2, {1.64493402381745532e-16, -3.2898680046041407e-24, 9.86960388472011463e-32}},
        {"weibull", VARIANCE, {1.0, 3000.0}, 1, 2, {1.8261122320308846e-7, -1.21687787396655267e-10, 1.21634791400980406e-13}},
        {"weibull", VARIANCE, {1.0, 0.3}, 1, 2, {2507.80879116978298, -110988.800673723368, 5807881.39264276477}},
        {"weibull", VARIANCE, {1.0, 40.0}, 1, 2, {0.000965179971242324418, -0.0000467888720695348344, 3.40375322051383864e-6}},
        {"frechet", VARIANCE, {1.0, 100000000.0}, 1, 2, {1.64493410987899989e-16, -3.28986826278877442e-24, 9.86960491745864948e-32}},
        {"frechet", VARIANCE, {1.0, 20000.0}, 1, 2, {4.11287312502204656e-9, -4.11314214060088915e-13, 6.17011677090184683e-17}},
        {"frechet", VARIANCE, {1.0, 50.0}, 1, 2, {0.000694361931657336705, -0.0000285433725664010731, 1.76045881465984217e-6}},
        {"frechet", VARIANCE, {1.0, 2.1}, 1, 2, {17.5989538354178043, -197.179974193781358, 3993.62737469030831}},
        {"gamma", ENTROPY, {10000000000.0, 3.0}, 1.0, 1, {11.8332517094734581, 5.00000000033333333e-11, -5.00000000066666667e-21}},
        {"inverse_gamma", ENTROPY, {10000000000.0, 3.0}, 1.0, 1, {-32.0212255729712362, -1.50000000006666667e-10, 1.50000000013333333e-20}},
        {"chi2", ENTROPY, {1000000000000.0}, 1.0, 1, {15.5810226814482528, 5.00000000000666667e-13, -5.00000000001333333e-25}},
        {"gamma", KL, {2.60001, 1.7}, 1.0, 1, {2.33902728931035219e-11, 4.67804740227126534e-6, 0.467802587333304603, 4}},
        {"gamma", KL, {2.6000000001, 1.7}, 1.0, 1, {2.33903485261631065e-21, 4.67806931809566666e-11, 0.46780689308152167, 4}},
        {"negative_binomial_logits", SURVIVAL, {375.0, 9.38776439006712}, 4219308.0, 2, {0.869432976830177129, 4.028138962688112, -87.261009408041}},
        {"gamma", KL, {2.6, 1.70000001}, 1.0, 2, {4.49826980623701543e-17, 8.99653963186969221e-9, 0.899653958070425889}},
        {"skellam", LOG_PROB, {2.0, 400.0}, -398.0, 2, {-3.91736164215829609, -0.0000123459771209498421, -0.00248756158047379411, 20}},
        {"skellam", LOG_PROB, {3.9, 1.3}, 190.0, 2, {-557.065375112068676, -0.979583974015419541, -2.170313055128824e-6, 1e5}},
        {"skellam", LOG_PROB, {3.9, 1.3}, 190.0, 1, {-557.065375112068676, 47.7247540599435792, -12.4917819636968489}},
        {"discrete_laplace", ENTROPY, {50.0}, 1, 1, {1.96732484492319614e-20, -1.92874984796391778e-20, 1.89017485100463943e-20, 4}},
        {"zipf", ENTROPY, {100.0}, 1, 1, {5.54685321360120694e-29, -3.79010599475675762e-29, 2.58920022434142584e-29, 4}},
        {"conway_maxwell_poisson", LOG_PROB, {0.0014633717925197204, 0.1332598003584945}, 157.0, 2, {-1110.06570044640917, -640.278182304583325, -9.44659263760630737e-7, 100}},
        {"conway_maxwell_poisson", LOG_PROB, {1500.0, 1.0}, 1510.0, 1, {-4.612185690935874, 0.00666666666666666667, -0.000671111111111111111, 1e3}},
        {"noncentral_beta", LOG_PROB, {0.5, 83.0, 0.25}, 0.9921875, 1, {-390.556330858936768, 3.34817488587348549, -0.164331760623708694, 20}},
        {"noncentral_beta", LOG_PROB, {0.5, 83.0, 0.25}, 0.9921875, 2, {-390.556330858936768, -4.80739221128414105, -0.000304792877721644187, 1e3}},
        {"noncentral_beta", LOG_PROB, {0.5, 83.0, 0.25}, 0.9921875, 3, {-390.556330858936768, 12.6030143454199489, -25.6993776041976931, 20}},
        {"skew_normal", LOG_PROB, {0.0, 1.0, 20.0}, 3.0, 0, {-4.72579135264472743, -3.0, -1.0}},
    };
    for (int k = 0; k < COUNT(far); k++) {
        probe c = {find_law(far[k].law), far[k].kind, NULL};
        int n = 1 + c.law->n;
        agn_fn *f = NULL, *g = NULL;
        agn_tensor *x[12] = {NULL}, *y[3] = {NULL};
        must(agn_fn_new(&f, probe_body, &c, NULL, n, 1));
        must(agn_fn_jet(&g, f, 2));
        for (int i = 0; i < n; i++)
            for (int o = 0; o < 3; o++)
                x[3 * i + o] = scalar_of(AGN_F64, o > 1 ? 0 : o ? i == far[k].k : i ? far[k].p[i - 1] : far[k].x);
        must(agn_fn_call(y, 3, g, (const agn_tensor *const *)x, 3 * n));
        for (int o = 0; o < 3; o++) {
            double v = peek(y[o], 0) * (o > 1 ? 2 : 1), off = fabs(v / far[k].want[o] - 1);
            double bound = fmax(far[k].want[3], 1) * (o ? 1e-13 : 2e-14);
            ok(off < bound, "%s: %s %d, derivative %d in %d: %.17g, not %.17g, %.1g off", far[k].law,
               kinds[far[k].kind], k, o, far[k].k, v, far[k].want[o], off);
            agn_release(y[o]);
        }
        for (int i = 0; i < 3 * n; i++)
            agn_release(x[i]);
        agn_fn_release(f);
        agn_fn_release(g);
    }
}

/* E[x^2] in the parameters: the mean over paths has the derivative of the moment */
static agn_status mean_square(void *user, agn_scope *s, const agn_tensor *const *in, T *out)
{
    const probe *c = user;
    agn_distribution *made = NULL;
    agn_status st = make(&made, c->law->name, in, NULL);
    const agn_distribution *d = agn_distribution_adopt(s, st, &made);
    if (c->kind == RSAMPLE)
        out[0] = ag_mean_all(s, ag_square(s, ag_distribution_rsample(s, d, c->key, 1, (const int64_t[]){N})));
    else
        out[0] = ag_add(s, ag_square(s, ag_distribution_mean(s, d)), ag_distribution_variance(s, d));
    return agn_scope_status(s);
}
/* the score: mean of the derivative of log p at numbers that were drawn from p */
static agn_status mean_log_prob(void *user, agn_scope *s, const agn_tensor *const *in, T *out)
{
    const probe *c = user;
    agn_distribution *made = NULL;
    agn_status st = make(&made, c->law->name, in, NULL);
    const agn_distribution *d = agn_distribution_adopt(s, st, &made);
    T x = ag_distribution_sample(s, d, c->key, 1, (const int64_t[]){N});
    out[0] = ag_distribution_log_prob(s, d, x);
    return agn_scope_status(s);
}
static void test_paths_and_scores(void)
{
    agn_tensor *key = key_of(77, 1);
    for (int k = 0; k < COUNT(laws); k++) {
        const law *l = &laws[k];
        choose_count(l);
        tally t = {0, 0};
        agn_tensor *in[4] = {NULL}, *have[4], *want[4];
        int32_t all[] = {0, 1, 2, 3};
        for (int i = 0; i < l->n; i++)
            in[i] = scalar_of(AGN_F64, l->at[i]);
        probe path = {l, RSAMPLE, key}, formula = {l, VARIANCE, key};
        agn_distribution *d = of_numbers(l->name, AGN_F64, l->at);
        /* the fourth moment has to exist */
        bool heavy = !strcmp(l->name, "student_t") || !strcmp(l->name, "pareto") ||
                     !strcmp(l->name, "generalized_pareto") || !strcmp(l->name, "log_normal") || !isfinite(moment(agn_distribution_variance, d));
        agn_distribution_release(d);
        agn_fn *f, *df;
        if (!l->discrete && !heavy && strcmp(l->name, "gompertz")) { /* no variance */
            for (int way = 0; way < 2; way++) {
                must(agn_fn_new(&f, mean_square, way ? &formula : &path, NULL, l->n, 1));
                must(agn_fn_grad(&df, f, all, l->n));
                must(agn_fn_call(way ? want : have, l->n, df, (const agn_tensor *const *)in, l->n));
                agn_fn_release(f);
                agn_fn_release(df);
            }
            for (int i = 0; i < l->n; i++) {
                double a = peek(have[i], 0), b = peek(want[i], 0);
                check(&t, fabs(a - b) < 0.08 * (0.3 + fabs(b)), "E[x^2] in %s: %g by paths, %g", l->param[i], a, b);
                agn_release(have[i]);
                agn_release(want[i]);
            }
        }
        /* where the support moves with a parameter, its score has another mean; whole numbers have no score */
        bool moves = !strcmp(l->name, "uniform") || !strcmp(l->name, "triangular") ||
                     !strcmp(l->name, "pareto") || !strcmp(l->name, "generalized_pareto") ||
                     !strcmp(l->name, "truncated_normal") || !strcmp(l->name, "arcsine");
        for (int i = 0; i < l->n; i++) {
            bool counted = !strcmp(l->param[i], "total_count") && l->at[i] == floor(l->at[i]);
            if (counted || (moves && strcmp(l->param[i], "alpha") && strcmp(l->param[i], "concentration") &&
                            strcmp(l->name, "truncated_normal")) || (moves && i >= 2 && l->n == 4))
                continue;
            agn_tensor *arg[8], *y[2];
            for (int j = 0; j < l->n; j++) {
                arg[j] = in[j];
                arg[l->n + j] = scalar_of(AGN_F64, j == i);
            }
            must(agn_fn_new(&f, mean_log_prob, &path, NULL, l->n, 1));
            must(agn_fn_jvp(&df, f));
            must(agn_fn_call(y, 2, df, (const agn_tensor *const *)arg, 2 * l->n));
            double mean = 0, square = 0;
            for (int j = 0; j < N; j++) {
                double v = peek(y[1], j);
                mean += v / N;
                square += v * v / N;
            }
            check(&t, fabs(mean) < 4.5 * sqrt(square / N) + 1e-12, "E[score] in %s: %g of %g", l->param[i], mean,
                  sqrt(square / N));
            for (int j = 0; j < l->n; j++)
                agn_release(arg[l->n + j]);
            agn_release(y[0]);
            agn_release(y[1]);
            agn_fn_release(f);
            agn_fn_release(df);
        }
        tell(&t, "%s: paths have the derivatives of the moments, scores the mean 0", l->name);
        for (int i = 0; i < l->n; i++)
            agn_release(in[i]);
    }
    agn_release(key);
}

/* ---- KL >= 0, as quadrature has it ---------------------------- */

static double log_density(const agn_distribution *d, double x)
{
    return value_at(agn_distribution_log_prob, d, x);
}

/* Sum of p (log p - log q) over the counts, or its integral by the tanh-sinh rule over the quantiles */
static double kl_by_sum(const law *l, const agn_distribution *p, const agn_distribution *q)
{
    double total = 0;
    if (l->discrete) {
        for (int k = 0; k < 150; k++) {
            double a = log_density(p, k);
            if (isfinite(a))
                total += exp(a) * (a - log_density(q, k));
        }
        return total;
    }
    enum { M = 4000 };
    static double share[2 * M + 1], weight[2 * M + 1];
    for (int i = -M; i <= M; i++) { /* x = x(u), u the share of the probability */
        double h = 3.3 / M, w = i * h, e = 1 / (1 + exp(-3.14159265358979 * sinh(w)));
        share[i + M] = fmin(fmax(e, 1e-300), 1 - 0x1p-53);
        weight[i + M] = h * 3.14159265358979 * cosh(w) * e * (1 - e);
    }
    agn_tensor *e = of_reals(AGN_F64, 1, (int64_t[]){2 * M + 1}, share), *x, *a, *b;
    must(agn_distribution_icdf(&x, p, e));
    must(agn_distribution_log_prob(&a, p, x));
    must(agn_distribution_log_prob(&b, q, x));
    for (int i = 0; i <= 2 * M; i++) {
        double gap = peek(a, i) - peek(b, i);
        total += weight[i] > 1e-22 && isfinite(gap) ? weight[i] * gap : 0;
    }
    agn_release(e);
    agn_release(x);
    agn_release(a);
    agn_release(b);
    return total;
}

static void test_kl(void)
{
    for (int k = 0; k < COUNT(laws); k++) {
        const law *l = &laws[k];
        double other[4];
        for (int i = 0; i < 4; i++) {
            bool whole = l->discrete && l->at[i] == floor(l->at[i]);
            other[i] = whole ? l->at[i] : l->at[i] * 1.13;
        }
        if (!strcmp(l->name, "pareto") || !strcmp(l->name, "uniform"))
            other[0] = l->at[0] * (l->at[0] > 0 ? 0.9 : 1.1);
        agn_distribution *p = of_numbers(l->name, AGN_F64, l->at), *q = of_numbers(l->name, AGN_F64, other);
        agn_tensor *y = untouched, *key = key_of(3, 4);
        agn_status st = agn_distribution_kl(&y, p, q);
        double kl = 0;
        if (!st) {
            kl = peek(y, 0);
            agn_release(y);
            must(agn_distribution_kl(&y, p, p));
            ok(kl > 0 && fabs(peek(y, 0)) < 1e-14, "%s: divergence %g, from itself %g", l->name, kl, peek(y, 0));
            agn_release(y);
            if (l->discrete || value_at(agn_distribution_icdf, p, 0.5) != NONE) {
                double want = kl_by_sum(l, p, q);
                ok(fabs(kl - want) < 2e-6 * (1 + fabs(want)), "%s: %.9g by quadrature, %.9g", l->name, want, kl);
            }
        } else
            ok(refused(st, AGN_EUNSUPPORTED, "distribution_kl", l->name, "monte_carlo", y), "%s: no formula",
               l->name);
        choose_count(l);
        must(agn_distribution_kl_monte_carlo(&y, p, q, key, N));
        ok(st || !isfinite(kl) || fabs(peek(y, 0) - kl) < 0.15 * kl + 1e-3, "%s: Monte Carlo says %g", l->name,
           peek(y, 0));
        agn_release(y);
        agn_release(key);
        agn_distribution_release(p);
        agn_distribution_release(q);
    }
}

/* ---- refused --------------------------------------------------------------------------------------- */

static void test_refused(void)
{
    for (int k = 0; k < COUNT(laws); k++) {
        const law *l = &laws[k];
        tally t = {0, 0};
        char op[64];
        snprintf(op, sizeof op, "distribution_%s", l->name);
        agn_tensor *p[4] = {NULL}, *wide = NULL;
        agn_distribution *const nothing = (agn_distribution *)(uintptr_t)0xd15, *d = nothing;
        for (int i = 0; i < l->n; i++)
            p[i] = scalar_of(AGN_F64, l->at[i]);
        const agn_tensor *const *in = (const agn_tensor *const *)p;
        check(&t, refused(make(NULL, l->name, in, NULL), AGN_ENULL, op, "out", NULL, untouched), "out NULL");
        agn_distribution_options odd = {.size = 3}, blind = {.size = sizeof blind, .unchecked = true};
        check(&t, refused(make(&d, l->name, in, &odd), AGN_EARG, op, "3 bytes", NULL, untouched), "options");
        for (int i = 0; i < l->n; i++) {
            agn_tensor *good = p[i], *z = scalar_of(AGN_C128, 1);
            double v[6];
            for (int j = 0; j < 6; j++)
                v[j] = j == 5 ? l->bad[i] : l->at[i];
            wide = of_reals(AGN_F64, 2, (int64_t[]){2, 3}, v);
            char entry[64];
            snprintf(entry, sizeof entry, "%s[1,2] is", l->param[i]);
            p[i] = wide;
            check(&t, refused(make(&d, l->name, in, NULL), AGN_EDOMAIN, op, entry, NULL, untouched) && d == nothing,
                  "%s", entry);
            must(make(&d, l->name, in, &blind));
            check(&t, agn_distribution_ndim(d) == 2 && agn_distribution_shape(d)[1] == 3 &&
                          !strcmp(agn_distribution_name(d), l->name), "batch shape");
            agn_distribution_release(d);
            d = nothing;
            p[i] = NULL;
            check(&t, refused(make(&d, l->name, in, NULL), AGN_ENULL, op, l->param[i], "NULL", untouched), "NULL");
            p[i] = z;
            check(&t, refused(make(&d, l->name, in, NULL), AGN_EDTYPE, op, l->param[i], "c128", untouched), "c128");
            p[i] = good;
            agn_release(z);
            if (i) {
                agn_tensor *four = random_of(AGN_F64, 1, (int64_t[]){4}, 1, 2), *first = p[0];
                p[0] = wide;
                p[i] = four;
                check(&t, refused(make(&d, l->name, in, NULL), AGN_ESHAPE, op, "[2,3]", "[4]", untouched), "shapes");
                p[0] = first;
                p[i] = good;
                agn_release(four);
            }
            agn_release(wide);
        }
        for (int i = 0; i < l->n; i++)
            agn_release(p[i]);
        /* empty batches, f32, integers as x */
        for (int i = 0; i < l->n; i++)
            p[i] = random_of(AGN_F32, 2, (int64_t[]){0, 3}, 0, 1);
        must(make(&d, l->name, in, NULL));
        agn_tensor *key = key_of(1, 2), *x = NULL, *y = NULL;
        must(agn_distribution_sample(&x, d, key, 1, (int64_t[]){2}));
        must(agn_distribution_log_prob(&y, d, x));
        check(&t, has_shape(x, 3, (int64_t[]){2, 0, 3}) && agn_dtype_of(x) == AGN_F32 && has_shape(y, 3, (int64_t[]){2, 0, 3}),
              "an empty batch");
        agn_release(x);
        agn_release(y);
        for (int i = 0; i < l->n; i++)
            agn_release(p[i]);
        agn_distribution_release(d);
        d = of_numbers(l->name, AGN_F32, l->at);
        x = scalar_of(AGN_I64, 1);
        must(agn_distribution_log_prob(&y, d, x));
        agn_distribution *e = of_numbers(l->name, AGN_F64, l->at);
        check(&t, agn_dtype_of(y) == AGN_F32 && tap_close(peek(y, 0), log_density(e, 1), 1e-4), "f32 at a whole number: %g, %g",
              peek(y, 0), log_density(e, 1));
        agn_release(x);
        agn_release(y);
        agn_release(key);
        agn_distribution_release(d);
        agn_distribution_release(e);
        tell(&t, "%s: what is refused; batches; dtypes", l->name);
    }
    agn_distribution *d = of_numbers("normal", AGN_F64, find_law("normal")->at);
    agn_tensor *y = untouched, *low = untouched, *x = scalar_of(AGN_F64, 1);
    agn_tensor *key = key_of(1, 2);
#define NULLS(f) \
    ok(refused(f(NULL, d, x), AGN_ENULL, &#f[4], "out", "NULL", y) && \
       refused(f(&y, NULL, x), AGN_ENULL, &#f[4], "d is", "NULL", y) && \
       refused(f(&y, d, NULL), AGN_ENULL, &#f[4], "is NULL", NULL, y), #f ": NULL")
    NULLS(agn_distribution_prob);
    NULLS(agn_distribution_log_cdf);
    NULLS(agn_distribution_survival);
    NULLS(agn_distribution_log_survival);
    NULLS(agn_distribution_icdf);
    agn_distribution *flat = of_numbers("uniform", AGN_F64, find_law("uniform")->at);
    agn_distribution *rare; /* of a vector without formulas */
    agn_tensor *logits = key_of(1, 2);
    must(agn_distribution_relaxed_categorical(&rare, logits, x, NULL));
    agn_release(logits);
    ok(refused(agn_distribution_cdf(&y, rare, x), AGN_EUNSUPPORTED, "distribution_cdf", "relaxed", NULL, y) &&
       refused(agn_distribution_icdf(&y, rare, x), AGN_EUNSUPPORTED, "distribution_icdf", "relaxed", NULL, y) &&
       refused(agn_distribution_mode(&y, flat), AGN_EUNSUPPORTED, "distribution_mode", "uniform", NULL, y) &&
       refused(agn_distribution_entropy(&y, rare), AGN_EUNSUPPORTED, "distribution_entropy", "relaxed", NULL, y),
       "no formula");
    agn_distribution_release(rare);
    ok(refused(agn_distribution_mode(NULL, d), AGN_ENULL, "distribution_mode", "out", NULL, y) &&
       refused(agn_distribution_mode(&y, NULL), AGN_ENULL, "distribution_mode", "d is", NULL, y), "mode: NULL");
    ok(refused(agn_distribution_bounds(NULL, &y, d), AGN_ENULL, "distribution_bounds", "low", NULL, y) &&
       refused(agn_distribution_bounds(&low, NULL, d), AGN_ENULL, "distribution_bounds", "high", NULL, low) &&
       refused(agn_distribution_bounds(&low, &y, NULL), AGN_ENULL, "distribution_bounds", "d is", NULL, y), "bounds: NULL");
    ok(refused(agn_distribution_kl_monte_carlo(&y, d, d, NULL, 1), AGN_ENULL, "distribution_kl_monte_carlo", "key", NULL, y) &&
       refused(agn_distribution_kl_monte_carlo(&y, NULL, d, key, 1), AGN_ENULL, "distribution_kl_monte_carlo", "p is", NULL, y) &&
       refused(agn_distribution_kl_monte_carlo(&y, d, d, key, 0), AGN_EARG, "distribution_kl_monte_carlo", "n is 0", NULL, y),
       "Monte Carlo: refused");
    ok(agn_distribution_event_ndim(NULL) == -1 && !agn_distribution_event_shape(NULL) && !agn_distribution_name(NULL) &&
       agn_distribution_support(NULL) == AGN_SUPPORT_NONE && agn_distribution_event_ndim(d) == 0 &&
       agn_distribution_event_shape(d) && agn_distribution_support(d) == AGN_SUPPORT_REAL, "accessors");
    agn_release(x);
    agn_release(key);
    agn_distribution_release(d);
    agn_distribution_release(flat);
}

/* ---- which law has what ------------------------------------------------------------------------ */

/* What a law is asked for and refuses, with the reason; paths of whole numbers aside. What is not here
   has to be there, and what is here has to be refused. */
static const struct {
    const char *law, *cells;
} refusals[] = {
    {"uniform", "mode"},                  /* all numbers are as likely */
    {"arcsine", "mode"},                  /* both ends are */
};
static bool is_refused(const char *name, const char *cell)
{
    char word[40];
    snprintf(word, sizeof word, " %s ", cell);
    for (int i = 0; i < COUNT(refusals); i++) {
        char all[120];
        snprintf(all, sizeof all, " %s ", refusals[i].cells);
        if (!strcmp(refusals[i].law, name) && strstr(all, word))
            return true;
    }
    return false;
}
static void test_cells(void)
{
    static const struct {
        const char *name;
        at_x *at;
        of_parameters *of;
    } cells[] = {{"log_prob", agn_distribution_log_prob, NULL},
                 {"cdf", agn_distribution_cdf, NULL},
                 {"log_cdf", agn_distribution_log_cdf, NULL},
                 {"survival", agn_distribution_survival, NULL},
                 {"log_survival", agn_distribution_log_survival, NULL},
                 {"icdf", agn_distribution_icdf, NULL},
                 {"mean", NULL, agn_distribution_mean},
                 {"variance", NULL, agn_distribution_variance},
                 {"mode", NULL, agn_distribution_mode},
                 {"entropy", NULL, agn_distribution_entropy}};
    for (int k = 0; k < COUNT(laws); k++) {
        tally t = {0, 0};
        const law *l = &laws[k];
        agn_distribution *d = of_numbers(l->name, AGN_F64, l->at);
        agn_tensor *x = scalar_of(AGN_F64, 0.3);
        for (int c = 0; c < COUNT(cells); c++) {
            agn_tensor *y = NULL;
            agn_status st = cells[c].at ? cells[c].at(&y, d, x) : cells[c].of(&y, d);
            bool none = is_refused(l->name, cells[c].name);
            if (none)
                diag("%s has no %s", l->name, cells[c].name);
            check(&t, st == (none ? AGN_EUNSUPPORTED : AGN_OK), "%s: %s", cells[c].name, agn_status_name(st));
            if (!st)
                agn_release(y);
        }
        agn_release(x);
        agn_distribution_release(d);
        tell(&t, "%s: what it has and what it refuses", l->name);
    }
}

/* the most likely number: no other is likelier */
static void test_modes(void)
{
    for (int k = 0; k < COUNT(laws); k++) {
        const law *l = &laws[k];
        tally t = {0, 0};
        for (int round = 0; round < 3; round++) {
            static const double scale[] = {1, 0.31, 2.9};
            double p[4];
            for (int i = 0; i < 4; i++) {
                bool keep = strstr("loc low high peak probs gate alpha beta gamma", l->param[i] ? l->param[i] : "loc");
                p[i] = keep ? l->at[i] : l->at[i] * scale[round];
                if (l->param[i] && !strcmp(l->param[i], "total_count") && strstr(l->name, "binomial") &&
                    !strstr(l->name, "negative"))
                    p[i] = ceil(p[i]);
            }
            if (!strcmp(l->name, "zipf"))
                p[0] = l->at[0] + round;
            agn_distribution *d = of_numbers(l->name, AGN_F64, p);
            double mode = moment(agn_distribution_mode, d);
            if (mode != NONE && isfinite(mode)) {
                double top = value_at(agn_distribution_log_prob, d, mode);
                for (int j = -40; j <= 40; j++) {
                    double x = l->discrete ? mode + j : mode + 0.05 * j * p[l->n > 1 && !strcmp(l->param[0], "loc")];
                    double other = value_at(agn_distribution_log_prob, d, x);
                    check(&t, !(other > top + 1e-12 * (1 + fabs(top))), "%s: %g at %g, %g at the mode %g", l->name,
                          other, x, top, mode);
                }
            }
            agn_distribution_release(d);
        }
        if (t.checks)
            tell(&t, "%s: nothing is likelier than the mode", l->name);
    }
}

int main(void)
{
    test_cells();
    test_modes();
    test_answers();
    test_expectations();
    test_wide_counts();
    test_quantiles();
    test_stable();
    test_ends();
    test_samples();
    test_derivatives();
    test_far_answers();
    test_tables();
    if (tap_quick()) { /* sanitized builds meet the same code in samples and derivatives */
        diag("not tried in short runs: expectations of paths and scores, divergences");
    } else {
        test_paths_and_scores();
        test_kl();
    }
    test_refused();
    return done();
}
