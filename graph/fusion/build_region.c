/* graph/fusion/build_region.c - building a region: the nodes it computes, their schedule, tile
   buffers by live range, sizes of tiles and chunks. */
#include "graph/memory/free_list.h"
#include "graph/fusion/lower.h"

#include <stdlib.h>
#include <string.h>

/* ---- what the region computes ---------------------------------------------------------------- */

/* is v here although another region wrote it as an array before? then it is loaded */
static bool is_stored_earlier(const lowering *w, int32_t v)
{
    return w->c->stored[v] && w->c->stage[v] < w->r->stage &&
           value_tensor(w, v)->dtype == w->r->dtype;
}

static bool is_root(const lowering *w, int k)
{
    const agni_pnode *n = &w->ir->node[k];
    if (w->c->group[k] != w->r->group)
        return false;
    if (w->c->mode[k] == AGNI_REDUCE)
        return w->c->stage[n->val] == w->r->stage + 1;
    return w->c->mode[k] == AGNI_TILE && w->c->stored[n->val] &&
           w->c->stage[n->val] == w->r->stage;
}

static int mark_needed(lowering *w)
{
    int many = 0;
    for (int k = w->ir->n_node - 1; k >= 0; k--) {
        const agni_pnode *n = &w->ir->node[k];
        if (!w->need[k])
            w->need[k] = is_root(w, k);
        if (!w->need[k])
            continue;
        many++;
        for (int i = 0; i < n->nin; i++) {
            int32_t v = agni_node_arg(w->ir, n, i);
            int from = w->ir->val[v].node;
            if (from >= 0 && w->c->axis[v] >= 0 && w->c->group[from] == w->r->group &&
                !is_stored_earlier(w, v))
                w->need[from] = true;
        }
    }
    return many;
}

/* accumulators of sums over the batch; sums of such sums share one */
static void assign_accumulators(lowering *w)
{
    agni_region *r = w->r;
    for (int k = w->ir->n_node - 1; k >= 0 && !w->failed; k--) {
        const agni_pnode *n = &w->ir->node[k];
        if (!w->need[k] || w->c->mode[k] != AGNI_REDUCE)
            continue;
        if (w->acc[n->val] < 0) {
            int64_t size = value_tensor(w, n->val)->size;
            if (!agni_plan_allocate(w->p, n->val) ||
                !agni_lower_room(w, &r->result, &r->cap_result, r->n_result + 1,
                                 sizeof *r->result)) {
                w->failed = true;
                return;
            }
            w->acc[n->val] = r->acc;
            w->acc_root[n->val] = n->val;
            r->result[r->n_result++] = (agni_accumulator){agni_lower_array(w, n->val), r->acc,
                                                          size};
            r->acc += (size + 15) / 16 * 16;
        }
        if (n->op == &agni_op_matmul)
            w->terms[w->acc_root[n->val]]++;
        for (int i = 0; i < 2 && n->op == &agni_op_add; i++) {
            w->acc[agni_node_arg(w->ir, n, i)] = w->acc[n->val];
            w->acc_root[agni_node_arg(w->ir, n, i)] = w->acc_root[n->val];
        }
    }
}

/* ---- buffers --------------------------------------------------------------------------------- */

typedef struct live_range_context {
    agni_tile_buffer *buf;
    int32_t i;
} live_range_context;
static void extend_live_range(void *user, int32_t b, bool writes)
{
    const live_range_context *m = user;
    (void)writes;
    if (m->buf[b].first < 0)
        m->buf[b].first = m->i;
    m->buf[b].last = m->i;
}

