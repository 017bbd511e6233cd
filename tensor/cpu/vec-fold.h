/* Adding the lanes of several vectors at once. Fold s of a and b adds, in every
 * lane, the two numbers of one argument whose lanes differ in bit s: a's where that
 * bit of the lane is 0, b's where it is 1. Applied for s = lanes/2, ..., 2, 1 this
 * turns as many vectors as there are lanes into the vector of their sums, two
 * shuffles and an addition each. */
#ifndef AGNI_CPU_VEC_FOLD_H
#define AGNI_CPU_VEC_FOLD_H

#include "tensor/cpu/vec.h"

#define AGNI_SHUFFLE __builtin_shufflevector

#if AGNI_VBYTES == 64

AGNI_INLINE vf64 agni_fold4_f64(vf64 a, vf64 b)
{
    return AGNI_SHUFFLE(a, b, 0, 1, 2, 3, 12, 13, 14, 15) +
           AGNI_SHUFFLE(a, b, 4, 5, 6, 7, 8, 9, 10, 11);
}

AGNI_INLINE vf64 agni_fold2_f64(vf64 a, vf64 b)
{
    return AGNI_SHUFFLE(a, b, 0, 1, 10, 11, 4, 5, 14, 15) +
           AGNI_SHUFFLE(a, b, 2, 3, 8, 9, 6, 7, 12, 13);
}

AGNI_INLINE vf64 agni_fold1_f64(vf64 a, vf64 b)
{
    return AGNI_SHUFFLE(a, b, 0, 9, 2, 11, 4, 13, 6, 15) +
           AGNI_SHUFFLE(a, b, 1, 8, 3, 10, 5, 12, 7, 14);
}

AGNI_INLINE vf32 agni_fold8_f32(vf32 a, vf32 b)
{
    return AGNI_SHUFFLE(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 24, 25, 26, 27, 28, 29, 30, 31) +
           AGNI_SHUFFLE(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22,
                        23);
}

AGNI_INLINE vf32 agni_fold4_f32(vf32 a, vf32 b)
{
    return AGNI_SHUFFLE(a, b, 0, 1, 2, 3, 20, 21, 22, 23, 8, 9, 10, 11, 28, 29, 30,
                        31) +
           AGNI_SHUFFLE(a, b, 4, 5, 6, 7, 16, 17, 18, 19, 12, 13, 14, 15, 24, 25, 26,
                        27);
}

AGNI_INLINE vf32 agni_fold2_f32(vf32 a, vf32 b)
{
    return AGNI_SHUFFLE(a, b, 0, 1, 18, 19, 4, 5, 22, 23, 8, 9, 26, 27, 12, 13, 30,
                        31) +
           AGNI_SHUFFLE(a, b, 2, 3, 16, 17, 6, 7, 20, 21, 10, 11, 24, 25, 14, 15, 28,
                        29);
}

AGNI_INLINE vf32 agni_fold1_f32(vf32 a, vf32 b)
{
    return AGNI_SHUFFLE(a, b, 0, 17, 2, 19, 4, 21, 6, 23, 8, 25, 10, 27, 12, 29, 14,
                        31) +
           AGNI_SHUFFLE(a, b, 1, 16, 3, 18, 5, 20, 7, 22, 9, 24, 11, 26, 13, 28, 15,
                        30);
}

/* the sums of a[0] .. a[7] */
AGNI_INLINE vf64 agni_fold_f64(const vf64 *a)
{
    vf64 r[4];
    AGNI_UNROLL
    for (int i = 0; i < 4; i++)
        r[i] = agni_fold4_f64(a[i], a[i + 4]);
    AGNI_UNROLL
    for (int i = 0; i < 2; i++)
        r[i] = agni_fold2_f64(r[i], r[i + 2]);
    AGNI_UNROLL
    for (int i = 0; i < 1; i++)
        r[i] = agni_fold1_f64(r[i], r[i + 1]);
    return r[0];
}

/* the sums of a[0] .. a[15] */
AGNI_INLINE vf32 agni_fold_f32(const vf32 *a)
{
    vf32 r[8];
    AGNI_UNROLL
    for (int i = 0; i < 8; i++)
        r[i] = agni_fold8_f32(a[i], a[i + 8]);
    AGNI_UNROLL
    for (int i = 0; i < 4; i++)
        r[i] = agni_fold4_f32(r[i], r[i + 4]);
    AGNI_UNROLL
    for (int i = 0; i < 2; i++)
        r[i] = agni_fold2_f32(r[i], r[i + 2]);
    AGNI_UNROLL
    for (int i = 0; i < 1; i++)
        r[i] = agni_fold1_f32(r[i], r[i + 1]);
    return r[0];
}

