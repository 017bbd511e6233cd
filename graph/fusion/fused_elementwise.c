/* graph/fusion/fused_elementwise.c - fusion of element-wise chains: instructions become one
   chain, which runs block by block, so that what a step gives the next never leaves the
   first-level cache. What only the chain reads has no buffer in the tile, but a block of
   scratch, or a register where the next step alone reads it (tensor/cpu/simd/fused_steps.def).

   Instructions in between that do not need the chain run before it, those that do after it; a
   product that needs it ends it.

   Where the batch is the last axis, arrays have rows as tiles do. A chain then reads and writes
   them where they are, reads one row beside each of the others, and sums over rows: its rows run
   one by one. A single row does so anywhere. */
#include "graph/fusion/tile.h"

#include <string.h>

enum { WINDOW = 256, ROOM = AGNI_VSLOTS - 4, MEMBERS = 64 };

typedef struct buf_state {
    int32_t reads, writes;  /* in the region */
    int32_t chain;          /* the last chain that named it */
    int32_t inside, made;   /* there: reads; the member that writes it, -1 */
    int32_t last;           /* there: the last member that reads it */
    int32_t row;            /* there: the row that was named last */
    int32_t slot;           /* there; scratch counts from FIXED */
    int32_t late;           /* the last chain that an instruction which writes it waits for */
    int32_t load;           /* 1 + the instruction that reads it from an array; 0 */
    int32_t store;          /* there: 1 + the one that writes it to an array; 0 */
    bool parts;             /* somebody reads not all rows of it, or not once */
    bool gone;              /* nobody reads it from the tile any more */
} buf_state;

typedef struct chains {
    agni_region *r;
    buf_state *buf;
    bool *done;
    agni_tile_instr *out;
    int32_t n_out, chain;
    int32_t
        E; /* of the chain: a sum over its rows, which may come to be its first member, has fewer */
    int32_t member[MEMBERS], n_member, n_store, named;
} chains;

static void count_access(void *user, int32_t b, bool writes)
{
    buf_state *s = user;
    s[b].writes += writes;
    s[b].reads += !writes;
}

/* Are the rows of arrays like those of tiles, for chains of E rows? */
static bool has_row_arrays(const agni_region *r, int32_t E)
{
    return r->last || E == 1;
}
static bool is_repeated_row(const agni_tile_instr *q, int k)
{
    return q->in[k].kind == AGNI_ON_TILE && q->in[k].step == 0 && q->E != 1;
}

static bool is_elementwise(const agni_region *r, const agni_tile_instr *q)
{
    if ((q->op != AGNI_T_MAP && q->op != AGNI_T_LOOP2 && q->op != AGNI_T_LOOP3) || q->dst_row ||
        r->buf[q->dst].rows != q->E)
        return false;
    for (int i = 0; i < q->nin; i++)
        if ((q->in[i].kind == AGNI_ON_ARRAY && q->in[i].step && q->E != 1) || q->in[i].hop ||
            (q->in[i].kind == AGNI_ON_TILE && q->in[i].step != 1 && q->E != 1 &&
             !(r->last && is_repeated_row(q, i))))
            return false;
    return true;
}
static bool is_row_sum(const agni_region *r, const agni_tile_instr *q, int32_t E)
{
    return q->op == AGNI_T_REDUCE && q->reduce.kernel == AGNI_V2_add && r->last &&
           q->reduce.outer == 1 && q->reduce.count == E && q->reduce.inner == 1 &&
           q->in[0].row == 0 && q->dst_row == 0 && r->buf[q->in[0].id].rows == E;
}
/* loads and stores rows as they are, all of a buffer? */
static bool is_whole_row_access(const agni_region *r, const agni_tile_instr *q, int32_t E)
{
    if ((q->op != AGNI_T_LOAD && q->op != AGNI_T_STORE) || q->E != E || q->access.stride != 1 ||
        !has_row_arrays(r, E))
        return false;
    if (q->op == AGNI_T_LOAD)
        return r->buf[q->dst].rows == E;
    return !q->access.truth && q->in[0].row == 0 && r->buf[q->in[0].id].rows == E;
}

