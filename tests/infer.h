/* tests/infer.h - models whose posteriors are known, and moments of draws. */
#ifndef AGN_TEST_INFER_H
#define AGN_TEST_INFER_H

#include "tests/laws.h"
#include <agnesi/infer.h>
#include <agnesi/infer_approximation.h>
#include <agnesi/infer_check.h>
#include <agnesi/infer_samplers.h>

typedef const agn_tensor *T;
typedef agn_status law2(agn_distribution **out, T a, T b, const agn_distribution_options *opts);
static inline const agn_distribution *law_of(agn_scope *s, law2 *law, T a, T b)
{
    agn_distribution *d = NULL;
    agn_status st = agn_scope_status(s);
    st = st ? st : law(&d, a, b, NULL);
    return agn_distribution_adopt(s, st, &d);
}
static inline T number(agn_scope *s, double v)
{
    return ag_full(s, AGN_F64, 0, NULL, v);
}
static inline agn_model *model(agn_model_body *body)
{
    agn_model *m;
    must(agn_model_new(&m, body, NULL, NULL));
    return m;
}
static inline agn_tensor *quantity(const agn_dict *d, const char *name)
{
    agn_tensor *x;
    must(agn_dict_get(&x, d, name));
    return x;
}
static inline double only(const agn_dict *d, const char *name)
{
    agn_tensor *x = quantity(d, name);
    double v = peek(x, 0);
    agn_release(x);
    return v;
}
/* mean and variance of one number of a quantity [chains, draws, ...] */
static inline void moments(const agn_dict *d, const char *name, int64_t at, double *mean, double *variance)
{
    agn_tensor *x = quantity(d, name);
    int64_t n = agn_shape(x)[0] * agn_shape(x)[1], each = agn_numel(x) / n;
    *mean = *variance = 0;
    for (int64_t i = 0; i < n; i++)
        *mean += peek(x, i * each + at) / (double)n;
    for (int64_t i = 0; i < n; i++)
        *variance += pow(peek(x, i * each + at) - *mean, 2) / (double)n;
    agn_release(x);
}
/* within limits that follow from the effective draws, R-hat below 1.02 */
static inline void check_known(tally *t, const agn_dict *d, const char *name, int64_t at, double mean, double variance)
{
    double m, v;
    agn_tensor *x = quantity(d, name), *ess = NULL, *rhat = NULL;
    must(agn_infer_ess_bulk(&ess, x));
    must(agn_infer_rhat(&rhat, x));
    moments(d, name, at, &m, &v);
    double n = peek(ess, at), r = peek(rhat, at);
    check(t, n > 150 && r < 1.03, "%s[%d]: %g effective draws, R-hat %g", name, (int)at, n, r);
    check(t, fabs(m - mean) < 5 * sqrt(variance / n), "%s[%d]: mean %g, not %g", name, (int)at, m, mean);
    check(t, fabs(v / variance - 1) < 14 / sqrt(n), "%s[%d]: variance %g, not %g", name, (int)at, v, variance);
    agn_release(x);
    agn_release(ess);
    agn_release(rhat);
}

/* rows of a normal mean of two: posterior N(1.6, 1/5) and, independent of it, a positive number Gamma(3 + 5, 2 + 10)
   given five exponential waiting times of sum 10. log p(data) is known. */
static inline agn_status known_body(void *user, agn_scope *s, agn_model_trace *t)
{
    (void)user;
    static const int64_t four = 4, five = 5;
    T y = ag_from_host(s, AGN_F64, 1, &four, (const double[]){1.2, 0.7, 2.9, 3.2});
    T w = ag_from_host(s, AGN_F64, 1, &five, (const double[]){1, 2, 3, 0.5, 3.5});
    T mu = agn_model_parameter(s, t, "mu", law_of(s, agn_distribution_normal, number(s, 0), number(s, 1)), 0, NULL);
    T rate = agn_model_parameter(s, t, "rate", law_of(s, agn_distribution_gamma, number(s, 3), number(s, 2)), 0, NULL);
    agn_model_observe(s, t, law_of(s, agn_distribution_normal, mu, number(s, 1)), y);
    agn_distribution *d = NULL;
    agn_status st = agn_scope_status(s);
    st = st ? st : agn_distribution_exponential(&d, rate, NULL);
    agn_model_observe(s, t, agn_distribution_adopt(s, st, &d), w);
    return agn_scope_status(s);
}
static inline void check_posterior(const agn_dict *d, const char *what)
{
    tally t = {0, 0};
    check_known(&t, d, "mu", 0, 1.6, 0.2);
    check_known(&t, d, "rate", 0, 8.0 / 12, 8.0 / 144);
    tell(&t, "%s: a posterior that is known", what);
}
/* log of the integral over both: a normal vector of covariance 1 + 1 1^T, and Gamma(3, 2) to Gamma(8, 12) */
static inline double known_evidence(void)
{
    const double y[4] = {1.2, 0.7, 2.9, 3.2};
    double sum = 0, square = 0;
    for (int i = 0; i < 4; i++) {
        sum += y[i];
        square += y[i] * y[i];
    }
    return -2 * log(6.283185307179586) - 0.5 * log(5) - 0.5 * (square - sum * sum / 5) + 3 * log(2) - lgamma(3) +
           lgamma(8) - 8 * log(12);
}
static inline bool same_points(const agn_dict *a, const agn_dict *b)
{
    agn_tensor *x = quantity(a, "sampler/point"), *y = quantity(b, "sampler/point");
    bool same = same_values(x, y);
    agn_release(x);
    agn_release(y);
    return same;
}

#endif
