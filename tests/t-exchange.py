"""t-exchange - files and memory shared with NumPy, SciPy, safetensors, ml_dtypes and torch
themselves. Each that is missing is a skip of its own."""
import ctypes as c
import gc
import io
import os
import shutil
import sys
import tempfile
import zipfile

TOP = os.environ.get("top_builddir", ".")
count = failed = 0


def ok(held, what):
    global count, failed
    count += 1
    failed += not held
    print("%s %d - %s" % ("ok" if held else "not ok", count, what), flush=True)


def skip(why):
    global count
    count += 1
    print("ok %d # SKIP %s" % (count, why), flush=True)


def module(name):
    try:
        return __import__(name, fromlist=["_"])
    except ImportError:
        skip("no %s for %s: round trips with it are not tested" % (name, sys.executable))
        return None


np, torch, io_scipy, sp = map(module, ("numpy", "torch", "scipy.io", "scipy.sparse"))
st_np, ml_dtypes = map(module, ("safetensors.numpy", "ml_dtypes"))
if np is None:
    print("1..%d" % count)
    sys.exit(0)

lib = c.CDLL(os.path.join(TOP, ".libs", "libagnesi.so"))
P, I, L = c.c_void_p, c.c_int32, c.c_int64
R = c.POINTER(P)


def declare(name, result, *args):
    f = getattr(lib, "agn_" + name)
    f.restype, f.argtypes = result, args
    return f


error_message = declare("error_message", c.c_char_p)
from_host = declare("from_host", I, R, I, I, c.POINTER(L), P)
to_host = declare("to_host", I, P, P, c.c_size_t)
ndim, numel, dtype_of = declare("ndim", I, P), declare("numel", L, P), declare("dtype_of", I, P)
layout_of, shape_of = declare("layout_of", I, P), declare("shape", c.POINTER(L), P)
release = declare("release", None, P)
permute = declare("permute", I, R, P, c.POINTER(I), I)
data_mut, wrap = declare("data_mut", I, R, P), declare("data", P, P)
live = declare("memory_live", None, c.POINTER(L), c.POINTER(L), c.POINTER(L))
npy_save, npy_load = declare("npy_save", I, c.c_char_p, P), declare("npy_load", I, R, c.c_char_p)
dict_new, dict_put = declare("dict_new", I, R), declare("dict_put", I, P, c.c_char_p, P)
dict_get, dict_release = declare("dict_get", I, R, P, c.c_char_p), declare("dict_release", None, P)
dict_count, dict_name = declare("dict_count", I, P), declare("dict_name", c.c_char_p, P, I)
note_put, note = declare("dict_note_put", I, P, c.c_char_p, c.c_char_p), declare(
    "dict_note", c.c_char_p, P, c.c_char_p)
npz_save = declare("npz_save", I, c.c_char_p, P, c.c_bool)
npz_load = declare("npz_load", I, R, c.c_char_p)
safe_save = declare("safetensors_save", I, c.c_char_p, P)
safe_load = declare("safetensors_load", I, R, c.c_char_p)
mtx_load = declare("mtx_load", I, R, c.c_char_p)
mtx_entries = declare("mtx_load_entries", I, R, R, R, c.POINTER(L), c.c_char_p)
mtx_save = declare("mtx_save", I, c.c_char_p, P, I)
to_dense = declare("sparse_to_dense", I, R, P)
from_dense = declare("sparse_from_dense", I, R, P)
dl_export = declare("dlpack_export", I, R, P, I)
dl_legacy = declare("dlpack_export_legacy", I, R, P, I)
dl_import = declare("dlpack_import", I, R, P)
dl_import_legacy = declare("dlpack_import_legacy", I, R, P)

NAMES = "bool u8 i8 i16 i32 i64 f16 bf16 f32 f64 c64 c128".split()
NUMPY = {"bool": "bool", "u8": "uint8", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
         "f16": "float16", "f32": "float32", "f64": "float64", "c64": "complex64",
         "c128": "complex128"}
TYPES = {k: np.dtype(v) for k, v in NUMPY.items()}
if ml_dtypes:
    TYPES["bf16"] = np.dtype(ml_dtypes.bfloat16)
folder = tempfile.mkdtemp(prefix="agnesi-exchange-")


