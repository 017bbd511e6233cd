/* tensor/value/coalesce.h - coalescing of the axes of a loop nest over strided operands; also read
   by the CUDA module. */
#ifndef AGNI_COALESCE_H
#define AGNI_COALESCE_H

#include <stdbool.h>
#include <stdint.h>

/* Coalesces axes: drops those of size 1 and merges neighbours that are one axis in all n_op
   operands; returns the number of axes left. The strides of axis d begin at stride + d pitch. */
static inline int agni_ew_coalesce(int ndim, int64_t *shape, int64_t *stride, int pitch, int n_op)
{
    int n = 0;
    for (int d = 0; d < ndim; d++) {
        const int64_t *from = stride + d * pitch;
        if (shape[d] == 1)
            continue;
        bool one = n > 0;
        for (int i = 0; one && i < n_op; i++)
            one = stride[(n - 1) * pitch + i] == from[i] * shape[d];
        if (one)
            shape[n - 1] *= shape[d];
        else
            shape[n++] = shape[d];
        for (int i = 0; i < n_op; i++)
            stride[(n - 1) * pitch + i] = from[i];
    }
    return n;
}

#endif
