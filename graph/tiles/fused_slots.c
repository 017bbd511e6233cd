/* graph/tiles/fused_slots.c - an element-wise chain as one instruction: where its operands and
   results are, rows of tiles or arrays, numbers, or scratch by live range. */
#include "graph/tiles/fused_elementwise.h"

#include <string.h>

enum { FIXED = AGNI_VSLOTS, NOWHERE = -1 }; /* slots from FIXED on do not move with the rows */

static bool is_same_slot(const agni_chain_slot *a, const agni_chain_slot *b)
{
    return a->kind == b->kind && a->id == b->id && a->row == b->row && a->cycle == b->cycle &&
           a->step == b->step;
}
static int32_t add_fixed_slot(agni_chain_slots *s, agni_chain_slot x)
{
    for (int32_t k = 0; k < s->n_fixed; k++)
        if (is_same_slot(&s->fixed[k], &x))
            return FIXED + k;
    s->run = agni_common_cycle(s->run, x.cycle);
    s->fixed[s->n_fixed] = x;
    return FIXED + s->n_fixed++;
}
static int32_t add_moving_slot(agni_chain_slots *s, agni_chain_slot x)
{
    for (int32_t k = 0; k < s->n_moving; k++)
        if (is_same_slot(&s->moving[k], &x))
            return k;
    s->by_rows |= x.kind == AGNI_SLOT_ARRAY;
    s->run = agni_common_cycle(s->run, x.cycle);
    s->moving[s->n_moving] = x;
    return s->n_moving++;
}
static int32_t add_array_slot(agni_chain_slots *s, const agni_tile_instr *q)
{
    const agni_tile_operand *o = &q->in[q->op == AGNI_T_STORE];
    return add_moving_slot(s, (agni_chain_slot){AGNI_SLOT_ARRAY, o->id, q->access.offsets, 0,
                                                q->op == AGNI_T_STORE, 0});
}
/* the number of an element of an array among those of the region; -1 without memory */
static int32_t uniform_index(agni_region *r, const agni_tile_operand *o)
{
    int32_t k = 0;
    while (k < r->n_uniform && (r->uniform[k].arr != o->id || r->uniform[k].row != o->row))
        k++;
    if (k < r->n_uniform)
        return k;
    if (!agni_reserve_items(&r->uniform, &r->cap_uniform, k + 1, sizeof *r->uniform))
        return -1;
    r->uniform[k] = (agni_chain_uniform){o->id, o->row};
    return r->n_uniform++;
}
static int32_t operand_slot(agni_chain_slots *s, agni_chain_builder *c, const agni_tile_instr *q,
                            int i)
{
    const agni_tile_operand *o = &q->in[i];
    if (o->kind == AGNI_ON_NUMBER)
        return add_fixed_slot(s, (agni_chain_slot){.kind = AGNI_SLOT_NUMBER, .row = o->id});
    if (agni_chain_is_row_numbers(q, i))
        return add_fixed_slot(s, (agni_chain_slot){AGNI_SLOT_ROW_NUMBERS, o->id, o->row, o->cycle,
                                                   false, o->step});
    if (o->kind == AGNI_ON_ARRAY) {
        int32_t k = uniform_index(c->r, o);
        s->failed |= k < 0;
        return add_fixed_slot(s, (agni_chain_slot){.kind = AGNI_SLOT_UNIFORM, .row = k});
    }
    agni_chain_buffer *b = &c->buf[o->id];
    if (b->made >= 0)
        return b->slot;
    const agni_tile_instr *load = b->load ? &c->r->in[b->load - 1] : NULL;
    if (load && !b->parts && b->reads == b->inside && b->writes == 1 &&
        agni_chain_is_whole_row_access(c->r, load, c->E)) {
        b->gone = true;
        return add_array_slot(s, load);
    }
    int32_t kind = agni_chain_is_repeated_row(q, i) ? AGNI_SLOT_REPEATED_ROW : AGNI_SLOT_ROWS;
    return add_moving_slot(s, (agni_chain_slot){kind, o->id, o->row, o->cycle, false, 0});
}
static int32_t result_slot(agni_chain_slots *s, agni_chain_builder *c, int32_t b)
{
    agni_chain_buffer *q = &c->buf[b];
    if (q->reads > q->inside) {
        if (q->store)
            c->done[q->store - 1] = false; /* by itself, after the chain */
        return q->slot = add_moving_slot(s, (agni_chain_slot){AGNI_SLOT_ROWS, b, 0, 0, true, 0});
    }
    if (q->store)
        return q->slot = add_array_slot(s, &c->r->in[q->store - 1]);
    int32_t k = s->n_free ? s->free[--s->n_free] : s->n_scratch++;
    return q->slot = add_fixed_slot(s, (agni_chain_slot){.kind = AGNI_SLOT_SCRATCH, .row = k});
}
/* scratch that member m is the last to read is free after it */
static void release_scratch(agni_chain_slots *s, const agni_chain_builder *c,
                            const agni_tile_instr *q, int32_t m)
{
    for (int k = 0; k < q->nin; k++) {
        if (q->in[k].kind != AGNI_ON_TILE)
            continue;
        agni_chain_buffer *b = &c->buf[q->in[k].id];
        if (b->made < 0 || b->last != m || b->slot < FIXED)
            continue;
        s->free[s->n_free++] = s->fixed[b->slot - FIXED].row;
        b->last = -1;
    }
}

