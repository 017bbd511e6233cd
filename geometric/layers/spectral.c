/* geometric/layers/spectral.c - polynomials and rational functions of the normalised adjacency:
   Chebyshev (Defferrard, Bresson and Vandergheynst 2016), TAG (Du et al. 2017), ARMA (Bianchi et
   al. 2021). */
#include "geometric/layers/layers.h"

#include <agnesi/ag.h>
#include <agnesi/nn.h>

/* [terms, o, f] */
static agn_status check_terms(const char *op, const agn_tensor *w, int64_t f)
{
    agn_status st = agni_check_parameter(op, "weight", w);
    if (!st && (w->ndim != 3 || w->shape[0] == 0 || w->shape[2] != f))
        st = agni_fail(AGN_ESHAPE, "%s: weight is %s, [terms,o,%lld] is needed", op, AGNI_SHAPE(w),
                       (long long)f);
    return st;
}

static agn_status check_polynomial(const char *op, const agn_graph *g, const agn_tensor *x,
                                   const agn_tensor *w, const agn_tensor *weight,
                                   const agn_tensor *bias)
{
    agn_status st = agni_check_one_kind(op, g);
    if (!st)
        st = agni_check_node_rows(op, "x", x, g->n[AGN_GRAPH_SRC]);
    if (!st && w)
        st = agni_check_edge_weights(op, g, w);
    if (!st)
        st = check_terms(op, weight, x->shape[1]);
    return !st && bias ? agni_check_layer_bias(op, bias, weight->shape[1]) : st;
}

/* y + x W_k^T */
static const agn_tensor *add_term(agn_scope *s, const agn_tensor *y, const agn_tensor *x,
                                  const agn_tensor *weight, int64_t k, const agn_tensor *bias)
{
    const agn_tensor *t = ag_nn_linear(s, x, ag_index_axis(s, weight, 0, k), y ? NULL : bias);
    return y ? ag_add(s, y, t) : t;
}

agn_status agn_graph_cheb(agn_tensor **out, const agn_graph *g, const agn_tensor *x,
                          const agn_tensor *w, const agn_tensor *weight, const agn_tensor *bias,
                          double largest)
{
    static const char op[] = "graph_cheb";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, x);
    AGNI_NEED(op, weight);
    if (!(largest > 0) || largest > 1e300)
        return agni_fail(AGN_EDOMAIN,
                         "%s: the largest eigenvalue is %g, a finite number above 0 is needed", op,
                         largest);
    agn_status st = check_polynomial(op, g, x, w, weight, bias);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    int dtype = agni_layer_dtype(x);
    const agn_tensor *d = agni_degree_factor(s, g, w, dtype), *before = NULL, *y = NULL;
    const agn_tensor *t = agni_cast(s, x, dtype);
    for (int64_t k = 0; k < weight->shape[0] && t; k++) {
        if (k) { /* (2 / largest) (I - A) - I, twice that from the second term on */
            double scale = (k > 1 ? 2 : 1) * 2 / largest, own = scale - (k > 1 ? 2 : 1);
            const agn_tensor *next = ag_mul_c(s, agni_propagate(s, g, t, w, d), -scale);
            if (own != 0)
                next = ag_add(s, next, ag_mul_c(s, t, own));
            if (k > 1)
                next = ag_sub(s, next, before);
            before = t;
            t = next;
        }
        y = add_term(s, y, t, weight, k, bias);
    }
    return agni_return(op, s, out, y);
}

agn_status agn_graph_tag(agn_tensor **out, const agn_graph *g, const agn_tensor *x,
                         const agn_tensor *w, const agn_tensor *weight, const agn_tensor *bias)
{
    static const char op[] = "graph_tag";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, x);
    AGNI_NEED(op, weight);
    agn_status st = check_polynomial(op, g, x, w, weight, bias);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    int dtype = agni_layer_dtype(x);
    const agn_tensor *d = agni_degree_factor(s, g, w, dtype), *y = NULL,
                     *t = agni_cast(s, x, dtype);
    for (int64_t k = 0; k < weight->shape[0] && t; k++) {
        if (k)
            t = agni_propagate(s, g, t, w, d);
        y = add_term(s, y, t, weight, k, bias);
    }
    return agni_return(op, s, out, y);
}

