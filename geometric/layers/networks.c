/* geometric/layers/networks.c - networks whose messages are functions: MPNN (Gilmer et al. 2017), EGNN (Satorras,
   Hoogeboom and Welling 2021), the block of mesh graph networks (Pfaff et al. 2021). */
#include "geometric/blocks/messages.h"
#include "geometric/layers/layers.h"

#include <agnesi/ag.h>
#include <agnesi/geometric_networks.h>

/* f of n arguments, those that are not NULL; its result has so many rows */
static const agn_tensor *call_network(agn_scope *s, const char *op, const char *what, const agn_fn *f, int64_t rows, int n,
                                      const agn_tensor *const *in)
{
    const agn_tensor *given[4], *y = NULL;
    int k = 0;
    for (int i = 0; i < n; i++)
        if (in[i])
            given[k++] = in[i];
    if (agn_scope_status(s))
        return NULL;
    if (agn_fn_n_in(f) != k || agn_fn_n_out(f) != 1) {
        agn_scope_fail(s, agni_fail(AGN_EARG, "%s: %s has %d arguments and %d results, %d and 1 are needed", op, what,
                                    agn_fn_n_in(f), agn_fn_n_out(f), k));
        return NULL;
    }
    if (agn_fn_apply(s, &y, 1, f, given, k))
        return NULL;
    if (y->ndim == 0 || y->shape[0] != rows) {
        agn_scope_fail(s, agni_fail(AGN_ESHAPE, "%s: %s gives %s, %lld rows are needed", op, what, AGNI_SHAPE(y),
                                    (long long)rows));
        return NULL;
    }
    return y;
}

static const agn_tensor *gather_ends(agn_scope *s, const agn_graph *g, const agn_tensor *x, int32_t side)
{
    return x ? agni_gsddmm(s, g, x, side, NULL, AGN_GRAPH_EDGE, AGN_MESSAGE_COPY) : NULL;
}

static agn_status check_operands(const char *op, const agn_graph *g, const agn_tensor *u, const agn_tensor *v,
                                 const agn_tensor *e)
{
    agn_status st = u ? agni_check_rows(op, "u", u, g->n[AGN_GRAPH_SRC]) : AGN_OK;
    if (!st && v)
        st = agni_check_rows(op, "v", v, g->n[AGN_GRAPH_DST]);
    return !st && e ? agni_check_rows(op, "e", e, g->edges) : st;
}

static const agn_tensor *apply_edges(agn_scope *s, const char *op, const agn_graph *g, const agn_fn *f,
                                     const agn_tensor *u, const agn_tensor *v, const agn_tensor *e)
{
    const agn_tensor *in[3] = {gather_ends(s, g, u, AGN_GRAPH_SRC), gather_ends(s, g, v, AGN_GRAPH_DST), e};
    return call_network(s, op, "f", f, g->edges, 3, in);
}

agn_status agn_graph_apply_edges(agn_tensor **out, const agn_graph *g, const agn_fn *f, const agn_tensor *u,
                                 const agn_tensor *v, const agn_tensor *e)
{
    static const char op[] = "graph_apply_edges";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, f);
    agn_status st = check_operands(op, g, u, v, e);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    return agni_return(op, s, out, apply_edges(s, op, g, f, u, v, e));
}

agn_status agn_graph_mpnn(agn_tensor **out, const agn_graph *g, const agn_fn *f, const agn_tensor *u,
                          const agn_tensor *v, const agn_tensor *e, int32_t reduce)
{
    static const char op[] = "graph_mpnn";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, f);
    agn_status st = agni_check_reduction(op, reduce);
    if (!st)
        st = check_operands(op, g, u, v, e);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    agni_messages q = {.g = g, .f = f, .reduce = reduce};
    const agn_tensor *in[3] = {u, v, e}, *y = NULL;
    for (int side = 0; side < 3; side++)
        if (in[side]) {
            q.side[q.n] = side;
            q.in[q.n++] = in[side];
        }
    if (agn_fn_n_in(f) == q.n && agn_fn_n_out(f) == 1 && agni_block_messages(s, &q, &y))
        return agni_return(op, s, out, y);
    const agn_tensor *m = apply_edges(s, op, g, f, u, v, e);
    return agni_return(op, s, out, m ? agni_gspmm(s, g, NULL, m, AGN_MESSAGE_COPY, reduce) : NULL);
}

