/**
 * agnesi/indexing.h - picking and writing by index
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Indices are i32 or i64 and checked before anything is written.
 */
#ifndef AGNESI_INDEXING_H
#define AGNESI_INDEXING_H

#include <agnesi/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- one grammar for all indices ------------------------------------------------ */

/** One entry of an index; made by the functions agn_ix_... */
typedef struct agn_ix {
    int32_t kind;
    int64_t start, stop, step; /* of a slice; start alone of an integer */
    const agn_tensor *array;   /* borrowed */
} agn_ix;
enum { AGN_IX_INT, AGN_IX_SLICE, AGN_IX_ELLIPSIS, AGN_IX_NEW, AGN_IX_ARRAY };

/* In C, the two arguments ix and n at once:
       ag_index(s, x, AGN_IX(agn_ix_int(3), agn_ix_ellipsis(), agn_ix_slice(0, AGN_END, 2))) */
#ifndef __cplusplus
#define AGN_IX(...) \
    (const agn_ix[]){__VA_ARGS__}, (int32_t)(sizeof((agn_ix[]){__VA_ARGS__}) / sizeof(agn_ix))
#endif

/**
 * agn_ix_int - the entry i: picks along one axis, which disappears
 *
 * @param i  in [-size, size) of the axis it meets
 * @return   an entry
 */
AGN_API agn_ix agn_ix_int(int64_t i);

/**
 * agn_ix_slice - the entry start:stop:step
 *
 * @param start  negative counts from the end, out of range is clipped; AGN_BEGIN: omitted
 * @param stop   the same; AGN_END: omitted
 * @param step   not 0
 * @return       an entry
 */
AGN_API agn_ix agn_ix_slice(int64_t start, int64_t stop, int64_t step);

/**
 * agn_ix_all - the entry : that keeps an axis
 *
 * @return  an entry
 */
AGN_API agn_ix agn_ix_all(void);

/**
 * agn_ix_ellipsis - the entry ... that keeps all axes the others do not name
 *
 * @return  an entry; an index has one at most
 */
AGN_API agn_ix agn_ix_ellipsis(void);

/**
 * agn_ix_new - the entry that makes a new axis of size 1
 *
 * @return  an entry
 */
AGN_API agn_ix agn_ix_new(void);

/**
 * agn_ix_array - the entry of an array of integers or of a mask
 *
 * Integers pick along one axis; arrays broadcast to one shape. A mask stands for the arrays of
 * the coordinates of its true elements and takes as many axes as it has; one of no axes takes
 * none and adds one of size 1 or 0.
 *
 * @param array  borrowed; integers or bool
 * @return       an entry
 */
AGN_API agn_ix agn_ix_array(const agn_tensor *array);

/**
 * agn_index - x[ix]: NumPy's indexing, basic, advanced and mixed
 *
 * The axes of arrays stand where the arrays stood if these are neighbours (integers beside them
 * count), else in front.
 *
 * @param out  out; a view where ix holds no array
 * @param x    any dtype
 * @param ix   n entries; axes they do not name are kept
 * @param n    0 or more
 * @errors     AGN_ENULL, AGN_EINDEX (out of range: names axis, index and size; too many
 *             indices), AGN_ESHAPE (arrays do not broadcast, a mask does not fit, rank),
 *             AGN_EDTYPE (array neither integer nor bool), AGN_EARG (step 0, two ellipses, a bad
 *             kind), AGN_ESYMBOLIC (a mask while tracing), AGN_EUNSUPPORTED (sparse), AGN_ENOMEM
 * @grad       everywhere in x; contributions of equal indices add
 * @cost       O(1) without arrays, else O(size of out), and O(size of x) where arrays are not
 *             neighbours
 */
AGN_API AGN_MUST_CHECK agn_status agn_index(agn_tensor **out, const agn_tensor *x,
                                            const agn_ix *ix, int32_t n);

