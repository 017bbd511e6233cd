#! /usr/bin/env python3
# make-expectations.py - moments, entropies and modes of laws without formulas for them, for
# tests/t-laws-of-probability.c: quadrature, sums and roots of the densities by mpmath with 30 digits.
import mpmath as mp

mp.mp.dps = 30
F = mp.mpf


def rice(n, s):
    return lambda x: x / s**2 * mp.exp(-((x - n) ** 2) / (2 * s * s)) * mp.besseli(0, x * n / s**2) * mp.exp(-x * n / s**2)


def noncentral_chi2(k, l):
    return lambda x: (
        mp.exp(-(x + l) / 2) / 2 * (x / 2) ** (k / 2 - 1) * mp.hyp0f1(k / 2, l * x / 4) / mp.gamma(k / 2)
    )


def prime(a, b, l):  # of the quotient of both parts
    return lambda y: (
        mp.exp(-l / 2) / mp.beta(a, b) * y ** (a - 1) / (1 + y) ** (a + b) * mp.hyp1f1(a + b, a, l / 2 * y / (1 + y))
    )


def noncentral_f(m, n, l):
    g = prime(m / 2, n / 2, l)
    return lambda x: m / n * g(m / n * x)


def noncentral_beta(a, b, l):
    return lambda x: (
        mp.exp(-l / 2) / mp.beta(a, b) * x ** (a - 1) * (1 - x) ** (b - 1) * mp.hyp1f1(a + b, a, l / 2 * x)
    )


def noncentral_t(v, l):
    def f(x):
        w = v + x * x
        z = l * l * x * x / (2 * w)
        head = mp.gamma(v + 1) * v ** (v / 2) * mp.exp(-l * l / 2) / (2**v * w ** (v / 2) * mp.gamma(v / 2))
        one = mp.sqrt(2) * l * x * mp.hyp1f1(v / 2 + 1, F(3) / 2, z) / (w * mp.gamma((v + 1) / 2))
        return head * (one + mp.hyp1f1((v + 1) / 2, F(1) / 2, z) / (mp.sqrt(w) * mp.gamma(v / 2 + 1)))

    return f


def gompertz(c, r):
    return lambda x: c * r * mp.exp(r * x - c * mp.expm1(r * x))


def integral(f, places):
    return mp.quad(f, places)


def peak(f, guess):
    return mp.findroot(lambda x: mp.diff(lambda y: mp.log(f(y)), x), guess, tol=1e-18)


def row(law, p, what, v):
    p = [*p, 0, 0, 0, 0][:4]
    print(f'EXPECT({law}, {", ".join(repr(float(a)) for a in p)}, ITS_{what}, {mp.nstr(v, 17)})')


HALF = [mp.exp(k) for k in (-90, -40, -20, -10, -6, -4, -3, -2, -1, 0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6)]
WIDE = [*HALF, mp.exp(8), mp.exp(12), mp.exp(20), mp.exp(30), mp.exp(40), mp.exp(60)]
UNIT = [F(0), F(1) / 10**12, F(1) / 10**6, F(1) / 1000, *[F(k) / 20 for k in range(1, 20)], 1 - F(1) / 1000, 1 - F(1) / 10**6, F(1)]
REAL = [-v for v in reversed(WIDE)] + [F(0)] + WIDE


def surprise(f):
    def g(x):
        p = mp.re(f(x))
        return -p * mp.log(p) if p > 0 else F(0)

    return g


def continuous(name, make, sets, places, guesses):
    for p, guess in zip(sets, guesses):
        f = make(*map(F, p))
        mass = integral(f, places)
        assert abs(mass - 1) < 1e-14, (name, p, mass)
        row(name, p, 'ENTROPY', integral(surprise(f), places))
        if guess is not None:
            row(name, p, 'MODE', guess if guess == 0 else peak(f, guess))


print('/* made by make-expectations.py: law, parameters, what it is, its value */')
continuous('rice', rice, [(1.9, 1.3), (0.02, 3), (40, 1)], [*HALF[:16], 20, 30, 35, 38, 40, 42, 45, 50, 60], [None] * 3)
continuous('noncentral_chi2', noncentral_chi2, [(3.5, 2.25), (0.75, 40), (60, 0.125), (2.125, 3)],
           [*HALF, 1000], [2.0, 0, 58.0, 1.0])
