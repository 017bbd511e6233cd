/* geometric/layers/relations.c - edges of several types: RGCN (Schlichtkrull et al. 2018); and
   several reductions at once: principal neighbourhood aggregation (Corso et al. 2020), EdgeConv
   (Wang et al. 2019). */
#include "geometric/blocks/messages.h"
#include "geometric/layers/layers.h"

#include <agnesi/ag.h>
#include <agnesi/nn.h>
#include <math.h>

static agn_status check_relations(const char *op, const agn_graph *const *g, int32_t n_g)
{
    agn_status st = AGN_OK;
    for (int32_t r = 0; !st && r < n_g; r++) {
        if (!g[r])
            return agni_fail(AGN_ENULL, "%s: g[%d] is NULL", op, r);
        for (int side = 0; side < 2; side++)
            if (g[r]->n[side] != g[0]->n[side])
                st = agni_fail(AGN_EARG, "%s: graph %d has %lld %s, graph 0 has %lld", op, r,
                               (long long)g[r]->n[side], side ? "destinations" : "sources",
                               (long long)g[0]->n[side]);
    }
    return st;
}

agn_status agn_graph_rgcn(agn_tensor **out, const agn_graph *const *g, int32_t n_g,
                          const agn_tensor *u, const agn_tensor *v, const agn_tensor *weight,
                          const agn_tensor *root, const agn_tensor *bias, int32_t reduce)
{
    static const char op[] = "graph_rgcn";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, u);
    AGNI_NEED(op, weight);
    AGNI_NEED_ALL(op, !v || root, "root");
    AGNI_NEED_ALL(op, v || !root, "v");
    if (n_g < 1)
        return agni_fail(AGN_EARG, "%s: %d graphs, 1 or more are needed", op, n_g);
    agn_status st = check_relations(op, g, n_g);
    if (!st)
        st = agni_check_reduction(op, reduce);
    if (!st)
        st = agni_check_node_rows(op, "u", u, g[0]->n[AGN_GRAPH_SRC]);
    if (!st)
        st = agni_check_parameter(op, "weight", weight);
    if (!st && (weight->ndim != 3 || weight->shape[0] != n_g || weight->shape[2] != u->shape[1]))
        st = agni_fail(AGN_ESHAPE, "%s: weight is %s, [%d,o,%lld] is needed", op,
                       AGNI_SHAPE(weight), n_g, (long long)u->shape[1]);
    if (!st && v)
        st = agni_check_node_rows(op, "v", v, g[0]->n[AGN_GRAPH_DST]);
    if (!st && v)
        st = agni_check_layer_weight(op, "root", root, v->shape[1]);
    if (!st && v && root->shape[0] != weight->shape[1])
        st = agni_fail(AGN_ESHAPE, "%s: root is %s, weight is %s: as many results are needed", op,
                       AGNI_SHAPE(root), AGNI_SHAPE(weight));
    if (!st && bias)
        st = agni_check_layer_bias(op, bias, weight->shape[1]);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    /* sums and means commute with products: fewer elements travel */
    bool first = weight->shape[1] < u->shape[1] && reduce <= AGN_GEOMETRIC_MEAN;
    const agn_tensor *y = v ? ag_nn_linear(s, v, root, bias) : NULL,
                     *x = agni_cast(s, u, agni_layer_dtype(u));
    for (int32_t r = 0; r < n_g && x; r++) {
        const agn_tensor *w = ag_index_axis(s, weight, 0, r),
                         *t = first ? ag_nn_linear(s, x, w, NULL) : x;
        t = t ? agni_gspmm(s, g[r], t, NULL, AGN_MESSAGE_COPY, reduce) : NULL;
        if (!first)
            t = ag_nn_linear(s, t, w, NULL);
        y = y ? ag_add(s, y, t) : bias ? ag_add(s, t, bias) : t;
    }
    return agni_return(op, s, out, y);
}

/* 1 at nodes that edges reach, else 0: [n, 1] */
static const agn_tensor *mean_degree(agn_scope *s, const agn_graph *g, int dtype,
                                     const agn_tensor **degree)
{
    agn_tensor *count = NULL;
    agn_status st = agn_graph_degrees(&count, g, AGN_GRAPH_DST);
    const agn_tensor *n = agni_adopt_constant(s, st, count);
    n = n ? agni_cast(s, n, dtype) : NULL;
    n = n ? agni_reshape(s, n, 2, (int64_t[]){n->shape[0], 1}) : NULL;
    *degree = n;
    return n ? ag_minimum_c(s, n, 1) : NULL;
}

/* Products with weights are of nodes: theta (u_j - v_i) + phi v_i + b grows with theta u_j, and so
   does relu of it, so that the largest of them needs the largest theta u_j alone. */
