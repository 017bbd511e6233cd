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

#include <agnesi/graph.h>

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
 * @errors       AGN_ENULL, AGN_ESHAPE (not square), AGN_EDOMAIN (not positive definite: names the
 *               matrix and the column where it failed; not finite: names the entry),
 *               AGN_EUNSUPPORTED (order above 2^31 - 1), AGN_ENOMEM
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
 * What is factored is the transpose of a matrix stored by rows, and the matrix itself
 * where it is stored by columns: pivots are sought along rows, or columns, of a. Where a
 * factor or the reciprocal of a pivot overflows, rows and columns are multiplied by powers
 * of 2 first.
 *
 * What the zeros and the symmetry of a show is used, matrix by matrix: a triangular matrix is its
 * own factor; one with l diagonals below and u above, 4 (2 l + u + 1) <= n, is factored as a band;
 * a Hermitian one whose diagonal is positive by Cholesky's method, and by LU where that breaks
 * down. Derivatives, in all entries, go by the same factors. Batches that lie in the lanes of
 * vectors are not looked at.
 *
 * Leading axes broadcast. A NaN or an infinity in a is refused; in b it spreads into x.
 *
 * @param out  out, [..., n, k], or [..., n] where b has one axis
 * @param a    in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param b    in,  [..., n, k], or [n]: one right-hand side for every matrix; any
 *             strides
 * @errors     AGN_ENULL, AGN_ESHAPE (not square, rows differ, batches do not
 *             broadcast), AGN_EDOMAIN (singular: names the matrix and the pivot that is
 *             zero, or whose reciprocal overflows after scaling; pivots grow so that half of
 *             the digits are lost, along rows and along columns; not finite: names the
 *             entry), AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad       everywhere; uses the same factor
 * @cost       O(n^3 2/3 + n^2 k) per matrix; O(n^3 / 3) positive definite, O(n l (l + u)) banded,
 *             O(n^2 k) triangular
 * @ref        Higham 2002, chapters 8 to 10; Giles 2008 (derivative)
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
 * @errors       AGN_ENULL, AGN_ESHAPE (not square, rows differ, batches do not broadcast),
 *               AGN_EDOMAIN (a zero on the diagonal: names matrix and entry), AGN_EUNSUPPORTED (a
 *               size above 2^31 - 1), AGN_ENOMEM
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
 * @errors       AGN_ENULL, AGN_ESHAPE (not square), AGN_EDOMAIN (not finite: names the entry),
 *               AGN_ENOCONV, AGN_EUNSUPPORTED (order above 2^31 - 1), AGN_ENOMEM
 * @grad         to any order where values are distinct. Where two are equal, or nearer
 *               than sqrt(eps) of the largest, the derivative of vectors is refused
 *               (AGN_EDOMAIN) unless nothing turns them; that of the values is right
 *               for functions that treat equal values alike, refused backward for
 *               others, and forward that of the sorted values
 * @cost         O(n^3) per matrix
 * @ref          Golub & Van Loan 2013, 8.4; Gu & Eisenstat 1995; Magnus 1985 (derivative)
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_eigh(agn_tensor **w, agn_tensor **v,
                                                  const agn_tensor *a, bool upper);

