# writes law-pairs.inc: divergences of pairs of laws by quadrature of p log(p / q) (mpmath, 30 digits)
import mpmath as mp
mp.mp.dps = 30
inf = mp.inf
L = {
    "normal": ((0.3, 1.2), lambda x, m, s: -((x - m) / s) ** 2 / 2 - mp.log(s * mp.sqrt(2 * mp.pi)), lambda m, s: [m - 40 * s, m - 6 * s, m, m + 6 * s, m + 40 * s]),
    "gumbel": ((0.4, 1.5), lambda x, m, s: -(x - m) / s - mp.exp(-(x - m) / s) - mp.log(s), lambda m, s: [m - 6 * s, m, m + 10 * s, m + 90 * s]),
    "gamma": ((2.5, 1.5), lambda x, a, b: a * mp.log(b) + (a - 1) * mp.log(x) - b * x - mp.loggamma(a), lambda a, b: [0, 1, 5, 80]),
    "beta": ((2.5, 1.75), lambda x, a, b: (a - 1) * mp.log(x) + (b - 1) * mp.log(1 - x) - mp.log(mp.beta(a, b)), lambda a, b: [0, 0.5, 1]),
    "continuous_bernoulli": ((0.3,), lambda x, p: x * mp.log(p) + (1 - x) * mp.log(1 - p) + mp.log(2 * mp.atanh(1 - 2 * p) / (1 - 2 * p)), lambda p: [0, 1]),
    "pareto": ((0.75, 3.5), lambda x, c, a: mp.log(a) + a * mp.log(c) - (a + 1) * mp.log(x), lambda c, a: [c, 2, 10, inf]),
    "uniform": ((0.25, 0.875), lambda x, l, h: -mp.log(h - l), lambda l, h: [l, h]),
    "exponential": ((1.25,), lambda x, r: mp.log(r) - r * x, lambda r: [0, 1, 100]),
    "laplace": ((0.5, 1.25), lambda x, m, b: -abs(x - m) / b - mp.log(2 * b), lambda m, b: [m - 100 * b, m, m + 100 * b]),
}
wide = {"uniform": (-0.5, 1.75), "pareto": (0.125, 1.5)}  # as q
pairs = [(p, "normal") for p in ("gumbel", "gamma", "beta", "continuous_bernoulli", "pareto", "laplace", "uniform", "exponential")]
pairs += [(p, "exponential") for p in ("beta", "continuous_bernoulli", "pareto", "uniform", "gamma")]
pairs += [("beta", "continuous_bernoulli"), ("uniform", "continuous_bernoulli"), ("beta", "uniform"), ("continuous_bernoulli", "uniform")]
pairs += [(p, "gamma") for p in ("beta", "pareto", "uniform", "exponential")]
pairs += [("uniform", "beta"), ("uniform", "pareto"), ("normal", "laplace")]
pairs += [(p, "gumbel") for p in ("normal", "gamma", "exponential", "uniform")]
for p, q in pairs:
    a, f, ends = L[p]
    b = wide.get(q, L[q][0])
    g, mid = L[q][1], [b[0]] if q == "laplace" else []
    a, b = [mp.mpf(v) for v in a], [mp.mpf(v) for v in b]
    e = ends(*a)
    e = sorted(set(e + [m for m in mid if e[0] < m < e[-1]]))
    v = mp.quad(lambda x: 0 if x <= 0 and p in ("gamma", "beta") or (p == "beta" and x >= 1) else mp.exp(f(x, *a)) * (f(x, *a) - g(x, *b)), e)
    fill = lambda t: ", ".join([mp.nstr(x, 17) for x in t] + ["0"] * (2 - len(t)))
    print('{"%s", "%s", {%s}, {%s}, %s},' % (p, q, fill(a), fill(b), mp.nstr(v, 17)))
# 0 and 1 against counts
p, r = mp.mpf(0.3), mp.mpf(1.25)
v = (1 - p) * (mp.log(1 - p) + r) + p * (mp.log(p) + r - mp.log(r))
print('{"bernoulli", "poisson", {%s, 0}, {%s, 0}, %s},' % (mp.nstr(p, 17), mp.nstr(r, 17), mp.nstr(v, 17)))
