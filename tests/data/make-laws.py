#!/usr/bin/env python3
# make-laws.py - answers for tests/t-laws-of-probability.c: log density, cdf and survival with their logarithms
# by mpmath at 60 digits where it has a formula, moments and entropies by SciPy.
#   make-laws.py >laws-of-probability.inc        (SciPy 1.17, mpmath 1.3)
import math
import sys
import mpmath as mp
from scipy import stats

mp.mp.dps = 160
F = mp.mpf
inf = math.inf


def phi(z): return -z * z / 2 - mp.log(2 * mp.pi) / 2
def tail(z): return mp.erfc(z / mp.sqrt(2)) / 2
def lbeta(a, b): return mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)


def lower(a, x):  # the series, all terms positive (Abramowitz & Stegun 1964, 6.5.29)
    if x > a + 40 * mp.sqrt(a) + 2000:
        return 1 - upper(a, x)
    term = total = 1 / a
    n = 0
    while term > total * F(10) ** -150:
        n += 1
        term *= x / (a + n)
        total += term
    return total * mp.exp(a * mp.log(x) - x - mp.loggamma(a))


def upper(a, x):
    return 1 - lower(a, x) if x < a + 40 * mp.sqrt(a) + 40 else mp.gammainc(a, x, mp.inf, regularized=True)


def ibeta(a, b, x):  # the continued fraction (Abramowitz & Stegun 1964, 26.5.8) by Lentz's method
    if x > (a + 1) / (a + b + 2):
        return 1 - ibeta(b, a, 1 - x)
    c, d = F(1), 1 / (1 - (a + b) * x / (a + 1))
    h, m, step = d, 0, F(2)
    while abs(step - 1) > F(10) ** -150:
        m += 1
        for u in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                  -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d, c = 1 / (1 + u * d), 1 + u / c
            step = c * d
            h *= step
    return h * mp.exp(a * mp.log(x) + b * mp.log1p(-x) - lbeta(a, b)) / a


def student(v, m, s, x):
    z = (x - m) / s
    lp = mp.loggamma((v + 1) / 2) - mp.loggamma(v / 2) - mp.log(v * mp.pi) / 2 - mp.log(s) \
        - (v + 1) / 2 * mp.log1p(z * z / v)
    t = ibeta(v / 2, F(1) / 2, v / (v + z * z)) / 2
    return (lp, t, 1 - t) if z < 0 else (lp, 1 - t, t)


def subbotin(m, s, p, x):
    z = abs(x - m) / s
    t = upper(1 / p, z ** p) / 2
    lp = mp.log(p / (2 * s)) - mp.loggamma(1 / p) - z ** p
    return (lp, t, 1 - t) if x < m else (lp, 1 - t, t)


def gpareto(m, s, c, x):
    z = (x - m) / s
    g = z if c == 0 else mp.log1p(c * z) / c
    return -(1 + c) * g - mp.log(s), -mp.expm1(-g), mp.exp(-g)


def triangular(a, b, m, x):
    left = (x - a) ** 2 / (b - a) / (m - a)
    right = (b - x) ** 2 / (b - a) / (b - m)
    if x < m:
        return mp.log(2 * (x - a) / (b - a) / (m - a)), left, 1 - left
    return mp.log(2 * (b - x) / (b - a) / (b - m)), 1 - right, right


def tilted(p, x):
    t = mp.log(p) - mp.log1p(-p)
    if t == 0:
        return F(0), x, 1 - x
    return t * x - mp.log(mp.expm1(t) / t), mp.expm1(t * x) / mp.expm1(t), \
        (mp.exp(t) - mp.exp(t * x)) / mp.expm1(t)


def truncated(m, s, a, b, x):
    ta, tb, tx = (tail((F(v) - m) / s) for v in (a, b, x))
    mass = ta - tb
    return phi((x - m) / s) - mp.log(s) - mp.log(mass), (ta - tx) / mass, (tx - tb) / mass


def both(lp, cdf, sf): return lp, cdf, sf


def cauchy(m, s, x):
    z = (x - m) / s
    c = mp.atan2(1, -z) / mp.pi
    return -mp.log(mp.pi * s) - mp.log1p(z * z), c, mp.atan2(1, z) / mp.pi


def laplace(m, s, x):
    z = (x - m) / s
    t = mp.exp(-abs(z)) / 2
    lp = -abs(z) - mp.log(2 * s)
    return (lp, t, 1 - t) if z < 0 else (lp, 1 - t, t)


