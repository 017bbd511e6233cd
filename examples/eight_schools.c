/* eight_schools.c - effects of coaching in eight schools (Rubin 1981): a posterior by NUTS. With an argument the whole
   table is printed, and the draws are written to the file it names. */
#include <agnesi/agnesi.h>
#include <agnesi/infer.h>
#include <stdio.h>

static const double effect[] = {28, 8, -3, 7, -1, 1, 18, 12}, deviation[] = {15, 10, 16, 11, 9, 11, 10, 18};
static const int64_t schools = 8;

/* a law of two numbers */
typedef agn_status law2(agn_distribution **out, const agn_tensor *a, const agn_tensor *b,
                        const agn_distribution_options *opts);
static const agn_distribution *law_of(agn_scope *s, law2 *law, const agn_tensor *a, const agn_tensor *b)
{
    agn_distribution *d = NULL;
    agn_status st = agn_scope_status(s);
    st = st ? st : law(&d, a, b, NULL);
    return agn_distribution_adopt(s, st, &d);
}
static const agn_distribution *half_cauchy(agn_scope *s, double scale)
{
    agn_distribution *d = NULL;
    agn_status st = agn_distribution_half_cauchy(&d, ag_lit(s, scale), NULL);
    return agn_distribution_adopt(s, st, &d);
}

static agn_status school_model(void *user, agn_scope *s, agn_model_trace *t)
{
    (void)user;
    const agn_tensor *y = ag_from_host(s, AGN_F64, 1, &schools, effect),
                     *sd = ag_from_host(s, AGN_F64, 1, &schools, deviation);
    const agn_distribution *wide = law_of(s, agn_distribution_normal, ag_lit(s, 0), ag_lit(s, 5)),
                           *unit = law_of(s, agn_distribution_normal, ag_lit(s, 0), ag_lit(s, 1));
    const agn_tensor *mu = agn_model_parameter(s, t, "mu", wide, 0, NULL),
                     *tau = agn_model_parameter(s, t, "tau", half_cauchy(s, 5), 0, NULL),
                     *eta = agn_model_parameter(s, t, "eta", unit, 1, &schools);
    const agn_tensor *theta = agn_model_derived(s, t, "theta", ag_add(s, mu, ag_mul(s, tau, eta)));
    agn_model_observe(s, t, law_of(s, agn_distribution_normal, theta, sd), y);
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

int main(int argc, char **argv)
{
    agn_model *m = NULL;
    agn_dict *draws = NULL;
    agn_nuts_options opts = {.size = sizeof opts, .draws = 5000, .seed = 20261123, .target_accept = 0.95};
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
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    agn_dict_release(draws);
    agn_model_release(m);
    return st != AGN_OK;
}