/**
 * agn_linalg_eigvalsh - eigenvalues of a Hermitian matrix, ascending
 *
 * @param out    out, [..., n]     real
 * @param a      in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param upper  read the upper triangle, instead of the lower
 * @errors       AGN_ENULL, AGN_ESHAPE (not square), AGN_EDOMAIN (not finite: names the entry),
 *               AGN_ENOCONV, AGN_EUNSUPPORTED (order above 2^31 - 1), AGN_ENOMEM
 * @grad         as of agn_linalg_eigh(); vectors are computed for it
 * @cost         O(n^3) per matrix, a quarter of agn_linalg_eigh() or less
 * @ref          Golub & Van Loan 2013, 8.3
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_eigvalsh(agn_tensor **out,
                                                      const agn_tensor *a, bool upper);

/**
 * agn_linalg_eig - eigenvalues and vectors of a general matrix
 *
 * a v = v diag(w), by LAPACK's geev, which balances. Columns of v have length 1, and the
 * first of their largest entries (within 1/64) is real and positive. Values of a real
 * matrix come in exact pairs of conjugates. Their order is LAPACK's.
 *
 * @param w  out, [..., n]     values, complex
 * @param v  out, [..., n, n]  vectors, as columns, complex
 * @param a  in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @errors   AGN_ENULL, AGN_ESHAPE (not square), AGN_EDOMAIN (not finite: names the entry),
 *           AGN_ENOCONV, AGN_EUNSUPPORTED (order above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad     to any order where values are distinct; at ties as of agn_linalg_eigh(),
 *           where the vectors span. NaN at values that are defective, or so near to it
 *           that nothing of the derivative is known
 * @cost     O(n^3) per matrix, about 25 n^3
 * @ref      Golub & Van Loan 2013, 7.6; Magnus 1985 (derivative)
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_eig(agn_tensor **w, agn_tensor **v,
                                                 const agn_tensor *a);

/**
 * agn_linalg_eigvals - eigenvalues of a general matrix
 *
 * @param out  out, [..., n]  complex, in LAPACK's order
 * @param a    in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @errors     AGN_ENULL, AGN_ESHAPE (not square), AGN_EDOMAIN (not finite: names the entry),
 *             AGN_ENOCONV, AGN_EUNSUPPORTED (order above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad       as of agn_linalg_eig(); vectors are computed for it
 * @cost       O(n^3) per matrix, about 10 n^3
 * @ref        Golub & Van Loan 2013, 7.5
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_eigvals(agn_tensor **out, const agn_tensor *a);

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
 * @errors      AGN_ENULL, AGN_ESHAPE (fewer than two axes), AGN_EDOMAIN (not finite: names the
 *              entry), AGN_ENOCONV, AGN_EUNSUPPORTED (a size above 2^31 - 1), AGN_ENOMEM
 * @grad        to any order where values are distinct and not 0, with the rules of
 *              agn_linalg_eigh() at ties; a value 0 is one. Of full factors of a matrix
 *              that is not square there is none: AGN_EUNSUPPORTED
 * @cost        O(m n k) per matrix
 * @ref         Golub & Van Loan 2013, 8.6; Gu & Eisenstat 1995; Townsend 2016 (derivative)
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_svd(agn_tensor **u, agn_tensor **s,
                                                 agn_tensor **vh, const agn_tensor *a,
                                                 bool full);

/**
 * agn_linalg_svdvals - singular values, descending
 *
 * @param out  out, [..., min(m, n)]  real
 * @param a    in,  [..., m, n]  f32 f64 c64 c128, others by promotion; any strides
 * @errors     AGN_ENULL, AGN_ESHAPE (fewer than two axes), AGN_EDOMAIN (not finite: names the
 *             entry), AGN_ENOCONV, AGN_EUNSUPPORTED (a size above 2^31 - 1), AGN_ENOMEM
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
 * @errors          AGN_ENULL, AGN_ESHAPE (fewer than two axes), AGN_EDOMAIN (not finite: names the
 *                  entry), AGN_EUNSUPPORTED (a size above 2^31 - 1), AGN_ENOMEM
 * @grad            to any order where the first k columns are independent, else
 *                  AGN_EDOMAIN; of complete factors with m > n there is none:
 *                  AGN_EUNSUPPORTED
 * @cost            O(m n k) per matrix
 * @ref             Golub & Van Loan 2013, 5.2; Walter & Lehmann 2010 (derivative)
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_qr(agn_tensor **q, agn_tensor **r,
                                                const agn_tensor *a, bool complete);

/**
 * agn_linalg_det - determinant
 *
 * By LU factors, with complete pivoting where pivots grow along rows and along columns. Products
 * of pivots are scaled on the way: only the result can overflow. A singular matrix has the
 * determinant 0.
 *
 * @param out  out, [...]
 * @param a    in, [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @errors     AGN_ENULL, AGN_ESHAPE (not square), AGN_EDOMAIN (not finite: names the entry),
 *             AGN_EUNSUPPORTED (order above 2^31 - 1), AGN_ENOMEM
 * @grad       det(a) tr(a^-1 da), to any order; of a singular matrix AGN_EDOMAIN
 * @cost       O(n^3 2/3) per matrix
 * @ref        Higham 2002, 14.6
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_det(agn_tensor **out, const agn_tensor *a);

/**
 * agn_linalg_slogdet - sign of a determinant and logarithm of its modulus
 *
 * det a = sign exp(logabs), by the factors of agn_linalg_det. A singular matrix has 0 and
 * -infinity.
 *
 * @param sign    out, [...]  +-1, or a number of modulus 1
 * @param logabs  out, [...]  real
 * @param a       in, [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @errors        AGN_ENULL, AGN_ESHAPE (not square), AGN_EDOMAIN (not finite: names the entry),
 *                AGN_EUNSUPPORTED (order above 2^31 - 1), AGN_ENOMEM
 * @grad          tr(a^-1 da), to any order; of a singular matrix AGN_EDOMAIN
 * @cost          O(n^3 2/3) per matrix
 * @ref           Higham 2002, 14.6
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_slogdet(agn_tensor **sign, agn_tensor **logabs,
    const agn_tensor *a);

/**
 * agn_linalg_matrix_exp - exponential of a matrix
 *
 * Scaling and squaring with Taylor polynomials of degree 4, 12 or 18; a large norm is balanced
 * first by powers of 2 (d^-1 a d). Norms of powers of a decide how often it is squared. f32
 * and c64 go in f64 and c128 but for orders from 48 on of norms up to 16 whose eigenvalues have
 * a mean of -1/2 or more.
 *
 * @param out  out, [..., n, n]
 * @param a    in, [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @errors     AGN_ENULL, AGN_ESHAPE (not square), AGN_EDOMAIN (not finite: names the entry; so
 *             large that rounding of its entries leaves no digit), AGN_EUNSUPPORTED (order above
 *             2^31 - 1; a norm that overflows), AGN_ENOMEM
 * @grad       to any order, also of matrices without eigenvectors: each order doubles
 *             the matrix
 * @cost       O(n^3), at most about 2 n^3 (5 + log2 norm) per matrix
 * @ref        Bader, Blanes & Casas 2019; Al-Mohy & Higham 2009 (scale); Mathias 1996 (derivative)
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_matrix_exp(agn_tensor **out, const agn_tensor *a);

/**
 * agn_linalg_sqrtm - principal square root of a matrix
 *
 * The x of x x = a whose eigenvalues lie in the right half plane. Of a real matrix it is
 * real.
 *
 * @param out  out, [..., n, n]
 * @param a    in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @errors     AGN_ENULL, AGN_ESHAPE (not square), AGN_EDOMAIN (not finite; an eigenvalue is 0 and
 *             defective up to rounding; of a real matrix: one is negative), AGN_ENOCONV,
 *             AGN_EUNSUPPORTED (order above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad       to any order, at ties too; of a singular matrix AGN_EDOMAIN
 * @cost       about 25 n^3 in double precision
 * @ref        Bjorck & Hammarling 1983; Higham 2008, chapter 6
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_sqrtm(agn_tensor **out, const agn_tensor *a);

/**
 * agn_linalg_logm - principal logarithm of a matrix
 *
 * The x of exp(x) = a whose eigenvalues have imaginary parts in (-pi, pi]. Of a real
 * matrix it is real. Computed in double precision, and rounded once.
 *
 * @param out  out, [..., n, n]
 * @param a    in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @errors     AGN_ENULL, AGN_ESHAPE (not square), AGN_EDOMAIN (not finite; singular up to rounding;
 *             of a real matrix: an eigenvalue is negative), AGN_ENOCONV, AGN_EUNSUPPORTED (order
 *             above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad       to any order, at ties too
 * @cost       about 25 n^3 and n^3 for each root that is taken
 * @ref        Kenney & Laub 1989; Higham 2008, chapter 11
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_logm(agn_tensor **out, const agn_tensor *a);

/**
 * agn_linalg_fractional_power - a to the power p, by its principal logarithm
 *
 * A whole p is agn_linalg_matrix_power().
 *
 * @param out  out, [..., n, n]
 * @param a    in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param p    the power, below 2^53
 * @errors     AGN_ENULL, AGN_EARG (p), AGN_ESHAPE (not square), AGN_EDOMAIN (not finite; as of
 *             agn_linalg_logm(), and a p < 0: singular), AGN_ENOCONV, AGN_EUNSUPPORTED (order above
 *             2^31 - 1, sparse), AGN_ENOMEM
 * @grad       to any order, at ties too
 * @cost       of a logarithm and an exponential
 * @ref        Higham 2008, 7.3
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_fractional_power(agn_tensor **out,
                                                              const agn_tensor *a, double p);

/**
 * agn_linalg_cosm - cosine of a matrix
 *
 * By exponentials: the real part of e^(i a) where a is real.
 *
 * @param out  out, [..., n, n]
 * @param a    in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @errors     AGN_ENULL, AGN_ESHAPE (not square), AGN_EDOMAIN (not finite; as of
 *             agn_linalg_matrix_exp()), AGN_EUNSUPPORTED (order above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad       everywhere, to any order
 * @cost       one complex exponential; of a complex matrix one of twice its order
 * @ref        Higham 2008, chapter 12
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_cosm(agn_tensor **out, const agn_tensor *a);

/**
 * agn_linalg_sinm - sine of a matrix
 *
 * By exponentials: the imaginary part of e^(i a) where a is real.
 *
 * @param out  out, [..., n, n]
 * @param a    in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @errors     AGN_ENULL, AGN_ESHAPE (not square), AGN_EDOMAIN (not finite; as of
 *             agn_linalg_matrix_exp()), AGN_EUNSUPPORTED (order above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad       everywhere, to any order
 * @cost       one complex exponential; of a complex matrix one of twice its order
 * @ref        Higham 2008, chapter 12
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_sinm(agn_tensor **out, const agn_tensor *a);

/**
 * agn_linalg_tanm - tangent of a matrix
 *
 * cos(a)^-1 sin(a); NaN where all but a few bits are lost to the condition of the cosine.
 *
 * @param out  out, [..., n, n]
 * @param a    in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @errors     AGN_ENULL, AGN_ESHAPE (not square), AGN_EDOMAIN (not finite; cos(a) is singular),
 *             AGN_EUNSUPPORTED (order above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad       to any order; refused or NaN where it is NaN
 * @cost       as of agn_linalg_cosm(), and a solve
 * @ref        Higham 2008, chapter 12
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_tanm(agn_tensor **out, const agn_tensor *a);

/**
 * agn_linalg_coshm - hyperbolic cosine of a matrix
 *
 * (e^a + e^-a) / 2.
 *
 * @param out  out, [..., n, n]
 * @param a    in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @errors     AGN_ENULL, AGN_ESHAPE (not square), AGN_EDOMAIN (not finite; as of
 *             agn_linalg_matrix_exp()), AGN_EUNSUPPORTED (order above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad       everywhere, to any order
 * @cost       two exponentials
 * @ref        Higham 2008, chapter 12
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_coshm(agn_tensor **out, const agn_tensor *a);

/**
 * agn_linalg_sinhm - hyperbolic sine of a matrix
 *
 * A block of e^[0, a; a, 0], in which small matrices keep their digits.
 *
 * @param out  out, [..., n, n]
 * @param a    in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @errors     AGN_ENULL, AGN_ESHAPE (not square), AGN_EDOMAIN (not finite; as of
 *             agn_linalg_matrix_exp()), AGN_EUNSUPPORTED (order above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad       everywhere, to any order
 * @cost       an exponential of twice the order
 * @ref        Higham 2008, chapter 12
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_sinhm(agn_tensor **out, const agn_tensor *a);

/**
 * agn_linalg_tanhm - hyperbolic tangent of a matrix
 *
 * cosh(a)^-1 sinh(a); NaN where all but a few bits are lost to the condition of cosh(a).
 *
 * @param out  out, [..., n, n]
 * @param a    in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @errors     AGN_ENULL, AGN_ESHAPE (not square), AGN_EDOMAIN (not finite; cosh(a) overflows or is
 *             singular), AGN_EUNSUPPORTED (order above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad       to any order; refused or NaN where it is NaN
 * @cost       an exponential of twice the order and a solve
 * @ref        Higham 2008, chapter 12
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_tanhm(agn_tensor **out, const agn_tensor *a);

/**
 * agn_linalg_signm - sign of a matrix
 *
 * a (a^2)^(-1/2): eigenvalues become 1 in the right half plane and -1 in the left. Refused where
 * one is so near to the axis between that half of the digits are rounding; of a triangle: on it.
 *
 * @param out  out, [..., n, n]
 * @param a    in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @errors     AGN_ENULL, AGN_ESHAPE (not square), AGN_EDOMAIN (not finite; an eigenvalue is on the
 *             imaginary axis), AGN_ENOCONV, AGN_EUNSUPPORTED (order above 2^31 - 1, sparse),
 *             AGN_ENOMEM
 * @grad       to any order, at ties too; an error of rounding times the condition
 * @cost       25 n^3 to 30 n^3, in f64
 * @ref        Higham 2008, algorithm 5.5 and (5.24)
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_signm(agn_tensor **out, const agn_tensor *a);

/**
 * agn_linalg_expm_frechet - exponential of a and its derivative along e
 *
 * @param y   out, [..., n, n]  e^a
 * @param dy  out, [..., n, n]  the derivative
 * @param a   in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param e   in,  [..., n, n]  the direction
 * @errors    AGN_ENULL, AGN_ESHAPE (not square, sizes differ, batches do not broadcast),
 *            AGN_EDOMAIN (not finite), AGN_EUNSUPPORTED (order above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad      everywhere, to any order
 * @cost      of an exponential of order 2 n
 * @ref       Mathias 1996
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_expm_frechet(agn_tensor **y, agn_tensor **dy,
    const agn_tensor *a, const agn_tensor *e);

/**
 * agn_linalg_solve_sylvester - x of a x + x b = c
 *
 * @param out  out, [..., m, n]
 * @param a    in,  [..., m, m]  f32 f64 c64 c128, others by promotion; any strides
 * @param b    in,  [..., n, n]
 * @param c    in,  [..., m, n]
 * @errors     AGN_ENULL, AGN_ESHAPE (not square, sizes differ, batches do not broadcast),
 *             AGN_EDOMAIN (a and -b share an eigenvalue up to rounding; not finite: names the
 *             entry), AGN_ENOCONV, AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad       everywhere, to any order
 * @cost       about 25 (m^3 + n^3) per matrix
 * @ref        Bartels & Stewart 1972; Golub & Van Loan 2013, 7.6
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_solve_sylvester(agn_tensor **out,
    const agn_tensor *a, const agn_tensor *b, const agn_tensor *c);

/**
 * agn_linalg_continuous_lyapunov - x of a x + x a^H = q
 *
 * @param out  out, [..., n, n]
 * @param a    in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param q    in,  [..., n, n]
 * @errors     AGN_ENULL, AGN_ESHAPE (not square, sizes differ, batches do not broadcast),
 *             AGN_EDOMAIN (two eigenvalues are each other's mirror in the imaginary axis up to
 *             rounding; not finite: names the entry), AGN_ENOCONV, AGN_EUNSUPPORTED (order above
 *             2^31 - 1, sparse), AGN_ENOMEM
 * @grad       everywhere, to any order
 * @cost       about 50 n^3 per matrix
 * @ref        Bartels & Stewart 1972
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_continuous_lyapunov(agn_tensor **out,
    const agn_tensor *a, const agn_tensor *q);

/**
 * agn_linalg_discrete_lyapunov - x of x - a x a^H = q
 *
 * By the bilinear transformation, which takes it to a continuous one.
 *
 * @param out  out, [..., n, n]
 * @param a    in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param q    in,  [..., n, n]
 * @errors     AGN_ENULL, AGN_ESHAPE (not square, sizes differ, batches do not broadcast),
 *             AGN_EDOMAIN (two eigenvalues are each other's mirror in the unit circle up to
 *             rounding; not finite), AGN_ENOCONV, AGN_EUNSUPPORTED (order above 2^31 - 1, sparse),
 *             AGN_ENOMEM
 * @grad       everywhere, to any order
 * @cost       about 60 n^3 per matrix
 * @ref        Simoncini 2016, section 6
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_discrete_lyapunov(agn_tensor **out,
    const agn_tensor *a, const agn_tensor *q);

/**
 * agn_linalg_continuous_riccati - stabilising x of a^H x + x a - x b r^-1 b^H x + q = 0
 *
 * By the stable subspace of the pencil of all four, states scaled, then Newton's steps with
 * residuals of more digits. x is Hermitian, and the values of a - b r^-1 b^H x lie in the left half
 * plane. Of q and r the Hermitian part counts. Numbers of f32 count as they are given, exactly.
 *
 * @param out  out, [..., n, n]
 * @param a    in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param b    in,  [..., n, k]
 * @param q    in,  [..., n, n]
 * @param r    in,  [..., k, k]  regular
 * @errors     AGN_ENULL, AGN_ESHAPE (not square, sizes differ, batches do not broadcast),
 *             AGN_EDOMAIN (r is singular; there is no such x up to rounding; not finite),
 *             AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad       everywhere, to any order: by Lyapunov's equation of the closed loop
 * @cost       about 500 n^3 per matrix in double precision, complex
 * @ref        Laub 1979; Arnold & Laub 1984; Kleinman 1968; Kao & Hennequin 2020 (derivative)
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_continuous_riccati(agn_tensor **out,
    const agn_tensor *a, const agn_tensor *b, const agn_tensor *q, const agn_tensor *r);

/**
 * agn_linalg_discrete_riccati - stabilising x of x = q + a^H x a - a^H x b (r + b^H x b)^-1 b^H x a
 *
 * As agn_linalg_continuous_riccati(). r may be singular, even 0, where r + b^H x b is not. x is
 * Hermitian, and the values of a - b (r + b^H x b)^-1 b^H x a lie within the unit circle. Of q and
 * r the Hermitian part counts.
 *
 * @param out  out, [..., n, n]
 * @param a    in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param b    in,  [..., n, k]
 * @param q    in,  [..., n, n]
 * @param r    in,  [..., k, k]
 * @errors     AGN_ENULL, AGN_ESHAPE (not square, sizes differ, batches do not broadcast),
 *             AGN_EDOMAIN (r + b^H x b is singular; there is no such x up to rounding; not finite),
 *             AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad       everywhere, to any order: by Stein's equation of the closed loop
 * @cost       about 500 n^3 per matrix in double precision, complex
 * @ref        Van Dooren 1981; Hewer 1971; Kao & Hennequin 2020 (derivative)
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_discrete_riccati(agn_tensor **out,
    const agn_tensor *a, const agn_tensor *b, const agn_tensor *q, const agn_tensor *r);

/**
 * agn_linalg_pinv - Moore-Penrose inverse
 *
 * By singular values; those up to rcond times the largest count as 0.
 *
 * @param out    out, [..., n, m]
 * @param a      in, [..., m, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param rcond  below 1; negative for max(m, n) eps
 * @errors       AGN_ENULL, AGN_ESHAPE (fewer than two axes), AGN_EARG (rcond), AGN_EDOMAIN (not
 *               finite: names the entry), AGN_ENOCONV, AGN_EUNSUPPORTED (a size above 2^31 - 1),
 *               AGN_ENOMEM
 * @grad         to any order, along matrices of the same rank; equal singular values do
 *               no harm
 * @cost         O(m n min(m, n)) per matrix
 * @ref          Golub & Pereyra 1973
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_pinv(agn_tensor **out, const agn_tensor *a,
    double rcond);

/**
 * agn_linalg_inv - inverse of a matrix
 *
 * To solve a system agn_linalg_solve() is cheaper and more accurate.
 *
 * @param out  out, [..., n, n]
 * @param a    in, [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @errors     AGN_ENULL, AGN_ESHAPE (not square), AGN_EDOMAIN (singular: names the matrix and the
 *             pivot that is zero; not finite: names the entry), AGN_EUNSUPPORTED (a size above 2^31
 *             - 1, sparse), AGN_ENOMEM
 * @grad       everywhere; uses the same factor
 * @cost       O(2 n^3) per matrix
 * @ref        Higham 2002, chapter 14
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_inv(agn_tensor **out, const agn_tensor *a);

/**
 * agn_linalg_cholesky_solve - x of a x = b where a = l l^H or u^H u is factored
 *
 * @param out    out, [..., n, k], or [..., n] where b has one axis
 * @param l      in, [..., n, n]  the factor; f32 f64 c64 c128, others by promotion; any
 *               strides
 * @param b      in, [..., n, k], or [n]
 * @param upper  l is upper triangular, u
 * @errors       AGN_ENULL, AGN_ESHAPE (not square, rows differ, batches do not broadcast),
 *               AGN_EDOMAIN (a zero on the diagonal), AGN_EUNSUPPORTED (a size above 2^31 - 1,
 *               sparse), AGN_ENOMEM
 * @grad         everywhere; that of l lies in its triangle
 * @cost         O(2 n^2 k) per matrix
 * @ref          Higham 2002, chapter 10
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_cholesky_solve(agn_tensor **out, const agn_tensor *l,
    const agn_tensor *b, bool upper);

/**
 * agn_linalg_cholesky_inverse - inverse of a = l l^H or u^H u, by its factor
 *
 * @param out    out, [..., n, n]
 * @param l      in, [..., n, n]  the factor; f32 f64 c64 c128, others by promotion; any
 *               strides
 * @param upper  l is upper triangular, u
 * @errors       AGN_ENULL, AGN_ESHAPE (not square), AGN_EDOMAIN (a zero on the diagonal),
 *               AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad         everywhere; it lies in the triangle
 * @cost         O(2 n^3) per matrix
 * @ref          Higham 2002, 14.3
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_cholesky_inverse(agn_tensor **out,
    const agn_tensor *l, bool upper);

/**
 * agn_linalg_lstsq - x of least |a x - b|; where many x solve a x = b, the shortest
 *
 * By QR of a, or of a^H where a is wide. Rows or columns that are dependent up to
 * rounding are refused: agn_linalg_pinv() takes them.
 *
 * @param out  out, [..., n, k], or [..., n] where b has one axis
 * @param a    in, [..., m, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param b    in, [..., m, k], or [m]
 * @errors     AGN_ENULL, AGN_ESHAPE (fewer than two axes, rows differ, batches do not broadcast),
 *             AGN_EDOMAIN (dependent, not finite), AGN_EUNSUPPORTED (a size above 2^31 - 1,
 *             sparse), AGN_ENOMEM
 * @grad       everywhere, to any order
 * @cost       O(m n min(m, n)) per matrix
 * @ref        Golub & Van Loan 2013, 5.3 and 5.6; Golub & Pereyra 1973 (derivative)
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_lstsq(agn_tensor **out, const agn_tensor *a,
    const agn_tensor *b);

/**
 * agn_linalg_householder_product - the first n columns of a product of reflectors
 *
 * h_1 h_2 .. h_k with h_i = 1 - tau_i v_i v_i^H and v_i column i of a below the
 * diagonal, 1 on it. Formed as 1 - v t v^H.
 *
 * @param out  out, [..., m, n]
 * @param a    in, [..., m, n] with m >= n  f32 f64 c64 c128, others by promotion; any
 *             strides; read below the diagonal
 * @param tau  in, [..., k] with k <= n
 * @errors     AGN_ENULL, AGN_ESHAPE (sizes do not fit), AGN_EUNSUPPORTED (a size above 2^31 - 1,
 *             sparse), AGN_ENOMEM
 * @grad       everywhere, to any order
 * @cost       O(m n k) per matrix
 * @ref        Schreiber & Van Loan 1989
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_householder_product(agn_tensor **out,
    const agn_tensor *a, const agn_tensor *tau);

/**
 * agn_linalg_ormqr - a product of reflectors times c, which is not formed
 *
 * @param out      out, as c
 * @param a        in, [..., m, n] with m >= n  f32 f64 c64 c128, others by promotion;
 *                 any strides; read below the diagonal
 * @param tau      in, [..., k] with k <= n
 * @param c        in, [..., m, j], or [..., j, m] from the right
 * @param left     q c, instead of c q
 * @param adjoint  q^H in place of q
 * @errors         AGN_ENULL, AGN_ESHAPE (sizes do not fit), AGN_EUNSUPPORTED (a size above 2^31 -
 *                 1, sparse), AGN_ENOMEM
 * @grad           everywhere, to any order
 * @cost           O(m j k) per matrix
 * @ref            Schreiber & Van Loan 1989
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_ormqr(agn_tensor **out, const agn_tensor *a,
    const agn_tensor *tau, const agn_tensor *c, bool left, bool adjoint);

/**
 * agn_linalg_polar - orthonormal times Hermitian
 *
 * a = u h with orthonormal columns of u and positive semidefinite h. Of a matrix of lower
 * rank u is LAPACK's choice.
 *
 * @param u  out, [..., m, n]
 * @param h  out, [..., n, n]
 * @param a  in,  [..., m, n] with m >= n  f32 f64 c64 c128, others by promotion; any strides
 * @errors   AGN_ENULL, AGN_ESHAPE (fewer than two axes, more columns than rows), AGN_EDOMAIN (not
 *           finite: names the entry), AGN_ENOCONV, AGN_EUNSUPPORTED (a size above 2^31 - 1,
 *           sparse), AGN_ENOMEM
 * @grad     to any order, at equal singular values too; of lower rank AGN_EDOMAIN
 * @cost     O(m n^2) per matrix
 * @ref      Higham 2008, chapter 8
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_polar(agn_tensor **u, agn_tensor **h,
                                                   const agn_tensor *a);

/**
 * agn_linalg_procrustes - unitary r of least |a r - b|
 *
 * The unitary polar factor of a^H b.
 *
 * @param out  out, [..., n, n]
 * @param a    in,  [..., m, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param b    in,  [..., m, n]
 * @errors     AGN_ENULL, AGN_ESHAPE (fewer than two axes, rows or columns differ, batches do not
 *             broadcast), AGN_EDOMAIN (not finite), AGN_ENOCONV, AGN_EUNSUPPORTED (a size above
 *             2^31 - 1, sparse), AGN_ENOMEM
 * @grad       where a^H b has full rank, to any order; else AGN_EDOMAIN
 * @cost       O(m n^2 + n^3) per pair
 * @ref        Golub & Van Loan 2013, 6.4
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_procrustes(agn_tensor **out, const agn_tensor *a,
                                                        const agn_tensor *b);

/**
 * agn_linalg_subspace_angles - angles between the spans of columns, descending
 *
 * @param out  out, [..., min(p, n)]  real, in [0, pi / 2]
 * @param a    in,  [..., m, p] with p <= m  f32 f64 c64 c128, others by promotion
 * @param b    in,  [..., m, n] with n <= m
 * @errors     AGN_ENULL, AGN_ESHAPE (fewer than two axes, rows differ, more columns than rows,
 *             batches do not broadcast), AGN_EDOMAIN (columns are dependent; not finite),
 *             AGN_ENOCONV, AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad       as of agn_linalg_svdvals(), and none at an angle 0
 * @cost       O(m p n) per pair
 * @ref        Bjorck & Golub 1973
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_subspace_angles(agn_tensor **out,
    const agn_tensor *a, const agn_tensor *b);

/**
 * agn_linalg_rq - triangular times orthonormal
 *
 * a = r q; the last k = min(m, n) rows of r are upper triangular, with a real diagonal.
 *
 * @param r  out, [..., m, k]
 * @param q  out, [..., k, n]  orthonormal rows
 * @param a  in,  [..., m, n]  f32 f64 c64 c128, others by promotion; any strides
 * @errors   AGN_ENULL, AGN_ESHAPE (fewer than two axes), AGN_EDOMAIN (not finite), AGN_EUNSUPPORTED
 *           (a size above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad     as of agn_linalg_qr() of what it is made of: where the last k rows are
 *           independent
 * @cost     O(m n k) per matrix
 * @ref      Golub & Van Loan 2013, 5.2
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_rq(agn_tensor **r, agn_tensor **q,
                                                const agn_tensor *a);

/**
 * agn_linalg_lstsq_min_norm - the shortest x of least |a x - b|, for a of any rank
 *
 * @param out    out, [..., n, k], or [..., n] where b has one axis
 * @param rank   out, [...]  i64: singular values above rcond times the largest
 * @param a      in, [..., m, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param b      in, [..., m, k], or [m]
 * @param rcond  below 1; negative for max(m, n) eps
 * @errors       AGN_ENULL, AGN_EARG (rcond), AGN_ESHAPE (fewer than two axes, rows differ, batches
 *               do not broadcast), AGN_EDOMAIN (not finite), AGN_ENOCONV, AGN_EUNSUPPORTED (a size
 *               above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad         along matrices of the same rank, as of agn_linalg_pinv()
 * @cost         of two decompositions by singular values
 * @ref          Golub & Van Loan 2013, 5.5
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_lstsq_min_norm(agn_tensor **out, agn_tensor **rank,
    const agn_tensor *a, const agn_tensor *b, double rcond);

/**
 * agn_linalg_eigh_generalized - eigenpairs of a v = b v diag(w), b positive definite
 *
 * v^H b v = 1. Only one triangle of a and of b is read. Phases are fixed in l^H v, with
 * b = l l^H.
 *
 * @param w      out, [..., n]     values, ascending, real
 * @param v      out, [..., n, n]  vectors, as columns
 * @param a      in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param b      in,  [..., n, n]
 * @param upper  read the upper triangles, instead of the lower
 * @errors       AGN_ENULL, AGN_ESHAPE (not square, orders differ, batches do not broadcast),
 *               AGN_EDOMAIN (b is not positive definite, not finite), AGN_ENOCONV, AGN_EUNSUPPORTED
 *               (order above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad         as of agn_linalg_eigh()
 * @cost         O(n^3) per pair
 * @ref          Golub & Van Loan 2013, 8.7
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_eigh_generalized(agn_tensor **w, agn_tensor **v,
    const agn_tensor *a, const agn_tensor *b, bool upper);

/**
 * agn_linalg_matrix_power - a times itself n times
 *
 * By repeated squaring; a negative n takes the inverse, 0 gives the identity.
 *
 * @param out  out, [..., n, n]
 * @param a    in, [..., n, n]  any numbers; any strides
 * @param n    the power
 * @errors     AGN_ENULL, AGN_ESHAPE (not square), AGN_EDTYPE, AGN_EDOMAIN (n < 0:
 *             singular, not finite), AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse),
 *             AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n^3 log |n|) per matrix
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_matrix_power(agn_tensor **out, const agn_tensor *a,
    int64_t n);

/**
 * agn_linalg_matrix_rank - number of singular values above rtol times the largest
 *
 * @param out   out, [...]  i64
 * @param a     in, [..., m, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param rtol  below 1; negative for max(m, n) eps
 * @errors      AGN_ENULL, AGN_ESHAPE (fewer than two axes), AGN_EARG (rtol), AGN_EDOMAIN (not
 *              finite), AGN_ENOCONV, AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad        none: a whole number
 * @cost        O(m n min(m, n)) per matrix
 * @ref         Golub & Van Loan 2013, 5.4
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_matrix_rank(agn_tensor **out, const agn_tensor *a,
    double rtol);

/** Norms of a matrix. */
typedef enum agn_matrix_norm_kind {
    AGN_NORM_FROBENIUS,     /* root of the sum of squares */
    AGN_NORM_NUCLEAR,       /* sum of singular values */
    AGN_NORM_ONE,           /* largest sum of a column */
    AGN_NORM_MINUS_ONE,     /* smallest sum of a column */
    AGN_NORM_TWO,           /* largest singular value */
    AGN_NORM_MINUS_TWO,     /* smallest singular value */
    AGN_NORM_INFINITY,      /* largest sum of a row */
    AGN_NORM_MINUS_INFINITY /* smallest sum of a row */
} agn_matrix_norm_kind;

