/* geometric/pool/clusters.c - pairs of nodes along heavy edges (Dhillon, Guan and Kulis 2007) and
   the graph between clusters. */
#include "geometric/layers/layers.h"
#include "geometric/pool/partition.h"
#include "geometric/sample/sample.h"

#include "core/random/philox.h"
#include "tensor/random/sampler.h"

#include <agnesi/ag.h>
#include <agnesi/geometric_pool.h>
#include <agnesi/geometric_structure.h>
#include <math.h>
#include <string.h>

/* ---- undirected graphs with weights --------------------------------------------------------- */

void agni_ties_close(agni_ties *t)
{
    agni_free(t->begin);
    agni_free(t->to);
    agni_free(t->size);
    agni_free(t->weight);
    *t = (agni_ties){0};
}

static agn_status alloc_ties(agni_ties *t, const char *op, int64_t n, int64_t m)
{
    *t = (agni_ties){n, agni_zalloc((size_t)(n + 2) * sizeof(int64_t)),
                     agni_alloc((size_t)(m + 1) * sizeof(int64_t)),
                     agni_zalloc((size_t)(n + 1) * sizeof(int64_t)),
                     agni_alloc((size_t)(m + 1) * sizeof(double))};
    if (t->begin && t->to && t->size && t->weight)
        return AGN_OK;
    agni_ties_close(t);
    return agni_nomem(op, (size_t)(n + m) * 2 * sizeof(int64_t));
}

/* Adds up the weights of all pairs (a, b) of a list, a != b, that add() is called with; at[b] is
   where the tie of the present node to b stands, or -1. */
typedef struct adder {
    agni_ties *t;
    int64_t *at, n;
} adder;
static void add_tie(adder *q, int64_t from, int64_t to, double w)
{
    if (from == to)
        return;
    if (q->at[to] < q->t->begin[from]) {
        q->at[to] = q->n;
        q->t->to[q->n] = to;
        q->t->weight[q->n++] = 0;
    }
    q->t->weight[q->at[to]] += w;
}
static agn_status open_adder(adder *q, const char *op, agni_ties *t)
{
    *q = (adder){t, agni_alloc((size_t)(t->n + 1) * sizeof(int64_t)), 0};
    for (int64_t i = 0; q->at && i < t->n; i++)
        q->at[i] = -1;
    return q->at ? AGN_OK : agni_nomem(op, (size_t)t->n * sizeof(int64_t));
}

agn_status agni_ties_open(agni_ties *t, const char *op, const agn_graph *g, const double *w)
{
    adder q = {0};
    const agni_incidence *by[2] = {agni_graph_incidence(g, AGN_GRAPH_SRC),
                                   agni_graph_incidence(g, AGN_GRAPH_DST)};
    *t = (agni_ties){0};
    agn_status st = by[0] && by[1] ? alloc_ties(t, op, g->n[AGN_GRAPH_SRC], 2 * g->edges)
                                   : agni_nomem(op, (size_t)g->edges * 4 * sizeof(int64_t));
    if (!st)
        st = open_adder(&q, op, t);
    for (int64_t i = 0; !st && i < t->n; i++) {
        t->begin[i] = q.n;
        t->size[i] = 1;
        for (int side = 0; side < 2; side++) {
            int64_t hi = agni_read_index(by[side]->begin, g->wide, i + 1);
            for (int64_t k = agni_read_index(by[side]->begin, g->wide, i); k < hi; k++)
                add_tie(&q, i, agni_read_index(by[side]->other, g->wide, k),
                        w ? w[agni_listed_edge(g, by[side], k)] : 1);
        }
    }
    if (!st)
        t->begin[t->n] = q.n;
    agni_free(q.at);
    if (st)
        agni_ties_close(t);
    return st;
}

