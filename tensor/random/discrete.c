/* tensor/random/discrete.c - random integers: uniform in a range (Lemire 2019), Bernoulli; the
   ops of these and of Poisson and binomial numbers. */
#include "tensor/random/discrete.h"

/* ---- integers of a range ------------------------------------------------------------------- */

uint64_t agni_sample_bounded_integer(uint64_t key, uint64_t element, const uint32_t w[4],
                                     uint64_t n)
{
    agni_philox_tries t = {.key = key, .element = element, .next = 1, .w = w};
    return agni_draw_below(&t, n);
}

static void draw_integers(const agni_sample *b, agni_sample_block_values *y)
{
    uint32_t w[4 * AGNI_SAMPLE_ROOM];
    agni_sample_philox_words(b, w);
    for (int j = 0; j < b->n; j++) {
        agni_philox_tries t = agni_first_try(b, w, j);
        uint64_t lo = (uint64_t)b->p[0].i[j], n = (uint64_t)b->p[1].i[j] - lo;
        y->i[j] = (int64_t)(lo + agni_draw_below(&t, n));
    }
}

static agn_status check_integers(const agni_sample *b)
{
    int dtype = b->call->out[0].dtype, bits = 8 * (int)agni_dtypes[dtype].bytes;
    int64_t half = bits < 64 ? (int64_t)1 << (bits - 1) : INT64_MAX;
    int64_t least = dtype == AGN_U8 ? 0 : bits < 64 ? -half : INT64_MIN;
    int64_t most = dtype == AGN_U8 ? 2 * half : half; /* of high, which is left out */
    for (int j = 0; j < b->n; j++) {
        int64_t lo = b->p[0].i[j], hi = b->p[1].i[j];
        char need[64];
        if (lo < least || lo >= most)
            return agni_sample_fail_parameter(b, j, 0, "low", "a number of the dtype");
        if (lo < hi && hi <= most)
            continue;
        agni_format(need, sizeof need, hi > most ? "at most %lld" : "more than low, %lld,",
                    (long long)(hi > most ? most : lo));
        return agni_sample_fail_parameter(b, j, 1, "high", need);
    }
    return AGN_OK;
}

/* ---- Bernoulli ------------------------------------------------------------------------------- */

/* the 53-bit uniform number of the element, whatever the dtype of p, is below p */
static void draw_bernoulli(const agni_sample *b, agni_sample_block_values *y)
{
    uint32_t w[4 * AGNI_SAMPLE_ROOM];
    double u[AGNI_SAMPLE_ROOM];
    b->fast->blocks(w, b->key, (uint64_t)b->first / 2, (b->n + 1) / 2);
    b->fast->unit53(u, w, b->n);
    for (int j = 0; j < b->n; j++)
        y->i[j] = u[j] < b->p[0].f[j];
}

static agn_status check_p(const agni_sample *b, int k)
{
    for (int j = 0; j < b->n; j++)
        if (!(b->p[k].f[j] >= 0 && b->p[k].f[j] <= 1))
            return agni_sample_fail_parameter(b, j, k, "p", "a number from 0 to 1");
    return AGN_OK;
}
static agn_status check_bernoulli(const agni_sample *b)
{
    return check_p(b, 0);
}

/* large rates leave room for what lies above them */
static agn_status check_poisson(const agni_sample *b)
{
    bool narrow = b->call->out[0].dtype == AGN_I32;
    for (int j = 0; j < b->n; j++)
        if (!(b->p[0].f[j] >= 0 && b->p[0].f[j] <= (narrow ? 0x1p30 : 0x1p62)))
            return agni_sample_fail_parameter(
                b, j, 0, "rate", narrow ? "a number from 0 to 2^30" : "a number from 0 to 2^62");
    return AGN_OK;
}

