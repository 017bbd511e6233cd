/* operator.h - what the operators share: one Taylor expansion of a function, checks, directions. */
#ifndef AGNI_OPERATOR_H
#define AGNI_OPERATOR_H

#include "autograd/modes/grading.h"
#include "autograd/transforms/transform.h"

#include <agnesi/operator.h>

/* The same where one argument alone moves, along seed (of degree 1, broadcast to its shape):
   y[0 .. K] are the parts of the first result, absent ones NULL. */
agn_status agni_expand_jet_along(const agn_fn *f, agn_scope *s, const agni_grading *g, int argnum,
                                 const agn_tensor *seed, const agn_tensor *const *in,
                                 const agn_tensor **y);

/* n terms of an operator in d columns; *n_poly: one more than there are factors */
agn_status agni_check_terms(const char *op, int32_t d, const int32_t *alpha, int32_t n,
                            const double *c, const int32_t *factor, int32_t *n_poly);
/* columns of the argument; -1 after failing s */
int64_t agni_column_count(agn_scope *s, const char *op, int argnum, const agn_tensor *x);
/* The partial derivatives alpha[n * d] of f by one sweep back, where that is less work than a curve
   along each column; false: nothing was done. out[1 + n], the value first. */
bool agni_partials_by_gradient(const agn_fn *f, agn_scope *s, int argnum, const int32_t *alpha,
                               int32_t n, int32_t d, const agn_tensor *const *in,
                               const agn_tensor **out);
/* rows of numbers that x can be moved along: [n, 1, ..., d], or [d] where n is 1 */
const agn_tensor *agni_seed_rows(agn_scope *s, const double *v, int64_t n, int64_t d,
                            const agn_tensor *x);
/* those of the identity */
const agn_tensor *agni_unit_rows(agn_scope *s, const agn_tensor *x);
/* w y, zeros like the value where y is NULL */
const agn_tensor *agni_scaled_or_zero(agn_scope *s, const agn_tensor *y, double w,
                                      const agn_tensor *value);

#endif
