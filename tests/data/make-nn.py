#!/usr/bin/env python3
# make-nn.py - answers of PyTorch for tests/t-nn.c: values, gradients, and products of the Hessian
# with a vector, in f64. What PyTorch has not, or not twice differentiable, is written out here
# from its definition.
#
#   python3 make-nn.py > nn.inc
import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
G = torch.Generator().manual_seed(20260)


def real(*shape, lo=-2.0, hi=2.0):
    """numbers of three decimals, at least 0.06 away from every half, where kinks are"""
    while True:
        x = torch.rand(shape, generator=G) * (hi - lo) + lo
        x = torch.round(x * 1000) / 1000
        near = (2 * x - torch.round(2 * x)).abs() < 0.12
        if not near.any():
            return x
        y = x + 0.13
        x = torch.where(near, torch.round(y * 1000) / 1000, x)
        if not ((2 * x - torch.round(2 * x)).abs() < 0.12).any():
            return x


def probability(*shape):
    return real(*shape, lo=0.08, hi=0.92)


def whole(n, *shape):
    return torch.randint(0, n, shape, generator=G)


def sign(*shape):
    return whole(2, *shape) * 2 - 1


def numbers(x, full):
    x = torch.zeros(x.shape, dtype=x.dtype) + x
    return [("%.17g" if full else "%.6g") % v for v in x.flatten().tolist()]


def header(x):
    return [str(x.dim())] + [str(n) for n in x.shape]


class Fixed:
    """an argument in which PyTorch has no derivative"""
    def __init__(self, x):
        self.x = x


def case(name, f, *inputs):
    """name, inputs (kind, shape, values), result, weights, gradients, direction, Hv"""
    out = [str(len(inputs))]
    x = []
    for a in inputs:
        kind = 2 if isinstance(a, Fixed) else 0 if a.dtype.is_floating_point else 1
        a = a.x if kind == 2 else a
        out += [str(kind)] + header(a) + numbers(a, False)
        x.append(a.clone().requires_grad_(True) if kind == 0 else a)
    leaves = [a for a in x if a.requires_grad]
    y = f(*x)
    w = torch.round(torch.rand(y.shape, generator=G) * 100 + 50) / 100
    out += header(y) + numbers(y.detach(), True) + numbers(w, False)
    g = torch.autograd.grad((y * w).sum(), leaves, create_graph=True, allow_unused=True,
                            materialize_grads=True)
    v = [torch.round(torch.rand(a.shape, generator=G) * 200 - 100) / 100 for a in leaves]
    dot = sum((a * b).sum() for a, b in zip(g, v))
    h = [torch.zeros_like(a) for a in leaves]
    if dot.requires_grad:
        h = torch.autograd.grad(dot, leaves, allow_unused=True, materialize_grads=True)
    for a in g:
        out += numbers(a.detach(), True)
    for a in v:
        out += numbers(a, False)
    for a in h:
        out += numbers(a.detach(), True)
    print('GOLDEN("%s",' % name)
    line = "   "
    for k, word in enumerate(out):
        word += "," if k + 1 < len(out) else ")"
        if len(line) + len(word) + 1 > 88:
            print(line)
            line = "   "
        line += " " + word
    print(line)


print("/* nn.inc - made by make-nn.py with PyTorch %s. For each function: number of arguments; of each"
      % torch.__version__.split("+")[0])
print("   0 (real), 1 (whole) or 2 (real, a constant), rank, shape, values; the result's rank, shape, values, weights w;")
print("   gradients of sum w y; directions v; products of the Hessian of sum w y with v. */")

