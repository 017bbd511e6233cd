/* tensor/matmul/gemv.h - GEMV of f32 and f64 by our own kernels. */
#ifndef AGNI_GEMV_H
#define AGNI_GEMV_H

#include "tensor/matmul/gemm.h"

/* y [m] = a [m, k] x [k], numbers of x xs apart; one of the strides of a is 1. */
typedef struct agni_gemv {
    int dtype;
    int64_t m, k;
    agni_gemm_operand a;
    const char *x;
    int64_t xs;
    char *y;
} agni_gemv;

bool agni_gemv_accepts(int64_t m, int64_t k, int64_t rs, int64_t cs);
/* bytes of the workspace of a product of these sizes */
size_t agni_gemv_workspace(int64_t bytes, int64_t m, int64_t k);
/* The sums are cut by the sizes alone: the same bits for any number of threads. */
void agni_gemv_run(const agni_gemv *v, void *workspace);

#endif
