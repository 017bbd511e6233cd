/* residuals.h - partial evaluation of the reverse step of a scan: which values the forward scan
   saves. */
#ifndef AGNI_RESIDUALS_H
#define AGNI_RESIDUALS_H

#include "autograd/loops/reverse/deferred_sums.h"
#include "autograd/loops/reverse/reverse_scan.h"

/* an operand of deferred products that the reverse step computes */
typedef struct agni_stacked_operand {
    int32_t value;
    bool transposed;
} agni_stacked_operand;

/* The reverse step as a program; its inputs: carried, state, slices, seeds, constants. */
typedef struct agni_partial_eval {
    const agni_reverse_scan_steps *q;
    agni_prog *p;
    bool *known;   /* value depends on state or slices, and on no cotangent */
    bool *unknown; /* value depends on carried values or seeds, or is marked recomputed */
    bool *needed;  /* read by the reverse step, or to compute what it reads */
    bool *in_forward, *in_backward; /* node runs in the forward step; in the reverse step */
    int32_t *saved;                 /* values */
    int32_t *next;                  /* of a saved value: the state that it becomes, or -1 */
    int n_saved, n_next;
    agni_deferred_products sums;
    agni_stacked_operand *stack;
    int n_stack;
} agni_partial_eval;

/* traces the reverse step of a->q at in[] of the node and splits it; close it in any case */
bool agni_partial_eval_open(agni_partial_eval *a, agn_scope *s, const agn_tensor *const *in);
void agni_partial_eval_close(agni_partial_eval *a);

/* is carried value l still carried when its deferred products are left out? */
bool agni_partial_eval_carries(const agni_partial_eval *a, int l);
bool agni_is_slice_or_seed(const agni_reverse_scan *b, int32_t v);
bool agni_is_deferred_operand(const agni_partial_eval *a, int32_t v);
int agni_index_in(const int32_t *at, int n, int32_t v); /* -1: it is not there */
int agni_operand_index(const agni_partial_eval *a, agni_stacked_operand v);
/* the stacked result with the same elements, or -1 */
int agni_stacked_result_index(const agni_partial_eval *a, int32_t v);

#endif
