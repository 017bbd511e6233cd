#!/usr/bin/env python3
# make-special-points.py - arguments drawn in the boxes of special functions and their values by mpmath, for bench/accuracy-special:
#   make-special-points.py COUNT [SEED] [NAME ...] | bench/accuracy-special        (mpmath 1.3)
# A line: function, attribute, number of arguments, these, value, amplitude (0: of the value itself).
# make-special-points.py COUNT SEED --rows NAME ... writes rows of C instead: tests/data/hypergeometric.inc is of 25, 7 and the names
# from spherical_jn on, without those of *_order.
import math
import random
import sys
from fractions import Fraction
from mpmath import mp, mpf, mpc
import mpmath

mp.dps = 50
R = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)


def lin(a, b): return lambda: R.uniform(a, b)
def log(a, b): return lambda: 10 ** R.uniform(mpmath.log10(a), mpmath.log10(b))
def both(f): return lambda: R.choice((-1, 1)) * f()
def of(*values): return lambda: R.choice(values)
def mix(*f): return lambda: R.choice(f)()
def less(f): return lambda: 1 - f()
def whole(a, b): return lambda: R.randint(a, b)


def bessel(f, second=None):
    def value(v, x):
        with mp.workdps(120):
            y = f(mpf(v), mpf(x))
            if second is None:
                return y, 0
            z = second(mpf(v), mpf(x))
            return y, (mpmath.sqrt(y * y + z * z) if x > abs(v) or v < 0 else 0)
    return value


def wide(f):
    def value(*x):
        with mp.workdps(120):
            return f(*(mpf(t) if isinstance(t, float) else t for t in x)), 0
    return value


def owen(h, a):
    return mpmath.quad(lambda t: mpmath.exp(-h * h * (1 + t * t) / 2) / (1 + t * t), mpmath.linspace(0, a, 9)) / (2 * mp.pi)


def dawson(x):
    return mpmath.sqrt(mp.pi) / 2 * mpmath.exp(-x * x) * mpmath.erfi(x)


def w_real(x, y):
    z = mpc(x, y)
    w = mpmath.exp(-z * z) * mpmath.erfc(-1j * z)
    return w.real, abs(w)


def airy(second, slope):
    def value(x):
        a, b = mpmath.airyai(x, derivative=slope), mpmath.airybi(x, derivative=slope)
        return (b if second else a), (mpmath.sqrt(a * a + b * b) if x < 0 else 0)
    return value


def spherical(kind):
    def value(n, x):
        with mp.workdps(150):
            v, x = n + mpf(1) / 2, mpf(x)
            r = mpmath.sqrt(mp.pi / (2 * x))
            f = (mpmath.besselj, mpmath.bessely, mpmath.besseli, mpmath.besselk)
            y = r * f[kind](v, x)
            return y, (mpmath.sqrt(y * y + (r * f[1 - kind](v, x)) ** 2) if kind < 2 and x > v else 0)
    return value


def struve(v, x):
    with mp.workdps(150):
        y = mpmath.struveh(mpf(v), mpf(x))
        return y, (max(abs(y), mpmath.sqrt(2 / (mp.pi * x))) if x > v else 0)


def jacobi(kind):
    def value(u, m):
        u, m = mpf(u), mpf(m)
        if kind == 'am':
            with mp.workdps(60):
                s, c = mpmath.ellipfun('sn', u, m=m), mpmath.ellipfun('cn', u, m=m)
                turns = mpmath.nint(u / (2 * mpmath.ellipk(m).real))
                y = mpmath.atan2((-1) ** int(turns) * mpmath.re(s), (-1) ** int(turns) * mpmath.re(c)) + turns * mp.pi
        else:
            y = mpmath.ellipfun(kind, u, m=m)
        steep = max(1, 1 - m) if kind == 'dn' else max(1, mpmath.sqrt(1 - m))  # what a rounding of u does
        return mpmath.mpmathify(y).real, (0 if kind == 'am' else 1 + abs(u) * steep)
    return value


def tricomi(a, b, x):
    with mp.workdps(120):
        return mpmath.hyperu(mpf(a), mpf(b), mpf(x)), 0


