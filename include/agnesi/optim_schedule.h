/**
 * agnesi/optim_schedule.h - rates of an optimiser by the count of steps
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions of the step, from 0, without a state: a run that is taken up again needs the count
 * alone. The rate goes to agn_optim_rate_set, or beside the count into a step of agn_fn_optim. Names
 * and meanings are Paddle's. Where an argument is out of its range the rate is NaN, which
 * agn_optim_rate_set refuses.
 */
#ifndef AGNESI_OPTIM_SCHEDULE_H
#define AGNESI_OPTIM_SCHEDULE_H

#include <agnesi/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A factor of the rate, by the step: of the program. */
typedef double agn_optim_factor(void *user, int64_t step);

/** Heights of the cycles of agn_optim_schedule_cyclic. */
enum {
    AGN_OPTIM_CYCLE_TRIANGULAR,  /* all the same */
    AGN_OPTIM_CYCLE_TRIANGULAR2, /* half as high each time */
    AGN_OPTIM_CYCLE_EXPONENTIAL  /* times gamma^step */
};

/**
 * agn_optim_schedule_noam - Noam: rises linearly, then falls as step^(-1/2)
 *
 * @param step          not negative
 * @param model_size    at least 1
 * @param warmup_steps  at least 1
 * @param rate          factor, positive
 * @return              rate model_size^(-1/2) min(step^(-1/2), step warmup_steps^(-3/2)); 0 at
 *                      step 0
 * @ref                 Vaswani et al. 2017, (3)
 */
AGN_API double agn_optim_schedule_noam(int64_t step, int64_t model_size, int64_t warmup_steps,
                                       double rate);

/**
 * agn_optim_schedule_piecewise - constant between boundaries
 *
 * @param step        not negative
 * @param boundaries  n steps, ascending
 * @param rates       n + 1 rates: before the first boundary, from it on, ...
 * @param n           not negative
 * @return            the rate of the interval that step is in
 */
AGN_API double agn_optim_schedule_piecewise(int64_t step, const int64_t *boundaries,
                                            const double *rates, int32_t n);

/**
 * agn_optim_schedule_natural_exponential - exponential decay by e
 *
 * @param step   not negative
 * @param rate   at step 0, positive
 * @param gamma  not negative
 * @return       rate exp(-gamma step)
 */
AGN_API double agn_optim_schedule_natural_exponential(int64_t step, double rate, double gamma);

/**
 * agn_optim_schedule_exponential - geometric decay
 *
 * @param step   not negative
 * @param rate   at step 0, positive
 * @param gamma  factor of a step, positive
 * @return       rate gamma^step
 */
AGN_API double agn_optim_schedule_exponential(int64_t step, double rate, double gamma);

/**
 * agn_optim_schedule_inverse_time - hyperbolic decay
 *
 * @param step   not negative
 * @param rate   at step 0, positive
 * @param gamma  not negative
 * @return       rate / (1 + gamma step)
 */
AGN_API double agn_optim_schedule_inverse_time(int64_t step, double rate, double gamma);

/**
 * agn_optim_schedule_polynomial - a power of the steps that are left
 *
 * @param step         not negative
 * @param rate         at step 0, positive
 * @param decay_steps  at least 1
 * @param end_rate     from decay_steps on, not negative
 * @param power        positive
 * @param cycle        go on by multiples of decay_steps, at each of which the rate rises again
 * @return             (rate - end_rate) (1 - step / decay_steps)^power + end_rate
 */
AGN_API double agn_optim_schedule_polynomial(int64_t step, double rate, int64_t decay_steps,
                                             double end_rate, double power, bool cycle);

/**
 * agn_optim_schedule_linear_warmup - a linear rise before another schedule
 *
 * @param step          not negative
 * @param warmup_steps  at least 1
 * @param start         rate at step 0, not negative
 * @param end           rate at warmup_steps
 * @param after         rate of the other schedule, at step - warmup_steps
 * @return              start + (end - start) step / warmup_steps, and after from warmup_steps on
 */
AGN_API double agn_optim_schedule_linear_warmup(int64_t step, int64_t warmup_steps, double start,
                                                double end, double after);

/**
 * agn_optim_schedule_linear - a factor that changes linearly
 *
 * @param step          not negative
 * @param rate          positive
 * @param total_steps   at least 1
 * @param start_factor  positive
 * @param end_factor    from total_steps on, not negative
 * @return              rate (start_factor + (end_factor - start_factor) min(1, step /
 *                      total_steps))
 */
AGN_API double agn_optim_schedule_linear(int64_t step, double rate, int64_t total_steps,
                                         double start_factor, double end_factor);

/**
 * agn_optim_schedule_step - a factor every so many steps
 *
 * @param step       not negative
 * @param rate       at step 0, positive
 * @param step_size  at least 1
 * @param gamma      positive
 * @return           rate gamma^floor(step / step_size)
 */
AGN_API double agn_optim_schedule_step(int64_t step, double rate, int64_t step_size, double gamma);

