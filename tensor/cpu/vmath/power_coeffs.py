#!/usr/bin/env python3
"""Coefficients of powers on vectors: prints coef_power.h.

    python3 power_coeffs.py >coef_power.h       (needs mpmath; run by hand, the result is committed)

log m = 2 atanh s with s = (m - 1)/(m + 1): the terms in s, s^3 and s^5 are told in two parts, so that
68 bits are right; what is left of the series is a polynomial by Remez' algorithm (coeffs.py), its
error in parts of the logarithm.
"""
from mpmath import mp, mpf, atanh, log, sqrt, nstr
from coeffs import remez, literal

mp.dps = 60
TERMS = 7


def rest(w):
    """(2 atanh s - 2 s - 2/3 s^3 - 2/5 s^5) / s^7 in w = s^2, by its series"""
    return sum(2 * w ** j / (2 * j + 7) for j in range(40))


top = (3 - 2 * sqrt(mpf(2))) ** 2 * (1 + mpf(2) ** -20)
c, err = remez(rest, lambda w: w ** 3 / 2, mpf(0), top, TERMS)
assert abs(rest(top) - (2 * atanh(sqrt(top)) - sum(2 * sqrt(top) ** n / n for n in (1, 3, 5)))
           / sqrt(top) ** 7) < mpf(10) ** -40
print("""/* Written by power_coeffs.py; see there for the method. */
/* clang-format off */
#ifndef AGNI_CPU_COEF_POWER_H
#define AGNI_CPU_COEF_POWER_H
""")
print("/* (2 atanh s - 2 s - 2/3 s^3 - 2/5 s^5) / s^7 in s^2, |s| <= 3 - 2 sqrt 2; error 2^%s */"
      % nstr(log(err, 2), 4))
print("static const double agni_c_log_far_f64[%d] = {" % TERMS)
for v in c:
    print("    %s," % literal(v, 53))
print("};\n\n/* 2/3 and 2/5 in two parts */")
for name, x in (("THIRD", mpf(2) / 3), ("FIFTH", mpf(2) / 5)):
    high = mpf(float(x))
    print("#define AGNI_TWO_%sS %s" % (name, float(high).hex()))
    print("#define AGNI_TWO_%sS_LOW %s" % (name, float(x - high).hex()))
print("\n#endif")
