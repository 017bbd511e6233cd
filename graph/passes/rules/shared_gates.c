/* graph/passes/rules/shared_gates.c - gelu(x) = x Phi(x), whose slope asks again for Phi(x) =
   erfc(-x / sqrt 2) / 2 (Hendrycks & Gimpel 2016): where a program has both, gelu is the product
   with what the slope computes. Left of 0 it has the error of that, x^2 / 2 units in the last place
   at most besides the kernel's own. */
#include "graph/passes/ir.h"

static const double root_half = 0.70710678118654752440;

typedef struct gate_search {
    const agni_ir *ir;
    bool *gated; /* of values: erfc(-x / sqrt 2) is there */
} gate_search;

static bool is_number(const agni_ir *ir, int32_t v, double want, double *sign)
{
    const agni_ir_value *q = agni_broadcast_source(ir, v);
    bool f32 = ir->val[v].t->dtype == AGN_F32;
    *sign = q->num < 0 ? -1 : 1;
    return q->constant && q->splat &&
           (f32 ? (float)(q->num * *sign) == (float)want : q->num * *sign == want);
}

/* x of an erfc(-x / sqrt 2); -1: it is none */
static int32_t match_gate(const agni_ir *ir, const agni_pnode *n)
{
    const agni_pnode *scaled =
        n->op == &agni_op_erfc ? agni_defined_by(ir, agni_node_arg(ir, n, 0), &agni_op_mul) : NULL;
    double sign;
    for (int i = 0; scaled && i < 2; i++) {
        int32_t x = agni_node_arg(ir, scaled, !i);
        if (is_number(ir, agni_node_arg(ir, scaled, i), root_half, &sign) && sign < 0 &&
            agni_same_shape(ir->val[x].t, ir->val[n->val].t))
            return x;
    }
    return -1;
}

/* the earlier operand first, as rules order products: equal ones are then one */
static int32_t emit_with(agni_ir *ir, const agni_op *op, int32_t x, double c)
{
    int32_t number = x < 0 ? -1 : agni_ir_add_number(ir, c, ir->val[x].t->dtype);
    int32_t arg[2] = {x < number ? x : number, x < number ? number : x};
    return number < 0 ? -1 : agni_emit_node(ir, op, NULL, 2, arg);
}

static int32_t share_gate(void *user, agni_ir *ir, int k, const int32_t *arg)
{
    const gate_search *q = user;
    const agni_pnode *n = &q->ir->node[k];
    if (n->op != &agni_op_gelu || !q->gated[agni_node_arg(q->ir, n, 0)])
        return -1;
    int32_t z = emit_with(ir, &agni_op_mul, arg[0], -root_half);
    z = z < 0 ? -1 : agni_emit_node(ir, &agni_op_erfc, NULL, 1, &z);
    int32_t gate = emit_with(ir, &agni_op_mul, z, 0.5);
    int32_t x = emit_with(ir, &agni_op_maximum, arg[0], -1000); /* -inf times 0 is no number */
    return x < 0 || gate < 0 ? -1 : agni_emit_node(ir, &agni_op_mul, NULL, 2, (int32_t[]){x, gate});
}

agn_status agni_ir_share_gates(agni_ir **ir)
{
    gate_search q = {*ir, agni_zalloc((size_t)(*ir)->n_val + 1)};
    agni_ir *next = NULL;
    bool any = false;
    if (!q.gated)
        return agni_nomem("compile", (size_t)(*ir)->n_val);
    for (int k = 0; k < (*ir)->n_node; k++) {
        int32_t x = match_gate(*ir, &(*ir)->node[k]);
        if (x >= 0)
            q.gated[x] = true;
    }
    for (int k = 0; k < (*ir)->n_node && !any; k++)
        any = (*ir)->node[k].op == &agni_op_gelu &&
              q.gated[agni_node_arg(*ir, &(*ir)->node[k], 0)];
    agn_status st = any ? agni_ir_copy(&next, *ir, share_gate, &q) : AGN_OK;
    agni_free(q.gated);
    if (next) {
        agni_ir_free(*ir);
        *ir = next;
    }
    return st;
}
