/* linalg/cpu/lanes/lanes.c - small matrices in the lanes of vectors, compiled once per CPU
   level. */
#include "linalg/cpu/lanes/lanes.h"

#include "tensor/cpu/simd/level_functions.h"

#include <math.h>

#define AGNI_REAL_F64
#include "tensor/cpu/simd/real.h"
#include "linalg/cpu/lanes/band_body.h"
#include "linalg/cpu/lanes/factor_body.h"
#include "linalg/cpu/lanes/finite_body.h"
#include "linalg/cpu/lanes/jacobi_body.h"
#include "linalg/cpu/lanes/qr_body.h"
#include "linalg/cpu/lanes/toeplitz_body.h"
#include "linalg/cpu/lanes/tridiagonal_body.h"
#undef AGNI_REAL_F64
#define AGNI_REAL_F32
#include "tensor/cpu/simd/real.h"
#include "linalg/cpu/lanes/band_body.h"
#include "linalg/cpu/lanes/factor_body.h"
#include "linalg/cpu/lanes/finite_body.h"
#include "linalg/cpu/lanes/jacobi_body.h"
#include "linalg/cpu/lanes/qr_body.h"
#include "linalg/cpu/lanes/tridiagonal_body.h"
#undef AGNI_REAL_F32

#define ROW(t, n, toeplitz, residual) \
    { \
        n, cholesky_##t, lu_##t, solve_triangle_##t, determinant_##t, eigh_##t, svd_##t, qr_##t, \
            lstsq_##t, all_finite_##t, band_room_##t, solve_band_##t, toeplitz, residual \
    }
const agni_vlanes AGNI_LV(agni_vlanes)[AGNI_SIMD_REALS] = {
    [AGNI_SIMD_F64] = ROW(f64, AGNI_L_F64, levinson_f64, toeplitz_residual_f64),
    [AGNI_SIMD_F32] = ROW(f32, AGNI_L_F32, NULL, NULL)};
