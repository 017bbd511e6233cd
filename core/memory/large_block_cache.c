/* core/memory/large_block_cache.c - large blocks of the default allocator wait to be used again: the first touch
   of fresh memory costs more than most ops do with it. The latest few of them wait, together
   at most a 16th of the memory of the machine. Sizes must agree, as they do in a loop. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "core/thread_record.h"
#include <stdlib.h>
#include <unistd.h>

enum { PLACES = 8 };

/* Whoever finds it taken goes to the system: nobody waits, and a child that was forked
   meanwhile does without. */
static atomic_flag taken = ATOMIC_FLAG_INIT;
static struct {
    void *p;
    size_t bytes;
} waiting[PLACES];
static size_t sum; /* of all that wait */
static int oldest; /* they come and go in turn */

static size_t most_bytes(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    size_t most = (size_t)512 << 20;
    if (pages <= 0 || page <= 0)
        return 0;
    size_t share = (size_t)pages / 16 * (size_t)page;
    return share < most ? share : most;
}

static void give_up(int i)
{
    free(waiting[i].p);
    sum -= waiting[i].bytes;
    waiting[i].p = NULL;
    waiting[i].bytes = 0;
}

void *agni_large_block_reuse(size_t bytes)
{
    void *p = NULL;
    if (!agni_cache_free_blocks || atomic_flag_test_and_set_explicit(&taken, memory_order_acquire))
        return NULL;
    for (int k = 1; k <= PLACES && !p; k++) {
        int i = (oldest + PLACES - k) % PLACES; /* the latest first */
        if (waiting[i].bytes == bytes) {
            p = waiting[i].p;
            waiting[i].p = NULL;
            waiting[i].bytes = 0;
            sum -= bytes;
        }
    }
    atomic_flag_clear_explicit(&taken, memory_order_release);
    return p;
}

bool agni_large_block_keep(void *p, size_t bytes)
{
    size_t most = most_bytes();
    if (!agni_cache_free_blocks || bytes > most ||
        atomic_flag_test_and_set_explicit(&taken, memory_order_acquire))
        return false;
    give_up(oldest);
    for (int k = 1; sum + bytes > most; k++)
        give_up((oldest + k) % PLACES);
    waiting[oldest].p = p;
    waiting[oldest].bytes = bytes;
    sum += bytes;
    oldest = (oldest + 1) % PLACES;
    atomic_flag_clear_explicit(&taken, memory_order_release);
    return true;
}

/* when the system has no more, and before the library is unloaded */
__attribute__((destructor)) void agni_large_blocks_free(void)
{
    if (atomic_flag_test_and_set_explicit(&taken, memory_order_acquire))
        return;
    for (int i = 0; i < PLACES; i++)
        give_up(i);
    atomic_flag_clear_explicit(&taken, memory_order_release);
}
