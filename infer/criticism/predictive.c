/* infer/criticism/predictive.c - data that a model gives (Rubin 1984; Gelman, Meng & Stern 1996),
   and whether its posteriors cover what gave them (Talts, Betancourt, Simpson, Vehtari & Gelman
   2018). */
#include "infer/infer.h"
#include "tensor/dispatch/host_run.h"
#include "core/random/philox.h"
#include "tensor/value/tensor.h"
#include <agnesi/autograd.h>
#include <agnesi/create.h>
#include <agnesi/infer_check.h>
#include <agnesi/laws.h>
#include <agnesi/shape.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef const agn_tensor *T;

/* "sampler/point", [chains draws, dims] */
static agn_status read_points(agn_tensor **out, const char *op, const agn_model *m,
                              const agn_dict *draws, int64_t *chains, int64_t *n)
{
    agn_tensor *x = NULL;
    if (agn_dict_get(&x, draws, "sampler/point"))
        return agni_fail(AGN_EARG, "%s: draws have no sampler/point", op);
    agn_status st = AGN_OK;
    if (x->ndim != 3 || x->shape[2] != m->dims || agn_dtype_of(x) != AGN_F64)
        st = agni_fail(AGN_ESHAPE, "%s: sampler/point is %s; f64 [chains, draws, %lld] is needed",
                       op, AGNI_SHAPE(x), (long long)m->dims);
    if (!st) {
        *chains = x->shape[0];
        *n = x->shape[1];
        st = agn_reshape(out, x, 2, (const int64_t[]){*chains * *n, m->dims});
    }
    agn_release(x);
    return st;
}
static agn_status call_lanes(agn_tensor **y, int32_t n_out, const agn_fn *f, T const *in,
                             int32_t n_in)
{
    agn_fn *lanes = NULL, *plan = NULL;
    agn_status st = agn_fn_vmap(&lanes, f, NULL, 0, NULL, 0);
    st = st ? st : agn_fn_compile(&plan, lanes, NULL);
    st = st ? st : agn_fn_call(y, n_out, plan, in, n_in);
    agn_fn_release(lanes);
    agn_fn_release(plan);
    return st;
}
agn_status agn_infer_log_likelihood(agn_tensor **out, const agn_model *m, const agn_dict *draws)
{
    const char *op = "infer_log_likelihood";
    if (!out || !m || !draws)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, !out ? "out" : !m ? "m" : "draws");
    agn_fn *f = NULL;
    agn_tensor *points = NULL, *y = NULL;
    int64_t chains = 0, n = 0;
    agn_status st = agn_model_log_likelihood(&f, m);
    st = st ? st : read_points(&points, op, m, draws, &chains, &n);
    st = st ? st : call_lanes(&y, 1, f, (T const *)&points, 1);
    st = st ? st : agn_reshape(out, y, 3, (const int64_t[]){chains, n, agn_shape(y)[1]});
    agn_fn_release(f);
    agn_release(points);
    agn_release(y);
    return st;
}

/* ---- data --------------------------------------------------------------------------- */

