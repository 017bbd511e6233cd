/**
 * agnesi/infer_approximation.h - approximations of posteriors: Laplace, variational, Pathfinder,
 * importance, EM
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A normal approximation is a mean and a lower triangular factor of its covariance, of
 * unconstrained numbers: what one function gives, agn_infer_importance corrects, and
 * agn_infer_elliptical_slice samples along.
 */
#ifndef AGNESI_INFER_APPROXIMATION_H
#define AGNESI_INFER_APPROXIMATION_H

#include <agnesi/infer.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Options of agn_fn_laplace; zero bytes are defaults. */
typedef struct agn_laplace_options {
    size_t size;        /* sizeof(agn_laplace_options) */
    int32_t max_steps;  /* of Newton's method; 0: 100 */
    double tol;         /* of its decrement, relative to 1 + |f|; 0: 1e-20 */
} agn_laplace_options;

/**
 * agn_fn_laplace - the logarithm of an integral over many numbers by Laplace's method, as a function
 *
 * log of the integral of exp f(x, theta) over x, about the x* that maximises it: f(x*, theta) + n/2
 * log 2 pi - 1/2 log det(-d2f/dx2). The Hessian is sparse by its own pattern, found by colouring
 * and factored by CHOLMOD; x* is a function of theta by the implicit function theorem, and the
 * derivative of the determinant comes from the selected inverse. So the result is the marginal
 * likelihood of a hierarchical model, with exact gradients in every theta, and in other modes and
 * orders.
 *
 * @param out   out, the arguments of f (of which x is where the search begins) to value [] and x*
 *              [n]
 * @param f     of x, f64 [n], and any arguments theta; to a number
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EARG (options; f has no arguments or several results), AGN_ENOMEM; a
 *              call also AGN_ESHAPE, AGN_EDTYPE (x is not f64 [n]), AGN_EDOMAIN (f is not finite
 *              where the search begins; the Hessian at x* is not negative definite), AGN_ENOCONV,
 *              AGN_EUNSUPPORTED (a build without SuiteSparse), and those of f
 * @cost        a sparse Hessian and a factorisation for each step of Newton's method; a gradient
 *              about two more
 * @ref         Tierney & Kadane 1986; Skaug & Fournier 2006; Kristensen et al. 2016; Rue, Martino &
 *              Chopin 2009
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_laplace(agn_fn **out, const agn_fn *f,
                                                 const agn_laplace_options *opts);

/**
 * agn_infer_laplace - the normal law with mode and curvature of a posterior
 *
 * Of the unconstrained numbers. L-BFGS from opts' place, then Newton's method.
 *
 * @param mode          out, f64 [dims]
 * @param scale_tril    out, f64 [dims, dims]: L, of the covariance L L^T
 * @param log_evidence  out, log of the integral of the density by this law; may be NULL
 * @param m             model
 * @param start         f32 f64 [dims]: where the search begins; NULL: zeros
 * @errors              AGN_ENULL, AGN_ESHAPE, AGN_EDTYPE (start), AGN_EDOMAIN (no finite density at
 *                      the start, no maximum: the Hessian is not negative definite), AGN_ENOMEM,
 *                      and those of the model
 * @grad                none: constants
 * @cost                gradients, and O(dims^3)
 * @ref                 Tierney & Kadane 1986
 */
AGN_API AGN_MUST_CHECK agn_status agn_infer_laplace(agn_tensor **mode, agn_tensor **scale_tril,
                                                    double *log_evidence, const agn_model *m,
                                                    const agn_tensor *start);

/** Options of agn_infer_advi; zero bytes are defaults. */
typedef struct agn_advi_options {
    size_t size;       /* sizeof(agn_advi_options) */
    bool full_rank;    /* a covariance, else a variance for each number */
    int64_t steps;     /* of Adam; 0: 5000 */
    int64_t draws;     /* in each step; 0: 10 */
    double rate;       /* of Adam at first, it falls to a hundredth; 0: 0.05 */
    uint64_t seed;
} agn_advi_options;

