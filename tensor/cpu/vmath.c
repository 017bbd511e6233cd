/* Array loops over the vector functions (compiled once per level). */
#include "tensor/cpu/vmath.h"

#include "tensor/cpu/special.h"
#include "tensor/cpu/vk-level.h"

#define AGNI_REAL_F64
#include "tensor/cpu/real.h"
#include "tensor/cpu/vmath-loops.h"
#undef AGNI_REAL_F64
#define AGNI_REAL_F32
#include "tensor/cpu/real.h"
#include "tensor/cpu/vmath-loops.h"
#undef AGNI_REAL_F32

#include "tensor/cpu/vmath-wide.h"
