#!/usr/bin/env python3
# make-univariate-laws.py - answers for tests/t-laws-of-probability.c of the laws of
# agnesi/univariate_laws.h: log density, cdf and survival with their logarithms by mpmath at 60
# digits where it has a formula, moments and entropies by SciPy; quantiles by SciPy.
#   make-univariate-laws.py >univariate-laws.inc        (SciPy 1.17, mpmath 1.3)
import math
import mpmath as mp
from scipy import stats as S

mp.mp.dps = 60
F = mp.mpf


def tail(z):
    return mp.erfc(z / mp.sqrt(2)) / 2


def logs(lp, c, s):
    return lp, c, s


def lbeta(a, b):
    return mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)


def inc(a, b, x):
    return mp.betainc(a, b, 0, x, regularized=True)


def levy(m, c, x):
    y = x - m
    return (
        mp.log(c / (2 * mp.pi)) / 2 - F(3) / 2 * mp.log(y) - c / (2 * y),
        mp.erfc(mp.sqrt(c / (2 * y))),
        mp.erf(mp.sqrt(c / (2 * y))),
    )


def rayleigh(s, x):
    e = (x / s) ** 2 / 2
    return mp.log(x / s**2) - e, -mp.expm1(-e), mp.exp(-e)


def maxwell(s, x):
    e = (x / s) ** 2 / 2
    lp = mp.log(2 / mp.pi) / 2 + 2 * mp.log(x) - 3 * mp.log(s) - e
    return (
        lp,
        mp.gammainc(F(3) / 2, 0, e, regularized=True),
        mp.gammainc(F(3) / 2, e, mp.inf, regularized=True),
    )


def inverse_gaussian(m, l, x):
    r = mp.sqrt(l / x)
    far = mp.exp(2 * l / m) * tail(r * (x / m + 1))
    lp = mp.log(l / (2 * mp.pi * x**3)) / 2 - l * (x - m) ** 2 / (2 * m * m * x)
    return lp, tail(-r * (x / m - 1)) + far, tail(r * (x / m - 1)) - far


def gompertz(c, b, x):
    e = c * mp.expm1(b * x)
    return mp.log(c * b) + b * x - e, -mp.expm1(-e), mp.exp(-e)


def fisher_snedecor(p, q, x):
    a, b = p / 2, q / 2
    lp = (
        a * mp.log(p)
        + b * mp.log(q)
        + (a - 1) * mp.log(x)
        - (a + b) * mp.log(p * x + q)
        - lbeta(a, b)
    )
    return lp, inc(a, b, p * x / (p * x + q)), inc(b, a, q / (p * x + q))


def half_student_t(v, s, x):
    z = x / s
    lp = (
        mp.log(2)
        + mp.loggamma((v + 1) / 2)
        - mp.loggamma(v / 2)
        - mp.log(v * mp.pi) / 2
        - mp.log(s)
        - (v + 1) / 2 * mp.log1p(z * z / v)
    )
    high = inc(v / 2, F(1) / 2, v / (v + z * z))
    return lp, 1 - high if high < 0.5 else inc(F(1) / 2, v / 2, z * z / (v + z * z)), high


def johnson_su(g, d, m, s, x):
    z = (x - m) / s
    n = g + d * mp.asinh(z)
    return (
        mp.log(d / s) - mp.log1p(z * z) / 2 - n * n / 2 - mp.log(2 * mp.pi) / 2,
        tail(-n),
        tail(n),
    )


def skellam(a, b, k):
    return (
        -(a + b) + k / 2 * mp.log(a / b) + mp.log(mp.besseli(abs(k), 2 * mp.sqrt(a * b))),
        None,
        None,
    )


def zipf(s, k):
    sf = mp.zeta(s, k + 1) / mp.zeta(s)
    return -s * mp.log(k) - mp.log(mp.zeta(s)), 1 - sf, sf


def beta_negative_binomial(r, a, b, k):
    return (
        mp.loggamma(k + r)
        - mp.loggamma(k + 1)
        - mp.loggamma(r)
        + lbeta(r + a, k + b)
        - lbeta(a, b),
        None,
        None,
    )


def hit(l):
    return mp.log1p(mp.exp(l))  # -log(1 - p); -log p is hit(-l)


def bernoulli_logits(l, k):
    rest = mp.exp(-hit(l))
    return (-hit(l), rest, mp.exp(-hit(-l))) if k == 0 else (-hit(-l), F(1), F(0))


