/* geometric/layers/networks.c - networks whose messages are functions: MPNN (Gilmer et al. 2017),
   EGNN (Satorras, Hoogeboom and Welling 2021), the block of mesh graph networks (Pfaff et al.
   2021). */
#include "geometric/blocks/messages.h"
#include "geometric/layers/layers.h"

#include <agnesi/ag.h>
#include <agnesi/geometric_networks.h>

/* f of n arguments, those that are not NULL; its result has so many rows */
static const agn_tensor *call_network(agn_scope *s, const char *op, const char *what,
                                      const agn_fn *f, int64_t rows, int n,
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
        agn_scope_fail(s, agni_fail(AGN_EARG,
                                    "%s: %s has %d arguments and %d results, %d and 1 are needed",
                                    op, what, agn_fn_n_in(f), agn_fn_n_out(f), k));
        return NULL;
    }
    if (agn_fn_apply(s, &y, 1, f, given, k))
        return NULL;
    if (y->ndim == 0 || y->shape[0] != rows) {
        agn_scope_fail(s, agni_fail(AGN_ESHAPE, "%s: %s gives %s, %lld rows are needed", op, what,
                                    AGNI_SHAPE(y), (long long)rows));
        return NULL;
    }
    return y;
}

static agn_status check_operands(const char *op, const agn_graph *g, const agn_tensor *u,
                                 const agn_tensor *v, const agn_tensor *e)
{
    agn_status st = u ? agni_check_rows(op, "u", u, g->n[AGN_GRAPH_SRC]) : AGN_OK;
    if (!st && v)
        st = agni_check_rows(op, "v", v, g->n[AGN_GRAPH_DST]);
    return !st && e ? agni_check_rows(op, "e", e, g->edges) : st;
}

/* what the bodies below call */
typedef struct edge_functions {
    const char *op;
    const agn_fn *f, *shift;
    bool given;   /* rows of edges */
    int64_t rows; /* 0: as many as the first argument has */
} edge_functions;

/* f of the rows of an edge */
static agn_status call_message(void *user, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    const edge_functions *q = user;
    out[0] = call_network(s, q->op, "f", q->f, q->rows ? q->rows : in[0]->shape[0],
                          agn_fn_n_in(q->f), in);
    return agn_scope_status(s);
}

/* f of u, v, e that are not NULL, its rows reduced at destinations or kept */
static const agn_tensor *pass_rows(agn_scope *s, const char *op, const agn_graph *g,
                                   const agn_fn *f, const agn_tensor *const *given, int64_t target)
{
    edge_functions q = {.op = op, .f = f};
    agni_messages m = {.g = g, .body = {call_message, &q}, .n_out = 1, .target = {target}};
    const agn_tensor *y = NULL;
    for (int side = 0; side < 3; side++)
        if (given[side]) {
            m.side[m.n] = side;
            m.in[m.n++] = given[side];
        }
    if (agn_fn_n_in(f) != m.n || agn_fn_n_out(f) != 1)
        return call_network(s, op, "f", f, g->edges, 3, given); /* reports it */
    q.rows = m.n ? 0 : g->edges; /* there is nothing to cut */
    agni_run_messages(s, &m, &y);
    return y;
}

agn_status agn_graph_apply_edges(agn_tensor **out, const agn_graph *g, const agn_fn *f,
                                 const agn_tensor *u, const agn_tensor *v, const agn_tensor *e)
{
    static const char op[] = "graph_apply_edges";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, f);
    agn_status st = check_operands(op, g, u, v, e);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    return agni_return(op, s, out,
                       pass_rows(s, op, g, f, (const agn_tensor *[]){u, v, e}, AGN_GRAPH_EDGE));
}

agn_status agn_graph_mpnn(agn_tensor **out, const agn_graph *g, const agn_fn *f,
                          const agn_tensor *u, const agn_tensor *v, const agn_tensor *e,
                          int32_t reduce)
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
    return agni_return(
        op, s, out,
        pass_rows(s, op, g, f, (const agn_tensor *[]){u, v, e}, agni_reduction_targets[reduce]));
}

