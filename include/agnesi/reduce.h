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
 * agn_sum_compensated - sum of elements, whatever their number and sizes
 *
 * What each addition rounds away is summed beside. The error is at most u |sum| + (n u)^2 times the
 * sum of the magnitudes, where u is 2^-53 and n u < 0.1, and one rounding to the dtype: where
 * elements cancel, agn_sum has n u in place of (n u)^2. f32 has no second term that could be seen.
 * The same bits for any number of threads. Infinities and NaN spread as in agn_sum.
 *
 * @param out   out, x without the axes; with them as 1 if keep
 * @param x     any dtype; integers are summed as agn_sum does
 * @param axes  n different axes; NULL for all
 * @param n     number of axes
 * @param keep  keep the reduced axes with size 1
 * @errors      AGN_ENULL, AGN_EINDEX (axis out of range), AGN_EARG (axis twice), AGN_ENOMEM
 * @grad        everywhere: that of agn_sum
 * @cost        O(n), 7 additions for one
 * @ref         Neumaier 1974; Ogita, Rump and Oishi 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_sum_compensated(agn_tensor **out, const agn_tensor *x,
                                                      const int32_t *axes, int32_t n,
                                                      bool keep);

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
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX (axis out of range), AGN_EARG (axis twice),
 *              AGN_ESHAPE (nothing to compare), AGN_ENOMEM
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
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX (axis out of range), AGN_EARG (axis twice),
 *              AGN_ESHAPE (nothing to compare), AGN_ENOMEM
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

/**
 * agn_all - are all elements other than zero?
 *
 * NaN is not zero; of nothing it is true.
 *
 * @param out   out, x without the axes; with them as 1 if keep
 * @param x     any dtype
 * @param axes  n different axes; NULL for all
 * @param n     number of axes
 * @param keep  keep the reduced axes with size 1
 * @errors      AGN_ENULL, AGN_EINDEX (axis out of range), AGN_EARG (axis twice),
 *              AGN_ENOMEM
 * @grad        none: a truth value
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_all(agn_tensor **out, const agn_tensor *x,
                                          const int32_t *axes, int32_t n, bool keep);

/**
 * agn_any - is an element other than zero?
 *
 * NaN is not zero; of nothing it is false.
 *
 * @param out   out, x without the axes; with them as 1 if keep
 * @param x     any dtype
 * @param axes  n different axes; NULL for all
 * @param n     number of axes
 * @param keep  keep the reduced axes with size 1
 * @errors      AGN_ENULL, AGN_EINDEX (axis out of range), AGN_EARG (axis twice),
 *              AGN_ENOMEM
 * @grad        none: a truth value
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_any(agn_tensor **out, const agn_tensor *x,
                                          const int32_t *axes, int32_t n, bool keep);

/**
 * agn_count_nonzero - how many elements are other than zero
 *
 * As i64; NaN is not zero.
 *
 * @param out   out, x without the axes; with them as 1 if keep
 * @param x     any dtype
 * @param axes  n different axes; NULL for all
 * @param n     number of axes
 * @param keep  keep the reduced axes with size 1
 * @errors      AGN_ENULL, AGN_EINDEX (axis out of range), AGN_EARG (axis twice),
 *              AGN_ENOMEM
 * @grad        none: a count
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_count_nonzero(agn_tensor **out, const agn_tensor *x,
                                                    const int32_t *axes, int32_t n,
                                                    bool keep);

/**
 * agn_ptp - largest minus smallest element
 *
 * NaN if there is one.
 *
 * @param out   out, x without the axes; with them as 1 if keep
 * @param x     i32 i64 f32 f64; others by promotion
 * @param axes  n different axes; NULL for all
 * @param n     number of axes
 * @param keep  keep the reduced axes with size 1
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX (axis out of range), AGN_EARG (axis
 *              twice), AGN_ESHAPE (nothing to compare), AGN_ENOMEM
 * @grad        to the first of the largest and of the smallest
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_ptp(agn_tensor **out, const agn_tensor *x,
                                          const int32_t *axes, int32_t n, bool keep);

/**
 * agn_sum_as - sum in a chosen dtype
 *
 * Elements are converted before they are added, so that nothing is lost on the way.
 *
 * @param out    out, of dtype; x without the axes, with them as 1 if keep
 * @param x      any dtype
 * @param axes   n different axes; NULL for all
 * @param n      number of axes
 * @param keep   keep the reduced axes with size 1
 * @param dtype  of the elements and of the result; not bool
 * @errors       AGN_ENULL, AGN_EDTYPE (no dtype), AGN_EINDEX (axis out of range),
 *               AGN_EARG (axis twice), AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sum_as(agn_tensor **out, const agn_tensor *x,
                                             const int32_t *axes, int32_t n, bool keep,
                                             agn_dtype dtype);

/**
 * agn_reduce_as - sum down to the shape of another tensor
 *
 * The adjoint of broadcasting: sums over the axes along which like would be repeated.
 *
 * @param out   out, shape of like
 * @param x     any dtype; bools and narrow integers as i64
 * @param like  a tensor whose shape broadcasts to that of x
 * @errors      AGN_ENULL, AGN_ESHAPE (like does not broadcast to x), AGN_ENOMEM
 * @grad        everywhere in x
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_reduce_as(agn_tensor **out, const agn_tensor *x,
                                                const agn_tensor *like);

/**
 * agn_trace - sum of a diagonal of a plane
 *
 * @param out     out, x without both axes
 * @param x       at least two axes; bools and narrow integers as i64
 * @param offset  of the diagonal: above the main one where positive; may miss the
 *                plane: 0
 * @param axis1   rows of the plane
 * @param axis2   columns of the plane
 * @errors        AGN_ENULL, AGN_EINDEX (axis), AGN_EARG (one axis twice), AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_trace(agn_tensor **out, const agn_tensor *x,
                                            int64_t offset, int32_t axis1, int32_t axis2);

/**
 * agn_average - weighted mean
 *
 * sum(weights x) / sum(weights).
 *
 * @param out      out, x without the axes; with them as 1 if keep
 * @param x        any dtype
 * @param weights  shape of x, or one for each place of the one axis
 * @param axes     n different axes; NULL for all
 * @param n        number of axes
 * @param keep     keep the reduced axes with size 1
 * @errors         AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (weights), AGN_EINDEX (axis out of
 *                 range), AGN_EARG (axis twice), AGN_ENOMEM
 * @grad           everywhere in x and weights
 * @cost           O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_average(agn_tensor **out, const agn_tensor *x,
                                              const agn_tensor *weights,
                                              const int32_t *axes, int32_t n, bool keep);

/* ---- without NaN ---------------------------------------------------------------- */

