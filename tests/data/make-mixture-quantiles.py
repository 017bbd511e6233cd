# writes mixture-quantiles.inc: quantiles of a mixture of three normal laws (SciPy)
import numpy as np
from scipy.optimize import brentq
from scipy.stats import norm
w = np.exp([0.2, -0.7, 1.1])
w /= w.sum()
f = lambda x: (w * norm.cdf(x, [-3, 0.5, 2.25], [0.5, 2, 0.25])).sum()
for p in (1e-12, 0.03, 0.2, 0.5, 0.83, 0.999999):
    print("%.17g," % brentq(lambda x: f(x) - p, -40, 40, xtol=1e-14, rtol=1e-15, maxiter=500))
