/**
 * agnesi/distance.h - norms and distances
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef AGNESI_DISTANCE_H
#define AGNESI_DISTANCE_H

#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * agn_pnorm - p-norm
 *
 * (sum |x|^p)^(1/p); for p infinite the largest magnitude, for p = 0 the number of
 * elements other than zero. Scaled: nothing overflows or vanishes on the way.
 *
 * @param out   out, x without the axes; with them as 1 if keep
 * @param x     any dtype; integers give f64
 * @param p     any number, infinite too
 * @param axes  n different axes; NULL for all
 * @param n     number of axes
 * @param keep  keep the reduced axes with size 1
 * @errors      AGN_ENULL, AGN_EINDEX (axis out of range), AGN_EARG (axis twice),
 *              AGN_EDOMAIN (p is NaN), AGN_ESHAPE (p negative: nothing to compare), AGN_ENOMEM
 * @grad        everywhere; 0 at zero, to the first of the largest for infinite p
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_pnorm(agn_tensor **out, const agn_tensor *x, double p,
                                            const int32_t *axes, int32_t n, bool keep);

/**
 * agn_dist - p-norm of a difference
 *
 * @param out  out, []
 * @param a    any dtype
 * @param b    broadcasts with a
 * @param p    any number, infinite too
 * @errors     AGN_ENULL, AGN_ESHAPE (no broadcast; p negative: nothing to compare),
 *             AGN_EDOMAIN (p is NaN), AGN_ENOMEM
 * @grad       everywhere; 0 where a and b are equal
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_dist(agn_tensor **out, const agn_tensor *a,
                                           const agn_tensor *b, double p);

/**
 * agn_cdist - p-norms of the differences of all pairs of two sets
 *
 * @param out  out, [.., n, m]
 * @param a    [.., n, d] points
 * @param b    [.., m, d] points; leading axes broadcast
 * @param p    0 to infinity
 * @errors     AGN_ENULL, AGN_ESHAPE (points), AGN_EDOMAIN (p is NaN or negative),
 *             AGN_ENOMEM
 * @grad       everywhere; 0 for equal points
 * @cost       O(n m d) time and memory
 */
AGN_API AGN_MUST_CHECK agn_status agn_cdist(agn_tensor **out, const agn_tensor *a,
                                            const agn_tensor *b, double p);

/**
 * agn_pdist - p-norms of the differences of all pairs of one set
 *
 * Point 0 with 1, 2, ..., then 1 with 2, 3, ...
 *
 * @param out  out, [n (n - 1) / 2]
 * @param x    [n, d] points
 * @param p    0 to infinity
 * @errors     AGN_ENULL, AGN_ESHAPE (not two axes), AGN_EDOMAIN (p is NaN or negative),
 *             AGN_ENOMEM
 * @grad       everywhere; 0 for equal points
 * @cost       O(n^2 d) time and memory
 */
AGN_API AGN_MUST_CHECK agn_status agn_pdist(agn_tensor **out, const agn_tensor *x,
                                            double p);

/**
 * agn_renorm - slices of an axis scaled down to a largest p-norm
 *
 * Slices below it stay as they are.
 *
 * @param out   out, shape of x
 * @param x     any dtype; integers give f64
 * @param p     0 to infinity
 * @param axis  in [-ndim, ndim): its slices
 * @param most  largest norm, at least 0
 * @errors      AGN_ENULL, AGN_EINDEX, AGN_EDOMAIN (p, most), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_renorm(agn_tensor **out, const agn_tensor *x,
                                             double p, int32_t axis, double most);

#ifdef __cplusplus
}
#endif
#endif