agn_status agni_ties_contract(agni_ties *to, const char *op, const agni_ties *t, const int64_t *ids,
                              int64_t n)
{
    adder q = {0};
    int64_t *member = agni_alloc((size_t)(t->n + n + 2) * sizeof *member),
            *first = member ? member + t->n : NULL;
    *to = (agni_ties){0};
    agn_status st = member ? alloc_ties(to, op, n, t->begin[t->n])
                           : agni_nomem(op, (size_t)t->n * sizeof *member);
    if (!st)
        st = open_adder(&q, op, to);
    if (!st) { /* nodes by clusters */
        memset(first, 0, (size_t)(n + 2) * sizeof *first);
        for (int64_t i = 0; i < t->n; i++)
            first[ids[i] + 1]++;
        for (int64_t c = 0; c < n; c++)
            first[c + 1] += first[c];
        for (int64_t i = 0; i < t->n; i++)
            member[first[ids[i]]++] = i;
    }
    for (int64_t c = 0, k = 0; !st && c < n; c++) {
        to->begin[c] = q.n;
        for (; k < first[c]; k++) {
            int64_t i = member[k];
            to->size[c] += t->size[i];
            for (int64_t e = t->begin[i]; e < t->begin[i + 1]; e++)
                add_tie(&q, c, ids[t->to[e]], t->weight[e]);
        }
    }
    if (!st)
        to->begin[n] = q.n;
    agni_free(q.at);
    agni_free(member);
    if (st)
        agni_ties_close(to);
    return st;
}

/* ---- matching ------------------------------------------------------------------------------- */

agn_status agni_ties_match(const agni_ties *t, const char *op, const int64_t *order, int64_t most,
                           int64_t *ids, int64_t *count)
{
    int64_t *with = agni_alloc((size_t)(t->n + 1) * sizeof *with);
    if (!with)
        return agni_nomem(op, (size_t)t->n * sizeof *with);
    for (int64_t i = 0; i < t->n; i++)
        with[i] = -1;
    for (int64_t k = 0; k < t->n; k++) {
        int64_t i = order ? order[k] : k, best = -1, at = -1;
        if (with[i] >= 0)
            continue;
        for (int64_t e = t->begin[i]; e < t->begin[i + 1]; e++) {
            int64_t j = t->to[e];
            if (with[j] < 0 && t->size[i] + t->size[j] <= most &&
                (best < 0 || t->weight[e] > t->weight[at] ||
                 (t->weight[e] == t->weight[at] && j < best))) {
                best = j;
                at = e;
            }
        }
        with[i] = best < 0 ? i : best;
        if (best >= 0)
            with[best] = i;
    }
    *count = 0;
    for (int64_t i = 0; i < t->n; i++)
        ids[i] = with[i] < i ? ids[with[i]] : (*count)++;
    agni_free(with);
    return AGN_OK;
}

/* the nodes in an order that a key draws (Fisher and Yates; Knuth, The Art of Computer Programming
   2, 3.4.2 P) */
static void draw_order(int64_t *order, int64_t n, uint64_t key)
{
    for (int64_t i = 0; i < n; i++)
        order[i] = i;
    for (int64_t i = n - 1; i > 0; i--) {
        agni_philox4 w = agni_philox_block(key, (uint64_t)i);
        int64_t j = (int64_t)agni_sample_bounded_integer(key, (uint64_t)i, w.w, (uint64_t)i + 1),
                t = order[i];
        order[i] = order[j];
        order[j] = t;
    }
}

static const double *read_weights(agn_scope *s, const char *op, const agn_graph *g,
                                  const agn_tensor *w)
{
    agn_status st = agni_check_edge_weights(op, g, w);
    if (agn_scope_fail(s, st) || !(w = agni_read_in(s, op, w)))
        return NULL;
    const agn_tensor *y = ag_contiguous(s, agni_cast(s, w, AGN_F64));
    const double *v = y ? y->data : NULL;
    for (int64_t e = 0; v && e < g->edges; e++)
        if (isnan(v[e])) {
            agn_scope_fail(
                s, agni_fail(AGN_EDOMAIN, "%s: the weight of edge %lld is NaN", op, (long long)e));
            return NULL;
        }
    return v;
}

