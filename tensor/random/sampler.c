/* tensor/random/sampler.c - the driver of samplers: blocks of elements over threads, parameters
   that broadcast, inference, batching, errors. */
#include "tensor/random/sampler.h"

#include <string.h>

/* ---- arrays in and out --------------------------------------------------------------------- */

static void load_element(agni_sample_block_values *to, const agn_array *x, int64_t at, int j)
{
    switch (x->dtype) {
    case AGN_F64:
        to->f[j] = ((const double *)x->data)[at];
        break;
    case AGN_F32:
        to->f[j] = (double)((const float *)x->data)[at];
        break;
    case AGN_I64:
        to->i[j] = ((const int64_t *)x->data)[at];
        break;
    case AGN_I32:
        to->i[j] = ((const int32_t *)x->data)[at];
        break;
    default:
        to->i[j] = ((const bool *)x->data)[at];
    }
}

void agni_sample_gather(agni_sample_block_values *to, const agn_array *x, const agn_array *y,
                        int64_t first, int n)
{
    int64_t at = 0, index[AGNI_MAX_RANK], step[AGNI_MAX_RANK], rest = first;
    int shift = y->ndim - x->ndim;
    bool same = true;
    for (int d = y->ndim - 1; d >= 0; d--) {
        index[d] = rest % y->shape[d];
        rest /= y->shape[d];
        step[d] = d < shift || x->shape[d - shift] == 1 ? 0 : x->stride[d - shift];
        at += index[d] * step[d];
        same = same && !step[d];
    }
    if (same) { /* one number */
        load_element(to, x, at, 0);
        for (int j = 1; j < n; j++)
            to->i[j] = to->i[0];
        return;
    }
    int last = y->ndim - 1;
    for (int j = 0; j < n;) { /* by runs along the last axis */
        int64_t run = y->shape[last] - index[last], by = step[last];
        run = run < n - j ? run : n - j;
        const double *v = (const double *)x->data + at;
        if (x->dtype == AGN_F64 && by == 1)
            memcpy(to->f + j, v, (size_t)run * sizeof *v);
        else
            for (int64_t k = 0; k < run; k++)
                load_element(to, x, at + k * by, j + (int)k);
        j += (int)run;
        at += run * by;
        index[last] += run;
        for (int d = last; d > 0 && index[d] == y->shape[d]; d--) {
            at += step[d - 1] - index[d] * step[d];
            index[d] = 0;
            index[d - 1]++;
        }
    }
}

void agni_sample_store(const agn_array *y, int64_t first, int n,
                       const agni_sample_block_values *from)
{
    switch (y->dtype) {
    case AGN_F64:
    case AGN_I64:
        memcpy((int64_t *)y->data + first, from->i, (size_t)n * sizeof *from->i);
        break;
    case AGN_F32:
        agni_simd_kernels_get()->random->narrow((float *)y->data + first, from->f, n);
        break;
    case AGN_I32:
        for (int j = 0; j < n; j++)
            ((int32_t *)y->data)[first + j] = (int32_t)from->i[j];
        break;
    case AGN_I16:
        for (int j = 0; j < n; j++)
            ((int16_t *)y->data)[first + j] = (int16_t)from->i[j];
        break;
    case AGN_I8:
    case AGN_U8: /* the same bits */
        for (int j = 0; j < n; j++)
            ((uint8_t *)y->data)[first + j] = (uint8_t)from->i[j];
        break;
    default:
        for (int j = 0; j < n; j++)
            ((bool *)y->data)[first + j] = from->i[j] != 0;
    }
}

void agni_sample_philox_words(const agni_sample *b, uint32_t w[4 * AGNI_SAMPLE_ROOM])
{
    b->fast->blocks(w, b->key, (uint64_t)b->first, b->n);
}

/* ---- blocks -------------------------------------------------------------------------------- */

enum { GRAIN = 32 * AGNI_SAMPLE, PARAMS = 2 };

typedef struct sample_job {
    const agn_kernel_call *c;
    agni_sample_fn *draw;
    int64_t per_lane, jobs; /* jobs per lane */
} sample_job;

static void gather_params(const agn_kernel_call *c, int64_t first, int n,
                          agni_sample_block_values *p)
{
    for (int k = 1; k < c->n_in; k++)
        agni_sample_gather(p + k - 1, c->in + k, c->out, first, n);
}

