/* linalg/cpu/stedc.c - divide and conquer of tridiagonal and bidiagonal matrices (Gu & Eisenstat
   1995) in f32 and f64. */
#include "tensor/cpu/level_dispatch.h" /* before complex.h, which takes the name I */

#include "linalg/cpu/lane_groups.h"
#include "linalg/cpu/lapack_calls.h"
#include "linalg/cpu/stedc.h"

#include <math.h>
#include <string.h>

enum { CONQUER_LINES = 4, CONQUER_LISTS = 6 };
/* of what the columns of a small problem are vectors: eigenvalues, or singular values, whose poles
   are squares and whose left ones begin with the row between the halves */
enum { EIGEN, RIGHT, LEFT };
/* the halves in which a vector is not 0 */
enum { TOP = 1, BOTTOM = 2 };

#define T double
#define FN(name) name##_f64
#define HALF_EPS 0x1p-53
#define TINY 0x1p-150 /* has a square */
#define ABSOLUTE fabs
#define HYPOT hypot
#define GEMM cblas_dgemm
#define ROT cblas_drot
#define STEQR LAPACKE_dsteqr_work
#define BDSQR LAPACKE_dbdsqr_work
#include "linalg/cpu/conquer_body.h"
#include "linalg/cpu/stedc_body.h"
#include "linalg/cpu/bdsdc_body.h"
#undef T
#undef FN
#undef HALF_EPS
#undef TINY
#undef ABSOLUTE
#undef HYPOT
#undef GEMM
#undef ROT
#undef STEQR
#undef BDSQR
#define T float
#define FN(name) name##_f32
#define HALF_EPS 0x1p-24f
#define TINY 0x1p-50f
#define ABSOLUTE fabsf
#define HYPOT hypotf
#define GEMM cblas_sgemm
#define ROT cblas_srot
#define STEQR LAPACKE_ssteqr_work
#define BDSQR LAPACKE_sbdsqr_work
#include "linalg/cpu/conquer_body.h"
#include "linalg/cpu/stedc_body.h"
#include "linalg/cpu/bdsdc_body.h"

int64_t agni_conquer_room(int dtype, int64_t n)
{
    return CONQUER_LINES * agni_room_of((n + 1) * 8) +
           agni_room_of((n + 1) * agni_dtypes[dtype].bytes) +
           CONQUER_LISTS * agni_room_of((n + 1) * (int64_t)sizeof(int32_t));
}

bool agni_stedc(int dtype, int64_t n, void *d, void *e, void *z, void *q, char *room)
{
    const agni_vlanes *lanes = &agni_simd_kernels_get()->lanes[AGNI_SIMD_F64];
    return dtype == AGN_F64 ? stedc_f64(lanes, n, d, e, z, q, room)
                            : stedc_f32(lanes, n, d, e, z, q, room);
}

bool agni_bdsdc(int dtype, int64_t n, void *d, void *e, void *u, void *q, void *spare, char *room)
{
    const agni_vlanes *lanes = &agni_simd_kernels_get()->lanes[AGNI_SIMD_F64];
    return dtype == AGN_F64 ? bdsdc_f64(lanes, n, d, e, u, q, spare, room)
                            : bdsdc_f32(lanes, n, d, e, u, q, spare, room);
}
