"""Systems with a structure: tridiagonal, banded, Toeplitz, circulant. Ids and inputs of bench/linalg.c.

    python3 linalg-structured.py [--threads N] [--only REGEX] [--seconds S]

SciPy's functions, and LAPACK's routines through its wrappers (lapack-raw), without checks of finite
numbers where they can be left out. Lines are those of agnesi-bench --json.
"""
import argparse, json, os, re, statistics, sys, time

ap = argparse.ArgumentParser()
ap.add_argument("--threads", type=int, default=1)
ap.add_argument("--only", default="")
ap.add_argument("--seconds", type=float, default=0.3)
args = ap.parse_args()
for v in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[v] = str(args.threads)
import numpy as np
import scipy
import scipy.linalg as sl
from scipy.linalg import lapack as la


def mix(n, lo, hi, salt):
    u = np.modf(np.arange(1 + 101 * salt, n + 1 + 101 * salt, dtype=float) * 0.6180339887498949)[0]
    return lo + (hi - lo) * np.modf((u * u) * 12345.678)[0]


def falling(n, salt):
    v = mix(n, -1, 1, salt)
    v[1:] /= np.arange(1.0, n) ** 2
    v[0] = 4
    return v


def band(n, each):
    ab = mix((2 * each + 1) * n, -1, 1, 0).reshape(2 * each + 1, n)
    ab[each] += 2 * each + 1
    return ab


def measure(wid, peer, call):
    if args.only and not re.search(args.only, wid):
        return
    t = time.perf_counter()
    x = call()
    first = time.perf_counter() - t
    inner = max(1, int(0.02 / max(first, 1e-7)))
    ts, start = [], time.perf_counter()
    while len(ts) < 7 and (not ts or time.perf_counter() - start < args.seconds):
        t = time.perf_counter()
        for _ in range(inner):
            call()
        ts.append((time.perf_counter() - t) / inner)
    print(json.dumps({"id": wid, "peer": peer, "version": scipy.__version__, "ms": 1e3 * statistics.median(ts),
                      "ms_min": 1e3 * min(ts), "first_ms": 1e3 * first, "reps": len(ts), "threads": args.threads,
                      "check": [float(np.abs(x).sum())]}), flush=True)


for n in (10, 100, 1000, 100000):
    b, wid = mix(n, -1, 1, 5), lambda what: "linalg/structured/%s/%d/f64" % (what, n)
    dl, d, du = mix(n - 1, -1, 1, 1), mix(n, 3, 4, 2), mix(n - 1, -1, 1, 3)
    ab = np.zeros((3, n))
    ab[0, 1:], ab[1], ab[2, :-1] = du, d, dl
    measure(wid("tridiagonal"), "scipy", lambda: sl.solve_banded((1, 1), ab, b, check_finite=False))
    measure(wid("tridiagonal"), "lapack-raw", lambda: la.dgtsv(dl, d, du, b)[3])
    for each in (2, 20):
        if n <= each:
            continue
        ab2 = band(n, each)
        room = np.zeros((3 * each + 1, n), order="F")
        room[each:] = ab2
        name = "banded%d" % each
        measure(wid(name), "scipy", lambda: sl.solve_banded((each, each), ab2, b, check_finite=False))
        measure(wid(name), "lapack-raw", lambda: la.dgbsv(each, each, room, b)[2])
    c, r = falling(n, 1), falling(n, 2)
    measure(wid("circulant"), "scipy", lambda: sl.solve_circulant(c, b))
    if n <= 1000:
        measure(wid("toeplitz"), "scipy", lambda: sl.solve_toeplitz((c, r), b, check_finite=False))
