/* sparse/graph/spanning_tree.c - minimum spanning trees (Kruskal 1956). The tree is found by the
   weights at hand; its own are gathered from them, so that derivatives follow. */
#include "sparse/graph/graph.h"

#include <agnesi/ag.h>
#include <math.h>
#include <stdlib.h>

typedef struct weighted_edge {
    double w;
    int64_t e, i;
} weighted_edge;

static int compare_weights(const void *x, const void *y)
{
    const weighted_edge *a = x, *b = y;
    return a->w != b->w ? (a->w < b->w ? -1 : 1) : a->e < b->e ? -1 : 1;
}

/* marks the entries that are taken; their number */
static int64_t mark_tree_edges(const agni_edges *g, weighted_edge *list, bool *taken)
{
    int64_t nnz = g->begin[g->n], n = 0, *up = agni_edges_room(g, 0);
    qsort(list, (size_t)nnz, sizeof *list, compare_weights);
    for (int64_t i = 0; i < g->n; i++)
        up[i] = i;
    for (int64_t k = 0; k < nnz; k++) {
        int64_t p = agni_find_root(up, list[k].i), q = agni_find_root(up, g->to[list[k].e]);
        up[p > q ? p : q] = p > q ? q : p;
        n += taken[list[k].e] = p != q;
    }
    return n;
}

/* the entries of a that are marked, n of them */
static agn_status select_entries(agn_tensor **out, const agni_edges *g, int64_t n,
                                 const bool *taken)
{
    int64_t *indptr = agni_zalloc((size_t)(g->n + 1) * sizeof *indptr);
    int64_t *index = agni_alloc((size_t)(n + 1) * sizeof *index);
    int64_t *from = agni_alloc((size_t)(n + 1) * sizeof *from), at = 0;
    agni_pattern *p = NULL;
    if (!indptr || !index || !from) {
        agni_free(indptr);
        agni_free(index);
        agni_free(from);
        return agni_nomem(g->op, (size_t)n * sizeof *index);
    }
    for (int64_t i = 0; i < g->n; i++) {
        for (int64_t e = g->begin[i]; e < g->begin[i + 1]; e++)
            if (taken[e]) {
                index[at] = g->to[e];
                from[at++] = e;
            }
        indptr[i + 1] = at;
    }
    agn_status st = agni_pattern_new(&p, g->n, g->n, indptr, index);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *v = st ? NULL
                             : ag_gather(s, g->c->values, agni_edges_indices(s, g, n, from), -1);
    agn_tensor *y = NULL;
    agn_scope_fail(s, st);
    if (!agn_scope_status(s)) {
        st = agni_csr_new(&y, g->op, p, v);
        agn_scope_return(s, out, agn_scope_adopt(s, st, &y));
    }
    if (p)
        agni_obj_release(&p->head);
    agni_free(from);
    return agn_scope_close(s);
}

agn_status agn_sparse_spanning_tree(agn_tensor **out, const agn_tensor *a)
{
    AGNI_NEED("sparse_spanning_tree", out);
    AGNI_NEED("sparse_spanning_tree", a);
    agni_edges g;
    agn_tensor *w = NULL;
    agn_status st = agni_edges_open(&g, "sparse_spanning_tree", a, false, 1);
    if (!st)
        st = agni_edges_weights(&w, &g);
    int64_t nnz = st ? 0 : g.begin[g.n];
    weighted_edge *list = st ? NULL : agni_alloc((size_t)(nnz + 1) * sizeof *list);
    bool *taken = st ? NULL : agni_zalloc((size_t)nnz + 1);
    if (!st && (!list || !taken))
        st = agni_nomem(g.op, (size_t)nnz * sizeof *list);
    for (int64_t i = 0; !st && i < g.n; i++)
        for (int64_t e = g.begin[i]; !st && e < g.begin[i + 1]; e++) {
            list[e] = (weighted_edge){((const double *)w->data)[e], e, i};
            if (isnan(list[e].w))
                st = agni_fail(AGN_EDOMAIN, "%s: entry [%lld,%lld] is NaN", g.op, (long long)i,
                               (long long)g.to[e]);
        }
    if (!st)
        st = select_entries(out, &g, mark_tree_edges(&g, list, taken), taken);
    agni_free(list);
    agni_free(taken);
    agn_release(w);
    agni_edges_close(&g);
    return st;
}
