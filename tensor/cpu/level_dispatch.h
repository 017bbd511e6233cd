/* tensor/cpu/level_dispatch.h - the level of CPU kernels that this process uses. */
#ifndef AGNI_TENSOR_CPU_LEVEL_H
#define AGNI_TENSOR_CPU_LEVEL_H

#include "tensor/cpu/simd/kernel_table.h"

/* The kernels of the level in use, never NULL: the one that AGNESI_CPU names (base,
 * avx2, avx512), else the best that this CPU has. Chosen at the first call, the same
 * for the life of the process; any thread. */
const agni_simd_kernels *agni_simd_kernels_get(void);

/* Why AGNESI_CPU was refused (agni_simd_kernels_get then chose by itself), or NULL. */
const char *agni_cpu_level_fault(void);

/* Level i = 0, 1, ... from the plainest up, NULL behind the last; *usable (if not
 * NULL): this CPU can run it. */
const agni_simd_kernels *agni_simd_kernels_level(int i, bool *usable);

#endif
