/* sparse/ops/semiring.h - semirings: sum, product and neutral element of a matrix product. */
#ifndef AGNI_SEMIRING_H
#define AGNI_SEMIRING_H

#include "sparse/ops/ops.h"
#include "sparse/products/products.h"

#include <agnesi/sparse.h>

typedef struct agni_semiring {
    const char *name;
    const agni_op *times;  /* commutes */
    agni_group_fn *plus;   /* an empty sum is its neutral element */
    int dtype;             /* what is computed in; -1: the dtype of the operands */
    bool infinite;         /* the neutral element is an infinity */
} agni_semiring;

extern const agni_semiring agni_semirings[]; /* by AGN_SEMIRING_ */

static inline const agn_tensor *agni_semiring_multiply(agn_scope *s, const agni_semiring *r,
                                                       const agn_tensor *a, const agn_tensor *b)
{
    return a && b ? agni_apply_in(s, r->times, NULL, 2, (const agn_tensor *[]){a, b}) : NULL;
}

/* a b, at least one of them sparse (sparse/ops/matmul.c) */
const agn_tensor *agni_semiring_matmul(agn_scope *s, const char *op, const agni_semiring *r,
                                       const agn_tensor *a, const agn_tensor *b);

#endif