/**
 * agn_nansum - sum without NaN
 *
 * @param out   out, x without the axes; with them as 1 if keep
 * @param x     any dtype; bools and narrow integers as i64
 * @param axes  n different axes; NULL for all
 * @param n     number of axes
 * @param keep  keep the reduced axes with size 1
 * @errors      AGN_ENULL, AGN_EINDEX (axis out of range), AGN_EARG (axis twice),
 *              AGN_ENOMEM
 * @grad        everywhere; 0 for NaN
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nansum(agn_tensor **out, const agn_tensor *x,
                                             const int32_t *axes, int32_t n, bool keep);

/**
 * agn_nanmean - mean without NaN
 *
 * NaN where nothing is left.
 *
 * @param out   out, x without the axes; with them as 1 if keep
 * @param x     any dtype
 * @param axes  n different axes; NULL for all
 * @param n     number of axes
 * @param keep  keep the reduced axes with size 1
 * @errors      AGN_ENULL, AGN_EINDEX (axis out of range), AGN_EARG (axis twice),
 *              AGN_ENOMEM
 * @grad        everywhere; 0 for NaN
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nanmean(agn_tensor **out, const agn_tensor *x,
                                              const int32_t *axes, int32_t n, bool keep);

/**
 * agn_nanmax - largest element that is not NaN
 *
 * NaN where nothing is left.
 *
 * @param out   out, x without the axes; with them as 1 if keep
 * @param x     bool i32 i64 f32 f64; others by promotion
 * @param axes  n different axes; NULL for all
 * @param n     number of axes
 * @param keep  keep the reduced axes with size 1
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX (axis out of range), AGN_EARG (axis
 *              twice), AGN_ESHAPE (nothing to compare), AGN_ENOMEM
 * @grad        to the first of the largest
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nanmax(agn_tensor **out, const agn_tensor *x,
                                             const int32_t *axes, int32_t n, bool keep);

/**
 * agn_nanmin - smallest element that is not NaN
 *
 * NaN where nothing is left.
 *
 * @param out   out, x without the axes; with them as 1 if keep
 * @param x     bool i32 i64 f32 f64; others by promotion
 * @param axes  n different axes; NULL for all
 * @param n     number of axes
 * @param keep  keep the reduced axes with size 1
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX (axis out of range), AGN_EARG (axis
 *              twice), AGN_ESHAPE (nothing to compare), AGN_ENOMEM
 * @grad        to the first of the smallest
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nanmin(agn_tensor **out, const agn_tensor *x,
                                             const int32_t *axes, int32_t n, bool keep);

/**
 * agn_nanprod - product without NaN
 *
 * @param out   out, x without the axes; with them as 1 if keep
 * @param x     any dtype; bools and narrow integers as i64
 * @param axes  n different axes; NULL for all
 * @param n     number of axes
 * @param keep  keep the reduced axes with size 1
 * @errors      AGN_ENULL, AGN_EINDEX (axis out of range), AGN_EARG (axis twice),
 *              AGN_ENOMEM
 * @grad        everywhere; 0 for NaN
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nanprod(agn_tensor **out, const agn_tensor *x,
                                              const int32_t *axes, int32_t n, bool keep);

/**
 * agn_nanargmax - index of the largest element along an axis that is not NaN
 *
 * The first one of equals; -1 where nothing is left.
 *
 * @param out   out, i64, x without the axis; with it as 1 if keep
 * @param x     bool i32 i64 f32 f64; others by promotion
 * @param axis  in [-ndim, ndim)
 * @param keep  keep the axis with size 1
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX, AGN_ESHAPE (empty axis), AGN_ENOMEM
 * @grad        none: an index
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nanargmax(agn_tensor **out, const agn_tensor *x,
                                                int32_t axis, bool keep);

/**
 * agn_nanargmin - index of the smallest element along an axis that is not NaN
 *
 * The first one of equals; -1 where nothing is left.
 *
 * @param out   out, i64, x without the axis; with it as 1 if keep
 * @param x     bool i32 i64 f32 f64; others by promotion
 * @param axis  in [-ndim, ndim)
 * @param keep  keep the axis with size 1
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX, AGN_ESHAPE (empty axis), AGN_ENOMEM
 * @grad        none: an index
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nanargmin(agn_tensor **out, const agn_tensor *x,
                                                int32_t axis, bool keep);

#ifdef __cplusplus
}
#endif
#endif
