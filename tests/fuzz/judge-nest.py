#! /usr/bin/env python3
"""The independent judge of nested transforms: evaluates programs that tests/fuzz/program.c
prints, by its own definitions of the ops (tests/judge.py and below) at 80 digits, and takes
the derivatives of a word of transforms by differences. Shares no rule with the library but
the convention at kinks: what was chosen at the point stays chosen, of equals the first.

    python3 judge-nest.py FILE
"""
import itertools
import math
import multiprocessing
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from judge import (  # noqa: E402
    BINARY, MOVES, ORDERED, TERNARY, UNARY, ONE, STEP, ZERO, at, compiled, indexed, lanes, mp, mpf,
    places, shape_of, size, spread)

mpc = mp.mpc
CLOSE = mpf(10) ** -11  # two numbers closer than this, and not equal, may change places in f64


# ---- choices: made once at the point, kept while derivatives are taken ---------------------------

class Choices:
    """a list per path through lanes and turns of loops; the first run at a path writes it"""

    def __init__(self):
        self.made, self.close, self.list, self.at = {}, False, [], None

    def start(self, path):
        self.at = 0 if path in self.made else None
        self.list = self.made.setdefault(path, [])

    def keep(self, decide):
        if self.at is None:
            self.list.append(decide())
            return self.list[-1]
        self.at += 1
        return self.list[self.at - 1]

    def near(self, a, b):
        """notes numbers so close, or equal by luck of rounding, that f64 may order them otherwise"""
        d = abs(a - b)
        if d > CLOSE * max(1, abs(a)):
            return
        if d == 0 and all(not isinstance(x, mpf) or mpf(float(x)) == x for x in (a, b)):
            return
        self.close = True


DERIVATIVES = 'FRVJALKHO'  # letters of first or second order, each along the next direction
CHOICES = Choices()
keep, near = CHOICES.keep, CHOICES.near


def ordered(a, b):
    near(a, b)
    return (a > b) - (a < b)


def negative(x):
    """the sign bit, which a zero has too, but not here"""
    CHOICES.close |= x == 0
    return ordered(x, 0) < 0


def truth(x):
    """is it not zero?"""
    if not isinstance(x, (bool, int)):
        near(abs(x), ZERO)
    return x != 0


def equal(a, b):
    if isinstance(a, mpc) or isinstance(b, mpc):
        near(abs(a - b), ZERO)
        return a == b
    return ordered(a, b) == 0


def sign_of(x):
    return keep(lambda: ordered(x, 0))


def whole(step, x):
    """floor and its kin, kept"""
    def decide():
        near(x, mp.nint(2 * x) / 2)
        return step(x)
    return keep(decide)


def absolute(x):
    if isinstance(x, mpc):
        return ZERO if keep(lambda: x == 0) else mp.sqrt(x.real * x.real + x.imag * x.imag)
    return sign_of(x) * x


