/**
 * agnesi/univariate_laws.h - more laws of single numbers
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parameters as in agnesi/laws.h; with z is meant (x - loc) / scale.
 */
#ifndef AGNESI_UNIVARIATE_LAWS_H
#define AGNESI_UNIVARIATE_LAWS_H

#include <agnesi/distribution.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * agn_distribution_levy - the Levy distribution: loc plus scale over the square of a normal number
 *
 * Support: above loc. Mean and variance are infinite.
 *
 * @param out    out
 * @param loc    real, finite
 * @param scale  positive, finite
 * @param opts   NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a
 *              parameter out of its range: names the entry), AGN_EARG (unknown size),
 *              AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_levy(agn_distribution **out,
    const agn_tensor *loc, const agn_tensor *scale, const agn_distribution_options *opts);

/**
 * agn_distribution_rayleigh - Rayleigh: the length of a vector of two normal numbers
 *
 * Support: from 0.
 *
 * @param out    out
 * @param scale  of each number; positive, finite
 * @param opts   NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EDOMAIN (a parameter out of its range: names the
 *              entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_rayleigh(agn_distribution **out,
    const agn_tensor *scale, const agn_distribution_options *opts);

/**
 * agn_distribution_maxwell - Maxwell: the length of a vector of three normal numbers
 *
 * Support: from 0.
 *
 * @param out    out
 * @param scale  of each number; positive, finite
 * @param opts   NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EDOMAIN (a parameter out of its range: names the
 *              entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_maxwell(agn_distribution **out,
    const agn_tensor *scale, const agn_distribution_options *opts);

/**
 * agn_distribution_inverse_gaussian - the inverse Gaussian (Wald) distribution
 *
 * When a Brownian motion with drift first reaches a level. Support: positive. The path of its
 * numbers keeps their cdf.
 *
 * @param out    out
 * @param mean   positive, finite
 * @param shape  the variance is mean^3 / shape; positive, finite
 * @param opts   NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a
 *              parameter out of its range: names the entry), AGN_EARG (unknown size),
 *              AGN_ENOMEM
 * @ref         Michael, Schucany & Haas 1976
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_inverse_gaussian(agn_distribution **out,
    const agn_tensor *mean, const agn_tensor *shape, const agn_distribution_options *opts);

/**
 * agn_distribution_gompertz - Gompertz, survival exp(-concentration (exp(rate x) - 1))
 *
 * Support: from 0. No variance in closed form; mean and entropy are NaN for a concentration
 * above 700.
 *
 * @param out            out
 * @param concentration  positive, finite
 * @param rate           positive, finite
 * @param opts           NULL for defaults
 * @errors              AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN
 *                      (a parameter out of its range: names the entry), AGN_EARG (unknown
 *                      size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_gompertz(agn_distribution **out,
    const agn_tensor *concentration, const agn_tensor *rate,
    const agn_distribution_options *opts);

/**
 * agn_distribution_fisher_snedecor - F: the quotient of two chi-squared numbers by degrees
 *
 * Support: from 0. The mean is infinite for df2 up to 2, the variance up to 4.
 *
 * @param out   out
 * @param df1   degrees of freedom above; positive, finite
 * @param df2   below; positive, finite
 * @param opts  NULL for defaults
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a
 *             parameter out of its range: names the entry), AGN_EARG (unknown size),
 *             AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_fisher_snedecor(agn_distribution **out,
    const agn_tensor *df1, const agn_tensor *df2, const agn_distribution_options *opts);

/**
 * agn_distribution_half_student_t - the magnitude of Student's number
 *
 * Support: from 0. The mean is infinite for df up to 1, the variance up to 2.
 *
 * @param out    out
 * @param df     degrees of freedom; positive, finite
 * @param scale  positive, finite
 * @param opts   NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a
 *              parameter out of its range: names the entry), AGN_EARG (unknown size),
 *              AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_half_student_t(agn_distribution **out,
    const agn_tensor *df, const agn_tensor *scale, const agn_distribution_options *opts);

/**
 * agn_distribution_johnson_su - Johnson's S_U: gamma + delta asinh(z) is normal
 *
 * Support: real.
 *
 * @param out    out
 * @param gamma  real, finite
 * @param delta  positive, finite
 * @param loc    real, finite
 * @param scale  positive, finite
 * @param opts   NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a
 *              parameter out of its range: names the entry), AGN_EARG (unknown size),
 *              AGN_ENOMEM
 * @ref         Johnson, Biometrika 36, 1949
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_johnson_su(agn_distribution **out,
    const agn_tensor *gamma, const agn_tensor *delta, const agn_tensor *loc,
    const agn_tensor *scale, const agn_distribution_options *opts);

/**
 * agn_distribution_stable - stable distributions
 *
 * The log characteristic function of z is -|t|^alpha (1 - i beta sign(t) tan(pi alpha / 2)).
 * Support: real. At alpha 1 the tangent is -(2 / pi) log|t|; the mean is NaN up to there, the
 * variance infinite below 2. Density and cdf are an integral, to 1e-12 or NaN (within 1e-3 of alpha
 * 1; at 1 also far out), in the memory of 20 000 numbers each; no derivative in alpha at 1.
 *
 * @param out    out
 * @param alpha  above 0, up to 2
 * @param beta   slant, -1 to 1
 * @param loc    real, finite
 * @param scale  positive, finite
 * @param opts   NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a
 *              parameter out of its range: names the entry), AGN_EARG (unknown size),
 *              AGN_ENOMEM
 * @ref         Chambers, Mallows & Stuck 1976; Nolan 1997; Nolan 2020, parametrisation 1
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_stable(agn_distribution **out,
    const agn_tensor *alpha, const agn_tensor *beta, const agn_tensor *loc,
    const agn_tensor *scale, const agn_distribution_options *opts);

/**
 * agn_distribution_skellam - the Skellam distribution: the difference of two Poisson numbers
 *
 * Support: whole numbers of both signs. The cdf is a sum of 161 terms about the largest one, to
 * 1e-11 of itself in either tail; the quantile 53 of these. Where the Bessel function of the density
 * is below 1e-60, its logarithm is that of a series. The entropy is a sum of 256 terms.
 *
 * @param out    out
 * @param rate1  positive, finite
 * @param rate2  positive, finite
 * @param opts   NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a
 *              parameter out of its range: names the entry), AGN_EARG (unknown size),
 *              AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_skellam(agn_distribution **out,
    const agn_tensor *rate1, const agn_tensor *rate2, const agn_distribution_options *opts);

/**
 * agn_distribution_zipf - the Zipf distribution, probabilities proportional to k^-power
 *
 * Support: whole numbers from 1. The mean is infinite for a power up to 2, the variance up to
 * 3; a number drawn above 2^53 (2^24 of f32) is infinite.
 *
 * @param out    out
 * @param power  above 1, finite
 * @param opts   NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EDOMAIN (a parameter out of its range: names the
 *              entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_zipf(agn_distribution **out,
    const agn_tensor *power, const agn_distribution_options *opts);

/**
 * agn_distribution_beta_negative_binomial - the beta negative binomial distribution
 *
 * Negative binomial of a probability that is beta distributed. Support: whole numbers from 0.
 * The mean is infinite for a up to 1, the variance up to 2.
 *
 * @param out          out
 * @param total_count  positive, finite
 * @param a            positive, finite
 * @param b            positive, finite
 * @param opts         NULL for defaults
 * @errors            AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a
 *                    parameter out of its range: names the entry), AGN_EARG (unknown
 *                    size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_beta_negative_binomial(agn_distribution **out,
    const agn_tensor *total_count, const agn_tensor *a, const agn_tensor *b,
    const agn_distribution_options *opts);

/**
 * agn_distribution_bernoulli_logits - Bernoulli by the logit of its probability
 *
 * Support: 0 and 1. Logits of any size lose nothing, where a probability next to 1 would.
 *
 * @param out           out
 * @param logits        logit of the probability of a success; real, finite
 * @param opts          NULL for defaults
 * @errors              AGN_ENULL, AGN_EDTYPE, AGN_EDOMAIN (a parameter out of its range: names the
 *                      entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_bernoulli_logits(agn_distribution **out,
    const agn_tensor *logits, const agn_distribution_options *opts);

/**
 * agn_distribution_binomial_logits - binomial by the logit of its probability
 *
 * Support: 0 to total_count.
 *
 * @param out           out
 * @param total_count   trials; 0, 1, ...
 * @param logits        logit of the probability of a success; real, finite
 * @param opts          NULL for defaults
 * @errors              AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a
 *                      parameter out of its range: names the entry), AGN_EARG (unknown size),
 *                      AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_binomial_logits(agn_distribution **out,
    const agn_tensor *total_count, const agn_tensor *logits, const agn_distribution_options *opts);

/**
 * agn_distribution_geometric_logits - geometric by the logit of its probability
 *
 * Failures before the first success. Support: whole numbers from 0.
 *
 * @param out           out
 * @param logits        logit of the probability of a success; real, finite
 * @param opts          NULL for defaults
 * @errors              AGN_ENULL, AGN_EDTYPE, AGN_EDOMAIN (a parameter out of its range: names the
 *                      entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_geometric_logits(agn_distribution **out,
    const agn_tensor *logits, const agn_distribution_options *opts);

/**
 * agn_distribution_negative_binomial_logits - negative binomial by the logit of its probability
 *
 * Successes before total_count failures, as agn_distribution_negative_binomial. Support: whole
 * numbers from 0.
 *
 * @param out           out
 * @param total_count   failures; positive, finite
 * @param logits        logit of the probability of a success; real, finite
 * @param opts          NULL for defaults
 * @errors              AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a
 *                      parameter out of its range: names the entry), AGN_EARG (unknown size),
 *                      AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_negative_binomial_logits(agn_distribution **out,
    const agn_tensor *total_count, const agn_tensor *logits, const agn_distribution_options *opts);

/**
 * agn_distribution_lomax - Lomax: Pareto's law moved to 0
 *
 * Density proportional to (1 + x / scale)^(-concentration - 1). Support: from 0.
 *
 * @param out            out
 * @param concentration  positive, finite
 * @param scale          positive, finite
 * @param opts           NULL for defaults
 * @errors               AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a
 *                       parameter out of its range: names the entry), AGN_EARG (unknown size),
 *                       AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_lomax(agn_distribution **out,
    const agn_tensor *concentration, const agn_tensor *scale,
    const agn_distribution_options *opts);

/**
 * agn_distribution_log_logistic - log-logistic (Fisk): scale times exp(z / concentration), z
 * logistic
 *
 * The mean is infinite to concentration 1, the variance to 2. Support: above 0.
 *
 * @param out            out
 * @param scale          positive, finite
 * @param concentration  positive, finite
 * @param opts           NULL for defaults
 * @errors               AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a
 *                       parameter out of its range: names the entry), AGN_EARG (unknown size),
 *                       AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_log_logistic(agn_distribution **out,
    const agn_tensor *scale, const agn_tensor *concentration,
    const agn_distribution_options *opts);

/**
 * agn_distribution_burr - Burr's law of type XII (Singh and Maddala)
 *
 * P(X > x) = (1 + (x / scale)^power)^-concentration. Support: above 0.
 *
 * @param out            out
 * @param power          positive, finite
 * @param concentration  positive, finite
 * @param scale          positive, finite
 * @param opts           NULL for defaults
 * @errors               AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a
 *                       parameter out of its range: names the entry), AGN_EARG (unknown size),
 *                       AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_burr(agn_distribution **out,
    const agn_tensor *power, const agn_tensor *concentration, const agn_tensor *scale,
    const agn_distribution_options *opts);

/**
 * agn_distribution_dagum - Dagum: Burr's law of type III
 *
 * P(X <= x) = (1 + (x / scale)^-power)^-concentration. Support: above 0.
 *
 * @param out            out
 * @param power          positive, finite
 * @param concentration  positive, finite
 * @param scale          positive, finite
 * @param opts           NULL for defaults
 * @errors               AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a
 *                       parameter out of its range: names the entry), AGN_EARG (unknown size),
 *                       AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_dagum(agn_distribution **out,
    const agn_tensor *power, const agn_tensor *concentration, const agn_tensor *scale,
    const agn_distribution_options *opts);

/**
 * agn_distribution_nakagami - Nakagami: the root of a gamma number
 *
 * Its square is a gamma number of this concentration whose mean is spread. Support: above 0.
 *
 * @param out            out
 * @param concentration  positive, finite
 * @param spread         positive, finite
 * @param opts           NULL for defaults
 * @errors               AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a
 *                       parameter out of its range: names the entry), AGN_EARG (unknown size),
 *                       AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_nakagami(agn_distribution **out,
    const agn_tensor *concentration, const agn_tensor *spread,
    const agn_distribution_options *opts);

/**
 * agn_distribution_frechet - Frechet: largest values of heavy tails
 *
 * P(X <= x) = exp(-(x / scale)^-concentration). Support: above 0.
 *
 * @param out            out
 * @param scale          positive, finite
 * @param concentration  positive, finite
 * @param opts           NULL for defaults
 * @errors               AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a
 *                       parameter out of its range: names the entry), AGN_EARG (unknown size),
 *                       AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_frechet(agn_distribution **out,
    const agn_tensor *scale, const agn_tensor *concentration,
    const agn_distribution_options *opts);

/**
 * agn_distribution_generalized_extreme_value - largest of many numbers, by the theorem of extreme
 * values
 *
 * P(X <= x) = exp(-(1 + concentration z)^(-1 / concentration)), z = (x - loc) / scale: Gumbel's law
 * for concentration 0. SciPy counts the concentration with the other sign. Support: where 1 +
 * concentration z is positive.
 *
 * @param out            out
 * @param loc            real, finite
 * @param scale          positive, finite
 * @param concentration  of the tail; real, finite
 * @param opts           NULL for defaults
 * @errors               AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a
 *                       parameter out of its range: names the entry), AGN_EARG (unknown size),
 *                       AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_generalized_extreme_value(agn_distribution **out,
    const agn_tensor *loc, const agn_tensor *scale, const agn_tensor *concentration,
    const agn_distribution_options *opts);

/**
 * agn_distribution_moyal - Moyal: minus twice the logarithm of a normal number's magnitude
 *
 * Support: real.
 *
 * @param out    out
 * @param loc    real, finite
 * @param scale  positive, finite
 * @param opts   NULL for defaults
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a parameter out
 *               of its range: names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_moyal(agn_distribution **out,
    const agn_tensor *loc, const agn_tensor *scale, const agn_distribution_options *opts);

/**
 * agn_distribution_asymmetric_laplace - Laplace with two rates
 *
 * Density proportional to exp(-asymmetry z) above loc and exp(z / asymmetry) below. Support: real.
 *
 * @param out        out
 * @param loc        real, finite
 * @param scale      positive, finite
 * @param asymmetry  positive, finite
 * @param opts       NULL for defaults
 * @errors           AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a parameter
 *                   out of its range: names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_asymmetric_laplace(agn_distribution **out,
    const agn_tensor *loc, const agn_tensor *scale, const agn_tensor *asymmetry,
    const agn_distribution_options *opts);

/**
 * agn_distribution_birnbaum_saunders - Birnbaum and Saunders: times to failure of what tires
 *
 * (sqrt(x / scale) - sqrt(scale / x)) / shape is a normal number. Support: above 0.
 *
 * @param out    out
 * @param shape  positive, finite
 * @param scale  positive, finite
 * @param opts   NULL for defaults
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a parameter out
 *               of its range: names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_birnbaum_saunders(agn_distribution **out,
    const agn_tensor *shape, const agn_tensor *scale, const agn_distribution_options *opts);

/**
 * agn_distribution_hyperbolic_secant - density sech(pi z / 2) / 2 scale, of variance scale^2
 *
 * Support: real.
 *
 * @param out    out
 * @param loc    real, finite
 * @param scale  positive, finite
 * @param opts   NULL for defaults
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a parameter out
 *               of its range: names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_hyperbolic_secant(agn_distribution **out,
    const agn_tensor *loc, const agn_tensor *scale, const agn_distribution_options *opts);

/**
 * agn_distribution_arcsine - arcsine: density 1 / (pi sqrt((x - low) (high - x)))
 *
 * Support: between low and high.
 *
 * @param out   out
 * @param low   real, finite
 * @param high  above low; finite
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a parameter out
 *              of its range: names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_arcsine(agn_distribution **out,
    const agn_tensor *low, const agn_tensor *high, const agn_distribution_options *opts);

/**
 * agn_distribution_logarithmic - logarithmic (log-series): probabilities proportional to probs^k /
 * k
 *
 * Support: whole numbers from 1.
 *
 * @param out    out
 * @param probs  between 0 and 1
 * @param opts   NULL for defaults
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_EDOMAIN (a parameter out of its range: names the entry),
 *               AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_logarithmic(agn_distribution **out,
    const agn_tensor *probs, const agn_distribution_options *opts);

/**
 * agn_distribution_exponentially_modified_normal - normal and exponential numbers added (exGaussian)
 *
 * loc + scale z + e, z normal, e exponential of this rate. Support: real.
 *
 * @param out    out
 * @param loc    real, finite
 * @param scale  positive, finite
 * @param rate   positive, finite
 * @param opts   NULL for defaults
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a parameter out
 *               of its range: names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 * @ref          Grushka 1972
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_exponentially_modified_normal(
    agn_distribution **out, const agn_tensor *loc, const agn_tensor *scale, const agn_tensor *rate,
    const agn_distribution_options *opts);

/**
 * agn_distribution_rice - Rice: the distance from the origin to a normal point of the plane
 *
 * The middle of the points is nu away from the origin; 0 makes it Rayleigh's law. Both shares and their
 * logarithms are integrals (Marcum's function), to 1e-13 in either tail. Support: from 0.
 *
 * @param out    out
 * @param nu     0 or more, finite
 * @param scale  of each number of a point; positive, finite
 * @param opts   NULL for defaults
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a parameter out
 *               of its range: names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 * @ref          Rice 1945; Marcum 1950
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_rice(agn_distribution **out,
    const agn_tensor *nu, const agn_tensor *scale, const agn_distribution_options *opts);

/**
 * agn_distribution_ordered_logistic - ordered classes by cut points of a logistic number
 *
 * The class is the number of cut points below predictor + z, z logistic: P(X <= k) = 1 / (1 +
 * exp(predictor - cutpoints[k])). Support: whole numbers from 0 to n.
 *
 * @param out        out
 * @param predictor  real, finite
 * @param cutpoints  [..., n], rising, finite
 * @param opts       NULL for defaults
 * @errors           AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast, no cut point), AGN_EDOMAIN
 *                   (a parameter out of its range: names the entry; cut points that do not rise),
 *                   AGN_EARG (unknown size), AGN_ENOMEM
 * @ref              McCullagh 1980
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_ordered_logistic(agn_distribution **out,
    const agn_tensor *predictor, const agn_tensor *cutpoints,
    const agn_distribution_options *opts);

/**
 * agn_distribution_ordered_probit - ordered classes by cut points of a normal number
 *
 * The class is the number of cut points below predictor + z, z normal. Support: whole numbers from 0
 * to n.
 *
 * @param out        out
 * @param predictor  real, finite
 * @param cutpoints  [..., n], rising, finite
 * @param opts       NULL for defaults
 * @errors           AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast, no cut point), AGN_EDOMAIN
 *                   (a parameter out of its range: names the entry; cut points that do not rise),
 *                   AGN_EARG (unknown size), AGN_ENOMEM
 * @ref              McCullagh 1980
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_ordered_probit(agn_distribution **out,
    const agn_tensor *predictor, const agn_tensor *cutpoints,
    const agn_distribution_options *opts);

/**
 * agn_distribution_poisson_binomial - the number of successes of n trials, each of its own probability
 *
 * Support: whole numbers from 0 to n.
 *
 * @param out    out
 * @param probs  [..., n], each between 0 and 1; n is 1 to 4096
 * @param opts   NULL for defaults
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (n), AGN_EDOMAIN (a parameter out of its range:
 *               names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 * @cost         O(n^2) for a density, whatever the counts
 * @ref          Barlow & Heidtmann 1984
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_poisson_binomial(agn_distribution **out,
    const agn_tensor *probs, const agn_distribution_options *opts);

/**
 * agn_distribution_noncentral_chi2 - noncentral chi square: the square of a normal point's distance
 *
 * The sum of squares of df normal numbers whose means have the sum of squares nc; df need not be
 * whole. As agn_chndtr: to 1e-13 for df and nc to 2000, NaN above nc of 2e4; log_prob is NaN where the
 * density is below 1e-301. Support: above 0.
 *
 * @param out   out
 * @param df    positive, finite
 * @param nc    0 or more, finite
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a parameter out
 *              of its range: names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_noncentral_chi2(agn_distribution **out,
    const agn_tensor *df, const agn_tensor *nc, const agn_distribution_options *opts);

/**
 * agn_distribution_noncentral_f - noncentral F: power of tests of variances
 *
 * The quotient of a noncentral chi square over df1 and a chi square over df2. As agn_ncfdtr: to 1e-13
 * for df1, df2 and nc to 2000, NaN above nc of 2e4; log_prob is NaN where the density is below 1e-301.
 * The mean is infinite to df2 of 2, the variance to 4. Support: above 0.
 *
 * @param out   out
 * @param df1   positive, finite
 * @param df2   positive, finite
 * @param nc    0 or more, finite
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a parameter out
 *              of its range: names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_noncentral_f(agn_distribution **out,
    const agn_tensor *df1, const agn_tensor *df2, const agn_tensor *nc,
    const agn_distribution_options *opts);

/**
 * agn_distribution_noncentral_t - noncentral Student: power of tests of means
 *
 * (z + nc) / sqrt(c / df), z normal, c a chi square of df. As agn_nctdtr: to 1e-13 for df from 0.1 to
 * 1e5, |nc| and |x| to 100; log_prob is NaN where the density is below 1e-301. The mean is NaN to df of
 * 1, the variance infinite to 2. Support: real.
 *
 * @param out   out
 * @param df    positive, finite
 * @param nc    real, finite
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a parameter out
 *              of its range: names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_noncentral_t(agn_distribution **out,
    const agn_tensor *df, const agn_tensor *nc, const agn_distribution_options *opts);

/**
 * agn_distribution_noncentral_beta - noncentral beta: a noncentral gamma number over its sum with a gamma number
 *
 * A beta number whose first shape has a Poisson number of mean nc / 2 more. To 1e-13 for a, b and nc to
 * 1000, NaN above nc of 2e4; log_prob is NaN where the density is below 1e-301. Support: 0 to 1.
 *
 * @param out   out
 * @param a     positive, finite
 * @param b     positive, finite
 * @param nc    0 or more, finite
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a parameter out
 *              of its range: names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 * @ref         Johnson, Kotz & Balakrishnan 1995, 30.7
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_noncentral_beta(agn_distribution **out,
    const agn_tensor *a, const agn_tensor *b, const agn_tensor *nc,
    const agn_distribution_options *opts);

/**
 * agn_distribution_conway_maxwell_poisson - Conway-Maxwell-Poisson: counts less or more even than Poisson's
 *
 * Probabilities proportional to rate^k / (k!)^nu: of Poisson's law where nu is 1, geometric as nu goes
 * to 0. By a table of 1024 numbers about rate^(1 / nu); where the law is broad they are steps of the
 * trapezoidal rule. NaN where the table is no whole law (nu near 0) or rate^(1 / nu) is above 2^48 (f32:
 * 2^20); shares and samples are NaN where the law spreads over more than the table (a
 * variance above some 2000), and a share takes 2048 logarithms of probabilities. Support: counts.
 *
 * @param out   out
 * @param rate  positive, finite
 * @param nu    positive, finite
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a parameter out
 *              of its range: names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 * @ref         Shmueli & al. 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_conway_maxwell_poisson(agn_distribution **out,
    const agn_tensor *rate, const agn_tensor *nu, const agn_distribution_options *opts);

/**
 * agn_distribution_generalized_poisson - generalised Poisson: a Poisson number, its children, theirs, and so on
 *
 * rate (rate + dispersion k)^(k - 1) exp(-rate - dispersion k) / k!. Borel's law is 1 more, of rate and
 * dispersion mu; that of Borel and Tanner r more, of rate r mu and dispersion mu. Shares, samples, mode
 * and entropy are sums over 1024 numbers, NaN where these do not hold the law. Support: counts.
 *
 * @param out         out
 * @param rate        of the first ones; positive, finite
 * @param dispersion  mean number of children of one; between 0 and 1
 * @param opts        NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a parameter out
 *              of its range: names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 * @ref         Consul & Jain 1973; Haight & Breuer 1960
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_generalized_poisson(agn_distribution **out,
    const agn_tensor *rate, const agn_tensor *dispersion, const agn_distribution_options *opts);

/**
 * agn_distribution_discrete_laplace - discrete Laplace: the difference of two geometric numbers
 *
 * tanh(rate / 2) exp(-rate |k|). Support: all whole numbers.
 *
 * @param out   out
 * @param rate  positive, finite
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EDOMAIN (a parameter out of its range: names the entry),
 *              AGN_EARG (unknown size), AGN_ENOMEM
 * @ref         Inusah & Kozubowski 2006
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_discrete_laplace(agn_distribution **out,
    const agn_tensor *rate, const agn_distribution_options *opts);

/**
 * agn_distribution_discrete_weibull - discrete Weibull: a Weibull number without its fraction
 *
 * More than k with probability probs^((k + 1)^concentration). Mean, variance and entropy are sums over
 * counts. Support: counts.
 *
 * @param out            out
 * @param probs          of more than 0; between 0 and 1
 * @param concentration  positive, finite
 * @param opts           NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a parameter out
 *              of its range: names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 * @ref         Nakagawa & Osaki 1975
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_discrete_weibull(agn_distribution **out,
    const agn_tensor *probs, const agn_tensor *concentration, const agn_distribution_options *opts);

#ifdef __cplusplus
}
#endif

#endif
