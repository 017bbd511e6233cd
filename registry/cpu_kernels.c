/* registry/cpu_kernels.c - the kernels of one CPU level as a table: the one file that sees them
   all. */
#include "distribution/cpu/density.h"
#include "linalg/cpu/lanes/lanes.h"
#include "tensor/matmul/cpu/gemm.h"
#include "tensor/random/cpu/random.h"
#include "tensor/reduce/cpu/softmax.h"
#include "tensor/order/cpu/sort.h"
#include "tensor/cpu/vmath/special_maps.h"
#include "tensor/cpu/simd/level_functions.h"

#define AGNI_STR2(x) #x
#define AGNI_STR1(x) AGNI_STR2(x)

#define MAP_F64(name) AGNI_LV(agni_simd_map_##name##_f64),
#define MAP_F32(name) AGNI_LV(agni_simd_map_##name##_f32),
#define LOOP_F64(name) AGNI_LV(agni_simd_loop_##name##_f64),
#define LOOP_F32(name) AGNI_LV(agni_simd_loop_##name##_f32),
#define REST(t)                                               \
    .sincos = AGNI_LV(agni_simd_sincos_##t),                  \
    .pack = AGNI_LV(agni_pack_weights_##t),                   \
    .packed_product = AGNI_LV(agni_packed_product_##t),       \
    .product = AGNI_LV(agni_unpacked_product_##t),            \
    .row_product = AGNI_LV(agni_row_product_##t),             \
    .chain = AGNI_LV(agni_run_chain_##t),                     \
    .shared_products = AGNI_LV(agni_shared_products_##t),     \
    .outer_row_product = AGNI_LV(agni_outer_row_product_##t), \
    .outer_product = AGNI_LV(agni_outer_product_##t),         \
    .batched_product = AGNI_LV(agni_batched_product_##t),     \
    .transpose = AGNI_LV(agni_transpose_rows_##t),            \
    .transpose_in = AGNI_LV(agni_transpose_in_##t),           \
    .transpose_out = AGNI_LV(agni_transpose_out_##t),         \
    .add_row_sums = AGNI_LV(agni_add_row_sums_##t),           \
    .add_row_dots = AGNI_LV(agni_add_row_dots_##t)

extern const agni_vspecials AGNI_LV(agni_vspecials);
extern const agni_vrandom AGNI_LV(agni_vrandom);
extern const agni_vsort AGNI_LV(agni_vsorts)[AGNI_SORT_TYPES];
extern const agni_vgemm AGNI_LV(agni_vgemms)[AGNI_SIMD_REALS];
extern const agni_vsoftmax AGNI_LV(agni_vsoftmaxes)[AGNI_SIMD_REALS];
extern const agni_vlanes AGNI_LV(agni_vlanes)[AGNI_SIMD_REALS];
extern const agni_vdensity AGNI_LV(agni_vdensity);

const agni_simd_kernels AGNI_LV(agni_simd_kernels) = {
    .name = AGNI_STR1(AGNI_LEVEL),
    .vbytes = AGNI_VBYTES,
    .fma = AGNI_HAS_FMA,
    .real =
        {
            [AGNI_SIMD_F64] = {.map = {AGNI_VMAPS(MAP_F64)},
                             .loop2 = {AGNI_VLOOPS2(LOOP_F64)},
                             .loop3 = {AGNI_VLOOPS3(LOOP_F64)},
                             REST(f64)},
            [AGNI_SIMD_F32] = {.map = {AGNI_VMAPS(MAP_F32)},
                             .loop2 = {AGNI_VLOOPS2(LOOP_F32)},
                             .loop3 = {AGNI_VLOOPS3(LOOP_F32)},
                             REST(f32)},
        },
    .special = &AGNI_LV(agni_vspecials),
    .random = &AGNI_LV(agni_vrandom),
    .sort = AGNI_LV(agni_vsorts),
    .gemm = AGNI_LV(agni_vgemms),
    .softmax = AGNI_LV(agni_vsoftmaxes),
    .lanes = AGNI_LV(agni_vlanes),
    .density = &AGNI_LV(agni_vdensity),
};