/**
 * agn_linalg_matrix_norm - norm of a matrix
 *
 * @param out  out, [...]  real
 * @param a    in, [..., m, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param p    which norm
 * @errors     AGN_ENULL, AGN_EARG (p), AGN_ESHAPE (fewer than two axes), AGN_EDOMAIN (not finite,
 *             by singular values), AGN_ENOCONV, AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse),
 *             AGN_ENOMEM
 * @grad       as of its parts: agn_linalg_svdvals(), agn_max(), agn_pnorm()
 * @cost       O(m n), by singular values O(m n min(m, n))
 * @ref        Higham 2002, chapter 6
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_matrix_norm(agn_tensor **out, const agn_tensor *a,
    agn_matrix_norm_kind p);

/**
 * agn_linalg_cond - condition number: norm of a times norm of its inverse
 *
 * By singular values for p = +-2, of which a may have any shape.
 *
 * @param out  out, [...]  real
 * @param a    in, [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param p    which norm
 * @errors     AGN_ENULL, AGN_EARG (p), AGN_ESHAPE (not square), AGN_EDOMAIN (singular, not finite),
 *             AGN_ENOCONV, AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad       as of its parts
 * @cost       O(n^3) per matrix
 * @ref        Higham 2002, 7.2
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_cond(agn_tensor **out, const agn_tensor *a,
    agn_matrix_norm_kind p);

/**
 * agn_linalg_cov - covariance of variables in rows, samples in columns
 *
 * @param out   out, [..., m, m]
 * @param x     in, [..., m, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param ddof  divisor n - ddof
 * @errors      AGN_ENULL, AGN_ESHAPE (fewer than two axes), AGN_EARG (no samples are left),
 *              AGN_EUNSUPPORTED (sparse), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(m^2 n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_cov(agn_tensor **out, const agn_tensor *x,
                                                 double ddof);

/**
 * agn_linalg_corrcoef - correlation coefficients of variables in rows
 *
 * A variable that is constant has NaN.
 *
 * @param out  out, [..., m, m]
 * @param x    in, [..., m, n]  f32 f64 c64 c128, others by promotion; any strides
 * @errors     AGN_ENULL, AGN_ESHAPE (fewer than two axes), AGN_EARG (no samples), AGN_EUNSUPPORTED
 *             (sparse), AGN_ENOMEM
 * @grad       where no variable is constant
 * @cost       O(m^2 n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_corrcoef(agn_tensor **out, const agn_tensor *x);

/**
 * agn_linalg_cov_columns - covariance of variables in columns, samples in rows
 *
 * @param out   out, [..., n, n]
 * @param x     in, [..., m, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param ddof  divisor m - ddof
 * @errors      AGN_ENULL, AGN_ESHAPE (fewer than two axes), AGN_EARG (no samples are left),
 *              AGN_EUNSUPPORTED (sparse), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(m n^2)
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_cov_columns(agn_tensor **out, const agn_tensor *x,
                                                         double ddof);

/**
 * agn_linalg_corrcoef_columns - correlation coefficients of variables in columns
 *
 * A variable that is constant has NaN.
 *
 * @param out  out, [..., n, n]
 * @param x    in, [..., m, n]  f32 f64 c64 c128, others by promotion; any strides
 * @errors     AGN_ENULL, AGN_ESHAPE (fewer than two axes), AGN_EARG (no samples), AGN_EUNSUPPORTED
 *             (sparse), AGN_ENOMEM
 * @grad       where no variable is constant
 * @cost       O(m n^2)
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_corrcoef_columns(agn_tensor **out,
                                                              const agn_tensor *x);

/**
 * agn_linalg_toeplitz - matrix of constant diagonals
 *
 * Entry [i, j] is c[i - j], and r[j - i] above the diagonal; r[0] is not read.
 *
 * @param out  out, [..., m, n]
 * @param c    in, [..., m]  the first column, any dtype
 * @param r    in, [..., n]  the first row; NULL for conj(c)
 * @errors     AGN_ENULL, AGN_ESHAPE (no numbers, batches differ), AGN_EUNSUPPORTED (sparse),
 *             AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(m n)
 * @ref        Golub & Van Loan 2013, 4.7
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_toeplitz(agn_tensor **out, const agn_tensor *c,
    const agn_tensor *r);

/**
 * agn_linalg_hankel - matrix of constant antidiagonals
 *
 * Entry [i, j] is number i + j of c followed by r; r[0] is not read.
 *
 * @param out  out, [..., m, n]
 * @param c    in, [..., m]  the first column, any dtype
 * @param r    in, [..., n]  the last row; NULL for zeros
 * @errors     AGN_ENULL, AGN_ESHAPE (no numbers, batches differ), AGN_EUNSUPPORTED (sparse),
 *             AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(m n)
 * @ref        Golub & Van Loan 2013, 4.7
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_hankel(agn_tensor **out, const agn_tensor *c,
    const agn_tensor *r);

/**
 * agn_linalg_circulant - matrix whose columns are a sequence, each turned by one more
 *
 * @param out  out, [..., n, n]
 * @param c    in, [..., n]  the first column, any dtype
 * @errors     AGN_ENULL, AGN_ESHAPE (no numbers), AGN_EUNSUPPORTED (sparse), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n^2)
 * @ref        Golub & Van Loan 2013, 4.8
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_circulant(agn_tensor **out, const agn_tensor *c);

/**
 * agn_linalg_companion - matrix whose eigenvalues are the roots of a polynomial
 *
 * The first row is -a[1:] / a[0]; ones stand below the diagonal.
 *
 * @param out  out, [..., n, n]
 * @param a    in, [..., n + 1]  coefficients, that of x^n first; f32 f64 c64 c128, others by
 *             promotion. A first one of 0 gives infinities or NaN.
 * @errors     AGN_ENULL, AGN_ESHAPE (fewer than 2 coefficients), AGN_EUNSUPPORTED (sparse),
 *             AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n^2)
 * @ref        Golub & Van Loan 2013, 7.4.6
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_companion(agn_tensor **out, const agn_tensor *a);

/**
 * agn_linalg_leslie - matrix of a population by ages
 *
 * @param out       out, [..., n, n]: births in the first row, survival below the diagonal
 * @param births    in, [..., n], n >= 2
 * @param survival  in, [..., n - 1]; of one dtype after promotion
 * @errors          AGN_ENULL, AGN_ESHAPE, AGN_EUNSUPPORTED (sparse), AGN_ENOMEM
 * @grad            everywhere
 * @cost            O(n^2)
 * @ref             Leslie 1945
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_leslie(agn_tensor **out, const agn_tensor *births,
                                                    const agn_tensor *survival);

/**
 * agn_linalg_hilbert - Hilbert's matrix, 1 / (i + j + 1)
 *
 * @param out    out, [n, n]
 * @param dtype  AGN_F32 or AGN_F64; entries are rounded once
 * @param n      0 or more
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (n < 0), AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(n^2)
 * @ref          Higham 2002, 28.1
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_hilbert(agn_tensor **out, agn_dtype dtype, int64_t n);

/**
 * agn_linalg_pascal - Pascal's symmetric matrix, (i + j over i)
 *
 * Exact while entries are below 2^53 (n <= 29), then rounded in each sum, and once more in f32.
 *
 * @param out    out, [n, n]
 * @param dtype  AGN_F32 or AGN_F64
 * @param n      0 to 515, in f32 to 66: binomials of more overflow
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (n < 0), AGN_EARG (n is too large), AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(n^2)
 * @ref          Higham 2002, 28.4
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_pascal(agn_tensor **out, agn_dtype dtype, int64_t n);

/**
 * agn_linalg_hadamard - Sylvester's matrix of orthogonal rows of 1 and -1
 *
 * @param out    out, [n, n]
 * @param dtype  AGN_F32 or AGN_F64
 * @param n      a power of 2
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_EARG (n is no power of 2), AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(n^2 log n)
 * @ref          Sylvester 1867
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_hadamard(agn_tensor **out, agn_dtype dtype, int64_t n);

/**
 * agn_linalg_dft - matrix of the discrete Fourier transform, exp(-2 pi i j k / n)
 *
 * A product with it is agn_fft_fft, at O(n^2). Angles are reduced exactly.
 *
 * @param out      out, [n, n]
 * @param dtype    AGN_C64 or AGN_C128
 * @param n        0 or more
 * @param unitary  divided by sqrt(n)
 * @errors         AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (n < 0), AGN_ENOMEM
 * @grad           none: a constant
 * @cost           O(n^2)
 * @ref            Golub & Van Loan 2013, 1.4.1
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_dft(agn_tensor **out, agn_dtype dtype, int64_t n,
                                                 bool unitary);

/** What a solve takes of its matrix. */
typedef enum agn_matrix_form {
    AGN_FORM_PLAIN,      /* a */
    AGN_FORM_TRANSPOSED, /* a^T */
    AGN_FORM_ADJOINT     /* a^H */
} agn_matrix_form;

/** Options of agn_linalg_triangular_solve_with(); zeros are the defaults. */
typedef struct agn_triangular_options {
    size_t size;          /* sizeof(agn_triangular_options) */
    agn_matrix_form form; /* op */
    bool upper;           /* a is upper triangular, instead of lower */
    bool unit;            /* its diagonal counts as 1 and is not read */
    bool right;           /* x op(a) = b, instead of op(a) x = b */
} agn_triangular_options;

