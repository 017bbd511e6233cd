/* graph/tiles/fused_elementwise.c - fusion of element-wise chains: instructions become one
   chain, which runs block by block, so that what a step gives the next never leaves the
   first-level cache. What only the chain reads has no buffer in the tile, but a block of
   scratch, or a register where the next step alone reads it (tensor/cpu/simd/fused_steps.def).

   Instructions in between that do not need the chain run before it, those that do after it; a
   product that needs it ends it.

   A chain that reads one row beside each of the others, or a number for each row, or sums over
   rows, takes a few rows at once. Where the batch is the last axis, arrays have rows as tiles do: a
   chain then reads and writes them where they are, row by row. A single row does so anywhere. */

#include "graph/tiles/fused_elementwise.h"

#include <string.h>

enum { WINDOW = 256, ROOM = AGNI_VSLOTS - 4 };

static void count_access(void *user, int32_t b, bool writes)
{
    agni_chain_buffer *s = user;
    s[b].writes += writes;
    s[b].reads += !writes;
}

/* Are the rows of arrays like those of tiles, for chains of E rows? */
static bool has_row_arrays(const agni_region *r, int32_t E)
{
    return r->last || E == 1;
}
bool agni_chain_is_repeated_row(const agni_tile_instr *q, int k)
{
    return q->in[k].kind == AGNI_ON_TILE && q->in[k].step == 0 && q->E != 1;
}

/* Steps take a number of each row as the factor or term N beside rows of tiles alone. */
static bool may_read_row_numbers(const agni_tile_instr *q)
{
    const int kind = agni_chain_step_kind(q);
    int many = 0, last = -1;
    for (int k = 0; k < q->nin; k++)
        if (q->in[k].kind != AGNI_ON_TILE)
            many++, last = k;
    return many == 1 && last < 2 && q->op != AGNI_T_MAP &&
           (kind == AGNI_VC_MUL || kind == AGNI_VC_ADD || kind == AGNI_VC_FMA ||
            kind == AGNI_VC_FNMA);
}
static bool is_elementwise(const agni_region *r, const agni_tile_instr *q)
{
    if ((q->op != AGNI_T_MAP && q->op != AGNI_T_LOOP2 && q->op != AGNI_T_LOOP3) || q->dst_row ||
        r->buf[q->dst].rows != q->E)
        return false;
    for (int i = 0; i < q->nin; i++)
        if ((agni_chain_is_row_numbers(q, i) && !may_read_row_numbers(q)) || q->in[i].hop ||
            (q->in[i].kind == AGNI_ON_TILE && q->in[i].step != 1 && q->E != 1 &&
             !agni_chain_is_repeated_row(q, i)))
            return false;
    return true;
}
static bool is_row_sum(const agni_region *r, const agni_tile_instr *q, int32_t E)
{
    return q->op == AGNI_T_REDUCE && q->reduce.kernel == AGNI_V2_add &&
           q->reduce.outer == 1 && q->reduce.count * q->reduce.inner == E && q->reduce.count &&
           q->in[0].row == 0 && q->dst_row == 0 && r->buf[q->in[0].id].rows == E;
}
/* loads and stores rows as they are, all of a buffer? */
bool agni_chain_is_whole_row_access(const agni_region *r, const agni_tile_instr *q, int32_t E)
{
    if ((q->op != AGNI_T_LOAD && q->op != AGNI_T_STORE) || q->E != E || q->access.stride != 1 ||
        !has_row_arrays(r, E))
        return false;
    if (q->access.truth)
        return false;
    if (q->op == AGNI_T_LOAD)
        return r->buf[q->dst].rows == E;
    return q->in[0].row == 0 && r->buf[q->in[0].id].rows == E;
}

static bool is_made_in_chain(const agni_chain_builder *c, int32_t b)
{
    return c->buf[b].chain == c->chain && c->buf[b].made >= 0;
}

/* What an instruction has to do with the chain so far. */
typedef struct relation {
    const agni_chain_builder *c;
    bool needs, waits; /* reads what the chain makes; what waits for it */
} relation;
static void classify_access(void *user, int32_t b, bool writes)
{
    relation *x = user;
    x->needs |= is_made_in_chain(x->c, b) && !writes;
    x->waits |= x->c->buf[b].late == x->c->chain;
}
static void delay_past_chain(void *user, int32_t b, bool writes)
{
    agni_chain_builder *c = user;
    if (writes)
        c->buf[b].late = c->chain;
}

/* Each row of a buffer at which an instruction begins is a slot of its own. */
static agni_chain_buffer *slot_state(agni_chain_builder *c, int32_t b, int32_t row)
{
    agni_chain_buffer *s = &c->buf[b];
    c->named += s->chain != c->chain || s->row != row;
    if (s->chain != c->chain) {
        s->chain = c->chain;
        s->inside = s->store = 0;
        s->made = s->last = s->slot = -1;
    }
    s->row = row;
    return s;
}
static void join_chain(agni_chain_builder *c, int32_t i)
{
    const agni_tile_instr *q = &c->r->in[i];
    for (int k = 0; k < q->nin; k++) {
        if (q->in[k].kind != AGNI_ON_TILE) {
            c->named++;
            continue;
        }
        agni_chain_buffer *s = slot_state(c, q->in[k].id, q->in[k].row);
        s->inside++;
        s->last = c->n_member;
    }
    slot_state(c, q->dst, 0)->made = c->n_member;
    c->member[c->n_member++] = i;
    c->done[i] = true;
}

