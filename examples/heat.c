/* heat.c - what a rod is made of, from how it cooled: an inverse problem, in little memory */
#include <agnesi/agnesi.h>
#include <math.h>
#include <stdio.h>

enum { CELLS = 64, STEPS = 1000, MODES = 3 };

typedef struct rod {
    agn_fn *loop;
    const agn_tensor *k; /* conductivity between cells, of this call */
} rod;

/* an explicit step of u_t = (k u_x)_x; the ends let no heat through */
static agn_status step(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const rod *r = user;
    const int64_t zero = 0, one = 1, last = CELLS - 1, all = CELLS;
    const agn_tensor *right = ag_slice(s, in[0], 1, &one, &all, &one);
    const agn_tensor *left = ag_slice(s, in[0], 1, &zero, &last, &one);
    const agn_tensor *flow = ag_mul(s, r->k, ag_sub(s, right, left));
    const agn_tensor *gain = ag_sub(s, ag_pad(s, flow, 1, &zero, &one, 0),
                                    ag_pad(s, flow, 1, &one, &zero, 0));
    out[0] = ag_add(s, in[0], ag_mul_c(s, gain, 0.2));
    return agn_scope_status(s);
}

/* k = exp(sum c_m cos(m pi x)) */
static const agn_tensor *conductivity(agn_scope *s, const agn_tensor *c)
{
    static double wave[MODES][CELLS - 1];
    for (int m = 0; m < MODES; m++)
        for (int i = 0; i < CELLS - 1; i++)
            wave[m][i] = cos(m * acos(-1) * (i + 1) / CELLS);
    const int64_t shape[] = {MODES, CELLS - 1};
    return ag_exp(s, ag_matmul(s, c, ag_from_host(s, AGN_F64, 2, shape, wave)));
}
/* in: c, temperatures before */
static agn_status cooled(void *user, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    rod *r = user;
    r->k = conductivity(s, in[0]);
    agn_fn_apply(s, out, agn_fn_n_out(r->loop), r->loop, in + 1, agn_fn_n_in(r->loop));
    return agn_scope_status(s);
}
/* in: c, temperatures before, and after */
static agn_status misfit(void *user, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    const agn_tensor *u = NULL;
    cooled(user, s, in, &u);
    out[0] = ag_sum_all(s, ag_square(s, ag_sub(s, u, in[2])));
    return agn_scope_status(s);
}

int main(void)
{
    const double truth[MODES] = {-0.5, 0.4, -0.3};
    double before[CELLS];
    for (int i = 0; i < CELLS; i++)
        before[i] = i > 10 && i < 30;
    rod r = {NULL, NULL};
    agn_scan_options keep = {.size = sizeof keep, .keep = AGN_KEEP_LOG}; /* ten states, not 1000 */
    agn_fn *one = NULL, *model = NULL, *f = NULL, *df = NULL;
    agn_optim *o = NULL;
    agn_tensor *c = NULL, *u0 = NULL, *u1 = NULL, *guess = NULL, *best = NULL;
    agn_status st = agn_fn_new(&one, step, &r, NULL, 1, 1);
    st = st ? st : agn_fn_scan_with(&r.loop, one, 1, 0, STEPS, &keep);
    st = st ? st : agn_fn_new(&model, cooled, &r, NULL, 2, 1);
    st = st ? st : agn_fn_new(&f, misfit, &r, NULL, 3, 1);
    st = st ? st : agn_fn_value_and_grad(&df, f, NULL, 1);
    st = st ? st : agn_from_host(&c, AGN_F64, 1, (const int64_t[]){MODES}, truth);
    st = st ? st : agn_from_host(&u0, AGN_F64, 1, (const int64_t[]){CELLS}, before);
    st = st ? st : agn_fn_call(&u1, 1, model, AGN_ARGS(c, u0));
    st = st ? st : agn_full(&guess, AGN_F64, 1, (const int64_t[]){MODES}, 0);
    st = st ? st : agn_optim_new(&o, AGN_OPTIM_BFGS, (const agn_tensor *const *)&guess, 1, NULL);
    st = st ? st
            : agn_optim_minimise(NULL, o, df, (const agn_tensor *const[]){u0, u1}, 2, 100, NULL,
                                 NULL);
    st = st ? st : agn_optim_params(&best, 1, o);
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    else
        for (int m = 0; m < MODES; m++)
            printf("mode %d: %7.4f\n", m, ((const double *)agn_data(best))[m]);
    agn_optim_release(o);
    agn_tensor *held[] = {c, u0, u1, guess, best};
    for (int i = 0; i < 5; i++)
        agn_release(held[i]);
    agn_fn *made[] = {df, f, model, r.loop, one};
    for (int i = 0; i < 5; i++)
        agn_fn_release(made[i]);
    return st != AGN_OK;
}
