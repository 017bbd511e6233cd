/**
 * agnesi/reduce.h - reductions over axes
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Narrow dtypes accumulate wide and are rounded once.
 */
#ifndef AGNESI_REDUCE_H
#define AGNESI_REDUCE_H

#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * agn_sum - sum of elements
 *
 * Bools and narrow integers sum as i64; f16 and bf16 accumulate wide; pairwise order.
 *
 * @param out   out, x without the axes; with them as 1 if keep
 * @param x     any dtype
 * @param axes  n different axes; NULL for all
 * @param n     number of axes
 * @param keep  keep the reduced axes with size 1
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX (axis out of range), AGN_EARG (axis twice),
 *              AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sum(agn_tensor **out, const agn_tensor *x,
                                          const int32_t *axes, int32_t n, bool keep);

/**
 * agn_mean - arithmetic mean
 *
 * Integers give f64; the mean of nothing is NaN.
 *
 * @param out   out, x without the axes; with them as 1 if keep
 * @param x     any dtype
 * @param axes  n different axes; NULL for all
 * @param n     number of axes
 * @param keep  keep the reduced axes with size 1
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX (axis out of range), AGN_EARG (axis twice),
 *              AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_mean(agn_tensor **out, const agn_tensor *x,
                                          const int32_t *axes, int32_t n, bool keep);

/**
 * agn_prod - product of elements
 *
 * Right at any order where elements are zero. The product of nothing is 1.
 *
 * @param out   out, x without the axes; with them as 1 if keep
 * @param x     i32 i64 f32 f64 c64 c128; others by promotion
 * @param axes  n different axes; NULL for all
 * @param n     number of axes
 * @param keep  keep the reduced axes with size 1
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX (axis out of range), AGN_EARG (axis twice),
 *              AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_prod(agn_tensor **out, const agn_tensor *x,
                                          const int32_t *axes, int32_t n, bool keep);

/**
 * agn_max - largest element
 *
 * NaN if there is one.
 *
 * @param out   out, x without the axes; with them as 1 if keep
 * @param x     bool i32 i64 f32 f64
 * @param axes  n different axes; NULL for all
 * @param n     number of axes
 * @param keep  keep the reduced axes with size 1
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX (axis out of range), AGN_EARG (axis twice), AGN_ESHAPE (nothing to compare),
 *              AGN_ENOMEM
 * @grad        to the first of the largest
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_max(agn_tensor **out, const agn_tensor *x,
                                          const int32_t *axes, int32_t n, bool keep);

/**
 * agn_min - smallest element
 *
 * NaN if there is one.
 *
 * @param out   out, x without the axes; with them as 1 if keep
 * @param x     bool i32 i64 f32 f64
 * @param axes  n different axes; NULL for all
 * @param n     number of axes
 * @param keep  keep the reduced axes with size 1
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX (axis out of range), AGN_EARG (axis twice), AGN_ESHAPE (nothing to compare),
 *              AGN_ENOMEM
 * @grad        to the first of the smallest
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_min(agn_tensor **out, const agn_tensor *x,
                                          const int32_t *axes, int32_t n, bool keep);

/**
 * agn_amax - largest element, derivatives shared
 *
 * NaN if there is one. The value is that of agn_max; the derivative is not.
 *
 * @param out   out, x without the axes; with them as 1 if keep
 * @param x     bool i32 i64 f32 f64
 * @param axes  n different axes; NULL for all
 * @param n     number of axes
 * @param keep  keep the reduced axes with size 1
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX (axis out of range), AGN_EARG (axis twice),
 *              AGN_ESHAPE (nothing to compare), AGN_ENOMEM
 * @grad        to all of the largest in equal shares
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_amax(agn_tensor **out, const agn_tensor *x,
                                          const int32_t *axes, int32_t n, bool keep);

/**
 * agn_amin - smallest element, derivatives shared
 *
 * NaN if there is one. The value is that of agn_min; the derivative is not.
 *
 * @param out   out, x without the axes; with them as 1 if keep
 * @param x     bool i32 i64 f32 f64
 * @param axes  n different axes; NULL for all
 * @param n     number of axes
 * @param keep  keep the reduced axes with size 1
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX (axis out of range), AGN_EARG (axis twice),
 *              AGN_ESHAPE (nothing to compare), AGN_ENOMEM
 * @grad        to all of the smallest in equal shares
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_amin(agn_tensor **out, const agn_tensor *x,
                                          const int32_t *axes, int32_t n, bool keep);

/**
 * agn_aminmax - smallest and largest element, as agn_amin and agn_amax give them
 *
 * @param least  out, x without the axes; with them as 1 if keep
 * @param most   out, the same
 * @param x      bool i32 i64 f32 f64
 * @param axes   n different axes; NULL for all
 * @param n      number of axes
 * @param keep   keep the reduced axes with size 1
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_EINDEX (axis out of range), AGN_EARG (axis twice),
 *               AGN_ESHAPE (nothing to compare), AGN_ENOMEM
 * @grad         shared among equals
 * @cost         O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_aminmax(agn_tensor **least, agn_tensor **most,
                                              const agn_tensor *x, const int32_t *axes,
                                              int32_t n, bool keep);

/**
 * agn_logsumexp - log of the sum of exponentials
 *
 * Stable for large and infinite elements; of nothing it is -inf.
 *
 * @param out   out, x without the axes; with them as 1 if keep
 * @param x     f32 f64; others by promotion
 * @param axes  n different axes; NULL for all
 * @param n     number of axes
 * @param keep  keep the reduced axes with size 1
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX (axis out of range), AGN_EARG (axis twice),
 *              AGN_ENOMEM
 * @grad        softmax; 0 where all are -inf
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_logsumexp(agn_tensor **out, const agn_tensor *x,
                                          const int32_t *axes, int32_t n, bool keep);

/**
 * agn_sum_all - sum of all elements
 *
 * @param out  out, []
 * @param x    any dtype
 * @errors     AGN_ENULL, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sum_all(agn_tensor **out, const agn_tensor *x);

/**
 * agn_mean_all - mean of all elements
 *
 * @param out  out, []
 * @param x    any dtype
 * @errors     AGN_ENULL, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_mean_all(agn_tensor **out, const agn_tensor *x);

/**
 * agn_argmax - index of the largest element along an axis
 *
 * The first one of equals; NaN counts as largest.
 *
 * @param out   out, i64, x without the axis; with it as 1 if keep
 * @param x     bool i32 i64 f32 f64
 * @param axis  in [-ndim, ndim)
 * @param keep  keep the axis with size 1
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX, AGN_ESHAPE (empty axis, 0-D), AGN_ENOMEM
 * @grad        none: an index
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_argmax(agn_tensor **out, const agn_tensor *x, int32_t axis,
                                          bool keep);

/**
 * agn_argmin - index of the smallest element along an axis
 *
 * The first one of equals; NaN counts as smallest.
 *
 * @param out   out, i64, x without the axis; with it as 1 if keep
 * @param x     bool i32 i64 f32 f64
 * @param axis  in [-ndim, ndim)
 * @param keep  keep the axis with size 1
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX, AGN_ESHAPE (empty axis, 0-D), AGN_ENOMEM
 * @grad        none: an index
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_argmin(agn_tensor **out, const agn_tensor *x, int32_t axis,
                                          bool keep);

#ifdef __cplusplus
}
#endif
#endif
