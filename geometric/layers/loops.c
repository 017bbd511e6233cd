/* geometric/layers/loops.c - self-loops. */
#include "geometric/layers/layers.h"

#include <string.h>

agn_status agn_graph_add_loops(agn_graph **out, const agn_graph *g)
{
    static const char op[] = "graph_add_loops";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    agn_status st = agni_check_one_kind(op, g);
    if (st)
        return st;
    int64_t n = g->n[AGN_GRAPH_SRC], m = g->edges;
    int64_t *end = agni_alloc((size_t)(2 * (n + m) + 1) * sizeof *end), *to = end + n + m;
    bool *has = agni_zalloc((size_t)n + 1);
    if (!end || !has) {
        st = agni_nomem(op, (size_t)(n + m) * 2 * sizeof *end);
    } else {
        for (int64_t e = 0; e < m; e++) {
            end[e] = agni_graph_end(g, AGN_GRAPH_SRC, e);
            to[e] = agni_graph_end(g, AGN_GRAPH_DST, e);
            if (end[e] == to[e])
                has[end[e]] = true;
        }
        for (int64_t i = 0; i < n; i++)
            if (!has[i])
                end[m] = to[m] = i, m++;
        st = agni_graph_make(out, op, n, n, m, end, to);
    }
    agni_free(end);
    agni_free(has);
    return st;
}