def binomial_logits(n, l, k):
    choose = mp.loggamma(n + 1) - mp.loggamma(k + 1) - mp.loggamma(n - k + 1)
    lp = choose - k * hit(-l) - (n - k) * hit(l)
    p, q = mp.exp(-hit(-l)), mp.exp(-hit(l))
    if k == n:
        return lp, F(1), F(0)
    below = mp.fsum(mp.binomial(n, j) * p**j * q ** (n - j) for j in range(int(k) + 1))
    above = mp.fsum(mp.binomial(n, j) * p**j * q ** (n - j) for j in range(int(k) + 1, int(n) + 1))
    return lp, below, above


def geometric_logits(l, k):
    tail = (k + 1) * hit(l)
    return -k * hit(l) - hit(-l), -mp.expm1(-tail), mp.exp(-tail)


def negative_binomial_logits(r, l, k):
    choose = mp.loggamma(k + r) - mp.loggamma(k + 1) - mp.loggamma(r)
    p, q = mp.exp(-hit(-l)), mp.exp(-hit(l))
    lp = choose - k * hit(-l) - r * hit(l)
    if q < p:
        below = inc(r, k + 1, q)
        return lp, below, 1 - below
    above = inc(k + 1, r, p)
    return lp, 1 - above, above


class Summed:
    # moments by Euler and Maclaurin's summation: SciPy's are NaN
    def __init__(self, r, a, b):
        def p(k):
            return mp.exp(beta_negative_binomial(F(r), F(a), F(b), k)[0])

        self.m = [
            mp.sumem(lambda k: k**n * p(k), [200, mp.inf], tol=F(10) ** -14)
            + sum(k**n * p(k) for k in range(200))
            for n in (1, 2)
        ]

    def mean(self):
        return self.m[0]

    def var(self):
        return self.m[1] - self.m[0] ** 2


def lomax(a, l, x):
    t = mp.log1p(x / l)
    return mp.log(a / l) - (a + 1) * t, -mp.expm1(-a * t), mp.exp(-a * t)


def log_logistic(m, c, x):
    e = (x / m) ** c
    return mp.log(c / x) + mp.log(e) - 2 * mp.log1p(e), e / (1 + e), 1 / (1 + e)


def burr(c, k, m, x):
    e = (x / m) ** c
    t = mp.log1p(e)
    return mp.log(c * k / x) + mp.log(e) - (k + 1) * t, -mp.expm1(-k * t), mp.exp(-k * t)


def dagum(c, k, m, x):
    e = (x / m) ** -c
    t = mp.log1p(e)
    return mp.log(c * k / x) + mp.log(e) - (k + 1) * t, mp.exp(-k * t), -mp.expm1(-k * t)


def nakagami(m, w, x):
    y = m * x * x / w
    lp = mp.log(2) + m * mp.log(m / w) - mp.loggamma(m) + (2 * m - 1) * mp.log(x) - y
    return lp, mp.gammainc(m, 0, y, regularized=True), mp.gammainc(m, y, mp.inf, regularized=True)


def frechet(m, a, x):
    e = (x / m) ** -a
    return mp.log(a / x) + mp.log(e) - e, mp.exp(-e), -mp.expm1(-e)


def generalized_extreme_value(m, s, c, x):
    z = (x - m) / s
    t = mp.log1p(c * z) / c if c else z
    return -mp.log(s) - (1 + c) * t - mp.exp(-t), mp.exp(-mp.exp(-t)), -mp.expm1(-mp.exp(-t))


def moyal(m, s, x):
    z = (x - m) / s
    r = mp.exp(-z / 2) / mp.sqrt(2)
    return -(z + mp.exp(-z)) / 2 - mp.log(s * mp.sqrt(2 * mp.pi)), mp.erfc(r), mp.erf(r)


def asymmetric_laplace(m, s, k, x):
    z = (x - m) / s
    lp = mp.log(k / (1 + k * k) / s) + (z / k if z < 0 else -k * z)
    left, right = k * k / (1 + k * k) * mp.exp(z / k), mp.exp(-k * z) / (1 + k * k)
    return (lp, left, 1 - left) if z < 0 else (lp, 1 - right, right)


def birnbaum_saunders(a, m, x):
    r = mp.sqrt(x / m)
    n = (r - 1 / r) / a
    lp = mp.log((r + 1 / r) / (2 * a * x)) - n * n / 2 - mp.log(2 * mp.pi) / 2
    return lp, tail(-n), tail(n)


