/* geometric/segment/statistics.c - softmax, logsumexp, variance and standard deviation of the rows
   of each segment. Two passes: sums of exponentials are taken behind the largest, squares behind
   the mean (Chan, Golub and LeVeque 1983). */
#include "core/memory/scope.h"
#include "geometric/segment/segment.h"

#include <agnesi/ag.h>
#include <math.h>

static agn_graph *graph_of_ids(agn_scope *s, const char *op, const int64_t *to, int64_t m,
                               int64_t segments)
{
    agn_graph *g = NULL;
    segments = segments > 0 ? segments : agni_count_nodes(m, to);
    agn_scope_fail(s, agni_graph_make(&g, op, 1, segments, m, NULL, to));
    return g;
}

const agn_graph *agni_segment_graph(agn_scope *s, const char *op, const agn_tensor *x,
                                    const agn_tensor *ids, int64_t segments)
{
    int64_t m = 0;
    const int64_t *to = agni_read_integers(s, op, "ids", ids, &m);
    if (to && (x->ndim == 0 || x->shape[0] != m)) {
        agn_scope_fail(s, agni_fail(AGN_ESHAPE, "%s: x is %s, ids are %s: a row for each is needed",
                                    op, AGNI_SHAPE(x), AGNI_SHAPE(ids)));
        return NULL;
    }
    agn_graph *g = to ? graph_of_ids(s, op, to, m, segments) : NULL;
    return g && !agni_scope_adopt(s, &g->head) ? g : NULL;
}

agn_status agn_graph_from_segments(agn_graph **out, const agn_tensor *ids, int64_t segments)
{
    static const char op[] = "graph_from_segments";
    int64_t m = 0;
    AGNI_NEED(op, out);
    AGNI_NEED(op, ids);
    agn_scope *s = agn_scope_open(NULL);
    const int64_t *to = agni_read_integers(s, op, "ids", ids, &m);
    agn_graph *g = to ? graph_of_ids(s, op, to, m, segments) : NULL;
    agn_status st = agni_rename_error(op, agn_scope_close(s));
    if (!st)
        *out = g;
    else
        agn_graph_release(g);
    return st;
}

/* x in the dtype that sums of it are taken in */
static const agn_tensor *widen_dtype(agn_scope *s, const agn_tensor *x)
{
    bool real = agni_kind(x->dtype) == AGNI_KIND_FLOAT;
    return agni_cast(s, x, real ? agni_dtypes[x->dtype].wide : AGN_F64);
}
static const agn_tensor *narrow_dtype(agn_scope *s, const agn_tensor *y, const agn_tensor *x)
{
    return y && agni_kind(x->dtype) == AGNI_KIND_FLOAT ? agni_cast(s, y, x->dtype) : y;
}

static const agn_tensor *sum_rows(agn_scope *s, const agn_graph *g, const agn_tensor *x)
{
    return x ? agni_gspmm(s, g, NULL, x, AGN_MESSAGE_COPY, AGN_GEOMETRIC_SUM) : NULL;
}
/* x minus the row y of its segment */
static const agn_tensor *subtract_rows(agn_scope *s, const agn_graph *g, const agn_tensor *x,
                                       const agn_tensor *y)
{
    return x && y ? agni_gsddmm(s, g, x, AGN_GRAPH_EDGE, y, AGN_GRAPH_DST, AGN_MESSAGE_SUB) : NULL;
}

static const agn_tensor *log_sum_exp(agn_scope *s, const agn_graph *g, const agn_tensor *x)
{
    x = widen_dtype(s, x);
    const agn_tensor *top = x ? agni_gspmm(s, g, NULL, x, AGN_MESSAGE_COPY, AGN_GEOMETRIC_MAX)
                              : NULL;
    top = ag_stop_gradient(s, top); /* whatever it is, the result is the same */
    const agn_tensor *zero = top ? agni_full_like(s, 0, top) : NULL;
    top = ag_where(s, ag_isfinite(s, top), top, zero);
    const agn_tensor *sum = sum_rows(s, g, ag_exp(s, subtract_rows(s, g, x, top)));
    const agn_tensor *none = ag_eq(s, sum, zero);
    if (!none)
        return NULL;
    const agn_tensor *y = ag_log(s, ag_where(s, none, agni_full_like(s, 1, top), sum));
    return ag_where(s, none, agni_full_like(s, -(double)INFINITY, top), ag_add(s, y, top));
}

