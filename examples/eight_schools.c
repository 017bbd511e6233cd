/* eight_schools.c - effects of coaching in eight schools (Rubin 1981): a posterior by NUTS. With an
   argument the whole table is printed, and the draws are written to the file it names; a second one
   names a picture of the draws of tau and of the schools' intervals. */
#include "chart.h"
#include <agnesi/agnesi.h>
#include <agnesi/infer.h>

static const double effect[] = {28, 8, -3, 7, -1, 1, 18, 12},
                    deviation[] = {15, 10, 16, 11, 9, 11, 10, 18};
static const int64_t schools = 8;

static agn_status school_model(void *user, agn_scope *s, agn_model_trace *t)
{
    (void)user;
    const agn_tensor *y = ag_from_host(s, AGN_F64, 1, &schools, effect),
                     *sd = ag_from_host(s, AGN_F64, 1, &schools, deviation);
    const agn_distribution *wide = ag_distribution_normal(s, ag_lit(s, 0), ag_lit(s, 5), NULL),
                           *unit = ag_distribution_normal(s, ag_lit(s, 0), ag_lit(s, 1), NULL),
                           *half = ag_distribution_half_cauchy(s, ag_lit(s, 5), NULL);
    const agn_tensor *mu = agn_model_parameter(s, t, "mu", wide, 0, NULL),
                     *tau = agn_model_parameter(s, t, "tau", half, 0, NULL),
                     *eta = agn_model_parameter(s, t, "eta", unit, 1, &schools);
    const agn_tensor *theta = agn_model_derived(s, t, "theta", ag_add(s, mu, ag_mul(s, tau, eta)));
    agn_model_observe(s, t, ag_distribution_normal(s, theta, sd, NULL), y);
    return agn_scope_status(s);
}

/* the mean over all draws of the first number of a quantity */
static agn_status print_mean(const agn_dict *d, const char *name)
{
    static const int32_t both[] = {0, 1};
    agn_tensor *x = NULL, *mean = NULL, *rhat = NULL;
    agn_status st = agn_dict_get(&x, d, name);
    st = st ? st : agn_mean(&mean, x, both, 2, false);
    st = st ? st : agn_infer_rhat(&rhat, x);
    if (!st)
        printf("%-6s about %.0f, R-hat %s\n", name, *(const double *)agn_data(mean),
               *(const double *)agn_data(rhat) < 1.01 ? "below 1.01" : "above 1.01");
    agn_release(x);
    agn_release(mean);
    agn_release(rhat);
    return st;
}

/* some draws of tau of each chain, and 50 % and 90 % of each effect below what was measured
   */
static agn_status draw(const char *path, const agn_dict *d)
{
    static const char *const colour[] = {CHART_BLUE, CHART_GREEN, CHART_RED, CHART_GREY};
    static const double q[] = {0.05, 0.25, 0.5, 0.75, 0.95};
    static const int32_t both[] = {0, 1};
    agn_tensor *tau = NULL, *theta = NULL, *parts = NULL;
    agn_status st = agn_dict_get(&tau, d, "tau");
    st = st ? st : agn_dict_get(&theta, d, "theta");
    st = st ? st : agn_quantile(&parts, theta, q, 5, both, 2, false, AGN_QUANTILE_LINEAR);
    if (!st) {
        const int64_t chains = agn_shape(tau)[0], n = agn_shape(tau)[1];
        const double *v = agn_data(tau), *p = agn_data(parts);
        FILE *f = picture_open(path, 640, 480);
        chart trace = {f, 50, 25, 570, 180, 0, (double)n, 0, 30};
        chart_frame(&trace, "tau, one in twenty draws of each chain");
        static double at[256], size[256];
        for (int64_t c = 0; c < chains; c++) {
            int m = 0;
            for (int64_t i = 0; i < n && m < 256; i += 20) {
                at[m] = (double)i;
                size[m++] = fmin(v[c * n + i], 30);
            }
            chart_curve(&trace, m, at, size, colour[c % 4]);
        }
        chart forest = {f, 50, 255, 570, 190, -25, 50, 8.6, -0.6};
        chart_frame(&forest, "effects: median, 50 % and 90 %; grey: measured, with one deviation");
        for (int i = 0; i < schools; i++) {
            double y = i - 0.12, m = i + 0.25;
            chart_line(&forest, p[i], y, p[4 * schools + i], y, 1.5, CHART_BLUE);
            chart_line(&forest, p[schools + i], y, p[3 * schools + i], y, 5, CHART_BLUE);
            chart_point(&forest, p[2 * schools + i], y, 4, "white");
            chart_line(&forest, effect[i] - deviation[i], m, effect[i] + deviation[i], m, 1,
                       CHART_GREY);
            chart_point(&forest, effect[i], m, 2.5, CHART_GREY);
        }
        picture_close(f);
    }
    agn_release(tau);
    agn_release(theta);
    agn_release(parts);
    return st;
}

int main(int argc, char **argv)
{
    agn_model *m = NULL;
    agn_dict *draws = NULL;
    agn_nuts_options opts = {
        .size = sizeof opts, .draws = 5000, .seed = 20261123, .target_accept = 0.95};
    static char table[8192];
    agn_status st = agn_model_new(&m, school_model, NULL, NULL);
    st = st ? st : agn_infer_nuts(&draws, m, &opts);
    st = st ? st : print_mean(draws, "mu");
    st = st ? st : print_mean(draws, "theta");
    if (!st && argc > 1) {
        st = agn_infer_summary(table, sizeof table, NULL, draws);
        st = st ? st : agn_npz_save(argv[1], draws, false);
        fputs(table, stdout);
    }
    st = st || argc < 3 ? st : draw(argv[2], draws);
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    agn_dict_release(draws);
    agn_model_release(m);
    return st != AGN_OK;
}
