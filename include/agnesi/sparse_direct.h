/**
 * agnesi/sparse_direct.h - direct solvers for sparse matrices, factors
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A matrix is analysed once for its pattern and factored once for its values; both are
 * remembered, so that further right-hand sides, transposed systems and derivatives of
 * any order cost a solve each. Numbers are computed in f64 or c128. Derivatives are
 * those of a general matrix: every stored entry moves by itself, whatever the method but
 * AGN_SPARSE_CHOLESKY_LOWER.
 */
#ifndef AGNESI_SPARSE_DIRECT_H
#define AGNESI_SPARSE_DIRECT_H

#include <agnesi/sparse.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How a system is solved. */
enum {
    AGN_SPARSE_AUTO,           /* triangular by substitution; Cholesky where values are Hermitian
                                  with a positive diagonal and definite; else LU */
    AGN_SPARSE_CHOLESKY,       /* CHOLMOD: Hermitian positive definite, both triangles stored */
    AGN_SPARSE_LDL,            /* CHOLMOD: Hermitian, no pivots are exchanged */
    AGN_SPARSE_LU,             /* UMFPACK */
    AGN_SPARSE_KLU,            /* KLU: very sparse, such as circuits */
    AGN_SPARSE_QR,             /* SuiteSparseQR */
    AGN_SPARSE_TRIANGULAR,     /* substitution */
    AGN_SPARSE_CHOLESKY_LOWER, /* CHOLMOD: the lower triangle, and the real part of its diagonal, is
                                  the matrix. The upper one is not stored, or mirrors it: its pattern
                                  exactly, its values to 1e-5. Derivatives are those of the lower
                                  triangle, which stands for both */
    AGN_SPARSE_N_METHODS,
    AGN_SPARSE_ITERATIVE = AGN_SPARSE_N_METHODS /* agn_krylov_solve by its defaults; for
                                                   agn_sparse_solve_with alone */
};

/** How columns are ordered against fill; methods take the nearest they have. */
enum {
    AGN_ORDER_DEFAULT,
    AGN_ORDER_AMD,
    AGN_ORDER_COLAMD,
    AGN_ORDER_METIS,
    AGN_ORDER_NATURAL,
    AGN_SPARSE_N_ORDERS
};

/** Options of solvers: size = sizeof, zeros for defaults. */
typedef struct agn_sparse_solver {
    size_t size;
    int32_t method; /* AGN_SPARSE_AUTO ... */
    int32_t order;  /* AGN_ORDER_DEFAULT ... */
    bool transposed; /* solves with the transpose, not conjugated */
} agn_sparse_solver;

/**
 * agn_sparse_solve_with - x of a x = b by the method named, or chosen
 *
 * @param out   out, [..., n, k], or [..., n] where b has one axis
 * @param a     in, sparse [..., n, n]  f32 f64 c64 c128
 * @param b     in, [..., n, k], or [n]: one right-hand side for every matrix; dtypes by
 *              promotion; any strides
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_ESHAPE (not square, rows differ, batches do not
 *              broadcast), AGN_EARG (options; a pattern that the method does not take:
 *              names an entry), AGN_EDOMAIN (singular; not positive definite: names the
 *              column; not finite, not Hermitian: names the entry), AGN_EUNSUPPORTED (a is
 *              dense, b is sparse, transposed and iterative, a build without SuiteSparse),
 *              AGN_ENOCONV (iterative), AGN_ENOMEM
 * @grad        in the values of a, each by itself (by AGN_SPARSE_CHOLESKY_LOWER those of the
 *              lower triangle, standing for both), and in b
 * @cost        of a sparse factorisation where the values are new, and O(entries of the
 *              factor) per column
 * @ref         Chen, Davis, Hager & Rajamanickam 2008; Davis 2004; Davis & Natarajan 2010
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_solve_with(agn_tensor **out, const agn_tensor *a,
                                                        const agn_tensor *b,
                                                        const agn_sparse_solver *opts);

/**
 * agn_sparse_lstsq - x with the least |a x - b|, or the shortest x of a x = b
 *
 * Of several x, where columns of a depend on each other or m < n, the shortest. By sparse QR,
 * columns brought to length 1: the numerical rank is that of SuiteSparseQR's default tolerance for
 * these.
 *
 * @param out   out, [..., n, k], or [..., n] where b has one axis
 * @param a     in, sparse [..., m, n]  f32 f64 c64 c128
 * @param b     in, [..., m, k], or [m]; dtypes by promotion; any strides
 * @param opts  method is not used; NULL for defaults
 * @errors      AGN_ENULL, AGN_ESHAPE (rows differ, batches do not broadcast), AGN_EARG
 *              (options), AGN_EDOMAIN (nearly of lower rank, so that x is rounding: says how; of
 *              lower rank and too badly scaled; a derivative of lower rank; not finite),
 *              AGN_EUNSUPPORTED (a is dense, b is sparse, transposed, a build without
 *              SuiteSparse), AGN_ENOMEM
 * @grad        in the values of a and in b; in b alone where the rank is lower
 * @cost        of a sparse QR factorisation where the values are new, of two where the rank is
 *              lower, and O(entries of the factor) per column
 * @ref         Davis 2011
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_lstsq(agn_tensor **out, const agn_tensor *a,
                                                   const agn_tensor *b,
                                                   const agn_sparse_solver *opts);

/**
 * agn_sparse_logdet - logarithm of |det a|
 *
 * Its derivative needs the entries of the inverse at the places of a: by Cholesky and LDL
 * from the factor at about its cost, else by n solves. A second derivative needs the whole
 * inverse.
 *
 * @param out   out, [...], real
 * @param a     in, sparse [..., n, n]  f32 f64 c64 c128
 * @param opts  NULL for defaults
 * @errors      as agn_sparse_solve_with
 * @grad        in the values of a, each by itself
 * @cost        of a sparse factorisation where the values are new
 * @ref         Takahashi, Fagan & Chin 1973
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_logdet(agn_tensor **out, const agn_tensor *a,
                                                    const agn_sparse_solver *opts);

/**
 * agn_sparse_rank - numerical rank of a sparse matrix, by QR
 *
 * @param out  out
 * @param a    in, sparse [m, n]  f32 f64 c64 c128
 * @errors     AGN_ENULL, AGN_ESHAPE (a batch), AGN_EDOMAIN (not finite), AGN_ESYMBOLIC,
 *             AGN_EDEVICE, AGN_EUNSUPPORTED (a is dense, a build without SuiteSparse),
 *             AGN_ENOMEM
 * @cost       of a sparse QR factorisation
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_rank(int64_t *out, const agn_tensor *a);

/** A factor of one matrix: immutable, counted. */
typedef struct agn_sparse_factor agn_sparse_factor;

