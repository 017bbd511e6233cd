/* tensor/random.c - keys, uniform and normal numbers on Philox4x32-10. A key is an i64 pair
   (seed, stream); leading axes of a key are lanes, each with its own numbers.
   Attributes: dtype, shape of one lane. */
#include "tensor/help.h"

#include "core/philox.h"
#include "tensor/cpu/special-normal.h"
#include <string.h>

static agn_status check_key(const char *op, const agn_tensor *key)
{
    if (key->dtype != AGN_I64)
        return agni_fail(AGN_EDTYPE, "%s: the key is %s, i64 is needed", op,
                         agni_dtypes[key->dtype].name);
    if (key->ndim < 1 || key->shape[key->ndim - 1] != 2)
        return agni_fail(AGN_ESHAPE, "%s: the key is %s, [2] is needed", op, AGNI_SHAPE(key));
    return AGN_OK;
}

static agn_status infer_draw(agni_call *c)
{
    const agn_tensor *key = c->in[0];
    agn_status st = check_key(c->op->name, key);
    if (st)
        return st;
    if (c->at->i[0] != AGN_F32 && c->at->i[0] != AGN_F64)
        return agni_fail(AGN_EDTYPE, "%s: dtype is %s, f32 or f64 is needed", c->op->name,
                         agni_dtypes[c->at->i[0]].name);
    agni_meta *m = c->meta;
    int lanes = key->ndim - 1, n = c->at->ni - 1;
    if (lanes + n > AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "%s: rank %d is above %d", c->op->name, lanes + n,
                         AGN_MAX_RANK);
    m->dtype = (int32_t)c->at->i[0];
    m->ndim = lanes + n;
    memcpy(m->shape, key->shape, (size_t)lanes * sizeof *m->shape);
    if (n)
        memcpy(m->shape + lanes, c->at->i + 1, (size_t)n * sizeof *m->shape);
    int64_t size;
    return agni_shape_check(c->op->name, m->ndim, m->shape, &size);
}

enum { GRAIN = 1 << 13 };
typedef struct draw {
    const agn_kernel_call *c;
    int64_t per_lane, jobs; /* jobs per lane */
    bool normal;
} draw;

static void draw_job(void *user, int64_t job, int worker)
{
    const draw *q = user;
    (void)worker;
    int64_t lane = job / q->jobs, lo = job % q->jobs * GRAIN;
    int64_t hi = lo + GRAIN < q->per_lane ? lo + GRAIN : q->per_lane;
    const int64_t *k = (const int64_t *)q->c->in[0].data + 2 * lane;
    uint64_t key = agni_philox_subkey((uint64_t)k[0], (uint64_t)k[1]);
    if (q->c->out[0].dtype == AGN_F32) {
        float *y = (float *)q->c->out[0].data + lane * q->per_lane;
        for (int64_t i = lo; i < hi; i += 4) {
            agni_philox4 r = agni_philox_block(key, (uint64_t)i / 4);
            for (int64_t j = 0; j < 4 && i + j < hi; j++) {
                float u = agni_philox_to_f32(r.w[j]);
                y[i + j] = q->normal ? (float)agni_normal_at((double)u, 0x1p-25) : u;
            }
        }
    } else {
        double *y = (double *)q->c->out[0].data + lane * q->per_lane;
        for (int64_t i = lo; i < hi; i += 2) {
            agni_philox4 r = agni_philox_block(key, (uint64_t)i / 2);
            for (int64_t j = 0; j < 2 && i + j < hi; j++) {
                double u = agni_philox_to_f64(r.w[2 * j], r.w[2 * j + 1]);
                y[i + j] = q->normal ? agni_normal_at(u, 0x1p-54) : u;
            }
        }
    }
}

static agn_status run_draw(const agn_kernel_call *c, bool normal)
{
    int64_t lanes = 1, size = 1;
    for (int d = 0; d < c->in[0].ndim - 1; d++)
        lanes *= c->in[0].shape[d];
    for (int d = 0; d < c->out[0].ndim; d++)
        size *= c->out[0].shape[d];
    if (size == 0)
        return AGN_OK;
    draw q = {c, size / lanes, (size / lanes + GRAIN - 1) / GRAIN, normal};
    agni_parallel(lanes * q.jobs, draw_job, &q);
    return AGN_OK;
}
static agn_status cpu_uniform(const agn_kernel_call *c)
{
    return run_draw(c, false);
}
static agn_status cpu_normal(const agn_kernel_call *c)
{
    return run_draw(c, true);
}

/* ---- folding a number into a key: another key, as independent as another stream -------- */

