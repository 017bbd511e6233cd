/**
 * agnesi/sparse_iterative.h - iterative solvers of matrices, sparse and dense
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef AGNESI_SPARSE_ITERATIVE_H
#define AGNESI_SPARSE_ITERATIVE_H

#include <agnesi/krylov.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * agn_krylov_solve - x of a x = b by a Krylov method
 *
 * One column after the other. With LSQR and LSMR a may have any shape: x is then the one with the
 * least |a x - b|, and the shortest of these. A preconditioner of the entries is made once for the
 * values and used again by derivatives. Derivatives solve by the same method; those of LSQR
 * and LSMR take a to have full rank, or damp to be positive. The same bits for any number of
 * threads.
 *
 * @param out    out, [..., n, k], or [..., n] where b has one axis
 * @param info   out, what was done, of this call alone: not filled in while tracing; also where
 *               there was no convergence; may be NULL
 * @param a      in, sparse or dense [..., m, n]  f32 f64 c64 c128; m = n but for LSQR and LSMR
 * @param b      in, [..., m, k], or [m]; dtypes by promotion; any strides
 * @param guess  in, like the result: a first guess, used where it is nearer than 0; a constant;
 *               NULL for none. Not used by LSQR and LSMR where m < n
 * @param opts   NULL for defaults: GMRES. What it names must outlive the derivatives
 * @errors       AGN_ENULL, AGN_ESHAPE (not square, rows differ, the guess), AGN_EDTYPE (the guess),
 *               AGN_EARG (options), AGN_EDOMAIN (not positive definite: CG, or the preconditioner;
 *               no pivot: names the row; NaN or infinite, also the solution), AGN_ENOCONV (names
 *               what was reached, unless opts->accept; LSQR, LSMR: also ill conditioned),
 *               AGN_ECANCELLED, AGN_EUNSUPPORTED (b is sparse), AGN_ENOMEM
 * @grad         in a (its values where it is sparse) and b
 * @cost         O(nnz + n) per iteration and column; GMRES O(nnz + restart n)
 * @ref          Saad 2003; Paige & Saunders 1982
 */
AGN_API AGN_MUST_CHECK agn_status agn_krylov_solve(agn_tensor **out, agn_krylov_info *info,
                                                   const agn_tensor *a, const agn_tensor *b,
                                                   const agn_tensor *guess,
                                                   const agn_krylov_options *opts);

#ifdef __cplusplus
}
#endif
#endif