static agn_status return_two(const char *op, agn_scope *s, agn_tensor **a, const agn_tensor *x,
                             agn_tensor **b, const agn_tensor *y)
{
    agn_scope_return(s, a, x);
    agn_scope_return(s, b, y);
    return agni_rename_error(op, agn_scope_close(s));
}

/* h of both ends, x of the destination and of the source, rows of edges: what is summed, what
   moves */
static agn_status pass_and_move(void *user, agn_scope *s, const agn_tensor *const *in,
                                const agn_tensor **out)
{
    const edge_functions *q = user;
    int64_t rows = in[0]->shape[0];
    const agn_tensor *d = ag_sub(s, in[2], in[3]), *two = ag_square(s, d);
    two = two ? agni_sum_axes(s, two, 1, (int64_t[]){-1}, true) : NULL;
    const agn_tensor *given[4] = {in[0], in[1], two, q->given ? in[4] : NULL};
    const agn_tensor *m = two ? call_network(s, q->op, "f_edge", q->f, rows, 4, given) : NULL;
    const agn_tensor *by = m ? call_network(s, q->op, "f_shift", q->shift, rows, 1, &m) : NULL;
    if (by && (by->ndim != 2 || by->shape[1] != 1))
        return agn_scope_fail(s, agni_fail(AGN_ESHAPE, "%s: f_shift gives %s, [%lld,1] is needed",
                                           q->op, AGNI_SHAPE(by), (long long)rows));
    out[0] = m;
    out[1] = by ? ag_mul(s, d, by) : NULL;
    return agn_scope_status(s);
}

agn_status agn_graph_egnn(agn_tensor **h_out, agn_tensor **x_out, const agn_graph *g,
                          const agn_tensor *h, const agn_tensor *x, const agn_tensor *e,
                          const agn_fn *f_edge, const agn_fn *f_shift, const agn_fn *f_node)
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
    edge_functions q = {.op = op, .f = f_edge, .shift = f_shift, .given = e != NULL};
    agni_messages m = {
        .g = g,
        .body = {pass_and_move, &q},
        .n = 4 + (e != NULL),
        .n_out = 2,
        .in = {h, h, x, x, e},
        .side = {AGN_GRAPH_SRC, AGN_GRAPH_DST, AGN_GRAPH_DST, AGN_GRAPH_SRC, AGN_GRAPH_EDGE},
        .target = {AGN_GRAPH_DST, AGNI_MEAN}};
    const agn_tensor *y[2] = {NULL};
    agni_run_messages(s, &m, y);
    const agn_tensor *sum = y[0], *move = y[1];
    const agn_tensor *node = sum ? call_network(s, op, "f_node", f_node, h->shape[0], 2,
                                                (const agn_tensor *[]){h, sum})
                                 : NULL;
    return return_two(op, s, h_out, ag_add(s, h, node), x_out, ag_add(s, x, move));
}

/* both ends, the edge: its row, which is summed as well */
static agn_status update_edge(void *user, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    const edge_functions *q = user;
    out[0] = out[1] = ag_add(s, in[2],
                             call_network(s, q->op, "f_edge", q->f, in[0]->shape[0], 3, in));
    return agn_scope_status(s);
}

agn_status agn_graph_network_block(agn_tensor **v_out, agn_tensor **e_out, const agn_graph *g,
                                   const agn_tensor *v, const agn_tensor *e, const agn_fn *f_edge,
                                   const agn_fn *f_node)
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
    edge_functions q = {.op = op, .f = f_edge};
    agni_messages m = {.g = g,
                       .body = {update_edge, &q},
                       .n = 3,
                       .n_out = 2,
                       .in = {v, v, e},
                       .side = {AGN_GRAPH_SRC, AGN_GRAPH_DST, AGN_GRAPH_EDGE},
                       .target = {AGN_GRAPH_EDGE, AGN_GRAPH_DST}};
    const agn_tensor *y[2] = {NULL}, *edge, *sum;
    agni_run_messages(s, &m, y);
    edge = y[0];
    sum = y[1];
    const agn_tensor *node = sum ? call_network(s, op, "f_node", f_node, v->shape[0], 2,
                                                (const agn_tensor *[]){v, sum})
                                 : NULL;
    return return_two(op, s, v_out, ag_add(s, v, node), e_out, edge);
}