/* [stacks, o, f] with those of like unless NULL */
static agn_status check_stacks(const char *op, const char *what, const agn_tensor *w,
                               const agn_tensor *like, int64_t f)
{
    agn_status st = agni_check_parameter(op, what, w);
    if (!st && (w->ndim != 3 || w->shape[0] == 0 || w->shape[2] != f ||
                (like && (w->shape[0] != like->shape[0] || w->shape[1] != like->shape[1]))))
        st = like ? agni_fail(AGN_ESHAPE, "%s: %s is %s, [%lld,%lld,%lld] is needed", op, what,
                              AGNI_SHAPE(w), (long long)like->shape[0], (long long)like->shape[1],
                              (long long)f)
                  : agni_fail(AGN_ESHAPE, "%s: %s is %s, [stacks,o,%lld] is needed", op, what,
                              AGNI_SHAPE(w), (long long)f);
    return st;
}

/* x [n, f] times each of [stacks, o, f]: [n, stacks, o] */
static const agn_tensor *to_stacks(agn_scope *s, const agn_tensor *x, const agn_tensor *w)
{
    const agn_tensor *flat = agni_reshape(s, w, 2,
                                          (int64_t[]){w->shape[0] * w->shape[1], w->shape[2]});
    const agn_tensor *y = ag_nn_linear(s, x, flat, NULL);
    return y ? agni_reshape(s, y, 3, (int64_t[]){x->shape[0], w->shape[0], w->shape[1]}) : NULL;
}

agn_status agn_graph_arma(agn_tensor **out, const agn_graph *g, const agn_tensor *x,
                          const agn_tensor *w, const agn_tensor *first, const agn_tensor *weight,
                          const agn_tensor *root, const agn_tensor *bias, int32_t layers)
{
    static const char op[] = "graph_arma";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, x);
    AGNI_NEED(op, first);
    AGNI_NEED(op, root);
    AGNI_NEED_ALL(op, weight || layers <= 1, "weight");
    if (layers < 1)
        return agni_fail(AGN_EARG, "%s: %d layers, 1 or more are needed", op, layers);
    agn_status st = agni_check_one_kind(op, g);
    if (!st)
        st = agni_check_node_rows(op, "x", x, g->n[AGN_GRAPH_SRC]);
    if (!st && w)
        st = agni_check_edge_weights(op, g, w);
    if (!st)
        st = check_stacks(op, "first", first, NULL, x->shape[1]);
    if (!st)
        st = check_stacks(op, "root", root, first, x->shape[1]);
    if (!st && layers > 1)
        st = check_stacks(op, "weight", weight, first, first->shape[1]);
    if (!st && bias)
        st = agni_check_parameter(op, "bias", bias);
    if (!st && bias &&
        (bias->ndim != 2 || bias->shape[0] != first->shape[0] || bias->shape[1] != first->shape[1]))
        st = agni_fail(AGN_ESHAPE, "%s: bias is %s, [%lld,%lld] is needed", op, AGNI_SHAPE(bias),
                       (long long)first->shape[0], (long long)first->shape[1]);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    int dtype = agni_layer_dtype(x);
    const agn_tensor *d = agni_degree_factor(s, g, w, dtype), *y = agni_cast(s, x, dtype);
    d = d ? agni_reshape(s, d, 3, (int64_t[]){d->shape[0], 1, 1}) : NULL;
    const agn_tensor *own = y ? to_stacks(s, y, root) : NULL;
    y = y ? to_stacks(s, y, first) : NULL;
    if (bias)
        own = ag_add(s, own, bias);
    for (int32_t k = 0; k < layers && y; k++) {
        if (k)
            y = ag_einsum(s, "nki,koi->nko", (const agn_tensor *[]){y, weight}, 2);
        const agn_tensor *wide = w ? agni_reshape(s, w, 3, (int64_t[]){w->shape[0], 1, 1}) : NULL;
        y = y ? ag_relu(s, ag_add(s, agni_propagate(s, g, y, wide, d), own)) : NULL;
    }
    return agni_return(op, s, out, ag_mean(s, y, (const int32_t[]){1}, 1, false));
}
