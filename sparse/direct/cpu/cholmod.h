/* sparse/direct/cpu/cholmod.h - settings and views shared by the callers of CHOLMOD and
   SuiteSparseQR. */
#ifndef AGNI_CHOLMOD_H
#define AGNI_CHOLMOD_H

#include "sparse/direct/cpu/single_thread.h"
#include "tensor/value/tensor.h"

#include <suitesparse/cholmod.h>
#include <string.h>

/* prints nothing */
static inline void agni_cholmod_start(cholmod_common *cm)
{
    cholmod_l_start(cm);
    cm->print = 0;
    cm->try_catch = 1;
    cm->error_handler = NULL;
    cm->metis_memory = 2; /* checked before METIS is called, which ends the process without memory */
}

static inline bool agni_cholmod_nomem(const cholmod_common *cm)
{
    return cm->status == CHOLMOD_OUT_OF_MEMORY || cm->status == CHOLMOD_TOO_LARGE;
}

static inline agn_status agni_cholmod_failed(const char *op, const cholmod_common *cm)
{
    if (agni_cholmod_nomem(cm))
        return agni_nomem(op, cm->memory_usage);
    return agni_fail(AGN_EDOMAIN, "%s: CHOLMOD reports status %d after %zu bytes", op, cm->status,
                     cm->memory_usage);
}

/* columns that follow each other, of numbers of one or two parts, as CHOLMOD sees them */
static inline cholmod_dense agni_cholmod_dense(int64_t rows, int64_t cols, int parts,
                                               const double *x)
{
    cholmod_dense d;
    memset(&d, 0, sizeof d);
    d.nrow = d.d = (size_t)rows;
    d.ncol = (size_t)cols;
    d.nzmax = (size_t)(rows * cols);
    d.x = (void *)(uintptr_t)x;
    d.xtype = parts == 2 ? CHOLMOD_COMPLEX : CHOLMOD_REAL;
    d.dtype = CHOLMOD_DOUBLE;
    return d;
}

/* n complex numbers; to may be x */
static inline void agni_conjugate_into(double *to, const double *x, int64_t n)
{
    for (int64_t k = 0; k < n; k++) {
        to[2 * k] = x[2 * k];
        to[2 * k + 1] = -x[2 * k + 1];
    }
}

#endif