static bool is_full(const agni_chain_builder *c)
{
    return c->n_member == AGNI_CHAIN_MEMBERS || c->named >= ROOM;
}

/* Can q be a member? Rows that are read beside others must be there before. */
static bool may_join_chain(const agni_chain_builder *c, const agni_tile_instr *q, int32_t E)
{
    const agni_region *r = c->r;
    if (!is_row_sum(r, q, E) && (q->E != E || !is_elementwise(r, q)))
        return false;
    for (int k = 0; k < q->nin; k++)
        if ((agni_chain_is_repeated_row(q, k) || q->in[k].cycle) &&
            is_made_in_chain(c, q->in[k].id))
            return false;
    return !is_full(c) && c->buf[q->dst].writes == 1;
}

static bool may_start_chain(const agni_chain_builder *c, const agni_tile_instr *q)
{
    return is_elementwise(c->r, q) && c->buf[q->dst].writes == 1;
}

static void collect_chain(agni_chain_builder *c, int32_t i)
{
    const agni_region *r = c->r;
    c->n_member = c->n_store = c->named = 0;
    c->E = r->in[i].E;
    c->chain++;
    join_chain(c, i);
    for (int32_t j = i + 1; j < r->n_in && j < i + WINDOW; j++) {
        const agni_tile_instr *q = &r->in[j];
        relation x = {c, false, false};
        if (c->done[j])
            continue;
        agni_tile_visit_buffers(r, q, classify_access, &x);
        agni_chain_buffer *stored = q->op == AGNI_T_STORE ? &c->buf[q->in[0].id] : NULL;
        if (!x.waits && q->dst >= 0 && may_join_chain(c, q, c->E)) {
            join_chain(c, j);
        } else if (!x.waits && x.needs && stored && agni_chain_is_whole_row_access(r, q, c->E) &&
                   !stored->store) {
            stored->store = j + 1;
            stored->inside++;
            c->n_store++;
            c->done[j] = true;
        } else if (x.needs || x.waits) {
            agni_tile_visit_buffers(r, q, delay_past_chain, c);
            if (q->op == AGNI_T_PRODUCT)
                return;
        } else if ((q->E > c->E || is_full(c)) && may_start_chain(c, q)) {
            return; /* it begins a chain of its own, of more rows or behind one that is full */
        } else {
            c->out[c->n_out++] = *q;
            c->done[j] = true;
        }
    }
}

static bool fuse_once(agni_region *r)
{
    agni_chain_builder c = {.r = r};
    agni_chain_slots *s = agni_alloc(sizeof *s);
    agni_chain_order of;
    c.buf = agni_zalloc((size_t)(r->n_buf + 1) * sizeof *c.buf);
    c.done = agni_zalloc((size_t)r->n_in + 1);
    c.out = agni_alloc((size_t)(r->n_in + 1) * sizeof *c.out);
    bool ok = s && c.buf && c.done && c.out;
    for (int32_t i = 0; ok && i < r->n_in; i++) {
        agni_tile_visit_buffers(r, &r->in[i], count_access, c.buf);
        for (int k = 0; k < r->in[i].nin; k++) {
            const agni_tile_operand *o = &r->in[i].in[k];
            if (o->kind == AGNI_ON_TILE &&
                (o->row || o->cycle || (o->step != 1 && r->in[i].E != 1)))
                c.buf[o->id].parts = true;
        }
        if (r->in[i].op == AGNI_T_LOAD)
            c.buf[r->in[i].dst].load = i + 1;
    }
    for (int32_t i = 0; ok && i < r->n_in; i++) {
        const agni_tile_instr *q = &r->in[i];
        if (c.done[i])
            continue;
        if (!may_start_chain(&c, q)) {
            c.out[c.n_out++] = *q;
            continue;
        }
        collect_chain(&c, i);
        if (c.n_member > 1 || c.n_store)
            ok = agni_chain_emit(&c, s, &of);
        else
            c.out[c.n_out++] = *q;
    }
    int32_t kept = 0;
    for (int32_t i = 0; ok && i < c.n_out; i++)
        if (c.out[i].op != AGNI_T_LOAD || !c.buf[c.out[i].dst].gone)
            c.out[kept++] = c.out[i];
    c.n_out = kept;
    if (ok) {
        agni_free(r->in);
        r->in = c.out;
        r->n_in = r->cap_in = c.n_out;
        c.out = NULL;
    }
    agni_free(s);
    agni_free(c.buf);
    agni_free(c.done);
    agni_free(c.out);
    return ok;
}

/* What went before a chain, one by one, is a run of chains itself: those of its own number of rows
   find each other in another pass. */
bool agni_tile_fuse_elementwise(agni_region *r)
{
    bool pair = false;
    if (!fuse_once(r))
        return false;
    for (int32_t i = 1; i < r->n_in && !pair; i++)
        pair = r->in[i].E == r->in[i - 1].E && is_elementwise(r, &r->in[i]) &&
               is_elementwise(r, &r->in[i - 1]);
    return !pair || fuse_once(r);
}
