/* tensor/matmul/einsum.h - the order in which an Einstein sum is taken. */
#ifndef AGNI_EINSUM_H
#define AGNI_EINSUM_H

#include <stdint.h>

/* A set of axes, numbered below 128. */
typedef struct agni_axes {
    uint64_t bits[2];
} agni_axes;

/* pair[k], k < n - 1: which two of the remaining operands are contracted next; they leave,
   and their product joins behind the others. The order costs least where n is at most 8,
   else it is greedy. cost: multiplications of this order; plain: from left to right. */
void agni_einsum_order(int n, const agni_axes *set, agni_axes result,
                       const int64_t *size, int8_t (*pair)[2], double *cost,
                       double *plain);

#endif