continuous('noncentral_f', noncentral_f, [(3.5, 25, 2.25), (8, 9, 30), (2.5, 1.5, 4)], WIDE, [0.9, 3.0, 0.5])
continuous('noncentral_beta', noncentral_beta, [(2.25, 3.5, 2.25), (2.5, 12, 60), (2, 1.5, 0)], UNIT, [0.4, 0.6, 0.66])
continuous('noncentral_t', noncentral_t, [(7.5, 0.75), (30, -4), (1.5, 3)], REAL, [0.7, -4.0, 2.0])

for loc, scale in ((0, 1), (-0.25, 1.75)):
    row('stable', (1, 0, loc, scale), 'ENTROPY', mp.log(4 * mp.pi * F(scale)))
    row('stable', (2, 0, loc, scale), 'ENTROPY', (1 + mp.log(4 * mp.pi)) / 2 + mp.log(F(scale)))
    row('stable', (0.5, 1, loc, scale), 'MODE', F(loc) + F(scale) / 3)
    row('stable', (1.5, 0, loc, scale), 'MODE', F(loc))

for p in ((0.2, 1.4), (3, 0.2), (1e-5, 2)):
    f = gompertz(*map(F, p))
    places = [F(0), *[mp.exp(k) for k in range(-12, 4)], 24, 28, 34]
    if p[0] == 1e-5:
        places = [F(0), *[F(k) / 4 for k in range(1, 40)]]
    m = integral(lambda x: x * f(x), places)
    row('gompertz', p, 'VARIANCE', integral(lambda x: (x - m) ** 2 * f(x), places))


def counts(name, mass, p, n=None):
    """All masses to n; without n 4000 of them and Euler's and Maclaurin's formula from there."""
    mass = (lambda g: lambda k: g(*map(F, p), F(k)))(mass)
    last = n if n is not None else 3999
    q = [mass(k) for k in range(last + 1)]

    def total(g):
        s = mp.fsum(g(k, v) for k, v in enumerate(q) if v > 0)
        if n is None and q[-1] > F(10) ** -40:
            f = lambda x: g(x, mass(x))
            a = F(last) + F(1) / 2
            far = mp.quad(lambda t: f(a + mp.exp(t)) * mp.exp(t), [-30, -10, 0, 5, 8, 10, 12, 15, 20, 30, 60])
            s += far + mp.diff(f, a, h=F(1) / 100) / 24
        return s

    assert abs(total(lambda k, v: v) - 1) < 1e-14, (name, p)
    return q, total


def beta_binomial(n, a, b, k):
    return mp.binomial(n, k) * mp.beta(k + a, n - k + b) / mp.beta(a, b)


def beta_negative_binomial(r, a, b, k):
    return mp.exp(
        mp.loggamma(r + k) - mp.loggamma(k + 1) - mp.loggamma(r) + mp.loggamma(r + a) + mp.loggamma(b + k)
        - mp.loggamma(r + a + b + k) - mp.loggamma(a) - mp.loggamma(b) + mp.loggamma(a + b)
    )


def discrete_weibull(q, b, k):
    s = -(k**b if k else F(0)) * mp.log(q)
    return mp.exp(-s) * -mp.expm1(s + (k + 1) ** b * mp.log(q))


for p in ((12, 2.3, 0.7), (500, 40, 90), (0, 2, 3), (514, 0.5, 0.75), (517, 0.25, 3), (3000, 0.5, 0.5), (3000, 300, 2)):
    q, total = counts('beta_binomial', beta_binomial, p, p[0])
    row('beta_binomial', p, 'ENTROPY', total(lambda k, v: -v * mp.log(v)))
for p in ((3.3, 4.1, 1.7), (2, 1.5, 40), (0.25, 0.75, 2), (50, 60, 900)):
    q, total = counts('beta_negative_binomial', beta_negative_binomial, p)
    row('beta_negative_binomial', p, 'ENTROPY', total(lambda k, v: -v * mp.log(v)))
    for k in (0, 1, 9, 60, 900):
        row('beta_negative_binomial', p, f'CDF({k})', mp.fsum(q[: k + 1]))
for p in ((0.7, 1.2), (0.99, 0.4), (0.1, 3), (0.9999, 2)):
    q, total = counts('discrete_weibull', discrete_weibull, p)
    m = total(lambda k, v: k * v)
    row('discrete_weibull', p, 'MEAN', m)
    row('discrete_weibull', p, 'VARIANCE', total(lambda k, v: (k - m) ** 2 * v))
    row('discrete_weibull', p, 'ENTROPY', total(lambda k, v: -v * mp.log(v)))
    row('discrete_weibull', p, 'MODE', F(max(range(len(q)), key=lambda k: q[k])))
