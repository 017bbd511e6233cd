/* geometric/layers/filters.c - messages whose weights are networks of the edge: continuous filters
   (Schutt et al. 2018) and edge-conditioned matrices (Simonovsky and Komodakis 2017; Gilmer et al.
   2017). */
#include "geometric/layers/layers.h"

#include <agnesi/ag.h>
#include <agnesi/geometric_networks.h>
#include <agnesi/nn.h>
#include <math.h>

static const double PI = 3.14159265358979323846, LOG_2 = 0.69314718055994530942;

agn_status agn_graph_nnconv(agn_tensor **out, const agn_graph *g, const agn_tensor *u,
                            const agn_tensor *hidden, const agn_tensor *w, const agn_tensor *b)
{
    static const char op[] = "graph_nnconv";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, u);
    AGNI_NEED(op, hidden);
    AGNI_NEED(op, w);
    agn_status st = agni_check_node_rows(op, "u", u, g->n[AGN_GRAPH_SRC]);
    if (!st)
        st = agni_check_node_rows(op, "hidden", hidden, g->edges);
    if (!st)
        st = agni_check_parameter(op, "w", w);
    if (!st && (w->ndim != 3 || w->shape[0] != hidden->shape[1] || w->shape[1] != u->shape[1]))
        st = agni_fail(AGN_ESHAPE, "%s: w is %s, [%lld,%lld,o] is needed", op, AGNI_SHAPE(w),
                       (long long)hidden->shape[1], (long long)u->shape[1]);
    if (!st && b)
        st = agni_check_parameter(op, "b", b);
    if (!st && b && (b->ndim != 2 || b->shape[0] != w->shape[1] || b->shape[1] != w->shape[2]))
        st = agni_fail(AGN_ESHAPE, "%s: b is %s, [%lld,%lld] is needed", op, AGNI_SHAPE(b),
                       (long long)w->shape[1], (long long)w->shape[2]);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    int64_t f = u->shape[1], k = hidden->shape[1], o = w->shape[2];
    const agn_tensor *x = agni_cast(s, u, agni_layer_dtype(u)), *y = NULL;
    const agn_tensor *row = x ? agni_reshape(s, x, 3, (int64_t[]){x->shape[0], 1, f}) : NULL;
    const agn_tensor *column = agni_reshape(s, hidden, 3, (int64_t[]){g->edges, k, 1});
    if (row && column)
        y = agni_gspmm(s, g, row, column, AGN_MESSAGE_MUL, AGN_GEOMETRIC_SUM);
    y = y ? agni_reshape(s, y, 2, (int64_t[]){g->n[AGN_GRAPH_DST], k * f}) : NULL;
    y = y ? ag_matmul(s, y, agni_reshape(s, w, 2, (int64_t[]){k * f, o})) : NULL;
    if (b && y)
        y = ag_add(s, y,
                   ag_matmul(s, agni_gspmm(s, g, x, NULL, AGN_MESSAGE_COPY, AGN_GEOMETRIC_SUM), b));
    return agni_return(op, s, out, y);
}

agn_status agn_graph_gaussian_basis(agn_tensor **out, const agn_tensor *d, double lo, double hi,
                                    int64_t n)
{
    static const char op[] = "graph_gaussian_basis";
    agn_tensor *centre = NULL;
    AGNI_NEED(op, out);
    AGNI_NEED(op, d);
    agn_status st = agni_require_dense(d, op);
    if (!st && agni_kind(d->dtype) == AGNI_KIND_COMPLEX)
        st = agni_fail(AGN_EDTYPE, "%s: d is %s, a real dtype is needed", op,
                       agni_dtypes[d->dtype].name);
    if (!st && n < 1)
        st = agni_fail(AGN_EARG, "%s: %lld Gaussians, 1 or more are needed", op, (long long)n);
    if (!st && !(hi > lo && hi - lo < (double)INFINITY))
        st = agni_fail(AGN_EDOMAIN, "%s: lo is %g and hi %g, finite and ascending they must be", op,
                       lo, hi);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    double width = n > 1 ? (hi - lo) / (double)(n - 1) : hi - lo;
    st = agn_linspace(&centre, AGN_F64, lo, hi, n);
    const agn_tensor *x = agni_cast(s, d, agni_layer_dtype(d)),
                     *c = agni_adopt_constant(s, st, centre);
    const agn_tensor *t = c && x ? ag_sub(s, ag_expand_dims(s, x, -1), agni_cast(s, c, x->dtype))
                                 : NULL;
    return agni_return(op, s, out,
                       ag_exp(s, ag_mul_c(s, ag_square(s, ag_mul_c(s, t, 1 / width)), -0.5)));
}

