/* geometric/edit/union.c - disjoint unions of graphs, joined at their destinations, their edges by
   types, and reversed; complete graphs. */
#include "geometric/graph/graph.h"

#include <agnesi/ag.h>
#include <agnesi/geometric_segment.h>
#include <agnesi/geometric_transform.h>

/* numbers of all: destinations, sources, edges */
static agn_status count_all(const char *op, const agn_graph *const *g, int32_t n_g, int64_t *all)
{
    for (int32_t k = 0; k < n_g; k++) {
        if (!g[k])
            return agni_fail(AGN_ENULL, "%s: g[%d] is NULL", op, k);
        for (int side = 0; side < 3; side++)
            if (all[side] > INT64_MAX / 64 - agni_graph_count(g[k], side))
                return agni_nomem(op, SIZE_MAX);
            else
                all[side] += agni_graph_count(g[k], side);
    }
    return AGN_OK;
}

agn_status agn_graph_batch(agn_graph **out, agn_tensor **ids, const agn_graph *const *g,
                           int32_t n_g)
{
    static const char op[] = "graph_batch";
    int64_t all[3] = {0, 0, 0}, at[3] = {0, 0, 0};
    agn_tensor *id = NULL;
    AGNI_NEED(op, out);
    AGNI_NEED_ALL(op, g || n_g <= 0, "g");
    if (n_g < 0)
        return agni_fail(AGN_EARG, "%s: %d graphs, 0 or more are needed", op, n_g);
    agn_status st = count_all(op, g, n_g, all);
    if (st)
        return st;
    int64_t *src = agni_alloc((size_t)(2 * all[2] + 1) * sizeof *src),
            *dst = src + (src ? all[2] : 0);
    if (!src)
        st = agni_nomem(op, (size_t)all[2] * 2 * sizeof *src);
    if (!st && ids)
        st = agni_tensor_make(&id, op, AGN_I64, 1, &all[AGN_GRAPH_DST], AGN_CPU);
    for (int32_t k = 0; !st && k < n_g; k++) {
        for (int64_t e = 0; e < g[k]->edges; e++) {
            src[at[2] + e] = at[AGN_GRAPH_SRC] + agni_graph_end(g[k], AGN_GRAPH_SRC, e);
            dst[at[2] + e] = at[AGN_GRAPH_DST] + agni_graph_end(g[k], AGN_GRAPH_DST, e);
        }
        for (int64_t i = 0; id && i < g[k]->n[AGN_GRAPH_DST]; i++)
            ((int64_t *)id->data)[at[AGN_GRAPH_DST] + i] = k;
        for (int side = 0; side < 3; side++)
            at[side] += agni_graph_count(g[k], side);
    }
    if (!st)
        st = agni_graph_make(out, op, all[AGN_GRAPH_SRC], all[AGN_GRAPH_DST], all[2], src, dst);
    agni_free(src);
    if (st)
        agn_release(id);
    else if (ids)
        *ids = id;
    return st;
}

agn_status agn_graph_split(agn_graph *out[], int32_t n_out, const agn_graph *g,
                           const agn_tensor *types)
{
    static const char op[] = "graph_split";
    int64_t m = 0, *at = NULL, *src = NULL, *dst = NULL;
    agn_graph **made = NULL;
    AGNI_NEED_ALL(op, out || n_out <= 0, "out");
    AGNI_NEED(op, g);
    AGNI_NEED(op, types);
    if (n_out < 0)
        return agni_fail(AGN_EARG, "%s: %d types, 0 or more are needed", op, n_out);
    agn_scope *s = agn_scope_open(NULL);
    const int64_t *type = agni_read_integers(s, op, "types", types, &m);
    agn_status st = agn_scope_status(s);
    if (!st && m != g->edges)
        st = agni_fail(AGN_ESHAPE, "%s: types are %s, there are %lld edges", op, AGNI_SHAPE(types),
                       (long long)g->edges);
    for (int64_t e = 0; !st && e < m; e++)
        if (type[e] < 0 || type[e] >= n_out)
            st = agni_fail(AGN_EINDEX, "%s: edge %lld has type %lld, out of range for %d types", op,
                           (long long)e, (long long)type[e], n_out);
    if (!st) {
        at = agni_zalloc((size_t)(n_out + 2) * sizeof *at);
        src = agni_alloc((size_t)(m + 1) * sizeof *src);
        dst = agni_alloc((size_t)(m + 1) * sizeof *dst);
        made = agni_zalloc((size_t)(n_out + 1) * sizeof(agn_graph *));
        if (!at || !src || !dst || !made)
            st = agni_nomem(op, (size_t)m * 2 * sizeof *src);
    }
    if (!st) { /* a stable counting sort: at[k] runs to the end of type k - 1, then of type k */
        for (int64_t e = 0; e < m; e++)
            at[type[e] + 2]++;
        for (int32_t k = 0; k < n_out; k++)
            at[k + 1] += at[k];
        for (int64_t e = 0; e < m; e++) {
            int64_t to = at[type[e] + 1]++;
            src[to] = agni_graph_end(g, AGN_GRAPH_SRC, e);
            dst[to] = agni_graph_end(g, AGN_GRAPH_DST, e);
        }
    }
    for (int32_t k = 0; !st && k < n_out; k++)
        st = agni_graph_make(&made[k], op, g->n[AGN_GRAPH_SRC], g->n[AGN_GRAPH_DST],
                             at[k + 1] - at[k], src + at[k], dst + at[k]);
    for (int32_t k = 0; made && k < n_out; k++)
        if (st)
            agn_graph_release(made[k]);
        else
            out[k] = made[k];
    agni_free(at);
    agni_free(src);
    agni_free(dst);
    agni_free(made);
    agn_scope_fail(s, st);
    return agni_rename_error(op, agn_scope_close(s));
}

