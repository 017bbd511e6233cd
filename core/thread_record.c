/* core/thread_record.c - records of threads: allocation counts, failure injection, live bytes.
   A record is never freed but taken over by a later thread, so readers need no lock. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "core/thread_record.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static agni_thread_record fallback_record = {
    .taken = true}; /* for threads that could not have their own */
static agni_thread_record *_Atomic records = &fallback_record;
static _Atomic int64_t total_bytes, total_peak;
static pthread_key_t record_key;
static pthread_once_t record_once = PTHREAD_ONCE_INIT;
static bool have_key;
bool agni_cache_free_blocks =
    !AGNI_ASAN; /* AGNESI_MEMORY_CACHE=0 turns it off, for valgrind */
bool agni_checking; /* AGNESI_CHECK=1 turns it on */
AGNI_TLS_EXTERN agni_thread_record *agni_thread_record_own;

static void release_record(void *p)
{
    agni_thread_record *a = p;
    if (a->release_plan)
        a->release_plan(a);
    for (int k = 0; k < AGNI_FREE_LISTS; k++) {
        for (agni_free_block *i; (i = a->free_list[k]) != NULL;) {
            a->free_list[k] = i->next;
            free(i);
        }
        a->free_bytes[k] = 0;
    }
    agni_thread_record_own = NULL;
    atomic_store_explicit(&a->taken, false, memory_order_release);
}

static void create_record_key(void)
{
    const char *cache = getenv("AGNESI_MEMORY_CACHE");
    if (cache && strcmp(cache, "0") == 0)
        agni_cache_free_blocks = false;
    const char *check = getenv("AGNESI_CHECK");
    if (check && strcmp(check, "1") == 0)
        agni_checking = true;
    have_key = pthread_key_create(&record_key, release_record) == 0;
}

/* If the library is unloaded, threads that end later must not call into it. */
__attribute__((destructor)) static void delete_record_key(void)
{
    if (have_key)
        pthread_key_delete(record_key);
    have_key = false;
}

static agni_thread_record *find_released_record(void)
{
    for (agni_thread_record *a = atomic_load(&records); a; a = a->next) {
        bool no = false;
        if (!AGNI_LOAD_RELAXED(a->taken) &&
            atomic_compare_exchange_strong(&a->taken, &no, true))
            return a;
    }
    return NULL;
}

static agni_thread_record *allocate_record(void)
{
    agni_thread_record *a = aligned_alloc(64, sizeof *a);
    if (!a)
        return NULL;
    memset(a, 0, sizeof *a);
    atomic_init(&a->taken, true);
    a->next = atomic_load(&records);
    while (!atomic_compare_exchange_weak(&records, &a->next, a))
        ;
    return a;
}

agni_thread_record *agni_thread_record_acquire(void)
{
    pthread_once(&record_once, create_record_key);
    agni_thread_record *a = find_released_record();
    if (!a)
        a = allocate_record();
    if (!a)
        return NULL;
    a->is_pool_worker = false;
    a->count = a->fail_at = 0;
    a->stack_base = a->stack_room = 0;
    a->cancel_held = a->closing = 0;
    a->cancelled = false;
    a->body_call = a->rule_in_hand = NULL;
    a->host_runs = a->host_reads = 0;
    a->last_host_run = NULL;
    a->message[0] = '\0';
    agni_thread_record_own = a;
    if (have_key)
        pthread_setspecific(record_key, a);
    return a;
}

static void raise_peak(int64_t bytes)
{
    int64_t peak = AGNI_LOAD_RELAXED(total_peak);
    while (bytes > peak &&
           !atomic_compare_exchange_weak_explicit(
               &total_peak, &peak, bytes, memory_order_relaxed, memory_order_relaxed))
        ;
}

void agni_flush_allocation_counts(agni_thread_record *a, int64_t blocks, int64_t bytes)
{
    if (!a) {
        atomic_fetch_add_explicit(&fallback_record.blocks, blocks, memory_order_relaxed);
        atomic_fetch_add_explicit(&total_bytes, bytes, memory_order_relaxed);
        return;
    }
    int64_t highest = AGNI_LOAD_RELAXED(a->highest), sum = AGNI_LOAD_RELAXED(a->bytes) + bytes;
    AGNI_STORE_RELAXED(a->blocks, AGNI_LOAD_RELAXED(a->blocks) + blocks);
    AGNI_STORE_RELAXED(a->bytes, 0);
    AGNI_STORE_RELAXED(a->highest, 0);
    int64_t before = atomic_fetch_add_explicit(&total_bytes, sum, memory_order_relaxed);
    raise_peak(before + (highest > sum ? highest : sum));
}

void agn_memory_fail_after(int64_t n)
{
    agni_thread_record *a = agni_thread_record_get();
    if (a)
        a->fail_at = n >= 0 && n < INT64_MAX - a->count ? a->count + n + 1 : 0;
}

int64_t agn_memory_count(void)
{
    const agni_thread_record *a = agni_thread_record_get();
    return a ? a->count : 0;
}

/* Sums over all records; highest is exact while one thread works, else at most
   AGNI_COUNT_SLACK bytes per thread too high. */
static void sum_records(int64_t *bytes, int64_t *blocks, int64_t *highest)
{
    *bytes = *highest = AGNI_LOAD_RELAXED(total_bytes);
    *blocks = 0;
    for (agni_thread_record *a = atomic_load(&records); a; a = a->next) {
        *blocks += AGNI_LOAD_RELAXED(a->blocks);
        *bytes += AGNI_LOAD_RELAXED(a->bytes);
        *highest += AGNI_LOAD_RELAXED(a->highest);
    }
}

void agn_memory_live(int64_t *bytes, int64_t *blocks, int64_t *peak)
{
    int64_t sum, n, highest;
    sum_records(&sum, &n, &highest);
    raise_peak(highest);
    if (bytes)
        *bytes = sum;
    if (blocks)
        *blocks = n;
    if (peak)
        *peak = AGNI_LOAD_RELAXED(total_peak);
}

void agn_memory_reset_peak(void)
{
    int64_t sum, n, highest;
    for (agni_thread_record *a = atomic_load(&records); a; a = a->next)
        AGNI_STORE_RELAXED(a->highest, AGNI_LOAD_RELAXED(a->bytes));
    sum_records(&sum, &n, &highest);
    AGNI_STORE_RELAXED(total_peak, sum);
}
