/* geometric/segment/quantile.c - quantiles of the rows of each segment, by a stable sort of values
   and then of segments; between two values on the line through them (Hyndman and Fan 1996, their
   seventh). */
#include "geometric/segment/segment.h"

#include <agnesi/ag.h>
#include <math.h>

/* Of each segment where its rows begin, which two of them in order are met, and how far the result
   is from the first. */
typedef struct places {
    int64_t *lo, *hi;
    double *t;
    bool *none, *exact;
} places;

static void find_places(places *p, const agn_graph *g, double q)
{
    int64_t n = g->n[AGN_GRAPH_DST], at = 0;
    for (int64_t i = 0; i < n; i++)
        p->lo[i] = 0;
    for (int64_t k = 0; k < g->edges; k++)
        p->lo[agni_graph_end(g, AGN_GRAPH_DST, k)]++;
    for (int64_t i = 0; i < n; i++) {
        int64_t rows = p->lo[i];
        double where = rows ? q * (double)(rows - 1) : 0;
        int64_t first = (int64_t)floor(where);
        p->none[i] = rows == 0;
        p->t[i] = where - (double)first;
        p->exact[i] = p->t[i] == 0;
        p->lo[i] = rows ? at + first : 0;
        p->hi[i] = rows ? at + first + !p->exact[i] : 0;
        at += rows;
    }
}

/* one element a segment, to go with the rows of x */
static const agn_tensor *make_column(agn_scope *s, int dtype, int64_t n, const void *v,
                                     const agn_tensor *x)
{
    int64_t shape[AGNI_MAX_RANK] = {n};
    for (int d = 1; d < x->ndim; d++)
        shape[d] = 1;
    return agni_beside(s, ag_from_host(s, dtype, x->ndim, shape, v), x);
}

static const agn_tensor *make_rows(agn_scope *s, int64_t n, const int64_t *v, const agn_tensor *x)
{
    return agni_beside(s, ag_from_host(s, AGN_I64, 1, &n, v), x);
}

/* rows in the order of their segments, and of values within these; each column for itself */
static const agn_tensor *sort_rows(agn_scope *s, const agn_tensor *x, const agn_tensor *ids)
{
    const agn_tensor *by_value = ag_argsort(s, x, 0, false), *id = NULL, *order = NULL;
    if (by_value)
        id = ag_gather(s, agni_cast(s, ids, AGN_I64), by_value, 0);
    if (id) /* stable: of one segment the order of values stays */
        order = ag_take_along_axis(s, by_value, ag_argsort(s, id, 0, false), 0);
    return order ? ag_take_along_axis(s, x, order, 0) : NULL;
}

static const agn_tensor *take_quantile(agn_scope *s, const agn_graph *g, const agn_tensor *x,
                                       const agn_tensor *ids, const places *p)
{
    int64_t n = g->n[AGN_GRAPH_DST];
    const agn_tensor *nan = agni_full(s, (double)NAN, x->dtype, 0, NULL);
    if (!g->edges || !nan)
        return nan ? ag_add(s, nan,
                            ag_graph_gspmm(s, g, NULL, x, AGN_MESSAGE_COPY, AGN_GEOMETRIC_SUM))
                   : NULL;
    const agn_tensor *rows = sort_rows(s, x, ids);
    const agn_tensor *most = rows ? agni_gspmm(s, g, NULL, x, AGN_MESSAGE_COPY, AGN_GEOMETRIC_MAX)
                                  : NULL;
    if (!most)
        return NULL;
    const agn_tensor *lo = ag_gather(s, rows, make_rows(s, n, p->lo, x), 0);
    const agn_tensor *hi = ag_gather(s, rows, make_rows(s, n, p->hi, x), 0);
    const agn_tensor *t = agni_cast(s, make_column(s, AGN_F64, n, p->t, x), x->dtype);
    const agn_tensor *far = ag_sub(s, hi, lo), *one = agni_full(s, 1, x->dtype, 0, NULL);
    const agn_tensor *between = one ? ag_where(s, ag_isfinite(s, far),
                                               ag_add(s, lo, ag_mul(s, far, t)),
                                               ag_add(s, ag_mul(s, lo, ag_sub(s, one, t)),
                                                      ag_mul(s, hi, t)))
                                    : NULL;
    const agn_tensor *y = ag_where(s, make_column(s, AGN_BOOL, n, p->exact, x), lo, between);
    y = ag_where(s, ag_isnan(s, most), most, y); /* NaN wins */
    return ag_where(s, make_column(s, AGN_BOOL, n, p->none, x), nan, y);
}

agn_status agn_geometric_segment_quantile(agn_tensor **out, const agn_tensor *x,
                                          const agn_tensor *ids, int64_t segments, double q)
{
    static const char op[] = "geometric_segment_quantile";
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    AGNI_NEED(op, ids);
    if (!(q >= 0 && q <= 1))
        return agni_fail(AGN_EDOMAIN, "%s: q is %g, not in [0, 1]", op, q);
    agn_status st = agni_require_dense(x, op);
    if (!st && agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        st = agni_fail(AGN_EDTYPE, "%s: x is %s, a real dtype is needed", op,
                       agni_dtypes[x->dtype].name);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_graph *g = agni_segment_graph(s, op, x, ids, segments);
    int64_t n = g ? g->n[AGN_GRAPH_DST] : 0;
    places p = {0};
    char *room = g ? agni_alloc((size_t)(n + 1) * (3 * sizeof(int64_t) + 2)) : NULL;
    if (g && !room)
        agn_scope_fail(s, agni_nomem(op, (size_t)n * 26));
    const agn_tensor *y = NULL;
    if (room) {
        p.lo = (int64_t *)(void *)room;
        p.hi = p.lo + n + 1;
        p.t = (double *)(void *)(p.hi + n + 1);
        p.none = (bool *)(p.t + n + 1);
        p.exact = p.none + n + 1;
        find_places(&p, g, q);
        bool real = agni_kind(x->dtype) == AGNI_KIND_FLOAT;
        const agn_tensor *wide = agni_cast(s, x, real ? agni_dtypes[x->dtype].wide : AGN_F64);
        y = wide ? take_quantile(s, g, wide, ids, &p) : NULL;
        y = y && real ? agni_cast(s, y, x->dtype) : y;
    }
    agni_free(room);
    return agni_return(op, s, out, y);
}
