/* bench/pinn.c - steps of physics-informed networks: loss and gradient of all parameters. */
#include "bench.h"
#include "pinn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- pinn ----------------------------------------------------------------------------------- */

struct residuals {
    int32_t orders[12]; /* alpha: two numbers for each derivative */
    int n;
    const agn_tensor *(*loss)(agn_scope *s, const agn_tensor *const *d);
};

static agn_status network(void *user, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    const pinn *p = user;
    out[0] = bench_network_of(s, in[p->n_param], in, p->n_layer, p->activation);
    return AGN_OK;
}

static const agn_tensor *mean_square(agn_scope *s, const agn_tensor *r)
{
    return ag_mean_all(s, ag_square(s, r));
}
static const agn_tensor *plus(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    return ag_add(s, a, b);
}
static const agn_tensor *scale_by(agn_scope *s, const agn_tensor *a, double c)
{
    return ag_mul_c(s, a, c);
}
static const agn_tensor *times(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    return ag_mul(s, a, b);
}

/* d: u, then the derivatives in the order of the table */
static const agn_tensor *burgers(agn_scope *s, const agn_tensor *const *d)
{
    const agn_tensor *r = plus(s, d[2], times(s, d[0], d[1]));
    return mean_square(s, ag_sub(s, r, scale_by(s, d[3], 0.01 / acos(-1))));
}
static const agn_tensor *kdv(agn_scope *s, const agn_tensor *const *d)
{
    const agn_tensor *r = plus(s, d[2], times(s, d[0], d[1]));
    return mean_square(s, plus(s, r, scale_by(s, d[3], 0.022 * 0.022)));
}
static const agn_tensor *ks(agn_scope *s, const agn_tensor *const *d)
{
    const agn_tensor *r = plus(s, d[2], scale_by(s, times(s, d[0], d[1]), 100.0 / 16));
    r = plus(s, r, scale_by(s, d[3], 100.0 / 256));
    return mean_square(s, plus(s, r, scale_by(s, d[4], 100.0 / 65536)));
}
static const agn_tensor *column(agn_scope *s, const agn_tensor *x, int64_t j)
{
    return ag_index_axis(s, x, 1, j);
}
static const agn_tensor *momentum(agn_scope *s, const agn_tensor *const *d, int64_t j,
                                  double drag)
{
    const agn_tensor *r = plus(s, times(s, column(s, d[0], 0), column(s, d[1], j)),
                               times(s, column(s, d[0], 1), column(s, d[2], j)));
    r = plus(s, r, column(s, j ? d[2] : d[1], 2));
    const agn_tensor *lap = plus(s, column(s, d[3], j), column(s, d[4], j));
    if (drag != 0)
        r = plus(s, r, scale_by(s, column(s, d[0], j), drag));
    return mean_square(s, ag_sub(s, r, ag_div_c(s, lap, 40)));
}
static const agn_tensor *flow(agn_scope *s, const agn_tensor *const *d, double drag)
{
    const agn_tensor *mass = plus(s, column(s, d[1], 0), column(s, d[2], 1));
    const agn_tensor *r = plus(s, momentum(s, d, 0, drag), momentum(s, d, 1, drag));
    return plus(s, r, mean_square(s, mass));
}
static const agn_tensor *ns2d(agn_scope *s, const agn_tensor *const *d)
{
    return flow(s, d, 0);
}

/* the equations of the twins: Allen and Cahn, Fisher, the modified one of Korteweg and de Vries,
   Swift and Hohenberg, Brinkman */
