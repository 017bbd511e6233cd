/* infer/approximation/variational.c - the normal law of the largest evidence lower bound
   (Kucukelbir, Tran, Ranganath, Gelman & Blei 2017), by Adam on reparametrised draws. */
#include "infer/approximation/variational.h"
#include "core/random/philox.h"
#include "tensor/value/tensor.h"
#include <agnesi/ag.h>
#include <agnesi/autograd.h>
#include <agnesi/linalg.h>
#include <agnesi/optim.h>

#include <math.h>
#include <string.h>

typedef const agn_tensor *T;

agn_status agni_descend(double *params, int64_t n_params, const char *op, const agn_fn *loss,
                        int64_t draws, int64_t dims, int64_t steps, double rate, agni_stream *g)
{
    agn_fn *both = NULL, *plan = NULL;
    agn_optim *o = NULL;
    agn_tensor *p = NULL, *z = NULL;
    double *mean = agni_zalloc((size_t)n_params * sizeof *mean);
    agn_optim_options options = {.size = sizeof options, .rate = rate, .beta1 = 0.9, .beta2 = 0.99};
    agn_status st = mean ? AGN_OK : agni_nomem(op, (size_t)n_params * sizeof *mean);
    st = st ? st : agn_fn_value_and_grad(&both, loss, NULL, 1);
    st = st ? st : agn_fn_compile(&plan, both, NULL);
    st = st ? st : agn_from_host(&p, AGN_F64, 1, &n_params, params);
    st = st ? st : agn_zeros(&z, AGN_F64, 2, (const int64_t[]){draws, dims});
    st = st ? st : agn_optim_new(&o, AGN_OPTIM_ADAM, (T const *)&p, 1, &options);
    agn_release(p);
    p = NULL;
    int64_t from = steps - steps / 3, summed = 0;
    for (int64_t k = 0; !st && k < steps; k++) {
        void *numbers = NULL;
        double value = 0;
        int32_t reason = 0;
        st = agn_data_mut(&numbers, z);
        for (int64_t i = 0; !st && i < draws * dims; i++)
            ((double *)numbers)[i] = agni_stream_normal(g);
        st = st ? st : agn_optim_rate_set(o, rate * pow(0.01, (double)k / (double)steps));
        st = st ? st : agn_optim_step(&value, &reason, o, plan, (T const *)&z, 1);
        if (!st && (reason == AGN_OPTIM_NOT_FINITE || !isfinite(value)))
            st = agni_fail(AGN_EDOMAIN, "%s: the evidence lower bound is not finite at step %lld",
                           op, (long long)k);
        if (!st && (reason == AGN_OPTIM_CANCELLED || agni_check_interrupt()))
            st = agni_fail(AGN_ECANCELLED, "%s: interrupted", op);
        if (!st && k % 64 == 0)
            agni_report_progress("fitting", (double)k / (double)steps);
        if (!st && k >= from) {
            st = agn_optim_params(&p, 1, o);
            const double *v = st ? NULL : agn_data(p);
            for (int64_t i = 0; !st && i < n_params; i++)
                mean[i] += v[i];
            summed++;
            agn_release(p);
            p = NULL;
        }
    }
    if (!st && summed)
        for (int64_t i = 0; i < n_params; i++)
            params[i] = mean[i] / (double)summed;
    else if (!st) {
        st = agn_optim_params(&p, 1, o);
        if (!st)
            memcpy(params, agn_data(p), (size_t)n_params * sizeof *params);
        agn_release(p);
    }
    if (!st)
        agni_report_progress("fitting", 1);
    agni_free(mean);
    agn_optim_release(o);
    agn_release(z);
    agn_fn_release(both);
    agn_fn_release(plan);
    return st;
}

/* ---- normal laws ---------------------------------------------------------------------- */

typedef struct bound {
    agn_fn *lanes; /* log densities of [draws, dims] */
    int64_t n;
    bool full;
} bound;

