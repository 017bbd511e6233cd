/* core/random/philox.h - Philox4x32-10, the counter-based generator of Salmon, Moraes, Dror &
   Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011. One text for the host
   compiler, nvcc and NVRTC; needs nothing but uint32_t and uint64_t.

   A generator is a seed and a number of the next stream. Every op takes one stream and
   draws under its sub-key; element i depends on (seed, stream, i) alone, so any slice
   can be drawn by any thread or device:

     sub-key   words 0 and 1 of Philox(counter = (stream, 0), key = seed)
     block b   Philox(counter = (b, 0), key = sub-key): four words
     f32       element i is word i % 4 of block i / 4: (x >> 8) 2^-24
     f64       element i is words 2 (i % 2), 2 (i % 2) + 1 of block i / 2, the first
               one high: (x >> 11) 2^-53
     try t     of a rejection sampler for element i: counter = (i, t, block)
     lane l    of a mapped function draws under a key of its own, made like a sub-key
               by counter = (l, 0, 2^32 - 1) under the op's

   64-bit numbers lie low word first in counter and key. Uniforms are integers times a
   power of two: in [0, 1), and never rounded. */
#ifndef AGNI_PHILOX_H
#define AGNI_PHILOX_H

#if !defined(__CUDACC_RTC__)
#include <stdint.h>
#endif

#if defined(__CUDACC__)
#define AGNI_PHILOX static __host__ __device__ __forceinline__
#else
#define AGNI_PHILOX static inline
#endif

typedef struct agni_philox4 {
    uint32_t w[4];
} agni_philox4;

AGNI_PHILOX agni_philox4 agni_philox(uint32_t c0, uint32_t c1, uint32_t c2, uint32_t c3,
                                     uint32_t k0, uint32_t k1)
{
    for (int round = 0; round < 10; round++) {
        uint64_t p = (uint64_t)0xD2511F53u * c0;
        uint64_t q = (uint64_t)0xCD9E8D57u * c2;
        c0 = (uint32_t)(q >> 32) ^ c1 ^ k0;
        c2 = (uint32_t)(p >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)q;
        c3 = (uint32_t)p;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    agni_philox4 r = {{c0, c1, c2, c3}};
    return r;
}

/* Counter (n low, n high, c2, c3) under a 64-bit key. */
AGNI_PHILOX agni_philox4 agni_philox_at(uint64_t key, uint64_t n, uint32_t c2,
                                        uint32_t c3)
{
    return agni_philox((uint32_t)n, (uint32_t)(n >> 32), c2, c3, (uint32_t)key,
                       (uint32_t)(key >> 32));
}

AGNI_PHILOX uint64_t agni_philox_key(agni_philox4 r)
{
    return (uint64_t)r.w[1] << 32 | r.w[0];
}

/* Key of one op: stream of a seed. */
AGNI_PHILOX uint64_t agni_philox_subkey(uint64_t seed, uint64_t stream)
{
    return agni_philox_key(agni_philox_at(seed, stream, 0, 0));
}

/* Key of one lane of a mapped op; no sampler reaches that block. */
AGNI_PHILOX uint64_t agni_philox_fold(uint64_t key, uint64_t lane)
{
    return agni_philox_key(agni_philox_at(key, lane, 0, 0xFFFFFFFFu));
}

AGNI_PHILOX agni_philox4 agni_philox_block(uint64_t key, uint64_t block)
{
    return agni_philox_at(key, block, 0, 0);
}

/* For rejection samplers: tries of an element do not disturb the other elements. */
AGNI_PHILOX agni_philox4 agni_philox_try(uint64_t key, uint64_t element,
                                         uint32_t attempt, uint32_t block)
{
    return agni_philox_at(key, element, attempt, block);
}

AGNI_PHILOX float agni_philox_to_f32(uint32_t x)
{
    return (float)(x >> 8) * 0x1p-24f;
}

AGNI_PHILOX double agni_philox_to_f64(uint32_t high, uint32_t low)
{
    return (double)(((uint64_t)high << 32 | low) >> 11) * 0x1p-53;
}

AGNI_PHILOX uint32_t agni_philox_u32(uint64_t key, uint64_t i)
{
    return agni_philox_block(key, i / 4).w[i % 4];
}

AGNI_PHILOX float agni_philox_f32(uint64_t key, uint64_t i)
{
    return agni_philox_to_f32(agni_philox_u32(key, i));
}

AGNI_PHILOX double agni_philox_f64(uint64_t key, uint64_t i)
{
    agni_philox4 r = agni_philox_block(key, i / 2);
    return agni_philox_to_f64(r.w[2 * (i % 2)], r.w[2 * (i % 2) + 1]);
}

#endif
