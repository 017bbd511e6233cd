# writes optim-schedules.inc: rates of torch.optim.lr_scheduler, each 40 steps (PyTorch)
import torch

S = torch.optim.lr_scheduler

def rates(name, make, steps=40):
    o = torch.optim.SGD([torch.zeros(1, requires_grad=True)], 0.5, momentum=0.9)
    s = make(o)
    got = []
    for _ in range(steps):
        got.append(o.param_groups[0]["lr"])
        o.step()
        s.step()
    write(name, got)

def write(name, got):
    got += [-1] * (40 - len(got))
    print('{"%s", {%s}},' % (name, ",\n    ".join(
        ", ".join("%.17g" % v for v in got[i:i + 5]) for i in range(0, 40, 5))))

print("/* by make-optim-schedules.py: PyTorch %s; -1: past the end */" % torch.__version__.split("+")[0])
rates("exponential", lambda o: S.ExponentialLR(o, 0.93))
rates("step", lambda o: S.StepLR(o, 7, 0.6))
rates("multi-step", lambda o: S.MultiStepLR(o, [3, 11, 12], 0.4))
rates("linear", lambda o: S.LinearLR(o, 0.25, 0.9, 17))
rates("polynomial", lambda o: S.PolynomialLR(o, 30, 1.7))
rates("cosine", lambda o: S.CosineAnnealingLR(o, 15, 0.02))
rates("restarts", lambda o: S.CosineAnnealingWarmRestarts(o, 5, 2, 0.01))
rates("one cycle", lambda o: S.OneCycleLR(o, 0.5, 35, pct_start=0.3, div_factor=20, final_div_factor=100), 35)
rates("one cycle, linear, three phases",
      lambda o: S.OneCycleLR(o, 0.5, 38, pct_start=0.4, div_factor=10, final_div_factor=50,
                             anneal_strategy="linear", three_phase=True), 38)
rates("triangular", lambda o: S.CyclicLR(o, 0.1, 0.7, 6, 3))
rates("triangular2", lambda o: S.CyclicLR(o, 0.1, 0.7, 4, 4, mode="triangular2"))
rates("exponential cycles", lambda o: S.CyclicLR(o, 0.1, 0.7, 4, 7, mode="exp_range", gamma=0.9))
rates("multiplicative", lambda o: S.MultiplicativeLR(o, lambda t: 1 - 0.5 / (t + 1)))
rates("lambda", lambda o: S.LambdaLR(o, lambda t: 1 / (1 + t * t)))
o = torch.optim.SGD([torch.zeros(1, requires_grad=True)], 0.5)
s, got = S.ReduceLROnPlateau(o, factor=0.5, patience=2, cooldown=3, min_lr=0.04), []
for t in range(40):
    s.step(1 / (1 + t) if t < 9 else 0.1 - 0.01 * (t == 30))
    got.append(o.param_groups[0]["lr"])
write("plateau", got)
