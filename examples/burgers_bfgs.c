/*
 * burgers_bfgs.c - self-scaled BFGS with the full inverse Hessian
 *
 * Before each update the Hessian is shrunk by tau = min(1, y's / s'Bs), which takes
 * back curvature that the model had too large (Oren and Luenberger 1974, Al-Baali
 * 1998). On the ill-conditioned losses of physics-informed networks this is worth two
 * orders of magnitude of error over limited memory (Urban, Stefanou and Pons 2025). The
 * line search is that of Nocedal and Wright 2006, algorithms 3.5 and 3.6, for the
 * strong Wolfe conditions, by cubic interpolation.
 *
 * With d = -H g the product H y of the update is H g_new + d, so that an iteration
 * costs one product with the matrix and one update of rank two, about 6 n^2 flops.
 */
#include "burgers_bfgs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIRECTION, TRIAL, TRIAL_GRADIENT, IMAGE, STEP, PARTNER };

static const double armijo = 1e-4, curvature = 0.9, expansion = 2.5;
enum { MAX_EXPANSIONS = 20, MAX_SECTIONS = 25 };

/* A point on the line: step length, value, slope. */
typedef struct {
    double at, value, slope;
} sample;

static double dot(const double *a, const double *b, size_t n)
{
    double s = 0;
    for (size_t i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}

bfgs *bfgs_new(size_t n, bfgs_objective *objective, void *user)
{
    bfgs *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->n = n;
    b->objective = objective;
    b->user = user;
    b->fresh = true;
    bool whole = (b->x = malloc(n * sizeof(double))) != NULL;
    whole &= (b->gradient = malloc(n * sizeof(double))) != NULL;
    whole &= (b->matrix = malloc(n * n * sizeof(double))) != NULL;
    for (int i = 0; i < 6; i++)
        whole &= (b->room[i] = malloc(n * sizeof(double))) != NULL;
    if (whole)
        return b;
    bfgs_free(b);
    return NULL;
}

void bfgs_free(bfgs *b)
{
    if (!b)
        return;
    for (int i = 0; i < 6; i++)
        free(b->room[i]);
    free(b->matrix);
    free(b->gradient);
    free(b->x);
    free(b);
}

bfgs_status bfgs_start(bfgs *b, const double *x)
{
    memmove(b->x, x, b->n * sizeof *x);
    b->evaluations++;
    b->ready = false;
    return b->objective(b->user, b->x, &b->value, b->gradient) ? BFGS_OK : BFGS_STOPPED;
}

/* out = H v, four rows of the matrix at a time. */
static void apply(const bfgs *b, double *restrict out, const double *restrict v)
{
    size_t n = b->n, i = 0;
    memset(out, 0, n * sizeof *out);
    for (; i + 4 <= n; i += 4) {
        const double *restrict r0 = b->matrix + i * n, *restrict r1 = r0 + n;
        const double *restrict r2 = r1 + n, *restrict r3 = r2 + n;
        double v0 = v[i], v1 = v[i + 1], v2 = v[i + 2], v3 = v[i + 3];
        for (size_t j = 0; j < n; j++)
            out[j] += (v0 * r0[j] + v1 * r1[j]) + (v2 * r2[j] + v3 * r3[j]);
    }
    for (; i < n; i++)
        for (size_t j = 0; j < n; j++)
            out[j] += v[i] * b->matrix[i * n + j];
    for (size_t j = 0; j < n; j++)
        out[j] *= b->scale;
}

static void become_identity(bfgs *b, double scale)
{
    memset(b->matrix, 0, b->n * b->n * sizeof(double));
    for (size_t i = 0; i < b->n; i++)
        b->matrix[i * b->n + i] = 1;
    b->scale = scale;
}

/* matrix += a (s u' + u s'); the scale is kept where products cannot overflow. */
static void add_pair(bfgs *b, double a, const double *restrict s,
                     const double *restrict u)
{
    size_t n = b->n;
    double fold = b->scale > 1e100 ? b->scale : 1;
    for (size_t i = 0; i < n; i++) {
        double *restrict row = b->matrix + i * n;
        double si = a * s[i], ui = a * u[i];
        for (size_t j = 0; j < n; j++)
            row[j] += si * u[j] + ui * s[j];
        if (fold != 1)
            for (size_t j = 0; j < n; j++)
                row[j] *= fold;
    }
    b->scale /= fold;
}

/* Learns from the step of the given length along the direction, along which the value
 * had the slope -fall, and prepares the next direction on the way. */
static void learn(bfgs *b, double length, double fall)
{
    size_t n = b->n;
    double *d = b->room[DIRECTION], *s = b->room[STEP], *u = b->room[PARTNER];
    double *image = b->room[IMAGE], *y = b->gradient;
    const double *g = b->room[TRIAL_GRADIENT];
    for (size_t i = 0; i < n; i++) {
        s[i] = length * d[i];
        y[i] = g[i] - y[i];
    }
    double sy = dot(s, y, n), bend = length * length * fall; /* s'Bs */
    b->ready = false;
    if (!(sy > 0))
        return;
    if (b->fresh) {
        become_identity(b, sy / dot(y, y, n));
        bend = sy;
    }
    bool known = !b->fresh;
    b->fresh = false;
    apply(b, image, known ? g : y); /* H g, then H y = H g + d */
    for (size_t i = 0; known && i < n; i++)
        image[i] += d[i];

    double tau = fmin(1, sy / bend);
    double weight = (1 + dot(y, image, n) / (tau * sy)) / sy;
    for (size_t i = 0; i < n; i++)
        u[i] = 0.5 * weight * s[i] - image[i] / (tau * sy);
    b->scale /= tau;
    add_pair(b, 1 / b->scale, s, u);

    if (!known)
        return;
    double ug = dot(u, g, n), sg = dot(s, g, n);
    for (size_t i = 0; i < n; i++)
        d[i] = (image[i] - d[i]) / tau + s[i] * ug + u[i] * sg;
    b->ready = true;
}

/* Evaluates at x + at * direction; false if the objective stops. */
static bool look(bfgs *b, double at, sample *out)
{
    const double *d = b->room[DIRECTION];
    for (size_t i = 0; i < b->n; i++)
        b->room[TRIAL][i] = b->x[i] + at * d[i];
    b->evaluations++;
    out->at = at;
    if (!b->objective(b->user, b->room[TRIAL], &out->value, b->room[TRIAL_GRADIENT]))
        return false;
    out->slope = dot(b->room[TRIAL_GRADIENT], d, b->n);
    if (!isfinite(out->value) || !isfinite(out->slope))
        out->value = HUGE_VAL;
    return true;
}

/* The minimum of the cubic through both ends, kept off them. */
static double between(const sample *a, const sample *b)
{
    double low = fmin(a->at, b->at), high = fmax(a->at, b->at);
    double margin = 0.1 * (high - low), middle = 0.5 * (low + high);
    if (!isfinite(a->value) || !isfinite(b->value))
        return middle;
    double d1 = a->slope + b->slope - 3 * (a->value - b->value) / (a->at - b->at);
    double q = d1 * d1 - a->slope * b->slope;
    if (q < 0)
        return middle;
    double d2 = copysign(sqrt(q), b->at - a->at);
    double c = b->at -
               (b->at - a->at) * (b->slope + d2 - d1) / (b->slope - a->slope + 2 * d2);
    return isfinite(c) ? fmin(fmax(c, low + margin), high - margin) : middle;
}

/* Leaves the accepted point in the trial's room; *found tells its length and value. */
static bfgs_status line_search(bfgs *b, const sample *origin, double first,
                               sample *found)
{
    sample low = *origin, high = *origin, now;
    bool bracketed = false;
    double at = first;
    for (int i = 0; i < MAX_EXPANSIONS && !bracketed; i++, at *= expansion) {
        if (!look(b, at, &now))
            return BFGS_STOPPED;
        bool above = now.value > origin->value + armijo * at * origin->slope;
        if (above || (i > 0 && now.value >= low.value)) {
            high = now;
            bracketed = true;
        } else if (fabs(now.slope) <= -curvature * origin->slope) {
            *found = now;
            return BFGS_OK;
        } else if (now.slope >= 0) {
            high = low;
            low = now;
            bracketed = true;
        } else {
            low = now;
        }
    }
    for (int i = 0; i < MAX_SECTIONS && bracketed; i++) {
        if (!look(b, between(&low, &high), &now))
            return BFGS_STOPPED;
        bool above = now.value > origin->value + armijo * now.at * origin->slope;
        if (above || now.value >= low.value) {
            high = now;
        } else {
            if (fabs(now.slope) <= -curvature * origin->slope) {
                *found = now;
                return BFGS_OK;
            }
            if (now.slope * (high.at - low.at) >= 0)
                high = low;
            low = now;
        }
        if (fabs(high.at - low.at) <= 1e-14 * fabs(low.at))
            break;
    }
    if (!(low.at > 0 && low.value < origin->value))
        return BFGS_STALLED;
    *found = low;
    return look(b, low.at, &now) ? BFGS_OK : BFGS_STOPPED;
}

/* d = H g and g'Hg; the gradient itself when nothing is known or rounding spoilt it. */
static double choose_direction(bfgs *b)
{
    double *d = b->room[DIRECTION], *g = b->gradient, fall = 0;
    if (!b->fresh) {
        if (!b->ready)
            apply(b, d, g);
        fall = dot(d, g, b->n);
    }
    if (fall > 0)
        return fall;
    b->fresh = true;
    memcpy(d, g, b->n * sizeof *d);
    return dot(g, g, b->n);
}

bfgs_status bfgs_step(bfgs *b)
{
    double fall = choose_direction(b), *d = b->room[DIRECTION];
    if (!(fall > 0))
        return BFGS_STALLED;
    for (size_t i = 0; i < b->n; i++)
        d[i] = -d[i];

    sample origin = {0, b->value, -fall}, found;
    double first = b->fresh ? fmin(1, 1 / sqrt(fall)) : 1;
    bfgs_status status = line_search(b, &origin, first, &found);
    if (status == BFGS_STALLED && !b->fresh) {
        b->fresh = true;
        return bfgs_step(b);
    }
    if (status != BFGS_OK)
        return status;
    learn(b, found.at, fall);
    memcpy(b->x, b->room[TRIAL], b->n * sizeof(double));
    memcpy(b->gradient, b->room[TRIAL_GRADIENT], b->n * sizeof(double));
    b->value = found.value;
    return BFGS_OK;
}
