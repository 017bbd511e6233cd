/* tensor/create/layout_copy.h - moving elements between layouts, a line of the cache at a time. */
#ifndef AGNI_TRANSPOSE_H
#define AGNI_TRANSPOSE_H

#include "tensor/dispatch/op.h"

/* y[i * y_row + j * bytes] = x[i * bytes + j * x_col] for i < rows, j < cols; bytes is 1, 2,
   4, 8 or 16, strides are in bytes. */
void agni_transpose(char *y, int64_t y_row, const char *x, int64_t x_col, int64_t rows,
                    int64_t cols, int bytes);
/* n elements, with any steps in bytes */
void agni_move_row(char *y, int64_t y_step, const char *x, int64_t x_step, int64_t n, int bytes);
/* y = x, arrays of one dtype and shape with any strides, by all threads. */
void agni_move_elements(const agn_array *y, const agn_array *x);
/* the same where y is a part of so many elements that are written one after the other */
void agni_move_part(const agn_array *y, const agn_array *x, int64_t whole);

#endif
