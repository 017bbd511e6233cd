#! /usr/bin/env python3
"""Taylor coefficients of the element-wise rows along polynomial curves, at 60 digits.

    python3 make-taylor.py >taylor.inc      (needs mpmath; run when a row is added)

Each line: op, complex?, order attribute, arguments, coefficients 0 to 3 of each argument's
curve, coefficients 0 to 10 of the result. Complex numbers are pairs; real and
imag give real ones.
"""
import random
import mpmath
from mpmath import mp, mpf, mpc

mp.dps = 60
ORDER = 10
random.seed(1748)


def heaviside_part(x):
    return x if mp.re(x) > 0 else mpf(0)


def larger(a, b):
    return a if a >= b else b


def smaller(a, b):
    return a if a <= b else b


# name: (function, complex too, (lo, hi) of each argument)
R1 = {
    'neg': (lambda x: -x, 1, (-3, 3)),
    'abs': (abs, 0, (0.3, 3)),
    'square': (lambda x: x * x, 1, (-3, 3)),
    'reciprocal': (lambda x: 1 / x, 1, (0.3, 3)),
    'sqrt': (mp.sqrt, 1, (0.2, 3)),
    'rsqrt': (lambda x: 1 / mp.sqrt(x), 0, (0.2, 3)),
    'exp': (mp.exp, 1, (-3, 3)),
    'exp2': (lambda x: mpf(2) ** x, 0, (-3, 3)),
    'expm1': (mp.expm1, 0, (-3, 3)),
    'log': (mp.log, 1, (0.2, 3)),
    'log2': (lambda x: mp.log(x) / mp.log(2), 0, (0.2, 3)),
    'log10': (lambda x: mp.log(x) / mp.log(10), 0, (0.2, 3)),
    'log1p': (lambda x: mp.log(1 + x), 0, (-0.7, 3)),
    'sin': (mp.sin, 1, (-3, 3)),
    'cos': (mp.cos, 1, (-3, 3)),
    'tan': (mp.tan, 1, (-1.2, 1.2)),
    'asin': (mp.asin, 1, (-0.8, 0.8)),
    'acos': (mp.acos, 1, (-0.8, 0.8)),
    'atan': (mp.atan, 1, (-3, 3)),
    'sinh': (mp.sinh, 1, (-3, 3)),
    'cosh': (mp.cosh, 1, (-3, 3)),
    'tanh': (mp.tanh, 1, (-2, 2)),
    'asinh': (mp.asinh, 1, (-3, 3)),
    'acosh': (mp.acosh, 1, (1.3, 4)),
    'atanh': (mp.atanh, 1, (-0.8, 0.8)),
    'erf': (mp.erf, 0, (-2, 2)),
    'erfc': (mp.erfc, 0, (-2, 2)),
    'lgamma': (mp.loggamma, 0, (0.4, 5)),
    'digamma': (mp.digamma, 0, (0.4, 5)),
    'cbrt': (mp.cbrt, 0, (0.4, 3)),
    'logit': (lambda x: mp.log(x / (1 - x)), 0, (0.25, 0.75)),
    'deg2rad': (lambda x: x * mp.pi / 180, 0, (-3, 3)),
    'rad2deg': (lambda x: x * 180 / mp.pi, 0, (-3, 3)),
    'erfinv': (mp.erfinv, 0, (-0.7, 0.7)),
    'ndtr': (lambda x: mp.erfc(-x / mp.sqrt(2)) / 2, 0, (-3, 3)),
    'ndtri': (lambda x: mp.sqrt(2) * mp.erfinv(2 * x - 1), 0, (0.2, 0.8)),
    'log_ndtr': (lambda x: mp.log(mp.erfc(-x / mp.sqrt(2)) / 2), 0, (-3, 3)),
    'entr': (lambda x: -x * mp.log(x), 0, (0.3, 3)),
    'frac': (lambda x: x - mp.floor(x), 0, (0.2, 0.8)),
    'sigmoid': (lambda x: 1 / (1 + mp.exp(-x)), 0, (-3, 3)),
    'softplus': (lambda x: mp.log(1 + mp.exp(x)), 0, (-3, 3)),
    'relu': (heaviside_part, 0, (-3, 3)),
    'gelu': (lambda x: x * mp.erfc(-x / mp.sqrt(2)) / 2, 0, (-3, 3)),
    'conj': (mp.conj, 2, (-3, 3)),
    'real': (mp.re, 2, (-3, 3)),
    'imag': (mp.im, 2, (-3, 3)),
}
R2 = {
    'add': (lambda a, b: a + b, 1, (-3, 3), (-3, 3)),
    'sub': (lambda a, b: a - b, 1, (-3, 3), (-3, 3)),
    'mul': (lambda a, b: a * b, 1, (-3, 3), (-3, 3)),
    'mulz': (lambda a, b: a * b, 1, (-3, 3), (-3, 3)),
    'div': (lambda a, b: a / b, 1, (-3, 3), (0.5, 3)),
    'div_z': (lambda a, b: a / b, 0, (-3, 3), (0.5, 3)),
    'pow': (lambda a, b: mp.power(a, b), 1, (0.4, 3), (-2, 3)),
    'atan2': (lambda a, b: mp.atan(a / b) if b > 0 else mp.pi / 2 - mp.atan(b / a), 0,
              (0.4, 3), (-3, 3)),
    'atan2_d': (lambda a, b: a / (a * a + b * b), 0, (0.4, 3), (-3, 3)),
    'hypot': (lambda a, b: mp.sqrt(a * a + b * b), 0, (0.4, 3), (-3, 3)),
    'reciprocal_z': (lambda a, b: b / (a * a), 0, (0.5, 3), (-3, 3)),
    'maximum': (larger, 0, (-3, 3), (-3, 3)),
    'minimum': (smaller, 0, (-3, 3), (-3, 3)),
    'remainder': (lambda a, b: a - b * mp.floor(a / b), 0, (1.2, 1.35), (0.75, 1.05)),
    'fmax': (larger, 0, (-3, 3), (-3, 3)),
    'fmin': (smaller, 0, (-3, 3), (-3, 3)),
    'fmod': (lambda a, b: a - b * mp.floor(a / b), 0, (1.2, 1.35), (0.75, 1.05)),
    'copysign': (lambda a, b: a if b >= 0 else -a, 0, (0.4, 3), (-3, 3)),
    'ldexp': (lambda a, b: 2 * a, 0, (-3, 3), (1.2, 1.8)),
    'heaviside': (lambda a, b: mpf(1), 0, (0.4, 3), (-3, 3)),
    'xlogy': (lambda a, b: a * mp.log(b), 0, (0.3, 3), (0.3, 3)),
    'xlog1py': (lambda a, b: a * mp.log(1 + b), 0, (0.3, 3), (-0.6, 3)),
    'rel_entr': (lambda a, b: a * mp.log(a / b), 0, (0.3, 3), (0.3, 3)),
    'logaddexp': (lambda a, b: mp.log(mp.exp(a) + mp.exp(b)), 0, (-3, 3), (-3, 3)),
    'logaddexp2': (lambda a, b: mp.log(mpf(2) ** a + mpf(2) ** b) / mp.log(2), 0, (-3, 3),
                   (-3, 3)),
    'gap': (lambda a, b: a - b, 0, (-3, 3), (-3, 3)),
    'gamma_d': (lambda a, x: mp.power(x, a - 1) * mp.exp(-x) / mp.gamma(a), 0, (0.6, 5),
                (0.4, 5)),
    'complex': (lambda a, b: a + mpc(0, 1) * b, 0, (-3, 3), (-3, 3)),
}
# smooth in the last argument alone: the others are numbers
LAST = {
    'zeta': (mp.zeta, (1.4, 6), (0.4, 5)),
    'gammainc': (lambda a, x: mp.gammainc(a, 0, x, regularized=True), (0.6, 5), (0.5, 5)),
    'gammaincc': (lambda a, x: mp.gammainc(a, x, mp.inf, regularized=True), (0.6, 5), (0.5, 5)),
    'betainc': (lambda a, b, x: mp.betainc(a, b, 0, x, regularized=True), (0.6, 5), (0.6, 5),
                (0.2, 0.8)),
}
R3 = {
    'lerp': (lambda a, b, w: a + w * (b - a), 1, (-3, 3), (-3, 3), (-3, 3)),
    'beta_d': (lambda a, b, x: mp.power(x, a - 1) * mp.power(1 - x, b - 1) / mp.beta(a, b), 0,
               (0.6, 5), (0.6, 5), (0.2, 0.8)),
}


