# make-mirrored.py - what SciPy says of mirrored filters, correlations of images, extrema, peaks over widths, roots that
# lie together, states, lags and placed poles:
#   python3 make-mirrored.py > mirrored.inc
# SciPy 1.17.1, NumPy 2
import numpy as np
from scipy import linalg, signal


def numbers(name, v):
    v = np.asarray(v)
    v = np.stack([v.real, v.imag], -1) if np.iscomplexobj(v) else v
    print("static const double mirrored_%s[] = {%s};" % (name, ", ".join(repr(float(x)) for x in np.ravel(v))))


print("/* made by make-mirrored.py: numbers of SciPy */")
rng = np.random.default_rng(31)
x = rng.standard_normal(60)
numbers("x", x)
numbers("order1", signal.symiirorder1(x, 0.7, -0.3, 1e-14))
m = rng.standard_normal((32, 28))
numbers("m", m)
numbers("cubic", signal.cspline2d(m, 0.0, 1e-13))
numbers("quadratic", signal.qspline2d(m, 0.0, 1e-13))
row, column = rng.standard_normal(5), rng.standard_normal(3)
numbers("row", row)
numbers("column", column)
numbers("separable", signal.sepfir2d(m[:6, :7], row, column))
numbers("bell", signal.gauss_spline(x, 3))

v = rng.standard_normal((2, 3)) + 1j * rng.standard_normal((2, 3))
numbers("kernel", v)
for mode in "full", "same", "valid":
    for edge in "fill", "symm", "wrap":
        numbers("correlate_%s_%s" % (mode, edge), signal.correlate2d(m[:4, :5], v, mode, edge))

steps = rng.integers(0, 5, 40)
numbers("steps", steps)
numbers("greater2", signal.argrelmax(steps, order=2)[0])
numbers("less1", signal.argrelmin(steps, order=1, mode="wrap")[0])
t = np.arange(200)
s = np.sin(t / 9) + 0.7 * np.sin(t / 23 + 1) + 0.1 * rng.standard_normal(200)
numbers("slow", s)
numbers("peaks", signal.find_peaks_cwt(s, np.arange(1, 15)))
numbers("peaks_clear", signal.find_peaks_cwt(s, np.arange(2, 20, 1.5), min_snr=2.5, noise_perc=25, gap_thresh=1,
                                             min_length=4, window_size=31, max_distances=np.arange(2, 20, 1.5) / 2))

p = np.round(rng.standard_normal(12)) + 1j * np.round(rng.standard_normal(12)) + 1e-4 * rng.standard_normal(12)
numbers("roots", p)
for name in "min", "max", "avg":
    u, n = signal.unique_roots(p, 1e-3, name)
    numbers("roots_" + name, u)
    numbers("times_" + name, n)
b, a, y, u = rng.standard_normal(4), rng.standard_normal(3), rng.standard_normal(5), rng.standard_normal(2)
for name, w in ("b", b), ("a", a), ("y", y), ("u", u):
    numbers("state_" + name, w)
numbers("state", signal.lfiltic(b, a, y, u))
numbers("state_still", signal.lfiltic(b, a, y))
for n, k in (7, 4), (4, 7), (5, 5), (6, 1):
    for mode in "full", "same", "valid":
        numbers("lags_%d_%d_%s" % (n, k, mode), signal.correlation_lags(n, k, mode))
numbers("circle_taps", signal.firwin(64, 0.4, fs=2))
numbers("circle", signal.firwin_2d((8, 6), "hamming", fc=0.4, circular=True))

# gains: of the iterations that both take the same vectors come out
A, B = rng.standard_normal((6, 6)), rng.standard_normal((6, 3))
numbers("a_matrix", A)
numbers("b_matrix", B)
real = np.array([-1.0, -2, -2.5, -0.5, -3, -1.5])
pairs = np.array([-1 + 2j, -1 - 2j, -0.3, -2, -0.5 + 1j, -0.5 - 1j])
numbers("real", real)
numbers("pairs", pairs)
for name, poles, method in ("yt", real, "YT"), ("knv", real, "KNV0"), ("yt_pairs", pairs, "YT"):
    numbers("gain_" + name, signal.place_poles(A, B, poles, method=method, rtol=1e-3, maxiter=30).gain_matrix)
