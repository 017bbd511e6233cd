/**
 * agnesi/sparse.h - sparse matrices: products and solves
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sparse matrix is a pattern, which never changes and is shared, and a dense tensor
 * of values [..., nnz]; its layout is AGN_CSR. Leading axes of the values are a batch
 * on one pattern. Derivatives are taken with respect to the values and to dense
 * operands: watch the values, or pass them to a function and put them on a captured
 * matrix by agn_sparse_with_values. The gradient of values lives on their pattern. Other
 * layouts, and what ops for dense tensors do with sparse ones: agnesi/sparse_layout.h.
 */
#ifndef AGNESI_SPARSE_H
#define AGNESI_SPARSE_H

#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * agn_sparse_csr - sparse matrix from compressed rows
 *
 * Entries e of row i are indptr[i] <= e < indptr[i + 1], in column indices[e] with
 * value values[..., e]. Columns may come in any order within a row; they are kept
 * sorted, the values moved along. Zeros may be stored. Checked once, here.
 *
 * @param out      out, [..., rows, cols], AGN_CSR
 * @param rows     number of rows
 * @param cols     number of columns
 * @param indptr   in, [rows + 1], an integer dtype; copied
 * @param indices  in, [nnz], an integer dtype; copied
 * @param values   in, [..., nnz], any dtype; shared; may be watched or without a value
 * @errors         AGN_ENULL, AGN_ESHAPE (a negative size, lengths that do not fit),
 *                 AGN_EDTYPE, AGN_EARG (indptr does not rise from 0 to nnz; an entry
 *                 twice: names both), AGN_EINDEX (a column out of range: names the
 *                 entry), AGN_ESYMBOLIC (indptr or indices while tracing),
 *                 AGN_EUNSUPPORTED (a sparse argument), AGN_ENOMEM
 * @grad           in values
 * @cost           O(nnz + rows); O(nnz + rows + cols) where rows must be sorted
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_csr(agn_tensor **out, int64_t rows,
                                                 int64_t cols, const agn_tensor *indptr,
                                                 const agn_tensor *indices,
                                                 const agn_tensor *values);

/**
 * agn_sparse_csr_wrap - sparse matrix on integers that belong to someone else, without a copy
 *
 * Looked at once, here; they must not change as long as a tensor has them. With values by
 * agn_wrap_host nothing of a matrix of SciPy's is copied.
 *
 * @param out      out, [..., rows, cols], AGN_CSR
 * @param rows     number of rows
 * @param cols     number of columns
 * @param dtype    of the integers: AGN_I32 or AGN_I64
 * @param indptr   rows + 1 integers from 0 to nnz, rising
 * @param indices  nnz columns, rising within each row; NULL is allowed where there is none
 * @param values   in, [..., nnz], any dtype; shared; may be watched
 * @param destroy  called once with user when the integers are no longer needed; may be NULL
 * @param user     passed to destroy
 * @errors         AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (a negative size, values that do not fit, too
 *                 large for AGN_I32), AGN_EARG (misaligned; indptr does not rise; columns do not:
 *                 name row or entry), AGN_EINDEX (a column out of range: names the entry),
 *                 AGN_EUNSUPPORTED (sparse values), AGN_ENOMEM; on failure destroy is not called
 * @grad           in values
 * @cost           O(nnz + rows), for the look; no memory
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_csr_wrap(agn_tensor **out, int64_t rows,
                                                      int64_t cols, agn_dtype dtype,
                                                      const void *indptr,
                                                      const void *indices,
                                                      const agn_tensor *values,
                                                      void (*destroy)(void *user),
                                                      void *user);

/**
 * agn_sparse_with_values - other values on the pattern of a
 *
 * @param out     out, the shape and layout of a; shares the pattern
 * @param a       in, sparse
 * @param values  in, [..., nnz], any dtype, in the order of agn_sparse_indices; shared
 * @errors        AGN_ENULL, AGN_EUNSUPPORTED (a is dense, values are sparse),
 *                AGN_ESHAPE, AGN_EDTYPE, AGN_ENOMEM
 * @grad          in values
 * @cost          O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_with_values(agn_tensor **out,
                                                         const agn_tensor *a,
                                                         const agn_tensor *values);

/**
 * agn_sparse_values - values of a
 *
 * @param out  out, [..., nnz], in the order of agn_sparse_indices; shared, watched if
 *             they were
 * @param a    in, sparse
 * @errors     AGN_ENULL, AGN_EUNSUPPORTED (a is dense)
 * @grad       everywhere
 * @cost       O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_values(agn_tensor **out,
                                                    const agn_tensor *a);

/**
 * agn_sparse_indptr - where the rows of a begin among its entries
 *
 * @param out  out, i64 [rows + 1]; read-only
 * @param a    in, sparse
 * @errors     AGN_ENULL, AGN_EUNSUPPORTED (a is dense), AGN_ENOMEM
 * @grad       none: integers
 * @cost       O(rows); O(1) where they are stored in i64
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_indptr(agn_tensor **out,
                                                    const agn_tensor *a);

/**
 * agn_sparse_indices - columns of the entries of a
 *
 * @param out  out, i64 [nnz], rising within each row; read-only
 * @param a    in, sparse
 * @errors     AGN_ENULL, AGN_EUNSUPPORTED (a is dense), AGN_ENOMEM
 * @grad       none: integers
 * @cost       O(nnz); O(1) where they are stored in i64
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_indices(agn_tensor **out,
                                                     const agn_tensor *a);

/**
 * agn_sparse_index_dtype - the dtype in which a's integers are stored
 *
 * i32 where rows, columns and the number of entries are below 2^31 - 1, else i64, but where
 * agn_sparse_with_index asked for i64.
 *
 * @param a  in, sparse
 * @return   AGN_I32 or AGN_I64; -1 where a is NULL or dense
 */
