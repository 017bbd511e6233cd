#! /usr/bin/env python3
"""Answers of NumPy, SciPy and PyTorch for tests/t-reduce-answers.c: writes reduce.inc.

    python3 make-reduce.py > reduce.inc

Each answer has a name; the test has the call of that name. Arrays below are the test's too.
"""
import sys
import warnings

import numpy as np
import scipy
import scipy.integrate
import scipy.spatial.distance as sd
import scipy.special
import torch

warnings.simplefilter('ignore')
nan, inf = np.nan, np.inf

X = np.array([[2, -1, 3.5, 0, 2], [1, 4, -2, 0.25, 7], [2, -1, -6, 3, 3]])
N = np.array([[nan, -1, 3.5, 0, 2], [1, nan, -2, nan, 7], [nan] * 5])
T = np.arange(24.0).reshape(2, 3, 4) % 7 - 2.5
I = np.array([[3, 0, 7, 3], [1, 3, 0, 7]])
P = np.array([0.5, 0.125, 2, 1.25, 0.75, 3])
Q = np.array([0, 0.1, 0.25, 0.5, 0.7, 1])
E = np.array([-1.0, 0, 0.5, 2, 2.5, 4])
W = np.array([1.0, 2, 0.5, 4, 1.5])
Z = np.array([[1 + 2j, -1, 0.5j], [2 - 1j, 3, -2 + 0.25j]])
B = np.array([[True, False, True], [True, True, True], [False, False, False]])
arrays = dict(X=X, N=N, T=T, I=I, P=P, Q=Q, E=E, W=W, Z=Z, B=B)

answers = []


def answer(name, value):
    answers.append((name, np.asarray(value)))


def each(name, f, *arrays_axes):
    for array, axis in arrays_axes:
        a = 'all' if axis is None else ','.join(map(str, axis if isinstance(axis, tuple) else (axis,)))
        answer('%s %s %s' % (name, array, a), f(arrays[array], axis))


lanes = [('X', None), ('X', 0), ('X', 1), ('T', (0, 2)), ('T', 1)]
each('all', lambda x, a: np.all(x, axis=a), ('B', 0), ('B', 1), ('X', 1), ('X', None))
each('any', lambda x, a: np.any(x, axis=a), ('B', 0), ('B', 1), ('X', 1), ('X', None))
each('count_nonzero', lambda x, a: np.count_nonzero(x, axis=a), ('B', 0), ('I', None), ('X', 1))
each('ptp', lambda x, a: np.ptp(x, axis=a), *lanes)
each('amax', lambda x, a: np.max(x, axis=a), *lanes)
each('amin', lambda x, a: np.min(x, axis=a), *lanes)
each('var', lambda x, a: np.var(x, axis=a), *lanes, ('Z', 0), ('I', 0))
each('std1', lambda x, a: np.std(x, axis=a, ddof=1), *lanes, ('Z', 1))
each('median', lambda x, a: np.median(x, axis=a), *lanes, ('N', 0), ('N', 1), ('I', 1))
nans = [('N', None), ('N', 0), ('N', 1)]
each('nansum', lambda x, a: np.nansum(x, axis=a), *nans)
each('nanmean', lambda x, a: np.nanmean(x, axis=a), *nans)
each('nanmax', lambda x, a: np.nanmax(x, axis=a), *nans)
each('nanmin', lambda x, a: np.nanmin(x, axis=a), *nans)
each('nanvar', lambda x, a: np.nanvar(x, axis=a), *nans)
each('nanstd1', lambda x, a: np.nanstd(x, axis=a, ddof=1), *nans)
each('nanmedian', lambda x, a: np.nanmedian(x, axis=a), *nans)
each('nanprod', lambda x, a: np.nanprod(x, axis=a), *nans)
each('nancumprod', lambda x, a: np.nancumprod(x, axis=a), ('N', 0), ('N', 1))
each('nanargmax', lambda x, a: np.nanargmax(x, axis=a), ('N', 0), ('T', 2))
each('nanargmin', lambda x, a: np.nanargmin(x, axis=a), ('N', 0), ('I', 1))
answer('nanpercentile', np.nanpercentile(N, [12.5, 80], axis=0, keepdims=True))
each('nancumsum', lambda x, a: np.nancumsum(x, axis=a), ('N', 0), ('N', 1))
methods = ['linear', 'lower', 'higher', 'midpoint', 'nearest']
for m in methods:
    each('quantile ' + m, lambda x, a: np.quantile(x, Q, axis=a, method=m), ('X', None), ('X', 1),
         ('T', (0, 2)), ('N', 0))
    each('nanquantile ' + m, lambda x, a: np.nanquantile(x, Q, axis=a, method=m), *nans)
