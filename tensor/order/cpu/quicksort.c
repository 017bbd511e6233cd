/* tensor/order/cpu/quicksort.c - vectorised quicksort on 256-bit vectors, compiled once per CPU
   level. A vector is partitioned by a permutation that a table holds for each outcome of the
   comparisons (Bramas 2017); small parts are sorted by a network on registers (Batcher 1968).
   Levels without AVX2 have none. */
#include "tensor/order/cpu/sort.h"

#include "tensor/cpu/simd/vec.h"

#include <math.h>

#define NAME_(op, s) op##_##s
#define NAME(op, s) NAME_(op, s)

#define T int32_t
#define S i32
#define ODD(a) 0
#include "tensor/order/cpu/presort_body.h"
#define T int64_t
#define S i64
#define ODD(a) 0
#include "tensor/order/cpu/presort_body.h"
#define T float
#define S f32
#define ODD(a) (!((a) < 0) & !((a) > 0))
#include "tensor/order/cpu/presort_body.h"
#define T double
#define S f64
#define ODD(a) (!((a) < 0) & !((a) > 0))
#include "tensor/order/cpu/presort_body.h"

#ifdef __AVX2__

/* For eight lanes of 32 bits: the indices of those whose bit in m is not set, then of the
   others, one byte each. */
#define BELOW(m, i) __builtin_popcount((m) & ((1u << (i)) - 1))
#define PLACE(m, i) \
    ((uint64_t)(i) << 8 * ((m) >> (i) & 1 ? 8 - __builtin_popcount(m) + BELOW(m, i) \
                                          : (i) - BELOW(m, i)))
#define P1(m) \
    PLACE(m, 0) | PLACE(m, 1) | PLACE(m, 2) | PLACE(m, 3) | PLACE(m, 4) | PLACE(m, 5) | \
        PLACE(m, 6) | PLACE(m, 7)
#define P4(m) P1(m), P1((m) + 1u), P1((m) + 2u), P1((m) + 3u)
#define P16(m) P4(m), P4((m) + 4u), P4((m) + 8u), P4((m) + 12u)
#define P64(m) P16(m), P16((m) + 16u), P16((m) + 32u), P16((m) + 48u)
static const uint64_t lane_permutations[256] = {P64(0u), P64(64u), P64(128u), P64(192u)};

/* the same for four lanes of 64 bits */
#define PAIRS1(m) \
    P1(((m)&1u) * 3 | ((m) >> 1 & 1u) * 12 | ((m) >> 2 & 1u) * 48 | ((m) >> 3 & 1u) * 192)
#define PAIRS4(m) PAIRS1(m), PAIRS1((m) + 1u), PAIRS1((m) + 2u), PAIRS1((m) + 3u)
static const uint64_t pair_permutations[16] = {PAIRS4(0u), PAIRS4(4u), PAIRS4(8u), PAIRS4(12u)};

AGNI_INLINE __m256i permute_lanes(__m256i x, uint64_t place)
{
    return _mm256_permutevar8x32_epi32(x, _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((int64_t)place)));
}
/* an index below n by a linear congruential generator (Knuth, TAOCP 2, 3.3.4), without a
   division */
AGNI_INLINE int64_t draw_index(uint64_t *seed, int64_t n)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((double)(int64_t)(*seed >> 11) * 0x1p-53 * (double)n);
}
AGNI_INLINE __m256i load_vector(const void *p)
{
    return _mm256_loadu_si256(p);
}
AGNI_INLINE void store_vector(void *p, __m256i x)
{
    _mm256_storeu_si256(p, x);
}

/* the best networks of 4, 8 and 16 (Knuth, TAOCP 3, 5.3.4; that of 16 by Green) */
#define NET4(C) C(0, 1) C(2, 3) C(0, 2) C(1, 3) C(1, 2)
#define NET8(C) \
    C(0, 2) C(1, 3) C(4, 6) C(5, 7) C(0, 4) C(1, 5) C(2, 6) C(3, 7) C(0, 1) C(2, 3) C(4, 5) \
    C(6, 7) C(2, 4) C(3, 5) C(1, 4) C(3, 6) C(1, 2) C(3, 4) C(5, 6)
#define NET16(C) \
    C(0, 1) C(2, 3) C(4, 5) C(6, 7) C(8, 9) C(10, 11) C(12, 13) C(14, 15) C(0, 2) C(4, 6) \
    C(8, 10) C(12, 14) C(1, 3) C(5, 7) C(9, 11) C(13, 15) C(0, 4) C(8, 12) C(1, 5) C(9, 13) \
    C(2, 6) C(10, 14) C(3, 7) C(11, 15) C(0, 8) C(1, 9) C(2, 10) C(3, 11) C(4, 12) C(5, 13) \
    C(6, 14) C(7, 15) C(5, 10) C(6, 9) C(3, 12) C(13, 14) C(7, 11) C(1, 2) C(4, 8) C(1, 4) \
    C(7, 13) C(2, 8) C(11, 14) C(2, 4) C(5, 6) C(9, 10) C(11, 13) C(3, 8) C(7, 12) C(6, 8) \
    C(10, 12) C(3, 5) C(7, 9) C(3, 4) C(5, 6) C(7, 8) C(9, 10) C(11, 12) C(6, 7) C(8, 9)

