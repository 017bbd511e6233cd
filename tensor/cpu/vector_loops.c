/* tensor/cpu/vector_loops.c - element-wise loops with two or three operands. Compiled once per CPU
   level. */
#include "tensor/cpu/simd/level_functions.h"

#define AGNI_REAL_F64
#include "tensor/cpu/simd/real.h"
#include "tensor/cpu/vector_loops_body.h"
#undef AGNI_REAL_F64
#define AGNI_REAL_F32
#include "tensor/cpu/simd/real.h"
#include "tensor/cpu/vector_loops_body.h"
#undef AGNI_REAL_F32
