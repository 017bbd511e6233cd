/* sparse/eigen.h - what finds eigenvalues of a matrix and what differentiates them share. */
#ifndef AGNI_SPARSE_EIGEN_H
#define AGNI_SPARSE_EIGEN_H

#include "krylov/eigen.h"
#include "sparse/shift.h"

enum { AGNI_SQUARE_NONE, AGNI_SQUARE_TALL, AGNI_SQUARE_WIDE }; /* A, A^H A, A A^H */

/* What the functions of one equation share. */
typedef struct agni_eigenproblem {
    agni_obj head;
    const char *op;
    agni_operand a, mass;
    bool weighed, hermitian;
    int squared;
    int64_t n;
    int32_t k;
    agn_eigen_options o;
    agn_fn *solve, *precondition;
    agn_eigen_info *report;
} agni_eigenproblem;

/* The problem with values at hand, for one run. */
typedef struct agni_eigen_live {
    const agni_eigenproblem *q;
    agn_tensor *v, *vh, *m, *mh; /* values of A and the mass; for adjoints */
    agn_sparse_factor *inverse;
    int dtype;
    void *t; /* [max(rows, cols)] */
    /* a column of the Jacobian */
    const void *mv;
    agni_z lambda;
} agni_eigen_live;

/* ---- sparse/eigen_find.c ---- */
agn_status agni_live_open(agni_eigen_live *c, const agni_eigenproblem *q, const agn_tensor *v,
                          const agn_tensor *m);
void agni_live_close(agni_eigen_live *c);
/* y = A x, or A^H x, of the problem's matrix; y = M x: what an agni_map takes */
agn_status agni_live_product(const agni_eigen_live *c, bool adjoint, const void *x, void *y);
agn_status agni_live_weigh(void *c, bool adjoint, const void *x, void *y);
/* The end of a run: what its inputs were read as goes, V and lambda are the scope's, or on failure
   go too. */
agn_status agni_eigen_end(agn_scope *s, agn_status st, int n_in, agn_tensor *const *v,
                          agn_tensor *x, agn_tensor *lambda, const agn_tensor **out);
/* guesses, values of A and of the mass to V and lambda */
agni_fn_run agni_eigen_find;
/* the operator A or A^H by a whole block, as tensors */
const agn_tensor *agni_eigen_times(agn_scope *s, const agni_eigenproblem *q, const agn_tensor *v,
                                   const agn_tensor *x);

/* ---- sparse/lobpcg.c: the same by another method; rising or falling, as wanted ---- */
agn_status agni_lobpcg(const agni_eigenproblem *q, const agn_tensor *v, const agn_tensor *m,
                       agni_z *values, void *vectors);

/* ---- sparse/eigen_slope.c: b of V, b of lambda, V, lambda, values of A and of the mass ---- */
agni_fn_run agni_eigen_solve, agni_eigen_solve_adjoint;

#endif
