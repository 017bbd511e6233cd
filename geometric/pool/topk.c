/* geometric/pool/topk.c - top-k pooling (Gao and Ji 2019) and its scores by a convolution (Lee, Lee
   and Kang 2019). */
#include "geometric/layers/layers.h"
#include "geometric/sample/sample.h"

#include <agnesi/ag.h>
#include <agnesi/geometric_pool.h>
#include <math.h>
#include <stdlib.h>

/* ---- which rows ----------------------------------------------------------------------------- */

typedef struct ranked {
    double score;
    int64_t id, row;
} ranked;
static int by_rank(const void *a, const void *b)
{
    const ranked *p = a, *q = b;
    if (p->id != q->id)
        return p->id < q->id ? -1 : 1;
    if (p->score != q->score)
        return p->score > q->score ? -1 : 1;
    return p->row < q->row ? -1 : p->row > q->row;
}

static agn_status choose_rows(const char *op, agni_integers *to, int64_t n, const double *score,
                              const int64_t *id, double ratio)
{
    ranked *v = agni_alloc((size_t)(n + 1) * sizeof *v);
    agn_status st = v ? AGN_OK : agni_nomem(op, (size_t)n * sizeof *v);
    for (int64_t i = 0; !st && i < n; i++) {
        v[i] = (ranked){score[i], id ? id[i] : 0, i};
        if (isnan(score[i]))
            st = agni_fail(AGN_EDOMAIN, "%s: the score of row %lld is NaN", op, (long long)i);
        else if (v[i].id < 0)
            st = agni_fail(AGN_EINDEX, "%s: ids has %lld at %lld, 0 or more is needed", op,
                           (long long)v[i].id, (long long)i);
    }
    if (!st && n)
        qsort(v, (size_t)n, sizeof *v, by_rank);
    for (int64_t lo = 0, hi; !st && lo < n; lo = hi) {
        for (hi = lo; hi < n && v[hi].id == v[lo].id;)
            hi++;
        int64_t k = (int64_t)ceil(ratio * (double)(hi - lo));
        for (int64_t i = lo; !st && i < hi && i - lo < k; i++)
            st = agni_integers_add(to, v[i].row) ? AGN_OK
                                                 : agni_nomem(op, (size_t)n * sizeof(int64_t));
    }
    agni_free(v);
    return st;
}

agn_status agn_geometric_segment_topk(agn_tensor **out, const agn_tensor *score,
                                      const agn_tensor *ids, double ratio)
{
    static const char op[] = "geometric_segment_topk";
    agni_integers to = {0};
    int64_t n = 0;
    AGNI_NEED(op, out);
    AGNI_NEED(op, score);
    if (!(ratio > 0 && ratio <= 1))
        return agni_fail(AGN_EDOMAIN, "%s: ratio is %g, not in (0, 1]", op, ratio);
    agn_status st = agni_require_dense(score, op);
    if (!st && agni_kind(score->dtype) == AGNI_KIND_COMPLEX)
        st = agni_fail(AGN_EDTYPE, "%s: score is %s, a real dtype is needed", op,
                       agni_dtypes[score->dtype].name);
    if (!st && score->ndim != 1)
        st = agni_fail(AGN_ESHAPE, "%s: score is %s with %d axes, one is needed", op,
                       AGNI_SHAPE(score), score->ndim);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *v = agni_read_in(s, op, score);
    v = v ? ag_contiguous(s, agni_cast(s, v, AGN_F64)) : NULL;
    const int64_t *id = v && ids ? agni_read_integers(s, op, "ids", ids, &n) : NULL;
    if (id && n != score->size)
        agn_scope_fail(s,
                       agni_fail(AGN_ESHAPE, "%s: score is %s, ids are %s: one for each is needed",
                                 op, AGNI_SHAPE(score), AGNI_SHAPE(ids)));
    if (v && !agn_scope_status(s))
        agn_scope_fail(s, choose_rows(op, &to, score->size, v->data, id, ratio));
    const agn_tensor *y = agn_scope_status(s) ? NULL : agni_integers_tensor(s, &to);
    agni_free(to.v);
    return agni_return(op, s, out, agni_beside(s, y, score));
}

/* ---- scores --------------------------------------------------------------------------------- */

