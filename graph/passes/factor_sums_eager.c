/* graph/passes/factor_sums_eager.c - factoring by distributivity (factor_sums.c) while a call on
   symbols is recorded. */
#include "graph/passes/linear_terms.h"

AGNI_TLS_WORD int8_t factoring_mode; /* has a call of this thread been? -1: they stay as they are */

int agni_factoring_mode(int now)
{
    int was = factoring_mode;
    factoring_mode = (int8_t)now;
    return was;
}

typedef struct factored_call {
    const agni_ir *ir;
    const agn_tensor *const *extra; /* inputs behind those of the call */
    int n_in;
} factored_call;
static agn_status replay_factored(void *user, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    const factored_call *a = user;
    const agni_ir *ir = a->ir;
    const agn_tensor **val = agni_zalloc((size_t)(ir->n_val + 1) * sizeof *val),
                     **x = agni_alloc((size_t)(ir->n_arg + 1) * sizeof *x);
    if (!val || !x)
        agn_scope_fail(s, agni_nomem("trace", (size_t)ir->n_val * sizeof *val));
    for (int v = 0; v < ir->n_val && !agn_scope_status(s); v++) {
        const agni_ir_value *q = &ir->val[v];
        val[v] = q->constant           ? q->t
                 : q->input >= a->n_in ? a->extra[q->input - a->n_in]
                 : q->input >= 0       ? in[q->input]
                                       : NULL;
    }
    for (int k = 0; k < ir->n_node && !agn_scope_status(s); k++) {
        const agni_pnode *n = &ir->node[k];
        for (int i = 0; i < n->nin; i++)
            x[n->arg + i] = val[agni_node_arg(ir, n, i)];
        agni_apply_many_in(s, n->op, n->at, n->nin, x + n->arg, n->nout, val + n->val);
    }
    for (int o = 0; o < ir->n_out && !agn_scope_status(s); o++)
        out[o] = val[ir->out[o]];
    agni_free(val);
    agni_free(x);
    return agn_scope_status(s);
}

agn_status agni_factor_sums_of_call(agni_prog **live, uint64_t *first, const agn_tensor *const *in)
{
    agni_prog *p = *live, *stored = NULL;
    agni_ir *ir = NULL;
    const agni_ir *before;
    const agn_tensor **extra = NULL;
    int n_extra = 0;
    bool symbols = false;
    for (int i = 0; i < p->n_in; i++)
        symbols |= agni_is_symbolic(in[i]);
    if (!symbols || factoring_mode < 0)
        return AGN_OK;
    int32_t *times = agni_alloc((size_t)(p->n_val + 1) * sizeof *times);
    if (!times)
        return agni_nomem("trace", (size_t)p->n_val * sizeof *times);
    bool some = agni_may_factor_sums(p->node, p->n_node, p->arg, p->n_val, times);
    agni_free(times);
    if (!some)
        return AGN_OK;
    agn_status st = agni_prog_store(&stored, p, &n_extra, &extra);
    st = st ? st : agni_ir_make_cse(&ir, stored);
    before = ir;
    st = st ? st : agni_ir_factor_sums(&ir);
    if (!st && ir != before) {
        agni_prog *made = NULL;
        st = agni_trace_body(&made, first, replay_factored, &(factored_call){ir, extra, p->n_in},
                             p->n_in, in, p->n_out, false);
        if (!st) {
            agni_prog_release(p);
            *live = made;
            factoring_mode = 1;
        }
    }
    agni_ir_free(ir);
    agni_free(extra);
    agni_prog_release(stored);
    return st;
}
