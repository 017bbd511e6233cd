/* graph/tiles/fused_registers.c - register allocation of fused element-wise steps: which value
   passes from one step to the next in a register, and which steps run as one (fused_steps.def). */
#include "graph/tiles/fused_elementwise.h"

#include <string.h>

uint8_t agni_chain_step_kind(const agni_tile_instr *q)
{
    static const uint8_t two[AGNI_VLOOP2_COUNT] = {[AGNI_V2_mul] = AGNI_VC_MUL + 1,
                                                   [AGNI_V2_add] = AGNI_VC_ADD + 1,
                                                   [AGNI_V2_sub] = AGNI_VC_SUB + 1,
                                                   [AGNI_V2_mulz] = AGNI_VC_MULZ + 1,
                                                   [AGNI_V2_div] = AGNI_VC_DIV + 1,
                                                   [AGNI_V2_eq] = AGNI_VC_EQ + 1,
                                                   [AGNI_V2_lt] = AGNI_VC_LT + 1};
    static const uint8_t three[AGNI_VLOOP3_COUNT] = {[AGNI_V3_fma] = AGNI_VC_FMA + 1,
                                                     [AGNI_V3_fnma] = AGNI_VC_FNMA + 1,
                                                     [AGNI_V3_fmaz] = AGNI_VC_FMAZ + 1,
                                                     [AGNI_V3_where] = AGNI_VC_WHERE + 1,
                                                     [AGNI_V3_gate] = AGNI_VC_GATE + 1};
    static const uint8_t one[AGNI_VMAP_COUNT] = {[AGNI_VM_square] = AGNI_VC_MUL + 1,
                                                 [AGNI_VM_neg] = AGNI_VC_NEG + 1,
                                                 [AGNI_VM_abs] = AGNI_VC_MAGNITUDE + 1};
    if (q->op == AGNI_T_REDUCE)
        return AGNI_VC_ADD;
    const int16_t k = q->elementwise.kernel;
    if (q->op == AGNI_T_MAP)
        return one[k] ? one[k] - 1 : AGNI_VC_MAP;
    if (q->op == AGNI_T_LOOP2)
        return two[k] ? two[k] - 1 : AGNI_VC_LOOP2;
    return three[k] ? three[k] - 1 : AGNI_VC_LOOP3;
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
    bool either = op != AGNI_VC_SUB && op != AGNI_VC_NEG && op != AGNI_VC_DIV &&
                  op != AGNI_VC_MAGNITUDE && op != AGNI_VC_WHERE && op != AGNI_VC_LT &&
                  op != AGNI_VC_GATE;
    *swap = either && (sum == 2 || (sum != 1 && number[0]));
    int at = *swap && sum == 2 ? 1 : sum, found = -1;
    bool n[4] = {true, false, number[*swap ? 0 : 1], number[2]};
    for (int i = 0; i < AGNI_VC_MAP; i++)
        if (row[i].op == op && row[i].sum == at && n[row[i].number] && (found < 0 || row[i].number))
            found = i;
    return found;
}

/* the member that makes operand k of q for q alone, -1 */
static int32_t sole_producer(const agni_chain_builder *c, const agni_tile_instr *q, int k)
{
    if (q->in[k].kind != AGNI_ON_TILE)
        return -1;
    const agni_chain_buffer *b = &c->buf[q->in[k].id];
    bool alone = b->chain == c->chain && b->made >= 0 && b->reads == 1 && b->inside == 1 &&
                 !b->store;
    const agni_tile_instr *p = alone ? &c->r->in[c->member[b->made]] : NULL;
    return p && p->op != AGNI_T_REDUCE && agni_chain_has_fused_step(p) ? b->made : -1;
}
static void choose_register_operands(agni_chain_builder *c, agni_chain_order *o)
{
    for (int32_t m = 0; m < c->n_member; m++) {
        const agni_tile_instr *q = &c->r->in[c->member[m]];
        int kind = agni_chain_step_kind(q);
        bool number[3] = {false};
        for (int k = 0; k < q->nin; k++)
            number[k] = q->in[k].kind != AGNI_ON_TILE;
        o->from[m] = o->part[m] = -1;
        o->kept[m] = false;
        o->sum[m] = 0;
        for (int k = q->nin - 1; kind < AGNI_VC_MAP && k >= 0; k--) {
            int32_t p = sole_producer(c, q, k);
            int sum = k + 1 + (q->op == AGNI_T_REDUCE);
            bool swap;
            if (p < 0 || (q->op == AGNI_T_MAP && q->elementwise.kernel == AGNI_VM_square))
                continue;
            if (o->from[m] < 0 && find_fused_step(kind, sum, number, &swap) >= 0) {
                o->from[m] = p;
                o->sum[m] = (int8_t)sum;
                o->kept[p] = true;
            } else if (kind == AGNI_VC_FMA && o->sum[m] == 3 && q->in[!k].kind != AGNI_ON_TILE &&
                       agni_chain_step_kind(&c->r->in[c->member[p]]) == AGNI_VC_MUL &&
                       !agni_chain_has_row_numbers(&c->r->in[c->member[p]]) &&
                       o->from[p] < 0) {
                o->part[m] = p;
                o->kept[p] = true;
            }
        }
    }
}
/* each member that hands its value to none comes after those from which values come to it */
static void order_for_fusion(agni_chain_builder *c, agni_chain_order *o)
{
    agni_chain_order old = *o;
    int32_t member[AGNI_CHAIN_MEMBERS], n = 0;
    memcpy(member, c->member, sizeof member);
    for (int32_t end = 0; end < c->n_member; end++) {
        int32_t path[2 * AGNI_CHAIN_MEMBERS], many = 0;
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

int agni_chain_fused_step(const agni_chain_builder *c, const agni_chain_order *o, int32_t m,
                          bool *swap)
{
    const agni_tile_instr *q = &c->r->in[c->member[m]];
    bool number[3] = {false};
    for (int k = 0; k < q->nin; k++)
        number[k] = q->in[k].kind != AGNI_ON_TILE;
    *swap = false;
    return o->part[m] >= 0 ? AGNI_VC_FMA_PRODUCT
                           : find_fused_step(agni_chain_step_kind(q), o->sum[m], number, swap);
}
/* The longest run of chain.def that begins at member m; where it ends the value gets a slot. */
static int32_t choose_run(const agni_chain_builder *c, agni_chain_order *o, int32_t m)
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
    row[0] = (uint8_t)agni_chain_fused_step(c, o, m, &swap);
    row[1] = AGNI_VC_NONE;
    for (int32_t n = 1, i = m; n < LONGEST && o->kept[i]; n++) {
        i += i + 2 < c->n_member && o->kept[i + 1] && o->part[i + 2] >= 0 ? 2 : 1;
        end[n] = i;
        row[n] = (uint8_t)agni_chain_fused_step(c, o, i, &swap);
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

void agni_chain_choose_registers(agni_chain_builder *c, agni_chain_order *o)
{
    choose_register_operands(c, o);
    order_for_fusion(c, o);
    for (int32_t m = 0; m < c->n_member;)
        m = agni_chain_has_fused_step(&c->r->in[c->member[m]]) ? choose_run(c, o, m) : m + 1;
}
