/**
 * agnesi/operator.h - differential operators: functions of functions
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A function u that maps rows x = (x_1, ..., x_d) to rows becomes a function whose first result
 * is an operator applied to u, and whose second is u itself. All of them carry, beside each
 * value within u, the least set of derivatives that determines the result (a collapsed jet),
 * once through u: d + 2 tensors for the Laplacian, not d Hessian-vector products. What they make
 * may be differentiated again, mapped, compiled, and given to each other; u may hold transforms,
 * branches and loops. A complex column moves along the real axis: what it gives is the complex
 * derivative where u is holomorphic.
 *
 * The residual of the heat equation u_t = u_xx + u_yy - q u, with columns t, x, y and a
 * coefficient q for each row, is one operator:
 *
 *     int32_t alpha[4][3] = {{1, 0, 0}, {0, 2, 0}, {0, 0, 2}, {0, 0, 0}};
 *     double c[4] = {1, -1, -1, 1};
 *     int32_t factor[4] = {-1, -1, -1, 0};            // q multiplies the last term
 *     agn_fn_operator(&heat, u, 0, alpha[0], 4, 3, c, factor);
 *     agn_fn_call(r, 2, heat, AGN_ARGS(x, q));
 *
 * that of Poisson's equation is agn_fn_laplacian(&poisson, u, 0), of a plate under load
 * agn_fn_biharmonic(&plate, u, 0).
 */
#ifndef AGNESI_OPERATOR_H
#define AGNESI_OPERATOR_H

#include <agnesi/autograd.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- exact operators -------------------------------------------------------------------- */

/**
 * agn_fn_laplacian - sum of the second derivatives with respect to the columns of one argument
 *
 * Results: the Laplacian of f's first result, of its shape; then f's first result.
 *
 * @param out     out, n_in(f) arguments, 2 results
 * @param f       each row of its first result depends on the same row of the argument alone
 * @param argnum  the argument, [..., d]
 * @errors        AGN_ENULL, AGN_EINDEX (no such argument), AGN_ENOMEM; a call also AGN_ESHAPE (no
 *                columns), AGN_EDTYPE (not floating), AGN_EUNSUPPORTED (an op without a rule)
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_laplacian(agn_fn **out, const agn_fn *f, int32_t argnum);

/**
 * agn_fn_biharmonic - the Laplacian of the Laplacian
 *
 * Results: as for agn_fn_laplacian(). Carries 2 + 2 d + d (d + 1) / 2 tensors: value, gradient,
 * Hessian, the Laplacian's gradient, and the result.
 *
 * @param out     out, n_in(f) arguments, 2 results
 * @param f       as for agn_fn_laplacian()
 * @param argnum  the argument, [..., d]
 * @errors        AGN_ENULL, AGN_EINDEX, AGN_ENOMEM; a call also AGN_ESHAPE, AGN_EDTYPE,
 *                AGN_EUNSUPPORTED (an op without a rule; d above 89)
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_biharmonic(agn_fn **out, const agn_fn *f,
                                                    int32_t argnum);

/**
 * agn_fn_operator - a linear differential operator, given by its terms
 *
 * Term t is c[t] times a further argument times the derivative of f's first result of order
 * alpha[t * d + j] with respect to column j, for all j. Results: the sum of the terms; then f's
 * first result. What is carried are the derivatives of the operator's polynomial, so terms that
 * share a factor are collapsed into one.
 *
 * @param out     out, n_in(f) + max(factor) + 1 arguments, 2 results
 * @param f       as for agn_fn_laplacian()
 * @param argnum  the argument, [..., d]
 * @param alpha   n times d orders, not negative; total order of each at most 10
 * @param n       number of terms
 * @param d       number of columns
 * @param c       n finite numbers; NULL: ones
 * @param factor  for each term which of the arguments behind those of f multiplies it, 0 the
 *                first of them; -1: none. They broadcast against f's first result. NULL: none
 * @errors        AGN_ENULL, AGN_EINDEX (no such argument, factor), AGN_EARG (orders, a coefficient
 *                that is not finite), AGN_EUNSUPPORTED (more than 4096 derivatives of one order
 *                would be carried), AGN_ENOMEM; a call also AGN_ESHAPE, AGN_EDTYPE,
 *                AGN_EUNSUPPORTED
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_operator(agn_fn **out, const agn_fn *f, int32_t argnum,
                                                  const int32_t *alpha, int32_t n, int32_t d,
                                                  const double *c, const int32_t *factor);

/**
 * agn_fn_partials - chosen partial derivatives with respect to columns of one argument
 *
 * For f applied row by row to argument argnum of shape [..., d]: result q of f's first result is
 * its derivative of order alpha[q * d + j] with respect to column j, for all j. The first result
 * is the value itself.
 *
 * @param out     out, n_in(f) arguments, 1 + n results
 * @param f       each row of its first result depends on the same row of the argument alone
 * @param argnum  the argument
 * @param alpha   n times d orders, not negative; total order of each at most 10
 * @param n       number of derivatives
 * @param d       number of columns
 * @errors        AGN_ENULL, AGN_EINDEX, AGN_EARG (orders), AGN_ENOMEM; a call also AGN_ESHAPE,
 *                AGN_EUNSUPPORTED
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_partials(agn_fn **out, const agn_fn *f, int32_t argnum,
                                                  const int32_t *alpha, int32_t n, int32_t d);

/* ---- fields and directions -------------------------------------------------------------- */

