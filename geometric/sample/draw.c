/* geometric/sample/draw.c - some of the edges of a node, without replacement: Floyd's algorithm
   (Bentley 1987), selection sampling (Knuth, The Art of Computer Programming 2, 3.4.2 algorithm S),
   and weighted by exponential clocks (Efraimidis and Spirakis 2006). */
#include "geometric/sample/sample.h"

#include "core/random/philox.h"
#include "tensor/random/sampler.h"

#include <agnesi/ag.h>
#include <math.h>
#include <string.h>

/* ---- what samplers read --------------------------------------------------------------------- */

agn_status agni_read_sample_key(const char *op, const agn_tensor *key, uint64_t *sub)
{
    agn_tensor *k = NULL, *near = NULL;
    int64_t v[2];
    agn_status st = key ? agni_require_dense(key, op) : agni_fail(AGN_ENULL, "%s: key is NULL", op);
    if (!st)
        st = agni_check_key(op, key);
    if (!st && key->ndim != 1)
        st = agni_fail(AGN_ESHAPE, "%s: the key is %s, [2] is needed", op, AGNI_SHAPE(key));
    if (!st)
        st = agni_read_on_host(&near, key, op);
    if (!st)
        st = agni_make_contiguous(&k, near);
    agn_release(near);
    if (st)
        return st;
    memcpy(v, k->data, sizeof v);
    agn_release(k);
    *sub = agni_philox_subkey((uint64_t)v[0], (uint64_t)v[1]);
    return AGN_OK;
}

const int64_t *agni_read_nodes(agn_scope *s, const char *op, const char *what, const agn_tensor *x,
                               int64_t n, int64_t *count)
{
    const int64_t *v = agni_read_integers(s, op, what, x, count);
    for (int64_t i = 0; v && i < *count; i++)
        if (v[i] < 0 || v[i] >= n) {
            agn_scope_fail(s, agni_fail(AGN_EINDEX,
                                        "%s: %s has %lld at %lld, out of range for %lld nodes", op,
                                        what, (long long)v[i], (long long)i, (long long)n));
            return NULL;
        }
    return v;
}

bool agni_integers_reserve(agni_integers *q, int64_t more)
{
    int64_t room = q->room ? q->room : 64;
    while (room < q->n + more)
        room *= 2;
    if (room == q->room)
        return true;
    int64_t *v = agni_alloc((size_t)room * sizeof *v);
    if (!v)
        return false;
    if (q->n)
        memcpy(v, q->v, (size_t)q->n * sizeof *v);
    agni_free(q->v);
    q->v = v;
    q->room = room;
    return true;
}

bool agni_integers_add(agni_integers *q, int64_t x)
{
    if (q->n == q->room && !agni_integers_reserve(q, 1))
        return false;
    q->v[q->n++] = x;
    return true;
}

const agn_tensor *agni_integers_tensor(agn_scope *s, const agni_integers *q)
{
    static const int64_t nothing[1];
    return ag_from_host(s, AGN_I64, 1, &q->n, q->n ? q->v : nothing);
}

/* ---- one node ------------------------------------------------------------------------------- */

agn_status agni_edge_draw_open(agni_edge_draw *q, const char *op, const agn_graph *g,
                               const double *weight, int64_t most, uint64_t key)
{
    *q = (agni_edge_draw){.g = g, .t = agni_graph_incidence(g, AGN_GRAPH_DST), .weight = weight,
                          .most = most, .key = key};
    for (int64_t i = 0; q->t && i < g->n[AGN_GRAPH_DST]; i++) {
        int64_t n = agni_read_index(q->t->begin, g->wide, i + 1) -
                    agni_read_index(q->t->begin, g->wide, i);
        q->room = n > q->room ? n : q->room;
    }
    q->slot = agni_alloc((size_t)(q->room + 1) * sizeof *q->slot);
    q->time = weight ? agni_alloc((size_t)(q->room + 1) * sizeof *q->time) : NULL;
    if (q->t && q->slot && (q->time || !weight))
        return AGN_OK;
    agni_edge_draw_close(q);
    return agni_nomem(op, (size_t)(g->edges + q->room) * sizeof(int64_t));
}

