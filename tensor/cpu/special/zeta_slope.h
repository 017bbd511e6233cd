/* tensor/cpu/special/zeta_slope.h - derivatives of the Hurwitz zeta function in s, and differences
   of its values at two places. */
#ifndef AGNI_ZETA_SLOPE_H
#define AGNI_ZETA_SLOPE_H

#include "tensor/cpu/special/special.h"

enum { AGNI_ZETA_ORDERS = 12, AGNI_ZETA_TERMS = 12 };

/* B_2j / (2j)!, j = 1.. (Abramowitz & Stegun 23.1.30) */
#ifndef AGNI_TABLE
#define AGNI_TABLE static
#endif
AGNI_TABLE const double agni_zeta_bernoulli[AGNI_ZETA_TERMS] = {
    8.3333333333333333e-02,  -1.3888888888888889e-03, 3.3068783068783069e-05,
    -8.2671957671957672e-07, 2.0876756987868099e-08,  -5.2841901386874932e-10,
    1.3382536530684679e-11,  -3.3896802963225829e-13, 8.5860620562778446e-15,
    -2.1748686985580619e-16, 5.5090028283602295e-18,  -1.3954464685812523e-19};

/* c[m] (m = 0..k): coefficients of (s + e)(s + 1 + e) ... in powers of e, by one more factor v +
   e */
AGNI_FN void agni_zeta_raise(double *c, int k, double v)
{
    for (int m = k; m > 0; m--)
        c[m] = v * c[m] + c[m - 1];
    c[0] *= v;
}

/* k-th derivative in e, at 0, of c(e) x^-e with L = log x */
AGNI_FN double agni_zeta_leibniz(const double *c, int k, double L)
{
    double sum = 0, factor = 1; /* k! / (k - m)! */
    for (int m = 0; m <= k; m++) {
        double power = 1;
        for (int i = m; i < k; i++)
            power *= -L;
        sum += factor * c[m] * power;
        factor *= k - m;
    }
    return sum;
}

/* (d/ds)^k zeta(s, q), s > 1 and q > 0: direct terms (-log x)^k x^-s to x >= 11 + s, then
   Euler-Maclaurin, each of its terms differentiated: x^(1 - s) / (s - 1), x^-s / 2 and B_2j / (2j)!
   s (s + 1) ... x^(1 - s - 2j) */
AGNI_FN double agni_zeta_partial(double s, double q, int k)
{
    if (!(s > 1 && q > 0 && q < (double)INFINITY && s < (double)INFINITY))
        return s == 1 && q > 0 && q < (double)INFINITY
                   ? (k % 2 ? -(double)INFINITY : (double)INFINITY)
                   : (double)NAN;
    double sum = 0, top = 11 + s, x = q;
    int n = 0;
    for (; x < top; x = q + ++n) {
        double L = log(x), term = exp(-s * L);
        for (int i = 0; i < k; i++)
            term *= -L;
        sum += term;
        if (s * L > 90 && fabs(term) * (1 + x / (s - 1)) <= 0x1p-60 * fabs(sum)) /* so is all that follows */
            return sum;
    }
    double L = log(x), p = exp(-s * L), c[AGNI_ZETA_ORDERS + 1] = {0}, tail = 0,
           power = x / (s - 1);
    if (p == 0)
        return sum;
    for (int m = 0; m <= k; m++) { /* 1 / (s - 1 + e), a geometric series */
        c[m] = power;
        power /= 1 - s;
    }
    c[0] += 0.5;
    tail = agni_zeta_leibniz(c, k, L);
    for (int m = 1; m <= k; m++)
        c[m] = m == 1 ? 1 : 0;
    c[0] = s;
    double fall = 1 / x;
    for (int j = 0; j < AGNI_ZETA_TERMS; j++) {
        tail += agni_zeta_bernoulli[j] * fall * agni_zeta_leibniz(c, k, L);
        agni_zeta_raise(c, k, s + 2 * j + 1);
        agni_zeta_raise(c, k, s + 2 * j + 2);
        fall /= x * x;
    }
    return sum + p * tail;
}

/* zeta(s, a) - zeta(s, a + b), s > 1, a > 0, b >= 0, without cancellation: term by term
   x^-s - (x + b)^-s = -x^-s expm1(-s log1p(b / x)) */
AGNI_FN double agni_zeta_fall(double x, double b, double s)
{
    return -exp(-s * log(x)) * expm1(-s * log1p(b / x));
}
AGNI_FN double agni_zeta_gap(double s, double a, double b)
{
    double sum = 0, x = a, f = s;
    for (int n = 0; x < 20; x = a + ++n)
        sum += agni_zeta_fall(x, b, s);
    sum += agni_zeta_fall(x, b, s - 1) / (s - 1) + 0.5 * agni_zeta_fall(x, b, s);
    for (int j = 0; j < AGNI_ZETA_TERMS; j++) {
        sum += agni_zeta_bernoulli[j] * f * agni_zeta_fall(x, b, s + 2 * j + 1);
        f *= (s + 2 * j + 1) * (s + 2 * j + 2);
    }
    return sum;
}

/* psi(a + b) - psi(a), for a >= 20 less log1p(b / a) */
AGNI_FN double agni_digamma_gap(double a, double b)
{
    const double c[] = {1.0 / 12,  -1.0 / 120,     1.0 / 252, -1.0 / 240,
                        1.0 / 132, -691.0 / 32760, 1.0 / 12};
    double sum = 0, x = a;
    int n = 0;
    for (; x < 20; x = a + ++n)
        sum += b / (x + b) / x;
    sum += (n ? log1p(b / x) : 0) + 0.5 * agni_zeta_fall(x, b, 1);
    for (int j = 0; j < (int)(sizeof c / sizeof *c); j++)
        sum += c[j] * agni_zeta_fall(x, b, 2 * j + 2);
    return sum;
}

#endif
