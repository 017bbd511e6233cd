#! /usr/bin/env python3
"""An independent judge of derivatives: evaluates programs printed as text (graph/program/print.c) by
its own definitions of the ops at 80 digits, takes derivatives by differences, and compares
them with what the library computed. Shares no rule with the library. Needs mpmath.

    python3 judge.py FILE [TOLERANCE]
"""
import functools
import itertools
import math
import multiprocessing
import os
import sys

try:
    import mpmath
    from mpmath import mp, mpf
except ImportError:
    print('no mpmath')
    sys.exit(77)

mp.dps = 80
STEP = mpf(10) ** -20   # first and second differences: error 1e-40
FINE = mpf(10) ** -8    # of the polynomial through 9 points: order 5 to 1e-30
ORDERS = 5
ZERO, ONE = mpf(0), mpf(1)


# ---- element-wise ops, from their definitions -----------------------------------------------

def sign(x):
    return (x > 0) - (x < 0)


def floor_divide(a, b):
    return mp.floor(a / b)


def pow_(a, b):
    return ONE if b == 0 else mp.power(a, b)


def sigmoid(x):
    return 1 / (1 + mp.exp(-x))


def lower_gamma(a, x):
    return mp.gammainc(a, 0, x, regularized=True)


def gamma_density(a, x):
    return mp.power(x, a - 1) * mp.exp(-x) / mp.gamma(a)


def beta_share(a, b, x):
    """by the series in x or in 1 - x, whichever is shorter"""
    if (a + b) * x > a:
        return 1 - mp.betainc(b, a, 0, 1 - x, regularized=True)
    return mp.betainc(a, b, 0, x, regularized=True)


def beta_density(a, b, x):
    return mp.power(x, a - 1) * mp.power(1 - x, b - 1) / mp.beta(a, b)


