/* geometric/sample/neighbors.c - sampled neighbourhoods of one and several hops (Hamilton, Ying and
   Leskovec 2017). */
#include "geometric/sample/sample.h"

#include <agnesi/ag.h>
#include <agnesi/geometric_sample.h>
#include <math.h>

const double *agni_read_sample_weights(agn_scope *s, const char *op, const agn_graph *g,
                                       const agn_tensor *x)
{
    agn_status st = agni_require_dense(x, op);
    if (!st && (agni_kind(x->dtype) == AGNI_KIND_COMPLEX || agni_kind(x->dtype) == AGNI_KIND_BOOL))
        st = agni_fail(AGN_EDTYPE, "%s: weights are %s, a real dtype is needed", op,
                       agni_dtypes[x->dtype].name);
    if (!st && (x->ndim != 1 || x->shape[0] != g->edges))
        st = agni_fail(AGN_ESHAPE, "%s: weights are %s, there are %lld edges", op, AGNI_SHAPE(x),
                       (long long)g->edges);
    if (agn_scope_fail(s, st) || !(x = agni_read_in(s, op, x)))
        return NULL;
    const agn_tensor *y = ag_contiguous(s, agni_cast(s, x, AGN_F64));
    const double *w = y ? y->data : NULL;
    for (int64_t e = 0; w && e < g->edges; e++)
        if (!(w[e] >= 0) || isinf(w[e])) {
            agn_scope_fail(s,
                           agni_fail(AGN_EDOMAIN,
                                     "%s: edge %lld has weight %g, not a finite number from 0 on",
                                     op, (long long)e, w[e]));
            return NULL;
        }
    return w;
}

/* what was sampled */
typedef struct lists {
    agni_integers from, count, edge;
} lists;
static void free_lists(lists *q)
{
    agni_free(q->from.v);
    agni_free(q->count.v);
    agni_free(q->edge.v);
}

/* the edges drawn for the node at a place of a list */
static agn_status add_node(lists *to, const char *op, agni_edge_draw *d, int64_t node,
                           int64_t place)
{
    int64_t k = agni_draw_edges(d, node, place);
    if (!agni_integers_add(&to->count, k) || !agni_integers_reserve(&to->from, k) ||
        !agni_integers_reserve(&to->edge, k))
        return agni_nomem(op, (size_t)(to->from.n + k) * 2 * sizeof(int64_t));
    for (int64_t i = 0; i < k; i++) {
        to->from.v[to->from.n++] = agni_read_index(d->t->other, d->g->wide, d->slot[i]);
        to->edge.v[to->edge.n++] = agni_listed_edge(d->g, d->t, d->slot[i]);
    }
    return AGN_OK;
}

agn_status agn_graph_sample_neighbors(agn_tensor **neighbors, agn_tensor **counts,
                                      agn_tensor **edges, const agn_graph *g,
                                      const agn_tensor *nodes, int64_t most,
                                      const agn_tensor *weights, const agn_tensor *key)
{
    static const char op[] = "graph_sample_neighbors";
    uint64_t sub = 0;
    int64_t n = 0;
    AGNI_NEED(op, neighbors);
    AGNI_NEED(op, counts);
    AGNI_NEED(op, g);
    agn_status st = key || most >= 0 ? agni_read_sample_key(op, key, &sub) : AGN_OK;
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const int64_t *node = agni_read_nodes(s, op, "nodes", nodes, g->n[AGN_GRAPH_DST], &n);
    const double *weight = node && weights ? agni_read_sample_weights(s, op, g, weights) : NULL;
    lists to = {{0}, {0}, {0}};
    agni_edge_draw d;
    if (node && (weight || !weights) &&
        !agn_scope_fail(s, agni_edge_draw_open(&d, op, g, weight, most, sub))) {
        for (int64_t i = 0; !st && i < n; i++)
            st = add_node(&to, op, &d, node[i], i);
        agni_edge_draw_close(&d);
        if (!agn_scope_fail(s, st)) {
            agn_scope_return(s, neighbors,
                             agni_beside(s, agni_integers_tensor(s, &to.from), nodes));
            agn_scope_return(s, counts, agni_beside(s, agni_integers_tensor(s, &to.count), nodes));
            if (edges)
                agn_scope_return(s, edges,
                                 agni_beside(s, agni_integers_tensor(s, &to.edge), nodes));
        }
    }
    free_lists(&to);
    return agni_rename_error(op, agn_scope_close(s));
}

/* ---- hops ----------------------------------------------------------------------------------- */

typedef struct hops {
    const char *op;
    int64_t *number;     /* by node: 1 + its number, or 0 */
    agni_integers nodes; /* by number */
    agni_integers src, dst, edge;
} hops;

/* the number of a node, which may be new; -1 without memory */
static int64_t number_of(hops *q, int64_t node)
{
    if (!q->number[node]) {
        if (!agni_integers_add(&q->nodes, node))
            return -1;
        q->number[node] = q->nodes.n;
    }
    return q->number[node] - 1;
}

