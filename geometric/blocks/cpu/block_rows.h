/* geometric/blocks/cpu/block_rows.h - rows of nodes gathered for a block of edges, rows of a block
   added to those of nodes: the table of one CPU level. */
#ifndef AGNI_BLOCK_ROWS_H
#define AGNI_BLOCK_ROWS_H

#include <stdbool.h>
#include <stdint.h>

/* Row i of n belongs to row at[i]. Rows that belong to one row and follow each other are added in
   registers: the same sum in the same order. */
typedef struct agni_block_rows {
    const int64_t *at;
    const void *from;
    void *to;
    int64_t row, n; /* bytes of a row */
    const bool *first; /* by row: it begins an extreme; NULL for sums */
    bool largest;
} agni_block_rows;

typedef void agni_block_rows_fn(const agni_block_rows *q, int64_t lo, int64_t hi);
typedef struct agni_block_kernels {
    agni_block_rows_fn *gather;     /* rows [lo, hi) of the block */
    agni_block_rows_fn *scatter;    /* rows [lo, hi), each to a row of its own */
    agni_block_rows_fn *add[4];     /* f32 f64 i32 i64: elements [lo, hi) of all rows */
    agni_block_rows_fn *extreme[4]; /* NaN wins */
} agni_block_kernels;
typedef const agni_block_kernels agni_block_table;
extern agni_block_table agni_block_rows_base, agni_block_rows_avx2, agni_block_rows_avx512;

#endif
