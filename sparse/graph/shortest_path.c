/* sparse/graph/shortest_path.c - shortest paths from one node (Dijkstra 1959), with a binary heap.
   Lengths are sums of gathered weights, so that derivatives follow. */
#include "sparse/graph/graph.h"
#include "tensor/dispatch/host_run.h"

#include <agnesi/ag.h>
#include <math.h>
#include <string.h>

typedef struct heap_item {
    double length;
    int64_t node;
} heap_item;

static bool is_nearer(heap_item a, heap_item b)
{
    return a.length < b.length || (a.length == b.length && a.node < b.node);
}
static void heap_push(heap_item *heap, int64_t n, heap_item r)
{
    for (; n && is_nearer(r, heap[(n - 1) / 2]); n = (n - 1) / 2)
        heap[n] = heap[(n - 1) / 2];
    heap[n] = r;
}
static heap_item heap_pop(heap_item *heap, int64_t n)
{
    heap_item top = heap[0], r = heap[--n];
    int64_t at = 0;
    for (int64_t k = 1; k < n; at = k, k = 2 * k + 1) {
        k += k + 1 < n && is_nearer(heap[k + 1], heap[k]);
        if (!is_nearer(heap[k], r))
            break;
        heap[at] = heap[k];
    }
    heap[at] = r;
    return top;
}

/* before[i] and the edge that leads to i from there, number nnz where there is none */
static void run_dijkstra(const agni_edges *g, int64_t start, const double *w, heap_item *heap,
                         double *length, int64_t *before, int64_t *edge)
{
    int64_t n = 1;
    for (int64_t i = 0; i < g->n; i++) {
        length[i] = (double)INFINITY;
        before[i] = -1;
        edge[i] = g->begin[g->n];
    }
    length[start] = 0;
    heap[0] = (heap_item){0, start};
    while (n) {
        heap_item r = heap_pop(heap, n--);
        if (r.length > length[r.node])
            continue;
        for (int64_t e = g->begin[r.node]; e < g->begin[r.node + 1]; e++) {
            double d = r.length + w[e];
            int64_t j = g->to[e];
            if (!(d < length[j]))
                continue;
            length[j] = d;
            before[j] = r.node;
            edge[j] = e;
            heap_push(heap, n++, (heap_item){d, j});
        }
    }
}

/* sums of edges along the paths: each node adds what the node before it has gathered so far, and
   looks twice as far back in the next round */
static const agn_tensor *sum_along_paths(agn_scope *s, const agni_edges *g, int64_t start,
                                         int64_t *before, const int64_t *edge)
{
    const agn_tensor *v = g->c->values;
    if (agni_kind(v->dtype) != AGNI_KIND_FLOAT) /* counts have no bound */
        v = ag_cast(s, v, AGN_F64);
    const agn_tensor *d = ag_gather(s, agni_append_zero(s, v), agni_edges_indices(s, g, g->n, edge),
                                    -1);
    int64_t *back = agni_edges_room(g, 2), *next = agni_edges_room(g, 3);
    bool more = true;
    for (int64_t i = 0; i < g->n; i++)
        back[i] = before[i] < 0 ? start : before[i];
    back[start] = start;
    while (more && !agn_scope_status(s)) {
        d = ag_add(s, d, ag_gather(s, d, agni_edges_indices(s, g, g->n, back), -1));
        more = false;
        for (int64_t i = 0; i < g->n; i++)
            more |= (next[i] = back[back[i]]) != start;
        memcpy(back, next, (size_t)g->n * sizeof *back);
    }
    return d;
}

agn_status agn_sparse_dijkstra(agn_tensor **length, agn_tensor **from, const agn_tensor *a,
                               int64_t start)
{
    AGNI_NEED("sparse_dijkstra", length);
    AGNI_NEED("sparse_dijkstra", a);
    agni_edges g;
    agn_tensor *w = NULL;
    agn_status st = agni_edges_open(&g, "sparse_dijkstra", a, false, 4);
    if (!st && (start < 0 || start >= g.n))
        st = agni_fail(AGN_EINDEX, "%s: node %lld is none of %lld", g.op, (long long)start,
                       (long long)g.n);
    if (!st)
        st = agni_edges_weights(&w, &g);
    const double *v = st ? NULL : w->data;
    for (int64_t i = 0; !st && i < g.n; i++)
        for (int64_t e = g.begin[i]; !st && e < g.begin[i + 1]; e++)
            if (!(v[e] >= 0))
                st = agni_fail(AGN_EDOMAIN,
                               "%s: entry [%lld,%lld] is %g; no weight may be negative", g.op,
                               (long long)i, (long long)g.to[e], v[e]);
    int64_t nnz = st ? 0 : g.begin[g.n], *before = NULL, *edge = NULL;
    heap_item *heap = st ? NULL : agni_alloc((size_t)(nnz + 2) * sizeof *heap);
    double *far = st ? NULL : agni_alloc((size_t)(g.n + 1) * sizeof *far);
    if (!st && (!heap || !far))
        st = agni_nomem(g.op, (size_t)nnz * sizeof *heap);
    agn_scope *s = agn_scope_open(NULL);
    if (!agn_scope_fail(s, st)) {
        before = agni_edges_room(&g, 0);
        edge = agni_edges_room(&g, 1);
        run_dijkstra(&g, start, v, heap, far, before, edge);
        const agn_tensor *d = sum_along_paths(s, &g, start, before, edge);
        bool all = true;
        for (int64_t i = 0; i < g.n; i++) { /* 1 where no path leads */
            agni_edges_room(&g, 2)[i] = isinf(far[i]) && before[i] < 0;
            all &= !agni_edges_room(&g, 2)[i];
        }
        if (!all)
            d = ag_where(
                s, ag_cast(s, agni_edges_indices(s, &g, g.n, agni_edges_room(&g, 2)), AGN_BOOL),
                agni_literal(s, (double)INFINITY), d);
        agn_scope_return(s, length, agni_beside(s, d, g.c->values));
        if (from)
            agn_scope_return(
                s, from, agni_beside(s, agni_edges_indices(s, &g, g.n, before), g.c->values));
    }
    agni_free(heap);
    agni_free(far);
    agn_release(w);
    agni_edges_close(&g);
    return agn_scope_close(s);
}
