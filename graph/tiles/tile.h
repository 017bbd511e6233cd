/* graph/tiles/tile.h - the program of a region: instructions on tiles of T rows of the batch.

   A tile value is E rows of T numbers, row e at e T: its elements for one row of the batch,
   in row-major order, each followed along the batch. All numbers are of one real dtype;
   truth values are 1 and 0.                                                                 */
#ifndef AGNI_TILE_H
#define AGNI_TILE_H

#include "graph/memory/plan.h"
#include "tensor/cpu/level_dispatch.h"
#include "tensor/rows/elementwise.h"

/* Where row e of an operand lies: in a buffer at row + e step, in an array at element row +
   e step (the same number for the whole tile), or nowhere: a number. Of a cycle, row e is row e %
   cycle, e / cycle hops further: rows of one group beside each of several others, or those of
   neighbours. */
enum { AGNI_ON_TILE, AGNI_ON_ARRAY, AGNI_ON_NUMBER };
typedef struct agni_tile_operand {
    int32_t kind;
    int32_t id; /* of the buffer, array or number */
    int32_t row, step;
    int32_t cycle; /* 0: none */
    int32_t hop;   /* as step: rows of a buffer, elements of an array */
} agni_tile_operand;

enum {
    AGNI_T_LOAD,             /* buffer <- array, rows copied */
    AGNI_T_STORE,            /* array <- buffer */
    AGNI_T_LOAD_TRANSPOSED,  /* rows of buffers <- array, transposed */
    AGNI_T_STORE_TRANSPOSED, /* array <- rows of buffers, transposed */
    AGNI_T_MAP,              /* kernel = AGNI_VM_... */
    AGNI_T_LOOP2,            /* kernel = AGNI_V2_... */
    AGNI_T_LOOP3,            /* kernel = AGNI_V3_... */
    AGNI_T_EAGER_LOOP,       /* kernel = row of the element-wise table */
    AGNI_T_GATHER_ROWS,      /* rows copied by a table; -1 is zero */
    AGNI_T_REDUCE,           /* over the middle of [outer][count][inner], kernel = AGNI_V2_... */
    AGNI_T_PRODUCT,          /* products with the same packed weights */
    AGNI_T_BATCHED_PRODUCT,  /* product of tiles */
    AGNI_T_OUTER_PRODUCT,    /* sum over the batch of products: accumulates */
    AGNI_T_BATCH_SUM,        /* sum over the batch: accumulates */
    AGNI_T_CHAIN,            /* MAP, LOOP2, LOOP3 and more one after the other, block by block */
    AGNI_T_COUNT,
    AGNI_T_DELETED = AGNI_T_COUNT /* by a pass, which removes it at its end */
};

/* A tagged union: op says which member holds. What has no fixed size is in the region's table,
   from the number on that the member names (agni_tile_products and others below). */
typedef struct agni_tile_instr {
    uint8_t op;
    int32_t nin;
    int32_t E; /* rows of the result; elements of an array's row; rows of a chain */
    int32_t dst, dst_row; /* buffer, -1 for none; of sums over the batch: the first accumulator */
    agni_tile_operand in[3];
    union {
        struct { /* MAP, LOOP2, LOOP3, EAGER_LOOP */
            int16_t kernel;
            const int64_t *attr;
        } elementwise;
        struct { /* LOAD, STORE */
            int64_t stride;  /* from one row of the batch to the next */
            int32_t offsets; /* int32_t[E] in the array's row */
            bool truth;      /* stored as truth values */
        } access;
        struct { /* LOAD_TRANSPOSED, STORE_TRANSPOSED */
            int64_t stride;
            int32_t runs; /* agni_transposed_run[E] */
        } transposed;
        struct { /* GATHER_ROWS */
            int32_t pairs; /* int32_t[E][2]: row of the result, row of the operand */
        } gather;
        struct { /* REDUCE */
            int16_t kernel;
            int64_t outer, count, inner;
        } reduce;
        struct { /* PRODUCT: [J, K] of the pack times [K, columns T], each */
            int64_t K, J, columns;
            int32_t pack, products, count; /* agni_tile_product[count] */
        } product;
        struct { /* BATCHED_PRODUCT: [I, K] times [K, J], count of them */
            int64_t I, K, J, count;
        } batched;
        struct { /* OUTER_PRODUCT: [K] times [J] of each row of the batch, summed over the pairs */
            int64_t K, J;
            int32_t pairs, count; /* int32_t[count][4]: buffer and row of both */
        } outer;
        struct { /* CHAIN */
            int32_t slots, n_moving, n_fixed; /* agni_chain_slot[n_moving + n_fixed] */
            int32_t n_beside; /* of those that are fixed, the first: numbers of rows */
            int32_t first_step, n_step;       /* of the region's steps */
            int32_t rows;                     /* from one place to the next; 0: all */
        } chain;
    };
} agni_tile_instr;

