/* nn/softmax_glu.c - functions along an axis: softmax, log-softmax, Gumbel-softmax, GLU, maxout. */
#include "nn/nn.h"
#include "tensor/reduce/reduce.h"

#include <string.h>

/* the shift is a constant to derivatives: it does not change the result */
static const agn_tensor *subtract_max(agn_scope *s, const agn_tensor *x, int axis)
{
    if (!x || !x->shape[axis])
        return x;
    return ag_sub(s, x, ag_stop_gradient(s, ag_amax(s, x, &axis, 1, true)));
}
const agn_tensor *agni_nn_softmax(agn_scope *s, const agn_tensor *x, int axis)
{
    int64_t at = x ? axis - x->ndim : 0;
    return x ? agni_apply_in(s, &agni_op_softmax, &(agni_attr){.ni = 1, .i = &at}, 1, &x) : NULL;
}
const agn_tensor *agni_nn_log_softmax(agn_scope *s, const agn_tensor *x, int axis)
{
    const agn_tensor *z = subtract_max(s, x, axis);
    return ag_sub(s, z, ag_log(s, ag_sum(s, ag_exp(s, z), &axis, 1, true)));
}

typedef const agn_tensor *along(agn_scope *s, const agn_tensor *x, int axis);

static agn_status apply_along(agn_tensor **out, const char *op, along *f, const agn_tensor *x,
                              int32_t axis)
{
    agni_nn c = {.op = op, .in = {{"x", x, 0}}};
    agn_status st = agni_nn_open(&c, out);
    int d;
    if (st)
        return st;
    return agni_nn_close(&c, out,
                         agni_nn_axis(&c, 0, axis, &d) ? f(c.s, c.x[0], d) : NULL);
}
agn_status agn_nn_softmax(agn_tensor **out, const agn_tensor *x, int32_t axis)
{
    return apply_along(out, "nn_softmax", agni_nn_softmax, x, axis);
}
agn_status agn_nn_log_softmax(agn_tensor **out, const agn_tensor *x, int32_t axis)
{
    return apply_along(out, "nn_log_softmax", agni_nn_log_softmax, x, axis);
}

/* -log(-log u), u uniform in [0, 1), has Gumbel's distribution; the hard sample is the
   soft one with its difference from a corner as a constant */
agn_status agn_nn_gumbel_softmax(agn_tensor **out, const agn_tensor *x,
                                 const agn_tensor *key, double tau, bool hard,
                                 int32_t axis)
{
    agni_nn c = {.op = "nn_gumbel_softmax", .in = {{"x", x, 0}}};
    if (!(tau > 0))
        return agni_fail(AGN_EARG, "nn_gumbel_softmax: tau is %g; it must be positive",
                         tau);
    if (!key)
        return agni_fail(AGN_ENULL, "nn_gumbel_softmax: key is NULL");
    agn_status st = agni_nn_open(&c, out);
    int d;
    if (st)
        return st;
    if (!agni_nn_axis(&c, 0, axis, &d))
        return agni_nn_close(&c, out, NULL);
    agn_scope *s = c.s;
    const agn_tensor *u = ag_uniform(s, key, c.wide, x->ndim, x->shape);
    const agn_tensor *noise = ag_neg(s, ag_log(s, ag_neg(s, ag_log(s, u))));
    const agn_tensor *y = agni_nn_softmax(s, ag_div_c(s, ag_add(s, c.x[0], noise), tau),
                                          d);
    if (hard && x->shape[d]) {
        const agn_tensor *still = ag_stop_gradient(s, y);
        const agn_tensor *best = ag_argmax(s, still, d, true);
        int64_t shape[AGN_MAX_RANK];
        for (int k = 0; k < x->ndim; k++)
            shape[k] = k == d ? x->shape[d] : 1;
        const agn_tensor *class = agni_nn_count(s, x->shape[d]);
        class = ag_reshape(s, class, x->ndim, shape);
        const agn_tensor *corner = ag_cast(s, ag_eq(s, class, best), c.wide);
        /* y - still is 0 exactly: the corner is exact too */
        y = ag_add(s, corner, ag_sub(s, y, still));
    }
    return agni_nn_close(&c, out, y);
}

/* ---- an axis cut in two ---------------------------------------------------------- */

/* x with the axis of n made [n / inner, inner] */
static const agn_tensor *split_axis(agn_scope *s, const agn_tensor *x, int axis, int64_t inner)
{
    int64_t shape[AGN_MAX_RANK + 1];
    if (!x)
        return NULL;
    memcpy(shape, x->shape, (size_t)axis * sizeof *shape);
    shape[axis] = x->shape[axis] / inner;
    shape[axis + 1] = inner;
    memcpy(shape + axis + 2, x->shape + axis + 1,
           (size_t)(x->ndim - axis - 1) * sizeof *shape);
    return ag_reshape(s, x, x->ndim + 1, shape);
}

agn_status agn_nn_glu(agn_tensor **out, const agn_tensor *x, int32_t axis)
{
    agni_nn c = {.op = "nn_glu", .in = {{"x", x, 0}}};
    agn_status st = agni_nn_open(&c, out);
    const agn_tensor *y = NULL;
    int d;
    if (st)
        return st;
    if (agni_nn_axis(&c, 0, axis, &d)) {
        int64_t n = x->shape[d], start[2][AGN_MAX_RANK] = {{0}}, stop[2][AGN_MAX_RANK];
        if (n % 2)
            AGNI_NN_FAIL(&c, AGN_ESHAPE, "nn_glu: axis %d of %s has no halves", d,
                         AGNI_SHAPE(x));
        for (int k = 0; k < x->ndim; k++)
            stop[0][k] = stop[1][k] = x->shape[k];
        stop[0][d] = start[1][d] = n / 2;
        const agn_tensor *a = ag_slice(c.s, c.x[0], x->ndim, start[0], stop[0], NULL);
        const agn_tensor *b = ag_slice(c.s, c.x[0], x->ndim, start[1], stop[1], NULL);
        y = ag_mulz(c.s, a, ag_sigmoid(c.s, b));
    }
    return agni_nn_close(&c, out, y);
}

agn_status agn_nn_maxout(agn_tensor **out, const agn_tensor *x, int64_t groups,
                         int32_t axis)
{
    agni_nn c = {.op = "nn_maxout", .in = {{"x", x, 0}}};
    if (groups < 1)
        return agni_fail(AGN_EARG, "nn_maxout: groups is %lld; at least 1 is needed",
                         (long long)groups);
    agn_status st = agni_nn_open(&c, out);
    const agn_tensor *y = NULL;
    int d;
    if (st)
        return st;
    if (agni_nn_axis(&c, 0, axis, &d)) {
        if (x->shape[d] % groups)
            AGNI_NN_FAIL(&c, AGN_ESHAPE,
                         "nn_maxout: axis %d of %s is no multiple of %lld groups", d,
                         AGNI_SHAPE(x), (long long)groups);
        y = ag_max(c.s, split_axis(c.s, c.x[0], d, groups), (int32_t[]){d + 1}, 1, false);
    }
    return agni_nn_close(&c, out, y);
}
