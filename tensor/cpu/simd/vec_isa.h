/* vec_isa.h - the only intrinsics of the CPU kernels: fused multiply-add, square root, bounds,
 * blend, "any lane", products where 0 times anything is 0 and parts of vectors (AGNI_MASKS,
 AGNI_PARTS:
 * here, else in vec_body.h), which the vector extensions cannot say (-ffp-contract is off, and a
 loop over lanes is not reliably recombined).
 * One block per instruction set.
 *
 * agni_most(bound, x) is the smaller, agni_least(bound, x) the larger of the two,
 * and x where x is NaN. */
#ifndef AGNI_CPU_VEC_ISA_H
#define AGNI_CPU_VEC_ISA_H

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

/* Forces v into a register: gcc would use it as an operand in memory, each use would load it, and
   loads
 * would bound the loop. */
#if defined(__AVX512F__)
#define AGNI_HELD(v) __asm__("" : "+v"(v))
#elif defined(__x86_64__)
#define AGNI_HELD(v) __asm__("" : "+x"(v))
#elif defined(__aarch64__)
#define AGNI_HELD(v) __asm__("" : "+w"(v))
#else
#define AGNI_HELD(v) ((void)0)
#endif

/* whether agni_select looks at the sign bits of its mask alone */
#define AGNI_SELECTS_BY_SIGN (AGNI_VBYTES >= 32)

/* the 64-bit products of the low halves of the lanes */
#if AGNI_VBYTES == 64
AGNI_INLINE vu64 agni_mul_low(vu64 a, vu64 b)
{
    return (vu64)_mm512_mul_epu32((__m512i)a, (__m512i)b);
}
#elif AGNI_VBYTES == 32
AGNI_INLINE vu64 agni_mul_low(vu64 a, vu64 b)
{
    return (vu64)_mm256_mul_epu32((__m256i)a, (__m256i)b);
}
#elif defined(__x86_64__)
AGNI_INLINE vu64 agni_mul_low(vu64 a, vu64 b)
{
    return (vu64)_mm_mul_epu32((__m128i)a, (__m128i)b);
}
#else
AGNI_INLINE vu64 agni_mul_low(vu64 a, vu64 b)
{
    return (a & 0xffffffff) * (b & 0xffffffff);
}
#endif

#if AGNI_VBYTES == 64

AGNI_INLINE vf64 agni_fma_f64(vf64 a, vf64 b, vf64 c)
{
    return (vf64)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
}
AGNI_INLINE vf32 agni_fma_f32(vf32 a, vf32 b, vf32 c)
{
    return (vf32)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
}
AGNI_INLINE vf64 agni_most_f64(vf64 bound, vf64 x)
{
    return (vf64)_mm512_min_pd((__m512d)bound, (__m512d)x);
}
AGNI_INLINE vf32 agni_most_f32(vf32 bound, vf32 x)
{
    return (vf32)_mm512_min_ps((__m512)bound, (__m512)x);
}
AGNI_INLINE vf64 agni_least_f64(vf64 bound, vf64 x)
{
    return (vf64)_mm512_max_pd((__m512d)bound, (__m512d)x);
}
AGNI_INLINE vf32 agni_least_f32(vf32 bound, vf32 x)
{
    return (vf32)_mm512_max_ps((__m512)bound, (__m512)x);
}
AGNI_INLINE vf64 agni_sqrt_f64(vf64 a)
{
    return (vf64)_mm512_sqrt_pd((__m512d)a);
}
AGNI_INLINE vf32 agni_sqrt_f32(vf32 a)
{
    return (vf32)_mm512_sqrt_ps((__m512)a);
}
AGNI_INLINE vf64 agni_select_f64(vi64 m, vf64 a, vf64 b)
{
    return (vf64)_mm512_mask_blend_pd(_mm512_movepi64_mask((__m512i)m), (__m512d)b,
                                      (__m512d)a);
}
AGNI_INLINE vf32 agni_select_f32(vi32 m, vf32 a, vf32 b)
{
    return (vf32)_mm512_mask_blend_ps(_mm512_movepi32_mask((__m512i)m), (__m512)b,
                                      (__m512)a);
}
AGNI_INLINE bool agni_any_f64(vi64 m)
{
    return _mm512_movepi64_mask((__m512i)m) != 0;
}
AGNI_INLINE bool agni_any_f32(vi32 m)
{
    return _mm512_movepi32_mask((__m512i)m) != 0;
}
#define AGNI_MASKS /* lanes where neither factor is 0 */
AGNI_INLINE __mmask8 agni_neither_f64(vf64 a, vf64 b)
{
    const __m512d zero = _mm512_setzero_pd();
    return _mm512_mask_cmp_pd_mask(_mm512_cmp_pd_mask((__m512d)a, zero, _CMP_NEQ_UQ), (__m512d)b,
                                   zero, _CMP_NEQ_UQ);
}
AGNI_INLINE __mmask16 agni_neither_f32(vf32 a, vf32 b)
{
    const __m512 zero = _mm512_setzero_ps();
    return _mm512_mask_cmp_ps_mask(_mm512_cmp_ps_mask((__m512)a, zero, _CMP_NEQ_UQ), (__m512)b,
                                   zero, _CMP_NEQ_UQ);
}
AGNI_INLINE vf64 agni_mulz_f64(vf64 a, vf64 b)
{
    return (vf64)_mm512_maskz_mul_pd(agni_neither_f64(a, b), (__m512d)a, (__m512d)b);
}
AGNI_INLINE vf32 agni_mulz_f32(vf32 a, vf32 b)
{
    return (vf32)_mm512_maskz_mul_ps(agni_neither_f32(a, b), (__m512)a, (__m512)b);
}
AGNI_INLINE vf64 agni_fmaz_f64(vf64 a, vf64 b, vf64 c)
{
    return (vf64)_mm512_mask3_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c, agni_neither_f64(a, b));
}
AGNI_INLINE vf32 agni_fmaz_f32(vf32 a, vf32 b, vf32 c)
{
    return (vf32)_mm512_mask3_fmadd_ps((__m512)a, (__m512)b, (__m512)c, agni_neither_f32(a, b));
}
#define AGNI_SCALES /* y 2^n, rounded once */
AGNI_INLINE vf64 agni_times_power_f64(vf64 y, vf64 n)
{
    return (vf64)_mm512_scalef_pd((__m512d)y, (__m512d)n);
}
AGNI_INLINE vf32 agni_times_power_f32(vf32 y, vf32 n)
{
    return (vf32)_mm512_scalef_ps((__m512)y, (__m512)n);
}
#define AGNI_PARTS
AGNI_INLINE vf64 agni_load_part_f64(const double *p, int64_t n)
{
    return (vf64)_mm512_mask_loadu_pd(_mm512_set1_pd(p[n - 1]), (__mmask8)((1U << n) - 1), p);
}
AGNI_INLINE vf32 agni_load_part_f32(const float *p, int64_t n)
{
    return (vf32)_mm512_mask_loadu_ps(_mm512_set1_ps(p[n - 1]), (__mmask16)((1U << n) - 1), p);
}
AGNI_INLINE void agni_store_part_f64(double *p, vf64 a, int64_t n)
{
    _mm512_mask_storeu_pd(p, (__mmask8)((1U << n) - 1), (__m512d)a);
}
AGNI_INLINE void agni_store_part_f32(float *p, vf32 a, int64_t n)
{
    _mm512_mask_storeu_ps(p, (__mmask16)((1U << n) - 1), (__m512)a);
}

