/* tensor/reduce/cpu/compensated_sum.h - kernels of compensated sums of one CPU level. */
#ifndef AGNI_CPU_COMPENSATED_H
#define AGNI_CPU_COMPENSATED_H

#include <stdint.h>

/* A sum and its accumulated rounding error. */
typedef struct agni_sum2 {
    double sum, rest;
} agni_sum2;

/* adds n numbers, each so many from the last */
typedef void agni_sum2_fn(agni_sum2 *y, const void *x, int64_t n, int64_t step);
typedef agni_sum2_fn *const agni_sum2_fns[2]; /* of f32, of f64 */
extern agni_sum2_fns agni_sum2_base, agni_sum2_avx2, agni_sum2_avx512;

/* TwoSum (Knuth, TAOCP 2, 4.2.2, theorem B): sum + x = new sum + error exactly, for any sizes */
static inline void agni_sum2_add(agni_sum2 *y, double x, double rest)
{
    double s = y->sum + x, z = s - y->sum;
    y->rest += ((y->sum - (s - z)) + (x - z)) + rest;
    y->sum = s;
}

#endif
