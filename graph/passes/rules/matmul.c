/* graph/passes/rules/matmul.c - algebraic simplification of matrix products. */
#include "graph/passes/rules/rules.h"

/* a permute(b) = permute(b permute(a)) where b is large and a is not: b is read in the order in
   which it lies, and so is what follows (hoist_permute in simplify.c) */
static int32_t multiply_transposed(agni_ir *ir, const agni_op *op, const int32_t *arg)
{
    const agni_pnode *p = agni_defined_by(ir, arg[1], &agni_op_permute);
    const agn_tensor *a = value_tensor(ir, arg[0]), *b = value_tensor(ir, arg[1]);
    agni_attr turn = {.ni = 2, .i = (int64_t[]){-1, -2}};
    if (!p || p->at->ni != 2 || p->at->i[0] != -1 || b->size < LARGE_PERMUTED || a->ndim != 2 ||
        a->size >= LARGE_PERMUTED)
        return NONE;
    int32_t x = agni_node_arg(ir, p, 0); /* p moves when nodes are made */
    int32_t y = emit_binary(ir, op, x, agni_emit_node(ir, &agni_op_permute, &turn, 1, arg));
    return y < 0 ? y : agni_emit_node(ir, &agni_op_permute, &turn, 1, &y);
}

/* lanes that each repeat one row: (1 r) B = 1 (r B) in each */
static int32_t multiply_repeated_rows(agni_ir *ir, const agni_op *op, const int32_t *arg)
{
    const agni_pnode *p = agni_defined_by(ir, arg[0], &agni_op_broadcast_to);
    const agn_tensor *t = value_tensor(ir, arg[0]), *b = value_tensor(ir, arg[1]);
    int n = t->ndim, m = b->ndim;
    if (!p || n < 3 || m > n || m < 2 || t->shape[n - 2] == 1)
        return NONE;
    int32_t x = agni_node_arg(ir, p, 0);
    const agn_tensor *s = value_tensor(ir, x);
    int64_t few[AGNI_MAX_RANK], shape[AGNI_MAX_RANK];
    if (s->ndim > 1 && s->shape[s->ndim - 2] != 1)
        return NONE;
    for (int d = 0; d < m - 2; d++)
        if (b->shape[d] != 1 && b->shape[d] != t->shape[n - m + d])
            return NONE;
    memcpy(few, t->shape, (size_t)n * sizeof *few);
    memcpy(shape, t->shape, (size_t)n * sizeof *shape);
    few[n - 2] = 1;
    shape[n - 1] = b->shape[m - 1];
    return emit_broadcast(ir, emit_binary(ir, op, emit_broadcast(ir, x, n, few), arg[1]), n, shape);
}

/* A matrix that repeats one row or one column is not multiplied out:
     1 r B = 1 (r B)    A (c 1) = (A c) 1    (c 1) B = c (sum of B's rows)    A (1 r) alike   */
int32_t agni_simplify_matmul(agni_ir *ir, const agni_op *op, const agni_attr *at,
                             const int32_t *arg)
{
    (void)at;
    int32_t v = agni_simplify_identity_matmul(ir, arg);
    v = v >= 0 || ir->st ? v : agni_simplify_split_contraction(ir, arg);
    v = v >= 0 || ir->st ? v : agni_simplify_lanes(ir, arg);
    v = v >= 0 || ir->st ? v : multiply_repeated_rows(ir, op, arg);
    if (v >= 0)
        return v;
    for (int i = 0; i < 2; i++) {
        const agni_pnode *p = agni_defined_by(ir, arg[i], &agni_op_broadcast_to);
        const agn_tensor *t = value_tensor(ir, arg[i]);
        if (!p || t->ndim != 2 || value_tensor(ir, arg[!i])->ndim != 2)
            continue;
        int32_t x = agni_node_arg(ir, p, 0);
        int64_t full[2], d0 = 2 - value_tensor(ir, x)->ndim;
        for (int d = 0; d < 2; d++)
            full[d] = d < d0 ? 1 : value_tensor(ir, x)->shape[d - d0];
        int outer = i, inner = !i; /* rows of the left, columns of the right */
        int64_t shape[2] = {value_tensor(ir, arg[0])->shape[0], value_tensor(ir, arg[1])->shape[1]};
        bool ro = full[outer] == 1 && t->shape[outer] != 1;
        bool ri = full[inner] == 1 && t->shape[inner] != 1;
        if ((!ro && !ri) || (ri && ir->sign))
            continue;
        x = emit_reshape(ir, x, 2, full);
        int32_t other = arg[!i];
        if (ri) {
            int64_t a[2] = {1, i == 0 ? -2 : -1};
            other = agni_emit_node(ir, &agni_op_sum, &(agni_attr){.ni = 2, .i = a}, 1, &other);
        }
        return emit_broadcast(ir, emit_binary(ir, op, i == 0 ? x : other, i == 0 ? other : x), 2,
                              shape);
    }
    /* an inner axis of 1: an outer product, element by element */
    const agn_tensor *a = value_tensor(ir, arg[0]), *b = value_tensor(ir, arg[1]);
    if (a->ndim == 2 && b->ndim == 2 && a->shape[1] == 1 && !ir->sign &&
        agni_kind(a->dtype) >= AGNI_KIND_FLOAT)
        return emit_binary(ir, &agni_op_mul, arg[0], arg[1]);
    return multiply_transposed(ir, op, arg);
}
