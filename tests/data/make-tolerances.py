# make-tolerances.py - what SciPy says of orders of filters, filters from gains, gammatone filters, sequences and splines:
#   python3 make-tolerances.py > tolerances.inc
# SciPy 1.17.1, NumPy 2
import warnings

import numpy as np
from scipy import ndimage, signal

warnings.filterwarnings("ignore")


def numbers(name, v):
    v = np.asarray(v)
    print("static const double tolerances_%s[] = {%s};" % (name, ", ".join(repr(float(x)) for x in np.ravel(v))))


print("/* made by make-tolerances.py: numbers of SciPy */")
# family, band, pass edges, stop edges, rate, ripple, attenuation: order, low, high
orders = [signal.buttord, signal.cheb1ord, signal.cheb2ord, signal.ellipord]
bands = [((0.2, 0), (0.31, 0)), ((0.4, 0), (0.25, 0)), ((0.3, 0.5), (0.2, 0.63)), ((0.15, 0.62), (0.3, 0.41)),
         ((0.1, 0.5), (0.3, 0.41))]
rows = []
for f, order in enumerate(orders):
    for b, (p, s) in enumerate(bands):
        for rate, ripple, stop in ((2, 1, 40), (44100, 0.1, 63)):
            two = b > 1
            u, v = [np.array(e[:2] if two else e[:1]) * rate / 2 for e in (p, s)]
            n, w = order(u if two else u[0], v if two else v[0], ripple, stop, fs=rate)
            w = np.atleast_1d(w)
            rows += [[f, min(b, 3), u[0], u[1] if two else 0, v[0], v[1] if two else 0, rate, ripple, stop, n, w[0],
                      w[1] if two else 0]]
numbers("orders", rows)
numbers("kaiser", [[a, w, *signal.kaiserord(a, w)] for a in (8, 21, 30.5, 50, 65, 200) for w in (0.01, 0.3)])

numbers("sampled", signal.firwin2(23, [0, 0.3, 0.3, 0.7, 1], [1, 1, 0.5, 0.2, 0]))
numbers("sampled_even", signal.firwin2(16, [0, 200, 500], [0.3, 1, 0], fs=1000))
numbers("sampled_odd", signal.firwin2(15, [0, 0.5, 1], [0, 1, 0], antisymmetric=True))
numbers("sampled_both", signal.firwin2(16, [0, 1], [0, 1], antisymmetric=True, window=None))
for name, kw in (("gammatone", dict(ftype="iir")), ("gammatone_6", dict(ftype="fir", order=6, numtaps=30))):
    b, a = signal.gammatone(440, fs=16000, **kw)
    numbers(name + "_b", b)
    numbers(name + "_a", a)
seq = []
for bits in (2, 3, 5, 8, 11):
    seq += list(signal.max_len_seq(bits)[0])
numbers("sequence", seq)
s, state = signal.max_len_seq(30, state=[1, 0] * 15, length=100)
numbers("sequence_30", s)
numbers("state_30", state)
t = np.linspace(0, 3, 25)
numbers("sweep", signal.sweep_poly(t, np.poly1d([0.2, -0.5, 1.5, 2]), phi=40))
rng = np.random.default_rng(26)
e = np.sort(rng.uniform(0, 10, 13))
numbers("events", e)
s, p = signal.vectorstrength(e, [0.7, 1.3, 4])
numbers("strength", s)
numbers("phase", p)
x = rng.standard_normal((2, 9))
at = np.array([0, 0.3, 2, 3.5, 7.999, 8, 8.4, -0.7, 20.3, -31.2])
numbers("samples", x)
numbers("places", at)
for k in (2, 3):
    c = ndimage.spline_filter1d(x, k, axis=-1, mode="mirror")
    numbers("weights_%d" % k, c)
    numbers("values_%d" % k, [ndimage.map_coordinates(r, at[None], order=k, mode="mirror", prefilter=False) for r in c])