/**
 * agn_index_put - a copy of x with x[ix] = v
 *
 * The last one of equal indices wins, in the row-major order of x[ix].
 *
 * @param out  out, shape of x
 * @param x    any dtype
 * @param ix   n entries
 * @param n    0 or more
 * @param v    broadcasts to x[ix]; surplus leading axes of size 1 are dropped; converted to the
 *             dtype of x
 * @errors     those of agn_index; AGN_ESHAPE (v does not broadcast: names both shapes),
 *             AGN_EDTYPE (v complex and x not)
 * @grad       everywhere in x and v; an overwritten element gets none
 * @cost       O(size of x + size of v)
 */
AGN_API AGN_MUST_CHECK agn_status agn_index_put(agn_tensor **out, const agn_tensor *x,
                                                const agn_ix *ix, int32_t n,
                                                const agn_tensor *v);

/**
 * agn_index_add - a copy of x with v added to x[ix]
 *
 * Equal indices add, in the row-major order of x[ix]: the same bits every time.
 *
 * @param out  out, shape of x
 * @param x    any dtype; bool is a logical or
 * @param ix   n entries
 * @param n    0 or more
 * @param v    broadcasts to x[ix], as in agn_index_put
 * @errors     those of agn_index_put
 * @grad       everywhere in x and v
 * @cost       O(size of x + size of v)
 */
AGN_API AGN_MUST_CHECK agn_status agn_index_add(agn_tensor **out, const agn_tensor *x,
                                                const agn_ix *ix, int32_t n,
                                                const agn_tensor *v);

/**
 * agn_index_str - x[text]: an index as one writes it in Python
 *
 * Entries, separated by commas, are integers, slices a:b:c, ..., None or newaxis, True,
 * False, and lists of integers [i, j, ...]; spaces may stand anywhere between them.
 *
 * @param out   out; a view where text holds no list
 * @param x     any dtype
 * @param text  such as "1:-1, ..., ::2"; "" keeps everything
 * @errors      those of agn_index; AGN_EFORMAT (names the place in text)
 * @grad        everywhere in x
 * @cost        as agn_index
 */
AGN_API AGN_MUST_CHECK agn_status agn_index_str(agn_tensor **out, const agn_tensor *x,
                                                const char *text);

/**
 * agn_index_put_str - a copy of x with x[text] = v
 *
 * @param out   out, shape of x
 * @param x     any dtype
 * @param text  as in agn_index_str
 * @param v     as in agn_index_put
 * @errors      those of agn_index_put; AGN_EFORMAT (names the place in text)
 * @grad        everywhere in x and v
 * @cost        O(size of x + size of v)
 */
AGN_API AGN_MUST_CHECK agn_status agn_index_put_str(agn_tensor **out, const agn_tensor *x,
                                                    const char *text, const agn_tensor *v);

/**
 * agn_index_add_str - a copy of x with v added to x[text]
 *
 * @param out   out, shape of x
 * @param x     any dtype
 * @param text  as in agn_index_str
 * @param v     as in agn_index_add
 * @errors      those of agn_index_add; AGN_EFORMAT (names the place in text)
 * @grad        everywhere in x and v
 * @cost        O(size of x + size of v)
 */
AGN_API AGN_MUST_CHECK agn_status agn_index_add_str(agn_tensor **out, const agn_tensor *x,
                                                    const char *text, const agn_tensor *v);

/* ---- gather and scatter --------------------------------------------------------- */