/* (cos(pi d / cutoff) + 1) / 2 below the cutoff, [e, 1] */
static const agn_tensor *cosine_cutoff(agn_scope *s, const agn_tensor *d, double cutoff)
{
    const agn_tensor *c = ag_mul_c(s, ag_add_c(s, ag_cos(s, ag_mul_c(s, d, PI / cutoff)), 1), 0.5);
    const agn_tensor *far = c ? ag_ge(s, d, agni_full_like(s, cutoff, d)) : NULL;
    c = far ? ag_where(s, far, agni_full_like(s, 0, c), c) : NULL;
    return c ? agni_reshape(s, c, 2, (int64_t[]){c->shape[0], 1}) : NULL;
}

agn_status agn_graph_cfconv(agn_tensor **out, const agn_graph *g, const agn_tensor *u,
                            const agn_tensor *basis, const agn_tensor *d, const agn_tensor *w1,
                            const agn_tensor *b1, const agn_tensor *w2, const agn_tensor *b2,
                            double cutoff)
{
    static const char op[] = "graph_cfconv";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, u);
    AGNI_NEED(op, basis);
    AGNI_NEED(op, w1);
    AGNI_NEED(op, w2);
    agn_status st = agni_check_node_rows(op, "u", u, g->n[AGN_GRAPH_SRC]);
    if (!st)
        st = agni_check_node_rows(op, "basis", basis, g->edges);
    if (!st && d)
        st = agni_check_rows(op, "d", d, g->edges);
    if (!st && d && d->ndim != 1)
        st = agni_fail(AGN_ESHAPE, "%s: d is %s with %d axes, one is needed", op, AGNI_SHAPE(d),
                       d->ndim);
    if (!st && d && (!(cutoff > 0) || isinf(cutoff)))
        st = agni_fail(AGN_EDOMAIN, "%s: cutoff is %g, a finite number above 0 is needed", op,
                       cutoff);
    if (!st)
        st = agni_check_layer_weight(op, "w1", w1, basis->shape[1]);
    if (!st && b1)
        st = agni_check_layer_bias(op, b1, w1->shape[0]);
    if (!st)
        st = agni_check_layer_weight(op, "w2", w2, w1->shape[0]);
    if (!st && w2->shape[0] != u->shape[1])
        st = agni_fail(AGN_ESHAPE,
                       "%s: w2 is %s, u is %s: a row for each of its elements is needed", op,
                       AGNI_SHAPE(w2), AGNI_SHAPE(u));
    if (!st && b2)
        st = agni_check_layer_bias(op, b2, w2->shape[0]);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *h = ag_add_c(s, ag_softplus(s, ag_nn_linear(s, basis, w1, b1)), -LOG_2);
    const agn_tensor *w = ag_nn_linear(s, h, w2, b2);
    if (d)
        w = ag_mul(s, w, cosine_cutoff(s, d, cutoff));
    return agni_return(op, s, out,
                       w ? agni_gspmm(s, g, u, w, AGN_MESSAGE_MUL, AGN_GEOMETRIC_SUM) : NULL);
}
