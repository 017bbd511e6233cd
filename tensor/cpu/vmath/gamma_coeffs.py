#!/usr/bin/env python3
"""Coefficients of log gamma, digamma and trigamma on vectors: prints coef_gamma.h.

    python3 gamma_coeffs.py >coef_gamma.h       (needs mpmath; run by hand, the result is committed)

Below 8 each is line + c + a / (x + b), which is near enough to be told in two parts, and a rational
function that is some hundredths of it: rounding errors of that are nothing. Rational functions meet the
logarithmic singularities on the negative axis far better than polynomials do; this is interpolated at
points that are Chebyshev's in log(x + shift), in 60 digits, and its denominator positive. From 8 on,
Bernoulli numbers (DLMF 5.11.1, 5.11.2, 5.15.8).
"""
import sys
from mpmath import (mp, mpf, matrix, lu_solve, cos, pi, log, exp, loggamma, psi, euler, findroot, nstr,
                    bernoulli, polyval)
from coeffs import literal

mp.dps = 60
ROOT = findroot(lambda x: psi(0, x), mpf("1.46"))


def rational(f, a, b, shift, m, n):
    """Numerator of degree m, denominator of degree n, worst relative error on [a, b]"""
    lo, hi, count = log(mpf(a) + shift), log(mpf(b) + shift), m + n + 1
    place = lambda t: exp((lo + hi) / 2 + (hi - lo) / 2 * t) - shift
    A, y = matrix(count, count), matrix(count, 1)
    for i in range(count):
        x = place(cos(pi * (2 * i + 1) / (2 * count)))
        for j in range(m + 1):
            A[i, j] = x ** j
        for j in range(1, n + 1):
            A[i, m + j] = -f(x) * x ** j
        y[i] = f(x)
    c = [v for v in lu_solve(A, y)]
    return c[:m + 1], [mpf(1)] + c[m + 1:]


def product(a, b):
    r = [mpf(0)] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            r[i + j] += x * y
    return r


def correction(f, a, shift, m, n, line, near):
    """f less its near form, as a quotient; its error, and that of its roundings, in parts of f"""
    p, q = rational(f, a, 8, shift, m, n)
    c, top, b = (mpf(v) for v in near)
    head = product([c, mpf(line)], [b, mpf(1)])
    head[0] += top
    over, under = product(p, [b, mpf(1)]), product(q, [b, mpf(1)])
    taken = product(head, q)
    over += [mpf(0)] * (len(taken) - len(over))
    over = [u - v for u, v in zip(over, taken + [mpf(0)] * len(over))]
    assert min(under) > 0
    at = [a + (8 - mpf(a)) * (mpf(k) / 500) ** 2 for k in range(501)]
    value = lambda c, x: polyval(c[::-1], x)
    err = max(abs((value(over, x) / value(under, x) + line * x + c + top / (x + b)) / f(x) - 1) for x in at)
    lost = max(sum(abs(v) * x ** i for i, v in enumerate(over)) / value(under, x) / f(x) for x in at)
    while over[-1] == 0:
        over.pop()
    return over, under, err, lost


def lgamma_part(x):
    return euler if x == 1 else 1 - euler if x == 2 else loggamma(x) / ((x - 1) * (x - 2))


def digamma_part(x):
    return 1 / ROOT if x == 0 else x * psi(0, x) / (x - ROOT)


def trigamma_part(x):
    return mpf(1) if x == 0 else x * x * psi(1, x)


def emit(name, text, values):
    print("\n/* %s */\nstatic const double agni_c_%s_f64[%d] = {" % (text, name, len(values)))
    for v in values:
        print("    %s," % literal(v, 53))
    print("};")


if __name__ == "__main__":
    print("/* Written by gamma_coeffs.py; see there for the method. */\n/* clang-format off */")
    print("#ifndef AGNI_CPU_COEF_GAMMA_H\n#define AGNI_CPU_COEF_GAMMA_H")
    for name, text, f, a, shift, m, n, line, near in (
            ("LGAMMA", "log gamma(x) / ((x - 1) (x - 2)), 1/2 <= x <= 8", lgamma_part, 0.5, 0, 12, 12, 0,
             (25 / 256, 251 / 256, 1)),
            ("DIGAMMA", "x digamma(x) / (x - x0), 0 <= x <= 8", digamma_part, 0, 1, 10, 9, 0,
             (3.1875, -9, 231 / 64)),
            ("TRIGAMMA", "x^2 trigamma(x), 0 <= x <= 8", trigamma_part, 0, 1, 10, 9, 1,
             (243 / 512, 33 / 128, 125 / 256))):
        over, under, err, lost = correction(f, a, shift, m, n, line, near)
        print("\n/* %s = %sc + a / (x + b) + a rest, to 2^%s; its roundings count %s */" %
              (text, "x + " if line else "", nstr(log(err, 2), 4), nstr(lost, 2)))
        for part, v in zip("CAB", near):
            print("#define AGNI_%s_%s %s" % (name, part, float(v).hex()))
        emit(name.lower() + "_over", "its numerator", over)
        emit(name.lower() + "_under", "its denominator", under)
    B = [bernoulli(2 * k) for k in range(1, 12)]
    emit("lgamma_far", "B_2k / (2k (2k - 1))", [B[k - 1] / (2 * k * (2 * k - 1)) for k in range(1, 9)])
    emit("digamma_far", "B_2k / (2k)", [B[k - 1] / (2 * k) for k in range(1, 10)])
    emit("trigamma_far", "B_2k", B[:10])
    print("\n/* x0, the positive root of digamma, in two parts */")
    head = mpf(float(ROOT))
    print("#define AGNI_DIGAMMA_ROOT %s\n#define AGNI_DIGAMMA_ROOT_LOW %s" %
          (literal(head, 53), literal(ROOT - head, 53)))
    print("\n#endif")
