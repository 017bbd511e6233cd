/* nn/activation.c - activation functions. Each is an expression in x and numbers p; NaN
   propagates, and the branch of a selection that is not taken does not affect derivatives. */
#include "nn/nn.h"

#include <math.h>

typedef const agn_tensor *expression(agn_scope *s, const agn_tensor *x,
                                     const double *p);

static agn_status apply_activation(agn_tensor **out, const char *op, expression *f,
                                   const agn_tensor *x, const double *p)
{
    agni_nn c = {.op = op, .in = {{"x", x, 0}}};
    agn_status st = agni_nn_open(&c, out);
    return st ? st : agni_nn_close(&c, out, f(c.s, c.x[0], p));
}

static const agn_tensor *is_above(agn_scope *s, const agn_tensor *x, double level)
{
    return ag_gt(s, x, ag_lit(s, level));
}
static const agn_tensor *is_within(agn_scope *s, const agn_tensor *x, double radius)
{
    return ag_le(s, ag_abs(s, x), ag_lit(s, radius));
}

static const agn_tensor *multiply_by(agn_scope *s, const agn_tensor *x, double factor)
{
    return factor == 1 ? x : ag_mul_c(s, x, factor);
}

/* ---- exponential ----------------------------------------------------------------- */

/* x above 0, below it p0 (exp(x / p1) - 1); all times p2 */
static const agn_tensor *exponential_unit(agn_scope *s, const agn_tensor *x, const double *p)
{
    const agn_tensor *e = ag_expm1(s, p[1] == 1 ? x : ag_div_c(s, x, p[1]));
    return ag_where(s, is_above(s, x, 0), multiply_by(s, x, p[2]), multiply_by(s, e, p[0] * p[2]));
}

agn_status agn_nn_elu(agn_tensor **out, const agn_tensor *x, double alpha)
{
    return apply_activation(out, "nn_elu", exponential_unit, x, (double[]){alpha, 1, 1});
}
agn_status agn_nn_celu(agn_tensor **out, const agn_tensor *x, double alpha)
{
    if (alpha == 0)
        return agni_fail(AGN_EARG, "nn_celu: alpha is 0; x / alpha is needed");
    return apply_activation(out, "nn_celu", exponential_unit, x, (double[]){alpha, alpha, 1});
}
/* the numbers of the paper's appendix, from its closed forms, to all digits */
agn_status agn_nn_selu(agn_tensor **out, const agn_tensor *x)
{
    return apply_activation(out, "nn_selu", exponential_unit, x,
                            (double[]){1.6732632423543772848, 1, 1.0507009873554804934});
}

static const agn_tensor *apply_softplus(agn_scope *s, const agn_tensor *x, const double *p)
{
    const agn_tensor *z = multiply_by(s, x, p[0]), *y = ag_softplus(s, z);
    y = p[0] == 1 ? y : ag_div_c(s, y, p[0]);
    return p[1] == (double)INFINITY ? y : ag_where(s, is_above(s, z, p[1]), x, y);
}
agn_status agn_nn_softplus(agn_tensor **out, const agn_tensor *x, double beta,
                           double threshold)
{
    if (beta == 0)
        return agni_fail(AGN_EARG,
                         "nn_softplus: beta is 0; something over beta is needed");
    return apply_activation(out, "nn_softplus", apply_softplus, x, (double[]){beta, threshold});
}

static const agn_tensor *log_sigmoid(agn_scope *s, const agn_tensor *x, const double *p)
{
    (void)p;
    return ag_neg(s, ag_softplus(s, ag_neg(s, x)));
}
agn_status agn_nn_log_sigmoid(agn_tensor **out, const agn_tensor *x)
{
    return apply_activation(out, "nn_log_sigmoid", log_sigmoid, x, NULL);
}

/* ---- x times a gate that closes: 0 at minus infinity ----------------------------- */

/* x, at most size from 0: beyond, a gate does not change by a bit, and has no derivative that an
   infinite x could meet */
static const agn_tensor *clip_for_gate(agn_scope *s, const agn_tensor *x, double size)
{
    return ag_minimum_c(s, ag_maximum_c(s, x, -size), size);
}

