#!/usr/bin/env python3
"""compare-linalg.py - linear algebra beside NumPy and SciPy over random calls

    compare-linalg.py BUILD [--calls 20000] [--seed 1] [--only REGEX] [--case INDEX]

BUILD is a folder with .libs/libagnesi.so. Case number i of a seed is always the same: --case i repeats
it. With --spoil 1e-2 nearly every case is WRONG for most of its calls: that tries the judge. Matrices
have f32, f64, c64 or c128, rows or columns that are contiguous or neither, sizes from 0, batches, numbers from 1e-300 to 1e300, ranks below full, equal values, NaN. What is returned with OK is
held against its definition (residuals and orthogonality, in long double) or against NumPy's and SciPy's
value; a refusal is counted, and told where SciPy has an answer that fits. Exit status 1: some answer
was finite and wrong, or a regular matrix was refused.
"""
import argparse
import collections
import ctypes as c
import os
import re
import sys
import warnings

import numpy as np
import scipy.linalg as sl

warnings.filterwarnings("ignore")
np.seterr(all="ignore")
options = argparse.ArgumentParser()
options.add_argument("build")
options.add_argument("--calls", type=int, default=20000)
options.add_argument("--seed", type=int, default=1)
options.add_argument("--only", default="")
options.add_argument("--case", type=int, default=-1)
options.add_argument("--spoil", type=float, default=0, help="add this part to one number of each result")
opt = options.parse_args()

# ---- calls ---------------------------------------------------------------------------------

lib = c.CDLL(os.path.join(opt.build, ".libs", "libagnesi.so"))
P, L = c.c_void_p, c.c_int64
CODES = {"bool": 0, "int32": 4, "int64": 5, "float32": 8, "float64": 9, "complex64": 10, "complex128": 11}
NAMES = {v: k for k, v in CODES.items()}
lib.agn_shape.restype = c.POINTER(L)
lib.agn_error_message.restype = c.c_char_p
for f in (lib.agn_shape, lib.agn_ndim, lib.agn_dtype_of, lib.agn_release):
    f.argtypes = [P]
lib.agn_to_host.argtypes = [P, P, c.c_size_t]


def must(st):
    if st:
        raise RuntimeError(lib.agn_error_message().decode())


def give(x, layout):
    """a tensor of x: by rows, by columns (a view), or every second element of a larger one"""
    out = P()
    x = np.asarray(x)
    if layout == 1 and x.ndim >= 2:
        stored = np.ascontiguousarray(np.swapaxes(x, -1, -2))
    elif layout == 2 and x.ndim >= 2:
        stored = np.full(x.shape[:-1] + (2 * x.shape[-1],), -7, x.dtype)
        stored[..., ::2] = x
    else:
        layout, stored = 0, np.ascontiguousarray(x).reshape(x.shape)
    must(lib.agn_from_host(c.byref(out), CODES[x.dtype.name], stored.ndim, (L * max(1, stored.ndim))(*stored.shape),
                           stored.ctypes.data_as(P)))
    if not layout:
        return out
    view = P()
    if layout == 1:
        must(lib.agn_swapaxes(c.byref(view), out, -1, -2))
    else:
        n = stored.ndim
        must(lib.agn_slice(c.byref(view), out, n, (L * n)(*[0] * n), (L * n)(*stored.shape),
                           (L * n)(*[1] * (n - 1), 2)))
    lib.agn_release(out)
    return view


def take(x):
    n = lib.agn_ndim(x)
    shape = tuple(lib.agn_shape(x)[i] for i in range(n))
    y = np.empty(shape, NAMES[lib.agn_dtype_of(x)])
    must(lib.agn_to_host(y.ctypes.data_as(P), x, y.nbytes))
    lib.agn_release(x)
    if opt.spoil and y.size and y.dtype.kind in "fc":
        at = np.unravel_index(np.argmax(np.abs(y)), y.shape)
        y[at] *= 1 + opt.spoil
    return y


class Refused(Exception):
    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


def call(name, results, *args, layout=0):
    outs, given, raw = [P() for _ in range(results)], [], []
    for a in args:
        if isinstance(a, (np.ndarray, np.generic)):
            given.append(give(a, layout))
            raw.append(given[-1])
        elif isinstance(a, float):
            raw.append(c.c_double(a))
        elif a is None:
            raw.append(P())
        elif isinstance(a, c.Structure):
            raw.append(c.byref(a))
        else:
            raw.append(L(int(a)))
    st = getattr(lib, "agn_linalg_" + name)(*[c.byref(o) for o in outs], *raw)
    for g in given:
        lib.agn_release(g)
    if st:
        raise Refused(st, lib.agn_error_message().decode())
    ys = [take(o) for o in outs]
    return ys if results > 1 else ys[0]


class Triangular(c.Structure):
    _fields_ = [("size", c.c_size_t), ("form", c.c_int), ("upper", c.c_bool), ("unit", c.c_bool), ("right", c.c_bool)]


# ---- matrices --------------------------------------------------------------------------------

SIZES = [0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17, 24, 33, 40]
KINDS = ("normal normal normal normal integer scaled graded rows low-rank equal-values identity zero triangular "
         "ill-conditioned orthogonal permutation jordan one-nan one-inf tiny huge").split()


