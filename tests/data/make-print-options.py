#! /usr/bin/env python3
"""make-print-options.py >print-options.expected - arrays and how NumPy (2.4 or later) prints them
under options

One case:
    @ DTYPE SIZES LINES OPTIONS HEX    as in make-print.py; OPTIONS: letters and values joined by
                                       commas, "-" for none
    ...                                so many lines of text
Letters: p precision, t threshold, e edgeitems, w linewidth, m floatmode (0 maxprec, 1 fixed,
2 unique, 3 maxprec_equal), s sign (m, p or s: minus, plus, space), u suppress, r repr, n nanstr and
i infstr (without spaces).
"""
import sys

import numpy as np

if tuple(map(int, np.__version__.split(".")[:2])) < (2, 4):
    sys.exit("NumPy 2.4 or later is needed, this is " + np.__version__)

NAMES = {"bool": "bool", "uint8": "u8", "int8": "i8", "int16": "i16", "int32": "i32",
         "int64": "i64", "float16": "f16", "float32": "f32", "float64": "f64",
         "complex64": "c64", "complex128": "c128"}
MODES = ["maxprec", "fixed", "unique", "maxprec_equal"]
SIGNS = {"m": "-", "p": "+", "s": " "}
rng = np.random.default_rng(1879)


def options_of(text):
    """keywords of printoptions, and whether repr"""
    out, letters = {}, {"p": "precision", "t": "threshold", "e": "edgeitems", "w": "linewidth"}
    for word in text.split(",") if text != "-" else []:
        k, v = word[0], word[1:]
        if k in letters:
            out[letters[k]] = int(v)
        elif k == "m":
            out["floatmode"] = MODES[int(v)]
        elif k == "s":
            out["sign"] = SIGNS[v]
        elif k == "u":
            out["suppress"] = True
        elif k == "n":
            out["nanstr"] = v
        elif k == "i":
            out["infstr"] = v
    return out, "r" in text.split(",")


def case(some, shape, text):
    a = np.resize(some, shape) if np.prod(shape) else np.empty(shape, some.dtype)
    keywords, as_repr = options_of(text)
    with np.printoptions(**keywords):
        lines = repr(a) if as_repr else str(a)
    data = some.astype(some.dtype.newbyteorder("<")).tobytes().hex() or "-"
    print("@", NAMES[some.dtype.name], ",".join(map(str, shape)) or "-", lines.count("\n") + 1, text,
          data)
    print(lines)


def reals(dtype, n):
    """numbers of many kinds: narrow and wide ranges, round ones, powers of two, special ones"""
    kind = rng.integers(8)
    if kind == 0:
        v = rng.standard_normal(n)
    elif kind == 1:
        v = rng.integers(-9999, 9999, n) / 10.0 ** rng.integers(0, 5)
    elif kind == 2:
        v = rng.standard_normal(n) * 10.0 ** rng.integers(-12, 12, n)
    elif kind == 3:
        v = 2.0 ** rng.integers(-40, 40, n)
    elif kind == 4:
        v = rng.choice([0.0, -0.0, 1.0, -1.5, 0.25, 0.5, 2.5, 1e-5, 1e8, 99999999.0], n)
    elif kind == 5:
        v = rng.choice([np.nan, np.inf, -np.inf, 1.0, -2.25, 1e-7], n)
    elif kind == 6:
        v = 10.0 ** rng.integers(-20, 20) * rng.random(n)
    else:
        v = rng.choice([np.nan, np.inf, 3.0], n)
    with np.errstate(all="ignore"):
        return v.astype(dtype)


def elements(dtype, n):
    if dtype == "bool":
        return rng.integers(0, 2, n).astype(bool)
    if dtype in ("int8", "int16", "int32", "int64", "uint8"):
        info = np.iinfo(dtype)
        high = min(info.max, 10 ** int(rng.integers(1, 19)))
        return rng.integers(info.min if rng.random() < 0.1 else -high if info.min else 0, high, n,
                            dtype=dtype)
    if dtype.startswith("complex"):
        part = "float32" if dtype == "complex64" else "float64"
        v = np.empty(n, dtype)
        v.real, v.imag = reals(part, n), reals(part, n)
        return v
    return reals(dtype, n)


def some_options(dtype):
    words = []
    for letter, chance, draw in (
            ("p", 0.6, lambda: int(rng.choice([0, 1, 2, 3, 4, 5, 8, 12, 17, 20, 40]))),
            ("t", 0.4, lambda: int(rng.choice([0, 1, 5, 10, 30, 2000]))),
            ("e", 0.4, lambda: int(rng.integers(1, 5))),
            ("w", 0.4, lambda: int(rng.choice([1, 5, 10, 20, 30, 40, 60, 100, 200]))),
            ("m", 0.5, lambda: int(rng.integers(4))),
            ("s", 0.4, lambda: str(rng.choice(list("mps")))),
            ("u", 0.3, lambda: ""),
            ("n", 0.1, lambda: str(rng.choice(["NaN", "-", "missing-value"]))),
            ("i", 0.1, lambda: str(rng.choice(["Inf", "oo", "unbounded"]))),
            ("r", 0.4, lambda: "")):
        if rng.random() < chance:
            words.append(letter + str(draw()))
    return ",".join(words) or "-"


SHAPES = [(), (1,), (2,), (3,), (5,), (7,), (12,), (2, 2), (3, 4), (4, 3), (1, 9), (9, 1), (2, 2, 2),
          (2, 3, 2), (1, 1, 1), (0,), (0, 3), (2, 0), (30,), (5, 5), (2, 5, 3), (1, 2, 1, 3)]
DTYPES = ["float64"] * 8 + ["float32"] * 5 + ["float16"] * 3 + ["complex64", "complex128"] * 2 + \
    ["int8", "uint8", "int16", "int32", "int64", "bool"]
for k in range(2100):
    dtype = str(rng.choice(DTYPES))
    shape = SHAPES[rng.integers(len(SHAPES))]
    n = min(int(np.prod(shape)) or 1, 8)
    case(elements(dtype, n), shape, some_options(dtype))
# defaults as an array of every dtype, and long ones
for dtype in dict.fromkeys(DTYPES):
    for shape in SHAPES + [(1001,), (40, 40)]:
        case(elements(dtype, 5), shape, "r")
