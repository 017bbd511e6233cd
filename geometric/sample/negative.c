/* geometric/sample/negative.c - pairs of nodes without an edge: the pairs that are none are counted
   row by row, one is drawn by its number, and found by bisection. */
#include "geometric/sample/sample.h"

#include <agnesi/ag.h>
#include <agnesi/geometric_sample.h>
#include <stdlib.h>
#include <string.h>

/* The destinations that row i does not lead to are counted before[i] .. before[i + 1] - 1; those
   that it does, each once and rising, are taken[begin[i]] .. taken[begin[i + 1] - 1]. */
typedef struct gaps {
    int64_t n, m, *before, *begin, *taken;
} gaps;

static int by_value(const void *a, const void *b)
{
    int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;
    return p < q ? -1 : p > q;
}

static agn_status open_gaps(gaps *q, const char *op, const agn_graph *g, bool loops)
{
    const agni_incidence *t = agni_graph_incidence(g, AGN_GRAPH_SRC);
    int64_t n = g->n[AGN_GRAPH_SRC], m = g->n[AGN_GRAPH_DST], top = 0;
    int64_t *v = agni_alloc((size_t)(3 * n + g->edges + 4) * sizeof *v);
    *q = (gaps){n, m, v, NULL, NULL};
    if (!t || !v)
        return agni_nomem(op, (size_t)(n + g->edges) * 3 * sizeof *v);
    q->begin = v + n + 1;
    q->taken = q->begin + n + 1;
    q->before[0] = q->begin[0] = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t hi = agni_read_index(t->begin, g->wide, i + 1), first = top;
        for (int64_t k = agni_read_index(t->begin, g->wide, i); k < hi; k++)
            q->taken[top++] = agni_read_index(t->other, g->wide, k);
        if (!loops && i < m)
            q->taken[top++] = i;
        if (top - first > 1)
            qsort(q->taken + first, (size_t)(top - first), sizeof *v, by_value);
        int64_t kept = first;
        for (int64_t k = first; k < top; k++)
            if (k == first || q->taken[k] != q->taken[k - 1])
                q->taken[kept++] = q->taken[k];
        top = kept;
        q->begin[i + 1] = top;
        q->before[i + 1] = q->before[i] + m - (top - first);
    }
    return AGN_OK;
}

/* pair number k of those that are no edges */
static void find_pair(const gaps *q, int64_t k, int64_t *src, int64_t *dst)
{
    int64_t lo = 0, hi = q->n;
    while (hi - lo > 1) {
        int64_t middle = lo + (hi - lo) / 2;
        if (q->before[middle] <= k)
            lo = middle;
        else
            hi = middle;
    }
    int64_t at = k - q->before[lo], e = q->begin[lo]; /* of the row's own, counted from 0 */
    while (e < q->begin[lo + 1] && q->taken[e] <= at) {
        at++;
        e++;
    }
    *src = lo;
    *dst = at;
}

agn_status agn_graph_sample_negative(agn_tensor **src, agn_tensor **dst, const agn_graph *g,
                                     int64_t count, bool loops, const agn_tensor *key)
{
    static const char op[] = "graph_sample_negative";
    agn_tensor *a = NULL, *b = NULL;
    gaps q = {0};
    uint64_t sub = 0;
    AGNI_NEED(op, src);
    AGNI_NEED(op, dst);
    AGNI_NEED(op, g);
    if (count < 0)
        return agni_fail(AGN_EARG, "%s: %lld pairs, 0 or more are needed", op, (long long)count);
    int64_t n = g->n[AGN_GRAPH_SRC], m = g->n[AGN_GRAPH_DST];
    if (m && n > (INT64_MAX >> 1) / m)
        return agni_fail(AGN_EUNSUPPORTED, "%s: %lld times %lld pairs of nodes", op, (long long)n,
                         (long long)m);
    agn_status st = agni_read_sample_key(op, key, &sub);
    if (!st)
        st = open_gaps(&q, op, g, loops);
    if (!st && count && !q.before[n])
        st = agni_fail(AGN_EDOMAIN, "%s: no pair is left of %lld sources and %lld destinations", op,
                       (long long)n, (long long)m);
    if (!st)
        st = agni_tensor_make(&a, op, AGN_I64, 1, &count, AGN_CPU);
    if (!st)
        st = agni_tensor_make(&b, op, AGN_I64, 1, &count, AGN_CPU);
    for (int64_t k = 0; !st && k < count; k++)
        find_pair(&q, agni_draw_below(sub, (uint64_t)k, q.before[n]), (int64_t *)a->data + k,
                  (int64_t *)b->data + k);
    agni_free(q.before);
    if (!st)
        st = agni_move_beside(&a, key);
    if (!st)
        st = agni_move_beside(&b, key);
    if (st) {
        agn_release(a);
        agn_release(b);
        return st;
    }
    *src = a;
    *dst = b;
    return AGN_OK;
}
