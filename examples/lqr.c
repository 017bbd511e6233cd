/* lqr.c - optimal control by Riccati's equation, differentiated in its weights: a cart of mass 1 is
   brought to rest at 0 with the least of int x'Qx + r u^2 dt. For it the solution has a formula,
   which it and its gradient are compared with; then the price r of force is found for which the
   whole int u^2 dt is what one has, by Newton's method with the derivative through Riccati's and
   Lyapunov's equations. With an argument a picture is written there. */
#include "chart.h"
#include <agnesi/agnesi.h>
#include <agnesi/linalg.h>

enum { POINTS = 201 };
static const double budget = 0.5, horizon = 8;

static const agn_tensor *entry(agn_scope *s, const agn_tensor *v, int i)
{
    return ag_index_axis(s, v, 0, i);
}
static const agn_tensor *host(agn_scope *s, int64_t rows, int64_t columns, const double *v)
{
    return ag_from_host(s, AGN_F64, 2, (const int64_t[]){rows, columns}, v);
}
static const agn_tensor *motion(agn_scope *s)
{
    return host(s, 2, 2, (const double[]){0, 1, 0, 0});
}
static const agn_tensor *force(agn_scope *s)
{
    return host(s, 2, 1, (const double[]){0, 1});
}
/* weights of place, speed and force to the solution p: the cost from x is x'px */
static agn_status riccati(void *user, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    (void)user;
    const agn_tensor *q = ag_diag(
        s, ag_slice(s, in[0], 1, (const int64_t[]){0}, (const int64_t[]){2}, NULL), 0);
    const agn_tensor *r = ag_reshape(s, entry(s, in[0], 2), 2, (const int64_t[]){1, 1});
    out[0] = ag_linalg_continuous_riccati(s, motion(s), force(s), q, r);
    return agn_scope_status(s);
}
/* p11 = sqrt(q1 (q2 + 2 p12)), p12 = sqrt(q1 r), p22 = sqrt(r (q2 + 2 p12)) */
static agn_status formula(void *user, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    (void)user;
    const agn_tensor *q1 = entry(s, in[0], 0), *q2 = entry(s, in[0], 1), *r = entry(s, in[0], 2);
    const agn_tensor *p12 = ag_sqrt(s, ag_mul(s, q1, r));
    const agn_tensor *sum = ag_add(s, q2, ag_mul_c(s, p12, 2));
    const agn_tensor *const all[] = {ag_sqrt(s, ag_mul(s, q1, sum)), p12, p12,
                                     ag_sqrt(s, ag_mul(s, r, sum))};
    out[0] = ag_reshape(s, ag_stack(s, all, 4, 0), 2, (const int64_t[]){2, 2});
    return agn_scope_status(s);
}

/* the force is -k x: k [1, 2] for the logarithm of the price of force */
static const agn_tensor *gain(agn_scope *s, const agn_tensor *log_r)
{
    const agn_tensor *one = ag_lit(s, 1), *r = ag_exp(s, log_r);
    const agn_tensor *const all[] = {one, ag_lit(s, 0), r};
    const agn_tensor *w = ag_stack(s, all, 3, 0), *p = NULL;
    agn_scope_fail(s, riccati(NULL, s, &w, &p));
    return ag_div(s, ag_matmul(s, ag_transpose(s, force(s)), p), r);
}
/* log of int u^2 dt from (1, 0): x0' y x0 with a'y + y a + k'k = 0 of the closed loop a */
static agn_status effort(void *user, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    (void)user;
    const agn_tensor *k = gain(s, in[0]);
    const agn_tensor *closed = ag_sub(s, motion(s), ag_matmul(s, force(s), k));
    const agn_tensor *y = ag_linalg_continuous_lyapunov(
        s, ag_transpose(s, closed), ag_neg(s, ag_matmul(s, ag_transpose(s, k), k)));
    out[0] = ag_log(s, ag_index_axis(s, ag_index_axis(s, y, 0, 0), 0, 0));
    return agn_scope_status(s);
}

