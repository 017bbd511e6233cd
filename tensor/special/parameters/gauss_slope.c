/* tensor/special/parameters/gauss_slope.c - derivatives of Gauss' function in its parameters: as
   its values are made, the series for |x| <= 0.6, beyond it Taylor's series of the differential
   equation from point to point (DLMF 15.10.1), and Pfaff's transformation left of that (15.8.1), of
   power series in a, b and c. */
#include "tensor/special/parameters/jet.h"
#include "tensor/special/parameters/values.h"

typedef agni_pair pair;
typedef agni_jet_line line;

enum { MOST_TERMS = 6000 };
AGNI_TABLE const double joint = 0.6; /* of series and steps */

typedef struct gauss {
    agni_jet_shape s;
    line a, b, c;
} gauss;

AGNI_FN bool nonpositive_integer(const line *l)
{
    return l->at.lo == 0 && l->at.hi <= 0 && l->at.hi == floor(l->at.hi);
}
AGNI_FN double farthest_argument(const gauss *g)
{
    return fmax(fabs(g->a.at.hi), fmax(fabs(g->b.at.hi), fabs(g->c.at.hi)));
}
AGNI_FN line line_sum(line a, pair by, line b)
{
    line y = {agni_pair_add(a.at, agni_pair_mul(b.at, by)), {0}, {0}};
    for (int m = 0; m < 3; m++) {
        pair c = agni_pair_add(agni_pair_of(a.c[m]), agni_pair_times(by, b.c[m]));
        y.c[m] = c.hi, y.lo[m] = c.lo;
    }
    return y;
}
/* the bound starts again at what the values are */
AGNI_FN void clear_jet(const agni_jet_shape *s, agni_jet *f)
{
    for (int i = 0; i < s->size; i++)
        f->bound[i] = fabs(f->v[i].hi);
}

/* F and F' at x; *error: absolute, of F */
AGNI_FN bool gauss_series(const gauss *g, pair x, agni_jet f[2], double *error)
{
    const agni_jet_shape *s = &g->s;
    int last = s->size - 1;
    double far = farthest_argument(g) + last;
    agni_jet term;
    agni_jet_constant(s, &term, agni_pair_of(1));
    agni_jet_constant(s, &f[1], agni_pair_of(0));
    f[0] = term;
    for (int n = 0; n < MOST_TERMS; n++) {
        line a = agni_jet_line_plus(g->a, n), b = agni_jet_line_plus(g->b, n),
             c = agni_jet_line_plus(g->c, n);
        agni_jet_times(s, &term, &a);
        agni_jet_times(s, &term, &b);
        agni_jet_over(s, &term, &c);
        agni_jet_add(s, &f[1], &term); /* n + 1 times the next one, without the last x */
        agni_jet_scale(s, &term, agni_pair_div(x, agni_pair_of(n + 1.0)));
        agni_jet_add(s, &f[0], &term);
        if (!isfinite(f[0].bound[last]) || !isfinite(f[1].bound[last]))
            return false;
        if (term.bound[last] <= 1e-34 * f[0].bound[last] && n > far) {
            *error = 1e-30 * f[0].bound[last];
            return true;
        }
    }
    return false;
}

