"""The steps of physics-informed networks of bench/pinn.c in JAX and torch: loss and gradient.

    python3 pinn.py --peer jax-jet|jax-chunk|torch-grad [REGEX]

jax-jet carries Taylor coefficients of the whole batch, jax-chunk those of 500 points (512 where the
batch is a multiple) at a time in a scan, torch-grad nests autograd.grad with create_graph.
"""
import peer

A = peer.arguments(["jax-jet", "jax-chunk", "torch-grad"])

import numpy as np

NU = 0.01 / np.pi
# id, hidden layers, width, outputs, points, dtypes, equation, activation; a twin is another network
# and equation that must do as well as the id whose name it bears
BOTH, F64 = ("f64", "f32"), ("f64",)
CASES = [(f"pinn/burgers/n{n}", 8, 20, 1, n, BOTH, "burgers", "tanh") for n in (100, 1000, 10000, 100000)]
CASES += [
    ("pinn/wide64/n4096", 4, 64, 1, 4096, BOTH, "burgers", "tanh"),
    ("pinn/wide256/n4096", 4, 256, 1, 4096, BOTH, "burgers", "tanh"),
    ("pinn/kdv/n5000", 6, 30, 1, 5000, F64, "kdv", "tanh"),
    ("pinn/ks/n2048", 5, 50, 1, 2048, F64, "ks", "tanh"),
    ("pinn/ns2d/n4096", 5, 50, 3, 4096, F64, "ns2d", "tanh"),
    ("twin/burgers/n10000", 5, 32, 1, 10000, BOTH, "allen-cahn", "sin"),
    ("twin/wide64/n4096", 3, 96, 1, 4096, BOTH, "fisher", "sigmoid"),
    ("twin/wide256/n4096", 5, 192, 1, 4096, BOTH, "allen-cahn", "sin"),
    ("twin/kdv/n5000", 4, 40, 1, 5000, F64, "mkdv", "sin"),
    ("twin/ks/n2048", 6, 36, 1, 2048, F64, "swift-hohenberg", "sigmoid"),
    ("twin/ns2d/n4096", 7, 40, 3, 4096, F64, "brinkman", "sin"),
]
# highest derivative along each axis
ORDERS = {"burgers": (2, 1), "kdv": (3, 1), "ks": (4, 1), "ns2d": (2, 2)}
ORDERS |= {"allen-cahn": (2, 1), "fisher": (2, 1), "mkdv": (3, 1), "swift-hohenberg": (4, 1), "brinkman": (2, 2)}


def residuals(equation, d0, d1):
    """dk[j]: the j-th derivative along axis k, [n, outputs]; d0[0] is the value"""
    u = d0[0]
    if equation == "burgers":
        return [d1[1] + u * d0[1] - NU * d0[2]]
    if equation == "kdv":
        return [d1[1] + u * d0[1] + 0.022**2 * d0[3]]
    if equation == "ks":
        return [d1[1] + 100 / 16 * u * d0[1] + 100 / 256 * d0[2] + 100 / 65536 * d0[4]]
    if equation == "allen-cahn":
        return [d1[1] - 1e-4 * d0[2] + 5 * (u * u * u - u)]
    if equation == "fisher":
        return [d1[1] - 0.01 * d0[2] + u * u - u]
    if equation == "mkdv":
        return [d1[1] + 6 * u * u * d0[1] + d0[3]]
    if equation == "swift-hohenberg":
        return [d1[1] + 0.7 * u + 2 * d0[2] + d0[4] + u * u * u]
    of = lambda d, j: d[:, j : j + 1]
    drag = 0.1 if equation == "brinkman" else 0
    a, b = of(u, 0), of(u, 1)
    move = lambda j: a * of(d0[1], j) + b * of(d1[1], j) - (of(d0[2], j) + of(d1[2], j)) / 40 + drag * of(u, j)
    return [move(0) + of(d0[1], 2), move(1) + of(d1[1], 2), of(d0[1], 0) + of(d1[1], 1)]


