/* tensor/order/radix_sort.h - stable sorting by unsigned keys, most significant digits first, of a window
   of the order if only that is asked for. Buffers: v and tmp of n items; after the call the
   places [lo, hi) of v are those of the sorted whole, the others are not defined. */
#ifndef AGNI_RADIX_H
#define AGNI_RADIX_H

#include <stdint.h>

typedef struct agni_keyed {
    uint64_t key;
    int64_t at;
} agni_keyed;

/* The whole order by 32 bits of the key (its upper half where it has 64), least significant
   digits first: for many items. Returns the buffer in which the result lies. */
uint32_t *agni_radix_whole_u32(uint32_t *v, uint32_t *tmp, int64_t n);
uint64_t *agni_radix_whole_u64(uint64_t *v, uint64_t *tmp, int64_t n);

void agni_radix_u32(uint32_t *v, uint32_t *tmp, int64_t n, int64_t lo, int64_t hi);
void agni_radix_u64(uint64_t *v, uint64_t *tmp, int64_t n, int64_t lo, int64_t hi);
/* the key is the upper half */
void agni_radix_packed(uint64_t *v, uint64_t *tmp, int64_t n, int64_t lo, int64_t hi);
void agni_radix_keyed(agni_keyed *v, agni_keyed *tmp, int64_t n, int64_t lo, int64_t hi);

#endif
