/* graph/memory/free_list.h - free blocks of offsets in an arena, or in the rows of a tile. */
#ifndef AGNI_GAPS_H
#define AGNI_GAPS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct agni_free_block {
    int64_t at, size;
} agni_free_block;

typedef struct agni_free_list {
    agni_free_block *p; /* no two of them neighbours; the owner frees it */
    int32_t n, cap;
} agni_free_list;

/* the smallest block that is large enough, or the end, which is *top */
int64_t agni_free_list_allocate(agni_free_list *g, int64_t size, int64_t *top);
/* false without memory */
bool agni_free_list_release(agni_free_list *g, int64_t at, int64_t size);

#endif
