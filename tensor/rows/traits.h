/* tensor/rows/traits.h - what else the planner has to know of an op: where its results are finite, and
   what it makes of the sign of a zero. */
#ifndef AGNI_TRAITS_H
#define AGNI_TRAITS_H

#include "tensor/rows/elementwise.h"

enum {
    AGNI_SINGULAR = 1 << 0, /* infinite or NaN at some finite arguments */
    AGNI_WITHIN = 1 << 1,   /* real numbers to a finite range, from infinity too */
    AGNI_MASKS = 1 << 2,    /* a result may not depend on an argument at all */
    /* The same number for 0 and -0: a sum begins with 0, which is what is left of zeros of both
       signs. */
    AGNI_ZERO_LOST = 1 << 3,
    AGNI_ZERO_LOST_REAL = 1 << 4, /* for real arguments */
    /* A zero for a zero, of one sign or the other, and the same number else. */
    AGNI_ZERO_KEPT = 1 << 5,
    AGNI_ZERO_KEPT_REAL = 1 << 6,
    AGNI_ZERO_KEPT_FIRST = 1 << 7 /* in the first argument */
};

extern const uint8_t agni_ew_traits[AGNI_EW_COUNT];
static inline unsigned agni_op_traits(const agni_op *op)
{
    unsigned bits = op->ew >= 0 ? agni_ew_traits[op->ew] : op->traits;
    if (op->result == AGNI_OUT_BOOL)
        bits |= AGNI_MASKS | (op->ew == AGNI_EW_signbit ? 0 : AGNI_ZERO_LOST);
    return bits;
}

#endif
