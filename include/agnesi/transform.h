/**
 * agnesi/transform.h - maps between spaces of numbers, with log|det J|
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A transform maps points: single numbers, or the last axes of a tensor, whose other axes are a
 * batch. Maps are compositions of ops, with derivatives of any order in every mode. A bijection
 * carries a density from one side to the other by its log|det J|, and takes constraints off
 * parameters.
 */
#ifndef AGNESI_TRANSFORM_H
#define AGNESI_TRANSFORM_H

#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A map, its inverse and its log|det J|. */
typedef struct agn_transform agn_transform;

/**
 * agn_transform_retain - a new reference to a transform
 *
 * @param t  NULL gives NULL
 * @return   t
 */
AGN_API agn_transform *agn_transform_retain(const agn_transform *t);

/**
 * agn_transform_release - drop a reference to a transform
 *
 * @param t  NULL is allowed
 */
AGN_API void agn_transform_release(agn_transform *t);

/**
 * agn_transform_adopt - hand a new reference to a scope, as agn_scope_adopt does for tensors
 *
 * @param s   scope
 * @param st  status of the call that made t; a failure makes the scope fail
 * @param t   where that call put it; taken over: released at close, or at once if the scope has
 *            failed
 * @return    *t, or NULL if the scope has failed
 */
AGN_API const agn_transform *agn_transform_adopt(agn_scope *s, agn_status st,
                                                 agn_transform *const *t);

/**
 * agn_transform_name - name of a transform, as in the name of its constructor
 *
 * @param t  transform
 * @return   NULL for NULL
 */
AGN_API const char *agn_transform_name(const agn_transform *t);

/**
 * agn_transform_domain_ndim - axes of one point that is mapped
 *
 * @param t  transform
 * @return   -1 for NULL
 */
AGN_API int32_t agn_transform_domain_ndim(const agn_transform *t);

/**
 * agn_transform_codomain_ndim - axes of the point that it is mapped to
 *
 * @param t  transform
 * @return   -1 for NULL
 */
AGN_API int32_t agn_transform_codomain_ndim(const agn_transform *t);

/**
 * agn_transform_forward - map points
 *
 * @param out  out, batch axes and the axes of a point
 * @param t    transform
 * @param x    f32 f64, batch axes and the axes of a point
 * @errors     AGN_ENULL, AGN_ESHAPE (no points of the transform), AGN_EDTYPE (x is not real),
 *             AGN_ENOMEM
 * @grad       everywhere, in x and in the parameters
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_transform_forward(agn_tensor **out, const agn_transform *t,
                                                        const agn_tensor *x);

/**
 * agn_transform_inverse - map points back
 *
 * Of a map that is not injective one of the points that are mapped to y. What is no image gives
 * NaN or a number that means nothing.
 *
 * @param out  out, batch axes and the axes of a point
 * @param t    transform
 * @param y    f32 f64, batch axes and the axes of a point
 * @errors     AGN_ENULL, AGN_ESHAPE (no points of the transform), AGN_EDTYPE (y is not real),
 *             AGN_ENOMEM
 * @grad       everywhere, in y and in the parameters
 * @cost       O(n); positive_definite a factorisation of each matrix
 */
AGN_API AGN_MUST_CHECK agn_status agn_transform_inverse(agn_tensor **out, const agn_transform *t,
                                                        const agn_tensor *y);

/**
 * agn_transform_log_det_jacobian - log of the magnitude of the determinant of the Jacobian
 *
 * Of images that lie in fewer dimensions than their axes count it is that of the map to the
 * entries that determine them: all but the last of a simplex, those on and below a diagonal.
 *
 * @param out  out, batch axes
 * @param t    transform
 * @param x    f32 f64, where to take it: a point of the domain
 * @errors     AGN_ENULL, AGN_ESHAPE (no points of the transform), AGN_EDTYPE (x is not real),
 *             AGN_EUNSUPPORTED (no bijection), AGN_ENOMEM
 * @grad       everywhere, in x and in the parameters
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_transform_log_det_jacobian(agn_tensor **out,
                                                                 const agn_transform *t,
                                                                 const agn_tensor *x);

/**
 * agn_transform_forward_shape - the shape of the image of points of a shape
 *
 * @param out_ndim  out
 * @param out       out, room for AGN_MAX_RANK sizes
 * @param t         transform
 * @param ndim      number of axes
 * @param shape     sizes
 * @errors          AGN_ENULL, AGN_ESHAPE (no such points)
 */
