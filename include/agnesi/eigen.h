/**
 * agnesi/eigen.h - a few eigenvalues, singular values and exponentials by products with a matrix
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Krylov-Schur iterations of our own: they may run in any number of threads at once, and the same
 * call gives the same bits. Computed in f64 and c128.
 */
#ifndef AGNESI_EIGEN_H
#define AGNESI_EIGEN_H

#include <agnesi/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Which eigenvalues. */
enum {
    AGN_EIGEN_LARGEST_MAGNITUDE,
    AGN_EIGEN_SMALLEST_MAGNITUDE, /* of a large matrix AGN_EIGEN_NEAREST 0 is much faster */
    AGN_EIGEN_LARGEST,            /* real part */
    AGN_EIGEN_SMALLEST,
    AGN_EIGEN_NEAREST             /* to sigma, by products with (A - sigma M)^-1 */
};

/** By which method. */
enum {
    AGN_EIGEN_KRYLOV_SCHUR,
    AGN_EIGEN_LOBPCG /* blocks of products and of the preconditioner alone; AGN_EIGEN_LARGEST and
                        AGN_EIGEN_SMALLEST, of Hermitian matrices; Knyazev 2001 */
};

/** Options; zero members are defaults. */
typedef struct agn_eigen_options {
    size_t size;          /* sizeof(agn_eigen_options) */
    int32_t which;        /* AGN_EIGEN_ */
    int32_t basis;        /* vectors kept; 2 k + 1, at least 20, at most n */
    double sigma;         /* AGN_EIGEN_NEAREST */
    double tol;           /* |A x - lambda x| <= tol |lambda| is enough; 1e-12 */
    int64_t max_products; /* with the operator that is iterated; 1000 + 100 k; LOBPCG ten times that */
    const agn_tensor *mass; /* M of A x = lambda M x: Hermitian, positive definite, of the kind and
                               size of A; NULL: the identity */
    int32_t method;         /* AGN_EIGEN_KRYLOV_SCHUR or AGN_EIGEN_LOBPCG */
    const agn_fn *precondition; /* LOBPCG: a block [n, k] of residuals to about A^-1 times it; NULL: as
                                   they are */
    const agn_fn *solve; /* x [n] to (A - sigma M)^-1 x, or M^-1 x where which is not NEAREST;
                               NULL: by a sparse factor, of Cholesky where it is definite, else LU */
} agn_eigen_options;

/** What is told of an iteration. */
typedef struct agn_eigen_info {
    size_t size; /* sizeof(agn_eigen_info) */
    int32_t wanted, converged;
    int64_t products; /* with the operator that is iterated */
    int64_t restarts;
    double residual; /* largest, of that operator */
} agn_eigen_info;

/**
 * agn_eigsh - some eigenvalues and vectors of a Hermitian matrix, sparse or dense
 *
 * A x = lambda x, or A x = lambda M x, of Hermitian A and M, which two products check to half of
 * the digits. Derivatives, of any
 * order, come from the equation by MINRES: those of a value, in reverse, cost two products; of a
 * vector they need its value to be simple. A complex vector's phase has no derivative.
 *
 * @param values   out, [k] rising; real
 * @param vectors  out, [n, k], x^H M x = 1, the entry largest in magnitude positive, the first of
 *                 them where others come within 1e-4 of it; may be NULL
 * @param info     out, of this call alone: not filled in while tracing; may be NULL
 * @param a        in, sparse or dense [n, n]  f32 f64 c64 c128
 * @param k        how many, 0 to n
 * @param opts     NULL for defaults: of largest magnitude
 * @errors         AGN_ENULL, AGN_ESHAPE (not square, the mass, solve), AGN_EARG (options, k),
 *                 AGN_EDOMAIN (not Hermitian; a factor: sigma is an eigenvalue; NaN or infinite;
 *                 the mass), AGN_ENOCONV (names how many there are), AGN_ECANCELLED,
 *                 AGN_EUNSUPPORTED (no factor of a dense matrix, a build without SuiteSparse),
 *                 AGN_ENOMEM
 * @grad           in a and the mass (their values where they are sparse)
 * @cost           basis products and O(n basis^2) per restart
 * @ref            Stewart 2001; Wu & Simon 2000; Knyazev 2001; Magnus 1985 (derivatives)
 */