typedef struct agni_tile_product {
    int32_t x, x_row, y, y_row;
    int32_t bias, bias_row, bias_step; /* array, -1 for none */
} agni_tile_product;
enum { AGNI_PRODUCT_INTS = sizeof(agni_tile_product) / sizeof(int32_t) };
typedef struct agni_chain_slot {
    int32_t kind;
    int32_t id, row; /* buffer and row; array and its places in table[]; or the number */
    int32_t cycle;   /* of rows, as in agni_tile_operand */
    int32_t writes;
    int32_t step;    /* of numbers of rows: elements from one to the next */
} agni_chain_slot;
enum { AGNI_SLOT_INTS = sizeof(agni_chain_slot) / sizeof(int32_t) };
typedef struct agni_transposed_run {
    int32_t off; /* in the array's row */
    int32_t buf, row;
    int32_t run; /* how many from here on are adjacent in the array */
} agni_transposed_run;
enum { AGNI_TRANSPOSED_RUN_INTS = sizeof(agni_transposed_run) / sizeof(int32_t) };
enum {
    AGNI_SLOT_ROWS,  /* row by row of a buffer */
    AGNI_SLOT_REPEATED_ROW,  /* the same row beside each */
    AGNI_SLOT_SUM,   /* a row, or rows in a cycle, which begin as -0: what is added to that is itself */
    AGNI_SLOT_ARRAY, /* row by row of an array whose last axis is the batch */
    AGNI_SLOT_NUMBER,
    AGNI_SLOT_UNIFORM, /* a number that lies in an array */
    AGNI_SLOT_ROW_NUMBERS, /* a number of an array for each row */
    AGNI_SLOT_SCRATCH
};

/* Does the slot move from row to row of a buffer, which lie one after the other? */
static inline bool agni_chain_slot_has_rows(const agni_chain_slot *s)
{
    return s->kind == AGNI_SLOT_ROWS || (s->kind == AGNI_SLOT_SUM && s->cycle);
}

/* An element of an array that chains read as a number. */
typedef struct agni_chain_uniform {
    int32_t arr, row;
} agni_chain_uniform;

typedef struct agni_tile_buffer {
    int32_t rows, first, last, place; /* live range in instructions; offset in rows */
    bool shared; /* others read it, too, if not in this region: rounded as they have it */
    int32_t array; /* 1 + the array whose part it is (graph/fusion/block_layout.c); 0: of the tile */
    int32_t inside, offset; /* 1 + the buffer whose rows it is, from where on (coalesce_copies.c) */
    bool hosts;             /* others are rows of it */
} agni_tile_buffer;

typedef struct agni_packed_weights { /* weights packed once per run */
    int32_t arr;
    int64_t ldk, ldj, K, J, place;
    int64_t row;
    int64_t kept; /* of a device: its first number in shared memory, from 1; 0: read where it is */
} agni_packed_weights;

typedef struct agni_accumulator { /* an accumulator and the array it becomes */
    int32_t arr;
    int64_t at, n;
} agni_accumulator;

