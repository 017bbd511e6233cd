/* sparse/graph/weighted.c - shortest paths, spanning trees and Laplacians: what depends on weights, as
   gathers of them, so that derivatives follow. */
#include "sparse/graph/graph.h"

#include <agnesi/ag.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const agn_tensor *ints(agn_scope *s, const agni_edges *g, int64_t n, const int64_t *v)
{
    agn_tensor *x = NULL;
    if (agn_scope_status(s))
        return NULL;
    agn_status st = agni_edges_ints(&x, g, n, v);
    return agn_scope_adopt(s, st, x);
}

/* values and a zero behind them, so that nothing has a place to be gathered from */
static const agn_tensor *and_zero(agn_scope *s, const agn_tensor *v)
{
    int64_t none[AGNI_MAX_RANK] = {0}, one[AGNI_MAX_RANK] = {0};
    if (!v)
        return NULL;
    one[v->ndim - 1] = 1;
    return ag_pad(s, v, v->ndim, none, one, 0);
}

/* ---- shortest paths -------------------------------------------------------------------------------------- */

typedef struct reach {
    double length;
    int64_t node;
} reach;

static bool sooner(reach a, reach b)
{
    return a.length < b.length || (a.length == b.length && a.node < b.node);
}
static void push(reach *heap, int64_t n, reach r)
{
    for (; n && sooner(r, heap[(n - 1) / 2]); n = (n - 1) / 2)
        heap[n] = heap[(n - 1) / 2];
    heap[n] = r;
}
static reach pop(reach *heap, int64_t n)
{
    reach top = heap[0], r = heap[--n];
    int64_t at = 0;
    for (int64_t k = 1; k < n; at = k, k = 2 * k + 1) {
        k += k + 1 < n && sooner(heap[k + 1], heap[k]);
        if (!sooner(heap[k], r))
            break;
        heap[at] = heap[k];
    }
    heap[at] = r;
    return top;
}

/* before[i] and the edge that leads to i from there, number nnz where there is none */
static void search(const agni_edges *g, int64_t start, const double *w, reach *heap, double *length,
                   int64_t *before, int64_t *edge)
{
    int64_t n = 1;
    for (int64_t i = 0; i < g->n; i++) {
        length[i] = (double)INFINITY;
        before[i] = -1;
        edge[i] = g->begin[g->n];
    }
    length[start] = 0;
    heap[0] = (reach){0, start};
    while (n) {
        reach r = pop(heap, n--);
        if (r.length > length[r.node])
            continue;
        for (int64_t e = g->begin[r.node]; e < g->begin[r.node + 1]; e++) {
            double d = r.length + w[e];
            int64_t j = g->to[e];
            if (!(d < length[j]))
                continue;
            length[j] = d;
            before[j] = r.node;
            edge[j] = e;
            push(heap, n++, (reach){d, j});
        }
    }
}

/* sums of edges along the paths: each node adds what the node before it has gathered so far, and looks
   twice as far back in the next round */
static const agn_tensor *along(agn_scope *s, const agni_edges *g, int64_t start, int64_t *before,
                               const int64_t *edge)
{
    const agn_tensor *v = g->c->values;
    if (agni_kind(v->dtype) != AGNI_KIND_FLOAT) /* counts have no bound */
        v = ag_cast(s, v, AGN_F64);
    const agn_tensor *d = ag_gather(s, and_zero(s, v), ints(s, g, g->n, edge), -1);
    int64_t *back = agni_edges_room(g, 2), *next = agni_edges_room(g, 3);
    bool more = true;
    for (int64_t i = 0; i < g->n; i++)
        back[i] = before[i] < 0 ? start : before[i];
    back[start] = start;
    while (more && !agn_scope_status(s)) {
        d = ag_add(s, d, ag_gather(s, d, ints(s, g, g->n, back), -1));
        more = false;
        for (int64_t i = 0; i < g->n; i++)
            more |= (next[i] = back[back[i]]) != start;
        memcpy(back, next, (size_t)g->n * sizeof *back);
    }
    return d;
}

