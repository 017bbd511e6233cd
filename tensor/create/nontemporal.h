/* tensor/create/nontemporal.h - results larger than the caches are written past them: no line is read from memory
   before it is overwritten, and what the caches hold stays. */
#ifndef AGNI_FAR_H
#define AGNI_FAR_H

#include "tensor/dispatch/op.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum {
    AGNI_FAR_LINE = 64,
    AGNI_FAR_STRIP = 1024,   /* bytes that are made in the first cache before they go */
    AGNI_FAR_BYTES = 1 << 24 /* of a whole result, half of a usual last cache: it would hold no more */
};

/* agni_far_copy: bytes from here to there, which do not overlap; agni_far_end: from then on other
   threads that this one tells of it see them. */
#if defined(__SSE2__)
static inline void agni_far_copy(char *to, const char *from, int64_t bytes)
{
    const int64_t before = -(int64_t)((uintptr_t)to % AGNI_FAR_LINE) & (AGNI_FAR_LINE - 1);
    if (bytes < before + AGNI_FAR_LINE) {
        __builtin_memcpy(to, from, (size_t)bytes);
        return;
    }
    __builtin_memcpy(to, from, (size_t)before);
    int64_t k = before;
    for (; k + AGNI_FAR_LINE <= bytes; k += AGNI_FAR_LINE)
        for (int i = 0; i < AGNI_FAR_LINE; i += 16)
            _mm_stream_si128((__m128i *)(void *)(to + k + i),
                             _mm_loadu_si128((const __m128i *)(const void *)(from + k + i)));
    __builtin_memcpy(to + k, from + k, (size_t)(bytes - k));
}
static inline void agni_far_end(void)
{
    _mm_sfence();
}
#else
static inline void agni_far_copy(char *to, const char *from, int64_t bytes)
{
    __builtin_memcpy(to, from, (size_t)bytes);
}
static inline void agni_far_end(void)
{
}
#endif

/* elements of the next strip: whole lines of the result from the second strip on */
static inline int64_t agni_far_next(const char *to, int bytes, int64_t most, int64_t left)
{
    int64_t n = most - (int64_t)((uintptr_t)to % AGNI_FAR_LINE) / bytes;
    return n < left ? n : left;
}

#endif
