/* tensor/reduce/cpu/reduce.c - sums, sums of squares, extremes and log-sum-exp of blocks,
   compiled once per CPU level. */
#include "tensor/reduce/cpu/reduce.h"

#include "tensor/cpu/vmath/vmath.h"

/* W independent accumulators; columns of a tile share them where m divides W. */
enum { W = 32, LEAF = 16 * W, ROWS = 16 };
/* Software prefetch AHEAD bytes: hardware prefetchers stop at each page (rows of 8 KB of f64: 1.8
   times as fast on Zen 5, nothing on Zen 3). A run of LONG bytes is read as four streams
   instead, 1.4 times as fast as one, and without prefetch. */
enum { LINE = 64, AHEAD = 8192, LONG = 1 << 16 };

#define NAME_(op, s) op##_##s
#define NAME(op, s) NAME_(op, s)

#define ADD_OP(a, x) ((a) + (x))
#define MAX_OP(a, x) ((x) != (x) ? (x) : (x) > (a) ? (x) : (a))
#define MIN_OP(a, x) ((x) != (x) ? (x) : (x) < (a) ? (x) : (a))
#define IS_NAN(x) ((x) != (x)) /* false for integers */
/* the same where no number is NaN: one instruction */
#define MAX_ORDERED(a, x) ((x) > (a) ? (x) : (a))
#define MIN_ORDERED(a, x) ((x) < (a) ? (x) : (a))

#define ITSELF(x, c) (x)
#define SQUARE(x, c) (((x) - (c)) * ((x) - (c)))

/* a sum begins with 0; an extreme with an element of the same column */
#define IDEMPOTENT 0
#define OP ADD_OP
#define ORDERED ADD_OP
#define TERM SQUARE
#define WORD squares
#define T float
#define S f32
#include "tensor/reduce/cpu/reduce_body.h"
#define T double
#define S f64
#include "tensor/reduce/cpu/reduce_body.h"
#undef TERM
#undef WORD

#define TERM ITSELF
#define WORD sum
#define T uint32_t
#define S i32
#include "tensor/reduce/cpu/reduce_body.h"
#define T uint64_t
#define S i64
#include "tensor/reduce/cpu/reduce_body.h"
#define T float
#define S f32
#include "tensor/reduce/cpu/reduce_body.h"
#define T double
#define S f64
#include "tensor/reduce/cpu/reduce_body.h"
#undef IDEMPOTENT
#undef OP
#undef ORDERED
#undef WORD

#define IDEMPOTENT 1
#define OP MAX_OP
#define ORDERED MAX_ORDERED
#define WORD max
#include "tensor/reduce/cpu/reduce_types.h"
#undef OP
#undef ORDERED
#undef WORD
#define OP MIN_OP
#define ORDERED MIN_ORDERED
#define WORD min
#include "tensor/reduce/cpu/reduce_types.h"

#define AGNI_REAL_F64
#include "tensor/cpu/simd/real.h"
#include "tensor/reduce/cpu/logsumexp_body.h"
#undef AGNI_REAL_F64
#define AGNI_REAL_F32
#include "tensor/cpu/simd/real.h"
#include "tensor/reduce/cpu/logsumexp_body.h"
#undef AGNI_REAL_F32

agni_reduce_kernels AGNI_LV(agni_reduce_kernels) = {
    [AGNI_REDUCE_SUM] = {NULL, sum_i32, sum_i64, sum_f32, sum_f64},
    [AGNI_REDUCE_MAX] = {max_u8, max_i32, max_i64, max_f32, max_f64},
    [AGNI_REDUCE_MIN] = {min_u8, min_i32, min_i64, min_f32, min_f64},
    [AGNI_REDUCE_SQUARES] = {NULL, NULL, NULL, squares_f32, squares_f64},
    [AGNI_REDUCE_LSE] = {NULL, NULL, NULL, lse_f32, lse_f64},
};
