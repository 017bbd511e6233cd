/* tensor/movement/affine_view.h - affine index maps: built axis by axis, viewed or written
   through. */
#ifndef AGNI_AFFINE_VIEW_H
#define AGNI_AFFINE_VIEW_H

#include "tensor/dispatch/op_helpers.h"

/* a map under construction: attributes of as_strided on the last axes of an array */
typedef struct agni_affine_map {
    agni_attr at;
    int64_t i[1 + AGNI_MAX_RANK + (AGNI_MAX_RANK + 1) * (AGNI_MAX_RANK + 1)];
} agni_affine_map;
void agni_affine_map_begin(agni_affine_map *m, int axes); /* start is 0 */
/* a further axis of the result, which runs along one of the axes of the array */
void agni_affine_map_add_axis(agni_affine_map *m, int64_t size, int axis, int64_t step);
/* diagonal k of the plane of axes p and q of x, as the last axis */
void agni_affine_map_diagonal(agni_affine_map *m, const agn_tensor *x, int64_t k, int p, int q);

/* x with v put or added (scatter_put, scatter_add) at the elements that a map views */
const agn_tensor *agni_affine_map_write(agn_scope *s, const agni_op *op, const agni_attr *at,
                                     const agn_tensor *x, const agn_tensor *v);

/* two different axes of x */
agn_status agni_check_plane(const char *op, const agn_tensor *x, int32_t axis1, int32_t axis2,
                            int *p, int *q);

#endif
