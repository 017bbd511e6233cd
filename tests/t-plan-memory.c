/* The memory of a training step does not grow with the number of points: loss and gradient
   of a network of 8 layers for the Burgers equation, at a million points; of the biharmonic of a
   network of gelu, whose masks are those of weights beside all points, at 40 960. */
#include "laws.h"

#include <agnesi/ag.h>
#include <agnesi/operator.h>

enum { LAYERS = 9, PARAMS = 2 * LAYERS, WIDTH = 20 };

typedef struct problem {
    int layers;
    bool plate; /* the biharmonic and gelu */
    int64_t points;
    double mb; /* beyond 2 for each thread */
    agn_fn *derivatives;
} problem;

static agn_status network(void *user, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    const problem *p = user;
    const agn_tensor *h = in[2 * p->layers];
    for (int l = 0; l < p->layers; l++) {
        h = ag_add(s, ag_matmul(s, h, in[2 * l]), in[2 * l + 1]);
        if (l < p->layers - 1)
            h = p->plate ? ag_gelu(s, h) : ag_tanh(s, h);
    }
    out[0] = h;
    return AGN_OK;
}

static agn_status loss(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const problem *p = user;
    const agn_tensor *d[4]; /* u, u_x, u_t, u_xx; or the biharmonic, u */
    if (agn_fn_apply(s, d, agn_fn_n_out(p->derivatives), p->derivatives, in,
                     agn_fn_n_in(p->derivatives)))
        return agn_scope_status(s);
    const agn_tensor *r = d[0];
    if (!p->plate) {
        r = ag_add(s, d[2], ag_mul(s, d[0], d[1]));
        r = ag_sub(s, r, ag_mul_c(s, d[3], 0.003));
    }
    out[0] = ag_mean_all(s, ag_square(s, r));
    return AGN_OK;
}

static agn_tensor *filled(int ndim, const int64_t *shape)
{
    agn_tensor *x = NULL;
    void *p = NULL;
    must(agn_empty(&x, AGN_F64, ndim, shape, AGN_CPU));
    must(agn_data_mut(&p, x));
    for (int64_t i = 0; i < agn_numel(x); i++)
        ((double *)p)[i] = rnd_in(-0.5, 0.5);
    return x;
}

static void try_step(problem *p)
{
    static const int32_t orders[] = {1, 0, 0, 1, 2, 0};
    const int n_param = 2 * p->layers;
    int32_t argnums[PARAMS];
    agn_fn *u = NULL, *f = NULL, *g = NULL, *step = NULL;
    agn_tensor *in[PARAMS + 1], *y[PARAMS + 1];
    for (int l = 0; l < p->layers; l++) {
        int64_t shape[2] = {l ? WIDTH : 2, l < p->layers - 1 ? WIDTH : 1};
        in[2 * l] = filled(2, shape);
        in[2 * l + 1] = filled(1, shape + 1);
        argnums[2 * l] = 2 * l;
        argnums[2 * l + 1] = 2 * l + 1;
    }
    in[n_param] = filled(2, (int64_t[]){p->points, 2});
    must(agn_fn_new(&u, network, p, NULL, n_param + 1, 1));
    must(p->plate ? agn_fn_biharmonic(&p->derivatives, u, n_param)
                  : agn_fn_partials(&p->derivatives, u, n_param, orders, 3, 2));
    must(agn_fn_new(&f, loss, p, NULL, n_param + 1, 1));
    must(agn_fn_value_and_grad(&g, f, argnums, n_param));
    must(agn_fn_compile(&step, g, NULL));
    int64_t before, peak;
    agn_memory_live(&before, NULL, NULL);
    for (int call = 0; call < 2; call++) { /* the first one plans */
        agn_memory_reset_peak();
        must(agn_fn_call(y, n_param + 1, step, (const agn_tensor *const *)in, n_param + 1));
        agn_memory_live(NULL, NULL, &peak);
        for (int i = 0; i <= n_param; i++)
            agn_release(y[i]);
    }
    const double mb = (double)(peak - before) / (1 << 20);
    ok(mb <= p->mb + 2 * agn_threads(), "%lld points: %.1f MB over the arguments, %d threads",
       (long long)p->points, mb, agn_threads());
    for (int i = 0; i <= n_param; i++)
        agn_release(in[i]);
    agn_fn_release(step);
    agn_fn_release(g);
    agn_fn_release(f);
    agn_fn_release(p->derivatives);
    agn_fn_release(u);
}

int main(void)
{
    try_step(&(problem){.layers = LAYERS, .points = 1000000, .mb = 6});
    try_step(&(problem){.layers = 3, .plate = true, .points = 40960, .mb = 8});
    return done();
}