def quotient(a, b):
    if isinstance(a, int) and isinstance(b, int):
        return keep(lambda: a // b)
    return whole(mp.floor, a / b)


def truncated(a, b):
    if isinstance(a, int) and isinstance(b, int):
        return keep(lambda: (abs(a) // abs(b)) * (1 if (a < 0) == (b < 0) else -1))
    return whole(UNARY['trunc'], a / b)


def of_two(better):
    return lambda a, b: a if keep(lambda: better(ordered(a, b))) else b


def power(a, b):
    if isinstance(a, int) and isinstance(b, int):
        return a ** b
    return ONE if b == 0 and a == 0 else mp.power(a, b)


def parity(x):
    return x if isinstance(x, bool) else int(x)


def exponent(x):
    """which jumps at powers of 2"""
    e = UNARY['exponent'](x)
    for power in (e - 1, e):
        near(abs(x), mp.ldexp(ONE, int(power)))
    return e


LONG = 1 << 64


SMOOTH = {  # of one element, where judge.py knows them not or for real numbers alone
    'abs': absolute, 'relu': lambda x: x if sign_of(x) > 0 else 0 * x,
    'conj': lambda x: mp.conj(x), 'real': lambda x: mp.re(x), 'imag': lambda x: mp.im(x),
    'frac': lambda x: x - whole(UNARY['trunc'], x),
    'complex': lambda a, b: mpc(a, b),
    'maximum': of_two(lambda d: d >= 0), 'minimum': of_two(lambda d: d <= 0),
    'fmax': of_two(lambda d: d >= 0), 'fmin': of_two(lambda d: d <= 0),
    'remainder': lambda a, b: a - b * quotient(a, b), 'fmod': lambda a, b: a - b * truncated(a, b),
    'copysign': lambda a, b: a * sign_of(a) * (-1 if keep(lambda: negative(b)) else 1),
    'ldexp': lambda a, b: a * mpf(2) ** int(whole(UNARY['trunc'], b)),
    'heaviside': lambda a, b: {-1: ZERO, 0: b, 1: ONE}[sign_of(a)],
    'pow': power, 'mulz': lambda a, b: a * b,
}
KEPT = {  # whole numbers and truths: nothing flows through them
    'eq': equal, 'ne': lambda a, b: not equal(a, b),
    'lt': lambda a, b: ordered(a, b) < 0, 'le': lambda a, b: ordered(a, b) <= 0,
    'gt': lambda a, b: ordered(a, b) > 0, 'ge': lambda a, b: ordered(a, b) >= 0,
    'first_max': lambda a, b: ordered(a, b) >= 0, 'first_min': lambda a, b: ordered(a, b) <= 0,
    'sign': lambda x: ordered(x, 0), 'signbit': negative,
    'logical_and': lambda a, b: truth(a) & truth(b), 'logical_or': lambda a, b: truth(a) | truth(b),
    'logical_xor': lambda a, b: truth(a) != truth(b), 'logical_not': lambda x: not truth(x),
    'isreal': lambda x: not truth(mp.im(x)), 'isnan': lambda x: False, 'isinf': lambda x: False,
    'isfinite': lambda x: True, 'isposinf': lambda x: False, 'isneginf': lambda x: False,
    'floor_divide': lambda a, b: a // b if isinstance(a, int) and isinstance(b, int)
    else whole_now(mp.floor, a / b),
    'nextafter': lambda a, b: mpf(math.nextafter(float(a), float(b))),
    'exponent': exponent, 'stop_gradient': lambda x: x,
    'bitwise_not': lambda x: not x if isinstance(x, bool) else ~x,
    'bitwise_and': lambda a, b: a & b, 'bitwise_or': lambda a, b: a | b,
    'bitwise_xor': lambda a, b: a ^ b, 'left_shift': lambda a, b: a * 2 ** b,
    'right_shift': lambda a, b: a >> b, 'popcount': lambda x: bin(abs(x)).count('1'),
    'gcd': math.gcd, 'lcm': lambda a, b: abs(a * b) // math.gcd(a, b) if a and b else 0,
}


def whole_now(step, x):
    near(x, mp.nint(2 * x) / 2)
    return step(x)


for name in ('floor', 'ceil', 'round', 'trunc'):
    KEPT[name] = lambda x, step=UNARY[name]: whole_now(step, x)


# ---- ops on arrays ------------------------------------------------------------------------------

def along(shape, axes):
    """for each place of what is left, the elements that meet in it"""
    gone = {a + len(shape) for a in axes}
    left = [d for d in range(len(shape)) if d not in gone]
    rows = [[] for _ in range(size([shape[d] for d in left]))]
    for i, p in enumerate(places(shape)):
        rows[at([p[d] for d in left], [shape[d] for d in left])].append(i)
    return rows


def best_of(x, smallest):
    def decide():
        k = 0
        for i in range(1, len(x)):
            d = ordered(x[i], x[k])
            k = i if (d < 0 if smallest else d > 0) else k
        return k
    return keep(decide)


def ties_of(x, smallest):
    def decide():
        k = 0
        for i in range(1, len(x)):
            d = ordered(x[i], x[k])
            k = i if (d < 0 if smallest else d > 0) else k
        return [i for i in range(len(x)) if x[i] == x[k]]
    return keep(decide)


def one_winner(smallest):
    def op(shapes, ints, reals, out):
        rows = along(shapes[0], ints[1:])
        return lambda x: [x[r[best_of([x[i] for i in r], smallest)]] for r in rows]
    return op


def all_winners(smallest):
    def op(shapes, ints, reals, out):
        rows = along(shapes[0], ints[1:])

        def run(x):
            y = []
            for r in rows:
                t = ties_of([x[i] for i in r], smallest)
                y.append(mp.fsum(x[r[i]] for i in t) / len(t))
            return y
        return run
    return op


def in_order(x, down):
    def decide():
        order = sorted(range(len(x)), key=lambda i: -x[i] if down else x[i])
        for i, k in zip(order, order[1:]):
            near(x[i], x[k])
        return order
    return keep(decide)


def op_sort(shapes, ints, reals, out):
    rows = lanes(shapes[0], ints[0])

    def run(x):
        y = [ZERO] * len(x)
        for r in rows:
            for i, k in zip(r, in_order([x[i] for i in r], ints[1])):
                y[i] = x[r[k]]
        return y
    return run


def op_argsort(shapes, ints, reals, out):
    rows = lanes(shapes[0], ints[0])
    first, count = ints[2:] if len(ints) == 4 else (0, None)

    def run(x):
        y = [[0] * len(rows)] * 0
        for r in rows:
            order = in_order([x[i] for i in r], ints[1])
            y.append(order[first:None if count is None else first + count])
        result = [0] * size(out)
        for r, order in zip(lanes(out, ints[0]), y):
            for i, k in zip(r, order):
                result[i] = k
        return result
    return run


def op_argmax(shapes, ints, reals, out):
    rows = along(shapes[0], ints[:1])
    return lambda x: [best_of([x[i] for i in r], ints[2]) for r in rows]


def op_argcummax(shapes, ints, reals, out):
    rows = lanes(shapes[0], ints[0])

    def run(x):
        y = [0] * len(x)
        for r in rows:
            for k, i in enumerate(r):
                y[i] = best_of([x[j] for j in r[:k + 1]], ints[1])
        return y
    return run


def op_searchsorted(shapes, ints, reals, out):
    def run(rows, x):
        return [keep(lambda: sum(ordered(a, v) <= 0 if ints[0] else ordered(a, v) < 0 for a in rows))
                for v in x]
    return run


def scatter_extreme(smallest):
    def op(shapes, ints, reals, out):
        locate = indexed(shapes[0], shapes[1], ints[0], ints[1])

        def run(x, idx, v):
            met = [[a] if ints[2] else [] for a in x]
            for i, u in zip(locate(idx), v):
                met[i].append(u)
            y = []
            for a, m in zip(x, met):
                if not m:
                    y.append(a)
                    continue
                t = ties_of(m, smallest)
                y.append(mp.fsum(m[i] for i in t) / len(t))
            return y
        return run
    return op


def op_strided(shapes, ints, reals, out):
    k = ints[0]
    start, rest = ints[1:1 + k], ints[1 + k:]
    axes = [rest[i:i + 1 + k] for i in range(0, len(rest), 1 + k)]
    lead = len(shapes[0]) - k
    source = []
    for p in places(out):
        q = list(start)
        for i, a in zip(p[lead:], axes):
            q = [u + i * v for u, v in zip(q, a[1:])]
        source.append(at(list(p[:lead]) + q, shapes[0]))
    return lambda x: [x[i] for i in source]


def matrix(x, n):
    return [x[i:i + n] for i in range(0, len(x), n)]


def op_cholesky(shapes, ints, reals, out):
    n = shapes[0][-1]

    def run(x):
        a = matrix(x, n)
        y = [[ZERO] * n for _ in range(n)]
        for i in range(n):
            for j in range(i + 1):
                t = (a[i][j] + mp.conj(a[j][i])) / 2 - mp.fsum(
                    y[i][k] * mp.conj(y[j][k]) for k in range(j))
                y[i][j] = mp.sqrt(mp.re(t)) if i == j else t / y[j][j]
        if ints[0]:
            y = [[mp.conj(y[j][i]) for j in range(n)] for i in range(n)]
        return [v for row in y for v in row]
    return run


def op_triangle(shapes, ints, reals, out):
    n = shapes[0][-1]
    keeps = (lambda i, j: i < j) if ints[0] else (lambda i, j: i > j)
    return lambda x: [v * reals[0] if i == j else v if keeps(i, j) else 0 * v
                      for v, (i, j) in zip(x, itertools.product(range(n), range(n)))]


def solve(a, b):
    n = len(a)
    a, b = [list(r) for r in a], [list(r) for r in b]
    for k in range(n):
        for i in range(n):
            if i != k:
                f = a[i][k] / a[k][k]
                a[i] = [u - f * v for u, v in zip(a[i], a[k])]
                b[i] = [u - f * v for u, v in zip(b[i], b[k])]
    return [v / a[i][i] for i in range(n) for v in b[i]]


def op_triangular(shapes, ints, reals, out):
    n = shapes[0][-1]

    def run(x, b):
        upper, unit = ints[0] & 1, ints[0] & 2
        a = [[ONE if unit and i == j else v if (i <= j if upper else i >= j) else ZERO
              for j, v in enumerate(row)] for i, row in enumerate(matrix(x, n))]
        return solve(a, matrix(b, shapes[1][-1]))
    return run


def op_lu_solve(shapes, ints, reals, out):
    def run(lu, pivots, x, b):
        a = matrix(x, shapes[2][-1])
        if ints[0] & 1:
            a = [list(r) for r in zip(*a)]
        return solve(a, matrix(b, shapes[3][-1]))
    return run


def root(power, n):
    return mp.expjpi(mpf(2) * (power % n) / n)


def fourier(terms):
    """terms(j, k, n, m): the factor of element j in result k"""
    def op(shapes, ints, reals, out):
        rows, to = lanes(shapes[0], ints[0]), lanes(out, ints[0])

        def run(x):
            y = [ZERO] * size(out)
            for r, t in zip(rows, to):
                for k, i in enumerate(t):
                    y[i] = terms(k, [x[j] for j in r], len(t), ints, reals)
            return y
        return run
    return op


def r2c(k, x, m, ints, reals):
    n = len(x)
    inside = k != 0 and 2 * k != n
    return reals[0] * (reals[1] if inside else 1) * mpc(
        mp.fsum(v * root(-j * k, n) for j, v in enumerate(x)))


def c2r(j, x, n, ints, reals):
    return reals[0] * mp.fsum(
        mp.re(v * root(j * k, n)) * (2 * reals[1] if k != 0 and 2 * k != n else 1)
        for k, v in enumerate(x))


def c2c(k, x, n, ints, reals):
    return reals[0] * mp.fsum(v * root(ints[1] * j * k, n) for j, v in enumerate(x))


# of cosines and sines of types 1 to 4: which ends are multiplied before and after, 1 the first, 2 the last
ENDS_BEFORE, ENDS_AFTER = (3, 0, 1, 0, 0, 0, 2, 0), (3, 1, 0, 0, 0, 2, 0, 0)


def r2r_factor(kind, j, k, n):
    """of element j in number k"""
    half = mpf(1) / 2
    if kind < 4:
        place, of = (j if kind in (0, 2) else j + half), (k if kind in (0, 1) else k + half)
        once = kind == 0 and j in (0, n - 1) or kind == 2 and j == 0
        return (1 if once else 2) * mp.cospi(place * of / (n - 1 if kind == 0 else n))
    place, of = (j + 1 if kind in (4, 6) else j + half), (k + 1 if kind in (4, 5) else k + half)
    once = kind == 6 and j == n - 1
    return (1 if once else 2) * mp.sinpi(place * of / (n + 1 if kind == 4 else n))


def r2r(k, x, n, ints, reals):
    def at_end(ends, i):
        return ends & 1 and i == 0 or ends & 2 and i == n - 1
    y = mp.fsum(v * (reals[1] if at_end(ENDS_BEFORE[ints[1]], j) else 1) * r2r_factor(ints[1], j, k, n)
                for j, v in enumerate(x))
    return reals[0] * (reals[2] if at_end(ENDS_AFTER[ints[1]], k) else 1) * y


# ---- signals

def op_frame(shapes, ints, reals, out):
    n = shapes[0][-1]
    return lambda x: [x[row + t * ints[1] + i] for row in range(0, len(x), n)
                      for t in range(out[-2]) for i in range(out[-1])]


def op_overlap_add(shapes, ints, reals, out):
    frames, length = shapes[0][-2:]

    def run(x):
        y = [ZERO] * size(out)
        for at, v in enumerate(x):
            row, t, i = at // (frames * length), at // length % frames, at % length
            y[row * ints[0] + t * ints[1] + i] += v
        return y
    return run


def op_allpole(shapes, ints, reals, out):
    """coefficients that do not vary; y_t = v_t - sum of a_k y_(t - k), or t + k"""
    n, p = shapes[0][-1], shapes[1][-1]
    if len(shapes[1]) != len(shapes[0]):
        raise KeyError('signal_allpole with coefficients of each time is not known to the judge')

    def run(v, a):
        y = list(v)
        for row in range(len(v) // n):
            for t in reversed(range(n)) if ints[0] else range(n):
                for k in range(1, p + 1):
                    past = t + k if ints[0] else t - k
                    if 0 <= past < n:
                        y[row * n + t] -= a[row * p + k - 1] * y[row * n + past]
        return y
    return run


def op_stft(shapes, ints, reals, out):
    n, length, hop, (frames, bins) = shapes[0][-1], shapes[1][-1], ints[0], out[-2:]
    return lambda x, w: [r2c(k, [x[row + t * hop + i] * w[i] for i in range(length)], bins, ints, reals)
                         for row in range(0, len(x), n) for t in range(frames) for k in range(bins)]


def op_stft_adjoint(shapes, ints, reals, out):
    (frames, bins), length, (n, hop) = shapes[0][-2:], shapes[1][-1], ints

    def run(g, w):
        y = [ZERO] * size(out)
        for f in range(len(g) // bins):
            row, t = f // frames, f % frames
            for i in range(length):
                y[row * n + t * hop + i] += w[i] * c2r(i, g[f * bins:(f + 1) * bins], length, ints, reals)
        return y
    return run


def op_stft_both(shapes, ints, reals, out):
    n, length, hop, (frames, bins) = shapes[0][-1], shapes[1][-1], ints[0], out[-2:]
    return lambda x, w: [c2c(k, [x[row + t * hop + i] * w[i] for i in range(length)], bins, ints, reals)
                         for row in range(0, len(x), n) for t in range(frames) for k in range(bins)]


def op_stft_both_adjoint(shapes, ints, reals, out):
    (frames, bins), (n, hop, sign) = shapes[0][-2:], ints

    def run(g, w):
        y = [ZERO] * size(out)
        for f in range(len(g) // bins):
            row, t = f // frames, f % frames
            for i in range(bins):
                y[row * n + t * hop + i] += w[i] * c2c(i, g[f * bins:(f + 1) * bins], bins, (0, sign), reals)
        return y
    return run


def weights_about(u, width, n, beta):
    """samples about a point on a periodic axis, each with exp(beta (sqrt(1 - z^2) - 1))"""
    first = int(mp.ceil(mp.re(u) - mp.mpf(width) / 2))
    for i in range(first, first + width):
        z = 2 * (i - u) / mp.mpf(width)
        yield i % n, mp.exp(mp.mpf(beta) * (mp.sqrt(1 - z * z) - 1))


def op_gather(shapes, ints, reals, out):
    n = shapes[0][-1]
    return lambda x, u: [mp.fsum(x[i] * w for i, w in weights_about(t, ints[0], n, reals[0])) for t in u]


def op_spread(shapes, ints, reals, out):
    width, n = ints[:2]

    def run(v, u):
        y = [ZERO] * n
        for x, t in zip(v, u):
            for i, w in weights_about(t, width, n, reals[0]):
                y[i] += x * w
        return y
    return run


# ---- sparse: the patterns of program-sparse.c, by their numbers of entries

PATTERN = [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 1), (2, 2)]
FEW = [(0, 2), (1, 1), (2, 1)]
JOINED = sorted(set(PATTERN + FEW))
PRODUCT = [(0, 1), (0, 2), (1, 1), (1, 2), (2, 1)]  # of both
PATTERNS = {7: PATTERN, 3: FEW, 5: [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2)],
            6: [(0, 0), (0, 1), (1, 0), (2, 1), (3, 0), (3, 1)]}


def dense(v, pattern, rows, cols):
    a = [[ZERO] * cols for _ in range(rows)]
    for x, (i, j) in zip(v, pattern):
        a[i][j] = x
    return a


def turned(a):
    return [list(row) for row in zip(*a)]


def adjoint(a):
    return [[mp.conj(x) for x in row] for row in turned(a)]


def times(a, b):
    return [[mp.fsum(x * y for x, y in zip(row, col)) for col in zip(*b)] for row in a]


def op_spmm(shapes, ints, reals, out):
    k = shapes[1][-1]

    def run(v, x):
        y = [ZERO] * (3 * k)
        for a, (i, j) in zip(v, PATTERN):
            i, j = (j, i) if ints[0] else (i, j)
            for c in range(k):
                y[i * k + c] += a * x[j * k + c]
        return y
    return run


def op_sddmm(shapes, ints, reals, out):
    k = shapes[0][-1]
    return lambda u, w: [mp.fsum(u[i * k + c] * w[j * k + c] for c in range(k)) for i, j in PATTERN]


def op_sparse_scatter(shapes, ints, reals, out):
    def run(v):
        y = [ZERO] * 9
        for a, (i, j) in zip(v, PATTERN):
            y[3 * i + j] = a
        return y
    return run


def op_collect(shapes, ints, reals, out):
    return lambda x: [mp.fsum(x[p[1 - ints[0]]] for p in PATTERN if p[ints[0]] == i) for i in range(3)]


def op_spgemm(shapes, ints, reals, out):
    """sums of products over c_ij += a_ik b_kj that leave c, a or b"""
    onto = [PRODUCT, PATTERN, FEW][ints[0]]
    places_of = {0: lambda i, k, j: (i, j), 1: lambda i, k, j: (i, k), 2: lambda i, k, j: (k, j)}
    first, second = {0: (1, 2), 1: (0, 2), 2: (1, 0)}[ints[0]]
    patterns = [PRODUCT, PATTERN, FEW]

    def run(u, w):
        y = [ZERO] * len(onto)
        for (i, k), (l, j) in itertools.product(PATTERN, FEW):
            if k == l:
                a, b = (v[patterns[r].index(places_of[r](i, k, j))] for v, r in ((u, first), (w, second)))
                y[onto.index(places_of[ints[0]](i, k, j))] += a * b
        return y
    return run


def op_join(shapes, ints, reals, out):
    def run(u, w):
        y = [ZERO] * len(JOINED)
        for v, pattern in ((u, PATTERN), (w, FEW)):
            for x, place in zip(v, pattern):
                y[JOINED.index(place)] += x
        return y
    return run


LOWER = 7  # the method that reads the lower triangle


def system(v, method):
    """the matrix that a direct method makes of values"""
    a = dense(v, PATTERNS[len(v)], 3, 3)
    if method != LOWER:
        return a
    return [[a[i][j] if j < i else mp.re(a[i][i]) if j == i else mp.conj(a[j][i]) for j in range(3)]
            for i in range(3)]


def op_linsolve(shapes, ints, reals, out):
    def run(v, b):
        a = system(v, ints[1])
        return solve(turned(a) if ints[0] else a, matrix(b, shapes[1][-1]))
    return run


def op_lstsq(shapes, ints, reals, out):
    def run(v, b):
        a, b = dense(v, PATTERNS[6], 4, 2), matrix(b, shapes[1][-1])
        h = adjoint(a)
        return solve(times(h, a), b if ints[0] else times(h, b))
    return run


def op_logdet(shapes, ints, reals, out):
    def run(v):
        a = system(v, ints[0])
        det = (a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1])
               - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0])
               + a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]))
        return [mp.log(mp.re(det * mp.conj(det))) / 2]
    return run


