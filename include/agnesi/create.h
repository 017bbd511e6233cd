/**
 * agnesi/create.h - arrays of few numbers, diagonals, triangles, grids
 *
 * The results lie on the CPU. What the ag_ forms of functions without operands give (ag_zeros,
 * ag_full, ag_eye, ag_arange, windows, ...) are constants of a body, which follow the other
 * operands to their device.
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef AGNESI_CREATE_H
#define AGNESI_CREATE_H

#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- one number ------------------------------------------------------------------- */

/**
 * agn_scope_adopt_constant - hand a new tensor to the scope, as a constant that follows operands to their device
 *
 * As agn_scope_adopt. An operator whose other operands lie on a device takes a copy of it there,
 * where another tensor of the host is refused.
 *
 * @param s   scope
 * @param st  status of the call that made *t; a failure makes the scope fail
 * @param t   where the reference is; taken over; t itself NULL makes the scope fail with AGN_ENULL
 * @return    *t, or NULL if the scope has failed
 */
AGN_API const agn_tensor *agn_scope_adopt_constant(agn_scope *s, agn_status st,
                                                   agn_tensor *const *t);

/**
 * agn_zeros - every element 0
 *
 * @param out    out, [shape...]
 * @param dtype  element type
 * @param ndim   0 to AGN_MAX_RANK
 * @param shape  ndim sizes
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_zeros(agn_tensor **out, agn_dtype dtype,
                                            int32_t ndim, const int64_t *shape);

/**
 * agn_ones - every element 1
 *
 * @param out    out, [shape...]
 * @param dtype  element type
 * @param ndim   0 to AGN_MAX_RANK
 * @param shape  ndim sizes
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_ones(agn_tensor **out, agn_dtype dtype,
                                           int32_t ndim, const int64_t *shape);

/**
 * agn_zeros_like - every element 0, in the image of another tensor
 *
 * @param out  out, shape, dtype and device of x
 * @param x    any dtype; not read
 * @errors     AGN_ENULL, AGN_EUNSUPPORTED (sparse), AGN_ENOMEM, AGN_EDEVICE
 * @grad       none: a constant
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_zeros_like(agn_tensor **out, const agn_tensor *x);

/**
 * agn_ones_like - every element 1, in the image of another tensor
 *
 * @param out  out, shape, dtype and device of x
 * @param x    any dtype; not read
 * @errors     AGN_ENULL, AGN_EUNSUPPORTED (sparse), AGN_ENOMEM, AGN_EDEVICE
 * @grad       none: a constant
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_ones_like(agn_tensor **out, const agn_tensor *x);

/**
 * agn_full_like - one number, in the image of another tensor
 *
 * @param out    out, shape, dtype and device of x
 * @param x      any dtype; not read
 * @param value  as in agn_full(): inf and NaN too
 * @errors       AGN_ENULL, AGN_EDOMAIN (no integer of the dtype), AGN_EUNSUPPORTED
 *               (sparse), AGN_ENOMEM, AGN_EDEVICE
 * @grad         none: a constant
 * @cost         O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_full_like(agn_tensor **out, const agn_tensor *x,
                                                double value);

/**
 * agn_empty_like - unspecified elements, in the image of another tensor
 *
 * @param out  out, shape, dtype and device of x
 * @param x    any dtype; not read
 * @errors     AGN_ENULL, AGN_EUNSUPPORTED (sparse), AGN_ENOMEM, AGN_EDEVICE
 * @grad       none: a constant
 * @cost       O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_empty_like(agn_tensor **out, const agn_tensor *x);

/**
 * agn_logspace - base to n evenly spaced powers
 *
 * @param out    out, [n]
 * @param dtype  a floating dtype
 * @param start  first power
 * @param stop   last power
 * @param n      number of points; one point is base to start
 * @param base   such as 10
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (negative n), AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_logspace(agn_tensor **out, agn_dtype dtype,
                                               double start, double stop, int64_t n,
                                               double base);

/* ---- diagonals and triangles ------------------------------------------------------ */