/**
 * agn_fn_divergence - sum of the derivatives of a vector field's components along their columns
 *
 * Results: the divergence, [...]; then f's first result. Costs d tangents.
 *
 * @param out     out, n_in(f) arguments, 2 results
 * @param f       as for agn_fn_laplacian(); its first result is [..., d]
 * @param argnum  the argument, [..., d]
 * @errors        AGN_ENULL, AGN_EINDEX, AGN_ENOMEM; a call also AGN_ESHAPE (the last axes differ),
 *                AGN_EDTYPE, AGN_EUNSUPPORTED
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_divergence(agn_fn **out, const agn_fn *f,
                                                    int32_t argnum);

/**
 * agn_fn_curl - rotation of a vector field in the plane or in space
 *
 * Results: for three columns the curl, [..., 3]; for two df_2/dx_1 - df_1/dx_2, [...]; then f's
 * first result.
 *
 * @param out     out, n_in(f) arguments, 2 results
 * @param f       as for agn_fn_laplacian(); its first result has the last axis of the argument
 * @param argnum  the argument, [..., 2] or [..., 3]
 * @errors        AGN_ENULL, AGN_EINDEX, AGN_ENOMEM; a call also AGN_ESHAPE (columns), AGN_EDTYPE,
 *                AGN_EUNSUPPORTED
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_curl(agn_fn **out, const agn_fn *f, int32_t argnum);

/**
 * agn_fn_directional - derivatives of one order along given directions
 *
 * Arguments: those of f, then directions, [r, shape of the argument...]. Results: the derivative
 * d^order/ds^order f(x + s v) at s = 0 for each direction v, [r, shape of f's first result...];
 * then f's first result. The value is computed once for all directions.
 *
 * @param out     out, n_in(f) + 1 arguments, 2 results
 * @param f       any function
 * @param argnum  the argument
 * @param order   1 to 10
 * @errors        AGN_ENULL, AGN_EINDEX, AGN_EARG (order), AGN_ENOMEM; a call also AGN_ESHAPE
 *                (directions), AGN_EDTYPE, AGN_EUNSUPPORTED
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_directional(agn_fn **out, const agn_fn *f,
                                                     int32_t argnum, int32_t order);

/**
 * agn_fn_jets - Taylor coefficients along many curves through one point
 *
 * As agn_fn_jet(), but coefficients 1 to order of arguments and results have a leading axis: one
 * for each curve. The value is computed once.
 *
 * @param out    out, n_in(f) (order + 1) arguments, n_out(f) (order + 1) results
 * @param f      function
 * @param order  1 to 64
 * @errors       AGN_ENULL, AGN_EARG (order), AGN_ENOMEM; a call also AGN_ESHAPE (numbers of curves
 *               differ, a coefficient's shape), AGN_EDTYPE, AGN_EUNSUPPORTED
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_jets(agn_fn **out, const agn_fn *f, int32_t order);

/* ---- estimates from random directions --------------------------------------------------- */

/** How directions v are drawn, of mean zero and covariance one; each row has its own. */
typedef enum agn_directions {
    AGN_DIRECTIONS_SIGNS,  /* entries 1 and -1 (Hutchinson 1990): of these laws the least spread
                              where off-diagonal derivatives are small */
    AGN_DIRECTIONS_NORMAL, /* standard normal entries */
    AGN_DIRECTIONS_SPARSE  /* sqrt(d) along one column (Hu, Shi, Karniadakis & Kawaguchi 2024) */
} agn_directions;

