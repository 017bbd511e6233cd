/* geometric/layers/directions.c - what directional message passing needs: angles of pairs of edges
   (by Kahan's formula, Kahan 2006), radial Bessel functions under an envelope and Legendre
   polynomials (Gasteiger, Gross and Gunnemann 2020). */
#include "tensor/create/constants.h"
#include "geometric/layers/layers.h"

#include <agnesi/ag.h>
#include <agnesi/geometric_networks.h>
#include <math.h>

static const agn_tensor *take_norms(agn_scope *s, const agn_tensor *x)
{
    const agn_tensor *two = ag_square(s, x);
    return two ? ag_sqrt(s, agni_sum_axes(s, two, 1, (int64_t[]){-1}, true)) : NULL;
}

/* Each row over its largest number, whose square has a number where those of the row may have none.
   Angles do not change, so that divisor counts as a constant. */
static const agn_tensor *scale_rows(agn_scope *s, const agn_tensor *x)
{
    const int32_t last = -1;
    if (!x || x->shape[1] == 0)
        return x;
    const agn_tensor *most = ag_stop_gradient(s, ag_amax(s, ag_abs(s, x), &last, 1, true));
    const agn_tensor *zero = most ? agni_full_like(s, 0, most) : NULL;
    const agn_tensor *none = zero ? ag_eq(s, most, zero) : NULL;
    return none ? ag_div(s, x, ag_where(s, none, agni_full_like(s, 1, most), most)) : NULL;
}

agn_status agn_graph_angles(agn_tensor **out, const agn_graph *line, const agn_graph *g,
                            const agn_tensor *x)
{
    static const char op[] = "graph_angles";
    AGNI_NEED(op, out);
    AGNI_NEED(op, line);
    AGNI_NEED(op, g);
    AGNI_NEED(op, x);
    agn_status st = agni_check_one_kind(op, g);
    if (!st && (line->n[AGN_GRAPH_SRC] != g->edges || line->n[AGN_GRAPH_DST] != g->edges))
        st = agni_fail(AGN_EARG, "%s: line has %lld and %lld nodes, g has %lld edges", op,
                       (long long)line->n[AGN_GRAPH_SRC], (long long)line->n[AGN_GRAPH_DST],
                       (long long)g->edges);
    if (!st)
        st = agni_check_node_rows(op, "x", x, g->n[AGN_GRAPH_SRC]);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = agni_cast(s, x, agni_layer_dtype(x)), *p = NULL, *q = NULL;
    const agn_tensor *back = y ? agni_gsddmm(s, g, y, AGN_GRAPH_SRC, y, AGN_GRAPH_DST,
                                             AGN_MESSAGE_SUB)
                               : NULL;
    back = scale_rows(s, back);
    back = back ? ag_div(s, back, take_norms(s, back)) : NULL; /* from the end of an edge to its beginning */
    const agn_tensor *on = back ? ag_neg(s, back) : NULL;
    if (on) {
        p = agni_gsddmm(s, line, back, AGN_GRAPH_SRC, on, AGN_GRAPH_DST, AGN_MESSAGE_SUB);
        q = agni_gsddmm(s, line, back, AGN_GRAPH_SRC, on, AGN_GRAPH_DST, AGN_MESSAGE_ADD);
    }
    y = p && q ? ag_mul_c(s, ag_atan2(s, take_norms(s, p), take_norms(s, q)), 2) : NULL;
    return agni_return(op, s, out, y ? agni_reshape(s, y, 1, &line->edges) : NULL);
}

/* 1 at 0, and 0 with two derivatives at 1: 1 - (p+1)(p+2)/2 t^p + p(p+2) t^(p+1) - p(p+1)/2
   t^(p+2) */
static const agn_tensor *cutoff_envelope(agn_scope *s, const agn_tensor *t, int32_t p)
{
    const agn_tensor *y = ag_mul_c(s, t, -(double)p * (p + 1) / 2), *power = t;
    y = y ? ag_add_c(s, y, (double)p * (p + 2)) : NULL;
    y = y ? ag_add_c(s, ag_mul(s, y, t), -(double)(p + 1) * (p + 2) / 2) : NULL;
    for (int32_t k = 1; k < p; k++)
        power = ag_mul(s, power, t);
    y = y ? ag_add_c(s, ag_mul(s, y, power), 1) : NULL;
    return y ? ag_where(s, ag_lt(s, t, agni_full_like(s, 1, t)), y, agni_full_like(s, 0, t)) : NULL;
}