def erfcx(n, x):
    y = [mp.exp(x * x) * mp.erfc(x)]
    for k in range(n):
        y.append(2 * x * y[k] + (2 * k * y[k - 1] if k else -2 / mp.sqrt(mp.pi)))
    return y[n]


def sinc(n, x):
    return mp.diff(mp.sincpi, x, n) if n else mp.sincpi(x)


ORDERED = {
    'polygamma': (lambda n, x: mp.polygamma(n, x), (0.5, 5)),
    'sinc': (sinc, (-3, 3)),
    'erfcx': (erfcx, (-2, 3)),
    'bessel_i': (lambda n, x: mp.besseli(n, x), (-3, 3)),
    'bessel_ie': (lambda n, x: mp.besseli(n, x) * mp.exp(-x), (0.3, 3)),
}


def draw(lo, hi, cplx):
    re = round(random.uniform(lo, hi), 3)
    return complex(re, round(random.uniform(-0.4, 0.4), 3)) if cplx else re


def curve(bounds, cplx):
    return [draw(*bounds, cplx)] + [draw(-0.6, 0.6, cplx) for _ in range(3)]


def exact(c):
    return mpc(c) if isinstance(c, complex) else mpf(c)


def along(c, t):
    c = [exact(v) for v in c]
    return c[0] + t * (c[1] + t * (c[2] + t * c[3]))