def op_inverse(shapes, ints, reals, out):
    def run(v):
        x = matrix(solve(system(v, ints[0]), [[ONE if i == j else ZERO for j in range(3)] for i in range(3)]), 3)
        return [x[j][i] for i, j in PATTERNS[len(v)]]
    return run


def op_sparse_softmax(shapes, ints, reals, out):
    def run(v):
        top = [max((mp.re(a) for a, (i, j) in zip(v, PATTERN) if i == r)) for r in range(3)]
        e = [mp.exp(a - top[i]) for a, (i, j) in zip(v, PATTERN)]
        total = [mp.fsum(a for a, (i, j) in zip(e, PATTERN) if i == r) for r in range(3)]
        return [a / total[i] for a, (i, j) in zip(e, PATTERN)]
    return run


def op_sparse_function(shapes, ints, reals, out):
    """of program-sparse.c: what has no entry is 0, but for softmax and masks"""
    n, k, every = range(3), shapes[2][-1], [(i, j) for i in range(3) for j in range(3)]
    stored = [every if layout == 5 else PATTERN for layout in ints[:2]]

    def formed(layout, v):
        m = [[ZERO] * 3 for _ in n]
        for x, (i, j) in zip(v, PATTERN):
            i, j = (j, i) if layout == 1 else (i, j)
            m[i][j] = x
        return m

    def softmax(a):
        y = [[ZERO] * 3 for _ in n]
        for i in n:
            at = [j for r, j in stored[0] if r == i]
            top = max(mp.re(a[i][j]) for j in at)
            e = [mp.exp(a[i][j] - top) for j in at]
            for j, x in zip(at, e):
                y[i][j] = x / mp.fsum(e)
        return y

    def masked(m):
        return [[m[i][j] if (i, j) in stored[0] else ZERO for j in n] for i in n]

    def run(v, w, x):
        a, b, x = formed(ints[0], v), formed(ints[1], w), [x[i * k:i * k + k] for i in n]
        outer = [[p[0] * q[0] for q in x] for p in x]
        each = lambda f: [[f(i, j) for j in n] for i in n]  # noqa: E731
        y = [
            lambda: turned(a), lambda: [[mp.fsum(c) for c in zip(*a)]], lambda: [[mp.fsum(r)] for r in a],
            lambda: times(a, x), lambda: times(turned(x), a), lambda: times(a, b),
            lambda: each(lambda i, j: a[i][j] + b[i][j]), lambda: each(lambda i, j: a[i][j] * b[i][j]),
            lambda: [row[::-1] for row in a[1:]], lambda: a + b,
            lambda: each(lambda i, j: a[i][j] if j <= i else ZERO), lambda: [[a[i][i] for i in n]],
            lambda: softmax(a), lambda: each(lambda i, j: mp.sin(a[i][j])),
            lambda: each(lambda i, j: a[i][j] * x[i][0]), lambda: a, lambda: masked(outer),
            lambda: masked(times(x, turned(x))),
            lambda: [[x[i][j] / 2 + 2 * s for j, s in enumerate(row)] for i, row in enumerate(times(a, x))],
            lambda: [p + q + p for p, q in zip(x, a)], lambda: a + outer + b,
            lambda: each(lambda i, j: a[i][j] * mp.cos(b[i][j])),
            lambda: each(lambda i, j: a[j][i] - b[i][j] / 2),
        ][ints[2]]()
        return [e for row in y for e in row]
    return run