struct agni_region {
    int64_t N, T, chunk; /* rows in all, per tile, per chunk */
    int32_t n_chunk, group, stage;
    bool last;       /* the batch is the last axis */
    int dtype, real; /* AGN_F64 or AGN_F32, and its index in agni_simd_kernels */
    int64_t bytes;   /* of a number */
    agni_tile_instr *in;
    int32_t n_in, cap_in;
    agni_tile_buffer *buf;
    int32_t n_buf, cap_buf;
    int32_t *arr; /* arrays of the plan, as numbered there */
    int32_t n_arr, cap_arr;
    double *num;
    float *num32;
    int32_t n_num, cap_num, cap_num32;
    agni_chain_uniform *uniform;
    int32_t n_uniform, cap_uniform;
    int32_t *table;
    int32_t n_table, cap_table;
    agni_chain_step *step; /* of chains */
    int32_t n_step, cap_step;
    int32_t scratch; /* blocks of the chain that needs most */
    agni_packed_weights *pack;
    int32_t n_pack, cap_pack;
    agni_accumulator *result;
    int32_t n_result, cap_result;
    int64_t rows;                /* of all buffers at once */
    int64_t acc;                 /* numbers of one chunk's accumulators */
    int64_t packed;              /* numbers of all packs */
    int32_t acc_buffer, pack_buffer; /* scratch in the arena */
    int64_t flops;               /* of products, per row of the batch */
    int32_t fused;
    int32_t *node, n_node; /* of the plan's program, as they run: for explain.c */
    const agni_real_kernels *vk;
    int lanes;
    int32_t device; /* whose the region is; other than the CPU: part of a launch (graph/launch) */
    int32_t threads, sum_blocks;
    int64_t kept;                /* numbers of weights that a block keeps in shared memory */
    bool beside; /* some chain reads one row beside others: numbers fill their blocks to the end */
};

/* ---- what is in the table -------------------------------------------------------------------- */

static inline agni_tile_product *agni_tile_products(const agni_region *r, const agni_tile_instr *q)
{
    return (agni_tile_product *)(void *)(r->table + q->product.products);
}
static inline agni_transposed_run *agni_tile_runs(const agni_region *r, const agni_tile_instr *q)
{
    return (agni_transposed_run *)(void *)(r->table + q->transposed.runs);
}
static inline agni_chain_slot *agni_tile_slots(const agni_region *r, const agni_tile_instr *q)
{
    return (agni_chain_slot *)(void *)(r->table + q->chain.slots);
}

/* ---- passes over the instructions --------------------------------------------------------- */

/* Rows that an instruction whose operands have these cycles can do at once; 0 is no cycle. */
static inline int32_t agni_common_cycle(int32_t a, int32_t b)
{
    while (b) {
        int32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Each buffer that q reads or writes, once for each time it is named. */
typedef void agni_visit_buffer(void *user, int32_t buf, bool writes);
void agni_tile_visit_buffers(const agni_region *r, const agni_tile_instr *q, agni_visit_buffer *f,
                             void *user);
int32_t agni_tile_add_table(agni_region *r, int32_t n); /* n more numbers of table[]; -1 */
void agni_tile_remove_deleted(agni_region *r);
/* Are the instructions of a whole region sound? AGN_EUNSUPPORTED with the fault if not
   (verify_tiles.c): a mistake of a pass is refused, never run. */
agn_status agni_tile_verify(const agni_region *r);
/* Passes over the instructions, before buffers are assigned; false without memory. peephole.c:
   multiply-add, biases, products with shared weights; rematerialise.c; fused_elementwise.c:
   element-wise chains; transposing_loads.c; coalesce_copies.c. */
bool agni_tile_peephole(agni_region *r);
bool agni_tile_rematerialise(agni_region *r);
bool agni_tile_fuse_elementwise(agni_region *r);
bool agni_tile_transpose_loads(agni_region *r, const agni_plan *p);
bool agni_tile_coalesce_copies(agni_region *r);
/* After them (tile_buffers.c): a place for every buffer, false without memory; rows of a tile and
   of a chunk. */
bool agni_tile_allocate_buffers(agni_region *r);
void agni_tile_choose_sizes(agni_region *r);

void agni_region_free(agni_region *r);
int64_t agni_region_tile_bytes(const agni_region *r);
agn_status agni_region_run(const agni_region *r, const agni_plan *p, agni_workspace *w);

#endif
