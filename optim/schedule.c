/* optim/schedule.c - rates by the count of steps, in closed form (Paddle's paddle.optimizer.lr; Smith 2017;
   Loshchilov & Hutter 2017; Smith & Topin 2019). */
#include "core/core.h"
#include <agnesi/optim.h>

#include <math.h>

#define PI 3.14159265358979323846
#define NO_RATE ((double)NAN)

static bool is_positive(double x)
{
    return x > 0 && isfinite(x);
}
static bool is_least(double x) /* not negative */
{
    return x >= 0 && isfinite(x);
}
/* a step and a rate */
static bool is_start(int64_t step, double rate)
{
    return step >= 0 && is_positive(rate);
}
static bool is_ascending(const int64_t *at, int32_t n)
{
    if (n < 0 || (n && !at))
        return false;
    for (int32_t i = 1; i < n; i++)
        if (at[i] <= at[i - 1])
            return false;
    return true;
}
/* how many of n ascending places are at most step */
static int32_t count_passed(const int64_t *at, int32_t n, int64_t step)
{
    int32_t passed = 0;
    while (passed < n && at[passed] <= step)
        passed++;
    return passed;
}
/* from begin at 0 to end at 1, by half a wave of the cosine */
static double half_wave(double begin, double end, double at)
{
    return end + (begin - end) * (1 + cos(PI * at)) / 2;
}

double agn_optim_schedule_noam(int64_t step, int64_t model_size, int64_t warmup_steps, double rate)
{
    if (!is_start(step, rate) || model_size < 1 || warmup_steps < 1)
        return NO_RATE;
    double t = (double)step, rise = t * pow((double)warmup_steps, -1.5);
    return rate / sqrt((double)model_size) * (step ? fmin(1 / sqrt(t), rise) : 0);
}

double agn_optim_schedule_piecewise(int64_t step, const int64_t *boundaries, const double *rates,
                                    int32_t n)
{
    if (step < 0 || !rates || !is_ascending(boundaries, n))
        return NO_RATE;
    double rate = rates[count_passed(boundaries, n, step)];
    return is_least(rate) ? rate : NO_RATE;
}

double agn_optim_schedule_natural_exponential(int64_t step, double rate, double gamma)
{
    return is_start(step, rate) && is_least(gamma) ? rate * exp(-gamma * (double)step) : NO_RATE;
}

double agn_optim_schedule_exponential(int64_t step, double rate, double gamma)
{
    return is_start(step, rate) && is_positive(gamma) ? rate * pow(gamma, (double)step) : NO_RATE;
}

double agn_optim_schedule_inverse_time(int64_t step, double rate, double gamma)
{
    return is_start(step, rate) && is_least(gamma) ? rate / (1 + gamma * (double)step) : NO_RATE;
}

double agn_optim_schedule_polynomial(int64_t step, double rate, int64_t decay_steps,
                                     double end_rate, double power, bool cycle)
{
    if (!is_start(step, rate) || decay_steps < 1 || !is_least(end_rate) || !is_positive(power))
        return NO_RATE;
    double at = (double)step / (double)decay_steps;
    at = cycle ? at / fmax(1, ceil(at)) : fmin(1, at);
    return (rate - end_rate) * pow(1 - at, power) + end_rate;
}

double agn_optim_schedule_linear_warmup(int64_t step, int64_t warmup_steps, double start,
                                        double end, double after)
{
    if (step < 0 || warmup_steps < 1 || !is_least(start) || !is_least(end))
        return NO_RATE;
    if (step >= warmup_steps)
        return is_least(after) ? after : NO_RATE;
    return start + (end - start) * (double)step / (double)warmup_steps;
}

double agn_optim_schedule_linear(int64_t step, double rate, int64_t total_steps,
                                 double start_factor, double end_factor)
{
    if (!is_start(step,
                  rate) || total_steps < 1 || !is_positive(start_factor) || !is_least(end_factor))
        return NO_RATE;
    double at = fmin(1, (double)step / (double)total_steps);
    return rate * (start_factor + (end_factor - start_factor) * at);
}

double agn_optim_schedule_step(int64_t step, double rate, int64_t step_size, double gamma)
{
    if (!is_start(step, rate) || step_size < 1 || !is_positive(gamma))
        return NO_RATE;
    return rate * pow(gamma, (double)(step / step_size));
}

double agn_optim_schedule_multi_step(int64_t step, double rate, const int64_t *milestones,
                                     int32_t n, double gamma)
{
    if (!is_start(step, rate) || !is_positive(gamma) || !is_ascending(milestones, n))
        return NO_RATE;
    return rate * pow(gamma, count_passed(milestones, n, step));
}

double agn_optim_schedule_lambda(int64_t step, double rate, agn_optim_factor *factor, void *user)
{
    return is_start(step, rate) && factor ? rate * factor(user, step) : NO_RATE;
}

double agn_optim_schedule_multiplicative(int64_t step, double rate, agn_optim_factor *factor,
                                         void *user)
{
    if (!is_start(step, rate) || !factor)
        return NO_RATE;
    for (int64_t t = 1; t <= step; t++)
        rate *= factor(user, t);
    return rate;
}

