#!/usr/bin/env python3
"""compare-laws.py - densities, probabilities and quantiles of laws beside SciPy and mpmath

    compare-laws.py BUILD [--sets 40] [--points 60] [--seed 1] [--only REGEX]

BUILD is a folder with .libs/libagnesi.so. Parameters of the tables in tests/data/make-*laws.py are moved
by factors up to 10^3, points are quantiles from 1e-16 to 1 - 1e-15 and those of the tables times up to
10^3. An answer that SciPy does not share to 1e-12 is held against mpmath at 40 and 400 digits and what
one rounding of the point and of each parameter does to it. NaN and refusals are counted. Exit status 1:
some answer was finite and wrong.
"""
import argparse
import collections
import ctypes as c
import math
import os
import re
import sys
import time
import warnings

import mpmath as mp
import numpy as np
from scipy import stats as S

warnings.filterwarnings("ignore")
np.seterr(all="ignore")
options = argparse.ArgumentParser()
options.add_argument("build")
options.add_argument("--sets", type=int, default=40)
options.add_argument("--points", type=int, default=60)
options.add_argument("--seed", type=int, default=1)
options.add_argument("--only", default="")
options.add_argument("--seconds", type=float, default=20, help="of mpmath for one law; the rest is counted as unjudged")
options.add_argument("--spoil", type=float, default=0, help="add this part to each answer: that tries the judge")
opt = options.parse_args()
here = os.path.dirname(os.path.abspath(__file__))
lib = c.CDLL(os.path.join(opt.build, ".libs", "libagnesi.so"))
P = c.c_void_p
lib.agn_to_host.argtypes = [P, P, c.c_size_t]
for f in (lib.agn_release, lib.agn_distribution_release):
    f.argtypes = [P]
lib.agn_error_message.restype = c.c_char_p

# name, answers by mpmath, SciPy's law, parameters, points
tables = []
for name in ("make-laws.py", "make-univariate-laws.py"):
    text = open(os.path.join(here, "data", name)).read()
    scope = {}
    exec(text[: text.index("\nno_entropy")], scope)
    tables += scope["laws"]
mp.mp.dps = 40
# where the tables ask mpmath alone
SCIPY_TOO = {
    "poisson": S.poisson,
    "binomial": S.binom,
    "negative_binomial": lambda r, p: S.nbinom(r, 1 - p),
    "beta_binomial": S.betabinom,
    "cauchy": S.cauchy,
    "half_cauchy": lambda s: S.halfcauchy(scale=s),
    "rice": lambda n, s: S.rice(n / s, scale=s),
    "zipf": S.zipf,
}
# names of parameters, as the test of all laws has them
source = open(os.path.join(here, "t-laws-of-probability.c")).read()
params = {m[1]: re.findall(r'"(\w+)"', m[2]) for m in re.finditer(r'{"(\w+)", \d, IN\(([^)]*)\)', source)}
FIXED = {"triangular", "truncated_normal", "beta_binomial", "zipf", "uniform", "arcsine"}
COUNTED = {"bernoulli", "binomial", "geometric", "poisson", "negative_binomial", "beta_binomial", "skellam", "zipf",
           "zero_inflated_poisson", "beta_negative_binomial", "bernoulli_logits", "binomial_logits",
           "geometric_logits", "negative_binomial_logits", "logarithmic", "conway_maxwell_poisson", "generalized_poisson",
           "discrete_laplace", "discrete_weibull"}
random = np.random.default_rng(opt.seed)


def tensor(x):
    out, x = P(), np.ascontiguousarray(x, float)
    shape = (c.c_int64 * x.ndim)(*x.shape)
    if lib.agn_from_host(c.byref(out), 9, x.ndim, shape, x.ctypes.data_as(P)):
        raise RuntimeError(lib.agn_error_message().decode())
    return out


