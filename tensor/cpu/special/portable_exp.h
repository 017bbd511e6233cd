/* tensor/cpu/special/portable_exp.h - log and exp for samplers, in + - * / alone: what a library's
   functions round differs between libraries and processors, and a draw must not. */
#ifndef AGNI_PLAIN_H
#define AGNI_PLAIN_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifndef AGNI_FN
#define AGNI_FN static inline
#endif

AGNI_FN uint64_t agni_bits_of(double x)
{
    uint64_t b;
    memcpy(&b, &x, sizeof b);
    return b;
}
AGNI_FN double agni_double_of(uint64_t b)
{
    double x;
    memcpy(&x, &b, sizeof x);
    return x;
}

/* log x for normal x > 0 */
#define D double
#define U uint64_t
#define BITS(x) agni_bits_of(x)
#define FROM(b) agni_double_of(b)
#define NAME agni_plain_log
#define FN_ATTR AGNI_FN
#include "tensor/cpu/special/portable_log.h"

/* e^x, 1 ulp; 0 below the normal numbers, infinity above them: x = k ln 2 + r, |r| <= ln(2)/2,
   the polynomial of vmath.h in r. */
AGNI_FN double agni_plain_exp(double x)
{
    const double ln2_high = 0x1.62e42fee00000p-1, ln2_low = 0x1.a39ef35793c76p-33;
    const double c[] = {0x1.0000000000005p-1,  0x1.555555555555cp-3,  0x1.5555555552102p-5,
                        0x1.111111110e6d9p-7,  0x1.6c16c17f34095p-10, 0x1.a01a01b5cc041p-13,
                        0x1.a019a68fd97a9p-16, 0x1.71ddea312a806p-19, 0x1.28a2a192b2492p-22,
                        0x1.af765475ae4dcp-26};
    if (!(x > -708))
        return x != x ? x : 0;
    if (x > 709)
        return (double)INFINITY;
    double k = floor(x * 1.4426950408889634 + 0.5), r = (x - k * ln2_high) - k * ln2_low;
    double p = c[9];
    for (int i = 8; i >= 0; i--)
        p = p * r + c[i];
    return ((p * r * r + r) + 1) * agni_double_of((uint64_t)(int64_t)(k + 1023) << 52);
}

#endif
