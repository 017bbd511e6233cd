/* vec.h - vectors of f64 and f32 for one CPU level: types, loads, and the few operations that
 * the vector extensions of gcc and clang lack. Included by sources that are compiled
 * once per level (LEVEL_SOURCES); everything here is static and inlined.
 *
 * Names end in the element type: agni_load_f64, agni_fma_f32. vf64, vf32 are the real
 * vectors, vi64, vi32 the signed integer vectors of the same shape (also masks: all
 * ones where true), vu64, vu32 the unsigned ones. */
#ifndef AGNI_CPU_VEC_H
#define AGNI_CPU_VEC_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifndef AGNI_LEVEL
#define AGNI_LEVEL base
#endif
#define AGNI_LV_PASTE2(name, level) name##_##level
#define AGNI_LV_PASTE1(name, level) AGNI_LV_PASTE2(name, level)
#ifndef AGNI_LV
#define AGNI_LV(name) AGNI_LV_PASTE1(name, AGNI_LEVEL)
#endif

#if defined(__AVX512F__) && defined(__AVX512DQ__)
#define AGNI_VBYTES 64
#elif defined(__AVX2__)
#define AGNI_VBYTES 32
#else
#define AGNI_VBYTES 16
#endif

#if defined(__FMA__) || defined(__aarch64__)
#define AGNI_HAS_FMA 1
#else
#define AGNI_HAS_FMA 0
#endif

#define AGNI_INLINE static inline __attribute__((always_inline, unused))

/* Unrolls a loop of constant count; gcc and clang have different pragmas. */
#ifdef __clang__
#define AGNI_UNROLL _Pragma("clang loop unroll(full)")
#else
#define AGNI_UNROLL _Pragma("GCC unroll 64")
#endif

typedef double vf64 __attribute__((vector_size(AGNI_VBYTES)));
typedef float vf32 __attribute__((vector_size(AGNI_VBYTES)));
typedef int64_t vi64 __attribute__((vector_size(AGNI_VBYTES)));
typedef int32_t vi32 __attribute__((vector_size(AGNI_VBYTES)));
typedef uint64_t vu64 __attribute__((vector_size(AGNI_VBYTES)));
typedef uint32_t vu32 __attribute__((vector_size(AGNI_VBYTES)));
typedef double vf64_any
    __attribute__((vector_size(AGNI_VBYTES), aligned(8), may_alias));
typedef float vf32_any __attribute__((vector_size(AGNI_VBYTES), aligned(4), may_alias));

enum { AGNI_L_F64 = AGNI_VBYTES / 8, AGNI_L_F32 = AGNI_VBYTES / 4 };

#include "tensor/cpu/simd/vec_isa.h"

#define AGNI_REAL_F64
#include "tensor/cpu/simd/real.h"
#include "tensor/cpu/simd/vec_body.h"
#undef AGNI_REAL_F64
#define AGNI_REAL_F32
#include "tensor/cpu/simd/real.h"
#include "tensor/cpu/simd/vec_body.h"
#undef AGNI_REAL_F32

#endif
