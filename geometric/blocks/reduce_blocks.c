/* geometric/blocks/reduce_blocks.c - rows of a block of edges: gathered from nodes, added to nodes
   in the order of the edges. */
#include "config.h"

#include "geometric/blocks/reduce_blocks.h"

#include "core/device/cpu_level.h"
#include "geometric/blocks/cpu/block_rows.h"
#include "sparse/products/products.h"
#include "tensor/cpu/level_dispatch.h"
#include "tensor/value/tensor.h"

#include <string.h>

static const agni_block_kernels *select_kernels(void)
{
    static const agni_block_table *const levels[] = {
        [AGNI_CPU_BASE] = &agni_block_rows_base,
#ifdef AGNI_HAVE_AVX2
        [AGNI_CPU_AVX2] = &agni_block_rows_avx2,
#endif
#ifdef AGNI_HAVE_AVX512
        [AGNI_CPU_AVX512] = &agni_block_rows_avx512,
#endif
    };
    return levels[agni_cpu_level_below(AGNI_COUNT(levels))];
}

void agni_locate_edges(agni_block_lane *r)
{
    const agn_graph *g = r->f->b->g;
    for (int64_t k = 0; k < r->n; k++) {
        int64_t e = r->from + k, id = agni_listed_edge(g, r->t, e);
        r->at[AGN_GRAPH_SRC][k] = agni_read_index(r->t->other, g->wide, e);
        r->at[AGN_GRAPH_DST][k] = agni_graph_end(g, AGN_GRAPH_DST, id);
        r->at[AGN_GRAPH_EDGE][k] = id;
        r->first[k] = agni_read_index(r->t->begin, g->wide, r->at[AGN_GRAPH_DST][k]) == e;
    }
}

void agni_read_operands(agni_block_lane *r)
{
    const agni_block_form *f = r->f;
    for (int i = 0; i < f->rows; i++) {
        agni_block_slot *s = &r->slot[i];
        agni_block_rows q = {
            .at = r->at[f->side[i]], .from = s->all, .to = s->block->data, .row = s->row};
        if (s->direct)
            s->block->data = s->all + r->from * s->row;
        else if (s->row)
            select_kernels()->gather(&q, 0, r->n);
    }
}

void agni_place_results(agni_block_lane *r)
{
    for (int o = 0; o < r->f->nout; o++) {
        agni_block_slot *s = &r->slot[r->f->nin + o];
        r->data[o] = s->direct ? s->all + r->from * s->row : s->block->data;
    }
}

/* f32 f64 i32 i64; a complex row is one of twice as many reals */
static int kernel_of(int dtype, int64_t *bytes)
{
    bool f64 = dtype == AGN_F64 || dtype == AGN_C128, f32 = dtype == AGN_F32 || dtype == AGN_C64;
    *bytes = f32 || dtype == AGN_I32 ? 4 : 8;
    return f32 ? 0 : f64 ? 1 : dtype == AGN_I32 ? 2 : 3;
}

void agni_reduce_result(const agni_block_lane *r, int o)
{
    static const int64_t only[1] = {0};
    const agni_block_slot *s = &r->slot[r->f->nin + o];
    const agni_block_kernels *kernels = select_kernels();
    int lent = r->p->lent[o], kind;
    const void *from = lent >= 0 ? r->in[lent]->data : r->data[o];
    int64_t target = r->f->target[o], bytes;
    if (!s->row)
        return;
    if (s->direct) {
        if (lent >= 0)
            memcpy(r->data[o], from, (size_t)(s->row * r->n));
        return;
    }
    agni_block_rows q = {.at = r->at[AGN_GRAPH_DST],
                         .from = from,
                         .to = s->all,
                         .row = s->row,
                         .n = r->n,
                         .first = r->first,
                         .largest = target == AGNI_LARGEST};
    kind = kernel_of(r->p->out[o]->dtype, &bytes);
    if (agni_is_extreme_target(target)) {
        kernels->extreme[kind](&q, 0, q.row / bytes);
        return;
    }
    q.at = target == AGNI_WHOLE ? only : r->at[target];
    q.n = target == AGNI_WHOLE ? 1 : r->n;
    if (target == AGN_GRAPH_EDGE)
        kernels->scatter(&q, 0, q.n);
    else
        kernels->add[kind](&q, 0, q.row / bytes);
}
