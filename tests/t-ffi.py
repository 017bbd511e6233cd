"""t-ffi - the library through a plain foreign function interface, as R and Julia use it: no
header, no inline function; handles, numbers and callbacks only."""
import ctypes as c
import os
import sys
import threading

TOP = os.environ.get("top_builddir", ".")
count = failed = 0


def ok(held, what):
    global count, failed
    count += 1
    failed += not held
    print("%s %d - %s" % ("ok" if held else "not ok", count, what), flush=True)


lib = c.CDLL(os.path.join(TOP, ".libs", "libagnesi.so"))
P, I, L, D = c.c_void_p, c.c_int32, c.c_int64, c.c_double
F64, BOOL = 9, 0
BODY = c.CFUNCTYPE(I, P, P, c.POINTER(P), c.POINTER(P))
DESTROY = c.CFUNCTYPE(None, P)


def declare(name, result, *args):
    f = getattr(lib, name)
    f.restype, f.argtypes = result, args
    return f


from_host = declare("agn_from_host", I, c.POINTER(P), I, I, c.POINTER(L), P)
to_host = declare("agn_to_host", I, P, P, c.c_size_t)
op_apply = declare("agn_op_apply", I, c.POINTER(P), I, c.c_char_p, c.POINTER(P), I,
                   c.POINTER(L), I, c.POINTER(D), I)
message = declare("agn_error_message", c.c_char_p)
version = declare("agn_version", c.c_char_p)
abi = declare("agn_abi", I)
release = declare("agn_release", None, P)
adopt = declare("agn_scope_adopt", P, P, I, c.POINTER(P))
fn_new = declare("agn_fn_new", I, c.POINTER(P), BODY, P, DESTROY, I, I)
fn_grad = declare("agn_fn_grad", I, c.POINTER(P), P, c.POINTER(I), I)
fn_vmap = declare("agn_fn_vmap", I, c.POINTER(P), P, c.POINTER(I), I, c.POINTER(I), I)
fn_call = declare("agn_fn_call", I, c.POINTER(P), c.c_int32, P, c.POINTER(P), c.c_int32)
fn_release = declare("agn_fn_release", None, P)
op_count = declare("agn_op_count", I)
op_name = declare("agn_op_name", c.c_char_p, I)
op_signature = declare("agn_op_signature", c.c_char_p, I)
live = declare("agn_memory_live", None, c.POINTER(L), c.POINTER(L), c.POINTER(L))


def tensor(values):
    out, data = P(), (D * len(values))(*values)
    st = from_host(c.byref(out), F64, 1, (L * 1)(len(values)), c.cast(data, P))
    assert st == 0, message()
    return out


def values(x, n):
    data = (D * n)()
    st = to_host(c.cast(data, P), x, 8 * n)
    assert st == 0, message()
    return list(data)


def apply(name, args, ints=()):
    out = P()
    st = op_apply(c.byref(out), 1, name.encode(), (P * len(args))(*args), len(args),
                  (L * max(1, len(ints)))(*ints), len(ints), None, 0)
    return st, out


def blocks():
    n = L()
    live(None, c.byref(n), None)
    return n.value


ok(version().count(b".") == 2 and abi() >= 1, "version %s, interface %d" % (version().decode(), abi()))
names = [op_name(i).decode() for i in range(op_count())]
ok(len(names) == len(set(names)) and "tanh" in names and "matmul" in names,
   "%d ops by reflection" % len(names))

x = tensor([0.5, -1.0, 2.0])
st, y = apply("mul", [x, x])
ok(st == 0 and values(y, 3) == [0.25, 1.0, 4.0], "an op by its name")
st, z = apply("sum", [y], [0, -1])
ok(st == 0 and values(z, 1) == [5.25], "an op with attributes")
ok(op_signature(names.index("sum")) == b"x keep:b axes:a*" and op_signature(-1) is None,
   "the library says what they are")

st, bad = apply("mul", [x, tensor([1.0, 2.0])])
ok(st == -3 and not bad.value and b"mul" in message() and b"[3]" in message() and b"[2]" in message(),
   "an error: %s" % message().decode())
st, bad = apply("no_such_op", [x])
ok(st == -6 and b"no_such_op" in message(), "an error: %s" % message().decode())


# sum sin(x) x, written in the host language
def body(user, scope, args, results):
    def run(name, a, ints=()):
        st, out = apply(name, a, ints)
        got = adopt(scope, st, c.byref(out))
        return P(got) if got else None
    s = run("sin", [P(args[0])])
    m = s and run("mul", [s, P(args[0])])
    t = m and run("sum", [m, ], [0, -1])
    if not t:
        return -1
    results[0] = t.value
    return 0


freed = []
keep_body, keep_free = BODY(body), DESTROY(lambda user: freed.append(user))
f, g, h, v = P(), P(), P(), P()
ok(fn_new(c.byref(f), keep_body, 42, keep_free, 1, 1) == 0, "a function from a callback")
ok(fn_grad(c.byref(g), f, None, 0) == 0, "its gradient")
out = P()
st = fn_call(c.byref(out), 1, g, (P * 1)(x), 1)
from math import cos, sin
want = [sin(t) + t * cos(t) for t in (0.5, -1.0, 2.0)]
ok(st == 0 and all(abs(a - b) < 1e-15 for a, b in zip(values(out, 3), want)), "the gradient's values")
release(out)

# lanes of the gradient
m = P()
data = (D * 6)(0.5, -1.0, 2.0, 0.1, 0.2, 0.3)
from_host(c.byref(m), F64, 2, (L * 2)(2, 3), c.cast(data, P))
ok(fn_vmap(c.byref(v), g, None, 0, None, 0) == 0, "a mapped function")
st = fn_call(c.byref(out), 1, v, (P * 1)(m), 1)
want = [sin(t) + t * cos(t) for t in data]
ok(st == 0 and all(abs(a - b) < 1e-15 for a, b in zip(values(out, 6), want)),
   "lanes of a gradient of a callback")
release(out)


# a callback that fails: its status comes back, nothing is written
def failing(user, scope, args, results):
    st, y = apply("matmul", [P(args[0]), P(args[0])])
    adopt(scope, st, c.byref(y))
    return st


keep_failing = BODY(failing)
fn_new(c.byref(h), keep_failing, None, DESTROY(0), 1, 1)
out = P()
st = fn_call(c.byref(out), 1, h, (P * 1)(x), 1)
ok(st == -3 and not out.value and b"matmul" in message(), "a failing callback: %s" % message().decode())

# a finaliser on another thread, in any order
t = threading.Thread(target=lambda: [release(a) for a in (x, y, z, m)] +
                     [fn_release(a) for a in (f, h, v, g)])
t.start()
t.join()
ok(freed == [42], "the user's data is released on another thread, once")
release(None)
fn_release(None)
ok(True, "releasing nothing is allowed")
print("1..%d" % count)
sys.exit(failed != 0)
