/* tensor/matmul/matmul.h - one call of the op matmul: its sizes, and which kernel multiplies. */
#ifndef AGNI_MATMUL_H
#define AGNI_MATMUL_H

#include "tensor/dispatch/op_helpers.h"
#include "tensor/matmul/gemv.h"

/* a matrix with the strides by which its product reads it */
typedef struct agni_matrix_view {
    agn_array x;
    int64_t shape[2], stride[2];
} agni_matrix_view;

typedef struct agni_matmul_job {
    const agn_array *a, *b, *y;
    agni_matrix_view view[3]; /* what these are where a batch of columns is flattened */
    int64_t m, n, k, bytes, batch;
    char *bufa, *bufb; /* copy of one matrix, where BLAS does not take the strides */
    char *workspace;   /* of agni_gemm and agni_gemv_run, one for each worker */
    size_t workspace_bytes;
    const void *prepacked; /* operand `which` of agni_gemm */
    int which;
    bool blas, blocked, gemv; /* the kernel: the linked BLAS; agni_gemm; agni_gemv_run; */
    const struct agni_real_kernels
        *small; /* the tile kernels, or NULL; if none of them, the reference */
} agni_matmul_job;

/* sizes and kernel of a call (tensor/matmul/matmul_kernel.c) */
void agni_matmul_choose(agni_matmul_job *p, const agn_kernel_call *c);
/* matrix i of the batch of y in x, which broadcasts */
agni_gemm_operand agni_matmul_matrix(const agn_array *x, const agn_array *y, int64_t i,
                                     int64_t bytes);
/* runs a job whose kernel is agni_gemm or agni_gemv_run */
agn_status agni_matmul_run(agni_matmul_job *p, const agn_kernel_call *c);
agn_kernel agni_cpu_matmul;
size_t agni_matmul_scratch(const agn_kernel_call *c);

extern const agni_prepacked_form agni_matmul_prepacked; /* tensor/matmul/matmul_prepacked.c */

#endif
