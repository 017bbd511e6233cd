/* nn/initializers.c - initial weights: random by fan-in and fan-out (Glorot & Bengio 2010; He et
   al. 2015), Dirac and bilinear kernels. */
#include "nn/nn.h"

#include <math.h>
#include <string.h>

agn_status agn_nn_gain(double *out, const char *activation, double slope)
{
    const struct {
        const char *name;
        double gain;
    } gains[] = {{"linear", 1},
                 {"sigmoid", 1},
                 {"tanh", 5.0 / 3},
                 {"relu", sqrt(2)},
                 {"leaky_relu", sqrt(2 / (1 + slope * slope))},
                 {"selu", 0.75}};
    if (!out || !activation)
        return agni_fail(AGN_ENULL, "nn_gain: %s is NULL", out ? "activation" : "out");
    for (int k = 0; k < AGNI_COUNT(gains); k++)
        if (!strcmp(gains[k].name, activation)) {
            *out = gains[k].gain;
            return AGN_OK;
        }
    return agni_fail(AGN_EARG,
                     "nn_gain: no gain is known for \"%s\"; there are %d, of \"%s\" to "
                     "\"%s\"",
                     activation, AGNI_COUNT(gains), gains[0].name,
                     gains[AGNI_COUNT(gains) - 1].name);
}

/* ---- shapes ---------------------------------------------------------------------- */

static agn_status check_arguments(const char *op, agn_tensor *const *out, agn_dtype dtype,
                                  bool floats, int32_t ndim, const int64_t *shape, int least)
{
    int64_t size;
    if (!out || !shape)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, out ? "shape" : "out");
    if (dtype < 0 || dtype >= AGN_NDTYPES)
        return agni_fail(AGN_EDTYPE, "%s: there is no dtype %d; there are 0 to %d", op,
                         dtype, AGN_NDTYPES - 1);
    if (floats && agni_kind(dtype) != AGNI_KIND_FLOAT)
        return agni_fail(AGN_EDTYPE,
                         "%s: the dtype is %s; f16, bf16, f32 or f64 is needed", op,
                         agni_dtypes[dtype].name);
    if (ndim < least || ndim > AGN_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "%s: %d axes; %d to %d are possible", op, ndim,
                         least, AGN_MAX_RANK);
    return agni_shape_check(op, ndim, shape, &size);
}

/* ---- by variance ----------------------------------------------------------------- */

typedef struct law {
    const char *op;
    bool normal, both; /* Xavier counts both fans */
} law;

static agn_status init_by_variance(agn_tensor **out, law w, const agn_tensor *key, agn_dtype dtype,
                                   int32_t ndim, const int64_t *shape, double gain, int32_t fan)
{
    agn_status st = check_arguments(w.op, out, dtype, true, ndim, shape, 2);
    if (!st && !key)
        st = agni_fail(AGN_ENULL, "%s: key is NULL", w.op);
    if (!st && fan != AGN_NN_FAN_IN && fan != AGN_NN_FAN_OUT)
        st = agni_fail(AGN_EARG, "%s: there is no fan %d; there are 0 and 1", w.op,
                       fan);
    if (st)
        return st;
    double field = 1, fans[2];
    for (int d = 2; d < ndim; d++)
        field *= (double)shape[d];
    fans[AGN_NN_FAN_IN] = field * (double)shape[1];
    fans[AGN_NN_FAN_OUT] = field * (double)shape[0];
    double n = w.both ? (fans[0] + fans[1]) / 2 : fans[fan];
    double deviation = n > 0 ? gain / sqrt(n) : 0;
    agni_nn c = {.op = w.op, .s = agn_scope_open(NULL), .dtype = dtype};
    agn_dtype wide = agni_dtypes[dtype].wide;
    const agn_tensor *y;
    if (w.normal) {
        y = ag_mul_c(c.s, ag_normal(c.s, key, wide, ndim, shape), deviation);
    } else { /* on [-1, 1] the variance is 1 / 3 */
        y = ag_sub_c(c.s, ag_mul_c(c.s, ag_uniform(c.s, key, wide, ndim, shape), 2), 1);
        y = ag_mul_c(c.s, y, deviation * sqrt(3));
    }
    return agni_nn_close(&c, out, y);
}
agn_status agn_nn_init_xavier_uniform(agn_tensor **out, const agn_tensor *key,
                                      agn_dtype dtype, int32_t ndim,
                                      const int64_t *shape, double gain)
{
    return init_by_variance(out, (law){"nn_init_xavier_uniform", false, true}, key, dtype, ndim,
                            shape, gain, 0);
}
agn_status agn_nn_init_xavier_normal(agn_tensor **out, const agn_tensor *key,
                                     agn_dtype dtype, int32_t ndim,
                                     const int64_t *shape, double gain)
{
    return init_by_variance(out, (law){"nn_init_xavier_normal", true, true}, key, dtype, ndim,
                            shape, gain, 0);
}
agn_status agn_nn_init_kaiming_uniform(agn_tensor **out, const agn_tensor *key,
                                       agn_dtype dtype, int32_t ndim,
                                       const int64_t *shape, double gain, int32_t fan)
{
    return init_by_variance(out, (law){"nn_init_kaiming_uniform", false, false}, key, dtype, ndim,
                            shape, gain, fan);
}
agn_status agn_nn_init_kaiming_normal(agn_tensor **out, const agn_tensor *key,
                                      agn_dtype dtype, int32_t ndim,
                                      const int64_t *shape, double gain, int32_t fan)
{
    return init_by_variance(out, (law){"nn_init_kaiming_normal", true, false}, key, dtype, ndim,
                            shape, gain, fan);
}

