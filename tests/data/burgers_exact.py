#!/usr/bin/env python3
"""Values of the Burgers solution at 40 digits, printed as the rows of burgers_exact.inc.

Cole-Hopf in the variable y itself, by mpmath's Gauss-Legendre panels between the minima of
the exponent: neither the substitution nor the rule of examples/burgers_exact.c.

    python3 tests/data/burgers_exact.py > tests/data/burgers_exact.inc
"""
from mpmath import mp, mpf, cos, sin, exp, pi, quad, linspace, nstr

mp.dps = 40


def solution(nu, t, x):
    def exponent(y):
        return -cos(pi * y) / (2 * pi * nu) - (x - y) ** 2 / (4 * nu * t)

    width = t + 14 * (4 * nu * t) ** mpf("0.5")  # characteristics start within t of x
    panels = linspace(x - width, x + width, 81)
    top = max(exponent(y) for y in linspace(x - width, x + width, 4001))
    weight = quad(lambda y: exp(exponent(y) - top), panels, method="gauss-legendre")
    moment = quad(lambda y: sin(pi * y) * exp(exponent(y) - top), panels,
                  method="gauss-legendre")
    return -moment / weight


CASES = [("0.003183098861837907", t, x) for t, x in [
    (0.001, 0.3125), (0.1, -0.75), (0.25, 0.0625), (0.3125, 0.001953125), (0.5, 0.25),
    (0.75, -0.0078125), (0.75, 0.984375), (1, 0.00390625), (1, -0.53125)]]
CASES += [("0.001", 0.0009765625, -0.625), ("0.001", 0.4375, 0.0009765625),
          ("0.001", 1, 0.03125), ("0.001", 0.875, -0.96875), ("0.0625", 0.5, 0.375),
          ("1.5", 0.25, -0.3125), ("0.03125", 3, 0.71875)]

print("/* nu, t, x, u(t, x): printed by burgers_exact.py, 40 digits rounded to 25 */")
for nu, t, x in CASES:
    u = solution(mpf(float(nu)), mpf(t), mpf(x))  # the double nearest to nu, as in C
    print("{%s, %r, %r, %s}," % (nu, float(t), float(x), nstr(u, 25, strip_zeros=False)))
