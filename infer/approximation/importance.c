/* infer/approximation/importance.c - draws from an approximation, weighed by the posterior
   (Vehtari, Simpson, Gelman, Yao & Gabry 2024). */
#include "infer/approximation/approximation.h"
#include "infer/criticism/pareto.h"
#include "core/random/philox.h"
#include <agnesi/autograd.h>
#include <agnesi/create.h>

#include <math.h>
#include <string.h>

agn_status agni_log_densities(double *y, const agn_model *m, const double *points, int64_t n)
{
    agn_fn *f = NULL, *lanes = NULL, *plan = NULL;
    agn_tensor *x = NULL, *z = NULL;
    const void *data = NULL;
    agn_status st = agn_model_log_density(&f, m);
    st = st ? st : agn_fn_vmap(&lanes, f, NULL, 0, NULL, 0);
    st = st ? st : agn_fn_compile(&plan, lanes, NULL);
    st = st ? st : agn_from_host(&x, AGN_F64, 2, (const int64_t[]){n, m->dims}, points);
    st = st ? st : agn_fn_call(&z, 1, plan, (const agn_tensor *const *)&x, 1);
    st = st ? st : agn_data_contiguous(&data, z);
    for (int64_t i = 0; !st && i < n; i++)
        y[i] = isfinite(((const double *)data)[i]) ? ((const double *)data)[i] : -(double)INFINITY;
    agn_fn_release(f);
    agn_fn_release(lanes);
    agn_fn_release(plan);
    agn_release(x);
    agn_release(z);
    return st;
}
agn_status agni_weigh_draws(agn_dict **out, const char *op, const agn_model *m,
                            const double *points, const double *log_ratio, int64_t n,
                            int64_t resample, uint64_t seed)
{
    int64_t given = resample ? resample : n;
    double *w = agni_alloc((size_t)(3 * n + resample * m->dims) * sizeof *w), *again = w + 3 * n, k;
    if (!w)
        return agni_nomem(op, (size_t)(3 * n + resample * m->dims) * sizeof *w);
    memcpy(w, log_ratio, (size_t)n * sizeof *w);
    double evidence = agni_log_sum(w, n) - log((double)n);
    agn_dict *d = NULL;
    agn_status st = AGN_OK;
    if (!agni_smooth_weights(w, &k, n, 1, w + n))
        st = agni_fail(AGN_EDOMAIN, "%s: the log density is finite at none of %lld draws", op,
                       (long long)n);
    const double *shown = resample ? again : points;
    if (!st && resample) { /* by the inverse of the cumulative weights */
        agni_stream g = {.key = agni_philox_subkey(seed, 77)};
        double *sum = w + n, total = 0;
        for (int64_t i = 0; i < n; i++)
            sum[i] = total += exp(w[i]);
        for (int64_t i = 0; i < resample; i++) {
            double at = total * agni_stream_uniform(&g);
            int64_t low = 0, high = n - 1;
            while (low < high) {
                int64_t middle = (low + high) / 2;
                if (sum[middle] < at)
                    low = middle + 1;
                else
                    high = middle;
            }
            memcpy(again + i * m->dims, points + low * m->dims, (size_t)m->dims * sizeof *again);
        }
    }
    st = st ? st : agn_dict_new(&d);
    st = st ? st : agni_put_values(d, op, m, 1, given, shown);
    st = st ? st
            : agni_put_host(d, "sampler/point", AGN_F64, 3, (const int64_t[]){1, given, m->dims},
                            shown);
    if (!resample)
        st = st ? st : agni_put_host(d, "sampler/log_weight", AGN_F64, 1, &n, w);
    st = st ? st : agni_put_host(d, "sampler/pareto_k", AGN_F64, 0, NULL, &k);
    st = st ? st : agni_put_host(d, "sampler/log_evidence", AGN_F64, 0, NULL, &evidence);
    agni_free(w);
    if (st)
        agn_dict_release(d);
    else
        *out = d;
    return st;
}
agn_status agn_infer_importance(agn_dict **out, const agn_model *m, const agn_tensor *loc,
                                const agn_tensor *scale_tril, const agn_importance_options *opts)
{
    const char *op = "infer_importance";
    if (!out || !m)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, !out ? "out" : "m");
    if (agni_check_size(op, agn_importance_options, opts))
        return AGN_EARG;
    agn_importance_options o = {.size = sizeof o};
    if (opts)
        o = *opts;
    o.draws = o.draws ? o.draws : 1000;
    if (o.draws < 1 || o.draws > 1 << 28 || o.resample < 0 || o.resample > 1 << 28)
        return agni_fail(AGN_EARG, "%s: %lld draws, %lld drawn again: not possible", op,
                         (long long)o.draws, (long long)o.resample);
    int64_t n = m->dims, shape[2] = {n, n};
    const double *at = NULL, *l = NULL;
    agn_tensor *kept[2] = {NULL, NULL};
    agn_status st = agni_read_host(&at, &kept[0], op, "loc", loc, 1, shape);
    st = st ? st : agni_read_host(&l, &kept[1], op, "scale_tril", scale_tril, 2, shape);
    double log_det = 0;
    for (int64_t i = 0; !st && i < n; i++) {
        if (!(l[i * n + i] > 0) || !isfinite(l[i * n + i]))
            st = agni_fail(
                AGN_EDOMAIN,
                "%s: entry %lld of the diagonal of scale_tril is %g; it must be positive", op,
                (long long)i, l[i * n + i]);
        log_det += log(l[i * n + i]);
    }
    int64_t numbers = 0;
    if (!st && !agni_checked_mul(o.draws, (n + 1) * 8, &numbers))
        st = agni_fail(AGN_ENOMEM, "%s: %lld draws of %lld numbers", op, (long long)o.draws,
                       (long long)n);
    double *x = st ? NULL : agni_alloc((size_t)numbers + (size_t)(2 * n) * sizeof *x),
           *ratio = NULL;
    if (!st && !x)
        st = agni_nomem(op, (size_t)numbers);
    if (!st) {
        agni_stream g = {.key = agni_philox_subkey(o.seed, 0)};
        ratio = x + o.draws * n;
        double *z = ratio + o.draws, *own = agni_alloc((size_t)o.draws * sizeof *own);
        for (int64_t k = 0; own && k < o.draws; k++) {
            double square = 0;
            for (int64_t i = 0; i < n; i++) {
                z[i] = agni_stream_normal(&g);
                square += z[i] * z[i];
            }
            for (int64_t i = 0; i < n; i++) {
                double sum = at[i];
                for (int64_t j = 0; j <= i; j++)
                    sum += l[i * n + j] * z[j];
                x[k * n + i] = sum;
            }
            own[k] = -0.5 * square - log_det - 0.91893853320467274178 * (double)n;
        }
        st = own ? agni_log_densities(ratio, m, x, o.draws)
                 : agni_nomem(op, (size_t)o.draws * sizeof *own);
        for (int64_t k = 0; !st && k < o.draws; k++)
            ratio[k] -= own[k];
        agni_free(own);
    }
    st = st ? st : agni_weigh_draws(out, op, m, x, ratio, o.draws, o.resample, o.seed);
    agni_free(x);
    agn_release(kept[0]);
    agn_release(kept[1]);
    return st;
}