# ---- random numbers that move with what they were drawn by: their place in the distribution stays

def lower_gamma(a, t):
    """the probability below exp(t), and its density in t"""
    return (mp.gammainc(a, 0, mp.exp(t), regularized=True), mp.exp(a * t - mp.exp(t)) / mp.gamma(a))


def op_gamma_path(shapes, ints, reals, out):
    def one(y, a):
        y, first = keep(lambda: (y, a))
        if a == first:
            return y
        t = start = y if ints[0] else mp.log(y)
        share = lower_gamma(first, start)[0]
        for _ in range(4):
            p, h = lower_gamma(a, t)
            t -= (p - share) / h
        return t if ints[0] else mp.exp(t)
    return elementwise(one, shapes, out)


def op_gamma_slope(shapes, ints, reals, out):
    def one(a, t):
        return mp.diff(lambda b: lower_gamma(b, t)[0], a, ints[0]) / lower_gamma(a, t)[1]
    return elementwise(one, shapes, out)


def op_gamma_partial(shapes, ints, reals, out):
    def one(a, x):
        if ints[1]:
            return mp.diff(lambda b: mp.power(x, b - 1) * mp.exp(-x) / mp.gamma(b), a, ints[0])
        return mp.diff(lambda b: mp.gammainc(b, 0, x, regularized=True), a, ints[0])
    return elementwise(one, shapes, out)


def op_beta_partial(shapes, ints, reals, out):
    def law(a, b, x):
        if ints[2]:
            return mp.power(x, a - 1) * mp.power(1 - x, b - 1) / mp.beta(a, b)
        return mp.betainc(a, b, 0, x, regularized=True)

    def one(a, b, x):
        return mp.diff(lambda p, q: law(p, q, x), (a, b), (ints[0], ints[1]))
    return elementwise(one, shapes, out)


def op_zeta_partial(shapes, ints, reals, out):
    def one(s, q):
        return mp.diff(lambda t: mp.zeta(t, q), s, ints[0])
    return elementwise(one, shapes, out)


def special(f):
    def op(shapes, ints, reals, out):
        return elementwise(lambda *x: f(ints, reals, *x), shapes, out)
    return op


def legendre_integral(k, n, phi, m):
    def f(t):
        s = mp.sin(t) ** 2
        return s ** k[0] * (1 - m * s) ** (-mp.mpf(1) / 2 - k[1]) * (1 - n * s) ** -k[2]
    return mp.quad(f, [0, phi])


def carlson_integral(k, x, y, z, p):
    half = mp.mpf(1) / 2

    def f(u):
        t = mp.exp(u)
        return t * (t + x) ** (-half - k[0]) * (t + y) ** (-half - k[1]) * (t + z) ** (-half - k[2]) * (t + p) ** -k[3]
    return mp.quad(f, range(-200, 401, 20))


def faddeeva_part(k, x, y):
    z = mp.mpc(x, y)
    last, w = mp.mpc(0, -2 / mp.sqrt(mp.pi)), mp.exp(-z * z) * mp.erfc(mp.mpc(y, -x))
    for n in range(k[0]):
        last, w = w, -2 * z * w - (2 * n * last if n else last)
    return w.imag if k[1] else w.real


def polynomial(k, a, b, x):
    n = k[1]
    return (lambda: mp.jacobi(n, a, b, x), lambda: mp.gegenbauer(n, a, x), lambda: mp.laguerre(n, a, x),
            lambda: mp.hermite(n, x), lambda: mp.hermite(n, x / mp.sqrt(2)) / mp.sqrt(2) ** n,
            lambda: mp.chebyt(n, x))[k[0]]()


def jacobi_function(kind, u, m):
    if kind:
        return mp.ellipfun(('sn', 'cn', 'dn')[kind - 1], u, m=m).real
    return mp.atan2(mp.ellipfun('sn', u, m=m).real, mp.ellipfun('cn', u, m=m).real)


def mathieu_bands(q, odd, m):
    """Hill's matrix of the functions of the parity of m: its diagonal, what stands beside it, the first
    index. Terms fall as (q / 4)^n / n!^2 behind that of m."""
    even = m % 2 == 0
    first = 1 if odd or not even else 0
    count = m // 2 + 30 + int(4 * mp.sqrt(abs(q)))
    index = [2 * j + (1 if not even else 2 if odd else 0) for j in range(count)]
    diagonal = [mp.mpf(n * n) for n in index]
    if not even:
        diagonal[0] += -q if odd else q
    beside = [q * (mp.sqrt(2) if not first and j == 0 else 1) for j in range(count - 1)]
    return index, diagonal, beside


def tridiagonal_value(diagonal, beside, place, low, high):
    """the eigenvalue that has so many below it, between low and high: Sturm's count"""
    def below(a):
        count, pivot = 0, mp.mpf(1)
        for j, d in enumerate(diagonal):
            pivot = d - a - (beside[j - 1] ** 2 / pivot if j else 0)
            pivot = pivot if pivot else mp.eps
            count += pivot < 0
        return count

    while high - low > mp.eps * 8 * max(1, abs(low), abs(high)):
        mid = (low + high) / 2
        if below(mid) > place:
            high = mid
        else:
            low = mid
    return (low + high) / 2


def tridiagonal_vector(diagonal, beside, place, a):
    """of length 1: the ratios of neighbours from both ends meet at a place"""
    n = len(diagonal)
    c, up, down = [mp.mpf(0)] * n, [mp.mpf(0)] * n, [mp.mpf(0)] * n
    c[place] = mp.mpf(1)
    for j in range(place):
        up[j] = -beside[j] / (diagonal[j] - a + (beside[j - 1] * up[j - 1] if j else 0))
    for j in range(n - 1, place, -1):
        down[j] = -beside[j - 1] / (diagonal[j] - a + (beside[j] * down[j + 1] if j < n - 1 else 0))
    for j in range(place - 1, -1, -1):
        c[j] = up[j] * c[j + 1]
    for j in range(place + 1, n):
        c[j] = down[j] * c[j - 1]
    size = mp.sqrt(mp.fsum(v * v for v in c))
    return [v / size for v in c]


def mathieu_value(q, odd, m):
    index, diagonal, beside = mathieu_bands(q, odd, m)
    return tridiagonal_value(diagonal, beside, (m - index[0]) // 2, mp.mpf(-2 * abs(q) - 1),
                             mp.mpf(m * m + 2 * abs(q) + 1))


def mathieu(q, x, odd, m):
    index, diagonal, beside = mathieu_bands(q, odd, m)
    place = (m - index[0]) // 2
    if q == 0:
        c = [mp.mpf(j == place) for j in range(len(index))]
    else:
        c = tridiagonal_vector(diagonal, beside, place, mathieu_value(q, odd, m))
    if index[0] == 0:
        c[0] /= mp.sqrt(2)
    wave = mp.sin if odd else mp.cos
    # ce is positive at 0, se rises there
    sign = mp.fsum((k if odd else 1) * v for k, v in zip(index, c))
    return mp.fsum(v * wave(k * x) for k, v in zip(index, c)) * (1 if sign > 0 else -1)


