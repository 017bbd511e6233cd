/* sparse/direct/factor.h - a factor as an object. */
#ifndef AGNI_FACTOR_H
#define AGNI_FACTOR_H

#include "sparse/direct/direct.h"

struct agn_sparse_factor {
    agni_obj head;
    agni_pattern *p;
    agn_tensor *given;  /* values as they were given: any dtype, watched or not */
    agn_tensor *values; /* f64 or c128, contiguous, without a node */
    agn_tensor
        *like; /* what it was made of, where that is no AGN_CSR: other values are in its order */
    agn_sparse_solver how;
    agni_numeric *num;
};

/* the matrix that was factored, in the name of op */
static inline agni_direct_problem agni_factor_problem(const char *op, const agn_sparse_factor *f)
{
    return (agni_direct_problem){
        .op = op, .p = f->p, .v = f->values->data, .parts = f->values->dtype == AGN_C128 ? 2 : 1};
}

#endif
