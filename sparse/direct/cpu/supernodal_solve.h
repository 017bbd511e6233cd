/* sparse/direct/cpu/supernodal_solve.h - triangular solves with a supernodal Cholesky factor. */
#ifndef AGNI_SUPERNODAL_H
#define AGNI_SUPERNODAL_H

#include "sparse/direct/cpu/cholmod.h"

/* is it one of real blocks? */
bool agni_is_supernodal(const cholmod_factor *l);
/* one right-hand side; x is not b */
agn_status agni_supernodal_solve(const char *op, const cholmod_factor *l, const double *b,
                                 double *x);

#endif