AGN_API AGN_MUST_CHECK agn_status agn_eigsh(agn_tensor **values, agn_tensor **vectors,
                                            agn_eigen_info *info, const agn_tensor *a, int32_t k,
                                            const agn_eigen_options *opts);

/**
 * agn_eigs - some eigenvalues and right eigenvectors of any square matrix, sparse or dense
 *
 * Derivatives, of any order, need the values to be simple; backwards they find the left vector by
 * the adjoint system. Those of a vector keep its norm, and the entry largest in magnitude positive.
 * Left eigenvectors are the right ones of A^H, of conjugate values. Rows and columns of very
 * different units are balanced by powers of two first, unless solve is given: tol is that of the
 * balanced matrix.
 *
 * @param values   out, [k], the one wanted most first; c128 or c64
 * @param vectors  out, [n, k] of norm 1, the entry largest in magnitude positive; may be NULL
 * @param info     out; may be NULL
 * @param a        in, sparse or dense [n, n]  f32 f64 c64 c128
 * @param k        how many, 0 to n
 * @param opts     as for agn_eigsh, without a mass; solve is of c128
 * @errors         as agn_eigsh; AGN_EARG (a mass, LOBPCG), AGN_EDOMAIN (a derivative: the value is
 *                 not simple)
 * @grad           in a (its values where it is sparse)
 * @cost           as agn_eigsh, in complex numbers; a derivative, GMRES for each column
 * @ref            Stewart 2001; Parlett & Reinsch 1969; Magnus 1985 (derivatives)
 */
AGN_API AGN_MUST_CHECK agn_status agn_eigs(agn_tensor **values, agn_tensor **vectors,
                                           agn_eigen_info *info, const agn_tensor *a, int32_t k,
                                           const agn_eigen_options *opts);

/**
 * agn_svds - the largest singular values and their vectors of a matrix, sparse or dense
 *
 * By the eigenvalues of A^H A or A A^H, whichever is smaller: a value below sqrt(eps) times the
 * largest is not accurate.
 *
 * @param u     out, [m, k]; may be NULL
 * @param s     out, [k] falling; real
 * @param vh    out, [k, n]; may be NULL
 * @param info  out; may be NULL
 * @param a     in, sparse or dense [m, n]  f32 f64 c64 c128
 * @param k     how many, 0 to min(m, n)
 * @param opts  basis, tol and max_products alone
 * @errors      as agn_eigsh; AGN_EARG (other options)
 * @grad        in a, where the singular values are distinct and not 0
 * @cost        as agn_eigsh, two products with a in place of one
 */
AGN_API AGN_MUST_CHECK agn_status agn_svds(agn_tensor **u, agn_tensor **s, agn_tensor **vh,
                                           agn_eigen_info *info, const agn_tensor *a, int32_t k,
                                           const agn_eigen_options *opts);

