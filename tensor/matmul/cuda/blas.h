/* tensor/matmul/cuda/blas.h - cuBLAS: one handle per device, behind a lock; matrix layouts,
   batches. */
#ifndef AGNI_CUDA_BLAS_H
#define AGNI_CUDA_BLAS_H

#include "tensor/cuda/cuda.h"
#include <cublas_v2.h>

/* The handle on the call's stream, locked until agni_cu_blas_done, which turns e into a status. */
cublasStatus_t agni_cu_blas(const agn_kernel_call *c, cublasHandle_t *h);
agn_status agni_cu_blas_done(const agn_kernel_call *c, cublasStatus_t e);

/* A row-major matrix as cuBLAS sees it: dense along one axis. */
typedef struct agni_cu_side {
    const char *p;
    int64_t ld;
    cublasOperation_t op; /* N: the memory read by columns is the transpose */
} agni_cu_side;
bool agni_cu_blas_layout(int64_t rows, int64_t cols, int64_t rs, int64_t cs, agni_cu_side *s);

/* The axes of out before its last two, over which a and b broadcast: operands 0, 1, 2. */
void agni_cu_batch(const agn_kernel_call *c, const agn_array *a, const agn_array *b,
                   agni_cu_walk *w);

#endif
