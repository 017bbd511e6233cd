/* tensor/cpu/special/incomplete.h - incomplete gamma and beta functions with their densities.
   Shared with device code. */
#ifndef AGNI_SPECIAL_GAMMA_H
#define AGNI_SPECIAL_GAMMA_H

#include "tensor/cpu/special/coef.h"
#include "tensor/cpu/special/normal.h"
#include "tensor/cpu/special/special.h"

#define AGNI_2PI 6.28318530717958647693

/* log(r) - u, r = 1 + u: near 1 by s = u / (2 + u), log(r) = 2 (s + s^3/3 + ...) */
AGNI_FN double agni_log_less(double r, double u)
{
    if (!(u > -0.6 && u < 1.5))
        return log(r) - u;
    double s = u / (2 + u), q = s * s, term = q, sum = 0;
    for (int k = 3; term > 0x1p-60 * q; k += 2, term *= q)
        sum += term / k;
    return s * (2 * sum - u);
}

/* gamma(a) / (sqrt(2 pi / a) (a / e)^a): by Stirling's series (DLMF 5.11.1) for a >= 10 */
AGNI_FN double agni_gamma_star(double a)
{
    if (a < 10)
        return tgamma(a) * exp(a) * pow(a, 0.5 - a) / sqrt(AGNI_2PI);
    double q = 1 / (a * a);
    return exp((1.0 / 12 - q * (1.0 / 360 - q * (1.0 / 1260 - q * (1.0 / 1680 - q * (1.0 / 1188 -
               q * (691.0 / 360360 - q * (1.0 / 156))))))) / a);
}

/* exp(a (log(x/a) + 1) - x), a > 0: where that is small, the exponent to 100 bits */
AGNI_FN double agni_gamma_power(double a, double x)
{
    double plain = a * agni_log_less(x / a, (x - a) / a);
    if (!(plain < -4 && plain > -760))
        return exp(plain);
    agni_pair e = agni_pair_log(agni_pair_div(agni_pair_of(x), agni_pair_of(a)));
    e = agni_pair_add(agni_pair_times(e, a), agni_two_sum(a, -x));
    return exp(e.hi) * (1 + e.lo);
}

/* gamma(a + 1): a + 1 is rounded, which gamma magnifies by its digamma function */
AGNI_FN double agni_gamma_next(double a)
{
    return a < 1 ? tgamma(a + 1) : a * tgamma(a);
}

/* x^a exp(-x) / gamma(a + 1), a and x > 0: factor by factor where none leaves its range, else
   with the large exponents cancelled (Loader 2000) */
AGNI_FN double agni_gamma_front(double a, double x)
{
    if (a < 160 && x < 1400 && (x < 1 || a * log(x) < 705)) {
        double e = exp(-0.5 * x); /* exp(-x) may be 0 where the product is not */
        return pow(x, a) * e / agni_gamma_next(a) * e;
    }
    if (a < 10) /* x is extreme */
        return exp(a * log(x) - x) / agni_gamma_next(a);
    return agni_gamma_power(a, x) / (sqrt(AGNI_2PI * a) * agni_gamma_star(a));
}

/* P by its series, over the front: 1 + x / (a + 1) + x^2 / ((a + 1)(a + 2)) ... (8.11.4) */
AGNI_FN double agni_gamma_series(double a, double x)
{
    double term = 1, sum = 1;
    for (int k = 1; term > 0x1p-57 * sum && k < 100000; k++) {
        term *= x / (a + k);
        sum += term;
    }
    return sum;
}

/* Q by its continued fraction, over the front: a / (x + 1 - a - 1 (1 - a) / (x + 3 - a - ...))
   (8.9.2, contracted), forwards by Steed's method (Barnett et al. 1974) */
AGNI_FN double agni_gamma_fraction(double a, double x)
{
    double b = x + 1 - a, d = 1 / b, step = d, sum = d;
    for (int k = 1; fabs(step) > 0x1p-57 * fabs(sum) && k < 100000; k++) {
        double n = k * (a - k), was = d;
        b += 2;
        d = 1 / (b + n * d);
        step *= -n * was * d;
        sum += step;
    }
    return a * sum;
}