/* rows of each segment less correction, [segments, 1...]; NaN where that is not above 0 */
static const agn_tensor *count_divisor(agn_scope *s, const agn_graph *g, const agn_tensor *like,
                                       double correction)
{
    agn_tensor *count = NULL;
    int64_t shape[AGNI_MAX_RANK] = {g->n[AGN_GRAPH_DST]};
    agn_status st = agn_graph_degrees(&count, g, AGN_GRAPH_DST);
    const agn_tensor *n = agni_adopt_constant(s, st, count);
    for (int d = 1; d < like->ndim; d++)
        shape[d] = 1;
    n = n ? agni_cast(s, n, like->dtype) : NULL;
    n = n ? agni_reshape(s, n, like->ndim, shape) : NULL;
    n = n ? ag_add_c(s, n, -correction) : NULL;
    return n ? ag_where(s, ag_gt(s, n, agni_full_like(s, 0, n)), n,
                        agni_full_like(s, (double)NAN, n))
             : NULL;
}

/* x less the mean of its segment */
static const agn_tensor *subtract_mean(agn_scope *s, const agn_graph *g, const agn_tensor *x)
{
    x = widen_dtype(s, x);
    const agn_tensor *mean = agni_divide_by_degrees(s, g, sum_rows(s, g, x), AGN_GRAPH_DST);
    return subtract_rows(s, g, x, mean);
}

/* of rows less their mean */
static const agn_tensor *mean_square(agn_scope *s, const agn_graph *g, const agn_tensor *d,
                                     double correction)
{
    agni_at at = {&g->head, d ? d->ndim - 1 : 0};
    const agn_tensor *sum = d ? agni_graph_mul(s, at, d, AGN_GRAPH_EDGE, d, AGN_GRAPH_EDGE,
                                               AGN_GRAPH_DST, NULL)
                              : NULL;
    return sum ? ag_div(s, sum, count_divisor(s, g, sum, correction)) : NULL;
}

/* 1, or the largest of |d| in its segment where the square of that leaves the range (Blue 1978) */
static const agn_tensor *find_scale(agn_scope *s, const agn_graph *g, const agn_tensor *d)
{
    const agn_tensor *size = d ? ag_abs(s, d) : NULL, *top = NULL;
    if (size)
        top = agni_gspmm(s, g, NULL, size, AGN_MESSAGE_COPY, AGN_GEOMETRIC_MAX);
    top = ag_stop_gradient(s, top); /* whatever it is, the result is the same */
    if (!top)
        return NULL;
    bool f64 = top->dtype == AGN_F64;
    const agn_tensor *small = agni_full_like(s, f64 ? 1e-140 : 1e-14, top),
                     *large = agni_full_like(s, f64 ? 1e140 : 1e14, top),
                     *zero = agni_full_like(s, 0, top);
    const agn_tensor *out = ag_logical_or(s, ag_lt(s, top, small), ag_gt(s, top, large));
    out = ag_logical_and(s, ag_logical_and(s, out, ag_gt(s, top, zero)), ag_isfinite(s, top));
    return ag_where(s, out, top, agni_full_like(s, 1, top));
}

/* with a slope of 0 at 0 */
static const agn_tensor *segment_deviation(agn_scope *s, const agn_graph *g, const agn_tensor *x,
                                           double correction)
{
    const agn_tensor *d = subtract_mean(s, g, x), *scale = find_scale(s, g, d);
    agni_at at = {&g->head, d ? d->ndim - 1 : 0};
    if (scale)
        d = agni_graph_div(s, at, d, AGN_GRAPH_EDGE, scale, AGN_GRAPH_DST, AGN_GRAPH_EDGE);
    const agn_tensor *v = scale ? mean_square(s, g, d, correction) : NULL;
    const agn_tensor *zero = v ? agni_full_like(s, 0, v) : NULL, *none = ag_eq(s, v, zero);
    return none ? ag_where(s, none, zero,
                           ag_mul(s, scale,
                                  ag_sqrt(s, ag_where(s, none, agni_full_like(s, 1, v), v))))
                : NULL;
}

/* Behind the largest of its segment each row less the logarithm of a sum that is 1 or more: large
   rows lose nothing. NaN where softmax is. */