def pair(v, cplx):
    one = lambda w: mpmath.nstr(w, 20, min_fixed=-5, max_fixed=6, strip_zeros=True)
    return '%s, %s' % (one(mp.re(v)), one(mp.im(v))) if cplx else one(mp.re(v))


def line(name, f, bounds, order, cplx, held=0):
    c = [curve(b, cplx) for b in bounds]
    for k in c[:held]:
        k[1:] = [0.0] * 3
    y = mp.taylor(lambda t: f(*[along(k, t) for k in c]), 0, ORDER)
    out = name == 'complex' or (cplx and name not in ('real', 'imag'))
    ins = ', '.join('{%s}' % ', '.join(pair(exact(v), cplx) for v in k) for k in c)
    print('{"%s", %d, %d, %d, {%s},\n {%s}},' % (
        name, cplx, order, len(bounds), ins, ', '.join(pair(v, out) for v in y)))


def lines(name, f, how, bounds, order=-1):
    for _ in range(4):
        if how != 2:
            line(name, f, bounds, order, 0)
        if how:
            line(name, f, bounds, order, 1)


print('/* made by make-taylor.py with mpmath %s at %d digits; do not edit */'
      % (mpmath.__version__, mp.dps))
for name, (f, how, b) in R1.items():
    lines(name, f, how, [b])
for name, (f, b) in ORDERED.items():
    for n in range(4):
        lines(name, lambda x: f(n, x), 0, [b], n)
for name, (f, how, a, b) in R2.items():
    lines(name, f, how, [a, b])
for name, (f, how, *b) in R3.items():
    lines(name, f, how, b)
for name, (f, *b) in LAST.items():
    for _ in range(4):
        line(name, f, b, -1, 0, len(b) - 1)
