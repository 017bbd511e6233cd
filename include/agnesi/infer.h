/**
 * agnesi/infer.h - posteriors of models: Hamiltonian Monte Carlo, diagnostics
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A model is a C function that names its parameters with their priors and adds what data say. It is
 * run once to find what there is, and then recorded as a log density of unconstrained numbers, a
 * function like any other: it can be differentiated, mapped and compiled.
 */
#ifndef AGNESI_INFER_H
#define AGNESI_INFER_H

#include <agnesi/distribution.h>
#include <agnesi/exchange.h>
#include <agnesi/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A model with parameters that have priors. */
typedef struct agn_model agn_model;

/** One run of a model's body. */
typedef struct agn_model_trace agn_model_trace;

/**
 * Body of a model: names parameters and adds log densities, in the same order whenever it runs.
 * user must not change what it computes.
 */
typedef agn_status agn_model_body(void *user, agn_scope *s, agn_model_trace *t);

/**
 * agn_model_new - a model from a C function
 *
 * The body is run with all unconstrained numbers 0.
 *
 * @param out      out
 * @param body     called once here, and once per trace
 * @param user     passed to body
 * @param destroy  called once with user when the model is gone; may be NULL
 * @errors         AGN_ENULL, AGN_EARG (no parameter; two of one name), AGN_ENOMEM, and those of
 *                 the body; then destroy is not called
 */
AGN_API AGN_MUST_CHECK agn_status agn_model_new(agn_model **out, agn_model_body *body, void *user,
                                                void (*destroy)(void *user));

/**
 * agn_model_retain - a new reference to a model
 *
 * @param m  NULL gives NULL
 * @return   m
 */
AGN_API agn_model *agn_model_retain(const agn_model *m);

/**
 * agn_model_release - drop a reference to a model
 *
 * @param m  NULL is allowed
 */
AGN_API void agn_model_release(agn_model *m);

/**
 * agn_model_parameter - name a parameter within a body
 *
 * Its log prior is added, and the log|det J| of the map that takes the constraint off: the
 * exponential for positive numbers, the logistic function for an interval. The scope fails with
 * AGN_ENULL, AGN_ESHAPE, AGN_EUNSUPPORTED (whole numbers), AGN_EARG (another parameter stood here
 * when the model was made).
 *
 * @param s      scope of the body
 * @param t      the run
 * @param name   as it is reported; one parameter each
 * @param prior  a law of real numbers; may depend on other parameters
 * @param ndim   axes before the batch shape of the prior
 * @param shape  their sizes; may be NULL where ndim is 0
 * @return       the value, f64, borrowed; NULL where the scope has failed
 */
AGN_API const agn_tensor *agn_model_parameter(agn_scope *s, agn_model_trace *t, const char *name,
                                              const agn_distribution *prior, int32_t ndim,
                                              const int64_t *shape);

/**
 * agn_model_observe - add the log density of data within a body
 *
 * The scope fails with AGN_ENULL and the errors of agn_distribution_log_prob.
 *
 * @param s     scope of the body
 * @param t     the run
 * @param d     law of the data
 * @param data  numbers; broadcasts with the batch shape
 */
AGN_API void agn_model_observe(agn_scope *s, agn_model_trace *t, const agn_distribution *d,
                               const agn_tensor *data);

/**
 * agn_model_add - add a log density within a body
 *
 * The scope fails with AGN_ENULL.
 *
 * @param s         scope of the body
 * @param t         the run
 * @param log_prob  any shape; its sum is added
 */
AGN_API void agn_model_add(agn_scope *s, agn_model_trace *t, const agn_tensor *log_prob);

/**
 * agn_model_derived - name a quantity to report within a body
 *
 * The scope fails with AGN_ENULL, AGN_EARG (another quantity stood here when the model was made).
 *
 * @param s      scope of the body
 * @param t      the run
 * @param name   as it is reported
 * @param value  of the parameters
 * @return       value
 */
AGN_API const agn_tensor *agn_model_derived(agn_scope *s, agn_model_trace *t, const char *name,
                                            const agn_tensor *value);

/**
 * agn_model_dims - unconstrained numbers of a model
 *
 * @param m  model
 * @return   -1 for NULL
 */