AGN_API AGN_MUST_CHECK agn_status agn_transform_forward_shape(int32_t *out_ndim, int64_t *out,
                                                              const agn_transform *t,
                                                              int32_t ndim, const int64_t *shape);

/**
 * agn_transform_inverse_shape - the shape of the points that have images of a shape
 *
 * @param out_ndim  out
 * @param out       out, room for AGN_MAX_RANK sizes
 * @param t         transform
 * @param ndim      number of axes
 * @param shape     sizes
 * @errors          AGN_ENULL, AGN_ESHAPE (no such points)
 */
AGN_API AGN_MUST_CHECK agn_status agn_transform_inverse_shape(int32_t *out_ndim, int64_t *out,
                                                              const agn_transform *t,
                                                              int32_t ndim, const int64_t *shape);

/**
 * agn_transform_exp - reals to positive numbers: the exponential
 *
 * @param out  out
 * @errors     AGN_ENULL, AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_transform_exp(agn_transform **out);

/**
 * agn_transform_sigmoid - reals to (0, 1): the logistic function
 *
 * @param out  out
 * @errors     AGN_ENULL, AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_transform_sigmoid(agn_transform **out);

/**
 * agn_transform_tanh - reals to (-1, 1): the hyperbolic tangent
 *
 * @param out  out
 * @errors     AGN_ENULL, AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_transform_tanh(agn_transform **out);

/**
 * agn_transform_softplus - reals to positive numbers: log(1 + exp(x))
 *
 * @param out  out
 * @errors     AGN_ENULL, AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_transform_softplus(agn_transform **out);

/**
 * agn_transform_abs - reals to numbers that are not negative: the magnitude
 *
 * No bijection: the inverse is the point that is not negative.
 *
 * @param out  out
 * @errors     AGN_ENULL, AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_transform_abs(agn_transform **out);

/**
 * agn_transform_affine - loc + scale x
 *
 * @param out    out
 * @param loc    f32 f64; broadcasts with points
 * @param scale  likewise; not 0
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_transform_affine(agn_transform **out, const agn_tensor *loc,
                                                       const agn_tensor *scale);

/**
 * agn_transform_power - positive numbers to a power
 *
 * @param out    out
 * @param power  f32 f64; broadcasts with points; not 0
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_transform_power(agn_transform **out,
                                                      const agn_tensor *power);

/**
 * agn_transform_interval - reals to an interval: low + (high - low) / (1 + exp(-x))
 *
 * @param out   out
 * @param low   f32 f64; broadcasts with points
 * @param high  likewise; above low
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_transform_interval(agn_transform **out,
                                                         const agn_tensor *low,
                                                         const agn_tensor *high);

/**
 * agn_transform_stick_breaking - [n - 1] reals to [n] positive numbers whose sum is 1
 *
 * 0 is mapped to equal shares.
 *
 * @param out  out
 * @errors     AGN_ENULL, AGN_ENOMEM
 * @ref        Stan Reference Manual, Constraint Transforms
 */
AGN_API AGN_MUST_CHECK agn_status agn_transform_stick_breaking(agn_transform **out);

