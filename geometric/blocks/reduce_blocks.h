/* geometric/blocks/reduce_blocks.h - what one thread has of a block of edges: whose rows they are,
   the operands it gathered, the results it has yet to reduce. */
#ifndef AGNI_REDUCE_BLOCKS_H
#define AGNI_REDUCE_BLOCKS_H

#include "geometric/blocks/edge_blocks.h"

/* One operand or result of blocks of one size. */
typedef struct agni_block_slot {
    agn_tensor *block; /* what the plan sees: a buffer, or a view that is moved along */
    char *all;         /* the rows of all nodes or edges */
    int64_t row;       /* bytes of one */
    bool direct;       /* blocks lie in all as they are */
} agni_block_slot;

typedef struct agni_block_lane {
    const agni_block_form *f;
    const agni_incidence *t;
    const agni_plan *p;
    agni_workspace *w;
    int64_t *at[3]; /* of each edge of a block: its nodes, its number */
    bool *first;    /* it is the first that reaches its node */
    int64_t from, n; /* the first edge, how many */
    agni_block_slot *slot; /* [nin + nout] */
    const agn_tensor **in;
    void **data;
    int64_t failed; /* a block that did not run, and why: where status is not AGN_OK */
    agn_status status;
} agni_block_lane;

void agni_locate_edges(agni_block_lane *r);
void agni_read_operands(agni_block_lane *r);
/* where the plan shall write */
void agni_place_results(agni_block_lane *r);
/* rows of result o to where they belong; blocks come one after the other */
void agni_reduce_result(const agni_block_lane *r, int o);

#endif
