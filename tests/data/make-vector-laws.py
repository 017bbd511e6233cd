#!/usr/bin/env python3
# make-vector-laws.py - answers for tests/t-vector-laws.c: log density and entropy by SciPy, where it has the law; by the formulas of
# the papers in mpmath at 40 digits for LKJ (Lewandowski, Kurowicka & Joe 2009, 17) and the relaxed laws (Maddison & al. 2017, 1).
#   make-vector-laws.py >vector-laws.inc        (SciPy 1.17, mpmath 1.3)
import numpy as np
import mpmath as mp
from scipy import stats as S

mp.mp.dps = 40
print('/* made by make-vector-laws.py: law, its parameters in the order of the constructor, point, log density, entropy */')
F = mp.mpf


def text(v):
    return 'NONE' if v is None else repr(float(v))


def array(a):
    a = np.asarray(a, float)
    shape = list(a.shape) + [0] * (3 - a.ndim)
    return '{%d, {%s}, {%s}}' % (a.ndim, ', '.join(map(str, shape)), ', '.join(repr(float(v)) for v in a.ravel()))


def row(name, params, x, lp, h):
    params = list(params) + [0.0] * (3 - len(params))
    print('    {"%s", {%s},\n     %s, %s, %s},' % (name, ', '.join(map(array, params)), array(x), text(lp), text(h)))


def simplex(g): return np.exp(g) / np.exp(g).sum()


tril = np.array([[1.3, 0, 0], [-0.4, 0.9, 0], [0.8, 0.25, 1.7]])
cov = tril @ tril.T
loc = np.array([0.3, -1.2, 2.0])
x3 = np.array([0.9, 0.1, -0.7])
g = np.array([0.4, -1.1, 2.0, 0.3])

for n, x in ((11, [2, 1, 7, 1]), (0, [0, 0, 0, 0]), (4000, [600, 150, 2700, 550])):
    d = S.multinomial(n, simplex(g))
    lp = mp.loggamma(n + 1) + sum(k * mp.log(F(p)) - mp.loggamma(k + 1) for k, p in
                                  zip(x, [mp.exp(F(v)) / sum(mp.exp(F(u)) for u in g) for v in g]))
    row('multinomial', [n, g], x, lp, d.entropy() if n < 100 else None)
for n, a, x in ((11, [2.3, 0.7, 4.1], [5, 0, 6]), (0, [1.0, 2.0, 3.0], [0, 0, 0]), (3000, [60.0, 20.5, 0.01], [2200, 800, 0])):
    A = sum(map(F, a))
    lp = mp.loggamma(A) + mp.loggamma(n + 1) - mp.loggamma(n + A) + sum(
        mp.loggamma(k + F(c)) - mp.loggamma(F(c)) - mp.loggamma(k + 1) for k, c in zip(x, a))
    row('dirichlet_multinomial', [n, a], x, lp, None)
for N, K, n, x in ((50, 12, 20, 5), (9, 9, 4, 4), (9, 4, 0, 0), (1000000, 400000, 5000, 2043), (20, 15, 12, 7)):
    lp = mp.log(mp.binomial(K, x) * mp.binomial(N - K, n - x) / mp.binomial(N, n))
    q = [mp.binomial(K, j) * mp.binomial(N - K, n - j) / mp.binomial(N, n)
         for j in (range(max(0, n + K - N), min(n, K) + 1) if n < 100 else range(1000, 3000))]
    assert abs(sum(q) - 1) < 1e-30
    h = -sum(p * mp.log(p) for p in q)
    assert abs(h - S.hypergeom(N, K, n).entropy()) < 1e-9
    row('hypergeometric', [N, K, n], x, lp, h)
