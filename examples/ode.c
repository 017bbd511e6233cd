/* ode.c - the rates of foxes and hares from how many there were: fitting a differential equation */
#include <agnesi/agnesi.h>
#include <math.h>
#include <stdio.h>

enum { STEPS = 200 };

typedef struct model {
    agn_fn *loop;
    const agn_tensor *rate[4]; /* that the steps of a call share */
} model;

/* hares grow and are eaten, foxes starve and eat (Lotka and Volterra); y = (hares, foxes) */
static const agn_tensor *slope(agn_scope *s, const model *m, const agn_tensor *y)
{
    const agn_tensor *h = ag_index_axis(s, y, 0, 0), *f = ag_index_axis(s, y, 0, 1);
    const agn_tensor *meet = ag_mul(s, h, f);
    const agn_tensor *d[] = {
        ag_sub(s, ag_mul(s, m->rate[0], h), ag_mul(s, m->rate[1], meet)),
        ag_sub(s, ag_mul(s, m->rate[2], meet), ag_mul(s, m->rate[3], f))};
    return ag_stack(s, d, 2, 0);
}
static const agn_tensor *after(agn_scope *s, const agn_tensor *y, const agn_tensor *k, double dt)
{
    return ag_add(s, y, ag_mul_c(s, k, dt));
}
/* a step of Runge and Kutta's: y to y, which is also what the loop remembers */
static agn_status step(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const model *m = user;
    const double dt = 0.05;
    const agn_tensor *y = in[0], *k1 = slope(s, m, y), *k2 = slope(s, m, after(s, y, k1, dt / 2));
    const agn_tensor *k3 = slope(s, m, after(s, y, k2, dt / 2)),
                     *k4 = slope(s, m, after(s, y, k3, dt));
    const agn_tensor *k = ag_add(s, ag_add(s, k1, k4), ag_mul_c(s, ag_add(s, k2, k3), 2));
    out[0] = out[1] = after(s, y, k, dt / 6);
    return agn_scope_status(s);
}
/* in[0]: logarithms of the rates, which stay positive; in[1]: the beginning */
static agn_status course(void *user, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    model *m = user;
    const agn_tensor *y[2] = {NULL, NULL}, *rates = ag_exp(s, in[0]);
    for (int i = 0; i < 4; i++)
        m->rate[i] = ag_index_axis(s, rates, 0, i);
    agn_fn_apply(s, y, 2, m->loop, in + 1, agn_fn_n_in(m->loop));
    out[0] = y[1];
    return agn_scope_status(s);
}
/* how far the course is from in[2] */
static agn_status misfit(void *user, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    const agn_tensor *y = NULL;
    course(user, s, in, &y);
    out[0] = ag_mean_all(s, ag_square(s, ag_sub(s, y, in[2])));
    return agn_scope_status(s);
}

int main(void)
{
    const double truth[] = {log(1.1), log(0.4), log(0.1), log(0.4)}, begin[] = {10, 5};
    model m = {NULL, {NULL, NULL, NULL, NULL}};
    agn_fn *one = NULL, *path = NULL, *f = NULL, *df = NULL, *fast = NULL;
    agn_optim *o = NULL;
    agn_tensor *p = NULL, *y0 = NULL, *seen = NULL, *guess = NULL, *best = NULL;
    agn_status st = agn_fn_new(&one, step, &m, NULL, 1, 2);
    st = st ? st : agn_fn_scan(&m.loop, one, 1, 0, STEPS, false);
    st = st ? st : agn_fn_new(&path, course, &m, NULL, 2, 1);
    st = st ? st : agn_fn_new(&f, misfit, &m, NULL, 3, 1);
    st = st ? st : agn_fn_value_and_grad(&df, f, NULL, 1);
    st = st ? st : agn_fn_compile(&fast, df, NULL);
    st = st ? st : agn_from_host(&p, AGN_F64, 1, (const int64_t[]){4}, truth);
    st = st ? st : agn_from_host(&y0, AGN_F64, 1, (const int64_t[]){2}, begin);
    st = st ? st : agn_fn_call(&seen, 1, path, AGN_ARGS(p, y0));
    st = st ? st : agn_full(&guess, AGN_F64, 1, (const int64_t[]){4}, log(0.3));
    st = st ? st : agn_optim_new(&o, AGN_OPTIM_BFGS, (const agn_tensor *const *)&guess, 1, NULL);
    st = st ? st : agn_optim_minimise(NULL, o, fast, (const agn_tensor *const[]){y0, seen}, 2, 300,
                                      NULL, NULL);
    st = st ? st : agn_optim_params(&best, 1, o);
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    else
        for (int i = 0; i < 4; i++)
            printf("rate %d: %.4f\n", i, exp(((const double *)agn_data(best))[i]));
    agn_optim_release(o);
    agn_tensor *held[] = {p, y0, seen, guess, best};
    for (int i = 0; i < 5; i++)
        agn_release(held[i]);
    agn_fn *made[] = {fast, df, f, path, m.loop, one};
    for (int i = 0; i < 6; i++)
        agn_fn_release(made[i]);
    return st != AGN_OK;
}
