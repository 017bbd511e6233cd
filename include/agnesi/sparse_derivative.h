/**
 * agnesi/sparse_derivative.h - Jacobians and Hessians that are mostly zero
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the entries can be is found by carrying sets of variables along the program; their
 * values by products with few seeds, or element by element where each element of a value
 * depends on few others. Both are done once for the shapes and dtypes of the arguments;
 * later calls run a plan that gives the values. The pattern is shared by all results.
 */
#ifndef AGNESI_SPARSE_DERIVATIVE_H
#define AGNESI_SPARSE_DERIVATIVE_H

#include <agnesi/autograd.h>
#include <agnesi/sparse.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Which products a matrix is found by. */
typedef enum agn_colour_by {
    AGN_COLOUR_AUTO,    /* what takes fewest products; AGN_COLOUR_STAR for a Hessian */
    AGN_COLOUR_COLUMNS, /* J s: columns of a colour have no row in common */
    AGN_COLOUR_ROWS,    /* s J: rows of a colour have no column in common */
    AGN_COLOUR_BOTH,    /* rows of many entries by s J, the others by J s */
    AGN_COLOUR_STAR /* J s of a symmetric J: each entry by itself or by its mirror */
} agn_colour_by;

/** In which order columns or rows get their colour, the first one that is free. */
typedef enum agn_colour_order {
    AGN_COLOUR_NATURAL,
    AGN_COLOUR_LARGEST_FIRST, /* by how many others they meet */
    AGN_COLOUR_SMALLEST_LAST /* who meets fewest of those that are left is coloured last */
} agn_colour_order;

/**
 * agn_sparse_colours - columns and rows of a pattern that may share a product
 *
 * A greedy colouring. An entry (i, j) can be read from the product with the seed of colour
 * columns[j] in row i, or from that of colour rows[i] in column j; columns or rows from which
 * nothing is read have colour -1. The number of colours is the largest one plus 1. With
 * AGN_COLOUR_STAR, where two columns of a colour meet in row i, the entry is read from its
 * mirror: in row j with the colour of i.
 *
 * @param columns  out, i64 [cols]
 * @param rows     out, i64 [rows]
 * @param a        in, sparse: its pattern is what counts
 * @param by       what to colour
 * @param order    in which order
 * @errors         AGN_ENULL, AGN_EUNSUPPORTED (a is dense), AGN_EARG (no such way or order; a
 *                 pattern that is not symmetric for AGN_COLOUR_STAR: names an entry),
 *                 AGN_ENOMEM
 * @grad           none: integers
 * @cost           O(sum of squares of the entries of a row, or of a column)
 * @ref            Gebremedhin, Manne & Pothen 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_colours(agn_tensor **columns,
                                                     agn_tensor **rows,
                                                     const agn_tensor *a,
                                                     agn_colour_by by,
                                                     agn_colour_order order);

/** Options of sparse derivatives; zero bytes are defaults. */
typedef struct agn_sparse_options {
    size_t size; /* sizeof(agn_sparse_options) */
    agn_colour_by by;
    agn_colour_order order;
    bool coloured; /* by coloured products also where elements could be followed */
} agn_sparse_options;

