"""The steps of bench/steps.c and bench/steps-networks.c in JAX and torch: loss and gradient.

    python3 steps.py --peer jax|torch-grad [--best FILE] [REGEX]

jax tries each idiom a user knows (nested jvp of the batch, Taylor coefficients by jet, grad and
jvp of it, folx for Laplacians) on parts of 128 points in a scan, the best on parts of 32, 512, 2048
and all of them, and measures the fastest. With --best a first run keeps in FILE which one that
was; a later one measures it alone.
torch-grad nests autograd.grad with create_graph on the whole batch.
"""
import json
import os
import time

import peer

A = peer.arguments(["jax", "torch-grad"], {"--best": dict(default="")})

import numpy as np

X, Y, XX, YY, XY, XXX = (1, 0), (0, 1), (2, 0), (0, 2), (1, 1), (3, 0)
BURGERS, FIRST = [X, Y, XX], [X, Y]
THIRD = [(3, 0), (2, 1), (1, 2), (0, 3), (2, 0), (1, 1), (0, 2), (1, 0), (0, 1)]


def unit(d, i, k):
    return tuple(k if j == i else 0 for j in range(d))


LAP2, LAP3 = [unit(2, i, 2) for i in range(2)], [unit(3, i, 2) for i in range(3)]
LAP10 = [unit(10, i, 2) for i in range(10)]
D10 = [unit(10, i, 2) for i in range(10)] + [unit(10, i, 1) for i in range(10)]
OWN = 256  # points of each function of operator-own-points
PLATE = [(4, 0), (2, 2), (0, 4)]
# id: kind, activation, hidden layers, width, outputs, axes, points, derivatives, dtypes, what stands
# behind the points (see fill_more of steps-networks.c)
CASES = {
    "log-mean": ("plain", "tanh", 3, 30, 1, 2, 4096, BURGERS, "f64 f32", ""),
    "poisson-operator": ("plain", "tanh", 3, 30, 1, 2, 4096, LAP2, "f64 f32", ""),
    "poisson-partials": ("plain", "tanh", 3, 30, 1, 2, 4096, LAP2, "f64 f32", ""),
    "third-order": ("plain", "tanh", 3, 30, 1, 2, 4096, THIRD, "f64 f32", ""),
    "relu-energy": ("linear-residual", "relu3", 3, 30, 1, 2, 4096, FIRST, "f64 f32", ""),
    "softplus-energy": ("linear-residual", "softplus", 3, 30, 1, 2, 4096, FIRST, "f64 f32", ""),
    "operator-network": ("operator", "tanh", 2, 40, 40, 2, 1024, [Y, XX], "f64 f32", ""),
    "jacobian": ("plain", "tanh", 3, 20, 1, 2, 4096, BURGERS, "f64 f32", ""),
    "gauss-newton": ("plain", "tanh", 3, 20, 1, 2, 4096, BURGERS, "f64 f32", ""),
    "siren-helmholtz": ("plain", "sin", 3, 64, 1, 2, 4096, LAP2, "f64 f32", ""),
    "gated-burgers": ("gated", "tanh", 3, 40, 1, 2, 4096, BURGERS, "f64 f32", ""),
    "residual-allen-cahn": ("residual", "tanh", 4, 32, 1, 2, 1000, [Y, XX], "f64", ""),
    "fourier-wave": ("fourier", "tanh", 3, 32, 1, 2, 10000, [YY, XX], "f64 f32", "B"),
    "gelu-heat": ("plain", "gelu", 4, 32, 1, 2, 4096, [Y, XX], "f64 f32", ""),
    "silu-plate": ("plain", "silu", 3, 32, 1, 2, 1024, PLATE, "f64", ""),
    "bellman-d10": ("plain", "tanh", 3, 64, 1, 10, 512, D10, "f64", ""),
    "reaction": ("plain", "tanh", 4, 30, 2, 2, 4096, [Y, XX], "f64 f32", ""),
    "inverse": ("plain", "tanh", 4, 30, 1, 2, 4096, BURGERS, "f64", "cxu"),
    "two-means": ("plain", "tanh", 4, 30, 1, 2, 4096, BURGERS, "f64 f32", "v"),
    "rayleigh": ("plain", "tanh", 3, 40, 1, 2, 4096, FIRST, "f64", ""),
    "pseudo-huber": ("plain", "tanh", 4, 30, 1, 2, 4096, BURGERS, "f32", ""),
    "self-adaptive": ("plain", "tanh", 4, 30, 1, 2, 4096, BURGERS, "f64", "w"),
    "gradient-enhanced": ("plain", "tanh", 3, 30, 1, 2, 4096, [X, Y, XX, XY, XXX], "f64", ""),
    "ritz-n100": ("plain", "softplus", 3, 20, 1, 2, 100, FIRST, "f64", "xu"),
    "sigmoid-n100000": ("plain", "sigmoid", 3, 24, 1, 2, 100000, [Y, XX], "f32", ""),
    "schrodinger": ("plain", "tanh", 4, 50, 2, 2, 5000, [Y, XX], "f64", ""),
    "elasticity": ("residual", "tanh", 3, 40, 2, 2, 4096, FIRST, "f64", ""),
    "silu-poisson3": ("plain", "silu", 3, 48, 1, 3, 4096, LAP3, "f32", ""),
    "score-d8": ("plain", "softplus", 3, 64, 8, 8, 2048, None, "f32", ""),
    "eikonal": ("plain", "softplus", 4, 40, 1, 2, 4096, FIRST, "f64 f32", ""),
    "sobolev": ("plain", "tanh", 3, 40, 1, 2, 4096, FIRST, "f64", "vvv"),
    "operator-own-points": ("own-points", "tanh", 2, 40, 40, 2, 64, [Y, XX], "f64 f32", ""),
    "plain-relu-energy": ("plain", "relu3", 3, 32, 1, 2, 4096, FIRST, "f64", ""),
    "residual-energy": ("residual", "softplus", 3, 40, 1, 2, 4096, FIRST, "f64", ""),
    "normalised-energy": ("normalised", "tanh", 2, 32, 1, 2, 4096, FIRST, "f64", ""),
    "normalised-poisson": ("normalised", "tanh", 2, 32, 1, 2, 4096, LAP2, "f64", ""),
    "silu-poisson10": ("plain", "silu", 2, 64, 1, 10, 1024, LAP10, "f64", ""),
    "mish-poisson": ("plain", "mish", 3, 24, 1, 2, 4096, LAP2, "f64", ""),
    "gauss-poisson": ("plain", "gauss", 2, 50, 1, 2, 10000, LAP2, "f64", ""),
    "distance-poisson3": ("distance", "tanh", 2, 40, 1, 3, 4096, LAP3, "f64", ""),
    "skip-poisson": ("skip", "tanh", 2, 32, 1, 2, 4096, LAP2, "f64", ""),
    "bounded-poisson": ("bounded", "tanh", 2, 40, 1, 2, 4096, LAP2, "f64", ""),
    "silu-divergence2": ("plain", "silu", 2, 40, 2, 2, 4096, None, "f64", ""),
    "tanh-divergence3": ("plain", "tanh", 3, 40, 3, 3, 4096, None, "f64", ""),
}


