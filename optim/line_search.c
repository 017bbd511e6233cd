/* optim/line_search.c - a point along a line where the strong Wolfe conditions hold.

   The safeguarded interpolation of More & Thuente 1994 ("Line search algorithms with
   guaranteed sufficient decrease"): an interval that holds a good point is shrunk by cubic
   and secant steps; until a point of sufficient decrease with rising slope is seen, the
   function without its required decrease is searched instead. Trials where the objective is
   not finite bound the length from above.                                                  */
#include "optim/optim.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct point {
    double t, f, slope;
} point;

typedef struct interval {
    point best, other;
    bool bracketed;
    double limit; /* no trial at or above: not finite there, or too far */
} interval;

/* minimiser of the cubic through two values and slopes; NaN where it has none */
static double cubic_minimiser(point a, point b)
{
    double theta = 3 * (a.f - b.f) / (b.t - a.t) + a.slope + b.slope;
    double size = fmax(fabs(theta), fmax(fabs(a.slope), fabs(b.slope)));
    if (size == 0)
        return (double)NAN;
    double square = theta / size * (theta / size) - a.slope / size * (b.slope / size);
    if (square < 0)
        return (double)NAN;
    double gamma = copysign(size * sqrt(square), b.t - a.t);
    double r = (gamma - a.slope + theta) / (gamma - a.slope + gamma + b.slope);
    return a.t + r * (b.t - a.t);
}
/* of the parabola through a's value and slope and b's value */
static double quadratic_minimiser(point a, point b)
{
    double fall = (a.f - b.f) / (b.t - a.t) + a.slope;
    return a.t + a.slope / fall / 2 * (b.t - a.t);
}
static double secant_step(point a, point b)
{
    return b.t + b.slope / (b.slope - a.slope) * (a.t - b.t);
}

static double nearest_to(double to, double a, double b)
{
    return fabs(a - to) <= fabs(b - to) ? a : b;
}
static double farthest_from(double from, double a, double b)
{
    return fabs(a - from) > fabs(b - from) ? a : b;
}

/* The next trial step from the interval and the point p, which updates the interval. The cases are
   those of section 4 of the paper. */
static double next_trial(interval *v, point p)
{
    point b = v->best, o = v->other;
    double t, c = cubic_minimiser(b, p);
    bool sign_changed = p.slope * b.slope < 0;
    if (p.f > b.f) { /* 1: higher */
        double q = quadratic_minimiser(b, p);
        t = isnan(c) ? q : fabs(c - b.t) < fabs(q - b.t) ? c : c + (q - c) / 2;
        v->bracketed = true;
    } else if (sign_changed) { /* 2: lower, the slope changed sign */
        double s = secant_step(b, p);
        t = isnan(c) ? s : farthest_from(p.t, c, s);
        v->bracketed = true;
    } else if (fabs(p.slope) < fabs(b.slope)) { /* 3: lower and flatter */
        double s = secant_step(b, p);
        bool beyond = !isnan(c) && (c - p.t) * (p.t - b.t) > 0;
        if (v->bracketed) {
            t = beyond ? nearest_to(p.t, c, s) : s;
            double most = p.t + 0.66 * (o.t - p.t);
            t = p.t > b.t ? fmin(t, most) : fmax(t, most);
        } else {
            t = beyond ? farthest_from(p.t, c, s) : s;
        }
    } else if (v->bracketed) { /* 4: lower and steeper */
        t = cubic_minimiser(o, p);
        if (isnan(t))
            t = (o.t + p.t) / 2;
    } else {
        t = (double)INFINITY;
    }
    if (!v->bracketed) /* between 1.1 and 4 more of the last move */
        t = fmin(fmax(t, p.t + 1.1 * (p.t - b.t)), p.t + 4 * (p.t - b.t));

    if (p.f > b.f) {
        v->other = p;
    } else {
        if (sign_changed)
            v->other = b;
        v->best = p;
    }
    return t;
}

static point subtract_decrease(point p, double slope)
{
    return (point){p.t, p.f - slope * p.t, p.slope - slope};
}
static interval subtract_decreases(interval v, double slope)
{
    v.best = subtract_decrease(v.best, slope);
    v.other = subtract_decrease(v.other, slope);
    return v;
}

/* x = x0 + t d, in the precision of the parameters */
static void move_along(agn_optim *o, double t)
{
    for (int64_t i = 0; i < o->n; i++)
        o->x[i] = o->x0[i] + t * o->d[i];
    if (!o->narrow)
        return;
    int64_t at = 0;
    for (int p = 0; p < o->n_params; p++) {
        int64_t end = at + o->param[p]->size;
        for (; at < end; at++)
            if (o->param[p]->dtype == AGN_F32)
                o->x[at] = (double)(float)o->x[at];
    }
}

static agn_status try_step(agn_optim *o, double t, point *p)
{
    move_along(o, t);
    agn_status st = agni_optim_evaluate(o);
    if (!st)
        *p = (point){t, o->k.value, agni_vector_dot_f64(o->n, o->g, o->d)};
    return st;
}

/* ---- a search without a lower value: converged, or a gradient that does not fit? ------------ */

/* What a trial told. misfit: of the change of the value beside the trapezoid of the two slopes,
   divided by t. It is of second order in t; for a gradient that is not the objective's it tends to
   the difference of the slopes, whatever t; rounding of the value makes it vary, and grow as t
   shrinks. */