static void draw_blocks(void *user, int64_t job, int worker)
{
    const sample_job *q = user;
    (void)worker;
    agni_sample_block_values p[PARAMS], y;
    int64_t lane = job / q->jobs, lo = job % q->jobs * GRAIN;
    int64_t hi = lo + GRAIN < q->per_lane ? lo + GRAIN : q->per_lane;
    const int64_t *k = (const int64_t *)q->c->in[0].data + 2 * lane;
    agni_sample b = {.call = q->c,
                     .fast = agni_simd_kernels_get()->random,
                     .key = agni_philox_subkey((uint64_t)k[0], (uint64_t)k[1]),
                     .lane = lane,
                     .p = p};
    for (b.first = lo; b.first < hi; b.first += AGNI_SAMPLE) {
        b.n = hi - b.first < AGNI_SAMPLE ? (int)(hi - b.first) : AGNI_SAMPLE;
        gather_params(q->c, lane * q->per_lane + b.first, b.n, p);
        q->draw(&b, &y);
        agni_sample_store(q->c->out, lane * q->per_lane + b.first, b.n, &y);
    }
}

static int64_t count_elements(int ndim, const int64_t *shape)
{
    int64_t n = 1;
    for (int d = 0; d < ndim; d++)
        n *= shape[d];
    return n;
}

/* checks all parameters before the first draw; scalar ones once */
static agn_status check_parameters(const agn_kernel_call *c, int64_t size, agni_sample_check *valid)
{
    agni_sample_block_values p[PARAMS];
    agni_sample b = {.call = c, .p = p};
    bool one = true;
    for (int k = 1; k < c->n_in; k++)
        one = one && count_elements(c->in[k].ndim, c->in[k].shape) == 1;
    agn_status st = AGN_OK;
    for (; !st && b.first < size; b.first += AGNI_SAMPLE) {
        b.n = one ? 1 : size - b.first < AGNI_SAMPLE ? (int)(size - b.first) : AGNI_SAMPLE;
        gather_params(c, b.first, b.n, p);
        st = valid(&b);
        if (one)
            break;
    }
    return st;
}

agn_status agni_sample_draw_all(const agn_kernel_call *c, agni_sample_fn *draw,
                                agni_sample_check *valid)
{
    int64_t lanes = count_elements(c->in[0].ndim - 1, c->in[0].shape);
    int64_t size = count_elements(c->out[0].ndim, c->out[0].shape);
    if (size == 0)
        return AGN_OK;
    agn_status st = valid ? check_parameters(c, size, valid) : AGN_OK;
    if (st)
        return st;
    sample_job q = {c, draw, size / lanes, (size / lanes + GRAIN - 1) / GRAIN};
    agni_parallel_for(lanes * q.jobs, draw_blocks, &q);
    return AGN_OK;
}

agn_status agni_sample_fail_parameter(const agni_sample *b, int j, int p, const char *name,
                                      const char *need)
{
    const agn_array *y = b->call->out, *x = b->call->in + 1 + p;
    int64_t index[AGNI_MAX_RANK], rest = b->first + j;
    for (int d = y->ndim - 1, e = x->ndim - 1; d >= 0; d--, e--) {
        if (e >= 0)
            index[e] = x->shape[e] == 1 ? 0 : rest % y->shape[d];
        rest /= y->shape[d];
    }
    char at[96], value[40];
    if (x->dtype == AGN_F32 || x->dtype == AGN_F64)
        agni_format_double(value, sizeof value, b->p[p].f[j], 6);
    else
        agni_format(value, sizeof value, "%lld", (long long)b->p[p].i[j]);
    return agni_fail(AGN_EDOMAIN, "%s: %s%s is %s; %s is needed", b->call->op, name,
                     x->ndim ? agni_shape_text(at, sizeof at, x->ndim, index) : "", value, need);
}

/* ---- inference and batching ------------------------------------------------------------------ */

agn_status agni_check_key(const char *op, const agn_tensor *key)
{
    if (key->dtype != AGN_I64)
        return agni_fail(AGN_EDTYPE, "%s: the key is %s, i64 is needed", op,
                         agni_dtypes[key->dtype].name);
    if (key->ndim < 1 || key->shape[key->ndim - 1] != 2)
        return agni_fail(AGN_ESHAPE, "%s: the key is %s, [2] is needed", op, AGNI_SHAPE(key));
    return AGN_OK;
}

static agn_status check_broadcast(const agni_call *c)
{
    const agni_meta *m = c->meta;
    for (int k = 1; k < c->nin; k++) {
        const agn_tensor *x = c->in[k];
        agni_meta with = *m;
        if (!agni_broadcast_into(&with, x->ndim, x->shape) || with.ndim != m->ndim ||
            memcmp(with.shape, m->shape, (size_t)m->ndim * sizeof *m->shape))
            return agni_fail(AGN_ESHAPE, "%s: parameter %s does not broadcast to the shape %s",
                             c->op->name, AGNI_SHAPE(x),
                             agni_shape_text((char[96]){0}, 96, m->ndim, m->shape));
    }
    return AGN_OK;
}