/**
 * agn_linalg_triangular_solve_with - x of op(a) x = b or x op(a) = b with a triangular
 *
 * @param out   out, [..., n, k], [..., k, n] from the right, or [..., n] where b has
 *              one axis
 * @param a     in, [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param b     in, [..., n, k], [..., k, n] from the right, or [n]
 * @param opts  NULL for a lower triangle from the left
 * @errors      AGN_ENULL, AGN_EARG (options), AGN_ESHAPE (not square, rows differ, batches do not
 *              broadcast), AGN_EDOMAIN (a zero on the diagonal: names matrix and entry),
 *              AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad        everywhere; that of a lies in the triangle that is read
 * @cost        O(n^2 k) per matrix
 * @ref         Higham 2002, chapter 8
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_triangular_solve_with(agn_tensor **out,
    const agn_tensor *a, const agn_tensor *b, const agn_triangular_options *opts);

/**
 * agn_linalg_lu_factor - LU factors with row interchanges, packed, and the order of the rows
 *
 * Row perm[i] of a is row i of l u; l, with a diagonal of 1 that is not stored, lies below
 * the diagonal of lu, and u on and above it. A singular matrix has factors too: a zero on
 * the diagonal of u.
 *
 * @param lu    out, [..., m, n]
 * @param perm  out, [..., m]  i64
 * @param a     in,  [..., m, n]  f32 f64 c64 c128, others by promotion; any strides
 * @errors      AGN_ENULL, AGN_ESHAPE (fewer than two axes), AGN_EDOMAIN (not finite: names the
 *              entry; a factor overflows), AGN_EUNSUPPORTED (a size above 2^31 - 1), AGN_ENOMEM
 * @grad        to any order where the pivots are not 0, else AGN_EDOMAIN
 * @cost        O(m n min(m, n)) per matrix
 * @ref         Golub & Van Loan 2013, 3.4
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_lu_factor(agn_tensor **lu, agn_tensor **perm,
                                                       const agn_tensor *a);

/**
 * agn_linalg_lu_solve - x of op(a) x = b by the factors of agn_linalg_lu_factor()
 *
 * @param out   out, [..., n, k], or [..., n] where b has one axis
 * @param lu    in,  [..., n, n]  the factors
 * @param perm  in,  [..., n]  the order of the rows, whole numbers
 * @param b     in,  [..., n, k], or [n]
 * @param form  what is solved with: a, its transpose or adjoint
 * @errors      AGN_ENULL, AGN_EARG (form), AGN_ESHAPE (not square, rows differ, batches do
 *              not broadcast), AGN_EDTYPE (perm), AGN_EINDEX (perm names no row),
 *              AGN_EDOMAIN (a pivot is 0), AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse),
 *              AGN_ENOMEM
 * @grad        everywhere, through lu as through b
 * @cost        O(n^2 k) per matrix
 * @ref         Higham 2002, chapter 9
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_lu_solve(agn_tensor **out, const agn_tensor *lu,
    const agn_tensor *perm, const agn_tensor *b, agn_matrix_form form);

/**
 * agn_linalg_lu_unpack - permutation, lower and upper triangle of packed LU factors
 *
 * a = p l u, k = min(m, n).
 *
 * @param p     out, [..., m, m]
 * @param l     out, [..., m, k]  with a diagonal of 1
 * @param u     out, [..., k, n]
 * @param lu    in,  [..., m, n]  the factors
 * @param perm  in,  [..., m]  the order of the rows, whole numbers
 * @errors      AGN_ENULL, AGN_ESHAPE (fewer than two axes, rows differ), AGN_EDTYPE (perm),
 *              AGN_EINDEX (perm names no row), AGN_EUNSUPPORTED (a size above 2^31 - 1,
 *              sparse), AGN_ENOMEM
 * @grad        everywhere; of p none: it is constant
 * @cost        O(m n + m^2) per matrix
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_lu_unpack(agn_tensor **p, agn_tensor **l,
    agn_tensor **u, const agn_tensor *lu, const agn_tensor *perm);

/**
 * agn_linalg_lu - permutation, lower and upper triangle: a = p l u
 *
 * @param p  out, [..., m, m]
 * @param l  out, [..., m, k], k = min(m, n)  with a diagonal of 1
 * @param u  out, [..., k, n]
 * @param a  in,  [..., m, n]  f32 f64 c64 c128, others by promotion; any strides
 * @errors   AGN_ENULL, AGN_ESHAPE (fewer than two axes), AGN_EDOMAIN (not finite: names the entry;
 *           a factor overflows), AGN_EUNSUPPORTED (a size above 2^31 - 1), AGN_ENOMEM
 * @grad     as of agn_linalg_lu_factor()
 * @cost     O(m n min(m, n) + m^2) per matrix
 * @ref      Golub & Van Loan 2013, 3.4
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_lu(agn_tensor **p, agn_tensor **l, agn_tensor **u,
                                                const agn_tensor *a);

/**
 * agn_linalg_cholesky_ex - agn_linalg_cholesky() that goes on after a failure
 *
 * @param out    out, [..., n, n]  NaN where it failed
 * @param info   out, [...]  i32: 0; the order of the first leading minor that is not
 *               positive; -1 where the triangle is not finite
 * @param a      in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param upper  read the upper triangle and give u, instead of the lower and l
 * @errors       AGN_ENULL, AGN_ESHAPE (not square), AGN_EUNSUPPORTED (order above 2^31 - 1,
 *               sparse), AGN_ENOMEM
 * @grad         of the matrices that did not fail; nothing flows into the others
 * @cost         as of agn_linalg_cholesky(): the factor is computed once
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_cholesky_ex(agn_tensor **out, agn_tensor **info,
    const agn_tensor *a, bool upper);

/**
 * agn_linalg_solve_ex - agn_linalg_solve() that goes on after a failure
 *
 * @param out   out, [..., n, k], or [..., n] where b has one axis; NaN where it failed
 * @param info  out, [...] of a, i32: 0; 1 + the first pivot that is 0, or whose reciprocal
 *              overflows with rows and columns scaled; -1 where a is not finite
 * @param a     in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param b     in,  [..., n, k], or [n]; any strides
 * @errors      AGN_ENULL, AGN_ESHAPE (not square, rows differ, batches do not broadcast),
 *              AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad        of the matrices that did not fail; nothing flows into the others
 * @cost        as of agn_linalg_solve(): one factor serves value and derivatives
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_solve_ex(agn_tensor **out, agn_tensor **info,
    const agn_tensor *a, const agn_tensor *b);

/**
 * agn_linalg_inv_ex - agn_linalg_inv() that goes on after a failure
 *
 * @param out   out, [..., n, n]  NaN where it failed
 * @param info  out, [...]  i32: as of agn_linalg_solve_ex()
 * @param a     in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @errors      AGN_ENULL, AGN_ESHAPE (not square), AGN_EUNSUPPORTED (order above 2^31 - 1, sparse),
 *              AGN_ENOMEM
 * @grad        of the matrices that did not fail; nothing flows into the others
 * @cost        as of agn_linalg_inv()
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_inv_ex(agn_tensor **out, agn_tensor **info,
                                                    const agn_tensor *a);

/**
 * agn_linalg_lu_factor_ex - agn_linalg_lu_factor() that goes on after a failure
 *
 * @param lu    out, [..., n, n]  NaN where a is not finite
 * @param perm  out, [..., n]  i64
 * @param info  out, [...]  i32: 0; 1 + the first pivot that is 0, of factors that are given
 *              all the same; -1 where a is not finite
 * @param a     in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @errors      AGN_ENULL, AGN_ESHAPE (not square), AGN_EDOMAIN (a factor overflows),
 *              AGN_EUNSUPPORTED (order above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad        as of agn_linalg_lu_factor()
 * @cost        as of agn_linalg_lu_factor()
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_lu_factor_ex(agn_tensor **lu, agn_tensor **perm,
    agn_tensor **info, const agn_tensor *a);

/**
 * agn_linalg_tensorsolve - x of a x = b, where the sum runs over all axes of x
 *
 * The first axes of a are those of b, the others those of x, of as many elements.
 *
 * @param out  out, the last axes of a
 * @param a    in, the axes of b, then of x
 * @param b    in
 * @errors     AGN_ENULL, AGN_ESHAPE (no square system), AGN_EDOMAIN (singular, not finite),
 *             AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n^3 2/3) for n elements of b
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_tensorsolve(agn_tensor **out, const agn_tensor *a,
    const agn_tensor *b);

/**
 * agn_linalg_tensorinv - inverse of a tensor as a map from its last axes to its first
 *
 * @param out      out, the last axes of a, then the first
 * @param a        in, as many elements in its first axes as in the others
 * @param n_first  number of first axes
 * @errors         AGN_ENULL, AGN_EARG (n_first), AGN_ESHAPE (not square), AGN_EDOMAIN (singular,
 *                 not finite), AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad           everywhere
 * @cost           O(2 n^3) for n elements of the first axes
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_tensorinv(agn_tensor **out, const agn_tensor *a,
    int32_t n_first);

/**
 * agn_linalg_qr_pivoted - QR with column interchanges: a[:, perm] = q r
 *
 * At every step the column whose rest is longest comes next: moduli of the diagonal of r fall
 * up to rounding, and show the rank of most matrices. Which column is which has no derivative;
 * q and r have that of agn_linalg_qr() with the order kept.
 *
 * @param q         out, [..., m, k], k = min(m, n), or [..., m, m] where complete
 * @param r         out, [..., k, n], or [..., m, n] where complete: upper triangular
 * @param perm      out, [..., n]  i64: column j of q r is column perm[j] of a
 * @param a         in,  [..., m, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param complete  complete the basis
 * @errors          AGN_ENULL, AGN_ESHAPE (fewer than two axes), AGN_EDOMAIN (not finite: names the
 *                  entry), AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad            as of agn_linalg_qr(), of the columns in their order
 * @cost            of two factorisations, one of them with little level 3
 * @ref             Golub & Van Loan 2013, 5.4.2; Quintana-Orti, Sun & Bischof 1998
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_qr_pivoted(agn_tensor **q, agn_tensor **r,
                                                        agn_tensor **perm, const agn_tensor *a,
                                                        bool complete);

/**
 * agn_linalg_orth - orthonormal basis of the range of a matrix
 *
 * The left singular vectors of the largest values. The rank, which agn_linalg_matrix_rank()
 * tells, is given: a shape cannot follow from data. A matrix of another rank gives NaN.
 *
 * @param out    out, [..., m, rank]
 * @param a      in,  [..., m, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param rank   0 to min(m, n)
 * @param rcond  values up to rcond times the largest count as 0; negative: max(m, n) eps
 * @errors       AGN_ENULL, AGN_EARG (rank, rcond), AGN_ESHAPE (fewer than two axes), AGN_EDOMAIN
 *               (not finite: names the entry), AGN_ENOCONV, AGN_EUNSUPPORTED (a size above 2^31 -
 *               1, sparse), AGN_ENOMEM
 * @grad         to any order along matrices of that rank, at equal singular values too:
 *               that of the basis nearest to this one. What depends on the range alone has
 *               its derivative
 * @cost         O(m n min(m, n)), four decompositions
 * @ref          Golub & Van Loan 2013, 5.5; Golub & Pereyra 1973 (derivative)
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_orth(agn_tensor **out, const agn_tensor *a,
                                                  int64_t rank, double rcond);

/**
 * agn_linalg_null_space - orthonormal basis of the vectors that a matrix takes to 0
 *
 * The right singular vectors beyond the rank, which is given as for agn_linalg_orth(). A
 * matrix of another rank gives NaN.
 *
 * @param out    out, [..., n, n - rank]
 * @param a      in,  [..., m, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param rank   0 to min(m, n)
 * @param rcond  values up to rcond times the largest count as 0; negative: max(m, n) eps
 * @errors       AGN_ENULL, AGN_EARG (rank, rcond), AGN_ESHAPE (fewer than two axes), AGN_EDOMAIN
 *               (not finite: names the entry), AGN_ENOCONV, AGN_EUNSUPPORTED (a size above 2^31 -
 *               1, sparse), AGN_ENOMEM
 * @grad         as of agn_linalg_orth()
 * @cost         O(m n min(m, n) + n^3), four decompositions
 * @ref          Golub & Van Loan 2013, 5.5; Golub & Pereyra 1973 (derivative)
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_null_space(agn_tensor **out, const agn_tensor *a,
                                                        int64_t rank, double rcond);

/**
 * agn_linalg_cholesky_update - Cholesky factor of l l^H + x x^H
 *
 * Of l only one triangle is read, of its diagonal the real part. With upper it is
 * u^H u + x x^H.
 *
 * @param out    out, [..., n, n]  with a diagonal that is not negative; the other triangle is 0
 * @param l      in,  [..., n, n]  the factor; f32 f64 c64 c128, others by promotion
 * @param x      in,  [..., n, k], or [n]
 * @param upper  l is an upper factor
 * @errors       AGN_ENULL, AGN_ESHAPE (not square, rows differ, batches do not broadcast),
 *               AGN_EDOMAIN (not finite), AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse),
 *               AGN_ENOMEM
 * @grad         where the result is regular, else AGN_EDOMAIN; that of l lies in the triangle
 *               that is read
 * @cost         O(n^2 k) per matrix; the derivative O(n^3)
 * @ref          Golub & Van Loan 2013, 6.5.4; Murray 2016, arXiv:1602.07527 (derivative)
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_cholesky_update(agn_tensor **out, const agn_tensor *l,
                                                             const agn_tensor *x, bool upper);

/**
 * agn_linalg_cholesky_downdate - Cholesky factor of l l^H - x x^H
 *
 * @param out    out, [..., n, n]  with a positive diagonal; the other triangle is 0
 * @param l      in,  [..., n, n]  the factor; f32 f64 c64 c128, others by promotion
 * @param x      in,  [..., n, k], or [n]
 * @param upper  l is an upper factor
 * @errors       AGN_ENULL, AGN_ESHAPE (not square, rows differ, batches do not broadcast),
 *               AGN_EDOMAIN (not positive definite: names the column; not finite), AGN_EUNSUPPORTED
 *               (a size above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad         everywhere; that of l lies in the triangle that is read
 * @cost         O(n^2 k) per matrix; the derivative O(n^3)
 * @ref          Bojanczyk, Brent, Van Dooren & de Hoog 1987
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_cholesky_downdate(agn_tensor **out,
                                                               const agn_tensor *l,
                                                               const agn_tensor *x, bool upper);

/**
 * agn_linalg_solve_banded - x of a x = b with a banded
 *
 * Rows of ab are the diagonals of a, from the highest: ab[upper + i - j, j] = a[i, j]. What lies
 * outside of a is not read. LU factors with partial pivoting; numbers of extreme size are
 * multiplied by a power of 2 first. Right-hand sides are carried along, and no factor is kept.
 *
 * @param out    out, [..., n, k], or [..., n] where b has one axis
 * @param ab     in,  [..., lower + upper + 1, n]  f32 f64 c64 c128, others by promotion
 * @param b      in,  [..., n, k], or [n]
 * @param lower  diagonals below the main one
 * @param upper  diagonals above it
 * @errors       AGN_ENULL, AGN_EARG (lower, upper), AGN_ESHAPE (number of diagonals, rows differ,
 *               batches do not broadcast), AGN_EDOMAIN (singular: names matrix and pivot; not
 *               finite), AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad         everywhere; of what is not read it is 0
 * @cost         O(n lower (lower + upper) + n (lower + upper) k) per matrix
 * @ref          Golub & Van Loan 2013, 4.3
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_solve_banded(agn_tensor **out, const agn_tensor *ab,
                                                          const agn_tensor *b, int64_t lower,
                                                          int64_t upper);

/**
 * agn_linalg_solve_tridiagonal - x of a x = b with a tridiagonal
 *
 * @param out  out, [..., n, k], or [..., n] where b has one axis
 * @param dl   in,  [..., n - 1]  below the diagonal
 * @param d    in,  [..., n], n >= 1  the diagonal; f32 f64 c64 c128, others by promotion
 * @param du   in,  [..., n - 1]  above it
 * @param b    in,  [..., n, k], or [n]
 * @errors     AGN_ENULL, AGN_ESHAPE (lengths or rows differ, batches do not broadcast), AGN_EDOMAIN
 *             (singular: names matrix and pivot; not finite), AGN_EUNSUPPORTED (a size above 2^31 -
 *             1, sparse), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n k) per matrix
 * @ref        Golub & Van Loan 2013, 4.3
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_solve_tridiagonal(agn_tensor **out,
                                                               const agn_tensor *dl,
                                                               const agn_tensor *d,
                                                               const agn_tensor *du,
                                                               const agn_tensor *b);

/**
 * agn_linalg_solveh_banded - x of a x = b with a banded, Hermitian and positive definite
 *
 * Half of the diagonals are given: ab[upper ? w - 1 + i - j : i - j, j] = a[i, j] of the upper or
 * the lower triangle, w of them with the main one, of which the real part is read. What lies
 * outside of a is not read. Numbers of extreme size are multiplied by a power of 2 first.
 *
 * @param out    out, [..., n, k], or [..., n] where b has one axis
 * @param ab     in,  [..., w, n], w >= 1  f32 f64 c64 c128, others by promotion
 * @param b      in,  [..., n, k], or [n]
 * @param upper  ab holds the upper triangle, the main diagonal last, instead of the lower, the main
 *               diagonal first
 * @errors       AGN_ENULL, AGN_ESHAPE (no diagonal, rows differ, batches do not broadcast),
 *               AGN_EDOMAIN (not positive definite: names matrix and column; not finite),
 *               AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad         everywhere; of what is not read it is 0
 * @cost         O(n w^2 + n w k) per matrix
 * @ref          Golub & Van Loan 2013, 4.3.5
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_solveh_banded(agn_tensor **out, const agn_tensor *ab,
                                                           const agn_tensor *b, bool upper);

/**
 * agn_linalg_cholesky_banded - triangular factor of a positive definite band
 *
 * a = l l^H with l lower triangular, or a = u^H u; the factor has as many diagonals, in the same
 * places. What lies outside of it is 0.
 *
 * @param out    out, [..., w, n]
 * @param ab     in,  [..., w, n]  as of agn_linalg_solveh_banded()
 * @param upper  ab holds the upper triangle, and u is given
 * @errors       AGN_ENULL, AGN_ESHAPE (no diagonal), AGN_EDOMAIN (not positive definite: names
 *               matrix and column; not finite: names the entry), AGN_EUNSUPPORTED (a size above
 *               2^31 - 1, sparse), AGN_ENOMEM
 * @grad         everywhere, to any order, by work on bands
 * @cost         O(n w^2) per matrix, and of a derivative
 * @ref          Golub & Van Loan 2013, 4.3.5; Smith 1995, Murray 2016 (derivative)
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_cholesky_banded(agn_tensor **out, const agn_tensor *ab,
                                                             bool upper);

/**
 * agn_linalg_cho_solve_banded - x of a x = b by the factor of a band
 *
 * @param out    out, [..., n, k], or [..., n] where b has one axis
 * @param l      in,  [..., w, n]  as of agn_linalg_cholesky_banded()
 * @param b      in,  [..., n, k], or [n]
 * @param upper  l is u, of a = u^H u
 * @errors       AGN_ENULL, AGN_ESHAPE (no diagonal, rows differ, batches do not broadcast),
 *               AGN_EDOMAIN (a zero on the diagonal: names matrix and pivot; not finite),
 *               AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(n w k) per matrix
 * @ref          Golub & Van Loan 2013, 4.3.2
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_cho_solve_banded(agn_tensor **out, const agn_tensor *l,
                                                              const agn_tensor *b, bool upper);

/**
 * agn_linalg_eig_banded - eigenvalues and orthonormal eigenvectors of a Hermitian band
 *
 * a = v diag(w) v^H, phases of vectors as of agn_linalg_eigh().
 *
 * @param w      out, [..., n]     values, ascending, real
 * @param v      out, [..., n, n]  vectors, as columns
 * @param ab     in,  [..., rows, n], rows >= 1  as of agn_linalg_solveh_banded()
 * @param upper  ab holds the upper triangle
 * @errors       AGN_ENULL, AGN_ESHAPE (no diagonal), AGN_EDOMAIN (not finite: names the entry),
 *               AGN_ENOCONV, AGN_EUNSUPPORTED (order above 32767, sparse), AGN_ENOMEM
 * @grad         as of agn_linalg_eigh()
 * @cost         O(n^3) per matrix
 * @ref          Golub & Van Loan 2013, 8.4; Magnus 1985 (derivative)
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_eig_banded(agn_tensor **w, agn_tensor **v,
                                                        const agn_tensor *ab, bool upper);

/**
 * agn_linalg_eigvals_banded - eigenvalues of a Hermitian band, ascending
 *
 * @param out    out, [..., n]  real
 * @param ab     in,  [..., rows, n], rows >= 1  as of agn_linalg_solveh_banded()
 * @param upper  ab holds the upper triangle
 * @errors       AGN_ENULL, AGN_ESHAPE (no diagonal), AGN_EDOMAIN (not finite: names the entry),
 *               AGN_ENOCONV, AGN_EUNSUPPORTED (order above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad         as of agn_linalg_eigh(); vectors are computed for it
 * @cost         O(n^2 rows) per matrix
 * @ref          Golub & Van Loan 2013, 8.4
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_eigvals_banded(agn_tensor **out, const agn_tensor *ab,
                                                            bool upper);

/**
 * agn_linalg_eigh_tridiagonal - eigenvalues and vectors of a real symmetric tridiagonal matrix
 *
 * @param w  out, [..., n]     values, ascending
 * @param v  out, [..., n, n]  orthonormal vectors, as columns, signs as of agn_linalg_eigh()
 * @param d  in,  [..., n], n >= 1  the diagonal; f32 f64, others by promotion
 * @param e  in,  [..., n - 1]  beside it
 * @errors   AGN_ENULL, AGN_ESHAPE (lengths differ), AGN_EDTYPE (complex), AGN_EDOMAIN (not finite:
 *           names the entry), AGN_ENOCONV, AGN_EUNSUPPORTED (order above 32767, sparse), AGN_ENOMEM
 * @grad     as of agn_linalg_eigh()
 * @cost     O(n^2) to O(n^3) per matrix
 * @ref      Golub & Van Loan 2013, 8.4.4; Magnus 1985 (derivative)
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_eigh_tridiagonal(agn_tensor **w, agn_tensor **v,
                                                              const agn_tensor *d,
                                                              const agn_tensor *e);

/**
 * agn_linalg_eigvalsh_tridiagonal - eigenvalues of a real symmetric tridiagonal matrix, ascending
 *
 * @param out  out, [..., n]
 * @param d    in,  [..., n], n >= 1  the diagonal; f32 f64, others by promotion
 * @param e    in,  [..., n - 1]  beside it
 * @errors     AGN_ENULL, AGN_ESHAPE (lengths differ), AGN_EDTYPE (complex), AGN_EDOMAIN (not finite:
 *             names the entry), AGN_ENOCONV, AGN_EUNSUPPORTED (order above 2^31 - 1, sparse),
 *             AGN_ENOMEM
 * @grad       as of agn_linalg_eigh(); vectors are computed for it
 * @cost       O(n^2) per matrix
 * @ref        Golub & Van Loan 2013, 8.3.3
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_eigvalsh_tridiagonal(agn_tensor **out,
                                                                  const agn_tensor *d,
                                                                  const agn_tensor *e);

/**
 * agn_linalg_solve_toeplitz - x of t x = b with t = agn_linalg_toeplitz(c, r)
 *
 * By Levinson's recursion in double precision; where its residual is above that of a stable
 * method, by LU factors.
 *
 * @param out  out, [..., n, k], or [..., n] where b has one axis
 * @param c    in,  [..., n]  first column; f32 f64 c64 c128, others by promotion
 * @param r    in,  [..., n]  first row, whose first number is not read; NULL: conj(c)
 * @param b    in,  [..., n, k], or [n]
 * @errors     AGN_ENULL, AGN_ESHAPE (sizes differ, batches do not broadcast), AGN_EDOMAIN
 *             (singular: names matrix and pivot; not finite), AGN_EUNSUPPORTED (a size above 2^31 -
 *             1, sparse), AGN_ENOMEM
 * @grad       everywhere; its cost is O(n^2 k) with n^2 numbers
 * @cost       O(n^2 k) per matrix, O(n^3) where LU factors are needed
 * @ref        Golub & Van Loan 2013, 4.7
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_solve_toeplitz(agn_tensor **out, const agn_tensor *c,
                                                            const agn_tensor *r,
                                                            const agn_tensor *b);

/**
 * agn_linalg_solve_circulant - x of a x = b with a = agn_linalg_circulant(c)
 *
 * By Fourier transforms. Where the transform of c has a 0, to a few roundings of its largest
 * element, the matrix is singular and the result is NaN.
 *
 * @param out  out, [..., n, k], or [..., n] where b has one axis
 * @param c    in,  [..., n], n >= 1  first column; f32 f64 c64 c128, others by promotion
 * @param b    in,  [..., n, k], or [n]
 * @errors     AGN_ENULL, AGN_ESHAPE (sizes differ, batches do not broadcast), AGN_EUNSUPPORTED (a
 *             size above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n log n k) per matrix
 * @ref        Golub & Van Loan 2013, 4.8
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_solve_circulant(agn_tensor **out, const agn_tensor *c,
                                                             const agn_tensor *b);

/**
 * agn_linalg_ldl_factor - factors of an indefinite symmetric or Hermitian matrix
 *
 * With p = perm: a[p][:, p] = l d l^H, or l d l^T where not hermitian. By bounded Bunch and
 * Kaufman pivoting. A singular matrix has factors too.
 *
 * @param l          out, [..., n, n]  lower triangular with a diagonal of 1
 * @param d          out, [..., n, n]  blocks of order 1 and 2 on the diagonal
 * @param perm       out, [..., n]  i64: the order of rows and columns
 * @param a          in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param upper      read the upper triangle, instead of the lower
 * @param hermitian  a is Hermitian, of its diagonal the real part is read; else symmetric. Of
 *                   real matrices the same
 * @errors           AGN_ENULL, AGN_ESHAPE (not square), AGN_EDOMAIN (not finite: names the entry; a
 *                   factor overflows), AGN_EUNSUPPORTED (order above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad             to any order where d is regular, else AGN_EDOMAIN; order and blocks are
 *                   kept. It lies in the triangle that is read
 * @cost             O(n^3 / 3) per matrix
 * @ref              Golub & Van Loan 2013, 4.4; Ashcraft, Grimes & Lewis 1998
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_ldl_factor(agn_tensor **l, agn_tensor **d,
                                                        agn_tensor **perm, const agn_tensor *a,
                                                        bool upper, bool hermitian);

/**
 * agn_linalg_ldl_factor_ex - agn_linalg_ldl_factor() that goes on after a failure
 *
 * @param l          out, [..., n, n]  NaN where a is not finite
 * @param d          out, [..., n, n]  NaN where a is not finite
 * @param perm       out, [..., n]  i64
 * @param info       out, [...]  i32: 0; 1 + the first row of d that is 0, of factors that are
 *                   given all the same; -1 where that triangle of a is not finite
 * @param a          in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param upper      read the upper triangle, instead of the lower
 * @param hermitian  a is Hermitian, else symmetric
 * @errors           AGN_ENULL, AGN_ESHAPE (not square), AGN_EDOMAIN (a factor overflows),
 *                   AGN_EUNSUPPORTED (order above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad             as of agn_linalg_ldl_factor()
 * @cost             as of agn_linalg_ldl_factor()
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_ldl_factor_ex(agn_tensor **l, agn_tensor **d,
                                                           agn_tensor **perm, agn_tensor **info,
                                                           const agn_tensor *a, bool upper,
                                                           bool hermitian);

/**
 * agn_linalg_ldl_solve - x of a x = b by the factors of agn_linalg_ldl_factor()
 *
 * @param out        out, [..., n, k], or [..., n] where b has one axis
 * @param l          in,  [..., n, n]  unit lower triangular
 * @param d          in,  [..., n, n]  of which three diagonals are read
 * @param perm       in,  [..., n]  the order of the rows, whole numbers
 * @param b          in,  [..., n, k], or [n]
 * @param hermitian  as the factors were made
 * @errors           AGN_ENULL, AGN_ESHAPE (not square, sizes or rows differ, batches do not
 *                   broadcast), AGN_EDTYPE (perm), AGN_EINDEX (perm names no row), AGN_EDOMAIN
 *                   (d is singular: names the pivot), AGN_EUNSUPPORTED (a size above 2^31 - 1,
 *                   sparse), AGN_ENOMEM
 * @grad             everywhere, through l and d as through b
 * @cost             O(n^2 k) per matrix
 * @ref              Golub & Van Loan 2013, 4.4
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_ldl_solve(agn_tensor **out, const agn_tensor *l,
                                                       const agn_tensor *d, const agn_tensor *perm,
                                                       const agn_tensor *b, bool hermitian);

/**
 * agn_linalg_schur - Schur's form: a = z t z^H
 *
 * t is upper triangular; of a real matrix it is real and has blocks of order 2 for pairs of
 * complex values; agn_linalg_schur_complex() makes it complex. The first of the largest entries of
 * each column of z is real and positive.
 *
 * @param t  out, [..., n, n]
 * @param z  out, [..., n, n]  orthonormal
 * @param a  in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @errors   AGN_ENULL, AGN_ESHAPE (not square), AGN_EDOMAIN (not finite: names the entry),
 *           AGN_ENOCONV, AGN_EUNSUPPORTED (order above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad     to any order where eigenvalues are simple, else AGN_EDOMAIN; of a real matrix where
 *           they are real, else AGN_EDOMAIN: make it complex
 * @cost     about 25 n^3 per matrix; a derivative, n triangular solves
 * @ref      Golub & Van Loan 2013, 7.4 to 7.5
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_schur(agn_tensor **t, agn_tensor **z,
                                                   const agn_tensor *a);

/**
 * agn_linalg_hessenberg - Hessenberg's form: a = q h q^H
 *
 * @param h  out, [..., n, n]  0 below the first subdiagonal, which is real and not negative
 * @param q  out, [..., n, n]  orthonormal
 * @param a  in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @errors   AGN_ENULL, AGN_ESHAPE (not square), AGN_EDOMAIN (not finite: names the entry),
 *           AGN_EUNSUPPORTED (order above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad     to any order where the subdiagonal of h has no 0, else AGN_EDOMAIN
 * @cost     about 14 n^3 / 3 per matrix
 * @ref      Golub & Van Loan 2013, 7.4.2 to 7.4.5
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_hessenberg(agn_tensor **h, agn_tensor **q,
                                                        const agn_tensor *a);

/**
 * agn_linalg_rcond - estimate of the reciprocal condition number in the 1-norm
 *
 * 1 / (|a| |a^-1|) by LU factors, without the inverse: seldom off by more than a factor of 3,
 * and never too small. 0 of a singular matrix.
 *
 * @param out  out, [...]  real
 * @param a    in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @errors     AGN_ENULL, AGN_ESHAPE (not square), AGN_EDOMAIN (not finite: names the entry),
 *             AGN_EUNSUPPORTED (order above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad       none: an estimate is a constant. agn_linalg_cond() has one
 * @cost       O(n^3 2/3) per matrix
 * @ref        Higham & Tisseur 2000
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_rcond(agn_tensor **out, const agn_tensor *a);

/** Which eigenvalues come first. */
typedef enum agn_spectral_order {
    AGN_ORDER_NONE,   /* as they come */
    AGN_ORDER_LEFT,   /* of negative real part: stable in continuous time */
    AGN_ORDER_RIGHT,  /* of positive real part */
    AGN_ORDER_INSIDE, /* inside of the unit circle: stable in discrete time */
    AGN_ORDER_OUTSIDE /* outside of it; infinite ones of a pair of matrices are */
} agn_spectral_order;

