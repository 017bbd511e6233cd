/* geometric/structure/adjacency.c - a graph as a sparse matrix, weights over degrees, connected
   components. */
#include "geometric/structure/structure.h"

#include <agnesi/ag.h>
#include <agnesi/sparse_graph.h>
#include <agnesi/sparse_layout.h>
#include <string.h>
#include <math.h>

static const agn_tensor *edge_coordinates(agn_scope *s, const agn_graph *g, bool other)
{
    int64_t m = g->edges, n = other ? 2 * m : m;
    agn_tensor *at = NULL;
    agn_status st = agni_tensor_make(&at, "graph_sparse", AGN_I64, 2, (int64_t[]){2, n}, AGN_CPU);
    int64_t *row = st ? NULL : at->data, *column = row ? row + n : NULL;
    for (int64_t e = 0; row && e < n; e++) {
        bool turned = e >= m;
        row[e] = agni_graph_end(g, turned ? AGN_GRAPH_DST : AGN_GRAPH_SRC, e % (m ? m : 1));
        column[e] = agni_graph_end(g, turned ? AGN_GRAPH_SRC : AGN_GRAPH_DST, e % (m ? m : 1));
    }
    return agn_scope_adopt(s, st, &at);
}

const agn_tensor *agni_graph_adjacency(agn_scope *s, const agn_graph *g, const agn_tensor *w,
                                       bool other)
{
    const agn_tensor *at = edge_coordinates(s, g, other);
    w = w ? agni_cast(s, w, agni_layer_dtype(w)) : agni_full(s, 1, AGN_F64, 1, &g->edges);
    if (other && w)
        w = ag_concat(s, (const agn_tensor *[]){w, w}, 2, 0);
    const agn_tensor *a = w && at ? ag_sparse_coo(s, 2, g->n, at, w) : NULL;
    return a ? ag_sparse_to_csr(s, ag_sparse_coalesce(s, a)) : NULL;
}

agn_status agn_graph_sparse(agn_tensor **out, const agn_graph *g, const agn_tensor *w)
{
    static const char op[] = "graph_sparse";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    agn_status st = w ? agni_check_edge_weights(op, g, w) : AGN_OK;
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    return agni_return(op, s, out, agni_graph_adjacency(s, g, w, false));
}

agn_status agn_graph_components(agn_tensor **labels, int64_t *count, const agn_graph *g,
                                bool strong)
{
    static const char op[] = "graph_components";
    AGNI_NEED(op, labels);
    AGNI_NEED(op, g);
    agn_status st = agni_check_one_kind(op, g);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a = agni_graph_adjacency(s, g, NULL, false);
    agn_tensor *y = NULL;
    int64_t n = 0;
    st = agn_scope_status(s);
    if (!st)
        st = agn_sparse_components(&y, &n, a, strong);
    agn_scope_return(s, labels, agn_scope_adopt(s, st, &y));
    st = agni_rename_error(op, agn_scope_close(s));
    if (!st && count)
        *count = n;
    return st;
}

/* ---- weights over degrees ------------------------------------------------------------------- */

/* What weights are divided by: their sums at each node of a side, infinite where these are not above
   0, NaN where they are no numbers. */
static const agn_tensor *find_divisor(agn_scope *s, const agn_graph *g, const agn_tensor *w,
                                      int32_t side)
{
    agni_at at = {&g->head, 0};
    const agn_tensor *d = agni_graph_copy(s, at, w, AGN_GRAPH_EDGE, side);
    const agn_tensor *zero = d ? agni_full_like(s, 0, d) : NULL, *none = ag_le(s, d, zero);
    if (!none)
        return NULL;
    d = ag_where(s, ag_isinf(s, d), agni_full_like(s, (double)NAN, d), d);
    return ag_where(s, none, agni_full_like(s, (double)INFINITY, zero), d);
}

agn_status agn_graph_normalize(agn_tensor **out, const agn_graph *g, const agn_tensor *w,
                               int32_t side)
{
    static const char op[] = "graph_normalize";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    agn_status st = w ? agni_check_edge_weights(op, g, w) : AGN_OK;
    if (!st && (side < AGN_GRAPH_SRC || side > AGN_GRAPH_EDGE))
        st = agni_fail(AGN_EARG, "%s: side %d is none of 0 to %d", op, side, AGN_GRAPH_EDGE);
    if (!st && side == AGN_GRAPH_EDGE)
        st = agni_check_one_kind(op, g);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    w = w ? agni_cast(s, w, agni_layer_dtype(w)) : agni_full(s, 1, AGN_F64, 1, &g->edges);
    bool both = side == AGN_GRAPH_EDGE;
    const agn_tensor *d = w ? find_divisor(s, g, w, both ? AGN_GRAPH_DST : side) : NULL, *y = NULL;
    d = d && both ? ag_sqrt(s, d) : d;
    if (d)
        y = agni_gsddmm(s, g, w, AGN_GRAPH_EDGE, d, both ? AGN_GRAPH_DST : side, AGN_MESSAGE_DIV);
    if (y && both)
        y = agni_gsddmm(s, g, y, AGN_GRAPH_EDGE, d, AGN_GRAPH_SRC, AGN_MESSAGE_DIV);
    return agni_return(op, s, out, y);
}
