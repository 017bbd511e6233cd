/* vec_transpose.h - in-register transposition of squares (as many vectors as one has lanes), and
   the
 * horizontal sums of their rows. Stage s takes two rows that are s apart and swaps the lanes of the
 * first whose number has bit s with those of the second whose number has not; after stages lanes/2,
 * ..., 2, 1 rows are columns. Where each stage adds its two rows instead of keeping both, one
 vector
 * with the sums of all rows is left: two shuffles and an addition for each. */
#ifndef AGNI_VEC_TRANSPOSE_H
#define AGNI_VEC_TRANSPOSE_H

#include "tensor/cpu/simd/vec.h"

/* X(type, lanes, stage) */
#if AGNI_VBYTES == 64
#define AGNI_STAGES_F64(X) X(f64, 8, 4) X(f64, 8, 2) X(f64, 8, 1)
#define AGNI_STAGES_F32(X) X(f32, 16, 8) X(f32, 16, 4) X(f32, 16, 2) X(f32, 16, 1)
#elif AGNI_VBYTES == 32
#define AGNI_STAGES_F64(X) X(f64, 4, 2) X(f64, 4, 1)
#define AGNI_STAGES_F32(X) X(f32, 8, 4) X(f32, 8, 2) X(f32, 8, 1)
#else
#define AGNI_STAGES_F64(X) X(f64, 2, 1)
#define AGNI_STAGES_F32(X) X(f32, 4, 2) X(f32, 4, 1)
#endif

/* what lane l of the first and of the second row takes of the 2 n lanes of both */
#define AGNI_FIRST(l, n, s) ((l) & (s) ? (n) + (l) - (s) : (l))
#define AGNI_SECOND(l, n, s) ((l) & (s) ? (n) + (l) : (l) + (s))
#define AGNI_LANES_2(F, l, n, s) F(l, n, s), F(l + 1, n, s)
#define AGNI_LANES_4(F, l, n, s) AGNI_LANES_2(F, l, n, s), AGNI_LANES_2(F, l + 2, n, s)
#define AGNI_LANES_8(F, l, n, s) AGNI_LANES_4(F, l, n, s), AGNI_LANES_4(F, l + 4, n, s)
#define AGNI_LANES_16(F, l, n, s) AGNI_LANES_8(F, l, n, s), AGNI_LANES_8(F, l + 8, n, s)

#define AGNI_SWAP(t, n, s)                                                             \
    AGNI_INLINE void agni_swap##s##_##t(v##t *a, v##t *b)                              \
    {                                                                                  \
        const v##t first = *a;                                                         \
        *a = __builtin_shufflevector(first, *b, AGNI_LANES_##n(AGNI_FIRST, 0, n, s));  \
        *b = __builtin_shufflevector(first, *b, AGNI_LANES_##n(AGNI_SECOND, 0, n, s)); \
    }
AGNI_STAGES_F64(AGNI_SWAP)
AGNI_STAGES_F32(AGNI_SWAP)

#define AGNI_TURN(t, n, s)                          \
    AGNI_UNROLL                                     \
    for (int i = 0; i < n; i++)                     \
        if (!(i & s))                               \
            agni_swap##s##_##t(r + i, r + i + s);
#define AGNI_FOLD(t, n, s)                          \
    AGNI_UNROLL                                     \
    for (int i = 0; i < s; i++) {                   \
        agni_swap##s##_##t(r + i, r + i + s);       \
        r[i] += r[i + s];                           \
    }

/* lane i of r[j] becomes lane j of r[i] */
AGNI_INLINE void agni_transpose_square_f64(vf64 *r)
{
    AGNI_STAGES_F64(AGNI_TURN)
}
AGNI_INLINE void agni_transpose_square_f32(vf32 *r)
{
    AGNI_STAGES_F32(AGNI_TURN)
}

/* lane i is the sum of r[i], which this overwrites */
AGNI_INLINE vf64 agni_sum_rows_f64(vf64 *r)
{
    AGNI_STAGES_F64(AGNI_FOLD)
    return r[0];
}
AGNI_INLINE vf32 agni_sum_rows_f32(vf32 *r)
{
    AGNI_STAGES_F32(AGNI_FOLD)
    return r[0];
}

#endif
