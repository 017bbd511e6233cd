/* nn/linear.c - linear and bilinear layers, embeddings, one-hot vectors. */
#include "nn/nn.h"
#include "tensor/dispatch/op_helpers.h"

static const agn_tensor *add_bias(agn_scope *s, const agn_tensor *y, const agn_tensor *bias)
{
    return bias ? ag_add(s, y, bias) : y;
}
static const agn_tensor *multiply_transposed(agn_scope *s, const agn_tensor *x, const agn_tensor *w)
{
    return ag_matmul(s, x, ag_transpose(s, w));
}
/* the size of the last axis, -1 without one */
static int64_t last_size(const agn_tensor *x)
{
    return x->ndim ? x->shape[x->ndim - 1] : -1;
}

enum { X, WEIGHT, BIAS };

/* x [..., n], weight [m, n] and bias [m] */
static bool linear_fits(agni_nn *c)
{
    const agn_tensor *x = c->in[X].x, *w = c->in[WEIGHT].x;
    if (!x->ndim || w->ndim != 2 || w->shape[1] != last_size(x))
        return !AGNI_NN_FAIL(c, AGN_ESHAPE,
                             "%s: x is %s, %s %s; [..., n] and [m, n] are needed",
                             c->op, AGNI_SHAPE(x), c->in[WEIGHT].name, AGNI_SHAPE(w));
    return agni_nn_shaped(c, BIAS, 1, w->shape);
}

agn_status agn_nn_linear(agn_tensor **out, const agn_tensor *x,
                         const agn_tensor *weight, const agn_tensor *bias)
{
    agni_nn c = {
        .op = "nn_linear",
        .in = {{"x", x, 0}, {"weight", weight, 0}, {"bias", bias, AGNI_NN_OPTIONAL}}};
    agn_status st = agni_nn_open(&c, out);
    if (st)
        return st;
    const agn_tensor *y = NULL;
    if (linear_fits(&c))
        y = add_bias(c.s, multiply_transposed(c.s, c.x[X], c.x[WEIGHT]), c.x[BIAS]);
    return agni_nn_close(&c, out, y);
}

agn_status agn_nn_bilinear(agn_tensor **out, const agn_tensor *a, const agn_tensor *b,
                           const agn_tensor *weight, const agn_tensor *bias)
{
    agni_nn c = {.op = "nn_bilinear",
                 .in = {{"a", a, 0},
                        {"weight", weight, 0},
                        {"bias", bias, AGNI_NN_OPTIONAL},
                        {"b", b, 0}}};
    agn_status st = agni_nn_open(&c, out);
    if (st)
        return st;
    const agn_tensor *y = NULL;
    bool fit = a->ndim > 0 && b->ndim == a->ndim && weight->ndim == 3 &&
               weight->shape[1] == last_size(a) && weight->shape[2] == last_size(b);
    for (int k = 0; fit && k < a->ndim - 1; k++)
        fit = a->shape[k] == b->shape[k];
    if (!fit)
        AGNI_NN_FAIL(&c, AGN_ESHAPE,
                     "nn_bilinear: a is %s, b %s, weight %s; [..., p], [..., q] and "
                     "[m, p, q] are needed",
                     AGNI_SHAPE(a), AGNI_SHAPE(b), AGNI_SHAPE(weight));
    else if (agni_nn_shaped(&c, BIAS, 1, weight->shape)) {
        const agn_tensor *in[] = {c.x[0], c.x[WEIGHT], c.x[3]};
        y = add_bias(c.s, ag_einsum(c.s, "...p,mpq,...q->...m", in, 3), c.x[BIAS]);
    }
    return agni_nn_close(&c, out, y);
}

/* ---- by number ------------------------------------------------------------------- */

agn_status agn_nn_embedding(agn_tensor **out, const agn_tensor *idx,
                            const agn_tensor *weight, int64_t padding)
{
    agni_nn c = {.op = "nn_embedding", .in = {{"idx", idx, AGNI_NN_WHOLE}}};
    if (!weight)
        return agni_fail(AGN_ENULL, "nn_embedding: weight is NULL");
    agn_status st = agni_nn_open(&c, out);
    if (st)
        return st;
    const agn_tensor *y = NULL;
    if (weight->ndim != 2)
        AGNI_NN_FAIL(&c, AGN_ESHAPE,
                     "nn_embedding: weight is %s; it must have 2 axes, not %d",
                     AGNI_SHAPE(weight), weight->ndim);
    else if (padding >= weight->shape[0])
        AGNI_NN_FAIL(&c, AGN_EINDEX, "nn_embedding: padding is row %lld of %s",
                     (long long)padding, AGNI_SHAPE(weight));
    else {
        const agn_tensor *i = agni_nn_checked(&c, 0, "number", weight->shape[0]);
        y = ag_gather(c.s, weight, i, 0);
        if (padding >= 0) {
            const agn_tensor *pad = ag_eq(c.s, i, ag_lit(c.s, (double)padding));
            y = ag_where(c.s, ag_expand_dims(c.s, pad, -1), ag_stop_gradient(c.s, y),
                         y);
        }
    }
    return agni_nn_done(&c, out, y);
}

agn_status agn_nn_one_hot(agn_tensor **out, const agn_tensor *idx, int64_t classes,
                          agn_dtype dtype)
{
    agni_nn c = {.op = "nn_one_hot", .in = {{"idx", idx, AGNI_NN_WHOLE}}};
    if (classes < 0)
        return agni_fail(AGN_ESHAPE, "nn_one_hot: %lld classes; 0 or more are possible",
                         (long long)classes);
    if (dtype < 0 || dtype >= AGN_NDTYPES)
        return agni_fail(AGN_EDTYPE,
                         "nn_one_hot: there is no dtype %d; there are 0 to %d", dtype,
                         AGN_NDTYPES - 1);
    agn_status st = agni_nn_open(&c, out);
    if (st)
        return st;
    const agn_tensor *i = agni_nn_checked(&c, 0, "label", classes);
    return agni_nn_done(&c, out, agni_nn_hot(c.s, i, classes, dtype));
}
