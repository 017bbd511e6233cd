/* tensor/cpu/softmax.h - one level's softmax of lanes, f32 and f64. */
#ifndef AGNI_CPU_SOFTMAX_H
#define AGNI_CPU_SOFTMAX_H

#include <stdint.h>

enum { AGNI_SOFTMAX_TILE = 1024 }; /* columns at most: rows of it pass as a stream */

/* y[k ld + j] = exp(x[k ld + j] - top[j]) over its sum along k: n rows of m columns. Results do
   not depend on the other columns. y may be x. */
typedef void agni_softmax_fn(void *y, const void *x, int64_t n, int64_t ld, int64_t m);

#endif