def mathieu_modified(k, q, x):
    """sums of products of Bessel functions about the largest coefficient (DLMF 28.24)"""
    odd, m, h = k[0] & 1, k[1], mp.sqrt(q)
    index, diagonal, beside = mathieu_bands(mp.mpf(q), odd, m)
    place = (m - index[0]) // 2
    c = tridiagonal_vector(diagonal, beside, place, mathieu_value(mp.mpf(q), odd, m))
    if index[0] == 0:
        c[0] /= mp.sqrt(2)
    s = max(range(len(c)), key=lambda j: abs(c[j]))
    other, side = mp.bessely if k[0] & 2 else mp.besselj, -1 if odd else 1

    def value(z):
        low, high = h * mp.exp(-z), h * mp.exp(z)
        return mp.fsum((-1) ** j * c[j] * (mp.besselj(j - s, low) * other(j + s + index[0], high)
                                           + side * mp.besselj(j + s + index[0], low) * other(j - s, high))
                       for j in range(min(len(c), s + 40)))
    y = mp.diff(value, x) if k[2] else value(x)
    return (-1) ** place * y / c[s] / (2 if index[0] == 0 and s == 0 else 1)


def bessel_integral(kind, x):
    zero = (mp.besselj, mp.bessely, mp.besseli, mp.besselk)
    if kind < 4:
        return mp.quad(lambda t: zero[kind](0, t), [0, x / 64, x / 8, x])
    if kind in (4, 6):
        return mp.quad(lambda t: abs(1 - zero[kind - 4](0, t)) / t, [0, x])
    if kind in (5, 7):  # what is left of the logarithm is integrated
        log, f = lambda t: mp.log(t / 2) + mp.euler, zero[kind - 4]
        by = 2 / mp.pi if kind == 5 else mp.mpf(-1)
        rest = mp.quad(lambda t: (f(0, t) - by * log(t)) / t, [0, x / 64, x / 8, x])
        return -by * log(x) ** 2 / 2 + (mp.pi / 6 if kind == 5 else mp.pi ** 2 / 24) - rest
    if kind in (8, 10):
        return mp.quad(lambda t: (mp.struveh if kind == 8 else mp.struvel)(0, t), [0, x])
    if kind == 9:
        return mp.pi / 2 - mp.quad(lambda t: mp.struveh(0, t) / t if t else 2 / mp.pi, [0, x])
    return (mp.airyai if kind == 11 else mp.airybi)(x, derivative=-1)


def spheroidal_bands(q, m, n):
    """degrees, diagonal and what stands beside it, of Legendre functions of order m and square 1"""
    degree = [m + (n - m) % 2 + 2 * j for j in range(24 + n + int(4 * mp.sqrt(abs(q))))]

    def share(l):
        return mp.mpf(l * l - m * m) / (4 * l * l - 1)
    diagonal = [l * (l + 1) + q * ((share(l) if l > m else 0) + share(l + 1)) for l in degree]
    return degree, diagonal, [q * mp.sqrt(share(l + 1) * share(l + 2)) for l in degree[:-1]]


