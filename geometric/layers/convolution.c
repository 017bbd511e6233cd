/* geometric/layers/convolution.c - layers without attention: GCN (Kipf and Welling 2017), GraphSAGE
   (Hamilton, Ying and Leskovec 2017), GIN (Xu et al. 2019), local extremes (Ranjan et al. 2020). */
#include "geometric/layers/layers.h"

#include <agnesi/ag.h>
#include <agnesi/nn.h>
#include <math.h>

agn_status agni_check_parameter(const char *op, const char *what, const agn_tensor *w)
{
    agn_status st = agni_require_dense(w, op);
    return !st && agni_kind(w->dtype) == AGNI_KIND_COMPLEX
               ? agni_fail(AGN_EDTYPE, "%s: %s is %s, a real dtype is needed", op, what,
                           agni_dtypes[w->dtype].name)
               : st;
}

agn_status agni_check_layer_weight(const char *op, const char *what, const agn_tensor *w, int64_t f)
{
    agn_status st = agni_check_parameter(op, what, w);
    if (!st && (w->ndim != 2 || w->shape[1] != f))
        st = agni_fail(AGN_ESHAPE, "%s: %s is %s, [o,%lld] is needed", op, what, AGNI_SHAPE(w),
                       (long long)f);
    return st;
}

agn_status agni_check_node_rows(const char *op, const char *what, const agn_tensor *x, int64_t n)
{
    agn_status st = agni_check_rows(op, what, x, n);
    if (!st && x->ndim != 2)
        st = agni_fail(AGN_ESHAPE, "%s: %s is %s with %d axes, two are needed", op, what,
                       AGNI_SHAPE(x), x->ndim);
    return st;
}

agn_status agni_check_layer_number(const char *op, const char *name, const agn_tensor *c)
{
    agn_status st = c ? agni_check_parameter(op, name, c) : AGN_OK;
    if (!st && c && c->ndim)
        st = agni_fail(AGN_ESHAPE, "%s: %s is %s with %d axes, a number is needed", op, name,
                       AGNI_SHAPE(c), c->ndim);
    return st;
}

agn_status agni_check_layer_bias(const char *op, const agn_tensor *b, int64_t n)
{
    agn_status st = agni_check_parameter(op, "bias", b);
    if (!st && (b->ndim != 1 || b->shape[0] != n))
        st = agni_fail(AGN_ESHAPE, "%s: bias is %s, [%lld] is needed", op, AGNI_SHAPE(b),
                       (long long)n);
    return st;
}

agn_status agni_check_edge_weights(const char *op, const agn_graph *g, const agn_tensor *w)
{
    agn_status st = agni_check_rows(op, "w", w, g->edges);
    if (!st && w->ndim != 1)
        st = agni_fail(AGN_ESHAPE, "%s: w is %s with %d axes, one is needed", op, AGNI_SHAPE(w),
                       w->ndim);
    return st;
}

/* the sums of the weights that reach each node, or of as many ones; integers would leave their
   range */
static const agn_tensor *sum_degrees(agn_scope *s, const agn_graph *g, const agn_tensor *w,
                                     int dtype)
{
    agn_tensor *count = NULL;
    if (w) {
        w = agni_kind(w->dtype) <= AGNI_KIND_INT ? agni_cast(s, w, dtype) : w;
        return w ? agni_gspmm(s, g, NULL, w, AGN_MESSAGE_COPY, AGN_GEOMETRIC_SUM) : NULL;
    }
    agn_status st = agn_graph_degrees(&count, g, AGN_GRAPH_DST);
    const agn_tensor *d = agni_adopt_constant(s, st, count);
    return d ? agni_cast(s, d, dtype) : NULL;
}

const agn_tensor *agni_degree_factor(agn_scope *s, const agn_graph *g, const agn_tensor *w,
                                     int dtype)
{
    const agn_tensor *d = sum_degrees(s, g, w, dtype), *one = agni_full(s, 1, dtype, 0, NULL),
                     *zero = agni_full(s, 0, dtype, 0, NULL);
    if (!d || !one || !zero)
        return NULL;
    const agn_tensor *none = ag_le(s, d, zero), *nan = agni_full(s, (double)NAN, dtype, 0, NULL);
    if (!none || !nan)
        return NULL;
    d = ag_where(s, ag_isinf(s, d), nan, d); /* a sum that has left the numbers */
    d = ag_where(s, none, zero, ag_rsqrt(s, ag_where(s, none, one, d)));
    return d ? agni_reshape(s, d, 2, (int64_t[]){d->shape[0], 1}) : NULL;
}

const agn_tensor *agni_propagate(agn_scope *s, const agn_graph *g, const agn_tensor *x,
                                 const agn_tensor *w, const agn_tensor *d)
{
    x = ag_mul(s, x, d);
    x = x ? agni_gspmm(s, g, x, w, w ? AGN_MESSAGE_MUL : AGN_MESSAGE_COPY, AGN_GEOMETRIC_SUM)
          : NULL;
    return ag_mul(s, x, d);
}

