/* tensor/index/nonzero.h - the places of what is true. */
#ifndef AGNI_TRUTHS_H
#define AGNI_TRUTHS_H

#include "tensor/value/tensor.h"

/* Elements of a mask in row-major order, counted by pieces, which threads share. */
typedef struct agni_nonzero_pieces {
    const bool *v;
    const int64_t *shape;
    int ndim;
    int64_t size, count; /* elements, and how many of them are true */
    int64_t *before;     /* how many before each piece, and all */
} agni_nonzero_pieces;

/* v lives until p is freed, which it may be in any case; AGN_ENOMEM */
agn_status agni_nonzero_find(agni_nonzero_pieces *p, const char *op, const bool *v, int ndim,
                            const int64_t *shape);
/* to[d][k step] = coordinate d of the k-th place */
void agni_nonzero_put(const agni_nonzero_pieces *p, int64_t *const *to, int64_t step);
void agni_nonzero_free(agni_nonzero_pieces *p);

#endif