/* the places of a member's operands and of its result, which may be nowhere */
static void assign_slots(agni_chain_builder *c, agni_chain_slots *s, const agni_chain_order *o,
                         int32_t m, int32_t to[4])
{
    const agni_tile_instr *q = &c->r->in[c->member[m]];
    bool fold = q->op == AGNI_T_REDUCE;
    to[0] = to[1] = to[2] = to[3] = NOWHERE;
    for (int k = 0; k < q->nin; k++)
        if (o->sum[m] != k + 1 + fold && !(o->part[m] >= 0 && q->in[k].kind == AGNI_ON_TILE))
            to[1 + fold + k] = operand_slot(s, c, q, k);
    if (fold)
        to[1] = c->buf[q->dst].slot = add_moving_slot(
            s, (agni_chain_slot){AGNI_SLOT_SUM, q->dst, 0,
                                 q->reduce.inner == 1 ? 0 : (int32_t)q->reduce.inner, true, 0});
    if (q->op == AGNI_T_MAP && q->elementwise.kernel == AGNI_VM_square)
        to[2] = to[1];
    release_scratch(s, c, q, m);
    if (!o->kept[m])
        to[0] = fold ? to[1] : result_slot(s, c, q->dst);
}
/* step m, which may make the product of the member before it as well */
static agni_chain_step make_step(const agni_chain_builder *c, const agni_chain_order *o, int32_t m,
                                 int32_t to[4], const int32_t product[4])
{
    const agni_tile_instr *q = &c->r->in[c->member[m]];
    bool swap;
    if (!agni_chain_has_fused_step(q))
        return (agni_chain_step){.kind = agni_chain_step_kind(q),
                                 .f = (uint8_t)q->elementwise.kernel};
    agni_chain_step y = {.kind = (uint8_t)agni_chain_fused_step(c, o, m, &swap), .f = o->run[m]};
    if (o->part[m] >= 0) {
        to[3] = to[q->in[0].kind != AGNI_ON_TILE ? 1 : 2];
        to[1] = product[1], to[2] = product[2];
    }
    if (swap) {
        int32_t first = to[1];
        to[1] = to[2], to[2] = first;
    }
    return y;
}

/* Does one of these slots stay at its row while others move? */
static bool stays_at_row(const agni_chain_slots *s, const int32_t to[4])
{
    for (int k = 0; k < 4; k++)
        if (to[k] != NOWHERE && (to[k] < FIXED ? !agni_chain_slot_has_rows(&s->moving[to[k]])
                                               : s->fixed[to[k] - FIXED].kind ==
                                                     AGNI_SLOT_ROW_NUMBERS))
            return true;
    return false;
}

/* The slots in the order of the instruction: those that move, numbers of rows, the others; how many
   the second are. Where each of the fixed ones is then, into place. */
static int32_t lay_out_slots(const agni_chain_slots *s, agni_chain_slot *slot, int32_t *place)
{
    int32_t n = s->n_moving, n_beside = 0;
    memcpy(slot, s->moving, (size_t)s->n_moving * sizeof *slot);
    for (int others = 0; others < 2; others++) {
        for (int32_t k = 0; k < s->n_fixed; k++)
            if ((s->fixed[k].kind != AGNI_SLOT_ROW_NUMBERS) == others) {
                place[k] = n;
                slot[n++] = s->fixed[k];
            }
        n_beside = others ? n_beside : n - s->n_moving;
    }
    return n_beside;
}

bool agni_chain_emit(agni_chain_builder *c, agni_chain_slots *s, agni_chain_order *o)
{
    agni_region *r = c->r;
    *s = (agni_chain_slots){.n_moving = 0};
    if (!agni_reserve_items(&r->step, &r->cap_step, r->n_step + c->n_member, sizeof *r->step))
        return false;
    agni_chain_step *step = r->step + r->n_step;
    int32_t to[AGNI_CHAIN_MEMBERS + 1][4], place[AGNI_VSLOTS], n_step = 0, run = 0;
    agni_chain_choose_registers(c, o);
    for (int32_t m = 0; m < c->n_member; m++) {
        assign_slots(c, s, o, m, to[n_step + 1]);
        bool is_part = m + 1 < c->n_member && o->part[m + 1] >= 0,
             stays = stays_at_row(s, to[n_step + 1]);
        run = m && o->kept[m - 1] ? run : n_step;
        if (is_part)
            memcpy(to[0], to[n_step + 1], sizeof to[0]);
        else
            step[n_step] = make_step(c, o, m, to[n_step + 1], to[0]);
        step[run].by_rows |= stays;
        n_step += !is_part;
    }
    int32_t n = s->n_moving + s->n_fixed, t = agni_tile_add_table(r, n * AGNI_SLOT_INTS);
    if (t < 0 || s->failed)
        return false;
    agni_chain_slot *slot = (agni_chain_slot *)(void *)(r->table + t);
    const int32_t n_beside = lay_out_slots(s, slot, place);
    for (int32_t m = 0; m < n_step; m++) {
        uint8_t at[4];
        for (int k = 0; k < 4; k++) {
            int32_t p = to[m + 1][k];
            at[k] = (uint8_t)(p == NOWHERE ? 0 : p < FIXED ? p : place[p - FIXED]);
        }
        step[m].to = at[0], step[m].a = at[1], step[m].b = at[2], step[m].c = at[3];
    }
    c->out[c->n_out++] = (agni_tile_instr){
        .op = AGNI_T_CHAIN,
        .dst = -1,
        .E = c->E,
        .chain = {t, s->n_moving, s->n_fixed, n_beside, r->n_step, n_step,
                  s->by_rows ? 1 : s->run}};
    r->beside |= n_beside != 0;
    r->n_step += n_step;
    for (int32_t k = 0; k < s->n_moving; k++)
        r->beside |= !agni_chain_slot_has_rows(&s->moving[k]);
    r->scratch = r->scratch > s->n_scratch ? r->scratch : s->n_scratch;
    return true;
}
