/* graph/passes/zero_signs.c - who sees the sign of a zero: a backward data-flow analysis, for rules
   that may turn 0 into -0. */
#include "graph/passes/source.h"

#include "tensor/rows/traits.h"

/* what a node leaves of the signs of its argument i, whose results' are seen as on says; an op
   without such a trait sees them */
static uint8_t transfer_zero_sign(const agni_pnode *n, int i, const agn_tensor *x,
                       const agn_tensor *y, uint8_t on)
{
    bool real = agni_kind(x->dtype) != AGNI_KIND_COMPLEX;
    unsigned traits = agni_op_traits(n->op);
    unsigned lost = AGNI_ZERO_LOST | (real ? AGNI_ZERO_LOST_REAL : 0);
    unsigned kept = AGNI_ZERO_KEPT | (real ? AGNI_ZERO_KEPT_REAL : 0) |
                    (i == 0 ? AGNI_ZERO_KEPT_FIRST : 0);
    bool alone = (n->op == &agni_op_sum && x->size == y->size) || /* nothing is added */
                 (n->op == &agni_op_matmul && x->ndim > 0 &&
                  x->shape[i == 0 || x->ndim == 1 ? x->ndim - 1 : x->ndim - 2] == 1);
    if ((traits & lost) && !alone)
        return 0;
    if (alone || (traits & kept))
        return on;
    return AGNI_SIGN_SEEN | AGNI_SIGN_SHOWN;
}

/* c + x and c - x, c without -0: the same for 0 and -0 */
static bool absorbs_zero_sign(const agni_ir *ir, const agni_pnode *n, int i)
{
    if (n->op != &agni_op_add && (n->op != &agni_op_sub || i == 0))
        return false;
    const agni_ir_value *other = agni_broadcast_source(ir, agni_node_arg(ir, n, !i)),
                        *own = agni_broadcast_source(ir, agni_node_arg(ir, n, i));
    /* what is known of a value that is no constant holds while its own sign is watched: of two
       such terms the second's is */
    return other->no_negative_zero && (other->constant || n->op == &agni_op_sub ||
                                       !own->no_negative_zero || i == 0);
}

void agni_analyse_zero_signs(agni_source *q)
{
    const agni_source_view *s = &q->of;
    for (int i = 0; i < s->n_out; i++)
        q->sign[s->out[i]] |= AGNI_SIGN_SHOWN;
    for (int k = s->n_node - 1; k >= 0; k--) {
        const agni_pnode *n = &s->node[k];
        uint8_t on = 0;
        for (int o = 0; o < n->nout; o++)
            on |= q->sign[n->val + o];
        for (int i = 0; i < n->nin; i++) {
            int32_t v = s->arg[n->arg + i];
            if (s->ir && absorbs_zero_sign(s->ir, n, i))
                continue;
            q->sign[v] |= transfer_zero_sign(n, i, agni_source_tensor(s, v),
                                             agni_source_tensor(s, n->val), on);
        }
    }
}
