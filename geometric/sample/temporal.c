/* geometric/sample/temporal.c - edges that reached a node by a time, all alike or the latest ones
   (Rossi et al. 2020, Temporal graph networks). */
#include "geometric/sample/sample.h"

#include "core/random/philox.h"

#include <agnesi/ag.h>
#include <agnesi/geometric_sample.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double *read_times(agn_scope *s, const char *op, const char *what, const agn_tensor *x,
                                int64_t n)
{
    agn_status st = x ? agni_require_dense(x, op)
                      : agni_fail(AGN_ENULL, "%s: %s is NULL", op, what);
    if (!st && agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        st = agni_fail(AGN_EDTYPE, "%s: %s is %s, a real dtype is needed", op, what,
                       agni_dtypes[x->dtype].name);
    if (!st && (x->ndim != 1 || x->shape[0] != n))
        st = agni_fail(AGN_ESHAPE, "%s: %s is %s, [%lld] is needed", op, what, AGNI_SHAPE(x),
                       (long long)n);
    if (agn_scope_fail(s, st) || !(x = agni_read_in(s, op, x)))
        return NULL;
    const agn_tensor *y = ag_contiguous(s, agni_cast(s, x, AGN_F64));
    const double *v = y ? y->data : NULL;
    for (int64_t i = 0; v && i < n; i++)
        if (isnan(v[i])) {
            agn_scope_fail(
                s, agni_fail(AGN_EDOMAIN, "%s: %s has NaN at %lld", op, what, (long long)i));
            return NULL;
        }
    return v;
}

typedef struct timed {
    double time;
    int64_t edge, from;
} timed;
static int by_time(const void *a, const void *b)
{
    const timed *p = a, *q = b;
    return p->time != q->time  ? (p->time < q->time ? -1 : 1)
           : p->edge < q->edge ? -1
                               : p->edge > q->edge;
}
static int by_edge(const void *a, const void *b)
{
    const timed *p = a, *q = b;
    return p->edge < q->edge ? -1 : p->edge > q->edge;
}

typedef struct job {
    const agn_graph *g;
    const agni_incidence *t;
    const double *edge_time;
    int64_t most;
    bool latest;
    timed *room;
    int64_t *slot;
    agni_integers from, count, edge;
} job;

static agn_status open_job(job *q, const char *op)
{
    int64_t most = 0;
    q->t = agni_graph_incidence(q->g, AGN_GRAPH_DST);
    for (int64_t i = 0; q->t && i < q->g->n[AGN_GRAPH_DST]; i++) {
        int64_t n = agni_read_index(q->t->begin, q->g->wide, i + 1) -
                    agni_read_index(q->t->begin, q->g->wide, i);
        most = n > most ? n : most;
    }
    q->room = agni_alloc((size_t)(most + 1) * sizeof *q->room);
    q->slot = agni_alloc((size_t)(most + 1) * sizeof *q->slot);
    return q->t && q->room && q->slot
               ? AGN_OK
               : agni_nomem(op, (size_t)(q->g->edges + most) * sizeof(int64_t));
}

static agn_status draw_node(job *q, const char *op, int64_t node, double by, uint64_t key)
{
    int64_t n = 0, hi = agni_read_index(q->t->begin, q->g->wide, node + 1);
    for (int64_t k = agni_read_index(q->t->begin, q->g->wide, node); k < hi; k++) {
        int64_t e = agni_listed_edge(q->g, q->t, k);
        if (q->edge_time[e] <= by)
            q->room[n++] = (timed){q->edge_time[e], e, agni_read_index(q->t->other, q->g->wide, k)};
    }
    int64_t k = q->most < 0 || q->most > n ? n : q->most;
    timed *v = q->room;
    if (q->latest && k < n) {
        qsort(v, (size_t)n, sizeof *v, by_time);
        v += n - k;
        if (k > 1)
            qsort(v, (size_t)k, sizeof *v, by_edge);
    }
    if (q->latest)
        for (int64_t i = 0; i < k; i++)
            q->slot[i] = i;
    else
        agni_draw_subset(key, n, k, q->slot);
    bool fits = agni_integers_add(&q->count, k);
    for (int64_t i = 0; fits && i < k; i++)
        fits = agni_integers_add(&q->from, v[q->slot[i]].from) &&
               agni_integers_add(&q->edge, v[q->slot[i]].edge);
    return fits ? AGN_OK : agni_nomem(op, (size_t)(q->from.n + k) * 2 * sizeof(int64_t));
}

agn_status agn_graph_sample_temporal(agn_tensor **neighbors, agn_tensor **counts,
                                     agn_tensor **edges, const agn_graph *g,
                                     const agn_tensor *nodes, const agn_tensor *times,
                                     const agn_tensor *edge_times, int64_t most,
                                     const agn_tensor *key)
{
    static const char op[] = "graph_sample_temporal";
    job q = {.g = g, .most = most, .latest = !key};
    uint64_t sub = 0;
    int64_t n = 0;
    AGNI_NEED(op, neighbors);
    AGNI_NEED(op, counts);
    AGNI_NEED(op, g);
    agn_status st = key ? agni_read_sample_key(op, key, &sub) : AGN_OK;
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const int64_t *node = agni_read_nodes(s, op, "nodes", nodes, g->n[AGN_GRAPH_DST], &n);
    const double *by = node ? read_times(s, op, "times", times, n) : NULL;
    q.edge_time = by ? read_times(s, op, "edge_times", edge_times, g->edges) : NULL;
    st = agn_scope_status(s);
    if (!st)
        st = open_job(&q, op);
    for (int64_t i = 0; !st && i < n; i++)
        st = draw_node(&q, op, node[i], by[i], agni_philox_fold(sub, (uint64_t)i));
    if (!agn_scope_fail(s, st)) {
        agn_scope_return(s, neighbors, agni_beside(s, agni_integers_tensor(s, &q.from), nodes));
        agn_scope_return(s, counts, agni_beside(s, agni_integers_tensor(s, &q.count), nodes));
        if (edges)
            agn_scope_return(s, edges, agni_beside(s, agni_integers_tensor(s, &q.edge), nodes));
    }
    agni_free(q.room);
    agni_free(q.slot);
    agni_free(q.from.v);
    agni_free(q.count.v);
    agni_free(q.edge.v);
    return agni_rename_error(op, agn_scope_close(s));
}