/**
 * agn_linalg_schur_ordered - Schur's form with chosen eigenvalues first: a = z t z^H
 *
 * The first count columns of z are a basis of the space that belongs to the chosen values.
 *
 * @param t      out, [..., n, n]  as of agn_linalg_schur()
 * @param z      out, [..., n, n]  orthonormal
 * @param count  out, [...]  i64: how many are chosen; n for AGN_ORDER_NONE
 * @param a      in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param order  which come first
 * @errors       AGN_ENULL, AGN_EARG (order), AGN_ESHAPE (not square), AGN_EDOMAIN (not finite:
 *               names the entry; values are on the boundary up to rounding), AGN_ENOCONV,
 *               AGN_EUNSUPPORTED (order above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad         of t and z, as of agn_linalg_schur(), the order kept
 * @cost         about 25 n^3 per matrix, and n^2 for each interchange
 * @ref          Golub & Van Loan 2013, 7.6.2; Bai & Demmel 1993
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_schur_ordered(agn_tensor **t, agn_tensor **z,
                                                           agn_tensor **count, const agn_tensor *a,
                                                           agn_spectral_order order);

/**
 * agn_linalg_qz - generalised Schur's form of two matrices: a = q s z^H, b = q t z^H
 *
 * s and t are upper triangular, t with a diagonal that is not negative; of real matrices all is
 * real, and s has blocks of order 2 for pairs of complex values. The first of the largest entries
 * of each column of z is real and positive.
 *
 * @param s  out, [..., n, n]
 * @param t  out, [..., n, n]
 * @param q  out, [..., n, n]  orthonormal
 * @param z  out, [..., n, n]  orthonormal
 * @param a  in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param b  in,  [..., n, n]
 * @errors   AGN_ENULL, AGN_ESHAPE (not square, orders differ, batches do not broadcast),
 *           AGN_EDOMAIN (not finite: names the entry), AGN_ENOCONV, AGN_EUNSUPPORTED (order above
 *           2^31 - 1, sparse), AGN_ENOMEM
 * @grad     to any order where values, s_ii / t_ii or infinite, are simple, else AGN_EDOMAIN; of
 *           real matrices where they are real, else AGN_EDOMAIN: make them complex; of complex ones
 *           with a singular b NaN
 * @cost     about 66 n^3 per pair
 * @ref      Moler & Stewart 1973; Golub & Van Loan 2013, 7.7
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_qz(agn_tensor **s, agn_tensor **t, agn_tensor **q,
                                                agn_tensor **z, const agn_tensor *a,
                                                const agn_tensor *b);

/**
 * agn_linalg_qz_ordered - generalised Schur's form with chosen eigenvalues first
 *
 * @param s      out, [..., n, n]
 * @param t      out, [..., n, n]
 * @param q      out, [..., n, n]  orthonormal
 * @param z      out, [..., n, n]  orthonormal
 * @param count  out, [...]  i64: how many are chosen; n for AGN_ORDER_NONE
 * @param a      in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param b      in,  [..., n, n]
 * @param order  which values, s_ii / t_ii, come first
 * @errors       AGN_ENULL, AGN_EARG (order), AGN_ESHAPE (not square, orders differ, batches do not
 *               broadcast), AGN_EDOMAIN (not finite: names the entry; values are on the boundary up
 *               to rounding), AGN_ENOCONV, AGN_EUNSUPPORTED (order above 2^31 - 1, sparse),
 *               AGN_ENOMEM
 * @grad         as of agn_linalg_qz(), the order kept
 * @cost         about 66 n^3 per pair, and n^2 for each interchange
 * @ref          Kagstrom & Poromaa 1996
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_qz_ordered(agn_tensor **s, agn_tensor **t,
                                                        agn_tensor **q, agn_tensor **z,
                                                        agn_tensor **count, const agn_tensor *a,
                                                        const agn_tensor *b,
                                                        agn_spectral_order order);

/**
 * agn_linalg_eig_generalized - eigenpairs of a v = b v diag(w), of general matrices
 *
 * By LAPACK's ggev. Columns of v have length 1, and the first of their largest entries (within
 * 1/64) is real and positive. A singular b has infinite values; where a and b are singular on one
 * vector, values are NaN or mean nothing.
 *
 * @param w  out, [..., n]     values, complex
 * @param v  out, [..., n, n]  vectors, as columns, complex
 * @param a  in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param b  in,  [..., n, n]
 * @errors   AGN_ENULL, AGN_ESHAPE (not square, orders differ, batches do not broadcast),
 *           AGN_EDOMAIN (not finite: names the entry), AGN_ENOCONV, AGN_EUNSUPPORTED (order above
 *           2^31 - 1, sparse), AGN_ENOMEM
 * @grad     as of agn_linalg_eig(), where b is regular; else NaN
 * @cost     about 70 n^3 per pair, in complex numbers
 * @ref      Golub & Van Loan 2013, 7.7; Magnus 1985 (derivative)
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_eig_generalized(agn_tensor **w, agn_tensor **v,
                                                             const agn_tensor *a,
                                                             const agn_tensor *b);

/**
 * agn_linalg_funm - a function of a matrix, given as a function of a complex number
 *
 * f takes a complex tensor (c128) to one of the same shape and dtype, number by number, and is
 * holomorphic near the eigenvalues: where its derivative depends on the direction all of the result
 * is NaN. Its derivatives come from agn_fn_jet(). Values nearer than 0.1 are summed as one Taylor
 * series, which must converge; those of different clusters that are little farther apart lose some
 * digits.
 *
 * @param out  out, [..., n, n]  complex
 * @param a    in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides; computed in
 *             c128
 * @param f    one argument, one result
 * @errors     AGN_ENULL, AGN_EARG (f has other numbers of arguments or results), AGN_ESHAPE (not
 *             square; of what f gives), AGN_EDTYPE (also of what f gives), AGN_EDOMAIN (not finite:
 *             names the entry), AGN_ENOCONV (values; a singularity of f is near), AGN_EUNSUPPORTED
 *             (order above 2^31 - 1, sparse), AGN_ENOMEM; those of f
 * @grad       in a, to any order, at ties and defective values too; each order doubles the matrix.
 *             Tensors that f holds and that are differentiated are refused (AGN_EUNSUPPORTED)
 * @cost       about 30 n^3 per matrix in c128, and a jet of min(n + 15, 64) coefficients of f
 * @ref        Davies & Higham 2003; Higham 2008, 9.4 and 3.1 (derivative)
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_funm(agn_tensor **out, const agn_tensor *a,
                                                  const agn_fn *f);

/**
 * agn_linalg_funm_hermitian - a function of a Hermitian matrix, given as a function of a number
 *
 * As agn_linalg_funm(), of the matrix that one triangle determines. Of a real matrix the real part:
 * f must be real on the real axis. Sums of functions of eigenvalues are traces of it.
 *
 * @param out    out, [..., n, n]  real where a is
 * @param a      in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param f      one argument, one result, complex
 * @param upper  read the upper triangle, instead of the lower
 * @errors       those of agn_linalg_funm()
 * @grad         in a, to any order, at equal eigenvalues too; it lies in the triangle that is read
 * @cost         as of agn_linalg_funm()
 * @ref          Higham 2008, 3.1
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_funm_hermitian(agn_tensor **out, const agn_tensor *a,
                                                            const agn_fn *f, bool upper);

/**
 * agn_linalg_expm_cond - relative condition number of the exponential
 *
 * max |L(a, e)| |a| / (|e^a| |e|) in Frobenius norms, with L the derivative of
 * agn_linalg_expm_frechet().
 *
 * @param out  out, [...]  real
 * @param a    in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @errors     AGN_ENULL, AGN_ESHAPE (not square, as many axes as there may be), AGN_EDOMAIN (not
 *             finite), AGN_ENOCONV, AGN_EUNSUPPORTED (order above 1000, sparse), AGN_ENOMEM
 * @grad       as of agn_linalg_svdvals()
 * @cost       n^2 exponentials and singular values of a matrix of order n^2
 * @ref        Al-Mohy & Higham 2009
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_expm_cond(agn_tensor **out, const agn_tensor *a);

/** By which of LAPACK's ways least squares are solved. */
typedef enum agn_lstsq_driver {
    AGN_LSTSQ_GELS,  /* QR: full rank, fastest */
    AGN_LSTSQ_GELSY, /* QR with column interchanges: any rank */
    AGN_LSTSQ_GELSD, /* singular values by divide and conquer: any rank */
    AGN_LSTSQ_GELSS  /* singular values by QR: any rank, slowest */
} agn_lstsq_driver;

