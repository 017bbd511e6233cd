/* tensor/variance.c - spread and weighted means. */
#include "tensor/reduce.h"

#include <agnesi/ag.h>

/* sum of |x - mean|^2 over N - correction, at least 0: of too few elements it is no number */
static const agn_tensor *variance(agn_scope *s, const agn_tensor *z, const agn_tensor *mean,
                                  int count, const int64_t *a, double correction, bool keep)
{
    const agn_tensor *d = agni_squared(s, ag_sub(s, z, mean));
    double many = (double)agni_many(z, a, count) - correction;
    return ag_div_c(s, agni_sum_axes(s, d, count, a, keep), many > 0 ? many : 0);
}

static agn_status spread(const char *op, agn_tensor **out, agn_tensor **mean,
                         const agn_tensor *x, const int32_t *axes, int32_t n, double correction,
                         bool keep, bool root)
{
    int64_t a[AGNI_MAX_RANK];
    int count;
    agn_status st = agni_axes_of(op, x, axes, n, a, &count);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *z = agni_widened(s, x);
    const agn_tensor *m = z ? ag_div_c(s, agni_sum_axes(s, z, count, a, true),
                                       (double)agni_many(x, a, count))
                            : NULL;
    const agn_tensor *y = m ? variance(s, z, m, count, a, correction, keep) : NULL;
    agn_scope_return(s, out, agni_narrowed(s, root ? ag_sqrt(s, y) : y, x));
    if (mean && m && y)
        agn_scope_return(s, mean, agni_narrowed(s, agni_reshape(s, m, y->ndim, y->shape), x));
    return agni_in_name_of(op, agn_scope_close(s));
}

agn_status agn_var(agn_tensor **out, const agn_tensor *x, const int32_t *axes, int32_t n,
                   double correction, bool keep)
{
    AGNI_NEED("var", out);
    return spread("var", out, NULL, x, axes, n, correction, keep, false);
}
agn_status agn_std(agn_tensor **out, const agn_tensor *x, const int32_t *axes, int32_t n,
                   double correction, bool keep)
{
    AGNI_NEED("std", out);
    return spread("std", out, NULL, x, axes, n, correction, keep, true);
}
agn_status agn_var_mean(agn_tensor **var, agn_tensor **mean, const agn_tensor *x,
                        const int32_t *axes, int32_t n, double correction, bool keep)
{
    AGNI_NEED("var_mean", var);
    AGNI_NEED("var_mean", mean);
    return spread("var_mean", var, mean, x, axes, n, correction, keep, false);
}
agn_status agn_std_mean(agn_tensor **std, agn_tensor **mean, const agn_tensor *x,
                        const int32_t *axes, int32_t n, double correction, bool keep)
{
    AGNI_NEED("std_mean", std);
    AGNI_NEED("std_mean", mean);
    return spread("std_mean", std, mean, x, axes, n, correction, keep, true);
}

/* weights of one axis stand along that axis of x */
static const agn_tensor *beside(agn_scope *s, const agn_tensor *w, const agn_tensor *x, int d)
{
    int64_t shape[AGNI_MAX_RANK];
    for (int k = 0; k < x->ndim; k++)
        shape[k] = k == d ? x->shape[d] : 1;
    return agni_reshape(s, w, x->ndim, shape);
}

agn_status agn_average(agn_tensor **out, const agn_tensor *x, const agn_tensor *weights,
                       const int32_t *axes, int32_t n, bool keep)
{
    int64_t a[AGNI_MAX_RANK];
    int count;
    AGNI_NEED("average", out);
    AGNI_NEED("average", weights);
    agn_status st = agni_axes_of("average", x, axes, n, a, &count);
    if (st)
        return st;
    bool whole = agni_same_shape(weights, x);
    if (!whole && !(count == 1 && weights->ndim == 1 &&
                    weights->shape[0] == x->shape[a[0] + x->ndim]))
        return agni_fail(AGN_ESHAPE, "average: weights %s fit neither x %s nor one axis of it",
                         AGNI_SHAPE(weights), AGNI_SHAPE(x));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *z = agni_widened(s, x), *w = agni_widened(s, weights);
    if (z && w && !whole)
        w = beside(s, w, x, (int)a[0] + x->ndim);
    const agn_tensor *sum = agni_sum_axes(s, ag_mul(s, z, w), count, a, keep);
    const agn_tensor *all = whole ? agni_sum_axes(s, w, count, a, keep) : ag_sum_all(s, w);
    const agn_tensor *y = ag_div(s, sum, all);
    return agni_return("average", s, out, agni_narrowed(s, y, x));
}
