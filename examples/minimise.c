/* minimise.c - the lowest point of Rosenbrock's curved valley */
#include <agnesi/agnesi.h>
#include <stdio.h>

static agn_status valley(void *user, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    (void)user; /* (1 - x)^2 + 100 (y - x^2)^2 */
    const agn_tensor *x = in[0], *y = in[1], *up = ag_sub(s, y, ag_square(s, x));
    out[0] = ag_add(s, ag_square(s, ag_sub_c(s, x, 1)), ag_mul_c(s, ag_square(s, up), 100));
    return agn_scope_status(s);
}

int main(void)
{
    agn_fn *f = NULL, *df = NULL;
    agn_optim *o = NULL;
    agn_tensor *start[2] = {NULL, NULL}, *best[2] = {NULL, NULL};
    agn_optim_info info = {.size = sizeof info};
    agn_status st = agn_full(&start[0], AGN_F64, 0, NULL, -1.2);
    st = st ? st : agn_full(&start[1], AGN_F64, 0, NULL, 1);
    st = st ? st : agn_fn_new(&f, valley, NULL, NULL, 2, 1);
    st = st ? st : agn_fn_value_and_grad(&df, f, (const int32_t[]){0, 1}, 2);
    st = st ? st : agn_optim_new(&o, AGN_OPTIM_LBFGS, (const agn_tensor *const *)start, 2, NULL);
    st = st ? st : agn_optim_minimise(NULL, o, df, NULL, 0, 100, NULL, NULL);
    st = st ? st : agn_optim_params(best, 2, o);
    st = st ? st : agn_optim_describe(&info, o);
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    else
        printf("(%.6f, %.6f), below 1e-20: %s, in fewer than 50 steps: %s\n",
               *(const double *)agn_data(best[0]), *(const double *)agn_data(best[1]),
               info.value < 1e-20 ? "yes" : "no", info.steps < 50 ? "yes" : "no");
    for (int i = 0; i < 2; i++) {
        agn_release(start[i]);
        agn_release(best[i]);
    }
    agn_optim_release(o);
    agn_fn_release(df);
    agn_fn_release(f);
    return st != AGN_OK;
}