# ---- activations ----
A = real(2, 5, lo=-4.5, hi=4.5)
case("elu", lambda x: F.elu(x, 0.7), A)
# PyTorch's own gradient of celu has 9 digits
case("celu", lambda x: torch.where(x > 0, x, 0.7 * torch.expm1(x / 0.7)), A)
case("selu", F.selu, A)
case("gelu_tanh", lambda x: F.gelu(x, approximate="tanh"), A)
case("silu", F.silu, A)
case("mish", F.mish, A)
case("softplus", lambda x: F.softplus(x, 1.7, 5), A)
case("log_sigmoid", F.logsigmoid, A)
case("softsign", F.softsign, A)
case("tanhshrink", F.tanhshrink, A)
case("softshrink", lambda x: F.softshrink(x, 0.5), A)
case("hardshrink", lambda x: F.hardshrink(x, 0.5), A)
case("hardtanh", lambda x: F.hardtanh(x, -1.5, 1), A)
case("relu6", F.relu6, real(9, lo=-3, hi=9))
case("hardsigmoid", lambda x: F.relu6(x + 3) / 6, A)
case("hardswish", lambda x: x * F.relu6(x + 3) / 6, A)
case("leaky_relu", lambda x: F.leaky_relu(x, 0.1), A)
case("thresholded_relu", lambda x: F.threshold(x, 1.0, -0.3), A)
case("prelu", F.prelu, real(2, 3, 2), real(3, lo=0.1, hi=0.9))
case("prelu_one", F.prelu, real(2, 3), real(1, lo=0.1, hi=0.9))
case("rrelu_middle", lambda x: F.rrelu(x, 0.1, 0.3), A)
case("glu", lambda x: F.glu(x, 1), real(2, 4, 2))
case("maxout", lambda x: x.reshape(2, 2, 3, 2).max(2).values, real(2, 6, 2))
case("softmax", lambda x: F.softmax(x, 1), real(2, 4, 2))
case("log_softmax", lambda x: F.log_softmax(x, 0), real(4, 3))

# ---- losses of elements ----
X, T = real(3, 4), real(3, 4, lo=-1.9, hi=2.1)
for r in ("mean", "sum", "none"):
    case("mse_" + r, lambda x, t: F.mse_loss(x, t, reduction=r), X, T)
case("l1", F.l1_loss, X, T)
case("smooth_l1", lambda x, t: F.smooth_l1_loss(x, t, beta=1.03, reduction="none"), X, T)
case("huber", lambda x, t: F.huber_loss(x, t, delta=1.27, reduction="none"), X, T)
P, Q, W = probability(3, 4), probability(3, 4), real(3, 4, lo=0.1, hi=1.4)


def bce(p, t, w):  # PyTorch's second derivative has 11 digits
    return -(w * (t * torch.log(p) + (1 - t) * torch.log1p(-p))).mean()


assert torch.allclose(bce(P, Q, W), F.binary_cross_entropy(P, Q, W))
case("bce", bce, P, Q, W)
case("bce_with_logits",
     lambda x, t, w, pw: F.binary_cross_entropy_with_logits(x, t, w, pos_weight=pw), X, Q, Fixed(W),
     Fixed(real(4, lo=0.6, hi=1.9)))


def focal(x, t, alpha, gamma):  # Lin et al. 2017, equation 5, for soft targets as torchvision has it
    p = torch.sigmoid(x)
    ce = F.binary_cross_entropy_with_logits(x, t, reduction="none")
    right = p * t + (1 - p) * (1 - t)
    return (alpha * t + (1 - alpha) * (1 - t)) * ce * (1 - right) ** gamma


case("sigmoid_focal", lambda x, t: focal(x, t, 0.25, 2.0).mean(), X, Q)
case("log_loss", lambda p, t: -t * torch.log(p + 1e-4) - (1 - t) * torch.log(1 - p + 1e-4), P, Q)
case("kl_batchmean", lambda x, t: F.kl_div(x, t, reduction="batchmean"), X, Q)
case("kl_log", lambda x, t: F.kl_div(x, t, reduction="mean", log_target=True), X, T)
case("poisson_log", lambda x, t: F.poisson_nll_loss(x, t, True, True), X, real(3, 4, lo=0.1, hi=4))
case("poisson", lambda x, t: F.poisson_nll_loss(x, t, False, False, eps=1e-3),
     real(3, 4, lo=0.2, hi=3), real(3, 4, lo=0.1, hi=4))
