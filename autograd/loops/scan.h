/* scan.h - loops as one node, as their rules see them. The body of a scan maps
   (carried, slices, constants) to (carried, results). That of a while has neither
   slices nor results; its first two carried values are whether to go on and how many
   steps were taken. */
#ifndef AGNI_SCAN_H
#define AGNI_SCAN_H

#include "autograd/modes/modes.h"
#include "graph/memory/plan.h"

typedef struct agni_scan {
    int nc, nx, ny, nk; /* carried values, arrays, stacked results, constants */
    int64_t length;     /* of a while: the most steps, -1: unlimited */
    int64_t keep;       /* states kept in reverse mode; 0: every one */
    bool reverse;       /* from the last slice to the first */
    bool open;          /* a while */
    const agni_prog *p; /* of a node; agni_scan_emit does not read it */
    /* Not NULL: agni_scan_emit calls it on the traced body; it may remove results, and returns
       their number; user is that of the body. */
    int (*drop)(void *user, agni_prog *body);
} agni_scan;
enum { AGNI_GOES_ON, AGNI_STEPS }; /* the first two carried values of a while */

/* the attribute of a node; part: the two loops of a merged one, else NULL; takes over p on
   success */
agni_obj *agni_loop_new(agni_prog *p, agni_obj *const *part);
/* the attributes of a node */
agni_scan agni_scan_describe(const agni_op *op, const agni_attr *at, int nin);
/* AGN_ESTALE where a value that the body rests on has changed */
agn_status agni_loop_check_guards(const agni_attr *at);
/* Traces a body and applies the loop f: in[] = carried, arrays, constants. */
void agni_scan_emit(agn_scope *s, agn_body *body, void *user, agni_scan f,
                    const agn_tensor *const *in, const agn_tensor **out);

/* AGN_ECANCELLED after so many of length steps; length -1: nobody knows how many */
agn_status agni_loop_cancelled(const char *op, int64_t step, int64_t length);

/* steps of an evaluation: read a slice, store a stacked result */
const agn_tensor *agni_slice_at(agn_scope *s, const agn_tensor *x, int64_t i);
const agn_tensor *agni_slice_like(agn_scope *s, const agn_tensor *x); /* its description */
agn_status agni_store_step(agn_tensor *stack, const agn_tensor *y, int64_t i);
int32_t agni_loop_device(const agni_call *c);

/* Long loops over CPU values run a plan of their body (loop_plan.c). out[o] is NULL or the
   buffer of the stacked result. */
bool agni_loop_is_plannable(const agni_scan *f, const agni_call *c);
agn_status agni_loop_run_plan(agni_plan_slot *slot, agni_prog *body, const agni_scan *f,
                              const agni_call *c, agn_tensor **out);

/* rules (scan_rules.c, while_rules.c): each is a loop over a transformed body */
agni_jvp_fn agni_scan_jvp;
agni_vjp_fn agni_scan_vjp, agni_while_vjp;
agni_jet_fn agni_scan_jet;
agni_batch_fn agni_scan_batch, agni_while_batch;
agni_merge_fn agni_merge_loops; /* merge_loops.c */

/* Cotangents of r's arguments as of what body, called with them, computes. */
void agni_vjp_of_body(agn_scope *s, agn_body *body, void *user, const agni_rule *r,
                      const agn_tensor *const *g, const bool *want,
                      const agn_tensor **gx);

/* A body among terms of series: inputs come in groups that begin at group[], each
   followed by K terms of those of its members that are on; the first nc results are
   carried and followed by their terms, of the others there are only terms. */
typedef struct agni_series_loop {
    const char *op;
    const agni_prog *p;
    int nc, n_group;
    int group[6];
    const agni_grading *g; /* of coefficients; NULL: tangents */
    const bool *on;
    const bool *still; /* differentiable carried values that no term reaches, or NULL */
    bool *masked; /* slices and constants whose terms have a mask, which follows them; or NULL */
} agni_series_loop;
agn_body agni_series_loop_body;
/* what goes into it: the groups of x[] with terms from c[]; marks on[]; returns how
   many, and in counts[] how many of each group. The first n_state groups are on wherever
   they are smooth and not still; those between them and the last are slices. */
int agni_series_loop_inputs(agn_scope *s, const agni_series_loop *q, const agn_tensor *const *x,
                            const agn_tensor *const *c, int n_state, bool *on, const agn_tensor **a,
                            int *counts);
/* the terms among the results y[] of the transformed loop, of which q->nc are carried; those of
   still ones are left as they are */
void agni_series_loop_results(agn_scope *s, const agni_rule *r, const agni_series_loop *q,
                              const agn_tensor *const *y, const agn_tensor **out);
/* The body of one lane batched: on[], which arguments have a batch axis; out[], which results. */
typedef struct agni_batched_loop {
    const agni_prog *p;
    int64_t lanes;
    bool *on, *out;
} agni_batched_loop;
agn_body agni_batched_loop_body;
/* Fixed point over the steps: adds to on[] those of the n carried values that differ between
   lanes after any number of steps; what lanes share stays unbatched. Fills out[]. */
void agni_batched_loop_spread(agn_scope *s, const agni_batched_loop *q, int n);

#endif
