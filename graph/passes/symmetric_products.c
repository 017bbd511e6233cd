/* graph/passes/symmetric_products.c - Gram matrices, X^T X: the kernel takes half the work where
   both operands are one array (SYRK of the BLAS; Dongarra et al. 1990). A transpose that something
   else reads as well, as the gradient X^T r of a Gauss-Newton step, may become part of a region and
   be stored beside X. So the product is given a transpose of its own, which is a view. */
#include "graph/passes/ir.h"

typedef struct product_search {
    const agni_ir *ir;
    int32_t *readers; /* of values */
} product_search;

/* Which operand of the matrix product n is the other one's transpose, read elsewhere; -1: none. */
static int find_shared_transpose(const product_search *q, const agni_pnode *n)
{
    if (n->op != &agni_op_matmul || q->ir->val[n->val].t->ndim != 2)
        return -1;
    for (int i = 0; i < 2; i++) {
        int32_t x = agni_node_arg(q->ir, n, i);
        const agni_pnode *turned = agni_defined_by(q->ir, x, &agni_op_permute);
        int32_t other = agni_node_arg(q->ir, n, !i);
        if (turned && q->readers[x] > 1 && agni_node_arg(q->ir, turned, 0) == other)
            return i;
    }
    return -1;
}

static int32_t separate_transpose(void *user, agni_ir *ir, int k, const int32_t *arg)
{
    const product_search *q = user;
    const agni_pnode *n = &q->ir->node[k];
    int which = find_shared_transpose(q, n);
    if (which < 0)
        return -1;
    int32_t transpose = agni_node_arg(q->ir, n, which);
    const agni_attr *at = q->ir->node[q->ir->val[transpose].node].at;
    bool shares = ir->shares;
    int32_t x[2] = {arg[0], arg[1]};
    ir->shares = false; /* else it is the one that there is */
    x[which] = agni_emit_node(ir, &agni_op_permute, at, 1, &arg[!which]);
    ir->shares = shares;
    return agni_emit_node(ir, &agni_op_matmul, n->at, 2, x);
}

agn_status agni_ir_separate_transposes(agni_ir **ir)
{
    product_search q = {*ir, agni_zalloc((size_t)((*ir)->n_val + 1) * sizeof *q.readers)};
    agni_ir *next = NULL;
    bool any = false;
    if (!q.readers)
        return agni_nomem("compile", (size_t)(*ir)->n_val * sizeof *q.readers);
    for (int i = 0; i < (*ir)->n_arg; i++)
        q.readers[(*ir)->arg[i]]++;
    for (int i = 0; i < (*ir)->n_out; i++)
        q.readers[(*ir)->out[i]]++;
    for (int k = 0; k < (*ir)->n_node && !any; k++)
        any = find_shared_transpose(&q, &(*ir)->node[k]) >= 0;
    agn_status st = any ? agni_ir_copy(&next, *ir, separate_transpose, &q) : AGN_OK;
    agni_free(q.readers);
    if (next) {
        agni_ir_free(*ir);
        *ir = next;
    }
    return st;
}
