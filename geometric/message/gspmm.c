/* geometric/message/gspmm.c - generalised SpMM and SDDMM over a graph (Wang et al. 2019, Deep Graph
   Library), and softmax over the edges of a node. */
#include "geometric/message/message.h"

#include <agnesi/ag.h>
#include <string.h>

/* ---- checks --------------------------------------------------------------------------------- */

agn_status agni_check_rows(const char *op, const char *what, const agn_tensor *x, int64_t n)
{
    agn_status st = agni_require_dense(x, op);
    if (!st && (x->ndim == 0 || x->shape[0] != n))
        st = agni_fail(AGN_ESHAPE, "%s: %s is %s, %lld rows are needed", op, what, AGNI_SHAPE(x),
                       (long long)n);
    if (!st && agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        st = agni_fail(AGN_EDTYPE, "%s: %s is %s, a real dtype is needed", op, what,
                       agni_dtypes[x->dtype].name);
    return st;
}

agn_status agni_check_reduction(const char *op, int32_t reduce)
{
    return reduce >= 0 && reduce < AGNI_GEOMETRIC_REDUCTIONS
               ? AGN_OK
               : agni_fail(AGN_EARG, "%s: reduce %d is none of 0 to %d", op, reduce,
                           AGNI_GEOMETRIC_REDUCTIONS - 1);
}

agn_status agni_check_message(const char *op, int32_t message, int32_t first, int32_t last)
{
    return message >= first && message <= last
               ? AGN_OK
               : agni_fail(AGN_EARG, "%s: message %d is none of %d to %d", op, message, first,
                           last);
}

const agn_tensor *agni_lift_features(agn_scope *s, const agn_tensor *x, int features)
{
    int64_t shape[AGNI_MAX_RANK];
    int own = x ? x->ndim - 1 : 0;
    if (!x || own >= features)
        return x;
    shape[0] = x->shape[0];
    for (int d = 0; d < features; d++)
        shape[1 + d] = d < features - own ? 1 : x->shape[1 + d - (features - own)];
    return agni_reshape(s, x, 1 + features, shape);
}

/* ---- gSpMM ---------------------------------------------------------------------------------- */

const agn_tensor *agni_divide_by_degrees(agn_scope *s, const agn_graph *g, const agn_tensor *y,
                                         int32_t side)
{
    agn_tensor *count = NULL;
    if (!y)
        return NULL;
    agn_status st = agn_graph_degrees(&count, g, side);
    int dtype = agni_kind(y->dtype) <= AGNI_KIND_INT ? AGN_F64 : agni_dtypes[y->dtype].real;
    const agn_tensor *n = agni_adopt_constant(s, st, count);
    int64_t shape[AGNI_MAX_RANK] = {g->n[side]};
    for (int d = 1; d < y->ndim; d++)
        shape[d] = 1;
    n = n ? agni_cast(s, ag_maximum_c(s, n, 1), dtype) : NULL;
    n = n ? agni_reshape(s, n, y->ndim, shape) : NULL;
    return n ? ag_div(s, y, n) : NULL;
}

static const agn_tensor *sum_messages(agn_scope *s, agni_at g, const agn_tensor *a, int64_t at_a,
                                      const agn_tensor *b, int64_t at_b, int32_t message)
{
    switch (message) {
    case AGN_MESSAGE_ADD:
    case AGN_MESSAGE_SUB:
        return agni_graph_add(s, g, a, at_a, b, at_b, AGN_GRAPH_DST, message == AGN_MESSAGE_SUB);
    case AGN_MESSAGE_MUL: return agni_graph_mul(s, g, a, at_a, b, at_b, AGN_GRAPH_DST, NULL);
    case AGN_MESSAGE_DIV: return agni_graph_div(s, g, a, at_a, b, at_b, AGN_GRAPH_DST);
    default: return agni_graph_copy(s, g, a, at_a, AGN_GRAPH_DST);
    }
}

const agn_tensor *agni_reduce_messages(agn_scope *s, const agn_graph *g, const agn_tensor *a,
                                       int64_t at_a, const agn_tensor *b, int64_t at_b,
                                       int32_t message, int32_t reduce)
{
    int features = a->ndim - 1, narrow = a->dtype;
    bool two = b != NULL;
    if (two) {
        features = b->ndim - 1 > features ? b->ndim - 1 : features;
        narrow = agni_promote(a->dtype, b->dtype);
        b = agni_lift_features(s, b, features);
    }
    a = agni_lift_features(s, a, features);
    agni_at at = {&g->head, features};
    if (!a || (two && !b))
        return NULL;
    if (reduce == AGN_GEOMETRIC_MAX || reduce == AGN_GEOMETRIC_MIN) {
        if (message == AGN_MESSAGE_DIV && agni_kind(narrow) <= AGNI_KIND_INT)
            a = agni_cast(s, a, AGN_F64); /* quotients are real */
        return a ? agni_graph_extreme(s, at, a, at_a, b ? b : a, b ? at_b : at_a, AGN_GRAPH_DST,
                                      message, reduce == AGN_GEOMETRIC_MAX)
                 : NULL;
    }
    if (reduce == AGN_GEOMETRIC_SUM)
        return sum_messages(s, at, a, at_a, b, at_b, message);
    /* a sum of many integers, or numbers of 16 bits, leaves their range, their mean does not */
    bool real = agni_kind(narrow) == AGNI_KIND_FLOAT;
    int wide = real ? agni_dtypes[narrow].wide : AGN_F64;
    if (wide != narrow) {
        a = agni_cast(s, a, wide);
        b = b && a ? agni_cast(s, b, wide) : b;
    }
    const agn_tensor *y = a && (!two || b) ? sum_messages(s, at, a, at_a, b, at_b, message) : NULL;
    y = agni_divide_by_degrees(s, g, y, AGN_GRAPH_DST);
    return y && real && wide != narrow ? agni_cast(s, y, narrow) : y;
}

const agn_tensor *agni_gspmm(agn_scope *s, const agn_graph *g, const agn_tensor *u,
                             const agn_tensor *e, int32_t message, int32_t reduce)
{
    return u ? agni_reduce_messages(s, g, u, AGN_GRAPH_SRC, e, AGN_GRAPH_EDGE, message, reduce)
             : agni_reduce_messages(s, g, e, AGN_GRAPH_EDGE, NULL, AGN_GRAPH_EDGE, message, reduce);
}

agn_status agn_graph_gspmm(agn_tensor **out, const agn_graph *g, const agn_tensor *u,
                           const agn_tensor *e, int32_t message, int32_t reduce)
{
    static const char op[] = "graph_gspmm";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED_ALL(op, u || e, "u, and e too,");
    agn_status st = agni_check_message(op, message, AGN_MESSAGE_COPY, AGN_MESSAGE_DIV);
    if (!st)
        st = agni_check_reduction(op, reduce);
    if (!st && (message == AGN_MESSAGE_COPY) != (!u || !e))
        st = agni_fail(AGN_EARG, "%s: message %d takes %s", op, message,
                       u && e ? "one of u and e, both were given" : "u and e, one of them is NULL");
    if (!st && u)
        st = agni_check_rows(op, "u", u, g->n[AGN_GRAPH_SRC]);
    if (!st && e)
        st = agni_check_rows(op, "e", e, g->edges);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    return agni_return(op, s, out, agni_gspmm(s, g, u, e, message, reduce));
}

/* ---- gSDDMM --------------------------------------------------------------------------------- */

const agn_tensor *agni_gsddmm(agn_scope *s, const agn_graph *g, const agn_tensor *a, int32_t side_a,
                              const agn_tensor *b, int32_t side_b, int32_t message)
{
    int features = a->ndim - 1;
    if (b)
        features = b->ndim - 1 > features ? b->ndim - 1 : features;
    agni_at at = {&g->head, features};
    int64_t sums[AGNI_MAX_RANK] = {0};
    a = agni_lift_features(s, a, features);
    b = b ? agni_lift_features(s, b, features) : NULL;
    if (!a || (message != AGN_MESSAGE_COPY && !b))
        return NULL;
    switch (message) {
    case AGN_MESSAGE_ADD:
    case AGN_MESSAGE_SUB:
        return agni_graph_add(s, at, a, side_a, b, side_b, AGN_GRAPH_EDGE,
                              message == AGN_MESSAGE_SUB);
    case AGN_MESSAGE_DIV: return agni_graph_div(s, at, a, side_a, b, side_b, AGN_GRAPH_EDGE);
    case AGN_MESSAGE_MUL:
    case AGN_MESSAGE_DOT:
        if (message == AGN_MESSAGE_DOT)
            sums[features - 1] = 1;
        return agni_graph_mul(s, at, a, side_a, b, side_b, AGN_GRAPH_EDGE, sums);
    default: return agni_graph_copy(s, at, a, side_a, AGN_GRAPH_EDGE);
    }
}

static agn_status check_side(const char *op, int32_t side, int32_t last)
{
    return side >= 0 && side <= last
               ? AGN_OK
               : agni_fail(AGN_EARG, "%s: side %d is none of 0 to %d", op, side, last);
}

agn_status agn_graph_gsddmm(agn_tensor **out, const agn_graph *g, const agn_tensor *a,
                            int32_t side_a, const agn_tensor *b, int32_t side_b, int32_t message)
{
    static const char op[] = "graph_gsddmm";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, a);
    AGNI_NEED_ALL(op, b || message == AGN_MESSAGE_COPY, "b");
    agn_status st = agni_check_message(op, message, AGN_MESSAGE_COPY, AGN_MESSAGE_DOT);
    if (!st)
        st = check_side(op, side_a, AGN_GRAPH_EDGE);
    if (!st && b)
        st = check_side(op, side_b, AGN_GRAPH_EDGE);
    if (!st)
        st = agni_check_rows(op, "a", a, agni_graph_count(g, side_a));
    if (!st && b)
        st = agni_check_rows(op, "b", b, agni_graph_count(g, side_b));
    if (!st && message == AGN_MESSAGE_DOT && a->ndim == 1 && b->ndim == 1)
        st = agni_fail(AGN_ESHAPE, "%s: a is %s and b %s, an axis to sum over is needed", op,
                       AGNI_SHAPE(a), AGNI_SHAPE(b));
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    return agni_return(op, s, out, agni_gsddmm(s, g, a, side_a, b, side_b, message));
}

agn_status agn_graph_edge_softmax(agn_tensor **out, const agn_graph *g, const agn_tensor *x,
                                  int32_t side)
{
    static const char op[] = "graph_edge_softmax";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, x);
    agn_status st = check_side(op, side, AGN_GRAPH_DST);
    if (!st)
        st = agni_check_rows(op, "x", x, g->edges);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    return agni_return(op, s, out,
                       agni_graph_softmax(s, (agni_at){&g->head, x->ndim - 1}, x, side));
}
