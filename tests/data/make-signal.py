# make-signal.py - what SciPy says of windows, filters and short-time transforms:
#   python3 make-signal.py > signal.inc
# SciPy 1.17.1, NumPy 2
import numpy as np
from scipy import signal

def numbers(v):
    return "{" + ", ".join(repr(float(x)) for x in np.ravel(v)) + "}"

def row(name, *fields):
    print("{" + ", ".join(fields) + "},")

print("/* made by make-signal.py: SciPy's numbers */")
print("static const struct { agn_window kind; int n; bool symmetric; int n_params; double params[5]; "
      "double want[64]; } scipy_windows[] = {")
kinds = [("HANN", "hann", ()), ("BOXCAR", "boxcar", ()), ("TRIANGLE", "triang", ()),
         ("BARTLETT", "bartlett", ()), ("HAMMING", "hamming", ()), ("BLACKMAN", "blackman", ()),
         ("BLACKMAN_HARRIS", "blackmanharris", ()), ("NUTTALL", "nuttall", ()), ("FLAT_TOP", "flattop", ()),
         ("BARTLETT_HANN", "barthann", ()), ("BOHMAN", "bohman", ()), ("COSINE", "cosine", ()),
         ("PARZEN", "parzen", ()), ("LANCZOS", "lanczos", ()), ("EXPONENTIAL", "exponential", (3.5,)),
         ("GAUSSIAN", "gaussian", (2.3,)), ("GENERAL_GAUSSIAN", "general_gaussian", (1.7, 3.1)),
         ("GENERAL_COSINE", "general_cosine", (0.5, 0.3, 0.15, 0.05)),
         ("GENERAL_HAMMING", "general_hamming", (0.6,)), ("TUKEY", "tukey", (0.4,)), ("TUKEY", "tukey", (1.0,)),
         ("KAISER", "kaiser", (8.6,)), ("KAISER_DERIVED", "kaiser_bessel_derived", (4.2,)),
         ("TAYLOR", "taylor", (4, 30, 1)), ("TAYLOR", "taylor", (6, 45, 0)),
         ("CHEBYSHEV", "chebwin", (60,)), ("SLEPIAN", "dpss", (2.5,))]
for kind, name, p in kinds:
    for n in (8, 13, 32):
        for sym in (True, False):
            if kind == "KAISER_DERIVED" and (n % 2 or not sym):
                continue
            if kind == "GENERAL_COSINE":
                w = signal.windows.general_cosine(n, p, sym)
            elif kind == "EXPONENTIAL":
                w = signal.windows.exponential(n, None, p[0], sym)
            elif kind == "TAYLOR":
                w = signal.windows.taylor(n, int(p[0]), p[1], bool(p[2]), sym)
            else:
                w = getattr(signal.windows, name)(n, *p, sym=sym)
            row(kind, "AGN_WINDOW_" + kind, str(n), "true" if sym else "false", str(len(p)), numbers(p or (0,)),
                numbers(w))
print("};")

rng = np.random.default_rng(24)
print("static const struct { int n, nb, na; double b[8], a[8], x[48], zi[8], y[48], yi[48], zf[8], back[48]; } "
      "scipy_filters[] = {")
for nb, na in ((1, 1), (3, 1), (1, 3), (3, 3), (2, 5), (5, 4)):
    n = 40
    b = rng.standard_normal(nb)
    a = np.atleast_1d(np.real(np.poly(0.8 * np.exp(1j * rng.uniform(0, 3, na - 1)) * rng.uniform(0.3, 1, na - 1))))
    a = np.concatenate([[1.0], a[1:] * 0.5]) * 1.7
    x = rng.standard_normal(n)
    m = max(nb, na) - 1
    zi = rng.standard_normal(m)
    yi, zf = signal.lfilter(b, a, x, zi=zi) if m else (signal.lfilter(b, a, x), np.zeros(0))
    back = signal.filtfilt(b, a, x) if m else x * (b[0] / a[0]) ** 2
    row("f", str(n), str(nb), str(na), numbers(b), numbers(a), numbers(x), numbers(zi if m else [0]),
        numbers(signal.lfilter(b, a, x)), numbers(yi), numbers(zf if m else [0]), numbers(back))
print("};")
sos = signal.butter(5, [0.2, 0.5], "bandpass", output="sos")
x = rng.standard_normal(40)
print("static const double scipy_sos[] = " + numbers(sos) + ";")
print("static const double scipy_sos_x[] = " + numbers(x) + ";")
print("static const double scipy_sos_y[] = " + numbers(signal.sosfilt(sos, x)) + ";")
x = rng.standard_normal(120)
y = np.convolve(x, [0.5, 0.3], "same") + 0.2 * rng.standard_normal(120)
print("static const double scipy_wx[] = " + numbers(x) + ";")
print("static const double scipy_wy[] = " + numbers(y) + ";")
for name, n, hop, scaling in (("even", 32, 16, "density"), ("odd", 25, 10, "spectrum")):
    k = dict(fs=40.0, nperseg=n, noverlap=n - hop)
    print("static const double scipy_welch_" + name + "[] = " + numbers(signal.welch(x, scaling=scaling, **k)[1]) + ";")
    c = signal.csd(x, y, scaling=scaling, **k)[1]
    print("static const double scipy_csd_" + name + "[] = " + numbers(np.stack([c.real, c.imag], -1)) + ";")
    print("static const double scipy_coherence_" + name + "[] = " + numbers(signal.coherence(x, y, **k)[1]) + ";")
for n in (12, 13):
    h = signal.hilbert(x[:n])
    print("static const double scipy_hilbert_%d[] = " % n + numbers(np.stack([h.real, h.imag], -1)) + ";")
    print("static const double scipy_detrend_%d[] = " % n + numbers(signal.detrend(x[:n])) + ";")
    for m in (7, 8, 12, 13, 20, 21):
        print("static const double scipy_resample_%d_%d[] = " % (n, m) + numbers(signal.resample(x[:n], m)) + ";")
