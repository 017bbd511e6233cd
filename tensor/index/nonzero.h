/* tensor/index/nonzero.h - the places of what is true. */
#ifndef AGNI_TRUTHS_H
#define AGNI_TRUTHS_H

#include "tensor/value/tensor.h"

/* Elements of a mask in row-major order, counted by pieces, which threads share. */
typedef struct agni_truths {
    const bool *v;
    const int64_t *shape;
    int ndim;
    int64_t size, count; /* elements, and how many of them are true */
    int64_t *before;     /* how many before each piece, and all */
} agni_truths;

/* v lives until p is freed, which it may be in any case; AGN_ENOMEM */
agn_status agni_truths_find(agni_truths *p, const char *op, const bool *v, int ndim,
                            const int64_t *shape);
/* to[d][k step] = coordinate d of the k-th place */
void agni_truths_put(const agni_truths *p, int64_t *const *to, int64_t step);
void agni_truths_free(agni_truths *p);

#endif