/**
 * agn_gather - pick slices along an axis by index
 *
 * @param out   out, shape of x with the axis replaced by the shape of idx
 * @param x     any dtype
 * @param idx   integers in [-size, size), any shape
 * @param axis  in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_EDTYPE (idx not integer), AGN_EINDEX (axis; an index out of range:
 *              names it), AGN_ESHAPE (rank), AGN_ENOMEM
 * @grad        everywhere in x; contributions of equal indices add
 * @cost        O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_gather(agn_tensor **out, const agn_tensor *x,
                                             const agn_tensor *idx, int32_t axis);

/**
 * agn_take_along_axis - pick elements along an axis, lane by lane
 *
 * @param out   out, shape of idx
 * @param x     any dtype; equal to idx in shape but for the axis
 * @param idx   integers in [-size, size)
 * @param axis  in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_EDTYPE (idx not integer), AGN_EINDEX, AGN_ESHAPE, AGN_ENOMEM
 * @grad        everywhere in x
 * @cost        O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_take_along_axis(agn_tensor **out, const agn_tensor *x,
                                                      const agn_tensor *idx, int32_t axis);

/**
 * agn_scatter_add - add slices into a copy of x at given places of an axis
 *
 * Adds in the order of idx: the same bits every time.
 *
 * @param out   out, shape of x
 * @param x     i32 i64 f32 f64 c64 c128
 * @param idx   integers in [-size, size), any shape
 * @param v     slices: shape of x with the axis replaced by the shape of idx
 * @param axis  in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX, AGN_ESHAPE (shape of v), AGN_ENOMEM
 * @grad        everywhere in x and v
 * @cost        O(size of x + size of v)
 */
AGN_API AGN_MUST_CHECK agn_status agn_scatter_add(agn_tensor **out, const agn_tensor *x,
                                                  const agn_tensor *idx, const agn_tensor *v,
                                                  int32_t axis);

/**
 * agn_scatter_put - a copy of x with slices at given places of an axis overwritten
 *
 * @param out   out, shape of x
 * @param x     any dtype
 * @param idx   integers in [-size, size), any shape
 * @param v     slices: shape of x with the axis replaced by the shape of idx
 * @param axis  in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX, AGN_ESHAPE (shape of v), AGN_ENOMEM
 * @grad        everywhere in x and v; of equal indices the last one counts
 * @cost        O(size of x + size of v)
 */
AGN_API AGN_MUST_CHECK agn_status agn_scatter_put(agn_tensor **out, const agn_tensor *x,
                                                  const agn_tensor *idx,
                                                  const agn_tensor *v, int32_t axis);

/**
 * agn_put_along_axis - write elements along an axis, lane by lane
 *
 * @param out   out, shape of x
 * @param x     any dtype
 * @param idx   integers in [-size, size); broadcasts to x but for the axis
 * @param v     broadcasts to that shape; converted to the dtype of x
 * @param axis  in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_EDTYPE (idx not integer), AGN_EINDEX, AGN_ESHAPE,
 *              AGN_ENOMEM
 * @grad        everywhere in x and v; of equal indices the last one counts
 * @cost        O(size of x + size of idx)
 */
AGN_API AGN_MUST_CHECK agn_status agn_put_along_axis(agn_tensor **out,
                                                     const agn_tensor *x,
                                                     const agn_tensor *idx,
                                                     const agn_tensor *v, int32_t axis);

/** How values that meet in one place are brought together. */
typedef int32_t agn_reduction;
enum { AGN_REDUCE_SUM, AGN_REDUCE_PROD, AGN_REDUCE_MEAN, AGN_REDUCE_AMAX, AGN_REDUCE_AMIN };

/**
 * agn_scatter_reduce - sums, products, means or extremes, lane by lane
 *
 * @param out   out, shape of x
 * @param x     i32 i64 f32 f64 c64 c128; no extremes of complex numbers
 * @param idx   integers in [-size, size); broadcasts to x but for the axis
 * @param v     broadcasts to that shape
 * @param axis  in [-ndim, ndim)
 * @param how   AGN_REDUCE_SUM, ...; a mean of integers is f64
 * @param self  does what x holds there take part? Where nothing comes, x stays
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX, AGN_ESHAPE, AGN_EARG (no such
 *              reduction), AGN_ENOMEM
 * @grad        everywhere in x and v: products right where values are 0, extremes
 *              shared equally among those that attain them
 * @cost        O(size of x + size of idx); products with the logarithm of its size
 */
AGN_API AGN_MUST_CHECK agn_status agn_scatter_reduce(agn_tensor **out,
                                                     const agn_tensor *x,
                                                     const agn_tensor *idx,
                                                     const agn_tensor *v, int32_t axis,
                                                     agn_reduction how, bool self);

