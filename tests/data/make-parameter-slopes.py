#!/usr/bin/env python3
# make-parameter-slopes.py - derivatives of special functions in their parameters, by differences of step 1e-30 of Arb's values at
# 1600 bits: make-parameter-slopes.py COUNT SEED > parameter-slopes.inc         (python-flint 0.9; the file is of 24 and 7)
# A row: op, attributes, arguments, value, amplitude (0: of the value itself).
import math
import random
import sys
from flint import acb, arb, ctx

R = random.Random(int(sys.argv[2]))
ctx.prec = 1600
STEP = arb(10) ** -30


def lin(a, b): return R.uniform(a, b)
def log(a, b): return 10 ** R.uniform(math.log10(a), math.log10(b))
def either(*f): return R.choice(f)()
def small_x(): return either(lambda: log(1e-3, 1), lambda: lin(0, 60), lambda: log(1, 400))


def struve(nu, x, side):
    y, half = acb(x) / 2, acb(1.5)
    return y ** (nu + 1) * half.rgamma() * (nu + half).rgamma() * (acb(side) * y * y).hypgeom([acb(1)], [half, nu + half])


def bessel_scaled(nu, x):
    return acb(x).bessel_i(nu) * (-acb(x)).exp()


def kummer(q, x, n):
    factor = acb(1)
    for j in range(n):
        factor *= (q[0] + j) / (q[1] + j)
    return factor * acb(x).hypgeom_1f1(q[0] + n, q[1] + n)


def tricomi(q, x, n):
    factor = acb(1)
    for j in range(n):
        factor *= -(q[0] + j)
    return factor * acb(x).hypgeom_u(q[0] + n, q[1] + n)


def gauss(q, x, n):
    factor = acb(1)
    for j in range(n):
        factor *= (q[0] + j) * (q[1] + j) / (q[2] + j)
    return factor * acb(x).hypgeom_2f1(q[0] + n, q[1] + n, q[2] + n)


def polylog(q, x, n):  # by Stirling's numbers of the first kind
    c = [1]
    for m in range(n):
        c = [(c[j - 1] if j else 0) - (m * c[j] if j <= m else 0) for j in range(m + 2)]
    return sum((acb(c[j]) * acb(x).polylog(q[0] - j) for j in range(n + 1) if c[j]), acb(0)) / acb(x) ** n


def slope(f, p, orders, x, n):
    def inner(m, q):
        if m == len(p):
            return f(q, x, n)
        total, k = acb(0), orders[m]
        for j in range(k + 1):
            total += (-1) ** j * math.comb(k, j) * inner(m + 1, q + [acb(arb(p[m])) + (acb(k) / 2 - j) * STEP])
        return total / STEP ** k
    return inner(0, []).real


def any_orders(n):
    k = [R.choice((0, 1, 1, 2, 3, 4)) for _ in range(n)]
    return k if any(k) else [1] * n


FAMILIES = [
    ('kummer', [0], kummer, lambda: [either(lambda: lin(-10, 10), lambda: lin(0, 60)), either(lambda: lin(-8, 10), lambda: lin(0, 60))],
     lambda: either(lambda: lin(-30, 30), lambda: R.choice((-1, 1)) * log(1e-3, 400)), True),
    ('kummer', [1], tricomi, lambda: [either(lambda: lin(0, 5), lambda: lin(0, 60)), either(lambda: lin(-5, 5), lambda: lin(-40, 40))],
     small_x, True),
    ('hyp2f1', [], gauss, lambda: [either(lambda: lin(-5, 5), lambda: lin(0, 20)), lin(-5, 5), either(lambda: lin(0, 5), lambda: lin(0, 40))],
     lambda: either(lambda: lin(-1, 1), lambda: 1 - log(1e-6, 1), lambda: -log(1, 1e4)), True),
    ('struve', [0], lambda q, x, n: struve(q[0], x, -1), lambda: [either(lambda: lin(-2, 5), lambda: lin(0, 40))], small_x, None),
    ('struve', [1], lambda q, x, n: struve(q[0], x, 1), lambda: [either(lambda: lin(-2, 5), lambda: lin(0, 40))],
     lambda: either(lambda: log(1e-3, 1), lambda: lin(0, 9)), None),
    ('polylog', [], polylog, lambda: [either(lambda: lin(-3, 5), lambda: lin(0, 30))],
     lambda: either(lambda: lin(-1, 1), lambda: 1 - log(1e-5, 1), lambda: -log(1, 30)), True),
    ('bessel', [4], lambda q, x, n: bessel_scaled(q[0], x), lambda: [either(lambda: lin(0, 5), lambda: lin(0, 60))],
     lambda: either(lambda: lin(0, 60), lambda: log(1, 5e3)), None),
]


def main():
    print('/* tests/data/parameter-slopes.inc - derivatives of special functions in their parameters, by Arb at 1600 bits; made by\n'
          '   make-parameter-slopes.py. Op, attributes, arguments, value, amplitude (0: of the value itself). */')
    for name, kind, f, parameters, argument, with_x in FAMILIES:
        done = 0
        while done < int(sys.argv[1]):
            p, x = parameters(), argument()
            orders, n = any_orders(len(p)), R.choice((0, 0, 1, 2)) if with_x else 0
            if sum(orders) > 8:
                continue
            v = slope(f, p, orders, x, n)
            if not v.is_finite() or v.rel_accuracy_bits() < 100 or not 1e-280 < abs(float(v.mid())) < 1e280:
                continue
            at = kind + orders + ([n] if with_x else [0] if with_x is None else [])
            wave = 1 / math.sqrt(1 + x) if name == 'struve' and kind == [0] and x > p[0] else 0
            print('    {"%s", {%s}, %d, {%s}, %d, %r, %.6g},' % (name, ', '.join(map(str, at)), len(at),
                  ', '.join(map(repr, p + [x])), len(p) + 1, float(v.mid()), max(abs(float(v.mid())), wave) if wave else 0))
            done += 1


if __name__ == '__main__':
    main()
