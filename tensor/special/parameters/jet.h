/* tensor/special/parameters/jet.h - truncated power series in up to three parameters (Taylor
   arithmetic; Griewank and Walther, Evaluating Derivatives, 13), in double-double. Each coefficient
   has a bound beside it: what it would be if nothing cancelled, so that the digits lost are
   known. */
#ifndef AGNI_JET_H
#define AGNI_JET_H

#include "tensor/cpu/special/double_double.h"
#include "tensor/special/parameters/values.h"
#include <math.h>
#include <stdbool.h>

enum { AGNI_JET_SIZE = 125, AGNI_JET_ORDER = 24 };

typedef struct agni_jet {
    agni_pair v[AGNI_JET_SIZE];
    double bound[AGNI_JET_SIZE];
} agni_jet;

/* orders in the parameters, inclusive; the coefficient of order i, j, k is at (i n[1] + j) n[2] +
   k */
typedef struct agni_jet_shape {
    int n[3], size;
} agni_jet_shape;

/* at + c . d with d the steps of the parameters */
typedef struct agni_jet_line {
    agni_pair at;
    double c[3], lo[3]; /* lo: what c is short of */
} agni_jet_line;

AGNI_FN bool agni_jet_fits(const int order[3])
{
    for (int m = 0; m < 3; m++)
        if (order[m] < 0 || order[m] >= AGNI_JET_ORDER)
            return false;
    return order[0] + order[1] + order[2] <= AGNI_JET_ORDER &&
           (order[0] + 1) * (order[1] + 1) * (order[2] + 1) <= AGNI_JET_SIZE;
}
AGNI_FN agni_jet_shape agni_jet_shape_of(const int order[3])
{
    agni_jet_shape s = {{order[0] + 1, order[1] + 1, order[2] + 1}, 0};
    s.size = s.n[0] * s.n[1] * s.n[2];
    return s;
}
/* how far back the coefficient one order lower in parameter m is; 0: there is none */
AGNI_FN int agni_jet_back(const agni_jet_shape *s, int at, int m)
{
    int stride = m == 0 ? s->n[1] * s->n[2] : m == 1 ? s->n[2] : 1;
    return at / stride % s->n[m] ? stride : 0;
}
AGNI_FN agni_jet_line agni_jet_line_of(agni_pair at, double a, double b, double c)
{
    agni_jet_line y = {at, {a, b, c}, {0}};
    return y;
}
AGNI_FN agni_jet_line agni_jet_line_plus(agni_jet_line a, double by)
{
    a.at = agni_pair_add(a.at, agni_pair_of(by));
    return a;
}

