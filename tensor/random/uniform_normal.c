/* tensor/random/uniform_normal.c - the ops without parameters: bits, uniform, normal (by the
   quantile) and exponential numbers of a Philox stream, counted as core/random/philox.h says. */
#include "tensor/random/sampler.h"

static agn_status infer_fill(agni_call *c)
{
    int64_t dtype = c->at->i[0];
    if (dtype != AGN_F32 && dtype != AGN_F64)
        return agni_fail(AGN_EDTYPE, "%s: dtype is %s, f16, bf16, f32 or f64 is needed",
                         c->op->name, agni_dtypes[dtype].name);
    return agni_infer_sample(c, (int)dtype, 1);
}

/* u in [0, 1) of the elements of a block, with as many bits as the dtype has, or those bits but
   the last, which is set: never 0. Returns half the distance between two numbers. A block begins
   with the first word of a Philox block. */
static double draw_unit(const agni_sample *b, double *u, bool odd)
{
    uint32_t w[4 * AGNI_SAMPLE_ROOM];
    if (b->call->out[0].dtype == AGN_F32) {
        b->fast->blocks(w, b->key, (uint64_t)b->first / 4, (b->n + 3) / 4);
        for (int j = 0; odd && j < b->n; j++)
            w[j] |= 1u << 8;
        b->fast->unit24(u, w, b->n);
        return 0x1p-25;
    }
    b->fast->blocks(w, b->key, (uint64_t)b->first / 2, (b->n + 1) / 2);
    for (int j = 0; odd && j < b->n; j++)
        w[2 * j + 1] |= 1u << 11;
    b->fast->unit53(u, w, b->n);
    return 0x1p-54;
}

static void draw_uniform(const agni_sample *b, agni_sample_block_values *y)
{
    draw_unit(b, y->f, false);
}

/* the quantile at the middle of each cell: q and 1/2 - |q| are exact, the tails are alike, and
   neither 0 nor 1 is reached */
static void draw_normal(const agni_sample *b, agni_sample_block_values *y)
{
    double q[AGNI_SAMPLE_ROOM];
    double half = draw_unit(b, q, false);
    for (int j = 0; j < b->n; j++)
        q[j] = (q[j] - 0.5) + half;
    b->fast->normal(y->f, q, b->n);
}

/* -log of the middles of cells twice as wide, which are numbers of the dtype: never 0 or 1 */
static void draw_exponential(const agni_sample *b, agni_sample_block_values *y)
{
    draw_unit(b, y->f, true);
    b->fast->minus_log(y->f, y->f, b->n);
}

/* element first + i of the stream: words 2(i % 2), the high one, and 2(i % 2) + 1 of block i / 2 */
static void draw_bits(const agni_sample *b, agni_sample_block_values *y)
{
    uint32_t w[4 * AGNI_SAMPLE_ROOM];
    uint64_t i = (uint64_t)b->call->ints[0] + (uint64_t)b->first;
    int skip = (int)(i & 1);
    uint64_t to_end = (UINT64_MAX - i) / 2 + 1; /* blocks until numbers begin again with 0 */
    int n = (b->n + skip + 1) / 2, head = to_end < (uint64_t)n ? (int)to_end : n;
    b->fast->blocks(w, b->key, i / 2, head);
    b->fast->blocks(w + 4 * head, b->key, 0, n - head);
    for (int j = 0; j < b->n; j++) {
        const uint32_t *two = w + 2 * (j + skip);
        y->i[j] = (int64_t)((uint64_t)two[0] << 32 | two[1]);
    }
}

static agn_status infer_bits(agni_call *c)
{
    return agni_infer_sample(c, AGN_I64, 1);
}

