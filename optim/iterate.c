/* optim/iterate.c - one step of any method; iteration until there is a reason to stop. */
#include "optim/optim.h"

#include <math.h>
#include <string.h>

const char *agn_optim_reason_name(int32_t reason)
{
    static const char *const names[] = {
        [AGN_OPTIM_RUNNING] = "running",         [AGN_OPTIM_GRADIENT] = "gradient",
        [AGN_OPTIM_STEP] = "step",               [AGN_OPTIM_VALUE] = "value",
        [AGN_OPTIM_MAX_STEPS] = "max steps",     [AGN_OPTIM_LINE_SEARCH] = "line search",
        [AGN_OPTIM_NOT_FINITE] = "not finite",   [AGN_OPTIM_CANCELLED] = "cancelled",
    };
    return reason >= 0 && reason < AGNI_COUNT(names) ? names[reason] : "unknown reason";
}

int32_t agni_optim_find_reason(agn_optim *o)
{
    agni_optim_scalars *k = &o->k;
    if (!agni_optim_is_finite(o))
        return AGN_OPTIM_NOT_FINITE;
    if (k->value < k->best) {
        k->best = k->value;
        k->idle = 0;
        if (o->best_x)
            memcpy(o->best_x, o->x, (size_t)o->n * sizeof *o->x);
    }
    return k->gradient <= o->opt.gradient_tol ? AGN_OPTIM_GRADIENT : AGN_OPTIM_RUNNING;
}

/* after a step from value_before */
static int32_t find_step_reason(agn_optim *o)
{
    agni_optim_scalars *k = &o->k;
    double most = 0;
    for (int64_t i = 0; i < o->n; i++)
        most = fmax(most, fabs(o->x[i] - o->x0[i]));
    k->step = most;
    k->idle++;
    int32_t reason = agni_optim_find_reason(o);
    if (reason != AGN_OPTIM_RUNNING)
        return reason;
    if (o->opt.step_tol > 0 &&
        most <= o->opt.step_tol * fmax(1, agni_vector_max_abs(AGN_F64, o->n, o->x)))
        return AGN_OPTIM_STEP;
    double change = fabs(k->value - k->value_before);
    if ((o->opt.value_tol > 0 &&
         change <= o->opt.value_tol * fmax(fabs(k->value), fabs(k->value_before))) ||
        (o->opt.idle_steps > 0 && k->idle >= o->opt.idle_steps))
        return AGN_OPTIM_VALUE;
    return AGN_OPTIM_RUNNING;
}

static void restore_step(agn_optim *o, const agni_optim_scalars *before)
{
    size_t bytes = (size_t)o->n * sizeof *o->x;
    double count = o->k.evaluations;
    memcpy(o->x, o->x0, bytes);
    memcpy(o->g, o->g0, bytes);
    o->k = *before;
    o->k.evaluations = count;
}

/* The first trial along d. Without curvature, a length of 1 at most; with a whole matrix, that of a
   step expected to change the value as the last one did, slightly more, and at most the full step
   (Nocedal & Wright 2006, (3.60)). */
static double first_trial(const agn_optim *o, double slope)
{
    const agni_optim_scalars *k = &o->k;
    bool whole = o->method == &agni_optim_bfgs;
    if (whole ? k->has_h == 0 : k->pairs == 0)
        return fmin(1, 1 / sqrt(agni_vector_dot_f64(o->n, o->d, o->d)));
    double t = 2.02 * (k->value - k->value_before) / slope;
    return whole && t > 0 ? fmin(1, t) : 1;
}

