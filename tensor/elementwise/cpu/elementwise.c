/* tensor/elementwise/cpu/elementwise.c - the loops of every element-wise row for every dtype,
   compiled once per CPU level; the rows are in ops.def, the loop bodies in dtype_loops.inc.h. */
#include "tensor/rows/elementwise.h"
#include "tensor/cpu/simd/kernel_table.h"

#include "tensor/elementwise/cpu/scalar.h"

#define LV_(a, b) a##_##b
#define LV(a, b) LV_(a, b)
#define TABLE LV(agni_ew, AGNI_LEVEL)
#ifdef __clang__ /* which warns where a loop so marked has no vectors */
#define INDEPENDENT
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

/* dtypes without a real or complex partner name themselves: no row uses it */
#define SFX b
#define T bool
#define TR bool
#define TC bool
#define HAS_R 0
#define HAS_C 0
#define HAS_Z 0
#define HAS_I 0
#define HAS_Q 0
#define HAS_N 0
#define HAS_BI 1
#define HAS_BN 1
#define HAS_BQ 1
#include "tensor/elementwise/cpu/dtype_loops.inc.h"
#undef SFX
#undef T
#undef TR
#undef TC
#undef HAS_I
#undef HAS_Q
#undef HAS_N
#define HAS_I 1
#define HAS_Q 1
#define HAS_N 1
#define SFX i32
#define T int32_t
#define TR int32_t
#define TC int32_t
#include "tensor/elementwise/cpu/dtype_loops.inc.h"
#undef SFX
#undef T
#undef TR
#undef TC
#define SFX i64
#define T int64_t
#define TR int64_t
#define TC int64_t
#include "tensor/elementwise/cpu/dtype_loops.inc.h"
#undef SFX
#undef T
#undef TR
#undef TC
#undef HAS_R
#undef HAS_C
#undef HAS_I
#undef HAS_BI
#define HAS_R 1
#define HAS_C 1
#define HAS_I 0
#define HAS_BI 0
#define SFX f32
#define T float
#define TR float
#define TC agni_c64
#include "tensor/elementwise/cpu/dtype_loops.inc.h"
#undef SFX
#undef T
#undef TR
#undef TC
#define SFX f64
#define T double
#define TR double
#define TC agni_c128
#include "tensor/elementwise/cpu/dtype_loops.inc.h"
#undef SFX
#undef T
#undef TR
#undef TC
#undef HAS_R
#undef HAS_Z
#undef HAS_Q
#undef HAS_BQ
#define HAS_R 0
#define HAS_Z 1
#define HAS_Q 0
#define HAS_BQ 0
#define SFX c64
#define T agni_c64
#define TR float
#define TC agni_c64
#include "tensor/elementwise/cpu/dtype_loops.inc.h"
#undef SFX
#undef T
#undef TR
#undef TC
#define SFX c128
#define T agni_c128
#define TR double
#define TC agni_c128
#include "tensor/elementwise/cpu/dtype_loops.inc.h"
#undef SFX

/* ---- rows with a vector function ------------------------------------------------------- */

extern const agni_simd_kernels LV(agni_simd_kernels, AGNI_LEVEL);
#define BY_VECTOR(name, s, kernel) \
    static void vector_##name##_##s(char *const *p, int64_t n, const int64_t *at) \
    { \
        (void)at; \
        LV(agni_simd_kernels, AGNI_LEVEL).kernel(p[0], p[1], n); \
    }
#define VECTOR_ROWS(X) \
    X(tanh) X(exp) X(expm1) X(log) X(log1p) X(sigmoid) X(softplus) X(sin) X(cos) X(tan) X(erf) \
    X(erfc) X(gelu)
#define DEFINE(name) \
    BY_VECTOR(name, f64, real[AGNI_SIMD_F64].map[AGNI_VM_##name]) \
    BY_VECTOR(name, f32, real[AGNI_SIMD_F32].map[AGNI_VM_##name])
VECTOR_ROWS(DEFINE)
#define DEFINE32(name) BY_VECTOR(name, f32, map32[AGNI_VM32_##name])
AGNI_VMAPS32(DEFINE32)

/* the table: a class names the dtypes that have a loop */
#define AT(d, name, s) [AGN_##d] = loop_##name##_##s
#define IN_R(n) AT(F32, n, f32), AT(F64, n, f64)
#define IN_Z(n) AT(C64, n, c64), AT(C128, n, c128)
#define IN_C(n) IN_R(n), IN_Z(n)
#define IN_I(n) AT(I32, n, i32), AT(I64, n, i64)
#define IN_Q(n) IN_I(n), IN_R(n)
#define IN_N(n) IN_Q(n), IN_Z(n)
#define IN_BI(n) AT(BOOL, n, b), IN_I(n)
#define IN_BQ(n) AT(BOOL, n, b), IN_Q(n)
#define IN_BN(n) AT(BOOL, n, b), IN_N(n)
#define EW1(c, name, ...) [AGNI_EW_##name] = {IN_##c(name)},
#include "tensor/rows/ops_alike.h"
/* vector kernels replace the loops of the table */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
agni_loops TABLE = {
#include "tensor/rows/ops.def"
#include "tensor/rows/ops_end.h"
    [AGNI_EW_where] = {IN_BN(where)},
#define OVERWRITE(name) \
    [AGNI_EW_##name][AGN_F64] = vector_##name##_f64, \
    [AGNI_EW_##name][AGN_F32] = vector_##name##_f32,
    VECTOR_ROWS(OVERWRITE)
#define OVERWRITE32(name) [AGNI_EW_##name][AGN_F32] = vector_##name##_f32,
    AGNI_VMAPS32(OVERWRITE32)
};
#pragma GCC diagnostic pop
