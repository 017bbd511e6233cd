"""What the peers' scripts share: numbers, clock and the line that agnesi-bench --json prints.

    python3 SCRIPT.py --peer NAME [--threads N] [--reps N] [--json] [REGEX]

--json is taken and ignored, so that bench/compare.sh can run a peer in place of agnesi-bench.
"""
import argparse
import json
import os
import re
import resource
import statistics
import time


def arguments(peers, more={}):
    p = argparse.ArgumentParser()
    p.add_argument("--peer", choices=peers, required=True)
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--reps", type=int, default=7)
    p.add_argument("--json", action="store_true")
    for name, of in more.items():
        p.add_argument(name, **of)
    p.add_argument("regex", nargs="?", default="")
    a = p.parse_args()
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NPROC"):
        os.environ[name] = str(a.threads)
    os.environ["JAX_ENABLE_X64"] = "1"
    os.environ["JAX_PLATFORMS"] = "cpu"
    cpus = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, cpus[: a.threads])  # XLA and torch start a thread for each CPU they see
    a.wanted = re.compile(a.regex)
    return a


def grid(n, lo, hi, salt):
    """lo + (hi - lo) frac((i + 1 + 101 salt) phi)"""
    import numpy as np

    x = (np.arange(n, dtype=np.float64) + 1 + 101 * salt) * 0.6180339887498949
    return lo + (hi - lo) * np.modf(x)[0]


def points(n):
    """n points in [-1, 1] x [0, 1]"""
    import numpy as np

    i = np.arange(n, dtype=np.float64) + 102
    x = -1 + 2 * np.modf(i * 0.7548776662466927)[0]
    return np.stack([x, np.modf(i * 0.5698402909980532)[0]], axis=1)


def parameters(sizes, dtype):
    """W_0, b_0, W_1, b_1, ..."""
    made = []
    for layer, (a, b) in enumerate(zip(sizes, sizes[1:])):
        bound = (6 / (a + b)) ** 0.5
        made.append(grid(a * b, -bound, bound, 10 + 2 * layer).reshape(a, b).astype(dtype))
        made.append(grid(b, -0.1, 0.1, 11 + 2 * layer).astype(dtype))
    return made


def measure(args, ident, version, call, check):
    """call() finishes its results; check() gives numbers that any correct program reproduces"""
    if not args.wanted.search(ident):
        return
    start = time.perf_counter()
    call()
    first = time.perf_counter() - start
    start = time.perf_counter()
    call()
    once = time.perf_counter() - start
    inner = 1 if once > 0.02 else int(0.02 / once) + 1
    times = []
    begin = time.perf_counter()
    while len(times) < args.reps and (not times or time.perf_counter() - begin < 2):
        start = time.perf_counter()
        for _ in range(inner):
            call()
        times.append((time.perf_counter() - start) / inner)
    print(
        json.dumps(
            {
                "id": ident,
                "peer": args.peer,
                "version": version,
                "ms": round(1e3 * statistics.median(times), 6),
                "ms_min": round(1e3 * min(times), 6),
                "first_ms": round(1e3 * first, 3),
                "reps": len(times),
                "threads": args.threads,
                "rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
                "check": [float(c) for c in check()],
            }
        ),
        flush=True,
    )
