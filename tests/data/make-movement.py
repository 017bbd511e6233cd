#! /usr/bin/env python3
"""What NumPy (2 or later) gives for the functions of create.h, shape.h, rearrange.h and indexing.h:
pairs of a call as tests/t-movement.c reads it and the same in Python. Writes movement.inc.

    python3 make-movement.py > movement.inc
"""
import itertools

import numpy as np


def A(*shape):
    return np.arange(1, 1 + int(np.prod(shape)), dtype=float).reshape(shape)


def J(*v):
    return np.array(v, np.int64)


def B(*v):
    return np.array(v, bool)


def V(*v):
    return np.array(v, float)


def put_along(x, i, v, axis):
    y = x.copy()
    np.put_along_axis(y, i, v, axis)
    return y


def at(f, x, index, v, start=None):
    y = x.copy()
    if start is not None:
        y[index] = start
    f.at(y, index, v)
    return y


def setting(x, index, v):
    y = x.copy()
    y[index] = v
    return y


def scattered(f, x, rows, v, with_x, neutral):
    """rows of v to rows of x by a reduction"""
    y = x.copy()
    if not with_x:
        y[rows] = neutral
    f.at(y, rows, v)
    return y


def mean_rows(x, rows, v, with_x):
    y, many = x.copy(), np.ones(len(x))
    if not with_x:
        y[rows], many[rows] = 0, 0
    np.add.at(y, rows, v)
    np.add.at(many, rows, 1)
    return y / many[:, None]


def diag_embed(x, k, p, q):
    n = x.shape[-1] + abs(k)
    y = np.zeros(x.shape[:-1] + (n, n))
    i = np.arange(x.shape[-1])
    y[..., i + max(-k, 0), i + max(k, 0)] = x
    return np.moveaxis(y, (-2, -1), (p, q))


def diagonal_set(x, v, k, p, q):
    y = np.moveaxis(x.copy(), (p, q), (-2, -1))
    n = np.diagonal(y, k, -2, -1).shape[-1]
    i = np.arange(n)
    y[..., i + max(-k, 0), i + max(k, 0)] = v
    return np.moveaxis(y, (-2, -1), (p, q))


def masked_scatter(x, mask, v):
    y = x.copy()
    mask = np.broadcast_to(mask, x.shape)
    y[mask] = v.ravel()[:mask.sum()]
    return y


def windows(x, axis, size, step):
    w = np.lib.stride_tricks.sliding_window_view(x, size, axis)
    return w[(slice(None),) * (axis % x.ndim) + (slice(None, None, step),)]


def strided(x, shape, stride, offset):
    x = np.ascontiguousarray(x)
    return np.lib.stride_tricks.as_strided(x.ravel()[offset:], shape, [8 * s for s in stride])


