/* tensor/compose/differences.c - differences and integrals of samples along an axis. */
#include "tensor/reduce/reduce.h"

#include <agnesi/ag.h>

/* ---- differences -------------------------------------------------------------------------- */

/* what follows minus what stands; of truth values, whether they differ */
static const agn_tensor *subtract_neighbours(agn_scope *s, const agn_tensor *x, int d)
{
    if (!x)
        return NULL;
    int64_t n = x->shape[d] > 0 ? x->shape[d] - 1 : 0;
    const agn_tensor *a = agni_slice_axis(s, x, d, x->shape[d] - n, n),
                     *b = agni_slice_axis(s, x, d, 0, n);
    return x->dtype == AGN_BOOL ? ag_ne(s, a, b) : ag_sub(s, a, b);
}

agn_status agn_diff(agn_tensor **out, const agn_tensor *x, int32_t n, int32_t axis,
                    const agn_tensor *prepend, const agn_tensor *append)
{
    int d;
    AGNI_NEED("diff", out);
    agn_status st = agni_normalise_axis("diff", x, axis, &d);
    if (st)
        return st;
    if (n < 0)
        return agni_fail(AGN_EARG, "diff: order %d of %s is negative", n, AGNI_SHAPE(x));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *part[3], *y = x;
    int parts = 0;
    if (n && prepend)
        part[parts++] = prepend;
    part[parts++] = x;
    if (n && append)
        part[parts++] = append;
    if (parts > 1)
        y = ag_concat(s, part, parts, d);
    for (int k = 0; y && k < n && y->shape[d] > 0; k++)
        y = subtract_neighbours(s, y, d);
    return agni_return("diff", s, out, y);
}

/* ---- derivative of samples ------------------------------------------------------------------ */

/* x [n] reshaped to broadcast along the axis d of a tensor of ndim axes */
static const agn_tensor *align_to_axis(agn_scope *s, const agn_tensor *x, int ndim, int d)
{
    int64_t shape[AGNI_MAX_RANK];
    if (!x)
        return NULL;
    for (int k = 0; k < ndim; k++)
        shape[k] = k == d ? x->shape[0] : 1;
    return agni_reshape(s, x, ndim, shape);
}

/* c0 f0 + c1 f1 + c2 f2, the derivative at distance u from the middle of the parabola through
   points h0 before and h1 behind it (Fornberg 1988) */
static const agn_tensor *parabola_slope(agn_scope *s, const agn_tensor *const f[3],
                                        const agn_tensor *h0, const agn_tensor *h1,
                                        const agn_tensor *u)
{
    const agn_tensor *sum = ag_add(s, h0, h1), *twice = u ? ag_mul_c(s, u, 2) : NULL;
    const agn_tensor *p = ag_sub(s, h0, h1), *a = ag_neg(s, h1), *b = h0;
    const agn_tensor *m = ag_neg(s, p);
    if (twice) {
        a = ag_add(s, a, twice);
        b = ag_add(s, b, twice);
        m = ag_sub(s, m, twice);
    }
    const agn_tensor *y = ag_mul(s, f[0], ag_div(s, a, ag_mul(s, h0, sum)));
    y = ag_add(s, y, ag_mul(s, f[1], ag_div(s, m, ag_mul(s, h0, h1))));
    return ag_add(s, y, ag_mul(s, f[2], ag_div(s, b, ag_mul(s, h1, sum))));
}

/* the end at which three points are: one-sided difference of order one or two */
static const agn_tensor *end_slope(agn_scope *s, const agn_tensor *z, const agn_tensor *h, int d,
                                   bool last, int32_t order)
{
    int64_t n = z->shape[d], k = last ? n - order - 1 : 0;
    if (order == 1)
        return ag_div(s,
                      ag_sub(s, agni_slice_axis(s, z, d, k + 1, 1), agni_slice_axis(s, z, d, k, 1)),
                      agni_slice_axis(s, h, d, k, 1));
    const agn_tensor *f[3], *h0 = agni_slice_axis(s, h, d, k, 1),
                            *h1 = agni_slice_axis(s, h, d, k + 1, 1);
    for (int j = 0; j < 3; j++)
        f[j] = agni_slice_axis(s, z, d, k + j, 1);
    return parabola_slope(s, f, h0, h1, last ? h1 : ag_neg(s, h0));
}