static agn_status check_binomial(const agni_sample *b)
{
    bool narrow = b->call->out[0].dtype == AGN_I32;
    for (int j = 0; j < b->n; j++)
        if (b->p[0].i[j] < 0 || b->p[0].i[j] > (narrow ? INT32_MAX : (int64_t)1 << 62))
            return agni_sample_fail_parameter(
                b, j, 0, "n", narrow ? "a number from 0 to 2^31 - 1" : "a number from 0 to 2^62");
    return check_p(b, 1);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static agn_status infer_integers(agni_call *c)
{
    int64_t dtype = c->at->i[0];
    if (agni_kind((int)dtype) != AGNI_KIND_INT)
        return agni_fail(AGN_EDTYPE, "%s: dtype is %s, an integer dtype is needed", c->op->name,
                         agni_dtypes[dtype].name);
    return agni_infer_sample(c, (int)dtype, 1);
}
static agn_status infer_bernoulli(agni_call *c)
{
    return agni_infer_sample(c, AGN_BOOL, 0);
}
static agn_status infer_binomial(agni_call *c)
{
    if (c->in[1]->dtype != AGN_I64)
        return agni_fail(AGN_EDTYPE, "random_binomial: n is %s, i64 is needed",
                         agni_dtypes[c->in[1]->dtype].name);
    return agni_infer_count(c);
}

#define DISCRETE_OP(law, draw, takes_, params, types, which, infer_, lo_, hi_, text) \
    static agn_status cpu_##law(const agn_kernel_call *c) \
    { \
        return agni_sample_draw_all(c, draw, check_##law); \
    } \
    static agni_slots slots_##law; \
    const agni_op agni_op_random_##law = {.name = "random_" #law, \
                                          .takes = "key " takes_ " shape:i*", \
                                          .cls = AGNI_RANDOM, \
                                          .nin = 1 + (params), \
                                          .nout = 1, \
                                          .dtypes = types, \
                                          .promote = which, \
                                          .ew = -1, \
                                          .infer = infer_, \
                                          .cpu = cpu_##law, \
                                          .contiguous = true, \
                                          .batch = agni_batch_sample, \
                                          .slots = &slots_##law, \
                                          .lo = lo_, \
                                          .hi = hi_, \
                                          .doc = text};
DISCRETE_OP(integers, draw_integers, "low high dtype:d", 2, AGNI_BIT(I64), 6, infer_integers, -3, 3,
            "random integers of a range")
DISCRETE_OP(bernoulli, draw_bernoulli, "p", 1, AGNI_FLOATS, 2, infer_bernoulli, 0, 1,
            "true with a probability")
DISCRETE_OP(poisson, agni_draw_poisson, "rate dtype:d", 1, AGNI_FLOATS, 2, agni_infer_count, 0.1, 6,
            "Poisson random numbers")
DISCRETE_OP(binomial, agni_draw_binomial, "n p dtype:d", 2, AGNI_FLOATS, 4, infer_binomial, 0.02,
            0.98, "binomial random numbers")

/* ---- public functions ------------------------------------------------------------------------ */

agn_status agn_random_integers(agn_tensor **out, const agn_tensor *key, const agn_tensor *low,
                               const agn_tensor *high, agn_dtype dtype, int32_t ndim,
                               const int64_t *shape)
{
    return agni_sample_apply_public(out, &agni_op_random_integers, key, 2,
                                    (const agn_tensor *[]){low, high}, 1, &(int64_t){dtype}, ndim,
                                    shape);
}

agn_status agn_random_bernoulli(agn_tensor **out, const agn_tensor *key, const agn_tensor *p,
                                int32_t ndim, const int64_t *shape)
{
    return agni_sample_apply_public(out, &agni_op_random_bernoulli, key, 1, &p, 0, NULL, ndim,
                                    shape);
}

agn_status agn_random_poisson(agn_tensor **out, const agn_tensor *key, const agn_tensor *rate,
                              agn_dtype dtype, int32_t ndim, const int64_t *shape)
{
    return agni_sample_apply_public(out, &agni_op_random_poisson, key, 1, &rate, 1,
                                    &(int64_t){dtype}, ndim, shape);
}

agn_status agn_random_binomial(agn_tensor **out, const agn_tensor *key, const agn_tensor *n,
                               const agn_tensor *p, agn_dtype dtype, int32_t ndim,
                               const int64_t *shape)
{
    agn_tensor *whole = NULL;
    agn_status st = AGN_OK;
    if (n && agni_kind(n->dtype) <= AGNI_KIND_INT && n->dtype != AGN_I64)
        st = agn_cast(&whole, n, AGN_I64);
    if (!st)
        st = agni_sample_apply_public(out, &agni_op_random_binomial, key, 2,
                                      (const agn_tensor *[]){whole ? whole : n, p}, 1,
                                      &(int64_t){dtype}, ndim, shape);
    agn_release(whole);
    return st;
}
