#!/usr/bin/env python3
# make-integrals.py - values of functions of agnesi/integrals.h by mpmath at 40 digits: make-integrals.py SEED > integrals.inc
# (mpmath 1.4; the file is of seed 3). A row: function, attribute, arguments, value, amplitude (0: of the value itself).
import math
import random
import sys
from mpmath import mp, mpf
import mpmath

mp.dps = 40
R = random.Random(int(sys.argv[1]))


def lin(a, b): return R.uniform(a, b)
def log(a, b): return 10 ** R.uniform(math.log10(a), math.log10(b))
def either(*f): return R.choice(f)()


def debye(x, n):
    return n / x ** n * mp.quad(lambda t: t ** n / mp.expm1(t) if t else mpf(n == 1), mp.linspace(0, min(x, 200), 9))


def transport(x, n):
    return mp.quad(lambda t: t ** n * mp.exp(t) / mp.expm1(t) ** 2 if t else mpf(n == 2), mp.linspace(0, x, 9))


def kelvin(n, x, k):
    return (mp.ber, mp.bei, mp.ker, mp.kei)[k](n, x)


def pair(n, x, k):
    return mp.hypot(kelvin(n, x, k & 2), kelvin(n, x, (k & 2) + 1))


def beta_below(a, b, x): return mp.betainc(a, b, 0, x, regularized=True)
def beta_above(a, b, x): return mp.betainc(b, a, 0, 1 - x, regularized=True)
def gamma_below(a, x): return mp.gammainc(a, 0, x, regularized=True)
def gamma_above(a, x): return mp.gammainc(a, x, mp.inf, regularized=True)
def student(df, t): return beta_below(df / 2, mpf(1) / 2, df / (df + t * t)) / 2
def carlson_g(x, y, z):
    f = mpmath.elliprg
    return f(x, y, z)