AGN_API int64_t agn_model_dims(const agn_model *m);

/**
 * agn_model_count - parameters and derived quantities of a model
 *
 * @param m  model
 * @return   -1 for NULL
 */
AGN_API int32_t agn_model_count(const agn_model *m);

/**
 * agn_model_name - name of a parameter or derived quantity
 *
 * @param m  model
 * @param i  0 to agn_model_count(m) - 1
 * @return   NULL for NULL, and where there is none
 */
AGN_API const char *agn_model_name(const agn_model *m, int32_t i);

/**
 * agn_model_log_density - the log density of a model as a function
 *
 * Of the unconstrained numbers, up to what the priors and data leave out.
 *
 * @param out  out, f64 [dims] to a number
 * @param m    model
 * @errors     AGN_ENULL, AGN_ENOMEM; a call also AGN_ESHAPE, and the errors of the body
 */
AGN_API AGN_MUST_CHECK agn_status agn_model_log_density(agn_fn **out, const agn_model *m);

/**
 * agn_model_values - parameters and derived quantities as a function
 *
 * @param out  out, f64 [dims] to agn_model_count(m) results
 * @param m    model
 * @errors     AGN_ENULL, AGN_ENOMEM; a call also AGN_ESHAPE, and the errors of the body
 */
AGN_API AGN_MUST_CHECK agn_status agn_model_values(agn_fn **out, const agn_model *m);

/**
 * agn_model_log_prior - the log density of the priors of a model alone
 *
 * With log|det J|. What agn_infer_smc tempers is agn_model_log_density less this.
 *
 * @param out  out, f64 [dims] to a number
 * @param m    model
 * @errors     AGN_ENULL, AGN_ENOMEM; a call also AGN_ESHAPE, and the errors of the body
 */
AGN_API AGN_MUST_CHECK agn_status agn_model_log_prior(agn_fn **out, const agn_model *m);

/**
 * agn_model_observations - how often a model observes data
 *
 * @param m  model
 * @return   -1 for NULL
 */
AGN_API int32_t agn_model_observations(const agn_model *m);

/**
 * agn_model_log_likelihood - the log density of each number observed, as a function
 *
 * Those of agn_model_observe, one after the other; what agn_model_add adds is not among them.
 *
 * @param out  out, f64 [dims] to f64 [numbers observed]
 * @param m    model
 * @errors     AGN_ENULL, AGN_EARG (nothing is observed), AGN_ENOMEM; a call also AGN_ESHAPE, and
 *             the errors of the body
 */
AGN_API AGN_MUST_CHECK agn_status agn_model_log_likelihood(agn_fn **out, const agn_model *m);

/**
 * agn_model_draw_prior - unconstrained numbers drawn from the priors, as a function
 *
 * What agn_model_add and agn_model_observe add is no part of it.
 *
 * @param out  out, a key, i64 [2], to f64 [dims]
 * @param m    model
 * @errors     AGN_ENULL, AGN_ENOMEM; a call also AGN_ESHAPE, AGN_EDTYPE (of the key), and the
 *             errors of the body
 */
AGN_API AGN_MUST_CHECK agn_status agn_model_draw_prior(agn_fn **out, const agn_model *m);

/**
 * agn_model_predict - data drawn from their laws, as a function
 *
 * Where the body observes data, numbers of the same shape are drawn.
 *
 * @param out  out, a key, i64 [2], and f64 [dims] to agn_model_observations(m) results
 * @param m    model
 * @errors     AGN_ENULL, AGN_EARG (nothing is observed), AGN_ENOMEM; a call also AGN_ESHAPE (the
 *             law of data has another shape), AGN_EDTYPE (of the key), and the errors of the body
 */
AGN_API AGN_MUST_CHECK agn_status agn_model_predict(agn_fn **out, const agn_model *m);

/**
 * agn_model_with_data - a model with other data
 *
 * What the body computes of its data by itself stays as it is: only the arguments of
 * agn_model_observe are replaced.
 *
 * @param out   out
 * @param m     model, retained
 * @param data  n tensors in the order in which the body observes, copied; may be NULL where n is 0
 * @param n     agn_model_observations(m)
 * @errors      AGN_ENULL, AGN_EARG (n), AGN_ESHAPE (another shape), AGN_ENOMEM, and those of the
 *              body
 */
