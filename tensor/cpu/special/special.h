/* tensor/cpu/special/special.h - special functions that no library underneath gives to full
   accuracy everywhere. AGNI_FN is set by device code, which compiles the same text. */
#ifndef AGNI_SPECIAL_H
#define AGNI_SPECIAL_H

#include "tensor/cpu/special/constants.h"
#include "tensor/cpu/special/double_double.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef AGNI_FN
#define AGNI_FN static inline
#endif

/* log(x / (1 - x)); between 1/4 and 3/4 by 2 x - 1, which is exact */
AGNI_FN double agni_logit(double x)
{
    return x < 0.25 || x > 0.75 ? log(x / (1 - x)) : 2 * atanh(2 * x - 1);
}

AGNI_FN double agni_xlogy(double a, double b)
{
    return a == 0 && b == b ? 0 : a * log(b);
}
AGNI_FN double agni_xlog1py(double a, double b)
{
    return a == 0 && b == b ? 0 : a * log1p(b);
}
AGNI_FN double agni_entr(double x)
{
    return x < 0 ? -(double)INFINITY : x == 0 ? 0 : -x * log(x);
}

/* log(a / b), a and b > 0: by their exact difference where they are near, apart where the
   quotient leaves the range of numbers */
AGNI_FN double agni_log_ratio(double a, double b)
{
    double q = a / b;
    return q >= 0.5 && q <= 2        ? log1p((a - b) / b)
           : q > 1e-300 && q < 1e300 ? log(q)
                                     : log(a) - log(b);
}
AGNI_FN double agni_rel_entr(double a, double b)
{
    if (a != a || b != b)
        return (double)NAN;
    if (a > 0 && b > 0)
        return a * agni_log_ratio(a, b);
    return a == 0 && b >= 0 ? 0 : (double)INFINITY;
}

/* e^d for d = low - high with the rounding of the difference made good, which e^d would magnify
   (Moller 1965) */
AGNI_FN double agni_exp_gap(double low, double high, bool two)
{
    double d = low - high, part = d - low, lost = (low - (d - part)) - (high + part);
    return two ? exp2(d) * (1 + 0.69314718055994530942 * lost) : exp(d) * (1 + lost);
}
/* e^high + e^low - 1, where that is next to 0 */
AGNI_FN double agni_exp_root(agni_pair high, agni_pair low)
{
    return agni_pair_add(agni_pair_exp(high, 1), agni_pair_exp(low, 0)).hi;
}
AGNI_FN double agni_logaddexp(double a, double b)
{
    const agni_pair ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
    double high = a > b ? a : b, low = a > b ? b : a, d = low - high;
    if (a == b)
        return (a + ln2.hi) + ln2.lo;
    if (!(d > -1100))
        return d == d ? high : d;
    double y = high + log1p(agni_exp_gap(low, high, false));
    return y > 0.75 * high && y < -8 * high
               ? log1p(agni_exp_root(agni_pair_of(high), agni_pair_of(low)))
               : y;
}
/* the same in powers of 2; a = b = -1 is a root, about which u = a + 1 and b + 1 are exact and
   (2^u - 1 + 2^v - 1) / 2 the sum less 1 */
AGNI_FN double agni_logaddexp2(double a, double b)
{
    const agni_pair ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
    double high = a > b ? a : b, low = a > b ? b : a, d = low - high, s;
    if (a == b)
        return a + 1;
    if (!(d > -1100))
        return d == d ? high : d;
    double y = high + 1.44269504088896340736 * log1p(agni_exp_gap(low, high, true));
    if (!(y > 0.75 * high && y < -8 * high))
        return y;
    if (high > -0.5)
        s = agni_exp_root(agni_pair_times(ln2, high), agni_pair_times(ln2, low));
    else
        s = 0.5 * agni_pair_add(agni_pair_exp(agni_pair_times(ln2, high + 1), 1),
                                agni_pair_exp(agni_pair_times(ln2, low + 1), 1)).hi;
    return 1.44269504088896340736 * log1p(s);
}

/* log |gamma(x)|, without the global sign of lgamma() */
AGNI_FN double agni_lgamma(double x)
{
#ifdef __CUDACC__
    return lgamma(x);
#else
    int sign;
    return lgamma_r(x, &sign);
#endif
}

/* x - nearest integer in half-open terms, exact; for sines of pi x */
AGNI_FN double agni_frac_half(double x)
{
    return x - rint(x);
}

/* cot(pi f) for |f| <= 0.5, accurate to the last digits at its zeros too */
AGNI_FN double agni_cot_pi(double f)
{
    double a = fabs(f);
    return a > 0.25 ? copysign(tan(AGNI_PI * (0.5 - a)), f) : 1 / tan(AGNI_PI * f);
}

/* Digamma: upward recurrence to x >= 10, then the asymptotic series (Abramowitz & Stegun
   6.3.18), for x > 0. Near the positive root x0 the difference is formed
   from x - x0 in two parts, so that relative accuracy survives (Cody, Strecok & Thacher). */