static agn_status infer_fold(agni_call *c)
{
    const agn_tensor *key = c->in[0], *n = c->in[1];
    agn_status st = check_key("key_fold", key);
    if (st)
        return st;
    if (n->dtype != AGN_I64)
        return agni_fail(AGN_EDTYPE, "key_fold: n is %s, i64 is needed",
                         agni_dtypes[n->dtype].name);
    agni_meta *m = c->meta;
    m->dtype = AGN_I64;
    m->ndim = key->ndim - 1;
    memcpy(m->shape, key->shape, (size_t)m->ndim * sizeof *m->shape);
    if (!agni_broadcast_into(m, n->ndim, n->shape) || m->ndim >= AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "key_fold: key %s and n %s do not broadcast", AGNI_SHAPE(key),
                         AGNI_SHAPE(n));
    m->shape[m->ndim++] = 2;
    return AGN_OK;
}
static agn_status cpu_fold(const agn_kernel_call *c)
{
    const agn_array *y = c->out;
    int64_t size = 1;
    for (int d = 0; d < y->ndim - 1; d++)
        size *= y->shape[d];
    for (int64_t i = 0; i < size; i++) {
        int64_t at[2] = {0, 0}, rest = i;
        for (int d = y->ndim - 2; d >= 0; d--) {
            int64_t k = rest % y->shape[d];
            rest /= y->shape[d];
            for (int j = 0; j < 2; j++) {
                const agn_array *x = c->in + j;
                int lead = x->ndim - (j == 0), e = d - (y->ndim - 1 - lead);
                if (e >= 0 && x->shape[e] != 1)
                    at[j] += k * x->stride[e];
            }
        }
        const int64_t *key = (const int64_t *)c->in[0].data + at[0];
        int64_t n = ((const int64_t *)c->in[1].data)[at[1]], *to = (int64_t *)y->data + 2 * i;
        int64_t second = key[c->in[0].stride[c->in[0].ndim - 1]];
        uint64_t sub = agni_philox_subkey((uint64_t)key[0], (uint64_t)second);
        to[0] = (int64_t)agni_philox_fold(sub, (uint64_t)n);
        to[1] = 0;
    }
    return AGN_OK;
}

static void batch_fold(agn_scope *s, const agni_rule *r, int64_t lanes,
                       const agn_tensor *const *in, const bool *batched, const agn_tensor **out,
                       bool *bout)
{
    int rank = r->y[0]->ndim;
    (void)lanes;
    const agn_tensor *a[2] = {agni_align(s, in[0], batched[0], rank),
                              agni_align(s, in[1], batched[1], rank - 1)};
    out[0] = agni_ap(s, r->op, NULL, 2, a);
    bout[0] = true;
}

#define BIT(d) (1u << AGN_##d)
static agni_slots slots_uniform, slots_normal;
#define DRAW(name_) \
    .name = #name_, .takes = "key dtype:d shape:i*", .cls = AGNI_RANDOM, .nin = 1, .nout = 1, .dtypes = BIT(F32) | BIT(F64), \
    .ew = -1, .infer = infer_draw, .cpu = cpu_##name_, .contiguous = true, \
    .batch = agni_batch_front, .slots = &slots_##name_
const agni_op agni_op_uniform = {DRAW(uniform), .doc = "uniform random numbers in [0, 1)"};
const agni_op agni_op_normal = {DRAW(normal), .doc = "standard normal random numbers"};
const agni_op agni_op_key_fold = {.name = "key_fold", .takes = "key n", .cls = AGNI_DISCRETE, .nin = 2, .nout = 1,
                                  .dtypes = BIT(I64), .ew = -1, .infer = infer_fold,
                                  .cpu = cpu_fold, .batch = batch_fold,
                                  .doc = "a key made of a key and a number"};

/* ---- public functions --------------------------------------------------------------------- */

agn_status agn_key(agn_tensor **out, agn_generator *g)
{
    if (!out || !g)
        return agni_fail(AGN_ENULL, "key: %s is NULL", out ? "generator" : "out");
    uint64_t seed, stream;
    agn_tensor *x = NULL;
    agn_status st = agni_tensor_make(&x, "key", AGN_I64, 1, (int64_t[]){2}, AGN_CPU);
    if (st)
        return st;
    agni_generator_next(g, &seed, &stream);
    ((int64_t *)x->data)[0] = (int64_t)seed;
    ((int64_t *)x->data)[1] = (int64_t)stream;
    *out = x;
    return AGN_OK;
}

agn_status agn_key_fold(agn_tensor **out, const agn_tensor *key, const agn_tensor *n)
{
    return agni_public(out, &agni_op_key_fold, NULL, 2, (const agn_tensor *[]){key, n});
}

static agn_status draw_public(agn_tensor **out, const agni_op *op, const agn_tensor *key,
                              agn_dtype dtype, int32_t ndim, const int64_t *shape)
{
    int64_t at[AGNI_MAX_RANK + 1] = {dtype}, size;
    agn_status st = agni_shape_check(op->name, ndim, shape, &size);
    if (st)
        return st;
    if (ndim)
        memcpy(at + 1, shape, (size_t)ndim * sizeof *shape);
    return agni_public(out, op, &(agni_attr){.ni = ndim + 1, .i = at}, 1, &key);
}
agn_status agn_uniform(agn_tensor **out, const agn_tensor *key, agn_dtype dtype, int32_t ndim,
                       const int64_t *shape)
{
    return draw_public(out, &agni_op_uniform, key, dtype, ndim, shape);
}
agn_status agn_normal(agn_tensor **out, const agn_tensor *key, agn_dtype dtype, int32_t ndim,
                      const int64_t *shape)
{
    return draw_public(out, &agni_op_normal, key, dtype, ndim, shape);
}
