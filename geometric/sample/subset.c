/* geometric/sample/subset.c - nodes of sampled subgraphs: GraphSAINT (Zeng et al. 2020) and parts
   of a partition (Chiang et al. 2019). */
#include "geometric/sample/sample.h"

#include "core/random/philox.h"

#include <agnesi/ag.h>
#include <agnesi/geometric_sample.h>
#include <math.h>
#include <string.h>

/* the numbers that are marked, rising */
static const agn_tensor *list_marked(agn_scope *s, const char *op, const bool *mark, int64_t n)
{
    agni_integers v = {0};
    bool fits = true;
    for (int64_t i = 0; fits && i < n; i++)
        fits = !mark[i] || agni_integers_add(&v, i);
    if (!fits)
        agn_scope_fail(s, agni_nomem(op, (size_t)v.n * 2 * sizeof(int64_t)));
    const agn_tensor *y = fits ? agni_integers_tensor(s, &v) : NULL;
    agni_free(v.v);
    return y;
}

/* ---- GraphSAINT ----------------------------------------------------------------------------- */

/* the first of n running sums above u times the last */
static int64_t find_share(const double *sum, int64_t n, double u)
{
    int64_t lo = 0, hi = n - 1;
    while (lo < hi) {
        int64_t middle = lo + (hi - lo) / 2;
        if (sum[middle] > u * sum[n - 1])
            hi = middle;
        else
            lo = middle + 1;
    }
    return lo;
}

static agn_status mark_by_shares(bool *mark, const char *op, const agn_graph *g, bool edges,
                                 int64_t count, uint64_t key)
{
    int64_t n = g->n[AGN_GRAPH_SRC], m = edges ? g->edges : n;
    double *sum = agni_alloc((size_t)(m + n + 1) * sizeof *sum), *degree = sum ? sum + m : NULL;
    if (!sum)
        return agni_nomem(op, (size_t)(m + n) * sizeof *sum);
    for (int64_t i = 0; i < n; i++)
        degree[i] = 0;
    for (int64_t e = 0; e < g->edges; e++) {
        degree[agni_graph_end(g, AGN_GRAPH_DST, e)] += 1;
        if (edges)
            degree[agni_graph_end(g, AGN_GRAPH_SRC, e)] += 1;
    }
    double all = 0;
    for (int64_t i = 0; i < m; i++) {
        all += !edges ? degree[i]
                      : 1 / degree[agni_graph_end(g, AGN_GRAPH_SRC, i)] +
                            1 / degree[agni_graph_end(g, AGN_GRAPH_DST, i)];
        sum[i] = all;
    }
    for (int64_t i = 0; i < m && all == 0; i++) /* no edge: all nodes alike */
        sum[i] = (double)i + 1;
    for (int64_t k = 0; k < count; k++) {
        int64_t i = find_share(sum, m, agni_philox_f64(key, (uint64_t)k));
        mark[edges ? agni_graph_end(g, AGN_GRAPH_SRC, i) : i] = true;
        mark[edges ? agni_graph_end(g, AGN_GRAPH_DST, i) : i] = true;
    }
    agni_free(sum);
    return AGN_OK;
}

static agn_status mark_by_walks(bool *mark, const char *op, const agn_graph *g, int64_t count,
                                int64_t length, uint64_t key)
{
    const agni_incidence *t = agni_graph_incidence(g, AGN_GRAPH_SRC);
    if (!t)
        return agni_nomem(op, (size_t)g->edges * 2 * sizeof(int64_t));
    for (int64_t k = 0; k < count; k++) {
        uint64_t own = agni_philox_fold(key, (uint64_t)k);
        int64_t i = agni_draw_below(own, 0, g->n[AGN_GRAPH_SRC]);
        mark[i] = true;
        for (int64_t step = 1; step <= length; step++) {
            int64_t lo = agni_read_index(t->begin, g->wide, i),
                    n = agni_read_index(t->begin, g->wide, i + 1) - lo;
            if (!n)
                break;
            i = agni_read_index(t->other, g->wide, lo + agni_draw_below(own, (uint64_t)step, n));
            mark[i] = true;
        }
    }
    return AGN_OK;
}

