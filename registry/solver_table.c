/* registry/solver_table.c - the solvers that functions defined by equations use, from rooms above
   them. */
#include "krylov/implicit_solver.h"

const agni_solver_table agni_solvers = {&agni_op_linalg_lu_factor, &agni_op_linalg_lu_solve,
                                        agni_krylov_solver_maker};