/**
 * agn_infer_advi - the normal law that is nearest to a posterior, by automatic variational inference
 *
 * Nearest in the Kullback-Leibler divergence of the posterior from it, of unconstrained numbers:
 * stochastic gradients of the evidence lower bound, reparametrised; the mean of the last third of
 * the steps.
 *
 * @param loc         out, f64 [dims]
 * @param scale_tril  out, f64 [dims, dims]: L, of the covariance L L^T; diagonal unless full_rank
 * @param elbo        out, estimate of the evidence lower bound there by 1000 draws; may be NULL
 * @param m           model
 * @param opts        NULL for defaults
 * @errors            AGN_ENULL, AGN_EARG (options), AGN_EDOMAIN (the bound is not finite: names the
 *                    step), AGN_ECANCELLED, AGN_ENOMEM, and those of the model
 * @grad              none: constants
 * @cost              steps * draws gradients; full rank O(dims^2) for each more
 * @ref               Kucukelbir, Tran, Ranganath, Gelman & Blei 2017
 */
AGN_API AGN_MUST_CHECK agn_status agn_infer_advi(agn_tensor **loc, agn_tensor **scale_tril,
                                                 double *elbo, const agn_model *m,
                                                 const agn_advi_options *opts);

/** Options of agn_infer_flow; zero bytes are defaults. */
typedef struct agn_flow_options {
    size_t size;    /* sizeof(agn_flow_options) */
    int32_t layers; /* couplings; 0: 8 */
    int32_t hidden; /* units of each network; 0: 32 */
    int64_t steps;  /* of Adam; 0: 3000 */
    int64_t batch;  /* draws in each step; 0: 64 */
    int64_t draws;  /* in the end; 0: 1000 */
    double rate;    /* of Adam at first, it falls to a hundredth; 0: 0.005 */
    uint64_t seed;
} agn_flow_options;

/**
 * agn_infer_flow - draws from a normalising flow that is led to a posterior
 *
 * Affine couplings: each layer shifts and scales one half of the numbers by networks of the other
 * half, in turn; of one number a scale and a shift. The dictionary is that of agn_infer_importance:
 * draws with their weights, so that what the flow misses is seen, and "sampler/elbo" [].
 *
 * @param out   out
 * @param m     model
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EARG (options), AGN_EDOMAIN (the bound is not finite: names the
 *              step), AGN_ECANCELLED, AGN_ENOMEM, and those of the model
 * @cost        steps * batch gradients
 * @ref         Rezende & Mohamed 2015; Dinh, Sohl-Dickstein & Bengio 2017
 */
AGN_API AGN_MUST_CHECK agn_status agn_infer_flow(agn_dict **out, const agn_model *m,
                                                 const agn_flow_options *opts);

/** Options of agn_infer_importance; zero bytes are defaults. */
typedef struct agn_importance_options {
    size_t size;     /* sizeof(agn_importance_options) */
    int64_t draws;   /* 0: 1000 */
    int64_t resample; /* so many of them, drawn again by their weights, are given; 0: all with their weights */
    uint64_t seed;
} agn_importance_options;

/**
 * agn_infer_importance - draws from a normal law with weights that make them draws from a posterior
 *
 * Weights are smoothed by a Pareto law (agn_infer_psis). The dictionary holds [1, draws, ...] of
 * each parameter and derived quantity, "sampler/point", "sampler/log_weight" [draws] (their
 * exponentials sum to 1; not where resampled), "sampler/pareto_k" [] (above 0.7 they are not to be
 * trusted), and "sampler/log_evidence" [].
 *
 * @param out         out
 * @param m           model
 * @param loc         f32 f64 [dims], from agn_infer_laplace, agn_infer_advi
 * @param scale_tril  f32 f64 [dims, dims]
 * @param opts        NULL for defaults
 * @errors            AGN_ENULL, AGN_EARG (options), AGN_ESHAPE, AGN_EDTYPE, AGN_EDOMAIN (the
 *                    diagonal is not positive; no finite density), AGN_ENOMEM, and those of the
 *                    model
 * @cost              draws densities
 * @ref               Vehtari, Simpson, Gelman, Yao & Gabry 2024
 */
