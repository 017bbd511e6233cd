/* graph/memory/free_list.h - places in one piece of memory, or in the rows of a tile, taken and given back. */
#ifndef AGNI_GAPS_H
#define AGNI_GAPS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct agni_gap {
    int64_t at, size;
} agni_gap;

typedef struct agni_gaps {
    agni_gap *p; /* no two of them neighbours; the owner frees it */
    int32_t n, cap;
} agni_gaps;

/* the smallest gap that is large enough, or the end, which is *top */
int64_t agni_gaps_take(agni_gaps *g, int64_t size, int64_t *top);
/* false without memory */
bool agni_gaps_give(agni_gaps *g, int64_t at, int64_t size);

#endif
