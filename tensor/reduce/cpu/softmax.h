/* tensor/reduce/cpu/softmax.h - softmax kernels of one CPU level, f32 and f64. */
#ifndef AGNI_CPU_SOFTMAX_H
#define AGNI_CPU_SOFTMAX_H

#include <stdint.h>

/* columns of a tile at most; rows of one partial sum */
enum { AGNI_SOFTMAX_TILE = 1024, AGNI_SOFTMAX_ROWS = 128 };

typedef struct agni_vsoftmax {
    /* y[k ld + j] = exp(x[k ld + j] - top[j]) over its sum along k: n rows of m columns, m <=
       AGNI_SOFTMAX_TILE. Results do not depend on the other columns. y may be x. */
    void (*whole)(void *y, const void *x, int64_t n, int64_t ld, int64_t m);
    /* Its passes, for blocks of rows, ld > 1. A sum is that of the partial sums of blocks of
       AGNI_SOFTMAX_ROWS rows, in order. */
    void (*column_max)(void *top, const void *x, int64_t n, int64_t ld, int64_t m);
    void (*exp_and_sum)(void *sum, void *y, const void *x, const void *top, int64_t n, int64_t ld,
                        int64_t m);
    void (*add_parts)(void *sum, const void *part, int64_t n, int64_t ld, int64_t m);
    void (*divide_columns)(void *y, const void *sum, int64_t n, int64_t ld, int64_t m);
} agni_vsoftmax;

#endif