AGN_API agn_dtype agn_sparse_index_dtype(const agn_tensor *a);

/**
 * agn_sparse_with_index - the same matrix, its integers stored in another dtype
 *
 * @param out    out, [..., rows, cols], AGN_CSR; shares the values
 * @param a      in, sparse
 * @param dtype  AGN_I32 or AGN_I64
 * @errors       AGN_ENULL, AGN_EUNSUPPORTED (a is dense), AGN_EDTYPE (no such index),
 *               AGN_ESHAPE (too large for i32), AGN_ENOMEM
 * @grad         in values
 * @cost         O(nnz + rows); O(1) where it is that dtype already
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_with_index(agn_tensor **out,
                                                        const agn_tensor *a,
                                                        agn_dtype dtype);

/**
 * agn_sparse_from_dense - the entries of x that are not zero
 *
 * The pattern depends on the values of x, so they must be known.
 *
 * @param out  out, [..., rows, cols], AGN_CSR; places are kept where any matrix of a batch
 *             is not zero
 * @param x    in, [..., rows, cols], any dtype and strides
 * @errors     AGN_ENULL, AGN_ESHAPE (fewer than two axes), AGN_ESYMBOLIC (no value
 *             while tracing), AGN_EDEVICE, AGN_EUNSUPPORTED (sparse already),
 *             AGN_ENOMEM
 * @grad       in the entries that are taken, not through the choice of them
 * @cost       O(rows cols)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_from_dense(agn_tensor **out,
                                                        const agn_tensor *x);

/**
 * agn_sparse_to_dense - the same matrix with its zeros
 *
 * @param out  out, [..., rows, cols], dense
 * @param a    in, sparse
 * @errors     AGN_ENULL, AGN_EUNSUPPORTED (a is dense), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(rows cols)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_to_dense(agn_tensor **out,
                                                      const agn_tensor *a);

/**
 * agn_sparse_filled - the same tensor with a number where no entry is
 *
 * @param out    out, [shape of a], dense
 * @param a      in, sparse, any dtype
 * @param value  what a place without an entry is: infinity where lengths of edges were meant
 * @errors       AGN_ENULL, AGN_EUNSUPPORTED (a is dense), AGN_ESHAPE (too large), AGN_ENOMEM
 * @grad         in the values
 * @cost         O(places)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_filled(agn_tensor **out, const agn_tensor *a,
                                                    double value);

/**
 * agn_sparse_matmul - product of a sparse matrix and a dense or sparse one
 *
 * Leading axes broadcast. The same bits for any number of threads. A product of sparse
 * matrices is sparse; its pattern is found once for two patterns and kept with the first,
 * and has an entry for every product of entries, be the sum 0.
 *
 * @param out  out, [..., rows, n], or [..., rows] where x has one axis; sparse where x is
 * @param a    in, sparse [..., rows, cols]  f32 f64 c64 c128
 * @param x    in, [..., cols, n], or [cols]; dtypes by promotion; any strides
 * @errors     AGN_ENULL, AGN_ESHAPE (inner dimensions differ, batches do not
 *             broadcast), AGN_EUNSUPPORTED (a is dense), AGN_ENOMEM
 * @grad       in the values of a and in x or its values
 * @cost       O(nnz n); the number of products of entries where x is sparse
 * @ref        Gustavson 1978
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_matmul(agn_tensor **out,
                                                    const agn_tensor *a,
                                                    const agn_tensor *x);

/**
 * agn_sparse_matmul_t - product of the transpose of a sparse matrix and a dense one
 *
 * A^T x, not conjugated. Leading axes broadcast. The same bits for any number of threads.
 *
 * @param out  out, [..., cols, n], or [..., cols] where x has one axis; sparse where x is
 * @param a    in, sparse [..., rows, cols]  f32 f64 c64 c128
 * @param x    in, [..., rows, n], or [rows], dense or sparse; dtypes by promotion; any
 *             strides
 * @errors     AGN_ENULL, AGN_ESHAPE (inner dimensions differ, batches do not
 *             broadcast), AGN_EUNSUPPORTED (a is dense), AGN_ENOMEM
 * @grad       in the values of a and in x or its values
 * @cost       O(nnz n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_matmul_t(agn_tensor **out,
                                                      const agn_tensor *a,
                                                      const agn_tensor *x);

/** Semirings: what stands for + and x of a product. */
enum {
    AGN_SEMIRING_PLUS_TIMES,
    AGN_SEMIRING_MIN_PLUS, /* shortest paths */
    AGN_SEMIRING_MAX_PLUS, /* longest ones, most likely sequences */
    AGN_SEMIRING_OR_AND    /* what can be reached; of bools, or of what is not 0 */
};

