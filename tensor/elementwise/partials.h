/* tensor/elementwise/partials.h - derivatives in parameters of gammainc, betainc and zeta, by
   order; of order 0 the rows themselves. */
#ifndef AGNI_PARTIALS_H
#define AGNI_PARTIALS_H

#include "tensor/dispatch/op.h"

/* (d/da)^k of P(a, x), or of its density in x */
const agn_tensor *agni_gamma_partial_in(agn_scope *s, const agn_tensor *a, const agn_tensor *x,
                                        int64_t k, bool density);
/* (d/da)^i (d/db)^j of I_x(a, b), or of its density in x */
const agn_tensor *agni_beta_partial_in(agn_scope *s, const agn_tensor *const *abx, int64_t i,
                                       int64_t j, bool density);
/* (d/dz)^k of zeta(z, q) */
const agn_tensor *agni_zeta_partial_in(agn_scope *s, const agn_tensor *z, const agn_tensor *q,
                                       int64_t k);

/* elementwise.c: phi(x) / Phi(x), the slope of log_ndtr */
const agn_tensor *agni_inverse_mills(agn_scope *s, const agn_tensor *x);

#endif