E = np.newaxis
CASES = [
    # ---- create.h
    ('ag_zeros(s, AGN_F64, 2, L(2, 3))', 'np.zeros((2, 3))'),
    ('ag_zeros(s, AGN_I64, 1, L(0))', 'np.zeros(0, int)'),
    ('ag_ones(s, AGN_F64, 0, NULL)', 'np.ones(())'),
    ('ag_ones(s, AGN_BOOL, 1, L(3))', 'np.ones(3, bool)'),
    ('ag_zeros_like(s, J(1, 2))', 'np.zeros_like(J(1, 2))'),
    ('ag_ones_like(s, ag_transpose(s, A(2, 3)))', 'np.ones_like(A(2, 3).T)'),
    ('ag_full_like(s, A(2, 0), 3)', 'np.full_like(A(2, 0), 3)'),
    ('ag_full_like(s, A(2), -INFINITY)', 'np.full_like(A(2), -np.inf)'),
    ('ag_mul_c(s, ag_empty_like(s, A(0, 3)), 1)', 'np.empty_like(A(0, 3))'),
    ('ag_logspace(s, AGN_F64, 0, 3, 4, 10)', 'np.logspace(0, 3, 4)'),
    ('ag_logspace(s, AGN_F64, -1, 2, 4, 2)', 'np.logspace(-1, 2, 4, base=2)'),
    ('ag_logspace(s, AGN_F64, 1, 2, 0, 2)', 'np.logspace(1, 2, 0)'),
    ('ag_real(s, ag_polar(s, V(2, 0), V(0, 5)))', 'V(2, 0)'),
    ('ag_imag(s, ag_polar(s, V(2), V(0.5)))', '2 * np.sin(V(0.5))'),
    *[('ag_diag(s, A(3), %d)' % k, 'np.diag(A(3), %d)' % k) for k in (-2, 0, 1)],
    *[('ag_diag(s, A(%d, %d), %d)' % (m, n, k), 'np.diag(A(%d, %d), %d)' % (m, n, k))
      for m, n in ((4, 2), (2, 4)) for k in range(-3, 4)],
    ('ag_diag(s, A(0), 1)', 'np.diag(A(0), 1)'),
    ('ag_diagflat(s, A(2, 2), -1)', 'np.diagflat(A(2, 2), -1)'),
    ('ag_diagflat(s, A(), 0)', 'np.diagflat(A(), 0)'),
    *[('ag_diag_embed(s, A(2, 3), %d, %d, %d)' % c, 'diag_embed(A(2, 3), %d, %d, %d)' % c)
      for c in ((0, -2, -1), (1, -2, -1), (-2, 0, 2), (1, 2, 0), (0, 1, 0))],
    *[('ag_tri%s(s, A(%s), %d)' % (w, d, k), 'np.tri%s(A(%s), %d)' % (w, d, k))
      for w in 'lu' for d in ('3, 3', '2, 4', '4, 2', '2, 3, 3', '0, 3') for k in (-9, -1, 0, 1, 9)],
    *[('ag_tri%s_indices(s, %d, %d, %d)' % (w, m, n, k),
       'np.array(np.tri%s_indices(%d, %d, %d))' % (w, m, k, n))
      for w in 'lu' for m, n, k in ((3, 3, 0), (2, 4, 1), (4, 2, -2), (0, 3, 0), (3, 2, -9), (2, 2, 9))],
    ('ag_block_diag(s, T(A(2, 1), A(1, 2)), 2)',
     'np.array([[1., 0, 0], [2, 0, 0], [0, 1, 2]])'),
    ('ag_block_diag(s, T(A(), A(2), A(0, 1)), 3)', 'np.array([[1., 0, 0, 0], [0, 1, 2, 0]])'),
    *[('PART(%d, 2, agn_meshgrid(o, 2, T(A(2), A(3)), %s))' % (k, xy),
       'np.meshgrid(A(2), A(3), indexing="%s")[%d]' % ('xy' if xy == 'true' else 'ij', k))
      for k in (0, 1) for xy in ('true', 'false')],
    ('PART(2, 3, agn_meshgrid(o, 3, T(A(2), A(), A(3)), true))',
     'np.meshgrid(A(2), A(), A(3))[2]'),
    ('PART(1, 2, agn_ix_grid(o, 2, T(J(0, 2), B(1, 0, 1))))', 'np.ix_(J(0, 2), B(1, 0, 1))[1]'),
    ('PART(0, 2, agn_ix_grid(o, 2, T(J(0, 2), B(1, 0, 1))))', 'np.ix_(J(0, 2), B(1, 0, 1))[0]'),
    ('ag_cartesian_prod(s, T(A(2), A(3)), 2)', 'np.array(list(itertools.product(A(2), A(3))))'),
    ('ag_cartesian_prod(s, T(A(3)), 1)', 'A(3)'),
    ('ag_cartesian_prod(s, T(A(2), A(0)), 2)', 'np.zeros((0, 2))'),
    *[('ag_combinations(s, A(%d), %d, %s)' % (n, r, 'true' if rep else 'false'),
       'np.array(list(itertools.combinations%s(A(%d), %d))).reshape(-1, %d)'
       % ('_with_replacement' if rep else '', n, r, r))
      for n in (0, 1, 4) for r in (1, 2, 3) for rep in (0, 1)],
    ('ag_vander(s, A(3), 4, false)', 'np.vander(A(3), 4)'),
    ('ag_vander(s, A(3), 3, true)', 'np.vander(A(3), 3, True)'),
    ('ag_vander(s, A(2), 0, true)', 'np.vander(A(2), 0, True)'),
    ('ag_vander(s, J(0, -2), 3, true)', 'np.vander(J(0, -2), 3, True)'),
    # ---- shape.h
    ('ag_ravel(s, ag_transpose(s, A(2, 3)))', 'A(2, 3).T.ravel()'),
    ('ag_ravel(s, A())', 'A().ravel()'),
    ('ag_flatten(s, A(2, 3, 2), 1, -1)', 'A(2, 3, 2).reshape(2, 6)'),
    ('ag_flatten(s, A(2, 3, 2), 0, 1)', 'A(2, 3, 2).reshape(6, 2)'),
    ('ag_flatten(s, A(), 0, -1)', 'A().reshape(1)'),
    ('ag_unflatten(s, A(2, 6), 1, 2, L(-1, 2))', 'A(2, 6).reshape(2, 3, 2)'),
    ('ag_unflatten(s, A(6), -1, 3, L(1, 6, 1))', 'A(6).reshape(1, 6, 1)'),
    ('ag_reshape_like(s, A(6), A(2, 3))', 'A(6).reshape(2, 3)'),
    ('ag_broadcast_like(s, A(3), A(2, 3))', 'np.broadcast_to(A(3), (2, 3))'),
    *[('ag_atleast_%dd(s, A(%s))' % (r, d), 'np.atleast_%dd(A(%s))' % (r, d))
      for r in (1, 2, 3) for d in ('', '2', '2, 3', '2, 1, 2', '1, 2, 1, 2')],
    ('ag_moveaxis(s, A(2, 3, 4), X(0), X(-1), 1)', 'np.moveaxis(A(2, 3, 4), 0, -1)'),
    ('ag_moveaxis(s, A(2, 3, 4), X(2, 0), X(0, 1), 2)', 'np.moveaxis(A(2, 3, 4), (2, 0), (0, 1))'),
    ('ag_swapaxes(s, A(2, 3, 2), 0, -1)', 'np.swapaxes(A(2, 3, 2), 0, -1)'),
    ('ag_swapaxes(s, A(2, 3), 1, 1)', 'A(2, 3)'),
    *[('PART(%d, 2, agn_broadcast_arrays(o, T(A(3), A(2, 1)), 2))' % k,
       'np.broadcast_arrays(A(3), A(2, 1))[%d]' % k) for k in (0, 1)],
    ('ag_shape_of(s, A(2, 0, 3))', 'J(2, 0, 3)'),
    ('ag_shape_of(s, A())', 'J()'),
    ('ag_as_strided(s, A(6), 2, L(3, 2), L(2, 1), 0)', 'strided(A(6), (3, 2), (2, 1), 0)'),
    ('ag_as_strided(s, A(2, 3), 2, L(2, 3), L(1, 1), 1)', 'strided(A(2, 3), (2, 3), (1, 1), 1)'),
    ('ag_as_strided(s, ag_transpose(s, A(2, 3)), 2, L(2, 2), L(-1, 2), 1)',
     'strided(A(2, 3).T, (2, 2), (-1, 2), 1)'),
    ('ag_as_strided(s, A(3), 1, L(0), L(99), 77)', 'A(0)'),
    ('ag_as_strided(s, A(3), 0, NULL, NULL, 2)', 'A(3)[2]'),
    ('ag_as_strided(s, A(3), 2, L(2, 2), L(0, 0), 1)', 'np.full((2, 2), 2.)'),
    ('ag_unfold(s, A(7), 0, 3, 2)', 'windows(A(7), 0, 3, 2)'),
    ('ag_unfold(s, A(4, 3), 0, 2, 1)', 'windows(A(4, 3), 0, 2, 1)'),
    ('ag_unfold(s, ag_transpose(s, A(4, 3)), 1, 4, 1)', 'windows(A(4, 3).T, 1, 4, 1)'),
    ('ag_unfold(s, A(2, 5, 2), -2, 2, 3)', 'windows(A(2, 5, 2), 1, 2, 3)'),
    ('ag_unfold(s, A(3), 0, 0, 2)', 'np.zeros((2, 0))'),
    *[('ag_diagonal(s, A(2, 3, 4), %d, %d, %d)' % (k, p, q),
       'np.diagonal(A(2, 3, 4), %d, %d, %d)' % (k, p, q))
      for p, q in ((0, 1), (1, 0), (2, 0), (-1, -2), (0, -1)) for k in (-4, -1, 0, 2)],
    ('ag_diagonal(s, A(0, 3), 0, 0, 1)', 'np.diagonal(A(0, 3))'),
    ('ag_as_real(s, ag_complex(s, A(2), V(-1, -2)))', 'np.array([[1., -1], [2, -2]])'),
    ('ag_real(s, ag_as_complex(s, A(3, 2)))', 'A(3, 2)[:, 0]'),
    ('ag_imag(s, ag_as_complex(s, A(3, 2)))', 'A(3, 2)[:, 1]'),
    ('ag_imag(s, ag_as_complex(s, ag_transpose(s, A(2, 3))))', 'A(2, 3)[1]'),
    ('ag_bitcast(s, V(1, -0.0), AGN_I64)', 'V(1, -0.0).view(np.int64)'),
    # ---- rearrange.h
    ('ag_hstack(s, T(A(2), A(3)), 2)', 'np.hstack((A(2), A(3)))'),
    ('ag_hstack(s, T(A(2, 1), A(2, 2)), 2)', 'np.hstack((A(2, 1), A(2, 2)))'),
    ('ag_hstack(s, T(A(), A()), 2)', 'np.hstack((A(), A()))'),
    ('ag_vstack(s, T(A(2), A(3, 2)), 2)', 'np.vstack((A(2), A(3, 2)))'),
    ('ag_vstack(s, T(A(), A()), 2)', 'np.vstack((A(), A()))'),
    ('ag_dstack(s, T(A(2), A(2)), 2)', 'np.dstack((A(2), A(2)))'),
    ('ag_dstack(s, T(A(2, 2), A(2, 2, 3)), 2)', 'np.dstack((A(2, 2), A(2, 2, 3)))'),
    ('ag_column_stack(s, T(A(2), A(2, 2)), 2)', 'np.column_stack((A(2), A(2, 2)))'),
    ('ag_append(s, A(2, 2), A(1, 2), 0)', 'np.append(A(2, 2), A(1, 2), 0)'),
    ('ag_insert(s, A(4), J(1), V(9), 0)', 'np.insert(A(4), [1], 9)'),
    ('ag_insert(s, A(4), J(4, 0, 1, -1), V(7, 8, 9, 5), 0)',
     'np.insert(A(4), [4, 0, 1, -1], [7, 8, 9, 5])'),
    ('ag_insert(s, A(4), J(1, 1), V(7, 8), 0)', 'np.insert(A(4), [1, 1], [7, 8])'),
    ('ag_insert(s, A(2, 3), N(1), V(7, 8), 1)', 'np.insert(A(2, 3), 1, [7, 8], 1)'),
    ('ag_insert(s, A(2, 3), N(-1), V(7, 8, 9), 0)', 'np.insert(A(2, 3), -1, [7, 8, 9], 0)'),
    ('ag_insert(s, A(2, 3), J(0, 2), A(2, 2), 1)', 'np.insert(A(2, 3), [0, 2], A(2, 2), 1)'),
    ('ag_insert(s, A(3), N(2), V(7, 8), 0)', 'np.insert(A(3), 2, [7, 8])'),
    ('ag_delete(s, A(5), J(1, -1, 1), 0)', 'np.delete(A(5), [1, -1])'),
    ('ag_delete(s, A(2, 3), N(1), 1)', 'np.delete(A(2, 3), 1, 1)'),
    ('ag_delete(s, A(2, 3), J(), 0)', 'A(2, 3)'),
    *[('PART(%d, 3, agn_split(o, 3, A(5, 2), L(2, 0, 3), 0))' % k,
       'np.split(A(5, 2), [2, 2])[%d]' % k) for k in range(3)],
    *[('PART(%d, 2, agn_split(o, 2, A(2, 4), NULL, -1))' % k, 'np.split(A(2, 4), 2, 1)[%d]' % k)
      for k in range(2)],
    *[('PART(%d, 3, agn_tensor_split(o, 3, A(7), NULL, 0))' % k, 'np.array_split(A(7), 3)[%d]' % k)
      for k in range(3)],
    *[('PART(%d, 4, agn_tensor_split(o, 4, A(7), L(3, 2, -1), 0))' % k,
       'np.array_split(A(7), [3, 2, -1])[%d]' % k) for k in range(4)],
    *[('PART(%d, 4, agn_tensor_split(o, 4, A(2), NULL, 0))' % k, 'np.array_split(A(2), 4)[%d]' % k)
      for k in range(4)],
    ('PART(1, 2, agn_vsplit(o, 2, A(4, 2), NULL))', 'np.vsplit(A(4, 2), 2)[1]'),
    ('PART(1, 2, agn_hsplit(o, 2, A(4), NULL))', 'np.hsplit(A(4), 2)[1]'),
    ('PART(1, 2, agn_hsplit(o, 2, A(2, 4), L(3)))', 'np.hsplit(A(2, 4), [3])[1]'),
    ('PART(0, 2, agn_dsplit(o, 2, A(1, 2, 4), NULL))', 'np.dsplit(A(1, 2, 4), 2)[0]'),
    ('PART(2, 3, agn_unbind(o, 3, A(2, 3), 1))', 'A(2, 3)[:, 2]'),
    ('ag_tile(s, A(2), 1, L(3))', 'np.tile(A(2), 3)'),
    ('ag_tile(s, A(2, 3), 1, L(2))', 'np.tile(A(2, 3), 2)'),
    ('ag_tile(s, A(2, 1), 3, L(2, 1, 3))', 'np.tile(A(2, 1), (2, 1, 3))'),
    ('ag_tile(s, A(2, 3), 2, L(0, 2))', 'np.tile(A(2, 3), (0, 2))'),
    ('ag_tile(s, A(), 2, L(2, 2))', 'np.tile(A(), (2, 2))'),
    ('ag_repeat_interleave(s, A(2, 3), N(2), 1)', 'np.repeat(A(2, 3), 2, 1)'),
    ('ag_repeat_interleave(s, A(3), J(0, 2, 1), 0)', 'np.repeat(A(3), [0, 2, 1])'),
    ('ag_repeat_interleave(s, A(2, 2), J(3, 1), 0)', 'np.repeat(A(2, 2), [3, 1], 0)'),
    *[('ag_roll(s, A(5), L(%d), X(0), 1)' % k, 'np.roll(A(5), %d)' % k) for k in (-7, -1, 0, 2, 5, 13)],
    ('ag_roll(s, A(2, 3), L(1), NULL, 1)', 'np.roll(A(2, 3), 1)'),
    ('ag_roll(s, A(2, 3), L(1, -1), X(0, 1), 2)', 'np.roll(A(2, 3), (1, -1), (0, 1))'),
    ('ag_roll(s, A(2, 3), L(1, 4), X(1, -1), 2)', 'np.roll(A(2, 3), (1, 4), (1, 1))'),
    ('ag_roll(s, A(0), L(1), X(0), 1)', 'np.roll(A(0), 1)'),
    *[('ag_rot90(s, A(2, 3), %d, 0, 1)' % k, 'np.rot90(A(2, 3), %d)' % k) for k in range(-3, 5)],
    ('ag_rot90(s, A(2, 2, 3), 1, 2, 0)', 'np.rot90(A(2, 2, 3), 1, (2, 0))'),
    ('ag_crop(s, A(3, 4), 2, L(1, 0), L(-1, 2))', 'A(3, 4)[1:, :2]'),
    ('ag_crop(s, A(3), 1, L(3), L(0))', 'A(0)'),
    *[('ag_pad_with(s, A(%s), %d, L(%s), L(%s), AGN_PAD_%s)'
       % (d, d.count(',') + 1, lo, hi, mode.upper()),
       'np.pad(A(%s), list(zip([%s], [%s])), "%s"%s)' % (d, lo, hi, mode, ''))
      for mode in ('edge', 'reflect', 'symmetric', 'wrap', 'linear_ramp', 'maximum', 'minimum', 'mean',
                   'median')
      for d, lo, hi in (('3', '2', '1'), ('3', '0', '7'), ('1', '2', '3'), ('2, 3', '1, 0', '2, 4'))],
    ('ag_pad_with(s, J(1, 4), 1, L(1), L(2), AGN_PAD_MEAN)', 'np.pad(J(1, 4), (1, 2), "mean")'),
    ('ag_pad_with(s, J(1, 4), 1, L(1), L(2), AGN_PAD_MEDIAN)', 'np.pad(J(1, 4), (1, 2), "median")'),
    ('ag_slice(s, ag_pad_with(s, A(2, 3), 2, L(1, 0), L(2, 1), AGN_PAD_EMPTY), 2, L(1, 0), L(3, 3), NULL)',
     'np.pad(A(2, 3), ((1, 2), (0, 1)), "empty")[1:3, :3]'),
    ('ag_pad(s, A(2), 1, L(1), L(2), 0.5)', 'np.pad(A(2), (1, 2), constant_values=0.5)'),
    ('ag_pad(s, A(0, 2), 2, L(1, 0), L(0, 1), 3)', 'np.pad(A(0, 2), ((1, 0), (0, 1)), constant_values=3)'),
    # ---- indexing.h
    ('ag_scatter_put(s, A(3, 2), J(2, 0, 2), ag_neg(s, A(3, 2)), 0)',
     'setting(A(3, 2), [2, 0, 2], -A(3, 2))'),
    ('ag_put_along_axis(s, A(2, 3), ag_reshape(s, J(2, 0), 2, L(2, 1)), V(-1), 1)',
     'put_along(A(2, 3), J(2, 0).reshape(2, 1), -1, 1)'),
    ('ag_put_along_axis(s, A(2, 3), ag_reshape(s, J(1, -1), 2, L(2, 1)), ag_neg(s, A(2, 3)), 0)',
     'put_along(A(2, 3), np.repeat(J(1, -1).reshape(2, 1), 3, 1), -A(2, 3), 0)'),
    *[('ag_index_reduce(s, A(3, 2), J(2, 0, 2, -1), ag_sub_c(s, A(4, 2), 3), 0, AGN_REDUCE_%s, %s)'
       % (how, 'true' if w else 'false'), py % w)
      for w in (0, 1) for how, py in (
          ('SUM', 'scattered(np.add, A(3, 2), [2, 0, 2, -1], A(4, 2) - 3, %d, 0)'),
          ('PROD', 'scattered(np.multiply, A(3, 2), [2, 0, 2, -1], A(4, 2) - 3, %d, 1)'),
          ('MEAN', 'mean_rows(A(3, 2), [2, 0, 2, -1], A(4, 2) - 3, %d)'),
          ('AMAX', 'scattered(np.maximum, A(3, 2), [2, 0, 2, -1], A(4, 2) - 3, %d, -np.inf)'),
          ('AMIN', 'scattered(np.minimum, A(3, 2), [2, 0, 2, -1], A(4, 2) - 3, %d, np.inf)'))],
    *[('ag_transpose(s, ag_scatter_reduce(s, ag_transpose(s, A(3, 2)), ag_reshape(s, J(2, 0, 2, -1), '
       '2, L(1, 4)), ag_transpose(s, ag_sub_c(s, A(4, 2), 3)), 1, AGN_REDUCE_%s, %s))'
       % (how, 'true' if w else 'false'), py % w)
      for w in (0, 1) for how, py in (
          ('SUM', 'scattered(np.add, A(3, 2), [2, 0, 2, -1], A(4, 2) - 3, %d, 0)'),
          ('PROD', 'scattered(np.multiply, A(3, 2), [2, 0, 2, -1], A(4, 2) - 3, %d, 1)'),
          ('MEAN', 'mean_rows(A(3, 2), [2, 0, 2, -1], A(4, 2) - 3, %d)'),
          ('AMAX', 'scattered(np.maximum, A(3, 2), [2, 0, 2, -1], A(4, 2) - 3, %d, -np.inf)'),
          ('AMIN', 'scattered(np.minimum, A(3, 2), [2, 0, 2, -1], A(4, 2) - 3, %d, np.inf)'))],
    ('ag_index_reduce(s, V(1, NAN, 2, 3), J(0, 0, 1, 2), V(NAN, 5, 7, 9), 0, AGN_REDUCE_AMAX, true)',
     'V(np.nan, np.nan, 9, 3)'),
    ('ag_index_reduce(s, J(5, 6), J(0), J(-7), 0, AGN_REDUCE_AMIN, true)', 'J(-7, 6)'),
    ('ag_index_reduce(s, J(5, 6), J(0), J(2), 0, AGN_REDUCE_MEAN, true)', 'V(3.5, 6)'),
    ('ag_index_reduce(s, A(2, 2), J(), A(0, 2), 0, AGN_REDUCE_PROD, true)', 'A(2, 2)'),
    ('ag_index_fill(s, A(2, 3), J(0, -1), 1, V(9))', 'setting(A(2, 3), np.s_[:, [0, -1]], 9)'),
    ('ag_index_fill(s, A(3), B(1, 0, 1), 0, V(9))', 'setting(A(3), [0, 2], 9)'),
    ('ag_select_scatter(s, A(2, 3), V(8, 9), 1, -2)', 'setting(A(2, 3), np.s_[:, 1], [8, 9])'),
    ('ag_slice_scatter(s, A(5), V(8, 9), 1, L(4), L(0), L(-2))', 'setting(A(5), np.s_[4:0:-2], [8, 9])'),
    ('ag_slice_scatter(s, A(2, 3), V(7), 2, L(0, 1), L(1, AGN_END), NULL)',
     'setting(A(2, 3), np.s_[0:1, 1:], 7)'),
    *[('ag_diagonal_scatter(s, A(%s), V(-1), %d, %d, %d)' % (d, k, p, q),
       'diagonal_set(A(%s), -1, %d, %d, %d)' % (d, k, p, q))
      for d, p, q in (('4, 2', 0, 1), ('2, 4', 0, 1), ('2, 3, 3', 2, 0)) for k in range(-3, 4)],
    ('ag_gather_nd(s, A(2, 3), ag_reshape(s, J(0, 1, 1, -1), 2, L(2, 2)))', 'A(2, 3)[[0, 1], [1, -1]]'),
    ('ag_gather_nd(s, A(2, 3), ag_reshape(s, J(1, 0, 1), 2, L(3, 1)))', 'A(2, 3)[[1, 0, 1]]'),
    ('ag_gather_nd(s, A(2, 3), J(1, 2))', 'A(2, 3)[1, 2]'),
    ('ag_scatter_nd_add(s, A(2, 3), ag_reshape(s, J(0, 1, 0, 1), 2, L(2, 2)), V(10, 20))',
     'at(np.add, A(2, 3), ([0, 0], [1, 1]), [10, 20])'),
    ('ag_scatter_nd(s, ag_reshape(s, J(3, 1, 3), 2, L(3, 1)), A(3), 1, L(4))', 'V(0, 2, 0, 4)'),
    ('ag_take(s, A(2, 3), J(5, -1, 0), AGN_RANGE_CHECK)', 'np.take(A(2, 3), [5, -1, 0])'),
    ('ag_take(s, A(2, 3), J(7, -8, 0), AGN_RANGE_WRAP)', 'np.take(A(2, 3), [7, -8, 0], mode="wrap")'),
    ('ag_take(s, A(2, 3), J(7, -8, 2), AGN_RANGE_CLIP)', 'np.take(A(2, 3), [7, -8, 2], mode="clip")'),
    ('ag_take(s, A(0), J(), AGN_RANGE_WRAP)', 'A(0)'),
    ('ag_choose(s, J(1, 0, 1), T(A(3), ag_neg(s, A(2, 3))), 2, AGN_RANGE_CHECK)',
     'np.choose(J(1, 0, 1), [A(3), -A(2, 3)])'),
    ('ag_choose(s, J(5, -1, 1), T(A(3), V(0)), 2, AGN_RANGE_CLIP)',
     'np.choose(J(5, -1, 1), [A(3), V(0)], mode="clip")'),
    ('ag_choose(s, J(5, -1, 2), T(A(3), V(0)), 2, AGN_RANGE_WRAP)',
     'np.choose(J(5, -1, 2), [A(3), V(0)], mode="wrap")'),
    ('ag_choose(s, ag_reshape(s, J(1, 0), 2, L(2, 1)), T(A(2, 3), ag_neg(s, A(2, 3))), 2, '
     'AGN_RANGE_CHECK)', 'np.choose(J(1, 0)[:, E], [A(2, 3), -A(2, 3)])'),
    ('ag_select(s, T(B(1, 0, 0), V(9), B(1, 1, 0), A(3)), 4, V(-1))',
     'np.select([B(1, 0, 0), B(1, 1, 0)], [V(9, 9, 9), A(3)], -1)'),
    ('ag_piecewise(s, T(B(1, 0, 0), V(9), B(1, 1, 0), A(3)), 4, V(-1))',
     'np.piecewise(A(3), [B(1, 0, 0), B(1, 1, 0), B(0, 0, 1)], [9, lambda v: v, -1])'),
    ('ag_masked_fill(s, A(2, 3), B(1, 0, 1), V(0))', 'np.where(B(1, 0, 1), 0, A(2, 3))'),
    ('ag_masked_scatter(s, A(2, 3), B(1, 0, 1), ag_neg(s, A(5)))',
     'masked_scatter(A(2, 3), B(1, 0, 1), -A(5))'),
    ('ag_masked_scatter(s, A(2), B(0, 0), A(0))', 'A(2)'),
    ('ag_compress(s, A(2, 3), B(0, 1), 1)', 'np.compress([0, 1], A(2, 3), 1)'),
    ('ag_compress(s, A(3), B(1, 0, 1), 0)', 'np.compress([1, 0, 1], A(3))'),
    ('ag_extract(s, A(2, 2), B(1, 0, 0, 1))', 'np.extract([1, 0, 0, 1], A(2, 2))'),
    ('ag_shard_index(s, J(0, 9, 10, 19, 5), 20, 2, 1, -1)', 'J(-1, -1, 0, 9, -1)'),
]

TYPES = {'float64': 'AGN_F64', 'int64': 'AGN_I64', 'bool': 'AGN_BOOL'}


def number(v):
    v = float(v)
    return 'NAN' if v != v else 'INFINITY' if v == np.inf else '-INFINITY' if v == -np.inf \
        else '%d' % v if v == int(v) and abs(v) < 1e6 else repr(v)


def main():
    assert np.lib.NumpyVersion(np.__version__) >= '2.0.0'
    print('/* made by make-movement.py */')
    for c, python in CASES:
        y = np.asarray(eval(python))
        shape = ', '.join(map(str, y.shape)) or '0'
        values = ', '.join(map(number, y.ravel())) or '0'
        print('CASE(%s,\n     %s, %d, L(%s), R(%s))' % (c, TYPES[str(y.dtype)], y.ndim, shape, values))


if __name__ == '__main__':
    main()
