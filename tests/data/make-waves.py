#!/usr/bin/env python3
# make-waves.py - Legendre functions of the second kind, radial spheroidal functions, W of parabolic cylinders, Lame's functions,
# moments of Bessel functions, laws of Smirnov and Tukey by tests/fuzz/judge-nest.py in 40 digits of mpmath 1.4:
# make-waves.py > waves.inc  A row: op, operands, whole attributes, real ones, value, amplitude (that of value and slope, of a wave).
import importlib.util
import os
import sys
from mpmath import mp, mpf

here = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location('judge', os.path.join(here, '..', 'fuzz', 'judge-nest.py'))
judge = importlib.util.module_from_spec(spec)
spec.loader.exec_module(judge)
mp.dps = 40


def row(op, x, k=(), r=(), wave=None):
    value = judge.SPECIAL[op](list(k), list(r), *[mpf(v) for v in x])
    amplitude = abs(value)
    if wave is not None:  # the other member of the family over the wave number
        other = list(k)
        other[-1] = 1 - other[-1]
        by = mpf(wave) if other[-1] else 1 / mpf(wave)
        amplitude = mp.hypot(value, judge.SPECIAL[op](other, list(r), *[mpf(v) for v in x]) / by)
    pad = lambda v, n: ', '.join(repr(float(e)) if n < 4 else str(int(e)) for e in (list(v) + [0] * n)[:n])
    print('    {"%s", {%s}, %d, {%s}, %d, {%s}, %d, %s, %s},' % (
        op, pad(x, 2), len(x), pad(k, 4), len(k), pad(r, 2), len(r), mp.nstr(value, 20), mp.nstr(amplitude, 5)))
    sys.stdout.flush()


for n in (0, 1, 2, 7, 60, 200):
    for x in (-0.99, -0.3, 0.0625, 0.7, 0.999755859375):
        for k in (0, 1) if n < 60 else (0,):
            row('legendre_q', [x], [n, k], wave=None if k else (n + 1) / (1 - x * x) ** 0.5)
    for x in (-40, -1.5, 1.0009765625, 1.25, 3, 300):
        if not (n == 200 and abs(x) > 30):
            mp.dps = 40 + int(8 * n)
            row('legendre_q', [x], [n, 0])
            mp.dps = 40
for kind, xs in ((0, (1.03125, 1.5, 6, 40)), (1, (0, 0.25, 2, 30)), (2, (1.03125, 1.5, 6, 40)), (3, (0, 0.25, 2, 30))):
    for m, n, c in ((0, 0, 1), (0, 3, 0.25), (1, 2, 5), (4, 6, 2.5), (0, 1, 25), (12, 15, 8)):
        for x in xs:
            if x == 0 and kind == 1:
                continue  # a series of Bessel functions at 0
            for sloped in (0, 1):
                row('spheroidal_radial', [x], [kind, m, n, sloped], [c], wave=c if c * x > n + 2 or c > n + 2 else None)
for a in (-12, -1.5, 0, 0.75, 4, 11):
    for x in (-11, -3, -0.5, 0, 0.25, 2, 5, 12, 19):
        mp.dps = 40 + int(x * x / 4 + 3 * abs(a))
        for sloped in (0, 1):
            row('parabolic_w', [x], [sloped], [a], wave=abs(x * x / 4 - a) ** 0.5 if x * x / 4 > a + 0.5 else None)
        mp.dps = 40
for n in range(7):
    for p in range(1, 2 * n + 2):
        for s in (0.375, 1.1875, 2.5):
            row('lame', [s], [n, p, 0, 0], [1, 2])
        if p in (1, n + 1, 2 * n + 1):
            row('lame', [2.5], [n, p, 0, 1], [1, 2])
            row('lame', [1.75], [n, p, 1, 0], [1, 2])
            row('lame', [1.5], [n, p, 1, 0], [0.25, 2.25 - 2.0 ** -10])
for n, p, s in ((10, 1, 1.5), (12, 13, 2.5), (20, 3, 40), (40, 81, 2)):
    mp.dps = 40 + 4 * n
    row('lame', [s], [n, p, 1, 0], [1, 2])
    mp.dps = 40
row('lame', [1 + 2.0 ** -30], [2, 5, 1, 0], [0.25, 1])
for a in (0.0625, 1, 1.75, 8, 40):
    for power, order in ((0, 0), (1, 0), (2.5, 3), (-0.5, 0.25), (30, 12)):
        row('bessel_moment', [a], [], [power, order])
row('bessel_moment', [2.5], [], [140, 4.5])
for n in (1, 2, 5, 40, 300):
    for d in (0.015625, 0.125, 0.40625, 0.875):
        for k in (0, 1, 2):
            if n > 2 or not k:
                row('smirnov', [d], [n, k])
    for p in (1e-12, 0.25, 0.9375):
        row('smirnov_inverse', [p], [n])
for shape in (-2, -0.25, 0, 1e-9, 0.125, 1, 3):
    for x in (-60, -2.5, -0.28125, -0.001, 0.25, 1.75):
        if abs(x) * shape < 1:
            row('tukey_lambda', [x, shape])
