/* core/thread_record.h - the record of a thread: its memory and its texts. The hot path touches
   no cache line that other threads write. */
#ifndef AGNI_ACCOUNT_H
#define AGNI_ACCOUNT_H

#include "core/internal.h"

enum {
    AGNI_FREE_LISTS = 16,
    AGNI_MESSAGE_BYTES = 1024,
    AGNI_COUNT_SLACK =
        32 * 1024 /* bytes a thread may gain or lose before it tells the others */
};

#define AGNI_LOAD_RELAXED(x)     atomic_load_explicit(&(x), memory_order_relaxed)
#define AGNI_STORE_RELAXED(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)

typedef struct agni_free_block {
    struct agni_free_block *next;
} agni_free_block;

/* Members that other threads read are atomic, but only the owner writes them, so a
   plain load and store do. A block freed by another thread makes numbers negative: the
   sum over all accounts is what counts. */
typedef struct agni_thread_record {
    _Alignas(64) struct agni_thread_record *next;
    atomic_bool taken;
    int64_t count;          /* allocations asked for */
    int64_t fail_at;        /* the count that fails; 0: none */
    _Atomic int64_t blocks; /* given minus returned */
    _Atomic int64_t bytes;  /* the same in bytes, since the last flush into the total */
    _Atomic int64_t highest; /* of bytes, since the last flush */
    agni_free_block
        *idle[AGNI_FREE_LISTS]; /* small blocks of the default allocator, by size */
    size_t idle_bytes[AGNI_FREE_LISTS];
    char message[AGNI_MESSAGE_BYTES]; /* of the last failure */
    int64_t told;                     /* failures so far, and the status of the last */
    agn_status told_as;
    char line[AGNI_LINE_BYTES]; /* agni_line_buffer */
    char reason[AGNI_REASON_BYTES];      /* why a back end is not there */
} agni_thread_record;

extern AGNI_TLS_EXTERN agni_thread_record *agni_thread_record_own;
extern bool agni_cache_free_blocks;

/* core/memory/large_block_cache.c: blocks of so many bytes that the default allocator gave. NULL, false: none is
   there, it is not kept */
void *agni_large_block_reuse(size_t bytes);
bool agni_large_block_keep(void *p, size_t bytes);
void agni_large_blocks_free(void);

/* NULL only if the system has no memory for the record. */
agni_thread_record *agni_thread_record_acquire(void);
static inline agni_thread_record *agni_thread_record_get(void)
{
    agni_thread_record *a = agni_thread_record_own;
    return a ? a : agni_thread_record_acquire();
}

/* Brings what a thread gained or lost to the total; for a NULL account, all of it. */
void agni_flush_allocation_counts(agni_thread_record *a, int64_t blocks, int64_t bytes);

/* Enters blocks and bytes given (positive) or returned; a may be NULL. */
static inline void agni_record_allocation(agni_thread_record *a, int64_t blocks, int64_t bytes)
{
    int64_t sum = a ? AGNI_LOAD_RELAXED(a->bytes) + bytes : 0;
    if (!a || sum > AGNI_COUNT_SLACK || sum < -AGNI_COUNT_SLACK) {
        agni_flush_allocation_counts(a, blocks, bytes);
        return;
    }
    AGNI_STORE_RELAXED(a->blocks, AGNI_LOAD_RELAXED(a->blocks) + blocks);
    AGNI_STORE_RELAXED(a->bytes, sum);
    if (sum > AGNI_LOAD_RELAXED(a->highest))
        AGNI_STORE_RELAXED(a->highest, sum);
}

#endif
