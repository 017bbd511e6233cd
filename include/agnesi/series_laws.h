/**
 * agnesi/series_laws.h - laws of series, processes and fields: random walks, chains, what is seen
 * of hidden states
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * As in agnesi/laws.h. An event has the steps of time on its first axis.
 */
#ifndef AGNESI_SERIES_LAWS_H
#define AGNESI_SERIES_LAWS_H

#include <agnesi/laws.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * agn_distribution_gaussian_random_walk - sums of normal steps
 *
 * Support: real vectors of n numbers. x_t = x_(t-1) + drift + scale e_t, from 0.
 *
 * @param out     out
 * @param n       steps, 1 or more
 * @param drift   mean of a step; real, finite
 * @param scale   its standard deviation; positive, finite
 * @param opts    NULL for defaults
 * @errors        AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast, sizes differ), AGN_EDOMAIN (a
 *                parameter out of its range: names the entry), AGN_EARG (n, unknown size),
 *                AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status
agn_distribution_gaussian_random_walk(agn_distribution **out, int64_t n, const agn_tensor *drift,
    const agn_tensor *scale, const agn_distribution_options *opts);

/**
 * agn_distribution_autoregressive - an autoregressive process of order p
 *
 * Support: real vectors of n numbers. x_t = sum of c_k x_(t-k) + scale e_t, k from 1, after p given
 * numbers. No moments.
 *
 * @param out           out
 * @param n             steps, 1 to 1000000
 * @param coefficients  c, [..., p]; real, finite
 * @param initial       the p numbers before the first, in the order of time, [..., p]; real, finite
 * @param scale         standard deviation of a step; positive, finite; batch shape
 * @param opts          NULL for defaults
 * @errors              AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast, sizes differ),
 *                      AGN_EDOMAIN (a parameter out of its range: names the entry), AGN_EARG (n,
 *                      unknown size), AGN_ENOMEM
 * @ref                 Box & Jenkins 1970
 */
AGN_API AGN_MUST_CHECK agn_status
agn_distribution_autoregressive(agn_distribution **out, int64_t n, const agn_tensor *coefficients,
    const agn_tensor *initial, const agn_tensor *scale, const agn_distribution_options *opts);

/**
 * agn_distribution_markov_chain - a Markov chain of n states
 *
 * Support: vectors of n states, 0 to k - 1. No moments.
 *
 * @param out                out
 * @param n                  steps, 1 to 1000000
 * @param initial_logits     [..., k], logarithms of probabilities up to a number for all; real,
 *                           finite
 * @param transition_logits  [..., k, k], a row for each state that is left; real, finite
 * @param opts               NULL for defaults
 * @errors                   AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast, sizes differ),
 *                           AGN_EDOMAIN (a parameter out of its range: names the entry), AGN_EARG
 *                           (n, unknown size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status
agn_distribution_markov_chain(agn_distribution **out, int64_t n, const agn_tensor *initial_logits,
    const agn_tensor *transition_logits, const agn_distribution_options *opts);

/**
 * agn_distribution_hidden_markov - what is seen of a Markov chain of n states, its states summed over
 *
 * The log density is that of the forward algorithm, in logarithms, O(n k^2). The event is n events
 * of emission. No moments.
 *
 * @param out                out
 * @param n                  steps, 1 to 1000000
 * @param initial_logits     [..., k], logarithms of probabilities up to a number for all; real,
 *                           finite
 * @param transition_logits  [..., k, k], a row for each state that is left; real, finite
 * @param emission           law of what is seen in each state, batch shape [k], [n, k] or [..., n
 *                           or 1, k]
 * @param opts               NULL for defaults
 * @errors                   AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast, sizes differ,
 *                           rank), AGN_EDOMAIN (a parameter out of its range: names the entry),
 *                           AGN_EARG (n, unknown size), AGN_ENOMEM
 * @ref                      Rabiner 1989
 */
AGN_API AGN_MUST_CHECK agn_status
agn_distribution_hidden_markov(agn_distribution **out, int64_t n, const agn_tensor *initial_logits,
    const agn_tensor *transition_logits, const agn_distribution *emission,
    const agn_distribution_options *opts);

/**
 * agn_distribution_gaussian_state_space - what is seen of a linear Gaussian process of n states
 *
 * z_0 normal of mean m and factor P; z_t = F z_(t-1) + Q e_t, x_t = H z_t + R e'_t. The log density
 * is that of Kalman's filter, O(n (k^3 + o^3)). Events are [n, o]. No moments. Of P, Q and R,
 * Cholesky factors, the lower triangles are read.
 *
 * @param out           out
 * @param n             steps, 1 to 1000000
 * @param mean          m, [..., k]; finite, as all that follow
 * @param state_tril    P, [..., k, k]
 * @param transition    F, [..., k, k]
 * @param process_tril  Q, [..., k, k]
 * @param observation   H, [..., o, k]
 * @param noise_tril    R, [..., o, o]
 * @param opts          NULL for defaults
 * @errors              AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast, sizes differ),
 *                      AGN_EDOMAIN (a parameter out of its range: names the entry), AGN_EARG (n,
 *                      unknown size), AGN_ENOMEM
 * @ref                 Kalman 1960
 */