def run_jax(name, sizes, n, dtype, equation, activation):
    import jax
    import jax.numpy as jnp
    from jax.experimental.jet import jet

    act = {"tanh": jnp.tanh, "sin": jnp.sin, "sigmoid": jax.nn.sigmoid}[activation]

    def network(p, x):
        for i in range(0, len(p) - 2, 2):
            x = act(x @ p[i] + p[i + 1])
        return x @ p[-2] + p[-1]

    def along(p, x, axis, order):
        unit = jnp.zeros_like(x).at[:, axis].set(1)
        zero = jnp.zeros_like(x)
        value, series = jet(lambda z: network(p, z), (x,), ((unit,) + (zero,) * (order - 1),))
        return [value] + list(series)

    def sums(p, x):
        k0, k1 = ORDERS[equation]
        return sum(jnp.sum(r * r) for r in residuals(equation, along(p, x, 0, k0), along(p, x, 1, k1)))

    def step(p, x):
        size = n if A.peer == "jax-jet" or n < 1000 else 512 if n % 512 == 0 else 500
        parts = x.reshape(n // size, size, 2)
        if parts.shape[0] == 1:
            v, g = jax.value_and_grad(sums)(p, x)
        else:
            def more(carry, part):
                v, g = jax.value_and_grad(sums)(p, part)
                return (carry[0] + v, [a + b for a, b in zip(carry[1], g)]), None

            start = (jnp.zeros((), x.dtype), [jnp.zeros_like(a) for a in p])
            (v, g), _ = jax.lax.scan(more, start, parts)
        return v / n, [a / n for a in g]

    kind = np.dtype({"f64": "float64", "f32": "float32"}[dtype])
    p = [jnp.asarray(a) for a in peer.parameters(sizes, kind)]
    x = jnp.asarray(peer.points(n).astype(kind))
    fast, last = jax.jit(step), []

    def call():
        last[:] = jax.block_until_ready(fast(p, x))

    def check():
        return [last[0], sum(float((np.asarray(g, np.float64) ** 2).sum()) for g in last[1]) ** 0.5]

    peer.measure(A, f"{name}/{dtype}", jax.__version__, call, check)


def run_torch(name, sizes, n, dtype, equation, activation):
    import torch

    torch.set_num_threads(A.threads)
    act = {"tanh": torch.tanh, "sin": torch.sin, "sigmoid": torch.sigmoid}[activation]
    kind = np.dtype({"f64": "float64", "f32": "float32"}[dtype])
    p = [torch.tensor(a, requires_grad=True) for a in peer.parameters(sizes, kind)]
    pts, last = torch.tensor(peer.points(n).astype(kind)), []

    def slopes(columns, axis_input, order):
        """derivatives 1 to order of each column, joined"""
        made, now = [], columns
        for _ in range(order):
            now = [torch.autograd.grad(c.sum(), axis_input, create_graph=True)[0] for c in now]
            made.append(torch.cat(now, 1))
        return made

    def call():
        a, b = (pts[:, j : j + 1].clone().requires_grad_() for j in (0, 1))
        h = torch.cat([a, b], 1)
        for i in range(0, len(p) - 2, 2):
            h = act(h @ p[i] + p[i + 1])
        u = h @ p[-2] + p[-1]
        columns = list(u.split(1, 1))
        k0, k1 = ORDERS[equation]
        d0, d1 = [u] + slopes(columns, a, k0), [u] + slopes(columns, b, k1)
        v = sum((r * r).mean() for r in residuals(equation, d0, d1))
        last[:] = [v.item(), torch.autograd.grad(v, p, allow_unused=True)]

    def check():
        return [last[0], sum(float((g.double() ** 2).sum()) for g in last[1] if g is not None) ** 0.5]

    peer.measure(A, f"{name}/{dtype}", torch.__version__, call, check)


for name, hidden, width, outputs, n, dtypes, equation, activation in CASES:
    for dtype in dtypes:
        if A.wanted.search(f"{name}/{dtype}"):
            run = run_torch if A.peer == "torch-grad" else run_jax
            run(name, [2] + [width] * hidden + [outputs], n, dtype, equation, activation)