case("gaussian_nll", lambda x, t, v: F.gaussian_nll_loss(x, t, v, full=True, eps=1e-6), X, T, W)
case("soft_margin", F.soft_margin_loss, X, sign(3, 4))
case("multi_label_soft_margin", lambda x, t, w: F.multilabel_soft_margin_loss(x, t, w), X, Q,
     real(4, lo=0.2, hi=2))
case("hinge_embedding", lambda x, t: F.hinge_embedding_loss(x, t, 0.97), X, sign(3, 4))
case("margin_ranking", lambda a, b, t: F.margin_ranking_loss(a, b, t, 0.33), X, T, sign(3, 4))


def cosine_embedding(a, b, t):  # PyTorch adds 1e-12 to the squared lengths
    c = (a * b).sum(-1) / (a.norm(dim=-1) * b.norm(dim=-1))
    return torch.where(t > 0, 1 - c, F.relu(c - 0.05)).mean()


case("cosine_embedding", cosine_embedding, real(4, 3), real(4, 3), torch.tensor([1, -1, -1, 1]))
B = [real(3, 4) for _ in range(3)]
case("triplet", lambda a, p, n: F.triplet_margin_loss(a, p, n, 1.9, reduction="none"), *B)
case("triplet_swap_p3",
     lambda a, p, n: F.triplet_margin_loss(a, p, n, 1.9, p=3, swap=True), *B)
case("triplet_distance", lambda a, p, n: F.triplet_margin_with_distance_loss(
    a, p, n, distance_function=lambda u, v: (u - v).abs().sum(-1), margin=2.3), *B)

# ---- losses of classes ----
L = torch.tensor([2, 0, 4, 2, 1, 3])
Z, CW = real(6, 5), real(5, lo=0.3, hi=2)
case("nll", lambda x, t: F.nll_loss(x, t), Z, L)
case("nll_weight_ignore", lambda x, t, w: F.nll_loss(x, t, w, ignore_index=2), Z, L, Fixed(CW))
case("cross_entropy", lambda x, t: F.cross_entropy(x, t), Z, L)
case("cross_entropy_all", lambda x, t, w: F.cross_entropy(
    x, t, w, ignore_index=2, label_smoothing=0.15), Z, L, Fixed(CW))
case("cross_entropy_none", lambda x, t, w: F.cross_entropy(
    x, t, w, ignore_index=2, label_smoothing=0.15, reduction="none"), Z, L, Fixed(CW))
case("cross_entropy_axis", lambda x, t: F.cross_entropy(x, t), real(2, 4, 3), whole(4, 2, 3))
case("cross_entropy_soft", lambda x, t, w: F.cross_entropy(x, t, w, label_smoothing=0.1),
     real(3, 4), probability(3, 4), Fixed(real(4, lo=0.3, hi=2)))
case("cross_entropy_soft_axis", lambda x, t: F.cross_entropy(x, t, reduction="none"),
     real(2, 4, 2), probability(2, 4, 2))


def arc_margin(x, t):  # Deng et al. 2019, equation 4
    hot = F.one_hot(t, x.shape[-1]).to(x)
    bent = torch.cos(0.9 * torch.acos(x) + 0.4) - 0.15
    return F.cross_entropy(8 * (hot * bent + (1 - hot) * x), t)


case("margin_cross_entropy", arc_margin, real(4, 5, lo=-0.95, hi=0.95), whole(5, 4))


def multi_margin(x, t, p):  # PyTorch's is differentiable once
    over = (0.73 + x - x.gather(1, t[:, None])).clamp_min(0) ** p
    return ((1 - F.one_hot(t, x.shape[1])) * over).sum(1) / x.shape[1]


assert torch.allclose((multi_margin(Z, L, 1) * CW[L]).mean(), F.multi_margin_loss(Z, L, 1, 0.73, CW))
case("multi_margin", lambda x, t, w: (multi_margin(x, t, 1) * w[t]).mean(), Z, L, CW)
case("multi_margin_3", lambda x, t: multi_margin(x, t, 3), Z, L)


