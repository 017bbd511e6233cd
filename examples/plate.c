/* plate.c - a loaded plate: does a network's deflection satisfy the plate equation?
 *
 *     cc plate.c -o plate $(pkg-config --cflags --libs agnesi)
 *
 * The deflection w of a thin plate under a load q satisfies D Laplace^2 w = q. For
 * w = sin(pi x) sin(2 pi y) the load is 25 pi^4 D w; heat in the same plate, with a conductivity
 * that varies, obeys an operator given by its terms. */
#include <agnesi/agnesi.h>
#include <math.h>
#include <stdio.h>

#define PI 3.14159265358979323846

/* w(x, y) of rows (x, y) */
static agn_status deflection(void *user, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    (void)user;
    const agn_tensor *x = ag_index_axis(s, in[0], -1, 0), *y = ag_index_axis(s, in[0], -1, 1);
    out[0] = ag_mul(s, ag_sin(s, ag_mul_c(s, x, PI)), ag_sin(s, ag_mul_c(s, y, 2 * PI)));
    return agn_scope_status(s);
}

int main(void)
{
    double points[3][2] = {{0.25, 0.125}, {0.5, 0.3}, {0.9, 0.6}}, k[3] = {1, 2, 3}, v[2][3];
    /* k (w_xx + w_yy) + w_x: three terms, two of which have a factor */
    int32_t alpha[3][2] = {{2, 0}, {0, 2}, {1, 0}}, factor[3] = {0, 0, -1};
    agn_fn *w = NULL, *load = NULL, *fast = NULL, *heat = NULL;
    agn_tensor *x = NULL, *conductivity = NULL, *q[2] = {NULL}, *h[2] = {NULL};
    agn_status st = agn_from_host(&x, AGN_F64, 2, (int64_t[]){3, 2}, points);
    st = st ? st : agn_from_host(&conductivity, AGN_F64, 1, (int64_t[]){3}, k);
    st = st ? st : agn_fn_new(&w, deflection, NULL, NULL, 1, 1);
    st = st ? st : agn_fn_biharmonic(&load, w, 0);
    st = st ? st : agn_fn_compile(&fast, load, NULL);
    st = st ? st : agn_fn_operator(&heat, w, 0, alpha[0], 3, 2, NULL, factor);
    st = st ? st : agn_fn_call(q, 2, fast, AGN_ARGS(x));
    st = st ? st : agn_fn_call(h, 2, heat, AGN_ARGS(x, conductivity));
    st = st ? st : agn_to_host(v[0], q[0], sizeof v[0]);
    st = st ? st : agn_to_host(v[1], h[0], sizeof v[1]);
    for (int i = 0; !st && i < 3; i++) {
        double a = PI * points[i][0], b = 2 * PI * points[i][1], u = sin(a) * sin(b);
        printf("load %10.4f, by hand %10.4f; heat %9.5f, by hand %9.5f\n", v[0][i],
               25 * pow(PI, 4) * u, v[1][i], -5 * PI * PI * k[i] * u + PI * cos(a) * sin(b));
    }
    if (st)
        fprintf(stderr, "plate: %s\n", agn_error_message());
    agn_fn_release(w), agn_fn_release(load), agn_fn_release(fast), agn_fn_release(heat);
    for (int i = 0; i < 2; i++)
        agn_release(q[i]), agn_release(h[i]);
    agn_release(x), agn_release(conductivity);
    return st != AGN_OK;
}