/**
 * agn_linalg_lstsq_with - x of least |a x - b|, of those the shortest, by a chosen driver
 *
 * @param out     out, [..., n, k], or [..., n] where b has one axis
 * @param rank    out, [...]  i64: the rank found; GELS takes it to be min(m, n). May be NULL
 * @param values  out, [..., min(m, n)]  real: singular values, of GELSD and GELSS, else [..., 0].
 *                May be NULL
 * @param a       in, [..., m, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param b       in, [..., m, k], or [m]
 * @param driver  the way
 * @param rcond   below 1: singular values, or of GELSY estimates of them, below rcond times the
 *                largest count as 0; negative for max(m, n) eps
 * @errors        AGN_ENULL, AGN_EARG (driver, rcond), AGN_ESHAPE (fewer than two axes, rows differ,
 *                batches do not broadcast), AGN_EDOMAIN (not finite: names the entry; GELS: rows or
 *                columns are dependent up to rounding), AGN_ENOCONV, AGN_EUNSUPPORTED (a size above
 *                2^31 - 1, sparse), AGN_ENOMEM
 * @grad          of out along matrices of the same rank, to any order; NaN where singular values
 *                show another rank than the driver found. rank and values are constants
 * @cost          O(m n min(m, n)) per matrix; a derivative, a pseudoinverse more
 * @ref           Golub & Van Loan 2013, 5.5; Golub & Pereyra 1973 (derivative)
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_lstsq_with(agn_tensor **out, agn_tensor **rank,
                                                        agn_tensor **values, const agn_tensor *a,
                                                        const agn_tensor *b,
                                                        agn_lstsq_driver driver, double rcond);

/**
 * agn_linalg_ridge - x of least |a x - b|^2 + alpha |x|^2
 *
 * By QR of a with alpha^(1/2) below it: digits are not lost as in normal equations.
 *
 * @param out    out, [..., n, k], or [..., n] where b has one axis
 * @param a      in, [..., m, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param b      in, [..., m, k], or [m]
 * @param alpha  in, [...], real: not negative; with 0, a has independent columns
 * @errors       AGN_ENULL, AGN_ESHAPE (fewer than two axes, rows differ, batches do not
 *               broadcast), AGN_EDTYPE (alpha), AGN_EDOMAIN (dependent; not finite, as of a
 *               negative alpha), AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad         everywhere, to any order; in alpha where it is not 0
 * @cost         O((m + n) n^2) per matrix
 * @ref          Bjorck 1996, 2.7
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_ridge(agn_tensor **out, const agn_tensor *a,
                                                   const agn_tensor *b, const agn_tensor *alpha);

/**
 * agn_linalg_lstsq_constrained - x of least |a x - c| among those with b x = d
 *
 * LAPACK's gglse, by a basis of the null space of b.
 *
 * @param out  out, [..., n, k], or [..., n] where c and d have one axis
 * @param a    in, [..., m, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param c    in, [..., m, k], or [m]
 * @param b    in, [..., p, n] with p <= n <= m + p
 * @param d    in, [..., p, k], or [p]
 * @errors     AGN_ENULL, AGN_ESHAPE (fewer than two axes, sizes do not fit, batches do not
 *             broadcast), AGN_EDOMAIN (rows of b are dependent, x is not determined, not finite),
 *             AGN_ENOCONV, AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad       everywhere, to any order
 * @cost       O((m + n) n^2) per matrix
 * @ref        Golub & Van Loan 2013, 6.2; Bjorck 1996, 5.1
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_lstsq_constrained(agn_tensor **out,
                                                               const agn_tensor *a,
                                                               const agn_tensor *c,
                                                               const agn_tensor *b,
                                                               const agn_tensor *d);

/**
 * agn_linalg_gauss_markov - x and y of least |y| with d = a x + b y
 *
 * The general linear model with errors b y, of covariance b b^H; LAPACK's ggglm.
 *
 * @param x  out, [..., n, k], or [..., n] where d has one axis
 * @param y  out, [..., p, k], or [..., p]
 * @param a  in, [..., m, n] with n <= m <= n + p  f32 f64 c64 c128, others by promotion; any
 *           strides
 * @param b  in, [..., m, p]
 * @param d  in, [..., m, k], or [m]
 * @errors   AGN_ENULL, AGN_ESHAPE (fewer than two axes, sizes do not fit, batches do not
 *           broadcast), AGN_EDOMAIN (columns of a are dependent, or rows of [a, b]; not finite),
 *           AGN_ENOCONV, AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad     everywhere, to any order
 * @cost     O((m + p) m^2) per matrix
 * @ref      Paige 1979; Bjorck 1996, 4.3
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_gauss_markov(agn_tensor **x, agn_tensor **y,
                                                          const agn_tensor *a, const agn_tensor *b,
                                                          const agn_tensor *d);

/**
 * agn_linalg_solve_refined - x of a x = b with equilibration, refinement and error bounds
 *
 * LAPACK's gesvx. Each column of x is exact for a system whose entries differ from a and b by the
 * factor 1 + backward at most, and off by about forward times its largest entry at most.
 *
 * @param out       out, [..., n, k], or [..., n] where b has one axis
 * @param rcond     out, [...]  real: estimated reciprocal condition number, after equilibration;
 *                  below eps no digit of x need be right
 * @param forward   out, [..., k], or [...] where b has one axis: bounds of the relative error, real
 * @param backward  out, as forward: componentwise backward errors
 * @param a         in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param b         in,  [..., n, k], or [n]
 * @errors          AGN_ENULL, AGN_ESHAPE (not square, rows differ, batches do not broadcast),
 *                  AGN_EDOMAIN (singular: names the pivot; not finite: names the entry; x
 *                  overflows), AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad            of out everywhere, to any order; the others are constants
 * @cost            O(n^3 2/3 + 20 n^2 k) per matrix
 * @ref             Arioli, Demmel & Duff 1989; Higham 2002, chapters 7 and 12
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_solve_refined(agn_tensor **out, agn_tensor **rcond,
                                                           agn_tensor **forward,
                                                           agn_tensor **backward,
                                                           const agn_tensor *a,
                                                           const agn_tensor *b);

/** What a matrix was found to be. */
typedef enum agn_matrix_kind {
    AGN_MATRIX_GENERAL,
    AGN_MATRIX_DIAGONAL,
    AGN_MATRIX_LOWER,       /* triangular */
    AGN_MATRIX_UPPER,
    AGN_MATRIX_TRIDIAGONAL, /* of order 16 or more */
    AGN_MATRIX_BANDED,      /* l diagonals below, u above, 4 (2 l + u + 1) <= n */
    AGN_MATRIX_POSITIVE,    /* Hermitian, positive definite */
    AGN_MATRIX_HERMITIAN,   /* and indefinite */
    AGN_MATRIX_SYMMETRIC    /* complex, and not Hermitian */
} agn_matrix_kind;

