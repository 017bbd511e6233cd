/**
 * agnesi/optim.h - minimisers of a function of parameter tensors
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An objective is a function whose arguments are the parameters, then constant arguments (data),
 * and whose results are a real scalar, anything else, and last the gradient for each
 * parameter: what agn_fn_value_and_grad makes, usually compiled. An optimiser keeps its own
 * copy of the parameters. It can be stopped after any evaluation and carries on later with
 * the same bits; a stop is never an error, its reason says what happened. Results are the
 * same for any number of threads. One optimiser serves one call at a time.
 */
#ifndef AGNESI_OPTIM_H
#define AGNESI_OPTIM_H

#include <agnesi/graph.h>
#include <agnesi/optim_schedule.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A minimiser: parameters, method and its memory. */
typedef struct agn_optim agn_optim;

/**
 * Methods. LBFGS to SSBROYDEN search along a line for a point where strong Wolfe conditions hold; the
 * others are first-order rules: one evaluation, and a step of each element by its gradient.
 */
enum {
    AGN_OPTIM_ADAM,      /* Kingma & Ba 2015; decoupled decay: Loshchilov & Hutter 2019 */
    AGN_OPTIM_LBFGS,     /* limited memory, Nocedal 1980; cautious update, Li & Fukushima 2001 */
    AGN_OPTIM_BFGS,      /* n (n + 1) / 2 numbers of memory */
    AGN_OPTIM_SSBFGS,    /* self-scaled, Al-Baali 1998 */
    AGN_OPTIM_SSBROYDEN, /* self-scaled Broyden family: Al-Baali & Khalfan 2005; for
                            physics-informed networks Urban, Stefanou & Pons 2025 */
    AGN_OPTIM_SGD,       /* steepest descent: Robbins & Monro 1951 */
    AGN_OPTIM_MOMENTUM,  /* Polyak 1964; nesterov: Sutskever, Martens, Dahl & Hinton 2013 */
    AGN_OPTIM_ADAMAX,    /* Kingma & Ba 2015, algorithm 2: a largest gradient for the mean square */
    AGN_OPTIM_ADAGRAD,   /* Duchi, Hazan & Singer 2011 */
    AGN_OPTIM_ADADELTA,  /* Zeiler 2012 */
    AGN_OPTIM_RMSPROP,   /* Tieleman & Hinton 2012; centred: Graves 2013 */
    AGN_OPTIM_RPROP,     /* signs alone, for whole batches: Riedmiller & Braun 1993; Igel &
                            Huesken 2003 */
    AGN_OPTIM_NADAM,     /* Dozat 2016 */
    AGN_OPTIM_RADAM,     /* Liu, Jiang, He, Chen, Liu, Gao & Han 2020 */
    AGN_OPTIM_AMSGRAD,   /* Reddi, Kale & Kumar 2018 */
    AGN_OPTIM_ADABELIEF, /* Zhuang, Tang, Ding, Tatikonda, Dvornek, Papademetris & Duncan 2020 */
    AGN_OPTIM_LION,      /* Chen, Liang, Huang, Real, Wang et al. 2023 */
    AGN_OPTIM_ASGD,      /* steps whose parameters are averaged: Polyak & Juditsky 1992 */
    AGN_OPTIM_LAMB,      /* Adam by layers: You, Li, Reddi, Hseu, Kumar et al. 2020 */
    AGN_OPTIM_LARS,      /* momentum by layers: You, Gitman & Ginsburg 2017 */
    AGN_OPTIM_KINDS      /* number of methods */
};

/** Why a minimiser stopped. */
enum {
    AGN_OPTIM_RUNNING,     /* it did not: steps can go on */
    AGN_OPTIM_GRADIENT,    /* largest |gradient| within gradient_tol */
    AGN_OPTIM_STEP,        /* the step within step_tol */
    AGN_OPTIM_VALUE,       /* the change of the value within value_tol; 50 steps without a lower one,
                              or none along a line where the gradient fits the values: rounding is
                              reached */
    AGN_OPTIM_MAX_STEPS,   /* as many steps as asked for */
    AGN_OPTIM_LINE_SEARCH, /* no lower value along the gradient, which does not fit the values (it is
                              wrong, or jumps), or within max_evaluations */
    AGN_OPTIM_NOT_FINITE,  /* value or gradient is not finite, also close by */
    AGN_OPTIM_CANCELLED    /* by the callback or the host's interrupt hook */
};

