/* graph/fusion/tile_forms.h - what an op is on tiles: read by the partition, which asks whether,
   and by lowering, which asks how. */
#ifndef AGNI_TILE_FORMS_H
#define AGNI_TILE_FORMS_H

#include "graph/fusion/partition.h"
#include "graph/tiles/tile.h"

/* ---- an op -------------------------------------------------------------------------------- */

typedef struct agni_elementwise_form {
    int16_t kind, f; /* AGNI_T_..., which is not 0, and by it */
    bool swap;
} agni_elementwise_form;
/* false: it has none */
bool agni_tile_elementwise_form(const agni_op *op, int dtype, agni_elementwise_form *f);
/* The loop by which an op reduces axes, AGNI_V2_...; logsumexp takes several; -1 for none. */
enum { AGNI_LOG_SUM_EXP = AGNI_VLOOP2_COUNT };
int agni_tile_reduction(const agni_op *op);

/* ---- a node ------------------------------------------------------------------------------- */

enum { AGNI_MM_ROWS, AGNI_MM_COLS, AGNI_MM_LEFT, AGNI_MM_BOTH, AGNI_MM_BATCH };
typedef struct agni_op_tile_form {
    int mode;    /* AGNI_WHOLE, AGNI_TILE, AGNI_REDUCE */
    int axis;    /* batch axis of the result */
    int product; /* AGNI_MM_... */
    int in_axis[3]; /* batch axis of an operand, -1 for uniform; [0] for all of concat */
} agni_op_tile_form;
agni_op_tile_form agni_tile_form(const agni_partition *c, const agni_ir *ir, int group, int node);

#endif
