/* fft/cpu/lane_passes.c - Stockham's passes over columns in lanes, of both precisions, compiled
   once per CPU level. */
#include "fft/cpu/lane_passes.h"

#include "tensor/cpu/simd/vec_transpose.h"

#if AGNI_VBYTES == 64
#include <immintrin.h>
#endif
#include <stddef.h>

#define EVEN(l, n) 2 * (l)
#define ODD(l, n) 2 * (l) + 1
#define LOW(l, n) ((l) / 2 + (l) % 2 * (n))
#define HIGH(l, n) ((n) / 2 + (l) / 2 + (l) % 2 * (n))
#define EVEN_BACK(l, n) 2 * ((n) - 1 - (l))
#define ODD_BACK(l, n) 2 * ((n) - 1 - (l)) + 1
#define LOW_BACK(l, n) ((n) - 1 - (l) / 2 + (l) % 2 * (n))
#define HIGH_BACK(l, n) ((n) / 2 - 1 - (l) / 2 + (l) % 2 * (n))
#define LIST_2(F, l, n) F(l, n), F((l) + 1, n)
#define LIST_4(F, l, n) LIST_2(F, l, n), LIST_2(F, (l) + 2, n)
#define LIST_8(F, l, n) LIST_4(F, l, n), LIST_4(F, (l) + 4, n)
#define LIST_16(F, l, n) LIST_8(F, l, n), LIST_8(F, (l) + 8, n)
#define LIST_OF(F, n) LIST_##n(F, 0, n)
#if AGNI_VBYTES == 64
#define LIST_F64(F) LIST_OF(F, 8)
#define LIST_F32(F) LIST_OF(F, 16)
#elif AGNI_VBYTES == 32
#define LIST_F64(F) LIST_OF(F, 4)
#define LIST_F32(F) LIST_OF(F, 8)
#else
#define LIST_F64(F) LIST_OF(F, 2)
#define LIST_F32(F) LIST_OF(F, 4)
#endif

#define AGNI_REAL_F64
#define LIST LIST_F64
#include "tensor/cpu/simd/real.h"
#include "fft/cpu/lane_passes_body.h"
#undef AGNI_REAL_F64
#undef LIST
#define AGNI_REAL_F32
#define LIST LIST_F32
#include "tensor/cpu/simd/real.h"
#include "fft/cpu/lane_passes_body.h"
#undef AGNI_REAL_F32

#define KERNELS(s, n) \
    {n, load_##s, store_##s, run_##s, turn_over_##s, multiply_##s, untangle_##s, tangle_##s}
const agni_lane_kernels AGNI_LV(agni_lane_transforms)[2] = {KERNELS(f64, AGNI_L_F64),
                                                            KERNELS(f32, AGNI_L_F32)};
