#!/usr/bin/env python3
"""Answers of NumPy and SciPy for tests/t-contract.c, in whole numbers, which are exact.

    python3 make-contract.py >contract.inc

Element i of the first argument is (7 i + 3) % 11 - 5, of the second (5 i + 2) % 9 - 4; imaginary
parts are (3 i + 1) % 7 - 3 and (4 i + 5) % 5 - 2. Each line: function, shapes, numbers p of
the call, shape of the result, its values, and the same for complex arguments as pairs.
"""
import numpy as np
import scipy.signal


def filled(shape, a, b, m, k):
    i = np.arange(int(np.prod(shape)), dtype=np.int64)
    return ((a * i + b) % m - k).reshape(shape)


def braces(v):
    return "{" + ", ".join(str(int(x)) for x in v) + "}"


def case(name, f, sa, sb, p=()):
    a, b = filled(sa, 7, 3, 11, 5), filled(sb, 5, 2, 9, 4)
    za = a + 1j * filled(sa, 3, 1, 7, 3)
    zb = b + 1j * filled(sb, 4, 5, 5, 2)
    y, z = np.asarray(f(a, b)), np.asarray(f(za, zb))
    y, z = np.rint(y), np.rint(z.real) + 1j * np.rint(z.imag)
    pairs = np.stack([z.real.ravel(), z.imag.ravel()], 1).ravel()
    parts = ['"%s"' % name, str(len(sa)), braces(sa) if sa else "{0}", str(len(sb)),
             braces(sb) if sb else "{0}", braces(p) if p else "{0}", str(y.ndim),
             braces(y.shape) if y.ndim else "{0}"]
    values = ["(const double[])" + braces(v) if v.size else "NULL" for v in (y.ravel(), pairs)]
    words = ("{" + ", ".join(parts + values) + "},").split(" ")
    line = ""
    for w in words:
        if len(line) + len(w) + 1 > 88:
            print(line)
            line = "   "
        line += (" " if line else "") + w
    print(line)


MODES = ["full", "same", "valid"]

print("/* contract.inc - made by make-contract.py with NumPy %s and SciPy %s; do not edit */"
      % (np.__version__, scipy.__version__))
case("mv", lambda a, b: (a @ b[..., None])[..., 0], (3, 4), (4,))
case("mv", lambda a, b: (a @ b[..., None])[..., 0], (2, 1, 3, 4), (5, 4))
for sa, sb, axis in [((5,), (5,), -1), ((3, 4), (4,), -1), ((2, 3, 4), (3, 1), -2), ((0,), (0,), -1),
                     ((2, 1, 3), (4, 3), -1)]:
    case("vecdot", lambda a, b: (a.conj() * b).sum(axis) if a.ndim >= b.ndim else None, sa, sb,
         (axis,))
for sa, sb in [((4,), (4,)), ((2, 3), (3,)), ((2, 3), (3, 4)), ((2, 3), (5, 3, 2)), ((), (3,)),
               ((2,), ()), ((), ()), ((2, 0), (0, 3))]:
    case("dot", np.dot, sa, sb)
for sa, sb in [((4,), (4,)), ((2, 3), (3,)), ((2, 3), (4, 3)), ((2, 1, 3), (2, 3)), ((), (2, 3)),
               ((2, 0), (3, 0))]:
    case("inner", np.inner, sa, sb)
for sa, sb in [((3,), (4,)), ((2, 2), (3,)), ((), (3,)), ((0,), (3,))]:
    case("outer", np.outer, sa, sb)
for sa, sb in [((2, 3), (3, 2)), ((3,), (2,)), ((2, 3), (4,)), ((2,), (1, 2, 3)), ((), (2, 2)),
               ((2, 0), (3, 1))]:
    case("kron", np.kron, sa, sb)
case("cross", lambda a, b: np.cross(a, b), (3,), (3,), (-1,))
case("cross", lambda a, b: np.cross(a, b), (4, 3), (3,), (-1,))
case("cross", lambda a, b: np.cross(a, b, axis=-2), (2, 3, 4), (3, 1), (-2,))
# p: n, axes of a, axes of b
for sa, sb, p in [((2, 3, 4), (4, 3, 5), (2, 1, 2, 1, 0)), ((2, 3, 4), (3, 4, 2), (2, -2, -1, 0, 1)),
                  ((2, 3), (4,), (0,)), ((2, 3), (2, 3), (2, 0, 1, 0, 1)), ((3, 2), (2, 2), (1, 1, 0)),
                  ((2, 3, 4), (3, 4, 2), (3, 0, 1, 2, 2, 0, 1))]:
    n = p[0]
    case("tensordot", lambda a, b: np.tensordot(a, b, (p[1:1 + n], p[1 + n:])), sa, sb, p)
# p: axes, mode
for mode in range(3):
    for sa, sb in [((7,), (3,)), ((6,), (4,)), ((3,), (7,)), ((4,), (4,)), ((1,), (1,)), ((1,), (3,)),
                   ((37,), (5,)), ((40,), (18,)), ((5, 6), (3, 2)), ((4, 5), (4, 5)), ((3, 4), (5, 6)),
                   ((3, 4, 5), (2, 3, 2)), ((2, 20), (2, 3))]:
        d = len(sa)
        case("convolve", lambda a, b: scipy.signal.convolve(a, b, MODES[mode], "direct"), sa, sb,
             (d, mode))
        case("correlate", lambda a, b: scipy.signal.correlate(a, b, MODES[mode], "direct"), sa, sb,
             (d, mode))
    case("convolve", lambda a, b: np.stack([np.convolve(x, b, MODES[mode]) for x in a]), (3, 6), (4,),
         (1, mode))
    case("correlate", lambda a, b: np.stack([np.correlate(a[0], x, MODES[mode]) for x in b]), (1, 6),
         (2, 4), (1, mode))
