/* tools/cases-graph.c - ops over the edges of a graph, which is fixed: rows of nodes and edges are the
   data; wanted is what a loop over the edges gives. */
#include "cases.h"

#include <agnesi/geometric_networks.h>
#include <math.h>
#include <string.h>

/* a loop, parallel edges, a node that nothing reaches */
enum { NODES = 4, EDGES = 6, WIDTH = 2 };
static const int64_t from[EDGES] = {0, 1, 2, 2, 0, 3}, to[EDGES] = {1, 0, 1, 1, 2, 1};

static agn_status make_graph(agn_graph **g)
{
    agn_tensor *s = NULL, *d = NULL;
    int64_t n = EDGES;
    agn_status st = agn_from_host(&s, AGN_I64, 1, &n, from);
    if (!st)
        st = agn_from_host(&d, AGN_I64, 1, &n, to);
    if (!st)
        st = agn_graph_from_edges(g, s, d, NODES, NODES);
    agn_release(s);
    agn_release(d);
    return st;
}

/* ---- calls ------------------------------------------------------------------------------------------ */

#define RUN(name, call) \
    static agn_status run_##name(agn_tensor **out, const op_case *c, int dtype, \
                                 const agn_tensor *const *x) \
    { \
        agn_graph *g = NULL; \
        (void)c, (void)dtype; \
        agn_status st = make_graph(&g); \
        if (!st) \
            st = call; \
        agn_graph_release(g); \
        return st; \
    }
RUN(copy, agn_graph_gspmm(out, g, x[0], NULL, AGN_MESSAGE_COPY, AGN_GEOMETRIC_SUM))
RUN(add, agn_graph_gspmm(out, g, x[0], x[1], AGN_MESSAGE_ADD, AGN_GEOMETRIC_SUM))
RUN(mul, agn_graph_gspmm(out, g, x[0], x[1], AGN_MESSAGE_MUL, AGN_GEOMETRIC_SUM))
RUN(div, agn_graph_gspmm(out, g, x[0], x[1], AGN_MESSAGE_DIV, AGN_GEOMETRIC_SUM))
RUN(extreme, agn_graph_gspmm(out, g, x[0], x[1], AGN_MESSAGE_SUB, AGN_GEOMETRIC_MAX))
RUN(softmax, agn_graph_edge_softmax(out, g, x[0], AGN_GRAPH_DST))

/* the slopes of the largest u e in u, times w */
static agn_status weigh_largest(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const agn_tensor *y = ag_graph_gspmm(s, user, in[0], in[1], AGN_MESSAGE_MUL, AGN_GEOMETRIC_MAX);
    out[0] = ag_sum_all(s, ag_mul(s, y, in[2]));
    return agn_scope_status(s);
}
static agn_status slope_of_largest(agn_tensor **out, agn_graph *g, const agn_tensor *const *x)
{
    agn_fn *f = NULL, *slope = NULL;
    agn_status st = agn_fn_new(&f, weigh_largest, g, NULL, 3, 1);
    if (!st)
        st = agn_fn_grad(&slope, f, NULL, 1);
    if (!st)
        st = agn_fn_call(out, agn_fn_n_out(slope), slope, x, agn_fn_n_in(slope));
    agn_fn_release(slope);
    agn_fn_release(f);
    return st;
}
RUN(tie, slope_of_largest(out, g, x))

/* attention of rows u from terms of u and v; of one kind of nodes; its slopes in u and in s, times w, which is v
   there */
static const double slope = 0.25;
RUN(attend, agn_graph_gat(out, g, x[0], x[1], x[2], x[3], slope))
RUN(attention, agn_graph_gat(out, g, x[0], NULL, x[1], x[2], slope))
typedef struct attended {
    agn_graph *g;
    bool one_kind;
} attended;
static agn_status weigh_attention(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const attended *q = user;
    const agn_tensor *y = q->one_kind ? ag_graph_gat(s, q->g, in[0], NULL, in[1], in[2], slope)
                                      : ag_graph_gat(s, q->g, in[0], in[1], in[2], in[3], slope);
    out[0] = ag_sum_all(s, ag_mul(s, y, in[q->one_kind ? 3 : 1]));
    return agn_scope_status(s);
}
static agn_status slope_of_attention(agn_tensor **out, agn_graph *g, const agn_tensor *const *x, bool one_kind,
                                     int32_t wrt)
{
    agn_fn *f = NULL, *d = NULL;
    attended q = {g, one_kind};
    agn_status st = agn_fn_new(&f, weigh_attention, &q, NULL, 4, 1);
    if (!st)
        st = agn_fn_grad(&d, f, &wrt, 1);
    if (!st)
        st = agn_fn_call(out, agn_fn_n_out(d), d, x, agn_fn_n_in(d));
    agn_fn_release(d);
    agn_fn_release(f);
    return st;
}
RUN(attend_plus, slope_of_attention(out, g, x, true, 0))
RUN(attend_dot, slope_of_attention(out, g, x, false, 2))