typedef struct trial {
    double t, slope, steep, misfit;
    bool still; /* neither value nor slope changed: the move is below what they resolve */
} trial;
enum { TRIALS = 32 };
typedef struct evidence {
    int n; /* the last of them are kept */
    double predicted; /* decrease that the slopes of the first trial promise */
    trial trial[TRIALS];
} evidence;

static void add_evidence(evidence *e, point start, point p)
{
    if (!e->n)
        e->predicted = start.slope * start.slope * p.t / (fmax(p.slope, 0) - start.slope) / 2;
    double change = p.f - start.f;
    e->trial[e->n++ % TRIALS] = (trial){
        .t = p.t,
        .slope = p.slope,
        .steep = fmax(fabs(start.slope), fabs(p.slope)),
        .misfit = change / p.t - (start.slope + p.slope) / 2,
        .still = change == 0 && p.slope == start.slope,
    };
}

static bool is_alike(const trial *a, const trial *b)
{
    return !a->still && !b->still &&
           fabs(a->misfit - b->misfit) <= 0.3 * fmax(fabs(a->misfit), fabs(b->misfit));
}

/* true: what the gradient promises drowns in the rounding of the values, which fit it otherwise */
static bool is_converged(const evidence *e, point start, double slack)
{
    enum { NOISE = 8, ENOUGH = 6 };
    const trial *last = NULL, *shortest = NULL;
    int n = e->n < TRIALS ? e->n : TRIALS, pairs = 0, alike = 0, misfits = 0;
    bool fits = false, tells = false;
    for (int k = 0; k < n; k++) {
        const trial *p = &e->trial[(e->n - n + k) % TRIALS];
        shortest = !shortest || p->t < shortest->t ? p : shortest;
        if (p->t * p->steep <= NOISE * slack)
            continue;
        tells = true;
        if (fabs(p->misfit) <= 0.1 * p->steep) {
            fits = true;
            last = NULL;
            continue;
        }
        misfits++;
        pairs += last != NULL;
        alike += last && is_alike(last, p);
        last = p;
    }
    if (!n || !tells)
        return n > 0;
    if (misfits && (pairs ? 2 * alike >= pairs : !fits)) /* a gradient that is not the objective's */
        return false;
    bool level = fabs(shortest->slope - start.slope) <= -start.slope / 2; /* and yet no value is lower */
    return (fits && (e->predicted <= NOISE * slack || level)) || misfits >= ENOUGH;
}

static agn_status accept_point(agn_optim *o, point p, bool strong, int32_t *reason)
{
    o->k.length = p.t;
    o->k.slope_after = p.slope;
    o->k.strong = strong;
    *reason = AGN_OPTIM_RUNNING;
    return AGN_OK;
}

agn_status agni_optim_line_search(agn_optim *o, double t, int32_t *reason)
{
    point start = {0, o->k.value_before, o->k.slope_before}, p = start;
    interval v = {start, start, false, (double)INFINITY};
    double need = o->opt.c1 * start.slope, width = (double)INFINITY, older = (double)INFINITY;
    /* rounding error of the values */
    double slack = 2 * (o->out[0]->dtype == AGN_F32 ? (double)FLT_EPSILON : DBL_EPSILON) *
                   fabs(start.f);
    bool early = true, finite = false;
    evidence seen = {.n = 0};
    for (int i = 0; i < o->opt.max_evaluations; i++) {
        if (agni_check_interrupt()) {
            *reason = AGN_OPTIM_CANCELLED;
            return AGN_OK;
        }
        agn_status st = try_step(o, t, &p);
        if (st)
            return st;
        if (!agni_optim_is_finite(o) || !isfinite(p.slope)) {
            v.limit = t;
            t = v.best.t + (t - v.best.t) / 4;
            if (!(t > v.best.t))
                break;
            continue;
        }
        finite = true;
        add_evidence(&seen, start, p);
        bool falls = p.f <= start.f + need * t + slack;
        if (falls && fabs(p.slope) <= -o->opt.c2 * start.slope)
            return accept_point(o, p, true, reason);
        if (early && falls && p.slope >= 0)
            early = false;
        if (early && p.f <= v.best.f && p.f > start.f + need * t) {
            interval w = subtract_decreases(v, need);
            t = next_trial(&w, subtract_decrease(p, need));
            v = subtract_decreases(w, -need);
        } else {
            t = next_trial(&v, p);
        }
        double low = fmin(v.best.t, v.other.t), high = fmax(v.best.t, v.other.t);
        if (v.bracketed) {
            if (high - low >= 0.66 * older) /* two steps must shrink it by a third */
                t = low + (high - low) / 2;
            older = width;
            width = high - low;
            if (!(t > low && t < high))
                t = low + (high - low) / 2;
            if (!(t > low && t < high))
                break; /* neighbouring numbers */
        } else if (t >= v.limit) {
            t = v.best.t + (v.limit - v.best.t) / 2;
            if (!(t > v.best.t && t < v.limit))
                break;
        } else if (!isfinite(t)) {
            break;
        }
    }
    if (v.best.t > 0 && v.best.f < start.f && v.best.f <= start.f + need * v.best.t) {
        agn_status st = try_step(o, v.best.t, &p);
        return st ? st : accept_point(o, p, false, reason);
    }
    /* where some parameters are f32, so are the numbers made of them, whatever they are added to */
    double grain = o->narrow ? fmax(slack, 2 * (double)FLT_EPSILON * fabs(start.f)) : slack;
    *reason = !finite                              ? AGN_OPTIM_NOT_FINITE
              : is_converged(&seen, start, grain) ? AGN_OPTIM_VALUE
                                                   : AGN_OPTIM_LINE_SEARCH;
    return AGN_OK;
}