AGN_API AGN_MUST_CHECK agn_status
agn_distribution_gaussian_state_space(agn_distribution **out, int64_t n, const agn_tensor *mean,
    const agn_tensor *state_tril, const agn_tensor *transition, const agn_tensor *process_tril,
    const agn_tensor *observation, const agn_tensor *noise_tril,
    const agn_distribution_options *opts);

/**
 * agn_distribution_gaussian_process - values of a Gaussian process at n points, seen with noise
 *
 * The distribution of agn_distribution_multivariate_normal_covariance with covariance + noise I.
 *
 * @param out         out
 * @param loc         mean, [..., n]; real, finite
 * @param covariance  of the process at the points, [..., n, n]: its lower triangle is read
 * @param noise       variance of the noise, or a small number that keeps the matrix definite; not
 *                    negative, finite; []
 * @param opts        NULL for defaults
 * @errors            AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast, sizes differ),
 *                    AGN_EDOMAIN (noise negative or not finite, not positive definite), AGN_EARG
 *                    (unknown size), AGN_ENOMEM
 * @ref               Rasmussen & Williams 2006, 2.2
 */
AGN_API AGN_MUST_CHECK agn_status
agn_distribution_gaussian_process(agn_distribution **out, const agn_tensor *loc,
    const agn_tensor *covariance, const agn_tensor *noise, const agn_distribution_options *opts);

/**
 * agn_gaussian_markov_field_log_prob - log density of a normal vector by its sparse precision
 *
 * (log det Q - r' Q r - n log(2 pi)) / 2 with r = x - loc; the determinant by sparse Cholesky
 * factorisation.
 *
 * @param out        out, []
 * @param x          in,  [n]  f32 f64
 * @param loc        in,  mean, [n]
 * @param precision  in,  Q, sparse [n, n], symmetric and positive definite, both triangles stored
 * @errors           AGN_ENULL, AGN_ESHAPE, AGN_EDTYPE, AGN_ENOMEM, and those of agn_sparse_logdet
 * @grad             everywhere, in x, loc and the values of precision, each by itself
 * @cost             of a sparse factorisation where the values are new
 * @ref              Rue & Held 2005, 2
 */
AGN_API AGN_MUST_CHECK agn_status
agn_gaussian_markov_field_log_prob(agn_tensor **out, const agn_tensor *x, const agn_tensor *loc,
    const agn_tensor *precision);

/**
 * agn_hidden_markov_filter - log probabilities of each state, given what was seen up to it
 *
 * NaN from a step on whose probability is 0.
 *
 * @param out  out, [..., n, k], of the dtype of d
 * @param d    of agn_distribution_hidden_markov
 * @param x    in,  what was seen, [..., n] and the event of the emission
 * @errors    AGN_ENULL, AGN_EARG (another law), AGN_ESHAPE (x does not end in the event shape,
 *            does not broadcast), AGN_EDTYPE (x is complex), AGN_ENOMEM
 * @grad       everywhere, in x and all parameters
 * @cost       n steps of O(k^2)
 * @ref        Rabiner 1989
 */
AGN_API AGN_MUST_CHECK agn_status
agn_hidden_markov_filter(agn_tensor **out, const agn_distribution *d, const agn_tensor *x);

/**
 * agn_hidden_markov_smooth - log probabilities of each state, given all that was seen
 *
 * The forward-backward algorithm, in logarithms. NaN where what was seen has the probability 0.
 *
 * @param out  out, [..., n, k], of the dtype of d
 * @param d    of agn_distribution_hidden_markov
 * @param x    in,  what was seen, [..., n] and the event of the emission
 * @errors    AGN_ENULL, AGN_EARG (another law), AGN_ESHAPE (x does not end in the event shape,
 *            does not broadcast), AGN_EDTYPE (x is complex), AGN_ENOMEM
 * @grad       everywhere, in x and all parameters
 * @cost       n steps of O(k^2)
 * @ref        Rabiner 1989
 */
AGN_API AGN_MUST_CHECK agn_status
agn_hidden_markov_smooth(agn_tensor **out, const agn_distribution *d, const agn_tensor *x);

