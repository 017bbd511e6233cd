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

/** Options of the laws (agnesi/laws.h); zero bytes are defaults. */
typedef struct agn_distribution_options {
    size_t size;    /* sizeof(agn_distribution_options) */
    bool unchecked; /* do not look at the values of parameters */
} agn_distribution_options;

/** Where the numbers of a law may lie. */
typedef enum agn_support {
    AGN_SUPPORT_NONE,        /* of no distribution */
    AGN_SUPPORT_REAL,        /* all real numbers */
    AGN_SUPPORT_POSITIVE,    /* above 0 */
    AGN_SUPPORT_NONNEGATIVE, /* 0 and above */
    AGN_SUPPORT_UNIT,        /* from 0 to 1 */
    AGN_SUPPORT_INTERVAL,    /* between the ends that agn_distribution_bounds tells */
    AGN_SUPPORT_BOOLEAN,     /* 0 and 1 */
    AGN_SUPPORT_COUNTS,      /* 0, 1, 2, ... */
    AGN_SUPPORT_COUNTS_TO,   /* 0 to the upper end */
    AGN_SUPPORT_VECTOR,      /* vectors of real numbers */
    AGN_SUPPORT_SIMPLEX,     /* vectors of numbers from 0 with the sum 1 */
    AGN_SUPPORT_SPHERE,      /* vectors of length 1 */
    AGN_SUPPORT_COUNT_VECTOR, /* vectors of 0, 1, 2, ... */
    AGN_SUPPORT_MATRIX,      /* matrices of real numbers */
    AGN_SUPPORT_POSITIVE_DEFINITE, /* symmetric matrices */
    AGN_SUPPORT_CORRELATION_CHOLESKY /* Cholesky factors of correlation matrices */
} agn_support;

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
 * @param st  status of the call that made *d; a failure makes the scope fail
 * @param d   where the reference is, NULL before that call; taken over: released at close, or at
 *            once if the scope has failed
 * @return    *d, or NULL if the scope has failed
 */
AGN_API const agn_distribution *agn_distribution_adopt(agn_scope *s, agn_status st,
                                                       agn_distribution *const *d);

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
 * agn_distribution_event_ndim - number of axes of one number drawn
 *
 * @param d  distribution
 * @return   0 for laws of single numbers, -1 for NULL
 */
AGN_API int32_t agn_distribution_event_ndim(const agn_distribution *d);

/**
 * agn_distribution_event_shape - shape of one number drawn
 *
 * @param d  distribution
 * @return   NULL for NULL; valid as long as d
 */
AGN_API const int64_t *agn_distribution_event_shape(const agn_distribution *d);

/**
 * agn_distribution_name - name of the law, as in the name of its constructor
 *
 * @param d  distribution
 * @return   NULL for NULL
 */
AGN_API const char *agn_distribution_name(const agn_distribution *d);

/**
 * agn_distribution_support - where the numbers of the law may lie
 *
 * @param d  distribution
 * @return   AGN_SUPPORT_NONE for NULL
 */
AGN_API agn_support agn_distribution_support(const agn_distribution *d);

/**
 * agn_distribution_parameter - a parameter, as it is kept: of the dtype of the distribution, not broadcast
 *
 * @param out   out; a further reference
 * @param d     distribution
 * @param name  as the constructor calls it
 * @errors      AGN_ENULL, AGN_EARG (no such parameter)
 * @grad        everywhere
 * @cost        O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_parameter(agn_tensor **out,
                                                             const agn_distribution *d,
                                                             const char *name);

/**
 * agn_distribution_base - the law that a law is made of, with the batch shape it has there
 *
 * @param d  distribution
 * @return   NULL for a law of parameters alone, and for NULL; valid as long as d
 */
AGN_API const agn_distribution *agn_distribution_base(const agn_distribution *d);

