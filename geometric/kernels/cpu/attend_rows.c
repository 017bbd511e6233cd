/* geometric/kernels/cpu/attend_rows.c - graph attention (Velickovic et al. 2018) by tiles of
   edges, weights made again from one number a node (Dao et al. 2022), compiled once per CPU
   level. */
#include "geometric/kernels/cpu/attend_rows.h"

#include "tensor/cpu/vmath/vmath.h"

#include <string.h>

/* scores of a tile; heads at a time; lines of a row that are asked for; edges ahead whose terms
   and rows are */
enum { SCORES = 512, HEADS = 64, LINE = 64, MOST_LINES = 16, AHEAD = 32 };

static inline void prefetch_row(const void *row, int64_t bytes)
{
    const char *p = row;
    for (int64_t k = 0; k < bytes && k < MOST_LINES * LINE; k += LINE)
        __builtin_prefetch(p + k, 0, 3);
}

#define INT int32_t
#define IN(name) name##_i32
#define AGNI_REAL_F32
#include "tensor/cpu/simd/real.h"
#include "geometric/kernels/cpu/attend_body.h"
#undef AGNI_REAL_F32
#define AGNI_REAL_F64
#include "tensor/cpu/simd/real.h"
#include "geometric/kernels/cpu/attend_body.h"
#undef AGNI_REAL_F64
#undef INT
#undef IN
#define INT int64_t
#define IN(name) name##_i64
#define AGNI_REAL_F32
#include "tensor/cpu/simd/real.h"
#include "geometric/kernels/cpu/attend_body.h"
#undef AGNI_REAL_F32
#define AGNI_REAL_F64
#include "tensor/cpu/simd/real.h"
#include "geometric/kernels/cpu/attend_body.h"
#undef AGNI_REAL_F64

agni_attend_table AGNI_LV(agni_attention) = {
    {{weigh_rows_f32_i32, norm_rows_f32_i32}, {weigh_rows_f64_i32, norm_rows_f64_i32}},
    {{weigh_rows_f32_i64, norm_rows_f32_i64}, {weigh_rows_f64_i64, norm_rows_f64_i64}}};
