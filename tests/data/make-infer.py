#!/usr/bin/env python3
# make-infer.py - answers for tests/t-infer-check.c: smoothed weights, leave-one-out and the widely applicable criterion
# by ArviZ.
#   make-infer.py >infer.inc        (ArviZ 0.19, NumPy)
import warnings
import numpy as np
import arviz as az

warnings.filterwarnings("ignore")


def uniform(n, by):  # a permutation of the midpoints of n cells
    return ((np.arange(n) * by) % n + 0.5) / n


def show(name, v):
    print("static const double %s[] = {%s};" % (name, ", ".join(repr(float(x)) for x in np.ravel(v))))


n = 1000
rows = np.stack([-c * np.log(uniform(n, 7919)) for c in (0.2, 0.6, 1.1)])
w, k = az.psislw(rows.copy(), reff=0.7)
show("psis_k", k)
show("psis_weights", w[:, [0, 1, 13, 137, 500, 999]])
top = np.argmax(rows[0])
show("psis_top", w[:, top])

# [chains, draws, numbers] of log likelihoods
chains, draws, numbers = 2, 500, 4
ll = np.stack([-0.5 * np.log(uniform(chains * draws, 7919 + 2 * j)) * (0.3 + 0.5 * j) * np.sin(np.arange(chains * draws) + j) - 1
               for j in range(numbers)], -1).reshape(chains, draws, numbers)
data = az.from_dict(posterior={"x": np.zeros((chains, draws))}, log_likelihood={"y": ll})
loo = az.loo(data, pointwise=True, reff=0.9)
waic = az.waic(data, pointwise=True)
show("loo_elpd", loo.loo_i.values)
show("loo_k", loo.pareto_k.values)
show("loo_p", [loo.p_loo])
show("waic_elpd", waic.waic_i.values)
show("waic_p", [waic.p_waic])