def gumbel(m, s, x):
    z = (x - m) / s
    e = mp.exp(-z)
    return -z - e - mp.log(s), mp.exp(-e), -mp.expm1(-e)


def logistic(m, s, x):
    z = (x - m) / s
    return -z - 2 * mp.log1p(mp.exp(-z)) - mp.log(s), 1 / (1 + mp.exp(-z)), 1 / (1 + mp.exp(z))


def gamma(a, b, x):
    t = b * x
    return a * mp.log(b) + (a - 1) * mp.log(x) - t - mp.loggamma(a), lower(a, t), upper(a, t)


def inverse_gamma(a, b, x):
    t = b / x
    return a * mp.log(b) - (a + 1) * mp.log(x) - t - mp.loggamma(a), upper(a, t), lower(a, t)


def weibull(s, k, x):
    e = (x / s) ** k
    return mp.log(k / s) + (k - 1) * mp.log(x / s) - e, -mp.expm1(-e), mp.exp(-e)


def pareto(m, a, x):
    sf = (m / x) ** a
    return mp.log(a / x) + a * mp.log(m / x), 1 - sf, sf


def normal(m, s, x):
    z = (x - m) / s
    return phi(z) - mp.log(s), tail(-z), tail(z)


def log_normal(m, s, x):
    lp, c, t = normal(m, s, mp.log(x))
    return lp - mp.log(x), c, t


def half_normal(s, x):
    z = x / s
    return phi(z) + mp.log(2 / s), mp.erf(z / mp.sqrt(2)), 2 * tail(z)


def half_cauchy(s, x):
    z = x / s
    return mp.log(2 / mp.pi / s) - mp.log1p(z * z), 2 * mp.atan2(z, 1) / mp.pi, \
        2 * mp.atan2(1, z) / mp.pi


def beta(a, b, x):
    return (a - 1) * mp.log(x) + (b - 1) * mp.log1p(-x) - lbeta(a, b), ibeta(a, b, x), ibeta(b, a, 1 - x)


def kumaraswamy(a, b, x):
    r = 1 - x ** a
    return mp.log(a * b) + (a - 1) * mp.log(x) + (b - 1) * mp.log(r), 1 - r ** b, r ** b


def skew_normal(m, s, a, x):
    z = (x - m) / s
    return phi(z) + mp.log(2 / s) + mp.log(tail(-a * z)), None, None


def choose(n, k): return mp.loggamma(n + 1) - mp.loggamma(k + 1) - mp.loggamma(n - k + 1)
def klog(k, p): return F(0) if k == 0 else k * mp.log(p)


def binomial(n, p, k):
    lp = choose(n, k) + klog(k, p) + klog(n - k, 1 - p)
    return lp, (F(1) if k == n else ibeta(n - k, k + 1, 1 - p)), \
        (F(0) if k == n else ibeta(k + 1, n - k, p))


def negative_binomial(r, p, k):
    lp = mp.loggamma(k + r) - mp.loggamma(k + 1) - mp.loggamma(r) + r * mp.log1p(-p) + klog(k, p)
    return lp, ibeta(r, k + 1, 1 - p), ibeta(k + 1, r, p)


def poisson(r, k):
    return klog(k, r) - r - mp.loggamma(k + 1), upper(k + 1, r), lower(k + 1, r)


def zero_inflated(g, r, k):
    lp, c, t = poisson(r, k)
    lp = mp.log(g + (1 - g) * mp.exp(lp)) if k == 0 else mp.log(1 - g) + lp
    return lp, g + (1 - g) * c, (1 - g) * t


def beta_binomial(n, a, b, k):
    lp = lambda j: choose(n, j) + lbeta(j + a, n - j + b) - lbeta(a, b)
    p = [mp.exp(lp(F(j))) for j in range(int(n) + 1)]
    return lp(k), mp.fsum(p[:int(k) + 1]), mp.fsum(p[int(k) + 1:])


def geometric(p, k): return mp.log(p) + klog(k, 1 - p), 1 - (1 - p) ** (k + 1), (1 - p) ** (k + 1)
def bernoulli(p, k): return (mp.log(p), F(1), F(0)) if k else (mp.log1p(-p), 1 - p, p)
def uniform(a, b, x): return -mp.log(b - a), (x - a) / (b - a), (b - x) / (b - a)
def exponential(r, x): return mp.log(r) - r * x, -mp.expm1(-r * x), mp.exp(-r * x)