/* messages by a function: products of rows of both ends and of the edge */
static agn_status multiply_rows(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)user;
    out[0] = ag_mul(s, ag_mul(s, in[0], in[1]), in[2]);
    return agn_scope_status(s);
}
static agn_status send_products(agn_tensor **out, const agn_graph *g, const agn_tensor *const *x)
{
    agn_fn *f = NULL;
    agn_status st = agn_fn_new(&f, multiply_rows, NULL, NULL, 3, 1);
    if (!st)
        st = agn_graph_mpnn(out, g, f, x[0], x[1], x[2], AGN_GEOMETRIC_SUM);
    agn_fn_release(f);
    return st;
}
RUN(messages, send_products(out, g, x))

/* ---- what they should give -------------------------------------------------------------------------- */

#define WANT(name) static void want_##name(const op_case *c, int dtype, wide *const *x, wide *y)
#define SUMS(name, message) \
    WANT(name) \
    { \
        (void)c, (void)dtype; \
        memset(y, 0, NODES * WIDTH * sizeof *y); \
        for (int e = 0; e < EDGES; e++) \
            for (int j = 0; j < WIDTH; j++) \
                y[to[e] * WIDTH + j] += message; \
    }
SUMS(copy, x[0][from[e] * WIDTH + j])
SUMS(add, x[0][from[e] * WIDTH + j] + x[1][e * WIDTH + j])
SUMS(mul, x[0][from[e] * WIDTH + j] * x[1][e * WIDTH + j])
SUMS(div, x[0][from[e] * WIDTH + j] / x[1][e * WIDTH + j])

SUMS(messages, x[0][from[e] * WIDTH + j] * x[1][to[e] * WIDTH + j] * x[2][e * WIDTH + j])

WANT(extreme)
{
    (void)c, (void)dtype;
    memset(y, 0, NODES * WIDTH * sizeof *y);
    for (int i = 0; i < NODES; i++)
        for (int j = 0; j < WIDTH; j++)
            for (int e = 0, n = 0; e < EDGES; e++) {
                wide m = x[0][from[e] * WIDTH + j] - x[1][e * WIDTH + j];
                if (to[e] == i && (!n++ || creall(m) > creall(y[i * WIDTH + j])))
                    y[i * WIDTH + j] = m;
            }
}
WANT(tie)
{
    (void)c, (void)dtype;
    memset(y, 0, NODES * WIDTH * sizeof *y);
    for (int i = 0; i < NODES; i++)
        for (int j = 0; j < WIDTH; j++) {
            int best = -1;
            for (int e = 0; e < EDGES; e++)
                if (to[e] == i && (best < 0 || creall(x[0][from[e] * WIDTH + j] * x[1][e * WIDTH + j]) >
                                                   creall(x[0][from[best] * WIDTH + j] * x[1][best * WIDTH + j])))
                    best = e;
            if (best >= 0)
                y[from[best] * WIDTH + j] += x[1][best * WIDTH + j] * x[2][i * WIDTH + j];
        }
}
WANT(softmax)
{
    (void)c, (void)dtype;
    for (int e = 0; e < EDGES; e++)
        for (int j = 0; j < WIDTH; j++) {
            long double sum = 0;
            for (int k = 0; k < EDGES; k++)
                if (to[k] == to[e])
                    sum += expl(creall(x[0][k * WIDTH + j]));
            y[e * WIDTH + j] = expl(creall(x[0][e * WIDTH + j])) / sum;
        }
}

