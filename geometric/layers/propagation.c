/* geometric/layers/propagation.c - rows that are spread far and stay near where they began:
   personalised PageRank (Gasteiger, Bojchevski and Gunnemann 2019) and deep convolutions with
   initial rows (Chen et al. 2020, GCNII); powers of the adjacency (Wu et al. 2019, SGC) and their
   sums (Ma et al. 2020, PAN). */
#include "geometric/layers/layers.h"

#include <agnesi/ag.h>
#include <agnesi/nn.h>

static agn_status check_spread(const char *op, const agn_graph *g, const agn_tensor *x,
                               const agn_tensor *w, double alpha)
{
    agn_status st = agni_check_one_kind(op, g);
    if (!st && !(alpha >= 0 && alpha <= 1))
        st = agni_fail(AGN_EDOMAIN, "%s: alpha is %g, not in [0, 1]", op, alpha);
    if (!st)
        st = agni_check_node_rows(op, "x", x, g->n[AGN_GRAPH_SRC]);
    return !st && w ? agni_check_edge_weights(op, g, w) : st;
}

/* (1 - alpha) d A d x + alpha first */
static const agn_tensor *spread_messages(agn_scope *s, const agn_graph *g, const agn_tensor *x,
                                         const agn_tensor *w, const agn_tensor *d,
                                         const agn_tensor *first, double alpha)
{
    const agn_tensor *y = x && d ? agni_propagate(s, g, x, w, d) : NULL;
    return y ? ag_add(s, ag_mul_c(s, y, 1 - alpha), ag_mul_c(s, first, alpha)) : NULL;
}

agn_status agn_graph_appnp(agn_tensor **out, const agn_graph *g, const agn_tensor *x,
                           const agn_tensor *w, double alpha, int32_t steps)
{
    static const char op[] = "graph_appnp";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, x);
    agn_status st = check_spread(op, g, x, w, alpha);
    if (!st && steps < 0)
        st = agni_fail(AGN_EARG, "%s: %d steps, 0 or more are needed", op, steps);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    int dtype = agni_layer_dtype(x);
    const agn_tensor *d = agni_degree_factor(s, g, w, dtype), *first = agni_cast(s, x, dtype),
                     *y = first;
    for (int32_t k = 0; k < steps && y; k++)
        y = spread_messages(s, g, y, w, d, first, alpha);
    return agni_return(op, s, out, y);
}

agn_status agn_graph_gcn2(agn_tensor **out, const agn_graph *g, const agn_tensor *x,
                          const agn_tensor *first, const agn_tensor *w, const agn_tensor *weight,
                          double alpha, double beta)
{
    static const char op[] = "graph_gcn2";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, x);
    AGNI_NEED(op, first);
    AGNI_NEED(op, weight);
    agn_status st = check_spread(op, g, x, w, alpha);
    if (!st && !(beta >= 0 && beta <= 1))
        st = agni_fail(AGN_EDOMAIN, "%s: beta is %g, not in [0, 1]", op, beta);
    if (!st)
        st = agni_check_node_rows(op, "first", first, g->n[AGN_GRAPH_SRC]);
    if (!st && first->shape[1] != x->shape[1])
        st = agni_fail(AGN_ESHAPE, "%s: x is %s, first is %s: rows as long are needed", op,
                       AGNI_SHAPE(x), AGNI_SHAPE(first));
    if (!st)
        st = agni_check_layer_weight(op, "weight", weight, x->shape[1]);
    if (!st && weight->shape[0] != x->shape[1])
        st = agni_fail(AGN_ESHAPE, "%s: weight is %s, a square one is needed", op,
                       AGNI_SHAPE(weight));
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    int dtype = agni_layer_dtype(x);
    const agn_tensor *d = agni_degree_factor(s, g, w, dtype);
    const agn_tensor *h = spread_messages(s, g, agni_cast(s, x, dtype), w, d,
                                          agni_cast(s, first, dtype), alpha);
    const agn_tensor *y = h ? ag_mul_c(s, ag_nn_linear(s, h, weight, NULL), beta) : NULL;
    return agni_return(op, s, out, y ? ag_add(s, ag_mul_c(s, h, 1 - beta), y) : NULL);
}