static void assign_tile_buffers(agni_region *r)
{
    for (int32_t b = 0; b < r->n_buf; b++)
        r->buf[b].first = r->buf[b].last = -1;
    for (int32_t i = 0; i < r->n_in; i++)
        agni_tile_visit_buffers(r, &r->in[i], extend_live_range, &(live_range_context){r->buf, i});
    /* buffers by birth and by last use; each in a block that is free during its live range */
    agni_free_list g = {NULL, 0, 0};
    int32_t *born = agni_alloc(2 * (size_t)(r->n_in + 1) * sizeof *born), 
            *gone = born ? born + r->n_in : NULL;
    int32_t *next = agni_alloc(2 * (size_t)(r->n_buf + 1) * sizeof *next);
    bool ok = born && next;
    r->rows = 0;
    for (int32_t i = 0; ok && i < 2 * r->n_in; i++)
        born[i] = -1;
    for (int32_t b = 0; ok && b < r->n_buf; b++) {
        const agni_tile_buffer *q = &r->buf[b];
        if (q->first < 0 || !q->rows)
            continue;
        next[2 * b] = born[q->first];
        born[q->first] = b;
        next[2 * b + 1] = gone[q->last];
        gone[q->last] = b;
    }
    for (int32_t i = 0; ok && i < r->n_in; i++) {
        for (int32_t b = born[i]; b >= 0; b = next[2 * b])
            r->buf[b].place = (int32_t)agni_free_list_allocate(&g, r->buf[b].rows, &r->rows);
        for (int32_t b = gone[i]; ok && b >= 0; b = next[2 * b + 1])
            ok = agni_free_list_release(&g, r->buf[b].place, r->buf[b].rows);
    }
    r->rows = ok ? r->rows : -1;
    agni_free(g.p);
    agni_free(born);
    agni_free(next);
}

/* Lines of cache in a tile of at most T, so that a chunk of L is whole tiles with little beyond: a
   chunk may be longer, but long chunks are few. A multiple of eight lines would put the rows of a
   product in few sets of the first-level cache. */
static int64_t tile_lines(int64_t T, int64_t L, int64_t unit)
{
    const int64_t most = T < unit ? T : T / unit * unit;
    int64_t best = 0, beyond = 0;
    if (L <= T)
        return L + (L % 8 == 0);
    for (int64_t t = most; 3 * t > 2 * most; t -= unit) {
        int64_t more = (L + t - 1) / t * t - L;
        if (t % 8 != 0 && (!best || more < beyond)) {
            best = t;
            beyond = more;
        }
    }
    return best ? best : T + 1;
}

/* T: what is alive fits the second-level cache, but three cache lines at least, for products pay
   by the row, and six where that is not much more; whole blocks of a product. Where the batch is
   the last axis, pieces of rows are long, for memory likes them so, and where little is alive,
   for a chunk costs as much to begin as a hundred numbers. The number of chunks follows from the
   batch and the accumulators alone, never from threads: enough for many of them, more where they
   are long. */
static void choose_tile_sizes(agni_region *r)
{
    enum { LARGE = 16 << 20, ROWS = 96, LONG = 1024, MANY = 32, CHUNKS = 64, LINE = 64 };
    const bool wide = r->lanes * r->bytes ==
                      LINE; /* AVX-512: caches of a megabyte, blocks of 3 lines */
    const int64_t cache = wide ? 1 << 20 : 512 << 10, unit = wide ? 3 : 1;
    const int64_t most_acc = (int64_t)32 << 20, line = LINE / r->bytes;
    int64_t row = LINE * (r->rows > 0 ? r->rows : 1); /* a line of each that is alive */
    int64_t T = cache / row, least = 6 * row > LARGE ? 2 : wide && 6 * row < 2 * cache ? 6 : 3;
    int64_t top = (r->rows < 16 ? 2048 : 256) / line;
    T = T < least ? least : T > top ? top : T;
    int64_t rows = r->last || r->rows < 16 ? LONG : ROWS, C = (r->N + rows - 1) / rows,
            few = C < 4 ? C : 4;
    C = C <= MANY ? C : C / 2 < MANY ? MANY : C / 2 > CHUNKS ? CHUNKS : C / 2;
    if (r->acc > 0 && C > most_acc / (r->acc * r->bytes))
        C = most_acc / (r->acc * r->bytes);
    C = C < few ? few : C;
    int64_t lines = ((r->N + C - 1) / C + line - 1) / line, tile = tile_lines(T, lines, unit);
    r->T = tile * line;
    r->chunk = (lines + tile - 1) / tile * r->T;
    r->n_chunk = (int32_t)((r->N + r->chunk - 1) / r->chunk);
}

/* ---- the region ------------------------------------------------------------------------------ */

