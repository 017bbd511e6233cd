/* tensor/special/hypergeometric/kummer.c - confluent hypergeometric functions. M by its series in
   double-double with a bound of what cancels, Kummer's transformation, and the expansions at
   infinity (DLMF 13.2, 13.7); U by the integral of a positive function (13.4.4), whose
   trapezoidal rule in the logarithm of the variable converges exponentially, and its recurrence
   in a, downwards (13.3.7). */
#include "tensor/special/hypergeometric/values.h"

#include "tensor/cpu/special/constants.h"
#include "tensor/cpu/special/double_double.h"
#include <math.h>

enum { KUMMER_TERMS = 20000 };

AGNI_FN bool nonpositive_integer(double a)
{
    return a <= 0 && a == floor(a);
}
AGNI_FN agni_pair plus(agni_pair a, double b)
{
    return agni_pair_add(a, agni_pair_of(b));
}

/* NaN where more than 17 digits cancel */
AGNI_FN double kummer_series(agni_pair a, double b, double x)
{
    agni_pair term = {1, 0}, sum = {1, 0};
    double most = 1;
    for (int n = 0; n < KUMMER_TERMS; n++) {
        agni_pair up = agni_pair_times(agni_pair_mul(term, plus(a, n)), x);
        agni_pair down = agni_pair_times(agni_two_sum(b, n), n + 1.0);
        term = agni_pair_div(up, down);
        sum = agni_pair_add(sum, term);
        double size = fabs(term.hi);
        most = fmax(most, size);
        if (isinf(sum.hi) || isnan(sum.hi)) /* an overflow, where all terms are added */
            return a.hi > 0 && b > 0 && x > 0 ? sum.hi : (double)NAN;
        bool falls = fabs((a.hi + n + 1) * x) < 0.5 * fabs((b + n + 1) * (n + 2.0)); /* a may be tiny */
        if (size == 0 || (size < 1e-34 * most && n > fabs(a.hi) && n > -b && falls))
            return most * 1e-31 < 1e-14 * fabs(sum.hi) ? sum.hi : (double)NAN;
    }
    return (double)NAN;
}
/* sum of (p)_n (q)_n / n! z^n while terms decrease; *rest: the least, 1 where more than two digits
   cancel */
AGNI_FN double asymptotic_sum(double p, double q, double z, double *rest)
{
    double term = 1, sum = 1, most = 1;
    *rest = 1;
    for (int n = 0; n < 500; n++) {
        double next = term * (p + n) * (q + n) / (n + 1.0) * z;
        if (fabs(next) > fabs(term) && n > fmax(fabs(p), fabs(q)))
            break;
        sum += term = next;
        most = fmax(most, fabs(term));
        *rest = fabs(term / sum);
        if (*rest < 1e-17)
            break;
    }
    if (!(most < 100 * fabs(sum)))
        *rest = 1;
    return sum;
}
/* of factors that may leave the range together, where the product does not */
AGNI_FN double balanced_product(double *f, int n)
{
    double v = 1;
    for (; n > 0; n--) {
        int at = 0;
        for (int i = 1; i < n; i++)
            if (fabs(v) > 1 ? fabs(f[i]) < fabs(f[at]) : fabs(f[i]) > fabs(f[at]))
                at = i;
        v *= f[at];
        f[at] = f[n - 1];
    }
    return v;
}
/* x > 0, large, less = b - a; scaled: times exp(-x) */
AGNI_FN double kummer_far(agni_pair p, double b, agni_pair less, double x, bool scaled)
{
    double a = p.hi, r1, r2, far = asymptotic_sum(less.hi, 1 - a, 1 / x, &r1),
           near = asymptotic_sum(a, 1 - less.hi, -1 / x, &r2);
    double g = tgamma(b), e = exp(scaled ? 0 : x / 2), s = agni_pair_rgamma(p), c = agni_pair_rgamma(less),
           rise = pow(x, -less.hi / 2), fall = pow(x, -a / 2); /* halves: powers leave the range */
    double up[] = {g, s, rise, rise, far, e, e},
           down[] = {g, c, fall, fall, near, scaled ? exp(-x) : 1, cos(AGNI_PI * fmod(fabs(a), 2))};
    double lead = balanced_product(up, 7), trail = balanced_product(down, 7), v = lead + trail;
    if (!(fabs(g) < 1e300) || !isfinite(s) || !isfinite(c) ||
        !(fabs(lead) * r1 + fabs(trail) * r2 < 1e-15 * fabs(v)))
        return (double)NAN;
    return isinf(v) ? (double)NAN : v;
}

AGNI_VALUE double agni_hyp1f1(double a, double b, double x)
{
    if (isnan(a) || isnan(b) || isnan(x) || fabs(a) > 100 || fabs(b) > 100 ||
        nonpositive_integer(b))
        return (double)NAN;
    if (x == 0 || a == 0)
        return 1;
    if (a == b)
        return exp(x);
    if (x > 1e6 || x < -1e6)
        return (double)NAN;
    double v = (double)NAN;
    if (fabs(x) < 200 || nonpositive_integer(a) || (a > 0 && b > 0 && x > 0))
        v = kummer_series(agni_pair_of(a), b, x);
    if (isnan(v) && x < 0 && x > -650)
        v = kummer_series(agni_two_sum(b, -a), b, -x) * exp(x);
    if (isinf(v) && x < 0) /* what overflows before it is scaled */
        v = (double)NAN;
    if (isnan(v) && fabs(x) > 30) {
        agni_pair p = agni_pair_of(a), less = agni_two_sum(b, -a);
        v = x > 0 ? kummer_far(p, b, less, x, false) : kummer_far(less, b, p, -x, true);
    }
    return v;
}

