# make-systems.py - what SciPy says of linear time-invariant systems:
#   python3 make-systems.py > systems.inc
# SciPy 1.17.1, NumPy 2
import numpy as np
from scipy import signal

def numbers(v):
    return "{" + ", ".join(repr(float(x)) for x in np.ravel(v)) + "}"

def array(name, v):
    print("static const double systems_%s[] = %s;" % (name, numbers(v)))

def pairs(v):
    v = np.asarray(v, complex)
    return np.stack([v.real, v.imag], -1)

print("/* made by make-systems.py: SciPy's numbers */")
w = np.linspace(0.05, 3.1, 9)
array("w", w)
# a filter of order 5, and an analog one
b, a = signal.cheby1(5, 0.7, 0.35)
z, p, k = signal.tf2zpk(b, a)
array("b", b)
array("a", a)
order = lambda v: sorted(v, key=lambda x: (round(x.real, 9), round(x.imag, 9)))
array("z", pairs(order(z)))
array("p", pairs(order(p)))
array("k", [k])
array("h", pairs(signal.freqz(b, a, w)[1]))
array("delay", signal.group_delay((b, a), w)[1])
bs, as_ = [1.0, 3.0], [2.0, 1.2, 5.0, 0.5]
array("bs", bs)
array("as", as_)
array("hs", pairs(signal.freqs(bs, as_, w)[1]))
array("bilinear_b", signal.bilinear(bs, as_, 3.0)[0])
array("bilinear_a", signal.bilinear(bs, as_, 3.0)[1])
zb, pb, kb = signal.bilinear_zpk(*signal.tf2zpk(bs, as_), 3.0)
array("bilinear_z", pairs(order(zb)))
array("bilinear_p", pairs(order(pb)))
array("bilinear_k", [np.real(kb)])
for name, f in (("low", lambda: signal.lp2lp(bs, as_, 1.7)), ("high", lambda: signal.lp2hp(bs, as_, 1.7)),
                ("pass", lambda: signal.lp2bp(bs, as_, np.sqrt(1.7 * 4), 4 - 1.7)),
                ("stop", lambda: signal.lp2bs(bs, as_, np.sqrt(1.7 * 4), 4 - 1.7))):
    bt, at = f()
    array("h_" + name, pairs(signal.freqs(bt, at, w)[1]))
# state space
A, B, C, D = signal.tf2ss([1.0, 2.0, 3.0], [2.0, 3.0, 1.0, 0.5])
for name, m in zip("ABCD", (A, B, C, D)):
    array("canonical_" + name, m)
A = np.array([[-0.5, 1.0, 0.2], [-1.0, -0.4, 0.3], [0.1, -0.2, -0.7]])
B = np.array([[1.0, 0.5], [0.0, -1.0], [0.4, 0.3]])
C = np.array([[1.0, 0.0, -1.0], [0.2, 0.7, 0.5]])
D = np.array([[0.0, 0.3], [0.1, -0.2]])
for name, m in zip("ABCD", (A, B, C, D)):
    array("m" + name, m)
num = [signal.ss2tf(A, B, C, D, j) for j in range(2)]
array("num", np.stack([num[0][0], num[1][0]], 1))
array("den", num[0][1])
array("h_state", pairs([C @ np.linalg.solve(1j * x * np.eye(3) - A, B) + D for x in w]))
for name, method, alpha in (("zoh", "zoh", None), ("foh", "foh", None), ("gbt", "gbt", 0.3), ("impulse", "impulse", None)):
    d = np.zeros((2, 2)) if method == "impulse" else D
    out = signal.cont2discrete((A, B, C, d), 0.25, method=method, alpha=alpha)
    for letter, m in zip("ABCD", out):
        array(name + "_" + letter, m)
# time
n = 13
t = np.arange(n)
u = np.stack([np.sin(0.7 * t + 0.2), 0.1 * t - 0.4])
x0 = np.array([0.3, -0.2, 1.0])
array("u", u)
array("x0", x0)
Ad, Bd, Cd, Dd, _ = signal.cont2discrete((A, B, C, D), 0.25)
_, y, x = signal.dlsim((Ad, Bd, Cd, Dd, 1.0), u.T, x0=x0)
array("dlsim_y", y.T)
array("dlsim_x", x.T)
for name, interp in (("zero", False), ("first", True)):
    _, y, x = signal.lsim((A, B, C, D), u.T, t * 0.25, X0=x0, interp=interp)
    array("lsim_y_" + name, y.T)
    array("lsim_x_" + name, x.T)
y = np.zeros((2, 2, n))
s = np.zeros((2, 2, n))
for j in range(2):
    for i in range(2):
        y[i, j] = signal.impulse((A, B[:, j:j + 1], C[i:i + 1], [[0.0]]), T=t * 0.25)[1]
        s[i, j] = signal.step((A, B[:, j:j + 1], C[i:i + 1], D[i:i + 1, j:j + 1]), T=t * 0.25)[1]
array("impulse", y)
array("step", s)
array("dimpulse", np.stack([v.T for v in signal.dimpulse((Ad, Bd, Cd, Dd, 1.0), n=n)[1]], 1))
array("dstep", np.stack([v.T for v in signal.dstep((Ad, Bd, Cd, Dd, 1.0), n=n)[1]], 1))
# partial fractions; division
rb, ra = [1.0, 0.0, 2.0, -1.0, 3.0], [2.0, 3.0, 4.0, 1.0]
r, pr, kr = signal.residue(rb, ra)
i = sorted(range(len(pr)), key=lambda j: (round(pr[j].real, 9), round(pr[j].imag, 9)))
array("residue_r", pairs(r[i]))
array("residue_p", pairs(pr[i]))
array("residue_k", kr)
q, rem = signal.deconvolve([1.0, -2.0, 0.5, 3.0, 1.0, -1.0], [2.0, 1.0, -0.5])
array("quotient", q)
array("remainder", rem)
