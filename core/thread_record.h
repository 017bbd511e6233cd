/* core/thread_record.h - the record of a thread: its memory and its texts. The hot path touches
   no cache line that other threads write. */
#ifndef AGNI_THREAD_RECORD_H
#define AGNI_THREAD_RECORD_H

#include "core/internal.h"

enum {
    AGNI_FREE_LISTS = 16,
    AGNI_MESSAGE_BYTES = 1024,
    AGNI_COUNT_SLACK =
        32 * 1024 /* bytes a thread may gain or lose before it adds them to the total */
};

#define AGNI_LOAD_RELAXED(x)     atomic_load_explicit(&(x), memory_order_relaxed)
#define AGNI_STORE_RELAXED(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)

typedef struct agni_free_block {
    struct agni_free_block *next;
} agni_free_block;

/* Members that other threads read are atomic, but only the owner writes them, so a
   plain load and store do. A block freed by another thread makes numbers negative: the
   sum over all records is what counts. */
typedef struct agni_thread_record {
    _Alignas(64) struct agni_thread_record *next;
    atomic_bool taken;
    bool is_pool_worker;    /* no hook of the host may be called on this thread */
    int64_t count;          /* allocations asked for */
    int64_t fail_at;        /* the count that fails; 0: none */
    _Atomic int64_t blocks; /* given minus returned */
    _Atomic int64_t bytes;  /* the same in bytes, since the last flush into the total */
    _Atomic int64_t highest; /* of bytes, since the last flush */
    agni_free_block
        *free_list[AGNI_FREE_LISTS]; /* small blocks of the default allocator, by size */
    size_t free_bytes[AGNI_FREE_LISTS];
    char message[AGNI_MESSAGE_BYTES]; /* of the last failure */
    int64_t n_failures;                     /* reported so far */
    agn_status last_status;
    char line[AGNI_LINES][AGNI_LINE_BYTES]; /* agni_line_buffer */
    unsigned n_lines;                       /* given so far */
    uintptr_t stack_base, stack_room; /* core/threads/stack.h: lowest frame of an op, bytes above it; 0: not known */
    int64_t last_asked; /* core/threads/cancel.c */
    int cancel_held;
    bool cancelled;
    int closing;     /* scopes that are being closed, counted in checking mode */
    void *rule_in_hand; /* autograd/modes/zeros.c: the masks that the innermost rule knows */
    void *body_call; /* tensor/value/handle_checks.h: the innermost one that runs */
    char reason[AGNI_REASON_BYTES];   /* why a back end is unavailable */
    int64_t host_runs, host_reads;    /* tensor/dispatch/host_run.c */
    const char *last_host_run;        /* NULL: none yet */
    /* fft/cpu/small_transform.c: the last short call, its plan, who releases it with the thread */
    uint64_t short_call;
    struct agni_fft_plan *short_plan;
    void (*release_plan)(struct agni_thread_record *a);
} agni_thread_record;

extern AGNI_TLS_EXTERN agni_thread_record *agni_thread_record_own;
extern bool agni_cache_free_blocks;

/* core/memory/large_block_cache.c: freed blocks of the default allocator. reuse: one of exactly so
   many bytes, or NULL; keep: false where the block is not cached. */
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

/* true on a thread of the pool */
static inline bool agni_on_pool_worker(void)
{
    const agni_thread_record *a = agni_thread_record_own;
    return a && a->is_pool_worker;
}

/* Adds what a thread gained or lost to the total; without a record, these blocks and bytes. */
void agni_flush_allocation_counts(agni_thread_record *a, int64_t blocks, int64_t bytes);

/* Counts blocks and bytes allocated (positive) or freed (negative); a may be NULL. */
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
