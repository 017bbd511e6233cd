/* graph/fusion/partition.h - which nodes run on tiles, and the regions they form.

   Choose an extent N. A tile value has one axis of that size along which it is independent:
   row i of it depends on row i of other tile values and on whole arrays only. Whole arrays
   are arguments, constants, results of other steps, and sums over the batch. A stage counts
   finished regions: what needs a sum over the batch is one stage above it, and a region of a
   higher stage computes again the tile values it needs, but for those of stages long before. */
#ifndef AGNI_REGION_H
#define AGNI_REGION_H

#include "graph/memory/plan.h"

enum { AGNI_WHOLE, AGNI_TILE, AGNI_REDUCE };
enum { AGNI_GROUPS = 8 + AGNI_MAX_COALESCED };
enum {
    AGNI_MIN_NODES = 3,  /* element-wise ones that pay for tiles without a product */
    AGNI_WIDE_ROWS = 64, /* fewer rows do not pay for packing weights */
    AGNI_MAX_ROW = 1 << 12, /* longer ones leave no tile that fits a cache */
};

typedef struct agni_partition {
    uint8_t *mode;  /* of nodes */
    int32_t *at;    /* of nodes: stage at which it runs */
    int8_t *axis;   /* of values: batch axis of a tile value, -1 for arrays */
    int8_t *group;  /* of nodes: which extent */
    int32_t *stage; /* of values: when known */
    bool *stored;   /* of tile values: also written as an array */
    bool *kept;     /* of stored values: for later regions of their group alone */
    agni_extent extent[AGNI_GROUPS];
    int n_group, stages;
    bool device; /* a region is a launch, not tiles for a cache */
} agni_partition;

agn_status agni_partition_make(agni_partition **out, const agni_ir *ir, bool tiles, bool device);
void agni_partition_free(agni_partition *c);
/* which values later regions read, not compute again (keep_values.c) */
void agni_partition_keep_values(agni_partition *c, const agni_ir *ir);
/* Where it lets more nodes run on tiles, the program with neighbouring axes merged, which takes the
   place of *ir (coalesce_axes.c). */
agn_status agni_coalesce_axes(agni_ir **ir, const agni_partition *cut);

/* The region of a group and stage, added to the plan's step that comes next; NULL if there
   is nothing to do. */
agn_status agni_region_make(agni_region **out, agni_plan *p, const agni_partition *c, int group,
                            int stage);

#endif
