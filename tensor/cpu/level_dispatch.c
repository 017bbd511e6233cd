/* tensor/cpu/level_dispatch.c - dispatch of CPU levels: the kernel table of the level that
   core/device/cpu_level.h chooses. */
#include "config.h"

#include "tensor/cpu/level_dispatch.h"

#include "core/core.h"
#include "core/device/cpu_level.h"

extern const agni_simd_kernels agni_simd_kernels_base, agni_simd_kernels_avx2,
    agni_simd_kernels_avx512;

static const agni_simd_kernels *const tables[] = {
    [AGNI_CPU_BASE] = &agni_simd_kernels_base,
#ifdef AGNI_HAVE_AVX2
    [AGNI_CPU_AVX2] = &agni_simd_kernels_avx2,
#endif
#ifdef AGNI_HAVE_AVX512
    [AGNI_CPU_AVX512] = &agni_simd_kernels_avx512,
#endif
};

const agni_simd_kernels *agni_simd_kernels_level(int i, bool *usable)
{
    if (i < 0 || i >= AGNI_COUNT(tables))
        return NULL;
    if (usable)
        *usable = i <= agni_cpu_highest_level();
    return tables[i];
}

const agni_simd_kernels *agni_simd_kernels_get(void)
{
    return tables[agni_cpu_level_below(AGNI_COUNT(tables))];
}

const char *agni_cpu_level_fault(void)
{
    const char *why = "";
    (void)agn_cpu_level(&why);
    return *why ? why : NULL;
}
