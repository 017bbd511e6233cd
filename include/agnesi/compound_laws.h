/**
 * agnesi/compound_laws.h - laws made of laws: mixtures, truncation, masks, larger batches;
 * exponential families
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * As in agnesi/laws.h, with a distribution where others have a tensor. It is retained.
 */
#ifndef AGNESI_COMPOUND_LAWS_H
#define AGNESI_COMPOUND_LAWS_H

#include <agnesi/graph.h>
#include <agnesi/laws.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * agn_distribution_mixture - one of k laws of a kind, by weights
 *
 * The log density is a logsumexp. cdf, survival, mean and variance where the parts have them. The
 * path of agn_distribution_rsample keeps the value of the cdf, by the implicit function theorem, to
 * any order; it needs parts of single real numbers with a cdf. Quantiles are found between those of
 * the parts, by 60 halvings, and have derivatives in p, weights and parts.
 *
 * @param out     out
 * @param logits  [..., k], logarithms of weights up to a number for all; real, finite
 * @param parts   distribution of batch shape [..., k]
 * @param opts    NULL for defaults
 * @errors        AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (the last axis of the batch of parts is not k,
 *                do not broadcast), AGN_EDOMAIN (a parameter out of its range: names the entry),
 *                AGN_EARG (unknown size), AGN_ENOMEM
 * @ref           Figurnov, Mohamed & Mnih 2018
 */
AGN_API AGN_MUST_CHECK agn_status
agn_distribution_mixture(agn_distribution **out, const agn_tensor *logits,
    const agn_distribution *parts, const agn_distribution_options *opts);

/**
 * agn_distribution_truncated - a law between two ends
 *
 * Density, cdf and survival are those of base over the mass between the ends, which is taken in the
 * tail where they are; NaN where that mass is below all numbers. Whole numbers may be the ends
 * themselves. Numbers are drawn by the quantile of base: NaN where less than 1e-6 of base (f32:
 * 1e-3) lies above low, as quantiles next to 1 have no digits.
 *
 * @param out     out
 * @param base    distribution of single numbers with a cdf
 * @param low     may be -infinity
 * @param high    at least low; may be infinity
 * @param opts    NULL for defaults
 * @errors        AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast, sizes differ), AGN_EDOMAIN (a
 *                parameter out of its range: names the entry), AGN_EARG (unknown size),
 *                AGN_EUNSUPPORTED (base has no cdf, or is of vectors), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status
agn_distribution_truncated(agn_distribution **out, const agn_distribution *base,
    const agn_tensor *low, const agn_tensor *high, const agn_distribution_options *opts);

/**
 * agn_distribution_masked - a law whose log density is 0 where a mask says so
 *
 * As for missing data: numbers are drawn as from base, cdf and moments are not asked of it.
 *
 * @param out     out
 * @param base    distribution
 * @param mask    0: the log density is 0; batch shape, any dtype but complex
 * @param opts    NULL for defaults
 * @errors        AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (NaN), AGN_EARG
 *                (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status
agn_distribution_masked(agn_distribution **out, const agn_distribution *base,
    const agn_tensor *mask, const agn_distribution_options *opts);

/**
 * agn_distribution_zero_inflated - 0 with a probability, else a count of another law
 *
 * cdf, survival, mean and variance where base has them.
 *
 * @param out     out
 * @param gate    probability of the extra 0; 0 to 1
 * @param base    distribution of counts from 0
 * @param opts    NULL for defaults
 * @errors        AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast, sizes differ), AGN_EDOMAIN (a
 *                parameter out of its range: names the entry), AGN_EARG (unknown size),
 *                AGN_EUNSUPPORTED (base is of other numbers), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status
agn_distribution_zero_inflated(agn_distribution **out, const agn_tensor *gate,
    const agn_distribution *base, const agn_distribution_options *opts);

/**
 * agn_distribution_hurdle - 0 with a probability, else a number of another law that is not 0
 *
 * Of counts: those of base given that they are above 0. Of positive numbers: base beside an atom at 0,
 * so that log_prob is a log probability at 0 and a log density above. Mean and variance where base
 * has them; quantiles of counts. Samples have no path.
 *
 * @param out     out
 * @param gate    probability of 0; 0 to 1
 * @param base    counts from 0 or positive numbers, with a cdf
 * @param opts    NULL for defaults
 * @errors        AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (batch shapes do not broadcast), AGN_EDOMAIN
 *                (gate: names the entry), AGN_EUNSUPPORTED (another base), AGN_EARG (unknown size),
 *                AGN_ENOMEM
 * @ref           Cragg 1971; Mullahy 1986
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_hurdle(agn_distribution **out,
    const agn_tensor *gate, const agn_distribution *base, const agn_distribution_options *opts);

/**
 * agn_distribution_delta - the law of one number: a point mass
 *
 * Support: the number itself, where the log of the probability is 0; cdf and quantile are steps.
 *
 * @param out     out
 * @param value   real, finite
 * @param opts    NULL for defaults
 * @errors        AGN_ENULL, AGN_EDTYPE, AGN_EDOMAIN (not finite: names the entry), AGN_EARG
 *                (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status
agn_distribution_delta(agn_distribution **out, const agn_tensor *value,
    const agn_distribution_options *opts);

/**
 * agn_distribution_expanded - a law with a larger batch shape
 *
 * Its numbers are drawn independently over the new axes. Name and formulas stay those of d.
 *
 * @param out     out
 * @param d       distribution
 * @param ndim    axes of the new batch shape
 * @param shape   their sizes; the batch shape of d broadcasts to it
 * @errors        AGN_ENULL, AGN_ESHAPE (does not broadcast, rank), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status
agn_distribution_expanded(agn_distribution **out, const agn_distribution *d, int32_t ndim,
    const int64_t *shape);

/* ---- exponential families by their log-normaliser ------------------------------------------- */

