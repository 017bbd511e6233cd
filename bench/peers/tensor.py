"""Element-wise functions, folds, sorts and sums of rows of bench/tensor.c in NumPy, torch and JAX.

    python3 tensor.py --peer numpy|torch|jax [REGEX]
"""
import peer

A = peer.arguments(["numpy", "torch", "jax"])

import numpy as np

if A.peer == "torch":
    import torch as lib

    lib.set_num_threads(A.threads)
    VERSION, put, get = lib.__version__, lib.tensor, lambda y: y.detach().numpy()
elif A.peer == "jax":
    import jax
    import jax.numpy as lib

    VERSION, put, get = jax.__version__, lib.asarray, np.asarray
else:
    lib, VERSION, put, get = np, np.__version__, np.asarray, np.asarray


def both(y):
    """sum |y| in f64 and the element a third of the way"""
    y = np.asarray(get(y)).ravel()
    return [float(np.abs(y).astype(np.float64).sum()), float(y[y.size // 3])]


def run(ident, f, *arrays):
    """f of arrays, compiled where the peer compiles"""
    if not A.wanted.search(ident):
        return
    x, last = [put(a) for a in arrays], []
    if A.peer == "jax":
        fast = jax.jit(f)
        call = lambda: last.__setitem__(slice(None), [jax.block_until_ready(fast(*x))])
    else:
        call = lambda: last.__setitem__(slice(None), [f(*x)])
    peer.measure(A, ident, VERSION, call, lambda: both(last[0]))


def chain(x):
    return lib.exp(-x * x) * lib.sin(x) + 0.5 * x


def chain_grad(x):
    if A.peer == "jax":
        return jax.grad(lambda z: chain(z).sum())(x)
    z = x.clone().requires_grad_()
    return lib.autograd.grad(chain(z).sum(), z)[0]


def erf(x):
    return jax.scipy.special.erf(x) if A.peer == "jax" else lib.erf(x)


def add_rows(x, at):
    if A.peer == "jax":
        return lib.zeros((100000, 64), x.dtype).at[at].add(x)
    return lib.zeros((100000, 64), dtype=x.dtype).index_add(0, at, x)


for dtype, kind in (("f64", np.float64), ("f32", np.float32)):
    for n in (10000, 1000000, 10000000):
        x = peer.grid(n, -3, 3, 1).astype(kind) if A.wanted.search(f"tensor/chain/n{n}/{dtype}") or \
            A.wanted.search(f"tensor/chain-grad/n{n}/{dtype}") else None
        if x is None:
            continue
        run(f"tensor/chain/n{n}/{dtype}", chain, x)
        if A.peer != "numpy":
            run(f"tensor/chain-grad/n{n}/{dtype}", chain_grad, x)
    table = peer.grid(4096 * 1024, 0, 1, 1).astype(kind).reshape(4096, 1024)
    largest = lib.amax if A.peer == "torch" else lib.max
    for name, axis in (("ax0", (0,)), ("ax1", (1,)), ("all", (0, 1))):
        run(f"tensor/sum-{name}/4096x1024/{dtype}", lambda a, k=axis: lib.sum(a, k), table)
        run(f"tensor/max-{name}/4096x1024/{dtype}", lambda a, k=axis: largest(a, k), table)
    square = [peer.grid(4096 * 4096, 0, 1, k).astype(kind).reshape(4096, 4096) for k in (1, 2)]
    run(f"tensor/add-strided/4096x4096/{dtype}", lambda a, b: a[::2, ::2] + b[::2, ::2], *square)
    cubes = [peer.grid(1000 * 1024, -1, 1, k).astype(kind).reshape(1000, 32, 32) for k in (1, 2)]
    run(f"tensor/matmul-batched/1000x32/{dtype}", lib.matmul, *cubes)
    if A.peer != "numpy":
        run(f"tensor/erf/n1000000/{dtype}", erf, peer.grid(1000000, -3, 3, 1).astype(kind))
        run(f"tensor/scatter-add/1000000x64-100000/{dtype}", add_rows,
            peer.grid(64000000, -1, 1, 1).astype(kind).reshape(1000000, 64),
            peer.grid(1000000, 0, 100000, 3).astype(np.int64))
    if dtype == "f64":
        run("tensor/argsort/n1000000/f64", lib.argsort, peer.grid(1000000, -1, 1, 1))
    order = (lambda a: lib.sort(a)[0]) if A.peer == "torch" else lib.sort
    run(f"tensor/sort/n1000000/{dtype}", order, peer.grid(1000000, -1, 1, 1).astype(kind))
