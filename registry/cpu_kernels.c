/* registry/cpu_kernels.c - the kernels of one CPU level as a table: the one file that sees them all. */
#include "tensor/matmul/cpu/gemm.h"
#include "tensor/random/cpu/random.h"
#include "tensor/reduce/cpu/softmax.h"
#include "tensor/order/cpu/sort.h"
#include "tensor/cpu/simd/level_functions.h"

#define AGNI_STR2(x) #x
#define AGNI_STR1(x) AGNI_STR2(x)

#define MAP_F64(name) AGNI_LV(agni_vmap_##name##_f64),
#define MAP_F32(name) AGNI_LV(agni_vmap_##name##_f32),
#define MAP32(name) AGNI_LV(agni_vmap32_##name),
#define LOOP_F64(name) AGNI_LV(agni_vloop_##name##_f64),
#define LOOP_F32(name) AGNI_LV(agni_vloop_##name##_f32),
#define REST(t)                                                                     \
    .sincos = AGNI_LV(agni_vsincos_##t), .pack = AGNI_LV(agni_vpack_##t),           \
    .prod_packed = AGNI_LV(agni_vprod_packed_##t), .prod = AGNI_LV(agni_vprod_##t), \
    .prod_rows = AGNI_LV(agni_vprod_rows_##t), .chain = AGNI_LV(agni_vchain_##t),   \
    .prods = AGNI_LV(agni_vprods_##t),                                              \
    .outer_rows = AGNI_LV(agni_vouter_rows_##t), .outer = AGNI_LV(agni_vouter_##t), \
    .bprod = AGNI_LV(agni_vbprod_##t), .turn = AGNI_LV(agni_vturn_##t),             \
    .turn_in = AGNI_LV(agni_vturn_in_##t), .turn_out = AGNI_LV(agni_vturn_out_##t), \
    .rowsum = AGNI_LV(agni_vrowsum_##t), .rowdot = AGNI_LV(agni_vrowdot_##t)

extern const agni_vrandom AGNI_LV(agni_vrandom);
extern const agni_vsort AGNI_LV(agni_vsorts)[AGNI_SORT_TYPES];
extern const agni_vgemm AGNI_LV(agni_vgemms)[AGNI_VK_REALS];
extern const agni_vsoftmax AGNI_LV(agni_vsoftmaxes)[AGNI_VK_REALS];

const agni_vk AGNI_LV(agni_vk) = {
    .name = AGNI_STR1(AGNI_LEVEL),
    .vbytes = AGNI_VBYTES,
    .fma = AGNI_HAS_FMA,
    .real =
        {
            [AGNI_VK_F64] = {.map = {AGNI_VMAPS(MAP_F64)},
                             .loop2 = {AGNI_VLOOPS2(LOOP_F64)},
                             .loop3 = {AGNI_VLOOPS3(LOOP_F64)},
                             REST(f64)},
            [AGNI_VK_F32] = {.map = {AGNI_VMAPS(MAP_F32)},
                             .loop2 = {AGNI_VLOOPS2(LOOP_F32)},
                             .loop3 = {AGNI_VLOOPS3(LOOP_F32)},
                             REST(f32)},
        },
    .map32 = {AGNI_VMAPS32(MAP32)},
    .random = &AGNI_LV(agni_vrandom),
    .sort = AGNI_LV(agni_vsorts),
    .gemm = AGNI_LV(agni_vgemms),
    .softmax = AGNI_LV(agni_vsoftmaxes),
};
