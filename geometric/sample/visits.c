/* geometric/sample/visits.c - neighbours by visits of short walks (Ying et al. 2018, PinSAGE). */
#include "geometric/sample/sample.h"

#include "core/random/philox.h"

#include <agnesi/ag.h>
#include <agnesi/geometric_sample.h>
#include <stdlib.h>

typedef struct visit {
    int64_t node, times;
} visit;
static int by_node(const void *a, const void *b)
{
    const visit *p = a, *q = b;
    return p->node < q->node ? -1 : p->node > q->node;
}
static int by_times(const void *a, const void *b)
{
    const visit *p = a, *q = b;
    return p->times != q->times ? (p->times > q->times ? -1 : 1) : by_node(a, b);
}

typedef struct job {
    const agn_graph *g;
    const agni_incidence *t;
    int64_t walks, length, most;
    double stop;
    visit *seen; /* [walks length] */
    agni_integers to, count, times;
} job;

/* each node that walks from i meet, once for each time; how many */
static int64_t walk_all(const job *q, int64_t start, uint64_t key)
{
    int64_t n = 0;
    for (int64_t w = 0; w < q->walks; w++) {
        uint64_t own = agni_philox_fold(key, (uint64_t)w);
        int64_t i = start;
        for (int64_t k = 0; k < q->length; k++) {
            int64_t lo = agni_read_index(q->t->begin, q->g->wide, i);
            int64_t m = agni_read_index(q->t->begin, q->g->wide, i + 1) - lo;
            uint64_t step = agni_philox_fold(own, (uint64_t)k);
            if (!m)
                break;
            i = agni_read_index(q->t->other, q->g->wide, lo + agni_draw_below(step, 0, m));
            if (i != start)
                q->seen[n++] = (visit){i, 1};
            if (agni_philox_f64(step, 2) < q->stop) /* of a block that the step did not take */
                break;
        }
    }
    return n;
}

static agn_status add_visits(job *q, const char *op, int64_t start, uint64_t key)
{
    int64_t n = walk_all(q, start, key), m = 0;
    if (n > 1)
        qsort(q->seen, (size_t)n, sizeof *q->seen, by_node);
    for (int64_t i = 0; i < n; i++)
        if (m && q->seen[m - 1].node == q->seen[i].node)
            q->seen[m - 1].times++;
        else
            q->seen[m++] = q->seen[i];
    if (m > 1)
        qsort(q->seen, (size_t)m, sizeof *q->seen, by_times);
    m = q->most >= 0 && q->most < m ? q->most : m;
    bool fits = agni_integers_add(&q->count, m);
    for (int64_t i = 0; fits && i < m; i++)
        fits = agni_integers_add(&q->to, q->seen[i].node) &&
               agni_integers_add(&q->times, q->seen[i].times);
    return fits ? AGN_OK : agni_nomem(op, (size_t)(q->to.n + m) * 2 * sizeof(int64_t));
}

static agn_status open_job(job *q, const char *op, double room)
{
    q->t = agni_graph_incidence(q->g, AGN_GRAPH_SRC);
    if (q->t && room < (double)(INT64_MAX / 64))
        q->seen = agni_alloc((size_t)(q->walks * q->length + 1) * sizeof *q->seen);
    return q->seen ? AGN_OK
                   : agni_nomem(op, room < 1e18 ? (size_t)room * sizeof *q->seen : SIZE_MAX);
}

agn_status agn_graph_sample_visits(agn_tensor **neighbors, agn_tensor **counts, agn_tensor **visits,
                                   const agn_graph *g, const agn_tensor *nodes, int64_t walks,
                                   int64_t length, double stop, int64_t most, const agn_tensor *key)
{
    static const char op[] = "graph_sample_visits";
    job q = {.g = g, .walks = walks, .length = length, .most = most, .stop = stop};
    uint64_t sub = 0;
    int64_t n = 0;
    AGNI_NEED(op, neighbors);
    AGNI_NEED(op, counts);
    AGNI_NEED(op, g);
    if (walks < 0 || length < 0)
        return agni_fail(AGN_EARG, "%s: %lld walks of length %lld, 0 or more are needed", op,
                         (long long)walks, (long long)length);
    if (!(stop >= 0 && stop <= 1))
        return agni_fail(AGN_EDOMAIN, "%s: stop is %g, not in [0, 1]", op, stop);
    agn_status st = agni_check_one_kind(op, g);
    if (!st)
        st = agni_read_sample_key(op, key, &sub);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const int64_t *node = agni_read_nodes(s, op, "nodes", nodes, g->n[AGN_GRAPH_SRC], &n);
    st = node ? open_job(&q, op, (double)walks * (double)length) : agn_scope_status(s);
    for (int64_t i = 0; !st && i < n; i++)
        st = add_visits(&q, op, node[i], agni_philox_fold(sub, (uint64_t)i));
    if (!agn_scope_fail(s, st)) {
        agn_scope_return(s, neighbors, agni_beside(s, agni_integers_tensor(s, &q.to), nodes));
        agn_scope_return(s, counts, agni_beside(s, agni_integers_tensor(s, &q.count), nodes));
        if (visits)
            agn_scope_return(s, visits, agni_beside(s, agni_integers_tensor(s, &q.times), nodes));
    }
    agni_free(q.seen);
    agni_free(q.to.v);
    agni_free(q.count.v);
    agni_free(q.times.v);
    return agni_rename_error(op, agn_scope_close(s));
}
