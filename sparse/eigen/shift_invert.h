/* sparse/eigen/shift_invert.h - shift-invert: the inverse of A - sigma M. */
#ifndef AGNI_SHIFT_H
#define AGNI_SHIFT_H

#include "sparse/iterative/linear_operator.h"

#include <agnesi/sparse_direct.h>

/* va, vm: values of f64 or c128 on the host; mass NULL: the identity */
agn_status agni_shift_invert_factor(agn_sparse_factor **out, const char *op,
                                    const agni_linear_operator *a, const agn_tensor *va,
                                    double sigma, const agni_linear_operator *mass,
                                    const agn_tensor *vm);
/* one column of f64 or c128 */
agn_status agni_shift_invert_solve(const agn_sparse_factor *f, int dtype, int64_t n, const void *x,
                                   void *y);

#endif
