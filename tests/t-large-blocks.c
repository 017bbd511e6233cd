/* t-large-blocks - the cache of freed blocks by its own functions: a block of each shelf comes back for its
   size alone, the latest first; a shelf that is full gives up its oldest block and none of the other's; a
   block that does not fit pushes nothing out; threads share it without waiting. */
#include "core/thread_record.h"

#include "tests/tap.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SMALL = 64 << 10, LARGE = 2 << 20, SLOTS = 32, ROUNDS = 20000 };

/* a block of the system that the cache is to take */
static void *keep_new(size_t bytes)
{
    void *p = malloc(bytes);
    if (p && !agni_large_block_keep(p, bytes)) {
        free(p);
        p = NULL;
    }
    return p;
}

static void test_shelves(void)
{
    void *small = keep_new(SMALL), *large = keep_new(LARGE);
    ok(small && large, "a block of each shelf is kept");
    ok(!agni_large_block_reuse(SMALL + 64) && !agni_large_block_reuse(LARGE - 64),
       "other sizes find none");
    ok(agni_large_block_reuse(LARGE) == large && agni_large_block_reuse(SMALL) == small,
       "each comes back for its size");
    ok(!agni_large_block_reuse(LARGE) && !agni_large_block_reuse(SMALL), "once");
    free(small);
    free(large);
    void *first = keep_new(SMALL), *second = keep_new(SMALL);
    ok(agni_large_block_reuse(SMALL) == second && agni_large_block_reuse(SMALL) == first,
       "the latest first");
    free(first);
    free(second);
}

static void test_full_shelf(void)
{
    void *large = keep_new(LARGE), *block[SLOTS + 1];
    bool kept = large != NULL;
    for (int i = 0; i <= SLOTS; i++) { /* sizes that differ tell them apart */
        block[i] = keep_new(SMALL + 64 * (size_t)i);
        kept = kept && block[i];
    }
    ok(kept, "one more than a shelf has room for is kept");
    ok(!agni_large_block_reuse(SMALL), "the oldest has gone");
    int back = 0;
    for (int i = 1; i <= SLOTS; i++) {
        void *p = agni_large_block_reuse(SMALL + 64 * (size_t)i);
        back += p == block[i];
        free(p);
    }
    is_int(back, SLOTS, "the others are there");
    ok(agni_large_block_reuse(LARGE) == large, "so is that of the other shelf");
    free(large);
}

/* nothing is written to blocks so large that they need no memory */
static void test_limits(void)
{
    const int64_t share = (int64_t)sysconf(_SC_PHYS_PAGES) / 16 * sysconf(_SC_PAGESIZE),
                  limit = share < (int64_t)512 << 20 ? share : (int64_t)512 << 20;
    void *small = keep_new(SMALL), *p = malloc((size_t)limit + 1), *half[3];
    ok(small && p && !agni_large_block_keep(p, (size_t)limit + 1),
       "a block above the limit is not taken");
    free(p);
    p = malloc((size_t)limit);
    ok(p && !agni_large_block_keep(p, (size_t)limit),
       "nor one that has no room beside the other shelf");
    free(p);
    ok(agni_large_block_reuse(SMALL) == small, "which keeps its own");
    free(small);
    const size_t bytes = (size_t)limit / 5 * 2;
    for (int i = 0; i < 3; i++)
        half[i] = keep_new(bytes + 64 * (size_t)i);
    ok(half[0] && half[1] && half[2], "three of two fifths of the limit are taken in turn");
    ok(!agni_large_block_reuse(bytes), "the first made room for the third");
    for (int i = 1; i < 3; i++) {
        p = agni_large_block_reuse(bytes + 64 * (size_t)i);
        ok(p == half[i], "number %d is there", i);
        free(p);
    }
}

/* each block has the name of its holder while it is held: two with one block would see another's */
static void *take_turns(void *user)
{
    const char name = *(const char *)user;
    int64_t seen = 0, reused = 0;
    for (int i = 0; i < ROUNDS; i++) {
        const size_t bytes = i % 2 ? SMALL : LARGE;
        char *p = agni_large_block_reuse(bytes);
        reused += p != NULL;
        p = p ? p : malloc(bytes);
        if (!p)
            continue;
        memset(p, name, 64);
        for (int k = 0; k < 64; k++)
            seen += p[k] != name;
        if (!agni_large_block_keep(p, bytes))
            free(p);
    }
    return seen ? NULL : reused ? user : NULL;
}

static void test_threads(void)
{
    pthread_t thread[2];
    static char name[2] = {'a', 'b'};
    void *back[2] = {NULL, NULL};
    bool begun[2];
    for (int i = 0; i < 2; i++)
        begun[i] = !pthread_create(thread + i, NULL, take_turns, name + i);
    for (int i = 0; i < 2; i++)
        if (begun[i])
            pthread_join(thread[i], back + i);
    ok(begun[0] && begun[1] && back[0] == name && back[1] == name + 1,
       "no block has two holders, and both threads reuse some");
    agni_large_blocks_free();
    ok(!agni_large_block_reuse(SMALL) && !agni_large_block_reuse(LARGE), "freed, none is left");
}

int main(void)
{
    if (!agni_cache_free_blocks)
        return skip_all("the cache is off, where checkers are to see each block");
    agni_large_blocks_free();
    test_shelves();
    test_full_shelf();
    test_limits();
    test_threads();
    return done();
}
