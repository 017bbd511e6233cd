/* core/memory/allocator.c - allocation through a replaceable allocator, with segregated free lists
   per thread. A block is preceded by a header that names the allocator it came from and its
   size. Small blocks of the default allocator go to a free list of their size class in the
   thread that freed them: an eager op allocates three of them. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "core/thread_record.h"
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

enum {
    HEADER = 16,       /* room for block_header, keeps blocks 16-aligned */
    LINE = 64,         /* alignment of tensor data: a cache line, a vector of AVX-512 */
    STEP = 32,         /* sizes of small blocks are multiples of it */
    FREE_LIST_BYTES = 128 * 1024, /* limit of one free list */
    LARGE_BYTES = 32 * 1024, /* blocks from here on go to the large block cache */
    HUGE_BYTES = 4 << 20
};

typedef struct block_header {
    const agn_allocator *owner;
    size_t
        packed; /* bytes taken from the owner, times 8, plus the block's offset / 16 */
} block_header;
_Static_assert(sizeof(block_header) <= HEADER, "header is too large");
_Static_assert(LINE / HEADER < 8, "offset does not fit");

/* Largest request: the packed size must not overflow. */
#define MAX_REQUEST (SIZE_MAX / 8 - 4 * LINE)

/* ---- the default allocator ------------------------------------------------------ */

/* The first touch of fresh memory costs a fault per page: ask for 2 MiB pages where
   blocks are large enough to hold some. A refusal changes nothing but the speed. */
#if defined(__linux__) && defined(MADV_HUGEPAGE)
static void advise_huge_pages(void *p, size_t bytes)
{
    uintptr_t page = 4096, begin = ((uintptr_t)p + page - 1) / page * page;
    if (p && bytes >= HUGE_BYTES)
        madvise((void *)begin, (bytes - (begin - (uintptr_t)p)) / page * page,
                MADV_HUGEPAGE);
}
#else
static void advise_huge_pages(void *p, size_t bytes)
{
    (void)p;
    (void)bytes;
}
#endif

static void *default_alloc(void *user, size_t bytes, size_t align)
{
    (void)user;
    bool plain = align <= _Alignof(max_align_t);
    void *p = plain && bytes >= LARGE_BYTES ? agni_large_block_reuse(bytes) : NULL;
    for (int again = 0; !p && again < 2; again++) {
        if (again)
            agni_large_blocks_free();
        p = plain ? malloc(bytes)
                  : aligned_alloc(align, (bytes + align - 1) / align * align);
        advise_huge_pages(p, bytes);
    }
    return p;
}

static void default_free(void *user, void *p, size_t bytes)
{
    (void)user;
    if (!p || bytes < LARGE_BYTES || !agni_large_block_keep(p, bytes))
        free(p);
}

static const agn_allocator default_allocator = {
    .size = sizeof(agn_allocator), .alloc = default_alloc, .free = default_free};
static const agn_allocator *_Atomic current = &default_allocator;

agn_status agn_allocator_set(const agn_allocator *a)
{
    if (!a)
        a = &default_allocator;
    if (agni_check_size("allocator_set", agn_allocator, a))
        return AGN_EARG;
    if (!a->alloc || !a->free)
        return agni_fail(AGN_EARG,
                         "allocator_set: a function is missing: alloc is %s, "
                         "free is %s",
                         a->alloc ? "there" : "NULL", a->free ? "there" : "NULL");
    atomic_store_explicit(&current, a, memory_order_release);
    return AGN_OK;
}

/* ---- blocks --------------------------------------------------------------------- */

/* The owner had no memory, or returned a block that is not aligned as it promised. */
static char *retry_allocation(const agn_allocator *from, char *base, size_t raw)
{
    if (!base && agni_memory_pressure(raw))
        base = from->alloc(from->user, raw, HEADER);
    if ((uintptr_t)base % HEADER == 0)
        return base;
    from->free(from->user, base, raw);
    return NULL;
}

/* The free list of a size that is a multiple of STEP; 0 bytes and large sizes have none. */
static inline size_t size_class(size_t raw)
{
    return raw / STEP - 1;
}

static inline size_t round_to_step(size_t raw)
{
    return (raw + STEP - 1) / STEP * STEP;
}

static inline bool is_small(const agn_allocator *owner, size_t raw)
{
    return raw <= STEP * AGNI_FREE_LISTS && owner == &default_allocator &&
           agni_cache_free_blocks;
}