m = S.multivariate_normal(loc, cov)
row('multivariate_normal_covariance', [loc, cov], x3, m.logpdf(x3), m.entropy())
row('multivariate_normal_precision', [loc, np.linalg.inv(cov)], x3, m.logpdf(x3), m.entropy())
W, v = np.array([[1.0, 0.2], [-0.5, 1.1], [0.3, 0.4]]), np.array([0.5, 1.5, 0.8])
m = S.multivariate_normal(loc, W @ W.T + np.diag(v))
row('low_rank_normal', [loc, W, v], x3, m.logpdf(x3), m.entropy())
for df in (3.7, 0.9, 4e5):
    m = S.multivariate_t(loc, cov, df)
    # SciPy takes the difference of two logarithms of gamma
    z = mp.matrix(np.linalg.solve(tril, x3 - loc))
    with mp.workdps(40):
        q = sum(F(t) ** 2 for t in z)
        lp = mp.loggamma((F(df) + 3) / 2) - mp.loggamma(F(df) / 2) - F(3) / 2 * mp.log(F(df) * mp.pi) \
            - sum(mp.log(F(tril[i, i])) for i in range(3)) - (F(df) + 3) / 2 * mp.log1p(q / F(df))
    h = (F(df) + 3) / 2 * (mp.digamma((F(df) + 3) / 2) - mp.digamma(F(df) / 2)) - mp.loggamma((F(df) + 3) / 2) \
        + mp.loggamma(F(df) / 2) + F(3) / 2 * mp.log(F(df) * mp.pi) + sum(mp.log(F(tril[i, i])) for i in range(3))
    assert abs(h - m.entropy()) < 1e-6 or df > 100
    row('multivariate_student_t', [df, loc, tril], x3, lp, h)
for mu, k, x in ((0.4, 2.3, 1.9), (3.0, 0.01, -2.2), (-1.0, 900.0, -1.05)):
    m = S.vonmises(k, mu)
    lp = F(k) * mp.cos(F(x) - F(mu)) - mp.log(2 * mp.pi * mp.besseli(0, k))
    row('von_mises', [mu, k], x, lp, m.entropy())
for mu, k, x in (([0.6, 0.0, 0.8], 4.2, [0.0, 0.6, 0.8]), ([1.0, 0.0], 0.3, [-0.8, 0.6]),
                 ([0.5, 0.5, 0.5, 0.5], 300.0, [0.7, 0.5, 0.1, 0.5])):
    m = S.vonmises_fisher(mu, k)
    row('von_mises_fisher', [mu, k], x, m.logpdf(np.array(x)), m.entropy())
for a, t, x in ((0.4, 0.7, 0.31), (-2.0, 2.5, 0.9)):
    p, t, x = mp.exp(F(a)), F(t), F(x)
    lp = mp.log(t * p * x ** (-t - 1) * (1 - x) ** (-t - 1) / (p * x ** -t + (1 - x) ** -t) ** 2)
    row('relaxed_bernoulli', [a, float(t)], float(x), lp, None)
for t, x in ((0.7, [0.25, 0.0625, 0.5, 0.1875]), (3.0, [0.25, 0.0625, 0.5, 0.1875])):
    n = 4
    s = sum(mp.exp(F(a)) * F(c) ** -F(t) for a, c in zip(g, x))
    lp = mp.loggamma(n) + (n - 1) * mp.log(F(t)) + sum(F(a) - (F(t) + 1) * mp.log(F(c)) for a, c in zip(g, x)) - n * mp.log(s)
    row('relaxed_categorical', [g, t], x, lp, None)
