/**
 * agnesi/distribution.h - probability distributions
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A distribution is a law with parameter tensors, which broadcast to its batch shape. All
 * results are compositions of operators: they have derivatives of any order with respect to
 * the parameters and the argument, in every mode. Random numbers come from explicit keys.
 */
#ifndef AGNESI_DISTRIBUTION_H
#define AGNESI_DISTRIBUTION_H

#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A law and its parameters. */
typedef struct agn_distribution agn_distribution;

/** Options of agn_distribution_normal and its kin; zero bytes are defaults. */
typedef struct agn_distribution_options {
    size_t size;    /* sizeof(agn_distribution_options) */
    bool unchecked; /* do not look at the values of parameters */
} agn_distribution_options;

/**
 * agn_distribution_normal - the normal distribution
 *
 * Parameters are checked where they have values; while tracing they have none, and a scale that
 * is not positive then gives NaN.
 *
 * @param out    out
 * @param loc    mean, f32 f64, integers as f64; finite
 * @param scale  standard deviation, likewise; positive, finite
 * @param opts   NULL for defaults
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a parameter
 *               out of its range: names the entry), AGN_EARG (unknown size), AGN_EDEVICE, AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_normal(agn_distribution **out,
                                                          const agn_tensor *loc,
                                                          const agn_tensor *scale,
                                                          const agn_distribution_options *opts);

/**
 * agn_distribution_retain - a new reference to a distribution
 *
 * @param d  NULL gives NULL
 * @return   d
 */
AGN_API agn_distribution *agn_distribution_retain(const agn_distribution *d);

/**
 * agn_distribution_release - drop a reference to a distribution
 *
 * @param d  NULL is allowed
 */
AGN_API void agn_distribution_release(agn_distribution *d);

/**
 * agn_distribution_adopt - hand a new reference to a scope, as agn_scope_adopt does for tensors
 *
 * @param s   scope
 * @param st  status of the call that made d; a failure makes the scope fail
 * @param d   taken over: released at close, or at once if the scope has failed
 * @return    d, or NULL if the scope has failed
 */
AGN_API const agn_distribution *agn_distribution_adopt(agn_scope *s, agn_status st,
                                                       agn_distribution *d);

/**
 * agn_distribution_ndim - number of axes of the batch shape
 *
 * @param d  distribution
 * @return   -1 for NULL
 */
AGN_API int32_t agn_distribution_ndim(const agn_distribution *d);

/**
 * agn_distribution_shape - batch shape: that of the parameters together
 *
 * @param d  distribution
 * @return   NULL for NULL; valid as long as d
 */
AGN_API const int64_t *agn_distribution_shape(const agn_distribution *d);

/**
 * agn_distribution_dtype - dtype of samples
 *
 * @param d  distribution
 * @return   -1 for NULL
 */
AGN_API agn_dtype agn_distribution_dtype(const agn_distribution *d);

/**
 * agn_distribution_rsample - random numbers as a differentiable function of the parameters
 *
 * @param out    out, [shape..., batch shape...]
 * @param d      distribution
 * @param key    i64 [2]: the same key gives the same numbers
 * @param ndim   number of leading axes
 * @param shape  their sizes; may be NULL where ndim is 0
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (of the key; rank; negative size), AGN_ENOMEM
 * @grad         pathwise: the random numbers behind stay fixed
 * @cost         O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_rsample(agn_tensor **out,
                                                           const agn_distribution *d,
                                                           const agn_tensor *key, int32_t ndim,
                                                           const int64_t *shape);

/**
 * agn_distribution_sample - random numbers, constants for derivatives
 *
 * The numbers of agn_distribution_rsample.
 *
 * @param out    out, [shape..., batch shape...]
 * @param d      distribution
 * @param key    i64 [2]
 * @param ndim   number of leading axes
 * @param shape  their sizes; may be NULL where ndim is 0
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (of the key; rank; negative size), AGN_ENOMEM
 * @grad         0 by definition
 * @cost         O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_sample(agn_tensor **out,
                                                          const agn_distribution *d,
                                                          const agn_tensor *key, int32_t ndim,
                                                          const int64_t *shape);

/**
 * agn_distribution_log_prob - log of the probability density
 *
 * Never by way of the density, so that the tails keep their accuracy. -inf at infinite x.
 *
 * @param out  out, x and batch shape broadcast
 * @param d    distribution
 * @param x    real
 * @errors     AGN_ENULL, AGN_ESHAPE (do not broadcast), AGN_EDTYPE (complex), AGN_ENOMEM
 * @grad       everywhere, in parameters and x
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_log_prob(agn_tensor **out,
                                                            const agn_distribution *d,
                                                            const agn_tensor *x);

/**
 * agn_distribution_cdf - probability of a number up to x
 *
 * Keeps its relative accuracy in the left tail.
 *
 * @param out  out, x and batch shape broadcast
 * @param d    distribution
 * @param x    real
 * @errors     AGN_ENULL, AGN_ESHAPE (do not broadcast), AGN_EDTYPE (complex), AGN_ENOMEM
 * @grad       everywhere, in parameters and x
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_cdf(agn_tensor **out,
                                                       const agn_distribution *d,
                                                       const agn_tensor *x);

/**
 * agn_distribution_mean - mean
 *
 * @param out  out, batch shape
 * @param d    distribution
 * @errors     AGN_ENULL, AGN_ENOMEM
 * @grad       everywhere, in the parameters
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_mean(agn_tensor **out,
                                                        const agn_distribution *d);

/**
 * agn_distribution_variance - variance
 *
 * @param out  out, batch shape
 * @param d    distribution
 * @errors     AGN_ENULL, AGN_ENOMEM
 * @grad       everywhere, in the parameters
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_variance(agn_tensor **out,
                                                            const agn_distribution *d);

/**
 * agn_distribution_entropy - differential entropy, in nats
 *
 * @param out  out, batch shape
 * @param d    distribution
 * @errors     AGN_ENULL, AGN_ENOMEM
 * @grad       everywhere, in the parameters
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_entropy(agn_tensor **out,
                                                           const agn_distribution *d);

/**
 * agn_distribution_kl - Kullback-Leibler divergence of q from p, in nats
 *
 * Without cancellation where p and q are close.
 *
 * @param out  out, both batch shapes broadcast
 * @param p    distribution
 * @param q    distribution of the same law
 * @errors     AGN_ENULL, AGN_ESHAPE (do not broadcast), AGN_ENOMEM
 * @grad       everywhere, in all parameters
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_kl(agn_tensor **out,
                                                      const agn_distribution *p,
                                                      const agn_distribution *q);

#ifdef __cplusplus
}
#endif
#endif
