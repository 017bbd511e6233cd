/* tensor/order/sort.h - sorting of one lane: what sort.c and its kernels share. */
#ifndef AGNI_SORT_H
#define AGNI_SORT_H

#include "tensor/order/cpu/sort.h"

#include <stdbool.h>
#include <stddef.h>

/* the window [first, first + count) of the order of x[n], step apart; direct: y serves as a
   buffer */
typedef struct agni_sort_lane {
    int64_t n, step, first, count;
    bool down, direct;
    agni_find_beyond_fn *front; /* NULL where there is none */
} agni_sort_lane;
typedef void agni_sort_lane_fn(const agni_sort_lane *l, const void *x, void *y, void *workspace);

/* The kernels of a dtype at the level in use; sort is NULL where there are none. */
const agni_vsort *agni_find_vsort(int dtype);
/* i32 i64 f32 f64 by those kernels, and the bytes of workspace that a lane of n takes */
extern agni_sort_lane_fn *const agni_sort_values[];
size_t agni_sort_values_workspace(int64_t n, int64_t bytes, bool direct);

#endif