/**
 * agn_sparse_matmul_over - product of matrices over a semiring
 *
 * A place of a sparse operand without an entry is the neutral element of the sum: infinity for
 * min-plus, -infinity for max-plus, false for or-and. So is an element of a dense result, or a
 * place without an entry of a sparse one, that no product reaches: agn_sparse_filled shows it. A
 * stored 0 is the number 0.
 *
 * @param out       out, [..., m, n], or [..., m] where x has one axis; sparse where a and x are;
 *                  bool for or-and
 * @param a         in, sparse or dense [..., m, k]
 * @param x         in, dense or sparse [..., k, n], or [k]; one of the two is sparse; dtypes by
 *                  promotion
 * @param semiring  AGN_SEMIRING_
 * @errors          AGN_ENULL, AGN_EARG (no such semiring), AGN_ESHAPE (inner dimensions differ,
 *                  batches do not broadcast), AGN_EDTYPE (min-plus or max-plus of integers, bools
 *                  or complex numbers), AGN_EUNSUPPORTED (both are dense), AGN_ENOMEM
 * @grad            in the values of what is sparse and in what is dense: of a least or largest sum,
 *                  shared equally by the entries that reach it; none for or-and
 * @cost            O(nnz n); the number of products of entries where both are sparse; memory for
 *                  all products, but for plus-times
 * @ref             Kepner & Gilbert 2011
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_matmul_over(agn_tensor **out,
                                                         const agn_tensor *a,
                                                         const agn_tensor *x,
                                                         int32_t semiring);

/**
 * agn_sparse_sddmm - the entries of a product u w^T at the places of a
 *
 * Sampled dense-dense product: entry (i, j) is the sum over k of u[i, k] w[j, k], not
 * conjugated. The values of a do not matter. Leading axes broadcast.
 *
 * @param out  out, [..., rows, cols], AGN_CSR; shares the pattern
 * @param a    in, sparse [..., rows, cols]
 * @param u    in, [..., rows, n]  f32 f64 c64 c128; dtypes by promotion; any strides
 * @param w    in, [..., cols, n]
 * @errors     AGN_ENULL, AGN_ESHAPE (u and w do not fit, batches do not broadcast),
 *             AGN_EUNSUPPORTED (a is dense, u or w is sparse), AGN_ENOMEM
 * @grad       in u and w
 * @cost       O(nnz n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_sddmm(agn_tensor **out, const agn_tensor *a,
                                                   const agn_tensor *u,
                                                   const agn_tensor *w);

/**
 * agn_sparse_solve - x of a x = b for any square a
 *
 * The method follows the structure: substitution for a triangle with its diagonal, a sparse
 * Cholesky factor for a Hermitian positive definite matrix, else LU with partial pivoting.
 * agn_sparse_solve_with names a method instead, among them a Cholesky factor of a matrix of
 * which the lower triangle alone is stored. Numbers are computed in f64 or c128. Structure is
 * analysed once per pattern, a factor computed once per set of values: derivatives use it again.
 *
 * @param out  out, [..., n, k], or [..., n] where b has one axis
 * @param a    in, sparse [..., n, n]  f32 f64 c64 c128
 * @param b    in, [..., n, k], or [n]: one right-hand side for every matrix; any
 *             strides
 * @errors     AGN_ENULL, AGN_ESHAPE (not square, rows differ, batches do not
 *             broadcast), AGN_EDOMAIN (singular: names the matrix; not finite: names the
 *             entry), AGN_EUNSUPPORTED (a is dense, b is sparse, a build without
 *             SuiteSparse), AGN_ENOMEM
 * @grad       in the values of a, each by itself, and in b
 * @cost       of a sparse factorisation, and O(entries of the factor) per column
 * @ref        Chen, Davis, Hager & Rajamanickam 2008; Davis 2004
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_solve(agn_tensor **out,
                                                   const agn_tensor *a,
                                                   const agn_tensor *b);

#ifdef __cplusplus
}
#endif
#endif
