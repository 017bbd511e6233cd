/* sparse/direct/direct.h - direct solvers: the symbolic analysis of a pattern, the numeric factor
   of one set of values, and solves with it.

   The analysis is kept with the pattern, the latest factors with the analysis, each under its
   values (factor_cache.c): derivatives of any order, further right-hand sides and the next step of
   a plan have the same values and find the factor again; other values never match. */
#ifndef AGNI_DIRECT_H
#define AGNI_DIRECT_H

#include "sparse/pattern/pattern.h"

#include <agnesi/sparse_direct.h>

/* What is solved: A x = b, A^T x = b, min |A x - b|, A^H A x = b, the shortest x of min |A^H x -
   b|. The order of the last three is that of the modes of sparse_lstsq. */
typedef enum agni_direct_system {
    AGNI_SOLVE_PLAIN,
    AGNI_SOLVE_TRANSPOSED,
    AGNI_SOLVE_LEAST_SQUARES,
    AGNI_SOLVE_NORMAL,
    AGNI_SOLVE_LEAST_NORM
} agni_direct_system;

/* one matrix: numbers are 1 or 2 doubles */
typedef struct agni_direct_problem {
    const char *op;
    const agni_pattern *p;
    const double *v;
    int parts;
    int64_t lane;   /* of a batch, for messages */
    bool hermitian; /* known to be so: both triangles need not be compared */
} agni_direct_problem;

/* b and x are column-major; x may not be b. det: log |det| and, unless sign is NULL, its
   sign (2 numbers). NULL: the method has none. */
typedef struct agni_method {
    const char *name;
    agn_status (*analyse)(void **symbolic, const char *op, const agni_pattern *p,
                          int order);
    void (*free_symbolic)(void *symbolic);
    agn_status (*factor)(void **numeric, void *symbolic, const agni_direct_problem *a);
    /* the same in the memory of another numeric factor */
    agn_status (*refactor)(void *numeric, void *symbolic, const agni_direct_problem *a);
    void (*free_numeric)(void *numeric);
    agn_status (*solve)(void *numeric, void *symbolic, const agni_direct_problem *a,
                        agni_direct_system system, int64_t k, const double *b, double *x);
    agn_status (*det)(void *numeric, void *symbolic, const agni_direct_problem *a, double *log,
                      double *sign);
    int64_t (*rank)(void *numeric);
    bool unstable; /* without pivots: each solve is checked, and refined */
    /* z_e = (a^-1)[j, i] for every entry e = (i, j) */
    agn_status (*inverse)(void *numeric, void *symbolic, const agni_direct_problem *a, double *z);
    /* numbers of a + (or -) w w^H, for problem a with its new values; w [k, n] by columns */
    agn_status (*update)(void **numeric, void *old, void *symbolic, const agni_direct_problem *a,
                         int64_t k, const double *w, bool down);
} agni_method;
extern const agni_method agni_cholesky, agni_ldl, agni_umfpack, agni_klu, agni_spqr,
    agni_triangular, agni_cholesky_lower;

/* What a pattern tells about the method (sparse/direct/choose_method.c). */
typedef struct agni_structure {
    bool triangular; /* a triangle with its diagonal */
    bool symmetric;  /* entry (j, i) for every (i, j), and the diagonal */
    agni_mirror_map mirror; /* where it is symmetric */
} agni_structure;
agn_status agni_find_structure(agni_structure *out, const char *op, const agni_pattern *p);
void agni_structure_free(agni_structure *s);
int agni_choose_method(const agni_structure *s, const agni_direct_problem *a);

/* A numeric factor for one set of values: counted. */
typedef struct agni_numeric agni_numeric;
/* matrices: how many will be asked for in turn, for the size of the cache; 0: a factor object holds
   it */
agn_status agni_numeric_get(agni_numeric **out, const agni_direct_problem *a, int method, int order,
                            int64_t matrices);
agni_numeric *agni_numeric_ref(agni_numeric *n);
void agni_numeric_unref(agni_numeric *n); /* NULL allowed */
/* the most recently used one again, also if it was evicted */
void agni_numeric_touch(agni_numeric *n, const agni_pattern *p, int method, int order);
agn_status agni_numeric_update(agni_numeric **out, agni_numeric *old, const agni_direct_problem *a,
                               int64_t k, const double *w, bool down);
agn_status agni_numeric_solve(agni_numeric *n, const agni_direct_problem *a,
                              agni_direct_system system, int64_t k, const double *b, double *x);
/* the same for row-major b [rows, k] and x [cols, k] */
agn_status agni_numeric_solve_rows(agni_numeric *n, const agni_direct_problem *a,
                                   agni_direct_system system, int64_t rows, int64_t cols, int64_t k,
                                   const double *b, double *x);
/* x made better until it solves a system near to a, or AGN_EDOMAIN (sparse/direct/refinement.c) */
agn_status agni_refine_solution(const agni_method *by, void *what, void *symbolic,
                                const agni_direct_problem *a, agni_direct_system system, int64_t k,
                                const double *b, double *x);
/* AGN_EDOMAIN where the factor is none of a matrix near to a */
agn_status agni_check_growth(const agni_method *by, void *what, void *symbolic,
                             const agni_direct_problem *a);
agn_status agni_numeric_det(agni_numeric *n, const agni_direct_problem *a, double *log,
                            double *sign);
/* false where the method has no way but solves */
bool agni_numeric_inverse(agni_numeric *n, const agni_direct_problem *a, double *z, agn_status *st);
agn_status agni_numeric_rank(agni_numeric *n, int64_t *rank);
const char *agni_numeric_method(const agni_numeric *n); /* also where it was chosen */

/* options, zeros where opts is NULL (sparse/direct/api.c) */
agn_status agni_solver_options(const char *op, const agn_sparse_solver *opts,
                               agn_sparse_solver *out);
/* ---- ops (sparse/direct/rules.c) ------------------------------------------------------------- */

agn_kernel agni_cpu_linsolve, agni_cpu_lstsq, agni_cpu_logdet, agni_cpu_inverse;

#endif