def hyperbolic_secant(m, s, x):
    y = mp.pi * (x - m) / (2 * s)
    lp = mp.log(mp.sech(y) / (2 * s))
    return lp, 2 / mp.pi * mp.atan(mp.exp(y)), 2 / mp.pi * mp.atan(mp.exp(-y))


def arcsine(a, b, x):
    lp = -mp.log(mp.pi) - mp.log((x - a) * (b - x)) / 2
    left, right = mp.sqrt((x - a) / (b - a)), mp.sqrt((b - x) / (b - a))
    return lp, 2 / mp.pi * mp.asin(left), 2 / mp.pi * mp.asin(right)


def logarithmic(p, k):
    return k * mp.log(p) - mp.log(-k * mp.log1p(-p)), None, None


class ExtremeValue:
    # SciPy's moments lose digits about concentration 0
    def __init__(self, m, s, c):
        self.of = m, s, F(c)

    def mean(self):
        m, s, c = self.of
        return m + s * ((mp.gamma(1 - c) - 1) / c if c else mp.euler)

    def var(self):
        s, c = self.of[1:]
        if c >= 0.5:
            return mp.inf
        v = (mp.gamma(1 - 2 * c) - mp.gamma(1 - c) ** 2) / c**2 if c else mp.pi**2 / 6
        return s * s * v

    def entropy(self):
        s, c = self.of[1:]
        return mp.log(s) + mp.euler * (1 + c) + 1


class Heavy:
    # SciPy says NaN, or a number, where a moment is infinite
    def __init__(self, law, mean, var):
        self.mean = law.mean if mean else lambda: mp.inf
        self.var = law.var if var else lambda: mp.inf
        self.entropy = law.entropy


def exponentially_modified_normal(m, s, r, x):
    z, a = (x - m) / s, r * s
    e = mp.exp(a * a / 2 - a * z) * tail(a - z)
    return mp.log(r * e), tail(-z) - e, tail(z) + e


def rice(n, s, x):  # Poisson's mixture of gamma laws
    h, m = (x / s) ** 2 / 2, (n / s) ** 2 / 2
    most = int(m + 40 * mp.sqrt(m) + 200)
    p = [mp.exp(-m)]
    q = [mp.exp(-h)]
    for k in range(1, most):
        p.append(p[-1] * m / k)
        q.append(q[-1] * h / k)
    below, above, rest, c, sf = [mp.mpf(0)] * most, mp.mpf(0), mp.mpf(0), mp.mpf(0), mp.mpf(0)
    term, k = q[-1], most
    while term > 0 and (k < h or term > F(10) ** -400 * q[0]):  # beyond the last
        term = term * h / k
        rest += term
        k += 1
    for k in range(most - 1, -1, -1):
        below[k] = rest
        rest += q[k]
    for k in range(most):
        above += q[k]
        c += p[k] * below[k]
        sf += p[k] * above
    lp = mp.log(x) - 2 * mp.log(s) - (x * x + n * n) / (2 * s * s)
    return lp + mp.log(mp.besseli(0, x * n / (s * s))), c, sf


def poisson_mixture(half, term):
    """Sum over Poisson's weights of mean half of what term(j) gives."""
    w, total, j = mp.exp(-half), [F(0)] * 3, 0
    while j < half or w > F(10) ** -60:
        total = [a + w * b for a, b in zip(total, term(j))]
        j += 1
        w *= half / j
    return mp.log(total[0]), total[1], total[2]


def noncentral_chi2(k, l, x):
    def term(j):
        a, h = k / 2 + j, x / 2
        f = mp.exp((a - 1) * mp.log(h) - h - mp.loggamma(a)) / 2
        return f, mp.gammainc(a, 0, h, regularized=True), mp.gammainc(a, h, mp.inf, regularized=True)

    return poisson_mixture(l / 2, term)


def noncentral_f(m, n, l, x):
    y = m * x / n

    def term(j):
        a, b = m / 2 + j, n / 2
        f = mp.exp((a - 1) * mp.log(y) - (a + b) * mp.log1p(y) - lbeta(a, b)) * m / n
        return f, inc(a, b, y / (1 + y)), inc(b, a, 1 / (1 + y))

    return poisson_mixture(l / 2, term)


