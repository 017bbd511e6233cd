/* infer/sample.c - chains of a model: start, warm-up, draws, and the values of its parameters. Each
   chain has a stream and a plan of its own, so that results do not depend on which thread runs
   which. */
#include "infer/adapt.h"
#include "infer/whitening.h"
#include "core/random/philox.h"
#include "tensor/value/tensor.h"
#include <agnesi/ag.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct run {
    const char *op;
    const agn_model *model;
    agn_nuts_options o;
    agni_sampler by;
    agn_fn *log_density;
    const double *start; /* [chains, dims]; NULL: anywhere */
    int64_t start_stride;
    const double *state_in; /* to resume: [chains, state_size]; NULL: none */
    const int64_t *stream_in; /* [chains, STREAM] */
    double *state;
    int64_t *stream;
    int64_t state_size;
    double *draws; /* [chains, draws, dims] */
    double *energy, *accept, *step;
    int64_t *depth, *leapfrogs, *divergent; /* [chains, draws] */
    agn_status status[AGNI_MAX_CHAINS];
    char reason[AGNI_MAX_CHAINS][160];
} run;

/* ---- one chain ---------------------------------------------------------------------- */

static agn_status make_chain(const run *r, agni_chain *c, agni_density *d)
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
    c->own = r->by.own;
    c->z = (agni_phase){v, v + n, v + 2 * n, 0};
    c->metric = v + 3 * n;
    return AGN_OK;
}

static agn_status density_here(const run *r, agni_chain *c, bool *finite)
{
    (void)r;
    return agni_density_at(c->density, c->z.q, &c->z.log_density, c->z.g, finite);
}
/* Uniform in (-2, 2) until density and gradient are finite (Stan Reference Manual,
   Initialization) */
static agn_status find_start(const run *r, agni_chain *c, int64_t chain)
{
    bool finite;
    if (r->start) {
        memcpy(c->z.q, r->start + chain * r->start_stride, (size_t)c->n * sizeof *c->z.q);
        agn_status st = density_here(r, c, &finite);
        if (!st && !finite)
            st = agni_fail(AGN_EDOMAIN,
                           "%s: log density or gradient is not finite where chain %lld starts",
                           r->op, (long long)chain);
        return st;
    }
    for (int tries = 0; tries < 100; tries++) {
        for (int64_t i = 0; i < c->n; i++)
            c->z.q[i] = 4 * agni_stream_uniform(&c->stream) - 2;
        agn_status st = density_here(r, c, &finite);
        if (st || finite)
            return st;
    }
    return agni_fail(
        AGN_EDOMAIN,
        "%s: chain %lld found no start: log density or gradient is not finite at 100 points between -2 and 2",
        r->op, (long long)chain);
}

/* Between transitions the host is asked whether to go on, and told how far it is. */
static agn_status look_up(const run *r, int64_t chain, int64_t done)
{
    int64_t each = r->o.warmup + r->o.draws;
    if (done % 16 == 0)
        agni_report_progress("sampling",
                             (double)(chain * each + done) / (double)(r->o.chains * each));
    return agni_check_interrupt() ? agni_fail(AGN_ECANCELLED, "%s: interrupted", r->op) : AGN_OK;
}
/* Point and gradient in the coordinates of a whitening that has changed; metric and step begin
   anew. */
