/**
 * agnesi/krylov.h - linear systems by iterations, without a matrix
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The operator is a function, the solution is found by products with it, and derivatives come
 * from the equation: one more solve with the same method, or with the adjoint operator. For sparse
 * and dense matrices see agn_krylov_solve (agnesi/sparse_iterative.h), with the same options.
 */
#ifndef AGNESI_KRYLOV_H
#define AGNESI_KRYLOV_H

#include <agnesi/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Methods. */
enum {
    AGN_KRYLOV_GMRES,    /* any square A; Saad & Schultz 1986, restarted */
    AGN_KRYLOV_CG,       /* A self-adjoint, positive definite; Hestenes & Stiefel 1952 */
    AGN_KRYLOV_MINRES,   /* A self-adjoint; Paige & Saunders 1975 */
    AGN_KRYLOV_BICGSTAB, /* any square A, in little memory; van der Vorst 1992 */
    AGN_KRYLOV_LSQR,     /* least squares or least norm, any shape; Paige & Saunders 1982 */
    AGN_KRYLOV_LSMR      /* the same, |A^H r| falls steadily; Fong & Saunders 2011 */
};

/** Why a solver stopped. */
enum {
    AGN_KRYLOV_RUNNING,    /* it did not */
    AGN_KRYLOV_CONVERGED,  /* |b - A x| within the tolerance */
    AGN_KRYLOV_LEAST,      /* |A^H r| is as small as rounding allows, |r| is not: a least-squares
                              solution; for a square A it is singular */
    AGN_KRYLOV_ILL_CONDITIONED, /* LSQR, LSMR: |A^H r| is that small, and yet |r| may be far from the
                              least: by the estimate of the condition, or by a column of A */
    AGN_KRYLOV_ITERATIONS, /* as many as allowed */
    AGN_KRYLOV_STAGNATION, /* the residual falls no more: rounding, or a restart too early */
    AGN_KRYLOV_BREAKDOWN,  /* a division by zero in the method, also after starting again */
    AGN_KRYLOV_INDEFINITE, /* A or the preconditioner is not positive definite, and must be */
    AGN_KRYLOV_NOT_FINITE, /* NaN or infinity from A or the preconditioner */
    AGN_KRYLOV_CANCELLED   /* by the monitor */
};

/** What is told of a solve: of several systems, the largest numbers and the worst reason. */
typedef struct agn_krylov_info {
    size_t size; /* sizeof(agn_krylov_info) */
    int32_t method;
    int32_t reason;
    int64_t iterations;
    int64_t products; /* with A and its adjoint */
    double residual;  /* |b - A x|; while running, the method's estimate */
    double target;    /* the tolerance for it */
    double normal;    /* LSQR, LSMR: |A^H (b - A x)|; while running, the method's estimate */
    double condition; /* LSQR, LSMR: an estimate of |A| |A^+|, of the subspace that b asks for */
} agn_krylov_info;

/**
 * Called after each iteration and once at the end, when the reason is known.
 *
 * @param user  of the options
 * @param now   what is known; the callee's until it returns
 * @return      true to stop
 */
typedef bool agn_krylov_monitor(void *user, const agn_krylov_info *now);

/** What stands in for A^-1 in a matrix form; see agn_krylov_solve. */
enum {
    AGN_PRECONDITION_NONE,
    AGN_PRECONDITION_JACOBI, /* the diagonal */
    AGN_PRECONDITION_BLOCKS, /* the inverses of blocks on the diagonal */
    AGN_PRECONDITION_ILU0,   /* L U on the pattern of A */
    AGN_PRECONDITION_IC0     /* L L^H on the pattern of A, self-adjoint */
};

