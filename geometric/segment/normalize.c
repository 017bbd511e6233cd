/* geometric/segment/normalize.c - normalisation of the rows of each graph of a batch: GraphNorm
   (Cai et al. 2021) and PairNorm (Zhao and Akoglu 2020). */
#include "geometric/segment/segment.h"

#include <agnesi/ag.h>
#include <math.h>

/* means over the rows of each segment, and one of them for each row */
static const agn_tensor *average_rows(agn_scope *s, const agn_graph *g, const agn_tensor *x)
{
    return x ? agni_gspmm(s, g, NULL, x, AGN_MESSAGE_COPY, AGN_GEOMETRIC_MEAN) : NULL;
}
static const agn_tensor *spread_rows(agn_scope *s, const agn_graph *g, const agn_tensor *y)
{
    return y ? agni_gsddmm(s, g, y, AGN_GRAPH_DST, NULL, AGN_GRAPH_EDGE, AGN_MESSAGE_COPY) : NULL;
}

/* 1 / sqrt(v + eps); NaN where squares have left the numbers: 0 would be no scale of any row */
static const agn_tensor *invert_root(agn_scope *s, const agn_tensor *v, double eps)
{
    const agn_tensor *nan = v ? agni_full_like(s, (double)NAN, v) : NULL;
    return nan ? ag_rsqrt(s, ag_add_c(s, ag_where(s, ag_isinf(s, v), nan, v), eps)) : NULL;
}

static agn_status check_rows_of_numbers(const char *op, const agn_tensor *x, double eps)
{
    agn_status st = agni_require_dense(x, op);
    if (!st && agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        st = agni_fail(AGN_EDTYPE, "%s: x is %s, a real dtype is needed", op,
                       agni_dtypes[x->dtype].name);
    if (!st && x->ndim != 2)
        st = agni_fail(AGN_ESHAPE, "%s: x is %s with %d axes, two are needed", op, AGNI_SHAPE(x),
                       x->ndim);
    if (!st && !(eps > 0))
        st = agni_fail(AGN_EDOMAIN, "%s: eps is %g, not above 0", op, eps);
    return st;
}

static agn_status check_column_factor(const char *op, const char *what, const agn_tensor *w,
                                      const agn_tensor *x)
{
    agn_status st = w ? agni_require_dense(w, op) : AGN_OK;
    if (!st && w && agni_kind(w->dtype) == AGNI_KIND_COMPLEX)
        st = agni_fail(AGN_EDTYPE, "%s: %s is %s, a real dtype is needed", op, what,
                       agni_dtypes[w->dtype].name);
    if (!st && w && (w->ndim != 1 || w->shape[0] != x->shape[1]))
        st = agni_fail(AGN_ESHAPE, "%s: %s is %s, x is %s: a number for each column is needed", op,
                       what, AGNI_SHAPE(w), AGNI_SHAPE(x));
    return st;
}

agn_status agn_geometric_graph_norm(agn_tensor **out, const agn_tensor *x, const agn_tensor *ids,
                                    const agn_tensor *alpha, const agn_tensor *gamma,
                                    const agn_tensor *beta, double eps)
{
    static const char op[] = "geometric_graph_norm";
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    AGNI_NEED(op, ids);
    agn_status st = check_rows_of_numbers(op, x, eps);
    if (!st)
        st = check_column_factor(op, "alpha", alpha, x);
    if (!st)
        st = check_column_factor(op, "gamma", gamma, x);
    if (!st)
        st = check_column_factor(op, "beta", beta, x);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_graph *g = agni_segment_graph(s, op, x, ids, 0);
    const agn_tensor *y = NULL;
    if (g) {
        bool real = agni_kind(x->dtype) == AGNI_KIND_FLOAT;
        const agn_tensor *wide = agni_cast(s, x, real ? agni_dtypes[x->dtype].wide : AGN_F64);
        const agn_tensor *mean = average_rows(s, g, wide);
        if (alpha)
            mean = ag_mul(s, mean, alpha);
        const agn_tensor *apart = ag_sub(s, wide, spread_rows(s, g, mean));
        const agn_tensor *var = average_rows(s, g, ag_square(s, apart));
        y = ag_mul(s, apart, spread_rows(s, g, invert_root(s, var, eps)));
        if (gamma)
            y = ag_mul(s, y, gamma);
        if (beta)
            y = ag_add(s, y, beta);
        y = y && real ? agni_cast(s, y, x->dtype) : y;
    }
    return agni_return(op, s, out, y);
}

agn_status agn_geometric_pair_norm(agn_tensor **out, const agn_tensor *x, const agn_tensor *ids,
                                   double scale, bool each, double eps)
{
    static const char op[] = "geometric_pair_norm";
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    AGNI_NEED(op, ids);
    agn_status st = check_rows_of_numbers(op, x, eps);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_graph *g = agni_segment_graph(s, op, x, ids, 0);
    const agn_tensor *y = NULL;
    if (g) {
        bool real = agni_kind(x->dtype) == AGNI_KIND_FLOAT;
        const agn_tensor *wide = agni_cast(s, x, real ? agni_dtypes[x->dtype].wide : AGN_F64);
        const agn_tensor *apart = ag_sub(s, wide, spread_rows(s, g, average_rows(s, g, wide))),
                         *two = ag_square(s, apart);
        two = two ? agni_sum_axes(s, two, 1, (int64_t[]){-1}, true) : NULL;
        if (!each) /* of all rows of a graph together */
            two = spread_rows(s, g, average_rows(s, g, two));
        y = ag_mul_c(s, ag_mul(s, apart, invert_root(s, two, eps)), scale);
        y = y && real ? agni_cast(s, y, x->dtype) : y;
    }
    return agni_return(op, s, out, y);
}
