/* implicit.c - x with x = cos(a x): its derivatives in a, whatever way x was found */
#include <agnesi/agnesi.h>
#include <math.h>
#include <stdio.h>

/* in: x, a */
static agn_status equation(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    (void)user;
    out[0] = ag_sub(s, in[0], ag_cos(s, ag_mul(s, in[1], in[0])));
    return agn_scope_status(s);
}
/* plain C, which nobody differentiates: by halves */
static agn_status by_halves(void *user, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    double a = 0, lo = 0, hi = 1;
    (void)user;
    if (agn_scope_fail(s, agn_item_f64(&a, in[1])))
        return agn_scope_status(s);
    for (int i = 0; i < 60; i++) {
        double x = (lo + hi) / 2;
        if (x < cos(a * x))
            lo = x;
        else
            hi = x;
    }
    out[0] = ag_full(s, AGN_F64, 0, NULL, (lo + hi) / 2);
    return agn_scope_status(s);
}
/* x as a function of a alone */
static agn_status root_of(void *user, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    const agn_tensor *a[] = {ag_full(s, AGN_F64, 0, NULL, 0.5), in[0]};
    return agn_fn_apply(s, out, agn_fn_n_out(user), user, a, 2);
}

int main(void)
{
    enum { ORDER = 3 };
    agn_fn *f = NULL, *solver = NULL, *root = NULL, *x[ORDER + 1] = {NULL};
    double v[ORDER + 1] = {0};
    agn_status st = agn_fn_new(&f, equation, NULL, NULL, 2, 1);
    st = st ? st : agn_fn_new(&solver, by_halves, NULL, NULL, 2, 1);
    st = st ? st : agn_fn_root(&root, f, 1, solver, NULL, NULL);
    st = st ? st : agn_fn_new(&x[0], root_of, root, NULL, 1, 1);
    for (int k = 0; k < ORDER && !st; k++)
        st = agn_fn_grad(&x[k + 1], x[k], NULL, 1);
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_fail(s, st);
    const agn_tensor *a = ag_full(s, AGN_F64, 0, NULL, 1);
    for (int k = 0; k <= ORDER; k++) {
        const agn_tensor *y = NULL;
        if (!agn_fn_apply(s, &y, 1, x[k], &a, 1))
            v[k] = *(const double *)agn_data(y);
    }
    st = agn_scope_close(s);
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    else
        printf("x %.12f, x' %.12f, x'' %.12f, x''' %.12f\nby hand: x' %.12f\n", v[0], v[1], v[2],
               v[3], -v[0] * sin(v[0]) / (1 + sin(v[0])));
    for (int k = 0; k <= ORDER; k++)
        agn_fn_release(x[k]);
    agn_fn_release(root);
    agn_fn_release(solver);
    agn_fn_release(f);
    return st != AGN_OK;
}
