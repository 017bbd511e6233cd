#!/usr/bin/env python3
# make-noncentral.py - noncentral laws by their mixtures and by quadrature, Wright's function by its series, spheroidal functions by
# eigenvectors of their matrices, zeros by Newton's steps, derivatives of Fisher's and Student's laws: make-noncentral.py >
# noncentral.inc  (mpmath 1.4). A row: op, arguments, attributes, value; or function, arguments, whole numbers, value.
from mpmath import *

mp.dps = 40


def row(name, x, k, w):
    print(f'    {{"{name}", {len(x)}, {{{", ".join(repr(float(v)) for v in x) or 0}}}, {len(k)}, {{{", ".join(str(v) for v in k)}}}, {nstr(w, 20)}}},')


def fisher(m, n, x, upper=False):
    r = m * x / (m * x + n)
    return betainc(n / 2, m / 2, 0, n / (m * x + n), regularized=True) if upper else betainc(m / 2, n / 2, 0, r, regularized=True)
def fisher_density(m, n, x): return (m * x) ** (m / 2) * n ** (n / 2) / (m * x + n) ** ((m + n) / 2) / beta(m / 2, n / 2) / x
def student(n, t, upper=False):
    tail = betainc(n / 2, mpf(1) / 2, 0, n / (n + t * t), regularized=True) / 2
    return tail if (t < 0) != upper else 1 - tail
def student_density(n, t): return gamma((n + 1) / 2) / gamma(n / 2) / sqrt(n * pi) * (1 + t * t / n) ** (-(n + 1) / 2)


def central(law, a, b, v, kind):
    if law == 0:
        return (gammainc(a, 0, v, regularized=True), gammainc(a, v, inf, regularized=True), v ** (a - 1) * exp(-v) / gamma(a))[kind] if kind != 2 else v ** (a - 1) * exp(-v) / gamma(a)
    if kind == 2:
        return v ** (a - 1) * (1 + v) ** (-a - b) / beta(a, b)
    return betainc(a, b, 0, v / (1 + v), regularized=True) if kind == 0 else betainc(b, a, 0, 1 / (1 + v), regularized=True)
def noncentral(law, a, b, nc, v, kind):
    total, k = mpf(0), 0
    while True:
        t = exp(-nc / 2) * (nc / 2) ** k / factorial(k) * central(law, a + k, b, v, kind)
        total += t
        k += 1
        if k > nc and abs(t) < mpf(10) ** (-mp.dps - 5) * total:
            return total
def noncentral_t(n, nc, t, kind):
    part = (lambda z, s: ncdf(z), lambda z, s: ncdf(-z), lambda z, s: s * npdf(z))[kind]
    lead = (n / 2) ** (n / 2) / gamma(n / 2)
    h = mpf(1) / 40 / sqrt(1 + n / 2 + nc * nc)  # the trapezoidal rule converges exponentially
    return lead * h * fsum(part(t * exp(h * k / 2) - nc, exp(h * k / 2)) * exp(n / 2 * (h * k - exp(h * k))) for k in range(int(-max(160 / n, 40 / sqrt(n / 2)) / h), int(min(6, 20 / sqrt(n / 2)) / h)))


def wright(a, b, x, i=0, j=0, n=0):
    total, k, most = mpf(0), 0, mpf(0)
    while True:
        z = a * k + b + n * a
        t = x ** k / factorial(k) * (k + n) ** i * (diff(rgamma, z, i + j, h=mpf(10) ** -12) if i + j else rgamma(z))
        total += t
        most = max(most, abs(t))
        k += 1
        if abs(t) < mpf(10) ** -36 * most and k > 20:
            return total