agn_status agn_graph_reverse(agn_graph **out, const agn_graph *g)
{
    static const char op[] = "graph_reverse";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    int64_t m = g->edges, *src = agni_alloc((size_t)(2 * m + 1) * sizeof *src);
    if (!src)
        return agni_nomem(op, (size_t)m * 2 * sizeof *src);
    for (int64_t e = 0; e < m; e++) {
        src[e] = agni_graph_end(g, AGN_GRAPH_DST, e);
        src[m + e] = agni_graph_end(g, AGN_GRAPH_SRC, e);
    }
    agn_status st = agni_graph_make(out, op, g->n[AGN_GRAPH_DST], g->n[AGN_GRAPH_SRC], m, src,
                                    src + m);
    agni_free(src);
    return st;
}

agn_status agn_graph_join(agn_graph **out, const agn_graph *const *g, int32_t n_g)
{
    static const char op[] = "graph_join";
    int64_t all[3] = {0, 0, 0}, from = 0, e = 0;
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    if (n_g < 1)
        return agni_fail(AGN_EARG, "%s: %d graphs, 1 or more are needed", op, n_g);
    agn_status st = count_all(op, g, n_g, all);
    int64_t n = st ? 0 : g[0]->n[AGN_GRAPH_DST];
    for (int32_t k = 1; !st && k < n_g; k++)
        if (g[k]->n[AGN_GRAPH_DST] != n)
            st = agni_fail(AGN_EARG, "%s: graph %d has %lld destinations, graph 0 has %lld", op, k,
                           (long long)g[k]->n[AGN_GRAPH_DST], (long long)n);
    if (st)
        return st;
    int64_t *src = agni_alloc((size_t)(2 * all[2] + 1) * sizeof *src), *dst = src + (src ? all[2] : 0);
    if (!src)
        return agni_nomem(op, (size_t)all[2] * 2 * sizeof *src);
    for (int32_t k = 0; k < n_g; from += g[k++]->n[AGN_GRAPH_SRC])
        for (int64_t j = 0; j < g[k]->edges; j++, e++) {
            src[e] = from + agni_graph_end(g[k], AGN_GRAPH_SRC, j);
            dst[e] = agni_graph_end(g[k], AGN_GRAPH_DST, j);
        }
    st = agni_graph_make(out, op, all[AGN_GRAPH_SRC], n, e, src, dst);
    agni_free(src);
    return st;
}

/* pairs of nodes with one id: t are the nodes of each id */
static agn_status pair_nodes(agn_graph **out, const char *op, const agn_graph *by,
                             const int64_t *id, bool loops)
{
    const agni_incidence *t = agni_graph_incidence(by, AGN_GRAPH_DST);
    int64_t n = by->edges, e = 0, most = INT64_MAX / 32, all = 0;
    if (!t)
        return agni_nomem(op, (size_t)n * sizeof(int64_t));
    for (int64_t k = 0; k < by->n[AGN_GRAPH_DST]; k++) {
        int64_t m = agni_read_index(t->begin, by->wide, k + 1) -
                    agni_read_index(t->begin, by->wide, k);
        if (m && m > (most - all) / m)
            return agni_nomem(op, SIZE_MAX);
        all += m * m;
    }
    int64_t *src = agni_alloc((size_t)(2 * all + 1) * sizeof *src), *dst = src + (src ? all : 0);
    if (!src)
        return agni_nomem(op, (size_t)all * 2 * sizeof *src);
    for (int64_t i = 0; i < n; i++) {
        int64_t hi = agni_read_index(t->begin, by->wide, id[i] + 1);
        for (int64_t k = agni_read_index(t->begin, by->wide, id[i]); k < hi; k++) {
            int64_t j = agni_listed_edge(by, t, k);
            if (!loops && j == i)
                continue;
            src[e] = j;
            dst[e++] = i;
        }
    }
    agn_status st = agni_graph_make(out, op, n, n, e, src, dst);
    agni_free(src);
    return st;
}

agn_status agn_graph_complete(agn_graph **out, const agn_tensor *ids, bool loops)
{
    static const char op[] = "graph_complete";
    agn_graph *by = NULL, *g = NULL;
    int64_t n = 0;
    AGNI_NEED(op, out);
    AGNI_NEED(op, ids);
    agn_scope *s = agn_scope_open(NULL);
    const int64_t *id = agni_read_integers(s, op, "ids", ids, &n);
    if (id)
        agn_scope_fail(s, agn_graph_from_segments(&by, ids, 0));
    if (by)
        agn_scope_fail(s, pair_nodes(&g, op, by, id, loops));
    agn_graph_release(by);
    agn_status st = agni_rename_error(op, agn_scope_close(s));
    if (st)
        agn_graph_release(g);
    else
        *out = g;
    return st;
}
