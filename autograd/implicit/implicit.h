/* implicit.h - linear systems whose matrix is a program, shared by linear_solve and root. */
#ifndef AGNI_IMPLICIT_H
#define AGNI_IMPLICIT_H

#include "autograd/transforms/transform.h"

/* A(p) x = b, or the adjoint of that. A node has the arguments b, p and extra. */
typedef struct agni_linear_system {
    agni_obj head;
    int32_t n, n_in;         /* unknowns; arguments of a node */
    agni_prog *a;            /* x, p, extra to n results; NULL where there are lanes */
    agn_fn *solve, *adjoint; /* b, p to x; both NULL: the matrix is formed */
    bool transposed;
    const struct agni_linear_system *one; /* of each lane */
    int64_t lanes;
} agni_linear_system;

/* A function of n unknowns x and of p, partially evaluated (partial_eval.c): what depends on p
   alone, once per solve, and the rest. */
typedef struct agni_split_operator {
    agn_fn *held; /* (x, p) to cached values, x not read; NULL: none */
    agn_fn *rest; /* (x, p, cached values) to the results */
} agni_split_operator;
/* in: x and p, shapes and dtypes count */
agn_status agni_split_operator_new(agni_split_operator *out, const agn_fn *a, int n,
                                   const agn_tensor *const *in);
void agni_split_operator_free(agni_split_operator *q);

/* Makes the solvers of one equation from its operator a: (x, p, extra) to A x, and back, its
   adjoint. solve: (b, p, extra) to x; adjoint: to the solution of the adjoint system. */
typedef struct agni_solver_maker {
    agn_status (*make)(const void *user, agn_fn **solve, agn_fn **adjoint,
                       const agni_split_operator *a, const agni_split_operator *back, int n);
    void (*drop)(void *user);
    void *user;
} agni_solver_maker;
/* agn_fn_linear_solve by such solvers; takes by->user over, also where it fails */
agn_status agni_fn_linear_solve_by(agn_fn **out, const agn_fn *a, int32_t n,
                                   const agni_solver_maker *by);
/* agn_fn_root by such solvers of its tangents and cotangents; takes by->user over likewise */
agn_status agni_fn_root_by(agn_fn **out, const agn_fn *f, int32_t n, const agn_fn *solver,
                           const agni_solver_maker *by);
/* a system with them; takes over a */
agn_status agni_system_new_by(agni_linear_system **out, agni_prog *a, int n, int n_in,
                              const agni_solver_maker *by);
/* Solvers of rooms above, filled by registry/solver_table.c: the ops of a dense factorisation,
   and Krylov methods (those of agn_fn_krylov_solve). Of these the preconditioner is of r and the
   first n_p of p, -1: all; argument number guess is a first guess, -1: none. For roots, p is x
   and a. AGN_EARG names op. */
struct agn_krylov_options;
typedef struct agni_solver_table {
    const agni_op *factor, *solve;
    agn_status (*krylov)(agni_solver_maker *by, const char *op, const struct agn_krylov_options *o,
                         int n_p, int guess);
} agni_solver_table;
extern const agni_solver_table agni_solvers;

/* Takes over a, which may be NULL. */
agn_status agni_system_new(agni_linear_system **out, agni_prog *a, int n, int n_in,
                           const agn_fn *solve, const agn_fn *adjoint, bool transposed);
/* in: b, p, extra; out[n] are the scope's */
void agni_system_solve(agn_scope *s, const agni_linear_system *q, const agn_tensor *const *in,
                       const agn_tensor **out);
/* the adjoint system, with the same arguments; NULL where s has failed */
agni_linear_system *agni_system_adjoint(agn_scope *s, const agni_linear_system *q);
/* x, p, extra to A x, as a body of n_in arguments */
agn_body agni_system_apply;
/* by forming the matrix of the system; apply: x, p, extra to A x, of the user q */
void agni_dense_solve(agn_scope *s, const agni_linear_system *q, agn_body *apply,
                      const agn_tensor *const *in, const agn_tensor **out);

/* calls a user's solver on values; its results must be values like the unknowns */
agn_status agni_run_solver(const char *op, const agn_fn *f, int n,
                           const agn_tensor *const *in, agn_tensor **out);
/* results and the unknowns they stand for are alike; what: a word for messages */
agn_status agni_check_alike(const char *op, const char *what, int n,
                            const agn_tensor *const *y, const agn_tensor *const *x);

#endif
