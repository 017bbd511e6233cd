/**
 * agnesi/vector_laws.h - laws of probability of vectors, matrices, directions and counts of classes
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * As in agnesi/laws.h. Parameters of the batch shape stand beside those that have the axes of one
 * event, which are the last ones.
 */
#ifndef AGNESI_VECTOR_LAWS_H
#define AGNESI_VECTOR_LAWS_H

#include <agnesi/laws.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- counts --------------------------------------------------------------------------------- */

/**
 * agn_distribution_multinomial - the multinomial distribution: how often each of n classes is drawn
 *
 * Support: vectors of counts whose sum is total_count. Entropy: sums of total_count terms, so that
 * it must have a value. One divergence: of laws of the same total_count, infinite for others.
 *
 * @param out          out
 * @param total_count  draws, 0, 1, 2 or more; batch shape
 * @param logits       [..., n], logarithms of probabilities up to a number for all; real, finite
 * @param opts         NULL for defaults
 * @errors             AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast, sizes differ),
 *                     AGN_EDOMAIN (a parameter out of its range: names the entry), AGN_EARG
 *                     (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status
agn_distribution_multinomial(agn_distribution **out, const agn_tensor *total_count,
    const agn_tensor *logits, const agn_distribution_options *opts);

/**
 * agn_distribution_dirichlet_multinomial - the multinomial distribution whose probabilities are Dirichlet
 *
 * Support: vectors of counts whose sum is total_count. No entropy in closed form.
 *
 * @param out            out
 * @param total_count    draws, 0, 1, 2 or more; batch shape
 * @param concentration  [..., n]; positive, finite
 * @param opts           NULL for defaults
 * @errors               AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast, sizes differ),
 *                       AGN_EDOMAIN (a parameter out of its range: names the entry), AGN_EARG
 *                       (unknown size), AGN_ENOMEM
 * @ref                  Mosimann 1962
 */
AGN_API AGN_MUST_CHECK agn_status
agn_distribution_dirichlet_multinomial(agn_distribution **out, const agn_tensor *total_count,
    const agn_tensor *concentration, const agn_distribution_options *opts);

/**
 * agn_distribution_hypergeometric - the hypergeometric distribution: good ones among those drawn without replacement
 *
 * Support: max(0, draws + successes - population) to min(draws, successes). Cdf, survival, entropy
 * and samples sum over the support: the parameters must have values there, samples of m numbers
 * take O(m min(draws, successes)) memory.
 *
 * @param out         out
 * @param population  0, 1, 2 or more
 * @param successes   good ones among them
 * @param draws       at most population
 * @param opts        NULL for defaults
 * @errors            AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast, sizes differ),
 *                    AGN_EDOMAIN (a parameter out of its range: names the entry), AGN_EARG (unknown
 *                    size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status
agn_distribution_hypergeometric(agn_distribution **out, const agn_tensor *population,
    const agn_tensor *successes, const agn_tensor *draws, const agn_distribution_options *opts);

/* ---- vectors -------------------------------------------------------------------------------- */

/**
 * agn_distribution_multivariate_normal_covariance - the normal distribution of vectors, by its covariance
 *
 * The distribution of agn_distribution_multivariate_normal with the Cholesky factor of covariance.
 *
 * @param out         out
 * @param loc         mean, [..., n]; real, finite
 * @param covariance  [..., n, n], positive definite: its lower triangle is read
 * @param opts        NULL for defaults
 * @errors            AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast, sizes differ),
 *                    AGN_EDOMAIN (not positive definite, not finite), AGN_EARG (unknown size),
 *                    AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status
agn_distribution_multivariate_normal_covariance(agn_distribution **out, const agn_tensor *loc,
    const agn_tensor *covariance, const agn_distribution_options *opts);

/**
 * agn_distribution_multivariate_normal_precision - the normal distribution of vectors, by the inverse of its covariance
 *
 * The distribution of agn_distribution_multivariate_normal with the Cholesky factor of the inverse,
 * which is found without it.
 *
 * @param out        out
 * @param loc        mean, [..., n]; real, finite
 * @param precision  [..., n, n], positive definite and symmetric
 * @param opts       NULL for defaults
 * @errors           AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast, sizes differ), AGN_EDOMAIN
 *                   (not positive definite, not finite), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status
agn_distribution_multivariate_normal_precision(agn_distribution **out, const agn_tensor *loc,
    const agn_tensor *precision, const agn_distribution_options *opts);

/**
 * agn_distribution_low_rank_normal - the normal distribution of vectors with covariance W W' + diag(v)
 *
 * Support: real vectors. Densities cost O(n k^2): the inverse by Woodbury's formula.
 *
 * @param out       out
 * @param loc       mean, [..., n]; real, finite
 * @param factor    W, [..., n, k]; finite
 * @param diagonal  v, [..., n]; positive, finite
 * @param opts      NULL for defaults
 * @errors          AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast, sizes differ), AGN_EDOMAIN
 *                  (a parameter out of its range: names the entry), AGN_EARG (unknown size),
 *                  AGN_ENOMEM
 * @ref             Woodbury 1950
 */
