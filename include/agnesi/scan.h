/**
 * agnesi/scan.h - running sums, products and extremes along an axis
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every element of a result depends on the elements up to its own place; AGN_SCAN_REVERSE
 * starts at the other end, AGN_SCAN_EXCLUSIVE leaves the own element out.
 */
#ifndef AGNESI_SCAN_H
#define AGNESI_SCAN_H

#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { AGN_SCAN_REVERSE = 1, AGN_SCAN_EXCLUSIVE = 2 };

/**
 * agn_cumsum - running sum along an axis
 *
 * Sums of blocks are compensated: the error does not grow with the length.
 *
 * @param out   out, shape of x
 * @param x     any dtype; bools and narrow integers as i64
 * @param axis  in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_EINDEX, AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_cumsum(agn_tensor **out, const agn_tensor *x,
                                             int32_t axis);

/**
 * agn_cumsum_as - running sum, from either end, with or without the own element
 *
 * @param out    out, shape of x
 * @param x      any dtype; bools and narrow integers as i64
 * @param axis   in [-ndim, ndim)
 * @param flags  AGN_SCAN_REVERSE, AGN_SCAN_EXCLUSIVE, both or 0
 * @errors       AGN_ENULL, AGN_EINDEX, AGN_EARG (flags), AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_cumsum_as(agn_tensor **out, const agn_tensor *x,
                                                int32_t axis, int32_t flags);

/**
 * agn_cumprod - running product along an axis
 *
 * @param out    out, shape of x
 * @param x      any dtype; bools and narrow integers as i64
 * @param axis   in [-ndim, ndim)
 * @param flags  AGN_SCAN_REVERSE, AGN_SCAN_EXCLUSIVE, both or 0
 * @errors       AGN_ENULL, AGN_EINDEX, AGN_EARG (flags), AGN_ENOMEM
 * @grad         everywhere, where elements are zero too, at any order
 * @cost         O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_cumprod(agn_tensor **out, const agn_tensor *x,
                                              int32_t axis, int32_t flags);

/**
 * agn_cummax - largest element so far along an axis, and where it was
 *
 * The first of equals; once there is a NaN, that NaN.
 *
 * @param values   out, shape of x
 * @param indices  out, i64, shape of x: places along the axis; may be NULL
 * @param x        bool i32 i64 f32 f64
 * @param axis     in [-ndim, ndim)
 * @errors         AGN_ENULL, AGN_EDTYPE, AGN_EINDEX, AGN_ENOMEM
 * @grad           of values: to the element that is the largest
 * @cost           O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_cummax(agn_tensor **values, agn_tensor **indices,
                                             const agn_tensor *x, int32_t axis);

/**
 * agn_cummin - smallest element so far along an axis, and where it was
 *
 * The first of equals; once there is a NaN, that NaN.
 *
 * @param values   out, shape of x
 * @param indices  out, i64, shape of x: places along the axis; may be NULL
 * @param x        bool i32 i64 f32 f64
 * @param axis     in [-ndim, ndim)
 * @errors         AGN_ENULL, AGN_EDTYPE, AGN_EINDEX, AGN_ENOMEM
 * @grad           of values: to the element that is the smallest
 * @cost           O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_cummin(agn_tensor **values, agn_tensor **indices,
                                             const agn_tensor *x, int32_t axis);

/**
 * agn_logcumsumexp - running log of the sum of exponentials
 *
 * It runs in f64: the error of f32 does not grow with the length.
 *
 * @param out    out, shape of x
 * @param x      f32 f64; others by promotion
 * @param axis   in [-ndim, ndim)
 * @param flags  AGN_SCAN_REVERSE or 0
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_EINDEX, AGN_EARG (flags), AGN_ENOMEM
 * @grad         softmax of the elements so far; 0 where all are -inf
 * @cost         O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_logcumsumexp(agn_tensor **out, const agn_tensor *x,
                                                   int32_t axis, int32_t flags);

/**
 * agn_recurrence - linear recurrence y_k = a_k y_(k-1) + b_k along an axis, y_0 = b_0
 *
 * Running products, geometric decay and linear filters of order one are recurrences.
 *
 * @param out    out, broadcast shape of a and b
 * @param a      any dtype; the first factor along the axis is not used
 * @param b      any dtype, broadcasts with a
 * @param axis   in [-ndim, ndim) of the broadcast shape
 * @param flags  AGN_SCAN_REVERSE (from the last place to the first) or 0
 * @errors       AGN_ENULL, AGN_ESHAPE (no broadcast), AGN_EINDEX, AGN_EARG (flags), AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_recurrence(agn_tensor **out, const agn_tensor *a,
                                                 const agn_tensor *b, int32_t axis,
                                                 int32_t flags);

/**
 * agn_nancumsum - running sum along an axis, NaN as 0
 *
 * @param out   out, shape of x
 * @param x     any dtype; bools and narrow integers as i64
 * @param axis  in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_EINDEX, AGN_ENOMEM
 * @grad        everywhere; 0 for NaN
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nancumsum(agn_tensor **out, const agn_tensor *x,
                                                int32_t axis);

/**
 * agn_nancumprod - running product along an axis, NaN as 1
 *
 * @param out   out, shape of x
 * @param x     any dtype; bools and narrow integers as i64
 * @param axis  in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_EINDEX, AGN_ENOMEM
 * @grad        everywhere; 0 for NaN
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nancumprod(agn_tensor **out, const agn_tensor *x,
                                                 int32_t axis);

#ifdef __cplusplus
}
#endif
#endif