/* x [...] as [..., 1], and 1 to n */
static const agn_tensor *last_axis(agn_scope *s, const agn_tensor *x)
{
    int64_t shape[AGNI_MAX_RANK];
    for (int d = 0; d < x->ndim; d++)
        shape[d] = x->shape[d];
    shape[x->ndim] = 1;
    return agni_reshape(s, x, x->ndim + 1, shape);
}

static agn_status check_basis(const char *op, const agn_tensor *x, int64_t n, const char *what)
{
    agn_status st = agni_require_dense(x, op);
    if (!st && agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        st = agni_fail(AGN_EDTYPE, "%s: %s is %s, a real dtype is needed", op, what,
                       agni_dtypes[x->dtype].name);
    if (!st && x->ndim == AGNI_MAX_RANK)
        st = agni_fail(AGN_ESHAPE, "%s: %s is %s with %d axes, one fewer is needed", op, what,
                       AGNI_SHAPE(x), x->ndim);
    if (!st && (n < 1 || n > INT32_MAX))
        st = agni_fail(AGN_EARG, "%s: %lld functions, 1 or more are needed", op, (long long)n);
    return st;
}

agn_status agn_graph_bessel_basis(agn_tensor **out, const agn_tensor *d, int64_t n, double cutoff,
                                  int32_t p)
{
    static const char op[] = "graph_bessel_basis";
    AGNI_NEED(op, out);
    AGNI_NEED(op, d);
    agn_status st = check_basis(op, d, n, "d");
    if (!st && (!(cutoff > 0) || isinf(cutoff)))
        st = agni_fail(AGN_EDOMAIN, "%s: cutoff is %g, not a finite number above 0", op, cutoff);
    if (!st && (p < 1 || p > 1000))
        st = agni_fail(AGN_EARG, "%s: p is %d, not in 1 to 1000", op, p);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *t = agni_cast(s, d, agni_layer_dtype(d)), *y = NULL;
    t = t ? ag_mul_c(s, last_axis(s, t), 1 / cutoff) : NULL;
    const agn_tensor *k = t ? agni_cast(s, ag_linspace(s, AGN_F64, 1, (double)n, n), t->dtype)
                            : NULL;
    k = agni_put_beside(s, k, t);
    if (k) { /* sin(k pi d / c) / d = k pi / c sinc(k d / c) */
        y = ag_mul(s, ag_sinc(s, ag_mul(s, t, k)),
                   ag_mul_c(s, k, acos(-1) / cutoff * sqrt(2 / cutoff)));
        y = ag_mul(s, y, cutoff_envelope(s, t, p));
    }
    return agni_return(op, s, out, y);
}

agn_status agn_graph_legendre_basis(agn_tensor **out, const agn_tensor *angle, int64_t n)
{
    static const char op[] = "graph_legendre_basis";
    AGNI_NEED(op, out);
    AGNI_NEED(op, angle);
    agn_status st = check_basis(op, angle, n, "angle");
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor **list = agni_alloc((size_t)n * sizeof(const agn_tensor *)), *x = NULL,
                     *y = NULL;
    if (!list)
        agn_scope_fail(s, agni_nomem(op, (size_t)n * sizeof *list));
    else if ((x = agni_cast(s, angle, agni_layer_dtype(angle))))
        x = ag_cos(s, last_axis(s, x));
    for (int64_t k = 0; x && k < n; k++) /* (k + 1) P_(k+1) = (2 k + 1) x P_k - k P_(k-1) */
        list[k] = k == 0   ? agni_full_like(s, 1, x)
                  : k == 1 ? x
                           : ag_sub(s,
                                    ag_mul_c(s, ag_mul(s, x, list[k - 1]),
                                             (2 * (double)k - 1) / (double)k),
                                    ag_mul_c(s, list[k - 2], ((double)k - 1) / (double)k));
    if (x && !agn_scope_status(s))
        y = ag_concat(s, list, (int32_t)n, -1);
    agni_free(list);
    return agni_return(op, s, out, y);
}