def noncentral_t(v, l, t):  # over the root s of chi square by its degrees of freedom
    c = mp.log(2) + v / 2 * mp.log(v / 2) - mp.loggamma(v / 2)

    def over(g):  # for few degrees of freedom over u = s^v, without the pole at 0
        top = (t * l + mp.sqrt((t * l) ** 2 + 4 * v * (v + t * t))) / (2 * (v + t * t))
        cuts = sorted({top * k / 8 for k in range(41)} | {F(k) / 8 for k in range(1, 25)} | {F(9)})
        if v > 2:
            return mp.quad(lambda s: mp.exp(c + (v - 1) * mp.log(s) - v * s * s / 2) * g(s) if s else F(0), cuts)
        near = [F(2) ** (4 - k) / (1 + abs(t)) for k in range(24)]
        cuts = sorted({s**v for s in [F(0)] + near + [mp.sqrt(150 / v) * k / 12 for k in range(1, 13)]})
        return mp.quad(lambda u: mp.exp(c - v * u ** (2 / v) / 2) / v * g(u ** (1 / v)), cuts)

    with mp.workdps(30):
        f = over(lambda s: s * mp.npdf(t * s - l))
        return mp.log(f), over(lambda s: tail(l - t * s)), over(lambda s: tail(t * s - l))


def noncentral_beta(a, b, l, x):
    def term(j):
        f = mp.exp((a + j - 1) * mp.log(x) + (b - 1) * mp.log1p(-x) - lbeta(a + j, b))
        return f, inc(a + j, b, x), inc(b, a + j, 1 - x)

    return poisson_mixture(l / 2, term)


class Zipf:  # SciPy ends its sums early
    def __init__(self, s):
        self.s, self.unit = F(s), mp.zeta(F(s))

    def moment(self, k):
        return mp.zeta(self.s - k) / self.unit if self.s > k + 1 else mp.inf

    def mean(self):
        return self.moment(1)

    def var(self):
        return self.moment(2) - self.moment(1) ** 2 if self.s > 3 else mp.inf

    def entropy(self):
        return mp.log(self.unit) - self.s * mp.zeta(self.s, 1, 1) / self.unit


class NoncentralBeta:
    def __init__(self, a, b, l):
        half, w, j = F(l) / 2, mp.exp(-F(l) / 2), 0
        self.first = self.second = F(0)
        while j < half or w > F(10) ** -50:
            c, s = F(a) + j, F(a) + j + F(b)
            self.first += w * c / s
            self.second += w * c * (c + 1) / (s * (s + 1))
            j += 1
            w *= half / j

    def mean(self):
        return self.first

    def var(self):
        return self.second - self.first**2


def by_sums(log_mass, start=0):
    """Log probability, cdf, survival and moments of a law of counts by all its probabilities."""

    def masses(*p):
        out, k = [], start
        while k < 60 or out[-1] > F(10) ** -70 or out[-1] > out[-2]:
            out.append(mp.exp(log_mass(*p, F(k))))
            k += 1
        return out

    def law(*p):
        x, q = int(p[-1]), masses(*p[:-1])
        unit, far = mp.fsum(q), []
        while len(q) <= x or (len(far) < 400 and x >= len(q) - 200):
            q.append(mp.exp(log_mass(*p[:-1], F(len(q)))))
            far.append(q[-1])
        return log_mass(*p) - mp.log(unit), mp.fsum(q[: x + 1]) / unit, mp.fsum(q[x + 1 :]) / unit

    class Moments:
        def __init__(self, *p):
            q = masses(*map(F, p))
            unit = mp.fsum(q)
            self.q = [v / unit for v in q]

        def mean(self):
            return mp.fsum(k * v for k, v in enumerate(self.q))

        def var(self):
            m = self.mean()
            return mp.fsum((k - m) ** 2 * v for k, v in enumerate(self.q))

        def entropy(self):
            return -mp.fsum(v * mp.log(v) for v in self.q if v)

    return law, Moments


conway_maxwell_poisson, ConwayMaxwellPoisson = by_sums(lambda r, n, k: k * mp.log(r) - n * mp.loggamma(k + 1))
generalized_poisson, GeneralizedPoisson = by_sums(
    lambda r, q, k: mp.log(r) + (k - 1) * mp.log(r + q * k) - r - q * k - mp.loggamma(k + 1)
)


def discrete_laplace(a, k):
    lp = mp.log(mp.tanh(a / 2)) - a * abs(k)
    left, right = (mp.exp(a * (e + 1)) / (1 + mp.exp(a)) for e in (min(k, -1), min(-k - 1, -1)))
    return lp, left if k < 0 else 1 - right, right if k >= 0 else 1 - left


