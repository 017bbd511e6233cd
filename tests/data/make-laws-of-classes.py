#!/usr/bin/env python3
# make-laws-of-classes.py - answers for tests/t-laws-of-classes.c by mpmath at 400 digits: log density,
# cdf and survival with their logarithms; mean, variance, mode, entropy.
#   make-laws-of-classes.py >laws-of-classes.inc
import mpmath as mp

mp.mp.dps = 400
F = mp.mpf


def ordered(f):
    def law(p, q):
        e = [c - p[0] for c in q]
        left = [F(0)] + [f(v) for v in e] + [F(1)]
        right = [F(1)] + [f(-v) for v in e] + [F(0)]
        n = len(e) + 1
        mass = [left[k + 1] - left[k] if left[k] < 0.5 else right[k] - right[k + 1] for k in range(n)]
        return [(F(k), mass[k], left[k + 1], right[k + 1]) for k in range(n)], mass

    return law


def poisson_binomial(p, q):
    mass = [F(1)]
    for v in p:
        mass = [
            (mass[k] * (1 - v) if k < len(mass) else 0) + (mass[k - 1] * v if k else 0)
            for k in range(len(mass) + 1)
        ]
    n = len(mass)
    return [(F(k), mass[k], sum(mass[: k + 1]), sum(mass[k + 1 :], F(0))) for k in range(n)], mass


def hurdle_poisson(p, q):
    g, r = p[0], q[0]
    mass = [g]
    for k in range(1, 400):
        mass.append((1 - g) * mp.exp(-r) * r**k / mp.factorial(k) / -mp.expm1(-r))
    return [(F(k), mass[k], sum(mass[: k + 1]), sum(mass[k + 1 :])) for k in (0, 1, 2, 5, 40, 130)], mass


def hurdle_gamma(p, q):
    g, a, b = p[0], q[0], F('1.25')
    rows = [(F(0), g, g, 1 - g)]
    for x in (F('1e-5'), F('0.3'), F(2), F(60)):
        f = (1 - g) * b**a * x ** (a - 1) * mp.exp(-b * x) / mp.gamma(a)
        s = (1 - g) * mp.gammainc(a, b * x, mp.inf, regularized=True)
        rows.append((x, f, g + (1 - g) * mp.gammainc(a, 0, b * x, regularized=True), s))
    m, v = a / b, a / b**2
    return rows, ((1 - g) * m, (1 - g) * (v + g * m * m), None, None)


def wrapped_cauchy(p, q):
    m, r = p[0], q[0]

    def f(x):
        return (1 - r * r) / (2 * mp.pi * (1 + r * r - 2 * r * mp.cos(x - m)))

    def share(a, b):  # turns of the point r of the disc
        k = (1 + r) / (1 - r)
        turn = [mp.floor((x - m + mp.pi) / (2 * mp.pi)) for x in (a, b)]
        g = [mp.atan(k * mp.tan((x - m) / 2)) / mp.pi for x in (a, b)]
        return g[1] - g[0] + turn[1] - turn[0]

    rows = [
        (x, f(x), share(-mp.pi, x), share(x, mp.pi))
        for x in map(F, ('-3.125', '-2', '-0.5', '0.4375', '0.5', '1.75', '3.140625'))
    ]
    at = m - 2 * mp.pi * mp.floor((m + mp.pi) / (2 * mp.pi))
    return rows, (at, 1 - r, at, mp.log(2 * mp.pi * (1 - r * r)))


def probit(v):
    return mp.erfc(-v / mp.sqrt(2)) / 2


def logit(v):
    return 1 / (1 + mp.exp(-v))


cuts = [-1.75, -0.5, 0.25, 2.5]
laws = [
    ('ordered_logistic', ordered(logit), [([0.375], cuts), ([60.5], cuts), ([-800], cuts), ([0.25], [0.125])]),
    ('ordered_probit', ordered(probit), [([0.375], cuts), ([14.5], cuts), ([-30], cuts), ([0.25], [0.125])]),
    (
        'poisson_binomial',
        poisson_binomial,
        [([0.25, 0.5, 0.875, 0.0625], []), ([0.375], []), ([2.0**-60, 2.0**-200, 2.0**-900, 0.625], [])],
    ),
    ('wrapped_cauchy', wrapped_cauchy, [([0.4375], [0.625]), ([-9.5], [0.0078125]), ([0.5], [1 - 2.0**-30])]),
    ('hurdle_poisson', hurdle_poisson, [([0.25], [3.875]), ([0.75], [2.0**-20]), ([0.0], [9.5])]),
    ('hurdle_gamma', hurdle_gamma, [([0.25], [2.625]), ([0.5], [0.375])]),
]


def text(v):
    if v is None:
        return 'NONE'
    v = float(v)
    return ('-' if v < 0 else '') + '(double)INFINITY' if mp.isinf(v) else repr(v)


def log(v, rest):
    return -mp.inf if v <= 0 else mp.log(v) if v < 0.5 else mp.log1p(-rest)


def numbers(v):
    return '{' + ', '.join([str(len(v))] + [repr(float(x)) for x in v]) + '}'


print('/* made by make-laws-of-classes.py: law, parameters, point, log density, cdf, survival, log cdf,')
print('   log survival; mean, variance, mode, entropy */')
for name, law, sets in laws:
    for p, q in sets:
        rows, mass = law([F(v) for v in p], [F(v) for v in q])
        head = f'{name}, L({", ".join(map(repr, p))}), {len(p)}, L({", ".join(map(repr, q)) or "0"}), {len(q)}'
        for x, f, c, s in rows:
            lp = mp.log(f) if f > 0 else -mp.inf
            print(f'POINT({head}, {text(x)}, {text(lp)}, {text(c)}, {text(s)}, {text(log(c, s))}, {text(log(s, c))})')
        if isinstance(mass, list):
            m = mp.fsum(k * v for k, v in enumerate(mass))
            var = mp.fsum((k - m) ** 2 * v for k, v in enumerate(mass))
            h = -mp.fsum(v * mp.log(v) for v in mass if v > 0)
            mode = max(range(len(mass)), key=lambda k: mass[k])
            mass = (m, var, None, None) if 'hurdle' in name else (m, var, mode, h)
        print(f'MOMENT({head}, {", ".join(map(text, mass))})')