/* 32-bit lane i of the result is lane i ^ by of x */
AGNI_INLINE __m256i swap_lanes(__m256i x, int by)
{
    switch (by) {
    case 1:
        return _mm256_shuffle_epi32(x, 0xb1);
    case 2:
        return _mm256_shuffle_epi32(x, 0x4e);
    case 3:
        return _mm256_shuffle_epi32(x, 0x1b);
    case 4:
        return _mm256_permute4x64_epi64(x, 0x4e);
    case 6:
        return _mm256_permute4x64_epi64(x, 0x1b);
    default:
        return _mm256_permute4x64_epi64(_mm256_shuffle_epi32(x, 0x1b), 0x4e);
    }
}
/* b in the 32-bit lanes whose index has the bit s, else a */
AGNI_INLINE __m256i blend_lanes(__m256i a, __m256i b, int s)
{
    return s == 1   ? _mm256_blend_epi32(a, b, 0xaa)
           : s == 2 ? _mm256_blend_epi32(a, b, 0xcc)
                    : _mm256_blend_epi32(a, b, 0xf0);
}

#define PD(x) _mm256_castsi256_pd(x)
#define PS(x) _mm256_castsi256_ps(x)
#define SI_PD(x) _mm256_castpd_si256(x)
#define SI_PS(x) _mm256_castps_si256(x)

#define T int32_t
#define MASK(x) (unsigned)_mm256_movemask_ps(PS(x))
#define PERMUTATIONS lane_permutations
#define S i32
#define LAST INT32_MAX
#define ABOVE(a, b) _mm256_cmpgt_epi32(a, b)
#define LOWER(a, b) _mm256_min_epi32(a, b)
#define UPPER(a, b) _mm256_max_epi32(a, b)
#define SPREAD(x) _mm256_set1_epi32(x)
#include "tensor/order/cpu/quicksort_body.h"

#define T int64_t
#define MASK(x) (unsigned)_mm256_movemask_pd(PD(x))
#define PERMUTATIONS pair_permutations
#define S i64
#define LAST INT64_MAX
#define ABOVE(a, b) _mm256_cmpgt_epi64(a, b)
#define LOWER(a, b) _mm256_blendv_epi8(a, b, _mm256_cmpgt_epi64(a, b))
#define UPPER(a, b) _mm256_blendv_epi8(b, a, _mm256_cmpgt_epi64(a, b))
#define SPREAD(x) _mm256_set1_epi64x(x)
#include "tensor/order/cpu/quicksort_body.h"

#define T float
#define MASK(x) (unsigned)_mm256_movemask_ps(PS(x))
#define PERMUTATIONS lane_permutations
#define S f32
#define LAST INFINITY
#define ABOVE(a, b) SI_PS(_mm256_cmp_ps(PS(a), PS(b), _CMP_GT_OQ))
#define LOWER(a, b) SI_PS(_mm256_min_ps(PS(a), PS(b)))
#define UPPER(a, b) SI_PS(_mm256_max_ps(PS(a), PS(b)))
#define SPREAD(x) SI_PS(_mm256_set1_ps(x))
#include "tensor/order/cpu/quicksort_body.h"

#define T double
#define MASK(x) (unsigned)_mm256_movemask_pd(PD(x))
#define PERMUTATIONS pair_permutations
#define S f64
#define LAST (double)INFINITY
#define ABOVE(a, b) SI_PD(_mm256_cmp_pd(PD(a), PD(b), _CMP_GT_OQ))
#define LOWER(a, b) SI_PD(_mm256_min_pd(PD(a), PD(b)))
#define UPPER(a, b) SI_PD(_mm256_max_pd(PD(a), PD(b)))
#define SPREAD(x) SI_PD(_mm256_set1_pd(x))
#include "tensor/order/cpu/quicksort_body.h"

#define ROW(s) \
    { \
        quicksort_##s, split_by_pivot_##s, collect_numbers_##s, find_beyond_##s \
    }
#else
#define ROW(s) \
    { \
        NULL, NULL, collect_numbers_##s, find_beyond_##s \
    }
#endif

const agni_vsort AGNI_LV(agni_vsorts)[AGNI_SORT_TYPES] = {ROW(i32), ROW(i64), ROW(f32), ROW(f64)};
