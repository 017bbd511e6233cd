/* sparse/layout/packed_keys.h - the coordinates of an entry, most significant first, and then its
   number, packed into one word of 64 bits for radix sort. No two keys are equal. */
#ifndef AGNI_KEYS_H
#define AGNI_KEYS_H

#include "sparse/pattern/pattern.h"

typedef struct agni_keys {
    uint64_t *key; /* [n], ascending; agni_free */
    int64_t n;
    int shift;   /* bits of the number of an entry */
    int last;    /* bits of the last coordinate */
} agni_keys;

/* do n entries in this shape fit? */
bool agni_keys_fit(int ndim, const int64_t *shape, int64_t n);
/* coordinate d of entry e is at[d][e] */
agn_status agni_keys_sort(agni_keys *out, const char *op, int ndim, const int64_t *shape, int64_t n,
                          const int64_t *const *at);

static inline int64_t agni_keys_entry(const agni_keys *k, int64_t i)
{
    return (int64_t)(k->key[i] & (((uint64_t)1 << k->shift) - 1));
}
/* is key i the first of its coordinates? */
static inline bool agni_keys_is_first(const agni_keys *k, int64_t i)
{
    return i == 0 || k->key[i] >> k->shift != k->key[i - 1] >> k->shift;
}

/* Keys of a matrix: its pattern, and one of [entries of it, n] whose rows name what goes there, in
   order. All integers fit 32 bits. */
agn_status agni_keys_pattern(agni_pattern **out, agni_pattern **names, const char *op,
                             const agni_keys *k, int64_t rows, int64_t cols);

#endif
