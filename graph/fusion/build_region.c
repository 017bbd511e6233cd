/* graph/fusion/build_region.c - building a region: the nodes it computes, its accumulators, and the
   passes over its instructions. */
#include "graph/fusion/lower.h"

#include "graph/launch/device_region.h"

#include <string.h>

/* ---- what the region computes ---------------------------------------------------------------- */

/* is v here although another region wrote it as an array before? then it is loaded */
static bool is_stored_earlier(const lowering *w, int32_t v)
{
    return w->c->stored[v] && w->c->stage[v] < w->r->stage &&
           (value_tensor(w, v)->dtype == w->r->dtype || value_tensor(w, v)->dtype == AGN_BOOL);
}

bool agni_region_is_root(const lowering *w, int k)
{
    const agni_pnode *n = &w->ir->node[k];
    if (w->c->group[k] != w->r->group)
        return false;
    if (w->c->mode[k] == AGNI_REDUCE)
        return w->c->stage[n->val] == w->r->stage + 1;
    return w->c->mode[k] == AGNI_TILE && w->c->stored[n->val] && w->c->stage[n->val] == w->r->stage;
}

static int mark_needed(lowering *w)
{
    int many = 0;
    for (int k = w->ir->n_node - 1; k >= 0; k--) {
        const agni_pnode *n = &w->ir->node[k];
        if (!w->need[k])
            w->need[k] = agni_region_is_root(w, k);
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
    int n = agni_region_schedule(w);
    w->r->n_node = n;
    for (int i = 0; i < n && !w->failed; i++) {
        int k = w->order[i];
        agni_lower_node(w, k);
        if (!w->failed && w->c->mode[k] == AGNI_TILE && agni_region_is_root(w, k))
            agni_lower_store(w, w->ir->node[k].val);
    }
    mark_shared_buffers(w);
}

/* passes over the instructions of tiles for a cache, and their sizes */
static bool schedule_tiles(agni_region *r, agni_plan *p)
{
    if (!agni_tile_peephole(r) || !agni_tile_rematerialise(r) || !agni_tile_fuse_elementwise(r) ||
        !agni_tile_transpose_loads(r, p) || !agni_tile_coalesce_copies(r) ||
        !agni_tile_allocate_buffers(r))
        return false;
    agni_tile_choose_sizes(r);
    r->acc_buffer = agni_plan_add_scratch(p, r->acc * r->bytes * r->n_chunk);
    r->pack_buffer = agni_plan_add_scratch(p, r->packed * r->bytes);
    return r->acc_buffer >= 0 && r->pack_buffer >= 0;
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
    w.failed = !r || !w.at || !w.arr || !w.acc || !w.need || !w.acc_root || !w.terms || !w.order;
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
    if (many && !w.failed)
        w.failed = !(c->device ? agni_tile_rematerialise(r) && agni_tile_allocate_buffers(r)
                               : schedule_tiles(r, p));
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
    if (!st && many && c->device)
        agni_region_choose_blocks(r, p->device);
    if (st || !many) {
        agni_region_free(r);
        r = NULL;
    }
    *out = r;
    return st;
}
