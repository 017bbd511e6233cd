/* geometric/edit/paths.c - paths of two edges as edges (metapaths: Sun et al. 2011), and edges
   with the nodes that they touch. */
#include "geometric/graph/graph.h"
#include "geometric/sample/sample.h"

#include <agnesi/ag.h>
#include <agnesi/geometric_structure.h>
#include <agnesi/geometric_transform.h>

/* ---- two hops -------------------------------------------------------------------------------- */

/* all paths, those of an edge of g together */
static agn_status list_paths(const char *op, agni_integers *src, agni_integers *dst,
                             const agn_graph *g, const agn_graph *h)
{
    const agni_incidence *t = agni_graph_incidence(h, AGN_GRAPH_SRC);
    bool fits = t != NULL;
    for (int64_t e = 0; fits && e < g->edges; e++) {
        int64_t j = agni_graph_end(g, AGN_GRAPH_DST, e),
                hi = fits ? agni_read_index(t->begin, h->wide, j + 1) : 0;
        for (int64_t k = agni_read_index(t->begin, h->wide, j); fits && k < hi; k++)
            fits = agni_integers_add(src, agni_graph_end(g, AGN_GRAPH_SRC, e)) &&
                   agni_integers_add(dst, agni_read_index(t->other, h->wide, k));
    }
    return fits ? AGN_OK : agni_nomem(op, (size_t)(src->n + h->edges) * 4 * sizeof(int64_t));
}

/* how many of ids are each of the edges of to */
static const agn_tensor *count_ids(agn_scope *s, const char *op, const agn_graph *to,
                                   const agn_tensor *ids)
{
    agn_tensor *y = NULL;
    agn_status st = agni_tensor_make(&y, op, AGN_I64, 1, &to->edges, AGN_CPU);
    for (int64_t e = 0; !st && e < to->edges; e++)
        ((int64_t *)y->data)[e] = 0;
    for (int64_t k = 0; !st && k < ids->size; k++)
        ((int64_t *)y->data)[((const int64_t *)ids->data)[k]]++;
    return agn_scope_adopt(s, st, &y);
}

agn_status agn_graph_compose(agn_graph **out, agn_tensor **paths, const agn_graph *g,
                             const agn_graph *h)
{
    static const char op[] = "graph_compose";
    agni_integers src = {0}, dst = {0};
    agn_graph *all = NULL, *one = NULL;
    agn_tensor *ids = NULL;
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, h);
    if (g->n[AGN_GRAPH_DST] != h->n[AGN_GRAPH_SRC])
        return agni_fail(AGN_EARG, "%s: g has %lld destinations, h %lld sources", op,
                         (long long)g->n[AGN_GRAPH_DST], (long long)h->n[AGN_GRAPH_SRC]);
    agn_scope *s = agn_scope_open(NULL);
    agn_status st = list_paths(op, &src, &dst, g, h);
    if (!st)
        st = agni_graph_make(&all, op, g->n[AGN_GRAPH_SRC], h->n[AGN_GRAPH_DST], src.n, src.v,
                             dst.v);
    agni_free(src.v);
    agni_free(dst.v);
    if (!st)
        st = agni_rename_error(op, agn_graph_coalesce(&one, &ids, all));
    const agn_tensor *id = agn_scope_adopt(s, st, &ids);
    if (id && paths)
        agn_scope_return(s, paths, count_ids(s, op, one, id));
    agn_graph_release(all);
    st = agni_rename_error(op, agn_scope_close(s));
    if (st)
        agn_graph_release(one);
    else
        *out = one;
    return st;
}

/* ---- edges ----------------------------------------------------------------------------------- */

/* the numbers of the nodes that m edges touch: place[i] is what node i becomes */
static agn_status number_nodes(const char *op, const agn_graph *g, const int64_t *edge, int64_t m,
                               int64_t *place, agni_integers *names)
{
    int64_t n = g->n[AGN_GRAPH_SRC];
    bool fits = true;
    for (int64_t i = 0; i < n; i++)
        place[i] = -1;
    for (int64_t k = 0; k < m; k++)
        for (int side = 0; side < 2; side++)
            place[agni_graph_end(g, side, edge ? edge[k] : k)] = 0;
    for (int64_t i = 0; fits && i < n; i++)
        if (place[i] == 0) {
            place[i] = names->n;
            fits = agni_integers_add(names, i);
        }
    return fits ? AGN_OK : agni_nomem(op, (size_t)n * sizeof(int64_t));
}

agn_status agn_graph_edge_subgraph(agn_graph **out, agn_tensor **nodes, const agn_graph *g,
                                   const agn_tensor *edges)
{
    static const char op[] = "graph_edge_subgraph";
    agni_integers names = {0};
    agn_graph *y = NULL;
    int64_t m = 0, *room = NULL;
    AGNI_NEED(op, out);
    AGNI_NEED(op, nodes);
    AGNI_NEED(op, g);
    agn_status st = agni_check_one_kind(op, g);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const int64_t *edge = edges ? agni_read_integers(s, op, "edges", edges, &m) : NULL;
    m = edges ? m : g->edges;
    st = agn_scope_status(s);
    for (int64_t k = 0; !st && edge && k < m; k++)
        if (edge[k] < 0 || edge[k] >= g->edges)
            st = agni_fail(AGN_EINDEX, "%s: edges has %lld at %lld, out of range for %lld edges",
                           op, (long long)edge[k], (long long)k, (long long)g->edges);
    if (!st && !(room = agni_alloc((size_t)(g->n[AGN_GRAPH_SRC] + 2 * m + 1) * sizeof *room)))
        st = agni_nomem(op, (size_t)(g->n[AGN_GRAPH_SRC] + 2 * m) * sizeof *room);
    if (!st)
        st = number_nodes(op, g, edge, m, room, &names);
    if (!st) {
        int64_t *src = room + g->n[AGN_GRAPH_SRC], *dst = src + m;
        for (int64_t k = 0; k < m; k++) {
            src[k] = room[agni_graph_end(g, AGN_GRAPH_SRC, edge ? edge[k] : k)];
            dst[k] = room[agni_graph_end(g, AGN_GRAPH_DST, edge ? edge[k] : k)];
        }
        st = agni_graph_make(&y, op, names.n, names.n, m, src, dst);
    }
    if (!agn_scope_fail(s, st))
        agn_scope_return(s, nodes, agni_integers_tensor(s, &names));
    agni_free(room);
    agni_free(names.v);
    st = agni_rename_error(op, agn_scope_close(s));
    if (st)
        agn_graph_release(y);
    else
        *out = y;
    return st;
}
