/* graph/tiles/fused_elementwise.h - element-wise chains while they are made. */
#ifndef AGNI_GRAPH_FUSED_ELEMENTWISE_H
#define AGNI_GRAPH_FUSED_ELEMENTWISE_H
#include "graph/tiles/tile.h"

enum { AGNI_CHAIN_MEMBERS = 64 };

typedef struct agni_chain_buffer {
    int32_t reads, writes; /* in the region */
    int32_t chain;         /* the last chain that named it */
    int32_t inside, made;  /* there: reads; the member that writes it, -1 */
    int32_t last;          /* there: the last member that reads it */
    int32_t row;           /* there: the row that was named last */
    int32_t slot;          /* there; scratch counts from FIXED */
    int32_t late;          /* the last chain that an instruction which writes it waits for */
    int32_t load;          /* 1 + the instruction that reads it from an array; 0 */
    int32_t store;         /* there: 1 + the one that writes it to an array; 0 */
    bool parts;            /* somebody reads not all rows of it, or not once */
    bool gone;             /* nobody reads it from the tile any more */
} agni_chain_buffer;

typedef struct agni_chain_builder {
    agni_region *r;
    agni_chain_buffer *buf;
    bool *done;
    agni_tile_instr *out;
    int32_t n_out, chain;
    int32_t E; /* rows of the chain; a sum over them, which may come first, has fewer */
    int32_t member[AGNI_CHAIN_MEMBERS], n_member, n_store, named;
} agni_chain_builder;

bool agni_chain_is_repeated_row(const agni_tile_instr *q, int k);
/* Is operand k a number of an array for each row? Is there such an operand? */
static inline bool agni_chain_is_row_numbers(const agni_tile_instr *q, int k)
{
    return q->in[k].kind == AGNI_ON_ARRAY && q->in[k].step && q->E != 1;
}
static inline bool agni_chain_has_row_numbers(const agni_tile_instr *q)
{
    for (int k = 0; k < q->nin; k++)
        if (agni_chain_is_row_numbers(q, k))
            return true;
    return false;
}
/* Does q load or store rows as they are, all of a buffer of E rows? */
bool agni_chain_is_whole_row_access(const agni_region *r, const agni_tile_instr *q, int32_t E);

/* ---- registers (fused_registers.c) ---- */

/* Members in another order, in which a value that one member alone reads is made right before
   it. */
typedef struct agni_chain_order {
    int32_t from[AGNI_CHAIN_MEMBERS]; /* the member that hands its value on; -1 */
    int32_t part[AGNI_CHAIN_MEMBERS]; /* whose product this one makes as well; -1 */
    int8_t sum[AGNI_CHAIN_MEMBERS];   /* the operand (from 1) that is handed on; 0 */
    bool kept[AGNI_CHAIN_MEMBERS];    /* handed on, or part */
    uint8_t run[AGNI_CHAIN_MEMBERS];  /* that begins there */
} agni_chain_order;

/* The order of the members, what passes between them in registers, and the runs of steps. */
void agni_chain_choose_registers(agni_chain_builder *c, agni_chain_order *o);
/* The step that q is: an op of fused_steps.def, a map or a loop. */
uint8_t agni_chain_step_kind(const agni_tile_instr *q);
static inline bool agni_chain_has_fused_step(const agni_tile_instr *q)
{
    return agni_chain_step_kind(q) < AGNI_VC_MAP;
}
/* The row of fused_steps.def for member m; *swap: its factors change places. */
int agni_chain_fused_step(const agni_chain_builder *c, const agni_chain_order *o, int32_t m,
                          bool *swap);

/* ---- slots (fused_slots.c) ---- */

typedef struct agni_chain_slots {
    agni_chain_slot moving[AGNI_VSLOTS], fixed[AGNI_VSLOTS];
    int32_t n_moving, n_fixed, n_scratch;
    int32_t free[AGNI_CHAIN_MEMBERS], n_free;
    bool by_rows, failed;
    int32_t run; /* rows at once, as cycles have it; 0: all */
} agni_chain_slots;

/* The chain as one instruction; false without memory. s and o are scratch. */
bool agni_chain_emit(agni_chain_builder *c, agni_chain_slots *s, agni_chain_order *o);

#endif