/* log gamma(1 + a), 0 <= a < 1.1, to the last digits next to 0 */
AGNI_FN double agni_lgamma_next(double a)
{
    const double c[] = AGNI_C_LGAMMA1P;
    double sum = 0;
    if (a > 0.5)
        return agni_lgamma(1 + a);
    for (int k = (int)(sizeof c / sizeof *c) - 1; k >= 0; k--)
        sum = sum * a + c[k];
    return sum * a;
}

/* Q for small a and x, where P is near 1: 1 - x^a / gamma(1 + a) without cancellation, and the
   rest of the series of P (8.7.1) */
AGNI_FN double agni_gamma_small(double a, double x)
{
    double sum = 0, term = 1;
    for (int k = 1; fabs(term) > 0x1p-60 && k < 40; k++) {
        term *= -x / k;
        sum += term / (a + k);
    }
    double e = a * log(x) - agni_lgamma_next(a);
    return -expm1(e) - exp(e) * a * sum;
}

/* P or Q for large a and x near a: Temme's uniform expansion (8.12) */
AGNI_FN double agni_gamma_uniform(double a, double x, bool upper)
{
    const double c[] = AGNI_C_TEMME;
    double u = (x - a) / a, half = -agni_log_less(x / a, u), eta = copysign(sqrt(2 * half), u);
    double sum = 0;
    for (int k = AGNI_TEMME_ROWS - 1; k >= 0; k--) {
        double row = 0;
        for (int j = AGNI_TEMME_TERMS - 1; j >= 0; j--)
            row = row * eta + c[k * AGNI_TEMME_TERMS + j];
        sum = sum / a + row;
    }
    /* erfc(|z|) / 2 and the rest have one power in common */
    double tail = 0.5 * agni_erfcx_above(sqrt(a * half)), rest = sum / sqrt(AGNI_2PI * a);
    double y = agni_gamma_power(a, x) * (u > 0 ? tail + rest : tail - rest);
    return upper == (u > 0) ? y : 1 - y;
}

/* P (upper: Q) of a and x. Which of the two is small is known beforehand: it is computed, the
   other one follows. */
AGNI_FN double agni_gamma_ratio(double a, double x, bool upper)
{
    if (!(a >= 0 && x >= 0) || (a == 0 && x == 0) || (isinf(a) && isinf(x)))
        return (double)NAN;
    if (x == 0 || isinf(a))
        return upper;
    if (a == 0 || isinf(x))
        return !upper;
    if (a > 1000 && fabs(x - a) < 0.2 * a)
        return agni_gamma_uniform(a, x, upper);
    bool have_upper = true;
    double y;
    if (x <= 1.1 && a < 1.1 && upper) {
        y = agni_gamma_small(a, x);
    } else if (x > 1.1 && x > a) {
        y = agni_gamma_front(a, x) * agni_gamma_fraction(a, x);
    } else {
        y = agni_gamma_front(a, x) * agni_gamma_series(a, x);
        have_upper = false;
    }
    return have_upper == upper ? y : 1 - y;
}
AGNI_FN double agni_gammainc(double a, double x)
{
    return agni_gamma_ratio(a, x, false);
}
AGNI_FN double agni_gammaincc(double a, double x)
{
    return agni_gamma_ratio(a, x, true);
}

/* x^(a - 1) exp(-x) / gamma(a) */
AGNI_FN double agni_gamma_d(double a, double x)
{
    if (!(a >= 0 && x >= 0))
        return (double)NAN;
    if (x == 0)
        return a < 1 ? (a == 0 ? 0 : (double)INFINITY) : a == 1;
    if (a > 1 && a < 160 && x < 1) /* the front may be 0 where this is not */
        return pow(x, a - 1) * exp(-x) / tgamma(a);
    double y = a == 0 || isinf(x) || isinf(a) ? 0 : agni_gamma_front(a, x);
    double ratio = a / x;
    return y == 0 ? 0 : isinf(ratio) ? y * a / x : y * ratio;
}

/* (x n / a)^a, the roundings made good that a would magnify; lost: of x and n, relative */
AGNI_FN double agni_beta_power(double x, double n, double a, double lost)
{
    double t = x * n, r = t / a;
    return pow(r, a) * exp(a * (lost + (fma(x, n, -t) + fma(-r, a, t)) / t));
}

/* log gamma(a + b) - log gamma(a), a > 0, b >= 0, to the last digits for small b too: upwards to
   a >= 10, then the difference of two of Stirling's series (DLMF 5.11.1), term by term */