def residual_of(d, nu=0.003):
    return d[2] + d[0] * d[1] - nu * d[3]


def sums_of(name, xp, d, rows, scalar):
    """sums over the points, of which the loss is made; rows: what else has a row for each of them"""
    s, sq = xp.sum, lambda a: xp.sum(a * a)
    col = lambda a, j: a[:, j]
    if name in ("log-mean", "pseudo-huber", "self-adaptive", "gradient-enhanced", "two-means", "inverse"):
        r = residual_of(d, scalar if name == "inverse" else 0.003)
        if name == "pseudo-huber":
            return s(xp.sqrt(r * r + 1) - 1)
        if name == "self-adaptive":
            return s(xp.logaddexp(rows[0], xp.zeros_like(rows[0])) * r * r)
        if name == "two-means":
            return sq(r) + 10 * sq(d[0] - rows[0])
        if name == "gradient-enhanced":
            return sq(r) + 0.01 * sq(d[4] + d[1] * d[1] + d[0] * d[3] - 0.003 * d[5])
        return sq(r)
    if "divergence" in name:
        return sq(d[1]) + sq(d[0]) / d[0].shape[1]
    if "poisson" in name:
        return sq(sum(d[1:]) + d[0] * d[0])
    if name == "third-order":
        return sq(d[9] + d[1] + d[0] * d[8]) + sq(d[2] - d[3] + d[5] * d[6] + d[4] - d[7])
    if name.endswith("energy") or name == "ritz-n100":
        return s(0.5 * (d[1] * d[1] + d[2] * d[2]) - d[0])
    if name == "siren-helmholtz":
        return sq(sum(d[1:]) + 16 * d[0] - 1)
    if name == "gated-burgers":
        return sq(residual_of(d))
    if name in ("residual-allen-cahn", "sigmoid-n100000"):
        return sq(d[1] - 1e-4 * d[2] + 5 * (d[0] * d[0] * d[0] - d[0]))
    if name == "fourier-wave":
        return sq(d[1] - d[2])
    if name == "gelu-heat":
        return sq(d[1] - 0.1 * d[2])
    if name == "silu-plate":
        return sq(d[1] + 2 * d[2] + d[3] - 1)
    if name == "bellman-d10":
        return sq(sum(d[1:11]) + d[0] - sum(a * a for a in d[11:]))
    if name == "reaction":
        u, v = col(d[0], 0), col(d[0], 1)
        uvv = u * v * v
        r = col(d[1], 0) - 0.02 * col(d[2], 0) + uvv - 0.04 * (1 - u)
        return sq(r) + sq(col(d[1], 1) - 0.01 * col(d[2], 1) - uvv + 0.1 * v)
    if name == "rayleigh":
        return xp.stack([s(d[1] * d[1] + d[2] * d[2]), sq(d[0])])
    if name == "schrodinger":
        size = (d[0] * d[0]).sum(1)
        re = 0.5 * col(d[2], 0) + size * col(d[0], 0) - col(d[1], 1)
        return sq(re) + sq(0.5 * col(d[2], 1) + size * col(d[0], 1) + col(d[1], 0))
    if name == "elasticity":
        xx, yy, xy = col(d[1], 0), col(d[2], 1), 0.5 * (col(d[1], 1) + col(d[2], 0))
        return s(0.6 * (xx + yy) ** 2 + 0.4 * (xx * xx + yy * yy + 2 * xy * xy) - col(d[0], 1))
    if name == "score-d8":
        return s(d[1]) + 0.5 * sq(d[0])
    if name == "eikonal":
        return sq(xp.sqrt(d[1] * d[1] + d[2] * d[2]) - 1)
    if name == "sobolev":
        return sum(sq(d[i] - rows[i]) for i in range(3))
    if name.startswith("operator"):  # d: branch . trunk and its derivatives, on functions x points
        return sq(d[1] - 0.01 * d[2] - 0.01 * d[0] * d[0])
    raise KeyError(name)


