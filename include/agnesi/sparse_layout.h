/**
 * agnesi/sparse_layout.h - layouts of sparse tensors: making, converting, parts
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * AGN_COO names the entries of a tensor of any rank by coordinates [axes, nnz]; values
 * are [nnz, dense...], so that trailing axes may be dense. A coalesced one is in
 * row-major order and has no place twice; otherwise what meets in a place is summed,
 * and ops that need it coalesced do so themselves. AGN_CSC is a matrix in AGN_CSR seen
 * transposed: agn_transpose of either is free. All share one rule: a place without an
 * entry is 0, patterns are constants, values are differentiated and their gradient
 * lives on the pattern.
 *
 * The functions for dense tensors take sparse ones where the table of the chapter
 * "Sparse tensors" says so: agn_add, agn_sin, agn_sum, agn_transpose, agn_matmul, ...
 */
#ifndef AGNESI_SPARSE_LAYOUT_H
#define AGNESI_SPARSE_LAYOUT_H

#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- making ------------------------------------------------------------------- */

/**
 * agn_sparse_coo - sparse tensor from coordinates
 *
 * Entry e is at indices[:, e] and has the value values[e, ...]. Entries may come in any
 * order and meet: they are summed. Checked once, here.
 *
 * @param out      out, [shape...], AGN_COO
 * @param ndim     number of axes: rows of indices plus the axes of values behind the
 *                 first
 * @param shape    sizes; NULL: as large as the coordinates and values need
 * @param indices  in, [axes, nnz], an integer dtype; copied
 * @param values   in, [nnz, dense...], any dtype; shared; may be watched or without a
 *                 value
 * @errors         AGN_ENULL, AGN_ESHAPE (what does not fit together), AGN_EDTYPE,
 *                 AGN_EINDEX (out of range: names entry and axis), AGN_ESYMBOLIC
 *                 (indices while tracing), AGN_EUNSUPPORTED (a sparse argument),
 *                 AGN_ENOMEM
 * @grad           in values
 * @cost           O(nnz axes)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_coo(agn_tensor **out, int32_t ndim,
                                                 const int64_t *shape,
                                                 const agn_tensor *indices,
                                                 const agn_tensor *values);

/**
 * agn_sparse_coo_unchecked - the same from coordinates that are known to be right
 *
 * Coordinates out of range, or coalesced where they are not, make later results and
 * memory accesses undefined.
 *
 * @param out        out, [shape...], AGN_COO
 * @param ndim       number of axes
 * @param shape      sizes
 * @param indices    in, [axes, nnz], an integer dtype, each within its axis; copied
 * @param values     in, [nnz, dense...], any dtype; shared
 * @param coalesced  are entries in row-major order, no place twice?
 * @errors           AGN_ENULL, AGN_ESHAPE, AGN_EDTYPE, AGN_ESYMBOLIC,
 *                   AGN_EUNSUPPORTED (a sparse argument), AGN_ENOMEM
 * @grad             in values
 * @cost             O(nnz axes), for the copy
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_coo_unchecked(agn_tensor **out, int32_t ndim,
                                                           const int64_t *shape,
                                                           const agn_tensor *indices,
                                                           const agn_tensor *values,
                                                           bool coalesced);

/**
 * agn_sparse_csc - sparse matrix from compressed columns
 *
 * Entries e of column j are indptr[j] <= e < indptr[j + 1], in row indices[e].
 *
 * @param out      out, [..., rows, cols], AGN_CSC
 * @param rows     number of rows
 * @param cols     number of columns
 * @param indptr   in, [cols + 1], an integer dtype; copied
 * @param indices  in, [nnz], an integer dtype; copied
 * @param values   in, [..., nnz], any dtype; shared
 * @errors         those of agn_sparse_csr, which speaks of rows for columns
 * @grad           in values
 * @cost           O(nnz + cols); O(nnz + rows + cols) where columns must be sorted
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_csc(agn_tensor **out, int64_t rows,
                                                 int64_t cols, const agn_tensor *indptr,
                                                 const agn_tensor *indices,
                                                 const agn_tensor *values);

/**
 * agn_sparse_csr_batch - matrices with different entries, from compressed rows
 *
 * The rows of all matrices stand one below the other: entries e of row i of matrix b
 * are indptr[b rows + i] <= e < indptr[b rows + i + 1]. Nothing is padded; products run
 * as one matrix of blocks.
 *
 * @param out      out, [batch, rows, cols], AGN_COO with three axes of coordinates
 * @param batch    number of matrices
 * @param rows     rows of each
 * @param cols     columns of each
 * @param indptr   in, [batch rows + 1], an integer dtype; copied
 * @param indices  in, [nnz], an integer dtype; copied
 * @param values   in, [nnz], any dtype; shared
 * @errors         AGN_ENULL, AGN_ESHAPE, AGN_EDTYPE, AGN_EARG, AGN_EINDEX,
 *                 AGN_ESYMBOLIC, AGN_EUNSUPPORTED, AGN_ENOMEM: as agn_sparse_csr, which
 *                 counts rows through
 * @grad           in values
 * @cost           O(nnz + batch rows)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_csr_batch(
    agn_tensor **out, int64_t batch, int64_t rows, int64_t cols, const agn_tensor *indptr,
    const agn_tensor *indices, const agn_tensor *values);

/**
 * agn_sparse_eye - ones on a diagonal
 *
 * @param out    out, [rows, cols], AGN_CSR
 * @param dtype  of the values
 * @param rows   number of rows
 * @param cols   number of columns
 * @param k      which diagonal: column less row
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (a negative size), AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(rows + cols)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_eye(agn_tensor **out, agn_dtype dtype,
                                                 int64_t rows, int64_t cols, int64_t k);

/**
 * agn_sparse_diags - sparse matrix from its diagonals
 *
 * @param out        out, [rows, cols], AGN_CSR
 * @param diagonals  in, n tensors: [length of its diagonal], or one number for all
 * @param offsets    n numbers of diagonals, column less row, each once
 * @param n          how many
 * @param rows       number of rows
 * @param cols       number of columns
 * @errors           AGN_ENULL, AGN_EARG (no diagonal, one given twice), AGN_ESHAPE
 *                   (names the diagonal), AGN_EUNSUPPORTED (a sparse one), AGN_ENOMEM
 * @grad             in the diagonals
 * @cost             O(elements of the diagonals)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_diags(agn_tensor **out,
                                                   const agn_tensor *const *diagonals,
                                                   const int64_t *offsets, int32_t n,
                                                   int64_t rows, int64_t cols);

/**
 * agn_sparse_random - numbers of [0, 1) at random places
 *
 * Every set of nnz places is equally likely.
 *
 * @param out    out, [shape...], AGN_COO
 * @param key    i64 [2]
 * @param ndim   number of axes
 * @param shape  sizes
 * @param nnz    number of entries
 * @param dtype  AGN_F32, AGN_F64, AGN_F16 or AGN_BF16
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_EARG (more entries than places),
 *               AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(nnz log nnz); O(places) where more than half of them are taken
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_random(agn_tensor **out,
                                                    const agn_tensor *key, int32_t ndim,
                                                    const int64_t *shape, int64_t nnz,
                                                    agn_dtype dtype);

/**
 * agn_sparse_kron - Kronecker product
 *
 * @param out  out, sizes multiplied axis by axis; the layout of a
 * @param a    in, sparse
 * @param b    in, sparse, as many axes as a; dtypes by promotion
 * @errors     AGN_ENULL, AGN_EUNSUPPORTED (one is dense), AGN_ESHAPE (ranks differ, the
 *             result is too large), AGN_EDTYPE, AGN_ENOMEM
 * @grad       in the values of both
 * @cost       O(nnz(a) nnz(b))
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_kron(agn_tensor **out, const agn_tensor *a,
                                                  const agn_tensor *b);

/**
 * agn_sparse_block - matrix of blocks
 *
 * @param out     out, the layout of the first block
 * @param blocks  in, rows x cols sparse matrices, row by row; NULL: zeros
 * @param rows    rows of blocks
 * @param cols    columns of blocks
 * @errors        AGN_ENULL, AGN_EARG (no blocks), AGN_ESHAPE (sizes beside each other
 *                differ, or no block tells them; a dense block), AGN_ENOMEM
 * @grad          in the values of the blocks
 * @cost          O(nnz log nnz)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_block(agn_tensor **out,
                                                   const agn_tensor *const *blocks,
                                                   int32_t rows, int32_t cols);

/**
 * agn_sparse_block_diag - matrices along the diagonal
 *
 * @param out  out, the layout of the first
 * @param xs   in, n sparse matrices
 * @param n    how many
 * @errors     AGN_ENULL, AGN_EARG (none), AGN_ESHAPE (no sparse matrix), AGN_ENOMEM
 * @grad       in the values of all
 * @cost       O(nnz)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_block_diag(agn_tensor **out,
                                                        const agn_tensor *const *xs,
                                                        int32_t n);

/* ---- converting --------------------------------------------------------------- */