agn_status agn_graph_match(agn_tensor **ids, int64_t *count, const agn_graph *g,
                           const agn_tensor *w, const agn_tensor *key)
{
    static const char op[] = "graph_match";
    agni_ties t = {0};
    agn_tensor *y = NULL;
    int64_t *order = NULL, n = 0;
    uint64_t sub = 0;
    AGNI_NEED(op, ids);
    AGNI_NEED(op, g);
    agn_status st = agni_check_one_kind(op, g);
    if (!st && key)
        st = agni_read_sample_key(op, key, &sub);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const double *v = w ? read_weights(s, op, g, w) : NULL;
    st = agn_scope_status(s);
    if (!st)
        st = agni_ties_open(&t, op, g, v);
    if (!st && key && !(order = agni_alloc((size_t)(t.n + 1) * sizeof *order)))
        st = agni_nomem(op, (size_t)t.n * sizeof *order);
    if (!st)
        st = agni_tensor_make(&y, op, AGN_I64, 1, &t.n, AGN_CPU);
    if (!st && order)
        draw_order(order, t.n, sub);
    if (!st)
        st = agni_ties_match(&t, op, order, INT64_MAX, y->data, &n);
    agni_free(order);
    agni_ties_close(&t);
    if (st)
        agn_release(y);
    agn_scope_return(s, ids, agn_scope_adopt(s, st, st ? NULL : &y));
    st = agni_rename_error(op, agn_scope_close(s));
    if (!st && count)
        *count = n;
    return st;
}

/* ---- contraction ---------------------------------------------------------------------------- */

static agn_status contract_graph(agn_graph **out, int64_t *to, const char *op, const agn_graph *g,
                                 const int64_t *id, int64_t n)
{
    int64_t m = 0, *src = agni_alloc((size_t)(2 * g->edges + 1) * sizeof *src),
            *dst = src ? src + g->edges : NULL;
    agn_graph *many = NULL;
    agn_tensor *which = NULL;
    agn_status st = src ? AGN_OK : agni_nomem(op, (size_t)g->edges * 2 * sizeof *src);
    for (int64_t e = 0; !st && e < g->edges; e++) {
        int64_t a = id[agni_graph_end(g, AGN_GRAPH_SRC, e)],
                b = id[agni_graph_end(g, AGN_GRAPH_DST, e)];
        to[e] = a == b ? -1 : m;
        if (a != b) {
            src[m] = a;
            dst[m++] = b;
        }
    }
    if (!st)
        st = agni_graph_make(&many, op, n, n, m, src, dst);
    if (!st)
        st = agni_rename_error(op, agn_graph_coalesce(out, &which, many));
    for (int64_t e = 0; !st && e < g->edges; e++)
        to[e] = to[e] < 0 ? -1 : ((const int64_t *)which->data)[to[e]];
    agn_release(which);
    agn_graph_release(many);
    agni_free(src);
    return st;
}

agn_status agn_graph_contract(agn_graph **out, agn_tensor **edges, const agn_graph *g,
                              const agn_tensor *ids, int64_t count)
{
    static const char op[] = "graph_contract";
    agn_tensor *y = NULL;
    agn_graph *h = NULL;
    int64_t n = 0;
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    agn_status st = agni_check_one_kind(op, g);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const int64_t *id = agni_read_integers(s, op, "ids", ids, &n);
    st = agn_scope_status(s);
    if (!st && n != g->n[AGN_GRAPH_SRC])
        st = agni_fail(AGN_ESHAPE, "%s: ids are %s, there are %lld nodes", op, AGNI_SHAPE(ids),
                       (long long)g->n[AGN_GRAPH_SRC]);
    bool all = count <= 0;
    for (int64_t i = 0; !st && all && i < n; i++)
        count = id[i] >= (count < 0 ? 0 : count) && id[i] < INT64_MAX ? id[i] + 1 : count;
    count = count < 0 ? 0 : count;
    for (int64_t i = 0; !st && i < n; i++)
        if (id[i] < 0 || id[i] >= count)
            st = agni_fail(AGN_EINDEX, "%s: ids has %lld at %lld, out of range for %lld clusters",
                           op, (long long)id[i], (long long)i, (long long)count);
    if (!st)
        st = agni_tensor_make(&y, op, AGN_I64, 1, &g->edges, AGN_CPU);
    if (!st)
        st = contract_graph(&h, y->data, op, g, id, count);
    agn_scope_fail(s, st);
    st = agni_rename_error(op, agn_scope_close(s));
    if (!st)
        *out = h;
    else
        agn_graph_release(h);
    if (!st && edges)
        *edges = y;
    else
        agn_release(y);
    return st;
}
