/* first.c - the curve of Agnesi, 1 / (1 + x^2), and the area under it */
#include <agnesi/agnesi.h>
#include <stdio.h>

static agn_status curve(agn_tensor **y, agn_tensor **area, const agn_tensor *x,
                        double dx)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *c = ag_reciprocal(s, ag_add_c(s, ag_square(s, x), 1));
    agn_scope_return(s, y, c);
    agn_scope_return(s, area, ag_mul_c(s, ag_sum_all(s, c), dx));
    return agn_scope_close(s); /* both results or none */
}

int main(void)
{
    agn_tensor *x = NULL, *y = NULL, *area = NULL;
    agn_status st = agn_linspace(&x, AGN_F64, -4, 4, 9);
    if (!st)
        st = curve(&y, &area, x, 1);
    if (st) {
        fprintf(stderr, "%s\n", agn_error_message());
        return 1;
    }
    const double *xs = agn_data(x), *ys = agn_data(y);
    for (int64_t i = 0; i < agn_numel(x); i++)
        printf("%4.1f  %.6f  %*s\n", xs[i], ys[i], (int)(1 + 40 * ys[i]), "*");
    printf("area, roughly: %.4f\n", *(const double *)agn_data(area));

    agn_release(area);
    agn_release(y);
    agn_release(x);
    return 0;
}
