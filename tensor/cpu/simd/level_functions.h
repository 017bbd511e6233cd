/* level_functions.h - the kernels of one level, defined by its sources, gathered by
   registry/cpu_kernels.c. */
#ifndef AGNI_CPU_VK_LEVEL_H
#define AGNI_CPU_VK_LEVEL_H

#include "tensor/cpu/simd/vec.h"
#include "tensor/cpu/simd/kernel_table.h"

extern const agni_simd_kernels AGNI_LV(agni_simd_kernels);

#define AGNI_REAL_F64
#include "tensor/cpu/simd/real.h"
#include "tensor/cpu/simd/level_functions_body.h"
#undef AGNI_REAL_F64
#define AGNI_REAL_F32
#include "tensor/cpu/simd/real.h"
#include "tensor/cpu/simd/level_functions_body.h"
#undef AGNI_REAL_F32

#endif