/**
 * agn_diag - a vector as a diagonal matrix, or the diagonal of a matrix
 *
 * @param out  out, [n + |k|, n + |k|] of [n]; [length] of [rows, cols], then a view
 * @param x    any dtype
 * @param k    0 is the main diagonal, positive ones are above
 * @errors     AGN_ENULL, AGN_ESHAPE (neither one nor two axes), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_diag(agn_tensor **out, const agn_tensor *x,
                                           int64_t k);

/**
 * agn_diagflat - a diagonal matrix of all elements
 *
 * @param out  out, [n + |k|, n + |k|] for n elements
 * @param x    any dtype
 * @param k    0 is the main diagonal, positive ones are above
 * @errors     AGN_ENULL, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_diagflat(agn_tensor **out, const agn_tensor *x,
                                               int64_t k);

/**
 * agn_diag_embed - the last axis as a diagonal of a new plane
 *
 * @param out    out, an axis more than x
 * @param x      any dtype, at least one axis
 * @param k      0 is the main diagonal, positive ones are above
 * @param axis1  rows of the plane: an axis of out
 * @param axis2  its columns
 * @errors       AGN_ENULL, AGN_ESHAPE (rank), AGN_EINDEX (axis), AGN_EARG (axes are the
 *               same), AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_diag_embed(agn_tensor **out, const agn_tensor *x,
                                                 int64_t k, int32_t axis1,
                                                 int32_t axis2);

/**
 * agn_tril - the lower triangle of each matrix; 0 above it
 *
 * @param out  out, shape of x
 * @param x    [..., rows, cols], any dtype
 * @param k    the last diagonal that stays, as in agn_diag()
 * @errors     AGN_ENULL, AGN_ESHAPE (fewer than two axes), AGN_ENOMEM
 * @grad       everywhere; what is not kept gets 0, whatever it is
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_tril(agn_tensor **out, const agn_tensor *x,
                                           int64_t k);

/**
 * agn_triu - the upper triangle of each matrix; 0 below it
 *
 * @param out  out, shape of x
 * @param x    [..., rows, cols], any dtype
 * @param k    the first diagonal that stays, as in agn_diag()
 * @errors     AGN_ENULL, AGN_ESHAPE (fewer than two axes), AGN_ENOMEM
 * @grad       everywhere; what is not kept gets 0, whatever it is
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_triu(agn_tensor **out, const agn_tensor *x,
                                           int64_t k);

/**
 * agn_tril_indices - coordinates of the lower triangle of a matrix
 *
 * @param out   out, [2, count] i64: rows, columns; row by row
 * @param rows  number of rows
 * @param cols  number of columns
 * @param k     the last diagonal, as in agn_diag()
 * @errors      AGN_ENULL, AGN_ESHAPE (negative size), AGN_ENOMEM
 * @grad        none: a constant
 * @cost        O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_tril_indices(agn_tensor **out, int64_t rows,
                                                   int64_t cols, int64_t k);

/**
 * agn_triu_indices - coordinates of the upper triangle of a matrix
 *
 * @param out   out, [2, count] i64: rows, columns; row by row
 * @param rows  number of rows
 * @param cols  number of columns
 * @param k     the first diagonal, as in agn_diag()
 * @errors      AGN_ENULL, AGN_ESHAPE (negative size), AGN_ENOMEM
 * @grad        none: a constant
 * @cost        O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_triu_indices(agn_tensor **out, int64_t rows,
                                                   int64_t cols, int64_t k);

/**
 * agn_block_diag - matrices along a diagonal, 0 beside them
 *
 * @param out  out, [sum of rows, sum of columns]; dtypes promote
 * @param xs   n matrices; a vector is a row, a number a matrix of one
 * @param n    at least 1
 * @errors     AGN_ENULL, AGN_ESHAPE (more than two axes), AGN_EARG (n < 1), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_block_diag(agn_tensor **out,
                                                 const agn_tensor *const *xs,
                                                 int32_t n);

/* ---- grids and combinations ------------------------------------------------------- */

/**
 * agn_meshgrid - vectors as coordinates on the grid they span
 *
 * @param out    out, n_out views of the shape of the grid
 * @param n_out  number of vectors, 1 to AGN_MAX_RANK
 * @param xs     n_out vectors or numbers
 * @param xy     the first two axes swapped, as for pictures
 * @errors       AGN_ENULL, AGN_ESHAPE (more than one axis), AGN_EARG (n_out),
 *               AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_meshgrid(agn_tensor **out, int32_t n_out,
                                               const agn_tensor *const *xs, bool xy);

/**
 * agn_ix_grid - vectors as indices of the grid they span (NumPy's ix_)
 *
 * @param out    out, n_out tensors of rank n_out for agn_ix_array()
 * @param n_out  number of vectors, 1 to AGN_MAX_RANK
 * @param xs     n_out vectors; of bools the places of the true ones
 * @errors       AGN_ENULL, AGN_ESHAPE (more than one axis), AGN_EARG (n_out),
 *               AGN_ESYMBOLIC (bools while tracing), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_ix_grid(agn_tensor **out, int32_t n_out,
                                              const agn_tensor *const *xs);

/**
 * agn_cartesian_prod - all tuples of the elements of vectors
 *
 * @param out  out, [count, n], the last vector running fastest; [size] for one vector
 * @param xs   n vectors or numbers; dtypes promote
 * @param n    1 to AGN_MAX_RANK
 * @errors     AGN_ENULL, AGN_ESHAPE (more than one axis), AGN_EARG (n), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_cartesian_prod(agn_tensor **out,
                                                     const agn_tensor *const *xs,
                                                     int32_t n);

/**
 * agn_combinations - all r-subsets of the elements of a vector
 *
 * @param out      out, [count, r], in lexicographic order of places
 * @param x        [n], any dtype
 * @param r        at least 1
 * @param repeats  may an element come again?
 * @errors         AGN_ENULL, AGN_ESHAPE (not one axis), AGN_EARG (r < 1), AGN_ENOMEM
 * @grad           everywhere
 * @cost           O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_combinations(agn_tensor **out,
                                                   const agn_tensor *x, int32_t r,
                                                   bool repeats);

/**
 * agn_vander - columns of powers
 *
 * @param out         out, [size, n]
 * @param x           [size], i32 i64 f32 f64 c64 c128; others by promotion
 * @param n           number of columns: powers 0 to n - 1
 * @param increasing  does power 0 come first?
 * @errors            AGN_ENULL, AGN_ESHAPE (not one axis), AGN_EARG (negative n),
 *                    AGN_EDTYPE, AGN_ENOMEM
 * @grad              everywhere, also at 0
 * @cost              O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_vander(agn_tensor **out, const agn_tensor *x,
                                             int32_t n, bool increasing);

#ifdef __cplusplus
}
#endif
#endif