AGNI_FN double agni_lgamma_step(double a, double b)
{
    const double c[] = {1.0 / 12,   -1.0 / 360, 1.0 / 1260, -1.0 / 1680,
                        1.0 / 1188, -691.0 / 360360, 1.0 / 156};
    double sum = 0;
    for (; a < 10; a++)
        sum -= log1p(b / a);
    double u = b / a, r = 1 / a, s = 1 / (a + b), fall = -b * r * s, power = r;
    double squares = fall * (r + s), rest = 0;
    for (int k = 0; k < (int)(sizeof c / sizeof *c); k++) {
        rest += c[k] * fall; /* of s^(2k + 1) - r^(2k + 1) */
        fall = s * s * fall + power * squares;
        power *= r * r;
    }
    return sum + (rest + a * agni_log_less(1 + u, u) + (b - 0.5) * log1p(u) + b * log(a));
}

/* (n x / a)^a (n y / b)^b / (x y)^less, n = a + b, to 100 bits; of x and y the smaller one is
   exact. A tiny x is scaled, lest its multiples lose digits. */
AGNI_FN double agni_beta_power_small(double a, double b, double x, double y, double less)
{
    const agni_pair ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
    double up = x < 1e-200 ? 600 : 0;
    agni_pair px = x > y ? agni_two_sum(1, -y) : agni_pair_of(ldexp(x, (int)up));
    agni_pair py = x > y ? agni_pair_of(y) : agni_two_sum(1, -x), n = agni_two_sum(a, b);
    agni_pair e = agni_pair_times(agni_pair_times(ln2, -up), a - less);
    if (less != 0)
        e = agni_pair_add(e, agni_pair_times(agni_pair_log(agni_pair_mul(px, py)), -less));
    px = agni_pair_log(agni_pair_div(agni_pair_mul(px, n), agni_pair_of(a)));
    py = agni_pair_log(agni_pair_div(agni_pair_mul(py, n), agni_pair_of(b)));
    e = agni_pair_add(e, agni_pair_add(agni_pair_times(px, a), agni_pair_times(py, b)));
    return exp(e.hi) * (1 + e.lo);
}

/* x^a / x^less for less 0 or 1; a - 1 is exact above 1, and x^a no underflow below */
AGNI_FN double agni_power_less(double x, double a, double less)
{
    return less == 0 ? pow(x, a) : a > 1 ? pow(x, a - 1) : pow(x, a) / x;
}

/* front x^a / x^less, where the power alone may be beyond the largest number: x^a is above 1e-16
   then */
AGNI_FN double agni_times_power_less(double front, double x, double a, double less)
{
    double p = agni_power_less(x, a, less);
    return isinf(p) && less != 0 ? front * pow(x, a) / x : front * p;
}

/* a y - b x, x + y = 1 but for the rounding of the larger one, which is made good */
AGNI_FN double agni_beta_lead(double a, double b, double x, double y)
{
    double p = b * x, lost = fma(b, x, -p), rest = fma(a, y, -p) - lost;
    return rest + (x > y ? -b * ((1 - x) - y) : a * ((1 - y) - x));
}

/* x^a y^b / beta(a, b) / (x y)^less for less 0 or 1, x + y = 1 but for the rounding of the larger
   one, which is made good: factor by factor, or with gamma functions by Stirling's formula, or with
   the large exponents cancelled (Loader 2000) */
AGNI_FN double agni_beta_front(double a, double b, double x, double y, double less)
{
    double n = a + b, high = a > b ? a : b, low = a > b ? b : a, more = (low - (n - high)) / n;
    double more_x = x > y ? ((1 - x) - y) / x : 0, more_y = x > y ? 0 : ((1 - y) - x) / y;
    bool inside = fabs(a * log(x)) < 705 && fabs(b * log(y)) < 705;
    if (n < 150 && inside) {
        double lost = a * more_x + b * more_y + n * more * log(n + 0.1); /* digamma(n), about */
        double front = exp(lost) * (tgamma(n) / tgamma(a) / tgamma(b));
        return agni_times_power_less(front, x, a, less) * agni_power_less(y, b, less);
    }
    if (low < 1) { /* beta(a, b) = gamma(1 + low) gamma(high) / gamma(n) / low */
        double p = agni_times_power_less(low, x, a, less) * agni_power_less(y, b, less);
        double e = agni_lgamma_step(high, low) - agni_lgamma_next(low) + a * more_x + b * more_y;
        return p == 0 ? 0 : p * exp(e);
    }
    double rx = x * (n / a), ry = y * (n / b), power;
    double d = agni_beta_lead(a, b, x, y), plain = -less * (log(x) + log(y));
    plain += a * agni_log_less(rx, -d / a) + b * agni_log_less(ry, d / b);
    if ((fabs(plain) > 4 || x < 1e-200) && fabs(plain) < 760)
        power = agni_beta_power_small(a, b, x, y, less);
    else if (inside && fabs(a * log(rx)) < 705 && fabs(b * log(ry)) < 705)
        power = agni_beta_power(x, n, a, more_x + more) * agni_beta_power(y, n, b, more_y + more) /
                (less == 0 ? 1 : x * y);
    else
        power = exp(plain);
    return sqrt(a / AGNI_2PI * (b / n)) * power *
           (agni_gamma_star(n) / (agni_gamma_star(a) * agni_gamma_star(b)));
}

