/* linalg/cpu/lanes/lanes.c - small matrices in the lanes of vectors, compiled once per CPU
   level. */
#include "linalg/cpu/lanes/lanes.h"

#include "tensor/cpu/simd/level_functions.h"
#include "tensor/cpu/simd/vec_transpose.h"

#include <math.h>

/* F(l, lanes, s) of all lanes */
#if AGNI_VBYTES == 64
#define AGNI_EVERY_F64(F, s) AGNI_LANES_8(F, 0, 8, s)
#define AGNI_EVERY_F32(F, s) AGNI_LANES_16(F, 0, 16, s)
#elif AGNI_VBYTES == 32
#define AGNI_EVERY_F64(F, s) AGNI_LANES_4(F, 0, 4, s)
#define AGNI_EVERY_F32(F, s) AGNI_LANES_8(F, 0, 8, s)
#else
#define AGNI_EVERY_F64(F, s) AGNI_LANES_2(F, 0, 2, s)
#define AGNI_EVERY_F32(F, s) AGNI_LANES_4(F, 0, 4, s)
#endif
#define AGNI_REAL_F64
#include "tensor/cpu/simd/real.h"
#include "linalg/cpu/lanes/number.h"
#include "linalg/cpu/lanes/seen_body.h"
#include "linalg/cpu/lanes/band_body.h"
#include "linalg/cpu/lanes/half_band_body.h"
#include "linalg/cpu/lanes/factor_body.h"
#include "linalg/cpu/lanes/triangle_body.h"
#include "linalg/cpu/lanes/finite_body.h"
#include "linalg/cpu/lanes/reduce_body.h"
#include "linalg/cpu/lanes/jacobi_body.h"
#include "linalg/cpu/lanes/ldl_body.h"
#include "linalg/cpu/lanes/qr_body.h"
#include "linalg/cpu/lanes/secular_body.h"
#include "linalg/cpu/lanes/toeplitz_body.h"
#include "linalg/cpu/lanes/tridiagonal_body.h"
#include "linalg/cpu/lanes/bidiagonal_body.h"
#define AGNI_COMPLEX_LANES
#include "linalg/cpu/lanes/number.h"
#include "linalg/cpu/lanes/half_band_body.h"
#include "linalg/cpu/lanes/factor_body.h"
#include "linalg/cpu/lanes/triangle_body.h"
#include "linalg/cpu/lanes/qr_body.h"
#include "linalg/cpu/lanes/reduce_body.h"
#include "linalg/cpu/lanes/tridiagonal_body.h"
#include "linalg/cpu/lanes/bidiagonal_body.h"
#undef AGNI_COMPLEX_LANES
#undef AGNI_REAL_F64
#define AGNI_REAL_F32
#include "tensor/cpu/simd/real.h"
#include "linalg/cpu/lanes/number.h"
#include "linalg/cpu/lanes/seen_body.h"
#include "linalg/cpu/lanes/band_body.h"
#include "linalg/cpu/lanes/half_band_body.h"
#include "linalg/cpu/lanes/factor_body.h"
#include "linalg/cpu/lanes/triangle_body.h"
#include "linalg/cpu/lanes/finite_body.h"
#include "linalg/cpu/lanes/reduce_body.h"
#include "linalg/cpu/lanes/jacobi_body.h"
#include "linalg/cpu/lanes/ldl_body.h"
#include "linalg/cpu/lanes/qr_body.h"
#include "linalg/cpu/lanes/tridiagonal_body.h"
#include "linalg/cpu/lanes/bidiagonal_body.h"
#define AGNI_COMPLEX_LANES
#include "linalg/cpu/lanes/number.h"
#include "linalg/cpu/lanes/half_band_body.h"
#include "linalg/cpu/lanes/factor_body.h"
#include "linalg/cpu/lanes/triangle_body.h"
#include "linalg/cpu/lanes/qr_body.h"
#include "linalg/cpu/lanes/reduce_body.h"
#include "linalg/cpu/lanes/tridiagonal_body.h"
#include "linalg/cpu/lanes/bidiagonal_body.h"
#undef AGNI_COMPLEX_LANES
#undef AGNI_REAL_F32

#define COMPLEX(t, n) \
    { \
        .lanes = n, .cholesky = complex_cholesky_##t, .lu = complex_lu_##t, \
        .interchange_rows = complex_interchange_rows_##t, \
        .solve_triangle = complex_solve_triangle_##t, .determinant = complex_determinant_##t, \
        .eigh = complex_eigh_##t, .svd = complex_svd_##t, .qr = complex_qr_##t, \
        .triangle_room = complex_triangle_room_##t, \
        .solve_band_triangle = complex_solve_band_triangle_##t, \
        .factor_half_band = complex_factor_half_band_##t, \
        .solve_half_band = complex_solve_half_band_##t, \
        .half_band_room = complex_half_band_room_##t \
    }
static const agni_vlanes complex_f64 = COMPLEX(f64, AGNI_L_F64),
                         complex_f32 = COMPLEX(f32, AGNI_L_F32);

#define ROW(t, n, ...) \
    { \
        n, &complex_##t, cholesky_##t, lu_##t, interchange_rows_##t, solve_triangle_##t, \
            determinant_##t, eigh_##t, svd_##t, qr_##t, lstsq_##t, all_finite_##t, band_room_##t, \
            solve_band_##t, triangle_room_##t, solve_band_triangle_##t, half_band_room_##t, \
            factor_half_band_##t, solve_half_band_##t, ldl_panel_##t, ldl_rows_##t, __VA_ARGS__ \
    }
const agni_vlanes AGNI_LV(agni_vlanes)[AGNI_SIMD_REALS] = {
    [AGNI_SIMD_F64] = ROW(f64, AGNI_L_F64, levinson_f64, toeplitz_residual_f64, secular_roots_f64,
                           secular_weights_f64, secular_column_f64),
    [AGNI_SIMD_F32] = ROW(f32, AGNI_L_F32, NULL)};