def spheroidal(m, n, q):
    first, rows = m + (n - m) % 2, 30 + (n - m) // 2 + int(0.7 * sqrt(abs(q)))
    share = lambda l: mpf(l * l - m * m) / (4 * l * l - 1) if l > m else mpf(0)
    t = matrix(rows, rows)
    for r in range(rows):
        l = first + 2 * r
        t[r, r] = l * (l + 1) + q * (share(l) + share(l + 1))
        if r + 1 < rows:
            t[r, r + 1] = t[r + 1, r] = q * sqrt(share(l + 1) * share(l + 2))
    e, v = eigsy(t)
    index = sorted(range(rows), key=lambda k: e[k])[(n - m) // 2]
    return e[index], [v[r, index] for r in range(rows)], first
def legendre_norm(m, l, x): return sqrt(mpf(2 * l + 1) / 2 * factorial(l - m) / factorial(l + m)) * (-1) ** m * legenp(l, m, x)
def angular(m, n, q, x):
    e, v, first = spheroidal(m, n, q)
    f = lambda y: sum(c * legendre_norm(m, first + 2 * r, y) for r, c in enumerate(v))
    p = lambda y: (-1) ** m * legenp(n, m, y)
    if (n - m) % 2:
        return f(x) * diff(p, 0) / diff(f, 0)
    return f(x) * p(0) / f(mpf(0))


print('/* tests/data/noncentral.inc - made by make-noncentral.py: op or function, arguments, attributes, value */')
for n, t in ((3.5, 0.75), (0.25, -3.0), (1000.0, 1.5), (850.5, -4.0), (40.0, 0.125)):
    for kind in (0, 1, 2):
        f = student_density if kind == 2 else lambda u, v: student(u, v, kind == 1)
        for k in (0, 1, 2):
            mp.dps = 60
            w = f(mpf(n), mpf(t)) if k == 0 else diff(lambda u: f(u, mpf(t)), mpf(n), k, h=mpf(10) ** -14)
            mp.dps = 40
            row('student', (n, t), (kind, k), w)
for m, n, x in ((3.0, 7.5, 0.75), (0.75, 0.5, 2.0), (1.0, 950.0, 2.5), (700.0, 3.0, 0.5), (400.0, 600.0, 1.0625)):
    for kind in (0, 2):
        f = fisher_density if kind == 2 else fisher
        for i, j in ((0, 0), (1, 0), (0, 1), (1, 1), (0, 2)):
            mp.dps = 60
            w = f(mpf(m), mpf(n), mpf(x)) if i + j == 0 else diff(lambda u, v: f(u, v, mpf(x)), (mpf(m), mpf(n)), (i, j), h=mpf(10) ** -14)
            mp.dps = 40
            row('fisher', (m, n, x), (kind, i, j), w)
for law, a, b, nc, v in ((0, 1.5, 1.0, 3.0, 2.5), (0, 20.0, 1.0, 60.0, 35.0), (0, 0.5, 1.0, 0.125, 9.0), (0, 4.0, 1.0, 90.0, 6.0), (1, 2.5, 3.0, 4.0, 1.25),
                         (1, 0.5, 10.0, 30.0, 3.0), (1, 12.0, 0.75, 8.0, 20.0)):
    for kind, o in ((0, (0, 0, 0, 0)), (1, (0, 0, 0, 0)), (2, (0, 0, 0, 0)), (0, (0, 0, 1, 0)), (1, (0, 0, 2, 0)), (0, (1, 0, 0, 0)), (2, (0, 0, 1, 2)), (0, (0, law, 0, 0))):
        x = [mpf(u) for u in (a, b, nc, v)]
        mp.dps = 60
        f = lambda p, q, r, s: noncentral(law, p, q, r, s, kind)
        w = f(*x) if sum(o) == 0 else diff(f, tuple(x), o, h=mpf(10) ** -12)
        mp.dps = 40
        row('noncentral', (a, b, nc, v), (law, kind) + o, w)
mp.dps = 30
for n, nc, t in ((5.0, 1.5, 2.0), (2.5, -3.0, 4.0), (120.0, 6.0, -1.0), (0.75, 0.5, 30.0), (30.0, -4.0, -20.0)):
    for kind in (0, 1, 2):
        row('noncentral_t', (n, nc, t), (kind, 0, 0, 0), noncentral_t(mpf(n), mpf(nc), mpf(t), kind))
    for o in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
        row('noncentral_t', (n, nc, t), (0,) + o, diff(lambda u, v, s: noncentral_t(u, v, s, 0), (mpf(n), mpf(nc), mpf(t)), o, h=mpf(10) ** -8))
mp.dps = 60
for a, b, x in ((0.5, 1.0, 4.0), (1.0, 2.5, 30.0), (2.25, 0.0, 100.0), (0.0, 1.5, 3.0), (0.125, 40.0, 6.0)):
    for k in ((0, 0, 0, 0), (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 1), (2, 0, 0, 1), (0, 1, 1, 0)):
        kind, i, j, n = k
        w = wright(mpf(a), mpf(b), mpf(x), i, j, n)
        row('wright', (a, b, x), k, log(w) if kind == 1 else w / wright(mpf(a), mpf(b), mpf(x)) if kind == 2 else w)
mp.dps = 50
for m, n, q in ((0, 0, 1.0), (1, 3, 25.0), (0, 4, 900.0), (4, 9, -30.0), (2, 2, -4.0), (0, 10, 0.0), (3, 12, 2500.0)):
    row('spheroidal_value', (q,), (m, n, 0), spheroidal(m, n, mpf(q))[0])
    row('spheroidal_value', (q,), (m, n, 1), diff(lambda u: spheroidal(m, n, u)[0], mpf(q), h=mpf(10) ** -15))
    for x in (0.25, -0.875):
        row('spheroidal', (q, x), (m, n, 0, 0), angular(m, n, mpf(q), mpf(x)))
for i in (1, 2, 50):
    row('airy_zeros', (), (0, i), airyaizero(i))
    row('airy_zeros', (), (1, i), airyaizero(i, derivative=1))
    row('airy_zeros', (), (2, i), airybizero(i))
    row('airy_zeros', (), (3, i), airybizero(i, derivative=1))
    for kind, (f, start) in enumerate(((ber, 2.84892), (bei, 5.02622), (ker, 1.71854), (kei, 3.91467))):
        x = mpf(start)
        for _ in range(i - 1):
            x = findroot(lambda u: f(0, u), findroot(lambda u: f(0, u), x) + pi * sqrt(2))
        row('kelvin_zeros', (), (kind, i), findroot(lambda u: f(0, u), x))
