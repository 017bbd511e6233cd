"""Graph networks of bench/geometric-blocks.c in torch, PyTorch Geometric and JAX: value and gradients.

    python3 geometric.py --peer torch|pyg|jax [REGEX]
"""
import peer

A = peer.arguments(["torch", "pyg", "jax"])

import numpy as np

N, E, F, HEADS, WIDE, ATOMS, MOLECULES, DIM = 10000, 160000, 32, 4, 16, 20, 128, 64
PAPERS, CITATIONS, WORDS, HIDDEN, TOPICS, TOLD = 2708, 5429, 1433, 16, 7, 140
f32 = np.float32


def mix(n, lo, hi, salt):
    u = peer.grid(n, 0, 1, salt)
    return lo + (hi - lo) * np.modf((u * u) * 12345.678)[0]


def array(shape, most, salt):
    return mix(int(np.prod(shape)), -most, most, salt).astype(f32).reshape(shape)


def below(m, n, salt):
    return np.floor(mix(m, 0, 1, salt) * n).astype(np.int64)


def molecules():
    pairs = []
    for i in range(MOLECULES * ATOMS):
        for step in (1, 5):
            j = i // ATOMS * ATOMS + (i % ATOMS + step) % ATOMS
            pairs += [(i, j), (j, i)]
    p = np.array(pairs, dtype=np.int64)
    return p[:, 0], p[:, 1]


def citations():
    a, b, i = below(CITATIONS, PAPERS, 0), below(CITATIONS, PAPERS, 1), np.arange(PAPERS)
    return np.concatenate([np.stack([a, b], 1).ravel(), i]), np.concatenate([np.stack([b, a], 1).ravel(), i])


if A.peer == "jax":
    import jax
    import jax.numpy as lib

    VERSION = jax.__version__
    tanh, relu, sigmoid, cat = lib.tanh, jax.nn.relu, jax.nn.sigmoid, lambda x: lib.concatenate(x, 1)
    add = lambda m, d, n: jax.ops.segment_sum(m, d, n)

    def largest(m, d, n):
        y = jax.ops.segment_max(m, d, n)
        return lib.where(lib.isfinite(y), y, 0)

    detach = jax.lax.stop_gradient
    leaky = lambda x: jax.nn.leaky_relu(x, 0.2)
else:
    import torch as lib

    lib.set_num_threads(A.threads)
    VERSION = lib.__version__
    tanh, relu, sigmoid, cat = lib.tanh, lib.relu, lib.sigmoid, lambda x: lib.cat(x, 1)
    add = lambda m, d, n: lib.zeros((n,) + tuple(m.shape[1:]), dtype=m.dtype).index_add(0, d, m)

    def largest(m, d, n):
        i = d.view(-1, *([1] * (m.dim() - 1))).expand_as(m)
        return lib.zeros((n,) + tuple(m.shape[1:]), dtype=m.dtype).scatter_reduce(0, i, m, "amax", include_self=False)

    detach = lambda x: x.detach()
    leaky = lambda x: lib.nn.functional.leaky_relu(x, 0.2)
    if A.peer == "pyg":
        import torch_geometric
        from torch_geometric import nn as gnn
        from torch_geometric.utils import softmax as gsoftmax

        VERSION = torch_geometric.__version__


def mean_square(y):
    return (y * y).mean()


def egnn(g, h, x, we, ws, wn):
    s, d = g
    v = x[d] - x[s]
    m = tanh(cat([h[s], h[d], (v * v).sum(-1)[:, None]]) @ we)
    count = add(m[:, :1] * 0 + 1, d, N)
    move = add(v * tanh(m @ ws), d, N) / (count.clip(1) if A.peer == "jax" else count.clamp(min=1))
    y = h + tanh(cat([h, add(m, d, N)]) @ wn)
    return mean_square(y) + mean_square(x + move)


def gatv2(g, u, v, a):
    s, d = g
    e = (leaky(u[s] + v[d]) * a).sum(-1)
    if A.peer == "pyg":
        w = gsoftmax(e, d, num_nodes=N)
    else:
        w = (e - detach(largest(e, d, N))[d])
        w = lib.exp(w)
        w = w / add(w, d, N)[d]
    return mean_square(add(u[s] * w[..., None], d, N))


def mesh(g, v, e, we, unused, wn):
    s, d = g
    e = e + tanh(cat([v[s], v[d], e]) @ we)
    return mean_square(v + tanh(cat([v, add(e, d, N)]) @ wn)) + mean_square(e)


def gate_max(g, x):
    s, d = g
    return mean_square(largest(x[s] * sigmoid(x[s] + x[d]), d, N))


def gin(g, x, a, b, c, d, w):
    s, t = g
    n = MOLECULES * ATOMS
    for p, q in ((a, b), (c, d)):
        if A.peer == "pyg":
            x = GIN(x, EDGES)
        else:
            x = x + add(x[s], t, n)
        x = relu(relu(x @ p) @ q)
    x = gnn.global_mean_pool(x, BATCH) if A.peer == "pyg" else x.reshape(MOLECULES, ATOMS, DIM).mean(1)
    return mean_square(x @ w)


def cora(g, x, a, p, b, q):
    if A.peer == "pyg":
        GCN[0].lin.weight, GCN[0].bias, GCN[1].lin.weight, GCN[1].bias = a, p, b, q
        z = GCN[1](relu(GCN[0](x, CITED)), CITED)
    else:  # jax by lists of edges, torch by its matrices in compressed rows
        s, d = g
        spread = (lambda y: add(y[s] * NORM, d, PAPERS)) if A.peer == "jax" else (lambda y: lib.sparse.mm(NORM, y))
        z = spread(relu(spread(x @ a.T) + p) @ b.T) + q
    if A.peer == "jax":
        return -jax.nn.log_softmax(z[:TOLD])[lib.arange(TOLD), TOPIC].mean()
    return lib.nn.functional.cross_entropy(z[:TOLD], TOPIC)