/**
 * agn_fn_laplacian_sampled - an unbiased estimate of the Laplacian
 *
 * The mean over n directions of the second derivative along them, from one collapsed jet of
 * n + 2 tensors. Arguments: those of f, then a key. Results: the estimate; f's first result.
 *
 * @param out     out, n_in(f) + 1 arguments, 2 results
 * @param f       as for agn_fn_laplacian()
 * @param argnum  the argument, [..., d], real
 * @param n       number of directions, 1 to 4096
 * @param law     how they are drawn
 * @errors        AGN_ENULL, AGN_EINDEX, AGN_EARG (n, law), AGN_ENOMEM; a call also AGN_ESHAPE,
 *                AGN_EDTYPE (not real), AGN_EUNSUPPORTED
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_laplacian_sampled(agn_fn **out, const agn_fn *f,
                                                           int32_t argnum, int32_t n,
                                                           agn_directions law);

/**
 * agn_fn_biharmonic_sampled - an unbiased estimate of the Laplacian of the Laplacian
 *
 * A third of the mean over n normal directions of the fourth derivative along them. Arguments:
 * those of f, then a key. Results: the estimate; f's first result.
 *
 * @param out     out, n_in(f) + 1 arguments, 2 results
 * @param f       as for agn_fn_laplacian()
 * @param argnum  the argument, [..., d], real
 * @param n       number of directions, 1 to 4096
 * @errors        AGN_ENULL, AGN_EINDEX, AGN_EARG (n), AGN_ENOMEM; a call also AGN_ESHAPE,
 *                AGN_EDTYPE (not real), AGN_EUNSUPPORTED
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_biharmonic_sampled(agn_fn **out, const agn_fn *f,
                                                            int32_t argnum, int32_t n);

/**
 * agn_fn_divergence_sampled - an unbiased estimate of the divergence of a vector field
 *
 * The mean over n directions v of v . J v. Arguments: those of f, then a key. Results: the
 * estimate, [...]; f's first result.
 *
 * @param out     out, n_in(f) + 1 arguments, 2 results
 * @param f       as for agn_fn_divergence()
 * @param argnum  the argument, [..., d], real
 * @param n       number of directions, 1 to 4096
 * @param law     how they are drawn
 * @errors        AGN_ENULL, AGN_EINDEX, AGN_EARG (n, law), AGN_ENOMEM; a call also AGN_ESHAPE,
 *                AGN_EDTYPE (not real), AGN_EUNSUPPORTED
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_divergence_sampled(agn_fn **out, const agn_fn *f,
                                                            int32_t argnum, int32_t n,
                                                            agn_directions law);

/**
 * agn_fn_operator_sampled - an unbiased estimate of a linear differential operator
 *
 * The terms of one order k, factor and sign are a sum of derivatives (v . grad)^k along unit
 * vectors, of which samples are drawn for each row with probabilities in proportion to their
 * weights: one jet of order k along samples directions, however many terms and columns there are.
 * Orders 0 and 1 are exact. The variance of such a part is at most W^2 / samples times the mean
 * square of those derivatives, W the sum of the weights. Arguments: those of f, the factors, then a
 * key. Results: the estimate; f's first result.
 *
 * @param out      out, n_in(f) + max(factor) + 2 arguments, 2 results
 * @param f        as for agn_fn_laplacian()
 * @param argnum   the argument, [..., d], real
 * @param alpha    n times d orders, as for agn_fn_operator()
 * @param n        number of terms
 * @param d        number of columns
 * @param c        n finite numbers; NULL: ones
 * @param factor   as for agn_fn_operator(); NULL: none
 * @param samples  directions for each part, 1 to 4096
 * @errors         AGN_ENULL, AGN_EINDEX (no such argument, factor), AGN_EARG (orders, a coefficient
 *                 that is not finite, samples), AGN_EUNSUPPORTED (more directions than 2^24 numbers
 *                 hold), AGN_ENOMEM; a call also AGN_ESHAPE, AGN_EDTYPE (not real),
 *                 AGN_EUNSUPPORTED
 * @ref            Kan 2008; Shi, Hu, Lin & Kawaguchi 2024
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_operator_sampled(agn_fn **out, const agn_fn *f,
                                                          int32_t argnum, const int32_t *alpha,
                                                          int32_t n, int32_t d, const double *c,
                                                          const int32_t *factor, int32_t samples);

#ifdef __cplusplus
}
#endif
#endif
