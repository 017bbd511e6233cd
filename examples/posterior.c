/* posterior.c - from a density to a posterior: deaths by the kick of a horse in 200 years of
   Prussian corps (Bortkiewicz 1898), one rate with an exponential prior. The posterior is a gamma
   law, so that each step has an exact answer: the density and its gradient, the mode with evidence,
   draws, what is predicted. With an argument a picture is written there. */
#include "chart.h"
#include <agnesi/agnesi.h>
#include <agnesi/infer.h>
#include <agnesi/infer_approximation.h>
#include <agnesi/infer_check.h>

enum { CORPS = 200, DEATHS = 122, KINDS = 5, GRID = 101 };
static const int years_with[KINDS] = {109, 65, 22, 3, 1}; /* 0, 1, ... deaths */
static const int64_t corps = CORPS;

static const agn_tensor *deaths(agn_scope *s)
{
    double y[CORPS];
    for (int k = 0, i = 0; k < KINDS; k++)
        for (int m = 0; m < years_with[k]; m++)
            y[i++] = k;
    return ag_from_host(s, AGN_F64, 1, &corps, y);
}
/* the body of the model: a parameter with its prior, and what is seen of it */
static agn_status kicks(void *user, agn_scope *s, agn_model_trace *t)
{
    (void)user;
    const agn_tensor *rate = agn_model_parameter(
        s, t, "rate", ag_distribution_exponential(s, ag_lit(s, 1), NULL), 0, NULL);
    agn_model_observe(s, t, ag_distribution_poisson(s, rate, NULL), deaths(s));
    return agn_scope_status(s);
}
/* part of the years without a death */
static agn_status quiet(void *user, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    (void)user;
    out[0] = ag_mean(s, ag_cast(s, ag_lt(s, in[0], ag_lit(s, 0.5)), AGN_F64), NULL, 0, false);
    return agn_scope_status(s);
}

/* 1. a function of the unconstrained number u = log rate, with derivatives: at u = 0 the slope is
   deaths + 1 - corps - 1 */
static agn_status density(const agn_model *m)
{
    agn_fn *f = NULL, *df = NULL;
    agn_tensor *u = NULL, *y[2] = {NULL, NULL};
    agn_status st = agn_model_log_density(&f, m);
    st = st ? st : agn_fn_value_and_grad(&df, f, NULL, 1);
    st = st ? st : agn_zeros(&u, AGN_F64, 1, (const int64_t[]){1});
    st = st ? st : agn_fn_call(y, 2, df, AGN_ARGS(u));
    if (!st)
        printf("1. slope of the log density at rate 1: %.0f, exactly %d\n",
               *(const double *)agn_data(y[1]), DEATHS + 1 - CORPS - 1);
    agn_fn_release(f);
    agn_fn_release(df);
    agn_release(u);
    agn_release(y[0]);
    agn_release(y[1]);
    return st;
}
/* 2. mode and curvature: a normal law, and an evidence */
static agn_status approximation(const agn_model *m)
{
    agn_tensor *mode = NULL, *scale = NULL;
    double evidence = 0, exact = lgamma(DEATHS + 1) - (DEATHS + 1) * log(CORPS + 1);
    for (int k = 0; k < KINDS; k++)
        exact -= years_with[k] * lgamma(k + 1);
    agn_status st = agn_infer_laplace(&mode, &scale, &evidence, m, NULL);
    if (!st) {
        printf("2. mode of log rate %.4f, exactly %.4f\n", *(const double *)agn_data(mode),
               log((DEATHS + 1.0) / (CORPS + 1)));
        printf("   log evidence %.3f, exactly %.3f\n", evidence, exact);
    }
    agn_release(mode);
    agn_release(scale);
    return st;
}
static void draw(const char *path, const double *rate, int64_t n)
{
    chart c = {picture_open(path, 640, 300), 50, 25, 570, 240, 0.4, 0.85, 0, 8};
    double x[GRID], y[GRID], height[45] = {0};
    const double a = DEATHS + 1, b = CORPS + 1, wide = 0.01;
    for (int64_t i = 0; i < n; i++)
        if (rate[i] > 0.4 && rate[i] < 0.85)
            height[(int)((rate[i] - 0.4) / wide)] += 1 / (wide * (double)n);
    for (int i = 0; i < GRID; i++) {
        x[i] = 0.4 + 0.0045 * i;
        y[i] = exp(a * log(b) + (a - 1) * log(x[i]) - b * x[i] - lgamma(a));
    }
    for (int i = 0; i < 45; i++) {
        double ends[2] = {0.4 + wide * i, 0.4 + wide * (i + 1)}, none[2] = {0, 0};
        chart_band(&c, 2, ends, none, (const double[]){height[i], height[i]}, CHART_PALE);
    }
    chart_frame(&c, "deaths a year of a corps: draws and the exact posterior");
    chart_curve(&c, GRID, x, y, CHART_RED);
    picture_close(c.f);
}
/* 3. draws, and whether they are worth anything */
static agn_status sampling(const agn_model *m, const agn_dict *draws, const char *path)
{
    agn_tensor *rate = NULL, *mean = NULL, *rhat = NULL, *error = NULL, *seen = NULL, *later = NULL;
    agn_dict *data = NULL;
    agn_fn *f = NULL;
    double p = 0;
    agn_scope *s = agn_scope_open(NULL);
    agn_status st = agn_dict_get(&rate, draws, "rate");
    st = st ? st : agn_mean(&mean, rate, NULL, 0, false);
    st = st ? st : agn_infer_rhat(&rhat, rate);
    st = st ? st : agn_infer_mcse(&error, rate);
    if (!st) {
        double off = fabs(*(const double *)agn_data(mean) - (DEATHS + 1.0) / (CORPS + 1));
        printf("3. mean rate %.2f, %s four standard errors of the exact one; R-hat %s 1.01\n",
               *(const double *)agn_data(mean),
               off < 4 * *(const double *)agn_data(error) ? "within" : "beyond",
               *(const double *)agn_data(rhat) < 1.01 ? "below" : "above");
        if (path)
            draw(path, agn_data(rate), agn_numel(rate));
    }
    /* 4. data as the model would give them: are years without a death as frequent? */
    st = st ? st : agn_infer_predict(&data, m, draws, 0, 7);
    st = st ? st : agn_dict_get(&later, data, agn_dict_name(data, 0));
    st = st ? st : agn_fn_new(&f, quiet, NULL, NULL, 1, 1);
    agn_scope_return(s, &seen, deaths(s));
    agn_scope_fail(s, st);
    st = agn_scope_close(s);
    st = st ? st : agn_infer_predictive_check(&p, later, seen, f);
    if (!st)
        printf("4. years without a death: as many or more in about %.1f of predictions\n", p);
    agn_tensor *const all[] = {rate, mean, rhat, error, seen, later};
    for (int i = 0; i < 6; i++)
        agn_release(all[i]);
    agn_dict_release(data);
    agn_fn_release(f);
    return st;
}

int main(int argc, char **argv)
{
    agn_model *m = NULL;
    agn_dict *draws = NULL;
    agn_nuts_options opts = {.size = sizeof opts, .draws = 4000, .seed = 1898};
    agn_status st = agn_model_new(&m, kicks, NULL, NULL);
    st = st ? st : density(m);
    st = st ? st : approximation(m);
    st = st ? st : agn_infer_nuts(&draws, m, &opts);
    st = st ? st : sampling(m, draws, argc > 1 ? argv[1] : NULL);
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    agn_dict_release(draws);
    agn_model_release(m);
    return st != AGN_OK;
}
