/* geometric/pool/dense.c - rows and adjacencies of a batch of graphs as arrays that are filled up
   with 0 (Ying et al. 2018). */
#include "geometric/layers/layers.h"

#include <agnesi/ag.h>
#include <agnesi/geometric_pool.h>
#include <agnesi/geometric_segment.h>

/* where rows go: segment and place in it, both [n] */
typedef struct row_places {
    int64_t segments, most, n;
    int64_t *segment, *place;
} row_places;

static agn_status count_places(const char *op, const agn_graph *by, bool pairs, row_places *q)
{
    const agni_incidence *t = agni_graph_incidence(by, AGN_GRAPH_DST);
    int64_t largest = 0, n = by->edges;
    q->segments = by->n[AGN_GRAPH_DST];
    q->n = n;
    q->segment = agni_alloc((size_t)(2 * n + 1) * sizeof *q->segment);
    if (!t || !q->segment)
        return agni_nomem(op, (size_t)n * 2 * sizeof *q->segment);
    q->place = q->segment + n;
    for (int64_t k = 0; k < q->segments; k++) {
        int64_t lo = agni_read_index(t->begin, by->wide, k),
                hi = agni_read_index(t->begin, by->wide, k + 1);
        if (q->most > 0 && hi - lo > q->most)
            return agni_fail(AGN_ESHAPE, "%s: segment %lld has %lld rows, most is %lld", op,
                             (long long)k, (long long)(hi - lo), (long long)q->most);
        largest = hi - lo > largest ? hi - lo : largest;
        for (int64_t j = lo; j < hi; j++) {
            int64_t row = agni_listed_edge(by, t, j);
            q->segment[row] = k;
            q->place[row] = j - lo;
        }
    }
    if (q->most <= 0)
        q->most = largest;
    int64_t size; /* of the array of pairs, the largest that is made */
    return agni_shape_check(op, pairs ? 3 : 2, (int64_t[]){q->segments, q->most, q->most}, &size);
}

/* of n rows by ids; NULL: one segment. Freed by the caller also after a failure. */
static agn_status find_places(const char *op, const agn_tensor *ids, int64_t n, int64_t segments,
                              bool pairs, row_places *q)
{
    agn_graph *by = NULL;
    agn_tensor *none = NULL;
    agn_status st = AGN_OK;
    if (!ids)
        st = agn_full(&none, AGN_I64, 1, &n, 0);
    if (!st)
        st = agn_graph_from_segments(&by, ids ? ids : none,
                                     ids            ? segments
                                     : segments > 0 ? segments
                                                    : 1);
    st = agni_rename_error(op, st);
    if (!st && by->edges != n)
        st = agni_fail(AGN_ESHAPE, "%s: ids are %s, one for each of %lld rows is needed", op,
                       AGNI_SHAPE(ids), (long long)n);
    if (!st)
        st = count_places(op, by, pairs, q);
    agn_graph_release(by);
    agn_release(none);
    return st;
}

/* rows of x added at places at[n] of `rows` rows of 0, given the axes lead[n_lead] for the first */
static const agn_tensor *spread_rows(agn_scope *s, const char *op, const agn_tensor *x,
                                     const int64_t *at, int64_t rows, int n_lead,
                                     const int64_t *lead)
{
    agn_tensor *place = NULL;
    int64_t shape[AGNI_MAX_RANK] = {rows}, n = x->shape[0];
    if (x->ndim + n_lead - 1 > AGNI_MAX_RANK) {
        agn_scope_fail(s, agni_fail(AGN_ESHAPE, "%s: %s with %d more axes, %d at most", op,
                                    AGNI_SHAPE(x), n_lead - 1, AGNI_MAX_RANK));
        return NULL;
    }
    for (int d = 1; d < x->ndim; d++)
        shape[d] = x->shape[d];
    agn_status st = agn_from_host(&place, AGN_I64, 1, &n, at);
    const agn_tensor *index = agni_adopt_constant(s, st, place);
    const agn_tensor *zero = agni_full(s, 0, x->dtype, x->ndim, shape);
    const agn_tensor *y = index && zero ? ag_scatter_add(s, zero, index, x, 0) : NULL;
    for (int d = x->ndim - 1; d > 0; d--)
        shape[n_lead + d - 1] = shape[d];
    for (int d = 0; d < n_lead; d++)
        shape[d] = lead[d];
    return y ? agni_reshape(s, y, n_lead + x->ndim - 1, shape) : NULL;
}

