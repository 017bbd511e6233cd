/* optim/options.c - options of a minimiser: defaults of its method, ranges, and which methods an
   option belongs to. */
#include "optim/optim.h"

#include <math.h>

#define UNBOUNDED ((double)INFINITY)
#define ONLY(kind) (1u << AGN_OPTIM_##kind)

enum {
    EVERY = -1, /* read where it has a meaning */
    SEARCHES = (int)(ONLY(LBFGS) | ONLY(BFGS) | ONLY(SSBFGS) | ONLY(SSBROYDEN)),
    RULES = (int)(((1u << AGN_OPTIM_KINDS) - 1) & ~(unsigned)SEARCHES)
};
#define AT(member) #member, offsetof(agn_optim_options, member)
#define OF_RULE(member) (int)offsetof(agni_optim_rule, member)

/* every real option: its member, its default, where a rule has one of its own, its open or closed
   range and the methods that know it */
static const struct {
    const char *name;
    size_t at;
    double otherwise;
    int of_rule; /* place in agni_optim_rule or 0 */
    double low, high;
    bool open; /* low is not in the range */
    int kinds;
} reals[] = {
    {AT(rate), 1e-3, OF_RULE(rate), 0, UNBOUNDED, true, EVERY},
    {AT(beta1), 0.9, OF_RULE(beta1), 0, 1, false, EVERY},
    {AT(beta2), 0.999, OF_RULE(beta2), 0, 1, false, EVERY},
    {AT(eps), 1e-8, OF_RULE(eps), 0, UNBOUNDED, false, EVERY},
    {AT(weight_decay), 0, OF_RULE(weight_decay), 0, UNBOUNDED, false, EVERY},
    {AT(c1), 1e-4, 0, 0, 1, true, EVERY},
    {AT(c2), 0.9, 0, 0, 1, true, EVERY},
    {AT(gradient_tol), 1e-10, 0, 0, UNBOUNDED, false, EVERY},
    {AT(step_tol), 0, 0, 0, UNBOUNDED, false, EVERY},
    {AT(value_tol), 0, 0, 0, UNBOUNDED, false, EVERY},
    {AT(momentum), 0, OF_RULE(momentum), 0, 1, false,
     (int)(ONLY(MOMENTUM) | ONLY(RMSPROP) | ONLY(LARS))},
    {AT(momentum_decay), 4e-3, 0, 0, UNBOUNDED, true, (int)ONLY(NADAM)},
    {AT(shrink), 0.5, 0, 0, 1, true, (int)ONLY(RPROP)},
    {AT(grow), 1.2, 0, 1, UNBOUNDED, true, (int)ONLY(RPROP)},
    {AT(least_step), 1e-6, 0, 0, UNBOUNDED, true, (int)ONLY(RPROP)},
    {AT(most_step), 50, 0, 0, UNBOUNDED, true, (int)ONLY(RPROP)},
    {AT(power), 0.75, 0, 0, UNBOUNDED, false, (int)ONLY(ASGD)},
    {AT(average_start), 1e6, 0, 0, UNBOUNDED, false, (int)ONLY(ASGD)},
    {AT(trust), 1e-3, 0, 0, UNBOUNDED, true, (int)ONLY(LARS)},
    {AT(clip_value), 0, 0, 0, UNBOUNDED, false, RULES},
    {AT(clip_norm), 0, 0, 0, UNBOUNDED, false, RULES},
    {AT(clip_global_norm), 0, 0, 0, UNBOUNDED, false, RULES},
    {AT(l1), 0, 0, 0, UNBOUNDED, false, RULES},
    {AT(l2), 0, 0, 0, UNBOUNDED, false, RULES},
    {AT(average_decay), 0, 0, 0, 1, false, RULES & ~(int)ONLY(ASGD)},
    {AT(lookahead_rate), 0.5, 0, 0, 1, true, RULES & ~(int)ONLY(ASGD)},
};

