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
 * agn_linalg_eigh - eigenvalues and orthonormal eigenvectors of a Hermitian matrix
 *
 * a = v diag(w) v^H. Only one triangle of a is read, of its diagonal the real part. Of
 * each vector the first of its largest entries (within 1/64) is real and positive, so
 * that vectors are functions of a where values are simple.
 *
 * @param w      out, [..., n]     values, ascending, real
 * @param v      out, [..., n, n]  vectors, as columns
 * @param a      in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param upper  read the upper triangle, instead of the lower
 * @errors       AGN_ENULL, AGN_ESHAPE (not square), AGN_EDTYPE, AGN_EDOMAIN (not finite:
 *               names the entry), AGN_ENOCONV, AGN_EUNSUPPORTED (order above 2^31 - 1),
 *               AGN_ENOMEM
 * @grad         to any order where values are distinct. Where two are equal, or nearer
 *               than sqrt(eps) of the largest, the derivative of vectors is refused
 *               (AGN_EDOMAIN) unless nothing turns them; that of the values is right
 *               for functions that treat equal values alike, refused backward for
 *               others, and forward that of the sorted values
 * @cost         O(n^3) per matrix
 * @ref          Golub & Van Loan 2013, 8.4; Magnus 1985 (derivative)
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_eigh(agn_tensor **w, agn_tensor **v,
                                                  const agn_tensor *a, bool upper);

/**
 * agn_linalg_eigvalsh - eigenvalues of a Hermitian matrix, ascending
 *
 * @param out    out, [..., n]     real
 * @param a      in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param upper  read the upper triangle, instead of the lower
 * @errors       AGN_ENULL, AGN_ESHAPE (not square), AGN_EDTYPE, AGN_EDOMAIN (not finite:
 *               names the entry), AGN_ENOCONV, AGN_EUNSUPPORTED (order above 2^31 - 1),
 *               AGN_ENOMEM
 * @grad         as of agn_linalg_eigh(); vectors are computed for it
 * @cost         O(n^3) per matrix, a quarter of agn_linalg_eigh() or less
 * @ref          Golub & Van Loan 2013, 8.3
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_eigvalsh(agn_tensor **out,
                                                      const agn_tensor *a, bool upper);

/**
 * agn_linalg_svd - singular value decomposition
 *
 * a = u diag(s) vh with orthonormal columns of u and rows of vh; k = min(m, n). Of each
 * column of u the first of its largest entries (within 1/64) is real and positive.
 *
 * @param u     out, [..., m, k], or [..., m, m] in full
 * @param s     out, [..., k]     values, descending, real
 * @param vh    out, [..., k, n], or [..., n, n] in full: conjugate-transposed vectors
 * @param a     in,  [..., m, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param full  complete both bases
 * @errors      AGN_ENULL, AGN_ESHAPE (fewer than two axes), AGN_EDTYPE, AGN_EDOMAIN (not
 *              finite: names the entry), AGN_ENOCONV, AGN_EUNSUPPORTED (a size above
 *              2^31 - 1), AGN_ENOMEM
 * @grad        to any order where values are distinct and not 0, with the rules of
 *              agn_linalg_eigh() at ties; a value 0 is one. Of full factors of a matrix
 *              that is not square there is none: AGN_EUNSUPPORTED
 * @cost        O(m n k) per matrix
 * @ref         Golub & Van Loan 2013, 8.6; Townsend 2016 (derivative)
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_svd(agn_tensor **u, agn_tensor **s,
                                                 agn_tensor **vh, const agn_tensor *a,
                                                 bool full);

/**
 * agn_linalg_svdvals - singular values, descending
 *
 * @param out  out, [..., min(m, n)]  real
 * @param a    in,  [..., m, n]  f32 f64 c64 c128, others by promotion; any strides
 * @errors     AGN_ENULL, AGN_ESHAPE (fewer than two axes), AGN_EDTYPE, AGN_EDOMAIN (not
 *             finite: names the entry), AGN_ENOCONV, AGN_EUNSUPPORTED (a size above 2^31
 *             - 1), AGN_ENOMEM
 * @grad       as of agn_linalg_svd(); vectors are computed for it
 * @cost       O(m n min(m, n)) per matrix
 * @ref        Golub & Van Loan 2013, 8.6
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_svdvals(agn_tensor **out,
                                                     const agn_tensor *a);

/**
 * agn_linalg_qr - orthonormal times triangular
 *
 * a = q r by Householder's reflectors, with signs as LAPACK gives them: the diagonal of
 * r is real and may be negative. k = min(m, n).
 *
 * @param q         out, [..., m, k], or [..., m, m] where complete
 * @param r         out, [..., k, n], or [..., m, n] where complete: upper triangular
 * @param a         in,  [..., m, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param complete  complete the basis
 * @errors          AGN_ENULL, AGN_ESHAPE (fewer than two axes), AGN_EDTYPE, AGN_EDOMAIN
 *                  (not finite: names the entry), AGN_EUNSUPPORTED (a size above 2^31 -
 *                  1), AGN_ENOMEM
 * @grad            to any order where the first k columns are independent, else
 *                  AGN_EDOMAIN; of complete factors with m > n there is none:
 *                  AGN_EUNSUPPORTED
 * @cost            O(m n k) per matrix
 * @ref             Golub & Van Loan 2013, 5.2; Walter & Lehmann 2010 (derivative)
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_qr(agn_tensor **q, agn_tensor **r,
                                                const agn_tensor *a, bool complete);

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