AGN_API AGN_MUST_CHECK agn_status agn_model_with_data(agn_model **out, const agn_model *m,
                                                      const agn_tensor *const *data, int32_t n);

/** What agn_infer_nuts learns of the posterior while it warms up. */
enum {
    AGN_METRIC_DIAGONAL, /* a scale for each number */
    AGN_METRIC_DENSE,    /* a covariance matrix: O(n^2) a step, O(n^3) each time it is learnt */
    AGN_METRIC_LOW_RANK  /* scales, and up to 2 rank directions in which it is wider or narrower than they say */
};

/** Options of agn_infer_nuts; zero bytes are defaults. */
typedef struct agn_nuts_options {
    size_t size;          /* sizeof(agn_nuts_options) */
    int64_t warmup;       /* transitions before draws, at least 20; 0: 1000 */
    int64_t draws;        /* of each chain; 0: 1000 */
    int64_t chains;       /* up to 256; 0: 4 */
    uint64_t seed;
    double target_accept; /* of the dual averaging; 0: 0.8 */
    int32_t max_depth;    /* 2^max_depth leapfrog steps at most, up to 20; 0: 10 */
    int32_t steps;        /* leapfrog steps of each transition: plain Hamiltonian Monte Carlo; 0: NUTS */
    int32_t metric;       /* AGN_METRIC_DIAGONAL, ... */
    int32_t rank;         /* of AGN_METRIC_LOW_RANK; 0: 10 */
    const agn_tensor *start;  /* f64 [dims] or [chains, dims]: where chains start; NULL: anywhere */
    const agn_dict *resume;   /* draws of the same model, seed and options: chains go on from their ends, without
                                 warm-up, as if they had never stopped */
    double max_error; /* of the energy within a step, which is halved until that holds: WALNUTS;
                         0: steps of one size */
} agn_nuts_options;

/**
 * agn_infer_nuts - draws from the posterior of a model by the no-U-turn sampler
 *
 * Chains start anywhere in (-2, 2) of each unconstrained number, or at opts->start. Warm-up learns
 * the step size by dual averaging and a metric from the spread of draws and gradients; then neither
 * changes. Chains run on threads, each with its own stream of random numbers: the same draws for
 * any number of threads. The dictionary holds [chains, draws, ...] of each parameter and derived
 * quantity by its name, "sampler/point", "sampler/energy", "sampler/accept", "sampler/depth",
 * "sampler/leapfrogs", "sampler/divergent" (1 where the energy was lost), "sampler/step"
 * [chains], and what opts->resume needs, "sampler/state" and "sampler/stream"; agn_npz_save writes
 * it. Progress is told to the host's hook as "sampling".
 *
 * With opts->max_error a step is walked in 2^k parts, the fewest within which the energy moves by
 * no more, up to k = 10. Where the way back would take fewer parts the walk ends, so that the
 * posterior is kept exactly. Warm-up and "sampler/accept" then see the step in one part;
 * "sampler/leapfrogs" counts all parts that were tried.
 *
 * @param out   out
 * @param m     model
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EARG (options; nothing to resume), AGN_ESHAPE, AGN_EDTYPE (start; of
 *              the state to resume), AGN_EDOMAIN (no start with a finite density and
 *              gradient: names the chain), AGN_ECANCELLED (by the host), AGN_ENOMEM, and those of
 *              the model
 * @cost        a gradient for each leapfrog step, without allocation
 * @ref         Hoffman & Gelman 2014; Betancourt 2017; Tran & Kleppe 2024 (metric); Bou-Rabee,
 *              Carpenter, Kleppe & Liu 2025 (max_error)
 */
AGN_API AGN_MUST_CHECK agn_status agn_infer_nuts(agn_dict **out, const agn_model *m,
                                                 const agn_nuts_options *opts);

