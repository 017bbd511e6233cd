/* geometric/blocks/run_blocks.c - evaluation of graph_messages: for each block of edges, in the
   order of the destinations, rows of operands are gathered, a plan of the body runs, its rows are
   added where they belong. */
#include "geometric/blocks/edge_blocks.h"

#include "tensor/value/tensor.h"

#include <string.h>

enum { PARALLEL_BYTES = 1 << 20 }; /* fewer move sooner than another thread wakes */

/* One operand or result of blocks of one size. */
typedef struct block_slot {
    agn_tensor *block; /* what the plan sees: a buffer, or a view that is moved along */
    char *all;         /* the rows of all nodes or edges */
    int64_t row;       /* bytes of one */
    bool direct;       /* blocks lie in all as they are */
} block_slot;

typedef struct block_run {
    const agni_block_form *f;
    const agni_plan *p;
    const agni_incidence *t;
    int64_t *at[3]; /* of each edge of a block: its nodes, its number */
    int64_t from, n; /* the first edge, how many */
    block_slot *slot; /* [nin + nout] */
    const agn_tensor **in;
    void **data;
} block_run;

/* ---- rows ----------------------------------------------------------------------------------- */

static void locate_edges(block_run *r)
{
    const agn_graph *g = r->f->b->g;
    for (int64_t k = 0; k < r->n; k++) {
        int64_t e = r->from + k, id = r->t->in_order ? e : agni_read_index(r->t->edge, g->wide, e);
        r->at[AGN_GRAPH_SRC][k] = agni_read_index(r->t->other, g->wide, e);
        r->at[AGN_GRAPH_DST][k] = agni_graph_end(g, AGN_GRAPH_DST, id);
        r->at[AGN_GRAPH_EDGE][k] = id;
    }
}

typedef struct row_job {
    const int64_t *at;
    const char *from;
    char *to;
    int64_t row, n, shares, dtype, target;
    const block_run *r;
} row_job;

static void gather_share(void *user, int64_t k, int worker)
{
    const row_job *q = user;
    int64_t lo = q->n * k / q->shares, hi = q->n * (k + 1) / q->shares;
    (void)worker;
    for (int64_t i = lo; i < hi; i++)
        memcpy(q->to + i * q->row, q->from + q->at[i] * q->row, (size_t)q->row);
}
static void scatter_share(void *user, int64_t k, int worker)
{
    const row_job *q = user;
    int64_t lo = q->n * k / q->shares, hi = q->n * (k + 1) / q->shares;
    (void)worker;
    for (int64_t i = lo; i < hi; i++)
        memcpy(q->to + q->at[i] * q->row, q->from + i * q->row, (size_t)q->row);
}

/* Elements [lo, hi) of each row are added by one share, in the order of the edges. */
#define REDUCE_ROWS(T, name) \
    static void add_rows_##name(const row_job *q, int64_t lo, int64_t hi) \
    { \
        int64_t w = q->row / (int64_t)sizeof(T); \
        for (int64_t i = 0; i < q->n; i++) { \
            T *restrict y = (T *)(void *)q->to + q->at[i] * w; \
            const T *restrict x = (const T *)(const void *)q->from + i * w; \
            for (int64_t j = lo; j < hi; j++) \
                y[j] += x[j]; \
        } \
    }
/* the first edge of a node begins its extreme; NaN wins */
#define EXTREME_ROWS(T, name) \
    static void choose_rows_##name(const row_job *q, int64_t lo, int64_t hi) \
    { \
        int64_t w = q->row / (int64_t)sizeof(T); \
        bool largest = q->target == AGNI_LARGEST, wide = q->r->f->b->g->wide; \
        for (int64_t i = 0; i < q->n; i++) { \
            T *y = (T *)(void *)q->to + q->at[i] * w; \
            const T *x = (const T *)(const void *)q->from + i * w; \
            bool first = agni_read_index(q->r->t->begin, wide, q->at[i]) == q->r->from + i; \
            for (int64_t j = lo; j < hi; j++) { \
                bool better = largest ? x[j] > y[j] : x[j] < y[j]; \
                y[j] = first || better || x[j] != x[j] ? x[j] : y[j]; \
            } \
        } \
    }
REDUCE_ROWS(float, f32)
REDUCE_ROWS(double, f64)
REDUCE_ROWS(int32_t, i32)
REDUCE_ROWS(int64_t, i64)
EXTREME_ROWS(float, f32)
EXTREME_ROWS(double, f64)
EXTREME_ROWS(int32_t, i32)
EXTREME_ROWS(int64_t, i64)