/**
 * agn_distribution_bounds - the ends of the support
 *
 * @param low   out, batch shape; -inf where there is none
 * @param high  out, batch shape; inf where there is none
 * @param d     distribution
 * @errors      AGN_ENULL, AGN_ENOMEM
 * @grad        everywhere, in the parameters
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_bounds(agn_tensor **low, agn_tensor **high,
                                                          const agn_distribution *d);

/**
 * agn_distribution_rsample - random numbers as a differentiable function of the parameters
 *
 * @param out    out, [shape..., batch shape...]
 * @param d      distribution
 * @param key    i64 [2]: the same key gives the same numbers
 * @param ndim   number of leading axes
 * @param shape  their sizes; may be NULL where ndim is 0
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (of the key; rank; negative size), AGN_ENOMEM,
 *               AGN_EUNSUPPORTED (a law of whole numbers)
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
 * agn_distribution_log_prob - log of the probability density, or of the probability of a whole number
 *
 * Never by way of the density, so that the tails keep their accuracy. -inf outside of the support,
 * with a gradient of 0; NaN at NaN.
 *
 * @param out  out, x and batch shape broadcast
 * @param d    distribution
 * @param x    real; whole numbers become floats
 * @errors     AGN_ENULL, AGN_ESHAPE (do not broadcast), AGN_EDTYPE (complex),
 *             AGN_EUNSUPPORTED (the law has no formula), AGN_ENOMEM
 * @grad       everywhere, in parameters and x
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_log_prob(agn_tensor **out,
                                                            const agn_distribution *d,
                                                            const agn_tensor *x);

/**
 * agn_distribution_prob - probability density, or probability of a whole number
 *
 * The exponential of agn_distribution_log_prob.
 *
 * @param out  out, x and batch shape broadcast
 * @param d    distribution
 * @param x    real; whole numbers become floats
 * @errors     AGN_ENULL, AGN_ESHAPE (do not broadcast), AGN_EDTYPE (complex),
 *             AGN_EUNSUPPORTED (the law has no formula), AGN_ENOMEM
 * @grad       everywhere, in parameters and x
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_prob(agn_tensor **out,
                                                        const agn_distribution *d,
                                                        const agn_tensor *x);

/**
 * agn_distribution_cdf - probability of a number up to x
 *
 * Keeps its relative accuracy in the left tail.
 *
 * @param out  out, x and batch shape broadcast
 * @param d    distribution
 * @param x    real; whole numbers become floats
 * @errors     AGN_ENULL, AGN_ESHAPE (do not broadcast), AGN_EDTYPE (complex), 
 *             AGN_EUNSUPPORTED (the law has no formula), AGN_ENOMEM
 * @grad       everywhere, in parameters and x
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_cdf(agn_tensor **out,
                                                       const agn_distribution *d,
                                                       const agn_tensor *x);

/**
 * agn_distribution_log_cdf - log of the probability of a number up to x
 *
 * Accurate in both tails, where the probability itself is 1. NaN where it is below all numbers, and
 * the law has no formula for its logarithm (laws of incomplete gamma and beta functions).
 *
 * @param out  out, x and batch shape broadcast
 * @param d    distribution
 * @param x    real; whole numbers become floats
 * @errors     AGN_ENULL, AGN_ESHAPE (do not broadcast), AGN_EDTYPE (complex), 
 *             AGN_EUNSUPPORTED (the law has no formula), AGN_ENOMEM
 * @grad       everywhere, in parameters and x
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_log_cdf(agn_tensor **out,
                                                           const agn_distribution *d,
                                                           const agn_tensor *x);

/**
 * agn_distribution_survival - probability of a number above x
 *
 * Keeps its relative accuracy in the right tail.
 *
 * @param out  out, x and batch shape broadcast
 * @param d    distribution
 * @param x    real; whole numbers become floats
 * @errors     AGN_ENULL, AGN_ESHAPE (do not broadcast), AGN_EDTYPE (complex), 
 *             AGN_EUNSUPPORTED (the law has no formula), AGN_ENOMEM
 * @grad       everywhere, in parameters and x
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_survival(agn_tensor **out,
                                                            const agn_distribution *d,
                                                            const agn_tensor *x);

/**
 * agn_distribution_log_survival - log of the probability of a number above x
 *
 * As agn_distribution_log_cdf.
 *
 * @param out  out, x and batch shape broadcast
 * @param d    distribution
 * @param x    real; whole numbers become floats
 * @errors     AGN_ENULL, AGN_ESHAPE (do not broadcast), AGN_EDTYPE (complex), 
 *             AGN_EUNSUPPORTED (the law has no formula), AGN_ENOMEM
 * @grad       everywhere, in parameters and x
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_log_survival(agn_tensor **out,
                                                                const agn_distribution *d,
                                                                const agn_tensor *x);

/**
 * agn_distribution_icdf - quantile: the number with a probability p of numbers up to it
 *
 * The ends of the support at 0 and 1; NaN for what is no probability. Of laws of whole numbers the
 * least number whose cdf is p at least.
 *
 * @param out  out, p and batch shape broadcast
 * @param d    distribution
 * @param p    real
 * @errors     AGN_ENULL, AGN_ESHAPE (do not broadcast), AGN_EDTYPE (complex), 
 *             AGN_EUNSUPPORTED (the law has no formula), AGN_ENOMEM
 * @grad       everywhere, in parameters and p
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_icdf(agn_tensor **out,
                                                        const agn_distribution *d,
                                                        const agn_tensor *p);

/**
 * agn_distribution_mean - mean
 *
 * @param out  out, batch shape
 * @param d    distribution
 * @errors     AGN_ENULL, AGN_EUNSUPPORTED (the law has no formula), AGN_ENOMEM
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
 * @errors     AGN_ENULL, AGN_EUNSUPPORTED (the law has no formula), AGN_ENOMEM
 * @grad       everywhere, in the parameters
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_variance(agn_tensor **out,
                                                            const agn_distribution *d);

/**
 * agn_distribution_mode - where density or probability are largest
 *
 * NaN where there are several such places.
 *
 * @param out  out, batch shape
 * @param d    distribution
 * @errors     AGN_ENULL, AGN_EUNSUPPORTED (the law has no formula), AGN_ENOMEM
 * @grad       everywhere, in the parameters
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_mode(agn_tensor **out,
                                                        const agn_distribution *d);

/**
 * agn_distribution_entropy - entropy, in nats; of densities the differential one
 *
 * @param out  out, batch shape
 * @param d    distribution
 * @errors     AGN_ENULL, AGN_EUNSUPPORTED (the law has no formula), AGN_ENOMEM
 * @grad       everywhere, in the parameters
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_entropy(agn_tensor **out,
                                                           const agn_distribution *d);

/**
 * agn_distribution_kl - Kullback-Leibler divergence of q from p, in nats
 *
 * By the formula for the pair of laws; infinite where p has numbers that q has not. Without
 * cancellation where location and scale of p and q are close.
 *
 * @param out  out, both batch shapes broadcast
 * @param p    distribution
 * @param q    distribution
 * @errors     AGN_ENULL, AGN_ESHAPE (do not broadcast), AGN_EUNSUPPORTED (no formula for the pair),
 *             AGN_ENOMEM
 * @grad       everywhere, in all parameters
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_kl(agn_tensor **out,
                                                      const agn_distribution *p,
                                                      const agn_distribution *q);

/** The divergence of q from p, of their batch shapes broadcast; NULL after a failure, which the
    scope keeps. */
