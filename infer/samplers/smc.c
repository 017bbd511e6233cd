/* infer/samplers/smc.c - particles led from the priors to the posterior by temperatures (Del Moral,
   Doucet & Jasra 2006, Jasra, Stephens, Doucet & Tsagaris 2011). */
#include "infer/samplers/samplers.h"
#include "core/random/philox.h"
#include <agnesi/autograd.h>
#include <agnesi/create.h>
#include <agnesi/graph.h>

#include <math.h>
#include <string.h>

enum { MOST_STAGES = 500 };

typedef struct cloud {
    const char *op;
    int64_t n, count; /* numbers of a particle, particles */
    agn_fn *density, *prior;
    agn_tensor *at, *y, *y0;
    double *q, *next, *log_prior, *log_rest; /* [count, n] twice, [count] twice */
    double *new_prior, *new_rest, *weight;
    int64_t *from;
    double *factor, *mean, *step; /* [n, n], [n], [n] */
    agni_stream stream;
} cloud;

static agn_status lanes_of(agn_fn **out, agn_fn *f)
{
    agn_fn *lanes = NULL;
    agn_status st = agn_fn_vmap(&lanes, f, NULL, 0, NULL, 0);
    st = st ? st : agn_fn_compile(out, lanes, NULL);
    agn_fn_release(lanes);
    return st;
}
/* log prior, and the rest, of points; -inf where either is no number */
static agn_status evaluate_densities(cloud *c, const double *q, double *prior, double *rest)
{
    void *at = NULL;
    agn_status st = agn_data_mut(&at, c->at);
    if (st)
        return st;
    memcpy(at, q, (size_t)(c->count * c->n) * sizeof *q);
    st = agn_fn_call_into(&c->y, 1, c->density, (const agn_tensor *const *)&c->at, 1);
    st = st ? st : agn_fn_call_into(&c->y0, 1, c->prior, (const agn_tensor *const *)&c->at, 1);
    const double *all = st ? NULL : agn_data(c->y), *p = st ? NULL : agn_data(c->y0);
    for (int64_t i = 0; !st && i < c->count; i++) {
        bool fine = isfinite(all[i]) && isfinite(p[i]);
        prior[i] = fine ? p[i] : -(double)INFINITY;
        rest[i] = fine ? all[i] - p[i] : -(double)INFINITY;
    }
    return st;
}
static agn_status draw_priors(cloud *c, const agn_model *m, uint64_t key)
{
    agn_fn *one = NULL, *plan = NULL;
    agn_tensor *keys = NULL, *y = NULL;
    int64_t shape[2] = {c->count, 2};
    int64_t *words = agni_alloc((size_t)(2 * c->count) * sizeof *words);
    agn_status st = words ? AGN_OK : agni_nomem(c->op, (size_t)(2 * c->count) * sizeof *words);
    for (int64_t i = 0; words && i < c->count; i++) {
        words[2 * i] = (int64_t)key;
        words[2 * i + 1] = i;
    }
    st = st ? st : agn_from_host(&keys, AGN_I64, 2, shape, words);
    st = st ? st : agn_model_draw_prior(&one, m);
    st = st ? st : lanes_of(&plan, one);
    st = st ? st : agn_fn_call(&y, 1, plan, (const agn_tensor *const *)&keys, 1);
    const void *data = NULL;
    st = st ? st : agn_data_contiguous(&data, y);
    if (!st)
        memcpy(c->q, data, (size_t)(c->count * c->n) * sizeof *c->q);
    agni_free(words);
    agn_release(keys);
    agn_release(y);
    agn_fn_release(one);
    agn_fn_release(plan);
    return st;
}
/* effective share of the particles after a step of temperature; log of the mean weight in
   *log_mean */
