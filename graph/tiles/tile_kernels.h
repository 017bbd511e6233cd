/* graph/tiles/tile_kernels.h - the instructions of tile programs, each on one tile. */
#ifndef AGNI_GRAPH_TILE_KERNELS_H
#define AGNI_GRAPH_TILE_KERNELS_H
#include "graph/tiles/tile.h"

typedef struct agni_tile_context {
    const agni_region *r;
    const agn_array *arr; /* of the workspace */
    char *packed;         /* weights */
    char *mem;            /* buffers */
    char *blocks;         /* of chains: numbers repeated, then scratch */
    char *acc;            /* of this chunk */
    int64_t row0, n;      /* rows of the batch: first, how many */
    int64_t T;            /* n up to a multiple of the vector length */
} agni_tile_context;

typedef void agni_tile_kernel(const agni_tile_context *t, const agni_tile_instr *q);
extern agni_tile_kernel *const agni_tile_kernels[AGNI_T_COUNT];

static inline char *agni_tile_array(const agni_tile_context *t, int32_t id, int64_t element)
{
    return (char *)t->arr[t->r->arr[id]].data + element * t->r->bytes;
}
static inline char *agni_tile_row(const agni_tile_context *t, int32_t buf, int64_t row)
{
    const agni_tile_buffer *b = &t->r->buf[buf];
    const int64_t bytes = t->T * t->r->bytes;
    return b->array ? agni_tile_array(t, b->array - 1, t->row0 * b->rows) + row * bytes
                    : t->mem + (b->place + row) * bytes;
}

/* to: n times the number at from */
void agni_tile_fill(const agni_region *r, void *to, const void *from, int64_t n);
/* loads and stores (tile_access.c) */
agni_tile_kernel agni_tile_load_rows, agni_tile_store_rows, agni_tile_transpose_rows;

/* The blocks of numbers that chains read, once for all tiles of a chunk. */
void agni_tile_fill_numbers(const agni_tile_context *t);

#endif
