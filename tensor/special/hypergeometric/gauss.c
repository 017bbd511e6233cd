/* tensor/special/hypergeometric/gauss.c - Gauss' hypergeometric function of real arguments up to
   1: its series in double-double, with a bound of what cancels, for |x| <= 0.6; beyond, Taylor's
   series of the differential equation from point to point (DLMF 15.10.1), whose steps are a share
   of the distance to 1; left of that, Pfaff's transformation (15.8.1). */
#include "tensor/special/hypergeometric/values.h"

#include "tensor/cpu/special/double_double.h"
#include <math.h>

typedef agni_pair pair;

enum { MOST_TERMS = 6000 };
AGNI_TABLE const double joint = 0.6; /* of series and steps */

typedef struct gauss {
    pair a, b, c;
} gauss;

AGNI_FN pair add(pair a, pair b)
{
    return agni_pair_add(a, b);
}
AGNI_FN pair mul(pair a, pair b)
{
    return agni_pair_mul(a, b);
}
AGNI_FN pair div(pair a, pair b)
{
    return agni_pair_div(a, b);
}
AGNI_FN pair num(double a)
{
    return agni_pair_of(a);
}

AGNI_FN bool nonpositive_integer(pair a)
{
    return a.lo == 0 && a.hi <= 0 && a.hi == floor(a.hi);
}

/* F and F' at x; *error: absolute, of F */
AGNI_FN bool gauss_series(const gauss *g, pair x, pair f[2], double *error)
{
    pair term = {1, 0}, sum = {1, 0}, slope = {0, 0};
    double most = 1, far = fmax(fabs(g->a.hi), fmax(fabs(g->b.hi), fabs(g->c.hi)));
    for (int n = 0; n < MOST_TERMS; n++) {
        pair over = div(mul(add(g->a, num(n)), add(g->b, num(n))),
                        mul(add(g->c, num(n)), num(n + 1.0)));
        pair bare = mul(term, over); /* without the last x */
        term = mul(bare, x);
        sum = add(sum, term);
        slope = add(slope, mul(bare, num(n + 1.0)));
        most = fmax(most, fabs(term.hi));
        if (!isfinite(sum.hi) || !isfinite(slope.hi))
            return false;
        if (term.hi == 0 || (fabs(term.hi) < 1e-34 * most && n > far)) {
            f[0] = sum, f[1] = slope;
            *error = 1e-31 * most;
            return true;
        }
    }
    return false;
}

/* from 1 - x = *w to rest, by one step */
AGNI_FN bool taylor_step(const gauss *g, pair w, pair rest, pair f[2], double *error)
{
    pair x = add(num(1), mul(w, num(-1))), h = add(w, mul(rest, num(-1)));
    pair p0 = mul(x, w), p1 = add(num(1), mul(x, num(-2))), ab1 = add(add(g->a, g->b), num(1));
    pair q0 = add(g->c, mul(mul(ab1, x), num(-1)));
    pair hp = div(h, p0), hhp = mul(h, hp), now = f[0], next = mul(f[1], h), sum = add(now, next),
         slope = next;
    double most = fabs(now.hi), far = fmax(fabs(g->a.hi), fmax(fabs(g->b.hi), fabs(g->c.hi)));
    for (int n = 0; n < MOST_TERMS; n++) { /* terms f_n h^n */
        pair u = mul(mul(mul(num(n + 1.0), add(mul(num(n), p1), q0)), next), hp);
        pair v = mul(mul(mul(add(g->a, num(n)), add(g->b, num(n))), now), hhp);
        pair term = div(add(v, mul(u, num(-1))), num((n + 2.0) * (n + 1.0)));
        now = next, next = term;
        slope = add(slope, mul(term, num(n + 2.0)));
        sum = add(sum, term);
        most = fmax(most, fabs(term.hi));
        if (!isfinite(sum.hi) || !isfinite(slope.hi))
            return false;
        if (fabs(term.hi) < 1e-34 * most && n > far / 4 && n > 8) {
            f[0] = sum, f[1] = div(slope, h);
            *error += 1e-31 * most * (n + 1);
            return true;
        }
    }
    return false;
}

