/* tensor/reduce/cpu/reduce.h - reduction kernels of one CPU level over blocks of rows. */
#ifndef AGNI_CPU_FOLD_H
#define AGNI_CPU_FOLD_H

#include <stdint.h>

/* Kinds of reductions and their element types: integers wrap around, extremes propagate NaN,
   squares are those of x - c. */
enum {
    AGNI_REDUCE_SUM,
    AGNI_REDUCE_MAX,
    AGNI_REDUCE_MIN,
    AGNI_REDUCE_LSE,
    AGNI_REDUCE_SQUARES,
    AGNI_REDUCE_KINDS
};
enum {
    AGNI_REDUCE_U8,
    AGNI_REDUCE_I32,
    AGNI_REDUCE_I64,
    AGNI_REDUCE_F32,
    AGNI_REDUCE_F64,
    AGNI_REDUCE_TYPES
};

/* Rows of a tile are at most this long, and a tile holds at most so many numbers. */
enum { AGNI_REDUCE_WIDE = 1024, AGNI_REDUCE_BLOCK = 1 << 16 };

/* y[i yld + j] = the reduction over k of x[i xld + k ld + j], of squares about c[i cld + j],
   else c is NULL: many tiles of n rows of m <= AGNI_REDUCE_WIDE numbers, n m <=
   AGNI_REDUCE_BLOCK or n == 1, n >= 1. Results depend on the values, n, m and ld only, and are
   the same at every level but for AGNI_REDUCE_LSE. */
typedef void agni_reduce_fn(void *y, int64_t yld, const void *x, int64_t xld, const void *c,
                            int64_t cld, int64_t many, int64_t n, int64_t ld, int64_t m);
typedef agni_reduce_fn *const agni_reduce_kernels[AGNI_REDUCE_KINDS][AGNI_REDUCE_TYPES];
extern agni_reduce_kernels agni_reduce_kernels_base, agni_reduce_kernels_avx2,
    agni_reduce_kernels_avx512;

#endif
