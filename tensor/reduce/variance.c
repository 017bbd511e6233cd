/* tensor/reduce/variance.c - variance, standard deviation, weighted average. */
#include "tensor/reduce/reduce.h"
#include "tensor/rows/traits.h"

#include <agnesi/ag.h>

/* ---- sums of squares about the mean: attribute axis --------------------------------------- */

static agn_status infer_deviation(agni_call *c)
{
    const agn_tensor *x = c->in[0];
    int axis = (int)c->at->i[0] + x->ndim;
    agni_meta *m = c->meta;
    m->dtype = x->dtype;
    m->ndim = 0;
    for (int d = 0; d < x->ndim; d++)
        if (d != axis)
            m->shape[m->ndim++] = x->shape[d];
    return AGN_OK;
}

static agn_status cpu_deviation(const agn_kernel_call *c)
{
    agni_axis_lanes l = agni_find_lanes(c->in, c->ints[0]);
    return agni_reduce_deviation(c->in, c->out[0].data, &l);
}

/* Twice, as the mean is rounded: the deviations of equals are 0 then, and a derivative of their
   root is that of a norm at 0. */
static const agn_tensor *subtract_mean(agn_scope *s, const agn_tensor *x, const int64_t *axis)
{
    for (int time = 0; x && time < 2; time++) {
        const agn_tensor *sum = agni_sum_axes(s, x, 1, axis, true);
        x = sum ? ag_sub(s, x, ag_div_c(s, sum, (double)x->shape[*axis + x->ndim])) : NULL;
    }
    return x;
}

/* 2 sum (x - mean) t: the tangent of the mean drops out, as sum (x - mean) = 0 */
static void jvp_deviation(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                          const agn_tensor **ty)
{
    const agn_tensor *d = ag_mul(s, subtract_mean(s, r->x[0], r->at->i), t[0]);
    ty[0] = ag_mul_c(s, agni_sum_axes(s, d, 1, r->at->i, false), 2);
}

static agn_status eval_deviation(const agni_call *c, agn_tensor **out)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_detach_node(s, c->op->name, c->in[0]);
    const agn_tensor *d = x ? ag_square(s, subtract_mean(s, x, c->at->i)) : NULL;
    return agni_return(c->op->name, s, out, agni_sum_axes(s, d, 1, c->at->i, false));
}

static agni_slots slots;
const agni_op agni_op_squared_deviation = {.name = "squared_deviation",
                                           .takes = "x axis:a",
                                           .cls = AGNI_SOLVE,
                                           .nin = 1,
                                           .nout = 1,
                                           .dtypes = AGNI_FLOATS,
                                           .diff = 1,
                                           .promote = 1,
                                           .result = AGNI_OUT_SAME,
                                           .ew = -1,
                                           .infer = infer_deviation,
                                           .cpu = cpu_deviation,
                                           .eval = eval_deviation,
                                           .contiguous = true,
                                           .jvp = jvp_deviation,
                                           .batch = agni_batch_front,
                                           .slots = &slots,
                                           .lo = -3,
                                           .hi = 3,
                                           .traits = AGNI_ZERO_LOST,
                                           .doc = "sum of squares about the mean"};

/* ---- variance ------------------------------------------------------------------------------- */

/* merges the axes into one: in place if they are adjacent, else moved last */
static const agn_tensor *merge_axes(agn_scope *s, const agn_tensor *z, int count, const int64_t *a,
                                    bool keep, int *nout, int64_t *shape, int64_t *axis)
{
    int64_t lo = 0, flat[AGNI_MAX_RANK];
    int m = 0;
    for (int k = 0; k < count; k++)
        lo = a[k] < lo ? a[k] : lo;
    *axis = -1;
    for (int k = 0; k < count; k++)
        if (a[k] >= lo + count)
            return agni_merge_axes_last(s, z, count, a, keep, nout, shape);
    if (!z || count == 0)
        return agni_merge_axes_last(s, z, count, a, keep, nout, shape);
    *nout = 0;
    int first = (int)lo + z->ndim;
    for (int d = 0; d < z->ndim; d++) {
        bool gone = d >= first && d < first + count;
        if (gone && d > first)
            flat[m - 1] *= z->shape[d];
        else
            flat[m++] = z->shape[d];
        if (!gone || keep)
            shape[(*nout)++] = gone ? 1 : z->shape[d];
    }
    *axis = first - m;
    return agni_reshape(s, z, m, flat);
}

