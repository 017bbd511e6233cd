"""Steps of torch's optimisers, of gradients that are given, beside those of bench/optim.c.

    python3 optim.py --peer torch-fused|torch-foreach [REGEX]
"""
import peer

A = peer.arguments(["torch-fused", "torch-foreach"])

import torch

torch.set_num_threads(A.threads)
HOW = {A.peer.replace("torch-", ""): True}


def run(rule, n, dtype, name):
    x = torch.linspace(-1, 1, n, dtype=dtype, requires_grad=True)
    x.grad = torch.linspace(0.5, 1.5, n, dtype=dtype)
    if rule == "adam":
        o = torch.optim.AdamW([x], 1e-3, weight_decay=0, **HOW)
    else:
        o = torch.optim.SGD([x], 1e-3, momentum=0.9, **HOW)
    peer.measure(A, "optim/step/%s/n%d/%s" % (rule, n, name), torch.__version__, o.step, lambda: [0, 0])


for n in (10000, 1000000):
    run("adam", n, torch.float64, "f64")
    run("adam", n, torch.float32, "f32")
    run("momentum", n, torch.float32, "f32")
