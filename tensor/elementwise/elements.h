/* tensor/elementwise/elements.h - kernels that call a function of doubles for each element: of ops
   whose elements cost microseconds. */
#ifndef AGNI_ELEMENTS_H
#define AGNI_ELEMENTS_H

#include "tensor/dispatch/op.h"

enum { AGNI_ELEMENT_ARGUMENTS = 4 };

/* the value at arguments x; c has the attributes */
typedef double agni_element_fn(const double *x, const agn_kernel_call *c);
/* f of each element of the broadcast operands, f32 or f64 */
agn_status agni_run_elements(const agn_kernel_call *c, agni_element_fn *f);

#endif