answer('percentile', np.percentile(X, [12.5, 80], axis=0, keepdims=True))
answer('average axis', np.average(X, axis=1, weights=W))
answer('average whole', np.average(X, axis=0, weights=X * X))
answer('sum of i32 as i64', np.sum(I[:, :1].astype(np.int32), axis=1, dtype=np.int64))
answer('reduce_as', X.sum(axis=0, keepdims=True))
for offset in range(-4, 6):
    answer('trace %d' % offset, np.trace(T, offset, 1, 2))
answer('trace swapped', np.trace(T, 1, 2, 0))
answer('argmax of ties', np.argmax(T, axis=2))
answer('argmin of NaN', np.argmin(N, axis=1))

each('cumprod', lambda x, a: np.cumprod(x, axis=a), ('X', 0), ('X', 1), ('I', 1), ('Z', 1))
answer('cumprod exclusive', np.concatenate([np.ones((3, 1)), np.cumprod(X, 1)[:, :-1]], 1))
answer('cumprod reverse', np.cumprod(X[:, ::-1], 1)[:, ::-1])
answer('cumsum reverse', np.cumsum(X[::-1], 0)[::-1])
answer('cumsum exclusive', np.concatenate([np.zeros((3, 1)), np.cumsum(X, 1)[:, :-1]], 1))
answer('cumsum both', np.concatenate([np.cumsum(X[:, ::-1], 1)[:, ::-1][:, 1:], np.zeros((3, 1))], 1))
each('cummax', lambda x, a: np.maximum.accumulate(x, axis=a), ('X', 0), ('X', 1), ('N', 1))
each('cummin', lambda x, a: np.minimum.accumulate(x, axis=a), ('X', 0), ('X', 1), ('N', 1))
answer('logcumsumexp', np.logaddexp.accumulate(300 * X, axis=1))
answer('logcumsumexp reverse', np.logaddexp.accumulate(X[::-1], axis=0)[::-1])

answer('topk', torch.topk(torch.tensor(X), 2, 1).values)
answer('topk smallest', torch.topk(torch.tensor(P), 4, largest=False).indices)
answer('kthvalue', torch.kthvalue(torch.tensor(X), 2, 0).values)
answer('mode', torch.mode(torch.tensor(X), 1).values)
answer('lexsort', np.lexsort((P, np.array([1, 0, 1, 0, 0, 1]))))
answer('partition', np.sort(P))
for side in ('left', 'right'):
    answer('searchsorted ' + side, np.searchsorted(E, X, side))
    answer('searchsorted rows ' + side, torch.searchsorted(
        torch.tensor(np.sort(X, 1)), torch.tensor(X[:, ::-1].copy()), side=side))
    answer('searchsorted NaN ' + side, np.searchsorted(np.array([1, 2, nan, nan]), [2, nan, 3, 0], side))
answer('bucketize', torch.bucketize(torch.tensor(X), torch.tensor(E), right=True))
u = np.unique(I, return_index=True, return_inverse=True, return_counts=True)
for k, word in enumerate(['values', 'index', 'inverse', 'counts']):
    answer('unique ' + word, u[k])
answer('unique NaN', np.unique(N))
R = X[[0, 2, 0, 1, 2]]
u = np.unique(R, axis=0, return_index=True, return_inverse=True, return_counts=True)
for k, word in enumerate(['values', 'index', 'inverse', 'counts']):
    answer('unique rows ' + word, u[k])
answer('unique columns', np.unique(B, axis=1))
u = torch.unique_consecutive(torch.tensor([1, 1, 2, 2, 2, 1, 3, 3]), return_inverse=True, return_counts=True)
for k, word in enumerate(['values', 'inverse', 'counts']):
    answer('runs ' + word, u[k])
answer('runs of rows', torch.unique_consecutive(torch.tensor(X[[0, 0, 1, 0]]), dim=0))
answer('argwhere', np.argwhere(X > 1.5))
for k in range(2):
    answer('nonzero %d' % k, np.nonzero(I)[k])