AGN_API AGN_MUST_CHECK agn_status
agn_distribution_low_rank_normal(agn_distribution **out, const agn_tensor *loc,
    const agn_tensor *factor, const agn_tensor *diagonal, const agn_distribution_options *opts);

/**
 * agn_distribution_multivariate_student_t - Student's distribution of vectors
 *
 * Support: real vectors. A normal vector over the root of a gamma number of mean 1. The mean is NaN
 * for df up to 1, the variance infinite up to 2.
 *
 * @param out         out
 * @param df          degrees of freedom; positive, finite; batch shape
 * @param loc         [..., n]; real, finite
 * @param scale_tril  L, [..., n, n]: the scale is L L', its lower triangle is read; finite
 * @param opts        NULL for defaults
 * @errors            AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast, sizes differ),
 *                    AGN_EDOMAIN (a parameter out of its range: names the entry), AGN_EARG (unknown
 *                    size), AGN_ENOMEM
 * @ref               Kotz & Nadarajah 2004
 */
AGN_API AGN_MUST_CHECK agn_status
agn_distribution_multivariate_student_t(agn_distribution **out, const agn_tensor *df,
    const agn_tensor *loc, const agn_tensor *scale_tril, const agn_distribution_options *opts);

/**
 * agn_distribution_von_mises - the von Mises distribution of angles, density proportional to exp(k cos(x - loc))
 *
 * Support: from -pi to pi. Mean and variance are the circular ones: loc, and 1 - I_1(k) / I_0(k).
 * Samples have no path; no cdf.
 *
 * @param out            out
 * @param loc            mean direction, in radians; real, finite
 * @param concentration  k; positive, finite
 * @param opts           NULL for defaults
 * @errors               AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast, sizes differ),
 *                       AGN_EDOMAIN (a parameter out of its range: names the entry), AGN_EARG
 *                       (unknown size), AGN_ENOMEM
 * @ref                  Mardia & Jupp 2000, 3.5; Wood 1994
 */
AGN_API AGN_MUST_CHECK agn_status
agn_distribution_von_mises(agn_distribution **out, const agn_tensor *loc,
    const agn_tensor *concentration, const agn_distribution_options *opts);

/**
 * agn_distribution_wrapped_cauchy - a Cauchy number as an angle
 *
 * Density (1 - r^2) / 2 pi (1 + r^2 - 2 r cos(x - loc)), r the concentration. Support: from -pi to pi.
 * Mean and variance are the circular ones: loc, and 1 - r.
 *
 * @param out            out
 * @param loc            mean direction, in radians; real, finite
 * @param concentration  r, the length of the mean of (cos x, sin x); between 0 and 1
 * @param opts           NULL for defaults
 * @errors               AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (a
 *                       parameter out of its range: names the entry), AGN_EARG (unknown size),
 *                       AGN_ENOMEM
 * @ref                  Mardia & Jupp 2000, 3.5
 */
AGN_API AGN_MUST_CHECK agn_status
agn_distribution_wrapped_cauchy(agn_distribution **out, const agn_tensor *loc,
    const agn_tensor *concentration, const agn_distribution_options *opts);

/**
 * agn_distribution_von_mises_fisher - the von Mises-Fisher distribution of directions, density proportional to exp(k m x)
 *
 * Support: vectors of length 1. A length off by more than 5e-10 (f32: 5e-5) has the density 0.
 * Samples have no path.
 *
 * @param out             out
 * @param mean_direction  m, [..., n], n at least 2: its direction counts, of any length but 0;
 *                        finite
 * @param concentration   k; positive, finite; batch shape
 * @param opts            NULL for defaults
 * @errors                AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast, sizes differ),
 *                        AGN_EDOMAIN (a parameter out of its range: names the entry), AGN_EARG
 *                        (unknown size), AGN_ENOMEM
 * @ref                   Mardia & Jupp 2000, 9.3; Wood 1994
 */
AGN_API AGN_MUST_CHECK agn_status
agn_distribution_von_mises_fisher(agn_distribution **out, const agn_tensor *mean_direction,
    const agn_tensor *concentration, const agn_distribution_options *opts);