def move(law, key, v):
    """another value of a parameter"""
    wide = 10 ** random.uniform(-3, 3) if random.random() < 0.5 else 10 ** random.uniform(-0.5, 0.5)
    if law in FIXED:
        return v
    if v >= 1000:  # mpmath sums series
        wide = 10 ** random.uniform(-3, 0)
    if key in ("probs", "gate"):
        return float(1 / (1 + (1 / v - 1) * wide))
    if key == "total_count" and law.startswith("binomial"):
        return float(math.ceil(v * min(wide, 30)))
    if key in ("alpha",) and law == "skew_normal" or key in ("loc", "logits", "gamma", "concentration") and v == 0:
        return v + random.normal()
    return float(v * (wide if key in ("scale", "loc", "rate") else min(max(wide, 0.03), 30)))


def ask(name, d, x):
    """values at x; None: the law has no formula"""
    out, at = P(), tensor(x)
    st = getattr(lib, "agn_distribution_" + name)(c.byref(out), d, at)
    lib.agn_release(at)
    if st:
        return None
    y = np.empty_like(x)
    lib.agn_to_host(y.ctypes.data_as(P), out, y.nbytes)
    lib.agn_release(out)
    return y


FUNCTIONS = ["log_prob", "cdf", "survival", "log_cdf", "log_survival"]
SCIPY = ["logpdf", "cdf", "sf", "logcdf", "logsf"]


def answers(f, p, x):
    """all five by mpmath; None where it has no formula"""
    lp, low, high = f(*p, x)
    if low is None:
        return [lp, None, None, None, None]

    def log(v, rest):
        return -mp.inf if v <= 0 else mp.log(v) if v < 0.5 else mp.log1p(-rest)

    return [lp, low, high, log(low, high), log(high, low)]


known = {}


def answer(j, f, v):
    """one of the five; None where mpmath has none. All five are kept for the next function at this point."""
    key = (mp.mp.dps, *v)
    if key not in known:
        try:
            known[key] = answers(f, v[:-1], v[-1])
        except (ZeroDivisionError, ValueError, ArithmeticError, TypeError):
            known[key] = [None] * 5
    y = known[key][j]
    return None if isinstance(y, mp.mpc) else y


def is_wrong(j, f, p, x, have):
    exact = [mp.mpf(v) for v in (*p, x)]
    want = answer(j, f, exact)
    if want is None:
        return None
    if not mp.isfinite(want):
        return have != float(want)
    size = abs(want)
    if j in (1, 2):
        if size < 1e-300:
            return abs(have) > 1e-299
        size *= 1 + abs(mp.log(size))
    elif j == 0:
        size += 1
    elif size < 1e-300:
        return abs(have) > 1e-299
    gap = abs(mp.mpf(have) - want)
    if gap <= 2e-12 * size:
        return None
    moved = mp.mpf(0)  # what a rounding of each argument does
    for i, v in enumerate(exact):
        if i == len(exact) - 1 and float(v).is_integer() and name in COUNTED:
            continue
        if v == 0 or not mp.isfinite(v) or (name in COUNTED and i < len(p) and params[name][i] == "total_count"):
            continue
        y = answer(j, f, exact[:i] + [v * (1 + mp.mpf(2) ** -52)] + exact[i + 1 :])
        moved += abs(y - want) if y is not None and mp.isfinite(y) else 0
    return float(want) if gap > 64 * moved + 2e-12 * size else None


