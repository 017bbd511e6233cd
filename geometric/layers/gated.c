/* geometric/layers/gated.c - layers with gates: gated graph sequences (Li et al. 2016), whose nodes
   keep a state, and residual gated convolutions (Bresson and Laurent 2017), whose edges have a gate
   each. */
#include "geometric/blocks/messages.h"
#include "geometric/layers/cells.h"

#include <agnesi/ag.h>
#include <agnesi/nn.h>

/* w [steps, f, f], the others as in a cell of three gates */
static agn_status check_gates(const char *op, const agn_tensor *w, int64_t f,
                              const agn_tensor *const gate[2], const agn_tensor *const bias[2])
{
    static const char *const names[2] = {"w_in", "w_state"};
    agn_status st = agni_check_parameter(op, "w", w);
    if (!st && (w->ndim != 3 || w->shape[1] != f || w->shape[2] != f))
        st = agni_fail(AGN_ESHAPE, "%s: w is %s, [steps,%lld,%lld] is needed", op, AGNI_SHAPE(w),
                       (long long)f, (long long)f);
    for (int k = 0; !st && k < 2; k++) {
        st = agni_check_layer_weight(op, names[k], gate[k], f);
        if (!st && gate[k]->shape[0] != 3 * f)
            st = agni_fail(AGN_ESHAPE, "%s: %s is %s, %lld rows are needed", op, names[k],
                           AGNI_SHAPE(gate[k]), (long long)(3 * f));
        if (!st && bias[k])
            st = agni_check_layer_bias(op, bias[k], 3 * f);
    }
    return st;
}

agn_status agn_graph_gated(agn_tensor **out, const agn_graph *g, const agn_tensor *x,
                           const agn_tensor *weights, const agn_tensor *w, const agn_tensor *w_in,
                           const agn_tensor *w_state, const agn_tensor *b_in,
                           const agn_tensor *b_state)
{
    static const char op[] = "graph_gated";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, x);
    AGNI_NEED(op, w);
    AGNI_NEED(op, w_in);
    AGNI_NEED(op, w_state);
    const agn_tensor *gate[2] = {w_in, w_state}, *bias[2] = {b_in, b_state};
    agn_status st = agni_check_one_kind(op, g);
    if (!st)
        st = agni_check_node_rows(op, "x", x, g->n[AGN_GRAPH_SRC]);
    if (!st && weights)
        st = agni_check_edge_weights(op, g, weights);
    int64_t f = st ? 0 : x->shape[1];
    if (!st)
        st = check_gates(op, w, f, gate, bias);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    int dtype = agni_layer_dtype(x);
    const agn_tensor *h = agni_cast(s, x, dtype), *e = NULL;
    if (weights)
        e = agni_reshape(s, agni_cast(s, weights, dtype), 2, (int64_t[]){g->edges, 1});
    for (int k = 0; k < 2; k++) {
        gate[k] = agni_cast(s, gate[k], dtype);
        bias[k] = bias[k] ? agni_cast(s, bias[k], dtype) : NULL;
    }
    w = agni_cast(s, w, dtype);
    for (int64_t k = 0; !agn_scope_status(s) && k < w->shape[0]; k++) {
        const agn_tensor *m = ag_nn_linear(s, h, ag_index_axis(s, w, 0, k), NULL);
        if (m)
            m = agni_gspmm(s, g, m, e, e ? AGN_MESSAGE_MUL : AGN_MESSAGE_COPY, AGN_GEOMETRIC_SUM);
        h = agni_step_gru(s, ag_nn_linear(s, m, gate[0], bias[0]),
                          ag_nn_linear(s, h, gate[1], bias[1]), h, f);
    }
    return agni_return(op, s, out, h);
}

/* near, far, value */
static agn_status gate_body(void *user, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    (void)user;
    out[0] = ag_mul(s, ag_sigmoid(s, ag_add(s, in[0], in[1])), in[2]);
    return agn_scope_status(s);
}

agn_status agn_graph_res_gated(agn_tensor **out, const agn_graph *g, const agn_tensor *key,
                               const agn_tensor *query, const agn_tensor *value)
{
    static const char op[] = "graph_res_gated";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, key);
    AGNI_NEED(op, query);
    AGNI_NEED(op, value);
    agn_status st = agni_check_rows(op, "key", key, g->n[AGN_GRAPH_DST]);
    if (!st)
        st = agni_check_rows(op, "query", query, g->n[AGN_GRAPH_SRC]);
    if (!st)
        st = agni_check_rows(op, "value", value, g->n[AGN_GRAPH_SRC]);
    if (!st)
        st = agni_check_row_shapes(op, "query", query, key);
    if (!st)
        st = agni_check_row_shapes(op, "value", value, key);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    int dtype = agni_layer_dtype(value);
    agni_messages m = {
        .g = g,
        .body = {gate_body, NULL},
        .n = 3,
        .n_out = 1,
        .in = {agni_cast(s, key, dtype), agni_cast(s, query, dtype), agni_cast(s, value, dtype)},
        .side = {AGN_GRAPH_DST, AGN_GRAPH_SRC, AGN_GRAPH_SRC},
        .target = {AGN_GRAPH_DST}};
    const agn_tensor *y = NULL;
    if (!agn_scope_status(s))
        agni_run_messages(s, &m, &y);
    return agni_return(op, s, out, y);
}
