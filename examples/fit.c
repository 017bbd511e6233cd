/* fit.c - a decay a exp(-b t) + c through 40 points, by Gauss and Newton */
#include <agnesi/agnesi.h>
#include <math.h>
#include <stdio.h>

enum { POINTS = 40 };

/* what is left of the points: in[0] = (a, b, c), in[1] = t, in[2] = y */
static agn_status rest(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    (void)user;
    const agn_tensor *p[3];
    for (int i = 0; i < 3; i++)
        p[i] = ag_index_axis(s, in[0], 0, i);
    const agn_tensor *decay = ag_exp(s, ag_neg(s, ag_mul(s, p[1], in[1])));
    out[0] = ag_sub(s, ag_add(s, ag_mul(s, p[0], decay), p[2]), in[2]);
    return agn_scope_status(s);
}

/* p - (J^T J)^-1 J^T r */
static const agn_tensor *improved(agn_scope *s, const agn_fn *f, const agn_fn *df,
                                  const agn_tensor *const *in)
{
    const agn_tensor *r = NULL, *J = NULL;
    agn_fn_apply(s, &r, 1, f, in, agn_fn_n_in(f));
    agn_fn_apply(s, &J, 1, df, in, agn_fn_n_in(df));
    const agn_tensor *Jt = ag_transpose(s, J);
    return ag_sub(s, in[0], ag_linalg_solve(s, ag_matmul(s, Jt, J), ag_matmul(s, Jt, r)));
}

int main(void)
{
    double t[POINTS], y[POINTS];
    const int64_t three = 3, n = POINTS;
    for (int i = 0; i < POINTS; i++) { /* 2.5, 1.3, 0.5, and a small wave for noise */
        t[i] = 0.1 * i;
        y[i] = 2.5 * exp(-1.3 * t[i]) + 0.5 + 1e-3 * sin(37.0 * i);
    }
    agn_fn *f = NULL, *df = NULL;
    agn_status st = agn_fn_new(&f, rest, NULL, NULL, 3, 1);
    st = st ? st : agn_fn_jacobian(&df, f, 0);
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_fail(s, st);
    const agn_tensor *in[] = {ag_from_host(s, AGN_F64, 1, &three, (const double[]){1, 1, 0}),
                              ag_from_host(s, AGN_F64, 1, &n, t),
                              ag_from_host(s, AGN_F64, 1, &n, y)};
    for (int k = 0; k < 8 && !agn_scope_status(s); k++)
        in[0] = improved(s, f, df, in);
    if (!agn_scope_status(s)) {
        const double *p = agn_data(in[0]);
        printf("%.2f exp(-%.2f t) + %.2f\n", p[0], p[1], p[2]);
    }
    st = agn_scope_close(s);
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    agn_fn_release(df);
    agn_fn_release(f);
    return st != AGN_OK;
}