agn_status agn_sparse_dijkstra(agn_tensor **length, agn_tensor **from, const agn_tensor *a, int64_t start)
{
    AGNI_NEED("sparse_dijkstra", length);
    AGNI_NEED("sparse_dijkstra", a);
    agni_edges g;
    agn_tensor *w = NULL;
    agn_status st = agni_edges_open(&g, "sparse_dijkstra", a, false, 4);
    if (!st && (start < 0 || start >= g.n))
        st = agni_fail(AGN_EINDEX, "%s: node %lld is none of %lld", g.op, (long long)start,
                       (long long)g.n);
    if (!st)
        st = agni_edges_weights(&w, &g);
    const double *v = st ? NULL : w->data;
    for (int64_t i = 0; !st && i < g.n; i++)
        for (int64_t e = g.begin[i]; !st && e < g.begin[i + 1]; e++)
            if (!(v[e] >= 0))
                st = agni_fail(AGN_EDOMAIN, "%s: entry [%lld,%lld] is %g; no weight may be negative",
                               g.op, (long long)i, (long long)g.to[e], v[e]);
    int64_t nnz = st ? 0 : g.begin[g.n], *before = NULL, *edge = NULL;
    reach *heap = st ? NULL : agni_alloc((size_t)(nnz + 2) * sizeof *heap);
    double *far = st ? NULL : agni_alloc((size_t)(g.n + 1) * sizeof *far);
    if (!st && (!heap || !far))
        st = agni_nomem(g.op, (size_t)nnz * sizeof *heap);
    agn_scope *s = agn_scope_open(NULL);
    if (!agn_scope_fail(s, st)) {
        before = agni_edges_room(&g, 0);
        edge = agni_edges_room(&g, 1);
        search(&g, start, v, heap, far, before, edge);
        const agn_tensor *d = along(s, &g, start, before, edge);
        bool all = true;
        for (int64_t i = 0; i < g.n; i++) { /* 1 where no path leads */
            agni_edges_room(&g, 2)[i] = isinf(far[i]) && before[i] < 0;
            all &= !agni_edges_room(&g, 2)[i];
        }
        if (!all)
            d = ag_where(s, ag_cast(s, ints(s, &g, g.n, agni_edges_room(&g, 2)), AGN_BOOL),
                         agni_literal(s, (double)INFINITY), d);
        agn_scope_return(s, length, d);
        if (from)
            agn_scope_return(s, from, ints(s, &g, g.n, before));
    }
    agni_free(heap);
    agni_free(far);
    agn_release(w);
    agni_edges_close(&g);
    return agn_scope_close(s);
}

/* ---- spanning trees ------------------------------------------------------------------------------------------- */

typedef struct edge {
    double w;
    int64_t e, i;
} edge;

static int lighter(const void *x, const void *y)
{
    const edge *a = x, *b = y;
    return a->w != b->w ? (a->w < b->w ? -1 : 1) : a->e < b->e ? -1 : 1;
}

/* marks the entries that are taken; their number */
static int64_t kruskal(const agni_edges *g, edge *list, bool *taken)
{
    int64_t nnz = g->begin[g->n], n = 0, *up = agni_edges_room(g, 0);
    qsort(list, (size_t)nnz, sizeof *list, lighter);
    for (int64_t i = 0; i < g->n; i++)
        up[i] = i;
    for (int64_t k = 0; k < nnz; k++) {
        int64_t p = agni_set_of(up, list[k].i), q = agni_set_of(up, g->to[list[k].e]);
        up[p > q ? p : q] = p > q ? q : p;
        n += taken[list[k].e] = p != q;
    }
    return n;
}

/* the entries of a that are marked, n of them */
static agn_status subset(agn_tensor **out, const agni_edges *g, int64_t n, const bool *taken)
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
    const agn_tensor *v = st ? NULL : ag_gather(s, g->c->values, ints(s, g, n, from), -1);
    agn_tensor *y = NULL;
    agn_scope_fail(s, st);
    if (!agn_scope_status(s)) {
        st = agni_csr_new(&y, g->op, p, v);
        agn_scope_return(s, out, agn_scope_adopt(s, st, y));
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
    edge *list = st ? NULL : agni_alloc((size_t)(nnz + 1) * sizeof *list);
    bool *taken = st ? NULL : agni_zalloc((size_t)nnz + 1);
    if (!st && (!list || !taken))
        st = agni_nomem(g.op, (size_t)nnz * sizeof *list);
    for (int64_t i = 0; !st && i < g.n; i++)
        for (int64_t e = g.begin[i]; !st && e < g.begin[i + 1]; e++) {
            list[e] = (edge){((const double *)w->data)[e], e, i};
            if (isnan(list[e].w))
                st = agni_fail(AGN_EDOMAIN, "%s: entry [%lld,%lld] is NaN", g.op, (long long)i,
                               (long long)g.to[e]);
        }
    if (!st)
        st = subset(out, &g, kruskal(&g, list, taken), taken);
    agni_free(list);
    agni_free(taken);
    agn_release(w);
    agni_edges_close(&g);
    return st;
}

/* ---- Laplacians ------------------------------------------------------------------------------------------------ */

