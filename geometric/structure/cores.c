/* geometric/structure/cores.c - core numbers: nodes of least degree are taken away first, by bins
   of degrees (Seidman 1983; Batagelj and Zaversnik 2003). */
#include "geometric/structure/structure.h"

#include <string.h>

/* the nodes sorted by what is left of their degrees: place[i] is where i stands in order[]; degree
   d begins at bin[d] */
typedef struct bins {
    int64_t *degree, *order, *place, *bin;
} bins;

static void sort_by_degree(bins *q, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        q->bin[q->degree[i] + 1]++;
    for (int64_t d = 0; d < n; d++)
        q->bin[d + 1] += q->bin[d];
    for (int64_t i = 0; i < n; i++) {
        q->place[i] = q->bin[q->degree[i]]++;
        q->order[q->place[i]] = i;
    }
    for (int64_t d = n; d > 0; d--)
        q->bin[d] = q->bin[d - 1];
    q->bin[0] = 0;
}

/* one edge less: to the front of its bin, which then begins behind it */
static void lower_degree(bins *q, int64_t j)
{
    int64_t d = q->degree[j], first = q->bin[d], i = q->order[first];
    q->order[first] = j;
    q->order[q->place[j]] = i;
    q->place[i] = q->place[j];
    q->place[j] = first;
    q->bin[d]++;
    q->degree[j]--;
}

agn_status agn_graph_k_core(agn_tensor **out, const agn_graph *g)
{
    static const char op[] = "graph_k_core";
    agn_graph *both = NULL;
    agn_tensor *y = NULL;
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    agn_status st = agni_check_one_kind(op, g);
    if (!st)
        st = agni_rename_error(op, agn_graph_undirected(&both, NULL, g));
    const agni_incidence *t = st ? NULL : agni_graph_incidence(both, AGN_GRAPH_SRC);
    int64_t n = g->n[AGN_GRAPH_SRC], *v = st ? NULL : agni_zalloc((size_t)(3 * n + 2) * sizeof *v);
    if (!st && (!t || !v))
        st = agni_nomem(op, (size_t)n * 3 * sizeof *v);
    if (!st)
        st = agni_tensor_make(&y, op, AGN_I64, 1, &n, AGN_CPU);
    if (!st) {
        bins q = {y->data, v, v + n, v + 2 * n};
        for (int64_t i = 0; i < n; i++) {
            int64_t lo = agni_read_index(t->begin, both->wide, i),
                    hi = agni_read_index(t->begin, both->wide, i + 1);
            q.degree[i] = hi - lo;
            for (int64_t k = lo; k < hi; k++)
                q.degree[i] -= agni_read_index(t->other, both->wide, k) == i; /* a loop */
        }
        sort_by_degree(&q, n);
        for (int64_t k = 0; k < n; k++) {
            int64_t i = q.order[k], hi = agni_read_index(t->begin, both->wide, i + 1);
            for (int64_t e = agni_read_index(t->begin, both->wide, i); e < hi; e++) {
                int64_t j = agni_read_index(t->other, both->wide, e);
                if (q.degree[j] > q.degree[i])
                    lower_degree(&q, j);
            }
        }
    }
    agni_free(v);
    agn_graph_release(both);
    if (!st)
        *out = y;
    return st;
}