/* (1 + tanh u) / 2 is the sigmoid of 2 u, where nothing cancels */
static const agn_tensor *gelu_tanh(agn_scope *s, const agn_tensor *x, const double *p)
{
    (void)p;
    const double twice = 1.5957691216057307117; /* 2 sqrt(2 / pi) */
    const agn_tensor *z = clip_for_gate(s, x, 40);
    const agn_tensor *bend = ag_add_c(s, ag_mul_c(s, ag_square(s, z), twice * 0.044715),
                                      twice);
    return ag_mulz(s, x, ag_sigmoid(s, ag_mul(s, z, bend)));
}
agn_status agn_nn_gelu_tanh(agn_tensor **out, const agn_tensor *x)
{
    return apply_activation(out, "nn_gelu_tanh", gelu_tanh, x, NULL);
}

static const agn_tensor *apply_silu(agn_scope *s, const agn_tensor *x, const double *p)
{
    (void)p;
    return ag_mulz(s, x, ag_sigmoid(s, clip_for_gate(s, x, 800)));
}
agn_status agn_nn_silu(agn_tensor **out, const agn_tensor *x)
{
    return apply_activation(out, "nn_silu", apply_silu, x, NULL);
}

static const agn_tensor *apply_mish(agn_scope *s, const agn_tensor *x, const double *p)
{
    (void)p;
    return ag_mulz(s, x, ag_tanh(s, ag_softplus(s, clip_for_gate(s, x, 800))));
}
agn_status agn_nn_mish(agn_tensor **out, const agn_tensor *x)
{
    return apply_activation(out, "nn_mish", apply_mish, x, NULL);
}

/* ---- shrinking ------------------------------------------------------------------- */

static const agn_tensor *apply_softsign(agn_scope *s, const agn_tensor *x, const double *p)
{
    (void)p;
    const agn_tensor *size = ag_abs(s, x), *inf = ag_lit(s, (double)INFINITY);
    const agn_tensor *y = ag_div(s, x, ag_add_c(s, size, 1));
    return ag_where(s, ag_eq(s, size, inf), ag_sign(s, x), y);
}
agn_status agn_nn_softsign(agn_tensor **out, const agn_tensor *x)
{
    return apply_activation(out, "nn_softsign", apply_softsign, x, NULL);
}

static const agn_tensor *apply_tanhshrink(agn_scope *s, const agn_tensor *x, const double *p)
{
    (void)p;
    return ag_sub(s, x, ag_tanh(s, x));
}
agn_status agn_nn_tanhshrink(agn_tensor **out, const agn_tensor *x)
{
    return apply_activation(out, "nn_tanhshrink", apply_tanhshrink, x, NULL);
}

/* 0 within p0, beyond it x less p1 */
static const agn_tensor *shrink_towards(agn_scope *s, const agn_tensor *x, const double *p)
{
    const agn_tensor *y = p[1] == 0 ? x
                                    : ag_sub(s, x, ag_mul_c(s, ag_sign(s, x), p[1]));
    return ag_where(s, is_within(s, x, p[0]), ag_lit(s, 0), y);
}
static agn_status apply_shrink(agn_tensor **out, const char *op, const agn_tensor *x, double lambda,
                               double less)
{
    if (!(lambda >= 0))
        return agni_fail(AGN_EARG, "%s: lambda is %g; it must not be negative", op,
                         lambda);
    return apply_activation(out, op, shrink_towards, x, (double[]){lambda, less});
}
agn_status agn_nn_softshrink(agn_tensor **out, const agn_tensor *x, double lambda)
{
    return apply_shrink(out, "nn_softshrink", x, lambda, lambda);
}
agn_status agn_nn_hardshrink(agn_tensor **out, const agn_tensor *x, double lambda)
{
    return apply_shrink(out, "nn_hardshrink", x, lambda, 0);
}

/* ---- pieces of lines ------------------------------------------------------------- */

