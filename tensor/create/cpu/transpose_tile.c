/* transpose_tile.c - transposition of matrices by vectors: rows of a batch to columns of a tile and
   back. Compiled once per CPU level. */
#include "tensor/cpu/simd/vec_transpose.h"
#include "tensor/cpu/simd/level_functions.h"

#define AGNI_REAL_F64
#include "tensor/cpu/simd/real.h"
#include "tensor/create/cpu/transpose_tile_body.h"
#undef AGNI_REAL_F64
#define AGNI_REAL_F32
#include "tensor/cpu/simd/real.h"
#include "tensor/create/cpu/transpose_tile_body.h"
#undef AGNI_REAL_F32