AGN_API AGN_MUST_CHECK agn_status agn_infer_importance(agn_dict **out, const agn_model *m,
                                                       const agn_tensor *loc,
                                                       const agn_tensor *scale_tril,
                                                       const agn_importance_options *opts);

/** Options of agn_infer_pathfinder; zero bytes are defaults. */
typedef struct agn_pathfinder_options {
    size_t size;     /* sizeof(agn_pathfinder_options) */
    int64_t paths;   /* up to 256; 0: 4 */
    int64_t draws;   /* 0: 1000 */
    int32_t max_steps; /* of L-BFGS; 0: 1000 */
    int32_t history; /* pairs; 0: 6 */
    uint64_t seed;
    const agn_tensor *start; /* f64 [dims] or [paths, dims]; NULL: anywhere in (-2, 2) */
} agn_pathfinder_options;

/**
 * agn_infer_pathfinder - draws from the best normal laws along paths to the mode of a posterior
 *
 * On each path of L-BFGS from far to the mode, its own inverse Hessian is the covariance of a
 * normal law at each step; the one with the largest evidence lower bound is drawn from. Draws of
 * all paths are weighed, smoothed, and drawn again. The dictionary holds [1, draws, ...] of each
 * parameter and derived quantity, "sampler/point", "sampler/pareto_k" [], "sampler/elbo" [paths],
 * and "sampler/start" [paths, dims], one draw of each path, for opts->start of as many chains.
 *
 * @param out   out
 * @param m     model
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EARG (options), AGN_ESHAPE, AGN_EDTYPE (start), AGN_EDOMAIN (no path
 *              found a place with a finite bound), AGN_ECANCELLED, AGN_ENOMEM, and those of the
 *              model
 * @cost        of minimisations, and 10 densities for each of their steps
 * @ref         Zhang, Carpenter, Gelman & Vehtari 2022
 */
AGN_API AGN_MUST_CHECK agn_status agn_infer_pathfinder(agn_dict **out, const agn_model *m,
                                                       const agn_pathfinder_options *opts);

/** Options of agn_infer_em; zero bytes are defaults. */
typedef struct agn_em_options {
    size_t size;       /* sizeof(agn_em_options) */
    int64_t max_steps; /* 0: 1000 */
    double tol;        /* the gain of the log likelihood relative to 1 + its size that ends it; 0: 1e-10 */
} agn_em_options;

/**
 * agn_infer_em - parameters of largest likelihood by expectation and maximisation
 *
 * log_joint gives log p(x_i, z = k | parameters) of each row i and each state k that is not seen.
 * Expectation: responsibilities r, the softmax over states. Maximisation: of sum r log_joint, by
 * the function given, or by L-BFGS from where it stands. The log likelihood is the sum of the
 * logsumexp over states.
 *
 * @param out       out, n new references, the parameters in the end; all or none are written
 * @param n         number of parameters, at least 1
 * @param value     out, log likelihood there; may be NULL
 * @param steps     out, steps made; may be NULL
 * @param log_joint of n parameters and n_args arguments: f64 [rows, states]
 * @param maximise  of r [rows, states] and n_args arguments: n parameters; NULL: L-BFGS
 * @param in        n parameters to begin with, f64, and n_args arguments
 * @param n_in      n + n_args
 * @param opts      NULL for defaults
 * @errors          AGN_ENULL, AGN_EARG (options, numbers of arguments), AGN_ESHAPE, AGN_EDTYPE
 *                  (log_joint is not f64 [rows, states]), AGN_EDOMAIN (the log likelihood is not
 *                  finite: names the step), AGN_ECANCELLED, AGN_ENOMEM, and those of the functions
 * @ref             Dempster, Laird & Rubin 1977
 */
AGN_API AGN_MUST_CHECK agn_status agn_infer_em(agn_tensor *out[], int32_t n, double *value,
                                               int64_t *steps, const agn_fn *log_joint,
                                               const agn_fn *maximise,
                                               const agn_tensor *const *in, int32_t n_in,
                                               const agn_em_options *opts);

#ifdef __cplusplus
}
#endif
#endif
