/* tensor/index/nonzero.h - positions of true elements of a mask. */
#ifndef AGNI_NONZERO_H
#define AGNI_NONZERO_H

#include "tensor/value/tensor.h"

/* A mask in row-major order, counted by pieces, which threads share. */
typedef struct agni_nonzero_pieces {
    const bool *v;
    const int64_t *shape;
    int ndim;
    int64_t size, count; /* elements, and how many of them are true */
    int64_t *before;     /* exclusive prefix sums of the counts of pieces, and the total */
} agni_nonzero_pieces;

/* v must live until p is freed; p may be freed after a failure, too. AGN_ENOMEM */
agn_status agni_nonzero_count(agni_nonzero_pieces *p, const char *op, const bool *v, int ndim,
                            const int64_t *shape);
/* to[d][k step] = coordinate d of the k-th true element */
void agni_nonzero_write(const agni_nonzero_pieces *p, int64_t *const *to, int64_t step);
void agni_nonzero_free(agni_nonzero_pieces *p);

#endif
