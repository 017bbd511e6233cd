/* changepoint.c - when did disasters in British coal mines become rarer (Jarrett 1979)? Counts of
   1851 to 1962 with one rate before a year and another one after it; the year, a whole number, is
   summed out, so that NUTS draws the rates alone. With an argument a picture of the probability of
   each year is written there. */
#include "mines.h"
#include "picture.h"
#include <agnesi/agnesi.h>
#include <agnesi/infer.h>
#include <math.h>

static const agn_tensor *rate(agn_scope *s, agn_model_trace *t, const char *name)
{
    return agn_model_parameter(s, t, name, ag_distribution_exponential(s, ag_lit(s, 1), NULL), 0,
                               NULL);
}
/* the log density with the change before each year but the first: sums of counts before and after
   it */
static agn_status mines(void *user, agn_scope *s, agn_model_trace *t)
{
    (void)user;
    static const int64_t n = YEARS - 1;
    double years_before[YEARS - 1], before[YEARS - 1], total = 0;
    for (int i = 0; i < YEARS - 1; i++) {
        years_before[i] = i + 1;
        before[i] = total += disasters[i];
    }
    total += disasters[YEARS - 1];
    const agn_tensor *early = rate(s, t, "early"), *late = rate(s, t, "late");
    const agn_tensor *y = ag_from_host(s, AGN_F64, 1, &n, years_before),
                     *k = ag_from_host(s, AGN_F64, 1, &n, before);
    const agn_tensor *first = ag_sub(s, ag_mul(s, k, ag_log(s, early)), ag_mul(s, y, early));
    const agn_tensor *second = ag_sub(s,
                                      ag_mul(s, ag_add_c(s, ag_neg(s, k), total), ag_log(s, late)),
                                      ag_mul(s, ag_add_c(s, ag_neg(s, y), YEARS), late));
    const agn_tensor *each = ag_add(s, first, second);
    static const int32_t axis = 0;
    const agn_tensor *sum = ag_logsumexp(s, each, &axis, 1, false);
    agn_model_add(s, t, sum);
    agn_model_derived(s, t, "year", ag_exp(s, ag_sub(s, each, sum)));
    return agn_scope_status(s);
}

int main(int argc, char **argv)
{
    static const int32_t draws[] = {0, 1};
    static const char *const names[] = {"early", "late"};
    agn_model *m = NULL;
    agn_dict *d = NULL;
    agn_tensor *x = NULL, *mean = NULL, *rhat = NULL;
    agn_nuts_options opts = {.size = sizeof opts, .draws = 4000, .seed = 1};
    agn_status st = agn_model_new(&m, mines, NULL, NULL);
    st = st ? st : agn_infer_nuts(&d, m, &opts);
    for (int i = 0; !st && i < 2; i++) {
        st = agn_dict_get(&x, d, names[i]);
        st = st ? st : agn_mean(&mean, x, draws, 2, false);
        st = st ? st : agn_infer_rhat(&rhat, x);
        if (!st)
            printf("%-5s about %.1f a year, R-hat %s\n", names[i], *(const double *)agn_data(mean),
                   *(const double *)agn_data(rhat) < 1.01 ? "below 1.01" : "above 1.01");
        agn_release(x);
        agn_release(mean);
        agn_release(rhat);
        x = mean = rhat = NULL;
    }
    st = st ? st : agn_dict_get(&x, d, "year");
    st = st ? st : agn_mean(&mean, x, draws, 2, false);
    if (!st) {
        const double *p = agn_data(mean);
        double sum = 0;
        int i = 0;
        while (sum + p[i] < 0.5)
            sum += p[i++];
        printf("the change came before %d\n", 1852 + i);
        FILE *f = argc > 1 ? picture_open(argv[1], 600, 220) : NULL;
        for (i = 0; f && i < YEARS - 1; i++)
            fprintf(
                f,
                "<rect x=\"%g\" y=\"%.1f\" width=\"4\" height=\"%.1f\" fill=\"rgb(59,82,139)\"/>\n",
                10 + 5.2 * i, 210 - 800 * p[i], 800 * p[i]);
        picture_close(f);
    }
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    agn_release(x);
    agn_release(mean);
    agn_dict_release(d);
    agn_model_release(m);
    return st != AGN_OK;
}
