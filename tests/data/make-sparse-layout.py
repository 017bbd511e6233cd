"""Answers of SciPy and PyTorch for tests/t-sparse-edges.c, written to sparse-layout.inc.

Run by hand: python3 make-sparse-layout.py > sparse-layout.inc"""
import numpy as np
import scipy
import scipy.sparse as sp
import torch

rows, cols = [0, 0, 1, 3, 3, 3], [1, 3, 0, 0, 2, 3]
v = [1.5, -2.0, 0.75, 4.0, -0.5, 2.25]
w = [-1.0, 3.0, 0.5, 1.0, 2.0, -0.25]
a = sp.coo_array((v, (rows, cols)), shape=(4, 4)).tocsr()
b = sp.coo_array((w, (cols, rows)), shape=(4, 4)).tocsr()


def put(name, x):
    x = np.asarray(x.toarray() if sp.issparse(x) else x, float).ravel()
    print("static const double %s[] = {%s};" % (name, ", ".join(repr(float(t)) for t in x)))


print("/* Made by make-sparse-layout.py with SciPy %s and PyTorch %s. */" %
      (scipy.__version__, torch.__version__.split("+")[0]))
put("scipy_add", a + b)
put("scipy_mul", a * b)
put("scipy_max", a.maximum(b))
put("scipy_product", a @ b)
put("scipy_kron", sp.kron(a, b[:2, :3]))
put("scipy_tril", sp.tril(a, -1))
put("scipy_block", sp.block_array([[a, None], [b, a]]))
put("scipy_block_diag", sp.block_diag([a, b[:1]]))
put("scipy_diags", sp.diags_array([np.array([1., 2., 3.]), np.full(4, 5.)], offsets=[-1, 1],
                                  shape=(4, 5)))
put("scipy_colmax", a.max(axis=0))
t = torch.sparse_coo_tensor([rows, cols], v, (4, 4), dtype=torch.float64)
put("torch_softmax", torch.sparse.softmax(t, 1).coalesce().values().numpy())
put("torch_log_softmax", torch.sparse.log_softmax(t, 0).coalesce().values().numpy())
