/* sparse/direct/cpu/lu_solve.h - triangular solves with the real factors of UMFPACK. */
#ifndef AGNI_LU_SOLVE_H
#define AGNI_LU_SOLVE_H

#include "tensor/value/tensor.h"

/* P S M Q = L U, of order n */
typedef struct agni_lu agni_lu;
/* of numbers that UMFPACK has; NULL without an error where there are too many for 32 bits */
agn_status agni_lu_extract(agni_lu **out, const char *op, int64_t n, void *numeric);
void agni_lu_free(agni_lu *f); /* NULL allowed */
/* M x = b, or M^T x = b; w[n] is room; x may not be b */
void agni_lu_solve(const agni_lu *f, bool transposed, const double *b, double *x, double *w);

#endif
