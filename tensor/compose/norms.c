/* tensor/compose/norms.c - p-norms over axes, and distances made of them. The gradient at zero is
   zero: no direction is preferred. */
#include "tensor/reduce/reduce.h"

#include <agnesi/ag.h>
#include <math.h>

/* v where m is zero */
static const agn_tensor *nonzero_or(agn_scope *s, const agn_tensor *m, double v)
{
    return ag_where(s, ag_eq(s, m, ag_lit(s, 0)), ag_lit(s, v), m);
}

/* |x|^p of elements x with magnitudes a. Even powers are computed from |x|^2, which is smooth at
   0 where |x| is not: else second derivatives at 0 would be wrong. */
static const agn_tensor *element_power(agn_scope *s, const agn_tensor *x, const agn_tensor *a,
                                       double p)
{
    if (fmod(p, 2) != 0)
        return p == 1 ? a
               : p > 1
                   ? ag_pow_c(s, a, p) /* below, the slope at 0 is infinite on both sides: 0 */
                   : ag_where(s, ag_eq(s, a, ag_lit(s, 0)), a, ag_pow_c(s, nonzero_or(s, a, 1), p));
    const agn_tensor *square = agni_squared_modulus(s, x);
    return p == 2 ? square : ag_pow_c(s, square, p / 2);
}

/* (sum |x|^p)^(1/p) of elements with magnitudes a, which are scaled by their maximum, a constant:
   nothing overflows or vanishes on the way */
static const agn_tensor *scaled_power_sum(agn_scope *s, const agn_tensor *x, const agn_tensor *a,
                                          double p, const int32_t *axes, int32_t n, bool keep,
                                          bool guard)
{
    const agn_tensor *top = ag_max(s, ag_stop_gradient(s, a), axes, n, true);
    const agn_tensor *usual = ag_logical_and(s, ag_isfinite(s, top),
                                             ag_ne(s, top, ag_lit(s, 0)));
    const agn_tensor *scale = ag_where(s, usual, top, ag_lit(s, 1));
    const agn_tensor *u = element_power(s, ag_div(s, x, scale), ag_div(s, a, scale), p);
    const agn_tensor *sum = ag_sum(s, u, axes, n, keep);
    if (sum && !keep)
        scale = agni_reshape(s, scale, sum->ndim, sum->shape);
    if (p == 2 && !guard) /* whose derivative at 0 is that of a norm (autograd/modes/roots.c) */
        return ag_mul(s, ag_sqrt(s, sum), scale);
    const agn_tensor *zero = ag_eq(s, sum, ag_lit(s, 0)), *safe = nonzero_or(s, sum, 1);
    const agn_tensor *root = p == 1 ? safe : p == 2 ? ag_sqrt(s, safe) : ag_pow_c(s, safe, 1 / p);
    return ag_where(s, zero, ag_lit(s, 0), ag_mul(s, root, scale));
}

static const agn_tensor *p_norm(agn_scope *s, const agn_tensor *x, double p, const int32_t *axes,
                                int32_t n, bool keep, bool guard)
{
    const agn_tensor *z = agni_widen(s, x), *a = ag_abs(s, z);
    if (!a)
        return NULL;
    int64_t k[AGNI_MAX_RANK];
    int count;
    if (agn_scope_fail(s, agni_normalise_axes("norm", a, axes, n, k, &count)))
        return NULL;
    if (p == 0)
        return ag_cast(s, ag_count_nonzero(s, a, axes, n, keep), a->dtype);
    if (agni_count_along(a, k, count) == 0 && p > 0) /* of nothing it is 0 */
        return ag_sum(s, a, axes, n, keep);
    if (isinf(p) || agni_count_along(a, k, count) == 0)
        return p > 0 ? ag_max(s, a, axes, n, keep) : ag_min(s, a, axes, n, keep);
    return scaled_power_sum(s, z, a, p, axes, n, keep, guard);
}

static agn_status check_p(const char *op, double p, bool norm_only)
{
    if (p != p || (norm_only && p < 0))
        return agni_fail(AGN_EDOMAIN, "%s: p is %g, not in 0 to %g", op, p, (double)INFINITY);
    return AGN_OK;
}

agn_status agn_pnorm(agn_tensor **out, const agn_tensor *x, double p, const int32_t *axes,
                     int32_t n, bool keep)
{
    int64_t a[AGNI_MAX_RANK];
    int count;
    AGNI_NEED("pnorm", out);
    agn_status st = agni_normalise_axes("pnorm", x, axes, n, a, &count);
    if (!st)
        st = check_p("pnorm", p, false);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = p_norm(s, x, p, axes, n, keep, false);
    return agni_return("pnorm", s, out, agni_narrow_to(s, y, x));
}