def discrete_weibull(q, b, k):
    s = q ** ((k + 1) ** b)
    return mp.log(q ** (k**b if k else F(0)) - s), 1 - s, s


class Rice:  # SciPy's moments overflow where the point is far off
    def __init__(self, n, s):
        y = F(n) ** 2 / (2 * F(s) ** 2)
        self.m = F(s) * mp.sqrt(mp.pi / 2) * mp.hyp1f1(-F(1) / 2, 1, -y)
        self.v = 2 * F(s) ** 2 + F(n) ** 2 - self.m**2

    def mean(self):
        return self.m

    def var(self):
        return self.v


laws = [
    ('levy', levy, lambda m, c: S.levy(m, c), [(0.3, 1.7), (0, 1)], [0.35, 0.9, 4, 1e5, 1e200]),
    (
        'rayleigh',
        rayleigh,
        lambda s: S.rayleigh(scale=s),
        [(1.7,), (0.01,)],
        [1e-9, 0.02, 0.9, 4, 30],
    ),
    ('maxwell', maxwell, lambda s: S.maxwell(scale=s), [(1.7,), (0.3,)], [1e-9, 0.02, 0.9, 4, 10]),
    (
        'inverse_gaussian',
        inverse_gaussian,
        lambda m, l: S.invgauss(m / l, scale=l),
        [(1.3, 2.1), (0.4, 30), (7, 0.2)],
        [0.01, 0.3, 0.45, 1.5, 9, 60],
    ),
    (
        'gompertz',
        gompertz,
        lambda c, b: S.gompertz(c, scale=1 / b),
        [(0.2, 1.4), (3, 0.2)],
        [1e-12, 0.3, 1, 3],
    ),
    (
        'fisher_snedecor',
        fisher_snedecor,
        lambda p, q: S.f(p, q),
        [(3.3, 5.1), (0.7, 90), (400, 12)],
        [1e-9, 0.1, 0.9, 1.4, 20, 1e4],
    ),
    (
        'half_student_t',
        half_student_t,
        None,
        [(3.7, 1.4), (0.8, 1), (200, 3)],
        [1e-9, 0.2, 1.9, 30, 1e7],
    ),
    (
        'johnson_su',
        johnson_su,
        lambda g, d, m, s: S.johnsonsu(g, d, m, s),
        [(0.4, 1.7, -0.3, 2.1), (-1.2, 0.8, 0, 1)],
        [-1e6, -9, -0.2, 0.5, 3, 80],
    ),
    ('skellam', skellam, lambda a, b: S.skellam(a, b), [(3.2, 1.1), (40, 60)], [-40, -3, 0, 2, 9]),
    ('zipf', zipf, Zipf, [(1.3,), (3.6,), (9,)], [1, 2, 30, 100000]),
    (
        'beta_negative_binomial',
        beta_negative_binomial,
        lambda r, a, b: Summed(r, a, b),
        [(3.3, 4.1, 1.7)],
        [0, 1, 7, 400],
    ),
    ('bernoulli_logits', bernoulli_logits, None, [(0.4,), (-800,), (45,)], [0, 1]),
    ('binomial_logits', binomial_logits, None, [(12, -0.7), (9, 60), (7, -90)], [0, 1, 7]),
    ('geometric_logits', geometric_logits, None, [(-0.7,), (-80,), (50,)], [0, 3, 40]),
    (
        'negative_binomial_logits',
        negative_binomial_logits,
        None,
        [(3.3, -0.4), (0.7, -60), (12.5, 3)],
        [0, 2, 30],
    ),
    ('lomax', lomax, lambda a, l: S.lomax(a, scale=l), [(3.1, 0.7), (0.4, 2)], [1e-12, 0.3, 4, 1e9, 1e200]),
    (
        'log_logistic',
        log_logistic,
        lambda m, c: Heavy(S.fisk(c, scale=m), c > 1, c > 2),
        [(0.7, 3.1), (2, 0.6), (1.5, 40)],
        [1e-9, 0.3, 1.6, 9, 1e12],
    ),
    (
        'burr',
        burr,
        lambda c, k, m: Heavy(S.burr12(c, k, scale=m), c * k > 1, c * k > 2),
        [(3.1, 1.7, 0.6), (0.8, 0.9, 2), (9, 0.4, 1)],
        [1e-9, 0.3, 1.6, 9, 1e12],
    ),
    (
        'dagum',
        dagum,
        lambda c, k, m: Heavy(S.burr(c, k, scale=m), c > 1, c > 2),
        [(3.1, 1.7, 0.6), (0.8, 0.9, 2), (9, 0.4, 1)],
        [1e-9, 0.3, 1.6, 9, 1e12],
    ),
    (
        'nakagami',
        nakagami,
        lambda m, w: S.nakagami(m, scale=math.sqrt(w)),
        [(2.3, 1.7), (0.6, 4), (90, 1)],
        [1e-9, 0.3, 0.9, 1.1, 6],
    ),
    (
        'frechet',
        frechet,
        lambda m, a: Heavy(S.invweibull(a, scale=m), a > 1, a > 2),
        [(1.4, 3.2), (0.3, 0.7), (2, 30)],
        [0.01, 0.3, 1.9, 40, 1e9],
    ),
    (
        'generalized_extreme_value',
        generalized_extreme_value,
        ExtremeValue,
        [(0.4, 1.7, 0.2), (0, 1, -0.4), (1, 2, 0), (0, 1, 1e-5), (3, 0.5, -1.5), (0, 1, 0.7)],
        [-1.1, 0.3, 1.2, 2, 3.2, 1e4],
    ),
    ('moyal', moyal, lambda m, s: S.moyal(m, s), [(0.4, 1.7), (0, 1)], [-12, -3, 0.2, 5, 300]),
    (
        'asymmetric_laplace',
        asymmetric_laplace,
        lambda m, s, k: S.laplace_asymmetric(k, m, s),
        [(0.4, 1.7, 2.1), (0, 1, 0.3)],
        [-900, -3, -0.2, 0.9, 40],
    ),
    (
        'birnbaum_saunders',
        birnbaum_saunders,
        lambda a, m: S.fatiguelife(a, scale=m),
        [(0.7, 1.3), (4, 0.2)],
        [0.01, 0.3, 1.3, 9, 600],
    ),
    (
        'hyperbolic_secant',
        hyperbolic_secant,
        lambda m, s: S.hypsecant(m, 2 * s / math.pi),
        [(0.4, 1.7), (0, 1)],
        [-300, -3, 0.2, 5, 400],
    ),
    ('arcsine', arcsine, lambda a, b: S.arcsine(a, b - a), [(-0.6, 3.4), (0, 1)], [1e-12, 0.3, 0.9]),
    ('logarithmic', logarithmic, lambda p: S.logser(p), [(0.7,), (0.001,), (0.99,)], [1, 2, 9, 400]),
    (
        'noncentral_chi2',
        noncentral_chi2,
        lambda k, l: S.ncx2(k, l),
        [(3.5, 2.25), (0.75, 40), (60, 0.125)],
        [1e-6, 0.3, 2, 9, 55, 400],
    ),
    (
        'noncentral_f',
        noncentral_f,
        lambda m, n, l: S.ncf(m, n, l),
        [(3.5, 25, 2.25), (8, 9, 30)],
        [1e-6, 0.3, 2, 9, 55, 400],
    ),
    (
        'noncentral_t',
        noncentral_t,
        lambda v, l: S.nct(v, l),
        [(7.5, 0.75), (30, -4), (5, 12)],
        [-6, -0.3, 0.5, 2, 9, 55],
    ),
    (
        'exponentially_modified_normal',
        exponentially_modified_normal,
        lambda m, s, r: S.exponnorm(1 / (s * r), m, s),
        [(0.4, 1.7, 0.8), (0, 1, 1e-3), (0, 2, 40), (-1, 1, 1)],
        [-60, -3, -0.2, 0.3, 0.9, 5, 40, 9000],
    ),
    (
        'rice',
        rice,
        Rice,
        [(1.9, 1.3), (0, 1.7), (40, 1), (0.02, 3)],
        [1e-6, 0.3, 1.4, 4, 38, 41.5, 60],
    ),
    (
        'noncentral_beta',
        noncentral_beta,
        NoncentralBeta,
        [(2.25, 3.5, 2.25), (0.75, 12, 60), (30, 0.5, 0.125), (2, 1.5, 0)],
        [1e-6, 0.1, 0.5, 0.75, 0.9999],
    ),
    (
        'conway_maxwell_poisson',
        conway_maxwell_poisson,
        ConwayMaxwellPoisson,
        [(3.9, 1.4), (0.7, 0.25), (2.5, 6), (40, 1), (9, 0.5), (1e-3, 2)],
        [0, 1, 4, 30, 120],
    ),
    (
        'generalized_poisson',
        generalized_poisson,
        GeneralizedPoisson,
        [(2.9, 0.3), (0.25, 0.5), (30, 0.125), (0.7, 1e-3)],
        [0, 1, 4, 30, 120],
    ),
    ('discrete_laplace', discrete_laplace, lambda a: S.dlaplace(a), [(0.7,), (4,), (0.03,)], [-60, -3, -1, 0, 1, 9, 200]),
    ('discrete_weibull', discrete_weibull, None, [(0.7, 1.2), (0.99, 0.4), (0.1, 3)], [0, 1, 2, 9, 60]),
]
no_entropy = {'beta_negative_binomial', 'rice', 'noncentral_chi2', 'noncentral_f', 'noncentral_t', 'noncentral_beta'}


