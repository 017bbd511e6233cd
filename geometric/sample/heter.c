/* geometric/sample/heter.c - sampled neighbourhoods over nodes and edges of several types (Hu et
   al. 2020). */
#include "geometric/sample/sample.h"

#include "core/random/philox.h"

#include <agnesi/ag.h>
#include <agnesi/geometric_sample.h>

/* nodes of one type as they are met */
typedef struct met {
    int64_t n;           /* of the graphs; -1 where no graph names the type */
    int64_t *number;     /* by node: 1 + its number, or 0 */
    agni_integers nodes; /* by number */
    int64_t lo, hi;      /* those that the hop before met first */
} met;

typedef struct job {
    const char *op;
    met *type;
    agni_edge_draw *draw;
    agni_integers *src, *dst;
    int32_t n_types, n_g;
    const agn_graph *const *g;
    const int32_t *from, *to;
} job;

static agn_status count_nodes(job *q, int32_t graph, int32_t type, int64_t n)
{
    if (type < 0 || type >= q->n_types)
        return agni_fail(AGN_EARG, "%s: graph %d has the type %d of %d", q->op, graph, type,
                         q->n_types);
    if (q->type[type].n >= 0 && q->type[type].n != n)
        return agni_fail(AGN_EARG, "%s: type %d has %lld nodes, in graph %d %lld", q->op, type,
                         (long long)q->type[type].n, graph, (long long)n);
    q->type[type].n = n;
    return AGN_OK;
}

static int64_t number_of(met *t, int64_t node)
{
    if (!t->number[node]) {
        if (!agni_integers_add(&t->nodes, node))
            return -1;
        t->number[node] = t->nodes.n;
    }
    return t->number[node] - 1;
}

static agn_status open_job(job *q, uint64_t key)
{
    agn_status st = AGN_OK;
    q->type = agni_zalloc((size_t)(q->n_types + 1) * sizeof *q->type);
    q->draw = agni_zalloc((size_t)(q->n_g + 1) * sizeof *q->draw);
    q->src = agni_zalloc((size_t)(2 * (int64_t)q->n_g + 1) * sizeof *q->src);
    if (!q->type || !q->draw || !q->src)
        return agni_nomem(q->op, (size_t)(q->n_types + q->n_g) * sizeof *q->type);
    q->dst = q->src + q->n_g;
    for (int32_t t = 0; t < q->n_types; t++)
        q->type[t].n = -1;
    for (int32_t r = 0; !st && r < q->n_g; r++) {
        if (!q->g[r])
            return agni_fail(AGN_ENULL, "%s: g[%d] is NULL", q->op, r);
        st = count_nodes(q, r, q->from[r], q->g[r]->n[AGN_GRAPH_SRC]);
        if (!st)
            st = count_nodes(q, r, q->to[r], q->g[r]->n[AGN_GRAPH_DST]);
        if (!st)
            st = agni_edge_draw_open(&q->draw[r], q->op, q->g[r], NULL, -1,
                                     agni_philox_fold(key, (uint64_t)r));
    }
    for (int32_t t = 0; !st && t < q->n_types; t++) {
        met *m = &q->type[t];
        m->n = m->n < 0 ? 0 : m->n;
        m->number = agni_zalloc((size_t)(m->n + 1) * sizeof *m->number);
        st = m->number ? AGN_OK : agni_nomem(q->op, (size_t)m->n * sizeof *m->number);
    }
    return st;
}

static void close_job(job *q)
{
    for (int32_t t = 0; q->type && t < q->n_types; t++) {
        agni_free(q->type[t].number);
        agni_free(q->type[t].nodes.v);
    }
    for (int32_t r = 0; q->draw && r < q->n_g; r++)
        agni_edge_draw_close(&q->draw[r]);
    for (int64_t r = 0; q->src && r < 2 * (int64_t)q->n_g; r++)
        agni_free(q->src[r].v);
    agni_free(q->type);
    agni_free(q->draw);
    agni_free(q->src);
}