/* ---- kernels --------------------------------------------------------------------- */

agn_status agn_nn_init_dirac(agn_tensor **out, agn_dtype dtype, int32_t ndim,
                             const int64_t *shape, int64_t groups)
{
    agn_status st = check_arguments("nn_init_dirac", out, dtype, false, ndim, shape, 3);
    if (!st && (groups < 1 || shape[0] % groups))
        st = agni_fail(
            AGN_EARG, "nn_init_dirac: %lld groups of %lld channels: it does not divide",
            (long long)groups, (long long)shape[0]);
    agn_tensor *wide = NULL;
    st = st ? st : agn_full(&wide, AGN_F64, ndim, shape, 0);
    if (st)
        return st;
    /* the middle of the field, and how much of the array one channel is */
    int64_t middle = 0, field = 1, each = shape[0] / groups;
    for (int d = 2; d < ndim; d++) {
        middle = middle * shape[d] + shape[d] / 2;
        field *= shape[d];
    }
    double *v = wide->data;
    for (int64_t k = 0; field && k < shape[0]; k++)
        if (k % each < shape[1])
            v[(k * shape[1] + k % each) * field + middle] = 1;
    st = agn_cast(out, wide, dtype);
    agn_release(wide);
    return st;
}

/* height at point i of a tent over n points: its top is in their middle, and it falls
   to 0 in half of them, rounded up (the kernels of Long, Shelhamer & Darrell 2015) */
static double tent_kernel(int64_t i, int64_t n)
{
    double f = (double)((n + 1) / 2);
    return 1 - fabs((double)i - (double)(n - 1) / 2) / f;
}
agn_status agn_nn_init_bilinear(agn_tensor **out, agn_dtype dtype, int32_t ndim,
                                const int64_t *shape)
{
    agn_status st = check_arguments("nn_init_bilinear", out, dtype, true, ndim, shape, 2);
    agn_tensor *tents = NULL, *wide = NULL;
    int64_t h = st ? 0 : shape[ndim - 2], w = st ? 0 : shape[ndim - 1];
    st = st ? st
            : agni_tensor_make(&tents, "nn_init_bilinear", AGN_F64, 2,
                               (int64_t[]){h, w}, AGN_CPU);
    if (st)
        return st;
    double *v = tents->data;
    for (int64_t i = 0; i < h; i++)
        for (int64_t j = 0; j < w; j++)
            *v++ = tent_kernel(i, h) * tent_kernel(j, w);
    st = agn_broadcast_to(&wide, tents, ndim, shape);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = agn_scope_adopt(s, st, &wide);
    agn_scope_return(s, out, ag_copy(s, ag_cast(s, y, dtype)));
    agn_release(tents);
    return agn_scope_close(s);
}