agn_status agni_infer_sample(agni_call *c, int dtype, int skip)
{
    const agn_tensor *key = c->in[0];
    const char *op = c->op->name;
    agn_status st = agni_check_key(op, key);
    if (st)
        return st;
    agni_meta *m = c->meta;
    int lanes = key->ndim - 1, n = c->at ? c->at->ni - skip : 0;
    if (lanes + n > AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "%s: rank %d is above %d", op, lanes + n, AGN_MAX_RANK);
    m->dtype = (int32_t)dtype;
    m->ndim = lanes + n;
    memcpy(m->shape, key->shape, (size_t)lanes * sizeof *m->shape);
    if (n)
        memcpy(m->shape + lanes, c->at->i + skip, (size_t)n * sizeof *m->shape);
    st = check_broadcast(c);
    if (st)
        return st;
    int64_t size;
    return agni_shape_check(op, m->ndim, m->shape, &size);
}

agn_status agni_infer_distribution(agni_call *c)
{
    return agni_infer_sample(c, c->in[1]->dtype, 0);
}

agn_status agni_infer_count(agni_call *c)
{
    int64_t dtype = c->at->i[0];
    if (dtype != AGN_I32 && dtype != AGN_I64)
        return agni_fail(AGN_EDTYPE, "%s: dtype is %s, i32 or i64 is needed", c->op->name,
                         agni_dtypes[dtype].name);
    return agni_infer_sample(c, (int)dtype, 1);
}

/* the key has the lanes in front (autograd/modes/batching.c folds them in), parameters may */
void agni_batch_sample(agn_scope *s, const agni_rule *r, int64_t lanes,
                       const agn_tensor *const *in, const bool *batched, const agn_tensor **out,
                       bool *bout)
{
    (void)lanes;
    const agn_tensor *a[1 + PARAMS] = {in[0]};
    for (int i = 1; i < r->nin; i++)
        a[i] = agni_align_rank(s, in[i], batched[i], r->y[0]->ndim);
    out[0] = agni_apply_in(s, r->op, r->at, r->nin, a);
    bout[0] = true;
}

agn_status agni_sample_apply_public(agn_tensor **out, const agni_op *op, const agn_tensor *key,
                                    int n_param, const agn_tensor *const *param, int n_lead,
                                    const int64_t *lead, int32_t ndim, const int64_t *shape)
{
    int64_t at[AGNI_MAX_RANK + 4], size;
    agn_status st = agni_shape_check(op->name, ndim, shape, &size);
    if (st)
        return st;
    if (n_lead)
        memcpy(at, lead, (size_t)n_lead * sizeof *at);
    if (ndim)
        memcpy(at + n_lead, shape, (size_t)ndim * sizeof *shape);
    const agn_tensor *in[1 + PARAMS] = {key};
    for (int k = 0; k < n_param; k++)
        in[1 + k] = param[k];
    return agni_apply_public(out, op, &(agni_attr){.ni = n_lead + ndim, .i = at}, 1 + n_param, in);
}

/* ---- reparameterised draws: the identity in the first argument, with derivatives in the
   others */

agn_status agni_infer_reparameterised(agni_call *c)
{
    agn_status st = agni_infer_same(c);
    return st ? st : check_broadcast(c);
}

agn_status agni_view_reparameterised(const agni_call *c, agn_tensor **out)
{
    *out = agni_tensor_alias(c->in[0]);
    return *out ? AGN_OK : agni_nomem(c->op->name, sizeof **out);
}

agn_status agni_sample_copy(const agn_kernel_call *c)
{
    agni_sample_block_values y;
    int64_t size = count_elements(c->out[0].ndim, c->out[0].shape);
    for (int64_t i = 0; i < size; i += AGNI_SAMPLE) {
        int n = size - i < AGNI_SAMPLE ? (int)(size - i) : AGNI_SAMPLE;
        agni_sample_gather(&y, c->in, c->out, i, n);
        agni_sample_store(c->out, i, n, &y);
    }
    return AGN_OK;
}

void agni_batch_reparameterised(agn_scope *s, const agni_rule *r, int64_t lanes,
                                const agn_tensor *const *in, const bool *batched,
                                const agn_tensor **out, bool *bout)
{
    const agn_tensor *a[1 + PARAMS] = {agni_ensure_batch_axis(s, in[0], batched[0], lanes)};
    for (int i = 1; i < r->nin; i++)
        a[i] = agni_align_rank(s, in[i], batched[i], r->y[0]->ndim);
    out[0] = agni_apply_in(s, r->op, r->at, r->nin, a);
    bout[0] = true;
}