/**
 * agn_sparse_to_coo - by coordinates
 *
 * Of a dense x, places are kept where anything is not zero. Axes behind the first
 * sparse_dim stay dense. Of a sparse x, sparse_dim -1 keeps what its axes are, and the
 * number of its axes makes coordinates of all.
 *
 * @param out         out, [shape of x], AGN_COO, coalesced
 * @param x           in, dense or sparse, any dtype
 * @param sparse_dim  axes that become coordinates; -1: all of a dense x
 * @errors            AGN_ENULL, AGN_ESHAPE (no such number of axes), AGN_ESYMBOLIC (a
 *                    dense x without a value while tracing), AGN_EDEVICE,
 *                    AGN_EUNSUPPORTED (coordinates of a sparse x do not become dense),
 *                    AGN_ENOMEM
 * @grad              in the entries that are taken, not through the choice of them
 * @cost              O(size) of a dense x, O(nnz log nnz) of a sparse one
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_to_coo(agn_tensor **out, const agn_tensor *x,
                                                    int32_t sparse_dim);

/**
 * agn_sparse_to_csr - by compressed rows
 *
 * @param out  out, [..., rows, cols], AGN_CSR; of a dense x with more axes, places are
 *             kept where any matrix of the batch is not zero
 * @param x    in, dense or a sparse matrix, any dtype
 * @errors     AGN_ENULL, AGN_ESHAPE (fewer than two axes, or no matrix on one pattern),
 *             AGN_ESYMBOLIC (a dense x without a value), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in the entries that are taken
 * @cost       O(size) of a dense x, O(nnz + rows) of a sorted one
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_to_csr(agn_tensor **out, const agn_tensor *x);

/**
 * agn_sparse_to_csc - by compressed columns
 *
 * @param out  out, [..., rows, cols], AGN_CSC
 * @param x    in, dense or a sparse matrix, any dtype
 * @errors     AGN_ENULL, AGN_ESHAPE, AGN_ESYMBOLIC, AGN_EDEVICE, AGN_ENOMEM: as
 *             agn_sparse_to_csr
 * @grad       in the entries that are taken
 * @cost       O(size) of a dense x, O(nnz + rows + cols) of a sparse one
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_to_csc(agn_tensor **out, const agn_tensor *x);

/**
 * agn_sparse_coalesce - entries in order, no place twice
 *
 * @param out  out, the same tensor; values that met are summed, bools joined by or
 * @param a    in, sparse
 * @errors     AGN_ENULL, AGN_EUNSUPPORTED (a is dense), AGN_ENOMEM
 * @grad       in the values
 * @cost       O(nnz) in order already, else O(nnz log size)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_coalesce(agn_tensor **out,
                                                      const agn_tensor *a);

/* ---- parts -------------------------------------------------------------------- */