agn_status agn_graph_gcn(agn_tensor **out, const agn_graph *g, const agn_tensor *x,
                         const agn_tensor *w, const agn_tensor *weight, const agn_tensor *bias)
{
    static const char op[] = "graph_gcn";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, x);
    agn_status st = agni_check_one_kind(op, g);
    if (!st)
        st = agni_check_node_rows(op, "x", x, g->n[AGN_GRAPH_SRC]);
    if (!st && w)
        st = agni_check_edge_weights(op, g, w);
    if (!st && weight)
        st = agni_check_layer_weight(op, "weight", weight, x->shape[1]);
    if (!st && bias)
        st = agni_check_layer_bias(op, bias, weight ? weight->shape[0] : x->shape[1]);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    bool first = weight && weight->shape[0] < x->shape[1]; /* fewer elements travel */
    int dtype = agni_layer_dtype(x);
    const agn_tensor *y = agni_cast(s, x, dtype), *d = agni_degree_factor(s, g, w, dtype);
    if (first)
        y = ag_nn_linear(s, y, weight, NULL);
    y = agni_propagate(s, g, y, w, d);
    if (weight && !first)
        y = ag_nn_linear(s, y, weight, NULL);
    if (bias)
        y = ag_add(s, y, bias);
    return agni_return(op, s, out, y);
}

agn_status agn_graph_sage(agn_tensor **out, const agn_graph *g, const agn_tensor *u,
                          const agn_tensor *v, const agn_tensor *w_u, const agn_tensor *w_v,
                          const agn_tensor *bias, int32_t reduce)
{
    static const char op[] = "graph_sage";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, u);
    AGNI_NEED(op, w_u);
    AGNI_NEED_ALL(op, !v || w_v, "w_v");
    AGNI_NEED_ALL(op, v || !w_v, "v");
    agn_status st = agni_check_reduction(op, reduce);
    if (!st)
        st = agni_check_node_rows(op, "u", u, g->n[AGN_GRAPH_SRC]);
    if (!st)
        st = agni_check_layer_weight(op, "w_u", w_u, u->shape[1]);
    if (!st && v)
        st = agni_check_node_rows(op, "v", v, g->n[AGN_GRAPH_DST]);
    if (!st && v)
        st = agni_check_layer_weight(op, "w_v", w_v, v->shape[1]);
    if (!st && v && w_v->shape[0] != w_u->shape[0])
        st = agni_fail(AGN_ESHAPE, "%s: w_u is %s, w_v is %s: as many rows are needed", op,
                       AGNI_SHAPE(w_u), AGNI_SHAPE(w_v));
    if (!st && bias)
        st = agni_check_layer_bias(op, bias, w_u->shape[0]);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    u = agni_cast(s, u, agni_layer_dtype(u));
    const agn_tensor *y = u ? agni_gspmm(s, g, u, NULL, AGN_MESSAGE_COPY, reduce) : NULL;
    y = ag_nn_linear(s, y, w_u, bias);
    if (v)
        y = ag_add(s, y, ag_nn_linear(s, v, w_v, NULL));
    return agni_return(op, s, out, y);
}

agn_status agn_graph_gin(agn_tensor **out, const agn_graph *g, const agn_tensor *x,
                         const agn_tensor *eps)
{
    static const char op[] = "graph_gin";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, x);
    agn_status st = agni_check_one_kind(op, g);
    if (!st)
        st = agni_check_rows(op, "x", x, g->n[AGN_GRAPH_SRC]);
    if (!st)
        st = agni_check_layer_number(op, "eps", eps);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    x = agni_cast(s, x, agni_layer_dtype(x));
    const agn_tensor *y = x ? agni_gspmm(s, g, x, NULL, AGN_MESSAGE_COPY, AGN_GEOMETRIC_SUM) : NULL;
    y = ag_add(s, y, x);
    if (eps)
        y = ag_add(s, y, ag_mul(s, x, eps));
    return agni_return(op, s, out, y);
}

agn_status agn_graph_leconv(agn_tensor **out, const agn_graph *g, const agn_tensor *x,
                            const agn_tensor *w, const agn_tensor *w1, const agn_tensor *w2,
                            const agn_tensor *w3, const agn_tensor *bias)
{
    static const char op[] = "graph_leconv", *const names[] = {"w1", "w2", "w3"};
    const agn_tensor *const weight[] = {w1, w2, w3};
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, x);
    AGNI_NEED(op, w1);
    AGNI_NEED(op, w2);
    AGNI_NEED(op, w3);
    agn_status st = agni_check_one_kind(op, g);
    if (!st)
        st = agni_check_node_rows(op, "x", x, g->n[AGN_GRAPH_SRC]);
    if (!st && w)
        st = agni_check_edge_weights(op, g, w);
    for (int k = 0; !st && k < 3; k++) {
        st = agni_check_layer_weight(op, names[k], weight[k], x->shape[1]);
        if (!st && weight[k]->shape[0] != w1->shape[0])
            st = agni_fail(AGN_ESHAPE, "%s: %s is %s, w1 is %s: as many results are needed", op,
                           names[k], AGNI_SHAPE(weight[k]), AGNI_SHAPE(w1));
    }
    if (!st && bias)
        st = agni_check_layer_bias(op, bias, w1->shape[0]);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *v = agni_cast(s, x, agni_layer_dtype(x)), *y = NULL,
                     *degree = v ? sum_degrees(s, g, w, v->dtype) : NULL;
    degree = degree ? agni_reshape(s, degree, 2, (int64_t[]){degree->shape[0], 1}) : NULL;
    const agn_tensor *near = ag_nn_linear(s, v, w3, NULL);
    if (near)
        near = agni_gspmm(s, g, near, w, w ? AGN_MESSAGE_MUL : AGN_MESSAGE_COPY, AGN_GEOMETRIC_SUM);
    y = ag_sub(s, ag_mul(s, ag_nn_linear(s, v, w2, NULL), degree), near);
    return agni_return(op, s, out, ag_add(s, ag_nn_linear(s, v, w1, bias), y));
}