/* from 1 - x = w to rest, by one step */
AGNI_FN bool taylor_step(const gauss *g, pair w, pair rest, agni_jet f[2], double *error)
{
    const agni_jet_shape *s = &g->s;
    int last = s->size - 1;
    double far = farthest_argument(g);
    pair x = agni_pair_add(agni_pair_of(1), agni_pair_times(w, -1)),
         h = agni_pair_add(w, agni_pair_times(rest, -1));
    pair hp = agni_pair_div(h, agni_pair_mul(x, w)), hhp = agni_pair_mul(h, hp);
    line both = agni_jet_line_plus(line_sum(g->a, agni_pair_of(1), g->b), 1);
    agni_jet now, next, slope;
    clear_jet(s, &f[0]);
    clear_jet(s, &f[1]);
    now = f[0], next = f[1];
    agni_jet_scale(s, &next, h);
    slope = next;
    agni_jet_add(s, &f[0], &next);
    for (int n = 0; n < MOST_TERMS; n++) { /* terms f_n h^n */
        line a = agni_jet_line_plus(g->a, n), b = agni_jet_line_plus(g->b, n),
             c = agni_jet_line_plus(g->c, n), ab = agni_jet_line_plus(both, 2.0 * n);
        line by = line_sum(c, agni_pair_times(x, -1), ab); /* (c + n) - x (a + b + 1 + 2 n) */
        agni_jet u = next;
        agni_jet_times(s, &u, &by);
        agni_jet_scale(s, &u, agni_pair_div(hp, agni_pair_of(-(n + 2.0))));
        agni_jet_times(s, &now, &a);
        agni_jet_times(s, &now, &b);
        agni_jet_scale(s, &now, agni_pair_div(hhp, agni_pair_of((n + 2.0) * (n + 1.0))));
        agni_jet_add(s, &u, &now);
        now = next, next = u;
        agni_jet_add(s, &f[0], &u);
        agni_jet_scale(s, &u, agni_pair_of(n + 2.0));
        agni_jet_add(s, &slope, &u);
        if (!isfinite(f[0].bound[last]) || !isfinite(slope.bound[last]))
            return false;
        if (next.bound[last] < 1e-34 * f[0].bound[last] && n > far / 4 && n > 8) {
            *error += 1e-30 * f[0].bound[last];
            agni_jet_scale(s, &slope, agni_pair_div(agni_pair_of(1), h));
            f[1] = slope;
            return true;
        }
    }
    return false;
}

/* 0 <= x < 1, w = 1 - x */
AGNI_FN bool gauss_between(const gauss *g, pair x, pair w, agni_jet *value, double *error)
{
    agni_jet f[2];
    pair at = agni_pair_of(1 - joint);
    if (x.hi <= joint) {
        if (!gauss_series(g, x, f, error))
            return false;
    } else {
        double power = g->c.at.hi - g->a.at.hi - g->b.at.hi,
               grow = fmax(1.5, 1.5 * pow(0.6, power));
        if (!gauss_series(g, agni_two_sum(1, -(1 - joint)), f, error))
            return false;
        while (at.hi > w.hi || (at.hi == w.hi && at.lo > w.lo)) {
            pair to = agni_pair_times(at, 0.6);
            if (to.hi <= w.hi)
                to = w;
            if (!taylor_step(g, at, to, f, error))
                return false;
            *error *= grow;
            at = to;
        }
    }
    *value = f[0];
    return true;
}

/* gamma(c) gamma(c - a - b) / (gamma(c - a) gamma(c - b)) */
AGNI_FN bool gauss_at_one(const gauss *g, agni_jet *f, double *error)
{
    line ca = line_sum(g->c, agni_pair_of(-1), g->a), cb = line_sum(g->c, agni_pair_of(-1), g->b),
         l[4] = {g->c, line_sum(ca, agni_pair_of(-1), g->b), ca, cb};
    int n = g->s.n[0] + g->s.n[1] + g->s.n[2] - 3;
    if (l[1].at.hi <= 0)
        return false;
    agni_jet_constant(&g->s, f, agni_pair_of(1));
    for (int k = 0; k < 4; k++) {
        double c[AGNI_JET_ORDER + 1];
        agni_jet h;
        if (fabs(l[k].at.hi) > 130 || agni_gamma_jet(l[k].at.hi, k < 2 ? 1 : -1, 0, n, c) != 0)
            return false;
        agni_jet_compose(&g->s, &h, c, l[k].c);
        agni_jet_mul(&g->s, f, &h);
    }
    *error = 1e-15 * f->bound[g->s.size - 1];
    return true;
}