def path(name):
    return os.path.join(folder, name)


def must(status):
    if status:
        raise RuntimeError(error_message().decode())


def give(f, *args):
    out = P()
    must(f(c.byref(out), *args))
    return out


def name_of(dtype):
    return next(k for k, v in TYPES.items() if v == dtype)


def tensor(a):
    a = np.ascontiguousarray(a) if np.ndim(a) else np.asarray(a)
    shape = (L * max(a.ndim, 1))(*a.shape)
    return give(from_host, NAMES.index(name_of(a.dtype)), a.ndim, shape, a.ctypes.data)


def array(x):
    shape = [shape_of(x)[k] for k in range(ndim(x))]
    a = np.empty(shape, TYPES[NAMES[dtype_of(x)]])
    must(to_host(a.ctypes.data, x, a.nbytes))
    return a


def same(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def values(name, shape):
    n = int(np.prod(shape))
    i = np.arange(n) * 37 % 101 - (0 if name in ("bool", "u8") else 50)
    a = i % 3 == 0 if name == "bool" else i + (0.25 * i) * 1j if name[0] == "c" else i
    return a.astype(TYPES[name]).reshape(shape)


def blocks():
    n = L()
    live(None, c.byref(n), None)
    return n.value


start = blocks()
SHAPES = [(), (0,), (1,), (7,), (3, 4), (0, 3), (2, 0, 5), (2, 3, 4, 5)]

# ---- .npy (S4: every dtype, both orders of bytes) --------------------------------------
for name, dtype in TYPES.items():
    read = wrote = True
    for shape in SHAPES:
        a = values(name, shape)
        x = tensor(a)
        must(npy_save(path("a.npy").encode(), x))
        back = np.load(path("a.npy"))
        wrote &= same(back.view(dtype) if name == "bf16" else back, a)
        release(x)
        for form in (a, np.array(a, order="F"), a.astype(dtype.newbyteorder(">"))):
            if name == "bf16" and form is not a and form.dtype != dtype:
                continue
            np.save(path("b.npy"), form)
            x = give(npy_load, path("b.npy").encode())
            read &= same(array(x), a)
            release(x)
    ok(wrote, "NumPy reads our .npy: %s" % name)
    ok(read, "we read NumPy's .npy, Fortran order and big-endian too: %s" % name)
with open(path("bytes.npy"), "wb") as f:
    np.save(f, values("f64", (3, 4)))
x = tensor(values("f64", (3, 4)))
must(npy_save(path("ours.npy").encode(), x))
ok(open(path("bytes.npy"), "rb").read() == open(path("ours.npy"), "rb").read(),
   "our .npy is NumPy's byte for byte")
t = give(permute, x, (I * 2)(1, 0), 2)
must(npy_save(path("t.npy").encode(), t))
ok(same(np.load(path("t.npy")), values("f64", (3, 4)).T.copy()), "B12 a transposed view, right order")
release(t)
release(x)


# ---- dictionaries -------------------------------------------------------------------------
def dictionary(arrays, notes=None):
    d = give(dict_new)
    for k, a in arrays.items():
        x = tensor(a)
        must(dict_put(d, k.encode(), x))
        release(x)
    for k, text in (notes or {}).items():
        must(note_put(d, k.encode(), text.encode()))
    return d


def arrays_of(d):
    out = {}
    for k in range(dict_count(d)):
        name = dict_name(d, k)
        x = give(dict_get, d, name)
        out[name.decode()] = array(x)
        release(x)
    return out


def all_same(a, b):
    return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)


nested = {"w/%s/%s" % (name, "x".join(map(str, shape)) or "0-D"): values(name, shape)
          for name in TYPES for shape in SHAPES}
plain = {k: a for k, a in nested.items() if "bf16" not in k}

# ---- .npz --------------------------------------------------------------------------------
for save, what in (np.savez, "stored"), (np.savez_compressed, "deflated"):
    save(path("a.npz"), **plain)
    d = give(npz_load, path("a.npz").encode())
    ok(all_same(arrays_of(d), plain), "we read NumPy's .npz, %s: %d arrays" % (what, len(plain)))
    dict_release(d)
