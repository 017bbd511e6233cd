#!/usr/bin/env python3
"""dimenet.inc: DimeNet++ of PyTorch Geometric in f64: bases, energies of nodes and their derivative in the places.

    python3 tests/data/make-dimenet.py >tests/data/dimenet.inc

The interaction and output blocks, the bases and the order of the parameters are those of torch_geometric 2.8.1
(torch 2.15.0); edges and triplets are made here, as the radius graph wants another package; mpmath 1.3 finds the
zeros of Bessel functions."""
import numpy as np
import torch
import torch_geometric.nn.models.dimenet_utils as utils
from mpmath import besseljzero
from torch_geometric.nn.models.dimenet import DimeNetPlusPlus

# those of the package are rounded to f32
utils.Jn_zeros = lambda n, k: np.array([[float(besseljzero(l + 0.5, m + 1)) for m in range(k)] for l in range(n)])
torch.manual_seed(1)
torch.set_default_dtype(torch.float64)
N, H, O = 5, 4, 2
DEGREES, RADIAL, CUTOFF = 3, 2, 5.0
net = DimeNetPlusPlus(H, O, 2, 3, 2, 5, DEGREES, RADIAL, CUTOFF, envelope_exponent=5, num_before_skip=1, num_after_skip=2,
                      num_output_layers=1)
for q in net.parameters():
    if q.dim() > 1 or q.shape[0] != RADIAL:
        q.data = torch.round(torch.rand_like(q) * 160 - 80) / 100
net.rbf.reset_parameters()
x = torch.tensor([[0, 0, 0], [1.1, 0.2, -0.3], [-0.4, 1.3, 0.5], [0.7, -0.9, 1.2], [6.0, 0.3, 0.2]], requires_grad=True)
h = torch.round(torch.rand(N, H) * 200 - 100) / 100
pair = [(a, b) for b in range(N) for a in range(N) if a != b and (x[a] - x[b]).norm() < CUTOFF]
edge = torch.tensor(pair).T


def forward():
    j, i = edge
    kj, ji = torch.tensor([(a, b) for b in range(len(pair)) for a in range(len(pair))
                           if pair[a][1] == pair[b][0] and pair[a][0] != pair[b][1]]).T
    ti, tj, tk = i[ji], j[ji], j[kj]
    d = (x[i] - x[j]).norm(dim=1)
    a, b = x[ti] - x[tj], x[tj] - x[tk]
    angle = torch.atan2(torch.linalg.cross(a, b).norm(dim=1), (a * b).sum(1))
    r, s = net.rbf(d), net.sbf(d, angle, kj)
    act = net.emb.act
    m = act(net.emb.lin(torch.cat([h[i], h[j], act(net.emb.lin_rbf(r))], 1)))
    y = net.output_blocks[0](m, r, i, num_nodes=N)
    for block, out in zip(net.interaction_blocks, net.output_blocks[1:]):
        m = block(m, r, s, kj, ji)
        y = y + out(m, r, i, num_nodes=N)
    return y


def listed():
    e = net.emb
    yield from (e.lin_rbf.weight, e.lin_rbf.bias, e.lin.weight, e.lin.bias)

    def output(o):
        yield from (o.lin_rbf.weight, o.lin_up.weight)
        for lin in o.lins:
            yield from (lin.weight, lin.bias)
        yield o.lin.weight

    def residual(layers):
        for k in layers:
            yield from (k.lin1.weight, k.lin1.bias, k.lin2.weight, k.lin2.bias)
    yield from output(net.output_blocks[0])
    for b, o in zip(net.interaction_blocks, net.output_blocks[1:]):
        yield from (b.lin_ji.weight, b.lin_ji.bias, b.lin_kj.weight, b.lin_kj.bias, b.lin_rbf1.weight, b.lin_rbf2.weight,
                    b.lin_sbf1.weight, b.lin_sbf2.weight, b.lin_down.weight, b.lin_up.weight)
        yield from residual(b.layers_before_skip)
        yield from (b.lin.weight, b.lin.bias)
        yield from residual(b.layers_after_skip)
        yield from output(o)


def numbers(v):
    return ", ".join(repr(float(k)) for k in v.detach().reshape(-1))


def wrapped(name, v, kind="double"):
    text, line = "static const %s %s[] = {" % (kind, name), ""
    words = (numbers(v) if kind == "double" else ", ".join(str(int(k)) for k in v)).split(", ")
    by = 12 if max(map(len, words)) < 6 else 4
    rows = [", ".join(words[k:k + by]) for k in range(0, len(words), by)]
    print(text + "\n    " + ",\n    ".join(rows) + "};")


print("/* dimenet.inc - DimeNet++ of torch_geometric 2.8.1 in f64; made by make-dimenet.py. */")
print("enum { ATOMS = %d, EDGES = %d, WIDE = %d, RESULTS = %d, DEGREES = %d, RADIAL = %d };" % (N, len(pair), H, O, DEGREES, RADIAL))
wrapped("edge_from", edge[0], "int64_t")
wrapped("edge_to", edge[1], "int64_t")
wrapped("places", x)
wrapped("kinds", h)
w = list(listed())
wrapped("shapes", [n for k in w for n in (k.shape[0], k.shape[1] if k.dim() > 1 else 0)], "int64_t")
wrapped("parameters", torch.cat([k.reshape(-1) for k in w]))
y = forward()
wrapped("energies", y)
force, = torch.autograd.grad(y.sum(), x)
wrapped("slopes", force)
d = torch.tensor([0.3, 1.0, 2.5, 4.9, 5.0, 7.0])
zero = torch.arange(len(d))
angle = torch.zeros(len(d))
wrapped("distances", d)
s = net.sbf(d, angle, zero)   # angle 0: Legendre polynomials are 1
wrapped("radials", s)