static agn_status keys_for(agn_tensor **out, const char *op, uint64_t key, int64_t n)
{
    int64_t *words = agni_alloc((size_t)(2 * n) * sizeof *words);
    if (!words)
        return agni_nomem(op, (size_t)(2 * n) * sizeof *words);
    for (int64_t i = 0; i < n; i++) {
        words[2 * i] = (int64_t)key;
        words[2 * i + 1] = i;
    }
    agn_status st = agn_from_host(out, AGN_I64, 2, (const int64_t[]){n, 2}, words);
    agni_free(words);
    return st;
}
/* data at points [chains n, dims], by observation */
static agn_status data_at(agn_tensor **y, const char *op, const agn_model *m, T points,
                          uint64_t key)
{
    agn_fn *f = NULL;
    agn_tensor *keys = NULL;
    agn_status st = agn_model_predict(&f, m);
    st = st ? st : keys_for(&keys, op, key, agn_shape(points)[0]);
    T in[2] = {keys, points};
    st = st ? st : call_lanes(y, m->n_observed, f, in, 2);
    agn_fn_release(f);
    agn_release(keys);
    return st;
}
static agn_status prior_points(agn_tensor **out, const char *op, const agn_model *m, uint64_t key,
                               int64_t n)
{
    agn_fn *f = NULL;
    agn_tensor *keys = NULL;
    agn_status st = agn_model_draw_prior(&f, m);
    st = st ? st : keys_for(&keys, op, key, n);
    st = st ? st : call_lanes(out, 1, f, (T const *)&keys, 1);
    agn_fn_release(f);
    agn_release(keys);
    return st;
}
agn_status agn_infer_predict(agn_dict **out, const agn_model *m, const agn_dict *draws, int64_t n,
                             uint64_t seed)
{
    const char *op = "infer_predict";
    if (!out || !m)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, !out ? "out" : "m");
    if (!m->n_observed)
        return agni_fail(AGN_EARG, "%s: the model observes no data", op);
    if (!draws && (n < 1 || n > 1 << 28))
        return agni_fail(AGN_EARG, "%s: n is %lld; 1 to 2^28 are possible", op, (long long)n);
    agn_tensor *points = NULL, **y = agni_zalloc((size_t)m->n_observed * sizeof *y);
    agn_dict *d = NULL;
    int64_t chains = 1, each = n, shape[AGN_MAX_RANK];
    agn_status st = y ? AGN_OK : agni_nomem(op, (size_t)m->n_observed * sizeof *y);
    st = st ? st : draws ? read_points(&points, op, m, draws, &chains, &each)
                         : prior_points(&points, op, m, agni_philox_subkey(seed, 1), n);
    st = st ? st : data_at(y, op, m, points, agni_philox_subkey(seed, 0));
    st = st ? st : agn_dict_new(&d);
    for (int32_t i = 0; !st && i < m->n_observed; i++) {
        char name[32];
        agn_tensor *z = NULL;
        shape[0] = chains;
        shape[1] = each;
        if (y[i]->ndim + 1 > AGN_MAX_RANK)
            st = agni_fail(AGN_ESHAPE, "%s: data %d have %d axes", op, i, y[i]->ndim - 1);
        else
            memcpy(shape + 2, y[i]->shape + 1, (size_t)(y[i]->ndim - 1) * sizeof *shape);
        snprintf(name, sizeof name, "observed/%d", i);
        st = st ? st : agn_reshape(&z, y[i], y[i]->ndim + 1, shape);
        st = st ? st : agn_dict_put(d, name, z);
        agn_release(z);
    }
    if (!st && !draws) {
        const void *data = NULL;
        st = agn_data_contiguous(&data, points);
        st = st ? st : agni_put_values(d, op, m, 1, n, data);
        st = st ? st
                : agni_put_host(d, "sampler/point", AGN_F64, 3, (const int64_t[]){1, n, m->dims},
                                data);
    }
    for (int32_t i = 0; y && i < m->n_observed; i++)
        agn_release(y[i]);
    agni_free(y);
    agn_release(points);
    if (st)
        agn_dict_release(d);
    else
        *out = d;
    return st;
}
agn_status agn_infer_predictive_check(double *p, const agn_tensor *predicted,
                                      const agn_tensor *data, const agn_fn *statistic)
{
    const char *op = "infer_predictive_check";
    if (!p || !predicted || !data || !statistic)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op,
                         !p ? "p" : !predicted ? "predicted" : !data ? "data" : "statistic");
    if (agn_fn_n_in(statistic) != 1 || agn_fn_n_out(statistic) != 1)
        return agni_fail(AGN_EARG,
                         "%s: the statistic has %d arguments and %d results; one of each is needed",
                         op, agn_fn_n_in(statistic), agn_fn_n_out(statistic));
    if (predicted->ndim != data->ndim + 2 ||
        memcmp(predicted->shape + 2, data->shape, (size_t)data->ndim * sizeof *data->shape) ||
        !agn_numel(predicted))
        return agni_fail(AGN_ESHAPE,
                         "%s: predicted is %s; [chains, draws, shape of data] is needed", op,
                         AGNI_SHAPE(predicted));
    if (agn_dtype_of(predicted) != agn_dtype_of(data))
        return agni_fail(AGN_EDTYPE, "%s: predicted is %s, data are %s", op,
                         agn_dtype_name(agn_dtype_of(predicted)),
                         agn_dtype_name(agn_dtype_of(data)));
    int64_t n = predicted->shape[0] * predicted->shape[1], shape[AGN_MAX_RANK] = {n};
    memcpy(shape + 1, data->shape, (size_t)data->ndim * sizeof *shape);
    agn_tensor *rows = NULL, *y = NULL, *one = NULL, *kept[2] = {NULL, NULL};
    const double *many = NULL, *own = NULL;
    agn_status st = agn_reshape(&rows, predicted, data->ndim + 1, shape);
    st = st ? st : call_lanes(&y, 1, statistic, (T const *)&rows, 1);
    st = st ? st : agn_fn_call(&one, 1, statistic, &data, 1);
    st = st ? st : agni_read_host(&many, &kept[0], op, "the statistic", y, 1, &n);
    st = st ? st : agni_read_host(&own, &kept[1], op, "the statistic", one, 0, NULL);
    double count = 0;
    for (int64_t i = 0; !st && i < n; i++)
        count += isnan(many[i]) || isnan(*own) ? (double)NAN
                 : many[i] > *own              ? 1
                 : many[i] == *own             ? 0.5
                                               : 0;
    if (!st)
        *p = count / (double)n;
    agn_release(rows);
    agn_release(y);
    agn_release(one);
    agn_release(kept[0]);
    agn_release(kept[1]);
    return st;
}

