#!/usr/bin/env python3
# make-mathieu.py - Mathieu's functions by the eigenvectors of their matrices (DLMF 28.4) in 30 digits, eta and zeta of mpmath:
# make-mathieu.py > mathieu.inc  (mpmath 1.4). A row: name, q, x, m, real part, imaginary part.
from mpmath import *

mp.dps = 30


def series(odd, m, q):
    first, n = (1 if m % 2 else 2 if odd else 0), 24 + m // 2 + int(sqrt(abs(q)))
    t = matrix(n, n)
    for r in range(n):
        t[r, r] = (first + 2 * r) ** 2
        if r + 1 < n:
            t[r, r + 1] = t[r + 1, r] = q * (sqrt(2) if first + r == 0 else 1)
    if m % 2:
        t[0, 0] += -q if odd else q
    a, v = eigsy(t)
    index = m // 2 - (1 if odd and m % 2 == 0 else 0)
    order = sorted(range(n), key=lambda k: a[k])
    c = [v[r, order[index]] * (1 / sqrt(2) if first + r == 0 else 1) for r in range(n)]
    start = sum((first + 2 * r if odd else 1) * c[r] for r in range(n))
    return a[order[index]], [(-x if start < 0 else x) for x in c], first


def value(odd, c, first, x): return sum(v * (sin if odd else cos)((first + 2 * r) * mpf(x)) for r, v in enumerate(c))


def row(name, q, x, m, w): print(f'    {{"{name}", {q!r}, {x!r}, {m}, {nstr(w.real, 20)}, {nstr(w.imag, 20)}}},')


print('/* tests/data/mathieu.inc - made by make-mathieu.py: name, q or real part, x or imaginary part, order, value */')
for m, q in ((0, 0.25), (0, 40.0), (1, -3.5), (2, 5.0), (3, 12.5), (5, 200.0), (10, 1.0), (12, -90.0), (17, 856.25), (2, 0.0)):
    for odd in (0, 1):
        if odd and m == 0:
            continue
        a, c, first = series(odd, m, mpf(q))
        row('mathieu_b' if odd else 'mathieu_a', q, 0.0, m, mpc(a))
        for x in (0.75, -2.5):
            row('mathieu_se' if odd else 'mathieu_ce', q, x, m, mpc(value(odd, c, first, x)))
for x, y in ((0.5, 14.125), (0.0, 3.0), (2.0, -50.0), (70.0, 1.0), (1.0, 0.5), (1.25, 0.0), (0.75, 120.0), (3.0, 7.0),
             (-0.5, 1.0), (-1.0, 0.0), (-2.0, 0.0), (-3.0, 14.0), (-20.25, -3.0), (-24.5, 20.0), (-0.125, 120.0), (-7.5, 0.0)):
    row('dirichlet_eta_complex', x, y, 0, altzeta(mpc(x, y)))
    row('zeta_complex', x, y, 0, zeta(mpc(x, y)))
