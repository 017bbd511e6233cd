/* Rows of a batch become columns of a tile and back (compiled once per level). */
#include "tensor/cpu/vec-turn.h"
#include "tensor/cpu/vk-level.h"

#define AGNI_REAL_F64
#include "tensor/cpu/real.h"
#include "tensor/cpu/turn-body.h"
#undef AGNI_REAL_F64
#define AGNI_REAL_F32
#include "tensor/cpu/real.h"
#include "tensor/cpu/turn-body.h"
#undef AGNI_REAL_F32
