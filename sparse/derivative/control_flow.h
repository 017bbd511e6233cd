/* sparse/derivative/control_flow.h - index sets propagated along a program (detect_pattern.c), and
   through the bodies of control ops (control_flow.c). */
#ifndef AGNI_FLOW_H
#define AGNI_FLOW_H

#include "sparse/derivative/derivative.h"
#include "sparse/derivative/index_sets.h"

/* Sets of the elements of each value; NULL: all are empty. */
typedef struct agni_flow {
    agni_sets *z;
    const agni_prog *p;
    int32_t **set;
} agni_flow;

/* sets in[n_in] of the inputs to those of the results, joined to out[n_out] */
agn_status agni_flow_through(agni_sets *z, const agni_prog *p, const int32_t *const *in,
                             int32_t **out);
/* *to, made where it is NULL, joined with from, which may be NULL */
agn_status agni_flow_join(agni_sets *z, int32_t **to, const int32_t *from, int64_t n);

/* what a control op does with the sets of its results; NULL: no body is known */
typedef agn_status agni_flow_fn(agni_flow *f, const agni_pnode *n);
agni_flow_fn *agni_flow_of(const agni_op *op);

#endif
