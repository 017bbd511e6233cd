/* sparse/products/cuda/kernels.h - the kernels beside cuSPARSE. */
#ifndef AGNI_SPARSE_CUDA_H
#define AGNI_SPARSE_CUDA_H

#include "tensor/cuda/cuda.h"

/* A pattern or its transpose on a device; from is NULL or the index of entry e's value. */
typedef struct agni_cu_lines {
    int64_t rows, cols, nnz;
    const int64_t *indptr, *index, *row, *from;
} agni_cu_lines;

#ifdef __cplusplus
extern "C" {
#endif
/* walks: batches of out and two inputs */
void agni_cu_spmm(const agni_cu_walk *w, const agni_cu_lines *a, int dtype, int64_t n,
                  cudaStream_t s);
void agni_cu_sddmm(const agni_cu_walk *w, const agni_cu_lines *a, int dtype, int64_t n,
                   cudaStream_t s);
/* entries of dense [rows, cols] from values, or values from entries */
void agni_cu_entries(const agni_cu_walk *w, const agni_cu_lines *a, int dtype, bool to_dense,
                     cudaStream_t s);
/* to[e] = v[from[e]] */
void agni_cu_permuted(void *to, const void *v, const int64_t *from, int64_t nnz, int dtype,
                      cudaStream_t s);
#ifdef __cplusplus
}
#endif

#endif
