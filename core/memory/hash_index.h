/* core/memory/hash_index.h - hash table with open addressing and linear probing (Knuth 1998, 6.4,
   algorithm L) over items that the caller stores. The table holds numbers of items and a part of
   their hashes; the caller compares items with keys, so that a key may have any form. */
#ifndef AGNI_HASH_INDEX_H
#define AGNI_HASH_INDEX_H

#include "core/core.h"

typedef struct agni_hash_slot {
    int32_t item; /* 1 + number of the item; 0: free */
    uint32_t tag; /* upper half of the mixed hash: most unequal items are not compared */
} agni_hash_slot;

/* All zero: an empty table. At most half of the slots are taken; their number is a power of two. */
typedef struct agni_hash_index {
    agni_hash_slot *slot;
    uint32_t n_slots, n;
} agni_hash_index;

/* Is item number i equal to key? items is what find was given. */
typedef bool agni_hash_equal(const void *items, int32_t i, const void *key);
/* The hash that item number i was added with. */
typedef uint64_t agni_hash_of(const void *items, int32_t i);

/* The number of the item that is equal to key, whose hash is given; -1: there is none. */
int32_t agni_hash_index_find(const agni_hash_index *t, uint64_t hash, agni_hash_equal *equal,
                             const void *items, const void *key);
/* Capacity for n items in all. A table that grows asks hash_of for the hashes of the items it
   holds. False without memory, and nothing has changed. */
bool agni_hash_index_reserve(agni_hash_index *t, int32_t n, agni_hash_of *hash_of,
                             const void *items);
/* Adds item number i >= 0, which find does not find; room for it is reserved. */
void agni_hash_index_add(agni_hash_index *t, uint64_t hash, int32_t i);
/* Removes item number i, which was added with that hash. */
void agni_hash_index_remove(agni_hash_index *t, uint64_t hash, int32_t i, agni_hash_of *hash_of,
                            const void *items);
/* Empties the table and keeps its memory. */
void agni_hash_index_clear(agni_hash_index *t);
void agni_hash_index_free(agni_hash_index *t);

/* Hashes of keys in several parts: begin with any number, then one call for each part. */
static inline uint64_t agni_hash_word(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15); /* 2^64 / golden ratio: Knuth 6.4 */
    return hash ^ hash >> 32;
}
static inline uint64_t agni_hash_pointer(uint64_t hash, const void *p)
{
    return agni_hash_word(hash, (uint64_t)(uintptr_t)p);
}
uint64_t agni_hash_bytes(uint64_t hash, const void *p, size_t n);
uint64_t agni_hash_text(const char *s);

#endif
