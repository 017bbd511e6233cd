/* geometric/pool/readout.c - a row for each segment: sums weighed by a softmax (Li et al. 2016) and
   set to set (Vinyals, Bengio and Kudlur 2016). */
#include "geometric/layers/cells.h"
#include "geometric/segment/segment.h"

#include <agnesi/ag.h>
#include <agnesi/geometric_pool.h>
#include <agnesi/nn.h>

/* x weighed by the softmax of score [n] over each segment; of rows of any rank */
static const agn_tensor *weigh_nodes(agn_scope *s, const agn_graph *g, const agn_tensor *x,
                                     const agn_tensor *score)
{
    int64_t shape[AGNI_MAX_RANK] = {g->edges};
    for (int d = 1; d < x->ndim; d++)
        shape[d] = 1;
    const agn_tensor *a = agni_graph_softmax(s, (agni_at){&g->head, 0}, score, AGN_GRAPH_DST);
    a = a ? agni_reshape(s, a, x->ndim, shape) : NULL;
    agni_at at = {&g->head, x->ndim - 1};
    return a ? agni_graph_mul(s, at, x, AGN_GRAPH_EDGE, a, AGN_GRAPH_EDGE, AGN_GRAPH_DST, NULL)
             : NULL;
}

agn_status agn_geometric_attention_pool(agn_tensor **out, const agn_tensor *x,
                                        const agn_tensor *score, const agn_tensor *ids,
                                        int64_t segments)
{
    static const char op[] = "geometric_attention_pool";
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    AGNI_NEED(op, score);
    AGNI_NEED(op, ids);
    agn_status st = agni_require_dense(x, op);
    if (!st)
        st = agni_check_rows(op, "x", x, x->ndim ? x->shape[0] : 0);
    if (!st)
        st = agni_check_rows(op, "score", score, x->shape[0]);
    if (!st && score->ndim != 1)
        st = agni_fail(AGN_ESHAPE, "%s: score is %s with %d axes, one is needed", op,
                       AGNI_SHAPE(score), score->ndim);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_graph *g = agni_segment_graph(s, op, x, ids, segments);
    const agn_tensor *y = g ? agni_cast(s, x, agni_layer_dtype(x)) : NULL;
    return agni_return(op, s, out, y ? weigh_nodes(s, g, y, agni_cast(s, score, y->dtype)) : NULL);
}

/* ---- set to set ----------------------------------------------------------------------------- */

static const agn_tensor *read_sets(agn_scope *s, const agn_graph *g, const agn_tensor *x,
                                   const agn_tensor *w_in, const agn_tensor *w_state,
                                   const agn_tensor *bias, int32_t steps)
{
    int64_t f = x->shape[1], n = g->n[AGN_GRAPH_DST];
    const agn_tensor *both = agni_full(s, 0, x->dtype, 2, (int64_t[]){n, 2 * f});
    const agn_tensor *q = both ? agni_take_columns(s, both, 0, f) : NULL, *memory = q;
    for (int32_t k = 0; q && k < steps; k++) {
        const agn_tensor *gates = ag_add(s, ag_nn_linear(s, both, w_in, bias),
                                         ag_nn_linear(s, q, w_state, NULL));
        q = gates ? agni_step_lstm(s, gates, &memory, f) : NULL;
        const agn_tensor *score = NULL, *r = NULL;
        if (q)
            score = agni_gsddmm(s, g, x, AGN_GRAPH_EDGE, q, AGN_GRAPH_DST, AGN_MESSAGE_DOT);
        if (score)
            r = weigh_nodes(s, g, x, agni_reshape(s, score, 1, &g->edges));
        both = r ? ag_concat(s, (const agn_tensor *[]){q, r}, 2, 1) : NULL;
        q = both ? q : NULL;
    }
    return q ? both : NULL;
}

agn_status agn_geometric_set2set(agn_tensor **out, const agn_tensor *x, const agn_tensor *ids,
                                 int64_t segments, const agn_tensor *w_in,
                                 const agn_tensor *w_state, const agn_tensor *bias, int32_t steps)
{
    static const char op[] = "geometric_set2set";
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    AGNI_NEED(op, ids);
    AGNI_NEED(op, w_in);
    AGNI_NEED(op, w_state);
    agn_status st = agni_require_dense(x, op);
    if (!st)
        st = agni_check_node_rows(op, "x", x, x->ndim ? x->shape[0] : 0);
    int64_t f = st ? 0 : x->shape[1];
    if (!st)
        st = agni_check_layer_weight(op, "w_in", w_in, 2 * f);
    if (!st)
        st = agni_check_layer_weight(op, "w_state", w_state, f);
    if (!st && (w_in->shape[0] != 4 * f || w_state->shape[0] != 4 * f))
        st = agni_fail(AGN_ESHAPE, "%s: w_in is %s, w_state is %s: %lld rows are needed", op,
                       AGNI_SHAPE(w_in), AGNI_SHAPE(w_state), (long long)(4 * f));
    if (!st && bias)
        st = agni_check_layer_bias(op, bias, 4 * f);
    if (!st && steps < 0)
        st = agni_fail(AGN_EARG, "%s: %d steps, 0 or more are needed", op, steps);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_graph *g = agni_segment_graph(s, op, x, ids, segments);
    const agn_tensor *y = g ? agni_cast(s, x, agni_layer_dtype(x)) : NULL;
    return agni_return(op, s, out, y ? read_sets(s, g, y, w_in, w_state, bias, steps) : NULL);
}
