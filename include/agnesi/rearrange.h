/**
 * agnesi/rearrange.h - joining, splitting, repeating and turning
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef AGNESI_REARRANGE_H
#define AGNESI_REARRANGE_H

#include <agnesi/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- joining ---------------------------------------------------------------------- */

/**
 * agn_concat - join along an axis
 *
 * Of sparse tensors it is sparse, in the layout of the first of them where that can be; every
 * element of a dense one beside them becomes an entry.
 *
 * @param out   out; dtypes promote
 * @param xs    n tensors, equal in shape but for the axis
 * @param n     at least 1
 * @param axis  in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_ESHAPE (shapes differ, 0-D), AGN_EINDEX, AGN_EARG (n < 1), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_concat(agn_tensor **out, const agn_tensor *const *xs,
                                             int32_t n, int32_t axis);

/**
 * agn_stack - join along a new axis
 *
 * Sparse tensors and dense ones among them as in agn_concat.
 *
 * @param out   out; dtypes promote
 * @param xs    n tensors of one shape
 * @param n     at least 1
 * @param axis  place of the new axis, in [-ndim - 1, ndim]
 * @errors      AGN_ENULL, AGN_ESHAPE (shapes differ), AGN_EINDEX, AGN_EARG (n < 1), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_stack(agn_tensor **out, const agn_tensor *const *xs,
                                            int32_t n, int32_t axis);

/**
 * agn_hstack - join along the second axis, vectors along their own
 *
 * @param out  out, dtypes promote
 * @param xs   n tensors, equal in shape but for that axis
 * @param n    at least 1
 * @errors     AGN_ENULL, AGN_ESHAPE (shapes differ), AGN_EARG (n < 1), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_hstack(agn_tensor **out,
                                             const agn_tensor *const *xs, int32_t n);

/**
 * agn_vstack - join rows: vectors are rows of a matrix
 *
 * @param out  out, dtypes promote
 * @param xs   n tensors, equal in shape but for the first axis
 * @param n    at least 1
 * @errors     AGN_ENULL, AGN_ESHAPE (shapes differ), AGN_EARG (n < 1), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_vstack(agn_tensor **out,
                                             const agn_tensor *const *xs, int32_t n);

/**
 * agn_dstack - join along the third axis, which vectors and matrices get
 *
 * @param out  out, dtypes promote
 * @param xs   n tensors, equal in shape but for that axis
 * @param n    at least 1
 * @errors     AGN_ENULL, AGN_ESHAPE (shapes differ), AGN_EARG (n < 1), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_dstack(agn_tensor **out,
                                             const agn_tensor *const *xs, int32_t n);

/**
 * agn_column_stack - join columns: vectors are columns of a matrix
 *
 * @param out  out, dtypes promote
 * @param xs   n vectors or matrices with equally many rows
 * @param n    at least 1
 * @errors     AGN_ENULL, AGN_ESHAPE (shapes differ), AGN_EARG (n < 1), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_column_stack(agn_tensor **out,
                                                   const agn_tensor *const *xs,
                                                   int32_t n);

/**
 * agn_append - two tensors joined along an axis
 *
 * @param out   out, dtypes promote
 * @param x     any dtype
 * @param v     shape of x but for the axis
 * @param axis  in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_ESHAPE (shapes differ, 0-D), AGN_EINDEX, AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_append(agn_tensor **out, const agn_tensor *x,
                                             const agn_tensor *v, int32_t axis);

/**
 * agn_insert - slices put in front of elements of an axis
 *
 * @param out   out, x with the slices of v in it; dtype of x
 * @param x     any dtype
 * @param idx   integers in [-size, size]: places in x, on the host; one number serves
 *              for all slices of v
 * @param v     broadcasts to the slices; with one number it may lack the axis
 * @param axis  in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_EDTYPE (idx not integer), AGN_EINDEX, AGN_ESHAPE,
 *              AGN_ESYMBOLIC (idx while tracing), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_insert(agn_tensor **out, const agn_tensor *x,
                                             const agn_tensor *idx, const agn_tensor *v,
                                             int32_t axis);

/**
 * agn_delete - elements of an axis taken away
 *
 * @param out   out, x without them
 * @param x     any dtype
 * @param idx   integers in [-size, size), on the host; one may come twice
 * @param axis  in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_EDTYPE (idx not integer), AGN_EINDEX, AGN_ESHAPE (rank of
 *              idx), AGN_ESYMBOLIC (idx while tracing), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_delete(agn_tensor **out, const agn_tensor *x,
                                             const agn_tensor *idx, int32_t axis);

/* ---- splitting -------------------------------------------------------------------- */

