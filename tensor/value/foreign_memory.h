/* tensor/value/foreign_memory.h - tensors on memory that a user gave. */
#ifndef AGNI_FOREIGN_MEMORY_H
#define AGNI_FOREIGN_MEMORY_H

#include "tensor/value/tensor.h"

/* agni_tensor_wrap on memory that a user gave: bytes of bools are looked at, for one above 1 would
   be counted as a number; where the memory may be written it becomes 1, else it is refused. */
agn_status agni_tensor_wrap_foreign(agn_tensor **out, const char *op, int dtype, int ndim,
                                    const int64_t *shape, const int64_t *stride,
                                    const agni_memory *m);

#endif
