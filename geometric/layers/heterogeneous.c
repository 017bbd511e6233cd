/* geometric/layers/heterogeneous.c - edges of many nodes: hypergraph convolution (Bai, Zhang and
   Torr 2021); of many types: the heterogeneous graph transformer (Hu et al. 2020) and attention to
   metapaths (HAN: Wang et al. 2019). */
#include "geometric/blocks/messages.h"
#include "geometric/layers/layers.h"

#include <agnesi/ag.h>
#include <agnesi/geometric_transform.h>
#include <agnesi/nn.h>
#include <math.h>

/* ---- hyperedges ----------------------------------------------------------------------------- */

/* y over d [n], 0 where d is 0 */
static const agn_tensor *divide_rows(agn_scope *s, const agn_tensor *y, const agn_tensor *d)
{
    d = d ? agni_reshape(s, d, 2, (int64_t[]){d->shape[0], 1}) : NULL;
    if (!y || !d)
        return NULL;
    const agn_tensor *zero = agni_full_like(s, 0, d), *none = ag_eq(s, d, zero);
    y = ag_div(s, y, ag_where(s, none, agni_full_like(s, 1, d), d));
    return ag_where(s, none, zero, y);
}

agn_status agn_graph_hypergraph(agn_tensor **out, const agn_graph *g, const agn_tensor *x,
                                const agn_tensor *w, const agn_tensor *weight,
                                const agn_tensor *bias)
{
    static const char op[] = "graph_hypergraph";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, x);
    agn_status st = agni_check_node_rows(op, "x", x, g->n[AGN_GRAPH_SRC]);
    if (!st && w)
        st = agni_check_rows(op, "w", w, g->n[AGN_GRAPH_DST]);
    if (!st && w && w->ndim != 1)
        st = agni_fail(AGN_ESHAPE, "%s: w is %s with %d axes, one is needed", op, AGNI_SHAPE(w),
                       w->ndim);
    if (!st && weight)
        st = agni_check_layer_weight(op, "weight", weight, x->shape[1]);
    if (!st && bias)
        st = agni_check_layer_bias(op, bias, weight ? weight->shape[0] : x->shape[1]);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agni_at row = {&g->head, 1}, number = {&g->head, 0};
    bool first = weight && weight->shape[0] < x->shape[1]; /* fewer elements travel */
    const agn_tensor *y = agni_cast(s, x, agni_layer_dtype(x)), *sum = NULL;
    const agn_tensor *v = w && y ? agni_cast(s, w, y->dtype) : NULL;
    if (first)
        y = ag_nn_linear(s, y, weight, NULL);
    y = y ? agni_graph_copy(s, row, y, AGN_GRAPH_SRC, AGN_GRAPH_DST) : NULL;
    y = agni_divide_by_degrees(s, g, y, AGN_GRAPH_DST);
    if (v) {
        y = ag_mul(s, y, agni_reshape(s, v, 2, (int64_t[]){v->shape[0], 1}));
        sum = agni_graph_copy(s, number, v, AGN_GRAPH_DST, AGN_GRAPH_SRC);
    }
    y = y ? agni_graph_copy(s, row, y, AGN_GRAPH_DST, AGN_GRAPH_SRC) : NULL;
    y = w ? divide_rows(s, y, sum) : agni_divide_by_degrees(s, g, y, AGN_GRAPH_SRC);
    if (weight && !first)
        y = ag_nn_linear(s, y, weight, NULL);
    return agni_return(op, s, out, y && bias ? ag_add(s, y, bias) : y);
}

/* ---- types of edges ------------------------------------------------------------------------- */

static agn_status check_typed_rows(const char *op, const char *what, int32_t r, const agn_tensor *x,
                                   int64_t n, int64_t heads, int64_t f)
{
    if (!x)
        return agni_fail(AGN_ENULL, "%s: %s[%d] is NULL", op, what, r);
    agn_status st = agni_check_rows(op, what, x, n);
    if (!st && (x->ndim != 3 || x->shape[1] != heads || (f >= 0 && x->shape[2] != f)))
        st = agni_fail(AGN_ESHAPE, "%s: %s[%d] is %s, %lld heads%s are needed", op, what, r,
                       AGNI_SHAPE(x), (long long)heads, f >= 0 ? " of rows as long" : "");
    return st;
}