/* a step of a method that searches along a line */
agn_status agni_optim_descend(agn_optim *o, int32_t *reason)
{
    agni_optim_scalars *k = &o->k;
    size_t bytes = (size_t)o->n * sizeof *o->x;
    agn_status st = agni_optim_ensure_evaluated(o);
    if (st)
        return st;
    *reason = agni_optim_find_reason(o);
    if (*reason != AGN_OPTIM_RUNNING)
        return AGN_OK;
    memcpy(o->x0, o->x, bytes);
    memcpy(o->g0, o->g, bytes);
    bool converged = false; /* by one of the searches */
    for (;;) {
        o->method->direction(o);
        double slope = agni_vector_dot_f64(o->n, o->g, o->d);
        *reason = AGN_OPTIM_LINE_SEARCH;
        if (slope < 0 && isfinite(slope)) {
            agni_optim_scalars before = *k;
            double t = first_trial(o, slope);
            k->value_before = k->value;
            k->slope_before = slope;
            st = agni_optim_line_search(o, t, reason);
            if (st || *reason != AGN_OPTIM_RUNNING)
                restore_step(o, &before);
            if (st || *reason == AGN_OPTIM_RUNNING || *reason == AGN_OPTIM_CANCELLED)
                break;
            converged = converged || *reason == AGN_OPTIM_VALUE;
        }
        if (!o->method->reset(o)) {
            converged = converged || slope == 0; /* of the gradient alone: its square underflows */
            if (converged && *reason == AGN_OPTIM_LINE_SEARCH)
                *reason = AGN_OPTIM_VALUE;
            break;
        }
    }
    if (st == AGN_ECANCELLED) { /* the host's interrupt, noticed inside the objective */
        *reason = AGN_OPTIM_CANCELLED;
        return AGN_OK;
    }
    if (st || *reason != AGN_OPTIM_RUNNING)
        return st;
    k->steps++;
    *reason = find_step_reason(o);
    o->method->update(o);
    return AGN_OK;
}

static agn_status take_step(double *value, int32_t *reason, agn_optim *o, const agn_fn *fn,
                            const agn_tensor *const *args, int32_t n_args)
{
    if (!o)
        return agni_fail(AGN_ENULL, "optim_step: o is NULL");
    agn_status gone = agni_check_handle("optim_step", &o->head);
    if (gone)
        return gone;
    if (atomic_flag_test_and_set(&o->busy))
        return agni_fail(AGN_EARG,
                         "optim_step: the minimiser is in use by another call, in step %lld",
                         (long long)o->k.steps + 1);
    int32_t why = AGN_OPTIM_CANCELLED;
    agn_status st = agni_optim_bind(o, fn, args, n_args);
    if (!st && !agni_check_interrupt())
        st = o->method->direction ? agni_optim_descend(o, &why) : agni_optim_rule_step(o, &why);
    if (st == AGN_ECANCELLED) {
        why = AGN_OPTIM_CANCELLED;
        st = AGN_OK;
    }
    double now = o->k.value;
    if (!st)
        o->k.reason = why;
    atomic_flag_clear(&o->busy);
    if (!st && value)
        *value = now;
    if (!st && reason)
        *reason = why;
    return st;
}

agn_status agn_optim_step(double *value, int32_t *reason, agn_optim *o, const agn_fn *fn,
                          const agn_tensor *const *args, int32_t n_args)
{
    return take_step(value, reason, o, fn, args, n_args);
}

agn_status agn_optim_minimise(int32_t *reason, agn_optim *o, const agn_fn *fn,
                              const agn_tensor *const *args, int32_t n_args, int64_t max_steps,
                              agn_optim_callback *callback, void *user)
{
    if (!o)
        return agni_fail(AGN_ENULL, "optim_minimise: o is NULL");
    agn_status gone = agni_check_handle("optim_minimise", &o->head);
    if (gone)
        return gone;
    if (max_steps < 0)
        return agni_fail(AGN_EARG,
                         "optim_minimise: %lld steps are asked for; at least 0 can be made",
                         (long long)max_steps);
    agni_obj_retain(&o->head); /* the callback may drop the caller's reference */
    int32_t why = AGN_OPTIM_RUNNING;
    agn_status st = AGN_OK;
    for (int64_t i = 0; i < max_steps && why == AGN_OPTIM_RUNNING && !st; i++) {
        double value = 0, before = o->k.steps;
        st = take_step(&value, &why, o, fn, args, n_args);
        if (st || o->k.steps <= before)
            break;
        agni_report_progress("optim", (double)(i + 1) / (double)max_steps);
        if (callback && !callback(user, o, value) && why == AGN_OPTIM_RUNNING)
            why = AGN_OPTIM_CANCELLED;
    }
    if (why == AGN_OPTIM_RUNNING)
        why = AGN_OPTIM_MAX_STEPS;
    if (!st) {
        o->k.reason = why;
        if (reason)
            *reason = why;
    }
    agni_obj_release(&o->head);
    return st;
}
