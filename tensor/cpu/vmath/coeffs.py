#!/usr/bin/env python3
"""Minimax coefficients of the vector math kernels: prints coef_f64.h and coef_f32.h.

    python3 coeffs.py DIR        (needs mpmath; run by hand, the result is committed)

Each polynomial is found by the second algorithm of Remez (Muller 2016, chapter 3) in
60 digits, with the weight that the kernel's own error needs, and rounded once.
"""
import sys
from mpmath import mp, mpf, matrix, lu_solve, cos, pi, log, exp, expm1, tanh, sqrt
from mpmath import sin, erf, erfc, atanh, nstr

mp.dps = 60


def remez(f, w, a, b, n):
    """Polynomial of n coefficients near f on [a,b], minimising max |w (p - f)|."""
    grid = [a + (b - a) * (1 - cos(pi * k / (24 * n))) / 2 for k in range(24 * n + 1)]
    grid = [x for x in grid if w(x) > mpf(10) ** -30]  # no condition where weightless
    fs = [f(x) for x in grid]
    ws = [w(x) for x in grid]
    ref = [k * (len(grid) - 1) // n for k in range(n + 1)]
    for _ in range(12):
        A = matrix(n + 1, n + 1)
        y = matrix(n + 1, 1)
        for i, g in enumerate(ref):
            x = grid[g]
            for j in range(n):
                A[i, j] = x ** j
            A[i, n] = (-1) ** i / ws[g]
            y[i] = fs[g]
        s = lu_solve(A, y)
        c = [s[j] for j in range(n)]
        e = [ws[g] * (mp.polyval(c[::-1], grid[g]) - fs[g]) for g in range(len(grid))]
        runs, best = [], 0
        for g in range(len(grid)):
            if g and (e[g] > 0) != (e[best] > 0):
                runs.append(best)
                best = g
            elif abs(e[g]) > abs(e[best]):
                best = g
        runs.append(best)
        while len(runs) > n + 1:
            runs.pop(0 if abs(e[runs[0]]) < abs(e[runs[-1]]) else -1)
        if len(runs) < n + 1 or runs == ref:
            break
        ref = runs
    return c, max(abs(v) for v in e)


def erfcx(z):
    return exp(z * z) * erfc(z)


LN2 = log(2)
TINY = mpf(10) ** -9


def polynomials(c, zmax, one, counts):
    """(name, comment, function, weight, interval); c is the centre of the erfcx map, and from
    one on erf rounds to 1."""
    r = LN2 / 2 * (1 + mpf(2) ** -20)
    z2 = (LN2 / 2 * mpf("0.591")) ** 2
    s2 = (3 - 2 * sqrt(mpf(2))) ** 2 * (1 + mpf(2) ** -20)
    q2 = (pi / 4 * (1 + mpf(2) ** -16)) ** 2
    e2 = mpf("0.65") ** 2
    h = (1 + mpf(2) ** -18) / 2
    zt = lambda t: c * (1 + t) / (1 - t)
    root = lambda f: lambda w: f(sqrt(w))
    return [
        ("exp", "(e^r - 1 - r) / r^2, |r| <= ln(2)/2",
         lambda x: (expm1(x) - x) / x ** 2 if abs(x) > TINY else mpf(1) / 2 + x / 6,
         lambda x: abs(x), -r, r),
        ("tanh", "(tanh z - z) / z^3 in z^2, |z| <= 0.591 ln(2)/2",
         root(lambda z: (tanh(z) - z) / z ** 3 if z > TINY else -mpf(1) / 3),
         lambda w: w, 0, z2),
        ("log", "(2 atanh s - 2 s) / s^3 in s^2, |s| <= 3 - 2 sqrt 2",
         root(lambda s: 2 * (atanh(s) - s) / s ** 3 if s > TINY else mpf(2) / 3),
         lambda w: w, 0, s2),
        ("sin", "(sin r - r) / r^3 in r^2, |r| <= pi/4",
         root(lambda x: (sin(x) - x) / x ** 3 if x > TINY else -mpf(1) / 6),
         lambda w: w, 0, q2),
        ("cos", "(cos r - 1 + r^2/2) / r^4 in r^2, |r| <= pi/4",
         root(lambda x: (cos(x) - 1 + x * x / 2) / x ** 4 if x > TINY ** .5
              else mpf(1) / 24),
         lambda w: w * w, 0, q2),
        ("erf", "erf(x)/x - 1 in x^2, |x| <= 0.65",
         root(lambda x: erf(x) / x - 1 if x > 0 else 2 / sqrt(pi) - 1),
         lambda w: mpf(1), 0, e2),
        ("erftail", "log2(erfc(x))/x, x <= %s" % nstr(one, 3),
         lambda x: log(erfc(x), 2) / x if x > 0 else -2 / sqrt(pi) / LN2,
         lambda x: LN2 * x * erfc(x) / erf(x) if x > 0 else LN2 * sqrt(pi) / 2, 0, one),
        ("exp2", "(2^f - 1)/f, |f| <= 1/2",
         lambda f: expm1(f * LN2) / f if abs(f) > TINY else LN2 + f * LN2 ** 2 / 2,
         lambda f: 1 / LN2, -h, h),
        ("erfcx", "(1 + 2z) e^(z^2) erfc(z) in t = (z - c)/(z + c), z <= %d" % zmax,
         lambda t: (1 + 2 * zt(t)) * erfcx(zt(t)), lambda t: mpf(1),
         mpf(-1), (zmax - c) / (zmax + c)),
    ]


def literal(x, bits):
    """x rounded to bits bits, as a hexadecimal literal (subnormals do not occur)."""
    m, e = mp.frexp(x)
    n = int(mp.nint(mp.ldexp(m, bits)))
    v = float(mp.ldexp(mpf(n), int(e) - bits))
    return v.hex() + ("f" if bits == 24 else "")


# bits of all parts but the last: 53 - 11 and 53 - 20, 24 - 9 and 24 - 9
LN2_CUTS = {53: [42], 24: [15]}
PIO2_CUTS = {53: [33, 33, 33], 24: [15, 15, 15]}
FUSED_CUTS = {"LN2": {53: [53], 24: [24]}, "PIO2": {53: [53, 53], 24: [24, 24]}}


def chop(x, bits):
    """The first bits bits of x, truncated."""
    m, e = mp.frexp(x)
    return mp.ldexp(mp.floor(mp.ldexp(m, bits)), int(e) - bits)


def emit(path, suffix, real, bits, c, zmax, one, counts, reports):
    out = ["/* Written by coeffs.py; see there for the method. */",
           "/* clang-format off */",
           "#ifndef AGNI_CPU_COEF_%s_H" % suffix.upper(),
           "#define AGNI_CPU_COEF_%s_H" % suffix.upper()]
    for name, text, f, w, a, b in polynomials(mpf(c), mpf(zmax), mpf(one), counts):
        co, err = remez(f, w, mpf(a), mpf(b), counts[name])
        reports.append("%s %s: 2^%s" % (suffix, name, nstr(log(err, 2), 4)))
        out += ["", "/* %s; weighted error 2^%s */" % (text, nstr(log(err, 2), 4)),
                "static const %s agni_c_%s_%s[%d] = {" % (real, name, suffix, len(co))]
        out += ["    %s," % literal(v, bits) for v in co] + ["};"]
    S = suffix.upper()
    out += ["", "/* ln 2 and pi/2 in parts so short that n times one is exact, and in full ones */"]
    parts = (("LN2", log(2), LN2_CUTS[bits]), ("PIO2", pi / 2, PIO2_CUTS[bits]),
             ("LN2_FUSED", log(2), FUSED_CUTS["LN2"][bits]),
             ("PIO2_FUSED", pi / 2, FUSED_CUTS["PIO2"][bits]))
    for name, x, cuts in parts:
        for i, cut in enumerate(cuts + [0]):
            part = chop(x, cut) if cut else x
            x -= part
            text = literal(part, bits)
            out.append("#define AGNI_%s_%d_%s %s" % (name, i + 1, S, text))
    out += ["", "#define AGNI_ERFCX_C_%s %s" % (S, literal(mpf(c), bits)), "", "#endif"]
    open(path, "w").write("\n".join(out) + "\n")


if __name__ == "__main__":
    rep = []
    emit(sys.argv[1] + "/coef_f64.h", "f64", "double", 53, "3.75", 28, "5.93",
         dict(exp=10, tanh=7, log=7, sin=6, cos=6, erf=10, erftail=25, exp2=12, erfcx=24), rep)
    emit(sys.argv[1] + "/coef_f32.h", "f32", "float", 24, "2.75", 11, "3.93",
         dict(exp=5, tanh=3, log=3, sin=3, cos=3, erf=5, erftail=9, exp2=6, erfcx=11), rep)
    print("\n".join(rep), file=sys.stderr)