/**
 * agn_index_reduce - sums, products, means or extremes of slices
 *
 * @param out   out, shape of x
 * @param x     i32 i64 f32 f64 c64 c128; no extremes of complex numbers
 * @param idx   [m] integers in [-size, size)
 * @param v     slices: shape of x with m for the axis
 * @param axis  in [-ndim, ndim)
 * @param how   AGN_REDUCE_SUM, ...; a mean of integers is f64
 * @param self  does what x holds there take part? Where nothing comes, x stays
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX, AGN_ESHAPE, AGN_EARG (no such
 *              reduction), AGN_ENOMEM
 * @grad        everywhere in x and v: products right where values are 0, extremes
 *              shared equally among those that attain them
 * @cost        O(size of x + size of v); products with the logarithm of m
 */
AGN_API AGN_MUST_CHECK agn_status agn_index_reduce(agn_tensor **out,
                                                   const agn_tensor *x,
                                                   const agn_tensor *idx,
                                                   const agn_tensor *v, int32_t axis,
                                                   agn_reduction how, bool self);

/* ---- filling and embedding -------------------------------------------------------- */

/**
 * agn_index_fill - a copy of x with slices of an axis overwritten by a value
 *
 * @param out   out, shape of x
 * @param x     any dtype
 * @param idx   integers in [-size, size), or a mask
 * @param axis  in [-ndim, ndim)
 * @param v     one number, or what broadcasts to the slices
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX, AGN_ESHAPE, AGN_ENOMEM
 * @grad        everywhere in x and v
 * @cost        O(size of x)
 */
AGN_API AGN_MUST_CHECK agn_status agn_index_fill(agn_tensor **out, const agn_tensor *x,
                                                 const agn_tensor *idx, int32_t axis,
                                                 const agn_tensor *v);

/**
 * agn_select_scatter - a copy of x with one element of an axis overwritten
 *
 * @param out    out, shape of x
 * @param x      any dtype
 * @param v      broadcasts to x without the axis
 * @param axis   in [-ndim, ndim)
 * @param index  in [-size, size)
 * @errors       AGN_ENULL, AGN_EINDEX, AGN_ESHAPE, AGN_ENOMEM
 * @grad         everywhere in x and v
 * @cost         O(size of x)
 */
AGN_API AGN_MUST_CHECK agn_status agn_select_scatter(agn_tensor **out,
                                                     const agn_tensor *x,
                                                     const agn_tensor *v, int32_t axis,
                                                     int64_t index);

/**
 * agn_slice_scatter - a copy of x with a slice overwritten
 *
 * @param out    out, shape of x
 * @param x      any dtype
 * @param v      broadcasts to the slice
 * @param n      number of leading axes that are sliced
 * @param start  n numbers, as in agn_slice()
 * @param stop   n numbers
 * @param step   n numbers, not 0; NULL for 1
 * @errors       AGN_ENULL, AGN_ESHAPE (n, v), AGN_EARG (step 0), AGN_ENOMEM
 * @grad         everywhere in x and v
 * @cost         O(size of x)
 */
AGN_API AGN_MUST_CHECK agn_status agn_slice_scatter(agn_tensor **out,
                                                    const agn_tensor *x,
                                                    const agn_tensor *v, int32_t n,
                                                    const int64_t *start,
                                                    const int64_t *stop,
                                                    const int64_t *step);

/**
 * agn_diagonal_scatter - a copy of x with a diagonal overwritten
 *
 * @param out    out, shape of x
 * @param x      any dtype
 * @param v      broadcasts to what agn_diagonal() gives
 * @param k      0 is the main diagonal, positive ones are above
 * @param axis1  rows
 * @param axis2  columns
 * @errors       AGN_ENULL, AGN_EINDEX, AGN_EARG (axes are the same), AGN_ESHAPE,
 *               AGN_ENOMEM
 * @grad         everywhere in x and v
 * @cost         O(size of x)
 */
AGN_API AGN_MUST_CHECK agn_status agn_diagonal_scatter(agn_tensor **out,
                                                       const agn_tensor *x,
                                                       const agn_tensor *v, int64_t k,
                                                       int32_t axis1, int32_t axis2);

/* ---- tuples of coordinates -------------------------------------------------------- */

