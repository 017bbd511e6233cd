/* graph/passes/ir.h - the IR of a plan: values and nodes in order (SSA), emitted through the
   rules (rules/simplify.c) and common subexpression elimination (builder.c).

   A constant that is one number, or rows all alike, is kept as its small part under a
   broadcast_to, so that the rules see it.                                                   */
#ifndef AGNI_IR_H
#define AGNI_IR_H

#include "core/memory/hash_index.h"
#include "graph/program/program.h"
#include "tensor/dispatch/op_helpers.h"

/* Who can tell 0 from -0 in a value: an op that makes of them different numbers, or whoever gets
   the result. */
enum { AGNI_SIGN_SEEN = 1, AGNI_SIGN_SHOWN = 2 };

typedef struct agni_ir_value {
    agn_tensor *t; /* shape and dtype; of a constant, the tensor itself */
    int32_t node;  /* that makes it; -1: an input or a constant */
    int32_t input; /* number of the input, -1 */
    bool constant;
    bool captured; /* the user's tensor, not ours */
    bool splat;    /* a constant of one element: num */
    bool finite_if_inputs; /* finite as long as the inputs are */
    bool always_finite;    /* finite whatever the inputs are, NaN apart */
    bool no_negative_zero; /* no element is -0 */
    bool read_in_slices;   /* element-wise, and read by leading slices alone */
    bool identity_rows;    /* a constant, rows from number from of a unit matrix times a number */
    bool table;            /* rows and columns are axes of two arrays: a product, a repetition */
    int64_t from;
    double num;
} agni_ir_value;

/* A number of rows that tiles can be cut from. */
typedef struct agni_extent {
    int64_t n;
    int32_t dtype;
    bool last; /* the last axis of each value, not the first one of some */
} agni_extent;

enum { AGNI_MAX_COALESCED = 4 };
typedef struct agni_ir {
    agni_ir_value *val;
    agni_pnode *node;
    int32_t *arg, *in, *out;
    int32_t n_val, n_node, n_arg, n_in, n_out;
    int32_t cap_val, cap_node, cap_arg;
    agni_hash_index applications; /* the nodes, while equal ones are one */
    bool rules;                /* simplify */
    bool shares;               /* equal applications are one */
    uint8_t sign;              /* AGNI_SIGN_... of the value that is emitted now */
    int32_t changed;           /* rules applied */
    agni_hash_index numbers;      /* literals made so far, by value and dtype */
    int32_t n_number;
    agni_extent merged[AGNI_MAX_COALESCED]; /* axes that were several (coalesce_axes.c) */
    int32_t n_merged;
    agn_status st;
} agni_ir;

/* From a stored program: canonical constants; simplified to a fixed point if rules. */
agn_status agni_ir_make(agni_ir **out, const agni_prog *p, bool rules);
/* The same, where nothing but equal applications and equal literals become one. */
agn_status agni_ir_make_cse(agni_ir **out, const agni_prog *p);
void agni_ir_free(agni_ir *ir);
/* The same again, without rules, but for nodes k of which node(user, ...) gives another value;
   arg: its arguments in the new one. What nobody reads then is left out. */
typedef int32_t agni_ir_replace_node(void *user, agni_ir *ir, int k, const int32_t *arg);
agn_status agni_ir_copy(agni_ir **out, const agni_ir *old, agni_ir_replace_node *node, void *user);

/* Common subexpression elimination (cse.c): the node that is this application, or -1. */
int32_t agni_cse_find(const agni_ir *ir, const agni_op *op, const agni_attr *at, int nin,
                      const int32_t *arg, int nout);
/* Node k, which is new; room for it was reserved. */
void agni_cse_add(agni_ir *ir, int32_t k);
bool agni_cse_reserve(agni_ir *ir);
bool agni_has_attributes(const agni_attr *at);