agn_status agn_graph_edge_conv(agn_tensor **out, const agn_graph *g, const agn_tensor *u,
                               const agn_tensor *v, const agn_tensor *theta, const agn_tensor *phi,
                               const agn_tensor *bias)
{
    static const char op[] = "graph_edge_conv";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, u);
    AGNI_NEED(op, theta);
    AGNI_NEED(op, phi);
    agn_status st = agni_check_node_rows(op, "u", u, g->n[AGN_GRAPH_SRC]);
    if (!st)
        st = agni_check_node_rows(op, v ? "v" : "u", v ? v : u, g->n[AGN_GRAPH_DST]);
    if (!st && v && v->shape[1] != u->shape[1])
        st = agni_fail(AGN_ESHAPE, "%s: u is %s, v is %s: rows of one length are needed", op,
                       AGNI_SHAPE(u), AGNI_SHAPE(v));
    if (!st)
        st = agni_check_layer_weight(op, "theta", theta, u->shape[1]);
    if (!st)
        st = agni_check_layer_weight(op, "phi", phi, u->shape[1]);
    if (!st && theta->shape[0] != phi->shape[0])
        st = agni_fail(AGN_ESHAPE, "%s: theta is %s, phi is %s: as many rows are needed", op,
                       AGNI_SHAPE(theta), AGNI_SHAPE(phi));
    if (!st && bias)
        st = agni_check_layer_bias(op, bias, theta->shape[0]);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *degree = NULL, *some = NULL;
    const agn_tensor *a = ag_nn_linear(s, u, theta, NULL);
    const agn_tensor *b = ag_nn_linear(s, v ? v : u, ag_sub(s, phi, theta), bias);
    const agn_tensor *y = a ? agni_gspmm(s, g, a, NULL, AGN_MESSAGE_COPY, AGN_GEOMETRIC_MAX) : NULL;
    y = ag_relu(s, ag_add(s, y, b));
    some = y ? mean_degree(s, g, y->dtype, &degree) : NULL;
    if (!some)
        return agni_return(op, s, out, NULL);
    const agn_tensor *zero = agni_full_like(s, 0, some);
    return agni_return(op, s, out, ag_where(s, ag_gt(s, some, zero), y, zero));
}

static agn_status square_difference(void *user, agn_scope *s, const agn_tensor *const *in,
                                    const agn_tensor **out)
{
    (void)user;
    out[0] = ag_square(s, ag_sub(s, in[0], in[1]));
    return agn_scope_status(s);
}

/* of the rows that reach each node; 0 where all are equal, with a slope of 0 */
static const agn_tensor *spread_mean(agn_scope *s, const agn_graph *g, const agn_tensor *u,
                                     const agn_tensor *mean)
{
    agni_messages m = {.g = g,
                       .body = {square_difference, NULL},
                       .n = 2,
                       .n_out = 1,
                       .in = {u, mean},
                       .side = {AGN_GRAPH_SRC, AGN_GRAPH_DST},
                       .target = {AGNI_MEAN}};
    const agn_tensor *v = NULL;
    if (mean)
        agni_run_messages(s, &m, &v);
    const agn_tensor *zero = v ? agni_full_like(s, 0, v) : NULL, *none = ag_eq(s, v, zero);
    return none ? ag_where(s, none, zero, ag_sqrt(s, ag_where(s, none, agni_full_like(s, 1, v), v)))
                : NULL;
}

/* mean, largest, smallest and spread side by side; what led there is not kept */
static agn_status join_reductions(agn_tensor **out, const char *op, const agn_graph *g,
                                  const agn_tensor *u)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_cast(s, u, agni_layer_dtype(u)), *part[4] = {NULL};
    for (int k = 0; k < 3 && x; k++)
        part[k] = agni_gspmm(s, g, x, NULL, AGN_MESSAGE_COPY, AGN_GEOMETRIC_MEAN + k);
    part[3] = x ? spread_mean(s, g, x, part[0]) : NULL;
    return agni_return(op, s, out, ag_concat(s, part, 4, 1));
}

agn_status agn_graph_pna(agn_tensor **out, const agn_graph *g, const agn_tensor *u, double delta)
{
    static const char op[] = "graph_pna";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, u);
    agn_status st = agni_check_node_rows(op, "u", u, g->n[AGN_GRAPH_SRC]);
    if (!st && (!(delta > 0) || isinf(delta)))
        st = agni_fail(AGN_EDOMAIN, "%s: delta is %g, a finite number above 0 is needed", op,
                       delta);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *joined = NULL;
    st = join_reductions(&joined, op, g, u);
    const agn_tensor *y = agn_scope_adopt(s, st, &joined), *degree = NULL;
    if (!y || !mean_degree(s, g, y->dtype, &degree))
        return agni_return(op, s, out, NULL);
    const agn_tensor *scale = ag_mul_c(s, ag_log1p(s, ag_maximum_c(s, degree, 1)), 1 / delta);
    const agn_tensor *by[3] = {agni_full_like(s, 1, degree), scale, ag_reciprocal(s, scale)};
    const agn_tensor *scales = by[0] ? ag_concat(s, by, 3, 1) : NULL;
    int64_t n = y->shape[0], w = y->shape[1];
    scales = scales ? agni_reshape(s, scales, 3, (int64_t[]){n, 3, 1}) : NULL;
    y = ag_mul(s, agni_reshape(s, y, 3, (int64_t[]){n, 1, w}), scales);
    return agni_return(op, s, out, y ? agni_reshape(s, y, 2, (int64_t[]){n, 3 * w}) : NULL);
}
