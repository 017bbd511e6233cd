/* tensor/reduce/softmax.c - softmax along an axis, exp(x - max) / sum exp(x - max). Attribute:
   axis. It is a primitive because the composition would stream through memory ten times. */
#include "tensor/cpu/level_dispatch.h"
#include "tensor/reduce/cpu/softmax.h"
#include "tensor/reduce/reduce.h"

#include <agnesi/ag.h>

typedef struct softmax_job {
    const agni_vsoftmax *f;
    const char *x;
    char *y;
    int64_t bytes;
    /* for blocks of rows over threads: */
    agni_axis_lanes l;
    int64_t blocks, tiles;
    char *part, *top, *sum; /* [outer, blocks, inner], [outer, inner] twice */
} softmax_job;

static void softmax_slab(void *user, const agni_axis_lanes *l, int64_t o, int64_t lo, int64_t hi)
{
    const softmax_job *q = user;
    int64_t at = (o * l->n * l->inner + lo) * q->bytes;
    q->f->whole(q->y + at, q->x + at, l->n, l->inner, hi - lo);
}

/* ---- few wide slabs of many rows ------------------------------------------------------------

   Threads share blocks of rows, each of which passes as one stream. Every second pass goes
   backwards: it begins with what is still in a cache. */

typedef struct tile_position {
    int64_t x, part, lane; /* bytes from the beginnings */
    int64_t rows, cols;
} tile_position;
static tile_position find_tile(const softmax_job *q, int64_t job)
{
    const agni_axis_lanes *l = &q->l;
    int64_t col = job % q->tiles * AGNI_SOFTMAX_TILE, block = job / q->tiles % q->blocks;
    int64_t o = job / q->tiles / q->blocks, row = block * AGNI_SOFTMAX_ROWS;
    tile_position s = {((o * l->n + row) * l->inner + col) * q->bytes,
                       ((o * q->blocks + block) * l->inner + col) * q->bytes,
                       (o * l->inner + col) * q->bytes, l->n - row, l->inner - col};
    s.rows = s.rows < AGNI_SOFTMAX_ROWS ? s.rows : AGNI_SOFTMAX_ROWS;
    s.cols = s.cols < AGNI_SOFTMAX_TILE ? s.cols : AGNI_SOFTMAX_TILE;
    return s;
}

static int64_t count_jobs(const softmax_job *q)
{
    return q->l.outer * q->blocks * q->tiles;
}

static void max_of_tile(void *user, int64_t job, int worker)
{
    const softmax_job *q = user;
    tile_position s = find_tile(q, job);
    (void)worker;
    q->f->column_max(q->part + s.part, q->x + s.x, s.rows, q->l.inner, s.cols);
}

static void exp_of_tile(void *user, int64_t job, int worker)
{
    const softmax_job *q = user;
    tile_position s = find_tile(q, count_jobs(q) - 1 - job);
    (void)worker;
    q->f->exp_and_sum(q->part + s.part, q->y + s.x, q->x + s.x, q->top + s.lane, s.rows, q->l.inner,
                      s.cols);
}

static void divide_tile(void *user, int64_t job, int worker)
{
    const softmax_job *q = user;
    tile_position s = find_tile(q, job);
    (void)worker;
    q->f->divide_columns(q->y + s.x, q->sum + s.lane, s.rows, q->l.inner, s.cols);
}

static agn_status softmax_by_row_blocks(softmax_job *q)
{
    const agni_axis_lanes *l = &q->l;
    int64_t row = l->inner * q->bytes;
    size_t room = (size_t)(l->outer * (q->blocks + 2) * row);
    if (!(q->part = agni_alloc(room)))
        return agni_nomem("softmax", room);
    q->top = q->part + l->outer * q->blocks * row;
    q->sum = q->top + l->outer * row;
    agni_parallel_for(count_jobs(q), max_of_tile, q);
    for (int64_t o = 0; o < l->outer; o++)
        q->f->column_max(q->top + o * row, q->part + o * q->blocks * row, q->blocks, l->inner,
                         l->inner);
    agni_parallel_for(count_jobs(q), exp_of_tile, q);
    for (int64_t o = 0; o < l->outer; o++)
        q->f->add_parts(q->sum + o * row, q->part + o * q->blocks * row, q->blocks, l->inner,
                        l->inner);
    agni_parallel_for(count_jobs(q), divide_tile, q);
    agni_free(q->part);
    return AGN_OK;
}

static agn_status cpu_softmax(const agn_kernel_call *c)
{
    enum { SLABS = 64, LARGE = 1 << 18 }; /* numbers that caches do not hold */
    int dtype = c->in[0].dtype;
    softmax_job q = {
        .f = &agni_simd_kernels_get()->softmax[dtype == AGN_F64 ? AGNI_SIMD_F64 : AGNI_SIMD_F32],
        .x = c->in[0].data,
        .y = c->out[0].data,
        .bytes = agni_dtypes[dtype].bytes,
        .l = agni_find_lanes(c->in, c->ints[0])};
    const agni_axis_lanes *l = &q.l;
    q.tiles = (l->inner + AGNI_SOFTMAX_TILE - 1) / AGNI_SOFTMAX_TILE;
    q.blocks = (l->n + AGNI_SOFTMAX_ROWS - 1) / AGNI_SOFTMAX_ROWS;
    int64_t slabs = l->outer * q.tiles;
    if (l->inner > 1 && q.blocks > 1 && slabs < SLABS && slabs && l->n > LARGE / l->inner)
        return softmax_by_row_blocks(&q);
    /* whole rows stream best, but each thread needs some columns; the result of a column does not
       depend on the others */
    int64_t tile = AGNI_SOFTMAX_TILE, width = agni_parallel_width();
    while (tile > AGNI_SOFTMAX_TILE / 8 && l->outer * ((l->inner + tile - 1) / tile) < width)
        tile /= 2;
    agni_for_each_slab(l, tile, softmax_slab, &q);
    return AGN_OK;
}

/* y (t - sum(y t)), with 0 times any t = 0 */
static void jvp_softmax(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                        const agn_tensor **ty)
{
    const agn_tensor *w = ag_mulz(s, r->y[0], t[0]);
    ty[0] = ag_sub(s, w, ag_mul(s, r->y[0], agni_sum_axes(s, w, 1, r->at->i, true)));
}

/* for devices without a kernel */
static agn_status eval_softmax(const agni_call *c, agn_tensor **out)
{
    int32_t axis = (int32_t)c->at->i[0];
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_detach_node(s, c->op->name, c->in[0]);
    if (x && x->shape[axis + x->ndim])
        x = ag_exp(s, ag_sub(s, x, ag_amax(s, x, &axis, 1, true)));
    return agni_return(c->op->name, s, out, x ? ag_div(s, x, ag_sum(s, x, &axis, 1, true)) : x);
}

static agni_slots slots;
const agni_op agni_op_softmax = {.name = "softmax",
                                 .takes = "x axis:a",
                                 .cls = AGNI_SOLVE,
                                 .nin = 1,
                                 .nout = 1,
                                 .dtypes = AGNI_FLOATS,
                                 .diff = 1,
                                 .promote = 1,
                                 .result = AGNI_OUT_SAME,
                                 .ew = -1,
                                 .infer = agni_infer_same,
                                 .cpu = cpu_softmax,
                                 .eval = eval_softmax,
                                 .contiguous = true,
                                 .jvp = jvp_softmax,
                                 .batch = agni_batch_front,
                                 .slots = &slots,
                                 .lo = -3,
                                 .hi = 3,
                                 .zeros = AGNI_ZEROS_ABSENT, .doc = "exponentials over their sum"};
