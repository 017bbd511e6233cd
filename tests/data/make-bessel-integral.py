#!/usr/bin/env python3
# make-bessel-integral.py - integrals of Bessel, Struve and Airy functions, V of parabolic cylinders by mpmath in 30 digits:
# make-bessel-integral.py > bessel-integral.inc  (mpmath 1.4). A row: kind (13: V), x, v, value, amplitude.
from mpmath import mp, mpf

mp.dps = 30


def first(f0, f1, x): return x * f0 + mp.pi * x / 2 * (f1 * mp.struveh(0, x) - f0 * mp.struveh(1, x))


def rest(f, x):
    """the series of DLMF 10.8.1, 10.31.2 less their logarithm, integrated by terms"""
    sign = -1 if f == 'Y' else 1
    with mp.workdps(60 + int(x)):
        log, harmonic, term, total = mp.log(x / 2) + mp.euler, mpf(0), mpf(1), mpf(0)
        for k in range(1, 60 + int(3 * x)):
            harmonic += mpf(1) / k
            term *= sign * x * x / (4 * mpf(k) ** 2)
            total += term * (log - mpf(1) / (2 * k) - harmonic) / (2 * k)
        if f == 'Y':
            return mp.pi / 6 - (log * log + 2 * total) / mp.pi
        return mp.pi ** 2 / 24 + log * log / 2 + total


def even(x, side):
    with mp.workdps(60 + int(x)):
        term, total = mpf(1), mpf(0)
        for k in range(1, 60 + int(3 * x)):
            term *= side * x * x / (4 * mpf(k) ** 2)
            total += side * term / (2 * k)
        return total


def series(x, up, side=1):
    """of I0 (up 0), H0 and L0 (up 1)"""
    with mp.workdps(60 + int(x)):
        if up == 0:
            return x * mp.hyper([mpf(1) / 2], [1, mpf(3) / 2], x * x / 4)
        return x * x / mp.pi * mp.hyper([1, 1], [2, mpf(3) / 2, mpf(3) / 2], side * x * x / 4)


def over(x):
    with mp.workdps(60 + int(x)):
        return mp.pi / 2 - 2 * x / mp.pi * mp.hyper([mpf(1) / 2, 1], [mpf(3) / 2] * 3, -x * x / 4)


KINDS = [
    lambda x: first(mp.besselj(0, x), mp.besselj(1, x), x),
    lambda x: first(mp.bessely(0, x), mp.bessely(1, x), x),
    lambda x: series(x, 0),
    lambda x: mp.pi * x / 2 * (mp.besselk(0, x) * (mp.struvel(1, x) + 2 / mp.pi) + mp.besselk(1, x) * mp.struvel(0, x)),
    lambda x: even(x, -1), lambda x: rest('Y', x), lambda x: even(x, 1), lambda x: rest('K', x),
    lambda x: series(x, 1, -1), over, lambda x: series(x, 1),
    lambda x: mp.airyai(x, derivative=-1), lambda x: mp.airybi(x, derivative=-1)]


def main():
    print('/* tests/data/bessel-integral.inc - made by make-bessel-integral.py: kind (13: V), x, v, value, amplitude */')
    for kind, f in enumerate(KINDS):
        places = [1e-9, 0.0625, 0.75, 1.9999, 2.5, 7, 19.25, 39.99, 40.01, 88, 310.5]
        if kind >= 11:
            places += [-x for x in places]
            places = [x for x in places if -100 < x < 80]
        for x in map(mpf, places):
            y = f(x)
            size = {0: mp.sqrt(2 / (mp.pi * x)) if x > 2 else 0, 1: 1 / mp.sqrt(x) if x > 0.5 else 0,
                    5: x ** mpf(-1.5) if x > 2 else 1, 11: 0, 12: abs(x) ** mpf(-0.75) if x < -1 else 0}.get(kind, 0)
            if 1e-300 < abs(y) < 1e300:
                print('    {%d, %r, 0.0, %s, %s},' % (kind, float(x), mp.nstr(y, 20), mp.nstr(mpf(max(size, abs(y))), 6)))
    for v, x in [(.3, 1.25), (-1.75, 2.5), (2.25, -1), (0, 2), (4.5, 6), (-7.25, 9), (12.5, 3), (-19.5, 0.25), (17, -4), (1, 18)]:
        with mp.workdps(60):
            a = -mpf(v) - mpf(1) / 2
            y, z = mp.pcfv(a, mpf(x)), mp.pcfv(a, mpf(-x))
        print('    {13, %r, %r, %s, %s},' % (float(x), float(v), mp.nstr(y, 20), mp.nstr(max(abs(y), abs(z)), 6)))


if __name__ == '__main__':
    main()
