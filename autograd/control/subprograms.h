/* subprograms.h - programs as an attribute of a node (regions in MLIR), traced from C functions.
   The inputs of such a node are those that all programs share, then those that each captured
   while it was traced. */
#ifndef AGNI_SUBPROGRAMS_H
#define AGNI_SUBPROGRAMS_H

#include "autograd/modes/modes.h"
#include "graph/memory/plan.h"

typedef struct agni_subprograms {
    agni_obj head;
    int n, shared;
    struct agni_subprogram {
        agni_prog *p;
        int n_extra, first; /* its captured inputs, and the first of them among those of the node */
        agni_plan_slot plan; /* of a body evaluated many times */
    } at[];
} agni_subprograms;
static inline const agni_subprograms *agni_subprograms_of(const agni_attr *at)
{
    return (const agni_subprograms *)at->obj;
}

agni_subprograms *agni_subprograms_new(int n); /* no programs yet; NULL without memory */

/* a body as C function */
typedef struct agni_c_body {
    agn_body *body;
    void *user;
} agni_c_body;

/* Bodies traced on symbols, before a node takes them. */
typedef struct agni_traced_bodies {
    agni_subprograms *b;
    agni_prog **live;
    const agn_tensor ***extra;
} agni_traced_bodies;

/* Traces n bodies: body k on symbols like in[k][n_in[k]], to n_out[k] results. Fails in
   s. Close it in any case. */
bool agni_subprograms_trace(agni_traced_bodies *t, agn_scope *s, const char *op, int n,
                            const agni_c_body *body, const int *n_in,
                            const agn_tensor *const *const *in, const int *n_out);
/* Applies op to lead[n_lead], shared[n_shared] and the captured inputs. */
void agni_subprograms_apply(const agni_traced_bodies *t, agn_scope *s, const agni_op *op, int ni,
                            const int64_t *ints, int n_lead, const agn_tensor *const *lead,
                            int n_shared, const agn_tensor *const *shared, int n_out,
                            const agn_tensor **out);
void agni_subprograms_close(agni_traced_bodies *t);

/* the inputs of body k, from the inputs of its node after the leading ones */
void agni_subprograms_inputs(const agni_subprograms *b, int k, const agn_tensor *const *all,
                             const agn_tensor **in);
/* the index of input i of body k among the inputs of the node */
static inline int agni_subprograms_input_index(const agni_subprograms *b, int k, int i)
{
    return i < b->shared ? i : i - b->shared + b->at[k].first;
}

/* rules of cond and switch (branch_rules.c) */
agni_jvp_fn agni_branch_jvp;
agni_vjp_fn agni_branch_vjp;
agni_jet_fn agni_branch_jet;
agni_batch_fn agni_branch_batch;
/* out[] = body[choice](in[]), for op cond or switch (branch.c) */
void agni_branch_emit(agn_scope *s, const agni_op *op, const agn_tensor *choice, int n,
                      const agni_c_body *body, int n_in, const agn_tensor *const *in, int n_out,
                      const agn_tensor **out);

#endif