agn_status agn_graph_sgc(agn_tensor **out, const agn_graph *g, const agn_tensor *x,
                         const agn_tensor *w, const agn_tensor *weight, const agn_tensor *bias,
                         int32_t steps)
{
    static const char op[] = "graph_sgc";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, x);
    AGNI_NEED(op, weight);
    agn_status st = check_spread(op, g, x, w, 0);
    if (!st && steps < 0)
        st = agni_fail(AGN_EARG, "%s: %d steps, 0 or more are needed", op, steps);
    if (!st)
        st = agni_check_layer_weight(op, "weight", weight, x->shape[1]);
    if (!st && bias)
        st = agni_check_layer_bias(op, bias, weight->shape[0]);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    bool first = weight->shape[0] < x->shape[1]; /* fewer elements travel */
    const agn_tensor *y = agni_cast(s, x, agni_layer_dtype(x)),
                     *d = agni_degree_factor(s, g, w, agni_layer_dtype(x));
    if (first)
        y = ag_nn_linear(s, y, weight, NULL);
    for (int32_t k = 0; k < steps && y && d; k++)
        y = agni_propagate(s, g, y, w, d);
    if (!first)
        y = ag_nn_linear(s, y, weight, NULL);
    return agni_return(op, s, out, y && bias ? ag_add(s, y, bias) : y);
}

/* sum of coef[l] A^l x by Horner's rule */
static const agn_tensor *sum_paths(agn_scope *s, const agn_graph *g, const agn_tensor *x,
                                   const agn_tensor *coef)
{
    const agn_tensor *y = NULL;
    for (int64_t l = coef->shape[0] - 1; l >= 0 && x; l--) {
        const agn_tensor *term = ag_mul(s, x, ag_index_axis(s, coef, 0, l));
        if (y)
            y = agni_gspmm(s, g, y, NULL, AGN_MESSAGE_COPY, AGN_GEOMETRIC_SUM);
        y = y || l < coef->shape[0] - 1 ? ag_add(s, y, term) : term;
        if (!y)
            return NULL;
    }
    return y;
}

agn_status agn_graph_pan(agn_tensor **out, const agn_graph *g, const agn_tensor *x,
                         const agn_tensor *coef, const agn_tensor *weight, const agn_tensor *bias)
{
    static const char op[] = "graph_pan";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, x);
    AGNI_NEED(op, coef);
    AGNI_NEED(op, weight);
    agn_status st = check_spread(op, g, x, NULL, 0);
    if (!st)
        st = agni_require_dense(coef, op);
    if (!st && (coef->ndim != 1 || !coef->shape[0]))
        st = agni_fail(AGN_ESHAPE, "%s: coef is %s, one axis with a number is needed", op,
                       AGNI_SHAPE(coef));
    if (!st && agni_kind(coef->dtype) == AGNI_KIND_COMPLEX)
        st = agni_fail(AGN_EDTYPE, "%s: coef is %s, a real dtype is needed", op,
                       agni_dtypes[coef->dtype].name);
    if (!st)
        st = agni_check_layer_weight(op, "weight", weight, x->shape[1]);
    if (!st && bias)
        st = agni_check_layer_bias(op, bias, weight->shape[0]);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    int dtype = agni_layer_dtype(x);
    const agn_tensor *c = agni_cast(s, coef, dtype),
                     *one = agni_full(s, 1, dtype, 2, (int64_t[]){x->shape[0], 1});
    const agn_tensor *z = c && one ? sum_paths(s, g, one, c) : NULL, *y = NULL;
    if (z) {
        const agn_tensor *zero = agni_full_like(s, 0, z), *some = ag_gt(s, z, zero);
        z = ag_where(s, some, ag_rsqrt(s, ag_where(s, some, z, one)), zero);
        y = ag_mul(s, ag_nn_linear(s, agni_cast(s, x, dtype), weight, NULL), z);
        y = y ? ag_mul(s, sum_paths(s, g, y, c), z) : NULL;
    }
    return agni_return(op, s, out, y && bias ? ag_add(s, y, bias) : y);
}
