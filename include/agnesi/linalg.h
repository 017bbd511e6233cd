/**
 * agnesi/linalg.h - linear algebra: factorisations and solves
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Matrices are the last two axes; leading axes are a batch. Work is done by the linked
 * LAPACK and BLAS, whose sizes have 32 bits: larger ones are AGN_EUNSUPPORTED. Matrices
 * stored by columns (R, Julia, Fortran) are taken as they are. A derivative uses the
 * factor its value was computed with: nothing is factored twice.
 */
#ifndef AGNESI_LINALG_H
#define AGNESI_LINALG_H

#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * agn_linalg_cholesky - triangular factor of a Hermitian positive definite matrix
 *
 * a = l l^H with l lower triangular, or a = u^H u with u upper triangular; diagonals
 * are real and positive. Only that triangle of a is read, of its diagonal the real
 * part; what the other holds does not matter. The other triangle of the result is 0. A
 * NaN or an infinity in the triangle is refused before LAPACK sees it.
 *
 * @param out    out, [..., n, n]; stored by columns if a is
 * @param a      in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param upper  read the upper triangle and give u, instead of the lower and l
 * @errors       AGN_ENULL, AGN_ESHAPE (not square), AGN_EDTYPE, AGN_EDOMAIN (not
 *               positive definite: names the matrix and the column where it failed; not
 *               finite: names the entry), AGN_EUNSUPPORTED (order above 2^31 - 1),
 *               AGN_ENOMEM
 * @grad         of the function computed: the gradient lies in the triangle that is
 *               read
 * @cost         O(n^3 / 3) per matrix
 * @ref          Golub & Van Loan 2013, 4.2; Murray 2016, arXiv:1602.07527 (derivative)
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_cholesky(agn_tensor **out,
                                                      const agn_tensor *a, bool upper);

/**
 * agn_linalg_solve - x of a x = b, by LU factors with partial pivoting
 *
 * Leading axes broadcast. A NaN or an infinity in a is refused; in b it spreads into x.
 *
 * @param out  out, [..., n, k], or [..., n] where b has one axis
 * @param a    in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param b    in,  [..., n, k], or [n]: one right-hand side for every matrix; any
 *             strides
 * @errors     AGN_ENULL, AGN_ESHAPE (not square, rows differ, batches do not
 *             broadcast), AGN_EDOMAIN (singular: names the matrix and the pivot that is
 *             zero; not finite: names the entry), AGN_EUNSUPPORTED (a size above 2^31 -
 *             1, sparse), AGN_ENOMEM
 * @grad       everywhere; uses the same factor
 * @cost       O(n^3 2/3 + n^2 k) per matrix
 * @ref        Higham 2002, chapter 9; Giles 2008 (derivative)
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_solve(agn_tensor **out,
                                                   const agn_tensor *a,
                                                   const agn_tensor *b);

/**
 * agn_linalg_triangular_solve - x of a x = b with a triangular
 *
 * Only that triangle of a is read, its diagonal included. NaN spreads into x.
 *
 * @param out    out, [..., n, k], or [..., n] where b has one axis
 * @param a      in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param b      in,  [..., n, k], or [n]: one right-hand side for every matrix; any
 *               strides
 * @param upper  a is upper triangular, instead of lower
 * @errors       AGN_ENULL, AGN_ESHAPE (not square, rows differ, batches do not
 *               broadcast), AGN_EDTYPE, AGN_EDOMAIN (a zero on the diagonal: names
 *               matrix and entry), AGN_EUNSUPPORTED (a size above 2^31 - 1), AGN_ENOMEM
 * @grad         everywhere; the gradient of a lies in the triangle that is read
 * @cost         O(n^2 k) per matrix
 * @ref          Higham 2002, chapter 8
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_triangular_solve(agn_tensor **out,
                                                              const agn_tensor *a,
                                                              const agn_tensor *b,
                                                              bool upper);

/**
 * agn_linalg_orthogonal - random matrices with orthonormal rows or columns, whichever
 * are fewer
 *
 * All orientations are equally likely. Weights [out, in, ...] are made as [out, in *
 * ...].
 *
 * @param out    out
 * @param key    random key (agn_key) with a value
 * @param dtype  AGN_F16, AGN_BF16, AGN_F32 or AGN_F64; computed in f64
 * @param ndim   2 or more
 * @param shape  [..., n, m]; leading axes are a batch
 * @errors       AGN_ENULL, AGN_EDTYPE (dtype, key), AGN_ESHAPE, AGN_EUNSUPPORTED (sizes
 *               above 2^31 - 1), AGN_ESYMBOLIC (key), AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(n m min(n, m)) per matrix
 * @ref          Mezzadri 2007; Saxe, McClelland & Ganguli 2014
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_orthogonal(agn_tensor **out,
                                                        const agn_tensor *key,
                                                        agn_dtype dtype, int32_t ndim,
                                                        const int64_t *shape);

#ifdef __cplusplus
}
#endif
#endif
