#!/usr/bin/env python3
# make-hidden-states.py - answers for tests/t-hidden-states.c: sums and the largest term over all
# paths of hidden states; states of a linear Gaussian process by conditions in their joint law.
#   make-hidden-states.py >hidden-states.inc        (NumPy 2.4, SciPy 1.17)
import itertools
import numpy as np
from scipy import stats as S


def shares(a):
    return np.exp(a) / np.exp(a).sum(-1, keepdims=True)


def tell(name, a):
    a = np.asarray(a, float)
    print(f'static const double {name}[] = {{')
    for v in a.ravel():
        print(f'    {float(v)!r},')
    print('};')


print('/* made by make-hidden-states.py */')
first = np.array([0.2, -0.4, 0.9])
step = np.array([[1.0, 0.1, -0.5], [0.3, 0.8, 0.0], [-1.0, 0.4, 0.6]])
loc, scale = np.array([-1, 0.5, 2]), np.array([0.6, 1.1, 0.9])
x = np.array([0.7, -0.2, 1.1, 2.4, 1.9])
p, q, n = shares(first), shares(step), len(x)
for name, m in (('filtered', None), ('smoothed', n)):
    out = np.zeros((n, 3))
    for t in range(n):
        upto = m or t + 1
        for z in itertools.product(range(3), repeat=upto):
            w = p[z[0]] * np.prod([q[a, b] for a, b in zip(z, z[1:])])
            out[t, z[t]] += w * np.prod([S.norm(loc[k], scale[k]).pdf(v) for k, v in zip(z, x)])
        out[t] /= out[t].sum()
    tell(name, np.log(out))
weights = {}
for z in itertools.product(range(3), repeat=n):
    w = p[z[0]] * np.prod([q[a, b] for a, b in zip(z, z[1:])])
    weights[z] = w * np.prod([S.norm(loc[k], scale[k]).pdf(v) for k, v in zip(z, x)])
best = max(weights, key=weights.get)
tell('best_path', best)
print(f'static const double best_share = {float(weights[best] / sum(weights.values()))!r};')

m, P = np.array([0.4, -0.3]), np.array([[1.1, 0], [0.2, 0.8]])
F, Q = np.array([[0.9, 0.3], [-0.2, 0.7]]), np.array([[0.5, 0], [0.1, 0.4]])
H = np.array([[1.0, 0.5], [0.0, 1.0], [0.3, -0.4]])
R = np.array([[0.6, 0, 0], [0.1, 0.7, 0], [-0.2, 0.3, 0.5]])
seen = np.array([[0.3, -0.1, 0.8], [1.2, 0.4, -0.6], [-0.5, 0.9, 0.2], [0.7, -1.1, 0.1]])


def states(Q):
    # mean and covariance of all states, [n k] and [n k, n k]
    n, k = len(seen), len(m)
    A = np.eye(n * k)
    D = np.kron(np.eye(n), Q @ Q.T)
    D[:k, :k] = P @ P.T
    for i in range(1, n):
        A[i * k : (i + 1) * k] = np.hstack(
            [F @ A[(i - 1) * k : i * k, : i * k], np.zeros((k, (n - i) * k))]
        )
        A[i * k : (i + 1) * k, i * k : (i + 1) * k] = np.eye(k)
    return A @ np.concatenate([m, np.zeros((n - 1) * k)]), A @ D @ A.T


def given(Q, upto):
    mu, V = states(Q)
    h, r = np.kron(np.eye(len(seen))[:upto], H), np.kron(np.eye(upto), R @ R.T)
    K = V @ h.T @ np.linalg.inv(h @ V @ h.T + r)
    return mu + K @ (seen[:upto].ravel() - h @ mu), V - K @ h @ V


def blocks(V):
    return [V[2 * t : 2 * t + 2, 2 * t : 2 * t + 2] for t in range(len(seen))]


parts = [given(Q, t + 1) for t in range(len(seen))]
tell('filtered_mean', [a[0][2 * t : 2 * t + 2] for t, a in enumerate(parts)])
tell('filtered_covariance', [blocks(a[1])[t] for t, a in enumerate(parts)])
for name, noise in (('', Q), ('_still', 0 * Q)):
    mu, V = given(noise, len(seen))
    tell('smoothed_mean' + name, mu)
    tell('smoothed_covariance' + name, blocks(V))
tell('smoothed_lag', given(Q, len(seen))[1][0:2, 2:4])
