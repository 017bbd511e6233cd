/* geometric/kernels/cpu/message_rows.c - gSpMM and gSDDMM (Wang et al. 2019, Deep Graph Library)
   without an array of messages, compiled once per CPU level. */
#include "geometric/kernels/cpu/message_rows.h"

#include "tensor/cpu/vmath/vmath.h"

#include <string.h>

/* Rows are read in no order, from pages that are not mapped yet: those of the slot AHEAD are
   prefetched, as many as hide a walk of the page tables. */
enum { LINE = 64, AHEAD = 32 };
static inline void prefetch_lines(const void *row, int64_t bytes)
{
    const char *p = row;
    for (int64_t k = 0; k < bytes; k += LINE)
        __builtin_prefetch(p + k, 0, 3);
}

#define ROW_OF(at, along, slot, row) ((at) ? (int64_t)(at)[slot] : (along) ? (slot) : (row))

#define INT int32_t
#define NARROW 1
#define IN(x, s) x##_##s##_i32
#include "geometric/kernels/cpu/message_types.h"
#undef INT
#undef NARROW
#undef IN
#define INT int64_t
#define NARROW 0
#define IN(x, s) x##_##s##_i64
#include "geometric/kernels/cpu/message_types.h"
#undef INT
#undef NARROW
#undef IN

#define REDUCE(f, s, i) {f##_sum_##s##_##i, f##_max_##s##_##i, f##_min_##s##_##i}
#define COMMON(s, i) \
    .reduce = {REDUCE(copy, s, i), REDUCE(add, s, i), REDUCE(sub, s, i), REDUCE(mul, s, i), \
               REDUCE(div, s, i)}, \
    .dot = dot_##s##_##i
#define REALS(s, i) \
    {COMMON(s, i), .tie = {copy_tie_##s##_##i, add_tie_##s##_##i, sub_tie_##s##_##i, \
                           mul_tie_##s##_##i, div_tie_##s##_##i}}
#define WHOLE(s, i) {COMMON(s, i)}
agni_message_table AGNI_LV(agni_messages) = {
    {REALS(f32, i32), REALS(f64, i32), WHOLE(w32, i32), WHOLE(w64, i32)},
    {REALS(f32, i64), REALS(f64, i64), WHOLE(w32, i64), WHOLE(w64, i64)}};
