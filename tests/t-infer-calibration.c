/* Calibration by simulation (Talts & al. 2018) over six models: supports of all reals, of one side, of an interval;
   levels, counts, classes, heavy tails. What a sampler says where data are NaN. */
#include "tests/infer.h"

#include <agnesi/univariate_laws.h>


static const int64_t sizes[] = {3, 8, 10, 30};
static T data(agn_scope *s, int size, double v)
{
    return ag_full(s, AGN_F64, 1, &sizes[size], v);
}
static const agn_distribution *normal(agn_scope *s, double mean, double sd)
{
    return ag_distribution_normal(s, number(s, mean), number(s, sd), NULL);
}
static T one(agn_scope *s, agn_model_trace *t, const char *name, const agn_distribution *d)
{
    return agn_model_parameter(s, t, name, d, 0, NULL);
}
static T positive(agn_scope *s, agn_model_trace *t, const char *name, double by)
{
    return one(s, t, name, ag_distribution_half_normal(s, number(s, by), NULL));
}

static agn_status location_body(void *user, agn_scope *s, agn_model_trace *t)
{
    (void)user;
    T mu = one(s, t, "mu", normal(s, 0, 1)), sigma = positive(s, t, "sigma", 1);
    agn_model_observe(s, t, ag_distribution_student_t(s, number(s, 5), mu, sigma, NULL), data(s, 2, 0));
    return agn_scope_status(s);
}
static agn_status levels_body(void *user, agn_scope *s, agn_model_trace *t)
{
    (void)user;
    T mu = one(s, t, "mu", normal(s, 0, 3)), tau = positive(s, t, "tau", 2);
    T eta = agn_model_parameter(s, t, "eta", normal(s, 0, 1), 1, &sizes[1]);
    T theta = ag_add(s, mu, ag_mul(s, tau, eta));
    agn_model_observe(s, t, ag_distribution_normal(s, theta, number(s, 1.5), NULL), data(s, 1, 0));
    return agn_scope_status(s);
}
static agn_status counts_body(void *user, agn_scope *s, agn_model_trace *t)
{
    (void)user;
    T shape = one(s, t, "shape", ag_distribution_gamma(s, number(s, 3), number(s, 1), NULL));
    T rate = one(s, t, "rate", ag_distribution_log_normal(s, number(s, 0), number(s, 0.5), NULL));
    T odds = ag_div(s, rate, ag_add(s, rate, shape)); /* a negative binomial law of mean rate */
    agn_model_observe(s, t, ag_distribution_negative_binomial(s, shape, odds, NULL), data(s, 3, 1));
    return agn_scope_status(s);
}
static agn_status share_body(void *user, agn_scope *s, agn_model_trace *t)
{
    (void)user;
    T low = one(s, t, "low", ag_distribution_uniform(s, number(s, -2), number(s, 0.5), NULL));
    T p = one(s, t, "p", ag_distribution_beta(s, number(s, 2), number(s, 3), NULL));
    agn_model_observe(s, t, ag_distribution_binomial(s, number(s, 9), p, NULL), data(s, 0, 3));
    agn_model_observe(s, t, ag_distribution_normal(s, low, p, NULL), data(s, 0, 0));
    return agn_scope_status(s);
}
static agn_status logistic_body(void *user, agn_scope *s, agn_model_trace *t)
{
    (void)user;
    double x[90];
    for (int i = 0; i < 90; i++)
        x[i] = i % 3 == 0 ? 1 : sin(1.7 * i);
    T b = agn_model_parameter(s, t, "b", normal(s, 0, 1.5), 1, &sizes[0]);
    T eta = ag_matmul(s, ag_from_host(s, AGN_F64, 2, (int64_t[]){30, 3}, x), b);
    agn_model_observe(s, t, ag_distribution_bernoulli_logits(s, eta, NULL), data(s, 3, 1));
    return agn_scope_status(s);
}
static agn_status line_body(void *user, agn_scope *s, agn_model_trace *t)
{
    (void)user;
    T a = one(s, t, "a", ag_distribution_student_t(s, number(s, 4), number(s, 0), number(s, 1), NULL));
    T b = one(s, t, "b", ag_distribution_laplace(s, number(s, 0), number(s, 1), NULL));
    T tau = one(s, t, "tau", ag_distribution_gamma(s, number(s, 2), number(s, 1), NULL));
    T x = ag_arange(s, AGN_F64, -1, 1.9, 0.1), sd = ag_reciprocal(s, ag_sqrt(s, tau));
    T mean = ag_add(s, a, ag_mul(s, b, x));
    agn_model_observe(s, t, ag_distribution_normal(s, mean, sd, NULL), ag_zeros_like(s, x));
    return agn_scope_status(s);
}
static agn_status lost_body(void *user, agn_scope *s, agn_model_trace *t)
{
    (void)user;
    T mu = one(s, t, "mu", normal(s, 0, 1));
    double v[] = {1, (double)NAN, 2};
    agn_model_observe(s, t, ag_distribution_normal(s, mu, number(s, 1), NULL), ag_from_host(s, AGN_F64, 1, &sizes[0], v));
    return agn_scope_status(s);
}

int main(void)
{
    static const struct {
        const char *name;
        agn_model_body *body;
        int64_t ranks;
    } models[] = {{"Student's location and scale", location_body, 2}, {"levels", levels_body, 10},
                  {"negative binomial counts", counts_body, 2},       {"shares and an interval", share_body, 2},
                  {"logistic regression", logistic_body, 3},          {"a line and a precision", line_body, 3}};
    for (int k = 0; k < COUNT(models); k++) {
        agn_model *m = model(models[k].body);
        agn_nuts_options by = {.size = sizeof by, .warmup = 200, .target_accept = 0.9};
        agn_sbc_options o = {.size = sizeof o, .simulations = 200, .ranks = 39, .thin = 4, .seed = 7, .sampler = &by};
        agn_tensor *ranks = NULL, *p = NULL;
        must(agn_infer_sbc(&ranks, m, &o));
        must(agn_infer_sbc_check(&p, ranks, 39, 10));
        double least = 1;
        for (int64_t i = 0; i < agn_numel(p); i++)
            least = fmin(least, peek(p, i));
        /* 22 numbers: below 2e-4 once in 200 seeds */
        ok(has_shape(ranks, 2, (int64_t[]){200, models[k].ranks}) && least > 2e-4, "%s: ranks of %d numbers are even, %g at least",
           models[k].name, (int)agn_numel(p), least);
        agn_release(ranks);
        agn_release(p);
        agn_model_release(m);
    }
    agn_model *m = model(lost_body);
    agn_dict *d = NULL;
    ok(refused(agn_infer_nuts(&d, m, NULL), AGN_EDOMAIN, "infer_nuts", "chain 0", "no start", untouched) && !d, "data of NaN: %s",
       agn_error_message());
    agn_model_release(m);
    return done();
}