/**
 * agn_sparse_coordinates - where the entries are
 *
 * @param out  out, i64 [axes, nnz], in the order of agn_sparse_values; read-only
 * @param a    in, sparse
 * @errors     AGN_ENULL, AGN_EUNSUPPORTED (a is dense), AGN_ENOMEM
 * @grad       none: integers
 * @cost       O(1) of AGN_COO, else O(nnz + rows)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_coordinates(agn_tensor **out,
                                                         const agn_tensor *a);

/**
 * agn_sparse_nnz - number of stored entries, zeros among them
 *
 * @param a  tensor
 * @return   -1 for NULL and dense tensors
 */
AGN_API int64_t agn_sparse_nnz(const agn_tensor *a);

/**
 * agn_sparse_dim - axes that coordinates name
 *
 * @param a  tensor
 * @return   2 in AGN_CSR and AGN_CSC; -1 for NULL and dense tensors
 */
AGN_API int32_t agn_sparse_dim(const agn_tensor *a);

/**
 * agn_sparse_dense_dim - axes that each entry has
 *
 * @param a  tensor
 * @return   -1 for NULL and dense tensors
 */
AGN_API int32_t agn_sparse_dense_dim(const agn_tensor *a);

/**
 * agn_sparse_is_coalesced - are entries in order, no place twice?
 *
 * @param a  tensor
 * @return   true in AGN_CSR and AGN_CSC; false for NULL and dense tensors
 */
AGN_API bool agn_sparse_is_coalesced(const agn_tensor *a);

/**
 * agn_sparse_same_pattern - do both have the same entries in the same order?
 *
 * @param a  tensor
 * @param b  tensor
 * @return   false for NULL, dense tensors and different layouts
 */
