/* nn/normalization.c - normalisation to mean 0 and variance 1: over last axes (layer, RMS),
   channels (batch), groups of channels (group, instance), neighbouring channels. */
#include "nn/nn.h"
#include "tensor/dispatch/op_helpers.h"

#include <string.h>

enum { X, WEIGHT, BIAS, MEAN, VAR };

static agn_status check_eps(const char *op, double eps)
{
    return eps >= 0
               ? AGN_OK
               : agni_fail(AGN_EARG, "%s: eps is %g; it must not be negative", op, eps);
}

/* x minus its mean, and the variance: two passes, as one would cancel */
static const agn_tensor *subtract_mean(agn_scope *s, const agn_tensor *x, const int32_t *axes,
                                       int n, const agn_tensor **mean, const agn_tensor **var)
{
    *mean = ag_mean(s, x, axes, n, true);
    const agn_tensor *y = ag_sub(s, x, *mean);
    *var = ag_mean(s, ag_square(s, y), axes, n, true);
    return y;
}
static const agn_tensor *divide_by_root(agn_scope *s, const agn_tensor *y, const agn_tensor *var,
                                        double eps)
{
    return ag_mul(s, y, ag_rsqrt(s, ag_add_c(s, var, eps)));
}
static const agn_tensor *apply_affine(agn_scope *s, const agn_tensor *y, const agn_tensor *weight,
                                      const agn_tensor *bias)
{
    y = weight ? ag_mul(s, y, weight) : y;
    return bias ? ag_add(s, y, bias) : y;
}

/* ---- over the last axes ---------------------------------------------------------- */

/* the last n axes, which weight and bias must have */
static bool find_last_axes(agni_nn *c, int32_t n, int32_t *axes)
{
    const agn_tensor *x = c->in[X].x;
    if (n < 1 || n > x->ndim)
        return !AGNI_NN_FAIL(c, AGN_EARG,
                             "%s: %d axes of %s are meant; there are 1 to %d", c->op, n,
                             AGNI_SHAPE(x), x->ndim);
    for (int k = 0; k < n; k++)
        axes[k] = k - n;
    const int64_t *shape = x->shape + x->ndim - n;
    return agni_nn_shaped(c, WEIGHT, n, shape) && agni_nn_shaped(c, BIAS, n, shape);
}

agn_status agn_nn_layer_norm(agn_tensor **out, const agn_tensor *x, int32_t axes,
                             const agn_tensor *weight, const agn_tensor *bias,
                             double eps)
{
    agni_nn c = {.op = "nn_layer_norm",
                 .in = {{"x", x, 0},
                        {"weight", weight, AGNI_NN_OPTIONAL},
                        {"bias", bias, AGNI_NN_OPTIONAL}}};
    agn_status st = check_eps(c.op, eps);
    st = st ? st : agni_nn_open(&c, out);
    if (st)
        return st;
    int32_t a[AGN_MAX_RANK];
    const agn_tensor *y = NULL, *mean, *var;
    if (find_last_axes(&c, axes, a)) {
        y = subtract_mean(c.s, c.x[X], a, axes, &mean, &var);
        y = apply_affine(c.s, divide_by_root(c.s, y, var, eps), c.x[WEIGHT], c.x[BIAS]);
    }
    return agni_nn_close(&c, out, y);
}

agn_status agn_nn_rms_norm(agn_tensor **out, const agn_tensor *x, int32_t axes,
                           const agn_tensor *weight, double eps)
{
    agni_nn c = {.op = "nn_rms_norm",
                 .in = {{"x", x, 0}, {"weight", weight, AGNI_NN_OPTIONAL}}};
    agn_status st = check_eps(c.op, eps);
    st = st ? st : agni_nn_open(&c, out);
    if (st)
        return st;
    int32_t a[AGN_MAX_RANK];
    const agn_tensor *y = NULL;
    if (find_last_axes(&c, axes, a)) {
        const agn_tensor *power = ag_mean(c.s, ag_square(c.s, c.x[X]), a, axes, true);
        y = apply_affine(c.s, divide_by_root(c.s, c.x[X], power, eps), c.x[WEIGHT], NULL);
    }
    return agni_nn_close(&c, out, y);
}

/* ---- for each channel ------------------------------------------------------------ */

