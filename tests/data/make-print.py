#! /usr/bin/env python3
"""make-print.py >print.expected - arrays and how NumPy (2.4 or later) prints them

One case:
    @ DTYPE SIZES LINES HEX    sizes separated by commas, "-" for a single number;
                               HEX: little-endian elements, repeated to fill the array
    ...                        so many lines of text
"""
import sys

import numpy as np

if tuple(map(int, np.__version__.split(".")[:2])) < (2, 4):
    sys.exit("NumPy 2.4 or later is needed, this is " + np.__version__)

NAMES = {"bool": "bool", "uint8": "u8", "int8": "i8", "int16": "i16", "int32": "i32",
         "int64": "i64", "float16": "f16", "float32": "f32", "float64": "f64",
         "complex64": "c64", "complex128": "c128"}
rng = np.random.default_rng(1748)


def case(values, dtype, shape=None):
    with np.errstate(all="ignore"):
        some = np.asarray(values).astype(dtype)
    if shape is None:
        shape = some.shape
    some = some.reshape(-1)
    text = str(np.resize(some, shape) if np.prod(shape) else np.empty(shape, dtype))
    bytes_ = some.astype(some.dtype.newbyteorder("<")).tobytes().hex() or "-"
    sizes = ",".join(map(str, shape)) or "-"
    print("@", NAMES[dtype], sizes, text.count("\n") + 1, bytes_)
    print(text)


nan, inf = np.nan, np.inf
ROWS = [
    [0.0], [1.0], [-1.0], [0.1, 0.2, 0.3], [1.0, 2.5, -3.25], [-0.0, 0.0], [1e-4, 1.0],
    [9.9e-5, 1.0], [1e-5], [1e8, 1.0], [99999999.0], [1e8 - 1, 1e5], [1e10], [1000.0, 1.0],
    [1000.5, 1.0], [1001.0, 1.0], [0.001, 1.0], [0.001, 1.001], [nan], [inf], [-inf],
    [nan, inf], [nan, -inf], [nan, 1.0], [inf, 1.0], [-inf, 1.0], [-inf, -1.0, 2.5],
    [nan, 1e-9], [-inf, 1e300], [nan, inf, -inf, 0.0], [1e-300, 1e300], [5e-324], [1e-323, 1.0],
    [1.7976931348623157e308], [2.2250738585072014e-308], [0.1 + 0.2], [1 / 3, 2 / 3],
    [np.pi, np.e, 1748.0], [123456.789, 0.123456789], [1.23456789012345, 1000.0],
    [9.999999999, 1.0], [0.999999999, 0.5], [99999999.9], [9.9999999999e9], [1.5e-7, 3.25e-7],
    [1e16, 1.0], [9007199254740993.0], [1e22, 1e23], [-1.5, 22.25, 333.125, -0.0625],
    [0.5, -0.5], [100.0, -100.0, 0.001], [12345678.0, 0.25], [65504.0, 1.0], [6e-8, 1e-7],
    [999.5, 1.0], [1000.25, 1.0], [1000.3, 1.0], [16777217.0], [3.4028235e38], [1e-45, 1e-40],
    [1.17549435e-38], [0.3, 0.7], [2.0**-14], [2.0**-24, 1.0], [1e3], [1e6], [999999.0, 1.0],
    [999.0], [1e5, 1e2 + 0.1], [0.1, 1.2345678e-5], [1.00000003e-5, 0.1], [2.5, 3.5, 1e-12],
    [0.00012345678901], [1e-8, 2e-8], [1.000000005, 1.0], [1.00000001, 1.000000015],
    [2.0**-1022, 2.0**-1021], [2.0**-44], [2.0**89, 2.0**90], [9.5367431640625e-07],
]
for dtype in "float16", "float32", "float64":
    for row in ROWS:
        case(row, dtype)
    for x in (0, -0.0, 1, -2.5, 0.1, 1 / 3, 1e3, 999, 1001, 1e5, 999999, 1e6, 1234567, 16777216,
              123456789, 1e15, 1e16, 1.5e17, 1e-3, 1e-4, 9.9e-5, 1e-5, 6e-8, 5e-324, nan, inf,
              -inf, 65504, 2.0**-44, 2.0**-24, 1.7976931348623157e308, 1e22, 1e23):
        case(x, dtype)
    for power in range(-20, 20, 3):
        case(10.0**power * rng.standard_normal(7), dtype)
        case(2.0 ** rng.integers(-20 - power, 20 + 2 * abs(power), 5), dtype)
    case(rng.integers(0, 2**16, 400).astype("u2").view("f2"), dtype, (20, 20))