static const agn_tensor *cube(agn_scope *s, const agn_tensor *u)
{
    return times(s, u, ag_square(s, u));
}
static const agn_tensor *allen_cahn(agn_scope *s, const agn_tensor *const *d)
{
    const agn_tensor *r = ag_sub(s, d[2], scale_by(s, d[3], 1e-4));
    return mean_square(s, plus(s, r, scale_by(s, ag_sub(s, cube(s, d[0]), d[0]), 5)));
}
static const agn_tensor *fisher(agn_scope *s, const agn_tensor *const *d)
{
    const agn_tensor *r = ag_sub(s, d[2], scale_by(s, d[3], 0.01));
    return mean_square(s, plus(s, r, ag_sub(s, ag_square(s, d[0]), d[0])));
}
static const agn_tensor *mkdv(agn_scope *s, const agn_tensor *const *d)
{
    const agn_tensor *move = times(s, ag_square(s, d[0]), d[1]);
    return mean_square(s, plus(s, plus(s, d[2], scale_by(s, move, 6)), d[3]));
}
static const agn_tensor *swift_hohenberg(agn_scope *s, const agn_tensor *const *d)
{
    const agn_tensor *r = plus(s, d[2], scale_by(s, d[0], 0.7));
    r = plus(s, plus(s, r, scale_by(s, d[3], 2)), d[4]);
    return mean_square(s, plus(s, r, cube(s, d[0])));
}
static const agn_tensor *brinkman(agn_scope *s, const agn_tensor *const *d)
{
    return flow(s, d, 0.1);
}

static agn_status loss(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const pinn *p = user;
    const agn_tensor *d[8];
    agn_fn_apply(s, d, agn_fn_n_out(p->derivatives), p->derivatives, in,
                 agn_fn_n_in(p->derivatives));
    out[0] = agn_scope_status(s) ? NULL : p->eq->loss(s, d);
    return AGN_OK;
}

static void pinn_call(void *user)
{
    pinn *p = user;
    for (int i = 0; i <= p->n_param; i++) {
        agn_release(p->out[i]);
        p->out[i] = NULL;
    }
    TRY(agn_fn_call(p->out, agn_fn_n_out(p->step), p->step, (const agn_tensor *const *)p->in,
                    agn_fn_n_in(p->step)));
}

static int pinn_check(void *user, double *value)
{
    pinn *p = user;
    double norm = 0;
    for (int i = 0; i <= p->n_param; i++) {
        agn_tensor *y = bench_f64(p->out[i]);
        const double *v = agn_data(y);
        for (int64_t k = 0; i && k < agn_numel(y); k++)
            norm += v[k] * v[k];
        if (!i)
            value[0] = v[0];
        agn_release(y);
    }
    value[1] = sqrt(norm);
    return 2;
}

void pinn_open(pinn *p, const residuals *eq, int n_size, const int64_t *size, int64_t n,
               agn_dtype dtype)
{
    *p = (pinn){
        .eq = eq, .activation = ag_tanh, .n_layer = n_size - 1, .n_param = 2 * (n_size - 1)};
    bench_parameters(p->in, p->n_layer, size, dtype);
    p->in[p->n_param] = bench_points(n, dtype);
    for (int i = 0; i < p->n_param; i++)
        p->argnums[i] = i;
    TRY(agn_fn_new(&p->u, network, p, NULL, p->n_param + 1, 1));
    TRY(agn_fn_partials(&p->derivatives, p->u, p->n_param, eq->orders, eq->n, 2));
    TRY(agn_fn_new(&p->loss, loss, p, NULL, p->n_param + 1, 1));
}

void pinn_close(pinn *p)
{
    for (int i = 0; i <= p->n_param; i++) {
        agn_release(p->out[i]);
        agn_release(p->in[i]);
    }
    agn_fn_release(p->step);
    agn_fn_release(p->loss);
    agn_fn_release(p->derivatives);
    agn_fn_release(p->u);
}

static void run_pinn(const char *id, const residuals *eq, bench_activation *activation,
                     int n_size, const int64_t *size, int64_t n, agn_dtype dtype)
{
    pinn p;
    agn_fn *g = NULL;
    if (!bench_asked(id))
        return;
    pinn_open(&p, eq, n_size, size, n, dtype);
    p.activation = activation;
    TRY(agn_fn_value_and_grad(&g, p.loss, p.argnums, p.n_param));
    TRY(agn_fn_compile(&p.step, g, NULL));
    bench_plan(p.step, dtype == AGN_F32);
    bench_measure(id, &(bench_work){pinn_call, pinn_check, &p, 0});
    bench_explained(p.step);
    agn_fn_release(g);
    pinn_close(&p);
}