#elif AGNI_VBYTES == 32

AGNI_INLINE vf64 agni_fold2_f64(vf64 a, vf64 b)
{
    return AGNI_SHUFFLE(a, b, 0, 1, 6, 7) + AGNI_SHUFFLE(a, b, 2, 3, 4, 5);
}

AGNI_INLINE vf64 agni_fold1_f64(vf64 a, vf64 b)
{
    return AGNI_SHUFFLE(a, b, 0, 5, 2, 7) + AGNI_SHUFFLE(a, b, 1, 4, 3, 6);
}

AGNI_INLINE vf32 agni_fold4_f32(vf32 a, vf32 b)
{
    return AGNI_SHUFFLE(a, b, 0, 1, 2, 3, 12, 13, 14, 15) +
           AGNI_SHUFFLE(a, b, 4, 5, 6, 7, 8, 9, 10, 11);
}

AGNI_INLINE vf32 agni_fold2_f32(vf32 a, vf32 b)
{
    return AGNI_SHUFFLE(a, b, 0, 1, 10, 11, 4, 5, 14, 15) +
           AGNI_SHUFFLE(a, b, 2, 3, 8, 9, 6, 7, 12, 13);
}

AGNI_INLINE vf32 agni_fold1_f32(vf32 a, vf32 b)
{
    return AGNI_SHUFFLE(a, b, 0, 9, 2, 11, 4, 13, 6, 15) +
           AGNI_SHUFFLE(a, b, 1, 8, 3, 10, 5, 12, 7, 14);
}

/* the sums of a[0] .. a[3] */
AGNI_INLINE vf64 agni_fold_f64(const vf64 *a)
{
    vf64 r[2];
    AGNI_UNROLL
    for (int i = 0; i < 2; i++)
        r[i] = agni_fold2_f64(a[i], a[i + 2]);
    AGNI_UNROLL
    for (int i = 0; i < 1; i++)
        r[i] = agni_fold1_f64(r[i], r[i + 1]);
    return r[0];
}

/* the sums of a[0] .. a[7] */
AGNI_INLINE vf32 agni_fold_f32(const vf32 *a)
{
    vf32 r[4];
    AGNI_UNROLL
    for (int i = 0; i < 4; i++)
        r[i] = agni_fold4_f32(a[i], a[i + 4]);
    AGNI_UNROLL
    for (int i = 0; i < 2; i++)
        r[i] = agni_fold2_f32(r[i], r[i + 2]);
    AGNI_UNROLL
    for (int i = 0; i < 1; i++)
        r[i] = agni_fold1_f32(r[i], r[i + 1]);
    return r[0];
}

#else

AGNI_INLINE vf64 agni_fold1_f64(vf64 a, vf64 b)
{
    return AGNI_SHUFFLE(a, b, 0, 3) + AGNI_SHUFFLE(a, b, 1, 2);
}

AGNI_INLINE vf32 agni_fold2_f32(vf32 a, vf32 b)
{
    return AGNI_SHUFFLE(a, b, 0, 1, 6, 7) + AGNI_SHUFFLE(a, b, 2, 3, 4, 5);
}

AGNI_INLINE vf32 agni_fold1_f32(vf32 a, vf32 b)
{
    return AGNI_SHUFFLE(a, b, 0, 5, 2, 7) + AGNI_SHUFFLE(a, b, 1, 4, 3, 6);
}

/* the sums of a[0] .. a[1] */
AGNI_INLINE vf64 agni_fold_f64(const vf64 *a)
{
    vf64 r[1];
    AGNI_UNROLL
    for (int i = 0; i < 1; i++)
        r[i] = agni_fold1_f64(a[i], a[i + 1]);
    return r[0];
}

/* the sums of a[0] .. a[3] */
AGNI_INLINE vf32 agni_fold_f32(const vf32 *a)
{
    vf32 r[2];
    AGNI_UNROLL
    for (int i = 0; i < 2; i++)
        r[i] = agni_fold2_f32(a[i], a[i + 2]);
    AGNI_UNROLL
    for (int i = 0; i < 1; i++)
        r[i] = agni_fold1_f32(r[i], r[i + 1]);
    return r[0];
}

#endif
#endif
