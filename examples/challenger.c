/* challenger.c - logistic regression by NUTS: did O-rings of the space shuttle fail in the cold?
   The 23 flights before the last one (Dalal, Fowlkes & Hoadley 1989). The largest likelihood is
   theirs; the posterior says how little is known at 31 degrees Fahrenheit, the morning of that
   flight. With an argument a picture is written there. */
#include "chart.h"
#include <agnesi/agnesi.h>
#include <agnesi/infer.h>
#include <agnesi/optim.h>

enum { FLIGHTS = 23, GRID = 56 };
static const double degrees[FLIGHTS] = {66, 70, 69, 68, 67, 72, 73, 70, 57, 63, 70, 78,
                                        67, 53, 67, 75, 70, 81, 76, 79, 75, 76, 58};
static const double failed[FLIGHTS] = {0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0,
                                       0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 1};
static const int64_t flights = FLIGHTS;

/* minus the log likelihood of intercept and slope */
static agn_status surprise(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    (void)user;
    const agn_tensor *t = ag_from_host(s, AGN_F64, 1, &flights, degrees);
    const agn_tensor *y = ag_from_host(s, AGN_F64, 1, &flights, failed);
    const agn_tensor *z = ag_add(s, in[0], ag_mul(s, in[1], t));
    out[0] = ag_sum_all(s, ag_sub(s, ag_softplus(s, z), ag_mul(s, y, z)));
    return agn_scope_status(s);
}
static agn_status most_likely(double *intercept, double *slope)
{
    agn_fn *f = NULL;
    agn_tensor *zero = NULL, *best[2] = {NULL, NULL};
    agn_status st = agn_fn_new(&f, surprise, NULL, NULL, 2, 1);
    st = st ? st : agn_zeros(&zero, AGN_F64, 0, NULL);
    const agn_tensor *in[] = {zero, zero};
    agn_optim_options opts = {.size = sizeof opts, .gradient_tol = 1e-7};
    st = st ? st : agn_fn_minimise(best, 2, NULL, NULL, f, in, 2, AGN_OPTIM_BFGS, 200, &opts);
    if (!st) {
        *intercept = *(const double *)agn_data(best[0]);
        *slope = *(const double *)agn_data(best[1]);
    }
    agn_fn_release(f);
    agn_release(zero);
    agn_release(best[0]);
    agn_release(best[1]);
    return st;
}

/* log odds level + slope (t - 70) / 10 */
static agn_status launch(void *user, agn_scope *s, agn_model_trace *t)
{
    (void)user;
    const agn_tensor *zero = ag_lit(s, 0);
    const agn_tensor *level = agn_model_parameter(
        s, t, "level", ag_distribution_normal(s, zero, ag_lit(s, 5), NULL), 0, NULL);
    const agn_tensor *slope = agn_model_parameter(
        s, t, "slope", ag_distribution_normal(s, zero, ag_lit(s, 2.5), NULL), 0, NULL);
    const agn_tensor *x = ag_mul_c(
        s, ag_add_c(s, ag_from_host(s, AGN_F64, 1, &flights, degrees), -70), 0.1);
    const agn_tensor *y = ag_from_host(s, AGN_F64, 1, &flights, failed);
    const agn_tensor *p = ag_sigmoid(s, ag_add(s, level, ag_mul(s, slope, x)));
    agn_model_observe(s, t, ag_distribution_bernoulli(s, p, NULL), y);
    const agn_tensor *at = ag_linspace(s, AGN_F64, -4, 1.5, GRID); /* 30 to 85 degrees */
    agn_model_derived(s, t, "curve", ag_sigmoid(s, ag_add(s, level, ag_mul(s, slope, at))));
    return agn_scope_status(s);
}

static void draw(const char *path, const double *part)
{
    chart c = {picture_open(path, 640, 300), 50, 25, 570, 240, 30, 85, -0.05, 1.05};
    double at[GRID];
    for (int i = 0; i < GRID; i++)
        at[i] = 30 + i;
    chart_band(&c, GRID, at, part, part + 2 * GRID, CHART_PALE);
    chart_frame(&c, "probability of a failure by degrees Fahrenheit: median and 90 %");
    chart_curve(&c, GRID, at, part + GRID, CHART_BLUE);
    for (int i = 0; i < FLIGHTS; i++) /* those of one temperature beside each other */
        chart_point(&c, degrees[i] + 0.4 * (i % 3 - 1), failed[i], 3, CHART_RED);
    picture_close(c.f);
}

static agn_status report(agn_scope *s, const agn_dict *draws, const char *path)
{
    static const double q[] = {0.05, 0.5, 0.95};
    static const int32_t both[] = {0, 1};
    agn_tensor *slope = NULL, *curve = NULL, *rhat = NULL;
    agn_status st = agn_dict_get(&slope, draws, "slope");
    st = st ? st : agn_dict_get(&curve, draws, "curve");
    st = st ? st : agn_infer_rhat(&rhat, slope);
    const agn_tensor *x = agn_scope_adopt(s, st, &slope), *p = agn_scope_adopt(s, st, &curve);
    const agn_tensor *r = agn_scope_adopt(s, st, &rhat);
    const agn_tensor *mean = ag_mean(s, x, NULL, 0, false);
    const agn_tensor *below = ag_mean(s, ag_cast(s, ag_lt(s, x, ag_lit(s, 0)), AGN_F64), NULL, 0,
                                      false);
    const agn_tensor *part = ag_quantile(s, p, q, 3, both, 2, false, AGN_QUANTILE_LINEAR);
    st = agn_scope_status(s);
    if (!st) {
        const double *v = agn_data(part);
        printf("slope for ten degrees about %.0f, R-hat %s 1.01\n", *(const double *)agn_data(mean),
               *(const double *)agn_data(r) < 1.01 ? "below" : "above");
        printf("colder is worse with a probability of about %.2f\n",
               *(const double *)agn_data(below));
        printf("a failure at 31 degrees: median about %.1f, 90 %% from about %.1f\n", v[GRID + 1],
               v[1]);
        if (path)
            draw(path, v);
    }
    return st;
}

int main(int argc, char **argv)
{
    double intercept = 0, slope = 0;
    agn_model *m = NULL;
    agn_dict *draws = NULL;
    agn_nuts_options opts = {.size = sizeof opts, .draws = 4000, .seed = 28};
    agn_status st = most_likely(&intercept, &slope);
    if (!st)
        printf("most likely: %.4f %+.4f t\n", intercept, slope);
    st = st ? st : agn_model_new(&m, launch, NULL, NULL);
    st = st ? st : agn_infer_nuts(&draws, m, &opts);
    agn_scope *s = agn_scope_open(NULL);
    st = st ? st : report(s, draws, argc > 1 ? argv[1] : NULL);
    agn_scope_fail(s, st);
    st = agn_scope_close(s);
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    agn_dict_release(draws);
    agn_model_release(m);
    return st != AGN_OK;
}
