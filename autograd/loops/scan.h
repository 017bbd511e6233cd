/* autograd/loops/scan.h - loops as one node, as their rules see them. The body of a scan maps
   (carried, slices, constants) to (carried, results). That of a while has neither
   slices nor results; its first two carried values are whether to go on and how many
   steps were taken. */
#ifndef AGNI_SCAN_H
#define AGNI_SCAN_H

#include "autograd/modes/modes.h"
#include "graph/memory/plan.h"

typedef struct agni_scan {
    int nc, nx, ny, nk; /* carried values, arrays, stacked results, constants */
    int64_t length;     /* of a while: at most so many steps, -1 for any number */
    int64_t keep;       /* states held in reverse mode; 0: that of every step */
    bool reverse;       /* from the last slice to the first */
    bool open;          /* a while */
    const agni_prog *p; /* of a node; not looked at by agni_scan_emit */
    /* Asked by agni_scan_emit of a traced body, if it is not NULL: it may take results away, and
       tells how many there are; user is that of the body. */
    int (*drop)(void *user, agni_prog *body);
} agni_scan;
enum { AGNI_GOES_ON, AGNI_STEPS }; /* of what a while carries */

/* the attribute of a node, of a merged one with its two parts, or NULL; takes over p on success */
agni_obj *agni_loop_new(agni_prog *p, agni_obj *const *part);
/* what a node says */
agni_scan agni_scan_describe(const agni_op *op, const agni_attr *at, int nin);
/* Traces a body and applies the loop f: in[] = carried, arrays, constants. */
void agni_scan_emit(agn_scope *s, agn_body *body, void *user, agni_scan f,
                    const agn_tensor *const *in, const agn_tensor **out);

/* What an evaluation does over and over: slices read, results put, states kept on. */
const agn_tensor *agni_slice_at(agn_scope *s, const agn_tensor *x, int64_t i);
const agn_tensor *agni_slice_like(agn_scope *s, const agn_tensor *x); /* its description */
agn_status agni_store_step(agn_tensor *stack, const agn_tensor *y, int64_t i);
int32_t agni_loop_device(const agni_call *c);

/* Long loops over values of the CPU run a plan of their body (scan_plan.c). out[o] is NULL, or
   where the stacked result is wanted. */
bool agni_loop_is_plannable(const agni_scan *f, const agni_call *c);
agn_status agni_loop_run_plan(agni_plan_slot *slot, agni_prog *body, const agni_scan *f,
                              const agni_call *c, agn_tensor **out);

/* rules (scan_rules.c, while_rules.c): each makes another loop over a transformed body
   */
agni_jvp_fn agni_scan_jvp;
agni_vjp_fn agni_scan_vjp, agni_while_vjp;
agni_jet_fn agni_scan_jet;
agni_batch_fn agni_scan_batch, agni_while_batch;
agni_merge_fn agni_merge_loops; /* scan_merge.c */

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
    const bool *still; /* smooth carried values that no term reaches; NULL: there are none */
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
/* To here[n_in], which says it of arguments of a body, come those of the nc carried values that
   depend on them sooner or later; dep[n_val], all values that do. */
agn_status agni_dependence_through_loop(const agni_prog *p, int nc, bool *here, bool *dep);

/* A body of one lane applied to all: which arguments have a batch axis, which results get one. */
typedef struct agni_batched_loop {
    const agni_prog *p;
    int64_t lanes;
    bool *on, *out;
} agni_batched_loop;
agn_body agni_batched_loop_body;
/* What lanes of a loop share stays one: to on[], which says it of arguments, come those of the n
   carried values that differ between lanes sooner or later. Fills out[], the same of the
   results. */
void agni_batched_loop_spread(agn_scope *s, const agni_batched_loop *q, int n);

#endif
