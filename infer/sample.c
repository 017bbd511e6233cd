/* infer/sample.c - chains of a model: start, warm-up, draws, and the values of its parameters. Each chain has a
   stream and a plan of its own, so that results do not depend on which thread runs which. */
#include "infer/adapt.h"
#include "core/random/philox.h"
#include <agnesi/ag.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct run {
    const char *op;
    const agn_model *model;
    agn_nuts_options o;
    agn_fn *log_density;
    double *draws; /* [chains, draws, dims] */
    double *energy, *accept, *step;
    int64_t *depth, *leapfrogs, *divergent; /* [chains, draws] */
    agn_status status[AGNI_MAX_CHAINS];
    char reason[AGNI_MAX_CHAINS][160];
} run;

/* ---- one chain ---------------------------------------------------------------------- */

static agn_status make_chain(const run *r, agni_chain *c, agni_density *d, agni_spread *now, agni_spread *next)
{
    int64_t n = r->model->dims, vectors = c->max_depth * 10 + AGNI_LEVEL_VECTORS;
    c->n = n;
    c->density = d;
    c->work = agni_zalloc((size_t)((vectors + 4 + 8) * n) * sizeof *c->work);
    c->level = agni_zalloc((size_t)vectors * sizeof *c->level);
    if (!c->work || !c->level)
        return agni_nomem(r->op, (size_t)((vectors + 12) * n) * sizeof *c->work);
    double *v = c->work;
    for (int64_t i = 0; i < vectors; i++, v += n)
        c->level[i] = v;
    c->z = (agni_phase){v, v + n, v + 2 * n, 0};
    c->metric = v + 3 * n;
    v += 4 * n;
    *now = (agni_spread){0, v, v + n, v + 2 * n, v + 3 * n};
    v += 4 * n;
    *next = (agni_spread){0, v, v + n, v + 2 * n, v + 3 * n};
    return AGN_OK;
}

/* Uniform in (-2, 2) until density and gradient are finite (Stan Reference Manual, Initialization) */
static agn_status find_start(const run *r, agni_chain *c, int64_t chain)
{
    for (int tries = 0; tries < 100; tries++) {
        bool finite;
        for (int64_t i = 0; i < c->n; i++)
            c->z.q[i] = 4 * agni_stream_uniform(&c->stream) - 2;
        agn_status st = agni_density_at(c->density, c->z.q, &c->z.log_density, c->z.g, &finite);
        if (st || finite)
            return st;
    }
    return agni_fail(AGN_EDOMAIN,
                     "%s: chain %lld found no start: log density or gradient is not finite at 100 points between -2 and 2",
                     r->op, (long long)chain);
}

static agn_status warm_up(const run *r, agni_chain *c, agni_spread *now, agni_spread *next)
{
    int64_t n = c->n, warmup = r->o.warmup, last = warmup - warmup * 15 / 100, early = warmup * 3 / 10;
    agni_dual dual;
    for (int64_t i = 0; i < n; i++) {
        double g = fabs(c->z.g[i]);
        c->metric[i] = g > 1e-10 && g < 1e10 ? 1 / g : 1;
    }
    c->step = 0.1;
    agn_status st = warmup ? agni_first_step(c) : AGN_OK;
    agni_dual_start(&dual, c->step);
    for (int64_t k = 0; !st && k < warmup; k++) {
        st = agni_check_interrupt() ? agni_fail(AGN_ECANCELLED, "%s: interrupted", r->op) : agni_chain_next(c);
        if (st)
            break;
        c->step = agni_dual_next(&dual, c->accept, r->o.target_accept);
        if (k >= last)
            continue;
        if (!c->divergent || k > early) {
            agni_spread_add(now, n, c->z.q, c->z.g);
            agni_spread_add(next, n, c->z.q, c->z.g);
        }
        /* what was seen from worse places is forgotten: short windows at first, then longer ones */
        if (next->n >= (k < early ? 10 : 80)) {
            agni_spread was = *now;
            *now = *next;
            *next = was;
            agni_spread_clear(next, n);
        }
        if (now->n >= 10)
            agni_spread_metric(now, n, c->metric);
        if (k + 1 == last)
            agni_dual_start(&dual, c->step);
    }
    if (warmup)
        c->step = agni_dual_mean(&dual);
    return st;
}

