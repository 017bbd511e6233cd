/* sparse/shift.h - the inverse of A - sigma M. */
#ifndef AGNI_SHIFT_H
#define AGNI_SHIFT_H

#include "sparse/operand.h"

typedef struct agni_inverse {
    agni_pattern *pattern;
    agn_tensor *values, *factor; /* of sign times the matrix */
    double sign;
} agni_inverse;

/* va, vm: values of f64 or c128 on the host; mass NULL: the identity. AGN_EDOMAIN where neither sign
   is positive definite */
agn_status agni_inverse_open(agni_inverse *q, const char *op, const agni_operand *a,
                             const agn_tensor *va, double sigma, const agni_operand *mass,
                             const agn_tensor *vm);
void agni_inverse_close(agni_inverse *q);
/* one column of f64 or c128 */
agn_status agni_inverse_apply(const agni_inverse *q, int dtype, const void *x, void *y);

#endif