/* draws for the nodes numbered [lo, hi) */
static agn_status sample_hop(hops *q, agni_edge_draw *d, int64_t lo, int64_t hi)
{
    for (int64_t i = lo; i < hi; i++) {
        int64_t k = agni_draw_edges(d, q->nodes.v[i], i);
        bool fits = agni_integers_reserve(&q->src, k) && agni_integers_reserve(&q->dst, k) &&
                    agni_integers_reserve(&q->edge, k) && agni_integers_reserve(&q->nodes, k);
        if (!fits)
            return agni_nomem(q->op, (size_t)(q->src.n + k) * 4 * sizeof(int64_t));
        for (int64_t j = 0; j < k; j++) {
            q->src.v[q->src.n++] = number_of(q,
                                             agni_read_index(d->t->other, d->g->wide, d->slot[j]));
            q->dst.v[q->dst.n++] = i;
            q->edge.v[q->edge.n++] = agni_listed_edge(d->g, d->t, d->slot[j]);
        }
    }
    return AGN_OK;
}

static agn_status number_seeds(hops *q, const int64_t *seed, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        int64_t at = number_of(q, seed[i]);
        if (at < 0)
            return agni_nomem(q->op, (size_t)n * sizeof(int64_t));
        if (at != i)
            return agni_fail(AGN_EARG, "%s: seed %lld is there twice: %lld and %lld", q->op,
                             (long long)seed[i], (long long)at, (long long)i);
    }
    return AGN_OK;
}

static agn_status sample_hops(hops *q, const agn_graph *g, const int64_t *seed, int64_t n,
                              const int64_t *most, int32_t n_most, const double *weight,
                              uint64_t key)
{
    agni_edge_draw d;
    q->number = agni_zalloc((size_t)(g->n[AGN_GRAPH_DST] + 1) * sizeof *q->number);
    agn_status st = q->number ? agni_edge_draw_open(&d, q->op, g, weight, -1, key)
                              : agni_nomem(q->op, (size_t)g->n[AGN_GRAPH_DST] * sizeof *q->number);
    if (st)
        return st;
    st = number_seeds(q, seed, n);
    int64_t lo = 0;
    for (int32_t k = 0; !st && k < n_most; k++) {
        int64_t hi = q->nodes.n;
        d.most = most[k];
        st = sample_hop(q, &d, lo, hi);
        lo = hi;
    }
    agni_edge_draw_close(&d);
    return st;
}

/* weights: those that weighted asks for */
static agn_status sample_khop(const char *op, agn_tensor **src, agn_tensor **dst,
                              agn_tensor **nodes, agn_tensor **edges, const agn_graph *g,
                              const agn_tensor *seeds, const int64_t *most, int32_t n_most,
                              bool weighted, const agn_tensor *weights, const agn_tensor *key)
{
    hops q = {.op = op};
    uint64_t sub = 0;
    int64_t n = 0;
    AGNI_NEED(op, src);
    AGNI_NEED(op, dst);
    AGNI_NEED(op, nodes);
    AGNI_NEED(op, g);
    if (n_most < 0)
        return agni_fail(AGN_EARG, "%s: %d hops, below 0", op, n_most);
    AGNI_NEED_ALL(op, most || !n_most, "most");
    AGNI_NEED_ALL(op, weights || !weighted, "weights");
    if (g->n[AGN_GRAPH_SRC] != g->n[AGN_GRAPH_DST])
        return agni_fail(AGN_EARG, "%s: the graph has %lld sources and %lld destinations", op,
                         (long long)g->n[AGN_GRAPH_SRC], (long long)g->n[AGN_GRAPH_DST]);
    agn_status st = agni_read_sample_key(op, key, &sub);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const int64_t *seed = agni_read_nodes(s, op, "seeds", seeds, g->n[AGN_GRAPH_DST], &n);
    const double *weight = seed && weighted ? agni_read_sample_weights(s, op, g, weights) : NULL;
    if (seed && !agn_scope_status(s) &&
        !agn_scope_fail(s, sample_hops(&q, g, seed, n, most, n_most, weight, sub))) {
        agn_scope_return(s, src, agni_beside(s, agni_integers_tensor(s, &q.src), seeds));
        agn_scope_return(s, dst, agni_beside(s, agni_integers_tensor(s, &q.dst), seeds));
        agn_scope_return(s, nodes, agni_beside(s, agni_integers_tensor(s, &q.nodes), seeds));
        if (edges)
            agn_scope_return(s, edges, agni_beside(s, agni_integers_tensor(s, &q.edge), seeds));
    }
    agni_free(q.number);
    agni_free(q.nodes.v);
    agni_free(q.src.v);
    agni_free(q.dst.v);
    agni_free(q.edge.v);
    return agni_rename_error(op, agn_scope_close(s));
}

agn_status agn_graph_sample_khop(agn_tensor **src, agn_tensor **dst, agn_tensor **nodes,
                                 agn_tensor **edges, const agn_graph *g, const agn_tensor *seeds,
                                 const int64_t *most, int32_t n_most, const agn_tensor *key)
{
    return sample_khop("graph_sample_khop", src, dst, nodes, edges, g, seeds, most, n_most, false,
                       NULL, key);
}

agn_status agn_graph_sample_khop_weighted(agn_tensor **src, agn_tensor **dst, agn_tensor **nodes,
                                          agn_tensor **edges, const agn_graph *g,
                                          const agn_tensor *seeds, const int64_t *most,
                                          int32_t n_most, const agn_tensor *weights,
                                          const agn_tensor *key)
{
    return sample_khop("graph_sample_khop_weighted", src, dst, nodes, edges, g, seeds, most, n_most,
                       true, weights, key);
}