/**
 * agn_optim_reason_name - a reason in words: "running", "gradient", "step", ...
 *
 * @param reason  AGN_OPTIM_RUNNING, ...
 * @return        static; "unknown reason" for any other number
 */
AGN_API const char *agn_optim_reason_name(int32_t reason);

/** In a member of agn_optim_options: off, as 0 would be. */
#define AGN_OPTIM_NONE (-1.0)

/**
 * Options of agn_optim_new; zero members are defaults. Where several are written, the default depends
 * on the method: the table of the manual.
 */
typedef struct agn_optim_options {
    size_t size;         /* sizeof(agn_optim_options) */
    double rate;         /* rules: size of a step; 1e-3, or as the method */
    double beta1, beta2; /* rules: averages of the gradient and its square; 0.9, 0.999 */
    double eps;          /* rules: added to the root of the mean square; 1e-8 */
    double weight_decay; /* rules: decoupled, times the rate; none or as the method */
    int32_t history;         /* L-BFGS: pairs kept; 20 */
    int32_t max_evaluations; /* in one line search; 30 */
    int32_t idle_steps;      /* so many without a lower value end a run; 50, -1: none do */
    bool keep_best;          /* the parameters of the lowest value are kept: agn_optim_best */
    double c1, c2;           /* of the Wolfe conditions, 0 < c1 < c2 < 1; 1e-4, 0.9 */
    double gradient_tol;     /* 1e-10; AGN_OPTIM_NONE where the value aimed at is tiny */
    double step_tol;         /* relative to the largest |parameter|, at least 1; none */
    double value_tol;        /* relative to the value; none */
    const agn_tensor *inverse_hessian; /* BFGS kinds: first approximation, f64 [n, n],
                                          symmetric positive definite; NULL: by scaling */
    double momentum;         /* MOMENTUM, LARS 0.9; RMSPROP none */
    bool nesterov;           /* MOMENTUM: the gradient at the point ahead */
    bool centred;            /* RMSPROP: the variance for the mean square */
    double momentum_decay;   /* NADAM: psi of the momentum's schedule; 0.004 */
    double shrink, grow;     /* RPROP: factors of a step; 0.5, 1.2 */
    double least_step, most_step; /* RPROP: 1e-6, 50 */
    double power;            /* ASGD: of the falling rate; 0.75 */
    double average_start;    /* ASGD: steps before the average begins; 1e6 */
    double trust;            /* LARS: rate of a layer by its norms; 1e-3 */
    /* of the gradient, before a rule sees it; one way to clip at most */
    double clip_value;       /* every component within +-clip_value; none */
    double clip_norm;        /* the 2-norm of each parameter's; none */
    double clip_global_norm; /* the 2-norm of all; none */
    double l1, l2;           /* penalties l1 |x|_1 + l2 |x|_2^2 / 2, in the gradient alone; none */
    /* of the parameters, after the step of a rule */
    double average_decay;    /* exponential average: agn_optim_average; none, 0.999 is usual */
    int32_t lookahead_steps; /* every so many go on from slow parameters: Zhang et al. 2019; none */
    double lookahead_rate;   /* of these; 0.5 */
    /* groups: factors of rate and weight_decay for each parameter, at least 0; NULL: 1; copied */
    const double *rate_factors, *decay_factors;
} agn_optim_options;

