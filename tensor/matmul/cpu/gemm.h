/* tensor/matmul/cpu/gemm.h - table of the GEMM and GEMV kernels of one CPU level (in
   agni_simd_kernels); the loops around them are tensor/matmul/gemm.c and gemv.c (Goto & van de
   Geijn 2008; Van Zee & van de Geijn 2015).

   a [m, k] is packed in panels of `rows` rows, b [k, n] in panels of `cols` columns, each panel
   contiguous, k outermost; the last panel of a has the remaining rows, the last of b whole vectors,
   zero-padded. They take m * k and k * agni_gemm_padded_columns(n) elements. */
#ifndef AGNI_CPU_GEMM_H
#define AGNI_CPU_GEMM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct agni_vgemm {
    int rows, cols, lanes;
    /* packs m rows, n columns, of a matrix with strides in elements */
    void (*pack_a)(void *to, const void *a, int64_t rs, int64_t cs, int64_t m, int64_t k);
    void (*pack_b)(void *to, const void *b, int64_t rs, int64_t cs, int64_t k, int64_t n);
    /* c [m, n] (+)= a b. a is packed if rs is 0, b if ldb is 0; an unpacked b has rows of n whole
       vectors, ldb apart, and then cs is 1. Every sum runs over k in order, from 0, and is added to
       c at its end. */
    void (*macro_kernel)(void *c, int64_t ldc, const void *a, int64_t rs, int64_t cs, const void *b,
                         int64_t ldb, int64_t m, int64_t n, int64_t k, bool accumulate);
    /* y[i] = sum_j a[i][j] x[j] of m rows of k, lda apart; y[i] does not depend on the other
       rows */
    void (*dot_rows)(void *y, const void *a, int64_t lda, const void *x, int64_t m, int64_t k);
    /* y[j] = sum_i x[i] a[i][j] of m rows of n, lda apart */
    void (*combine_rows)(void *y, const void *a, int64_t lda, const void *x, int64_t m, int64_t n);
} agni_vgemm;

static inline int64_t agni_gemm_padded_columns(const agni_vgemm *g, int64_t n)
{
    return (n + g->lanes - 1) / g->lanes * g->lanes;
}

#endif
