"""Write accuracy.inc: values to 60 digits and more at the points where methods are weakest.

python3 make-accuracy.py > accuracy.inc        (needs mpmath and NumPy)
"""
import mpmath
import numpy
from mpmath import mp, mpf

mp.dps = 60
one = mpf(1)


def near(*points):
    """each point and its neighbours in f64"""
    out = []
    for p in points:
        p = float(p)
        out += [numpy.nextafter(p, -numpy.inf), p, numpy.nextafter(p, numpy.inf)]
    return [float(x) for x in out]


def lgamma(x):
    return mpmath.log(abs(mpmath.gamma(x)))


def log_ndtr(x):
    with mp.workdps(900 if x > 0 else 60):
        return mpmath.log(mpmath.erfc(-x / mpmath.sqrt(2)) / 2)


def ndtri(p):
    with mp.workdps(400):
        start = -mpmath.sqrt(-2 * mpmath.log(min(p, 1 - p)))
        q = min(p, 1 - p)
        f = lambda y: mpmath.log(mpmath.ncdf(y)) - mpmath.log(q)
        return mpmath.findroot(f, start) * (1 if p < 0.5 else -1) if p != 0.5 else mpf(0)


def gammainc(a, x):
    with mp.workdps(420):
        return mpmath.gammainc(a, 0, x, regularized=True)


def gammaincc(a, x):
    with mp.workdps(420):
        return 1 - mpmath.gammainc(a, 0, x, regularized=True)


def betainc(a, b, x):
    with mp.workdps(420):
        flip = x > a / (a + b)
        p, q, z = (b, a, 1 - x) if flip else (a, b, x)
        y = z ** p * (1 - z) ** q / (p * mpmath.beta(p, q)) * mpmath.hyp2f1(p + q, 1, p + 1, z)
        return 1 - y if flip else y


def logaddexp(a, b):
    with mp.workdps(900):
        return mpmath.log(mpmath.exp(a) + mpmath.exp(b))


roots = [mpmath.findroot(mpmath.digamma, r) for r in (1.46, -0.504, -1.573, -2.61, -9.7, -50.79)]
zeros = [mpmath.findroot(lgamma, r) for r in (-2.457, -2.7477, -3.1435, -9.9999997)]
third = [(a, float(mpmath.log(-mpmath.expm1(mpf(a))))) for a in (-0.1, -0.6, -1e-9, -1e-300)]
# op, order or -1, tolerance in units of the last place, function, arguments
ROWS = [
    ("log", -1, 4, mpmath.log, near(1, 2 ** 0.5, 0.5 ** 0.5) + [5e-324, 1.7e308]),
    ("log1p", -1, 4, mpmath.log1p, near(-0.29, 0.41) + [5e-324, -1e-300, 2.0 ** -53 - 1]),
    ("expm1", -1, 4, mpmath.expm1, near(0.35, -0.35, 709.78) + [5e-324, -37.5]),
    ("sin", -1, 4, mpmath.sin, near(mp.pi, 355, 1e22, 6381956970095103 * 2.0 ** 797)),
    ("cos", -1, 4, mpmath.cos, near(mp.pi / 2, 177.5, 1e22, 5e-324)),
    ("tan", -1, 4, mpmath.tan, near(mp.pi / 2, mp.pi, 0.785398, 1e22)),
    ("acosh", -1, 4, mpmath.acosh, near(1.0000000000000004, 2)),
    ("sinh", -1, 4, mpmath.sinh, near(0.82, 22, 710.47)),
    ("cosh", -1, 4, mpmath.cosh, near(0.346, 22, 710.47)),
    ("logit", -1, 4, lambda x: mpmath.log(x / (1 - x)), near(0.25, 0.5, 0.75, 1e-300)),
    ("logaddexp2", -1, 4, lambda a, b: mpmath.log(2 ** a + 2 ** b, 2),
     [(-1 + d, -1 - d) for d in (1e-15, 1e-8, 0.125)]),
    ("logaddexp", -1, 4, logaddexp, third + [(-0.6931471805599453,) * 2]),
    ("erfcx", 0, 16, lambda x: mpmath.exp(x * x) * mpmath.erfc(x), near(-26, 0, 3.75, 28) + [100.]),
    ("ndtr", -1, 16, mpmath.ncdf, near(-37, -10, -1, 1)),
    ("log_ndtr", -1, 16, log_ndtr, near(-1e4, -38, -1, 8, 17, 37)),
    ("ndtri", -1, 16, ndtri, near(1e-300, 1e-11, 0.075, 0.925) + [0.5 - 2 ** -54, 0.5 + 2 ** -53]),
    ("lgamma", -1, 16, lgamma, near(1, 2, *zeros) + [1e-300, 1e30]),
    ("digamma", -1, 64, mpmath.digamma, near(1.2, 1.75, 10, *roots) + [1e-300, 1e30]),
    ("polygamma", 1, 16, lambda x: mpmath.psi(1, x), near(1, 12.5, -1.5) + [1e-100, 1e200]),
    ("polygamma", 5, 32, lambda x: mpmath.psi(5, x), near(1, 12.5) + [1e-50, 1e50]),
    ("zeta", -1, 64, lambda s, q: mpmath.zeta(s, q),
     [(1 + 2 ** -40, 0.5), (1.5, 1e-9), (2., 1.), (2., 1e200), (95., 105.), (61., 44.)]),
    ("gammainc", -1, 128, gammainc,
     [(1e-3, 1e-300), (1., 1.1), (160., 300.), (100., 20.), (999., 1000.), (1001., 1000.),
      (1001., 700.), (5000., 4300.), (2400., 1000.)]),
    ("gammaincc", -1, 128, gammaincc,
     [(1e-3, 1e-3), (1e-90, 1.), (1., 700.), (160., 300.), (999., 1000.), (1001., 1000.),
      (870., 2330.), (5000., 6000.)]),
    ("betainc", -1, 128, betainc,
     [(1., 1e-3, 0.9999), (20., 2.7e-4, 0.9999997), (0.037, 1.7e-16, 0.99957), (1e-55, 800., 1e-3),
      (5e-4, 1000., 1e-4), (967., 831., 0.5377), (1000., 1e-9, 0.9995), (300., 0.3, 0.1),
      (50., 60., 2.0 ** -20), (1.01, 200., 1e-305), (1000., 1000., 0.3), (1000., 700., 0.2), (500., 1., 0.26)]),
    ("gamma_d", -1, 256, lambda a, x: x ** (a - 1) * mpmath.exp(-x) / mpmath.gamma(a),
     [(2.5, 3e-174), (1000., 1.2e-307), (4.3, 705.), (2400., 1000.), (1e-9, 1e-300), (0.5, 1e-309),
      (1e-3, 5.3e-310)]),
    ("beta_d", -1, 256, lambda a, b, x: x ** (a - 1) * (1 - x) ** (b - 1) / mpmath.beta(a, b),
     [(1., 200., 5e-324), (1.1, 200., 5e-324), (2.4, 74.5, 3.6e-189), (1e-3, 21., 1 - 2.0 ** -48),
      (700., 900., 0.6), (1e-3, 1.662, 5.3e-310), (1e-3, 200., 5.3e-310), (1e-300, 1.5, 5.3e-310)]),
]

