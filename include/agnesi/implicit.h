/**
 * agnesi/implicit.h - functions defined by equations: roots and linear systems
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The solver is the user's and may be anything; derivatives come from the equation, by the implicit
 * function theorem, in every mode and to any order. The iterations of a solver are never
 * differentiated.
 */
#ifndef AGNESI_IMPLICIT_H
#define AGNESI_IMPLICIT_H

#include <agnesi/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * agn_fn_linear_solve - the solution x of A(p) x = b, by the user's solver
 *
 * a maps x_1 ... x_n and p to n results, linear in x; solvers map b_1 ... b_n and p to x. What a
 * captures counts as p for derivatives. x' = A^-1 (b' - A' x), and backwards the adjoint system is
 * solved. A solver may read values; lanes that it cannot take together it gets one by one.
 *
 * @param out      out, arguments b_1 ... b_n and p, n results
 * @param a        function of at least n arguments, n results of the shapes and dtypes of x
 * @param n        number of unknowns, at least 1
 * @param solve    solver; NULL: the matrix of a is formed and factored, and differentiated as it is
 * @param adjoint  solver of the adjoint system; solve itself where A is self-adjoint; NULL: a
 *                 derivative backwards is refused, unless solve is NULL
 * @errors         AGN_ENULL, AGN_EARG (numbers of arguments or results), AGN_ENOMEM; a call also
 *                 AGN_ESHAPE, AGN_EDTYPE (results of a, of a solver), AGN_EDOMAIN (a is not linear
 *                 in x: the message names the op; it adds p to x, where p has values; singular),
 *                 AGN_ESYMBOLIC (a reads a value),
 *                 AGN_EUNSUPPORTED (no adjoint solver; above 32 arguments), those of the solvers
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_linear_solve(agn_fn **out, const agn_fn *a, int32_t n,
                                                      const agn_fn *solve, const agn_fn *adjoint);

/**
 * agn_fn_root - the x with f(x, a) = 0, by the user's solver
 *
 * f maps x_1 ... x_n and a to n residuals; solver maps a first guess x_1 ... x_n and a to the root.
 * x' = -(df/dx)^-1 (df/da) a' at the root that the solver gave, whatever way it took; the guess has
 * no derivative. What f captures counts as a. The linear systems are solved with solve and adjoint,
 * as for agn_fn_linear_solve, with p = x_1 ... x_n and a. NULL: up to 1024 numbers to be found, and
 * for unknowns of several dtypes or complex ones, the Jacobian of f in x is formed and factored;
 * beyond that it is never formed, and products with it are all that GMRES with the default options
 * of agn_fn_krylov_solve needs. For other methods and preconditioners see agn_fn_krylov_root.
 *
 * @param out      out, arguments: the guess x_1 ... x_n and a, n results
 * @param f        function of at least n arguments, n results of the shapes and dtypes of x
 * @param n        number of unknowns, at least 1
 * @param solver   as many arguments as f, n results; may read values
 * @param solve    n more arguments than f: b_1 ... b_n, x and a, to (df/dx)^-1 b; or NULL
 * @param adjoint  the same for the adjoint; or NULL
 * @errors         AGN_ENULL, AGN_EARG (numbers of arguments or results), AGN_ENOMEM; a call also
 *                 AGN_ESHAPE, AGN_EDTYPE (residuals, the solver's results), AGN_ESYMBOLIC (f reads
 *                 a value), AGN_EDOMAIN (a derivative: df/dx is singular), AGN_ENOCONV (a
 *                 derivative by GMRES), AGN_EUNSUPPORTED (no adjoint solver; above 32 arguments),
 *                 those of the solvers
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_root(agn_fn **out, const agn_fn *f, int32_t n,
                                              const agn_fn *solver, const agn_fn *solve,
                                              const agn_fn *adjoint);

#ifdef __cplusplus
}
#endif
#endif
