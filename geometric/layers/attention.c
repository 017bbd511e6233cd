/* geometric/layers/attention.c - attention over the edges that reach a node: GAT (Velickovic et al.
   2018), GATv2 (Brody, Alon and Yahav 2022), scaled dot products (Shi et al. 2021) and SuperGAT
   (Kim and Oh 2021). Scores of edges are never written but by the last. */
#include "geometric/blocks/messages.h"
#include "geometric/kernels/attend.h"
#include "geometric/layers/layers.h"

#include <agnesi/ag.h>
#include <agnesi/nn.h>
#include <math.h>

/* [n, heads, f], heads and f those of like unless NULL */
static agn_status check_heads(const char *op, const char *what, const agn_tensor *x, int64_t n,
                              int64_t heads, int64_t f)
{
    agn_status st = agni_check_rows(op, what, x, n);
    if (!st &&
        (x->ndim != 3 || (heads >= 0 && x->shape[1] != heads) || (f >= 0 && x->shape[2] != f)))
        st = heads < 0 ? agni_fail(AGN_ESHAPE, "%s: %s is %s, [%lld,heads,f] is needed", op, what,
                                   AGNI_SHAPE(x), (long long)n)
             : f < 0   ? agni_fail(AGN_ESHAPE, "%s: %s is %s, [%lld,%lld,h] is needed", op, what,
                                   AGNI_SHAPE(x), (long long)n, (long long)heads)
                       : agni_fail(AGN_ESHAPE, "%s: %s is %s, [%lld,%lld,%lld] is needed", op, what,
                                   AGNI_SHAPE(x), (long long)n, (long long)heads, (long long)f);
    return st;
}

/* of a result of three arguments */
static int find_common_dtype(const agn_tensor *x, const agn_tensor *y, const agn_tensor *z)
{
    int dtype = agni_promote(agni_promote(x->dtype, y->dtype), z->dtype);
    return agni_kind(dtype) == AGNI_KIND_FLOAT ? dtype : AGN_F64;
}

/* [heads, f] as [1, heads, f] */
static const agn_tensor *lift_weights(agn_scope *s, const agn_tensor *a)
{
    return agni_reshape(s, a, 3, (int64_t[]){1, a->shape[0], a->shape[1]});
}

/* rows of both ends, v NULL: of one kind, and n weights [heads, f] by name */
static agn_status check_gat(const char *op, const agn_graph *g, const agn_tensor *u,
                            const agn_tensor *v, int n, const agn_tensor *const *w,
                            const char *const *names)
{
    agn_status st = check_heads(op, "u", u, g->n[AGN_GRAPH_SRC], -1, -1);
    if (!st)
        st = check_heads(op, v ? "v" : "u", v ? v : u, g->n[AGN_GRAPH_DST], u->shape[1],
                         u->shape[2]);
    for (int k = 0; !st && k < n; k++) {
        st = agni_check_parameter(op, names[k], w[k]);
        if (!st && (w[k]->ndim != 2 || w[k]->shape[0] != u->shape[1] ||
                    w[k]->shape[1] != u->shape[2]))
            st = agni_fail(AGN_ESHAPE, "%s: %s is %s, heads and elements of u %s are needed", op,
                           names[k], AGNI_SHAPE(w[k]), AGNI_SHAPE(u));
    }
    return st;
}
static const char *const both_ends[2] = {"s", "t"}, *const one_weight[1] = {"a"};

agn_status agn_graph_gat(agn_tensor **out, const agn_graph *g, const agn_tensor *u,
                         const agn_tensor *v, const agn_tensor *s, const agn_tensor *t,
                         double slope)
{
    static const char op[] = "graph_gat";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, u);
    AGNI_NEED(op, s);
    AGNI_NEED(op, t);
    agn_status st = check_gat(op, g, u, v, 2, (const agn_tensor *[]){s, t}, both_ends);
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