/* parameters: mean, logs of the diagonal, entries below it row by row in a square matrix */
static agn_status bound_body(void *user, agn_scope *s, const T *in, T *out)
{
    const bound *b = user;
    int64_t n = b->n, ends[4] = {0, n, 2 * n, 2 * n + n * n};
    T part[3] = {NULL, NULL, NULL}, y = NULL;
    for (int k = 0; k < 2 + b->full; k++)
        part[k] = ag_slice(s, in[0], 1, &ends[k], &ends[k + 1], NULL);
    T x = ag_mul(s, in[1], ag_exp(s, part[1]));
    if (b->full) {
        T below = ag_tril(s, ag_reshape(s, part[2], 2, (const int64_t[]){n, n}), -1);
        x = ag_add(s, x, ag_matmul(s, in[1], ag_transpose(s, below)));
    }
    x = ag_add(s, x, part[0]);
    agn_status st = agn_fn_apply(s, &y, 1, b->lanes, &x, 1);
    if (st)
        return st;
    out[0] = ag_neg(s, ag_add(s, ag_mean_all(s, y), ag_sum_all(s, part[1])));
    return agn_scope_status(s);
}
static void drop_bound(void *user)
{
    bound *b = user;
    agn_fn_release(b->lanes);
    agni_free(b);
}
static agn_status make_bound(agn_fn **out, const char *op, const agn_model *m, bool full)
{
    bound *b = agni_zalloc(sizeof *b);
    agn_fn *f = NULL;
    if (!b)
        return agni_nomem(op, sizeof *b);
    b->n = m->dims;
    b->full = full;
    agn_status st = agn_model_log_density(&f, m);
    st = st ? st : agn_fn_vmap(&b->lanes, f, NULL, 0, NULL, 0);
    st = st ? st : agn_fn_new(out, bound_body, b, drop_bound, 2, 1);
    agn_fn_release(f);
    if (st)
        drop_bound(b);
    return st;
}
/* of a law, by draws */
static agn_status estimate_elbo(double *elbo, const agn_fn *loss, const double *params,
                                int64_t n_params, int64_t n, agni_stream *g, const char *op)
{
    enum { DRAWS = 1000 };
    agn_tensor *in[2] = {NULL, NULL}, *y = NULL;
    double *z = agni_alloc((size_t)(DRAWS * n) * sizeof *z);
    if (!z)
        return agni_nomem(op, (size_t)(DRAWS * n) * sizeof *z);
    for (int64_t i = 0; i < DRAWS * n; i++)
        z[i] = agni_stream_normal(g);
    agn_status st = agn_from_host(&in[0], AGN_F64, 1, &n_params, params);
    st = st ? st : agn_from_host(&in[1], AGN_F64, 2, (const int64_t[]){DRAWS, n}, z);
    st = st ? st : agn_fn_call(&y, 1, loss, (T const *)in, 2);
    if (!st) /* the entropy of a normal law but for its determinant */
        *elbo = -*(const double *)agn_data(y) + (double)n * 1.41893853320467274178;
    agni_free(z);
    agn_release(in[0]);
    agn_release(in[1]);
    agn_release(y);
    return st;
}
agn_status agn_infer_advi(agn_tensor **loc, agn_tensor **scale_tril, double *elbo,
                          const agn_model *m, const agn_advi_options *opts)
{
    const char *op = "infer_advi";
    if (!loc || !scale_tril || !m)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op,
                         !loc          ? "loc"
                         : !scale_tril ? "scale_tril"
                                       : "m");
    if (agni_check_size(op, agn_advi_options, opts))
        return AGN_EARG;
    agn_advi_options o = {.size = sizeof o};
    if (opts)
        o = *opts;
    o.steps = o.steps ? o.steps : 5000;
    o.draws = o.draws ? o.draws : 10;
    o.rate = o.rate != 0 ? o.rate : 0.05;
    if (o.steps < 1 || o.draws < 1 || o.draws > 1 << 20 || !(o.rate > 0))
        return agni_fail(AGN_EARG, "%s: %lld steps of %lld draws at rate %g: not possible", op,
                         (long long)o.steps, (long long)o.draws, o.rate);
    int64_t n = m->dims, square, shape[2] = {n, n};
    if (!agni_checked_mul(n, n * 16, &square))
        return agni_fail(AGN_ENOMEM, "%s: a covariance of %lld numbers", op, (long long)n);
    int64_t n_params = 2 * n + (o.full_rank ? n * n : 0);
    double *p = agni_zalloc((size_t)(n_params + n * n) * sizeof *p), *l = p + n_params;
    agn_fn *loss = NULL;
    agn_tensor *y[2] = {NULL, NULL};
    agni_stream g = {.key = agni_philox_subkey(o.seed, 0)};
    agn_status st = p ? make_bound(&loss, op, m, o.full_rank)
                      : agni_nomem(op, (size_t)(n_params + n * n) * sizeof *p);
    for (int64_t i = 0; !st && i < n; i++)
        p[n + i] = -1;
    st = st ? st : agni_descend(p, n_params, op, loss, o.draws, n, o.steps, o.rate, &g);
    for (int64_t i = 0; !st && i < n; i++) {
        l[i * n + i] = exp(p[n + i]);
        for (int64_t j = 0; o.full_rank && j < i; j++)
            l[i * n + j] = p[2 * n + i * n + j];
    }
    st = st ? st : agn_from_host(&y[0], AGN_F64, 1, shape, p);
    st = st ? st : agn_from_host(&y[1], AGN_F64, 2, shape, l);
    if (!st && elbo)
        st = estimate_elbo(elbo, loss, p, n_params, n, &g, op);
    agni_free(p);
    agn_fn_release(loss);
    if (st) {
        agn_release(y[0]);
        agn_release(y[1]);
        return st;
    }
    *loc = y[0];
    *scale_tril = y[1];
    return AGN_OK;
}
