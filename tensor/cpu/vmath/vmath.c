/* Array loops over the vector functions (compiled once per level). */
#include "tensor/cpu/vmath/vmath.h"

#include "tensor/cpu/special/normal.h"
#include "tensor/cpu/special/special.h"
#include "tensor/cpu/simd/level_functions.h"
#include "tensor/cpu/vmath/special_maps.h"

#define AGNI_REAL_F64
#include "tensor/cpu/simd/real.h"
#include "tensor/cpu/vmath/vmath_loops.h"
#undef AGNI_REAL_F64
#define AGNI_REAL_F32
#include "tensor/cpu/simd/real.h"
#include "tensor/cpu/vmath/vmath_loops.h"
#undef AGNI_REAL_F32

#define AGNI_REAL_F64
#include "tensor/cpu/simd/real.h"
#include "tensor/cpu/vmath/vmath_special.h"
#undef AGNI_REAL_F64