static agn_status change_whitening(const run *r, agni_chain *c, agni_whitening *t, agni_window *w,
                                   agni_spread *now, agni_spread *next)
{
    bool learnt, finite;
    int64_t n = c->n;
    agni_whitening_forward(t, t->tmp, c->z.q);
    agn_status st = agni_whitening_learn(t, w, &learnt);
    if (st)
        return st;
    agni_whitening_inverse(t, c->z.q, t->tmp);
    st = density_here(r, c, &finite);
    for (int64_t i = 0; i < n; i++)
        c->metric[i] = 1;
    agni_spread_clear(now, n);
    agni_spread_clear(next, n);
    return st ? st : agni_first_step(c);
}
static agn_status warm_up_by_gradient(const run *r, agni_chain *c, int64_t chain, agni_whitening *t,
                                      agni_window *w)
{
    int64_t n = c->n, warmup = r->o.warmup, last = warmup - warmup * 15 / 100,
            early = warmup * 3 / 10;
    double *v = c->metric + n;
    agni_spread one = {0, v, v + n, v + 2 * n, v + 3 * n},
                two = {0, v + 4 * n, v + 5 * n, v + 6 * n, v + 7 * n};
    agni_spread *now = &one, *next = &two;
    agni_dual dual;
    for (int64_t i = 0; i < n; i++) {
        double g = fabs(c->z.g[i]);
        c->metric[i] = g > 1e-10 && g < 1e10 ? 1 / g : 1;
    }
    c->step = 0.1;
    agn_status st = agni_first_step(c);
    agni_dual_start(&dual, c->step);
    for (int64_t k = 0; !st && k < warmup; k++) {
        st = look_up(r, chain, k);
        st = st ? st : r->by.next(c);
        if (st)
            break;
        c->step = agni_dual_next(&dual, c->accept, r->o.target_accept);
        if (k >= last)
            continue;
        if (!c->divergent || k > early) {
            agni_spread_add(now, n, c->z.q, c->z.g);
            agni_spread_add(next, n, c->z.q, c->z.g);
            if (t)
                agni_window_add(w, t, c->z.q, c->z.g);
        }
        /* what was seen from worse places is forgotten: short windows at first, then longer ones */
        if (next->n >= (k < early ? 10 : 80)) {
            agni_spread *was = now;
            now = next;
            next = was;
            agni_spread_clear(next, n);
        }
        if (now->n >= 10)
            agni_spread_metric(now, n, c->metric);
        bool turn = t &&
                    (k + 1 == early / 2 || k + 1 == early || k + 1 == 2 * early || k + 1 == last);
        if (turn)
            st = change_whitening(r, c, t, w, now, next);
        if (k + 1 == last || turn)
            agni_dual_start(&dual, c->step);
    }
    c->step = agni_dual_mean(&dual);
    return st;
}
static agn_status warm_up(const run *r, agni_chain *c, int64_t chain, agni_whitening *t,
                          agni_window *w)
{
    if (r->by.by_gradient)
        return warm_up_by_gradient(r, c, chain, t, w);
    agn_status st = AGN_OK;
    c->warming = true;
    c->step = 1;
    for (int64_t i = 0; i < c->n; i++)
        c->metric[i] = 1;
    for (int64_t k = 0; !st && k < r->o.warmup; k++) {
        st = look_up(r, chain, k);
        st = st ? st : r->by.next(c);
    }
    c->warming = false;
    return st;
}

/* ---- what is needed to go on with the same bits ---------------------------------------- */

enum { STREAM = 4 }; /* block, spare or not, rank of the whitening, kind of sampler */

static int64_t size_of_state(const run *r)
{
    int64_t n = r->model->dims, rank = r->o.rank < n ? r->o.rank : n;
    int64_t whitening = r->o.metric == AGN_METRIC_DENSE      ? n * n
                    : r->o.metric == AGN_METRIC_LOW_RANK ? n + 2 * rank * (n + 1)
                                                         : 0;
    return 2 + 2 * n + whitening; /* step, spare; point, metric; whitening */
}
static void write_state(run *r, const agni_chain *c, int64_t chain, const agni_whitening *t)
{
    double *v = r->state + chain * r->state_size;
    int64_t *s = r->stream + chain * STREAM, n = c->n;
    v[0] = c->step;
    v[1] = c->stream.spare;
    memcpy(v + 2, c->z.q, (size_t)n * sizeof *v);
    memcpy(v + 2 + n, c->metric, (size_t)n * sizeof *v);
    if (t)
        memcpy(v + 2 + 2 * n, t->factor, (size_t)(r->state_size - 2 - 2 * n) * sizeof *v);
    s[0] = (int64_t)c->stream.block;
    s[1] = c->stream.has_spare;
    s[2] = t ? t->rank : 0;
    s[3] = r->o.metric;
}
static agn_status read_state(const run *r, agni_chain *c, int64_t chain, agni_whitening *t)
{
    const double *v = r->state_in + chain * r->state_size;
    const int64_t *s = r->stream_in + chain * STREAM;
    int64_t n = c->n;
    bool finite;
    c->step = v[0];
    c->stream.spare = v[1];
    memcpy(c->z.q, v + 2, (size_t)n * sizeof *v);
    memcpy(c->metric, v + 2 + n, (size_t)n * sizeof *v);
    if (t) {
        memcpy(t->factor, v + 2 + 2 * n, (size_t)(r->state_size - 2 - 2 * n) * sizeof *v);
        t->rank = s[2];
    }
    c->stream.block = (uint64_t)s[0];
    c->stream.has_spare = s[1] != 0;
    agn_status st = density_here(r, c, &finite);
    if (!st && !finite)
        st = agni_fail(AGN_EDOMAIN,
                       "%s: chain %lld ended where log density or gradient is not finite", r->op,
                       (long long)chain);
    return st;
}