/**
 * agn_distribution_relaxed_bernoulli - a number from 0 to 1 that becomes a Bernoulli one as the temperature falls
 *
 * Support: 0 to 1. The logistic function of (logits + a logistic number) / temperature. No moments
 * in closed form.
 *
 * @param out          out
 * @param logits       log of p / (1 - p); real, finite
 * @param temperature  positive, finite
 * @param opts         NULL for defaults
 * @errors             AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast, sizes differ),
 *                     AGN_EDOMAIN (a parameter out of its range: names the entry), AGN_EARG
 *                     (unknown size), AGN_ENOMEM
 * @ref                Maddison, Mnih & Teh 2017
 */
AGN_API AGN_MUST_CHECK agn_status
agn_distribution_relaxed_bernoulli(agn_distribution **out, const agn_tensor *logits,
    const agn_tensor *temperature, const agn_distribution_options *opts);

/**
 * agn_distribution_relaxed_categorical - shares of n classes that become one class as the temperature falls
 *
 * Support: vectors of numbers from 0 whose sum is 1. No moments in closed form.
 *
 * @param out          out
 * @param logits       [..., n], logarithms of probabilities up to a number for all; real, finite
 * @param temperature  positive, finite; batch shape
 * @param opts         NULL for defaults
 * @errors             AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast, sizes differ),
 *                     AGN_EDOMAIN (a parameter out of its range: names the entry), AGN_EARG
 *                     (unknown size), AGN_ENOMEM
 * @ref                Maddison, Mnih & Teh 2017; Jang, Gu & Poole 2017
 */
AGN_API AGN_MUST_CHECK agn_status
agn_distribution_relaxed_categorical(agn_distribution **out, const agn_tensor *logits,
    const agn_tensor *temperature, const agn_distribution_options *opts);

/* ---- matrices ------------------------------------------------------------------------------- */

/**
 * agn_distribution_matrix_normal - the normal distribution of matrices: rows and columns each have a covariance
 *
 * Support: real matrices. loc + R Z C' with Z of standard normal numbers.
 *
 * @param out          out
 * @param loc          mean, [..., n, p]; real, finite
 * @param row_tril     R, [..., n, n]: its lower triangle is read; finite
 * @param column_tril  C, [..., p, p]: likewise
 * @param opts         NULL for defaults
 * @errors             AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast, sizes differ),
 *                     AGN_EDOMAIN (a parameter out of its range: names the entry), AGN_EARG
 *                     (unknown size), AGN_ENOMEM
 * @ref                Gupta & Nagar 2000, 2
 */
AGN_API AGN_MUST_CHECK agn_status
agn_distribution_matrix_normal(agn_distribution **out, const agn_tensor *loc,
    const agn_tensor *row_tril, const agn_tensor *column_tril,
    const agn_distribution_options *opts);

/**
 * agn_distribution_wishart - the Wishart distribution: the sum of df products z z' of normal vectors
 *
 * Support: positive definite matrices; a density at another matrix is refused, as its Cholesky
 * factorisation is. The mode is NaN for df below n + 1.
 *
 * @param out         out
 * @param df          above n - 1, finite; batch shape
 * @param scale_tril  L, [..., n, n], the covariance of z is L L': its lower triangle is read;
 *                    finite
 * @param opts        NULL for defaults
 * @errors            AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast, sizes differ),
 *                    AGN_EDOMAIN (a parameter out of its range: names the entry), AGN_EARG (unknown
 *                    size), AGN_ENOMEM
 * @ref               Gupta & Nagar 2000, 3; Bartlett 1933
 */
AGN_API AGN_MUST_CHECK agn_status
agn_distribution_wishart(agn_distribution **out, const agn_tensor *df, const agn_tensor *scale_tril,
    const agn_distribution_options *opts);

/**
 * agn_distribution_inverse_wishart - the inverse Wishart distribution: the inverse is Wishart of the inverse scale
 *
 * Support: positive definite matrices, as for agn_distribution_wishart. The mean is NaN for df up
 * to n + 1, the variance up to n + 3.
 *
 * @param out         out
 * @param df          above n - 1, finite; batch shape
 * @param scale_tril  L, [..., n, n], the scale is L L': its lower triangle is read; finite
 * @param opts        NULL for defaults
 * @errors            AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast, sizes differ),
 *                    AGN_EDOMAIN (a parameter out of its range: names the entry), AGN_EARG (unknown
 *                    size), AGN_ENOMEM
 * @ref               Gupta & Nagar 2000, 3.4
 */
AGN_API AGN_MUST_CHECK agn_status
agn_distribution_inverse_wishart(agn_distribution **out, const agn_tensor *df,
    const agn_tensor *scale_tril, const agn_distribution_options *opts);