for compress in False, True:
    d = dictionary(nested)
    must(npz_save(path("b.npz").encode(), d, compress))
    dict_release(d)
    with np.load(path("b.npz")) as z:
        back = {k: z[k].view(TYPES["bf16"]) if "bf16" in k else z[k] for k in z.files}
    ok(all_same(back, nested), "NumPy reads our .npz, compress %s" % compress)
    with zipfile.ZipFile(path("b.npz")) as z:
        ok(z.testzip() is None and len(z.namelist()) == len(nested), "zipfile finds no fault in it")
    d = give(npz_load, path("b.npz").encode())
    ok(all_same(arrays_of(d), nested), "S6 nested names come back, compress %s" % compress)
    dict_release(d)
with zipfile.ZipFile(path("c.npz"), "w", zipfile.ZIP_DEFLATED, allowZip64=True) as z:
    z.writestr("notes.txt", "no array")
    f = io.BytesIO()
    np.save(f, values("f32", (3, 4)))
    with z.open("r\u00e9sum\u00e9.npy", "w", force_zip64=True) as m:
        m.write(f.getvalue())
    z.comment = b"a comment PK\5\6 within"
d = give(npz_load, path("c.npz").encode())
ok(all_same(arrays_of(d), {"r\u00e9sum\u00e9": values("f32", (3, 4))}),
   "a comment, a member that is no array (S3), sizes of 64 bits, a name in UTF-8")
dict_release(d)

# ---- safetensors ----------------------------------------------------------------------------
if st_np:
    several = {k: a for k, a in nested.items() if "c128" not in k and a.ndim < 4}
    known = dict(several)
    try:
        st_np.save({"z": values("c64", (2,))})
    except Exception:  # older ones lack c64
        known = {k: a for k, a in several.items() if "c64" not in k}
    st_np.save_file(known, path("a.safetensors"), metadata={"made by": "t\u00e4st \"\\\n\u0001"})
    d = give(safe_load, path("a.safetensors").encode())
    ok(all_same(dict(sorted(arrays_of(d).items())), dict(sorted(known.items()))),
       "we read what safetensors writes: %d tensors" % len(known))
    ok(note(d, b"made by").decode() == "t\u00e4st \"\\\n\u0001", "and its metadata")
    must(safe_save(path("b.safetensors").encode(), d))
    ok(open(path("a.safetensors"), "rb").read() == open(path("b.safetensors"), "rb").read(),
       "what we write is the same byte for byte")
    dict_release(d)
    back = st_np.load_file(path("b.safetensors"))
    ok(all_same(dict(sorted(back.items())), dict(sorted(known.items()))), "safetensors reads it")
    from safetensors import safe_open
    d = dictionary({"\u00fcber \"x\"\\\t\u20ac\U0001f600": values("f32", (3,))},
                   {"a": "1", "b\n": "\u007f\u20ac"})
    must(safe_save(path("c.safetensors").encode(), d))
    dict_release(d)
    with safe_open(path("c.safetensors"), "np") as f:
        ok(list(f.keys()) == ["\u00fcber \"x\"\\\t\u20ac\U0001f600"] and
           f.metadata() == {"a": "1", "b\n": "\u007f\u20ac"}, "names and notes that need escapes")
    d = dictionary({})
    must(safe_save(path("d.safetensors").encode(), d))
    ok(st_np.load_file(path("d.safetensors")) == {}, "an empty dictionary")
    dict_release(d)

# ---- Matrix Market ----------------------------------------------------------------------------
GENERAL, SYMMETRIC, SKEW, HERMITIAN = range(4)


def matrix(x):
    if layout_of(x) == 0:
        return array(x)
    y = give(to_dense, x)
    a = array(y)
    release(y)
    return a