static agn_status compare(agn_scope *s)
{
    const double weight[] = {2, 0.5, 0.3};
    const agn_tensor *w = ag_from_host(s, AGN_F64, 1, (const int64_t[]){3}, weight);
    const agn_tensor *p[2] = {NULL}, *j[2] = {NULL}, *off[2];
    agn_status st = agn_scope_status(s);
    for (int k = 0; k < 2; k++) {
        agn_fn *f = NULL, *df = NULL;
        st = st ? st : agn_fn_new(&f, k ? formula : riccati, NULL, NULL, 1, 1);
        st = st ? st : agn_fn_jacobian(&df, f, 0);
        st = st ? st : agn_fn_apply(s, &p[k], 1, f, &w, 1);
        st = st ? st : agn_fn_apply(s, &j[k], 1, df, &w, 1);
        agn_fn_release(f);
        agn_fn_release(df);
    }
    agn_scope_fail(s, st);
    off[0] = ag_max(s, ag_abs(s, ag_sub(s, p[0], p[1])), NULL, 0, false);
    off[1] = ag_max(s, ag_abs(s, ag_sub(s, j[0], j[1])), NULL, 0, false);
    st = agn_scope_status(s);
    for (int k = 0; k < 2 && !st; k++)
        printf("%s: %s\n", k ? "its gradient in the weights" : "solution",
               *(const double *)agn_data(off[k]) < 1e-12 ? "as by the formula"
                                                         : "not as by the formula");
    return st;
}
/* Newton's method for log effort = log budget, in the logarithm of the price */
static agn_status find_price(double *log_r)
{
    agn_fn *f = NULL, *df = NULL;
    agn_status st = agn_fn_new(&f, effort, NULL, NULL, 1, 1);
    st = st ? st : agn_fn_value_and_grad(&df, f, NULL, 1);
    double change = 1;
    for (int k = 0; !st && fabs(change) > 1e-13 && k < 20; k++) {
        agn_tensor *at = NULL, *y[2] = {NULL, NULL};
        st = agn_full(&at, AGN_F64, 0, NULL, *log_r);
        st = st ? st : agn_fn_call(y, 2, df, AGN_ARGS(at));
        if (!st) {
            change = (log(budget) - *(const double *)agn_data(y[0])) /
                     *(const double *)agn_data(y[1]);
            *log_r += change;
        }
        agn_release(at);
        agn_release(y[0]);
        agn_release(y[1]);
    }
    agn_fn_release(f);
    agn_fn_release(df);
    return st;
}
/* place and force of the closed loop, by exponentials */
static agn_status draw(agn_scope *s, const double *log_r, const char *path)
{
    FILE *f = picture_open(path, 640, 310);
    chart c = {f, 60, 25, 560, 240, 0, horizon, -3, 1.1};
    chart_frame(&c, "place (blue) and force (red) for the budget 0.5; pale: for r = 1/8 and r = 8");
    chart_axes(&c, "time", "place, force");
    const double price[3] = {log(0.125), log(8), *log_r};
    for (int n = 0; n < 3; n++) {
        const agn_tensor *k = gain(s, ag_lit(s, price[n]));
        const agn_tensor *closed = ag_sub(s, motion(s), ag_matmul(s, force(s), k));
        const agn_tensor *t = ag_linspace(s, AGN_F64, 0, horizon, POINTS);
        const agn_tensor *e = ag_linalg_matrix_exp(
            s, ag_mul(s, closed, ag_expand_dims(s, ag_expand_dims(s, t, 1), 2)));
        const agn_tensor *x = ag_index_axis(s, e, 2, 0);
        const agn_tensor *u = ag_contiguous(s, ag_neg(s, ag_matmul(s, x, ag_transpose(s, k))));
        const agn_tensor *place = ag_contiguous(s, ag_index_axis(s, x, 1, 0));
        if (agn_scope_status(s))
            break;
        chart_curve(&c, POINTS, agn_data(t), agn_data(place), n < 2 ? CHART_PALE : CHART_BLUE);
        chart_curve(&c, POINTS, agn_data(t), agn_data(u), n < 2 ? "#f0c8c8" : CHART_RED);
    }
    picture_close(f);
    return agn_scope_status(s);
}

int main(int argc, char **argv)
{
    double log_r = 0;
    agn_scope *s = agn_scope_open(NULL);
    agn_status st = compare(s);
    st = st ? st : find_price(&log_r);
    if (!st) /* for these weights int u^2 dt = sqrt(2) / (4 r^(3/4)) */
        printf("price of force %.6f, by the formula %.6f\n", exp(log_r),
               pow(sqrt(2) / 4 / budget, 4.0 / 3));
    st = st || argc < 2 ? st : draw(s, &log_r, argv[1]);
    agn_scope_fail(s, st);
    st = agn_scope_close(s);
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    return st != AGN_OK;
}
