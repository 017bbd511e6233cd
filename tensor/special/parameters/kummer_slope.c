/* tensor/special/parameters/kummer_slope.c - derivatives of Kummer's M in its parameters: the
   series of M, of its transformation and its expansion at infinity (DLMF 13.2.2, 13.2.39, 13.7.1)
   with terms that are power series in a and b (Ancarani and Gasaneo, J. Math. Phys. 49, 063508). */
#include "tensor/special/parameters/jet.h"
#include "tensor/special/parameters/values.h"

#include "tensor/cpu/special/constants.h"

enum { MOST_TERMS = 20000 };

AGNI_FN bool nonpositive_integer(double a)
{
    return a <= 0 && a == floor(a);
}

/* sum of (a)_k / (b)_k x^k / k! */
AGNI_FN bool kummer_sum(const agni_jet_shape *s, agni_jet_line a, agni_jet_line b, double x,
                       agni_jet *sum)
{
    agni_jet term;
    int last = s->size - 1;
    double far = fmax(fabs(a.at.hi), fabs(b.at.hi));
    agni_jet_constant(s, &term, agni_pair_of(1));
    *sum = term;
    for (int k = 0; k < MOST_TERMS; k++) {
        agni_jet_line over = agni_jet_line_plus(b, k), by = agni_jet_line_plus(a, k);
        agni_jet_times(s, &term, &by);
        agni_jet_over(s, &term, &over);
        agni_jet_scale(s, &term, agni_pair_div(agni_pair_of(x), agni_pair_of(k + 1.0)));
        agni_jet_add(s, sum, &term);
        if (!isfinite(sum->bound[last]))
            return false;
        if (k > far + last && term.bound[last] <= 1e-34 * sum->bound[last])
            return true;
    }
    return false;
}
/* sum of (p)_k (q)_k / k! z^k while terms decrease; false: that is not enough */
AGNI_FN bool far_sum(const agni_jet_shape *s, agni_jet_line p, agni_jet_line q, double z,
                    agni_jet *sum)
{
    agni_jet term;
    int last = s->size - 1;
    double before = (double)INFINITY, far = fmax(fabs(p.at.hi), fabs(q.at.hi));
    agni_jet_constant(s, &term, agni_pair_of(1));
    *sum = term;
    for (int k = 0; k < 1000; k++) {
        agni_jet_line one = agni_jet_line_plus(p, k), two = agni_jet_line_plus(q, k);
        agni_jet_times(s, &term, &one);
        agni_jet_times(s, &term, &two);
        agni_jet_scale(s, &term, agni_pair_div(agni_pair_of(z), agni_pair_of(k + 1.0)));
        if (k > far + last) {
            if (term.bound[last] <= 1e-17 * fabs(sum->v[last].hi) || term.bound[last] == 0)
                return true;
            if (term.bound[last] > before)
                return false;
        }
        before = term.bound[last];
        agni_jet_add(s, sum, &term);
    }
    return false;
}
/* f times exp(L line) gamma(line)^sign, L's value left out; what is returned as of
   agni_gamma_jet */
AGNI_FN double times_gamma(const agni_jet_shape *s, agni_jet *f, agni_jet_line l, int sign,
                           double L)
{
    double c[AGNI_JET_ORDER + 1];
    int n = s->n[0] + s->n[1] + s->n[2] - 3;
    double scale = agni_gamma_jet(l.at.hi, sign, L, n, c);
    agni_jet g;
    agni_jet_compose(s, &g, c, l.c);
    agni_jet_mul(s, f, &g);
    return scale;
}
/* x large: gamma(b) / gamma(a) e^x x^(a - b) times a sum; the exponentially smaller part is left
   out; scaled: times e^-x */
AGNI_FN bool kummer_far(const agni_jet_shape *s, agni_jet_line a, agni_jet_line b, double x,
                       bool scaled, agni_jet *f)
{
    agni_jet_line less = {
        agni_pair_add(b.at, agni_pair_times(a.at, -1)), {b.c[0] - a.c[0], b.c[1] - a.c[1], 0}, {0}};
    agni_jet_line one = {
        agni_pair_add(agni_pair_of(1), agni_pair_times(a.at, -1)), {-a.c[0], -a.c[1], 0}, {0}};
    if (!far_sum(s, less, one, 1 / x, f))
        return false;
    double L = log(x), scale = times_gamma(s, f, b, 1, -L) + times_gamma(s, f, a, -1, L);
    double power = -less.at.hi * L + scale + (scaled ? 0 : x);
    double lead = fabs(power) < 300 && scale == 0 ? pow(x, -less.at.hi) * exp(scaled ? 0 : x)
                                                  : exp(power);
    if (!(lead < (double)INFINITY) || !(lead > 1e-300))
        return false;
    agni_jet_scale(s, f, agni_pair_of(lead));
    return true;
}

AGNI_VALUE double agni_hyp1f1_slope(double a, double b, double x, const int order[3], int n)
{
    if (isnan(a) || isnan(b) || isnan(x) || fabs(a) > 100 || fabs(b) > 100 || fabs(x) > 1e6 ||
        nonpositive_integer(b))
        return (double)NAN;
    agni_jet_shape s = agni_jet_shape_of(order);
    agni_jet_line up = agni_jet_line_of(agni_two_sum(a, n), 1, 0, 0),
                  low = agni_jet_line_of(agni_two_sum(b, n), 0, 1, 0);
    agni_jet_line less = agni_jet_line_of(agni_two_sum(b, -a), -1, 1, 0);
    bool ends = nonpositive_integer(a) && order[0] == 0;
    for (int way = 0; way < 3; way++) {
        agni_jet f;
        double lost = 1e-30;
        bool known = false;
        if (way == 0 && (fabs(x) < 200 || (a > 0 && b > 0 && x > 0 && x < 700) || ends))
            known = kummer_sum(&s, up, low, x, &f);
        else if (way == 1 && x < 0 && x > -650 && (known = kummer_sum(&s, less, low, -x, &f)))
            agni_jet_scale(&s, &f, agni_pair_exp(agni_pair_of(x), 0));
        else if (way == 2 && fabs(x) > 40)
            known = !ends && kummer_far(&s, x > 0 ? up : less, low, fabs(x), x < 0, &f),
            lost = 1e-17;
        if (!known)
            continue;
        for (int k = 0; k < n; k++) {
            agni_jet_line by = agni_jet_line_of(agni_two_sum(a, k), 1, 0, 0),
                          over = agni_jet_line_of(agni_two_sum(b, k), 0, 1, 0);
            agni_jet_times(&s, &f, &by);
            agni_jet_over(&s, &f, &over);
        }
        double v = agni_jet_derivative(&s, &f, lost);
        if (!isnan(v))
            return v;
    }
    return (double)NAN;
}
