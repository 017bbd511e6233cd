/* tensor/random/quasi_random.c - low-discrepancy sequences (Sobol, Halton), with or without a
   random scramble: shapes, tables, blocks of points over threads; and Latin hypercube sampling.

   A point follows from its number alone. Attributes: quasi_random.h. */
#include "tensor/random/quasi_random.h"

#include <agnesi/ag.h>
#include <math.h>
#include <string.h>

enum { TABLES = 1 << 16 }; /* numbers of the tables of the lanes at work */

agn_status agni_infer_points(agni_call *c, int64_t most_dims)
{
    const int64_t *at = c->at->i;
    const char *op = c->op->name;
    agn_status st = agni_check_key(op, c->in[0]);
    if (st)
        return st;
    if (at[AGNI_SEQ_DTYPE] != AGN_F32 && at[AGNI_SEQ_DTYPE] != AGN_F64)
        return agni_fail(AGN_EDTYPE, "%s: dtype is %s, f32 or f64 is needed", op,
                         agni_dtypes[at[AGNI_SEQ_DTYPE]].name);
    if (at[AGNI_SEQ_DIMS] < 1 || at[AGNI_SEQ_DIMS] > most_dims)
        return agni_fail(AGN_EARG, "%s: %lld dimensions, there are 1 to %lld", op,
                         (long long)at[AGNI_SEQ_DIMS], (long long)most_dims);
    int64_t end;
    if (at[AGNI_SEQ_FIRST] < 0 || at[AGNI_SEQ_POINTS] < 0 ||
        !agni_checked_add(at[AGNI_SEQ_FIRST], at[AGNI_SEQ_POINTS], &end) ||
        end > (int64_t)1 << AGNI_SEQ_BITS)
        return agni_fail(AGN_EARG, "%s: %lld points from number %lld on, there are 2^%d", op,
                         (long long)at[AGNI_SEQ_POINTS], (long long)at[AGNI_SEQ_FIRST],
                         AGNI_SEQ_BITS);
    agni_meta *m = c->meta;
    int lanes = c->in[0]->ndim - 1;
    if (lanes + 2 > AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "%s: rank %d is above %d", op, lanes + 2, AGN_MAX_RANK);
    m->dtype = (int32_t)at[AGNI_SEQ_DTYPE];
    m->ndim = lanes + 2;
    memcpy(m->shape, c->in[0]->shape, (size_t)lanes * sizeof *m->shape);
    m->shape[lanes] = at[AGNI_SEQ_POINTS];
    m->shape[lanes + 1] = at[AGNI_SEQ_DIMS];
    int64_t size;
    return agni_shape_check(op, m->ndim, m->shape, &size);
}

/* A table can be far larger than the points of its lane: lanes are processed in groups whose tables
   have about TABLES numbers. */
agn_status agni_run_points(const agn_kernel_call *c, int64_t room, agni_job *fill, agni_job *job)
{
    agni_sequence q = {
        .c = c, .n = c->ints[AGNI_SEQ_POINTS], .dims = c->ints[AGNI_SEQ_DIMS], .room = room};
    int64_t lanes = 1;
    for (int d = 0; d < c->in[0].ndim - 1; d++)
        lanes *= c->in[0].shape[d];
    if (!lanes || !q.n)
        return AGN_OK;
    int64_t together = TABLES / room < 1 ? 1 : TABLES / room < lanes ? TABLES / room : lanes;
    size_t bytes = (size_t)(together * room) * sizeof *q.table;
    if (!(q.table = agni_alloc(bytes)))
        return agni_nomem(c->op, bytes);
    q.jobs = (q.n + AGNI_SEQ_GRAIN - 1) / AGNI_SEQ_GRAIN;
    for (; q.from < lanes; q.from += together) {
        int64_t now = lanes - q.from < together ? lanes - q.from : together;
        if (c->ints[AGNI_SEQ_SCRAMBLE] || !q.from) /* without a scramble all lanes have one table */
            agni_parallel_for(now, fill, &q);
        agni_parallel_for(now * q.jobs, job, &q);
    }
    agni_free(q.table);
    return AGN_OK;
}

/* ---- op records ------------------------------------------------------------------------------ */

static agni_slots slots_sobol, slots_halton;
#define POINTS_OF(name_) \
    .name = #name_, .takes = "key dtype:d first:i scramble:b points:i dimensions:i", \
    .cls = AGNI_RANDOM, .nin = 1, .nout = 1, .dtypes = AGNI_FLOATS, .ew = -1, \
    .infer = agni_infer_##name_, .cpu = agni_cpu_##name_, .contiguous = true, \
    .batch = agni_batch_front, .slots = &slots_##name_
const agni_op agni_op_sobol = {POINTS_OF(sobol), .doc = "points of the Sobol sequence"};
const agni_op agni_op_halton = {POINTS_OF(halton), .doc = "points of the Halton sequence"};

/* ---- public functions ------------------------------------------------------------------------ */

/* without a key there is no scramble; the op gets a key that it does not use */
static agn_status apply_sequence(agn_tensor **out, const agni_op *op, const agn_tensor *key,
                                 agn_dtype dtype, int64_t first, int64_t n, int64_t dims)
{
    int64_t none[2] = {0, 0}, at[5] = {dtype, first, key != NULL, n, dims};
    agn_tensor *any = NULL;
    agn_status st = key ? AGN_OK : agn_from_host(&any, AGN_I64, 1, (int64_t[]){2}, none);
    if (!st)
        st = agni_apply_public(out, op, &(agni_attr){.ni = 5, .i = at}, 1,
                         (const agn_tensor *[]){key ? key : any});
    agn_release(any);
    return st;
}

agn_status agn_sobol(agn_tensor **out, const agn_tensor *key, agn_dtype dtype, int64_t first,
                     int64_t n, int64_t dims)
{
    return apply_sequence(out, &agni_op_sobol, key, dtype, first, n, dims);
}

agn_status agn_halton(agn_tensor **out, const agn_tensor *key, agn_dtype dtype, int64_t first,
                      int64_t n, int64_t dims)
{
    return apply_sequence(out, &agni_op_halton, key, dtype, first, n, dims);
}

/* (permutation + u) / n in every dimension, cut to the bits of the dtype: below 1 */
agn_status agn_latin_hypercube(agn_tensor **out, const agn_tensor *key, agn_dtype dtype, int64_t n,
                               int64_t dims)
{
    const int64_t shape[2] = {n, dims};
    if (!out || !key)
        return agni_fail(AGN_ENULL, "latin_hypercube: %s is NULL", out ? "key" : "out");
    if (dtype != AGN_F32 && dtype != AGN_F64)
        return agni_fail(AGN_EDTYPE, "latin_hypercube: dtype is %s, f32 or f64 is needed",
                         agn_dtype_name(dtype));
    if (n < 0 || dims < 0)
        return agni_fail(AGN_EARG, "latin_hypercube: %lld points of %lld dimensions", (long long)n,
                         (long long)dims);
    double bits = dtype == AGN_F32 ? 0x1p24 : 0x1p53;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *place = ag_random_permutation(s, ag_key_split(s, key, dims), n);
    const agn_tensor *u = ag_uniform(s, key, AGN_F64, 2, shape);
    const agn_tensor *x = ag_add(s, agni_move_axis(s, place, -1, -2), u);
    x = ag_floor(s, ag_mul_c(s, x, bits / (double)n));
    x = ag_mul_c(s, ag_minimum(s, x, ag_lit(s, bits - 1)), 1 / bits);
    return agni_return("latin_hypercube", s, out, agni_cast(s, x, dtype));
}