static void reduce_share(void *user, int64_t k, int worker)
{
    const row_job *q = user;
    int dtype = (int)q->dtype;
    bool parts = dtype == AGN_C64 || dtype == AGN_C128;
    int64_t w = q->row / (parts ? agni_dtypes[dtype].bytes / 2 : agni_dtypes[dtype].bytes);
    int64_t lo = w * k / q->shares, hi = w * (k + 1) / q->shares;
    (void)worker;
    bool extreme = agni_is_extreme_target(q->target);
    switch (dtype) {
    case AGN_F32:
    case AGN_C64: (extreme ? choose_rows_f32 : add_rows_f32)(q, lo, hi); break;
    case AGN_F64:
    case AGN_C128: (extreme ? choose_rows_f64 : add_rows_f64)(q, lo, hi); break;
    case AGN_I32: (extreme ? choose_rows_i32 : add_rows_i32)(q, lo, hi); break;
    default: (extreme ? choose_rows_i64 : add_rows_i64)(q, lo, hi);
    }
}

static void share_rows(row_job *q, agni_job *job, int64_t least)
{
    int64_t bytes = q->n * q->row, most = agni_parallel_width();
    q->shares = bytes < PARALLEL_BYTES || q->row < least ? 1 : most;
    if (q->shares == 1)
        job(q, 0, 0);
    else
        agni_parallel_for(q->shares, job, q);
}

/* ---- one block ------------------------------------------------------------------------------ */

static void read_operands(block_run *r)
{
    const agni_block_form *f = r->f;
    for (int i = 0; i < f->rows; i++) {
        block_slot *s = &r->slot[i];
        row_job q = {r->at[f->side[i]], s->all, s->block->data, s->row, r->n, 1, 0, 0, r};
        if (s->direct)
            s->block->data = s->all + r->from * s->row;
        else if (s->row)
            share_rows(&q, gather_share, 0);
    }
}

static void place_results(block_run *r)
{
    for (int o = 0; o < r->f->nout; o++) {
        block_slot *s = &r->slot[r->f->nin + o];
        r->data[o] = s->direct ? s->all + r->from * s->row : s->block->data;
    }
}

static void reduce_results(block_run *r)
{
    const agni_block_form *f = r->f;
    for (int o = 0; o < f->nout; o++) {
        block_slot *s = &r->slot[f->nin + o];
        int lent = r->p->lent[o];
        const void *from = lent >= 0 ? r->in[lent]->data : r->data[o];
        int64_t target = f->target[o];
        bool extreme = agni_is_extreme_target(target);
        if (!s->row)
            continue;
        if (s->direct) {
            if (lent >= 0)
                memcpy(r->data[o], from, (size_t)(s->row * r->n));
            continue;
        }
        row_job q = {r->at[extreme                ? AGN_GRAPH_DST
                           : target == AGNI_WHOLE ? AGN_GRAPH_EDGE
                                                  : target],
                     from,
                     s->all,
                     s->row,
                     r->n,
                     1,
                     r->p->out[o]->dtype,
                     target,
                     r};
        if (target == AGN_GRAPH_EDGE) {
            share_rows(&q, scatter_share, 0);
        } else if (target == AGNI_WHOLE) { /* one row, at 0 */
            q.at = (const int64_t[]){0};
            q.n = 1;
            share_rows(&q, reduce_share, 1 << 12);
        } else {
            share_rows(&q, reduce_share, 128);
        }
    }
}

/* ---- all of them ---------------------------------------------------------------------------- */

static agn_status open_slots(block_run *r, int64_t rows, agn_tensor *const *x,
                             agn_tensor *const *out)
{
    const agni_block_form *f = r->f;
    bool in_order = r->t->in_order;
    agn_status st = AGN_OK;
    for (int i = 0; !st && i < f->nin + f->nout; i++) {
        block_slot *s = &r->slot[i];
        int o = i - f->nin;
        const agn_tensor *all = o < 0 ? x[i] : out[o],
                         *like = o < 0 ? r->f->b->at[0].p->val[i] : r->p->out[o];
        bool whole = o < 0 ? i >= f->rows : f->target[o] == AGNI_WHOLE;
        int64_t place = o < 0 ? (whole ? AGNI_WHOLE : f->side[i]) : f->target[o],
                shape[AGNI_MAX_RANK];
        *s = (block_slot){.all = all->data, .direct = place == AGN_GRAPH_EDGE && in_order};
        if (o < 0 && whole) {
            s->block = agni_tensor_ref(all);
        } else {
            memcpy(shape, like->shape, (size_t)like->ndim * sizeof *shape);
            if (!whole)
                shape[0] = rows;
            s->row = agni_dtypes[all->dtype].bytes;
            for (int d = !whole; d < like->ndim; d++)
                s->row *= shape[d];
            if (s->direct) /* moved along; of results only its place is asked for */
                st = agni_tensor_view(&s->block, all, like->ndim, shape, all->stride, 0);
            else
                st = agni_tensor_make(&s->block, "graph_messages", like->dtype, like->ndim, shape,
                                      AGN_CPU);
        }
        if (!st && o < 0)
            r->in[i] = s->block;
    }
    return st;
}