/**
 * agn_split - parts of given sizes
 *
 * @param out    out, n_out views
 * @param n_out  number of parts, at least 1
 * @param x      any dtype
 * @param sizes  n_out sizes that add up to that of the axis, 0 too; NULL for equal ones
 * @param axis   in [-ndim, ndim)
 * @errors       AGN_ENULL, AGN_EARG (n_out < 1), AGN_EINDEX, AGN_ESHAPE (sizes do not
 *               fit), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_split(agn_tensor **out, int32_t n_out,
                                            const agn_tensor *x, const int64_t *sizes,
                                            int32_t axis);

/**
 * agn_tensor_split - parts between cuts, or nearly equal ones
 *
 * As in NumPy, negative cuts count from the end, and a part between cuts that go
 * backwards is empty.
 *
 * @param out    out, n_out views
 * @param n_out  number of parts, at least 1
 * @param x      any dtype
 * @param cuts   n_out - 1 bounds of slices, or NULL: parts differ by 1 at most, larger
 *               ones first
 * @param axis   in [-ndim, ndim)
 * @errors       AGN_ENULL, AGN_EARG (n_out < 1), AGN_EINDEX, AGN_ESHAPE (0-D),
 *               AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_tensor_split(agn_tensor **out, int32_t n_out,
                                                   const agn_tensor *x,
                                                   const int64_t *cuts, int32_t axis);

/**
 * agn_vsplit - agn_tensor_split along the first axis
 *
 * @param out    out, n_out views
 * @param n_out  number of parts, at least 1
 * @param x      any dtype, at least two axes
 * @param cuts   n_out - 1 bounds of slices, or NULL: parts differ by 1 at most, larger
 *               ones first
 * @errors       AGN_ENULL, AGN_EARG (n_out < 1), AGN_ESHAPE (too few axes), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_vsplit(agn_tensor **out, int32_t n_out,
                                             const agn_tensor *x, const int64_t *cuts);

/**
 * agn_hsplit - agn_tensor_split along the second, of a vector its own, axis
 *
 * @param out    out, n_out views
 * @param n_out  number of parts, at least 1
 * @param x      any dtype, at least one axis
 * @param cuts   n_out - 1 bounds of slices, or NULL: parts differ by 1 at most, larger
 *               ones first
 * @errors       AGN_ENULL, AGN_EARG (n_out < 1), AGN_ESHAPE (too few axes), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_hsplit(agn_tensor **out, int32_t n_out,
                                             const agn_tensor *x, const int64_t *cuts);

/**
 * agn_dsplit - agn_tensor_split along the third axis
 *
 * @param out    out, n_out views
 * @param n_out  number of parts, at least 1
 * @param x      any dtype, at least three axes
 * @param cuts   n_out - 1 bounds of slices, or NULL: parts differ by 1 at most, larger
 *               ones first
 * @errors       AGN_ENULL, AGN_EARG (n_out < 1), AGN_ESHAPE (too few axes), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_dsplit(agn_tensor **out, int32_t n_out,
                                             const agn_tensor *x, const int64_t *cuts);

/**
 * agn_unbind - each element of an axis by itself
 *
 * @param out    out, n_out views without the axis
 * @param n_out  the size of the axis
 * @param x      any dtype
 * @param axis   in [-ndim, ndim)
 * @errors       AGN_ENULL, AGN_EINDEX, AGN_ESHAPE (n_out is not the size), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_unbind(agn_tensor **out, int32_t n_out,
                                             const agn_tensor *x, int32_t axis);

/* ---- repeating and turning -------------------------------------------------------- */

