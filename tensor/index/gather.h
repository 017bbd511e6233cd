/* tensor/index/gather.h - what the scatters have in common. */
#ifndef AGNI_GATHER_H
#define AGNI_GATHER_H

#include "tensor/dispatch/op_helpers.h"

agn_status agni_infer_scatter(agni_call *c);
agn_status agni_scatter_kernel(const agn_kernel_call *c); /* by the op's name */
/* lanes of x alone are outer axes; lanes of an index are shared axes */
agni_batch_fn agni_batch_gather;

#endif
