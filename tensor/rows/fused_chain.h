/* tensor/rows/fused_chain.h - a chain of element-wise rows as one kernel call of a device,
   "fused_elementwise": straight-line code on registers, run for each element of the results. The
   call's integers are one word an instruction, its reals the numbers in it; operands broadcast to
   the results, which have one shape. All numbers are of one real dtype, truth values are 1 and
   0. */
#ifndef AGNI_FUSED_CHAIN_H
#define AGNI_FUSED_CHAIN_H

#include "tensor/rows/row_numbers.h"
#include <stdbool.h>
#include <stdint.h>

enum {
    AGNI_CHAIN_INPUTS = 16,
    AGNI_CHAIN_OUTPUTS = 16,
    AGNI_CHAIN_NUMBERS = 16,
    AGNI_CHAIN_NODES = 24,
    AGNI_CHAIN_WORDS = AGNI_CHAIN_NODES + AGNI_CHAIN_INPUTS + AGNI_CHAIN_OUTPUTS +
                       AGNI_CHAIN_NUMBERS,
    AGNI_CHAIN_REGISTERS = 24,
    AGNI_CHAIN_RANK = 8,
    /* besides the rows: dst <- operand a; dst <- number a; result dst <- register a; dst <-
       register a */
    AGNI_CHAIN_LOAD = AGNI_EW_COUNT,
    AGNI_CHAIN_NUMBER,
    AGNI_CHAIN_STORE,
    AGNI_CHAIN_MOVE
};

typedef struct agni_chain_word {
    int16_t op;
    uint8_t dst, a, b, c;
} agni_chain_word;

static inline int64_t agni_chain_pack(agni_chain_word w)
{
    return (int64_t)w.op | (int64_t)w.dst << 16 | (int64_t)w.a << 24 | (int64_t)w.b << 32 |
           (int64_t)w.c << 40;
}
static inline agni_chain_word agni_chain_unpack(int64_t v)
{
    agni_chain_word w = {(int16_t)(v & 0xffff), (uint8_t)(v >> 16 & 0xff),
                         (uint8_t)(v >> 24 & 0xff), (uint8_t)(v >> 32 & 0xff),
                         (uint8_t)(v >> 40 & 0xff)};
    return w;
}

/* rows that one kernel has side by side: none takes an attribute or many registers */
#define AGNI_CHAIN_ROWS(X) \
    X(neg) X(abs) X(square) X(reciprocal) X(sqrt) X(rsqrt) X(exp) X(expm1) X(log) X(log1p) X(sin) X(cos) \
    X(tan) X(sinh) X(cosh) X(tanh) X(sigmoid) X(softplus) X(relu) X(sign) X(floor) X(ceil) X(trunc) X(round) \
    X(erf) X(erfc) X(isnan) X(isfinite) X(isinf) X(isposinf) X(isneginf) X(logical_not) \
    X(add) X(sub) X(mul) X(mulz) X(div) X(pow) X(maximum) X(minimum) X(hypot) X(eq) X(ne) X(lt) X(le) X(gt) \
    X(ge) X(logical_and) X(logical_or) X(where)

#endif