def rows():
    small = lambda: either(lambda: log(1e-4, 1), lambda: lin(0, 12), lambda: log(1, 500))
    yield 'sine_integral', 0, [(either(small, lambda: -small()),) for _ in range(9)], lambda x: mp.si(x)
    yield 'cosine_integral', 0, [(small(),) for _ in range(9)], lambda x: mp.ci(x), lambda x: 1 / x if x > 4 else 0
    yield 'sinh_integral', 0, [(small(),) for _ in range(9)], lambda x: mp.shi(x)
    yield 'cosh_integral', 0, [(small(),) for _ in range(9)] + [(0.5238225714,)], lambda x: mp.chi(x)
    yield 'clausen', 0, [(lin(-20, 20),) for _ in range(9)] + [(3.1415,), (1e-8,)], lambda x: mp.clsin(2, x)
    for n in (1, 3, 8):
        yield 'debye', n, [(either(lambda: lin(0, 8), lambda: log(1, 90)),) for _ in range(5)], lambda x: debye(x, n)
    for n in (2, 5):
        yield 'transport', n, [(lin(0.1, 20),) for _ in range(4)], lambda x: transport(x, n)
    yield 'fermi_dirac', 0, [(either(lambda: lin(-0.9, 6), lambda: R.choice((-0.5, 0.5, 1.5))), lin(-9, 20)) for _ in range(12)], \
        lambda j, x: -mp.polylog(j + 1, -mp.exp(x)).real
    for k, name in enumerate(('ber', 'bei', 'ker', 'kei')):
        for n in (0, 1, 6):
            yield 'kelvin_' + name, n, [(either(lambda: lin(0.1, 15), lambda: log(1, 200)),) for _ in range(4)], \
                lambda x: kelvin(n, x, k), lambda x: pair(n, x, k)
    yield 'rgamma', 0, [(lin(-9, 20),) for _ in range(8)] + [(160.5,), (-3.0,)], mp.rgamma
    yield 'gamma', 0, [(lin(-9, 20),) for _ in range(8)] + [(160.5,)], mp.gamma
    yield 'digammainv', 0, [(lin(-9, 12),) for _ in range(9)], lambda y: mp.findroot(lambda x: mp.psi(0, x) - y, mp.exp(y) + 0.5 if y > -2.2 else -1 / (y + 0.577))
    yield 'wright_omega', 0, [(either(lambda: lin(-5, 5), lambda: -log(1, 300), lambda: log(1, 1e4)),) for _ in range(12)], lambda x: mp.lambertw(mp.exp(x)).real
    yield 'beta', 0, [(lin(0, 60), lin(0, 60)) for _ in range(6)] + [(-1.5, 3.25)], mp.beta
    yield 'betaln', 0, [(lin(0, 60), lin(0, 60)) for _ in range(6)], lambda a, b: mp.log(mp.beta(a, b)), lambda a, b: 100
    yield 'binom', 0, [(lin(0, 60), lin(0, 20)) for _ in range(6)] + [(10.0, 3.0), (-2.5, 3.0)], mp.binomial
    yield 'exprel', 0, [(either(lambda: lin(-30, 30), lambda: log(1e-12, 1)),) for _ in range(9)] + [(0.0,)], lambda x: mp.expm1(x) / x if x else mpf(1)
    yield 'cosm1', 0, [(either(lambda: lin(-9, 9), lambda: log(1e-9, 1)),) for _ in range(6)], lambda x: -2 * mp.sin(x / 2) ** 2
    cox = lambda: [(log(1e-3, 1e3), either(lambda: lin(-2, 2), lambda: log(1e-12, 1))) for _ in range(6)] + [(2.5, 0.0)]
    yield 'boxcox', 0, cox(), lambda x, l: mp.expm1(l * mp.log(x)) / l if l else mp.log(x)
    yield 'boxcox1p', 0, cox(), lambda x, l: mp.expm1(l * mp.log1p(x)) / l if l else mp.log1p(x)
    inv = lambda: [(lin(0, 3), either(lambda: lin(0, 2), lambda: log(1e-12, 1))) for _ in range(6)] + [(0.5, 0.0)]
    yield 'inv_boxcox', 0, inv(), lambda y, l: mp.exp(mp.log1p(l * y) / l if l else y)
    yield 'inv_boxcox1p', 0, inv(), lambda y, l: mp.expm1(mp.log1p(l * y) / l if l else y)
    yield 'agm', 0, [(log(1e-6, 1e3), log(1e-6, 1e3)) for _ in range(6)], mp.agm
    yield 'ellipkm1', 0, [(log(1e-20, 1),) for _ in range(6)], lambda p: mp.ellipk(1 - p)
    yield 'elliprg', 0, [(log(1e-3, 1e3), log(1e-3, 1e3), log(1e-3, 1e3)) for _ in range(6)] + [(0.0, 1.5, 2.5)], carlson_g
    yield 'spence', 0, [(either(lambda: lin(0, 2), lambda: log(1, 1e6)),) for _ in range(9)], lambda x: mp.polylog(2, 1 - x).real
    yield 'dirichlet_eta', 0, [(lin(-4, 20),) for _ in range(6)] + [(1.0,)], mp.altzeta
    yield 'parabolic_d', 0, [(lin(-6, 6), lin(-4, 12)) for _ in range(14)] + [(3.0, 0.0)], mp.pcfd, lambda v, x: abs(mp.pcfd(v, -x)) * 0 + (abs(mp.pcfd(v, x)) if x > 1 else mp.hypot(mp.pcfd(v, x), mp.pcfd(v, -x)))
    df = lambda: either(lambda: lin(0.5, 9), lambda: log(1, 200))
    yield 'stdtr', 0, [(df(), lin(-30, 5)) for _ in range(7)], lambda v, t: student(v, t) if t < 0 else 1 - student(v, t)
    yield 'stdtrc', 0, [(df(), lin(-5, 30)) for _ in range(7)], lambda v, t: student(v, t) if t > 0 else 1 - student(v, t)
    f3 = lambda: [(df(), df(), log(1e-2, 1e2)) for _ in range(6)]
    yield 'fdtr', 0, f3(), lambda m, n, x: beta_below(m / 2, n / 2, m * x / (m * x + n))
    yield 'fdtrc', 0, f3(), lambda m, n, x: beta_below(n / 2, m / 2, n / (m * x + n))
    yield 'chdtr', 0, [(df(), log(1e-2, 1e2)) for _ in range(6)], lambda v, x: gamma_below(v / 2, x / 2)
    yield 'chdtrc', 0, [(df(), log(1e-2, 1e2)) for _ in range(6)], lambda v, x: gamma_above(v / 2, x / 2)
    yield 'gdtr', 0, [(log(0.1, 9), df(), log(1e-2, 1e2)) for _ in range(6)], lambda a, b, x: gamma_below(b, a * x)
    yield 'gdtrc', 0, [(log(0.1, 9), df(), log(1e-2, 1e2)) for _ in range(6)], lambda a, b, x: gamma_above(b, a * x)
    count = lambda: float(R.randint(0, 30))
    trials = lambda: [(k, k + 1 + R.randint(0, 20), lin(0.01, 0.99)) for k in (count() for _ in range(6))]
    yield 'bdtr', 0, trials(), lambda k, n, p: beta_above(k + 1, n - k, p)
    yield 'bdtrc', 0, trials(), lambda k, n, p: beta_below(k + 1, n - k, p)
    yield 'nbdtr', 0, trials(), lambda k, n, p: beta_below(n, k + 1, p)
    yield 'nbdtrc', 0, trials(), lambda k, n, p: beta_above(n, k + 1, p)
    yield 'pdtr', 0, [(count(), lin(0, 50)) for _ in range(6)], lambda k, m: gamma_above(k + 1, m)
    yield 'pdtrc', 0, [(count(), lin(0, 50)) for _ in range(6)], lambda k, m: gamma_below(k + 1, m)
    yield 'log_gammainc', 0, [(lin(0.1, 90), either(lambda: log(1e-20, 1), lambda: lin(0, 200))) for _ in range(9)], lambda a, x: mp.log1p(-gamma_above(a, x)) if gamma_below(a, x) > 0.5 else mp.log(gamma_below(a, x))
    yield 'log_gammaincc', 0, [(lin(0.1, 90), either(lambda: log(1, 1e5), lambda: lin(0, 200))) for _ in range(9)], lambda a, x: mp.log1p(-gamma_below(a, x)) if gamma_above(a, x) > 0.5 else mp.log(gamma_above(a, x))
    yield 'log_betainc', 0, [(lin(0.1, 90), lin(0.1, 90), either(lambda: log(1e-20, 1), lambda: lin(0, 1))) for _ in range(9)], lambda a, b, x: mp.log1p(-beta_above(a, b, x)) if beta_below(a, b, x) > 0.5 else mp.log(beta_below(a, b, x))
    yield 'log_betaincc', 0, [(lin(0.1, 90), lin(0.1, 90), either(lambda: 1 - log(1e-9, 1), lambda: lin(0, 1))) for _ in range(9)], lambda a, b, x: mp.log1p(-beta_below(a, b, x)) if beta_above(a, b, x) > 0.5 else mp.log(beta_above(a, b, x))
    yield 'log1pmx', 0, [(either(lambda: lin(-1, 3), lambda: log(1e-12, 1), lambda: -log(1e-12, 1)),) for _ in range(9)], lambda x: mp.log1p(x) - x
    yield 'poch', 0, [(lin(0.1, 40), lin(0.1, 40)) for _ in range(5)] + [(-2.5, 3.25), (-7.75, 2.5), (400.25, -3.5), (1e5, 2.0)], mp.rf
    close = lambda x: x * (1 + log(1e-9, 1))
    yield 'kl_div', 0, [(lin(0, 9), lin(0, 9)) for _ in range(5)] + [(x, close(x)) for x in (0.3, 2.5, 70.0)], lambda x, y: x * mp.log(x / y) - x + y
    yield 'huber', 0, [(lin(0, 3), lin(-5, 5)) for _ in range(6)], lambda d, r: r * r / 2 if abs(r) <= d else d * (abs(r) - d / 2)
    yield 'pseudo_huber', 0, [(log(1e-3, 1e3), lin(-5, 5)) for _ in range(6)] + [(1e200, 3.5), (1e-200, 3.5)], lambda d, r: r * r / (1 + mp.sqrt(1 + (r / d) ** 2))
    yield 'kolmogorov', 0, [(lin(0.1, 5),) for _ in range(9)] + [(0.85,), (0.8499999,), (14.5,), (0.05,)], \
        lambda x: 2 * mp.nsum(lambda k: -(-1) ** int(k) * mp.exp(-2 * k * k * x * x), [1, 400])
    # found by balls of Arb (bench/accuracy-special)
    yield 'kelvin_ker', 18, [(640.5,)], lambda x: kelvin(18, x, 2), lambda x: pair(18, x, 2)
    yield 'stdtr', 0, [(612.58464239632406, 1.9921502148493801e-07)], lambda v, t: mpf(1) / 2 + beta_below(mpf(1) / 2, v / 2, t * t / (v + t * t)) / 2
    yield 'beta', 0, [(1.8685557229739298e-259, 72.758865837478155)], mp.beta
    yield 'agm', 0, [(6.9088699457280394e-307, 4052204561.4050694)], mp.agm
    yield 'parabolic_d', 0, [(-98.0, 1.0)], mp.pcfd
    yield 'wright_omega', 0, [(-32.358493804931641,)], lambda x: mp.lambertw(mp.exp(x)).real
    yield 'cosine_integral', 0, [(1.2668339137924483e+33,)], lambda x: mp.ci(x), lambda x: 1 / x


def main():
    print('/* tests/data/integrals.inc - functions of agnesi/integrals.h by mpmath at 40 digits; made by make-integrals.py. Function,\n'
          '   attribute, arguments, value, amplitude (0: of the value itself). */')
    for name, k, points, f, *amplitude in rows():
        for x in points:
            at = [mpf(t) for t in x]
            v, a = f(*at), amplitude[0](*at) if amplitude else 0
            if v == 0 or 1e-290 < abs(v) < 1e290:
                print('    {"%s", %d, {%s}, %d, %r, %s},' % (name, k, ', '.join(repr(float(t)) for t in x), len(x), float(v), mpmath.nstr(mpf(a), 6)))


if __name__ == '__main__':
    main()