/**
 * agn_optim_new - a minimiser that starts at given parameters
 *
 * @param out     out
 * @param kind    AGN_OPTIM_ADAM, ...
 * @param params  n f32 or f64 tensors with values, copied; any strides
 * @param n       at least 1
 * @param opts    NULL for defaults; copied
 * @errors        AGN_ENULL, AGN_EARG (kind, unknown size, an option out of range or of another
 *                method, no parameters),
 *                AGN_EDTYPE (a parameter or the inverse Hessian), AGN_ESYMBOLIC, AGN_EDEVICE (not
 *                host memory), AGN_ESHAPE (of the inverse Hessian), AGN_EDOMAIN (the inverse
 *                Hessian is not symmetric, not positive definite), AGN_ENOMEM
 * @cost          memory for n numbers: rules (3 + agn_optim_slots()) n, L-BFGS (2 history + 7) n, others
 *                n^2 / 2; keep_best n more
 */
AGN_API AGN_MUST_CHECK agn_status agn_optim_new(agn_optim **out, int32_t kind,
                                                const agn_tensor *const *params, int32_t n,
                                                const agn_optim_options *opts);

/**
 * agn_optim_release - drop a minimiser
 *
 * @param o  NULL is allowed
 */
AGN_API void agn_optim_release(agn_optim *o);

/**
 * agn_optim_step - one step
 *
 * A rule evaluates once, at the parameters before the step. The others evaluate until the line
 * search is content, usually once. Of a sparse gradient (agn_sparse_embedding) a rule reads the rows
 * that it has, and moves these and their means alone, where it moves every element by itself; ASGD, LAMB,
 * LARS and averages of parameters refuse it. For the others places without an entry are 0.
 * Changed arguments are noticed. On failure, and where the
 * reason is AGN_OPTIM_LINE_SEARCH, AGN_OPTIM_NOT_FINITE or AGN_OPTIM_CANCELLED, the parameters
 * are as before, and where it is AGN_OPTIM_VALUE because no lower one is found.
 *
 * @param value   out, rules: before the step, else after it; may be NULL
 * @param reason  out, AGN_OPTIM_RUNNING or why no step, or no further step, makes sense; may
 *                be NULL
 * @param o       minimiser
 * @param fn      objective: number of parameters + n_args arguments
 * @param args    n_args constant arguments; may be NULL where n_args is 0
 * @param n_args  number of them
 * @errors        AGN_ENULL, AGN_EARG (numbers of arguments or results; in use), AGN_ESHAPE,
 *                AGN_EDTYPE (of value or gradient), AGN_EDEVICE, AGN_EUNSUPPORTED (a sparse gradient),
 *                AGN_ENOMEM, and those of fn
 * @cost          beyond fn: rules, L-BFGS O(n), others O(n^2); no allocation with a compiled fn
 */
AGN_API AGN_MUST_CHECK agn_status agn_optim_step(double *value, int32_t *reason, agn_optim *o,
                                                 const agn_fn *fn,
                                                 const agn_tensor *const *args,
                                                 int32_t n_args);

/**
 * Called after every step of agn_optim_minimise, where everything but a nested step is
 * allowed: reading parameters, setting the rate, saving the state. Returns false to stop.
 */
typedef bool agn_optim_callback(void *user, agn_optim *o, double value);

/**
 * agn_optim_minimise - steps until one of the reasons to stop
 *
 * @param reason     out, never AGN_OPTIM_RUNNING; may be NULL
 * @param o          minimiser; may have made steps before
 * @param fn         as for agn_optim_step
 * @param args       n_args constant arguments
 * @param n_args     number of them
 * @param max_steps  not negative
 * @param callback   may be NULL
 * @param user       passed to callback
 * @errors           as for agn_optim_step, AGN_EARG (max_steps)
 */
AGN_API AGN_MUST_CHECK agn_status agn_optim_minimise(int32_t *reason, agn_optim *o,
                                                     const agn_fn *fn,
                                                     const agn_tensor *const *args,
                                                     int32_t n_args, int64_t max_steps,
                                                     agn_optim_callback *callback, void *user);

