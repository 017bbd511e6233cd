/* graph/fusion/keep_values.c - rematerialisation or storage (Griewank and Walther 2008, chapter 12): a
   region that needs a sum over the batch computes the values of the region before it again, or reads
   them. What is dear to compute (a product with weights, a function that is no arithmetic) is kept
   for it, as long as all that is kept stays small; so a forward pass whose mean a reverse sweep needs
   first, as of a Rayleigh quotient, is computed once. Of many points little or nothing is kept. */
#include "graph/fusion/tile_forms.h"

/* bytes kept by a plan; terms of a product beyond which reading it takes less time */
enum { MOST_KEPT = 8 << 20, FEW_TERMS = 24, MOST_STAGES = 64 };

static bool is_dear(const agni_partition *c, const agni_ir *ir, int k)
{
    const agni_pnode *n = &ir->node[k];
    agni_elementwise_form f;
    if (c->mode[k] != AGNI_TILE || n->nout != 1 || ir->val[n->val].t->dtype == AGN_BOOL)
        return false;
    if (n->op == &agni_op_matmul) {
        const agn_tensor *x = ir->val[agni_node_arg(ir, n, 0)].t;
        return x->shape[x->ndim - 1] >= FEW_TERMS;
    }
    if (!agni_tile_elementwise_form(n->op, c->extent[c->group[k]].dtype, &f))
        return false;
    return f.kind == AGNI_T_EAGER_LOOP ||
           (f.kind == AGNI_T_MAP && f.f != AGNI_VM_neg && f.f != AGNI_VM_abs &&
            f.f != AGNI_VM_square && f.f != AGNI_VM_relu && f.f != AGNI_VM_sign &&
            f.f != AGNI_VM_recip && f.f != AGNI_VM_sqrt);
}

/* values that arrays outside of their group's regions are made of */
static void mark_outside(const agni_partition *c, const agni_ir *ir, bool *outside)
{
    for (int i = 0; i < ir->n_out; i++)
        outside[ir->out[i]] = true;
    for (int k = 0; k < ir->n_node; k++)
        for (int i = 0; i < ir->node[k].nin; i++) {
            int32_t v = agni_node_arg(ir, &ir->node[k], i), from = ir->val[v].node;
            outside[v] |= from < 0 || c->mode[k] == AGNI_WHOLE || c->group[k] != c->group[from];
        }
}

/* From the last node to the first: at[k] are the stages whose regions compute node k. */
void agni_partition_keep_values(agni_partition *c, const agni_ir *ir)
{
    uint64_t *at = agni_zalloc(((size_t)ir->n_node + 1) * sizeof *at);
    bool *outside = agni_zalloc((size_t)ir->n_val + 1);
    int64_t room = MOST_KEPT;
    if (outside)
        mark_outside(c, ir, outside);
    for (int k = ir->n_node - 1; at && outside && k >= 0; k--) {
        const agni_pnode *n = &ir->node[k];
        if (c->mode[k] == AGNI_WHOLE || c->at[k] >= MOST_STAGES)
            continue;
        const uint64_t first = 1ULL << c->at[k];
        const bool root = c->mode[k] == AGNI_REDUCE || c->stored[n->val];
        const int64_t bytes = agni_tensor_bytes(ir->val[n->val].t);
        if (!root && (at[k] & first) && at[k] != first && bytes <= room && !outside[n->val] &&
            is_dear(c, ir, k)) {
            c->stored[n->val] = c->kept[n->val] = true;
            room -= bytes;
        }
        if (c->mode[k] == AGNI_REDUCE || c->stored[n->val])
            at[k] = first;
        for (int i = 0; i < n->nin; i++) {
            int32_t v = agni_node_arg(ir, n, i), from = ir->val[v].node;
            if (from >= 0 && c->axis[v] >= 0 && c->group[from] == c->group[k])
                at[from] |= c->stored[v] ? 0 : at[k];
        }
    }
    agni_free(at);
    agni_free(outside);
}
