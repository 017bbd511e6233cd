/* geometric/sample/walk.c - random walks, of first order and of node2vec (Grover and Leskovec
   2016), whose weights are met by rejection, without a table of pairs of edges. */
#include "geometric/sample/sample.h"

#include "core/random/philox.h"
#include "tensor/random/sampler.h"

#include <agnesi/ag.h>
#include <agnesi/geometric_sample.h>
#include <math.h>

typedef struct job {
    const agn_graph *g;
    const agni_incidence *t;
    const int64_t *start;
    int64_t *to, length;
    uint64_t key;
    double p, q;
} job;

static bool has_edge(const job *q, int64_t from, int64_t to)
{
    int64_t end = agni_read_index(q->t->begin, q->g->wide, from + 1);
    for (int64_t e = agni_read_index(q->t->begin, q->g->wide, from); e < end; e++)
        if (agni_read_index(q->t->other, q->g->wide, e) == to)
            return true;
    return false;
}

typedef struct step {
    int64_t before, first, n; /* where the walk came from, -1 at its start; slots of the node */
    double back, far;
} step;

static double weigh_slot(const job *q, const step *t, int64_t slot)
{
    int64_t to = agni_read_index(q->t->other, q->g->wide, slot);
    return to == t->before ? t->back : has_edge(q, t->before, to) ? 1 : t->far;
}

/* by the sums of all weights */
static int64_t draw_exactly(const job *q, const step *t, double u)
{
    double sum = 0, at = 0;
    int64_t last = t->first + t->n - 1, e = t->first;
    for (int64_t k = t->first; k <= last; k++)
        sum += weigh_slot(q, t, k);
    for (; e < last && (at += weigh_slot(q, t, e)) <= u * sum; e++)
        continue;
    return e;
}

enum { MOST_TRIES = 32 }; /* what then was not taken says nothing about what is drawn exactly */

/* Each try uses two Philox blocks of its own: one for the edge, one for whether it is taken. */
static int64_t take_step(const job *q, uint64_t key, int64_t number, int64_t before, int64_t node)
{
    int64_t first = agni_read_index(q->t->begin, q->g->wide, node);
    step t = {before, first, agni_read_index(q->t->begin, q->g->wide, node + 1) - first, 1 / q->p,
              1 / q->q};
    if (!t.n)
        return -1;
    bool plain = before < 0 || (q->p == 1 && q->q == 1);
    double most = fmax(1, fmax(t.back, t.far));
    uint64_t under = agni_philox_fold(key, (uint64_t)number);
    for (uint64_t k = 0; k < MOST_TRIES; k++) {
        agni_philox4 w = agni_philox_block(under, 2 * k), v = agni_philox_block(under, 2 * k + 1);
        int64_t e = first + (int64_t)agni_sample_bounded_integer(under, 2 * k, w.w, (uint64_t)t.n);
        if (plain || agni_philox_to_f64(v.w[0], v.w[1]) * most < weigh_slot(q, &t, e))
            return agni_read_index(q->t->other, q->g->wide, e);
    }
    agni_philox4 v = agni_philox_block(under, 2 * MOST_TRIES);
    int64_t e = draw_exactly(q, &t, agni_philox_to_f64(v.w[0], v.w[1]));
    return agni_read_index(q->t->other, q->g->wide, e);
}

static void walk_from(void *user, int64_t i, int worker)
{
    const job *q = user;
    int64_t *to = q->to + i * (q->length + 1), before = -1;
    uint64_t key = agni_philox_fold(q->key, (uint64_t)i);
    (void)worker;
    to[0] = q->start[i];
    for (int64_t k = 0; k < q->length; k++) {
        to[k + 1] = to[k] < 0 ? -1 : take_step(q, key, k, before, to[k]);
        before = to[k];
    }
}

agn_status agn_graph_random_walk(agn_tensor **out, const agn_graph *g, const agn_tensor *start,
                                 int64_t length, double p, double q, const agn_tensor *key)
{
    static const char op[] = "graph_random_walk";
    agn_tensor *y = NULL;
    job w = {.g = g, .length = length, .p = p, .q = q};
    int64_t n = 0;
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    if (length < 0 || length > INT64_MAX / 64)
        return agni_fail(AGN_EARG, "%s: length %lld, from 0 on and less than memory is needed", op,
                         (long long)length);
    if (!(p > 0) || !(q > 0) || isinf(p) || isinf(q))
        return agni_fail(AGN_EDOMAIN, "%s: p is %g and q %g, finite numbers above 0 are needed", op,
                         p, q);
    if (g->n[AGN_GRAPH_SRC] != g->n[AGN_GRAPH_DST])
        return agni_fail(AGN_EARG, "%s: the graph has %lld sources and %lld destinations", op,
                         (long long)g->n[AGN_GRAPH_SRC], (long long)g->n[AGN_GRAPH_DST]);
    agn_status st = agni_read_sample_key(op, key, &w.key);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    w.start = agni_read_nodes(s, op, "start", start, g->n[AGN_GRAPH_SRC], &n);
    w.t = w.start ? agni_graph_incidence(g, AGN_GRAPH_SRC) : NULL;
    if (w.start && !w.t)
        agn_scope_fail(s, agni_nomem(op, (size_t)g->edges * 2 * sizeof(int64_t)));
    st = agn_scope_status(s);
    if (!st)
        st = agni_tensor_make(&y, op, AGN_I64, 2, (int64_t[]){n, length + 1}, AGN_CPU);
    if (!st && n) {
        w.to = y->data;
        agni_parallel_for(n, walk_from, &w);
    }
    agn_scope_return(s, out, agni_beside(s, agn_scope_adopt(s, st, &y), start));
    return agni_rename_error(op, agn_scope_close(s));
}
