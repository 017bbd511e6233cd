/* tensor/cpu/special/double_double.h - numbers of 106 bits as the sum of two f64, for differences
   that cancel next to roots and for exponents whose rounding exp would magnify (Dekker 1971; Knuth,
   The Art of Computer Programming 2, 4.2.2). Slow: called where plain arithmetic is known to fail.
   Shared with device code. */
#ifndef AGNI_PAIR_H
#define AGNI_PAIR_H

#include <math.h>
#include <stdint.h>

#ifndef AGNI_FN
#define AGNI_FN static inline
#endif

typedef struct agni_pair {
    double hi, lo; /* |lo| <= ulp(hi) / 2 */
} agni_pair;

/* a + b exactly */
AGNI_FN agni_pair agni_two_sum(double a, double b)
{
    agni_pair s;
    s.hi = a + b;
    double part = s.hi - a;
    s.lo = (a - (s.hi - part)) + (b - part);
    return s;
}
AGNI_FN agni_pair agni_pair_add(agni_pair a, agni_pair b)
{
    agni_pair s = agni_two_sum(a.hi, b.hi), t = agni_two_sum(a.lo, b.lo);
    s = agni_two_sum(s.hi, s.lo + t.hi);
    return agni_two_sum(s.hi, s.lo + t.lo);
}
AGNI_FN agni_pair agni_pair_mul(agni_pair a, agni_pair b)
{
    double p = a.hi * b.hi;
    return agni_two_sum(p, fma(a.hi, b.hi, -p) + (a.hi * b.lo + a.lo * b.hi));
}
AGNI_FN agni_pair agni_pair_of(double a)
{
    agni_pair p = {a, 0};
    return p;
}
AGNI_FN agni_pair agni_pair_times(agni_pair a, double b)
{
    return agni_pair_mul(a, agni_pair_of(b));
}
AGNI_FN agni_pair agni_pair_div(agni_pair a, agni_pair b)
{
    double q = a.hi / b.hi;
    agni_pair rest = agni_pair_add(a, agni_pair_times(b, -q));
    double more = rest.hi / b.hi;
    rest = agni_pair_add(rest, agni_pair_times(b, -more));
    return agni_pair_add(agni_two_sum(q, more), agni_pair_of(rest.hi / b.hi));
}

/* e^a - less, less 0 or 1, |a| < 700: Taylor's series for |r| <= ln(2) / 2, a = k ln 2 + r with ln
   2 in parts whose products with k are exact. e^a - 1 next to 0 has the relative error of a. */
AGNI_FN agni_pair agni_pair_exp(agni_pair a, double less)
{
    const double high = 0x1.62e42fefa3p-1, middle = 0x9ef35793c7p-81, low = 0x673007e5ed5e8p-133;
    double k = rint(a.hi * 1.4426950408889634);
    agni_pair r = agni_pair_add(a, agni_pair_of(-k * high)), one = {1, 0}, sum = one;
    r = agni_pair_add(r, agni_two_sum(-k * middle, -k * low));
    for (int j = 24; j > 1; j--)
        sum = agni_pair_add(one, agni_pair_div(agni_pair_mul(sum, r), agni_pair_of(j)));
    sum = agni_pair_mul(sum, r);
    if (k == 0)
        return less == 1 ? sum : agni_pair_add(one, sum);
    sum = agni_pair_add(one, sum);
    sum.hi = ldexp(sum.hi, (int)k);
    sum.lo = ldexp(sum.lo, (int)k);
    return less == 0 ? sum : agni_pair_add(sum, agni_pair_of(-less));
}

/* log a of a normal a > 0: that of 2^k, and one step of Newton's iteration, a e^-y - 1 = e^(log a - y) - 1, of
   what is next to 1 */
AGNI_FN agni_pair agni_pair_log(agni_pair a)
{
    const agni_pair ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
    int k;
    if (frexp(a.hi, &k) < 0.7071)
        k--;
    a.hi = ldexp(a.hi, -k), a.lo = ldexp(a.lo, -k);
    double y = log(a.hi);
    agni_pair e = agni_pair_exp(agni_pair_of(-y), 1), m = agni_pair_add(a, agni_pair_of(-1));
    m = agni_pair_add(m, agni_pair_mul(a, e));
    m = agni_pair_add(agni_pair_add(agni_pair_of(y), m), agni_pair_of(-0.5 * m.hi * m.hi));
    return agni_pair_add(agni_pair_times(ln2, k), m);
}

/* tan(pi f), |f| <= 1/4: sine and cosine by Taylor's series */
AGNI_FN agni_pair agni_pair_tan_pi(double f)
{
    const agni_pair pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53}, one = {1, 0};
    agni_pair t = agni_pair_times(pi, f), q = agni_pair_times(agni_pair_mul(t, t), -1);
    agni_pair s = one, c = one;
    for (int j = 26; j > 0; j -= 2) {
        s = agni_pair_add(one, agni_pair_div(agni_pair_mul(s, q), agni_pair_of(j * (j + 1))));
        c = agni_pair_add(one, agni_pair_div(agni_pair_mul(c, q), agni_pair_of(j * (j - 1))));
    }
    return agni_pair_div(agni_pair_mul(s, t), c);
}

/* 1 / Gamma(a), |a| < 170: left of 1/2 by its reflection, which knows how far a pole is */
AGNI_FN double agni_pair_rgamma(agni_pair a)
{
    const double pi = 0x1.921fb54442d18p+1;
    if (a.hi > 0.5)
        return 1 / tgamma(a.hi + a.lo);
    double pole = rint(a.hi), off = (a.hi - pole) + a.lo;
    double v = tgamma(1 - a.hi) * sin(pi * off) / pi;
    return pole * 0.5 != rint(pole * 0.5) ? -v : v;
}

#endif
