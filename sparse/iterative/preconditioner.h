/* sparse/iterative/preconditioner.h - preconditioners made of the entries of a matrix. */
#ifndef AGNI_PRECONDITION_H
#define AGNI_PRECONDITION_H

#include "krylov/krylov.h"

/* the rows of a square matrix */
typedef struct agni_rows {
    int64_t n;
    const int64_t *indptr, *index; /* rising within a row */
} agni_rows;

typedef struct agni_precondition agni_precondition;
/* kind: AGN_PRECONDITION_ above NONE; values of dtype f32 f64 c64 c128. AGN_EDOMAIN names the row
   without a pivot. */
agn_status agni_precondition_make(agni_precondition **out, const char *op, int kind, int64_t block,
                                  int dtype, const agni_rows *a, const void *values);
/* z = M^-1 r or M^-H r, for an agni_map; of one thread at a time */
agn_status agni_precondition_apply(void *m, bool adjoint, const void *r, void *z);
void agni_precondition_free(agni_precondition *m); /* NULL allowed */

#endif
