#!/usr/bin/env python3
"""posteriors.py - the models of bench/posteriors.c in Stan, by stanli (Talts 2026, on PyPI): nanoseconds of a value
and a gradient, called from C.

    posteriors.py [--seconds 0.3] [--only REGEX]

Data are read from bench/posteriors.c. Prints a line of JSON for each model, as agnesi-bench --json does: the checks
are sums of the gradient, which no constant changes.
"""
import argparse
import ctypes as c
import json
import os
import re
import subprocess
import tempfile

import numpy as np
import stanli

options = argparse.ArgumentParser()
options.add_argument("--seconds", type=float, default=0.3)
options.add_argument("--only", default="")
opt = options.parse_args()
here = os.path.dirname(os.path.abspath(__file__))
source = open(os.path.join(here, "..", "posteriors.c")).read()
data = {
    m[1]: [float(v) for v in m[2].replace("\n", " ").split(",")]
    for m in re.finditer(r"(\w+)\[(?:YEARS)?\] = \{([^}]*)\}", source)
    if re.fullmatch(r"[-0-9., \n]*", m[2])
}


def whole(name):
    return [int(v) for v in data[name]]


nile = [(v - 900) / 150 for v in data["nile"]]
models = {
    "schools/10": (
        """data { array[8] real y; array[8] real<lower=0> s; }
parameters { real mu; real<lower=0> tau; vector[8] eta; }
model { mu ~ normal(0, 5); tau ~ cauchy(0, 5); eta ~ normal(0, 1); y ~ normal(mu + tau * eta, s); }""",
        {"y": data["effect"], "s": data["deviation"]},
    ),
    "seeds/26": (
        """data { array[21] int r; array[21] int n; vector[21] x1; vector[21] x2; }
transformed data { vector[21] x12 = x1 .* x2; }
parameters { real alpha0; real alpha1; real alpha2; real alpha12; real<lower=0> sigma; vector[21] b; }
model { alpha0 ~ normal(0, 1); alpha1 ~ normal(0, 1); alpha2 ~ normal(0, 1); alpha12 ~ normal(0, 1);
  sigma ~ cauchy(0, 1); b ~ normal(0, sigma);
  r ~ binomial_logit(n, alpha0 + alpha1 * x1 + alpha2 * x2 + alpha12 * x12 + b); }""",
        {"r": whole("germs"), "n": whole("plated"), "x1": data["kind"], "x2": data["extract"]},
    ),
    "rats/65": (
        """data { array[30] vector[5] y; vector[5] x; }
parameters { real mu_alpha; real mu_beta; real<lower=0> sigma_y; real<lower=0> sigma_alpha; real<lower=0> sigma_beta;
  vector[30] alpha; vector[30] beta; }
model { mu_alpha ~ normal(0, 100); mu_beta ~ normal(0, 100); sigma_y ~ cauchy(0, 10); sigma_alpha ~ cauchy(0, 10);
  sigma_beta ~ cauchy(0, 10); alpha ~ normal(mu_alpha, sigma_alpha); beta ~ normal(mu_beta, sigma_beta);
  for (i in 1:30) y[i] ~ normal(alpha[i] + beta[i] * x, sigma_y); }""",
        {"y": np.reshape(data["rat"], (30, 5)).tolist(), "x": data["week"]},
    ),
    "surgical/14": (
        """data { array[12] int r; array[12] int n; }
parameters { real mu; real<lower=0> sigma; vector[12] b; }
model { mu ~ normal(0, 1000); sigma ~ cauchy(0, 1); b ~ normal(mu, sigma); r ~ binomial_logit(n, b); }""",
        {"r": whole("deaths"), "n": whole("operations")},
    ),
    "dugongs/4": (
        """data { array[27] real x; vector[27] y; }
parameters { real alpha; real beta; real<lower=0.5, upper=1> lambda; real<lower=0> tau; }
model { vector[27] m; for (i in 1:27) m[i] = alpha - beta * pow(lambda, x[i]);
  alpha ~ normal(0, 1000); beta ~ normal(0, 1000); lambda ~ uniform(0.5, 1); tau ~ gamma(0.01, 0.01);
  y ~ normal(m, 1 / sqrt(tau)); }""",
        {"x": data["age"], "y": data["size"]},
    ),
    "pumps/12": (
        """data { array[10] int x; vector[10] t; }
parameters { real<lower=0> alpha; real<lower=0> beta; vector<lower=0>[10] theta; }
model { alpha ~ exponential(1); beta ~ gamma(0.1, 1); theta ~ gamma(alpha, beta); x ~ poisson(theta .* t); }""",
        {"x": whole("failures"), "t": data["hours"]},
    ),
    "stacks/5": (
        """data { matrix[21, 3] x; vector[21] y; }
parameters { real beta0; vector[3] beta; real<lower=0> sigma; }
model { beta0 ~ normal(0, 100); beta ~ normal(0, 10); sigma ~ cauchy(0, 5); y ~ student_t(4, beta0 + x * beta, sigma); }""",
        {"x": np.reshape(data["plant"], (21, 3)).tolist(), "y": data["loss"]},
    ),
    "ark/7": (
        """data { matrix[95, 5] x; vector[95] y; }
parameters { real alpha; vector[5] beta; real<lower=0> sigma; }
model { alpha ~ normal(0, 10); beta ~ normal(0, 10); sigma ~ cauchy(0, 2.5); y ~ normal(alpha + x * beta, sigma); }""",
        {"x": [[nile[i - 1 - k] for k in range(5)] for i in range(5, 100)], "y": nile[5:]},
    ),
}
LOOP = """#include <time.h>
double run(int (*f)(void *, double *, double *, double *), void *m, double *q, double *lp, double *g, long n)
{
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (long i = 0; i < n; i++)
        f(m, q, lp, g);
    clock_gettime(CLOCK_MONOTONIC, &b);
    return (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
}
"""
folder = tempfile.mkdtemp()
with open(os.path.join(folder, "loop.c"), "w") as out:
    out.write(LOOP)
subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", folder + "/loop.so", folder + "/loop.c"], check=True)
run = c.CDLL(folder + "/loop.so").run
run.restype = c.c_double
P = c.POINTER(c.c_double)
run.argtypes = [c.c_void_p, c.c_void_p, P, P, P, c.c_long]
for name, (code, d) in models.items():
    key = "distribution/grad-posterior-" + name + "/f64"
    if not re.search(opt.only, key):
        continue
    model = stanli.Model(stan_code=code, data=d)
    lib, handle = stanli._lib, model._m
    n = lib.stanli_n_unconstrained(handle)
    q = np.array([0.3 + 0.05 * (i % 7) for i in range(n)])
    g, lp = np.zeros(n), np.zeros(1)
    args = [c.cast(lib.stanli_grad, c.c_void_p), handle] + [v.ctypes.data_as(P) for v in (q, lp, g)]
    run(*args, 100)
    many = max(int(opt.seconds / 7 / (run(*args, 1000) / 1000)), 1)
    ms = sorted(1e3 * run(*args, many) / many for _ in range(7))[3]
    print(json.dumps({"id": key, "peer": "stanli", "ms": ms, "check": [float(abs(g).sum()), float((g / np.arange(1, n + 1)).sum())]}))