/* the narrow dtype of two that are computed wide */
static const agn_tensor *narrow_to_both(agn_scope *s, const agn_tensor *y, const agn_tensor *a,
                                        const agn_tensor *b)
{
    int dtype = agni_promote(a->dtype, b->dtype);
    return y && agni_kind(dtype) == AGNI_KIND_FLOAT ? ag_cast(s, y, dtype) : y;
}

agn_status agn_dist(agn_tensor **out, const agn_tensor *a, const agn_tensor *b, double p)
{
    AGNI_NEED("dist", out);
    AGNI_NEED("dist", a);
    AGNI_NEED("dist", b);
    agn_status st = check_p("dist", p, false);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = p_norm(s, ag_sub(s, agni_widen(s, a), agni_widen(s, b)), p, NULL, 0,
                                 false, false);
    return agni_return("dist", s, out, narrow_to_both(s, y, a, b));
}

agn_status agn_cdist(agn_tensor **out, const agn_tensor *a, const agn_tensor *b, double p)
{
    AGNI_NEED("cdist", out);
    AGNI_NEED("cdist", a);
    AGNI_NEED("cdist", b);
    agn_status st = check_p("cdist", p, true);
    if (st)
        return st;
    if (a->ndim < 2 || b->ndim < 2 || a->shape[a->ndim - 1] != b->shape[b->ndim - 1])
        return agni_fail(AGN_ESHAPE,
                         "cdist: sets of points are %s and %s, not [..,n,d] and [..,m,d]",
                         AGNI_SHAPE(a), AGNI_SHAPE(b));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *u = ag_expand_dims(s, agni_widen(s, a), -2);
    const agn_tensor *v = ag_expand_dims(s, agni_widen(s, b), -3);
    const agn_tensor *y = p_norm(s, ag_sub(s, u, v), p, (int32_t[]){-1}, 1, false, true);
    return agni_return("cdist", s, out, narrow_to_both(s, y, a, b));
}

/* the places of the pairs i < j among n: first i, then j, row by row */
static const agn_tensor *pair_indices(agn_scope *s, int64_t n, bool second)
{
    int64_t count = n * (n - 1) / 2, at = 0;
    int64_t *v = agni_alloc((size_t)(count + 1) * sizeof *v);
    if (!v) {
        agn_scope_fail(s, agni_nomem("pdist", (size_t)(count + 1) * sizeof *v));
        return NULL;
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i + 1; j < n; j++)
            v[at++] = second ? j : i;
    agn_tensor *y = NULL;
    agn_status st = agn_from_host(&y, AGN_I64, 1, &count, v);
    agni_free(v);
    return agni_adopt_constant(s, st, y);
}

agn_status agn_pdist(agn_tensor **out, const agn_tensor *x, double p)
{
    AGNI_NEED("pdist", out);
    AGNI_NEED("pdist", x);
    agn_status st = check_p("pdist", p, true);
    if (st)
        return st;
    if (x->ndim != 2)
        return agni_fail(AGN_ESHAPE, "pdist: points are %s, %d axes are needed", AGNI_SHAPE(x), 2);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *z = agni_widen(s, x);
    const agn_tensor *d = ag_sub(s, ag_gather(s, z, pair_indices(s, x->shape[0], false), 0),
                                 ag_gather(s, z, pair_indices(s, x->shape[0], true), 0));
    const agn_tensor *y = p_norm(s, d, p, (int32_t[]){-1}, 1, false, true);
    return agni_return("pdist", s, out, agni_narrow_to(s, y, x));
}

agn_status agn_renorm(agn_tensor **out, const agn_tensor *x, double p, int32_t axis, double most)
{
    int d, n = 0;
    int32_t others[AGNI_MAX_RANK];
    AGNI_NEED("renorm", out);
    agn_status st = agni_normalise_axis("renorm", x, axis, &d);
    if (!st)
        st = check_p("renorm", p, true);
    if (st)
        return st;
    if (!(most >= 0))
        return agni_fail(AGN_EDOMAIN, "renorm: the largest norm is %g, not at least %d", most, 0);
    for (int k = 0; k < x->ndim; k++)
        if (k != d)
            others[n++] = k;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *z = agni_widen(s, x), *m = p_norm(s, z, p, others, n, true, true);
    const agn_tensor *cap = ag_lit(s, most), *over = ag_gt(s, m, cap);
    const agn_tensor *factor = ag_div(s, cap, ag_where(s, over, m, ag_lit(s, 1)));
    const agn_tensor *y = ag_where(s, over, ag_mul(s, z, factor), z);
    return agni_return("renorm", s, out, agni_narrow_to(s, y, x));
}
