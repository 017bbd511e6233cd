#!/usr/bin/env python3
# make-lerch.py - Lerch's transcendent and its derivatives in s and z, by differences of step 1e-30 of Arb's values at 400 bits
# and more: make-lerch.py COUNT SEED > lerch.inc                       (python-flint 0.9; the file is of 14 and 3)
# A row: op, orders in s and z, arguments, value, amplitude (0: of the value itself).
import math
import random
import sys
from flint import acb, arb, ctx

R = random.Random(int(sys.argv[2]))
ctx.prec = 1200
STEP = arb(10) ** -30


def lin(a, b): return R.uniform(a, b)
def log(a, b): return 10 ** R.uniform(math.log10(a), math.log10(b))
def either(*f): return R.choice(f)()


def truth(z, s, a, k, n):
    z, s, a, total = arb(z), arb(s), arb(a), acb(0)
    for i in range(k + 1):
        for j in range(n + 1):
            by = (-1) ** (i + j) * math.comb(k, i) * math.comb(n, j)
            at = acb(z + (arb(n) / 2 - j) * STEP), acb(s + (arb(k) / 2 - i) * STEP), acb(a)
            total += by * acb.lerch_phi(*at)
    return (total / STEP ** (k + n)).real


def point(region):
    s, a = either(lambda: lin(0.1, 5), lambda: lin(0, 50), lambda: float(R.randint(1, 6))), either(lambda: lin(0, 3), lambda: log(1e-3, 1e3))
    if region == 0:  # by the series
        return lin(-0.5, 0.5), either(lambda: s, lambda: lin(-4, 0)), a
    if region == 1:
        return either(lambda: lin(0.5, 1), lambda: 1 - log(1e-12, 0.5)), either(lambda: s, lambda: lin(-12, 0), lambda: float(R.randint(-6, 0))), a
    if region == 2:
        return either(lambda: lin(-1, -0.5), lambda: -1.0), either(lambda: s, lambda: lin(-3, 0)), a
    if region == 3:
        return either(lambda: -log(1, 10), lambda: -log(1, 1e6)), s, a
    return either(lambda: lin(-1, 1), lambda: -log(1, 30)), float(R.randint(-2, 8)), -lin(0, 6)


def main():
    print("/* tests/data/lerch.inc - Lerch's transcendent and its derivatives by Arb at 400 bits and more; made by make-lerch.py.\n"
          '   Op, orders in s and z, arguments, value, amplitude (0: of the value itself). */')
    for region in range(5):
        done = 0
        while done < int(sys.argv[1]):
            z, s, a = point(region)
            k, n = R.choice(((0, 0), (0, 0), (0, 0), (1, 0), (0, 1), (2, 1), (3, 0))) if region < 4 else (0, 0)
            ctx.prec = 400 if k + n == 0 else 1200
            v = truth(z, s, a, k, n)
            if not v.is_finite() or v.rel_accuracy_bits() < 100 or not 1e-280 < abs(float(v.mid())) < 1e280:
                continue
            print('    {"lerch", {%d, %d}, 2, {%r, %r, %r}, 3, %r, 0},' % (k, n, z, s, a, float(v.mid())), flush=True)
            done += 1


if __name__ == '__main__':
    main()
