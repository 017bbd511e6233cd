/* tensor/index/gather.h - kernel, inference and batching shared by gather and the scatters. */
#ifndef AGNI_GATHER_H
#define AGNI_GATHER_H

#include "tensor/dispatch/op_helpers.h"

agn_status agni_infer_scatter(agni_call *c);
agn_status agni_scatter_kernel(const agn_kernel_call *c); /* by the op's name */
/* a batch axis of x alone becomes an outer axis; one of the index a shared axis */
agni_batch_fn agni_batch_gather;

#endif
