/* core/memory.c - every block of the library: a replaceable allocator, failure injection,
   and an account of what is alive.

   A block is preceded by a header that knows the allocator it came from and its size. The
   account is kept per thread, so that the hot path touches no shared cache line; a thread's
   record is never freed but taken over by a later thread, so readers need no lock. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "core/internal.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEADER = 16,      /* room for block_header, keeps blocks 16-aligned */
    LINE = 64,        /* alignment of tensor data: a cache line, a vector of AVX-512 */
    SLACK = 32 * 1024 /* bytes a thread may gain or lose before it tells the others */
};

typedef struct block_header {
    const agn_allocator *owner;
    size_t packed; /* bytes taken from the owner, times 8, plus offset of the block / 16 */
} block_header;
_Static_assert(sizeof(block_header) <= HEADER, "header is too large");
_Static_assert(LINE / HEADER < 8, "offset does not fit");

/* Largest request: the packed size must not overflow. */
#define MOST (SIZE_MAX / 8 - 4 * LINE)

/* ---- the default allocator --------------------------------------------------------- */

static void *default_alloc(void *user, size_t bytes, size_t align)
{
    (void)user;
    if (align <= _Alignof(max_align_t))
        return malloc(bytes);
    return aligned_alloc(align, (bytes + align - 1) / align * align);
}

static void default_free(void *user, void *p, size_t bytes)
{
    (void)user;
    (void)bytes;
    free(p);
}

static const agn_allocator default_allocator = {
    .size = sizeof(agn_allocator), .alloc = default_alloc, .free = default_free};
static const agn_allocator *_Atomic current = &default_allocator;

agn_status agn_allocator_set(const agn_allocator *a)
{
    if (!a)
        a = &default_allocator;
    if (a->size != sizeof *a)
        return agni_fail(AGN_EARG, "allocator_set: unknown size: %zu bytes, "
                         "agn_allocator has %zu", a->size, sizeof *a);
    if (!a->alloc || !a->free)
        return agni_fail(AGN_EARG, "allocator_set: a function is missing: alloc is %s, "
                         "free is %s", a->alloc ? "there" : "NULL",
                         a->free ? "there" : "NULL");
    atomic_store_explicit(&current, a, memory_order_release);
    return AGN_OK;
}

/* ---- the account of a thread --------------------------------------------------------- */

/* Members that other threads read are atomic, but only the owner writes them, so a plain
   load and store do. A block freed by another thread makes numbers negative: the sum over
   all accounts is what counts. */
typedef struct account {
    struct account *next;
    atomic_bool taken;
    int64_t count;           /* allocations asked for */
    int64_t fail_at;         /* the count that fails; 0: none */
    _Atomic int64_t blocks;  /* given minus returned */
    _Atomic int64_t bytes;   /* the same in bytes, since the last flush into total_bytes */
    _Atomic int64_t highest; /* of bytes, since the last flush */
    char pad[LINE - 7 * sizeof(int64_t)];
} account;
_Static_assert(sizeof(account) % LINE == 0, "accounts share a cache line");

static account spare = {.taken = true}; /* for threads that could not have their own */
static account *_Atomic accounts = &spare;
static _Atomic int64_t total_bytes, total_peak;
static pthread_key_t account_key;
static pthread_once_t account_once = PTHREAD_ONCE_INIT;
static bool have_key;
AGNI_TLS_WORD account *my_account;

#define READ(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define WRITE(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)

static void leave_account(void *p)
{
    account *a = p;
    my_account = NULL;
    atomic_store_explicit(&a->taken, false, memory_order_release);
}

static void make_key(void)
{
    have_key = pthread_key_create(&account_key, leave_account) == 0;
}

/* If the library is unloaded, threads that end later must not call into it. */
__attribute__((destructor)) static void drop_key(void)
{
    if (have_key)
        pthread_key_delete(account_key);
    have_key = false;
}

static account *find_free_account(void)
{
    for (account *a = atomic_load(&accounts); a; a = a->next) {
        bool no = false;
        if (!READ(a->taken) && atomic_compare_exchange_strong(&a->taken, &no, true))
            return a;
    }
    return NULL;
}

static account *add_account(void)
{
    account *a = aligned_alloc(LINE, sizeof *a);
    if (!a)
        return NULL;
    memset(a, 0, sizeof *a);
    atomic_init(&a->taken, true);
    a->next = atomic_load(&accounts);
    while (!atomic_compare_exchange_weak(&accounts, &a->next, a))
        ;
    return a;
}

static account *take_account(void)
{
    pthread_once(&account_once, make_key);
    account *a = find_free_account();
    if (!a)
        a = add_account();
    if (!a)
        return NULL;
    a->count = a->fail_at = 0;
    my_account = a;
    if (have_key)
        pthread_setspecific(account_key, a);
    return a;
}

/* NULL only if the system has no memory for the record. */
static inline account *account_here(void)
{
    account *a = my_account;
    return a ? a : take_account();
}

static void raise_peak(int64_t bytes)
{
    int64_t peak = READ(total_peak);
    while (bytes > peak &&
           !atomic_compare_exchange_weak_explicit(&total_peak, &peak, bytes,
                                                  memory_order_relaxed,
                                                  memory_order_relaxed))
        ;
}