static const agn_tensor *align_channels(agni_nn *c, int i, int axis)
{
    const agn_tensor *x = c->in[X].x;
    return agni_nn_along(c, i, x->ndim, axis, x->shape[axis]);
}

agn_status agn_nn_batch_norm(agn_tensor **out, const agn_tensor *x,
                             const agn_tensor *mean, const agn_tensor *var,
                             const agn_tensor *weight, const agn_tensor *bias,
                             int32_t axis, double eps)
{
    agni_nn c = {.op = "nn_batch_norm",
                 .in = {{"x", x, 0},
                        {"weight", weight, AGNI_NN_OPTIONAL},
                        {"bias", bias, AGNI_NN_OPTIONAL},
                        {"mean", mean, 0},
                        {"var", var, 0}}};
    agn_status st = check_eps(c.op, eps);
    st = st ? st : agni_nn_open(&c, out);
    int d;
    if (st)
        return st;
    const agn_tensor *y = NULL;
    if (agni_nn_axis(&c, X, axis, &d)) {
        y = ag_sub(c.s, c.x[X], align_channels(&c, MEAN, d));
        y = divide_by_root(c.s, y, align_channels(&c, VAR, d), eps);
        y = apply_affine(c.s, y, align_channels(&c, WEIGHT, d), align_channels(&c, BIAS, d));
    }
    return agni_nn_close(&c, out, y);
}

/* (1 - momentum) old + momentum new, a constant */
static void blend_running(agni_nn *c, agn_tensor **out, int i, const agn_tensor *new,
                          double momentum)
{
    agn_scope *s = c->s;
    const agn_tensor *old = ag_mul_c(s, ag_stop_gradient(s, c->x[i]), 1 - momentum);
    new = ag_reshape(s, ag_stop_gradient(s, new), 1, (int64_t[]){-1});
    const agn_tensor *y = ag_add(s, old, ag_mul_c(s, new, momentum));
    agn_scope_return(s, out, y ? ag_cast(s, y, c->dtype) : NULL);
}

agn_status agn_nn_batch_norm_train(agn_tensor **out, agn_tensor **mean_out,
                                   agn_tensor **var_out, const agn_tensor *x,
                                   const agn_tensor *mean, const agn_tensor *var,
                                   const agn_tensor *weight, const agn_tensor *bias,
                                   int32_t axis, double momentum, double eps)
{
    agni_nn c = {.op = "nn_batch_norm_train",
                 .in = {{"x", x, 0},
                        {"weight", weight, AGNI_NN_OPTIONAL},
                        {"bias", bias, AGNI_NN_OPTIONAL},
                        {"mean", mean, mean_out ? 0 : AGNI_NN_OPTIONAL},
                        {"var", var, var_out ? 0 : AGNI_NN_OPTIONAL}}};
    agn_status st = check_eps(c.op, eps);
    st = st ? st : agni_nn_open(&c, out);
    int d;
    if (st)
        return st;
    if (!agni_nn_axis(&c, X, axis, &d))
        return agni_nn_close(&c, out, NULL);
    int64_t n = x->shape[d], each = n ? x->size / n : 0;
    if (each < 2)
        AGNI_NN_FAIL(&c, AGN_ESHAPE,
                     "nn_batch_norm_train: x is %s, %lld elements for each of %lld "
                     "channels; a variance needs 2",
                     AGNI_SHAPE(x), (long long)each, (long long)n);
    int32_t axes[AGN_MAX_RANK];
    int k = 0;
    for (int i = 0; i < x->ndim; i++)
        if (i != d)
            axes[k++] = i;
    const agn_tensor *m, *v, *y = subtract_mean(c.s, c.x[X], axes, k, &m, &v);
    y = apply_affine(c.s, divide_by_root(c.s, y, v, eps), align_channels(&c, WEIGHT, d),
                     align_channels(&c, BIAS, d));
    if (mean_out && agni_nn_shaped(&c, MEAN, 1, &n))
        blend_running(&c, mean_out, MEAN, m, momentum);
    if (var_out && agni_nn_shaped(&c, VAR, 1, &n))
        blend_running(&c, var_out, VAR, ag_mul_c(c.s, v, (double)each / (double)(each - 1)),
                      momentum);
    return agni_nn_close(&c, out, y);
}

