/* tensor/cpu/fused_elementwise.c - fused chains of element-wise steps on blocks that stay in cache.
   Compiled once per CPU level. */
#include "tensor/cpu/simd/level_functions.h"

#define AGNI_REAL_F64
#include "tensor/cpu/simd/real.h"
#include "tensor/cpu/fused_elementwise_body.h"
#undef AGNI_REAL_F64
#define AGNI_REAL_F32
#include "tensor/cpu/simd/real.h"
#include "tensor/cpu/fused_elementwise_body.h"
#undef AGNI_REAL_F32
