# make-wavelets.py - what PyWavelets and SciPy say of wavelets, periodograms and steady states:
#   python3 make-wavelets.py > wavelets.inc
# PyWavelets 1.8, SciPy 1.17.1, NumPy 2
import numpy as np
import pywt
from scipy import signal

def numbers(v):
    return "{" + ", ".join("%.17g" % x for x in np.ravel(v)) + "}"

def array(name, v):
    print("static const double %s[] = %s;" % (name, numbers(v)))

rng = np.random.default_rng(26)
x = np.round(rng.standard_normal(48), 3)
print("/* made by make-wavelets.py: numbers of PyWavelets and SciPy */")
array("wavelet_x", x)
print("static const struct { int family, order, levels; double want[48]; } pywt_cases[] = {")
for family, order, name in [(0, k, "db%d" % k) for k in range(1, 11)] + [(1, 0, "bior2.2"), (2, 0, "bior4.4")]:
    for levels in (1, 2, 4):
        a, out = x, []
        for _ in range(levels):
            a, d = pywt.dwt(a, name, mode="periodization")
            out.insert(0, d)
        print("{%d, %d, %d, %s}," % (family, order, levels, numbers(np.concatenate([a] + out))))
print("};")
array("periodogram_density", signal.periodogram(x, fs=20.0)[1])
array("periodogram_spectrum", signal.periodogram(x[:47], fs=20.0, window="hann", scaling="spectrum", detrend=False)[1])
b, a = [0.3, -0.2, 0.5], [2.0, -0.6, 0.3, 0.1]
array("steady_long", signal.lfilter_zi(b, a))
array("steady_short", signal.lfilter_zi([1.0, 0.5, 0.25, 2.0], [1.0, -0.4]))