S = stats
laws = [  # name, answers, SciPy's law of the parameters, parameters, points
    ('normal', normal, lambda m, s: S.norm(m, s), [(2.385, 0.317), (0, 1)], [-38, -9.3, -1.2, 0.4, 2.385, 3.1, 9, 37]),
    ('laplace', laplace, lambda m, s: S.laplace(m, s), [(0.7, 1.9)], [-900, -30, -1.1, 0.7, 0.9, 3, 40, 700]),
    ('cauchy', cauchy, None, [(-0.4, 2.3)], [-1e300, -1e17, -8, -0.4, 0.1, 5, 1e9, 1e200]),
    ('gumbel', gumbel, lambda m, s: S.gumbel_r(m, s), [(0.6, 1.7)], [-9, -3.1, 0.6, 2, 9, 60]),
    ('logistic', logistic, lambda m, s: S.logistic(m, s), [(0.6, 1.7)], [-900, -40, -3.1, 0.6, 2, 60, 1000]),
    ('student_t', student, lambda v, m, s: S.t(v, m, s), [(3.7, 0.3, 1.4), (0.8, 0, 1), (4.1e3, 1, 2)],
     [-1e8, -40, -2.2, 0.31, 0.9, 7, 300]),
    ('skew_normal', skew_normal, lambda m, s, a: S.skewnorm(a, m, s), [(0.3, 1.4, -3.1), (0.3, 1.4, 2.2)],
     [-30, -2.2, 0.31, 0.9, 7, 20]),
    ('generalized_normal', subbotin, lambda m, s, p: S.gennorm(p, m, s), [(0.3, 1.4, 1.3), (0, 2, 5.1)],
     [-30, -2.2, 0.31, 0.9, 7, 20]),
    ('log_normal', log_normal, lambda m, s: S.lognorm(s, scale=math.exp(m)), [(0.4, 1.3)],
     [1e-30, 0.02, 0.9, 1.4, 8, 1e12]),
    ('exponential', exponential, lambda r: S.expon(scale=1 / r), [(2.7,)], [1e-12, 0.3, 2, 40, 900]),
    ('gamma', gamma, lambda a, b: S.gamma(a, scale=1 / b), [(0.31, 2.2), (3.7, 0.8), (213.0, 11.0), (4.1e6, 3.0)],
     [1e-9, 0.2, 1.9, 8, 19.1, 60, 1366600.0, 1367000.0]),
    ('inverse_gamma', inverse_gamma, lambda a, b: S.invgamma(a, scale=b), [(3.7, 0.8), (61.0, 9.5)],
     [0.02, 0.15, 0.4, 2, 30]),
    ('chi2', lambda v, x: gamma(v / 2, F(1) / 2, x), lambda v: S.chi2(v), [(1.0,), (5.5,), (300.0,)],
     [1e-6, 0.4, 3, 40, 290, 420]),
    ('weibull', weibull, lambda s, k: S.weibull_min(k, scale=s), [(1.6, 0.7), (2.1, 4.4)], [1e-7, 0.3, 1.5, 3, 9]),
    ('pareto', pareto, lambda m, a: S.pareto(a, scale=m), [(1.3, 3.1), (0.2, 0.6)], [1.31, 2.2, 40, 1e20]),
    ('generalized_pareto', gpareto, lambda m, s, c: S.genpareto(c, m, s),
     [(0.2, 1.3, 0.3), (0.2, 1.3, -0.11), (0.2, 1.3, 0), (0.2, 1.3, 1e-5)], [0.21, 0.9, 4, 9.5]),
    ('half_normal', half_normal, lambda s: S.halfnorm(scale=s), [(1.7,)], [1e-9, 0.5, 3, 30, 60]),
    ('half_cauchy', half_cauchy, None, [(1.7,)], [1e-9, 0.5, 3, 1e12, 1e280]),
    ('uniform', uniform, lambda a, b: S.uniform(a, b - a), [(-1.3, 2.9)], [-1.2999, 0.1, 2.8]),
    ('beta', beta, lambda a, b: S.beta(a, b), [(2.3, 0.7), (0.4, 0.6), (9.1, 130.0), (2100.0, 3.3)],
     [1e-6, 0.05, 0.3, 0.8, 0.9991]),
    ('kumaraswamy', kumaraswamy, None, [(2.3, 0.7), (0.4, 3.1)], [1e-6, 0.05, 0.3, 0.8, 0.9991]),
    ('triangular', triangular, lambda a, b, m: S.triang((m - a) / (b - a), a, b - a), [(-1.0, 4.0, 0.7)],
     [-0.99, 0.3, 0.7, 2.2, 3.999]),
    ('continuous_bernoulli', tilted, None, [(0.2,), (0.5,), (0.5001,), (0.97,), (1e-9,)], [0.01, 0.3, 0.77, 0.999]),
    ('truncated_normal', truncated, lambda m, s, a, b: S.truncnorm((a - m) / s, (b - m) / s, m, s),
     [(0.3, 1.4, -1.0, 2.5), (0, 1, 8, 9), (0, 1, -inf, -20)], [-22.5, -20.25, -0.5, 0.4, 1.75, 8.01, 8.5]),
    ('bernoulli', bernoulli, lambda p: S.bernoulli(p), [(0.3,)], [0, 1]),
    ('binomial', binomial, None, [(12, 0.3), (900, 0.07), (40, 1e-9)], [0, 3, 12, 40, 71]),
    ('geometric', geometric, lambda p: S.geom(p, -1), [(0.3,), (1e-6,)], [0, 3, 70, 4000000]),
    ('poisson', poisson, None, [(0.2,), (3.9,), (4000.0,), (3e6,)], [0, 3, 9, 3900, 4200, 3000500]),
    ('negative_binomial', negative_binomial, None, [(3.3, 0.4), (0.2, 0.95), (70.0, 0.5)], [0, 3, 40, 95]),
    ('beta_binomial', beta_binomial, None, [(12, 2.3, 0.7), (500, 40, 90)], [0, 3, 12, 140]),
    ('zero_inflated_poisson', zero_inflated, None, [(0.2, 3.9)], [0, 1, 5, 30]),
]
no_entropy = {'beta_binomial'}