/**
 * agn_distribution_lkj_cholesky - the LKJ distribution of correlation matrices, of their Cholesky factors
 *
 * Support: lower triangles with rows of length 1 and a diagonal from 0. The matrix L L' has a
 * density proportional to its determinant to the power eta - 1. A row whose length squared is off
 * by more than 1e-9 (f32: 1e-4) has the density 0. Samples by the onion method.
 *
 * @param out            out
 * @param n              rows, 1 to 46340
 * @param concentration  eta: 1 is uniform, more is nearer to the identity; positive, finite; batch
 *                       shape
 * @param opts           NULL for defaults
 * @errors               AGN_ENULL, AGN_EDTYPE, AGN_EDOMAIN (a parameter out of its range: names the
 *                       entry), AGN_EARG (n, unknown size), AGN_ENOMEM
 * @ref                  Lewandowski, Kurowicka & Joe 2009
 */
AGN_API AGN_MUST_CHECK agn_status
agn_distribution_lkj_cholesky(agn_distribution **out, int64_t n, const agn_tensor *concentration,
    const agn_distribution_options *opts);

/**
 * agn_distribution_one_hot_categorical - one of k classes, as a vector of zeros with a one
 *
 * Support: vectors of k numbers. No path; relaxed: agn_distribution_relaxed_categorical.
 *
 * @param out     out
 * @param logits  [..., k], logarithms of probabilities up to a number for all; real, finite
 * @param opts    NULL for defaults
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (no axis), AGN_EDOMAIN (a parameter out of its
 *                range: names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status
agn_distribution_one_hot_categorical(agn_distribution **out, const agn_tensor *logits,
    const agn_distribution_options *opts);

/**
 * agn_distribution_lkj_cholesky_vine - agn_distribution_lkj_cholesky, drawn by a C-vine
 *
 * The same law; its numbers come of partial correlations, one for each entry below the diagonal,
 * where those of the other come of directions (the onion).
 *
 * @param out            out
 * @param n              rows, 1 to 46340
 * @param concentration  positive, finite
 * @param opts           NULL for defaults
 * @errors              AGN_ENULL, AGN_EDTYPE, AGN_EDOMAIN (a parameter out of its range: names
 *                       the entry), AGN_EARG (n, unknown size), AGN_ENOMEM
 * @ref                  Lewandowski, Kurowicka & Joe 2009
 */
AGN_API AGN_MUST_CHECK agn_status
agn_distribution_lkj_cholesky_vine(agn_distribution **out, int64_t n,
    const agn_tensor *concentration, const agn_distribution_options *opts);

/**
 * agn_distribution_projected_normal - the direction of a normal vector of mean loc and covariance 1
 *
 * Support: vectors of length 1. A length off by more than 5e-10 (f32: 5e-5) has the density 0. The mean is
 * NaN where |loc|^2 is above 2e6.
 *
 * @param out   out
 * @param loc   [..., n], n from 2 to 64; finite
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (sizes), AGN_EDOMAIN (a parameter out of its range:
 *              names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 * @ref         Presnell, Morrison & Littell 1998
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_projected_normal(agn_distribution **out,
    const agn_tensor *loc, const agn_distribution_options *opts);

/**
 * agn_distribution_power_spherical - the power spherical distribution of directions, density proportional to (1 + m x)^k
 *
 * Near the von Mises-Fisher distribution, with a path for samples. Support: vectors of length 1. A length
 * off by more than 5e-10 (f32: 5e-5) has the density 0.
 *
 * @param out             out
 * @param mean_direction  m, [..., n], n at least 2: its direction counts, of any length but 0; finite
 * @param concentration   k; positive, finite; batch shape
 * @param opts            NULL for defaults
 * @errors                AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast, sizes), AGN_EDOMAIN (a
 *                        parameter out of its range: names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 * @ref                   De Cao & Aziz 2020
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_power_spherical(agn_distribution **out,
    const agn_tensor *mean_direction, const agn_tensor *concentration,
    const agn_distribution_options *opts);

/**
 * agn_distribution_plackett_luce - rankings: the first chosen of all by its weight, the next of the others
 *
 * Support: vectors of 0 to n - 1, each once, the first chosen first; other vectors have the density 0.
 *
 * @param out     out
 * @param logits  [..., n], logarithms of weights; finite
 * @param opts    NULL for defaults
 * @errors        AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (a scalar), AGN_EDOMAIN (a parameter out of its
 *                range: names the entry), AGN_EARG (unknown size), AGN_ENOMEM
 * @ref           Luce 1959; Plackett 1975
 */
AGN_API AGN_MUST_CHECK agn_status agn_distribution_plackett_luce(agn_distribution **out,
    const agn_tensor *logits, const agn_distribution_options *opts);

#ifdef __cplusplus
}
#endif
#endif