/**
 * agn_transform_softmax - [n] reals to [n] positive numbers whose sum is 1: exp(x) / sum exp(x)
 *
 * No bijection: the inverse is the logarithm.
 *
 * @param out  out
 * @errors     AGN_ENULL, AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_transform_softmax(agn_transform **out);

/**
 * agn_transform_ordered - [n] reals to [n] reals in ascending order
 *
 * The first is kept, the others are logarithms of steps.
 *
 * @param out  out
 * @errors     AGN_ENULL, AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_transform_ordered(agn_transform **out);

/**
 * agn_transform_zero_sum - [n - 1] reals to [n] reals whose sum is 0, with the same norm
 *
 * @param out  out
 * @errors     AGN_ENULL, AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_transform_zero_sum(agn_transform **out);

/**
 * agn_transform_correlation_cholesky - [n (n - 1) / 2] reals to the [n, n] Cholesky factor of a correlation matrix
 *
 * By the hyperbolic tangents of partial correlations, row by row.
 *
 * @param out  out
 * @errors     AGN_ENULL, AGN_ENOMEM
 * @ref        Lewandowski, Kurowicka & Joe 2009
 */
AGN_API AGN_MUST_CHECK agn_status agn_transform_correlation_cholesky(agn_transform **out);

/**
 * agn_transform_lower_cholesky - [n (n + 1) / 2] reals to an [n, n] lower triangle with a positive diagonal
 *
 * @param out  out
 * @errors     AGN_ENULL, AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_transform_lower_cholesky(agn_transform **out);

/**
 * agn_transform_positive_definite - [n (n + 1) / 2] reals to an [n, n] positive definite matrix
 *
 * L L' with the factor L of agn_transform_lower_cholesky.
 *
 * @param out  out
 * @errors     AGN_ENULL, AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_transform_positive_definite(agn_transform **out);

/**
 * agn_transform_reshape - points of one shape to points of another
 *
 * @param out       out
 * @param in_ndim   axes of a point
 * @param in        their sizes
 * @param out_ndim  axes of the image
 * @param shape     their sizes
 * @errors          AGN_ENULL, AGN_ESHAPE (rank, another number of elements), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_transform_reshape(agn_transform **out, int32_t in_ndim,
                                                        const int64_t *in, int32_t out_ndim,
                                                        const int64_t *shape);

/**
 * agn_transform_inverse_of - the inverse of a transform, as a transform
 *
 * @param out  out
 * @param t    transform
 * @errors     AGN_ENULL, AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_transform_inverse_of(agn_transform **out,
                                                           const agn_transform *t);

/**
 * agn_transform_chain - transforms one after the other
 *
 * @param out    out
 * @param parts  n transforms, the first is applied first
 * @param n      0 to 1000
 * @errors       AGN_ENULL, AGN_EARG (n), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_transform_chain(agn_transform **out,
                                                      const agn_transform *const *parts,
                                                      int32_t n);

/**
 * agn_transform_independent - the same map, of points with more axes
 *
 * @param out   out
 * @param base  transform
 * @param rank  axes that become those of a point: log|det J| is summed over them
 * @errors      AGN_ENULL, AGN_EARG (rank), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_transform_independent(agn_transform **out,
                                                            const agn_transform *base,
                                                            int32_t rank);

/**
 * agn_transform_stack - a transform of its own for each place of an axis
 *
 * @param out    out
 * @param parts  n transforms of single numbers
 * @param n      size of the axis, 1 to 64
 * @param axis   from the end: -1 is the last
 * @errors       AGN_ENULL, AGN_EARG (n; a part of more than single numbers), AGN_EINDEX (axis),
 *               AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_transform_stack(agn_transform **out,
                                                      const agn_transform *const *parts,
                                                      int32_t n, int32_t axis);

/**
 * agn_transform_spline - a monotone rational-quadratic spline from -bound to bound, else x
 *
 * Of numbers, before which the leading axes of the parameters broadcast. Knots are at the shares of
 * 2 bound that widths and heights tell; the slope at both ends is 1.
 *
 * @param out     out
 * @param widths  in,  of the k bins up to a factor, [..., k], k from 2; positive, finite
 * @param heights in,  of the k bins up to a factor, [..., k]; positive, finite
 * @param slopes  in,  at the knots between bins, [..., k - 1]; positive, finite
 * @param bound   positive, finite
 * @errors       AGN_ENULL, AGN_ESHAPE (sizes), AGN_EDTYPE, AGN_EDOMAIN (a parameter out of its
 *                range), AGN_ENOMEM
 * @grad          everywhere but at knots, where it is of the bin to the right
 * @ref           Durkan, Bekasov, Murray & Papamakarios 2019
 */