def layers(g, x, e, a, b):
    s, d = g
    return mean_square(add(relu(cat([x[s], x[d], e]) @ a) @ b, d, N))


def edge_gate(g, x, e):
    s, d = g
    return mean_square(add(x[s] * sigmoid(x[s] + x[d] + e), d, N))


def distance(g, x):
    s, d = g
    v = x[s] - x[d]
    return mean_square(add(v * lib.exp(-(v * v).sum(-1))[:, None], d, N))


def scores(g, x):
    s, d = g
    return mean_square(add(x[s] * sigmoid((x[s] * x[d]).sum(-1) / F**0.5)[:, None], d, N))


def run(ident, f, edges, shapes, data=0):
    if not A.wanted.search(ident):
        return
    x = [array(shape, most, 5 + k) for k, (shape, most) in enumerate(shapes)]
    last = [None]
    if A.peer == "jax":
        g = tuple(lib.asarray(e) for e in edges)
        x = [lib.asarray(a) for a in x]
        step = jax.jit(lambda *a: jax.value_and_grad(lambda *b: f(g, *b), tuple(range(data, len(x))))(*a))

        def call():
            last[0] = jax.block_until_ready(step(*x))
    else:
        g = tuple(lib.from_numpy(e) for e in edges)
        x = [lib.from_numpy(a).requires_grad_(k >= data) for k, a in enumerate(x)]
        if A.peer == "pyg" and f is cora:
            x = [a if k < data else lib.nn.Parameter(a) for k, a in enumerate(x)]

        def call():
            y = f(g, *x)
            last[0] = y.detach(), lib.autograd.grad(y, x[data:], allow_unused=True)

    def check():
        y, grads = last[0]
        total = lambda a: 0.0 if a is None else float(np.abs(np.asarray(a, dtype=np.float64)).sum())
        return [float(y)] + [total(a) for a in grads]

    peer.measure(A, ident, VERSION, call, check)


some = below(E, N, 0), below(E, N, 1)
small = molecules()
if A.peer == "pyg":
    GIN = gnn.GINConv(lib.nn.Identity())
    EDGES = lib.from_numpy(np.stack(small))
    BATCH = lib.arange(MOLECULES * ATOMS) // ATOMS
run("geometric/egnn-grad/10k-160k-32/f32", egnn, some,
    [((N, F), 1), ((N, 3), 1), ((2 * F + 1, F), 0.2), ((F, 1), 0.2), ((2 * F, F), 0.2)])
run("geometric/gatv2-grad/10k-160k-4x16/f32", gatv2, some, [((N, HEADS, WIDE), 1), ((N, HEADS, WIDE), 1), ((HEADS, WIDE), 1)])
run("geometric/mesh-grad/10k-160k-32/f32", mesh, some,
    [((N, F), 1), ((E, F), 1), ((3 * F, F), 0.2), ((F, 1), 0.2), ((2 * F, F), 0.2)])
run("geometric/gate-max-grad/10k-160k-32/f32", gate_max, some, [((N, F), 1)])
run("geometric/molecules-gin-grad/128x20-64/f32", gin, small, [((MOLECULES * ATOMS, DIM), 1)] + 4 * [((DIM, DIM), 0.2)] + [((DIM, 1), 0.2)])

src, dst = citations()
degree = np.bincount(dst, minlength=PAPERS) ** -0.5
norm = (degree[src] * degree[dst]).astype(f32)
if A.peer == "jax":
    NORM, TOPIC = lib.asarray(norm)[:, None], lib.asarray(below(TOLD, TOPICS, 2))
else:
    TOPIC = lib.from_numpy(below(TOLD, TOPICS, 2))
    NORM = lib.sparse_coo_tensor(np.stack([dst, src]), lib.from_numpy(norm), (PAPERS, PAPERS)).coalesce().to_sparse_csr()
if A.peer == "pyg":
    GCN = [gnn.GCNConv(m, n, cached=True, add_self_loops=False) for m, n in ((WORDS, HIDDEN), (HIDDEN, TOPICS))]
    CITED = lib.from_numpy(np.stack([src, dst]))
run("geometric/cora-step/2708-10858-1433-16/f32", cora, (src, dst),
    [((PAPERS, WORDS), 1), ((HIDDEN, WORDS), 0.1), ((HIDDEN,), 0.1), ((TOPICS, HIDDEN), 0.2), ((TOPICS,), 0.1)], 1)
run("geometric/message-layers-grad/10k-160k-32/f32", layers, some,
    [((N, F), 1), ((E, F), 1), ((3 * F, F), 0.2), ((F, F), 0.2)])
run("geometric/message-gate-grad/10k-160k-32/f32", edge_gate, some, [((N, F), 1), ((E, F), 1)])
run("geometric/message-distance-grad/10k-160k-32/f32", distance, some, [((N, F), 1)])
run("geometric/message-scores-grad/10k-160k-32/f32", scores, some, [((N, F), 1)])

ident = "geometric/index-reduce-amax/1.5Mx64-100k/f32"
if A.peer == "torch" and A.wanted.search(ident):
    x, idx, v = array((100000, 64), 1, 5), below(1500000, 100000, 1), array((1500000, 64), 1, 6)
    x, idx, v, out = lib.from_numpy(x), lib.from_numpy(idx), lib.from_numpy(v), [None]

    def call():
        out[0] = x.index_reduce(0, idx, v, "amax")

    peer.measure(A, ident, VERSION, call, lambda: [float(out[0].double().abs().sum())])
