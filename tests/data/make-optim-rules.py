# writes optim-rules.inc: parameters after 50 steps of each rule on the function of tests/t-optim-rules.c
# (PyTorch, optax; LARS with decay by the formula of You, Gitman & Ginsburg 2017)
import jax
import jax.numpy as jnp
import numpy as np
import optax
import torch

jax.config.update("jax_enable_x64", True)
torch.set_default_dtype(torch.float64)  # of the numbers that NAdam and ASGD keep, too
X, Y, STEPS = [-1.5, 0.3, 2.5], [1.0, -0.8], 50

def f(lib, x, y):
    return (lib.cosh(x - 1) * lib.asarray([1.0, 2.0, 0.5])).sum() + 3 * ((y - 0.5) ** 2).sum() + x[0] * y[1]

def by_torch(name, make, clip=None, extra=None):
    x = torch.tensor(X, dtype=torch.float64, requires_grad=True)
    y = torch.tensor(Y, dtype=torch.float64, requires_grad=True)
    o = make([x, y])
    for _ in range(STEPS):
        o.zero_grad()
        f(torch, x, y).backward()
        if clip:
            clip([x, y])
        o.step()
    write(name, x.detach().numpy(), y.detach().numpy())
    if extra:
        write(extra, *[o.state[p]["ax"].numpy() for p in (x, y)])

def by_optax(name, rule, lookahead=False):
    p = (jnp.array(X), jnp.array(Y))
    if lookahead:
        p = optax.LookaheadParams.init_synced(p)
    s = rule.init(p)
    for _ in range(STEPS):
        g = jax.grad(lambda p: f(jnp, *p))(p.fast if lookahead else p)
        u, s = rule.update(g, s, p)
        p = optax.apply_updates(p, u)
    write(name, *[np.asarray(v) for v in (p.fast if lookahead else p)])

def lars(rate, decay, momentum, trust):
    p, v = [np.array(X), np.array(Y)], [np.zeros(3), np.zeros(2)]
    for _ in range(STEPS):
        g = jax.grad(lambda p: f(jnp, *p))(tuple(map(jnp.asarray, p)))
        for i in range(2):
            gi, norm = np.asarray(g[i]), np.linalg.norm
            local = trust * norm(p[i]) / (norm(gi) + decay * norm(p[i]))
            v[i] = momentum * v[i] + rate * local * (gi + decay * p[i])
            p[i] = p[i] - v[i]
    write("LARS with decay", *p)

def write(name, x, y):
    print('{"%s",\n {%s}},' % (name, ", ".join("%.16g" % v for v in np.concatenate([x, y]))))

print("/* by make-optim-rules.py: PyTorch %s, optax %s, jax %s */"
      % (torch.__version__.split("+")[0], optax.__version__, jax.__version__))
T = torch.optim
by_torch("SGD", lambda p: T.SGD(p, 0.02))
by_torch("SGD with groups", lambda p: T.SGD([{"params": p[:1], "lr": 0.01}, {"params": p[1:], "lr": 0.04}]))
by_torch("momentum", lambda p: T.SGD(p, 0.02, momentum=0.8))
by_torch("Nesterov", lambda p: T.SGD(p, 0.02, momentum=0.8, nesterov=True, weight_decay=0.1))
by_torch("AdamW", lambda p: T.AdamW(p, 0.03, weight_decay=0.1))
by_torch("Adam with groups", lambda p: T.AdamW([{"params": p[:1], "lr": 0.03, "weight_decay": 0.1},
                                                {"params": p[1:], "lr": 0.06, "weight_decay": 0.025}]))
by_torch("Adamax", lambda p: T.Adamax(p, 0.03))
by_torch("Adagrad", lambda p: T.Adagrad(p, 0.1))
by_torch("Adadelta", lambda p: T.Adadelta(p, 1))
by_torch("RMSProp", lambda p: T.RMSprop(p, 0.01))
by_torch("RMSProp with momentum", lambda p: T.RMSprop(p, 0.003, momentum=0.7))
by_torch("RMSProp, centred", lambda p: T.RMSprop(p, 0.003, momentum=0.7, centered=True))
by_torch("Rprop", lambda p: T.Rprop(p, 0.02))
by_torch("NAdam", lambda p: T.NAdam(p, 0.03))
by_torch("RAdam", lambda p: T.RAdam(p, 0.03))
by_torch("AMSGrad", lambda p: T.Adam(p, 0.03, amsgrad=True))
by_torch("ASGD", lambda p: T.ASGD(p, 0.02, lambd=0.01, t0=10), extra="ASGD, averaged")
by_torch("clipped by value", lambda p: T.SGD(p, 0.1),
         lambda p: torch.nn.utils.clip_grad_value_(p, 0.4))
by_optax("AdaBelief", optax.adabelief(0.03))
by_optax("Lion", optax.lion(0.02, weight_decay=0.1))
by_optax("LAMB", optax.lamb(0.03, weight_decay=0.01))
by_optax("LARS", optax.lars(0.5, weight_decay=0, trust_coefficient=0.01, momentum=0.8))
lars(0.5, 0.05, 0.8, 0.01)
by_optax("clipped by the global norm", optax.chain(optax.clip_by_global_norm(0.9), optax.sgd(0.1)))
def by_norms(p):
    for q in p:
        q.grad *= 0.6 / max(0.6, q.grad.norm())
by_torch("clipped by norms", lambda p: T.SGD(p, 0.1), by_norms)
by_optax("LookAhead", optax.lookahead(optax.adam(0.03), 6, 0.5), True)
