/* graph/passes/linear_terms.h - linear combinations as lists of terms, and the linear op that
   several terms share (linear_terms.c); for factor_sums.c. */
#ifndef AGNI_TERMS_H
#define AGNI_TERMS_H

#include "graph/passes/ir.h"

enum { AGNI_MOST_FIXED = 3, AGNI_TERMS_SEEN = -2 };

/* c times a value, or, from n_val on, times the application number v - n_val */
typedef struct agni_linear_term {
    double c;
    int32_t v;
} agni_linear_term;
/* the op of node with a sum as argument i, in place of n nodes: member[first] ...; node -1: the
   sum itself */
typedef struct agni_hoisted_op {
    int32_t node, i, sum, first, n;
} agni_hoisted_op;
typedef struct agni_term_sum {
    int32_t first, n; /* its terms */
    int32_t at;       /* the node that makes the latest of them; -1: none */
    int32_t next;     /* another one of the same node */
    int32_t made;     /* its value in the new program */
    bool gains;       /* saves a product, here or further down */
} agni_term_sum;

typedef struct agni_linear_terms {
    const agni_ir *ir;
    int32_t *use;    /* how often each value is read */
    int32_t *within; /* of values: the last sum that was looked at and has it for a term */
    /* of nodes: the sum it is, -1, or AGNI_TERMS_SEEN in one; sums whose latest term it makes;
       arguments through which nothing is saved, a bit each */
    int32_t *root, *pending;
    uint8_t *barred;
    agni_linear_term *term;
    agni_term_sum *sum;
    agni_hoisted_op *push;
    int32_t *member; /* twice the node, and which argument */
    int32_t n_term, cap_term, n_sum, cap_sum, n_push, cap_push, n_member, cap_member;
    int32_t *seen, *stack; /* while copying: new names of values; sums in hand */
    int32_t cap_stack;
    bool full; /* without memory */
} agni_linear_terms;

/* v as a sum of one or two values of its own shape, times numbers; how many */
int agni_split_linear_terms(const agni_ir *ir, int32_t v, agni_linear_term *t);
/* Looks at a sum: at the terms of root, where that is given. Did any join? */
bool agni_join_linear_terms(agni_linear_terms *w, int32_t s, int32_t root);
bool agni_linear_terms_reserve(agni_linear_terms *w, void *items, int32_t *cap, int32_t need,
                               size_t item);

/* Do two products of a program share an operand? times: room for a number a value. */
bool agni_may_factor_sums(const agni_pnode *node, int n_node, const int32_t *arg, int n_val,
                          int32_t *times);

/* joining the operands of such an op saves something */
static inline bool agni_is_product(const agni_op *op)
{
    return op->cls == AGNI_MULTI && op->ew < 0;
}

#endif