/* ---- calibration ---------------------------------------------------------------------- */

static agn_status one_simulation(int64_t *rank, const agn_model *m, const agn_sbc_options *o,
                                 const agn_nuts_options *by, int64_t k)
{
    const char *op = "infer_sbc";
    agn_tensor *truth = NULL, **data = agni_zalloc((size_t)(2 * m->n_observed) * sizeof *data),
               *x = NULL;
    agn_model *other = NULL;
    agn_dict *d = NULL;
    uint64_t seed = agni_philox_subkey(o->seed, (uint64_t)k);
    agn_nuts_options options = *by;
    agn_status st = data ? AGN_OK : agni_nomem(op, (size_t)(2 * m->n_observed) * sizeof *data);
    st = st ? st : prior_points(&truth, op, m, agni_philox_subkey(seed, 0), 1);
    st = st ? st : data_at(data, op, m, truth, agni_philox_subkey(seed, 1));
    for (int32_t i = 0; !st && i < m->n_observed; i++)
        st = agn_reshape(&data[m->n_observed + i], data[i], data[i]->ndim - 1, data[i]->shape + 1);
    st = st ? st : agn_model_with_data(&other, m, (T const *)data + m->n_observed, m->n_observed);
    options.draws = o->ranks * o->thin;
    options.chains = 1;
    options.seed = agni_philox_subkey(seed, 2);
    options.start = NULL;
    options.resume = NULL;
    st = st ? st : agn_infer_nuts(&d, other, &options);
    st = st ? st : agn_dict_get(&x, d, "sampler/point");
    if (!st) {
        const double *v = agn_data(x), *at = agn_data(truth);
        for (int64_t i = 0; i < m->dims; i++) {
            rank[i] = 0;
            for (int64_t j = 0; j < o->ranks; j++)
                rank[i] += v[(j * o->thin + o->thin - 1) * m->dims + i] < at[i];
        }
    }
    for (int32_t i = 0; data && i < 2 * m->n_observed; i++)
        agn_release(data[i]);
    agni_free(data);
    agn_release(truth);
    agn_release(x);
    agn_dict_release(d);
    agn_model_release(other);
    return st;
}
typedef struct sbc {
    const agn_model *m;
    const agn_sbc_options *o;
    const agn_nuts_options *by;
    int64_t *rank, first;
    agn_status status[64];
    char reason[64][160];
} sbc;
static void simulation_job(void *user, int64_t i, int worker)
{
    (void)worker;
    sbc *b = user;
    b->status[i] = one_simulation(b->rank + (b->first + i) * b->m->dims, b->m, b->o, b->by,
                                  b->first + i);
    if (b->status[i])
        snprintf(b->reason[i], sizeof b->reason[i], "%s", agn_error_message());
}
agn_status agn_infer_sbc(agn_tensor **out, const agn_model *m, const agn_sbc_options *opts)
{
    const char *op = "infer_sbc";
    if (!out || !m)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, !out ? "out" : "m");
    if (agni_check_size(op, agn_sbc_options, opts))
        return AGN_EARG;
    agn_sbc_options o = {.size = sizeof o};
    agn_nuts_options by = {.size = sizeof by};
    if (opts)
        o = *opts;
    if (o.sampler)
        by = *o.sampler;
    o.simulations = o.simulations ? o.simulations : 200;
    o.ranks = o.ranks ? o.ranks : 99;
    o.thin = o.thin ? o.thin : 10;
    if (o.simulations < 1 || o.simulations > 1 << 24 || o.ranks < 1 || o.ranks > 1 << 16 ||
        o.thin < 1 || o.thin > 1000)
        return agni_fail(AGN_EARG, "%s: %lld simulations, %lld ranks, thin %lld: not possible", op,
                         (long long)o.simulations, (long long)o.ranks, (long long)o.thin);
    if (!m->n_observed)
        return agni_fail(AGN_EARG, "%s: the model observes no data", op);
    if (m->n_added)
        return agni_fail(AGN_EUNSUPPORTED,
                         "%s: the model adds %d terms without a law, of which nothing can be drawn",
                         op, m->n_added);
    int64_t shape[2] = {o.simulations, m->dims};
    sbc *b = agni_zalloc(sizeof *b);
    int64_t *rank = agni_zalloc((size_t)(o.simulations * m->dims) * sizeof *rank);
    agn_status st = b && rank ? AGN_OK
                              : agni_nomem(op, (size_t)(o.simulations * m->dims) * sizeof *rank);
    if (!st)
        *b = (sbc){.m = m, .o = &o, .by = &by, .rank = rank};
    for (int64_t k = 0; !st && k < o.simulations; k += 64) {
        int64_t n = o.simulations - k < 64 ? o.simulations - k : 64;
        b->first = k;
        if (agni_check_interrupt())
            st = agni_fail(AGN_ECANCELLED, "%s: interrupted", op);
        else
            agni_parallel_for(n, simulation_job, b);
        for (int64_t i = 0; !st && i < n; i++)
            if (b->status[i])
                st = agni_fail(b->status[i], "%s: simulation %lld: %s", op, (long long)(k + i),
                               b->reason[i]);
    }
    st = st ? st : agn_from_host(out, AGN_I64, 2, shape, rank);
    agni_free(rank);
    agni_free(b);
    return st;
}
agn_status agn_infer_sbc_check(agn_tensor **out, const agn_tensor *ranks, int64_t most,
                               int64_t bins)
{
    agni_host_call h;
    if (agni_host_call_begin(&h, "infer_sbc_check", 1, (const agn_tensor *[]){ranks})) {
        agn_status st = h.st ? h.st : agn_infer_sbc_check(out ? &h.y[0] : NULL, h.in[0], most,
                                                          bins);
        return agni_host_call_end(&h, st, 1, (agn_tensor * *[]){out});
    }
    const char *op = "infer_sbc_check";
    if (!out || !ranks)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, !out ? "out" : "ranks");
    if (agn_dtype_of(ranks) != AGN_I64)
        return agni_fail(AGN_EDTYPE, "%s: ranks are %s; i64 is needed", op,
                         agn_dtype_name(agn_dtype_of(ranks)));
    if (ranks->ndim != 2 || ranks->shape[0] < 1)
        return agni_fail(AGN_ESHAPE, "%s: ranks are %s; [simulations, dims] is needed", op,
                         AGNI_SHAPE(ranks));
    if (most < 1 || most > 1 << 30 || bins < 2 || bins > most + 1)
        return agni_fail(AGN_EARG, "%s: %lld bins of ranks up to %lld", op, (long long)bins,
                         (long long)most);
    int64_t n = ranks->shape[0], dims = ranks->shape[1];
    agn_tensor *plain = NULL, *chi = NULL, *freedom = NULL;
    agn_distribution *law = NULL;
    const void *data = NULL;
    agn_status st = agn_contiguous(&plain, ranks);
    st = st ? st : agn_data_contiguous(&data, plain);
    double *y = st ? NULL : agni_zalloc((size_t)(dims + bins + 1) * sizeof *y);
    if (!st && !y)
        st = agni_nomem(op, (size_t)(dims + bins) * sizeof *y);
    for (int64_t i = 0; !st && i < dims; i++) {
        double *count = y + dims;
        memset(count, 0, (size_t)bins * sizeof *count);
        for (int64_t k = 0; !st && k < n; k++) {
            int64_t r = ((const int64_t *)data)[k * dims + i];
            if (r < 0 || r > most)
                st = agni_fail(AGN_EDOMAIN, "%s: rank %lld of simulation %lld is not in 0 ... %lld",
                               op, (long long)r, (long long)k, (long long)most);
            else
                count[r * bins / (most + 1)]++;
        }
        for (int64_t b = 0; !st && b < bins; b++) {
            /* ranks r with r bins / (most + 1) = b */
            int64_t first = (b * (most + 1) + bins - 1) / bins,
                    past = ((b + 1) * (most + 1) + bins - 1) / bins;
            double want = (double)n * (double)(past - first) / (double)(most + 1);
            y[i] += (count[b] - want) * (count[b] - want) / want;
        }
    }
    st = st ? st : agn_from_host(&chi, AGN_F64, 1, &dims, y);
    st = st ? st : agn_full(&freedom, AGN_F64, 0, NULL, (double)(bins - 1));
    st = st ? st : agn_distribution_chi2(&law, freedom, NULL);
    st = st ? st : agn_distribution_survival(out, law, chi);
    agni_free(y);
    agn_release(plain);
    agn_release(chi);
    agn_release(freedom);
    agn_distribution_release(law);
    return st;
}
