/**
 * agnesi/infer_check.h - what a posterior is worth: leave-one-out, predictive checks, calibration
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef AGNESI_INFER_CHECK_H
#define AGNESI_INFER_CHECK_H

#include <agnesi/infer.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * agn_infer_psis - importance weights, the largest of them smoothed by a Pareto law
 *
 * Each row by itself. The shape k tells how heavy their tail is: above 0.7 they are not to be
 * trusted. It is infinite where fewer than five ratios are in the tail. A row with NaN, or without
 * a finite ratio, is NaN.
 *
 * @param log_weights   out, f64 [rows, draws]: their exponentials sum to 1
 * @param pareto_k      out, f64 [rows]
 * @param log_ratios    f32 f64 [rows, draws]
 * @param relative_ess  effective draws over draws of the ratios; 1 where draws are independent
 * @errors              AGN_ENULL, AGN_EARG (relative_ess), AGN_ESHAPE, AGN_EDTYPE, AGN_ENOMEM
 * @grad                none: constants
 * @cost                O(n log n) for each row
 * @ref                 Vehtari, Simpson, Gelman, Yao & Gabry 2024; Zhang & Stephens 2009
 */
AGN_API AGN_MUST_CHECK agn_status agn_infer_psis(agn_tensor **log_weights, agn_tensor **pareto_k,
                                                 const agn_tensor *log_ratios,
                                                 double relative_ess);

/**
 * agn_infer_log_likelihood - the log density of each number observed at each draw
 *
 * agn_model_log_likelihood at "sampler/point".
 *
 * @param out    out, f64 [chains, draws, numbers observed]
 * @param m      model
 * @param draws  of a sampler of this model
 * @errors       AGN_ENULL, AGN_EARG (nothing is observed; no sampler/point), AGN_ESHAPE (of another
 *               model), AGN_ENOMEM, and those of the model
 * @grad         none: a constant
 * @cost         a density for each draw
 */
AGN_API AGN_MUST_CHECK agn_status agn_infer_log_likelihood(agn_tensor **out, const agn_model *m,
                                                           const agn_dict *draws);

/**
 * agn_infer_loo - how well each number is predicted by all others: leave-one-out by smoothed weights
 *
 * The sum of elpd compares models; that of p_loo is their effective number of parameters. Where
 * pareto_k is above 0.7 leaving the number out changes the posterior too much for weights.
 *
 * @param elpd      out, f64 [numbers]: log of the predictive density of each
 * @param p_loo     out, f64 [numbers]: what is lost by leaving it out
 * @param pareto_k  out, f64 [numbers]
 * @param log_lik   f32 f64 [chains, draws, numbers], from agn_infer_log_likelihood; 4 draws at
 *                  least
 * @param relative_ess  effective draws over draws, for all; 0: that of each likelihood
 * @errors          AGN_ENULL, AGN_EARG (relative_ess), AGN_ESHAPE, AGN_EDTYPE, AGN_ENOMEM
 * @grad            none: constants
 * @cost            O(n log n) for each number
 * @ref             Vehtari, Gelman & Gabry 2017
 */
AGN_API AGN_MUST_CHECK agn_status agn_infer_loo(agn_tensor **elpd, agn_tensor **p_loo,
                                                agn_tensor **pareto_k, const agn_tensor *log_lik,
                                                double relative_ess);

/**
 * agn_infer_waic - how well each number is predicted, by the widely applicable information criterion
 *
 * @param elpd     out, f64 [numbers]
 * @param p_waic   out, f64 [numbers]: variance of the log likelihood; above 0.4 it is not to be
 *                 trusted
 * @param log_lik  f32 f64 [chains, draws, numbers]; 4 draws at least
 * @errors         AGN_ENULL, AGN_ESHAPE, AGN_EDTYPE, AGN_ENOMEM
 * @grad           none: constants
 * @cost           O(n)
 * @ref            Watanabe 2010; Vehtari, Gelman & Gabry 2017
 */
AGN_API AGN_MUST_CHECK agn_status agn_infer_waic(agn_tensor **elpd, agn_tensor **p_waic,
                                                 const agn_tensor *log_lik);

