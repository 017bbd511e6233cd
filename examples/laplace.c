/* laplace.c - how sure a logistic regression is: Laplace's approximation of its posterior */
#include <agnesi/agnesi.h>
#include <math.h>
#include <stdio.h>

enum { POINTS = 200, D = 3 };

/* minus the log posterior of weights in[0], points in[1], signs in[2]; a normal prior of
   deviation 3 */
static agn_status energy(void *user, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    (void)user;
    const agn_tensor *margin = ag_mul(s, in[2], ag_matmul(s, in[1], in[0]));
    const agn_tensor *fit = ag_sum_all(s, ag_softplus(s, ag_neg(s, margin)));
    const agn_tensor *prior = ag_mul_c(s, ag_sum_all(s, ag_square(s, in[0])), 1 / 18.0);
    out[0] = ag_add(s, fit, prior);
    return agn_scope_status(s);
}

int main(void)
{
    double x[POINTS][D], sign[POINTS];
    for (int i = 0; i < POINTS; i++) { /* points on a lattice; the line 2 x - y = 0.5 parts them */
        double u = fmod(i * 0.7548776662466927, 1) * 4 - 2,
               v = fmod(i * 0.5698402909980532, 1) * 4 - 2;
        x[i][0] = 1;
        x[i][1] = u;
        x[i][2] = v;
        sign[i] = 2 * u - v - 0.5 + sin(50.0 * i) > 0 ? 1 : -1;
    }
    agn_fn *f = NULL, *g = NULL, *H = NULL;
    agn_status st = agn_fn_new(&f, energy, NULL, NULL, 3, 1);
    st = st ? st : agn_fn_grad(&g, f, NULL, 1);
    st = st ? st : agn_fn_hessian(&H, f, 0);
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_fail(s, st);
    const agn_tensor *in[] = {ag_full(s, AGN_F64, 1, (const int64_t[]){D}, 0),
                              ag_from_host(s, AGN_F64, 2, (const int64_t[]){POINTS, D}, x),
                              ag_from_host(s, AGN_F64, 1, (const int64_t[]){POINTS}, sign)};
    const agn_tensor *h = NULL, *d = NULL, *value = NULL;
    for (int k = 0; k < 10 && !agn_scope_status(s); k++) {
        agn_fn_apply(s, &d, 1, g, in, 3);
        agn_fn_apply(s, &h, 1, H, in, 3);
        in[0] = ag_sub(s, in[0], ag_linalg_solve(s, h, d));
    }
    agn_fn_apply(s, &value, 1, f, in, 3);
    agn_fn_apply(s, &h, 1, H, in, 3);
    const agn_tensor *cov = ag_linalg_solve(s, h, ag_eye(s, AGN_F64, D, D, 0));
    const agn_tensor *deviation = ag_sqrt(s, ag_diagonal(s, cov, 0, 0, 1));
    const agn_tensor *half_log_det =
        ag_sum_all(s, ag_log(s, ag_diagonal(s, ag_linalg_cholesky(s, h, false), 0, 0, 1)));
    if (!agn_scope_status(s)) {
        const double *w = agn_data(in[0]), *dev = agn_data(deviation);
        for (int i = 0; i < D; i++)
            printf("weight %d: %6.3f +- %.3f\n", i, w[i], dev[i]);
        /* the normal law's (2 pi)^(D/2) and the prior's cancel, but for its deviation */
        printf("log evidence: %.3f\n", -*(const double *)agn_data(value) - D * log(3) -
                                            *(const double *)agn_data(half_log_det));
    }
    st = agn_scope_close(s);
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    agn_fn_release(H);
    agn_fn_release(g);
    agn_fn_release(f);
    return st != AGN_OK;
}