double agn_optim_schedule_cosine_annealing(int64_t step, double rate, int64_t period,
                                           double least_rate)
{
    if (!is_start(step, rate) || period < 1 || !is_least(least_rate))
        return NO_RATE;
    return half_wave(rate, least_rate, (double)step / (double)period);
}

double agn_optim_schedule_cosine_restarts(int64_t step, double rate, int64_t period, int64_t growth,
                                          double least_rate)
{
    if (!is_start(step, rate) || period < 1 || growth < 1 || !is_least(least_rate))
        return NO_RATE;
    if (growth == 1)
        step %= period;
    while (step >= period) {
        step -= period;
        period = period > INT64_MAX / growth ? INT64_MAX : period * growth;
    }
    return half_wave(rate, least_rate, (double)step / (double)period);
}

double agn_optim_schedule_one_cycle(int64_t step, double max_rate, int64_t total_steps,
                                    double divide_factor, double end_rate, double rising,
                                    bool linear, bool three_phases)
{
    if (!is_start(step, max_rate) || total_steps < 2 || !is_positive(divide_factor) ||
        !is_least(end_rate) || !(rising > 0 && rising <= (three_phases ? 0.5 : 1)))
        return NO_RATE;
    double first = max_rate / divide_factor, up = rising * (double)total_steps - 1;
    /* ends of the phases and the rates there */
    double last = (double)(total_steps - 1), at[] = {0, up, three_phases ? 2 * up : last, last};
    double rate[] = {first, max_rate, three_phases ? first : end_rate, end_rate}, t = (double)step;
    for (int i = 1; i < 4; i++)
        if (t <= at[i]) {
            double part = at[i] > at[i - 1] ? (t - at[i - 1]) / (at[i] - at[i - 1]) : 1;
            return linear ? rate[i - 1] + (rate[i] - rate[i - 1]) * part
                          : half_wave(rate[i - 1], rate[i], part);
        }
    return end_rate;
}

double agn_optim_schedule_cyclic(int64_t step, double base_rate, double max_rate, int64_t up,
                                 int64_t down, int32_t mode, double gamma)
{
    if (!is_start(step, base_rate) || !(max_rate >= base_rate && isfinite(max_rate)) || up < 1 ||
        down < 1 || up > INT64_MAX - down || mode < AGN_OPTIM_CYCLE_TRIANGULAR ||
        mode > AGN_OPTIM_CYCLE_EXPONENTIAL || !is_positive(gamma))
        return NO_RATE;
    int64_t cycle = step / (up + down), in = step % (up + down);
    double height = in <= up ? (double)in / (double)up : (double)(up + down - in) / (double)down;
    if (mode == AGN_OPTIM_CYCLE_TRIANGULAR2)
        height = ldexp(height, cycle < 2000 ? -(int)cycle : -2000);
    if (mode == AGN_OPTIM_CYCLE_EXPONENTIAL)
        height *= pow(gamma, (double)step);
    return base_rate + (max_rate - base_rate) * height;
}

/* ---- by a measure ---------------------------------------------------------------------------- */

static bool is_better(const agn_optim_plateau *p, double threshold, double measure)
{
    double by = p->absolute || isinf(p->best) ? threshold : threshold * fabs(p->best);
    if (!p->seen)
        return !isnan(measure);
    return p->maximise ? measure > p->best + by : measure < p->best - by;
}

agn_status agn_optim_plateau_step(double *rate, agn_optim_plateau *p, double measure)
{
    if (!p)
        return agni_fail(AGN_ENULL, "optim_plateau_step: p is NULL");
    if (agni_check_size("optim_plateau_step", agn_optim_plateau, p))
        return AGN_EARG;
    double factor = p->factor == 0 ? 0.1 : p->factor;
    double threshold = p->threshold == 0 ? 1e-4 : p->threshold == AGN_OPTIM_NONE ? 0 : p->threshold;
    double least_fall = p->least_fall == 0 ? 1e-8 : p->least_fall;
    int32_t patience = p->patience == 0 ? 10 : p->patience == -1 ? 0 : p->patience;
    if (!is_positive(p->rate) || !(factor > 0 && factor < 1) || !is_least(threshold) ||
        !is_least(p->least_rate) || !is_least(least_fall))
        return agni_fail(AGN_EARG,
                         "optim_plateau_step: rate is %g, factor %g, threshold %g, least_rate %g, "
                         "least_fall %g; one is out of range",
                         p->rate, factor, threshold, p->least_rate, least_fall);
    if (patience < 0 || p->cooldown < 0 || p->seen < 0 || p->bad < 0 || p->cooling < 0)
        return agni_fail(AGN_EARG,
                         "optim_plateau_step: patience is %d, cooldown %d, and the state %lld, %d, %d; "
                         "none may be negative",
                         patience, p->cooldown, (long long)p->seen, p->bad, p->cooling);
    if (is_better(p, threshold, measure)) {
        p->best = measure;
        p->seen++;
        p->bad = 0;
    } else if (p->bad < INT32_MAX) {
        p->bad++;
    }
    if (p->cooling > 0) {
        p->cooling--;
        p->bad = 0;
    }
    if (p->bad > patience) {
        double next = fmax(p->rate * factor, p->least_rate);
        if (p->rate - next > least_fall)
            p->rate = next;
        p->cooling = p->cooldown;
        p->bad = 0;
    }
    if (rate)
        *rate = p->rate;
    return AGN_OK;
}