agn_status agn_graph_hgt(agn_tensor **out, const agn_graph *const *g, int32_t n_g,
                         const agn_tensor *query, const agn_tensor *const *key,
                         const agn_tensor *const *value, const agn_tensor *prior)
{
    static const char op[] = "graph_hgt";
    agn_graph *all = NULL;
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, query);
    AGNI_NEED(op, key);
    AGNI_NEED(op, value);
    if (n_g < 1)
        return agni_fail(AGN_EARG, "%s: %d graphs, 1 or more are needed", op, n_g);
    agn_status st = agni_rename_error(op, agn_graph_join(&all, g, n_g));
    if (!st)
        st = agni_check_rows(op, "query", query, all->n[AGN_GRAPH_DST]);
    if (!st && query->ndim != 3)
        st = agni_fail(AGN_ESHAPE, "%s: query is %s, [%lld,heads,f] is needed", op,
                       AGNI_SHAPE(query), (long long)all->n[AGN_GRAPH_DST]);
    for (int32_t r = 0; !st && r < n_g; r++) {
        int64_t n = g[r]->n[AGN_GRAPH_SRC];
        st = check_typed_rows(op, "key", r, key[r], n, query->shape[1], query->shape[2]);
        if (!st)
            st = check_typed_rows(op, "value", r, value[r], n, query->shape[1],
                                  r ? value[0]->shape[2] : -1);
    }
    if (!st && prior)
        st = agni_require_dense(prior, op);
    if (!st && prior && agni_kind(prior->dtype) == AGNI_KIND_COMPLEX)
        st = agni_fail(AGN_EDTYPE, "%s: prior is %s, a real dtype is needed", op,
                       agni_dtypes[prior->dtype].name);
    if (!st && prior &&
        (prior->ndim != 2 || prior->shape[0] != n_g || prior->shape[1] != query->shape[1]))
        st = agni_fail(AGN_ESHAPE, "%s: prior is %s, [%d,%lld] is needed", op, AGNI_SHAPE(prior),
                       n_g, (long long)query->shape[1]);
    const agn_tensor **k = agni_zalloc(2 * (size_t)n_g * sizeof *k), **v = k ? k + n_g : NULL;
    if (!st && !k)
        st = agni_nomem(op, 2 * (size_t)n_g * sizeof *k);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = NULL;
    int dtype = query->dtype;
    agn_scope_fail(s, st);
    for (int32_t r = 0; !st && r < n_g; r++)
        dtype = agni_promote(dtype, agni_promote(key[r]->dtype, value[r]->dtype));
    dtype = agni_kind(dtype) == AGNI_KIND_FLOAT ? dtype : AGN_F64;
    int wide = agni_dtypes[dtype].wide;
    for (int32_t r = 0; !st && r < n_g; r++) {
        k[r] = agni_cast(s, key[r], wide);
        v[r] = agni_cast(s, value[r], wide);
        if (prior)
            k[r] = ag_mul(s, k[r],
                          ag_expand_dims(s, ag_index_axis(s, agni_cast(s, prior, wide), 0, r), -1));
    }
    if (!st && !agn_scope_status(s)) {
        double scale = query->shape[2] ? 1 / sqrt((double)query->shape[2]) : 1;
        agni_edge_scores q = {.g = all,
                              .far = ag_concat(s, k, n_g, 0),
                              .near = ag_mul_c(s, agni_cast(s, query, wide), scale),
                              .rows = ag_concat(s, v, n_g, 0)};
        y = agni_block_attention(s, &q);
        y = y ? agni_cast(s, y, dtype) : NULL;
    }
    agni_free(k);
    st = agni_return(op, s, out, y);
    agn_graph_release(all);
    return st;
}

/* ---- views of nodes ------------------------------------------------------------------------- */

agn_status agn_geometric_semantic_attention(agn_tensor **out, const agn_tensor *x,
                                            const agn_tensor *weight, const agn_tensor *bias,
                                            const agn_tensor *q)
{
    static const char op[] = "geometric_semantic_attention";
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    AGNI_NEED(op, weight);
    AGNI_NEED(op, q);
    agn_status st = agni_require_dense(x, op);
    if (!st && agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        st = agni_fail(AGN_EDTYPE, "%s: x is %s, a real dtype is needed", op,
                       agni_dtypes[x->dtype].name);
    if (!st && (x->ndim != 3 || !x->shape[0]))
        st = agni_fail(AGN_ESHAPE, "%s: x is %s, [views,n,f] with a view is needed", op,
                       AGNI_SHAPE(x));
    if (!st)
        st = agni_check_layer_weight(op, "weight", weight, x->shape[2]);
    if (!st && bias)
        st = agni_check_layer_bias(op, bias, weight->shape[0]);
    if (!st)
        st = agni_require_dense(q, op);
    if (!st && agni_kind(q->dtype) == AGNI_KIND_COMPLEX)
        st = agni_fail(AGN_EDTYPE, "%s: q is %s, a real dtype is needed", op,
                       agni_dtypes[q->dtype].name);
    if (!st && (q->ndim != 1 || q->shape[0] != weight->shape[0]))
        st = agni_fail(AGN_ESHAPE,
                       "%s: q is %s, weight is %s: a number for each of its rows is needed", op,
                       AGNI_SHAPE(q), AGNI_SHAPE(weight));
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = agni_cast(s, x, agni_layer_dtype(x));
    const agn_tensor *h = ag_matmul(s, ag_tanh(s, ag_nn_linear(s, y, weight, bias)), q);
    const agn_tensor *a = ag_nn_softmax(s, ag_mean(s, h, (int32_t[]){1}, 1, false), 0);
    a = a ? agni_reshape(s, a, 3, (int64_t[]){a->shape[0], 1, 1}) : NULL;
    y = ag_mul(s, y, a);
    return agni_return(op, s, out, y ? agni_sum_axes(s, y, 1, (int64_t[]){-3}, false) : NULL);
}