#define RUN(name) \
    static agn_status cpu_##name(const agn_kernel_call *c) \
    { \
        return agni_sample_draw_all(c, draw_##name, NULL); \
    } \
    static agni_slots slots_##name;
RUN(uniform)
RUN(normal)
RUN(exponential)
RUN(bits)

#define FILL(name_, of_, first_) \
    .name = #name_, .takes = "key " first_ " shape:i*", .cls = AGNI_RANDOM, .nin = 1, .nout = 1, .ew = -1, \
    .cpu = cpu_##of_, .contiguous = true, .batch = agni_batch_sample, .slots = &slots_##of_
const agni_op agni_op_uniform = {FILL(uniform, uniform, "dtype:d"), .dtypes = AGNI_FLOATS,
                                 .infer = infer_fill, .doc = "uniform random numbers in [0, 1)"};
const agni_op agni_op_normal = {FILL(normal, normal, "dtype:d"), .dtypes = AGNI_FLOATS,
                                .infer = infer_fill, .doc = "standard normal random numbers"};
const agni_op agni_op_exponential = {FILL(exponential, exponential, "dtype:d"),
                                     .dtypes = AGNI_FLOATS, .infer = infer_fill,
                                     .doc = "exponential random numbers of mean 1"};
const agni_op agni_op_random_bits = {FILL(random_bits, bits, "first:i"), .dtypes = AGNI_BIT(I64),
                                     .infer = infer_bits, .doc = "random 64-bit integers"};

/* ---- public functions ------------------------------------------------------------------------ */

/* f16 and bf16 by rounding f32 */
static agn_status apply_fill(agn_tensor **out, const agni_op *op, const agn_tensor *key,
                             agn_dtype dtype, int32_t ndim, const int64_t *shape)
{
    bool narrow = dtype == AGN_F16 || dtype == AGN_BF16;
    agn_tensor *y = NULL;
    int64_t wide = narrow ? AGN_F32 : dtype;
    agn_status st = agni_sample_apply_public(narrow ? &y : out, op, key, 0, NULL, 1, &wide, ndim,
                                             shape);
    if (!narrow)
        return st;
    if (!st && !out)
        st = agni_fail(AGN_ENULL, "%s: out is NULL", op->name);
    if (!st)
        st = agn_cast(out, y, dtype);
    agn_release(y);
    return st;
}

/* Rounding would reach 1, so a narrow dtype gets as many leading bits as it has: floor(u 2^b) 2^-b
   for b = 11 or 8. */
agn_status agn_uniform(agn_tensor **out, const agn_tensor *key, agn_dtype dtype, int32_t ndim,
                       const int64_t *shape)
{
    if (dtype != AGN_F16 && dtype != AGN_BF16)
        return apply_fill(out, &agni_op_uniform, key, dtype, ndim, shape);
    if (!out)
        return agni_fail(AGN_ENULL, "uniform: out is NULL");
    double steps = dtype == AGN_F16 ? 0x1p11 : 0x1p8;
    agn_tensor *u = NULL, *scaled = NULL, *whole = NULL, *v = NULL;
    agn_status st = apply_fill(&u, &agni_op_uniform, key, AGN_F32, ndim, shape);
    if (!st)
        st = agn_mul_c(&scaled, u, steps);
    if (!st)
        st = agn_floor(&whole, scaled);
    if (!st)
        st = agn_mul_c(&v, whole, 1 / steps);
    if (!st)
        st = agn_cast(out, v, dtype);
    agn_release(u), agn_release(scaled), agn_release(whole), agn_release(v);
    return st;
}

agn_status agn_normal(agn_tensor **out, const agn_tensor *key, agn_dtype dtype, int32_t ndim,
                      const int64_t *shape)
{
    return apply_fill(out, &agni_op_normal, key, dtype, ndim, shape);
}

agn_status agn_exponential(agn_tensor **out, const agn_tensor *key, agn_dtype dtype, int32_t ndim,
                           const int64_t *shape)
{
    return apply_fill(out, &agni_op_exponential, key, dtype, ndim, shape);
}

agn_status agn_random_bits(agn_tensor **out, const agn_tensor *key, int64_t first, int32_t ndim,
                           const int64_t *shape)
{
    return agni_sample_apply_public(out, &agni_op_random_bits, key, 0, NULL, 1, &first, ndim,
                                    shape);
}