AGNI_FN void agni_jet_constant(const agni_jet_shape *s, agni_jet *f, agni_pair v)
{
    for (int i = 0; i < s->size; i++) {
        f->v[i] = agni_pair_of(0);
        f->bound[i] = 0;
    }
    f->v[0] = v;
    f->bound[0] = fabs(v.hi);
}
AGNI_FN void agni_jet_scale(const agni_jet_shape *s, agni_jet *f, agni_pair by)
{
    for (int i = 0; i < s->size; i++) {
        f->v[i] = agni_pair_mul(f->v[i], by);
        f->bound[i] *= fabs(by.hi);
    }
}
AGNI_FN void agni_jet_add(const agni_jet_shape *s, agni_jet *f, const agni_jet *g)
{
    for (int i = 0; i < s->size; i++) {
        f->v[i] = agni_pair_add(f->v[i], g->v[i]);
        f->bound[i] += g->bound[i];
    }
}
/* f times a line */
AGNI_FN void agni_jet_times(const agni_jet_shape *s, agni_jet *f, const agni_jet_line *l)
{
    for (int i = s->size - 1; i >= 0; i--) {
        agni_pair v = agni_pair_mul(f->v[i], l->at);
        double bound = f->bound[i] * fabs(l->at.hi);
        for (int m = 0; m < 3; m++) {
            int back = l->c[m] != 0 ? agni_jet_back(s, i, m) : 0;
            if (back) {
                v = agni_pair_add(v,
                                  agni_pair_mul(f->v[i - back], agni_two_sum(l->c[m], l->lo[m])));
                bound += f->bound[i - back] * fabs(l->c[m]);
            }
        }
        f->v[i] = v;
        f->bound[i] = bound;
    }
}
/* f divided by a line */
AGNI_FN void agni_jet_over(const agni_jet_shape *s, agni_jet *f, const agni_jet_line *l)
{
    agni_pair inverse = agni_pair_div(agni_pair_of(1), l->at);
    for (int i = 0; i < s->size; i++) {
        agni_pair v = f->v[i];
        double bound = f->bound[i];
        for (int m = 0; m < 3; m++) {
            int back = l->c[m] != 0 ? agni_jet_back(s, i, m) : 0;
            if (back) {
                v = agni_pair_add(v,
                                  agni_pair_mul(f->v[i - back], agni_two_sum(-l->c[m], -l->lo[m])));
                bound += f->bound[i - back] * fabs(l->c[m]);
            }
        }
        f->v[i] = agni_pair_mul(v, inverse);
        f->bound[i] = bound * fabs(inverse.hi);
    }
}
/* f times g */
AGNI_FN void agni_jet_mul(const agni_jet_shape *s, agni_jet *f, const agni_jet *g)
{
    int low = s->n[2], middle = s->n[1] * low;
    for (int i = s->size - 1; i >= 0; i--) {
        agni_pair v = {0, 0};
        double bound = 0;
        for (int j = 0; j <= i; j++) {
            if (j % low > i % low || j / low % s->n[1] > i / low % s->n[1] ||
                j / middle > i / middle)
                continue;
            v = agni_pair_add(v, agni_pair_mul(f->v[j], g->v[i - j]));
            bound += f->bound[j] * g->bound[i - j];
        }
        f->v[i] = v;
        f->bound[i] = bound;
    }
}
/* g(c . d) of a series g in one variable: the coefficient of d0^i d1^j d2^k has i + j + k over i,
   j, k as its factor */
AGNI_FN void agni_jet_compose(const agni_jet_shape *s, agni_jet *f, const double *g,
                                    const double c[3])
{
    for (int at = 0; at < s->size; at++) {
        int order[3] = {at / (s->n[1] * s->n[2]), at / s->n[2] % s->n[1], at % s->n[2]}, n = 0;
        double factor = 1;
        for (int m = 0; m < 3; m++)
            for (int k = 1; k <= order[m]; k++)
                factor = factor * c[m] * ++n / k;
        f->v[at] = factor == 0 ? agni_pair_of(0) : agni_pair_times(agni_pair_of(g[n]), factor);
        f->bound[at] = fabs(f->v[at].hi);
    }
}

/* c[0..n]: coefficients of exp(L d) gamma(z + d)^sign, sign 1 or -1, divided by exp of what is
   returned: 0 where gamma(z) is in the range of numbers */
AGNI_VALUE double agni_gamma_jet(double z, int sign, double L, int n, double *c);

/* the derivative of order k of a product of two series */
AGNI_FN double agni_jet_last(const double *f, const double *g, int k)
{
    double sum = 0;
    for (int j = 0; j <= k; j++)
        sum += f[j] * g[k - j];
    for (int j = 2; j <= k; j++)
        sum *= j;
    return sum;
}

/* i! j! k! times the last coefficient; NaN where lost, the relative error of a term, makes more
   than 1e-14 of it */
AGNI_FN double agni_jet_derivative(const agni_jet_shape *s, const agni_jet *f, double lost)
{
    agni_pair v = f->v[s->size - 1];
    double y = v.hi;
    if (!(f->bound[s->size - 1] * lost <= 1e-14 * fabs(y)))
        return (double)NAN;
    for (int m = 0; m < 3; m++)
        for (int k = 2; k < s->n[m]; k++)
            y *= k;
    return y;
}

#endif
