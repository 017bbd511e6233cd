# make-design.py - what SciPy says of filters that were designed:
#   python3 make-design.py > design.inc
# SciPy 1.17.1, NumPy 2
import numpy as np
from scipy import signal

def numbers(v):
    return "{" + ", ".join(repr(float(x)) for x in np.ravel(v)) + "}"

def pairs(v):
    v = np.asarray(v, complex)
    return numbers(np.stack([v.real, v.imag], -1))

W = np.linspace(0.05, 3.1, 9)
print("/* made by make-design.py: SciPy's numbers */")
print("static const double design_w[] = " + numbers(W) + ";")
print("static const struct { int family, band, order; double low, high, ripple, attenuation; "
      "int n; double gain, z[40], p[40], h[18]; } scipy_iir[] = {")
bands = [("lowpass", 0.23, 0), ("highpass", 0.6, 0), ("bandpass", 0.2, 0.55), ("bandstop", 0.3, 0.4)]
for family, (name, make) in enumerate([
        ("BUTTERWORTH", lambda n, w, b: signal.butter(n, w, b, output="zpk")),
        ("CHEBYSHEV", lambda n, w, b: signal.cheby1(n, 0.7, w, b, output="zpk")),
        ("INVERSE_CHEBYSHEV", lambda n, w, b: signal.cheby2(n, 45, w, b, output="zpk")),
        ("ELLIPTIC", lambda n, w, b: signal.ellip(n, 0.7, 45, w, b, output="zpk")),
        ("BESSEL", lambda n, w, b: signal.bessel(n, w, b, output="zpk"))]):
    for b, (band, lo, hi) in enumerate(bands):
        for n in (1, 2, 5, 8):
            z, p, k = make(n, [lo, hi] if hi else lo, band)
            h = k * np.prod(np.exp(1j * W)[:, None] - z, -1) / np.prod(np.exp(1j * W)[:, None] - p, -1)
            s = lambda v: pairs(sorted(v, key=lambda x: (round(x.real, 9), round(x.imag, 9))))
            print("{%d, %d, %d, %r, %r, 0.7, 45, %d, %r, %s, %s, %s}," % (family, b, n, lo, float(hi), len(p), float(k),
                  s(z), s(p), pairs(h)))
print("};")
print("static const struct { int taps, n; double edges[4]; bool stop_zero; double want[64]; } scipy_firwin[] = {")
for taps, edges, zero in ((21, [0.3], True), (22, [0.3], True), (21, [0.3], False), (33, [0.2, 0.6], False),
                          (33, [0.2, 0.6], True), (40, [0.1, 0.4, 0.7], True), (41, [0.1, 0.4, 0.7], False), (1, [0.5], True)):
    print("{%d, %d, %s, %s, %s}," % (taps, len(edges), numbers(edges), "false" if zero else "true",
          numbers(signal.firwin(taps, edges, pass_zero=zero))))
print("};")
print("static const struct { int taps, bands; double edges[6], desired[6], weights[3]; double want[64]; } scipy_firls[] = {")
for taps, e, d, w in ((21, [0, 0.3, 0.4, 1], [1, 1, 0, 0], [1, 1]), (33, [0, 0.2, 0.3, 0.5, 0.6, 1], [0, 0, 1, 1.5, 0, 0], [1, 4, 0.5]),
                      (1, [0, 1], [0.25, 0.75], [2])):
    print("{%d, %d, %s, %s, %s, %s}," % (taps, len(w), numbers(e), numbers(d), numbers(w), numbers(signal.firls(taps, e, d, weight=w))))
print("};")
b, a = signal.butter(4, 0.3)
print("static const double design_b[] = %s, design_a[] = %s;" % (numbers(b), numbers(a)))
print("static const double design_h[] = " + pairs(signal.freqz(b, a, W)[1]) + ";")
print("static const struct { int taps, bands; double edges[6], desired[3], weights[3], error, want[64]; } scipy_remez[] = {")
for taps, e, d, w in ((31, [0, 0.3, 0.4, 1], [1, 0], [1, 1]), (32, [0, 0.2, 0.35, 1], [1, 0], [1, 10]),
                      (45, [0, 0.2, 0.3, 0.5, 0.6, 1], [0, 1, 0], [2, 1, 2]), (64, [0, 0.45, 0.5, 0.95], [0.5, 1], [1, 1]),
                      (25, [0, 0.5, 0.7, 1], [0, 1], [1, 1])):
    h = signal.remez(taps, e, d, weight=w, fs=2, grid_density=64, maxiter=200)
    error = max(np.max(w[k] * np.abs(np.abs(signal.freqz(h, worN=np.pi * np.linspace(e[2 * k], e[2 * k + 1], 2000))[1]) - d[k]))
                for k in range(len(d)))
    print("{%d, %d, %s, %s, %s, %r, %s}," % (taps, len(d), numbers(e), numbers(d), numbers(w), float(error), numbers(h)))
print("};")
