/* tensor/random/key.c - keys. A key is an i64 pair (seed, stream); leading axes of a key are lanes,
   each with its own numbers. */
#include "tensor/random/sampler.h"

#include <string.h>

/* ---- folding a number into a key: an independent key ------------------------------------- */

static agn_status infer_key_fold(agni_call *c)
{
    const agn_tensor *key = c->in[0], *n = c->in[1];
    agn_status st = agni_check_key("key_fold", key);
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
static agn_status cpu_key_fold(const agn_kernel_call *c)
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

static void batch_key_fold(agn_scope *s, const agni_rule *r, int64_t lanes,
                           const agn_tensor *const *in, const bool *batched, const agn_tensor **out,
                           bool *bout)
{
    int rank = r->y[0]->ndim;
    (void)lanes;
    const agn_tensor *a[2] = {agni_align_rank(s, in[0], batched[0], rank),
                              agni_align_rank(s, in[1], batched[1], rank - 1)};
    out[0] = agni_apply_in(s, r->op, NULL, 2, a);
    bout[0] = true;
}

const agni_op agni_op_key_fold = {.name = "key_fold",
                                  .takes = "key n",
                                  .cls = AGNI_DISCRETE,
                                  .nin = 2,
                                  .nout = 1,
                                  .dtypes = AGNI_BIT(I64),
                                  .ew = -1,
                                  .infer = infer_key_fold,
                                  .cpu = cpu_key_fold,
                                  .batch = batch_key_fold,
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
    return agni_apply_public(out, &agni_op_key_fold, NULL, 2, (const agn_tensor *[]){key, n});
}

agn_status agn_key_split(agn_tensor **out, const agn_tensor *key, int64_t n)
{
    if (!out)
        return agni_fail(AGN_ENULL, "key_split: out is NULL");
    if (!key)
        return agni_fail(AGN_ENULL, "key_split: key is NULL");
    agn_status valid = agni_check_key("key_split", key);
    if (valid)
        return valid;
    if (n < 0 || n > INT64_MAX >> 10)
        return agni_fail(AGN_EARG, "key_split: %lld keys, 0 to %lld can be made", (long long)n,
                         (long long)(INT64_MAX >> 10));
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *lane = NULL, *many = NULL, *y = NULL;
    agn_status st = agn_arange(&lane, AGN_I64, 0, (double)n, 1);
    const agn_tensor *i = agni_adopt_constant(s, st, lane);
    if (!agn_scope_status(s))
        st = agn_expand_dims(&many, key, -2);
    const agn_tensor *keys = agn_scope_adopt(s, st, &many);
    if (!agn_scope_status(s))
        st = agn_key_fold(&y, keys, i);
    agn_scope_return(s, out, agn_scope_adopt(s, agni_rename_error("key_split", st), &y));
    return agn_scope_close(s);
}