/* Where the entries of the Laplacian come from. */
typedef struct plan {
    int64_t nnz, *indptr, *index;
    int64_t *from;      /* the entry of a, or nnz of a: none, also on the diagonal */
    int64_t *row, *col; /* of those entries */
    int64_t *diag;      /* the node on the diagonal, or n */
    int64_t *off;       /* of each entry of a: itself, or nnz on the diagonal */
} plan;

static agn_status plan_laplacian(plan *q, const agni_edges *g)
{
    int64_t n = g->n, nnz = g->begin[n], at = 0;
    q->indptr = agni_zalloc((size_t)(n + 1) * sizeof *q->indptr);
    q->index = agni_alloc((size_t)(nnz + n + 1) * sizeof *q->index);
    q->from = agni_alloc((size_t)(5 * (nnz + n) + 1) * sizeof *q->from);
    if (!q->indptr || !q->index || !q->from)
        return agni_nomem(g->op, (size_t)(6 * (nnz + n)) * sizeof *q->from);
    q->row = q->from + nnz + n;
    q->col = q->row + nnz + n;
    q->diag = q->col + nnz + n;
    q->off = q->diag + nnz + n;
    for (int64_t i = 0; i < n; i++) {
        int64_t e = g->begin[i], end = g->begin[i + 1];
        for (bool placed = false; e < end || !placed; at++) {
            bool here = !placed && (e == end || g->to[e] >= i), stored = e < end && (!here || g->to[e] == i);
            q->index[at] = q->col[at] = here ? i : g->to[e];
            q->row[at] = i;
            q->from[at] = here ? nnz : e;
            q->diag[at] = here ? i : n;
            placed |= here;
            if (stored) {
                q->off[e] = here ? nnz : e;
                e++;
            }
        }
        q->indptr[i + 1] = at;
    }
    q->nnz = at;
    return AGN_OK;
}

static const agn_tensor *laplacian_values(agn_scope *s, const agni_edges *g, const plan *q,
                                          bool normalised)
{
    int64_t one = 1, n = g->n, turned = 0;
    const agn_tensor *v = and_zero(s, g->c->values);
    const agn_tensor *off = ag_gather(s, v, ints(s, g, g->begin[n], q->off), -1), *d, *y;
    if (agn_scope_status(s))
        return NULL;
    const agn_tensor *in[2] = {off, agni_full(s, 1, off->dtype, 2, (int64_t[]){n, one})};
    d = in[1]
            ? agni_apply_in(s, &agni_op_sparse_spmm,
                            &(agni_attr){.ni = 1, .i = &turned, .obj = &g->c->pattern->head}, 2, in)
            : NULL;
    d = d ? agni_reshape(s, d, d->ndim - 1, d->shape) : NULL;
    y = ag_neg(s, ag_gather(s, v, ints(s, g, q->nnz, q->from), -1));
    if (!normalised)
        return ag_add(s, y, ag_gather(s, and_zero(s, d), ints(s, g, q->nnz, q->diag), -1));
    const agn_tensor *zero = agni_literal(s, 0), *unit = agni_literal(s, 1);
    const agn_tensor *some = ag_ne(s, d, zero);
    const agn_tensor *root = ag_sqrt(s, ag_where(s, some, d, unit));
    y = ag_div(s, y, ag_mul(s, ag_gather(s, root, ints(s, g, q->nnz, q->row), -1),
                            ag_gather(s, root, ints(s, g, q->nnz, q->col), -1)));
    const agn_tensor *on = d ? ag_cast(s, some, d->dtype) : NULL;
    return ag_add(s, y, ag_gather(s, and_zero(s, on), ints(s, g, q->nnz, q->diag), -1));
}

agn_status agn_sparse_laplacian(agn_tensor **out, const agn_tensor *a, bool normalised)
{
    AGNI_NEED("sparse_laplacian", out);
    AGNI_NEED("sparse_laplacian", a);
    agni_edges g;
    plan q = {0};
    agni_pattern *p = NULL;
    agn_tensor *y = NULL;
    agn_status st = agni_edges_open(&g, "sparse_laplacian", a, false, 0);
    if (!st)
        st = plan_laplacian(&q, &g);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *v = agn_scope_fail(s, st) ? NULL : laplacian_values(s, &g, &q, normalised);
    if (v) {
        st = agni_pattern_new(&p, g.n, g.n, q.indptr, q.index);
        q.indptr = q.index = NULL;
        if (!st)
            st = agni_csr_new(&y, g.op, p, v);
        agn_scope_return(s, out, agn_scope_adopt(s, st, y));
    }
    if (p)
        agni_obj_release(&p->head);
    agni_free(q.indptr);
    agni_free(q.index);
    agni_free(q.from);
    agni_edges_close(&g);
    return agn_scope_close(s);
}