static agn_status run_chain(run *r, int64_t chain)
{
    agni_chain c = {.max_depth = r->o.max_depth, .steps = r->o.steps};
    agni_density d = {.n = 0};
    agni_spread now, next;
    c.stream.key = agni_philox_subkey(r->o.seed, (uint64_t)chain);
    agn_status st = agni_density_make(&d, r->op, r->log_density, r->model->dims);
    st = st ? st : make_chain(r, &c, &d, &now, &next);
    st = st ? st : find_start(r, &c, chain);
    st = st ? st : warm_up(r, &c, &now, &next);
    for (int64_t k = 0; !st && k < r->o.draws; k++) {
        st = agni_check_interrupt() ? agni_fail(AGN_ECANCELLED, "%s: interrupted", r->op) : agni_chain_next(&c);
        if (st)
            break;
        int64_t at = chain * r->o.draws + k;
        memcpy(r->draws + at * c.n, c.z.q, (size_t)c.n * sizeof *c.z.q);
        r->energy[at] = c.energy;
        r->accept[at] = c.accept;
        r->depth[at] = c.depth;
        r->leapfrogs[at] = c.leapfrogs;
        r->divergent[at] = c.divergent;
    }
    r->step[chain] = c.step;
    agni_free(c.work);
    agni_free(c.level);
    agni_density_free(&d);
    return st;
}
/* messages belong to threads: that of a worker is carried over */
static void chain_job(void *user, int64_t chain, int worker)
{
    (void)worker;
    run *r = user;
    r->status[chain] = run_chain(r, chain);
    if (r->status[chain])
        snprintf(r->reason[chain], sizeof r->reason[chain], "%s", agn_error_message());
}

/* ---- results ------------------------------------------------------------------------ */

static agn_status put_host(agn_dict *d, const char *name, int dtype, int ndim, const int64_t *shape, const void *v)
{
    agn_tensor *x = NULL;
    agn_status st = agn_from_host(&x, dtype, ndim, shape, v);
    st = st ? st : agn_dict_put(d, name, x);
    agn_release(x);
    return st;
}
/* parameters and derived quantities at every draw, by the lanes of one plan */
static agn_status put_values(agn_dict *d, const run *r)
{
    int64_t all = r->o.chains * r->o.draws, shape[AGN_MAX_RANK] = {all, r->model->dims};
    int32_t n = r->model->n;
    agn_fn *values = NULL, *lanes = NULL, *plan = NULL;
    agn_tensor *points = NULL, **y = agni_zalloc((size_t)n * sizeof *y), *z = NULL;
    agn_status st = y ? AGN_OK : agni_nomem(r->op, (size_t)n * sizeof *y);
    st = st ? st : agn_model_values(&values, r->model);
    st = st ? st : agn_fn_vmap(&lanes, values, NULL, 0, NULL, 0);
    st = st ? st : agn_fn_compile(&plan, lanes, NULL);
    st = st ? st : agn_from_host(&points, AGN_F64, 2, shape, r->draws);
    st = st ? st : agn_fn_call(y, n, plan, (const agn_tensor *const *)&points, 1);
    for (int32_t i = 0; !st && i < n; i++) {
        const agni_parameter *p = &r->model->parameter[i];
        shape[0] = r->o.chains;
        shape[1] = r->o.draws;
        for (int k = 0; k < p->ndim; k++)
            shape[2 + k] = p->shape[k];
        st = agn_reshape(&z, y[i], 2 + p->ndim, shape);
        st = st ? st : agn_dict_put(d, p->name, z);
        agn_release(z);
        z = NULL;
    }
    for (int32_t i = 0; y && i < n; i++)
        agn_release(y[i]);
    agni_free(y);
    agn_release(points);
    agn_fn_release(values);
    agn_fn_release(lanes);
    agn_fn_release(plan);
    return st;
}
static agn_status put_all(agn_dict *d, const run *r)
{
    int64_t shape[3] = {r->o.chains, r->o.draws, r->model->dims};
    agn_status st = put_values(d, r);
    st = st ? st : put_host(d, "sampler/point", AGN_F64, 3, shape, r->draws);
    st = st ? st : put_host(d, "sampler/energy", AGN_F64, 2, shape, r->energy);
    st = st ? st : put_host(d, "sampler/accept", AGN_F64, 2, shape, r->accept);
    st = st ? st : put_host(d, "sampler/depth", AGN_I64, 2, shape, r->depth);
    st = st ? st : put_host(d, "sampler/leapfrogs", AGN_I64, 2, shape, r->leapfrogs);
    st = st ? st : put_host(d, "sampler/divergent", AGN_I64, 2, shape, r->divergent);
    return st ? st : put_host(d, "sampler/step", AGN_F64, 1, shape, r->step);
}

