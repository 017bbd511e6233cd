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

#ifdef __cplusplus
}
#endif
#endif