void agni_region_free(agni_region *r)
{
    if (!r)
        return;
    agni_free(r->in);
    agni_free(r->buf);
    agni_free(r->arr);
    agni_free(r->num);
    agni_free(r->num32);
    agni_free(r->uniform);
    agni_free(r->table);
    agni_free(r->step);
    agni_free(r->pack);
    agni_free(r->result);
    agni_free(r->node);
    agni_free(r);
}

typedef struct scheduled_node {
    int64_t key;
    int32_t node;
} scheduled_node;
static int compare_priority(const void *a, const void *b)
{
    const scheduled_node *x = a, *y = b;
    return x->key != y->key ? (x->key < y->key ? 1 : -1) : x->node - y->node;
}

static bool is_view_op(const agni_op *op)
{
    return op == &agni_op_reshape || op == &agni_op_permute || op == &agni_op_slice ||
           op == &agni_op_broadcast_to || op == &agni_op_unslice;
}

/* The key by which a node runs, highest first: the longest way from it to the end of the tile, so
   that each value is made as late as can be. What belongs together in the sweeps of several
   directions runs together, and little is alive at once. Sums over the batch, and what only they
   read, run as soon as their arguments are there, and so end their lives. */
static void schedule_priorities(lowering *w, int64_t *key)
{
    enum { LAYER = 1 << 12 }; /* products set the pace: layers stay side by side */
    const agni_ir *ir = w->ir;
    bool *read = agni_zalloc((size_t)ir->n_val + 1); /* by more than sums */
    w->failed = w->failed || !read;
    for (int k = ir->n_node - 1; k >= 0 && !w->failed; k--) {
        const agni_pnode *q = &ir->node[k];
        if (!w->need[k] || w->c->mode[k] == AGNI_REDUCE)
            continue;
        bool passes = is_view_op(q->op) && !read[q->val] && !is_root(w, k);
        key[q->val] += 2 * (q->op == &agni_op_matmul ? LAYER : 1);
        for (int i = 0; i < q->nin; i++) {
            int32_t v = agni_node_arg(ir, q, i);
            read[v] |= !passes;
            key[v] = key[v] > key[q->val] ? key[v] : key[q->val];
        }
    }
    for (int k = 0; k < ir->n_node && !w->failed; k++) {
        const agni_pnode *q = &ir->node[k];
        bool sum = w->c->mode[k] == AGNI_REDUCE;
        if (w->need[k] && !sum && q->op == &agni_op_matmul) /* all of a layer before its rest */
            key[q->val] = key[q->val] / (2 * LAYER) * (2 * LAYER) - 1;
        if (!w->need[k] || (!sum && (read[q->val] || is_root(w, k))))
            continue;
        key[q->val] = INT64_MAX;
        for (int i = 0; i < q->nin; i++) {
            int32_t v = agni_node_arg(ir, q, i), from = ir->val[v].node;
            bool here = from >= 0 && w->need[from] && w->c->axis[v] >= 0;
            if (here && key[v] - 1 < key[q->val])
                key[q->val] = key[v] - 1;
        }
    }
    agni_free(read);
}

static int schedule_nodes(lowering *w)
{
    const agni_ir *ir = w->ir;
    int64_t *key = agni_zalloc((size_t)(ir->n_val + 1) * sizeof *key);
    scheduled_node *t = agni_alloc((size_t)(ir->n_node + 1) * sizeof *t);
    int n = 0;
    w->failed = w->failed || !key || !t;
    if (!w->failed)
        schedule_priorities(w, key);
    for (int k = 0; k < ir->n_node && !w->failed; k++)
        if (w->need[k])
            t[n++] = (scheduled_node){key[ir->node[k].val], k};
    if (n)
        qsort(t, (size_t)n, sizeof *t, compare_priority);
    for (int i = 0; i < n; i++)
        w->order[i] = t[i].node;
    agni_free(key);
    agni_free(t);
    return n;
}