if io_scipy and sp:
    rng = np.random.default_rng(1897)
    for field in "real", "integer", "complex", "pattern":
        for symmetry in "general", "symmetric", "skew-symmetric", "hermitian":
            if (symmetry == "hermitian") > (field == "complex") or \
               (field == "pattern" and symmetry == "skew-symmetric"):
                continue
            a = rng.integers(-9, 9, (6, 6)) * (rng.random((6, 6)) < 0.5)
            if field in ("real", "complex"):
                a = a * rng.standard_normal((6, 6))
            if field == "complex":
                a = a * (1 + 1j * rng.standard_normal((6, 6)))
            if field == "pattern":
                a = (a != 0).astype(float)
            mirror = {"general": a, "symmetric": a.T, "skew-symmetric": -a.T,
                      "hermitian": a.conj().T}[symmetry]
            low = np.tril(np.ones((6, 6), bool), -1)
            eye = np.eye(6, dtype=bool)
            a = a if symmetry == "general" else np.where(low, a, mirror)
            if symmetry == "skew-symmetric":
                a = np.where(eye, 0, a)
            elif symmetry != "general":
                a = np.where(eye, a.real if symmetry == "hermitian" else a.diagonal()[:, None], a)
            good = True
            formats = [sp.coo_array(a)] + ([a] if field != "pattern" else [])
            for m in formats:
                io_scipy.mmwrite(path("a.mtx"), m, field=field, symmetry=symmetry, precision=17)
                x = give(mtx_load, path("a.mtx").encode())
                good &= np.array_equal(matrix(x), a)
                if field != "pattern":
                    must(mtx_save(path("b.mtx").encode(), x,
                                  ("general", "symmetric", "skew-symmetric", "hermitian").index(
                                      symmetry)))
                    b = io_scipy.mmread(path("b.mtx"))
                    good &= np.array_equal(b.toarray() if sp.issparse(b) else b, a)
                    want = ("coordinate" if m is not a else "array", symmetry)
                    info = io_scipy.mminfo(path("b.mtx"))
                    good &= (info[3], info[5]) == want
                release(x)
            rows, cols, v = P(), P(), P()
            shape = (L * 2)()
            io_scipy.mmwrite(path("a.mtx"), formats[0], field=field, symmetry=symmetry, precision=17)
            must(mtx_entries(c.byref(rows), c.byref(cols), c.byref(v), shape, path("a.mtx").encode()))
            b = np.zeros(tuple(shape), a.dtype)
            b[array(rows), array(cols)] = array(v)
            good &= np.array_equal(b, a)
            for x in rows, cols, v:
                release(x)
            ok(good, "Matrix Market with SciPy, both ways: %s %s" % (field, symmetry))
    good = True
    for name, dtype in TYPES.items():
        a = values(name, (3, 4))
        x = tensor(a)
        must(mtx_save(path("c.mtx").encode(), x, GENERAL))
        back = io_scipy.mmread(path("c.mtx"))
        good &= np.array_equal(back.astype(dtype), a)
        release(x)
    ok(good, "arrays of every dtype")

# ---- DLPack: memory shared with Python's libraries ----------------------------------------------
api = c.pythonapi
api.PyCapsule_New.restype, api.PyCapsule_New.argtypes = c.py_object, (P, c.c_char_p, P)
api.PyCapsule_GetPointer.restype = P
api.PyCapsule_GetPointer.argtypes = (c.py_object, c.c_char_p)
api.PyCapsule_SetName.argtypes = (c.py_object, c.c_char_p)
READ, WRITE, COPY = range(3)
NEW, OLD = b"dltensor_versioned", b"dltensor"


class Exported:
    """what numpy.from_dlpack asks for"""

    def __init__(self, x, share, legacy=False):
        self.x, self.share, self.legacy = x, share, legacy

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        legacy = self.legacy or max_version is None
        m = give(dl_legacy if legacy else dl_export, self.x, self.share)
        return api.PyCapsule_New(m, OLD if legacy else NEW, None)


def imported(a, legacy=False):
    capsule = a.__dlpack__() if legacy else a.__dlpack__(max_version=(1, 0))
    try:
        m, name, f = api.PyCapsule_GetPointer(capsule, NEW), b"used_" + NEW, dl_import
    except ValueError:
        m, name, f = api.PyCapsule_GetPointer(capsule, OLD), b"used_" + OLD, dl_import_legacy
    x = give(f, m)
    imported.keep.append(c.create_string_buffer(name))
    api.PyCapsule_SetName(capsule, imported.keep[-1])
    return x


