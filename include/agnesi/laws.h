/**
 * agnesi/laws.h - laws of probability
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One constructor for each law. Parameters are f32 or f64, integers become f64, and they broadcast
 * to the batch shape. They are checked where they have values; while tracing they have none. With z
 * is meant (x - loc) / scale.
 */
#ifndef AGNESI_LAWS_H
#define AGNESI_LAWS_H

#include <agnesi/distribution.h>
#include <agnesi/transform.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * agn_distribution_normal - the normal distribution
 *
 * Support: real.
 *
 * @param out    out
 * @param loc    mean; real, finite
 * @param scale  standard deviation; positive, finite
 * @param opts   NULL for defaults
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a parameter
 *               out of its range: names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_normal(agn_distribution **out,
                                                          const agn_tensor *loc,
                                                          const agn_tensor *scale,
                                                          const agn_distribution_options *opts);

/**
 * agn_distribution_laplace - the Laplace distribution, density exp(-|z|) / (2 scale)
 *
 * Support: real.
 *
 * @param out    out
 * @param loc    mean; real, finite
 * @param scale  positive, finite
 * @param opts   NULL for defaults
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a parameter
 *               out of its range: names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_laplace(agn_distribution **out,
                                                           const agn_tensor *loc,
                                                           const agn_tensor *scale,
                                                           const agn_distribution_options *opts);

/**
 * agn_distribution_cauchy - the Cauchy distribution, density 1 / (pi scale (1 + z^2))
 *
 * Support: real. Mean and variance are NaN.
 *
 * @param out    out
 * @param loc    median; real, finite
 * @param scale  half width at half height; positive, finite
 * @param opts   NULL for defaults
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a parameter
 *               out of its range: names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_cauchy(agn_distribution **out,
                                                          const agn_tensor *loc,
                                                          const agn_tensor *scale,
                                                          const agn_distribution_options *opts);

/**
 * agn_distribution_gumbel - the Gumbel distribution of largest values, cdf exp(-exp(-z))
 *
 * Support: real.
 *
 * @param out    out
 * @param loc    mode; real, finite
 * @param scale  positive, finite
 * @param opts   NULL for defaults
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a parameter
 *               out of its range: names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_gumbel(agn_distribution **out,
                                                          const agn_tensor *loc,
                                                          const agn_tensor *scale,
                                                          const agn_distribution_options *opts);

/**
 * agn_distribution_logistic - the logistic distribution, cdf 1 / (1 + exp(-z))
 *
 * Support: real.
 *
 * @param out    out
 * @param loc    mean; real, finite
 * @param scale  positive, finite
 * @param opts   NULL for defaults
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a parameter
 *               out of its range: names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_logistic(agn_distribution **out,
                                                            const agn_tensor *loc,
                                                            const agn_tensor *scale,
                                                            const agn_distribution_options *opts);

/**
 * agn_distribution_student_t - Student's distribution
 *
 * Support: real. The mean is NaN for df up to 1, the variance infinite up to 2.
 *
 * @param out    out
 * @param df     degrees of freedom; positive, finite
 * @param loc    real, finite
 * @param scale  positive, finite
 * @param opts   NULL for defaults
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a parameter
 *               out of its range: names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_student_t(agn_distribution **out,
                                                             const agn_tensor *df,
                                                             const agn_tensor *loc,
                                                             const agn_tensor *scale,
                                                             const agn_distribution_options *opts);

/**
 * agn_distribution_skew_normal - the skew normal distribution, density 2 phi(z) Phi(alpha z) / scale
 *
 * Support: real. The cdf is an integral without cancellation in either tail.
 *
 * @param out    out
 * @param loc    real, finite
 * @param scale  positive, finite
 * @param alpha  slant; real, finite
 * @param opts   NULL for defaults
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a parameter
 *               out of its range: names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 * @ref          Azzalini 1985
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_skew_normal(agn_distribution **out,
    const agn_tensor *loc, const agn_tensor *scale, const agn_tensor *alpha,
    const agn_distribution_options *opts);

/**
 * agn_distribution_generalized_normal - the generalised normal distribution, density proportional to exp(-|z|^power)
 *
 * Support: real.
 *
 * @param out    out
 * @param loc    mean; real, finite
 * @param scale  positive, finite
 * @param power  1: Laplace, 2: normal; positive, finite
 * @param opts   NULL for defaults
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a parameter
 *               out of its range: names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 * @ref          Subbotin 1923
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_generalized_normal(agn_distribution **out,
    const agn_tensor *loc, const agn_tensor *scale, const agn_tensor *power,
    const agn_distribution_options *opts);

/**
 * agn_distribution_log_normal - the log-normal distribution: the logarithm is normal
 *
 * Support: positive.
 *
 * @param out    out
 * @param loc    mean of the logarithm; real, finite
 * @param scale  standard deviation of the logarithm; positive, finite
 * @param opts   NULL for defaults
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a parameter
 *               out of its range: names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_log_normal(agn_distribution **out,
                                                              const agn_tensor *loc,
                                                              const agn_tensor *scale,
                                                              const agn_distribution_options *opts);

/**
 * agn_distribution_exponential - the exponential distribution
 *
 * Support: from 0.
 *
 * @param out   out
 * @param rate  positive, finite
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EDOMAIN (a parameter out of its range: names the
 *              entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_exponential(agn_distribution **out,
    const agn_tensor *rate, const agn_distribution_options *opts);

/**
 * agn_distribution_gamma - the gamma distribution
 *
 * Support: from 0.
 *
 * @param out            out
 * @param concentration  shape; positive, finite
 * @param rate           one over the scale; positive, finite
 * @param opts           NULL for defaults
 * @errors               AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a
 *                       parameter out of its range: names the entry), AGN_EARG (unknown size),
 *                       AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_gamma(agn_distribution **out,
                                                         const agn_tensor *concentration,
                                                         const agn_tensor *rate,
                                                         const agn_distribution_options *opts);

/**
 * agn_distribution_inverse_gamma - the inverse gamma distribution: the reciprocal is gamma
 *
 * Support: positive. The mean is infinite for a concentration up to 1, the variance up to 2.
 *
 * @param out            out
 * @param concentration  shape; positive, finite
 * @param scale          positive, finite
 * @param opts           NULL for defaults
 * @errors               AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a
 *                       parameter out of its range: names the entry), AGN_EARG (unknown size),
 *                       AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_inverse_gamma(agn_distribution **out,
    const agn_tensor *concentration, const agn_tensor *scale,
    const agn_distribution_options *opts);

/**
 * agn_distribution_chi2 - the chi-squared distribution: the sum of df squares of normal numbers
 *
 * Support: from 0.
 *
 * @param out   out
 * @param df    positive, finite
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EDOMAIN (a parameter out of its range: names the
 *              entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_chi2(agn_distribution **out,
                                                        const agn_tensor *df,
                                                        const agn_distribution_options *opts);

/**
 * agn_distribution_weibull - the Weibull distribution, survival exp(-(x / scale)^concentration)
 *
 * Support: from 0.
 *
 * @param out            out
 * @param scale          positive, finite
 * @param concentration  shape; positive, finite
 * @param opts           NULL for defaults
 * @errors               AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a
 *                       parameter out of its range: names the entry), AGN_EARG (unknown size),
 *                       AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_weibull(agn_distribution **out,
                                                           const agn_tensor *scale,
                                                           const agn_tensor *concentration,
                                                           const agn_distribution_options *opts);

/**
 * agn_distribution_pareto - the Pareto distribution, survival (scale / x)^alpha
 *
 * Support: from scale. The mean is infinite for alpha up to 1, the variance up to 2.
 *
 * @param out    out
 * @param scale  least number; positive, finite
 * @param alpha  tail index; positive, finite
 * @param opts   NULL for defaults
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a parameter
 *               out of its range: names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_pareto(agn_distribution **out,
                                                          const agn_tensor *scale,
                                                          const agn_tensor *alpha,
                                                          const agn_distribution_options *opts);

/**
 * agn_distribution_generalized_pareto - the generalised Pareto distribution, survival (1 + c z)^(-1 / c)
 *
 * Support: from loc, up to loc - scale / c where c is negative.
 *
 * @param out            out
 * @param loc            least number; real, finite
 * @param scale          positive, finite
 * @param concentration  c: the tail index is 1 / c; 0 is exponential; real, finite
 * @param opts           NULL for defaults
 * @errors               AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a
 *                       parameter out of its range: names the entry), AGN_EARG (unknown size),
 *                       AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_generalized_pareto(agn_distribution **out,
    const agn_tensor *loc, const agn_tensor *scale, const agn_tensor *concentration,
    const agn_distribution_options *opts);

/**
 * agn_distribution_half_normal - the magnitude of a normal number of mean 0
 *
 * Support: from 0.
 *
 * @param out    out
 * @param scale  its standard deviation; positive, finite
 * @param opts   NULL for defaults
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_EDOMAIN (a parameter out of its range: names the
 *               entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_half_normal(agn_distribution **out,
    const agn_tensor *scale, const agn_distribution_options *opts);

/**
 * agn_distribution_half_cauchy - the magnitude of a Cauchy number of median 0
 *
 * Support: from 0. Mean and variance are infinite.
 *
 * @param out    out
 * @param scale  positive, finite
 * @param opts   NULL for defaults
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_EDOMAIN (a parameter out of its range: names the
 *               entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_half_cauchy(agn_distribution **out,
    const agn_tensor *scale, const agn_distribution_options *opts);

/**
 * agn_distribution_uniform - the uniform distribution
 *
 * Support: from low to high.
 *
 * @param out   out
 * @param low   real, finite
 * @param high  above low; real, finite
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a parameter
 *              out of its range: names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_uniform(agn_distribution **out,
                                                           const agn_tensor *low,
                                                           const agn_tensor *high,
                                                           const agn_distribution_options *opts);

/**
 * agn_distribution_beta - the beta distribution, density proportional to x^(a - 1) (1 - x)^(b - 1)
 *
 * Support: from 0 to 1.
 *
 * @param out   out
 * @param a     positive, finite
 * @param b     positive, finite
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a parameter
 *              out of its range: names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_beta(agn_distribution **out,
                                                        const agn_tensor *a, const agn_tensor *b,
                                                        const agn_distribution_options *opts);

/**
 * agn_distribution_kumaraswamy - the Kumaraswamy distribution, cdf 1 - (1 - x^a)^b
 *
 * Support: from 0 to 1.
 *
 * @param out   out
 * @param a     positive, finite
 * @param b     positive, finite
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a parameter
 *              out of its range: names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_kumaraswamy(agn_distribution **out,
    const agn_tensor *a, const agn_tensor *b, const agn_distribution_options *opts);

/**
 * agn_distribution_triangular - the triangular distribution
 *
 * Support: from low to high.
 *
 * @param out   out
 * @param low   real, finite
 * @param high  real, finite
 * @param peak  between low and high
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a parameter
 *              out of its range: names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_triangular(agn_distribution **out,
                                                              const agn_tensor *low,
                                                              const agn_tensor *high,
                                                              const agn_tensor *peak,
                                                              const agn_distribution_options *opts);

/**
 * agn_distribution_continuous_bernoulli - the continuous Bernoulli distribution, density proportional to p^x (1 - p)^(1 - x)
 *
 * Support: from 0 to 1.
 *
 * @param out    out
 * @param probs  p; between 0 and 1
 * @param opts   NULL for defaults
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_EDOMAIN (a parameter out of its range: names the
 *               entry), AGN_EARG (unknown size), AGN_ENOMEM
 * @ref          Loaiza-Ganem & Cunningham 2019
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_continuous_bernoulli(agn_distribution **out,
    const agn_tensor *probs, const agn_distribution_options *opts);

/**
 * agn_distribution_truncated_normal - the normal distribution between two ends
 *
 * Support: from low to high. The logarithm of the mass between the ends is taken in the tail
 * where they are.
 *
 * @param out    out
 * @param loc    mean of the normal law; real, finite
 * @param scale  its standard deviation; positive, finite
 * @param low    may be -infinity
 * @param high   above low; may be infinity
 * @param opts   NULL for defaults
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a parameter
 *               out of its range: names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_truncated_normal(agn_distribution **out,
    const agn_tensor *loc, const agn_tensor *scale, const agn_tensor *low, const agn_tensor *high,
    const agn_distribution_options *opts);

/**
 * agn_distribution_bernoulli - the Bernoulli distribution
 *
 * Support: 0 and 1.
 *
 * @param out    out
 * @param probs  probability of 1; 0 to 1
 * @param opts   NULL for defaults
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_EDOMAIN (a parameter out of its range: names the
 *               entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_bernoulli(agn_distribution **out,
                                                             const agn_tensor *probs,
                                                             const agn_distribution_options *opts);

/**
 * agn_distribution_binomial - the binomial distribution: successes in trials
 *
 * Support: 0 to total_count. No entropy in closed form.
 *
 * @param out          out
 * @param total_count  trials; 0, 1, 2 or more
 * @param probs        of a success; 0 to 1
 * @param opts         NULL for defaults
 * @errors             AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a
 *                     parameter out of its range: names the entry), AGN_EARG (unknown size),
 *                     AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_binomial(agn_distribution **out,
                                                            const agn_tensor *total_count,
                                                            const agn_tensor *probs,
                                                            const agn_distribution_options *opts);

/**
 * agn_distribution_geometric - the geometric distribution: failures before the first success
 *
 * Support: 0, 1, ....
 *
 * @param out    out
 * @param probs  of a success; between 0 and 1
 * @param opts   NULL for defaults
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_EDOMAIN (a parameter out of its range: names the
 *               entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_geometric(agn_distribution **out,
                                                             const agn_tensor *probs,
                                                             const agn_distribution_options *opts);

/**
 * agn_distribution_poisson - the Poisson distribution
 *
 * Support: 0, 1, .... No entropy in closed form.
 *
 * @param out   out
 * @param rate  mean; positive, finite
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EDOMAIN (a parameter out of its range: names the
 *              entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_poisson(agn_distribution **out,
                                                           const agn_tensor *rate,
                                                           const agn_distribution_options *opts);

/**
 * agn_distribution_negative_binomial - the negative binomial distribution: successes before total_count failures
 *
 * Support: 0, 1, ....
 *
 * @param out          out
 * @param total_count  positive, finite, a whole number or not
 * @param probs        of a success; between 0 and 1
 * @param opts         NULL for defaults
 * @errors             AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a
 *                     parameter out of its range: names the entry), AGN_EARG (unknown size),
 *                     AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_negative_binomial(agn_distribution **out,
    const agn_tensor *total_count, const agn_tensor *probs, const agn_distribution_options *opts);

/**
 * agn_distribution_beta_binomial - the binomial distribution whose probability is beta
 *
 * Support: 0 to total_count. The cdf is an integral over a logit at 201 points, to 1e-11 of itself
 * in either tail where logarithms of beta functions are at most about 1e4; the quantile 53 of
 * these.
 *
 * @param out          out
 * @param total_count  trials; 0, 1, 2 or more
 * @param a            positive, finite
 * @param b            positive, finite
 * @param opts         NULL for defaults
 * @errors             AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a
 *                     parameter out of its range: names the entry), AGN_EARG (unknown size),
 *                     AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_beta_binomial(agn_distribution **out,
    const agn_tensor *total_count, const agn_tensor *a, const agn_tensor *b,
    const agn_distribution_options *opts);

/**
 * agn_distribution_zero_inflated_poisson - 0 with a probability, else Poisson
 *
 * Support: 0, 1, ....
 *
 * @param out   out
 * @param gate  probability of the extra 0; 0 to 1
 * @param rate  positive, finite
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a parameter
 *              out of its range: names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_zero_inflated_poisson(agn_distribution **out,
    const agn_tensor *gate, const agn_tensor *rate, const agn_distribution_options *opts);

/* ---- vectors, and one of several ------------------------------------------------------------ */