/**
 * agn_infer_rhat - how far chains are from one distribution: 1 where they are not to be told apart
 *
 * The larger one of the rank-normalised split R-hat of the draws and of their distances from the
 * median. NaN where draws are not finite or do not move.
 *
 * @param out  out, f64 [...]
 * @param x    f32 f64, [chains, draws, ...]; at least 4 draws
 * @errors     AGN_ENULL, AGN_ESHAPE (two axes at least, 4 draws), AGN_EDTYPE, AGN_ENOMEM
 * @grad       none: a constant
 * @cost       O(n log n) for each quantity
 * @ref        Vehtari et al. 2021
 */
AGN_API AGN_MUST_CHECK agn_status agn_infer_rhat(agn_tensor **out, const agn_tensor *x);

/**
 * agn_infer_ess_bulk - how many independent draws tell as much of the centre
 *
 * Of the rank-normalised draws of split chains. NaN as for agn_infer_rhat.
 *
 * @param out  out, f64 [...]
 * @param x    f32 f64, [chains, draws, ...]; at least 4 draws
 * @errors     AGN_ENULL, AGN_ESHAPE (two axes at least, 4 draws), AGN_EDTYPE, AGN_ENOMEM
 * @grad       none: a constant
 * @cost       O(n log n) for each quantity, and O(n) for each lag that correlates
 * @ref        Vehtari et al. 2021
 */
AGN_API AGN_MUST_CHECK agn_status agn_infer_ess_bulk(agn_tensor **out, const agn_tensor *x);

/**
 * agn_infer_ess_tail - how many independent draws tell as much of the 5 % and 95 % quantiles
 *
 * The smaller one of both. NaN as for agn_infer_rhat.
 *
 * @param out  out, f64 [...]
 * @param x    f32 f64, [chains, draws, ...]; at least 4 draws
 * @errors     AGN_ENULL, AGN_ESHAPE (two axes at least, 4 draws), AGN_EDTYPE, AGN_ENOMEM
 * @grad       none: a constant
 * @cost       O(n log n) for each quantity, and O(n) for each lag that correlates
 * @ref        Vehtari et al. 2021
 */
AGN_API AGN_MUST_CHECK agn_status agn_infer_ess_tail(agn_tensor **out, const agn_tensor *x);

/**
 * agn_infer_mcse - standard error of the mean of the draws
 *
 * The standard deviation over the root of the effective sample size. NaN as for agn_infer_rhat.
 *
 * @param out  out, f64 [...]
 * @param x    f32 f64, [chains, draws, ...]; at least 4 draws
 * @errors     AGN_ENULL, AGN_ESHAPE (two axes at least, 4 draws), AGN_EDTYPE, AGN_ENOMEM
 * @grad       none: a constant
 * @cost       O(n) for each lag that correlates
 * @ref        Vehtari et al. 2021
 */
AGN_API AGN_MUST_CHECK agn_status agn_infer_mcse(agn_tensor **out, const agn_tensor *x);

/**
 * agn_infer_bfmi - Bayesian fraction of missing information, by chain
 *
 * Below 0.3 the momenta move too little energy for the chain to see the tails.
 *
 * @param out     out, f64 [chains]
 * @param energy  "sampler/energy" of agn_infer_nuts, [chains, draws]
 * @errors        AGN_ENULL, AGN_ESHAPE (two axes, 4 draws), AGN_EDTYPE, AGN_ENOMEM
 * @grad          none: a constant
 * @cost          O(n)
 * @ref           Betancourt 2016
 */
AGN_API AGN_MUST_CHECK agn_status agn_infer_bfmi(agn_tensor **out, const agn_tensor *energy);

/**
 * agn_infer_summary - the draws of a dictionary as a table
 *
 * A line for each number: mean, standard deviation, 5 %, 50 % and 95 % quantile, both effective
 * sample sizes, R-hat; then the divergences. Names that begin with sampler/ are left out.
 *
 * @param buf   n bytes, always terminated; may be NULL where n is 0
 * @param n     size of buf
 * @param need  out, bytes the whole text needs with its end; may be NULL
 * @param d     of agn_infer_nuts
 * @errors      AGN_ENULL, AGN_ENOMEM, and those of agn_infer_rhat
 */
AGN_API AGN_MUST_CHECK agn_status agn_infer_summary(char *buf, size_t n, size_t *need,
                                                    const agn_dict *d);

#ifdef __cplusplus
}
#endif
#endif
