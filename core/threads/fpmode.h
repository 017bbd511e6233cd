/* core/threads/fpmode.h - floating-point control register: rounding and flush-to-zero. A worker
   takes the mode of the thread that opened the region: the same bits for any number of threads. */
#ifndef AGNI_FPMODE_H
#define AGNI_FPMODE_H

#include <stdint.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
static inline uint64_t agni_fp_mode_get(void)
{
    return _mm_getcsr() & 0xFFC0u; /* without the sticky exception flags */
}
static inline void agni_fp_mode_set(uint64_t mode)
{
    _mm_setcsr((unsigned)mode);
}
#elif defined(__aarch64__)
static inline uint64_t agni_fp_mode_get(void)
{
    uint64_t mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    return mode;
}
static inline void agni_fp_mode_set(uint64_t mode)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(mode));
}
#else
static inline uint64_t agni_fp_mode_get(void)
{
    return 0;
}
static inline void agni_fp_mode_set(uint64_t mode)
{
    (void)mode;
}
#endif
#endif
