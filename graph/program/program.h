/* graph/program/program.h - programs: what a computation becomes when a transform looks at it.

   Values are numbered: inputs, then captured tensors, then the results of the nodes in
   order (SSA). val[] describes each; in a program gathered from live tensors it holds the
   values themselves, in a stored one only shapes and dtypes, and captured constants.       */
#ifndef AGNI_PROG_H
#define AGNI_PROG_H

#include "tensor/dispatch/op.h"
#include <agnesi/graph.h>

typedef struct agni_pnode {
    const agni_op *op;
    agni_attr *at; /* may be NULL */
    int32_t nin, nout;
    int32_t arg; /* first of its arguments in arg[] */
    int32_t val; /* first of its results */
} agni_pnode;

typedef struct agni_prog {
    agni_obj head;
    int32_t n_in, n_cap, n_node, n_val, n_out, n_arg;
    agni_pnode *node;
    int32_t *arg;
    int32_t *out;
    agn_tensor **val;
    int64_t *cap_version; /* of captured tensors when they were captured */
    struct agni_guards *guards; /* what else the trace looked at; may be NULL */
} agni_prog;

static inline const agn_tensor *agni_pval(const agni_prog *p, int32_t v)
{
    return p->val[v];
}
static inline bool agni_is_node_value(const agni_prog *p, int32_t v)
{
    return v >= p->n_in + p->n_cap;
}

/* The program from leaves to outs: everything recorded since first. leaves[i] are recorded
   tensors; what does not depend on them is captured. */
agn_status agni_prog_gather(agni_prog **out, int n_in, const agn_tensor *const *leaves, int n_out,
                            const agn_tensor *const *outs, uint64_t first);

/* Runs f on fresh leaves and gathers. With symbolic, the leaves have no values. */
agn_status agni_trace(agni_prog **out, uint64_t *first, const agn_fn *f,
                      const agn_tensor *const *in, bool symbolic);
/* The same for a C function with its own argument descriptions. */
agn_status agni_trace_body(agni_prog **out, uint64_t *first, agn_body *body, void *user, int n_in,
                           const agn_tensor *const *in, int n_out, bool symbolic);

/* Room for so much of each; NULL without memory. */
agni_prog *agni_prog_new(int n_in, int n_cap, int n_node, int n_val, int n_out, int n_arg);

/* A stored program: shapes instead of values. Captured tensors that are recorded or without
   a value become further inputs: *extra (n_extra of them, borrowed from p). */
agn_status agni_prog_store(agni_prog **out, const agni_prog *p, int *n_extra,
                           const agn_tensor ***extra);

/* f on symbols like in[], stored. op names it in errors: recorded tensors that are no arguments are
   refused. */
agn_status agni_trace_stored(const char *op, agni_prog **out, const agn_fn *f,
                             const agn_tensor *const *in);

/* The program of a call with in[], of which some are symbols, with sums before products
   (factor_sums_eager.c): another one, recorded since *first, or as it is. */
agn_status agni_factor_sums_of_call(agni_prog **live, uint64_t *first, const agn_tensor *const *in);
/* Has a call of this thread been changed so (1) since this was told 0? Told -1, they stay as
   they are. */
int agni_factoring_mode(int now);

/* Applies the nodes to other inputs; vals[n_val], owned by s, may be NULL. */
agn_status agni_prog_replay(const agni_prog *p, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out, const agn_tensor **vals);
/* The same where some values are given[n_val], others NULL: a node is left out if all of its
   results are, a captured tensor is replaced. */
agn_status agni_prog_replay_from(const agni_prog *p, agn_scope *s, const agn_tensor *const *in,
                                 const agn_tensor *const *given, const agn_tensor **out,
                                 const agn_tensor **vals);
/* the inference and the evaluation of an op whose results are the first of those of a program */
agn_status agni_prog_infer(const agni_prog *p, agni_call *c);
agn_status agni_prog_eval(const agni_prog *p, const agni_call *c, agn_tensor **out);

/* Seen by an inner transform that began at first: a value that depends on nothing older is
   unrecorded (a new alias owned by s), others and symbols stay. */
const agn_tensor *agni_detach(agn_scope *s, const agn_tensor *x, uint64_t first);

void agni_prog_release(agni_prog *p);
/* q rests on what the trace of p looked at; NULL: on nothing but what it captured */
void agni_prog_copy_guards(agni_prog *q, const agni_prog *p);
/* captured constants, and what they were made of, unchanged? else AGN_ESTALE */
agn_status agni_prog_check_guards(const agni_prog *p);

/* The program as text into buf (n bytes, always terminated; NULL where n is 0); *need, which may
   be NULL, is what all of it takes with its end. */
agn_status agni_prog_text(char *buf, size_t n, size_t *need, const agni_prog *p);

/* ---- functions --------------------------------------------------------------------- */

typedef agn_status agni_fn_run(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out);
struct agn_fn {
    agni_obj head;
    int32_t n_in, n_out;
    agni_fn_run *run;
    void *data; /* of the kind of function */
    void (*drop)(void *data);
    agn_fn *next; /* of those waiting to be destroyed */
    bool derived; /* computes derivatives of a function: some may be computed that nobody reads */
};
enum { AGNI_MAX_NESTING = 1000 }; /* functions within each other: a call of each takes some stack */
/* takes over data on success only */
agn_status agni_fn_make(agn_fn **out, agni_fn_run *run, int n_in, int n_out, void *data,
                        void (*drop)(void *data));

/* one that computes derivatives of a function */
agn_status agni_fn_make_derived(agn_fn **out, agni_fn_run *run, int n_in, int n_out, void *data,
                                void (*drop)(void *data));

/* A call of a derivative at values where an op refused (st): the call is traced, what no result
   reads is left out, as in a plan, and what is left runs. st again where it cannot be traced. */
agn_status agni_call_live(agn_status st, const agn_fn *f, agn_scope *s,
                          const agn_tensor *const *in, const agn_tensor **out);

/* What a caller gives against what f has: arguments alone, or results and arguments. */
agn_status agni_check_n_in(const char *op, const agn_fn *f, const agn_tensor *const *in,
                           int32_t n_in);
agn_status agni_check_call(const char *op, const void *out, int32_t n_out, const agn_fn *f,
                           const agn_tensor *const *in, int32_t n_in);
agn_status agni_fn_run_in(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out);
agn_body agni_fn_body; /* the same, as a body whose user is the function */

#endif