static agn_status add_seeds(job *q, agn_scope *s, const agn_tensor *const *seeds)
{
    for (int32_t t = 0; t < q->n_types; t++) {
        met *m = &q->type[t];
        int64_t n = 0;
        const int64_t *seed = seeds[t] ? agni_read_nodes(s, q->op, "seeds", seeds[t], m->n, &n)
                                       : NULL;
        if (agn_scope_status(s))
            return agn_scope_status(s);
        for (int64_t i = 0; seed && i < n; i++) {
            int64_t at = number_of(m, seed[i]);
            if (at < 0)
                return agni_nomem(q->op, (size_t)n * sizeof(int64_t));
            if (at != i)
                return agni_fail(AGN_EARG, "%s: seed %lld of type %d is there twice: %lld and %lld",
                                 q->op, (long long)seed[i], t, (long long)at, (long long)i);
        }
        m->hi = m->nodes.n;
    }
    return AGN_OK;
}

static agn_status sample_hop(job *q, const int64_t *most)
{
    for (int32_t r = 0; r < q->n_g; r++) {
        const met *end = &q->type[q->to[r]];
        agni_edge_draw *d = &q->draw[r];
        d->most = most[r];
        for (int64_t i = end->lo; i < end->hi; i++) {
            int64_t k = agni_draw_edges(d, end->nodes.v[i], i);
            for (int64_t j = 0; j < k; j++) {
                int64_t from = number_of(&q->type[q->from[r]],
                                         agni_read_index(d->t->other, d->g->wide, d->slot[j]));
                if (from < 0 || !agni_integers_add(&q->src[r], from) ||
                    !agni_integers_add(&q->dst[r], i))
                    return agni_nomem(q->op, (size_t)(q->src[r].n + k) * 2 * sizeof(int64_t));
            }
        }
    }
    for (int32_t t = 0; t < q->n_types; t++) {
        q->type[t].lo = q->type[t].hi;
        q->type[t].hi = q->type[t].nodes.n;
    }
    return AGN_OK;
}

/* all results, or none; closes s */
static agn_status return_lists(job *q, agn_scope *s, agn_tensor *src[], agn_tensor *dst[],
                               agn_tensor *nodes[])
{
    for (int32_t r = 0; r < q->n_g && !agn_scope_status(s); r++) {
        agn_scope_return(s, &src[r], agni_integers_tensor(s, &q->src[r]));
        agn_scope_return(s, &dst[r], agni_integers_tensor(s, &q->dst[r]));
    }
    for (int32_t t = 0; t < q->n_types && !agn_scope_status(s); t++)
        agn_scope_return(s, &nodes[t], agni_integers_tensor(s, &q->type[t].nodes));
    return agni_rename_error(q->op, agn_scope_close(s));
}

agn_status agn_graph_sample_heter(agn_tensor *src[], agn_tensor *dst[], agn_tensor *nodes[],
                                  const agn_graph *const *g, const int32_t *from, const int32_t *to,
                                  int32_t n_g, const agn_tensor *const *seeds, int32_t n_seeds,
                                  const int64_t *most, int32_t hops, const agn_tensor *key)
{
    static const char op[] = "graph_sample_heter";
    job q = {.op = op, .n_types = n_seeds, .n_g = n_g, .g = g, .from = from, .to = to};
    uint64_t sub = 0;
    if (n_g < 0 || hops < 0 || n_seeds < 1)
        return agni_fail(AGN_EARG, "%s: %d graphs, %d types of nodes, %d hops", op, n_g, n_seeds,
                         hops);
    AGNI_NEED_ALL(op, src || !n_g, "src");
    AGNI_NEED_ALL(op, dst || !n_g, "dst");
    AGNI_NEED(op, nodes);
    AGNI_NEED_ALL(op, g || !n_g, "g");
    AGNI_NEED_ALL(op, from || !n_g, "from");
    AGNI_NEED_ALL(op, to || !n_g, "to");
    AGNI_NEED(op, seeds);
    AGNI_NEED_ALL(op, most || !n_g || !hops, "most");
    agn_status st = agni_read_sample_key(op, key, &sub);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    st = open_job(&q, sub);
    if (!st)
        st = add_seeds(&q, s, seeds);
    for (int32_t h = 0; !st && h < hops; h++)
        st = sample_hop(&q, most + (size_t)h * (size_t)n_g);
    agn_scope_fail(s, st);
    st = return_lists(&q, s, src, dst, nodes);
    close_job(&q);
    return st;
}