/**
 * agn_exponential_family_entropy - entropy of an exponential family, from its log-normaliser
 *
 * A(eta) - eta grad A(eta) - E[log h(x)], the product by one forward derivative.
 *
 * @param out             out, the shape of the results of log_normaliser
 * @param log_normaliser  A, function of n natural parameters; one result, of the batch shape
 * @param eta             natural parameters
 * @param n               their number
 * @param carrier         E[log h(x)], h the carrier measure; NULL: 0
 * @errors                AGN_ENULL, AGN_EARG (n, numbers of arguments or results), AGN_ENOMEM,
 *                        those of A
 * @grad                  everywhere, in eta and carrier
 * @cost                  of the function and its forward derivative
 * @ref                   Nielsen & Nock 2010
 */
AGN_API AGN_MUST_CHECK agn_status agn_exponential_family_entropy(agn_tensor **out,
                                                                 const agn_fn *log_normaliser,
                                                                 const agn_tensor *const *eta,
                                                                 int32_t n,
                                                                 const agn_tensor *carrier);

/**
 * agn_exponential_family_kl - divergence of two laws of an exponential family, from its log-normaliser
 *
 * A(q) - A(p) - (q - p) grad A(p): a Bregman divergence. Laws close to each other lose digits.
 *
 * @param out             out, the shape of the results of log_normaliser
 * @param log_normaliser  A, function of n natural parameters; one result, of the batch shape
 * @param p               natural parameters of the law of the mean
 * @param q               those of the other law
 * @param n               their number
 * @errors                AGN_ENULL, AGN_EARG (n, numbers of arguments or results), AGN_ENOMEM,
 *                        those of A
 * @grad                  everywhere, in p and q
 * @cost                  twice that of the function and a forward derivative
 * @ref                   Nielsen & Nock 2010
 */
AGN_API AGN_MUST_CHECK agn_status agn_exponential_family_kl(agn_tensor **out,
                                                            const agn_fn *log_normaliser,
                                                            const agn_tensor *const *p,
                                                            const agn_tensor *const *q, int32_t n);

#ifdef __cplusplus
}
#endif
#endif
