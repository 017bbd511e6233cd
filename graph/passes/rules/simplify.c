/* graph/passes/rules/simplify.c - algebraic simplification, a table of rules. Each looks at
   the application and at how its arguments were made, and costs a constant; agni_emit_node asks
   for every node, and the program is built again until nothing changes.

   Rules keep the value for every argument, NaN and infinity included, with six exceptions: gelu
   beside its slope (shared_gates.c); sums of all elements of a permutation, which are added in the
   order that they lie in;
   products that say mulz (see may_relax_mulz in arithmetic.c), products with numbers and sums of
   them with one number, and sums of products (matmul_sum.c, contraction.c, sum_factors.c,
   like_terms.c): these two are formed in another order and round, overflow and underflow
   accordingly; and products with an identity matrix (identity_matmul.c), whose zeros meet no
   infinity. They keep the sign of a zero wherever it can be seen (ir->sign): by an op that makes
   another number of it, a value on a branch cut or 1 / x, or in a result. A mulz that is a result,
   and no op's business, may be 0 or -0: derivatives are full of them. */
#include "graph/passes/rules/rules.h"

/* ---- identities --------------------------------------------------------------------------- */

static int32_t simplify_identity(agni_ir *ir, const agni_op *op, const agni_attr *at,
                                 const int32_t *arg)
{
    (void)ir, (void)op, (void)at;
    return arg[0];
}
static int32_t simplify_involution(agni_ir *ir, const agni_op *op, const agni_attr *at,
                                   const int32_t *arg)
{
    const agni_pnode *n = agni_defined_by(ir, arg[0], op);
    (void)at;
    return n ? agni_node_arg(ir, n, 0) : NONE;
}

/* ---- element-wise ops and repeated operands -------------------------------------------------- */

/* op(repeat a, repeat b) = repeat op(a, b), and operands repeat by themselves */
static int32_t hoist_broadcast(agni_ir *ir, const agni_op *op, const agni_attr *at, int nin,
                               const int32_t *arg)
{
    int32_t a[3];
    bool any = false;
    agni_meta m = {0};
    for (int i = 0; i < nin; i++) {
        const agni_pnode *p = agni_defined_by(ir, arg[i], &agni_op_broadcast_to);
        a[i] = p ? agni_node_arg(ir, p, 0) : arg[i];
        any |= p != NULL;
        agni_broadcast_into(&m, value_tensor(ir, arg[i])->ndim, value_tensor(ir, arg[i])->shape);
    }
    if (!any)
        return NONE;
    return emit_broadcast(ir, agni_emit_node(ir, op, at, nin, a), m.ndim, m.shape);
}

/* ---- element-wise ops and transposed operands ------------------------------------------------ */

/* op(permute a, permute b) = permute op(a, b) of the same axes, and of single numbers beside them:
   large values keep the order that they were made in, and the last permutation is undone, or is a
   copy once. Small ones stay as they are: they are in the caches, and may be parts of regions. */
static int32_t hoist_permute(agni_ir *ir, const agni_op *op, const agni_attr *at, int nin,
                             const int32_t *arg)
{
    int32_t a[3];
    int64_t axes[AGNI_MAX_RANK];
    const agni_pnode *first = NULL;
    for (int i = 0; i < nin; i++) {
        const agn_tensor *t = value_tensor(ir, arg[i]);
        const agni_pnode *p = agni_defined_by(ir, arg[i], &agni_op_permute);
        a[i] = p ? agni_node_arg(ir, p, 0) : arg[i];
        if (!p && t->size == 1 && t->ndim == 0)
            continue;
        if (!p || t->size < LARGE_PERMUTED ||
            (first && (p->at->ni != first->at->ni ||
                       memcmp(p->at->i, first->at->i, (size_t)p->at->ni * sizeof *axes) ||
                       !agni_same_shape(value_tensor(ir, a[i]),
                                        value_tensor(ir, agni_node_arg(ir, first, 0))))))
            return NONE;
        first = p;
    }
    if (!first)
        return NONE;
    agni_attr back = {.ni = first->at->ni, .i = axes};
    memcpy(axes, first->at->i, (size_t)back.ni * sizeof *axes);
    int32_t v = agni_emit_node(ir, op, at, nin, a);
    return v < 0 ? v : agni_emit_node(ir, &agni_op_permute, &back, 1, &v);
}

/* ---- the table ------------------------------------------------------------------------------- */

static const struct {
    const agni_op *op;
    agni_rewrite_rule *apply;
} rules[] = {
    {&agni_op_watch, simplify_identity},
    {&agni_op_stop_gradient, simplify_identity},
    {&agni_op_copy, simplify_identity},
    {&agni_op_cast, agni_simplify_cast},
    {&agni_op_conj, simplify_involution},
    {&agni_op_reshape, agni_simplify_reshape},
    {&agni_op_broadcast_to, agni_simplify_broadcast_to},
    {&agni_op_permute, agni_simplify_permute},
    {&agni_op_slice, agni_simplify_slice},
    {&agni_op_unslice, agni_simplify_slice},
    {&agni_op_sum, agni_simplify_sum},
    {&agni_op_add, agni_simplify_add},
    {&agni_op_sub, agni_simplify_sub},
    {&agni_op_mul, agni_simplify_mul},
    {&agni_op_mulz, agni_simplify_mulz},
    {&agni_op_div, agni_simplify_div},
    {&agni_op_neg, agni_simplify_neg},
    {&agni_op_where, agni_simplify_where},
    {&agni_op_ne, agni_simplify_not_equal},
    {&agni_op_lt, agni_simplify_less},
    {&agni_op_logical_or, agni_simplify_truth},
    {&agni_op_logical_and, agni_simplify_truth},
    {&agni_op_first_min, agni_simplify_first},
    {&agni_op_first_max, agni_simplify_first},
    {&agni_op_matmul, agni_simplify_matmul},
};

int32_t agni_apply_rules(agni_ir *ir, const agni_op *op, const agni_attr *at, int nin,
                         const int32_t *arg)
{
    if (op->ew >= 0 && nin >= 1 && nin <= 3) {
        int32_t v = hoist_broadcast(ir, op, at, nin, arg);
        if (v >= 0 || ir->st)
            return v;
    }
    if (op->ew >= 0 && nin >= 1 && nin <= 3) {
        int32_t v = hoist_permute(ir, op, at, nin, arg);
        if (v >= 0 || ir->st)
            return v;
    }
    if (op->ew >= 0 && nin >= 1 && nin <= 3) {
        int32_t v = agni_hoist_merge(ir, op, at, nin, arg);
        if (v >= 0 || ir->st)
            return v;
    }
    if (op->ew >= 0 && op->result == AGNI_OUT_BOOL && nin >= 1 && nin <= 3) {
        int32_t v = agni_hoist_reshape(ir, op, at, nin, arg);
        if (v >= 0 || ir->st)
            return v;
    }
    if (op == &agni_op_concat && nin == 1)
        return arg[0];
    for (int r = 0; r < AGNI_COUNT(rules); r++)
        if (rules[r].op == op && nin >= 1)
            return rules[r].apply(ir, op, at, arg);
    return NONE;
}