def spheroidal_value(q, m, n):
    degree, diagonal, beside = spheroidal_bands(q, m, n)
    return tridiagonal_value(diagonal, beside, (n - m) // 2, -abs(q) - 1, n * (n + 1) + abs(q) + 1)


def ferrers(m, most, x):
    """P_l^m(x) for l = 0 to most, 0 below m, without Condon and Shortley's phase"""
    p = [mp.mpf(0)] * m + [mp.fac2(2 * m - 1) * mp.sqrt(1 - x * x) ** m]
    for l in range(m, most):
        p.append(((2 * l + 1) * x * p[l] - (l + m) * (p[l - 1] if l else 0)) / (l - m + 1))
    return p


def spheroidal(q, x, m, n):
    degree, diagonal, beside = spheroidal_bands(q, m, n)
    place, odd = (n - m) // 2, (n - m) % 2
    c = tridiagonal_vector(diagonal, beside, place, spheroidal_value(q, m, n)) if q else [
        mp.mpf(j == place) for j in range(len(degree))]
    c = [v * mp.sqrt((2 * l + 1) * mp.fac(l - m) / mp.fac(l + m)) for v, l in zip(c, degree)]
    there, origin = ferrers(m, degree[-1], x), ferrers(m, degree[-1], mp.mpf(0))
    # Flammer's norm: value, or slope, at 0 is that of P_n^m
    at_0 = [(l + m) * (origin[l - 1] if l else 0) if odd else origin[l] for l in range(degree[-1] + 1)]
    return (mp.fsum(v * there[l] for v, l in zip(c, degree)) * at_0[n] /
            mp.fsum(v * at_0[l] for v, l in zip(c, degree)))


def spheroidal_radial(k, c, x):
    """of the first kind by Bessel functions (DLMF 30.11.3), of the second in from where they serve, too"""
    kind, m, n, sloped = k
    sign, c, x = (-1 if kind & 1 else 1), mp.mpf(c), mp.mpf(x)
    q = sign * c * c
    degree, diagonal, beside = spheroidal_bands(q, m, n)
    value = spheroidal_value(q, m, n)
    v = tridiagonal_vector(diagonal, beside, (n - m) // 2, value)
    v = [b * mp.sqrt((2 * l + 1) * mp.fac(l + m) / mp.fac(l - m)) for b, l in zip(v, degree)]
    bessel = (lambda l, z: mp.sqrt(mp.pi / (2 * z)) * (mp.bessely if kind & 2 else mp.besselj)(l + mp.mpf(1) / 2, z))

    def by_bessel(z):
        use = [(b, l) for b, l in zip(v, degree) if l <= n + 60]
        total = mp.fsum((-1) ** ((l - n) // 2) * b * bessel(l, c * z) for b, l in use)
        return (1 - sign / z ** 2) ** (mp.mpf(m) / 2) * total / mp.fsum(b for b in v)

    far = max(x, 12, 40 / c, mp.mpf(n * n) / c) if kind & 2 else x
    y = [by_bessel(far), mp.diff(by_bessel, far)]
    if far > x:
        def slope(at, y, terms=60):  # (w y')' = (value - c^2 x^2 + sign m^2 / w) y, times w
            p = [(at * at - sign) ** 2, 4 * at * (at * at - sign), 6 * at * at - 2 * sign, 4 * at, mp.mpf(1)]
            q1 = [2 * at * (at * at - sign), 6 * at * at - 2 * sign, 6 * at, mp.mpf(2)]
            a = [value - c * c * at * at, -2 * c * c * at, -c * c]
            w = [at * at - sign, 2 * at, mp.mpf(1)]
            r = [mp.mpf(0)] * 5
            for i in range(3):
                for j in range(3):
                    r[i + j] -= a[i] * w[j]
            r[0] -= sign * m * m
            u = [y[0], y[1]]
            for k in range(terms):
                total = mp.mpf(0)
                for j in range(1, 5):
                    if k + 2 - j >= 0:
                        total += p[j] * (k + 2 - j) * (k + 1 - j) * u[k + 2 - j]
                for j in range(4):
                    if k + 1 - j >= 0:
                        total += q1[j] * (k + 1 - j) * u[k + 1 - j]
                for j in range(5):
                    if k - j >= 0:
                        total += r[j] * u[k - j]
                u.append(-total / ((k + 2) * (k + 1) * p[0]))
            return u
        at = far
        while at != x:
            edge = at - 1 if sign > 0 else mp.sqrt(at * at + 1)
            step = min(edge / 6, 1 / c)
            after = x if at - x <= step else at - step
            u = slope(at, y)
            t = after - at
            y = [mp.polyval(u[::-1], t), mp.polyval([j * u[j] for j in range(len(u) - 1, 0, -1)], t)]
            at = after
    return y[1 if sloped else 0]


def legendre_q(k, x):
    def value(t):
        last = mp.log(abs((1 + t) / (1 - t))) / 2
        here = t * last - 1
        for j in range(1, k[0]):
            last, here = here, ((2 * j + 1) * t * here - j * last) / (j + 1)
        return here if k[0] else last
    return mp.diff(value, x, k[1]) if k[1] else value(x)


def parabolic_w(k, a, x):
    """even and odd series (DLMF 12.14.1)"""
    a, x = mp.mpf(a), mp.mpf(x)
    ratio = mp.sqrt(abs(mp.gamma(mp.mpc(0.25, a / 2)) / mp.gamma(mp.mpc(0.75, a / 2))))
    c = [ratio / mp.mpf(2) ** 0.75, -1 / (ratio * mp.mpf(2) ** 0.25)]
    for j in range(100 + mp.dps + int(3 * x * x)):
        c.append((a * c[j] - (c[j - 2] / 4 if j > 1 else 0)) / ((j + 1) * (j + 2)))
    return mp.polyval([j * c[j] for j in range(len(c) - 1, 0, -1)], x) if k[0] else mp.polyval(c[::-1], x)


def lame(k, r, x):
    """by the vector of coefficients of powers of s^2 (DLMF 29.12)"""
    n, p, h2, k2 = k[0], k[1] - 1, mp.mpf(r[0]), mp.mpf(r[1])
    half, kind = n // 2, 0
    size = [half + 1, n - half, n - half, half]
    while p >= size[kind]:
        p -= size[kind]
        kind += 1
    at = [n % 2 if kind in (0, 3) else 1 - n % 2, kind in (1, 3), kind >= 2]
    e = [mp.mpf(1) / 2 + int(v) for v in at]
    last, all_ = size[kind] - 1, e[0] + e[1] + e[2]
    a = mp.matrix(last + 1, last + 1)
    for j in range(last + 1):  # z (z - h2) (z - k2) Q'' + ..., powers of z
        a[j, j] = -j * (j - 1) * (h2 + k2) - j * (e[0] * (h2 + k2) + e[1] * k2 + e[2] * h2)
        if j < last:
            a[j, j + 1] = h2 * k2 * (j + 1) * (j + e[0])
            a[j + 1, j] = j * (j - 1 + all_) - last * (last + all_ - 1)
    values, vectors = mp.eig(a)
    order = sorted(range(last + 1), key=lambda j: -mp.re(values[j]))
    c = [mp.re(vectors[j, order[p]]) for j in range(last + 1)]
    c = [v / c[last] for v in c]

    def value(s):
        z = s * s
        edge = (s if at[0] else 1) * (mp.sqrt(abs(z - h2)) if at[1] else 1) * (mp.sqrt(abs(z - k2)) if at[2] else 1)
        return edge * mp.polyval(c[::-1], z)

    def second(s):
        return (2 * n + 1) * value(s) * mp.quad(lambda u: 1 / (value(u) ** 2 * mp.sqrt((u * u - h2) * (u * u - k2))),
                                                [s, 2 * s, 8 * s, mp.inf])
    f = second if k[2] else value
    return mp.diff(f, x) if k[3] else f(x)


def bessel_moment(r, a):
    a, power, order = mp.mpf(a), mp.mpf(r[0]), mp.mpf(r[1])
    lead = a ** order / mp.gamma(order + 1) / (power + order + 1)
    with mp.workdps(mp.dps + int(abs(a)) + 5):
        return lead * mp.hyp1f2((power + order + 1) / 2, (power + order + 3) / 2, order + 1, -a * a)


def smirnov(k, d):
    def value(d):
        return d * mp.fsum(mp.binomial(k[0], j) * (d + mp.mpf(j) / k[0]) ** (j - 1) * (1 - d - mp.mpf(j) / k[0]) ** (k[0] - j)
                           for j in range(int(mp.floor(k[0] * (1 - d))) + 1))
    return mp.diff(value, d, k[1]) if k[1] else value(d)


def bisect(rises, low, high):
    for _ in range(4 * mp.dps + 20):
        middle = (low + high) / 2
        low, high = (middle, high) if rises(middle) else (low, middle)
    return low


def tukey_lambda(x, shape):
    def below(a):
        p, q = 1 / (1 + mp.exp(-a)), 1 / (1 + mp.exp(a))
        return ((p ** shape - q ** shape) / shape if shape else a) < x
    return 1 / (1 + mp.exp(-bisect(below, mp.mpf(-2000), mp.mpf(2000))))


def by_kind(kind, lower, density):
    return density() if kind == 2 else 1 - lower() if kind else lower()


def fisher(k, m, n, x):
    def law(m):
        a, b, r = m / 2, n / 2, m * x / (m * x + n)
        return by_kind(k[0], lambda: mp.betainc(a, b, 0, r, regularized=True),
                       lambda: r ** a * (1 - r) ** b / (x * mp.beta(a, b)))
    return mp.diff(law, m, k[1]) if k[1] else law(m)


def student(k, n, t):
    def law(n):
        tail = lambda: mp.betainc(n / 2, mp.mpf(1) / 2, 0, n / (n + t * t), regularized=True) / 2
        return by_kind(k[0], lambda: tail() if t < 0 else 1 - tail(),
                       lambda: (1 + t * t / n) ** (-(n + 1) / 2) / (mp.sqrt(n) * mp.beta(n / 2, mp.mpf(1) / 2)))
    return mp.diff(law, n, k[1]) if k[1] else law(n)


def fall(lower, front, ratio, many):
    """parts below a point of laws of shapes a, a + 1, ..., each the last one less a power (DLMF 8.8.5, 8.17.20)"""
    y = [lower]
    for j in range(many - 1):
        y.append(y[-1] - front)
        front *= ratio(j)
    return y


def beta_laws(a, b, r, many):
    front = r ** a * (1 - r) ** b / (a * mp.beta(a, b))
    return fall(mp.betainc(a, b, 0, r, regularized=True), front, lambda j: r * (a + b + j) / (a + 1 + j), many)


def gamma_laws(a, v, many):
    front = v ** a * mp.exp(-v) / mp.gamma(a + 1)
    return fall(mp.gammainc(a, 0, v, regularized=True), front, lambda j: v / (a + 1 + j), many)


def noncentral(k, a, b, nc, v):
    """the mean of chi square or beta prime laws with Poisson's weights"""
    many = 40 + mp.dps
    if k[1] < 2:
        laws = beta_laws(a, b, v / (1 + v), many) if k[0] else gamma_laws(a, v, many)
        laws = [1 - y for y in laws] if k[1] else laws
    elif k[0]:
        laws = [v ** (a + j - 1) * (1 + v) ** (-a - j - b) / mp.beta(a + j, b) for j in range(many)]
    else:
        laws = [v ** (a + j - 1) * mp.exp(-v) / mp.gamma(a + j) for j in range(many)]
    return mp.fsum(mp.exp(-nc / 2) * (nc / 2) ** j / mp.fac(j) * y for j, y in enumerate(laws))


def noncentral_t(k, n, nc, t):
    """Johnson, Kotz and Balakrishnan 31.15"""
    if k[0] < 2 and t < 0:
        return noncentral_t([1 - k[0]], n, -nc, -t)
    many, half, y, w = 60 + mp.dps, mp.mpf(1) / 2, t * t / (n + t * t), nc * nc / 2
    if k[0] == 2:
        odd = mp.fsum(mp.gamma((n + j + 1) / 2) / mp.fac(j) * (nc * t * mp.sqrt(2 / (n + t * t))) ** j for j in range(2 * many))
        return n ** (n / 2) * mp.exp(-w) / (mp.sqrt(mp.pi) * mp.gamma(n / 2) * (n + t * t) ** ((n + 1) / 2)) * odd
    even, odd = beta_laws(half, n / 2, y, many), beta_laws(mp.mpf(1), n / 2, y, many)
    lower = mp.ncdf(-nc) + half * mp.exp(-w) * mp.fsum(
        w ** j * (p / mp.fac(j) + nc / mp.sqrt(2) * q / mp.gamma(j + 3 * half))
        for j, (p, q) in enumerate(zip(even, odd)))
    return 1 - lower if k[0] else lower


def wright(k, a, b, x):
    y = mp.fsum(x ** n * mp.rgamma(a * n + b) / mp.fac(n) for n in range(60 + mp.dps))
    return (y, mp.log(y), mp.mpf(1))[k[0]]


def eta_part(k, x, y):
    value = mp.diff(mp.altzeta, mp.mpc(x, y), k[0]) if k[0] else mp.altzeta(mp.mpc(x, y))
    return value.imag if k[1] else value.real


SPECIAL = {
    'mathieu_value': lambda k, r, q: mathieu_value(q, k[0], k[1]),
    'mathieu': lambda k, r, q, x: mathieu(q, x, k[0], k[1]),
    'mathieu_modified': lambda k, r, x: mathieu_modified(k, r[0], x),
    'bessel_integral': lambda k, r, x: bessel_integral(k[0], x),
    'spheroidal_value': lambda k, r, q: spheroidal_value(q, k[0], k[1]),
    'spheroidal': lambda k, r, q, x: spheroidal(q, x, k[0], k[1]),
    'spheroidal_radial': lambda k, r, x: spheroidal_radial(k, r[0], x),
    'legendre_q': lambda k, r, x: legendre_q(k, x),
    'parabolic_w': lambda k, r, x: parabolic_w(k, r[0], x),
    'lame': lambda k, r, x: lame(k, r, x),
    'bessel_moment': lambda k, r, a: bessel_moment(r, a),
    'smirnov': lambda k, r, d: smirnov(k, d),
    'smirnov_inverse': lambda k, r, p: bisect(lambda d: smirnov([k[0], 0], d) > p, mp.mpf(0), mp.mpf(1)),
    'tukey_lambda': lambda k, r, x, shape: tukey_lambda(x, shape),
    'fisher': lambda k, r, m, n, x: fisher(k, m, n, x),
    'student': lambda k, r, n, t: student(k, n, t),
    'noncentral': lambda k, r, a, b, nc, v: noncentral(k, a, b, nc, v),
    'noncentral_t': lambda k, r, n, nc, t: noncentral_t(k, n, nc, t),
    'wright': lambda k, r, a, b, x: wright(k, a, b, x),
    'eta_plane': lambda k, r, x, y: eta_part(k, x, y),
    'airy': lambda k, r, x: (mp.airyai if k[0] < 2 else mp.airybi)(x, derivative=k[0] & 1),
    'bessel': lambda k, r, v, x: mp.diff(lambda u: mp.besselk(u, x), v, k[1]) if k[1] else mp.besselk(v, x),
    'elliptic': lambda k, r, n, phi, m: legendre_integral(k, n, phi, m),
    'carlson': lambda k, r, *x: carlson_integral(k, *x),
    'expn': lambda k, r, x: mp.expint(k[0], x),
    'expi': lambda k, r, x: mp.ei(x),
    'fresnel': lambda k, r, x: (mp.fresnelc if k[0] else mp.fresnels)(x),
    'faddeeva': lambda k, r, x, y: faddeeva_part(k, x, y),
    'lambert_w': lambda k, r, x: mp.lambertw(x).real + k[1],
    'owens_t': lambda k, r, h, a: mp.quad(lambda t: mp.exp(-h * h * (1 + t * t) / 2) / (1 + t * t), [0, a]) / (2 * mp.pi),
    'polynomial': lambda k, r, x: polynomial(k, r[0], r[1], x),
    'kummer': lambda k, r, a, b, x: (mp.hyperu if k[0] else mp.hyp1f1)(a, b, x),
    'hyp2f1': lambda k, r, a, b, c, x: mp.hyp2f1(a, b, c, x),
    'struve': lambda k, r, v, x: (mp.struvel if k[0] else mp.struveh)(v, x),
    'polylog': lambda k, r, s, x: mp.polylog(s, x).real,
    'lerch': lambda k, r, z, s, a: mp.nsum(lambda j: z ** j * (a + j) ** -s, [0, mp.inf]),
    'jacobi_elliptic': lambda k, r, u, m: jacobi_function(k[0], u, m),
    'lambert_plane': lambda k, r, x, y: (lambda w: w.imag if k[1] else w.real)(mp.lambertw(mp.mpc(x, y), k[0])),
    'sine_integral': lambda k, r, x: (mp.si, mp.ci, mp.shi, mp.chi)[k[0]](x),
    'clausen': lambda k, r, x: mp.clsin(2, x),
    'debye': lambda k, r, x: k[0] / x ** k[0] * mp.quad(lambda t: t ** k[0] / mp.expm1(t), [0, x]),
    'fermi_dirac': lambda k, r, j, x: -mp.polylog(j + 1, -mp.exp(x)).real,
    'kelvin': lambda k, r, x: (mp.ber, mp.bei, mp.ker, mp.kei)[k[0]](k[1], x),
    'rgamma': lambda k, r, x: mp.rgamma(x),
    'digammainv': lambda k, r, y: mp.findroot(lambda x: mp.psi(0, x) - y, mp.exp(y) + 0.5),
    'wright_omega': lambda k, r, x: mp.lambertw(mp.exp(x)).real,
    'spherical_bessel': lambda k, r, x: mp.sqrt(mp.pi / (2 * x)) * (mp.besselj, mp.bessely, mp.besseli, mp.besselk)[k[0]](
        k[1] + mp.mpf(1) / 2, x),
}


def op_truncated_path(shapes, ints, reals, out):
    def one(z, low, high):
        z, lo, hi = keep(lambda: (z, low, high))
        share = (mp.ncdf(z) - mp.ncdf(lo)) / (mp.ncdf(hi) - mp.ncdf(lo))
        return UNARY['ndtri'](mp.ncdf(low) + share * (mp.ncdf(high) - mp.ncdf(low)))
    return elementwise(one, shapes, out)


# ---- functions of the user's, of program-call.c

def op_user_function(shapes, ints, reals, out):
    n = out[-1] if out else 1

    def root_of(x, w):
        c, y = mp.tanh(x) / 4, w
        for _ in range(9):
            y -= (y + c * mp.sin(y) - w) / (1 + c * mp.cos(y))
        return y

    def run(x, w):
        if ints[0] in (1, 2):
            y = []
            for at in range(0, len(x), n):
                a = [[ZERO] * n for _ in range(n)]
                for i in range(n):
                    a[i][i] += 2 + mp.tanh(x[at + i]) / 2
                    a[i][n - 1 - i] += mp.sin(x[at + i]) / 2
                y += solve(a, [[b] for b in w[at:at + n]])
            return y
        f = {0: root_of, 5: lambda a, b: mp.sin(a) * b, 7: lambda a, b: mp.sin(a) * mp.cos(b),
             8: lambda a, b: mp.sin(a) * mp.cos(b), 9: lambda a, b: mp.sin(a) * mp.cos(b)
             }.get(ints[0], lambda a, b: a * b)
        return [f(a, b) for a, b in zip(x, w)]
    return run


ARRAYS = {
    'sparse_function': op_sparse_function, 'user_function': op_user_function,
    **{name: special(f) for name, f in SPECIAL.items()},
    'gamma_partial': op_gamma_partial, 'beta_partial': op_beta_partial, 'zeta_partial': op_zeta_partial,
    'gamma_path': op_gamma_path, 'gamma_slope': op_gamma_slope, 'truncated_path': op_truncated_path,
    'sparse_collect': op_collect, 'sparse_spgemm': op_spgemm, 'sparse_join': op_join,
    'sparse_linsolve': op_linsolve, 'sparse_lstsq': op_lstsq, 'sparse_logdet': op_logdet,
    'sparse_inverse': op_inverse,
    'sparse_embedding': lambda shapes, ints, reals, out: MOVES['gather'](shapes, ints, out),
    'sum_compensated': lambda shapes, ints, reals, out: MOVES['sum'](shapes, [0, -1], out),
    'max': one_winner(False), 'min': one_winner(True), 'amax': all_winners(False),
    'amin': all_winners(True), 'sort': op_sort, 'argsort': op_argsort,
    'argsort_window': op_argsort, 'argmax': op_argmax, 'argcummax': op_argcummax,
    'searchsorted': op_searchsorted, 'scatter_max': scatter_extreme(False),
    'scatter_min': scatter_extreme(True), 'as_strided': op_strided,
    'as_real': lambda shapes, ints, reals, out: lambda x: [
        f(v) for v in x for f in (mp.re, mp.im)],
    'as_complex': lambda shapes, ints, reals, out: lambda x: [
        mpc(a, b) for a, b in zip(x[::2], x[1::2])],
    'linalg_cholesky': op_cholesky, 'linalg_triangle': op_triangle,
    'linalg_triangular_solve': op_triangular, 'linalg_lu_solve': op_lu_solve,
    'fft_r2c': fourier(r2c), 'fft_c2r': fourier(c2r), 'fft_c2c': fourier(c2c),
    'fft_r2r': fourier(r2r), 'signal_frame': op_frame, 'signal_overlap_add': op_overlap_add,
    'fft_gather': op_gather, 'fft_spread': op_spread,
    'signal_allpole': op_allpole, 'signal_stft': op_stft, 'signal_stft_adjoint': op_stft_adjoint,
    'signal_stft_both': op_stft_both, 'signal_stft_both_adjoint': op_stft_both_adjoint,
    'sparse_spmm': op_spmm, 'sparse_sddmm': op_sddmm, 'sparse_scatter': op_sparse_scatter,
    'sparse_softmax': op_sparse_softmax,
    'sparse_gather': lambda shapes, ints, reals, out: lambda x: [x[3 * i + j] for i, j in PATTERN],
}


def cast(dtype):
    if dtype == 'c128':
        return lambda x: [mpc(v) for v in x]
    if dtype[0] == 'f':
        return lambda x: [mpf(v) if isinstance(v, (bool, int)) else v for v in x]
    if dtype == 'bool':
        return lambda x: [keep(lambda: truth(v)) for v in x]
    return lambda x: [int(v) if isinstance(v, (bool, int)) else int(whole(UNARY['trunc'], v))
                      for v in x]


def bits(x):
    return [keep(lambda: struct.unpack('<q', struct.pack('<d', float(v)))[0]) for v in x]


def logical_shift(dtype):
    width = 32 if dtype == 'i32' else 64

    def shift(a, b):
        v = (a & ((1 << width) - 1)) >> b
        return v - (1 << width) if v >> (width - 1) else v
    return shift


def rounded(dtype):
    """whole numbers stay whole, truths truths"""
    if dtype == 'bool':
        return lambda y: [bool(v) for v in y]
    if dtype[0] in 'iu':
        return lambda y: [int(v) for v in y]
    if dtype[0] == 'c':
        return lambda y: [mpc(v) for v in y]
    return lambda y: [mpf(v) if isinstance(v, (bool, int)) else v for v in y]


def elementwise(f, shapes, out):
    rows = list(zip(*(spread(s, out) for s in shapes)))
    return lambda *x: [f(*(a[i] for a, i in zip(x, r))) for r in rows]


def meaning(op, shapes, ints, reals, out, dtype):
    if op == 'cast':
        return cast(dtype)
    if op == 'bitcast':
        return bits
    if op == 'linalg_lu_factor':
        return lambda x: x  # read by nobody but the solve, which has the matrix too
    if op in ARRAYS:
        f = ARRAYS[op](shapes, ints, reals, out)
    elif op == 'logical_right_shift':
        f = elementwise(logical_shift(dtype), shapes, out)
    elif op in KEPT:
        g = KEPT[op]
        f = elementwise(lambda *a: keep(lambda: g(*a)), shapes, out)
    elif SMOOTH.get(op):
        f = elementwise(SMOOTH[op], shapes, out)
    else:
        f = compiled(op, shapes, ints, out, dtype)
    finish = rounded(dtype)
    return lambda *x: finish(f(*x))


# ---- programs -------------------------------------------------------------------------------------

def numbers(words, dtype):
    if dtype[0] == 'c':
        v = [mpf(float.fromhex(w)) for w in words]
        return [mpc(a, b) for a, b in zip(v[::2], v[1::2])]
    if dtype[0] == 'f':
        return [mpf(float.fromhex(w)) for w in words]
    return [bool(int(w)) if dtype == 'bool' else int(w) for w in words]


class Case:
    def __init__(self, name):
        self.name, self.shape, self.value, self.code, self.op = name, {}, {}, [], 'none'
        self.inputs, self.result, self.x, self.v, self.d, self.have = [], None, [], [], [], []

    def line(self, words):
        kind = words[0]
        if kind in ('input', 'constant'):
            v = int(words[1])
            self.shape[v] = shape_of(words[3])
            if kind == 'input':
                self.inputs.append((v, words[2]))
            else:
                self.value[v] = numbers(words[4:], words[2])
        elif kind == 'node':
            self.node(words)
        elif kind == 'result':
            self.result = int(words[1])
            self.drop_dead()
        elif kind in ('at', 'along', 'beside'):
            to = {'at': self.x, 'along': self.v, 'beside': self.d}[kind]
            to.append(numbers(words[1:], self.inputs[len(to) % len(self.inputs)][1]))
        elif kind == 'have':
            self.have.append((words[1], float.fromhex(words[2]), float.fromhex(words[3])))

    def node(self, words):
        eq, colon, semi = words.index('='), words.index(':'), words.index(';')
        results, op = [int(w) for w in words[1:eq]], words[eq + 1]
        args = [int(w) for w in words[eq + 2:colon]]
        ints = [int(w) for w in words[colon + 1:semi]]
        kinds = words[len(words) - 2 * len(results):]
        reals = [mpf(float.fromhex(w)) for w in words[semi + 1:len(words) - 2 * len(results)]]
        for v, text in zip(results, kinds[1::2]):
            self.shape[v] = shape_of(text)
        f = meaning(op, [self.shape[a] for a in args], ints, reals, self.shape[results[0]], kinds[0])
        self.code.append((results, f, args, op))

    def drop_dead(self):
        """what the result does not need may be undefined, such as 0/0"""
        live, code = {self.result}, []
        for step in reversed(self.code):
            if live.intersection(step[0]):
                live.update(step[2])
                code.append(step)
        self.code = code[::-1]

    def f(self, xs, path):
        CHOICES.start(path)
        val = dict(self.value)
        for (v, _), x in zip(self.inputs, xs):
            val[v] = x
        for results, f, args, op in self.code:
            self.op = op
            y = f(*(val[a] for a in args))
            for v in results:
                val[v] = y
        return val[self.result][0]

    def along(self, k):
        n = len(self.inputs)
        return self.v[n * k:n * (k + 1)]

    def nest(self, word, xs, path):
        """the scalar function that a word makes of the program"""
        if not word:
            return self.f(xs, path)
        letter, rest = word[0], word[1:]
        if letter in DERIVATIVES:
            k = sum(c in DERIVATIVES for c in rest)
            mid = self.nest(rest, xs, path)
            up, down = (self.nest(rest, moved(xs, t, self.along(k)), path) for t in (STEP, -STEP))
            if letter not in 'KHO':
                return (up - down) / (2 * STEP)
            second = (up - 2 * mid + down) / (STEP * STEP)
            if letter != 'O':
                return second
            up, down = (self.nest(rest, moved(xs, t, self.along((k + 1) % 3)), path) for t in (STEP, -STEP))
            return second - (up - down) / (4 * STEP)
        if letter in 'BM':
            return mp.fsum(w * self.nest(rest, moved(xs, mpf(c), self.d), path + (k,))
                           for k, (c, w) in enumerate(zip(LANE_AT, LANE_WEIGHT)))
        if letter in 'SW':
            carried = slices = ZERO
            for k, c in enumerate(TURN_AT):
                t = c + mp.tanh(carried) / 64
                y = self.nest(rest, moved(xs, t, self.d), path + (k,))
                carried, slices = carried + y, slices + y
            return carried + 2 * slices
        return self.nest(rest, xs, path)

    def judge(self):
        bad, worst = [], 0.0
        for word, have, allowed in self.have:
            CHOICES.made, CHOICES.close = {}, False
            try:
                want = self.nest('' if word == '-' else word, self.x, ())
            except ZeroDivisionError:
                want = mp.nan
            if not mp.isfinite(want):  # undefined there, or a shifted point left the domain of an op
                bad.append(('near', '%s is %.17g, the program is undefined: %s' % (word, have, self.op)))
                continue
            error = float(abs(mpf(have) - want))
            worst = max(worst, error / max(1, abs(float(want))))
            if not error <= allowed:
                bad.append(('near' if CHOICES.close else 'bad',
                            '%s is %.17g, not %s: off by %.1e, allowed %.1e'
                            % (word, have, mp.nstr(want, 17), error, allowed)))
        return worst, bad


LANE_AT, LANE_WEIGHT = (0, 0.015625, -0.01171875), (0.7, -1.1, 0.9)
TURN_AT = (mpf(0.0068359375), mpf(-0.0126953125))


def moved(xs, t, vs):
    return [[a + t * b for a, b in zip(x, v)] for x, v in zip(xs, vs)]


def verdict(lines):
    name = lines[0].split()[1]
    case = Case(name)
    try:
        for words in map(str.split, lines[1:]):
            case.line(words)
        worst, bad = case.judge()
        return name, len(case.have), worst, bad
    except Exception as e:  # noqa: BLE001 - a program it cannot follow is a finding
        return name, 0, math.inf, [('bad', '%s: %r' % (case.op, e))]


def cases(text):
    lines = []
    for line in text:
        if line.strip() == 'end':
            yield lines
            lines = []
        elif not line.startswith('#'):
            lines.append(line)


def main():
    n = words = close = 0
    worst = (0.0, 'none')
    with open(sys.argv[1]) as text, multiprocessing.Pool(min(2, os.cpu_count() or 1)) as workers:
        for name, m, error, bad in workers.imap_unordered(verdict, cases(text), 4):
            n, words = n + 1, words + m
            if not bad:
                worst = max(worst, (error, name))
            for kind, what in bad:
                close += kind == 'near'
                if kind == 'bad':
                    print('bad', name, what)
    print('judged %d words of %d programs, %d of them where rounding chose or beyond a domain, worst error %.1e of %s'
          % (words, n, close, *worst))


if __name__ == '__main__':
    main()