def polynomial(f, scale=1):
    def value(n, x):
        with mp.workdps(120):
            return f(n, mpf(x)), scale
    return value


def elliptic(f):
    return lambda *x: (f(*(mpf(t) for t in x)).real, 0)


def legendre(k, x):
    v = mpmath.legenp(k // 1000, k % 1000, mpf(x), type=2).real
    return v, max(abs(v), mpmath.sqrt(mpmath.factorial(k // 1000 + k % 1000) / mpmath.factorial(k // 1000 - k % 1000) / (k // 1000 + 1)))


def harmonic(k, t, f):
    return mpmath.spherharm(k // 1000, k % 1000, mpf(t), mpf(f)).real, mpmath.sqrt((2 * (k // 1000) + 1) / (4 * mp.pi))


def degree_and_order(most):
    def draw():
        n = R.randint(0, most)
        return 1000 * n + R.randint(0, n)
    return draw


def wigner(*j):  # Racah's sum, exact
    (a, b, c), (d, e, g) = j[:3], j[3:]

    def fac(n):
        return math.factorial(n // 2)
    size = Fraction(fac(a + b - c) * fac(a - b + c) * fac(b + c - a), fac(a + b + c + 2))
    for p, q in ((a, d), (b, e), (c, g)):
        size *= fac(p + q) * fac(p - q)
    total = Fraction(0)
    for t in range((a + b + c) // 2 + 1):
        n = [t, (c - b + d) // 2 + t, (c - a - e) // 2 + t, (a + b - c) // 2 - t, (a - d) // 2 - t, (b + e) // 2 - t]
        if min(n) >= 0:
            total += Fraction((-1) ** t, math.prod(math.factorial(m) for m in n))
    return (-1) ** ((a - b - g) // 2 % 2) * mpmath.sqrt(mpf(size.numerator) / size.denominator) \
        * (mpf(total.numerator) / total.denominator)


def coupling(*unused):
    while True:
        b, c = R.randint(0, 60), R.randint(0, 60)
        a = R.randrange(abs(b - c), b + c + 1, 2)
        d, e = R.randrange(-a, a + 1, 2), R.randrange(-b, b + 1, 2)
        if abs(d + e) <= c:
            j = a, b, c, d, e, -d - e
            others = (wigner(k, *j[1:]) for k in range(max(abs(b - c), abs(d)), b + c + 1, 2))
            return j, wigner(*j), max(abs(v) for v in others)


def order_slope(kind):
    f = {'J': mpmath.besselj, 'Y': mpmath.bessely, 'I': mpmath.besseli}[kind]

    def value(k, v, x):
        with mp.workdps(60):
            h = mpf(10) ** -8
            g = lambda u: f(u, mpf(x))
            y = mpmath.diff(g, mpf(v), k)
            size = 0
            if kind != 'I' and x > v:
                with mp.workdps(40):
                    size = mpmath.sqrt(2 / (mp.pi * x)) * max(1, mpmath.log(2 * x / (v + 1)), mp.pi / 2) ** k
            return y, size
    return value


P = {  # name: value, samplers; the first of whole numbers is an attribute
    'airy_ai': (airy(0, 0), mix(lin(-1e3, 100), lin(-10, 10))), 'airy_aip': (airy(0, 1), mix(lin(-1e3, 100), lin(-10, 10))),
    'airy_bi': (airy(1, 0), mix(lin(-1e3, 100), lin(-10, 10))), 'airy_bip': (airy(1, 1), mix(lin(-1e3, 100), lin(-10, 10))),
    'jv': (bessel(mpmath.besselj, mpmath.bessely), mix(lin(-20, 20), lin(0, 300)), mix(log(1e-3, 1), lin(0, 60), log(1, 1e3))),
    'yv': (bessel(mpmath.bessely, mpmath.besselj), mix(lin(-20, 20), lin(0, 300)), mix(log(1e-3, 1), lin(0, 60), log(1, 1e3))),
    'iv': (bessel(mpmath.besseli), mix(lin(0, 20), lin(0, 300)), mix(log(1e-3, 1), lin(0, 60), log(1, 600))),
    'kv': (bessel(mpmath.besselk), mix(lin(-20, 20), lin(0, 300)), mix(log(1e-3, 1), lin(0, 60), log(1, 600))),
    'ellipk': (elliptic(mpmath.ellipk), mix(lin(-2, 1), less(log(1e-12, 1)), lambda: -log(1, 1e6)())),
    'ellipe': (elliptic(mpmath.ellipe), mix(lin(-2, 1), less(log(1e-12, 1)), lambda: -log(1, 1e6)())),
    'ellipkinc': (elliptic(mpmath.ellipf), mix(lin(-1.5, 1.5), lin(-20, 20)), mix(lin(-3, 1), less(log(1e-6, 1)))),
    'ellipeinc': (elliptic(mpmath.ellipe), mix(lin(-1.5, 1.5), lin(-20, 20)), mix(lin(-3, 1), less(log(1e-6, 1)))),
    'elliprf': (elliptic(mpmath.elliprf), log(1e-8, 1e8), log(1e-8, 1e8), log(1e-8, 1e8)),
    'elliprd': (elliptic(mpmath.elliprd), log(1e-4, 1e4), log(1e-4, 1e4), log(1e-4, 1e4)),
    'elliprc': (elliptic(mpmath.elliprc), log(1e-8, 1e8), log(1e-8, 1e8)),
    'expn': (wide(lambda n, x: mpmath.expint(n, x)), whole(1, 60), mix(log(1e-8, 1), lin(0, 50), lin(0, 600))),
    'expi': (wide(lambda x: mpmath.ei(x)), mix(both(log(1e-8, 1)), lin(-50, 50), lin(-600, 600))),
    'fresnel_s': (wide(mpmath.fresnels), both(mix(log(1e-5, 1), lin(0, 20), log(1, 1e4)))),
    'fresnel_c': (wide(mpmath.fresnelc), both(mix(log(1e-5, 1), lin(0, 20), log(1, 1e4)))),
    'dawsn': (wide(dawson), both(mix(log(1e-8, 1), lin(0, 10)))),
    'wofz': (w_real, both(mix(log(1e-6, 1), lin(0, 8), log(1, 1e4))), mix(log(1e-6, 1), lin(0, 8), log(1, 1e4))),
    'lambertw': (lambda k, x: (mpmath.lambertw(mpf(x), k).real, 0), whole(0, 0), mix(log(1e-12, 1), log(1, 1e200), lambda: -log(1e-12, 0.3678)())),
    'owens_t': (lambda h, a: (owen(mpf(h), mpf(a)), 0), both(mix(log(1e-3, 1), lin(0, 6))), both(mix(lin(0, 1), lin(0, 10)))),
    'legendre': (polynomial(mpmath.legendre), whole(0, 200), lin(-1, 1)),
    'chebyshev_t': (polynomial(mpmath.chebyt), whole(0, 200), lin(-1, 1)),
    'spherical_jn': (spherical(0), whole(0, 120), mix(log(1e-6, 1), lin(0, 60), log(1, 1e3))),
    'spherical_yn': (spherical(1), whole(0, 120), mix(log(1e-2, 1), lin(1, 60), log(1, 1e3))),
    'spherical_in': (spherical(2), whole(0, 120), mix(log(1e-6, 1), lin(0, 60), log(1, 600))),
    'spherical_kn': (spherical(3), whole(0, 60), mix(log(1e-2, 1), lin(0, 60), log(1, 600))),
    'hyp1f1': (wide(mpmath.hyp1f1), mix(lin(-10, 10), lin(0, 60)), mix(lin(0, 10), lin(0, 60)), mix(lin(-30, 30), both(log(1e-3, 500)))),
    'hyperu': (tricomi, mix(lin(0, 5), lin(0, 60)), mix(lin(-5, 5), lin(-40, 40)), mix(log(1e-3, 1), lin(0, 60), log(1, 1e4))),
    'hyp2f1': (wide(lambda a, b, c, x: mpmath.hyp2f1(a, b, c, x)), mix(lin(-5, 5), lin(0, 20)), mix(lin(-5, 5), lin(0, 20)),
               mix(lin(0, 5), lin(0, 40)), mix(lin(-1, 1), less(log(1e-8, 1)), lambda: -log(1, 1e4)())),
    'struve': (struve, mix(lin(-2, 5), lin(0, 40)), mix(log(1e-3, 1), lin(0, 60), log(1, 1e3))),
    'modstruve': (wide(mpmath.struvel), mix(lin(-1.4, 5), lin(0, 40)), mix(log(1e-3, 1), lin(0, 60), log(1, 500))),
    'polylog': (lambda s, x: (mpmath.polylog(mpf(s), mpf(x)).real, 0), mix(lin(0, 5), lin(0, 30), of(1.0, 2.0, 3.0)),
                mix(lin(-1, 1), less(log(1e-6, 1)), lambda: -log(1, 1e3)())),
    'jacobi_am': (jacobi('am'), both(mix(log(1e-6, 1), lin(0, 20))), mix(lin(0, 1), less(log(1e-9, 1)), lambda: -log(1e-3, 1e3)())),
    'jacobi_sn': (jacobi('sn'), both(mix(log(1e-6, 1), lin(0, 20))), mix(lin(0, 1), less(log(1e-9, 1)), lambda: -log(1e-3, 1e3)())),
    'jacobi_cn': (jacobi('cn'), both(mix(log(1e-6, 1), lin(0, 20))), mix(lin(0, 1), less(log(1e-9, 1)), lambda: -log(1e-3, 1e3)())),
    'jacobi_dn': (jacobi('dn'), both(mix(log(1e-6, 1), lin(0, 20))), mix(lin(0, 1), less(log(1e-9, 1)), lambda: -log(1e-3, 1e3)())),
    'lambertw_complex': (lambda k, x, y: (lambda w: (w.real, abs(w)))(mpmath.lambertw(mpc(x, y), k)), whole(-4, 4),
                         both(mix(lin(0, 2), log(1e-6, 1e6))), both(mix(lin(0, 2), log(1e-6, 1e6)))),
    'assoc_legendre': (legendre, degree_and_order(60), lin(-1, 1)),
    'sph_harm': (harmonic, degree_and_order(60), lin(0, 3.141592653589793), lin(-4, 4)),
    'wigner_3j': (coupling, lin(0, 1)),
    'jv_order': (order_slope('J'), whole(1, 3), mix(lin(0, 5), lin(0, 60)), mix(log(1e-2, 1), lin(0, 60), log(1, 300))),
    'yv_order': (order_slope('Y'), whole(1, 3), mix(lin(0, 5), lin(0, 60)), mix(log(1e-2, 1), lin(0, 60), log(1, 300))),
    'iv_order': (order_slope('I'), whole(1, 3), mix(lin(0, 5), lin(0, 60)), mix(log(1e-2, 1), lin(0, 60), log(1, 300))),
}


def main():
    rows = '--rows' in sys.argv
    count, names = int(sys.argv[1]), [a for a in sys.argv[3:] if a != '--rows'] or list(P)
    for name in names:
        f, *draw = P[name]
        done = 0
        while done < count:
            x = [d() for d in draw]
            x = [t if isinstance(t, int) else float(t) for t in x]
            try:
                if name == 'wigner_3j':
                    x, v, a = f()
                    x = [float(t) for t in x]
                else:
                    v, a = f(*x)
            except (mpmath.libmp.NoConvergence, ZeroDivisionError, ValueError, OverflowError):
                continue
            v = mpmath.mpmathify(v).real
            done += 1
            if v != 0 and not mpf(10) ** -290 < abs(v) < mpf(10) ** 290:
                continue
            k = x.pop(0) if isinstance(x[0], int) else 0
            if rows:
                print('    {"%s", {%s}, %d, %r, %s},' % (name, ', '.join(repr(t) for t in x), k, float(v), mpmath.nstr(mpf(a), 6)))
                continue
            print(name, k, len(x), *(repr(t) for t in x), repr(float(v)), mpmath.nstr(mpf(a), 6))
        sys.stdout.flush()


if __name__ == '__main__':
    main()
