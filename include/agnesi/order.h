/**
 * agnesi/order.h - sorting and searching
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * NaN is larger than every number and comes last in either direction; equal elements keep
 * their order.
 */
#ifndef AGNESI_ORDER_H
#define AGNESI_ORDER_H

#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * agn_sort - sort along an axis
 *
 * @param out         out, shape of x
 * @param x           bool i32 i64 f32 f64
 * @param axis        in [-ndim, ndim)
 * @param descending  largest first
 * @errors            AGN_ENULL, AGN_EDTYPE, AGN_EINDEX, AGN_ENOMEM
 * @grad              to the element that was moved there
 * @cost              O(n log n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sort(agn_tensor **out, const agn_tensor *x, int32_t axis,
                                           bool descending);

/**
 * agn_argsort - the permutation that sorts along an axis
 *
 * @param out         out, i64, shape of x
 * @param x           bool i32 i64 f32 f64
 * @param axis        in [-ndim, ndim)
 * @param descending  largest first
 * @errors            AGN_ENULL, AGN_EDTYPE, AGN_EINDEX, AGN_ENOMEM
 * @grad              none: indices
 * @cost              O(n log n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_argsort(agn_tensor **out, const agn_tensor *x,
                                              int32_t axis, bool descending);

/**
 * agn_searchsorted - where values would have to go to keep rows sorted
 *
 * The first place with element >= value, or with right the first one with element > value.
 *
 * @param out     out, i64, shape of x: places in 0 to n
 * @param sorted  [n], one row for all values, or [b.., n] with x [b.., any..]; ascending
 * @param x       values; dtypes meet by promotion
 * @param right   behind equal elements, not before them
 * @errors        AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (rows that x has not), AGN_ENOMEM
 * @grad          none: indices
 * @cost          O(m log n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_searchsorted(agn_tensor **out, const agn_tensor *sorted,
                                                   const agn_tensor *x, bool right);

/**
 * agn_bucketize - the bucket of each value between ascending edges
 *
 * @param out    out, i64, shape of x: 0 below the first edge, n from the last one on
 * @param x      values
 * @param edges  [n], ascending
 * @param right  a value equal to an edge belongs to the bucket above it
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (edges of more than one axis), AGN_ENOMEM
 * @grad         none: indices
 * @cost         O(m log n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_bucketize(agn_tensor **out, const agn_tensor *x,
                                                const agn_tensor *edges, bool right);

#ifdef __cplusplus
}
#endif
#endif
