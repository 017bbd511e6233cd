/* graph/launch/launch.h - launches of a plan: steps that run as one kernel of a device (kernel
   fusion, horizontal and vertical, Filipovic et al. 2015). Wide members are regions that do not
   depend on each other, each with blocks of its own; the block that arrives last adds their sums
   and runs the tail, step after step. */
#ifndef AGNI_LAUNCH_H
#define AGNI_LAUNCH_H

#include "graph/tiles/tile.h"

enum {
    AGNI_LAUNCH_THREADS = 256,
    /* bytes of shared memory that a block has: of compute capability 9.0 and 10.0, of any device */
    AGNI_LAUNCH_SHARED = (227 << 10) - 1024,
    AGNI_LAUNCH_TILE = (99 << 10) - 1024
};

typedef struct agni_launch_member { /* a step of the plan */
    int32_t index;         /* in the launch, whose first step is 0 */
    bool tail;             /* run by one block */
    int32_t phase;         /* of a launch whose blocks run at once */
    int32_t array, number; /* its first of the launch's */
    int32_t block;         /* its first, of a wide member; and first of those that add its sums */
    int32_t sum_block;
    int64_t sums;          /* where they begin, in bytes */
} agni_launch_member;

struct agni_launch {
    int32_t first, end; /* steps */
    agni_launch_member *member;
    int32_t *arr, n_arr; /* of the workspace */
    double *num;
    int32_t n_num;
    int32_t blocks, sum_blocks; /* sum_blocks: of a second kernel; 0: there is none */
    bool together;              /* all blocks run at once, and wait for each other between phases */
    int64_t kept, tile;         /* bytes of shared memory: weights; weights and a tile */
    int64_t pitch, lent;        /* bytes of a tile, and of all that lie in device memory */
    int64_t sums;               /* bytes */
    int32_t sums_buffer, tile_buffer;
    int32_t device;
    void *compiled; /* by the device's back end */
};

/* ---- steps that are small: the whole of one runs in a block (step_text.c) ---------------------- */

/* element-wise chains of launches that are not joined: tensor/rows/fused_chain.h */
extern const agni_op agni_op_fused_elementwise;
extern const agni_op agni_op_copies; /* of n arrays to n others */
/* numbers that it makes on the way; 0: it has no text */
int64_t agni_step_text_work(const agni_plan *p, const agni_step *s);
/* numbers that it gives */
int64_t agni_step_text_size(const agni_plan *p, const agni_step *s);
int32_t agni_step_n_number(const agni_step *s);
void agni_step_write_text(const agni_plan *p, const agni_step *s, const agni_launch_member *at,
                          agni_text *t);

/* ---- launches ---------------------------------------------------------------------------------- */

/* the kernels of a launch, whose members have their places (launch_text.c) */
agn_status agni_launch_write_text(agni_launch *l, const agni_plan *p, agni_text *t,
                                  int64_t room);
/* Which steps are one launch, and what the device makes of them; AGN_EUNSUPPORTED: it makes nothing
   of a region (join_steps.c). */
agn_status agni_plan_join_steps(agni_plan *p);
void agni_launch_free(agni_launch *l);
agn_status agni_launch_run(const agni_launch *l, const agni_plan *p, agni_workspace *w);

#endif
