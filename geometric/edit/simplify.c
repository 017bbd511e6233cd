/* geometric/edit/simplify.c - parallel edges joined, edges both ways, loops left out, line graphs
   (Whitney 1932; Harary and Norman 1960), all in time linear in their result. */
#include "geometric/edit/edit.h"

#include <agnesi/ag.h>
#include <agnesi/geometric_structure.h>

/* first[e]: the first edge with the ends of e. The edges that leave a node come by number; seen[]
   remembers the first of them that reached a node. */
static agn_status find_first(const char *op, const agn_graph *g, int64_t *first)
{
    const agni_incidence *t = agni_graph_incidence(g, AGN_GRAPH_SRC);
    int64_t *seen = agni_alloc((size_t)(g->n[AGN_GRAPH_DST] + 1) * sizeof *seen);
    if (!t || !seen) {
        agni_free(seen);
        return agni_nomem(op, (size_t)g->n[AGN_GRAPH_DST] * sizeof *seen);
    }
    for (int64_t j = 0; j < g->n[AGN_GRAPH_DST]; j++)
        seen[j] = -1;
    for (int64_t i = 0; i < g->n[AGN_GRAPH_SRC]; i++) {
        int64_t lo = agni_read_index(t->begin, g->wide, i),
                hi = agni_read_index(t->begin, g->wide, i + 1);
        for (int64_t k = lo; k < hi; k++) {
            int64_t j = agni_read_index(t->other, g->wide, k),
                    e = agni_listed_edge(g, t, k);
            if (seen[j] < 0)
                seen[j] = e;
            first[e] = seen[j];
        }
        for (int64_t k = lo; k < hi; k++)
            seen[agni_read_index(t->other, g->wide, k)] = -1;
    }
    agni_free(seen);
    return AGN_OK;
}

agn_status agn_graph_coalesce(agn_graph **out, agn_tensor **ids, const agn_graph *g)
{
    static const char op[] = "graph_coalesce";
    agni_chosen q = {0};
    agn_tensor *id = NULL;
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    agn_status st = agni_chosen_open(op, g->edges, &q);
    if (!st)
        st = agni_tensor_make(&id, op, AGN_I64, 1, &g->edges, AGN_CPU);
    if (!st)
        st = find_first(op, g, id->data);
    int64_t *at = id ? id->data : NULL;
    for (int64_t e = 0; !st && e < g->edges; e++) {
        if (at[e] == e) {
            agni_choose(&q, agni_graph_end(g, AGN_GRAPH_SRC, e),
                        agni_graph_end(g, AGN_GRAPH_DST, e), e);
            at[e] = q.n - 1;
        } else {
            at[e] = at[at[e]]; /* the first one is before it, and numbered */
        }
    }
    if (!st)
        st = agni_graph_make(out, op, g->n[AGN_GRAPH_SRC], g->n[AGN_GRAPH_DST], q.n, q.src, q.dst);
    agni_free(q.src);
    if (!st && ids)
        *ids = id;
    else
        agn_release(id);
    return st;
}

agn_status agn_graph_undirected(agn_graph **out, agn_tensor **edges, const agn_graph *g)
{
    static const char op[] = "graph_undirected";
    agni_chosen q = {0};
    agn_graph *both = NULL;
    int64_t *first = NULL;
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    int64_t m = g->edges;
    agn_status st = agni_check_one_kind(op, g);
    if (!st)
        st = agni_chosen_open(op, 2 * m, &q);
    for (int64_t e = 0; !st && e < m; e++)
        agni_choose(&q, agni_graph_end(g, AGN_GRAPH_SRC, e), agni_graph_end(g, AGN_GRAPH_DST, e),
                    e);
    for (int64_t e = 0; !st && e < m; e++)
        agni_choose(&q, q.dst[e], q.src[e], e);
    if (!st && !(first = agni_alloc((size_t)(2 * m + 1) * sizeof *first)))
        st = agni_nomem(op, (size_t)m * 2 * sizeof *first);
    if (!st)
        st = agni_graph_make(&both, op, g->n[AGN_GRAPH_SRC], g->n[AGN_GRAPH_DST], 2 * m, q.src,
                             q.dst);
    if (!st)
        st = find_first(op, both, first);
    q.n = 0;
    for (int64_t e = 0; !st && e < 2 * m; e++)
        if (first[e] == e)
            agni_choose(&q, q.src[e], q.dst[e], q.edge[e]);
    agni_free(first);
    agn_graph_release(both);
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_fail(s, st);
    return agni_chosen_return(op, s, out, edges, g->n[AGN_GRAPH_SRC], g->n[AGN_GRAPH_DST], &q);
}

agn_status agn_graph_drop_loops(agn_graph **out, agn_tensor **edges, const agn_graph *g)
{
    static const char op[] = "graph_drop_loops";
    agni_chosen q = {0};
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    agn_status st = agni_check_one_kind(op, g);
    if (!st)
        st = agni_chosen_open(op, g->edges, &q);
    for (int64_t e = 0; !st && e < g->edges; e++) {
        int64_t i = agni_graph_end(g, AGN_GRAPH_SRC, e), j = agni_graph_end(g, AGN_GRAPH_DST, e);
        if (i != j)
            agni_choose(&q, i, j, e);
    }
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_fail(s, st);
    return agni_chosen_return(op, s, out, edges, g->n[AGN_GRAPH_SRC], g->n[AGN_GRAPH_DST], &q);
}

/* ---- line graphs ---------------------------------------------------------------------------- */

/* the edges that leave the end of edge a, without those back to where a begins unless they are
   wanted; to: those already chosen, NULL to count */
static int64_t follow_edge(const agn_graph *g, const agni_incidence *t, int64_t a, bool back,
                           agni_chosen *to)
{
    int64_t i = agni_graph_end(g, AGN_GRAPH_SRC, a), j = agni_graph_end(g, AGN_GRAPH_DST, a), n = 0;
    int64_t hi = agni_read_index(t->begin, g->wide, j + 1);
    for (int64_t k = agni_read_index(t->begin, g->wide, j); k < hi; k++) {
        if (!back && agni_read_index(t->other, g->wide, k) == i)
            continue;
        n++;
        if (to)
            agni_choose(to, a, agni_listed_edge(g, t, k), j);
    }
    return n;
}

agn_status agn_graph_line(agn_graph **out, agn_tensor **nodes, const agn_graph *g, bool back)
{
    static const char op[] = "graph_line";
    agni_chosen q = {0};
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    agn_status st = agni_check_one_kind(op, g);
    const agni_incidence *t = st ? NULL : agni_graph_incidence(g, AGN_GRAPH_SRC);
    int64_t n = 0;
    if (!st && !t)
        st = agni_nomem(op, (size_t)g->edges * 2 * sizeof(int64_t));
    for (int64_t e = 0; !st && e < g->edges; e++) {
        int64_t k = follow_edge(g, t, e, back, NULL);
        n = n > INT64_MAX - k ? INT64_MAX : n + k;
    }
    if (!st)
        st = agni_chosen_open(op, n, &q);
    for (int64_t e = 0; !st && e < g->edges; e++)
        follow_edge(g, t, e, back, &q);
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_fail(s, st);
    return agni_chosen_return(op, s, out, nodes, g->edges, g->edges, &q);
}
