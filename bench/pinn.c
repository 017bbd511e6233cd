/* bench/pinn.c - steps of physics-informed networks: loss and gradient of all parameters. */
#include "bench.h"
#include "pinn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- pinn ------------------------------------------------------------------------------------------ */

struct residuals {
    const char *name;
    int32_t orders[12]; /* alpha: two numbers for each derivative */
    int n;
    const agn_tensor *(*loss)(agn_scope *s, const agn_tensor *const *d);
};

static agn_status network(void *user, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    const pinn *p = user;
    out[0] = bench_network(s, in[p->n_param], in, p->n_layer);
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
static const agn_tensor *momentum(agn_scope *s, const agn_tensor *const *d, int64_t j)
{
    const agn_tensor *r = plus(s, times(s, column(s, d[0], 0), column(s, d[1], j)),
                               times(s, column(s, d[0], 1), column(s, d[2], j)));
    r = plus(s, r, column(s, j ? d[2] : d[1], 2));
    const agn_tensor *lap = plus(s, column(s, d[3], j), column(s, d[4], j));
    return mean_square(s, ag_sub(s, r, ag_div_c(s, lap, 40)));
}
static const agn_tensor *ns2d(agn_scope *s, const agn_tensor *const *d)
{
    const agn_tensor *mass = plus(s, column(s, d[1], 0), column(s, d[2], 1));
    return plus(s, plus(s, momentum(s, d, 0), momentum(s, d, 1)), mean_square(s, mass));
}

static agn_status loss(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const pinn *p = user;
    const agn_tensor *d[8];
    agn_fn_apply(p->derivatives, s, d, in);
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
    TRY(agn_fn_call(p->step, p->out, (const agn_tensor *const *)p->in));
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
    *p = (pinn){.eq = eq, .n_layer = n_size - 1, .n_param = 2 * (n_size - 1)};
    bench_parameters(p->in, p->n_layer, size, dtype);
    p->in[p->n_param] = bench_points(n, dtype);
    for (int i = 0; i < p->n_param; i++)
        p->argnums[i] = i;
    TRY(agn_fn_new(&p->u, network, p, NULL, p->n_param + 1, 1));
    TRY(agn_fn_partials(&p->derivatives, p->u, p->n_param, 2, eq->orders, eq->n));
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

static void run_pinn(const char *id, const residuals *eq, int n_size,
                     const int64_t *size, int64_t n, agn_dtype dtype)
{
    pinn p;
    agn_fn *g = NULL;
    if (!bench_asked(id))
        return;
    pinn_open(&p, eq, n_size, size, n, dtype);
    TRY(agn_fn_value_and_grad(&g, p.loss, p.argnums, p.n_param));
    TRY(agn_fn_compile(&p.step, g, NULL));
    bench_plan(p.step, dtype == AGN_F32);
    bench_measure(id, &(bench_work){pinn_call, pinn_check, &p, 0});
    bench_explained(p.step);
    agn_fn_release(g);
    pinn_close(&p);
}

const residuals pinn_burgers = {"burgers", {1, 0, 0, 1, 2, 0}, 3, burgers};
const int64_t pinn_deep[10] = {2, 20, 20, 20, 20, 20, 20, 20, 20, 1};

void bench_pinn(void)
{
    static const residuals eq_kdv = {"kdv", {1, 0, 0, 1, 3, 0}, 3, kdv};
    static const residuals eq_ks = {"ks", {1, 0, 0, 1, 2, 0, 4, 0}, 4, ks};
    static const residuals eq_ns2d = {"ns2d", {1, 0, 0, 1, 2, 0, 0, 2}, 4, ns2d};
    static const int64_t wide64[] = {2, 64, 64, 64, 64, 1};
    static const int64_t wide256[] = {2, 256, 256, 256, 256, 1};
    static const int64_t six[] = {2, 30, 30, 30, 30, 30, 30, 1};
    static const int64_t five[] = {2, 50, 50, 50, 50, 50, 1};
    static const int64_t flow[] = {2, 50, 50, 50, 50, 50, 3};
    for (int64_t n = 100; n <= 100000; n *= 10)
        for (int f32 = 0; f32 < 2; f32++) {
            char id[64];
            snprintf(id, sizeof id, "pinn/burgers/n%lld/%s", (long long)n,
                     f32 ? "f32" : "f64");
            run_pinn(id, &pinn_burgers, 10, pinn_deep, n, f32 ? AGN_F32 : AGN_F64);
        }
    run_pinn("pinn/wide64/n4096/f64", &pinn_burgers, 6, wide64, 4096, AGN_F64);
    run_pinn("pinn/wide64/n4096/f32", &pinn_burgers, 6, wide64, 4096, AGN_F32);
    run_pinn("pinn/wide256/n4096/f64", &pinn_burgers, 6, wide256, 4096, AGN_F64);
    run_pinn("pinn/wide256/n4096/f32", &pinn_burgers, 6, wide256, 4096, AGN_F32);
    run_pinn("pinn/kdv/n5000/f64", &eq_kdv, 8, six, 5000, AGN_F64);
    run_pinn("pinn/ks/n2048/f64", &eq_ks, 7, five, 2048, AGN_F64);
    run_pinn("pinn/ns2d/n4096/f64", &eq_ns2d, 7, flow, 4096, AGN_F64);
}

