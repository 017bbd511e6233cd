/* tensor/radix.c - radix sort from the most significant digit that differs (McIlroy, Bostic &
   McIlroy 1993), out of place and therefore stable, insertion for a few. */
#include "tensor/radix.h"

#include "core/core.h"

#include <string.h>

enum {
    FEW = 24,           /* sorted by insertion */
    DIGIT = 10,         /* bits of a digit whose counts are on the stack */
    WIDE_DIGIT = 13,    /* of many items */
    MANY = 1 << 16,     /* items that are worth it, and worth other threads */
    SHARES = 64
};

/* the bits of the digit by which n items that differ in the low `top` bits are spread */
static int digit_bits(int64_t n, int top, int most)
{
    int bits = 62 - __builtin_clzll((unsigned long long)n);
    bits = bits < most ? bits : most;
    return bits < top ? bits : top;
}

#define ITEM uint32_t
#define KEY(x) (x)
#define FN(f) f##_u32
#include "tensor/radix-body.h"
#undef ITEM
#undef KEY
#undef FN

#define ITEM uint64_t
#define KEY(x) (x)
#define FN(f) f##_u64
#include "tensor/radix-body.h"
#undef KEY
#undef FN

#define KEY(x) ((x) >> 32)
#define FN(f) f##_packed
#include "tensor/radix-body.h"
#undef ITEM
#undef KEY
#undef FN

#define ITEM agni_keyed
#define KEY(x) ((x).key)
#define FN(f) f##_keyed
#include "tensor/radix-body.h"