/**
 * agn_fn_minimise - the parameters that make a function small, by one call
 *
 * The first n_out arguments are the parameters, where the search begins; the others are constants.
 * The gradient is taken of f, and value and gradient are compiled: f is what it would be for
 * agn_fn_grad(), its first result a real scalar.
 *
 * @param out        out, n_out new references, the parameters in the end, with keep_best those of
 *                   the lowest value; all or none are written
 * @param n_out      number of parameters, at least 1
 * @param value      out, of the function there; may be NULL
 * @param reason     out, why it ended, AGN_OPTIM_GRADIENT, ...; may be NULL
 * @param f          function
 * @param in         n_in arguments: parameters, f32 or f64, then constants
 * @param n_in       number of arguments of f
 * @param kind       AGN_OPTIM_LBFGS, ...
 * @param max_steps  not negative
 * @param opts       of the method; NULL for defaults
 * @errors           AGN_ENULL, AGN_EARG (n_out, n_in, max_steps, kind, an option), and those of
 *                   agn_fn_value_and_grad, agn_optim_new, agn_optim_step and of f
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_minimise(agn_tensor *out[], int32_t n_out, double *value,
                                                  int32_t *reason, const agn_fn *f,
                                                  const agn_tensor *const *in, int32_t n_in,
                                                  int32_t kind, int64_t max_steps,
                                                  const agn_optim_options *opts);

/**
 * agn_optim_n_params - number of parameter tensors
 *
 * @param o  minimiser
 * @return   -1 for NULL
 */
AGN_API int32_t agn_optim_n_params(const agn_optim *o);

/**
 * agn_optim_params - copies of the parameters as they are now
 *
 * @param out    out, n_out new references; all or none are written
 * @param n_out  number of parameters that out has room for: agn_optim_n_params(o)
 * @param o      minimiser
 * @errors       AGN_ENULL, AGN_EARG (o has another number of parameters; in use), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_optim_params(agn_tensor *out[], int32_t n_out,
                                                   const agn_optim *o);

/**
 * agn_optim_best - copies of the parameters where the lowest value was found
 *
 * Of the values that steps have seen since the minimiser began, for methods with a line search
 * since the objective last changed: a rule sees values of whatever batch it is given. Before a first
 * step, the parameters as they are, and NaN. They are part of the state.
 *
 * @param out    out, n_out new references; all or none are written
 * @param n_out  number of parameters that out has room for: agn_optim_n_params(o)
 * @param value  out, the value there; may be NULL
 * @param o      minimiser with the option keep_best
 * @errors       AGN_ENULL, AGN_EARG (o has another number of parameters, no such option; in use),
 *               AGN_ENOMEM
 * @cost         O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_optim_best(agn_tensor *out[], int32_t n_out, double *value,
                                                 const agn_optim *o);

/**
 * agn_optim_average - averages of the parameters over the steps
 *
 * Of ASGD its own; else, with average_decay b, the mean with weights b^(age of the step), which sum to
 * 1 (Kingma & Ba 2015, section 7.2). Before a first step the parameters as they are.
 *
 * @param out    out, n_out new references; all or none are written
 * @param n_out  number of parameters that out has room for: agn_optim_n_params(o)
 * @param o      minimiser of AGN_OPTIM_ASGD, or a rule with the option average_decay
 * @errors       AGN_ENULL, AGN_EARG (o has another number of parameters, or no average; in use),
 *               AGN_ENOMEM
 * @cost         O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_optim_average(agn_tensor *out[], int32_t n_out,
                                                    const agn_optim *o);

/**
 * agn_optim_rate - step size of a rule
 *
 * @param o  minimiser
 * @return   the rate; NaN for NULL
 */
AGN_API double agn_optim_rate(const agn_optim *o);

/**
 * agn_optim_rate_set - another step size from the next step on: a schedule calls it
 *
 * @param o     minimiser
 * @param rate  not negative, finite
 * @errors      AGN_ENULL, AGN_EARG (rate; in use)
 */
AGN_API AGN_MUST_CHECK agn_status agn_optim_rate_set(agn_optim *o, double rate);