agn_status agn_gradient_of_samples(agn_tensor **out, const agn_tensor *x, int32_t axis,
                                   const agn_tensor *coordinates, double spacing,
                                   int32_t edge_order)
{
    static const char *const op = "gradient_of_samples";
    int d;
    AGNI_NEED(op, out);
    agn_status st = agni_normalise_axis(op, x, axis, &d);
    if (st)
        return st;
    int64_t n = x->shape[d];
    if (edge_order != 1 && edge_order != 2)
        return agni_fail(AGN_EARG, "%s: edge_order is %d, neither 1 nor %d", op, edge_order, 2);
    if (n < edge_order + 1)
        return agni_fail(AGN_ESHAPE, "%s: axis %d of %s is too short, %d samples are needed", op, d,
                         AGNI_SHAPE(x), edge_order + 1);
    if (coordinates && (coordinates->ndim != 1 || coordinates->shape[0] != n))
        return agni_fail(AGN_ESHAPE, "%s: coordinates are %s, axis %d of %s needs one each", op,
                         AGNI_SHAPE(coordinates), d, AGNI_SHAPE(x));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *z = agni_widen(s, x), *h = NULL;
    if (coordinates)
        h = subtract_neighbours(s, agni_widen(s, coordinates), 0);
    else if (z)
        h = agni_full(s, spacing, agni_dtypes[z->dtype].real, 1, (int64_t[]){n - 1});
    h = align_to_axis(s, h, x->ndim, d);
    if (z && h) {
        const agn_tensor *part[3] = {end_slope(s, z, h, d, false, edge_order), NULL,
                                     end_slope(s, z, h, d, true, edge_order)};
        const agn_tensor *f[3] = {agni_slice_axis(s, z, d, 0, n - 2),
                                  agni_slice_axis(s, z, d, 1, n - 2),
                                  agni_slice_axis(s, z, d, 2, n - 2)};
        if (coordinates)
            part[1] = parabola_slope(s, f, agni_slice_axis(s, h, d, 0, n - 2),
                                     agni_slice_axis(s, h, d, 1, n - 2), NULL);
        else
            part[1] = ag_div_c(s, ag_sub(s, f[2], f[0]), 2 * spacing);
        z = ag_concat(s, part, 3, d);
    }
    return agni_return(op, s, out, agni_narrow_to(s, z, x));
}

/* ---- integrals ------------------------------------------------------------------------------ */

/* the areas between neighbouring samples */
static const agn_tensor *trapezoid_areas(const char *op, agn_scope *s, const agn_tensor *y,
                                         const agn_tensor *x, double dx, int d)
{
    int64_t n = y->shape[d], m = n > 0 ? n - 1 : 0;
    if (x && !(x->ndim == 1 && x->shape[0] == n) && !agni_same_shape(x, y)) {
        agn_scope_fail(s, agni_fail(AGN_ESHAPE, "%s: x is %s, neither [%lld] nor %s", op,
                                    AGNI_SHAPE(x), (long long)n, AGNI_SHAPE(y)));
        return NULL;
    }
    const agn_tensor *z = agni_widen(s, y);
    const agn_tensor *two = ag_add(s, agni_slice_axis(s, z, d, n - m, m),
                                   agni_slice_axis(s, z, d, 0, m));
    if (!x)
        return ag_mul_c(s, two, dx / 2);
    bool line = x->ndim == 1;
    const agn_tensor *h = subtract_neighbours(s, agni_widen(s, x), line ? 0 : d);
    h = line && y->ndim > 1 ? align_to_axis(s, h, y->ndim, d) : h;
    return ag_mul(s, two, ag_mul_c(s, h, 0.5));
}

