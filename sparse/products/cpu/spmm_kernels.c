/* sparse/products/cpu/spmm_kernels.c - SpMM, SDDMM and transposed SpMV, compiled once per CPU
   level. */
#include "sparse/products/cpu/spmm_kernels.h"

#include "sparse/products/cpu/multiply_add.h"
#include "tensor/cpu/vmath/vmath.h"

#include <complex.h>
#include <string.h>

/* Rows of dense operands are read in no order, from pages that are not mapped yet: those of the
   entry AHEAD are prefetched, as many as hide a walk of the page tables, up to LINES cache lines of
   each; single numbers FAR entries ahead. */
enum { LINE = 64, AHEAD = 32, LINES = 8, FAR = 16 };
static inline void prefetch_lines(const void *row, int64_t bytes)
{
    const char *p = row;
    for (int64_t k = 0; k < bytes && k < LINES * LINE; k += LINE)
        __builtin_prefetch(p + k, 0, 3);
}

/* A loop that says so stays as it is: numbers from all over memory that are put into vectors, only
   to be taken out again and added in order, take a third longer. */
#define ONE_BY_ONE() __asm__ volatile("")

#define INT int32_t
#define IN(x, s) x##_##s##_i32
#include "sparse/products/cpu/spmm_types.h"
#undef INT
#undef IN
#define INT int64_t
#define IN(x, s) x##_##s##_i64
#include "sparse/products/cpu/spmm_types.h"
#undef INT
#undef IN

#define ROW(s, i) {spmm_##s##_##i, sddmm_##s##_##i, spmv_transposed_##s##_##i}
agni_product_table AGNI_LV(agni_products) = {
    {ROW(f32, i32), ROW(f64, i32), ROW(c64, i32), ROW(c128, i32)},
    {ROW(f32, i64), ROW(f64, i64), ROW(c64, i64), ROW(c128, i64)}};
