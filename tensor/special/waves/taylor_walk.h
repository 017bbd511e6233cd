/* tensor/special/waves/taylor_walk.h - y'' p + y' q + y r = 0, p, q and r of second degree at
   most, from one place to another by Taylor's series (Jorba and Zou, Exp. Math. 14, 99). */
#ifndef AGNI_TAYLOR_WALK_H
#define AGNI_TAYLOR_WALK_H

#include <math.h>

enum { AGNI_WALK_TERMS = 26, AGNI_WALK_STEPS = 20000 };

/* coefficients of powers of t at x + t: by what equation, and whatever else is behind it */
typedef struct agni_wave_equation {
    void (*at)(const struct agni_wave_equation *w, double x, double p[3], double q[2], double r[3]);
    double sign, order, constant, square;
} agni_wave_equation;

/* coefficients of y from the first two, at a place where p is not 0; from c[0] alone where it is */
static inline void agni_wave_series(const double p[3], const double q[2], const double r[3],
                                    double *c)
{
    for (int k = p[0] == 0 ? -1 : 0; k + 2 <= AGNI_WALK_TERMS; k++) {
        double sum = k >= 0 ? (k * (k - 1.0) * p[2] + k * q[1] + r[0]) * c[k] : 0;
        sum += k >= 1 ? r[1] * c[k - 1] : 0;
        sum += k >= 2 ? r[2] * c[k - 2] : 0;
        if (p[0] == 0) { /* of t^(k + 1): (k + 1) (k p[1] + q[0]) c[k + 1] */
            if (k >= 0)
                c[k + 1] = -sum / ((k + 1) * (k * p[1] + q[0]));
        } else {
            sum += (k + 1) * (k * p[1] + q[0]) * c[k + 1];
            c[k + 2] = -sum / ((k + 2) * (k + 1.0) * p[0]);
        }
    }
}
/* how far the series is right, up to 1: its last terms are nothing beside the first two */
static inline double agni_wave_reach(const double *c)
{
    double reach = 1;
    for (int turn = 0; turn < 2; turn++) {
        double size = log(fmax(fabs(c[0]), fabs(c[1]) * reach)) - 41.5, least = INFINITY;
        for (int k = AGNI_WALK_TERMS - 2; k <= AGNI_WALK_TERMS - 1; k++)
            if (c[k] != 0)
                least = fmin(least, exp((size - log(fabs(c[k]))) / k));
        reach = least;
    }
    return fmin(reach, 1); /* those of polynomials are 0 */
}
static inline void agni_sum_wave(const double *c, double t, double y[2])
{
    y[0] = y[1] = 0;
    for (int k = AGNI_WALK_TERMS - 1; k >= 1; k--) {
        y[0] = y[0] * t + c[k];
        y[1] = y[1] * t + k * c[k];
    }
    y[0] = y[0] * t + c[0];
}
/* value and slope y at x are taken to there, by t in parts of the distance to where p is 0, or of x;
   0: too many steps, or out of range */
static inline int agni_walk_wave(const agni_wave_equation *w, double x, double there, double y[2])
{
    for (int step = 0; x != there; step++) {
        double p[3], q[2], r[3], c[AGNI_WALK_TERMS + 1];
        if (step == AGNI_WALK_STEPS || !isfinite(y[0]) || !isfinite(y[1]))
            return 0;
        w->at(w, x, p, q, r);
        double part = fmin(0.5 * fmax(2, fabs(x)), fabs(p[0] / p[1]));
        double size = fmax(fabs(y[0]), fabs(y[1]) * part);
        p[0] /= part * part, p[1] /= part, q[0] /= part, r[1] *= part, r[2] *= part * part;
        c[0] = y[0] / size, c[1] = y[1] * part / size;
        agni_wave_series(p, q, r, c);
        double reach = agni_wave_reach(c) * part, next = there > x ? x + reach : x - reach;
        if (fabs(there - x) <= reach)
            next = there;
        agni_sum_wave(c, (next - x) / part, y);
        y[0] *= size, y[1] *= size / part;
        if (next == x)
            return 0;
        x = next;
    }
    return 1;
}

#endif