/* the plan of program k */
static agn_status plan_blocks(agni_plan **out, agni_edge_blocks *b, int k, int n_held)
{
    agni_plan *p = atomic_load(&b->at[k].plan), *none = NULL;
    if (!p) {
        agni_prog *body = b->at[k].p;
        agni_obj_retain(&body->head);
        agn_status st = agni_plan_make(
            &p, body,
            (agni_plan_options){.tiles = b->exact != AGNI_BLOCKS_BY_KERNELS,
                                .simplify = b->exact == AGNI_BLOCKS_FREE,
                                .lend = true,
                                .n_held = n_held});
        if (st) {
            agni_prog_release(body);
            return st;
        }
        if (!atomic_compare_exchange_strong(&b->at[k].plan, &none, p)) { /* another thread was faster */
            agni_plan_release(p);
            p = none;
        }
    }
    *out = p;
    return AGN_OK;
}

/* the blocks of program k */
static agn_status run_program(block_run *r, int k, agn_tensor *const *x, agn_tensor *const *out)
{
    agni_edge_blocks *b = (agni_edge_blocks *)(uintptr_t)r->f->b;
    int n = r->f->nin + r->f->nout;
    agni_plan *p = NULL;
    agni_workspace *w = NULL;
    agn_status st = plan_blocks(&p, b, k, r->f->nin - r->f->rows);
    st = st ? st : agni_plan_enter(p, &w);
    if (st)
        return st;
    r->p = p;
    r->n = b->at[k].rows;
    st = open_slots(r, r->n, x, out);
    for (int64_t j = 0; !st && j < b->at[k].count; j++) {
        locate_edges(r);
        read_operands(r);
        place_results(r);
        st = agni_plan_run(p, w, r->in, r->data);
        if (!st)
            reduce_results(r);
        r->from += r->n;
        if (!st && agni_check_interrupt())
            st = agni_fail(AGN_ECANCELLED, "graph_messages: stopped at edge %lld of %lld",
                           (long long)r->from, (long long)b->g->edges);
    }
    for (int i = 0; i < n; i++) {
        agn_release(r->slot[i].block);
        r->slot[i].block = NULL;
    }
    agni_plan_leave(p, w);
    return st;
}

static agn_status check_operands(const agni_call *c)
{
    for (int i = 0; i < c->nin; i++)
        if (!c->in[i]->st || c->in[i]->layout != AGN_DENSE ||
            agni_tensor_device(c->in[i]) != AGN_CPU)
            return agni_fail(AGN_EUNSUPPORTED,
                             "%s: argument %d is %s, dense values on the host are needed",
                             c->op->name, i, AGNI_SHAPE(c->in[i]));
    return AGN_OK;
}

/* out[o]: NULL, or where an enclosing plan wants the result */
agn_status agni_run_blocks(const agni_call *c, agn_tensor **out)
{
    agni_block_form f = agni_read_block_form(c->at, c->nin, c->nout);
    int n = c->nin + c->nout;
    block_run r = {.f = &f};
    agn_tensor **x = agni_zalloc((size_t)(n + 1) * sizeof *x), **y = x ? x + c->nin : NULL;
    r.slot = agni_zalloc((size_t)(n + 1) * sizeof *r.slot);
    r.in = agni_zalloc((size_t)(n + 1) * sizeof *r.in);
    r.data = agni_zalloc((size_t)(n + 1) * sizeof *r.data);
    int64_t most = f.b->at[0].rows;
    int64_t *at = agni_alloc((size_t)(3 * most + 1) * sizeof *at);
    agn_status st = check_operands(c);
    if (!st && (!x || !r.slot || !r.in || !r.data || !at))
        st = agni_nomem(c->op->name, (size_t)n * sizeof *x);
    if (!st && !(r.t = agni_graph_incidence(f.b->g, AGN_GRAPH_DST)))
        st = agni_nomem(c->op->name, (size_t)f.b->g->edges * 2 * sizeof(int64_t));
    for (int k = 0; k < 3; k++)
        r.at[k] = at ? at + k * most : NULL;
    for (int i = 0; !st && i < c->nin; i++)
        st = agn_contiguous(&x[i], c->in[i]);
    for (int o = 0; !st && o < c->nout; o++) {
        if (out[o] && agni_is_contiguous(out[o]))
            y[o] = agni_tensor_ref(out[o]);
        else
            st = agni_tensor_make(&y[o], c->op->name, c->meta[o].dtype, c->meta[o].ndim,
                                  c->meta[o].shape, AGN_CPU);
        if (!st && f.target[o] != AGN_GRAPH_EDGE && y[o]->size)
            memset(y[o]->data, 0, (size_t)agni_tensor_bytes(y[o]));
    }
    for (int k = 0; !st && k < f.b->n; k++)
        if (f.b->at[k].count)
            st = run_program(&r, k, x, y);
    for (int o = 0; !st && o < c->nout; o++)
        if (out[o] != y[o])
            out[o] = agni_tensor_ref(y[o]);
    for (int i = 0; x && i < n; i++)
        agn_release(x[i]);
    agni_free(x);
    agni_free(r.slot);
    agni_free(r.in);
    agni_free(r.data);
    agni_free(at);
    return st;
}