/**
 * agn_sparse_factor_new - factor a matrix
 *
 * What is no AGN_CSR is brought into it: its pattern is new, and analysed, at each call.
 *
 * @param out   out
 * @param a     in, sparse [n, n]  f32 f64 c64 c128; may be watched
 * @param opts  NULL for defaults
 * @errors      as agn_sparse_solve_with; AGN_ESHAPE (a batch, no rows), AGN_EUNSUPPORTED (dense),
 *              AGN_ESYMBOLIC, AGN_EDEVICE
 * @cost        of a sparse factorisation; of its numbers alone where the pattern is known
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_factor_new(agn_sparse_factor **out,
                                                        const agn_tensor *a,
                                                        const agn_sparse_solver *opts);

/**
 * agn_sparse_factor_refactor - factor other values on the same pattern, analysed once
 *
 * @param out     out, a new factor
 * @param f       in
 * @param values  in, [nnz], in the order of those of the matrix that was factored; or another
 *                sparse matrix, in any layout, with its entries
 * @errors        as agn_sparse_factor_new; AGN_EARG (entries elsewhere)
 * @cost          of the numbers of a factorisation
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_factor_refactor(agn_sparse_factor **out,
                                                             const agn_sparse_factor *f,
                                                             const agn_tensor *values);

/**
 * agn_sparse_factor_update - the factor of a + w w^H, or of a - w w^H
 *
 * For Cholesky. The places of w w^H must be places of a.
 *
 * @param out   out, a new factor
 * @param f     in
 * @param w     in, [n, k], or [n]; entries that are not 0 count
 * @param down  subtract
 * @errors      AGN_ENULL, AGN_ESHAPE, AGN_EARG (an entry of w w^H that a does not store),
 *              AGN_EDOMAIN (no longer positive definite), AGN_EUNSUPPORTED (another method, w
 *              is sparse), AGN_ESYMBOLIC, AGN_EDEVICE, AGN_ENOMEM
 * @cost        O(entries of the columns of the factor that change), and a copy
 * @ref         Davis & Hager 2001
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_factor_update(agn_sparse_factor **out,
                                                           const agn_sparse_factor *f,
                                                           const agn_tensor *w, bool down);

/**
 * agn_sparse_factor_solve - x of a x = b by a factor
 *
 * @param out         out, as agn_sparse_solve_with
 * @param f           in
 * @param b           in, [..., n, k], or [n]
 * @param transposed  solves with the transpose, not conjugated
 * @errors            as agn_sparse_solve_with
 * @grad              in the values that were factored, where they were watched, and in b
 * @cost              O(entries of the factor) per column
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_factor_solve(agn_tensor **out,
                                                          const agn_sparse_factor *f,
                                                          const agn_tensor *b,
                                                          bool transposed);

/**
 * agn_sparse_factor_logdet - logarithm of |det a|
 *
 * @param out  out, [], real
 * @param f    in
 * @errors     AGN_ENULL, AGN_EUNSUPPORTED (QR), AGN_ENOMEM
 * @grad       in the values that were factored, where they were watched
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_factor_logdet(agn_tensor **out,
                                                           const agn_sparse_factor *f);

/**
 * agn_sparse_factor_rcond - estimate of 1 / (|a|_1 |a^-1|_1)
 *
 * @param out  out
 * @param f    in
 * @errors     AGN_ENULL, AGN_ENOMEM
 * @cost       some ten solves
 * @ref        Higham 1988, algorithm 4.1
 */
AGN_API AGN_MUST_CHECK agn_status agn_sparse_factor_rcond(double *out,
                                                          const agn_sparse_factor *f);

/**
 * agn_sparse_factor_method - what the matrix was factored by
 *
 * @param f  in
 * @return   static text such as "cholesky"; NULL where f is NULL
 */
AGN_API const char *agn_sparse_factor_method(const agn_sparse_factor *f);

/**
 * agn_sparse_factor_release - drop a reference
 *
 * @param f  NULL allowed; any thread
 */
AGN_API void agn_sparse_factor_release(agn_sparse_factor *f);

#ifdef __cplusplus
}
#endif
#endif