static agn_status return_two(const char *op, agn_scope *s, agn_tensor **a, const agn_tensor *x, agn_tensor **b,
                             const agn_tensor *y)
{
    agn_scope_return(s, a, x);
    agn_scope_return(s, b, y);
    return agni_rename_error(op, agn_scope_close(s));
}

agn_status agn_graph_egnn(agn_tensor **h_out, agn_tensor **x_out, const agn_graph *g, const agn_tensor *h,
                          const agn_tensor *x, const agn_tensor *e, const agn_fn *f_edge, const agn_fn *f_shift,
                          const agn_fn *f_node)
{
    static const char op[] = "graph_egnn";
    AGNI_NEED(op, h_out);
    AGNI_NEED(op, x_out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, h);
    AGNI_NEED(op, x);
    AGNI_NEED(op, f_edge);
    AGNI_NEED(op, f_shift);
    AGNI_NEED(op, f_node);
    agn_status st = agni_check_one_kind(op, g);
    if (!st)
        st = agni_check_node_rows(op, "h", h, g->n[AGN_GRAPH_SRC]);
    if (!st)
        st = agni_check_node_rows(op, "x", x, g->n[AGN_GRAPH_SRC]);
    if (!st && e)
        st = agni_check_rows(op, "e", e, g->edges);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *d = agni_gsddmm(s, g, x, AGN_GRAPH_DST, x, AGN_GRAPH_SRC, AGN_MESSAGE_SUB), *two = ag_square(s, d);
    two = two ? agni_sum_axes(s, two, 1, (int64_t[]){-1}, true) : NULL;
    const agn_tensor *m = call_network(s, op, "f_edge", f_edge, g->edges, 4,
                                       (const agn_tensor *[]){gather_ends(s, g, h, AGN_GRAPH_SRC), gather_ends(s, g, h, AGN_GRAPH_DST), two, e});
    const agn_tensor *by = call_network(s, op, "f_shift", f_shift, g->edges, 1, &m), *move = NULL, *sum = NULL;
    if (by && (by->ndim != 2 || by->shape[1] != 1))
        agn_scope_fail(s, agni_fail(AGN_ESHAPE, "%s: f_shift gives %s, [%lld,1] is needed", op, AGNI_SHAPE(by),
                                    (long long)g->edges));
    if (by && !agn_scope_status(s)) {
        move = ag_mul(s, d, by);
        move = move ? agni_gspmm(s, g, NULL, move, AGN_MESSAGE_COPY, AGN_GEOMETRIC_MEAN) : NULL;
        sum = agni_gspmm(s, g, NULL, m, AGN_MESSAGE_COPY, AGN_GEOMETRIC_SUM);
    }
    const agn_tensor *node = sum ? call_network(s, op, "f_node", f_node, h->shape[0], 2, (const agn_tensor *[]){h, sum}) : NULL;
    return return_two(op, s, h_out, ag_add(s, h, node), x_out, ag_add(s, x, move));
}

agn_status agn_graph_network_block(agn_tensor **v_out, agn_tensor **e_out, const agn_graph *g, const agn_tensor *v,
                                   const agn_tensor *e, const agn_fn *f_edge, const agn_fn *f_node)
{
    static const char op[] = "graph_network_block";
    AGNI_NEED(op, v_out);
    AGNI_NEED(op, e_out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, v);
    AGNI_NEED(op, e);
    AGNI_NEED(op, f_edge);
    AGNI_NEED(op, f_node);
    agn_status st = agni_check_one_kind(op, g);
    if (!st)
        st = check_operands(op, g, NULL, v, e);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *in[3] = {gather_ends(s, g, v, AGN_GRAPH_SRC), gather_ends(s, g, v, AGN_GRAPH_DST), e};
    const agn_tensor *edge = ag_add(s, e, call_network(s, op, "f_edge", f_edge, g->edges, 3, in));
    const agn_tensor *sum = edge ? agni_gspmm(s, g, NULL, edge, AGN_MESSAGE_COPY, AGN_GEOMETRIC_SUM) : NULL;
    const agn_tensor *node = sum ? call_network(s, op, "f_node", f_node, v->shape[0], 2, (const agn_tensor *[]){v, sum}) : NULL;
    return return_two(op, s, v_out, ag_add(s, v, node), e_out, edge);
}
