"""Work of bench/ at which a peer was ahead once: saving .npy, sparse solves and products, LSTM, Jacobian, Laplacian.

    python3 ahead.py --peer numpy|scipy|mkl|torch|jax [--threads N] [REGEX]

numpy: np.save, as it is and with fsync; scipy: SuperLU's factors and products of csr; mkl: products of csr
by sparse_dot_mkl (MKL_RT names libmkl_rt); torch: autograd of a loop of LSTM cells and of nn.LSTM; jax: jacfwd
and jacrev of a network, folx's forward Laplacian. SuiteSparseQR itself is called by bench/direct.c.
"""
import peer

A = peer.arguments(["numpy", "scipy", "mkl", "torch", "jax"])

import os

import numpy as np


def mix(n, lo, hi, salt):
    """bench_mix of bench/matrices.c"""
    u = np.modf((np.arange(n, dtype=np.float64) + 1 + 101 * salt) * 0.6180339887498949)[0]
    return lo + (hi - lo) * np.modf(u * u * 12345.678)[0]


def amount(x):
    x = np.asarray(x, dtype=np.float64).ravel()
    return [float(np.abs(x).sum()), float(x[x.size // 3])]


def run(ident, call, check=amount, note=""):
    last = []
    peer.measure(A, ident, note, lambda: last.__setitem__(slice(None), [call()]), lambda: check(last[0]))


def numpy_saves():
    x = peer.grid(12500000, -1, 1, 1)
    path = f"ahead-{os.getpid()}.npy"

    def save(sync):
        with open(path, "wb") as f:
            np.save(f, x)
            if sync:
                f.flush()
                os.fsync(f.fileno())

    for sync in (False, True):
        run("tensor/npy-save/100MB/f64", lambda: save(sync), lambda _: [], "fsync" if sync else "as it is")
    os.remove(path)


def grid_laplacian(n):
    import scipy.sparse as sp

    line = sp.diags([-np.ones(n - 1), 2 * np.ones(n), -np.ones(n - 1)], [-1, 0, 1])
    return (sp.kron(line, sp.eye(n)) + sp.kron(sp.eye(n), line)).tocsr()


def powerlaw(kind):
    import scipy.sparse as sp

    n, e = 100000, 1600000
    u, v, w = mix(e, 0, 1, 0), mix(e, 0, 1, 1), mix(e, -1, 1, 2)
    i = np.floor(u * u * n).astype(np.int64)
    j = (np.floor(v * v * n).astype(np.int64) * 7919 + 13) % n
    return sp.coo_matrix((w, (i, j)), shape=(n, n)).tocsr().astype(kind)


def sparse_products():
    if A.peer == "mkl":
        from sparse_dot_mkl import dot_product_mkl as dot
    else:
        dot = lambda a, x: a @ x
    for ident, a in (
        ("sparse/spmv/laplacian-1000x1000/f64", lambda: grid_laplacian(1000)),
        ("sparse/spmv/powerlaw-100k/f64", lambda: powerlaw(np.float64)),
        ("sparse/spmv/powerlaw-100k/f32", lambda: powerlaw(np.float32)),
    ):
        if A.wanted.search(ident):
            m = a()
            x = mix(m.shape[1], -1, 1, 5).astype(m.dtype)
            run(ident, lambda: dot(m, x))


def sparse_solves():
    ident = "sparse/lu-solve/grid-300x300/f64"
    if A.wanted.search(ident):
        from scipy.sparse.linalg import splu

        b = mix(90000, -1, 1, 5)
        for order in ("COLAMD", "MMD_AT_PLUS_A"):
            f = splu(grid_laplacian(300).tocsc(), permc_spec=order)
            run(ident, lambda: f.solve(b), amount, order)


def torch_lstm():
    import torch

    torch.set_num_threads(A.threads)
    T, b, I, H = 200, 32, 64, 128
    for name, kind in (("f64", np.float64), ("f32", np.float32)):
        ident = f"autograd/lstm-grad/t200-b32-i64-h128/{name}"
        a = 1 / H**0.5
        raw = [peer.grid(T * b * I, -1, 1, 1).reshape(T, b, I), peer.grid(I * 4 * H, -a, a, 2).reshape(I, 4 * H),
               peer.grid(H * 4 * H, -a, a, 3).reshape(H, 4 * H), peer.grid(4 * H, -a, a, 4)]
        x, wx, wh, bias = [torch.tensor(v.astype(kind), requires_grad=True) for v in raw]

        def by_cells():
            z, h, c, total = x @ wx + bias, x.new_zeros(b, H), x.new_zeros(b, H), []
            for t in range(T):
                i, f, g, o = (z[t] + h @ wh).chunk(4, 1)
                c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
                h = torch.sigmoid(o) * torch.tanh(c)
                total.append(h)
            loss = torch.stack(total).square().mean()
            return loss, torch.autograd.grad(loss, [x, wx, wh, bias])

        layer = torch.nn.LSTM(I, H).to(x.dtype)  # its gates are i, f, g, o as well
        with torch.no_grad():
            layer.weight_ih_l0.copy_(wx.T), layer.weight_hh_l0.copy_(wh.T)
            layer.bias_ih_l0.copy_(bias), layer.bias_hh_l0.zero_()

        def by_layer():
            loss = layer(x)[0].square().mean()
            return loss, torch.autograd.grad(loss, [x, *layer.parameters()][:4])

        norm = lambda r: [float(r[0].detach()), float(sum((g.double() ** 2).sum() for g in r[1]) ** 0.5)]
        run(ident, by_layer, norm, "nn.LSTM")
        run(ident, by_cells, norm, "cells")


def jax_derivatives():
    import jax
    import jax.numpy as jnp

    def network(p, h):
        for k in range(0, len(p), 2):
            h = h @ p[k] + p[k + 1]
            h = jnp.tanh(h) if k + 2 < len(p) else h
        return h

    for name, kind in (("f64", np.float64), ("f32", np.float32)):
        ident = f"jacobian/mlp/b64-64-128-128-32/{name}"
        if A.wanted.search(ident):
            p = [jnp.asarray(v) for v in peer.parameters([64, 128, 128, 32], kind)]
            x = jnp.asarray(peer.grid(64 * 64, -1, 1, 1).reshape(64, 64).astype(kind))
            for jac in (jax.jacrev, jax.jacfwd):
                f = jax.jit(jax.vmap(jac(network, 1), (None, 0)))
                run(ident, lambda: jax.block_until_ready(f(p, x)),
                    lambda y: [float((np.asarray(y, np.float64) ** 2).sum()), float(np.asarray(y).ravel()[1000])],
                    jac.__name__)
        for d in (10, 50):
            if not A.wanted.search(f"operator/laplacian/d{d}/{name}") and \
                    not A.wanted.search(f"operator/laplacian-grad/d{d}/{name}"):
                continue
            import folx

            p = [jnp.asarray(v) for v in peer.parameters([d, 768, 768, 512, 512, 1], kind)]
            x = jnp.asarray(peer.grid(16 * d, -1, 1, 1).reshape(16, d).astype(kind))

            def values(q, x):
                op = folx.forward_laplacian(lambda z: network(q, z[None])[0, 0])
                return jax.vmap(lambda z: op(z).laplacian)(x)

            f = jax.jit(values)
            run(f"operator/laplacian/d{d}/{name}", lambda: jax.block_until_ready(f(p, x)),
                lambda y: [float(np.sum(np.asarray(y, np.float64))), float(np.sum(np.asarray(y, np.float64) ** 2))])
            g = jax.jit(jax.value_and_grad(lambda q, x: jnp.mean(values(q, x) ** 2)))
            run(f"operator/laplacian-grad/d{d}/{name}", lambda: jax.block_until_ready(g(p, x)),
                lambda r: [float(r[0]), float(sum((np.asarray(v, np.float64) ** 2).sum() for v in r[1]) ** 0.5)])


if A.peer == "scipy":
    sparse_solves()
{"numpy": numpy_saves, "scipy": sparse_products, "mkl": sparse_products, "torch": torch_lstm, "jax": jax_derivatives}[A.peer]()