/* I_x(a, b) for x below its mean: the front over a continued fraction of positive terms (the even
   part of 8.17.22; DiDonato & Morris 1992), by Steed's method */
AGNI_FN double agni_beta_fraction(double a, double b, double x, double y)
{
    double lead = agni_beta_lead(a, b, x, y), d = (a + 1) / (a * (lead + 1)), step = d, sum = d;
    for (int k = 1; fabs(step) > 0x1p-57 * fabs(sum) && k < 100000; k++) {
        double m = k, c = a + 2 * m - 1, was = d, t = m * ((b - m) * x);
        double n = (a + (m - 1)) / c * ((a + b + (m - 1)) * x / c) * t;
        d = 1 / (m + t / c + (a + m) / (c + 2) * (lead + 1 + m * (1 + y)) + n * d);
        step *= -n * was * d;
        sum += step;
    }
    return agni_beta_front(a, b, x, y, 0) * sum;
}

/* I_x(a, b) for b < 1 and small y = 1 - x, where I_y(b, a) is near 1: with the series of the
   latter (8.17.7), y^b / (b beta(a, b)) (1 + b sum), 1 minus it without cancellation */
AGNI_FN double agni_beta_small(double a, double b, double y)
{
    double sum = 0, term = 1;
    for (int k = 1; fabs(term) > 0x1p-60 && k < 200; k++) {
        term *= (k - a) / k * y;
        sum += term / (b + k);
    }
    double e = b * log(y) + (agni_lgamma_step(a, b) - agni_lgamma_next(b));
    return -expm1(e) - exp(e) * b * sum;
}

/* I_x(a, b), x + y = 1 but for the rounding of the larger one; x^a of b = 1, 1 - y^b of a = 1 */
AGNI_FN double agni_beta_ratio(double a, double b, double x, double y)
{
    if (b == 1)
        return pow(x, a) * exp(x > y ? a * (((1 - x) - y) / x) : 0);
    if (a == 1)
        return -expm1(b * (x > y ? log(y) : log1p(-x)));
    bool below = x < (a + 1) / (a + b + 2);
    if (!below && b < 1 && a * y < 1)
        return agni_beta_small(a, b, y);
    return below || b < 1 ? agni_beta_fraction(a, b, x, y) : 1 - agni_beta_fraction(b, a, y, x);
}
AGNI_FN double agni_betainc(double a, double b, double x)
{
    if (!(a >= 0 && b >= 0 && x >= 0 && x <= 1) || (a == 0 && b == 0) || (isinf(a) && isinf(b)))
        return (double)NAN;
    if (x == 0 || x == 1)
        return x;
    if (a == 0 || b == 0 || isinf(a) || isinf(b))
        return a == 0 || isinf(b);
    return agni_beta_ratio(a, b, x, 1 - x);
}

/* x^(a - 1) (1 - x)^(b - 1) / beta(a, b) */
AGNI_FN double agni_beta_d(double a, double b, double x)
{
    if (!(a > 0 && b > 0 && x >= 0 && x <= 1))
        return (double)NAN;
    if (x == 0 || x == 1) {
        double p = x == 0 ? a : b, q = x == 0 ? b : a; /* at 0 the limit is q x^(p - 1) */
        return p < 1 ? (double)INFINITY : p == 1 ? q : 0;
    }
    return agni_beta_front(a, b, x, 1 - x, 1);
}

#endif
