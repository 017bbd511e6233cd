/* linalg.c - log det of a covariance and its gradient, by a Cholesky factor. */
#include <agnesi/agnesi.h>
#include <stdio.h>

static agn_status log_det(void *user, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    (void)user;
    const agn_tensor *l = ag_linalg_cholesky(s, in[0], false);
    const agn_tensor *diagonal = ag_einsum(s, "ii->i", &l, 1);
    out[0] = ag_mul_c(s, ag_sum_all(s, ag_log(s, diagonal)), 2);
    return agn_scope_status(s);
}

int main(void)
{
    const double a[] = {4, 2, 2, 3}, b[] = {8, 7};
    const int64_t n[] = {2, 2};
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *A = NULL, *B = NULL, *g = NULL;
    agn_fn *f = NULL, *df = NULL;
    agn_status st = agn_from_host(&A, AGN_F64, 2, n, a);
    st = st ? st : agn_from_host(&B, AGN_F64, 1, n, b);
    st = st ? st : agn_fn_new(&f, log_det, NULL, NULL, 1, 1);
    st = st ? st : agn_fn_grad(&df, f, NULL, 1);
    st = st ? st : agn_fn_call(&g, 1, df, AGN_ARGS(A));
    char x[80] = "", l[80] = "", d[80] = "";
    st = st ? st : agn_format(x, sizeof x, NULL, ag_linalg_solve(s, A, B));
    st = st ? st : agn_format(l, sizeof l, NULL, ag_linalg_cholesky(s, A, false));
    st = st ? st : agn_format(d, sizeof d, NULL, g); /* in the triangle that is read */
    if (st)
        printf("%s\n", agn_error_message());
    printf("x = %s\nl =\n%s\ngradient of log det a =\n%s\n", x, l, d);
    agn_release(A);
    agn_release(B);
    agn_release(g);
    agn_fn_release(f);
    agn_fn_release(df);
    return agn_scope_close(s) || st;
}
