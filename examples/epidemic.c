/* epidemic.c - Poisson regression by NUTS: deaths from AIDS in Australia by quarters of 1983 to
   mid-1986 (Whyte & al. 1987; Dobson 1990, 3.3). Growth by a factor in each quarter, or by a power
   of time? The largest likelihood is the published one; which model predicts better is told by
   leaving each quarter out. With an argument a picture is written there. */
#include "chart.h"
#include <agnesi/agnesi.h>
#include <agnesi/infer.h>
#include <agnesi/infer_check.h>
#include <agnesi/optim.h>

enum { QUARTERS = 14 };
static const double deaths[QUARTERS] = {0, 1, 2, 3, 1, 4, 9, 18, 23, 31, 20, 25, 37, 45};
static const int64_t quarters = QUARTERS;

static const agn_tensor *counts(agn_scope *s)
{
    return ag_from_host(s, AGN_F64, 1, &quarters, deaths);
}
/* minus the log likelihood of intercept and slope, up to a number */
static agn_status surprise(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    (void)user;
    const agn_tensor *z = ag_add(s, in[0], ag_mul(s, in[1], ag_arange(s, AGN_F64, 1, 15, 1)));
    out[0] = ag_sum_all(s, ag_sub(s, ag_exp(s, z), ag_mul(s, counts(s), z)));
    return agn_scope_status(s);
}
static agn_status most_likely(double *best)
{
    agn_fn *f = NULL;
    agn_tensor *zero = NULL, *at[2] = {NULL, NULL};
    agn_status st = agn_fn_new(&f, surprise, NULL, NULL, 2, 1);
    st = st ? st : agn_zeros(&zero, AGN_F64, 0, NULL);
    const agn_tensor *in[] = {zero, zero};
    agn_optim_options opts = {.size = sizeof opts, .gradient_tol = 1e-7};
    st = st ? st : agn_fn_minimise(at, 2, NULL, NULL, f, in, 2, AGN_OPTIM_BFGS, 200, &opts);
    for (int i = 0; i < 2; i++) {
        if (!st)
            best[i] = *(const double *)agn_data(at[i]);
        agn_release(at[i]);
    }
    agn_fn_release(f);
    agn_release(zero);
    return st;
}

/* log of the rate: level + slope x, x the quarter from the middle on, or the logarithm of the
   quarter */
static agn_status spread(void *by_power, agn_scope *s, agn_model_trace *t)
{
    const agn_tensor *zero = ag_lit(s, 0), *x = ag_arange(s, AGN_F64, 1, 15, 1);
    x = by_power ? ag_add_c(s, ag_log(s, x), -2) : ag_add_c(s, x, -7.5);
    const agn_tensor *level = agn_model_parameter(
        s, t, "level", ag_distribution_normal(s, zero, ag_lit(s, 5), NULL), 0, NULL);
    const agn_tensor *slope = agn_model_parameter(
        s, t, "slope", ag_distribution_normal(s, zero, ag_lit(s, 2), NULL), 0, NULL);
    const agn_tensor *rate = ag_exp(s, ag_add(s, level, ag_mul(s, slope, x)));
    agn_model_derived(s, t, "rate", rate);
    agn_model_observe(s, t, ag_distribution_poisson(s, rate, NULL), counts(s));
    return agn_scope_status(s);
}

typedef struct verdict {
    double slope, rhat, elpd, part[3 * QUARTERS];
} verdict;

/* the posterior of one model, and how well it predicts */
static agn_status judge(agn_scope *s, verdict *v, int *by_power)
{
    static const double q[] = {0.05, 0.5, 0.95};
    static const int32_t both[] = {0, 1};
    agn_model *m = NULL;
    agn_dict *d = NULL;
    agn_tensor *slope = NULL, *rate = NULL, *rhat = NULL, *log_lik = NULL, *elpd = NULL,
               *p_loo = NULL, *k = NULL;
    agn_nuts_options opts = {.size = sizeof opts, .draws = 4000, .seed = 1983};
    agn_status st = agn_model_new(&m, spread, by_power, NULL);
    st = st ? st : agn_infer_nuts(&d, m, &opts);
    st = st ? st : agn_dict_get(&slope, d, "slope");
    st = st ? st : agn_dict_get(&rate, d, "rate");
    st = st ? st : agn_infer_rhat(&rhat, slope);
    st = st ? st : agn_infer_log_likelihood(&log_lik, m, d);
    st = st ? st : agn_infer_loo(&elpd, &p_loo, &k, log_lik, 1);
    agn_release(p_loo);
    agn_release(k);
    agn_release(log_lik);
    agn_dict_release(d);
    agn_model_release(m);
    const agn_tensor *mean = ag_mean(s, agn_scope_adopt(s, st, &slope), NULL, 0, false);
    const agn_tensor *r = agn_scope_adopt(s, st, &rhat);
    const agn_tensor *sum = ag_sum_all(s, agn_scope_adopt(s, st, &elpd));
    const agn_tensor *part = ag_quantile(s, agn_scope_adopt(s, st, &rate), q, 3, both, 2, false,
                                         AGN_QUANTILE_LINEAR);
    st = agn_scope_status(s);
    if (!st) {
        v->slope = *(const double *)agn_data(mean);
        v->rhat = *(const double *)agn_data(r);
        v->elpd = *(const double *)agn_data(sum);
        for (int i = 0; i < 3 * QUARTERS; i++)
            v->part[i] = ((const double *)agn_data(part))[i];
    }
    return st;
}

static void draw(const char *path, const verdict *v)
{
    chart c = {picture_open(path, 640, 300), 50, 25, 570, 240, 0, 15, 0, 60};
    double at[QUARTERS];
    for (int i = 0; i < QUARTERS; i++)
        at[i] = i + 1;
    for (int k = 0; k < 2; k++)
        chart_band(&c, QUARTERS, at, v[k].part, v[k].part + 2 * QUARTERS,
                   k ? "#c8e6dc" : CHART_PALE);
    chart_frame(&c, "deaths by quarters: median and 90 % of the rate; blue: factor, green: power");
    for (int k = 0; k < 2; k++)
        chart_curve(&c, QUARTERS, at, v[k].part + QUARTERS, k ? CHART_GREEN : CHART_BLUE);
    for (int i = 0; i < QUARTERS; i++)
        chart_point(&c, at[i], deaths[i], 3, "black");
    picture_close(c.f);
}

int main(int argc, char **argv)
{
    static int yes = 1;
    double best[2] = {0, 0};
    static verdict v[2];
    agn_status st = most_likely(best);
    agn_scope *s = agn_scope_open(NULL);
    for (int k = 0; k < 2 && !st; k++)
        st = judge(s, &v[k], k ? &yes : NULL);
    if (!st) {
        printf("most likely: exp(%.4f + %.4f quarter)\n", best[0], best[1]);
        for (int k = 0; k < 2; k++)
            printf("%s: slope about %.1f, R-hat %s 1.01\n", k ? "power " : "factor", v[k].slope,
                   v[k].rhat < 1.01 ? "below" : "above");
        printf("the %s predicts better, by about %.0f\n",
               v[1].elpd > v[0].elpd ? "power" : "factor", fabs(v[1].elpd - v[0].elpd));
        if (argc > 1)
            draw(argv[1], v);
    }
    agn_scope_fail(s, st);
    st = agn_scope_close(s);
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    return st != AGN_OK;
}
