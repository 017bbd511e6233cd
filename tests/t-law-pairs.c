/* t-law-pairs - divergences of laws of different kinds against quadrature by mpmath (tests/data/make-law-pairs.py), infinite
   ones, their derivatives; cdfs of Skellam and beta-binomial laws against sums of exact terms
   (tests/data/make-cumulative.py); quantiles of mixtures by their cdf. */
#include "tests/laws.h"

#include <agnesi/compound_laws.h>
#include <agnesi/univariate_laws.h>

typedef const agn_tensor *T;

static agn_status make(agn_distribution **out, const char *name, T const *p)
{
#define TWO(law)             \
    if (!strcmp(name, #law)) \
        return agn_distribution_##law(out, p[0], p[1], NULL);
#define ONE(law)             \
    if (!strcmp(name, #law)) \
        return agn_distribution_##law(out, p[0], NULL);
    TWO(normal) TWO(gumbel) TWO(gamma) TWO(beta) TWO(pareto) TWO(uniform) TWO(laplace) ONE(exponential)
    ONE(continuous_bernoulli) ONE(bernoulli) ONE(poisson) TWO(binomial)
    bail_out("no law %s", name);
    return AGN_EARG;
}

typedef struct pair {
    const char *p, *q;
    double a[2], b[2], kl;
} pair;
static const pair pairs[] = {
#include "tests/data/law-pairs.inc"
};

static agn_status divergence(void *user, agn_scope *s, T const *in, T *out)
{
    const pair *r = user;
    agn_distribution *p = NULL, *q = NULL;
    agn_status st = make(&p, r->p, in);
    const agn_distribution *a = agn_distribution_adopt(s, st, &p);
    st = agn_scope_status(s);
    st = st ? st : make(&q, r->q, in + 2);
    out[0] = ag_distribution_kl(s, a, agn_distribution_adopt(s, st, &q));
    return agn_scope_status(s);
}
static double value_of(const pair *r)
{
    agn_fn *f = NULL;
    agn_tensor *in[4], *y = NULL;
    for (int i = 0; i < 4; i++)
        in[i] = scalar_of(AGN_F64, i < 2 ? r->a[i] : r->b[i - 2]);
    must(agn_fn_new(&f, divergence, (void *)(uintptr_t)r, NULL, 4, 1));
    must(agn_fn_call(&y, 1, f, (T const *)in, 4));
    double v = peek(y, 0);
    agn_release(y);
    agn_fn_release(f);
    for (int i = 0; i < 4; i++)
        agn_release(in[i]);
    return v;
}

static void test_pairs(void)
{
    for (int k = 0; k < COUNT(pairs); k++) {
        const pair *r = &pairs[k];
        double v = value_of(r);
        ok(fabs(v - r->kl) <= 4e-15 * (1 + fabs(r->kl)) * 4, "%s from %s: %.17g, %.17g by quadrature", r->q, r->p, v, r->kl);
        agn_fn *f = NULL;
        agn_tensor *in[4];
        for (int i = 0; i < 4; i++)
            in[i] = scalar_of(AGN_F64, i < 2 ? r->a[i] : r->b[i - 2]);
        must(agn_fn_new(&f, divergence, (void *)(uintptr_t)r, NULL, 4, 1));
        agn_check_options o = {.size = sizeof o, .orders = 2, .tolerance = 2e-7, .step = 1e-3,
                               .modes = AGN_CHECK_FORWARD | AGN_CHECK_REVERSE | AGN_CHECK_TAYLOR | AGN_CHECK_PLAN |
                                        AGN_CHECK_LANES};
        agn_status st = agn_check_grads(NULL, f, (T const *)in, 4, &o);
        ok(!st, "derivatives of %s from %s: %s", r->q, r->p, st ? agn_error_message() : "in all modes");
        agn_fn_release(f);
        for (int i = 0; i < 4; i++)
            agn_release(in[i]);
    }
}

/* p has numbers that q has not */
static void test_infinite(void)
{
    static const char *const six[] = {"beta", "continuous_bernoulli", "exponential", "gamma", "pareto", "uniform"};
    static const pair others[] = {
        {"beta", "pareto", {2, 3}, {0.1, 2}, 0},        {"continuous_bernoulli", "pareto", {0.3, 0}, {0.1, 2}, 0},
        {"exponential", "beta", {1, 0}, {2, 3}, 0},     {"exponential", "continuous_bernoulli", {1, 0}, {0.3, 0}, 0},
        {"exponential", "pareto", {1, 0}, {0.1, 3}, 0}, {"exponential", "uniform", {1, 0}, {-1, 90}, 0},
        {"gamma", "beta", {1, 2}, {2, 3}, 0},           {"gamma", "continuous_bernoulli", {1, 2}, {0.3, 0}, 0},
        {"gamma", "pareto", {1, 2}, {0.1, 3}, 0},       {"gamma", "uniform", {1, 2}, {-1, 90}, 0},
        {"pareto", "beta", {0.5, 2}, {2, 3}, 0},        {"pareto", "continuous_bernoulli", {0.5, 2}, {0.3, 0}, 0},
        {"pareto", "uniform", {0.5, 2}, {0, 90}, 0},    {"poisson", "bernoulli", {2, 0}, {0.3, 0}, 0},
        {"poisson", "binomial", {2, 0}, {90, 0.3}, 0},
        /* uniform numbers beyond an end */
        {"uniform", "beta", {-0.1, 0.5}, {2, 3}, 0},    {"uniform", "beta", {0.5, 1.1}, {2, 3}, 0},
        {"uniform", "gamma", {-0.1, 0.5}, {2, 3}, 0},   {"uniform", "exponential", {-0.1, 0.5}, {2, 0}, 0},
        {"uniform", "pareto", {0.1, 0.5}, {0.2, 3}, 0}, {"uniform", "continuous_bernoulli", {0.1, 1.5}, {0.2, 0}, 0},
        {"beta", "uniform", {2, 3}, {0.1, 2}, 0},       {"beta", "uniform", {2, 3}, {-1, 0.9}, 0},
        {"continuous_bernoulli", "uniform", {0.2, 0}, {0.1, 2}, 0},
    };
    int wrong = 0, seen = 0;
    for (int k = 0; k < COUNT(others); k++, seen++)
        wrong += value_of(&others[k]) != (double)INFINITY;
    static const char *const line[] = {"normal", "gumbel", "laplace"};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 6; k++, seen++)
            wrong += value_of(&(pair){line[i], six[k], {0.5, 0.1}, {0.1, 0.9}, 0}) != (double)INFINITY;
    is_int(wrong, 0, "%d infinite divergences", seen);
}

/* ---- cdfs ------------------------------------------------------------------------------------------ */

typedef struct cumulative {
    int law, x;
    double at[3], cdf, survival;
} cumulative;
static const cumulative answers[] = {
#include "tests/data/cumulative.inc"
};
static void test_cumulative(void)
{
    for (int k = 0; k < COUNT(answers); k++) {
        const cumulative *r = &answers[k];
        agn_tensor *p[3], *x = scalar_of(AGN_F64, r->x), *y = NULL, *z = NULL;
        for (int i = 0; i < 3; i++)
            p[i] = scalar_of(AGN_F64, r->at[i]);
        agn_distribution *d = NULL;
        must(r->law ? agn_distribution_beta_binomial(&d, p[0], p[1], p[2], NULL)
                    : agn_distribution_skellam(&d, p[0], p[1], NULL));
        must(agn_distribution_cdf(&y, d, x));
        must(agn_distribution_survival(&z, d, x));
        double a = fabs(peek(y, 0) / r->cdf - 1), b = fabs(peek(z, 0) / r->survival - 1);
        ok(a < 1e-11 && b < 1e-11, "%s at %d: cdf %.17g, %.2g off; survival %.17g, %.2g off",
           r->law ? "beta-binomial" : "Skellam", r->x, peek(y, 0), a, peek(z, 0), b);
        agn_distribution_release(d);
        agn_release(x);
        agn_release(y);
        agn_release(z);
        for (int i = 0; i < 3; i++)
            agn_release(p[i]);
    }
}

/* ---- quantiles of a mixture -------------------------------------------------------------------------- */

static agn_status quantile(void *user, agn_scope *s, T const *in, T *out)
{
    (void)user;
    const agn_distribution *d = ag_distribution_mixture(s, in[1], ag_distribution_normal(s, in[2], in[3], NULL), NULL);
    out[0] = ag_distribution_icdf(s, d, in[0]);
    return agn_scope_status(s);
}
static void test_mixture(void)
{
    const double w[] = {0.2, -0.7, 1.1}, loc[] = {-3, 0.5, 2.25}, scale[] = {0.5, 2, 0.25};
    const double p[] = {1e-300, 1e-12, 0.03, 0.2, 0.5, 0.83, 0.999999, 0, 1, -1, 2};
    const int64_t three = 3, many = COUNT(p);
    agn_tensor *in[4] = {NULL}, *y = NULL, *back = NULL;
    must(agn_from_host(&in[0], AGN_F64, 1, &many, p));
    must(agn_from_host(&in[1], AGN_F64, 1, &three, w));
    must(agn_from_host(&in[2], AGN_F64, 1, &three, loc));
    must(agn_from_host(&in[3], AGN_F64, 1, &three, scale));
    agn_distribution *parts = NULL, *d = NULL;
    must(agn_distribution_normal(&parts, in[2], in[3], NULL));
    must(agn_distribution_mixture(&d, in[1], parts, NULL));
    must(agn_distribution_icdf(&y, d, in[0]));
    must(agn_distribution_cdf(&back, d, y));
    double worst = 0;
    for (int i = 0; i < 7; i++)
        worst = fmax(worst, fabs(peek(back, i) / p[i] - 1));
    ok(worst < 1e-11, "the cdf of quantiles: %.2g off", worst);
    /* scipy.optimize.brentq of the sum of scipy.stats.norm.cdf, SciPy 1.17 (tests/data/make-mixture-quantiles.py) */
    static const double want[] = {
#include "tests/data/mixture-quantiles.inc"
    };
    worst = 0;
    for (int i = 1; i < 6; i++)
        worst = fmax(worst, fabs(peek(y, i) - want[i - 1]));
    ok(worst < 1e-12, "quantiles of SciPy: %.2g off", worst);
    /* half a step of p next to 1, 5.6e-17, over a density of 1e-5 or less */
    ok(fabs(peek(y, 6) - want[5]) < 1e-9, "next to 1: %.2g off", fabs(peek(y, 6) - want[5]));
    ok(peek(y, 7) == -(double)INFINITY && peek(y, 8) == (double)INFINITY && isnan(peek(y, 9)) && isnan(peek(y, 10)),
       "0, 1 and what is no probability");
    agn_release(in[0]);
    in[0] = scalar_of(AGN_F64, 0.3);
    agn_fn *f = NULL;
    must(agn_fn_new(&f, quantile, NULL, NULL, 4, 1));
    agn_check_options o = {.size = sizeof o, .orders = 2, .tolerance = 1e-6, .step = 2e-3,
                           .modes = AGN_CHECK_FORWARD | AGN_CHECK_REVERSE | AGN_CHECK_TAYLOR | AGN_CHECK_PLAN};
    agn_status st = agn_check_grads(NULL, f, (T const *)in, 4, &o);
    ok(!st, "derivatives of quantiles: %s", st ? agn_error_message() : "in p, weights and parts");
    agn_fn_release(f);
    agn_distribution_release(d);
    agn_distribution_release(parts);
    agn_release(y);
    agn_release(back);
    for (int i = 0; i < 4; i++)
        agn_release(in[i]);
}

int main(void)
{
    test_pairs();
    test_infinite();
    test_cumulative();
    test_mixture();
    return done();
}