/**
 * agn_linalg_solve_structured - x of a x = b, in the way that zeros and symmetry of a allow
 *
 * Every matrix of a batch is looked at; what its entries show exactly is used: divisions, a
 * triangular or banded solve, Cholesky, Bunch and Kaufman, else LU. The derivative is that of a
 * general system, and its own systems are looked at in turn.
 *
 * @param out   out, [..., n, k], or [..., n] where b has one axis
 * @param kind  out, [...]  i32: AGN_MATRIX_, what was used; may be NULL
 * @param a     in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param b     in,  [..., n, k], or [n]: one right-hand side for every matrix
 * @errors      AGN_ENULL, AGN_ESHAPE (not square, rows differ, batches do not broadcast),
 *              AGN_EDOMAIN (singular: names the pivot; a is not finite: names the entry; x
 *              overflows), AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad        everywhere, to any order
 * @cost        O(n^2) to look; n k, n^2 k, n l (l + u), n^3 / 3 or n^3 2/3
 * @ref         Higham 2002, chapters 8 to 11
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_solve_structured(agn_tensor **out, agn_tensor **kind,
                                                              const agn_tensor *a,
                                                              const agn_tensor *b);

/**
 * agn_linalg_geqrf - QR as LAPACK stores it
 *
 * r lies on and above the diagonal, vectors of reflectors below; agn_linalg_householder_product()
 * and agn_linalg_ormqr() take both results.
 *
 * @param packed  out, [..., m, n]
 * @param tau     out, [..., min(m, n)]
 * @param a       in,  [..., m, n]  f32 f64 c64 c128, others by promotion; any strides
 * @errors        AGN_ENULL, AGN_ESHAPE (fewer than two axes), AGN_EDOMAIN (not finite: names the
 *                entry), AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad          none: AGN_EUNSUPPORTED. agn_linalg_qr() has one
 * @cost          O(m n min(m, n)) per matrix
 * @ref           Golub & Van Loan 2013, 5.2
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_geqrf(agn_tensor **packed, agn_tensor **tau,
                                                   const agn_tensor *a);

/**
 * agn_linalg_qr_multiply - c times the orthonormal factor of a, and r
 *
 * @param out      out, q c; c q, q^H c or c q^H
 * @param r        out, [..., k, n]
 * @param a        in,  [..., m, n]  f32 f64 c64 c128, others by promotion; any strides; q is [...,
 *                 m, k], k = min(m, n)
 * @param c        in,  a matrix that fits
 * @param left     q c, instead of c q
 * @param adjoint  q^H in place of q
 * @errors         AGN_ENULL, AGN_ESHAPE (fewer than two axes, sizes differ, batches do not
 *                 broadcast), AGN_EDOMAIN (not finite), AGN_EUNSUPPORTED (a size above 2^31 - 1,
 *                 sparse), AGN_ENOMEM
 * @grad           as of agn_linalg_qr()
 * @cost           O(m n k) and a product
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_qr_multiply(agn_tensor **out, agn_tensor **r,
                                                         const agn_tensor *a, const agn_tensor *c,
                                                         bool left, bool adjoint);

/**
 * agn_linalg_tsqr - QR of a tall matrix by blocks of rows
 *
 * Each block is factored as one of a batch, then their triangles together: two passes over a in
 * place of one for each panel of columns, and blocks in parallel.
 *
 * @param q     out, [..., m, n]
 * @param r     out, [..., n, n]
 * @param a     in,  [..., m, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param rows  of a block: n or more, a divisor of m
 * @errors      AGN_ENULL, AGN_EARG (rows), AGN_ESHAPE (fewer than two axes, as many as there may
 *              be), AGN_EDOMAIN (not finite), AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse),
 *              AGN_ENOMEM
 * @grad        where the columns of every block are independent
 * @cost        O(m n^2) per matrix
 * @ref         Demmel, Grigori, Hoemmen & Langou 2012
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_tsqr(agn_tensor **q, agn_tensor **r,
                                                  const agn_tensor *a, int64_t rows);

/**
 * agn_linalg_interpolative - k columns of a, and what the others are of them
 *
 * With c the first k columns of a[:, perm], the others are nearly c proj: those of pivoted QR.
 *
 * @param perm  out, [..., n]  i64
 * @param proj  out, [..., k, n - k]
 * @param a     in,  [..., m, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param k     how many, at most min(m, n)
 * @errors      AGN_ENULL, AGN_EARG (k), AGN_ESHAPE (fewer than two axes), AGN_EDOMAIN (not finite;
 *              k is above the rank), AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad        everywhere, the order kept
 * @cost        O(m n min(m, n)) per matrix
 * @ref         Cheng, Gimbutas, Martinsson & Rokhlin 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_interpolative(agn_tensor **perm, agn_tensor **proj,
                                                           const agn_tensor *a, int64_t k);

/**
 * agn_linalg_cossin - blocks of a unitary matrix by cosines and sines
 *
 * x = [u1, 0; 0, u2] d [v1h, 0; 0, v2h], where d is made of c = diag(cos theta), s = diag(sin
 * theta), ones and zeros: [c, -s; s, c] where p = q = m / 2.
 *
 * @param u1     out, [..., p, p]
 * @param u2     out, [..., m - p, m - p]
 * @param theta  out, [..., min(p, m - p, q, m - q)]  real, in [0, pi / 2]
 * @param v1h    out, [..., q, q]
 * @param v2h    out, [..., m - q, m - q]
 * @param x      in,  [..., m, m]  f32 f64 c64 c128, others by promotion; any strides
 * @param p      rows of the upper blocks
 * @param q      columns of the left blocks
 * @errors       AGN_ENULL, AGN_EARG (p, q), AGN_ESHAPE (not square), AGN_EDOMAIN (not finite: names
 *               the entry; not unitary to half of the digits), AGN_ENOCONV, AGN_EUNSUPPORTED (order
 *               above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad         none: AGN_EUNSUPPORTED
 * @cost         O(m^3) per matrix
 * @ref          Golub & Van Loan 2013, 2.5.4; Sutton 2009
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_cossin(agn_tensor **u1, agn_tensor **u2,
                                                    agn_tensor **theta, agn_tensor **v1h,
                                                    agn_tensor **v2h, const agn_tensor *x,
                                                    int64_t p, int64_t q);

/**
 * agn_linalg_balance - a similar matrix whose rows and columns have like norms
 *
 * out[i, j] = a[perm[i], perm[j]] scale[j] / scale[i]: by interchanges that move isolated
 * eigenvalues to the ends, and by powers of two.
 *
 * @param out    out, [..., n, n]
 * @param scale  out, [..., n]  real: powers of two
 * @param perm   out, [..., n]  i64
 * @param a      in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @errors       AGN_ENULL, AGN_ESHAPE (not square), AGN_EDOMAIN (not finite: names the entry),
 *               AGN_EUNSUPPORTED (order above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad         everywhere, scales and order being constants
 * @cost         O(n^2) per matrix
 * @ref          Parlett & Reinsch 1969
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_balance(agn_tensor **out, agn_tensor **scale,
                                                     agn_tensor **perm, const agn_tensor *a);

/**
 * agn_linalg_khatri_rao - Kronecker products of columns
 *
 * @param out  out, [..., m n, k]: column j is kron(a[:, j], b[:, j])
 * @param a    in,  [..., m, k]  numbers
 * @param b    in,  [..., n, k]
 * @errors     AGN_ENULL, AGN_ESHAPE (columns differ, fewer than two axes or as many as there may
 *             be, batches do not broadcast), AGN_EUNSUPPORTED (sparse), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(m n k)
 * @ref        Khatri & Rao 1968
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_khatri_rao(agn_tensor **out, const agn_tensor *a,
                                                        const agn_tensor *b);

/**
 * agn_linalg_matmul_toeplitz - product of a Toeplitz matrix with x, by Fourier transforms
 *
 * @param out  out, [..., m, k], or [..., m] where x has one axis
 * @param c    in,  [..., m]  the first column; numbers
 * @param r    in,  [..., n]  the first row, whose first entry is not read; NULL for the conjugate
 *             of c
 * @param x    in,  [..., n, k], or [n]
 * @errors     AGN_ENULL, AGN_ESHAPE (sizes differ, empty, batches do not broadcast, as many axes as
 *             there may be), AGN_EUNSUPPORTED (sparse), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O((m + n) log(m + n) k)
 * @ref        Golub & Van Loan 2013, 4.8.2
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_matmul_toeplitz(agn_tensor **out, const agn_tensor *c,
                                                             const agn_tensor *r,
                                                             const agn_tensor *x);

/* ---- options of norms, ranks, inverses, covariance -------------------------------- */

/**
 * agn_linalg_solve_right - x of x a = b
 *
 * @param out  out, [..., k, n], or [..., n] where b has one axis
 * @param a    in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param b    in,  [..., k, n], or [n]; any strides
 * @errors     AGN_ENULL, AGN_ESHAPE (not square, columns differ, batches do not broadcast),
 *             AGN_EDOMAIN (singular: names the pivot; not finite: names the entry),
 *             AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad       everywhere, to any order
 * @cost       as of agn_linalg_solve()
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_solve_right(agn_tensor **out, const agn_tensor *a,
                                                         const agn_tensor *b);

/**
 * agn_linalg_matrix_rank_with - number of singular values above max(atol, rtol times the largest)
 *
 * Bounds are tensors, one for each matrix or for all.
 *
 * @param out        out, the shape that [...] of a, atol and rtol broadcast to  i64
 * @param a          in, [..., m, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param atol       in, real, broadcasts with [...]; NULL for 0
 * @param rtol       in, real, likewise; NULL for max(m, n) eps, or for 0 where atol is given
 * @param hermitian  a is square and Hermitian, its lower triangle is read: magnitudes of its
 *                   eigenvalues stand for singular values, at a part of the cost
 * @errors           AGN_ENULL, AGN_ESHAPE (fewer than two axes, not square, batches do not
 *                   broadcast), AGN_EDTYPE (a bound is complex), AGN_EDOMAIN (not finite),
 *                   AGN_ENOCONV, AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad             none: a whole number
 * @cost             O(m n min(m, n)) per matrix
 * @ref              Golub & Van Loan 2013, 5.4
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_matrix_rank_with(agn_tensor **out, const agn_tensor *a,
                                                              const agn_tensor *atol,
                                                              const agn_tensor *rtol,
                                                              bool hermitian);

/**
 * agn_linalg_pinv_hermitian - Moore-Penrose inverse of a Hermitian matrix, one triangle of which is read
 *
 * By eigenvalues, and Hermitian to the last bit.
 *
 * @param out    out, [..., n, n]
 * @param a      in, [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param rcond  below 1: eigenvalues of magnitude up to rcond times the largest count as 0;
 *               negative for n eps
 * @param upper  read the upper triangle, instead of the lower
 * @errors       AGN_ENULL, AGN_ESHAPE (not square), AGN_EARG (rcond), AGN_EDOMAIN (not finite),
 *               AGN_ENOCONV, AGN_EUNSUPPORTED (order above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad         to any order, along matrices of the same rank; equal eigenvalues do no harm. None
 *               of the other triangle
 * @cost         O(n^3) per matrix, about half of agn_linalg_pinv()
 * @ref          Golub & Pereyra 1973; Golub & Van Loan 2013, 8.3
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_pinv_hermitian(agn_tensor **out, const agn_tensor *a,
                                                            double rcond, bool upper);

/**
 * agn_linalg_matrix_norm_with - norm of matrices that lie along two given axes
 *
 * @param out       out, a without both axes, or with 1 in their place  real
 * @param a         in, f32 f64 c64 c128, others by promotion; any strides
 * @param p         which norm
 * @param rows      axis of the rows, negative from the end
 * @param columns   axis of the columns, another one
 * @param keep_dims keep both axes, of length 1
 * @errors          AGN_ENULL, AGN_EARG (p, axes that are one or that a has not), AGN_ESHAPE (fewer
 *                  than two axes), AGN_EDOMAIN (not finite, by singular values), AGN_ENOCONV,
 *                  AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad            as of agn_linalg_matrix_norm()
 * @cost            as of agn_linalg_matrix_norm()
 * @ref             Higham 2002, chapter 6
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_matrix_norm_with(agn_tensor **out, const agn_tensor *a,
                                                              agn_matrix_norm_kind p, int32_t rows,
                                                              int32_t columns, bool keep_dims);

/**
 * agn_linalg_cov_weighted - covariance of samples that have weights
 *
 * With w = f a and v = sum(w), the mean is sum(w x) / v, the divisor v - ddof sum(w a) / v.
 *
 * @param out   out, [..., m, m]
 * @param x     in, [..., m, n], variables in rows  f32 f64 c64 c128, others by promotion; any
 *              strides
 * @param ddof  as above: 1 is unbiased
 * @param f     in, [n], how often each sample was seen: whole numbers, not negative; NULL for 1
 * @param a     in, [n], weights of the samples: real, not negative; NULL for 1
 * @errors      AGN_ENULL, AGN_ESHAPE (fewer than two axes, weights of another length), AGN_EDTYPE
 *              (weights that are complex or, of f, no whole numbers), AGN_EUNSUPPORTED (sparse),
 *              AGN_ENOMEM
 * @grad        everywhere in x and a. NaN or infinite where the divisor is 0; NaN where it or a
 *              weight is negative
 * @cost        O(m^2 n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_cov_weighted(agn_tensor **out, const agn_tensor *x,
                                                          double ddof, const agn_tensor *f,
                                                          const agn_tensor *a);

/* ---- what a matrix looks like ------------------------------------------------------ */

/**
 * agn_linalg_bandwidth - how many diagonals below and above the main one hold something
 *
 * @param lower  out, [...]  i64
 * @param upper  out, [...]  i64
 * @param a      in, [..., m, n]  any dtype and strides; NaN is something
 * @errors       AGN_ENULL, AGN_ESHAPE (fewer than two axes), AGN_EUNSUPPORTED (sparse), AGN_ENOMEM
 * @grad         none: whole numbers
 * @cost         O(m n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_bandwidth(agn_tensor **lower, agn_tensor **upper,
                                                       const agn_tensor *a);

/**
 * agn_linalg_is_symmetric - is |a_ij - a_ji| at most atol + rtol |a_ji| for all i and j?
 *
 * @param out   out, [...]  bool; NaN makes it false
 * @param a     in, [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param atol  not negative
 * @param rtol  not negative; 0 and 0 ask for equal entries
 * @errors      AGN_ENULL, AGN_EARG (a bound), AGN_ESHAPE (not square), AGN_EUNSUPPORTED (order
 *              above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad        none: a truth value
 * @cost        O(n^2)
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_is_symmetric(agn_tensor **out, const agn_tensor *a,
                                                          double atol, double rtol);

/**
 * agn_linalg_is_hermitian - is |a_ij - conj(a_ji)| at most atol + rtol |a_ji| for all i and j?
 *
 * @param out   out, [...]  bool; NaN makes it false
 * @param a     in, [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param atol  not negative
 * @param rtol  not negative; 0 and 0 ask for equal entries
 * @errors      AGN_ENULL, AGN_EARG (a bound), AGN_ESHAPE (not square), AGN_EUNSUPPORTED (order
 *              above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad        none: a truth value
 * @cost        O(n^2)
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_is_hermitian(agn_tensor **out, const agn_tensor *a,
                                                          double atol, double rtol);

/* ---- QR after a change --------------------------------------------------------------- */

/**
 * agn_linalg_qr_update - QR factors of a + u v^H from those of a
 *
 * By plane rotations, without the matrix. Factors may be complete (q square) or reduced; reduced
 * ones stay so. Of a complex matrix the diagonal of r1 is real.
 *
 * @param q1  out, as q
 * @param r1  out, as r
 * @param q   in, [..., m, k] with orthonormal columns, k = m or k = n  f32 f64 c64 c128
 * @param r   in, [..., k, n], upper triangular
 * @param u   in, [..., m]
 * @param v   in, [..., n]
 * @errors    AGN_ENULL, AGN_ESHAPE (sizes do not fit, batches differ), AGN_EDOMAIN (not finite:
 *            names the entry), AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse; a derivative of
 *            complete factors with m > n), AGN_ENOMEM
 * @grad      to any order, where the columns of a + u v^H, or the first m, are independent
 * @cost      O((m + n) k) per matrix
 * @ref       Golub & Van Loan 2013, 6.5.1; Daniel, Gragg, Kaufman & Stewart 1976
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_qr_update(agn_tensor **q1, agn_tensor **r1,
                                                       const agn_tensor *q, const agn_tensor *r,
                                                       const agn_tensor *u, const agn_tensor *v);

/**
 * agn_linalg_qr_insert - QR factors of a with rows or columns put in, from those of a
 *
 * @param q1      out, [..., m', k']
 * @param r1      out, [..., k', n'], complete or reduced as the given ones
 * @param q       in, [..., m, k] with orthonormal columns, k = m or k = n  f32 f64 c64 c128
 * @param r       in, [..., k, n], upper triangular
 * @param x       in, [..., p, n] rows, or [..., m, p] columns
 * @param at      before which row or column, 0 to m or n
 * @param columns whether x holds columns
 * @errors        AGN_ENULL, AGN_EARG (at), AGN_ESHAPE (sizes do not fit, batches differ; columns
 *                into reduced factors beyond m), AGN_EDOMAIN (not finite: names the entry; a column
 *                that the reduced basis holds), AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse; a
 *                derivative of complete factors with more rows than columns), AGN_ENOMEM
 * @grad          everywhere, to any order, of reduced factors, where the columns are independent
 * @cost          O((m + n) k p) per matrix
 * @ref           Golub & Van Loan 2013, 6.5.2 to 6.5.3; Daniel, Gragg, Kaufman & Stewart 1976
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_qr_insert(agn_tensor **q1, agn_tensor **r1,
                                                       const agn_tensor *q, const agn_tensor *r,
                                                       const agn_tensor *x, int64_t at,
                                                       bool columns);

/**
 * agn_linalg_qr_delete - QR factors of a without some rows or columns, from those of a
 *
 * @param q1      out, [..., m', k']
 * @param r1      out, [..., k', n'], complete or reduced as the given ones
 * @param q       in, [..., m, k] with orthonormal columns, k = m or k = n  f32 f64 c64 c128
 * @param r       in, [..., k, n], upper triangular
 * @param at      the first row or column that goes
 * @param count   how many go; reduced factors keep at least as many rows as columns
 * @param columns whether columns go
 * @errors        AGN_ENULL, AGN_EARG (at, count), AGN_ESHAPE (sizes do not fit, batches differ),
 *                AGN_EDOMAIN (not finite: names the entry; a row without which the reduced basis
 *                loses rank), AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse; a derivative of
 *                complete factors with more rows than columns), AGN_ENOMEM
 * @grad          everywhere, to any order, of reduced factors, where the columns are independent
 * @cost          O((m + n) k count) per matrix
 * @ref           Golub & Van Loan 2013, 6.5.2 to 6.5.3; Daniel, Gragg, Kaufman & Stewart 1976
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_qr_delete(agn_tensor **q1, agn_tensor **r1,
                                                       const agn_tensor *q, const agn_tensor *r,
                                                       int64_t at, int64_t count, bool columns);

/* ---- factors of a rank ----------------------------------------------------------------- */