/**
 * agn_infer_predict - data as a model would give them, before or after it has seen any
 *
 * With draws, one set of data for each of them: the posterior predictive law; "observed/0",
 * "observed/1", ... of shape [chains, draws, ...] in the order in which the body observes. Without,
 * n sets of parameters drawn from the priors and the data for each: the prior predictive law, [1,
 * n, ...], with the parameters and "sampler/point".
 *
 * @param out    out
 * @param m      model
 * @param draws  of a sampler of this model; NULL: from the priors
 * @param n      sets of data, where draws is NULL, at least 1
 * @param seed   of the random numbers
 * @errors       AGN_ENULL, AGN_EARG (n; nothing is observed; no sampler/point), AGN_ESHAPE (of
 *               another model), AGN_ENOMEM, and those of agn_model_predict and agn_model_draw_prior
 * @cost         O(n) draws
 * @ref          Rubin 1984; Gelman, Meng & Stern 1996
 */
AGN_API AGN_MUST_CHECK agn_status agn_infer_predict(agn_dict **out, const agn_model *m,
                                                    const agn_dict *draws, int64_t n,
                                                    uint64_t seed);

/**
 * agn_infer_predictive_check - how often a statistic of predicted data is as large as that of the data
 *
 * Near 0 or 1 the model does not give such data. Ties count one half.
 *
 * @param p          out, a share
 * @param predicted  [chains, draws, ...] from agn_infer_predict
 * @param data       [...] of the same dtype
 * @param statistic  of data: a number
 * @errors           AGN_ENULL, AGN_EARG (statistic has not one argument and one result), AGN_ESHAPE
 *                   (predicted is not [chains, draws, shape of data]; the statistic is no number),
 *                   AGN_EDTYPE, AGN_ENOMEM, and those of statistic
 * @cost             a call for each draw, mapped
 * @ref              Rubin 1984; Gelman, Meng & Stern 1996
 */
AGN_API AGN_MUST_CHECK agn_status agn_infer_predictive_check(double *p,
                                                             const agn_tensor *predicted,
                                                             const agn_tensor *data,
                                                             const agn_fn *statistic);

/** Options of agn_infer_sbc; zero bytes are defaults. */
typedef struct agn_sbc_options {
    size_t size;         /* sizeof(agn_sbc_options) */
    int64_t simulations; /* 0: 200 */
    int64_t ranks;       /* draws of the posterior that each truth is ranked among; 0: 99 */
    int64_t thin;        /* of so many transitions one draw is taken; 0: 10 */
    uint64_t seed;
    const agn_nuts_options *sampler; /* of agn_infer_nuts: all but draws, chains (1), seed, start, resume; NULL: defaults */
} agn_sbc_options;

/**
 * agn_infer_sbc - ranks of true parameters among draws, for data that they gave
 *
 * Parameters drawn from the priors, data drawn from them, and a posterior of these data by NUTS,
 * many times: where model and sampler are right, each rank is uniform on 0 ... opts->ranks
 * (agn_infer_sbc_check). All data must be observed: what agn_model_add adds cannot be drawn.
 *
 * @param out   out, i64 [simulations, dims], of the unconstrained numbers
 * @param m     model
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EARG (options; nothing is observed), AGN_EUNSUPPORTED (a term without
 *              a law), AGN_ECANCELLED, AGN_ENOMEM, and those of agn_infer_nuts and
 *              agn_infer_predict
 * @grad        none: integers
 * @cost        of simulations times agn_infer_nuts
 * @ref         Talts, Betancourt, Simpson, Vehtari & Gelman 2018; Cook, Gelman & Rubin 2006
 */
AGN_API AGN_MUST_CHECK agn_status agn_infer_sbc(agn_tensor **out, const agn_model *m,
                                                const agn_sbc_options *opts);

/**
 * agn_infer_sbc_check - how likely ranks as uneven as these are, were they uniform
 *
 * By chi squared over bins that are as even as they go. Small numbers, such as 1e-3, tell of an
 * error in model or sampler.
 *
 * @param out    out, f64 [dims]
 * @param ranks  i64 [simulations, dims] from agn_infer_sbc
 * @param most   the largest rank: opts->ranks
 * @param bins   2 to most + 1; five simulations for each at least should be there
 * @errors       AGN_ENULL, AGN_EARG (most, bins), AGN_ESHAPE, AGN_EDTYPE (ranks), AGN_EDOMAIN (a
 *               rank outside of 0 ... most), AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(n)
 * @ref          Pearson 1900
 */
AGN_API AGN_MUST_CHECK agn_status agn_infer_sbc_check(agn_tensor **out, const agn_tensor *ranks,
                                                      int64_t most, int64_t bins);

#ifdef __cplusplus
}
#endif
#endif
