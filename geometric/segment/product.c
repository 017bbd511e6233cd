/* geometric/segment/product.c - products of the rows of each segment by a tree of pairs (no
   quotient, so that zeros keep their derivatives), and rows times the matrix of their segment
   (Schlichtkrull et al. 2018). */
#include "geometric/segment/segment.h"

#include <agnesi/ag.h>
#include <agnesi/nn.h>
#include <string.h>

/* ---- products ------------------------------------------------------------------------------- */

/* The rows of segment i stand at list[begin[i]] .. list[begin[i + 1] - 1]; a row that is 1 at
   pad. */
typedef struct tree {
    int64_t n, *begin, *list, *a, *b;
} tree;

static agn_status open_tree(tree *t, const char *op, const agn_graph *g)
{
    int64_t n = g->n[AGN_GRAPH_DST], m = g->edges;
    const agni_incidence *rows = agni_graph_incidence(g, AGN_GRAPH_DST);
    int64_t *v = agni_alloc((size_t)(n + 1 + 3 * (m + n + 1)) * sizeof *v);
    *t = (tree){.n = n, .begin = v};
    if (!rows || !v)
        return agni_nomem(op, (size_t)(4 * n + 3 * m) * sizeof *v);
    t->list = v + n + 1;
    t->a = t->list + m + n + 1;
    t->b = t->a + m + n + 1;
    for (int64_t i = 0; i <= n; i++)
        t->begin[i] = agni_read_index(rows->begin, g->wide, i);
    for (int64_t k = 0; k < m; k++)
        t->list[k] = agni_listed_edge(g, rows, k);
    return AGN_OK;
}

/* Pairs of neighbours of each segment, which are the rows of the next level; how many. more:
   whether a segment still has several. */
static int64_t pair_rows(tree *t, int64_t pad, bool *more)
{
    int64_t k = 0, at = t->begin[0];
    *more = false;
    for (int64_t i = 0; i < t->n; i++) {
        int64_t end = t->begin[i + 1], first = k;
        t->begin[i] = k;
        for (; at < end; at += 2, k++) {
            t->a[k] = t->list[at];
            t->b[k] = at + 1 < end ? t->list[at + 1] : pad;
        }
        at = end;
        *more |= k - first > 1;
    }
    t->begin[t->n] = k;
    t->a[k] = t->b[k] = pad;
    for (int64_t j = 0; j < k; j++)
        t->list[j] = j;
    return k;
}

static const agn_tensor *gather_rows(agn_scope *s, const agn_tensor *x, int64_t n,
                                     const int64_t *at)
{
    return ag_gather(s, x, agni_beside(s, ag_from_host(s, AGN_I64, 1, &n, at), x), 0);
}

static const agn_tensor *multiply_rows(agn_scope *s, const char *op, const agn_graph *g,
                                       const agn_tensor *x)
{
    tree t;
    int64_t pad = g->edges, shape[AGNI_MAX_RANK];
    bool more = true;
    agn_scope_fail(s, open_tree(&t, op, g));
    memcpy(shape, x->shape, (size_t)x->ndim * sizeof *shape);
    shape[0] = 1;
    const agn_tensor *y = agn_scope_status(s) ? NULL : agni_full(s, 1, x->dtype, x->ndim, shape);
    y = ag_concat(s, (const agn_tensor *[]){x, y}, 2, 0);
    while (y && more) {
        int64_t n = pair_rows(&t, pad, &more);
        y = ag_mul(s, gather_rows(s, y, n + 1, t.a), gather_rows(s, y, n + 1, t.b));
        pad = n;
    }
    for (int64_t i = 0; y && i < t.n; i++)
        t.a[i] = t.begin[i] < t.begin[i + 1] ? t.begin[i] : pad;
    y = y ? gather_rows(s, y, t.n, t.a) : NULL;
    agni_free(t.begin);
    return y;
}

agn_status agn_geometric_segment_prod(agn_tensor **out, const agn_tensor *x, const agn_tensor *ids,
                                      int64_t segments)
{
    static const char op[] = "geometric_segment_prod";
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    AGNI_NEED(op, ids);
    agn_status st = agni_require_dense(x, op);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_graph *g = agni_segment_graph(s, op, x, ids, segments);
    return agni_return(op, s, out, g ? multiply_rows(s, op, g, x) : NULL);
}

/* ---- a matrix for each segment -------------------------------------------------------------- */

/* where row k of x stands among the rows by segment */
static const agn_tensor *inverse_order(agn_scope *s, const char *op, const agn_graph *g,
                                       const agni_incidence *t)
{
    int64_t *at = agni_alloc((size_t)(g->edges + 1) * sizeof *at);
    const agn_tensor *y = NULL;
    if (!at)
        agn_scope_fail(s, agni_nomem(op, (size_t)g->edges * sizeof *at));
    for (int64_t k = 0; at && k < g->edges; k++)
        at[agni_listed_edge(g, t, k)] = k;
    if (at)
        y = ag_from_host(s, AGN_I64, 1, &g->edges, at);
    agni_free(at);
    return y;
}

