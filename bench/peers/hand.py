"""The hand of bench/hand.c in JAX and torch, in the form that serves each best: one JSON line for each.

    python3 hand.py [--threads N] [--reps N]
"""
import argparse, json, os, statistics, time

ap = argparse.ArgumentParser()
ap.add_argument("--threads", type=int, default=1)
ap.add_argument("--reps", type=int, default=7)
args = ap.parse_args()
for v in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NPROC"):
    os.environ[v] = str(args.threads)
os.environ["JAX_ENABLE_X64"] = "1"
os.environ["JAX_PLATFORMS"] = "cpu"
if args.threads == 1:
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:1])

import numpy as np

try:
    import jax
    import jax.numpy as jnp
except ImportError:
    jax = None
try:
    import torch

    torch.set_num_threads(args.threads)
except ImportError:
    torch = None

BONES, FINGERS = 22, 5


def grid(shape, lo, hi, salt):
    n = int(np.prod(shape))
    i = np.arange(1 + 101 * salt, n + 1 + 101 * salt, dtype=np.float64)
    return (lo + (hi - lo) * np.modf(i * 0.6180339887498949)[0]).reshape(shape)


def frames(salt):
    return np.concatenate([grid((BONES, 3, 4), -0.3, 0.3, salt), np.zeros((BONES, 1, 4))], 1) + np.eye(4)


REL, INV = frames(2), frames(3)
ACROSS = np.zeros((3, 3, 3))
for i, j, k, v in ((0, 1, 2, -1), (0, 2, 1, 1), (1, 0, 2, 1), (1, 2, 0, -1), (2, 0, 1, -1), (2, 1, 0, 1)):
    ACROSS[k, i, j] = v


def posed(lib, theta, rel, inv, skin):
    """[3, V] of theta [26]"""
    angle = theta[6:].reshape(FINGERS, 4)
    x = lib.concatenate([angle[:, :1], angle[:, 2:]], 1)
    z = lib.concatenate([angle[:, 1:2], lib.zeros_like(angle[:, 2:])], 1)
    cx, sx, cz, sz = lib.cos(x), lib.sin(x), lib.cos(z), lib.sin(z)
    o, l = lib.zeros_like(x), lib.ones_like(x)
    turn = lib.stack([cz, -sz * cx, sz * sx, o, sz, cz * cx, -cz * sx, o, o, sx, cx, o, o, o, o, l], 2)
    finger = rel[2:].reshape(FINGERS, 4, 4, 4)
    step = finger[:, :3] @ turn.reshape(FINGERS, 3, 4, 4)
    carries, bones = rel[0] @ rel[1], []
    palm = carries
    for j in range(4):
        carries = carries @ (step[:, j] if j < 3 else finger[:, 3])
        bones.append(carries)
    place = lib.concatenate([rel[:1], palm[None], lib.stack(bones, 1).reshape(20, 4, 4)], 0)
    move = (place @ inv)[:, :3]
    r = theta[:3]
    t = lib.sqrt((r * r).sum())
    k = r / t
    c, s = lib.cos(t), lib.sin(t)
    eye, across = lib.asarray(np.eye(3)), lib.asarray(ACROSS)
    R = eye * c + (k[:, None, None] * across).sum(0) * s + k[:, None] * k * (1 - c)
    move = R @ move
    flat = move.transpose(1, 0, 2) if lib is not torch else move.permute(1, 0, 2)
    return flat.reshape(3, 4 * BONES) @ skin + theta[3:6, None]


def measure(name, peer, call, check):
    t = time.perf_counter()
    call()
    first = time.perf_counter() - t
    t = time.perf_counter()
    call()
    inner = max(1, int(0.02 / (time.perf_counter() - t)))
    times = []
    for _ in range(args.reps):
        t = time.perf_counter()
        for _ in range(inner):
            call()
        times.append((time.perf_counter() - t) / inner * 1e3)
    print(json.dumps({"id": name, "peer": peer, "ms": round(statistics.median(times), 6),
                      "ms_min": round(min(times), 6), "first_ms": round(first * 1e3, 3),
                      "check": [float((np.asarray(y) ** 2).sum()) for y in check(call())]}), flush=True)


def run(V, c, triangles):
    name = "adbench/hand%s/v%d-c%d/f64" % ("-triangles" if triangles else "", V, c)
    theta, skin = grid((26,), -0.5, 0.5, 1), grid((4 * BONES, V), -1 / 11, 1 / 11, 4)
    places, u = grid((c, 3), -1, 1, 5), grid((c, 2), 0, 0.5, 6)
    a = 7919 * np.arange(c) % (V - 2)
    corner = [a + k for k in range(3)]

    def residual(lib, theta, u, skin):
        v = posed(lib, theta, lib.asarray(REL), lib.asarray(INV), skin).T
        if not triangles:
            return lib.asarray(places) - v[a]
        return lib.asarray(places) - (u[:, :1] * v[corner[0]] + u[:, 1:] * v[corner[1]]
                                      + (1 - u[:, :1] - u[:, 1:]) * v[corner[2]])

    def of(lib, jacobian, vmap):
        def f(theta, u, skin):
            y, J = residual(lib, theta, u, skin), jacobian(lambda t: residual(lib, t, u, skin))(theta)
            if not triangles:
                return y, J
            v = posed(lib, theta, lib.asarray(REL), lib.asarray(INV), skin).T
            one = lambda u, a, b, d, p: p - (u[0] * a + u[1] * b + (1 - u[0] - u[1]) * d)
            Ju = vmap(lambda u, *x: jacobian(lambda w: one(w, *x))(u))(
                u, *[v[k] for k in corner], lib.asarray(places))
            return y, J, Ju
        return f

    if jax:
        for peer, mode in (("jax-fwd", jax.jacfwd), ("jax-rev", jax.jacrev)):
            if mode is jax.jacrev:  # 0.3 s at c1000
                continue
            f = jax.jit(of(jnp, mode, jax.vmap))
            x = [jnp.asarray(v) for v in (theta, u, skin)]
            measure(name, peer, lambda: jax.block_until_ready(f(*x)), lambda y: y)
    if torch:
        f = of(torch, torch.func.jacfwd, torch.func.vmap)
        x = [torch.tensor(v) for v in (theta, u, skin)]
        measure(name, "torch-fwd", lambda: f(*x), lambda y: y)


run(544, 1000, False)
run(544, 1000, True)
run(544, 100000, False)