/**
 * agn_tile - the whole repeated along axes
 *
 * @param out    out, axis i has size times[i] times that of x
 * @param x      any dtype
 * @param n      number of last axes that are repeated; new ones come in front
 * @param times  n numbers, 0 or more
 * @errors       AGN_ENULL, AGN_ESHAPE (negative, rank), AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_tile(agn_tensor **out, const agn_tensor *x,
                                           int32_t n, const int64_t *times);

/**
 * agn_repeat_interleave - each element of an axis several times
 *
 * @param out     out, the axis has the sum of counts
 * @param x       any dtype
 * @param counts  integers, 0 or more, read on the host: one, or one for each element
 * @param axis    in [-ndim, ndim)
 * @errors        AGN_ENULL, AGN_EDTYPE (counts not integer), AGN_ESHAPE, AGN_EINDEX,
 *                AGN_EARG (negative count), AGN_ESYMBOLIC (counts while tracing),
 *                AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_repeat_interleave(agn_tensor **out,
                                                        const agn_tensor *x,
                                                        const agn_tensor *counts,
                                                        int32_t axis);

/**
 * agn_flip - reverse axes
 *
 * @param out   out, shape of x; a view
 * @param x     any dtype
 * @param axes  n different axes; NULL for all
 * @param n     number of axes
 * @errors      AGN_ENULL, AGN_EINDEX, AGN_EARG (axis twice), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_flip(agn_tensor **out, const agn_tensor *x,
                                           const int32_t *axes, int32_t n);

/**
 * agn_roll - elements moved round cyclically
 *
 * @param out     out, shape of x
 * @param x       any dtype
 * @param shifts  n numbers of any size; positive ones move to higher places
 * @param axes    n axes; shifts of equal ones add; NULL: the flattened x by one shift
 * @param n       number of shifts
 * @errors        AGN_ENULL, AGN_EINDEX, AGN_EARG (n), AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_roll(agn_tensor **out, const agn_tensor *x,
                                           const int64_t *shifts, const int32_t *axes,
                                           int32_t n);

/**
 * agn_rot90 - quarter turns in a plane
 *
 * @param out    out, a view
 * @param x      any dtype
 * @param k      number of turns from axis1 to axis2; negative ones turn back
 * @param axis1  in [-ndim, ndim)
 * @param axis2  another axis
 * @errors       AGN_ENULL, AGN_EINDEX, AGN_EARG (axes are the same), AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_rot90(agn_tensor **out, const agn_tensor *x,
                                            int64_t k, int32_t axis1, int32_t axis2);

/**
 * agn_crop - a box out of the array
 *
 * @param out     out, [shape...]; a view
 * @param x       any dtype
 * @param n       number of axes; must be ndim of x
 * @param offset  n places of its first element
 * @param shape   n sizes; -1: to the end
 * @errors        AGN_ENULL, AGN_ESHAPE (n), AGN_EINDEX (the box is not inside),
 *                AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_crop(agn_tensor **out, const agn_tensor *x,
                                           int32_t n, const int64_t *offset,
                                           const int64_t *shape);

/* ---- margins ---------------------------------------------------------------------- */

/**
 * agn_pad - surround with a number
 *
 * @param out    out, axis i has size lo[i] + size + hi[i]
 * @param x      any dtype
 * @param n      number of axes; must be ndim of x
 * @param lo     n numbers of elements in front, not negative
 * @param hi     n numbers of elements behind, not negative
 * @param value  the number, converted to the dtype of x
 * @errors       AGN_ENULL, AGN_ESHAPE (n differs, negative padding), AGN_EDOMAIN (value is no
 *               integer of the dtype), AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_pad(agn_tensor **out, const agn_tensor *x, int32_t n,
                                          const int64_t *lo, const int64_t *hi, double value);

/** What margins are made of: each end of an axis repeated; the axis mirrored, its ends once or
    twice; repeated as it is; a straight line from its end to 0; a statistic of it; whatever is
    the least work, which is 0. */
typedef int32_t agn_pad_kind;
enum {
    AGN_PAD_EDGE,
    AGN_PAD_REFLECT,
    AGN_PAD_SYMMETRIC,
    AGN_PAD_WRAP,
    AGN_PAD_LINEAR_RAMP,
    AGN_PAD_MAXIMUM,
    AGN_PAD_MINIMUM,
    AGN_PAD_MEAN,
    AGN_PAD_MEDIAN,
    AGN_PAD_EMPTY
};

/**
 * agn_pad_with - surround with what the array itself holds
 *
 * Integers are rounded in means and medians, and rounded down in ramps.
 *
 * @param out   out, axis i has size lo[i] + size + hi[i]
 * @param x     any dtype
 * @param n     number of axes; must be ndim of x
 * @param lo    n numbers of elements in front, not negative, of any size
 * @param hi    n numbers of elements behind
 * @param kind  as NumPy's pad; axis after axis
 * @errors      AGN_ENULL, AGN_ESHAPE (n differs, negative padding, an empty axis, but of
 *              AGN_PAD_EMPTY),
 *              AGN_EARG (no such kind), AGN_EDTYPE (order of complex numbers),
 *              AGN_ENOMEM
 * @grad        everywhere; of extremes the first
 * @cost        O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_pad_with(agn_tensor **out, const agn_tensor *x,
                                               int32_t n, const int64_t *lo,
                                               const int64_t *hi, agn_pad_kind kind);

#ifdef __cplusplus
}
#endif
#endif