def loss_of(name, xp, m):
    """the loss of the means of sums_of"""
    return xp.log(m) if name == "log-mean" else m[0] / m[1] if name == "rayleigh" else m


def rest_of(name, xp, net, p, extra):
    """what the loss has beside the points: edges, penalties"""
    sq = lambda a: (a * a).mean()
    if name == "log-mean":
        return 10 * sq(net(p, extra[0]) - extra[1]) + 1e-4 * sum((w * w).sum() for w in p[::2])
    if name == "inverse":
        return 10 * sq(net(p, extra[0]) - extra[1])
    if name == "ritz-n100":
        return 100 * sq(net(p, extra[0]) - extra[1])
    return None


def make_network(kind, act, xp):
    def plain(p, x):
        for i in range(0, len(p) - 2, 2):
            x = act(x @ p[i] + p[i + 1])
        return x @ p[-2] + p[-1]

    def residual(p, x):
        h = x
        for i in range(0, len(p) - 2, 2):
            z = act(h @ p[i] + p[i + 1])
            h = h + z if i else z
        return h @ p[-2] + p[-1]

    def linear_residual(p, x):
        h = x @ p[0] + p[1]
        for i in range(2, len(p) - 2, 2):
            h = h + act(h @ p[i] + p[i + 1])
        return h @ p[-2] + p[-1]

    def gated(p, x):
        p, g = p[:-4], p[-4:]
        u, v, h = act(x @ g[0] + g[1]), act(x @ g[2] + g[3]), x
        for i in range(0, len(p) - 2, 2):
            z = act(h @ p[i] + p[i + 1])
            h = (1 - z) * u + z * v
        return h @ p[-2] + p[-1]

    def normalised(p, x):
        for i in range(0, len(p) - 2, 2):
            x = x @ p[i] + p[i + 1]
            x = x - x.mean(1, keepdims=True)
            x = act(x / xp.sqrt((x * x).mean(1, keepdims=True) + 1e-3))
        return x @ p[-2] + p[-1]

    def distance(p, x):
        return plain(p, xp.concatenate([x, xp.sqrt((x * x).sum(1, keepdims=True) + 0.01)], 1))

    def skip(p, x):
        h = x
        for i in range(0, len(p) - 2, 2):
            h = xp.concatenate([act(h @ p[i] + p[i + 1]), x], 1)
        return h @ p[-2] + p[-1]

    def bounded(p, x):
        return plain(p, x) * ((1 - x[:, :1] ** 2) * (1 - x[:, 1:] ** 2))

    kinds = [residual, linear_residual, gated, normalised, distance, skip, bounded]
    return {f.__name__.replace("_", "-"): f for f in kinds}.get(kind, plain)


