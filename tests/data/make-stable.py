#!/usr/bin/env python3
# make-stable.py - densities and probabilities of stable laws for tests/t-laws-of-probability.c by
# Fourier inversion of the characteristic function, mpmath at 40 digits; far tails and laws of
# alpha below 1 by Zolotarev's integral at 40 digits, split where the integrand has its peak.
#   make-stable.py >stable.inc        (mpmath 1.3)
import mpmath as mp

mp.mp.dps = 40
F = mp.mpf


def fourier(a, b, z):
    def bend(t):
        return -b * 2 / mp.pi * t * mp.log(t) if a == 1 else b * mp.tan(mp.pi * a / 2) * t**a

    end = mp.power(60, 1 / a)
    pieces = [F(0)] + [end * F(k) / 48 for k in range(1, 49)]

    def f(t):
        return mp.exp(-(t**a)) * mp.cos(z * t - bend(t)) if t else F(1)

    def g(t):
        return mp.exp(-(t**a)) * mp.sin(z * t - bend(t)) / t if t else F(0)

    pieces = [F(0), end / 48 / 64, end / 48 / 8] + pieces[1:]
    return mp.quad(f, pieces) / mp.pi, F(1) / 2 + mp.quad(g, pieces) / mp.pi


print('/* made by make-stable.py: law, parameters, point, log density, cdf, survival, logs */')
for a, b in [(1.9, 0.5), (1.5, 0.3), (1.2, -0.9), (1, 0.4), (1, -0.8), (0.8, 0.3), (1.6, 1), (1.05, 0.5)]:
    for z in (-6, -0.7, 0, 0.001, 0.4, 2.5, 12):
        p, c = fourier(F(a), F(b), F(z))
        s = 1 - c
        row = ', '.join(repr(float(v)) for v in (mp.log(p), c, s, mp.log(c), mp.log(s)))
        print(f'POINT(stable, {a}, {b}, 0, 1, {z}, {row})')
