/* The memory of a training step does not grow with the number of points: loss and gradient
   of a network of 8 layers for the Burgers equation, at a million points. */
#include "laws.h"

#include <agnesi/ag.h>

enum { LAYERS = 9, PARAMS = 2 * LAYERS, WIDTH = 20, POINTS = 1000000 };

static agn_fn *derivatives;

static agn_status network(void *user, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    const agn_tensor *h = in[PARAMS];
    (void)user;
    for (int l = 0; l < LAYERS; l++) {
        h = ag_add(s, ag_matmul(s, h, in[2 * l]), in[2 * l + 1]);
        h = l < LAYERS - 1 ? ag_tanh(s, h) : h;
    }
    out[0] = h;
    return AGN_OK;
}

static agn_status loss(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const agn_tensor *d[4]; /* u, u_x, u_t, u_xx */
    (void)user;
    if (agn_fn_apply(s, d, 4, derivatives, in, agn_fn_n_in(derivatives)))
        return agn_scope_status(s);
    const agn_tensor *r = ag_add(s, d[2], ag_mul(s, d[0], d[1]));
    r = ag_sub(s, r, ag_mul_c(s, d[3], 0.003));
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

int main(void)
{
    static const int32_t orders[] = {1, 0, 0, 1, 2, 0};
    int32_t argnums[PARAMS];
    agn_fn *u = NULL, *f = NULL, *g = NULL, *step = NULL;
    agn_tensor *in[PARAMS + 1], *y[PARAMS + 1];
    for (int l = 0; l < LAYERS; l++) {
        int64_t shape[2] = {l ? WIDTH : 2, l < LAYERS - 1 ? WIDTH : 1};
        in[2 * l] = filled(2, shape);
        in[2 * l + 1] = filled(1, shape + 1);
        argnums[2 * l] = 2 * l;
        argnums[2 * l + 1] = 2 * l + 1;
    }
    in[PARAMS] = filled(2, (int64_t[]){POINTS, 2});
    must(agn_fn_new(&u, network, NULL, NULL, PARAMS + 1, 1));
    must(agn_fn_partials(&derivatives, u, PARAMS, orders, 3, 2));
    must(agn_fn_new(&f, loss, NULL, NULL, PARAMS + 1, 1));
    must(agn_fn_value_and_grad(&g, f, argnums, PARAMS));
    must(agn_fn_compile(&step, g, NULL));
    int64_t before, peak;
    agn_memory_live(&before, NULL, NULL);
    agn_memory_reset_peak();
    agn_status st = agn_fn_call(y, PARAMS + 1, step, (const agn_tensor *const *)in, PARAMS + 1);
    agn_memory_live(NULL, NULL, &peak);
    is_int(st, AGN_OK, "a step at %d points", POINTS);
    ok(peak - before <= 100 << 20,
       "it needs %.1f MB over its arguments, with %d threads",
       (double)(peak - before) / (1 << 20), agn_threads());
    for (int i = 0; i <= PARAMS; i++) {
        agn_release(in[i]);
        if (!st)
            agn_release(y[i]);
    }
    agn_fn_release(step);
    agn_fn_release(g);
    agn_fn_release(f);
    agn_fn_release(derivatives);
    agn_fn_release(u);
    return done();
}
