/* Hash index: every key that was added is found, no other, with hashes good and bad, at any size. */
#include "core/memory/hash_index.h"
#include "tests/tap.h"
#include <stdlib.h>
#include <string.h>

typedef struct keys {
    uint64_t *key;
    uint64_t mask; /* of the hash: 0 makes all hashes equal */
    int n_compared;
} keys;

static bool equal_key(const void *items, int32_t i, const void *key)
{
    ((keys *)items)->n_compared++;
    return ((const keys *)items)->key[i] == *(const uint64_t *)key;
}

static uint64_t hash_key(uint64_t key, uint64_t mask)
{
    return agni_hash_word(0, key) & mask;
}

static uint64_t hash_of_item(const void *items, int32_t i)
{
    const keys *k = items;
    return hash_key(k->key[i], k->mask);
}

static int32_t find(const agni_hash_index *t, const keys *k, uint64_t key)
{
    return agni_hash_index_find(t, hash_key(key, k->mask), equal_key, k, &key);
}

/* keys step * i, as pointers into an array have them */
static bool finds_all(int32_t n, uint64_t step, uint64_t mask)
{
    agni_hash_index t = {0};
    keys k = {.key = agni_alloc((size_t)n * sizeof(uint64_t)), .mask = mask};
    bool good = k.key && find(&t, &k, 0) == -1;
    for (int32_t i = 0; good && i < n; i++) {
        k.key[i] = step * (uint64_t)i;
        good = find(&t, &k, k.key[i]) == -1 && agni_hash_index_reserve(&t, i + 1, hash_of_item, &k);
        if (good)
            agni_hash_index_add(&t, hash_of_item(&k, i), i);
    }
    for (int32_t i = 0; good && i < n; i++)
        good = find(&t, &k, k.key[i]) == i && find(&t, &k, step * (uint64_t)(n + i)) == -1;
    good = good && t.n == (uint32_t)n && t.n_slots >= 2 * t.n && (t.n_slots & (t.n_slots - 1)) == 0;
    agni_hash_index_clear(&t);
    good = good && t.n == 0 && find(&t, &k, step) == -1;
    agni_hash_index_free(&t);
    good = good && !t.slot && !t.n_slots;
    agni_free(k.key);
    return good;
}

static void test_find(void)
{
    ok(finds_all(100000, 64, UINT64_MAX), "aligned addresses");
    ok(finds_all(1000, 1, UINT64_MAX), "small integers");
    ok(finds_all(2000, UINT64_C(1) << 40, UINT64_MAX), "keys that differ in upper bits alone");
    ok(finds_all(700, 3, 0), "all hashes are equal");
    ok(finds_all(700, 3, 15), "sixteen hashes");
}

/* every third key is removed, in an order of its own: the others stay */
static bool removes(int32_t n, uint64_t mask)
{
    agni_hash_index t = {0};
    keys k = {.key = agni_alloc((size_t)n * sizeof(uint64_t)), .mask = mask};
    bool good = k.key && agni_hash_index_reserve(&t, n, hash_of_item, &k);
    for (int32_t i = 0; good && i < n; i++) {
        k.key[i] = 8 * (uint64_t)i;
        agni_hash_index_add(&t, hash_of_item(&k, i), i);
    }
    int32_t left = n;
    for (int32_t j = 0; good && j < n; j++) {
        int32_t i = (int32_t)((int64_t)j * 7919 % n); /* n is no multiple of that prime */
        if (i % 3 == 0) {
            agni_hash_index_remove(&t, hash_of_item(&k, i), i, hash_of_item, &k);
            left--;
        }
    }
    for (int32_t i = 0; good && i < n; i++)
        good = find(&t, &k, k.key[i]) == (i % 3 == 0 ? -1 : i);
    good = good && t.n == (uint32_t)left;
    agni_hash_index_free(&t);
    agni_free(k.key);
    return good;
}

static void test_remove(void)
{
    ok(removes(20000, UINT64_MAX), "keys are removed");
    ok(removes(512, UINT64_MAX), "from a table that is half full");
    ok(removes(500, 0), "where all hashes are equal");
    ok(removes(500, 7), "where there are eight hashes");
}

/* of n keys that are not there, few are compared with an item: slots are spread, tags tell apart */
static void test_spread(void)
{
    enum { N = 1 << 15 };
    agni_hash_index t = {0};
    keys k = {.key = agni_alloc(N * sizeof(uint64_t)), .mask = UINT64_MAX};
    bool have = k.key && agni_hash_index_reserve(&t, N, hash_of_item, &k);
    for (int32_t i = 0; have && i < N; i++) {
        k.key[i] = 4096 * (uint64_t)i;
        agni_hash_index_add(&t, hash_of_item(&k, i), i);
    }
    k.n_compared = 0;
    int found = 0;
    for (uint64_t i = 0; have && i < N; i++)
        found += find(&t, &k, 4096 * i + 64) >= 0;
    ok(have && !found && k.n_compared < 8, "of %d absent keys %d were compared", N, k.n_compared);
    agni_hash_index_free(&t);
    agni_free(k.key);
}

static void test_memory(void)
{
    agni_hash_index t = {0};
    enum { FULL = 32 }; /* items of the first table */
    uint64_t key[FULL + 1];
    for (int i = 0; i <= FULL; i++)
        key[i] = (uint64_t)i;
    keys k = {.key = key, .mask = UINT64_MAX};
    agn_memory_fail_after(0);
    ok(!agni_hash_index_reserve(&t, 1, hash_of_item, &k) && !t.slot, "no memory for a table");
    agn_memory_fail_after(-1);
    bool good = true;
    for (int32_t i = 0; i < FULL; i++) {
        good = good && agni_hash_index_reserve(&t, i + 1, hash_of_item, &k);
        if (good)
            agni_hash_index_add(&t, hash_of_item(&k, i), i);
    }
    agn_memory_fail_after(0);
    ok(good && !agni_hash_index_reserve(&t, FULL + 1, hash_of_item, &k), "no memory to grow");
    agn_memory_fail_after(-1);
    for (int32_t i = 0; i < FULL; i++)
        good = good && find(&t, &k, key[i]) == i;
    ok(good && t.n == FULL, "a table that could not grow holds what it held");
    ok(!agni_hash_index_reserve(&t, INT32_MAX, hash_of_item, &k), "too many items");
    agni_hash_index_free(&t);
}

static void test_hashes(void)
{
    static const char *const text[] = {"", "a", "b", "ab", "ba", "weight.0", "weight.1", "0.weight",
                                       "abcdefgh", "abcdefghi", "abcdefgi"};
    bool differ = true;
    for (int i = 0; i < AGNI_COUNT(text); i++)
        for (int j = 0; j < i; j++)
            differ = differ && agni_hash_text(text[i]) != agni_hash_text(text[j]);
    ok(differ, "hashes of short texts differ");
    char zeros[32] = {0};
    uint64_t h[33];
    for (size_t n = 0; n <= 32; n++) {
        h[n] = agni_hash_bytes(1, zeros, n);
        for (size_t m = 0; m < n; m++)
            differ = differ && h[n] != h[m];
    }
    ok(differ, "hashes of zeros differ by their number");
    ok(agni_hash_word(agni_hash_word(0, 1), 2) != agni_hash_word(agni_hash_word(0, 2), 1),
       "the order of parts counts");
}

int main(void)
{
    test_find();
    test_remove();
    test_spread();
    test_memory();
    test_hashes();
    int64_t bytes, blocks;
    agn_memory_live(&bytes, &blocks, NULL);
    is_int(blocks, 0, "blocks that are left");
    return done();
}
