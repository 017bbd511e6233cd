#!/usr/bin/env python3
# make-series-laws.py - answers for tests/t-series-laws.c and tests/t-compound-laws.c: joint normal densities by SciPy, sums over all
# paths of hidden states, shares of truncated laws in mpmath at 40 digits.
#   make-series-laws.py        (SciPy 1.17, mpmath 1.3)
import itertools
import numpy as np
import mpmath as mp
from scipy import stats as S

x = np.array([0.7, -0.2, 1.1, 2.4, 1.9])
n = len(x)
t = np.arange(1, n + 1)
cov = 0.8 ** 2 * np.minimum.outer(t, t)
print('walk', repr(S.multivariate_normal(0.3 * t, cov).logpdf(x)))
c, past, lp = [0.6, -0.25], [0.4, 0.9], 0.0
y = past + list(x)
for i in range(n):
    lp += S.norm(c[0] * y[i + 1] + c[1] * y[i], 0.7).logpdf(x[i])
print('ar', repr(lp))


def shares(a): return np.exp(a) / np.exp(a).sum(-1, keepdims=True)


p, q = shares(np.array([0.2, -0.4, 0.9])), shares(np.array([[1.0, 0.1, -0.5], [0.3, 0.8, 0.0], [-1.0, 0.4, 0.6]]))
z = [2, 0, 0, 1, 2]
print('chain', repr(float(np.log(p[z[0]] * np.prod([q[a, b] for a, b in zip(z, z[1:])])))))
loc, scale = [-1.0, 0.5, 2.0], [0.6, 1.1, 0.9]
total = mp.mpf(0)
for z in itertools.product(range(3), repeat=n):
    w = mp.mpf(float(p[z[0]])) * mp.fprod(float(q[a, b]) for a, b in zip(z, z[1:]))
    total += w * mp.fprod(mp.npdf(v, loc[i], scale[i]) for v, i in zip(x, z))
print('hidden', repr(float(mp.log(total))))
m, P = np.array([0.4, -0.3]), np.array([[1.1, 0], [0.2, 0.8]])
F, Q = np.array([[0.9, 0.3], [-0.2, 0.7]]), np.array([[0.5, 0], [0.1, 0.4]])
H, R = np.array([[1.0, 0.5], [0.0, 1.0], [0.3, -0.4]]), np.array([[0.6, 0, 0], [0.1, 0.7, 0], [-0.2, 0.3, 0.5]])
seen = np.array([[0.3, -0.1, 0.8], [1.2, 0.4, -0.6], [-0.5, 0.9, 0.2], [0.7, -1.1, 0.1]])
N = len(seen)
mean, blocks = [], [[None] * N for _ in range(N)]
mu, V = m, P @ P.T
for i in range(N):
    if i:
        mu, V = F @ mu, F @ V @ F.T + Q @ Q.T
    mean.append(H @ mu)
    blocks[i][i] = H @ V @ H.T + R @ R.T
    C = V
    for j in range(i + 1, N):
        C = C @ F.T
        blocks[i][j] = H @ C @ H.T
        blocks[j][i] = blocks[i][j].T
print('space', repr(S.multivariate_normal(np.concatenate(mean), np.block(blocks)).logpdf(seen.ravel())))
A = np.array([[2.0, 0.6, 0.1], [0.6, 1.5, 0.4], [0.1, 0.4, 1.0]])
print('process', repr(S.multivariate_normal([0.3, -1.2, 2.0], A + 0.1 * np.eye(3)).logpdf([0.9, 0.1, -0.7])))
k = 6
T = 2.5 * np.eye(k) - np.eye(k, k=1) - np.eye(k, k=-1)
v = np.array([0.3, -0.5, 1.0, 0.2, -0.9, 0.4])
print('field', repr(S.multivariate_normal(np.full(k, 0.1), np.linalg.inv(T)).logpdf(v)))
mp.mp.dps = 40
w = [mp.exp(a) for a in (mp.mpf('0.2'), mp.mpf('-0.4'), mp.mpf('0.9'))]
for at in ('0.7', '-9', '30'):
    at = mp.mpf(at)
    u = [(at - mp.mpf(a)) / mp.mpf(b) for a, b in zip(('-1', '0.5', '2'), ('0.6', '1.1', '0.9'))]
    f = sum(a * mp.npdf(b) / mp.mpf(c) for a, b, c in zip(w, u, ('0.6', '1.1', '0.9'))) / sum(w)
    F_ = sum(a * mp.ncdf(b) for a, b in zip(w, u)) / sum(w)
    print('mixture', at, repr(float(mp.log(f))), repr(float(F_)))


def gamma_cdf(x): return mp.gammainc(mp.mpf('2.6'), 0, mp.mpf('1.7') * x, regularized=True)
def gamma_lp(x): return mp.log(mp.mpf('1.7')) + mp.mpf('1.6') * mp.log(mp.mpf('1.7') * x) - mp.mpf('1.7') * x - mp.loggamma(mp.mpf('2.6'))


for a, b, x in (('0.5', '3', '1.25'), ('9', '12', '10'), ('30', '1e4', '31')):
    a, b, x = map(mp.mpf, (a, b, x))
    mass = gamma_cdf(b) - gamma_cdf(a)
    print('truncated gamma', a, b, x, repr(float(gamma_lp(x) - mp.log(mass))), repr(float((gamma_cdf(x) - gamma_cdf(a)) / mass)))
pk = [mp.exp(-mp.mpf('3.9')) * mp.mpf('3.9') ** i / mp.factorial(i) for i in range(8)]
print('truncated Poisson 2 7 at 4', repr(float(mp.log(pk[4] / sum(pk[2:8])))), repr(float(sum(pk[2:5]) / sum(pk[2:8]))))
