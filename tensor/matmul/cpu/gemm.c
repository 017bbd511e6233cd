/* tensor/matmul/cpu/gemm.c - GEMM and GEMV kernels of one CPU level: packing, micro-kernel,
   macro-kernel. The register block holds 12 accumulators of 16 registers on SSE2 and AVX2, 24 of 32
   on AVX-512 and NEON. */
#include "tensor/matmul/cpu/gemm.h"

#include "tensor/cpu/simd/vec_transpose.h"
#include "tensor/cpu/simd/level_functions.h"
#include <string.h>

#if defined(__AVX512F__) || defined(__aarch64__)
enum { ROWS = 8, VECS = 3 };
#define WIDTHS(X, r) X(r, 1) X(r, 2) X(r, 3)
#define SIZES(X) WIDE(X) WIDTHS(X, 7) WIDTHS(X, 8)
#else
enum { ROWS = 6, VECS = 2 };
#define WIDTHS(X, r) X(r, 1) X(r, 2)
#define SIZES(X) WIDE(X)
#endif
enum { PACKED, UNPACKED_A, UNPACKED_PREFETCHED, UNPACKED };
enum {
    STEPS = 2
}; /* of the sums in one pass of the unrolled loop: two threads of a core are bound by instructions */
#define WIDE(X) \
    WIDTHS(X, 1) WIDTHS(X, 2) WIDTHS(X, 3) WIDTHS(X, 4) WIDTHS(X, 5) WIDTHS(X, 6)

#define AGNI_REAL_F64
#include "tensor/cpu/simd/real.h"
#include "tensor/matmul/cpu/gemm_packing_body.h"
#include "tensor/matmul/cpu/gemm_micro_kernel_body.h"
#include "tensor/matmul/cpu/gemm_macro_kernel_body.h"
#include "tensor/matmul/cpu/gemv_body.h"
#undef AGNI_REAL_F64
#define AGNI_REAL_F32
#include "tensor/cpu/simd/real.h"
#include "tensor/matmul/cpu/gemm_packing_body.h"
#include "tensor/matmul/cpu/gemm_micro_kernel_body.h"
#include "tensor/matmul/cpu/gemm_macro_kernel_body.h"
#include "tensor/matmul/cpu/gemv_body.h"
#undef AGNI_REAL_F32

extern const agni_vgemm AGNI_LV(agni_vgemms)[AGNI_SIMD_REALS];
const agni_vgemm AGNI_LV(agni_vgemms)[AGNI_SIMD_REALS] = {
    [AGNI_SIMD_F64] = {ROWS, VECS *AGNI_L_F64, AGNI_L_F64, pack_a_f64, pack_b_f64, macro_kernel_f64,
                     dot_rows_f64, combine_rows_f64},
    [AGNI_SIMD_F32] = {ROWS, VECS *AGNI_L_F32, AGNI_L_F32, pack_a_f32, pack_b_f32, macro_kernel_f32,
                     dot_rows_f32, combine_rows_f32},
};