/* Sums before products, not after them (factor_sums.c): another program, or as it is. */
agn_status agni_ir_factor_sums(agni_ir **ir);
/* Scalars that multiply a whole linear sweep multiply its results (hoist_scalars.c). */
agn_status agni_ir_hoist_scalars(agni_ir **ir);
/* Selects below a select with the same condition are what they choose from (nested_selects.c). */
agn_status agni_ir_drop_nested_selects(agni_ir **ir);
/* Like terms of sums of products are one (like_terms.c). */
agn_status agni_ir_collect_terms(agni_ir **ir);
/* gelu beside its slope is a product with what that computes (rules/shared_gates.c). */
agn_status agni_ir_share_gates(agni_ir **ir);
/* Products X^T X read transposes of their own (symmetric_products.c). */
agn_status agni_ir_separate_transposes(agni_ir **ir);

/* With room for inputs and results; NULL without memory. */
agni_ir *agni_ir_new(int n_in, int n_out, bool rules);
void agni_ir_add_input(agni_ir *ir, int i, const agn_tensor *like);
/* The value of an application, new or found; -1 after a failure (ir->st). */
int32_t agni_emit_node(agni_ir *ir, const agni_op *op, const agni_attr *at, int nin,
                  const int32_t *arg);
/* The same of several results: the first of them. */
int32_t agni_emit_results(agni_ir *ir, const agni_op *op, const agni_attr *at, int nin,
                       const int32_t *arg, int nout);
/* A leading part of a value: that has fewer parts along its first axis, whole ones. */
bool agni_is_leading_slice(const agn_tensor *t, const agni_attr *at);
/* Element-wise v of what was joined as the join of its parts; v itself where that is not so. */
int32_t agni_concat_of_elementwise(agni_ir *ir, int32_t v);
/* Rules of rules/simplify.c: the value that op(arg) is, or -1 for no rule. */
int32_t agni_apply_rules(agni_ir *ir, const agni_op *op, const agni_attr *at, int nin,
                     const int32_t *arg);
/* v, with 0 where it is -0. */
int32_t agni_add_positive_zero(agni_ir *ir, int32_t v);
/* Is t rows of an identity matrix, times a number, in two of its axes? (rules/identity_matmul.c) */
bool agni_is_identity_rows(const agn_tensor *t, int64_t *from);
/* A constant; takes t over. The second as it is, not taken apart. */
int32_t agni_ir_add_canonical_constant(agni_ir *ir, agn_tensor *t);
int32_t agni_ir_add_constant(agni_ir *ir, agn_tensor *t);
/* Constants that the host can read are looked at, and folded; none of another device is. */
bool agni_is_readable(const agn_tensor *t);
int32_t agni_ir_add_number(agni_ir *ir, double v, int dtype);
/* is v a normal number of a real floating dtype? Two numbers that make none stay apart. */
bool agni_ir_is_normal(double v, int dtype);
/* a constant of another IR */
int32_t agni_ir_take_constant(agni_ir *ir, const agni_ir_value *from);
/* An application to constants runs now, if its result is small: *first is its value. False: it is
   a node. True with ir->st: there was no memory. */
bool agni_ir_fold_constants(agni_ir *ir, const agni_call *c, int32_t *first);
/* A value of that shape; takes t over. -1 after a failure. */
int32_t agni_ir_add_value(agni_ir *ir, agn_tensor *t);

static inline const agni_pnode *agni_defined_by(const agni_ir *ir, int32_t v,
                                         const agni_op *op)
{
    int32_t k = ir->val[v].node;
    return k >= 0 && ir->node[k].op == op ? &ir->node[k] : NULL;
}
static inline int32_t agni_node_arg(const agni_ir *ir, const agni_pnode *n, int i)
{
    return ir->arg[n->arg + i];
}
/* what v repeats, or v */
static inline const agni_ir_value *agni_broadcast_source(const agni_ir *ir, int32_t v)
{
    const agni_pnode *wide = agni_defined_by(ir, v, &agni_op_broadcast_to);
    return &ir->val[wide ? agni_node_arg(ir, wide, 0) : v];
}

#endif
