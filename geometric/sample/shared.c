/* geometric/sample/shared.c - edges by one number for each source, so that the nodes of a list
   draw the same sources (Balin and Catalyurek 2023, LABOR-0). */
#include "geometric/sample/sample.h"

#include "core/random/philox.h"

#include <agnesi/ag.h>
#include <agnesi/geometric_sample.h>
#include <math.h>

typedef struct drawn {
    agni_integers from, count, edge;
} drawn;

static bool draw_below(drawn *to, const agn_graph *g, const agni_incidence *t, int64_t node,
                       double mean, uint64_t key)
{
    int64_t lo = agni_read_index(t->begin, g->wide, node),
            hi = agni_read_index(t->begin, g->wide, node + 1), m = 0;
    bool fits = true;
    for (int64_t k = lo; fits && k < hi; k++) {
        int64_t i = agni_read_index(t->other, g->wide, k);
        if (agni_philox_f64(key, (uint64_t)i) * (double)(hi - lo) >= mean)
            continue;
        fits = agni_integers_add(&to->from, i) &&
               agni_integers_add(&to->edge, agni_listed_edge(g, t, k));
        m++;
    }
    return fits && agni_integers_add(&to->count, m);
}

agn_status agn_graph_sample_shared(agn_tensor **neighbors, agn_tensor **counts, agn_tensor **edges,
                                   const agn_graph *g, const agn_tensor *nodes, double mean,
                                   const agn_tensor *key)
{
    static const char op[] = "graph_sample_shared";
    drawn q = {{0}, {0}, {0}};
    uint64_t sub = 0;
    int64_t n = 0;
    AGNI_NEED(op, neighbors);
    AGNI_NEED(op, counts);
    AGNI_NEED(op, g);
    if (!(mean >= 0) || isinf(mean))
        return agni_fail(AGN_EDOMAIN, "%s: the mean is %g, a finite number from 0 on is needed", op,
                         mean);
    agn_status st = agni_read_sample_key(op, key, &sub);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const int64_t *node = agni_read_nodes(s, op, "nodes", nodes, g->n[AGN_GRAPH_DST], &n);
    const agni_incidence *t = node ? agni_graph_incidence(g, AGN_GRAPH_DST) : NULL;
    bool fits = t != NULL;
    for (int64_t i = 0; fits && i < n; i++)
        fits = draw_below(&q, g, t, node[i], mean, sub);
    if (node && !fits)
        agn_scope_fail(s, agni_nomem(op, (size_t)(q.from.n + g->edges) * 2 * sizeof(int64_t)));
    if (!agn_scope_status(s)) {
        agn_scope_return(s, neighbors, agni_beside(s, agni_integers_tensor(s, &q.from), nodes));
        agn_scope_return(s, counts, agni_beside(s, agni_integers_tensor(s, &q.count), nodes));
        if (edges)
            agn_scope_return(s, edges, agni_beside(s, agni_integers_tensor(s, &q.edge), nodes));
    }
    agni_free(q.from.v);
    agni_free(q.count.v);
    agni_free(q.edge.v);
    return agni_rename_error(op, agn_scope_close(s));
}