static double effective_size(cloud *c, double step, double *log_mean)
{
    double top = -(double)INFINITY, sum = 0, square = 0;
    for (int64_t i = 0; i < c->count; i++)
        top = c->log_rest[i] > top ? c->log_rest[i] : top;
    for (int64_t i = 0; i < c->count; i++) {
        c->weight[i] = exp(step * (c->log_rest[i] - top));
        sum += c->weight[i];
        square += c->weight[i] * c->weight[i];
    }
    *log_mean = step * top + log(sum / (double)c->count);
    for (int64_t i = 0; i < c->count; i++)
        c->weight[i] /= sum;
    return sum * sum / square / (double)c->count;
}
/* the largest step that leaves a share effective, by halving */
static double choose_step(cloud *c, double left, double share, double *log_mean)
{
    if (effective_size(c, left, log_mean) >= share)
        return left;
    double low = 0, high = left;
    for (int k = 0; k < 60 && high - low > 1e-9 * high; k++) {
        double middle = 0.5 * (low + high);
        if (effective_size(c, middle, log_mean) >= share)
            low = middle;
        else
            high = middle;
    }
    double step = low > 0 ? low : high;
    effective_size(c, step, log_mean);
    return step;
}
/* covariance by weights, and the particles that follow (systematic resampling, Kitagawa 1996) */
static bool resample_cloud(cloud *c)
{
    int64_t n = c->n;
    memset(c->factor, 0, (size_t)(n * n) * sizeof *c->factor);
    memset(c->mean, 0, (size_t)n * sizeof *c->mean);
    for (int64_t k = 0; k < c->count; k++)
        for (int64_t i = 0; i < n; i++)
            c->mean[i] += c->weight[k] * c->q[k * n + i];
    for (int64_t k = 0; k < c->count; k++)
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j <= i; j++)
                c->factor[i * n + j] += c->weight[k] * (c->q[k * n + i] - c->mean[i]) *
                                        (c->q[k * n + j] - c->mean[j]);
    double u = agni_stream_uniform(&c->stream), sum = 0;
    int64_t k = 0;
    for (int64_t i = 0; i < c->count; i++) {
        double at = ((double)i + u) / (double)c->count;
        while (k + 1 < c->count && sum + c->weight[k] < at)
            sum += c->weight[k++];
        c->from[i] = k;
    }
    for (int64_t i = 0; i < c->count; i++) {
        memcpy(c->next + i * n, c->q + c->from[i] * n, (size_t)n * sizeof *c->q);
        c->new_prior[i] = c->log_prior[c->from[i]];
        c->new_rest[i] = c->log_rest[c->from[i]];
    }
    memcpy(c->q, c->next, (size_t)(c->count * n) * sizeof *c->q);
    memcpy(c->log_prior, c->new_prior, (size_t)c->count * sizeof *c->q);
    memcpy(c->log_rest, c->new_rest, (size_t)c->count * sizeof *c->q);
    for (int64_t i = 0; i < n; i++)
        c->factor[i * n + i] = c->factor[i * n + i] * (1 + 1e-10) + 1e-300;
    return agni_lower_factor(c->factor, n);
}
/* one Metropolis step of every particle; the share that moved */
static agn_status move_cloud(cloud *c, double t, double scale, double *share)
{
    int64_t n = c->n, moved = 0;
    for (int64_t k = 0; k < c->count; k++) {
        for (int64_t i = 0; i < n; i++)
            c->step[i] = scale * agni_stream_normal(&c->stream);
        for (int64_t i = 0; i < n; i++) {
            double sum = c->q[k * n + i];
            for (int64_t j = 0; j <= i; j++)
                sum += c->factor[i * n + j] * c->step[j];
            c->next[k * n + i] = sum;
        }
    }
    agn_status st = evaluate_densities(c, c->next, c->new_prior, c->new_rest);
    for (int64_t k = 0; !st && k < c->count; k++) {
        double gain = c->new_prior[k] + t * c->new_rest[k] - c->log_prior[k] - t * c->log_rest[k];
        if (!(log(agni_stream_uniform(&c->stream)) < gain))
            continue;
        moved++;
        memcpy(c->q + k * n, c->next + k * n, (size_t)n * sizeof *c->q);
        c->log_prior[k] = c->new_prior[k];
        c->log_rest[k] = c->new_rest[k];
    }
    *share = (double)moved / (double)c->count;
    return st;
}

typedef struct history {
    double temperature[MOST_STAGES], accept[MOST_STAGES], log_evidence;
    int64_t n;
} history;

