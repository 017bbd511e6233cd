/* hamilton.c - a pendulum by its energy alone: the flow keeps areas, as Liouville says */
#include <agnesi/agnesi.h>
#include <math.h>
#include <stdio.h>

enum { STEPS = 400 };

/* in[0] = (angle, momentum) */
static agn_status energy(void *user, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    (void)user;
    const agn_tensor *q = ag_index_axis(s, in[0], 0, 0), *p = ag_index_axis(s, in[0], 0, 1);
    out[0] = ag_sub(s, ag_mul_c(s, ag_square(s, p), 0.5), ag_cos(s, q));
    return agn_scope_status(s);
}

/* x + dt d, d being component i of the gradient turned by a quarter, alone */
static const agn_tensor *kick(agn_scope *s, const agn_fn *grad, const agn_tensor *x, int i,
                              double dt)
{
    const agn_tensor *g = NULL, *d[2];
    agn_fn_apply(s, &g, 1, grad, &x, 1);
    d[i] = ag_mul_c(s, ag_index_axis(s, g, 0, 1 - i), i ? -dt : dt);
    d[!i] = ag_mul_c(s, d[i], 0);
    return ag_add(s, x, ag_stack(s, d, 2, 0));
}
/* Stoermer and Verlet: half a kick, a drift, half a kick */
static agn_status step(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const double dt = 0.05;
    const agn_tensor *x = kick(s, user, in[0], 1, dt / 2);
    out[0] = kick(s, user, kick(s, user, x, 0, dt), 1, dt / 2);
    return agn_scope_status(s);
}

int main(void)
{
    const double start[] = {1.5, 0.3};
    agn_fn *H = NULL, *grad = NULL, *one = NULL, *flow = NULL, *J = NULL;
    agn_status st = agn_fn_new(&H, energy, NULL, NULL, 1, 1);
    st = st ? st : agn_fn_grad(&grad, H, NULL, 1);
    st = st ? st : agn_fn_new(&one, step, grad, NULL, 1, 1);
    st = st ? st : agn_fn_scan(&flow, one, 1, 0, STEPS, false);
    st = st ? st : agn_fn_jacobian(&J, flow, 0);
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_fail(s, st);
    const agn_tensor *x = ag_from_host(s, AGN_F64, 1, (const int64_t[]){2}, start);
    const agn_tensor *y = NULL, *jac = NULL, *before = NULL, *later = NULL;
    agn_fn_apply(s, &y, 1, flow, &x, 1);
    agn_fn_apply(s, &jac, 1, J, &x, 1);
    agn_fn_apply(s, &before, 1, H, &x, 1);
    agn_fn_apply(s, &later, 1, H, &y, 1);
    if (!agn_scope_status(s)) {
        const double *j = agn_data(jac), *a = agn_data(before), *b = agn_data(later);
        printf("after %d steps: energy changed by %s, area by %s\n", STEPS,
               fabs(*b - *a) < 1e-3 ? "less than 0.001" : "much",
               fabs(j[0] * j[3] - j[1] * j[2] - 1) < 1e-11 ? "less than 1e-11" : "much");
    }
    st = agn_scope_close(s);
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    agn_fn *made[] = {J, flow, one, grad, H};
    for (int i = 0; i < 5; i++)
        agn_fn_release(made[i]);
    return st != AGN_OK;
}
