/* optim/optim.h - the inside of a minimiser. All arithmetic is in f64, whatever the dtype of the
   parameters; everything that a continuation needs is in one block. */
#ifndef AGNI_OPTIM_H
#define AGNI_OPTIM_H

#include "graph/program/program.h"
#include "optim/rules.h"
#include "tensor/vector/chunked_vector.h"
#include <agnesi/optim.h>

/* Scalars of the state: doubles only, so that the state is one f64 tensor. Counts stay
   below 2^53. */
typedef struct agni_optim_scalars {
    double format, kind, n, history; /* what the state fits; history of a rule: its layout */
    double rate, steps, evaluations, reason;
    double value, gradient, step, length;
    double value_before, slope_before, slope_after, strong;
    double known;           /* value and g belong to x */
    double best, idle;      /* lowest value so far, steps since */
    double pairs, next;     /* L-BFGS: pairs held, row of the next one */
    double has_h;           /* BFGS: else H is h0 times the identity */
    double has_d;           /* BFGS: d is -H g */
    double h0;
    double pending;         /* BFGS: H is still to become scale H + S'KS */
    double scale, ss, su, uu;
} agni_optim_scalars;
enum { AGNI_OPTIM_SCALARS = (int)(sizeof(agni_optim_scalars) / sizeof(double)) };

typedef struct agni_optim_method {
    const char *name;
    /* numbers of the method's own memory that a continuation needs; false: overflow */
    bool (*memory)(const agn_optim *o, int64_t *saved);
    /* cuts o->own into parts */
    void (*start)(agn_optim *o);
    /* d from g; then the pair (x - x0, g - g0) of a step joins the memory */
    void (*direction)(agn_optim *o);
    void (*update)(agn_optim *o);
    /* forgets curvature; false where there was none */
    bool (*reset)(agn_optim *o);
} agni_optim_method;
extern const agni_optim_method agni_optim_rule_method, agni_optim_lbfgs, agni_optim_bfgs;

/* rules: the numbers [from, to) of a parameter, its factors, and what its elements share */
typedef struct agni_optim_part {
    int64_t from, to;
    double rate, decay;
    agni_rule_shared shared;
} agni_optim_part;
enum { AGNI_RULE_GRAIN = 1 << 14 }; /* elements of a task */

/* numbers [from, to) of the gradient */
typedef struct agni_optim_span {
    int64_t from, to;
} agni_optim_span;

struct agn_optim {
    agni_obj head;
    atomic_flag busy;
    agn_optim_options opt; /* complete; inverse_hessian is not kept */
    const agni_optim_method *method;
    int32_t kind, n_params;
    bool narrow; /* some parameter is f32 */
    int64_t n;

    agn_tensor *flat;   /* x, f64 [n] */
    agn_tensor **param; /* views of flat, or f32 copies of their part of it */
    double *x;

    agni_optim_scalars k; /* followed in the state by x and saved[n_saved] */
    int64_t n_saved;
    double *saved; /* g, d, own, then best_x */
    double *g, *d, *own;
    double *best_x; /* where the lowest value was found, or NULL */
    /* where g may not be 0: all of it, or the parts that came with sparse gradients */
    const agni_optim_span *span;
    int64_t n_spans, n_parts, room_parts;
    agni_optim_span whole, *parts;
    double *x0, *g0;    /* where the step began */
    double *v1, *v2, *w; /* work vectors */
    double *part;       /* BFGS: sums of chunks; L-BFGS: history numbers; rules: one a task */
    agni_optim_part *each; /* rules: of every parameter */
    double *history[3]; /* L-BFGS: steps, changes of gradient, 1 / products */
    double *h, *s, *u;  /* BFGS */

    /* the objective: last function and arguments, to notice changes */
    agn_fn *fn;
    bool plain;         /* fn is not compiled */
    bool restored;      /* evaluate again before going on, without counting */
    int32_t n_args, room_in, n_out;
    const agn_tensor **in; /* parameters, then arguments (references) */
    int64_t *version;
    agn_tensor **out;   /* results: kept for the next call of a compiled fn */
};

/* ---- objective.c ----------------------------------------------------------------- */

/* Value and gradient at o->x; not known on failure. */
agn_status agni_optim_evaluate(agn_optim *o);
/* Binds the objective; after it o->k.known says whether value and g still hold. */
agn_status agni_optim_bind(agn_optim *o, const agn_fn *fn, const agn_tensor *const *args,
                           int32_t n_args);
void agni_optim_unbind(agn_optim *o);
/* Evaluates unless known; d is dropped if g came out differently. */
agn_status agni_optim_ensure_evaluated(agn_optim *o);
bool agni_optim_is_finite(const agn_optim *o);

/* ---- sparse_gradient.c ------------------------------------------------------------ */

void agni_optim_span_all(agn_optim *o); /* the span is all of g */
bool agni_optim_has_sparse_gradient(
    const agn_optim *o);                      /* is a gradient among the results sparse? */
void agni_optim_clear_gradient(agn_optim *o); /* g = 0; spans follow in ascending order */
agn_status agni_optim_add_span(agn_optim *o, int64_t from, int64_t to);
/* reads the sparse gradient of the parameter that begins at first into g and the spans */
agn_status agni_optim_read_sparse_gradient(agn_optim *o, int64_t first, const agn_tensor *t);
void agni_optim_close_spans(agn_optim *o);
double agni_optim_max_gradient(const agn_optim *o); /* component of the gradient, in magnitude */

/* ---- minimiser.c ------------------------------------------------------------------ */

const char *agni_optim_name(int32_t kind);

/* ---- options.c -------------------------------------------------------------------- */

/* defaults of a kind put where a member is zero, and ranges checked */
agn_status agni_optim_fill_options(const char *op, int32_t kind, int32_t n_params,
                                   agn_optim_options *a);

/* ---- line_search.c ----------------------------------------------------------------- */

/* Moves x from x0 along d; the first trial has length t. Writes length, slopes, strong. The
   reason is RUNNING where a lower point was found. */
agn_status agni_optim_line_search(agn_optim *o, double t, int32_t *reason);

/* ---- iterate.c --------------------------------------------------------------------- */

agn_status agni_optim_descend(agn_optim *o, int32_t *reason);
/* reasons that follow from the gradient and the change of the value */
int32_t agni_optim_find_reason(agn_optim *o);

/* ---- rules.c ----------------------------------------------------------------------- */

agn_status agni_optim_rule_step(agn_optim *o, int32_t *reason);
/* f64 from f32 and back; they do not overlap */
void agni_optim_widen(double *to, const float *from, int64_t n);
void agni_optim_narrow(float *to, const double *from, int64_t n);

/* ---- packed_symmetric.c --------------------------------------------------------------- */

/* y += H x for the packed lower triangle H, which first becomes scale H + ss s s' + su (s u' +
   u s') + uu u u' where update; part holds agni_packed_chunks(n) n numbers */
int agni_packed_chunks(int64_t n);
void agni_packed_update_multiply(int64_t n, double *h, const double *x, double *y, double *part,
                                 const agni_optim_scalars *update, const double *s, const double *u,
                                 double *p, double *q);

#endif