static agn_status make_mask(agn_tensor **out, const char *op, const row_places *q)
{
    agn_status st = agni_tensor_make(out, op, AGN_BOOL, 2, (int64_t[]){q->segments, q->most},
                                     AGN_CPU);
    bool *m = st ? NULL : (*out)->data;
    for (int64_t i = 0; m && i < q->segments * q->most; i++)
        m[i] = false;
    for (int64_t i = 0; m && i < q->n; i++)
        m[q->segment[i] * q->most + q->place[i]] = true;
    return st;
}

agn_status agn_geometric_dense_rows(agn_tensor **out, agn_tensor **mask, const agn_tensor *x,
                                    const agn_tensor *ids, int64_t segments, int64_t most)
{
    static const char op[] = "geometric_dense_rows";
    row_places q = {.most = most};
    agn_tensor *m = NULL;
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    agn_status st = agni_require_dense(x, op);
    if (!st && !x->ndim)
        st = agni_fail(AGN_ESHAPE, "%s: x is %s, rows are needed", op, AGNI_SHAPE(x));
    if (!st)
        st = find_places(op, ids, x->shape[0], segments, false, &q);
    if (!st && mask)
        st = make_mask(&m, op, &q);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = NULL, *true_at = NULL;
    agn_scope_fail(s, st);
    for (int64_t i = 0; !st && i < q.n; i++)
        q.place[i] += q.segment[i] * q.most;
    if (!st) {
        y = spread_rows(s, op, x, q.place, q.segments * q.most, 2, (int64_t[]){q.segments, q.most});
        true_at = m ? agni_beside(s, agn_scope_adopt(s, AGN_OK, &m), x) : NULL;
    } else {
        agn_release(m);
    }
    agni_free(q.segment);
    agn_scope_return(s, out, y);
    if (mask)
        agn_scope_return(s, mask, true_at);
    return agni_rename_error(op, agn_scope_close(s));
}

agn_status agn_graph_dense(agn_tensor **out, const agn_graph *g, const agn_tensor *e,
                           const agn_tensor *ids, int64_t segments, int64_t most)
{
    static const char op[] = "graph_dense";
    row_places q = {.most = most};
    int64_t *at = NULL;
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    agn_status st = agni_check_one_kind(op, g);
    if (!st && e)
        st = agni_require_dense(e, op);
    if (!st && e && (!e->ndim || e->shape[0] != g->edges))
        st = agni_fail(AGN_ESHAPE, "%s: e is %s, %lld rows are needed", op, AGNI_SHAPE(e),
                       (long long)g->edges);
    if (!st)
        st = find_places(op, ids, g->n[AGN_GRAPH_SRC], segments, true, &q);
    if (!st && !(at = agni_alloc((size_t)(g->edges + 1) * sizeof *at)))
        st = agni_nomem(op, (size_t)g->edges * sizeof *at);
    for (int64_t k = 0; !st && k < g->edges; k++) {
        int64_t i = agni_graph_end(g, AGN_GRAPH_SRC, k), j = agni_graph_end(g, AGN_GRAPH_DST, k);
        if (q.segment[i] != q.segment[j])
            st = agni_fail(AGN_EINDEX, "%s: edge %lld leads from segment %lld to segment %lld", op,
                           (long long)k, (long long)q.segment[i], (long long)q.segment[j]);
        else
            at[k] = (q.segment[i] * q.most + q.place[i]) * q.most + q.place[j];
    }
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = NULL;
    agn_scope_fail(s, st);
    bool ones = !e;
    if (!st && ones)
        e = agni_full(s, 1, AGN_F64, 1, &g->edges);
    if (!st && e)
        y = spread_rows(s, op, e, at, q.segments * q.most * q.most, 3,
                        (int64_t[]){q.segments, q.most, q.most});
    if (y && ones && ids)
        y = agni_beside(s, y, ids);
    agni_free(at);
    agni_free(q.segment);
    return agni_return(op, s, out, y);
}