/* the line p2 + p3 x where x is between p0 and p1, else its value there */
static const agn_tensor *clamp_line(agn_scope *s, const agn_tensor *x, const double *p)
{
    const agn_tensor *lo = ag_lit(s, p[0]), *hi = ag_lit(s, p[1]);
    const agn_tensor *at_lo = ag_lit(s, p[2] + p[3] * p[0]),
                     *at_hi = ag_lit(s, p[2] + p[3] * p[1]);
    const agn_tensor *line = p[3] == 1 ? x : ag_add_c(s, ag_mul_c(s, x, p[3]), p[2]);
    return ag_where(s, ag_le(s, x, lo), at_lo,
                    ag_where(s, ag_ge(s, x, hi), at_hi, line));
}
agn_status agn_nn_hardtanh(agn_tensor **out, const agn_tensor *x, double lo, double hi)
{
    if (!(lo <= hi))
        return agni_fail(AGN_EARG, "nn_hardtanh: hi is %g, below a lo of %g", hi, lo);
    return apply_activation(out, "nn_hardtanh", clamp_line, x, (double[]){lo, hi, 0, 1});
}
/* 0 stays 0 at each step, so a sparse x stays sparse */
static const agn_tensor *apply_relu6(agn_scope *s, const agn_tensor *x, const double *p)
{
    (void)p;
    const agn_tensor *y = ag_relu(s, x), *six = ag_lit(s, 6);
    return ag_where(s, ag_ge(s, y, six), six, y);
}
agn_status agn_nn_relu6(agn_tensor **out, const agn_tensor *x)
{
    return apply_activation(out, "nn_relu6", apply_relu6, x, NULL);
}
agn_status agn_nn_hardsigmoid(agn_tensor **out, const agn_tensor *x)
{
    return apply_activation(out, "nn_hardsigmoid", clamp_line, x, (double[]){-3, 3, 0.5, 1.0 / 6});
}

static const agn_tensor *apply_hardswish(agn_scope *s, const agn_tensor *x, const double *p)
{
    (void)p;
    const agn_tensor *lo = ag_lit(s, -3), *hi = ag_lit(s, 3);
    const agn_tensor *bend = ag_div_c(s, ag_mul(s, x, ag_add_c(s, x, 3)), 6);
    return ag_where(s, ag_le(s, x, lo), ag_lit(s, 0),
                    ag_where(s, ag_ge(s, x, hi), x, bend));
}
agn_status agn_nn_hardswish(agn_tensor **out, const agn_tensor *x)
{
    return apply_activation(out, "nn_hardswish", apply_hardswish, x, NULL);
}

static const agn_tensor *leaky_relu(agn_scope *s, const agn_tensor *x, const double *p)
{
    return ag_where(s, is_above(s, x, 0), x, ag_mul_c(s, x, p[0]));
}
agn_status agn_nn_leaky_relu(agn_tensor **out, const agn_tensor *x, double slope)
{
    return apply_activation(out, "nn_leaky_relu", leaky_relu, x, &slope);
}

static const agn_tensor *threshold_relu(agn_scope *s, const agn_tensor *x, const double *p)
{
    return ag_where(s, ag_le(s, x, ag_lit(s, p[0])), ag_lit(s, p[1]), x);
}
agn_status agn_nn_thresholded_relu(agn_tensor **out, const agn_tensor *x,
                                   double threshold, double value)
{
    return apply_activation(out, "nn_thresholded_relu", threshold_relu, x,
                            (double[]){threshold, value});
}

/* ---- slopes that are tensors ----------------------------------------------------- */

agn_status agn_nn_prelu(agn_tensor **out, const agn_tensor *x, const agn_tensor *weight,
                        int32_t axis)
{
    agni_nn c = {.op = "nn_prelu", .in = {{"x", x, 0}, {"weight", weight, 0}}};
    agn_status st = agni_nn_open(&c, out);
    if (st)
        return st;
    const agn_tensor *w = NULL;
    int d;
    if (weight->size == 1)
        w = ag_reshape(c.s, c.x[1], 0, NULL);
    else if (agni_nn_axis(&c, 0, axis, &d))
        w = agni_nn_along(&c, 1, x->ndim, d, x->shape[d]);
    return agni_nn_close(&c, out,
                         ag_where(c.s, is_above(c.s, c.x[0], 0), c.x[0], ag_mul(c.s, c.x[0], w)));
}

agn_status agn_nn_rrelu(agn_tensor **out, const agn_tensor *x, const agn_tensor *key,
                        double lower, double upper)
{
    if (!(lower <= upper))
        return agni_fail(AGN_EARG, "nn_rrelu: upper is %g, below a lower of %g", upper,
                         lower);
    if (!key)
        return apply_activation(out, "nn_rrelu", leaky_relu, x, (double[]){(lower + upper) / 2});
    agni_nn c = {.op = "nn_rrelu", .in = {{"x", x, 0}}};
    agn_status st = agni_nn_open(&c, out);
    if (st)
        return st;
    const agn_tensor *u = ag_uniform(c.s, key, c.wide, x->ndim, x->shape);
    const agn_tensor *slope = ag_add_c(c.s, ag_mul_c(c.s, u, upper - lower), lower);
    return agni_nn_close(
        &c, out, ag_where(c.s, is_above(c.s, c.x[0], 0), c.x[0], ag_mul(c.s, c.x[0], slope)));
}