bits = rng.integers(0, 2**32, 300, dtype="u4")
case(bits.view("f4"), "float32", (300,))
bits = rng.integers(0, 2**64, 200, dtype="u8")
case(bits.view("f8"), "float64", (200,))
case(2.0 ** np.arange(-126, 127, 5), "float32")
case(2.0 ** np.arange(-1070, 1020, 17), "float64")

Z = [0, 1, 1j, -1j, 1 + 2j, complex(-0.0, 0), complex(0, -0.0), complex(nan, inf),
     complex(nan, -inf), complex(0, nan), complex(1, nan), complex(0, inf), complex(inf, -0.0),
     1.5 - 0.25j, 1e20 + 1e-7j, 123456789 + 1e7j, 1e16 + 1e15j, 1 / 3 - 2j / 3, 1e-5j]
for dtype in "complex64", "complex128":
    for z in Z:
        case(z, dtype)
        case([z], dtype)
        case([z, 1.5 - 2j], dtype)
    case(Z, dtype)
    case(Z[:7] + Z[13:14], dtype)
    case(rng.standard_normal(12) + 1j * rng.standard_normal(12), dtype, (3, 4))
    case([1.5, 2.25j, 1 + 3j, -2], dtype, (2, 2))
    case([1e9, 2.25j], dtype)
    case([1.5 + 1j, 2.25j], dtype, (40, 40))

for dtype in "uint8", "int8", "int16", "int32", "int64":
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    for row in ([0], [1, 10, 100], [low], [high], [low, high], [0, high], [low, 1]):
        case(np.array(row, dtype), dtype)
    case(np.array(high, dtype), dtype)
    case(np.array(low, dtype), dtype)
    case(np.arange(24, dtype=dtype), dtype, (2, 3, 4))
    case(np.arange(100, dtype=dtype), dtype)
case([-1, 12, 123456], "int32", (30, 50))
case(True, "bool")
case(False, "bool")
case([True], "bool")
case([False, False], "bool")
case([True, False, True], "bool", (3, 5))
case([True, False, True], "bool", (1001,))

for shape in ((0,), (0, 3), (3, 0), (2, 0, 4)):
    for dtype in "bool", "int64", "float32", "complex128":
        case(np.empty(0, dtype), dtype, shape)
SHAPES = [(1,), (1, 1), (1, 1, 1), (3, 4), (4, 3, 2), (2, 2, 2, 2), (1, 30), (30, 1), (1000,), (1001,),
          (10, 100), (10, 101), (7, 143), (6, 167), (5, 201), (201, 5), (3, 3, 112), (7, 7, 21),
          (2, 501), (501, 2), (1, 1, 1001), (7, 1, 7, 1, 21), (2,) * 9, (1001, 1), (4, 4, 4, 16),
          (1,) * 12, (8, 8, 8, 8)]
for shape in SHAPES:
    case([1.0, -2.5, 1748.0, 0.125], "float64", shape)
    case(np.arange(23), "int64", shape)
for shape in (25,), (2, 25), (2, 2, 12), (1, 1, 1, 1, 19):
    case([1.23456789, -2.0, np.nan], "float64", shape)
    case([1e-9, -12.125, 3.0], "float32", shape)
    case([True, False, False], "bool", shape)
for n in range(1, 40):
    case([10**5, -3], "int64", (n,))
    case([1.5, -0.125], "float64", (2, n))
case([12345678901234567 % 10**9] * 3, "int64", (3, 8))