static agn_status check_vector(const char *op, const agn_tensor *w, int64_t f)
{
    agn_status st = agni_check_parameter(op, "w", w);
    if (!st && (w->ndim != 1 || w->shape[0] != f))
        st = agni_fail(AGN_ESHAPE, "%s: w is %s, [%lld] is needed", op, AGNI_SHAPE(w),
                       (long long)f);
    return st;
}

agn_status agn_graph_top_k_score(agn_tensor **out, const agn_tensor *x, const agn_tensor *w)
{
    static const char op[] = "graph_top_k_score";
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    AGNI_NEED(op, w);
    agn_status st = agni_require_dense(x, op);
    if (!st)
        st = agni_check_node_rows(op, "x", x, x->ndim ? x->shape[0] : 0);
    if (!st)
        st = check_vector(op, w, x->shape[1]);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    x = agni_cast(s, x, agni_layer_dtype(x));
    const agn_tensor *size = ag_sqrt(s, ag_sum_all(s, ag_square(s, w)));
    return agni_return(op, s, out, x && size ? ag_div(s, ag_matmul(s, x, w), size) : NULL);
}

agn_status agn_graph_sag_score(agn_tensor **out, const agn_graph *g, const agn_tensor *x,
                               const agn_tensor *w, const agn_tensor *bias)
{
    static const char op[] = "graph_sag_score";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, x);
    AGNI_NEED(op, w);
    agn_status st = agni_check_one_kind(op, g);
    if (!st)
        st = agni_check_node_rows(op, "x", x, g->n[AGN_GRAPH_SRC]);
    if (!st)
        st = check_vector(op, w, x->shape[1]);
    if (!st)
        st = agni_check_layer_number(op, "bias", bias);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    int dtype = agni_layer_dtype(x);
    const agn_tensor *y = agni_cast(s, x, dtype), *d = agni_degree_factor(s, g, NULL, dtype);
    y = y ? ag_matmul(s, y, w) : NULL; /* one number a node travels */
    y = y ? agni_reshape(s, y, 2, (int64_t[]){x->shape[0], 1}) : NULL;
    y = y && d ? agni_propagate(s, g, y, NULL, d) : NULL;
    y = y ? agni_reshape(s, y, 1, (int64_t[]){x->shape[0]}) : NULL;
    return agni_return(op, s, out, y && bias ? ag_add(s, y, bias) : y);
}

agn_status agn_graph_gate_rows(agn_tensor **out, const agn_tensor *x, const agn_tensor *score,
                               const agn_tensor *nodes)
{
    static const char op[] = "graph_gate_rows";
    int64_t shape[AGNI_MAX_RANK];
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    AGNI_NEED(op, score);
    AGNI_NEED(op, nodes);
    agn_status st = agni_require_dense(x, op);
    if (!st)
        st = agni_check_rows(op, "x", x, x->ndim ? x->shape[0] : 0);
    if (!st)
        st = agni_check_rows(op, "score", score, x->shape[0]);
    if (!st && score->ndim != 1)
        st = agni_fail(AGN_ESHAPE, "%s: score is %s with %d axes, one is needed", op,
                       AGNI_SHAPE(score), score->ndim);
    if (!st)
        st = agni_require_dense(nodes, op);
    if (!st && agni_kind(nodes->dtype) != AGNI_KIND_INT)
        st = agni_fail(AGN_EDTYPE, "%s: nodes are %s, an integer dtype is needed", op,
                       agni_dtypes[nodes->dtype].name);
    if (!st && nodes->ndim != 1)
        st = agni_fail(AGN_ESHAPE, "%s: nodes are %s with %d axes, one is needed", op,
                       AGNI_SHAPE(nodes), nodes->ndim);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = agni_cast(s, x, agni_layer_dtype(x));
    y = y ? ag_gather(s, y, nodes, 0) : NULL;
    const agn_tensor *gate = y ? ag_tanh(s, ag_gather(s, score, nodes, 0)) : NULL;
    for (int d = 0; d < x->ndim; d++)
        shape[d] = d ? 1 : nodes->shape[0];
    gate = gate ? agni_reshape(s, gate, x->ndim, shape) : NULL;
    return agni_return(op, s, out, gate ? ag_mul(s, y, gate) : NULL);
}