static bool is_made_in_chain(const chains *c, int32_t b)
{
    return c->buf[b].chain == c->chain && c->buf[b].made >= 0;
}

/* What an instruction has to do with the chain so far. */
typedef struct relation {
    const chains *c;
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
    chains *c = user;
    if (writes)
        c->buf[b].late = c->chain;
}

/* Each row of a buffer at which an instruction begins is a slot of its own. */
static buf_state *slot_state(chains *c, int32_t b, int32_t row)
{
    buf_state *s = &c->buf[b];
    c->named += s->chain != c->chain || s->row != row;
    if (s->chain != c->chain) {
        s->chain = c->chain;
        s->inside = s->store = 0;
        s->made = s->last = s->slot = -1;
    }
    s->row = row;
    return s;
}
static void join_chain(chains *c, int32_t i)
{
    const agni_tile_instr *q = &c->r->in[i];
    for (int k = 0; k < q->nin; k++) {
        if (q->in[k].kind != AGNI_ON_TILE) {
            c->named++;
            continue;
        }
        buf_state *s = slot_state(c, q->in[k].id, q->in[k].row);
        s->inside++;
        s->last = c->n_member;
    }
    slot_state(c, q->dst, 0)->made = c->n_member;
    c->member[c->n_member++] = i;
    c->done[i] = true;
}

/* Can q be a member? Rows that are read beside others must be there before. */
static bool may_join_chain(const chains *c, const agni_tile_instr *q, int32_t E)
{
    const agni_region *r = c->r;
    if (!is_row_sum(r, q, E) && (q->E != E || !is_elementwise(r, q)))
        return false;
    for (int k = 0; k < q->nin; k++)
        if ((is_repeated_row(q, k) || q->in[k].cycle) && is_made_in_chain(c, q->in[k].id))
            return false;
    return c->n_member < MEMBERS && c->named < ROOM && c->buf[q->dst].writes == 1;
}

static void collect_chain(chains *c, int32_t i)
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
        buf_state *stored = q->op == AGNI_T_STORE ? &c->buf[q->in[0].id] : NULL;
        if (!x.waits && q->dst >= 0 && may_join_chain(c, q, c->E)) {
            join_chain(c, j);
        } else if (!x.waits && x.needs && stored && is_whole_row_access(r, q, c->E) &&
                   !stored->store) {
            stored->store = j + 1;
            stored->inside++;
            c->n_store++;
            c->done[j] = true;
        } else if (x.needs || x.waits) {
            agni_tile_visit_buffers(r, q, delay_past_chain, c);
            if (q->op == AGNI_T_PRODUCT)
                return;
        } else {
            c->out[c->n_out++] = *q;
            c->done[j] = true;
        }
    }
}

/* ---- the chain as one instruction ---------------------------------------------------------- */

typedef struct slots {
    agni_chain_slot moving[AGNI_VSLOTS], fixed[AGNI_VSLOTS];
    int32_t n_moving, n_fixed, n_scratch;
    int32_t free[MEMBERS], n_free;
    bool by_rows, failed;
    int32_t run; /* rows at once, as cycles have it; 0: all */
} slots;
enum { FIXED = AGNI_VSLOTS, NOWHERE = -1 };

