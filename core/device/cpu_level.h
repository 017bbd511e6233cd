/* core/device/cpu_level.h - the level of the CPU's vector units, which chooses kernels. */
#ifndef AGNI_CPU_LEVEL_H
#define AGNI_CPU_LEVEL_H

enum {
    AGNI_CPU_BASE = 0,  /* what the compiler may always assume: SSE2, NEON */
    AGNI_CPU_AVX2 = 1,  /* AVX2, FMA, F16C, BMI2: x86-64-v3 */
    AGNI_CPU_AVX512 = 2 /* and AVX-512 F, CD, BW, DQ, VL: x86-64-v4 */
};

int agni_cpu_level(void); /* in use */
int agni_cpu_highest_level(void);  /* the highest this machine can run */

/* The level in use, at most n - 1: a build has n levels from AGNI_CPU_BASE on. A file that lists
   their tables includes config.h, which says which levels are built. */
static inline int agni_cpu_level_below(int n)
{
    int i = agni_cpu_level();
    return i < n ? i : n - 1;
}

#endif
