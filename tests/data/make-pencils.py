#!/usr/bin/env python3
# make-pencils.py - SciPy's and mpmath's numbers for the tests of linear algebra: make-pencils.py >pencils.inc
# (SciPy 1.17, mpmath 1.3)
import numpy as np, scipy.linalg as la, mpmath as mp

rng = np.random.default_rng(7)
def grid(*shape):
    return rng.integers(-40, 41, shape) / 16.0
def put(name, x):
    print("static const double %s[] = {%s};" % (name, ", ".join(repr(float(v)) for v in np.ravel(x))))

print("/* made by make-pencils.py: numbers of SciPy and mpmath */")
a, b = grid(4, 4), grid(4, 4)
w = la.eig(a, b, right=False)
print("#ifdef DATA_PENCILS")
put("pencils_a", a); put("pencils_b", b); put("pencils_w_re", w.real); put("pencils_w_im", w.imag)
print("#endif\n#ifdef DATA_LEAST_SQUARES")

# least squares of rank 3 in 6 by 5, two right-hand sides
left, right = grid(6, 3), grid(3, 5)
a, b = left @ right, grid(6, 2)
x, _, rank, s = la.lstsq(a, b, cond=1e-12)
assert rank == 3
put("lstsq_a", a); put("lstsq_b", b); put("lstsq_x", x); put("lstsq_s", s)
# equality constraints, and a general linear model
a, c, b, d = grid(6, 4), grid(6), grid(2, 4), grid(2)
x = la.lapack.dgglse(a, b, c, d)[3]
put("gglse_a", a); put("gglse_c", c); put("gglse_b", b); put("gglse_d", d); put("gglse_x", x)
a, b, d = grid(5, 2), grid(5, 4), grid(5)
k = np.block([[np.eye(4), np.zeros((4, 2)), b.T], [np.zeros((2, 6)), a.T], [b, a, np.zeros((5, 5))]])
z = la.solve(k, np.concatenate([np.zeros(6), d]))  # of the conditions of Karush, Kuhn and Tucker
put("ggglm_a", a); put("ggglm_b", b); put("ggglm_d", d); put("ggglm_x", z[4:6]); put("ggglm_y", z[:4])
print("#endif\n#ifdef DATA_FUNCTIONS")

# functions of matrices: a generic one, one of Jordan's blocks, one with values near each other
mp.mp.dps = 40
def function(f, a):
    return f(mp.matrix(a.tolist()))
def cosh2(m):
    return mp.expm(m) * 2 + mp.cosm(m)
names = {"exp": mp.expm, "cos": mp.cosm, "mix": cosh2}
cases = {"plain": grid(4, 4), "jordan": np.array([[1.5, 1, 0, 0], [0, 1.5, 1, 0], [0, 0, 1.5, 0.5], [0, 0, 0, -0.5]]),
         "near": np.array([[1, 2, -1], [0, 1.0625, 3], [0, 0, 1.125]]) }
t = grid(3, 3)
cases["near"] = t @ cases["near"] @ la.inv(t)
for c, m in cases.items():
    put("funm_%s" % c, m)
    for f, g in names.items():
        y = function(g, m)
        put("funm_%s_%s" % (c, f), [mp.re(y[i, j]) for i in range(m.shape[0]) for j in range(m.shape[0])])
put("expm_cond", [la.expm_cond(cases["plain"])])
print("#endif")
