/* tensor/order/cpu/sort.h - sorting kernels of one CPU level (in agni_simd_kernels). */
#ifndef AGNI_CPU_SORT_H
#define AGNI_CPU_SORT_H

#include <stdint.h>

enum { AGNI_ST_I32, AGNI_ST_I64, AGNI_ST_F32, AGNI_ST_F64, AGNI_SORT_TYPES };

/* Partitions v[n], without NaN, by a pivot: v[0, end[0]) <= pivot <= v[end[1], n), and between them
   equal numbers or none; end[0] < n. tmp has n items. */
typedef void agni_split_fn(void *v, void *tmp, int64_t n, int64_t end[2]);
/* ascending; 0 and -0 are equal, their signs are undefined */
typedef void agni_sort_fn(void *v, void *tmp, int64_t n);
/* copies x[n] to v, numbers other than 0 in front, zeros and NaN from the end backwards; returns
   the count of the former. Integers all come in front. */

typedef int64_t agni_collect_numbers_fn(void *v, const void *x, int64_t n);
/* the first k in [0, n) with x[k] above (below) the bound, or n */
typedef int64_t agni_find_beyond_fn(const void *x, int64_t n, const void *bound, int below);

typedef struct agni_vsort {
    agni_sort_fn *sort; /* NULL: this level has none */
    agni_split_fn *split;
    agni_collect_numbers_fn *collect_numbers;
    agni_find_beyond_fn *find_beyond;
} agni_vsort;

#endif