/**
 * agn_distribution_dirichlet - the Dirichlet distribution, density proportional to prod x_i^(a_i - 1)
 *
 * Support: vectors of numbers from 0 whose sum is 1. A sum off by more than 1e-9 (f32: 1e-4) has
 * the density 0.
 *
 * @param out            out
 * @param concentration  [..., n]; positive, finite
 * @param opts           NULL for defaults
 * @errors               AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (no axis), AGN_EDOMAIN (a parameter out
 *                       of its range: names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_dirichlet(agn_distribution **out,
                                                             const agn_tensor *concentration,
                                                             const agn_distribution_options *opts);

/**
 * agn_distribution_multivariate_normal - the normal distribution of vectors, by a Cholesky factor
 *
 * Support: real vectors. The covariance is L L'. Its logarithm of density is NaN where L has a
 * negative number on its diagonal; one with a 0 there is refused when it is used.
 *
 * @param out         out
 * @param loc         mean, [..., n]; real, finite
 * @param scale_tril  L, [..., n, n]: its lower triangle is read; finite
 * @param opts        NULL for defaults
 * @errors            AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast, sizes differ),
 *                    AGN_EDOMAIN (a parameter out of its range: names the entry), AGN_EARG (unknown
 *                    size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status
agn_distribution_multivariate_normal(agn_distribution **out, const agn_tensor *loc,
                                     const agn_tensor *scale_tril,
                                     const agn_distribution_options *opts);

/**
 * agn_distribution_categorical - one of n classes
 *
 * Support: 0 to n - 1. Mean and variance are not asked of classes.
 *
 * @param out     out
 * @param logits  [..., n], logarithms of probabilities up to a number for all; real, finite
 * @param opts    NULL for defaults
 * @errors        AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (no axis), AGN_EDOMAIN (a parameter out of its
 *                range: names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_categorical(
    agn_distribution **out, const agn_tensor *logits, const agn_distribution_options *opts);

/* ---- laws made of laws ---------------------------------------------------------------------- */

/**
 * agn_distribution_independent - the last axes of a batch as one event
 *
 * Its log density is the sum of those of the parts.
 *
 * @param out   out
 * @param base  distribution
 * @param rank  axes of its batch shape, from the end
 * @errors      AGN_ENULL, AGN_EARG (rank), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_independent(agn_distribution **out,
                                                               const agn_distribution *base,
                                                               int32_t rank);

/**
 * agn_distribution_transformed - the law of the images of numbers
 *
 * The log density at y is that of base at the x with map(x) = y, less log|det J|; -inf where no x
 * has this image. A map of vectors makes events of the last axes of a batch.
 *
 * @param out   out
 * @param base  distribution with a density
 * @param map   bijection
 * @errors      AGN_ENULL, AGN_ESHAPE (base has no points of map), AGN_EUNSUPPORTED (whole numbers,
 *              no bijection), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_transformed(agn_distribution **out,
                                                               const agn_distribution *base,
                                                               const agn_transform *map);

#ifdef __cplusplus
}
#endif
#endif