static agn_status run_chain(run *r, int64_t chain)
{
    agni_chain c = {.max_depth = r->o.max_depth, .steps = r->o.steps, .max_error = r->o.max_error};
    agni_density d = {.n = 0};
    agni_whitening whitening = {.n = 0}, *t = NULL;
    agni_window window = {.n = 0};
    c.stream.key = agni_philox_subkey(r->o.seed, (uint64_t)chain);
    agn_status st = agni_density_make(&d, r->op, r->log_density, r->model->dims, r->by.by_gradient);
    st = st ? st : make_chain(r, &c, &d);
    if (!st && r->o.metric != AGN_METRIC_DIAGONAL)
        st = agni_whitening_make(&whitening, &window, r->op, r->o.metric, c.n, r->o.rank);
    if (!st && r->o.metric != AGN_METRIC_DIAGONAL)
        t = d.whitening = &whitening;
    if (!st && r->state_in)
        st = read_state(r, &c, chain, t);
    else {
        st = st ? st : find_start(r, &c, chain);
        st = st ? st : warm_up(r, &c, chain, t, &window);
    }
    for (int64_t k = 0; !st && k < r->o.draws; k++) {
        st = look_up(r, chain, r->o.warmup + k);
        st = st ? st : r->by.next(&c);
        if (st)
            break;
        int64_t at = chain * r->o.draws + k;
        if (t)
            agni_whitening_forward(t, r->draws + at * c.n, c.z.q);
        else
            memcpy(r->draws + at * c.n, c.z.q, (size_t)c.n * sizeof *c.z.q);
        r->energy[at] = c.energy;
        r->accept[at] = c.accept;
        r->depth[at] = c.depth;
        r->leapfrogs[at] = c.leapfrogs;
        r->divergent[at] = c.divergent;
    }
    if (!st)
        write_state(r, &c, chain, t);
    r->step[chain] = c.step;
    agni_free(c.work);
    agni_free(c.level);
    agni_whitening_free(&whitening, &window);
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

/* parameters and derived quantities at every draw, by the lanes of one plan */
agn_status agni_put_values(agn_dict *d, const char *op, const agn_model *m, int64_t chains,
                           int64_t draws, const double *points)
{
    int64_t shape[AGN_MAX_RANK] = {chains * draws, m->dims};
    int32_t n = m->n;
    agn_fn *values = NULL, *lanes = NULL, *plan = NULL;
    agn_tensor *x = NULL, **y = agni_zalloc((size_t)n * sizeof *y), *z = NULL;
    agn_status st = y ? AGN_OK : agni_nomem(op, (size_t)n * sizeof *y);
    st = st ? st : agn_model_values(&values, m);
    st = st ? st : agn_fn_vmap(&lanes, values, NULL, 0, NULL, 0);
    st = st ? st : agn_fn_compile(&plan, lanes, NULL);
    st = st ? st : agn_from_host(&x, AGN_F64, 2, shape, points);
    st = st ? st : agn_fn_call(y, n, plan, (const agn_tensor *const *)&x, 1);
    for (int32_t i = 0; !st && i < n; i++) {
        const agni_parameter *p = &m->parameter[i];
        shape[0] = chains;
        shape[1] = draws;
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
    agn_release(x);
    agn_fn_release(values);
    agn_fn_release(lanes);
    agn_fn_release(plan);
    return st;
}
static agn_status put_all(agn_dict *d, const run *r)
{
    int64_t shape[3] = {r->o.chains, r->o.draws, r->model->dims};
    agn_status st = agni_put_values(d, r->op, r->model, r->o.chains, r->o.draws, r->draws);
    st = st ? st : agni_put_host(d, "sampler/point", AGN_F64, 3, shape, r->draws);
    st = st ? st : agni_put_host(d, "sampler/energy", AGN_F64, 2, shape, r->energy);
    st = st ? st : agni_put_host(d, "sampler/accept", AGN_F64, 2, shape, r->accept);
    st = st ? st : agni_put_host(d, "sampler/depth", AGN_I64, 2, shape, r->depth);
    st = st ? st : agni_put_host(d, "sampler/leapfrogs", AGN_I64, 2, shape, r->leapfrogs);
    st = st ? st : agni_put_host(d, "sampler/divergent", AGN_I64, 2, shape, r->divergent);
    st = st ? st : agni_put_host(d, "sampler/step", AGN_F64, 1, shape, r->step);
    shape[1] = r->state_size;
    st = st ? st : agni_put_host(d, "sampler/state", AGN_F64, 2, shape, r->state);
    shape[1] = STREAM;
    return st ? st : agni_put_host(d, "sampler/stream", AGN_I64, 2, shape, r->stream);
}

agn_status agni_check_options(const char *op, agn_nuts_options *o)
{
    o->warmup = o->warmup ? o->warmup : 1000;
    o->draws = o->draws ? o->draws : 1000;
    o->chains = o->chains ? o->chains : 4;
    o->target_accept = o->target_accept != 0 ? o->target_accept : 0.8;
    o->max_depth = o->max_depth ? o->max_depth : 10;
    if (o->warmup < 20 || o->warmup > 1 << 28)
        return agni_fail(AGN_EARG, "%s: warmup is %lld; 20 to 2^28 are possible", op,
                         (long long)o->warmup);
    if (o->draws < 1 || o->draws > 1 << 28)
        return agni_fail(AGN_EARG, "%s: draws is %lld; 1 to 2^28 are possible", op,
                         (long long)o->draws);
    if (o->chains < 1 || o->chains > AGNI_MAX_CHAINS)
        return agni_fail(AGN_EARG, "%s: %lld chains; 1 to %d are possible", op,
                         (long long)o->chains, AGNI_MAX_CHAINS);
    if (!(o->target_accept > 0 && o->target_accept < 1))
        return agni_fail(AGN_EARG, "%s: target_accept is %g; it must be between 0 and 1", op,
                         o->target_accept);
    if (o->max_depth < 1 || o->max_depth > 20)
        return agni_fail(AGN_EARG, "%s: max_depth is %d; 1 to 20 are possible", op, o->max_depth);
    if (o->steps < 0)
        return agni_fail(AGN_EARG, "%s: steps is %d; 0 or more are possible", op, o->steps);
    if (!(o->max_error >= 0 && o->max_error < (double)INFINITY))
        return agni_fail(AGN_EARG, "%s: max_error is %g; 0 or more are possible", op, o->max_error);
    if (o->max_error > 0 && o->steps)
        return agni_fail(AGN_EARG, "%s: max_error is %g, and steps is %d; one of them must be 0",
                         op, o->max_error, o->steps);
    if (o->metric < AGN_METRIC_DIAGONAL || o->metric > AGN_METRIC_LOW_RANK)
        return agni_fail(AGN_EARG, "%s: metric %d is none", op, o->metric);
    o->rank = o->rank ? o->rank : 10;
    if (o->rank < 1 || o->rank > 1000)
        return agni_fail(AGN_EARG, "%s: rank is %d; 1 to 1000 are possible", op, o->rank);
    return AGN_OK;
}
/* where chains start or go on */
static agn_status read_starts(run *r, agn_tensor *kept[3])
{
    int64_t chains = r->o.chains, n = r->model->dims;
    const int64_t rows[2] = {chains, n};
    agn_status st = AGN_OK;
    if (r->o.start) {
        bool one = agn_ndim(r->o.start) == 1;
        st = agni_read_host(&r->start, &kept[0], r->op, "start", r->o.start, one ? 1 : 2,
                            one ? rows + 1 : rows);
        r->start_stride = one ? 0 : n;
    }
    if (st || !r->o.resume)
        return st;
    agn_tensor *state = NULL;
    const void *data = NULL;
    const int64_t shape[2] = {chains, r->state_size};
    r->o.warmup = 0;
    if (agn_dict_get(&state, r->o.resume, "sampler/state") ||
        agn_dict_get(&kept[2], r->o.resume, "sampler/stream"))
        st = agni_fail(AGN_EARG, "%s: there is no sampler/state and sampler/stream to resume",
                       r->op);
    st = st ? st
            : agni_read_host(&r->state_in, &kept[1], r->op, "state to resume", state, 2, shape);
    if (!st && (agn_dtype_of(kept[2]) != AGN_I64 || agn_ndim(kept[2]) != 2 ||
                agn_shape(kept[2])[0] != chains || agn_shape(kept[2])[1] != STREAM))
        st = agni_fail(AGN_ESHAPE, "%s: stream to resume is %s; i64 [%lld, %d] is needed", r->op,
                       AGNI_SHAPE(kept[2]), (long long)chains, STREAM);
    st = st ? st : agn_data_contiguous(&data, kept[2]);
    r->stream_in = data;
    int64_t most = 2 * (r->o.rank < n ? r->o.rank : n);
    for (int64_t i = 0; !st && i < chains; i++)
        if (r->stream_in[i * STREAM + 3] != r->o.metric || r->stream_in[i * STREAM + 2] < 0 ||
            r->stream_in[i * STREAM + 2] > most)
            st = agni_fail(AGN_EARG, "%s: chain %lld is to be resumed with another metric", r->op,
                           (long long)i);
    agn_release(state);
    return st;
}

agn_status agni_run_chains(agn_dict **out, const char *op, const agn_model *m,
                           const agn_nuts_options *opts, const agni_sampler *by)
{
    run r = {.op = op, .model = m, .o = *opts, .by = *by};
    agn_tensor *kept[3] = {NULL, NULL, NULL};
    agn_status st = AGN_OK;
    size_t draws = (size_t)(r.o.chains * r.o.draws);
    int64_t wide;
    r.state_size = size_of_state(&r);
    if (!agni_checked_mul((int64_t)draws, m->dims * 8, &wide))
        return agni_fail(AGN_ENOMEM, "%s: %zu draws of %lld numbers", op, draws,
                         (long long)m->dims);
    size_t bytes = (size_t)wide;
    r.draws = agni_zalloc(bytes);
    r.energy = agni_zalloc(5 * draws * sizeof(double));
    r.step = agni_zalloc((size_t)(r.o.chains * (1 + r.state_size + STREAM)) * sizeof(double));
    agn_dict *d = NULL;
    if (!r.draws || !r.energy || !r.step)
        st = agni_nomem(op, bytes);
    else {
        r.accept = r.energy + draws;
        r.depth = (int64_t *)(r.energy + 2 * draws);
        r.leapfrogs = r.depth + draws;
        r.divergent = r.leapfrogs + draws;
        r.state = r.step + r.o.chains;
        r.stream = (int64_t *)(r.state + r.o.chains * r.state_size);
        st = read_starts(&r, kept);
        st = st ? st : agn_model_log_density(&r.log_density, m);
    }
    if (!st)
        agni_parallel_for(r.o.chains, chain_job, &r);
    for (int64_t i = 0; !st && i < r.o.chains; i++)
        if (r.status[i])
            st = agni_fail(r.status[i], "%s", r.reason[i]);
    if (!st)
        agni_report_progress("sampling", 1);
    st = st ? st : agn_dict_new(&d);
    st = st ? st : put_all(d, &r);
    for (int k = 0; k < 3; k++)
        agn_release(kept[k]);
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

agn_status agn_infer_nuts(agn_dict **out, const agn_model *m, const agn_nuts_options *opts)
{
    const char *op = "infer_nuts";
    if (!out || !m)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, !out ? "out" : "m");
    if (agni_check_size(op, agn_nuts_options, opts))
        return AGN_EARG;
    agn_nuts_options o = {.size = sizeof o};
    if (opts)
        o = *opts;
    agn_status st = agni_check_options(op, &o);
    return st ? st
              : agni_run_chains(out, op, m, &o, &(agni_sampler){agni_next_hamiltonian, true, NULL});
}
