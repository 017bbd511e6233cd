/* tensor/order/radix_sort.c - MSD radix sort, from the most significant digit that differs
   (McIlroy, Bostic & McIlroy 1993), out of place and therefore stable, insertion sort for few;
   LSD radix sort of 32-bit keys. */
#include "tensor/order/radix_sort.h"

#include "core/threads/cancel.h"

#include <string.h>

enum {
    FEW = 24,        /* sorted by insertion */
    DIGIT = 10,      /* bits of a digit whose counts are on the stack */
    WIDE_DIGIT = 13, /* bits of a digit at most */
    MANY = 1 << 16,  /* items worth several threads */
    SHARES = 64,
    ASK = 16 /* buckets of many between questions whether to stop */
};

/* bits of the digit for n items that differ in the low `top` bits: few items a bucket on average */
static int digit_bits(int64_t n, int top)
{
    int bits = 62 - __builtin_clzll((unsigned long long)n);
    bits = bits < WIDE_DIGIT ? bits : WIDE_DIGIT;
    return bits < top ? bits : top;
}

/* LSD: three digits of 11 bits, counted in one pass; a digit that all items share is skipped. */
#define LSD_SORT(T, s, bits_of) \
    T *agni_radix_lsd_##s(T *v, T *tmp, int64_t n) \
    { \
        enum { BITS = 11, PASSES = 3, SIZE = 1 << BITS }; \
        int64_t count[PASSES][SIZE] = {{0}}; \
        for (int64_t k = 0; k < n; k++) { \
            uint32_t key = bits_of(v[k]); \
            count[0][key & (SIZE - 1)]++; \
            count[1][key >> BITS & (SIZE - 1)]++; \
            count[2][key >> 2 * BITS]++; \
        } \
        for (int p = 0; p < PASSES; p++) { \
            int64_t *at = count[p], sum = 0; \
            if (at[bits_of(v[0]) >> p * BITS & (SIZE - 1)] == n) \
                continue; \
            if (n > MANY && agni_cancel_point()) \
                break; \
            for (int64_t b = 0; b < SIZE; b++) { \
                int64_t c = at[b]; \
                at[b] = sum; \
                sum += c; \
            } \
            for (int64_t k = 0; k < n; k++) \
                tmp[at[bits_of(v[k]) >> p * BITS & (SIZE - 1)]++] = v[k]; \
            T *other = v; \
            v = tmp; \
            tmp = other; \
        } \
        return v; \
    }
#define ALL_BITS(x) (x)
#define UPPER_BITS(x) ((uint32_t)((x) >> 32))
LSD_SORT(uint32_t, u32, ALL_BITS)
LSD_SORT(uint64_t, u64, UPPER_BITS)

#define ITEM uint32_t
#define KEY(x) (x)
#define FN(f) f##_u32
#include "tensor/order/radix_sort_body.h"
#undef ITEM
#undef KEY
#undef FN

#define ITEM uint64_t
#define KEY(x) (x)
#define FN(f) f##_u64
#include "tensor/order/radix_sort_body.h"
#undef KEY
#undef FN

#define KEY(x) ((x) >> 32)
#define FN(f) f##_packed
#include "tensor/order/radix_sort_body.h"
#undef ITEM
#undef KEY
#undef FN

#define ITEM agni_keyed
#define KEY(x) ((x).key)
#define FN(f) f##_keyed
#include "tensor/order/radix_sort_body.h"
