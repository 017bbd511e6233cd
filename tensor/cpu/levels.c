/* Choosing the CPU level at run time. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "tensor/cpu/levels.h"

extern const agni_vk agni_vk_base;

typedef struct level {
    const agni_vk *vk;
    bool (*usable)(void);
    const char *refusal;
} level;

static bool has_base(void)
{
    return true;
}

#if defined(__x86_64__)

extern const agni_vk agni_vk_avx2, agni_vk_avx512;

static bool has_avx2(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static bool has_avx512(void)
{
    return has_avx2() && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512bw");
}

static const level levels[] = {
    {&agni_vk_base, has_base, ""},
    {&agni_vk_avx2, has_avx2,
     "AGNESI_CPU=avx2 asks for AVX2 and FMA, which this CPU lacks"},
    {&agni_vk_avx512, has_avx512,
     "AGNESI_CPU=avx512 asks for AVX-512 F, DQ, VL and BW, which this CPU lacks"},
};
static const char unknown[] = "AGNESI_CPU names no level: known are base, avx2, avx512";

#else

static const level levels[] = {{&agni_vk_base, has_base, ""}};
static const char unknown[] = "AGNESI_CPU names no level: known is base";

#endif

enum { LEVELS = sizeof levels / sizeof levels[0] };

/* Two threads may choose at once; they choose alike. */
static _Atomic(const agni_vk *) chosen;
static _Atomic(const char *) fault;

const agni_vk *agni_vk_level(int i, bool *usable)
{
    if (i < 0 || i >= LEVELS)
        return NULL;
    if (usable)
        *usable = levels[i].usable();
    return levels[i].vk;
}

static const agni_vk *choose(const char *name, const char **why)
{
    int best = LEVELS - 1;
    while (!levels[best].usable())
        best--;
    *why = NULL;
    if (!name || !*name)
        return levels[best].vk;
    for (int i = 0; i < LEVELS; i++) {
        if (strcmp(name, levels[i].vk->name) == 0) {
            if (levels[i].usable())
                return levels[i].vk;
            *why = levels[i].refusal;
            return levels[best].vk;
        }
    }
    *why = unknown;
    return levels[best].vk;
}

const agni_vk *agni_vk_get(void)
{
    const agni_vk *vk = atomic_load_explicit(&chosen, memory_order_acquire);
    if (!vk) {
        const char *why;
        vk = choose(getenv("AGNESI_CPU"), &why);
        atomic_store_explicit(&fault, why, memory_order_relaxed);
        atomic_store_explicit(&chosen, vk, memory_order_release);
    }
    return vk;
}

const char *agni_vk_fault(void)
{
    (void)agni_vk_get();
    return atomic_load_explicit(&fault, memory_order_relaxed);
}