#elif AGNI_VBYTES == 32

AGNI_INLINE vf64 agni_fma_f64(vf64 a, vf64 b, vf64 c)
{
    return (vf64)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
}
AGNI_INLINE vf32 agni_fma_f32(vf32 a, vf32 b, vf32 c)
{
    return (vf32)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
}
AGNI_INLINE vf64 agni_most_f64(vf64 bound, vf64 x)
{
    return (vf64)_mm256_min_pd((__m256d)bound, (__m256d)x);
}
AGNI_INLINE vf32 agni_most_f32(vf32 bound, vf32 x)
{
    return (vf32)_mm256_min_ps((__m256)bound, (__m256)x);
}
AGNI_INLINE vf64 agni_least_f64(vf64 bound, vf64 x)
{
    return (vf64)_mm256_max_pd((__m256d)bound, (__m256d)x);
}
AGNI_INLINE vf32 agni_least_f32(vf32 bound, vf32 x)
{
    return (vf32)_mm256_max_ps((__m256)bound, (__m256)x);
}
AGNI_INLINE vf64 agni_sqrt_f64(vf64 a)
{
    return (vf64)_mm256_sqrt_pd((__m256d)a);
}
AGNI_INLINE vf32 agni_sqrt_f32(vf32 a)
{
    return (vf32)_mm256_sqrt_ps((__m256)a);
}
AGNI_INLINE vf64 agni_select_f64(vi64 m, vf64 a, vf64 b)
{
    return (vf64)_mm256_blendv_pd((__m256d)b, (__m256d)a, (__m256d)m);
}
AGNI_INLINE vf32 agni_select_f32(vi32 m, vf32 a, vf32 b)
{
    return (vf32)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)m);
}
AGNI_INLINE bool agni_any_f64(vi64 m)
{
    return _mm256_movemask_pd((__m256d)m) != 0;
}
AGNI_INLINE bool agni_any_f32(vi32 m)
{
    return _mm256_movemask_ps((__m256)m) != 0;
}

#else

AGNI_INLINE vf64 agni_select_f64(vi64 m, vf64 a, vf64 b)
{
    return (vf64)((m & (vi64)a) | (~m & (vi64)b));
}
AGNI_INLINE vf32 agni_select_f32(vi32 m, vf32 a, vf32 b)
{
    return (vf32)((m & (vi32)a) | (~m & (vi32)b));
}

#if defined(__x86_64__)