def dice(x, t):
    hot = F.one_hot(t, x.shape[-1]).to(x)
    both, every = (x * hot).flatten(1).sum(1), (x + hot).flatten(1).sum(1)
    return (1 - 2 * both / (every + 1e-5)).mean()


case("dice", dice, probability(2, 3, 4), whole(4, 2, 3))


def npair(a, p, t):  # Sohn 2016
    same = (t[:, None] == t[None, :]).to(a)
    same = same / same.sum(1, keepdim=True)
    l2 = 0.3 / 4 * ((a * a).sum(1).mean() + (p * p).sum(1).mean())
    return l2 + F.cross_entropy(a @ p.T, same)


case("npair", npair, real(4, 3), real(4, 3), torch.tensor([1, 0, 1, 7]))


def hsigmoid(x, t, w, b):
    total = []
    for i in range(len(t)):
        node, cost = int(t[i]) + len(w) + 1, 0
        while node > 1:
            z = w[node // 2 - 1] @ x[i] + b[node // 2 - 1]
            cost = cost - F.logsigmoid(z if node % 2 else -z)
            node //= 2
        total.append(cost)
    return torch.stack(total)


case("hsigmoid", hsigmoid, real(4, 3), torch.tensor([0, 3, 5, 2]), real(5, 3), real(5))


def adaptive(x, head, bias, p0, w0, p1, w1):
    top = F.log_softmax(x @ head.T + bias, -1)
    tails = [F.log_softmax(x @ p.T @ w.T, -1) + top[:, 2 + i:3 + i]
             for i, (p, w) in enumerate([(p0, w0), (p1, w1)])]
    return torch.cat([top[:, :2]] + tails, -1)


case("adaptive_log_softmax", adaptive, real(3, 4), real(4, 4), real(4), real(2, 4), real(3, 2),
     real(1, 4), real(2, 1))


# ---- sequences: the recursions of Graves 2006 and 2012, written out ----
def ctc(logits, t, inputs, targets, blank=1):
    logp, cost = F.log_softmax(logits, -1), []
    for n in range(logp.shape[1]):
        ext = [blank]
        for k in t[n, :int(targets[n])].tolist():
            ext += [k, blank]
        low = torch.tensor(-1e30)
        a = [torch.tensor(0.0)] + [low] * (len(ext) - 1)
        for i in range(int(inputs[n])):
            b = []
            for l in range(len(ext)):
                ways = [a[l]] + ([a[l - 1]] if l else [])
                if l > 1 and ext[l] != blank and ext[l] != ext[l - 2]:
                    ways.append(a[l - 2])
                b.append(torch.logsumexp(torch.stack(ways), 0) + logp[i, n, ext[l]])
            a = b
        cost.append(-torch.logsumexp(torch.stack(a[-2:]), 0))
    return torch.stack(cost)


C = real(6, 3, 4)
CT, CI, CS = torch.tensor([[0, 3, 2], [2, 2, 1], [3, 9, 9]]), torch.tensor([6, 5, 4]), \
    torch.tensor([3, 2, 1])
mine = ctc(C, CT, CI, CS)
theirs = F.ctc_loss(F.log_softmax(C, -1), CT.clamp_max(3), CI, CS, blank=1, reduction="none")
assert torch.allclose(mine, theirs, rtol=1e-12)
case("ctc", lambda x: ctc(x, CT, CI, CS), C)
case("ctc_mean", lambda x: (ctc(x, CT, CI, CS) / CS).mean(), C)


def rnnt(logits, t, inputs, targets, blank=0):
    logp, cost = F.log_softmax(logits, -1), []
    for n in range(len(logp)):
        a = {}
        for i in range(int(inputs[n])):
            for u in range(int(targets[n]) + 1):
                ways = [a[i - 1, u] + logp[n, i - 1, u, blank]] if i else []
                if u:
                    ways.append(a[i, u - 1] + logp[n, i, u - 1, t[n, u - 1]])
                a[i, u] = torch.logsumexp(torch.stack(ways), 0) if ways else torch.tensor(0.0)
        cost.append(-a[i, u] - logp[n, i, u, blank])
    return torch.stack(cost)


RT, RI, RS = torch.tensor([[1, 2], [2, 9]]), torch.tensor([4, 3]), torch.tensor([2, 1])
case("rnnt", lambda x: rnnt(x, RT, RI, RS), real(2, 4, 3, 3))

# ---- layers ----
case("linear", F.linear, real(2, 3, 4), real(2, 4), real(2))
case("bilinear", F.bilinear, real(3, 2), real(3, 4), real(2, 2, 4), real(2))
case("embedding", lambda i, w: F.embedding(i, w, padding_idx=1), torch.tensor([[0, 1], [3, 0]]),
     real(4, 3))
case("layer_norm", lambda x, w, b: F.layer_norm(x, (3, 2), w, b, 1e-3), real(2, 3, 2), real(3, 2),
     real(3, 2))
case("rms_norm", lambda x, w: F.rms_norm(x, (4,), w, 1e-3), real(3, 4), real(4))


def batch_norm(x, *given):  # PyTorch's has no derivative in the statistics
    m, v, w, b = (a[None, :, None] for a in given)
    return (x - m) / torch.sqrt(v + 1e-3) * w + b


case("batch_norm", batch_norm,
     real(2, 3, 2), real(3), real(3, lo=0.3, hi=2), real(3), real(3))
case("batch_norm_train", lambda x, w, b: F.batch_norm(x, None, None, w, b, True, 0.1, 1e-3),
     real(3, 3, 2), real(3), real(3))


def running(x, which):
    m, v = torch.tensor([0.3, -0.2, 1.1]), torch.tensor([1.0, 0.7, 0.4])
    F.batch_norm(x, m, v, None, None, True, 0.1, 1e-3)
    return (m, v)[which] + 0 * x.sum()


N = real(3, 3, 2)
case("running_mean", lambda x: running(x.detach(), 0) + 0 * x.sum(), N)
case("running_var", lambda x: running(x.detach(), 1) + 0 * x.sum(), N)
case("group_norm", lambda x, w, b: F.group_norm(x, 2, w, b, 1e-3), real(2, 4, 2), real(4), real(4))
case("instance_norm", lambda x, w, b: F.instance_norm(x, None, None, w, b, eps=1e-3), real(2, 2, 4),
     real(2), real(2))
case("local_response_norm", lambda x: F.local_response_norm(x, 3, 0.7, 0.75, 1.2), real(2, 5, 2))
case("local_response_norm_even", lambda x: F.local_response_norm(x, 4, 0.7, 0.75, 1.2), real(1, 5, 2))
case("normalize", lambda x: F.normalize(x, 2, 1), real(2, 3, 2))
case("normalize_p1", lambda x: F.normalize(x, 1, 1), real(2, 3))
case("normalize_p3", lambda x: F.normalize(x, 3, 0), real(3, 2))
case("normalize_inf", lambda x: F.normalize(x, float("inf"), 1), real(2, 3))
case("cosine_similarity", lambda a, b: F.cosine_similarity(a, b, 1), real(3, 4), real(3, 4))
case("weight_norm", lambda v, g: torch._weight_norm(v, g[None, :, None], 1), real(2, 3, 2), real(3))


def spectral(w, u):  # Miyato et al. 2018, algorithm 1
    m = w.reshape(len(w), -1)
    left, still = u.detach(), m.detach()
    for _ in range(3):
        right = F.normalize(still.T @ left, dim=0)
        left = F.normalize(still @ right, dim=0)
    return w / (left @ m @ right)


case("spectral_norm", spectral, real(3, 2, 2), torch.tensor([0.6, 0.64, -0.48]))