/* log of t^a (1 + t)^c exp(-x t), c = b - a - 1, t = exp(s): beyond 1 powers of t nearly cancel */
AGNI_FN double tricomi_exponent(double a, double b, double x, double s)
{
    double t = exp(s), c = b - a - 1;
    return (s > 0 ? (b - 1) * s + c * log1p(1 / t) : a * s + c * log1p(t)) - x * t;
}
/* the same in two parts, of t: its own digits are those of the result */
AGNI_FN agni_pair tricomi_top(double a, double b, double x, double t)
{
    agni_pair c = plus(agni_two_sum(b, -a), -1), more = agni_pair_log(agni_two_sum(1, t)),
              v = agni_pair_times(agni_pair_log(agni_pair_of(t)), a);
    v = agni_pair_add(v, agni_pair_mul(c, more));
    return agni_pair_add(v, agni_pair_times(agni_pair_times(agni_pair_of(x), t), -1));
}
/* what it has more at t exp(d): from the side where no powers cancel */
AGNI_FN double tricomi_rise(double a, double b, double x, double t, double d)
{
    double c = b - a - 1, m = expm1(d), to = t * exp(d);
    double powers = to > 1  ? (b - 1) * d + c * log1p(expm1(-d) / (1 + t))
                    : t > 1 ? a * d + c * (log1p(to) - log1p(t))
                            : a * d + c * log1p(t / (1 + t) * m);
    return powers - x * t * m;
}
/* share of U, a >= 1/2, x > 0 */
AGNI_FN double tricomi_share(double a, double b, double x, double share)
{
    double h = fmin(0.2, 0.5 / sqrt(1 + a + fabs(b))), c = b - a - 1;
    double from = -45 / a - 3 + log(a / (a + x + fabs(c))),
           to = fmax(log((760 + 8 * (a + fabs(b))) / x), 1), top = -INFINITY;
    if (c + a < 0) /* the integrand falls as t^(b - 1) before the exponential does */
        to = fmin(to, fmax(-80 / (c + a), 2) + fabs(log(a)));
    int steps = (int)((to - from) / h) + 1, peak = 0;
    double sum = 0;
    for (int k = 0; k <= steps; k++) {
        double e = tricomi_exponent(a, b, x, from + k * h);
        if (e > top)
            top = e, peak = k;
    }
    double t = exp(from + peak * h);
    for (int k = 0; k <= steps; k++)
        sum += exp(tricomi_rise(a, b, x, t, (k - peak) * h));
    agni_pair at = tricomi_top(a, b, x, t);
    if (a >= 150)
        return share * sum * h * exp(at.hi - lgamma(a) + at.lo);
    double half = exp(at.hi / 2);
    return half / tgamma(a) * (share * sum * h * (1 + at.lo)) * half;
}
AGNI_FN double tricomi_integral(double a, double b, double x)
{
    return tricomi_share(a, b, x, 1);
}
/* 0 < a < 1/2: with U(a, b - 1) + a U(a + 1, b) (DLMF 13.3.9) down to where those of a + 1 are added, too
   (13.3.10) */
AGNI_FN double tricomi_added(double a, double b, double x)
{
    double sum = 0;
    for (; b >= a + 2; b--)
        sum += tricomi_share(a + 1, b, x, a);
    return sum + tricomi_share(a + 1, b, x, a + x) + tricomi_share(a + 1, b - 1, x, a - b + 2);
}
AGNI_FN double tricomi_raised(double a, double b, double x)
{
    int up = a < 0.5 ? (int)ceil(1 - a) : 0;
    double high, now, top = a + up;
    if (up == 0)
        return tricomi_integral(a, b, x);
    if (a > 0)
        return tricomi_added(a, b, x);
    now = tricomi_integral(top, b, x), high = tricomi_integral(top + 1, b, x);
    double error = 2e-15 * fabs(now), error_high = 2e-15 * fabs(high), scale = fabs(now);
    for (int k = 0; k < up; k++) {
        double p = top - k, c0 = x + 2 * p - b, c1 = p * (p - b + 1), next = c0 * now - c1 * high;
        scale = fabs(c0 * now) + fabs(c1 * high);
        double e = fabs(c0) * error + fabs(c1) * error_high + 2e-16 * scale;
        high = now, now = next, error_high = error, error = e;
    }
    return error < 1e-12 * scale ? now : (double)NAN;
}

/* x^p v; NaN where a factor has left the range */
AGNI_FN double raised(double x, double p, double v)
{
    double lead = pow(x, p);
    return lead > 1e-300 && lead < 1e300 && fabs(v) > 1e-300 ? lead * v : (double)NAN;
}

AGNI_VALUE double agni_hypu(double a, double b, double x)
{
    if (isnan(a) || isnan(b) || isnan(x) || fabs(a) > 100 || fabs(b) > 100 || x < 0)
        return (double)NAN;
    if (x == 0) {
        if (nonpositive_integer(a)) /* (-1)^n (b)_n */ {
            double v = 1;
            for (int k = 0; k < -a; k++)
                v *= -(b + k);
            return v;
        }
        return b < 1 ? tgamma(1 - b) * agni_pair_rgamma(plus(agni_two_sum(a, -b), 1))
                     : copysign((double)INFINITY, tgamma(a));
    }
    if (a == 0)
        return 1;
    if (x < 1e-100 || x > 1e100)
        return (double)NAN;
    if (a < 0.5 && a - b + 1 >= 0.5)
        return raised(x, 1 - b, tricomi_integral(a - b + 1, 2 - b, x));
    return tricomi_raised(a, b, x);
}
