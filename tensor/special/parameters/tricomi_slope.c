/* tensor/special/parameters/tricomi_slope.c - derivatives of Tricomi's U in its parameters: moments
   of logarithms under the integral of a positive function (DLMF 13.4.4; 13.2.40), by the
   trapezoidal rule in the logarithm of the variable, which converges exponentially; below a = 1/2
   the recurrence in a on power series (13.3.7). */
#include "tensor/special/parameters/jet.h"
#include "tensor/special/parameters/values.h"

#include "tensor/cpu/special/special.h"

/* t^(p - 1) (1 + t)^c e^(-x t) / gamma(p), p >= 1/2; p has slopes dp in a and b, log(1 + t) dc;
   shift: of the slope in b */
typedef struct tricomi {
    double p, c, x, dp[2], dc[2], shift;
} tricomi;

AGNI_FN void integrate_moments(const agni_jet_shape *s, const tricomi *q, agni_jet *f)
{
    double p = q->p, c = q->c, x = q->x, h = fmin(0.2, 0.5 / sqrt(1 + p + fabs(c))),
           psi = agni_digamma(p);
    double from = -60 / p - 3 + log(p / (p + x + fabs(c))),
           to = fmax(log((760 + 8 * (p + fabs(c + p))) / x), 1);
    double top = -(double)INFINITY, sum[AGNI_JET_SIZE] = {0}, size[AGNI_JET_SIZE] = {0},
           series[AGNI_JET_ORDER + 1];
    if (c + p < 0)
        to = fmin(to, fmax(-100 / (c + p), 2) + fabs(log(p)));
    int steps = (int)((to - from) / h) + 1;
    for (int k = 0; k <= steps; k++) {
        double u = from + k * h, t = exp(u);
        top = fmax(top, p * u - x * t + c * log1p(t));
    }
    for (int k = 0; k <= steps; k++) {
        double u = from + k * h, t = exp(u), l = log1p(t), w = exp(p * u - x * t + c * l - top);
        double a = q->dp[0] * (u - psi) + q->dc[0] * l,
               b = q->dp[1] * (u - psi) + q->dc[1] * l + q->shift;
        if (w == 0)
            continue;
        for (int i = 0, at = 0; i < s->n[0]; i++) {
            double v = w;
            for (int j = 0; j < s->n[1]; j++, at++) {
                sum[at] += v;
                size[at] += fabs(v);
                v *= b / (j + 1);
            }
            w *= a / (i + 1);
        }
    }
    double scale = agni_gamma_jet(p, -1, psi, s->n[0] + s->n[1] - 2, series), lead = series[0];
    for (int k = 0; k < s->n[0] + s->n[1] - 1; k++)
        series[k] /= lead;
    double by = scale == 0 && fabs(top) < 300 ? h * exp(top) * lead
                                              : h * exp(top + scale + log(lead));
    const double along[3] = {q->dp[0], q->dp[1], 0};
    agni_jet g;
    for (int at = 0; at < s->size; at++) {
        f->v[at] = agni_pair_of(sum[at] * by);
        f->bound[at] = size[at] * by;
    }
    agni_jet_compose(s, &g, series, along);
    agni_jet_mul(s, f, &g);
}
AGNI_FN void raise_to_power(const agni_jet_shape *s, double a, double b, double x, agni_jet *f)
{
    tricomi q = {a, b - a - 1, x, {1, 0}, {-1, 1}, 0};
    integrate_moments(s, &q, f);
}

AGNI_VALUE double agni_hypu_slope(double a, double b, double x, const int order[3], int n)
{
    if (isnan(a) || isnan(b) || isnan(x) || fabs(a) > 100 || fabs(b) > 100 ||
        !(x > 1e-100 && x < 1e100))
        return (double)NAN;
    agni_jet_shape s = agni_jet_shape_of(order);
    double p = a + n, r = b + n; /* (-1)^n (a)_n U(a + n, b + n, x) */
    agni_jet f, high;
    double lost = 0; /* moments are right to their own size */
    if (p >= 0.5) {
        raise_to_power(&s, p, r, x, &f);
    } else if (p - r + 1 >= 0.5) { /* x^(1 - b) U(a - b + 1, 2 - b, x) */
        tricomi q = {a - b + 1, -p, x, {1, -1}, {-1, 0}, -log(x)};
        integrate_moments(&s, &q, &f);
        agni_jet_scale(&s, &f, agni_pair_of(pow(x, 1 - r)));
    } else {
        int up = (int)ceil(1 - p);
        lost = 2e-18;
        raise_to_power(&s, p + up, r, x, &f);
        raise_to_power(&s, p + up + 1, r, x, &high);
        for (int k = up; k > 0; k--) { /* U(p - 1) = (x + 2 p - b) U(p) - p (p - b + 1) U(p + 1) */
            double at = p + k;
            agni_jet_line both = agni_jet_line_of(agni_two_sum(2 * at - r, x), 2, -1, 0);
            agni_jet_line one = agni_jet_line_of(agni_pair_of(at), 1, 0, 0);
            agni_jet_line two = agni_jet_line_of(agni_two_sum(at + 1, -r), 1, -1, 0);
            agni_jet now = f;
            agni_jet_times(&s, &f, &both);
            agni_jet_times(&s, &high, &one);
            agni_jet_times(&s, &high, &two);
            agni_jet_scale(&s, &high, agni_pair_of(-1));
            agni_jet_add(&s, &f, &high);
            high = now;
        }
    }
    for (int k = 0; k < n; k++) {
        agni_jet_line by = agni_jet_line_of(agni_two_sum(a, k), 1, 0, 0);
        agni_jet_times(&s, &f, &by);
    }
    return agni_jet_derivative(&s, &f, lost) * (n & 1 ? -1 : 1);
}