imported.keep = []
good = still = True
for name in TYPES:
    if name == "bf16":
        continue
    for shape in SHAPES:
        a = values(name, shape)
        x = tensor(a)
        before = blocks()
        b = np.from_dlpack(Exported(x, READ))
        good &= same(b, a) and (not a.size or not b.flags.writeable)
        release(x)
        still &= same(b, a)
        del b
ok(good, "NumPy sees our memory, read-only, every dtype and shape")
ok(still, "and after we let go of it")
x = tensor(values("f64", (3, 4)))
b = np.from_dlpack(Exported(x, WRITE))
b[1, 2] = 1897
ok(array(x)[1, 2] == 1897, "NumPy writes our memory where it may")
t = give(permute, x, (I * 2)(1, 0), 2)
b = np.from_dlpack(Exported(t, READ))
ok(b.strides == (8, 32) and same(b.copy(), array(t)), "a transposed view keeps its strides")
b = np.from_dlpack(Exported(t, COPY))
ok(same(b, array(t)) and b.flags.c_contiguous and b.flags.writeable, "a copy is of its own")
release(t)
release(x)
del b
good = True
for legacy in False, True:
    for name in TYPES:
        if name == "bf16":
            continue
        for a in (values(name, (4, 6)), values(name, (4, 6)).T, values(name, (4, 6))[::2, ::-3],
                  values(name, (2, 0, 5)), values(name, ())):
            x = imported(a, legacy)
            want = a.copy()
            del a
            gc.collect()
            good &= same(array(x), np.ascontiguousarray(want) if want.ndim else want)
            release(x)
ok(good, "we see NumPy's memory: every dtype, strides of either sign, both structures")
a = values("f64", (3,))
a.flags.writeable = False
x, p = imported(a), P()
ok(data_mut(c.byref(p), x) == -6 and b"read-only" in error_message(), "NumPy's read-only flag holds")
release(x)
try:
    imported(np.zeros(3, "u2"))
    ok(False, "u2")
except RuntimeError as e:
    ok("16 bits" in str(e), "a dtype we lack is refused: %s" % e)
if torch is not None:
    kinds = {"bool": torch.bool, "u8": torch.uint8, "i8": torch.int8, "i16": torch.int16,
             "i32": torch.int32, "i64": torch.int64, "f16": torch.float16, "bf16": torch.bfloat16,
             "f32": torch.float32, "f64": torch.float64, "c64": torch.complex64,
             "c128": torch.complex128}
    good = ours = True
    for name in TYPES:
        for shape in SHAPES:
            a = values(name, shape)
            x = tensor(a)
            for legacy in False, True:
                y = torch.from_dlpack(Exported(x, WRITE, legacy))
                back = y.view(torch.int16).numpy().view(TYPES[name]) if name == "bf16" else y.numpy()
                good &= y.dtype == kinds[name] and same(back, a)
            release(x)
            good &= y.numel() == a.size and (name == "bf16" or same(y.numpy(), a))
            y = y.clone()
            x = imported(y)
            if y.ndim == 2:
                t = imported(y.T)
                ours &= same(array(t), a.T.copy())
                release(t)
            del y
            ours &= same(array(x), a)
            release(x)
    ok(good, "torch sees our memory: every dtype and shape, both structures, also after release")
    ok(ours, "we see torch's, also after it let go of it")
    x = tensor(values("f32", (5,)))
    torch.from_dlpack(Exported(x, WRITE)).mul_(2)
    ok(same(array(x), 2 * values("f32", (5,))), "torch writes our memory where it may")
    release(x)

# R1: many times, either side letting go first
n = 100 if os.environ.get("AGNESI_TEST_QUICK") else 3000
x = tensor(values("f64", (16,)))
a = values("f64", (16,))
before, references = blocks(), sys.getrefcount(a)
for k in range(n):
    b = np.from_dlpack(Exported(x, READ))
    y = imported(b if k % 2 else a)
    if k % 4 < 2:
        del b
        release(y)
    else:
        release(y)
        del b
gc.collect()
ok(blocks() == before, "R1 %d exports and imports leave nothing of ours" % n)
ok(sys.getrefcount(a) == references, "nor of NumPy's")
release(x)
back = None
gc.collect()
ok(blocks() == start, "nothing is left of all that")
shutil.rmtree(folder)
print("1..%d" % count)
sys.exit(failed != 0)
