/* tensor/order/sort.h - lanes of numbers that are put in order, for sort.c and what it is made of. */
#ifndef AGNI_SORT_H
#define AGNI_SORT_H

#include "tensor/order/cpu/sort.h"

#include <stdbool.h>
#include <stddef.h>

/* places [first, first + count) of the order of x[n], step apart; direct: y is a buffer too */
typedef struct agni_lane {
    int64_t n, step, first, count;
    bool down, direct;
    agni_beyond_fn *front; /* NULL where there is none */
} agni_lane;
typedef void agni_lane_sort(const agni_lane *l, const void *x, void *y, void *room);

/* The kernels of a dtype at the level in use; sort is NULL where there are none. */
const agni_vsort *agni_vsort_of(int dtype);
/* i32 i64 f32 f64 by those kernels, and the bytes of room that a lane of n takes */
extern agni_lane_sort *const agni_sort_values[];
size_t agni_sort_values_room(int64_t n, int64_t bytes, bool direct);

#endif