static const agn_tensor *log_softmax(agn_scope *s, const agn_graph *g, const agn_tensor *x)
{
    x = widen_dtype(s, x);
    const agn_tensor *top = x ? agni_gspmm(s, g, NULL, x, AGN_MESSAGE_COPY, AGN_GEOMETRIC_MAX)
                              : NULL;
    x = subtract_rows(s, g, x, ag_stop_gradient(s, top));
    const agn_tensor *sum = x ? sum_rows(s, g, ag_exp(s, x)) : NULL;
    const agn_tensor *none = sum ? ag_eq(s, sum, agni_full_like(s, 0, sum)) : NULL;
    return none ? subtract_rows(s, g, x,
                                ag_log(s, ag_where(s, none, agni_full_like(s, 1, sum), sum)))
                : NULL;
}

enum { SOFTMAX, LOG_SOFTMAX, LOGSUMEXP, VAR, STD };

static agn_status check_values(const char *op, const agn_tensor *x, double correction)
{
    agn_status st = agni_require_dense(x, op);
    if (!st && agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        st = agni_fail(AGN_EDTYPE, "%s: x is %s, a real dtype is needed", op,
                       agni_dtypes[x->dtype].name);
    if (!st && !(fabs(correction) < (double)INFINITY))
        st = agni_fail(AGN_EDOMAIN, "%s: correction %g is not finite", op, correction);
    return st;
}

static const agn_tensor *apply_to(agn_scope *s, const agn_graph *g, const agn_tensor *x, int what,
                                  double correction)
{
    switch (what) {
    case SOFTMAX: return agni_graph_softmax(s, (agni_at){&g->head, x->ndim - 1}, x, AGN_GRAPH_DST);
    case LOG_SOFTMAX: return narrow_dtype(s, log_softmax(s, g, x), x);
    case LOGSUMEXP: return narrow_dtype(s, log_sum_exp(s, g, x), x);
    case VAR: return narrow_dtype(s, mean_square(s, g, subtract_mean(s, g, x), correction), x);
    default: return narrow_dtype(s, segment_deviation(s, g, x, correction), x);
    }
}

static agn_status of_segments(const char *op, agn_tensor **out, const agn_tensor *x,
                              const agn_tensor *ids, int64_t segments, int what, double correction)
{
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    AGNI_NEED(op, ids);
    agn_status st = check_values(op, x, correction);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_graph *g = agni_segment_graph(s, op, x, ids, segments);
    return agni_return(op, s, out, g ? apply_to(s, g, x, what, correction) : NULL);
}

static agn_status of_edges(const char *op, agn_tensor **out, const agn_graph *g,
                           const agn_tensor *x, int what, double correction)
{
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, x);
    agn_status st = check_values(op, x, correction);
    if (!st)
        st = agni_check_rows(op, "x", x, g->edges);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    return agni_return(op, s, out, apply_to(s, g, x, what, correction));
}

agn_status agn_geometric_segment_softmax(agn_tensor **out, const agn_tensor *x,
                                         const agn_tensor *ids)
{
    return of_segments("geometric_segment_softmax", out, x, ids, 0, SOFTMAX, 0);
}

agn_status agn_geometric_segment_logsumexp(agn_tensor **out, const agn_tensor *x,
                                           const agn_tensor *ids, int64_t segments)
{
    return of_segments("geometric_segment_logsumexp", out, x, ids, segments, LOGSUMEXP, 0);
}

agn_status agn_geometric_segment_var(agn_tensor **out, const agn_tensor *x, const agn_tensor *ids,
                                     int64_t segments, double correction)
{
    return of_segments("geometric_segment_var", out, x, ids, segments, VAR, correction);
}

agn_status agn_geometric_segment_std(agn_tensor **out, const agn_tensor *x, const agn_tensor *ids,
                                     int64_t segments, double correction)
{
    return of_segments("geometric_segment_std", out, x, ids, segments, STD, correction);
}

agn_status agn_geometric_segment_log_softmax(agn_tensor **out, const agn_tensor *x,
                                             const agn_tensor *ids)
{
    return of_segments("geometric_segment_log_softmax", out, x, ids, 0, LOG_SOFTMAX, 0);
}

agn_status agn_graph_edge_logsumexp(agn_tensor **out, const agn_graph *g, const agn_tensor *x)
{
    return of_edges("graph_edge_logsumexp", out, g, x, LOGSUMEXP, 0);
}

agn_status agn_graph_edge_var(agn_tensor **out, const agn_graph *g, const agn_tensor *x,
                              double correction)
{
    return of_edges("graph_edge_var", out, g, x, VAR, correction);
}

agn_status agn_graph_edge_std(agn_tensor **out, const agn_graph *g, const agn_tensor *x,
                              double correction)
{
    return of_edges("graph_edge_std", out, g, x, STD, correction);
}