/* ---- for each sample ------------------------------------------------------------- */

/* groups < 0: as many as channels */
static agn_status apply_group_norm(agn_tensor **out, const char *op, const agn_tensor *x,
                                   int64_t groups, const agn_tensor *weight, const agn_tensor *bias,
                                   double eps)
{
    agni_nn c = {.op = op,
                 .in = {{"x", x, 0},
                        {"weight", weight, AGNI_NN_OPTIONAL},
                        {"bias", bias, AGNI_NN_OPTIONAL}}};
    agn_status st = check_eps(op, eps);
    st = st ? st : agni_nn_open(&c, out);
    if (st)
        return st;
    const agn_tensor *y = NULL, *mean, *var;
    if (agni_nn_fits(&c, X, 2)) {
        int64_t n = x->shape[1];
        groups = groups < 0 ? n ? n : 1 : groups;
        if (groups == 0 || n % groups)
            AGNI_NN_FAIL(&c, AGN_EARG,
                         "%s: %lld groups of %lld channels: it does not divide", op,
                         (long long)groups, (long long)n);
        else {
            int64_t lanes = x->shape[0] * groups, inner = lanes ? x->size / lanes : 0;
            y = ag_reshape(c.s, c.x[X], 2, (int64_t[]){lanes, inner});
            y = subtract_mean(c.s, y, (int32_t[]){-1}, 1, &mean, &var);
            y = ag_reshape(c.s, divide_by_root(c.s, y, var, eps), x->ndim, x->shape);
            y = apply_affine(c.s, y, align_channels(&c, WEIGHT, 1), align_channels(&c, BIAS, 1));
        }
    }
    return agni_nn_close(&c, out, y);
}
agn_status agn_nn_group_norm(agn_tensor **out, const agn_tensor *x, int64_t groups,
                             const agn_tensor *weight, const agn_tensor *bias,
                             double eps)
{
    return apply_group_norm(out, "nn_group_norm", x, groups < 0 ? 0 : groups, weight, bias, eps);
}
agn_status agn_nn_instance_norm(agn_tensor **out, const agn_tensor *x,
                                const agn_tensor *weight, const agn_tensor *bias,
                                double eps)
{
    return apply_group_norm(out, "nn_instance_norm", x, -1, weight, bias, eps);
}

agn_status agn_nn_local_response_norm(agn_tensor **out, const agn_tensor *x,
                                      int64_t channels, double alpha, double beta,
                                      double k)
{
    agni_nn c = {.op = "nn_local_response_norm", .in = {{"x", x, 0}}};
    if (channels < 1)
        return agni_fail(
            AGN_EARG,
            "nn_local_response_norm: a mean of %lld channels; at least 1 is "
            "needed",
            (long long)channels);
    agn_status st = agni_nn_open(&c, out);
    if (st)
        return st;
    const agn_tensor *y = NULL;
    if (agni_nn_fits(&c, X, 2)) {
        agn_scope *s = c.s;
        int64_t n = x->shape[1], far = n ? n - 1 : 0; /* beyond lies nothing but 0 */
        int64_t before = channels / 2, after = channels - 1 - before;
        int64_t lo[2] = {0, before < far ? before : far},
                hi[2] = {0, after < far ? after : far};
        int64_t none[AGN_MAX_RANK] = {0}, stop[AGN_MAX_RANK];
        const agn_tensor *square = ag_square(s, c.x[X]), *sum = NULL;
        int64_t front[AGN_MAX_RANK] = {0}, behind[AGN_MAX_RANK] = {0};
        front[1] = lo[1], behind[1] = hi[1];
        square = ag_pad(s, square, x->ndim, front, behind, 0);
        memcpy(stop, x->shape, (size_t)x->ndim * sizeof *stop);
        for (int64_t j = 0; j <= lo[1] + hi[1]; j++) {
            none[1] = j, stop[1] = j + n;
            sum = agni_add_present(s, sum, ag_slice(s, square, x->ndim, none, stop, NULL));
        }
        const agn_tensor *base = ag_add_c(s, ag_mul_c(s, sum, alpha / (double)channels),
                                          k);
        y = ag_div(s, c.x[X], ag_pow_c(s, base, beta));
    }
    return agni_nn_close(&c, out, y);
}