typedef struct saint {
    int32_t how;
    int64_t count, length;
} saint;

static agn_status check_saint(const char *op, const agn_graph *g, const saint *q)
{
    if (q->how < AGN_SAINT_NODE || q->how > AGN_SAINT_WALK)
        return agni_fail(AGN_EARG, "%s: how %d is none of 0 to %d", op, q->how, AGN_SAINT_WALK);
    if (q->count < 0 || q->length < 0)
        return agni_fail(AGN_EARG, "%s: %lld draws of length %lld, 0 or more are needed", op,
                         (long long)q->count, (long long)q->length);
    return agni_check_one_kind(op, g);
}

/* the nodes of a sample by a sub-key */
static agn_status mark_sample(bool *mark, const char *op, const agn_graph *g, const saint *q,
                              uint64_t key)
{
    if (q->count && (!g->n[AGN_GRAPH_SRC] || (q->how == AGN_SAINT_EDGE && !g->edges)))
        return agni_fail(AGN_EDOMAIN, "%s: %lld draws of %lld nodes and %lld edges", op,
                         (long long)q->count, (long long)g->n[AGN_GRAPH_SRC], (long long)g->edges);
    return q->how == AGN_SAINT_WALK
               ? mark_by_walks(mark, op, g, q->count, q->length, key)
               : mark_by_shares(mark, op, g, q->how == AGN_SAINT_EDGE, q->count, key);
}

agn_status agn_graph_sample_saint(agn_tensor **nodes, const agn_graph *g, int32_t how,
                                  int64_t count, int64_t length, const agn_tensor *key)
{
    static const char op[] = "graph_sample_saint";
    saint q = {how, count, length};
    uint64_t sub = 0;
    bool *mark = NULL;
    AGNI_NEED(op, nodes);
    AGNI_NEED(op, g);
    int64_t n = g->n[AGN_GRAPH_SRC];
    agn_status st = check_saint(op, g, &q);
    if (!st)
        st = agni_read_sample_key(op, key, &sub);
    if (st)
        return st;
    if (!(mark = agni_zalloc((size_t)n + 1)))
        st = agni_nomem(op, (size_t)n);
    if (!st)
        st = mark_sample(mark, op, g, &q, sub);
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_fail(s, st);
    const agn_tensor *y = st ? NULL : list_marked(s, op, mark, n);
    agni_free(mark);
    return agni_return(op, s, nodes, agni_beside(s, y, key));
}

/* how many of the samples have each node and each edge */
static agn_status count_samples(double *of_node, double *of_edge, const char *op,
                                const agn_graph *g, const saint *q, int64_t samples, uint64_t key)
{
    int64_t n = g->n[AGN_GRAPH_SRC];
    agn_status st = AGN_OK;
    bool *mark = agni_zalloc((size_t)n + 1);
    if (!mark)
        return agni_nomem(op, (size_t)n);
    for (int64_t t = 0; !st && t < samples; t++) {
        memset(mark, 0, (size_t)n);
        st = mark_sample(mark, op, g, q, agni_philox_fold(key, (uint64_t)t));
        for (int64_t i = 0; i < n; i++)
            of_node[i] += mark[i];
        for (int64_t e = 0; e < g->edges; e++)
            of_edge[e] += mark[agni_graph_end(g, AGN_GRAPH_SRC, e)] &&
                          mark[agni_graph_end(g, AGN_GRAPH_DST, e)];
    }
    agni_free(mark);
    return st;
}

