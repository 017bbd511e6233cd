/* series.c - the Taylor series of exp(sin x) at 0, and a root found with it to fourth order */
#include <agnesi/agnesi.h>
#include <math.h>
#include <stdio.h>

enum { ORDER = 8, STEP = 3 };

static agn_status curve(void *user, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    (void)user;
    out[0] = ag_exp(s, ag_sin(s, in[0]));
    return agn_scope_status(s);
}
/* 1 / (x exp(x) - 2): its pole is Lambert's W(2) */
static agn_status inverse(void *user, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    (void)user;
    out[0] = ag_reciprocal(s, ag_sub_c(s, ag_mul(s, in[0], ag_exp(s, in[0])), 2));
    return agn_scope_status(s);
}

/* coefficients of f(x + t) to the order of the jet */
static agn_status expand(const agn_fn *jet, int order, double x, double *c)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *in[ORDER + 1], *y[ORDER + 1];
    for (int k = 0; k <= order; k++)
        in[k] = ag_full(s, AGN_F64, 0, NULL, k == 0 ? x : k == 1);
    if (!agn_fn_apply(s, y, order + 1, jet, in, order + 1))
        for (int k = 0; k <= order; k++)
            c[k] = *(const double *)agn_data(y[k]);
    return agn_scope_close(s);
}

int main(void)
{
    static const double exact[] = {1,          1,         1.0 / 2, 0,          -1.0 / 8,
                                   -1.0 / 15, -1.0 / 240, 1.0 / 90, 31.0 / 5760};
    agn_fn *f = NULL, *g = NULL, *jet = NULL, *pole = NULL;
    double c[ORDER + 1], x = 1;
    agn_status st = agn_fn_new(&f, curve, NULL, NULL, 1, 1);
    st = st ? st : agn_fn_jet(&jet, f, ORDER);
    st = st ? st : expand(jet, ORDER, 0, c);
    for (int k = 0; k <= ORDER && !st; k++)
        printf("x^%d: %9.6f %s\n", k, c[k], fabs(c[k] - exact[k]) < 1e-14 ? "exact" : "not exact");

    /* Householder: a pole at distance h makes coefficients of ratio h, each order better */
    st = st ? st : agn_fn_new(&g, inverse, NULL, NULL, 1, 1);
    st = st ? st : agn_fn_jet(&pole, g, STEP);
    for (int k = 0; k < 2 && !st; k++) {
        st = expand(pole, STEP, x, c);
        x += c[STEP - 1] / c[STEP];
        printf("after %d: %.12f\n", k + 1, x);
    }
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    agn_fn_release(pole);
    agn_fn_release(jet);
    agn_fn_release(g);
    agn_fn_release(f);
    return st != AGN_OK;
}