/* of the line's exponent: exp(L line) without its value */
AGNI_FN void times_power(const agni_jet_shape *s, agni_jet *f, const line *l, double L)
{
    double c[AGNI_JET_ORDER + 1] = {1};
    for (int k = 1; k <= s->n[0] + s->n[1] + s->n[2] - 3; k++)
        c[k] = c[k - 1] * L / k;
    agni_jet g;
    agni_jet_compose(s, &g, c, l->c);
    agni_jet_mul(s, f, &g);
}

AGNI_FN bool expand_left(const gauss *g, double x, agni_jet *f, double *error)
{
    pair less = agni_two_sum(1, -x), w = agni_pair_div(agni_pair_of(1), less),
         z = agni_pair_div(agni_pair_of(-x), less);
    for (int k = 0; k < 2; k++) { /* (1 - x)^-a F(a, c - b; c; x / (x - 1)), or with a and b exchanged */
        line keep = k ? g->b : g->a, other = k ? g->a : g->b;
        gauss q = {g->s, keep, line_sum(g->c, agni_pair_of(-1), other), g->c};
        if (!gauss_between(&q, z, w, f, error) || !(fabs(keep.at.hi * log(less.hi)) < 700))
            continue;
        double lead = pow(less.hi, -keep.at.hi) * (1 - keep.at.hi * less.lo / less.hi),
               L = log(less.hi);
        clear_jet(&g->s, f);
        times_power(&g->s, f, &keep, -L);
        *error = (*error * pow(1 + fabs(L), g->s.n[0] + g->s.n[1] - 2) +
                  1e-16 * f->bound[g->s.size - 1]) *
                 lead;
        agni_jet_scale(&g->s, f, agni_pair_of(lead));
        if (*error <= 1e-12 * fabs(f->v[g->s.size - 1].hi))
            return true;
    }
    return false;
}

AGNI_VALUE double agni_hyp2f1_slope(double a, double b, double c, double x, const int order[3],
                                    int n)
{
    gauss g = {agni_jet_shape_of(order), agni_jet_line_of(agni_two_sum(a, n), 1, 0, 0),
               agni_jet_line_of(agni_two_sum(b, n), 0, 1, 0),
               agni_jet_line_of(agni_two_sum(c, n), 0, 0, 1)};
    double most = fmax(fabs(a), fmax(fabs(b), fabs(c))), error = 0;
    line first = agni_jet_line_of(agni_pair_of(c), 0, 0, 1);
    agni_jet f;
    if (isnan(a) || isnan(b) || isnan(c) || isnan(x) || !(most <= 200) ||
        nonpositive_integer(&first) || x > 1 || x < -1e15)
        return (double)NAN;
    bool known = x == 1        ? gauss_at_one(&g, &f, &error)
                 : x >= -joint ? gauss_between(&g, agni_pair_of(x), agni_two_sum(1, -x), &f, &error)
                               : expand_left(&g, x, &f, &error);
    if (!known)
        return (double)NAN;
    double before = f.bound[g.s.size - 1] = fabs(f.v[g.s.size - 1].hi);
    clear_jet(&g.s, &f);
    for (int k = 0; k < n; k++) {
        line up[2] = {agni_jet_line_of(agni_two_sum(a, k), 1, 0, 0),
                      agni_jet_line_of(agni_two_sum(b, k), 0, 1, 0)},
             over = agni_jet_line_of(agni_two_sum(c, k), 0, 0, 1);
        agni_jet_times(&g.s, &f, &up[0]);
        agni_jet_times(&g.s, &f, &up[1]);
        agni_jet_over(&g.s, &f, &over);
    }
    double after = f.bound[g.s.size - 1], value = fabs(f.v[g.s.size - 1].hi);
    if (n) /* what the factors lose is bounded beside what the function had lost */
        error = before > 0 ? error / before * after : after;
    if (!(error <= 1e-12 * value))
        return (double)NAN;
    return agni_jet_derivative(&g.s, &f, 0);
}