def numbers(name, dtype):
    """parameters, points, rows, extras, a trained number; as NumPy arrays"""
    kind, _, hidden, width, n_out, d, n, _, _, more = CASES[name]
    t = np.dtype({"f64": "float64", "f32": "float32"}[dtype])
    grid = lambda shape, lo, hi, salt: peer.grid(int(np.prod(shape)), lo, hi, salt).reshape(shape).astype(t)
    if kind in ("operator", "own-points"):
        p = peer.parameters([30, 40, 40, 40], t) + peer.parameters([2, 40, 40, 40], t)
        sensors = grid((64, 30), -1, 1, 3)
        if kind == "own-points":
            return p, peer.points(n * OWN).astype(t).reshape(n, OWN, 2), [sensors], [], None
        return p, peer.points(n).astype(t), [], [sensors], None
    first, again = {"fourier": 32, "distance": d + 1}.get(kind, d), d if kind == "skip" else 0
    sizes, p = [first] + [width] * hidden + [n_out], []
    for i in range(hidden + 1):
        shape = (sizes[i] + (again if i else 0), sizes[i + 1])
        a = (6 / sum(shape)) ** 0.5
        p += [grid(shape, -a, a, 10 + 2 * i), grid(shape[1:], -0.1, 0.1, 11 + 2 * i)]
    if kind == "gated":
        a = (6 / (sizes[0] + sizes[1])) ** 0.5
        for k in range(2):
            p += [grid((sizes[0], sizes[1]), -a, a, 40 + 2 * k), grid((sizes[1],), -0.1, 0.1, 41 + 2 * k)]
    x = peer.points(n).astype(t) if d == 2 else grid((n, d), -1, 1, 1)
    rows, extra, scalar = [], [], None
    if name == "log-mean":
        extra = [peer.points(512).astype(t), grid((512, 1), -1, 1, 5)]
    for k, c in enumerate(more):
        salt = 51 + k
        if c == "B":
            extra.append(grid((d, 16), -3, 3, salt))
        elif c == "c":
            scalar = grid((), 0, 0.01, salt)
        elif c == "x":
            extra.append(peer.points(512).astype(t))
        elif c == "u":
            extra.append(grid((512, 1), -1, 1, salt))
        else:
            rows.append(grid((n, 1), -1, 1, salt))
    return p, x, rows, extra, scalar


def norm(parts):
    return sum(float((np.asarray(g, np.float64) ** 2).sum()) for g in parts) ** 0.5


# ---- JAX --------------------------------------------------------------------------------------------


