/**
 * agnesi/shape.h - shapes and views
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
 * agn_squeeze_all - drop all axes of size 1
 *
 * @param out  out; a view
 * @param x    any dtype
 * @errors     AGN_ENULL, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_squeeze_all(agn_tensor **out, const agn_tensor *x);

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
AGN_API AGN_MUST_CHECK agn_status agn_index_axis(agn_tensor **out, const agn_tensor *x,
                                                 int32_t axis, int64_t index);

/**
 * agn_ravel - all elements along one axis
 *
 * @param out  out, [size]; a view where strides allow
 * @param x    any dtype
 * @errors     AGN_ENULL, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(1), or O(n) for a copy
 */
AGN_API AGN_MUST_CHECK agn_status agn_ravel(agn_tensor **out, const agn_tensor *x);

/**
 * agn_flatten - a range of axes merged into one
 *
 * @param out    out, a view where strides allow
 * @param x      any dtype; a number becomes a vector of one
 * @param first  in [-ndim, ndim)
 * @param last   the same, not in front of first
 * @errors       AGN_ENULL, AGN_EINDEX, AGN_EARG (last before first), AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(1), or O(n) for a copy
 */
AGN_API AGN_MUST_CHECK agn_status agn_flatten(agn_tensor **out, const agn_tensor *x,
                                              int32_t first, int32_t last);

/**
 * agn_unflatten - one axis split into several
 *
 * @param out    out, a view
 * @param x      any dtype
 * @param axis   in [-ndim, ndim)
 * @param n      number of axes that it becomes, at least 1
 * @param sizes  n sizes; one of them may be -1: inferred
 * @errors       AGN_ENULL, AGN_EINDEX, AGN_ESHAPE (sizes do not fit, rank), AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_unflatten(agn_tensor **out, const agn_tensor *x,
                                                int32_t axis, int32_t n,
                                                const int64_t *sizes);

/**
 * agn_reshape_like - agn_reshape to the shape of another tensor
 *
 * @param out   out, shape of like; a view where strides allow
 * @param x     any dtype
 * @param like  any dtype; not read
 * @errors      AGN_ENULL, AGN_ESHAPE (sizes differ), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(1), or O(n) for a copy
 */
AGN_API AGN_MUST_CHECK agn_status agn_reshape_like(agn_tensor **out,
                                                   const agn_tensor *x,
                                                   const agn_tensor *like);

/**
 * agn_broadcast_like - agn_broadcast_to the shape of another tensor
 *
 * @param out   out, shape of like; a view
 * @param x     any dtype
 * @param like  any dtype; not read
 * @errors      AGN_ENULL, AGN_ESHAPE (does not broadcast), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_broadcast_like(agn_tensor **out,
                                                     const agn_tensor *x,
                                                     const agn_tensor *like);

/**
 * agn_atleast_1d - at least one axis: a number as a vector of one
 *
 * @param out  out, a view; of a larger rank x itself
 * @param x    any dtype
 * @errors     AGN_ENULL, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_atleast_1d(agn_tensor **out, const agn_tensor *x);

/**
 * agn_atleast_2d - at least two axes: and a vector as a row
 *
 * @param out  out, a view; of a larger rank x itself
 * @param x    any dtype
 * @errors     AGN_ENULL, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_atleast_2d(agn_tensor **out, const agn_tensor *x);

/**
 * agn_atleast_3d - at least three axes: a vector as [1, n, 1], a matrix as [m, n, 1]
 *
 * @param out  out, a view; of a larger rank x itself
 * @param x    any dtype
 * @errors     AGN_ENULL, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_atleast_3d(agn_tensor **out, const agn_tensor *x);

/**
 * agn_moveaxis - axes to other places, the rest in their order
 *
 * @param out   out, a view
 * @param x     any dtype
 * @param from  n different axes of x
 * @param to    n different axes of out
 * @param n     0 to ndim
 * @errors      AGN_ENULL, AGN_EINDEX, AGN_EARG (axis twice), AGN_ESHAPE (n), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_moveaxis(agn_tensor **out, const agn_tensor *x,
                                               const int32_t *from, const int32_t *to,
                                               int32_t n);

/**
 * agn_swapaxes - two axes change places
 *
 * @param out    out, a view
 * @param x      any dtype
 * @param axis1  in [-ndim, ndim)
 * @param axis2  the same; may be the same axis
 * @errors       AGN_ENULL, AGN_EINDEX, AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_swapaxes(agn_tensor **out, const agn_tensor *x,
                                               int32_t axis1, int32_t axis2);

/**
 * agn_broadcast_shape - the shape that tensors broadcast to
 *
 * @param shape  out, room for AGN_MAX_RANK sizes
 * @param ndim   out, number of sizes
 * @param xs     n tensors
 * @param n      0 or more; the shape of none is []
 * @errors       AGN_ENULL, AGN_ESHAPE (do not broadcast)
 */
