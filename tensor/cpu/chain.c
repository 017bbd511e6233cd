/* Chains of element-wise steps on blocks that stay in cache (compiled once per level). */
#include "tensor/cpu/vk-level.h"

#define AGNI_REAL_F64
#include "tensor/cpu/real.h"
#include "tensor/cpu/chain-body.h"
#undef AGNI_REAL_F64
#define AGNI_REAL_F32
#include "tensor/cpu/real.h"
#include "tensor/cpu/chain-body.h"
#undef AGNI_REAL_F32
