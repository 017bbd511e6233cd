/* graph/fusion/lower.h - the context of lowering: lower_operand.c finds operands, lower.c makes
   instructions of nodes, build_region.c chooses the nodes, their order, and memory. */
#ifndef AGNI_LOWER_H
#define AGNI_LOWER_H

#include "graph/fusion/tile_forms.h"

typedef struct tile_rows {
    int32_t buf, row;
} tile_rows;

typedef struct loaded_array {
    int32_t v, axis, buf, table;
} loaded_array;

typedef struct lowering {
    agni_plan *p;
    const agni_ir *ir;
    const agni_partition *c;
    agni_region *r;
    tile_rows *at;    /* of tile values; buf -1: not yet */
    int32_t *arr; /* number of a value's array in the region, -1 */
    int64_t *acc; /* of reductions: first accumulator, -1 */
    bool *need;   /* nodes */
    loaded_array *load;
    int32_t n_load, cap_load;
    struct pair { /* outer products that wait for others of the same accumulator */
        int64_t acc;
        tile_rows x, g;
    } * pair;
    int32_t n_pair, cap_pair;
    int32_t *acc_root; /* of reductions: the value whose accumulator they share */
    int32_t *terms;    /* of reductions, by value: products still to come */
    int32_t *order;    /* needed nodes as they will run */
    bool failed;
} lowering;

static inline const agn_tensor *value_tensor(const lowering *w, int32_t v)
{
    return w->ir->val[v].t;
}

/* ---- lower_operand.c ------------------------------------------------------------------------ */

/* each fails in w->failed */
bool agni_lower_room(lowering *w, void *items, int32_t *cap, int32_t need, size_t item);
int32_t agni_lower_rows_of(const lowering *w, int32_t v); /* numbers per row of the batch */
int32_t agni_lower_buffer(lowering *w, int32_t rows);
int32_t agni_lower_table(lowering *w, int32_t n);
int32_t agni_lower_array(lowering *w, int32_t v); /* v as an array of the region */
void agni_lower_emit(lowering *w, agni_tile_instr in);
agni_tile_operand agni_lower_number(lowering *w, double num);
/* shape without the batch axis; row-major strides; offsets of all elements */
int agni_lower_inner(const agn_tensor *t, int axis, int64_t *shape);
void agni_lower_dense(int n, const int64_t *shape, int64_t *stride);
void agni_lower_offsets(int n, const int64_t *shape, const int64_t *stride, int64_t base,
                        int32_t *out, int32_t E, int by);
/* the offsets of the E elements of one row of h, into table t */
void agni_lower_places(const lowering *w, const agn_tensor *h, int axis, int32_t t, int32_t E);
/* a value with the batch along axis: computed in the tile, or loaded from its array */
tile_rows agni_lower_batched(lowering *w, int32_t v, int axis);
/* in's rows as idx says, in a new buffer */
tile_rows agni_lower_gathered(lowering *w, agni_tile_operand in, const int32_t *idx, int32_t E);
/* o's rows or elements, so far apart along the axes of an inner shape; in cycles where the
   instruction knows them */
agni_tile_operand agni_lower_broadcast(lowering *w, agni_tile_operand o, int n,
                                       const int64_t *shape, const int64_t *stride, bool cycles);
/* operand v of an element-wise node with result y */
agni_tile_operand agni_lower_operand(lowering *w, int32_t v, int axis, const agn_tensor *y,
                                     int yaxis, bool cycles);

/* ---- lower.c -------------------------------------------------------------------------- */

void agni_lower_node(lowering *w, int k);
void agni_lower_store(lowering *w, int32_t v); /* a tile value also as an array */

/* ---- build_region.c, schedule.c ---- */

/* Is the result of node k of the region read from outside, as an array or a sum over the batch? */
bool agni_region_is_root(const lowering *w, int k);
/* The nodes that are needed in the order they run, into w->order; their number. */
int agni_region_schedule(lowering *w);

#endif
