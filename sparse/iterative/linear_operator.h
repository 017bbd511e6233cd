/* sparse/iterative/linear_operator.h - a matrix, sparse or dense, as what is multiplied with: in tensors, for equations,
   and on plain arrays, for iterations. Its values are passed along. */
#ifndef AGNI_OPERAND_H
#define AGNI_OPERAND_H

#include "krylov/krylov.h"
#include "sparse/pattern/pattern.h"

typedef struct agni_operand {
    agni_pattern *pattern; /* NULL: dense */
    int64_t rows, cols;
} agni_operand;

/* the operand that a is, dense or by compressed rows, with a reference to its pattern; and its values */
agni_operand agni_operand_of(const agn_tensor *a);
void agni_operand_drop(agni_operand *o);
const agn_tensor *agni_operand_values(const agn_tensor *a);

/* A x or A^H x */
const agn_tensor *agni_operand_times(agn_scope *s, const agni_operand *o, bool adjoint,
                                     const agn_tensor *v, const agn_tensor *x);

/* The same for one column: v are values on the host, vh those that agni_operand_turned gives. */
agn_status agni_operand_product(const agni_operand *o, const agn_tensor *v, const agn_tensor *vh,
                                bool adjoint, const void *x, void *y);
agn_status agni_operand_turned(agn_tensor **out, const agni_operand *o, const agn_tensor *v);

#endif
