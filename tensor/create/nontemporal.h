/* tensor/create/nontemporal.h - non-temporal stores for results larger than the caches: no line is
   read from memory before it is overwritten, and the caches keep what they hold. */
#ifndef AGNI_NONTEMPORAL_H
#define AGNI_NONTEMPORAL_H

#include "tensor/dispatch/op.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum {
    AGNI_NONTEMPORAL_LINE = 64,
    AGNI_NONTEMPORAL_STRIP = 1024,   /* bytes that are computed in the first cache, then stored */
    AGNI_NONTEMPORAL_BYTES = 1 << 24 /* of a whole result: half of a usual last-level cache */
};

/* agni_nontemporal_copy: bytes from here to there, which do not overlap; agni_nontemporal_fence:
   from then on other threads that synchronise with this one see them. */
#if defined(__SSE2__)
static inline void agni_nontemporal_copy(char *to, const char *from, int64_t bytes)
{
    const int64_t before = -(int64_t)((uintptr_t)to % AGNI_NONTEMPORAL_LINE) &
                           (AGNI_NONTEMPORAL_LINE - 1);
    if (bytes < before + AGNI_NONTEMPORAL_LINE) {
        __builtin_memcpy(to, from, (size_t)bytes);
        return;
    }
    __builtin_memcpy(to, from, (size_t)before);
    int64_t k = before;
    for (; k + AGNI_NONTEMPORAL_LINE <= bytes; k += AGNI_NONTEMPORAL_LINE)
        for (int i = 0; i < AGNI_NONTEMPORAL_LINE; i += 16)
            _mm_stream_si128((__m128i *)(void *)(to + k + i),
                             _mm_loadu_si128((const __m128i *)(const void *)(from + k + i)));
    __builtin_memcpy(to + k, from + k, (size_t)(bytes - k));
}
static inline void agni_nontemporal_fence(void)
{
    _mm_sfence();
}
#else
static inline void agni_nontemporal_copy(char *to, const char *from, int64_t bytes)
{
    __builtin_memcpy(to, from, (size_t)bytes);
}
static inline void agni_nontemporal_fence(void)
{
}
#endif

/* number of elements of the next strip; from the second strip on, whole lines of the result */
static inline int64_t agni_nontemporal_strip(const char *to, int bytes, int64_t most, int64_t left)
{
    int64_t n = most - (int64_t)((uintptr_t)to % AGNI_NONTEMPORAL_LINE) / bytes;
    return n < left ? n : left;
}

#endif
