#! /usr/bin/env python3
"""make-exchange.py FOLDER - small files as NumPy, SciPy and safetensors write them, into the folders
npz, safetensors and mtx of FOLDER (tests/fuzz/seeds): what the tests read, and where the fuzzers begin.

Element i of an array in row-major order is 3 i + 1 - 4 s, where s is 1 for dtypes with a sign; bools
are true where i % 3 is 0; complex numbers have the imaginary part 0.5 - i.
"""
import io
import os
import sys
import zipfile

import ml_dtypes
import numpy as np
import scipy.io
import scipy.sparse
from safetensors.numpy import save_file

DTYPES = {"bool": "b1", "u8": "u1", "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8", "f16": "f2",
          "bf16": ml_dtypes.bfloat16, "f32": "f4", "f64": "f8", "c64": "c8", "c128": "c16"}


def array(name, shape):
    i = np.arange(int(np.prod(shape)))
    if name == "bool":
        values = i % 3 == 0
    elif name[0] == "c":
        values = 3 * i - 3 + 1j * (0.5 - i)
    else:
        values = 3 * i + 1 - 4 * (name != "u8")
    return values.reshape(shape).astype(DTYPES[name])


def folder(name):
    path = os.path.join(sys.argv[1], name)
    os.makedirs(path, exist_ok=True)
    return lambda file: os.path.join(path, file)


at = folder("npz")
some = {"a": array("f64", (2, 3)), "b/c": array("i16", (4,))}
np.savez(at("stored.npz"), **some)
np.savez_compressed(at("deflated.npz"), **some)
np.savez(at("empty.npz"))
np.savez_compressed(at("dtypes.npz"), **{k: array(k, (3,)) for k in ("bool", "f16", "c64", "u8")})
# sizes of 64 bits in the directory, a comment, a member that is no array, a descriptor after data
f = io.BytesIO()
np.save(f, np.asfortranarray(array("i32", (2, 3)).astype(">i4")))


class Pipe(io.RawIOBase):
    """cannot go back: sizes follow the data"""

    def __init__(self, path):
        self.f = open(path, "wb")

    def writable(self):
        return True

    def write(self, data):
        return self.f.write(data)


with zipfile.ZipFile(Pipe(at("odd.npz")), "w", zipfile.ZIP_DEFLATED) as z:
    z.writestr("notes.txt", "no array")
    with z.open("x.npy", "w", force_zip64=True) as m:
        m.write(f.getvalue())
    z.comment = b"a comment"

at = folder("safetensors")
save_file({k: array(k, (2, 3)) for k in DTYPES if k != "c128"}, at("dtypes.safetensors"),
          metadata={"made by": "a \"test\"\n\u20ac"})
save_file({}, at("none.safetensors"))
save_file({"number": array("f32", ()), "empty": array("f32", (0, 4)), "one": array("u8", (1, 1, 1))},
          at("shapes.safetensors"))

at = folder("mtx")
a = np.array([[4.5, 0, -1.25], [0, 1e-300, 0], [-1.25, 0, 0.1]])
z = np.array([[2, 1 - 3j], [1 + 3j, 0.5]])
scipy.io.mmwrite(at("array-real.mtx"), a[:2], comment="rows of numbers", precision=17)
scipy.io.mmwrite(at("array-symmetric.mtx"), a, symmetry="symmetric", precision=17)
scipy.io.mmwrite(at("array-hermitian.mtx"), z, symmetry="hermitian", precision=17)
scipy.io.mmwrite(at("array-integer.mtx"), np.array([[1, -(2**62)], [3, 4]]), symmetry="general")
scipy.io.mmwrite(at("array-skew.mtx"), np.array([[0, 2.5], [-2.5, 0]]), symmetry="skew-symmetric")
s = scipy.sparse.coo_array
scipy.io.mmwrite(at("coordinate-real.mtx"), s(a), symmetry="general", precision=17)
scipy.io.mmwrite(at("coordinate-symmetric.mtx"), s(a), symmetry="symmetric", precision=17)
scipy.io.mmwrite(at("coordinate-hermitian.mtx"), s(z), symmetry="hermitian", precision=17)
scipy.io.mmwrite(at("coordinate-integer.mtx"), s(np.array([[0, 7], [-3, 0]])), symmetry="general")
scipy.io.mmwrite(at("coordinate-pattern.mtx"), s(a), field="pattern", symmetry="general")