AGN_API AGN_MUST_CHECK agn_status agn_transform_spline(agn_transform **out,
    const agn_tensor *widths, const agn_tensor *heights, const agn_tensor *slopes, double bound);

/**
 * agn_transform_masked_autoregressive - y_i = x_i exp(s_i) + m_i, with m and s of y before i
 *
 * net maps y [..., n] to m and s, both [..., n]; entries i must depend on those of y before i
 * alone, which is not looked at (agn_autoregressive_mask makes such networks). The inverse, and so
 * the density of what is seen, takes one pass of net, forward n passes.
 *
 * @param out  out
 * @param net  function of one argument with two results: shift m and log scale s
 * @errors    AGN_ENULL, AGN_EARG (numbers of arguments or results), AGN_ENOMEM; a use also
 *             AGN_ESHAPE (results of net) and those of net
 * @grad       everywhere, what net captures included
 * @ref        Papamakarios, Pavlakou & Murray 2017
 */
AGN_API AGN_MUST_CHECK agn_status agn_transform_masked_autoregressive(agn_transform **out,
                                                                      const agn_fn *net);

/**
 * agn_transform_inverse_autoregressive - y_i = x_i exp(s_i) + m_i, with m and s of x before i
 *
 * As agn_transform_masked_autoregressive, but forward takes one pass and the inverse n.
 *
 * @param out  out
 * @param net  function of one argument with two results: shift m and log scale s
 * @errors    AGN_ENULL, AGN_EARG (numbers of arguments or results), AGN_ENOMEM; a use also
 *             AGN_ESHAPE (results of net) and those of net
 * @grad       everywhere, what net captures included
 * @ref        Kingma, Salimans, Jozefowicz, Chen, Sutskever & Welling 2016
 */
AGN_API AGN_MUST_CHECK agn_status agn_transform_inverse_autoregressive(agn_transform **out,
                                                                       const agn_fn *net);

/**
 * agn_transform_coupling - affine coupling: the first numbers stay, and tell how the others change
 *
 * net maps the first numbers, [..., stays], to shift and log scale of the others, [..., n - stays].
 *
 * @param out    out
 * @param net    function of one argument with two results: shift and log scale
 * @param stays  numbers that stay, 1 or more and less than n
 * @errors      AGN_ENULL, AGN_EARG (stays, numbers of arguments or results), AGN_ENOMEM; a use
 *               also AGN_ESHAPE (n, results of net) and those of net
 * @grad         everywhere, what net captures included
 * @ref          Dinh, Sohl-Dickstein & Bengio 2017
 */
AGN_API AGN_MUST_CHECK agn_status agn_transform_coupling(agn_transform **out, const agn_fn *net,
                                                         int64_t stays);

/**
 * agn_autoregressive_mask - what of a weight matrix may stay in an autoregressive network
 *
 * 1 where a unit of the layer above (columns) may see one of the layer below (rows), else 0; times
 * the weights of each layer of y = x W, entry i of the results depends on arguments before i alone.
 *
 * @param out    out, [rows or n, cols or n]
 * @param dtype  f32 or f64
 * @param n      numbers, 1 to 2^20
 * @param rows   hidden units below; 0: the n arguments
 * @param cols   hidden units above; 0: the n results
 * @errors      AGN_ENULL, AGN_EARG (sizes), AGN_EDTYPE, AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(rows cols)
 * @ref          Germain, Gregor, Murray & Larochelle 2015
 */
AGN_API AGN_MUST_CHECK agn_status agn_autoregressive_mask(agn_tensor **out, agn_dtype dtype,
                                                          int64_t n, int64_t rows, int64_t cols);

#ifdef __cplusplus
}
#endif
#endif