/**
 * agn_pca_lowrank - principal components of a matrix, sparse or dense, from a random subspace
 *
 * x, less the mean of its rows, is about u diag(s) v^T: u and v have orthonormal columns, but those
 * of u (of v where x has more columns than rows) that belong to 0 are 0. A random subspace, twice
 * multiplied with x in each round, holds them nearly: exactly where q is at least the rank. Means
 * are taken from products, so that a sparse x stays sparse. The same key gives the same bits, and
 * serves each matrix of a batch. Computed in f64; what is below 1e-14 of the norm of x is 0.
 *
 * @param u       out, [..., m, q]; may be NULL
 * @param s       out, [..., q] falling
 * @param v       out, [..., n, q], the components; of v or u, whichever is shorter, the entry
 *                largest in magnitude positive; may be NULL
 * @param key     i64 [2]
 * @param x       in, sparse or dense [..., m, n], a row for each sample  f32 f64, others by
 *                promotion
 * @param q       how many, 0 to min(m, n); some more than are used make those better
 * @param center  whether the mean of the rows is taken from them
 * @param niter   further rounds, not negative; 2 are enough unless s falls slowly
 * @errors        AGN_ENULL, AGN_ESHAPE (axes, the key), AGN_EARG (q, niter), AGN_EDTYPE (complex,
 *                the key), AGN_EDOMAIN (NaN, infinite, or a norm above 1e150; a derivative: values
 *                are not distinct), AGN_EUNSUPPORTED (sizes above 2^31 - 1), AGN_ENOMEM
 * @grad          in x, by those of the exact components: as far as they are found, and where the
 *                singular values are distinct and not 0
 * @cost          O((niter + 2) (nnz + (m + n) q) q)
 * @ref           Halko, Martinsson & Tropp 2011, algorithms 4.4, 5.1; Magnus 1985 (derivatives)
 */
AGN_API AGN_MUST_CHECK agn_status agn_pca_lowrank(agn_tensor **u, agn_tensor **s, agn_tensor **v,
                                                  const agn_tensor *key, const agn_tensor *x,
                                                  int32_t q, bool center, int32_t niter);

/**
 * agn_svd_lowrank - the largest singular values and their vectors, from a random subspace
 *
 * x is about u diag(s) v^T: agn_pca_lowrank() that takes no means from x.
 *
 * @param u      out, [..., m, q]; may be NULL
 * @param s      out, [..., q] falling
 * @param v      out, [..., n, q], right vectors as columns, with signs as of agn_pca_lowrank(); may
 *               be NULL
 * @param key    i64 [2]
 * @param x      in, sparse or dense [..., m, n]  f32 f64, others by promotion
 * @param q      how many, 0 to min(m, n); some more than are used make those better
 * @param niter  further rounds, not negative; 2 are enough unless s falls slowly
 * @errors       as agn_pca_lowrank()
 * @grad         as agn_pca_lowrank()
 * @cost         O((niter + 2) (nnz + (m + n) q) q)
 * @ref          Halko, Martinsson & Tropp 2011, algorithms 4.4, 5.1
 */
AGN_API AGN_MUST_CHECK agn_status agn_svd_lowrank(agn_tensor **u, agn_tensor **s, agn_tensor **v,
                                                  const agn_tensor *key, const agn_tensor *x,
                                                  int32_t q, int32_t niter);

/**
 * agn_expm_multiply - exp(t A) B, without the exponential of a matrix
 *
 * Truncated Taylor series of exp(t A / s) s times, with A shifted by its mean diagonal; the number
 * of terms comes from the 1-norm of t A, which must be known.
 *
 * @param out  out, [n, k], or [n] where b has one axis
 * @param a    in, sparse or dense [n, n]  f32 f64 c64 c128
 * @param b    in, [n, k] or [n]
 * @param t    in, a real number: 0-D
 * @errors     AGN_ENULL, AGN_ESHAPE (not square, rows differ, t has axes), AGN_EDTYPE (t),
 *             AGN_EDOMAIN (the norm is NaN, or above 10^6), AGN_ESYMBOLIC (no value while tracing),
 *             AGN_EUNSUPPORTED (b is sparse), AGN_ENOMEM
 * @grad       in a (its values where it is sparse), b and t
 * @cost       O(|t A| + 1) products, about 9 per unit of the norm
 * @ref        Al-Mohy & Higham 2011
 */
AGN_API AGN_MUST_CHECK agn_status agn_expm_multiply(agn_tensor **out, const agn_tensor *a,
                                                    const agn_tensor *b, const agn_tensor *t);

#ifdef __cplusplus
}
#endif
#endif
