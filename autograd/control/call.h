/* call.h - call nodes: a function recorded as one node over its program. checkpoint and custom
   rules are such nodes. */
#ifndef AGNI_CALL_H
#define AGNI_CALL_H

#include "autograd/modes/modes.h"

/* The counted attribute of a call. The program may have further results after those of the
   function. */
typedef struct agni_callee {
    agni_obj head;
    agni_prog *p;
    int n_out;         /* results of the function */
    agn_fn *jvp, *vjp; /* custom rules, or NULL */
    agni_obj *rule;
    int mapped; /* how many times it was batched */
} agni_callee;
agni_callee *agni_callee_new(agni_prog *p, int n_out); /* takes over p on success */
static inline const agni_callee *agni_callee_of(const agni_attr *at)
{
    return (const agni_callee *)at->obj;
}

/* values with a name (checkpoint.c): the attribute and its text */
agni_obj *agni_name_new(const char *text); /* NULL without memory */
const char *agni_name_text(const agni_obj *name);
/* marks x as the start of what a checkpoint recomputes: the empty name, which users cannot give */
const agn_tensor *agni_mark_recomputed(agn_scope *s, const agn_tensor *x);
bool agni_is_marked_recomputed(const agni_op *op, const agni_attr *at);

/* One recorded call, before it is a node. */
typedef struct agni_recording {
    const agn_fn *f;
    agni_prog *live; /* with values */
    agni_callee *c;  /* with the same program, stored */
    const agn_tensor **extra;
    int n_extra;
} agni_recording;
bool agni_call_begin(agni_recording *r, agn_scope *s, const agni_op *op,
                     const agn_fn *f, const agn_tensor *const *in);
/* makes the node, gives the results of the function */
void agni_call_end(agni_recording *r, agn_scope *s, const agni_op *op,
                   const agn_tensor *const *in, const agn_tensor **out);
/* must a call be recorded? */
bool agni_call_recorded(const agn_fn *f, const agn_tensor *const *in);

agn_status agni_call_infer(agni_call *c);
agn_status agni_call_eval(const agni_call *c, agn_tensor **out);
#define AGNI_CALL(name_)                                                     \
    AGNI_CONTROL_ROW(name_, "args* body:o"), .infer = agni_call_infer,       \
                                             .eval = agni_call_eval

#endif
