/**
 * agnesi/calculus.h - differences, integrals and values between samples
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef AGNESI_CALCULUS_H
#define AGNESI_CALCULUS_H

#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * agn_diff - n-th difference of neighbours along an axis
 *
 * Of bools, whether neighbours differ.
 *
 * @param out      out, n elements fewer along the axis (at least none)
 * @param x        any dtype
 * @param n        order, from 0 on
 * @param axis     in [-ndim, ndim)
 * @param prepend  put before x; may be NULL
 * @param append   put behind x; may be NULL
 * @errors         AGN_ENULL, AGN_EINDEX, AGN_EARG (n), AGN_ESHAPE (what is put to x),
 *                 AGN_ENOMEM
 * @grad           everywhere
 * @cost           O(n size)
 */
AGN_API AGN_MUST_CHECK agn_status agn_diff(agn_tensor **out, const agn_tensor *x, int32_t n,
                                           int32_t axis, const agn_tensor *prepend,
                                           const agn_tensor *append);

/**
 * agn_gradient_of_samples - derivative of samples along an axis
 *
 * By central differences of second order, one-sided at both ends, as numpy.gradient.
 *
 * @param out          out, shape of x
 * @param x            samples; integers as f64
 * @param axis         in [-ndim, ndim)
 * @param coordinates  [size], where the samples are; NULL for equal spacing
 * @param spacing      without coordinates: the distance of samples
 * @param edge_order   1 or 2: order of the differences at the ends
 * @errors             AGN_ENULL, AGN_EINDEX, AGN_EARG (edge_order), AGN_ESHAPE (too few
 *                     samples, coordinates), AGN_ENOMEM
 * @grad               everywhere in x and coordinates
 * @cost               O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_gradient_of_samples(agn_tensor **out,
                                                          const agn_tensor *x, int32_t axis,
                                                          const agn_tensor *coordinates,
                                                          double spacing,
                                                          int32_t edge_order);

/**
 * agn_trapezoid - integral of samples by the trapezoid rule
 *
 * @param out   out, y without the axis
 * @param y     samples; integers as f64
 * @param x     where they are: shape of y, or [size]; NULL for equal spacing
 * @param dx    without x: the distance of samples
 * @param axis  in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_EINDEX, AGN_ESHAPE (x), AGN_ENOMEM
 * @grad        everywhere in y and x
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_trapezoid(agn_tensor **out, const agn_tensor *y,
                                                const agn_tensor *x, double dx,
                                                int32_t axis);

/**
 * agn_cumulative_trapezoid - running integral of samples by the trapezoid rule
 *
 * @param out   out, one element fewer along the axis
 * @param y     samples; integers as f64
 * @param x     where they are: shape of y, or [size]; NULL for equal spacing
 * @param dx    without x: the distance of samples
 * @param axis  in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_EINDEX, AGN_ESHAPE (x), AGN_ENOMEM
 * @grad        everywhere in y and x
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_cumulative_trapezoid(agn_tensor **out,
                                                           const agn_tensor *y,
                                                           const agn_tensor *x, double dx,
                                                           int32_t axis);

/**
 * agn_interp - straight lines between samples
 *
 * The first and the last sample go on for ever; NaN gives NaN.
 *
 * @param out  out, shape of x
 * @param x    where values are wanted
 * @param xp   [k], ascending: where samples are
 * @param fp   [k] samples
 * @errors     AGN_ENULL, AGN_EDTYPE (complex x or xp), AGN_ESHAPE (xp, fp), AGN_ENOMEM
 * @grad       everywhere in x, xp and fp; at a sample, of the line behind it
 * @cost       O(n log k)
 */
AGN_API AGN_MUST_CHECK agn_status agn_interp(agn_tensor **out, const agn_tensor *x,
                                             const agn_tensor *xp, const agn_tensor *fp);

/**
 * agn_polyval - value of a polynomial
 *
 * By Horner's rule.
 *
 * @param out  out, shape of x
 * @param c    [n] coefficients, that of the highest power first
 * @param x    any dtype
 * @errors     AGN_ENULL, AGN_ESHAPE (c), AGN_ENOMEM
 * @grad       everywhere in c and x
 * @cost       O(n size)
 */
AGN_API AGN_MUST_CHECK agn_status agn_polyval(agn_tensor **out, const agn_tensor *c,
                                              const agn_tensor *x);

#ifdef __cplusplus
}
#endif
#endif
