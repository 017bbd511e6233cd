/* graph/passes/rules/rules.h - algebraic simplification: what its rules match and emit. */
#ifndef AGNI_GRAPH_RULES_H
#define AGNI_GRAPH_RULES_H
#include "graph/passes/ir.h"

#include <math.h>
#include <string.h>

/* The value that op(arg) is, or NONE where the rule says nothing. It looks at the application and
   at how its arguments were made, and costs a constant. */
typedef int32_t agni_rewrite_rule(agni_ir *ir, const agni_op *op, const agni_attr *at,
                                  const int32_t *arg);
enum { NONE = -1 };
/* elements from which on a permutation is moved behind the ops that read it */
enum { LARGE_PERMUTED = 1 << 18 };

/* views.c */
agni_rewrite_rule agni_simplify_reshape, agni_simplify_broadcast_to, agni_simplify_permute,
    agni_simplify_slice;
/* arithmetic.c */
agni_rewrite_rule agni_simplify_sum, agni_simplify_add, agni_simplify_sub, agni_simplify_mul,
    agni_simplify_mulz, agni_simplify_div, agni_simplify_neg;
/* select.c */
agni_rewrite_rule agni_simplify_where, agni_simplify_cast, agni_simplify_not_equal,
    agni_simplify_first, agni_simplify_less, agni_simplify_truth;
int32_t agni_hoist_reshape(agni_ir *ir, const agni_op *op, const agni_attr *at, int nin,
                           const int32_t *arg);
int32_t agni_sum_truths_before_view(agni_ir *ir, const agni_attr *at, int32_t v, const bool *gone,
                                    int n, const int64_t *shape);
/* matmul.c */
agni_rewrite_rule agni_simplify_matmul;

/* A slice of an element-wise function of concats, as that function of slices (concat.c). */
int32_t agni_slice_elementwise_of_concat(agni_ir *ir, const agni_attr *at, int32_t v);
/* The sum of two values that are disjoint pieces padded with zeros, as a concat (scatter_sum.c). */
int32_t agni_simplify_scatter_sum(agni_ir *ir, const int32_t *arg);
/* The sum of two products of few rows as one product (matmul_sum.c). */
int32_t agni_simplify_matmul_sum(agni_ir *ir, const int32_t *arg);
/* A product with an identity or diagonal matrix (identity_matmul.c). */
int32_t agni_simplify_identity_matmul(agni_ir *ir, const int32_t *arg);
/* Element by element on rows that were two axes; their sums; sums of products as products of
   matrices; products of a matrix with vectors in lanes (contraction.c). */
int32_t agni_hoist_merge(agni_ir *ir, const agni_op *op, const agni_attr *at, int nin,
                         const int32_t *arg);
int32_t agni_sum_before_merge(agni_ir *ir, int32_t v, const bool *gone, int n,
                              const int64_t *shape);
int32_t agni_sum_of_products(agni_ir *ir, int32_t v, const bool *gone, int n,
                             const int64_t *shape);
/* Factors that do not vary along the axes of a sum, before it (sum_factors.c). */
int32_t agni_sum_without_factors(agni_ir *ir, const agni_op *op, const agni_attr *at, int32_t v,
                                 const bool *gone, int n, const int64_t *shape);
int32_t agni_simplify_lanes(agni_ir *ir, const int32_t *arg);
/* A product that sums over lanes and the batch, lane by lane (split_contraction.c). */
int32_t agni_simplify_split_contraction(agni_ir *ir, const int32_t *arg);

static inline const agn_tensor *value_tensor(const agni_ir *ir, int32_t v)
{
    return ir->val[v].t;
}
static inline int32_t emit_unary(agni_ir *ir, const agni_op *op, int32_t a)
{
    return a < 0 ? a : agni_emit_node(ir, op, NULL, 1, &a);
}
static inline int32_t emit_binary(agni_ir *ir, const agni_op *op, int32_t a, int32_t b)
{
    return a < 0 || b < 0 ? NONE : agni_emit_node(ir, op, NULL, 2, (int32_t[]){a, b});
}
static inline int32_t emit_shaped(agni_ir *ir, const agni_op *op, int32_t v, int ndim,
                                  const int64_t *shape)
{
    if (v < 0)
        return v;
    const agn_tensor *t = value_tensor(ir, v);
    if (t->ndim == ndim && (!ndim || !memcmp(t->shape, shape, (size_t)ndim * sizeof *shape)))
        return v;
    return agni_emit_node(ir, op, &(agni_attr){.ni = ndim, .i = shape}, 1, &v);
}
static inline int32_t emit_reshape(agni_ir *ir, int32_t v, int ndim, const int64_t *shape)
{
    return emit_shaped(ir, &agni_op_reshape, v, ndim, shape);
}
static inline int32_t emit_broadcast(agni_ir *ir, int32_t v, int ndim, const int64_t *shape)
{
    return emit_shaped(ir, &agni_op_broadcast_to, v, ndim, shape);
}
/* v as a result of op(arg) would be: same elements, their shape */
static inline int32_t broadcast_like_result(agni_ir *ir, int32_t v, int nin, const int32_t *arg)
{
    agni_meta m = {0};
    for (int i = 0; i < nin; i++)
        agni_broadcast_into(&m, value_tensor(ir, arg[i])->ndim, value_tensor(ir, arg[i])->shape);
    return emit_broadcast(ir, v, m.ndim, m.shape);
}
static inline bool match_number(const agni_ir *ir, int32_t v, double *num)
{
    const agni_ir_value *q = agni_broadcast_source(ir, v);
    *num = q->num;
    return q->constant && q->splat;
}
/* zero of a sign, or of any where none is seen */
static inline bool is_zero(const agni_ir *ir, int32_t v, bool negative)
{
    double num;
    return match_number(ir, v, &num) && num == 0 && (!ir->sign || signbit(num) == negative);
}
static inline bool is_number(const agni_ir *ir, int32_t v, double want)
{
    double num;
    return match_number(ir, v, &num) && num == want;
}
/* v = x c with a number c */
static inline bool match_scaled(const agni_ir *ir, int32_t v, int32_t *x, double *c)
{
    const agni_pnode *n = agni_defined_by(ir, v, &agni_op_mul);
    for (int i = 0; n && i < 2; i++)
        if (match_number(ir, agni_node_arg(ir, n, i), c) &&
            agni_same_shape(value_tensor(ir, agni_node_arg(ir, n, !i)), value_tensor(ir, v))) {
            *x = agni_node_arg(ir, n, !i);
            return true;
        }
    return false;
}
static inline bool is_real(const agni_ir *ir, int32_t v)
{
    return agni_kind(value_tensor(ir, v)->dtype) == AGNI_KIND_FLOAT;
}
static inline int32_t emit_scaled(agni_ir *ir, int32_t x, double c)
{
    return x < 0 ? x
                 : emit_binary(ir, &agni_op_mul, x,
                               agni_ir_add_number(ir, c, value_tensor(ir, x)->dtype));
}
static inline int32_t match_negated(const agni_ir *ir, int32_t v)
{
    const agni_pnode *n = agni_defined_by(ir, v, &agni_op_neg);
    return n ? agni_node_arg(ir, n, 0) : NONE;
}

#endif