/* sum of |x - mean|^2; of a complex number that of its parts */
static const agn_tensor *squared_deviation(agn_scope *s, const agn_tensor *z, int64_t axis)
{
    if (z && agni_kind(z->dtype) == AGNI_KIND_COMPLEX)
        return ag_add(s, squared_deviation(s, ag_real(s, z), axis),
                      squared_deviation(s, ag_imag(s, z), axis));
    return z ? agni_apply_in(s, &agni_op_squared_deviation, &(agni_attr){.ni = 1, .i = &axis}, 1,
                             &z)
             : NULL;
}

static agn_status apply_variance(const char *op, agn_tensor **out, agn_tensor **mean,
                                 const agn_tensor *x, const int32_t *axes, int32_t n,
                                 double correction, bool keep, bool root)
{
    int64_t a[AGNI_MAX_RANK];
    int count;
    agn_status st = agni_normalise_axes(op, x, axes, n, a, &count);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    int64_t shape[AGNI_MAX_RANK], axis, many = agni_count_along(x, a, count);
    int nout;
    const agn_tensor *wide = agni_widen(s, x);
    const agn_tensor *z = merge_axes(s, wide, count, a, keep, &nout, shape, &axis);
    /* max(N - correction, 0): NaN of too few elements */
    double left = (double)many - correction;
    const agn_tensor *y = ag_div_c(s, squared_deviation(s, z, axis), left > 0 ? left : 0);
    y = y ? agni_reshape(s, root ? ag_sqrt(s, y) : y, nout, shape) : NULL;
    agn_scope_return(s, out, agni_narrow_to(s, y, x));
    if (mean && y) {
        const agn_tensor *m = ag_div_c(s, agni_sum_axes(s, wide, count, a, keep), (double)many);
        agn_scope_return(s, mean, agni_narrow_to(s, m, x));
    }
    return agni_rename_error(op, agn_scope_close(s));
}

agn_status agn_var(agn_tensor **out, const agn_tensor *x, const int32_t *axes, int32_t n,
                   double correction, bool keep)
{
    AGNI_NEED("var", out);
    return apply_variance("var", out, NULL, x, axes, n, correction, keep, false);
}
agn_status agn_std(agn_tensor **out, const agn_tensor *x, const int32_t *axes, int32_t n,
                   double correction, bool keep)
{
    AGNI_NEED("std", out);
    return apply_variance("std", out, NULL, x, axes, n, correction, keep, true);
}
agn_status agn_var_mean(agn_tensor **var, agn_tensor **mean, const agn_tensor *x,
                        const int32_t *axes, int32_t n, double correction, bool keep)
{
    AGNI_NEED("var_mean", var);
    AGNI_NEED("var_mean", mean);
    return apply_variance("var_mean", var, mean, x, axes, n, correction, keep, false);
}
agn_status agn_std_mean(agn_tensor **std, agn_tensor **mean, const agn_tensor *x,
                        const int32_t *axes, int32_t n, double correction, bool keep)
{
    AGNI_NEED("std_mean", std);
    AGNI_NEED("std_mean", mean);
    return apply_variance("std_mean", std, mean, x, axes, n, correction, keep, true);
}

/* weights of one axis, reshaped to broadcast along that axis of x */
static const agn_tensor *align_weights(agn_scope *s, const agn_tensor *w, const agn_tensor *x,
                                       int d)
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
    agn_status st = agni_normalise_axes("average", x, axes, n, a, &count);
    if (st)
        return st;
    bool whole = agni_same_shape(weights, x);
    if (!whole && !(count == 1 && weights->ndim == 1 &&
                    weights->shape[0] == x->shape[a[0] + x->ndim]))
        return agni_fail(AGN_ESHAPE, "average: weights %s fit neither x %s nor one axis of it",
                         AGNI_SHAPE(weights), AGNI_SHAPE(x));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *z = agni_widen(s, x), *w = agni_widen(s, weights);
    if (z && w && !whole)
        w = align_weights(s, w, x, (int)a[0] + x->ndim);
    const agn_tensor *sum = agni_sum_axes(s, ag_mul(s, z, w), count, a, keep);
    const agn_tensor *all = whole ? agni_sum_axes(s, w, count, a, keep) : ag_sum_all(s, w);
    const agn_tensor *y = ag_div(s, sum, all);
    return agni_return("average", s, out, agni_narrow_to(s, y, x));
}
