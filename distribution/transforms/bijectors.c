/* distribution/transforms/bijectors.c - transforms of single numbers. */
#include "distribution/transforms/transform.h"
#include "distribution/expression.h"

#define TO(name) static T name(agn_scope *s, const agn_transform *t, T x)
#define LOG_DET(name) static T name(agn_scope *s, const agn_transform *t, T x, T y)
#define UNUSED (void)s, (void)t, (void)x
#define UNUSED_Y UNUSED, (void)y
#define ROW(NAME, ...) static const agni_transform_row NAME##_row = {.name = #NAME, __VA_ARGS__}

/* log of the slope of the logistic function */
static T log_sigmoid_slope(agn_scope *s, T x)
{
    return NEG(ADD(FN(softplus, x), FN(softplus, NEG(x))));
}

TO(exp_forward) { (void)t; return FN(exp, x); }
TO(exp_inverse) { (void)t; return FN(log, x); }
LOG_DET(exp_log_det) { UNUSED_Y; return x; }
ROW(exp, .forward = exp_forward, .inverse = exp_inverse, .log_det = exp_log_det);

TO(sigmoid_forward) { (void)t; return FN(sigmoid, x); }
TO(sigmoid_inverse) { (void)t; return FN(logit, x); }
LOG_DET(sigmoid_log_det) { (void)t, (void)y; return log_sigmoid_slope(s, x); }
ROW(sigmoid, .forward = sigmoid_forward, .inverse = sigmoid_inverse, .log_det = sigmoid_log_det);

/* 1 - tanh(x)^2 = 4 sigmoid'(2 x) */
TO(tanh_forward) { (void)t; return FN(tanh, x); }
TO(tanh_inverse) { (void)t; return FN(atanh, x); }
LOG_DET(tanh_log_det)
{
    (void)t, (void)y;
    return PLUS(log_sigmoid_slope(s, TIMES(x, 2)), 2 * LOG_2);
}
ROW(tanh, .forward = tanh_forward, .inverse = tanh_inverse, .log_det = tanh_log_det);

/* y + log(1 - exp(-y)) */
TO(softplus_forward) { (void)t; return FN(softplus, x); }
TO(softplus_inverse) { (void)t; return ADD(x, FN(log, NEG(FN(expm1, NEG(x))))); }
LOG_DET(softplus_log_det) { (void)t, (void)y; return NEG(FN(softplus, NEG(x))); }
ROW(softplus, .forward = softplus_forward, .inverse = softplus_inverse,
    .log_det = softplus_log_det);

/* not injective: the inverse is the point that is not negative */
TO(abs_forward) { (void)t; return FN(abs, x); }
TO(abs_inverse) { (void)s, (void)t; return x; }
ROW(abs, .forward = abs_forward, .inverse = abs_inverse);

TO(affine_forward) { return ADD(t->param[0], MUL(t->param[1], x)); }
TO(affine_inverse) { return DIV(SUB(x, t->param[0]), t->param[1]); }
LOG_DET(affine_log_det)
{
    (void)y;
    return ADD(FN(zeros_like, x), FN(log, FN(abs, t->param[1])));
}
ROW(affine, .forward = affine_forward, .inverse = affine_inverse, .log_det = affine_log_det);

TO(power_forward) { return FN(pow, x, t->param[0]); }
TO(power_inverse) { return FN(pow, x, FN(reciprocal, t->param[0])); }
LOG_DET(power_log_det)
{
    (void)y;
    T p = t->param[0];
    return ADD(FN(log, FN(abs, p)), FN(xlogy, PLUS(p, -1), x));
}
ROW(power, .forward = power_forward, .inverse = power_inverse, .log_det = power_log_det);

/* low + (high - low) sigmoid(x), from the nearer end */
TO(interval_forward)
{
    T a = t->param[0], b = t->param[1], width = SUB(b, a);
    T left = ADD(a, MUL(width, FN(sigmoid, x))), right = SUB(b, MUL(width, FN(sigmoid, NEG(x))));
    return SEL(LT(x, LIT(0)), left, right);
}
TO(interval_inverse)
{
    return SUB(FN(log, SUB(x, t->param[0])), FN(log, SUB(t->param[1], x)));
}
LOG_DET(interval_log_det)
{
    (void)y;
    return ADD(FN(log, SUB(t->param[1], t->param[0])), log_sigmoid_slope(s, x));
}
ROW(interval, .forward = interval_forward, .inverse = interval_inverse,
    .log_det = interval_log_det);

agn_status agn_transform_exp(agn_transform **out)
{
    return agni_transform_make(out, &exp_row, NULL, 0, NULL, 0);
}
agn_status agn_transform_sigmoid(agn_transform **out)
{
    return agni_transform_make(out, &sigmoid_row, NULL, 0, NULL, 0);
}
agn_status agn_transform_tanh(agn_transform **out)
{
    return agni_transform_make(out, &tanh_row, NULL, 0, NULL, 0);
}
agn_status agn_transform_softplus(agn_transform **out)
{
    return agni_transform_make(out, &softplus_row, NULL, 0, NULL, 0);
}
agn_status agn_transform_abs(agn_transform **out)
{
    return agni_transform_make(out, &abs_row, NULL, 0, NULL, 0);
}

agn_status agn_transform_affine(agn_transform **out, const agn_tensor *loc, const agn_tensor *scale)
{
    return agni_transform_make(out, &affine_row, (T[]){loc, scale}, 2, NULL, 0);
}
agn_status agn_transform_power(agn_transform **out, const agn_tensor *power)
{
    return agni_transform_make(out, &power_row, &power, 1, NULL, 0);
}
agn_status agn_transform_interval(agn_transform **out, const agn_tensor *low,
                                  const agn_tensor *high)
{
    return agni_transform_make(out, &interval_row, (T[]){low, high}, 2, NULL, 0);
}
