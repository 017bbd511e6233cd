/* sparse/eigen/eigen.h - the eigenproblem, and what its solvers and its derivative rules share. */
#ifndef AGNI_SPARSE_EIGEN_H
#define AGNI_SPARSE_EIGEN_H

#include "krylov/krylov_schur.h"
#include "sparse/eigen/shift_invert.h"

enum { AGNI_SQUARE_NONE, AGNI_SQUARE_TALL, AGNI_SQUARE_WIDE }; /* A, A^H A, A A^H */

/* What the functions of one equation share. */
typedef struct agni_eigenproblem {
    agni_obj head;
    const char *op;
    agni_linear_operator a, mass;
    bool weighed, hermitian, centred; /* centred: A less the mean of its rows, of real squares */
    int squared;
    int32_t rounds; /* sparse/eigen/pca.c */
    agni_fn_run *find;
    int64_t n;
    int32_t k;
    agn_eigen_options o;
    agn_fn *solve, *precondition;
    agn_eigen_info *report;
} agni_eigenproblem;

/* The problem with values at hand, for one run. */
typedef struct agni_eigen_state {
    const agni_eigenproblem *q;
    agn_tensor *v, *vh, *m, *mh; /* values of A and the mass; for adjoints */
    agn_sparse_factor *inverse;
    int dtype;
    agni_krylov vectors; /* has nothing but where they are: with the values */
    void *t;             /* [max(rows, cols)], there */
    /* a column of the Jacobian */
    const void *mv;
    agni_z lambda;
} agni_eigen_state;

/* ---- sparse/eigen/krylov_schur.c ---- */
agn_status agni_eigen_state_open(agni_eigen_state *c, const agni_eigenproblem *q,
                                 const agn_tensor *v, const agn_tensor *m);
void agni_eigen_state_close(agni_eigen_state *c);
/* y = A x, or A^H x, of the problem's matrix; y = M x: what an agni_map takes */
agn_status agni_eigen_multiply(const agni_eigen_state *c, bool adjoint, const void *x, void *y);
agn_status agni_eigen_multiply_mass(void *c, bool adjoint, const void *x, void *y);
/* The end of a run: what its inputs were read as goes, V and lambda are the scope's, or on failure
   go too. */
agn_status agni_eigen_finish(agn_scope *s, agn_status st, int n_in, agn_tensor *const *v,
                             agn_tensor *x, agn_tensor *lambda, const agn_tensor **out);
/* another of the same numbers takes the place of *x, if that is on another device */
agn_status agni_eigen_move(agn_tensor **x, int32_t device);
/* Row `from` of the vectors found becomes column `to` of row-major out; its largest entry
   positive. */
void agni_eigen_write_vector(const agni_eigen_problem *e, int32_t from, int32_t to, void *out);
/* guesses, values of A and of the mass to V and lambda */
agni_fn_run agni_eigen_find;
/* A x or A^H x, centred where the problem is */
const agn_tensor *agni_eigen_apply_matrix(agn_scope *s, const agni_eigenproblem *q, bool adjoint,
                                          const agn_tensor *v, const agn_tensor *x);
/* the operator A or A^H by a whole block, as tensors */
const agn_tensor *agni_eigen_apply(agn_scope *s, const agni_eigenproblem *q, const agn_tensor *v,
                                   const agn_tensor *x);

/* ---- sparse/eigen/balance.c: c128 ---- */
/* values of D^-1 A D with D = 2^d, d[n]: v itself where A is balanced */
agn_status agni_eigen_balance(agn_tensor **out, int32_t *d, const char *op,
                              const agni_linear_operator *o, const agn_tensor *v);
/* an eigenvector of A, of norm 1, from x of D^-1 A D */
void agni_eigen_unbalance(int64_t n, const int32_t *d, agni_z *x);

/* ---- sparse/eigen/api.c ---- */
/* the problem of k singular values of a, refused where it is none */
agn_status agni_singular_problem_new(agni_eigenproblem **out, const char *op, const agn_tensor *a,
                                     int32_t k, const agn_eigen_options *opts);
/* Left vectors, singular values and right vectors as columns, in the dtypes of results; the scope
   holds any failure. guess [n, k] is what find begins with; NULL: zeros. */
void agni_singular_solve(agn_scope *s, agni_eigenproblem *q, const agn_tensor *a,
                         const agn_tensor *guess, agn_eigen_info *info, const agn_tensor *out[3]);

/* ---- sparse/eigen/pca.c: the vectors of find are random to begin with ---- */
agni_fn_run agni_pca_find;

/* ---- sparse/eigen/lobpcg.c: the same by another method; rising or falling, as wanted ---- */
agn_status agni_lobpcg(const agni_eigenproblem *q, const agn_tensor *v, const agn_tensor *m,
                       agni_z *values, void *vectors);

/* ---- sparse/eigen/eigen_rules.c: b of V, b of lambda, V, lambda, values of A and of the mass - */
agni_fn_run agni_eigen_solve, agni_eigen_solve_adjoint;

#endif