/* options that are not real numbers, of some methods alone */
static agn_status check_kinds(const char *op, int32_t kind, const agn_optim_options *a)
{
    const struct {
        const char *name;
        bool given;
        unsigned kinds;
    } others[] = {
        {"nesterov", a->nesterov, ONLY(MOMENTUM)},
        {"centred", a->centred, ONLY(RMSPROP)},
        {"lookahead_steps", a->lookahead_steps != 0, (unsigned)RULES & ~ONLY(ASGD)},
        {"rate_factors", a->rate_factors != NULL, (unsigned)RULES & ~ONLY(RPROP)},
        {"decay_factors", a->decay_factors != NULL, (unsigned)RULES},
    };
    for (int i = 0; i < AGNI_COUNT(others); i++)
        if (others[i].given && !(others[i].kinds >> kind & 1))
            return agni_fail(AGN_EARG, "%s: %s, method %d, has no %s", op, agni_optim_name(kind), kind,
                             others[i].name);
    return AGN_OK;
}

static agn_status fill_reals(const char *op, int32_t kind, agn_optim_options *a)
{
    const agni_optim_rule *rule = &agni_optim_rules[kind];
    for (int i = 0; i < AGNI_COUNT(reals); i++) {
        double *x = (double *)(void *)((char *)a + reals[i].at);
        if (*x != 0 && !(reals[i].kinds >> kind & 1))
            return agni_fail(AGN_EARG, "%s: %s, method %d, has no %s; it is %g", op,
                             agni_optim_name(kind), kind, reals[i].name, *x);
        if (*x == 0)
            *x = rule->name && reals[i].of_rule
                     ? *(const double *)(const void *)((const char *)rule + reals[i].of_rule)
                     : reals[i].otherwise;
        else if (*x == AGN_OPTIM_NONE && !reals[i].open)
            *x = 0;
        if (!(reals[i].open ? *x > reals[i].low : *x >= reals[i].low) || !(*x < reals[i].high))
            return agni_fail(AGN_EARG, "%s: %s is %g; it must be %s %g and below %g", op,
                             reals[i].name, *x, reals[i].open ? "above" : "at least", reals[i].low,
                             reals[i].high);
    }
    return AGN_OK;
}

static agn_status check_factors(const char *op, const char *name, const double *factor, int32_t n)
{
    for (int i = 0; factor && i < n; i++)
        if (!(factor[i] >= 0 && isfinite(factor[i])))
            return agni_fail(AGN_EARG, "%s: %s of parameter %d of %d is %g; it must be at least 0", op,
                             name, i, n, factor[i]);
    return AGN_OK;
}

agn_status agni_optim_fill_options(const char *op, int32_t kind, int32_t n_params,
                                   agn_optim_options *a)
{
    agn_status st = check_kinds(op, kind, a);
    st = st ? st : fill_reals(op, kind, a);
    st = st ? st : check_factors(op, "the rate factor", a->rate_factors, n_params);
    st = st ? st : check_factors(op, "the decay factor", a->decay_factors, n_params);
    if (st)
        return st;
    if (a->c1 >= a->c2)
        return agni_fail(AGN_EARG, "%s: c1 must be below c2: %g and %g", op, a->c1, a->c2);
    if (a->least_step > a->most_step)
        return agni_fail(AGN_EARG, "%s: least_step is %g, above most_step, %g", op, a->least_step,
                         a->most_step);
    if ((a->clip_value > 0) + (a->clip_norm > 0) + (a->clip_global_norm > 0) > 1)
        return agni_fail(AGN_EARG,
                         "%s: clip_value is %g, clip_norm %g, clip_global_norm %g; one at most clips",
                         op, a->clip_value, a->clip_norm, a->clip_global_norm);
    if (a->history < 0 || a->history > 10000 || a->max_evaluations < 0)
        return agni_fail(AGN_EARG,
                         "%s: history is %d and max_evaluations %d; 1 to 10000 and at least 1 "
                         "are possible",
                         op, a->history, a->max_evaluations);
    if (!a->history)
        a->history = 20;
    if (!a->max_evaluations)
        a->max_evaluations = 30;
    if (a->idle_steps < -1 || a->lookahead_steps < 0)
        return agni_fail(AGN_EARG,
                         "%s: idle_steps is %d and lookahead_steps %d; they must be at least -1 and 0",
                         op, a->idle_steps, a->lookahead_steps);
    if (!a->idle_steps)
        a->idle_steps = 50;
    return AGN_OK;
}