void agni_edge_draw_close(agni_edge_draw *q)
{
    agni_free(q->slot);
    agni_free(q->time);
    q->slot = NULL;
    q->time = NULL;
}

int64_t agni_draw_below(uint64_t key, uint64_t element, int64_t n)
{
    agni_philox4 w = agni_philox_block(key, element);
    return (int64_t)agni_sample_bounded_integer(key, element, w.w, (uint64_t)n);
}

enum { FEW = 256 }; /* draws that insertion keeps in order */

/* k of n, ascending, k at most FEW; any k where n is small. Random words come first: what they need
   does not wait for what is done with others. */
static void draw_floyd(uint64_t key, int64_t n, int64_t k, int64_t *v)
{
    agni_philox4 w[FEW];
    for (int64_t m = 0; m < k; m++)
        w[m] = agni_philox_block(key, (uint64_t)m);
    for (int64_t m = 0; m < k; m++) {
        int64_t j = n - k + m, at = m;
        int64_t x = (int64_t)agni_sample_bounded_integer(key, (uint64_t)m, w[m].w,
                                                         (uint64_t)(j + 1));
        while (at > 0 && v[at - 1] > x)
            at--;
        if (at > 0 && v[at - 1] == x) {
            at = m; /* j is above all that were drawn */
            x = j;
        }
        for (int64_t i = m; i > at; i--)
            v[i] = v[i - 1];
        v[at] = x;
    }
}

static void select_in_order(uint64_t key, int64_t n, int64_t k, int64_t *v)
{
    for (int64_t i = 0, m = 0; m < k; i++)
        if (agni_draw_below(key, (uint64_t)i, n - i) < k - m)
            v[m++] = i;
}

/* The clock of an edge rings after an exponential time of rate its weight: the first k to ring. A
   heap with the last of them on top. */
static void sift_down(const double *time, int64_t *heap, int64_t n, int64_t i)
{
    for (int64_t c; (c = 2 * i + 1) < n; i = c) {
        if (c + 1 < n && time[heap[c + 1]] > time[heap[c]])
            c++;
        if (time[heap[i]] >= time[heap[c]])
            return;
        int64_t x = heap[i];
        heap[i] = heap[c];
        heap[c] = x;
    }
}

static int64_t draw_weighted(agni_edge_draw *q, uint64_t key, int64_t first, int64_t n, int64_t k)
{
    int64_t m = 0, kept = 0;
    for (int64_t i = 0; i < n; i++) {
        double w = q->weight[agni_listed_edge(q->g, q->t, first + i)];
        q->time[i] = w > 0 ? -log1p(-agni_philox_f64(key, (uint64_t)i)) / w : (double)INFINITY;
        if (w <= 0)
            continue;
        if (m < k) {
            q->slot[m++] = i;
            for (int64_t j = m / 2 - 1; m == k && j >= 0; j--)
                sift_down(q->time, q->slot, m, j);
        } else if (k > 0 && q->time[i] < q->time[q->slot[0]]) {
            q->slot[0] = i;
            sift_down(q->time, q->slot, m, 0);
        }
    }
    for (int64_t j = 0; j < m; j++) /* marked, then collected in order */
        q->time[q->slot[j]] = -1;
    for (int64_t i = 0; i < n && kept < m; i++)
        if (q->time[i] == -1)
            q->slot[kept++] = i;
    return m;
}

void agni_draw_subset(uint64_t key, int64_t n, int64_t k, int64_t *v)
{
    if (k == n)
        for (int64_t i = 0; i < n; i++)
            v[i] = i;
    else if (k <= FEW)
        draw_floyd(key, n, k, v);
    else
        select_in_order(key, n, k, v);
}

int64_t agni_draw_edges(agni_edge_draw *q, int64_t node, int64_t place)
{
    int64_t first = agni_read_index(q->t->begin, q->g->wide, node);
    int64_t n = agni_read_index(q->t->begin, q->g->wide, node + 1) - first;
    int64_t k = q->most < 0 || q->most > n ? n : q->most;
    uint64_t key = agni_philox_fold(q->key, (uint64_t)place);
    if (q->weight)
        k = draw_weighted(q, key, first, n, k);
    else
        agni_draw_subset(key, n, k, q->slot);
    for (int64_t i = 0; i < k; i++)
        q->slot[i] += first;
    return k;
}