/**
 * agn_hidden_markov_viterbi - the most probable path of states, given all that was seen
 *
 * Of several the one whose last states come first. NaN where what was seen has the probability 0.
 *
 * @param out  out, [..., n], states 0 to k - 1 as numbers of the dtype of d
 * @param d    of agn_distribution_hidden_markov
 * @param x    in,  what was seen, [..., n] and the event of the emission
 * @errors    AGN_ENULL, AGN_EARG (another law), AGN_ESHAPE (x does not end in the event shape,
 *            does not broadcast), AGN_EDTYPE (x is complex), AGN_ENOMEM
 * @grad       zero
 * @cost       n steps of O(k^2)
 * @ref        Viterbi 1967; Rabiner 1989
 */
AGN_API AGN_MUST_CHECK agn_status
agn_hidden_markov_viterbi(agn_tensor **out, const agn_distribution *d, const agn_tensor *x);

/**
 * agn_hidden_markov_sample_states - paths of states drawn given all that was seen
 *
 * Filtering forward, drawing backward. NaN where what was seen has the probability 0.
 *
 * @param out    out, [shape..., ..., n], states 0 to k - 1 as numbers of the dtype of d
 * @param d      of agn_distribution_hidden_markov
 * @param x      in,  what was seen, [..., n] and the event of the emission
 * @param key    in,  of agn_key
 * @param ndim   axes of independent paths
 * @param shape  their sizes
 * @errors      AGN_ENULL, AGN_EARG (another law), AGN_ESHAPE (x does not end in the event shape,
 *              does not broadcast), AGN_EDTYPE (x is complex), AGN_ENOMEM,
 *               those of agn_random_gumbel
 * @grad         zero
 * @cost         n steps of O(k^2)
 * @ref          Scott 2002
 */
AGN_API AGN_MUST_CHECK agn_status
agn_hidden_markov_sample_states(agn_tensor **out, const agn_distribution *d, const agn_tensor *x,
    const agn_tensor *key, int32_t ndim, const int64_t *shape);

/**
 * agn_gaussian_state_space_filter - mean and covariance of each state, given what was seen up to it
 *
 * @param mean        out, [..., n, k]
 * @param covariance  out, [..., n, k, k]
 * @param d           of agn_distribution_gaussian_state_space
 * @param x           in,  what was seen, [..., n, o]
 * @errors           AGN_ENULL, AGN_EARG (another law), AGN_ESHAPE (x does not end in the event
 *                   shape, does not broadcast), AGN_EDTYPE (x is complex), AGN_ENOMEM,
 *                    AGN_EDOMAIN (a covariance of what is seen is singular)
 * @grad              everywhere, in x and all parameters
 * @cost              n steps of O(k^3 + o^3)
 * @ref               Kalman 1960
 */
AGN_API AGN_MUST_CHECK agn_status
agn_gaussian_state_space_filter(agn_tensor **mean, agn_tensor **covariance,
    const agn_distribution *d, const agn_tensor *x);

/**
 * agn_gaussian_state_space_smooth - mean and covariance of each state, given all that was seen
 *
 * Kalman's filter and a pass back that inverts no covariance of states, which may be singular.
 *
 * @param mean        out, [..., n, k]
 * @param covariance  out, [..., n, k, k]
 * @param d           of agn_distribution_gaussian_state_space
 * @param x           in,  what was seen, [..., n, o]
 * @errors           AGN_ENULL, AGN_EARG (another law), AGN_ESHAPE (x does not end in the event
 *                   shape, does not broadcast), AGN_EDTYPE (x is complex), AGN_ENOMEM,
 *                    AGN_EDOMAIN (a covariance of what is seen is singular)
 * @grad              everywhere, in x and all parameters
 * @cost              n steps of O(k^3 + o^3)
 * @ref               Bierman 1973
 */
AGN_API AGN_MUST_CHECK agn_status
agn_gaussian_state_space_smooth(agn_tensor **mean, agn_tensor **covariance,
    const agn_distribution *d, const agn_tensor *x);

/**
 * agn_gaussian_state_space_sample_states - series of states drawn given all that was seen
 *
 * @param out    out, [shape..., ..., n, k]
 * @param d      of agn_distribution_gaussian_state_space
 * @param x      in,  what was seen, [..., n, o]
 * @param key    in,  of agn_key
 * @param ndim   axes of independent series
 * @param shape  their sizes
 * @errors      AGN_ENULL, AGN_EARG (another law), AGN_ESHAPE (x does not end in the event shape,
 *              does not broadcast), AGN_EDTYPE (x is complex), AGN_ENOMEM,
 *               AGN_EDOMAIN (a covariance of what is seen is singular), those of agn_normal
 * @grad         everywhere, in x and all parameters, for a key
 * @cost         n steps of O(k^3 + o^3)
 * @ref          Durbin & Koopman 2002
 */
AGN_API AGN_MUST_CHECK agn_status
agn_gaussian_state_space_sample_states(agn_tensor **out, const agn_distribution *d,
    const agn_tensor *x, const agn_tensor *key, int32_t ndim, const int64_t *shape);

#ifdef __cplusplus
}
#endif
#endif