/**
 * agn_fn_pattern - where the derivative of a function can have entries
 *
 * Holds for all arguments of these shapes and dtypes: no entry is missed; some may be zero.
 * Constants that the body captures, such as masks, indices and matrices, are facts: what
 * they multiply by zero is no entry. An op that nobody can see through makes everything
 * depend on everything.
 *
 * @param out     out, f32 or f64 ones on the pattern, AGN_CSR, [size of the first result, size
 *                of the argument]: elements in row-major order
 * @param f       function
 * @param argnum  the argument
 * @param in      n_in arguments, of which shapes and dtypes count
 * @param n_in    their number, that of f
 * @errors        AGN_ENULL, AGN_EARG (f has another number of arguments), AGN_EINDEX (no such
 *                argument), AGN_EDTYPE (the argument or the
 *                result is not f32 or f64), AGN_ESYMBOLIC (the body reads a value),
 *                AGN_EUNSUPPORTED (a sparse argument), AGN_ENOMEM
 * @grad          none: a constant
 * @cost          O(entries of the patterns of all values of f)
 * @ref           Griewank & Walther 2008, 7.1
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_pattern(agn_tensor **out, const agn_fn *f,
                                                 int32_t argnum,
                                                 const agn_tensor *const *in, int32_t n_in);

/**
 * agn_fn_sparse_jacobian - all derivatives of the first result, as a sparse matrix
 *
 * Result: AGN_CSR, [size of the first result, size of the argument], elements in row-major
 * order. The first call for shapes and dtypes finds pattern and colours and makes a plan;
 * later ones allocate nothing but the values and their handle. Called within another
 * function, on recorded values or symbols, the values are recorded: use agn_sparse_values or
 * agn_sparse_matmul on them; a function that is itself compiled, mapped or differentiated
 * cannot have the matrix as its result, for results of those are dense.
 *
 * @param out      out, n_in(f) arguments, 1 result
 * @param f        function
 * @param argnum   the argument
 * @param pattern  in, sparse: its pattern is taken instead of one that is found; an entry that
 *                 it leaves out must be zero. NULL: found. The first call with values
 *                 compares one product with the matrix
 * @param opts     NULL for defaults
 * @errors         AGN_ENULL, AGN_EINDEX, AGN_EARG (options of an unknown size, no such way or
 *                 order), AGN_EUNSUPPORTED (pattern is dense), AGN_ENOMEM; a call also
 *                 AGN_EDTYPE (the argument or the result is not f32 or f64), AGN_ESHAPE
 *                 (pattern does not fit), AGN_ESYMBOLIC (the body reads a value), AGN_EARG
 *                 (AGN_COLOUR_STAR and not symmetric; the pattern leaves out an entry; the
 *                 body uses recorded tensors that are no arguments), AGN_ESTALE (a captured
 *                 tensor was written), AGN_EUNSUPPORTED
 * @grad           everywhere
 * @cost           as many products as there are colours, all in one plan; less where
 *                 elements can be followed
 * @ref            Gebremedhin, Manne & Pothen 2005
 */
AGN_API AGN_MUST_CHECK agn_status
agn_fn_sparse_jacobian(agn_fn **out, const agn_fn *f, int32_t argnum,
                       const agn_tensor *pattern, const agn_sparse_options *opts);

/**
 * agn_fn_sparse_hessian - second derivatives of a scalar function, as a sparse matrix
 *
 * Result: AGN_CSR, [size of the argument, size of the argument], on a symmetric pattern: the
 * sparse Jacobian of the gradient.
 *
 * @param out      out, n_in(f) arguments, 1 result
 * @param f        as for agn_fn_grad
 * @param argnum   the argument
 * @param pattern  as for agn_fn_sparse_jacobian; symmetric
 * @param opts     NULL for defaults
 * @errors         as for agn_fn_sparse_jacobian; a call also AGN_ESHAPE (not a scalar)
 * @grad           everywhere
 * @cost           as for agn_fn_sparse_jacobian
 * @ref            Gebremedhin, Manne & Pothen 2005; Gower & Mello 2012
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_sparse_hessian(agn_fn **out, const agn_fn *f,
                                                        int32_t argnum,
                                                        const agn_tensor *pattern,
                                                        const agn_sparse_options *opts);

/**
 * agn_fn_sparse_explain - how a sparse derivative finds its values, as text
 *
 * A line for each set of shapes that it was called with: shape and entries of the matrix,
 * and the numbers of colours or what is followed instead.
 *
 * @param buf   n bytes, always terminated; may be NULL where n is 0
 * @param n     size of buf
 * @param need  out, bytes the whole text needs with its end; may be NULL
 * @param f     from agn_fn_sparse_jacobian or agn_fn_sparse_hessian
 * @errors      AGN_ENULL, AGN_EARG (another function), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_sparse_explain(char *buf, size_t n,
                                                        size_t *need, const agn_fn *f);

#ifdef __cplusplus
}
#endif
#endif