static int32_t add_fixed_slot(slots *s, int32_t kind, int32_t row)
{
    for (int32_t k = 0; k < s->n_fixed; k++)
        if (s->fixed[k].kind == kind && s->fixed[k].row == row)
            return FIXED + k;
    s->fixed[s->n_fixed] = (agni_chain_slot){.kind = kind, .row = row};
    return FIXED + s->n_fixed++;
}
static int32_t add_moving_slot(slots *s, agni_chain_slot x)
{
    for (int32_t k = 0; k < s->n_moving; k++)
        if (s->moving[k].kind == x.kind && s->moving[k].id == x.id && s->moving[k].row == x.row &&
            s->moving[k].cycle == x.cycle)
            return k;
    s->by_rows |= x.kind != AGNI_SLOT_ROWS;
    s->run = agni_common_cycle(s->run, x.cycle);
    s->moving[s->n_moving] = x;
    return s->n_moving++;
}
static int32_t add_array_slot(slots *s, const agni_tile_instr *q)
{
    const agni_tile_operand *o = &q->in[q->op == AGNI_T_STORE];
    return add_moving_slot(
        s, (agni_chain_slot){AGNI_SLOT_ARRAY, o->id, q->access.offsets, 0, q->op == AGNI_T_STORE});
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
static int32_t operand_slot(slots *s, chains *c, const agni_tile_instr *q, int i)
{
    const agni_tile_operand *o = &q->in[i];
    if (o->kind == AGNI_ON_NUMBER)
        return add_fixed_slot(s, AGNI_SLOT_NUMBER, o->id);
    if (o->kind == AGNI_ON_ARRAY) {
        int32_t k = uniform_index(c->r, o);
        s->failed |= k < 0;
        return add_fixed_slot(s, AGNI_SLOT_UNIFORM, k);
    }
    buf_state *b = &c->buf[o->id];
    if (b->made >= 0)
        return b->slot;
    const agni_tile_instr *load = b->load ? &c->r->in[b->load - 1] : NULL;
    if (load && !b->parts && b->reads == b->inside && b->writes == 1 &&
        is_whole_row_access(c->r, load, c->E)) {
        b->gone = true;
        return add_array_slot(s, load);
    }
    int32_t kind = is_repeated_row(q, i) ? AGNI_SLOT_REPEATED_ROW : AGNI_SLOT_ROWS;
    return add_moving_slot(s, (agni_chain_slot){kind, o->id, o->row, o->cycle, false});
}
static int32_t result_slot(slots *s, chains *c, int32_t b)
{
    buf_state *q = &c->buf[b];
    if (q->reads > q->inside) {
        if (q->store)
            c->done[q->store - 1] = false; /* by itself, after the chain */
        return q->slot = add_moving_slot(s, (agni_chain_slot){AGNI_SLOT_ROWS, b, 0, 0, true});
    }
    if (q->store)
        return q->slot = add_array_slot(s, &c->r->in[q->store - 1]);
    int32_t k = s->n_free ? s->free[--s->n_free] : s->n_scratch++;
    return q->slot = add_fixed_slot(s, AGNI_SLOT_SCRATCH, k);
}
/* scratch that member m is the last to read is free after it */
static void release_scratch(slots *s, const chains *c, const agni_tile_instr *q, int32_t m)
{
    for (int k = 0; k < q->nin; k++) {
        if (q->in[k].kind != AGNI_ON_TILE)
            continue;
        buf_state *b = &c->buf[q->in[k].id];
        if (b->made < 0 || b->last != m || b->slot < FIXED)
            continue;
        s->free[s->n_free++] = s->fixed[b->slot - FIXED].row;
        b->last = -1;
    }
}

/* ---- what passes from one step to the next in registers -------------------------------------- */

static uint8_t step_kind(const agni_tile_instr *q)
{
    static const uint8_t two[AGNI_VLOOP2_COUNT] = {[AGNI_V2_mul] = AGNI_VC_MUL + 1,
                                                   [AGNI_V2_add] = AGNI_VC_ADD + 1,
                                                   [AGNI_V2_sub] = AGNI_VC_SUB + 1,
                                                   [AGNI_V2_mulz] = AGNI_VC_MULZ + 1};
    static const uint8_t three[AGNI_VLOOP3_COUNT] = {[AGNI_V3_fma] = AGNI_VC_FMA + 1,
                                                     [AGNI_V3_fnma] = AGNI_VC_FNMA + 1,
                                                     [AGNI_V3_fmaz] = AGNI_VC_FMAZ + 1};
    if (q->op == AGNI_T_REDUCE)
        return AGNI_VC_ADD;
    const int16_t k = q->elementwise.kernel;
    if (q->op == AGNI_T_MAP)
        return k == AGNI_VM_square ? AGNI_VC_MUL : k == AGNI_VM_neg ? AGNI_VC_NEG : AGNI_VC_MAP;
    if (q->op == AGNI_T_LOOP2)
        return two[k] ? two[k] - 1 : AGNI_VC_LOOP2;
    return three[k] ? three[k] - 1 : AGNI_VC_LOOP3;
}
static bool has_fused_step(const agni_tile_instr *q)
{
    return step_kind(q) < AGNI_VC_MAP;
}

/* The row of chain.def for an op of which operand `sum` (from 1) is what the step before made and
   some operands are numbers; of two factors either may be first. -1: there is none. */
static int find_fused_step(int op, int sum, const bool number[3], bool *swap)
{
#define NEAR(name, op, sum, number, value) {AGNI_VC_##op, sum, number},
    static const struct {
        uint8_t op, sum, number;
    } row[] = {
#include "tensor/cpu/simd/fused_steps.def"
    };
#undef NEAR
    bool either = op != AGNI_VC_SUB && op != AGNI_VC_NEG;
    *swap = either && (sum == 2 || (sum != 1 && number[0]));
    int at = *swap && sum == 2 ? 1 : sum, found = -1;
    bool n[4] = {true, false, number[*swap ? 0 : 1], number[2]};
    for (int i = 0; i < AGNI_VC_MAP; i++)
        if (row[i].op == op && row[i].sum == at && n[row[i].number] &&
            (found < 0 || row[i].number))
            found = i;
    return found;
}

/* Members in another order, in which a value that one member alone reads is made right before
   it. */
typedef struct order {
    int32_t from[MEMBERS], part[MEMBERS]; /* the member that hands its value on; whose product this
                                             one makes as well; -1 */
    int8_t sum[MEMBERS];                  /* the operand (from 1) that is handed on; 0 */
    bool kept[MEMBERS];                   /* handed on, or part */
    uint8_t run[MEMBERS];                 /* that begins there */
} order;

/* the member that makes operand k of q for q alone, -1 */
static int32_t sole_producer(const chains *c, const agni_tile_instr *q, int k)
{
    if (q->in[k].kind != AGNI_ON_TILE)
        return -1;
    const buf_state *b = &c->buf[q->in[k].id];
    bool alone = b->chain == c->chain && b->made >= 0 && b->reads == 1 && b->inside == 1 &&
                 !b->store;
    const agni_tile_instr *p = alone ? &c->r->in[c->member[b->made]] : NULL;
    return p && p->op != AGNI_T_REDUCE && has_fused_step(p) ? b->made : -1;
}
static void choose_register_operands(chains *c, order *o)
{
    static bool none[3];
    for (int32_t m = 0; m < c->n_member; m++) {
        const agni_tile_instr *q = &c->r->in[c->member[m]];
        int kind = step_kind(q);
        o->from[m] = o->part[m] = -1;
        o->kept[m] = false;
        o->sum[m] = 0;
        for (int k = q->nin - 1; kind < AGNI_VC_MAP && k >= 0; k--) {
            int32_t p = sole_producer(c, q, k);
            int sum = k + 1 + (q->op == AGNI_T_REDUCE);
            bool swap;
            if (p < 0 || (q->op == AGNI_T_MAP && q->elementwise.kernel == AGNI_VM_square))
                continue;
            if (o->from[m] < 0 && find_fused_step(kind, sum, none, &swap) >= 0) {
                o->from[m] = p;
                o->sum[m] = (int8_t)sum;
                o->kept[p] = true;
            } else if (kind == AGNI_VC_FMA && o->sum[m] == 3 && q->in[!k].kind != AGNI_ON_TILE &&
                       step_kind(&c->r->in[c->member[p]]) == AGNI_VC_MUL && o->from[p] < 0) {
                o->part[m] = p;
                o->kept[p] = true;
            }
        }
    }
}
/* each member that hands its value to none comes after those from which values come to it */
static void order_for_fusion(chains *c, order *o)
{
    order old = *o;
    int32_t member[MEMBERS], n = 0;
    memcpy(member, c->member, sizeof member);
    for (int32_t end = 0; end < c->n_member; end++) {
        int32_t path[2 * MEMBERS], many = 0;
        for (int32_t m = old.kept[end] ? -1 : end; m >= 0; m = old.from[m]) {
            path[many++] = m;
            if (old.part[m] >= 0)
                path[many++] = old.part[m];
        }
        for (; many; n++) {
            int32_t m = path[--many];
            c->member[n] = member[m];
            o->part[n] = old.part[m];
            o->sum[n] = old.sum[m];
            o->kept[n] = old.kept[m];
        }
    }
    for (int32_t m = 0; m < n; m++) {
        const agni_tile_instr *q = &c->r->in[c->member[m]];
        for (int k = 0; k < q->nin; k++)
            if (q->in[k].kind == AGNI_ON_TILE)
                c->buf[q->in[k].id].last = m;
        c->buf[q->dst].made = m;
    }
}

static int fused_step_at(const chains *c, const order *o, int32_t m, bool *swap)
{
    const agni_tile_instr *q = &c->r->in[c->member[m]];
    bool number[3] = {false};
    for (int k = 0; k < q->nin; k++)
        number[k] = q->in[k].kind != AGNI_ON_TILE;
    *swap = false;
    return o->part[m] >= 0 ? AGNI_VC_FMA_PRODUCT
                           : find_fused_step(step_kind(q), o->sum[m], number, swap);
}
/* The longest run of chain.def that begins at member m; where it ends the value gets a slot. */
static int32_t choose_run(const chains *c, order *o, int32_t m)
{
#define RUN(a, b, c, d, e) \
    {AGNI_VC_##a, AGNI_VC_##b, AGNI_VC_##c, AGNI_VC_##d, AGNI_VC_##e, AGNI_VC_NONE},
    enum { LONGEST = 5 };
    static const uint8_t run[][LONGEST + 1] = {
#include "tensor/cpu/simd/fused_steps.def"
    };
#undef RUN
    bool swap;
    int32_t end[LONGEST + 1] = {m}, longest = 0;
    uint8_t row[LONGEST + 1];
    o->sum[m] = 0;
    if (m + 1 < c->n_member && o->part[m + 1] >= 0) { /* its product comes first, as any other */
        const agni_tile_operand *in = c->r->in[c->member[m + 1]].in;
        o->part[m + 1] = -1;
        o->sum[m + 1] = in[0].kind != AGNI_ON_TILE ? 2 : 1;
    }
    row[0] = (uint8_t)fused_step_at(c, o, m, &swap);
    row[1] = AGNI_VC_NONE;
    for (int32_t n = 1, i = m; n < LONGEST && o->kept[i]; n++) {
        i += i + 2 < c->n_member && o->kept[i + 1] && o->part[i + 2] >= 0 ? 2 : 1;
        end[n] = i;
        row[n] = (uint8_t)fused_step_at(c, o, i, &swap);
        row[n + 1] = AGNI_VC_NONE;
    }
    for (size_t i = 0; i < sizeof run / sizeof *run; i++) {
        int32_t n = 0;
        while (run[i][n] == row[n] && row[n] != AGNI_VC_NONE)
            n++;
        if (n > longest && run[i][n] == AGNI_VC_NONE) {
            longest = n;
            o->run[m] = (uint8_t)i;
        }
    }
    o->kept[end[longest - 1]] = false;
    return end[longest - 1] + 1;
}

/* the places of a member's operands and of its result, which may be nowhere */
static void assign_slots(chains *c, slots *s, const order *o, int32_t m, int32_t to[4])
{
    const agni_tile_instr *q = &c->r->in[c->member[m]];
    bool fold = q->op == AGNI_T_REDUCE;
    to[0] = to[1] = to[2] = to[3] = NOWHERE;
    for (int k = 0; k < q->nin; k++)
        if (o->sum[m] != k + 1 + fold && !(o->part[m] >= 0 && q->in[k].kind == AGNI_ON_TILE))
            to[1 + fold + k] = operand_slot(s, c, q, k);
    if (fold)
        to[1] = c->buf[q->dst].slot =
            add_moving_slot(s, (agni_chain_slot){AGNI_SLOT_SUM, q->dst, 0, 0, true});
    if (q->op == AGNI_T_MAP && q->elementwise.kernel == AGNI_VM_square)
        to[2] = to[1];
    release_scratch(s, c, q, m);
    if (!o->kept[m])
        to[0] = fold ? to[1] : result_slot(s, c, q->dst);
}
/* step m, which may make the product of the member before it as well */
static agni_chain_step make_step(const chains *c, const order *o, int32_t m, int32_t to[4],
                          const int32_t product[4])
{
    const agni_tile_instr *q = &c->r->in[c->member[m]];
    bool swap;
    if (!has_fused_step(q))
        return (agni_chain_step){.kind = step_kind(q), .f = (uint8_t)q->elementwise.kernel};
    agni_chain_step y = {.kind = (uint8_t)fused_step_at(c, o, m, &swap), .f = o->run[m]};
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

static bool emit_chain(chains *c, slots *s, order *o)
{
    agni_region *r = c->r;
    *s = (slots){.n_moving = 0};
    if (!agni_reserve_items(&r->step, &r->cap_step, r->n_step + c->n_member, sizeof *r->step))
        return false;
    agni_chain_step *step = r->step + r->n_step;
    int32_t to[MEMBERS + 1][4], n_step = 0;
    choose_register_operands(c, o);
    order_for_fusion(c, o);
    for (int32_t m = 0; m < c->n_member;)
        m = has_fused_step(&r->in[c->member[m]]) ? choose_run(c, o, m) : m + 1;
    for (int32_t m = 0; m < c->n_member; m++) {
        assign_slots(c, s, o, m, to[n_step + 1]);
        bool is_part = m + 1 < c->n_member && o->part[m + 1] >= 0;
        if (is_part) {
            memcpy(to[0], to[n_step + 1], sizeof to[0]);
            continue;
        }
        step[n_step] = make_step(c, o, m, to[n_step + 1], to[0]);
        n_step++;
    }
    int32_t n = s->n_moving + s->n_fixed, t = agni_tile_add_table(r, n * AGNI_SLOT_INTS);
    if (t < 0 || s->failed)
        return false;
    for (int32_t m = 0; m < n_step; m++) {
        uint8_t at[4];
        for (int k = 0; k < 4; k++) {
            int32_t p = to[m + 1][k];
            at[k] = (uint8_t)(p == NOWHERE ? 0 : p < FIXED ? p : p - FIXED + s->n_moving);
        }
        step[m].to = at[0], step[m].a = at[1], step[m].b = at[2], step[m].c = at[3];
    }
    agni_chain_slot *slot = (agni_chain_slot *)(void *)(r->table + t);
    memcpy(slot, s->moving, (size_t)s->n_moving * sizeof *slot);
    memcpy(slot + s->n_moving, s->fixed, (size_t)s->n_fixed * sizeof *slot);
    c->out[c->n_out++] = (agni_tile_instr){.op = AGNI_T_CHAIN,
                                           .dst = -1,
                                           .E = c->E,
                                           .chain = {t, s->n_moving, s->n_fixed, r->n_step, n_step,
                                                     s->by_rows ? 1 : s->run}};
    r->n_step += n_step;
    r->scratch = r->scratch > s->n_scratch ? r->scratch : s->n_scratch;
    return true;
}

bool agni_tile_fuse_elementwise(agni_region *r)
{
    chains c = {.r = r};
    slots *s = agni_alloc(sizeof *s);
    order of;
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
        if (!is_elementwise(r, q) || c.buf[q->dst].writes != 1) {
            c.out[c.n_out++] = *q;
            continue;
        }
        collect_chain(&c, i);
        if (c.n_member > 1 || c.n_store)
            ok = emit_chain(&c, s, &of);
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
