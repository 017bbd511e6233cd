/**
 * agnesi/order.h - sorting and searching
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * NaN is larger than every number and comes last in either direction; equal elements keep
 * their order.
 */
#ifndef AGNESI_ORDER_H
#define AGNESI_ORDER_H

#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * agn_sort - sort along an axis
 *
 * @param out         out, shape of x
 * @param x           bool i32 i64 f32 f64
 * @param axis        in [-ndim, ndim)
 * @param descending  largest first
 * @errors            AGN_ENULL, AGN_EDTYPE, AGN_EINDEX, AGN_ENOMEM
 * @grad              to the element that was moved there
 * @cost              O(n log n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sort(agn_tensor **out, const agn_tensor *x, int32_t axis,
                                           bool descending);

/**
 * agn_argsort - the permutation that sorts along an axis
 *
 * @param out         out, i64, shape of x
 * @param x           bool i32 i64 f32 f64
 * @param axis        in [-ndim, ndim)
 * @param descending  largest first
 * @errors            AGN_ENULL, AGN_EDTYPE, AGN_EINDEX, AGN_ENOMEM
 * @grad              none: indices
 * @cost              O(n log n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_argsort(agn_tensor **out, const agn_tensor *x,
                                              int32_t axis, bool descending);

/**
 * agn_searchsorted - where values would have to go to keep rows sorted
 *
 * The first place with element >= value, or with right the first one with element > value.
 *
 * @param out     out, i64, shape of x: places in 0 to n
 * @param sorted  [n], one row for all values, or [b.., n] with x [b.., any..]; ascending
 * @param x       values; dtypes meet by promotion
 * @param right   behind equal elements, not before them
 * @errors        AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (rows that x has not), AGN_ENOMEM
 * @grad          none: indices
 * @cost          O(m log n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_searchsorted(agn_tensor **out, const agn_tensor *sorted,
                                                   const agn_tensor *x, bool right);

/**
 * agn_bucketize - the bucket of each value between ascending edges
 *
 * @param out    out, i64, shape of x: 0 below the first edge, n from the last one on
 * @param x      values
 * @param edges  [n], ascending
 * @param right  a value equal to an edge belongs to the bucket above it
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (edges of more than one axis), AGN_ENOMEM
 * @grad         none: indices
 * @cost         O(m log n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_bucketize(agn_tensor **out, const agn_tensor *x,
                                                const agn_tensor *edges, bool right);

/**
 * agn_topk - the k largest or smallest elements along an axis, in order
 *
 * The first of equals; NaN only where nothing else is left.
 *
 * @param values   out, x with k elements along the axis
 * @param indices  out, i64, the same shape: where they were
 * @param x        bool i32 i64 f32 f64; others by promotion
 * @param k        0 to the size of the axis
 * @param axis     in [-ndim, ndim)
 * @param largest  largest first, else smallest first
 * @errors         AGN_ENULL, AGN_EDTYPE, AGN_EINDEX, AGN_EARG (k), AGN_ENOMEM
 * @grad           of values: to the elements that were taken
 * @cost           O(n + k log k)
 */
AGN_API AGN_MUST_CHECK agn_status agn_topk(agn_tensor **values, agn_tensor **indices,
                                           const agn_tensor *x, int64_t k, int32_t axis,
                                           bool largest);

/**
 * agn_kthvalue - the k-th smallest element along an axis
 *
 * @param values   out, x without the axis; with it as 1 if keep
 * @param indices  out, i64, the same shape: where it was
 * @param x        bool i32 i64 f32 f64; others by promotion
 * @param k        1 to the size of the axis
 * @param axis     in [-ndim, ndim)
 * @param keep     keep the axis with size 1
 * @errors         AGN_ENULL, AGN_EDTYPE, AGN_EINDEX, AGN_EARG (k), AGN_ENOMEM
 * @grad           of values: to the element that was taken
 * @cost           O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_kthvalue(agn_tensor **values, agn_tensor **indices,
                                               const agn_tensor *x, int64_t k, int32_t axis,
                                               bool keep);

/**
 * agn_mode - the most frequent element along an axis
 *
 * The smallest of equally frequent ones, and where it comes first. NaN differs from NaN.
 *
 * @param values   out, x without the axis; with it as 1 if keep
 * @param indices  out, i64, the same shape: where it was
 * @param x        bool i32 i64 f32 f64; others by promotion
 * @param axis     in [-ndim, ndim)
 * @param keep     keep the axis with size 1
 * @errors         AGN_ENULL, AGN_EDTYPE, AGN_EINDEX, AGN_ESHAPE (empty axis),
 *                 AGN_ENOMEM
 * @grad           of values: to the first of the equal elements
 * @cost           O(n log n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_mode(agn_tensor **values, agn_tensor **indices,
                                           const agn_tensor *x, int32_t axis, bool keep);

/**
 * agn_partition - smaller elements before a place, larger ones behind it
 *
 * The whole axis is sorted, which is a partition at every place.
 *
 * @param out   out, shape of x
 * @param x     bool i32 i64 f32 f64; others by promotion
 * @param kth   a place in [-size, size)
 * @param axis  in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX (axis, place), AGN_ENOMEM
 * @grad        to the element that was moved there
 * @cost        O(n log n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_partition(agn_tensor **out, const agn_tensor *x,
                                                int64_t kth, int32_t axis);

/**
 * agn_argpartition - the permutation of agn_partition
 *
 * @param out   out, i64, shape of x
 * @param x     bool i32 i64 f32 f64; others by promotion
 * @param kth   a place in [-size, size)
 * @param axis  in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX (axis, place), AGN_ENOMEM
 * @grad        none: indices
 * @cost        O(n log n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_argpartition(agn_tensor **out, const agn_tensor *x,
                                                   int64_t kth, int32_t axis);

/**
 * agn_lexsort - the permutation that sorts by several keys
 *
 * The last key decides first, as in NumPy.
 *
 * @param out   out, i64, shape of each key
 * @param keys  n tensors of one shape
 * @param n     number of keys
 * @param axis  in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_EARG (no key), AGN_ESHAPE (shapes differ), AGN_EDTYPE,
 *              AGN_EINDEX, AGN_ENOMEM
 * @grad        none: indices
 * @cost        O(n log n) for each key
 */
AGN_API AGN_MUST_CHECK agn_status agn_lexsort(agn_tensor **out,
                                              const agn_tensor *const *keys, int32_t n,
                                              int32_t axis);

/* ---- as many results as the values say ------------------------------------------- */

/**
 * agn_unique - distinct elements, ascending
 *
 * NaN are one element.
 *
 * @param values   out, [k]
 * @param index    out, i64, [k]: where each comes first in x as one axis; may be NULL
 * @param inverse  out, i64, shape of x: the place of each element in values; may be
 *                 NULL
 * @param counts   out, i64, [k]; may be NULL
 * @param x        bool i32 i64 f32 f64; others by promotion
 * @errors         AGN_ENULL, AGN_EDTYPE (complex), AGN_ESYMBOLIC (no values while
 *                 tracing), AGN_EDEVICE (not host memory), AGN_ENOMEM
 * @grad           of values: to the first of equal elements
 * @cost           O(n log n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_unique(agn_tensor **values, agn_tensor **index,
                                             agn_tensor **inverse, agn_tensor **counts,
                                             const agn_tensor *x);

/**
 * agn_unique_along - distinct slices of an axis, ascending by their elements
 *
 * NaN are one element.
 *
 * @param values   out, x with k slices
 * @param index    out, i64, [k]: where each comes first; may be NULL
 * @param inverse  out, i64, one for each slice of x: its place in values; may be NULL
 * @param counts   out, i64, [k]; may be NULL
 * @param x        bool i32 i64 f32 f64; others by promotion
 * @param axis     in [-ndim, ndim)
 * @errors         AGN_ENULL, AGN_EDTYPE (complex), AGN_EINDEX, AGN_ESYMBOLIC (no values
 *                 while tracing), AGN_EDEVICE (not host memory), AGN_ENOMEM
 * @grad           of values: to the first of equal slices
 * @cost           O(n log n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_unique_along(agn_tensor **values, agn_tensor **index,
                                                   agn_tensor **inverse,
                                                   agn_tensor **counts, const agn_tensor *x,
                                                   int32_t axis);

/**
 * agn_unique_consecutive - the first of each run of equal elements
 *
 * @param values   out, [k]
 * @param inverse  out, i64, shape of x: the run of each element; may be NULL
 * @param counts   out, i64, [k]: lengths of runs; may be NULL
 * @param x        any dtype; read as one axis
 * @errors         AGN_ENULL, AGN_ESYMBOLIC (no values while tracing), AGN_EDEVICE (not
 *                 host memory), AGN_ENOMEM
 * @grad           of values: to the first element of a run
 * @cost           O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_unique_consecutive(agn_tensor **values,
                                                         agn_tensor **inverse,
                                                         agn_tensor **counts,
                                                         const agn_tensor *x);

/**
 * agn_unique_consecutive_along - the first of each run of equal slices along an axis
 *
 * @param values   out, x with k slices
 * @param inverse  out, i64, one for each slice: its run; may be NULL
 * @param counts   out, i64, [k]: lengths of runs; may be NULL
 * @param x        any dtype
 * @param axis     in [-ndim, ndim)
 * @errors         AGN_ENULL, AGN_EINDEX, AGN_ESYMBOLIC (no values while tracing),
 *                 AGN_EDEVICE (not host memory), AGN_ENOMEM
 * @grad           of values: to the first slice of a run
 * @cost           O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_unique_consecutive_along(agn_tensor **values,
                                                               agn_tensor **inverse,
                                                               agn_tensor **counts,
                                                               const agn_tensor *x,
                                                               int32_t axis);

/**
 * agn_argwhere - coordinates of elements other than zero
 *
 * In the order of elements; NaN is not zero.
 *
 * @param out  out, i64, [k, ndim]
 * @param x    any dtype
 * @errors     AGN_ENULL, AGN_ESYMBOLIC (no values while tracing), AGN_EDEVICE (not host
 *             memory), AGN_ENOMEM
 * @grad       none: indices
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_argwhere(agn_tensor **out, const agn_tensor *x);

/**
 * agn_nonzero - coordinates of elements other than zero, axis by axis
 *
 * They index x: x[out[0], out[1], ...].
 *
 * @param out    out, n_out tensors, i64, [k]
 * @param n_out  number of axes of x, at least 1
 * @param x      any dtype
 * @errors       AGN_ENULL, AGN_ESHAPE (n_out), AGN_ESYMBOLIC (no values while tracing),
 *               AGN_EDEVICE (not host memory), AGN_ENOMEM
 * @grad         none: indices
 * @cost         O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nonzero(agn_tensor *out[], int32_t n_out,
                                              const agn_tensor *x);

#ifdef __cplusplus
}
#endif
#endif
