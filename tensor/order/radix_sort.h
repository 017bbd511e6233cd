/* tensor/order/radix_sort.h - stable radix sort by unsigned keys, of a window of the order.
   Buffers: v and tmp of n items; after an MSD sort v[lo, hi) is that of the sorted whole, the
   rest undefined. */
#ifndef AGNI_RADIX_H
#define AGNI_RADIX_H

#include <stdint.h>

typedef struct agni_keyed {
    uint64_t key;
    int64_t at;
} agni_keyed;

/* LSD: the whole order by 32 bits of the key (the upper half of 64), for many items. Returns the
   buffer that holds the result. */
uint32_t *agni_radix_lsd_u32(uint32_t *v, uint32_t *tmp, int64_t n);
uint64_t *agni_radix_lsd_u64(uint64_t *v, uint64_t *tmp, int64_t n);

/* The order of distinct words by their upper halves, then the lower ones, where words come with
   lower halves that ascend; by several threads where there are some (merge_runs.c). As above. */
uint64_t *agni_sort_words(uint64_t *v, uint64_t *tmp, int64_t n);

void agni_radix_msd_u32(uint32_t *v, uint32_t *tmp, int64_t n, int64_t lo, int64_t hi);
void agni_radix_msd_u64(uint64_t *v, uint64_t *tmp, int64_t n, int64_t lo, int64_t hi);
/* the key is the upper half */
void agni_radix_msd_packed(uint64_t *v, uint64_t *tmp, int64_t n, int64_t lo, int64_t hi);
void agni_radix_msd_keyed(agni_keyed *v, agni_keyed *tmp, int64_t n, int64_t lo, int64_t hi);

#endif
