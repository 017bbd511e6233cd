/* geometric/edit/choose.c - induced subgraphs, and graphs without edges that are drawn (Rong et al.
   2020). */
#include "geometric/edit/edit.h"
#include "geometric/sample/sample.h"

#include "core/random/philox.h"

#include <agnesi/ag.h>
#include <agnesi/geometric_transform.h>

agn_status agni_chosen_open(const char *op, int64_t most, agni_chosen *q)
{
    int64_t *v = most <= INT64_MAX / 64 ? agni_alloc((size_t)(3 * most + 1) * sizeof *v) : NULL;
    *q = (agni_chosen){v, NULL, NULL, 0};
    if (!v)
        return agni_nomem(op, most <= INT64_MAX / 64 ? (size_t)most * 3 * sizeof *v : SIZE_MAX);
    q->dst = v + most;
    q->edge = q->dst + most;
    return AGN_OK;
}

void agni_choose(agni_chosen *q, int64_t src, int64_t dst, int64_t edge)
{
    q->src[q->n] = src;
    q->dst[q->n] = dst;
    q->edge[q->n++] = edge;
}

agn_status agni_chosen_return(const char *op, agn_scope *s, agn_graph **out, agn_tensor **edges,
                              int64_t n_src, int64_t n_dst, agni_chosen *q)
{
    agn_graph *g = NULL;
    agn_status st = agn_scope_status(s);
    if (!st)
        st = agni_graph_make(&g, op, n_src, n_dst, q->n, q->src, q->dst);
    if (!agn_scope_fail(s, st) && edges)
        agn_scope_return(s, edges, ag_from_host(s, AGN_I64, 1, &q->n, q->edge));
    agni_free(q->src);
    st = agni_rename_error(op, agn_scope_close(s));
    if (st)
        agn_graph_release(g);
    else
        *out = g;
    return st;
}

agn_status agn_graph_subgraph(agn_graph **out, agn_tensor **edges, const agn_graph *g,
                              const agn_tensor *nodes)
{
    static const char op[] = "graph_subgraph";
    int64_t n = 0, *number = NULL;
    agni_chosen q = {0};
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, nodes);
    if (g->n[AGN_GRAPH_SRC] != g->n[AGN_GRAPH_DST])
        return agni_fail(AGN_EARG, "%s: the graph has %lld sources and %lld destinations", op,
                         (long long)g->n[AGN_GRAPH_SRC], (long long)g->n[AGN_GRAPH_DST]);
    agn_scope *s = agn_scope_open(NULL);
    const int64_t *node = agni_read_nodes(s, op, "nodes", nodes, g->n[AGN_GRAPH_SRC], &n);
    agn_status st = agn_scope_status(s);
    if (!st)
        st = agni_chosen_open(op, g->edges, &q);
    if (!st && !(number = agni_zalloc((size_t)(g->n[AGN_GRAPH_SRC] + 1) * sizeof *number)))
        st = agni_nomem(op, (size_t)g->n[AGN_GRAPH_SRC] * sizeof *number);
    for (int64_t i = 0; !st && i < n; i++) {
        if (number[node[i]])
            st = agni_fail(AGN_EARG, "%s: node %lld is there twice: %lld and %lld", op,
                           (long long)node[i], (long long)number[node[i]] - 1, (long long)i);
        number[node[i]] = i + 1;
    }
    for (int64_t e = 0; !st && e < g->edges; e++) {
        int64_t a = number[agni_graph_end(g, AGN_GRAPH_SRC, e)],
                b = number[agni_graph_end(g, AGN_GRAPH_DST, e)];
        if (a && b)
            agni_choose(&q, a - 1, b - 1, e);
    }
    agni_free(number);
    agn_scope_fail(s, st);
    return agni_chosen_return(op, s, out, edges, n, n, &q);
}

agn_status agn_graph_drop_edges(agn_graph **out, agn_tensor **edges, const agn_graph *g, double p,
                                const agn_tensor *key)
{
    static const char op[] = "graph_drop_edges";
    uint64_t sub = 0;
    agni_chosen q = {0};
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    if (!(p >= 0 && p <= 1))
        return agni_fail(AGN_EDOMAIN, "%s: p is %g, not in [0, 1]", op, p);
    agn_status st = agni_read_sample_key(op, key, &sub);
    if (!st)
        st = agni_chosen_open(op, g->edges, &q);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    for (int64_t e = 0; e < g->edges; e++)
        if (agni_philox_f64(sub, (uint64_t)e) >= p)
            agni_choose(&q, agni_graph_end(g, AGN_GRAPH_SRC, e),
                        agni_graph_end(g, AGN_GRAPH_DST, e), e);
    return agni_chosen_return(op, s, out, edges, g->n[AGN_GRAPH_SRC], g->n[AGN_GRAPH_DST], &q);
}
