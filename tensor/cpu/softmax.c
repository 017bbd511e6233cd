/* tensor/cpu/softmax.c - softmax of lanes, compiled once per CPU level. */
#include "tensor/cpu/softmax.h"

#include "tensor/cpu/vk-level.h"
#include "tensor/cpu/vmath.h"

enum { ROWS = 128, AHEAD = 2 /* rows */ };

#define AGNI_REAL_F64
#include "tensor/cpu/real.h"
#include "tensor/cpu/softmax-body.h"
#undef AGNI_REAL_F64
#define AGNI_REAL_F32
#include "tensor/cpu/real.h"
#include "tensor/cpu/softmax-body.h"
#undef AGNI_REAL_F32

agni_softmax_fn *const AGNI_LV(agni_softmaxes)[AGNI_VK_REALS] = {[AGNI_VK_F64] = softmax_f64,
                                                                [AGNI_VK_F32] = softmax_f32};
