/* krylov_schur.h - a few eigenpairs of an operator by Krylov-Schur restarts, on plain arrays of the
   host or of a device. */
#ifndef AGNI_KRYLOV_SCHUR_H
#define AGNI_KRYLOV_SCHUR_H

#include "krylov/krylov.h"

#include <agnesi/eigen.h>

typedef struct agni_eigen_problem {
    const char *op;
    int dtype;      /* of vectors; f64 and c128 where real ones would not do */
    int64_t n;
    int32_t device;   /* where the maps have their vectors: agni_krylov_device */
    int32_t k, basis; /* wanted; vectors kept */
    int32_t which;    /* AGN_EIGEN_ of the operator's own values */
    bool hermitian;
    agni_vector_op a;    /* in the inner product <x, mass y> where there is one */
    agni_vector_op mass; /* apply NULL: the identity */
    double tol;
    int64_t max_products;
    agni_z *values;  /* out: [k], as wanted: the first most */
    void *vectors;   /* out, on the host: k vectors of n elements, one after the other, of norm 1 */
    agn_eigen_info info;
    agn_status st;
} agni_eigen_problem;

/* AGN_ENOCONV names how many there are; then values and vectors hold what was reached */
agn_status agni_krylov_schur(agni_eigen_problem *e);

#endif
