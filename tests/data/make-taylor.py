#! /usr/bin/env python3
"""Taylor coefficients of the element-wise rows along polynomial curves, and at hard points, at 60 digits.

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
    'pow_log': (lambda a, b: mp.power(a, b) * mp.log(a), 1, (0.4, 3), (-2, 3)),
    'pow_log2': (lambda a, b: mp.power(a, b) * mp.log(a) ** 2, 1, (0.4, 3), (-2, 3)),
    'gamma_d': (lambda a, x: mp.power(x, a - 1) * mp.exp(-x) / mp.gamma(a), 0, (0.6, 5),
                (0.4, 5)),
    'complex': (lambda a, b: a + mpc(0, 1) * b, 0, (-3, 3), (-3, 3)),
}
def inverse(f, start):
    """the root x of f(x) = 0 near start, to all digits"""
    with mp.workdps(mp.dps + 15):
        return mp.findroot(f, start, tol=mpf(10) ** (-2 * mp.dps))


def gamma_quantile(a, p):
    f = lambda x: mp.gammainc(a, 0, x, regularized=True) - p  # noqa: E731
    with mp.workdps(15):
        start = mp.findroot(f, (mpf(10) ** -9, 100), solver='anderson', tol=1e-12)
    return inverse(f, start)


def beta_quantile(a, b, p):
    f = lambda x: mp.betainc(a, b, 0, x, regularized=True) - p  # noqa: E731
    with mp.workdps(15):
        start = mp.findroot(f, (mpf(10) ** -9, 1 - mpf(10) ** -9), solver='anderson', tol=1e-12)
    return inverse(f, start)


# smooth in the last argument alone: the others are numbers
LAST = {
    'zeta': (mp.zeta, (1.4, 6), (0.4, 5)),
    'gammainc': (lambda a, x: mp.gammainc(a, 0, x, regularized=True), (0.6, 5), (0.5, 5)),
    'gammaincc': (lambda a, x: mp.gammainc(a, x, mp.inf, regularized=True), (0.6, 5), (0.5, 5)),
    'betainc': (lambda a, b, x: mp.betainc(a, b, 0, x, regularized=True), (0.6, 5), (0.6, 5),
                (0.2, 0.8)),
    'betaincc': (lambda a, b, x: mp.betainc(a, b, x, 1, regularized=True), (0.6, 5), (0.6, 5),
                 (0.2, 0.8)),
    'gammaincinv': (gamma_quantile, (0.6, 5), (0.2, 0.8)),
    'gammainccinv': (lambda a, q: gamma_quantile(a, 1 - q), (0.6, 5), (0.2, 0.8)),
    'betaincinv': (beta_quantile, (0.6, 5), (0.6, 5), (0.2, 0.8)),
    'betainccinv': (lambda a, b, q: beta_quantile(a, b, 1 - q), (0.6, 5), (0.6, 5), (0.2, 0.8)),
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
    write(name, f, c, order, cplx, mp.taylor(lambda t: f(*[along(k, t) for k in c]), 0, ORDER))


def write(name, f, c, order, cplx, y):
    out = name == 'complex' or (cplx and name not in ('real', 'imag'))
    ins = ', '.join('{%s}' % ', '.join(pair(exact(v), cplx) for v in k) for k in c)
    print('{"%s", %d, %d, %d, {%s},\n {%s}},' % (
        name, cplx, order, len(c), ins, ', '.join(pair(v, out) for v in y)))


def lines(name, f, how, bounds, order=-1):
    for _ in range(4):
        if how != 2:
            line(name, f, bounds, order, 0)
        if how:
            line(name, f, bounds, order, 1)


# ---- hard points: near poles, branch points and zeros, far out; (x, step of the line there)

def both(points):
    return [(sign * x, d) for x, d in points for sign in (1, -1)]


def near(x, *powers):
    """below x, by powers of 2, in steps of half the distance"""
    return [(x - 2.0 ** p, 2.0 ** (p - 1)) for p in powers]


SMALL = [(2.0 ** -30, 2.0 ** -31), (2.0 ** -10, 2.0 ** -11), (1e-3, 2.0 ** -11)]
LARGE = [(2.0 ** 30, 2.0 ** 29), (2.0 ** 60, 2.0 ** 59), (1e3, 256.0)]
FAR = both([(2.0 ** -30, 0.5), (1e-3, 0.5), (0.0, 0.5), (3.7, 0.5), (8.25, 0.5), (20.5, 0.5), (40.0, 0.5)])
TAIL = both([(2.0 ** -30, 0.5), (0.0, 0.5), (3.0, 0.25), (5.0, 0.125), (8.0, 0.125), (20.0, 0.03125)])
ENDS = both(near(1, -8, -20, -40) + [(2.0 ** -30, 0.5), (0.0, 0.5)])
NEAR_1 = [(1 + 2.0 ** -20, 0.5), (1.0, 0.5)]
GAMMA = [(2.0 ** -30, 2.0 ** -31), (1e-3, 2.0 ** -11), (1.0, 0.5), (-0.5, 0.25),
         (-1 + 2.0 ** -10, 2.0 ** -11), (-2.5, 0.25),
         (-10.25, 0.125), (1e3, 256.0), (1e6, 2.0 ** 18), (2.0 ** 40, 2.0 ** 39)]
HARD = {
    'reciprocal': both(SMALL + LARGE), 'sqrt': SMALL + LARGE, 'rsqrt': SMALL + LARGE,
    'cbrt': both(SMALL + LARGE),
    'exp': FAR + [(300.0, 0.5)], 'exp2': FAR, 'expm1': FAR, 'log': SMALL + LARGE + NEAR_1, 'log2': SMALL + LARGE + NEAR_1,
    'log10': SMALL + LARGE + NEAR_1, 'log1p': [(-1 + 2.0 ** -20, 2.0 ** -21),
                                               (-1 + 2.0 ** -40, 2.0 ** -41)] + FAR[:6] + LARGE,
    'sin': FAR + [(1e5, 0.5), (3.141592653589793, 0.5)], 'cos': FAR + [(1e5, 0.5),
                                                                       (1.5707963267948966, 0.5)],
    'tan': both([(1.5, 0.0625), (1.57, 2.0 ** -11), (1.5707963, 2.0 ** -24), (2.0 ** -30, 0.5),
                 (1e5, 0.0625)]),
    'asin': ENDS, 'acos': ENDS, 'atanh': ENDS, 'erfinv': ENDS[2:],
    'atan': both(LARGE + [(2.0 ** -30, 0.5), (0.0, 0.5)]),
    'asinh': both(LARGE + [(2.0 ** -30, 0.5), (0.0, 0.5)]), 'sinh': FAR, 'cosh': FAR,
    'tanh': FAR[:10],
    'acosh': [(1 + 2.0 ** -20, 2.0 ** -21), (1 + 2.0 ** -40, 2.0 ** -41),
              (1 + 2.0 ** -8, 2.0 ** -9)] + LARGE,
    'sigmoid': FAR, 'softplus': FAR, 'erf': TAIL, 'erfc': TAIL, 'ndtr': TAIL, 'gelu': TAIL,
    'log_ndtr': both([(3.0, 0.5), (5.0, 0.5), (2.0 ** -30, 0.5)]) + [(-8.0, 0.5), (-35.0, 0.5),
                                                                     (-1e3, 64.0)],
    'lgamma': GAMMA + [(2.0, 0.5), (2 + 2.0 ** -20, 0.5)],
    'digamma': GAMMA + [(1.4616321449683623, 0.5)],
    'logit': near(1, -20, -40) + SMALL + [(0.5, 0.25), (0.5 + 2.0 ** -30, 0.25)],
    'ndtri': near(1, -20, -40) + SMALL[:2] + [(2.0 ** -60, 2.0 ** -61), (0.5 + 2.0 ** -30, 0.25)],
    'entr': SMALL + LARGE + [(1.0, 0.5), (0.36787944117144233, 0.25)],
    'polygamma': [(1, 2.0 ** -20, 2.0 ** -21), (3, 1e-3, 2.0 ** -11), (1, 1e3, 256.0),
                  (2, 1e6, 2.0 ** 18), (1, -2.5, 0.25),
                  (5, 20.0, 4.0)],
    'sinc': [(0, 0.0, 0.25), (0, 2.0 ** -30, 0.25), (0, 1.0, 0.25), (1, 0.0, 0.25),
             (2, 2.0 ** -20, 0.25), (0, 50.25, 0.25),
             (0, 1000.0, 0.25)],
    'erfcx': [(0, 30.0, 4.0), (0, 1e5, 2.0 ** 12), (0, -5.0, 0.125), (2, 10.0, 1.0),
              (1, 1e3, 64.0), (0, -20.0, 0.03125)],
    'bessel_i': [(0, 0.0, 0.5), (1, 0.0, 0.5), (3, 2.0 ** -20, 0.5), (0, 50.0, 0.5),
                 (1, 700.0, 0.5), (0, -8.0, 0.5), (10, 2.0, 0.5)],
    'bessel_ie': [(0, 2.0 ** -20, 2.0 ** -21), (1, 2.0 ** -20, 2.0 ** -21), (0, -8.0, 0.5),
                  (5, 1e-2, 2.0 ** -8)],
    'div': [((1.0, 0.5), (2.0 ** -30, 2.0 ** -31)), ((2.0 ** 60, 2.0 ** 59),
                                                     (2.0 ** -60, 2.0 ** -61))],
    'pow': [((2.0 ** -30, 2.0 ** -31), (0.5, 0.0)), ((2.0 ** -30, 2.0 ** -31), (0.5, 0.25)),
            ((2.0, 0.5), (300.5, 0.0)),
            ((2.0, 0.5), (50.25, 0.5)), ((1e3, 256.0), (-3.5, 0.5)), ((1 + 2.0 ** -20, 0.5),
                                                                      (1e3, 0.5)),
            ((-1.5, 0.5), (3.0, 0.0)), ((-1.5, 0.5), (-3.0, 0.0))],
    'atan2': [((1.0, 0.25), (-2.0 ** -20, 0.25)), ((2.0 ** -20, 2.0 ** -21), (1.0, 0.5)),
              ((2.0 ** -30, 2.0 ** -31), (2.0 ** -30, 2.0 ** -32)), ((2.0 ** 40, 2.0 ** 39),
                                                                     (2.0 ** 40, 2.0 ** 38))],
    'hypot': [((2.0 ** -30, 2.0 ** -31), (2.0 ** -30, 2.0 ** -32)), ((2.0 ** 100, 2.0 ** 99),
                                                                     (2.0 ** 100, 2.0 ** 98)),
              ((1.0, 0.25), (2.0 ** -30, 0.25)), ((3.0, 0.5), (0.0, 0.5))],
    'xlogy': [((1.0, 0.5), (2.0 ** -30, 2.0 ** -31)), ((0.0, 0.5), (0.5, 0.25)), ((3.0, 0.5),
                                                                                  (1 + 2.0 ** -20, 0.5))],
    'xlog1py': [((1.0, 0.5), (-1 + 2.0 ** -20, 2.0 ** -21)), ((3.0, 0.5), (2.0 ** -30, 0.5))],
    'rel_entr': [((2.0 ** -30, 2.0 ** -31), (1.0, 0.5)), ((1.0, 0.5), (2.0 ** -30, 2.0 ** -31))],
    'logaddexp': [((1000.0, 0.5), (1000.5, 0.25)), ((-1000.0, 0.5), (-1000.5, 0.25)), ((0.0, 0.5),
                                                                                       (40.0, 0.25)),
                  ((0.0, 0.5), (0.0, 0.25))],
    'logaddexp2': [((1000.0, 0.5), (1000.5, 0.25)), ((0.0, 0.5), (50.0, 0.25)), ((0.0, 0.5),
                                                                                 (0.0, 0.25))],
    'zeta': [((1.001, 0.0), (0.5, 0.25)), ((2.0, 0.0), (2.0 ** -10, 2.0 ** -11)), ((3.5, 0.0),
                                                                                   (1e3, 256.0)),
             ((30.0, 0.0), (1.0, 0.25)), ((2.0, 0.0), (1e6, 2.0 ** 18))],
    'gammainc': [((0.5, 0.0), (2.0 ** -20, 2.0 ** -21)), ((100.0, 0.0), (100.0, 4.0)), ((5.0, 0.0),
                                                                                        (60.0, 0.5)),
                 ((1e3, 0.0), (1e3, 16.0)), ((1.5, 0.0), (0.5, 0.25)), ((20.0, 0.0), (1.0, 0.25))],
    'betainc': [((0.5, 0.0), (0.5, 0.0), (2.0 ** -20, 2.0 ** -21)), ((50.0, 0.0), (60.0, 0.0),
                                                                     (0.45, 0.03)),
                ((1000.0, 0.0), (1000.0, 0.0), (0.5, 2.0 ** -7)), ((1000.0, 0.0), (2.5, 0.0),
                                                                   (0.998, 2.0 ** -10)),
                ((30.0, 0.0), (1.0, 0.0), (0.9, 0.05)), ((2.0, 0.0), (3.0, 0.0),
                                                         (1 - 2.0 ** -20, 2.0 ** -21))],
}
HARD['gammaincc'] = HARD['gammainc']
OTHER = {  # where the formula above is for simple places
    'lgamma': lambda x: mp.log(abs(mp.gamma(x))),
    'cbrt': lambda x: mp.cbrt(x) if x > 0 else -mp.cbrt(-x),
    'pow': lambda a, b: mp.power(a, int(b)) if b == int(b) else mp.power(a, b),
    'bessel_ie': lambda n, x: mp.besseli(n, x) * mp.exp(-abs(x)),
}


def hard(name, point):
    one = {**R1, **R2, **LAST, **ORDERED}[name][0]
    f, order = OTHER.get(name, one), -1
    if name in ORDERED:
        g, order, point = f, point[0], [point[1:]]
        f = lambda x: g(order, x)  # noqa: E731
    elif name in R1:
        point = [point]
    c = [[x, d, 0.0, 0.0] for x, d in point]
    with mp.workdps(90):
        y = mp.taylor(lambda t: f(*[along(k, t) for k in c]), 0, ORDER, chop=False)
    least = max(map(abs, y)) * mpf(10) ** -40
    write(name, f, c, order, 0, [v if abs(v) > least else mpf(0) for v in y])


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
for name, points in HARD.items():
    for point in points:
        hard(name, point)
