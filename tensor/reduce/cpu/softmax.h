/* tensor/reduce/cpu/softmax.h - one level's softmax of lanes, f32 and f64. */
#ifndef AGNI_CPU_SOFTMAX_H
#define AGNI_CPU_SOFTMAX_H

#include <stdint.h>

/* columns at most: rows of it pass as a stream; and rows of one part of a sum */
enum { AGNI_SOFTMAX_TILE = 1024, AGNI_SOFTMAX_ROWS = 128 };

typedef struct agni_vsoftmax {
    /* y[k ld + j] = exp(x[k ld + j] - top[j]) over its sum along k: n rows of m columns, m <=
       AGNI_SOFTMAX_TILE. Results do not depend on the other columns. y may be x. */
    void (*whole)(void *y, const void *x, int64_t n, int64_t ld, int64_t m);
    /* Its passes, for parts of the rows, ld > 1. A sum is that of the sums of parts of
       AGNI_SOFTMAX_ROWS rows, one after the other. */
    void (*top)(void *top, const void *x, int64_t n, int64_t ld, int64_t m);
    void (*exps)(void *sum, void *y, const void *x, const void *top, int64_t n, int64_t ld,
                 int64_t m);
    void (*total)(void *sum, const void *part, int64_t n, int64_t ld, int64_t m);
    void (*over)(void *y, const void *sum, int64_t n, int64_t ld, int64_t m);
} agni_vsoftmax;

#endif