print("/* Written by make-accuracy.py: mpmath", mpmath.__version__, "*/")
print("/* clang-format off */")
print("static const struct {\n    const char *op;\n    int order, n;\n    double ulp, x[3], value, "
      "rest;\n} points[] = {")
for op, order, ulp, f, arguments in ROWS:
    for x in arguments:
        x = x if isinstance(x, tuple) else (x,)
        y = f(*(mpf(v) for v in x))
        high = float(y)
        print('    {"%s", %d, %d, %d, {%s}, %s, %s},' % (
            op, order, len(x), ulp, ", ".join(v.hex() for v in x), high.hex(),
            float(y - mpf(high)).hex()))
print("};")

# of complex numbers: |have - want| in units of the last place of |want|
def sigmoid(z):
    return 1 / (1 + mpmath.exp(-z))


COMPLEX = [
    ("log1p", lambda z: mpmath.log1p(z),
     [0.23338339576231182 + 0.12002303317828972j, -0.353914 + 0.02857j, -0.5 + 0.5j, 1.9 + 1.2j,
      -1.5 + 1e-9j, -1 + 1e-300j, 1e-12 - 1e-6j, -0.29289321881345254 + 1e-3j, 1e200 + 1e200j,
      -1e300 + 3e-5j]),
    ("exp2", lambda z: mpmath.mpf(2) ** z,
     [-3.8638603948975993e-10 + 14.117988907492904j, 0.5 + 4.532360141827194j, 3 + 1000.25j,
      -1000 + 60.671204039266598j, -1e-16 - 2.2661800709135966j]),
    ("sigmoid", sigmoid,
     [-6.3398501155155408e-14 - 78.53978591775423j, 1e-12 + 3.141592653589793j,
      -1e-3 - 9.42477796j, -1.5 + 3.2j, -7.66 - 9.55j, -30 + 2j, 700 + 1j, -600 + 3j]),
]
print("\nstatic const struct {\n    const char *op;\n    double x[2], value[2], rest[2];\n} complex_points[] = {")
for op, f, arguments in COMPLEX:
    for z in arguments:
        y = f(mpmath.mpc(z))
        parts = [(float(v), float(v - mpf(float(v)))) for v in (y.real, y.imag)]
        print('    {"%s", {%s, %s}, {%s, %s}, {%s, %s}},' % (
            op, z.real.hex(), z.imag.hex(), parts[0][0].hex(), parts[1][0].hex(),
            parts[0][1].hex(), parts[1][1].hex()))
print("};")
