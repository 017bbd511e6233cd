# make-multirate.py - what SciPy says of rates, smoothing, waveforms and peaks:
#   python3 make-multirate.py > multirate.inc
# SciPy 1.17.1, NumPy 2
import math
from fractions import Fraction
import numpy as np
from scipy import signal

def numbers(v):
    return "{" + ", ".join(repr(float(x)) for x in np.ravel(v)) + "}"

def solve(a, b):
    m = [list(r) + [v] for r, v in zip(a, b)]
    for c in range(len(m)):
        p = next(r for r in range(c, len(m)) if m[r][c])
        m[c], m[p] = m[p], m[c]
        m[c] = [v / m[c][c] for v in m[c]]
        m = [m[r] if r == c else [u - m[r][c] * v for u, v in zip(m[r], m[c])] for r in range(len(m))]
    return [r[-1] for r in m]

def fitted(v, order, d, places, delta):
    """derivative d at places of the fit to v, in fractions: SciPy's ends lose up to 1e-9"""
    v = [Fraction(float(u)) for u in v]
    a = [[sum(Fraction(i) ** (j + k) for i in range(len(v))) for j in range(order + 1)] for k in range(order + 1)]
    c = solve(a, [sum(u * Fraction(i) ** k for i, u in enumerate(v)) for k in range(order + 1)])
    return [float(sum(c[k] * math.perm(k, d) * Fraction(t) ** (k - d) for k in range(d, order + 1)) / Fraction(delta) ** d)
            for t in places]

def savgol(x, w, o, d, delta):
    h = w // 2
    y = signal.savgol_filter(x, w, o, deriv=d, delta=delta)
    if h:
        y[:h] = fitted(x[:w], o, d, range(h), delta)
        y[-h:] = fitted(x[-w:], o, d, range(w - h, w), delta)
    return y

def array(name, v):
    print("static const double %s[] = %s;" % (name, numbers(v)))

rng = np.random.default_rng(25)
print("/* made by make-multirate.py: SciPy's numbers */")
x = np.round(rng.standard_normal(41), 3)
h = np.round(rng.standard_normal(13), 3)
array("rate_x", x)
array("rate_h", h)
print("static const struct { int up, down, taps, n; double want[200]; } scipy_upfirdn[] = {")
for up, down, taps in ((1, 1, 13), (2, 1, 13), (1, 3, 13), (3, 2, 13), (5, 7, 13), (4, 6, 13), (16, 15, 4), (2, 60, 13), (3, 4, 1)):
    y = signal.upfirdn(h[:taps], x, up, down)
    print("{%d, %d, %d, %d, %s}," % (up, down, taps, len(y), numbers(y)))
print("};")
print("static const struct { int up, down, taps, n; double want[140]; } scipy_resample_poly[] = {")
for up, down, taps in ((1, 1, 0), (2, 1, 0), (1, 3, 0), (3, 2, 0), (5, 7, 0), (10, 14, 0), (160, 147, 0), (1, 50, 0), (3, 2, 13), (2, 3, 12)):
    y = signal.resample_poly(x, up, down, window=h[:taps]) if taps else signal.resample_poly(x, up, down)
    print("{%d, %d, %d, %d, %s}," % (up, down, taps, len(y), numbers(y)))
print("};")
print("static const struct { int window, order, derivative; double delta; double coefficients[32], want[41]; } scipy_savgol[] = {")
for w, o, d, delta in ((5, 2, 0, 1), (7, 3, 1, 0.5), (11, 4, 2, 2), (1, 0, 0, 1), (9, 8, 3, 1), (41, 5, 1, 0.1), (5, 1, 3, 1)):
    print("{%d, %d, %d, %r, %s, %s}," % (w, o, d, delta, numbers(signal.savgol_coeffs(w, o, deriv=d, delta=delta, use="dot")[:32]),
          numbers(savgol(x, w, o, d, delta))))
print("};")
for w in (1, 3, 7):
    array("scipy_medfilt_%d" % w, signal.medfilt(x, w))
t = np.linspace(-1, 2.4, 15)
array("wave_t", t)
print("static const struct { int kind; double f0, t1, f1, phase, want[15]; } scipy_chirp[] = {")
for kind, name in enumerate(("linear", "quadratic", "logarithmic", "hyperbolic")):
    for f0, t1, f1, phase in ((0.7, 2.0, 1.9, 40.0), (2.5, 3.0, 0.5, 0.0), (1.5, 1.0, 1.5, 90.0)):
        y = signal.chirp(t, f0, t1, f1, method=name, phi=phase)
        print("{%d, %r, %r, %r, %r, %s}," % (kind, f0, t1, f1, float(np.deg2rad(phase)), numbers(y)))
print("};")
u = np.linspace(-7, 8, 15)
array("wave_u", u)
for k, duty in enumerate((0, 0.3, 1)):
    array("scipy_square_%d" % k, signal.square(u, duty))
    array("scipy_sawtooth_%d" % k, signal.sawtooth(u, duty))
array("scipy_gausspulse", signal.gausspulse(t, 3, 0.6, -5))
lt = np.sort(rng.uniform(0, 10, 30))
ly = np.sin(2.1 * lt) + 0.3 * rng.standard_normal(30)
lw = np.linspace(0.3, 5, 9)
array("lomb_t", lt)
array("lomb_y", ly)
array("lomb_w", lw)
array("scipy_lomb", signal.lombscargle(lt, ly, lw))
p = np.round(np.cumsum(rng.integers(-2, 3, 160)) + 3 * np.sin(np.arange(160) / 5.0), 1)
array("peak_x", p)
INF = 1e300
print("static const struct { int conditions; double height[2], threshold[2], prominence[2], plateau[2], width[2], distance; int window; "
      "double part; int n; double want[80], measured[480]; } scipy_peaks[] = {")
for c in ({}, {"height": (-5, 5)}, {"threshold": (0.5, 3)}, {"distance": 6.5}, {"prominence": (2, INF), "wlen": 31}, {"plateau_size": (2, 4)},
          {"width": (2, 9), "rel_height": 0.7}, {"height": (0, INF), "distance": 4, "prominence": (1, 9), "width": (1, 20)}):
    got, q = signal.find_peaks(p, **c)
    bits = sum(b for k, b in (("height", 1), ("threshold", 2), ("distance", 4), ("prominence", 8), ("plateau_size", 16), ("width", 32)) if k in c)
    pr = signal.peak_prominences(p, got, c.get("wlen"))
    wd = signal.peak_widths(p, got, c.get("rel_height", 0.5), prominence_data=pr)
    m = np.stack([pr[0], pr[1], pr[2], wd[0], wd[2], wd[3]], -1)
    r = lambda k: numbers(c.get(k, (0, 0)))
    print("{%d, %s, %s, %s, %s, %s, %r, %d, %r, %d, %s, %s}," % (bits, r("height"), r("threshold"), r("prominence"), r("plateau_size"), r("width"),
          float(c.get("distance", 1)), c.get("wlen", 0), float(c.get("rel_height", 0.5)), len(got), numbers(got), numbers(m)))
print("};")