/* SSE2 has no fused form: two roundings, and the kernels are accurate without it. */
AGNI_INLINE vf64 agni_fma_f64(vf64 a, vf64 b, vf64 c)
{
    return a * b + c;
}
AGNI_INLINE vf32 agni_fma_f32(vf32 a, vf32 b, vf32 c)
{
    return a * b + c;
}
AGNI_INLINE vf64 agni_most_f64(vf64 bound, vf64 x)
{
    return (vf64)_mm_min_pd((__m128d)bound, (__m128d)x);
}
AGNI_INLINE vf32 agni_most_f32(vf32 bound, vf32 x)
{
    return (vf32)_mm_min_ps((__m128)bound, (__m128)x);
}
AGNI_INLINE vf64 agni_least_f64(vf64 bound, vf64 x)
{
    return (vf64)_mm_max_pd((__m128d)bound, (__m128d)x);
}
AGNI_INLINE vf32 agni_least_f32(vf32 bound, vf32 x)
{
    return (vf32)_mm_max_ps((__m128)bound, (__m128)x);
}
AGNI_INLINE vf64 agni_sqrt_f64(vf64 a)
{
    return (vf64)_mm_sqrt_pd((__m128d)a);
}
AGNI_INLINE vf32 agni_sqrt_f32(vf32 a)
{
    return (vf32)_mm_sqrt_ps((__m128)a);
}
AGNI_INLINE bool agni_any_f64(vi64 m)
{
    return _mm_movemask_pd((__m128d)m) != 0;
}
AGNI_INLINE bool agni_any_f32(vi32 m)
{
    return _mm_movemask_ps((__m128)m) != 0;
}

#elif defined(__aarch64__)

AGNI_INLINE vf64 agni_fma_f64(vf64 a, vf64 b, vf64 c)
{
    return (vf64)vfmaq_f64((float64x2_t)c, (float64x2_t)a, (float64x2_t)b);
}
AGNI_INLINE vf32 agni_fma_f32(vf32 a, vf32 b, vf32 c)
{
    return (vf32)vfmaq_f32((float32x4_t)c, (float32x4_t)a, (float32x4_t)b);
}
AGNI_INLINE vf64 agni_most_f64(vf64 bound, vf64 x)
{
    return (vf64)vminq_f64((float64x2_t)bound, (float64x2_t)x);
}
AGNI_INLINE vf32 agni_most_f32(vf32 bound, vf32 x)
{
    return (vf32)vminq_f32((float32x4_t)bound, (float32x4_t)x);
}
AGNI_INLINE vf64 agni_least_f64(vf64 bound, vf64 x)
{
    return (vf64)vmaxq_f64((float64x2_t)bound, (float64x2_t)x);
}
AGNI_INLINE vf32 agni_least_f32(vf32 bound, vf32 x)
{
    return (vf32)vmaxq_f32((float32x4_t)bound, (float32x4_t)x);
}
AGNI_INLINE vf64 agni_sqrt_f64(vf64 a)
{
    return (vf64)vsqrtq_f64((float64x2_t)a);
}
AGNI_INLINE vf32 agni_sqrt_f32(vf32 a)
{
    return (vf32)vsqrtq_f32((float32x4_t)a);
}
AGNI_INLINE bool agni_any_f64(vi64 m)
{
    return (m[0] | m[1]) != 0;
}
AGNI_INLINE bool agni_any_f32(vi32 m)
{
    return vmaxvq_u32((uint32x4_t)m) != 0;
}

#else

AGNI_INLINE vf64 agni_fma_f64(vf64 a, vf64 b, vf64 c)
{
    return a * b + c;
}
AGNI_INLINE vf32 agni_fma_f32(vf32 a, vf32 b, vf32 c)
{
    return a * b + c;
}
AGNI_INLINE vf64 agni_most_f64(vf64 bound, vf64 x)
{
    return agni_select_f64(bound < x, bound, x);
}
AGNI_INLINE vf32 agni_most_f32(vf32 bound, vf32 x)
{
    return agni_select_f32(bound < x, bound, x);
}
AGNI_INLINE vf64 agni_least_f64(vf64 bound, vf64 x)
{
    return agni_select_f64(bound > x, bound, x);
}
AGNI_INLINE vf32 agni_least_f32(vf32 bound, vf32 x)
{
    return agni_select_f32(bound > x, bound, x);
}
AGNI_INLINE vf64 agni_sqrt_f64(vf64 a)
{
    return (vf64){__builtin_sqrt(a[0]), __builtin_sqrt(a[1])};
}
AGNI_INLINE vf32 agni_sqrt_f32(vf32 a)
{
    return (vf32){__builtin_sqrtf(a[0]), __builtin_sqrtf(a[1]), __builtin_sqrtf(a[2]),
                  __builtin_sqrtf(a[3])};
}
AGNI_INLINE bool agni_any_f64(vi64 m)
{
    return (m[0] | m[1]) != 0;
}
AGNI_INLINE bool agni_any_f32(vi32 m)
{
    return (m[0] | m[1] | m[2] | m[3]) != 0;
}

#endif
#endif
#endif
