/* krylov.h - iterative solvers of linear systems on plain arrays, of the host or of a device.

   A solve has maps (the operator, the preconditioner), vectors of one dtype, limits, and what is
   told of it. A method, one file each, solves A d = r from d = 0 until its own estimate of the
   residual meets the target; agni_krylov_run around it knows the true residual, starts the method
   again where rounding or a restart left it short, and decides why it ends. */
#ifndef AGNI_KRYLOV_H
#define AGNI_KRYLOV_H

#include "graph/program/program.h"
#include "tensor/vector/chunked_vector.h"

#include <agnesi/krylov.h>

/* unit roundoff times 2 of the real dtype */
static inline double agni_krylov_eps(int dtype)
{
    return dtype == AGN_F32 || dtype == AGN_C64 ? 0x1p-23 : 0x1p-52;
}

/* ---- one solve ------------------------------------------------------------------------------- */

/* y = A x, or A^H x; no part of y is x */
typedef struct agni_vector_op {
    agn_status (*apply)(void *user, bool adjoint, const void *x, void *y);
    void *user;
} agni_vector_op;

typedef struct agni_krylov {
    const char *op; /* for messages */
    int dtype;
    int64_t rows, n;              /* of A */
    agni_vector_op a, m;          /* the operator; z = M^-1 r, where m.apply is not NULL */
    bool adjoint;                 /* A^H x = b instead: rows and n are those of A^H */
    agn_krylov_options o;         /* with defaults filled in: agni_krylov_defaults */
    double unit;                  /* what a applies is A / unit, a power of two; 0: 1 */
    /* LSQR, LSMR: the largest cosine between r and a column of A, whatever its length; NULL: not
       known */
    double (*column_cosine)(void *user, const void *r);
    void *z;                      /* [rows], for LSQR, LSMR without a guess: x = (A / unit)^H z; or
                                     NULL */
    void *residual;               /* [rows], for LSQR, LSMR: b - A x; or NULL */
    agn_krylov_info info;
    double target;                /* of |residual| in the method's scale, */
    double scale;                 /* times this in the user's */
    int breakdowns;               /* restarts after a breakdown */
    void *dz;                     /* A^H dz = d, where z is asked for */
    double size, inverse;         /* LSQR, LSMR: estimates of |A| and |A^+| */
    int32_t device;               /* where all vectors are; 0: on the host */
    void *sums;                   /* there, for one result; agni_krylov_end gives it back */
    agn_status st;                /* first failure of a map or for memory */
    char why[AGNI_LINE_BYTES];    /* details of the reason */
} agni_krylov;

/* AGN_EARG where an option is none */
agn_status agni_krylov_defaults(const char *op, agn_krylov_options *o,
                                const agn_krylov_options *given, int dtype, int64_t n);
/* x[n] with A x = b[rows], or by least squares, from x0, which may be NULL. AGN_EDOMAIN also where
   x is beyond the largest number. */
agn_status agni_krylov_run(agni_krylov *k, const void *b, const void *x0, void *x);

/* ---- for methods ----------------------------------------------------------------------------- */

typedef int agni_krylov_method(agni_krylov *k, const void *r, void *d);
agni_krylov_method agni_krylov_cg, agni_krylov_minres, agni_krylov_gmres, agni_krylov_bicgstab,
    agni_krylov_lsqr, agni_krylov_lsmr;

/* y = A x, or A^H x if adjoint; false after a failure */
bool agni_krylov_apply(agni_krylov *k, bool adjoint, const void *x, void *y);
bool agni_krylov_precondition(agni_krylov *k, const void *x, void *y); /* a copy without M */
/* r = b - A x, its norm; NaN after a failure */
double agni_krylov_residual(agni_krylov *k, const void *b, const void *x, void *r);
/* The reason, or BREAKDOWN where numbers were lost though A r and M^-1 r are numbers: the method
   then divided by what vanishes. d, the method's result, is 0 where it was lost. */
int agni_krylov_blame(agni_krylov *k, int reason, const void *r, void *d);
/* ends an iteration: counts it and calls the monitor; false: stop for *reason */
bool agni_krylov_step(agni_krylov *k, double residual, int *reason);
bool agni_krylov_note(agni_krylov *k, agn_status st); /* keeps the first failure; none so far? */

/* ---- vectors (krylov/vectors.c), where k has them -------------------------------------------- */

enum { AGNI_KRYLOV_SUMS = 2 * sizeof(double) }; /* bytes of what comes back of a device */
/* the device if it has a kernel for vectors of the dtype, else that of the host */
int32_t agni_krylov_device(int32_t device, int dtype);
/* count vectors of n elements each; NULL after a failure */
void *agni_krylov_alloc(agni_krylov *k, int64_t count, int64_t n);
void agni_krylov_free(const agni_krylov *k, void *room, int64_t count, int64_t n);
void *agni_krylov_vector_at(const agni_krylov *k, void *room, int64_t n, int64_t i);
/* as agni_vector_* (tensor/vector/chunked_vector.h); NaN after a failure of the device */
agni_z agni_krylov_dot(agni_krylov *k, int64_t n, const void *x, const void *y);
double agni_krylov_norm(agni_krylov *k, int64_t n, const void *x);
double agni_krylov_max_abs(agni_krylov *k, int64_t n, const void *x);
void agni_krylov_axpby(agni_krylov *k, int64_t n, agni_z a, const void *x, agni_z b, void *y);
double agni_krylov_axpby_norm(agni_krylov *k, int64_t n, agni_z a, const void *x, agni_z b,
                              void *y);
void agni_krylov_copy(agni_krylov *k, int64_t n, const void *x, void *y); /* y = x */
void agni_krylov_zero(agni_krylov *k, int64_t n, void *y);
void agni_krylov_end(agni_krylov *k); /* gives back what a device needed for results */
/* values of n tensors one after the other to memory of a device, or of the host */
agn_status agni_krylov_store(int32_t device, void *to, int n, agn_tensor *const *x);

/* ---- around the methods of least squares (krylov/least_squares.c) ---------------------------- */

/* Runs the method until x is proved to be one of the least |b - A x|, or cannot be; r: room for the
   residual, which holds b - A x, |r| = *now, before and after; d, t: room. Gives the reason. */
void agni_krylov_note_normal(agni_krylov *k, double normal); /* of the method's scale, to info */
int agni_krylov_refine_least(agni_krylov *k, agni_krylov_method *method, const void *b, void *x,
                             void *r, void *d, void *t, double *now);

/* ---- for solvers that are functions (krylov/implicit_solver.c) ------------------------------- */

/* values of n arguments, row-major, without nodes, to be released; AGN_ESYMBOLIC where there is
   none */
agn_status agni_krylov_plain_values(int n, const agn_tensor *const *in, agn_tensor **out);
/* the same for loops of the host: values of another device are refused */
agn_status agni_krylov_host_values(const char *op, int n, const agn_tensor *const *in,
                                   agn_tensor **out);

#endif
