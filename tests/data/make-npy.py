#! /usr/bin/env python3
"""make-npy.py >npy.expected - .npy files as NumPy writes them, one on a line:

    NAME DTYPE SIZES HEX    sizes separated by commas, "-" for a single number

Element i in row-major order is 3 i + 1 - 4 s, where s is 1 for dtypes with a sign; bools are
true where i % 3 is 0; complex numbers have the imaginary part 0.5 - i.
"""
import io

import numpy as np
from numpy.lib import format as npy

DTYPES = {"b1": "bool", "u1": "u8", "i1": "i8", "i2": "i16", "i4": "i32", "i8": "i64", "f2": "f16",
          "f4": "f32", "f8": "f64", "c8": "c64", "c16": "c128"}


def array(code, shape):
    i = np.arange(int(np.prod(shape)))
    if code == "b1":
        values = i % 3 == 0
    elif code[0] == "c":
        values = 3 * i - 3 + 1j * (0.5 - i)
    else:
        values = 3 * i + 1 - 4 * (code[0] != "u")
    return values.reshape(shape).astype(code)


def line(name, code, shape, order="<", fortran=False, version=(1, 0)):
    a = array(code, shape).astype(order + code)
    if fortran:
        a = np.asfortranarray(a)
    f = io.BytesIO()
    npy.write_array(f, a, version)
    print(name, DTYPES[code], ",".join(map(str, shape)) or "-", f.getvalue().hex())


for code in DTYPES:
    line("plain", code, (2, 3))
    line("fortran", code, (2, 3), fortran=True)
    if code[1:] != "1":
        line("big", code, (2, 3), ">")
        line("big-fortran", code, (2, 3), ">", True)
    line("plain", code, ())
    line("plain", code, (0, 4))
for version in (2, 0), (3, 0):
    line("version", "f8", (2, 3), version=version)
    line("version", "c8", (3, 2), ">", True, version=version)
for shape in (1,), (7,), (0,), (10, 1), (1, 10), (2, 3, 4), (1,) * 32, (2, 0, 3), (1, 2, 1, 2, 1), (40,):
    line("plain", "i2", shape)
    line("fortran", "i2", shape, fortran=True)
