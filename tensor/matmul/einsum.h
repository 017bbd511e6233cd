/* tensor/matmul/einsum.h - the parts of einsum: subscripts, contraction order. */
#ifndef AGNI_EINSUM_H
#define AGNI_EINSUM_H

#include "tensor/value/tensor.h"

/* Axes are numbered: letters a-z 0..25, A-Z 26..51, and the broadcast axes of "..." from
   AGNI_MAX_RANK + 20 on, aligned at their end. */
enum { AGNI_EINSUM_LETTERS = 52, AGNI_EINSUM_AXES = AGNI_EINSUM_LETTERS + AGNI_MAX_RANK };

/* the subscripts of an operand or of the result */
typedef struct agni_einsum_term {
    int n, axis[AGNI_MAX_RANK]; /* axis numbers, in order */
} agni_einsum_term;

/* t[n] of the operands, the result, and size[AGNI_EINSUM_AXES]: -1 for an axis that does not
   occur */
agn_status agni_einsum_parse(const char *spec, const agn_tensor *const *xs, int n,
                             agni_einsum_term *t, agni_einsum_term *out, int64_t *size);

/* A set of axes, numbered below 128. */
typedef struct agni_axis_set {
    uint64_t bits[2];
} agni_axis_set;

/* pair[k], k < n - 1: which two of the remaining operands are contracted next; they are removed,
   and their product is appended. The order is optimal if n is at most 8, else greedy. cost:
   multiplications of this order; plain: from left to right. */
void agni_einsum_order(int n, const agni_axis_set *set, agni_axis_set result, const int64_t *size,
                       int8_t (*pair)[2], double *cost, double *plain);

#endif
