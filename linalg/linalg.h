/* linalg/linalg.h - what the files of this module share: rows, rules, kernels.

   Primitives, over any leading batch axes:
     linalg_cholesky(a; upper)                 the factor; one triangle of a is read
     linalg_triangle(a; upper, d)              a triangle with its diagonal times d, else 0
     linalg_triangular_solve(l, b; upper)      l x = b; one triangle of l is read
     linalg_lu_factor(a) -> lu, pivots         opaque; a constant for derivatives
     linalg_lu_solve(lu, pivots, a, b; form)   op(a) x = b by a's factor; derivatives see a  */
#ifndef AGNI_LINALG_H
#define AGNI_LINALG_H

#include "tensor/dispatch/op_helpers.h"

/* what op() does to a in linalg_lu_solve */
enum { AGNI_FORM_TRANSPOSED = 1, AGNI_FORM_CONJUGATE = 2 };

agni_jvp_fn agni_cholesky_jvp, agni_triangular_jvp, agni_lu_solve_jvp;
agni_vjp_fn agni_triangular_vjp, agni_lu_solve_vjp;
agni_transpose_fn agni_triangle_transpose;
agni_batch_fn agni_batch_lu_solve;

agn_kernel agni_cpu_cholesky, agni_cpu_triangle, agni_cpu_triangular_solve,
    agni_cpu_lu_factor, agni_cpu_lu_solve;

/* swaps the last two axes, and conjugates */
const agn_tensor *agni_matrix_transpose(agn_scope *s, const agn_tensor *x);
const agn_tensor *agni_conjugate_dense(agn_scope *s, const agn_tensor *x);
const agn_tensor *agni_conjugate_transpose(agn_scope *s, const agn_tensor *x);

#endif