R = np.array([[1.1, 0], [0.3, 0.7]])
M, X = np.array([[0.1, 0.2, 0.3], [-1, 0.4, 2]]), np.array([[0.5, -0.2, 1.3], [0, 0.9, 1]])
m = S.matrix_normal(M, R @ R.T, cov)
row('matrix_normal', [M, R, tril], X, m.logpdf(X), m.entropy())
P = np.array([[2.0, 0.3, -0.5], [0.3, 1.5, 0.2], [-0.5, 0.2, 3.0]])
for df in (4.3, 60.0):
    m = S.wishart(df, cov)
    row('wishart', [df, tril], P, m.logpdf(P), m.entropy())
    m = S.invwishart(df, cov)
    # SciPy 1.17 has (n + 1) / 2 log 2 where n (n + 1) / 2 log 2 is due (n = 1: the inverse gamma law)
    half = [(F(df) - i) / 2 for i in range(3)]
    gamma3 = 3 * mp.log(mp.pi) / 2 + sum(mp.loggamma(h) for h in half)
    h = gamma3 + 3 * F(df) / 2 + 2 * (2 * sum(mp.log(F(tril[i, i])) for i in range(3)) - 3 * mp.log(2)) \
        - (F(df) + 4) / 2 * sum(mp.digamma(v) for v in half)
    row('inverse_wishart', [df, tril], P, m.logpdf(P), h)
for eta in (1.0, 2.7, 0.6):
    d = 4
    L = np.linalg.cholesky(np.array([[1, 0.3, -0.2, 0.1], [0.3, 1, 0.4, 0], [-0.2, 0.4, 1, 0.5], [0.1, 0, 0.5, 1]]))
    L = L / np.sqrt((L * L).sum(1, keepdims=True))
    e = F(eta)
    unit = sum((2 * e - 2 + d - k) * (d - k) * mp.log(2) + (d - k) * mp.log(mp.beta(e + F(d - k - 1) / 2, e + F(d - k - 1) / 2))
               for k in range(1, d))
    lp = sum((2 * (e - 1) + d - 1 - i) * mp.log(F(L[i, i])) for i in range(1, d)) - unit
    row('lkj_cholesky', [d, eta], L, lp, None)
for mu, x in (([0.75, -1.5, 2.0], [0.0, 0.6, 0.8]), ([0.75, -1.5, 2.0], [0.0, 0.6, -0.8]), ([2.0, 0.5], [-0.8, 0.6]),
              ([30.0, 40.0], [0.6, 0.8]), ([30.0, 40.0], [-0.6, -0.8]), ([0.0, 0.0, 0.0], [1.0, 0.0, 0.0])):
    n, m, t = len(mu), [F(v) for v in mu], sum(F(a) * F(b) for a, b in zip(mu, x))
    top = (t + mp.sqrt(t * t + 4 * (n - 1))) / 2
    cuts = [0] + [top * k / 4 for k in range(1, 9)] + [top + k for k in (2, 5, 12, 30)]
    i = mp.quad(lambda r: r ** (n - 1) * mp.exp(-r * r / 2 + r * t), sorted(cuts))
    row('projected_normal', [mu], x, mp.log(i) - n * mp.log(2 * mp.pi) / 2 - sum(v * v for v in m) / 2, None)
for mu, k, x in (([0.6, 0.0, 0.8], 4.25, [0.0, 0.6, 0.8]), ([1.0, 0.0], 0.25, [-0.8, 0.6]),
                 ([0.5, 0.5, 0.5, 0.5], 300.0, [0.7, 0.5, 0.1, 0.5])):
    b = F(len(mu) - 1) / 2
    a, length = b + F(k), mp.sqrt(sum(F(v) ** 2 for v in x))
    unit = -((a + b) * mp.log(2) + b * mp.log(mp.pi) + mp.loggamma(a) - mp.loggamma(a + b))
    far = sum((F(u) / mp.sqrt(sum(F(v) ** 2 for v in mu)) - F(v)) ** 2 for u, v in zip(mu, x))
    row('power_spherical', [mu, k], x, unit + F(k) * mp.log(2 - far / 2), -unit - F(k) * (mp.log(2) + mp.digamma(a) - mp.digamma(a + b)))
for x in ([2, 0, 3, 1], [1, 3, 0, 2], [0, 1, 2, 3]):
    w = [mp.exp(F(v)) for v in g]
    lp = sum(mp.log(w[x[i]] / sum(w[j] for j in x[i:])) for i in range(4))
    row('plackett_luce', [g], x, lp, None)
