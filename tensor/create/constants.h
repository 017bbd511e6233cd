/* tensor/create/constants.h - constants that bodies of compositions make of numbers alone */
#ifndef AGNI_TENSOR_CREATE_CONSTANTS_H
#define AGNI_TENSOR_CREATE_CONSTANTS_H

#include "tensor/dispatch/op_helpers.h"

/* 0, 1, ..., n - 1 as i64, committed to no device */
const agn_tensor *agni_range(agn_scope *s, int64_t n);
/* the constant y on the device of x */
const agn_tensor *agni_put_beside(agn_scope *s, const agn_tensor *y, const agn_tensor *x);
/* a unit matrix of x's dtype, on the device of x */
const agn_tensor *agni_eye_beside(agn_scope *s, int64_t rows, int64_t cols, const agn_tensor *x);

#endif
