/**
 * agnesi/indexing.h - picking and writing by index
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Indices are i32 or i64 and checked before anything is written.
 */
#ifndef AGNESI_INDEXING_H
#define AGNESI_INDEXING_H

#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- gather and scatter --------------------------------------------------------- */

/**
 * agn_gather - pick slices along an axis by index
 *
 * @param out   out, shape of x with the axis replaced by the shape of idx
 * @param x     any dtype
 * @param idx   integers in [-size, size), any shape
 * @param axis  in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_EDTYPE (idx not integer), AGN_EINDEX (axis; an index out of range:
 *              names it), AGN_ESHAPE (rank), AGN_ENOMEM
 * @grad        everywhere in x; contributions of equal indices add
 * @cost        O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_gather(agn_tensor **out, const agn_tensor *x,
                                             const agn_tensor *idx, int32_t axis);

/**
 * agn_take_along_axis - pick elements along an axis, lane by lane
 *
 * @param out   out, shape of idx
 * @param x     any dtype; equal to idx in shape but for the axis
 * @param idx   integers in [-size, size)
 * @param axis  in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_EDTYPE (idx not integer), AGN_EINDEX, AGN_ESHAPE, AGN_ENOMEM
 * @grad        everywhere in x
 * @cost        O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_take_along_axis(agn_tensor **out, const agn_tensor *x,
                                                      const agn_tensor *idx, int32_t axis);

/**
 * agn_scatter_add - add slices into a copy of x at given places of an axis
 *
 * Adds in the order of idx: the same bits every time.
 *
 * @param out   out, shape of x
 * @param x     i32 i64 f32 f64 c64 c128
 * @param idx   integers in [-size, size), any shape
 * @param v     slices: shape of x with the axis replaced by the shape of idx
 * @param axis  in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX, AGN_ESHAPE (shape of v), AGN_ENOMEM
 * @grad        everywhere in x and v
 * @cost        O(size of x + size of v)
 */
AGN_API AGN_MUST_CHECK agn_status agn_scatter_add(agn_tensor **out, const agn_tensor *x,
                                                  const agn_tensor *idx, const agn_tensor *v,
                                                  int32_t axis);

/**
 * agn_index_put - a copy of x with x[idx_0, idx_1, ...] = v
 *
 * The last one of equal index tuples wins.
 *
 * @param out  out, shape of x
 * @param x    any dtype
 * @param idx  n integer tensors that broadcast to one shape, for the leading n axes
 * @param n    1 to ndim of x
 * @param v    broadcasts to that shape followed by the other axes of x
 * @errors     AGN_ENULL, AGN_EDTYPE (idx not integer), AGN_EINDEX (an index out of range: names
 *             it), AGN_ESHAPE, AGN_ENOMEM
 * @grad       everywhere in x and v; an overwritten element gets none
 * @cost       O(size of x + size of v)
 */
AGN_API AGN_MUST_CHECK agn_status agn_index_put(agn_tensor **out, const agn_tensor *x,
                                                const agn_tensor *const *idx, int32_t n,
                                                const agn_tensor *v);

#ifdef __cplusplus
}
#endif
#endif
