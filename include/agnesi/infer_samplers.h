/**
 * agnesi/infer_samplers.h - other samplers: Langevin, slices, ellipses, Gibbs, sequential Monte
 * Carlo
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chains run on threads, each with its own stream of random numbers and its own plans: draws are
 * the same for any number of threads.
 */
#ifndef AGNESI_INFER_SAMPLERS_H
#define AGNESI_INFER_SAMPLERS_H

#include <agnesi/infer.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Options of chains; zero bytes are defaults. */
typedef struct agn_chain_options {
    size_t size;          /* sizeof(agn_chain_options) */
    int64_t warmup;       /* transitions before draws, at least 20; 0: 1000 */
    int64_t draws;        /* of each chain; 0: 1000 */
    int64_t chains;       /* up to 256; 0: 4 */
    uint64_t seed;
    double target_accept; /* agn_infer_mala alone; 0: 0.574 */
    const agn_tensor *start; /* f64 [dims] or [chains, dims]; NULL: anywhere in (-2, 2) */
    const agn_dict *resume;  /* as for agn_infer_nuts */
} agn_chain_options;

/**
 * agn_infer_mala - draws from the posterior of a model by the Metropolis-adjusted Langevin algorithm
 *
 * Each transition is one step along the gradient with a normal number added, accepted by Metropolis
 * and Hastings. Step and diagonal metric are learnt as by agn_infer_nuts, and the dictionary is
 * its.
 *
 * @param out   out
 * @param m     model
 * @param opts  NULL for defaults
 * @errors      those of agn_infer_nuts
 * @cost        a gradient for each transition, without allocation
 * @ref         Roberts & Tweedie 1996; Roberts & Rosenthal 1998 (acceptance)
 */
AGN_API AGN_MUST_CHECK agn_status agn_infer_mala(agn_dict **out, const agn_model *m,
                                                 const agn_chain_options *opts);

/**
 * agn_infer_slice - draws from the posterior of a model by slices along each axis in turn
 *
 * No gradient is asked for, and none needs to be: densities may jump. An interval around the point
 * is stepped out until it leaves the slice, and shrunk where a draw from it misses. Widths are
 * learnt while it warms up. "sampler/leapfrogs" counts densities, "sampler/energy" is minus the log
 * density.
 *
 * @param out   out
 * @param m     model
 * @param opts  NULL for defaults
 * @errors      those of agn_infer_nuts
 * @cost        about five densities for each number, without allocation
 * @ref         Neal 2003
 */
AGN_API AGN_MUST_CHECK agn_status agn_infer_slice(agn_dict **out, const agn_model *m,
                                                  const agn_chain_options *opts);

/**
 * agn_infer_elliptical_slice - draws from the posterior of a model along ellipses of a normal law
 *
 * With N(loc, L L^T) as the prior and the rest of the density as the likelihood, whatever the model
 * says of them: right for every density, and fast where that law is nearly the prior, or the
 * posterior (agn_infer_laplace). There is nothing to be learnt, and no draw is refused. No gradient
 * is asked for.
 *
 * @param out         out
 * @param m           model
 * @param loc         f32 f64 [dims]: mean
 * @param scale_tril  f32 f64 [dims, dims]: L, of which the lower triangle is read
 * @param opts        NULL for defaults
 * @errors            those of agn_infer_nuts; AGN_EDOMAIN (the diagonal of L is not positive: names
 *                    the row)
 * @cost              some densities and O(dims^2) for each transition, without allocation
 * @ref               Murray, Adams & MacKay 2010; Nishihara, Murray & Adams 2014
 */
AGN_API AGN_MUST_CHECK agn_status agn_infer_elliptical_slice(agn_dict **out, const agn_model *m,
                                                             const agn_tensor *loc,
                                                             const agn_tensor *scale_tril,
                                                             const agn_chain_options *opts);

/** One block of a Gibbs sampler. */
typedef struct agn_gibbs_block {
    const char *name;        /* as it is reported */
    const agn_tensor *start; /* its first value; of any dtype */
    const agn_fn
        *draw; /* of a key, i64 [2], and the values of all blocks: the next value of this one, drawn
                                given the others or by any step that leaves its conditional law as it is */
} agn_gibbs_block;

/**
 * agn_infer_gibbs - draws by Gibbs sampling: each block in turn given all others
 *
 * The functions are compiled for each chain. The dictionary holds [chains, draws, ...] of each
 * block by its name. Whole numbers are welcome.
 *
 * @param out     out
 * @param blocks  n blocks; starts are copied
 * @param n       1 to 64
 * @param opts    NULL for defaults; start, resume and target_accept must not be set
 * @errors        AGN_ENULL, AGN_EARG (n, options, two of one name, arguments of a function),
 *                AGN_ESHAPE, AGN_EDTYPE (a draw is not like its block), AGN_ECANCELLED, AGN_ENOMEM,
 *                and those of the functions
 * @cost          a call of each function for each transition
 * @ref           Geman & Geman 1984; Gelfand & Smith 1990
 */
AGN_API AGN_MUST_CHECK agn_status agn_infer_gibbs(agn_dict **out, const agn_gibbs_block *blocks,
                                                  int32_t n, const agn_chain_options *opts);

/** Options of agn_infer_smc; zero bytes are defaults. */
typedef struct agn_smc_options {
    size_t size;       /* sizeof(agn_smc_options) */
    int64_t particles; /* 0: 2000 */
    uint64_t seed;
    double ess;        /* share of effective particles that each temperature leaves; 0: 0.5 */
    int32_t max_moves; /* Metropolis steps at one temperature at most; 0: 50 */
} agn_smc_options;

/**
 * agn_infer_smc - draws from the posterior of a model by tempered sequential Monte Carlo
 *
 * Particles drawn from the priors are led to the posterior by way of prior * (all else)^t, with t
 * from 0 to 1 in steps that leave opts->ess of them effective. At each they are resampled and moved
 * by Metropolis steps, whose covariance is theirs, until nearly all have moved. The dictionary
 * holds [1, particles, ...] of each parameter and derived quantity, "sampler/point",
 * "sampler/temperature" and "sampler/accept" [stages], and "sampler/log_evidence" [].
 *
 * @param out   out
 * @param m     model
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EARG (options), AGN_EDOMAIN (no particle has a finite density),
 *              AGN_ENOCONV (more than 500 temperatures), AGN_ECANCELLED, AGN_ENOMEM, and those of
 *              agn_model_draw_prior and of the model
 * @cost        a density of all particles at once for each move
 * @ref         Del Moral, Doucet & Jasra 2006; Jasra, Stephens, Doucet & Tsagaris 2011
 *              (temperatures)
 */
AGN_API AGN_MUST_CHECK agn_status agn_infer_smc(agn_dict **out, const agn_model *m,
                                                const agn_smc_options *opts);

#ifdef __cplusplus
}
#endif
#endif