/** What agn_optim_describe tells: of the last step, NaN where there is none. */
typedef struct agn_optim_info {
    size_t size; /* sizeof(agn_optim_info) */
    int32_t kind;
    int32_t reason;
    int64_t n;           /* numbers in all parameters */
    int64_t steps;       /* steps made */
    int64_t evaluations; /* of the objective */
    double value;        /* last known value of the objective */
    double gradient;     /* largest |component| of its gradient there */
    double step;         /* largest |change| of a parameter */
    double length;       /* t where the step is t times the direction; rules: the rate */
    double value_before;
    double slope_before; /* along the direction */
    double slope_after;
    bool strong_wolfe; /* else the evaluations of a line search ran out on a lower value */
} agn_optim_info;

/**
 * agn_optim_describe - where the minimiser stands
 *
 * @param info  out; info->size must be set
 * @param o     minimiser
 * @errors      AGN_ENULL, AGN_EARG (unknown size; in use)
 */
AGN_API AGN_MUST_CHECK agn_status agn_optim_describe(agn_optim_info *info, const agn_optim *o);

/**
 * agn_optim_state_get - everything a continuation needs, as one tensor
 *
 * Parameters, rate, counts and the method's memory; other options are not in it.
 *
 * @param out  out, f64 [m]
 * @param o    minimiser
 * @errors     AGN_ENULL, AGN_EARG (in use), AGN_ENOMEM
 * @grad       none: a constant
 * @cost       O(m)
 */
AGN_API AGN_MUST_CHECK agn_status agn_optim_state_get(agn_tensor **out, const agn_optim *o);

/**
 * agn_optim_state_set - carry on from a saved state, with the bits of an uninterrupted run
 *
 * @param o      minimiser of the same kind, options and number of parameters
 * @param state  from agn_optim_state_get
 * @errors       AGN_ENULL, AGN_EDTYPE (not f64), AGN_ESHAPE (not of this size), AGN_ESYMBOLIC,
 *               AGN_EDEVICE, AGN_EFORMAT (not a state of such a minimiser), AGN_EARG (in use)
 */
AGN_API AGN_MUST_CHECK agn_status agn_optim_state_set(agn_optim *o, const agn_tensor *state);

/* ---- clipping ----------------------------------------------------------------------- */

/**
 * agn_optim_clip_by_norm - a gradient of at most a given 2-norm
 *
 * x where its norm is at most that, else x scaled to it; 0 stays 0. agn_clip() clips by value.
 *
 * @param out   out, as x
 * @param x     f32 f64 c64 c128
 * @param most  positive, finite
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EARG (most), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_optim_clip_by_norm(agn_tensor **out, const agn_tensor *x,
                                                         double most);

/**
 * agn_optim_clip_by_global_norm - gradients of at most a given 2-norm of all together
 *
 * @param out   out, n new references, as x
 * @param x     n tensors, f32 f64 c64 c128
 * @param n     at least 1
 * @param most  positive, finite
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EARG (n, most), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(m), m numbers in all
 * @ref         Pascanu, Mikolov & Bengio 2013, algorithm 1
 */
AGN_API AGN_MUST_CHECK agn_status agn_optim_clip_by_global_norm(agn_tensor *out[],
                                                                const agn_tensor *const *x, int32_t n,
                                                                double most);

/* ---- steps as functions ------------------------------------------------------------ */

/**
 * agn_optim_pack - parameters as one vector
 *
 * @param out     out, [m] with m numbers in all
 * @param params  n tensors, all f32 or all f64
 * @param n       at least 1
 * @errors        AGN_ENULL, AGN_EARG (n), AGN_EDTYPE (mixed, or another), AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(m)
 */
AGN_API AGN_MUST_CHECK agn_status agn_optim_pack(agn_tensor **out,
                                                 const agn_tensor *const *params, int32_t n);