def text(v):
    if v is None:
        return 'NONE'
    v = float(v)
    return (
        '(double)NAN'
        if math.isnan(v)
        else ('-' if v < 0 else '') + '(double)INFINITY' if math.isinf(v) else repr(v)
    )


print(
    '/* made by make-univariate-laws.py: law, parameters, point, log density, cdf, survival, '
    'log cdf, log survival */'
)
for name, f, scipy, sets, xs in laws:
    for p in sets:
        row = ', '.join(text(v) for v in (*p, *[0] * (4 - len(p))))
        for x in xs:
            if name == 'levy' and x <= p[0]:
                continue
            if name == 'generalized_extreme_value' and 1 + p[2] * (x - p[0]) / p[1] <= 0:
                continue
            lp, c, s = f(*(F(v) for v in p), F(x))

            def log(v, rest):
                return (
                    None
                    if v is None
                    else -mp.inf if v <= 0 else mp.log(v) if v < 0.5 else mp.log1p(-rest)
                )

            print(
                f'POINT({name}, {row}, {text(x)}, {text(lp)}, {text(c)}, {text(s)}, {text(log(c, s))}, {text(log(s, c))})'
            )
        if scipy:
            d = scipy(*p)
            var = None if name == 'gompertz' else d.var()
            entropy = None if name in no_entropy else d.entropy()
            if name == 'exponentially_modified_normal':
                a, at = F(p[1]) * F(p[2]), [-12, -6, -3, -1, 0, 1, 2, 4, 8, 16]
                at += [20 + 40 / a * k / 8 for k in range(1, 9)] + [20 + 90 / a]
                log_f = lambda z: mp.log(a) + a * a / 2 - a * z + mp.log(tail(a - z))
                entropy = mp.log(p[1]) - mp.quad(lambda z: mp.exp(log_f(z)) * log_f(z), sorted(at))
            if name == 'logarithmic':  # SciPy's sum ends early
                terms = [F(p[0]) ** k / (-mp.log1p(-F(p[0])) * k) for k in range(1, 9000)]
                entropy = -mp.fsum(q * mp.log(q) for q in terms)
            print(
                f'MOMENT({name}, {row}, {text(d.mean())}, {text(var)}, {text(entropy)})'
            )
counts = [
    ('poisson', lambda r: S.poisson(r), [(0.2,), (3.9,), (4000.0,), (3e6,)]),
    ('binomial', lambda n, p: S.binom(n, p), [(12, 0.3), (900, 0.07), (40, 1e-9), (1000000, 0.4)]),
    ('geometric', lambda p: S.geom(p, -1), [(0.3,), (1e-6,)]),
    ('negative_binomial', lambda r, p: S.nbinom(r, 1 - p), [(3.3, 0.4), (0.2, 0.95), (70.0, 0.5)]),
    (
        'student_t',
        lambda v, m, s: S.t(v, m, s),
        [(3.7, 0.3, 1.4), (0.8, 0, 1), (4.1e3, 1, 2), (1.0, 0, 1)],
    ),
]
for name, scipy, sets in counts:
    for p in sets:
        row = ', '.join(text(v) for v in (*p, *[0] * (4 - len(p))))
        for q in (1e-12, 1e-5, 0.0713, 0.3, 0.4999, 0.62, 0.913, 0.99991):
            print(f'QUANTILE({name}, {row}, {q!r}, {text(scipy(*p).ppf(q))})')