/**
 * agn_linalg_cholesky_pivoted - Cholesky's factor of a semidefinite matrix: a[perm, perm] = l l^H
 *
 * LAPACK's pstrf: the largest diagonal entry that is left comes first. Columns of l beyond the rank
 * are 0.
 *
 * @param l     out, [..., n, n]  lower triangular, with a diagonal that falls
 * @param perm  out, [..., n]  i64
 * @param rank  out, [...]  i64
 * @param a     in, [..., n, n]  positive semidefinite; one triangle is read  f32 f64 c64 c128,
 *              others by promotion; any strides
 * @param tol   diagonal entries up to tol count as 0; negative for n eps times the largest
 * @param upper read the upper triangle, instead of the lower
 * @errors      AGN_ENULL, AGN_EARG (tol is NaN), AGN_ESHAPE (not square), AGN_EDOMAIN (not
 *              semidefinite: what is left exceeds tol; not finite: names the entry),
 *              AGN_EUNSUPPORTED (order above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad        to any order, along matrices of the same rank; the order of rows is kept
 * @cost        O(n^2 rank) per matrix; with the composition that derivatives are taken of, n^3
 * @ref         Higham 2002, 10.3; Lucas 2004
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_cholesky_pivoted(agn_tensor **l, agn_tensor **perm,
                                                              agn_tensor **rank,
                                                              const agn_tensor *a, double tol,
                                                              bool upper);

/**
 * agn_linalg_cholesky_modified - Cholesky's factor of a positive definite matrix near a
 *
 * a + e = l l^H, or u^H u, with e Hermitian and 0 where a is positive definite enough. Of the factors
 * a[perm, perm] = l d l^H the eigenvalues of the blocks of d that are below delta are raised to it.
 *
 * @param l      out, [..., n, n]
 * @param e      out, [..., n, n]  what was added
 * @param a      in,  [..., n, n]  f32 f64 c64 c128, others by promotion
 * @param delta  least eigenvalue of blocks, positive; negative: sqrt(eps) times the largest sum of the
 *               moduli of a row
 * @param upper  read the upper triangle and give u, instead of the lower and l
 * @errors       AGN_ENULL, AGN_ESHAPE (not square), AGN_EARG (delta is 0, infinite or NaN),
 *               AGN_EDOMAIN (not finite: names the entry; the sum is not positive definite to
 *               working precision), AGN_EUNSUPPORTED (order above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad         with the order, the blocks and a delta of its own kept
 * @cost         O(n^3) per matrix
 * @ref          Cheng & Higham 1998
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_cholesky_modified(agn_tensor **l, agn_tensor **e,
                                                               const agn_tensor *a, double delta,
                                                               bool upper);

/**
 * agn_linalg_complete_orthogonal - complete orthogonal decomposition: a = u t vh
 *
 * @param u      out, [..., m, rank]  with orthonormal columns
 * @param t      out, [..., rank, rank]  lower triangular
 * @param vh     out, [..., rank, n]  with orthonormal rows
 * @param a      in, [..., m, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param rank   of every matrix, 0 to min(m, n); results are NaN where one is of another rank
 * @param rcond  below 1: what is left counts as 0 up to rcond times the longest column; negative
 *               for max(m, n) eps
 * @errors       AGN_ENULL, AGN_EARG (rank, rcond), AGN_ESHAPE (fewer than two axes), AGN_EDOMAIN
 *               (not finite: names the entry), AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse),
 *               AGN_ENOMEM
 * @grad         to any order, along matrices of the same rank; the order of columns is kept
 * @cost         O(m n rank) per matrix
 * @ref          Golub & Van Loan 2013, 5.4.7
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_complete_orthogonal(agn_tensor **u, agn_tensor **t,
                                                                 agn_tensor **vh,
                                                                 const agn_tensor *a, int64_t rank,
                                                                 double rcond);

/**
 * agn_linalg_schur_complex - complex Schur's form from the real one: z t z^H stays
 *
 * @param t1  out, [..., n, n]  upper triangular, complex
 * @param z1  out, [..., n, n]
 * @param t   in, [..., n, n]  quasi-triangular, of agn_linalg_schur(); complex ones are given back
 * @param z   in, [..., n, n]
 * @errors    AGN_ENULL, AGN_ESHAPE (not square, sizes differ), AGN_EDOMAIN (t is not
 *            quasi-triangular, or not finite), AGN_EUNSUPPORTED (order above 2^31 - 1, sparse),
 *            AGN_ENOMEM
 * @grad      to any order, along matrices of the same blocks; infinite or NaN where a block has one
 *            double value
 * @cost      O(n^2) for each pair of complex values
 * @ref       Golub & Van Loan 2013, 7.4.1
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_schur_complex(agn_tensor **t1, agn_tensor **z1,
                                                           const agn_tensor *t,
                                                           const agn_tensor *z);

/* ---- other ways to a solution ------------------------------------------------------------ */

/**
 * agn_linalg_solve_mixed - x of a x = b by factors of half the digits, refined
 *
 * LAPACK's dsgesv and zcgesv: LU in f32 or c64, then steps of refinement in f64 or c128 until the
 * backward error is that of a factor of full precision; else such a factor. Systems in f32 and c64
 * are solved as they are.
 *
 * @param out    out, [..., n, k], or [..., n] where b has one axis
 * @param steps  out, [...]  i32: steps of refinement; negative: a factor of full precision was
 *               taken. May be NULL
 * @param a      in,  [..., n, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param b      in,  [..., n, k], or [n]
 * @errors       AGN_ENULL, AGN_ESHAPE (not square, rows differ, batches do not broadcast),
 *               AGN_EDOMAIN (singular: names the pivot; not finite: names the entry; x overflows),
 *               AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad         of out everywhere, to any order, by a factor of full precision
 * @cost         O(n^3 2/3) in half the digits
 * @ref          Langou et al. 2006; Higham 2002, chapter 12
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_solve_mixed(agn_tensor **out, agn_tensor **steps,
                                                         const agn_tensor *a, const agn_tensor *b);

/**
 * agn_linalg_clarkson_woodruff - a sketch of rows: s a with a random s of one +-1 in each column
 *
 * |s a x| is near |a x| for all x at once, with high probability where rows are about n^2 and more.
 * The same key gives the same s.
 *
 * @param out   out, [..., rows, n]
 * @param key   in, i64 [2]
 * @param a     in, [..., m, n]  f32 f64 c64 c128, others by promotion
 * @param rows  1 or more
 * @errors      AGN_ENULL, AGN_EARG (rows), AGN_ESHAPE (fewer than two axes, the key), AGN_EDTYPE
 *              (the key), AGN_EUNSUPPORTED (sparse), AGN_ENOMEM
 * @grad        everywhere: linear in a
 * @cost        O(m n)
 * @ref         Clarkson & Woodruff 2013
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_clarkson_woodruff(agn_tensor **out,
                                                               const agn_tensor *key,
                                                               const agn_tensor *a, int64_t rows);

/**
 * agn_linalg_ridge_gcv - generalised cross-validation of agn_linalg_ridge(), for each alpha
 *
 * m |a x - b|^2 / (m - sum s_i^2 / (s_i^2 + alpha))^2, which is least at a good alpha.
 *
 * @param out    out, [..., q]  real
 * @param a      in, [..., m, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param b      in, [..., m, k], or [m]
 * @param alpha  in, [q], real, positive
 * @errors       AGN_ENULL, AGN_ESHAPE (fewer than two axes, rows differ, alpha has not one axis,
 *               batches do not broadcast), AGN_EDTYPE (alpha), AGN_EDOMAIN (not finite),
 *               AGN_ENOCONV, AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad         in b and alpha everywhere, in a where singular values differ
 * @cost         O(m n min(m, n) + q (m + n) k) per matrix
 * @ref          Golub, Heath & Wahba 1979
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_ridge_gcv(agn_tensor **out, const agn_tensor *a,
                                                       const agn_tensor *b,
                                                       const agn_tensor *alpha);

/**
 * agn_linalg_ridge_lcurve - the L-curve of agn_linalg_ridge(): residuals, solutions, curvature
 *
 * Curvature is that of log |x| over log |a x - b|, positive at the corner of an L, where alpha is a
 * good one.
 *
 * @param residual   out, [..., q]  real: |a x - b|
 * @param size       out, [..., q]  real: |x|
 * @param curvature  out, [..., q]  real; NaN where |x| or |a x - b| is 0
 * @param a          in, [..., m, n]  f32 f64 c64 c128, others by promotion; any strides
 * @param b          in, [..., m, k], or [m]
 * @param alpha      in, [q], real, positive
 * @errors           AGN_ENULL, AGN_ESHAPE (fewer than two axes, rows differ, alpha has not one
 *                   axis, batches do not broadcast), AGN_EDTYPE (alpha), AGN_EDOMAIN (not finite),
 *                   AGN_ENOCONV, AGN_EUNSUPPORTED (a size above 2^31 - 1, sparse), AGN_ENOMEM
 * @grad             in b and alpha everywhere, in a where singular values differ
 * @cost             O(m n min(m, n) + q (m + n) k) per matrix
 * @ref              Hansen & O'Leary 1993
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_ridge_lcurve(agn_tensor **residual, agn_tensor **size,
                                                          agn_tensor **curvature,
                                                          const agn_tensor *a, const agn_tensor *b,
                                                          const agn_tensor *alpha);

/* ---- more matrices of numbers alone ------------------------------------------------------- */

/** Which of Pascal's matrices. */
typedef enum agn_pascal_kind {
    AGN_PASCAL_SYMMETRIC, /* binomials (i + j over i) */
    AGN_PASCAL_LOWER,     /* binomials (i over j) */
    AGN_PASCAL_UPPER      /* their transpose */
} agn_pascal_kind;

/**
 * agn_linalg_pascal_with - Pascal's matrices: triangular ones, and their product
 *
 * @param out    out, [n, n]
 * @param dtype  f32 or f64
 * @param n      order
 * @param kind   which
 * @errors       AGN_ENULL, AGN_EARG (kind; a number beyond the range), AGN_EDTYPE, AGN_ESHAPE (n is
 *               negative), AGN_ENOMEM
 * @grad         none: no argument to differentiate in
 * @cost         O(n^2)
 * @ref          Higham 2002, 28.4
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_pascal_with(agn_tensor **out, agn_dtype dtype,
                                                         int64_t n, agn_pascal_kind kind);

/**
 * agn_linalg_invpascal - inverses of Pascal's matrices, which are whole numbers
 *
 * @param out    out, [n, n]
 * @param dtype  f32 or f64; of numbers above 2^53 the rounded value
 * @param n      order
 * @param kind   of which
 * @errors       AGN_ENULL, AGN_EARG (kind; a number beyond the range), AGN_EDTYPE, AGN_ESHAPE (n is
 *               negative), AGN_ENOMEM
 * @grad         none: no argument to differentiate in
 * @cost         O(n^2); symmetric ones O(n^3)
 * @ref          Higham 2002, 28.4
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_invpascal(agn_tensor **out, agn_dtype dtype, int64_t n,
                                                       agn_pascal_kind kind);

/**
 * agn_linalg_invhilbert - inverse of Hilbert's matrix, which is of whole numbers
 *
 * @param out    out, [n, n]
 * @param dtype  f32 or f64; exact up to 2^53, else to a few eps
 * @param n      order
 * @errors       AGN_ENULL, AGN_EARG (a number beyond the range), AGN_EDTYPE, AGN_ESHAPE (n is
 *               negative), AGN_ENOMEM
 * @grad         none: no argument to differentiate in
 * @cost         O(n^2)
 * @ref          Higham 2002, 28.1
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_invhilbert(agn_tensor **out, agn_dtype dtype,
                                                        int64_t n);

/**
 * agn_linalg_helmert - Helmert's matrix: orthonormal contrasts
 *
 * Row i > 0 is the mean of the first i entries against the next.
 *
 * @param out    out, [n - 1, n], or [n, n]
 * @param dtype  f32 or f64
 * @param n      order, 1 or more
 * @param full   whether the row of equal numbers comes first
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (n is not positive), AGN_ENOMEM
 * @grad         none: no argument to differentiate in
 * @cost         O(n^2)
 * @ref          Lancaster 1965
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_helmert(agn_tensor **out, agn_dtype dtype, int64_t n,
                                                     bool full);

/**
 * agn_linalg_fiedler - Fiedler's matrix: |a_i - a_j|
 *
 * @param out  out, [..., n, n]
 * @param a    in, [..., n]  real
 * @errors     AGN_ENULL, AGN_ESHAPE (no axis), AGN_EDTYPE (complex), AGN_EUNSUPPORTED (sparse),
 *             AGN_ENOMEM
 * @grad       everywhere; 0 where two numbers are equal
 * @cost       O(n^2)
 * @ref        Higham 2002, chapter 28
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_fiedler(agn_tensor **out, const agn_tensor *a);

/**
 * agn_linalg_fiedler_companion - a matrix of five diagonals whose eigenvalues are roots of a polynomial
 *
 * @param out  out, [..., n, n]
 * @param a    in, [..., n + 1]  coefficients, the highest power first: n + 1 >= 2 and a[0] is not 0
 * @errors     AGN_ENULL, AGN_ESHAPE (fewer than two numbers), AGN_EUNSUPPORTED (sparse), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n^2)
 * @ref        Fiedler 2003
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_fiedler_companion(agn_tensor **out,
                                                               const agn_tensor *a);

/** Which part of a convolution. */
typedef enum agn_convolution_part {
    AGN_CONVOLUTION_FULL, /* m + n - 1 numbers */
    AGN_CONVOLUTION_SAME, /* max(m, n), the middle */
    AGN_CONVOLUTION_VALID /* max(m, n) - min(m, n) + 1: where all meet */
} agn_convolution_part;

/**
 * agn_linalg_convolution_matrix - the matrix that convolves n numbers with m given ones
 *
 * @param out   out, [..., rows, n]
 * @param a     in, [..., m]  any dtype
 * @param n     1 or more
 * @param part  which rows
 * @errors      AGN_ENULL, AGN_EARG (n, part), AGN_ESHAPE (no numbers), AGN_EUNSUPPORTED (sparse),
 *              AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(rows n)
 * @ref         Golub & Van Loan 2013, 4.8
 */
AGN_API AGN_MUST_CHECK agn_status agn_linalg_convolution_matrix(agn_tensor **out,
                                                                const agn_tensor *a, int64_t n,
                                                                agn_convolution_part part);

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