static void flush(account *a, int64_t bytes)
{
    int64_t highest = READ(a->highest);
    WRITE(a->bytes, 0);
    WRITE(a->highest, 0);
    int64_t before =
        atomic_fetch_add_explicit(&total_bytes, bytes, memory_order_relaxed);
    raise_peak(before + (highest > bytes ? highest : bytes));
}

static void book_spare(int64_t blocks, int64_t bytes)
{
    atomic_fetch_add_explicit(&spare.blocks, blocks, memory_order_relaxed);
    atomic_fetch_add_explicit(&total_bytes, bytes, memory_order_relaxed);
}

static inline void book(int64_t blocks, int64_t bytes)
{
    account *a = account_here();
    if (!a) {
        book_spare(blocks, bytes);
        return;
    }
    WRITE(a->blocks, READ(a->blocks) + blocks);
    bytes += READ(a->bytes);
    if (bytes > SLACK || bytes < -SLACK) {
        flush(a, bytes);
        return;
    }
    WRITE(a->bytes, bytes);
    if (bytes > READ(a->highest))
        WRITE(a->highest, bytes);
}

/* ---- blocks ---------------------------------------------------------------------------- */

/* The owner had no memory, or gave what breaks its promise of alignment. */
static char *take_again(const agn_allocator *from, char *base, size_t raw)
{
    if (!base && agni_memory_pressure(raw))
        base = from->alloc(from->user, raw, HEADER);
    if ((uintptr_t)base % HEADER == 0)
        return base;
    from->free(from->user, base, raw);
    return NULL;
}

/* A block at a multiple of align, which is HEADER or LINE. The owner is asked for 16-aligned
   memory only: aligned requests are slow in common allocators. */
static inline void *take(size_t bytes, size_t align)
{
    account *a = account_here();
    if (!a || ++a->count == a->fail_at || bytes > MOST)
        return NULL;
    const agn_allocator *from = atomic_load_explicit(&current, memory_order_acquire);
    size_t raw = bytes + align;
    char *base = from->alloc(from->user, raw, HEADER);
    if (!base || (uintptr_t)base % HEADER != 0) {
        base = take_again(from, base, raw);
        if (!base)
            return NULL;
    }
    size_t offset = align - (size_t)(uintptr_t)base % align;
    block_header *h = (block_header *)(void *)(base + offset - HEADER);
    h->owner = from;
    h->packed = raw * 8 + offset / HEADER;
    book(1, (int64_t)raw);
    return base + offset;
}

static inline block_header *header_of(void *p)
{
    return (block_header *)(void *)((char *)p - HEADER);
}

static inline size_t room(void *p)
{
    size_t packed = header_of(p)->packed;
    return packed / 8 - packed % 8 * HEADER;
}

void *agni_alloc(size_t bytes)
{
    return take(bytes, HEADER);
}

void *agni_zalloc(size_t bytes)
{
    void *p = take(bytes, HEADER);
    return p ? memset(p, 0, bytes) : NULL;
}

void *agni_alloc_aligned(size_t bytes)
{
    return take(bytes, LINE);
}

void agni_free(void *p)
{
    if (!p)
        return;
    block_header h = *header_of(p);
    char *base = (char *)p - h.packed % 8 * HEADER;
    size_t raw = h.packed / 8;
    book(-1, -(int64_t)raw);
    h.owner->free(h.owner->user, base, raw);
}

void *agni_realloc(void *p, size_t bytes)
{
    if (p && bytes <= room(p))
        return p;
    void *q = agni_alloc(bytes);
    if (p && q) {
        memcpy(q, p, room(p));
        agni_free(p);
    }
    return q;
}

char *agni_strdup(const char *s)
{
    size_t n = strlen(s) + 1;
    char *copy = agni_alloc(n);
    return copy ? memcpy(copy, s, n) : NULL;
}

bool agni_mul(int64_t a, int64_t b, int64_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}

bool agni_add(int64_t a, int64_t b, int64_t *out)
{
    return !__builtin_add_overflow(a, b, out);
}

/* ---- what the public may know ------------------------------------------------------------ */

void agn_memory_fail_after(int64_t n)
{
    account *a = account_here();
    if (a)
        a->fail_at = n >= 0 && n < INT64_MAX - a->count ? a->count + n + 1 : 0;
}

int64_t agn_memory_count(void)
{
    const account *a = account_here();
    return a ? a->count : 0;
}

/* Sums of all accounts; highest is exact while one thread works, else at most SLACK bytes
   per thread too high. */
static void add_up(int64_t *bytes, int64_t *blocks, int64_t *highest)
{
    *bytes = *highest = READ(total_bytes);
    *blocks = 0;
    for (account *a = atomic_load(&accounts); a; a = a->next) {
        *blocks += READ(a->blocks);
        *bytes += READ(a->bytes);
        *highest += READ(a->highest);
    }
}

void agn_memory_live(int64_t *bytes, int64_t *blocks, int64_t *peak)
{
    int64_t sum, n, highest;
    add_up(&sum, &n, &highest);
    raise_peak(highest);
    if (bytes)
        *bytes = sum;
    if (blocks)
        *blocks = n;
    if (peak)
        *peak = READ(total_peak);
}

void agn_memory_reset_peak(void)
{
    int64_t sum, n, highest;
    for (account *a = atomic_load(&accounts); a; a = a->next)
        WRITE(a->highest, READ(a->bytes));
    add_up(&sum, &n, &highest);
    WRITE(total_peak, sum);
}
