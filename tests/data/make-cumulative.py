# writes cumulative.inc: cdf and survival of Skellam and beta-binomial laws by sums of exact terms (mpmath, 40 digits)
import mpmath as mp
mp.mp.dps = 40
m = mp.mpf
def skellam(k, a, b):
    p = lambda j: mp.exp(-(m(a) + m(b))) * (m(a) / m(b)) ** (m(j) / 2) * mp.besseli(abs(j), 2 * mp.sqrt(m(a) * m(b)))
    side = int(12 * (a + b) ** 0.5 + 60)
    left = mp.fsum(p(j) for j in range(min(k, int(a - b)) - side, k + 1))
    return left, mp.fsum(p(j) for j in range(k + 1, max(k, int(a - b)) + side))
def beta_binomial(k, n, a, b):
    p = lambda j: mp.binomial(n, j) * mp.beta(j + m(a), n - j + m(b)) / mp.beta(m(a), m(b))
    return mp.fsum(p(j) for j in range(k + 1)), mp.fsum(p(j) for j in range(k + 1, n + 1))
for k, a, b in [(0, 3.9, 1.3), (-6, 3.9, 1.3), (14, 3.9, 1.3), (2, 0.25, 8), (-30, 0.25, 8), (5, 1e-3, 0.5), (-40, 90, 110), (60, 90, 110),
                (-150, 90, 110), (120, 90, 110), (35, 700, 650), (200, 700, 650), (-120, 700, 650), (9, 40, 1e-4), (55, 40, 1e-4)]:
    print("{0, %d, {%r, %r, 0}, %s, %s}," % (k, a, b, *[mp.nstr(v, 17) for v in skellam(k, a, b)]))
for k, n, a, b in [(3, 9, 2.3, 3.4), (0, 9, 2.3, 3.4), (8, 9, 2.3, 3.4), (0, 1, 0.5, 0.5), (40, 100, 0.3, 0.2), (2, 100, 20, 30), (80, 100, 20, 30),
                   (100, 300, 1, 1), (499, 500, 0.1, 4), (0, 500, 50, 3), (130, 400, 900, 1700), (190, 400, 900, 1700), (60, 400, 900, 1700)]:
    print("{1, %d, {%d, %r, %r}, %s, %s}," % (k, n, a, b, *[mp.nstr(v, 17) for v in beta_binomial(k, n, a, b)]))
