/* linalg/cuda/kernels.h - kernels for what cuSOLVER and cuBLAS do not do. */
#ifndef AGNI_LINALG_CUDA_H
#define AGNI_LINALG_CUDA_H

#include "tensor/cuda/cuda.h"

#ifdef __cplusplus
extern "C" {
#endif
extern const agni_cu_table agni_cu_gaps;
/* operand 1 to operand 0 [.., rows, cols]: a triangle, the rest zero, the diagonal times d */
void agni_cu_triangle(const agni_cu_walk *w, int dtype, int64_t rows, int64_t cols, bool upper,
                      double d, cudaStream_t s);
/* p[i] = base + i * bytes */
void agni_cu_addresses(void **p, void *base, int64_t bytes, int64_t n, cudaStream_t s);
/* to[i] = from[i] */
void agni_cu_widen(int64_t *to, const int *from, int64_t n, cudaStream_t s);
/* matrices whose info is not 0 become NaN, and the first of them a fault */
void agni_cu_not_definite(const int *info, void *y, int dtype, int64_t n, int64_t batch,
                          unsigned long long *fault, cudaStream_t s);
/* a fault for a matrix [n, n] (strides rs, cs) with a zero on its diagonal */
void agni_cu_zero_diagonal(const void *a, int dtype, int64_t n, int64_t step, int64_t matrix,
                           unsigned long long *fault, cudaStream_t s);
#ifdef __cplusplus
}
#endif

#endif