/* which buffers hold what more than one node of the plan reads */
static void mark_shared_buffers(lowering *w)
{
    const agni_ir *ir = w->ir;
    int32_t *uses = agni_zalloc(((size_t)ir->n_val + 1) * sizeof *uses);
    w->failed = w->failed || !uses;
    for (int k = 0; k < ir->n_node && !w->failed; k++)
        for (int i = 0; i < ir->node[k].nin; i++)
            uses[agni_node_arg(ir, &ir->node[k], i)]++;
    for (int i = 0; i < ir->n_out && !w->failed; i++)
        uses[ir->out[i]]++;
    for (int32_t v = 0; v < ir->n_val && !w->failed; v++)
        if (w->at[v].buf >= 0 && uses[v] > 1)
            w->r->buf[w->at[v].buf].shared = true;
    agni_free(uses);
}

static void lower_nodes(lowering *w)
{
    assign_accumulators(w);
    int n = schedule_nodes(w);
    w->r->n_node = n;
    for (int i = 0; i < n && !w->failed; i++) {
        int k = w->order[i];
        agni_lower_node(w, k);
        if (!w->failed && w->c->mode[k] == AGNI_TILE && is_root(w, k))
            agni_lower_store(w, w->ir->node[k].val);
    }
    mark_shared_buffers(w);
}

agn_status agni_region_make(agni_region **out, agni_plan *p, const agni_partition *c, int group,
                            int stage)
{
    const agni_ir *ir = p->ir;
    lowering w = {.p = p, .ir = ir, .c = c};
    size_t nv = (size_t)ir->n_val + 1;
    agni_region *r = w.r = agni_zalloc(sizeof *r);
    w.at = agni_alloc(nv * sizeof *w.at);
    w.arr = agni_alloc(nv * sizeof *w.arr);
    w.acc = agni_alloc(nv * sizeof *w.acc);
    w.acc_root = agni_zalloc(nv * sizeof *w.acc_root);
    w.terms = agni_zalloc(nv * sizeof *w.terms);
    w.order = agni_alloc(((size_t)ir->n_node + 1) * sizeof *w.order);
    w.need = agni_zalloc((size_t)ir->n_node + 1);
    w.failed = !r || !w.at || !w.arr || !w.acc || !w.need || !w.acc_root || !w.terms ||
               !w.order;
    int many = 0;
    if (!w.failed) {
        memset(w.at, -1, nv * sizeof *w.at);
        memset(w.arr, -1, nv * sizeof *w.arr);
        memset(w.acc, -1, nv * sizeof *w.acc);
        const agni_simd_kernels *vk = agni_simd_kernels_get();
        r->N = c->extent[group].n;
        r->last = c->extent[group].last;
        r->group = group;
        r->stage = stage;
        r->dtype = c->extent[group].dtype;
        r->bytes = agni_dtypes[r->dtype].bytes;
        r->real = r->dtype == AGN_F64 ? AGNI_SIMD_F64 : AGNI_SIMD_F32;
        r->vk = &vk->real[r->real];
        r->lanes = vk->vbytes / (int)r->bytes;
        many = mark_needed(&w);
        if (many)
            lower_nodes(&w);
    }
    w.failed = w.failed ||
               (many && (!agni_tile_peephole(r) || !agni_tile_rematerialise(r) ||
                         !agni_tile_fuse_elementwise(r) || !agni_tile_transpose_loads(r, p)));
    if (many && !w.failed) {
        assign_tile_buffers(r);
        w.failed = r->rows < 0;
        choose_tile_sizes(r);
        r->acc_buffer = agni_plan_add_scratch(p, r->acc * r->bytes * r->n_chunk);
        r->pack_buffer = agni_plan_add_scratch(p, r->packed * r->bytes);
        w.failed = w.failed || r->acc_buffer < 0 || r->pack_buffer < 0;
    }
    agni_free(w.at);
    agni_free(w.arr);
    agni_free(w.acc);
    agni_free(w.need);
    agni_free(w.load);
    agni_free(w.pair);
    agni_free(w.acc_root);
    agni_free(w.terms);
    if (r)
        r->node = w.order;
    else
        agni_free(w.order);
    agn_status st = w.failed ? agni_nomem("compile", nv) : many ? agni_tile_verify(r) : AGN_OK;
    if (st || !many) {
        agni_region_free(r);
        r = NULL;
    }
    *out = r;
    return st;
}
