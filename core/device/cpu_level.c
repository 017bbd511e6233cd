/* core/device/cpu_level.c - CPU feature detection: the level of kernels that runs here, or that
   AGNESI_CPU forces. */
#include "config.h"

#include "core/device/cpu_level.h"
#include "core/core.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *refused;
} levels[] = {
    [AGNI_CPU_BASE] = {"base", ""},
    [AGNI_CPU_AVX2] = {"avx2",
                       "AGNESI_CPU=avx2 is not taken: this CPU, system or build has no "
                       "AVX2 with FMA"},
    [AGNI_CPU_AVX512] = {"avx512",
                         "AGNESI_CPU=avx512 is not taken: this CPU, system or build has no "
                         "AVX-512 with F, CD, BW, DQ, VL"},
};
static const char unknown_level[] =
    "AGNESI_CPU is not taken: the levels are base, avx2, avx512";

static int level;
static const char *reason = "";
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* The compiler's run-time also asks the system whether it saves the wide registers. */
#if defined(AGNI_HAVE_AVX2)
int agni_cpu_highest_level(void)
{
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
        !__builtin_cpu_supports("bmi2"))
        return AGNI_CPU_BASE;
    bool wide =
        __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl");
    return wide ? AGNI_CPU_AVX512 : AGNI_CPU_AVX2;
}
#else
int agni_cpu_highest_level(void)
{
    return AGNI_CPU_BASE;
}
#endif

static void choose_level(void)
{
    level = agni_cpu_highest_level();
    const char *forced = getenv("AGNESI_CPU");
    if (!forced || !*forced)
        return;
    int k = 0;
    while (k < AGNI_COUNT(levels) && strcmp(forced, levels[k].name) != 0)
        k++;
    if (k <= level)
        level = k;
    else
        reason = k < AGNI_COUNT(levels) ? levels[k].refused : unknown_level;
}

int agni_cpu_level(void)
{
    pthread_once(&once, choose_level);
    return level;
}

const char *agn_cpu_level(const char **why)
{
    const char *name = levels[agni_cpu_level()].name;
    if (why)
        *why = reason;
    return name;
}