static agn_status anneal_cloud(cloud *c, const agn_smc_options *o, history *h)
{
    double t = 0, scale = 2.38 / sqrt((double)c->n);
    agn_status st = evaluate_densities(c, c->q, c->log_prior, c->log_rest);
    bool any = false;
    for (int64_t i = 0; !st && i < c->count; i++)
        any = any || isfinite(c->log_rest[i]);
    if (!st && !any)
        return agni_fail(
            AGN_EDOMAIN,
            "%s: the log density is finite at none of %lld particles drawn from the priors", c->op,
            (long long)c->count);
    while (!st && t < 1) {
        double log_mean, left = 1, accept = 0;
        if (h->n == MOST_STAGES)
            return agni_fail(AGN_ENOCONV, "%s: at temperature %g after %d stages", c->op, t,
                             MOST_STAGES);
        double step = choose_step(c, 1 - t, o->ess, &log_mean);
        t = step < 1 - t ? t + step : 1;
        h->log_evidence += log_mean;
        if (!resample_cloud(c))
            return agni_fail(AGN_EDOMAIN, "%s: particles at temperature %g have no covariance",
                             c->op, t);
        int k = 0;
        for (; !st && k < o->max_moves && (k < 2 || left > 0.01); k++) {
            double share = 0;
            st = agni_check_interrupt() ? agni_fail(AGN_ECANCELLED, "%s: interrupted", c->op)
                                        : move_cloud(c, t, scale, &share);
            if (st)
                break;
            accept += share;
            left *= 1 - share;
            scale *= exp(0.5 * (share - 0.3)); /* between the shares that are best in one and in many numbers */
        }
        h->temperature[h->n] = t;
        h->accept[h->n++] = k ? accept / k : 0;
        agni_report_progress("sampling", t);
    }
    return st;
}
static agn_status make_cloud(cloud *c, const agn_model *m)
{
    agn_fn *f[2] = {NULL, NULL};
    int64_t shape[2] = {c->count, c->n}, numbers;
    if (!agni_checked_mul(c->count, 2 * c->n + 7, &numbers) ||
        !agni_checked_mul(numbers, 16, &numbers) || !agni_checked_mul(c->n, c->n, &numbers))
        return agni_fail(AGN_ENOMEM, "%s: %lld particles of %lld numbers", c->op,
                         (long long)c->count, (long long)c->n);
    numbers = c->count * (2 * c->n + 6) + c->n * (c->n + 2);
    c->q = agni_zalloc((size_t)numbers * sizeof *c->q);
    if (!c->q)
        return agni_nomem(c->op, (size_t)numbers * sizeof *c->q);
    c->next = c->q + c->count * c->n;
    c->log_prior = c->next + c->count * c->n;
    c->log_rest = c->log_prior + c->count;
    c->new_prior = c->log_rest + c->count;
    c->new_rest = c->new_prior + c->count;
    c->weight = c->new_rest + c->count;
    c->from = (int64_t *)(c->weight + c->count);
    c->factor = (double *)(c->from + c->count);
    c->mean = c->factor + c->n * c->n;
    c->step = c->mean + c->n;
    agn_status st = agn_model_log_density(&f[0], m);
    st = st ? st : agn_model_log_prior(&f[1], m);
    st = st ? st : lanes_of(&c->density, f[0]);
    st = st ? st : lanes_of(&c->prior, f[1]);
    st = st ? st : agn_zeros(&c->at, AGN_F64, 2, shape);
    st = st ? st : agn_zeros(&c->y, AGN_F64, 1, shape);
    st = st ? st : agn_zeros(&c->y0, AGN_F64, 1, shape);
    agn_fn_release(f[0]);
    agn_fn_release(f[1]);
    return st;
}
agn_status agn_infer_smc(agn_dict **out, const agn_model *m, const agn_smc_options *opts)
{
    const char *op = "infer_smc";
    if (!out || !m)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, !out ? "out" : "m");
    if (agni_check_size(op, agn_smc_options, opts))
        return AGN_EARG;
    agn_smc_options o = {.size = sizeof o};
    if (opts)
        o = *opts;
    o.particles = o.particles ? o.particles : 2000;
    o.ess = o.ess != 0 ? o.ess : 0.5;
    o.max_moves = o.max_moves ? o.max_moves : 50;
    if (o.particles < 10 || o.particles > 1 << 28)
        return agni_fail(AGN_EARG, "%s: %lld particles; 10 to 2^28 are possible", op,
                         (long long)o.particles);
    if (!(o.ess > 0 && o.ess < 1))
        return agni_fail(AGN_EARG, "%s: ess is %g; it must be between 0 and 1", op, o.ess);
    if (o.max_moves < 1)
        return agni_fail(AGN_EARG, "%s: max_moves is %d; at least 1 is needed", op, o.max_moves);
    cloud c = {.op = op, .n = m->dims, .count = o.particles};
    c.stream.key = agni_philox_subkey(o.seed, 0);
    history *h = agni_zalloc(sizeof *h);
    agn_dict *d = NULL;
    agn_status st = h ? make_cloud(&c, m) : agni_nomem(op, sizeof *h);
    st = st ? st : draw_priors(&c, m, agni_philox_subkey(o.seed, 1));
    st = st ? st : anneal_cloud(&c, &o, h);
    st = st ? st : agn_dict_new(&d);
    st = st ? st : agni_put_values(d, op, m, 1, c.count, c.q);
    st = st ? st
            : agni_put_host(d, "sampler/point", AGN_F64, 3, (const int64_t[]){1, c.count, c.n},
                            c.q);
    st = st ? st : agni_put_host(d, "sampler/temperature", AGN_F64, 1, &h->n, h->temperature);
    st = st ? st : agni_put_host(d, "sampler/accept", AGN_F64, 1, &h->n, h->accept);
    st = st ? st : agni_put_host(d, "sampler/log_evidence", AGN_F64, 0, NULL, &h->log_evidence);
    agni_free(c.q);
    agni_free(h);
    agn_release(c.at);
    agn_release(c.y);
    agn_release(c.y0);
    agn_fn_release(c.density);
    agn_fn_release(c.prior);
    if (st)
        agn_dict_release(d);
    else
        *out = d;
    return st;
}