const residuals pinn_burgers = {{1, 0, 0, 1, 2, 0}, 3, burgers};
const int64_t pinn_deep[10] = {2, 20, 20, 20, 20, 20, 20, 20, 20, 1};

static const residuals eq_kdv = {{1, 0, 0, 1, 3, 0}, 3, kdv};
static const residuals eq_ks = {{1, 0, 0, 1, 2, 0, 4, 0}, 4, ks};
static const residuals eq_ns2d = {{1, 0, 0, 1, 2, 0, 0, 2}, 4, ns2d};
static const residuals eq_allen_cahn = {{1, 0, 0, 1, 2, 0}, 3, allen_cahn};
static const residuals eq_fisher = {{1, 0, 0, 1, 2, 0}, 3, fisher};
static const residuals eq_mkdv = {{1, 0, 0, 1, 3, 0}, 3, mkdv};
static const residuals eq_swift = {{1, 0, 0, 1, 2, 0, 4, 0}, 4, swift_hohenberg};
static const residuals eq_brinkman = {{1, 0, 0, 1, 2, 0, 0, 2}, 4, brinkman};

/* A twin has another width, depth, activation and equation than the id whose name it bears, and
   must do as well beside its peers. */
static const struct {
    const char *id;
    const residuals *eq;
    bench_activation *activation;
    int n_hidden, width, n_out;
    int64_t n;
    bool also_f32;
} cases[] = {
    {"pinn/burgers/n100", &pinn_burgers, ag_tanh, 8, 20, 1, 100, true},
    {"pinn/burgers/n1000", &pinn_burgers, ag_tanh, 8, 20, 1, 1000, true},
    {"pinn/burgers/n10000", &pinn_burgers, ag_tanh, 8, 20, 1, 10000, true},
    {"pinn/burgers/n100000", &pinn_burgers, ag_tanh, 8, 20, 1, 100000, true},
    {"pinn/wide64/n4096", &pinn_burgers, ag_tanh, 4, 64, 1, 4096, true},
    {"pinn/wide256/n4096", &pinn_burgers, ag_tanh, 4, 256, 1, 4096, true},
    {"pinn/kdv/n5000", &eq_kdv, ag_tanh, 6, 30, 1, 5000, false},
    {"pinn/ks/n2048", &eq_ks, ag_tanh, 5, 50, 1, 2048, false},
    {"pinn/ns2d/n4096", &eq_ns2d, ag_tanh, 5, 50, 3, 4096, false},
    {"twin/burgers/n10000", &eq_allen_cahn, ag_sin, 5, 32, 1, 10000, true},
    {"twin/wide64/n4096", &eq_fisher, ag_sigmoid, 3, 96, 1, 4096, true},
    {"twin/wide256/n4096", &eq_allen_cahn, ag_sin, 5, 192, 1, 4096, true},
    {"twin/kdv/n5000", &eq_mkdv, ag_sin, 4, 40, 1, 5000, false},
    {"twin/ks/n2048", &eq_swift, ag_sigmoid, 6, 36, 1, 2048, false},
    {"twin/ns2d/n4096", &eq_brinkman, ag_sin, 7, 40, 3, 4096, false},
};

void bench_pinn(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int f32 = 0; f32 <= cases[i].also_f32; f32++) {
            char id[64];
            int64_t size[MAX_LAYERS + 1] = {2};
            for (int l = 1; l <= cases[i].n_hidden; l++)
                size[l] = cases[i].width;
            size[cases[i].n_hidden + 1] = cases[i].n_out;
            snprintf(id, sizeof id, "%s/%s", cases[i].id, f32 ? "f32" : "f64");
            run_pinn(id, cases[i].eq, cases[i].activation, cases[i].n_hidden + 2, size,
                     cases[i].n, f32 ? AGN_F32 : AGN_F64);
        }
}
