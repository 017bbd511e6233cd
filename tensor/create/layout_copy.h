/* tensor/create/layout_copy.h - copies between layouts, cache line by cache line. */
#ifndef AGNI_LAYOUT_COPY_H
#define AGNI_LAYOUT_COPY_H

#include "tensor/dispatch/op.h"

/* y[i * y_row + j * bytes] = x[i * bytes + j * x_col] for i < rows, j < cols; bytes is 1, 2,
   4, 8 or 16, strides are in bytes. */
void agni_transpose_matrix(char *y, int64_t y_row, const char *x, int64_t x_col, int64_t rows,
                    int64_t cols, int bytes);
/* n elements, with any steps in bytes */
void agni_copy_row(char *y, int64_t y_step, const char *x, int64_t x_step, int64_t n, int bytes);
/* y = x, arrays of one dtype and shape with any strides, by all threads. */
void agni_copy_elements(const agn_array *y, const agn_array *x);
/* The same where y is a part of a result of whole elements, which decides on non-temporal
   stores. */
void agni_copy_part(const agn_array *y, const agn_array *x, int64_t whole);

#endif
