/* krylov/cuda/kernels.h - the kernel for vectors of Krylov methods. */
#ifndef AGNI_KRYLOV_CUDA_H
#define AGNI_KRYLOV_CUDA_H

#include "tensor/cuda/cuda.h"

#ifdef __cplusplus
extern "C" {
#endif
extern const agni_cu_table agni_cu_vectors;
#ifdef __cplusplus
}
#endif

#endif
