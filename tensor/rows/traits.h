/* tensor/rows/traits.h - traits of ops (AGNI_SINGULAR ... of tensor/dispatch/op.h): where results
   are finite, and what becomes of the sign of zero. */
#ifndef AGNI_TRAITS_H
#define AGNI_TRAITS_H

#include "tensor/rows/elementwise.h"

extern const uint8_t agni_ew_traits[AGNI_EW_COUNT];
static inline unsigned agni_op_traits(const agni_op *op)
{
    unsigned bits = op->ew >= 0 ? agni_ew_traits[op->ew] : op->traits;
    if (op->result == AGNI_OUT_BOOL)
        bits |= AGNI_MASKS | (op->ew == AGNI_EW_signbit ? 0 : AGNI_ZERO_LOST);
    return bits;
}

#endif