agn_status agn_graph_gatv2(agn_tensor **out, const agn_graph *g, const agn_tensor *u,
                           const agn_tensor *v, const agn_tensor *a, double slope)
{
    static const char op[] = "graph_gatv2";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, u);
    AGNI_NEED(op, a);
    agn_status st = check_gat(op, g, u, v, 1, &a, one_weight);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    int dtype = find_common_dtype(u, v ? v : u, a), wide = agni_dtypes[dtype].wide;
    const agn_tensor *far = agni_cast(s, u, wide),
                     *near = v && v != u ? agni_cast(s, v, wide) : far;
    agni_edge_scores q = {g, far, near, far, agni_cast(s, a, wide), slope};
    const agn_tensor *y = q.weight ? agni_block_attention(s, &q) : NULL;
    return agni_return(op, s, out, y ? agni_cast(s, y, dtype) : NULL);
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
    int dtype = find_common_dtype(query, key, value), wide = agni_dtypes[dtype].wide;
    const agn_tensor *near = ag_mul_c(s, agni_cast(s, query, wide), scale); /* nodes are fewer than edges */
    agni_edge_scores q = {g, agni_cast(s, key, wide), near, agni_cast(s, value, wide), NULL, 0};
    const agn_tensor *y = agni_block_attention(s, &q);
    return agni_return(op, s, out, y ? agni_cast(s, y, dtype) : NULL);
}

/* [edges, heads, 1] */
static const agn_tensor *score_gated(agn_scope *p, const agn_graph *g, const agn_tensor *u,
                                     const agn_tensor *v, const agn_tensor *s, const agn_tensor *t,
                                     double slope)
{
    const int64_t shape[3] = {g->edges, u->shape[1], 1};
    const agn_tensor *a = ag_mul(p, u, lift_weights(p, s)), *b = ag_mul(p, v, lift_weights(p, t));
    a = a ? agni_sum_axes(p, a, 1, (int64_t[]){-1}, true) : NULL;
    b = b ? agni_sum_axes(p, b, 1, (int64_t[]){-1}, true) : NULL;
    if (!a || !b)
        return NULL;
    a = agni_gsddmm(p, g, a, AGN_GRAPH_SRC, b, AGN_GRAPH_DST, AGN_MESSAGE_ADD);
    b = agni_gsddmm(p, g, u, AGN_GRAPH_SRC, v, AGN_GRAPH_DST, AGN_MESSAGE_DOT);
    b = b ? agni_reshape(p, b, 3, shape) : NULL;
    return ag_nn_leaky_relu(p, ag_mul(p, a, ag_sigmoid(p, b)), slope);
}

agn_status agn_graph_supergat(agn_tensor **out, const agn_graph *g, const agn_tensor *u,
                              const agn_tensor *v, const agn_tensor *s, const agn_tensor *t,
                              double slope)
{
    static const char op[] = "graph_supergat";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, u);
    AGNI_NEED(op, s);
    AGNI_NEED(op, t);
    agn_status st = check_gat(op, g, u, v, 2, (const agn_tensor *[]){s, t}, both_ends);
    if (st)
        return st;
    agn_scope *p = agn_scope_open(NULL);
    int dtype = find_common_dtype(u, s, t);
    const agn_tensor *far = agni_cast(p, u, dtype), *y = NULL,
                     *near = v && v != u ? agni_cast(p, v, dtype) : far;
    const agn_tensor *a = far && near ? score_gated(p, g, far, near, s, t, slope) : NULL;
    const agni_at at = {&g->head, 2};
    a = a ? agni_graph_softmax(p, at, agni_cast(p, a, dtype), AGN_GRAPH_DST) : NULL;
    if (a)
        y = agni_graph_mul(p, at, far, AGN_GRAPH_SRC, a, AGN_GRAPH_EDGE, AGN_GRAPH_DST, NULL);
    return agni_return(op, p, out, y);
}