static agn_status check_options(const char *op, agn_nuts_options *o)
{
    o->warmup = o->warmup ? o->warmup : 1000;
    o->draws = o->draws ? o->draws : 1000;
    o->chains = o->chains ? o->chains : 4;
    o->target_accept = o->target_accept != 0 ? o->target_accept : 0.8;
    o->max_depth = o->max_depth ? o->max_depth : 10;
    if (o->warmup < 20 || o->warmup > 1 << 28)
        return agni_fail(AGN_EARG, "%s: warmup is %lld; 20 to 2^28 are possible", op, (long long)o->warmup);
    if (o->draws < 1 || o->draws > 1 << 28)
        return agni_fail(AGN_EARG, "%s: draws is %lld; 1 to 2^28 are possible", op, (long long)o->draws);
    if (o->chains < 1 || o->chains > AGNI_MAX_CHAINS)
        return agni_fail(AGN_EARG, "%s: %lld chains; 1 to %d are possible", op, (long long)o->chains, AGNI_MAX_CHAINS);
    if (!(o->target_accept > 0 && o->target_accept < 1))
        return agni_fail(AGN_EARG, "%s: target_accept is %g; it must be between 0 and 1", op, o->target_accept);
    if (o->max_depth < 1 || o->max_depth > 20)
        return agni_fail(AGN_EARG, "%s: max_depth is %d; 1 to 20 are possible", op, o->max_depth);
    if (o->steps < 0)
        return agni_fail(AGN_EARG, "%s: steps is %d; 0 or more are possible", op, o->steps);
    return AGN_OK;
}

agn_status agn_infer_nuts(agn_dict **out, const agn_model *m, const agn_nuts_options *opts)
{
    const char *op = "infer_nuts";
    if (!out || !m)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, !out ? "out" : "m");
    if (opts && opts->size != sizeof *opts)
        return agni_fail(AGN_EARG, "%s: unknown size: %zu bytes, agn_nuts_options has %zu", op, opts->size,
                         sizeof *opts);
    run r = {.op = op, .model = m};
    if (opts)
        r.o = *opts;
    agn_status st = check_options(op, &r.o);
    if (st)
        return st;
    size_t draws = (size_t)(r.o.chains * r.o.draws);
    int64_t wide;
    if (!agni_checked_mul((int64_t)draws, m->dims * 8, &wide))
        return agni_fail(AGN_ENOMEM, "%s: %zu draws of %lld numbers", op, draws, (long long)m->dims);
    size_t bytes = (size_t)wide;
    r.draws = agni_zalloc(bytes);
    r.energy = agni_zalloc(5 * draws * sizeof(double));
    r.step = agni_zalloc((size_t)r.o.chains * sizeof(double));
    agn_dict *d = NULL;
    if (!r.draws || !r.energy || !r.step)
        st = agni_nomem(op, bytes);
    else {
        r.accept = r.energy + draws;
        r.depth = (int64_t *)(r.energy + 2 * draws);
        r.leapfrogs = r.depth + draws;
        r.divergent = r.leapfrogs + draws;
        st = agn_model_log_density(&r.log_density, m);
    }
    if (!st)
        agni_parallel_for(r.o.chains, chain_job, &r);
    for (int64_t i = 0; !st && i < r.o.chains; i++)
        if (r.status[i])
            st = agni_fail(r.status[i], "%s", r.reason[i]);
    st = st ? st : agn_dict_new(&d);
    st = st ? st : put_all(d, &r);
    agni_free(r.draws);
    agni_free(r.energy);
    agni_free(r.step);
    agn_fn_release(r.log_density);
    if (st)
        agn_dict_release(d);
    else
        *out = d;
    return st;
}
