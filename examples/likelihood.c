/* likelihood.c - log-likelihood of four numbers under a normal law, and its gradient */
#include <agnesi/agnesi.h>
#include <stdio.h>

/* arguments: mean, standard deviation, numbers */
static agn_status log_likelihood(void *user, agn_scope *s, const agn_tensor *const *in,
                                 const agn_tensor **out)
{
    (void)user;
    agn_distribution *d = NULL;
    agn_status st = agn_distribution_normal(&d, in[0], in[1], NULL);
    const agn_distribution *law = agn_distribution_adopt(s, st, &d);
    out[0] = ag_sum_all(s, ag_distribution_log_prob(s, law, in[2]));
    return agn_scope_status(s);
}

int main(void)
{
    static const double numbers[] = {1.2, 0.7, 2.9, 1.6};
    agn_fn *f = NULL, *df = NULL;
    agn_tensor *in[3] = {NULL, NULL, NULL}, *y[3] = {NULL, NULL, NULL};
    agn_status st = agn_full(&in[0], AGN_F64, 0, NULL, 1);
    st = st ? st : agn_full(&in[1], AGN_F64, 0, NULL, 0.5);
    st = st ? st : agn_from_host(&in[2], AGN_F64, 1, (const int64_t[]){4}, numbers);
    st = st ? st : agn_fn_new(&f, log_likelihood, NULL, NULL, 3, 1);
    st = st ? st : agn_fn_value_and_grad(&df, f, (const int32_t[]){0, 1}, 2);
    st = st ? st : agn_fn_call(y, 3, df, (const agn_tensor *const *)in, 3);
    static const char *const what[] = {"log-likelihood", "d / d mean", "d / d deviation"};
    for (int i = 0; !st && i < 3; i++)
        printf("%-16s %9.5f\n", what[i], *(const double *)agn_data(y[i]));
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    for (int i = 0; i < 3; i++) {
        agn_release(in[i]);
        agn_release(y[i]);
    }
    agn_fn_release(df);
    agn_fn_release(f);
    return st != AGN_OK;
}