/** Options of iterative solvers; zero members are defaults. */
typedef struct agn_krylov_options {
    size_t size;            /* sizeof(agn_krylov_options) */
    int32_t method;         /* AGN_KRYLOV_ */
    int32_t restart;        /* GMRES: vectors kept; 30 */
    int64_t max_iterations; /* ten times the number of unknowns, at least 100 */
    double rtol;            /* |r| <= rtol |b| is enough; 1e-10, or 1e-5 in f32; negative: none */
    double atol;            /* |r| <= atol is enough; none */
    double damp;            /* LSQR, LSMR: |A x - b|^2 + damp^2 |x|^2 is least */
    bool accept;            /* without convergence, give what was reached: see agn_krylov_info */
    const agn_fn *preconditioner;         /* r and p to M^-1 r, linear in r; for a matrix r alone */
    const agn_fn *preconditioner_adjoint; /* to M^-H r; NULL: M is self-adjoint */
    int32_t precondition; /* AGN_PRECONDITION_, of a matrix */
    int32_t block;        /* AGN_PRECONDITION_BLOCKS: rows of a block; 8 */
    agn_krylov_monitor *monitor;
    void *user; /* of the monitor */
} agn_krylov_options;

/**
 * agn_fn_krylov_solve - the solution x of A(p) x = b by products with A
 *
 * a maps x and p to A(p) x, of the shape and dtype of x, and is linear in x over the numbers of its
 * dtype. What it captures counts as p for derivatives, which are those of the equation and solve
 * with the same options, and with the preconditioner's adjoint where they go backwards. Lanes are
 * solved one by one. The operator is compiled; what p alone decides is computed once per solve,
 * unless it is more than all arguments together.
 *
 * @param out   out, arguments: a first guess of x, b and p; one result. The guess has no
 *              derivative, and is used where it is nearer to x than 0
 * @param a     function of at least one argument, one result
 * @param opts  NULL for defaults: GMRES. Functions and the monitor must outlive the result, and
 *              the derivatives taken of it; LSQR, LSMR and AGN_PRECONDITION_ are for matrices
 * @errors      AGN_ENULL, AGN_EARG (numbers of arguments, options, not for a function),
 *              AGN_ENOMEM; a call also AGN_ESHAPE, AGN_EDTYPE (guess, b and A x differ),
 *              AGN_EDOMAIN (a is not linear in x; not positive definite; NaN or infinite),
 *              AGN_ENOCONV (names what was reached), AGN_ECANCELLED, and those of the functions
 * @ref         Saad 2003
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_krylov_solve(agn_fn **out, const agn_fn *a,
                                                      const agn_krylov_options *opts);

/**
 * agn_fn_krylov_root - the x with f(x, a) = 0, by the user's solver; derivatives by products
 *
 * As agn_fn_root(): f maps x_1 ... x_n and a to n residuals, solver a first guess and a to the
 * root, and derivatives are those of the equation. The linear systems with df/dx and its adjoint
 * are solved by products with them, forward and reverse mode of f, at any size; x_1 ... x_n are of
 * one dtype.
 *
 * @param out     out, arguments: the guess x_1 ... x_n and a, n results
 * @param f       function of at least n arguments, n results of the shapes and dtypes of x
 * @param n       number of unknowns, at least 1
 * @param solver  as many arguments as f, n results; may read values
 * @param opts    NULL for defaults: GMRES; as for agn_fn_krylov_solve. A preconditioner maps
 *                residuals r_1 ... r_n, x_1 ... x_n and a to (df/dx)^-1 r, about
 * @errors        AGN_ENULL, AGN_EARG (numbers of arguments or results, options), AGN_ENOMEM; a call
 *                also AGN_ESHAPE, AGN_EDTYPE (residuals, the solver's results), AGN_ESYMBOLIC (f
 *                reads a value); a derivative also those of a call of agn_fn_krylov_solve
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_krylov_root(agn_fn **out, const agn_fn *f, int32_t n,
                                                     const agn_fn *solver,
                                                     const agn_krylov_options *opts);

#ifdef __cplusplus
}
#endif
#endif
