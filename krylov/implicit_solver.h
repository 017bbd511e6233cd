/* implicit_solver.h - Krylov methods as solvers of linear_solve and root: agni_solvers.krylov. */
#ifndef AGNI_IMPLICIT_SOLVER_H
#define AGNI_IMPLICIT_SOLVER_H

#include "autograd/implicit/implicit.h"

agn_status agni_krylov_solver_maker(agni_solver_maker *by, const char *op,
                                    const struct agn_krylov_options *o, int n_p, int guess);

#endif