/* 0 <= x < 1, w = 1 - x; *error relative. What rounding adds grows like the other solutions of the
   equation, w^(c - a - b) and x^(1 - c). */
AGNI_FN bool gauss_between(const gauss *g, pair x, pair w, double *value, double *error)
{
    pair f[2], at = num(1 - joint);
    bool ends = nonpositive_integer(g->a) || nonpositive_integer(g->b);
    if (x.hi <= joint || ends) {
        if (!gauss_series(g, x, f, error))
            return false;
    } else {
        double power = g->c.hi - g->a.hi - g->b.hi, grow = fmax(1, pow(0.6, power));
        if (!gauss_series(g, add(num(1), num(-(1 - joint))), f, error))
            return false;
        while (at.hi > w.hi || (at.hi == w.hi && at.lo > w.lo)) {
            pair to = mul(at, num(0.6));
            if (to.hi <= w.hi)
                to = w;
            if (!taylor_step(g, at, to, f, error))
                return false;
            *error *= grow * fmax(1, pow((1 - to.hi) / (1 - at.hi), 1 - g->c.hi));
            at = to;
        }
    }
    *value = f[0].hi;
    *error /= fabs(f[0].hi);
    return true;
}

/* Gamma(c) Gamma(c - a - b) / (Gamma(c - a) Gamma(c - b)) */
AGNI_FN double gauss_at_one(double a, double b, double c)
{
    pair s = add(agni_two_sum(c, -a), num(-b)), low[2] = {agni_two_sum(c, -a), agni_two_sum(c, -b)};
    if (s.hi == 0)
        return copysign((double)INFINITY, tgamma(a) * tgamma(b) * tgamma(c));
    if (s.hi < 0)
        return copysign((double)INFINITY, tgamma(c) * tgamma(-s.hi) * tgamma(a) * tgamma(b));
    double most = fmax(fmax(fabs(c), fabs(s.hi)), fmax(fabs(low[0].hi), fabs(low[1].hi)));
    if (most > 150)
        return (double)NAN;
    return agni_pair_rgamma(low[0]) / agni_pair_rgamma(num(c)) * (agni_pair_rgamma(low[1]) / agni_pair_rgamma(s));
}

AGNI_VALUE double agni_hyp2f1(double a, double b, double c, double x)
{
    gauss g = {{a, 0}, {b, 0}, {c, 0}};
    double v, error, most = fmax(fabs(a), fmax(fabs(b), fabs(c)));
    if (isnan(a) || isnan(b) || isnan(c) || isnan(x) || !(most <= 200) || nonpositive_integer(g.c))
        return (double)NAN;
    bool ends = nonpositive_integer(g.a) || nonpositive_integer(g.b);
    if (x > 1 && !ends)
        return (double)NAN;
    if (x == 0 || a == 0 || b == 0)
        return 1;
    if (ends || fabs(x) <= joint) {
        if (fabs(x) < 1e100 && gauss_between(&g, num(x), agni_two_sum(1, -x), &v, &error) &&
            error < 1e-14)
            return v;
        if (x > 0 || isinf(x))
            return (double)NAN;
    }
    if (x == 1)
        return gauss_at_one(a, b, c);
    if (x > 0)
        return gauss_between(&g, num(x), agni_two_sum(1, -x), &v, &error) && error < 1e-14
                   ? v
                   : (double)NAN;
    if (x < -1e15)
        return (double)NAN;
    pair less = agni_two_sum(1, -x), w = div(num(1), less), z = div(num(-x), less);
    for (int k = 0; k < 2;
         k++) { /* (1 - x)^-a F(a, c - b; c; x / (x - 1)), or with a and b exchanged */
        double keep = k ? b : a, other = k ? a : b, far = (double)NAN;
        gauss q = {{keep, 0}, agni_two_sum(c, -other), {c, 0}};
        if (q.b.hi == 0 && q.b.lo == 0)
            far = 1;
        else if (gauss_between(&q, z, w, &v, &error) && error < 1e-14)
            far = v;
        if (!isnan(far) && fabs(keep * log(less.hi)) < 700)
            return far * pow(less.hi, -keep) * (1 - keep * less.lo / less.hi);
    }
    return (double)NAN;
}