AGN_API bool agn_sparse_same_pattern(const agn_tensor *a, const agn_tensor *b);

/* ---- ops that have no dense form --------------------------------------------------- */

/**
 * agn_sparse_mask_as - elements of a tensor at the entries of a mask
 *
 * @param out   out, as mask: its layout and places
 * @param x     in, dense, [..., shape of mask], or sparse, [shape of mask]: 0 where it has no entry
 * @param mask  in, sparse; its values do not matter
 * @errors      AGN_ENULL, AGN_ESHAPE, AGN_EUNSUPPORTED (the mask is dense), AGN_ENOMEM
 * @grad        in x
 * @cost        O(nnz)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_mask_as(agn_tensor **out, const agn_tensor *x,
                                                     const agn_tensor *mask);

/**
 * agn_sparse_masked_matmul - x y at the entries of a mask
 *
 * @param out   out, as mask: its layout and places; f32 f64 c64 c128
 * @param x     in, dense, [..., rows, n]
 * @param y     in, dense, [..., n, cols]; dtypes by promotion
 * @param mask  in, a sparse matrix [rows, cols]; its values do not matter
 * @errors      AGN_ENULL, AGN_ESHAPE, AGN_EUNSUPPORTED (x or y is sparse, the mask
 *              dense), AGN_ENOMEM
 * @grad        in x and y
 * @cost        O(nnz n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_masked_matmul(agn_tensor **out,
                                                           const agn_tensor *x,
                                                           const agn_tensor *y,
                                                           const agn_tensor *mask);

/**
 * agn_sparse_addmm - beta x + alpha a b
 *
 * @param out    out, sparse where x, a and b are
 * @param x      in, dense or sparse; not read where beta is 0
 * @param a      in, dense or sparse
 * @param b      in, dense or sparse
 * @param beta   number
 * @param alpha  number
 * @errors       AGN_ENULL, AGN_ESHAPE, AGN_EDTYPE, AGN_EUNSUPPORTED, AGN_ENOMEM: those
 *               of agn_matmul and agn_add
 * @grad         everywhere, in the values of what is sparse
 * @cost         of the product and the sum
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_addmm(agn_tensor **out, const agn_tensor *x,
                                                   const agn_tensor *a,
                                                   const agn_tensor *b, double beta,
                                                   double alpha);

/**
 * agn_sparse_embedding - rows of a dense table by number, with a gradient that names the rows
 *
 * The values of agn_gather along axis 0. Where the table itself is what is differentiated by, its
 * gradient is AGN_COO with one entry, a row, for each number: not coalesced, and of the size of out
 * whatever the size of the table. Uses of a table add, sparse as long as all are. It is dense where
 * numbers have no values yet (in a plan), in gradients of gradients, and where the table was
 * computed. agn_optim_step of Adam then moves these rows alone.
 *
 * @param out    out, [shape of idx, rest of table]
 * @param table  in, [rows, ...], any dtype
 * @param idx    in, integers in [-rows, rows), which count from either end
 * @errors       AGN_ENULL, AGN_EDTYPE (idx), AGN_ESHAPE (table), AGN_EINDEX (names number and
 *               place), AGN_EUNSUPPORTED (a sparse argument), AGN_ENOMEM
 * @grad         in table
 * @cost         O(size of out), the gradient too
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_embedding(agn_tensor **out,
                                                       const agn_tensor *table,
                                                       const agn_tensor *idx);

/**
 * agn_sparse_softmax - exponentials over their sum, of stored entries along an axis
 *
 * Places without an entry take no part, as if they were -infinity.
 *
 * @param out   out, as a
 * @param a     in, sparse, a real dtype
 * @param axis  which
 * @errors      AGN_ENULL, AGN_EINDEX, AGN_EDTYPE, AGN_EUNSUPPORTED (a is dense),
 *              AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(nnz log nnz)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_softmax(agn_tensor **out, const agn_tensor *a,
                                                     int32_t axis);

/**
 * agn_sparse_log_softmax - logarithm of agn_sparse_softmax
 *
 * @param out   out, as a
 * @param a     in, sparse, a real dtype
 * @param axis  which
 * @errors      AGN_ENULL, AGN_EINDEX, AGN_EDTYPE, AGN_EUNSUPPORTED (a is dense),
 *              AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(nnz log nnz)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_log_softmax(agn_tensor **out,
                                                         const agn_tensor *a,
                                                         int32_t axis);

#ifdef __cplusplus
}
#endif
#endif
