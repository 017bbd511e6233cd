/* core/memory/large_block_cache.c - cache of large freed blocks of the default allocator. The first
   touch of fresh memory (page faults) costs more than most ops do with it, and the system's
   allocator gives the end of its heap back at once. Blocks lie on two shelves, so that many of 32
   KB and more do not push out those of 1 MB and more. A shelf holds the latest SLOTS blocks, both
   together at most a 16th of the memory of the machine. A block is reused for exactly its size:
   sizes repeat in a loop. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "core/fork_mutex.h"
#include "core/thread_record.h"
#include <stdlib.h>
#include <unistd.h>

enum { SHELVES = 2, SLOTS = 32, UPPER_BYTES = 1 << 20 };

/* Try-lock: a thread that finds it set goes to the system allocator. Nobody waits. */
static agni_mutex busy = AGNI_MUTEX_INIT;
typedef struct shelf {
    struct {
        void *p;
        size_t bytes;
    } slot[SLOTS];
    int oldest; /* slots are filled in a circle */
} shelf;
static shelf shelves[SHELVES];
static size_t cached_bytes; /* of all slots */

static shelf *shelf_of(size_t bytes)
{
    return shelves + (bytes >= UPPER_BYTES);
}

/* asked once: it takes the system microseconds */
static size_t cache_limit(void)
{
    static _Atomic size_t known; /* and 1 */
    size_t limit = AGNI_LOAD_RELAXED(known);
    if (limit)
        return limit - 1;
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    const size_t most = (size_t)512 << 20,
                 share = pages > 0 && page > 0 ? (size_t)pages / 16 * (size_t)page : 0;
    limit = share < most ? share : most;
    AGNI_STORE_RELAXED(known, limit + 1);
    return limit;
}

static void *take_block(shelf *s, int i)
{
    void *p = s->slot[i].p;
    cached_bytes -= s->slot[i].bytes;
    s->slot[i].p = NULL;
    s->slot[i].bytes = 0;
    return p;
}

void *agni_large_block_reuse(size_t bytes)
{
    void *p = NULL;
    if (!agni_cache_free_blocks || !agni_mutex_try(&busy))
        return NULL;
    shelf *s = shelf_of(bytes);
    for (int k = 1; k <= SLOTS && !p; k++) {
        int i = (s->oldest + SLOTS - k) % SLOTS; /* the latest first */
        if (s->slot[i].bytes == bytes)
            p = take_block(s, i);
    }
    agni_mutex_unlock(&busy);
    return p;
}

static size_t count_bytes(const shelf *s)
{
    size_t bytes = 0;
    for (int i = 0; i < SLOTS; i++)
        bytes += s->slot[i].bytes;
    return bytes;
}

bool agni_large_block_keep(void *p, size_t bytes)
{
    const size_t most = cache_limit();
    if (!agni_cache_free_blocks || bytes > most || !agni_mutex_try(&busy))
        return false;
    shelf *s = shelf_of(bytes);
    /* beside the other shelf: where it does not, nothing is pushed out for it */
    const bool fits = cached_bytes - count_bytes(s) + bytes <= most;
    if (fits) {
        free(take_block(s, s->oldest));
        for (int k = 1; cached_bytes + bytes > most; k++)
            free(take_block(s, (s->oldest + k) % SLOTS));
        s->slot[s->oldest].p = p;
        s->slot[s->oldest].bytes = bytes;
        cached_bytes += bytes;
        s->oldest = (s->oldest + 1) % SLOTS;
    }
    agni_mutex_unlock(&busy);
    return fits;
}

/* when the system has no more, and before the library is unloaded */
__attribute__((destructor)) void agni_large_blocks_free(void)
{
    if (!agni_mutex_try(&busy))
        return;
    for (int k = 0; k < SHELVES; k++)
        for (int i = 0; i < SLOTS; i++)
            free(take_block(shelves + k, i));
    agni_mutex_unlock(&busy);
}
