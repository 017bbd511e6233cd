/* geometric/layers/modulation.c - messages that rows of their edge shift (GINE: Hu et al. 2020) or
   rows of the node they reach scale and shift (FiLM: Brockschmidt 2020). */
#include "geometric/blocks/messages.h"
#include "geometric/layers/layers.h"

#include <agnesi/ag.h>

agn_status agni_check_row_shapes(const char *op, const char *what, const agn_tensor *y,
                                 const agn_tensor *x)
{
    bool same = y->ndim == x->ndim;
    for (int d = 1; same && d < x->ndim; d++)
        same = y->shape[d] == x->shape[d];
    return same ? AGN_OK
                : agni_fail(AGN_ESHAPE, "%s: %s is %s, rows of %s are needed", op, what,
                            AGNI_SHAPE(y), AGNI_SHAPE(x));
}

static agn_status shift_body(void *user, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    (void)user;
    out[0] = ag_relu(s, ag_add(s, in[0], in[1]));
    return agn_scope_status(s);
}

agn_status agn_graph_gine(agn_tensor **out, const agn_graph *g, const agn_tensor *x,
                          const agn_tensor *rows, const agn_tensor *eps)
{
    static const char op[] = "graph_gine";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, x);
    AGNI_NEED(op, rows);
    agn_status st = agni_check_one_kind(op, g);
    if (!st)
        st = agni_check_rows(op, "x", x, g->n[AGN_GRAPH_SRC]);
    if (!st)
        st = agni_check_rows(op, "rows", rows, g->edges);
    if (!st)
        st = agni_check_row_shapes(op, "rows", rows, x);
    if (!st)
        st = agni_check_layer_number(op, "eps", eps);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *v = agni_cast(s, x, agni_layer_dtype(x)),
                     *e = v ? agni_cast(s, rows, v->dtype) : NULL, *y = NULL;
    agni_messages m = {.g = g,
                       .body = {shift_body, NULL},
                       .n = 2,
                       .n_out = 1,
                       .in = {v, e},
                       .side = {AGN_GRAPH_SRC, AGN_GRAPH_EDGE},
                       .target = {AGN_GRAPH_DST}};
    if (e)
        agni_run_messages(s, &m, &y);
    y = ag_add(s, y, v);
    if (eps)
        y = ag_add(s, y, ag_mul(s, v, eps));
    return agni_return(op, s, out, y);
}

static agn_status scale_body(void *user, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    (void)user;
    out[0] = ag_relu(s, ag_add(s, ag_mul(s, in[0], in[1]), in[2]));
    return agn_scope_status(s);
}

agn_status agn_graph_film(agn_tensor **out, const agn_graph *g, const agn_tensor *u,
                          const agn_tensor *gamma, const agn_tensor *beta, int32_t reduce)
{
    static const char op[] = "graph_film";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, u);
    AGNI_NEED(op, gamma);
    AGNI_NEED(op, beta);
    agn_status st = agni_check_reduction(op, reduce);
    if (!st)
        st = agni_check_rows(op, "u", u, g->n[AGN_GRAPH_SRC]);
    if (!st)
        st = agni_check_rows(op, "gamma", gamma, g->n[AGN_GRAPH_DST]);
    if (!st)
        st = agni_check_rows(op, "beta", beta, g->n[AGN_GRAPH_DST]);
    if (!st)
        st = agni_check_row_shapes(op, "gamma", gamma, u);
    if (!st)
        st = agni_check_row_shapes(op, "beta", beta, u);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    int dtype = agni_layer_dtype(u);
    agni_messages m = {
        .g = g,
        .body = {scale_body, NULL},
        .n = 3,
        .n_out = 1,
        .in = {agni_cast(s, u, dtype), agni_cast(s, gamma, dtype), agni_cast(s, beta, dtype)},
        .side = {AGN_GRAPH_SRC, AGN_GRAPH_DST, AGN_GRAPH_DST},
        .target = {agni_reduction_targets[reduce]}};
    const agn_tensor *y = NULL;
    if (!agn_scope_status(s))
        agni_run_messages(s, &m, &y);
    return agni_return(op, s, out, y);
}
