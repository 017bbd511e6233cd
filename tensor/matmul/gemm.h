/* tensor/matmul/gemm.h - blocked GEMM of f32 and f64 by our own kernels. */
#ifndef AGNI_GEMM_H
#define AGNI_GEMM_H

#include "tensor/value/tensor.h"

/* a matrix: element (i, j) at p + i rs + j cs, strides in elements */
typedef struct agni_gemm_operand {
    const char *p;
    int64_t rs, cs;
} agni_gemm_operand;

/* bytes of the workspace of a product of these sizes */
size_t agni_gemm_workspace(int dtype, int64_t m, int64_t n, int64_t k);

/* c [m, n] = a [m, k] b [k, n], rows of c ldc apart; f32 or f64, all sizes at least 1. The sums
   are cut by the sizes alone: the same bits for any number of threads. */
void agni_gemm(int dtype, int64_t m, int64_t n, int64_t k, agni_gemm_operand a, agni_gemm_operand b,
               void *c, int64_t ldc, void *workspace);

/* c := c + a b, the same bits */
void agni_gemm_add(int dtype, int64_t m, int64_t n, int64_t k, agni_gemm_operand a,
                   agni_gemm_operand b, void *c, int64_t ldc, void *workspace);

/* The same with one operand, a or b, packed once for many products: bytes of the packed operand
   (0: it does not pay), packing it, a product with it. The bits are the same. */
enum { AGNI_GEMM_A, AGNI_GEMM_B };
size_t agni_gemm_prepacked_bytes(int dtype, int which, int64_t m, int64_t n, int64_t k,
                                 agni_gemm_operand a, agni_gemm_operand b);
void agni_gemm_prepack(int dtype, int which, int64_t m, int64_t n, int64_t k, agni_gemm_operand x,
                       void *to);
void agni_gemm_prepacked(int dtype, int which, const void *packed, int64_t m, int64_t n, int64_t k,
                         agni_gemm_operand a, agni_gemm_operand b, void *c, int64_t ldc,
                         void *workspace);

#endif