class Case:
    """random numbers of one call, with what the report says of them"""

    def __init__(self, seed, index):
        self.rng = np.random.default_rng([seed, index])
        self.dtype = np.dtype(self.rng.choice(["float32", "float64", "complex64", "complex128"]))
        self.layout = int(self.rng.integers(0, 3))
        self.batch = [(), (), (), (), (2,), (3, 2), (5,), (0,)][self.rng.integers(0, 8)]
        self.kind = str(self.rng.choice(KINDS))
        self.eps = float(np.finfo(self.dtype).eps)
        self.tiny = float(np.finfo(self.dtype).tiny)
        self.complex = self.dtype.kind == "c"
        self.decades = 30 if self.eps > 1e-10 else 290
        self.notes = []

    def size(self, least=0, most=40):
        return int(self.rng.choice([n for n in SIZES if least <= n <= most]))

    def normal(self, *shape):
        x = self.rng.standard_normal(shape)
        if self.complex:
            x = x + 1j * self.rng.standard_normal(shape)
        return x

    def as_dtype(self, x):
        return np.asarray(x).astype(self.dtype)

    def unitary(self, n):
        return np.linalg.qr(self.normal(*self.batch, n, n))[0] if n and 0 not in self.batch else self.normal(*self.batch, n, n)

    def matrix(self, m, n, kinds=None):
        kind = self.kind if not kinds or self.kind in kinds else "normal"
        self.notes.append("%s %dx%d" % (kind, m, n))
        rng, b, k = self.rng, self.batch, min(m, n)
        x = self.normal(*b, m, n)
        some = x.size > 0
        if kind == "integer":
            x = rng.integers(-3, 4, (*b, m, n)).astype(float)
        elif kind == "scaled":
            x = x * 10.0 ** rng.integers(-self.decades // 2, self.decades // 2)
        elif kind == "tiny":
            x = x * 10.0 ** -self.decades
        elif kind == "huge":
            x = x * 10.0 ** self.decades
        elif kind == "graded":
            x = x * 10.0 ** np.linspace(0, -rng.integers(1, 12), n) if n else x
        elif kind == "rows":
            x = x * 10.0 ** rng.integers(-6, 7, (m, 1)).astype(float)
        elif kind == "low-rank":
            r = int(rng.integers(0, k + 1)) if k else 0
            x = self.normal(*b, m, r) @ self.normal(*b, r, n)
        elif kind == "equal-values" and m == n and some:
            q = self.unitary(n)
            x = (q * rng.integers(1, 3, n)) @ np.conj(np.swapaxes(q, -1, -2))
        elif kind == "identity":
            x = np.broadcast_to(np.eye(m, n) * rng.integers(1, 4), (*b, m, n))
        elif kind == "zero":
            x = np.zeros((*b, m, n))
        elif kind == "triangular":
            x = np.tril(x) if rng.integers(2) else np.triu(x)
        elif kind == "ill-conditioned" and some:
            u, _, vh = np.linalg.svd(x, full_matrices=False)
            x = (u * 10.0 ** np.linspace(0, -rng.integers(4, 18), k)) @ vh
        elif kind == "orthogonal" and some:
            x = np.linalg.svd(x, full_matrices=False)
            x = x[0] @ x[2]
        elif kind == "permutation" and m == n:
            x = np.broadcast_to(np.eye(n)[rng.permutation(n)], (*b, n, n))
        elif kind == "jordan" and m == n:
            x = np.broadcast_to(np.eye(n) * rng.integers(-1, 3) + np.eye(n, k=1), (*b, n, n))
        elif kind in ("one-nan", "one-inf") and some:
            x = x.copy()
            x.reshape(-1)[rng.integers(x.size)] = np.nan if kind == "one-nan" else np.inf
        return self.as_dtype(x)

    def hermitian(self, n, **how):
        x = self.matrix(n, n, **how)
        y = np.tril(x, -1)
        d = np.diagonal(x, axis1=-2, axis2=-1).real
        return self.as_dtype(y + np.conj(np.swapaxes(y, -1, -2)) + d[..., None] * np.eye(n)) if n else x

    def definite(self, n):
        scale = 10.0 ** self.rng.integers(-self.decades // 2, self.decades // 2) if self.rng.integers(3) == 0 else 1
        x = self.normal(*self.batch, n, n + 2)
        if self.rng.integers(3) == 0 and n:
            x = x * (10.0 ** np.linspace(0, -self.rng.integers(1, 3), n))[:, None]
        self.notes.append("definite %d" % n)
        return self.as_dtype((x @ H(x) / (n + 2)) * scale)


# ---- judging ---------------------------------------------------------------------------------

def H(x):
    return np.conj(np.swapaxes(x, -1, -2))


def wide(x):
    return np.asarray(x).astype(np.clongdouble if np.asarray(x).dtype.kind == "c" else np.longdouble)


def mm(*xs):
    y = wide(xs[0])
    for x in xs[1:]:
        y = y @ wide(x)
    return y


def size(x):
    return np.sqrt(np.sum(np.abs(wide(x)) ** 2, axis=(-2, -1)))


class Wrong(Exception):
    pass


def near(k, what, left, right, scale, factor=60):
    """|left - right| <= factor n eps scale, matrix by matrix; NaN on the left is an honest answer"""
    if np.size(left) == 0:
        return
    d = size(wide(left) - wide(right))
    n = max([4, *np.shape(left)[-2:]])
    bound = factor * n * k.eps * wide(scale) + n * k.tiny
    bad = ~np.isnan(d) & (~(d <= bound))
    if np.any(bad):
        raise Wrong("%s: error %.3g, bound %.3g" % (what, float(np.max(np.where(bad, d, 0))),
                                                    float(np.max(np.where(bad, bound, 0)))))


def orthonormal(k, what, q, factor=60):
    near(k, what, mm(H(q), q), np.broadcast_to(np.eye(q.shape[-1]), (*q.shape[:-2], q.shape[-1], q.shape[-1])),
         1.0, factor)


def column(x):
    return x[..., None]


def values_near(k, what, left, right, scale, factor=60):
    """the same of numbers [...]"""
    near(k, what, np.asarray(left)[..., None, None], np.asarray(right)[..., None, None], scale, factor)


def triangular(what, x, upper, below=0):
    y = np.tril(x, -1 - below) if upper else np.triu(x, 1 + below)
    if np.any((y != 0) & ~np.isnan(y)):
        raise Wrong(what + ": not triangular")


def expect(held, what):
    if not held:
        raise Wrong(what)


def finite(*xs):
    return all(np.all(np.isfinite(x)) for x in xs)


def regular(a, eps, bound=0.05):
    """condition after scaling of rows and columns by their largest entries, for refusals"""
    if not finite(a) or a.size == 0:
        return a.size == 0
    x = wide(a)
    for axis in (-1, -2, -1):
        top = np.max(np.abs(x), axis=axis, keepdims=True)
        if np.any(top == 0):
            return False
        x = x / top
    s = np.linalg.svd(x.astype(np.complex128), compute_uv=False)
    return bool(np.all(s[..., -1] > s[..., 0] * eps * a.shape[-1] / bound))


def allowed(k, held, r):
    """a refusal where there is no answer"""
    if not held:
        raise Wrong("refused: " + str(r))
    raise r


CASES = []


def case(f):
    CASES.append(f)
    return f


def pick(k, *options):
    return options[k.rng.integers(len(options))]


# ---- systems --------------------------------------------------------------------------------

def residual(k, what, a, x, b, factor=60):
    vector = b.ndim == 1
    x, b = (column(x), column(b)) if vector else (x, b)
    near(k, what, mm(a, x), np.broadcast_to(b, mm(a, x).shape), size(a) * size(x) + size(b), factor)


def right_side(k, n):
    r = k.rng.integers(4)
    if r == 0:
        return k.as_dtype(k.normal(n))
    return k.as_dtype(k.normal(*(k.batch if r < 3 else ()), n, k.size(0, 9)))


def solve_like(name, results=1):
    def run(k):
        n = k.size()
        a, b = k.matrix(n, n), right_side(k, n)
        if k.rng.integers(3) == 0:
            a = pick(k, lambda x: np.tril(np.triu(x, -1), 1), np.tril, np.triu, lambda x: k.as_dtype(x + H(x)),
                     lambda x: k.as_dtype(x + np.swapaxes(x, -1, -2)))(a)
        try:
            y = call(name, results, a, b, layout=k.layout)
        except Refused as r:
            allowed(k, not regular(a, k.eps), r)
        residual(k, name, a, y[0] if results > 1 else y, b)
        if regular(a, k.eps, 1e-4) and finite(a) and k.kind not in ("tiny", "huge", "scaled"):
            expect(finite(y[0] if results > 1 else y), name + ": not finite")
    run.__name__ = name
    CASES.append(run)


solve_like("solve")
solve_like("solve_structured", 2)
solve_like("solve_refined", 4)
solve_like("solve_mixed", 2)
solve_like("solve_ex", 2)


@case
def solve_right(k):
    n = k.size()
    a, b = k.matrix(n, n), k.as_dtype(k.normal(*k.batch, k.size(0, 5), n))
    try:
        x = call("solve_right", 1, a, b, layout=k.layout)
    except Refused as r:
        allowed(k, not regular(a, k.eps), r)
    residual(k, "solve_right", np.swapaxes(a, -1, -2), np.swapaxes(x, -1, -2), np.swapaxes(b, -1, -2))


@case
def inv(k):
    n = k.size()
    a, name = k.matrix(n, n), pick(k, "inv", "inv_ex")
    try:
        x = call(name, 1 + (name == "inv_ex"), a, layout=k.layout)
    except Refused as r:
        allowed(k, not regular(a, k.eps), r)
    x = x[0] if name == "inv_ex" else x
    # columns are solutions: each residual against its own size
    near(k, name, mm(a, x), np.broadcast_to(np.eye(n), x.shape), size(a) * size(x) + n ** 0.5)


@case
def determinants(k):
    n = k.size(0, 24)
    a = k.matrix(n, n)
    try:
        d, (sign, log) = call("det", 1, a, layout=k.layout), call("slogdet", 2, a, layout=k.layout)
    except Refused as r:
        allowed(k, not finite(a), r)
    s2, l2 = np.linalg.slogdet(a.astype(np.complex128 if k.complex else np.float64))
    cond = np.linalg.cond(a.astype(complex)) if n and a.size else np.ones(k.batch)
    sure = cond * k.eps * n < 1e-2
    values_near(k, "sign", np.where(sure, sign, 0), np.where(sure, s2, 0), np.where(sure, cond, 1), 20)
    values_near(k, "logabs", np.where(sure, log, 0), np.where(sure, l2, 0),
                np.where(sure, cond + np.abs(l2), 1), 20)
    want = wide(s2) * np.exp(wide(l2))
    inside = sure & (np.abs(want) < np.finfo(k.dtype).max) & (np.abs(want) > k.tiny)
    values_near(k, "det", np.where(inside, d, 0), np.where(inside, want, 0),
                np.where(inside, np.abs(want) * (cond + np.abs(l2)), 1), 20)


@case
def triangular_solve_with(k):
    n = k.size()
    a, o = k.matrix(n, n, ["normal", "integer", "scaled", "identity", "one-nan", "zero"]), Triangular()
    o.size, o.form = c.sizeof(Triangular), int(k.rng.integers(3))
    o.upper, o.unit, o.right = (bool(k.rng.integers(2)) for _ in range(3))
    shape = (k.size(0, 5), n) if o.right else (n, k.size(0, 5))
    b = k.as_dtype(k.normal(*k.batch, *shape))
    t = np.triu(a) if o.upper else np.tril(a)
    if o.unit:
        t = k.as_dtype(t - t * np.eye(n) if finite(a) else np.where(np.eye(n) > 0, 0, t)) + np.eye(n, dtype=k.dtype)
    try:
        x = call("triangular_solve_with", 1, a, b, o, layout=k.layout)
    except Refused as r:
        allowed(k, np.any(np.diagonal(t, axis1=-2, axis2=-1) == 0), r)
    op = [t, np.swapaxes(t, -1, -2), H(t)][o.form]
    if finite(t):
        if o.right:
            near(k, "x op(a)", mm(x, op), b, size(op) * size(x) + size(b))
        else:
            near(k, "op(a) x", mm(op, x), b, size(op) * size(x) + size(b))


@case
def cholesky(k):
    n, upper = k.size(), bool(k.rng.integers(2))
    good = k.rng.integers(3) > 0
    a = k.definite(n) if good else k.hermitian(n)
    name = pick(k, "cholesky", "cholesky_ex")
    try:
        l = call(name, 1 + (name == "cholesky_ex"), a, upper, layout=k.layout)
    except Refused as r:
        s = np.linalg.eigvalsh(wide(a).astype(complex) / max(1e-300, float(np.max(np.abs(wide(a)))))) if finite(a) else None
        allowed(k, s is None or np.any(s[..., 0] <= s[..., -1] * n * k.eps * 40), r)
    l = l[0] if name == "cholesky_ex" else l
    triangular(name, l, upper)
    near(k, name, mm(H(l), l) if upper else mm(l, H(l)), a, size(a))
    if n and finite(l) and k.batch == () and name == "cholesky" and finite(a):
        b = right_side(k, n)
        residual(k, "cholesky_solve", a, call("cholesky_solve", 1, l, b, upper, layout=k.layout), b)
        x = call("cholesky_inverse", 1, l, upper, layout=k.layout)
        near(k, "cholesky_inverse", mm(a, x), np.eye(n), size(a) * size(x) * n)


@case
def lu(k):
    m, n = k.size(), k.size()
    a = k.matrix(m, n)
    try:
        p, l, u = call("lu", 3, a, layout=k.layout)
        packed, perm = call("lu_factor", 2, a, layout=k.layout)
    except Refused as r:
        allowed(k, not finite(a) or k.kind == "huge", r)
    triangular("l", l, False)
    triangular("u", u, True)
    near(k, "p l u", mm(p, l, u), a, size(l) * size(u) + size(a))
    expect(np.all(np.abs(l) <= 1 + 4 * k.eps) or k.complex and np.all(np.abs(l) <= 2 ** 0.5 + 1e-6), "pivots are not the largest")
    rows = np.take_along_axis(a, perm[..., None], axis=-2)
    near(k, "a[perm]", mm(l, u), rows, size(l) * size(u) + size(a))
    if m == n:
        b, form = right_side(k, n), int(k.rng.integers(3))
        try:
            x = call("lu_solve", 1, packed, perm, b, form, layout=k.layout)
        except Refused as r:
            allowed(k, not regular(a, k.eps), r)
        op = [a, np.swapaxes(a, -1, -2), H(a)][form]
        vector = b.ndim == 1
        x, b = (column(x), column(b)) if vector else (x, b)
        y = mm(op, x)
        near(k, "lu_solve", y, np.broadcast_to(b, y.shape), size(l) * size(u) * size(x) + size(b))


@case
def ldl(k):
    n, upper = k.size(), bool(k.rng.integers(2))
    hermitian = bool(k.rng.integers(2)) or not k.complex
    a = k.hermitian(n)
    if not hermitian:
        a = k.as_dtype(np.tril(a, -1) + np.swapaxes(np.tril(a, -1), -1, -2) + np.eye(n) * a)
    try:
        l, d, perm = call("ldl_factor", 3, a, upper, hermitian, layout=k.layout)
    except Refused as r:
        allowed(k, not finite(a) or k.kind == "huge", r)
    triangular("l", l, False)
    triangular("d", d, True, 1)
    triangular("d", d, False, 1)
    rows = np.take_along_axis(np.take_along_axis(a, perm[..., None], -2), perm[..., None, :], -1)
    lt = H(l) if hermitian else np.swapaxes(l, -1, -2)
    near(k, "l d l", mm(l, d, lt), rows, size(l) ** 2 * size(d) / max(n, 1) + size(a))
    if regular(a, k.eps, 1e-3) and n:
        b = right_side(k, n)
        x = call("ldl_solve", 1, l, d, perm, b, hermitian, layout=k.layout)
        residual(k, "ldl_solve", a, x, b, 600)


@case
def solve_banded(k):
    n = k.size(1)
    lower, upper = int(k.rng.integers(0, min(n, 4))), int(k.rng.integers(0, min(n, 4)))
    ab, b = k.matrix(lower + upper + 1, n), right_side(k, n)
    a = np.zeros((*k.batch, n, n), k.dtype)
    for i in range(n):
        for j in range(max(0, i - lower), min(n, i + upper + 1)):
            a[..., i, j] = ab[..., upper + i - j, j]
    try:
        x = call("solve_banded", 1, ab, b, lower, upper, layout=k.layout)
    except Refused as r:
        allowed(k, not regular(a, k.eps), r)
    residual(k, "solve_banded", a, x, b)


@case
def solve_tridiagonal(k):
    n = k.size(1)
    d, b = k.matrix(1, n)[..., 0, :], right_side(k, n)
    dl, du = k.as_dtype(k.normal(*k.batch, n - 1)), k.as_dtype(k.normal(*k.batch, n - 1))
    a = np.zeros((*k.batch, n, n), k.dtype)
    for i in range(n):
        a[..., i, i] = d[..., i]
        if i:
            a[..., i, i - 1], a[..., i - 1, i] = dl[..., i - 1], du[..., i - 1]
    try:
        x = call("solve_tridiagonal", 1, dl, d, du, b)
    except Refused as r:
        allowed(k, not regular(a, k.eps), r)
    residual(k, "solve_tridiagonal", a, x, b)


@case
def solve_toeplitz(k):
    n = k.size(1)
    cc, r = k.matrix(1, n)[..., 0, :], k.as_dtype(k.normal(*k.batch, n))
    b, given = right_side(k, n), bool(k.rng.integers(2))
    t = call("toeplitz", 1, cc, r if given else None)
    i, j = np.indices((n, n))
    want = np.where(i >= j, cc[..., np.abs(i - j)], (r if given else np.conj(cc))[..., np.abs(i - j)])
    expect(np.array_equal(t, want, equal_nan=True), "toeplitz differs")
    try:
        x = call("solve_toeplitz", 1, cc, r if given else None, b)
    except Refused as e:
        allowed(k, not regular(t, k.eps), e)
    residual(k, "solve_toeplitz", t, x, b)
    x = k.as_dtype(k.normal(*k.batch, n, 2))
    y = call("matmul_toeplitz", 1, cc, r if given else None, x)
    if finite(t):
        near(k, "matmul_toeplitz", y, mm(t, x), size(t) * size(x))


@case
def solve_circulant(k):
    n = k.size(1)
    cc, b = k.matrix(1, n)[..., 0, :], right_side(k, n)
    a = call("circulant", 1, cc)
    x = call("solve_circulant", 1, cc, b)
    residual(k, "solve_circulant", a, x, b)
    if regular(a, k.eps, 1e-4) and k.kind not in ("tiny", "huge", "scaled"):
        expect(finite(x), "regular circulant is NaN")


# ---- orthogonal factors ------------------------------------------------------------------------

@case
def qr(k):
    m, n, complete = k.size(), k.size(), bool(k.rng.integers(2))
    a, name = k.matrix(m, n), pick(k, "qr", "qr_pivoted", "rq")
    try:
        if name == "qr":
            q, r = call("qr", 2, a, complete, layout=k.layout)
        elif name == "rq":
            r, q = call("rq", 2, a, layout=k.layout)
        else:
            q, r, perm = call("qr_pivoted", 3, a, complete, layout=k.layout)
            d = np.abs(np.diagonal(r, axis1=-2, axis2=-1))
            if d.shape[-1]:
                expect(np.all(d[..., 1:] <= d[..., :-1] * 1.001 + np.max(d, initial=0) * 1000 * k.eps), "diagonal rises")
            a = np.take_along_axis(a, perm[..., None, :], -1) if a.size else a
    except Refused as e:
        allowed(k, not finite(a), e)
    if name == "rq":
        orthonormal(k, name, H(q))
        near(k, name, mm(r, q), a, size(a))
    else:
        orthonormal(k, name, q)
        triangular(name, r, True)
        near(k, name, mm(q, r), a, size(a))


@case
def geqrf(k):
    m, n = k.size(), k.size()
    m, n = max(m, n), min(m, n)
    a = k.matrix(m, n)
    try:
        packed, tau = call("geqrf", 2, a, layout=k.layout)
    except Refused as e:
        allowed(k, not finite(a), e)
    q = call("householder_product", 1, packed, tau, layout=k.layout)
    orthonormal(k, "householder_product", q)
    near(k, "geqrf", mm(q, np.triu(packed)[..., :n, :]), a, size(a))
    x = k.as_dtype(k.normal(*k.batch, m, 3))
    y = call("ormqr", 1, packed, tau, x, True, True, layout=k.layout)
    near(k, "ormqr", y[..., :n, :], mm(H(q), x), size(x))
    near(k, "ormqr", size(y)[..., None, None], size(x)[..., None, None], size(x))


@case
def svd(k):
    m, n, full = k.size(), k.size(), bool(k.rng.integers(2))
    a = k.matrix(m, n)
    try:
        u, s, vh = call("svd", 3, a, full, layout=k.layout)
        s1 = call("svdvals", 1, a, layout=k.layout)
    except Refused as e:
        allowed(k, not finite(a), e)
    orthonormal(k, "u", u)
    orthonormal(k, "v", H(vh))
    r = min(m, n)
    near(k, "u s vh", mm(u[..., :r] * s[..., None, :].astype(np.longdouble), vh[..., :r, :]), a, size(a))
    expect(np.all(s >= 0) and np.all(np.diff(s, axis=-1) <= 0), "values are not in order")
    near(k, "svdvals", column(s1), column(s), size(a))
    if a.size and k.batch == () and np.max(np.abs(a)) < 1e250:
        near(k, "numpy", column(s), column(np.linalg.svd(a.astype(complex), compute_uv=False)), size(a))


@case
def polar(k):
    m, n = k.size(), k.size()
    a = k.matrix(max(m, n), min(m, n))
    try:
        u, h = call("polar", 2, a, layout=k.layout)
    except Refused as e:
        allowed(k, not finite(a), e)
    orthonormal(k, "polar u", u)
    near(k, "u h", mm(u, h), a, size(a))
    near(k, "h", h, H(h), size(a))
    if h.size:
        w = np.linalg.eigvalsh(wide(h).astype(complex) / np.maximum(1e-300, np.max(np.abs(h).astype(float))))
        expect(np.all(w > -1e3 * k.eps), "h is indefinite")


@case
def pinv(k):
    m, n = k.size(), k.size()
    hermitian = k.rng.integers(3) == 0
    a = k.hermitian(n) if hermitian else k.matrix(m, n)
    if k.kind == "ill-conditioned" or k.kind == "graded" or k.kind == "rows":
        return
    try:
        if hermitian:
            x = call("pinv_hermitian", 1, a, -1.0, False, layout=k.layout)
            expect(np.array_equal(x, H(x), equal_nan=True), "not Hermitian")
        else:
            x = call("pinv", 1, a, -1.0, layout=k.layout)
    except Refused as e:
        allowed(k, not finite(a), e)
    if k.kind == "tiny" or (k.kind == "huge" and k.eps > 1e-10):
        return  # reciprocals leave the range
    scale = size(a) * size(x)
    near(k, "a x a", mm(a, x, a), a, size(a) * scale)
    near(k, "x a x", mm(x, a, x), x, size(x) * scale)
    near(k, "a x", mm(a, x), H(mm(a, x)), scale)
    near(k, "x a", mm(x, a), H(mm(x, a)), scale)
    want = np.linalg.matrix_rank(a.astype(np.complex128), rtol=max(m, n) * k.eps) if not hermitian and a.size else None
    if want is not None and finite(a):
        rank = call("matrix_rank", 1, a, -1.0, layout=k.layout)
        expect(k.kind != "normal" or np.array_equal(rank, want), "rank %s, numpy %s" % (rank, want))


@case
def lstsq(k):
    m, n = k.size(1), k.size(1)
    a, b = k.matrix(m, n), k.as_dtype(k.normal(*k.batch, m, k.size(1, 5)))
    driver = int(k.rng.integers(-2, 4))
    try:
        if driver == -2:
            x = call("lstsq", 1, a, b, layout=k.layout)
        elif driver == -1:
            x = call("lstsq_min_norm", 2, a, b, -1.0, layout=k.layout)[0]
        else:
            x = call("lstsq_with", 3, a, b, driver, -1.0, layout=k.layout)[0]
    except Refused as e:
        low = not finite(a) or (driver in (-2, 0) and not regular_rank(a, k.eps))
        allowed(k, low or k.kind in ("tiny", "huge", "scaled"), e)
    r = mm(a, x) - wide(b)
    # normal equations, with a condition of the truncation for ranks that are not sharp
    if k.kind not in ("ill-conditioned", "graded", "rows", "tiny", "huge"):
        near(k, "a^H r, driver %d" % driver, mm(H(a), r), 0 * mm(H(a), r), size(a) * (size(a) * size(x) + size(b)))
        if a.size and finite(a, x) and k.kind != "scaled":
            want = mm(np.linalg.pinv(a.astype(np.complex128), rcond=max(m, n) * k.eps), b)
            s = np.linalg.svd(a.astype(complex), compute_uv=False)
            rank = np.maximum(1, np.sum(s > max(m, n) * k.eps * s[..., :1], axis=-1))
            cond = s[..., 0] / np.maximum(np.take_along_axis(s, (rank - 1)[..., None], -1)[..., 0], 1e-300)
            near(k, "pinv b, driver %d" % driver, x, want, cond ** 2 * (size(want) + size(b) / np.maximum(s[..., 0], 1e-300)))


def regular_rank(a, eps):
    if not finite(a):
        return False
    s = np.linalg.svd(a.astype(complex), compute_uv=False)
    return bool(np.all(s[..., -1] > s[..., 0] * eps * max(a.shape[-2:]) * 20))


@case
def bases(k):
    m, n = k.size(1), k.size(1)
    a = k.matrix(m, n, ["normal", "integer", "low-rank", "identity", "zero", "one-nan", "orthogonal", "equal-values"])
    if not finite(a) or a.size == 0:
        rank = 0
    else:
        rank = int(np.min(np.linalg.matrix_rank(a.astype(complex), rtol=max(m, n) * k.eps)))
    try:
        q, z = call("orth", 1, a, rank, -1.0, layout=k.layout), call("null_space", 1, a, rank, -1.0, layout=k.layout)
        u, t, vh = call("complete_orthogonal", 3, a, rank, -1.0, layout=k.layout)
    except Refused as e:
        allowed(k, not finite(a), e)
    for name, x in (("orth", q), ("null_space", z), ("u", u), ("v", H(vh))):
        orthonormal(k, name, x)
    near(k, "orth", mm(q, H(q), a), a, size(a))
    near(k, "null_space", mm(a, z), 0 * mm(a, z), size(a))
    near(k, "complete_orthogonal", mm(u, t, vh), a, size(a), 200)


@case
def subspace_angles(k):
    m, p, n = k.size(1), k.size(1, 6), k.size(1, 6)
    m = max(m, p, n)
    a, b = k.matrix(m, p, ["normal", "identity", "scaled"]), k.matrix(m, n, ["normal", "identity", "scaled"])
    got = call("subspace_angles", 1, a, b, layout=k.layout)
    if k.batch == () and k.kind != "scaled":
        want = sl.subspace_angles(a.astype(complex), b.astype(complex))
        got, want = np.sort(got), np.sort(want)
        want = np.where((want < 1e-7) & (got < 1e-7), got, want)  # SciPy has 3e-8 for 0
        near(k, "subspace_angles", column(got), column(want), np.linalg.cond(a.astype(complex)) + np.linalg.cond(b.astype(complex)))


@case
def procrustes(k):
    m, n = k.size(1), k.size(1, 12)
    a, b = k.matrix(m, n, ["normal", "integer", "identity"]), k.as_dtype(k.normal(*k.batch, m, n))
    q = call("procrustes", 1, a, b, layout=k.layout)
    orthonormal(k, "procrustes", q)
    got = np.real(np.trace(mm(H(q), H(a), b), axis1=-2, axis2=-1))
    want = np.sum(np.linalg.svd(mm(H(a), b).astype(complex), compute_uv=False), -1) if 0 not in k.batch else got
    values_near(k, "procrustes", got, want, size(a) * size(b))


# ---- eigenvalues ------------------------------------------------------------------------------

def same_values(k, what, left, right, scale, factor=1e3):
    """each number of one set has a partner in the other"""
    if not finite(left, right) or left.size == 0:
        return
    for x, y in zip(left.reshape(-1, left.shape[-1]), right.reshape(-1, right.shape[-1])):
        y = list(y)
        for v in x:
            j = int(np.argmin(np.abs(np.array(y) - v)))
            if abs(y[j] - v) > factor * k.eps * scale:
                raise Wrong("%s: value %s, next %s" % (what, v, y[j]))
            del y[j]


@case
def eigh(k):
    n, upper = k.size(), bool(k.rng.integers(2))
    a = k.hermitian(n)
    try:
        w, v = call("eigh", 2, a, upper, layout=k.layout)
        w1 = call("eigvalsh", 1, a, upper, layout=k.layout)
    except Refused as e:
        allowed(k, not finite(a), e)
    orthonormal(k, "eigh", v)
    near(k, "a v", mm(a, v), wide(v) * w[..., None, :], size(a))
    expect(np.all(np.diff(w, axis=-1) >= 0), "values are not in order")
    near(k, "eigvalsh", column(w1), column(w), size(a))


@case
def eig(k):
    n = k.size(0, 24)
    a = k.matrix(n, n)
    try:
        w, v = call("eig", 2, a, layout=k.layout)
        w1 = call("eigvals", 1, a, layout=k.layout)
    except Refused as e:
        allowed(k, not finite(a), e)
    scale = size(a)
    if a.size and finite(a):  # balancing may cost LAPACK digits of badly scaled matrices
        pairs = [sl.eig(x) for x in a.reshape(-1, n, n)]
        rest = [size(mm(x, v2) - wide(v2) * wide(w2)) for x, (w2, v2) in zip(a.reshape(-1, n, n), pairs)]
        scale = scale + 10 * np.reshape(rest, scale.shape) / (100 * k.eps)
    near(k, "a v", mm(a, v), wide(v) * wide(w)[..., None, :], scale, 100)
    if a.size:
        expect(np.all(np.abs(np.linalg.norm(v, axis=-2) - 1) < 1e3 * k.eps), "lengths")
    if k.kind == "normal" and n and a.size:
        cond = np.max(np.linalg.cond(v.astype(complex)))
        same_values(k, "eigvals", w1, w, cond * np.max(size(a)))
        same_values(k, "numpy", np.linalg.eigvals(a.astype(complex)), w, cond * np.max(size(a)))


@case
def eigh_generalized(k):
    n, upper = k.size(), bool(k.rng.integers(2))
    a, b = k.hermitian(n, kinds=["normal", "integer", "identity", "zero", "one-nan"]), k.definite(n)
    try:
        w, v = call("eigh_generalized", 2, a, b, upper, layout=k.layout)
    except Refused as e:
        s = np.linalg.cond(b.astype(complex)) if b.size else 1
        allowed(k, not finite(a) or np.any(s * k.eps > 1e-3), e)
    if n and a.size:
        cond = np.linalg.cond(b.astype(complex))
        near(k, "v^H b v", mm(H(v), b, v), np.broadcast_to(np.eye(n), v.shape), cond)
        near(k, "a v", mm(a, v), mm(b, v) * w[..., None, :], size(a) * size(v) * cond)


@case
def eig_generalized(k):
    n = k.size(0, 17)
    a, b = k.matrix(n, n, ["normal", "integer", "identity", "scaled", "one-nan", "low-rank"]), k.as_dtype(k.normal(*k.batch, n, n))
    try:
        w, v = call("eig_generalized", 2, a, b, layout=k.layout)
    except Refused as e:
        allowed(k, not finite(a), e)
    near(k, "a v", mm(a, v), mm(b, v) * wide(w)[..., None, :], size(a) + np.max(np.abs(wide(w)), -1, initial=0) * size(b), 200)


@case
def schur(k):
    n = k.size(0, 24)
    a = k.matrix(n, n)
    order = int(k.rng.integers(-1, 5))
    try:
        if order < 0:
            t, z = call("schur", 2, a, layout=k.layout)
        else:
            t, z, count = call("schur_ordered", 3, a, order, layout=k.layout)
    except Refused as e:
        allowed(k, not finite(a) or order > 0, e)
    orthonormal(k, "z", z)
    triangular("t", t, True, 0 if k.complex else 1)
    near(k, "z t z^H", mm(z, t, H(z)), a, size(a))
    if order > 0 and n and a.size and finite(t):
        flat = t.reshape(-1, n, n)
        for x, m in zip(flat, np.asarray(count).reshape(-1)):
            w = np.linalg.eigvals(x[:m, :m].astype(complex)) if m else np.zeros(0)
            r = np.linalg.eigvals(x[m:, m:].astype(complex)) if m < n else np.zeros(0)
            f = [None, lambda v: v.real < 0, lambda v: v.real > 0, lambda v: abs(v) < 1, lambda v: abs(v) > 1][order]
            slack = 1e4 * k.eps * max(float(np.max(np.abs(x))), 1) * n
            edge = np.min(np.abs(np.concatenate([w, r]).real if order < 3 else np.abs(np.concatenate([w, r])) - 1), initial=9)
            if edge > slack and k.kind != "jordan":
                expect(all(f(v) for v in w) and not any(f(v) for v in r), "order %d" % order)
    if order < 0 and not k.complex:
        t1, z1 = call("schur_complex", 2, t, z, layout=k.layout)
        triangular("t1", t1, True)
        orthonormal(k, "z1", z1)
        near(k, "schur_complex", mm(z1, t1, H(z1)), a, size(a))


@case
def hessenberg(k):
    n = k.size()
    a = k.matrix(n, n)
    try:
        h, q = call("hessenberg", 2, a, layout=k.layout)
    except Refused as e:
        allowed(k, not finite(a), e)
    orthonormal(k, "q", q)
    triangular("h", h, True, 1)
    near(k, "q h q^H", mm(q, h, H(q)), a, size(a))


@case
def qz(k):
    n = k.size(0, 17)
    a, b = k.matrix(n, n), k.as_dtype(k.normal(*k.batch, n, n))
    order = int(k.rng.integers(0, 5))
    try:
        s, t, q, z, count = call("qz_ordered", 5, a, b, order, layout=k.layout)
    except Refused as e:
        allowed(k, not finite(a) or order > 0, e)
    for name, x in (("q", q), ("z", z)):
        orthonormal(k, name, x)
    triangular("s", s, True, 0 if k.complex else 1)
    triangular("t", t, True)
    near(k, "q s z^H", mm(q, s, H(z)), a, size(a))
    near(k, "q t z^H", mm(q, t, H(z)), b, size(b))


@case
def balance(k):
    n = k.size()
    a = k.matrix(n, n)
    try:
        y, scale, perm = call("balance", 3, a, layout=k.layout)
    except Refused as e:
        allowed(k, not finite(a), e)
    x = np.take_along_axis(np.take_along_axis(wide(a), perm[..., None], -2), perm[..., None, :], -1) if n else a
    want = x * wide(scale)[..., None, :] / wide(scale)[..., :, None]
    near(k, "balance", y, want, size(want))


# ---- functions and equations ---------------------------------------------------------------------

FUNCTIONS = {"matrix_exp": sl.expm, "cosm": sl.cosm, "sinm": sl.sinm, "coshm": sl.coshm, "sinhm": sl.sinhm}


@case
def functions(k):
    n, name = k.size(0, 12), pick(k, *FUNCTIONS)
    a = k.matrix(n, n, ["normal", "integer", "identity", "zero", "triangular", "jordan", "equal-values", "permutation",
                        "low-rank", "one-nan", "graded"])
    try:
        y = call(name, 1, a, layout=k.layout)
    except Refused as e:
        allowed(k, not finite(a), e)
    expect(y.dtype == k.dtype, "dtype %s" % y.dtype)
    if n and a.size and finite(a):
        big = a.astype(np.complex128 if k.complex else np.float64)
        want = np.stack([FUNCTIONS[name](x) for x in big.reshape(-1, n, n)]).reshape(y.shape)
        grow = np.exp(np.linalg.norm(big, 2, axis=(-2, -1))) if name != "matrix_exp" else size(want)
        near(k, name, y, want, (size(want) + 1e-9 * grow) * (1 + size(a)) + grow * 2.3e-16 / k.eps, 100)


@case
def roots(k):
    n, name = k.size(0, 12), pick(k, "sqrtm", "logm", "signm")
    a = k.matrix(n, n, ["normal", "identity", "zero", "triangular", "jordan", "equal-values", "low-rank", "one-nan", "scaled"])
    if k.rng.integers(2) and k.kind not in ("one-nan", "zero", "jordan", "low-rank"):
        a = k.as_dtype(mm(a, H(a)) + 0.5 * np.eye(n)) if k.kind != "scaled" else k.hermitian(n, kinds=["identity"])
    try:
        y = call(name, 1, a, layout=k.layout)
    except Refused as e:
        low = True
        if finite(a) and a.size:
            w = np.linalg.eigvals(a.astype(complex))
            scale = np.max(np.abs(w))
            edge = np.abs(w.real) if name == "signm" else np.where(w.real > 0, np.abs(w), np.abs(w.imag))
            low = np.min(edge) <= 1e3 * n * np.sqrt(k.eps) * scale or not k.complex and name != "signm" and np.any((w.real < 0) & (np.abs(w.imag) < 1e-6 * scale))
        allowed(k, low, e)
    if not n or not a.size:
        return
    if name == "sqrtm":
        near(k, name, mm(y, y), a, size(y) ** 2 + size(a), 200)
        w = np.linalg.eigvals(y.astype(complex)) if finite(y) else np.ones(1)
        expect(np.all(w.real > -1e3 * np.sqrt(k.eps) * np.max(np.abs(w), initial=1e-300)), "not the principal root")
    elif name == "signm":
        near(k, name, mm(y, y), np.broadcast_to(np.eye(n), y.shape), size(y) ** 2 * np.linalg.cond(a.astype(complex)), 200)
        near(k, name, mm(a, y), mm(y, a), size(a) * size(y) * np.linalg.cond(a.astype(complex)), 200)
    elif finite(y):
        back = np.stack([sl.expm(x) for x in y.astype(complex).reshape(-1, n, n)]).reshape(y.shape)
        near(k, name, back, a, size(a) * (1 + size(y)) * np.linalg.cond(a.astype(complex)) ** 0.5, 200)


@case
def sylvester(k):
    m, n = k.size(0, 17), k.size(0, 17)
    a, b = k.matrix(m, m), k.as_dtype(k.normal(*k.batch, n, n))
    x0 = k.as_dtype(k.normal(*k.batch, m, n))
    try:
        x = call("solve_sylvester", 1, a, b, x0, layout=k.layout)
    except Refused as e:
        gap = 0
        if finite(a) and a.size and b.size:
            big = np.linalg.eigvals(a.astype(complex))[..., :, None] + np.linalg.eigvals(b.astype(complex))[..., None, :]
            gap = np.min(np.abs(big)) / (1 + np.max(np.abs(big)))
        allowed(k, gap < 1e3 * k.eps * (m + n) or not finite(a), e)
    near(k, "sylvester", mm(a, x) + mm(x, b), x0, (size(a) + size(b)) * size(x) + size(x0), 200)


@case
def lyapunov(k):
    n, discrete = k.size(0, 17), bool(k.rng.integers(2))
    a, q = k.matrix(n, n, ["normal", "integer", "identity", "zero", "triangular", "jordan", "one-nan", "scaled", "orthogonal"]), k.hermitian(n, kinds=["normal"])
    if discrete and k.rng.integers(2) and k.kind != "scaled":
        a = k.as_dtype(a / (1 + 2 * n ** 0.5))
    try:
        x = call("discrete_lyapunov" if discrete else "continuous_lyapunov", 1, a, q, layout=k.layout)
    except Refused as e:
        gap = 0
        if finite(a) and a.size:
            w = np.linalg.eigvals(a.astype(complex))
            big = 1 - w[..., :, None] * np.conj(w)[..., None, :] if discrete else w[..., :, None] + np.conj(w)[..., None, :]
            gap = np.min(np.abs(big)) / ((1 if discrete else 1e-300) + np.max(np.abs(big)))
        allowed(k, gap < 1e3 * k.eps * n * n or not finite(a), e)
    left = wide(x) - mm(a, x, H(a)) if discrete else mm(a, x) + mm(x, H(a))
    scale = (1 + size(a) ** 2) * size(x) + size(q) if discrete else size(a) * size(x) + size(q)
    near(k, "lyapunov", left, q, scale, 2000 if discrete else 200)


@case
def riccati(k):
    n, m, discrete = k.size(1, 12), k.size(1, 4), bool(k.rng.integers(2))
    a = k.matrix(n, n, ["normal", "integer", "triangular", "jordan", "one-nan", "orthogonal", "graded", "rows", "ill-conditioned"])
    b = k.as_dtype(k.normal(*k.batch, n, m) * 10.0 ** k.rng.integers(-2, 3))
    q, r = k.as_dtype(k.definite_plain(n)), k.as_dtype(k.definite_plain(m))
    try:
        x = call(("discrete" if discrete else "continuous") + "_riccati", 1, a, b, q, r, layout=k.layout)
    except Refused as e:
        if finite(a) and k.batch == () and k.eps < 1e-10:
            try:
                y = (sl.solve_discrete_are if discrete else sl.solve_continuous_are)(a, b, q, r)
            except Exception:
                raise e
            res = riccati_residual(k, a, b, q, r, y, discrete)
            allowed(k, res > 1e-12, e)
        raise e
    res = riccati_residual(k, a, b, q, r, x, discrete)
    bound = 1e3 * k.eps * n
    res_n = riccati_residual(k, a, b, q, r, x, discrete, True)
    if res > bound:
        solver = sl.solve_discrete_are if discrete else sl.solve_continuous_are
        flat = [v.astype(complex).reshape(-1, *v.shape[-2:]) for v in (a, b, q, r)]
        try:
            res2 = riccati_residual(k, a, b, q, r, np.stack([solver(*v) for v in zip(*flat)]).reshape(x.shape), discrete)
        except Exception:
            res2 = np.inf
        if res_n > bound or res > 100 * res2 and k.eps < 1e-10:
            raise Wrong("discrete %d: residual %.3g, normwise %.3g, scipy's in double %.3g" % (discrete, res, res_n, res2))
    if finite(x) and a.size:
        near(k, "x", x, H(x), size(x))


def riccati_residual(k, a, b, q, r, x, discrete, norms=False):
    """relative to the terms, or to what roundings of x alone make of them"""
    a, b, q, r, x = (wide(v) for v in (a, b, q, r, x))
    if discrete:
        lu = np.linalg.solve((r + H(b) @ x @ b).astype(complex), (H(b) @ x @ a).astype(complex))
        t = H(a) @ x @ b @ lu
        terms = H(a) @ x @ a, x, t, q
        left = terms[0] - x - t + q
    else:
        t = x @ b @ np.linalg.solve(r.astype(complex), H(b).astype(complex)) @ x
        terms = H(a) @ x, t, q
        left = H(a) @ x + x @ a - t + q
    scale = sum(size(v) for v in terms)
    if norms:
        f = a - b @ lu if discrete else a - b @ np.linalg.solve(r.astype(complex), H(b).astype(complex)) @ x
        scale = scale + size(x) * (1 + size(f) ** 2 if discrete else 2 * size(f))
    return float(np.max(size(left) / scale, initial=0))


def definite_plain(self, n):
    x = self.normal(*self.batch, n, n + 1)
    return x @ H(x) / (n + 1) + 0.1 * np.eye(n)


Case.definite_plain = definite_plain


# ---- norms and other numbers ---------------------------------------------------------------------

NORMS = ["fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf]


@case
def matrix_norm(k):
    m, n, p = k.size(1), k.size(1), int(k.rng.integers(8))
    a = k.matrix(m, n)
    try:
        y = call("matrix_norm", 1, a, p, layout=k.layout)
    except Refused as e:
        allowed(k, not finite(a), e)
    x = wide(a)
    top = np.max(np.abs(x), initial=0)
    if not finite(a) or a.size == 0 or top == 0:
        return
    want = np.linalg.norm((x / top).astype(complex), NORMS[p], axis=(-2, -1)) * top
    fits = want < np.finfo(k.dtype).max
    values_near(k, "norm %s" % NORMS[p], np.where(fits, y, 0), np.where(fits, want, 0), np.where(fits, want + top * (p in (1, 5)), 1))


@case
def cond(k):
    n, p = k.size(1), int(k.rng.integers(8))
    a = k.matrix(n, n, ["normal", "integer", "scaled", "identity", "triangular", "equal-values", "one-nan", "low-rank"])
    try:
        y = call("cond", 1, a, p, layout=k.layout)
    except Refused as e:
        allowed(k, not regular(a, k.eps), e)
    if not finite(a) or a.size == 0 or k.kind == "low-rank":
        return
    x = wide(a) / np.max(np.abs(wide(a)), initial=1e-300)
    want = np.linalg.cond(x.astype(complex), NORMS[p])
    most = np.linalg.cond(x.astype(complex))
    good = most * k.eps * n < 1e-2
    values_near(k, "cond %s" % NORMS[p], np.where(good, y, 0), np.where(good, want, 0), np.where(good, np.maximum(want, 1) * most, 1))


@case
def matrix_power(k):
    n, p = k.size(0, 12), int(k.rng.integers(-3, 7))
    a = k.matrix(n, n, ["normal", "integer", "identity", "triangular", "permutation", "jordan", "zero"])
    try:
        y = call("matrix_power", 1, a, p, layout=k.layout)
    except Refused as e:
        allowed(k, p < 0 and not regular(a, k.eps), e)
    base = wide(a) if p >= 0 or not a.size else np.linalg.inv(a.astype(complex))
    want = np.broadcast_to(np.eye(n), a.shape)
    for _ in range(abs(p)):
        want = mm(want, base)
    cond_ = np.linalg.cond(a.astype(complex)) if a.size and p < 0 else 1.0
    near(k, "matrix_power %d" % p, y, want, size(base) ** abs(p) * cond_ ** (p < 0) * max(1, abs(p)))


@case
def covariance(k):
    m, n = k.size(1, 12), k.size(2)
    x = k.matrix(m, n, ["normal", "integer", "scaled", "rows", "zero", "one-nan"])
    y, r = call("cov", 1, x, 1.0, layout=k.layout), call("corrcoef", 1, x, layout=k.layout)
    if k.batch == () and finite(x):
        want = np.cov(wide(x).astype(complex) if k.complex else x.astype(float)).reshape(y.shape)
        ok = np.abs(want) < np.finfo(k.dtype).max
        centred = wide(x) - np.mean(wide(x), -1, keepdims=True)
        near(k, "cov", np.where(ok, y, 0), np.where(ok, want, 0), (size(x) ** 2))
        if k.kind in ("normal", "integer", "rows") and np.all(np.var(x, axis=-1) > 1e-3 * np.mean(np.abs(x) ** 2, axis=-1)):
            near(k, "corrcoef", r, np.corrcoef(x.astype(complex if k.complex else float)).reshape(r.shape), m * 10.0)


@case
def updates(k):
    n, p = k.size(1), k.size(1, 4)
    l = np.linalg.cholesky(k.definite_plain(n)) if 0 not in k.batch else k.normal(*k.batch, n, n)
    l, x = k.as_dtype(l), k.as_dtype(k.normal(*k.batch, n, p))
    y = call("cholesky_update", 1, l, x, False, layout=k.layout)
    near(k, "update", mm(y, H(y)), mm(l, H(l)) + mm(x, H(x)), size(y) ** 2)
    try:
        z = call("cholesky_downdate", 1, y, x, False, layout=k.layout)
    except Refused as e:
        allowed(k, k.eps > 1e-10, e)
    near(k, "downdate", mm(z, H(z)), mm(y, H(y)) - mm(x, H(x)), size(y) ** 2)


@case
def qr_changes(k):
    m, n = k.size(1), k.size(1)
    complete, what = bool(k.rng.integers(2)) or m < n, int(k.rng.integers(3))
    a = k.matrix(m, n, ["normal", "integer", "scaled", "identity"])
    q, r = call("qr", 2, a, complete, layout=k.layout)
    try:
        if what == 0:
            u, v = k.as_dtype(k.normal(*k.batch, m)), k.as_dtype(k.normal(*k.batch, n))
            q1, r1 = call("qr_update", 2, q, r, u, v, layout=k.layout)
            want = wide(a) + wide(u)[..., :, None] * np.conj(wide(v))[..., None, :]
        elif what == 1:
            columns, p = bool(k.rng.integers(2)), k.size(1, 3)
            if columns and not complete and n + p > m:
                return
            x = k.as_dtype(k.normal(*k.batch, *((m, p) if columns else (p, n))))
            at = int(k.rng.integers(0, (n if columns else m) + 1))
            q1, r1 = call("qr_insert", 2, q, r, x, at, columns, layout=k.layout)
            axis = -1 if columns else -2
            want = np.insert(wide(a), [at] * p, wide(x), axis=axis)
        else:
            columns = bool(k.rng.integers(2))
            size_ = n if columns else m
            count = int(k.rng.integers(0, min(3, size_) + 1))
            if not columns and not complete and m - count < n:
                return
            at = int(k.rng.integers(0, size_ - count + 1))
            q1, r1 = call("qr_delete", 2, q, r, at, count, columns, layout=k.layout)
            want = np.delete(wide(a), range(at, at + count), axis=-1 if columns else -2)
    except Refused as e:
        allowed(k, not complete and k.kind in ("integer", "identity", "scaled"), e)
    orthonormal(k, "q1", q1)
    triangular("r1", r1, True)
    near(k, "change %d" % what, mm(q1, r1), want, size(want) + size(a))


@case
def cholesky_pivoted(k):
    n, r = k.size(1), k.size(1)
    x = k.normal(*k.batch, n, min(r, n)) * (10.0 ** k.rng.integers(-100, 100) if k.eps < 1e-10 and k.rng.integers(3) == 0 else 1)
    a = k.as_dtype(x @ H(x))
    l, perm, rank = call("cholesky_pivoted", 3, a, -1.0, bool(k.rng.integers(2)), layout=k.layout)
    triangular("l", l, False)
    rows = np.take_along_axis(np.take_along_axis(a, perm[..., None], -2), perm[..., None, :], -1)
    near(k, "l l^H", mm(l, H(l)), rows, size(a) * n)


@case
def constrained(k):
    n = k.size(1, 12)
    p = int(k.rng.integers(0, n + 1))
    m = int(k.rng.integers(n - p, n + 6))
    a, b = k.as_dtype(k.normal(*k.batch, m, n)), k.as_dtype(k.normal(*k.batch, p, n))
    cc, d = k.as_dtype(k.normal(*k.batch, m, 2)), k.as_dtype(k.normal(*k.batch, p, 2))
    x = call("lstsq_constrained", 1, a, cc, b, d, layout=k.layout)
    if a.size and k.batch == () and p:
        system = np.block([[H(a) @ a, H(b)], [b, np.zeros((p, p))]]).astype(complex)
        want = np.linalg.solve(system, np.concatenate([H(a) @ cc, d]))[:n]
        if np.linalg.cond(system) < 1e-3 / k.eps ** 0.5:
            near(k, "lstsq_constrained", x, want, np.linalg.cond(system) * (size(want) + 1))
    near(k, "b x", mm(b, x), d, size(b) * size(x) + size(d), 1e3)
    m, p = k.size(1, 12), 0
    n = int(k.rng.integers(0, m + 1))
    p = int(k.rng.integers(m - n, m + 4))
    a, b, d = k.as_dtype(k.normal(*k.batch, m, n)), k.as_dtype(k.normal(*k.batch, m, p)), k.as_dtype(k.normal(*k.batch, m, 2))
    x, y = call("gauss_markov", 2, a, b, d, layout=k.layout)
    near(k, "a x + b y", mm(a, x) + mm(b, y), d, size(a) * size(x) + size(b) * size(y) + size(d), 1e3)


@case
def cossin(k):
    m = k.size(1)
    p, q = int(k.rng.integers(0, m + 1)), int(k.rng.integers(0, m + 1))
    x = k.as_dtype(k.unitary(m))
    u1, u2, theta, v1, v2 = call("cossin", 5, x, p, q, layout=k.layout)
    for name, y in (("u1", u1), ("u2", u2), ("v1h", v1), ("v2h", v2)):
        orthonormal(k, name, y)
    got = np.sort(np.cos(wide(theta)), -1)[..., ::-1]
    block = x[..., :p, :q]
    s = np.linalg.svd(block.astype(complex), compute_uv=False) if block.size else np.zeros((*k.batch, 0))
    r = min(got.shape[-1], s.shape[-1])
    if block.size and r:
        drop = s.shape[-1] - r
        near(k, "cosines", column(got[..., :r]), column(s[..., drop:]), 1.0, 100)


@case
def interpolative(k):
    m, n = k.size(1), k.size(1)
    a = k.matrix(m, n, ["normal", "integer", "low-rank", "identity"])
    kk = int(k.rng.integers(0, min(m, n) + 1))
    try:
        perm, proj = call("interpolative", 2, a, kk, layout=k.layout)
    except Refused as e:
        s = np.linalg.matrix_rank(a.astype(complex), rtol=1e3 * n * k.eps) if a.size else n
        allowed(k, np.any(s < kk), e)
    if k.kind == "low-rank" and a.size:
        s = np.linalg.svd(a.astype(complex), compute_uv=False)
        rows = np.take_along_axis(a, perm[..., None, :], -1)
        rest = s[..., kk] if kk < s.shape[-1] else 0 * s[..., 0]
        d = size(mm(rows[..., :kk], proj) - rows[..., kk:]) if kk < n else 0 * s[..., 0]
        expect(np.all(d <= rest * (1 + 2.0 ** min(kk, 12) * n) + 1e4 * n * k.eps * s[..., 0] * max(1, np.max(np.abs(proj), initial=0))), "interpolative: %s over %s" % (d, rest))


@case
def rcond(k):
    n = k.size(1)
    a = k.matrix(n, n, ["normal", "integer", "scaled", "identity", "triangular", "equal-values", "one-nan", "zero"])
    try:
        y = call("rcond", 1, a, layout=k.layout)
    except Refused as e:
        allowed(k, not finite(a), e)
    if k.kind in ("normal", "identity", "triangular", "equal-values") and a.size:
        want = 1 / np.linalg.cond(a.astype(complex), 1)
        good = want > 100 * n * k.eps
        expect(np.all(~good | ((y > want * 0.99) & (y < want * 12))), "rcond %s, %s" % (y, want))


@case
def products(k):
    m, n, p = k.size(0, 9), k.size(0, 9), k.size(0, 9)
    a, b = k.matrix(m, p, ["normal", "integer", "scaled"]), k.as_dtype(k.normal(*k.batch, n, p))
    y = call("khatri_rao", 1, a, b, layout=k.layout)
    want = (wide(a)[..., :, None, :] * wide(b)[..., None, :, :]).reshape(*k.batch, m * n, p)
    near(k, "khatri_rao", y, want, size(want))


# ---- Hermitian bands -----------------------------------------------------------------------------

def half_band(a, w, upper):
    """the diagonals of a [n, n], the triangle's w; what lies outside of the matrix is not to be read"""
    n = a.shape[-1]
    ab = np.full((*a.shape[:-2], w, n), 1e30 if a.dtype.itemsize >= 8 else 1e6, a.dtype)
    for d in range(min(w, n)):
        if upper:
            ab[..., w - 1 - d, d:] = np.diagonal(a, d, -2, -1)
        else:
            ab[..., d, :n - d] = np.diagonal(a, -d, -2, -1)
    return ab


def within(a, w):
    return np.triu(np.tril(a, w - 1), 1 - w)


@case
def hermitian_bands(k):
    n = k.size(1)
    w, upper = int(k.rng.integers(1, min(n, 24) + 1)), bool(k.rng.integers(2))
    if k.rng.integers(3):
        l = np.tril(within(k.normal(*k.batch, n, n), w), -1) + np.eye(n) * k.rng.uniform(0.3, 3, n)
        grades = 10.0 ** -k.rng.uniform(0, k.rng.choice([0.1, 3]), n)
        a = k.as_dtype(within(mm(l, H(l)) * grades[:, None] * grades, w) * 10.0 ** k.rng.choice([0, 0, -k.decades, k.decades]))
        k.notes.append("definite band %d of %d" % (w, n))
    else:
        a = within(k.hermitian(n), w)
    name, ab, b = pick(k, "cholesky_banded", "solveh_banded"), half_band(a, w, upper), right_side(k, n)
    good = False
    if finite(a) and a.size:
        s = np.linalg.eigvalsh((wide(a) / max(float(np.max(np.abs(wide(a)))), 1e-300)).astype(complex))
        good = bool(np.all(s[..., 0] > s[..., -1] * n * k.eps * 40))
    try:
        y = call(name, 1, ab, *(() if name == "cholesky_banded" else (b,)), upper, layout=k.layout)
    except Refused as r:
        allowed(k, not good, r)
    if name == "solveh_banded":
        residual(k, name, a, y, b)
        return
    l = np.zeros((*k.batch, n, n), k.dtype)
    for d in range(w):
        rest = y[..., w - 1 - d, d:] if upper else y[..., d, :n - d]
        i = np.arange(n - d)
        l[..., i + d, i] = np.conj(rest) if upper else rest
    near(k, name, mm(l, H(l)), a, size(a))
    if finite(l) and good and np.max(np.abs(a)) < 1e6 and np.max(np.abs(a)) > 1e-6:
        residual(k, "cho_solve_banded", a, call("cho_solve_banded", 1, y, b, upper, layout=k.layout), b)


@case
def band_pairs(k):
    n = k.size(1, 24)
    w, upper = int(k.rng.integers(1, min(n, 6) + 1)), bool(k.rng.integers(2))
    a = within(k.hermitian(n), w)
    three = w <= 2 and not k.complex
    ab = half_band(a, w, upper)
    if three:
        two = [np.ascontiguousarray(np.diagonal(a, 0, -2, -1)), np.ascontiguousarray(np.diagonal(a, -1, -2, -1))]
    try:
        v, x = call("eigh_tridiagonal", 2, *two) if three else call("eig_banded", 2, ab, upper, layout=k.layout)
        alone = call("eigvalsh_tridiagonal", 1, *two) if three else call("eigvals_banded", 1, ab, upper, layout=k.layout)
    except Refused as r:
        allowed(k, not finite(a), r)
    near(k, "band_pairs", mm(a, x), mm(x, v[..., None] * np.eye(n)), size(a))
    orthonormal(k, "band_pairs", x)
    expect(np.all(np.diff(v, axis=-1) >= 0) or not finite(v), "not ascending")
    values_near(k, "values alone", alone, v, np.broadcast_to(size(a)[..., None], v.shape))


# ---- matrices with a name, and what is made of others ------------------------------------------------

NAMED = {
    "hilbert": (lambda n: (), sl.hilbert), "invhilbert": (lambda n: (), lambda n: sl.invhilbert(n)),
    "hadamard": (lambda n: (), lambda n: sl.hadamard(n)), "pascal": (lambda n: (), lambda n: sl.pascal(n)),
    "invpascal": (lambda n: (0,), lambda n: sl.invpascal(n)), "helmert": (lambda n: (1,), lambda n: sl.helmert(n, full=True)),
    "dft": (lambda n: (1,), lambda n: sl.dft(n, "sqrtn")),
}


@case
def named(k):
    name = pick(k, *NAMED)
    n = int(k.rng.integers(1, 11))
    n = 1 << min(n, 5) if name == "hadamard" else n
    dtype = np.dtype("complex128") if name == "dft" else np.dtype("float64")
    more, want = NAMED[name]
    y, want = call(name, 1, CODES[dtype.name], n, *more(n)), want(n)
    expect(y.shape == want.shape, "shape")
    expect(np.all(np.abs(y - want) <= 8 * n * 2.3e-16 * np.abs(want) + (1e-15 if name in ("dft", "helmert") else 0)), name)


@case
def of_vectors(k):
    name = pick(k, "hankel", "companion", "leslie", "fiedler", "fiedler_companion", "convolution_matrix")
    m, n = int(k.rng.integers(2, 9)), int(k.rng.integers(2, 9))
    x, y = k.as_dtype(k.normal(m)), k.as_dtype(k.normal(n))
    if name == "hankel":
        got, want = call(name, 1, x, y), sl.hankel(x, y)
    elif name == "leslie":
        y = k.as_dtype(k.normal(m - 1))
        got, want = call(name, 1, x, y), sl.leslie(x, y)
    elif name == "convolution_matrix":
        part = int(k.rng.integers(3))
        if part == 1 and m > n:
            return
        got, want = call(name, 1, x, n, part), sl.convolution_matrix(x, n, ["full", "same", "valid"][part])
    elif name == "fiedler":
        got, want = call(name, 1, x.real.copy()), sl.fiedler(x.real)
    else:
        got, want = call(name, 1, x), getattr(sl, name)(x)
    expect(got.shape == want.shape, "%s: shape %s for %s" % (name, got.shape, want.shape))
    near(k, name, got, want, size(want))


@case
def of_factors(k):
    name = pick(k, "tsqr", "qr_multiply", "lu_unpack", "triangular_solve", "ridge", "tensorsolve", "tensorinv",
                "expm_frechet", "fractional_power", "tanm", "tanhm", "pinv_hermitian", "cov_columns", "corrcoef_columns")
    some = ["normal", "integer", "scaled", "graded", "identity", "rows"]
    n = k.size(1, 12)
    m = n + k.size(0, 12)
    if name == "tsqr":
        a = k.matrix(m, n, some)
        q, r = call(name, 2, a, int(k.rng.integers(n, m + 2)), layout=k.layout)
        near(k, name, mm(q, r), a, size(a))
        orthonormal(k, name, q)
        triangular(name, r, True)
    elif name == "qr_multiply":
        a, c_ = k.matrix(m, n, some), k.as_dtype(k.normal(*k.batch, m, 3))
        y, r = call(name, 2, a, c_, True, True, layout=k.layout)
        near(k, name, np.abs(mm(H(y), y)), np.abs(mm(H(c_), c_)) if y.shape[-2] == m else np.abs(mm(H(y), y)), size(c_) ** 2)
        near(k, name, mm(H(r), r), mm(H(a), a), size(a) ** 2)
        near(k, name, mm(H(r), y[..., :r.shape[-2], :]), mm(H(a), c_), size(a) * size(c_))
    elif name == "lu_unpack":
        a = k.matrix(m, n, ["normal", "scaled", "graded"])
        lu_, perm = call("lu_factor", 2, a, layout=k.layout)
        p, l, u = call(name, 3, lu_, perm)
        near(k, name, mm(p, l, u), a, size(l) * size(u))
    elif name == "triangular_solve":
        a, b, upper = k.matrix(n, n, ["normal", "scaled"]), right_side(k, n), bool(k.rng.integers(2))
        residual(k, name, np.triu(a) if upper else np.tril(a), call(name, 1, a, b, upper, layout=k.layout), b)
    elif name == "ridge":
        a, b = k.matrix(m, n, ["normal", "integer", "low-rank", "graded"]), k.as_dtype(k.normal(*k.batch, m, 2))
        alpha = np.float32(0.5) if k.eps > 1e-10 else np.float64(0.5)
        x = call(name, 1, a, b, np.asarray(alpha), layout=k.layout)
        near(k, name, mm(H(a), mm(a, x) - wide(b)), -0.5 * wide(x), size(a) * (size(a) * size(x) + size(b)))
    elif name.startswith("tensor"):
        a = k.as_dtype(k.normal(2, 3, 6))
        if name == "tensorsolve":
            b = k.as_dtype(k.normal(2, 3))
            got, want = call(name, 1, a, b), np.linalg.tensorsolve(a, b)
        else:
            got, want = call(name, 1, a, 2), np.linalg.tensorinv(a, 2)
        values_near(k, name, got, want, np.linalg.cond(a.reshape(6, 6)) ** 2 * np.linalg.norm(want))
    elif name in ("cov_columns", "corrcoef_columns"):
        x = k.as_dtype(np.random.default_rng(int(k.rng.integers(1 << 30))).standard_normal((m + 3, n)))
        got = call(name, 1, x, *((1.0,) if name == "cov_columns" else ()))
        want = np.atleast_2d(np.cov(x, rowvar=False) if name == "cov_columns" else np.corrcoef(x, rowvar=False))
        near(k, name, got, want, size(want) + 1)
    elif name == "pinv_hermitian":
        a = k.hermitian(n, kinds=["normal", "identity", "equal-values", "scaled"])
        x = call(name, 1, a, 0.0, False, layout=k.layout)
        cond = size(a) * size(x)
        near(k, name, mm(a, x, a), a, size(a) * cond ** 2)
    else:
        a = k.matrix(n, n, ["normal", "identity"]) if name != "fractional_power" else k.definite(n)
        a = k.as_dtype(a / np.maximum(size(a), 1e-300)[..., None, None]) if a.size else a
        if not a.size:
            return
        flat = a.astype(complex if k.complex else float).reshape(-1, n, n)
        if name == "expm_frechet":
            e = k.as_dtype(k.normal(*k.batch, n, n))
            y, dy = call(name, 2, a, e, layout=k.layout)
            pairs = [sl.expm_frechet(x, z) for x, z in zip(flat, e.astype(flat.dtype).reshape(-1, n, n))]
            near(k, name, y, np.stack([v[0] for v in pairs]).reshape(y.shape), size(y))
            near(k, name, dy, np.stack([v[1] for v in pairs]).reshape(y.shape), size(e) * 3)
        elif name == "fractional_power":
            y = call(name, 1, a, 0.5, layout=k.layout)
            near(k, name, mm(y, y), a, size(a) * np.linalg.cond(flat).reshape(k.batch) ** 0.5)
        else:
            f = {"tanm": sl.tanm, "tanhm": sl.tanhm}[name]
            y = call(name, 1, a, layout=k.layout)
            near(k, name, y, np.stack([f(x) for x in flat]).reshape(y.shape), 10 + size(y))


# ---- the run ----------------------------------------------------------------------------------

def main():
    wanted = [f for f in CASES if re.search(opt.only, f.__name__)]
    tally, wrong = collections.Counter(), []
    calls = collections.Counter()
    counted = call

    def counting(name, *args, **how):
        calls[name] += 1
        return counted(name, *args, **how)
    globals()["call"] = counting
    index = opt.case if opt.case >= 0 else 0
    while index == opt.case or (opt.case < 0 and sum(calls.values()) < opt.calls):
        f, k = wanted[index % len(wanted)], Case(opt.seed, index)
        try:
            f(k)
            tally[f.__name__, "held"] += 1
        except Refused as e:
            tally[f.__name__, "refused"] += 1
            if opt.case >= 0:
                print("refused:", e)
        except Exception as e:  # also a judge that fails
            tally[f.__name__, "wrong"] += 1
            wrong.append("%d %s %s layout %d batch %s [%s]: %s" % (index, f.__name__, k.dtype, k.layout, k.batch,
                                                               ", ".join(k.notes), e if isinstance(e, Wrong) else repr(e)))
        index += 1
    for f in wanted:
        print("%-22s held %5d  refused %4d  wrong %d" % (f.__name__, tally[f.__name__, "held"],
                                                     tally[f.__name__, "refused"], tally[f.__name__, "wrong"]))
    print("seed %d: %d calls of %d functions, %d cases, %d wrong" % (opt.seed, sum(calls.values()), len(calls), index, len(wrong)))
    for w in wrong:
        print("WRONG", w)
    sys.exit(bool(wrong))


main()