total = collections.Counter()
for name, f, scipy, sets, xs in tables:
    if not re.search(opt.only, name):
        continue
    count, shown, spent = collections.Counter(), 0, 0.0
    known.clear()
    scipy = SCIPY_TOO.get(name, scipy)
    for k in range(opt.sets):
        base = sets[k % len(sets)]
        p = [move(name, key, v) for key, v in zip(params[name], base)]
        d, handles = P(), [tensor(v) for v in p]
        if getattr(lib, "agn_distribution_" + name)(c.byref(d), *handles, None):
            count["refused laws"] += 1
            continue
        n = opt.points
        u = np.concatenate([random.random(n // 3), 10 ** random.uniform(-16, 0, n // 3), 1 - 10 ** random.uniform(-15, 0, n // 6)])
        x = ask("icdf", d, u)
        if x is None:
            x = np.array([], float)
        elif name not in COUNTED:  # back to the probability
            back = ask("cdf", d, x)
            slope = ask("prob", d, x) * np.abs(x) * 2**-50
            for i, v in enumerate(p):  # what a rounding of a parameter does
                near = P()
                q = [tensor(w * (1 + 1e-7) if k == i else w) for k, w in enumerate(p)]
                if not getattr(lib, "agn_distribution_" + name)(c.byref(near), *q, None):
                    slope = slope + np.abs(ask("cdf", near, x) - back) * (1e7 * 2**-50)
                    lib.agn_distribution_release(near)
                for h in q:
                    lib.agn_release(h)
            slope[np.isnan(slope) | (np.abs(x) < 1e-300) | np.isinf(x)] = np.inf
            low, high = (ask("cdf", d, x + side * 2**-50 * np.abs(x)) for side in (-1, 1))
            bad = ~np.isnan(x) & ~((low <= u) & (u <= high)) & (np.abs(back - u) > 1e-12 * (1e-3 + u) + slope)
            count["quantiles"] += len(u)
            count["wrong"] += int(bad.sum())
            for i in np.flatnonzero(bad)[:2]:
                print(f"WRONG {name}{tuple(p)} cdf(icdf({float(u[i])!r})) = {float(back[i])!r} at {float(x[i])!r}")
        wild = np.array([v for v in xs if math.isfinite(v)], float)
        wild = wild[random.integers(0, len(wild), n - len(x))] if len(wild) else wild
        if name not in COUNTED and name not in FIXED:
            wild = wild * 10 ** random.uniform(-3, 3, len(wild))
        x = np.concatenate([x, wild])
        x = x[np.isfinite(x)]
        if len(x) == 0:
            continue
        law = None
        try:
            law = scipy(*p) if scipy and hasattr(scipy(*p), "sf") else None
        except Exception:
            pass
        inside = ask("log_prob", d, x) > -np.inf
        x = x[inside]
        for j, function in enumerate(FUNCTIONS):
            have = ask(function, d, x) if len(x) else None
            if have is None:
                continue
            have = have * (1 + opt.spoil)
            method = SCIPY[j] if j or name not in COUNTED else "logpmf"
            by = np.full_like(x, np.nan)
            if law is not None and hasattr(law, method):
                try:
                    by = np.asarray(getattr(law, method)(x), float)
                except Exception:
                    pass
            count["points"] += len(x)
            count["nan"] += int(np.isnan(have).sum())
            same = (have == by) | (np.abs(have - by) <= 1e-12 * np.abs(by) * (np.abs(by) > 1e-290))
            for i in np.flatnonzero(~same & ~np.isnan(have)):
                if spent > opt.seconds:
                    count["unjudged"] += 1
                    continue
                count["by mpmath"] += 1
                spent -= time.monotonic()
                want = is_wrong(j, f, p, float(x[i]), float(have[i]))
                if want is not None:  # formulas that cancel need more digits than 40
                    with mp.workdps(400):
                        want = is_wrong(j, f, p, float(x[i]), float(have[i]))
                spent += time.monotonic()
                if want is None or want is False:
                    continue
                count["wrong"] += 1
                shown += 1
                if shown <= 4:
                    print(f"WRONG {name}{tuple(p)} {function}({float(x[i])!r}) = {float(have[i])!r}, not {want!r}")
        lib.agn_distribution_release(d)
        for h in handles:
            lib.agn_release(h)
    print(name, dict(count), flush=True)
    total.update(count)
print("in all", dict(total))
sys.exit(total["wrong"] > 0)