def jax_step(name, dtype, idiom, size):
    """a compiled step and its arguments"""
    import jax
    import jax.numpy as jnp
    from jax.experimental.jet import jet

    kind, activation, _, _, n_out, dim, n, alphas, _, more = CASES[name]
    act = {
        "tanh": jnp.tanh, "sin": jnp.sin, "sigmoid": jax.nn.sigmoid, "softplus": jax.nn.softplus,
        "silu": jax.nn.silu, "gelu": lambda x: jax.nn.gelu(x, approximate=False),
        "relu3": lambda x: jax.nn.relu(x) ** 3, "gauss": lambda x: jnp.exp(-x * x),
        "mish": lambda x: x * jnp.tanh(jax.nn.softplus(x)),
    }[activation]
    p, x, rows, extra, scalar = jax.tree.map(jnp.asarray, numbers(name, dtype))
    inner = make_network(kind, act, jnp)
    net = inner
    if kind == "fourier":
        net = lambda p, x: inner(p, jnp.concatenate([jnp.sin(x @ extra[0]), jnp.cos(x @ extra[0])], 1))

    def along(f, i):
        e = lambda x: jnp.zeros_like(x).at[..., i].set(1)
        return lambda x: jax.jvp(f, (x,), (e(x),))[1]

    def nested(f, alpha):
        for i, k in enumerate(alpha):
            for _ in range(k):
                f = along(f, i)
        return f

    def by_nest(u, x):
        return [u(x)] + [nested(u, a)(x) for a in alphas]

    def by_rev(u, x):
        if n_out == 1 and all(sum(a) == 1 for a in alphas):
            value, pull = jax.vjp(u, x)
            g = pull(jnp.ones_like(value))[0]
            return [value] + [g[:, a.index(1)][:, None] for a in alphas]
        outs = [jax.grad(lambda x, o=o: u(x)[:, o].sum()) for o in range(u(x).shape[1])]

        def one(alpha):
            i = max(j for j, k in enumerate(alpha) if k)
            rest = tuple(k - (j == i) for j, k in enumerate(alpha))
            return jnp.stack([nested(lambda x, g=g: g(x)[:, i], rest)(x) for g in outs], 1)

        return [u(x)] + [one(a) for a in alphas]

    def by_jet(u, x):
        made = {}

        def direction(v, order):
            t = jnp.zeros_like(x) + jnp.asarray(v, x.dtype)
            return jet(u, (x,), ((t,) + (jnp.zeros_like(x),) * (order - 1),))

        most = {}
        for a in alphas:
            axes = [i for i, k in enumerate(a) if k]
            if len(axes) == 1:
                most[axes[0]] = max(most.get(axes[0], 0), a[axes[0]])
        if any(a == XY for a in alphas):
            most |= {0: max(most.get(0, 0), 2), 1: max(most.get(1, 0), 2)}
        if PLATE[1] in alphas:
            most |= {0: 4, 1: 4}
        value = None
        for i, k in most.items():
            value, series = direction(unit(dim, i, 1), k)
            for j, c in enumerate(series):
                made[unit(dim, i, j + 1)] = c
        for a in alphas:  # mixed ones by polarisation, or nested
            if a == XY:
                made[a] = (direction((1, 1), 2)[1][1] - made[XX] - made[YY]) / 2
            elif a == (2, 2):
                both = direction((1, 1), 4)[1][3] + direction((1, -1), 4)[1][3]
                made[a] = (both - 2 * made[(4, 0)] - 2 * made[(0, 4)]) / 12
            elif a not in made:
                made[a] = nested(u, a)(x)
        return [value] + [made[a] for a in alphas]

    def by_folx(u, x):
        import folx

        op = folx.forward_laplacian(lambda z: u(z[None])[0, 0])
        r = jax.vmap(op)(x)
        return [r.x[:, None], r.laplacian[:, None]]

    def divergence(u, x):
        point = lambda z: u(z[None])[0]
        if idiom == "jet":
            parts = [along(u, i)(x)[:, i] for i in range(dim)]
            return [u(x), sum(parts)]
        jac = {"nest": jax.jacfwd, "rev": jax.jacrev}[idiom]
        return [u(x), jax.vmap(lambda z: jnp.trace(jac(point)(z)))(x)]

    table = {"nest": by_nest, "rev": by_rev, "jet": by_jet, "folx": by_folx}
    derive = divergence if alphas is None else table[idiom]
    if idiom == "folx" and alphas not in (LAP2, LAP3, LAP10):
        raise NotImplementedError

    def sums(q, part):
        p, scalar = q
        if kind == "own-points":
            z, b = part[0].reshape(-1, 2), net(p[:6], part[1])[:, None]
            d = [(b * t.reshape(part[0].shape[:2] + (-1,))).sum(2) for t in derive(lambda z: net(p[6:], z), z)]
        elif kind == "operator":
            trunk, b = p[6:], net(p[:6], extra[0])
            d = [b @ t.T for t in derive(lambda z: net(trunk, z), part[0])]
        else:
            d = derive(lambda z: net(p, z), part[0])
        return sums_of(name, jnp, d, part[1:], scalar)

    total = n * {"operator": 64, "own-points": OWN}.get(kind, 1)
    q, batch = (p, scalar), [x] + rows
    split = lambda a: a.reshape((n // size, size) + a.shape[1:])
    if name in ("jacobian", "gauss-newton"):
        def at(p, z):
            return residual_of(derive(lambda y: net(p, y), z[None])).reshape(())

        def step(q, batch):
            g = jax.vmap(jax.grad(at), (None, 0))
            parts = jax.lax.map(lambda z: g(q[0], z), split(batch[0]))
            j = jnp.concatenate([a.reshape(n, -1) for a in parts], 1)
            return (j.T @ j if name == "gauss-newton" else j), []

        return jax.jit(step), (q, batch)

    trained_rows = name == "self-adaptive"
    linear = name not in ("log-mean", "rayleigh")

    def step(q, batch):
        def rest(q):
            r = rest_of(name, jnp, net, q[0], extra)
            return jnp.zeros((), x.dtype) if r is None else r

        if size == n:
            whole = lambda q, batch: loss_of(name, jnp, sums(q, batch) / total) + rest(q)
            v, g = jax.value_and_grad(whole, (0, 1) if trained_rows else 0)(q, batch)
            return v, g
        parts = [split(a) for a in batch]
        if name == "rayleigh":  # two sums: reverse through a scan of checkpointed parts
            def whole(q):
                more = lambda c, part: (c + jax.checkpoint(sums)(q, part), None)
                return loss_of(name, jnp, jax.lax.scan(more, jnp.zeros(2, x.dtype), parts)[0] / total)

            return jax.value_and_grad(whole)(q)

        def more(carry, part):
            v, g = jax.value_and_grad(sums, (0, 1) if trained_rows else 0)(q, part)
            g, rows = (g[0], g[1][1]) if trained_rows else (g, None)
            return jax.tree.map(jnp.add, carry, (v, g)), rows

        zero = (jnp.zeros((), x.dtype), jax.tree.map(jnp.zeros_like, q))
        (v, g), gr = jax.lax.scan(more, zero, parts)
        v = v / total
        slope = 1 / total if linear else 1 / (total * v)
        r, rg = jax.value_and_grad(rest)(q)
        g = jax.tree.map(lambda a, b: a * slope + b, g, rg)
        v = loss_of(name, jnp, v) + r
        return v, (g, gr / total) if trained_rows else g

    return jax.jit(step), (q, batch)


def search_idioms(name, dtype, ident):
    """every idiom on about 128 points at a time, then the best one on 32, 512, 2048 and all"""
    import jax

    n, tried = CASES[name][6], []

    def attempt(idiom, size):
        try:
            f, args = jax_step(name, dtype, idiom, size)
            jax.block_until_ready(f(*args))
        except Exception as e:
            print(f"# {ident} {idiom}: {type(e).__name__} {str(e)[:60]}", flush=True)
            return
        once = []
        for _ in range(3):  # of this process: other work on the machine does not count
            start = time.process_time()
            jax.block_until_ready(f(*args))
            once.append(time.process_time() - start)
        tried.append((min(once), idiom, size))

    near = lambda k: min((d for d in range(1, n + 1) if n % d == 0), key=lambda d: abs(np.log(d / k)))
    for idiom in ("nest", "rev", "jet", "folx"):
        attempt(idiom, near(128))
    best = min(tried)[1]
    for size in sorted({near(k) for k in ((1, 2, 4, 16) if CASES[name][0] == "own-points" else (32, 512, 2048))} | ({n} if n <= 10000 else set())):
        attempt(best, size)
    jax.clear_caches()
    return tried


def run_jax(name, dtype):
    import jax

    known = json.load(open(A.best)) if A.best and os.path.exists(A.best) else {}
    ident = f"step/{name}/{dtype}"
    if ident not in known:
        known[ident] = [list(t) for t in sorted(search_idioms(name, dtype, ident))[:3]]
        if A.best:
            json.dump(known, open(A.best, "w"), indent=1)
    _, idiom, size = known[ident][0]
    (f, args), last = jax_step(name, dtype, idiom, size), []

    def call():
        last[:] = jax.block_until_ready(f(*args))

    def check():
        v = np.asarray(last[0], np.float64)
        return [0 if v.ndim else float(v), norm(jax.tree.leaves(last[1] if v.ndim == 0 else v))]

    peer.measure(A, ident, f"{jax.__version__} {idiom}/{size}", call, check)


# ---- torch -------------------------------------------------------------------------------------------


def run_torch(name, dtype):
    import torch

    kind, activation, _, _, n_out, dim, n, alphas, _, more = CASES[name]
    if name in ("jacobian", "gauss-newton"):
        return
    torch.set_num_threads(A.threads)
    F = torch.nn.functional
    act = {
        "tanh": torch.tanh, "sin": torch.sin, "sigmoid": torch.sigmoid, "softplus": F.softplus,
        "silu": F.silu, "gelu": F.gelu, "relu3": lambda x: F.relu(x) ** 3,
        "gauss": lambda x: torch.exp(-x * x), "mish": F.mish,
    }[activation]
    p, x, rows, extra, scalar = numbers(name, dtype)
    p = [torch.tensor(a, requires_grad=True) for a in p]
    x, rows, extra = torch.tensor(x), [torch.tensor(a) for a in rows], [torch.tensor(a) for a in extra]
    scalar = torch.tensor(scalar, requires_grad=True) if scalar is not None else None
    for r in rows[: name == "self-adaptive"]:
        r.requires_grad_()
    inner, last = make_network(kind, act, torch), []
    net = inner
    if kind == "fourier":
        net = lambda p, x: inner(p, torch.cat([torch.sin(x @ extra[0]), torch.cos(x @ extra[0])], 1))
    grad = lambda y, z: torch.autograd.grad(y.sum(), z, create_graph=True)[0]

    def derive(u):
        z = x.reshape(-1, dim)
        axes = [z[:, j : j + 1].clone().requires_grad_() for j in range(dim)]
        value = u(torch.cat(axes, 1))
        columns = list(value.split(1, 1))
        if alphas is None:
            return [value, sum(grad(c, axes[i])[:, 0] for i, c in enumerate(columns))]
        made = {(0,) * dim: columns}

        def at(alpha):
            if alpha not in made:
                i = max(j for j, k in enumerate(alpha) if k)
                less = at(tuple(k - (j == i) for j, k in enumerate(alpha)))
                made[alpha] = [grad(c, axes[i]) for c in less]
            return made[alpha]

        return [value] + [torch.cat(at(a), 1) for a in alphas]

    trained = p + ([scalar] if scalar is not None else []) + (rows if name == "self-adaptive" else [])

    def call():
        if kind == "own-points":
            b = net(p[:6], rows[0])[:, None]
            d = [(b * t.reshape(n, OWN, -1)).sum(2) for t in derive(lambda z: net(p[6:], z))]
        elif kind == "operator":
            b = net(p[:6], extra[0])
            d = [b @ t.T for t in derive(lambda z: net(p[6:], z))]
        else:
            d = derive(lambda z: net(p, z))
        total = n * {"operator": 64, "own-points": OWN}.get(kind, 1)
        v = loss_of(name, torch, sums_of(name, torch, d, rows, scalar) / total)
        r = rest_of(name, torch, net, p, extra)
        v = v if r is None else v + r
        last[:] = [v.item(), torch.autograd.grad(v, trained, allow_unused=True)]

    def check():
        return [last[0], norm(g.double().numpy() for g in last[1] if g is not None)]

    peer.measure(A, f"step/{name}/{dtype}", torch.__version__, call, check)


for name, case in CASES.items():
    for dtype in case[8].split():
        if A.wanted.search(f"step/{name}/{dtype}"):
            (run_torch if A.peer == "torch-grad" else run_jax)(name, dtype)
