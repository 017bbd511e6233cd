/* fft/cpu/running_median.h - where the medians of frames of a signal lie. */
#ifndef AGNI_RUNNING_MEDIAN_H
#define AGNI_RUNNING_MEDIAN_H

#include "tensor/dispatch/op_helpers.h"

/* Of each of rows of n values, and of each frame of window values, window odd: the place of its
   median in the row, and whether it holds a NaN, [rows, n - window + 1]. False without memory. */
bool agni_signal_find_medians(const double *x, int64_t rows, int64_t n, int64_t window, int64_t *at,
                              bool *bad);

#endif
