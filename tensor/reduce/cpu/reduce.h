/* tensor/reduce/cpu/reduce.h - one level's kernels of sums and extremes over blocks of rows. */
#ifndef AGNI_CPU_FOLD_H
#define AGNI_CPU_FOLD_H

#include <stdint.h>

/* What is folded, and the types it is folded in: integers wrap, extremes keep NaN. Squares are
   those of x - c. */
enum {
    AGNI_FOLD_SUM,
    AGNI_FOLD_MAX,
    AGNI_FOLD_MIN,
    AGNI_FOLD_LSE,
    AGNI_FOLD_SQUARES,
    AGNI_FOLDS
};
enum { AGNI_FT_U8, AGNI_FT_I32, AGNI_FT_I64, AGNI_FT_F32, AGNI_FT_F64, AGNI_FOLD_TYPES };

/* Rows of a tile are at most this long, and a tile holds at most so many numbers. */
enum { AGNI_FOLD_WIDE = 1024, AGNI_FOLD_BLOCK = 1 << 16 };

/* y[i yld + j] = the fold over k of x[i xld + k ld + j], about c[i cld + j] where squares ask
   for it, else c is NULL: many tiles of n rows of m <= AGNI_FOLD_WIDE numbers,
   n m <= AGNI_FOLD_BLOCK or n == 1, n >= 1. Results depend on the values, n, m and ld only, and are the
   same at every level but for AGNI_FOLD_LSE. */
typedef void agni_fold(void *y, int64_t yld, const void *x, int64_t xld, const void *c,
                       int64_t cld, int64_t many, int64_t n, int64_t ld, int64_t m);
typedef agni_fold *const agni_folds[AGNI_FOLDS][AGNI_FOLD_TYPES];
extern agni_folds agni_folds_base, agni_folds_avx2, agni_folds_avx512;

#endif