/**
 * agn_gather_nd - pick slices by tuples of coordinates
 *
 * @param out  out, [..., other axes of x]
 * @param x    any dtype
 * @param idx  [..., k] integers: places along the first k axes
 * @errors     AGN_ENULL, AGN_EDTYPE (idx not integer), AGN_EINDEX, AGN_ESHAPE (k is not
 *             in 1 to ndim), AGN_ENOMEM
 * @grad       everywhere in x; contributions of equal tuples add
 * @cost       O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_gather_nd(agn_tensor **out, const agn_tensor *x,
                                                const agn_tensor *idx);

/**
 * agn_scatter_nd_add - add slices into a copy of x at tuples of coordinates
 *
 * @param out  out, shape of x
 * @param x    any dtype
 * @param idx  [..., k] integers: places along the first k axes
 * @param v    broadcasts to [..., other axes of x]
 * @errors     AGN_ENULL, AGN_EDTYPE (idx not integer), AGN_EINDEX, AGN_ESHAPE,
 *             AGN_ENOMEM
 * @grad       everywhere in x and v
 * @cost       O(size of x + size of v)
 */
AGN_API AGN_MUST_CHECK agn_status agn_scatter_nd_add(agn_tensor **out,
                                                     const agn_tensor *x,
                                                     const agn_tensor *idx,
                                                     const agn_tensor *v);

/**
 * agn_scatter_nd - add slices into zeros at tuples of coordinates
 *
 * @param out    out, [shape...], dtype of v
 * @param idx    [..., k] integers: places along the first k axes
 * @param v      broadcasts to [..., other axes]
 * @param ndim   0 to AGN_MAX_RANK
 * @param shape  ndim sizes
 * @errors       AGN_ENULL, AGN_EDTYPE (idx not integer), AGN_EINDEX, AGN_ESHAPE,
 *               AGN_ENOMEM
 * @grad         everywhere in v
 * @cost         O(size of out + size of v)
 */
AGN_API AGN_MUST_CHECK agn_status agn_scatter_nd(agn_tensor **out,
                                                 const agn_tensor *idx,
                                                 const agn_tensor *v, int32_t ndim,
                                                 const int64_t *shape);

/* ---- choosing --------------------------------------------------------------------- */

/** What an index out of range is: an error; counted round and round; the nearest in range. */
typedef int32_t agn_range;
enum { AGN_RANGE_CHECK, AGN_RANGE_WRAP, AGN_RANGE_CLIP };

