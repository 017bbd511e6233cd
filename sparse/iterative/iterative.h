/* sparse/iterative/iterative.h - the equation of an iterative solve, shared by api.c and run.c. */
#ifndef AGNI_ITERATIVE_H
#define AGNI_ITERATIVE_H

#include "sparse/iterative/linear_operator.h"
#include "sparse/iterative/preconditioner.h"

/* a preconditioner and the values that it is of */
typedef struct agni_kept_precondition {
    agni_precondition *m;
    agn_tensor *values;
    int64_t version;
} agni_kept_precondition;

/* What the solvers of both directions share. */
typedef struct agni_iteration {
    agni_obj head;
    agni_linear_operator a;
    bool least, wide; /* wide: A^H takes the place of A */
    bool guess;       /* the last argument is one */
    agn_krylov_options o;
    agn_fn *m, *m_back;
    agn_krylov_info *report; /* of the call that is under way; then NULL */
    _Atomic(agni_kept_precondition *) spare;
} agni_iteration;

/* One direction: A, or its adjoint. */
typedef struct agni_iteration_side {
    agni_iteration *q;
    bool adjoint;
} agni_iteration_side;

/* ---- sparse/iterative/run.c: b, values and the guess to x; data is a side ---- */
agni_fn_run agni_iteration_run;
void agni_kept_precondition_free(agni_kept_precondition *c); /* NULL allowed */

#endif
