/* geometric/blocks/run_blocks.c - evaluation of graph_messages: for each block of edges, in the
   order of the destinations, rows of operands are gathered, a plan of the body runs, its rows are
   added where they belong. Threads take whole blocks; a result takes them in their order (a
   pipeline whose stages are the results), so that sums are the same for any number of threads. */
#include "geometric/blocks/reduce_blocks.h"

#include "tensor/dispatch/host_run.h"
#include "tensor/value/tensor.h"

#include <sched.h>
#include <string.h>

/* ---- a lane: the block of one thread --------------------------------------------------------- */

static agn_status open_slots(agni_block_lane *r, int64_t rows, agn_tensor *const *x,
                             agn_tensor *const *out)
{
    const agni_block_form *f = r->f;
    bool in_order = r->t->in_order;
    agn_status st = AGN_OK;
    for (int i = 0; !st && i < f->nin + f->nout; i++) {
        agni_block_slot *s = &r->slot[i];
        int o = i - f->nin;
        const agn_tensor *all = o < 0 ? x[i] : out[o],
                         *like = o < 0 ? r->f->b->at[0].p->val[i] : r->p->out[o];
        bool whole = o < 0 ? i >= f->rows : f->target[o] == AGNI_WHOLE;
        int64_t place = o < 0 ? (whole ? AGNI_WHOLE : f->side[i]) : f->target[o],
                shape[AGNI_MAX_RANK];
        *s = (agni_block_slot){.all = all->data, .direct = place == AGN_GRAPH_EDGE && in_order};
        if (o < 0 && whole) {
            s->block = agni_tensor_ref(all);
        } else {
            memcpy(shape, like->shape, (size_t)like->ndim * sizeof *shape);
            if (!whole)
                shape[0] = rows;
            s->row = agni_dtypes[all->dtype].bytes;
            for (int d = !whole; d < like->ndim; d++)
                s->row *= shape[d];
            if (o < 0 && !agni_reads_argument(r->f->b->at[0].p, i))
                s->row = 0; /* nothing is gathered for it */
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

/* keep: the plan runs again, and its memory stays with it */
static void close_lane(agni_block_lane *r, agni_plan *p, bool keep)
{
    for (int i = 0; r->slot && i < r->f->nin + r->f->nout; i++)
        agn_release(r->slot[i].block);
    if (keep)
        agni_plan_leave(p, r->w);
    else if (r->w)
        agni_workspace_free(r->w);
    agni_free(r->slot);
    agni_free(r->in);
    agni_free(r->data);
    agni_free(r->at[0]);
    agni_free(r->first);
}

/* of blocks of so many edges; closed by the caller also after a failure */
static agn_status open_lane(agni_block_lane *r, agni_plan *p, int64_t rows, agn_tensor *const *x,
                            agn_tensor *const *out)
{
    size_t n = (size_t)(r->f->nin + r->f->nout) + 1;
    r->p = p;
    r->n = rows;
    r->slot = agni_zalloc(n * sizeof *r->slot);
    r->in = agni_zalloc(n * sizeof *r->in);
    r->data = agni_zalloc(n * sizeof *r->data);
    r->at[0] = agni_alloc((size_t)(3 * rows + 1) * sizeof *r->at[0]);
    r->first = agni_alloc((size_t)rows + 1);
    if (!r->slot || !r->in || !r->data || !r->at[0] || !r->first)
        return agni_nomem("graph_messages",
                          n * sizeof *r->slot + (size_t)rows * 3 * sizeof(int64_t));
    r->at[1] = r->at[0] + rows;
    r->at[2] = r->at[1] + rows;
    agn_status st = agni_plan_enter(p, &r->w);
    return st ? st : open_slots(r, rows, x, out);
}

/* rows of the results of a block, not reduced yet */
static agn_status evaluate_block(agni_block_lane *r, int64_t from)
{
    r->from = from;
    agni_locate_edges(r);
    agni_read_operands(r);
    agni_place_results(r);
    return agni_plan_run((agni_plan *)(uintptr_t)r->p, r->w, r->in, r->data);
}

/* ---- all of them ---------------------------------------------------------------------------- */

/* a result waits for its turn: for the blocks before */
typedef struct turn {
    atomic_llong block;
    char apart[56]; /* from the next on another line */
} turn;

typedef struct block_run {
    agni_block_lane *lane; /* by thread */
    turn *turn;            /* by result */
    int64_t from, count;   /* edge of block 0, how many blocks */
    atomic_llong next, failed; /* the block to take; the first that failed, count: none */
    atomic_bool stopped;
} block_run;

static void wait_for_turn(turn *t, int64_t j)
{
    enum { SPINS = 1 << 11 };
    for (int k = 0; atomic_load_explicit(&t->block, memory_order_acquire) != j; k++)
        if (k >= SPINS) /* its thread may need this CPU */
            sched_yield();
}

/* Whoever has the lowest block waits for nobody. Blocks behind one that failed are left out; those
   before it were taken before, so which is the first does not depend on threads. A lane meets one
   failure at most. */
static void run_lane(void *user, int64_t i, int worker)
{
    block_run *q = user;
    agni_block_lane *r = &q->lane[i];
    for (int64_t j; (j = atomic_fetch_add(&q->next, 1)) < q->count;) {
        bool on = !r->status && !atomic_load(&q->stopped) && j < atomic_load(&q->failed);
        if (on && (r->status = evaluate_block(r, q->from + j * r->n))) {
            r->failed = j;
            long long least = atomic_load(&q->failed);
            while (j < least && !atomic_compare_exchange_weak(&q->failed, &least, j))
                ;
            on = false;
        }
        for (int o = 0; o < r->f->nout; o++) {
            wait_for_turn(&q->turn[o], j);
            if (on)
                agni_reduce_result(r, o);
            atomic_store_explicit(&q->turn[o].block, j + 1, memory_order_release);
        }
        if (worker == 0 && agni_check_interrupt())
            atomic_store(&q->stopped, true);
    }
}

/* what went wrong, told by the thread of the caller: messages are each thread's own */
static agn_status report_failure(block_run *q)
{
    int64_t j = atomic_load(&q->failed), edge = q->from + j * q->lane->n;
    if (j < q->count) {
        int64_t i = 0;
        while (!q->lane[i].status || q->lane[i].failed != j)
            i++;
        agn_status was = q->lane[i].status,
                   st = was == AGN_ECANCELLED ? AGN_OK : evaluate_block(q->lane, edge);
        return st ? st
                  : agni_fail(was, "graph_messages: stopped at the block from edge %lld on",
                              (long long)edge);
    }
    return atomic_load(&q->stopped)
               ? agni_fail(AGN_ECANCELLED, "graph_messages: stopped before edge %lld",
                           (long long)(q->from + q->count * q->lane->n))
               : AGN_OK;
}

/* the blocks of program k, from edge `from` on */
static agn_status run_program(const agni_block_lane *like, int k, int64_t from,
                              agn_tensor *const *x, agn_tensor *const *out)
{
    const agni_block_form *f = like->f;
    agni_edge_blocks *b = (agni_edge_blocks *)(uintptr_t)f->b;
    int64_t lanes = agni_parallel_width() < b->at[k].count ? agni_parallel_width() : b->at[k].count;
    agni_plan *p = NULL;
    agn_status st = plan_blocks(&p, b, k, f->nin - f->rows);
    if (st)
        return st;
    block_run q = {.lane = agni_zalloc((size_t)lanes * sizeof *q.lane),
                   .turn = agni_zalloc((size_t)(f->nout + 1) * sizeof *q.turn),
                   .from = from,
                   .count = b->at[k].count};
    if (!q.lane || !q.turn)
        st = agni_nomem("graph_messages", (size_t)lanes * sizeof *q.lane);
    atomic_init(&q.next, 0);
    atomic_init(&q.failed, q.count);
    atomic_init(&q.stopped, false);
    for (int o = 0; !st && o < f->nout; o++)
        atomic_init(&q.turn[o].block, 0);
    for (int64_t i = 0; !st && i < lanes; i++) {
        q.lane[i].f = f;
        q.lane[i].t = like->t;
        st = open_lane(&q.lane[i], p, b->at[k].rows, x, out);
    }
    if (!st) {
        agni_parallel_for(lanes, run_lane, &q);
        st = report_failure(&q);
    }
    bool keep = atomic_exchange(&b->at[k].ran, true); /* a call that is not planned runs once */
    for (int64_t i = 0; q.lane && i < lanes; i++)
        if (q.lane[i].f)
            close_lane(&q.lane[i], p, keep);
    agni_free(q.lane);
    agni_free(q.turn);
    return st;
}

/* the device of an operand, the host where there is none on another */
static int32_t device_of(const agni_call *c)
{
    for (int i = 0; i < c->nin; i++)
        if (agni_tensor_device(c->in[i]) != AGN_CPU)
            return agni_tensor_device(c->in[i]);
    return AGN_CPU;
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
    const int32_t device = device_of(c);
    const agni_host_row *row = device == AGN_CPU ? NULL : agni_find_host_row(c->op->name);
    if (row)
        return agni_run_on_host(c, row, device, out);
    agni_block_form f = agni_read_block_form(c->at, c->nin, c->nout);
    agni_block_lane like = {.f = &f};
    int n = c->nin + c->nout;
    int64_t from = 0;
    agn_tensor **x = agni_zalloc((size_t)(n + 1) * sizeof *x), **y = x ? x + c->nin : NULL;
    agn_status st = check_operands(c);
    if (!st && !x)
        st = agni_nomem(c->op->name, (size_t)n * sizeof *x);
    if (!st && !(like.t = agni_graph_incidence(f.b->g, AGN_GRAPH_DST)))
        st = agni_nomem(c->op->name, (size_t)f.b->g->edges * 2 * sizeof(int64_t));
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
        if (f.b->at[k].count) {
            st = run_program(&like, k, from, x, y);
            from += f.b->at[k].rows * f.b->at[k].count;
        }
    for (int o = 0; !st && o < c->nout; o++)
        if (out[o] != y[o])
            out[o] = agni_tensor_ref(y[o]);
    for (int i = 0; x && i < n; i++)
        agn_release(x[i]);
    agni_free(x);
    return st;
}
