/* graph/passes/rules/concat.c - algebraic simplification: element-wise functions of concats are
   computed part by part where only parts are read. */
#include "graph/passes/rules/rules.h"

bool agni_is_leading_slice(const agn_tensor *t, const agni_attr *at)
{
    int n = at ? at->ni / 3 : 0;
    bool part = n == t->ndim && n > 1 && at->i[1] == 1 && at->i[2] < t->shape[0];
    for (int k = 1; part && k < n; k++)
        part = at->i[3 * k] == 0 && at->i[3 * k + 1] == 1 && at->i[3 * k + 2] == t->shape[k];
    return part;
}

/* the concat along the first axis that v is, or is an element-wise function of; NULL for none */
static const agni_pnode *find_concat(const agni_ir *ir, int32_t v)
{
    const agni_pnode *p = agni_defined_by(ir, v, &agni_op_concat);
    if (p)
        return p->at->i[0] == -value_tensor(ir, v)->ndim ? p : NULL;
    p = ir->val[v].read_in_slices && ir->val[v].node >= 0 ? &ir->node[ir->val[v].node] : NULL;
    const agni_pnode *found = NULL;
    for (int i = 0; p && i < p->nin && !found; i++)
        found = find_concat(ir, agni_node_arg(ir, p, i));
    return found;
}
/* slice(f(concat(a, b), c)) = f(a, slice(c)) for element-wise f whose readers are slices.
   Equations with several unknowns compute all of them in one value and read them one by one. */
int32_t agni_slice_elementwise_of_concat(agni_ir *ir, const agni_attr *at, int32_t v)
{
    enum { LEAST = 256 }; /* numbers of a part: on fewer one op costs what three do */
    const agn_tensor *t = value_tensor(ir, v);
    const agni_pnode *p = ir->val[v].read_in_slices && ir->val[v].node >= 0
                              ? &ir->node[ir->val[v].node]
                              : NULL;
    int32_t a[3];
    if (!p || p->op->ew < 0 || p->nin > 3 || !agni_is_leading_slice(t, at) ||
        at->i[2] * (t->size / t->shape[0]) < LEAST || !find_concat(ir, v))
        return NONE;
    agni_pnode n = *p; /* emitting moves nodes */
    for (int i = 0; i < n.nin; i++)
        a[i] = agni_node_arg(ir, &n, i);
    for (int i = 0; i < n.nin; i++) {
        const agn_tensor *x = value_tensor(ir, a[i]);
        int64_t part[3 * AGNI_MAX_RANK];
        if (x->ndim < t->ndim || x->shape[0] == 1)
            continue;
        memcpy(part, at->i, (size_t)at->ni * sizeof *part);
        for (int k = 1; k < x->ndim; k++)
            part[3 * k + 2] = x->shape[k];
        a[i] = agni_emit_node(ir, &agni_op_slice, &(agni_attr){.ni = at->ni, .i = part}, 1, &a[i]);
        if (a[i] < 0)
            return a[i];
    }
    return agni_emit_node(ir, n.op, n.at, n.nin, a);
}

int32_t agni_concat_of_elementwise(agni_ir *ir, int32_t v)
{
    enum { MOST = 8 };
    const agn_tensor *t = value_tensor(ir, v);
    const agni_pnode *p = ir->val[v].node >= 0 && t->ndim > 1 ? find_concat(ir, v) : NULL;
    int32_t part[MOST];
    int64_t size[MOST], at[3 * AGNI_MAX_RANK] = {0}, axis = -t->ndim;
    if (!p || p->nin > MOST || value_tensor(ir, agni_node_arg(ir, p, 0))->ndim != t->ndim ||
        ir->node[ir->val[v].node].op == &agni_op_concat)
        return v;
    int n = p->nin;
    for (int i = 0; i < n; i++) {
        size[i] = value_tensor(ir, agni_node_arg(ir, p, i))->shape[0];
        at[0] += size[i];
    }
    if (at[0] != t->shape[0]) /* of a broadcast operand */
        return v;
    at[0] = 0;
    for (int k = 0; k < t->ndim; k++) {
        at[3 * k + 1] = 1;
        at[3 * k + 2] = t->shape[k];
    }
    for (int i = 0; i < n; i++, at[0] += at[2]) {
        at[2] = size[i];
        part[i] = agni_slice_elementwise_of_concat(
            ir, &(agni_attr){.ni = 3 * value_tensor(ir, v)->ndim, .i = at}, v);
        if (part[i] < 0)
            return ir->st ? part[i] : v;
    }
    return agni_emit_node(ir, &agni_op_concat, &(agni_attr){.ni = 1, .i = &axis}, n, part);
}