static inline char *pop_free_block(agni_thread_record *a, size_t raw)
{
    size_t k = size_class(raw);
    agni_free_block *i = a->free_list[k];
    if (i) {
        a->free_list[k] = i->next;
        a->free_bytes[k] -= raw;
    }
    return (char *)i;
}

static inline bool push_free_block(agni_thread_record *a, void *base, size_t raw)
{
    size_t k = size_class(raw);
    if (a->free_bytes[k] >= FREE_LIST_BYTES)
        return false;
    agni_free_block *i = base;
    i->next = a->free_list[k];
    a->free_list[k] = i;
    a->free_bytes[k] += raw;
    return true;
}

/* Begins a block at a multiple of align within raw bytes at base: writes its header, counts it. */
static inline void *begin_block(agni_thread_record *a, const agn_allocator *from, char *base,
                                size_t raw, size_t align)
{
    size_t offset = align - (size_t)(uintptr_t)base % align;
    block_header *h = (block_header *)(void *)(base + offset - HEADER);
    h->owner = from;
    h->packed = raw * 8 + offset / HEADER;
    agni_record_allocation(a, 1, (int64_t)raw);
    return base + offset;
}

static AGNI_COLD void *allocate_fresh(const agn_allocator *from, size_t raw, size_t align)
{
    char *base = from->alloc(from->user, raw, HEADER);
    if (!base || (uintptr_t)base % HEADER != 0) {
        base = retry_allocation(from, base, raw);
        if (!base)
            return NULL;
    }
    /* the host's hook may have run meanwhile */
    return begin_block(agni_thread_record_get(), from, base, raw, align);
}

/* A block at a multiple of align, which is HEADER or LINE. The owner is asked for
   16-aligned memory only: aligned requests are slow in common allocators. */
static inline void *allocate_block(size_t bytes, size_t align)
{
    agni_thread_record *a = agni_thread_record_get();
    if (!a || ++a->count == a->fail_at || bytes > MAX_REQUEST)
        return NULL;
    const agn_allocator *from = atomic_load_explicit(&current, memory_order_acquire);
    size_t raw = bytes + align;
    if (is_small(from, raw)) {
        raw = round_to_step(raw);
        char *base = pop_free_block(a, raw);
        if (base)
            return begin_block(a, from, base, raw, align);
    }
    return allocate_fresh(from, raw, align);
}

static inline block_header *header_of(void *p)
{
    return (block_header *)(void *)((char *)p - HEADER);
}

static inline size_t usable_bytes(void *p)
{
    size_t packed = header_of(p)->packed;
    return packed / 8 - packed % 8 * HEADER;
}

void *agni_alloc(size_t bytes)
{
    return allocate_block(bytes, HEADER);
}

void *agni_zalloc(size_t bytes)
{
    void *p = allocate_block(bytes, HEADER);
    return p ? memset(p, 0, bytes) : NULL;
}

void *agni_alloc_aligned(size_t bytes)
{
    return allocate_block(bytes, LINE);
}

void agni_free(void *p)
{
    if (!p)
        return;
    block_header h = *header_of(p);
    char *base = (char *)p - h.packed % 8 * HEADER;
    size_t raw = h.packed / 8;
    agni_thread_record *a = agni_thread_record_get();
    agni_record_allocation(a, -1, -(int64_t)raw);
    if (a && is_small(h.owner, raw) && push_free_block(a, base, raw))
        return;
    h.owner->free(h.owner->user, base, raw);
}

void *agni_realloc(void *p, size_t bytes)
{
    if (p && bytes <= usable_bytes(p))
        return p;
    void *q = agni_alloc(bytes);
    if (p && q) {
        memcpy(q, p, usable_bytes(p));
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

bool agni_checked_mul(int64_t a, int64_t b, int64_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}

bool agni_checked_add(int64_t a, int64_t b, int64_t *out)
{
    return !__builtin_add_overflow(a, b, out);
}

bool agni_reserve_items(void *items, int32_t *cap, int32_t need, size_t item)
{
    void **p = items;
    if (need <= *cap)
        return true;
    int64_t more = *cap ? 2 * (int64_t)*cap : 64;
    while (more < need)
        more *= 2;
    more = more < INT32_MAX ? more : INT32_MAX;
    void *q = agni_realloc(*p, (size_t)more * item);
    if (!q)
        return false;
    *p = q;
    *cap = (int32_t)more;
    return true;
}