agn_status agn_graph_saint_weights(agn_tensor **nodes, agn_tensor **edges, const agn_graph *g,
                                   int32_t how, int64_t count, int64_t length, int64_t samples,
                                   const agn_tensor *key)
{
    static const char op[] = "graph_saint_weights";
    saint q = {how, count, length};
    uint64_t sub = 0;
    agn_tensor *v = NULL, *w = NULL;
    AGNI_NEED(op, nodes);
    AGNI_NEED(op, edges);
    AGNI_NEED(op, g);
    int64_t n = g->n[AGN_GRAPH_SRC];
    agn_status st = check_saint(op, g, &q);
    if (!st && samples < 0)
        st = agni_fail(AGN_EARG, "%s: %lld samples, 0 or more are needed", op, (long long)samples);
    if (!st)
        st = agni_read_sample_key(op, key, &sub);
    if (!st)
        st = agni_tensor_make(&v, op, AGN_F64, 1, &n, AGN_CPU);
    if (!st)
        st = agni_tensor_make(&w, op, AGN_F64, 1, &g->edges, AGN_CPU);
    if (!st) {
        double *a = v->data, *b = w->data;
        for (int64_t i = 0; i < n; i++)
            a[i] = 0;
        for (int64_t e = 0; e < g->edges; e++)
            b[e] = 0;
        st = count_samples(a, b, op, g, &q, samples, sub);
        for (int64_t e = 0; e < g->edges; e++)
            b[e] = b[e] > 0 ? a[agni_graph_end(g, AGN_GRAPH_DST, e)] / b[e] : 0;
        for (int64_t i = 0; i < n; i++)
            a[i] = a[i] > 0 ? (double)samples / a[i] : 0;
    }
    if (!st)
        st = agni_move_beside(&v, key);
    if (!st)
        st = agni_move_beside(&w, key);
    if (st) {
        agn_release(v);
        agn_release(w);
        return st;
    }
    *nodes = v;
    *edges = w;
    return AGN_OK;
}

/* ---- parts ---------------------------------------------------------------------------------- */

agn_status agn_graph_sample_cluster(agn_tensor **nodes, const agn_tensor *ids, int64_t parts,
                                    int64_t count, const agn_tensor *key)
{
    static const char op[] = "graph_sample_cluster";
    uint64_t sub = 0;
    int64_t n = 0, *slot = NULL;
    bool *mark = NULL, *drawn = NULL;
    AGNI_NEED(op, nodes);
    if (parts < 0 || count < 0 || count > parts || parts > INT64_MAX / 64)
        return agni_fail(AGN_EARG, "%s: %lld of %lld parts", op, (long long)count,
                         (long long)parts);
    agn_status st = agni_read_sample_key(op, key, &sub);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const int64_t *id = agni_read_integers(s, op, "ids", ids, &n);
    st = agn_scope_status(s);
    for (int64_t i = 0; !st && i < n; i++)
        if (id[i] < 0 || id[i] >= parts)
            st = agni_fail(AGN_EINDEX, "%s: ids has %lld at %lld, out of range for %lld parts", op,
                           (long long)id[i], (long long)i, (long long)parts);
    if (!st) {
        slot = agni_alloc((size_t)(count + 1) * sizeof *slot);
        drawn = agni_zalloc((size_t)parts + 1);
        mark = agni_zalloc((size_t)n + 1);
        if (!slot || !drawn || !mark)
            st = agni_nomem(op, (size_t)(count * 8 + parts + n));
    }
    if (!st) {
        agni_draw_subset(sub, parts, count, slot);
        for (int64_t k = 0; k < count; k++)
            drawn[slot[k]] = true;
        for (int64_t i = 0; i < n; i++)
            mark[i] = drawn[id[i]];
    }
    agn_scope_fail(s, st);
    const agn_tensor *y = st ? NULL : list_marked(s, op, mark, n);
    agni_free(slot);
    agni_free(drawn);
    agni_free(mark);
    return agni_return(op, s, nodes, agni_beside(s, y, ids));
}
