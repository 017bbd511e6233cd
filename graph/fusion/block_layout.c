/* graph/fusion/block_layout.c - block data layout (Park, Hong and Prasanna 2003): an array that regions
   with tiles of one length write and read, and nobody else, is laid out as their tiles are, so that
   the buffer of a tile is a part of the array, and nothing is copied. */
#include "graph/fusion/lower.h"

#include <string.h>

/* What is known of a buffer of the plan: which regions have it as rows of tiles. */
typedef struct block_use {
    bool unfit;
    int64_t N, T, chunk, rows; /* of the first of them; rows 0: none yet */
} block_use;

static int32_t buffer_of_array(const agni_plan *p, int32_t arr)
{
    return p->val[p->arr[arr]].buffer;
}

/* The operand of a load or store that is the array. */
static const agni_tile_operand *array_operand(const agni_tile_instr *q)
{
    return &q->in[q->op == AGNI_T_STORE];
}
static int32_t tile_buffer(const agni_tile_instr *q)
{
    return q->op == AGNI_T_LOAD ? q->dst : q->in[0].id;
}
/* Is the array all rows of a buffer, one after the other? */
static bool is_whole_transfer(const agni_plan *p, const agni_region *r, const agni_tile_instr *q)
{
    if (q->op != AGNI_T_LOAD && q->op != AGNI_T_STORE)
        return false;
    const agni_plan_value *v = &p->val[p->arr[r->arr[array_operand(q)->id]]];
    const agni_tile_operand *from = &q->in[0];
    bool whole = q->access.stride == 1 && !q->access.truth && v->offset == 0 &&
                 v->h->size == q->E * r->N && v->h->dtype == r->dtype &&
                 r->buf[tile_buffer(q)].rows == q->E && r->N % r->lanes == 0 &&
                 !r->buf[tile_buffer(q)].inside && !r->buf[tile_buffer(q)].hosts &&
                 (q->op == AGNI_T_LOAD ? q->dst_row == 0
                                       : from->kind == AGNI_ON_TILE && from->row == 0 &&
                                             from->step == 1 && !from->cycle);
    const int32_t *at = r->table + q->access.offsets;
    for (int32_t e = 0; whole && e < q->E; e++)
        whole = at[e] == (e ? (int64_t)e * at[1] : 0) && (e != 1 || at[1] >= r->N);
    return whole;
}

typedef struct write_count {
    int32_t buf, writes;
} write_count;
static void count_write(void *user, int32_t b, bool writes)
{
    write_count *w = user;
    w->writes += writes && b == w->buf;
}
/* Does another instruction transfer the buffer, or write what a load wrote, or a store has read? */
static bool is_transferred_once(const agni_region *r, int32_t i)
{
    const int32_t b = tile_buffer(&r->in[i]);
    write_count w = {b, 0};
    for (int32_t k = r->in[i].op == AGNI_T_LOAD ? 0 : i + 1; k < r->n_in; k++)
        agni_tile_visit_buffers(r, &r->in[k], count_write, &w);
    if (w.writes != (r->in[i].op == AGNI_T_LOAD))
        return false;
    for (int32_t k = 0; k < r->n_in; k++)
        if (k != i && (r->in[k].op == AGNI_T_LOAD || r->in[k].op == AGNI_T_STORE) &&
            tile_buffer(&r->in[k]) == b)
            return false;
    return true;
}

/* What instruction i has to do with buffers of the plan. */
static void note_array(const agni_plan *p, block_use *use, const agni_region *r, int32_t id)
{
    use[buffer_of_array(p, r->arr[id])].unfit = true;
}
static void note_instruction(const agni_plan *p, block_use *use, const agni_region *r, int32_t i)
{
    const agni_tile_instr *q = &r->in[i];
    if (q->op == AGNI_T_PRODUCT) {
        const agni_tile_product *t = agni_tile_products(r, q);
        for (int32_t k = 0; k < q->product.count; k++)
            if (t[k].bias >= 0)
                note_array(p, use, r, t[k].bias);
        return;
    }
    if (q->op == AGNI_T_CHAIN) {
        const agni_chain_slot *s = agni_tile_slots(r, q);
        for (int32_t k = 0; k < q->chain.n_moving + q->chain.n_fixed; k++)
            if (s[k].kind == AGNI_SLOT_ARRAY || s[k].kind == AGNI_SLOT_ROW_NUMBERS)
                note_array(p, use, r, s[k].id);
        return;
    }
    bool transposed = q->op == AGNI_T_LOAD_TRANSPOSED || q->op == AGNI_T_STORE_TRANSPOSED;
    if (transposed)
        note_array(p, use, r, q->in[0].id);
    if (!is_whole_transfer(p, r, q) || !is_transferred_once(r, i)) {
        for (int k = 0; k < q->nin && !transposed; k++)
            if (q->in[k].kind == AGNI_ON_ARRAY)
                note_array(p, use, r, q->in[k].id);
        return;
    }
    block_use *u = &use[buffer_of_array(p, r->arr[array_operand(q)->id])];
    if (!u->rows)
        *u = (block_use){u->unfit, r->N, r->T, r->chunk, q->E};
    u->unfit |= u->N != r->N || u->T != r->T || u->chunk != r->chunk || u->rows != q->E;
}
static void note_region(const agni_plan *p, block_use *use, const agni_region *r)
{
    for (int32_t i = 0; i < r->n_in; i++)
        note_instruction(p, use, r, i);
    for (int32_t k = 0; k < r->n_uniform; k++)
        note_array(p, use, r, r->uniform[k].arr);
    for (int32_t k = 0; k < r->n_pack; k++)
        note_array(p, use, r, r->pack[k].arr);
    for (int32_t k = 0; k < r->n_result; k++)
        note_array(p, use, r, r->result[k].arr);
}

/* Transfers of such arrays go: their buffers are the arrays. */
static void drop_transfers(const agni_plan *p, const block_use *use, agni_region *r)
{
    for (int32_t i = 0; i < r->n_in; i++) {
        agni_tile_instr *q = &r->in[i];
        if (q->op != AGNI_T_LOAD && q->op != AGNI_T_STORE)
            continue;
        const int32_t id = array_operand(q)->id, b = buffer_of_array(p, r->arr[id]);
        if (use[b].unfit || !use[b].rows)
            continue;
        r->buf[tile_buffer(q)].array = id + 1;
        q->op = AGNI_T_DELETED;
    }
    agni_tile_remove_deleted(r);
}

agn_status agni_plan_lay_out_blocks(agni_plan *p)
{
    block_use *use = agni_zalloc((size_t)(p->n_buffer + 1) * sizeof *use);
    if (!use)
        return agni_nomem("compile", (size_t)p->n_buffer * sizeof *use);
    for (int32_t b = 0; b < p->n_buffer; b++)
        use[b].unfit = p->buffer[b].kind != AGNI_IN_ARENA;
    for (int32_t s = 0; s < p->n_step; s++) {
        const agni_step *q = &p->step[s];
        if (q->kind == AGNI_STEP_REGION)
            note_region(p, use, q->region);
        else
            for (int32_t i = 0; i < q->nin + q->nout; i++)
                use[buffer_of_array(p, q->arr + i)].unfit = true;
    }
    for (int32_t s = 0; s < p->n_step; s++)
        if (p->step[s].kind == AGNI_STEP_REGION)
            drop_transfers(p, use, p->step[s].region);
    agni_free(use);
    return AGN_OK;
}