/* the score and the weight of edge e, by terms of its ends */
static wide score(int e, const wide *u, const wide *v, const wide *p, const wide *t, wide *phi)
{
    wide z = 0;
    for (int j = 0; j < WIDTH; j++)
        z += u[from[e] * WIDTH + j] * p[j] + v[to[e] * WIDTH + j] * t[j];
    *phi = creall(z) > 0 ? 1 : (wide)slope;
    return *phi * z;
}
static wide weight(int e, const wide *u, const wide *v, const wide *p, const wide *t)
{
    wide sum = 0, phi;
    for (int k = 0; k < EDGES; k++)
        if (to[k] == to[e])
            sum += expl(creall(score(k, u, v, p, t, &phi)));
    return expl(creall(score(e, u, v, p, t, &phi))) / sum;
}
static void attended_rows(const wide *u, const wide *v, const wide *p, const wide *t, wide *y)
{
    memset(y, 0, NODES * WIDTH * sizeof *y);
    for (int e = 0; e < EDGES; e++)
        for (int j = 0; j < WIDTH; j++)
            y[to[e] * WIDTH + j] += weight(e, u, v, p, t) * u[from[e] * WIDTH + j];
}
WANT(attend)
{
    (void)c, (void)dtype;
    attended_rows(x[0], x[1], x[2], x[3], y);
}
WANT(attention)
{
    (void)c, (void)dtype;
    attended_rows(x[0], x[0], x[1], x[2], y);
}
/* d of w . y by the score of edge e: its weight times w . (u - y) */
static wide by_score(int e, const wide *u, const wide *v, const wide *p, const wide *t, const wide *w)
{
    wide y[NODES * WIDTH], sum = 0, phi;
    attended_rows(u, v, p, t, y);
    for (int j = 0; j < WIDTH; j++)
        sum += w[to[e] * WIDTH + j] * (u[from[e] * WIDTH + j] - y[to[e] * WIDTH + j]);
    score(e, u, v, p, t, &phi);
    return weight(e, u, v, p, t) * phi * sum;
}
WANT(attend_dot)
{
    (void)c, (void)dtype;
    memset(y, 0, WIDTH * sizeof *y);
    for (int e = 0; e < EDGES; e++)
        for (int j = 0; j < WIDTH; j++)
            y[j] += by_score(e, x[0], x[1], x[2], x[3], x[1]) * x[0][from[e] * WIDTH + j];
}
WANT(attend_plus)
{
    (void)c, (void)dtype;
    const wide *u = x[0], *p = x[1], *t = x[2], *w = x[3];
    memset(y, 0, NODES * WIDTH * sizeof *y);
    for (int e = 0; e < EDGES; e++)
        for (int j = 0; j < WIDTH; j++) {
            wide d = by_score(e, u, u, p, t, w);
            y[from[e] * WIDTH + j] += weight(e, u, u, p, t) * w[to[e] * WIDTH + j] + d * p[j];
            y[to[e] * WIDTH + j] += d * t[j];
        }
}

/* ---- the cases ---------------------------------------------------------------------------------------- */

#define NODE_ROWS {2, {NODES, WIDTH}}
#define EDGE_ROWS {2, {EDGES, WIDTH}}
#define HEAD_ROWS {3, {NODES, 1, WIDTH}}
#define HEAD_WEIGHTS {2, {1, WIDTH}}
#define CALL(name, on) .want = want_##name, .run = run_##name, .run_diff = on, .inner = true
const op_case cases_graph[] = {
    {"graph_copy", 1, "D", {NODE_ROWS}, NODE_ROWS, CALL(copy, 1)},
    {"graph_add", 2, "DD", {NODE_ROWS, EDGE_ROWS}, NODE_ROWS, CALL(add, 3)},
    {"graph_mul", 2, "DD", {NODE_ROWS, EDGE_ROWS}, NODE_ROWS, CALL(mul, 3)},
    {"graph_div", 2, "DD", {NODE_ROWS, EDGE_ROWS}, NODE_ROWS, CALL(div, 3)},
    {"graph_extreme", 2, "DD", {NODE_ROWS, EDGE_ROWS}, NODE_ROWS, CALL(extreme, 3)},
    {"graph_tie", 3, "DDD", {NODE_ROWS, EDGE_ROWS, NODE_ROWS}, NODE_ROWS, CALL(tie, 6)},
    {"graph_softmax", 1, "D", {EDGE_ROWS}, EDGE_ROWS, CALL(softmax, 1)},
    {"graph_attend", 4, "DDDD", {HEAD_ROWS, HEAD_ROWS, HEAD_WEIGHTS, HEAD_WEIGHTS}, HEAD_ROWS, CALL(attend, 15)},
    {"graph_attend_norm", 4, "DDDD", {HEAD_ROWS, HEAD_ROWS, HEAD_WEIGHTS, HEAD_WEIGHTS}, HEAD_ROWS, CALL(attend, 15)},
    {"graph_attend_dot", 4, "DDDD", {HEAD_ROWS, HEAD_ROWS, HEAD_WEIGHTS, HEAD_WEIGHTS}, HEAD_WEIGHTS,
     CALL(attend_dot, 15)},
    {"graph_attend_plus", 4, "DDDD", {HEAD_ROWS, HEAD_WEIGHTS, HEAD_WEIGHTS, HEAD_ROWS}, HEAD_ROWS,
     CALL(attend_plus, 15)},
    {"graph_attention", 3, "DDD", {HEAD_ROWS, HEAD_WEIGHTS, HEAD_WEIGHTS}, HEAD_ROWS, CALL(attention, 7)},
    {"graph_messages", 3, "DDD", {NODE_ROWS, NODE_ROWS, EDGE_ROWS}, NODE_ROWS, CALL(messages, 7)},
    {.op = NULL},
};