def text(v):
    if v is None:
        return 'NONE'
    v = float(v)
    return '(double)NAN' if math.isnan(v) else ('-' if v < 0 else '') + '(double)INFINITY' if math.isinf(v) else repr(v)


print('/* made by make-laws.py: law, parameters, point, log density, cdf, survival, log cdf, log survival */')
points = 0
for name, f, scipy, sets, xs in laws:
    for p in sets:
        for x in xs:
            q = [F(v) if math.isfinite(v) else (mp.inf if v > 0 else -mp.inf) for v in p]
            if name in ('pareto', 'generalized_pareto') and (x <= p[0] or name[0] == 'g' and p[2] < 0 and x >= p[0] - p[1] / p[2]):
                continue
            if name == 'truncated_normal' and not p[2] < x < p[3] or name in ('binomial', 'beta_binomial') and x > p[0]:
                continue
            lp, c, s = f(*q, F(x))
            def log(v, rest):
                return None if v is None else -mp.inf if v <= 0 else mp.log(v) if v < 0.5 else mp.log1p(-rest)
            row = [text(v) for v in (*p, *[0] * (4 - len(p)))]
            print(f'POINT({name}, {", ".join(row)}, {text(x)}, {text(lp)}, {text(c)}, {text(s)}, '
                  f'{text(log(c, s))}, {text(log(s, c))})')
            points += 1
        if scipy:
            d = scipy(*p)
            h = None if name in no_entropy else d.entropy()
            if name == 'truncated_normal':  # SciPy's cancels in the tails
                a, b = (max(min(v, 45), -60) for v in p[2:])
                with mp.workdps(120):
                    g = lambda x: truncated(F(p[0]), F(p[1]), p[2] if p[2] > -inf else F(-60), p[3], x)[0]
                    h = -mp.quad(lambda x: mp.exp(g(x)) * g(x), [a, (3 * a + b) / 4, (a + b) / 2, (a + 3 * b) / 4,
                                                                 (a + 15 * b) / 16, (a + 63 * b) / 64, b])
            mean = math.nan if name == 'student_t' and p[0] <= 1 else d.mean()  # not defined
            row = [text(v) for v in (*p, *[0] * (4 - len(p)))]
            print(f'MOMENT({name}, {", ".join(row)}, {text(mean)}, {text(d.var())}, {text(h)})')
print(points, 'points', file=sys.stderr)
