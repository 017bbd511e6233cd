/* core/memory/large_block_cache.c - cache of large freed blocks of the default allocator. The first
   touch of fresh memory (page faults) costs more than most ops do with it. The cache holds the
   latest SLOTS blocks, together at most a 16th of the memory of the machine. A block is reused for
   exactly its size: sizes repeat in a loop. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "core/fork_mutex.h"
#include "core/thread_record.h"
#include <stdlib.h>
#include <unistd.h>

enum { SLOTS = 8 };

/* Try-lock: a thread that finds it set goes to the system allocator. Nobody waits. */
static agni_mutex busy = AGNI_MUTEX_INIT;
static struct {
    void *p;
    size_t bytes;
} cached[SLOTS];
static size_t cached_bytes; /* of all slots */
static int oldest;          /* slots are filled in a circle */

static size_t cache_limit(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    size_t most = (size_t)512 << 20;
    if (pages <= 0 || page <= 0)
        return 0;
    size_t share = (size_t)pages / 16 * (size_t)page;
    return share < most ? share : most;
}

static void evict_block(int i)
{
    free(cached[i].p);
    cached_bytes -= cached[i].bytes;
    cached[i].p = NULL;
    cached[i].bytes = 0;
}

void *agni_large_block_reuse(size_t bytes)
{
    void *p = NULL;
    if (!agni_cache_free_blocks || !agni_mutex_try(&busy))
        return NULL;
    for (int k = 1; k <= SLOTS && !p; k++) {
        int i = (oldest + SLOTS - k) % SLOTS; /* the latest first */
        if (cached[i].bytes == bytes) {
            p = cached[i].p;
            cached[i].p = NULL;
            cached[i].bytes = 0;
            cached_bytes -= bytes;
        }
    }
    agni_mutex_unlock(&busy);
    return p;
}

bool agni_large_block_keep(void *p, size_t bytes)
{
    size_t most = cache_limit();
    if (!agni_cache_free_blocks || bytes > most ||
        !agni_mutex_try(&busy))
        return false;
    evict_block(oldest);
    for (int k = 1; cached_bytes + bytes > most; k++)
        evict_block((oldest + k) % SLOTS);
    cached[oldest].p = p;
    cached[oldest].bytes = bytes;
    cached_bytes += bytes;
    oldest = (oldest + 1) % SLOTS;
    agni_mutex_unlock(&busy);
    return true;
}

/* when the system has no more, and before the library is unloaded */
__attribute__((destructor)) void agni_large_blocks_free(void)
{
    if (!agni_mutex_try(&busy))
        return;
    for (int i = 0; i < SLOTS; i++)
        evict_block(i);
    agni_mutex_unlock(&busy);
}