/**
 * agn_optim_schedule_multi_step - a factor at each milestone
 *
 * @param step        not negative
 * @param rate        at step 0, positive
 * @param milestones  n steps, ascending
 * @param n           not negative
 * @param gamma       positive
 * @return            rate gamma^(number of milestones up to step)
 */
AGN_API double agn_optim_schedule_multi_step(int64_t step, double rate, const int64_t *milestones,
                                             int32_t n, double gamma);

/**
 * agn_optim_schedule_lambda - a factor of the program's own
 *
 * @param step    not negative
 * @param rate    positive
 * @param factor  of the step
 * @param user    passed to factor
 * @return        rate factor(step)
 */
AGN_API double agn_optim_schedule_lambda(int64_t step, double rate, agn_optim_factor *factor,
                                         void *user);

/**
 * agn_optim_schedule_multiplicative - a product of factors of the program's own
 *
 * @param step    not negative
 * @param rate    at step 0, positive
 * @param factor  of each step
 * @param user    passed to factor
 * @return        rate factor(1) ... factor(step), by as many calls
 */
AGN_API double agn_optim_schedule_multiplicative(int64_t step, double rate,
                                                 agn_optim_factor *factor, void *user);

/**
 * agn_optim_schedule_cosine_annealing - half a wave of the cosine
 *
 * @param step        not negative
 * @param rate        at step 0, positive
 * @param period      steps to the least rate, at least 1
 * @param least_rate  not negative
 * @return            least_rate + (rate - least_rate) (1 + cos(pi step / period)) / 2
 * @ref               Loshchilov & Hutter 2017, (5)
 */
AGN_API double agn_optim_schedule_cosine_annealing(int64_t step, double rate, int64_t period,
                                                   double least_rate);

/**
 * agn_optim_schedule_cosine_restarts - half waves of the cosine, each longer
 *
 * @param step        not negative
 * @param rate        at the beginning of each, positive
 * @param period      of the first, at least 1
 * @param growth      factor of the next period, at least 1
 * @param least_rate  not negative
 * @return            as cosine_annealing, by steps since the last restart
 * @ref               Loshchilov & Hutter 2017, section 3
 */
AGN_API double agn_optim_schedule_cosine_restarts(int64_t step, double rate, int64_t period,
                                                  int64_t growth, double least_rate);

/**
 * agn_optim_schedule_one_cycle - up, then down below the beginning
 *
 * @param step           not negative
 * @param max_rate       positive
 * @param total_steps    at least 2
 * @param divide_factor  max_rate by the first rate, positive
 * @param end_rate       from total_steps - 1 on, not negative
 * @param rising         part of the steps that rise, between 0 and 1; at most 1/2 with
 *                       three_phases
 * @param linear         else by half waves of the cosine
 * @param three_phases   down to the first rate as long as up, then to end_rate
 * @return               the rate
 * @ref                  Smith & Topin 2019
 */
AGN_API double agn_optim_schedule_one_cycle(int64_t step, double max_rate, int64_t total_steps,
                                            double divide_factor, double end_rate, double rising,
                                            bool linear, bool three_phases);

/**
 * agn_optim_schedule_cyclic - to and fro between two rates
 *
 * @param step       not negative
 * @param base_rate  positive
 * @param max_rate   at least base_rate
 * @param up         steps up, at least 1
 * @param down       steps down, at least 1
 * @param mode       AGN_OPTIM_CYCLE_TRIANGULAR, ...
 * @param gamma      of AGN_OPTIM_CYCLE_EXPONENTIAL, positive
 * @return           the rate
 * @ref              Smith 2017, section 3
 */
AGN_API double agn_optim_schedule_cyclic(int64_t step, double base_rate, double max_rate,
                                         int64_t up, int64_t down, int32_t mode, double gamma);

/**
 * A schedule that falls where a measure stops to improve: zero members are defaults, the last four
 * are its state, 0 at first, and may be saved as they are.
 */
typedef struct agn_optim_plateau {
    size_t size;       /* sizeof(agn_optim_plateau) */
    double rate;       /* now; positive at first */
    double factor;     /* of a fall, between 0 and 1; 0.1 */
    double threshold;  /* an improvement is more than it; 1e-4, AGN_OPTIM_NONE for 0 */
    double least_rate; /* 0 */
    double least_fall; /* smaller changes of the rate are not made; 1e-8 */
    int32_t patience;  /* steps without an improvement before a fall; 10, -1: none */
    int32_t cooldown;  /* steps after a fall that do not count; 0 */
    bool maximise;     /* larger is better */
    bool absolute;     /* the threshold is absolute, else relative to |best| */
    double best;
    int64_t seen;      /* measures */
    int32_t bad, cooling;
} agn_optim_plateau;

/**
 * agn_optim_plateau_step - the rate after another measure
 *
 * @param rate     out, may be NULL: it is in p, too
 * @param p        schedule
 * @param measure  of the objective, say over an epoch; NaN is no improvement
 * @errors         AGN_ENULL, AGN_EARG (unknown size, a member out of range)
 */
AGN_API AGN_MUST_CHECK agn_status agn_optim_plateau_step(double *rate, agn_optim_plateau *p,
                                                         double measure);

#ifdef __cplusplus
}
#endif
#endif