answer('bincount', np.bincount(I.ravel()))
answer('bincount weights', np.bincount(I.ravel(), weights=np.arange(8) / 4, minlength=10))
answer('edges', np.histogram_bin_edges(X, 7))
answer('edges range', np.histogram_bin_edges(X, 5, (0, 3)))
answer('edges of one', np.histogram_bin_edges(np.full(3, 2.5), 4))
answer('edges of none', np.histogram_bin_edges([], 4))
answer('histogram', np.histogram(X, E)[0])
answer('histogram even', np.histogram(X, 6)[0])
answer('histogram weights', np.histogram(X, E, weights=X * X)[0])
answer('histogram density', np.histogram(X, E, density=True)[0])
pts = np.stack([X.ravel(), X[:, ::-1].ravel()], 1)
e2 = [E, np.array([-7.0, 0, 3.5])]
answer('histogramdd', np.histogramdd(pts, e2)[0])
answer('histogramdd density', np.histogramdd(pts, e2, density=True, weights=np.arange(15.0))[0])

for n in (0, 1, 2, 5):
    answer('diff %d' % n, np.diff(X, n, 1))
answer('diff around', np.diff(X, 2, 1, prepend=np.ones((3, 1)), append=np.zeros((3, 2))))
answer('diff of bools', np.diff(B, 1, 0))
for k in (1, 2):
    answer('gradient %d' % k, np.gradient(X, 0.5, axis=1, edge_order=k))
    answer('gradient uneven %d' % k, np.gradient(X, np.cumsum(W), axis=1, edge_order=k))
answer('gradient ends', np.gradient(X[:2], axis=0))
answer('trapezoid', np.trapezoid(X, axis=0))
answer('trapezoid uneven', np.trapezoid(X, np.cumsum(W), axis=1))
answer('trapezoid of pairs', np.trapezoid(X, np.cumsum(X * X, 1), axis=1))
answer('cumulative_trapezoid', scipy.integrate.cumulative_trapezoid(X, np.cumsum(W), axis=1))
answer('interp', np.interp(np.append(X, nan), E, P))
answer('interp one', np.interp([1.0, 3], [2.0], [5.0]))
answer('polyval', np.polyval(P, X))
answer('polyval of nothing', np.polyval([], X))

for p in (0, 0.5, 1, 2, 3, inf, -inf):
    answer('norm %g' % p, np.linalg.norm(X, p, axis=1))
    answer('norm complex %g' % p, np.linalg.norm(Z, p, axis=0))
for p in (0.5, 1, 2, 3, inf):
    f = 'chebyshev' if p == inf else 'minkowski'
    kw = {} if p == inf else dict(p=p)
    answer('cdist %g' % p, sd.cdist(X, X[:2] + 0.5, f, **kw))
    answer('pdist %g' % p, sd.pdist(X, f, **kw))
    answer('dist %g' % p, np.linalg.norm((X[0] - X[1:]).ravel(), p))
answer('renorm', torch.renorm(torch.tensor(X), 2, 0, 1e9))
m = np.linalg.norm(X, axis=1, keepdims=True)
answer('renorm capped', X * np.minimum(1, 5 / m))


def number(v):
    v = float(v)
    if v != v:
        return 'NAN_'
    if np.isinf(v):
        return 'INF_' if v > 0 else '-INF_'
    return repr(int(v)) if v == int(v) and abs(v) < 1e9 else repr(v)


def flat(a):
    a = np.asarray(a)
    if np.iscomplexobj(a):
        a = np.stack([a.real, a.imag], -1)
    return [number(v) for v in a.ravel()]


def lines(words, indent='    '):
    out, line = [], indent
    for w in words:
        if len(line) + len(w) + 2 > 88:
            out.append(line.rstrip())
            line = indent
        line += w + ', '
    return '\n'.join(out + [line.rstrip()])


dtypes = {'b': 'AGN_BOOL', 'i': 'AGN_I64', 'u': 'AGN_I64', 'f': 'AGN_F64', 'c': 'AGN_C128'}
print('/* Written by make-reduce.py with NumPy %s, SciPy %s, PyTorch %s. */'
      % (np.__version__, scipy.__version__, torch.__version__.split('+')[0]))
for name, a in arrays.items():
    print('static const double in_%s[] = {\n%s\n};' % (name, lines(flat(a))))
pool, rows = [], []
for name, a in answers:
    v = flat(a)
    shape = ', '.join(map(str, a.shape)) or '0'
    rows.append('    {"%s", %s, %d, {%s}, %d},' % (name, dtypes[a.dtype.kind], a.ndim, shape, len(pool)))
    pool += v
print('static const double pool[] = {\n%s\n};' % lines(pool))
print('static const answer answers[] = {\n%s\n};' % '\n'.join(rows))