def refined(x, f, slope):
    """the root of f near x, by Newton's steps: each doubles its digits"""
    for _ in range(20):
        step = f(x) / slope(x)
        x -= step
        if abs(step) < abs(x) * mpf(10) ** (-mp.dps // 2 - 5):
            return x
    raise ValueError('no root near %s' % mpmath.nstr(x))


@functools.lru_cache(maxsize=20000)
def rough_gamma_root(a, p):
    """of doubles, to some digits; of its logarithm, so that no step leaves the domain"""
    with mp.workdps(15):
        return mp.exp(mp.findroot(lambda t: lower_gamma(a, mp.exp(t)) - p, mp.log(a)))


@functools.lru_cache(maxsize=20000)
def rough_beta_root(a, b, p):
    with mp.workdps(15):
        return mp.findroot(lambda x: beta_share(a, b, x) - p, (mpf('1e-6'), 1 - mpf('1e-6')), solver='anderson')


def gamma_inverse(a, p):
    return refined(rough_gamma_root(float(a), float(p)), lambda x: lower_gamma(a, x) - p,
                   lambda x: gamma_density(a, x))


def beta_inverse(a, b, p):
    return refined(rough_beta_root(float(a), float(b), float(p)), lambda x: beta_share(a, b, x) - p,
                   lambda x: beta_density(a, b, x))


UNARY = {
    'neg': lambda x: -x, 'abs': abs, 'square': lambda x: x * x, 'reciprocal': lambda x: 1 / x,
    'sqrt': mp.sqrt, 'rsqrt': lambda x: 1 / mp.sqrt(x), 'exp': mp.exp,
    'exp2': lambda x: mp.power(2, x), 'expm1': lambda x: mp.exp(x) - 1, 'log': mp.log,
    'log2': lambda x: mp.log(x) / mp.log(2), 'log10': lambda x: mp.log(x) / mp.log(10),
    'log1p': lambda x: mp.log(1 + x), 'sin': mp.sin, 'cos': mp.cos, 'tan': mp.tan,
    'asin': mp.asin, 'acos': mp.acos, 'atan': mp.atan, 'sinh': mp.sinh, 'cosh': mp.cosh,
    'tanh': mp.tanh, 'asinh': mp.asinh, 'acosh': mp.acosh, 'atanh': mp.atanh, 'erf': mp.erf,
    'erfc': mp.erfc, 'lgamma': lambda x: mp.log(abs(mp.gamma(x))), 'digamma': mp.digamma,
    'sigmoid': sigmoid, 'softplus': lambda x: mp.log(1 + mp.exp(x)),
    'relu': lambda x: x if x > 0 else ZERO,
    'gelu': lambda x: x * (1 + mp.erf(x / mp.sqrt(2))) / 2,
    'sign': lambda x: mpf(sign(x)), 'floor': mp.floor, 'ceil': mp.ceil, 'round': mp.nint,
    'trunc': lambda x: mp.floor(x) if x > 0 else mp.ceil(x),
    'isnan': lambda x: bool(mp.isnan(x)), 'isfinite': lambda x: bool(mp.isfinite(x)),
    'cbrt': lambda x: mp.cbrt(x), 'logit': lambda x: mp.log(x / (1 - x)),
    'deg2rad': lambda x: x * mp.pi / 180, 'rad2deg': lambda x: x * 180 / mp.pi,
    'erfinv': mp.erfinv, 'ndtr': lambda x: mp.erfc(-x / mp.sqrt(2)) / 2,
    'ndtri': lambda x: mp.sqrt(2) * mp.erfinv(2 * x - 1),
    'log_ndtr': lambda x: mp.log(mp.erfc(-x / mp.sqrt(2)) / 2),
    'entr': lambda x: -x * mp.log(x), 'frac': lambda x: x - UNARY['trunc'](x),
    'exponent': lambda x: mp.floor(mp.log(abs(x), 2)) + 1 if x != 0 else ZERO,
    'isinf': lambda x: bool(mp.isinf(x)), 'isposinf': lambda x: x == mp.inf,
    'isneginf': lambda x: x == -mp.inf, 'isreal': lambda x: True, 'signbit': lambda x: x < 0,
    'logical_not': lambda x: not x, 'copy': lambda x: x, 'stop_gradient': lambda x: x,
    'watch': lambda x: x,
}
BINARY = {
    'add': lambda a, b: a + b, 'sub': lambda a, b: a - b, 'mul': lambda a, b: a * b,
    'mulz': lambda a, b: ZERO if a == 0 or b == 0 else a * b, 'div': lambda a, b: a / b,
    'pow': pow_, 'atan2': mp.atan2, 'hypot': lambda a, b: mp.sqrt(a * a + b * b),
    'div_z': lambda a, b: a / b if b != 0 else ZERO,
    'atan2_d': lambda a, b: a / (a * a + b * b) if a != 0 or b != 0 else ZERO,
    'reciprocal_z': lambda a, b: b / (a * a) if a != 0 else ZERO,
    'maximum': lambda a, b: a if a >= b else b, 'minimum': lambda a, b: a if a <= b else b,
    'remainder': lambda a, b: a - b * mp.floor(a / b), 'floor_divide': floor_divide,
    'fmax': lambda a, b: a if a >= b else b, 'fmin': lambda a, b: a if a <= b else b,
    'fmod': lambda a, b: a - b * UNARY['trunc'](a / b),
    'copysign': lambda a, b: abs(a) if b >= 0 else -abs(a),
    'ldexp': lambda a, b: a * mpf(2) ** int(UNARY['trunc'](b)),
    'heaviside': lambda a, b: b if a == 0 else ONE if a > 0 else ZERO,
    'xlogy': lambda a, b: a * mp.log(b), 'xlog1py': lambda a, b: a * mp.log(1 + b),
    'rel_entr': lambda a, b: a * mp.log(a / b),
    'logaddexp': lambda a, b: mp.log(mp.exp(a) + mp.exp(b)),
    'logaddexp2': lambda a, b: mp.log(mpf(2) ** a + mpf(2) ** b) / mp.log(2),
    'zeta': mp.zeta, 'pow_log': lambda a, b: mp.power(a, b) * mp.log(a),
    'pow_log2': lambda a, b: mp.power(a, b) * mp.log(a) ** 2,
    'gammainc': lower_gamma, 'gammaincc': lambda a, x: 1 - lower_gamma(a, x), 'gamma_d': gamma_density,
    'gammaincinv': gamma_inverse, 'gammainccinv': lambda a, q: gamma_inverse(a, 1 - q),
    'nextafter': lambda a, b: a, 'logical_xor': lambda a, b: bool(a) != bool(b),
    'first_max': lambda a, b: a >= b, 'first_min': lambda a, b: a <= b,
    'eq': lambda a, b: a == b, 'ne': lambda a, b: a != b, 'lt': lambda a, b: a < b,
    'le': lambda a, b: a <= b, 'gt': lambda a, b: a > b, 'ge': lambda a, b: a >= b,
    'logical_and': lambda a, b: bool(a) and bool(b),
    'logical_or': lambda a, b: bool(a) or bool(b),
}

TERNARY = {
    'betainc': beta_share, 'betaincc': lambda a, b, x: 1 - beta_share(a, b, x), 'beta_d': beta_density,
    'betaincinv': beta_inverse, 'betainccinv': lambda a, b, q: beta_inverse(a, b, 1 - q),
    'lerp': lambda a, b, w: a + w * (b - a),
}


# with an order attribute
ORDERED = {
    'polygamma': lambda n, x: mp.polygamma(n, x),
    'sinc': lambda n, x: sinc_derivative(n, mp.pi * x) * mp.pi ** n,
    'erfcx': lambda n, x: erfcx_derivative(n, x),
    'bessel_i': lambda n, x: mp.besseli(n, x),
    'bessel_ie': lambda n, x: mp.besseli(n, x) * mp.exp(-abs(x)),
}


def sinc_derivative(n, z):
    """the power series, term by term, with the digits that its terms lose"""
    with mp.workdps(mp.dps + int(abs(z)) + 5):
        total, k = ZERO, (n + 1) // 2
        while True:
            t = (-1) ** k * mp.power(z, 2 * k - n) / ((2 * k + 1) * mp.factorial(2 * k - n))
            total += t
            if abs(t) < mpf(10) ** -mp.dps and k > n + abs(z):
                return total
            k += 1


def erfcx_derivative(n, x):
    """p_n(x) erfcx(x) + q_n(x): y' = 2 x y - 2/sqrt(pi), differentiated n - 1 times"""
    y = [mp.exp(x * x) * mp.erfc(x)]
    for k in range(n):
        y.append(2 * x * y[k] + (2 * k * y[k - 1] if k else -2 / mp.sqrt(mp.pi)))
    return y[n]


# an element that did not change has the value it had
CHEAP = {'neg', 'abs', 'square', 'sign', 'relu', 'copy', 'stop_gradient', 'watch', 'add', 'sub', 'mul', 'mulz', 'div',
         'maximum', 'minimum', 'fmax', 'fmin', 'lerp', 'reciprocal'}
for table in UNARY, BINARY, TERNARY, ORDERED:
    for op in table.keys() - CHEAP:
        table[op] = functools.lru_cache(maxsize=20000, typed=True)(table[op])


# ---- places: an array is a list of its elements, row by row ------------------------------------

def size(shape):
    return math.prod(shape)


def steps(shape):
    out, n = [], 1
    for d in reversed(shape):
        out.insert(0, n)
        n *= d
    return out


def places(shape):
    return itertools.product(*(range(d) for d in shape))


def at(place, shape):
    return sum(i * s for i, s in zip(place, steps(shape)))


def spread(shape, to):
    """for each element of the broadcast shape, the element it comes from"""
    pad = len(to) - len(shape)
    return [at([0 if d == 1 else i for i, d in zip(p[pad:], shape)], shape) for p in places(to)]


def joined(*shapes):
    n = max(map(len, shapes))
    full = [[1] * (n - len(s)) + list(s) for s in shapes]
    return [max(d) if 0 not in d else 0 for d in zip(*full)]


# ---- ops that move and sum: each returns a function of the arguments' elements -------------------

def picked(source):
    return lambda x: [x[i] for i in source]


def op_permute(shapes, ints, out):
    n, rank = len(ints), len(shapes[0])
    axes = list(range(rank - n)) + [rank + a for a in ints]
    source = []
    for p in places(out):
        q = [0] * rank
        for i, a in zip(p, axes):
            q[a] = i
        source.append(at(q, shapes[0]))
    return picked(source)


def triples(ints, rank):
    t = [ints[i:i + 3] for i in range(0, len(ints), 3)]
    return [None] * (rank - len(t)) + t


def op_slice(shapes, ints, out):
    t = triples(ints, len(out))
    return picked([at([i if k is None else k[0] + i * k[1] for i, k in zip(p, t)], shapes[0])
                   for p in places(out)])


def op_unslice(shapes, ints, out):
    t = triples(ints, len(out))
    to = [at([i if k is None else k[0] + i * k[1] for i, k in zip(p, t)], out)
          for p in places(shapes[0])]

    def run(x):
        y = [ZERO] * size(out)
        for v, i in zip(x, to):
            y[i] = v
        return y
    return run


def op_slice_put(shapes, ints, out):
    t = triples(ints, len(out))
    to = [at([i if k is None else k[0] + i * k[1] for i, k in zip(p, t)], out)
          for p in places(shapes[1])]

    def run(x, v):
        y = list(x)
        for u, i in zip(v, to):
            y[i] = u
        return y
    return run


def op_concat(shapes, ints, out):
    axis = ints[0] + len(out)
    source = []
    for p in places(out):
        i, k = p[axis], 0
        while i >= shapes[k][axis]:
            i -= shapes[k][axis]
            k += 1
        source.append((k, at(p[:axis] + (i,) + p[axis + 1:], shapes[k])))
    return lambda *x: [x[k][i] for k, i in source]


def indexed(x, idx, axis, batch):
    """places of x and of the picked array that belong together, as a function of the indices"""
    axis += len(x)
    picked_shape = x[:axis] + idx[batch:] + x[axis + 1:]
    rows = []
    for p in places(picked_shape):
        m = len(idx) - batch
        k = at(p[:batch] + p[axis:axis + m], idx)
        rows.append((k, p[:axis], p[axis + m:]))

    def locate(values):
        out = []
        for k, head, tail in rows:
            i = int(values[k])
            out.append(at(head + (i + x[axis] if i < 0 else i,) + tail, x))
        return out
    return locate


def op_gather(shapes, ints, out):
    locate = indexed(shapes[0], shapes[1], ints[0], ints[1])
    return lambda x, idx: [x[i] for i in locate(idx)]


def scatter(add):
    def op(shapes, ints, out):
        locate = indexed(shapes[0], shapes[1], ints[0], ints[1])

        def run(x, idx, v):
            y = list(x)
            for i, u in zip(locate(idx), v):
                y[i] = y[i] + u if add else u
            return y
        return run
    return op


def op_sum(shapes, ints, out):
    gone = {a + len(shapes[0]) for a in ints[1:]}
    kept = [d for d in range(len(shapes[0])) if d not in gone]
    left = [shapes[0][d] for d in kept]
    to = [at([p[d] for d in kept], left) for p in places(shapes[0])]

    def run(x):
        y = [ZERO] * size(left)
        for v, i in zip(x, to):
            y[i] += v
        return y
    return run


def lanes(shape, axis):
    """the elements along an axis, lane by lane"""
    axis += len(shape)
    rest = shape[:axis] + shape[axis + 1:]
    return [[at(p[:axis] + (i,) + p[axis:], shape) for i in range(shape[axis])]
            for p in places(rest)]


def op_cumsum(shapes, ints, out):
    rows = lanes(shapes[0], ints[0])

    def run(x):
        y = [ZERO] * len(x)
        for row in rows:
            total = ZERO
            for i in (reversed(row) if ints[1] else row):
                total += x[i]
                y[i] = total
        return y
    return run


def lane_op(along):
    """an op that makes each lane of its arguments into a lane as long"""
    def op(shapes, ints, out):
        rows = lanes(shapes[0], ints[0])

        def run(*x):
            y = [ZERO] * len(x[0])
            for row in rows:
                order = row[::-1] if len(ints) > 1 and ints[1] else row
                for i, v in zip(order, along(*([a[i] for i in order] for a in x))):
                    y[i] = v
            return y
        return run
    return op


def recurrence(a, b):
    y = [b[0]]
    for f, v in zip(a[1:], b[1:]):
        y.append(f * y[-1] + v)
    return y


def softmax(x):
    return [mp.exp(v) / mp.fsum(map(mp.exp, x)) for v in x]


def logcumsumexp(x):
    return [mp.log(mp.fsum(map(mp.exp, x[:k + 1]))) for k in range(len(x))]


def op_sort(shapes, ints, out):
    rows = lanes(shapes[0], ints[0])

    def run(x):
        y = [ZERO] * len(x)
        for row in rows:
            for i, v in zip(row, sorted((x[i] for i in row), reverse=bool(ints[1]))):
                y[i] = v
        return y
    return run


def op_argcummax(shapes, ints, out):
    rows = lanes(shapes[0], ints[0])
    best = min if ints[1] else max

    def run(x):
        y = [0] * len(x)
        for row in rows:
            v = [x[i] for i in row]
            for k, i in enumerate(row):
                y[i] = v.index(best(v[:k + 1]))
        return y
    return run


def folded(fold):
    """a reduction over axes"""
    def op(shapes, ints, out):
        gone = {a + len(shapes[0]) for a in ints[1:]}
        kept = [d for d in range(len(shapes[0])) if d not in gone]
        left = [shapes[0][d] for d in kept]
        to = [at([p[d] for d in kept], left) for p in places(shapes[0])]

        def run(x):
            y = [[] for _ in range(size(left))]
            for v, i in zip(x, to):
                y[i].append(v)
            return [fold(v) for v in y]
        return run
    return op


def logsumexp(x):
    return mp.log(mp.fsum(map(mp.exp, x)))


def squared_deviation(x):
    return mp.fsum((v - mp.fsum(x) / len(x)) ** 2 for v in x)


def op_searchsorted(shapes, ints, out):
    n, m = shapes[0][-1], size(shapes[1]) // max(1, size(shapes[0][:-1]))
    before = (lambda a, v: a <= v) if ints[0] else (lambda a, v: a < v)
    return lambda rows, x: [sum(before(a, v) for a in rows[k // m * n:k // m * n + n])
                            for k, v in enumerate(x)]


def op_argmax(shapes, ints, out):
    rows = lanes(shapes[0], ints[0])
    best = min if ints[2] else max

    def run(x):
        y = []
        for row in rows:
            v = [x[i] for i in row]
            y.append(v.index(best(v)))
        return y
    return run


def op_argsort(shapes, ints, out):
    rows = lanes(shapes[0], ints[0])

    def run(x):
        y = [0] * len(x)
        for row in rows:
            order = sorted(range(len(row)), key=lambda i: -x[row[i]] if ints[1] else x[row[i]])
            for place, k in zip(row, order):
                y[place] = k
        return y if len(ints) == 2 else op_slice([shapes[0]], window, out)(y)
    if len(ints) == 4:
        window = [ints[2], 1, ints[3]]
        for d in shapes[0][len(shapes[0]) + ints[0] + 1:]:
            window += [0, 1, d]
    return run


def op_matmul(shapes, ints, out):
    a, b = shapes
    k = a[-1]
    pa, pb = len(out) - len(a), len(out) - len(b)
    terms = []
    for p in places(out):
        head = p[:-2]
        ha = [0 if d == 1 else i for i, d in zip(head[max(pa, 0):], a[:-2])]
        hb = [0 if d == 1 else i for i, d in zip(head[max(pb, 0):], b[:-2])]
        terms.append([(at(ha + [p[-2], j], a), at(hb + [j, p[-1]], b)) for j in range(k)])
    return lambda x, y: [mp.fsum(x[i] * y[j] for i, j in t) for t in terms]


def op_conv(shapes, ints, out):
    part, groups, axes = ints[0], ints[1], [ints[i:i + 4] for i in range(2, len(ints), 4)]
    d, given = len(axes), [r for r in range(3) if r != part]
    shape = dict(zip(given, shapes))
    shape[part] = out
    sizes, lead = [shape[r][-d:] for r in range(3)], out[:-d - 2]
    (images, _), (made, deep) = shape[0][-d - 2:-d], shape[1][-d - 2:-d]
    terms = {p: [] for p in places(out)}
    for o, q in itertools.product(places(sizes[2]), places(sizes[1])):
        pixel = [a * s + b * w - z for a, b, (_, s, z, w) in zip(o, q, axes)]
        if any(i < 0 or i >= n for i, n in zip(pixel, sizes[0])):
            continue
        for head, n, j, i in itertools.product(places(lead), range(images), range(made), range(deep)):
            own = [[n, j // (made // groups) * deep + i] + pixel, [j, i] + list(q), [n, j] + list(o)]
            full = [[0 if m == 1 else h for h, m in zip(head[len(lead) - len(shape[r]) + d + 2:], shape[r][:-d - 2])]
                    + own[r] for r in range(3)]
            terms[tuple(full[part])].append([at(full[r], shape[r]) for r in given])
    terms = list(terms.values())
    return lambda x, y: [mp.fsum(x[i] * y[j] for i, j in t) for t in terms]


MOVES = {
    'permute': op_permute, 'slice': op_slice, 'unslice': op_unslice, 'slice_put': op_slice_put, 'concat': op_concat,
    'gather': op_gather, 'scatter_add': scatter(True), 'scatter_put': scatter(False),
    'sum': op_sum,
    'sum_compensated': lambda shapes, ints, out: op_sum(shapes, [0, -1], out),
    'max': folded(max), 'min': folded(min), 'amax': folded(max), 'amin': folded(min), 'logsumexp': folded(logsumexp), 'argmax': op_argmax,
    'squared_deviation': lambda shapes, ints, out: folded(squared_deviation)(
        shapes, [0] + ints, out),
    'cumsum': op_cumsum, 'softmax': lane_op(softmax), 'recurrence': lane_op(recurrence), 'argcummax': op_argcummax,
    'logcumsumexp': lane_op(logcumsumexp), 'sort': op_sort, 'argsort': op_argsort,
    'argsort_window': op_argsort, 'searchsorted': op_searchsorted,
    'matmul': op_matmul, 'conv': op_conv, 'reshape': lambda shapes, ints, out: list,
    'broadcast_to': lambda shapes, ints, out: picked(spread(shapes[0], out)),
}


def compiled(op, shapes, ints, out, dtype):
    """a function from lists of elements to one"""
    if op == 'cast':
        if dtype[0] == 'f':
            return lambda x: [mpf(v) for v in x]
        if dtype == 'bool':
            return lambda x: [bool(v) for v in x]
        return lambda x: [int(v) for v in x]
    if op in ORDERED:
        g = ORDERED[op]
        return lambda x: [g(ints[0], v) for v in x]
    if op in UNARY:
        f = UNARY[op]
        return lambda x: [f(v) for v in x]
    if op in BINARY:
        f = BINARY[op]
        pairs = list(zip(spread(shapes[0], out), spread(shapes[1], out)))
        return lambda x, y: [f(x[i], y[j]) for i, j in pairs]
    if op in TERNARY:
        h = TERNARY[op]
        threes = list(zip(*(spread(s, out) for s in shapes)))
        return lambda x, y, z: [h(x[i], y[j], z[k]) for i, j, k in threes]
    if op == 'where':
        t = list(zip(*(spread(s, out) for s in shapes)))
        return lambda c, x, y: [x[i] if c[k] else y[j] for k, i, j in t]
    if op in MOVES:
        return MOVES[op](shapes, ints, out)
    raise KeyError('op %s is not known to the judge' % op)


# ---- programs ---------------------------------------------------------------------------------------

def shape_of(text):
    return [int(d) for d in text.strip('[]').split(',') if d]


def number(text, dtype):
    return mpf(float.fromhex(text)) if dtype[0] == 'f' else int(text)


class Program:
    def __init__(self):
        self.shape, self.value, self.code, self.result, self.inputs = {}, {}, [], [], []

    def line(self, words):
        if words[0] in ('input', 'constant'):
            v = int(words[1])
            self.shape[v] = shape_of(words[3])
            if words[0] == 'input':
                self.inputs.append(v)
            else:
                self.value[v] = [number(w, words[2]) for w in words[4:]]
        elif words[0] == 'node':
            eq, colon, semi = words.index('='), words.index(':'), words.index(';')
            assert eq == 2, 'one result per node'
            v, op = int(words[1]), words[3]
            args = [int(w) for w in words[4:colon]]
            ints = [int(w) for w in words[colon + 1:semi]]
            self.shape[v] = shape_of(words[-1])
            f = compiled(op, [self.shape[a] for a in args], ints, self.shape[v], words[-2])
            self.code.append((v, f, args))
        elif words[0] == 'result':
            self.result.append(int(words[1]))

    def __call__(self, xs):
        return self.values(xs)[self.result[0]][0]

    def values(self, xs):
        val = dict(self.value)
        for v, x in zip(self.inputs, xs):
            val[v] = x
        for v, f, args in self.code:
            val[v] = f(*(val[a] for a in args))
        return val

    def at(self, xs):
        """the result near xs: a function of what to replace inputs by; values that do not depend
        on a replaced input, and values that the result does not depend on, are not computed again"""
        base, needed, codes = self.values(xs), {self.result[0]}, {}
        for v, _, args in reversed(self.code):
            if v in needed:
                needed.update(args)

        def code_of(replaced):
            if replaced not in codes:
                changed = {self.inputs[i] for i in replaced}
                code = []
                for v, f, args in self.code:
                    if v in needed and not changed.isdisjoint(args):
                        changed.add(v)
                        code.append((v, f, args))
                codes[replaced] = code
            return codes[replaced]

        def result(new):
            val = dict(base)
            for i, x in new.items():
                val[self.inputs[i]] = x
            for v, f, args in code_of(tuple(sorted(new))):
                val[v] = f(*(val[a] for a in args))
            return val[self.result[0]][0]
        return result


def moved(xs, t, vs):
    return [[a + t * b for a, b in zip(x, v)] for x, v in zip(xs, vs)]


def stepped(x, j, t):
    return [a + t if k == j else a for k, a in enumerate(x)]


def jet(f, xs, vs):
    """Taylor coefficients of f(x + t v), by the polynomial through 9 points (Newton's form),
    and what rounding within f is amplified by: the largest |c_k|^(1/k), k = 1, 2, 3, of any
    value (where a function saturates, tanh y with y large, 1 - y^2 is rounding alone), and
    the largest slope of any value."""
    n, mid = 9, 4
    t = [(k - mid) * FINE for k in range(n)]
    vals = [f.values(moved(xs, s, vs)) for s in t]
    rate = slope = ONE
    for v, _, _ in f.code:
        for i, x0 in enumerate(vals[mid][v]):
            if not isinstance(x0, mpf):
                break
            m2, m1, p1, p2 = (vals[mid + k][v][i] for k in (-2, -1, 1, 2))
            slope = max(slope, abs(p1 - m1) / (2 * FINE))
            rate = max(rate, slope,
                       mp.sqrt(abs(p1 - 2 * x0 + m1) / 2) / FINE,
                       mp.cbrt(abs(p2 - 2 * p1 + 2 * m1 - m2) / 12) / FINE)
    c = [v[f.result[0]][0] for v in vals]
    for k in range(1, n):
        for i in range(n - 1, k - 1, -1):
            c[i] = (c[i] - c[i - 1]) / (t[i] - t[i - k])
    poly = [ZERO] * n
    for k in range(n - 1, -1, -1):
        poly = [c[k] - t[k] * poly[0]] + [poly[i - 1] - t[k] * poly[i] for i in range(1, n)]
    return poly[:ORDERS + 1], rate, slope


class Case:
    def __init__(self, name):
        self.name, self.f, self.x, self.v, self.have = name, Program(), [], [], []

    def judge(self, tolerance):
        xs, vs, f, worst, bad = self.x, self.v, self.f, 0.0, []
        slots = [(i, j) for i, x in enumerate(xs) for j in range(len(x))]
        along, rate, slope = jet(f, xs, vs)
        fact = [mp.factorial(k) for k in range(ORDERS + 1)]
        grad, hvp = [], []
        near = [f.at(moved(xs, t, vs)) for t in (ZERO, STEP, -STEP)]
        for i, j in slots:
            here, ahead, behind = (g({i: stepped(x[i], j, STEP)}) - g({i: stepped(x[i], j, -STEP)})
                                   for g, x in ((near[0], xs), (near[1], moved(xs, STEP, vs)),
                                                (near[2], moved(xs, -STEP, vs))))
            grad.append(here / (2 * STEP))
            hvp.append((ahead - behind) / (4 * STEP * STEP))
        want = {'value': [f(xs)], 'gradient': grad, 'hvp': hvp, 'jet': along,
                'third': [along[3] * fact[3]]}
        order = {'value': 0, 'gradient': 1, 'hvp': 2, 'jet': 0, 'third': 3}
        for kind, values in self.have:
            if len(values) != len(want[kind]):
                bad.append('%s has %d numbers, not %d' % (kind, len(values), len(want[kind])))
                continue
            largest = max(abs(v) for v in want[kind])
            for k, (a, b) in enumerate(zip(values, want[kind])):
                power = k if kind == 'jet' else order[kind]
                error = float(abs(a - b) / (slope * max(rate ** power, largest)))
                if not error <= tolerance:
                    bad.append('%s[%d] is %s, not %s: error %.1e'
                               % (kind, k, mpmath.nstr(a, 17), mpmath.nstr(b, 17), error))
                worst = max(worst, error)
        return worst, bad


def parsed(lines):
    case = None
    for words in map(str.split, lines):
        if words[0] == 'case':
            case = Case(words[1])
        elif words[0] in ('at', 'along'):
            (case.x if words[0] == 'at' else case.v).append(
                [mpf(float.fromhex(w)) for w in words[1:]])
        elif words[0] in ('value', 'gradient', 'hvp', 'jet', 'third'):
            case.have.append((words[0], [mpf(float.fromhex(w)) for w in words[1:]]))
        else:
            case.f.line(words)
    return case


def verdict(job):
    lines, tolerance = job
    try:
        case = parsed(lines)
        error, bad = case.judge(tolerance)
    except (ArithmeticError, KeyError, ValueError, TypeError) as e:
        error, bad = math.inf, [repr(e)]
    return lines[0].split()[1], error, bad


def cases(text, tolerance):
    lines = []
    for line in text:
        if line.strip() == 'end':
            yield lines, tolerance
            lines = []
        else:
            lines.append(line)


def main():
    tolerance = float(sys.argv[2]) if len(sys.argv) > 2 else 1e-12
    n, worst = 0, (0.0, 'none')
    with open(sys.argv[1]) as text, multiprocessing.Pool(min(4, os.cpu_count() or 1)) as workers:
        for name, error, bad in workers.imap_unordered(verdict, cases(text, tolerance), 4):
            n += 1
            worst = max(worst, (error, name))
            for b in bad[:3]:
                print('bad', name, b)
    print('judged %d programs, worst relative error %.1e by %s' % (n, *worst))


if __name__ == '__main__':
    main()
