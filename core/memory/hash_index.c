/* core/memory/hash_index.c - hash table with open addressing and linear probing (Knuth 1998, 6.4,
   algorithm L). Hashes are mixed once more, as their lower bits may be poor: pointers end in
   zeros. */
#include "core/memory/hash_index.h"
#include <string.h>

enum { FEWEST_SLOTS = 64, SMALL = 1 << 12, MOST_ITEMS = 1 << 30 };

/* The finaliser of SplitMix64 (Steele, Lea & Flood 2014): each bit depends on every bit of h. */
static inline uint64_t mix_bits(uint64_t h)
{
    h = (h ^ h >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    h = (h ^ h >> 27) * UINT64_C(0x94d049bb133111eb);
    return h ^ h >> 31;
}

static inline uint32_t next_slot(const agni_hash_index *t, uint32_t k)
{
    return (k + 1) & (t->n_slots - 1);
}

static inline uint32_t first_slot(const agni_hash_index *t, uint64_t mixed)
{
    return (uint32_t)mixed & (t->n_slots - 1);
}

static void fill_slot(agni_hash_index *t, uint64_t mixed, int32_t i)
{
    uint32_t k = first_slot(t, mixed);
    while (t->slot[k].item)
        k = next_slot(t, k);
    t->slot[k] = (agni_hash_slot){i + 1, (uint32_t)(mixed >> 32)};
}

int32_t agni_hash_index_find(const agni_hash_index *t, uint64_t hash, agni_hash_equal *equal,
                             const void *items, const void *key)
{
    if (t->n == 0)
        return -1;
    uint64_t mixed = mix_bits(hash);
    uint32_t tag = (uint32_t)(mixed >> 32);
    for (uint32_t k = first_slot(t, mixed); t->slot[k].item; k = next_slot(t, k))
        if (t->slot[k].tag == tag && equal(items, t->slot[k].item - 1, key))
            return t->slot[k].item - 1;
    return -1;
}

bool agni_hash_index_reserve(agni_hash_index *t, int32_t n, agni_hash_of *hash_of,
                             const void *items)
{
    if (n <= (int32_t)(t->n_slots / 2))
        return true;
    if (n > MOST_ITEMS)
        return false;
    agni_hash_index bigger = {.n_slots = t->n_slots ? t->n_slots : FEWEST_SLOTS, .n = t->n};
    while ((uint32_t)n > bigger.n_slots / 2) /* a small one is filled anew less often */
        bigger.n_slots *= bigger.n_slots < SMALL ? 4 : 2;
    bigger.slot = agni_zalloc((size_t)bigger.n_slots * sizeof *bigger.slot);
    if (!bigger.slot)
        return false;
    for (uint32_t k = 0; k < t->n_slots; k++) {
        int32_t i = t->slot[k].item - 1;
        if (i >= 0)
            fill_slot(&bigger, mix_bits(hash_of(items, i)), i);
    }
    agni_free(t->slot);
    *t = bigger;
    return true;
}

void agni_hash_index_add(agni_hash_index *t, uint64_t hash, int32_t i)
{
    fill_slot(t, mix_bits(hash), i);
    t->n++;
}

/* Algorithm R of Knuth 6.4: what follows moves up, unless its first slot is behind the gap. */
void agni_hash_index_remove(agni_hash_index *t, uint64_t hash, int32_t i, agni_hash_of *hash_of,
                            const void *items)
{
    uint32_t gap = first_slot(t, mix_bits(hash)), mask = t->n_slots - 1;
    while (t->slot[gap].item != i + 1)
        gap = next_slot(t, gap);
    for (uint32_t k = next_slot(t, gap); t->slot[k].item; k = next_slot(t, k)) {
        uint32_t first = first_slot(t, mix_bits(hash_of(items, t->slot[k].item - 1)));
        if (((k - first) & mask) >= ((k - gap) & mask)) {
            t->slot[gap] = t->slot[k];
            gap = k;
        }
    }
    t->slot[gap].item = 0;
    t->n--;
}

void agni_hash_index_clear(agni_hash_index *t)
{
    if (t->n)
        memset(t->slot, 0, (size_t)t->n_slots * sizeof *t->slot);
    t->n = 0;
}

void agni_hash_index_free(agni_hash_index *t)
{
    agni_free(t->slot);
    *t = (agni_hash_index){0};
}

uint64_t agni_hash_bytes(uint64_t hash, const void *p, size_t n)
{
    const unsigned char *byte = p;
    uint64_t word = 0;
    for (; n >= sizeof word; n -= sizeof word, byte += sizeof word) {
        memcpy(&word, byte, sizeof word);
        hash = agni_hash_word(hash, word);
    }
    word = n; /* the length of the rest: zeros at the end count */
    for (size_t i = 0; i < n; i++)
        word = word << 8 | byte[i];
    return agni_hash_word(hash, word);
}

uint64_t agni_hash_text(const char *s)
{
    return agni_hash_bytes(0, s, strlen(s));
}
