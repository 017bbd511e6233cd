/* tensor/reduce/compensated_sum.c - compensated summation over the last axis: the rounding
   errors of the additions are summed separately, so that the error does not grow with the number
   of elements (Neumaier 1974; with TwoSum and in any order: Ogita, Rump & Oishi 2005, algorithm
   4.4). */
#include "config.h"

#include "core/device/cpu_level.h"
#include "tensor/reduce/cpu/compensated_sum.h"
#include "tensor/reduce/reduce.h"

#include <agnesi/ag.h>
#include <math.h>
#include <string.h>

enum { BLOCK = 1 << 14 };

static agni_sum2_fn *find_kernel(int dtype)
{
    bool wide = dtype == AGN_F64;
    switch (agni_cpu_level()) {
#ifdef AGNI_HAVE_AVX512
    case AGNI_CPU_AVX512:
        return agni_sum2_avx512[wide];
#endif
#ifdef AGNI_HAVE_AVX2
    case AGNI_CPU_AVX2:
        return agni_sum2_avx2[wide];
#endif
    default:
        return agni_sum2_base[wide];
    }
}

/* Rows of n numbers, a row of complex ones being two interleaved ones. A long row is cut into
   blocks, whose number depends on n alone: threads change no bit. */
typedef struct sum_job {
    agni_sum2_fn *run;
    const char *x;
    agni_sum2 *y; /* [row][block] */
    int64_t n, step, bytes, blocks, group, jobs;
} sum_job;

static void sum_group(void *user, int64_t job, int worker)
{
    const sum_job *q = user;
    (void)worker;
    for (int64_t i = job * q->group; i < (job + 1) * q->group && i < q->jobs; i++) {
        int64_t row = i / q->blocks, first = i % q->blocks * BLOCK;
        int64_t n = q->n - first < BLOCK ? q->n - first : BLOCK;
        int64_t at = (row / q->step * q->n + first) * q->step + row % q->step;
        q->y[i] = (agni_sum2){0, 0};
        q->run(&q->y[i], q->x + at * q->bytes, n, q->step);
    }
}

/* where overflow or NaN makes the correction meaningless, the plain sum */
static double combine_blocks(const agni_sum2 *part, int64_t n)
{
    agni_sum2 y = {0, 0};
    for (int64_t i = 0; i < n; i++)
        agni_sum2_add(&y, part[i].sum, part[i].rest);
    return isfinite(y.sum + y.rest) ? y.sum + y.rest : y.sum;
}

static agn_status cpu_sum_compensated(const agn_kernel_call *c)
{
    const agn_array *x = c->in;
    int real = agni_dtypes[x->dtype].real;
    sum_job q = {.run = find_kernel(real),
                 .x = x->data,
                 .step = real == x->dtype ? 1 : 2,
                 .n = x->shape[x->ndim - 1],
                 .bytes = agni_dtypes[real].bytes};
    int64_t many = q.step;
    for (int d = 0; d < x->ndim - 1; d++)
        many *= x->shape[d];
    q.blocks = q.n ? (q.n + BLOCK - 1) / BLOCK : 1;
    q.jobs = many * q.blocks;
    q.group = q.n < BLOCK ? BLOCK / (q.n + 1) + 1 : 1;
    if (!(q.y = agni_alloc((size_t)q.jobs * sizeof *q.y)))
        return agni_nomem(c->op, (size_t)q.jobs * sizeof *q.y);
    int64_t groups = (q.jobs + q.group - 1) / q.group;
    if (groups < 4)
        for (int64_t g = 0; g < groups; g++)
            sum_group(&q, g, 0);
    else
        agni_parallel_for(groups, sum_group, &q);
    for (int64_t i = 0; i < many; i++) {
        double v = combine_blocks(q.y + i * q.blocks, q.blocks);
        if (real == AGN_F64)
            ((double *)c->out[0].data)[i] = v;
        else
            ((float *)c->out[0].data)[i] = (float)v;
    }
    agni_free(q.y);
    return AGN_OK;
}

/* ---- op record ------------------------------------------------------------------------------ */

static agn_status infer_last(agni_call *c)
{
    const agn_tensor *x = c->in[0];
    if (x->ndim < 1)
        return agni_fail(AGN_ESHAPE, "%s: x has no axis", c->op->name);
    c->meta->dtype = x->dtype;
    c->meta->ndim = x->ndim - 1;
    memcpy(c->meta->shape, x->shape, (size_t)(x->ndim - 1) * sizeof *x->shape);
    return AGN_OK;
}

static const agn_tensor *repeat_last(agn_scope *s, const agni_rule *r, int i, const agn_tensor *g)
{
    (void)i;
    return ag_broadcast_to(s, ag_expand_dims(s, g, -1), r->x[0]->ndim, r->x[0]->shape);
}

static agni_slots slots;
const agni_op agni_op_sum_compensated = {.name = "sum_compensated",
                                         .takes = "x",
                                         .cls = AGNI_LINEAR,
                                         .nin = 1,
                                         .nout = 1,
                                         .dtypes = AGNI_FIELDS,
                                         .diff = 1,
                                         .promote = 1,
                                         .result = AGNI_OUT_SAME,
                                         .ew = -1,
                                         .bounded = 1,
                                         .zeros = AGNI_ZEROS_JOINED,
                                         .infer = infer_last,
                                         .cpu = cpu_sum_compensated,
                                         .contiguous = true,
                                         .transpose = repeat_last,
                                         .batch = agni_batch_front,
                                         .slots = &slots,
                                         .lo = -3,
                                         .hi = 3,
                                         .doc = "sum over the last axis, compensated"};

agn_status agn_sum_compensated(agn_tensor **out, const agn_tensor *x, const int32_t *axes,
                               int32_t n, bool keep)
{
    AGNI_NEED("sum_compensated", out);
    int64_t a[AGNI_MAX_RANK], shape[AGNI_MAX_RANK];
    int count, ndim;
    agn_status st = agni_normalise_axes("sum_compensated", x, axes, n, a, &count);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y;
    if (agni_kind(x->dtype) <= AGNI_KIND_INT) /* integers lose nothing */
        y = agni_sum_axes(s, agni_bools_to_ints(s, x), count, a, keep);
    else {
        y = agni_merge_axes_last(s, x, count, a, keep, &ndim, shape);
        y = y ? agni_apply_in(s, &agni_op_sum_compensated, NULL, 1, &y) : NULL;
        y = y ? agni_reshape(s, y, ndim, shape) : NULL;
    }
    return agni_return("sum_compensated", s, out, y);
}