/* of rows in the order of their segments */
static const agn_tensor *multiply_blocks(agn_scope *s, const agn_graph *g, const agni_incidence *t,
                                         const agn_tensor *x, const agn_tensor *w,
                                         const agn_tensor **block)
{
    int32_t n = 0;
    for (int64_t r = 0; r < g->n[AGN_GRAPH_DST]; r++) {
        int64_t lo = agni_read_index(t->begin, g->wide, r),
                hi = agni_read_index(t->begin, g->wide, r + 1);
        int64_t one = 1;
        if (lo < hi)
            block[n++] = ag_matmul(s, ag_slice(s, x, 1, &lo, &hi, &one), ag_index_axis(s, w, 0, r));
    }
    if (n)
        return ag_concat(s, block, n, 0);
    return agni_full(s, 0, agni_promote(x->dtype, w->dtype), 2, (int64_t[]){0, w->shape[2]});
}

static const agn_tensor *multiply_segments(agn_scope *s, const char *op, const agn_graph *g,
                                           const agn_tensor *x, const agn_tensor *w)
{
    const agni_incidence *t = agni_graph_incidence(g, AGN_GRAPH_DST);
    int64_t m = g->n[AGN_GRAPH_DST] < g->edges ? g->n[AGN_GRAPH_DST] : g->edges;
    const agn_tensor **block = agni_alloc((size_t)(m + 1) * sizeof(const agn_tensor *)), *y = NULL;
    bool ordered = true;
    for (int64_t k = 0; t && !t->in_order && k < g->edges; k++)
        ordered &= agni_listed_edge(g, t, k) == k;
    if (!t || !block) {
        agn_scope_fail(s, agni_nomem(op, (size_t)g->edges * 2 * sizeof(int64_t)));
    } else if (ordered) {
        y = multiply_blocks(s, g, t, x, w, block);
    } else {
        const agn_tensor *back = agni_beside(s, inverse_order(s, op, g, t), x);
        agn_tensor *order = NULL;
        agn_status st = agni_graph_view(&order, g, g->edges, t->edge);
        x = ag_gather(s, x, agni_beside(s, agn_scope_adopt(s, st, &order), x), 0);
        y = x && back ? ag_gather(s, multiply_blocks(s, g, t, x, w, block), back, 0) : NULL;
    }
    agni_free(block);
    return y;
}

agn_status agn_geometric_segment_mm(agn_tensor **out, const agn_tensor *x, const agn_tensor *w,
                                    const agn_tensor *ids)
{
    static const char op[] = "geometric_segment_mm";
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    AGNI_NEED(op, w);
    AGNI_NEED(op, ids);
    agn_status st = agni_require_dense(x, op);
    if (!st)
        st = agni_require_dense(w, op);
    if (!st && (x->ndim != 2 || w->ndim != 3 || x->shape[1] != w->shape[1]))
        st = agni_fail(AGN_ESHAPE, "%s: x is %s, w is %s: [e,f] and [segments,f,o] are needed", op,
                       AGNI_SHAPE(x), AGNI_SHAPE(w));
    if (!st && w->shape[0] > INT32_MAX)
        st = agni_fail(AGN_ESHAPE, "%s: %lld matrices, %d at most", op, (long long)w->shape[0],
                       INT32_MAX);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_graph *g = NULL;
    if (w->shape[0])
        g = agni_segment_graph(s, op, x, ids, w->shape[0]);
    else
        agn_scope_fail(s, agni_fail(AGN_ESHAPE, "%s: w is %s, one matrix or more is needed", op,
                                    AGNI_SHAPE(w)));
    return agni_return(op, s, out, g ? multiply_segments(s, op, g, x, w) : NULL);
}

/* ---- of edges ------------------------------------------------------------------------------- */

static agn_status check_edges(const char *op, const agn_graph *g, const agn_tensor *x)
{
    agn_status st = agni_require_dense(x, op);
    if (!st && (x->ndim == 0 || x->shape[0] != g->edges))
        st = agni_fail(AGN_ESHAPE, "%s: x is %s, %lld rows are needed", op, AGNI_SHAPE(x),
                       (long long)g->edges);
    return st;
}

agn_status agn_graph_edge_prod(agn_tensor **out, const agn_graph *g, const agn_tensor *x)
{
    static const char op[] = "graph_edge_prod";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, x);
    agn_status st = check_edges(op, g, x);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    return agni_return(op, s, out, multiply_rows(s, op, g, x));
}

agn_status agn_graph_edge_mm(agn_tensor **out, const agn_graph *g, const agn_tensor *x,
                             const agn_tensor *w)
{
    static const char op[] = "graph_edge_mm";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, x);
    AGNI_NEED(op, w);
    agn_status st = check_edges(op, g, x);
    if (!st)
        st = agni_require_dense(w, op);
    int64_t n = g->n[AGN_GRAPH_DST];
    if (!st && (x->ndim != 2 || w->ndim != 3 || x->shape[1] != w->shape[1] || w->shape[0] != n ||
                n > INT32_MAX))
        st = agni_fail(AGN_ESHAPE, "%s: x is %s, w is %s: [e,f] and [%lld,f,o] are needed", op,
                       AGNI_SHAPE(x), AGNI_SHAPE(w), (long long)n);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    return agni_return(op, s, out, multiply_segments(s, op, g, x, w));
}
