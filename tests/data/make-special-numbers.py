#!/usr/bin/env python3
# make-special-numbers.py - 6j and 9j symbols by Racah's sum in whole numbers, zeros of Bessel functions, Bernoulli and Euler numbers
# by mpmath at 40 digits: make-special-numbers.py > special-numbers.inc  (mpmath 1.4). A row: what, up to 9 whole numbers, value.
import random
from fractions import Fraction
from math import factorial as f
from mpmath import mp, mpf

mp.dps = 40
R = random.Random(5)


def triad(a, b, c): return (a + b + c) % 2 == 0 and abs(a - b) <= c <= a + b


def delta(a, b, c): return Fraction(f((a + b - c) // 2) * f((a - b + c) // 2) * f((-a + b + c) // 2), f((a + b + c) // 2 + 1))


def six(a, b, c, d, e, g):
    four = ((a, b, c), (a, e, g), (d, b, g), (d, e, c))
    if not all(triad(*t) for t in four):
        return mpf(0)
    low, high = [sum(t) // 2 for t in four], [(a + b + d + e) // 2, (b + c + e + g) // 2, (c + a + g + d) // 2]
    total = 0
    for t in range(max(low), min(high) + 1):
        below = 1
        for v in low:
            below *= f(t - v)
        for v in high:
            below *= f(v - t)
        total += Fraction((-1) ** t * f(t + 1), below)
    square = Fraction(1)
    for t in four:
        square *= delta(*t)
    return mpf(total.numerator) / total.denominator * mp.sqrt(mpf(square.numerator) / square.denominator)


def nine(a, b, c, d, e, g, h, i, j):
    return sum((-1) ** x * (x + 1) * six(a, d, h, i, j, x) * six(b, e, i, d, x, g) * six(c, g, j, x, a, b)
               for x in range(0, a + j + 1))


def draw(most):
    while True:
        a, b, d, e = (R.randint(0, most) for _ in range(4))
        c, g = R.randint(abs(a - b), a + b), R.randint(0, 2 * most)
        if all(triad(*t) for t in ((a, b, c), (a, e, g), (d, b, g), (d, e, c))):
            return a, b, c, d, e, g


def main():
    print('/* tests/data/special-numbers.inc - made by make-special-numbers.py: what, whole numbers, value */')
    row = lambda name, k, v: print('    {"%s", {%s}, %r},' % (name, ', '.join(str(t) for t in k), float(v)))
    for k in [draw(m) for m in (4, 8, 20, 60, 150) for _ in range(6)] + [(0, 4, 4, 3, 5, 5), (2, 4, 4, 4, 4, 4), (2, 2, 6, 2, 2, 2)]:
        row('wigner_6j', k, six(*k))
    n = 0
    while n < 12:
        k = [R.randint(0, 9) for _ in range(9)]
        if all(triad(*k[3 * t:3 * t + 3]) and triad(*k[t::3]) for t in range(3)):
            row('wigner_9j', k, nine(*k))
            n += 1
    for nu in (0, 1, 3, 20, 100):
        for n in (1, 2, 7, 40):
            for kind, z in enumerate((mp.besseljzero, mp.besselyzero)):
                row('bessel_zeros', (nu, kind, n), z(nu, n))
                # mpmath counts 0 among the zeros of the derivative of J_0
                row('bessel_zeros', (nu, kind + 2, n), z(nu, n + (nu == 0 and kind == 0), derivative=1))
    for n in (0, 1, 2, 3, 14, 15, 16, 30, 100, 258):
        row('bernoulli', (n,), mp.bernoulli(n))
    for n in (0, 1, 2, 4, 14, 16, 18, 50, 120, 186):
        row('euler_number', (n,), mp.eulernum(n))


if __name__ == '__main__':
    main()
