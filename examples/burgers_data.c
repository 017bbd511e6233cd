/* burgers_data.c - the random weights, and the points that the loss is taken at. */
#include "burgers_data.h"

#include <math.h>
#include <string.h>

enum { CANDIDATES = 8 /* for each point */ };

void burgers_release(agn_tensor *t[], int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        agn_release(t[i]);
        t[i] = NULL;
    }
}

/* Normal with variance 2 / (inputs + outputs), biases zero (Glorot and Bengio 2010). */
agn_status burgers_weights(agn_tensor *w[], const burgers_options *o, agn_generator *random)
{
    agn_scope *s = agn_scope_open(NULL);
    for (int64_t layer = 0; layer <= o->depth; layer++) {
        int64_t rows = layer ? o->width : 3, columns = layer < o->depth ? o->width : 1;
        int64_t matrix[] = {rows, columns}, bias[] = {1, columns};
        double size = sqrt(2.0 / (double)(rows + columns));
        const agn_tensor *x = ag_normal(s, ag_key(s, random), AGN_F64, 2, matrix);
        agn_scope_return(s, &w[2 * layer], ag_mul_c(s, x, size));
        agn_scope_return(s, &w[2 * layer + 1], ag_full(s, AGN_F64, 2, bias, 0));
    }
    return agn_scope_close(s);
}

agn_status burgers_at(agn_tensor **out, const agn_fn *f, const agn_optim *o, const agn_tensor *z)
{
    agn_tensor *w[BURGERS_MOST_WEIGHTS] = {NULL};
    const agn_tensor *in[BURGERS_MOST_WEIGHTS + 1];
    int32_t n = agn_optim_n_params(o);
    agn_status st = agn_optim_params(w, agn_optim_n_params(o), o);
    memcpy(in, w, sizeof w);
    in[n] = z;
    st = st ? st : agn_fn_call(out, agn_fn_n_out(f), f, in, agn_fn_n_in(f));
    burgers_release(w, n);
    return st;
}

/* n points, uniform in [0,1] x [-1,1] */
static const agn_tensor *draw(agn_scope *s, agn_generator *random, int64_t n)
{
    int64_t shape[] = {n, 1};
    const agn_tensor *t = ag_uniform(s, ag_key(s, random), AGN_F64, 2, shape);
    const agn_tensor *x = ag_uniform(s, ag_key(s, random), AGN_F64, 2, shape);
    const agn_tensor *z[] = {t, ag_sub_c(s, ag_mul_c(s, x, 2), 1)};
    return ag_concat(s, z, 2, 1);
}

/* Drawn from more candidates with odds 1 + v / mean v, v the importance (Wu et al. 2023). With
 * e exponential, the places of the n smallest e / odds are a sample without replacement
 * (Efraimidis and Spirakis 2006). */
agn_status burgers_points(agn_tensor **z, int64_t n, agn_generator *random,
                          const agn_fn *importance, const agn_optim *o)
{
    int64_t many = CANDIDATES * n, from = 0;
    agn_tensor *points = NULL, *at = NULL;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *all = draw(s, random, many);
    agn_status st = agn_scope_status(s);
    st = st ? st : burgers_at(&at, importance, o, all);
    const agn_tensor *odds = ag_reshape(s, agn_scope_adopt(s, st, &at), 1, &many);
    odds = ag_add_c(s, ag_div(s, odds, ag_mean_all(s, odds)), 1);
    const agn_tensor *e = ag_uniform(s, ag_key(s, random), AGN_F64, 1, &many);
    e = ag_neg(s, ag_log1p(s, ag_neg(s, e)));
    const agn_tensor *order = ag_argsort(s, ag_div(s, e, odds), 0, false);
    order = ag_slice(s, order, 1, &from, &n, NULL);
    agn_scope_return(s, &points, ag_gather(s, all, order, 0));
    st = agn_scope_close(s);
    if (st)
        return st;
    agn_release(*z);
    *z = points;
    return AGN_OK;
}
