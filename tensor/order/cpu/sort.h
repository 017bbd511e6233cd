/* tensor/order/cpu/sort.h - sorting of numbers on vectors; agni_vk has the table of a level. */
#ifndef AGNI_CPU_SORT_H
#define AGNI_CPU_SORT_H

#include <stdint.h>

enum { AGNI_ST_I32, AGNI_ST_I64, AGNI_ST_F32, AGNI_ST_F64, AGNI_SORT_TYPES };

/* v[n], without NaN, such that places [0, end[0]) hold nothing above and places [end[1], n)
   nothing below what the places between hold, which is all the same or nothing; end[0] < n.
   tmp has n items. */
typedef void agni_split_fn(void *v, void *tmp, int64_t n, int64_t end[2]);
/* ascending; 0 and -0 are equal, and what becomes of their signs is not said */
typedef void agni_sort_fn(void *v, void *tmp, int64_t n);
/* x[n] into v, the numbers other than 0 in front, zeros and NaN from the end backwards; returns
   how many numbers. Of integers all are in front. */
typedef int64_t agni_numbers_fn(void *v, const void *x, int64_t n);
/* the first k in [0, n) with x[k] above (below) the bound, or n */
typedef int64_t agni_beyond_fn(const void *x, int64_t n, const void *bound, int below);

typedef struct agni_vsort {
    agni_sort_fn *sort; /* NULL: this level has none */
    agni_split_fn *split;
    agni_numbers_fn *numbers;
    agni_beyond_fn *beyond;
} agni_vsort;

#endif
