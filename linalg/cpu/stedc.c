/* linalg/cpu/stedc.c - divide and conquer in f32 and f64. */
#include "tensor/cpu/level_dispatch.h" /* before complex.h, which takes the name I */

#include "linalg/cpu/lane_groups.h"
#include "linalg/cpu/lapack_calls.h"
#include "linalg/cpu/stedc.h"

#include <math.h>
#include <string.h>

enum { STEDC_LINES = 5, STEDC_LISTS = 6 };

#define T double
#define FN(name) name##_f64
#define HALF_EPS 0x1p-53
#define ABSOLUTE fabs
#define HYPOT hypot
#define SQUARE_ROOT sqrt
#define GEMM cblas_dgemm
#define ROT cblas_drot
#define STEQR LAPACKE_dsteqr_work
#include "linalg/cpu/stedc_body.h"
#undef T
#undef FN
#undef HALF_EPS
#undef ABSOLUTE
#undef HYPOT
#undef SQUARE_ROOT
#undef GEMM
#undef ROT
#undef STEQR
#define T float
#define FN(name) name##_f32
#define HALF_EPS 0x1p-24f
#define ABSOLUTE fabsf
#define HYPOT hypotf
#define SQUARE_ROOT sqrtf
#define GEMM cblas_sgemm
#define ROT cblas_srot
#define STEQR LAPACKE_ssteqr_work
#include "linalg/cpu/stedc_body.h"

int64_t agni_stedc_room(int dtype, int64_t n)
{
    return STEDC_LINES * agni_room_of(n * agni_dtypes[dtype].bytes) +
           STEDC_LISTS * agni_room_of(n * (int64_t)sizeof(int32_t));
}

bool agni_stedc(int dtype, int64_t n, void *d, void *e, void *z, void *q, char *room)
{
    const agni_vlanes *lanes = agni_simd_kernels_get()->lanes;
    return dtype == AGN_F64 ? stedc_f64(&lanes[AGNI_SIMD_F64], n, d, e, z, q, room)
                            : stedc_f32(&lanes[AGNI_SIMD_F32], n, d, e, z, q, room);
}
