/* tensor/reduce/cpu/softmax.c - softmax of lanes and its passes, compiled once per CPU level. */
#include "tensor/reduce/cpu/softmax.h"

#include "tensor/cpu/simd/level_functions.h"
#include "tensor/cpu/vmath/vmath.h"

enum { ROWS = AGNI_SOFTMAX_ROWS, AHEAD = 2 /* rows */ };

#define AGNI_REAL_F64
#include "tensor/cpu/simd/real.h"
#include "tensor/reduce/cpu/softmax_body.h"
#undef AGNI_REAL_F64
#define AGNI_REAL_F32
#include "tensor/cpu/simd/real.h"
#include "tensor/reduce/cpu/softmax_body.h"
#undef AGNI_REAL_F32

#define ROW(s) \
    { \
        softmax_##s, column_max_##s, exp_and_sum_##s, add_parts_##s, divide_columns_##s \
    }
const agni_vsoftmax AGNI_LV(agni_vsoftmaxes)[AGNI_SIMD_REALS] = {[AGNI_SIMD_F64] = ROW(f64),
                                                              [AGNI_SIMD_F32] = ROW(f32)};
