/* tensor/elementwise/cpu/elementwise.c - the loops of every element-wise row for every dtype,
   compiled once per CPU level; the rows are in ops.def, the loop bodies in dtype_loops.inc.h. */
#include "tensor/rows/elementwise.h"
#include "tensor/cpu/vmath/special_maps.h"

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
#define DEFINE_SPECIAL(name, least, most) \
    BY_VECTOR(name, f64, special->name[AGNI_SIMD_F64]) \
    BY_VECTOR(name, f32, special->name[AGNI_SIMD_F32])
AGNI_VSPECIALS(DEFINE_SPECIAL)
#define BY_VECTORS(name, s, real) \
    static void vector_##name##_##s(char *const *p, int64_t n, const int64_t *at) \
    { \
        (void)at; \
        LV(agni_simd_kernels, AGNI_LEVEL).special->name[real](p[0], p[1], p[2], n); \
    }
#define DEFINE_SPECIAL2(name) \
    BY_VECTORS(name, f64, AGNI_SIMD_F64) BY_VECTORS(name, f32, AGNI_SIMD_F32)
#define DEFINE_BOUNDED(name, least, most) DEFINE_SPECIAL2(name)
AGNI_VSPECIALS2(DEFINE_BOUNDED)
#ifdef __AVX2__ /* by two lanes powers take longer than one by one */
AGNI_VPOWERS(DEFINE_SPECIAL2)
#define POWERS AGNI_VPOWERS(OVERWRITE)
#else
#define POWERS
#endif

/* of order 0 and 1 on vectors */
#define POLYGAMMA(s) \
    static void vector_polygamma_##s(char *const *p, int64_t n, const int64_t *at) \
    { \
        if (at[0] == 0) \
            vector_digamma_##s(p, n, at); \
        else if (at[0] == 1) \
            vector_trigamma_##s(p, n, at); \
        else \
            loop_polygamma_##s(p, n, at); \
    }
POLYGAMMA(f64)
POLYGAMMA(f32)

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
    VECTOR_ROWS(OVERWRITE) OVERWRITE(lgamma) OVERWRITE(digamma) OVERWRITE(polygamma) OVERWRITE(ndtr)
    OVERWRITE(log_ndtr) OVERWRITE(ndtri) OVERWRITE(erfinv) OVERWRITE(xlogy) OVERWRITE(xlog1py)
    POWERS
};
#pragma GCC diagnostic pop