AGNI_FN double agni_digamma_above(double x)
{
    if (x > 1.2 && x < 1.75) {
        /* Taylor about the root: coefficients (-1)^(k+1) zeta(k + 1, x0), k = 1.. */
        double hi = 1.4616321449683622, lo = 9.5499954299656977e-17;
        double d = (x - hi) - lo, sum = 0;
        const double c[] = {0.96767224544762117, -0.44276316898359211,
                            0.25849976095565101, -0.16394270544240653,
                            0.10782405069126237, -0.072199561256454711,
                            0.048804288164143107, -0.033161126474847359,
                            0.022597648232218105, -0.015424765904948959,
                            0.010538791616612175, -0.0072045343863568682,
                            0.0049267813957298534, -0.0033698016554393281,
                            0.0023051263267349278, -0.0015769367714301973,
                            0.0010788252019162966, -0.00073807093899600513,
                            0.00050495326583460204, -0.0003454680251063077,
                            0.00023635601564027053, -0.00016170622091974803,
                            0.00011063372768747411, -7.5691795821950659e-5};
        for (int k = (int)(sizeof c / sizeof *c) - 1; k >= 0; k--)
            sum = sum * d + c[k];
        return sum * d;
    }
    agni_pair shift = {0, 0};
    const bool cancels = x > 0.5 && x < 4; /* logarithm and reciprocals exceed their sum */
    for (; x < 10; x++)
        if (cancels)
            shift = agni_pair_add(shift, agni_pair_div(agni_pair_of(-1), agni_pair_of(x)));
        else
            shift.hi -= 1 / x;
    double r = 1 / x, r2 = r * r;
    double series = r2 * (1.0 / 12 - r2 * (1.0 / 120 - r2 * (1.0 / 252 - r2 * (1.0 / 240 -
        r2 * (1.0 / 132 - r2 * (691.0 / 32760 - r2 * (1.0 / 12)))))));
    if (!cancels)
        return shift.hi + (log(x) - 0.5 * r - series);
    shift = agni_pair_add(shift, agni_pair_log(agni_pair_of(x)));
    return agni_pair_add(shift, agni_two_sum(-0.5 * r, -series)).hi;
}

/* The same to 100 bits for x = 1 - y and less pi cot(pi y): y < 0 next to a root */
AGNI_FN double agni_digamma_root(double y)
{
    const double num[] = {1, 1, 1, 1, 1, 691, 1, 3617, 43867, 174611, 77683, 236364091, 657931,
                          3392780147, 1723168255201}; /* |B_2k| / 2k */
    const double den[] = {12, 120, 252, 240, 132, 32760, 12, 8160, 14364, 6600, 276, 65520, 12,
                          3480, 85932};
    const agni_pair pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53}, one = {1, 0};
    agni_pair x = agni_two_sum(1, -y), sum = {0, 0}, series = {0, 0};
    for (; x.hi < 24; x = agni_pair_add(x, one))
        sum = agni_pair_add(sum, agni_pair_div(agni_pair_of(-1), x));
    agni_pair r = agni_pair_div(one, x), q = agni_pair_mul(r, r);
    for (int k = (int)(sizeof num / sizeof *num) - 1; k >= 0; k--) {
        agni_pair c = agni_pair_div(agni_pair_of(num[k]), agni_pair_of(den[k]));
        series = agni_pair_mul(q, agni_pair_add(c, agni_pair_times(series, -1)));
    }
    sum = agni_pair_add(sum, agni_pair_add(agni_pair_log(x), agni_pair_times(r, -0.5)));
    sum = agni_pair_add(sum, agni_pair_times(series, -1));
    double f = agni_frac_half(y), a = fabs(f);
    agni_pair t = agni_pair_tan_pi(a > 0.25 ? 0.5 - a : a);
    t = agni_pair_mul(pi, a > 0.25 ? t : agni_pair_div(one, t));
    return agni_pair_add(sum, agni_pair_times(t, f < 0 ? 1 : -1)).hi;
}

/* Reflection below 0 (6.3.7). No function here calls itself: device code cannot tell how
   deep a stack that would take. */
AGNI_FN double agni_digamma(double x)
{
    if (x != x)
        return x;
    if (x > 0)
        return agni_digamma_above(x);
    if (x == floor(x)) /* a pole */
        return x == 0 ? -copysign((double)INFINITY, x) : (double)NAN;
    double up = agni_digamma_above(1 - x), y = up - AGNI_PI * agni_cot_pi(agni_frac_half(x));
    return fabs(y) < 0.5 * fabs(up) ? agni_digamma_root(x) : y;
}

/* x^(s - 1) zeta(s, x), the Hurwitz zeta function without its range, s > 1, x > 0: direct terms to
   x >= 11 + s, then Euler-Maclaurin (Abramowitz & Stegun 23.1.30, Bernoulli numbers to
   B_24). */