static agn_status integrate_trapezoids(const char *op, agn_tensor **out, const agn_tensor *y,
                                       const agn_tensor *x, double dx, int32_t axis, bool running)
{
    int d;
    AGNI_NEED(op, out);
    AGNI_NEED(op, y);
    agn_status st = agni_axis(op, axis, y->ndim, &d);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a = trapezoid_areas(op, s, y, x, dx, d);
    a = running ? ag_cumsum(s, a, d) : ag_sum(s, a, (int32_t[]){d}, 1, false);
    return agni_return(op, s, out, agni_narrow_to(s, a, y));
}

agn_status agn_trapezoid(agn_tensor **out, const agn_tensor *y, const agn_tensor *x, double dx,
                         int32_t axis)
{
    return integrate_trapezoids("trapezoid", out, y, x, dx, axis, false);
}
agn_status agn_cumulative_trapezoid(agn_tensor **out, const agn_tensor *y, const agn_tensor *x,
                                    double dx, int32_t axis)
{
    return integrate_trapezoids("cumulative_trapezoid", out, y, x, dx, axis, true);
}

/* ---- values between samples ------------------------------------------------------------------ */

agn_status agn_interp(agn_tensor **out, const agn_tensor *x, const agn_tensor *xp,
                      const agn_tensor *fp)
{
    AGNI_NEED("interp", out);
    AGNI_NEED("interp", x);
    AGNI_NEED("interp", xp);
    AGNI_NEED("interp", fp);
    if (xp->ndim != 1 || fp->ndim != 1 || xp->shape[0] != fp->shape[0] || xp->shape[0] < 1)
        return agni_fail(AGN_ESHAPE, "interp: xp is %s and fp is %s, not one sample or more each",
                         AGNI_SHAPE(xp), AGNI_SHAPE(fp));
    int64_t n = xp->shape[0];
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *z = agni_widen(s, x), *p = agni_widen(s, xp), *f = agni_widen(s, fp);
    const agn_tensor *first = ag_index_axis(s, f, 0, 0), *last = ag_index_axis(s, f, 0, n - 1);
    const agn_tensor *y = NULL;
    if (n > 1) {
        const agn_tensor *one = ag_lit(s, 1);
        const agn_tensor *k = ag_sub(s, ag_searchsorted(s, p, z, true), one);
        k = ag_maximum_c(s, ag_minimum_c(s, k, (double)(n - 2)), 0);
        const agn_tensor *up = ag_add(s, k, one), *a = ag_gather(s, p, k, 0);
        const agn_tensor *fa = ag_gather(s, f, k, 0);
        const agn_tensor *slope = ag_div(s, ag_sub(s, ag_gather(s, f, up, 0), fa),
                                         ag_sub(s, ag_gather(s, p, up, 0), a));
        y = ag_add(s, ag_mul(s, slope, ag_sub(s, z, a)), fa);
        y = ag_where(s, ag_lt(s, z, ag_index_axis(s, p, 0, 0)), first, y);
        y = ag_where(s, ag_ge(s, z, ag_index_axis(s, p, 0, n - 1)), last, y);
    } else {
        y = ag_where(s, ag_isnan(s, z), z, first);
    }
    return agni_return("interp", s, out, agni_narrow_to(s, y, x));
}

agn_status agn_polyval(agn_tensor **out, const agn_tensor *c, const agn_tensor *x)
{
    AGNI_NEED("polyval", out);
    AGNI_NEED("polyval", c);
    AGNI_NEED("polyval", x);
    if (c->ndim != 1)
        return agni_fail(AGN_ESHAPE, "polyval: coefficients are %s, one axis is needed; x is %s",
                         AGNI_SHAPE(c), AGNI_SHAPE(x));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = agni_full_like(s, 0, agni_bools_to_ints(s, x));
    for (int64_t k = 0; k < c->shape[0]; k++)
        y = ag_add(s, k ? ag_mul(s, y, x) : y, ag_index_axis(s, c, 0, k));
    return agni_return("polyval", s, out, y);
}
