/* derivatives.c - the curve of Agnesi and its first three derivatives, two ways */
#include <agnesi/agnesi.h>
#include <stdio.h>

enum { ORDER = 3 };

static agn_status curve(void *user, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    (void)user;
    out[0] = ag_reciprocal(s, ag_add_c(s, ag_square(s, in[0]), 1));
    return agn_scope_status(s);
}

static double value(const agn_tensor *x)
{
    return *(const double *)agn_data(x);
}

/* f[k] is the k-th derivative; the jet takes the coefficients of a curve x(t), here x + t,
   and gives those of f(x(t)), which are the derivatives over k! */
static agn_status row(agn_fn *const *f, const agn_fn *jet, double x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *in[ORDER + 1], *y[ORDER + 1], *c[ORDER + 1];
    for (int k = 0; k <= ORDER; k++)
        in[k] = ag_full(s, AGN_F64, 0, NULL, k == 0 ? x : k == 1);
    for (int k = 0; k <= ORDER; k++)
        agn_fn_apply(s, &y[k], 1, f[k], in, 1);
    agn_fn_apply(s, c, ORDER + 1, jet, in, ORDER + 1);
    if (!agn_scope_status(s)) {
        printf("%4.2f", x);
        for (int k = 0; k <= ORDER; k++)
            printf(" %11.8f", value(y[k]));
        printf("\n jet");
        for (int k = 0, factorial = 1; k <= ORDER; factorial *= ++k)
            printf(" %11.8f", value(c[k]) * factorial);
        printf("\n");
    }
    return agn_scope_close(s);
}

int main(void)
{
    agn_fn *f[ORDER + 1] = {NULL}, *jet = NULL;
    agn_status st = agn_fn_new(&f[0], curve, NULL, NULL, 1, 1);
    for (int k = 0; k < ORDER && !st; k++)
        st = agn_fn_grad(&f[k + 1], f[k], NULL, 1);
    if (!st)
        st = agn_fn_jet(&jet, f[0], ORDER);

    printf("   x           y          y'         y''        y'''\n");
    for (double x = 0.25; x < 2 && !st; x += 0.5)
        st = row(f, jet, x);
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());

    agn_fn_release(jet);
    for (int k = 0; k <= ORDER; k++)
        agn_fn_release(f[k]);
    return st != AGN_OK;
}