AGN_API AGN_MUST_CHECK agn_status agn_broadcast_shape(int64_t *shape, int32_t *ndim,
                                                      const agn_tensor *const *xs,
                                                      int32_t n);

/**
 * agn_broadcast_arrays - tensors brought to their common shape
 *
 * @param out  out, n views
 * @param xs   n tensors
 * @param n    0 or more
 * @errors     AGN_ENULL, AGN_ESHAPE (do not broadcast), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_broadcast_arrays(agn_tensor *out[],
                                                       const agn_tensor *const *xs,
                                                       int32_t n);

/**
 * agn_shape_of - the sizes as a tensor
 *
 * @param out  out, [ndim] i64
 * @param x    any dtype
 * @errors     AGN_ENULL, AGN_ENOMEM
 * @grad       none: a constant
 * @cost       O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_shape_of(agn_tensor **out, const agn_tensor *x);

/* ---- windows and parts ------------------------------------------------------------ */

/**
 * agn_as_strided - elements at regular places of the flattened x
 *
 * Strides and offset count elements of x in row-major order, so the result depends on
 * values, not on how they lie in memory.
 *
 * @param out     out, [shape...]; a view where x can be flattened without a copy
 * @param x       any dtype
 * @param ndim    0 to AGN_MAX_RANK
 * @param shape   ndim sizes
 * @param stride  ndim strides of any sign, in elements of the row-major x
 * @param offset  place of element [0, ..., 0]
 * @errors        AGN_ENULL, AGN_ESHAPE, AGN_EINDEX (a place is out of range),
 *                AGN_ENOMEM
 * @grad          everywhere; contributions of an element seen several times add
 * @cost          O(1), or O(n) for a copy
 */
AGN_API AGN_MUST_CHECK agn_status agn_as_strided(agn_tensor **out, const agn_tensor *x,
                                                 int32_t ndim, const int64_t *shape,
                                                 const int64_t *stride, int64_t offset);

/**
 * agn_unfold - windows that slide along an axis
 *
 * @param out   out, the axis counts windows, a new last one runs within them; a view
 * @param x     any dtype
 * @param axis  in [-ndim, ndim)
 * @param size  of a window, 0 to that of the axis
 * @param step  from window to window, at least 1
 * @errors      AGN_ENULL, AGN_EINDEX, AGN_ESHAPE (size, rank), AGN_EARG (step),
 *              AGN_ENOMEM
 * @grad        everywhere; windows that overlap add
 * @cost        O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_unfold(agn_tensor **out, const agn_tensor *x,
                                             int32_t axis, int64_t size, int64_t step);

/**
 * agn_diagonal - a diagonal of two axes
 *
 * @param out    out, the other axes, then the diagonal; a view
 * @param x      any dtype
 * @param k      0 is the main diagonal, positive ones are above
 * @param axis1  rows
 * @param axis2  columns
 * @errors       AGN_ENULL, AGN_EINDEX, AGN_EARG (axes are the same), AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_diagonal(agn_tensor **out, const agn_tensor *x,
                                               int64_t k, int32_t axis1, int32_t axis2);

/**
 * agn_as_real - real and imaginary part as a new last axis
 *
 * @param out  out, [..., 2] real; a view
 * @param x    c64 c128
 * @errors     AGN_ENULL, AGN_EDTYPE (not complex), AGN_ESHAPE (rank), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_as_real(agn_tensor **out, const agn_tensor *x);

/**
 * agn_as_complex - pairs along the last axis as complex numbers
 *
 * @param out  out, [...] complex; a view where pairs lie together
 * @param x    [..., 2] f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_ESHAPE (last axis is not 2), AGN_EDTYPE (complex),
 *             AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(1), or O(n) for a copy
 */
AGN_API AGN_MUST_CHECK agn_status agn_as_complex(agn_tensor **out, const agn_tensor *x);

/**
 * agn_bitcast - the same bytes as another dtype
 *
 * Where elements of the two differ in size, the last axis holds more or fewer of them, in the
 * order of this machine's bytes.
 *
 * @param out    out, shape of x but for the last axis; a view where strides allow
 * @param x      any dtype
 * @param dtype  any but bool
 * @errors       AGN_ENULL, AGN_EDTYPE (no such dtype, bool), AGN_ESHAPE (the last axis is no
 *               whole number of them; there is none), AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(1), or O(n) for a copy
 */
AGN_API AGN_MUST_CHECK agn_status agn_bitcast(agn_tensor **out, const agn_tensor *x,
                                              agn_dtype dtype);

#ifdef __cplusplus
}
#endif
#endif
