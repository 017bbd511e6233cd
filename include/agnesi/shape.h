/**
 * agnesi/shape.h - views, movement and joining
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What can be a view of its argument's storage is one; the rest copies.
 */
#ifndef AGNESI_SHAPE_H
#define AGNESI_SHAPE_H

#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- shape ---------------------------------------------------------------------- */

/**
 * agn_reshape - the same elements in row-major order under another shape
 *
 * @param out    out, [shape...]; a view where strides allow
 * @param x      any dtype
 * @param ndim   number of axes
 * @param shape  sizes; one of them may be -1: inferred
 * @errors       AGN_ENULL, AGN_ESHAPE (sizes do not fit, two -1), AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(1), or O(n) for a copy
 */
AGN_API AGN_MUST_CHECK agn_status agn_reshape(agn_tensor **out, const agn_tensor *x,
                                              int32_t ndim, const int64_t *shape);

/**
 * agn_permute - reorder the axes
 *
 * @param out   out, axis i has the size of axis axes[i] of x; a view
 * @param x     any dtype
 * @param axes  ndim different axes, negative ones count from the end
 * @param n     number of axes; must be ndim of x
 * @errors      AGN_ENULL, AGN_ESHAPE (n differs), AGN_EINDEX (axis out of range), AGN_EARG
 *              (axis twice), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_permute(agn_tensor **out, const agn_tensor *x,
                                              const int32_t *axes, int32_t n);

/**
 * agn_transpose - swap the last two axes
 *
 * @param out  out, [..., n, m]; a view
 * @param x    [..., m, n]
 * @errors     AGN_ENULL, AGN_ESHAPE (fewer than two axes), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_transpose(agn_tensor **out, const agn_tensor *x);

/**
 * agn_expand_dims - insert an axis of size 1
 *
 * @param out   out; a view
 * @param x     any dtype
 * @param axis  its place in the result, in [-ndim - 1, ndim]
 * @errors      AGN_ENULL, AGN_EINDEX, AGN_ESHAPE (rank), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_expand_dims(agn_tensor **out, const agn_tensor *x,
                                                  int32_t axis);

/**
 * agn_squeeze - drop an axis of size 1
 *
 * @param out   out; a view
 * @param x     any dtype
 * @param axis  in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_EINDEX, AGN_ESHAPE (its size is not 1), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_squeeze(agn_tensor **out, const agn_tensor *x,
                                              int32_t axis);

/**
 * agn_broadcast_to - repeat along axes of size 1 and new leading axes
 *
 * @param out    out, [shape...]; a view with strides of 0
 * @param x      any dtype
 * @param ndim   number of axes
 * @param shape  sizes
 * @errors       AGN_ENULL, AGN_ESHAPE (does not broadcast), AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_broadcast_to(agn_tensor **out, const agn_tensor *x,
                                                   int32_t ndim, const int64_t *shape);

/**
 * agn_slice - x[start:stop:step] along every axis
 *
 * As in Python: negative numbers count from the end, out-of-range ones are clipped. Use
 * AGN_END for an omitted stop and AGN_BEGIN for an omitted start.
 *
 * @param out    out; a view
 * @param x      any dtype
 * @param n      number of leading axes that are sliced; the rest are kept
 * @param start  n numbers
 * @param stop   n numbers
 * @param step   n numbers, not 0; NULL for 1
 * @errors       AGN_ENULL, AGN_ESHAPE (n above ndim), AGN_EARG (step 0), AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_slice(agn_tensor **out, const agn_tensor *x, int32_t n,
                                            const int64_t *start, const int64_t *stop,
                                            const int64_t *step);
#define AGN_BEGIN INT64_MAX /* omitted start of agn_slice */
#define AGN_END INT64_MIN   /* omitted stop of agn_slice */

/**
 * agn_index_axis - x[i] along one axis, which disappears
 *
 * @param out    out; a view
 * @param x      any dtype
 * @param axis   in [-ndim, ndim)
 * @param index  in [-size, size)
 * @errors       AGN_ENULL, AGN_EINDEX (axis or index out of range), AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_index_axis(agn_tensor **out, const agn_tensor *x, int32_t axis,
                                            int64_t index);

/**
 * agn_flip - reverse axes
 *
 * @param out   out, shape of x; a view
 * @param x     any dtype
 * @param axes  n different axes; NULL for all
 * @param n     number of axes
 * @errors      AGN_ENULL, AGN_EINDEX, AGN_EARG (axis twice), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_flip(agn_tensor **out, const agn_tensor *x,
                                           const int32_t *axes, int32_t n);

/**
 * agn_pad - surround with a number
 *
 * @param out    out, axis i has size lo[i] + size + hi[i]
 * @param x      any dtype
 * @param n      number of axes; must be ndim of x
 * @param lo     n numbers of elements in front, not negative
 * @param hi     n numbers of elements behind, not negative
 * @param value  the number, converted to the dtype of x
 * @errors       AGN_ENULL, AGN_ESHAPE (n differs, negative padding), AGN_EDOMAIN (value is no
 *               integer of the dtype), AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_pad(agn_tensor **out, const agn_tensor *x, int32_t n,
                                          const int64_t *lo, const int64_t *hi, double value);

/**
 * agn_concat - join along an axis
 *
 * @param out   out; dtypes promote
 * @param xs    n tensors, equal in shape but for the axis
 * @param n     at least 1
 * @param axis  in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_ESHAPE (shapes differ, 0-D), AGN_EINDEX, AGN_EARG (n < 1), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_concat(agn_tensor **out, const agn_tensor *const *xs,
                                             int32_t n, int32_t axis);

/**
 * agn_stack - join along a new axis
 *
 * @param out   out; dtypes promote
 * @param xs    n tensors of one shape
 * @param n     at least 1
 * @param axis  place of the new axis, in [-ndim - 1, ndim]
 * @errors      AGN_ENULL, AGN_ESHAPE (shapes differ), AGN_EINDEX, AGN_EARG (n < 1), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_stack(agn_tensor **out, const agn_tensor *const *xs,
                                            int32_t n, int32_t axis);

#ifdef __cplusplus
}
#endif
#endif
