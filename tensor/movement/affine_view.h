/* tensor/movement/affine_view.h - affine maps of indices, for those who make views or write through them. */
#ifndef AGNI_STRIDED_H
#define AGNI_STRIDED_H

#include "tensor/dispatch/op_helpers.h"

/* a map in the making: attributes of as_strided on the last axes of an array */
typedef struct agni_strided {
    agni_attr at;
    int64_t i[1 + AGNI_MAX_RANK + (AGNI_MAX_RANK + 1) * (AGNI_MAX_RANK + 1)];
} agni_strided;
void agni_strided_begin(agni_strided *m, int axes); /* start is 0 */
/* a further axis of the result, which walks along one of the axes */
void agni_strided_axis(agni_strided *m, int64_t size, int axis, int64_t step);
/* diagonal k of the plane of axes p and q of x, as the last axis */
void agni_strided_diagonal(agni_strided *m, const agn_tensor *x, int64_t k, int p, int q);

/* x with v put or added (scatter_put, scatter_add) where a map looks */
const agn_tensor *agni_strided_write(agn_scope *s, const agni_op *op, const agni_attr *at,
                                     const agn_tensor *x, const agn_tensor *v);

/* two different axes of x */
agn_status agni_plane(const char *op, const agn_tensor *x, int32_t axis1, int32_t axis2, int *p,
                      int *q);

#endif
