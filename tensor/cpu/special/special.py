#!/usr/bin/env python3
"""Coefficients of the special functions: prints coef.h.

    python3 special.py >coef.h      (needs mpmath; run by hand, the result is committed)

Polynomials are minimax, found as in coeffs.py. The series of the incomplete gamma function for
large parameters (Temme 1979; DLMF 8.12) has rational coefficients, found here from its
differential equation.
"""
import os
import sys
from fractions import Fraction
from mpmath import mp, mpf, loggamma, log, nstr, euler
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../vmath"))
from coeffs import remez, erfcx

ROWS = [14, 12, 10, 8, 6, 4]  # terms in eta of the coefficient of a^-k
C, ZMAX = mpf("3.75"), mpf(28)


def stirling(n):
    """g_k of gamma(a) ~ sqrt(2 pi / a) (a / e)^a sum g_k a^-k, DLMF 5.11.3 and 5.11.5"""
    # a_0 a_k + a_1 a_(k-1)/2 + ... + a_k a_0/(k+1) = a_(k-1)/k, scaled so that a_0 = 1
    a = [Fraction(1)]
    for k in range(1, 2 * n + 1):
        s = a[k - 1] / k
        for j in range(1, k):
            s -= a[j] * a[k - j] / (j + 1)
        a.append(s / (1 + Fraction(1, k + 1)))
    g, rising = [], Fraction(1)
    for k in range(n + 1):
        g.append(2 ** k * rising * a[2 * k])
        rising *= Fraction(2 * k + 1, 2)
    return g


def temme():
    n = max(ROWS) + 2 * len(ROWS) + 4
    mu = [Fraction(0), Fraction(1)]  # mu(eta): mu mu' = eta (1 + mu)
    for m in range(2, n + 2):
        # coefficient of eta^m: sum_(i=1)^m mu_i (m + 1 - i) mu_(m+1-i) = mu_(m-1)
        s = mu[m - 1]
        for i in range(2, m):
            s -= mu[i] * (m + 1 - i) * mu[m + 1 - i]
        mu.append(s / (m + 1))
    inv = [Fraction(1)]  # eta / mu
    for m in range(1, n + 1):
        inv.append(-sum(mu[i + 1] * inv[m - i] for i in range(1, m + 1)))
    g = stirling(len(ROWS))
    c, out = inv[1:], []  # C_0 = 1/mu - 1/eta
    for k in range(len(ROWS)):
        if k:
            d = [Fraction(0)] + [c[i] * i for i in range(1, len(c))]  # eta C'
            d = d[1:] + [Fraction(0)]                                 # C'
            pole = [x + (-1) ** k * g[k] * y for x, y in zip(d, inv)]
            assert pole[0] == 0, (k, pole[0])
            c = pole[1:]
        out.append(c[:ROWS[k]])
    return out


def emit(name, text, values):
    print("\n/* %s */\n#define AGNI_C_%s \\\n    { \\" % (text, name))
    for v in values:
        print("        %s, \\" % float(v).hex())
    print("    }")


if __name__ == "__main__":
    print("/* Written by special.py; see there for the method. */\n/* clang-format off */")
    print("#ifndef AGNI_SPECIAL_COEF_H\n#define AGNI_SPECIAL_COEF_H")
    zt = lambda t: C * (1 + t) / (1 - t)
    co, err = remez(lambda t: (1 + 2 * zt(t)) * erfcx(zt(t)), lambda t: mpf(1), mpf(-1),
                    (ZMAX - C) / (ZMAX + C), 24)
    emit("ERFCX", "(1 + 2z) e^(z^2) erfc(z) in t = (z - 3.75)/(z + 3.75), z <= 28; error 2^%s"
         % nstr(log(err, 2), 4), co)
    co, err = remez(lambda a: loggamma(1 + a) / a if a else -euler, lambda a: mpf(1), mpf(0),
                    mpf("0.5"), 16)
    emit("LGAMMA1P", "log gamma(1 + a) / a, 0 <= a <= 1/2; error 2^%s" % nstr(log(err, 2), 4), co)
    rows = temme()
    print("\n#define AGNI_TEMME_ROWS %d\n#define AGNI_TEMME_TERMS %d" % (len(ROWS), max(ROWS)))
    emit("TEMME", "row k: Taylor coefficients in eta of what a^-k multiplies, DLMF 8.12.8",
         [v for r in rows for v in r + [0] * (max(ROWS) - len(r))])
    print("\n#endif")