typedef const agn_tensor *agn_kl_rule(agn_scope *s, void *user, const agn_distribution *p,
                                      const agn_distribution *q);

/**
 * agn_distribution_register_kl - a formula of the program for the divergence of a pair of laws
 *
 * Of the whole process and any thread; it goes before a formula that is there, and replaces one
 * that was registered for the pair. Parameters come from agn_distribution_parameter.
 *
 * @param p     name of the law of p, as agn_distribution_name has it
 * @param q     that of q
 * @param rule  the formula, of ops; NULL takes a registered one back
 * @param user  handed to rule
 * @errors      AGN_ENULL, AGN_EARG (a name that is empty or has more than 47 letters; 256 pairs at
 *              most)
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_register_kl(const char *p, const char *q,
                                                               agn_kl_rule *rule, void *user);

/**
 * agn_distribution_kl_monte_carlo - an estimate of the Kullback-Leibler divergence of q from p
 *
 * The mean of log p - log q over numbers drawn from p, for any two laws.
 *
 * @param out  out, both batch shapes broadcast
 * @param p    distribution
 * @param q    distribution
 * @param key  i64 [2]
 * @param n    numbers, at least 1
 * @errors     AGN_ENULL, AGN_EARG (n), AGN_ESHAPE (do not broadcast), AGN_ENOMEM, and those of a
 *             sample
 * @grad       pathwise where agn_distribution_rsample has a path; else of the densities alone
 * @cost       O(n) for each distribution of the batch; its error falls as 1 / sqrt(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_kl_monte_carlo(agn_tensor **out,
                                                                  const agn_distribution *p,
                                                                  const agn_distribution *q,
                                                                  const agn_tensor *key,
                                                                  int64_t n);

/**
 * agn_distribution_score_mean - a mean over drawn numbers, with the score-function estimator of its derivatives
 *
 * The mean of f over its first axis. Its derivatives in the parameters of d are unbiased estimates of
 * those of the expectation, to any order, for laws without a path too: (f - baseline) times that of
 * the log density, and the one that f itself has. A baseline that does not depend on its own
 * number changes no expectation; one near f makes the estimate less noisy.
 *
 * @param out       out, the shape of f without its first axis
 * @param d         distribution with a log density
 * @param x         numbers drawn from d; they have no derivative here
 * @param f         real, the shape of the log densities of x: what is averaged
 * @param baseline  broadcasts to f, constant; NULL: the mean of the other numbers of f
 * @errors          AGN_ENULL, AGN_EDTYPE (f is complex), AGN_ESHAPE (f, baseline), AGN_EARG (one
 *                  number and no baseline), AGN_EUNSUPPORTED (the law has no formula), AGN_ENOMEM
 * @grad            in f and the parameters of d, to any order
 * @cost            that of a log density
 * @ref             Williams 1992; Kool, van Hoof & Welling 2019
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_score_mean(agn_tensor **out,
                                                              const agn_distribution *d,
                                                              const agn_tensor *x,
                                                              const agn_tensor *f,
                                                              const agn_tensor *baseline);

#ifdef __cplusplus
}
#endif
#endif
