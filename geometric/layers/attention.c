/* geometric/layers/attention.c - attention over the edges that reach a node: GAT (Velickovic et al. 2018) and
   scaled dot products (Shi et al. 2021). Scores are one number a head and edge; rows are never gathered.
   Only GATv2 (Brody, Alon and Yahav 2022) writes sums along edges, which it is not linear in. */
#include "geometric/kernels/attend.h"
#include "geometric/layers/layers.h"

#include <agnesi/ag.h>
#include <agnesi/nn.h>
#include <math.h>

/* [n, heads, f], heads and f those of like unless NULL */
static agn_status check_heads(const char *op, const char *what, const agn_tensor *x, int64_t n, int64_t heads,
                              int64_t f)
{
    agn_status st = agni_check_rows(op, what, x, n);
    if (!st && (x->ndim != 3 || (heads >= 0 && x->shape[1] != heads) || (f >= 0 && x->shape[2] != f)))
        st = heads < 0 ? agni_fail(AGN_ESHAPE, "%s: %s is %s, [%lld,heads,f] is needed", op, what,
                                   AGNI_SHAPE(x), (long long)n)
             : f < 0   ? agni_fail(AGN_ESHAPE, "%s: %s is %s, [%lld,%lld,h] is needed", op, what,
                                   AGNI_SHAPE(x), (long long)n, (long long)heads)
                       : agni_fail(AGN_ESHAPE, "%s: %s is %s, [%lld,%lld,%lld] is needed", op, what,
                                   AGNI_SHAPE(x), (long long)n, (long long)heads, (long long)f);
    return st;
}

/* softmax of scores [e, heads, 1], then the rows that they weigh */
static const agn_tensor *attend_edges(agn_scope *s, const agn_graph *g, const agn_tensor *score,
                                      const agn_tensor *rows)
{
    agni_at at = {&g->head, 2};
    const agn_tensor *a = score ? agni_graph_softmax(s, at, score, AGN_GRAPH_DST) : NULL;
    return a ? agni_gspmm(s, g, rows, a, AGN_MESSAGE_MUL, AGN_GEOMETRIC_SUM) : NULL;
}

/* x . a over the last axis, [n, heads, 1] */
static const agn_tensor *project_heads(agn_scope *s, const agn_tensor *x, const agn_tensor *a)
{
    const agn_tensor *p = ag_mul(s, x, a);
    return p ? agni_sum_axes(s, p, 1, (int64_t[]){-1}, true) : NULL;
}

/* [heads, f] as [1, heads, f] */
static const agn_tensor *lift_weights(agn_scope *s, const agn_tensor *a)
{
    return agni_reshape(s, a, 3, (int64_t[]){1, a->shape[0], a->shape[1]});
}

agn_status agn_graph_gat(agn_tensor **out, const agn_graph *g, const agn_tensor *u, const agn_tensor *v,
                         const agn_tensor *s, const agn_tensor *t, double slope)
{
    static const char op[] = "graph_gat";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, u);
    AGNI_NEED(op, s);
    AGNI_NEED(op, t);
    agn_status st = check_heads(op, "u", u, g->n[AGN_GRAPH_SRC], -1, -1);
    if (!st)
        st = check_heads(op, v ? "v" : "u", v ? v : u, g->n[AGN_GRAPH_DST], u->shape[1], u->shape[2]);
    for (int k = 0; !st && k < 2; k++) {
        const agn_tensor *a = k ? t : s;
        st = agni_require_dense(a, op);
        if (!st && (a->ndim != 2 || a->shape[0] != u->shape[1] || a->shape[1] != u->shape[2]))
            st = agni_fail(AGN_ESHAPE, "%s: %s is %s, heads and elements of u %s are needed", op, k ? "t" : "s",
                           AGNI_SHAPE(a), AGNI_SHAPE(u));
    }
    if (st)
        return st;
    agn_scope *p = agn_scope_open(NULL);
    agni_attending q = {&g->head, AGN_GRAPH_DST, 0, slope};
    const agn_tensor *rows = lift_weights(p, s), *own = lift_weights(p, t);
    if (!v || v == u)
        return agni_return(op, p, out, agni_graph_attention_layer(p, q, u, rows, own));
    const agn_tensor *a = agni_project_heads(p, u, rows), *b = agni_project_heads(p, v, own);
    const agn_tensor *l = a && b ? agni_graph_attend_norm(p, q, a, b) : NULL;
    return agni_return(op, p, out, l ? agni_graph_attend(p, q, a, b, l, u) : NULL);
}

agn_status agn_graph_gatv2(agn_tensor **out, const agn_graph *g, const agn_tensor *u, const agn_tensor *v,
                           const agn_tensor *a, double slope)
{
    static const char op[] = "graph_gatv2";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, u);
    AGNI_NEED(op, a);
    agn_status st = check_heads(op, "u", u, g->n[AGN_GRAPH_SRC], -1, -1);
    if (!st)
        st = check_heads(op, v ? "v" : "u", v ? v : u, g->n[AGN_GRAPH_DST], u->shape[1], u->shape[2]);
    if (!st)
        st = agni_require_dense(a, op);
    if (!st && (a->ndim != 2 || a->shape[0] != u->shape[1] || a->shape[1] != u->shape[2]))
        st = agni_fail(AGN_ESHAPE, "%s: a is %s, heads and elements of u %s are needed", op, AGNI_SHAPE(a),
                       AGNI_SHAPE(u));
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *sum = agni_gsddmm(s, g, u, AGN_GRAPH_SRC, v ? v : u, AGN_GRAPH_DST, AGN_MESSAGE_ADD);
    const agn_tensor *score = project_heads(s, ag_nn_leaky_relu(s, sum, slope), a);
    return agni_return(op, s, out, attend_edges(s, g, score, u));
}

agn_status agn_graph_attention(agn_tensor **out, const agn_graph *g, const agn_tensor *query,
                               const agn_tensor *key, const agn_tensor *value)
{
    static const char op[] = "graph_attention";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, query);
    AGNI_NEED(op, key);
    AGNI_NEED(op, value);
    agn_status st = check_heads(op, "query", query, g->n[AGN_GRAPH_DST], -1, -1);
    if (!st)
        st = check_heads(op, "key", key, g->n[AGN_GRAPH_SRC], query->shape[1], query->shape[2]);
    if (!st)
        st = check_heads(op, "value", value, g->n[AGN_GRAPH_SRC], query->shape[1], -1);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    double scale = query->shape[2] ? 1 / sqrt((double)query->shape[2]) : 1;
    const agn_tensor *q = ag_mul_c(s, query, scale); /* nodes are fewer than edges */
    const agn_tensor *score = q ? agni_gsddmm(s, g, key, AGN_GRAPH_SRC, q, AGN_GRAPH_DST, AGN_MESSAGE_DOT)
                                : NULL;
    return agni_return(op, s, out, attend_edges(s, g, score, value));
}
