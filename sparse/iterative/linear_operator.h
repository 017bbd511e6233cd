/* sparse/iterative/linear_operator.h - a matrix, sparse or dense, as a linear operator: on tensors,
   for equations, and on plain arrays, for iterations. Its values are passed along. */
#ifndef AGNI_OPERAND_H
#define AGNI_OPERAND_H

#include "krylov/krylov.h"
#include "sparse/products/products.h"

typedef struct agni_linear_operator {
    agni_pattern *pattern; /* NULL: dense */
    int64_t rows, cols;
} agni_linear_operator;

/* the operand that a is, dense or by compressed rows, with a reference to its pattern; and its
   values */
agni_linear_operator agni_linear_operator_of(const agn_tensor *a);
void agni_linear_operator_release(agni_linear_operator *o);
const agn_tensor *agni_linear_operator_values(const agn_tensor *a);

/* A x or A^H x */
const agn_tensor *agni_linear_operator_apply(agn_scope *s, const agni_linear_operator *o,
                                             bool adjoint, const agn_tensor *v,
                                             const agn_tensor *x);

/* The same for one column, where the values v are; vh: those that
   agni_linear_operator_adjoint_values gives. */
agn_status agni_linear_operator_multiply(const agni_linear_operator *o, const agn_tensor *v,
                                         const agn_tensor *vh, bool adjoint, const void *x,
                                         void *y);
/* The largest cosine between r and a column of [A; damp], or, with rows, of its adjoint; 0 for
   columns of zeros. Nothing overflows or vanishes: each column is brought to size first. room: 4
   numbers for each column of A, or row. (sparse/iterative/column_cosine.c) */
double agni_linear_operator_cosine(const agni_linear_operator *o, const agn_tensor *v, bool rows,
                                   double damp, const void *r, double *room);
agn_status agni_linear_operator_adjoint_values(agn_tensor **out, const agni_linear_operator *o,
                                               const agn_tensor *v);

#endif
