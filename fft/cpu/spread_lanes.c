/* fft/cpu/spread_lanes.c - sums about points and their adjoint, of both precisions, compiled once
   per CPU level. */
#include "fft/cpu/spread_lanes.h"

#include "tensor/cpu/simd/vec.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define AGNI_REAL_F64
#include "tensor/cpu/simd/real.h"
#include "fft/cpu/spread_lanes_body.h"
#undef AGNI_REAL_F64
#define AGNI_REAL_F32
#include "tensor/cpu/simd/real.h"
#include "fft/cpu/spread_lanes_body.h"
#undef AGNI_REAL_F32

const agni_spread_kernels AGNI_LV(agni_spread)[2] = {
    {AGNI_L_F64, gather_f64, add_f64}, {AGNI_L_F32, gather_f32, add_f32}};