/**
 * agn_take - pick from the flattened array
 *
 * @param out   out, shape of idx
 * @param x     any dtype
 * @param idx   integers
 * @param mode  AGN_RANGE_CHECK, ...; clipped, negative ones are 0
 * @errors      AGN_ENULL, AGN_EDTYPE (idx not integer), AGN_EINDEX, AGN_EARG (no such
 *              mode), AGN_ENOMEM
 * @grad        everywhere in x; contributions of equal indices add
 * @cost        O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_take(agn_tensor **out, const agn_tensor *x,
                                           const agn_tensor *idx, agn_range mode);

/**
 * agn_choose - for each element the tensor it is taken from
 *
 * @param out      out, the broadcast shape; dtypes of choices promote
 * @param idx      integers: which choice
 * @param choices  n tensors that broadcast with idx
 * @param n        at least 1
 * @param mode     AGN_RANGE_CHECK, ...
 * @errors         AGN_ENULL, AGN_EDTYPE (idx not integer), AGN_EINDEX, AGN_ESHAPE (do
 *                 not broadcast), AGN_EARG (n, mode), AGN_ENOMEM
 * @grad           everywhere in what is chosen
 * @cost           O(n size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_choose(agn_tensor **out, const agn_tensor *idx,
                                             const agn_tensor *const *choices,
                                             int32_t n, agn_range mode);

/**
 * agn_select - the value of the first condition that holds
 *
 * @param out        out, the broadcast shape; dtypes of values promote
 * @param cases      n tensors: condition, value, condition, value, ...; not 0 is true
 * @param n          even, at least 2
 * @param otherwise  where no condition holds
 * @errors           AGN_ENULL, AGN_ESHAPE (do not broadcast), AGN_EARG (n),
 *                   AGN_ENOMEM
 * @grad             everywhere in what is chosen, whatever the others are
 * @cost             O(n size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_select(agn_tensor **out,
                                             const agn_tensor *const *cases, int32_t n,
                                             const agn_tensor *otherwise);

/**
 * agn_piecewise - the value of the last condition that holds
 *
 * @param out        out, the broadcast shape; dtypes of values promote
 * @param cases      n tensors: condition, value, condition, value, ...; not 0 is true
 * @param n          even, at least 2
 * @param otherwise  where no condition holds
 * @errors           AGN_ENULL, AGN_ESHAPE (do not broadcast), AGN_EARG (n),
 *                   AGN_ENOMEM
 * @grad             everywhere in what is chosen, whatever the others are
 * @cost             O(n size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_piecewise(agn_tensor **out,
                                                const agn_tensor *const *cases, int32_t n,
                                                const agn_tensor *otherwise);

/**
 * agn_masked_fill - a copy of x with a value where a mask is true
 *
 * @param out   out, shape of x
 * @param x     any dtype
 * @param mask  bool; broadcasts to x
 * @param v     broadcasts to x; converted to its dtype
 * @errors      AGN_ENULL, AGN_EDTYPE (mask not bool), AGN_ESHAPE, AGN_ENOMEM
 * @grad        everywhere in x and v
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_masked_fill(agn_tensor **out, const agn_tensor *x,
                                                  const agn_tensor *mask,
                                                  const agn_tensor *v);

/**
 * agn_masked_scatter - values in their order to where a mask is true
 *
 * @param out   out, shape of x
 * @param x     any dtype
 * @param mask  bool; broadcasts to x
 * @param v     at least as many elements as the mask has true ones
 * @errors      AGN_ENULL, AGN_EDTYPE (mask not bool), AGN_ESHAPE, AGN_EINDEX (too few
 *              values), AGN_ENOMEM
 * @grad        everywhere in x and v
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_masked_scatter(agn_tensor **out,
                                                     const agn_tensor *x,
                                                     const agn_tensor *mask,
                                                     const agn_tensor *v);

/**
 * agn_compress - the elements of an axis for which a condition holds
 *
 * @param out   out, x with fewer elements along the axis
 * @param x     any dtype
 * @param cond  [m] bools, m at most the size; what it does not reach is left out
 * @param axis  in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_EDTYPE (cond not bool), AGN_EINDEX, AGN_ESHAPE,
 *              AGN_ESYMBOLIC (cond while tracing), AGN_ENOMEM
 * @grad        everywhere in x
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_compress(agn_tensor **out, const agn_tensor *x,
                                               const agn_tensor *cond, int32_t axis);

/**
 * agn_extract - the elements for which a condition holds
 *
 * @param out   out, [count], in row-major order
 * @param x     any dtype
 * @param cond  bools, as many as x has elements
 * @errors      AGN_ENULL, AGN_EDTYPE (cond not bool), AGN_ESHAPE (sizes differ),
 *              AGN_ESYMBOLIC (cond while tracing), AGN_ENOMEM
 * @grad        everywhere in x
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_extract(agn_tensor **out, const agn_tensor *x,
                                              const agn_tensor *cond);

/**
 * agn_shard_index - labels as one shard of them counts
 *
 * @param out     out, shape of x
 * @param x       integers
 * @param size    number of labels
 * @param shards  number of parts of equal size, the last may be smaller
 * @param shard   in [0, shards)
 * @param ignore  what labels of other shards become
 * @errors        AGN_ENULL, AGN_EDTYPE (x not integer), AGN_EARG (size, shards or
 *                shard), AGN_ENOMEM
 * @grad          none: a constant
 * @cost          O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_shard_index(agn_tensor **out, const agn_tensor *x,
                                                  int64_t size, int64_t shards,
                                                  int64_t shard, int64_t ignore);

#ifdef __cplusplus
}
#endif
#endif