AGNI_FN double agni_hurwitz(double s, double x)
{
    /* B_2j / (2j)! */
    const double b[] = {8.3333333333333333e-02, -1.3888888888888889e-03, 3.3068783068783069e-05,
                        -8.2671957671957672e-07, 2.0876756987868099e-08, -5.2841901386874932e-10,
                        1.3382536530684679e-11, -3.3896802963225829e-13, 8.5860620562778446e-15,
                        -2.1748686985580619e-16, 5.5090028283602295e-18, -1.3954464685812523e-19};
    double sum = 0, top = 11 + s, first = x;
    for (int k = 0; x < top; x = first + ++k) {
        double term = exp(-s * log1p(k / first)); /* x + 1 may be x */
        sum += term;
        if (term * (1 + x / (s - 1)) < 0x1p-60 * sum) /* so is all that follows */
            return sum / first;
    }
    double p = exp(-s * log1p((x - first) / first)), t = 0.5 * p;
    double f = s * p / x; /* s (s+1) ... / x^(s + 2j - 1) */
    for (int j = 0; j < (int)(sizeof b / sizeof *b); j++) {
        t += b[j] * f;
        f *= (s + 2 * j + 1) * (s + 2 * j + 2) / (x * x);
    }
    return p * (x / first) / (s - 1) + (sum + t) / first;
}

/* n! zeta(n + 1, x), in an order that neither over- nor underflows before the result does */
AGNI_FN double agni_polygamma_above(double x, int64_t n)
{
    /* of order 1 without pow, which compilers may or may not make a quotient of */
    double s = (double)n + 1, by = n > 20 ? -0.5 * (double)n : -(double)n;
    double part = n == 1 ? 1 / x : pow(x, by);
    return tgamma(s) * part * agni_hurwitz(s, x) * (n > 20 ? part : 1);
}

/* zeta(2, x), x > 0: up to 15 by recurrence, then the asymptotic series (Abramowitz & Stegun 6.4.6,
   6.4.12); the smallest terms are added first */
AGNI_FN double agni_trigamma_above(double x)
{
    int k = x < 15 ? (int)(15 - x) + 1 : 0;
    double z = x + k, r = 1 / z, q = r * r;
    double sum = r * q *
                 (1.0 / 6 -
                  q * (1.0 / 30 -
                       q * (1.0 / 42 -
                            q * (1.0 / 30 -
                                 q * (5.0 / 66 -
                                      q * (691.0 / 2730 - q * (7.0 / 6 - q * (3617.0 / 510))))))));
    sum = sum + 0.5 * q + r;
    while (k-- > 0) {
        double s = x + k;
        sum += 1 / (s * s);
    }
    return sum;
}

/* n-th derivative of digamma: (-1)^(n+1) n! zeta(n + 1, x); below 0 by reflection, the n-th
   derivative of pi cot(pi x) as a polynomial in cot (Abramowitz & Stegun 6.4.7). */
AGNI_FN double agni_polygamma(double x, int64_t n)
{
    enum { MAX = 104 };
    if (n == 0)
        return agni_digamma(x);
    if (x != x || n < 0 || n >= MAX)
        return (double)NAN;
    if (x <= 0) {
        if (x == floor(x))
            return n % 2 ? (double)INFINITY : (double)NAN;
        if (x > -1e-20) /* n! / |x|^(n + 1) is all of it, and the cotangent may be infinite */
            return agni_polygamma_above(-x, n);
        double q[MAX + 2] = {0}, c = agni_cot_pi(agni_frac_half(x)), scale = AGNI_PI;
        q[1] = 1; /* cot itself; each derivative maps q to -(1 + c^2) q' times pi */
        for (int64_t k = 1; k <= n; k++) {
            double d[MAX + 2] = {0};
            for (int64_t i = 1; i <= k; i++) {
                d[i - 1] -= (double)i * q[i];
                d[i + 1] -= (double)i * q[i];
            }
            for (int64_t i = 0; i <= k + 1; i++)
                q[i] = d[i];
            scale *= AGNI_PI;
        }
        double sum = 0;
        for (int64_t i = n + 1; i >= 0; i--)
            sum = sum * c + q[i];
        /* (-1)^n of the value at 1 - x */
        return -agni_polygamma_above(1 - x, n) - scale * sum;
    }
    if (n == 1 && x > 1e-150 && x < 1e150)
        return agni_trigamma_above(x);
    double g = agni_polygamma_above(x, n);
    return n % 2 ? g : -g;
}

/* Hurwitz zeta function, s > 1 real: infinite at s = 1 and at b = 0, -1, ...; below 0 for
   whole s only, where the terms are real, through the polygamma function of order s - 1. */
AGNI_FN double agni_zeta(double s, double b)
{
    if (s != s || b != b || s < 1)
        return (double)NAN;
    if (s == 1)
        return (double)INFINITY;
    if (b > 0)
        return isinf(s) ? (b < 1 ? (double)INFINITY : b == 1) : pow(b, 1 - s) * agni_hurwitz(s, b);
    if (b == floor(b))
        return (double)INFINITY;
    if (s != floor(s) || isinf(b))
        return (double)NAN;
    double odd = fmod(s, 2.0) == 0 ? 1 : -1;
    if (s <= 100)
        return odd * agni_polygamma(b, (int64_t)s - 1) / tgamma(s);
    double up = b - floor(b), down = 1 - up; /* the two largest terms are all that counts */
    return pow(up, -s) + odd * pow(down, -s);
}

#endif