/**
 * agn_optim_unpack - the parameters in a vector
 *
 * @param out   out, n new references
 * @param x     in, [m]
 * @param like  n tensors of the shapes of the parameters; of their values nothing is used
 * @param n     at least 1
 * @errors      AGN_ENULL, AGN_EARG (n), AGN_EDTYPE (of like), AGN_ESHAPE (x has another size),
 *              AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_optim_unpack(agn_tensor *out[], const agn_tensor *x,
                                                   const agn_tensor *const *like, int32_t n);

/**
 * agn_optim_slots - vectors of the size of the parameters that a rule keeps
 *
 * @param kind  AGN_OPTIM_ADAM, AGN_OPTIM_SGD, ...
 * @param opts  NULL for defaults
 * @return      those of the method, and one more each for average_decay and lookahead_steps; -1 where
 *              kind is no rule, or the size of opts is unknown
 */
AGN_API int32_t agn_optim_slots(int32_t kind, const agn_optim_options *opts);

/**
 * agn_fn_optim - a step of a rule as a function: value, gradient and update are one program
 *
 * Arguments: x [m] (agn_optim_pack), the slots [m] (agn_optim_slots), all 0 at
 * first, count of steps f64 [], and the constant arguments of the objective. Results: all
 * these after the step, and the value before it. Instead of the count alone f64 [2] may be given,
 * count and rate: then the rate is an argument, too, handed on as it is, and a schedule changes no
 * plan and no graph of a device. So agn_fn_scan over it, with x, slots and count carried,
 * is an epoch, whose slices may be keys of random numbers that the objective draws. Compiled,
 * all of it is one call. Numbers are those of agn_optim_step to rounding; in f32 no f64 copy
 * is kept. Of an exponential average the slot is read divided by 1 - average_decay^count.
 *
 * @param out        out
 * @param kind       AGN_OPTIM_ADAM, AGN_OPTIM_SGD, ...: a rule
 * @param objective  as for agn_optim_step, not compiled
 * @param params     n tensors, all f32 or all f64: their shapes
 * @param n          at least 1
 * @param opts       rate, beta1, beta2, eps, weight_decay, ...; NULL for defaults
 * @errors           AGN_ENULL, AGN_EARG (kind, an option, counts), AGN_EDTYPE, AGN_ENOMEM; a call also
 *                   AGN_ESHAPE, AGN_EDTYPE, and those of the objective
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_optim(agn_fn **out, int32_t kind, const agn_fn *objective,
                                               const agn_tensor *const *params, int32_t n,
                                               const agn_optim_options *opts);

/**
 * agn_fn_adam - agn_fn_optim of Adam: two slots, the mean of the gradient and that of its square
 *
 * @param out        out
 * @param objective  as for agn_optim_step, not compiled
 * @param params     n tensors, all f32 or all f64: their shapes
 * @param n          at least 1
 * @param opts       rate, beta1, beta2, eps, weight_decay; NULL for defaults
 * @errors           AGN_ENULL, AGN_EARG (an option, counts), AGN_EDTYPE, AGN_ENOMEM; a call also
 *                   AGN_ESHAPE, AGN_EDTYPE, and those of the objective
 * @ref              Kingma & Ba 2015
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_adam(agn_fn **out, const agn_fn *objective,
                                              const agn_tensor *const *params, int32_t n,
                                              const agn_optim_options *opts);

/**
 * agn_fn_lbfgs - value, gradient and L-BFGS direction as one program
 *
 * Arguments: x [m] (agn_optim_pack), the last steps [k, m] and the changes of the gradient along
 * them [k, m], the oldest first, rows of zeros where there is no pair yet, and the constant
 * arguments of the objective. Results: value, gradient [m], direction [m].
 *
 * @param out        out
 * @param objective  as for agn_optim_step, not compiled
 * @param params     n tensors, all f32 or all f64: their shapes
 * @param n          at least 1
 * @errors           AGN_ENULL, AGN_EARG (counts), AGN_EDTYPE, AGN_ENOMEM; a call also AGN_ESHAPE,
 *                   AGN_EDTYPE, and those of the objective
 * @ref              Byrd, Nocedal & Schnabel 1994, theorem 2.2
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_lbfgs(agn_fn **out, const agn_fn *objective,
                                               const agn_tensor *const *params, int32_t n);

#ifdef __cplusplus
}
#endif
#endif
